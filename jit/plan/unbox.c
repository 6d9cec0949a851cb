/// Which registers a body keeps as numbers.
///
/// Always true: an unboxed register has a tensor without dimensions of one dtype on every path that
/// sets it, and nothing writes to that tensor.
#include "jit/plan/plan.h"

/// The dtype of a step's result as a number, or unknown.
static RlxDType result_of(const Plan *plan, const Step *s) {
  if (s->kind == STEP_KERNEL && s->kernel->output_count == 1 && !s->kernel->is_tuple) {
    const Output *o = &s->kernel->outputs[0];
    RlxSInfo a = {.kind = RLX_SINFO_TENSOR, .ndim = o->ndim, .dtype = o->dtype};
    return o->inplace < 0 ? rlx_scalar_dtype(&a) : rlx_dtype_unknown();
  }
  if (s->kind == STEP_CALL && s->callee->plan && s->callee->plan->ret)
    return rlx_scalar_dtype(s->callee->plan->ret->sinfo);
  if (s->kind != STEP_MOVE) return rlx_dtype_unknown();
  if (s->args[0] >= 0) return plan->unboxed[s->args[0]];
  const RlxObject *x = plan->consts.at[~s->args[0]];
  RlxSInfo a = {.kind = RLX_SINFO_TENSOR, .ndim = x->count, .dtype = x->dtype};
  return x->kind == RLX_OBJECT_TENSOR ? rlx_scalar_dtype(&a) : rlx_dtype_unknown();
}

static void keep_boxed(Plan *plan, bool *boxed, int reg) {
  if (reg < 0) return;
  plan->unboxed[reg] = rlx_dtype_unknown();
  boxed[reg] = true;
}

void rlx_plan_unbox(Plan *plan) {
  plan->unboxed = rlx_arena_array(plan->arena, RlxDType, plan->reg_count + 1);
  if (plan->program->jit->options.trace) return; // every step's result is shown
  bool *boxed = rlx_arena_array(plan->arena, bool, plan->reg_count + 1);
  bool *is_set = rlx_arena_array(plan->arena, bool, plan->reg_count + 1);
  for (uint32_t i = 0; i < plan->function->param_count; i++) {
    plan->unboxed[i] = rlx_scalar_dtype(plan->params[i].sinfo);
    is_set[i] = true;
  }
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const KernelCall *k = plan->steps.at[i].kernel;
    for (int n = 0; k && n < k->output_count; n++)
      if (k->outputs[n].inplace >= 0) keep_boxed(plan, boxed, k->inputs[k->outputs[n].inplace]);
  }
  // Jumps go forward only, so a source is decided before its reader; a register of two branches
  // needs both to agree.
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const Step *s = &plan->steps.at[i];
    if (s->dst < 0 || boxed[s->dst]) continue;
    RlxDType t = result_of(plan, s);
    if (!is_set[s->dst])
      plan->unboxed[s->dst] = t;
    else if (!rlx_dtype_equal(plan->unboxed[s->dst], t))
      keep_boxed(plan, boxed, s->dst);
    is_set[s->dst] = true;
  }
  // A branch that came out boxed leaves what was moved from it before: the move makes an object.
}
