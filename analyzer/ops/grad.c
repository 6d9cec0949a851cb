/// Rules of gradients and checkpoints.
#include "analyzer/ops/ops.h"

/// StructInfo of `R.grad.start_checkpoint(input)` and `R.grad.end_checkpoint`: the variable's.
///
/// Reports ARGUMENT_KIND: what is no variable by name is refused.
/// Source: TVM v0.25 InferStructInfoStartCheckpoint, src/relax/op/tensor/grad.cc.
const RlxSInfo *rlx_deduce_checkpoint(RlxDeduce *d, const RlxCall *call) {
  const RlxValue *v = &call->args[0];
  const RlxSInfo *x = rlx_arg_sinfo(call, 0);
  if (v->kind == RLX_VALUE_EXPR && v->expr->kind != RLX_EXPR_VAR) rlx_fail_kind(d, call, 0, "a variable");
  return x ? x : rlx_sinfo_object(d->store);
}

/// StructInfo of gradients: that of argument 1, what the gradient is for.
///
/// Source: TVM v0.25 InferStructInfoTakeBackward and its like, src/relax/op/tensor/grad.cc.
const RlxSInfo *rlx_deduce_second_as_is(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_sinfo(call, 1);
  return x ? x : rlx_sinfo_object(d->store);
}
