/// Fixes that follow from the words at a mistake: what is missing of its line's punctuation, the operator that a tensor's
/// method was taken for, the decorator that was forgotten.
#include <string.h>

#include "analyzer/diag/diag.h"
#include "analyzer/eval/outer.h"
#include "analyzer/function/recognize.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/report/fix_guess_impl.h"
#include "analyzer/syntax/logical_lines.h"
#include "analyzer/syntax/stmt_text.h"
#include "base/text.h"

RlxDiag *rlx_guess_own(RlxGuess *g) {
  if (!g->diag)
    g->at->diag = g->diag = rlx_arena_copy(g->sink->arena, g->at->diag, 1, sizeof *g->diag);
  return g->diag;
}

// ---- punctuation

enum { LINE_OPEN_MAX = 64, PLACES_MAX = 8 };

/// A line of code from an open bracket on.
typedef struct OpenLine {
  char closers[LINE_OPEN_MAX];
  int open; ///< brackets that are open at the end
  uint32_t places
      [PLACES_MAX]; ///< where the bracket may end: before `->`, before `=`, behind the last word
  int place_count;
} OpenLine;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// The bracket may end in front of the blanks before `at`.
static void may_end(const RlxGuess *g, OpenLine *line, uint32_t from, uint32_t at) {
  while (at > from && is_blank(g->text[at - 1])) at--;
  if (at > from && line->place_count < PLACES_MAX && g->text[at - 1] != ',') // goes on below
    line->places[line->place_count++] = at;
}

/// False: the line has strings that do not end, brackets that do not match, or more than fits.
static bool read_line(const RlxGuess *g, uint32_t from, OpenLine *line) {
  uint32_t at = from;
  *line = (OpenLine){0};
  for (; at < g->size && !strchr("\r\n#\\", g->text[at]); at++) {
    const char c = g->text[at];
    if (c == '"' || c == '\'') {
      const uint32_t end = (uint32_t)rlx_string_end(g->text, g->size, at);
      if (g->text[end - 1] != c || end == at + 1 || memchr(g->text + at, '\n', end - at))
        return false;
      at = end - 1;
    } else if (strchr("([{", c)) {
      if (line->open == LINE_OPEN_MAX) return false;
      line->closers[line->open++] = c == '(' ? ')' : c == '[' ? ']' : '}';
    } else if (strchr(")]}", c)) {
      if (!line->open || line->closers[--line->open] != c) return false;
    } else if (line->open && (c == '=' || (c == '-' && g->text[at + 1] == '>'))) {
      may_end(g, line, from, at);
    }
  }
  may_end(g, line, from, at);
  return line->open > 0;
}

/// Whether the text reads as Python, all of it.
static bool reads(const RlxGuess *g, const RlxBuf *text) {
  RlxDocument *doc = rlx_document_new(g->file->store, NULL, NULL);
  RlxSyntaxProblems problems = {0};
  bool reads = true;
  rlx_document_set_text(doc, rlx_buf_text(text), (uint32_t)text->size);
  rlx_document_problems(doc, &problems);
  for (uint32_t i = 0; i < problems.count; i++) reads &= problems.at[i].is_late;
  rlx_vec_free(&problems);
  rlx_document_free(doc);
  return reads;
}

/// Whether the line around `span` reads as Python with `text` in its place, by itself or as the head of a suite. What its
/// quotes and brackets speak against is not parsed: recovering from that is what takes a parser long.
static bool reads_with(const RlxGuess *g, RlxSpan span, const char *text) {
  enum { LONG = 1000 };
  uint32_t start = rlx_line_start(g->text, span.start),
           end = rlx_next_line(g->text, g->size, span.start);
  while (is_blank(g->text[start])) start++;
  while (end > start && strchr("\r\n", g->text[end - 1])) end--;
  if (end - start > LONG || span.end > end) return false;
  RlxBuf line = {0};
  RlxLogicalLine first;
  rlx_buf_printf(&line, "%.*s%s%.*s", (int)(span.start - start), g->text + start, text,
                 (int)(end - span.end), g->text + span.end);
  const bool has_line = rlx_logical_line_next(rlx_buf_text(&line), (uint32_t)line.size, 0, &first);
  bool is_right = (!has_line || !first.is_broken) && reads(g, &line);
  if (!is_right && has_line && !first.is_broken && first.ends_with_colon) {
    rlx_buf_puts(&line, "\n pass");
    is_right = reads(g, &line);
  }
  rlx_buf_free(&line);
  return is_right;
}

/// Closes what the line leaves open, where it reads as Python then.
static void close_it(RlxGuess *g) {
  OpenLine line;
  const uint32_t at = g->at->span.start;
  if (!read_line(g, at, &line)) return;
  const uint32_t last = line.place_count ? line.places[line.place_count - 1] : at;
  if (line.place_count && g->text[last - 1] == ':') { // the head of a suite
    line.place_count--;
    may_end(g, &line, at, last - 1);
  }
  char closers[LINE_OPEN_MAX + 1] = "";
  for (int i = 0; i < line.open; i++) closers[i] = line.closers[line.open - 1 - i];
  closers[line.open] = '\0';
  int i = 0;
  while (i < line.place_count && !reads_with(g, rlx_span(line.places[i], line.places[i]), closers))
    i++;
  if (i < line.place_count)
    rlx_diag_fix(g->sink, rlx_guess_own(g), "close it", rlx_span(line.places[i], line.places[i]),
                 rlx_arena_strdup(g->sink->arena, closers));
}

/// A bracket that closes nothing: without it, or behind the one that closes another, the line is right.
static void close_other(RlxGuess *g) {
  static const char closers[][2] = {")", "]", "}"};
  const RlxSpan span = g->at->span, before = rlx_span(span.start, span.start);
  if (reads_with(g, span, "")) rlx_diag_fix(g->sink, rlx_guess_own(g), "remove it", span, "");
  for (int i = 0; i < 3; i++)
    if (closers[i][0] != g->text[span.start] && reads_with(g, before, closers[i]))
      rlx_diag_fix(g->sink, rlx_guess_own(g),
                   rlx_arena_printf(g->sink->arena, "write the `%s`", closers[i]), before,
                   closers[i]);
}

/// Offers `text` in place of `span` where the line reads as Python then. False: it does not.
static bool offer_mark(RlxGuess *g, const char *title, RlxSpan span, const char *text) {
  if (!reads_with(g, span, text)) return false;
  rlx_diag_fix(g->sink, rlx_guess_own(g), title, span, rlx_arena_strdup(g->sink->arena, text));
  return true;
}

/// A string that the other kind of quote ends, or nothing before the next bracket or comma.
static void close_string(RlxGuess *g) {
  const uint32_t start = g->at->span.start;
  const char quote[] = {g->text[start], '\0'}, other = *quote == '"' ? '\'' : '"';
  uint32_t at = start + 1;
  while (at < g->size && !strchr("\r\n", g->text[at]) && g->text[at] != other) at++;
  if (at < g->size && g->text[at] == other &&
      offer_mark(g, "close it", rlx_span(at, at + 1), quote))
    return;
  int places = 0;
  for (at = start + 1; at < g->size && !strchr("\r\n", g->text[at]); at++)
    if (strchr(",)]}", g->text[at]) && places++ < PLACES_MAX &&
        offer_mark(g, "close it", rlx_span(at, at), quote))
      return;
  offer_mark(g, "close it", rlx_span(at, at), quote);
}

/// Two arguments without a comma between them.
static void separate(RlxGuess *g) {
  uint32_t at = g->at->span.start;
  while (at > 0 && is_blank(g->text[at - 1])) at--;
  offer_mark(g, "write the `,`", rlx_span(at, at), ",");
}

/// Writes what the problem says is missing.
static void write_wanted(RlxGuess *g, const RlxSyntaxProblem *problem) {
  const uint32_t start = problem->span.start, end = problem->span.end;
  const RlxSpan at = problem->place == RLX_PLACE_BEFORE   ? rlx_span(start, start)
                     : problem->place == RLX_PLACE_BEHIND ? rlx_span(end, end)
                                                          : problem->span;
  const int size = (int)strcspn(problem->wanted, " ");
  rlx_diag_fix(g->sink, rlx_guess_own(g),
               rlx_arena_printf(g->sink->arena, "write the `%.*s`", size, problem->wanted), at,
               problem->wanted);
}

static void punctuate(RlxGuess *g) {
  const RlxSyntaxProblem *problem = g->at->diag->problem;
  if (!problem) return;
  switch ((RlxSyntaxKind)problem->kind) {
  case RLX_SYNTAX_UNCLOSED: close_it(g); break;
  case RLX_SYNTAX_UNOPENED: close_other(g); break;
  case RLX_SYNTAX_STRING: close_string(g); break;
  case RLX_SYNTAX_WANTED: write_wanted(g, problem); break;
  case RLX_SYNTAX_SEPARATOR: separate(g); break;
  case RLX_SYNTAX_OTHER:
  case RLX_SYNTAX_INDENTATION:
  case RLX_SYNTAX_NO_BLOCK:
  case RLX_SYNTAX_CLAUSE:
  case RLX_SYNTAX_MISPLACED:
  case RLX_SYNTAX_RETURN:
  case RLX_SYNTAX_DECORATOR: break;
  }
}

// ---- calls

const RlxAst *rlx_guess_call(const RlxGuess *g, const RlxAst **inner) {
  enum { DEPTH = 64 };
  const RlxAst *path[DEPTH];
  uint32_t count = 0;
  *inner = NULL;
  if (!rlx_document_ast_at(g->at->stmt, g->at->span.start, path, &count, DEPTH) || count >= DEPTH)
    return NULL;
  while (count > 0 && path[count - 1]->kind != RLX_AST_CALL) *inner = path[--count];
  return count ? path[count - 1] : NULL;
}

const RlxOpRow *rlx_guess_row(const RlxGuess *g, const RlxStmt *stmt, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  const char *text = g->text + stmt->start + callee->span.start;
  const uint32_t size = callee->span.end - callee->span.start;
  if (!stmt->analysis) return NULL; // of a PrimFunc: T.atan2 is another one
  return size > 2 && text[1] == '.' ? rlx_op_find(text + 2, size - 2) : NULL;
}

/// What the statement read under a name; NULL: it did not read it.
static const RlxRead *read_of(const RlxAnalysis *unit, RlxName name) {
  for (uint32_t i = 0; unit && i < unit->read_count; i++)
    if (unit->reads[i].name == name) return &unit->reads[i];
  return NULL;
}

const RlxSInfo *rlx_guess_sinfo(const RlxAnalysis *unit, const RlxAst *ast) {
  const RlxRead *read = ast->kind == RLX_AST_NAME ? read_of(unit, ast->name) : NULL;
  return read ? read->sinfo : NULL;
}

bool rlx_guess_is_value(const RlxGuess *g, const RlxAst *ast) {
  const RlxAst *root = ast;
  RlxValue outer;
  while (root->kind == RLX_AST_CALL || (root != ast && root->kind == RLX_AST_ATTRIBUTE))
    root = root->children[0];
  if (root->kind != RLX_AST_NAME) return false;
  if (!rlx_outer_lookup(g->file, g->at->stmt, root->name, &outer)) {
    const RlxRead *read = read_of(g->at->stmt->analysis, root->name);
    return read && (read->sinfo || (root != ast && (uint8_t)read->flags == RLX_VALUE_CLASS));
  }
  if (root == ast) return false;
  return outer.kind == RLX_VALUE_CLASS || outer.kind == RLX_VALUE_FUNCTION ||
         (outer.kind == RLX_VALUE_NAMESPACE &&
          !strcmp(rlx_store_text(g->file->store, outer.string), "R"));
}

/// `x.exp()`: the operator of that name, or of what another library calls so.
static void call_operator(RlxGuess *g) {
  const RlxAst *head, *call = rlx_guess_call(g, &head);
  if (!call || !head || call->children[0] != head || head->kind != RLX_AST_ATTRIBUTE) return;
  const RlxAst *base = head->children[0];
  const char *name = rlx_store_text(g->file->store, head->name), *found = name;
  const uint32_t start = g->at->stmt->start;
  bool is_tied;
  if (!rlx_guess_is_value(g, base)) return;
  if (g->text[start + base->span.end] != '.') return;
  if (!rlx_op_find(name, strlen(name))) found = rlx_op_nearest(name, strlen(name), &is_tied);
  if (!found) return;
  uint32_t open = start + head->span.end;
  while (open < g->size && is_blank(g->text[open])) open++;
  if (open >= g->size || g->text[open] != '(') return;
  const RlxOpRow *row = rlx_op_find(found, strlen(found));
  // Dimensions one by one, which the operator takes as a list.
  const bool is_spread =
      row && call->child_count > 2 && row->param_count > 1 &&
      (row->params[1].kind == RLX_PARAM_SHAPE || row->params[1].kind == RLX_PARAM_INTS) &&
      call->children[1]->kind == RLX_AST_INT;
  const RlxAst *last = call->children[call->child_count - 1];
  RlxDiag *diag = rlx_guess_own(g);
  RlxArena *arena = g->sink->arena;
  rlx_diag_fix_at(g->sink, diag, rlx_arena_printf(arena, "call the operator `R.%s`", found),
                  g->at->stmt, rlx_span(head->span.start, head->span.start),
                  rlx_arena_printf(arena, "R.%s(", found));
  rlx_diag_fix_edit(g->sink, diag, rlx_span(base->span.end, open + 1 - start),
                    is_spread               ? ", ("
                    : call->child_count > 1 ? ", "
                                            : "");
  if (is_spread) rlx_diag_fix_edit(g->sink, diag, rlx_span(last->span.end, last->span.end), ")");
}

// ---- values

/// A number or a truth value that is written as something else: "True", 1.0.
static void write_plainly(RlxGuess *g) {
  enum { DEPTH = 64 };
  const RlxAst *path[DEPTH], *ast;
  uint32_t count = 0;
  const RlxStmt *stmt = g->at->stmt;
  if (!rlx_document_ast_at(stmt, g->at->span.start, path, &count, DEPTH) || !count ||
      count >= DEPTH)
    return;
  ast = path[count - 1];
  const char *message = g->at->diag->message, *text = g->text + stmt->start + ast->span.start;
  size_t size = ast->span.end - ast->span.start;
  const bool wants_bool = strstr(message, " expects True or False ") != NULL,
             wants_int = strstr(message, " expects an int ") != NULL;
  if (ast->kind == RLX_AST_STRING && ast->text && size == strlen(ast->text) + 2) {
    text = ast->text;
    size = strlen(text);
  } else if (ast->kind == RLX_AST_FLOAT && size > 2 && !memcmp(text + size - 2, ".0", 2)) {
    size -= 2;
  } else {
    return;
  }
  const bool is_bool =
                 rlx_text_is_among(rlx_arena_strndup(g->sink->arena, text, size), " True False "),
             is_int = size && size < 6 && strspn(text, "0123456789") >= size;
  if (!(wants_bool && is_bool) && !(wants_int && is_int)) return;
  rlx_diag_fix_at(g->sink, rlx_guess_own(g),
                  rlx_arena_printf(g->sink->arena, "write `%.*s`", (int)size, text), stmt,
                  ast->span, rlx_arena_printf(g->sink->arena, "%.*s", (int)size, text));
}

/// `z == R.exp(x)` as a statement: an assignment was meant.
static void assign_it(RlxGuess *g) {
  const RlxStmt *stmt = g->at->stmt;
  const RlxAst *x = stmt->kind == RLX_STMT_EXPR ? stmt->value : NULL;
  if (!x || x->kind != RLX_AST_COMPARE || x->child_count != 2 ||
      x->children[0]->kind != RLX_AST_NAME ||
      g->at->span.start != stmt->start + x->children[0]->span.start)
    return;
  const char *text = g->text + stmt->start;
  uint32_t at = x->children[0]->span.end;
  while (is_blank(text[at])) at++;
  if (text[at] == '=' && text[at + 1] == '=')
    rlx_diag_fix_at(g->sink, rlx_guess_own(g), "write `=`", stmt, rlx_span(at, at + 2), "=");
}

// ---- decorators

/// Of a def in a module that has none: the decorator that the annotations of its parameters speak for.
static void decorate(RlxGuess *g) {
  const RlxStmt *stmt = g->at->stmt;
  RlxInterner *names = rlx_store_names(g->file->store);
  const RlxName relax = rlx_intern_text(names, "R"), tir = rlx_intern_text(names, "T");
  bool has_relax = false, has_tir = false;
  RlxValue space;
  if (stmt->kind != RLX_STMT_DEF || stmt->decorator_count || stmt->is_async) return;
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    has_relax |= rlx_ast_names(stmt->params[i].annotation, relax);
    has_tir |= rlx_ast_names(stmt->params[i].annotation, tir);
  }
  if ((!has_relax && !has_tir) ||
      !rlx_outer_lookup(g->file, stmt, has_relax ? relax : tir, &space) ||
      space.kind != RLX_VALUE_NAMESPACE)
    return;
  const RlxDialect dialect = rlx_file_outer_dialect(g->file);
  const bool is_new = dialect == RLX_DIALECT_025 || dialect == RLX_DIALECT_027;
  const char *decorator = has_relax ? "R.function"
                          : is_new  ? "T.prim_func(s_tir=True)"
                                    : "T.prim_func";
  RlxBuf text = {0};
  rlx_buf_printf(&text, "@%s", decorator);
  rlx_put_break(&text, g->text, stmt);
  rlx_diag_fix_at(g->sink, rlx_guess_own(g),
                  rlx_arena_printf(g->sink->arena, "decorate it with `@%s`", decorator), stmt,
                  rlx_span(0, 0), rlx_buf_text(&text));
  rlx_buf_free(&text);
}

void rlx_guess_words(RlxGuess *g) {
  const RlxDiagId id = g->at->diag->id;
  const RlxAnalysis *unit = g->at->stmt ? g->at->stmt->analysis : NULL;
  if (id == RLX_DIAG_ID(SYNTAX)) punctuate(g);
  if (id == RLX_DIAG_ID(DECORATOR) && g->at->stmt) decorate(g);
  if (!unit || !unit->owner || unit->owner->kind != RLX_ISLAND_RELAX) return;
  if (id == RLX_DIAG_ID(ATTRIBUTE_UNKNOWN)) call_operator(g);
  if (id == RLX_DIAG_ID(ARGUMENT_KIND)) write_plainly(g);
  if (id == RLX_DIAG_ID(NAME_UNDEFINED)) assign_it(g);
}
