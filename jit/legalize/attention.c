/// nn.attention: softmax(q kᵀ · scale + bias) v over (batch, sequence, heads, features), row by
/// row. nn.attention_var_len: the same for sequences that lie end to end, each by itself.
#include <math.h>
#include <string.h>

#include "jit/legalize/compute.h"

typedef struct Attention {
  const RlxOperand *q, *k, *v, *bias; ///< bias may be NULL
  const RlxOperand *scores, *max, *sum;
  RlxDType t;
  RlxE scale;
  const char *mask;            ///< NULL: none
  int64_t window;              ///< how many keys back a query sees; 0: all
  const RlxOperand *from, *to; ///< of sequences end to end: the keys [from, to) that a query sees
} Attention;

/// Head of k and v for head `h` of q: heads may be shared by groups.
static RlxE shared_head(RlxCompute *c, const Attention *a, const RlxOperand *x, RlxE h) {
  RlxE per = rlx_fdiv(c, a->q->shape[2], x->shape[2]);
  return per->kind == RLX_TIR_INT && per->integer == 1 ? h : rlx_fdiv(c, h, per);
}

/// scores[b, h, i, j]: the product over the features.
static RlxE score_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Attention *a = data;
  RlxE at_q[4] = {s[0], s[2], s[1], r[0]},
       at_k[4] = {s[0], s[3], shared_head(c, a, a->k, s[1]), r[0]};
  return rlx_mul(c, rlx_as(c, a->t, rlx_at(c, a->q, at_q)), rlx_as(c, a->t, rlx_at(c, a->k, at_k)));
}

/// The last key that query `i` of `queries` sees under the causal mask, of `keys`. "BottomRight" is
/// np.tril(…, k=abs(queries - keys)), as TVM documents it.
static RlxE last_seen(RlxCompute *c, const Attention *a, RlxE i, RlxE queries, RlxE keys) {
  if (strcmp(a->mask, "BottomRight") != 0) return i;
  return rlx_add(c, i,
                 rlx_op(c, RLX_TIR_MAX, rlx_sub(c, keys, queries), rlx_sub(c, queries, keys)));
}

/// Whether query index[2] sees key index[3]; NULL: always.
static RlxE seen(RlxCompute *c, const Attention *a, RlxE *index) {
  if (a->from)
    return rlx_and(c, rlx_ge(c, index[3], rlx_at(c, a->from, &index[2])),
                   rlx_lt(c, index[3], rlx_at(c, a->to, &index[2])));
  if (!a->mask) return NULL;
  RlxE last = last_seen(c, a, index[2], a->q->shape[1], a->k->shape[1]),
       keeps = rlx_op(c, RLX_TIR_LE, index[3], last);
  if (a->window > 0)
    keeps =
        rlx_and(c, keeps, rlx_op(c, RLX_TIR_GT, index[3], rlx_sub(c, last, rlx_i(c, a->window))));
  return keeps;
}

static RlxE masked_score(RlxCompute *c, const Attention *a, RlxE *index) {
  RlxE e = rlx_mul(c, rlx_at(c, a->scores, index), a->scale);
  if (a->bias) e = rlx_add(c, e, rlx_as(c, a->t, rlx_at_broadcast(c, a->bias, index, 4)));
  RlxE keeps = seen(c, a, index);
  return keeps ? rlx_pick(c, keeps, e, rlx_num(c, (double)-INFINITY, a->t)) : e;
}

static RlxE max_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  RlxE at[4] = {s[0], s[1], s[2], r[0]};
  return masked_score(c, data, at);
}

static RlxE exp_score(RlxCompute *c, RlxE *index, void *data) {
  const Attention *a = data;
  RlxE e = rlx_call1(c, "exp", rlx_sub(c, masked_score(c, a, index), rlx_at(c, a->max, index)));
  return a->from ? rlx_pick(c, seen(c, a, index), e, rlx_num(c, 0, a->t)) : e;
}

static RlxE sum_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  RlxE at[4] = {s[0], s[1], s[2], r[0]};
  return rlx_at(c, ((const Attention *)data)->scores, at);
}

static RlxE value_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Attention *a = data;
  RlxE at_p[4] = {s[0], s[2], s[1], r[0]},
       at_v[4] = {s[0], r[0], shared_head(c, a, a->v, s[2]), s[3]};
  return rlx_mul(c, rlx_at(c, a->scores, at_p), rlx_as(c, a->t, rlx_at(c, a->v, at_v)));
}

typedef struct Divided {
  const RlxOperand *x, *by;
  bool zero_is_zero; ///< a row that sees nothing is 0, not NaN
} Divided;

static RlxE divided(RlxCompute *c, RlxE *index, void *data) {
  const Divided *d = data;
  RlxE row[3] = {index[0], index[2], index[1]};
  RlxE x = rlx_at(c, d->x, index), by = rlx_at(c, d->by, row), e = rlx_op(c, RLX_TIR_DIV, x, by),
       zero = rlx_num(c, 0, e->dtype);
  return d->zero_is_zero ? rlx_pick(c, rlx_eq(c, by, zero), zero, e) : e;
}

static RlxE nothing(RlxCompute *c, RlxE *index, void *data) {
  (void)index, (void)data;
  return rlx_i(c, 0);
}

/// Fills `from` and `to` for each query: the keys of its sequence that the mask leaves. `starts_q`
/// and `starts_k` say where sequences start, and behind their last element where the last one ends.
/// Queries that are in none see nothing.
static void find_sequences(RlxCompute *c, const Attention *a, const RlxOperand *starts_q,
                           const RlxOperand *starts_k) {
  RlxE s = rlx_loop_var(c, "s"), i = rlx_loop_var(c, "i"), next = rlx_add(c, s, rlx_i(c, 1));
  RlxE begin = rlx_as(c, RLX_INT64, rlx_at(c, starts_q, &s)),
       end = rlx_as(c, RLX_INT64, rlx_at(c, starts_q, &next)),
       low = rlx_as(c, RLX_INT64, rlx_at(c, starts_k, &s)),
       high = rlx_as(c, RLX_INT64, rlx_at(c, starts_k, &next)), from = low, to = high;
  if (a->mask) {
    RlxE last = rlx_add(
        c, low,
        last_seen(c, a, rlx_sub(c, i, begin), rlx_sub(c, end, begin), rlx_sub(c, high, low)));
    to = rlx_op(c, RLX_TIR_MIN, to, rlx_add(c, last, rlx_i(c, 1)));
    if (a->window > 0)
      from = rlx_op(c, RLX_TIR_MAX, from, rlx_sub(c, last, rlx_i(c, a->window - 1)));
  }
  rlx_compute(c, a->from, nothing, NULL);
  rlx_compute(c, a->to, nothing, NULL);
  RlxTirStmt *writes[2] = {rlx_put(c, a->from, &i, from), rlx_put(c, a->to, &i, to)};
  RlxE vars[2] = {s, i}, extents[2] = {rlx_sub(c, starts_q->shape[0], rlx_i(c, 1)), a->q->shape[1]};
  RlxTirStmt *body =
      rlx_when(c, rlx_and(c, rlx_ge(c, i, begin), rlx_lt(c, i, end)), rlx_tir_seq(c->f, writes, 2));
  rlx_emit(c, rlx_loops(c, vars, extents, 2, body));
}

static bool vector_of_ints(RlxCompute *c, const RlxOperand *x) {
  if (x && x->buffer && x->ndim == 1 && !rlx_dtype_is_float(x->dtype)) return true;
  return rlx_refuse(
      c, "R.nn.attention_var_len takes vectors of integers for seqstart_q and seqstart_k");
}

/// The extra operands of attention_var_len; false: refused.
static bool sequences(RlxCompute *c, Attention *a, RlxOperand *from, RlxOperand *to) {
  const RlxOperand *starts_q = rlx_operand(c, 3),
                   *starts_k = rlx_has_operand(c, 5) ? rlx_operand(c, 5) : starts_q;
  if (!starts_q || !starts_k || !vector_of_ints(c, starts_q) || !vector_of_ints(c, starts_k))
    return false;
  if (starts_k != starts_q && !rlx_need_extent(c, 5, 0, starts_q->shape[0])) return false;
  if (!rlx_need_extent(c, 0, 0, rlx_i(c, 1))) return false;
  *from = rlx_temporary(c, RLX_INT64, &a->q->shape[1], 1);
  *to = rlx_temporary(c, RLX_INT64, &a->q->shape[1], 1);
  a->from = from;
  a->to = to;
  find_sequences(c, a, starts_q, starts_k);
  return !c->failed;
}

bool rlx_legalize_attention(RlxCompute *c) {
  Attention a = {.q = rlx_operand(c, 0), .k = rlx_operand(c, 1), .v = rlx_operand(c, 2)};
  if (!a.q || !a.k || !a.v) return false;
  if (a.q->ndim != 4 || a.k->ndim != 4 || a.v->ndim != 4)
    return rlx_refuse(c, "R.nn.attention takes tensors of rank 4");
  if (!rlx_dtype_is_float(a.q->dtype))
    return rlx_refuse(c, "R.nn.attention takes a floating-point dtype");
  bool is_var_len = c->call->row->id == RLX_OP_ID(nn_attention_var_len);
  a.bias = !is_var_len && rlx_has_operand(c, 3) ? rlx_operand(c, 3) : NULL;
  if (a.bias && a.bias->ndim != 4) return rlx_refuse(c, "R.nn.attention takes a bias of rank 4");
  a.t = rlx_wide(a.q->dtype);
  a.mask = rlx_str_of(c, "causal_mask", NULL);
  a.window = rlx_int_of(c, "window_size", 0);
  RlxOperand from, to;
  if (is_var_len && !sequences(c, &a, &from, &to)) return false;
  RlxE depth = a.q->shape[3];
  a.scale = rlx_value_of(c, "scale") ? rlx_scalar_of(c, "scale", a.t, 1)
                                     : rlx_call1(c, "rsqrt", rlx_as(c, a.t, depth));
  RlxE shape[4] = {a.q->shape[0], a.q->shape[2], a.q->shape[1], a.k->shape[1]},
       keys = a.k->shape[1];
  RlxOperand raw = rlx_temporary(c, a.t, shape, 4), weights = rlx_temporary(c, a.t, shape, 4),
             max = rlx_temporary(c, a.t, shape, 3), sum = rlx_temporary(c, a.t, shape, 3);
  RlxOperand mixed = rlx_temporary(c, a.t, c->outputs[0].shape, 4);
  a.scores = &raw;
  a.max = &max;
  rlx_reduce(c, &raw, &depth, 1, RLX_TIR_ADD, rlx_num(c, 0, a.t), score_term, &a);
  rlx_reduce(c, &max, &keys, 1, RLX_TIR_MAX, rlx_num(c, (double)-INFINITY, a.t), max_term, &a);
  rlx_compute(c, &weights, exp_score, &a);
  a.scores = &weights;
  rlx_reduce(c, &sum, &keys, 1, RLX_TIR_ADD, rlx_num(c, 0, a.t), sum_term, &a);
  rlx_reduce(c, &mixed, &keys, 1, RLX_TIR_ADD, rlx_num(c, 0, a.t), value_term, &a);
  Divided d = {&mixed, &sum, is_var_len};
  rlx_compute(c, &c->outputs[0], divided, &d);
  return true;
}
