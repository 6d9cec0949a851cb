/// sort, argsort, topk, median: the stable order of the elements of each row. Floating-point numbers
/// have a total order in which NaN is the greatest, as numpy sorts: last when ascending, first when
/// descending. They are compared by *keys*, integers in the same order.
///
/// Short rows are ordered by counting: an element's rank is the number of elements that come before
/// it, in loops that vectorise. Others are merged: runs of 1, 2, 4… elements that are in order become
/// runs of twice the length.
#include <stdio.h>
#include <string.h>

#include "jit/legalize/compute.h"

enum { COUNTED = 128 }; // elements of a row that are ordered by counting at most

typedef struct Order {
  const RlxOperand *x;
  int axis;
  bool descending;
} Order;

static RlxE element(RlxCompute *c, const RlxOperand *x, int axis, RlxE *s, RlxE place) {
  RlxE at[RLX_MAX_NDIM];
  memcpy(at, s, sizeof(RlxE) * (size_t)x->ndim);
  at[axis] = place;
  return rlx_at(c, x, at);
}

static RlxDType key_dtype(RlxDType t) {
  if (!rlx_dtype_is_float(t)) return t;
  return rlx_dtype(RLX_DTYPE_INT, t.bits < 32 ? 32 : t.bits);
}

/// Integers as itself. Floating-point numbers as their bits, those of negative ones turned around;
/// both zeros are 0, and each NaN is above infinity.
static RlxE key_of(RlxCompute *c, RlxE a) {
  RlxDType t = key_dtype(a->dtype);
  if (!rlx_dtype_is_float(a->dtype)) return a;
  a = rlx_as(c, rlx_wide(a->dtype), a);
  RlxE bits = rlx_arena_one(c->f->arena, RlxTirExpr), highest = rlx_highest(c, t);
  bits->kind = RLX_TIR_REINTERPRET;
  bits->dtype = t;
  bits->arg_count = 1;
  bits->args = rlx_arena_copy(c->f->arena, &a, 1, sizeof a);
  RlxE zero = rlx_num(c, 0, t);
  RlxE key = rlx_pick(c, rlx_lt(c, bits, zero), rlx_op(c, RLX_TIR_BITXOR, bits, highest), bits);
  key = rlx_pick(c, rlx_eq(c, a, rlx_num(c, 0, a->dtype)), zero, key);
  return rlx_pick(c, rlx_call1(c, "isnan", a), highest, key);
}

/// Whether key `a` comes before `b`, wherever they stand; or, with `ties`, does not come after it.
static RlxE before(RlxCompute *c, const Order *k, RlxE a, RlxE b, bool ties) {
  return rlx_op(c, ties ? RLX_TIR_LE : RLX_TIR_LT, k->descending ? b : a, k->descending ? a : b);
}

static void name_loops(RlxCompute *c, RlxE *vars, int count) {
  char name[16];
  for (int i = 0; i < count; i++) {
    snprintf(name, sizeof name, "j%d", i);
    vars[i] = rlx_loop_var(c, name);
  }
}

// ------------------------------------------------------------------ by counting

static RlxE key_value(RlxCompute *c, RlxE *index, void *data) {
  return key_of(c, rlx_at(c, data, index));
}

typedef struct Counting {
  const Order *k;
  const RlxOperand *keys;
} Counting;

/// 1 when the element at r[0] comes before the one at s.
static RlxE counts(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Counting *x = data;
  int axis = x->k->axis;
  RlxE mine = element(c, x->keys, axis, s, s[axis]), other = element(c, x->keys, axis, s, r[0]);
  RlxE comes = rlx_pick(c, rlx_lt(c, r[0], s[axis]), before(c, x->k, other, mine, true),
                        before(c, x->k, other, mine, false));
  return rlx_as(c, RLX_INT32, comes);
}

/// places[…, rank, …] = where the element of that rank is.
static void order_by_counting(RlxCompute *c, const Order *k, const RlxOperand *places) {
  RlxOperand x = *k->x, keys = x;
  if (rlx_dtype_is_float(x.dtype)) {
    keys = rlx_temporary(c, key_dtype(x.dtype), x.shape, x.ndim);
    rlx_compute(c, &keys, key_value, &x);
  }
  RlxOperand ranks = rlx_temporary(c, RLX_INT32, x.shape, x.ndim);
  Counting counting = {k, &keys};
  rlx_reduce(c, &ranks, &x.shape[k->axis], 1, RLX_TIR_ADD, rlx_num(c, 0, RLX_INT32), counts,
             &counting);
  RlxE vars[RLX_MAX_NDIM], to[RLX_MAX_NDIM];
  name_loops(c, vars, x.ndim);
  memcpy(to, vars, sizeof to);
  to[k->axis] = rlx_as(c, RLX_INT64, rlx_at(c, &ranks, vars));
  rlx_emit(c, rlx_loops(c, vars, x.shape, x.ndim, rlx_put(c, places, to, vars[k->axis])));
}

// ------------------------------------------------------------------ by merging

/// What merging a row works with; `state` is its integers, by the numbers below.
typedef struct Merge {
  const Order *k;
  RlxOperand keys, places, new_keys, new_places, state;
  RlxE n;
} Merge;
enum { LEFT, RIGHT, MIDDLE, END, WIDTH, STATES };

static RlxE state(RlxCompute *c, const Merge *m, int which) {
  RlxE at = rlx_i(c, which);
  return rlx_at(c, &m->state, &at);
}

static RlxTirStmt *set_state(RlxCompute *c, const Merge *m, int which, RlxE value) {
  RlxE at = rlx_i(c, which);
  return rlx_put(c, &m->state, &at, value);
}

/// One element of the merged run that is being made, to place `o`.
static RlxTirStmt *merge_one(RlxCompute *c, const Merge *m, RlxE o) {
  RlxE width = state(c, m, WIDTH), left = state(c, m, LEFT), right = state(c, m, RIGHT);
  RlxE middle = rlx_op(c, RLX_TIR_MIN, rlx_add(c, o, width), m->n),
       end = rlx_op(c, RLX_TIR_MIN, rlx_add(c, o, rlx_mul(c, width, rlx_i(c, 2))), m->n);
  RlxTirStmt *next_runs[] = {set_state(c, m, LEFT, o), set_state(c, m, MIDDLE, middle),
                             set_state(c, m, RIGHT, middle), set_state(c, m, END, end)};
  // Equal ones come from the left.
  RlxE right_first = rlx_and(
      c, rlx_lt(c, right, state(c, m, END)),
      rlx_op(c, RLX_TIR_OR, rlx_ge(c, left, state(c, m, MIDDLE)),
             before(c, m->k, rlx_at(c, &m->keys, &right), rlx_at(c, &m->keys, &left), false)));
  RlxE from = rlx_loop_var(c, "from"), is_right = rlx_ge(c, from, state(c, m, MIDDLE)),
       one = rlx_i(c, 1), zero = rlx_i(c, 0);
  RlxTirStmt *move[] = {
      rlx_put(c, &m->new_keys, &o, rlx_at(c, &m->keys, &from)),
      rlx_put(c, &m->new_places, &o, rlx_at(c, &m->places, &from)),
      set_state(c, m, LEFT, rlx_add(c, left, rlx_pick(c, is_right, zero, one))),
      set_state(c, m, RIGHT, rlx_add(c, right, rlx_pick(c, is_right, one, zero)))};
  RlxTirStmt *both[] = {
      rlx_when(c, rlx_eq(c, o, state(c, m, END)), rlx_tir_seq(c->f, next_runs, 4)),
      rlx_tir_let_stmt(c->f, from->var, rlx_pick(c, right_first, right, left),
                       rlx_tir_seq(c->f, move, 4))};
  return rlx_tir_seq(c->f, both, 2);
}

static RlxTirStmt *over_row(RlxCompute *c, const Merge *m, RlxE var, RlxTirStmt **body, int count) {
  RlxE extent = m->n;
  return rlx_loops(c, &var, &extent, 1, rlx_tir_seq(c->f, body, count));
}

/// while width < n: merge the runs of that width, two and two.
static RlxTirStmt *merge_all(RlxCompute *c, const Merge *m) {
  RlxE o = rlx_loop_var(c, "o"), p = rlx_loop_var(c, "p");
  RlxTirStmt *one = merge_one(c, m, o);
  RlxTirStmt *back[] = {rlx_put(c, &m->keys, &p, rlx_at(c, &m->new_keys, &p)),
                        rlx_put(c, &m->places, &p, rlx_at(c, &m->new_places, &p))};
  RlxTirStmt *round[] = {set_state(c, m, END, rlx_i(c, 0)), over_row(c, m, o, &one, 1),
                         over_row(c, m, p, back, 2),
                         set_state(c, m, WIDTH, rlx_mul(c, state(c, m, WIDTH), rlx_i(c, 2)))};
  RlxTirStmt *loop = rlx_tir_stmt(c->f, RLX_TIR_WHILE, 1);
  loop->cond = rlx_lt(c, state(c, m, WIDTH), m->n);
  loop->body[0] = rlx_tir_seq(c->f, round, 4);
  return loop;
}

static void order_by_merging(RlxCompute *c, const Order *k, const RlxOperand *places) {
  RlxE n = k->x->shape[k->axis], states = rlx_i(c, STATES);
  RlxDType t = key_dtype(k->x->dtype);
  Merge m = {k,
             rlx_temporary(c, t, &n, 1),
             rlx_temporary(c, RLX_INT64, &n, 1),
             rlx_temporary(c, t, &n, 1),
             rlx_temporary(c, RLX_INT64, &n, 1),
             rlx_temporary(c, RLX_INT64, &states, 1),
             n};
  RlxE vars[RLX_MAX_NDIM], extents[RLX_MAX_NDIM], at[RLX_MAX_NDIM];
  name_loops(c, vars, k->x->ndim);
  memcpy(at, vars, sizeof at);
  memcpy(extents, k->x->shape, sizeof(RlxE) * (size_t)k->x->ndim);
  extents[k->axis] = rlx_i(c, 1); // its loops run inside
  RlxE i = rlx_loop_var(c, "i"), q = rlx_loop_var(c, "q");
  RlxTirStmt *fill[] = {rlx_put(c, &m.keys, &i, key_of(c, element(c, k->x, k->axis, at, i))),
                        rlx_put(c, &m.places, &i, i)};
  at[k->axis] = q;
  RlxTirStmt *give = rlx_put(c, places, at, rlx_at(c, &m.places, &q));
  RlxTirStmt *row[] = {over_row(c, &m, i, fill, 2), set_state(c, &m, WIDTH, rlx_i(c, 1)),
                       merge_all(c, &m), over_row(c, &m, q, &give, 1)};
  rlx_emit(c, rlx_loops(c, vars, extents, k->x->ndim, rlx_tir_seq(c->f, row, 4)));
}

// ------------------------------------------------------------------ the operators

/// Where the elements of each row are in x, in their order.
static RlxOperand order(RlxCompute *c, const Order *k) {
  RlxOperand places = rlx_temporary(c, RLX_INT64, k->x->shape, k->x->ndim);
  RlxE n = k->x->shape[k->axis];
  if (n->kind == RLX_TIR_INT && n->integer <= COUNTED)
    order_by_counting(c, k, &places);
  else
    order_by_merging(c, k, &places);
  return places;
}

/// The place of what comes at `at`; one that is not there is said of the operand.
static RlxE place_at(RlxCompute *c, const Order *k, const RlxOperand *places, RlxE *at) {
  RlxE load = rlx_at(c, places, at);
  if (k->x == rlx_operand(c, 0)) load->argument = rlx_at(c, k->x, at)->argument;
  return load;
}

/// out[at of `vars`] = element `at` of the order, as a value or as a place.
static RlxTirStmt *give(RlxCompute *c, const Order *k, const RlxOperand *places,
                        const RlxOperand *out, RlxE *vars, RlxE *at, bool is_value) {
  RlxE place = place_at(c, k, places, at);
  return rlx_put(c, out, vars,
                 is_value ? element(c, k->x, k->axis, at, place) : rlx_as(c, out->dtype, place));
}

static RlxE flat_element(RlxCompute *c, RlxE *index, void *data) {
  const RlxOperand *x = data;
  RlxE at[RLX_MAX_NDIM], rest = index[0];
  for (int i = x->ndim; i-- > 0;) {
    at[i] = i ? rlx_fmod(c, rest, x->shape[i]) : rest;
    if (i) rest = rlx_fdiv(c, rest, x->shape[i]);
  }
  return rlx_at(c, x, at);
}

/// The lower median of the row, with its place when there is a second result.
static bool median(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0);
  int64_t axes[RLX_MAX_NDIM];
  int n = rlx_ints_of(c, "axis", axes, RLX_MAX_NDIM);
  RlxOperand flat;
  Order k = {x, 0, false};
  if (n < 0) { // over everything
    RlxE size = rlx_product(c, x->shape, x->ndim);
    flat = rlx_temporary(c, x->dtype, &size, 1);
    RlxOperand whole = *x;
    rlx_compute(c, &flat, flat_element, &whole);
    k.x = &flat;
  } else if (n == 1) {
    k.axis = rlx_axis(axes[0], x->ndim);
  } else {
    return rlx_refuse(c, "R.median over several axes has no kernel");
  }
  RlxOperand places = order(c, &k);
  RlxE vars[RLX_MAX_NDIM], at[RLX_MAX_NDIM];
  RlxE middle = rlx_fdiv(c, rlx_sub(c, k.x->shape[k.axis], rlx_i(c, 1)), rlx_i(c, 2));
  const RlxOperand *out = &c->outputs[0];
  bool keeps = rlx_bool_of(c, "keepdims", false);
  name_loops(c, vars, out->ndim);
  for (int i = 0, from = 0; i < k.x->ndim; i++) {
    at[i] = i == k.axis ? middle : vars[from];
    from += i != k.axis || keeps;
  }
  RlxTirStmt *writes[2];
  int count = 0;
  writes[count++] = give(c, &k, &places, out, vars, at, true);
  if (c->output_count > 1) writes[count++] = give(c, &k, &places, &c->outputs[1], vars, at, false);
  rlx_emit(c, rlx_loops(c, vars, out->shape, out->ndim, rlx_tir_seq(c->f, writes, count)));
  return true;
}

bool rlx_legalize_sort(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0);
  if (!x) return false;
  RlxOpId op = c->call->row->id;
  if (op == RLX_OP_ID(median)) return median(c);
  Order k = {x, rlx_axis(rlx_int_of(c, "axis", -1), x->ndim),
             op == RLX_OP_ID(topk) ? rlx_bool_of(c, "largest", true)
                                   : rlx_bool_of(c, "descending", false)};
  const RlxOperand *values = &c->outputs[0], *indices = NULL;
  if (op == RLX_OP_ID(argsort)) {
    indices = values;
    values = NULL;
  } else if (op == RLX_OP_ID(topk)) {
    const char *kind = rlx_str_of(c, "ret_type", "both");
    if (!strcmp(kind, "both") && c->output_count == 2) {
      indices = &c->outputs[1];
    } else if (!strcmp(kind, "indices")) {
      indices = values;
      values = NULL;
    }
  }
  RlxOperand places = order(c, &k);
  RlxE vars[RLX_MAX_NDIM];
  name_loops(c, vars, x->ndim);
  RlxTirStmt *writes[2];
  int count = 0;
  if (values) writes[count++] = give(c, &k, &places, values, vars, vars, true);
  if (indices) writes[count++] = give(c, &k, &places, indices, vars, vars, false);
  rlx_emit(c, rlx_loops(c, vars, c->outputs[0].shape, x->ndim, rlx_tir_seq(c->f, writes, count)));
  return true;
}
