/// What a plan proves of its registers, so that it need not be checked again: from checks that were
/// made, and from what kernels allocate.
#include "base/mem.h"
#include "jit/llvm/body.h"

static Fact tensor_fact(RlxDType dtype, int ndim, const Dim *dims) {
  Fact f = {.kind = FACT_TENSOR, .dtype = dtype, .ndim = ndim, .dims = dims};
  bool known = rlx_dtype_known(dtype) && ndim >= 0 && (dims || ndim == 0);
  return known ? f : (Fact){.kind = FACT_NONE};
}

static Fact check_fact(const Check *check) {
  const RlxSInfo *a = check->sinfo;
  if (a->kind == RLX_SINFO_TENSOR) return tensor_fact(a->dtype, a->ndim, check->dims);
  if (a->kind == RLX_SINFO_TUPLE)
    return (Fact){.kind = FACT_FIELDS, .count = a->count, .fields = check->fields};
  return (Fact){.kind = FACT_NONE};
}

static Fact output_fact(const Output *o) {
  return o->inplace < 0 ? tensor_fact(o->dtype, o->ndim, o->dims) : (Fact){.kind = FACT_NONE};
}

static Fact field_fact(const Fact *tuple, int index) {
  if (index < 0 || index >= tuple->count) return (Fact){.kind = FACT_NONE};
  if (tuple->kind == FACT_FIELDS) return check_fact(&tuple->fields[index]);
  if (tuple->kind == FACT_RESULTS) return output_fact(&tuple->results->outputs[index]);
  return (Fact){.kind = FACT_NONE};
}

static bool fact_static(const Fact *f, RlxDType *dtype, int *ndim, int64_t *dims) {
  if (f->kind != FACT_TENSOR || f->ndim > RLX_TENSOR_NDIM_MAX) return false;
  *dtype = f->dtype;
  *ndim = f->ndim;
  for (int i = 0; i < f->ndim; i++) {
    if (f->dims[i].kind != DIM_CONST) return false;
    dims[i] = f->dims[i].value;
  }
  return true;
}

bool body_static(const BodyEmit *b, int reg, int field, RlxDType *dtype, int *ndim, int64_t *dims) {
  if (reg >= 0) {
    Fact part;
    const Fact *f = &b->facts[reg];
    if (field >= 0) {
      part = field_fact(f, field);
      f = &part;
    }
    return fact_static(f, dtype, ndim, dims);
  }
  const RlxObject *x = b->plan->consts.at[~reg];
  if (field >= 0 || x->kind != RLX_OBJECT_TENSOR || x->count > RLX_TENSOR_NDIM_MAX) return false;
  *dtype = x->dtype;
  *ndim = x->count;
  for (int i = 0; i < x->count; i++) dims[i] = x->dims[i];
  return true;
}

static bool same_static(const Fact *a, const Fact *b) {
  RlxDType p, q;
  int m, n;
  int64_t x[RLX_TENSOR_NDIM_MAX], y[RLX_TENSOR_NDIM_MAX];
  if (!fact_static(a, &p, &m, x) || !fact_static(b, &q, &n, y) || m != n || !rlx_dtype_equal(p, q))
    return false;
  for (int i = 0; i < m; i++)
    if (x[i] != y[i]) return false;
  return true;
}

static Fact step_fact(const BodyEmit *b, const Step *s) {
  switch ((StepKind)s->kind) {
  case STEP_MOVE: return s->args[0] >= 0 ? b->facts[s->args[0]] : (Fact){.kind = FACT_NONE};
  case STEP_KERNEL:
    if (s->kernel->op) return (Fact){.kind = FACT_NONE}; // shapes may come from the values
    if (s->kernel->is_tuple)
      return (Fact){.kind = FACT_RESULTS, .count = s->kernel->output_count, .results = s->kernel};
    return output_fact(&s->kernel->outputs[0]);
  case STEP_VIEW: return (Fact){.kind = FACT_NONE};
  case STEP_GET:
    return s->args[0] >= 0 ? field_fact(&b->facts[s->args[0]], s->index)
                           : (Fact){.kind = FACT_NONE};
  case STEP_CALL:
    if (s->callee->plan && s->callee->plan->ret) return check_fact(s->callee->plan->ret);
    return s->check ? check_fact(s->check) : (Fact){.kind = FACT_NONE};
  case STEP_BUILTIN:
  case STEP_INVOKE: return s->check ? check_fact(s->check) : (Fact){.kind = FACT_NONE};
  case STEP_LATE:
  case STEP_SHAPE:
  case STEP_PRIM:
  case STEP_TUPLE:
  case STEP_CLOSURE:
  case STEP_MATCH:
  case STEP_UNLESS:
  case STEP_JUMP:
  case STEP_NOP:
  case STEP_RETURN: break;
  }
  return (Fact){.kind = FACT_NONE};
}

void body_facts(BodyEmit *b) {
  const Plan *plan = b->plan;
  bool *is_set = rlx_mem_zeroed((size_t)plan->reg_count + 1, sizeof *is_set);
  for (uint32_t i = 0; i < plan->function->param_count; i++) {
    b->facts[i] = check_fact(&plan->params[i]);
    is_set[i] = true;
  }
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const Step *s = &plan->steps.at[i];
    if (s->kind == STEP_MATCH && s->args[0] >= 0 && check_fact(s->check).kind != FACT_NONE)
      b->facts[s->args[0]] = check_fact(s->check);
    if (s->dst < 0) continue;
    Fact f = step_fact(b, s);
    if (s->kind == STEP_VIEW) { // a view keeps the dtype
      RlxDType dtype;
      int ndim;
      int64_t dims[RLX_TENSOR_NDIM_MAX];
      if (body_static(b, s->args[0], -1, &dtype, &ndim, dims))
        f = tensor_fact(dtype, s->output->ndim, s->output->dims);
    }
    if (is_set[s->dst] && !same_static(&f, &b->facts[s->dst])) f = (Fact){.kind = FACT_NONE};
    b->facts[s->dst] = f;
    is_set[s->dst] = true;
  }
  free(is_set);
}

static bool is_buffer(const RlxTirBuffer *b, RlxDType dtype, int ndim, const int64_t *dims) {
  if (b->ndim != ndim || !rlx_dtype_equal(b->dtype, dtype)) return false;
  int64_t stride = 1;
  for (int i = ndim; i-- > 0;) {
    if (b->shape[i]->kind != RLX_TIR_INT || b->shape[i]->integer != dims[i]) return false;
    if (b->strides && (b->strides[i]->kind != RLX_TIR_INT || b->strides[i]->integer != stride))
      return false;
    stride *= dims[i];
  }
  return true;
}

bool body_is_direct(const BodyEmit *b, const Step *s) {
  const KernelCall *call = s->kernel;
  const Kernel *k = call->kernel;
  if (call->op || k->var_count || k->scalar_count || call->scalar_count || !k->fn) return false;
  if (k->tensor_count != call->input_count + call->output_count || k->tensor_count > 256)
    return false;
  for (int i = 0; i < k->tensor_count; i++) {
    int at = body_tensor(call, i), ndim;
    RlxDType dtype;
    int64_t dims[RLX_TENSOR_NDIM_MAX];
    if (at < call->input_count) {
      if (!k->trusted && k->written[i]) return false;
      if (!body_static(b, call->inputs[at], call->fields[at], &dtype, &ndim, dims)) return false;
    } else {
      const Output *o = &call->outputs[at - call->input_count];
      Fact f = output_fact(o);
      if (!fact_static(&f, &dtype, &ndim, dims)) return false;
    }
    if (!is_buffer(k->func->params[i].buffer, dtype, ndim, dims)) return false;
  }
  return true;
}
