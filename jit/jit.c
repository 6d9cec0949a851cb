/// The facade of evaluation (jit.h): sessions, programs and their texts, over the rooms.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/jit.h"
#include "jit/rewriter.h"
#include "jit/run/run.h"
#include "jit/runtime/context.h"
#include "jit/schedule/schedule.h"

RlxJit *rlx_jit_new(RlxStore *store, const RlxJitOptions *options) {
  RlxJit *jit = rlx_mem_zeroed(1, sizeof *jit);
  jit->store = store;
  if (options) jit->options = *options;
  if (jit->options.threads < 1) jit->options.threads = 1;
  if (jit->options.max_depth < 1) jit->options.max_depth = 1000;
  jit->heap = rlx_heap_new();
  jit->context = rlx_context_new(jit->options.threads);
  jit->helper = rlx_body_helper;
  jit->interpret = rlx_plan_interpret;
  return jit;
}

void rlx_jit_set_max_depth(RlxJit *jit, int depth) {
  jit->options.max_depth = depth < 1 ? 1000 : depth;
}

int rlx_jit_threads(const RlxJit *jit) { return jit->options.threads; }

/// Where the stack is nearly used up: kernels and C still fit below.
static const char *stack_end(RlxJit *jit) {
  enum { RESERVE = 512 * 1024, SMALLEST = 4 * RESERVE };
  pthread_attr_t attributes;
  void *low;
  size_t size;
  if (jit->stack_end || pthread_getattr_np(pthread_self(), &attributes)) return jit->stack_end;
  if (!pthread_attr_getstack(&attributes, &low, &size) && size >= SMALLEST)
    jit->stack_end = (const char *)low + RESERVE;
  pthread_attr_destroy(&attributes);
  return jit->stack_end;
}

void rlx_jit_before_fork(RlxJit *jit, bool may_compile) {
  stack_end(jit);
  // What the user supplies may need a library that came with LLVM.
  jit->spares_llvm = jit->engine && !may_compile && !jit->options.extern_count;
  // Another JIT may have left LLVM's memory aside.
  const RlxLlvmApi *api = jit->engine ? jit->api : may_compile ? rlx_llvm_loaded() : NULL;
  if (api) api->inherit(!jit->spares_llvm);
}

const RlxCallFilter *rlx_jit_filter(RlxJit *jit) {
  if (!jit->filter) jit->filter = rlx_call_filter_new();
  return jit->filter;
}

void rlx_jit_after_fork(RlxJit *jit) {
  // Where one evaluation follows another, LLVM's memory stays aside: to change that costs, too.
  if (jit->spares_llvm && !jit->options.is_interactive) jit->api->inherit(true);
  jit->spares_llvm = false;
}

void rlx_jit_in_child(RlxJit *jit) {
  if (jit->options.threads > 1) jit->context = rlx_context_new(jit->options.threads);
}

void rlx_jit_free(RlxJit *jit) {
  if (!jit) return;
  for (uint32_t i = 0; i < jit->supplies.count; i++) {
    rlx_program_free(jit->supplies.at[i].program);
    if (jit->supplies.at[i].file) rlx_file_close(jit->supplies.at[i].file);
  }
  rlx_vec_free(&jit->supplies);
  RlxMapEntry e;
  for (uint32_t cursor = 0; rlx_map_next(&jit->kernels, &cursor, &e);) {
    Kernel *k = (Kernel *)(uintptr_t)e.value;
    rlx_primfunc_free(k->func);
    free(k->aliasing);
    free(k->written);
    free(k);
  }
  rlx_map_free(&jit->kernels);
  rlx_bodies_trim(jit, true);
  rlx_map_free(&jit->bodies);
  for (uint32_t i = 0; i < jit->codes.count; i++) jit->api->code_free(jit->codes.at[i]);
  rlx_vec_free(&jit->codes);
  rlx_vec_free(&jit->pending);
  if (jit->engine) jit->api->engine_free(jit->engine);
  rlx_call_filter_free(jit->filter);
  rlx_context_free(jit->context);
  rlx_heap_free(jit->heap);
  free(jit);
}

RlxHeap *rlx_jit_heap(RlxJit *jit) { return jit->heap; }
double rlx_jit_compile_ms(const RlxJit *jit) { return jit->compile_ms; }
double rlx_jit_compile_cpu_ms(const RlxJit *jit) { return jit->compile_cpu_ms; }
int rlx_jit_compiled_count(const RlxJit *jit) { return jit->compiled; }

RlxProgram *rlx_program_new(RlxJit *jit, RlxFile *file) {
  RlxProgram *program = rlx_mem_zeroed(1, sizeof *program);
  program->refs = 1;
  program->jit = jit;
  program->file = file;
  program->store = jit->store;
  program->arena = rlx_arena_new();
  program->watch = &program->own_watch;
  rlx_file_analyze(file, NULL);
  rlx_file_functions(file, &program->views);
  return program;
}

RlxProgram *rlx_program_ref(RlxProgram *program) {
  program->refs++;
  return program;
}

void rlx_program_free(RlxProgram *program) {
  if (!program || --program->refs > 0) return;
  for (uint32_t i = 0; i < program->plans.count; i++) rlx_plan_free(program->plans.at[i]);
  rlx_vec_free(&program->plans);
  rlx_bodies_trim(program->jit, false);
  for (uint32_t i = 0; i < program->entries.count; i++) {
    rlx_primfunc_free(program->entries.at[i]->prim);
    if (program->entries.at[i]->call) free(program->entries.at[i]->call->last_shape);
  }
  rlx_vec_free(&program->entries);
  rlx_vec_free(&program->tellings);
  rlx_vec_free(&program->views);
  rlx_arena_free(program->arena);
  free(program);
}

void rlx_program_watch(RlxProgram *program, const void *volatile *place) {
  program->watch = place ? place : &program->own_watch;
}

bool rlx_program_has(RlxProgram *program, RlxName function) {
  return rlx_program_entry(program, function) != NULL;
}

RlxName rlx_program_main(RlxProgram *program) {
  RlxName main_name = rlx_store_intern(program->store, "main", 4), only = 0;
  int count = 0;
  for (uint32_t i = 0; i < program->views.count; i++) {
    const RlxFunctionView *v = &program->views.at[i];
    if (v->kind != RLX_ISLAND_RELAX && v->kind != RLX_ISLAND_PRIM_FUNC) continue;
    if (v->name == main_name) return main_name;
    if (v->kind == RLX_ISLAND_RELAX || !only) only = v->name;
    count += v->kind == RLX_ISLAND_RELAX;
  }
  return count <= 1 ? only : 0;
}

void rlx_program_rivals(const RlxProgram *program, RlxName function, RlxBuf *out) {
  const size_t before = out->size;
  int count = 0;
  for (uint32_t i = 0; i < program->views.count; i++) {
    const RlxFunctionView *v = &program->views.at[i];
    if (v->name != function || !rlx_function_view_in(&program->views, v->module, v->name)) continue;
    count += v->module ? 1 : INT16_MIN;
    if (v->module)
      rlx_buf_printf(out, ", %s.%s", rlx_store_text(program->store, v->module),
                     rlx_store_text(program->store, v->name));
  }
  if (count < 2) rlx_buf_truncate(out, before);
}

static bool ready(RlxProgram *program, RlxName function,
                  bool (*make)(Entry *entry, RlxRunError *err), RlxRunError *err) {
  Entry *entry = rlx_program_entry(program, function);
  if (!entry)
    return rlx_error_set(&err->error, "there is no function %s",
                         rlx_store_text(program->store, function));
  if (make(entry, err)) return true;
  if (!*err->error.code)
    rlx_error_code(&err->error, rlx_diag_row(RLX_DIAG_ID(NOT_EVALUATED))->code);
  return false;
}

bool rlx_program_plan(RlxProgram *program, RlxName function, RlxRunError *err) {
  return ready(program, function, rlx_entry_plan, err);
}

bool rlx_program_prepare_once(RlxProgram *program, RlxName function, RlxRunError *err) {
  program->runs_once = !program->jit->options.trace; // bodies report steps
  return ready(program, function, rlx_entry_prepare, err);
}

bool rlx_program_prepare(RlxProgram *program, RlxName function, RlxRunError *err) {
  program->runs_once = false;
  return ready(program, function, rlx_entry_prepare, err);
}

bool rlx_program_concerns(const RlxProgram *program, uint32_t offset) {
  for (uint32_t i = 0; i < program->views.count; i++) {
    const RlxStmt *def = program->views.at[i].stmt;
    if (offset < def->start || offset > def->start + def->size) continue;
    for (uint32_t k = 0; k < program->entries.count; k++)
      if (program->entries.at[k]->stmt == def) return true;
    return false;
  }
  return true;
}

int rlx_program_param_count(RlxProgram *program, RlxName function) {
  Entry *entry = rlx_program_entry(program, function);
  if (!entry) return 0;
  if (entry->prim) return entry->prim->param_count;
  return entry->plan ? (int)entry->plan->function->param_count : 0;
}

/// The StructInfo of a tensor that fits a buffer; dimensions that are no integers nor variables are
/// unknown, and then all of them are.
static const RlxSInfo *buffer_sinfo(RlxStore *store, const RlxPrimFunc *f, const RlxTirBuffer *b) {
  const RlxPrim *dims[RLX_PARAM_NDIM_MAX];
  bool known = b->ndim <= RLX_PARAM_NDIM_MAX;
  for (int i = 0; known && i < b->ndim; i++)
    known = (dims[i] = rlx_tir_to_prim(store, b->shape[i], (uint64_t)(uintptr_t)f)) != NULL;
  return known ? rlx_sinfo_tensor(store, dims, b->ndim, b->dtype, NULL)
               : rlx_sinfo_tensor_ndim(store, b->ndim, b->dtype, NULL);
}

RlxName rlx_program_param(RlxProgram *program, RlxName function, int i, const RlxSInfo **out_sinfo,
                          RlxDType *out_dtype) {
  Entry *entry = rlx_program_entry(program, function);
  *out_sinfo = NULL;
  *out_dtype = rlx_dtype_unknown();
  if (!entry) return 0;
  if (entry->prim) {
    const RlxTirParam *p = &entry->prim->params[i];
    *out_dtype = p->buffer ? p->buffer->dtype : p->var->dtype;
    if (p->buffer) *out_sinfo = buffer_sinfo(program->store, entry->prim, p->buffer);
    return p->buffer ? p->buffer->name : p->var->name;
  }
  const RlxVar *var = entry->plan->function->params[i];
  *out_sinfo = var->sinfo;
  if (var->sinfo->kind == RLX_SINFO_TENSOR || var->sinfo->kind == RLX_SINFO_PRIM)
    *out_dtype = var->sinfo->dtype;
  return var->name;
}

RlxName rlx_program_param_handle(RlxProgram *program, RlxName function, int i) {
  Entry *entry = rlx_program_entry(program, function);
  const RlxTirParam *p = entry && entry->prim ? &entry->prim->params[i] : NULL;
  return p && p->buffer && p->var ? p->var->name : 0;
}

RlxObject *rlx_program_call(RlxProgram *program, RlxName function, RlxObject *const *args,
                            int count, RlxRunError *err) {
  Entry *entry = rlx_program_entry(program, function);
  if (!entry)
    return rlx_error_set(&err->error, "there is no function %s",
                         rlx_store_text(program->store, function)),
           NULL;
  program->calls_left = program->jit->options.max_depth;
  program->stack_end = stack_end(program->jit);
  RlxObject *result = rlx_entry_evaluate(entry, args, count, err);
  *program->watch = NULL;
  if (!result && !*err->error.code)
    rlx_error_code(&err->error, rlx_diag_row(RLX_DIAG_ID(CALL_FAILED))->code);
  return result;
}

static bool plan_may_write(const Plan *plan) {
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const KernelCall *k = plan->steps.at[i].kernel;
    const Entry *callee = plan->steps.at[i].callee;
    if (callee && callee->kind == RLX_ISLAND_PRIM_FUNC) return true;
    for (int n = 0; k && n < k->output_count; n++)
      if (k->outputs[n].inplace >= 0) return true;
  }
  return false;
}

bool rlx_program_may_write(const RlxProgram *program) {
  if (program->jit->supplies.count) return true;
  for (uint32_t i = 0; i < program->entries.count; i++)
    if (program->entries.at[i]->call) return true;
  for (uint32_t i = 0; i < program->plans.count; i++)
    if (plan_may_write(program->plans.at[i])) return true;
  return false;
}

/// Whether a step runs more than what is compiled with the plan, or C alone.
static bool step_may_compile(const Step *s) {
  if (s->kind == STEP_KERNEL)
    return !s->kernel->kernel->trusted; // one that may alias is made when needed
  if (s->kind == STEP_CALL) return !s->callee || !s->callee->plan;
  return !step_is_plain((StepKind)s->kind);
}

bool rlx_program_may_compile(const RlxProgram *program) {
  if (program->jit->supplies.count) return true;
  for (uint32_t i = 0; i < program->entries.count; i++)
    if (program->entries.at[i]->call) return true;
  for (uint32_t p = 0; p < program->plans.count; p++) {
    const Plan *plan = program->plans.at[p];
    if (!plan->body && !plan->is_interpreted) return true;
    for (uint32_t i = 0; i < plan->steps.count; i++)
      if (step_may_compile(&plan->steps.at[i])) return true;
  }
  return false;
}

void rlx_program_position(const RlxProgram *program, const void *step, RlxBuf *out) {
  rlx_program_locate(program, step, out);
}

static bool texts(RlxJit *jit, Kernel *k, RlxProgramText kind, RlxBuf *out, RlxError *err) {
  if (kind == RLX_PROGRAM_TIR) {
    rlx_primfunc_print(jit->store, k->func, RLX_DIALECT_025, 0, out);
    rlx_buf_putc(out, '\n');
    return true;
  }
  if (!rlx_jit_engine(jit, err)) return false;
  RlxTarget target = jit->api->target(jit->engine);
  target.threads = jit->options.threads;
  bool judges = k->trusted || !k->may_alias;
  RlxPrimFunc *guarded = judges ? rlx_guard_accesses(jit->store, k->func, NULL) : NULL;
  const RlxPrimFunc *f = guarded ? guarded : k->func;
  RlxPrimFunc *scheduled =
      k->may_alias ? NULL : rlx_schedule(f, &target, judges, rlx_store_names(jit->store), NULL);
  RlxUnitFunc one = {.func = scheduled ? scheduled : f,
                     .symbol = "kernel",
                     .trusted = judges,
                     .may_alias = k->may_alias};
  RlxUnit unit = {.names = rlx_store_names(jit->store),
                  .funcs = &one,
                  .func_count = 1,
                  .is_quick = k->is_quick};
  bool ok = jit->api->text(jit->engine, &unit,
                           kind == RLX_PROGRAM_LLVM ? RLX_TEXT_LLVM : RLX_TEXT_ASM, out, err);
  rlx_primfunc_free(scheduled);
  rlx_primfunc_free(guarded);
  return ok;
}

bool rlx_program_text(RlxProgram *program, RlxName function, RlxProgramText kind, RlxBuf *out,
                      RlxRunError *err) {
  if (!rlx_program_prepare(program, function, err)) return false;
  Entry *entry = rlx_program_entry(program, function);
  if (entry->call) return texts(program->jit, entry->call->kernel, kind, out, &err->error);
  static const char *const kinds[] = {"move",  "kernel", "late", "builtin", "view",   "shape",
                                      "prim",  "tuple",  "get",  "call",    "invoke", "closure",
                                      "match", "unless", "jump", "nop",     "return"};
  Plan *plan = entry->plan;
  if (kind == RLX_PROGRAM_LLVM || kind == RLX_PROGRAM_ASM) {
    uint64_t hash;
    RlxBodyDraft *draft = program->jit->api->body_draft(
        program->jit->engine, plan, rlx_store_names(program->store), &hash, &err->error);
    bool ok = draft &&
              program->jit->api->body_text(
                  draft, kind == RLX_PROGRAM_LLVM ? RLX_TEXT_LLVM : RLX_TEXT_ASM, out, &err->error);
    program->jit->api->body_drop(draft);
    if (!ok) return false;
  }
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const Step *s = &plan->steps.at[i];
    if (kind == RLX_PROGRAM_PLAN) {
      rlx_buf_printf(out, "%3u  %-8s", i, kinds[s->kind]);
      if (s->dst >= 0) rlx_buf_printf(out, " r%d = ", s->dst);
      rlx_program_position(program, s, out);
      for (int k = 0; k < s->arg_count; k++)
        rlx_buf_printf(out, s->args[k] >= 0 ? " r%d" : " c%d",
                       s->args[k] >= 0 ? s->args[k] : ~s->args[k]);
      if (s->kind == STEP_UNLESS || s->kind == STEP_JUMP) rlx_buf_printf(out, " -> %d", s->index);
      for (int k = 0; k < s->free_count; k++)
        rlx_buf_printf(out, "%s r%d", k ? "" : "  free", s->frees[k]);
      rlx_buf_putc(out, '\n');
    } else if (s->kind == STEP_KERNEL &&
               !texts(program->jit, s->kernel->kernel, kind, out, &err->error))
      return false;
  }
  return true;
}

typedef struct KernelWalk {
  RlxProgramText kind;
  void (*visit)(void *data, const RlxProgramKernel *kernel);
  void *data;
  Vec(const Kernel *) kernels; ///< seen
  Vec(const Plan *) plans;     ///< seen
} KernelWalk;

static bool visit_kernel(RlxJit *jit, KernelWalk *w, Kernel *kernel, const char *function,
                         const Step *s, RlxError *err) {
  for (uint32_t i = 0; i < w->kernels.count; i++)
    if (w->kernels.at[i] == kernel) return true;
  rlx_vec_push(&w->kernels, kernel);
  RlxBuf text = {0};
  bool ok = texts(jit, kernel, w->kind, &text, err);
  RlxProgramKernel k = {
      .function = function, .is_quick = kernel->is_quick, .text = rlx_buf_text(&text)};
  if (s) {
    k.binding = s->binding;
    k.merged = s->merged;
    k.merged_count = s->merged_count;
  }
  if (ok) w->visit(w->data, &k);
  rlx_buf_free(&text);
  return ok;
}

static bool visit_entry(RlxJit *jit, KernelWalk *w, const Entry *entry, RlxError *err) {
  if (entry->call)
    return visit_kernel(jit, w, entry->call->kernel, rlx_store_text(jit->store, entry->name), NULL,
                        err);
  if (entry->plan) rlx_vec_push(&w->plans, entry->plan);
  return true;
}

bool rlx_program_kernels(RlxProgram *program, RlxName function, RlxProgramText kind,
                         void (*visit)(void *data, const RlxProgramKernel *kernel), void *data,
                         RlxRunError *err) {
  KernelWalk w = {.kind = kind, .visit = visit, .data = data};
  bool ok = rlx_program_prepare(program, function, err) &&
            visit_entry(program->jit, &w, rlx_program_entry(program, function), &err->error);
  for (uint32_t p = 0; ok && p < w.plans.count; p++) {
    const Plan *plan = w.plans.at[p];
    bool is_new = true;
    for (uint32_t i = 0; i < p && is_new; i++) is_new = w.plans.at[i] != plan;
    for (uint32_t i = 0; ok && is_new && i < plan->steps.count; i++) {
      const Step *s = &plan->steps.at[i];
      if (s->kind == STEP_KERNEL)
        ok = visit_kernel(program->jit, &w, s->kernel->kernel, plan->name, s, &err->error);
      else if (s->callee)
        ok = visit_entry(program->jit, &w, s->callee, &err->error);
      else if (s->local)
        rlx_vec_push(&w.plans, s->local);
    }
  }
  rlx_vec_free(&w.kernels);
  rlx_vec_free(&w.plans);
  return ok;
}

bool rlx_jit_schedule_steps(RlxJit *jit, const RlxPrimFunc *f, RlxBuf *out, RlxError *err) {
  if (!rlx_jit_engine(jit, err)) return false;
  RlxTarget target = jit->api->target(jit->engine);
  target.threads = jit->options.threads;
  RlxPrimFunc *guarded = rlx_guard_accesses(jit->store, f, NULL);
  rlx_primfunc_free(rlx_schedule(guarded, &target, true, rlx_store_names(jit->store), out));
  rlx_primfunc_free(guarded);
  return true;
}

RlxNestRewriter *rlx_jit_rewriter(void) { return rlx_schedule_nest; }
