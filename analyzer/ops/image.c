/// Rules of image operators.
#include "analyzer/ops/layout.h"

#include <string.h>

#define RLX_FAMILY "analyzer/ops/image.def"
#include "analyzer/ops/rules.h"

/// Is argument `i` a shape written in the call? A variable's values are not used, as in TVM.
static bool is_written(const RlxCall *call, int i) {
  const RlxValue *v = &call->args[i];
  return v->kind == RLX_VALUE_LIST ||
         (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_SHAPE);
}

/// Whether the value is a number of the IR that 0.27 takes for the size of all axes.
static bool is_number_of_027(const RlxCall *call, int i) {
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  return call->is_027 && sinfo && sinfo->kind == RLX_SINFO_PRIM && rlx_dtype_is_int(sinfo->dtype);
}

/// Reads a Shape argument of `ndim` values; false after a report. `*out` NULL unless it is written
/// in the call.
static bool read_size(RlxDeduce *d, const RlxCall *call, int i, int ndim, RlxDims *out) {
  int found;
  const RlxValue *v = &call->args[i];
  if (v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_BOOL || v->kind == RLX_VALUE_PRIM ||
      is_number_of_027(call, i)) { // one size for all axes
    const RlxPrim **all = rlx_dims_new(d, ndim), *size = v->kind == RLX_VALUE_BOOL
                                                             ? rlx_prim_int(d->store, v->boolean)
                                                             : rlx_arg_prim(d, call, i);
    for (int k = 0; k < ndim; k++) all[k] = size;
    *out = size ? all : NULL;
    return true;
  }
  if (!rlx_arg_shape(d, call, i, out, &found)) return false;
  if (!is_written(call, i)) *out = NULL;
  bool stands_for_all = found == 1 && *out && v->is_tuple &&
                        call->row->id != RLX_OP_ID(image_affine_grid); // size=[28]
  if (stands_for_all) {
    const RlxPrim **all = rlx_dims_new(d, ndim);
    for (int k = 0; k < ndim; k++) all[k] = (*out)[0];
    *out = all;
    return true;
  }
  if (found == ndim || v->kind == RLX_VALUE_UNKNOWN) return true;
  rlx_fail(d, call, i, RLX_DIAG_ID(RANK), "sss", rlx_param_name(call, i),
           found < 0 ? "unknown rank"
                     : rlx_arena_printf(d->scratch, "%d value%s", found, found == 1 ? "" : "s"),
           rlx_arena_printf(d->scratch, "%d value%s", ndim, ndim == 1 ? "" : "s"));
  return false;
}

/// data with its spatial axes replaced by `size` (NULL: not known).
static const RlxSInfo *resized(RlxDeduce *d, const RlxCall *call, int layout_at, const char *axes,
                               RlxDims size, RlxDType dtype) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  RlxLayout layout;
  if (!x) return rlx_out_tensor(d, NULL, (int)strlen(axes), dtype, NULL);
  if (!rlx_arg_layout(d, call, layout_at, layout_at, axes, &layout))
    return rlx_out_as(d, x, NULL, -1, dtype);
  bool good = rlx_need_layout_ndim(d, call, 0, x, &layout);
  RlxDims data =
      good && x->dims && size ? rlx_layout_forward(d, call, 0, &layout, x->dims, axes) : NULL;
  if (!data) return rlx_out_as(d, x, NULL, layout.ndim, dtype);
  int ndim = (int)strlen(axes);
  const RlxPrim **out = rlx_dims_new(d, ndim);
  for (int k = 0; k < ndim; k++) out[k] = k < 2 ? data[k] : size[k - 2];
  return rlx_out_as(d, x, rlx_layout_backward(d, &layout, out, axes), layout.ndim, dtype);
}

/// A float, or a list of numbers.
static bool is_region(const RlxValue *v) {
  if (v->kind != RLX_VALUE_LIST)
    return v->is_default || v->kind == RLX_VALUE_FLOAT || v->kind == RLX_VALUE_NONE ||
           v->kind == RLX_VALUE_ABSENT || v->kind == RLX_VALUE_UNKNOWN;
  for (uint32_t i = 0; i < v->count; i++) {
    RlxValueKind kind = (RlxValueKind)v->items[i].kind;
    if (kind != RLX_VALUE_FLOAT && kind != RLX_VALUE_INT && kind != RLX_VALUE_BOOL &&
        kind != RLX_VALUE_PRIM && kind != RLX_VALUE_UNKNOWN)
      return false;
  }
  return true;
}

static const RlxSInfo *resize(RlxDeduce *d, const RlxCall *call, const char *axes, int rank) {
  const RlxSInfo *x = rlx_arg_sinfo(call, 0);
  RlxDType dtype = rlx_attr_dtype_or(
      d, call, 10, x && x->kind == RLX_SINFO_TENSOR ? x->dtype : rlx_dtype_unknown());
  RlxDims size = NULL;
  if (!read_size(d, call, 1, rank, &size)) size = NULL;
  if (!is_region(&call->args[2])) rlx_fail_kind(d, call, 2, "a float or a list of numbers");
  return resized(d, call, 3, axes, size, dtype);
}

/// StructInfo of `R.image.resize2d(data, size, roi, layout="NCHW", method, …, out_dtype=None)`.
///
/// size  two values; only when they are written in the call the result's shape is known.
/// Reports ARGUMENT_KIND, RANK, LAYOUT, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoResize2D, src/relax/op/image/resize.cc.
const RlxSInfo *rlx_deduce_resize2d(RlxDeduce *d, const RlxCall *call) {
  return resize(d, call, "NCHW", 2);
}

/// StructInfo of `R.image.resize3d(…)`: as resize2d, with three spatial axes.
/// Source: TVM v0.25 InferStructInfoResize3D, src/relax/op/image/resize.cc.
const RlxSInfo *rlx_deduce_resize3d(RlxDeduce *d, const RlxCall *call) {
  return resize(d, call, "NCDHW", 3);
}

/// StructInfo of `R.image.grid_sample(data, grid, method, layout="NCHW", …)`: data's with the
/// grid's dimensions 1 and 2 as space. From 0.27 on a grid is (N, 2, H, W), or (N, 3, D, H, W) for the
/// layout "NCDHW": space is what stands behind its dimension 1.
///
/// Reports ARGUMENT_KIND, LAYOUT, RANK.
/// Source: TVM v0.25 InferStructInfoGridSample, v0.27 InferTypeGridSample,
/// src/relax/op/image/resize.cc.
const RlxSInfo *rlx_deduce_grid_sample(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_sinfo(call, 0), *grid = rlx_arg_tensor(d, call, 1);
  const RlxValue *layout = &call->args[3];
  bool is_volume = call->is_027 && layout->kind == RLX_VALUE_STR &&
                   strcmp(rlx_store_text(d->store, layout->string), "NCDHW") == 0;
  int first = call->is_027 ? 2 : 1, spatial = is_volume ? 3 : 2;
  if (call->is_027 && x && x->dims && grid && grid->dims && grid->ndim < first + spatial)
    rlx_fail_rank(d, call, 1, grid, rlx_arena_printf(d->scratch, "rank %d", first + spatial));
  RlxDims size = grid && grid->dims && grid->ndim >= first + spatial ? grid->dims + first : NULL;
  return resized(d, call, 3, is_volume ? "NCDHW" : "NCHW", size,
                 x && x->kind == RLX_SINFO_TENSOR ? x->dtype : rlx_dtype_unknown());
}

/// Whether `size` of an affine_grid has three values: (depth, height, width).
static bool is_volume_size(const RlxValue *size) {
  if (size->kind == RLX_VALUE_LIST) return size->count == 3;
  return size->kind == RLX_VALUE_EXPR && size->expr->sinfo->kind == RLX_SINFO_SHAPE &&
         size->expr->sinfo->ndim == 3;
}

/// StructInfo of `R.image.affine_grid(data, size)`: (batch, 2, H, W); from 0.27 on (batch, 3, D, H, W)
/// where size has three values.
///
/// data  (batch, 2, 3), or (batch, 3, 4); size is known only when written in the call.
/// Reports ARGUMENT_KIND, RANK, DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoAffineGrid, v0.27 InferTypeAffineGrid,
/// src/relax/op/image/resize.cc.
const RlxSInfo *rlx_deduce_affine_grid(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  RlxDims size;
  int spatial = call->is_027 && is_volume_size(&call->args[1]) ? 3 : 2, ndim = spatial + 2;
  bool good = read_size(d, call, 1, spatial, &size);
  if (!x) return rlx_out_tensor(d, NULL, ndim, rlx_dtype_unknown(), NULL);
  if (!rlx_need_ndim(d, call, 0, x, 3, false)) return rlx_out(d, x, NULL, ndim);
  for (int k = 1; x->dims && k < 3; k++) {
    int64_t length;
    if (rlx_prim_is_const(x->dims[k], &length) && length != spatial + k - 1)
      rlx_fail_dim(d, call, 0, k, x->dims[k], rlx_dim(d, spatial + k - 1));
  }
  if (!good || !x->dims || !size) return rlx_out(d, x, NULL, ndim);
  const RlxPrim *dims[5] = {x->dims[0], rlx_dim(d, spatial)};
  for (int k = 0; k < spatial; k++) dims[2 + k] = size[k];
  return rlx_out(d, x, dims, ndim);
}
