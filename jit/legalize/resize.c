/// image.resize2d and resize3d: each output element mixes the input elements around the place it
/// comes from, axis by axis.
#include <string.h>

#include "jit/legalize/compute.h"

enum { MAX_SPATIAL = 3, MAX_TAPS = 4 };

typedef struct Resize {
  const RlxOperand *x;
  int spatial, axis[MAX_SPATIAL];
  const char *mode, *rounding;
  int taps; ///< 1 nearest, 2 linear, 4 cubic
  double alpha;
  RlxDType t;
} Resize;

/// Where output place `o` comes from along axis `i`, as a number of the input.
static RlxE source_of(RlxCompute *c, const Resize *z, int i, RlxE o) {
  RlxDType t = RLX_FLOAT32;
  RlxE in = rlx_as(c, t, z->x->shape[z->axis[i]]),
       out = rlx_as(c, t, c->outputs[0].shape[z->axis[i]]), place = rlx_as(c, t, o);
  RlxE scale = rlx_op(c, RLX_TIR_DIV, in, out), half = rlx_num(c, 0.5, t), one = rlx_num(c, 1, t);
  if (!strcmp(z->mode, "align_corners")) {
    RlxE more = rlx_op(c, RLX_TIR_GT, out, one);
    return rlx_mul(c, place,
                   rlx_pick(c, more,
                            rlx_op(c, RLX_TIR_DIV, rlx_sub(c, in, one),
                                   rlx_op(c, RLX_TIR_MAX, rlx_sub(c, out, one), one)),
                            rlx_num(c, 0, t)));
  }
  if (!strcmp(z->mode, "asymmetric")) return rlx_mul(c, scale, place);
  if (!strcmp(z->mode, "tf_half_pixel_for_nn")) return rlx_mul(c, rlx_add(c, place, half), scale);
  RlxE centred = rlx_sub(c, rlx_mul(c, rlx_add(c, place, half), scale), half);
  if (!strcmp(z->mode, "pytorch_half_pixel"))
    return rlx_pick(c, rlx_op(c, RLX_TIR_GT, out, one), centred, rlx_num(c, 0, t));
  return centred;
}

static RlxE nearest_of(RlxCompute *c, const Resize *z, RlxE from) {
  RlxE half = rlx_num(c, 0.5, from->dtype), epsilon = rlx_num(c, 1e-5, from->dtype), e;
  const char *how = *z->rounding                        ? z->rounding
                    : !strcmp(z->mode, "align_corners") ? "round"
                                                        : "floor";
  if (!strcmp(how, "round"))
    e = rlx_call1(c, "floor", rlx_add(c, from, half));
  else if (!strcmp(how, "round_prefer_floor"))
    e = rlx_call1(c, "ceil", rlx_sub(c, from, half));
  else if (!strcmp(how, "round_prefer_ceil"))
    e = rlx_call1(c, "floor", rlx_add(c, from, half));
  else if (!strcmp(how, "ceil"))
    e = rlx_call1(c, "ceil", rlx_sub(c, from, epsilon));
  else
    e = rlx_call1(c, "floor", rlx_add(c, from, epsilon));
  return rlx_as(c, RLX_INT64, e);
}

/// Weights of the four taps of cubic convolution at fraction `f`.
static void cubic_weights(RlxCompute *c, double a, RlxE f, RlxE *out) {
  RlxDType t = f->dtype;
  RlxE one = rlx_num(c, 1, t),
       distance[4] = {rlx_add(c, f, one), f, rlx_sub(c, one, f), rlx_sub(c, rlx_num(c, 2, t), f)};
  for (int k = 0; k < 4; k++) {
    RlxE d = distance[k], d2 = rlx_mul(c, d, d), d3 = rlx_mul(c, d2, d);
    if (k == 1 || k == 2) {
      out[k] = rlx_add(
          c, rlx_sub(c, rlx_mul(c, rlx_num(c, a + 2, t), d3), rlx_mul(c, rlx_num(c, a + 3, t), d2)),
          one);
    } else {
      RlxE e = rlx_sub(c, rlx_mul(c, rlx_num(c, a, t), d3), rlx_mul(c, rlx_num(c, 5 * a, t), d2));
      out[k] = rlx_sub(c, rlx_add(c, e, rlx_mul(c, rlx_num(c, 8 * a, t), d)), rlx_num(c, 4 * a, t));
    }
  }
}

/// Sum over the taps of axis `i` and all axes behind it.
static RlxE mix(RlxCompute *c, const Resize *z, int i, RlxE *at, RlxE taps[MAX_SPATIAL][MAX_TAPS],
                RlxE weights[MAX_SPATIAL][MAX_TAPS]) {
  if (i == z->spatial) return rlx_as(c, z->t, rlx_at(c, z->x, at));
  RlxE sum = NULL;
  for (int k = 0; k < z->taps; k++) {
    at[z->axis[i]] = taps[i][k];
    RlxE e = mix(c, z, i + 1, at, taps, weights);
    if (weights[i][k]) e = rlx_mul(c, e, weights[i][k]);
    sum = sum ? rlx_add(c, sum, e) : e;
  }
  return sum;
}

static RlxE resized(RlxCompute *c, RlxE *index, void *data) {
  const Resize *z = data;
  RlxE taps[MAX_SPATIAL][MAX_TAPS] = {{NULL}}, weights[MAX_SPATIAL][MAX_TAPS] = {{NULL}},
       at[RLX_MAX_NDIM];
  memcpy(at, index, sizeof(RlxE) * (size_t)z->x->ndim);
  for (int i = 0; i < z->spatial; i++) {
    RlxE from = source_of(c, z, i, index[z->axis[i]]),
         last = rlx_sub(c, z->x->shape[z->axis[i]], rlx_i(c, 1)), first;
    if (z->taps == 1) {
      first = nearest_of(c, z, from);
    } else {
      RlxE low = rlx_call1(c, "floor", from), fraction = rlx_sub(c, from, low);
      first = rlx_as(c, RLX_INT64, low);
      if (z->taps == 2) {
        weights[i][0] = rlx_as(c, z->t, rlx_sub(c, rlx_num(c, 1, fraction->dtype), fraction));
        weights[i][1] = rlx_as(c, z->t, fraction);
      } else {
        cubic_weights(c, z->alpha, rlx_as(c, z->t, fraction), weights[i]);
        first = rlx_sub(c, first, rlx_i(c, 1));
      }
    }
    for (int k = 0; k < z->taps; k++)
      taps[i][k] =
          rlx_op(c, RLX_TIR_MIN,
                 rlx_op(c, RLX_TIR_MAX, rlx_add(c, first, rlx_i(c, k)), rlx_i(c, 0)), last);
  }
  return mix(c, z, 0, at, taps, weights);
}

bool rlx_legalize_resize(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0);
  if (!x) return false;
  const char *method = rlx_str_of(c, "method", "linear"),
             *layout = rlx_str_of(c, "layout", x->ndim == 5 ? "NCDHW" : "NCHW");
  Resize z = {.x = x,
              .spatial = x->ndim - 2,
              .mode = rlx_str_of(c, "coordinate_transformation_mode", "half_pixel"),
              .rounding = rlx_str_of(c, "rounding_method", "round")};
  z.taps = !strcmp(method, "cubic") ? 4 : !strcmp(method, "linear") ? 2 : 1;
  z.alpha = rlx_float_of(c, "cubic_alpha", -0.75);
  z.t = rlx_dtype_is_float(x->dtype) ? rlx_wide(x->dtype) : z.taps == 1 ? x->dtype : RLX_FLOAT32;
  if (z.spatial < 1 || z.spatial > MAX_SPATIAL || (int)strlen(layout) != x->ndim ||
      rlx_int_of(c, "cubic_exclude", 0) || !strcmp(z.mode, "tf_crop_and_resize")) {
    return rlx_refuse(c, "R.%s in this form has no kernel", c->call->row->script);
  }
  for (int i = 0, n = 0; layout[i]; i++) {
    if (strchr("DHW", layout[i]) && n < MAX_SPATIAL) z.axis[n++] = i;
  }
  c->result->kind = RLX_KERNEL_INJECTIVE;
  rlx_compute(c, &c->outputs[0], resized, &z);
  return true;
}
