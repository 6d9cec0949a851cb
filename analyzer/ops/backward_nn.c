/// Inverse rules of convolutions, poolings, normalisations, take, pad and where. See backward.c for
/// what always holds.
#include <string.h>

#include "analyzer/ops/backward.h"
#include "analyzer/ops/spatial.h"

static const RlxExpr *operand(const RlxCall *call, int i) { return rlx_backward_operand(call, i); }

/// Where the axis `name` is in a layout without tiles; -1: it is tiled or not there.
static int axis_of(const RlxLayout *layout, char name) {
  int found = -1;
  for (int i = 0; i < layout->ndim; i++) {
    if (layout->factor[i] != 0) return -1;
    if (layout->axis[i] == name) found = i;
  }
  return found;
}

/// The dimension of `need` along the axis `name`, or NULL.
static const RlxPrim *dim_at(const RlxNeed *need, const RlxLayout *layout, char name) {
  int i = axis_of(layout, name);
  return i >= 0 && need->ndim == layout->ndim ? need->dims[i] : NULL;
}

static void set_dim(RlxNeed *need, const RlxLayout *layout, char name, const RlxPrim *dim) {
  int i = axis_of(layout, name);
  if (i >= 0 && need->ndim == layout->ndim && dim) need->dims[i] = dim;
}

// ---- windows

/// One spatial axis: out = (in + padding - dilation * (kernel - 1) - 1) // stride + 1, or backwards
/// in = (out + padding - …) with the roles of both exchanged.
typedef struct Window {
  int64_t stride, padding, dilation;
  const RlxPrim *kernel; ///< its length, or NULL
} Window;

/// dilation * (kernel - 1), or NULL.
static const RlxPrim *reach(RlxDeduce *d, const Window *w) {
  if (!w->kernel) return NULL;
  return rlx_prim_muli(d->store, rlx_prim_addi(d->store, w->kernel, -1), w->dilation);
}

/// The length before a window with steps of 1 went over it: it is lost with longer steps.
static const RlxPrim *before_window(RlxDeduce *d, const Window *w, const RlxPrim *out) {
  const RlxPrim *r = reach(d, w);
  if (w->stride != 1 || !r || !out) return NULL;
  return rlx_simplify(d, rlx_prim_addi(d->store, rlx_prim_add(d->store, out, r), -w->padding));
}

/// The length of a kernel of steps and distances of 1.
static const RlxPrim *kernel_between(RlxDeduce *d, const Window *w, const RlxPrim *in,
                                     const RlxPrim *out) {
  if (w->stride != 1 || w->dilation != 1 || !in || !out) return NULL;
  return rlx_simplify(d, rlx_prim_addi(d->store, rlx_prim_sub(d->store, in, out), w->padding + 1));
}

/// in of out = (in - 1) * stride - padding + reach + extra + 1.
static const RlxPrim *before_transposed(RlxDeduce *d, const Window *w, int64_t extra,
                                        const RlxPrim *out) {
  const RlxPrim *r = reach(d, w);
  if (w->stride < 1 || !r || !out) return NULL;
  const RlxPrim *size =
      rlx_prim_addi(d->store, rlx_prim_sub(d->store, out, r), w->padding - extra - 1);
  size = rlx_prim_floordiv(d->store, size, rlx_dim(d, w->stride));
  return rlx_simplify(d, rlx_prim_addi(d->store, size, 1));
}

typedef struct Conv {
  const char *data_axes, *kernel_axes;
  int rank;
  int output_padding; ///< its parameter, or -1: no transposed convolution
} Conv;

/// What both operands of a convolution must be. Output channels are the kernel's first axis, input
/// channels the second one times the groups; transposed the other way round.
static void convolution(RlxInverse *v, const RlxCall *call, const Conv *c) {
  RlxDeduce *d = &v->d;
  const RlxExpr *x[2] = {operand(call, 0), operand(call, 1)};
  RlxLayout data_layout, kernel_layout, out_layout;
  int64_t strides[3], padding[6], dilation[3], extra[3] = {0}, groups = 1;
  RlxDType out_dtype;
  bool transposed = c->output_padding >= 0;
  int shift = transposed ? 1 : 0, layouts = 6 + shift;
  if (!x[0] || !x[1]) return;
  bool good = rlx_arg_layout(d, call, layouts, layouts, c->data_axes, &data_layout) &&
              rlx_arg_layout(d, call, layouts + 1, layouts + 1, c->kernel_axes, &kernel_layout) &&
              rlx_arg_layout(d, call, layouts + 2, layouts, c->data_axes, &out_layout) &&
              rlx_attr_spatial(d, call, 2, c->rank, strides) &&
              rlx_attr_padding(d, call, 3, c->rank, padding) &&
              rlx_attr_spatial(d, call, 4 + shift, c->rank, dilation) &&
              rlx_attr_int(d, call, 5 + shift, &groups) == RLX_ATTR_OK && groups > 0 &&
              (!transposed || rlx_attr_spatial(d, call, c->output_padding, c->rank, extra));
  if (!good) return;
  RlxNeed in = v->known(v, x[0]), weight = v->known(v, x[1]), need[2];
  for (int i = 0; i < 2; i++) {
    need[i] = rlx_need_nothing();
    if (rlx_attr_dtype(d, call, layouts + 3, &out_dtype) == RLX_ATTR_ABSENT)
      need[i].dtype =
          rlx_dtype_known(v->result.dtype) ? v->result.dtype : (i == 0 ? weight : in).dtype;
    need[i].ndim = i == 0 ? data_layout.ndim : kernel_layout.ndim;
  }
  const RlxPrim *channels = dim_at(&in, &data_layout, 'C'),
                *inner = dim_at(&weight, &kernel_layout, 'I'),
                *out = dim_at(&v->result, &out_layout, 'C');
  set_dim(&need[0], &data_layout, 'N', dim_at(&v->result, &out_layout, 'N'));
  if (!transposed) {
    set_dim(&need[1], &kernel_layout, 'O', out);
    if (inner) set_dim(&need[0], &data_layout, 'C', rlx_prim_muli(d->store, inner, groups));
  } else {
    set_dim(&need[0], &data_layout, 'C', inner);
    set_dim(&need[1], &kernel_layout, 'I', channels);
    if (groups == 1) set_dim(&need[1], &kernel_layout, 'O', out);
  }
  if (!transposed && groups == 1) set_dim(&need[1], &kernel_layout, 'I', channels);
  for (int k = 0; k < c->rank; k++) {
    char axis = c->data_axes[k + 2];
    Window w = {strides[k], padding[k] + padding[k + c->rank], dilation[k],
                dim_at(&weight, &kernel_layout, axis)};
    const RlxPrim *result = dim_at(&v->result, &out_layout, axis);
    set_dim(&need[0], &data_layout, axis,
            transposed ? before_transposed(d, &w, extra[k], result) : before_window(d, &w, result));
    if (!transposed)
      set_dim(&need[1], &kernel_layout, axis,
              kernel_between(d, &w, dim_at(&in, &data_layout, axis), result));
  }
  for (int i = 0; i < 2; i++) v->require(v, x[i], &need[i]);
}

void rlx_backward_conv1d(RlxInverse *v, const RlxCall *call) {
  convolution(v, call, &(Conv){"NCW", "OIW", 1, -1});
}
void rlx_backward_conv2d(RlxInverse *v, const RlxCall *call) {
  convolution(v, call, &(Conv){"NCHW", "OIHW", 2, -1});
}
void rlx_backward_conv3d(RlxInverse *v, const RlxCall *call) {
  convolution(v, call, &(Conv){"NCDHW", "OIDHW", 3, -1});
}
void rlx_backward_conv1d_transpose(RlxInverse *v, const RlxCall *call) {
  convolution(v, call, &(Conv){"NCW", "IOW", 1, 4});
}
void rlx_backward_conv2d_transpose(RlxInverse *v, const RlxCall *call) {
  convolution(v, call, &(Conv){"NCHW", "IOHW", 2, 4});
}
void rlx_backward_conv3d_transpose(RlxInverse *v, const RlxCall *call) {
  convolution(v, call, &(Conv){"NCDHW", "IODHW", 3, 4});
}

/// The operand has the result's batch and channels; where steps are 1 and sizes are not rounded up,
/// its spatial axes follow, too.
static void pooling(RlxInverse *v, const RlxCall *call, const char *axes, int rank) {
  RlxDeduce *d = &v->d;
  const RlxExpr *x = operand(call, 0);
  RlxLayout layout, out_layout;
  int64_t size[3], strides[3], padding[6], dilation[3];
  bool ceil_mode;
  if (!x || !rlx_arg_layout(d, call, 7, 7, axes, &layout) ||
      !rlx_arg_layout(d, call, 8, 7, axes, &out_layout))
    return;
  RlxNeed need = rlx_need_nothing();
  need.dtype = v->result.dtype;
  need.ndim = layout.ndim;
  set_dim(&need, &layout, 'N', dim_at(&v->result, &out_layout, 'N'));
  set_dim(&need, &layout, 'C', dim_at(&v->result, &out_layout, 'C'));
  bool windows =
      rlx_attr_spatial(d, call, 1, rank, size) && rlx_attr_spatial(d, call, 2, rank, strides) &&
      rlx_attr_padding(d, call, 3, rank, padding) && rlx_attr_spatial(d, call, 4, rank, dilation) &&
      rlx_attr_bool(d, call, 5, &ceil_mode) == RLX_ATTR_OK && !ceil_mode;
  for (int k = 0; windows && k < rank; k++) {
    Window w = {strides[k], padding[k] + padding[k + rank], dilation[k], rlx_dim(d, size[k])};
    set_dim(&need, &layout, axes[k + 2],
            before_window(d, &w, dim_at(&v->result, &out_layout, axes[k + 2])));
  }
  v->require(v, x, &need);
}

void rlx_backward_pool1d(RlxInverse *v, const RlxCall *call) { pooling(v, call, "NCW", 1); }
void rlx_backward_pool2d(RlxInverse *v, const RlxCall *call) { pooling(v, call, "NCHW", 2); }
void rlx_backward_pool3d(RlxInverse *v, const RlxCall *call) { pooling(v, call, "NCDHW", 3); }

// ---- elements

/// x is the result with one axis in place of those of the indices, which have the others' shape.
void rlx_backward_take(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = operand(call, 0), *indices = operand(call, 1);
  int64_t axis = 0;
  if (!x || !indices) return;
  bool is_scalar = indices->sinfo->kind == RLX_SINFO_PRIM;
  RlxAttrState state = rlx_attr_int(&v->d, call, 2, &axis);
  RlxNeed need = rlx_need_nothing(), places = rlx_need_nothing(), known = v->known(v, x),
          at = v->known(v, indices);
  int ndim = v->result.ndim;
  if (is_scalar) at.ndim = 0;
  need.dtype = v->result.dtype;
  if (state == RLX_ATTR_ABSENT) known.ndim = need.ndim = 1;
  if (state != RLX_ATTR_OK && state != RLX_ATTR_ABSENT) {
    v->require(v, x, &need);
    return;
  }
  if (need.ndim < 0 && ndim >= 0 && at.ndim >= 0) need.ndim = ndim - at.ndim + 1;
  int rank = known.ndim >= 0 ? known.ndim : need.ndim;
  if (ndim >= 0 && rank >= 0) places.ndim = ndim - rank + 1;
  if (axis < 0 && rank >= 0) axis += rank;
  bool fits = rank >= 1 && rank <= RLX_NEED_DIMS && places.ndim >= 0 && axis >= 0 && axis < rank;
  for (int i = 0; fits && i < ndim; i++) {
    if (i < axis)
      need.dims[i] = v->result.dims[i];
    else if (i < axis + places.ndim)
      places.dims[i - axis] = v->result.dims[i];
    else
      need.dims[i - places.ndim + 1] = v->result.dims[i];
  }
  if (fits) need.ndim = rank;
  if (need.ndim > RLX_NEED_DIMS || need.ndim < 1) need.ndim = -1;
  if (!fits) places.ndim = -1;
  v->require(v, x, &need);
  if (!is_scalar) v->require(v, indices, &places);
}

/// The result without its padding.
void rlx_backward_pad(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = operand(call, 0);
  const int64_t *pad = NULL;
  int count = 0;
  RlxNeed need = rlx_need_nothing();
  if (!x) return;
  need.dtype = v->result.dtype;
  need.ndim = v->result.ndim;
  bool good = rlx_attr_ints(&v->d, call, 1, &pad, &count) == RLX_ATTR_OK && count == 2 * need.ndim;
  for (int i = 0; good && i < need.ndim; i++)
    if (v->result.dims[i])
      need.dims[i] = rlx_simplify(
          &v->d, rlx_prim_addi(v->d.store, v->result.dims[i], -pad[2 * i] - pad[2 * i + 1]));
  v->require(v, x, &need);
}

// ---- normalisations

/// The data is as the result; scale and offset have its dtype and the lengths of its axes.
static void normalisation(RlxInverse *v, const RlxCall *call, const int64_t *axes, int count) {
  const RlxExpr *data = operand(call, 0);
  if (!data) return;
  v->require(v, data, &v->result);
  RlxNeed known = v->known(v, data);
  for (int i = 1; i <= 2; i++) {
    const RlxExpr *x = i < call->row->param_count && call->row->params[i].kind == RLX_PARAM_TENSOR
                           ? operand(call, i)
                           : NULL;
    if (!x) continue;
    RlxNeed need = rlx_need_nothing();
    need.dtype = rlx_dtype_known(v->result.dtype) ? v->result.dtype : known.dtype;
    if (count > 0 && count <= RLX_NEED_DIMS) need.ndim = count;
    for (int k = 0; k < need.ndim && known.ndim >= 0; k++) {
      int64_t at = axes[k] < 0 ? axes[k] + known.ndim : axes[k];
      const RlxPrim *result =
          at >= 0 && at < known.ndim && v->result.ndim == known.ndim ? v->result.dims[at] : NULL;
      if (at >= 0 && at < known.ndim) need.dims[k] = result ? result : known.dims[at];
    }
    v->require(v, x, &need);
  }
}

void rlx_backward_layer_norm(RlxInverse *v, const RlxCall *call) {
  const int64_t *axes = NULL;
  int count = 0, at = rlx_op_param(call->row, "axes");
  if (rlx_attr_ints(&v->d, call, at, &axes, &count) != RLX_ATTR_OK) count = 0;
  normalisation(v, call, axes, count);
}

void rlx_backward_channel_norm(RlxInverse *v, const RlxCall *call) {
  int64_t axis;
  bool good =
      rlx_attr_int(&v->d, call, rlx_op_param(call->row, "channel_axis"), &axis) == RLX_ATTR_OK;
  normalisation(v, call, &axis, good ? 1 : 0);
}
