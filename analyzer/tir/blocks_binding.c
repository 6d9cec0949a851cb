/// Bindings of blocks. Two questions: is the map from the loops around to the block variables
/// affine (TVM's flag)? And does every instance of the block variables' domain run exactly once?
/// The second is decided exactly, with a witness when the answer is no.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"
#include "analyzer/tir/iter_map.h"

/// The block's binding under its loops; false when something in it is no integer expression, and
/// what in `*why`.
static bool binding_query(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                          RlxBindingQuery *out, RlxTirVerdict *why) {
  RlxLoopRange *loops = rlx_arena_array(a->arena, RlxLoopRange, block->loop_count + 1);
  RlxTirBinding *vars = rlx_arena_array(a->arena, RlxTirBinding, block->iter_count + 1);
  const char **names = rlx_arena_array(a->arena, const char *, block->loop_count + 1);
  *out = (RlxBindingQuery){.loops = loops,
                           .loop_names = names,
                           .loop_count = block->loop_count,
                           .vars = vars,
                           .var_count = block->iter_count,
                           .work = a->work,
                           .predicate = block->predicate};
  for (int i = 0; i < block->loop_count; i++) {
    const RlxTirLoopInfo *l = &a->loops[block->loops[i]];
    loops[i] = (RlxLoopRange){l->symbol, l->min, l->extent};
    names[i] = rlx_tir_loop_title(a, l);
    if (l->min && l->extent) continue;
    *why = rlx_tir_fails(a, 1, "the range of loop %s is no integer expression", names[i]);
    return false;
  }
  for (int i = 0; i < block->iter_count; i++) {
    const RlxTirIterInfo *v = &block->iters[i];
    vars[i] =
        (RlxTirBinding){v->symbol, v->min, v->extent, v->binding, v->iter->type == RLX_ITER_REDUCE};
    if (v->min && v->extent && v->binding) continue;
    *why = rlx_tir_fails(a, 1, "the binding of %s is no integer expression",
                         rlx_store_text(a->store, v->iter->var->name));
    return false;
  }
  if (block->block && block->block->predicate && !block->predicate) {
    *why = rlx_tir_fails(a, 1, "the predicate is no integer expression");
    return false;
  }
  return true;
}

/// One loop for each block variable, none twice: the identity, the common case.
static bool is_identity(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  if (block->block && block->block->predicate) return false;
  for (int i = 0; i < block->iter_count; i++) {
    const RlxTirExpr *binding = block->iters[i].iter->binding;
    if (!binding || binding->kind != RLX_TIR_VAR) return false;
    for (int k = 0; k < i; k++)
      if (block->iters[k].iter->binding->var == binding->var) return false;
    bool is_loop = false;
    for (int k = 0; k < block->loop_count && !is_loop; k++)
      is_loop = binding->var == a->loops[block->loops[k]].stmt->var;
    if (!is_loop) return false;
  }
  return true;
}

RlxTirVerdict rlx_tir_affine_binding(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  if (!block->loop_count || is_identity(a, block)) return rlx_tir_holds();
  RlxBindingQuery q;
  RlxTirVerdict v;
  if (!binding_query(a, block, &q, &v)) return v;
  if (rlx_binding_is_affine(a->store, a->arena, &q)) return rlx_tir_holds();
  return rlx_tir_fails(a, 1, "the loops do not split and fuse to its block variables");
}

RlxTirVerdict rlx_tir_affine_below(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                                   int loop) {
  if (block->affine_binding.is) return rlx_tir_holds();
  int from = 0;
  while (from < block->loop_count && block->loops[from] != loop) from++;
  RlxTirBlockInfo below = *block;
  below.loops = block->loops + from;
  below.loop_count = block->loop_count - from;
  return rlx_tir_affine_binding(a, &below);
}

/// One loop for each variable, in order, over its very domain.
static bool is_whole_identity(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  if (!block->trivial_binding.is || (block->block && block->block->predicate)) return false;
  for (int i = 0; i < block->iter_count; i++) {
    const RlxTirIterInfo *v = &block->iters[i];
    const RlxTirLoopInfo *l = &a->loops[block->loops[i]];
    if (!v->min || !v->extent || v->min != l->min || v->extent != l->extent) return false;
  }
  return true;
}

RlxBindingVerdict rlx_tir_binding(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  RlxBindingQuery q;
  RlxTirVerdict why;
  RlxBindingVerdict v = {.proof = RLX_UNKNOWN};
  if (is_whole_identity(a, block))
    return (RlxBindingVerdict){
        .proof = RLX_YES, .by_rule = true, .reason = "each variable is a loop over its domain"};
  if (binding_query(a, block, &q, &why)) return rlx_binding_check(a->store, a->arena, &q);
  v.reason = why.reason;
  return v;
}

RlxBindingVerdict rlx_tir_binding_covers(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  RlxBindingQuery q;
  RlxTirVerdict why;
  RlxBindingVerdict v = {.proof = RLX_UNKNOWN};
  if (is_whole_identity(a, block)) // an affine binding may have a loop that is too short
    return (RlxBindingVerdict){.proof = RLX_YES, .by_rule = true, .reason = ""};
  if (binding_query(a, block, &q, &why)) return rlx_binding_covers(a->store, a->arena, &q);
  v.reason = why.reason;
  return v;
}
