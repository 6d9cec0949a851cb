/// Plans that run step by step, by the functions that bodies call: what runs once is over sooner so
/// than its body is compiled.
///
/// Always true: as in a body without numbers in registers; each register holds an object or nothing.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/run/run.h"

static bool is_borrowed(const Plan *plan, int reg) {
  return reg < (int)plan->function->param_count &&
         !rlx_dtype_known(rlx_scalar_dtype(plan->params[reg].sinfo));
}

/// The parameters, of which numbers get a tensor of their own; false: one is wrong, which is told.
static bool take_params(Frame *f, const int64_t *bits) {
  Plan *plan = f->plan;
  for (uint32_t i = 0; i < plan->function->param_count; i++) {
    RlxDType t = rlx_scalar_dtype(plan->params[i].sinfo);
    int32_t code;
    memcpy(&code, &t, sizeof code);
    f->regs[i] =
        rlx_dtype_known(t) ? rlx_body_box(bits[i], code, plan) : (RlxObject *)(intptr_t)bits[i];
    if (!f->regs[i]) return false;
  }
  rlx_body_captured(f);
  return rlx_body_enter(f);
}

/// The value of a step that gives one; NULL: it failed, which is told.
static RlxObject *value_of(Frame *f, Step *s) {
  switch ((StepKind)s->kind) {
  case STEP_MOVE: return rlx_object_ref(rlx_reg(f, s->args[0]));
  case STEP_KERNEL: return rlx_step_kernel(f, s, NULL);
  case STEP_LATE: return rlx_step_late(f, s);
  case STEP_BUILTIN: return rlx_step_builtin(f, s);
  case STEP_VIEW: return rlx_step_view(f, s, NULL);
  case STEP_SHAPE: return rlx_step_shape(f, s, NULL);
  case STEP_PRIM: return rlx_step_prim(f, s, NULL);
  case STEP_TUPLE: return rlx_step_tuple(f, s);
  case STEP_GET: return rlx_step_get(f, s);
  case STEP_CALL:
  case STEP_INVOKE: return rlx_step_call(f, s);
  case STEP_CLOSURE: return rlx_step_closure(f, s);
  case STEP_MATCH:
  case STEP_UNLESS:
  case STEP_JUMP:
  case STEP_NOP:
  case STEP_RETURN: break;
  }
  return NULL;
}

/// Steps during which a program can be found dead or slow by name.
static bool is_watched(const Step *s) {
  return s->kind == STEP_KERNEL || s->kind == STEP_LATE || s->kind == STEP_BUILTIN ||
         s->kind == STEP_INVOKE || s->kind == STEP_CALL;
}

/// Carries out the step at `*at` and goes on to the next; false: it failed.
static bool carry_out(Frame *f, uint32_t *at) {
  const Plan *plan = f->plan;
  Step *s = &plan->steps.at[(*at)++];
  if (is_watched(s)) *plan->program->watch = s;
  if (s->kind == STEP_UNLESS || s->kind == STEP_JUMP) {
    const int32_t truth = s->kind == STEP_UNLESS ? rlx_step_truth(f, s) : 0;
    if (truth < 0) return false;
    if (!truth) *at = (uint32_t)s->index;
    if (!truth) return true;
  } else if (s->kind == STEP_MATCH) {
    if (!rlx_step_match(f, s)) return false;
  } else if (s->kind != STEP_NOP && !(f->regs[s->dst] = value_of(f, s)))
    return false;
  for (int i = 0; i < s->free_count; i++)
    if (!is_borrowed(plan, s->frees[i])) rlx_body_drop(&f->regs[s->frees[i]]);
  return true;
}

/// What the plan gives, as its body would.
static BodyResult result_of(Frame *f, const Step *s) {
  const Plan *plan = f->plan;
  BodyResult result = {0, 1};
  RlxObject *x = rlx_object_ref(rlx_reg(f, s->args[0]));
  RlxDType t = plan->ret ? rlx_scalar_dtype(plan->ret->sinfo) : rlx_dtype_unknown();
  if (plan->ret && !rlx_body_result(f, x)) return (BodyResult){0};
  if (!rlx_dtype_known(t)) {
    result.value = (int64_t)(intptr_t)x;
    return result;
  }
  memcpy(&result.value, x->data, rlx_dtype_bytes(t));
  rlx_object_unref(x);
  return result;
}

BodyResult rlx_plan_interpret(Plan *plan, RlxObject *closure, const int64_t *bits) {
  RlxProgram *program = plan->program;
  BodyResult result = {0};
  if (program->calls_left <= 0 || (const char *)__builtin_frame_address(0) <= program->stack_end)
    return rlx_body_too_deep(plan), result;
  const int64_t calls_left = program->calls_left--;
  const size_t regs = (size_t)plan->reg_count + 1, slots = (size_t)plan->slot_count + 1;
  char *room = rlx_mem_zeroed(8 * (regs + slots) + slots, 1);
  Frame f = {.plan = plan, .closure = closure};
  f.regs = (RlxObject **)(void *)room;
  f.slots = (int64_t *)(void *)(room + 8 * regs);
  f.is_set = (bool *)(room + 8 * (regs + slots));
  uint32_t at = 0;
  while (at + 1 < plan->steps.count && plan->steps.at[at].dst < 0) at++;
  *program->watch = &plan->steps.at[at];
  bool ok = take_params(&f, bits);
  for (at = 0; ok && plan->steps.at[at].kind != STEP_RETURN;) ok = carry_out(&f, &at);
  if (ok) result = result_of(&f, &plan->steps.at[at]);
  rlx_body_leave(&f);
  free(room);
  program->calls_left = calls_left;
  return result;
}
