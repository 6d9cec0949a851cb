/// nn.attention: softmax(q kᵀ · scale + bias) v over (batch, sequence, heads, features), row by
/// row.
#include <math.h>
#include <string.h>

#include "jit/legalize/compute.h"

typedef struct Attention {
  const RlxOperand *q, *k, *v, *bias; ///< bias may be NULL
  const RlxOperand *scores, *max, *sum;
  RlxDType t;
  RlxE scale;
  const char *mask; ///< NULL: none
  bool has_window;
  int64_t window;
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

static RlxE masked_score(RlxCompute *c, const Attention *a, RlxE *index) {
  RlxE e = rlx_mul(c, rlx_at(c, a->scores, index), a->scale);
  if (a->bias) e = rlx_add(c, e, rlx_as(c, a->t, rlx_at_broadcast(c, a->bias, index, 4)));
  if (!a->mask) return e;
  RlxE offset =
      !strcmp(a->mask, "BottomRight") ? rlx_sub(c, a->k->shape[1], a->q->shape[1]) : rlx_i(c, 0);
  RlxE last = rlx_add(c, index[2], offset), keeps = rlx_op(c, RLX_TIR_LE, index[3], last);
  if (a->has_window)
    keeps =
        rlx_and(c, keeps, rlx_op(c, RLX_TIR_GT, index[3], rlx_sub(c, last, rlx_i(c, a->window))));
  return rlx_pick(c, keeps, e, rlx_num(c, (double)-INFINITY, a->t));
}

static RlxE max_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  RlxE at[4] = {s[0], s[1], s[2], r[0]};
  return masked_score(c, data, at);
}

static RlxE exp_score(RlxCompute *c, RlxE *index, void *data) {
  const Attention *a = data;
  return rlx_call1(c, "exp", rlx_sub(c, masked_score(c, a, index), rlx_at(c, a->max, index)));
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
} Divided;

static RlxE divided(RlxCompute *c, RlxE *index, void *data) {
  const Divided *d = data;
  RlxE row[3] = {index[0], index[2], index[1]};
  return rlx_op(c, RLX_TIR_DIV, rlx_at(c, d->x, index), rlx_at(c, d->by, row));
}

bool rlx_legalize_attention(RlxCompute *c) {
  Attention a = {.q = rlx_operand(c, 0), .k = rlx_operand(c, 1), .v = rlx_operand(c, 2)};
  if (!a.q || !a.k || !a.v) return false;
  if (a.q->ndim != 4 || a.k->ndim != 4 || a.v->ndim != 4)
    return rlx_refuse(c, "R.nn.attention takes tensors of rank 4");
  a.bias = rlx_has_operand(c, 3) ? rlx_operand(c, 3) : NULL;
  if (a.bias && a.bias->ndim != 4) return rlx_refuse(c, "R.nn.attention takes a bias of rank 4");
  a.t = rlx_wide(a.q->dtype);
  a.mask = rlx_str_of(c, "causal_mask", NULL);
  const RlxValue *window = rlx_value_of(c, "window_size");
  a.has_window = window != NULL;
  if (window) a.window = rlx_int_of(c, "window_size", 0);
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
  Divided d = {&mixed, &sum};
  rlx_compute(c, &c->outputs[0], divided, &d);
  return true;
}
