/// Calls with effects: in a dataflow block, and in a function that is declared pure.
/// Always true: of all impure calls of a function the first is reported, for they have one cause.

#include <string.h>

#include "analyzer/eval/calls_impl.h"

/// Whether an R.func_attr above makes attribute `name` true: a definition like any other, so that
/// an edit of it reaches here.
static bool attr_is_true(RlxEval *e, const char *name) {
  RlxName id = rlx_attr_mark(e, name);
  rlx_vec_push(&e->reads, id);
  const RlxDef *def = e->env ? rlx_env_get(e->env, id) : NULL;
  return def && def->value.kind == RLX_VALUE_PRIM && def->value.prim->value;
}

static const char force_pure[] = "relax.force_pure";

/// What a call of R.func_attr says of relax.force_pure: 1 that it is True, 0 that it is not; -1: nothing.
static int forces_purity(const RlxEval *e, const RlxStmt *stmt) {
  const RlxAst *call = stmt->kind == RLX_STMT_EXPR ? stmt->value : NULL;
  if (!call || call->kind != RLX_AST_CALL || call->child_count < 2 ||
      call->children[0]->kind != RLX_AST_ATTRIBUTE ||
      strcmp(rlx_store_text(e->store, call->children[0]->name), "func_attr") != 0)
    return -1;
  const RlxAst *dict = call->children[1];
  if (dict->kind == RLX_AST_KEYWORD) dict = dict->children[0];
  for (uint32_t k = 0; dict->kind == RLX_AST_DICT && k + 1 < dict->child_count; k += 2) {
    const RlxAst *key = dict->children[k];
    if (key->kind == RLX_AST_STRING && key->text_size == strlen(force_pure) &&
        memcmp(key->text, force_pure, key->text_size) == 0)
      return dict->children[k + 1]->kind == RLX_AST_TRUE;
  }
  return -1;
}

/// Whether the first statement of the function's own suite from here on that says something of
/// relax.force_pure says True: it counts for the whole function.
static bool is_forced_pure_below(RlxEval *e) {
  const RlxBlock *body = e->fn->stmt->body;
  e->is_volatile = true; // that statement changes by itself
  for (uint32_t i = 0; body && !e->knows_forcing && i < body->count; i++) {
    if (forces_purity(e, body->stmts[i]) >= 0) rlx_vec_push(&e->forcing, body->stmts[i]);
  }
  e->knows_forcing = true;
  uint32_t low = 0, high = e->forcing.count; // the first one that stands here or below
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (e->forcing.at[middle]->start < e->stmt->start)
      low = middle + 1;
    else
      high = middle;
  }
  return low < e->forcing.count && forces_purity(e, e->forcing.at[low]) == 1;
}

#define RLX_EFFECT(op, why) extern const RlxOpId rlx_op_id_##op;
#include "analyzer/ops/effects.def"
#undef RLX_EFFECT
static const struct {
  const RlxOpId *op;
  const char *why;
} effects[] = {
#define RLX_EFFECT(op, why) {&rlx_op_id_##op, why},
#include "analyzer/ops/effects.def"
#undef RLX_EFFECT
};

/// Why the call has an effect, for the message.
static const char *impurity(const RlxOpRow *row, const RlxExpr *callee) {
  for (size_t i = 0; row && i < sizeof effects / sizeof *effects; i++)
    if (*effects[i].op == row->id) return effects[i].why;
  if (callee && callee->kind == RLX_EXPR_GLOBAL && callee->callee) {
    const RlxAnalysis *unit = callee->callee->analysis;
    if (unit && unit->fn && unit->fn->kind == RLX_ISLAND_PRIM_FUNC)
      return "a PrimFunc writes into its arguments";
    return "it is declared with `pure=False`";
  }
  if (callee && callee->kind == RLX_EXPR_VAR)
    return callee->var->is_param ? "its annotation says so" : "it is declared with `pure=False`";
  return row || callee ? "a packed function may do anything"
                       : "an operator of TensorIR does more than to give a value";
}

/// `@R.function` to `@R.function(pure=False)`; `R.call_packed` to `R.call_pure_packed`. The
/// report leaves the declaration alone where other functions call this one.
static void purity_fixes(RlxEval *e, RlxDiag *diag, const RlxOpRow *row, RlxSpan span) {
  const RlxStmt *def = e->fn->stmt;
  bool has_false = false;
  if (row && row->id == RLX_OP_ID(call_packed) && diag->id == RLX_DIAG_ID(IMPURE_DATAFLOW))
    rlx_diag_fix(e->sink, diag, "call it as a pure function", span, "call_pure_packed");
  if (e->fn->outer || diag->id == RLX_DIAG_ID(IMPURE_DATAFLOW)) return;
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *decorator = def->decorators[i];
    const RlxAst *head = decorator->kind == RLX_AST_CALL ? decorator->children[0] : decorator;
    if (head->kind != RLX_AST_ATTRIBUTE ||
        strcmp(rlx_store_text(e->store, head->name), "function") != 0)
      continue;
    for (uint32_t k = 1; decorator->kind == RLX_AST_CALL && k < decorator->child_count; k++) {
      const RlxAst *arg = decorator->children[k];
      has_false |=
          arg->kind != RLX_AST_KEYWORD || strcmp(rlx_store_text(e->store, arg->name), "pure") == 0;
    }
    if (has_false) continue;
    bool is_call = decorator->kind == RLX_AST_CALL;
    uint32_t at = is_call ? decorator->span.end - 1 : decorator->span.end;
    rlx_diag_fix_at(e->sink, diag, "declare the function impure", def, rlx_span(at, at),
                    !is_call                     ? "(pure=False)"
                    : decorator->child_count > 1 ? ", pure=False"
                                                 : "pure=False");
  }
}

void rlx_check_purity(RlxEval *e, const char *what, RlxSpan span, const RlxOpRow *row,
                      const RlxExpr *callee) {
  e->impure = true;
  if (!e->fn || e->fn->kind != RLX_ISLAND_RELAX) return;
  if (rlx_eval_is_tlc(e)) return;
  if (e->in_dataflow) {
    RlxDiag *diag =
        rlx_eval_report(e, RLX_DIAG_ID(IMPURE_DATAFLOW), span, "ss", what, impurity(row, callee));
    purity_fixes(e, diag, row, span);
    return;
  }
  if (!e->fn->function.is_pure || attr_is_true(e, force_pure) || is_forced_pure_below(e)) return;
  // One missing pure=False is one mistake: the first impure call stands for all.
  RlxName name = e->analyzer->name_impure;
  rlx_vec_push(&e->reads, name);
  bool known = !e->env || rlx_env_get(e->env, name);
  for (uint32_t i = 0; i < e->defs.count; i++) known |= e->defs.at[i].name == name;
  if (known) return;
  RlxTaint tainted = e->tainted;
  RlxDiag *diag =
      rlx_eval_report(e, RLX_DIAG_ID(IMPURE_CALL), span, "ss", what, impurity(row, callee));
  if (callee && callee->kind == RLX_EXPR_GLOBAL && callee->callee)
    rlx_diag_related(e->sink, diag, callee->callee, callee->callee->name_span, "declared here");
  purity_fixes(e, diag, row, span);
  e->tainted = tainted; // nothing is wrong with the value
  rlx_diag_related(e->sink, diag, e->fn->stmt, e->fn->stmt->name_span, "declared pure here");
  RlxValue mark = {.kind = RLX_VALUE_NONE};
  rlx_define(e, name, mark, span);
}
