/// Takes back the reports that follow from others, by the rows of cascades.def. A report goes, too,
/// when its cause is itself taken back: both have one cause.
#include "analyzer/report/cascade.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/diag/traits.h"
#include "analyzer/report/called_well.h"
#include "analyzer/report/cascade_lines.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/stmt_text.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

// ---- rows

// What rows name besides diagnostics.
enum { ANY = RLX_DIAG_MAX, MISFIT, REMARK, UNUSED };
static const RlxDiagId rlx_diag_id_ANY = ANY, rlx_diag_id_MISFIT = MISFIT,
                       rlx_diag_id_REMARK = REMARK, rlx_diag_id_UNUSED = UNUSED;

typedef enum Where {
  WHERE_STATEMENT,
  WHERE_NEXT,
  WHERE_INSIDE,
  WHERE_FUNCTION,
  WHERE_HEADER,
  WHERE_CALLEE,
  WHERE_OUTSIDE,
  WHERE_PURITY,
  WHERE_ABOVE,
  WHERE_SUITE,
  WHERE_USE,
  WHERE_CALLEES
} Where;
typedef struct Row {
  const RlxDiagId *effect, *cause;
  Where where;
} Row;
#define RLX_REPEAT(id, scope, same_message)
#define RLX_CASCADE(effect, cause, where)                                                          \
  extern const RlxDiagId rlx_diag_id_##effect, rlx_diag_id_##cause;
#include "analyzer/report/cascades.def"
#undef RLX_CASCADE
#undef RLX_REPEAT
static const Row rows[] = {
#define RLX_REPEAT(id, scope, same_message)
#define RLX_CASCADE(effect, cause, where)                                                          \
  {&rlx_diag_id_##effect, &rlx_diag_id_##cause, WHERE_##where},
#include "analyzer/report/cascades.def"
#undef RLX_CASCADE
#undef RLX_REPEAT
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/// A key for a parameter of a function of `class` that cannot be right itself; 0: its whole
/// signature.
static uint64_t parameter_key(const RlxStmt *class, RlxName function, uint32_t parameter) {
  return rlx_hash_mix(rlx_hash_u64((uint64_t)(uintptr_t)class),
                      (uint64_t)function << 16 | (parameter & UINT16_MAX));
}

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
  uint32_t parameter; ///< and about that parameter
  RlxName name;       ///< of the function that the answer is about
} Asked;

/// Those of a group that rows name as a cause, in source order.
typedef struct Causes {
  RlxDiagId id;
  Vec(uint32_t) at;
} Causes;

/// The diagnostics of one function and of what stands behind it, in source order.
typedef struct Group {
  RlxFile *file;
  const RlxFn *fn; ///< NULL: of none
  const RlxFileDiag *at;
  Place *places; ///< of each; NULL: all have statements, whose places nothing asks for
  Asked pure, match, disputed_by;
  RlxCalledWell *called_well;
  const RlxMap *disputed;  ///< parameter_key to the index of the error, of the whole list, plus 1
  const Row *active[ROWS]; ///< rows whose cause is there
  const Causes *of[ROWS];  ///< and the causes of each, where it is looked for
  Causes causes[ROWS];     ///< one for each id that rows look for
  uint32_t first;          ///< where they begin in the whole list
  uint32_t count, active_count, causes_count;
  uint32_t gives_symbols; ///< the first error where a symbolic variable may have got its value
  bool has[RLX_DIAG_MAX], has_in_purity[RLX_DIAG_MAX];
  bool has_error, has_error_in_header, has_placeless, is_broken_outside;
  bool are_callees_known, has_disputed_callee; ///< whether the function calls what is doubtful
  bool is_broken_above; ///< what does not parse is a decorator, right above the function
} Group;

static bool is_area(const RlxDiag *diag, char area) {
  return rlx_diag_row(diag->id)->code[4] == area;
}

static bool is_effect(const RlxDiag *diag, RlxDiagId id) {
  switch (id) {
  case ANY: return diag->id != RLX_DIAG_ID(SYNTAX);
  case MISFIT:
    return diag->severity == RLX_ERROR &&
           (is_area(diag, '3') || rlx_diag_has(diag->id, RLX_TRAIT_CALL));
  case REMARK: return diag->severity != RLX_ERROR && (is_area(diag, '3') || is_area(diag, '4'));
  case UNUSED: return rlx_diag_has(diag->id, RLX_TRAIT_UNUSED);
  default: return diag->id == id;
  }
}

static bool is_cause(const RlxDiag *diag, RlxDiagId id) {
  return id == ANY ? rlx_is_error_of_program(diag) : diag->id == id;
}

static bool mentions(const RlxFile *file, const RlxStmt *stmt, const char *word) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  return memmem(text + stmt->start, stmt->head_size, word, strlen(word)) != NULL;
}

/// The same, asked about one statement after another.
static bool mentions_once(const RlxFile *file, Asked *asked, const RlxStmt *stmt,
                          const char *word) {
  if (asked->stmt != stmt) *asked = (Asked){stmt, mentions(file, stmt, word), 0, 0};
  return asked->answer != 0;
}

/// Whether the diagnostic is a syntax error of that kind.
static bool is_of(const RlxFileDiag *d, RlxSyntaxKind kind) {
  return d->diag->problem && d->diag->problem->kind == kind;
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
    place->is_header |=
        strncmp(line, headers[i], strlen(headers[i])) == 0; // what stands inside is its suite
  place->depth = rlx_line_indentation(text, size, cause->span.start);
  if (place->depth && is_of(cause, RLX_SYNTAX_INDENTATION)) place->depth--; // its neighbours, too
}

/// Whether the syntax error `cause` makes the statement of `effect` a part of what it broke off.
static bool is_inside(const RlxFile *file, const RlxFileDiag *effect, const RlxFileDiag *cause,
                      Place *place) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  const uint32_t from = cause->span.start, to = effect->stmt->start;
  if (from >= to || to > size || rlx_cascade_line(file, to) == place->line) return false;
  look_at_cause(file, cause, place);
  return !place->is_header && rlx_stays_inside(&place->inside, text, size, place->depth, from, to);
}

/// Whether a statement stands inside of `first` or, where that has no suite, behind it in the same
/// suite or inside of what does.
static bool is_in_suite_of(const RlxStmt *stmt, const RlxStmt *first) {
  if (!first) return false;
  for (; stmt; stmt = stmt->block ? stmt->block->parent : NULL)
    if (stmt == first ||
        (!first->body && stmt->block == first->block && stmt->index > first->index))
      return true;
  return false;
}

/// How many statements are looked at for what is made of one.
enum { USES_SEEN = 256 };

/// The names that are made of a statement's, directly or not, in the statements behind it: keys.
static bool note_use(RlxMap *made, const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  bool is_use = false;
  for (uint32_t i = 0; unit && i < unit->read_count && !is_use; i++)
    is_use = rlx_map_get(made, unit->reads[i].name, NULL);
  for (uint32_t i = 0; is_use && i < unit->def_count; i++) rlx_map_put(made, unit->defs[i].name, 1);
  return is_use;
}

/// Whether a statement uses what `maker`, a statement before it in a suite around it, binds,
/// directly or by others of that suite. Too far away to be looked at: no.
static bool uses(const RlxStmt *stmt, const RlxStmt *maker) {
  const RlxAnalysis *unit = maker ? maker->analysis : NULL;
  RlxMap made = {0};
  bool is_use = false;
  if (!unit || !unit->def_count || stmt == maker || !is_in_suite_of(stmt, maker)) return false;
  for (uint32_t i = 0; i < unit->def_count; i++) rlx_map_put(&made, unit->defs[i].name, 1);
  for (uint32_t i = maker->index + 1; i < maker->block->count && i - maker->index <= USES_SEEN;
       i++) {
    const RlxStmt *next = maker->block->stmts[i];
    if (next->start > stmt->start) break;
    is_use = note_use(&made, next);
    if (next == stmt) break;
    is_use = stmt->block != maker->block && note_use(&made, stmt);
  }
  rlx_map_free(&made);
  return is_use;
}

/// Whether a diagnostic is about a decorator that does not parse, on the line above a statement.
static bool is_broken_decorator(const RlxFile *file, const RlxFileDiag *d, const RlxStmt *stmt) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  const char *line = text + rlx_line_start(text, d->span.start);
  return d->diag->id == RLX_DIAG_ID(SYNTAX) && line[strspn(line, " \t")] == '@' &&
         rlx_cascade_line(file, d->span.start) + 1 == stmt->line;
}

static bool is_at(const Group *g, uint32_t i, uint32_t k, Where where) {
  const RlxFileDiag *effect = &g->at[i], *cause = &g->at[k];
  const RlxStmt *stmt = effect->stmt;
  if (where == WHERE_STATEMENT && cause->stmt) return cause->stmt == stmt;
  if (where == WHERE_SUITE) return is_in_suite_of(stmt, cause->stmt);
  if (where == WHERE_USE) return uses(cause->stmt, stmt);
  const Place *own = &g->places[i], *place = &g->places[k];
  if (where == WHERE_NEXT)
    return stmt && !stmt->body && place->line == own->stmt_end + 1 &&
           (is_of(cause, RLX_SYNTAX_INDENTATION) || is_of(cause, RLX_SYNTAX_UNOPENED) ||
            is_of(cause, RLX_SYNTAX_CLAUSE) || is_of(cause, RLX_SYNTAX_MISPLACED)) &&
           effect->diag->id != RLX_DIAG_ID(NAME_UNDEFINED) &&
           effect->diag->id != RLX_DIAG_ID(ATTRIBUTE_UNKNOWN);
  if (where == WHERE_INSIDE) return stmt && is_inside(g->file, effect, cause, &g->places[k]);
  return own->line >= place->line && own->line <= place->last_line;
}

/// Whether an expression is `cls.f`: what stands before the dot is no function.
static bool is_path(const RlxAst *ast) {
  return ast->kind == RLX_AST_ATTRIBUTE && ast->children[0]->kind == RLX_AST_NAME;
}

/// What makes doubtful a function that an expression names, or that parameter of it (0: none): an
/// index of `g->disputed`, 0 when nothing does.
static uint64_t disputed_in(const Group *g, const RlxStmt *class, const RlxAst *ast,
                            uint32_t parameter, RlxName *out_name) {
  uint64_t cause = 0;
  if (!ast) return 0;
  if ((ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE) &&
      !(g->fn && ast->name == g->fn->stmt->name) &&
      (rlx_map_get(g->disputed, parameter_key(class, ast->name, 0), &cause) ||
       (parameter && rlx_map_get(g->disputed, parameter_key(class, ast->name, parameter), &cause))))
    return *out_name = ast->name, cause;
  if (is_path(ast)) return 0;
  for (uint32_t i = 0; i < ast->child_count && !cause; i++)
    cause = disputed_in(g, class, ast->children[i], parameter, out_name);
  return cause;
}

/// Whether the statement of a diagnostic may be where a symbolic variable was to get its value: a
/// signature, a match_cast.
static bool gives_symbols(Group *g, const RlxFileDiag *d) {
  return d->stmt && d->diag->severity == RLX_ERROR &&
         d->diag->id != RLX_DIAG_ID(SYMBOL_UNDEFINED) &&
         (d->stmt->kind == RLX_STMT_DEF || mentions_once(g->file, &g->match, d->stmt, "match_"));
}

/// Whether `effect` stands for the same as the diagnostic before it.
static bool is_same(const RlxFileDiag *a, const RlxFileDiag *b) {
  return a->diag->id == b->diag->id && a->span.start == b->span.start &&
         a->span.end == b->span.end && strcmp(a->diag->message, b->diag->message) == 0;
}

/// Whether the row's cause is looked for among the group's diagnostics: it depends on the place.
static bool looks_around(const Row *row) {
  return row->where == WHERE_STATEMENT || row->where == WHERE_NEXT || row->where == WHERE_INSIDE ||
         row->where == WHERE_SUITE || row->where == WHERE_USE;
}

/// The group's diagnostics that are such a cause.
static const Causes *causes_of(Group *g, RlxDiagId id) {
  for (uint32_t i = 0; i < g->causes_count; i++)
    if (g->causes[i].id == id) return &g->causes[i];
  Causes *causes = &g->causes[g->causes_count++];
  *causes = (Causes){.id = id};
  for (uint32_t k = 0; k < g->count; k++)
    if (is_cause(g->at[k].diag, id)) rlx_vec_push(&causes->at, k);
  return causes;
}

/// How many causes before and behind a diagnostic are held against it.
enum { REACH = 64 };

/// The index of the cause in the group plus 1; 0: there is none.
static uint32_t cause_of(const Group *g, uint32_t i, const Row *row, const Causes *causes) {
  uint32_t low = 0, high = causes->at.count;
  while (low < high) { // the first one that does not stand before
    const uint32_t middle = low + (high - low) / 2;
    if (causes->at.at[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  const uint32_t to = causes->at.count - low > REACH ? low + REACH : causes->at.count;
  for (uint32_t n = low > REACH ? low - REACH : 0; n < to; n++) {
    const uint32_t k = causes->at.at[n];
    if (k != i && is_at(g, i, k, row->where)) return k + 1;
  }
  return 0;
}

/// Whether a row can apply in the group at all.
static bool is_active(const Group *g, const Row *row) {
  switch (row->where) {
  case WHERE_OUTSIDE: return g->is_broken_outside;
  case WHERE_CALLEE:
  case WHERE_CALLEES: return rlx_map_count(g->disputed) > 0;
  case WHERE_HEADER: return g->has_error_in_header;
  case WHERE_ABOVE: return g->is_broken_above;
  case WHERE_PURITY: return g->has_in_purity[*row->cause];
  case WHERE_FUNCTION:
  case WHERE_STATEMENT:
  case WHERE_NEXT:
  case WHERE_INSIDE:
  case WHERE_SUITE:
  case WHERE_USE: break;
  }
  return *row->cause == ANY ? g->has_error : g->has[*row->cause];
}

static uint64_t disputed_by(Group *g, const RlxStmt *stmt, uint32_t parameter) {
  Asked *asked = &g->disputed_by;
  if (asked->stmt != stmt || asked->parameter != parameter) {
    const RlxStmt *class = rlx_class_around(stmt);
    *asked = (Asked){.stmt = stmt, .parameter = parameter};
    asked->answer = disputed_in(g, class, stmt->value, parameter, &asked->name);
    // Where another call fits, the signature is right: what is wrong in the body has another reason.
    if (asked->answer && rlx_is_called_well(g->called_well, g->file, class, asked->name))
      asked->answer = 0;
  }
  return asked->answer;
}

/// Whether a statement of the suite, or inside of one, names a function that is doubtful.
static bool calls_disputed(const Group *g, const RlxStmt *class, const RlxBlock *block) {
  RlxName name;
  for (uint32_t i = 0; block && i < block->count; i++)
    if (disputed_in(g, class, block->stmts[i]->value, 0, &name) ||
        calls_disputed(g, class, block->stmts[i]->body) ||
        calls_disputed(g, class, block->stmts[i]->orelse))
      return true;
  return false;
}

/// `cause`: for CALLEE and USE, an index of the whole list plus 1.
static bool applies(Group *g, uint32_t i, uint32_t active, uint64_t *cause) {
  const Row *row = g->active[active];
  const RlxFileDiag *effect = &g->at[i];
  if (!is_effect(effect->diag, *row->effect)) return false;
  switch (row->where) {
  case WHERE_CALLEE:
    *cause = effect->stmt ? disputed_by(g, effect->stmt, effect->diag->parameter) : 0;
    return *cause != 0;
  case WHERE_ABOVE: return effect->stmt == g->fn->stmt;
  case WHERE_CALLEES:
    if (!g->are_callees_known)
      g->has_disputed_callee =
          g->fn && calls_disputed(g, rlx_class_around(g->fn->stmt), g->fn->stmt->body);
    g->are_callees_known = true;
    return g->has_disputed_callee;
  case WHERE_HEADER: return effect->stmt != g->fn->stmt;
  case WHERE_OUTSIDE:
  case WHERE_FUNCTION:
  case WHERE_PURITY: return true;
  case WHERE_STATEMENT:
  case WHERE_NEXT:
  case WHERE_INSIDE:
  case WHERE_SUITE:
  case WHERE_USE: break;
  }
  const uint32_t found = cause_of(g, i, row, g->of[active]);
  if (found && row->where == WHERE_USE) *cause = g->first + found;
  return found != 0;
}

static bool follows(Group *g, uint32_t i, uint64_t *cause) {
  const RlxFileDiag *effect = &g->at[i];
  if (i && is_same(effect, effect - 1)) return true;
  if (effect->diag->id == RLX_DIAG_ID(SYMBOL_UNDEFINED) && g->gives_symbols < i) return true;
  for (uint32_t r = 0; r < g->active_count; r++)
    if (applies(g, i, r, cause)) return true;
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

static void note_finding(Group *g, const RlxFileDiag *d, uint32_t i) {
  const RlxDiagId id = d->diag->id;
  g->has[id] = true;
  g->has_placeless |= !d->stmt;
  if (rlx_is_error_of_program(d->diag)) g->has_error = true;
  if (rlx_is_error_of_program(d->diag) && g->fn && d->stmt == g->fn->stmt &&
      id != RLX_DIAG_ID(RETURN_MISSING))
    g->has_error_in_header = true;
  if (d->stmt && mentions_once(g->file, &g->pure, d->stmt, "pure")) g->has_in_purity[id] = true;
  if (g->gives_symbols > i && gives_symbols(g, d)) g->gives_symbols = i;
}

/// Parameters of functions by name, from 1, and statements that were looked at: keys of a function
/// and what it is.
typedef RlxMap Parameters;

static uint64_t key_of(const RlxStmt *def, uint64_t what) {
  return rlx_hash_mix(rlx_hash_u64((uint64_t)(uintptr_t)def), what);
}

static void put_first(RlxMap *map, uint64_t key, uint64_t value) {
  if (!rlx_map_get(map, key, NULL)) rlx_map_put(map, key, value);
}

static void put_named(const Parameters *known, const RlxStmt *def, const RlxAst *ast,
                      uint64_t value, RlxMap *out) {
  uint64_t parameter = 0;
  if (!ast) return;
  if ((ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE) &&
      rlx_map_get(known, key_of(def, ast->name), &parameter))
    put_first(out, parameter_key(rlx_class_around(def), def->name, (uint32_t)parameter), value);
  for (uint32_t i = 0; i < ast->child_count; i++)
    put_named(known, def, ast->children[i], value, out);
}

/// Gives the function's parameters that a statement names that value, where they have none.
static void put_parameters(Parameters *known, const RlxStmt *def, const RlxStmt *stmt,
                           uint64_t value, RlxMap *out) {
  const RlxParams taken = rlx_taken_params(def);
  if (!taken.count) return;
  if (rlx_map_put(known, key_of(def, UINT64_MAX), 1))
    for (uint32_t i = 0; i < taken.count; i++)
      rlx_map_put(known, key_of(def, taken.at[i].name), i + 1);
  // A second error of the statement says nothing new.
  if (rlx_map_put(known, key_of(def, (uint64_t)(uintptr_t)stmt), 1))
    put_named(known, def, stmt->value, value, out);
}

/// Whether a statement says what a function takes: its signature, the buffers of a PrimFunc.
static bool is_of_signature(const RlxFile *file, Parameters *known, const RlxStmt *stmt) {
  uint64_t answer = 0;
  if (stmt->kind == RLX_STMT_DEF) return true;
  if (!rlx_map_get(known, key_of(stmt, UINT64_MAX - 1), &answer))
    rlx_map_put(known, key_of(stmt, UINT64_MAX - 1), answer = mentions(file, stmt, "match_buffer"));
  return answer != 0;
}

/// Notes for the functions around an error, local ones included, what it makes doubtful: the
/// signature that it stands in, in a body the parameters that it is about; a name that is not
/// defined may be a parameter that was lost.
static void dispute(const RlxFile *file, Parameters *params, const RlxFileDiag *d, uint32_t index,
                    RlxMap *out) {
  const RlxStmt *def = d->stmt;
  for (; def; def = def->block ? def->block->parent : NULL) {
    if (def->kind != RLX_STMT_DEF) continue;
    if ((d->stmt == def && d->diag->id != RLX_DIAG_ID(RETURN_MISSING)) ||
        d->diag->id == RLX_DIAG_ID(SYMBOL_UNDEFINED) || is_of_signature(file, params, d->stmt))
      put_first(out, parameter_key(rlx_class_around(def), def->name, 0), index + 1);
    else if (d->diag->id == RLX_DIAG_ID(NAME_UNDEFINED))
      put_first(out, parameter_key(rlx_class_around(def), def->name, RLX_PARAMETER_BEYOND),
                index + 1);
    else
      put_parameters(params, def, d->stmt, index + 1, out);
  }
}

/// The same for what does not parse in a body: the parameters on its line.
static void dispute_line(RlxFile *file, const RlxFn *fn, RlxSpan span, uint32_t index,
                         RlxMap *out) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  uint32_t start = rlx_line_start(text, span.start), end = start;
  while (end < size && text[end] != '\n') end++;
  const RlxParams taken = rlx_taken_params(fn->stmt);
  for (uint32_t i = 0; i < taken.count; i++) {
    const char *name = rlx_store_text(file->store, taken.at[i].name);
    if (*name && memmem(text + start, end - start, name, strlen(name)))
      put_first(out, parameter_key(rlx_class_around(fn->stmt), fn->stmt->name, i + 1), index + 1);
  }
}

/// The first error about a call inside of a function that names one of the function's parameters,
/// for each parameter that has one: parameter_key to index.
static void find_wrong_calls(const RlxFileDiags *diags, uint32_t from, uint32_t to, RlxMap *out) {
  Parameters params = {0};
  for (uint32_t i = from; i < to; i++) {
    const RlxFileDiag *d = &diags->at[i];
    if (!d->stmt || !rlx_diag_has(d->diag->id, RLX_TRAIT_CALL) || !rlx_is_error_of_program(d->diag))
      continue;
    for (const RlxStmt *def = d->stmt; def; def = def->block ? def->block->parent : NULL)
      if (def->kind == RLX_STMT_DEF) put_parameters(&params, def, d->stmt, i, out);
  }
  rlx_map_free(&params);
}

/// A call in `ast` of a function of `wrong`, with that parameter: its index, or `none`.
static uint32_t called_wrong(const RlxMap *wrong, const RlxStmt *class, const RlxAst *ast,
                             uint32_t parameter, uint32_t none) {
  uint64_t found = none;
  if (!ast) return none;
  if (ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE)
    rlx_map_get(wrong, parameter_key(class, ast->name, parameter), &found);
  for (uint32_t i = 0; !is_path(ast) && i < ast->child_count && found == none; i++)
    found = called_wrong(wrong, class, ast->children[i], parameter, none);
  return (uint32_t)found;
}

enum { DOUBTS_SHOWN = 8 };

/// Makes a wrong call a related place of what makes its callee doubtful: both may be wrong. The same
/// for the warning of what an error says of what is made of it.
static void add_doubt(RlxFile *file, RlxFileDiag *cause, const RlxFileDiag *call) {
  const bool is_warning = !rlx_is_error_of_program(call->diag);
  if ((is_warning && !rlx_diag_has(call->diag->id, RLX_TRAIT_SIZE)) ||
      cause->diag->related_count >= DOUBTS_SHOWN)
    return;
  RlxDiag *diag = rlx_arena_one(file->diag_arena, RlxDiag);
  *diag = *cause->diag;
  rlx_diag_related(&file->diag_sink, diag, call->stmt, call->diag->span,
                   is_warning ? call->diag->message : "this call does not fit, either");
  cause->diag = diag;
}

typedef struct Doubt {
  uint32_t cause; ///< index in the whole list
  RlxFileDiag call;
} Doubt;
typedef Vec(Doubt) Doubts;

/// A parameter of another type contradicts the function's callers and the calls that it is handed
/// on to: the latter stay. What made another report go stays itself.
static uint32_t drop_callers(RlxFile *file, RlxFileDiags *diags, uint32_t from, uint32_t to,
                             RlxFileDiags *dropped) {
  RlxMap wrong = {0}, stays = {0};
  Vec(uint32_t) causes = {0}; // of what is dropped here
  const uint32_t first = dropped->count;
  uint32_t kept = from;
  Asked called = {0};
  find_wrong_calls(diags, from, to, &wrong);
  for (uint32_t i = from; i < to && rlx_map_count(&wrong); i++) {
    const RlxFileDiag d = diags->at[i];
    const uint32_t parameter = d.diag->parameter;
    uint32_t cause = i;
    if (d.stmt && rlx_diag_has(d.diag->id, RLX_TRAIT_CALL) && parameter &&
        !rlx_map_get(&stays, i, NULL)) {
      if (called.stmt != d.stmt || called.parameter != parameter)
        called = (Asked){
            d.stmt,
            called_wrong(&wrong, rlx_class_around(d.stmt), d.stmt->value, parameter, UINT32_MAX),
            parameter, 0};
      if (called.answer != UINT32_MAX) cause = (uint32_t)called.answer;
    }
    // One that went before, or stands in the same statement, is no cause.
    if (cause == i || rlx_map_get(&stays, ~(uint64_t)cause, NULL)) continue;
    rlx_map_put(&stays, cause, 1);
    rlx_map_put(&stays, ~(uint64_t)i, 1);
    rlx_vec_push(dropped, d);
    rlx_vec_push(&causes, cause);
  }
  for (uint32_t i = 0; i < causes.count; i++)
    add_doubt(file, &diags->at[causes.at[i]], &dropped->at[first + i]);
  for (uint32_t i = from; i < to; i++)
    if (!rlx_map_get(&stays, ~(uint64_t)i, NULL)) diags->at[kept++] = diags->at[i];
  rlx_vec_free(&causes);
  rlx_map_free(&wrong);
  rlx_map_free(&stays);
  return kept;
}

static Place *places_of(const Group *g) {
  Place *places = rlx_mem_zeroed(g->count, sizeof *places);
  for (uint32_t i = 0; i < g->count; i++) {
    const RlxFileDiag *d = &g->at[i];
    places[i].line = rlx_cascade_line(g->file, d->span.start);
    places[i].last_line = rlx_cascade_line(g->file, d->span.end);
    places[i].stmt_end = d->stmt ? rlx_cascade_line(g->file, d->stmt->start + d->stmt->size) : 0;
  }
  return places;
}

/// Takes out of one group what follows, the rest moves to `*kept`; `moved`: where each of them is
/// then in the whole list, UINT32_MAX: nowhere.
static void drop_of_group(Group *g, RlxFileDiags *diags, uint32_t first, uint32_t *kept,
                          uint32_t *moved, Doubts *doubts, RlxFileDiags *dropped) {
  // What stays moves forward over what was taken out: the group is read from a copy.
  RlxFileDiag *copy = rlx_mem_alloc(g->count, sizeof *copy);
  memcpy(copy, diags->at + first, g->count * sizeof *copy);
  g->at = copy;
  g->places = g->has_placeless ? places_of(g) : NULL;
  for (uint32_t r = 0; r < ROWS; r++) {
    if (!is_active(g, &rows[r])) continue;
    g->of[g->active_count] = looks_around(&rows[r]) ? causes_of(g, *rows[r].cause) : NULL;
    g->active[g->active_count++] = &rows[r];
  }
  for (uint32_t k = 0; k < g->count; k++) {
    uint64_t cause = 0;
    moved[k] = UINT32_MAX;
    if (follows(g, k, &cause)) {
      rlx_vec_push(dropped, copy[k]);
      if (cause) rlx_vec_push(doubts, (Doubt){(uint32_t)cause - 1, copy[k]});
    } else {
      moved[k] = *kept;
      diags->at[(*kept)++] = copy[k];
    }
  }
  for (uint32_t i = 0; i < g->causes_count; i++) rlx_vec_free(&g->causes[i].at);
  free(g->places);
  free(copy);
}

static const RlxStmt *def_around(const RlxStmt *stmt) {
  while (stmt && stmt->kind != RLX_STMT_DEF) stmt = stmt->block ? stmt->block->parent : NULL;
  return stmt;
}

/// Takes the functions that an expression names out of `returns`: what is there becomes 0. Whether
/// it names one.
static bool find_used(const RlxAst *ast, RlxMap *returns, const RlxStmt *def) {
  bool is_used = false;
  if (!ast) return false;
  const uint64_t key = parameter_key(rlx_class_around(def), ast->name, 0);
  if ((ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE) &&
      !(def && ast->name == def->name) && rlx_map_get(returns, key, NULL)) {
    rlx_map_put(returns, key, 0);
    is_used = true;
  }
  for (uint32_t i = 0; !is_path(ast) && i < ast->child_count; i++)
    is_used |= find_used(ast->children[i], returns, def);
  return is_used;
}

/// A copy of a diagnostic that may be changed.
static RlxDiag *own_diag(RlxFile *file, RlxFileDiag *d) {
  RlxDiag *diag = rlx_arena_one(file->diag_arena, RlxDiag);
  *diag = *d->diag;
  d->diag = diag;
  return diag;
}

/// A result annotation that contradicts its function's body and then its callers is one mistake:
/// the callers have the error, as in TVM, which does not look into the body. Beside them the body's
/// is a warning. What is to be changed is the function: an annotation that repeats its mistake in a
/// caller is no fix.
static void settle_returns(RlxFile *file, RlxFileDiags *diags, uint32_t from) {
  RlxMap returns = {0}; // parameter_key of functions: 1, and 0 when a wrong statement names it
  for (uint32_t i = from; i < diags->count; i++) {
    const RlxFileDiag *d = &diags->at[i];
    const RlxStmt *def = d->diag->id == RLX_DIAG_ID(RETURN_MISMATCH) ? def_around(d->stmt) : NULL;
    if (def) rlx_map_put(&returns, parameter_key(rlx_class_around(def), def->name, 0), 1);
  }
  for (uint32_t i = from; i < diags->count && rlx_map_count(&returns); i++) {
    RlxFileDiag *d = &diags->at[i];
    if (d->stmt && is_effect(d->diag, MISFIT) && d->diag->id != RLX_DIAG_ID(RETURN_MISMATCH) &&
        find_used(d->stmt->value, &returns, def_around(d->stmt)) &&
        d->diag->id == RLX_DIAG_ID(ANNOTATION_MISMATCH))
      own_diag(file, d)->fix_count = 0;
  }
  for (uint32_t i = from; i < diags->count && rlx_map_count(&returns); i++) {
    RlxFileDiag *d = &diags->at[i];
    uint64_t is_alone = 1;
    const RlxStmt *def = def_around(d->stmt);
    if (d->diag->id != RLX_DIAG_ID(RETURN_MISMATCH) || !def) continue;
    rlx_map_get(&returns, parameter_key(rlx_class_around(def), def->name, 0), &is_alone);
    if (is_alone || d->diag->severity != RLX_ERROR) continue;
    own_diag(file, d)->severity = RLX_WARNING;
  }
  rlx_map_free(&returns);
}

/// What makes functions and their parameters doubtful: parameter_key to index plus 1.
static void find_disputed(RlxFile *file, const RlxFileDiags *diags, uint32_t from,
                          const uint32_t *fns, RlxMap *out) {
  Parameters params = {0};
  for (uint32_t i = from; i < diags->count; i++) {
    const RlxFileDiag *d = &diags->at[i];
    if (d->diag->id == RLX_DIAG_ID(SYNTAX) && fns[i - from] != UINT32_MAX)
      dispute_line(file, file->fns.at[fns[i - from]], d->span, i, out);
    else if (d->stmt && rlx_is_error_of_program(d->diag) &&
             !rlx_diag_has(d->diag->id, RLX_TRAIT_CALL) &&
             (!rlx_diag_has(d->diag->id, RLX_TRAIT_ALONE) ||
              is_of_signature(file, &params, d->stmt)))
      dispute(file, &params, d, i, out);
  }
  rlx_map_free(&params);
}

uint32_t rlx_cascade_drop(RlxFile *file, RlxFileDiags *diags, uint32_t from) {
  RlxFileDiags dropped = {0};
  Vec(uint32_t) fns = {0};
  Doubts doubts = {0};
  RlxMap disputed = {0};
  RlxCalledWell called_well = {0};
  RlxLineSearch search = {0};
  uint32_t kept = from, *moved = rlx_mem_alloc(diags->count, sizeof *moved);
  bool is_broken_outside = false;
  for (uint32_t i = from; i < diags->count; i++) {
    bool is_syntax = diags->at[i].diag->id == RLX_DIAG_ID(SYNTAX);
    uint32_t fn = fn_index(file, &search, diags->at[i].span.start, is_syntax);
    is_broken_outside |= is_syntax && fn == UINT32_MAX;
    rlx_vec_push(&fns, fn);
  }
  settle_returns(file, diags, from);
  find_disputed(file, diags, from, fns.at, &disputed);
  for (uint32_t i = from; i < diags->count;) {
    const uint32_t first = i, fn = fns.at[i - from];
    Group g = {.file = file,
               .fn = fn == UINT32_MAX ? NULL : file->fns.at[fn],
               .first = first,
               .disputed = &disputed,
               .called_well = &called_well,
               .is_broken_outside = is_broken_outside,
               .gives_symbols = UINT32_MAX};
    // It stands behind the function before, and is a part of that one's group.
    g.is_broken_above =
        g.fn && first > from && is_broken_decorator(file, &diags->at[first - 1], g.fn->stmt);
    for (; i < diags->count && fns.at[i - from] == fn; i++)
      note_finding(&g, &diags->at[i], i - first);
    g.count = i - first;
    drop_of_group(&g, diags, first, &kept, moved + first, &doubts, &dropped);
  }
  for (uint32_t i = 0; i < doubts.count; i++)
    if (moved[doubts.at[i].cause] != UINT32_MAX)
      add_doubt(file, &diags->at[moved[doubts.at[i].cause]], &doubts.at[i].call);
  kept = drop_callers(file, diags, from, kept, &dropped);
  for (uint32_t i = 0; i < dropped.count; i++) diags->at[kept + i] = dropped.at[i];
  rlx_vec_free(&dropped);
  rlx_map_free(&disputed);
  rlx_map_free(&called_well.names);
  rlx_vec_free(&doubts);
  rlx_vec_free(&fns);
  free(moved);
  return kept;
}
