/// Rules of poolings, for all spatial ranks.
#include "analyzer/ops/spatial.h"

#define RLX_FAMILY "analyzer/ops/nn_pool.def"
#include "analyzer/ops/rules.h"

/// One pooled axis. With ceil_mode the last window is dropped when it would start behind the
/// operand and its front padding.
static const RlxPrim *pooled(RlxDeduce *d, const RlxWindow *w, int64_t front, bool ceil_mode) {
  const RlxPrim *count = rlx_window_count(d, w, ceil_mode ? w->stride - 1 : 0);
  if (!ceil_mode) return rlx_simplify(d, count);
  const RlxPrim *fewer = rlx_prim_addi(d->store, count, -1);
  const RlxPrim *start = rlx_prim_muli(d->store, fewer, w->stride),
                *limit = rlx_prim_addi(d->store, w->length, front);
  int64_t m, n;
  if (rlx_prim_is_const(rlx_simplify(d, start), &m) &&
      rlx_prim_is_const(rlx_simplify(d, limit), &n))
    return rlx_simplify(d, n <= m ? fewer : count);
  const RlxPrim *beyond = rlx_prim_binary(d->store, RLX_PRIM_LE, limit, start);
  return rlx_simplify(d, rlx_prim_select(d->store, beyond, fewer, count));
}

static const RlxSInfo *pool(RlxDeduce *d, const RlxCall *call, const char *axes, int rank) {
  enum { SIZE = 1, STRIDES, PADDING, DILATION, CEIL, COUNT_PAD, LAYOUT, OUT_LAYOUT };
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  RlxLayout layout, out_layout = {.ndim = -1};
  int64_t size[3], strides[3], padding[6], dilation[3];
  bool ceil_mode, good = rlx_arg_layout(d, call, LAYOUT, LAYOUT, axes, &layout);
  bool has_out = rlx_arg_layout(d, call, OUT_LAYOUT, LAYOUT, axes, &out_layout);
  good &= has_out;
  good &= rlx_attr_spatial(d, call, SIZE, rank, size);
  good &= rlx_attr_spatial(d, call, STRIDES, rank, strides);
  good &= rlx_attr_padding(d, call, PADDING, rank, padding);
  good &= rlx_attr_spatial(d, call, DILATION, rank, dilation);
  good &= rlx_attr_bool(d, call, CEIL, &ceil_mode) == RLX_ATTR_OK;
  if (!x) return rlx_out_unknown(d);
  int ndim = has_out ? out_layout.ndim : -1;
  if (!good || !rlx_need_layout_ndim(d, call, 0, x, &layout) || !x->dims)
    return rlx_out(d, x, NULL, ndim);
  for (int k = 0; k < rank; k++) {
    if (strides[k] != 0) continue;
    rlx_fail(d, call, STRIDES, RLX_DIAG_ID(VALUE_RANGE), "sds", "strides", strides[k],
             "at least 1");
    return rlx_out(d, x, NULL, ndim);
  }
  if (!rlx_attr_int32(d, call, SIZE, size, rank) ||
      !rlx_attr_int32(d, call, STRIDES, strides, rank) ||
      !rlx_attr_int32(d, call, PADDING, padding, 2 * rank) ||
      !rlx_attr_int32(d, call, DILATION, dilation, rank))
    return rlx_out(d, x, NULL, ndim);
  RlxDims data = rlx_layout_forward(d, call, 0, &layout, x->dims, axes);
  if (!data) return rlx_out(d, x, NULL, ndim);
  const RlxPrim **out = rlx_dims_new(d, rank + 2);
  out[0] = data[0];
  out[1] = data[1];
  for (int k = 0; k < rank; k++) {
    RlxWindow w = {data[k + 2], rlx_dim(d, size[k]), padding[k] + padding[k + rank], dilation[k],
                   strides[k]};
    out[k + 2] = pooled(d, &w, padding[k], ceil_mode);
  }
  return rlx_out(d, x, rlx_layout_backward(d, &out_layout, out, axes), ndim);
}

static const RlxSInfo *adaptive(RlxDeduce *d, const RlxCall *call, const char *axes, int rank) {
  enum { SIZE = 1, LAYOUT, OUT_LAYOUT };
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  RlxLayout layout, out_layout = {.ndim = -1};
  int64_t size[3];
  bool good = rlx_arg_layout(d, call, LAYOUT, LAYOUT, axes, &layout);
  bool has_out = rlx_arg_layout(d, call, OUT_LAYOUT, LAYOUT, axes, &out_layout);
  bool has_size = rlx_arg_given(call, SIZE);
  good = good && has_out && (!has_size || rlx_attr_spatial(d, call, SIZE, rank, size));
  const RlxValue *given = &call->args[SIZE];
  if (good && rank == 3 && given->kind == RLX_VALUE_LIST &&
      given->count == 1) { // TVM makes two of it
    rlx_fail(d, call, SIZE, RLX_DIAG_ID(LIST_LENGTH), "sis", rlx_param_name(call, SIZE), 1, "3");
    good = false;
  }
  if (!x) return rlx_out_unknown(d);
  int ndim = has_out ? out_layout.ndim : -1;
  if (!good || !rlx_need_layout_ndim(d, call, 0, x, &layout)) return rlx_out(d, x, NULL, ndim);
  if (!x->dims) {
    bool same = !has_size && memcmp(layout.axis, out_layout.axis, (size_t)ndim) == 0;
    return same && x->shape_var ? x : rlx_out(d, x, NULL, ndim);
  }
  if (has_size && !rlx_attr_int32(d, call, SIZE, size, rank)) return rlx_out(d, x, NULL, ndim);
  RlxDims data = rlx_layout_forward(d, call, 0, &layout, x->dims, axes);
  if (!data) return rlx_out(d, x, NULL, ndim);
  const RlxPrim **out = rlx_dims_new(d, rank + 2);
  for (int k = 0; k < rank + 2; k++)
    out[k] = has_size && k >= 2 ? rlx_dim(d, size[k - 2]) : data[k];
  return rlx_out(d, x, rlx_layout_backward(d, &out_layout, out, axes), ndim);
}

/// StructInfo of `R.nn.max_pool1d(data, pool_size, strides, padding, dilation, ceil_mode,
/// count_include_pad, layout, out_layout)` and `R.nn.avg_pool1d`: data's dtype and device; an
/// unknown shape leaves the rank of out_layout.
///
/// Reports ARGUMENT_KIND, LAYOUT, LIST_LENGTH, VALUE_RANGE, RANK, DIM_MISMATCH (a tile of the
/// layout).
/// Source: TVM v0.25 InferStructInfoPool1D, src/relax/op/nn/pooling.cc.
const RlxSInfo *rlx_deduce_pool1d(RlxDeduce *d, const RlxCall *call) {
  return pool(d, call, "NCW", 1);
}

/// StructInfo of `R.nn.max_pool2d(…)` and `R.nn.avg_pool2d`: as pool1d, with two spatial axes.
/// Source: TVM v0.25 InferStructInfoPool2D, src/relax/op/nn/pooling.cc.
const RlxSInfo *rlx_deduce_pool2d(RlxDeduce *d, const RlxCall *call) {
  return pool(d, call, "NCHW", 2);
}

/// StructInfo of `R.nn.max_pool3d(…)` and `R.nn.avg_pool3d`: as pool1d, with three spatial axes.
/// Source: TVM v0.25 InferStructInfoPool3D, src/relax/op/nn/pooling.cc.
const RlxSInfo *rlx_deduce_pool3d(RlxDeduce *d, const RlxCall *call) {
  return pool(d, call, "NCDHW", 3);
}

/// StructInfo of `R.nn.adaptive_avg_pool1d(data, output_size=None, layout, out_layout)`: data's
/// with the spatial axes replaced.
///
/// Reports ARGUMENT_KIND, LAYOUT, LIST_LENGTH, RANK, DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoAdaptiveAvgPool1D, src/relax/op/nn/pooling.cc.
const RlxSInfo *rlx_deduce_adaptive_pool1d(RlxDeduce *d, const RlxCall *call) {
  return adaptive(d, call, "NCW", 1);
}

/// StructInfo of `R.nn.adaptive_avg_pool2d(…)`: as the one-dimensional one, with two spatial axes.
/// Source: TVM v0.25 InferStructInfoAdaptiveAvgPool2D, src/relax/op/nn/pooling.cc.
const RlxSInfo *rlx_deduce_adaptive_pool2d(RlxDeduce *d, const RlxCall *call) {
  return adaptive(d, call, "NCHW", 2);
}

/// StructInfo of `R.nn.adaptive_avg_pool3d(…)`: as the one-dimensional one, with three spatial
/// axes.
/// Source: TVM v0.25 InferStructInfoAdaptiveAvgPool3D, src/relax/op/nn/pooling.cc.
const RlxSInfo *rlx_deduce_adaptive_pool3d(RlxDeduce *d, const RlxCall *call) {
  return adaptive(d, call, "NCDHW", 3);
}
