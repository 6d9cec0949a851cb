/// Functions: making and freeing them, their variables, what a body gives.
/// Always true: a body is swept over only when its text, its signature or a name that it reads from
/// outside changed.
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/eval/signature.h"
#include "analyzer/function/function.h"
#include "analyzer/struct_info/sinfo_memo.h"
#include "base/hash.h"
#include "base/mem.h"

// ---- the whole

bool rlx_fn_is_in_signature(const RlxSymVar *var, void *data) {
  for (RlxFn *fn = data; fn; fn = fn->outer) {
    if (rlx_fn_has_param_var(fn, var)) return true;
    if (!var->is_relax) continue;
    for (uint32_t i = rlx_fn_first_param(fn, var->name); i < fn->params.count; i++) {
      const RlxDef *def = &fn->params.at[i];
      if (def->value.kind == RLX_VALUE_EXPR && def->name == var->name) return true;
    }
  }
  return false;
}

/// The text of the block's last statement is broken or not there yet: its `return` may be what is
/// missing.
static bool ends_broken(const RlxBlock *block) {
  if (!block || !block->count) return true;
  const RlxStmt *last = block->stmts[block->count - 1];
  bool has_suite =
      last->kind == RLX_STMT_WITH || last->kind == RLX_STMT_IF || last->kind == RLX_STMT_FOR;
  return last->has_error || (has_suite && ends_broken(last->body));
}

/// Whether a body's result counts instead of its annotation (TVM's Function constructor). Of
/// functions the parameters are compared as the results are: a closure that is returned keeps what
/// it takes.
static bool functions_are_finer(RlxStore *store, const RlxSInfo *annotated, const RlxSInfo *known,
                                RlxSInfoMemo *memo);

static bool is_finer(RlxStore *store, const RlxSInfo *annotated, const RlxSInfo *known,
                     RlxSInfoMemo *memo) {
  uint64_t noted;
  if (annotated == known) return true;
  if (annotated->kind != RLX_SINFO_FUNC || known->kind != RLX_SINFO_FUNC || !annotated->params ||
      !known->params || annotated->count != known->count)
    return rlx_sinfo_base_check(store, NULL, annotated, known, NULL, NULL) == RLX_CHECK_PASS;
  if (rlx_sinfo_met(memo, annotated, known, &noted)) return noted != 0;
  const bool is = functions_are_finer(store, annotated, known, memo);
  rlx_sinfo_meet(memo, annotated, known, is);
  return is;
}

static bool functions_are_finer(RlxStore *store, const RlxSInfo *annotated, const RlxSInfo *known,
                                RlxSInfoMemo *memo) {
  for (int32_t i = 0; i < known->count; i++)
    if (!is_finer(store, annotated->params[i], known->params[i], memo)) return false;
  return (annotated->purity == known->purity || known->purity == RLX_PURE) &&
         is_finer(store, annotated->ret, known->ret, memo);
}

static bool suite_is_impure(const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (unit && (unit->is_impure || suite_is_impure(unit->body) || suite_is_impure(unit->orelse)))
      return true;
  }
  return false;
}

/// Whether an error stands in a body: what it stands in may have been meant as the `return`.
static bool suite_has_error(const RlxSuite *suite) {
  for (uint32_t i = 0; suite && suite->diag_count && i < suite->reported.count; i++) {
    const RlxAnalysis *unit = suite->reported.at[i];
    if (rlx_unit_has_error(unit) || suite_has_error(unit->body) || suite_has_error(unit->orelse))
      return true;
  }
  return false;
}

/// Whether the making of the value, or of a field of a tuple that is written there, failed.
static bool has_failed(const RlxExpr *x) {
  if (x->kind == RLX_EXPR_HOLE) return true;
  if (x->kind == RLX_EXPR_VAR) return (x->var->is_tainted & RLX_FAILED) != 0;
  for (uint32_t i = 0; x->kind == RLX_EXPR_TUPLE && i < x->field_count; i++)
    if (has_failed(x->fields[i])) return true;
  return false;
}

/// What the body returned, as callers may know it.
static void conclude(RlxFn *fn, const RlxEnv *env) {
  RlxStore *store = fn->file->store;
  rlx_questions_of_statements(store, 1);
  rlx_arena_free(fn->end_arena);
  fn->end_arena = rlx_arena_new_sized(256);
  fn->end.arena = fn->end_arena;
  rlx_vec_clear(&fn->end.diags);
  const RlxDef *ret = rlx_env_get(env, fn->file->analyzer->name_return);
  fn->result = ret ? ret->value.expr : NULL;
  fn->result_stmt = ret ? ret->stmt : NULL;
  if (!ret && !fn->stmt->has_error && !suite_has_error(fn->body) && !ends_broken(fn->stmt->body))
    rlx_reportf(&fn->end, RLX_DIAG_ID(RETURN_MISSING), fn->stmt->name_span, "s",
                rlx_store_text(store, fn->stmt->name));
  const RlxSInfo *deduced = fn->result ? fn->result->sinfo : rlx_sinfo_object(store);
  RlxScope scope = {rlx_fn_is_in_signature, fn, fn->function.ret_annotation ? NULL : env->facts};
  const RlxSInfo *annotated = fn->function.ret_annotation,
                 *known = rlx_sinfo_erase_to_well_defined(store, deduced, scope);
  // A body that is known better than its annotation counts (TVM's Function constructor).
  bool finer = annotated && fn->result && fn->result->kind != RLX_EXPR_HOLE &&
               !(fn->result->kind == RLX_EXPR_VAR && fn->result->var->is_tainted);
  RlxSInfoMemo memo = {0};
  if (finer) finer = is_finer(store, annotated, known, &memo);
  rlx_sinfo_memo_free(&memo);
  fn->function.ret = annotated && !finer ? annotated
                     : annotated && known->kind != RLX_SINFO_FUNC
                         ? rlx_policy_complete(store, known, annotated)
                         : known;
  if (fn->dialect == RLX_DIALECT_TLC)
    fn->function.is_pure = !suite_is_impure(fn->body); // nothing declared it then
  rlx_fn_state(fn);
  fn->ret_failed = !annotated && fn->result && has_failed(fn->result);
  rlx_fn_check_decorators(fn);
  rlx_wellformed_function(fn);
  rlx_fn_settle(fn);
  fn->body_is_open =
      fn->result && fn->result->kind == RLX_EXPR_VAR && fn->result->var->is_tainted == RLX_OPEN;
  rlx_unused_find(fn);
}

bool rlx_fn_analyze(RlxFn *fn, const RlxEnv *outer_env, const atomic_bool *cancel) {
  RlxFile *file = fn->file;
  if (fn->body_state == 1) return true;
  rlx_fn_refresh(fn);
  if (fn->outer && fn->is_printed != fn->outer->is_printed) {
    fn->is_printed = fn->outer->is_printed;
    fn->all_dirty = true; // severities depend on it
  }
  bool touched = fn->is_dirty || fn->all_dirty || fn->head_is_new ||
                 (rlx_map_count(&file->changed_outer) &&
                  rlx_outer_changed(file, fn->outer_reads.at, fn->outer_reads.count));
  if (!touched || !fn->stmt->body) return true;
  if (fn->kind == RLX_ISLAND_PRIM_FUNC) {
    rlx_primfunc_check(fn, rlx_share_bound(file));
    fn->is_dirty = fn->all_dirty = fn->head_is_new = false;
  }
  if (fn->kind != RLX_ISLAND_RELAX) return true;
  fn->body_state = 1;
  file->stats.checked_functions++;
  if (!fn->body) fn->body = rlx_suite_new(fn->stmt->body);
  if (fn->build_serial != file->build_serial) fn->body->was_built = false;
  fn->build_serial = file->build_serial;
  rlx_suite_build(file, fn->body, fn);
  RlxEnv *env = rlx_env_new(file->analyzer);
  env->parent = outer_env;
  RlxMarked *marked = fn->outer ? NULL : &fn->marked;
  RlxMarkSweep marks = rlx_marks_enter(file->store, fn->function.scope, marked);
  bool done = rlx_fn_sweep(fn, env, cancel);
  if (done) {
    conclude(fn, env);
    for (uint32_t i = 0; i < fn->orphans.count; i++)
      if (fn->orphans.at[i]) rlx_vec_push(&fn->spare, fn->orphans.at[i]);
    rlx_vec_clear(&fn->orphans);
    rlx_map_clear(&fn->orphan_index);
    fn->is_dirty = fn->all_dirty = fn->head_is_new = false;
  } else
    fn->is_dirty = fn->all_dirty = true; // what was skipped is not known: all of it next time
  rlx_marks_leave(file->store, marks, marked);
  rlx_env_release(file->analyzer, env);
  fn->body_state = 2;
  return done;
}
