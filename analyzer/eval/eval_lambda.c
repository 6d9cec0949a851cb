/// Lambdas that an operator takes, a function from indices to indices (R.layout_transform), and those that are called where they are
/// written.
///
/// Always true: a lambda is evaluated where an operator takes it or it is called, not where it is written. Its
/// parameters of an operator's are integers that belong to no function; the other names that it reads count as
/// read by its statement.
#include "analyzer/eval/eval.h"
#include "analyzer/eval/refuse.h"

RlxValue rlx_lambda_value(RlxEval *e, const RlxAst *lambda) {
  RlxValue out = {.kind = RLX_VALUE_OTHER, .span = lambda->span};
  out.text = "a lambda of any number of arguments";
  for (uint32_t i = 0; i < lambda->param_count; i++) {
    if (lambda->params[i].star || lambda->params[i].is_positional_marker) return out;
  }
  RlxValue *pair = rlx_arena_array(e->arena, RlxValue, 2);
  pair[0] = (RlxValue){.kind = RLX_VALUE_LIST, .span = lambda->span, .count = lambda->param_count};
  pair[0].items =
      rlx_arena_array(e->arena, RlxValue, lambda->param_count ? lambda->param_count : 1);
  uint32_t outer = e->locals.all.count;
  for (uint32_t i = 0; i < lambda->param_count; i++) {
    RlxValue *param = &pair[0].items[i];
    *param = (RlxValue){.kind = RLX_VALUE_PRIM, .span = lambda->params[i].name_span};
    param->prim = rlx_prim_var(
        e->store, rlx_symvar(e->store, UINT64_MAX, lambda->params[i].name, RLX_INT64, false));
    rlx_locals_bind(&e->locals, lambda->params[i].name, *param);
  }
  const bool was_in_lambda = e->in_lambda;
  e->in_lambda = true;
  pair[1] = rlx_eval(e, lambda->children[0]);
  e->in_lambda = was_in_lambda;
  rlx_locals_drop(&e->locals, outer);
  if (pair[1].kind != RLX_VALUE_LIST) { // one index
    RlxValue *one = rlx_arena_one(e->arena, RlxValue);
    *one = pair[1];
    pair[1] = (RlxValue){.kind = RLX_VALUE_LIST, .span = lambda->span, .count = 1};
    pair[1].items = one;
  }
  for (uint32_t i = 0; i < pair[1].count && e->fn && !e->tainted; i++) {
    const RlxValue *item = &pair[1].items[i];
    bool is_float = item->kind == RLX_VALUE_FLOAT ||
                    (item->kind == RLX_VALUE_PRIM && rlx_dtype_is_float(item->prim->dtype));
    bool is_tensor = item->kind == RLX_VALUE_EXPR && item->expr->kind == RLX_EXPR_VAR;
    const bool is_truth = item->kind == RLX_VALUE_PRIM && rlx_dtype_is_bool(item->prim->dtype);
    const bool is_wide = item->kind == RLX_VALUE_UINT64 ||
                         (item->kind == RLX_VALUE_OTHER && item->text == rlx_big_int_text);
    const bool is_object = rlx_is_plain_object(item) || is_truth || is_wide;
    if (is_float || is_tensor || item->kind == RLX_VALUE_STR ||
        (is_object && rlx_refuse_may_tell(e)))
      rlx_eval_report(e, RLX_DIAG_ID(DIM_INVALID), item->span.end ? item->span : lambda->span, "s",
                      rlx_value_text(e, item));
  }
  out.kind = RLX_VALUE_LIST;
  out.count = 2;
  out.items = pair;
  return out;
}

RlxValue rlx_lambda_annotation(RlxEval *e, RlxValue v) {
  if (v.kind != RLX_VALUE_LAMBDA) return v;
  const RlxAst *lambda = v.thing;
  for (uint32_t i = 0; i < lambda->param_count; i++)
    if (!lambda->params[i].default_value) return v;
  if (lambda->param_count) return rlx_eval_failed(e, v.span);
  RlxValue made = rlx_eval(e, lambda->children[0]);
  const bool is_dtype = made.kind == RLX_VALUE_DTYPE && e->is_parameter && rlx_refuse_may_tell(e);
  if (made.kind == RLX_VALUE_WORD || made.kind == RLX_VALUE_LAMBDA || is_dtype) return v;
  made.span = v.span;
  return made;
}

/// Reports arguments that are too many or too few for a lambda; what has a star or a default is not looked at.
static void check_count(RlxEval *e, const RlxAst *lambda, const RlxPyArgs *args, RlxSpan span) {
  uint32_t plain = 0;
  for (uint32_t i = 0; i < args->count; i++) plain += !args->at[i].keyword;
  for (uint32_t i = 0; i < lambda->param_count; i++)
    if (lambda->params[i].star || lambda->params[i].is_positional_marker ||
        lambda->params[i].default_value)
      return;
  if (args->is_unknown || plain != args->count || !rlx_refuse_may_tell(e)) return;
  if (plain > lambda->param_count)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_COUNT), span, "siis", "this lambda",
                    (int)lambda->param_count, (int)plain, lambda->param_count == 1 ? "" : "s");
  else if (plain < lambda->param_count)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_MISSING), span, "ss", "this lambda",
                    rlx_store_text(e->store, lambda->params[plain].name));
}

/// Binds the parameters of a lambda to a call's arguments. False: not each gets one.
static bool bind_parameters(RlxEval *e, const RlxAst *lambda, const RlxPyArgs *args) {
  uint32_t used = 0;
  if (args->is_unknown) return false;
  for (uint32_t i = 0; i < lambda->param_count; i++) {
    const RlxParam *param = &lambda->params[i];
    const RlxValue *value = rlx_py_arg(e, args, i, rlx_store_text(e->store, param->name));
    if (param->star || param->is_positional_marker || !value) return false;
    used++;
    rlx_locals_bind(&e->locals, param->name, *value);
  }
  return used == args->count;
}

RlxValue rlx_lambda_call(RlxEval *e, const RlxAst *lambda, const RlxPyArgs *args, RlxSpan span) {
  const uint32_t outer = e->locals.all.count;
  const bool was_in_lambda = e->in_lambda;
  RlxValue v = rlx_value_unknown(span);
  check_count(e, lambda, args, span);
  e->in_lambda = true;
  if (bind_parameters(e, lambda, args)) v = rlx_eval(e, lambda->children[0]);
  e->in_lambda = was_in_lambda;
  rlx_locals_drop(&e->locals, outer);
  bool is_made = v.kind == RLX_VALUE_EXPR && v.expr->kind != RLX_EXPR_VAR && lambda->param_count &&
                 v.expr->kind != RLX_EXPR_CONSTANT; // in a text that names parameters
  for (uint32_t i = 0; i < args->count; i++)        // or an argument
    is_made &= args->at[i].value.kind != RLX_VALUE_EXPR || args->at[i].value.expr != v.expr;
  if (is_made || v.kind == RLX_VALUE_UNKNOWN || v.kind == RLX_VALUE_CALLEE)
    return rlx_eval_failed(e, span);
  v.span = span;
  return v;
}
