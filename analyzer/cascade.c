/// See the header. Rows of cascades.def say what follows from what; a report that follows from one
/// that is itself taken back goes, too, since both have one cause.
#include "analyzer/cascade.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/cascade_lines.h"
#include "analyzer/normalize_impl.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

// ---- syntax

static uint32_t line_of(const RlxFile *file, uint32_t offset) {
  return rlx_lines_locate(rlx_document_lines(file->document), offset).line;
}

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static const char indentation_text[] = "this line's indentation";

static bool is_about_indentation(const RlxSyntaxProblem *problem) {
  return begins_with(problem->text, indentation_text);
}
static bool is_about_decorator(const RlxSyntaxProblem *problem) {
  return begins_with(problem->text, "a decorator stands");
}

/// The place itself or, in a decorator, where the decorators end.
static uint32_t behind_decorators(const char *text, uint32_t size, uint32_t at) {
  uint32_t line = rlx_line_start(text, at);
  while (line + rlx_line_indentation(text, size, line) < size &&
         text[line + rlx_line_indentation(text, size, line)] == '@') {
    const char *next = memchr(text + line, '\n', size - line);
    if (!next) break;
    line = (uint32_t)(next + 1 - text);
  }
  return line > at ? line + rlx_line_indentation(text, size, line) : at;
}

/// Whether a problem may come from how lines before it are put together.
static bool is_structural(const RlxSyntaxProblem *problem) {
  static const char *const starts[] = {
      indentation_text,      "an indented block", "`return` belongs", "a decorator stands",
      "this clause belongs", "this `)` closes",   "this `]` closes",  "this `}` closes"};
  for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
    if (begins_with(problem->text, starts[i])) return true;
  return false;
}

/// The problem that was reported last, and searches from it on.
typedef struct First {
  uint32_t key;                 ///< 1 + where it begins
  uint32_t next, behind, depth; ///< the next line, the end of decorators, the indentation there
  bool is_header;
  RlxLineSearch fresh, outermost, behind_fresh, inside;
} First;

static void look_at(First *first, const char *text, uint32_t size, uint32_t start) {
  if (first->key == start + 1) return;
  const char *line = text + rlx_line_start(text, start);
  const char *next = memchr(text + start, '\n', size - start);
  line += strspn(line, " \t");
  *first = (First){.key = start + 1,
                   .next = next ? (uint32_t)(next + 1 - text) : UINT32_MAX,
                   .behind = behind_decorators(text, size, start)};
  first->is_header = begins_with(line, "def ") || begins_with(line, "class ") || *line == '@';
  first->depth = rlx_line_indentation(text, size, first->behind);
}

/// Whether a syntax problem comes from the one that was reported last (`first`) or seen last
/// (`previous`): a bracket that is lost makes the lines behind it wrong, a broken header leaves its
/// body without a block.
static bool is_consequence(const RlxFile *file, First *known, const RlxSyntaxProblem *first,
                           const RlxSyntaxProblem *previous, const RlxSyntaxProblem *problem) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  if (problem->span.start < first->span.start || problem->span.start > size) return false;
  const uint32_t at = problem->span.start, start = first->span.start;
  look_at(known, text, size, start);
  if (is_structural(problem)) {
    // A header that is lost takes the members of its class along.
    if ((is_structural(first) || known->is_header) && known->next <= at)
      return !rlx_has_fresh_start(&known->outermost, text, known->next, at, true);
    return !rlx_has_fresh_start(&known->fresh, text, start, at, false);
  }
  if (known->behind >= at) return true;
  if (rlx_has_fresh_start(&known->behind_fresh, text, known->behind, at, false)) return false;
  return line_of(file, at) <= line_of(file, previous->span.end) + 1 ||
         rlx_stays_inside(&known->inside, text, size, known->depth, known->behind, at);
}

void rlx_cascade_syntax(const RlxFile *file, RlxSyntaxProblems *problems) {
  uint32_t kept = 0;
  RlxSyntaxProblem previous = {0};
  First known = {0};
  for (uint32_t i = 0; i < problems->count; i++) {
    const RlxSyntaxProblem problem = problems->at[i];
    RlxSyntaxProblem *first = kept ? &problems->at[kept - 1] : NULL;
    if (first && is_about_decorator(first) && is_about_indentation(&problem) &&
        line_of(file, problem.span.start) <= line_of(file, first->span.end) + 1)
      *first = problem; // the indentation is why there is no definition behind the decorator
    else if (!first || !is_consequence(file, &known, first, &previous, &problem))
      problems->at[kept++] = problem;
    previous = problem;
  }
  problems->count = kept;
}

// ---- rows

#define RLX_DIAG_ANY    RLX_DIAG_COUNT
#define RLX_DIAG_MISFIT (RLX_DIAG_COUNT + 1)
#define RLX_DIAG_REMARK (RLX_DIAG_COUNT + 2)
#define RLX_DIAG_UNUSED (RLX_DIAG_COUNT + 3)

typedef enum Where {
  WHERE_STATEMENT,
  WHERE_NEXT,
  WHERE_INSIDE,
  WHERE_FUNCTION,
  WHERE_HEADER,
  WHERE_CALLEE,
  WHERE_OUTSIDE,
  WHERE_PURITY
} Where;
typedef struct Row {
  int effect, cause;
  Where where;
} Row;
static const Row rows[] = {
#define RLX_REPEAT(id, scope, same_message)
#define RLX_CASCADE(effect, cause, where) {RLX_DIAG_##effect, RLX_DIAG_##cause, WHERE_##where},
#include "analyzer/cascades.def"
#undef RLX_CASCADE
#undef RLX_REPEAT
};
enum { ROWS = sizeof rows / sizeof rows[0] };

typedef enum Disputed { BODY_DISPUTED = 1, HEADER_WRONG } Disputed;

/// Where a diagnostic stands, and what follows from it when it is a syntax error.
typedef struct Place {
  uint32_t line, last_line, stmt_end; ///< lines; the last one is that of its statement's end
  bool is_known, is_header;
  uint32_t depth;
  RlxLineSearch inside;
} Place;

/// What was found out about the statement that was asked about last: diagnostics of one statement
/// stand together.
typedef struct Asked {
  const RlxStmt *stmt;
  uint64_t answer;
} Asked;

/// The diagnostics of one function and of what stands behind it, in source order.
typedef struct Group {
  RlxFile *file;
  const RlxFn *fn; ///< NULL: of none
  const RlxFileDiag *at;
  Place *places; ///< of each; NULL: all have statements, whose places nothing asks for
  Asked pure, match, disputed_by[3];
  const RlxMap *disputed;  ///< names of functions that cannot be right themselves, to Disputed
  const Row *active[ROWS]; ///< rows whose cause is there
  uint32_t count, active_count;
  uint32_t gives_symbols; ///< the first error where a symbolic variable may have got its value
  bool has[RLX_DIAG_COUNT], has_in_purity[RLX_DIAG_COUNT];
  bool has_error, has_error_in_header, has_placeless, is_broken_outside;
} Group;

static bool is_area(const RlxDiag *diag, char area) {
  return rlx_diag_row(diag->id)->code[4] == area;
}

/// Errors that calls are judged by.
static bool is_of_call(RlxDiagId id) {
  return id == RLX_DIAG_CALL_ARITY || id == RLX_DIAG_CALL_ARGUMENT ||
         id == RLX_DIAG_CALL_TIR_ARGS || id == RLX_DIAG_CALL_TIR_BUFFER;
}

/// An error of the program, not of the form that is asked of it.
static bool is_error(const RlxDiag *diag) {
  return diag->severity == RLX_ERROR && !is_area(diag, '5') && !is_area(diag, '9');
}

static bool is_effect(const RlxDiag *diag, int id) {
  switch (id) {
  case RLX_DIAG_ANY: return diag->id != RLX_DIAG_SYNTAX;
  case RLX_DIAG_MISFIT:
    return diag->severity == RLX_ERROR && (is_area(diag, '3') || is_of_call(diag->id));
  case RLX_DIAG_REMARK:
    return diag->severity != RLX_ERROR && (is_area(diag, '3') || is_area(diag, '4'));
  case RLX_DIAG_UNUSED:
    return diag->id == RLX_DIAG_OUTPUT_UNUSED || diag->id == RLX_DIAG_DATAFLOW_NO_OUTPUT ||
           diag->id == RLX_DIAG_UNUSED_BINDING;
  default: return (int)diag->id == id;
  }
}

static bool is_cause(const RlxDiag *diag, int id) {
  return id == RLX_DIAG_ANY ? is_error(diag) : (int)diag->id == id;
}

static bool mentions(const RlxFile *file, const RlxStmt *stmt, const char *word) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  return memmem(text + stmt->start, stmt->head_size, word, strlen(word)) != NULL;
}

/// The same, asked about one statement after another.
static bool mentions_once(const RlxFile *file, Asked *asked, const RlxStmt *stmt,
                          const char *word) {
  if (asked->stmt != stmt) *asked = (Asked){stmt, mentions(file, stmt, word)};
  return asked->answer != 0;
}

static void look_at_cause(const RlxFile *file, const RlxFileDiag *cause, Place *place) {
  static const char *const headers[] = {"with ", "if ", "else", "elif ", "for ", "class ", "def "};
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  if (place->is_known) return;
  place->is_known = true;
  const char *line = text + rlx_line_start(text, cause->span.start);
  line += strspn(line, " \t");
  for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
    place->is_header |= begins_with(line, headers[i]); // what stands inside is its suite
  place->depth = rlx_line_indentation(text, size, cause->span.start);
  if (place->depth && begins_with(cause->diag->message, indentation_text))
    place->depth--; // its neighbours, too
}

/// Whether the syntax error `cause` makes the statement of `effect` a part of what it broke off.
static bool is_inside(const RlxFile *file, const RlxFileDiag *effect, const RlxFileDiag *cause,
                      Place *place) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  const uint32_t from = cause->span.start, to = effect->stmt->start;
  if (from >= to || to > size || line_of(file, to) == place->line) return false;
  look_at_cause(file, cause, place);
  return !place->is_header && rlx_stays_inside(&place->inside, text, size, place->depth, from, to);
}

static bool is_at(const Group *g, uint32_t i, uint32_t k, Where where) {
  const RlxFileDiag *effect = &g->at[i], *cause = &g->at[k];
  const RlxStmt *stmt = effect->stmt;
  if (where == WHERE_STATEMENT && cause->stmt) return cause->stmt == stmt;
  const Place *own = &g->places[i], *place = &g->places[k];
  if (where == WHERE_NEXT)
    return stmt && !stmt->body && place->line == own->stmt_end + 1 &&
           strncmp(cause->diag->message, "this ", 5) == 0;
  if (where == WHERE_INSIDE) return stmt && is_inside(g->file, effect, cause, &g->places[k]);
  return own->line >= place->line && own->line <= place->last_line;
}

/// Whether an expression reads the name, as a variable or behind a dot.
static bool names_it(const RlxAst *ast, RlxName name) {
  if (!ast) return false;
  if ((ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE) && ast->name == name)
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (names_it(ast->children[i], name)) return true;
  return false;
}

/// Whether an expression names a function that cannot be right itself, in one of the ways from
/// `least` on.
static bool names_disputed(const Group *g, const RlxAst *ast, Disputed least) {
  uint64_t way = 0;
  if (!ast) return false;
  if ((ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE) &&
      !(g->fn && ast->name == g->fn->stmt->name) && rlx_map_get(g->disputed, ast->name, &way) &&
      way >= least)
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (names_disputed(g, ast->children[i], least)) return true;
  return false;
}

/// Whether the statement of a diagnostic may be where a symbolic variable was to get its value: a
/// signature, a match_cast.
static bool gives_symbols(Group *g, const RlxFileDiag *d) {
  return d->stmt && d->diag->severity == RLX_ERROR && d->diag->id != RLX_DIAG_SYMBOL_UNDEFINED &&
         (d->stmt->kind == RLX_STMT_DEF || mentions_once(g->file, &g->match, d->stmt, "match_"));
}

/// Whether `effect` stands for the same as the diagnostic before it.
static bool is_same(const RlxFileDiag *a, const RlxFileDiag *b) {
  return a->diag->id == b->diag->id && a->span.start == b->span.start &&
         a->span.end == b->span.end && strcmp(a->diag->message, b->diag->message) == 0;
}

/// How many diagnostics before and behind another one may be of its statement.
enum { REACH = 64 };

static bool has_cause(const Group *g, uint32_t i, const Row *row) {
  uint32_t from = i > REACH ? i - REACH : 0, to = g->count - i > REACH ? i + REACH : g->count;
  for (uint32_t k = from; k < to; k++)
    if (k != i && is_cause(g->at[k].diag, row->cause) && is_at(g, i, k, row->where)) return true;
  return false;
}

/// Whether a row can apply in the group at all.
static bool is_active(const Group *g, const Row *row) {
  switch (row->where) {
  case WHERE_OUTSIDE: return g->is_broken_outside;
  case WHERE_CALLEE: return rlx_map_count(g->disputed) > 0;
  case WHERE_HEADER: return g->has_error_in_header;
  case WHERE_PURITY: return g->has_in_purity[row->cause];
  case WHERE_FUNCTION:
  case WHERE_STATEMENT:
  case WHERE_NEXT:
  case WHERE_INSIDE: break;
  }
  return row->cause == RLX_DIAG_ANY ? g->has_error : g->has[row->cause];
}

static bool calls_disputed(Group *g, const RlxStmt *stmt, Disputed least) {
  Asked *asked = &g->disputed_by[least];
  if (asked->stmt != stmt) *asked = (Asked){stmt, names_disputed(g, stmt->value, least)};
  return asked->answer != 0;
}

static bool applies(Group *g, uint32_t i, const Row *row) {
  const RlxFileDiag *effect = &g->at[i];
  if (!is_effect(effect->diag, row->effect)) return false;
  switch (row->where) {
  case WHERE_CALLEE:
    return effect->stmt &&
           calls_disputed(g, effect->stmt,
                          is_of_call(effect->diag->id) ? BODY_DISPUTED : HEADER_WRONG);
  case WHERE_HEADER: return effect->stmt != g->fn->stmt;
  case WHERE_OUTSIDE:
  case WHERE_FUNCTION:
  case WHERE_PURITY: return true;
  case WHERE_STATEMENT:
  case WHERE_NEXT:
  case WHERE_INSIDE: break;
  }
  return has_cause(g, i, row);
}

static bool follows(Group *g, uint32_t i) {
  const RlxFileDiag *effect = &g->at[i];
  if (i && is_same(effect, effect - 1)) return true;
  if (effect->diag->id == RLX_DIAG_SYMBOL_UNDEFINED && g->gives_symbols < i) return true;
  for (uint32_t r = 0; r < g->active_count; r++)
    if (applies(g, i, g->active[r])) return true;
  return false;
}

/// The index of the function that an offset stands in or, for syntax problems, behind; UINT32_MAX
/// before the first and between functions.
static uint32_t fn_index(const RlxFile *file, RlxLineSearch *search, uint32_t offset, bool behind) {
  uint32_t low = 0, high = file->fns.count, size = 0;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (file->fns.at[middle]->stmt->start <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low) return UINT32_MAX;
  const RlxStmt *stmt = file->fns.at[low - 1]->stmt;
  const char *text = rlx_document_text(file->document, &size);
  uint32_t end = stmt->start + stmt->size;
  if (offset <= end ||
      (behind && offset <= size && !rlx_has_fresh_start(search, text, end, offset, false)))
    return low - 1;
  return UINT32_MAX;
}

static void note(Group *g, const RlxFileDiag *d, uint32_t i) {
  const RlxDiagId id = d->diag->id;
  g->has[id] = true;
  g->has_placeless |= !d->stmt;
  if (is_error(d->diag)) g->has_error = true;
  if (is_error(d->diag) && g->fn && d->stmt == g->fn->stmt && id != RLX_DIAG_RETURN_MISSING)
    g->has_error_in_header = true;
  if (d->stmt && mentions_once(g->file, &g->pure, d->stmt, "pure")) g->has_in_purity[id] = true;
  if (g->gives_symbols > i && gives_symbols(g, d)) g->gives_symbols = i;
}

/// Names of parameters, and of statements whether they name one: keys of a function and what it is.
typedef RlxMap Parameters;

static uint64_t key_of(const RlxStmt *def, uint64_t what) {
  return rlx_hash_mix(rlx_hash_u64((uint64_t)(uintptr_t)def), what);
}

static bool names_parameter(const Parameters *known, const RlxStmt *def, const RlxAst *ast) {
  if (!ast) return false;
  if ((ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE) &&
      rlx_map_get(known, key_of(def, ast->name), NULL))
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (names_parameter(known, def, ast->children[i])) return true;
  return false;
}

/// Whether an error in the body of a function is about one of its parameters: the signature may be
/// what is wrong.
static bool is_about_parameter(Parameters *known, const RlxStmt *def, const RlxStmt *stmt) {
  enum { FEW = 8, SHORT = 1000 }; // bytes: not worth remembering
  if (def->param_count <= FEW && stmt->head_size <= SHORT) {
    for (uint32_t i = 0; i < def->param_count; i++)
      if (names_it(stmt->value, def->params[i].name)) return true;
    return false;
  }
  uint64_t answer = 0, about = key_of(def, (uint64_t)(uintptr_t)stmt);
  if (rlx_map_get(known, about, &answer)) return answer != 0;
  if (rlx_map_put(known, key_of(def, UINT64_MAX), 1))
    for (uint32_t i = 0; i < def->param_count; i++)
      rlx_map_put(known, key_of(def, def->params[i].name), 1);
  answer = names_parameter(known, def, stmt->value);
  rlx_map_put(known, about, answer);
  return answer != 0;
}

/// Notes the functions around an error, local ones included, that it makes doubtful.
static void dispute(Parameters *params, const RlxFileDiag *d, RlxMap *out) {
  const RlxStmt *def = d->stmt;
  for (; def; def = def->block ? def->block->parent : NULL) {
    uint64_t known = 0;
    if (def->kind != RLX_STMT_DEF) continue;
    rlx_map_get(out, def->name, &known);
    if (d->stmt == def && d->diag->id != RLX_DIAG_RETURN_MISSING)
      rlx_map_put(out, def->name, HEADER_WRONG);
    else if (!known &&
             (d->diag->id == RLX_DIAG_NAME_UNDEFINED || is_about_parameter(params, def, d->stmt)))
      rlx_map_put(out, def->name, BODY_DISPUTED);
  }
}

/// The first error about a call inside of a function that names one of the function's parameters,
/// for each function that has one: name to index.
static void find_wrong_calls(Parameters *params, const RlxFileDiags *diags, uint32_t from,
                             uint32_t to, RlxMap *out) {
  for (uint32_t i = from; i < to; i++) {
    const RlxFileDiag *d = &diags->at[i];
    if (!d->stmt || !is_of_call(d->diag->id) || !is_error(d->diag)) continue;
    for (const RlxStmt *def = d->stmt; def; def = def->block ? def->block->parent : NULL)
      if (def->kind == RLX_STMT_DEF && !rlx_map_get(out, def->name, NULL) &&
          is_about_parameter(params, def, d->stmt))
        rlx_map_put(out, def->name, i);
  }
}

/// A call in `ast` of a function of `wrong`: its index, or `none`.
static uint32_t called_wrong(const RlxMap *wrong, const RlxAst *ast, uint32_t none) {
  uint64_t found = none;
  if (!ast) return none;
  if (ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE)
    rlx_map_get(wrong, ast->name, &found);
  for (uint32_t i = 0; i < ast->child_count && found == none; i++)
    found = called_wrong(wrong, ast->children[i], none);
  return (uint32_t)found;
}

/// A parameter of another type contradicts the function's callers and the calls that it is handed
/// on to: the latter stay. What made another report go stays itself.
static uint32_t drop_callers(Parameters *params, RlxFileDiags *diags, uint32_t from, uint32_t to,
                             RlxFileDiags *dropped) {
  RlxMap wrong = {0}, stays = {0};
  uint32_t kept = from;
  Asked called = {0};
  find_wrong_calls(params, diags, from, to, &wrong);
  if (!rlx_map_count(&wrong)) return to;
  for (uint32_t i = from; i < to; i++) {
    const RlxFileDiag d = diags->at[i];
    uint32_t cause = i;
    if (d.stmt && is_of_call(d.diag->id) && !rlx_map_get(&stays, i, NULL)) {
      if (called.stmt != d.stmt)
        called = (Asked){d.stmt, called_wrong(&wrong, d.stmt->value, UINT32_MAX)};
      cause = called.answer == UINT32_MAX ? i : (uint32_t)called.answer;
      if (called.answer == i) cause = called_wrong(&wrong, d.stmt->value, i);
    }
    // One that went before, or stands in the same statement, is no cause.
    if (cause != i && !rlx_map_get(&stays, ~(uint64_t)cause, NULL)) {
      rlx_map_put(&stays, cause, 1);
      rlx_map_put(&stays, ~(uint64_t)i, 1);
      rlx_vec_push(dropped, d);
    } else
      diags->at[kept++] = d;
  }
  rlx_map_free(&wrong);
  rlx_map_free(&stays);
  return kept;
}

static Place *places_of(const Group *g) {
  Place *places = rlx_mem_zeroed(g->count, sizeof *places);
  for (uint32_t i = 0; i < g->count; i++) {
    const RlxFileDiag *d = &g->at[i];
    places[i].line = line_of(g->file, d->span.start);
    places[i].last_line = line_of(g->file, d->span.end);
    places[i].stmt_end = d->stmt ? line_of(g->file, d->stmt->start + d->stmt->size) : 0;
  }
  return places;
}

uint32_t rlx_cascade_drop(RlxFile *file, RlxFileDiags *diags, uint32_t from) {
  RlxFileDiags dropped = {0};
  Vec(uint32_t) fns = {0};
  RlxMap disputed = {0}, params = {0};
  RlxLineSearch search = {0};
  uint32_t kept = from;
  bool is_broken_outside = false;
  for (uint32_t i = from; i < diags->count; i++) {
    bool is_syntax = diags->at[i].diag->id == RLX_DIAG_SYNTAX;
    uint32_t fn = fn_index(file, &search, diags->at[i].span.start, is_syntax);
    is_broken_outside |= is_syntax && fn == UINT32_MAX;
    rlx_vec_push(&fns, fn);
  }
  for (uint32_t i = from; i < diags->count; i++)
    if (diags->at[i].stmt && is_error(diags->at[i].diag) && !is_of_call(diags->at[i].diag->id))
      dispute(&params, &diags->at[i], &disputed);
  for (uint32_t i = from; i < diags->count;) {
    const uint32_t first = i, fn = fns.at[i - from];
    Group g = {.file = file,
               .fn = fn == UINT32_MAX ? NULL : file->fns.at[fn],
               .disputed = &disputed,
               .is_broken_outside = is_broken_outside,
               .gives_symbols = UINT32_MAX};
    for (; i < diags->count && fns.at[i - from] == fn; i++) note(&g, &diags->at[i], i - first);
    // What stays moves forward over what was taken out: the group is read from a copy.
    g.count = i - first;
    RlxFileDiag *copy = rlx_mem_alloc(g.count, sizeof *copy);
    memcpy(copy, diags->at + first, g.count * sizeof *copy);
    g.at = copy;
    g.places = g.has_placeless ? places_of(&g) : NULL;
    for (uint32_t r = 0; r < ROWS; r++)
      if (is_active(&g, &rows[r])) g.active[g.active_count++] = &rows[r];
    for (uint32_t k = 0; k < g.count; k++) {
      if (follows(&g, k))
        rlx_vec_push(&dropped, copy[k]);
      else
        diags->at[kept++] = copy[k];
    }
    free(g.places);
    free(copy);
  }
  kept = drop_callers(&params, diags, from, kept, &dropped);
  for (uint32_t i = 0; i < dropped.count; i++) diags->at[kept + i] = dropped.at[i];
  rlx_vec_free(&dropped);
  rlx_map_free(&disputed);
  rlx_map_free(&params);
  rlx_vec_free(&fns);
  return kept;
}
