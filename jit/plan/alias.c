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

/// A step that takes field `index` of tuple `reg`; NULL: `reg` is not made that way.
static const Step *field_step(const Plan *plan, int reg) {
  for (uint32_t i = 0; i < plan->steps.count; i++)
    if (plan->steps.at[i].dst == reg)
      return plan->steps.at[i].kind == STEP_GET ? &plan->steps.at[i] : NULL;
  return NULL;
}

/// Whether `q` (its field `field`, or -1: all of it) may be what `reg` holds, made by `from` (or
/// NULL).
static bool may_hold(const Plan *plan, int *group, int reg, const Step *from, int q, int field) {
  if (q < 0 || q == reg || find(group, q) != find(group, reg)) return false;
  if (!from) return true;
  if (q == from->args[0] && field >= 0 && field != from->index) return false; // its neighbour
  const Step *other = field_step(plan, q);
  return !other || other->args[0] != from->args[0] || other->index == from->index;
}

static bool reads_other(const Plan *plan, const Step *s, int *group, int reg, const Step *from) {
  for (int k = 0; k < s->arg_count; k++)
    if (may_hold(plan, group, reg, from, s->args[k], s->kind == STEP_GET ? s->index : -1))
      return true;
  for (int k = 0; s->kernel && k < s->kernel->input_count; k++)
    if (may_hold(plan, group, reg, from, s->kernel->inputs[k], s->kernel->fields[k])) return true;
  return false;
}

void rlx_plan_alias(Plan *plan) {
  int *group = NULL;
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const KernelCall *k = plan->steps.at[i].kernel;
    for (int n = 0; k && n < k->output_count; n++) {
      Output *o = &k->outputs[n];
      if (o->inplace < 0) continue;
      if (!group) {
        group = rlx_arena_array(plan->arena, int, plan->reg_count + 1);
        for (int r = 0; r < plan->reg_count; r++) group[r] = r;
        for (uint32_t j = 0; j < plan->steps.count; j++)
          for (int a = 0; passes_on(&plan->steps.at[j]) && a < plan->steps.at[j].arg_count; a++)
            join(group, plan->steps.at[j].dst, plan->steps.at[j].args[a]);
      }
      int reg = k->inputs[o->inplace];
      if (reg < 0) {
        o->copies = true; // a constant
        continue;
      }
      const Step *from = field_step(plan, reg);
      for (uint32_t j = i + 1; j < plan->steps.count && !o->copies; j++)
        o->copies = reads_other(plan, &plan->steps.at[j], group, reg, from);
    }
  }
}
