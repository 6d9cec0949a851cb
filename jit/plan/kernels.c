/// Kernels by content: equal PrimFuncs are compiled once. What steps ask for waits until it is
/// needed, then all that waits is scheduled and compiled together.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/mem.h"
#include "jit/plan/plan.h"
#include "jit/schedule/fills.h"
#include "jit/schedule/schedule.h"
#include "jit/schedule/threads.h"

double rlx_jit_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

CompileStart rlx_jit_compile_start(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (CompileStart){rlx_jit_now_ms(), (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6};
}

void rlx_jit_compile_end(RlxJit *jit, CompileStart start) {
  CompileStart now = rlx_jit_compile_start();
  jit->compile_ms += now.wall - start.wall;
  jit->compile_cpu_ms += now.cpu - start.cpu;
}

bool rlx_jit_engine(RlxJit *jit, RlxError *err) {
  if (jit->spares_llvm) return rlx_error_set(err, "this process was not meant to compile");
  if (jit->engine) return true;
  jit->api = rlx_llvm_load(err);
  if (!jit->api) return false;
  RlxEngineOptions options = {.opt_level = -1,
                              .helper = jit->helper,
                              .externs = jit->options.externs,
                              .extern_count = jit->options.extern_count};
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

/// A pointer into `b` that T.tvm_access_ptr gives for writing.
static bool has_write_ptr(const RlxTirExpr *e, const RlxTirBuffer *b, RlxName access_ptr) {
  if (!e) return false;
  if (e->kind == RLX_TIR_CALL && e->name == access_ptr && e->arg_count == 5 && b->data &&
      e->args[1]->kind == RLX_TIR_VAR && e->args[1]->var == b->data)
    return e->args[4]->kind != RLX_TIR_INT || (e->args[4]->integer & 2);
  for (int i = 0; i < e->arg_count; i++)
    if (has_write_ptr(e->args[i], b, access_ptr)) return true;
  return false;
}

bool rlx_kernel_writes_through(const RlxTirStmt *s, const RlxTirBuffer *b, RlxName access_ptr) {
  if (!s) return false;
  if (has_write_ptr(s->value, b, access_ptr)) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (rlx_kernel_writes_through(s->body[i], b, access_ptr)) return true;
  return rlx_kernel_writes_through(s->init, b, access_ptr);
}

bool rlx_kernel_stores_to(const RlxTirStmt *s, const RlxTirBuffer *b, bool maybe) {
  if (!s) return false;
  if (stores_to(s, b)) return true;
  if (maybe && (has_address(s->value, b) || has_address(s->cond, b))) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (rlx_kernel_stores_to(s->body[i], b, maybe)) return true;
  return rlx_kernel_stores_to(s->init, b, maybe);
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
      k->written[tensor++] = rlx_kernel_stores_to(func->body, func->params[i].buffer, true);
  func->is_of_operators = trusted;
  if (!trusted) rlx_clear_unfilled(func);
  if (!trusted) rlx_keep_apart(jit->store, func);
  rlx_map_put(&jit->kernels, hash, (uint64_t)(uintptr_t)k);
  rlx_vec_push(&jit->pending, k);
  return k;
}

void rlx_kernel_release(Kernel *kernel) { kernel->uses--; }

/// To standard error: what the rules do with a kernel, as a trace.
static void show_steps(RlxJit *jit, const Kernel *k, RlxBuf *steps) {
  fprintf(stderr, "# %s%s\n%s", rlx_store_text(jit->store, k->func->name),
          steps->size ? "" : ": the loops as they stand", rlx_buf_text(steps));
  rlx_buf_clear(steps);
}

/// How much of a kernel's work may be done by code made with least effort, which takes a nanosecond or two for an
/// operation. A call of TINY_RUNS is over before better code would show; what better code saves of HASTY_RUNS, in all calls
/// together, is less than what making it takes. A function such as exp counts as CALL_RUNS.
enum { TINY_RUNS = 512, HASTY_RUNS = 1 << 21, CALL_RUNS = 24 };

/// Operations of an expression, at least one.
static int64_t operations(const RlxTirExpr *e) {
  int64_t count = e->kind == RLX_TIR_CALL   ? CALL_RUNS
                  : e->kind == RLX_TIR_LOAD ? 0
                                            : e->arg_count > 1;
  for (int i = 0; i < e->arg_count; i++) count += operations(e->args[i]);
  return count;
}

/// How often the statements in `s` and their operations run in all, at most HASTY_RUNS + 1 being told; loops whose length is
/// not known run that often.
static int64_t runs_of(const RlxTirStmt *s) {
  if (!s) return 0;
  int64_t runs = s->count ? 0 : s->value ? 1 + operations(s->value) : 1;
  for (uint32_t i = 0; i < s->count; i++) runs += runs_of(s->body[i]);
  runs += runs_of(s->init);
  const bool is_counted = s->kind == RLX_TIR_FOR && s->extent && s->extent->kind == RLX_TIR_INT;
  const bool is_loop = s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_WHILE;
  if (runs > HASTY_RUNS || (is_loop && !is_counted) ||
      (is_counted && s->extent->integer > HASTY_RUNS))
    return HASTY_RUNS + 1;
  if (is_counted) runs *= s->extent->integer;
  return runs > HASTY_RUNS ? HASTY_RUNS + 1 : runs;
}

static bool is_quickly_made(const RlxJit *jit, Kernel *k) {
  if (!k->runs) k->runs = runs_of(k->func->body);
  return jit->options.is_interactive && k->runs <= (jit->runs_once ? HASTY_RUNS : TINY_RUNS);
}

void rlx_kernel_run_again(RlxJit *jit, Kernel *k, bool runs_once) {
  if (!k->fn || !k->is_quick || k->is_pending || k->runs <= TINY_RUNS) return;
  if (runs_once && (k->runs_left -= k->runs) >= 0) return;
  k->is_pending = true;
  k->runs = HASTY_RUNS + 1;
  rlx_vec_push(&jit->pending, k);
}

static bool compile_some(RlxJit *jit, Kernel **kernels, int count, RlxError *err) {
  RlxUnitFunc *funcs = rlx_mem_zeroed((size_t)count, sizeof *funcs);
  RlxPrimFunc **scheduled = rlx_mem_zeroed((size_t)count, sizeof *scheduled);
  RlxPrimFunc **guarded = rlx_mem_zeroed((size_t)count, sizeof *guarded);
  RlxTarget target = jit->api->target(jit->engine);
  target.threads = jit->options.threads;
  RlxInterner *names = rlx_store_names(jit->store);
  RlxBuf steps = {0}, *trace = jit->options.traces_schedules ? &steps : NULL;
  for (int i = 0; i < count; i++) {
    Kernel *k = kernels[i];
    bool judges = k->trusted || !k->may_alias;
    if (judges) guarded[i] = rlx_guard_accesses(jit->store, k->func, &k->guards);
    const RlxPrimFunc *f = guarded[i] ? guarded[i] : k->func;
    bool keeps = jit->options.keeps_loops && !k->trusted;
    if (!k->may_alias && !keeps) scheduled[i] = rlx_schedule(f, &target, judges, names, trace);
    if (trace) show_steps(jit, k, trace);
    funcs[i] = (RlxUnitFunc){.func = scheduled[i] ? scheduled[i] : f,
                             .symbol = k->symbol,
                             .trusted = judges,
                             .counts = &k->guards,
                             .may_alias = k->may_alias};
  }
  RlxUnit unit = {.names = names, .funcs = funcs, .func_count = count, .is_quick = true};
  for (int i = 0; i < count; i++) unit.is_quick &= is_quickly_made(jit, kernels[i]);
  RlxCode *code = jit->api->compile(jit->engine, &unit, err);
  if (code) rlx_vec_push(&jit->codes, code);
  for (int i = 0; i < count; i++) {
    if (code) {
      kernels[i]->code = code;
      kernels[i]->is_quick = unit.is_quick;
      kernels[i]->runs_left = HASTY_RUNS - kernels[i]->runs;
      kernels[i]->number = ++jit->compiled;
      kernels[i]->standing = 0; // it may have had code before, which a process was given
      kernels[i]->fn = jit->api->kernel(code, kernels[i]->symbol);
    }
    rlx_primfunc_free(scheduled[i]);
    rlx_primfunc_free(guarded[i]);
  }
  rlx_buf_free(&steps);
  free(funcs);
  free(scheduled);
  free(guarded);
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
  CompileStart start = rlx_jit_compile_start();
  bool ok = kernel->aliasing->fn ||
            (rlx_jit_engine(jit, err) && compile_some(jit, &kernel->aliasing, 1, err));
  rlx_jit_compile_end(jit, start);
  return ok ? kernel->aliasing : NULL;
}

/// Orders them by the effort that they are made with; the number of the quick ones.
static int put_quick_first(const RlxJit *jit, Kernel **kernels, int count) {
  int quick = 0;
  for (int i = 0; i < count; i++) {
    Kernel *k = kernels[i];
    if (!is_quickly_made(jit, k)) continue;
    memmove(kernels + quick + 1, kernels + quick, (size_t)(i - quick) * sizeof(Kernel *));
    kernels[quick++] = k;
  }
  return quick;
}

/// Compiles them together; where that fails, each that can be.
static bool compile_or_each(RlxJit *jit, Kernel **kernels, int count, RlxError *err) {
  if (!count || compile_some(jit, kernels, count, err)) return true;
  bool ok = count > 1;
  for (int i = 0; i < count && count > 1; i++) ok &= compile_some(jit, &kernels[i], 1, err);
  return ok;
}

bool rlx_kernels_compile(RlxJit *jit, RlxError *err) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < jit->pending.count; i++) {
    jit->pending.at[i]->is_pending = jit->pending.at[i]->uses > 0;
    if (jit->pending.at[i]->uses > 0) jit->pending.at[count++] = jit->pending.at[i];
  }
  jit->pending.count = count;
  if (!count) return true;
  CompileStart start = rlx_jit_compile_start();
  const int quick = put_quick_first(jit, jit->pending.at, (int)count);
  const bool ok = rlx_jit_engine(jit, err) && compile_or_each(jit, jit->pending.at, quick, err) &&
                  compile_or_each(jit, jit->pending.at + quick, (int)count - quick, err);
  for (uint32_t i = 0; i < jit->pending.count; i++) {
    // One without code stays, because steps may still point to it; it says so when it is called.
    jit->pending.at[i]->is_pending = false;
  }
  rlx_vec_clear(&jit->pending);
  rlx_jit_compile_end(jit, start);
  return ok;
}
