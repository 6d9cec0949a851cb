/// Bindings of blocks: do the loops around run every instance of the block variables' domain, by an
/// affine map?
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"

RlxTirVerdict rlx_tir_affine_binding(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  if (!block->loop_count) return rlx_tir_holds();
  // One loop for each block variable, none twice: the identity.
  for (int i = 0; i < block->iter_count; i++) {
    const RlxTirExpr *binding = block->iters[i].iter->binding;
    bool is_loop = false;
    for (int k = 0; k < i && binding; k++) {
      const RlxTirExpr *before = block->iters[k].iter->binding;
      if (before && before->kind == RLX_TIR_VAR && before->var == binding->var) binding = NULL;
    }
    for (int k = 0; k < block->loop_count && binding && !is_loop; k++)
      is_loop = binding->kind == RLX_TIR_VAR && binding->var == a->loops[block->loops[k]].stmt->var;
    if (!is_loop) {
      RlxTirVerdict v = rlx_tir_fails(a, 1, "the binding of %s is not decided",
                                      rlx_store_text(a->store, block->iters[i].iter->var->name));
      v.is_unknown = true;
      return v;
    }
  }
  return rlx_tir_holds();
}
