/// Whether a result may be written into the memory of an argument: only when nobody else holds that
/// memory.
///
/// A view shares storage with its tensor; that is seen when the step runs, because storage counts
/// its tensors. One object under several names is not seen then. This file finds such names: tuples
/// and their fields, other variables, and whatever a call returned for the object.
#include "jit/plan/plan.h"

static int find(int *group, int reg) {
  while (group[reg] != reg) reg = group[reg] = group[group[reg]];
  return reg;
}

static void join(int *group, int a, int b) {
  if (a >= 0 && b >= 0) group[find(group, a)] = find(group, b);
}

/// Whether the step's result may be, or hold, one of its operands.
static bool passes_on(const Step *s) {
  return s->kind == STEP_MOVE || s->kind == STEP_TUPLE || s->kind == STEP_GET ||
         s->kind == STEP_CALL || s->kind == STEP_INVOKE || s->kind == STEP_BUILTIN ||
         s->kind == STEP_CLOSURE;
}

/// By register its group: registers that may share values have one root (find). Fields of a tuple are not told apart, because a
/// call may return a tuple that holds one object twice.
static int *groups_of(const Plan *plan) {
  int *group = rlx_arena_array(plan->arena, int, plan->reg_count + 1);
  for (int r = 0; r < plan->reg_count; r++) group[r] = r;
  for (uint32_t j = 0; j < plan->steps.count; j++) {
    const Step *s = &plan->steps.at[j];
    for (int k = 0; passes_on(s) && k < s->arg_count; k++) join(group, s->dst, s->args[k]);
  }
  return group;
}

/// Whether another register `q` may be, or hold, what `reg` is.
static bool may_hold(int *group, int reg, int q) {
  return q >= 0 && q != reg && find(group, q) == find(group, reg);
}

static bool reads_other(int *group, const Step *s, int reg) {
  for (int k = 0; k < s->arg_count; k++)
    if (may_hold(group, reg, s->args[k])) return true;
  for (int k = 0; s->kernel && k < s->kernel->input_count; k++)
    if (may_hold(group, reg, s->kernel->inputs[k])) return true;
  return false;
}

void rlx_plan_alias(Plan *plan) {
  int *group = NULL;
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const KernelCall *k = plan->steps.at[i].kernel;
    for (int n = 0; k && n < k->output_count; n++) {
      Output *o = &k->outputs[n];
      if (o->inplace < 0) continue;
      if (!group) group = groups_of(plan);
      int reg = k->inputs[o->inplace];
      o->copies = reg < 0; // a constant
      for (uint32_t j = i + 1; j < plan->steps.count && !o->copies; j++)
        o->copies = reads_other(group, &plan->steps.at[j], reg);
    }
  }
}
