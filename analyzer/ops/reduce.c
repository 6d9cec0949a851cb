/// Rules of reductions and scans.
///
/// All take x: tensor, axis, keepdims in this order. A shape that is a variable's value counts as
/// not known, as in TVM.
#include "analyzer/ops/dist.h"

#define RLX_FAMILY "analyzer/ops/reduce.def"
#include "analyzer/ops/rules.h"

/// What a reduction reads off its call.
typedef struct Reduction {
  const RlxSInfo *x;
  bool has_axes; ///< false: everything is reduced
  bool keepdims;
  const int *axes; ///< normalised when the rank is known
  int axis_count;
  bool is_unknown; ///< axis or keepdims depend on Python, or were reported
} Reduction;

static bool is_reduced(const Reduction *r, int axis) {
  for (int k = 0; k < r->axis_count; k++) {
    if (r->axes[k] == axis) return true;
  }
  return !r->has_axes;
}

/// Reads operand, axes and keepdims; false when there is no tensor.
static bool read(RlxDeduce *d, const RlxCall *call, Reduction *r) {
  *r = (Reduction){.x = rlx_arg_tensor(d, call, 0)};
  if (!r->x) return false;
  RlxAttrState state = rlx_attr_axes(d, call, 1, r->x->ndim, &r->axes, &r->axis_count);
  r->has_axes = state != RLX_ATTR_ABSENT;
  RlxAttrState keep = rlx_attr_bool(d, call, 2, &r->keepdims);
  r->is_unknown = state == RLX_ATTR_BAD || state == RLX_ATTR_UNKNOWN || keep == RLX_ATTR_UNKNOWN ||
                  keep == RLX_ATTR_BAD;
  return true;
}

/// The reduced tensor with this dtype.
static const RlxSInfo *reduced(RlxDeduce *d, const Reduction *r, RlxDType dtype) {
  const RlxSInfo *x = r->x;
  if (r->is_unknown) return rlx_out_as(d, x, NULL, -1, dtype);
  int ndim = r->keepdims ? x->ndim : !r->has_axes ? 0 : x->ndim < 0 ? -1 : x->ndim - r->axis_count;
  if (ndim < 0) return rlx_out_as(d, x, NULL, -1, dtype);
  bool known = x->dims || !r->has_axes;
  if (!known && ndim > 0) return rlx_out_as(d, x, NULL, ndim, dtype);
  const RlxPrim **dims = rlx_dims_new(d, ndim);
  for (int i = 0, at = 0; i < x->ndim && at < ndim; i++) {
    if (!is_reduced(r, i)) {
      dims[at++] = x->dims[i];
    } else if (r->keepdims) {
      dims[at++] = rlx_dim(d, 1);
    }
  }
  return rlx_out_as(d, x, dims, ndim, dtype);
}

/// Where an axis is after the reduction; -1 when it is reduced. For distributed tensors.
static int kept_axis(int arg, int axis, const void *data) {
  const Reduction *r = data;
  (void)arg;
  if (r->is_unknown || is_reduced(r, axis)) return -1;
  int at = axis;
  for (int i = 0; i < axis && !r->keepdims; i++) at -= is_reduced(r, i);
  return at;
}

/// StructInfo of `R.sum(x, axis=None, keepdims=False)` and its like.
///
/// axis  one axis or several distinct ones; None: all. An empty list keeps the shape.
/// Reduced axes vanish, or become 1 with keepdims; dtype and device stay. With an unknown shape the
/// rank is kept, unless everything is reduced: then the result is known all the same. Reports
/// ARGUMENT_KIND, AXIS_RANGE, AXIS_REPEATED.
/// Source: TVM v0.25 InferStructInfoStatistical, src/relax/op/tensor/statistical.cc.
const RlxSInfo *rlx_deduce_reduce(RlxDeduce *d, const RlxCall *call) {
  Reduction r;
  if (!read(d, call, &r)) return rlx_out_unknown(d);
  const RlxSInfo *out = reduced(d, &r, r.x->dtype);
  return r.is_unknown ? out : rlx_out_dist(d, call, out, 1, kept_axis, &r);
}

/// StructInfo of `R.argmax(x, axis=None, keepdims=False)`: a reduction over at most one axis, of
/// dtype int64.
///
/// Reports ARGUMENT_KIND, AXIS_RANGE.
/// Source: TVM v0.25 InferStructInfoArgmaxArgmin, src/relax/op/tensor/search.cc.
const RlxSInfo *rlx_deduce_arg_reduce(RlxDeduce *d, const RlxCall *call) {
  Reduction r;
  if (call->args[1].kind == RLX_VALUE_LIST) rlx_fail_kind(d, call, 1, "one axis");
  return read(d, call, &r) ? reduced(d, &r, RLX_INT64)
                           : rlx_rule_with_dtype(d, rlx_out_unknown(d), RLX_INT64);
}

/// StructInfo of `R.median(x, axis=None, keepdims=False)`.
///
/// With one axis or none in a list: a tuple of the medians and their int64 positions. Otherwise the
/// medians, but of an unknown rank with keepdims a tuple again, as TVM says. Reports ARGUMENT_KIND,
/// AXIS_RANGE, AXIS_REPEATED.
/// Source: TVM v0.25 InferStructInfoStatisticalExtension, src/relax/op/tensor/statistical.cc.
/// Differs: of an unknown shape TVM takes several axes for one, and one axis of a vector for
/// several.
const RlxSInfo *rlx_deduce_median(RlxDeduce *d, const RlxCall *call) {
  Reduction r;
  if (!read(d, call, &r)) return rlx_out_unknown(d);
  if (r.is_unknown) return rlx_sinfo_object(d->store);
  const RlxSInfo *values = reduced(d, &r, r.x->dtype);
  bool is_tuple = r.has_axes ? r.axis_count <= 1 : !r.x->dims && !values->dims;
  if (!is_tuple) return values;
  const RlxSInfo *fields[] = {values, rlx_rule_with_dtype(d, values, RLX_INT64)};
  return rlx_out_tuple(d, fields, 2);
}

/// StructInfo of `R.cumsum(data, axis=None, dtype=None, exclusive=False)` and `R.cumprod`.
///
/// axis  not checked against the rank; None: the result is one-dimensional, with as many elements
///       as data (an unknown shape keeps the rank).
/// Reports ARGUMENT_KIND, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoScan, src/relax/op/tensor/statistical.cc. Differs: a flattened
/// scan of unknown shape has rank 1 there by definition, but TVM says the operand's rank; we follow
/// TVM.
const RlxSInfo *rlx_deduce_scan(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_out_unknown(d);
  RlxDType dtype = rlx_attr_dtype_or(d, call, 2, x->dtype);
  int64_t axis;
  RlxAttrState state = rlx_attr_int(d, call, 1, &axis);
  (void)rlx_attr_bool_or(d, call, 3, false);
  if (state == RLX_ATTR_UNKNOWN) return rlx_out_as(d, x, NULL, -1, dtype);
  if (state != RLX_ATTR_ABSENT) return rlx_rule_with_dtype(d, x, dtype);
  if (!x->dims) return rlx_out_as(d, x, NULL, x->ndim, dtype);
  const RlxPrim *size = rlx_rule_product(d, x->dims, x->ndim);
  return rlx_out_as(d, x, &size, 1, dtype);
}
