/// Reductions, scans, softmax and normalisations.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "jit/legalize/compute.h"

/// Which axes of the operand are reduced, and how an operand's place is made of the kept and
/// reduced indices.
typedef struct Axes {
  bool reduced[RLX_MAX_NDIM];
  int count;  ///< of reduced axes
  bool keeps; ///< kept as extent 1
  RlxE extents[RLX_MAX_NDIM];
  RlxE size; ///< number of reduced elements
} Axes;

static Axes read_axes(RlxCompute *c, const char *name, const RlxOperand *x, bool keepdims) {
  Axes a = {.keeps = keepdims};
  int64_t list[RLX_MAX_NDIM];
  int n = rlx_ints_of(c, name, list, RLX_MAX_NDIM);
  for (int i = 0; i < x->ndim; i++) a.reduced[i] = n < 0;
  for (int i = 0; i < n; i++) {
    int axis = rlx_axis(list[i], x->ndim);
    if (axis >= 0 && axis < x->ndim) a.reduced[axis] = true;
  }
  a.size = rlx_i(c, 1);
  for (int i = 0; i < x->ndim; i++) {
    if (!a.reduced[i]) continue;
    a.extents[a.count++] = x->shape[i];
    a.size = rlx_mul(c, a.size, x->shape[i]);
  }
  return a;
}

/// The operand's place for the output's index `s` and the reduction's index `r`.
static void place(const Axes *a, int ndim, RlxE *s, RlxE *r, RlxE *out) {
  int kept = 0, reduced = 0;
  for (int i = 0; i < ndim; i++) {
    if (a->reduced[i]) {
      out[i] = r[reduced++];
      if (a->keeps) kept++;
    } else {
      out[i] = s[kept++];
    }
  }
}

typedef struct Reduction {
  const RlxOperand *x;
  Axes axes;
  RlxDType t;             ///< computed in
  const RlxOperand *mean; ///< variance: subtract it
  bool squares;
} Reduction;

static RlxE element_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Reduction *x = data;
  RlxE at[RLX_MAX_NDIM];
  place(&x->axes, x->x->ndim, s, r, at);
  RlxE e = rlx_as(c, x->t, rlx_at(c, x->x, at));
  if (x->mean) e = rlx_sub(c, e, rlx_at(c, x->mean, s));
  return x->squares ? rlx_mul(c, e, e) : e;
}

static RlxE plain(RlxCompute *c, RlxE *index, void *data) { return rlx_at(c, data, index); }

typedef struct Scaled {
  const RlxOperand *x;
  RlxE size;
  bool root;
} Scaled;

static RlxE scaled(RlxCompute *c, RlxE *index, void *data) {
  const Scaled *s = data;
  RlxE e = rlx_at(c, s->x, index);
  e = rlx_dtype_is_float(e->dtype) ? rlx_op(c, RLX_TIR_DIV, e, rlx_as(c, e->dtype, s->size))
                                   : rlx_op(c, RLX_TIR_TRUNCDIV, e, rlx_as(c, e->dtype, s->size));
  return s->root ? rlx_call1(c, "sqrt", e) : e;
}

/// Sum of the elements (or squared differences) divided by their number, into a temporary or `to`.
static RlxOperand mean_of(RlxCompute *c, Reduction *x, const RlxOperand *like, const RlxOperand *to,
                          bool root) {
  RlxOperand sum = rlx_temporary(c, x->t, like->shape, like->ndim);
  rlx_reduce(c, &sum, x->axes.extents, x->axes.count, RLX_TIR_ADD, rlx_num(c, 0, x->t),
             element_term, x);
  RlxOperand mean = to ? *to : rlx_temporary(c, x->t, like->shape, like->ndim);
  Scaled s = {&sum, x->axes.size, root};
  rlx_compute(c, &mean, scaled, &s);
  return mean;
}

// ------------------------------------------------------------------ argmax, argmin

typedef struct ArgReduction {
  Reduction all; ///< of the values; its term is the value, or the start when it is NaN
  RlxE start;
  const RlxOperand *best;
  RlxE size; ///< number of values, in the dtype of places
} ArgReduction;

static RlxE is_nan(RlxCompute *c, RlxE e) { return rlx_op(c, RLX_TIR_NE, e, e); }

static RlxE best_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const ArgReduction *a = data;
  RlxE value = element_term(c, s, r, data);
  return rlx_dtype_is_float(value->dtype) ? rlx_pick(c, is_nan(c, value), a->start, value) : value;
}

/// The place of a value that is the best one, the number of values for the others; NaN comes before
/// all others, its place less their number.
static RlxE place_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const ArgReduction *a = data;
  RlxE value = element_term(c, s, r, data), flat = rlx_i(c, 0);
  for (int i = 0; i < a->all.axes.count; i++)
    flat = rlx_add(c, rlx_mul(c, flat, a->all.axes.extents[i]), r[i]);
  flat = rlx_as(c, a->size->dtype, flat);
  RlxE place = rlx_pick(c, rlx_eq(c, value, rlx_at(c, a->best, s)), flat, a->size);
  return rlx_dtype_is_float(value->dtype)
             ? rlx_pick(c, is_nan(c, value), rlx_sub(c, flat, a->size), place)
             : place;
}

static RlxE found_place(RlxCompute *c, RlxE *index, void *data) {
  const ArgReduction *a = data;
  RlxE zero = rlx_num(c, 0, a->size->dtype), at = rlx_at(c, a->best, index);
  RlxE shifted = rlx_pick(c, rlx_lt(c, at, zero), rlx_add(c, at, a->size), at);
  return rlx_as(c, c->outputs[0].dtype,
                rlx_pick(c, rlx_eq(c, at, a->size), zero, shifted)); // nothing there: 0
}

/// The best value, then the first place where it is: both are plain reductions. NaN is the best of
/// all, as in numpy.
static bool arg_reduce(RlxCompute *c) {
  const RlxOperand *x = &c->operands[0], *out = &c->outputs[0];
  bool is_max = c->call->row->id == RLX_OP_ID(argmax);
  ArgReduction a = {.all = {x, read_axes(c, "axis", x, rlx_bool_of(c, "keepdims", false)), x->dtype,
                            NULL, false}};
  a.start = is_max ? rlx_lowest(c, x->dtype) : rlx_highest(c, x->dtype);
  bool is_small = a.all.axes.size->kind == RLX_TIR_INT && a.all.axes.size->integer < INT32_MAX;
  a.size = rlx_as(c, is_small ? RLX_INT32 : RLX_INT64, a.all.axes.size);
  RlxOperand best = rlx_temporary(c, x->dtype, out->shape, out->ndim);
  RlxOperand at = rlx_temporary(c, a.size->dtype, out->shape, out->ndim);
  rlx_reduce(c, &best, a.all.axes.extents, a.all.axes.count, is_max ? RLX_TIR_MAX : RLX_TIR_MIN,
             a.start, best_term, &a);
  a.best = &best;
  rlx_reduce(c, &at, a.all.axes.extents, a.all.axes.count, RLX_TIR_MIN, a.size, place_term, &a);
  a.best = &at;
  rlx_compute(c, out, found_place, &a);
  return true;
}

// ------------------------------------------------------------------ collapse_sum

/// Sums what broadcasting had stretched: leading axes and those of extent 1 in the result.
static bool collapse(RlxCompute *c) {
  const RlxOperand *x = &c->operands[0], *out = &c->outputs[0];
  Reduction red = {.x = x, .t = rlx_wide(x->dtype)};
  int lead = x->ndim - out->ndim;
  RlxE shape[RLX_MAX_NDIM];
  int kept = 0;
  for (int i = 0; i < x->ndim; i++) {
    bool one = i >= lead && out->shape[i - lead]->kind == RLX_TIR_INT &&
               out->shape[i - lead]->integer == 1;
    bool is_one = x->shape[i]->kind == RLX_TIR_INT && x->shape[i]->integer == 1;
    // A length that turns out to be 1 is one to sum over: that is known with the shapes only.
    if (i >= lead && !one && x->sinfo->dims[i] != out->sinfo->dims[i - lead])
      return rlx_refuse(c, "R.%s: dimension %d is not known before it runs", c->call->row->script,
                        i);
    red.axes.reduced[i] = i < lead || (one && !is_one);
    if (red.axes.reduced[i])
      red.axes.extents[red.axes.count++] = x->shape[i];
    else
      shape[kept++] = x->shape[i];
  }
  RlxOperand sum = rlx_temporary(c, red.t, shape, kept);
  rlx_reduce(c, &sum, red.axes.extents, red.axes.count, RLX_TIR_ADD, rlx_num(c, 0, red.t),
             element_term, &red);
  RlxE vars[RLX_MAX_NDIM], from[RLX_MAX_NDIM];
  char name[16];
  int n = 0;
  for (int i = 0; i < out->ndim; i++) {
    snprintf(name, sizeof name, "i%d", i);
    vars[i] = rlx_loop_var(c, name);
    if (!red.axes.reduced[i + lead]) from[n++] = vars[i];
  }
  rlx_emit(c,
           rlx_loops(c, vars, out->shape, out->ndim, rlx_put(c, out, vars, rlx_at(c, &sum, from))));
  return true;
}

bool rlx_legalize_reduce(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0), *out = &c->outputs[0];
  if (!x) return false;
  RlxOpId op = c->call->row->id;
  if (op == RLX_OP_ID(argmax) || op == RLX_OP_ID(argmin)) return arg_reduce(c);
  if (op == RLX_OP_ID(collapse_sum_like) || op == RLX_OP_ID(collapse_sum_to)) return collapse(c);
  Reduction red = {x, read_axes(c, "axis", x, rlx_bool_of(c, "keepdims", false)),
                   rlx_wide(x->dtype), NULL, false};
  if (op == RLX_OP_ID(mean)) {
    mean_of(c, &red, out, out, false);
    return true;
  }
  if (op == RLX_OP_ID(variance) || op == RLX_OP_ID(std)) {
    RlxOperand mean = mean_of(c, &red, out, NULL, false);
    red.mean = &mean;
    red.squares = true;
    mean_of(c, &red, out, out, op == RLX_OP_ID(std));
    return true;
  }
  RlxTirExprKind kind = op == RLX_OP_ID(sum)    ? RLX_TIR_ADD
                        : op == RLX_OP_ID(prod) ? RLX_TIR_MUL
                        : op == RLX_OP_ID(max)  ? RLX_TIR_MAX
                                                : RLX_TIR_MIN;
  if (rlx_dtype_is_bool(x->dtype)) red.t = RLX_INT32;
  RlxE start = op == RLX_OP_ID(sum)    ? rlx_num(c, 0, red.t)
               : op == RLX_OP_ID(prod) ? rlx_num(c, 1, red.t)
               : op == RLX_OP_ID(max)  ? rlx_lowest(c, red.t)
                                       : rlx_highest(c, red.t);
  if (rlx_dtype_equal(red.t, out->dtype)) {
    c->result->kind = RLX_KERNEL_REDUCTION;
    rlx_reduce(c, out, red.axes.extents, red.axes.count, kind, start, element_term, &red);
  } else {
    RlxOperand wide = rlx_temporary(c, red.t, out->shape, out->ndim);
    rlx_reduce(c, &wide, red.axes.extents, red.axes.count, kind, start, element_term, &red);
    rlx_compute(c, out, plain, &wide);
  }
  return true;
}

// ------------------------------------------------------------------ scans

bool rlx_legalize_scan(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0), *out = &c->outputs[0];
  if (!x) return false;
  bool product = c->call->row->id == RLX_OP_ID(cumprod),
       exclusive = rlx_bool_of(c, "exclusive", false);
  bool flat = !rlx_value_of(c, "axis");
  int axis = flat ? 0 : rlx_axis(rlx_int_of(c, "axis", 0), x->ndim);
  RlxDType t = rlx_wide(out->dtype);
  RlxE vars[RLX_MAX_NDIM], extents[RLX_MAX_NDIM], from[RLX_MAX_NDIM],
      state_shape[1] = {rlx_i(c, 1)}, zero = rlx_i(c, 0);
  RlxOperand state = rlx_temporary(c, t, state_shape, 1);
  char name[16];
  int outer = 0;
  for (int i = 0; i < out->ndim; i++) {
    snprintf(name, sizeof name, "i%d", i);
    vars[i] = rlx_loop_var(c, name);
    if (i != axis) extents[outer++] = out->shape[i];
  }
  if (flat) { // unravel the place
    RlxE rest = vars[0];
    for (int i = x->ndim; i-- > 0;) {
      from[i] = i ? rlx_fmod(c, rest, x->shape[i]) : rest;
      rest = rlx_fdiv(c, rest, x->shape[i]);
    }
  } else {
    memcpy(from, vars, sizeof from);
  }
  RlxE old = rlx_at(c, &state, &zero),
       next = rlx_op(c, product ? RLX_TIR_MUL : RLX_TIR_ADD, old, rlx_as(c, t, rlx_at(c, x, from)));
  RlxTirStmt *step[2] = {exclusive ? rlx_put(c, out, vars, old) : rlx_put(c, &state, &zero, next),
                         exclusive ? rlx_put(c, &state, &zero, next) : rlx_put(c, out, vars, old)};
  RlxTirStmt *inner = rlx_tir_for(c->f, vars[axis]->var, out->shape[axis], RLX_FOR_SERIAL,
                                  rlx_tir_seq(c->f, step, 2));
  RlxTirStmt *row[2] = {rlx_put(c, &state, &zero, rlx_num(c, product, t)), inner};
  RlxE loops[RLX_MAX_NDIM];
  int n = 0;
  for (int i = 0; i < out->ndim; i++) {
    if (i != axis) loops[n++] = vars[i];
  }
  rlx_emit(c, rlx_loops(c, loops, extents, outer, rlx_tir_seq(c->f, row, 2)));
  return true;
}

// ------------------------------------------------------------------ softmax

typedef struct Softmax {
  const RlxOperand *x, *max, *sum;
  Axes axes;
  RlxDType t;
  bool is_log;
} Softmax;

/// The place in a row-wise temporary for a place of the operand.
static void row_place(const Axes *a, int ndim, RlxE *at, RlxE *out) {
  int n = 0;
  for (int i = 0; i < ndim; i++) {
    if (!a->reduced[i]) out[n++] = at[i];
  }
}

static RlxE exp_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Softmax *m = data;
  RlxE at[RLX_MAX_NDIM];
  place(&m->axes, m->x->ndim, s, r, at);
  return rlx_call1(c, "exp",
                   rlx_sub(c, rlx_as(c, m->t, rlx_at(c, m->x, at)), rlx_at(c, m->max, s)));
}

static RlxE softmax_value(RlxCompute *c, RlxE *index, void *data) {
  const Softmax *m = data;
  RlxE row[RLX_MAX_NDIM];
  row_place(&m->axes, m->x->ndim, index, row);
  RlxE shifted = rlx_sub(c, rlx_as(c, m->t, rlx_at(c, m->x, index)), rlx_at(c, m->max, row)),
       sum = rlx_at(c, m->sum, row);
  return m->is_log ? rlx_sub(c, shifted, rlx_call1(c, "log", sum))
                   : rlx_op(c, RLX_TIR_DIV, rlx_call1(c, "exp", shifted), sum);
}

bool rlx_legalize_softmax(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0);
  if (!x) return false;
  Softmax m = {
      .x = x, .t = rlx_wide(x->dtype), .is_log = c->call->row->id == RLX_OP_ID(nn_log_softmax)};
  int axis = rlx_axis(rlx_int_of(c, "axis", -1), x->ndim), kept = 0;
  RlxE shape[RLX_MAX_NDIM];
  for (int i = 0; i < x->ndim; i++) {
    m.axes.reduced[i] = i == axis;
    if (i == axis)
      m.axes.extents[m.axes.count++] = x->shape[i];
    else
      shape[kept++] = x->shape[i];
  }
  RlxOperand max = rlx_temporary(c, m.t, shape, kept), sum = rlx_temporary(c, m.t, shape, kept);
  m.max = &max;
  m.sum = &sum;
  Reduction red = {x, m.axes, m.t, NULL, false};
  rlx_reduce(c, &max, m.axes.extents, m.axes.count, RLX_TIR_MAX, rlx_lowest(c, m.t), element_term,
             &red);
  rlx_reduce(c, &sum, m.axes.extents, m.axes.count, RLX_TIR_ADD, rlx_num(c, 0, m.t), exp_term, &m);
  rlx_compute(c, &c->outputs[0], softmax_value, &m);
  return true;
}

// ------------------------------------------------------------------ normalisation

typedef struct Norm {
  const RlxOperand *x, *gamma, *beta; ///< gamma, beta may be NULL
  const RlxOperand *mean, *variance;  ///< mean NULL: not subtracted
  Axes axes;
  RlxDType t;
  double epsilon;
  int channel;    ///< axis of gamma and beta (one dimension); -1: they run over the reduced axes
  int groups;     ///< group norm: mean and variance are (…, group); else 0
  RlxE per_group; ///< channels in a group
} Norm;

static void stats_place(RlxCompute *c, const Norm *n, RlxE *index, RlxE *out) {
  int count = 0;
  if (n->groups) {
    for (int i = 0; i < n->x->ndim; i++) {
      if (i == n->channel)
        out[count++] = rlx_fdiv(c, index[i], n->per_group);
      else if (!n->axes.reduced[i])
        out[count++] = index[i];
    }
    return;
  }
  row_place(&n->axes, n->x->ndim, index, out);
}

static RlxE parameter_at(RlxCompute *c, const Norm *n, const RlxOperand *p, RlxE *index) {
  RlxE at[RLX_MAX_NDIM];
  if (n->channel >= 0) {
    at[0] = index[n->channel];
  } else {
    int count = 0;
    for (int i = 0; i < n->x->ndim; i++) {
      if (n->axes.reduced[i]) at[count++] = index[i];
    }
  }
  return rlx_as(c, n->t, rlx_at(c, p, at));
}

static RlxE norm_value(RlxCompute *c, RlxE *index, void *data) {
  const Norm *n = data;
  RlxE row[RLX_MAX_NDIM], x = rlx_as(c, n->t, rlx_at(c, n->x, index));
  stats_place(c, n, index, row);
  if (n->mean) x = rlx_sub(c, x, rlx_as(c, n->t, rlx_at(c, n->mean, row)));
  RlxE spread =
      rlx_add(c, rlx_as(c, n->t, rlx_at(c, n->variance, row)), rlx_num(c, n->epsilon, n->t));
  x = rlx_mul(c, x, rlx_call1(c, "rsqrt", spread));
  if (n->gamma) x = rlx_mul(c, x, parameter_at(c, n, n->gamma, index));
  if (n->beta) x = rlx_add(c, x, parameter_at(c, n, n->beta, index));
  return x;
}

/// Statistics of groups of channels: spatial place (…, g), reduced over the channels of the group
/// and the given axes.
typedef struct GroupStats {
  const Norm *n;
  const RlxOperand *mean;
} GroupStats;

static RlxE group_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const GroupStats *g = data;
  const Norm *n = g->n;
  RlxE at[RLX_MAX_NDIM];
  int kept = 0, reduced = 1; // r[0]: channel in the group
  for (int i = 0; i < n->x->ndim; i++) {
    if (i == n->channel)
      at[i] = rlx_add(c, rlx_mul(c, s[kept++], n->per_group), r[0]);
    else
      at[i] = n->axes.reduced[i] ? r[reduced++] : s[kept++];
  }
  RlxE e = rlx_as(c, n->t, rlx_at(c, n->x, at));
  if (!g->mean) return e;
  e = rlx_sub(c, e, rlx_at(c, g->mean, s));
  return rlx_mul(c, e, e);
}

static bool group_norm(RlxCompute *c, Norm *n) {
  RlxE shape[RLX_MAX_NDIM], extents[RLX_MAX_NDIM];
  int kept = 0, reduced = 0;
  RlxE groups = rlx_i(c, n->groups);
  n->per_group = rlx_fdiv(c, n->x->shape[n->channel], groups);
  extents[reduced++] = n->per_group;
  RlxE size = n->per_group;
  for (int i = 0; i < n->x->ndim; i++) {
    if (i == n->channel)
      shape[kept++] = groups;
    else if (n->axes.reduced[i])
      size = rlx_mul(c, size, n->x->shape[i]), extents[reduced++] = n->x->shape[i];
    else
      shape[kept++] = n->x->shape[i];
  }
  RlxOperand sums[2], stats[2];
  for (int k = 0; k < 2; k++) {
    GroupStats g = {n, k ? &stats[0] : NULL};
    sums[k] = rlx_temporary(c, n->t, shape, kept);
    stats[k] = rlx_temporary(c, n->t, shape, kept);
    rlx_reduce(c, &sums[k], extents, reduced, RLX_TIR_ADD, rlx_num(c, 0, n->t), group_term, &g);
    Scaled s = {&sums[k], size, false};
    rlx_compute(c, &stats[k], scaled, &s);
  }
  n->mean = &stats[0];
  n->variance = &stats[1];
  rlx_compute(c, &c->outputs[0], norm_value, n);
  return true;
}

static RlxE moving(RlxCompute *c, RlxE *index, void *data) {
  const RlxOperand *const *pair = data; // old, new
  double momentum = rlx_float_of(c, "momentum", 0.1);
  RlxE old = rlx_at(c, pair[0], index), now = rlx_as(c, old->dtype, rlx_at(c, pair[1], index));
  return rlx_add(c, rlx_mul(c, rlx_num(c, 1 - momentum, old->dtype), old),
                 rlx_mul(c, rlx_num(c, momentum, old->dtype), now));
}

static bool batch_norm(RlxCompute *c, Norm *n) {
  bool training = rlx_bool_of(c, "training", true);
  const RlxOperand *mean = rlx_operand(c, 3), *variance = rlx_operand(c, 4);
  if (!mean || !variance || c->output_count != 3)
    return rlx_refuse(c, "R.nn.batch_norm: operands are not known");
  for (int i = 0; i < n->x->ndim; i++) n->axes.reduced[i] = i != n->channel;
  n->mean = mean;
  n->variance = variance;
  if (training) {
    n->axes.count = 0;
    n->axes.size = rlx_i(c, 1);
    for (int i = 0; i < n->x->ndim; i++) {
      if (i == n->channel) continue;
      n->axes.extents[n->axes.count++] = n->x->shape[i];
      n->axes.size = rlx_mul(c, n->axes.size, n->x->shape[i]);
    }
    Reduction red = {n->x, n->axes, n->t, NULL, false};
    RlxOperand now_mean = mean_of(c, &red, mean, NULL, false);
    red.mean = &now_mean;
    red.squares = true;
    RlxOperand now_variance = mean_of(c, &red, mean, NULL, false);
    n->mean = &now_mean;
    n->variance = &now_variance;
    rlx_compute(c, &c->outputs[0], norm_value, n);
    const RlxOperand *means[2] = {mean, &now_mean}, *variances[2] = {variance, &now_variance};
    rlx_compute(c, &c->outputs[1], moving, means);
    rlx_compute(c, &c->outputs[2], moving, variances);
    return true;
  }
  rlx_compute(c, &c->outputs[0], norm_value, n);
  rlx_compute(c, &c->outputs[1], plain, c->operands + c->first[3]);
  rlx_compute(c, &c->outputs[2], plain, c->operands + c->first[4]);
  return true;
}

bool rlx_legalize_norm(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0), *gamma = rlx_operand(c, 1);
  if (!x || !gamma) return false;
  RlxOpId op = c->call->row->id;
  bool has_beta = op != RLX_OP_ID(nn_rms_norm);
  Norm n = {
      .x = x, .t = rlx_wide(x->dtype), .epsilon = rlx_float_of(c, "epsilon", 1e-5), .channel = -1};
  bool has_flags = op == RLX_OP_ID(nn_batch_norm); // TVM's other normalisations multiply and add
                                                   // whatever their flags say
  n.gamma = !has_flags || rlx_bool_of(c, "scale", true) ? gamma : NULL;
  n.beta = has_beta && (!has_flags || rlx_bool_of(c, "center", true)) ? rlx_operand(c, 2) : NULL;
  if (op == RLX_OP_ID(nn_batch_norm)) {
    n.channel = rlx_axis(rlx_int_of(c, "axis", 1), x->ndim);
    return batch_norm(c, &n);
  }
  n.axes = read_axes(c, "axes", x, false);
  if (op == RLX_OP_ID(nn_group_norm) || op == RLX_OP_ID(nn_instance_norm))
    n.channel = rlx_axis(rlx_int_of(c, "channel_axis", 1), x->ndim);
  if (op == RLX_OP_ID(nn_group_norm)) {
    n.groups = (int)rlx_int_of(c, "num_groups", 1);
    n.axes.reduced[n.channel] = false;
    return group_norm(c, &n);
  }
  if (n.channel >= 0) n.axes.reduced[n.channel] = false;
  RlxE shape[RLX_MAX_NDIM];
  RlxOperand like = {.shape = shape};
  for (int i = 0; i < x->ndim; i++) {
    if (!n.axes.reduced[i]) shape[like.ndim++] = x->shape[i];
  }
  Reduction red = {x, n.axes, n.t, NULL, false};
  RlxOperand mean, variance;
  if (op != RLX_OP_ID(nn_rms_norm)) {
    mean = mean_of(c, &red, &like, NULL, false);
    n.mean = red.mean = &mean;
  }
  red.squares = true;
  variance = mean_of(c, &red, &like, NULL, false);
  n.variance = &variance;
  rlx_compute(c, &c->outputs[0], norm_value, &n);
  return true;
}
