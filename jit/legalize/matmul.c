/// Matrix products of any rank, with batch axes broadcast; dense layers.
#include <stdio.h>
#include <string.h>

#include "jit/legalize/compute.h"

typedef struct Matmul {
  const RlxOperand *a, *b;
  RlxDType t;
  bool transposed; ///< b is (n, k)
} Matmul;

/// Places of both operands for the output's place and the reduced index. A vector has no row (a) or
/// column (b).
static RlxE product_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Matmul *m = data;
  int ndim = c->outputs[0].ndim;
  bool a_vector = m->a->ndim == 1, b_vector = m->b->ndim == 1;
  int batch = ndim - !a_vector - !b_vector;
  RlxE at_a[RLX_MAX_NDIM], at_b[RLX_MAX_NDIM], one = NULL;
  (void)one;
  for (int side = 0; side < 2; side++) {
    const RlxOperand *x = side ? m->b : m->a;
    RlxE *at = side ? at_b : at_a;
    int own = x->ndim - 2;
    for (int i = 0; i < own; i++) {
      bool stretched = x->shape[i]->kind == RLX_TIR_INT && x->shape[i]->integer == 1;
      at[i] = stretched ? rlx_i(c, 0) : s[batch - own + i];
    }
  }
  if (a_vector) {
    at_a[0] = r[0];
  } else {
    at_a[m->a->ndim - 2] = s[batch];
    at_a[m->a->ndim - 1] = r[0];
  }
  if (b_vector) {
    at_b[0] = r[0];
  } else {
    RlxE column = s[ndim - 1];
    at_b[m->b->ndim - 2] = m->transposed ? column : r[0];
    at_b[m->b->ndim - 1] = m->transposed ? r[0] : column;
  }
  return rlx_mul(c, rlx_as(c, m->t, rlx_at(c, m->a, at_a)), rlx_as(c, m->t, rlx_at(c, m->b, at_b)));
}

typedef struct Biased {
  const RlxOperand *x, *bias;
} Biased;

static RlxE biased(RlxCompute *c, RlxE *index, void *data) {
  const Biased *b = data;
  RlxE e = rlx_at(c, b->x, index);
  if (!b->bias) return e;
  return rlx_add(c, e,
                 rlx_as(c, e->dtype, rlx_at_broadcast(c, b->bias, index, c->outputs[0].ndim)));
}

bool rlx_legalize_matmul(RlxCompute *c) {
  const RlxOperand *a = rlx_operand(c, 0), *b = rlx_operand(c, 1), *out = &c->outputs[0];
  if (!a || !b) return false;
  if (!a->buffer || !b->buffer || !a->ndim || !b->ndim)
    return rlx_refuse(c, "R.%s takes tensors of rank 1 and more", c->call->row->script);
  bool is_linear = c->call->row->id == RLX_OP_ID(linear);
  const RlxOperand *bias = is_linear && rlx_has_operand(c, 2) ? rlx_operand(c, 2) : NULL;
  Matmul m = {a, b, rlx_wide(out->dtype), is_linear && b->ndim >= 2};
  RlxE depth = a->shape[a->ndim - 1];
  bool direct = rlx_dtype_equal(m.t, out->dtype) && !bias;
  RlxOperand sum = direct ? *out : rlx_temporary(c, m.t, out->shape, out->ndim);
  rlx_reduce(c, &sum, &depth, 1, RLX_TIR_ADD, rlx_num(c, 0, m.t), product_term, &m);
  if (direct) {
    c->result->kind = RLX_KERNEL_REDUCTION;
  } else {
    Biased last = {&sum, bias};
    rlx_compute(c, out, biased, &last);
  }
  return true;
}

// ------------------------------------------------------------------ convolution

enum { MAX_SPATIAL = 3 };

typedef struct Conv {
  const RlxOperand *x, *w;
  int spatial;
  int64_t strides[MAX_SPATIAL], pads[2 * MAX_SPATIAL], dilation[MAX_SPATIAL],
      output_padding[MAX_SPATIAL];
  int64_t groups;
  int x_axis[2 + MAX_SPATIAL], w_axis[2 + MAX_SPATIAL],
      o_axis[2 + MAX_SPATIAL]; ///< where N C spatial… / O I spatial… stand
  RlxE in_per_group, out_per_group;
  RlxDType t;
  bool is_transposed;
} Conv;

/// Positions of the letters `wanted` in a layout; false when one is missing (packed layouts such as
/// NCHW16c).
static bool layout_axes(const char *layout, const char *wanted, int *out) {
  for (int i = 0; wanted[i]; i++) {
    const char *at = strchr(layout, wanted[i]);
    if (!at) return false;
    out[i] = (int)(at - layout);
  }
  return strlen(layout) == strlen(wanted);
}

/// A list of `n` ints where one stands for all; -1 items when absent keep `otherwise`.
static void spread(RlxCompute *c, const char *name, int64_t *out, int n, int64_t otherwise) {
  int64_t list[2 * MAX_SPATIAL];
  int count = rlx_ints_of(c, name, list, 2 * MAX_SPATIAL);
  for (int i = 0; i < n; i++) out[i] = count == n ? list[i] : count == 1 ? list[0] : otherwise;
}

/// Padding: one for all, one a side (all before, all after equal), or before… after….
static void read_padding(RlxCompute *c, int64_t *out, int spatial) {
  int64_t list[2 * MAX_SPATIAL];
  int count = rlx_ints_of(c, "padding", list, 2 * MAX_SPATIAL);
  for (int i = 0; i < 2 * spatial; i++)
    out[i] = count == 2 * spatial ? list[i]
             : count == spatial   ? list[i % spatial]
             : count == 1         ? list[0]
                                  : 0;
}

static RlxE conv_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Conv *v = data;
  RlxE at_x[2 + MAX_SPATIAL], at_w[2 + MAX_SPATIAL], inside = NULL, zero = rlx_i(c, 0);
  RlxE oc = s[v->o_axis[1]], group = v->groups == 1 ? NULL : rlx_fdiv(c, oc, v->out_per_group);
  at_x[v->x_axis[0]] = s[v->o_axis[0]];
  at_x[v->x_axis[1]] = group ? rlx_add(c, rlx_mul(c, group, v->in_per_group), r[0]) : r[0];
  if (v->is_transposed) {
    at_w[v->w_axis[0]] = at_x[v->x_axis[1]]; // I
    at_w[v->w_axis[1]] = group ? rlx_fmod(c, oc, v->out_per_group) : oc;
  } else {
    at_w[v->w_axis[0]] = oc;
    at_w[v->w_axis[1]] = r[0];
  }
  for (int i = 0; i < v->spatial; i++) {
    RlxE extent = v->x->shape[v->x_axis[2 + i]], o = s[v->o_axis[2 + i]], k = r[1 + i], place,
         ok = NULL;
    at_w[v->w_axis[2 + i]] = k;
    if (v->is_transposed) { // o + pad = place * stride + k * dilation
      RlxE scaled =
          rlx_sub(c, rlx_add(c, o, rlx_i(c, v->pads[i])), rlx_mul(c, k, rlx_i(c, v->dilation[i])));
      place = rlx_fdiv(c, scaled, rlx_i(c, v->strides[i]));
      ok = rlx_and(c, rlx_ge(c, place, zero), rlx_lt(c, place, extent));
      if (v->strides[i] != 1)
        ok = rlx_and(c, ok, rlx_eq(c, rlx_fmod(c, scaled, rlx_i(c, v->strides[i])), zero));
    } else {
      place = rlx_add(c, rlx_mul(c, o, rlx_i(c, v->strides[i])),
                      rlx_mul(c, k, rlx_i(c, v->dilation[i])));
      if (v->pads[i]) place = rlx_sub(c, place, rlx_i(c, v->pads[i]));
      if (v->pads[i] || v->pads[v->spatial + i])
        ok = rlx_and(c, rlx_ge(c, place, zero), rlx_lt(c, place, extent));
    }
    at_x[v->x_axis[2 + i]] = place;
    if (ok) inside = inside ? rlx_and(c, inside, ok) : ok;
  }
  RlxE x = rlx_as(c, v->t, rlx_at(c, v->x, at_x));
  if (inside) x = rlx_guard(c, inside, x, rlx_num(c, 0, v->t));
  return rlx_mul(c, x, rlx_as(c, v->t, rlx_at(c, v->w, at_w)));
}

static RlxE unbiased(RlxCompute *c, RlxE *index, void *data) { return rlx_at(c, data, index); }

bool rlx_legalize_conv(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0), *w = rlx_operand(c, 1), *out = &c->outputs[0];
  if (!x || !w) return false;
  RlxOpId op = c->call->row->id;
  Conv v = {.x = x,
            .w = w,
            .spatial = out->ndim - 2,
            .t = rlx_wide(out->dtype),
            .groups = rlx_int_of(c, "groups", 1)};
  v.is_transposed = op == RLX_OP_ID(nn_conv1d_transpose) || op == RLX_OP_ID(nn_conv2d_transpose) ||
                    op == RLX_OP_ID(nn_conv3d_transpose);
  if (v.spatial < 1 || v.spatial > MAX_SPATIAL || x->ndim != out->ndim || w->ndim != out->ndim ||
      v.groups < 1)
    return rlx_refuse(c, "R.%s: packed layouts have no kernel", c->call->row->script);
  static const char *const data_letters[] = {"NCW", "NCHW", "NCDHW"},
                           *const kernel_letters[] = {"OIW", "OIHW", "OIDHW"},
                           *const transposed_letters[] = {"IOW", "IOHW", "IODHW"};
  const char *letters = data_letters[v.spatial - 1],
             *kernel = v.is_transposed ? transposed_letters[v.spatial - 1]
                                       : kernel_letters[v.spatial - 1];
  const char *data_layout = rlx_str_of(c, "data_layout", letters),
             *out_layout = rlx_str_of(c, "out_layout", data_layout);
  if (!*out_layout) out_layout = data_layout;
  if (!layout_axes(data_layout, letters, v.x_axis) ||
      !layout_axes(rlx_str_of(c, "kernel_layout", kernel), kernel, v.w_axis) ||
      !layout_axes(out_layout, letters, v.o_axis)) {
    return rlx_refuse(c, "R.%s: this layout has no kernel", c->call->row->script);
  }
  spread(c, "strides", v.strides, v.spatial, 1);
  spread(c, "dilation", v.dilation, v.spatial, 1);
  read_padding(c, v.pads, v.spatial);
  RlxE groups = rlx_i(c, v.groups);
  v.in_per_group = rlx_fdiv(c, x->shape[v.x_axis[1]], groups);
  v.out_per_group = rlx_fdiv(c, out->shape[v.o_axis[1]], groups);
  RlxE extents[1 + MAX_SPATIAL] = {v.in_per_group};
  for (int i = 0; i < v.spatial; i++) extents[1 + i] = w->shape[v.w_axis[2 + i]];
  bool direct = rlx_dtype_equal(v.t, out->dtype);
  RlxOperand sum = direct ? *out : rlx_temporary(c, v.t, out->shape, out->ndim);
  rlx_reduce(c, &sum, extents, 1 + v.spatial, RLX_TIR_ADD, rlx_num(c, 0, v.t), conv_term, &v);
  if (direct)
    c->result->kind = RLX_KERNEL_REDUCTION;
  else
    rlx_compute(c, out, unbiased, &sum);
  return true;
}

// ------------------------------------------------------------------ pooling

typedef struct Pool {
  const RlxOperand *x;
  int spatial, axis[2 + MAX_SPATIAL];
  int64_t size[MAX_SPATIAL], strides[MAX_SPATIAL], pads[2 * MAX_SPATIAL], dilation[MAX_SPATIAL];
  RlxDType t;
  bool is_max, counts_padding, is_adaptive;
  const RlxOperand *sum;
} Pool;

/// First place of window `o` along spatial axis `i`.
static RlxE window_start(RlxCompute *c, const Pool *p, int i, RlxE o) {
  if (p->is_adaptive)
    return rlx_fdiv(c, rlx_mul(c, o, p->x->shape[p->axis[2 + i]]),
                    c->outputs[0].shape[p->axis[2 + i]]);
  RlxE place = rlx_mul(c, o, rlx_i(c, p->strides[i]));
  return p->pads[i] ? rlx_sub(c, place, rlx_i(c, p->pads[i])) : place;
}

/// Behind the last place of an adaptive window: ceil((o + 1) * in / out).
static RlxE window_end(RlxCompute *c, const Pool *p, int i, RlxE o) {
  RlxE out = c->outputs[0].shape[p->axis[2 + i]],
       top = rlx_mul(c, rlx_add(c, o, rlx_i(c, 1)), p->x->shape[p->axis[2 + i]]);
  return rlx_fdiv(c, rlx_add(c, top, rlx_sub(c, out, rlx_i(c, 1))), out);
}

static RlxE pool_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Pool *p = data;
  RlxE at[2 + MAX_SPATIAL], inside = NULL, zero = rlx_i(c, 0);
  at[p->axis[0]] = s[p->axis[0]];
  at[p->axis[1]] = s[p->axis[1]];
  for (int i = 0; i < p->spatial; i++) {
    RlxE extent = p->x->shape[p->axis[2 + i]], o = s[p->axis[2 + i]];
    RlxE place = rlx_add(c, window_start(c, p, i, o),
                         rlx_mul(c, r[i], rlx_i(c, p->is_adaptive ? 1 : p->dilation[i])));
    RlxE ok = p->is_adaptive ? rlx_lt(c, place, window_end(c, p, i, o))
                             : rlx_and(c, rlx_ge(c, place, zero), rlx_lt(c, place, extent));
    inside = inside ? rlx_and(c, inside, ok) : ok;
    at[p->axis[2 + i]] = place;
  }
  RlxE x = rlx_as(c, p->t, rlx_at(c, p->x, at));
  return rlx_guard(c, inside, x, p->is_max ? rlx_lowest(c, p->t) : rlx_num(c, 0, p->t));
}

/// Number of elements that the average of a window divides by.
static RlxE window_count(RlxCompute *c, const Pool *p, RlxE *index) {
  RlxE all = rlx_i(c, 1), zero = rlx_i(c, 0);
  for (int i = 0; i < p->spatial; i++) {
    RlxE o = index[p->axis[2 + i]], start = window_start(c, p, i, o),
         extent = p->x->shape[p->axis[2 + i]], n;
    if (p->is_adaptive) {
      n = rlx_sub(c, window_end(c, p, i, o), start);
    } else if (p->counts_padding) { // what lies behind the padded end does not count
      RlxE end =
          rlx_op(c, RLX_TIR_MIN, rlx_add(c, start, rlx_i(c, (p->size[i] - 1) * p->dilation[i] + 1)),
                 rlx_add(c, extent, rlx_i(c, p->pads[p->spatial + i])));
      n = rlx_sub(c, end, start);
      if (p->dilation[i] > 1)
        n = rlx_add(c, rlx_fdiv(c, rlx_sub(c, n, rlx_i(c, 1)), rlx_i(c, p->dilation[i])),
                    rlx_i(c, 1));
    } else if (p->dilation[i] == 1) {
      RlxE end = rlx_op(c, RLX_TIR_MIN, rlx_add(c, start, rlx_i(c, p->size[i])), extent);
      n = rlx_sub(c, end, rlx_op(c, RLX_TIR_MAX, start, zero));
    } else { // places start + k * dilation inside [0, extent)
      RlxE d = rlx_i(c, p->dilation[i]);
      RlxE first =
          rlx_op(c, RLX_TIR_MAX, zero,
                 rlx_fdiv(c, rlx_add(c, rlx_sub(c, zero, start), rlx_sub(c, d, rlx_i(c, 1))), d));
      RlxE last = rlx_op(c, RLX_TIR_MIN, rlx_i(c, p->size[i] - 1),
                         rlx_fdiv(c, rlx_sub(c, rlx_sub(c, extent, rlx_i(c, 1)), start), d));
      n = rlx_add(c, rlx_sub(c, last, first), rlx_i(c, 1));
    }
    all = rlx_mul(c, all, n);
  }
  return rlx_op(c, RLX_TIR_MAX, all, rlx_i(c, 1));
}

static RlxE average(RlxCompute *c, RlxE *index, void *data) {
  const Pool *p = data;
  RlxE sum = rlx_at(c, p->sum, index);
  return rlx_op(c, rlx_dtype_is_float(sum->dtype) ? RLX_TIR_DIV : RLX_TIR_TRUNCDIV, sum,
                rlx_as(c, sum->dtype, window_count(c, p, index)));
}

bool rlx_legalize_pool(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0), *out = &c->outputs[0];
  if (!x) return false;
  const char *id = c->call->row->script;
  Pool p = {.x = x,
            .spatial = out->ndim - 2,
            .t = rlx_wide(out->dtype),
            .is_max = strstr(id, "max") != NULL,
            .is_adaptive = strstr(id, "adaptive") != NULL};
  if (p.spatial < 1 || p.spatial > MAX_SPATIAL || x->ndim != out->ndim)
    return rlx_refuse(c, "R.%s: packed layouts have no kernel", id);
  static const char *const letters[] = {"NCW", "NCHW", "NCDHW"};
  const char *layout = rlx_str_of(c, "layout", letters[p.spatial - 1]),
             *out_layout = rlx_str_of(c, "out_layout", layout);
  if (!layout_axes(layout, letters[p.spatial - 1], p.axis) ||
      (*out_layout && strcmp(layout, out_layout) != 0))
    return rlx_refuse(c, "R.%s: this layout has no kernel", id);
  RlxE extents[MAX_SPATIAL];
  if (p.is_adaptive) {
    for (int i = 0; i < p.spatial; i++) { // no window is longer than this
      RlxE in = x->shape[p.axis[2 + i]], to = out->shape[p.axis[2 + i]];
      extents[i] =
          rlx_add(c, rlx_fdiv(c, rlx_sub(c, rlx_add(c, in, to), rlx_i(c, 1)), to), rlx_i(c, 1));
    }
  } else {
    spread(c, "pool_size", p.size, p.spatial, 1);
    spread(c, "strides", p.strides, p.spatial, 1);
    spread(c, "dilation", p.dilation, p.spatial, 1);
    read_padding(c, p.pads, p.spatial);
    p.counts_padding = rlx_bool_of(c, "count_include_pad", false);
    for (int i = 0; i < p.spatial; i++) extents[i] = rlx_i(c, p.size[i]);
  }
  if (p.is_max) {
    if (!rlx_dtype_equal(p.t, out->dtype)) p.t = out->dtype;
    c->result->kind = RLX_KERNEL_REDUCTION;
    rlx_reduce(c, out, extents, p.spatial, RLX_TIR_MAX, rlx_lowest(c, p.t), pool_term, &p);
    return true;
  }
  RlxOperand sum = rlx_temporary(c, p.t, out->shape, out->ndim);
  p.sum = &sum;
  rlx_reduce(c, &sum, extents, p.spatial, RLX_TIR_ADD, rlx_num(c, 0, p.t), pool_term, &p);
  rlx_compute(c, out, average, &p);
  return true;
}
