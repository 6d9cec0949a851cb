/// multibox_transform_loc: boxes out of anchors and what a network says of them, and its scores.
#include <math.h>

#include "jit/legalize/compute.h"

typedef struct Multibox {
  const RlxOperand *classes, *places, *anchors;
  const RlxOperand *most, *sum; ///< of the softmax over classes; NULL: scores as they are
  RlxE variance[4], threshold;
  bool clips, keeps_background;
  RlxDType t;
} Multibox;

/// Number `k` of what is said of anchor `n`: x, y, width, height, times its variance.
static RlxE said(RlxCompute *c, const Multibox *z, RlxE *s, int k) {
  RlxE at[2] = {s[0], rlx_add(c, rlx_mul(c, s[1], rlx_i(c, 4)), rlx_i(c, k))};
  return rlx_mul(c, rlx_as(c, z->t, rlx_at(c, z->places, at)), z->variance[k]);
}

static RlxE corner(RlxCompute *c, const Multibox *z, RlxE n, int k) {
  RlxE at[3] = {rlx_i(c, 0), n, rlx_i(c, k)};
  return rlx_as(c, z->t, rlx_at(c, z->anchors, at));
}

/// The lower or upper end along x (axis 0) or y (axis 1).
static RlxE box_end(RlxCompute *c, const Multibox *z, RlxE *s, int axis, bool is_upper) {
  RlxE low = corner(c, z, s[1], axis), high = corner(c, z, s[1], axis + 2),
       half = rlx_num(c, 0.5, z->t);
  RlxE middle = rlx_mul(c, rlx_add(c, low, high), half), size = rlx_sub(c, high, low);
  RlxE centre = rlx_add(c, rlx_mul(c, said(c, z, s, axis), size), middle);
  RlxE reach = rlx_mul(c, rlx_mul(c, half, rlx_call1(c, "exp", said(c, z, s, axis + 2))), size);
  RlxE end = is_upper ? rlx_add(c, centre, reach) : rlx_sub(c, centre, reach);
  if (!z->clips) return end;
  return rlx_op(c, RLX_TIR_MAX, rlx_num(c, 0, z->t),
                rlx_op(c, RLX_TIR_MIN, rlx_num(c, 1, z->t), end));
}

static RlxE box_value(RlxCompute *c, RlxE *s, void *data) {
  RlxE value = NULL;
  for (int k = 3; k >= 0; k--) { // ymin, xmin, ymax, xmax
    RlxE end = box_end(c, data, s, !(k & 1), k >= 2);
    value = value ? rlx_pick(c, rlx_eq(c, s[2], rlx_i(c, k)), end, value) : end;
  }
  return value;
}

static RlxE class_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Multibox *z = data;
  RlxE at[3] = {s[0], r[0], s[1]};
  RlxE e = rlx_as(c, z->t, rlx_at(c, z->classes, at));
  return z->most ? rlx_call1(c, "exp", rlx_sub(c, e, rlx_at(c, z->most, s))) : e;
}

static RlxE score_value(RlxCompute *c, RlxE *s, void *data) {
  const Multibox *z = data;
  RlxE anchor[2] = {s[0], s[2]}, e = rlx_as(c, z->t, rlx_at(c, z->classes, s)),
       zero = rlx_num(c, 0, z->t);
  if (z->sum)
    e = rlx_op(c, RLX_TIR_DIV, rlx_call1(c, "exp", rlx_sub(c, e, rlx_at(c, z->most, anchor))),
               rlx_at(c, z->sum, anchor));
  RlxE kept = rlx_mul(c, e, rlx_pick(c, rlx_ge(c, e, z->threshold), rlx_num(c, 1, z->t), zero));
  return z->keeps_background ? kept : rlx_pick(c, rlx_eq(c, s[1], rlx_i(c, 0)), zero, kept);
}

bool rlx_legalize_multibox(RlxCompute *c) {
  Multibox z = {.classes = rlx_operand(c, 0),
                .places = rlx_operand(c, 1),
                .anchors = rlx_operand(c, 2),
                .clips = rlx_bool_of(c, "clip", false),
                .keeps_background = rlx_bool_of(c, "keep_background", true)};
  if (!z.classes || !z.places || !z.anchors) return false;
  RlxE batch = z.classes->shape[0], n = z.classes->shape[2];
  if (!rlx_need_extent(c, 1, 0, batch) || !rlx_need_extent(c, 1, 1, rlx_mul(c, n, rlx_i(c, 4))) ||
      !rlx_need_extent(c, 2, 0, rlx_i(c, 1)) || !rlx_need_extent(c, 2, 1, n) ||
      !rlx_need_extent(c, 2, 2, rlx_i(c, 4)))
    return false;
  if (!rlx_dtype_is_float(z.classes->dtype))
    return rlx_refuse(c,
                      "R.vision.multibox_transform_loc takes operands of a floating-point dtype");
  z.t = rlx_wide(z.classes->dtype);
  z.threshold = rlx_scalar_of(c, "threshold", z.t, 0);
  double variances[4] = {1, 1, 1, 1};
  rlx_floats_of(c, "variances", variances, 4);
  for (int k = 0; k < 4; k++) z.variance[k] = rlx_num(c, variances[k], z.t);
  rlx_compute(c, &c->outputs[0], box_value, &z);
  if (rlx_bool_of(c, "apply_softmax", true)) {
    RlxE shape[2] = {batch, n}, classes = z.classes->shape[1];
    RlxOperand most = rlx_temporary(c, z.t, shape, 2), sum = rlx_temporary(c, z.t, shape, 2);
    rlx_reduce(c, &most, &classes, 1, RLX_TIR_MAX, rlx_num(c, (double)-INFINITY, z.t), class_term,
               &z);
    z.most = &most;
    rlx_reduce(c, &sum, &classes, 1, RLX_TIR_ADD, rlx_num(c, 0, z.t), class_term, &z);
    z.sum = &sum;
    rlx_compute(c, &c->outputs[1], score_value, &z);
    return !c->failed;
  }
  rlx_compute(c, &c->outputs[1], score_value, &z);
  return !c->failed;
}
