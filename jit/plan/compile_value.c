/// Plans: registers, steps, and the values of leaves. Always true: a symbol's slot is used only
/// where it has a value; symbols and variables of a function around are captured.
#include <string.h>

#include "jit/plan/compile_impl.h"

// ---- dimensions and symbols

bool rlx_compile_fail(Compiler *c, const char *format, const char *a, const char *b) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  rlx_error_set(&c->err->error, format, a, b);
#pragma GCC diagnostic pop
  rlx_error_code(&c->err->error, rlx_diag_row(RLX_DIAG_ID(NOT_EVALUATED))->code);
  c->err->is_unknown = false;
  if (c->binding && c->binding->stmt)
    c->err->span = rlx_stmt_absolute(c->binding->stmt, c->binding->span);
  return false;
}

int rlx_plan_slot(Plan *plan, const RlxSymVar *var) {
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
    d->slot = rlx_plan_slot(plan, var);
    return true;
  }
  d->kind = DIM_EXPR;
  const RlxSymVar *vars[64];
  int count = 0;
  rlx_prim_vars(p, vars, &count, 64);
  for (int i = 0; i < count; i++) rlx_plan_slot(plan, vars[i]);
  return true;
}

static Dim *dims_of(Plan *plan, const RlxPrim *const *dims, int count) {
  Dim *out = rlx_arena_array(plan->arena, Dim, count + 1);
  for (int i = 0; i < count; i++) rlx_dim_set(&out[i], plan, dims[i]);
  return out;
}

Check *rlx_check_new(Plan *plan, const RlxSInfo *a) {
  Check *check = rlx_arena_one(plan->arena, Check);
  if (a->nodes > RLX_CHECK_NODES_MAX) {
    plan->is_too_wide = true;
    a = rlx_sinfo_object(plan->program->store);
  }
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

bool rlx_compile_says_otherwise(const RlxPrim *p, const Chosen *x) {
  if (p == x->whole) return false;
  if (rlx_prim_as_var(p)) return rlx_prim_as_var(p) == x->var;
  for (int i = 0; i < p->arg_count; i++)
    if (rlx_compile_says_otherwise(p->args[i], x)) return true;
  return false;
}

/// Does `p` say a variable of which only an expression has a value?
static bool is_open(const Compiler *c, const RlxPrim *p) {
  for (; c; c = c->outer)
    for (uint32_t i = 0; i < c->chosen.count; i++)
      if (rlx_compile_says_otherwise(p, &c->chosen.at[i])) return true;
  return false;
}

bool rlx_compile_is_bound(Compiler *c, const RlxPrim *p) {
  const RlxSymVar *vars[64];
  int count = 0;
  if (is_open(c, p)) return false;
  rlx_prim_vars(p, vars, &count, 64);
  for (int i = 0; i < count; i++) {
    int slot = rlx_plan_slot(c->plan, vars[i]);
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

void rlx_compile_mark_slot(Compiler *c, int slot, Origin origin) {
  while (c->bound.count <= (uint32_t)slot) rlx_vec_push(&c->bound, false);
  if (c->bound.at[slot]) return;
  c->bound.at[slot] = true;
  bool is_first = c->plan->origins.count <= (uint32_t)slot;
  while (c->plan->origins.count <= (uint32_t)slot)
    rlx_vec_push(&c->plan->origins, (Origin){.dim = -1});
  Origin *o = &c->plan->origins.at[slot];
  is_first = is_first || o->dim < 0;
  *o = is_first ? origin : (Origin){0};
}

void rlx_compile_mark_bound(Compiler *c, const Check *check, const char *what) {
  const RlxSInfo *a = check->sinfo;
  int count = a->kind == RLX_SINFO_PRIM ? 1 : a->ndim;
  for (int i = 0; check->dims && i < count; i++)
    if (check->dims[i].kind == DIM_SLOT)
      rlx_compile_mark_slot(c, check->dims[i].slot, (Origin){.what = what, .dim = i});
  for (int i = 0; check->fields && i < a->count; i++)
    rlx_compile_mark_bound(c, &check->fields[i], what);
}

bool rlx_output_set(Output *o, Plan *plan, const RlxSInfo *a) {
  *o = (Output){.dtype = a->dtype, .ndim = a->ndim, .inplace = -1};
  if (a->kind != RLX_SINFO_TENSOR || a->ndim < 0 || (a->ndim && !a->dims) ||
      !rlx_dtype_known(a->dtype))
    return false;
  o->dims = dims_of(plan, a->dims, a->ndim);
  return true;
}

// ---- steps

int rlx_compile_reg(Compiler *c) {
  rlx_vec_push(&c->defined, (int)c->plan->steps.count);
  return c->plan->reg_count++;
}

Step *rlx_compile_step(Compiler *c, StepKind kind, int dst) {
  rlx_vec_push(&c->plan->steps, (Step){.kind = (uint8_t)kind, .dst = dst, .binding = c->binding});
  return &rlx_vec_last(&c->plan->steps);
}

static int add_const(Compiler *c, RlxObject *x) {
  rlx_vec_push(&c->plan->consts, x);
  return ~(int)(c->plan->consts.count - 1);
}

int *rlx_compile_ints(Compiler *c, const int *at, int count) {
  return rlx_arena_copy(c->arena, at, (size_t)count + (count == 0), sizeof *at);
}

// ---- constants

static int64_t const_fill(const RlxValue *v, RlxObject *x, int64_t at) {
  if (v->kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v->count; i++) at = const_fill(&v->items[i], x, at);
    return at;
  }
  if (v->kind == RLX_VALUE_NUMBERS) {
    for (uint32_t i = 0; i < v->numbers->count; i++) {
      const RlxValue one = rlx_numbers_at(v->numbers, i, v->span);
      at = const_fill(&one, x, at);
    }
    return at;
  }
  if (at >= rlx_tensor_count(x)) return at;
  int64_t integer;
  if (v->kind == RLX_VALUE_FLOAT)
    rlx_element_set_number(x->data, x->dtype, at, v->number);
  else if (v->kind == RLX_VALUE_UINT64 && rlx_dtype_is_float(x->dtype))
    rlx_element_set_number(x->data, x->dtype, at, (double)(uint64_t)v->integer);
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
  int64_t dims[RLX_TENSOR_NDIM_MAX];
  if (!x->constant.value && !x->constant.bytes)
    return rlx_compile_fail(c, "a constant has values that are not known here (%s%s)",
                            "metadata, or what Python computes", ""),
           INT32_MIN;
  if (a->kind != RLX_SINFO_TENSOR || a->ndim < 0 || a->ndim > RLX_TENSOR_NDIM_MAX ||
      (a->ndim && !a->dims))
    return rlx_compile_fail(c, "a constant has no known shape%s%s", "", ""), INT32_MIN;
  for (int i = 0; i < a->ndim; i++)
    if (!rlx_prim_is_const(a->dims[i], &dims[i]))
      return rlx_compile_fail(c, "a constant has no known shape%s%s", "", ""), INT32_MIN;
  RlxObject *t = rlx_tensor_new(c->program->jit->heap, a->dtype, dims, a->ndim, &c->err->error);
  if (!t) return INT32_MIN;
  if (x->constant.value)
    const_fill(x->constant.value, t, 0);
  else if (rlx_tensor_bytes(t))
    memcpy(t->data, x->constant.bytes, (size_t)rlx_tensor_bytes(t));
  return add_const(c, t);
}

// ---- leaves

static int capture(Compiler *c, RlxVar *var) {
  if (!c->outer) return INT32_MIN;
  int outer = -1;
  if (c->self != var) {
    RlxExpr x = {.kind = RLX_EXPR_VAR, .var = var};
    outer = rlx_compile_operand(c->outer, &x);
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
    entry = rlx_program_callee(c->program, x);
  else {
    entry = rlx_arena_one(c->program->arena, Entry);
    *entry = (Entry){.name = x->name,
                     .kind = ENTRY_EXTERN,
                     .program = c->program,
                     .text = rlx_store_text(c->program->store, x->name)};
  }
  if (!entry)
    return rlx_compile_fail(c, "`%s` is not a function of this file%s",
                            rlx_store_text(c->program->store, x->name), ""),
           INT32_MIN;
  return add_const(c, rlx_closure_new(c->program->jit->heap, entry, NULL, 0));
}

static bool is_of_script(const RlxSymVar *var, void *data) {
  (void)data;
  return !var->is_stand_in;
}

/// What Python alone knows is named as Python has it, without the braces of stand-ins.
bool rlx_compile_unbound(Compiler *c, const RlxPrim *dim) {
  RlxBuf text = {0}, plain = {0};
  const bool is_python = !rlx_prim_all_vars(dim, is_of_script, NULL);
  rlx_prim_tell(c->program->store, dim, &text);
  for (const char *at = rlx_buf_text(&text); *at; at++)
    if (!is_python || (*at != '{' && *at != '}')) rlx_buf_printf(&plain, "%c", *at);
  rlx_compile_fail(c, "the value of `%s` is %s", rlx_buf_text(&plain),
                   is_python ? "known to Python only" : "not known where it is used");
  rlx_buf_free(&text);
  rlx_buf_free(&plain);
  return false;
}

static int dims_value(Compiler *c, StepKind kind, const RlxPrim *const *dims, int count,
                      RlxDType dtype) {
  bool is_static = kind == STEP_SHAPE;
  int64_t values[RLX_TENSOR_NDIM_MAX];
  for (int i = 0; i < count; i++) {
    if (!rlx_compile_is_bound(c, dims[i])) {
      rlx_compile_unbound(c, dims[i]);
      return INT32_MIN;
    }
    is_static = is_static && i < RLX_TENSOR_NDIM_MAX && rlx_prim_is_const(dims[i], &values[i]);
  }
  if (is_static) return add_const(c, rlx_shape_new(c->program->jit->heap, values, count));
  int dst = rlx_compile_reg(c);
  Output *out = rlx_arena_one(c->arena, Output);
  *out = (Output){.dtype = dtype, .ndim = count, .dims = dims_of(c->plan, dims, count)};
  rlx_compile_step(c, kind, dst)->output = out;
  return dst;
}

static int tuple_value(Compiler *c, const RlxExpr *x) {
  int *args = rlx_arena_array(c->arena, int, x->field_count + 1);
  for (uint32_t i = 0; i < x->field_count; i++)
    if ((args[i] = rlx_compile_operand(c, x->fields[i])) == INT32_MIN) return INT32_MIN;
  int dst = rlx_compile_reg(c);
  Step *s = rlx_compile_step(c, STEP_TUPLE, dst);
  s->args = args;
  s->arg_count = (int)x->field_count;
  return dst;
}

int rlx_compile_field(Compiler *c, int tuple, int64_t index) {
  int dst = rlx_compile_reg(c);
  Step *s = rlx_compile_step(c, STEP_GET, dst);
  s->args = rlx_compile_ints(c, &tuple, 1);
  s->arg_count = 1;
  s->index = (int)index;
  return dst;
}

int rlx_compile_operand(Compiler *c, const RlxExpr *x) {
  RlxHeap *heap = c->program->jit->heap;
  switch ((RlxExprKind)x->kind) {
  case RLX_EXPR_VAR: {
    uint64_t reg;
    if (rlx_map_get(&c->regs, (uint64_t)(uintptr_t)x->var, &reg)) return (int)reg - 1;
    int got = capture(c, x->var);
    if (got == INT32_MIN && !c->err->error.text[0])
      rlx_compile_fail(c, "`%s` has no value here%s",
                       rlx_store_text(c->program->store, x->var->name), "");
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
    int tuple = rlx_compile_operand(c, x->tuple);
    return tuple == INT32_MIN ? tuple : rlx_compile_field(c, tuple, x->index);
  }
  case RLX_EXPR_HOLE:
    rlx_compile_fail(c, "what this gives is not known%s%s", "", "");
    c->err->is_unknown = true;
    return INT32_MIN;
  case RLX_EXPR_OP:
  case RLX_EXPR_CALL:
  case RLX_EXPR_IF:
  case RLX_EXPR_FUNCTION:
    return rlx_compile_fail(c, "an expression of this kind has no value of its own%s%s", "", ""),
           INT32_MIN;
  }
  return INT32_MIN;
}
