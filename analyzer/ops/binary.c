/// Rules of elementwise operators with two or three operands.
#include "analyzer/ops/dist.h"
#include "analyzer/ops/sparse.h"

#define RLX_FAMILY "analyzer/ops/binary.def"
#include "analyzer/ops/rules.h"

/// An operand that may be a tensor or an R.Prim; NULL after a report, or when only Python knows it.
static const RlxSInfo *operand(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  if (sinfo && sinfo->kind == RLX_SINFO_PRIM) return sinfo;
  const uint32_t before = d->sink->diags.count;
  const RlxSInfo *tensor = rlx_arg_tensor(d, call, i);
  if (!tensor && call->arg_count == 2 && d->sink->diags.count > before)
    rlx_fix_number(d->sink, rlx_vec_last(&d->sink->diags), &call->args[i],
                   rlx_arg_sinfo(call, 1 - i));
  return tensor;
}

/// A Prim beside a tensor counts as a tensor of shape (1,).
static const RlxSInfo *as_tensor(RlxDeduce *d, const RlxSInfo *a) {
  if (a->kind != RLX_SINFO_PRIM) return a;
  const RlxPrim *one = rlx_dim(d, 1);
  return rlx_out_tensor(d, &one, 1, a->dtype, NULL);
}

/// Shape, device and given dtype of a broadcast of `a` and `b`.
static const RlxSInfo *broadcast(RlxDeduce *d, const RlxCall *call, const RlxSInfo *a,
                                 const RlxSInfo *b, RlxDType dtype) {
  if (a->kind == RLX_SINFO_PRIM && b->kind == RLX_SINFO_PRIM)
    return rlx_sinfo_prim(d->store, dtype, NULL);
  a = as_tensor(d, a);
  b = as_tensor(d, b);
  const RlxVDevice *vdevice = rlx_rule_vdevice(d, call, a->vdevice, b->vdevice);
  RlxDims dims;
  int ndim;
  rlx_rule_broadcast(d, call, a, b, &dims, &ndim);
  if (!dims && a->shape_var && a->shape_var == b->shape_var) {
    return rlx_sinfo_tensor_of(d->store, a->shape_var, a->ndim, dtype, vdevice);
  }
  const int ndims[] = {a->ndim, b->ndim, ndim, INT32_MIN};
  return rlx_out_dist(d, call, rlx_out_tensor(d, dims, ndim, dtype, vdevice), 2, rlx_axis_aligned,
                      ndims);
}

/// StructInfo of `R.add(x1, x2)` and the other arithmetic, logical and bitwise operators.
///
/// x1, x2  tensors or R.Prim. Two R.Prim give an R.Prim; one counts as shape (1,).
/// Equal dtypes, or one of them bool (the left one's is kept); unknown when one is unknown. Shapes
/// broadcast; undecidable pairs give an unknown shape of known rank. The same shape variable on
/// both sides is kept. Reports ARGUMENT_KIND, DTYPE_MISMATCH, VDEVICE_MISMATCH, SHAPE_BROADCAST.
/// Source: TVM v0.25 InferStructInfoBroadcastArith, src/relax/op/tensor/binary.cc.
const RlxSInfo *rlx_deduce_binary_arith(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *sparse = call->row->id == RLX_OP_ID(add) ? rlx_sparse_add(d, call) : NULL;
  if (sparse) return sparse;
  const RlxSInfo *a = operand(d, call, 0), *b = operand(d, call, 1);
  if (!a || !b) return rlx_out_unknown(d);
  return broadcast(d, call, a, b, rlx_rule_dtype(d, call, a->dtype, b->dtype));
}

/// StructInfo of `R.equal(x1, x2)` and the other comparisons: as arithmetic, but the dtype is bool
/// and the operands' are not compared.
///
/// Reports ARGUMENT_KIND, VDEVICE_MISMATCH, SHAPE_BROADCAST.
/// Source: TVM v0.25 InferStructInfoBroadcastCMP, src/relax/op/tensor/binary.cc.
const RlxSInfo *rlx_deduce_binary_compare(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *a = operand(d, call, 0), *b = operand(d, call, 1);
  if (!a || !b) return rlx_rule_with_dtype(d, rlx_out_unknown(d), RLX_BOOL);
  return broadcast(d, call, a, b, RLX_BOOL);
}

/// StructInfo of `R.ewise_fma(x1, x2, x3)`.
///
/// Three tensors of one rank and dtype (unknown ones aside), dimension by dimension provably equal:
/// no broadcasting. Reports ARGUMENT_KIND, DTYPE_MISMATCH, RANK_MISMATCH, DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoEwiseFMA, src/relax/op/tensor/ternary.cc. Differs: sizes that
/// only may differ are no error there either, but its rank is kept; ours as well.
const RlxSInfo *rlx_deduce_ewise_fma(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x[3];
  for (int i = 0; i < 3; i++) {
    x[i] = rlx_arg_tensor(d, call, i);
    if (!x[i]) return rlx_out_unknown(d);
  }
  RlxDType dtype = x[0]->dtype;
  for (int i = 1; i < 3 && !d->failed; i++) {
    RlxDType other = x[i]->dtype;
    if (!rlx_dtype_known(dtype) || !rlx_dtype_known(other)) {
      dtype = rlx_dtype_unknown();
    } else if (!rlx_dtype_equal(dtype, other)) { // a bool, too
      RlxDiag *diag = rlx_fail(d, call, -1, RLX_DIAG_ID(DTYPE_MISMATCH), "ss",
                               rlx_text_dtype(d, dtype), rlx_text_dtype(d, other));
      rlx_fix_cast(d, call, diag, other, dtype);
      dtype = rlx_dtype_unknown();
    }
  }
  int ndim = -1, first = 0;
  for (int i = 0; i < 3; i++) {
    if (x[i]->ndim < 0) continue;
    if (ndim >= 0 && !rlx_need_same_ndim(d, call, i, x[i], first, x[first]))
      return rlx_out_as(d, x[0], NULL, ndim, dtype);
    if (ndim < 0) first = i;
    ndim = x[i]->ndim;
  }
  if (x[0]->shape_var && x[0]->shape_var == x[1]->shape_var && x[0]->shape_var == x[2]->shape_var)
    return rlx_out_like(d, x[0], dtype, x[0]->vdevice);
  if (!x[0]->dims || !x[1]->dims || !x[2]->dims) return rlx_out_as(d, x[0], NULL, ndim, dtype);
  for (int k = 0; k < ndim; k++) {
    for (int i = 1; i < 3; i++) {
      if (rlx_rule_equal(d, x[0]->dims[k], x[i]->dims[k])) continue;
      rlx_fail_dim(d, call, i, k, x[i]->dims[k], x[0]->dims[k]);
      return rlx_out_as(d, x[0], NULL, ndim, dtype);
    }
  }
  return rlx_out_as(d, x[0], x[0]->dims, ndim, dtype);
}

/// StructInfo of `R.where(condition, x1, x2)`.
///
/// condition  bool tensor; up to 0.25 an unknown dtype is refused, too.
/// The three shapes broadcast; dtype as in arithmetic of x1 and x2. Unless all shapes are known,
/// only the rank is. Reports ARGUMENT_KIND, DTYPE_CLASS, DTYPE_MISMATCH, SHAPE_BROADCAST.
/// Source: TVM v0.25 InferStructInfoWhere, src/relax/op/tensor/search.cc.
const RlxSInfo *rlx_deduce_where(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x[3];
  for (int i = 0; i < 3; i++) x[i] = rlx_arg_tensor(d, call, i);
  if (!x[0] || !x[1] || !x[2]) return rlx_out_unknown(d);
  bool is_open = call->is_027 && !rlx_dtype_known(x[0]->dtype);
  if (!rlx_dtype_is_bool(x[0]->dtype) && !is_open) {
    RlxDiag *diag = rlx_fail(d, call, 0, RLX_DIAG_ID(DTYPE_CLASS), "sss", "condition",
                             rlx_text_dtype(d, x[0]->dtype), "bool");
    rlx_fix_wrap(d, call, 0, diag, "cast it to bool", "R.astype(", ", \"bool\")");
  }
  RlxDType dtype = rlx_rule_dtype(d, call, x[1]->dtype, x[2]->dtype);
  const RlxVDevice *vdevice = rlx_common_vdevice(x, 3);
  int ndim = 0;
  RlxDims dims[3];
  bool known = true;
  for (int i = 0; i < 3; i++) {
    dims[i] = x[i]->dims;
    known &= dims[i] != NULL;
    ndim = ndim < 0 || x[i]->ndim < 0 ? -1 : ndim > x[i]->ndim ? ndim : x[i]->ndim;
  }
  if (!known && x[0]->shape_var && x[0]->shape_var == x[1]->shape_var &&
      x[0]->shape_var == x[2]->shape_var) {
    return rlx_out_like(d, x[0], dtype, vdevice);
  }
  if (!known) return rlx_out_tensor(d, NULL, ndim, dtype, vdevice);
  RlxDims branches, all;
  int branch_ndim = x[1]->ndim > x[2]->ndim ? x[1]->ndim : x[2]->ndim;
  if (rlx_broadcast_dims(d, call, dims[1], x[1]->ndim, dims[2], x[2]->ndim, &branches) !=
          RLX_BROADCAST_OK ||
      rlx_broadcast_dims(d, call, dims[0], x[0]->ndim, branches, branch_ndim, &all) !=
          RLX_BROADCAST_OK) {
    return rlx_out_tensor(d, NULL, ndim, dtype, vdevice);
  }
  return rlx_out_tensor(d, all, ndim, dtype, vdevice);
}
