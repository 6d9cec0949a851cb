/// Operators that make tensors out of shapes and scalars, and triangles of matrices.
#include <math.h>

#include "analyzer/ops/op_ids.h"
#include "jit/legalize/compute.h"

static RlxE constant_value(RlxCompute *c, RlxE *index, void *data) {
  (void)c, (void)index;
  return data;
}

static RlxE fill_value(RlxCompute *c, RlxE *index, void *data) {
  (void)index;
  return rlx_as(c, c->outputs[0].dtype, rlx_at(c, data, NULL));
}

static RlxE eye_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  RlxE k = rlx_prim_of(c, "k");
  RlxE on = rlx_eq(c, index[1], rlx_add(c, index[0], k ? k : rlx_i(c, 0)));
  return rlx_pick(c, on, rlx_num(c, 1, c->outputs[0].dtype), rlx_num(c, 0, c->outputs[0].dtype));
}

static RlxE triangle_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  int n = c->operands[0].ndim;
  RlxE k = rlx_prim_of(c, "k"), diagonal = rlx_add(c, index[n - 2], k ? k : rlx_i(c, 0)),
       x = rlx_at(c, &c->operands[0], index);
  RlxE keeps = rlx_op(c, c->call->row->id == RLX_OPID_tril ? RLX_TIR_LE : RLX_TIR_GE, index[n - 1],
                      diagonal);
  return rlx_pick(c, keeps, x, rlx_num(c, 0, x->dtype));
}

static RlxE arange_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  RlxDType t = c->outputs[0].dtype;
  bool only_end = !rlx_value_of(c, "end");
  RlxE start = only_end ? rlx_num(c, 0, t) : rlx_scalar_of(c, "start", t, 0);
  return rlx_add(c, start, rlx_mul(c, rlx_as(c, t, index[0]), rlx_scalar_of(c, "step", t, 1)));
}

static RlxE hamming_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  RlxDType t = rlx_wide(c->outputs[0].dtype);
  bool periodic = rlx_bool_of(c, "periodic", true);
  RlxE size = rlx_prim_of(c, "window_size");
  if (!size) size = c->outputs[0].shape[0];
  RlxE steps = rlx_as(c, t, periodic ? size : rlx_sub(c, size, rlx_i(c, 1)));
  RlxE angle =
      rlx_op(c, RLX_TIR_DIV, rlx_mul(c, rlx_num(c, 2 * M_PI, t), rlx_as(c, t, index[0])), steps);
  return rlx_sub(c, rlx_scalar_of(c, "alpha", t, 0.54),
                 rlx_mul(c, rlx_scalar_of(c, "beta", t, 0.46), rlx_call1(c, "cos", angle)));
}

/// The values of a shape as a tensor: a chain of choices over the place.
static RlxE shape_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  RlxE dims[RLX_MAX_NDIM];
  int n = rlx_prims_of(c, "expr", dims, RLX_MAX_NDIM);
  RlxE value = rlx_i(c, 0);
  if (n < 0) rlx_refuse(c, "R.shape_to_tensor: the shape is not known before it runs");
  for (int i = n; i-- > 0;)
    value = i == n - 1 ? dims[i] : rlx_pick(c, rlx_eq(c, index[0], rlx_i(c, i)), dims[i], value);
  return value;
}

bool rlx_legalize_create(RlxCompute *c) {
  const RlxOperand *out = &c->outputs[0];
  c->result->kind = RLX_KERNEL_INJECTIVE;
  switch ((int)c->call->row->id) {
  case RLX_OPID_zeros:
  case RLX_OPID_zeros_like:
    rlx_compute(c, out, constant_value, rlx_num(c, 0, out->dtype));
    return true;
  case RLX_OPID_ones:
  case RLX_OPID_ones_like:
    rlx_compute(c, out, constant_value, rlx_num(c, 1, out->dtype));
    return true;
  case RLX_OPID_full:
  case RLX_OPID_full_like: {
    RlxOperand *x = rlx_operand(c, 1);
    if (x) rlx_compute(c, out, fill_value, x);
    return x != NULL;
  }
  case RLX_OPID_eye:
  case RLX_OPID_eye_like: rlx_compute(c, out, eye_value, NULL); return true;
  case RLX_OPID_tril:
  case RLX_OPID_triu: rlx_compute(c, out, triangle_value, NULL); return true;
  case RLX_OPID_arange: rlx_compute(c, out, arange_value, NULL); return true;
  case RLX_OPID_hamming_window: rlx_compute(c, out, hamming_value, NULL); return true;
  case RLX_OPID_size: {
    const RlxOperand *x = rlx_operand(c, 0);
    if (x) rlx_compute(c, out, constant_value, rlx_product(c, x->shape, x->ndim));
    return x != NULL;
  }
  case RLX_OPID_shape_to_tensor: rlx_compute(c, out, shape_value, NULL); return true;
  default: return rlx_refuse(c, "R.%s cannot be run yet", c->call->row->script);
  }
}
