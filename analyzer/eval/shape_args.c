/// Arguments substituted into what a callee gives where its result has the shape that a parameter
/// is: `def f(x, s: R.Shape(ndim=2))` with a result `R.Tensor(s)`, called with `R.shape([3, 4])`,
/// gives `R.Tensor((3, 4))`. TVM knows the rank alone.
///
/// Always true: the callee's result mentions a parameter only as long as it is that very value.
#include "analyzer/eval/eval.h"

/// The function of this file that is called, or NULL.
static const RlxFn *function_of(const RlxExpr *callee) {
  const RlxStmt *def = callee->kind == RLX_EXPR_GLOBAL ? callee->callee
                       : callee->kind == RLX_EXPR_VAR  ? callee->var->stmt
                                                       : NULL;
  const RlxAnalysis *unit = def ? def->analysis : NULL;
  return unit && unit->fn && unit->fn->kind == RLX_ISLAND_RELAX ? unit->fn : NULL;
}

/// How the caller's StructInfos mention a variable of Shape kind.
static const RlxSymVar *symbol_of(RlxEval *e, RlxVar *var) {
  if (!var->symbol)
    var->symbol = rlx_symvar(e->store, e->fn->function.scope, var->name, rlx_dtype_unknown(), true);
  return var->symbol;
}

/// A tensor whose shape is argument `arg`.
static const RlxSInfo *shaped_as(RlxEval *e, const RlxSInfo *ret, const RlxExpr *arg,
                                 const RlxSInfo *otherwise) {
  const RlxSInfo *s = arg->sinfo;
  if (s->kind != RLX_SINFO_SHAPE || (ret->ndim >= 0 && s->ndim >= 0 && ret->ndim != s->ndim))
    return otherwise;
  if (s->dims) return rlx_sinfo_tensor(e->store, s->dims, s->ndim, ret->dtype, ret->vdevice);
  if (arg->kind != RLX_EXPR_VAR || arg->var->is_temporary || !e->fn) return otherwise;
  return rlx_sinfo_tensor_of(e->store, symbol_of(e, arg->var), s->ndim >= 0 ? s->ndim : ret->ndim,
                             ret->dtype, ret->vdevice);
}

enum { FIELDS_MAX = 64 };

static const RlxSInfo *substitute(RlxEval *e, const RlxFn *fn, const RlxExpr *call,
                                  const RlxSInfo *ret, const RlxSInfo *derived, int depth) {
  if (!ret->has_symbols || ret->kind != derived->kind || depth == 0) return derived;
  if (ret->kind == RLX_SINFO_TENSOR && ret->shape_var) {
    for (uint32_t i = 0; i < fn->function.param_count; i++)
      if (fn->function.params[i]->symbol == ret->shape_var)
        return shaped_as(e, ret, call->call->args[i].expr, derived);
  }
  if (ret->kind != RLX_SINFO_TUPLE || ret->count != derived->count || ret->count > FIELDS_MAX)
    return derived;
  const RlxSInfo *fields[FIELDS_MAX];
  for (int32_t i = 0; i < ret->count; i++)
    fields[i] = substitute(e, fn, call, ret->fields[i], derived->fields[i], depth - 1);
  return rlx_sinfo_tuple(e->store, fields, ret->count);
}

const RlxSInfo *rlx_substitute_shapes(RlxEval *e, const RlxExpr *call, const RlxSInfo *func,
                                      const RlxSInfo *derived) {
  const RlxFn *fn = func->ret && func->ret->has_symbols ? function_of(call->call->callee) : NULL;
  if (!fn || fn->function.param_count != call->call->arg_count) return derived;
  return substitute(e, fn, call, func->ret, derived, 8);
}
