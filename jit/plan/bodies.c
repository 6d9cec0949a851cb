/// What functions run as: plans become native bodies, kept by content; PrimFuncs become kernels.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/plan/plan.h"

enum { BODIES_KEPT = 512 };

static void body_free(RlxJit *jit, Body *body) {
  jit->api->code_free(body->code);
  free(body);
}

void rlx_bodies_trim(RlxJit *jit, bool all) {
  if (!all && jit->bodies.count <= BODIES_KEPT) return;
  RlxMap kept = {0};
  RlxMapEntry e;
  for (uint32_t cursor = 0; rlx_map_next(&jit->bodies, &cursor, &e);) {
    Body *body = (Body *)(uintptr_t)e.value;
    if (body->uses > 0)
      rlx_map_put(&kept, e.key, e.value);
    else
      body_free(jit, body);
  }
  rlx_map_free(&jit->bodies);
  jit->bodies = kept;
}

static bool compile_body(RlxJit *jit, Plan *plan, RlxError *err) {
  rlx_plan_unbox(plan);
  for (uint32_t i = 0; i < plan->steps.count; i++)
    if (plan->steps.at[i].kind == STEP_KERNEL)
      plan->steps.at[i].fn = plan->steps.at[i].kernel->kernel->fn;
  uint64_t hash, found;
  RlxBodyDraft *draft =
      jit->api->body_draft(jit->engine, plan, rlx_store_names(jit->store), &hash, err);
  if (!draft) return false;
  Body *body = NULL;
  if (rlx_map_get(&jit->bodies, hash, &found))
    body = (Body *)(uintptr_t)found;
  else {
    RlxBodyCode code;
    if (!jit->api->body_compile(draft, &code, err)) {
      jit->api->body_drop(draft);
      return false;
    }
    body = rlx_mem_zeroed(1, sizeof *body);
    *body = (Body){.hash = hash, .code = code.code, .fast = code.fast};
    memcpy(&body->entry, &code.entry, sizeof body->entry);
    rlx_map_put(&jit->bodies, hash, (uint64_t)(uintptr_t)body);
  }
  jit->api->body_drop(draft);
  plan->body = body;
  plan->fast = body->fast;
  body->uses++;
  return true;
}

/// The plan of the same program that the step calls; NULL: it calls none.
static Plan *called_plan(const Plan *plan, const Step *s) {
  Plan *called = s->local ? s->local : s->callee ? s->callee->plan : NULL;
  return called && called->program == plan->program ? called : NULL;
}

/// Marks where a cycle of calls begins, as one that goes from `plan` on comes back to it.
static void find_cycles(Plan *plan) {
  plan->is_open = plan->is_seen = true;
  for (uint32_t i = 0; i < plan->captures.count; i++) // the closure itself
    plan->repeats |= plan->captures.at[i].outer == INT32_MIN;
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    Plan *called = called_plan(plan, &plan->steps.at[i]);
    if (!called) continue;
    called->repeats |= called->is_open;
    if (!called->is_seen) find_cycles(called);
  }
  plan->is_open = false;
}

/// A body calls bodies: what a plan that repeats calls counts as repeating.
static void repeat_callees(Plan *plan) {
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    Plan *called = called_plan(plan, &plan->steps.at[i]);
    if (!called || called->repeats) continue;
    called->repeats = true;
    repeat_callees(called);
  }
}

/// Which plans of a program that runs once get no body. False: some of its plans repeat.
static bool choose_interpreted(RlxProgram *program) {
  bool repeats = false;
  for (uint32_t i = 0; i < program->plans.count; i++) program->plans.at[i]->is_seen = false;
  for (uint32_t i = 0; i < program->plans.count; i++)
    if (!program->plans.at[i]->is_seen) find_cycles(program->plans.at[i]);
  for (uint32_t i = 0; i < program->plans.count; i++)
    if (program->plans.at[i]->repeats) repeat_callees(program->plans.at[i]);
  for (uint32_t i = 0; i < program->plans.count; i++) {
    program->plans.at[i]->is_interpreted = !program->plans.at[i]->repeats;
    repeats |= program->plans.at[i]->repeats;
  }
  return !repeats;
}

/// Compiles the kernels that the program's steps call; `runs_once`: each step runs once.
static bool compile_kernels(RlxProgram *program, bool runs_once, RlxError *err) {
  RlxJit *jit = program->jit;
  for (uint32_t i = 0; i < program->plans.count; i++) {
    const Plan *plan = program->plans.at[i];
    for (uint32_t k = 0; k < plan->steps.count; k++)
      if (plan->steps.at[k].kind == STEP_KERNEL)
        rlx_kernel_run_again(jit, plan->steps.at[k].kernel->kernel, runs_once);
  }
  jit->runs_once = runs_once;
  const bool ok = rlx_kernels_compile(jit, err);
  jit->runs_once = false;
  return ok;
}

bool rlx_program_compile(RlxProgram *program, RlxError *err) {
  RlxJit *jit = program->jit;
  const bool runs_once = program->runs_once && choose_interpreted(program);
  if (!compile_kernels(program, runs_once, err)) return false;
  CompileStart start = rlx_jit_compile_start();
  bool ok = true;
  for (uint32_t i = 0; i < program->plans.count && ok; i++) {
    Plan *plan = program->plans.at[i];
    if (plan->is_complete && !plan->body && !(program->runs_once && plan->is_interpreted))
      ok = rlx_jit_engine(jit, err) && compile_body(jit, plan, err);
  }
  rlx_jit_compile_end(jit, start);
  return ok;
}

bool rlx_entry_intern(Entry *entry, RlxRunError *err) {
  RlxProgram *program = entry->program;
  RlxPrimFunc *f = entry->prim;
  if (entry->call) return true;
  if (f->has_holes || !f->body)
    return rlx_error_set(
        &err->error, "PrimFunc %s has parts that are not understood, so it cannot be run%s%s",
        rlx_store_text(program->store, entry->name), f->why ? ": " : "", f->why ? f->why : "");
  entry->written = rlx_arena_array(program->arena, bool, f->param_count + 1);
  RlxName access_ptr = rlx_store_intern(program->store, "tvm_access_ptr", 14);
  bool any = false;
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].buffer)
      any |= entry->written[i] =
          rlx_kernel_stores_to(f->body, f->params[i].buffer, false) ||
          rlx_kernel_writes_through(f->body, f->params[i].buffer, access_ptr);
  for (int i = 0; i < f->param_count && !any; i++) // only C functions may have stored something
    if (f->params[i].buffer)
      entry->written[i] = rlx_kernel_stores_to(f->body, f->params[i].buffer, true);
  entry->call = rlx_arena_one(program->arena, KernelCall);
  entry->call->kernel =
      rlx_kernel_intern(program->jit, rlx_program_lower(program, entry->stmt), false, false);
  return true;
}

bool rlx_entry_plan(Entry *entry, RlxRunError *err) {
  RlxProgram *program = entry->program;
  RlxJit *jit = program->jit;
  CompileStart start = rlx_jit_compile_start();
  double before = jit->compile_ms, cpu_before = jit->compile_cpu_ms;
  bool ok = entry->kind == RLX_ISLAND_PRIM_FUNC
                ? rlx_entry_intern(entry, err)
                : entry->plan || rlx_plan_build(program, entry, err);
  jit->compile_ms = before; // that of what was planned inside is in this one
  jit->compile_cpu_ms = cpu_before;
  rlx_jit_compile_end(jit, start);
  return ok;
}

bool rlx_entry_prepare(Entry *entry, RlxRunError *err) {
  return rlx_entry_plan(entry, err) && rlx_program_compile(entry->program, &err->error);
}
