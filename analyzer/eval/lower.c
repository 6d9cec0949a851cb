/// Statements to bindings: which statement is lowered how, and those without a target.
/// Always true: a statement that is wrong still defines its names, tainted, so that nothing behind
/// it complains.

#include <string.h>

#include "analyzer/eval/lower_impl.h"
#include "analyzer/eval/refuse.h"

static void lower_expression(RlxEval *e, const RlxStmt *stmt) {
  const RlxAst *ast = stmt->value;
  if (stmt->is_docstring || ast->kind == RLX_AST_STRING) {
    rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), ast->span, "s", "a docstring");
    return;
  }
  e->script_call = NULL;
  RlxValue value = rlx_eval(e, ast);
  if (value.kind == RLX_VALUE_UNKNOWN && e->script_call == ast && !stmt->has_error &&
      rlx_script_names_cover((RlxDialect)e->fn->dialect)) { // no function of T gives None here
    e->tainted = false;
    rlx_eval_report(e, RLX_DIAG_ID(EXPRESSION_UNUSED), ast->span, "s", "a value of TensorIR");
    return;
  }
  if (value.kind == RLX_VALUE_STATEMENT && rlx_word_opens_frame((RlxWord)value.integer) &&
      !e->tainted)
    rlx_eval_report(
        e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), ast->span, "s",
        rlx_arena_printf(e->arena, "`%s()` without `with`", rlx_word_path((RlxWord)value.integer)));
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

/// Whether a tuple is a shape here: in tlc-pack that is what the result is declared to be, `-> Shape`.
static bool returns_shape(const RlxEval *e, const RlxValue *value) {
  const RlxSInfo *declared = e->fn->function.ret_annotation;
  return value->kind == RLX_VALUE_LIST && rlx_eval_is_tlc(e) && declared &&
         declared->kind == RLX_SINFO_SHAPE;
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
  x = returns_shape(e, &value) ? rlx_expr_shape(e, &value, value.span) : rlx_expr_of(e, &value);
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
  case RLX_STMT_GLOBAL: return stmt->is_nonlocal ? "`nonlocal`" : "`global`";
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

/// Whether a function of Python stands around the script, whose names `nonlocal` may mean.
static bool is_in_python_function(RlxFn *fn) {
  const RlxFn *own = rlx_fn_outermost(fn);
  const RlxStmt *at = own->stmt;
  while ((at = at->block ? at->block->parent : NULL))
    if (at->kind == RLX_STMT_DEF) return true;
  return false;
}

void rlx_lower_statement(RlxEval *e, RlxAnalysis *unit) {
  const RlxStmt *stmt = unit->stmt;
  // The syntax error is reported by itself.
  if (stmt->has_error && !stmt->is_mended) e->tainted |= RLX_FAILED;
  if (stmt->is_nonlocal && (is_in_python_function(e->fn) || !rlx_refuse_may_tell(e)))
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
