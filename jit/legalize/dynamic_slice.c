/// dynamic_strided_slice: begin, end and strides are values of tensors. Whoever asks for the kernel
/// has read them and knows the result's shape (jit/run/late.c); the kernel reads begin and strides
/// again, so that one kernel serves all slices of a shape.
#include "jit/legalize/compute.h"

static RlxE slice_value(RlxCompute *c, RlxE *index, void *data) {
  const RlxOperand *x = data, *begin = rlx_operand(c, 1), *strides = rlx_operand(c, 3);
  if (!begin || !strides) return NULL;
  RlxE from[RLX_MAX_NDIM], zero = rlx_i(c, 0);
  for (int i = 0; i < x->ndim; i++) {
    RlxE axis = rlx_i(c, i), extent = x->shape[i];
    RlxE first = rlx_at(c, begin, &axis), stride = rlx_at(c, strides, &axis);
    first = rlx_pick(c, rlx_lt(c, first, zero), rlx_add(c, first, extent), first);
    RlxE last = rlx_pick(c, rlx_lt(c, stride, zero), rlx_sub(c, extent, rlx_i(c, 1)), extent);
    first = rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, first, zero), last);
    from[i] = rlx_add(c, first, rlx_mul(c, index[i], stride));
  }
  return rlx_at(c, x, from);
}

bool rlx_legalize_dynamic_slice(RlxCompute *c) {
  RlxOperand *x = rlx_operand(c, 0);
  if (!x || !rlx_operand(c, 1) || !rlx_operand(c, 3)) return false;
  rlx_compute(c, &c->outputs[0], slice_value, x);
  return true;
}
