/// Gradients: pooling, take.
#include <stdio.h>
#include <string.h>

#include "jit/legalize/compute.h"

typedef struct PoolBack {
  const RlxOperand *grad, *x,
      *best;   ///< best: place of each window's largest element, flat over H and W
  int axis[2]; ///< where H and W stand
  int64_t size[2], strides[2], pads[4], dilation[2];
  bool counts_padding;
  RlxDType t;
} PoolBack;

static bool spread(RlxCompute *c, const char *name, int64_t *out, int count, int64_t otherwise) {
  int n = rlx_ints_of(c, name, out, count);
  for (int i = 0; i < count && n <= 0; i++) out[i] = otherwise;
  for (int i = n; n > 0 && i < count; i++) out[i] = out[i % n];
  return !c->failed;
}

/// First place of window `o` along axis `i`.
static RlxE window_start(RlxCompute *c, const PoolBack *p, int i, RlxE o) {
  return rlx_sub(c, rlx_mul(c, o, rlx_i(c, p->strides[i])), rlx_i(c, p->pads[i]));
}

/// The place of element `r` of window `o`, and whether it is one of the operand's.
static RlxE window_place(RlxCompute *c, const PoolBack *p, int i, RlxE o, RlxE r, RlxE *inside) {
  RlxE at = rlx_add(c, window_start(c, p, i, o), rlx_mul(c, r, rlx_i(c, p->dilation[i])));
  RlxE ok = rlx_and(c, rlx_ge(c, at, rlx_i(c, 0)), rlx_lt(c, at, p->x->shape[p->axis[i]]));
  *inside = *inside ? rlx_and(c, *inside, ok) : ok;
  return at;
}

/// The windows whose element `r` is the place `s`: `at` gets where they stand in the gradient.
/// Returns whether there is one.
static RlxE window_of(RlxCompute *c, const PoolBack *p, RlxE *s, RlxE *r, RlxE *at) {
  RlxE inside = NULL, zero = rlx_i(c, 0);
  for (int i = 0; i < p->grad->ndim; i++) at[i] = s[i];
  for (int i = 0; i < 2; i++) {
    int axis = p->axis[i];
    RlxE stride = rlx_i(c, p->strides[i]),
         top = rlx_sub(c, rlx_add(c, s[axis], rlx_i(c, p->pads[i])),
                       rlx_mul(c, r[i], rlx_i(c, p->dilation[i])));
    at[axis] = rlx_fdiv(c, top, stride);
    RlxE ok =
        rlx_and(c, rlx_and(c, rlx_ge(c, top, zero), rlx_lt(c, at[axis], p->grad->shape[axis])),
                rlx_eq(c, rlx_fmod(c, top, stride), zero));
    inside = inside ? rlx_and(c, inside, ok) : ok;
  }
  return inside;
}

/// Number of elements that the average of a window divides by: those inside of the operand, or all.
static RlxE window_count(RlxCompute *c, const PoolBack *p, RlxE *at) {
  RlxE count = rlx_i(c, 1), zero = rlx_i(c, 0);
  for (int i = 0; i < 2; i++) {
    RlxE extent = p->x->shape[p->axis[i]], start = window_start(c, p, i, at[p->axis[i]]), n,
         d = rlx_i(c, p->dilation[i]);
    RlxE below = rlx_sub(c, d, rlx_i(c, 1)); // rounds up
    RlxE first =
        rlx_op(c, RLX_TIR_MAX, zero, rlx_fdiv(c, rlx_add(c, rlx_sub(c, zero, start), below), d));
    RlxE end = rlx_op(c, RLX_TIR_MIN, rlx_i(c, p->size[i]),
                      rlx_fdiv(c, rlx_add(c, rlx_sub(c, extent, start), below), d));
    n = p->counts_padding ? rlx_i(c, p->size[i]) : rlx_sub(c, end, first);
    count = rlx_mul(c, count, n);
  }
  return rlx_op(c, RLX_TIR_MAX, count, rlx_i(c, 1));
}

static RlxE average_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const PoolBack *p = data;
  RlxE at[RLX_MAX_NDIM], inside = window_of(c, p, s, r, at);
  RlxE share = rlx_as(c, p->t, rlx_at(c, p->grad, at)),
       count = rlx_as(c, p->t, window_count(c, p, at));
  share = rlx_op(c, rlx_dtype_is_float(p->t) ? RLX_TIR_DIV : RLX_TIR_TRUNCDIV, share, count);
  return rlx_guard(c, inside, share, rlx_num(c, 0, p->t));
}

static RlxE largest_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const PoolBack *p = data;
  RlxE at[RLX_MAX_NDIM], inside = window_of(c, p, s, r, at), extent = p->x->shape[p->axis[1]];
  RlxE flat = rlx_add(c, rlx_mul(c, s[p->axis[0]], extent), s[p->axis[1]]);
  RlxE hit = rlx_eq(c, rlx_guard(c, inside, rlx_at(c, p->best, at), rlx_i(c, -1)), flat);
  return rlx_guard(c, rlx_and(c, inside, hit), rlx_as(c, p->t, rlx_at(c, p->grad, at)),
                   rlx_num(c, 0, p->t));
}

/// For each window its largest element, the first of those: `best` gets the place. A NaN is larger
/// than all numbers, as in the pooling itself.
static void find_largest(RlxCompute *c, const PoolBack *p, const RlxOperand *best) {
  RlxE s[RLX_MAX_NDIM], r[2], at[RLX_MAX_NDIM], inside = NULL, extents[2];
  char name[16];
  for (int i = 0; i < best->ndim; i++) {
    snprintf(name, sizeof name, "i%d", i);
    s[i] = at[i] = rlx_loop_var(c, name);
  }
  for (int i = 0; i < 2; i++) {
    snprintf(name, sizeof name, "k%d", i);
    r[i] = rlx_loop_var(c, name);
    extents[i] = rlx_i(c, p->size[i]);
    at[p->axis[i]] = window_place(c, p, i, s[p->axis[i]], r[i], &inside);
  }
  RlxE width = p->x->shape[p->axis[1]], none = rlx_i(c, -1),
       old = rlx_tir_load(c->f, best->buffer, s);
  RlxE flat = rlx_add(c, rlx_mul(c, at[p->axis[0]], width), at[p->axis[1]]);
  RlxE known[RLX_MAX_NDIM];
  memcpy(known, s, sizeof known);
  RlxE safe = rlx_op(c, RLX_TIR_MAX, old, rlx_i(c, 0));
  known[p->axis[0]] = rlx_fdiv(c, safe, width);
  known[p->axis[1]] = rlx_fmod(c, safe, width);
  RlxE here = rlx_at(c, p->x, at), so_far = rlx_at(c, p->x, known);
  RlxE more = rlx_op(c, RLX_TIR_GT, here, so_far);
  if (rlx_dtype_is_float(here->dtype))
    more = rlx_op(c, RLX_TIR_OR, more,
                  rlx_and(c, rlx_call1(c, "isnan", here), rlx_op(c, RLX_TIR_EQ, so_far, so_far)));
  RlxE better = rlx_guard(c, rlx_eq(c, old, none), rlx_tir_int(c->f, 1, RLX_BOOL), more);
  RlxTirStmt *take = rlx_when(c, rlx_guard(c, inside, better, rlx_tir_int(c->f, 0, RLX_BOOL)),
                              rlx_put(c, best, s, flat));
  RlxTirStmt *steps[2] = {rlx_put(c, best, s, none), rlx_loops(c, r, extents, 2, take)};
  rlx_emit(c, rlx_loops(c, s, best->shape, best->ndim, rlx_tir_seq(c->f, steps, 2)));
}

/// The axes of H and W in a layout such as NHWC or NCHW4c; false when it splits them.
static bool image_axes(const char *layout, int ndim, int *out) {
  int axis = 0, found = 0;
  for (const char *p = layout; *p; p++) {
    if (*p >= '0' && *p <= '9') continue;
    if (*p == 'h' || *p == 'w') return false;
    if (*p == 'H') out[0] = axis, found++;
    if (*p == 'W') out[1] = axis, found++;
    axis++;
  }
  return axis == ndim && found == 2;
}

static RlxE narrowed(RlxCompute *c, RlxE *index, void *data) { return rlx_at(c, data, index); }

/// False, with a reason, when the gradient has another number of windows along an axis than the
/// operand, as far as lengths are known.
static bool has_windows(RlxCompute *c, const PoolBack *p, int i) {
  RlxE size = p->x->shape[p->axis[i]];
  if (size->kind != RLX_TIR_INT) return true;
  int64_t room =
      size->integer + p->pads[i] + p->pads[i + 2] - p->dilation[i] * (p->size[i] - 1) - 1;
  if (rlx_bool_of(c, "ceil_mode", false)) room += p->strides[i] - 1;
  int64_t windows = room < 0 ? 0 : room / p->strides[i] + 1;
  return rlx_fits_extent(c, 0, p->axis[i], rlx_i(c, windows));
}

static bool pool_backward(RlxCompute *c, bool is_max) {
  const RlxOperand *out = &c->outputs[0];
  PoolBack p = {.grad = rlx_operand(c, 0),
                .x = rlx_operand(c, 1),
                .t = rlx_wide(out->dtype),
                .counts_padding = rlx_bool_of(c, "count_include_pad", false)};
  if (!p.grad || !p.x || !spread(c, "pool_size", p.size, 2, 1) ||
      !spread(c, "strides", p.strides, 2, 1) || !spread(c, "padding", p.pads, 4, 0) ||
      !spread(c, "dilation", p.dilation, 2, 1))
    return false;
  const char *id = c->call->row->script, *layout = rlx_str_of(c, "layout", "NCHW"),
             *out_layout = rlx_str_of(c, "out_layout", layout);
  if (p.grad->ndim != p.x->ndim || out->ndim != p.x->ndim)
    return rlx_refuse(c, "R.%s: the operands' ranks do not fit each other", id);
  if (!image_axes(layout, p.x->ndim, p.axis) || (*out_layout && strcmp(layout, out_layout) != 0))
    return rlx_refuse(c, "R.%s: this layout has no kernel", id);
  for (int i = 0; i < 2; i++)
    if (p.strides[i] < 1 || p.dilation[i] < 1 || p.size[i] < 1)
      return rlx_refuse(c, "R.%s: pool_size, strides and dilation are at least 1", id);
  for (int i = 0; i < p.x->ndim; i++) {
    if (i == p.axis[0] || i == p.axis[1]) continue;
    if (!rlx_need_extent(c, 0, i, p.x->shape[i])) return false;
  }
  for (int i = 0; i < 2; i++)
    if (!has_windows(c, &p, i)) return false;
  RlxE extents[2] = {rlx_i(c, p.size[0]), rlx_i(c, p.size[1])};
  RlxOperand best;
  if (is_max) {
    best = rlx_temporary(c, RLX_INT64, p.grad->shape, p.grad->ndim);
    find_largest(c, &p, &best);
    p.best = &best;
  }
  bool direct = rlx_dtype_equal(p.t, out->dtype);
  RlxOperand sum = direct ? *out : rlx_temporary(c, p.t, out->shape, out->ndim);
  rlx_reduce(c, &sum, extents, 2, RLX_TIR_ADD, rlx_num(c, 0, p.t),
             is_max ? largest_term : average_term, &p);
  if (!direct) rlx_compute(c, out, narrowed, &sum);
  return true;
}

// ------------------------------------------------------------------ take

static RlxE zero_value(RlxCompute *c, RlxE *index, void *data) {
  (void)index, (void)data;
  return rlx_num(c, 0, c->outputs[0].dtype);
}

static bool take_backward(RlxCompute *c) {
  const RlxOperand *grad = rlx_operand(c, 0), *at = rlx_operand(c, 2), *out = &c->outputs[0];
  bool flat = !rlx_value_of(c, "axis") && out->ndim != 1;
  if (!grad || !at || flat || grad->ndim != out->ndim - 1 + at->ndim)
    return rlx_refuse(c, "R.%s in this form has no kernel", c->call->row->script);
  int axis = rlx_axis(rlx_int_of(c, "axis", 0), out->ndim);
  if (axis < 0 || axis >= out->ndim)
    return rlx_refuse(c, "R.%s: there is no such axis", c->call->row->script);
  RlxE vars[RLX_MAX_NDIM], to[RLX_MAX_NDIM], zero = rlx_i(c, 0);
  for (int i = 0; i < grad->ndim; i++) {
    RlxE fits = i < axis              ? out->shape[i]
                : i < axis + at->ndim ? at->shape[i - axis]
                                      : out->shape[i - at->ndim + 1];
    if (!rlx_need_extent(c, 0, i, fits)) return false;
    vars[i] = rlx_loop_var(c, "j");
  }
  RlxE k = rlx_as(c, RLX_INT64, rlx_at(c, at, vars + axis)), extent = out->shape[axis];
  k = rlx_pick(c, rlx_lt(c, k, zero), rlx_add(c, k, extent), k);
  for (int i = 0; i < axis; i++) to[i] = vars[i];
  for (int i = axis + 1; i < out->ndim; i++) to[i] = vars[i + at->ndim - 1];
  to[axis] = k;
  rlx_compute(c, out, zero_value, NULL);
  RlxE sum = rlx_add(c, rlx_at(c, out, to), rlx_as(c, out->dtype, rlx_at(c, grad, vars)));
  rlx_emit(c, rlx_loops(c, vars, grad->shape, grad->ndim, rlx_put(c, out, to, sum)));
  return true;
}

bool rlx_legalize_backward(RlxCompute *c) {
  RlxOpId id = c->call->row->id;
  if (id == RLX_OP_ID(grad_avg_pool2d_backward)) return pool_backward(c, false);
  if (id == RLX_OP_ID(grad_max_pool2d_backward)) return pool_backward(c, true);
  if (id == RLX_OP_ID(grad_take_backward)) return take_backward(c);
  return rlx_refuse(c, "R.%s cannot be run yet", c->call->row->script);
}
