/// Operators whose shapes are known only when they run: the call is made concrete with the actual
/// values, its rule is asked again, and its kernel is made (kernels are kept by content, calls by
/// the operands' StructInfo).
#include <stdlib.h>
#include <string.h>

#include "analyzer/ops/deduce.h"
#include "base/hash.h"
#include "base/mem.h"
#include "jit/run/run.h"

/// StructInfo of a value.
static const RlxSInfo *object_sinfo(RlxStore *store, const RlxObject *x) {
  const RlxPrim *dims[RLX_TENSOR_NDIM_MAX];
  switch ((RlxObjectKind)x->kind) {
  case RLX_OBJECT_TENSOR:
  case RLX_OBJECT_SHAPE:
    if (x->count > RLX_TENSOR_NDIM_MAX) return rlx_sinfo_object(store);
    for (int i = 0; i < x->count; i++) dims[i] = rlx_prim_int(store, x->dims[i]);
    return x->kind == RLX_OBJECT_TENSOR ? rlx_sinfo_tensor(store, dims, x->count, x->dtype, NULL)
                                        : rlx_sinfo_shape(store, dims, x->count);
  case RLX_OBJECT_INT:
    return rlx_sinfo_prim(store, x->dtype, rlx_prim_int_typed(store, x->integer, x->dtype));
  case RLX_OBJECT_FLOAT: return rlx_sinfo_prim(store, x->dtype, NULL);
  case RLX_OBJECT_TUPLE: {
    const RlxSInfo **fields = rlx_mem_zeroed((size_t)x->count + 1, sizeof *fields);
    for (int i = 0; i < x->count; i++) fields[i] = object_sinfo(store, x->fields[i]);
    const RlxSInfo *a = rlx_sinfo_tuple(store, fields, x->count);
    free(fields);
    return a;
  }
  case RLX_OBJECT_STRING:
  case RLX_OBJECT_DTYPE:
  case RLX_OBJECT_CLOSURE:
  case RLX_OBJECT_NULL:
  case RLX_OBJECT_STORAGE: return rlx_sinfo_object(store);
  }
  return rlx_sinfo_object(store);
}

typedef struct Late {
  Frame *f;
  Step *step;
  RlxArena *arena;
  RlxStore *store;
  int next;      ///< operand
  RlxMap reg_of; ///< made expression → register
  uint64_t key;
} Late;

static RlxExpr *concrete_expr(Late *l, const RlxExpr *x) {
  int reg = l->step->args[l->next++];
  const RlxObject *value = rlx_reg(l->f, reg);
  RlxExpr *out = rlx_arena_copy(l->arena, x, 1, sizeof *x);
  rlx_map_put(&l->reg_of, (uint64_t)(uintptr_t)out, (uint64_t)(uint32_t)reg);
  if (x->kind == RLX_EXPR_CONSTANT) return out;
  out->sinfo = object_sinfo(l->store, value);
  l->key = rlx_hash_mix(l->key, rlx_hash_ptr(out->sinfo));
  if (value->kind == RLX_OBJECT_SHAPE) {
    out->kind = RLX_EXPR_SHAPE;
    out->dims = out->sinfo->dims;
    out->dim_count = value->count;
  } else if (value->kind == RLX_OBJECT_INT) {
    out->kind = RLX_EXPR_PRIM;
    out->prim = out->sinfo->value;
  } else if (value->kind == RLX_OBJECT_FLOAT) {
    out->kind = RLX_EXPR_PRIM;
    out->prim = rlx_prim_float(l->store, value->number, value->dtype);
    l->key = rlx_hash_mix(l->key, rlx_hash_ptr(out->prim));
  } else if (x->kind != RLX_EXPR_VAR) {
    out->kind = RLX_EXPR_VAR;
    out->var = rlx_arena_one(l->arena, RlxVar);
    out->var->sinfo = out->sinfo;
  } else {
    out->var = rlx_arena_copy(l->arena, x->var, 1, sizeof *x->var);
    out->var->sinfo = out->sinfo;
  }
  return out;
}

static RlxValue concrete_value(Late *l, const RlxValue *v) {
  RlxValue out = *v;
  if (v->kind == RLX_VALUE_EXPR)
    out.expr = concrete_expr(l, v->expr);
  else if (v->kind == RLX_VALUE_LIST) {
    out.items = rlx_arena_array(l->arena, RlxValue, v->count + 1);
    for (uint32_t i = 0; i < v->count; i++) out.items[i] = concrete_value(l, &v->items[i]);
  } else if (v->kind == RLX_VALUE_PRIM) {
    int64_t integer;
    if (rlx_frame_eval(l->f, v->prim, &integer)) {
      out.prim = rlx_prim_int_typed(l->store, integer, v->prim->dtype);
      l->key = rlx_hash_mix(l->key, rlx_hash_ptr(out.prim));
    }
  }
  return out;
}

static RlxCall *concrete_call(Late *l) {
  const RlxCall *from = l->step->call;
  RlxCall *call = rlx_arena_copy(l->arena, from, 1, sizeof *from);
  call->args = rlx_arena_array(l->arena, RlxValue, from->arg_count + 1);
  for (uint32_t i = 0; i < from->arg_count; i++)
    call->args[i] =
        from->args[i].kind == RLX_VALUE_CALLEE ? from->args[i] : concrete_value(l, &from->args[i]);
  return call;
}

/// The rule's answer on concrete arguments; NULL and `err` when it reports a mistake.
static const RlxSInfo *deduce(Late *l, RlxCall *call, RlxError *err) {
  RlxSink sink = {.arena = l->arena};
  RlxDeduce d = {.store = l->store, .scratch = l->arena, .sink = &sink};
  const RlxSInfo *out = call->row->deduce(&d, call);
  for (uint32_t i = 0; i < sink.diags.count; i++) {
    if (sink.diags.at[i]->severity != RLX_ERROR) continue;
    rlx_error_code(err, rlx_diag_row(sink.diags.at[i]->id)->code);
    rlx_error_set(err, "%s", sink.diags.at[i]->message);
    out = NULL;
    break;
  }
  rlx_vec_free(&sink.diags);
  return out;
}

bool rlx_late_check(Frame *f, Step *step, RlxError *err) {
  Late l = {.f = f, .step = step, .arena = rlx_arena_new(), .store = f->plan->program->store};
  RlxCall *call = concrete_call(&l);
  bool ok = deduce(&l, call, err) != NULL;
  rlx_map_free(&l.reg_of);
  rlx_arena_free(l.arena);
  return ok;
}

static void set_outputs(KernelCall *k, RlxArena *arena, const RlxSInfo *a, int *at) {
  if (a->kind == RLX_SINFO_TUPLE) {
    for (int i = 0; i < a->count; i++) set_outputs(k, arena, a->fields[i], at);
    return;
  }
  Output *o = &k->outputs[(*at)++];
  *o = (Output){.dtype = a->dtype, .ndim = a->ndim, .inplace = -1};
  o->dims = rlx_arena_array(arena, Dim, a->ndim + 1);
  for (int i = 0; i < a->ndim; i++) rlx_prim_is_const(a->dims[i], &o->dims[i].value);
}

/// Number of places first, first + stride, … before `end` in an axis of `extent` elements, by
/// Python's rule of slices. `stride` is not 0.
static int64_t slice_length(int64_t first, int64_t end, int64_t stride, int64_t extent) {
  int64_t low = stride < 0 ? -1 : 0, high = stride < 0 ? extent - 1 : extent,
          *at[] = {&first, &end};
  for (int i = 0; i < 2; i++) {
    if (*at[i] < 0) *at[i] += extent;
    *at[i] = *at[i] < low ? low : *at[i] > high ? high : *at[i];
  }
  uint64_t step = stride < 0 ? -(uint64_t)stride : (uint64_t)stride;
  int64_t span = stride < 0 ? first - end : end - first;
  return span > 0 ? (int64_t)(((uint64_t)span - 1) / step) + 1 : 0;
}

/// Whether the rule can't know the result's shape, because it depends on values of the operands.
static bool has_shape_of_values(const RlxCall *call) {
  return call->row->id == RLX_OP_ID(dynamic_strided_slice);
}

/// StructInfo of the result by the operands' values: the length of each axis of the slice. `out` is
/// what the rule says. NULL and `err` when there is none.
static const RlxSInfo *out_of_values(Late *l, const RlxCall *call, const RlxSInfo *out,
                                     RlxError *err) {
  if (out->kind != RLX_SINFO_TENSOR) return out;
  const RlxObject *operand[4] = {NULL}; // x, begin, end, strides
  for (int i = 0; i < 4; i++) {
    uint64_t reg;
    if (call->args[i].kind == RLX_VALUE_EXPR &&
        rlx_map_get(&l->reg_of, (uint64_t)(uintptr_t)call->args[i].expr, &reg))
      operand[i] = rlx_reg(l->f, (int)(uint32_t)reg);
    bool ok = operand[i] && operand[i]->kind == RLX_OBJECT_TENSOR;
    if (ok && i)
      ok = operand[i]->count == 1 && operand[i]->dims[0] == operand[0]->count &&
           rlx_dtype_equal(operand[i]->dtype, RLX_INT64);
    if (!ok || operand[0]->count > RLX_TENSOR_NDIM_MAX)
      return rlx_error_set(err, "begin, end and strides have one int64 for each axis of x"), NULL;
  }
  const RlxPrim *dims[RLX_TENSOR_NDIM_MAX];
  const RlxObject *x = operand[0];
  for (int i = 0; i < x->count; i++) {
    int64_t at[3];
    for (int k = 0; k < 3; k++) at[k] = ((const int64_t *)operand[k + 1]->data)[i];
    if (!at[2])
      return rlx_error_set(err, "strides[%d] is 0: it is at least 1, or negative", i), NULL;
    dims[i] = rlx_prim_int(l->store, slice_length(at[0], at[1], at[2], x->dims[i]));
  }
  return rlx_sinfo_tensor(l->store, dims, x->count, x->dtype, NULL);
}

static KernelCall *specialise(Late *l, RlxCall *call, const RlxSInfo *out, RlxError *err) {
  RlxProgram *program = l->f->plan->program;
  RlxLegalized *legal = rlx_mem_zeroed(1, sizeof *legal);
  KernelCall *k = NULL;
  if (rlx_legalize(l->store, call, out, legal, err)) {
    bool ok = true;
    int *regs = rlx_arena_array(l->arena, int, legal->input_count + 1);
    for (int i = 0; i < legal->input_count && ok; i++) {
      uint64_t reg;
      ok = rlx_map_get(&l->reg_of, (uint64_t)(uintptr_t)legal->inputs[i].expr, &reg);
      if (ok) regs[i] = (int)(uint32_t)reg;
    }
    for (int i = 0; i < legal->func->param_count; i++) ok &= legal->func->params[i].buffer != NULL;
    if (ok) {
      k = rlx_kernel_call_new(program, l->arena, legal, out);
      k->inputs = regs;
      int at = 0;
      set_outputs(k, l->arena, out, &at);
      if (!rlx_kernels_compile(program->jit, err)) k = NULL;
    } else {
      rlx_primfunc_free(legal->func);
      rlx_error_set(err, "R.%s cannot be evaluated with these arguments", call->row->script);
    }
  }
  if (!k && !*err->code) rlx_error_code(err, rlx_diag_row(RLX_DIAG_ID(NOT_EVALUATED))->code);
  free(legal);
  return k;
}

KernelCall *rlx_late_kernel(Frame *f, Step *step, RlxError *err) {
  Late l = {
      .f = f, .step = step, .arena = rlx_arena_new(), .store = f->plan->program->store, .key = 1};
  RlxCall *call = concrete_call(&l);
  KernelCall *k = NULL;
  const RlxSInfo *out = NULL;
  bool ok = true;
  if (has_shape_of_values(call)) { // another shape is another kernel
    out = deduce(&l, call, err);
    if (out) out = out_of_values(&l, call, out, err);
    ok = out != NULL;
    l.key = rlx_hash_mix(l.key, rlx_hash_ptr(out));
  }
  for (uint32_t i = 0; ok && i < step->late.count && !k; i++)
    if (step->late.at[i].key == l.key) k = step->late.at[i].call;
  bool is_new = ok && !k;
  if (is_new && !out) out = deduce(&l, call, err);
  if (is_new && out) k = specialise(&l, call, out, err);
  rlx_map_free(&l.reg_of);
  if (!k || !is_new)
    rlx_arena_free(l.arena);
  else
    rlx_vec_push(&step->late, (LateKernel){l.key, k, l.arena});
  return k;
}
