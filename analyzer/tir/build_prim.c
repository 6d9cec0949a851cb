/// Between symbolic integers of the analyzer and integer expressions of TensorIR. Both ways keep
/// the shape of the expression; what the other side cannot say is a hole (from_prim) or NULL
/// (to_prim).
#include "analyzer/tir/tir.h"

typedef struct KindPair {
  uint8_t prim, tir;
} KindPair;

static const KindPair pairs[] = {
    {RLX_PRIM_ADD, RLX_TIR_ADD},
    {RLX_PRIM_SUB, RLX_TIR_SUB},
    {RLX_PRIM_MUL, RLX_TIR_MUL},
    {RLX_PRIM_DIV, RLX_TIR_DIV},
    {RLX_PRIM_FLOORDIV, RLX_TIR_FLOORDIV},
    {RLX_PRIM_FLOORMOD, RLX_TIR_FLOORMOD},
    {RLX_PRIM_TRUNCDIV, RLX_TIR_TRUNCDIV},
    {RLX_PRIM_TRUNCMOD, RLX_TIR_TRUNCMOD},
    {RLX_PRIM_MIN, RLX_TIR_MIN},
    {RLX_PRIM_MAX, RLX_TIR_MAX},
    {RLX_PRIM_SHL, RLX_TIR_SHL},
    {RLX_PRIM_SHR, RLX_TIR_SHR},
    {RLX_PRIM_BITAND, RLX_TIR_BITAND},
    {RLX_PRIM_BITOR, RLX_TIR_BITOR},
    {RLX_PRIM_BITXOR, RLX_TIR_BITXOR},
    {RLX_PRIM_EQ, RLX_TIR_EQ},
    {RLX_PRIM_NE, RLX_TIR_NE},
    {RLX_PRIM_LT, RLX_TIR_LT},
    {RLX_PRIM_LE, RLX_TIR_LE},
    {RLX_PRIM_AND, RLX_TIR_AND},
    {RLX_PRIM_OR, RLX_TIR_OR},
};

typedef struct FromPrim {
  RlxPrimFunc *f;
  RlxTirVar *(*lookup)(const RlxSymVar *, void *);
  void *data;
} FromPrim;

static RlxTirExpr *hole(RlxPrimFunc *f, RlxDType dtype, RlxName name) {
  RlxTirExpr *e = rlx_arena_one(f->arena, RlxTirExpr);
  e->kind = RLX_TIR_HOLE;
  e->dtype = dtype;
  e->name = name;
  f->has_holes = true;
  return e;
}

/// A length times an index: written the other way round, as indices are.
static bool is_turned(const RlxPrim *p, RlxTirExpr *const *args) {
  return p->kind == RLX_PRIM_MUL && args[0]->kind == RLX_TIR_VAR && args[1]->kind == RLX_TIR_VAR &&
         args[0]->var->is_length && !args[1]->var->is_length;
}

static RlxTirExpr *from_prim(const FromPrim *c, const RlxPrim *p) {
  RlxPrimFunc *f = c->f;
  if (p->kind == RLX_PRIM_INT) return rlx_tir_int(f, p->value, p->dtype);
  if (p->kind == RLX_PRIM_FLOAT) return rlx_tir_float(f, p->number, p->dtype);
  if (p->kind == RLX_PRIM_VAR) {
    RlxTirVar *var = c->lookup(p->var, c->data);
    return var ? rlx_tir_var_expr(f, var) : hole(f, p->dtype, p->var->name);
  }
  RlxTirExpr *args[8];
  if (p->arg_count > 8) return hole(f, p->dtype, RLX_NAME_NONE);
  for (int i = 0; i < p->arg_count; i++) args[i] = from_prim(c, p->args[i]);
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    if (pairs[i].prim == p->kind && p->arg_count == 2) {
      if (!rlx_dtype_equal(args[0]->dtype, args[1]->dtype)) {
        // Mixed int32 and int64 in shapes: TVM widens.
        RlxDType wide =
            args[0]->dtype.bits >= args[1]->dtype.bits ? args[0]->dtype : args[1]->dtype;
        if (rlx_dtype_is_float(args[0]->dtype) != rlx_dtype_is_float(args[1]->dtype))
          wide = rlx_dtype_is_float(args[0]->dtype) ? args[0]->dtype : args[1]->dtype;
        args[0] = rlx_tir_cast(f, wide, args[0]);
        args[1] = rlx_tir_cast(f, wide, args[1]);
      }
      bool turns = is_turned(p, args);
      return rlx_tir_binary(f, pairs[i].tir, args[turns], args[!turns]);
    }
  if (p->kind == RLX_PRIM_ABS)
    return rlx_tir_select(
        f, rlx_tir_binary(f, RLX_TIR_GE, args[0], rlx_tir_int(f, 0, args[0]->dtype)), args[0],
        rlx_tir_binary(f, RLX_TIR_SUB, rlx_tir_int(f, 0, args[0]->dtype), args[0]));
  if (p->kind == RLX_PRIM_NOT) return rlx_tir_unary(f, RLX_TIR_NOT, args[0]);
  if (p->kind == RLX_PRIM_SELECT) return rlx_tir_if_then_else(f, args[0], args[1], args[2]);
  if (p->kind == RLX_PRIM_CAST) return rlx_tir_cast(f, p->dtype, args[0]);
  if (p->kind == RLX_PRIM_CALL) return rlx_tir_call(f, p->name, p->dtype, args, p->arg_count);
  return hole(f, p->dtype, RLX_NAME_NONE);
}

RlxTirExpr *rlx_tir_from_prim(RlxPrimFunc *f, const RlxPrim *p,
                              RlxTirVar *(*lookup)(const RlxSymVar *, void *), void *data) {
  FromPrim c = {f, lookup, data};
  return from_prim(&c, p);
}

const RlxPrim *rlx_tir_to_prim(RlxStore *store, const RlxTirExpr *e, uint64_t scope) {
  if (e->dtype.lanes != 1) return NULL;
  if (e->kind == RLX_TIR_INT) return rlx_prim_int_typed(store, e->integer, e->dtype);
  if (e->kind == RLX_TIR_VAR) {
    const RlxSymVar *symbol = e->var->symbol;
    return rlx_prim_var(store,
                        symbol ? symbol : rlx_symvar(store, scope, e->var->name, e->dtype, false));
  }
  if (e->arg_count > 3 || e->kind == RLX_TIR_CALL || e->kind == RLX_TIR_LOAD ||
      e->kind == RLX_TIR_LET)
    return NULL;
  const RlxPrim *args[3] = {NULL, NULL, NULL};
  for (int i = 0; i < e->arg_count; i++)
    if (!(args[i] = rlx_tir_to_prim(store, e->args[i], scope))) return NULL;
  if (e->arg_count == 2) {
    if (e->kind == RLX_TIR_GT) return rlx_prim_binary(store, RLX_PRIM_LT, args[1], args[0]);
    if (e->kind == RLX_TIR_GE) return rlx_prim_binary(store, RLX_PRIM_LE, args[1], args[0]);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
      if (pairs[i].tir == e->kind) return rlx_prim_binary(store, pairs[i].prim, args[0], args[1]);
    return NULL;
  }
  if (e->kind == RLX_TIR_NOT) return rlx_prim_unary(store, RLX_PRIM_NOT, args[0]);
  if (e->kind == RLX_TIR_SELECT || e->kind == RLX_TIR_IF_THEN_ELSE)
    return rlx_prim_select(store, args[0], args[1], args[2]);
  if (e->kind == RLX_TIR_CAST && rlx_dtype_is_int(e->dtype))
    return rlx_prim_cast(store, e->dtype, args[0]);
  return NULL;
}
