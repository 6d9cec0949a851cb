/// Rules of elementwise operators with one operand: the result has its shape.
#include "analyzer/ops/dist.h"

#define RLX_FAMILY "analyzer/ops/unary.def"
#include "analyzer/ops/rules.h"

/// StructInfo of operators that take any dtype: the operand's own.
///
/// x  tensor; rank, shape and dtype may be unknown.
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoUnaryArith<false>, src/relax/op/op_common.h.
const RlxSInfo *rlx_deduce_unary_any(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  return x ? rlx_out_dist_same(d, call, x) : rlx_out_unknown(d);
}

/// StructInfo of operators of floating-point tensors: the operand's own. An unknown dtype passes.
///
/// Reports ARGUMENT_KIND, DTYPE_CLASS.
/// Source: TVM v0.25 InferStructInfoUnaryArith<true>, src/relax/op/op_common.h.
const RlxSInfo *rlx_deduce_unary_float(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_out_unknown(d);
  rlx_need_float(d, call, 0, x);
  return rlx_out_dist_same(d, call, x);
}

/// StructInfo of `R.isnan` and its like: the operand's with dtype bool.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoUnaryCheck, src/relax/op/tensor/unary.cc.
const RlxSInfo *rlx_deduce_unary_test(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  return rlx_rule_with_dtype(d, x ? x : rlx_out_unknown(d), RLX_BOOL);
}

/// StructInfo of operators that hand their first argument's on, whatever its kind: `R.clip`,
/// `R.memory.ensure_zero_offset`.
///
/// Source: TVM v0.25 ReturnStructInfoFromArg<0>, src/relax/op/op_common.h.
const RlxSInfo *rlx_deduce_first_as_is(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_sinfo(call, 0);
  for (int i = 1; call->row && i < call->row->param_count; i++) {
    if (call->row->params[i].kind == RLX_PARAM_PRIM)
      (void)rlx_arg_prim(d, call, i); // reports a wrong kind
  }
  return x ? x : rlx_sinfo_object(d->store);
}

/// StructInfo of `R.astype(x, dtype)`: x's with another dtype; "void" makes it unknown.
///
/// Reports ARGUMENT_KIND, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoAstype, src/relax/op/tensor/datatype.cc.
const RlxSInfo *rlx_deduce_astype(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  RlxDType dtype = rlx_attr_dtype_or(d, call, 1, rlx_dtype_unknown());
  return rlx_rule_with_dtype(d, x ? x : rlx_out_unknown(d), dtype);
}
