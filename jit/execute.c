/// Running plans.
///
/// Always true: every path out of a frame drops its registers; a kernel is called only after its tensors were bound to its
/// buffers, once for each new combination of shapes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "jit/plan.h"
#include "jit/runtime/context.h"
#include "jit/runtime/format.h"

enum { MAX_TENSORS = 320 };

/// Whether the shapes are those of the last call; remembers them otherwise.
static bool same_shapes(KernelCall *call, RlxObject *const *tensors, const int64_t *scalars) {
  Kernel *k = call->kernel;
  int total = k->scalar_count;
  for (int i = 0; i < k->tensor_count; i++) total += tensors[i]->count + 1;
  if (total != call->dim_total || !call->last_shape) {
    free(call->last_shape);
    call->last_shape = rlx_mem_zeroed((size_t)total + (size_t)k->var_count + 1, sizeof *call->last_shape);
    call->vars = call->last_shape + total;
    call->dim_total = total;
    call->is_bound = false;
  }
  int64_t *at = call->last_shape;
  bool same = call->is_bound;
  for (int i = 0; i < k->scalar_count; i++, at++) {
    same &= *at == scalars[i];
    *at = scalars[i];
  }
  for (int i = 0; i < k->tensor_count; i++) {
    const RlxObject *x = tensors[i];
    int64_t type = (int64_t)x->dtype.code << 32 | x->dtype.bits << 16 | x->count;
    same &= *at == type;
    *at++ = type;
    for (int d = 0; d < x->count; d++, at++) {
      same &= *at == x->dims[d];
      *at = x->dims[d];
    }
  }
  return same;
}

bool rlx_kernel_call(RlxProgram *program, KernelCall *call, RlxObject *const *tensors, const int64_t *scalars, RlxError *err) {
  Kernel *k = call->kernel;
  RlxJit *jit = program->jit;
  if (!k->fn) return rlx_error_set(err, "its kernel could not be compiled");
  if (!same_shapes(call, tensors, scalars)) {
    RlxKernelTensor seen[MAX_TENSORS];
    if (k->tensor_count > MAX_TENSORS) return rlx_error_set(err, "more than %d tensors", MAX_TENSORS);
    for (int i = 0; i < k->tensor_count; i++) seen[i] = (RlxKernelTensor){tensors[i]->dtype, tensors[i]->count, tensors[i]->dims};
    call->is_bound = rlx_kernel_bind(rlx_store_names(jit->store), k->func, seen, scalars, call->vars, err);
    if (!call->is_bound) return false;
  }
  void *data[MAX_TENSORS];
  for (int i = 0; i < k->tensor_count; i++) data[i] = tensors[i]->data;
  int32_t status = k->fn(data, call->vars, jit->context);
  if (!status) return true;
  RlxBuf text = {0};
  RlxSpan span = {0};
  jit->api->describe(k->code, status, jit->context, &text, &span);
  rlx_error_set(err, "%s", rlx_buf_text(&text));
  rlx_buf_free(&text);
  rlx_context_reset(jit->context);
  return false;
}

static RlxObject *make_output(Frame *f, const Output *o, RlxError *err) {
  int64_t dims[64];
  for (int i = 0; i < o->ndim; i++)
    if (!rlx_dim_value(f, &o->dims[i], &dims[i])) return rlx_error_set(err, "dimension %d of the result has no value", i), NULL;
  return rlx_tensor_new(f->plan->program->jit->heap, o->dtype, dims, o->ndim, err);
}

RlxObject *rlx_kernel_run(Frame *f, Step *s, RlxError *err) {
  KernelCall *call = s->kernel;
  RlxHeap *heap = f->plan->program->jit->heap;
  RlxObject *all[MAX_TENSORS], *tensors[MAX_TENSORS], *result = NULL;
  int64_t scalars[64];
  if (call->input_count + call->output_count > MAX_TENSORS || call->scalar_count > 63) return rlx_error_set(err, "too many arguments"), NULL;
  for (int i = 0; i < call->input_count; i++) {
    RlxObject *x = rlx_reg(f, call->inputs[i]);
    if (call->fields[i] >= 0) x = x->kind == RLX_OBJECT_TUPLE && call->fields[i] < x->count ? x->fields[call->fields[i]] : NULL;
    if (!x) return rlx_error_set(err, "argument %d has no value", i), NULL;
    all[i] = x;
  }
  // An operator over symbols: its rule says once per combination of shapes whether they fit.
  if (call->op && !call->is_bound && !rlx_late_check(f, s, err)) return NULL;
  int made = 0;
  bool ok = true;
  for (int i = 0; i < call->output_count && ok; i++, made++) {
    const Output *o = &call->outputs[i];
    RlxObject *x = o->inplace >= 0 ? rlx_object_ref(all[o->inplace]) : make_output(f, o, err);
    if (!x) {
      ok = false;
      break;
    }
    all[call->input_count + i] = x;
  }
  for (int i = 0; i < call->scalar_count && ok; i++)
    if (!rlx_dim_value(f, &call->scalars[i], &scalars[i])) ok = rlx_error_set(err, "an integer argument has no value");
  if (ok && call->order) {
    const RlxPrimFunc *func = call->kernel->func;
    int64_t ordered[64];
    int tensor = 0, scalar = 0;
    for (int i = 0; i < func->param_count && ok; i++) {
      int from = call->order[i];
      bool is_scalar = from >= call->input_count + call->output_count;
      if (func->params[i].buffer) {
        if (is_scalar || all[from]->kind != RLX_OBJECT_TENSOR) ok = rlx_error_set(err, "argument %d is no tensor", i);
        else tensors[tensor++] = all[from];
      } else if (scalar == 64) ok = rlx_error_set(err, "too many integer arguments");
      else if (is_scalar) ordered[scalar++] = scalars[from - call->input_count - call->output_count];
      else if (all[from]->kind == RLX_OBJECT_INT) ordered[scalar++] = all[from]->integer;
      else if (all[from]->kind == RLX_OBJECT_FLOAT) memcpy(&ordered[scalar++], &all[from]->number, sizeof(double));
      else ok = rlx_error_set(err, "argument %d is no number", i);
    }
    if (ok) memcpy(scalars, ordered, (size_t)scalar * sizeof *scalars);
  } else if (ok)
    for (int i = 0; i < call->input_count + call->output_count; i++) {
      tensors[i] = all[i];
      if (all[i]->kind != RLX_OBJECT_TENSOR) ok = rlx_error_set(err, "argument %d is no tensor", i);
    }
  if (ok && call->op && call->last_shape) { // other shapes than last time: the rule looks again
    bool was = call->is_bound;
    if (was && !same_shapes(call, tensors, scalars)) {
      call->is_bound = false;
      ok = rlx_late_check(f, s, err);
    }
  }
  ok = ok && rlx_kernel_call(f->plan->program, call, tensors, scalars, err);
  RlxObject **outs = &all[call->input_count];
  if (ok) result = call->is_tuple ? rlx_tuple_new(heap, outs, made) : rlx_object_ref(outs[0]);
  for (int i = 0; i < made; i++) rlx_object_unref(outs[i]);
  return result;
}

static RlxObject *run_view(Frame *f, Step *s, RlxError *err) {
  RlxObject *x = rlx_reg(f, s->args[0]);
  int64_t dims[64], count = 1;
  for (int i = 0; i < s->output->ndim; i++) {
    if (!rlx_dim_value(f, &s->output->dims[i], &dims[i])) return rlx_error_set(err, "dimension %d of the result has no value", i), NULL;
    count *= dims[i];
  }
  if (x->kind != RLX_OBJECT_TENSOR) return rlx_error_set(err, "the operand is no tensor"), NULL;
  if (count != rlx_tensor_count(x)) {
    RlxBuf text = {0};
    rlx_object_describe(x, &text);
    rlx_error_set(err, "%s has %lld elements, the result would have %lld", rlx_buf_text(&text), (long long)rlx_tensor_count(x), (long long)count);
    rlx_buf_free(&text);
    return NULL;
  }
  return rlx_tensor_view(f->plan->program->jit->heap, x, x->dtype, dims, s->output->ndim, 0, err);
}

static RlxObject *run_closure(Frame *f, Step *s) {
  Plan *local = s->local;
  RlxHeap *heap = f->plan->program->jit->heap;
  uint32_t count = local->captures.count, symbols = local->sym_captures.count;
  RlxObject **captured = rlx_mem_zeroed((size_t)count + symbols + 1, sizeof *captured);
  for (uint32_t i = 0; i < count; i++) captured[i] = local->captures.at[i].outer == INT32_MIN ? NULL : rlx_reg(f, local->captures.at[i].outer);
  for (uint32_t i = 0; i < symbols; i++) captured[count + i] = rlx_int_new(heap, f->slots[local->sym_captures.at[i].outer], RLX_INT64);
  RlxObject *closure = rlx_closure_new(heap, &local->entry, captured, (int)(count + symbols));
  for (uint32_t i = 0; i < symbols; i++) rlx_object_unref(captured[count + i]);
  free(captured);
  return closure;
}

static bool is_true(const RlxObject *x, bool *out, RlxError *err) {
  if (x->kind == RLX_OBJECT_INT) *out = x->integer != 0;
  else if (x->kind == RLX_OBJECT_TENSOR && rlx_tensor_count(x) == 1) *out = rlx_element_integer(x->data, x->dtype, 0) != 0;
  else return rlx_error_set(err, "the condition is not one bool");
  return true;
}

/// Runs the steps; the result is a new reference.
static RlxObject *run_steps(Frame *f, RlxRunError *err) {
  Plan *plan = f->plan;
  RlxProgram *program = plan->program;
  RlxHeap *heap = program->jit->heap;
  RlxError *e = &err->error;
  for (uint32_t pc = 0; pc < plan->steps.count;) {
    Step *s = &plan->steps.at[pc++];
    *program->watch = s;
    RlxObject *x = NULL;
    struct timespec t0;
    if (program->jit->options.trace) clock_gettime(CLOCK_MONOTONIC, &t0);
    switch ((StepKind)s->kind) {
    case STEP_MOVE: x = rlx_object_ref(rlx_reg(f, s->args[0])); break;
    case STEP_KERNEL:
      x = rlx_kernel_run(f, s, e);
      // Sizes that a kernel's own variables do not determine are known with the values.
      if (!x && s->kernel->op && !s->kernel->is_bound && s->kernel->last_shape) {
        RlxError first = *e;
        x = rlx_late_run(f, s, e);
        if (x) *e = (RlxError){{0}};
        else *e = first;
      }
      break;
    case STEP_LATE: x = rlx_late_run(f, s, e); break;
    case STEP_BUILTIN: {
      x = rlx_builtin_run(f, s, e);
      if (x && s->check && !rlx_check_value(f, s->check, x, "result of", s->binding ? rlx_store_text(program->store, s->binding->var->name) : "", e)) {
        rlx_object_unref(x);
        x = NULL;
        goto failed;
      }
      break;
    }
    case STEP_VIEW: x = run_view(f, s, e); break;
    case STEP_SHAPE: {
      int64_t dims[64];
      bool ok = s->output->ndim <= 64;
      for (int i = 0; ok && i < s->output->ndim; i++) ok = rlx_dim_value(f, &s->output->dims[i], &dims[i]);
      if (ok) x = rlx_shape_new(heap, dims, s->output->ndim);
      else rlx_error_set(e, "a dimension has no value");
      break;
    }
    case STEP_PRIM: {
      int64_t v;
      if (rlx_dim_value(f, s->output->dims, &v)) x = rlx_int_new(heap, v, s->output->dtype);
      else rlx_error_set(e, "a number has no value");
      break;
    }
    case STEP_TUPLE: {
      x = rlx_tuple_new(heap, NULL, 0);
      RlxObject **fields = rlx_mem_zeroed((size_t)s->arg_count + 1, sizeof *fields);
      for (int i = 0; i < s->arg_count; i++) fields[i] = rlx_reg(f, s->args[i]);
      rlx_object_unref(x);
      x = rlx_tuple_new(heap, fields, s->arg_count);
      free(fields);
      break;
    }
    case STEP_GET: {
      RlxObject *tuple = rlx_reg(f, s->args[0]);
      if (tuple->kind == RLX_OBJECT_TUPLE && s->index >= 0 && s->index < tuple->count) x = rlx_object_ref(tuple->fields[s->index]);
      else rlx_error_set(e, "field %d of a tuple that has %d", s->index, tuple->kind == RLX_OBJECT_TUPLE ? tuple->count : 0);
      break;
    }
    case STEP_CALL:
    case STEP_INVOKE: {
      int shift = s->kind == STEP_INVOKE;
      RlxObject **args = rlx_mem_zeroed((size_t)s->arg_count + 1, sizeof *args), *closure = NULL;
      for (int i = 0; i < s->arg_count; i++) args[i] = rlx_reg(f, s->args[i]);
      Entry *entry = s->callee;
      if (shift) {
        closure = args[0];
        union { const void *in; Entry *out; } code = {closure->kind == RLX_OBJECT_CLOSURE ? closure->code : NULL};
        entry = code.out;
      }
      if (entry) x = rlx_entry_call(entry, args + shift, s->arg_count - shift, closure, err);
      else rlx_error_set(e, "what is called is no function");
      free(args);
      if (!x && entry && entry->kind != ENTRY_EXTERN) return NULL; // the callee said where
      if (x && s->check && !rlx_check_value(f, s->check, x, "result of", s->binding ? rlx_store_text(program->store, s->binding->var->name) : "", e)) {
        rlx_object_unref(x);
        goto failed;
      }
      break;
    }
    case STEP_CLOSURE: x = run_closure(f, s); break;
    case STEP_MATCH: {
      RlxObject *value = rlx_reg(f, s->args[0]);
      const char *name = rlx_store_text(program->store, s->binding->var->name);
      rlx_check_bind(f, s->check, value, name);
      if (!rlx_check_value(f, s->check, value, s->binding->kind == RLX_BINDING_MATCH_CAST ? "match_cast" : "annotation of", name, e)) goto failed;
      break;
    }
    case STEP_UNLESS: {
      bool yes = false;
      if (!is_true(rlx_reg(f, s->args[0]), &yes, e)) goto failed_here;
      if (!yes) pc = (uint32_t)s->index;
      break;
    }
    case STEP_JUMP: pc = (uint32_t)s->index; break;
    case STEP_NOP: break;
    case STEP_RETURN: return rlx_object_ref(rlx_reg(f, s->args[0]));
    }
    if (s->dst >= 0) {
      if (!x) goto failed_here;
      rlx_object_unref(f->regs[s->dst]);
      f->regs[s->dst] = x;
      if (program->jit->options.trace) {
        struct timespec t1;
        clock_gettime(CLOCK_MONOTONIC, &t1);
        RlxBuf line = {0};
        rlx_program_position(program, s, &line);
        rlx_buf_puts(&line, "  ");
        rlx_object_print_sinfo(x, &line);
        fprintf(stderr, "%s  %.1f us\n", rlx_buf_text(&line), (double)(t1.tv_sec - t0.tv_sec) * 1e6 + (double)(t1.tv_nsec - t0.tv_nsec) * 1e-3);
        rlx_buf_free(&line);
      }
    }
    for (int i = 0; i < s->free_count; i++) {
      rlx_object_unref(f->regs[s->frees[i]]);
      f->regs[s->frees[i]] = NULL;
    }
    continue;
  failed_here: {
    RlxBuf where = {0};
    rlx_program_position(program, s, &where);
    rlx_error_prefix(e, "%s", rlx_buf_text(&where));
    rlx_buf_free(&where);
  }
  failed:
    if (s->binding && s->binding->stmt) err->span = rlx_stmt_absolute(s->binding->stmt, s->binding->span);
    return NULL;
  }
  return NULL;
}

static bool enter(Frame *f, RlxObject *const *args, int count, RlxRunError *err) {
  Plan *plan = f->plan;
  const RlxFunction *fn = plan->function;
  RlxStore *store = plan->program->store;
  if (count != (int)fn->param_count) return rlx_error_set(&err->error, "%s: takes %u arguments, %d were given", plan->name, fn->param_count, count);
  for (int i = 0; i < count; i++) {
    if (!args[i]) return rlx_error_set(&err->error, "%s: parameter %s has no value", plan->name, rlx_store_text(store, fn->params[i]->name));
    f->regs[i] = rlx_object_ref(args[i]);
    rlx_check_bind(f, &plan->params[i], args[i], rlx_store_text(store, fn->params[i]->name));
  }
  for (int i = 0; i < count; i++)
    if (!rlx_check_value(f, &plan->params[i], args[i], "parameter", rlx_store_text(store, fn->params[i]->name), &err->error)) {
      err->span = rlx_stmt_absolute(fn->params[i]->stmt, fn->params[i]->span);
      return false;
    }
  if (f->closure) {
    int at = 0;
    for (uint32_t i = 0; i < plan->captures.count; i++, at++)
      f->regs[plan->captures.at[i].reg] = rlx_object_ref(plan->captures.at[i].outer == INT32_MIN ? f->closure : f->closure->fields[at]);
    for (uint32_t i = 0; i < plan->sym_captures.count; i++, at++) {
      f->slots[plan->sym_captures.at[i].slot] = f->closure->fields[at]->integer;
      f->is_set[plan->sym_captures.at[i].slot] = true;
    }
  }
  return true;
}

RlxObject *rlx_plan_run(Plan *plan, RlxObject *const *args, int count, RlxObject *closure, RlxRunError *err) {
  RlxProgram *program = plan->program;
  if (program->depth >= program->jit->options.max_depth) {
    rlx_error_set(&err->error, "%s: calls are nested more than %d deep", plan->name, program->jit->options.max_depth);
    return NULL;
  }
  size_t regs = (size_t)plan->reg_count, slots = (size_t)plan->slot_count;
  char *memory = rlx_mem_zeroed(1, regs * sizeof(RlxObject *) + slots * (sizeof(int64_t) + sizeof(Origin) + sizeof(bool)) + 1);
  void *at = memory;
  Frame f = {.plan = plan, .closure = closure};
  f.regs = at;
  at = memory + regs * sizeof(RlxObject *);
  f.slots = at;
  at = memory + regs * sizeof(RlxObject *) + slots * sizeof(int64_t);
  f.origins = at;
  at = memory + regs * sizeof(RlxObject *) + slots * (sizeof(int64_t) + sizeof(Origin));
  f.is_set = at;
  program->depth++;
  RlxObject *result = NULL;
  if (enter(&f, args, count, err)) result = run_steps(&f, err);
  if (result && plan->ret) {
    rlx_check_bind(&f, plan->ret, result, "the result");
    if (!rlx_check_value(&f, plan->ret, result, "result", "", &err->error)) {
      err->span = plan->function->stmt ? rlx_stmt_absolute(plan->function->stmt, plan->function->stmt->name_span) : (RlxSpan){0};
      rlx_object_unref(result);
      result = NULL;
    }
  }
  for (int i = 0; i < plan->reg_count; i++) rlx_object_unref(f.regs[i]);
  program->depth--;
  free(memory);
  return result;
}
