/// Fusion of a plan's kernel steps. Runs before registers are given to their last readers.
///
/// A step moves down to the step that reads its result, so nothing between them may write to
/// tensors that exist already.
#include <string.h>

#include "jit/plan/fuse.h"
#include "jit/plan/plan.h"

typedef struct Uses {
  int *steps;   ///< by register: how many steps read it
  int *defined; ///< the only step that sets it; -1: none, several
  int *written; ///< by step: how many before it may change tensors that they did not make
} Uses;

/// Whether the step may change a tensor that it did not make.
static bool writes(const Step *s) {
  if (s->kind == STEP_BUILTIN || s->kind == STEP_CALL || s->kind == STEP_INVOKE) return true;
  for (int i = 0; s->kernel && i < s->kernel->output_count; i++)
    if (s->kernel->outputs[i].inplace >= 0) return true;
  return false;
}

static void count_uses(const Plan *plan, Uses *u) {
  int *seen =
      rlx_arena_array(plan->arena, int, plan->reg_count + 1); // 1 + step that was counted last
  memset(seen, 0, ((size_t)plan->reg_count + 1) * sizeof *seen);
  memset(u->steps, 0, ((size_t)plan->reg_count + 1) * sizeof *u->steps);
  u->written[0] = 0;
  for (int r = 0; r < plan->reg_count; r++) u->defined[r] = -2;
  for (int i = 0; i < (int)plan->steps.count; i++) {
    const Step *s = &plan->steps.at[i];
    int inputs = s->kernel ? s->kernel->input_count : 0;
    for (int k = 0; k < s->arg_count + inputs; k++) {
      int reg = k < s->arg_count ? s->args[k] : s->kernel->inputs[k - s->arg_count];
      if (reg < 0 || seen[reg] == i + 1) continue;
      seen[reg] = i + 1;
      u->steps[reg]++;
    }
    u->written[i + 1] = u->written[i] + writes(s);
    if (s->dst >= 0) u->defined[s->dst] = u->defined[s->dst] == -2 ? i : -1;
  }
}

static bool is_plain(const Step *s) {
  const KernelCall *k = s->kernel;
  if (s->kind != STEP_KERNEL || !k || k->order || !k->kernel->trusted || k->kernel->may_alias ||
      writes(s))
    return false;
  return !k->op ||
         rlx_fuse_is_proved(
             k->kernel->func); // else the operator's rule looks at the shapes when it runs
}

typedef struct Tensors {
  int count;
  int regs[RLX_FUSE_MAX_TENSORS], fields[RLX_FUSE_MAX_TENSORS];
} Tensors;

static int number_of(Tensors *t, int reg, int field) {
  for (int i = 0; i < t->count; i++)
    if (t->regs[i] == reg && t->fields[i] == field) return i;
  if (t->count == RLX_FUSE_MAX_TENSORS) return -1;
  t->regs[t->count] = reg;
  t->fields[t->count] = field;
  return t->count++;
}

/// Numbers the tensors of a call; results get numbers of their own from the register that no step
/// has.
static bool number_side(Tensors *t, const KernelCall *k, int first_result, int *out) {
  int n = 0;
  if (k->input_count + k->output_count > RLX_FUSE_MAX_TENSORS) return false;
  for (int i = 0; i < k->input_count; i++) out[n++] = number_of(t, k->inputs[i], k->fields[i]);
  for (int i = 0; i < k->output_count; i++)
    out[n++] = i ? number_of(t, INT32_MAX, i) : first_result;
  for (int i = 0; i < n; i++)
    if (out[i] < 0) return false;
  return true;
}

static const Dim *scalar_of(const KernelCall *k, const RlxSymVar *symbol) {
  for (int i = 0; i < k->scalar_count; i++)
    if (k->scalars[i].prim && rlx_prim_as_var(k->scalars[i].prim) == symbol) return &k->scalars[i];
  return NULL;
}

static KernelCall *fused_call(Plan *plan, const KernelCall *p, const KernelCall *c,
                              const RlxPrimFunc *f, const Tensors *t, const int *order, int count) {
  KernelCall *k = rlx_arena_one(plan->arena, KernelCall);
  k->output_count = c->output_count;
  k->outputs = c->outputs;
  k->is_tuple = c->is_tuple;
  k->input_count = count - c->output_count;
  k->inputs = rlx_arena_array(plan->arena, int, k->input_count + 1);
  k->fields = rlx_arena_array(plan->arena, int, k->input_count + 1);
  for (int i = 0; i < k->input_count; i++) {
    k->inputs[i] = t->regs[order[i]];
    k->fields[i] = t->fields[order[i]];
  }
  k->scalars = rlx_arena_array(plan->arena, Dim, f->param_count + 1);
  for (int i = 0; i < f->param_count; i++) {
    if (f->params[i].buffer) continue;
    const Dim *d = scalar_of(p, f->params[i].var->symbol);
    if (!d) d = scalar_of(c, f->params[i].var->symbol);
    if (!d) return NULL;
    k->scalars[k->scalar_count++] = *d;
  }
  return k;
}

static bool reads(const KernelCall *k, int reg) {
  for (int i = 0; i < k->input_count; i++)
    if (k->inputs[i] == reg) return true;
  return false;
}

/// Notes in `to` which bindings its kernel computes now, those of `from` first.
static void merge_bindings(Plan *plan, Step *from, Step *to) {
  int count = from->merged_count + 1 + to->merged_count;
  const RlxBinding **all = from->merged;
  if (count > from->merged_room) { // doubled, so that a long chain costs little
    from->merged_room = 2 * count + 2;
    all = rlx_arena_array(plan->arena, const RlxBinding *, from->merged_room);
    if (from->merged_count) memcpy(all, from->merged, (size_t)from->merged_count * sizeof *all);
  }
  int n = from->merged_count;
  if (from->binding) all[n++] = from->binding;
  if (to->merged_count) memcpy(all + n, to->merged, (size_t)to->merged_count * sizeof *all);
  to->merged = all;
  to->merged_count += n;
  to->merged_room = from->merged_room;
}

/// Step `i` into step `j`, which reads its result `reg`.
static bool fuse_steps(Plan *plan, Uses *u, int i, int j, int reg) {
  Step *from = &plan->steps.at[i], *to = &plan->steps.at[j];
  KernelCall *p = from->kernel, *c = to->kernel;
  if (!is_plain(from) || !is_plain(to) || p->output_count != 1 || p->is_tuple) return false;
  if (u->written[j] != u->written[i + 1]) return false;
  Tensors t = {0};
  int link = number_of(&t, reg, -1), result = number_of(&t, INT32_MAX, 0);
  int producer[RLX_FUSE_MAX_TENSORS], consumer[RLX_FUSE_MAX_TENSORS], order[RLX_FUSE_MAX_TENSORS],
      count;
  if (!number_side(&t, p, link, producer) || !number_side(&t, c, result, consumer)) return false;
  RlxFuseSide a = {p->kernel->func, producer}, b = {c->kernel->func, consumer};
  RlxPrimFunc *f = rlx_fuse(plan->program->store, &a, &b, link, order, &count);
  if (!f) return false;
  KernelCall *k = fused_call(plan, p, c, f, &t, order, count);
  if (!k) {
    rlx_primfunc_free(f);
    return false;
  }
  k->kernel = rlx_kernel_intern(plan->program->jit, f, true, false);
  for (int n = 0; n < k->input_count; n++) // what both read has one reader less
    if (k->inputs[n] >= 0 && k->fields[n] < 0 && reads(p, k->inputs[n]) && reads(c, k->inputs[n]))
      u->steps[k->inputs[n]]--;
  rlx_kernel_release(p->kernel);
  rlx_kernel_release(c->kernel);
  to->kernel = k;
  merge_bindings(plan, from, to);
  to->args = NULL;
  to->arg_count = 0;
  *from = (Step){.kind = STEP_NOP, .dst = -1};
  return true;
}

void rlx_plan_fuse(Plan *plan) {
  Uses u = {rlx_arena_array(plan->arena, int, plan->reg_count + 1),
            rlx_arena_array(plan->arena, int, plan->reg_count + 1),
            rlx_arena_array(plan->arena, int, plan->steps.count + 1)};
  count_uses(plan, &u);
  for (int j = 0; j < (int)plan->steps.count; j++) {
    bool again = plan->steps.at[j].kind == STEP_KERNEL;
    while (again) { // inputs change with each fusion
      again = false;
      const KernelCall *k = plan->steps.at[j].kernel;
      for (int n = 0; n < k->input_count && !again; n++) {
        int reg = k->inputs[n], i = reg >= 0 ? u.defined[reg] : -1;
        again = i >= 0 && i < j && k->fields[n] < 0 && u.steps[reg] == 1 &&
                fuse_steps(plan, &u, i, j, reg);
      }
    }
  }
}
