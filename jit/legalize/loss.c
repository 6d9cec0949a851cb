/// Losses: negative log likelihood with its gradient, cross entropy.
#include <stdio.h>
#include <string.h>

#include "jit/legalize/compute.h"

typedef struct Nll {
  const RlxOperand *p, *target, *weights; ///< weights may be NULL
  RlxE ignored;                           ///< the target that counts nothing
  RlxDType t;
  // of the gradient
  const RlxOperand *grad, *total; ///< total: of the weights, or NULL
  int classes_axis;
  bool is_each; ///< reduction "none": one gradient for each target
} Nll;

/// Target at `s`; `*counts` says whether it is none of those that are ignored.
static RlxE nll_target(RlxCompute *c, const Nll *n, RlxE *s, RlxE *counts) {
  RlxE target = rlx_as(c, RLX_INT64, rlx_at(c, n->target, s));
  *counts = rlx_op(c, RLX_TIR_NE, target, n->ignored);
  return target;
}

/// Weight of a target that counts. One that is no class is outside of the weights, and of the
/// predictions: that is left to the guards of these accesses, which say so.
static RlxE nll_weight(RlxCompute *c, const Nll *n, RlxE target) {
  return n->weights ? rlx_as(c, n->t, rlx_at(c, n->weights, &target)) : rlx_num(c, 1, n->t);
}

static RlxE nll_weight_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  (void)s;
  RlxE counts, target = nll_target(c, data, r, &counts);
  return rlx_guard(c, counts, nll_weight(c, data, target), rlx_num(c, 0, ((const Nll *)data)->t));
}

static RlxE nll_value(RlxCompute *c, RlxE *s, void *data) {
  const Nll *n = data;
  RlxE counts, target = nll_target(c, n, s, &counts), at[RLX_MAX_NDIM];
  if (n->p->ndim == 1) {
    at[0] = target;
  } else {
    at[0] = s[0];
    at[1] = target;
    for (int i = 2; i < n->p->ndim; i++) at[i] = s[i - 1];
  }
  RlxE value = rlx_mul(c, rlx_as(c, n->t, rlx_at(c, n->p, at)), nll_weight(c, n, target));
  return rlx_guard(c, counts, rlx_mul(c, value, rlx_num(c, -1, n->t)), rlx_num(c, 0, n->t));
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

static RlxE zero_value(RlxCompute *c, RlxE *index, void *data) {
  (void)index, (void)data;
  return rlx_num(c, 0, c->outputs[0].dtype);
}

/// Only the classes that are targets have a gradient: it is written there, zeros elsewhere.
static void nll_gradient(RlxCompute *c, const Nll *n) {
  const RlxOperand *out = &c->outputs[0];
  RlxE vars[RLX_MAX_NDIM], to[RLX_MAX_NDIM], counts;
  char name[16];
  for (int i = 0; i < n->target->ndim; i++) {
    snprintf(name, sizeof name, "j%d", i);
    vars[i] = rlx_loop_var(c, name);
    to[i < n->classes_axis ? i : i + 1] = vars[i];
  }
  RlxE target = to[n->classes_axis] = nll_target(c, n, vars, &counts);
  RlxE grad = rlx_as(c, n->t, rlx_at(c, n->grad, n->is_each ? vars : NULL));
  RlxE value = rlx_mul(c, rlx_mul(c, grad, nll_weight(c, n, target)), rlx_num(c, -1, n->t));
  if (n->total) value = rlx_op(c, RLX_TIR_DIV, value, rlx_at(c, n->total, NULL));
  rlx_compute(c, out, zero_value, NULL);
  rlx_emit(c, rlx_loops(c, vars, n->target->shape, n->target->ndim,
                        rlx_when(c, counts, rlx_put(c, out, to, value))));
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
  nll_gradient(c, &n);
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
