/// What an operator's rule says of one call: it is asked here, whoever made the call.
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/ops/numbers.h"

static const RlxSInfo *sinfo_of_var(const RlxSymVar *var, void *data) {
  RlxEval *e = data;
  const RlxDef *def = e->env ? rlx_env_get(e->env, var->name) : NULL;
  if (def && def->value.kind == RLX_VALUE_EXPR) return def->value.expr->sinfo;
  for (RlxFn *fn = e->fn; fn; fn = fn->outer)
    for (uint32_t i = rlx_fn_first_param(fn, var->name); i < fn->params.count; i++)
      if (fn->params.at[i].name == var->name && fn->params.at[i].value.kind == RLX_VALUE_EXPR)
        return fn->params.at[i].value.expr->sinfo;
  return NULL;
}

/// Of an operand nothing but Python knows the shape or dtype.
static bool has_unknown_data(const RlxCall *call) {
  for (uint32_t i = 0; i < call->arg_count; i++) {
    const RlxValue *v = &call->args[i];
    if (v->kind == RLX_VALUE_EXPR && rlx_expr_is_unknown_constant(v->expr)) return true;
  }
  return false;
}

RlxValue rlx_deduce_call(RlxEval *e, RlxExpr *x) {
  RlxArenaMark mark = rlx_arena_mark(e->analyzer->scratch);
  const bool is_silent = e->tainted & RLX_FAILED;
  RlxSink silent = {.arena = is_silent ? e->analyzer->scratch : e->arena, .is_silent = is_silent};
  RlxDeduce d = {.store = e->store,
                 .fields_max = (int32_t)rlx_eval_most(e, RLX_MAX_NAMED),
                 .scratch = e->analyzer->scratch,
                 .facts = e->facts,
                 .sink = e->tainted ? &silent : e->sink,
                 .module = e->fn && e->fn->module ? &e->fn->module->view : NULL,
                 .sinfo_of_var = sinfo_of_var,
                 .data = e,
                 .scope = e->fn ? e->fn->function.scope : 0};
  uint32_t reported = e->sink->diags.count;
  bool failed;
  if (!is_silent && (e->tainted || has_unknown_data(x->call))) {
    x->sinfo = rlx_open_deduce(e, &d, x->call, &failed);
    failed |= !x->sinfo;
  } else {
    x->sinfo = rlx_deduce(&d, x->call);
    failed = d.failed;
  }
  rlx_blame_call(e, x->call->name_span, reported);
  rlx_arena_rewind(e->analyzer->scratch, mark);
  rlx_vec_free(&silent.diags);
  if (failed) e->tainted |= RLX_FAILED;
  if (!x->sinfo) x->sinfo = rlx_sinfo_object(e->store);
  return rlx_value_expr(x);
}

const RlxSInfo *rlx_content_of(RlxEval *e, const RlxSInfo *sinfo, const RlxExpr *value) {
  if (e->tainted || !rlx_numbers_fit(sinfo)) return NULL;
  RlxSink silent = {.arena = e->arena};
  RlxArenaMark mark = rlx_arena_mark(e->analyzer->scratch);
  RlxDeduce d = {.store = e->store, .scratch = e->analyzer->scratch, .sink = &silent};
  const RlxSInfo *numbers = rlx_numbers_of(&d, value), *fields[] = {sinfo, numbers};
  rlx_arena_rewind(e->analyzer->scratch, mark);
  rlx_vec_free(&silent.diags);
  return numbers ? rlx_sinfo_tuple(e->store, fields, 2) : NULL;
}
