/// Sessions and programs: compiled kernels by content, functions by name.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/state/core.h"
#include "analyzer/tir/script.h"
#include "base/hash.h"
#include "base/mem.h"
#include "jit/plan/plan.h"
#include "jit/runtime/context.h"
#include "jit/schedule/schedule.h"

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

RlxJit *rlx_jit_new(RlxStore *store, const RlxJitOptions *options) {
  RlxJit *jit = rlx_mem_zeroed(1, sizeof *jit);
  jit->store = store;
  if (options) jit->options = *options;
  if (jit->options.threads < 1) jit->options.threads = 1;
  if (jit->options.max_depth < 1) jit->options.max_depth = 1000;
  jit->heap = rlx_heap_new();
  jit->context = rlx_context_new(jit->options.threads);
  return jit;
}

void rlx_jit_after_fork(RlxJit *jit) { jit->context = rlx_context_new(jit->options.threads); }

static void body_free(RlxJit *jit, Body *body) {
  jit->api->code_free(body->code);
  free(body);
}

void rlx_jit_free(RlxJit *jit) {
  if (!jit) return;
  RlxMapEntry e;
  for (uint32_t cursor = 0; rlx_map_next(&jit->kernels, &cursor, &e);) {
    Kernel *k = (Kernel *)(uintptr_t)e.value;
    rlx_primfunc_free(k->func);
    free(k->aliasing);
    free(k->written);
    free(k);
  }
  rlx_map_free(&jit->kernels);
  for (uint32_t cursor = 0; rlx_map_next(&jit->bodies, &cursor, &e);)
    body_free(jit, (Body *)(uintptr_t)e.value);
  rlx_map_free(&jit->bodies);
  for (uint32_t i = 0; i < jit->codes.count; i++) jit->api->code_free(jit->codes.at[i]);
  rlx_vec_free(&jit->codes);
  rlx_vec_free(&jit->pending);
  if (jit->engine) jit->api->engine_free(jit->engine);
  rlx_context_free(jit->context);
  rlx_heap_free(jit->heap);
  free(jit);
}

RlxHeap *rlx_jit_heap(RlxJit *jit) { return jit->heap; }
double rlx_jit_compile_ms(const RlxJit *jit) { return jit->compile_ms; }
int rlx_jit_compiled_count(const RlxJit *jit) { return jit->compiled; }

bool rlx_jit_engine(RlxJit *jit, RlxError *err) {
  if (jit->engine) return true;
  jit->api = rlx_llvm_load(err);
  if (!jit->api) return false;
  RlxEngineOptions options = {.opt_level = -1, .helper = rlx_body_helper};
  jit->engine = jit->api->engine_new(&options, err);
  return jit->engine != NULL;
}

static bool has_address(const RlxTirExpr *e, const RlxTirBuffer *b) {
  if (!e) return false;
  if (e->kind == RLX_TIR_ADDRESS_OF && e->args[0]->buffer == b) return true;
  if (e->kind == RLX_TIR_VAR && b->data && e->var == b->data) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (has_address(e->args[i], b)) return true;
  return false;
}

static bool stores_to(const RlxTirStmt *s, const RlxTirBuffer *b) {
  if (s->kind != RLX_TIR_STORE) return false;
  for (const RlxTirBuffer *x = s->buffer; x; x = x->view_of)
    if (x == b || (x->data && x->data == b->data)) return true;
  return false;
}

/// Whether `s` stores to the buffer; `maybe`: or gives its address away.
static bool written_in(const RlxTirStmt *s, const RlxTirBuffer *b, bool maybe) {
  if (!s) return false;
  if (stores_to(s, b)) return true;
  if (maybe && (has_address(s->value, b) || has_address(s->cond, b))) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (written_in(s->body[i], b, maybe)) return true;
  return written_in(s->init, b, maybe);
}

Kernel *rlx_kernel_intern(RlxJit *jit, RlxPrimFunc *func, bool trusted, bool may_alias) {
  RlxBuf text = {0};
  rlx_primfunc_print(jit->store, func, RLX_DIALECT_025, 0, &text);
  uint64_t hash =
      rlx_hash_bytes(rlx_buf_text(&text), text.size, (uint64_t)trusted | (uint64_t)may_alias << 1);
  rlx_buf_free(&text);
  uint64_t found;
  if (rlx_map_get(&jit->kernels, hash, &found)) {
    rlx_primfunc_free(func);
    Kernel *known = (Kernel *)(uintptr_t)found;
    if (!known->uses++ && !known->fn && !known->is_pending) {
      known->is_pending = true;
      rlx_vec_push(&jit->pending, known);
    }
    return known;
  }
  Kernel *k = rlx_mem_zeroed(1, sizeof *k);
  *k = (Kernel){.hash = hash,
                .func = func,
                .trusted = trusted,
                .may_alias = may_alias,
                .is_pending = true,
                .uses = 1};
  snprintf(k->symbol, sizeof k->symbol, "k%016llx", (unsigned long long)hash);
  RlxTirVar *vars[RLX_KERNEL_MAX_VARS];
  k->var_count = rlx_kernel_vars(func, vars);
  for (int i = 0; i < func->param_count; i++) {
    if (func->params[i].buffer)
      k->tensor_count++;
    else
      k->scalar_count++;
  }
  k->written = rlx_mem_zeroed((size_t)k->tensor_count + 1, sizeof *k->written);
  for (int i = 0, tensor = 0; i < func->param_count; i++)
    if (func->params[i].buffer)
      k->written[tensor++] = written_in(func->body, func->params[i].buffer, true);
  rlx_map_put(&jit->kernels, hash, (uint64_t)(uintptr_t)k);
  rlx_vec_push(&jit->pending, k);
  return k;
}

void rlx_kernel_release(Kernel *kernel) { kernel->uses--; }

static bool compile_some(RlxJit *jit, Kernel **kernels, int count, RlxError *err) {
  RlxUnitFunc *funcs = rlx_mem_zeroed((size_t)count, sizeof *funcs);
  RlxPrimFunc **scheduled = rlx_mem_zeroed((size_t)count, sizeof *scheduled);
  RlxTarget target = jit->api->target(jit->engine);
  target.threads = jit->options.threads;
  RlxInterner *names = rlx_store_names(jit->store);
  for (int i = 0; i < count; i++) {
    Kernel *k = kernels[i];
    if (!k->may_alias) scheduled[i] = rlx_schedule(k->func, &target, k->trusted, names);
    funcs[i] = (RlxUnitFunc){.func = scheduled[i] ? scheduled[i] : k->func,
                             .symbol = k->symbol,
                             .trusted = k->trusted,
                             .may_alias = k->may_alias};
  }
  RlxUnit unit = {names, funcs, count};
  RlxCode *code = jit->api->compile(jit->engine, &unit, err);
  if (code) rlx_vec_push(&jit->codes, code);
  for (int i = 0; i < count; i++) {
    if (code) {
      kernels[i]->code = code;
      kernels[i]->fn = jit->api->kernel(code, kernels[i]->symbol);
    }
    rlx_primfunc_free(scheduled[i]);
  }
  if (code) jit->compiled += count;
  free(funcs);
  free(scheduled);
  return code != NULL;
}

Kernel *rlx_kernel_aliasing(RlxJit *jit, Kernel *kernel, RlxError *err) {
  if (!kernel->aliasing) {
    Kernel *k = rlx_mem_zeroed(1, sizeof *k);
    *k = *kernel;
    k->may_alias = true;
    k->fn = NULL;
    snprintf(k->symbol, sizeof k->symbol, "a%016llx", (unsigned long long)kernel->hash);
    kernel->aliasing = k;
  }
  double start = now_ms();
  bool ok = kernel->aliasing->fn || compile_some(jit, &kernel->aliasing, 1, err);
  jit->compile_ms += now_ms() - start;
  return ok ? kernel->aliasing : NULL;
}

static void forget(RlxJit *jit, Kernel *k) {
  // Steps may still point to it: it stays, without code, and says so when it is called.
  (void)jit;
  k->fn = NULL;
}

bool rlx_kernels_compile(RlxJit *jit, RlxError *err) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < jit->pending.count; i++) {
    jit->pending.at[i]->is_pending = jit->pending.at[i]->uses > 0;
    if (jit->pending.at[i]->uses > 0) jit->pending.at[count++] = jit->pending.at[i];
  }
  jit->pending.count = count;
  if (!count) return true;
  double start = now_ms();
  bool ok = rlx_jit_engine(jit, err);
  if (ok && !compile_some(jit, jit->pending.at, (int)jit->pending.count, err)) {
    ok = jit->pending.count == 1 ? false : true;
    for (uint32_t i = 0; i < jit->pending.count && jit->pending.count > 1; i++)
      if (!compile_some(jit, &jit->pending.at[i], 1, err)) ok = false;
  }
  for (uint32_t i = 0; i < jit->pending.count; i++) {
    jit->pending.at[i]->is_pending = false;
    if (!jit->pending.at[i]->fn) forget(jit, jit->pending.at[i]);
  }
  rlx_vec_clear(&jit->pending);
  jit->compile_ms += now_ms() - start;
  return ok;
}

// ---- bodies

enum { BODIES_KEPT = 512 };

/// Gives back bodies that no plan uses, when there are many.
static void trim_bodies(RlxJit *jit) {
  if (jit->bodies.count <= BODIES_KEPT) return;
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

bool rlx_program_compile(RlxProgram *program, RlxError *err) {
  RlxJit *jit = program->jit;
  if (!rlx_kernels_compile(jit, err)) return false;
  double start = now_ms();
  bool ok = true;
  for (uint32_t i = 0; i < program->plans.count && ok; i++) {
    Plan *plan = program->plans.at[i];
    if (plan->is_complete && !plan->body)
      ok = rlx_jit_engine(jit, err) && compile_body(jit, plan, err);
  }
  jit->compile_ms += now_ms() - start;
  return ok;
}

// ---- programs

RlxProgram *rlx_program_new(RlxJit *jit, RlxFile *file) {
  RlxProgram *program = rlx_mem_zeroed(1, sizeof *program);
  program->jit = jit;
  program->file = file;
  program->store = jit->store;
  program->arena = rlx_arena_new();
  program->watch = &program->own_watch;
  rlx_file_analyze(file, NULL);
  rlx_file_functions(file, &program->views);
  return program;
}

void rlx_program_free(RlxProgram *program) {
  if (!program) return;
  for (uint32_t i = 0; i < program->plans.count; i++) rlx_plan_free(program->plans.at[i]);
  rlx_vec_free(&program->plans);
  trim_bodies(program->jit);
  for (uint32_t i = 0; i < program->entries.count; i++) {
    rlx_primfunc_free(program->entries.at[i]->prim);
    if (program->entries.at[i]->call) free(program->entries.at[i]->call->last_shape);
  }
  rlx_vec_free(&program->entries);
  rlx_vec_free(&program->views);
  rlx_arena_free(program->arena);
  free(program);
}

void rlx_program_watch(RlxProgram *program, const void *volatile *place) {
  program->watch = place ? place : &program->own_watch;
}

RlxPrimFunc *rlx_program_lower(RlxProgram *program, const RlxStmt *def) {
  return rlx_file_primfunc(program->file, def, NULL);
}

Entry *rlx_program_entry(RlxProgram *program, RlxName name) {
  for (uint32_t i = 0; i < program->entries.count; i++)
    if (program->entries.at[i]->name == name) return program->entries.at[i];
  for (uint32_t i = 0; i < program->views.count; i++) {
    const RlxFunctionView *v = &program->views.at[i];
    if (v->name != name || (v->kind != RLX_ISLAND_RELAX && v->kind != RLX_ISLAND_PRIM_FUNC))
      continue;
    Entry *entry = rlx_arena_one(program->arena, Entry);
    *entry = (Entry){.name = name, .kind = v->kind, .stmt = v->stmt, .program = program};
    if (v->kind == RLX_ISLAND_PRIM_FUNC) entry->prim = rlx_program_lower(program, v->stmt);
    rlx_vec_push(&program->entries, entry);
    return entry;
  }
  return NULL;
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

static bool prepare_prim(RlxProgram *program, Entry *entry, RlxRunError *err) {
  RlxPrimFunc *f = entry->prim;
  if (entry->call) return true;
  if (f->has_holes || !f->body)
    return rlx_error_set(&err->error,
                         "PrimFunc %s has parts that are not understood, so it cannot be run",
                         rlx_store_text(program->store, entry->name));
  entry->written = rlx_arena_array(program->arena, bool, f->param_count + 1);
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].buffer) entry->written[i] = written_in(f->body, f->params[i].buffer, false);
  entry->call = rlx_arena_one(program->arena, KernelCall);
  entry->call->kernel =
      rlx_kernel_intern(program->jit, rlx_program_lower(program, entry->stmt), false, false);
  return true;
}

bool rlx_program_prepare(RlxProgram *program, RlxName function, RlxRunError *err) {
  Entry *entry = rlx_program_entry(program, function);
  if (!entry)
    return rlx_error_set(&err->error, "there is no function %s",
                         rlx_store_text(program->store, function));
  double start = now_ms(), before = program->jit->compile_ms;
  bool ok = entry->kind == RLX_ISLAND_PRIM_FUNC
                ? prepare_prim(program, entry, err)
                : entry->plan || rlx_plan_build(program, entry, err);
  program->jit->compile_ms = before + now_ms() - start;
  return ok && rlx_program_compile(program, &err->error);
}

int rlx_program_param_count(RlxProgram *program, RlxName function) {
  Entry *entry = rlx_program_entry(program, function);
  if (!entry) return 0;
  if (entry->prim) return entry->prim->param_count;
  return entry->plan ? (int)entry->plan->function->param_count : 0;
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
    return p->buffer ? p->buffer->name : p->var->name;
  }
  const RlxVar *var = entry->plan->function->params[i];
  *out_sinfo = var->sinfo;
  if (var->sinfo->kind == RLX_SINFO_TENSOR || var->sinfo->kind == RLX_SINFO_PRIM)
    *out_dtype = var->sinfo->dtype;
  return var->name;
}

static RlxObject *call_prim(RlxProgram *program, Entry *entry, RlxObject *const *args, int count,
                            RlxRunError *err) {
  RlxPrimFunc *f = entry->prim;
  const char *name = rlx_store_text(program->store, entry->name);
  if (!prepare_prim(program, entry, err) || !rlx_kernels_compile(program->jit, &err->error))
    return NULL;
  if (count != f->param_count)
    return rlx_error_set(&err->error, "%s takes %d arguments, %d were given", name, f->param_count,
                         count),
           NULL;
  RlxObject **tensors = rlx_mem_zeroed((size_t)count + 1, sizeof *tensors),
            **out = rlx_mem_zeroed((size_t)count + 1, sizeof *out), *result = NULL;
  int64_t *scalars = rlx_mem_zeroed((size_t)count + 1, sizeof *scalars);
  int tensor_count = 0, scalar_count = 0, out_count = 0;
  bool ok = true;
  for (int i = 0; i < count && ok; i++) {
    if (f->params[i].buffer) {
      if (args[i]->kind != RLX_OBJECT_TENSOR)
        ok = rlx_error_set(&err->error, "%s: parameter %d is no tensor", name, i);
      tensors[tensor_count++] = args[i];
      if (entry->written[i]) out[out_count++] = args[i];
    } else if (args[i]->kind == RLX_OBJECT_INT)
      scalars[scalar_count++] = args[i]->integer;
    else if (args[i]->kind == RLX_OBJECT_TENSOR && args[i]->count == 0) {
      if (rlx_dtype_is_float(f->params[i].var->dtype)) {
        double v = rlx_element_number(args[i]->data, args[i]->dtype, 0);
        memcpy(&scalars[scalar_count++], &v, sizeof v);
      } else
        scalars[scalar_count++] = rlx_element_integer(args[i]->data, args[i]->dtype, 0);
    } else
      ok = rlx_error_set(&err->error, "%s: parameter %d is no number", name, i);
  }
  if (ok && rlx_kernel_call(program, entry->call, tensors, scalars, &err->error))
    result = rlx_tuple_new(program->jit->heap, out, out_count);
  else
    rlx_error_prefix(&err->error, "%s", name);
  free(tensors);
  free(out);
  free(scalars);
  return result;
}

RlxObject *rlx_entry_call(Entry *entry, RlxObject *const *args, int count, RlxObject *closure,
                          RlxRunError *err) {
  RlxProgram *program = entry->program;
  if (entry->kind == ENTRY_EXTERN)
    return rlx_extern_call(program, entry->text, args, count, &err->error);
  if (entry->kind == RLX_ISLAND_PRIM_FUNC) return call_prim(program, entry, args, count, err);
  if (!entry->plan &&
      (!rlx_plan_build(program, entry, err) || !rlx_program_compile(program, &err->error)))
    return NULL;
  return rlx_plan_run(entry->plan, args, count, closure, err);
}

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

RlxObject *rlx_program_call(RlxProgram *program, RlxName function, RlxObject *const *args,
                            int count, RlxRunError *err) {
  Entry *entry = rlx_program_entry(program, function);
  if (!entry)
    return rlx_error_set(&err->error, "there is no function %s",
                         rlx_store_text(program->store, function)),
           NULL;
  program->calls_left = program->jit->options.max_depth;
  program->stack_end = stack_end(program->jit);
  RlxObject *result = rlx_entry_call(entry, args, count, NULL, err);
  *program->watch = NULL;
  return result;
}

void rlx_program_position(const RlxProgram *program, const void *step, RlxBuf *out) {
  for (uint32_t i = 0; i < program->plans.count; i++) {
    const Plan *plan = program->plans.at[i];
    for (uint32_t k = 0; k < plan->steps.count; k++) {
      const Step *s = &plan->steps.at[k];
      if (s != step) continue;
      rlx_buf_printf(out, "%s", plan->name);
      if (s->binding)
        rlx_buf_printf(out, ": %s", rlx_store_text(program->store, s->binding->var->name));
      if (s->text)
        rlx_buf_printf(out, " = %s", s->text);
      else if (s->call && s->call->row)
        rlx_buf_printf(out, " = R.%s", s->call->row->script);
      else if (s->callee)
        rlx_buf_printf(out, " = %s", rlx_store_text(program->store, s->callee->name));
      return;
    }
  }
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
  RlxPrimFunc *scheduled =
      k->may_alias ? NULL : rlx_schedule(k->func, &target, k->trusted, rlx_store_names(jit->store));
  RlxUnitFunc one = {.func = scheduled ? scheduled : k->func,
                     .symbol = "kernel",
                     .trusted = k->trusted,
                     .may_alias = k->may_alias};
  RlxUnit unit = {rlx_store_names(jit->store), &one, 1};
  bool ok = jit->api->text(jit->engine, &unit,
                           kind == RLX_PROGRAM_LLVM ? RLX_TEXT_LLVM : RLX_TEXT_ASM, out, err);
  rlx_primfunc_free(scheduled);
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
      if (s->dst >= 0) rlx_buf_printf(out, " r%d =", s->dst);
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
