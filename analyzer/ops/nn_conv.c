/// Rules of convolutions, for all spatial ranks.
///
/// Always true: shapes are worked out in the canonical layouts (NC…, OI…, IO…) and converted at
/// both ends.
#include "analyzer/ops/spatial.h"

#define RLX_FAMILY "analyzer/ops/nn_conv.def"
#include "analyzer/ops/rules.h"

typedef struct Conv {
  const char *data_axes, *kernel_axes; ///< canonical layouts
  int rank;                            ///< spatial axes
  int strides, padding, output_padding, dilation, groups, layouts,
      out_dtype; ///< parameter indices; output_padding -1: none
} Conv;

/// What a convolution reads off its call.
typedef struct Read {
  const RlxSInfo *data, *weight;
  RlxLayout data_layout, kernel_layout, out_layout;
  int64_t strides[3], padding[6], output_padding[3], dilation[3], groups;
  RlxDType dtype;
  const RlxVDevice *vdevice;
  bool is_good; ///< layouts and attributes are known
} Read;

static bool read(RlxDeduce *d, const RlxCall *call, const Conv *conv, Read *r) {
  *r =
      (Read){.data = rlx_arg_tensor(d, call, 0), .weight = rlx_arg_tensor(d, call, 1), .groups = 1};
  r->is_good =
      rlx_arg_layout(d, call, conv->layouts, conv->layouts, conv->data_axes, &r->data_layout);
  r->is_good &= rlx_arg_layout(d, call, conv->layouts + 1, conv->layouts + 1, conv->kernel_axes,
                               &r->kernel_layout);
  bool has_out =
      rlx_arg_layout(d, call, conv->layouts + 2, conv->layouts, conv->data_axes, &r->out_layout);
  if (!has_out) r->out_layout.ndim = -1;
  r->is_good &= has_out;
  r->is_good &= rlx_attr_spatial(d, call, conv->strides, conv->rank, r->strides);
  r->is_good &= rlx_attr_padding(d, call, conv->padding, conv->rank, r->padding);
  r->is_good &= rlx_attr_spatial(d, call, conv->dilation, conv->rank, r->dilation);
  if (conv->output_padding >= 0)
    r->is_good &= rlx_attr_spatial(d, call, conv->output_padding, conv->rank, r->output_padding);
  RlxAttrState groups = rlx_attr_int(d, call, conv->groups, &r->groups);
  if (groups == RLX_ATTR_OK && r->groups <= 0) {
    rlx_fail(d, call, conv->groups, RLX_DIAG_ID(VALUE_RANGE), "sds", "groups", r->groups,
             "at least 1");
    groups = RLX_ATTR_BAD;
  }
  r->is_good &= groups == RLX_ATTR_OK;
  if (!r->data || !r->weight) return false;
  if (rlx_attr_dtype(d, call, conv->out_dtype, &r->dtype) == RLX_ATTR_ABSENT)
    r->dtype = rlx_rule_dtype(d, call, r->data->dtype, r->weight->dtype);
  r->vdevice = rlx_rule_vdevice(d, call, r->data->vdevice, r->weight->vdevice);
  return true;
}

/// Shapes in canonical layouts; false when one is not known, or after a report.
static bool shapes(RlxDeduce *d, const RlxCall *call, const Conv *conv, const Read *r,
                   RlxDims *data, RlxDims *weight) {
  if (!r->is_good) return false;
  bool good = rlx_need_layout_ndim(d, call, 0, r->data, &r->data_layout) &&
              rlx_need_layout_ndim(d, call, 1, r->weight, &r->kernel_layout);
  if (!good || !r->data->dims || !r->weight->dims) return false;
  for (int k = 0; k < conv->rank; k++) { // looked at only where the shape depends on it, as in TVM
    if (r->strides[k] != 0) continue;
    rlx_fail(d, call, conv->strides, RLX_DIAG_ID(VALUE_RANGE), "sds", "strides", r->strides[k],
             "at least 1");
    return false;
  }
  if (!rlx_attr_int32(d, call, conv->strides, r->strides, conv->rank) ||
      !rlx_attr_int32(d, call, conv->padding, r->padding, 2 * conv->rank) ||
      !rlx_attr_int32(d, call, conv->dilation, r->dilation, conv->rank))
    return false;
  *data = rlx_layout_forward(d, call, 0, &r->data_layout, r->data->dims, conv->data_axes);
  *weight =
      *data ? rlx_layout_forward(d, call, 1, &r->kernel_layout, r->weight->dims, conv->kernel_axes)
            : NULL;
  return *weight != NULL;
}

static const RlxSInfo *unknown_shape(RlxDeduce *d, const Read *r) {
  return rlx_out_tensor(d, NULL, r->out_layout.ndim, r->dtype, r->vdevice);
}

/// Reports DIVISIBLE when `dim` is provably no multiple of `groups`.
static void check_groups(RlxDeduce *d, const RlxCall *call, const char *what, const RlxPrim *dim,
                         int64_t groups) {
  if (!rlx_rule_unequal(d, rlx_prim_floormod(d->store, dim, rlx_dim(d, groups)), rlx_dim(d, 0)))
    return;
  rlx_fail(d, call, 1, RLX_DIAG_ID(DIVISIBLE), "sss", what, rlx_text_prim(d, dim),
           rlx_arena_printf(d->scratch, "%lld groups", (long long)groups));
}

static const RlxSInfo *convolve(RlxDeduce *d, const RlxCall *call, const Conv *conv) {
  Read r;
  RlxDims data, weight;
  if (!read(d, call, conv, &r)) return rlx_out_unknown(d);
  if (!shapes(d, call, conv, &r, &data, &weight)) return unknown_shape(d, &r);
  const RlxPrim *channels = rlx_prim_muli(d->store, weight[1], r.groups);
  if (rlx_rule_unequal(d, data[1], channels)) {
    rlx_fail_dim(d, call, 0, (int)(strchr(r.data_layout.axis, 'C') - r.data_layout.axis), data[1],
                 channels);
  } else {
    check_groups(d, call, "the number of output channels", weight[0], r.groups);
  }
  const RlxPrim **out = rlx_dims_new(d, conv->rank + 2);
  out[0] = data[0];
  out[1] = weight[0];
  for (int k = 0; k < conv->rank; k++) {
    RlxWindow w = {data[k + 2], weight[k + 2], r.padding[k] + r.padding[k + conv->rank],
                   r.dilation[k], r.strides[k]};
    out[k + 2] = rlx_simplify(d, rlx_window_count(d, &w, 0));
  }
  return rlx_out_tensor(d, rlx_layout_backward(d, &r.out_layout, out, conv->data_axes),
                        r.out_layout.ndim, r.dtype, r.vdevice);
}

static const RlxSInfo *convolve_back(RlxDeduce *d, const RlxCall *call, const Conv *conv) {
  Read r;
  RlxDims data, weight;
  if (!read(d, call, conv, &r)) return rlx_out_unknown(d);
  if (!shapes(d, call, conv, &r, &data, &weight)) return unknown_shape(d, &r);
  if (rlx_rule_unequal(d, data[1], weight[0])) {
    rlx_fail_dim(d, call, 0, (int)(strchr(r.data_layout.axis, 'C') - r.data_layout.axis), data[1],
                 weight[0]);
  } else {
    check_groups(d, call, "the number of input channels", weight[0], r.groups);
  }
  const RlxPrim **out = rlx_dims_new(d, conv->rank + 2);
  out[0] = data[0];
  out[1] = rlx_prim_muli(d->store, weight[1], r.groups);
  for (int k = 0; k < conv->rank; k++) {
    if (r.output_padding[k] >= r.strides[k] && !d->failed) {
      rlx_fail(d, call, conv->output_padding, RLX_DIAG_ID(VALUE_RANGE), "sds", "output_padding",
               r.output_padding[k],
               rlx_arena_printf(d->scratch, "less than the stride, %lld", (long long)r.strides[k]));
    }
    const RlxPrim *kernel =
        rlx_prim_muli(d->store, rlx_prim_addi(d->store, weight[k + 2], -1), r.dilation[k]);
    const RlxPrim *size =
        rlx_prim_muli(d->store, rlx_prim_addi(d->store, data[k + 2], -1), r.strides[k]);
    int64_t rest = r.output_padding[k] + 1 - r.padding[k] - r.padding[k + conv->rank];
    out[k + 2] =
        rlx_simplify(d, rlx_prim_addi(d->store, rlx_prim_add(d->store, size, kernel), rest));
  }
  return rlx_out_tensor(d, rlx_layout_backward(d, &r.out_layout, out, conv->data_axes),
                        r.out_layout.ndim, r.dtype, r.vdevice);
}

/// StructInfo of `R.nn.conv1d(data, weight, strides, padding, dilation, groups, data_layout,
/// kernel_layout, out_layout, out_dtype)`.
///
/// data, weight  tensors whose ranks are their layouts'; unknown shapes leave the rank of
/// out_layout. Each spatial axis: (in + padding - dilation * (kernel - 1) - 1) // stride + 1.
/// data's channels equal weight's input channels times groups, output channels are a multiple of
/// groups, unless that can't be refuted. Reports ARGUMENT_KIND, LAYOUT, LIST_LENGTH, VALUE_RANGE,
/// RANK, DTYPE_MISMATCH, VDEVICE_MISMATCH, DIM_MISMATCH, DIVISIBLE.
/// Source: TVM v0.25 InferStructInfoConv1d, src/relax/op/nn/convolution.cc.
const RlxSInfo *rlx_deduce_conv1d(RlxDeduce *d, const RlxCall *call) {
  return convolve(d, call, &(Conv){"NCW", "OIW", 1, 2, 3, -1, 4, 5, 6, 9});
}

/// StructInfo of `R.nn.conv2d(…)`: as `R.nn.conv1d`, with two spatial axes.
/// Source: TVM v0.25 InferStructInfoConv2d, src/relax/op/nn/convolution.cc.
const RlxSInfo *rlx_deduce_conv2d(RlxDeduce *d, const RlxCall *call) {
  return convolve(d, call, &(Conv){"NCHW", "OIHW", 2, 2, 3, -1, 4, 5, 6, 9});
}

/// StructInfo of `R.nn.conv3d(…)`: as `R.nn.conv1d`, with three spatial axes.
/// Source: TVM v0.25 InferStructInfoConv3d, src/relax/op/nn/convolution.cc.
const RlxSInfo *rlx_deduce_conv3d(RlxDeduce *d, const RlxCall *call) {
  return convolve(d, call, &(Conv){"NCDHW", "OIDHW", 3, 2, 3, -1, 4, 5, 6, 9});
}

/// StructInfo of `R.nn.conv1d_transpose(data, weight, strides, padding, output_padding, dilation,
/// groups, …)`.
///
/// Each spatial axis: (in - 1) * stride - padding + dilation * (kernel - 1) + output_padding + 1;
/// output channels are weight's times groups; output padding is less than the stride. Reports as
/// `R.nn.conv1d`.
/// Source: TVM v0.25 InferStructInfoConv1dTranspose, src/relax/op/nn/convolution.cc.
const RlxSInfo *rlx_deduce_conv1d_transpose(RlxDeduce *d, const RlxCall *call) {
  return convolve_back(d, call, &(Conv){"NCW", "IOW", 1, 2, 3, 4, 5, 6, 7, 10});
}

/// StructInfo of `R.nn.conv2d_transpose(…)`: as `R.nn.conv1d_transpose`, with two spatial axes.
/// Source: TVM v0.25 InferStructInfoConv2dTranspose, src/relax/op/nn/convolution.cc.
const RlxSInfo *rlx_deduce_conv2d_transpose(RlxDeduce *d, const RlxCall *call) {
  return convolve_back(d, call, &(Conv){"NCHW", "IOHW", 2, 2, 3, 4, 5, 6, 7, 10});
}

/// StructInfo of `R.nn.conv3d_transpose(…)`: as `R.nn.conv1d_transpose`, with three spatial axes.
/// Source: TVM v0.25 InferStructInfoConv3dTranspose, src/relax/op/nn/convolution.cc.
const RlxSInfo *rlx_deduce_conv3d_transpose(RlxDeduce *d, const RlxCall *call) {
  return convolve_back(d, call, &(Conv){"NCDHW", "IODHW", 3, 2, 3, 4, 5, 6, 7, 10});
}
