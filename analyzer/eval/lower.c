/// Statements to bindings in normal form.
/// Always true: the bindings of a statement stand in evaluation order, nested calls before the call
/// that uses them; a statement that is wrong still defines its names, tainted, so that nothing
/// behind it complains.

#include <string.h>

#include "analyzer/eval/lower_impl.h"

// ---- normal form

static void leaf_value(RlxEval *e, RlxValue *v) {
  if (v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE)
    v->expr = rlx_lower_leaf(e, v->expr);
  else if (v->kind == RLX_VALUE_LIST)
    for (uint32_t i = 0; i < v->count; i++) leaf_value(e, &v->items[i]);
}

/// `x.ndim` of a known rank is not well-formed where it becomes part of the program. What Python asks of it, as
/// `str(x.ndim)`, never does.
static void check_inspection(RlxEval *e, const RlxExpr *x) {
  const RlxOpRow *row = x->call->row;
  const bool is_inspection =
      row && strncmp(row->registry, "relax.inspect.", strlen("relax.inspect.")) == 0;
  if (!is_inspection || x->sinfo->kind != RLX_SINFO_PRIM || !x->sinfo->value || e->tainted) return;
  RlxBuf value = {0};
  rlx_prim_print(e->store, x->sinfo->value, &value);
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
  var->is_tainted = (e->tainted && (!annotation || e->annotation_failed || e->stmt->has_error)) ||
                    rlx_expr_is_unknown(value);
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

// ---- statements without a target

static void lower_expression(RlxEval *e, const RlxStmt *stmt) {
  const RlxAst *ast = stmt->value;
  if (stmt->is_docstring || ast->kind == RLX_AST_STRING) {
    rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), ast->span, "s", "a docstring");
    return;
  }
  RlxValue value = rlx_eval(e, ast);
  if (value.kind == RLX_VALUE_STATEMENT && value.integer == RLX_WORD_DATAFLOW && !e->tainted)
    rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), ast->span, "s",
                    "`R.dataflow()` without `with`");
  if (value.kind == RLX_VALUE_STATEMENT || value.kind == RLX_VALUE_UNKNOWN ||
      value.kind == RLX_VALUE_NONE)
    return;
  bool is_match_shape =
      ast->kind == RLX_AST_CALL && ast->children[0]->kind == RLX_AST_ATTRIBUTE &&
      strcmp(rlx_store_text(e->store, ast->children[0]->name), "match_shape") == 0;
  if (value.kind == RLX_VALUE_CAST &&
      is_match_shape) { // it stands alone for its symbolic variables
    RlxTarget t = {.name = e->analyzer->name_underscore, .whole = rlx_span(0, stmt->head_size)};
    rlx_lower_cast(e, &t, value.thing);
    return;
  }
  if (value.kind == RLX_VALUE_CAST) {
    RlxBuf text = {0};
    rlx_sinfo_tell(e->store, ((const RlxCastPair *)value.thing)->sinfo, &text);
    rlx_eval_report(e, RLX_DIAG_ID(EXPRESSION_UNUSED), ast->span, "s", rlx_buf_text(&text));
    rlx_buf_free(&text);
    return;
  }
  RlxExpr *x = value.kind == RLX_VALUE_EXPR ? value.expr : NULL;
  if (!x) {
    if (!e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(EXPRESSION_UNUSED), ast->span, "s", rlx_value_text(e, &value));
    return;
  }
  x = rlx_lower_value(e, x);
  bool is_void = x->sinfo->kind == RLX_SINFO_TUPLE && x->sinfo->count == 0;
  bool is_hole = rlx_expr_is_unknown(x);
  bool may_be_void = is_hole || (rlx_eval_is_tlc(e) && x->sinfo->kind == RLX_SINFO_OBJECT);
  if (!is_void && !may_be_void && !e->tainted) {
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(EXPRESSION_UNUSED), ast->span, "s",
                                    rlx_value_text(e, &value));
    rlx_diag_fix(e->sink, diag, "bind it to `_`", rlx_span(ast->span.start, ast->span.start),
                 "_ = ");
  }
  rlx_bind(e, e->analyzer->name_underscore, ast->span, x, NULL, ast->span);
}

static void lower_return(RlxEval *e, RlxAnalysis *unit, const RlxStmt *stmt) {
  RlxFn *fn = e->fn;
  RlxSpan whole = rlx_span(0, stmt->head_size);
  rlx_vec_push(&e->reads, e->analyzer->name_return); // so that a second `return` notices the first
  if (rlx_env_get(e->env, e->analyzer->name_return))
    rlx_eval_report(e, RLX_DIAG_ID(RETURN_TWICE), whole, "");
  if (!stmt->value) {
    rlx_define(e, e->analyzer->name_return, rlx_value_expr(rlx_expr_hole(e, whole)), whole);
    rlx_eval_report(e, RLX_DIAG_ID(RETURN_MISSING), whole, "s",
                    rlx_store_text(e->store, fn->stmt->name));
    return;
  }
  RlxValue value = rlx_eval(e, stmt->value);
  if (value.kind == RLX_VALUE_CAST) { // a match_cast in return position: bound to a fresh variable
    if (!e->tainted && !rlx_eval_is_tlc(e))
      rlx_eval_report(e, RLX_DIAG_ID(VALUE_INVALID), stmt->value->span, "s",
                      rlx_value_text(e, &value));
    RlxTarget t = {.span = rlx_span(value.span.start, value.span.start), .whole = value.span};
    rlx_lower_cast(e, &t, value.thing);
    RlxVar *var = rlx_vec_last(&e->bindings)->var;
    unit->result = rlx_expr_var(e, var, value.span);
    rlx_policy_return(e, unit->result, value.span);
    rlx_define(e, e->analyzer->name_return, rlx_value_expr(unit->result), whole);
    return;
  }
  RlxExpr *x;
  x = rlx_expr_of(e, &value);
  if (!x) {
    if (!e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(VALUE_INVALID), stmt->value->span, "s",
                      rlx_value_text(e, &value));
    x = rlx_expr_hole(e, stmt->value->span);
  }
  rlx_value_callee(e, x);
  RlxExpr *leaf = x;
  // The outermost call of `return` is not a nested call to the reader.
  if (!rlx_expr_is_leaf(x)) {
    rlx_lower_value(e, x);
    RlxVar *var = rlx_bind(e, 0, rlx_span(x->span.start, x->span.start), x, NULL, x->span);
    leaf = rlx_expr_new(e, RLX_EXPR_VAR, x->span, var->sinfo);
    leaf->var = var;
  } else
    rlx_lower_value(e, x);
  unit->result = leaf;
  rlx_policy_return(e, leaf, stmt->value->span);
  rlx_define(e, e->analyzer->name_return, rlx_value_expr(leaf), whole);
}

static const char *statement_text(const RlxStmt *stmt) {
  switch ((RlxStmtKind)stmt->kind) {
  case RLX_STMT_WHILE: return "`while`";
  case RLX_STMT_FOR: return "`for`";
  case RLX_STMT_AUGMENTED: return "an augmented assignment";
  case RLX_STMT_ASSERT: return "`assert`";
  case RLX_STMT_DELETE: return "`del`";
  case RLX_STMT_RAISE: return "`raise`";
  case RLX_STMT_BREAK: return "`break`";
  case RLX_STMT_CONTINUE: return "`continue`";
  case RLX_STMT_IMPORT: return "`import`";
  case RLX_STMT_GLOBAL: return "`global`";
  case RLX_STMT_TYPE_ALIAS: return "a type alias";
  case RLX_STMT_TRY: return "`try`";
  case RLX_STMT_MATCH: return "`match`";
  case RLX_STMT_CLASS: return "a class";
  case RLX_STMT_DEF: return "a Python function";
  case RLX_STMT_HOLE:
  case RLX_STMT_EXPR:
  case RLX_STMT_ASSIGN:
  case RLX_STMT_ANNOTATED:
  case RLX_STMT_RETURN:
  case RLX_STMT_PASS:
  case RLX_STMT_IF:
  case RLX_STMT_WITH: break;
  }
  return "this statement";
}

/// `y += x` to `y = y + x`.
static void augmented_fix(RlxEval *e, RlxDiag *diag) {
  const RlxStmt *stmt = e->stmt;
  const RlxAst *target = stmt->target_count == 1 ? stmt->targets[0] : NULL;
  uint32_t size = 0;
  const char *text = rlx_document_text(e->file->document, &size) + stmt->start;
  if (!target || target->kind != RLX_AST_NAME || !stmt->value ||
      stmt->start + stmt->head_size > size)
    return;
  const char *equals =
      memchr(text + target->span.end, '=', stmt->value->span.start - target->span.end);
  if (!equals) return;
  uint32_t end = (uint32_t)(equals - text), start = target->span.end;
  while (start < end && text[start] == ' ') start++;
  bool is_compound = stmt->value->kind == RLX_AST_BINARY || stmt->value->kind == RLX_AST_COMPARE ||
                     stmt->value->kind == RLX_AST_TUPLE ||
                     stmt->value->kind == RLX_AST_CONDITIONAL ||
                     stmt->value->kind == RLX_AST_BOOL_OP;
  if (is_compound && !stmt->value->is_parenthesized) return;
  const char *name = rlx_store_text(e->store, target->name);
  rlx_diag_fix(
      e->sink, diag, "write the operation out", rlx_span(start, end + 1),
      rlx_arena_printf(e->sink->arena, "= %s %.*s", name, (int)(end - start), text + start));
}

void rlx_lower_statement(RlxEval *e, RlxAnalysis *unit) {
  const RlxStmt *stmt = unit->stmt;
  // The syntax error is reported by itself.
  if (stmt->has_error && !stmt->is_mended) e->tainted = true;
  if (stmt->is_nonlocal)
    return; // names of Python around the function: TVM's parser takes no notice
  switch ((RlxStmtKind)stmt->kind) {
  case RLX_STMT_ASSIGN:
  case RLX_STMT_ANNOTATED: rlx_lower_assign(e, stmt); break;
  case RLX_STMT_EXPR:
    if (stmt->value) lower_expression(e, stmt);
    break;
  case RLX_STMT_RETURN: lower_return(e, unit, stmt); break;
  case RLX_STMT_PASS:
  case RLX_STMT_HOLE: break;
  case RLX_STMT_AUGMENTED:
  case RLX_STMT_ASSERT:
  case RLX_STMT_DELETE:
  case RLX_STMT_RAISE:
  case RLX_STMT_BREAK:
  case RLX_STMT_CONTINUE:
  case RLX_STMT_IMPORT:
  case RLX_STMT_GLOBAL:
  case RLX_STMT_TYPE_ALIAS:
  case RLX_STMT_WHILE:
  case RLX_STMT_FOR:
  case RLX_STMT_TRY:
  case RLX_STMT_MATCH:
  case RLX_STMT_CLASS:
  case RLX_STMT_DEF:
    if (!e->tainted) {
      RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED),
                                      rlx_span(0, stmt->head_size), "s", statement_text(stmt));
      if (stmt->kind == RLX_STMT_AUGMENTED) augmented_fix(e, diag);
    }
    break;
  case RLX_STMT_IF:
  case RLX_STMT_WITH: break; // sweep.c
  }
}
