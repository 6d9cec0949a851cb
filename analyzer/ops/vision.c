/// Rules of detection operators.
#include "analyzer/ops/ops.h"
#include <string.h>

#define RLX_FAMILY "analyzer/ops/vision.def"
#include "analyzer/ops/rules.h"

/// A tensor of these dimensions, on x's device.
static const RlxSInfo *made(RlxDeduce *d, const RlxSInfo *x, RlxDType dtype, int ndim,
                            const RlxPrim *a, const RlxPrim *b, const RlxPrim *c) {
  const RlxPrim *dims[3] = {a, b, c};
  return rlx_out_tensor(d, a ? dims : NULL, ndim, dtype, x->vdevice);
}

/// Reports VALUE_RANGE unless int attribute `i` is in [low, high). False after a report.
static bool need_index(RlxDeduce *d, const RlxCall *call, int i, int64_t low, int64_t high) {
  int64_t k;
  if (rlx_attr_int(d, call, i, &k) != RLX_ATTR_OK || (k >= low && k < high)) return true;
  rlx_fail(d, call, i, RLX_DIAG_ID(VALUE_RANGE), "sds", rlx_param_name(call, i), k,
           rlx_arena_printf(d->scratch, "%lld up to but not including %lld", (long long)low,
                            (long long)high));
  return false;
}

/// Reports DIM_MISMATCH unless a constant dimension is `expected`. False after a report.
static bool need_const(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x, int k,
                       int64_t expected) {
  int64_t length;
  if (!x->dims || !rlx_prim_is_const(x->dims[k], &length) || length == expected) return true;
  rlx_fail_dim(d, call, i, k, x->dims[k], rlx_dim(d, expected));
  return false;
}

/// StructInfo of `R.vision.all_class_non_max_suppression(boxes, scores, …, output_format="onnx")`.
///
/// boxes, scores  rank 3; an unknown rank is refused. The other three are tensors.
/// Reports ARGUMENT_KIND, RANK, VALUE_ALLOWED is left to run time, as in TVM.
/// Source: TVM v0.25 InferStructInfoAllClassNMS, src/relax/op/vision/nms.cc.
const RlxSInfo *rlx_deduce_all_class_nms(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x[5];
  bool good = true;
  for (int i = 0; i < 5; i++) {
    x[i] = rlx_arg_tensor(d, call, i);
    good &= x[i] != NULL;
  }
  if (!good) return rlx_sinfo_object(d->store);
  good = rlx_need_ndim(d, call, 0, x[0], 3, true) && rlx_need_ndim(d, call, 1, x[1], 3, true);
  const char *format;
  if (rlx_attr_str(d, call, 5, &format) != RLX_ATTR_OK) return rlx_sinfo_object(d->store);
  bool known = good && x[0]->dims && x[1]->dims;
  const RlxPrim *batch = known ? x[0]->dims[0] : NULL;
  const RlxPrim *each = known ? rlx_prim_mul(d->store, x[1]->dims[1], x[0]->dims[1]) : NULL;
  if (strcmp(format, "onnx") == 0) {
    const RlxPrim *all =
        known ? rlx_prim_mul(d->store, rlx_prim_mul(d->store, batch, x[1]->dims[1]), x[0]->dims[1])
              : NULL;
    const RlxSInfo *fields[2] = {made(d, x[0], RLX_INT64, 2, all, rlx_dim(d, 3), NULL),
                                 made(d, x[0], RLX_INT64, 1, rlx_dim(d, 1), NULL, NULL)};
    return rlx_out_tuple(d, fields, 2);
  }
  const RlxSInfo *fields[3] = {made(d, x[0], RLX_INT64, 3, batch, each, rlx_dim(d, 2)),
                               made(d, x[0], RLX_FLOAT32, 2, batch, each, NULL),
                               made(d, x[0], RLX_INT64, 1, batch, NULL, NULL)};
  return rlx_out_tuple(d, fields, 3);
}

/// StructInfo of `R.vision.get_valid_counts(data, score_threshold=0, id_index=0, score_index=1)`.
///
/// Reports ARGUMENT_KIND, RANK, VALUE_RANGE (against a constant last dimension).
/// Source: TVM v0.25 InferStructInfoGetValidCounts, src/relax/op/vision/nms.cc.
const RlxSInfo *rlx_deduce_get_valid_counts(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_sinfo_object(d->store);
  bool known = rlx_need_ndim(d, call, 0, x, 3, false) && x->dims;
  int64_t elements;
  if (known && rlx_prim_is_const(x->dims[2], &elements) && need_index(d, call, 3, 0, elements))
    need_index(d, call, 2, -1, elements);
  const RlxPrim *batch = known ? x->dims[0] : NULL, *boxes = known ? x->dims[1] : NULL;
  const RlxSInfo *fields[3] = {made(d, x, RLX_INT32, 1, batch, NULL, NULL),
                               made(d, x, x->dtype, 3, batch, boxes, known ? x->dims[2] : NULL),
                               made(d, x, RLX_INT32, 2, batch, boxes, NULL)};
  return rlx_out_tuple(d, fields, 3);
}

/// Checks the constant dimensions of classes (B, C, N), boxes (B, 4 N), anchors (1, N, 4).
static void check_multibox(RlxDeduce *d, const RlxCall *call, const RlxSInfo *cls,
                           const RlxSInfo *loc, const RlxSInfo *anchor) {
  int64_t batch, boxes, length;
  if (loc->dims && rlx_prim_is_const(loc->dims[1], &length) && length % 4 != 0) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(DIVISIBLE), "sss", "dimension 1 of `loc_pred`",
             rlx_text_prim(d, loc->dims[1]), "4");
    return;
  }
  if (cls->dims && rlx_prim_is_const(cls->dims[0], &batch) &&
      !need_const(d, call, 1, loc, 0, batch))
    return;
  if (!need_const(d, call, 2, anchor, 0, 1) || !need_const(d, call, 2, anchor, 2, 4)) return;
  if (!cls->dims || !rlx_prim_is_const(cls->dims[2], &boxes) || boxes > INT32_MAX) return;
  if (need_const(d, call, 1, loc, 1, 4 * boxes)) need_const(d, call, 2, anchor, 1, boxes);
}

/// Four numbers in a list.
static bool is_variances(const RlxValue *v) {
  if (v->is_default || v->kind == RLX_VALUE_UNKNOWN || v->kind == RLX_VALUE_ABSENT) return true;
  if (v->kind != RLX_VALUE_LIST || v->count != 4) return false;
  for (uint32_t i = 0; i < v->count; i++) {
    RlxValueKind kind = (RlxValueKind)v->items[i].kind;
    if (kind != RLX_VALUE_FLOAT && kind != RLX_VALUE_INT && kind != RLX_VALUE_BOOL &&
        kind != RLX_VALUE_PRIM && kind != RLX_VALUE_UNKNOWN)
      return false;
  }
  return true;
}

/// StructInfo of `R.vision.multibox_transform_loc(cls_pred, loc_pred, anchor, …)`: boxes (B, N, 4)
/// and scores (B, C, N).
///
/// Reports ARGUMENT_KIND, RANK, DTYPE_MISMATCH, DIVISIBLE, DIM_MISMATCH (constants only).
/// Source: TVM v0.25 InferStructInfoMultiboxTransformLoc,
/// src/relax/op/vision/multibox_transform_loc.cc.
const RlxSInfo *rlx_deduce_multibox_transform_loc(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *cls = rlx_arg_tensor(d, call, 0), *loc = rlx_arg_tensor(d, call, 1),
                 *anchor = rlx_arg_tensor(d, call, 2);
  if (!cls || !loc || !anchor) return rlx_sinfo_object(d->store);
  bool good = rlx_need_ndim(d, call, 0, cls, 3, false) &&
              rlx_need_ndim(d, call, 1, loc, 2, false) &&
              rlx_need_ndim(d, call, 2, anchor, 3, false);
  good = good && rlx_need_same_dtype(d, call, 1, cls->dtype, loc->dtype) &&
         rlx_need_same_dtype(d, call, 2, cls->dtype, anchor->dtype);
  if (good) check_multibox(d, call, cls, loc, anchor);
  if (!d->failed && !is_variances(&call->args[5])) rlx_fail_kind(d, call, 5, "four numbers");
  bool known = good && cls->dims;
  const RlxSInfo *fields[2] = {made(d, cls, cls->dtype, 3, known ? cls->dims[0] : NULL,
                                    known ? cls->dims[2] : NULL, rlx_dim(d, 4)),
                               made(d, cls, cls->dtype, 3, known ? cls->dims[0] : NULL,
                                    known ? cls->dims[1] : NULL, known ? cls->dims[2] : NULL)};
  return rlx_out_tuple(d, fields, 2);
}

static bool need_int32(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x) {
  if (!rlx_dtype_known(x->dtype) || rlx_dtype_equal(x->dtype, RLX_INT32)) return true;
  rlx_fail(d, call, i, RLX_DIAG_ID(DTYPE_CLASS), "sss", rlx_param_name(call, i),
           rlx_text_dtype(d, x->dtype), "int32");
  return false;
}

/// Reports DIM_MISMATCH unless dimension `k` is provably `expected`. False after a report.
static bool need_equal(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x, int k,
                       const RlxPrim *expected) {
  if (!x->dims || rlx_rule_equal(d, x->dims[k], expected)) return true;
  rlx_fail_dim(d, call, i, k, x->dims[k], expected);
  return false;
}

/// Checks shapes and indices of a suppression whose operands have their ranks.
static void check_nms(RlxDeduce *d, const RlxCall *call, const RlxSInfo *x, const RlxSInfo *count,
                      const RlxSInfo *indices) {
  if (!x->dims) return;
  bool good = need_equal(d, call, 1, count, 0, x->dims[0]) &&
              need_equal(d, call, 2, indices, 0, x->dims[0]) &&
              need_equal(d, call, 2, indices, 1, x->dims[1]);
  int64_t elements;
  if (!good || !rlx_prim_is_const(x->dims[2], &elements)) return;
  if (need_index(d, call, 8, 0, elements) && need_index(d, call, 7, 0, elements - 3))
    need_index(d, call, 9, -1, elements);
}

/// StructInfo of `R.vision.non_max_suppression(data, valid_count, indices, …)`.
///
/// data (batch, boxes, elements), valid_count (batch,) and indices (batch, boxes) of int32,
/// provably as many. Reports ARGUMENT_KIND, RANK, DTYPE_CLASS, DIM_MISMATCH, VALUE_RANGE.
/// Source: TVM v0.25 InferStructInfoNMS, src/relax/op/vision/nms.cc.
const RlxSInfo *rlx_deduce_nms(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0), *count = rlx_arg_tensor(d, call, 1),
                 *indices = rlx_arg_tensor(d, call, 2);
  if (!x || !count || !indices) return rlx_sinfo_object(d->store);
  bool good = rlx_need_ndim(d, call, 0, x, 3, false) &&
              rlx_need_ndim(d, call, 1, count, 1, false) &&
              rlx_need_ndim(d, call, 2, indices, 2, false) && need_int32(d, call, 1, count) &&
              need_int32(d, call, 2, indices);
  if (good) check_nms(d, call, x, count, indices);
  bool want_indices;
  double sigma;
  if (rlx_attr_bool(d, call, 10, &want_indices) != RLX_ATTR_OK ||
      rlx_attr_float(d, call, 12, &sigma) != RLX_ATTR_OK)
    return rlx_sinfo_object(d->store);
  const RlxSInfo *boxes = rlx_out(d, x, good ? x->dims : NULL, 3);
  if (!want_indices) return boxes;
  bool known = good && x->dims;
  const RlxSInfo *fields[3] = {
      boxes, made(d, x, RLX_INT32, 2, known ? x->dims[0] : NULL, known ? x->dims[1] : NULL, NULL),
      made(d, x, RLX_INT32, 2, known ? x->dims[0] : NULL, rlx_dim(d, 1), NULL)};
  return sigma > 0 ? rlx_out_tuple(d, fields, 3) : rlx_out_tuple(d, fields + 1, 2);
}

/// Shared by both poolings of regions: (regions, C, h, w) in the layout of data; `layouts` are the
/// allowed ones.
static const RlxSInfo *roi(RlxDeduce *d, const RlxCall *call, int layout_at, const char *layouts) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0), *rois = rlx_arg_tensor(d, call, 1);
  const int64_t *size;
  int count;
  const char *layout;
  RlxAttrState sized = rlx_attr_ints(d, call, 2, &size, &count),
               laid = rlx_attr_str(d, call, layout_at, &layout);
  if (sized == RLX_ATTR_OK && count != 2 && count != 1)
    rlx_fail(d, call, 2, RLX_DIAG_ID(LIST_LENGTH), "sis", "pooled_size", count, "1 or 2");
  if (!x || !rois) return rlx_out_unknown(d);
  bool good = rlx_need_ndim(d, call, 0, x, 4, false) && rlx_need_ndim(d, call, 1, rois, 2, false);
  if (laid == RLX_ATTR_OK && !(strlen(layout) == 4 && strstr(layouts, layout))) {
    rlx_fail(d, call, layout_at, RLX_DIAG_ID(LAYOUT), "sss", "layout", layout, layouts);
  }
  if (good) need_const(d, call, 1, rois, 1, 5);
  if (d->failed || !x->dims || !rois->dims || sized != RLX_ATTR_OK || laid != RLX_ATTR_OK)
    return rlx_out(d, x, NULL, 4);
  const RlxPrim *h = rlx_dim(d, size[0]), *w = rlx_dim(d, size[count - 1]);
  const RlxPrim *first[4] = {rois->dims[0], x->dims[1], h, w},
                *last[4] = {rois->dims[0], h, w, x->dims[3]};
  return rlx_out(d, x, strcmp(layout, "NCHW") == 0 ? first : last, 4);
}

/// StructInfo of `R.vision.roi_align(data, rois, pooled_size, spatial_scale, sample_ratio, aligned,
/// layout, mode)`.
///
/// data rank 4 in NCHW or NHWC; rois (n, 5).
/// Reports ARGUMENT_KIND, RANK, LIST_LENGTH, LAYOUT, VALUE_ALLOWED, DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoROIAlign, src/relax/op/vision/roi_align.cc.
const RlxSInfo *rlx_deduce_roi_align(RlxDeduce *d, const RlxCall *call) {
  const char *mode;
  if (rlx_attr_str(d, call, 7, &mode) == RLX_ATTR_OK && strcmp(mode, "avg") != 0 &&
      strcmp(mode, "max") != 0) {
    rlx_fail(d, call, 7, RLX_DIAG_ID(VALUE_ALLOWED), "sss", "mode",
             rlx_text_value(d, &call->args[7]), "\"avg\", \"max\"");
  }
  return roi(d, call, 6, "NCHW or NHWC");
}

/// StructInfo of `R.vision.roi_pool(data, rois, pooled_size, spatial_scale, layout="NCHW")`: (n, C,
/// h, w).
///
/// Reports ARGUMENT_KIND, RANK, LIST_LENGTH, LAYOUT, DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoROIPool, src/relax/op/vision/roi_pool.cc.
const RlxSInfo *rlx_deduce_roi_pool(RlxDeduce *d, const RlxCall *call) {
  return roi(d, call, 4, "NCHW");
}
