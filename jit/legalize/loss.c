/// Losses: negative log likelihood with its gradient, cross entropy.
#include <string.h>

#include "jit/legalize/compute.h"

typedef struct Nll {
  const RlxOperand *p, *target, *weights; ///< weights may be NULL
  RlxE classes, ignored;                  ///< how many there are; the one that counts nothing
  RlxDType t;
  // of the gradient
  const RlxOperand *grad, *total; ///< total: of the weights, or NULL
  int classes_axis;
  bool is_each; ///< reduction "none": one gradient for each target
} Nll;

/// Weight of the target at `s`, 0 when it is ignored or no class. `*target` is its class as it
/// stands there, `*index` is one that there is.
static RlxE nll_weight(RlxCompute *c, const Nll *n, RlxE *s, RlxE *target, RlxE *index) {
  RlxE zero = rlx_i(c, 0);
  *target = rlx_as(c, RLX_INT64, rlx_at(c, n->target, s));
  RlxE inside = rlx_and(c, rlx_ge(c, *target, zero), rlx_lt(c, *target, n->classes));
  *index = rlx_pick(c, inside, *target, zero);
  RlxE weight = n->weights ? rlx_as(c, n->t, rlx_at(c, n->weights, index)) : rlx_num(c, 1, n->t);
  return rlx_pick(c, rlx_and(c, inside, rlx_op(c, RLX_TIR_NE, *target, n->ignored)), weight,
                  rlx_num(c, 0, n->t));
}

static RlxE nll_weight_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  (void)s;
  RlxE target, k;
  return nll_weight(c, data, r, &target, &k);
}

static RlxE nll_value(RlxCompute *c, RlxE *s, void *data) {
  const Nll *n = data;
  RlxE target, k, weight = nll_weight(c, n, s, &target, &k), at[RLX_MAX_NDIM];
  if (n->p->ndim == 1) {
    at[0] = k;
  } else {
    at[0] = s[0];
    at[1] = k;
    for (int i = 2; i < n->p->ndim; i++) at[i] = s[i - 1];
  }
  return rlx_mul(c, rlx_mul(c, rlx_as(c, n->t, rlx_at(c, n->p, at)), weight), rlx_num(c, -1, n->t));
}

static RlxE nll_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  (void)s;
  return nll_value(c, r, data);
}

typedef struct Quotient {
  const RlxOperand *top, *bottom;
} Quotient;

static RlxE quotient(RlxCompute *c, RlxE *index, void *data) {
  const Quotient *q = data;
  return rlx_op(c, RLX_TIR_DIV, rlx_at(c, q->top, index), rlx_at(c, q->bottom, index));
}

static bool nll_loss(RlxCompute *c) {
  Nll n = {.p = rlx_operand(c, 0),
           .target = rlx_operand(c, 1),
           .ignored = rlx_i(c, rlx_int_of(c, "ignore_index", -100))};
  if (!n.p || !n.target) return false;
  n.classes = n.p->shape[n.p->ndim == 1 ? 0 : 1];
  n.weights = rlx_has_operand(c, 2) ? rlx_operand(c, 2) : NULL;
  for (int i = 0; i < n.target->ndim && n.p->ndim == n.target->ndim + 1; i++)
    if (!rlx_fits_extent(c, 1, i, n.p->shape[i ? i + 1 : 0])) return false;
  n.t = rlx_wide(c->outputs[0].dtype);
  const char *reduction = rlx_str_of(c, "reduction", "mean");
  if (!strcmp(reduction, "none")) {
    rlx_compute(c, &c->outputs[0], nll_value, &n);
    return true;
  }
  RlxOperand top = rlx_temporary(c, n.t, NULL, 0), bottom = rlx_temporary(c, n.t, NULL, 0);
  rlx_reduce(c, &top, n.target->shape, n.target->ndim, RLX_TIR_ADD, rlx_num(c, 0, n.t), nll_term,
             &n);
  if (!strcmp(reduction, "sum")) {
    rlx_emit(c, rlx_put(c, &c->outputs[0], NULL, rlx_at(c, &top, NULL)));
    return true;
  }
  rlx_reduce(c, &bottom, n.target->shape, n.target->ndim, RLX_TIR_ADD, rlx_num(c, 0, n.t),
             nll_weight_term, &n);
  Quotient q = {&top, &bottom};
  rlx_compute(c, &c->outputs[0], quotient, &q);
  return true;
}

static RlxE nll_grad_value(RlxCompute *c, RlxE *index, void *data) {
  const Nll *n = data;
  RlxE s[RLX_MAX_NDIM], target, k;
  int count = 0;
  for (int i = 0; i < c->outputs[0].ndim; i++)
    if (i != n->classes_axis) s[count++] = index[i];
  RlxE weight = nll_weight(c, n, s, &target, &k),
       grad = rlx_as(c, n->t, rlx_at(c, n->grad, n->is_each ? s : NULL));
  RlxE value = rlx_mul(c, rlx_mul(c, grad, weight), rlx_num(c, -1, n->t));
  if (n->total) value = rlx_op(c, RLX_TIR_DIV, value, rlx_at(c, n->total, NULL));
  return rlx_pick(c, rlx_eq(c, index[n->classes_axis], target), value, rlx_num(c, 0, n->t));
}

static bool nll_backward(RlxCompute *c) {
  const RlxOperand *out = &c->outputs[0];
  Nll n = {.grad = rlx_operand(c, 0),
           .target = rlx_operand(c, 2),
           .t = rlx_wide(out->dtype),
           .ignored = rlx_i(c, rlx_int_of(c, "ignore_index", -100))};
  if (!n.grad || !n.target || out->ndim != n.target->ndim + 1)
    return rlx_refuse(c, "R.%s: the operands are not known", c->call->row->script);
  n.weights = rlx_has_operand(c, 3) ? rlx_operand(c, 3) : NULL;
  n.classes_axis = out->ndim == 1 ? 0 : 1;
  n.classes = out->shape[n.classes_axis];
  for (int i = 0; i < n.target->ndim; i++)
    if (!rlx_need_extent(c, 2, i, out->shape[i < n.classes_axis ? i : i + 1])) return false;
  const char *reduction = rlx_str_of(c, "reduction", "mean");
  n.is_each = !strcmp(reduction, "none");
  if (n.grad->ndim != (n.is_each ? n.target->ndim : 0) || (n.weights && n.weights->ndim != 1))
    return rlx_refuse(c, "R.%s: the operands' ranks do not fit each other", c->call->row->script);
  RlxOperand total;
  if (!strcmp(reduction, "mean")) {
    total = rlx_temporary(c, n.t, NULL, 0);
    rlx_reduce(c, &total, n.target->shape, n.target->ndim, RLX_TIR_ADD, rlx_num(c, 0, n.t),
               nll_weight_term, &n);
    n.total = &total;
  }
  rlx_compute(c, out, nll_grad_value, &n);
  return true;
}

/// -sum(predictions * labels) / N; a vector counts as one sample.
static RlxE cross_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  (void)s, (void)data;
  RlxDType t = rlx_wide(c->outputs[0].dtype);
  return rlx_mul(c, rlx_as(c, t, rlx_at(c, &c->operands[0], r)),
                 rlx_as(c, t, rlx_at(c, &c->operands[1], r)));
}

static bool cross_entropy(RlxCompute *c) {
  const RlxOperand *p = rlx_operand(c, 0);
  if (!p || !rlx_operand(c, 1)) return false;
  RlxDType t = rlx_wide(c->outputs[0].dtype);
  RlxOperand sum = rlx_temporary(c, t, NULL, 0);
  rlx_reduce(c, &sum, p->shape, p->ndim, RLX_TIR_ADD, rlx_num(c, 0, t), cross_term, NULL);
  RlxE e = rlx_mul(c, rlx_at(c, &sum, NULL), rlx_num(c, -1, t));
  if (p->ndim > 1) e = rlx_op(c, RLX_TIR_DIV, e, rlx_as(c, t, p->shape[0]));
  rlx_emit(c, rlx_put(c, &c->outputs[0], NULL, e));
  return true;
}

bool rlx_legalize_loss(RlxCompute *c) {
  if (c->call->row->id == RLX_OP_ID(nn_nll_loss)) return nll_loss(c);
  if (c->call->row->id == RLX_OP_ID(grad_nll_loss_backward)) return nll_backward(c);
  if (c->call->row->id == RLX_OP_ID(nn_cross_entropy)) return cross_entropy(c);
  return rlx_refuse(c, "R.%s cannot be run yet", c->call->row->script);
}
