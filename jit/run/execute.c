/// Calling kernels.
///
/// Always true: a kernel is called only after its tensors were bound to its buffers, once for each
/// new combination of shapes; code that was compiled for buffers apart from each other never gets a
/// written buffer that overlaps another one.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/codegen/codegen.h"
#include "jit/run/run.h"
#include "jit/runtime/context.h"
#include "jit/runtime/format.h"

enum { MAX_TENSORS = 320 };
#define TOO_MANY "a PrimFunc is called with at most %d tensors and %d integers"

/// Whether the shapes are those of the last call; remembers them otherwise.
static bool same_shapes(KernelCall *call, RlxObject *const *tensors, const int64_t *scalars) {
  Kernel *k = call->kernel;
  int total = k->scalar_count;
  for (int i = 0; i < k->tensor_count; i++) total += tensors[i]->count + 1;
  if (total != call->dim_total || !call->last_shape) {
    free(call->last_shape);
    call->last_shape =
        rlx_mem_zeroed((size_t)total + (size_t)k->var_count + 1, sizeof *call->last_shape);
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

bool rlx_kernel_explain(RlxJit *jit, const Kernel *k, int32_t status, RlxError *err) {
  RlxBuf text = {0};
  RlxSpan span = {0};
  RlxFault fault = jit->api->describe(k->code, status, jit->context, &text, &span);
  if (fault != RLX_FAULT_OTHER)
    rlx_error_code(err, rlx_diag_row(fault == RLX_FAULT_ASSERTION ? RLX_DIAG_ID(ASSERTION_FAILED)
                                                                  : RLX_DIAG_ID(INDEX_BOUNDS))
                            ->code);
  rlx_error_set(err, "%s", rlx_buf_text(&text));
  rlx_buf_free(&text);
  rlx_context_reset(jit->context);
  return false;
}

static bool overlap(const RlxObject *a, const RlxObject *b) {
  const char *p = a->data, *q = b->data;
  return p < q + rlx_tensor_bytes(b) && q < p + rlx_tensor_bytes(a);
}

/// Whether the kernel may write to memory that it knows by another name, too.
static bool overlaps(const Kernel *k, RlxObject *const *tensors) {
  for (int i = 0; i < k->tensor_count; i++)
    for (int j = 0; k->written[i] && j < k->tensor_count; j++)
      if (i != j && overlap(tensors[i], tensors[j])) return true;
  return false;
}

bool rlx_kernel_call(RlxProgram *program, KernelCall *call, RlxObject *const *tensors,
                     const int64_t *scalars, RlxError *err) {
  Kernel *k = call->kernel;
  RlxJit *jit = program->jit;
  if (!k->fn) return rlx_error_set(err, "its kernel could not be compiled");
  if (!same_shapes(call, tensors, scalars)) {
    RlxKernelTensor seen[MAX_TENSORS];
    if (k->tensor_count > MAX_TENSORS)
      return rlx_error_set(err, "more than %d tensors", MAX_TENSORS);
    for (int i = 0; i < k->tensor_count; i++)
      seen[i] = (RlxKernelTensor){tensors[i]->dtype, tensors[i]->count, tensors[i]->dims};
    call->is_bound =
        rlx_kernel_bind(rlx_store_names(jit->store), k->func, seen, scalars, call->vars, err);
    if (!call->is_bound) {
      if (!*err->code) rlx_error_code(err, rlx_diag_row(RLX_DIAG_ID(VALUE_CHECK))->code);
      return false;
    }
  }
  // Operators write to new tensors only; what others were given may be one tensor twice.
  if (!k->trusted && !k->may_alias && overlaps(k, tensors) &&
      !(k = rlx_kernel_aliasing(jit, k, err)))
    return false;
  if (jit->elsewhere)
    return jit->elsewhere(jit->elsewhere_data, k, tensors, call->vars) ||
           rlx_error_set(err, "it did not run there");
  void *data[MAX_TENSORS];
  for (int i = 0; i < k->tensor_count; i++) data[i] = tensors[i]->data;
  int32_t status = k->fn(data, call->vars, jit->context);
  return !status || rlx_kernel_explain(jit, k, status, err);
}

RlxObject *rlx_output_new(RlxHeap *heap, const Output *o, const int64_t *dims, RlxError *err) {
  RlxObject *x = rlx_tensor_new(heap, o->dtype, dims, o->ndim, err);
  if (x && o->is_cleared) memset(x->data, 0, (size_t)rlx_tensor_bytes(x));
  return x;
}

static RlxObject *make_output(Frame *f, const Output *o, const int64_t *known, RlxError *err) {
  int64_t dims[RLX_TENSOR_NDIM_MAX];
  if (!rlx_ndim_fits(o->ndim, err)) return NULL;
  for (int i = 0; i < o->ndim; i++)
    if (known)
      dims[i] = known[i];
    else if (!rlx_dim_value(f, &o->dims[i], &dims[i]))
      return rlx_error_set(err, "dimension %d of the result has no value", i), NULL;
  return rlx_output_new(f->plan->program->jit->heap, o, dims, err);
}

/// The tensor that a result is written to. In place: the argument, or its copy when somebody else
/// sees the same memory.
static RlxObject *output_in(Frame *f, const KernelCall *call, const Output *o, const int64_t *dims,
                            RlxObject **all, RlxError *err) {
  if (o->inplace < 0) return make_output(f, o, dims, err);
  RlxObject *x = all[o->inplace];
  if (x->kind != RLX_OBJECT_TENSOR)
    return rlx_error_set(err, "argument %d is no tensor", o->inplace), NULL;
  bool is_shared = o->copies || !x->storage || x->storage->refs > 1;
  for (int i = 0; i < call->input_count && !is_shared; i++)
    is_shared = i != o->inplace && all[i]->kind == RLX_OBJECT_TENSOR && overlap(x, all[i]);
  if (!is_shared) {
    x->storage->is_written = true;
    return rlx_object_ref(x);
  }
  RlxObject *copy = rlx_tensor_new(f->plan->program->jit->heap, x->dtype, x->dims, x->count, err);
  if (copy) memcpy(copy->data, x->data, (size_t)rlx_tensor_bytes(x));
  return all[o->inplace] = copy;
}

/// The operands of the step, from their registers; false and `err`.
static bool inputs_of(Frame *f, const KernelCall *call, RlxObject **all, RlxError *err) {
  for (int i = 0; i < call->input_count; i++) {
    RlxObject *x = rlx_reg(f, call->inputs[i]);
    if (call->fields[i] >= 0)
      x = x->kind == RLX_OBJECT_TUPLE && call->fields[i] < x->count ? x->fields[call->fields[i]]
                                                                    : NULL;
    if (!x) return rlx_error_set(err, "argument %d has no value", i);
    all[i] = x;
  }
  return true;
}

/// Inputs and outputs are the kernel's tensors, one after another.
static bool all_tensors(const KernelCall *call, RlxObject *const *all, RlxObject **tensors,
                        RlxError *err) {
  bool ok = true;
  for (int i = 0; i < call->input_count + call->output_count; i++) {
    tensors[i] = all[i];
    if (all[i]->kind != RLX_OBJECT_TENSOR) ok = rlx_error_set(err, "argument %d is no tensor", i);
  }
  return ok;
}

/// Inputs, outputs and integers as the PrimFunc's parameters want them; `scalars` come in the order
/// of the step and go out in that of the parameters.
static bool in_order(const KernelCall *call, RlxObject *const *all, int64_t *scalars,
                     RlxObject **tensors, RlxError *err) {
  const RlxPrimFunc *func = call->kernel->func;
  int64_t ordered[RLX_KERNEL_MAX_VARS];
  int tensor = 0, scalar = 0;
  for (int i = 0; i < func->param_count; i++) {
    int from = call->order[i];
    bool is_scalar = from >= call->input_count + call->output_count;
    if (func->params[i].buffer) {
      if (is_scalar || all[from]->kind != RLX_OBJECT_TENSOR)
        return rlx_error_set(err, "argument %d is no tensor", i);
      tensors[tensor++] = all[from];
    } else if (scalar == RLX_KERNEL_MAX_VARS)
      return rlx_error_set(err, TOO_MANY, MAX_TENSORS, RLX_KERNEL_MAX_VARS);
    else if (is_scalar)
      ordered[scalar++] = scalars[from - call->input_count - call->output_count];
    else if (all[from]->kind == RLX_OBJECT_INT)
      ordered[scalar++] = all[from]->integer;
    else if (all[from]->kind == RLX_OBJECT_FLOAT)
      memcpy(&ordered[scalar++], &all[from]->number, sizeof(double));
    else
      return rlx_error_set(err, "argument %d is no number", i);
  }
  memcpy(scalars, ordered, (size_t)scalar * sizeof *scalars);
  return true;
}

RlxObject *rlx_kernel_run(Frame *f, Step *s, const int64_t *dims, RlxError *err) {
  KernelCall *call = s->kernel;
  RlxHeap *heap = f->plan->program->jit->heap;
  RlxObject *all[MAX_TENSORS], *tensors[MAX_TENSORS], *result = NULL;
  int64_t scalars[RLX_KERNEL_MAX_VARS];
  if (call->input_count + call->output_count > MAX_TENSORS ||
      call->scalar_count > RLX_KERNEL_MAX_VARS)
    return rlx_error_set(err, TOO_MANY, MAX_TENSORS, RLX_KERNEL_MAX_VARS), NULL;
  if (!inputs_of(f, call, all, err)) return NULL;
  // An operator over symbols: its rule says once per combination of shapes whether they fit.
  if (call->op && !call->is_bound && !rlx_late_check(f, s, err)) return NULL;
  int made = 0;
  bool ok = true;
  for (int i = 0; i < call->output_count && ok; i++, made++) {
    const Output *o = &call->outputs[i];
    RlxObject *x = output_in(f, call, o, dims, all, err);
    if (dims) dims += o->ndim;
    if (!x) {
      ok = false;
      break;
    }
    all[call->input_count + i] = x;
  }
  for (int i = 0; i < call->scalar_count && ok; i++)
    if (dims)
      scalars[i] = dims[i];
    else if (!rlx_dim_value(f, &call->scalars[i], &scalars[i]))
      ok = rlx_error_set(err, "an integer argument has no value");
  if (ok)
    ok = call->order ? in_order(call, all, scalars, tensors, err)
                     : all_tensors(call, all, tensors, err);
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

RlxObject *rlx_late_run(Frame *f, Step *step, RlxError *err) {
  Step once = *step;
  once.kind = STEP_KERNEL;
  once.kernel = rlx_late_kernel(f, step, err);
  return once.kernel ? rlx_kernel_run(f, &once, NULL, err) : NULL;
}
