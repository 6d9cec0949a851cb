/// Values to bindings in normal form: nested calls become bindings of their own.
/// Always true: the bindings of a statement stand in evaluation order, nested calls before the call
/// that uses them.
#include <string.h>

#include "analyzer/eval/eval.h"

static void leaf_value(RlxEval *e, RlxValue *v) {
  if (v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE)
    v->expr = rlx_lower_leaf(e, v->expr);
  else if (v->kind == RLX_VALUE_LIST)
    for (uint32_t i = 0; i < v->count; i++) leaf_value(e, &v->items[i]);
}

/// `x.ndim` of a known rank is not well-formed where it becomes part of the program. What Python asks of it, as
/// `str(x.ndim)`, never does. In a dataflow block TVM's builder writes the number down itself.
static void check_inspection(RlxEval *e, const RlxExpr *x) {
  const RlxOpRow *row = x->call->row;
  const bool is_inspection =
      row && strncmp(row->registry, "relax.inspect.", strlen("relax.inspect.")) == 0;
  if (!is_inspection || x->sinfo->kind != RLX_SINFO_PRIM || !x->sinfo->value || e->tainted ||
      e->in_dataflow)
    return;
  RlxBuf value = {0};
  rlx_prim_tell(e->store, x->sinfo->value, &value);
  rlx_eval_report(e, RLX_DIAG_ID(INSPECT_KNOWN), x->call->span, "ss", row->registry,
                  rlx_buf_text(&value));
  rlx_buf_free(&value);
}

RlxExpr *rlx_lower_value(RlxEval *e, RlxExpr *x) {
  switch ((RlxExprKind)x->kind) {
  case RLX_EXPR_TUPLE:
    for (uint32_t i = 0; i < x->field_count; i++) x->fields[i] = rlx_lower_leaf(e, x->fields[i]);
    break;
  case RLX_EXPR_TUPLE_GET: x->tuple = rlx_lower_leaf(e, x->tuple); break;
  case RLX_EXPR_CALL:
    if (x->call->callee) x->call->callee = rlx_lower_leaf(e, x->call->callee);
    for (uint32_t i = 0; i < x->call->arg_count; i++)
      if (!x->call->args[i].is_default) leaf_value(e, &x->call->args[i]);
    check_inspection(e, x);
    break;
  case RLX_EXPR_HOLE:
  case RLX_EXPR_VAR:
  case RLX_EXPR_GLOBAL:
  case RLX_EXPR_EXTERN:
  case RLX_EXPR_OP:
  case RLX_EXPR_CONSTANT:
  case RLX_EXPR_SHAPE:
  case RLX_EXPR_PRIM:
  case RLX_EXPR_STRING:
  case RLX_EXPR_DTYPE:
  case RLX_EXPR_IF:
  case RLX_EXPR_FUNCTION: break;
  }
  return x;
}

RlxExpr *rlx_lower_leaf(RlxEval *e, RlxExpr *x) {
  rlx_lower_value(e, x);
  if (rlx_expr_is_leaf(x)) return x;
  // A hint; when a normal form is asked for, normal_form.c finds them.
  if (x->kind == RLX_EXPR_CALL && !e->analyzer->settings.normal_form)
    rlx_eval_report(e, RLX_DIAG_ID(NESTED_CALL), x->span, "");
  RlxVar *var = rlx_bind(e, 0, rlx_span(x->span.start, x->span.start), x, NULL, x->span);
  RlxExpr *leaf = rlx_expr_new(e, RLX_EXPR_VAR, x->span, var->sinfo);
  leaf->var = var;
  return leaf;
}

RlxVar *rlx_bind(RlxEval *e, RlxName name, RlxSpan name_span, RlxExpr *value,
                 const RlxSInfo *annotation, RlxSpan span) {
  if (e->in_dataflow && e->unit && e->unit->is_output && !e->tainted)
    rlx_eval_report(e, RLX_DIAG_ID(OUTPUT_PLACE), span, "s",
                    "`R.output` must be the last statement of its dataflow block");
  RlxVar *var = rlx_fn_var(e->fn, e->unit,
                           name             ? name
                           : e->in_dataflow ? e->analyzer->name_lv
                                            : e->analyzer->name_gv,
                           !name);
  if (!var->in_dataflow || !e->in_dataflow) var->is_dataflow = e->in_dataflow;
  var->in_dataflow = e->in_dataflow;
  var->stmt = var->named_in = e->stmt;
  var->span = name_span;
  var->sinfo = annotation ? annotation : value->sinfo;
  const bool has_failed = ((e->tainted & RLX_FAILED) &&
                           (!annotation || e->annotation_failed || e->stmt->has_error)) ||
                          rlx_expr_is_unknown(value),
             is_open = annotation ? e->annotation_is_open : (e->tainted & RLX_OPEN) != 0;
  var->is_tainted = has_failed ? RLX_FAILED : is_open ? RLX_OPEN : 0;
  var->content = rlx_content_of(e, var->sinfo, value);
  rlx_vec_push(&e->vars, var);
  RlxBinding *binding = rlx_arena_one(e->arena, RlxBinding);
  binding->kind = RLX_BINDING_VAR;
  binding->is_dataflow = e->in_dataflow;
  binding->var = var;
  binding->value = value;
  binding->deduced = value->sinfo;
  binding->annotated = annotation;
  binding->stmt = e->stmt;
  binding->span = span;
  rlx_vec_push(&e->bindings, binding);
  return var;
}
