/// Gradients: average pooling, take.
#include <string.h>

#include "analyzer/ops/op_ids.h"
#include "jit/legalize/compute.h"

typedef struct PoolBack {
  const RlxOperand *grad, *x;
  int64_t size[2], strides[2], pads[4];
  bool counts_padding;
  RlxDType t;
} PoolBack;

static bool spread(RlxCompute *c, const char *name, int64_t *out, int count, int64_t otherwise) {
  int n = rlx_ints_of(c, name, out, count);
  for (int i = 0; i < count && n <= 0; i++) out[i] = otherwise;
  for (int i = n; n > 0 && i < count; i++) out[i] = out[i % n];
  return !c->failed;
}

/// What window element `r` gives to place `s`: the gradient of the window whose element it is,
/// shared among its elements.
static RlxE pool_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const PoolBack *p = data;
  RlxE at[4] = {s[0], s[1], NULL, NULL}, count = rlx_i(c, 1), zero = rlx_i(c, 0);
  RlxE inside = rlx_and(c, rlx_lt(c, s[0], p->grad->shape[0]), rlx_lt(c, s[1], p->grad->shape[1]));
  for (int i = 0; i < 2; i++) {
    RlxE stride = rlx_i(c, p->strides[i]), pad = rlx_i(c, p->pads[i]), extent = p->x->shape[2 + i],
         windows = p->grad->shape[2 + i];
    RlxE top = rlx_sub(c, rlx_add(c, s[2 + i], pad), r[i]), o = rlx_fdiv(c, top, stride);
    RlxE ok = rlx_and(c, rlx_and(c, rlx_ge(c, top, zero), rlx_lt(c, o, windows)),
                      rlx_eq(c, rlx_fmod(c, top, stride), zero));
    inside = rlx_and(c, inside, ok);
    at[2 + i] =
        rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, o, zero), rlx_sub(c, windows, rlx_i(c, 1)));
    RlxE start = rlx_sub(c, rlx_mul(c, at[2 + i], stride), pad),
         end = rlx_add(c, start, rlx_i(c, p->size[i]));
    RlxE elements = p->counts_padding ? rlx_i(c, p->size[i])
                                      : rlx_sub(c, rlx_op(c, RLX_TIR_MIN, end, extent),
                                                rlx_op(c, RLX_TIR_MAX, start, zero));
    count = rlx_mul(c, count, rlx_op(c, RLX_TIR_MAX, elements, rlx_i(c, 1)));
  }
  RlxE share =
      rlx_op(c, RLX_TIR_DIV, rlx_as(c, p->t, rlx_at(c, p->grad, at)), rlx_as(c, p->t, count));
  return rlx_guard(c, inside, share, rlx_num(c, 0, p->t));
}

static bool pool_backward(RlxCompute *c) {
  const RlxOperand *out = &c->outputs[0];
  PoolBack p = {.grad = rlx_operand(c, 0),
                .x = rlx_operand(c, 1),
                .t = out->dtype,
                .counts_padding = rlx_bool_of(c, "count_include_pad", false)};
  int64_t dilation[2];
  if (!p.grad || !p.x || !spread(c, "pool_size", p.size, 2, 1) ||
      !spread(c, "strides", p.strides, 2, 1) || !spread(c, "padding", p.pads, 4, 0) ||
      !spread(c, "dilation", dilation, 2, 1))
    return false;
  if (p.grad->ndim != 4 || p.x->ndim != 4)
    return rlx_refuse(c, "R.%s: the operands' ranks do not fit each other", c->call->row->script);
  bool plain = out->ndim == 4 && dilation[0] == 1 && dilation[1] == 1 &&
               !strcmp(rlx_str_of(c, "layout", "NCHW"), "NCHW") && rlx_dtype_is_float(out->dtype);
  if (!plain) return rlx_refuse(c, "R.%s in this form has no kernel", c->call->row->script);
  RlxE extents[2] = {rlx_i(c, p.size[0]), rlx_i(c, p.size[1])};
  rlx_reduce(c, out, extents, 2, RLX_TIR_ADD, rlx_num(c, 0, p.t), pool_term, &p);
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
  for (int i = 0; i < grad->ndim; i++) vars[i] = rlx_loop_var(c, "j");
  RlxE k = rlx_as(c, RLX_INT64, rlx_at(c, at, vars + axis)), extent = out->shape[axis];
  k = rlx_pick(c, rlx_lt(c, k, zero), rlx_add(c, k, extent), k);
  for (int i = 0; i < axis; i++) to[i] = vars[i];
  for (int i = axis + 1; i < out->ndim; i++) to[i] = vars[i + at->ndim - 1];
  to[axis] =
      rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, k, zero), rlx_sub(c, extent, rlx_i(c, 1)));
  rlx_compute(c, out, zero_value, NULL);
  RlxE sum =
      rlx_add(c, rlx_tir_load(c->f, out->buffer, to), rlx_as(c, out->dtype, rlx_at(c, grad, vars)));
  rlx_emit(c, rlx_loops(c, vars, grad->shape, grad->ndim, rlx_put(c, out, to, sum)));
  return true;
}

bool rlx_legalize_backward(RlxCompute *c) {
  switch ((int)c->call->row->id) {
  case RLX_OPID_grad_avg_pool2d_backward: return pool_backward(c);
  case RLX_OPID_grad_take_backward: return take_backward(c);
  default: return rlx_refuse(c, "R.%s cannot be run yet", c->call->row->script);
  }
}
