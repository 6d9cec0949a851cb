/// Rules of gradients and checkpoints.
#include "analyzer/ops/ops.h"

#define RLX_FAMILY "analyzer/ops/grad.def"
#include "analyzer/ops/rules.h"

/// Is the expression a variable, or something that normal form binds to one?
static bool is_bound(const RlxExpr *x) {
  return x->kind == RLX_EXPR_VAR || x->kind == RLX_EXPR_CALL || x->kind == RLX_EXPR_TUPLE_GET ||
         x->kind == RLX_EXPR_IF;
}

/// From 0.26 on a symbolic variable is a variable like others.
static bool is_symbol(const RlxCall *call, const RlxExpr *x) {
  return call->is_027 && x->kind == RLX_EXPR_PRIM && rlx_prim_as_var(x->prim);
}

/// StructInfo of `R.grad.start_checkpoint(input)` and `R.grad.end_checkpoint`: the variable's.
///
/// Reports ARGUMENT_KIND: what is no variable by name is refused.
/// Source: TVM v0.25 InferStructInfoStartCheckpoint, src/relax/op/tensor/grad.cc.
const RlxSInfo *rlx_deduce_checkpoint(RlxDeduce *d, const RlxCall *call) {
  const RlxValue *v = &call->args[0];
  const RlxSInfo *x = rlx_arg_sinfo(call, 0);
  if (v->kind == RLX_VALUE_EXPR && !is_bound(v->expr) && !is_symbol(call, v->expr))
    rlx_fail_kind(d, call, 0, "a variable");
  return x ? x : rlx_sinfo_object(d->store);
}

/// StructInfo of gradients: that of argument 1, what the gradient is for.
///
/// Source: TVM v0.25 InferStructInfoTakeBackward and its like, src/relax/op/tensor/grad.cc.
const RlxSInfo *rlx_deduce_second_as_is(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_sinfo(call, 1);
  return x ? x : rlx_sinfo_object(d->store);
}

/// StructInfo of `R.grad.max_pool2d_backward(output_grad, data, …)` and its like: data's. Sizes are
/// lists, not ints.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoMaxPool2DBackward, src/relax/op/tensor/grad.cc.
const RlxSInfo *rlx_deduce_pool_backward(RlxDeduce *d, const RlxCall *call) {
  enum { FIRST = 2, LAST = 5 }; // pool_size, strides, padding, dilation
  for (int i = FIRST; i <= LAST && !d->failed; i++) {
    const int64_t *values;
    int count;
    if (rlx_need_list(d, call, i)) rlx_attr_ints(d, call, i, &values, &count);
  }
  return rlx_deduce_second_as_is(d, call);
}
