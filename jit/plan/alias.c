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

typedef struct Aliases {
  int *group;          ///< registers that may share values have one root (find)
  const Step **makers; ///< by register its first step
} Aliases;

/// A step that takes field `index` of tuple `reg`; NULL: `reg` is not made that way.
static const Step *field_step(const Aliases *a, int reg) {
  return a->makers[reg] && a->makers[reg]->kind == STEP_GET ? a->makers[reg] : NULL;
}

static void find_aliases(const Plan *plan, Aliases *a) {
  a->group = rlx_arena_array(plan->arena, int, plan->reg_count + 1);
  a->makers = rlx_arena_array(plan->arena, const Step *, plan->reg_count + 1);
  for (int r = 0; r < plan->reg_count; r++) a->group[r] = r;
  for (uint32_t j = 0; j < plan->steps.count; j++) {
    const Step *s = &plan->steps.at[j];
    if (s->dst >= 0 && !a->makers[s->dst]) a->makers[s->dst] = s;
    for (int k = 0; passes_on(s) && k < s->arg_count; k++) join(a->group, s->dst, s->args[k]);
  }
}

/// Whether `q` (its field `field`, or -1: all of it) may be what `reg` holds, made by `from` (or
/// NULL).
static bool may_hold(const Aliases *a, int reg, const Step *from, int q, int field) {
  if (q < 0 || q == reg || find(a->group, q) != find(a->group, reg)) return false;
  if (!from) return true;
  if (q == from->args[0] && field >= 0 && field != from->index) return false; // its neighbour
  const Step *other = field_step(a, q);
  return !other || other->args[0] != from->args[0] || other->index == from->index;
}

static bool reads_other(const Aliases *a, const Step *s, int reg, const Step *from) {
  for (int k = 0; k < s->arg_count; k++)
    if (may_hold(a, reg, from, s->args[k], s->kind == STEP_GET ? s->index : -1)) return true;
  for (int k = 0; s->kernel && k < s->kernel->input_count; k++)
    if (may_hold(a, reg, from, s->kernel->inputs[k], s->kernel->fields[k])) return true;
  return false;
}

void rlx_plan_alias(Plan *plan) {
  Aliases a = {0};
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const KernelCall *k = plan->steps.at[i].kernel;
    for (int n = 0; k && n < k->output_count; n++) {
      Output *o = &k->outputs[n];
      if (o->inplace < 0) continue;
      if (!a.group) find_aliases(plan, &a);
      int reg = k->inputs[o->inplace];
      if (reg < 0) {
        o->copies = true; // a constant
        continue;
      }
      const Step *from = field_step(&a, reg);
      for (uint32_t j = i + 1; j < plan->steps.count && !o->copies; j++)
        o->copies = reads_other(&a, &plan->steps.at[j], reg, from);
    }
  }
}
