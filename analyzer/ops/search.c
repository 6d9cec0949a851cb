/// Rules of operators that search, sort, sample, and look for distinct elements.
#include "analyzer/ops/ops.h"
#include <string.h>

#define RLX_FAMILY "analyzer/ops/search.def"
#include "analyzer/ops/rules.h"

/// StructInfo of `R.bucketize(input_tensor, boundaries, out_int32=False, right=False)`: the
/// operand's shape, int64 or int32.
///
/// Reports ARGUMENT_KIND, RANK.
/// Source: TVM v0.25 InferStructInfoBucketize, src/relax/op/tensor/search.cc.
const RlxSInfo *rlx_deduce_bucketize(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0), *boundaries = rlx_arg_tensor(d, call, 1);
  RlxDType dtype = rlx_attr_bool_or(d, call, 2, false) ? RLX_INT32 : RLX_INT64;
  if (!x) return rlx_rule_with_dtype(d, rlx_out_unknown(d), dtype);
  if (boundaries) rlx_need_ndim(d, call, 1, boundaries, 1, false);
  return rlx_out_as(d, x, x->dims, x->ndim, dtype);
}

/// StructInfo of `R.nonzero(x)`: int64, rank 2, unknown shape.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoNonzero, src/relax/op/tensor/set.cc.
const RlxSInfo *rlx_deduce_nonzero(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  return rlx_out_tensor(d, NULL, 2, RLX_INT64, x ? x->vdevice : NULL);
}

/// A flag that may be a Python bool, an int or a written R.prim_value. False when it is not known;
/// reports ARGUMENT_KIND.
static bool flag(RlxDeduce *d, const RlxCall *call, int i, int64_t *out) {
  if (call->args[i].kind == RLX_VALUE_BOOL) {
    *out = call->args[i].boolean;
    return true;
  }
  const RlxPrim *p = rlx_arg_written_prim(d, call, i);
  return p && rlx_prim_is_const(p, out);
}

/// StructInfo of `R.unique(x, sorted=True, return_index=False, return_inverse=False,
/// return_counts=False, axis=None)`.
///
/// values: rank 1 (with axis: x's), shape unknown; (1,) for a scalar. Each extra is an int64
/// vector; with any, a tuple. Reports ARGUMENT_KIND, AXIS_RANGE.
/// Source: TVM v0.25 InferStructInfoUnique, src/relax/op/tensor/set.cc.
const RlxSInfo *rlx_deduce_unique(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_sinfo_object(d->store);
  const RlxValue *axis = &call->args[5];
  int64_t k;
  bool has_axis = rlx_arg_given(call, 5);
  const RlxPrim *p = has_axis && axis->kind != RLX_VALUE_UNKNOWN ? rlx_arg_prim(d, call, 5) : NULL;
  if (p && rlx_prim_is_const(p, &k) && x->ndim >= 0 && (k < -x->ndim || k >= x->ndim)) {
    rlx_fail_axis(d, call, 5, k, x->ndim, -x->ndim);
  }
  for (int i = 1; i < 6; i++) {
    const RlxValue *v = &call->args[i];
    bool is_scalar = v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT ||
                     v->kind == RLX_VALUE_PRIM; // from 0.26 on; the flags behind the first are read
    bool is_number = v->kind == RLX_VALUE_BOOL ||
                     (i == 5 && (v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_NONE)) ||
                     (call->is_027 && is_scalar && (i < 2 || i > 4 || v->kind != RLX_VALUE_FLOAT));
    const RlxSInfo *given = rlx_arg_sinfo(call, i);
    bool is_value = v->kind == RLX_VALUE_EXPR &&
                    (i > 1 || !given || given->kind == RLX_SINFO_PRIM || // the others are read
                     given->kind == RLX_SINFO_OBJECT);
    if (!v->is_default && !is_number && v->kind != RLX_VALUE_ABSENT && !is_value &&
        v->kind != RLX_VALUE_UNKNOWN && !d->failed)
      rlx_fail_kind(d, call, i, i < 5 ? "True or False" : "an int");
  }
  const RlxPrim *one = rlx_dim(d, 1);
  const RlxSInfo *fields[4];
  int count = 1, negative = 0;
  int64_t asked, sum = 0;
  fields[0] = x->ndim == 0 ? rlx_out(d, x, &one, 1) : rlx_out(d, x, NULL, has_axis ? x->ndim : 1);
  for (int i = 2; i < 5; i++) {
    if (!flag(d, call, i, &asked)) return rlx_sinfo_object(d->store);
    if (asked < 0) negative = i;
    sum += asked < INT32_MIN ? INT32_MIN : asked > INT32_MAX ? INT32_MAX : asked;
    if (asked) fields[count++] = rlx_out_as(d, x, x->ndim == 0 ? &one : NULL, 1, RLX_INT64);
  }
  if (sum < -1 && !d->failed)
    rlx_fail_kind(d, call, negative, "True or False"); // TVM makes room for 1 + sum
  return count == 1 ? fields[0] : rlx_out_tuple(d, fields, count);
}

/// StructInfo of `R.sort(x, axis=-1, descending=False)`: x's; the axis is not checked, as in TVM.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoSort, src/relax/op/tensor/sorting.cc.
const RlxSInfo *rlx_deduce_sort(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  (void)rlx_attr_int_or(d, call, 1, -1);
  (void)rlx_attr_bool_or(d, call, 2, false);
  return x ? x : rlx_out_unknown(d);
}

/// The dtype of positions, argument `i`: "void", and from 0.26 on None, is the operand's.
static RlxDType positions_dtype(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x) {
  if (call->args[i].kind == RLX_VALUE_NONE && !call->is_027) rlx_fail_kind(d, call, i, "a dtype");
  return rlx_attr_dtype_or(d, call, i, x->dtype);
}

/// StructInfo of `R.argsort(data, axis=-1, descending=False, dtype="int32")`: data's with another
/// dtype.
///
/// Reports ARGUMENT_KIND, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoArgsort, src/relax/op/tensor/sorting.cc.
const RlxSInfo *rlx_deduce_argsort(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  (void)rlx_attr_int_or(d, call, 1, -1);
  (void)rlx_attr_bool_or(d, call, 2, false);
  if (!x) return rlx_out_unknown(d);
  return rlx_rule_with_dtype(d, x, positions_dtype(d, call, 3, x));
}

/// StructInfo of `R.topk(data, k=1, axis=-1, ret_type="both", largest=True, dtype="int32")`.
///
/// k  replaces the axis's length when it is positive and smaller than a constant one, or the length
/// is symbolic. Gives (values, positions), or one of them by ret_type. An axis out of range is
/// refused (TVM crashes). Reports ARGUMENT_KIND, AXIS_RANGE, VALUE_ALLOWED, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoTopK, src/relax/op/tensor/sorting.cc.
const RlxSInfo *rlx_deduce_topk(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_sinfo_object(d->store);
  const char *what;
  int64_t k, length;
  int axis = 0;
  RlxAttrState has_k = rlx_attr_int(d, call, 1, &k),
               has_axis = x->dims ? rlx_attr_axis(d, call, 2, x->ndim, &axis) : RLX_ATTR_OK;
  RlxAttrState has_type = rlx_attr_str(d, call, 3, &what);
  RlxDType positions = positions_dtype(d, call, 5, x);
  const RlxPrim **dims = NULL;
  if (x->dims && has_k == RLX_ATTR_OK && has_axis == RLX_ATTR_OK) {
    dims = rlx_dims_new(d, x->ndim);
    for (int i = 0; i < x->ndim; i++) dims[i] = x->dims[i];
    if (k > 0 && (!rlx_prim_is_const(dims[axis], &length) || k < length))
      dims[axis] = rlx_dim(d, k);
  }
  const RlxSInfo *fields[2] = {rlx_out(d, x, dims, x->ndim),
                               rlx_out_as(d, x, dims, x->ndim, positions)};
  if (has_type != RLX_ATTR_OK) return rlx_sinfo_object(d->store);
  if (strcmp(what, "both") == 0) return rlx_out_tuple(d, fields, 2);
  if (strcmp(what, "values") == 0) return fields[0];
  if (strcmp(what, "indices") != 0) {
    rlx_fail(d, call, 3, RLX_DIAG_ID(VALUE_ALLOWED), "sss", "ret_type",
             rlx_text_value(d, &call->args[3]), "\"both\", \"values\", \"indices\"");
    return rlx_sinfo_object(d->store);
  }
  return fields[1];
}

/// StructInfo of `R.multinomial_from_uniform(prob, uniform_sample, sample_indices, dtype="int64")`:
/// (n, 1).
///
/// prob            floating-point matrix; uniform_sample: float (n, 1); sample_indices: signed
///                 integers (n, 1), provably as many. Unknown dtypes and bfloat16 are
///                 refused up to 0.25.
/// Reports ARGUMENT_KIND, DTYPE_CLASS, RANK, DIM_MISMATCH, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoMultinomialFromUniform, src/relax/op/tensor/sampling.cc.
const RlxSInfo *rlx_deduce_multinomial(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x[3];
  for (int i = 0; i < 3; i++) x[i] = rlx_arg_tensor(d, call, i);
  RlxDType dtype = rlx_attr_dtype_or(d, call, 3, rlx_dtype_unknown());
  if (!x[0] || !x[1] || !x[2]) return rlx_out_tensor(d, NULL, 2, dtype, NULL);
  for (int i = 0; i < 3; i++) {
    if (x[i]->dtype.code == (i < 2 ? RLX_DTYPE_FLOAT : RLX_DTYPE_INT)) continue;
    bool is_bfloat = i < 2 && x[i]->dtype.code == RLX_DTYPE_BFLOAT;
    if (call->is_027 && (is_bfloat || !rlx_dtype_known(x[i]->dtype))) continue;
    rlx_fail(d, call, i, RLX_DIAG_ID(DTYPE_CLASS), "sss", rlx_param_name(call, i),
             rlx_text_dtype(d, x[i]->dtype),
             i < 2 ? "a floating-point dtype" : "a signed integer dtype");
    return rlx_out_tensor(d, NULL, 2, dtype, x[0]->vdevice);
  }
  if (x[0]->ndim < 0 || x[1]->ndim < 0 || x[2]->ndim < 0)
    return rlx_out_tensor(d, NULL, -1, dtype, x[0]->vdevice);
  for (int i = 0; i < 3; i++) {
    if (!rlx_need_ndim(d, call, i, x[i], 2, true))
      return rlx_out_tensor(d, NULL, 2, dtype, x[0]->vdevice);
  }
  if (!x[0]->dims || !x[1]->dims || !x[2]->dims)
    return rlx_out_tensor(d, NULL, 2, dtype, x[0]->vdevice);
  const RlxPrim *dims[2] = {x[1]->dims[0], rlx_dim(d, 1)};
  if (!rlx_rule_equal(d, dims[0], x[2]->dims[0])) {
    rlx_fail_dim(d, call, 2, 0, x[2]->dims[0], dims[0]);
  } else if (!rlx_dim_is(x[1]->dims[1], 1)) {
    rlx_fail_dim(d, call, 1, 1, x[1]->dims[1], dims[1]);
  } else if (!rlx_dim_is(x[2]->dims[1], 1)) {
    rlx_fail_dim(d, call, 2, 1, x[2]->dims[1], dims[1]);
  }
  return rlx_out_tensor(d, dims, 2, dtype, x[0]->vdevice);
}
