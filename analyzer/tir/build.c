/// Constructors of TensorIR nodes. Always true: everything is in the PrimFunc's arena, every
/// expression has its dtype, and integer constants are folded with the wrap-around of their dtype.
/// Floats fold only where the result is exact in the way the generated code would compute it.
#include "analyzer/tir/tir.h"

#include <math.h>
#include <string.h>

RlxPrimFunc *rlx_primfunc_new(RlxName name) {
  RlxArena *arena = rlx_arena_new();
  RlxPrimFunc *f = rlx_arena_one(arena, RlxPrimFunc);
  f->arena = arena;
  f->name = name;
  return f;
}

void rlx_primfunc_free(RlxPrimFunc *f) {
  if (f) rlx_arena_free(f->arena);
}

RlxTirVar *rlx_tir_var(RlxPrimFunc *f, RlxName name, RlxDType dtype) {
  RlxTirVar *var = rlx_arena_one(f->arena, RlxTirVar);
  var->name = name;
  var->dtype = dtype;
  var->id = f->var_count++;
  return var;
}

static RlxTirExpr **copy_exprs(RlxPrimFunc *f, RlxTirExpr *const *from, int count) {
  RlxTirExpr **out = rlx_arena_array(f->arena, RlxTirExpr *, count);
  for (int i = 0; i < count; i++) out[i] = from[i];
  return out;
}

RlxTirBuffer *rlx_tir_buffer(RlxPrimFunc *f, RlxName name, RlxDType dtype, RlxTirExpr *const *shape,
                             int ndim) {
  RlxTirBuffer *b = rlx_arena_one(f->arena, RlxTirBuffer);
  b->name = name;
  b->dtype = dtype;
  b->ndim = ndim;
  b->shape = copy_exprs(f, shape, ndim);
  b->id = f->buffer_count++;
  return b;
}

static RlxTirExpr *new_expr(RlxPrimFunc *f, RlxTirExprKind kind, RlxDType dtype, int arg_count) {
  RlxTirExpr *e = rlx_arena_one(f->arena, RlxTirExpr);
  e->kind = (uint8_t)kind;
  e->dtype = dtype;
  e->arg_count = (uint16_t)arg_count;
  if (arg_count) e->args = rlx_arena_array(f->arena, RlxTirExpr *, arg_count);
  return e;
}

/// `value` as a variable of `dtype` would hold it.
static int64_t wrap(int64_t value, RlxDType dtype) {
  if (dtype.code == RLX_DTYPE_BOOL) return value != 0;
  if (dtype.bits == 0 || dtype.bits >= 64) return value;
  uint64_t mask = (UINT64_C(1) << dtype.bits) - 1, low = (uint64_t)value & mask;
  if (dtype.code == RLX_DTYPE_INT && (low >> (dtype.bits - 1))) low |= ~mask;
  return (int64_t)low;
}

RlxTirExpr *rlx_tir_int(RlxPrimFunc *f, int64_t value, RlxDType dtype) {
  RlxTirExpr *e = new_expr(f, RLX_TIR_INT, dtype, 0);
  e->integer = wrap(value, dtype);
  return e;
}

RlxTirExpr *rlx_tir_float(RlxPrimFunc *f, double value, RlxDType dtype) {
  RlxTirExpr *e = new_expr(f, RLX_TIR_FLOAT, dtype, 0);
  e->number = value;
  return e;
}

RlxTirExpr *rlx_tir_var_expr(RlxPrimFunc *f, RlxTirVar *var) {
  RlxTirExpr *e = new_expr(f, RLX_TIR_VAR, var->dtype, 0);
  e->var = var;
  return e;
}

static bool is_comparison(RlxTirExprKind kind) { return kind >= RLX_TIR_EQ && kind <= RLX_TIR_OR; }

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a % b < 0) != (b < 0) ? q - 1 : q;
}

/// Division of constants is left alone when it traps or overflows.
static bool can_divide(int64_t a, int64_t b, RlxDType t) {
  if (b == 0) return false;
  if (t.code == RLX_DTYPE_UINT) return a >= 0 && b > 0;
  return !(b == -1 && a == INT64_MIN);
}

static bool compare(RlxTirExprKind kind, int64_t a, int64_t b, bool is_unsigned) {
  bool less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
  if (kind == RLX_TIR_EQ) return a == b;
  if (kind == RLX_TIR_NE) return a != b;
  if (kind == RLX_TIR_LT) return less;
  if (kind == RLX_TIR_LE) return less || a == b;
  if (kind == RLX_TIR_GT) return !less && a != b;
  return !less;
}

/// Folds two integer constants of dtype `t`. False: keep the expression.
static bool fold_ints(RlxTirExprKind kind, int64_t a, int64_t b, RlxDType t, int64_t *out) {
  bool is_unsigned = t.code == RLX_DTYPE_UINT || t.code == RLX_DTYPE_BOOL;
  if (kind >= RLX_TIR_EQ && kind <= RLX_TIR_GE) {
    *out = compare(kind, a, b, is_unsigned);
    return true;
  }
  if (kind == RLX_TIR_FLOORDIV || kind == RLX_TIR_FLOORMOD || kind == RLX_TIR_DIV ||
      kind == RLX_TIR_TRUNCDIV || kind == RLX_TIR_TRUNCMOD) {
    if (!can_divide(a, b, t)) return false;
    if (kind == RLX_TIR_FLOORDIV)
      *out = floor_div(a, b);
    else if (kind == RLX_TIR_FLOORMOD)
      *out = (int64_t)((uint64_t)a - (uint64_t)floor_div(a, b) * (uint64_t)b);
    else
      *out = kind == RLX_TIR_TRUNCMOD ? a % b : a / b;
    return true;
  }
  if (kind == RLX_TIR_ADD)
    *out = (int64_t)((uint64_t)a + (uint64_t)b);
  else if (kind == RLX_TIR_SUB)
    *out = (int64_t)((uint64_t)a - (uint64_t)b);
  else if (kind == RLX_TIR_MUL)
    *out = (int64_t)((uint64_t)a * (uint64_t)b);
  else if (kind == RLX_TIR_MIN)
    *out = compare(RLX_TIR_LT, a, b, is_unsigned) ? a : b;
  else if (kind == RLX_TIR_MAX)
    *out = compare(RLX_TIR_GT, a, b, is_unsigned) ? a : b;
  else if (kind == RLX_TIR_AND)
    *out = a && b;
  else if (kind == RLX_TIR_OR)
    *out = a || b;
  else if (kind == RLX_TIR_BITAND)
    *out = a & b;
  else if (kind == RLX_TIR_BITOR)
    *out = a | b;
  else if (kind == RLX_TIR_BITXOR)
    *out = a ^ b;
  else if (kind == RLX_TIR_SHL && b >= 0 && b < t.bits)
    *out = (int64_t)((uint64_t)a << b);
  else if (kind == RLX_TIR_SHR && b >= 0 && b < t.bits)
    *out = is_unsigned ? (int64_t)((uint64_t)a >> b) : a >> b;
  else
    return false;
  return true;
}

static bool is_int_value(const RlxTirExpr *e, int64_t value) {
  return e->kind == RLX_TIR_INT && e->integer == value;
}

/// x + 0, x * 1, x * 0, x // 1, x % 1, true and x, … for integers; NULL: none of these.
static RlxTirExpr *fold_identity(RlxPrimFunc *f, RlxTirExprKind kind, RlxTirExpr *a,
                                 RlxTirExpr *b) {
  bool integral = rlx_dtype_is_int(a->dtype) && a->dtype.lanes == 1;
  if (kind == RLX_TIR_AND || kind == RLX_TIR_OR) {
    bool neutral = kind == RLX_TIR_AND;
    if (a->kind == RLX_TIR_INT) return (a->integer != 0) == neutral ? b : a;
    if (b->kind == RLX_TIR_INT && (b->integer != 0) == neutral) return a;
    return NULL;
  }
  bool by_one = b->kind == RLX_TIR_FLOAT && b->number >= 1 && b->number <= 1;
  if (by_one && (kind == RLX_TIR_MUL || kind == RLX_TIR_DIV)) return a; // exact
  if (!integral) return NULL;
  if (kind == RLX_TIR_ADD && is_int_value(a, 0)) return b;
  if ((kind == RLX_TIR_ADD || kind == RLX_TIR_SUB || kind == RLX_TIR_SHL || kind == RLX_TIR_SHR) &&
      is_int_value(b, 0))
    return a;
  if (kind == RLX_TIR_MUL) {
    if (is_int_value(a, 1)) return b;
    if (is_int_value(b, 1)) return a;
    if (is_int_value(a, 0) && b->kind == RLX_TIR_VAR) return a;
    if (is_int_value(b, 0) && a->kind == RLX_TIR_VAR) return b;
  }
  if ((kind == RLX_TIR_FLOORDIV || kind == RLX_TIR_TRUNCDIV || kind == RLX_TIR_DIV) &&
      is_int_value(b, 1))
    return a;
  if ((kind == RLX_TIR_FLOORMOD || kind == RLX_TIR_TRUNCMOD) && is_int_value(b, 1))
    return rlx_tir_int(f, 0, a->dtype);
  bool same_var = a->kind == RLX_TIR_VAR && b->kind == RLX_TIR_VAR && a->var == b->var;
  if (kind == RLX_TIR_SUB && same_var) return rlx_tir_int(f, 0, a->dtype);
  if (kind == RLX_TIR_ADD && a->kind == RLX_TIR_ADD && b->kind == RLX_TIR_INT &&
      a->args[1]->kind == RLX_TIR_INT)
    return rlx_tir_binary(
        f, RLX_TIR_ADD, a->args[0],
        rlx_tir_int(f, (int64_t)((uint64_t)a->args[1]->integer + (uint64_t)b->integer), a->dtype));
  return NULL;
}

RlxTirExpr *rlx_tir_binary(RlxPrimFunc *f, RlxTirExprKind kind, RlxTirExpr *a, RlxTirExpr *b) {
  RlxDType t = a->dtype;
  if (is_comparison(kind)) {
    uint16_t lanes = t.lanes;
    t = RLX_BOOL;
    t.lanes = lanes;
  }
  int64_t folded;
  if (a->kind == RLX_TIR_INT && b->kind == RLX_TIR_INT &&
      fold_ints(kind, a->integer, b->integer, a->dtype, &folded))
    return rlx_tir_int(f, folded, t);
  RlxTirExpr *same = fold_identity(f, kind, a, b);
  if (same) return same;
  RlxTirExpr *e = new_expr(f, kind, t, 2);
  e->args[0] = a;
  e->args[1] = b;
  return e;
}

RlxTirExpr *rlx_tir_and(RlxPrimFunc *f, RlxTirExpr *a, RlxTirExpr *b) {
  return a && b ? rlx_tir_binary(f, RLX_TIR_AND, a, b) : a ? a : b;
}

RlxTirExpr *rlx_tir_is_positive(RlxPrimFunc *f, RlxTirExpr *extent) {
  return rlx_tir_binary(f, RLX_TIR_LT, rlx_tir_int(f, 0, extent->dtype), extent);
}

RlxTirExpr *rlx_tir_unary(RlxPrimFunc *f, RlxTirExprKind kind, RlxTirExpr *a) {
  if (a->kind == RLX_TIR_INT)
    return rlx_tir_int(f, kind == RLX_TIR_NOT ? !a->integer : ~a->integer, a->dtype);
  if (kind == RLX_TIR_NOT && a->kind == RLX_TIR_NOT) return a->args[0];
  RlxTirExpr *e = new_expr(f, kind, a->dtype, 1);
  e->args[0] = a;
  return e;
}

static RlxTirExpr *choose(RlxPrimFunc *f, RlxTirExprKind kind, RlxTirExpr *cond, RlxTirExpr *a,
                          RlxTirExpr *b) {
  if (cond->kind == RLX_TIR_INT) return cond->integer ? a : b;
  RlxTirExpr *e = new_expr(f, kind, a->dtype, 3);
  e->args[0] = cond;
  e->args[1] = a;
  e->args[2] = b;
  return e;
}

RlxTirExpr *rlx_tir_select(RlxPrimFunc *f, RlxTirExpr *cond, RlxTirExpr *a, RlxTirExpr *b) {
  return choose(f, RLX_TIR_SELECT, cond, a, b);
}

RlxTirExpr *rlx_tir_if_then_else(RlxPrimFunc *f, RlxTirExpr *cond, RlxTirExpr *a, RlxTirExpr *b) {
  return choose(f, RLX_TIR_IF_THEN_ELSE, cond, a, b);
}

RlxTirExpr *rlx_tir_cast(RlxPrimFunc *f, RlxDType dtype, RlxTirExpr *a) {
  if (rlx_dtype_equal(dtype, a->dtype)) return a;
  bool to_int = rlx_dtype_is_int(dtype) || rlx_dtype_is_bool(dtype);
  if (dtype.lanes == 1 && a->kind == RLX_TIR_INT) {
    if (to_int) return rlx_tir_int(f, a->integer, dtype);
    // Exact in a double, so one rounding remains, which is the one the code would do.
    bool exact = a->integer > -(INT64_C(1) << 53) && a->integer < (INT64_C(1) << 53);
    if (rlx_dtype_is_float(dtype) && exact) return rlx_tir_float(f, (double)a->integer, dtype);
  }
  if (dtype.lanes == 1 && a->kind == RLX_TIR_FLOAT) {
    if (dtype.code == RLX_DTYPE_FLOAT && dtype.bits >= a->dtype.bits &&
        a->dtype.code == RLX_DTYPE_FLOAT && a->dtype.bits == 64)
      return rlx_tir_float(f, a->number, dtype);
    bool small =
        fabs(a->number) <= 256 && a->number == trunc(a->number); // exact in every 16-bit format
    if (small && (dtype.code == RLX_DTYPE_FLOAT || dtype.code == RLX_DTYPE_BFLOAT) &&
        dtype.bits >= 16 && a->dtype.bits >= 16)
      return rlx_tir_float(f, a->number, dtype);
    if (dtype.code == RLX_DTYPE_INT && fabs(a->number) < 1e9)
      return rlx_tir_int(f, (int64_t)a->number, dtype);
  }
  RlxTirExpr *e = new_expr(f, RLX_TIR_CAST, dtype, 1);
  e->args[0] = a;
  return e;
}

RlxTirExpr *rlx_tir_call(RlxPrimFunc *f, RlxName name, RlxDType dtype, RlxTirExpr *const *args,
                         int count) {
  RlxTirExpr *e = new_expr(f, RLX_TIR_CALL, dtype, count);
  for (int i = 0; i < count; i++) e->args[i] = args[i];
  e->name = name;
  return e;
}

RlxTirExpr *rlx_tir_load(RlxPrimFunc *f, RlxTirBuffer *buffer, RlxTirExpr *const *indices) {
  RlxDType t = buffer->dtype;
  if (buffer->ndim > 0) t.lanes = (uint16_t)(t.lanes * indices[buffer->ndim - 1]->dtype.lanes);
  RlxTirExpr *e = new_expr(f, RLX_TIR_LOAD, t, buffer->ndim);
  for (int i = 0; i < buffer->ndim; i++) e->args[i] = indices[i];
  e->buffer = buffer;
  return e;
}

RlxTirExpr *rlx_tir_likely(RlxPrimFunc *f, const RlxTirExpr *a) {
  RlxTirExpr *out = rlx_arena_one(f->arena, RlxTirExpr);
  *out = *a;
  out->is_likely = true;
  return out;
}

RlxTirExpr *rlx_tir_let(RlxPrimFunc *f, RlxTirVar *var, RlxTirExpr *value, RlxTirExpr *body) {
  RlxTirExpr *e = new_expr(f, RLX_TIR_LET, body->dtype, 2);
  e->args[0] = value;
  e->args[1] = body;
  e->var = var;
  return e;
}

RlxTirExpr *rlx_tir_ramp(RlxPrimFunc *f, RlxTirExpr *base, int64_t stride, int lanes) {
  RlxDType t = base->dtype;
  t.lanes = (uint16_t)lanes;
  RlxTirExpr *e = new_expr(f, RLX_TIR_RAMP, t, 2);
  e->args[0] = base;
  e->args[1] = rlx_tir_int(f, stride, base->dtype);
  return e;
}

RlxTirExpr *rlx_tir_string(RlxPrimFunc *f, const char *text) {
  RlxTirExpr *e = new_expr(f, RLX_TIR_STRING, rlx_dtype(RLX_DTYPE_HANDLE, 64), 0);
  e->text = rlx_arena_strdup(f->arena, text);
  e->text_size = (uint32_t)strlen(text);
  return e;
}

RlxTirExpr *rlx_tir_broadcast(RlxPrimFunc *f, RlxTirExpr *value, int lanes) {
  RlxDType t = value->dtype;
  t.lanes = (uint16_t)lanes;
  RlxTirExpr *e = new_expr(f, RLX_TIR_BROADCAST, t, 1);
  e->args[0] = value;
  return e;
}

RlxTirStmt *rlx_tir_stmt(RlxPrimFunc *f, RlxTirStmtKind kind, int body_count) {
  RlxTirStmt *s = rlx_arena_one(f->arena, RlxTirStmt);
  s->kind = (uint8_t)kind;
  s->count = (uint32_t)body_count;
  if (body_count) s->body = rlx_arena_array(f->arena, RlxTirStmt *, body_count);
  return s;
}

RlxTirStmt *rlx_tir_store(RlxPrimFunc *f, RlxTirBuffer *buffer, RlxTirExpr *const *indices,
                          RlxTirExpr *value) {
  RlxTirStmt *s = rlx_tir_stmt(f, RLX_TIR_STORE, 0);
  s->buffer = buffer;
  s->indices = copy_exprs(f, indices, buffer->ndim);
  s->value = value;
  return s;
}

RlxTirStmt *rlx_tir_for(RlxPrimFunc *f, RlxTirVar *var, RlxTirExpr *extent, RlxTirForKind kind,
                        RlxTirStmt *body) {
  RlxTirStmt *s = rlx_tir_stmt(f, RLX_TIR_FOR, 1);
  s->for_kind = (uint8_t)kind;
  s->var = var;
  s->min = rlx_tir_int(f, 0, var->dtype);
  s->extent = extent;
  s->body[0] = body;
  return s;
}

RlxTirStmt *rlx_tir_seq(RlxPrimFunc *f, RlxTirStmt *const *stmts, int count) {
  if (count == 1) return stmts[0];
  RlxTirStmt *s = rlx_tir_stmt(f, RLX_TIR_SEQ, count);
  for (int i = 0; i < count; i++) s->body[i] = stmts[i];
  return s;
}

RlxTirStmt *rlx_tir_if(RlxPrimFunc *f, RlxTirExpr *cond, RlxTirStmt *then_body,
                       RlxTirStmt *else_body) {
  if (cond->kind == RLX_TIR_INT && (cond->integer || else_body))
    return cond->integer ? then_body : else_body;
  RlxTirStmt *s = rlx_tir_stmt(f, RLX_TIR_IF, else_body ? 2 : 1);
  s->cond = cond;
  s->body[0] = then_body;
  if (else_body) s->body[1] = else_body;
  return s;
}

RlxTirStmt *rlx_tir_alloc(RlxPrimFunc *f, RlxTirBuffer *buffer, RlxTirStmt *body) {
  RlxTirStmt *s = rlx_tir_stmt(f, RLX_TIR_ALLOC, 1);
  s->buffer = buffer;
  s->body[0] = body;
  return s;
}

RlxTirStmt *rlx_tir_let_stmt(RlxPrimFunc *f, RlxTirVar *var, RlxTirExpr *value, RlxTirStmt *body) {
  RlxTirStmt *s = rlx_tir_stmt(f, RLX_TIR_LET_STMT, 1);
  s->var = var;
  s->value = value;
  s->body[0] = body;
  return s;
}

RlxTirParam *rlx_primfunc_add_buffer(RlxPrimFunc *f, RlxTirBuffer *buffer) {
  return rlx_primfunc_add_param(f, NULL, buffer);
}

RlxTirBuffer *rlx_primfunc_buffer_of(const RlxPrimFunc *f, const RlxTirVar *var) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].buffer && (f->params[i].buffer->data == var || f->params[i].var == var))
      return f->params[i].buffer;
  for (int i = 0; i < f->root_alloc_count; i++)
    if (f->root_allocs[i]->data == var) return f->root_allocs[i];
  return NULL;
}

RlxTirParam *rlx_primfunc_add_param(RlxPrimFunc *f, RlxTirVar *var, RlxTirBuffer *buffer) {
  RlxTirParam *grown = rlx_arena_array(f->arena, RlxTirParam, f->param_count + 1);
  if (f->param_count) memcpy(grown, f->params, (size_t)f->param_count * sizeof *grown);
  f->params = grown;
  RlxTirParam *param = &grown[f->param_count++];
  param->var = var ? var : rlx_tir_var(f, buffer->name, rlx_dtype(RLX_DTYPE_HANDLE, 64));
  param->buffer = buffer;
  return param;
}

RlxTirStmt *rlx_tir_block(RlxPrimFunc *f, RlxName name, const RlxTirIterVar *iters, int iter_count,
                          RlxTirStmt *init, RlxTirStmt *body) {
  RlxTirStmt *s = rlx_tir_stmt(f, RLX_TIR_BLOCK, 1);
  s->block = rlx_arena_one(f->arena, RlxTirBlock);
  s->block->name = name;
  s->block->iter_count = iter_count;
  if (iter_count)
    s->block->iters = rlx_arena_copy(f->arena, iters, (size_t)iter_count, sizeof *iters);
  s->block->read_count = s->block->write_count = -1;
  s->init = init;
  s->body[0] = body;
  return s;
}
