/// Short constructors and checks that the recipes of the legalizer share.
#include "jit/legalize/compute.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool rlx_refuse(RlxCompute *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!c->failed) rlx_error_vset(c->why, format, args);
  va_end(args);
  c->failed = true;
  return false;
}

// ------------------------------------------------------------------ expressions

RlxE rlx_i(RlxCompute *c, int64_t value) { return rlx_tir_int(c->f, value, RLX_INT64); }

RlxE rlx_num(RlxCompute *c, double value, RlxDType t) {
  if (rlx_dtype_is_float(t)) return rlx_tir_float(c->f, value, t);
  return rlx_tir_int(c->f, (int64_t)value, t);
}

static RlxTirVar *symbol_var(const RlxSymVar *symbol, void *data) {
  RlxCompute *c = data;
  RlxTirVar *var = rlx_map_get_ptr(&c->symbols, symbol);
  if (!var) {
    var = rlx_tir_var(c->f, symbol->name, RLX_INT64);
    var->symbol = symbol;
    rlx_map_put_ptr(&c->symbols, symbol, var);
  }
  return var;
}

RlxE rlx_extent(RlxCompute *c, const RlxPrim *p) {
  int64_t value;
  if (rlx_prim_is_const(p, &value)) return rlx_i(c, value);
  RlxE e = rlx_tir_from_prim(c->f, p, symbol_var, c);
  return rlx_dtype_equal(e->dtype, RLX_INT64) ? e : rlx_tir_cast(c->f, RLX_INT64, e);
}

RlxE rlx_op(RlxCompute *c, RlxTirExprKind kind, RlxE a, RlxE b) {
  if (!rlx_dtype_equal(a->dtype, b->dtype)) b = rlx_tir_cast(c->f, a->dtype, b);
  return rlx_tir_binary(c->f, kind, a, b);
}
RlxE rlx_add(RlxCompute *c, RlxE a, RlxE b) { return rlx_op(c, RLX_TIR_ADD, a, b); }
RlxE rlx_sub(RlxCompute *c, RlxE a, RlxE b) { return rlx_op(c, RLX_TIR_SUB, a, b); }
RlxE rlx_mul(RlxCompute *c, RlxE a, RlxE b) { return rlx_op(c, RLX_TIR_MUL, a, b); }
RlxE rlx_fdiv(RlxCompute *c, RlxE a, RlxE b) { return rlx_op(c, RLX_TIR_FLOORDIV, a, b); }
RlxE rlx_fmod(RlxCompute *c, RlxE a, RlxE b) { return rlx_op(c, RLX_TIR_FLOORMOD, a, b); }
RlxE rlx_and(RlxCompute *c, RlxE a, RlxE b) { return rlx_op(c, RLX_TIR_AND, a, b); }
RlxE rlx_lt(RlxCompute *c, RlxE a, RlxE b) { return rlx_op(c, RLX_TIR_LT, a, b); }
RlxE rlx_ge(RlxCompute *c, RlxE a, RlxE b) { return rlx_op(c, RLX_TIR_GE, a, b); }
RlxE rlx_eq(RlxCompute *c, RlxE a, RlxE b) { return rlx_op(c, RLX_TIR_EQ, a, b); }
RlxE rlx_pick(RlxCompute *c, RlxE cond, RlxE a, RlxE b) {
  return rlx_tir_select(c->f, cond, a, rlx_as(c, a->dtype, b));
}
RlxE rlx_guard(RlxCompute *c, RlxE cond, RlxE a, RlxE b) {
  return rlx_tir_if_then_else(c->f, cond, a, rlx_as(c, a->dtype, b));
}
RlxE rlx_as(RlxCompute *c, RlxDType t, RlxE a) {
  return rlx_dtype_equal(a->dtype, t) ? a : rlx_tir_cast(c->f, t, a);
}

RlxE rlx_call1(RlxCompute *c, const char *name, RlxE a) {
  RlxDType t = !strcmp(name, "isnan") || !strcmp(name, "isinf") || !strcmp(name, "isfinite")
                   ? RLX_BOOL
                   : a->dtype;
  return rlx_tir_call(c->f, rlx_store_intern(c->store, name, strlen(name)), t, &a, 1);
}

RlxE rlx_call2(RlxCompute *c, const char *name, RlxE a, RlxE b) {
  RlxE args[2] = {a, rlx_as(c, a->dtype, b)};
  return rlx_tir_call(c->f, rlx_store_intern(c->store, name, strlen(name)), a->dtype, args, 2);
}

RlxE rlx_product(RlxCompute *c, RlxE *dims, int count) {
  RlxE all = rlx_i(c, 1);
  for (int i = 0; i < count; i++) all = rlx_mul(c, all, dims[i]);
  return all;
}

RlxDType rlx_wide(RlxDType t) { return rlx_dtype_is_float(t) && t.bits < 32 ? RLX_FLOAT32 : t; }

static int64_t int_limit(RlxDType t, bool highest) {
  int bits = rlx_dtype_is_bool(t) ? 1 : t.bits;
  bool is_signed = t.code == RLX_DTYPE_INT;
  if (highest)
    return bits >= 64 ? (is_signed ? INT64_MAX : -1) : (INT64_C(1) << (bits - is_signed)) - 1;
  return !is_signed ? 0 : bits >= 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1));
}

RlxE rlx_lowest(RlxCompute *c, RlxDType t) {
  return rlx_dtype_is_float(t) ? rlx_num(c, (double)-INFINITY, t)
                               : rlx_tir_int(c->f, int_limit(t, false), t);
}
RlxE rlx_highest(RlxCompute *c, RlxDType t) {
  return rlx_dtype_is_float(t) ? rlx_num(c, (double)INFINITY, t)
                               : rlx_tir_int(c->f, int_limit(t, true), t);
}

// ------------------------------------------------------------------ operands

RlxOperand *rlx_operand(RlxCompute *c, int param) {
  if (param >= 0 && param < RLX_MAX_PARAMS && c->count[param] == 1)
    return &c->operands[c->first[param]];
  rlx_refuse(c, "an operand of R.%s is not known", c->call->row->script);
  return NULL;
}

bool rlx_has_operand(const RlxCompute *c, int param) {
  return param >= 0 && param < RLX_MAX_PARAMS && c->count[param] > 0;
}

bool rlx_same_extent(RlxE a, RlxE b) {
  return a == b || (a->kind == RLX_TIR_INT && b->kind == RLX_TIR_INT && a->integer == b->integer) ||
         (a->kind == RLX_TIR_VAR && b->kind == RLX_TIR_VAR && a->var == b->var);
}

bool rlx_need_extent(RlxCompute *c, int param, int axis, RlxE extent) {
  RlxOperand *x = rlx_operand(c, param);
  if (!x) return false;
  const char *name = c->call->row->params[param].name;
  if (axis >= x->ndim)
    return rlx_refuse(c, "R.%s: %s has rank %d", c->call->row->script, name, x->ndim);
  RlxE have = x->shape[axis];
  if (rlx_same_extent(have, extent)) return true;
  if (have->kind != RLX_TIR_INT || extent->kind != RLX_TIR_INT)
    return rlx_refuse(c, "R.%s: dimension %d of %s is not known before it runs",
                      c->call->row->script, axis, name);
  return rlx_refuse(c, "R.%s: dimension %d of %s is %lld, expected %lld", c->call->row->script,
                    axis, name, (long long)have->integer, (long long)extent->integer);
}

bool rlx_fits_extent(RlxCompute *c, int param, int axis, RlxE extent) {
  const RlxOperand *x = rlx_operand(c, param);
  if (!x || axis >= x->ndim || x->shape[axis]->kind != RLX_TIR_INT || extent->kind != RLX_TIR_INT)
    return true;
  return rlx_need_extent(c, param, axis, extent);
}

/// The name of the parameter that `x` was given for; RLX_NAME_NONE for temporaries.
static RlxName argument_of(RlxCompute *c, const RlxOperand *x) {
  char name[64];
  for (int i = 0; i < c->call->row->param_count && i < RLX_MAX_PARAMS; i++)
    for (int k = 0; k < c->count[i]; k++) {
      if (c->operands[c->first[i] + k].buffer != x->buffer) continue;
      const char *param = c->call->row->params[i].name;
      int size = c->count[i] == 1 ? snprintf(name, sizeof name, "%.40s", param)
                                  : snprintf(name, sizeof name, "%.40s[%d]", param, k);
      return rlx_store_intern(c->store, name, (size_t)size);
    }
  return RLX_NAME_NONE;
}

RlxE rlx_at(RlxCompute *c, const RlxOperand *x, RlxE *index) {
  if (!x->buffer) return x->immediate;
  RlxE load = rlx_tir_load(c->f, x->buffer, index);
  load->reader = c->operator;
  load->argument = argument_of(c, x);
  return load;
}

RlxE rlx_at_broadcast(RlxCompute *c, const RlxOperand *x, RlxE *index, int ndim) {
  RlxE own[RLX_MAX_NDIM];
  for (int i = 0; i < x->ndim; i++) {
    bool stretched = x->shape[i]->kind == RLX_TIR_INT && x->shape[i]->integer == 1;
    own[i] = stretched ? rlx_i(c, 0) : index[ndim - x->ndim + i];
  }
  return rlx_at(c, x, own);
}

RlxOperand rlx_temporary(RlxCompute *c, RlxDType dtype, RlxE *shape, int ndim) {
  char name[24];
  snprintf(name, sizeof name, "t%d", c->fresh++);
  RlxOperand x = {.ndim = ndim, .dtype = dtype};
  x.buffer =
      rlx_tir_buffer(c->f, rlx_store_intern(c->store, name, strlen(name)), dtype, shape, ndim);
  x.shape = x.buffer->shape;
  RlxTirBuffer **grown = rlx_arena_array(c->f->arena, RlxTirBuffer *, c->f->root_alloc_count + 1);
  if (c->f->root_alloc_count)
    memcpy(grown, c->f->root_allocs, (size_t)c->f->root_alloc_count * sizeof *grown);
  grown[c->f->root_alloc_count++] = x.buffer;
  c->f->root_allocs = grown;
  return x;
}

// ------------------------------------------------------------------ attributes

const RlxValue *rlx_value_of(RlxCompute *c, const char *name) {
  int i = rlx_op_param(c->call->row, name);
  if (i < 0 || (uint32_t)i >= c->call->arg_count) return NULL;
  const RlxValue *v = &c->call->args[i];
  return v->kind == RLX_VALUE_ABSENT || v->kind == RLX_VALUE_NONE ? NULL : v;
}

/// The symbolic integer a value is, when it is one.
static const RlxPrim *prim_value(RlxCompute *c, const RlxValue *v) {
  if (v->kind == RLX_VALUE_INT) return rlx_prim_int(c->store, v->integer);
  if (v->kind == RLX_VALUE_BOOL) return rlx_prim_int(c->store, v->boolean);
  if (v->kind == RLX_VALUE_PRIM) return v->prim;
  if (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_PRIM) return v->expr->prim;
  if (v->kind == RLX_VALUE_EXPR && v->expr->sinfo && v->expr->sinfo->kind == RLX_SINFO_PRIM)
    return v->expr->sinfo->value;
  return NULL;
}

static bool number_value(RlxCompute *c, const RlxValue *v, double *out) {
  int64_t integer;
  const RlxPrim *p;
  if (v->kind == RLX_VALUE_FLOAT)
    *out = v->number;
  else if ((p = prim_value(c, v)) && p->kind == RLX_PRIM_FLOAT)
    *out = p->number;
  else if (p && rlx_prim_is_const(p, &integer))
    *out = (double)integer;
  else
    return false;
  return true;
}

int64_t rlx_int_of(RlxCompute *c, const char *name, int64_t otherwise) {
  const RlxValue *v = rlx_value_of(c, name);
  int64_t value;
  if (!v) return otherwise;
  const RlxPrim *p = prim_value(c, v);
  if (p && rlx_prim_is_const(p, &value)) return value;
  rlx_refuse(c, "R.%s: %s is not a constant", c->call->row->script, name);
  return otherwise;
}

double rlx_float_of(RlxCompute *c, const char *name, double otherwise) {
  const RlxValue *v = rlx_value_of(c, name);
  double value;
  if (!v) return otherwise;
  if (number_value(c, v, &value)) return value;
  rlx_refuse(c, "R.%s: %s is not a constant", c->call->row->script, name);
  return otherwise;
}

int rlx_floats_of(RlxCompute *c, const char *name, double *out, int capacity) {
  const RlxValue *v = rlx_value_of(c, name);
  if (!v || v->is_default) return -1;
  bool is_list = v->kind == RLX_VALUE_LIST;
  int count = is_list ? (int)v->count : 1;
  for (int i = 0; i < count && i < capacity; i++) {
    if (!number_value(c, is_list ? &v->items[i] : v, &out[i])) {
      rlx_refuse(c, "R.%s: %s is not a list of constants", c->call->row->script, name);
      return -1;
    }
  }
  return count <= capacity ? count : capacity;
}

bool rlx_bool_of(RlxCompute *c, const char *name, bool otherwise) {
  return rlx_int_of(c, name, otherwise) != 0;
}

const char *rlx_str_of(RlxCompute *c, const char *name, const char *otherwise) {
  const RlxValue *v = rlx_value_of(c, name);
  if (v && v->kind == RLX_VALUE_STR) return rlx_store_text(c->store, v->string);
  if (v && v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_STRING)
    return rlx_store_text(c->store, v->expr->name);
  return otherwise;
}

int rlx_ints_of(RlxCompute *c, const char *name, int64_t *out, int capacity) {
  const RlxValue *v = rlx_value_of(c, name);
  if (!v) return -1;
  uint32_t count = v->kind == RLX_VALUE_LIST ? v->count : 1;
  for (uint32_t i = 0; i < count && i < (uint32_t)capacity; i++) {
    const RlxPrim *p = prim_value(c, v->kind == RLX_VALUE_LIST ? &v->items[i] : v);
    if (!p || !rlx_prim_is_const(p, &out[i])) {
      rlx_refuse(c, "R.%s: %s is not a list of constants", c->call->row->script, name);
      return -1;
    }
  }
  return (int)count <= capacity ? (int)count : capacity;
}

int rlx_prims_of(RlxCompute *c, const char *name, RlxE *out, int capacity) {
  const RlxValue *v = rlx_value_of(c, name);
  if (!v) return -1;
  const RlxPrim *const *dims = NULL;
  int count = -1;
  if (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_SHAPE) {
    dims = v->expr->dims;
    count = v->expr->dim_count;
  } else if (v->kind == RLX_VALUE_EXPR && v->expr->sinfo &&
             v->expr->sinfo->kind == RLX_SINFO_SHAPE && v->expr->sinfo->dims) {
    dims = v->expr->sinfo->dims;
    count = v->expr->sinfo->ndim;
  }
  if (dims) {
    for (int i = 0; i < count && i < capacity; i++) out[i] = rlx_extent(c, dims[i]);
    return count < capacity ? count : capacity;
  }
  bool is_list = v->kind == RLX_VALUE_LIST;
  bool is_tuple = v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_TUPLE;
  uint32_t n = is_list ? v->count : is_tuple ? v->expr->field_count : 1;
  for (uint32_t i = 0; i < n && i < (uint32_t)capacity; i++) {
    RlxValue field = is_tuple  ? (RlxValue){.kind = RLX_VALUE_EXPR, .expr = v->expr->fields[i]}
                     : is_list ? v->items[i]
                               : *v;
    const RlxPrim *p = prim_value(c, &field);
    if (!p) return -1;
    out[i] = rlx_extent(c, p);
  }
  return (int)n < capacity ? (int)n : capacity;
}

RlxE rlx_prim_of(RlxCompute *c, const char *name) {
  const RlxValue *v = rlx_value_of(c, name);
  const RlxPrim *p = v ? prim_value(c, v) : NULL;
  return p ? rlx_extent(c, p) : NULL;
}

RlxE rlx_scalar_of(RlxCompute *c, const char *name, RlxDType dtype, double otherwise) {
  const RlxValue *v = rlx_value_of(c, name);
  double number;
  if (!v) return rlx_num(c, otherwise, dtype);
  if (v->kind == RLX_VALUE_INT)
    return rlx_dtype_is_float(dtype) ? rlx_num(c, (double)v->integer, dtype)
                                     : rlx_tir_int(c->f, v->integer, dtype);
  if (number_value(c, v, &number)) return rlx_num(c, number, dtype);
  RlxE e = rlx_prim_of(c, name);
  if (e) return rlx_as(c, dtype, e);
  rlx_refuse(c, "R.%s: the value of %s is not known", c->call->row->script, name);
  return rlx_num(c, otherwise, dtype);
}

int rlx_axis(int64_t axis, int ndim) { return (int)(axis < 0 ? axis + ndim : axis); }

// ------------------------------------------------------------------ loops

RlxE rlx_loop_var(RlxCompute *c, const char *name) {
  return rlx_tir_var_expr(
      c->f, rlx_tir_var(c->f, rlx_store_intern(c->store, name, strlen(name)), RLX_INT64));
}

RlxTirStmt *rlx_loops(RlxCompute *c, RlxE *vars, RlxE *extents, int count, RlxTirStmt *body) {
  for (int i = count; i-- > 0;)
    body = rlx_tir_for(c->f, vars[i]->var, extents[i], RLX_FOR_SERIAL, body);
  return body;
}

RlxTirStmt *rlx_put(RlxCompute *c, const RlxOperand *to, RlxE *index, RlxE value) {
  RlxTirStmt *store = rlx_tir_store(c->f, to->buffer, index, rlx_as(c, to->dtype, value));
  store->name = c->operator;
  return store;
}

void rlx_emit(RlxCompute *c, RlxTirStmt *stmt) { rlx_vec_push(&c->body, stmt); }

static void name_vars(RlxCompute *c, const char *prefix, RlxE *out, int count) {
  char name[16];
  for (int i = 0; i < count; i++) {
    snprintf(name, sizeof name, "%s%d", prefix, i);
    out[i] = rlx_loop_var(c, name);
  }
}

void rlx_compute(RlxCompute *c, const RlxOperand *to,
                 RlxE (*value)(RlxCompute *c, RlxE *index, void *data), void *data) {
  RlxE vars[RLX_MAX_NDIM];
  name_vars(c, "i", vars, to->ndim);
  RlxE e = value(c, vars, data);
  if (!c->failed) rlx_emit(c, rlx_loops(c, vars, to->shape, to->ndim, rlx_put(c, to, vars, e)));
}

void rlx_reduce(RlxCompute *c, const RlxOperand *to, RlxE *extents, int count,
                RlxTirExprKind combine, RlxE start,
                RlxE (*term)(RlxCompute *c, RlxE *s, RlxE *r, void *data), void *data) {
  RlxE loops[2 * RLX_MAX_NDIM], inner[2 * RLX_MAX_NDIM], all[2 * RLX_MAX_NDIM];
  int total = to->ndim + count;
  name_vars(c, "i", loops, to->ndim);
  name_vars(c, "k", loops + to->ndim, count);
  name_vars(c, "vi", inner, to->ndim);
  name_vars(c, "vk", inner + to->ndim, count);
  RlxTirIterVar iters[2 * RLX_MAX_NDIM];
  for (int i = 0; i < total; i++) {
    all[i] = i < to->ndim ? to->shape[i] : extents[i - to->ndim];
    iters[i] = (RlxTirIterVar){inner[i]->var, all[i], NULL, loops[i],
                               i < to->ndim ? RLX_ITER_DATA_PAR : RLX_ITER_REDUCE};
  }
  RlxE t = term(c, inner, inner + to->ndim, data);
  if (c->failed) return;
  RlxE old = rlx_tir_load(c->f, to->buffer, inner);
  RlxTirStmt *init = rlx_put(c, to, inner, start);
  RlxTirStmt *step = rlx_put(c, to, inner, rlx_op(c, combine, old, rlx_as(c, to->dtype, t)));
  RlxTirStmt *block =
      rlx_tir_block(c->f, rlx_store_intern(c->store, "reduce", 6), iters, total, init, step);
  rlx_emit(c, rlx_loops(c, loops, all, total, block));
}

RlxTirStmt *rlx_when(RlxCompute *c, RlxE cond, RlxTirStmt *body) {
  RlxTirStmt *s = rlx_arena_one(c->f->arena, RlxTirStmt);
  s->kind = RLX_TIR_IF;
  s->cond = cond;
  s->count = 1;
  s->body = rlx_arena_array(c->f->arena, RlxTirStmt *, 1);
  s->body[0] = body;
  return s;
}
