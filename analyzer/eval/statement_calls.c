/// R.output and R.func_attr: calls that give nothing and say something of the dataflow block or the
/// function around them, wherever in a statement they stand.
#include "analyzer/eval/eval.h"

#include <string.h>

#include "analyzer/eval/refuse.h"
#include "analyzer/syntax/stmt_text.h"

// ---- R.func_attr

/// Attributes of functions that TVM reads itself have a kind.
static void check_attribute(RlxEval *e, const char *name, const RlxValue *value) {
  RlxPythonType type = rlx_python_type(e, value);
  bool is_symbol = strcmp(name, "global_symbol") == 0,
       is_flag = strcmp(name, "relax.force_pure") == 0;
  const bool is_ir = (value->kind == RLX_VALUE_PRIM && !value->is_python) ||
                     (value->kind == RLX_VALUE_EXPR && !rlx_expr_is_unknown(value->expr) &&
                      !rlx_expr_is_reported(value->expr)); // an object of the IR is neither
  bool is_fine = is_symbol ? type == RLX_PYTHON_STR
                 : is_flag ? type == RLX_PYTHON_BOOL || type == RLX_PYTHON_INT
                           : true;
  if (!is_fine && (is_ir || type != RLX_PYTHON_UNKNOWN) && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), value->span, "ssss", "R.func_attr", name,
                    rlx_value_text(e, value), is_symbol ? "a string" : "True or False");
}

/// `dict`: the argument as it is written, with the entry `key`.
static void global_symbol_private(RlxEval *e, const RlxAst *dict, uint32_t key, RlxSpan span,
                                  const char *name) {
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(GLOBAL_SYMBOL_PRIVATE), span, "s", name);
  if (dict->kind == RLX_AST_DICT)
    rlx_diag_fix(e->sink, diag, "remove it", rlx_dict_entry_span(dict, key), "");
}

static void global_symbol(RlxEval *e, const RlxValue *value, const char *name) {
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(GLOBAL_SYMBOL), value->span, "ss",
                                  rlx_store_text(e->store, value->string), name);
  rlx_diag_related(e->sink, diag, e->fn->stmt, e->fn->stmt->name_span, "the function's name");
  rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "change to \"%s\"", name),
               value->span, rlx_arena_printf(e->sink->arena, "\"%s\"", name));
}

static void force_pure(RlxEval *e, RlxSpan span) {
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(FORCE_PURE), span, "");
  const RlxStmt *stmt = e->fn->stmt;
  for (uint32_t i = 0; i < stmt->decorator_count; i++) {
    const RlxAst *call = stmt->decorators[i];
    for (uint32_t k = 1; call->kind == RLX_AST_CALL && k < call->child_count; k++) {
      const RlxAst *arg = call->children[k];
      if (arg->kind != RLX_AST_KEYWORD || strcmp(rlx_store_text(e->store, arg->name), "pure") != 0)
        continue;
      rlx_diag_related(e->sink, diag, stmt, arg->span, "declared impure here");
      RlxSpan cut =
          k + 1 < call->child_count
              ? rlx_span(arg->span.start, call->children[k + 1]->span.start)
              : rlx_span(k > 1 ? call->children[k - 1]->span.end : arg->span.start, arg->span.end);
      rlx_diag_fix_at(e->sink, diag, "declare the function pure", stmt, cut, "");
    }
  }
}

/// A call of R.func_attr.
typedef struct AttrCall {
  RlxSpan span;
  const RlxAst *dict;   ///< its argument, as it is written
  uint32_t defs_before; ///< what the statement had defined when it began
} AttrCall;

/// Where another call gave the attribute; NULL: none did.
static const RlxDef *given_before(const RlxEval *e, RlxName mark, const AttrCall *call) {
  for (uint32_t i = 0; i < call->defs_before; i++) {
    const RlxDef *def = &e->defs.at[i];
    if (def->name == mark &&
        (def->span.end <= call->span.start || def->span.start >= call->span.end))
      return def;
  }
  const RlxDef *old = e->env ? rlx_env_get(e->env, mark) : NULL;
  const bool is_other = old && old->stmt != e->stmt && old->stmt;
  return is_other && old->stmt->kind == e->stmt->kind ? old : NULL;
}

/// What one entry of the dictionary says of the function.
static void attribute(RlxEval *e, const AttrCall *call, uint32_t at, const RlxValue *key,
                      const RlxValue *value) {
  const char *text = rlx_store_text(e->store, key->string);
  const char *name = rlx_store_text(e->store, e->fn->stmt->name);
  bool yes = (value->kind == RLX_VALUE_BOOL && value->boolean) ||
             (value->kind == RLX_VALUE_INT && value->integer) ||
             (value->kind == RLX_VALUE_PRIM && !rlx_refuse_may_tell(e) && // an object, not a bool
              !(value->prim->kind == RLX_PRIM_INT && value->prim->value == 0));
  check_attribute(e, text, value);
  RlxName mark = rlx_attr_mark(e, text);
  rlx_vec_push(&e->reads, mark);
  const RlxDef *old = given_before(e, mark, call);
  if (old) {
    RlxDiag *diag =
        rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_TWICE), key->span, "ss", "R.func_attr", text);
    rlx_diag_related(e->sink, diag, old->stmt, old->span, "the first one");
    e->is_volatile = true; // that place changes with the first one's text
  }
  rlx_define(
      e, mark,
      (RlxValue){.kind = RLX_VALUE_PRIM, .prim = rlx_prim_int(e->store, yes), .span = key->span},
      key->span); // for what follows
  if (strcmp(text, "relax.force_pure") == 0 && yes && !e->fn->function.is_pure)
    force_pure(e, key->span);
  if (strcmp(text, "global_symbol") != 0) return;
  bool is_string = value->kind == RLX_VALUE_STR;
  if (is_string && !e->fn->module && !e->fn->outer) e->fn->function.name = value->string;
  if (e->fn->function.is_private || (e->fn->outer && rlx_refuse_may_tell(e))) // a local function is
    global_symbol_private(e, call->dict, at, key->span, name);
  else if (is_string && e->fn->module && !e->fn->outer &&
           strcmp(rlx_store_text(e->store, value->string), name) != 0)
    global_symbol(e, value, name);
}

void rlx_call_func_attr(RlxEval *e, const RlxAst *call, const RlxPyArgs *args) {
  if (!e->fn || args->is_unknown) return;
  if (!args->count) {
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_MISSING), call->span, "ss", "R.func_attr", "attrs");
    return;
  }
  for (uint32_t i = 0; i < args->count; i++) {
    const RlxPyArg *arg = &args->at[i];
    if (!arg->keyword && i == 1)
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_COUNT), arg->span, "siis", "R.func_attr", 1,
                      (int)args->count, "");
    const char *keyword = arg->keyword ? rlx_store_text(e->store, arg->keyword) : "attrs";
    if (strcmp(keyword, "attrs") != 0)
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), arg->keyword_span, "sss", "R.func_attr",
                      keyword, "");
  }
  const RlxValue *attrs = &args->at[0].value;
  bool is_dict = attrs->kind == RLX_VALUE_DICT;
  for (uint32_t i = 0; is_dict && i + 1 < attrs->count; i += 2)
    is_dict = attrs->items[i].kind == RLX_VALUE_STR || attrs->items[i].kind == RLX_VALUE_UNKNOWN;
  if (!is_dict && attrs->kind != RLX_VALUE_UNKNOWN && !e->tainted)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), args->at[0].span, "ssss", "R.func_attr",
                    "attrs", rlx_value_text(e, attrs), "a dict with strings as keys");
  if (attrs->kind != RLX_VALUE_DICT) return;
  const RlxAst *dict = call->children[1];
  if (dict->kind == RLX_AST_KEYWORD) dict = dict->children[0];
  const AttrCall this = {call->span, dict, e->defs.count};
  for (uint32_t i = 0; i + 1 < attrs->count; i += 2)
    if (attrs->items[i].kind == RLX_VALUE_STR)
      attribute(e, &this, i, &attrs->items[i], &attrs->items[i + 1]);
}

// ---- R.output

/// `removed`: the argument with a comma beside it, where it is a name among others.
static void refuse_output(RlxEval *e, const RlxPyArg *arg, const RlxAst *written,
                          const RlxSpan *removed) {
  const RlxValue *v = &arg->value;
  bool is_name = written && written->kind == RLX_AST_NAME;
  RlxDiag *diag = rlx_eval_report(
      e, RLX_DIAG_ID(OUTPUT_UNDEFINED), written ? written->span : arg->span, "s",
      is_name ? rlx_arena_printf(e->arena, "`%s`", rlx_store_text(e->store, written->name))
              : "this expression");
  if (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_VAR && v->expr->var->stmt)
    rlx_diag_related_var(e->sink, diag, v->expr->var,
                         v->expr->var->is_param ? "a parameter"
                                                : "bound here, outside of the block");
  if (is_name && removed) rlx_diag_fix(e->sink, diag, "remove it from the outputs", *removed, "");
}

void rlx_call_output(RlxEval *e, const RlxAst *call, const RlxPyArgs *args) {
  if (!e->fn || !e->unit) return;
  bool is_second = e->unit->is_output;
  e->unit->is_output = true;
  if (!e->in_dataflow || is_second) {
    // its fix is made when it is shown: report.c
    rlx_eval_report(e, RLX_DIAG_ID(OUTPUT_PLACE), call->span, "s",
                    is_second ? "a dataflow block has one `R.output`, which lists all its outputs"
                              : "`R.output` stands outside of any dataflow block");
    return;
  }
  bool is_as_written = args->count + 1 == call->child_count; // no star among the arguments
  for (uint32_t i = 0; i < args->count; i++) {
    const RlxPyArg *arg = &args->at[i];
    const RlxAst *written = is_as_written ? call->children[i + 1] : NULL;
    if (arg->keyword && rlx_refuse_may_tell(e)) // what it names leaves the block all the same
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), arg->span, "sss", "R.output",
                      rlx_store_text(e->store, arg->keyword), "");
    if (written && written->kind == RLX_AST_KEYWORD) written = written->children[0];
    const RlxValue *v = &arg->value;
    if (v->kind == RLX_VALUE_UNKNOWN) continue;
    if (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_VAR && v->expr->var->in_dataflow) {
      bool is_name =
          written && written->kind == RLX_AST_NAME && !e->in_lambda; // else a parameter's
      RlxName name = is_name ? written->name : v->expr->var->name;
      if (name) rlx_define(e, name, *v, arg->span);
      continue;
    }
    RlxSpan removed = rlx_span(0, 0);
    bool is_one_of_several = is_as_written && args->count > 1;
    if (is_one_of_several && !i)
      removed = rlx_span(arg->span.start, call->children[2]->span.start);
    else if (is_one_of_several)
      removed = rlx_span(call->children[i]->span.end, arg->span.end);
    refuse_output(e, arg, written, is_one_of_several ? &removed : NULL);
  }
}
