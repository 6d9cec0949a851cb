/// What each statement uses, as one sum a function: the bindings that nothing reads are looked for
/// again only when the sum is another one.
#include "analyzer/state/state.h"
#include "base/hash.h"

const RlxBinding *rlx_plain_binding(const RlxAnalysis *unit) {
  const RlxStmt *stmt = unit->stmt;
  bool names_one = (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED) &&
                   stmt->target_count == 1 && stmt->targets[0]->kind == RLX_AST_NAME;
  if (unit->kind != RLX_UNIT_SIMPLE || unit->is_impure || !unit->binding_count || !names_one)
    return NULL;
  const RlxBinding *b = unit->bindings[unit->binding_count - 1];
  for (uint32_t i = 0; i < unit->binding_count; i++)
    if (unit->bindings[i]->kind != RLX_BINDING_VAR ||
        unit->bindings[i]->value->kind == RLX_EXPR_HOLE)
      return NULL;
  return b->var->is_temporary || b->var->name != stmt->targets[0]->name ? NULL : b;
}

const RlxBinding *rlx_binding_of(const RlxVar *var) {
  const RlxAnalysis *unit = var && var->stmt ? var->stmt->analysis : NULL;
  const bool is_there = unit && var->place < unit->binding_count;
  if (is_there && unit->bindings[var->place]->var == var) return unit->bindings[var->place];
  for (uint32_t i = 0; unit && i < unit->binding_count; i++) // an `if` gives it a place elsewhere
    if (unit->bindings[i]->var == var) return unit->bindings[i];
  return NULL;
}

void rlx_use_marks_drop(RlxFn *fn) {
  for (uint32_t i = 0; i < fn->unused.count; i++) fn->unused.at[i]->is_unused = false;
  rlx_vec_clear(&fn->unused);
  fn->unused_sum = 0;
}

void rlx_use_mark_forget(RlxAnalysis *unit) {
  RlxFn *fn = rlx_fn_outermost(unit->owner);
  fn->use_sum -= unit->use_mark;
  unit->use_mark = 0;
  if (unit->is_unused) rlx_use_marks_drop(fn);
}

/// What a branch gives: the name of its last binding.
static RlxName tail_name(const RlxSuite *suite) {
  for (uint32_t i = suite ? suite->units.count : 0; i-- > 0;) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (unit && unit->kind == RLX_UNIT_WITH) return tail_name(unit->body);
    if (unit && unit->binding_count) return unit->bindings[unit->binding_count - 1]->var->name;
    if (unit && unit->kind == RLX_UNIT_IF) return 0;
  }
  return 0;
}

/// Which statement a branch ends with is noted by the `if`, which is joined at every sweep.
void rlx_use_mark_note(RlxAnalysis *unit) {
  const RlxBinding *b = rlx_plain_binding(unit);
  uint64_t hash = rlx_hash_u64((uint64_t)(unit->has_error || unit->is_tainted != 0) |
                               (uint64_t)(unit->binding_count > 0) << 1);
  if (unit->kind == RLX_UNIT_IF)
    hash = rlx_hash_mix(rlx_hash_mix(hash, tail_name(unit->body)), tail_name(unit->orelse));
  if (b) hash = rlx_hash_mix(hash, b->var->name);
  for (uint32_t i = 0; i < unit->read_count; i++)
    hash += rlx_hash_u64(~(uint64_t)unit->reads[i].name);
  unit->use_mark = hash;
  rlx_fn_outermost(unit->owner)->use_sum += hash;
}

bool rlx_is_branch_tail(const RlxStmt *stmt) {
  const RlxBlock *block = stmt->block;
  const RlxStmt *parent = block ? block->parent : NULL;
  while (parent && parent->kind == RLX_STMT_WITH)
    parent = parent->block ? parent->block->parent : NULL;
  if (!parent || parent->kind != RLX_STMT_IF) return false;
  for (uint32_t i = stmt->index + 1; i < block->count; i++) {
    const RlxAnalysis *unit = block->stmts[i]->analysis;
    if (unit && (unit->binding_count || unit->kind == RLX_UNIT_WITH || unit->kind == RLX_UNIT_IF))
      return false;
  }
  return block->parent == parent || rlx_is_branch_tail(block->parent);
}
