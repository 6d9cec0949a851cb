/// What TVM refuses in the body of a PrimFunc, as diagnostics of its function.
#include <string.h>

#include "analyzer/diag/line_words.h"
#include "analyzer/eval/outer.h"
#include "analyzer/function/function.h"
#include "analyzer/script/script.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/stmt_text.h"
#include "analyzer/tir/findings.h"
#include "analyzer/words/script_names.h"
#include "base/hash.h"

/// `T.func_attr({"global_symbol": …})` of a private PrimFunc. The other way round TVM does not mind
/// a PrimFunc whose symbol is another one: it is the name under which it is linked.
static void check_attributes(RlxFn *fn) {
  const RlxBlock *body = fn->stmt->body;
  const RlxStore *store = fn->file->store;
  for (uint32_t i = 0; body && i < body->count && fn->function.is_private; i++) {
    const RlxStmt *stmt = body->stmts[i];
    if (stmt->kind != RLX_STMT_EXPR || !stmt->value || stmt->value->kind != RLX_AST_CALL ||
        stmt->value->child_count != 2)
      continue;
    const RlxAst *head = stmt->value->children[0], *dict = stmt->value->children[1];
    if (head->kind != RLX_AST_ATTRIBUTE ||
        strcmp(rlx_store_text(store, head->name), "func_attr") != 0 || dict->kind != RLX_AST_DICT)
      continue;
    for (uint32_t k = 0; k + 1 < dict->child_count; k += 2) {
      const RlxAst *key = dict->children[k];
      if (key->kind != RLX_AST_STRING || strcmp(key->text, "global_symbol") != 0) continue;
      uint32_t at = stmt->start - fn->stmt->start;
      RlxDiag *diag = rlx_reportf(&fn->end, RLX_DIAG_ID(GLOBAL_SYMBOL_PRIVATE),
                                  rlx_span(at + key->span.start, at + key->span.end), "s",
                                  rlx_store_text(store, fn->stmt->name));
      RlxSpan cut = rlx_dict_entry_span(dict, k);
      rlx_diag_fix(&fn->end, diag, "remove it", rlx_span(at + cut.start, at + cut.end), "");
    }
  }
}

static const char *copied(RlxArena *arena, const char *text) {
  return text ? rlx_arena_strdup(arena, text) : NULL;
}

/// A diagnostic of the reader, which lives as long as the PrimFunc, for `sink`.
static void report(RlxSink *sink, const RlxDiag *from) {
  RlxDiag *diag = rlx_arena_one(sink->arena, RlxDiag);
  *diag = *from;
  diag->message = copied(sink->arena, from->message);
  rlx_vec_push(&sink->diags, diag);
}

/// What TVM's verifier finds counts where it is asked; until 0.23 a buffer that is only described
/// could be used.
static bool is_allowed(const RlxFn *fn, const RlxDiag *diag) {
  bool is_described = diag->id == RLX_DIAG_ID(BUFFER_UNDECLARED);
  if (!is_described && diag->id != RLX_DIAG_ID(BLOCK_LOOP_VAR)) return false;
  if (is_described && (fn->dialect == RLX_DIALECT_CLASSIC || fn->dialect == RLX_DIALECT_TLC))
    return true;
  return !rlx_primfunc_is_verified(fn);
}

/// Whether a line is wrong because of those before it, which stand where they should not: not when
/// it is the decorator of what follows the function.
static bool is_of_lines_before(const RlxSyntaxProblem *problem, const char *line) {
  const bool is_of_layout =
      problem->kind == RLX_SYNTAX_INDENTATION || problem->kind == RLX_SYNTAX_NO_BLOCK;
  return is_of_layout && line[strspn(line, " \t")] != '@';
}

uint32_t rlx_primfunc_broken_from(const RlxFn *fn, const RlxSyntaxProblems *problems) {
  uint32_t found = UINT32_MAX, size = 0;
  const char *text = rlx_document_text(fn->file->document, &size);
  const uint32_t start = fn->stmt->start, end = start + fn->stmt->size;
  for (uint32_t i = 0; i < problems->count && found; i++) {
    const RlxSyntaxProblem *problem = &problems->at[i];
    if (problem->is_late || problem->span.end < start || problem->span.start > end) continue;
    const uint32_t line = rlx_line_start(text, problem->span.start);
    const uint32_t at =
        line > start && !is_of_lines_before(problem, text + line) ? line - start : 0;
    if (at < found) found = at;
  }
  return found;
}

static uint32_t broken_from(const RlxFn *fn) {
  if (!fn->file->broken_places) return UINT32_MAX;
  RlxSyntaxProblems problems = {0};
  rlx_document_problems(fn->file->document, &problems);
  const uint32_t found = rlx_primfunc_broken_from(fn, &problems);
  rlx_vec_free(&problems);
  return found;
}

typedef struct Watched {
  RlxFile *file;
  const RlxStmt *from;
  RlxFn *fn;
} Watched;

/// The value of a name around the function; notes that the function depends on the name.
static bool watched_lookup(RlxName name, RlxValue *out, void *data) {
  Watched *w = data;
  rlx_vec_push(&w->fn->outer_reads, name);
  return rlx_outer_find(w->file, w->from, name, out);
}

/// A PrimFunc of the module around, by the module's own name, as TVM's parser has it.
static const RlxStmt *watched_function(RlxName module, RlxName name, void *data) {
  Watched *w = data;
  if (!w->fn->module || w->fn->module->name != module) return NULL;
  rlx_vec_push(&w->fn->outer_reads, name);
  return rlx_file_sibling(w->file, w->from, module, name);
}

/// Whether a report stands where nothing before is broken, and is about names alone.
static bool is_before(const RlxDiag *diag, uint32_t broken) {
  return broken == UINT32_MAX ||
         (diag->span.end < broken &&
          (diag->id == RLX_DIAG_ID(NAME_UNDEFINED) || diag->id == RLX_DIAG_ID(ATTRIBUTE_UNKNOWN)));
}

/// `broken`: see rlx_primfunc_broken_from.
static void look_at_calls(RlxFn *fn, uint32_t broken) {
  uint32_t kept = fn->end.diags.count;
  rlx_primfunc_check_calls(fn);
  for (uint32_t i = kept; i < fn->end.diags.count; i++)
    if (is_before(fn->end.diags.at[i], broken)) fn->end.diags.at[kept++] = fn->end.diags.at[i];
  fn->end.diags.count = kept;
}

/// `broken`: see rlx_primfunc_broken_from.
static void look_at_body(RlxFn *fn, uint32_t broken, RlxSetWork *work) {
  Watched watched = {fn->file, fn->stmt, fn};
  bool is_known = rlx_script_names_cover((RlxDialect)fn->dialect);
  RlxTirOuter outer = {.lookup = watched_lookup,
                       .data = &watched,
                       .dialect = (uint8_t)fn->dialect,
                       .may_be_025 = is_known && rlx_fn_may_be(fn, RLX_DIALECT_025),
                       .may_be_027 = is_known && rlx_fn_may_be(fn, RLX_DIALECT_027),
                       .places_allocs = is_known,
                       .stores_by_name = is_known,
                       .function = watched_function};
  RlxTirIssues issues = {0};
  RlxPrimFunc *f = rlx_primfunc_lower(fn->file->store, fn->stmt, &outer, &issues);
  for (uint32_t i = 0; i < issues.count; i++)
    if (issues.at[i].diag && is_before(issues.at[i].diag, broken) &&
        !is_allowed(fn, issues.at[i].diag))
      report(&fn->end, issues.at[i].diag);
  rlx_vec_free(&issues);
  if (broken == UINT32_MAX) {
    const bool is_script = outer.may_be_025 || outer.may_be_027;
    if (is_script)
      rlx_tir_detected_findings(fn->file->store, f, rlx_primfunc_is_verified(fn), &fn->end);
    rlx_tir_findings(fn->file->store, f, fn->stmt, work, &fn->end);
  }
  rlx_primfunc_free(f);
}

static uint32_t statements_in(const RlxBlock *block) {
  uint32_t count = 1;
  for (uint32_t i = 0; block && i < block->count; i++)
    count += statements_in(block->stmts[i]->body) + statements_in(block->stmts[i]->orelse);
  return count + (block ? block->count : 0);
}

static uint64_t hash_places(const RlxBlock *block, uint32_t start, uint64_t hash) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    hash = hash_places(stmt->body, start, rlx_hash_mix(hash, stmt->start - start));
    hash = hash_places(stmt->orelse, start, hash);
  }
  return hash;
}

uint64_t rlx_primfunc_layout(const RlxFn *fn) {
  bool names_line = false;
  for (uint32_t i = 0; i < fn->end.diags.count && !names_line; i++)
    names_line = strchr(fn->end.diags.at[i]->message, RLX_LINE_MARK_BOUND) != NULL;
  return names_line ? hash_places(fn->stmt->body, fn->stmt->start, 1) : 0;
}

void rlx_primfunc_check(RlxFn *fn, uint32_t bound) {
  RlxSetWork work = {.left = bound};
  rlx_questions_of_statements(fn->file->store, statements_in(fn->stmt->body));
  rlx_arena_free(fn->end_arena);
  fn->end_arena = rlx_arena_new_sized(256);
  fn->end.arena = fn->end_arena;
  rlx_vec_clear(&fn->end.diags);
  fn->outer_reads.count = fn->header_read_count;
  fn->has_volatile = false;
  fn->broken_from = broken_from(fn);
  bool is_sound = rlx_fn_check_decorators(fn);
  check_attributes(fn);
  const uint32_t broken = is_sound ? fn->broken_from : 0;
  if (broken) look_at_calls(fn, broken);
  if (broken) look_at_body(fn, broken, &work);
  if (broken == UINT32_MAX) rlx_primfunc_check_values(fn);
  rlx_fn_settle(fn);
  fn->layout = rlx_primfunc_layout(fn);
  fn->work_bound = bound;
  fn->work_cost = bound - work.left;
  fn->work_is_short = work.is_short;
}
