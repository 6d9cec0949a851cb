/// From a Relax function to its plan.
///
/// Always true: every Relax variable has one register, set before it is used; a symbol's slot is
/// used at compile time only after the parameter or match_cast that binds it, so an operator over
/// unbound symbols becomes a late one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/plan.h"

typedef struct Region { // of a branch: steps [start, end)
  int start, end;
} Region;

struct Compiler {
  RlxProgram *program;
  Plan *plan;
  RlxArena *arena;
  Compiler *outer;
  RlxMap regs;        // RlxVar * → register + 1
  const RlxVar *self; // the local function's own variable
  Vec(bool) bound;    // by slot: has a value here
  Vec(Region) regions;
  Vec(int) defined; // by register: step that sets it; -1: on entry
  const RlxBinding *binding;
  RlxRunError *err;
};

static bool fail(Compiler *c, const char *format, const char *a, const char *b) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  rlx_error_set(&c->err->error, format, a, b);
#pragma GCC diagnostic pop
  if (c->binding && c->binding->stmt)
    c->err->span = rlx_stmt_absolute(c->binding->stmt, c->binding->span);
  return false;
}

static int slot_of(Plan *plan, const RlxSymVar *var) {
  uint64_t found;
  if (rlx_map_get(&plan->slot_of, (uint64_t)(uintptr_t)var, &found)) return (int)found;
  int slot = plan->slot_count++;
  rlx_vec_push(&plan->slots, var);
  rlx_map_put(&plan->slot_of, (uint64_t)(uintptr_t)var, (uint64_t)slot);
  return slot;
}

bool rlx_dim_set(Dim *d, Plan *plan, const RlxPrim *p) {
  *d = (Dim){.prim = p};
  if (rlx_prim_is_const(p, &d->value)) return true;
  const RlxSymVar *var = rlx_prim_as_var(p);
  if (var) {
    d->kind = DIM_SLOT;
    d->slot = slot_of(plan, var);
    return true;
  }
  d->kind = DIM_EXPR;
  const RlxSymVar *vars[64];
  int count = 0;
  rlx_prim_vars(p, vars, &count, 64);
  for (int i = 0; i < count; i++) slot_of(plan, vars[i]);
  return true;
}

static Dim *dims_of(Plan *plan, const RlxPrim *const *dims, int count) {
  Dim *out = rlx_arena_array(plan->arena, Dim, count + 1);
  for (int i = 0; i < count; i++) rlx_dim_set(&out[i], plan, dims[i]);
  return out;
}

Check *rlx_check_new(Plan *plan, const RlxSInfo *a) {
  Check *check = rlx_arena_one(plan->arena, Check);
  check->sinfo = a;
  if ((a->kind == RLX_SINFO_TENSOR || a->kind == RLX_SINFO_SHAPE) && a->dims)
    check->dims = dims_of(plan, a->dims, a->ndim);
  if (a->kind == RLX_SINFO_PRIM && a->value) check->dims = dims_of(plan, &a->value, 1);
  if (a->kind == RLX_SINFO_TUPLE) {
    check->fields = rlx_arena_array(plan->arena, Check, a->count + 1);
    for (int i = 0; i < a->count; i++) check->fields[i] = *rlx_check_new(plan, a->fields[i]);
  }
  return check;
}

/// Whether every symbol of `p` has a value here.
static bool prim_bound(Compiler *c, const RlxPrim *p) {
  const RlxSymVar *vars[64];
  int count = 0;
  rlx_prim_vars(p, vars, &count, 64);
  for (int i = 0; i < count; i++) {
    int slot = slot_of(c->plan, vars[i]);
    if ((uint32_t)slot < c->bound.count && c->bound.at[slot]) continue;
    for (Compiler *o = c->outer; o; o = o->outer) { // a symbol of a function around: captured
      uint64_t at;
      if (!rlx_map_get(&o->plan->slot_of, (uint64_t)(uintptr_t)vars[i], &at) ||
          at >= o->bound.count || !o->bound.at[at])
        continue;
      if (o != c->outer) return false;
      rlx_vec_push(&c->plan->sym_captures, (SymCapture){slot, (int)at});
      while (c->bound.count <= (uint32_t)slot) rlx_vec_push(&c->bound, false);
      c->bound.at[slot] = true;
      break;
    }
    if ((uint32_t)slot >= c->bound.count || !c->bound.at[slot]) return false;
  }
  return true;
}

/// `what` is bound by the check: where its bare symbols come from.
static void mark_bound(Compiler *c, const Check *check, const char *what) {
  const RlxSInfo *a = check->sinfo;
  int count = a->kind == RLX_SINFO_PRIM ? 1 : a->ndim;
  for (int i = 0; check->dims && i < count; i++)
    if (check->dims[i].kind == DIM_SLOT) {
      uint32_t slot = (uint32_t)check->dims[i].slot;
      while (c->bound.count <= slot) rlx_vec_push(&c->bound, false);
      if (c->bound.at[slot]) continue;
      c->bound.at[slot] = true;
      bool is_first = c->plan->origins.count <= slot;
      while (c->plan->origins.count <= slot) rlx_vec_push(&c->plan->origins, (Origin){NULL, -1});
      Origin *o = &c->plan->origins.at[slot];
      is_first = is_first || o->dim < 0;
      *o = is_first ? (Origin){what, i} : (Origin){NULL, 0};
    }
  for (int i = 0; check->fields && i < a->count; i++) mark_bound(c, &check->fields[i], what);
}

static int new_reg(Compiler *c) {
  rlx_vec_push(&c->defined, (int)c->plan->steps.count);
  return c->plan->reg_count++;
}

static Step *emit(Compiler *c, StepKind kind, int dst) {
  rlx_vec_push(&c->plan->steps, (Step){.kind = (uint8_t)kind, .dst = dst, .binding = c->binding});
  return &rlx_vec_last(&c->plan->steps);
}

static int add_const(Compiler *c, RlxObject *x) {
  rlx_vec_push(&c->plan->consts, x);
  return ~(int)(c->plan->consts.count - 1);
}

static int *copy_ints(Compiler *c, const int *at, int count) {
  return rlx_arena_copy(c->arena, at, (size_t)count + (count == 0), sizeof *at);
}

static int operand(Compiler *c, const RlxExpr *x);

// ---- constants

static int64_t const_fill(const RlxValue *v, RlxObject *x, int64_t at) {
  if (v->kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v->count; i++) at = const_fill(&v->items[i], x, at);
    return at;
  }
  if (at >= rlx_tensor_count(x)) return at;
  int64_t integer;
  if (v->kind == RLX_VALUE_FLOAT)
    rlx_element_set_number(x->data, x->dtype, at, v->number);
  else if (v->kind == RLX_VALUE_PRIM && v->prim->kind == RLX_PRIM_FLOAT)
    rlx_element_set_number(x->data, x->dtype, at, v->prim->number);
  else if (v->kind == RLX_VALUE_PRIM && rlx_prim_is_const(v->prim, &integer))
    rlx_element_set_integer(x->data, x->dtype, at, integer);
  else
    rlx_element_set_integer(x->data, x->dtype, at,
                            v->kind == RLX_VALUE_BOOL ? v->boolean : v->integer);
  return at + 1;
}

static int constant(Compiler *c, const RlxExpr *x) {
  const RlxSInfo *a = x->sinfo;
  int64_t dims[64];
  if (!x->constant.value)
    return fail(c, "a constant's data is not in the script (%s%s)", "metadata", ""), INT32_MIN;
  if (a->kind != RLX_SINFO_TENSOR || a->ndim < 0 || a->ndim > 64 || (a->ndim && !a->dims))
    return fail(c, "a constant has no known shape%s%s", "", ""), INT32_MIN;
  for (int i = 0; i < a->ndim; i++)
    if (!rlx_prim_is_const(a->dims[i], &dims[i]))
      return fail(c, "a constant has no known shape%s%s", "", ""), INT32_MIN;
  RlxObject *t = rlx_tensor_new(c->program->jit->heap, a->dtype, dims, a->ndim, &c->err->error);
  if (!t) return INT32_MIN;
  const_fill(x->constant.value, t, 0);
  return add_const(c, t);
}

// ---- leaves: the register that has an expression's value; INT32_MIN: failed

static int capture(Compiler *c, RlxVar *var) {
  if (!c->outer) return INT32_MIN;
  int outer = -1;
  if (c->self != var) {
    RlxExpr x = {.kind = RLX_EXPR_VAR, .var = var};
    outer = operand(c->outer, &x);
    if (outer == INT32_MIN) return INT32_MIN;
  }
  int reg = c->plan->reg_count++;
  rlx_vec_push(&c->defined, -1);
  rlx_map_put(&c->regs, (uint64_t)(uintptr_t)var, (uint64_t)reg + 1);
  rlx_vec_push(&c->plan->captures, (Capture){reg, c->self == var ? INT32_MIN : outer});
  return reg;
}

static int function_value(Compiler *c, const RlxExpr *x) {
  Entry *entry = NULL;
  if (x->kind == RLX_EXPR_GLOBAL)
    entry = rlx_program_entry(c->program, x->name);
  else {
    entry = rlx_arena_one(c->program->arena, Entry);
    *entry = (Entry){.name = x->name,
                     .kind = ENTRY_EXTERN,
                     .program = c->program,
                     .text = rlx_store_text(c->program->store, x->name)};
  }
  if (!entry)
    return fail(c, "`%s` is not a function of this file%s",
                rlx_store_text(c->program->store, x->name), ""),
           INT32_MIN;
  return add_const(c, rlx_closure_new(c->program->jit->heap, entry, NULL, 0));
}

static int dims_value(Compiler *c, StepKind kind, const RlxPrim *const *dims, int count,
                      RlxDType dtype) {
  bool is_static = kind == STEP_SHAPE;
  int64_t values[64];
  for (int i = 0; i < count; i++) {
    if (!prim_bound(c, dims[i])) {
      RlxBuf text = {0};
      rlx_prim_print(c->program->store, dims[i], &text);
      fail(c, "the value of `%s` is not known where it is used%s", rlx_buf_text(&text), "");
      rlx_buf_free(&text);
      return INT32_MIN;
    }
    is_static = is_static && i < 64 && rlx_prim_is_const(dims[i], &values[i]);
  }
  if (is_static) return add_const(c, rlx_shape_new(c->program->jit->heap, values, count));
  int dst = new_reg(c);
  Output *out = rlx_arena_one(c->arena, Output);
  *out = (Output){.dtype = dtype, .ndim = count, .dims = dims_of(c->plan, dims, count)};
  emit(c, kind, dst)->output = out;
  return dst;
}

static int tuple_value(Compiler *c, const RlxExpr *x) {
  int *args = rlx_arena_array(c->arena, int, x->field_count + 1);
  for (uint32_t i = 0; i < x->field_count; i++)
    if ((args[i] = operand(c, x->fields[i])) == INT32_MIN) return INT32_MIN;
  int dst = new_reg(c);
  Step *s = emit(c, STEP_TUPLE, dst);
  s->args = args;
  s->arg_count = (int)x->field_count;
  return dst;
}

static int field_of(Compiler *c, int tuple, int64_t index) {
  int dst = new_reg(c);
  Step *s = emit(c, STEP_GET, dst);
  s->args = copy_ints(c, &tuple, 1);
  s->arg_count = 1;
  s->index = (int)index;
  return dst;
}

static int operand(Compiler *c, const RlxExpr *x) {
  RlxHeap *heap = c->program->jit->heap;
  switch ((RlxExprKind)x->kind) {
  case RLX_EXPR_VAR: {
    uint64_t reg;
    if (rlx_map_get(&c->regs, (uint64_t)(uintptr_t)x->var, &reg)) return (int)reg - 1;
    int got = capture(c, x->var);
    if (got == INT32_MIN && !c->err->error.text[0])
      fail(c, "`%s` has no value here%s", rlx_store_text(c->program->store, x->var->name), "");
    return got;
  }
  case RLX_EXPR_GLOBAL:
  case RLX_EXPR_EXTERN: return function_value(c, x);
  case RLX_EXPR_CONSTANT: return constant(c, x);
  case RLX_EXPR_SHAPE: return dims_value(c, STEP_SHAPE, x->dims, x->dim_count, RLX_INT64);
  case RLX_EXPR_PRIM:
    if (x->prim->kind == RLX_PRIM_FLOAT)
      return add_const(c, rlx_float_new(heap, x->prim->number, x->prim->dtype));
    return dims_value(c, STEP_PRIM, &x->prim, 1, x->prim->dtype);
  case RLX_EXPR_STRING: {
    const char *text = rlx_store_text(c->program->store, x->name);
    return add_const(c, rlx_string_new(heap, text, strlen(text)));
  }
  case RLX_EXPR_DTYPE: return add_const(c, rlx_dtype_new(heap, x->dtype));
  case RLX_EXPR_TUPLE: return tuple_value(c, x);
  case RLX_EXPR_TUPLE_GET: {
    int tuple = operand(c, x->tuple);
    return tuple == INT32_MIN ? tuple : field_of(c, tuple, x->index);
  }
  case RLX_EXPR_HOLE:
    return fail(c, "the script is broken here: run `rlx check`%s%s", "", ""), INT32_MIN;
  case RLX_EXPR_OP:
  case RLX_EXPR_CALL:
  case RLX_EXPR_IF:
  case RLX_EXPR_FUNCTION:
    return fail(c, "an expression of this kind has no value of its own%s%s", "", ""), INT32_MIN;
  }
  return INT32_MIN;
}

// ---- calls

static void walk_value(const RlxValue *v, int param, void (*visit)(const RlxExpr *, int, void *),
                       void *data) {
  if (v->kind == RLX_VALUE_EXPR)
    visit(v->expr, param, data);
  else if (v->kind == RLX_VALUE_LIST)
    for (uint32_t i = 0; i < v->count; i++) walk_value(&v->items[i], param, visit, data);
}

void rlx_call_operands(const RlxCall *call, void (*visit)(const RlxExpr *, int, void *),
                       void *data) {
  for (uint32_t i = 0; i < call->arg_count; i++)
    if (call->args[i].kind != RLX_VALUE_CALLEE) walk_value(&call->args[i], (int)i, visit, data);
}

typedef Vec(int) Ints;
typedef struct Collect {
  Compiler *c;
  Ints regs;
  bool ok;
} Collect;

static void collect_one(const RlxExpr *x, int param, void *data) {
  Collect *k = data;
  (void)param;
  int reg = k->ok ? operand(k->c, x) : INT32_MIN;
  if (reg == INT32_MIN) k->ok = false;
  rlx_vec_push(&k->regs, reg);
}

/// A step over all expressions of the call, in order.
static bool emit_operands(Compiler *c, StepKind kind, const RlxCall *call, int dst) {
  Collect k = {.c = c, .ok = true};
  rlx_call_operands(call, collect_one, &k);
  if (k.ok) {
    Step *s = emit(c, kind, dst);
    s->call = call;
    s->args = copy_ints(c, k.regs.at ? k.regs.at : &dst, (int)k.regs.count);
    s->arg_count = (int)k.regs.count;
  }
  rlx_vec_free(&k.regs);
  return k.ok;
}

bool rlx_output_set(Output *o, Plan *plan, RlxArena *arena, const RlxSInfo *a) {
  (void)arena;
  *o = (Output){.dtype = a->dtype, .ndim = a->ndim, .inplace = -1};
  if (a->kind != RLX_SINFO_TENSOR || a->ndim < 0 || (a->ndim && !a->dims) ||
      !rlx_dtype_known(a->dtype))
    return false;
  o->dims = dims_of(plan, a->dims, a->ndim);
  return true;
}

/// Whether a result can be allocated: tensors whose dimensions have values here.
static bool is_allocatable(Compiler *c, const RlxSInfo *a) {
  if (a->kind == RLX_SINFO_TUPLE) {
    for (int i = 0; i < a->count; i++)
      if (!is_allocatable(c, a->fields[i])) return false;
    return a->count > 0;
  }
  if (a->kind != RLX_SINFO_TENSOR || a->ndim < 0 || (a->ndim && !a->dims) ||
      !rlx_dtype_known(a->dtype))
    return false;
  for (int i = 0; i < a->ndim; i++)
    if (!prim_bound(c, a->dims[i])) return false;
  return true;
}

static int count_tensors(const RlxSInfo *a) {
  if (a->kind != RLX_SINFO_TUPLE) return 1;
  int n = 0;
  for (int i = 0; i < a->count; i++) n += count_tensors(a->fields[i]);
  return n;
}

static bool set_outputs(KernelCall *k, Plan *plan, const RlxSInfo *a, int *at) {
  if (a->kind != RLX_SINFO_TUPLE) return rlx_output_set(&k->outputs[(*at)++], plan, plan->arena, a);
  for (int i = 0; i < a->count; i++)
    if (!set_outputs(k, plan, a->fields[i], at)) return false;
  return true;
}

static bool reads_by_value(const RlxTirExpr *e, bool in_index) {
  if (e->kind == RLX_TIR_LOAD && in_index) return true;
  bool inside = in_index || e->kind == RLX_TIR_LOAD;
  for (int i = 0; i < e->arg_count; i++)
    if (e->args[i] && reads_by_value(e->args[i], inside)) return true;
  return false;
}

/// Whether an index depends on tensor data: such accesses are checked at run time.
static bool is_indirect(const RlxTirStmt *s) {
  if (!s) return false;
  if (s->value && reads_by_value(s->value, false)) return true;
  if (s->kind == RLX_TIR_LET_STMT) return true;
  if (s->kind == RLX_TIR_STORE)
    for (int i = 0; i < s->buffer->ndim; i++)
      if (reads_by_value(s->indices[i], true)) return true;
  if (s->block)
    for (int i = 0; i < s->block->iter_count; i++)
      if (s->block->iters[i].binding && reads_by_value(s->block->iters[i].binding, true))
        return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (is_indirect(s->body[i])) return true;
  return is_indirect(s->init);
}

KernelCall *rlx_kernel_call_new(RlxProgram *program, RlxArena *arena, RlxLegalized *l,
                                const RlxSInfo *out) {
  KernelCall *k = rlx_arena_one(arena, KernelCall);
  RlxPrimFunc *f = l->func;
  k->input_count = l->input_count;
  k->output_count = l->output_count;
  k->inputs = rlx_arena_array(arena, int, k->input_count + 1);
  k->fields = rlx_arena_array(arena, int, k->input_count + 1);
  k->outputs = rlx_arena_array(arena, Output, k->output_count + 1);
  k->is_tuple = out->kind == RLX_SINFO_TUPLE;
  for (int i = 0; i < k->input_count; i++) k->fields[i] = l->inputs[i].field;
  k->kernel = rlx_kernel_intern(program->jit, f, !is_indirect(f->body), false);
  return k;
}

static int scalar_params(KernelCall *k, Plan *plan, const RlxPrimFunc *f, RlxStore *store,
                         Compiler *c) {
  k->scalars = rlx_arena_array(plan->arena, Dim, f->param_count + 1);
  for (int i = 0; i < f->param_count; i++) {
    if (f->params[i].buffer) continue;
    const RlxSymVar *symbol = f->params[i].var->symbol;
    if (!symbol) return -1;
    const RlxPrim *p = rlx_prim_var(store, symbol);
    if (!prim_bound(c, p)) return -1;
    rlx_dim_set(&k->scalars[k->scalar_count++], plan, p);
  }
  return k->scalar_count;
}

static bool is_static(const RlxSInfo *a) {
  return !a->has_symbols && (a->kind != RLX_SINFO_TENSOR || (a->dims || !a->ndim));
}
static void find_dynamic(const RlxExpr *x, int param, void *data) {
  (void)param;
  if (x->sinfo && !is_static(x->sinfo)) *(bool *)data = true;
}

static bool emit_kernel(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst,
                        bool *done) {
  *done = false;
  if (!is_allocatable(c, out)) return true;
  RlxLegalized *l = rlx_mem_zeroed(1, sizeof *l);
  RlxError why = {0};
  bool ok = true;
  if (!rlx_legalize(c->program->store, call, out, l, &why)) goto end;
  KernelCall probe = {0};
  if (count_tensors(out) != l->output_count ||
      scalar_params(&probe, c->plan, l->func, c->program->store, c) < 0) {
    rlx_primfunc_free(l->func);
    goto end;
  }
  RlxPrimFunc *f = l->func;
  int *regs = rlx_arena_array(c->arena, int, l->input_count + 1);
  for (int i = 0; ok && i < l->input_count; i++) {
    regs[i] = operand(c, l->inputs[i].expr);
    ok = regs[i] != INT32_MIN;
  }
  if (!ok) {
    rlx_primfunc_free(f);
    goto end;
  }
  KernelCall *k = rlx_kernel_call_new(c->program, c->arena, l, out);
  k->scalars = probe.scalars;
  k->scalar_count = probe.scalar_count;
  k->inputs = regs;
  int at = 0;
  ok = set_outputs(k, c->plan, out, &at);
  bool dynamic = !is_static(out);
  rlx_call_operands(call, find_dynamic, &dynamic);
  k->op = dynamic ? call : NULL;
  Step *s = emit(c, STEP_KERNEL, dst);
  s->call = call;
  s->kernel = k;
  Collect none = {0};
  (void)none;
  if (dynamic) { // the operator's rule looks at all its operands
    c->plan->steps.count--;
    if (!emit_operands(c, STEP_KERNEL, call, dst))
      ok = false;
    else
      rlx_vec_last(&c->plan->steps).kernel = k;
  }
  *done = true;
end:
  free(l);
  return ok;
}

/// Operators whose result is their operand under another shape, or the operand itself.
static bool is_view(RlxOpId id) {
  return id == RLX_OPID_reshape || id == RLX_OPID_flatten || id == RLX_OPID_expand_dims ||
         id == RLX_OPID_squeeze || id == RLX_OPID_to_vdevice || id == RLX_OPID_hint_on_device ||
         id == RLX_OPID_stop_lift_params;
}

static bool tensor_reg(Compiler *c, const RlxValue *v, Ints *out) {
  if (v->kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v->count; i++)
      if (!tensor_reg(c, &v->items[i], out)) return false;
    return true;
  }
  if (v->kind != RLX_VALUE_EXPR) return true;
  const RlxExpr *x = v->expr;
  if (x->kind == RLX_EXPR_TUPLE) {
    for (uint32_t i = 0; i < x->field_count; i++) {
      int reg = operand(c, x->fields[i]);
      if (reg == INT32_MIN) return false;
      rlx_vec_push(out, reg);
    }
    return true;
  }
  int reg = operand(c, x);
  if (reg == INT32_MIN) return false;
  if (x->sinfo && x->sinfo->kind == RLX_SINFO_TUPLE)
    for (int i = 0; i < x->sinfo->count; i++) rlx_vec_push(out, field_of(c, reg, i));
  else
    rlx_vec_push(out, reg);
  return true;
}

/// R.call_tir and R.call_tir_inplace: parameter i of the PrimFunc is the ith of arguments, outputs,
/// tir_vars.
static bool emit_call_tir(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst) {
  const RlxValue *callee = &call->args[rlx_op_param(call->row, "gvar")];
  const RlxExpr *x =
      callee->kind == RLX_VALUE_CALLEE || callee->kind == RLX_VALUE_EXPR ? callee->expr : NULL;
  Entry *entry = x && x->kind == RLX_EXPR_GLOBAL ? rlx_program_entry(c->program, x->name) : NULL;
  if (!entry || entry->kind != RLX_ISLAND_PRIM_FUNC)
    return fail(c, "R.%s: the function is no PrimFunc of this file%s", call->row->script, "");
  RlxPrimFunc *f = entry->prim;
  if (f->has_holes)
    return fail(c, "PrimFunc %s has parts that are not understood, so it cannot be run%s",
                rlx_store_text(c->program->store, entry->name), "");
  if (!is_allocatable(c, out))
    return fail(c, "R.%s: the shape of the result is not known where it is called%s",
                call->row->script, "");
  Ints regs = {0};
  bool ok = tensor_reg(c, &call->args[rlx_op_param(call->row, "args")], &regs);
  KernelCall *k = rlx_arena_one(c->arena, KernelCall);
  k->output_count = count_tensors(out);
  k->outputs = rlx_arena_array(c->arena, Output, k->output_count + 1);
  k->is_tuple = out->kind == RLX_SINFO_TUPLE;
  int at = 0;
  ok = ok && set_outputs(k, c->plan, out, &at);
  int indices = rlx_op_param(call->row, "inplace_indices");
  bool inplace = false;
  if (ok && indices >= 0) {
    const RlxValue *v = &call->args[indices];
    for (int i = 0; i < k->output_count; i++) {
      const RlxValue *one =
          v->kind == RLX_VALUE_LIST ? ((uint32_t)i < v->count ? &v->items[i] : NULL) : v;
      if (one && one->kind == RLX_VALUE_INT && one->integer >= 0 &&
          one->integer < (int64_t)regs.count)
        k->outputs[i].inplace = (int)one->integer, inplace = true;
    }
  }
  // Trailing integers.
  int vars_param = rlx_op_param(call->row, "tir_vars");
  Dim extra[64];
  int extra_count = 0;
  if (ok && vars_param >= 0 && call->args[vars_param].kind == RLX_VALUE_EXPR) {
    const RlxExpr *v = call->args[vars_param].expr;
    if (v->kind != RLX_EXPR_SHAPE)
      ok = fail(c, "R.%s: tir_vars is not written as a shape%s", call->row->script, "");
    for (int i = 0; ok && i < v->dim_count && i < 64; i++) {
      ok = prim_bound(c, v->dims[i]);
      rlx_dim_set(&extra[extra_count++], c->plan, v->dims[i]);
    }
  }
  k->inputs = copy_ints(c, regs.at ? regs.at : &dst, (int)regs.count);
  k->fields = rlx_arena_array(c->arena, int, regs.count + 1);
  for (uint32_t i = 0; i < regs.count; i++) k->fields[i] = -1;
  k->input_count = (int)regs.count;
  rlx_vec_free(&regs);
  int new_outputs = 0;
  for (int i = 0; i < k->output_count; i++) new_outputs += k->outputs[i].inplace < 0;
  if (ok && k->input_count + new_outputs + extra_count != f->param_count) {
    char counts[80];
    snprintf(counts, sizeof counts, "%d arguments, %d results and %d integers for %d parameters",
             k->input_count, new_outputs, extra_count, f->param_count);
    ok = fail(c, "PrimFunc %s is called with %s", rlx_store_text(c->program->store, entry->name),
              counts);
  }
  if (!ok) return false;
  k->scalars = rlx_arena_copy(c->arena, extra, (size_t)extra_count + 1, sizeof *extra);
  k->scalar_count = extra_count;
  k->order = rlx_arena_array(c->arena, int, f->param_count + 1);
  int next = 0;
  for (int i = 0; i < k->input_count; i++) k->order[next++] = i;
  for (int i = 0; i < k->output_count; i++)
    if (k->outputs[i].inplace < 0) k->order[next++] = k->input_count + i;
  for (int i = 0; i < extra_count; i++) k->order[next++] = k->input_count + k->output_count + i;
  // The program keeps its own copy: a kernel owns its PrimFunc.
  RlxPrimFunc *own = rlx_program_lower(c->program, entry->stmt);
  k->kernel = rlx_kernel_intern(c->program->jit, own, false, inplace);
  Step *s = emit(c, STEP_KERNEL, dst);
  s->call = call;
  s->kernel = k;
  s->text = rlx_store_text(c->program->store, entry->name);
  return true;
}

static bool emit_op(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst) {
  RlxOpId id = call->row->id;
  if (id == RLX_OPID_call_tir || id == RLX_OPID_call_tir_inplace ||
      id == RLX_OPID_call_tir_with_grad)
    return emit_call_tir(c, call, out, dst);
  bool reshapes = id == RLX_OPID_memory_view && call->args[2].kind != RLX_VALUE_EXPR &&
                  call->args[2].kind != RLX_VALUE_STR &&
                  (call->args[3].kind == RLX_VALUE_ABSENT || call->args[3].kind == RLX_VALUE_NONE);
  if ((is_view(id) || reshapes) && is_allocatable(c, out)) {
    Output *o = rlx_arena_one(c->arena, Output);
    rlx_output_set(o, c->plan, c->arena, out);
    if (!emit_operands(c, STEP_VIEW, call, dst)) return false;
    rlx_vec_last(&c->plan->steps).output = o;
    return true;
  }
  if (rlx_builtin_exists(id)) {
    int callee = rlx_op_param(call->row, "func");
    int closure = rlx_op_param(call->row, "closure");
    Entry *entry = NULL;
    const char *text = NULL;
    if (callee >= 0 && callee < (int)call->arg_count) {
      const RlxValue *v = &call->args[callee];
      if (v->kind == RLX_VALUE_STR)
        text = rlx_store_text(c->program->store, v->string);
      else if ((v->kind == RLX_VALUE_CALLEE || v->kind == RLX_VALUE_EXPR) &&
               (v->expr->kind == RLX_EXPR_EXTERN || v->expr->kind == RLX_EXPR_STRING))
        text = rlx_store_text(c->program->store, v->expr->name);
      else if ((v->kind == RLX_VALUE_CALLEE || v->kind == RLX_VALUE_EXPR) &&
               v->expr->kind == RLX_EXPR_GLOBAL) {
        entry = rlx_program_entry(c->program, v->expr->name);
        if (entry && entry->kind == RLX_ISLAND_RELAX && !entry->plan && !entry->is_building &&
            !(entry->plan = rlx_plan_build(c->program, entry, c->err)))
          return false;
      }
    }
    (void)closure;
    if (!emit_operands(c, STEP_BUILTIN, call, dst)) return false;
    Step *s = &rlx_vec_last(&c->plan->steps);
    s->callee = entry;
    s->text = text;
    if (id == RLX_OPID_call_dps_packed || id == RLX_OPID_builtin_alloc_tensor) {
      if (!is_allocatable(c, out))
        return fail(c, "R.%s: the shape of the result is not known where it is called%s",
                    call->row->script, "");
    }
    if (out->kind != RLX_SINFO_OBJECT) s->check = rlx_check_new(c->plan, out);
    return true;
  }
  bool done;
  if (!emit_kernel(c, call, out, dst, &done)) return false;
  if (done) return true;
  if (!rlx_legalize_exists(call->row))
    return fail(c, "R.%s cannot be evaluated%s", call->row->script, "");
  return emit_operands(c, STEP_LATE, call, dst);
}

static bool emit_function_call(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst) {
  Entry *entry = NULL;
  int callee = INT32_MIN;
  if (call->callee->kind == RLX_EXPR_GLOBAL) {
    entry = rlx_program_entry(c->program, call->callee->name);
    if (!entry)
      return fail(c, "`%s` is not a function of this file%s",
                  rlx_store_text(c->program->store, call->callee->name), "");
    if (entry->kind == RLX_ISLAND_RELAX && !entry->plan && !entry->is_building &&
        !(entry->plan = rlx_plan_build(c->program, entry, c->err)))
      return false;
  } else if ((callee = operand(c, call->callee)) == INT32_MIN)
    return false;
  int shift = entry ? 0 : 1;
  int *args = rlx_arena_array(c->arena, int, call->arg_count + 2);
  if (!entry) args[0] = callee;
  for (uint32_t i = 0; i < call->arg_count; i++) {
    if (call->args[i].kind != RLX_VALUE_EXPR && call->args[i].kind != RLX_VALUE_CALLEE)
      return fail(c, "an argument of a call is no value%s%s", "", "");
    if ((args[i + (uint32_t)shift] = operand(c, call->args[i].expr)) == INT32_MIN) return false;
  }
  Step *s = emit(c, entry ? STEP_CALL : STEP_INVOKE, dst);
  s->call = call;
  s->callee = entry;
  s->args = args;
  s->arg_count = (int)call->arg_count + shift;
  // What a function value gives is only what its signature says after a look.
  if (!entry && out->kind != RLX_SINFO_OBJECT) s->check = rlx_check_new(c->plan, out);
  return true;
}

// ---- bodies

static bool compile_body(Compiler *c, const RlxBody *body, int *out);

static bool compile_if(Compiler *c, const RlxExpr *x, int dst) {
  int cond = operand(c, x->condition);
  if (cond == INT32_MIN) return false;
  const RlxBinding *binding = c->binding;
  uint32_t unless = c->plan->steps.count;
  Step *s = emit(c, STEP_UNLESS, -1);
  s->args = copy_ints(c, &cond, 1);
  s->arg_count = 1;
  uint32_t jump = 0;
  for (int side = 0; side < 2; side++) {
    int result;
    uint32_t bound = c->bound.count;
    bool *kept = bound ? rlx_arena_copy(c->arena, c->bound.at, bound, sizeof *c->bound.at) : NULL;
    if (!compile_body(c, side ? x->else_body : x->then_body, &result)) return false;
    for (uint32_t i = 0; i < c->bound.count; i++) c->bound.at[i] = i < bound && kept[i];
    c->binding = binding;
    Step *move = emit(c, STEP_MOVE, dst);
    move->args = copy_ints(c, &result, 1);
    move->arg_count = 1;
    if (!side) {
      jump = c->plan->steps.count;
      emit(c, STEP_JUMP, -1);
      c->plan->steps.at[unless].index = (int)c->plan->steps.count;
    }
  }
  c->plan->steps.at[jump].index = (int)c->plan->steps.count;
  rlx_vec_push(&c->regions, (Region){(int)unless, (int)c->plan->steps.count});
  emit(c, STEP_NOP, -1);
  return true;
}

static Plan *build(RlxProgram *program, const RlxFunction *fn, RlxArena *arena, Compiler *outer,
                   const RlxVar *self, RlxRunError *err);

static bool compile_local(Compiler *c, const RlxExpr *x, int dst) {
  Plan *local = build(c->program, x->function, c->arena, c, c->binding->var, c->err);
  if (!local) return false;
  Step *s = emit(c, STEP_CLOSURE, dst);
  s->local = local;
  s->args = rlx_arena_array(c->arena, int, local->captures.count + 1);
  s->arg_count = (int)local->captures.count;
  for (uint32_t i = 0; i < local->captures.count; i++) s->args[i] = local->captures.at[i].outer;
  return true;
}

static bool compile_binding(Compiler *c, const RlxBinding *b) {
  c->binding = b;
  const RlxExpr *x = b->value;
  int dst = new_reg(c);
  bool ok = true;
  if (x->kind == RLX_EXPR_CALL)
    ok = x->call.row ? emit_op(c, &x->call, x->sinfo, dst)
                     : emit_function_call(c, &x->call, x->sinfo, dst);
  else if (x->kind == RLX_EXPR_IF)
    ok = compile_if(c, x, dst);
  else if (x->kind == RLX_EXPR_FUNCTION)
    ok = compile_local(c, x, dst);
  else {
    int from = operand(c, x);
    ok = from != INT32_MIN;
    if (ok) {
      Step *s = emit(c, STEP_MOVE, dst);
      s->args = copy_ints(c, &from, 1);
      s->arg_count = 1;
    }
  }
  if (!ok) return false;
  c->binding = b;
  const RlxSInfo *cast = b->kind == RLX_BINDING_MATCH_CAST ? b->cast : b->annotated;
  if (cast && b->kind != RLX_BINDING_MATCH_CAST && b->deduced &&
      rlx_sinfo_base_check(c->program->store, NULL, cast, b->deduced, NULL, NULL) == RLX_CHECK_PASS)
    cast = NULL;
  if (cast) {
    Step *s = emit(c, STEP_MATCH, -1);
    s->check = rlx_check_new(c->plan, cast);
    s->args = copy_ints(c, &dst, 1);
    s->arg_count = 1;
    mark_bound(c, s->check, rlx_store_text(c->program->store, b->var->name));
  }
  rlx_map_put(&c->regs, (uint64_t)(uintptr_t)b->var, (uint64_t)dst + 1);
  return true;
}

static bool compile_body(Compiler *c, const RlxBody *body, int *out) {
  for (uint32_t i = 0; i < body->block_count; i++)
    for (uint32_t k = 0; k < body->blocks[i].count; k++)
      if (!compile_binding(c, body->blocks[i].bindings[k])) return false;
  *out = operand(c, body->result);
  return *out != INT32_MIN;
}

/// Gives each register to the step after which nobody needs it; what a branch may skip waits for
/// the branches' end.
static void plan_frees(Compiler *c) {
  Plan *plan = c->plan;
  int count = plan->reg_count, steps = (int)plan->steps.count;
  int *last = rlx_arena_array(c->arena, int, count + 1);
  for (int r = 0; r < count; r++)
    last[r] = -1; // what fusion left without a step is never set, so never dropped
  for (int i = 0; i < steps; i++) {
    const Step *s = &plan->steps.at[i];
    for (int k = 0; k < s->arg_count; k++)
      if (s->args[k] >= 0) last[s->args[k]] = i;
    for (int k = 0; s->kernel && k < s->kernel->input_count; k++)
      if (s->kernel->inputs[k] >= 0) last[s->kernel->inputs[k]] = i;
    if (s->dst >= 0 && last[s->dst] < i) last[s->dst] = i;
  }
  Ints *at = rlx_mem_zeroed((size_t)steps + 1, sizeof *at);
  for (int r = 0; r < count; r++) {
    int when = last[r], from = c->defined.at[r];
    if (when < 0) continue;
    for (uint32_t k = 0; k < c->regions.count; k++) {
      Region g = c->regions.at[k];
      if (from <= g.start && when >= g.start && when < g.end) when = g.end;
    }
    if (when < steps) rlx_vec_push(&at[when], r);
  }
  for (int i = 0; i < steps; i++) {
    Step *s = &plan->steps.at[i];
    s->free_count = (int)at[i].count;
    if (at[i].count) s->frees = copy_ints(c, at[i].at, (int)at[i].count);
    rlx_vec_free(&at[i]);
  }
  free(at);
}

static Plan *build(RlxProgram *program, const RlxFunction *fn, RlxArena *arena, Compiler *outer,
                   const RlxVar *self, RlxRunError *err) {
  Plan *plan = rlx_mem_zeroed(1, sizeof *plan);
  plan->program = program;
  plan->arena = arena;
  plan->function = fn;
  plan->name = rlx_store_text(program->store, fn->name);
  if (!*plan->name && self) plan->name = rlx_store_text(program->store, self->name);
  plan->entry = (Entry){.name = fn->name, .kind = ENTRY_LOCAL, .plan = plan, .program = program};
  rlx_vec_push(&program->plans, plan);
  Compiler c = {
      .program = program, .plan = plan, .arena = arena, .outer = outer, .self = self, .err = err};
  plan->params = rlx_arena_array(arena, Check, fn->param_count + 1);
  for (uint32_t i = 0; i < fn->param_count; i++) {
    int reg = plan->reg_count++;
    rlx_vec_push(&c.defined, -1);
    rlx_map_put(&c.regs, (uint64_t)(uintptr_t)fn->params[i], (uint64_t)reg + 1);
    plan->params[i] = *rlx_check_new(plan, fn->params[i]->sinfo);
    mark_bound(&c, &plan->params[i], rlx_store_text(program->store, fn->params[i]->name));
  }
  int result;
  bool ok = compile_body(&c, &fn->body, &result);
  if (ok) {
    c.binding = NULL;
    Step *s = emit(&c, STEP_RETURN, -1);
    s->args = copy_ints(&c, &result, 1);
    s->arg_count = 1;
    if (fn->ret) {
      plan->ret = rlx_check_new(plan, fn->ret);
      mark_bound(&c, plan->ret, "the result");
    }
    rlx_plan_fuse(plan);
    rlx_plan_alias(plan);
    plan_frees(&c);
    plan->is_complete = true;
  }
  rlx_map_free(&c.regs);
  rlx_vec_free(&c.bound);
  rlx_vec_free(&c.regions);
  rlx_vec_free(&c.defined);
  return ok ? plan : NULL;
}

Plan *rlx_plan_build(RlxProgram *program, Entry *entry, RlxRunError *err) {
  entry->is_building = true;
  const RlxFunction *fn = rlx_file_function_ir(program->file, entry->stmt, program->arena);
  Plan *plan = NULL;
  if (!fn)
    rlx_error_set(&err->error, "%s cannot be read as a function",
                  rlx_store_text(program->store, entry->name));
  else
    plan = build(program, fn, program->arena, NULL, NULL, err);
  if (!plan && fn && strncmp(err->error.text, "in ", 3))
    rlx_error_prefix(&err->error, "in %s", rlx_store_text(program->store, entry->name));
  entry->is_building = false;
  entry->plan = plan;
  return plan;
}

void rlx_plan_free(Plan *plan) {
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    Step *s = &plan->steps.at[i];
    if (s->kernel) free(s->kernel->last_shape);
    for (uint32_t k = 0; k < s->late.count; k++) {
      free(s->late.at[k].call->last_shape);
      rlx_arena_free(s->late.at[k].arena);
    }
    rlx_vec_free(&s->late);
  }
  for (uint32_t i = 0; i < plan->consts.count; i++) rlx_object_unref(plan->consts.at[i]);
  rlx_vec_free(&plan->steps);
  rlx_vec_free(&plan->consts);
  if (plan->body) plan->body->uses--;
  rlx_vec_free(&plan->origins);
  rlx_vec_free(&plan->slots);
  rlx_map_free(&plan->slot_of);
  rlx_vec_free(&plan->captures);
  rlx_vec_free(&plan->sym_captures);
  free(plan);
}
