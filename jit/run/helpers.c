/// What native bodies call: the rows of helpers.def.
///
/// Always true: a helper that fails has written why, and where, into the program's error; it drops
/// nothing that it did not make.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "jit/run/run.h"
#include "jit/runtime/context.h"
#include "jit/runtime/format.h"

void *rlx_body_helper(const char *name) {
  static const struct {
    const char *name;
    void (*fn)(void);
  } table[] = {
#define RLX_HELPER(name, result, params, signature, doc) {"rlx_" #name, (void (*)(void))rlx_##name},
#include "jit/plan/helpers.def"
#undef RLX_HELPER
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (strcmp(table[i].name, name)) continue;
    void *address;
    memcpy(&address, &table[i].fn, sizeof address);
    return address;
  }
  return rlx_packed_function(name);
}

static RlxError *error_of(const Frame *f) { return &f->plan->program->error->error; }
static RlxHeap *heap_of(const Frame *f) { return f->plan->program->jit->heap; }
static const char *text_of(const Frame *f, const RlxVar *var) {
  return rlx_store_text(f->plan->program->store, var->name);
}

static void point_at(RlxRunError *err, const Step *s) {
  if (s->binding && s->binding->stmt)
    err->span = rlx_stmt_absolute(s->binding->stmt, s->binding->span);
}

/// Puts "main: lv = R.matmul" before the reason, which may have named the operator or the PrimFunc, too.
static void blame(Plan *plan, const Step *s) {
  RlxBuf where = {0};
  rlx_program_locate(plan->program, s, &where);
  RlxError *err = &plan->program->error->error;
  const size_t named = strcspn(err->text, ": ");
  const char *end = rlx_buf_text(&where) + where.size;
  const bool is_named = named && !strncmp(err->text + named, ": ", 2) && named <= where.size &&
                        !memcmp(end - named, err->text, named) &&
                        (named == where.size || end[-(ptrdiff_t)named - 1] == ' ');
  if (is_named) memmove(err->text, err->text + named + 2, strlen(err->text + named + 2) + 1);
  rlx_error_prefix(err, "%s", rlx_buf_text(&where));
  rlx_buf_free(&where);
  point_at(plan->program->error, s);
}

/// A step's result on its way to the body.
static RlxObject *given(Frame *f, const Step *s, RlxObject *x) {
  if (!x) blame(f->plan, s);
  return x;
}

/// The result of what may give anything, against what the script says of it.
static RlxObject *checked(Frame *f, const Step *s, RlxObject *x) {
  const char *name = s->binding ? text_of(f, s->binding->var) : "";
  if (!s->check || rlx_check_value(f, s->check, x, "result of", name, error_of(f))) return x;
  point_at(f->plan->program->error, s);
  rlx_object_unref(x);
  return NULL;
}

// ---- entry, exit

static void point_at_function(const Plan *plan) {
  const RlxStmt *def = plan->function->stmt;
  if (def) plan->program->error->span = rlx_stmt_absolute(def, def->name_span);
}

int32_t rlx_body_enter(Frame *f) { return rlx_frame_enter(f); }

void rlx_body_captured(Frame *f) {
  const Plan *plan = f->plan;
  if (!f->closure) return;
  int at = 0;
  for (uint32_t i = 0; i < plan->captures.count; i++, at++)
    f->regs[plan->captures.at[i].reg] = rlx_object_ref(
        plan->captures.at[i].outer == INT32_MIN ? f->closure : f->closure->fields[at]);
  for (uint32_t i = 0; i < plan->sym_captures.count; i++, at++) {
    f->slots[plan->sym_captures.at[i].slot] = f->closure->fields[at]->integer;
    f->is_set[plan->sym_captures.at[i].slot] = true;
  }
}

int32_t rlx_body_result(Frame *f, RlxObject *x) {
  const Plan *plan = f->plan;
  rlx_check_bind(f, plan->ret, x);
  if (rlx_check_value(f, plan->ret, x, "result", "", error_of(f))) return 1;
  point_at_function(plan);
  rlx_object_unref(x);
  return 0;
}

void rlx_body_too_deep(Plan *plan) {
  RlxProgram *program = plan->program;
  RlxError *err = &program->error->error;
  rlx_error_code(err, rlx_diag_row(RLX_DIAG_ID(CALL_DEPTH))->code);
  if (program->calls_left <= 0)
    rlx_error_set(err, "%s: calls are nested more than %d deep", plan->name,
                  program->jit->options.max_depth);
  else
    rlx_error_set(err, "%s: calls are nested too deep for the stack", plan->name);
  point_at_function(plan);
}

void rlx_body_leave(Frame *f) {
  const Plan *plan = f->plan;
  for (int i = 0; i < plan->reg_count; i++) {
    bool is_borrowed = i < (int)plan->function->param_count &&
                       !rlx_dtype_known(rlx_scalar_dtype(plan->params[i].sinfo));
    if (!is_borrowed) rlx_object_unref(f->regs[i]);
  }
}

void rlx_body_drop(RlxObject **place) {
  RlxObject *x = *place;
  *place = NULL;
  rlx_object_unref(x);
}

RlxObject *rlx_body_box(int64_t bits, int32_t dtype, Plan *plan) {
  RlxDType t;
  memcpy(&t, &dtype, sizeof t);
  RlxObject *x = rlx_tensor_new(plan->program->jit->heap, t, NULL, 0, &plan->program->error->error);
  if (x)
    memcpy(x->data, &bits, rlx_dtype_bytes(t));
  else
    rlx_error_prefix(&plan->program->error->error, "%s", plan->name);
  return x;
}

// ---- kernels

static RlxObject *new_output(Frame *f, const Output *o) {
  int64_t dims[RLX_TENSOR_NDIM_MAX];
  if (!rlx_ndim_fits(o->ndim, error_of(f))) return NULL;
  for (int i = 0; i < o->ndim; i++) dims[i] = o->dims[i].value;
  return rlx_output_new(heap_of(f), o, dims, error_of(f));
}

void *rlx_body_alloc(Frame *f, Step *s) {
  RlxObject *x = given(f, s, new_output(f, s->kernel->outputs));
  f->regs[s->dst] = x;
  return x ? x->data : NULL;
}

RlxObject *rlx_body_alloc_tuple(Frame *f, Step *s) {
  int count = s->kernel->output_count, made = 0;
  RlxObject **fields = rlx_mem_zeroed((size_t)count + 1, sizeof *fields), *tuple = NULL;
  while (made < count && (fields[made] = new_output(f, &s->kernel->outputs[made]))) made++;
  if (made == count) tuple = rlx_tuple_new(heap_of(f), fields, count);
  for (int i = 0; i < made; i++) rlx_object_unref(fields[i]);
  free(fields);
  return f->regs[s->dst] = given(f, s, tuple);
}

void rlx_body_failed(Plan *plan, Step *s, int32_t status) {
  rlx_kernel_explain(plan->program->jit, s->kernel->kernel, status, &plan->program->error->error);
  blame(plan, s);
}

RlxObject *rlx_step_kernel(Frame *f, Step *s, const int64_t *dims) {
  RlxError *err = error_of(f);
  RlxObject *x = rlx_kernel_run(f, s, dims, err);
  // Sizes that a kernel's own variables do not determine are known with the values.
  if (!x && s->kernel->op && !s->kernel->is_bound && s->kernel->last_shape) {
    RlxError first = *err;
    x = rlx_late_run(f, s, err);
    *err = x ? (RlxError){0} : first;
  }
  return given(f, s, x);
}

RlxObject *rlx_step_late(Frame *f, Step *s) { return given(f, s, rlx_late_run(f, s, error_of(f))); }

RlxObject *rlx_step_builtin(Frame *f, Step *s) {
  RlxObject *x = given(f, s, rlx_builtin_run(f, s, error_of(f)));
  return x ? checked(f, s, x) : NULL;
}

// ---- values

/// The dimensions of a step: as the body computed them, or evaluated into `into`; NULL: one has no
/// value.
static const int64_t *dims_of(Frame *f, const Step *s, const int64_t *dims, int64_t *into) {
  if (dims) return dims;
  if (!rlx_ndim_fits(s->output->ndim, error_of(f))) return NULL;
  for (int i = 0; i < s->output->ndim; i++)
    if (!rlx_dim_value(f, &s->output->dims[i], &into[i]))
      return rlx_error_set(error_of(f), "dimension %d of the result has no value", i), NULL;
  return into;
}

static RlxObject *view(Frame *f, const Step *s, const int64_t *dims) {
  RlxObject *x = rlx_reg(f, s->args[0]);
  if (!dims) return NULL;
  if (x->kind != RLX_OBJECT_TENSOR)
    return rlx_error_set(error_of(f), "the operand is no tensor"), NULL;
  int64_t count = 1;
  bool fits = true;
  for (int i = 0; i < s->output->ndim; i++)
    fits &= dims[i] == 0 || !__builtin_mul_overflow(count, dims[i], &count);
  for (int i = 0; i < s->output->ndim; i++)
    if (dims[i] == 0) count = 0, fits = true;
  if (fits && count == rlx_tensor_count(x))
    return rlx_tensor_view(heap_of(f), x, x->dtype, dims, s->output->ndim, 0, error_of(f));
  RlxBuf text = {0};
  rlx_object_describe(x, &text);
  rlx_error_set(error_of(f), "%s has %lld elements, the result would have %lld",
                rlx_buf_text(&text), (long long)rlx_tensor_count(x), (long long)count);
  rlx_buf_free(&text);
  return NULL;
}

RlxObject *rlx_step_view(Frame *f, Step *s, const int64_t *dims) {
  int64_t values[RLX_TENSOR_NDIM_MAX];
  return given(f, s, view(f, s, dims_of(f, s, dims, values)));
}

RlxObject *rlx_step_shape(Frame *f, Step *s, const int64_t *dims) {
  int64_t values[RLX_TENSOR_NDIM_MAX];
  dims = dims_of(f, s, dims, values);
  return given(f, s, dims ? rlx_shape_new(heap_of(f), dims, s->output->ndim) : NULL);
}

RlxObject *rlx_step_prim(Frame *f, Step *s, const int64_t *dims) {
  int64_t values[RLX_TENSOR_NDIM_MAX];
  dims = dims_of(f, s, dims, values);
  return given(f, s, dims ? rlx_int_new(heap_of(f), dims[0], s->output->dtype) : NULL);
}

RlxObject *rlx_step_tuple(Frame *f, Step *s) {
  RlxObject *x = rlx_tuple_new(heap_of(f), NULL, 0),
            **fields = rlx_mem_zeroed((size_t)s->arg_count + 1, sizeof *fields);
  rlx_object_unref(x);
  for (int i = 0; i < s->arg_count; i++) fields[i] = rlx_reg(f, s->args[i]);
  x = rlx_tuple_new(heap_of(f), fields, s->arg_count);
  free(fields);
  return x;
}

RlxObject *rlx_step_get(Frame *f, Step *s) {
  RlxObject *x = rlx_reg(f, s->args[0]);
  if (x->kind == RLX_OBJECT_TUPLE && s->index >= 0 && s->index < x->count)
    return rlx_object_ref(x->fields[s->index]);
  rlx_error_set(error_of(f), "field %d of a tuple that has %d", s->index,
                x->kind == RLX_OBJECT_TUPLE ? x->count : 0);
  return given(f, s, NULL);
}

RlxObject *rlx_step_closure(Frame *f, Step *s) {
  Plan *local = s->local;
  uint32_t count = local->captures.count, symbols = local->sym_captures.count;
  RlxObject **captured = rlx_mem_zeroed((size_t)count + symbols + 1, sizeof *captured);
  for (uint32_t i = 0; i < count; i++)
    captured[i] =
        local->captures.at[i].outer == INT32_MIN ? NULL : rlx_reg(f, local->captures.at[i].outer);
  for (uint32_t i = 0; i < symbols; i++)
    captured[count + i] =
        rlx_int_new(heap_of(f), f->slots[local->sym_captures.at[i].outer], RLX_INT64);
  RlxObject *closure = rlx_closure_new(heap_of(f), &local->entry, captured, (int)(count + symbols));
  for (uint32_t i = 0; i < symbols; i++) rlx_object_unref(captured[count + i]);
  free(captured);
  return closure;
}

// ---- control

RlxObject *rlx_step_call(Frame *f, Step *s) {
  RlxObject *inline_args[16],
      **args =
          s->arg_count <= 16 ? inline_args : rlx_mem_zeroed((size_t)s->arg_count, sizeof *args),
      *closure = NULL, *x = NULL;
  int shift = s->kind == STEP_INVOKE;
  for (int i = 0; i < s->arg_count; i++) args[i] = rlx_reg(f, s->args[i]);
  Entry *entry = s->callee;
  if (shift) {
    closure = args[0];
    union {
      const void *in;
      Entry *out;
    } code = {closure->kind == RLX_OBJECT_CLOSURE ? closure->code : NULL};
    entry = code.out;
  }
  if (entry)
    x = rlx_entry_call(entry, args + shift, s->arg_count - shift, closure, f->plan->program->error);
  else
    rlx_error_set(error_of(f), closure && closure->kind == RLX_OBJECT_CLOSURE
                                   ? "this function was made by an evaluation that has ended"
                                   : "what is called is no function");
  if (args != inline_args) free(args);
  if (x) return checked(f, s, x);
  // A Relax function said where.
  bool is_plan = entry && entry->kind != ENTRY_EXTERN && entry->kind != RLX_ISLAND_PRIM_FUNC;
  return is_plan ? NULL : given(f, s, NULL);
}

int32_t rlx_step_match(Frame *f, Step *s) {
  RlxObject *value = rlx_reg(f, s->args[0]);
  rlx_check_bind(f, s->check, value);
  const char *kind = s->binding->kind == RLX_BINDING_MATCH_CAST ? "match_cast" : "annotation of";
  if (rlx_check_value(f, s->check, value, kind, text_of(f, s->binding->var), error_of(f))) return 1;
  point_at(f->plan->program->error, s);
  return 0;
}

int32_t rlx_step_truth(Frame *f, Step *s) {
  const RlxObject *x = rlx_reg(f, s->args[0]);
  if (x->kind == RLX_OBJECT_INT) return x->integer != 0;
  if (x->kind == RLX_OBJECT_TENSOR && rlx_tensor_count(x) == 1)
    return rlx_element_integer(x->data, x->dtype, 0) != 0;
  rlx_error_set(error_of(f), "the condition is not one bool");
  blame(f->plan, s);
  return -1;
}

// ---- traces

int64_t rlx_body_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// "  accesses: 2 proved, 1 guarded before the loops".
static void put_guards(const RlxGuardCounts *n, RlxBuf *out) {
  int guarded = n->hoisted + n->checked;
  rlx_buf_printf(out, "  accesses: %d proved, %d guarded", n->proved, guarded);
  if (guarded && !n->checked) rlx_buf_puts(out, " before the loops");
  if (n->hoisted && n->checked) rlx_buf_printf(out, ", %d of them before the loops", n->hoisted);
}

enum { MAX_TRACED_PARAMS = 64 };

/// The parameters, which nothing has dropped when the first step is done.
static void put_params(const Frame *f, const Step *s, RlxTracedParam *params, RlxTracedStep *out) {
  const Plan *plan = f->plan;
  const Step *first = plan->steps.at;
  while (first < s && first->dst < 0) first++;
  if (first != s || !plan->function) return;
  for (uint32_t i = 0; i < plan->function->param_count && i < MAX_TRACED_PARAMS; i++)
    if ((int)i != s->dst && f->regs[i])
      params[out->param_count++] = (RlxTracedParam){plan->function->params[i]->name, f->regs[i]};
  out->params = params;
}

/// How long it took to tell of steps from `start` on; the last is the one that is being told.
static int64_t told_since(const RlxProgram *program, int64_t start) {
  uint32_t low = 0, high = program->tellings.count - 1;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (program->tellings.at[middle].start < start)
      low = middle + 1;
    else
      high = middle;
  }
  return rlx_vec_last(&program->tellings).before - program->tellings.at[low].before;
}

static void tell_step(Frame *f, Step *s, double us);

void rlx_body_trace(Frame *f, Step *s, int64_t start) {
  RlxProgram *program = f->plan->program;
  const int64_t now = rlx_body_clock();
  if (!program->tellings.count) rlx_vec_push(&program->tellings, ((Telling){now, 0}));
  rlx_vec_last(&program->tellings).start = now;
  tell_step(f, s, (double)(now - start - told_since(program, start)) * 1e-3);
  const int64_t all = rlx_vec_last(&program->tellings).before + rlx_body_clock() - now;
  rlx_vec_push(&program->tellings, ((Telling){INT64_MAX, all})); // the next
}

static void tell_step(Frame *f, Step *s, double us) {
  const RlxJitOptions *options = &f->plan->program->jit->options;
  if (options->on_step) {
    const KernelCall *k = s->kernel;
    const RlxCall *call = s->call;
    RlxBuf what = {0};
    if (s->text)
      rlx_buf_puts(&what, s->text);
    else if (call && call->row)
      rlx_buf_printf(&what, *call->row->script ? "R.%s" : "%s",
                     *call->row->script ? call->row->script : call->row->registry);
    else if (s->callee)
      rlx_buf_puts(&what, rlx_store_text(f->plan->program->store, s->callee->name));
    RlxTracedStep step = {.function = f->plan->name,
                          .what = what.size ? rlx_buf_text(&what) : NULL,
                          .binding = s->binding,
                          .merged = s->merged,
                          .merged_count = s->merged_count,
                          .value = f->regs[s->dst],
                          .us = us,
                          .is_call = s->kind == STEP_CALL || s->kind == STEP_INVOKE,
                          .kernel = k && k->kernel ? k->kernel->hash : 0};
    RlxTracedParam params[MAX_TRACED_PARAMS];
    put_params(f, s, params, &step);
    options->on_step(options->step_data, &step);
    rlx_buf_free(&what);
    return;
  }
  RlxBuf line = {0};
  rlx_program_locate(f->plan->program, s, &line);
  rlx_buf_puts(&line, "  ");
  rlx_object_print_sinfo(f->regs[s->dst], &line);
  rlx_buf_printf(&line, "  %.1f us", us);
  if (s->kernel && s->kernel->kernel) put_guards(&s->kernel->kernel->guards, &line);
  fprintf(stderr, "%s\n", rlx_buf_text(&line));
  rlx_buf_free(&line);
}
