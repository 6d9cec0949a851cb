/// The usual simple statements without tree-sitter: assignments, annotations, `return`, `pass` and
/// expressions made of names, attributes, calls, subscripts, plain literals, displays and
/// arithmetic, also some of them in a line, and the heads of functions whose annotations, defaults
/// and decorators are such expressions. Most lines of a script are such, and reading them by hand
/// costs a tenth of building a tree and lowering it.
///
/// Always true: it makes what tree-sitter's tree would be lowered to, or nothing: at the first
/// thing it does not know, or that is wrong, it gives up and the unit goes the other way.
/// tests/prop/syntax_fast.c compares both on all kinds of text.
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/syntax_impl.h"
#include "analyzer/syntax/syntax_operators.h"

/// Levels of a tree: with as many brackets as may be open it is no deeper than what is read the other
/// way (RLX_SYNTAX_MAX_DEPTH), where a chain `a + a + …` becomes too deep at the same place as any.
enum { MAX_DEPTH = 64, MAX_HEIGHT = RLX_SYNTAX_MAX_DEPTH - RLX_MAX_OPEN_BRACKETS - 100 };

typedef struct Fast {
  RlxSyntax *s;
  const char *text; // of the unit
  uint32_t size, at;
  uint32_t brackets; // that are open: line ends are blanks
  uint32_t depth;
  bool is_high;  // a tree has more levels than MAX_HEIGHT
  uint32_t hole; // in a text that stands for another one: where bytes were left out or put in
  int32_t
      hole_size; // how many were left out, -1: one was put in; places behind are the other text's
  bool is_slip;  // the head of a function may lack its name, and its `def` may be another word
} Fast;

/// An expression with the bytes that it takes, its own parentheses included; NULL: not known.
typedef struct Part {
  RlxAst *ast;
  uint32_t start, end;
} Part;

static const Part nothing = {NULL, 0, 0};

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The next byte that is no blank; 0 at the end, which no unit contains.
static char peek(Fast *f) {
  while (f->at < f->size) {
    char c = f->text[f->at];
    if (c == ' ' || c == '\t' || (c == '\n' && f->brackets)) {
      f->at++;
    } else if (c == '#' && f->brackets) {
      while (f->at < f->size && f->text[f->at] != '\n') f->at++;
    } else {
      return c;
    }
  }
  return '\0';
}

static char second(const Fast *f) { return f->at + 1 < f->size ? f->text[f->at + 1] : '\0'; }

static bool accept(Fast *f, char c) {
  if (peek(f) != c) return false;
  f->at++;
  return true;
}

static uint32_t word_size(const Fast *f) {
  uint32_t end = f->at;
  while (end < f->size && (is_letter(f->text[end]) || is_digit(f->text[end]))) end++;
  return end - f->at;
}

static bool is_word(const Fast *f, uint32_t size, const char *word) {
  return strlen(word) == size && memcmp(f->text + f->at, word, size) == 0;
}

static Part part(RlxAst *ast, uint32_t start, uint32_t end) { return (Part){ast, start, end}; }

/// Where [start, end) of the text stands in the statement.
static RlxSpan place(const Fast *f, uint32_t start, uint32_t end) {
  const int64_t by = f->hole_size;
  if (start >= f->hole && (by >= 0 || start > f->hole)) start = (uint32_t)(start + by);
  if (end > f->hole) end = (uint32_t)(end + by);
  return rlx_span(start, end < start ? start : end);
}

static RlxAst *make(Fast *f, RlxAstKind kind, uint32_t start, uint32_t end, uint32_t kids_from) {
  RlxAst *ast = rlx_ast_make(f->s, kind, place(f, start, end), kids_from);
  f->is_high |= ast->height > MAX_HEIGHT;
  return ast;
}

static Part expression(Fast *f, int least);

static void push(Fast *f, RlxAst *ast) { rlx_vec_push(&f->s->kids, ast); }

/// `*x` or `**x` with an operand that binds at least as tightly as `least`; `*failed`: it is not known. NULL without a star.
static RlxAst *starred(Fast *f, int least, uint32_t *out_end, bool *failed) {
  if (peek(f) != '*') return NULL;
  const uint32_t start = f->at, from = f->s->kids.count;
  const bool is_double = second(f) == '*';
  f->at += is_double ? 2 : 1;
  const Part one = expression(f, least);
  *failed = !one.ast;
  if (*failed) return NULL;
  push(f, one.ast);
  *out_end = one.end;
  return make(f, is_double ? RLX_AST_DOUBLE_STARRED : RLX_AST_STARRED, start, one.end, from);
}

/// An expression, or `*x`, of a tuple or a list; nothing: not known.
static Part element(Fast *f) {
  bool failed = false;
  uint32_t end = 0;
  peek(f);
  const uint32_t start = f->at;
  RlxAst *star = starred(f, RLX_LEVEL_BITOR, &end, &failed);
  if (star && star->kind == RLX_AST_STARRED) return part(star, start, end);
  return star || failed ? nothing : expression(f, 0);
}

// ---- atoms

static Part leaf(Fast *f, RlxAstKind kind, uint32_t size) {
  uint32_t start = f->at;
  f->at += size;
  return part(make(f, kind, start, f->at, f->s->kids.count), start, f->at);
}

static Part word(Fast *f) {
  uint32_t size = word_size(f);
  if (f->at + size < f->size && (f->text[f->at + size] == '"' || f->text[f->at + size] == '\''))
    return nothing; // a prefix
  if (is_word(f, size, "True")) return leaf(f, RLX_AST_TRUE, size);
  if (is_word(f, size, "False")) return leaf(f, RLX_AST_FALSE, size);
  if (is_word(f, size, "None")) return leaf(f, RLX_AST_NONE, size);
  if (rlx_word_is_reserved(f->text + f->at, size)) return nothing;
  RlxName name = rlx_intern(f->s->names, f->text + f->at, size);
  Part out = leaf(f, RLX_AST_NAME, size);
  out.ast->name = name;
  out.ast->name_span = out.ast->span;
  return out;
}

/// Decimal digits, perhaps with a fraction and an exponent.
static Part number(Fast *f) {
  uint32_t end = f->at;
  bool is_float = false;
  while (end < f->size && is_digit(f->text[end])) end++;
  if (end - f->at > 1 && f->text[f->at] == '0') return nothing;
  if (end < f->size && f->text[end] == '.') {
    is_float = true;
    for (end++; end < f->size && is_digit(f->text[end]);) end++;
  }
  if (end < f->size && (f->text[end] == 'e' || f->text[end] == 'E')) {
    uint32_t digits = end + 1;
    if (digits < f->size && (f->text[digits] == '-' || f->text[digits] == '+')) digits++;
    if (digits >= f->size || !is_digit(f->text[digits])) return nothing;
    is_float = true;
    for (end = digits; end < f->size && is_digit(f->text[end]);) end++;
  }
  if (end < f->size && (is_letter(f->text[end]) || f->text[end] == '.')) return nothing;
  uint32_t start = f->at;
  f->at = end;
  return part(rlx_ast_number(f->s, place(f, start, end), f->text + start, end - start, !is_float),
              start, end);
}

/// A string on one line without prefix or backslash, and without another one behind it.
static Part string(Fast *f) {
  uint32_t start = f->at, end = start + 1;
  char quote = f->text[start];
  if (second(f) == quote && start + 2 < f->size && f->text[start + 2] == quote) return nothing;
  while (end < f->size && f->text[end] != quote && f->text[end] != '\n' && f->text[end] != '\\')
    end++;
  if (end >= f->size || f->text[end] != quote) return nothing;
  RlxAst *ast = make(f, RLX_AST_STRING, start, end + 1, f->s->kids.count);
  ast->text = rlx_arena_strndup(f->s->arena, f->text + start + 1, end - start - 1);
  ast->text_size = end - start - 1;
  f->at = end + 1;
  char next = peek(f);
  return next == '"' || next == '\'' || is_letter(next) ? nothing : part(ast, start, end + 1);
}

/// Expressions with commas between them up to `close`, onto the kids. False: not known.
/// `*out_comma`: one stood at the end.
static bool elements(Fast *f, char close, bool *out_comma, uint32_t *out_count) {
  *out_comma = false;
  for (*out_count = 0; peek(f) != close; ++*out_count) {
    Part one = element(f);
    if (!one.ast) return false;
    push(f, one.ast);
    *out_comma = accept(f, ',');
    if (!*out_comma && peek(f) != close) return false;
  }
  f->at++;
  return true;
}

/// `(…)`: a tuple, or an expression in parentheses.
static Part parenthesized(Fast *f) {
  uint32_t start = f->at++, from = f->s->kids.count, count;
  bool has_comma;
  f->brackets++;
  if (!elements(f, ')', &has_comma, &count)) return nothing;
  f->brackets--;
  if (count == 1 && !has_comma) {
    RlxAst *inner = f->s->kids.at[from];
    if (inner->kind == RLX_AST_STARRED) return nothing;
    f->s->kids.count = from;
    inner->is_parenthesized = true;
    return part(inner, start, f->at);
  }
  RlxAst *tuple = make(f, RLX_AST_TUPLE, start, f->at, from);
  tuple->is_parenthesized = true;
  return part(tuple, start, f->at);
}

static Part list(Fast *f) {
  uint32_t start = f->at++, from = f->s->kids.count, count;
  bool has_comma;
  f->brackets++;
  if (!elements(f, ']', &has_comma, &count)) return nothing;
  f->brackets--;
  return part(make(f, RLX_AST_LIST, start, f->at, from), start, f->at);
}

/// `{first, …}`, whose first element was read.
static Part set(Fast *f, uint32_t start, uint32_t from, RlxAst *first) {
  push(f, first);
  while (accept(f, ',') && peek(f) != '}') {
    const Part next = element(f);
    if (!next.ast) return nothing;
    push(f, next.ast);
  }
  if (!accept(f, '}')) return nothing;
  f->brackets--;
  return part(make(f, RLX_AST_SET, start, f->at, from), start, f->at);
}

/// `{…}`: a dictionary or a set.
static Part dict(Fast *f) {
  uint32_t start = f->at++, from = f->s->kids.count;
  f->brackets++;
  while (peek(f) != '}') {
    bool failed = false;
    uint32_t at = f->at, end;
    RlxAst *star = starred(f, RLX_LEVEL_BITOR, &end, &failed);
    if (failed) return nothing;
    const bool is_doubled = star && star->kind == RLX_AST_DOUBLE_STARRED;
    Part key = is_doubled ? part(make(f, RLX_AST_HOLE, at, at, f->s->kids.count), at, at)
               : star     ? part(star, at, end)
                          : expression(f, 0);
    if (!key.ast) return nothing;
    if (!is_doubled && (star || !accept(f, ':')))
      return f->s->kids.count == from ? set(f, start, from, key.ast) : nothing;
    push(f, key.ast);
    RlxAst *value = star ? star : expression(f, 0).ast;
    if (!value) return nothing;
    push(f, value);
    if (!accept(f, ',') && peek(f) != '}') return nothing;
  }
  f->at++;
  f->brackets--;
  return part(make(f, RLX_AST_DICT, start, f->at, from), start, f->at);
}

static Part atom(Fast *f) {
  char c = peek(f);
  if (is_letter(c)) return word(f);
  if (is_digit(c) || (c == '.' && is_digit(second(f)))) return number(f);
  switch (c) {
  case '"':
  case '\'': return string(f);
  case '(': return parenthesized(f);
  case '[': return list(f);
  case '{': return dict(f);
  case '.':
    return second(f) == '.' && f->at + 2 < f->size && f->text[f->at + 2] == '.'
               ? leaf(f, RLX_AST_ELLIPSIS, 3)
               : nothing;
  default: return nothing;
  }
}

// ---- what stands behind atoms

/// `name = value` when a name and a single `=` come next; `*out` is then the argument.
static bool keyword(Fast *f, bool *failed, RlxAst **out) {
  uint32_t start = f->at, size = word_size(f);
  if (!is_letter(peek(f)) || !size) return false;
  start = f->at;
  size = word_size(f);
  f->at += size;
  if (peek(f) != '=' || second(f) == '=') {
    f->at = start;
    return false;
  }
  f->at++;
  *failed = rlx_word_is_reserved(f->text + start, size);
  if (*failed) return true;
  RlxName name = rlx_intern(f->s->names, f->text + start, size);
  Part value = expression(f, 0);
  *failed = !value.ast;
  if (*failed) return true;
  uint32_t from = f->s->kids.count;
  push(f, value.ast);
  *out = make(f, RLX_AST_KEYWORD, start, value.end, from);
  (*out)->name = name;
  (*out)->name_span = place(f, start, start + size);
  return true;
}

static Part call(Fast *f, Part callee) {
  uint32_t from = f->s->kids.count;
  push(f, callee.ast);
  f->at++;
  f->brackets++;
  for (bool has_doubled = false; peek(f) != ')';) {
    bool failed = false;
    uint32_t end;
    RlxAst *argument = starred(f, RLX_LEVEL_CONDITIONAL, &end, &failed);
    if (failed) return nothing;
    if (!argument && !keyword(f, &failed, &argument)) argument = expression(f, 0).ast;
    if (failed || !argument) return nothing;
    has_doubled |= argument->kind == RLX_AST_DOUBLE_STARRED;
    if (has_doubled && argument->kind != RLX_AST_DOUBLE_STARRED &&
        argument->kind != RLX_AST_KEYWORD)
      return nothing;
    push(f, argument);
    if (!accept(f, ',') && peek(f) != ')') return nothing;
  }
  f->at++;
  f->brackets--;
  RlxAst *ast = make(f, RLX_AST_CALL, callee.start, f->at, from);
  rlx_check_call(f->s, ast);
  return part(ast, callee.start, f->at);
}

/// An index, or `start:stop:step` with an absent part as a NONE of no length.
static RlxAst *subscript_item(Fast *f) {
  uint32_t first, last, places[3] = {0, 0, 0}, colons = 0;
  RlxAst *parts[3] = {NULL, NULL, NULL};
  if (peek(f) == '*') return element(f).ast;
  first = last = f->at;
  for (;;) {
    char c = peek(f);
    if (c == ':') {
      if (++colons > 2) return NULL;
      last = places[colons] = ++f->at;
    } else if (c == ',' || c == ']') {
      break;
    } else {
      Part one = parts[colons] ? nothing : expression(f, 0);
      if (!one.ast) return NULL;
      parts[colons] = one.ast;
      last = one.end;
    }
  }
  if (!colons) return parts[0];
  places[0] = first;
  if (colons == 1) places[2] = last;
  uint32_t from = f->s->kids.count;
  RlxAst *kids[3];
  for (int i = 0; i < 3; i++)
    kids[i] = parts[i] ? parts[i] : make(f, RLX_AST_NONE, places[i], places[i], f->s->kids.count);
  for (int i = 0; i < 3; i++) push(f, kids[i]);
  return make(f, RLX_AST_SLICE, first, last, from);
}

static Part subscript(Fast *f, Part value) {
  uint32_t from = f->s->kids.count;
  push(f, value.ast);
  f->at++;
  f->brackets++;
  do {
    RlxAst *item = subscript_item(f);
    if (!item) return nothing;
    push(f, item);
  } while (accept(f, ','));
  if (!accept(f, ']')) return nothing;
  f->brackets--;
  return part(make(f, RLX_AST_SUBSCRIPT, value.start, f->at, from), value.start, f->at);
}

static Part attribute(Fast *f, Part value) {
  f->at++;
  peek(f);
  uint32_t start = f->at, size = word_size(f), from = f->s->kids.count;
  if (!size || is_digit(f->text[start]) || rlx_word_is_reserved(f->text + start, size))
    return nothing;
  f->at += size;
  push(f, value.ast);
  RlxAst *ast = make(f, RLX_AST_ATTRIBUTE, value.start, f->at, from);
  ast->name = rlx_intern(f->s->names, f->text + start, size);
  ast->name_span = place(f, start, start + size);
  return part(ast, value.start, f->at);
}

static Part postfix(Fast *f) {
  Part out = atom(f);
  while (out.ast) {
    char c = peek(f);
    if (c == '.')
      out = attribute(f, out);
    else if (c == '(')
      out = call(f, out);
    else if (c == '[')
      out = subscript(f, out);
    else
      break;
  }
  return out;
}

// ---- operators

/// The operator that comes next; `*size`: up to behind it. RLX_OP_NONE: there is none that is known here.
static RlxAstOp operator_at(Fast *f, int *level, uint32_t *size) {
  peek(f);
  const uint32_t start = f->at;
  RlxAstOp op = rlx_operator_at(f->text, f->size, start, level, size);
  if (op != RLX_OP_IS && op != RLX_OP_NOT_IN) return op;
  f->at += *size; // perhaps with a second word
  peek(f);
  const uint32_t second_size = word_size(f);
  const bool has_second = is_word(f, second_size, op == RLX_OP_IS ? "not" : "in");
  if (has_second) *size = f->at + second_size - start;
  f->at = start;
  if (op == RLX_OP_IS) return has_second ? RLX_OP_IS_NOT : op;
  return has_second ? op : RLX_OP_NONE;
}

static Part binary(Fast *f, Part left, RlxAstOp op, Part right) {
  uint32_t from = f->s->kids.count;
  push(f, left.ast);
  push(f, right.ast);
  const bool is_bool = op == RLX_OP_AND || op == RLX_OP_OR;
  RlxAst *ast = make(f, is_bool ? RLX_AST_BOOL_OP : RLX_AST_BINARY, left.start, right.end, from);
  ast->op = (uint8_t)op;
  return part(ast, left.start, right.end);
}

/// `a < b == c`: one node.
static Part comparison(Fast *f, Part left) {
  uint8_t ops[8];
  uint32_t from = f->s->kids.count, count = 0, size, end = left.end;
  int level;
  push(f, left.ast);
  for (RlxAstOp op;
       (op = operator_at(f, &level, &size)) != RLX_OP_NONE && level == RLX_LEVEL_COMPARISON;) {
    if (count == sizeof ops) return nothing;
    f->at += size;
    Part right = expression(f, RLX_LEVEL_BITOR);
    if (!right.ast) return nothing;
    push(f, right.ast);
    ops[count++] = (uint8_t)op;
    end = right.end;
  }
  RlxAst *ast = make(f, RLX_AST_COMPARE, left.start, end, from);
  ast->ops = rlx_arena_copy(f->s->arena, ops, count, 1);
  return part(ast, left.start, end);
}

static Part unary(Fast *f, int least) {
  const char c = peek(f);
  const bool is_not = c == 'n' && is_word(f, word_size(f), "not");
  if (is_not ? least > RLX_LEVEL_NOT : c != '-' && c != '+' && c != '~') return postfix(f);
  const uint32_t start = f->at, from = f->s->kids.count;
  f->at += is_not ? 3 : 1;
  const Part operand = expression(f, is_not ? RLX_LEVEL_NOT : RLX_LEVEL_SIGN);
  if (!operand.ast) return nothing;
  push(f, operand.ast);
  RlxAst *ast = make(f, RLX_AST_UNARY, start, operand.end, from);
  ast->op = is_not ? RLX_OP_NOT : c == '-' ? RLX_OP_NEG : c == '+' ? RLX_OP_POS : RLX_OP_INVERT;
  return part(ast, start, operand.end);
}

/// Behind `then`: `if condition else other`.
static Part conditional(Fast *f, Part then) {
  const uint32_t from = f->s->kids.count;
  push(f, then.ast);
  f->at += 2;
  const Part condition = expression(f, RLX_LEVEL_OR);
  if (!condition.ast || !peek(f) || !is_word(f, word_size(f), "else")) return nothing;
  push(f, condition.ast);
  f->at += 4;
  const Part other = expression(f, RLX_LEVEL_CONDITIONAL);
  if (!other.ast) return nothing;
  push(f, other.ast);
  return part(make(f, RLX_AST_CONDITIONAL, then.start, other.end, from), then.start, other.end);
}

/// An expression whose operators bind at least as tightly as `least`. What may follow it is for the
/// caller to see.
static Part expression(Fast *f, int least) {
  uint32_t size;
  int level;
  if (++f->depth > MAX_DEPTH) return nothing;
  Part left = unary(f, least);
  while (left.ast) {
    RlxAstOp op = operator_at(f, &level, &size);
    if (op == RLX_OP_NONE || level < least) break;
    if (level == RLX_LEVEL_COMPARISON) {
      left = comparison(f, left);
      continue;
    }
    f->at += size;
    Part right = expression(f, level == RLX_LEVEL_POWER ? RLX_LEVEL_SIGN
                                                        : level + 1); // powers bind to the right
    left = right.ast ? binary(f, left, op, right) : nothing;
  }
  if (left.ast && least == RLX_LEVEL_CONDITIONAL && peek(f) == 'i' &&
      is_word(f, word_size(f), "if"))
    left = conditional(f, left);
  f->depth--;
  return left;
}

// ---- statements

/// `a, b` at the statement's level is a tuple without parentheses.
static Part expressions(Fast *f) {
  uint32_t from = f->s->kids.count;
  Part first = element(f);
  if (!first.ast) return first;
  if (peek(f) != ',') return first.ast->kind == RLX_AST_STARRED ? nothing : first;
  uint32_t end = first.end;
  push(f, first.ast);
  while (accept(f, ',')) {
    if (!peek(f)) return nothing;
    Part next = element(f);
    if (!next.ast) return nothing;
    push(f, next.ast);
    end = next.end;
  }
  return part(make(f, RLX_AST_TUPLE, first.start, end, from), first.start, end);
}

static bool is_target(const RlxAst *ast) {
  bool is_plain =
      ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_SUBSCRIPT;
  if (ast->kind == RLX_AST_TUPLE && !ast->is_parenthesized)
    for (uint32_t i = 0; i < ast->child_count; i++) {
      const RlxAst *child = ast->children[i];
      if (!is_target(child->kind == RLX_AST_STARRED ? child->children[0] : child)) return false;
    }
  return (is_plain && !ast->is_parenthesized) ||
         (ast->kind == RLX_AST_TUPLE && !ast->is_parenthesized);
}

/// Behind the first expression: `= …` or `: annotation [= …]`.
static bool assignment(Fast *f, RlxStmt *stmt, Part first) {
  RlxSyntax *s = f->s;
  uint32_t from = s->kids.count;
  if (accept(f, ':')) {
    if (!is_target(first.ast) || first.ast->kind == RLX_AST_TUPLE) return false;
    Part annotation = expression(f, 0);
    if (!annotation.ast) return false;
    stmt->kind = RLX_STMT_ANNOTATED;
    stmt->annotation = annotation.ast;
    if (accept(f, '=')) {
      stmt->value = expressions(f).ast;
      if (!stmt->value) return false;
    }
    push(f, first.ast);
  } else {
    RlxAst *last = first.ast;
    stmt->kind = RLX_STMT_ASSIGN;
    while (accept(f, '=')) {
      if (!is_target(last)) return false;
      push(f, last);
      last = expressions(f).ast;
      if (!last) return false;
    }
    stmt->value = last;
  }
  stmt->target_count = s->kids.count - from;
  stmt->targets = rlx_arena_copy(s->arena, s->kids.at + from, stmt->target_count, sizeof(RlxAst *));
  s->kids.count = from;
  return true;
}

static bool statement(Fast *f, RlxStmt *stmt) {
  peek(f);
  uint32_t size = word_size(f);
  if (is_word(f, size, "pass")) {
    stmt->kind = RLX_STMT_PASS;
    f->at += size;
    return true;
  }
  if (is_word(f, size, "type") || is_word(f, size, "match") || is_word(f, size, "case"))
    return false;
  if (is_word(f, size, "return")) {
    stmt->kind = RLX_STMT_RETURN;
    f->s->uses |= RLX_USES_RETURN;
    f->at += size;
    if (!peek(f)) return true;
    if (f->text[f->at - 1] == 'n') return false; // nothing between the word and the value
    stmt->value = expressions(f).ast;
    return stmt->value != NULL;
  }
  Part first = expressions(f);
  if (!first.ast) return false;
  char c = peek(f);
  if (c == '=' || c == ':') return assignment(f, stmt, first);
  stmt->kind = RLX_STMT_EXPR;
  stmt->value = first.ast;
  return true;
}

// Other letters may be names that need a look, other control characters blanks of their own kind.
static bool is_plain(const Fast *f) {
  for (uint32_t i = 0; i < f->size; i++) {
    unsigned char c = (unsigned char)f->text[i];
    if (c >= 127 || c == '\\' || (c < 32 && c != '\n' && c != '\t')) return false;
  }
  return true;
}

/// Reads [from, to) of the plain text as one statement of the piece's unit; NULL: not known, nothing
/// was done.
static RlxStmt *read_text(Fast *all, const RlxPiece *piece, uint32_t from, uint32_t to) {
  RlxSyntax *s = all->s;
  uint32_t kids = s->kids.count;
  Fast f = *all;
  f.text += from;
  f.size = to - from;
  f.at = 0;
  RlxStmt *stmt =
      rlx_stmt_begin_text(s, piece, RLX_STMT_EXPR, f.text, piece->text + from, piece->text + to);
  bool fine = statement(&f, stmt) && !peek(&f) && f.at == f.size && !f.is_high;
  if (fine) rlx_check_stmt(s, stmt);
  if (fine && !s->problems.count) return stmt;
  s->kids.count = kids;
  rlx_syntax_free_stmt(s, stmt);
  return NULL;
}

/// Where the statement that begins at `at` ends: at a `;` outside of brackets and strings, or with
/// the text.
static uint32_t statement_end(const Fast *f, uint32_t at) {
  for (uint32_t depth = 0; at < f->size; at++) {
    const char c = f->text[at];
    if (c == ';' && !depth) break;
    if (c == '(' || c == '[' || c == '{') depth++;
    if ((c == ')' || c == ']' || c == '}') && depth) depth--;
    const char end = c == '#' ? '\n' : c == '"' || c == '\'' ? c : 0;
    const char *found = end ? memchr(f->text + at + 1, end, f->size - at - 1) : f->text + at;
    if (!found) return f->size;
    at = (uint32_t)(found - f->text);
  }
  return at;
}

/// Reads the statements from `f->at` on, with `;` between them, onto s->made. False: one is not
/// known, and there are none.
static bool statements(Fast *f, const RlxPiece *piece) {
  RlxSyntax *s = f->s;
  const uint32_t made = s->made.count;
  for (bool is_first = true;; is_first = false) {
    if (!peek(f) && !is_first) return true; // a `;` at the end
    const uint32_t to = statement_end(f, f->at);
    uint32_t end = to;
    while (end > f->at && (f->text[end - 1] == ' ' || f->text[end - 1] == '\t')) end--;
    RlxStmt *stmt = end > f->at ? read_text(f, piece, f->at, end) : NULL;
    if (!stmt) break;
    rlx_vec_push(&s->made, stmt);
    if (to == f->size) return true;
    f->at = to + 1;
  }
  while (s->made.count > made) rlx_syntax_free_stmt(s, rlx_vec_pop(&s->made));
  return false;
}

// ---- definitions

/// The name that comes next; RLX_NAME_NONE: none that is known here.
static RlxName new_name(Fast *f, RlxSpan *out_span) {
  peek(f);
  const uint32_t start = f->at, size = word_size(f);
  if (!size || is_digit(f->text[start]) || rlx_word_is_reserved(f->text + start, size))
    return RLX_NAME_NONE;
  f->at += size;
  *out_span = place(f, start, f->at);
  return rlx_intern(f->s->names, f->text + start, size);
}

/// `name`, `name: annotation`, `name = value`, `name: annotation = value`, onto the parameters.
static bool parameter(Fast *f) {
  RlxParam param = {0};
  param.name = new_name(f, &param.name_span);
  if (!param.name) return false;
  uint32_t end = f->at;
  if (accept(f, ':')) {
    const Part annotation = expression(f, 0);
    param.annotation = annotation.ast;
    if (!annotation.ast) return false;
    end = annotation.end;
  }
  if (accept(f, '=')) {
    const Part value = expression(f, 0);
    param.default_value = value.ast;
    if (!value.ast) return false;
    end = value.end;
  }
  param.span = rlx_span(param.name_span.start, end);
  rlx_vec_push(&f->s->params, param);
  return true;
}

/// `(…)` behind the name of a function.
static bool parameters(Fast *f, RlxStmt *stmt) {
  RlxSyntax *s = f->s;
  const uint32_t from = s->params.count;
  bool fine = accept(f, '(');
  f->brackets++;
  while (fine && peek(f) != ')') fine = parameter(f) && (accept(f, ',') || peek(f) == ')');
  f->brackets--;
  if (fine) {
    f->at++;
    stmt->param_count = s->params.count - from;
    stmt->params =
        rlx_arena_copy(s->arena, s->params.at + from, stmt->param_count, sizeof(RlxParam));
    rlx_check_params(s, stmt->params, stmt->param_count);
  }
  s->params.count = from;
  return fine;
}

/// Lines of decorators, as blanks and a line end are between them and what they stand above.
static bool decorators(Fast *f, RlxStmt *stmt) {
  RlxSyntax *s = f->s;
  const uint32_t from = s->kids.count;
  while (accept(f, '@')) {
    const Part one = expression(f, 0);
    if (!one.ast || !accept(f, '\n')) return false;
    push(f, one.ast);
  }
  stmt->decorator_count = s->kids.count - from;
  stmt->decorators =
      rlx_arena_copy(s->arena, s->kids.at + from, stmt->decorator_count, sizeof(RlxAst *));
  s->kids.count = from;
  return true;
}

/// `def`; below a decorator another word that stands in its place, or nothing.
static bool def_word(Fast *f, const RlxStmt *stmt) {
  peek(f);
  const uint32_t start = f->at, size = word_size(f);
  f->at += size;
  if (size == 3 && !memcmp(f->text + start, "def", 3)) return true;
  if (!f->is_slip || !stmt->decorator_count) return false;
  if (peek(f) == '(') f->at = start; // the word is the name
  return true;
}

/// From the first decorator to behind the colon.
static bool head(Fast *f, RlxStmt *stmt, uint32_t colon) {
  if (!decorators(f, stmt) || !def_word(f, stmt)) return false;
  stmt->name = new_name(f, &stmt->name_span);
  if ((!stmt->name && !f->is_slip) || !parameters(f, stmt)) return false;
  if (peek(f) == '-' && second(f) == '>') {
    f->at += 2;
    stmt->annotation = expression(f, 0).ast;
    if (!stmt->annotation) return false;
  }
  if (peek(f) != ':' || f->at != colon || f->is_high) return false;
  f->at++;
  stmt->head_size = f->at;
  return true;
}

bool rlx_syntax_fast_def(RlxSyntax *s, const RlxPiece *piece) {
  const RlxUnit *unit = piece->unit;
  const uint32_t made = s->made.count, kids = s->kids.count;
  Fast f = {.s = s,
            .text = rlx_syntax_at(s, piece->text),
            .size = unit->end - unit->start,
            .hole = UINT32_MAX};
  if (!unit->colon || !is_plain(&f)) return false;
  RlxStmt *stmt =
      rlx_stmt_begin_text(s, piece, RLX_STMT_DEF, f.text, piece->text, piece->text + f.size);
  bool fine = head(&f, stmt, unit->colon - unit->start) && !s->problems.count;
  if (fine) fine = unit->opens_suite ? !peek(&f) && f.at == f.size : statements(&f, piece);
  if (!fine) {
    s->kids.count = kids;
    rlx_syntax_free_stmt(s, stmt);
    return false;
  }
  if (!unit->opens_suite) rlx_close_inline(s, piece, stmt, made, 0);
  rlx_check_stmt(s, stmt);
  rlx_vec_push(&s->made, stmt);
  return true;
}

bool rlx_syntax_fast(RlxSyntax *s, const char *text, const RlxPiece *piece) {
  const RlxUnit *unit = piece->unit;
  Fast f = {
      .s = s, .text = text + unit->start, .size = unit->end - unit->start, .hole = UINT32_MAX};
  return is_plain(&f) && statements(&f, piece);
}

RlxStmt *rlx_syntax_fast_mended_def(RlxSyntax *s, const char *text, uint32_t size, uint32_t hole,
                                    int32_t hole_size, const RlxPiece *piece) {
  Fast f = {.s = s,
            .text = text,
            .size = size,
            .hole = hole,
            .hole_size = hole_size,
            .is_slip = hole_size == 0};
  if (!is_plain(&f)) return NULL;
  const uint32_t kids = s->kids.count;
  RlxStmt *stmt = rlx_stmt_begin_text(s, piece, RLX_STMT_DEF, text, 0, size);
  if (head(&f, stmt, size - 1) && !s->problems.count) {
    rlx_check_stmt(s, stmt);
    if (!s->problems.count) return stmt;
  }
  s->kids.count = kids;
  rlx_syntax_free_stmt(s, stmt);
  return NULL;
}

RlxStmt *rlx_syntax_fast_mended(RlxSyntax *s, const char *text, uint32_t size, uint32_t hole,
                                int32_t hole_size, const RlxPiece *piece) {
  Fast f = {.s = s, .text = text, .size = size, .hole = hole, .hole_size = hole_size};
  const bool is_one = is_plain(&f) && statement_end(&f, 0) == size;
  return is_one ? read_text(&f, piece, 0, size) : NULL;
}
