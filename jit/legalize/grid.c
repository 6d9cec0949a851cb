/// image.affine_grid makes places out of matrices; image.grid_sample looks an image up at places.
///
/// Up to 0.25 a grid is (N, H, W, 2), its last axis x and y: that gives the shape that is deduced. TVM's kernel
/// reads (N, 2, H, W), whose result has another shape than TVM deduces (docs/differences.md); from 0.27 on
/// that is the shape that is deduced, too.
#include <string.h>

#include "jit/legalize/compute.h"

// ------------------------------------------------------------------ affine_grid

typedef struct Affine {
  const RlxOperand *matrix;
  bool is_cornered; ///< the first and last places are -1 and 1
  RlxDType t;
} Affine;

/// Coordinate `i` of `extent` ones that are spread over [-1, 1].
static RlxE spread_over(RlxCompute *c, const Affine *a, RlxE i, RlxE extent) {
  RlxDType wide = RLX_FLOAT64; // the step is a constant of TVM, computed in double
  RlxE n = rlx_as(c, wide, extent), one = rlx_num(c, 1, wide), start, step;
  if (a->is_cornered) {
    RlxE gaps = rlx_op(c, RLX_TIR_MAX, rlx_sub(c, n, one), one);
    start = rlx_num(c, -1, wide);
    step = rlx_op(c, RLX_TIR_DIV, rlx_num(c, 2.0 - 1e-7, wide), gaps);
  } else {
    start = rlx_sub(c, rlx_op(c, RLX_TIR_DIV, one, n), one);
    step = rlx_op(c, RLX_TIR_DIV, rlx_num(c, 2, wide), n);
  }
  return rlx_add(c, rlx_as(c, a->t, start), rlx_mul(c, rlx_as(c, a->t, i), rlx_as(c, a->t, step)));
}

static RlxE affine_place(RlxCompute *c, RlxE *s, void *data) {
  const Affine *a = data;
  const RlxOperand *out = &c->outputs[0];
  RlxE y = spread_over(c, a, s[2], out->shape[2]), x = spread_over(c, a, s[3], out->shape[3]),
       sum = NULL;
  for (int k = 0; k < 3; k++) {
    RlxE at[3] = {s[0], s[1], rlx_i(c, k)}, e = rlx_as(c, a->t, rlx_at(c, a->matrix, at));
    if (k < 2) e = rlx_mul(c, e, k ? y : x);
    sum = sum ? rlx_add(c, sum, e) : e;
  }
  return sum;
}

bool rlx_legalize_affine_grid(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0);
  if (!x) return false;
  Affine a = {x, rlx_bool_of(c, "align_corners", true), rlx_wide(x->dtype)};
  if (!rlx_dtype_is_float(x->dtype) || x->ndim != 3)
    return rlx_refuse(c, "R.image.affine_grid takes matrices (N, 2, 3) of a floating-point dtype");
  if (!rlx_need_extent(c, 0, 1, rlx_i(c, 2)) || !rlx_need_extent(c, 0, 2, rlx_i(c, 3)))
    return false;
  c->result->kind = RLX_KERNEL_INJECTIVE;
  rlx_compute(c, &c->outputs[0], affine_place, &a);
  return true;
}

// ------------------------------------------------------------------ grid_sample

typedef struct Sample {
  const RlxOperand *x, *grid;
  int axis[4];         ///< where N, C, H and W stand
  bool is_grid_planar; ///< the grid is (N, 2, H, W), as from 0.27 on; else (N, H, W, 2)
  bool is_cornered;
  enum { ZEROS, BORDER, REFLECTION } padding;
  RlxDType t;
} Sample;

static RlxE clipped(RlxCompute *c, RlxE at, RlxE extent) {
  RlxE last = rlx_as(c, at->dtype, rlx_sub(c, extent, rlx_i(c, 1)));
  return rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, at, rlx_num(c, 0, at->dtype)), last);
}

/// `at` mirrored at both ends of the axis as often as it needs to lie inside.
static RlxE reflected(RlxCompute *c, const Sample *z, RlxE at, RlxE extent) {
  RlxDType t = at->dtype;
  RlxE start = rlx_num(c, z->is_cornered ? 0 : -0.5, t),
       size = rlx_as(c, t, z->is_cornered ? rlx_sub(c, extent, rlx_i(c, 1)) : extent);
  RlxE some = rlx_op(c, RLX_TIR_MAX, size, rlx_num(c, 1, t)); // an axis of one element has size 0
  RlxE way = rlx_call1(c, "fabs", rlx_sub(c, start, at)),
       times = rlx_call1(c, "floor", rlx_op(c, RLX_TIR_DIV, way, some));
  RlxE extra = rlx_sub(c, way, rlx_mul(c, times, size)), half = rlx_num(c, 0.5, t);
  RlxE pairs = rlx_mul(c, rlx_call1(c, "floor", rlx_mul(c, times, half)), rlx_num(c, 2, t));
  RlxE mirrored = rlx_pick(c, rlx_eq(c, times, pairs), rlx_add(c, extra, start),
                           rlx_add(c, rlx_sub(c, size, extra), start));
  RlxE inside =
      rlx_and(c, rlx_ge(c, at, start), rlx_op(c, RLX_TIR_LE, at, rlx_add(c, size, start)));
  return rlx_pick(c, inside, at, mirrored);
}

static RlxE padded_place(RlxCompute *c, const Sample *z, RlxE at, RlxE extent) {
  if (z->padding == REFLECTION) at = reflected(c, z, at, extent);
  return z->padding == ZEROS ? at : clipped(c, at, extent);
}

/// Where the grid points to along axis `i` (0: height), in elements of the image.
static RlxE grid_place(RlxCompute *c, const Sample *z, RlxE *s, int i) {
  RlxE n = s[z->axis[0]], h = s[z->axis[2]], w = s[z->axis[3]], which = rlx_i(c, 1 - i);
  RlxE last[4] = {n, h, w, which}, planar[4] = {n, which, h, w};
  RlxE *at = z->is_grid_planar ? planar : last, two = rlx_num(c, 2, z->t);
  RlxE e = rlx_add(c, rlx_as(c, z->t, rlx_at(c, z->grid, at)), rlx_num(c, 1, z->t)),
       extent = z->x->shape[z->axis[2 + i]];
  if (z->is_cornered)
    return rlx_op(c, RLX_TIR_DIV, rlx_mul(c, e, rlx_as(c, z->t, rlx_sub(c, extent, rlx_i(c, 1)))),
                  two);
  return rlx_sub(c, rlx_op(c, RLX_TIR_DIV, rlx_mul(c, e, rlx_as(c, z->t, extent)), two),
                 rlx_num(c, 0.5, z->t));
}

/// The image at whole places; 0 outside of it.
static RlxE pixel(RlxCompute *c, const Sample *z, RlxE *s, RlxE y, RlxE x) {
  RlxE at[4], inside = NULL, place[2] = {y, x};
  memcpy(at, s, sizeof at);
  for (int i = 0; i < 2; i++) {
    RlxE extent = z->x->shape[z->axis[2 + i]], k = rlx_as(c, RLX_INT64, place[i]);
    RlxE ok = rlx_and(c, rlx_ge(c, k, rlx_i(c, 0)), rlx_lt(c, k, extent));
    inside = inside ? rlx_and(c, inside, ok) : ok;
    at[z->axis[2 + i]] = k;
  }
  return rlx_guard(c, inside, rlx_as(c, z->t, rlx_at(c, z->x, at)), rlx_num(c, 0, z->t));
}

static RlxE plus(RlxCompute *c, RlxE e, double k) { return rlx_add(c, e, rlx_num(c, k, e->dtype)); }

static RlxE nearest_sample(RlxCompute *c, RlxE *s, void *data) {
  const Sample *z = data;
  RlxE place[2];
  for (int i = 0; i < 2; i++)
    place[i] = rlx_call1(c, "nearbyint",
                         padded_place(c, z, grid_place(c, z, s, i), z->x->shape[z->axis[2 + i]]));
  return pixel(c, z, s, place[0], place[1]);
}

static RlxE linear_sample(RlxCompute *c, RlxE *s, void *data) {
  const Sample *z = data;
  RlxE low[2], part[2], sum = NULL, one = rlx_num(c, 1, z->t);
  for (int i = 0; i < 2; i++) {
    RlxE at = padded_place(c, z, grid_place(c, z, s, i), z->x->shape[z->axis[2 + i]]);
    low[i] = rlx_call1(c, "floor", at);
    part[i] = rlx_sub(c, at, low[i]);
  }
  for (int k = 0; k < 4; k++) {
    int down = k >> 1, right = k & 1;
    RlxE e = pixel(c, z, s, plus(c, low[0], down), plus(c, low[1], right));
    e = rlx_mul(c, e, down ? part[0] : rlx_sub(c, one, part[0]));
    e = rlx_mul(c, e, right ? part[1] : rlx_sub(c, one, part[1]));
    sum = sum ? rlx_add(c, sum, e) : e;
  }
  return sum;
}

/// Weight of the tap `k` of four at fraction `f`, with the spline coefficient -0.75.
static RlxE cubic_weight(RlxCompute *c, int k, RlxE f) {
  const double a = -0.75;
  RlxE d = k == 0 ? plus(c, f, 1) : k == 1 ? f : rlx_sub(c, rlx_num(c, k - 1, f->dtype), f), e;
  if (k == 1 || k == 2) {
    e = plus(c, rlx_mul(c, d, rlx_num(c, a + 2, f->dtype)), -(a + 3));
    return plus(c, rlx_mul(c, rlx_mul(c, e, d), d), 1);
  }
  e = plus(c, rlx_mul(c, d, rlx_num(c, a, f->dtype)), -5 * a);
  return plus(c, rlx_mul(c, plus(c, rlx_mul(c, e, d), 8 * a), d), -4 * a);
}

static RlxE cubic_sample(RlxCompute *c, RlxE *s, void *data) {
  const Sample *z = data;
  RlxE tap[2][4], weight[2][4], sum = NULL;
  for (int i = 0; i < 2; i++) {
    RlxE at = grid_place(c, z, s, i), low = rlx_call1(c, "floor", at);
    for (int k = 0; k < 4; k++) {
      weight[i][k] = cubic_weight(c, k, rlx_sub(c, at, low));
      tap[i][k] = padded_place(c, z, plus(c, low, k - 1), z->x->shape[z->axis[2 + i]]);
    }
  }
  for (int y = 0; y < 4; y++) {
    RlxE row = NULL;
    for (int x = 0; x < 4; x++) {
      RlxE e = rlx_mul(c, pixel(c, z, s, tap[0][y], tap[1][x]), weight[1][x]);
      row = row ? rlx_add(c, row, e) : e;
    }
    row = rlx_mul(c, row, weight[0][y]);
    sum = sum ? rlx_add(c, sum, row) : row;
  }
  return sum;
}

bool rlx_legalize_grid_sample(RlxCompute *c) {
  Sample z = {.x = rlx_operand(c, 0),
              .grid = rlx_operand(c, 1),
              .is_cornered = rlx_bool_of(c, "align_corners", false)};
  if (!z.x || !z.grid) return false;
  const char *layout = rlx_str_of(c, "layout", "NCHW"),
             *method = rlx_str_of(c, "method", "bilinear"),
             *padding = rlx_str_of(c, "padding_mode", "zeros");
  for (int i = 0; i < 4; i++) {
    const char *at = strchr(layout, "NCHW"[i]);
    if (!at || strlen(layout) != 4 || z.x->ndim != 4)
      return rlx_refuse(c, "R.image.grid_sample: layout %s has no kernel", layout);
    z.axis[i] = (int)(at - layout);
  }
  z.is_grid_planar = c->call->is_027;
  if (!rlx_need_extent(c, 1, 0, z.x->shape[z.axis[0]]) ||
      !rlx_need_extent(c, 1, z.is_grid_planar ? 1 : 3, rlx_i(c, 2)))
    return false;
  if (!rlx_dtype_is_float(z.grid->dtype))
    return rlx_refuse(c, "R.image.grid_sample takes a grid of a floating-point dtype");
  z.padding = !strcmp(padding, "border")       ? BORDER
              : !strcmp(padding, "reflection") ? REFLECTION
                                               : ZEROS;
  z.t = rlx_wide(rlx_dtype_is_float(z.x->dtype) ? z.x->dtype : z.grid->dtype);
  rlx_compute(c, &c->outputs[0],
              !strcmp(method, "nearest")   ? nearest_sample
              : !strcmp(method, "bicubic") ? cubic_sample
                                           : linear_sample,
              &z);
  return true;
}
