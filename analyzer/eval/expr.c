/// Making expressions out of values, with their StructInfo.
/// Always true: an expression made here has StructInfo; a value that is no Relax expression gives
/// NULL, never a guess.
#include "analyzer/eval/eval.h"
#include <string.h>

RlxExpr *rlx_expr_new(RlxEval *e, RlxExprKind kind, RlxSpan span, const RlxSInfo *sinfo) {
  RlxExpr *x = rlx_arena_one(e->arena, RlxExpr);
  x->kind = (uint8_t)kind;
  x->span = span;
  x->sinfo = sinfo;
  if (kind == RLX_EXPR_CALL) x->call = rlx_arena_one(e->arena, RlxCall);
  return x;
}

RlxExpr *rlx_expr_hole(RlxEval *e, RlxSpan span) {
  e->tainted |= RLX_FAILED;
  return rlx_expr_new(e, RLX_EXPR_HOLE, span, rlx_sinfo_object(e->store));
}

RlxExpr *rlx_expr_var(RlxEval *e, RlxVar *var, RlxSpan span) {
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_VAR, span, var->sinfo);
  x->var = var;
  e->tainted |= var->is_tainted;
  return x;
}

const RlxSInfo *rlx_tuple_not_too_deep(RlxStore *store, const RlxSInfo *const *fields,
                                       uint32_t count) {
  const RlxSInfo *made = rlx_sinfo_tuple(store, fields, (int)count);
  return made->kind == RLX_SINFO_TUPLE ? made : NULL;
}

RlxExpr *rlx_expr_tuple(RlxEval *e, RlxExpr **fields, uint32_t count, RlxSpan span) {
  const RlxSInfo **sinfos = rlx_arena_array(e->arena, const RlxSInfo *, count ? count : 1);
  for (uint32_t i = 0; i < count; i++) sinfos[i] = fields[i]->sinfo;
  const RlxSInfo *sinfo = rlx_tuple_not_too_deep(e->store, sinfos, count);
  if (!sinfo) e->tainted |= RLX_FAILED; // what depends on it is silent
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_TUPLE, span, sinfo ? sinfo : rlx_sinfo_object(e->store));
  x->fields = fields;
  x->field_count = count;
  return x;
}

static const RlxSInfo *prim_sinfo(RlxEval *e, const RlxPrim *prim) {
  const bool is_unknown =
      prim->kind == RLX_PRIM_CALL && !prim->arg_count; // nothing but its dtype is known
  return rlx_sinfo_prim(e->store, prim->dtype, is_unknown ? NULL : prim);
}

/// R.shape([…]) out of a list of dimensions; NULL when an item is none. What only Python knows
/// makes the shape unknown.
RlxExpr *rlx_expr_shape(RlxEval *e, const RlxValue *list, RlxSpan span) {
  const RlxPrim **dims = rlx_arena_array(e->arena, const RlxPrim *, list->count ? list->count : 1);
  bool known = true;
  for (uint32_t i = 0; i < list->count; i++) {
    const RlxValue *item = &list->items[i];
    dims[i] = rlx_value_prim(e, item);
    if (rlx_dim_is_variable(e, item)) return NULL;
    if (dims[i] && rlx_dtype_is_float(dims[i]->dtype)) return NULL;
    if (dims[i] && rlx_dim_is_narrow(e, dims[i])) return NULL;
    if (dims[i]) {
      dims[i] = rlx_as_dimension(e, dims[i]);
      continue;
    }
    if (item->kind == RLX_VALUE_UNKNOWN && (dims[i] = rlx_open_dimension(e, list, i)) != NULL) {
      e->tainted |= RLX_OPEN;
      continue;
    }
    bool is_scalar = item->kind == RLX_VALUE_EXPR && (item->expr->sinfo->kind == RLX_SINFO_PRIM ||
                                                      item->expr->kind == RLX_EXPR_HOLE);
    if (item->kind != RLX_VALUE_UNKNOWN && !is_scalar) return NULL;
    known = false;
  }
  RlxExpr *x = rlx_expr_new(e, known ? RLX_EXPR_SHAPE : RLX_EXPR_HOLE, span,
                            rlx_sinfo_shape(e->store, known ? dims : NULL, (int)list->count));
  x->dims = dims;
  x->dim_count = (int32_t)list->count;
  if (!known) e->tainted |= RLX_FAILED;
  return x;
}

/// Whether `name` is a symbolic variable of the function.
static bool names_symbol(const RlxEval *e, RlxName name) {
  const RlxDef *def = e->env ? rlx_env_get(e->env, name) : NULL;
  return def && def->value.kind == RLX_VALUE_PRIM;
}

void rlx_shape_report(RlxEval *e, const RlxValue *list) {
  for (uint32_t i = 0; i < list->count && !e->tainted; i++) {
    const RlxValue *item = &list->items[i];
    const RlxPrim *p = rlx_value_prim(e, item);
    bool is_scalar = item->kind == RLX_VALUE_UNKNOWN ||
                     (item->kind == RLX_VALUE_EXPR && (item->expr->sinfo->kind == RLX_SINFO_PRIM ||
                                                       item->expr->kind == RLX_EXPR_HOLE));
    bool is_variable = rlx_dim_is_variable(e, item);
    if (is_variable ? false
        : p         ? !rlx_dtype_is_float(p->dtype) && !rlx_dim_is_narrow(e, p)
                    : is_scalar)
      continue;
    RlxDiag *diag =
        rlx_eval_report(e, RLX_DIAG_ID(DIM_INVALID), item->span, "s", rlx_value_text(e, item));
    if (item->kind == RLX_VALUE_STR && names_symbol(e, item->string))
      rlx_diag_fix(e->sink, diag, "write it without quotes", item->span,
                   rlx_store_text(e->store, item->string));
  }
}

static RlxExpr *of_list(RlxEval *e, const RlxValue *v) {
  RlxExpr **fields = rlx_arena_array(e->arena, RlxExpr *, v->count ? v->count : 1);
  for (uint32_t i = 0; i < v->count; i++) {
    fields[i] = rlx_expr_of(e, &v->items[i]);
    if (!fields[i]) return NULL;
    rlx_value_callee(e, fields[i]);
  }
  return rlx_expr_tuple(e, fields, v->count, v->span);
}

/// The call R.shape_of(self).
static RlxExpr *shape_of(RlxEval *e, const RlxValue *self, RlxSpan span) {
  RlxExpr *operand = rlx_expr_of(e, self);
  if (!operand || operand->kind == RLX_EXPR_HOLE) return rlx_expr_hole(e, span);
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_CALL, span, rlx_sinfo_object(e->store));
  x->call->row = rlx_op_find("shape_of", 8);
  x->call->args = rlx_arena_array(e->arena, RlxValue, 1);
  x->call->args[0] = rlx_value_expr(operand);
  x->call->args[0].span = self->span;
  x->call->arg_count = 1;
  x->call->span = x->call->name_span = span;
  return rlx_deduce_call(e, x).expr;
}

RlxExpr *rlx_expr_function(RlxEval *e, RlxFn *fn, RlxSpan span) {
  const RlxSInfo *sinfo =
      fn->kind == RLX_ISLAND_PYFUNC ? rlx_sinfo_object(e->store) : rlx_fn_sinfo(e, fn);
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_GLOBAL, span, sinfo);
  x->name = fn->stmt->name;
  x->module = fn->module ? fn->module->name : 0;
  x->callee = fn->stmt;
  return x;
}

RlxExpr *rlx_expr_of(RlxEval *e, const RlxValue *v) {
  RlxExpr *x;
  if (v->kind == RLX_VALUE_FUNCTION) { // f = subfunc
    union {
      const void *in;
      RlxFn *out;
    } fn = {.in = v->thing};
    bool is_prim = fn.out->kind == RLX_ISLAND_PRIM_FUNC && rlx_eval_is_tlc(e);
    if (fn.out->kind != RLX_ISLAND_RELAX && !is_prim) return NULL;
    return rlx_expr_function(e, fn.out, v->span);
  }
  if (v->kind == RLX_VALUE_METHOD && rlx_eval_is_tlc(e)) { // x.shape as a value
    RlxValue self = ((const RlxMethod *)v->thing)->self;
    if (strcmp(rlx_store_text(e->store, ((const RlxMethod *)v->thing)->name), "shape") != 0)
      return NULL;
    return shape_of(e, &self, v->span);
  }
  switch (v->kind) {
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: return v->expr;
  case RLX_VALUE_UNKNOWN: return rlx_expr_hole(e, v->span);
  case RLX_VALUE_LIST: return v->is_range ? NULL : of_list(e, v);
  case RLX_VALUE_BOOL:
  case RLX_VALUE_INT:
  case RLX_VALUE_FLOAT:
  case RLX_VALUE_PRIM: { // Python's numbers as TVM's convert_to_expr takes them
    const RlxPrim *prim = v->kind == RLX_VALUE_FLOAT
                              ? rlx_prim_float(e->store, v->number, RLX_FLOAT64)
                          : v->kind == RLX_VALUE_BOOL ? rlx_prim_int(e->store, v->boolean)
                                                      : rlx_value_prim(e, v);
    x = rlx_expr_new(e, RLX_EXPR_PRIM, v->span, prim_sinfo(e, prim));
    x->prim = prim;
    return x;
  }
  case RLX_VALUE_STR:
    x = rlx_expr_new(e, RLX_EXPR_STRING, v->span, rlx_sinfo_object(e->store));
    x->name = v->string;
    return x;
  case RLX_VALUE_OP: {
    const RlxOpRow *row = v->thing;
    if (!e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(VALUE_CALLEE), v->span, "s",
                      rlx_arena_printf(e->arena, "operator `%s`", rlx_op_spelling(e->arena, row)));
    return rlx_expr_hole(e, v->span);
  }
  default: return NULL;
  }
}

void rlx_value_callee(RlxEval *e, const RlxExpr *x) {
  if (x->kind != RLX_EXPR_EXTERN || e->tainted) return;
  rlx_eval_report(
      e, RLX_DIAG_ID(VALUE_CALLEE), x->span, "s",
      rlx_arena_printf(e->arena, "the packed function \"%s\"", rlx_store_text(e->store, x->name)));
}

/// What numbers a constant is made of.
typedef struct Numbers {
  bool has_float, has_int, has_unsigned, has_other;
} Numbers;

static void count_nested(const RlxValue *v, Numbers *out) {
  if (v->kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v->count; i++) count_nested(&v->items[i], out);
    return;
  }
  if (v->kind == RLX_VALUE_FLOAT || (v->kind == RLX_VALUE_PRIM && v->prim->kind == RLX_PRIM_FLOAT))
    out->has_float = true;
  else if (v->kind == RLX_VALUE_INT || (v->kind == RLX_VALUE_PRIM && v->prim->kind == RLX_PRIM_INT))
    out->has_int = true;
  else if (v->kind == RLX_VALUE_UINT64)
    out->has_unsigned = true;
  else if (v->kind != RLX_VALUE_BOOL)
    out->has_other = true;
}

/// The dtype of numpy's array as relax.const keeps it: float32 for float64, int32 for int64. Integers of which some are
/// beyond int64 are uint64 alone, and float64 beside others.
static RlxDType dtype_of_numbers(const Numbers *n) {
  if (n->has_float || (n->has_unsigned && n->has_int)) return RLX_FLOAT32;
  if (n->has_unsigned) return rlx_dtype(RLX_DTYPE_UINT, 64);
  return n->has_int ? RLX_INT32 : RLX_BOOL;
}

/// A constant tensor of `v` (number or nested lists); `dtype` unknown: int32, uint64, float32 or bool. NULL
/// when v is no constant.
RlxExpr *rlx_expr_constant(RlxEval *e, const RlxValue *v, RlxDType dtype, RlxSpan span) {
  Numbers numbers = {0};
  count_nested(v, &numbers);
  if (numbers.has_other) return NULL;
  const RlxPrim *dims[16];
  int ndim = 0;
  bool is_empty = false; // an array of numpy without elements is one of floats
  for (const RlxValue *at = v; at->kind == RLX_VALUE_LIST && ndim < 16; at = &at->items[0]) {
    dims[ndim++] = rlx_prim_int(e->store, at->count);
    is_empty = !at->count;
    if (is_empty) break;
  }
  if (!rlx_dtype_known(dtype)) dtype = is_empty ? RLX_FLOAT32 : dtype_of_numbers(&numbers);
  RlxExpr *x =
      rlx_expr_new(e, RLX_EXPR_CONSTANT, span, rlx_sinfo_tensor(e->store, dims, ndim, dtype, NULL));
  RlxValue *copy = rlx_arena_one(e->arena, RlxValue);
  *copy = *v;
  x->constant.value = copy;
  return x;
}

/// tuple[index]; reports what can't be.
RlxExpr *rlx_expr_get(RlxEval *e, RlxExpr *tuple, int64_t index, RlxSpan span, RlxSpan index_span) {
  const RlxSInfo *sinfo = tuple->sinfo, *field = rlx_sinfo_object(e->store);
  if (rlx_expr_is_unknown(tuple)) return tuple;
  if (tuple->kind == RLX_EXPR_TUPLE && index >= 0 && index < tuple->field_count && span.end == 0)
    return tuple->fields[index];
  if (sinfo->kind == RLX_SINFO_TUPLE) {
    if (index < 0 || index >= sinfo->count) {
      if (e->tainted & RLX_FAILED) return rlx_expr_hole(e, span);
      RlxDiag *diag =
          rlx_eval_report(e, RLX_DIAG_ID(TUPLE_INDEX), index_span, "di", index, (int)sinfo->count);
      if (index < 0 && index >= -(int64_t)sinfo->count)
        rlx_diag_fix(e->sink, diag, "count from the front", index_span,
                     rlx_arena_printf(e->sink->arena, "%d", (int)(sinfo->count + index)));
      else if (sinfo->count && index_span.end > index_span.start) {
        const char *nearest =
            rlx_arena_printf(e->sink->arena, "%d", index < 0 ? 0 : (int)sinfo->count - 1);
        rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "change to `%s`", nearest),
                     index_span, nearest);
      }
      return rlx_expr_hole(e, span);
    }
    field = sinfo->fields[index];
  } else if (!e->tainted || (e->tainted == RLX_OPEN && sinfo->kind != RLX_SINFO_OBJECT)) {
    RlxValue v = rlx_value_expr(tuple);
    rlx_eval_report(e, RLX_DIAG_ID(TUPLE_EXPECTED), tuple->span, "s", rlx_value_text(e, &v));
    return rlx_expr_hole(e, span);
  } else
    return rlx_expr_hole(e, span);
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_TUPLE_GET, span, field);
  x->tuple = tuple;
  x->index = index;
  return x;
}
