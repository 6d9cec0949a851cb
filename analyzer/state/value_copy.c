/// Copies of values. The value of a name outside of functions lives until the file is next edited
/// there; a statement that uses it lives longer, so it keeps a copy in its own arena.
#include "analyzer/state/state.h"

enum { MAX_DEPTH = 32 }; // each of thousands of names may hold the last one: a copy costs its depth

static RlxValue copy_value(RlxArena *arena, const RlxValue *v, int depth);

static RlxExpr *copy_expr(RlxArena *arena, const RlxExpr *x, int depth) {
  RlxExpr *to = rlx_arena_copy(arena, x, 1, sizeof *x);
  if (depth > MAX_DEPTH) {
    to->kind = RLX_EXPR_HOLE;
    return to;
  }
  switch ((RlxExprKind)x->kind) {
  case RLX_EXPR_CONSTANT:
    if (x->constant.value) {
      RlxValue *value = rlx_arena_one(arena, RlxValue);
      *value = copy_value(arena, x->constant.value, depth + 1);
      to->constant.value = value;
    }
    break;
  case RLX_EXPR_SHAPE:
    to->dims = rlx_arena_copy(arena, x->dims, (size_t)x->dim_count, sizeof *x->dims);
    break;
  case RLX_EXPR_TUPLE:
    to->fields = rlx_arena_array(arena, RlxExpr *, x->field_count);
    for (uint32_t i = 0; i < x->field_count; i++)
      to->fields[i] = copy_expr(arena, x->fields[i], depth + 1);
    break;
  case RLX_EXPR_TUPLE_GET: to->tuple = copy_expr(arena, x->tuple, depth + 1); break;
  case RLX_EXPR_CALL:
    to->call = rlx_arena_copy(arena, x->call, 1, sizeof *x->call);
    if (x->call->callee) to->call->callee = copy_expr(arena, x->call->callee, depth + 1);
    to->call->args = rlx_arena_array(arena, RlxValue, x->call->arg_count);
    for (uint32_t i = 0; i < x->call->arg_count; i++)
      to->call->args[i] = copy_value(arena, &x->call->args[i], depth + 1);
    to->call->sinfo_args = rlx_arena_copy(arena, x->call->sinfo_args, x->call->sinfo_arg_count,
                                          sizeof *x->call->sinfo_args);
    break;
  case RLX_EXPR_IF: // not outside of functions
  case RLX_EXPR_FUNCTION: to->kind = RLX_EXPR_HOLE; break;
  case RLX_EXPR_HOLE:
  case RLX_EXPR_VAR:
  case RLX_EXPR_GLOBAL:
  case RLX_EXPR_EXTERN:
  case RLX_EXPR_OP:
  case RLX_EXPR_PRIM:
  case RLX_EXPR_STRING:
  case RLX_EXPR_DTYPE: break;
  }
  return to;
}

static RlxValue copy_value(RlxArena *arena, const RlxValue *v, int depth) {
  RlxValue to = *v;
  if (depth > MAX_DEPTH) {
    to.kind = RLX_VALUE_UNKNOWN;
    return to;
  }
  switch (v->kind) {
  case RLX_VALUE_LIST:
  case RLX_VALUE_DICT:
    to.items = rlx_arena_array(arena, RlxValue, v->count);
    for (uint32_t i = 0; i < v->count; i++)
      to.items[i] = copy_value(arena, &v->items[i], depth + 1);
    break;
  case RLX_VALUE_NUMBERS: {
    RlxNumbers *numbers = rlx_arena_copy(arena, v->numbers, 1, sizeof *numbers);
    numbers->integers =
        rlx_arena_copy(arena, v->numbers->integers, numbers->count, sizeof *numbers->integers);
    to.numbers = numbers;
    break;
  }
  case RLX_VALUE_ARRAY:
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: to.expr = copy_expr(arena, v->expr, depth + 1); break;
  case RLX_VALUE_OTHER:
    if (v->text) to.text = rlx_arena_strdup(arena, v->text);
    break;
  case RLX_VALUE_METHOD: {
    RlxMethod *method = rlx_arena_copy(arena, v->thing, 1, sizeof *method);
    method->self = copy_value(arena, &method->self, depth + 1);
    to.thing = method;
    break;
  }
  case RLX_VALUE_CAST: {
    RlxCastPair *pair = rlx_arena_copy(arena, v->thing, 1, sizeof *pair);
    if (pair->value) pair->value = copy_expr(arena, pair->value, depth + 1);
    to.thing = pair;
    break;
  }
  default: break; // numbers, and what the analyzer, the store or the file owns
  }
  return to;
}

RlxValue rlx_value_copy(RlxArena *arena, const RlxValue *v) { return copy_value(arena, v, 0); }
