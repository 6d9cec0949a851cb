/// Rules of normalisations, losses, padding and other parts of networks.
#include "analyzer/ops/dist.h"
#include <string.h>

#define RLX_FAMILY "analyzer/ops/nn.def"
#include "analyzer/ops/rules.h"

/// StructInfo of `R.nn.prelu(data, alpha, axis=1)`: data's. bfloat16 is refused, an unknown rank
/// unchecked, as in TVM.
///
/// Reports ARGUMENT_KIND, DTYPE_CLASS, AXIS_RANGE.
/// Source: TVM v0.25 InferStructInfoPRelu, src/relax/op/nn/nn.cc.
const RlxSInfo *rlx_deduce_prelu(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  (void)rlx_arg_tensor(d, call, 1);
  if (!x) return rlx_out_unknown(d);
  if (x->ndim < 0) return x;
  int axis;
  if (rlx_dtype_known(x->dtype) && x->dtype.code != RLX_DTYPE_FLOAT) {
    rlx_fail(d, call, 0, RLX_DIAG_ID(DTYPE_CLASS), "sss", "data", rlx_text_dtype(d, x->dtype),
             "a float dtype");
  }
  (void)rlx_attr_axis(d, call, 2, x->ndim, &axis);
  return x;
}

/// StructInfo of `R.nn.softmax(data, axis=-1)` and `R.nn.log_softmax`: data's; an unknown rank is
/// not checked, as in TVM.
///
/// Reports ARGUMENT_KIND, DTYPE_CLASS, AXIS_RANGE.
/// Source: TVM v0.25 InferStructInfoSoftmax, src/relax/op/nn/nn.cc.
const RlxSInfo *rlx_deduce_softmax(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_out_unknown(d);
  if (x->ndim < 0) return x;
  int axis;
  rlx_need_float(d, call, 0, x);
  (void)rlx_attr_axis(d, call, 1, x->ndim, &axis);
  return rlx_out_dist_same(d, call, x);
}

/// StructInfo of `R.nn.pad(data, pad_width, pad_mode="constant", pad_value=0)`: each dimension plus
/// its two pads, no device.
///
/// pad_width  two values for each axis; an unknown rank is refused.
/// Reports ARGUMENT_KIND, LIST_LENGTH, SHAPE_NEEDED.
/// Source: TVM v0.25 InferStructInfoPad, src/relax/op/nn/nn.cc.
const RlxSInfo *rlx_deduce_pad(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  const int64_t *pad;
  int count;
  RlxAttrState state = rlx_attr_ints(d, call, 1, &pad, &count);
  if (!x) return rlx_out_unknown(d);
  if (state == RLX_ATTR_OK && x->ndim < 0)
    rlx_fail(d, call, 0, RLX_DIAG_ID(SHAPE_NEEDED), "ss", "data", rlx_text_sinfo(d, x));
  if (state == RLX_ATTR_OK && x->ndim >= 0 && count != 2 * x->ndim) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(LIST_LENGTH), "sis", "pad_width", count,
             rlx_arena_printf(d->scratch, "%d, two for each axis", 2 * x->ndim));
  }
  RlxDims from = rlx_rule_dims(d, x);
  if (d->failed || state != RLX_ATTR_OK || !from)
    return rlx_out_tensor(d, NULL, x->ndim, x->dtype, NULL);
  const RlxPrim **dims = rlx_dims_new(d, x->ndim);
  for (int i = 0; i < x->ndim; i++)
    dims[i] = rlx_prim_addi(d->store, from[i], pad[2 * i] + pad[2 * i + 1]);
  return rlx_out_tensor(d, dims, x->ndim, x->dtype, NULL);
}

/// StructInfo of `R.nn.pixel_shuffle(data, upscale_factor)`: (…, C, H, W) to (…, C / r², H r, W r),
/// no device.
///
/// data  rank 3 or more; an unknown rank is refused.
/// Reports ARGUMENT_KIND, VALUE_RANGE, RANK, DIVISIBLE.
/// Source: TVM v0.25 InferStructInfoPixelShuffle, src/relax/op/nn/nn.cc. Differs: symbolic channels
/// crash TVM.
const RlxSInfo *rlx_deduce_pixel_shuffle(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  int64_t r;
  RlxAttrState state = rlx_attr_int(d, call, 1, &r);
  if (!x) return rlx_out_unknown(d);
  if (state == RLX_ATTR_OK && (r <= 0 || r > 1 << 20))
    rlx_fail(d, call, 1, RLX_DIAG_ID(VALUE_RANGE), "sds", "upscale_factor", r, "at least 1");
  if (x->ndim < 3) rlx_fail_rank(d, call, 0, x, "rank 3 or more");
  if (d->failed || state != RLX_ATTR_OK || !x->dims)
    return rlx_out_tensor(d, NULL, x->ndim, x->dtype, NULL);
  const RlxPrim *channels = x->dims[x->ndim - 3], *square = rlx_dim(d, r * r);
  if (rlx_rule_unequal(d, rlx_prim_floormod(d->store, channels, square), rlx_dim(d, 0))) {
    rlx_fail(d, call, 0, RLX_DIAG_ID(DIVISIBLE), "sss", "the number of channels",
             rlx_text_prim(d, channels), rlx_text_prim(d, square));
  }
  const RlxPrim **dims = rlx_dims_new(d, x->ndim);
  for (int i = 0; i < x->ndim; i++)
    dims[i] = i < x->ndim - 3 ? x->dims[i] : rlx_prim_muli(d->store, x->dims[i], r);
  dims[x->ndim - 3] = rlx_prim_floordiv(d->store, channels, square);
  return rlx_out_tensor(d, dims, x->ndim, x->dtype, NULL);
}

/// StructInfo of `R.nn.batch_flatten(data)`: (d0, product of the rest); rank 2 is kept as it is.
///
/// Reports ARGUMENT_KIND, RANK.
/// Source: TVM v0.25 InferStructInfoBatchFlatten, src/relax/op/nn/nn.cc.
const RlxSInfo *rlx_deduce_batch_flatten(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_out_unknown(d);
  if (x->ndim == 2) return x;
  if (x->ndim >= 0 && x->ndim < 2) {
    rlx_fail_rank(d, call, 0, x, "rank 2 or more");
    return rlx_out(d, x, NULL, 2);
  }
  if (!x->dims) return rlx_out(d, x, NULL, 2);
  const RlxPrim *dims[2] = {x->dims[0], rlx_rule_product(d, x->dims + 1, x->ndim - 1)};
  return rlx_out(d, x, dims, 2);
}

// ---- normalisations

typedef enum Norm { NORM_KNOWN, NORM_UNDECIDED, NORM_BAD } Norm;

/// Checks parameters 1..last against data and its `axes`: dtype, rank, lengths.
/// Source: TVM v0.25 NormCheckDtypeAndShape.
static Norm check_norm(RlxDeduce *d, const RlxCall *call, const RlxSInfo *const *x, int last,
                       const int *axes, int count) {
  if (!rlx_need_float(d, call, 0, x[0])) return NORM_BAD;
  for (int i = 1; i <= last; i++) {
    if (!rlx_dtype_equal(x[i]->dtype, x[0]->dtype)) {
      rlx_fail(d, call, i, RLX_DIAG_ID(DTYPE_MISMATCH), "ss", rlx_text_dtype(d, x[0]->dtype),
               rlx_text_dtype(d, x[i]->dtype));
      return NORM_BAD;
    }
    if (!rlx_need_ndim(d, call, i, x[i], count, true)) return NORM_BAD;
  }
  const RlxPrim **base = NULL;
  if (x[0]->dims) {
    base = rlx_dims_new(d, count);
    for (int k = 0; k < count; k++) base[k] = x[0]->dims[axes[k]];
  }
  Norm norm = NORM_KNOWN;
  RlxDims first = base;
  for (int i = 1; i <= last; i++) {
    if (!x[i]->dims) continue;
    if (!first) first = x[i]->dims;
    for (int k = 0; k < count; k++) {
      if (rlx_rule_unequal(d, first[k], x[i]->dims[k])) {
        rlx_fail_dim(d, call, i, k, x[i]->dims[k], first[k]);
        return NORM_BAD;
      }
      if (!rlx_rule_equal(d, first[k], x[i]->dims[k])) norm = NORM_UNDECIDED;
    }
  }
  return norm;
}

/// Tensors 0..last; false when one is none.
static bool read_all(RlxDeduce *d, const RlxCall *call, int last, const RlxSInfo **x) {
  bool good = true;
  for (int i = 0; i <= last; i++) {
    x[i] = rlx_arg_tensor(d, call, i);
    good &= x[i] != NULL;
  }
  return good;
}

/// StructInfo of `R.nn.batch_norm(data, gamma, beta, moving_mean, moving_var, axis, …)`: (data,
/// moving_mean, moving_var).
///
/// All dtypes exactly data's, which is floating point; the four are vectors as long as data along
/// axis. If that can't be decided, shapes are lost. Reports ARGUMENT_KIND, DTYPE_CLASS,
/// DTYPE_MISMATCH, RANK, AXIS_RANGE, DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoBatchNorm, src/relax/op/nn/nn.cc.
const RlxSInfo *rlx_deduce_batch_norm(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x[5];
  int axis;
  if (!read_all(d, call, 4, x)) return rlx_sinfo_object(d->store);
  RlxAttrState state = rlx_attr_axis(d, call, 5, x[0]->ndim, &axis);
  Norm norm = state == RLX_ATTR_OK ? check_norm(d, call, x, 4, &axis, 1) : NORM_UNDECIDED;
  const RlxSInfo *known[3] = {x[0], x[3], x[4]};
  if (norm == NORM_KNOWN) return rlx_out_tuple(d, known, 3);
  const RlxSInfo *vector = rlx_out(d, x[0], NULL, 1),
                 *fields[3] = {rlx_out(d, x[0], NULL, x[0]->ndim), vector, vector};
  return rlx_out_tuple(d, fields, 3);
}

/// StructInfo of `R.nn.layer_norm(data, gamma, beta, axes, …)` and `R.nn.rms_norm(data, weight,
/// axes=-1, …)`: data's.
///
/// gamma, beta, weight  data's dtype exactly, one axis for each of `axes`, of equal length; if that
///                      can't be decided, data's shape is lost.
/// Reports ARGUMENT_KIND, DTYPE_CLASS, DTYPE_MISMATCH, RANK, AXIS_RANGE, AXIS_REPEATED,
/// DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoLayerNorm, InferStructInfoRMSNorm, src/relax/op/nn/nn.cc.
const RlxSInfo *rlx_deduce_layer_norm(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x[3];
  int at = rlx_op_param(call->row, "axes"), count;
  const int *axes;
  if (!read_all(d, call, at - 1, x)) return x[0] ? x[0] : rlx_out_unknown(d);
  RlxAttrState state = rlx_attr_axes(d, call, at, x[0]->ndim, &axes, &count);
  if (state != RLX_ATTR_OK) return rlx_out(d, x[0], NULL, x[0]->ndim);
  Norm norm = check_norm(d, call, x, at - 1, axes, count);
  return norm == NORM_UNDECIDED ? rlx_out(d, x[0], NULL, x[0]->ndim) : x[0];
}

/// Checks channel axis and axes; gives the normalised channel axis, -1 when the rank is not known,
/// -2 after a report.
static int channel_axis(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *data) {
  int channel, count;
  const int *axes;
  if (data->ndim < 0) return -1;
  RlxAttrState state = rlx_attr_axis(d, call, i, data->ndim, &channel),
               listed = rlx_attr_axes(d, call, i + 1, data->ndim, &axes, &count);
  if (state == RLX_ATTR_BAD || listed == RLX_ATTR_BAD) return -2;
  if (state != RLX_ATTR_OK || listed != RLX_ATTR_OK) return -1;
  for (int k = 0; k < count; k++) {
    if (axes[k] != channel) continue;
    rlx_fail(d, call, i + 1, RLX_DIAG_ID(VALUE_RANGE), "sis", "axes", channel,
             "axes other than the channel axis");
    return -2;
  }
  return channel;
}

/// Checks gamma and beta: vectors of data's dtype exactly, as long as the channel axis.
static void check_channels(RlxDeduce *d, const RlxCall *call, const RlxSInfo *const *x,
                           int channel) {
  for (int i = 1; i <= 2 && !d->failed; i++) {
    if (!rlx_dtype_equal(x[i]->dtype, x[0]->dtype)) {
      rlx_fail(d, call, i, RLX_DIAG_ID(DTYPE_MISMATCH), "ss", rlx_text_dtype(d, x[0]->dtype),
               rlx_text_dtype(d, x[i]->dtype));
    } else if (rlx_need_ndim(d, call, i, x[i], 1, true) && channel >= 0 && x[i]->dims &&
               x[0]->dims && rlx_rule_unequal(d, x[i]->dims[0], x[0]->dims[channel])) {
      rlx_fail_dim(d, call, i, 0, x[i]->dims[0], x[0]->dims[channel]);
    }
  }
}

/// StructInfo of `R.nn.group_norm(data, gamma, beta, num_groups, channel_axis, axes, …)`: data's.
///
/// data  float (bfloat16 is refused); its channels not provably indivisible by num_groups.
/// Reports ARGUMENT_KIND, AXIS_RANGE, AXIS_REPEATED, VALUE_RANGE, DTYPE_CLASS, DIVISIBLE,
/// DTYPE_MISMATCH, RANK, DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoGroupNorm, src/relax/op/nn/nn.cc.
const RlxSInfo *rlx_deduce_group_norm(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x[3];
  if (!read_all(d, call, 2, x)) return x[0] ? x[0] : rlx_out_unknown(d);
  int channel = channel_axis(d, call, 4, x[0]);
  if (channel == -2) return x[0];
  if (rlx_dtype_known(x[0]->dtype) && x[0]->dtype.code != RLX_DTYPE_FLOAT) {
    rlx_fail(d, call, 0, RLX_DIAG_ID(DTYPE_CLASS), "sss", "data", rlx_text_dtype(d, x[0]->dtype),
             "a float dtype");
    return x[0];
  }
  int64_t groups;
  if (rlx_attr_int(d, call, 3, &groups) == RLX_ATTR_OK) {
    if (groups == 0) {
      rlx_fail(d, call, 3, RLX_DIAG_ID(VALUE_RANGE), "sds", "num_groups", groups, "at least 1");
    } else if (x[0]->dims && channel >= 0 &&
               rlx_rule_unequal(
                   d, rlx_prim_floormod(d->store, x[0]->dims[channel], rlx_dim(d, groups)),
                   rlx_dim(d, 0))) {
      rlx_fail(d, call, 3, RLX_DIAG_ID(DIVISIBLE), "sss", "the number of channels",
               rlx_text_prim(d, x[0]->dims[channel]),
               rlx_arena_printf(d->scratch, "%lld groups", (long long)groups));
    }
  }
  check_channels(d, call, x, channel);
  return x[0];
}

/// StructInfo of `R.nn.instance_norm(data, gamma, beta, channel_axis, axes, …)`: data's, whatever
/// its dtype.
///
/// Reports ARGUMENT_KIND, AXIS_RANGE, AXIS_REPEATED, VALUE_RANGE, DTYPE_MISMATCH, RANK,
/// DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoInstanceNorm, src/relax/op/nn/nn.cc.
const RlxSInfo *rlx_deduce_instance_norm(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x[3];
  if (!read_all(d, call, 2, x)) return x[0] ? x[0] : rlx_out_unknown(d);
  int channel = channel_axis(d, call, 3, x[0]);
  if (channel != -2) check_channels(d, call, x, channel);
  return x[0];
}

/// StructInfo of `R.nn.dropout(data, rate=0.5)`: a tuple of the result and the mask, both data's.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoDropout, src/relax/op/nn/nn.cc.
const RlxSInfo *rlx_deduce_dropout(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_sinfo_object(d->store);
  const RlxSInfo *fields[2] = {x, x};
  return rlx_out_tuple(d, fields, 2);
}

// ---- losses

/// StructInfo of `R.nn.cross_entropy_with_logits(predictions, labels)`: a scalar tensor.
///
/// Reports ARGUMENT_KIND, DTYPE_MISMATCH, VDEVICE_MISMATCH, RANK_MISMATCH, DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoCrossEntropy, src/relax/op/nn/nn.cc.
const RlxSInfo *rlx_deduce_cross_entropy(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *a = rlx_arg_tensor(d, call, 0), *b = rlx_arg_tensor(d, call, 1);
  const RlxPrim **none = rlx_dims_new(d, 0);
  if (!a || !b) return rlx_out_tensor(d, none, 0, rlx_dtype_unknown(), NULL);
  RlxDType dtype = rlx_rule_dtype(d, call, a->dtype, b->dtype);
  const RlxVDevice *vdevice = rlx_rule_vdevice(d, call, a->vdevice, b->vdevice);
  RlxDims p = rlx_rule_dims(d, a), q = rlx_rule_dims(d, b);
  if (rlx_need_same_ndim(d, call, 1, b, 0, a) && p && q) {
    for (int k = 0; k < a->ndim; k++) {
      if (!rlx_rule_unequal(d, p[k], q[k])) continue;
      rlx_fail_dim(d, call, 1, k, q[k], p[k]);
      break;
    }
  }
  return rlx_out_tensor(d, none, 0, dtype, vdevice);
}

/// Compares targets with predictions: (C,) with (), (N, C, d…) with (N, d…).
static void check_targets(RlxDeduce *d, const RlxCall *call, const RlxSInfo *pred,
                          const RlxSInfo *target) {
  if (pred->ndim == 0) {
    rlx_fail_rank(d, call, 0, pred, "rank 1 or more");
    return;
  }
  if (pred->ndim > 0 && target->ndim >= 0) {
    int k = pred->ndim <= 2 ? 0 : pred->ndim - 2,
        k_target = target->ndim <= 1 ? 0 : target->ndim - 1;
    RlxDims p = rlx_rule_dims(d, pred), t = rlx_rule_dims(d, target);
    bool scalars = p && t && (pred->ndim == 1) != (target->ndim == 0);
    if (k != k_target || scalars) {
      rlx_fail_rank(d, call, 1, target, rlx_arena_printf(d->scratch, "rank %d", pred->ndim - 1));
      return;
    }
    for (int i = 0; p && t && i < target->ndim; i++) {
      const RlxPrim *expected = p[i == 0 ? 0 : i + 1];
      if (!rlx_rule_unequal(d, expected, t[i])) continue;
      rlx_fail_dim(d, call, 1, i, t[i], expected);
      return;
    }
  }
}

/// StructInfo of `R.nn.nll_loss(predictions, targets, weights=None, reduction="mean",
/// ignore_index=-100)`.
///
/// predictions  (N, C, d…) or (C,); targets integers (N, d…) or (); weights (C,). Only provable
///              contradictions are refused.
/// reduction    "none" gives one loss for each target, "sum" and "mean" a scalar.
/// Reports ARGUMENT_KIND, DTYPE_MISMATCH, VDEVICE_MISMATCH, DTYPE_CLASS, RANK, DIM_MISMATCH,
/// VALUE_ALLOWED.
/// Source: TVM v0.25 InferStructInfoNLLLoss, src/relax/op/nn/nn.cc.
const RlxSInfo *rlx_deduce_nll_loss(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *pred = rlx_arg_tensor(d, call, 0), *target = rlx_arg_tensor(d, call, 1);
  const RlxSInfo *weight = rlx_arg_given(call, 2) ? rlx_arg_tensor(d, call, 2) : NULL;
  if (!pred || !target) return rlx_out_unknown(d);
  RlxDType dtype = weight ? rlx_rule_dtype(d, call, pred->dtype, weight->dtype) : pred->dtype;
  const RlxVDevice *vdevice =
      weight ? rlx_rule_vdevice(d, call, pred->vdevice, weight->vdevice) : pred->vdevice;
  rlx_need_int(d, call, 1, target);
  if (!d->failed) check_targets(d, call, pred, target);
  RlxDims p = rlx_rule_dims(d, pred), w = weight ? rlx_rule_dims(d, weight) : NULL;
  if (weight && !d->failed && rlx_need_ndim(d, call, 2, weight, 1, false) && p && w &&
      pred->ndim > 0) {
    const RlxPrim *classes = p[pred->ndim == 1 ? 0 : 1];
    if (rlx_rule_unequal(d, classes, w[0])) rlx_fail_dim(d, call, 2, 0, w[0], classes);
  }
  const char *reduction;
  RlxAttrState state = rlx_attr_str(d, call, 3, &reduction);
  if (state != RLX_ATTR_OK) return rlx_out_tensor(d, NULL, -1, dtype, vdevice);
  bool each = strcmp(reduction, "none") == 0;
  if (!each && strcmp(reduction, "sum") != 0 && strcmp(reduction, "mean") != 0) {
    rlx_fail(d, call, 3, RLX_DIAG_ID(VALUE_ALLOWED), "sss", "reduction",
             rlx_text_value(d, &call->args[3]), "\"none\", \"sum\", \"mean\"");
  }
  if (!each) return rlx_out_tensor(d, rlx_dims_new(d, 0), 0, dtype, vdevice);
  if (pred->ndim < 1) return rlx_out_tensor(d, NULL, -1, dtype, vdevice);
  if (!pred->dims) return rlx_out_tensor(d, NULL, pred->ndim - 1, dtype, vdevice);
  const RlxPrim **dims = rlx_dims_new(d, pred->ndim);
  int ndim = 0;
  for (int i = 0; pred->ndim > 1 && i < pred->ndim; i++) {
    if (i != 1) dims[ndim++] = pred->dims[i];
  }
  return rlx_out_tensor(d, dims, ndim, dtype, vdevice);
}
