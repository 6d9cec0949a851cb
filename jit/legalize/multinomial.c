/// multinomial_from_uniform: for each uniform number the first category whose running sum of
/// probabilities exceeds it, the last one when none does, as `vm.builtin.multinomial_from_uniform`
/// has it (TVM has no kernel for a CPU).
#include "jit/legalize/compute.h"

bool rlx_legalize_multinomial(RlxCompute *c) {
  const RlxOperand *prob = rlx_operand(c, 0), *uniform = rlx_operand(c, 1),
                   *rows = rlx_operand(c, 2), *out = &c->outputs[0];
  if (!prob || !uniform || !rows) return false;
  if (!rlx_need_extent(c, 1, 1, rlx_i(c, 1)) || !rlx_need_extent(c, 2, 1, rlx_i(c, 1)) ||
      !rlx_need_extent(c, 2, 0, uniform->shape[0]))
    return false;
  RlxDType t = rlx_wide(prob->dtype);
  RlxE one = rlx_i(c, 1), zero = rlx_i(c, 0), i = rlx_loop_var(c, "i"), k = rlx_loop_var(c, "k");
  RlxOperand sum = rlx_temporary(c, t, &one, 1), below = rlx_temporary(c, RLX_INT64, &one, 1);
  RlxE sample[2] = {i, zero}, at[2] = {rlx_as(c, RLX_INT64, rlx_at(c, rows, sample)), k};
  RlxE so_far = rlx_at(c, &sum, &zero), count = rlx_at(c, &below, &zero);
  RlxE is_below = rlx_op(c, RLX_TIR_LE, so_far, rlx_as(c, t, rlx_at(c, uniform, sample)));
  RlxTirStmt *add[2] = {
      rlx_put(c, &sum, &zero, rlx_add(c, so_far, rlx_as(c, t, rlx_at(c, prob, at)))),
      rlx_when(c, is_below, rlx_put(c, &below, &zero, rlx_add(c, count, one)))};
  RlxE last = rlx_op(c, RLX_TIR_MAX, rlx_sub(c, prob->shape[1], one), zero);
  RlxTirStmt *steps[4] = {rlx_put(c, &sum, &zero, rlx_num(c, 0, t)),
                          rlx_put(c, &below, &zero, zero),
                          rlx_loops(c, &k, &prob->shape[1], 1, rlx_tir_seq(c->f, add, 2)),
                          rlx_put(c, out, sample, rlx_op(c, RLX_TIR_MIN, count, last))};
  rlx_emit(c, rlx_loops(c, &i, &uniform->shape[0], 1, rlx_tir_seq(c->f, steps, 4)));
  return true;
}
