/// Units with errors: one problem each, and as much of the statement as can be recognised, so that
/// what follows knows the names that it defines.
#include <string.h>

#include "analyzer/syntax/syntax_impl.h"
#include "base/text.h"

/// Finds the first ERROR or MISSING node below the cursor's and stays there.
static bool goto_error(TSTreeCursor *cursor) {
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(cursor);
    if (ts_node_is_missing(node) || ts_node_symbol(node) == RLX_SYM_ERROR) return true;
    if (ts_node_has_error(node) && ts_tree_cursor_goto_first_child(cursor)) continue;
    while (!ts_tree_cursor_goto_next_sibling(cursor)) {
      if (!ts_tree_cursor_goto_parent(cursor)) return false;
    }
  }
}

/// What the grammar misses at `problem->span`.
static void say_missing(TSSymbol symbol, RlxSyntaxProblem *problem) {
  static const struct Missing {
    TSSymbol symbol;
    const char *mark, *text;
  } rows[] = {{RLX_SYM_ANON_RPAREN, ")", "a `)` is missing"},
              {RLX_SYM_ANON_RBRACK, "]", "a `]` is missing"},
              {RLX_SYM_ANON_RBRACE, "}", "a `}` is missing"},
              {RLX_SYM_ANON_COLON, ":", "a `:` is missing"},
              {RLX_SYM_ANON_EQ, "=", "a `=` is missing"},
              {RLX_SYM_ANON_IN, NULL, "`in` is missing"},
              {RLX_SYM_IDENTIFIER, NULL, "a name or value is missing"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].symbol != symbol) continue;
    problem->text = rows[i].text;
    problem->wanted = rows[i].mark;
    if (rows[i].mark) problem->kind = RLX_SYNTAX_WANTED;
  }
}

static bool is_word(const char *text, uint32_t start, uint32_t end, const char *word) {
  return strlen(word) == end - start && memcmp(text + start, word, end - start) == 0;
}

/// What people most often mean by an ERROR node, by the characters at and before it.
static void say_error(const char *text, const RlxUnit *unit, RlxSyntaxProblem *problem) {
  const char *unit_text = text + unit->start;
  RlxSpan *span = &problem->span;
  uint32_t at = span->start, size = unit->end - unit->start, before = at;
  char c = at < size ? unit_text[at] : 0, next = at + 1 < size ? unit_text[at + 1] : 0;
  while (before > 0 && (unit_text[before - 1] == ' ' || unit_text[before - 1] == '\t')) before--;
  char last = before > 0 ? unit_text[before - 1] : 0;
  bool is_operand = last && (rlx_text_in_name(last) || last == ')' || last == ']' || last == '}' ||
                             last == '"' || last == '\'');
  uint32_t tail = size;
  while (tail > 0 && (unit_text[tail - 1] == ' ' || unit_text[tail - 1] == '\t')) tail--;
  char end = tail > 0 ? unit_text[tail - 1] : 0;
  uint32_t behind = span->end;
  while (behind < size && (unit_text[behind] == ' ' || unit_text[behind] == '\t')) behind++;
  char follows = behind < size ? unit_text[behind] : 0,
       closing = span->end > at ? unit_text[span->end - 1] : 0;
  if (end && strchr("=+-*/%&|^~<>@", end) && span->end >= tail) {
    *span = rlx_span(tail - 1, tail);
    problem->text = "a value is missing behind this";
  } else if (end == '.' && span->end >= tail) {
    *span = rlx_span(tail - 1, tail);
    problem->text = "a name is missing behind the dot";
  } else if (c == '=' && next != '=' && unit->kind != RLX_LINE_SIMPLE) {
    problem->text = "`=` cannot stand here; a comparison is written `==`";
  } else if (c == ',' && (last == ',' || last == '(' || last == '[' || next == ',')) {
    problem->text = "a value is missing before this comma";
  } else if (is_operand && c && (rlx_text_in_name(c) || c == '"' || c == '\'')) {
    problem->text = "an operator, a comma or a bracket is missing before this";
    problem->kind = RLX_SYNTAX_SEPARATOR;
  } else if (is_word(unit_text, at, span->end, "print") && follows) {
    problem->text = "`print` is a function: its argument needs brackets";
  } else if (behind > span->end && rlx_text_in_name(closing) &&
             (rlx_text_in_name(follows) || follows == '"' || follows == '\'')) {
    problem->text = "an operator, a comma or a bracket is missing behind this";
  }
}

/// What the scanner found: the line is broken at its byte `c`.
static void say_broken(char c, RlxSyntaxProblem *problem) {
  static const struct Broken {
    char c;
    RlxSyntaxKind kind;
    const char *text;
  } rows[] = {{'(', RLX_SYNTAX_UNCLOSED, "this `(` is never closed"},
              {'[', RLX_SYNTAX_UNCLOSED, "this `[` is never closed"},
              {'{', RLX_SYNTAX_UNCLOSED, "this `{` is never closed"},
              {')', RLX_SYNTAX_UNOPENED, "this `)` closes nothing"},
              {']', RLX_SYNTAX_UNOPENED, "this `]` closes nothing"},
              {'}', RLX_SYNTAX_UNOPENED, "this `}` closes nothing"},
              {'\\', RLX_SYNTAX_OTHER, "this backslash continues nothing"},
              {'"', RLX_SYNTAX_STRING, "this string is never closed"},
              {'\'', RLX_SYNTAX_STRING, "this string is never closed"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].c != c) continue;
    problem->kind = (uint8_t)rows[i].kind;
    problem->text = rows[i].text;
    problem->span.end = problem->span.start + 1;
  }
}

static bool is_definition(const char *text, uint32_t start, uint32_t end) {
  return is_word(text, start, end, "def") || is_word(text, start, end, "class") ||
         is_word(text, start, end, "async");
}

/// Below a decorator stands something that reads like the head of a definition but for its first word.
static bool say_definition(const char *text, const RlxUnit *unit, RlxSyntaxProblem *problem) {
  if (!unit->is_decorated || (unit->kind != RLX_LINE_DEF && unit->kind != RLX_LINE_CLASS))
    return false;
  const uint32_t start = unit->head;
  uint32_t end = start;
  while (end < unit->end && rlx_text_in_name(text[end])) end++;
  if (is_definition(text, start, end)) return false;
  uint32_t behind = end;
  while (behind < unit->end && (text[behind] == ' ' || text[behind] == '\t')) behind++;
  const bool is_def = unit->kind == RLX_LINE_DEF, has_word = rlx_text_in_name(text[behind]);
  const uint32_t least = end > start ? end : start + 1;
  *problem = (RlxSyntaxProblem){.span = rlx_span(start - unit->start, least - unit->start),
                                .kind = RLX_SYNTAX_WANTED,
                                .place = has_word ? RLX_PLACE_INSTEAD : RLX_PLACE_BEFORE,
                                .text = has_word ? is_def ? "`def` is expected here"
                                                          : "`class` is expected here"
                                        : is_def ? "`def` is missing before this"
                                                 : "`class` is missing before this",
                                .wanted = has_word ? is_def ? "def" : "class"
                                          : is_def ? "def "
                                                   : "class "};
  return true;
}

/// Notes the unit's one problem: `slip`, if the statement reads without it.
static void note_problem(RlxSyntax *s, const char *text, TSNode root, const RlxPiece *piece,
                         const RlxSyntaxProblem *slip) {
  RlxUnit *unit = piece->unit;
  RlxSyntaxProblem problem = {.span = rlx_span(0, unit->end - unit->start),
                              .text = "invalid syntax"};
  if (unit->is_deep) {
    problem.span = rlx_span(unit->broken.start, unit->broken.start + 1);
    problem.text = "too many brackets are open here: 200 is the most";
  } else if (slip->text) {
    problem = *slip;
  } else if (unit->is_broken) {
    problem.span = unit->broken;
    say_broken(text[unit->start + unit->broken.start], &problem);
  } else if (!say_definition(text, unit, &problem)) {
    s->origin = piece->text - piece->skipped;
    s->limit = unit->end - unit->start;
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    if (goto_error(&cursor)) {
      TSNode node = ts_tree_cursor_current_node(&cursor);
      problem.span = rlx_syntax_node_span(s, node);
      if (ts_node_is_missing(node))
        say_missing(ts_node_symbol(node), &problem);
      else
        say_error(text, unit, &problem);
      if (problem.span.start == problem.span.end && problem.span.start > 0) problem.span.start--;
    }
    ts_tree_cursor_delete(&cursor);
  }
  rlx_vec_push(&s->problems, problem);
}

static uint32_t skip_blanks(const char *text, uint32_t at, uint32_t end) {
  while (at < end && (text[at] == ' ' || text[at] == '\t' || text[at] == '\f')) at++;
  return at;
}

static uint32_t skip_word(const char *text, uint32_t at, uint32_t end) {
  while (at < end && rlx_text_in_name(text[at])) at++;
  return at;
}

/// Name of a def or class, by hand.
static void recover_name(RlxSyntax *s, const char *text, const RlxUnit *unit, RlxStmt *stmt) {
  uint32_t at = unit->head, end = skip_word(text, at, unit->end);
  if (is_word(text, at, end, "async")) {
    stmt->is_async = true;
    at = skip_blanks(text, end, unit->end);
    end = skip_word(text, at, unit->end);
  }
  at = skip_blanks(text, end, unit->end);
  end = skip_word(text, at, unit->end);
  if (end == at || (text[at] >= '0' && text[at] <= '9')) return;
  stmt->name = rlx_intern(s->names, text + at, end - at);
  stmt->name_span = rlx_span(at - unit->start, end - unit->start);
}

/// `@a.b` and what follows: dotted names by hand, so that an island with a broken head stays one. One
/// with more dots than any has is left out, as each is a level of its tree.
static void recover_decorators(RlxSyntax *s, const char *text, const RlxUnit *unit, RlxStmt *stmt) {
  enum { DOTS_MOST = 100 };
  uint32_t from = s->kids.count, line_start = unit->line_start;
  RlxLogicalLine line;
  s->arena = stmt->arena;
  while (rlx_logical_line_next(text, unit->end, line_start, &line) && line.start < unit->head) {
    RlxAst *node = NULL;
    uint32_t at = line.start, dots = 0; // at the `@`, then at dots
    while (at < line.end && (text[at] == '@' || text[at] == '.')) {
      if (dots++ > DOTS_MOST) {
        node = NULL;
        break;
      }
      uint32_t start = skip_blanks(text, at + 1, line.end), end = skip_word(text, start, line.end);
      if (start == end) break;
      RlxSpan span = rlx_span(start - unit->start, end - unit->start);
      uint32_t kids = s->kids.count;
      if (node) rlx_vec_push(&s->kids, node);
      RlxAst *next = rlx_ast_make(s, node ? RLX_AST_ATTRIBUTE : RLX_AST_NAME,
                                  rlx_span(node ? node->span.start : span.start, span.end), kids);
      next->name = rlx_intern(s->names, text + start, end - start);
      next->name_span = span;
      node = next;
      at = end;
    }
    if (node) rlx_vec_push(&s->kids, node);
    line_start = line.next;
  }
  stmt->decorator_count = s->kids.count - from;
  stmt->decorators =
      rlx_arena_copy(stmt->arena, s->kids.at + from, stmt->decorator_count, sizeof(RlxAst *));
  s->kids.count = from;
}

static const RlxParam *find_param(const RlxStmt *stmt, RlxName name) {
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    if (stmt->params[i].name == name) return &stmt->params[i];
  }
  return NULL;
}

/// Parameters of a broken head: names behind the opening bracket and behind commas, so that the
/// body finds them. What the parser did read is kept.
static void recover_params(RlxSyntax *s, const char *text, const RlxUnit *unit, RlxStmt *stmt) {
  uint32_t at = unit->head, end = unit->end, depth = 0, from = s->params.count;
  bool is_start = false, has_unknown = false;
  for (; at < end && !(depth == 0 && text[at] == ':'); at++) {
    char c = text[at];
    if (c == '(' || c == '[' || c == '{')
      is_start = ++depth == 1 && c == '(';
    else if (c == ')' || c == ']' || c == '}')
      depth -= depth > 0 ? 1 : 0;
    else if (c == ',')
      is_start = depth == 1;
    else if (c == '"' || c == '\'')
      while (at + 1 < end && text[at + 1] != c && text[at + 1] != '\n') at++;
    else if (rlx_text_in_name(c)) {
      uint32_t word_end = skip_word(text, at, end);
      if (is_start && !(c >= '0' && c <= '9')) {
        RlxSpan span = rlx_span(at - unit->start, word_end - unit->start);
        RlxParam param = {.name = rlx_intern(s->names, text + at, word_end - at),
                          .span = span,
                          .name_span = span};
        const RlxParam *known = find_param(stmt, param.name);
        if (known)
          param = *known;
        else
          has_unknown = true,
          param.annotation =
              rlx_ast_make(s, RLX_AST_HOLE, rlx_span(span.end, span.end), s->kids.count);
        rlx_vec_push(&s->params, param);
      }
      at = word_end - 1;
      is_start = false;
    } else if (c != ' ' && c != '\n' && c != '\t' && c != '\r' && c != '*') {
      is_start = false;
    }
  }
  if (has_unknown) {
    stmt->param_count = s->params.count - from;
    stmt->params =
        rlx_arena_copy(stmt->arena, s->params.at + from, stmt->param_count, sizeof(RlxParam));
  }
  s->params.count = from;
}

static RlxStmtKind stmt_kind(const RlxUnit *unit) {
  switch ((RlxLineKind)unit->kind) {
  case RLX_LINE_DEF: return RLX_STMT_DEF;
  case RLX_LINE_CLASS: return RLX_STMT_CLASS;
  case RLX_LINE_ELIF:
  case RLX_LINE_IF: return RLX_STMT_IF;
  case RLX_LINE_WHILE: return RLX_STMT_WHILE;
  case RLX_LINE_FOR: return RLX_STMT_FOR;
  case RLX_LINE_WITH: return RLX_STMT_WITH;
  case RLX_LINE_TRY: return RLX_STMT_TRY;
  case RLX_LINE_MATCH: return RLX_STMT_MATCH;
  case RLX_LINE_SIMPLE:
  case RLX_LINE_DECORATOR:
  case RLX_LINE_ELSE:
  case RLX_LINE_EXCEPT:
  case RLX_LINE_FINALLY:
  case RLX_LINE_CASE: return RLX_STMT_HOLE;
  }
  return RLX_STMT_HOLE;
}

/// `name = …`, `name: …` and `return …` of which nothing else could be read.
static RlxStmt *recover_simple(RlxSyntax *s, const char *text, const RlxPiece *piece) {
  const RlxUnit *unit = piece->unit;
  uint32_t word_end = skip_word(text, unit->start, unit->end),
           at = skip_blanks(text, word_end, unit->end);
  bool is_name = word_end > unit->start && !(text[unit->start] >= '0' && text[unit->start] <= '9');
  char c = at < unit->end ? text[at] : 0, next = at + 1 < unit->end ? text[at + 1] : 0;
  RlxStmt *stmt = rlx_stmt_by_hand(s, piece, RLX_STMT_HOLE);
  if (is_word(text, unit->start, word_end, "return")) {
    stmt->kind = RLX_STMT_RETURN;
    stmt->value = rlx_ast_make(
        s, RLX_AST_HOLE, rlx_span(word_end - unit->start, unit->end - unit->start), s->kids.count);
  } else if (is_name && ((c == '=' && next != '=') || (c == ':' && next != '='))) {
    stmt->kind = c == '=' ? RLX_STMT_ASSIGN : RLX_STMT_ANNOTATED;
    RlxAst *name =
        rlx_ast_make(s, RLX_AST_NAME, rlx_span(0, word_end - unit->start), s->kids.count);
    name->name = rlx_intern(s->names, text + unit->start, word_end - unit->start);
    name->name_span = name->span;
    stmt->targets = rlx_arena_array(stmt->arena, RlxAst *, 1);
    stmt->targets[0] = name;
    stmt->target_count = 1;
    if (c == ':')
      stmt->value = rlx_ast_make(
          s, RLX_AST_HOLE, rlx_span(at + 1 - unit->start, unit->end - unit->start), s->kids.count);
    rlx_check_bound(s, stmt);
  }
  return stmt;
}

/// A HOLE keeps the expressions that were recognised at the top of the errors.
static void keep_expressions(RlxSyntax *s, TSNode root, RlxStmt *hole) {
  uint32_t from = s->kids.count;
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool more = ts_tree_cursor_goto_first_child(&cursor);
  for (; more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    if (ts_node_symbol(ts_tree_cursor_current_node(&cursor)) != RLX_SYM_ERROR ||
        !ts_tree_cursor_goto_first_child(&cursor))
      continue;
    do {
      if (!rlx_symbol_is_expr(ts_node_symbol(ts_tree_cursor_current_node(&cursor)))) continue;
      RlxAst *expr = rlx_lower_expr(s, &cursor);
      rlx_vec_push(&s->kids, expr);
    } while (ts_tree_cursor_goto_next_sibling(&cursor));
    ts_tree_cursor_goto_parent(&cursor);
  }
  ts_tree_cursor_delete(&cursor);
  hole->target_count = s->kids.count - from;
  hole->targets =
      rlx_arena_copy(hole->arena, s->kids.at + from, hole->target_count, sizeof(RlxAst *));
  s->kids.count = from;
}

/// Lowers the first compound statement of the wanted kind at the root; NULL without one.
static RlxStmt *recover_compound(RlxSyntax *s, TSNode root, const RlxPiece *piece) {
  RlxStmtKind wanted = stmt_kind(piece->unit);
  RlxStmt *result = NULL;
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool more = ts_tree_cursor_goto_first_child(&cursor);
  for (; more && !result; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    if (!rlx_symbol_is_compound(ts_node_symbol(node))) continue;
    result = rlx_lower_compound(s, &cursor, piece);
    bool has_name = result->name != 0 || (wanted != RLX_STMT_DEF && wanted != RLX_STMT_CLASS);
    if (result->kind == wanted && has_name) break;
    if (piece->unit->suite && !piece->unit->opens_suite) {
      for (uint32_t i = 0; i < piece->unit->suite->count; i++)
        rlx_syntax_free_stmt(s, piece->unit->suite->stmts[i]);
      free(piece->unit->suite->stmts);
      free(piece->unit->suite);
      piece->unit->suite = NULL;
    }
    rlx_syntax_free_stmt(s, result);
    result = NULL;
  }
  ts_tree_cursor_delete(&cursor);
  return result;
}

static void lower_simple_ones(RlxSyntax *s, TSNode root, const RlxPiece *piece) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool more = ts_tree_cursor_goto_first_child(&cursor);
  for (; more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    bool is_ours =
        ts_node_start_byte(node) < piece->text || ts_node_end_byte(node) > piece->end - 1;
    if (is_ours) continue; // in a prefix or suffix of ours, or damage that begins there
    if (rlx_symbol_is_simple(ts_node_symbol(node))) rlx_lower_simple(s, &cursor, piece);
  }
  ts_tree_cursor_delete(&cursor);
}

/// Links what a broken simple unit can mean to its statement, the first in s->made from `from` on, and
/// behind that the statement as it was recognised. What was recognised behind the damage goes. Where
/// nothing can be left out, all stays as it was recognised.
static void link_readings(RlxSyntax *s, uint32_t from, RlxStmt *readings) {
  RlxStmt *stmt = s->made.count > from ? s->made.at[from] : NULL;
  bool is_left_out = false, fits = stmt != NULL;
  RlxStmt **end = &readings;
  for (; *end; end = &(*end)->reading) {
    is_left_out |= (*end)->is_mended;
    fits &= stmt && ((*end)->kind == RLX_STMT_RETURN) == (stmt->kind == RLX_STMT_RETURN);
  }
  if (is_left_out && fits) {
    RlxStmt *own = *end = rlx_stmt_alloc(s);
    *own = *stmt;
    own->arena = NULL;
    own->blocks = NULL;
    own->has_error = true;
    own->reading = NULL;
    stmt->reading = readings;
    while (s->made.count > from + 1) rlx_syntax_free_stmt(s, rlx_vec_pop(&s->made));
    return;
  }
  rlx_syntax_free_readings(s, readings);
}

void rlx_lower_broken(RlxSyntax *s, const char *text, TSNode root, const RlxPiece *piece) {
  RlxUnit *unit = piece->unit;
  uint32_t from = s->made.count;
  RlxSyntaxProblem slip = {0};
  RlxStmt *readings =
              unit->kind == RLX_LINE_SIMPLE ? rlx_syntax_readings(s, text, piece, &slip) : NULL,
          *whole =
              unit->kind == RLX_LINE_DEF ? rlx_syntax_head_reading(s, text, piece, &slip) : NULL;
  note_problem(s, text, root, piece, &slip);
  switch ((RlxLineKind)unit->kind) {
  case RLX_LINE_SIMPLE: {
    lower_simple_ones(s, root, piece);
    // A statement that is recognised behind the damage does not stand for the unit.
    bool covers = s->made.count > from && s->made.at[from]->start == unit->start;
    if (covers && s->made.at[from]->kind != RLX_STMT_EXPR) break;
    RlxStmt *stmt = recover_simple(s, text, piece);
    if (covers && stmt->kind == RLX_STMT_HOLE) {
      rlx_syntax_free_stmt(s, stmt);
      break;
    }
    while (s->made.count > from) rlx_syntax_free_stmt(s, rlx_vec_pop(&s->made));
    if (stmt->kind == RLX_STMT_HOLE) keep_expressions(s, root, stmt);
    rlx_vec_push(&s->made, stmt);
    break;
  }
  case RLX_LINE_TRY:
  case RLX_LINE_ELSE:
  case RLX_LINE_FINALLY: lower_simple_ones(s, root, piece); return;
  case RLX_LINE_EXCEPT:
  case RLX_LINE_CASE: return;
  case RLX_LINE_DECORATOR:
  case RLX_LINE_DEF:
  case RLX_LINE_CLASS:
  case RLX_LINE_IF:
  case RLX_LINE_WHILE:
  case RLX_LINE_FOR:
  case RLX_LINE_WITH:
  case RLX_LINE_MATCH:
  case RLX_LINE_ELIF: {
    if (whole) {
      rlx_vec_push(&s->made, whole);
      break;
    }
    RlxStmt *stmt = unit->kind == RLX_LINE_DECORATOR ? NULL : recover_compound(s, root, piece);
    if (!stmt) {
      stmt = rlx_stmt_by_hand(s, piece, stmt_kind(unit));
      if (unit->is_decorated) recover_decorators(s, text, unit, stmt);
      stmt->is_elif = unit->kind == RLX_LINE_ELIF;
      if (unit->kind == RLX_LINE_DEF || unit->kind == RLX_LINE_CLASS)
        recover_name(s, text, unit, stmt);
    }
    s->arena = stmt->arena;
    if (unit->kind == RLX_LINE_DEF) recover_params(s, text, unit, stmt);
    rlx_vec_push(&s->made, stmt);
    break;
  }
  }
  if (s->made.count > from) s->made.at[from]->has_error = true;
  link_readings(s, from, readings);
}
