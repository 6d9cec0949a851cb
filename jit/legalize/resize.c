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
  bool excludes; ///< taps outside of the input have no weight
  bool crops;    ///< places come from the region, and what lies outside of the input is `outside`
  double region[2 * MAX_SPATIAL]; ///< start and end of each axis, as shares of the input
  RlxE outside;
  RlxDType t;
} Resize;

/// Where output place `o` comes from along axis `i`, as a number of the input, computed in `t`.
static RlxE source_in(RlxCompute *c, const Resize *z, int i, RlxE o, RlxDType t) {
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
  if (z->crops) {
    RlxE last = rlx_sub(c, in, one), start = rlx_num(c, z->region[2 * i], t),
         size = rlx_num(c, z->region[2 * i + 1] - z->region[2 * i], t),
         middle = rlx_num(c, 0.5 * (z->region[2 * i] + z->region[2 * i + 1]), t);
    RlxE steps = rlx_op(c, RLX_TIR_MAX, rlx_sub(c, out, one), one);
    RlxE from = rlx_add(c, rlx_mul(c, start, last),
                        rlx_op(c, RLX_TIR_DIV, rlx_mul(c, rlx_mul(c, place, size), last), steps));
    return rlx_pick(c, rlx_op(c, RLX_TIR_GT, out, one), from, rlx_mul(c, middle, last));
  }
  if (!strcmp(z->mode, "asymmetric")) return rlx_mul(c, scale, place);
  if (!strcmp(z->mode, "tf_half_pixel_for_nn")) return rlx_mul(c, rlx_add(c, place, half), scale);
  RlxE centred = rlx_sub(c, rlx_mul(c, rlx_add(c, place, half), scale), half);
  if (!strcmp(z->mode, "pytorch_half_pixel"))
    return rlx_pick(c, rlx_op(c, RLX_TIR_GT, out, one), centred, rlx_num(c, 0, t));
  return centred;
}

/// The same as a float32. For the nearest element a place between two is exact, for rounding to
/// decide: what float64 leaves of it is gone in float32.
static RlxE source_of(RlxCompute *c, const Resize *z, int i, RlxE o) {
  return rlx_as(c, RLX_FLOAT32,
                source_in(c, z, i, o, z->taps == 1 && !z->crops ? RLX_FLOAT64 : RLX_FLOAT32));
}

static RlxE nearest_of(RlxCompute *c, const Resize *z, RlxE from) {
  RlxE half = rlx_num(c, 0.5, from->dtype), epsilon = rlx_num(c, 1e-5, from->dtype), e;
  const char *how = *z->rounding                        ? z->rounding
                    : !strcmp(z->mode, "align_corners") ? "round"
                                                        : "floor";
  if (!strcmp(how, "round")) // halves to the even number, as TVM's code for the CPU has it
    e = rlx_call1(c, "nearbyint", from);
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

/// The weights of taps outside of the input become 0, and the others as much larger.
static void exclude_outside(RlxCompute *c, RlxE first, RlxE extent, RlxE *weights) {
  RlxE zero = rlx_num(c, 0, weights[0]->dtype), sum = NULL;
  for (int k = 0; k < MAX_TAPS; k++) {
    RlxE at = rlx_add(c, first, rlx_i(c, k));
    RlxE inside = rlx_and(c, rlx_ge(c, at, rlx_i(c, 0)), rlx_lt(c, at, extent));
    weights[k] = rlx_pick(c, inside, weights[k], zero);
    sum = sum ? rlx_add(c, sum, weights[k]) : weights[k];
  }
  for (int k = 0; k < MAX_TAPS; k++) weights[k] = rlx_op(c, RLX_TIR_DIV, weights[k], sum);
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
       at[RLX_MAX_NDIM], outside = NULL;
  memcpy(at, index, sizeof(RlxE) * (size_t)z->x->ndim);
  for (int i = 0; i < z->spatial; i++) {
    RlxE from = source_of(c, z, i, index[z->axis[i]]), extent = z->x->shape[z->axis[i]],
         last = rlx_sub(c, extent, rlx_i(c, 1)), first;
    if (z->crops) {
      RlxE here = rlx_op(c, RLX_TIR_OR, rlx_lt(c, from, rlx_num(c, 0, from->dtype)),
                         rlx_op(c, RLX_TIR_GT, from, rlx_as(c, from->dtype, last)));
      outside = outside ? rlx_op(c, RLX_TIR_OR, outside, here) : here;
    }
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
        if (z->excludes) exclude_outside(c, first, extent, weights[i]);
      }
    }
    for (int k = 0; k < z->taps; k++)
      taps[i][k] =
          rlx_op(c, RLX_TIR_MIN,
                 rlx_op(c, RLX_TIR_MAX, rlx_add(c, first, rlx_i(c, k)), rlx_i(c, 0)), last);
  }
  RlxE value = mix(c, z, 0, at, taps, weights);
  return outside ? rlx_pick(c, outside, z->outside, value) : value;
}

/// The spatial axes of a layout such as NHWC or NCHW4c; false when it splits one.
static bool spatial_axes(const char *layout, Resize *z) {
  int axis = 0, found = 0;
  for (const char *p = layout; *p; p++) {
    if (*p >= '0' && *p <= '9') continue;
    if (strchr("dhw", *p)) return false;
    if (strchr("DHW", *p) && found < MAX_SPATIAL) z->axis[found++] = axis;
    axis++;
  }
  return axis == z->x->ndim && found == z->spatial;
}

/// The region that is cut out; none is 0 for all, as in TVM. Order: starts of the axes, then ends,
/// and in TVM's resize3d the last axis first.
static void read_region(RlxCompute *c, Resize *z) {
  double list[2 * MAX_SPATIAL] = {0};
  int count = rlx_floats_of(c, "roi", list, 2 * MAX_SPATIAL), n = z->spatial;
  for (int i = 0; count == 1 && i < 2 * n; i++) list[i] = list[0];
  if (count > 1 && count < 2 * n)
    rlx_refuse(c, "R.%s: roi has %d numbers, expected %d", c->call->row->script, count, 2 * n);
  for (int i = 0; i < n; i++) {
    int at = n == 3 ? n - 1 - i : i;
    z->region[2 * i] = list[at];
    z->region[2 * i + 1] = list[n + at];
  }
}

bool rlx_legalize_resize(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0);
  if (!x) return false;
  bool is_3d = c->call->row->id == RLX_OP_ID(image_resize3d);
  const char *method = rlx_str_of(c, "method", "linear"),
             *layout = rlx_str_of(c, "layout", is_3d ? "NCDHW" : "NCHW");
  Resize z = {.x = x,
              .spatial = is_3d ? 3 : 2,
              .mode = rlx_str_of(c, "coordinate_transformation_mode", "half_pixel"),
              .rounding = rlx_str_of(c, "rounding_method", is_3d ? "" : "round"),
              .excludes = rlx_int_of(c, "cubic_exclude", 0) != 0};
  z.taps = !strcmp(method, "cubic") ? 4 : !strcmp(method, "linear") ? 2 : 1;
  z.alpha = rlx_float_of(c, "cubic_alpha", -0.75);
  z.crops = !strcmp(z.mode, "tf_crop_and_resize");
  z.t = rlx_dtype_is_float(x->dtype) ? rlx_wide(x->dtype)
        : z.taps == 1 && !z.crops    ? x->dtype
                                     : RLX_FLOAT32;
  if (!spatial_axes(layout, &z))
    return rlx_refuse(c, "R.%s: layout %s splits a spatial axis", c->call->row->script, layout);
  if (z.crops) {
    read_region(c, &z);
    z.outside = rlx_num(c, rlx_float_of(c, "extrapolation_value", 0), z.t);
  }
  c->result->kind = RLX_KERNEL_INJECTIVE;
  rlx_compute(c, &c->outputs[0], resized, &z);
  return true;
}
