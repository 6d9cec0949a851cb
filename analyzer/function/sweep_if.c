/// The sweep over an `if`: what its condition is, what its branches bind, and the value that both are joined to.
/// Always true: a join is made anew at every sweep, for it depends on what its branches bound.

#include "analyzer/eval/signature.h"
#include "analyzer/function/sweep_impl.h"

/// The last binding of a branch, nested ones not counted.
static RlxVar *last_bound(const RlxSuite *suite, const RlxAnalysis **out_unit) {
  if (!suite) return NULL;
  for (uint32_t i = suite->units.count; i-- > 0;) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit) continue;
    if (unit->kind == RLX_UNIT_WITH && unit->body) {
      RlxVar *var = last_bound(unit->body, out_unit);
      if (var) return var;
    }
    if (unit->binding_count) {
      *out_unit = unit;
      return unit->bindings[unit->binding_count - 1]->var;
    }
  }
  return NULL;
}

static void condition(RlxSweep *s, RlxAnalysis *unit, RlxExpr **out) {
  RlxEval *e = &s->e;
  RlxValue value = rlx_eval(e, unit->stmt->value);
  RlxExpr *x = value.kind == RLX_VALUE_BOOL || value.kind == RLX_VALUE_INT
                   ? rlx_expr_constant(e, &value, RLX_BOOL, value.span)
               : value.kind == RLX_VALUE_STR && rlx_eval_is_027(e) ? NULL
                                                                   : rlx_expr_of(e, &value);
  if (!x) {
    if (!e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(IF_CONDITION), unit->stmt->value->span, "s",
                      rlx_value_text(e, &value));
    x = rlx_expr_hole(e, unit->stmt->value->span);
  }
  const RlxSInfo *c = x->sinfo;
  bool fine =
      x->kind == RLX_EXPR_HOLE || c->kind == RLX_SINFO_OBJECT ||
      (c->kind == RLX_SINFO_PRIM && (!rlx_dtype_known(c->dtype) || rlx_dtype_is_bool(c->dtype))) ||
      (c->kind == RLX_SINFO_TENSOR && (!rlx_dtype_known(c->dtype) || rlx_dtype_is_bool(c->dtype)) &&
       c->ndim <= 0);
  bool is_vector = // in tlc-pack's years a packed function was declared to give what it did not
      c->kind == RLX_SINFO_TENSOR && c->ndim == 1 &&
      (!rlx_dtype_known(c->dtype) || rlx_dtype_is_bool(c->dtype) || rlx_dtype_is_int(c->dtype) ||
       rlx_eval_is_tlc(e));
  if (is_vector && !e->tainted) { // one element is enough to decide; more are found when it runs
    rlx_eval_report(e, RLX_DIAG_ID(IF_CONDITION), unit->stmt->value->span, "s",
                    rlx_value_text(e, &value))
        ->severity = RLX_WARNING;
    e->tainted = 0;
  } else if (!fine && !(e->tainted & RLX_FAILED)) {
    RlxSpan span = unit->stmt->value->span;
    RlxDiag *diag =
        rlx_eval_report(e, RLX_DIAG_ID(IF_CONDITION), span, "s", rlx_value_text(e, &value));
    if (c->kind == RLX_SINFO_TENSOR && c->ndim == 0) {
      rlx_diag_fix(e->sink, diag, "cast it to bool", rlx_span(span.start, span.start), "R.astype(");
      rlx_diag_fix_edit(e->sink, diag, rlx_span(span.end, span.end), ", \"bool\")");
    }
  }
  *out = rlx_lower_leaf(e, x);
}

void rlx_sweep_keep_note(RlxSweep *s, const RlxSuite *suite, RlxName name) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    for (uint32_t k = 0; unit && k < unit->def_count; k++)
      if (unit->defs[k].name == name) rlx_env_put(s->env, name, &unit->defs[k]);
    if (unit && unit->kind != RLX_UNIT_DEF)
      rlx_sweep_keep_note(s, unit->body, name), rlx_sweep_keep_note(s, unit->orelse, name);
  }
}

/// What callers may know of the branch's value by what is known at its end: dimensions in the
/// variables of the signature. NULL: nothing was learned in the branch.
static const RlxSInfo *known_outside(RlxSweep *s, const RlxSuite *suite, const RlxFacts *before) {
  const RlxAnalysis *unit = NULL;
  const RlxVar *last = s->facts == before ? NULL : last_bound(suite, &unit);
  RlxScope scope = {rlx_fn_is_in_signature, s->fn, s->facts};
  rlx_questions_of_statements(s->file->store, 1);
  return last ? rlx_sinfo_erase_to_well_defined(s->file->store, last->sinfo, scope) : NULL;
}

/// `condition` holds in the branch, unless it is NULL; what is learned in the branch is forgotten
/// after it, but for what it says of the branch's value, which is returned (known_outside).
static const RlxSInfo *sweep_branch(RlxSweep *s, RlxSuite *suite, const RlxPrim *condition) {
  if (!suite) return NULL;
  const RlxFacts *facts = s->facts;
  uint64_t hash = s->facts_hash;
  RlxFacts holds = {NULL, condition, "condition of the branch"};
  uint32_t mark = rlx_env_mark(s->env);
  if (condition) rlx_sweep_assume(s, &holds);
  rlx_sweep_suite(s, suite);
  const RlxSInfo *known = s->cancelled ? NULL : known_outside(s, suite, facts);
  rlx_env_restore(s->env, mark);
  rlx_sweep_keep_note(s, suite, s->file->analyzer->name_impure);
  s->facts = facts;
  rlx_facts_forget(s->file->store, facts);
  s->facts_hash = hash;
  return known;
}

/// The StructInfo of an `if` whose branches end with `a` and `b`: their least common ancestor, or a
/// finer one by what is known at the ends of the branches (`a_known`, `b_known`; may be NULL).
static const RlxSInfo *join(RlxSweep *s, const RlxSInfo *a, const RlxSInfo *b,
                            const RlxSInfo *a_known, const RlxSInfo *b_known) {
  RlxStore *store = s->file->store;
  const RlxSInfo *lca = rlx_sinfo_lca(store, s->facts, a, b);
  if (lca == a || lca == b || (!a_known && !b_known)) return lca;
  const RlxSInfo *finer =
      rlx_sinfo_lca(store, s->facts, a_known ? a_known : a, b_known ? b_known : b);
  RlxBaseCheck below = rlx_sinfo_base_check(store, s->facts, lca, finer, NULL, NULL);
  return below == RLX_CHECK_PASS ? finer : lca;
}

/// The symbolic condition of an `if`, before its branches are analysed; NULL when it is none.
/// Reports nothing.
static const RlxPrim *symbolic_condition(RlxSweep *s, const RlxAnalysis *unit) {
  const RlxAst *ast = unit->stmt->value;
  if (!ast ||
      (ast->kind != RLX_AST_COMPARE && ast->kind != RLX_AST_BOOL_OP && ast->kind != RLX_AST_NAME))
    return NULL;
  RlxArenaMark mark = rlx_arena_mark(s->file->analyzer->scratch);
  RlxSink silent = {.arena = s->file->analyzer->scratch};
  rlx_questions_of_statements(s->file->store, 1);
  RlxEval e;
  rlx_eval_init(&e, s->file, s->fn, unit->stmt, s->file->analyzer->scratch, &silent);
  e.env = s->env;
  RlxValue v = rlx_eval(&e, ast);
  const RlxPrim *condition = v.kind == RLX_VALUE_PRIM ? v.prim : NULL;
  if (v.kind == RLX_VALUE_EXPR && v.expr->sinfo && v.expr->sinfo->kind == RLX_SINFO_PRIM)
    condition = v.expr->sinfo->value;
  rlx_eval_deinit(&e);
  rlx_vec_free(&silent.diags);
  rlx_arena_rewind(s->file->analyzer->scratch, mark);
  return condition && rlx_dtype_is_bool(condition->dtype) && condition->vars ? condition : NULL;
}

/// The first `return` of a suite.
static const RlxStmt *early_return(const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (unit && unit->stmt->kind == RLX_STMT_RETURN) return unit->stmt;
    const RlxStmt *inner = unit && unit->kind == RLX_UNIT_WITH ? early_return(unit->body) : NULL;
    if (inner) return inner;
  }
  return NULL;
}

/// `var` of a branch whose `if` is wrong: uses behind it stay silent.
static void lost(RlxEval *e, const RlxVar *var, const RlxAnalysis *unit) {
  e->tainted |= RLX_FAILED;
  RlxSpan head = rlx_span(0, unit->stmt->head_size);
  if (!var->is_temporary) rlx_define(e, var->name, rlx_value_unknown(head), head);
}

static void report_branches(RlxSweep *s, const RlxVar *a, const RlxVar *b,
                            const RlxAnalysis *else_unit) {
  RlxEval *e = &s->e;
  const char *first = rlx_store_text(s->file->store, a->name),
             *second = rlx_store_text(s->file->store, b->name);
  const bool is_named = b->span.end > b->span.start;
  RlxSpan place = is_named ? b->span : rlx_span(0, else_unit->stmt->head_size);
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(IF_BRANCHES), place, "ss", first, second);
  diag->stmt = is_named ? b->named_in : else_unit->stmt;
  if (is_named && a->span.end > a->span.start)
    rlx_diag_fix_at(e->sink, diag, rlx_arena_printf(e->sink->arena, "call it `%s`", first),
                    b->named_in, b->span, first);
  if (a->stmt)
    rlx_diag_related(e->sink, diag, a->named_in, a->span, "the last binding of the first branch");
}

/// What a branch ends with is its value, and stays inside of no dataflow block; a copy as the last
/// binding stands for what it copies.
static void check_branch_end(RlxSweep *s, const RlxAnalysis *unit, const RlxVar *var) {
  if (((unit->is_tainted | var->is_tainted) & RLX_FAILED) || s->in_dataflow) return;
  const RlxBinding *last = unit->bindings[unit->binding_count - 1];
  const RlxExpr *value = last->value;
  RlxSpan place = var->span;
  if (!var->is_dataflow) {
    const bool is_copy = last->is_dataflow && value && value->kind == RLX_EXPR_VAR;
    if (!is_copy || !value->var->is_dataflow) return;
    var = value->var;
    place = value->span;
  }
  const char *name = rlx_store_text(s->file->store, var->name);
  rlx_eval_report(&s->e, RLX_DIAG_ID(DATAFLOW_LEAK), place, "s", name)->stmt = unit->stmt;
}

/// Reports a `return` in one of the branches; false: there is none.
static bool report_return(RlxSweep *s, const RlxAnalysis *unit) {
  const RlxStmt *early = early_return(unit->body);
  if (!early) early = early_return(unit->orelse);
  if (early)
    rlx_eval_report(&s->e, RLX_DIAG_ID(RETURN_TWICE), rlx_span(0, early->head_size), "")->stmt =
        early;
  return early != NULL;
}

/// Whether something is wrong with the `if` or what stands in it, so that a branch may have lost what it bound.
static bool is_broken_if(const RlxAnalysis *unit) {
  const RlxStmt *stmt = unit->stmt;
  const RlxStmt *next = stmt->block && stmt->index + 1 < stmt->block->count
                            ? stmt->block->stmts[stmt->index + 1]
                            : NULL;
  if (stmt->has_error || (next && (next->has_error || next->kind == RLX_STMT_HOLE)))
    return true; // a broken `else`
  for (int k = 0; k < 2; k++) {
    const RlxSuite *suite = k ? unit->orelse : unit->body;
    for (uint32_t i = 0; suite && i < suite->units.count; i++) {
      const RlxAnalysis *inner = suite->units.at[i];
      if (inner && (inner->is_tainted || rlx_unit_has_error(inner))) return true;
    }
  }
  return false;
}

/// An `if` one of whose branches binds nothing; `a` and `b` are what the branches bind, or NULL.
static void end_without_value(RlxSweep *s, RlxAnalysis *unit, RlxVar *a, RlxVar *b) {
  if (!is_broken_if(unit) && !report_return(s, unit))
    rlx_eval_report(&s->e, RLX_DIAG_ID(IF_EMPTY), rlx_span(0, unit->stmt->head_size), "s",
                    !a             ? "the first branch of this `if` binds nothing"
                    : unit->orelse ? "the `else` branch of this `if` binds nothing"
                                   : "this `if` has no `else`");
  if (a) lost(&s->e, a, unit);
  if (b) lost(&s->e, b, unit);
  rlx_sweep_finish(s, unit);
}

/// An `if` is joined again at every sweep: its value depends on what its branches bound.
void rlx_sweep_if(RlxSweep *s, RlxAnalysis *unit) {
  const RlxPrim *holds = symbolic_condition(s, unit);
  const RlxSInfo *a_known = sweep_branch(s, unit->body, holds),
                 *b_known = sweep_branch(s, unit->orelse,
                                         holds ? rlx_prim_unary(s->file->store, RLX_PRIM_NOT, holds)
                                               : NULL);
  if (s->cancelled) return;
  uint64_t counted = s->file->stats.analyzed_statements;
  bool new_text = unit->is_dirty;
  rlx_sweep_start(s, unit);
  unit->branch = holds;
  if (!new_text) s->file->stats.analyzed_statements = counted;
  RlxEval *e = &s->e;
  RlxSpan head = rlx_span(0, unit->stmt->head_size);
  RlxExpr *cond = NULL;
  condition(s, unit, &cond);
  if (s->in_dataflow) rlx_eval_report(e, RLX_DIAG_ID(DATAFLOW_CONTROL), head, "s", "`if`");
  const RlxAnalysis *then_unit = NULL, *else_unit = NULL;
  RlxVar *a = last_bound(unit->body, &then_unit), *b = last_bound(unit->orelse, &else_unit);
  if (!a || !b) {
    end_without_value(s, unit, a, b);
    return;
  }
  bool same = a->name == b->name || a->is_temporary || b->is_temporary;
  if (!same && ((then_unit->is_tainted && then_unit->diag_count) ||
                (else_unit->is_tainted && else_unit->diag_count))) {
    e->tainted |= RLX_FAILED; // reported there
    same = true;
  }
  if (!same) report_branches(s, a, b, else_unit);
  check_branch_end(s, then_unit, a);
  check_branch_end(s, else_unit, b);
  report_return(s, unit); // a branch that binds something has none either
  if (a->name != b->name) lost(e, b, unit);
  const RlxTaint tainted = e->tainted | a->is_tainted | b->is_tainted;
  RlxExpr *value =
      rlx_expr_new(e, RLX_EXPR_IF, head, join(s, a->sinfo, b->sinfo, a_known, b_known));
  value->condition = cond;
  e->tainted = tainted;
  RlxName name =
      a->is_temporary ? 0 : a->name; // what a temporary is called is the printer's business
  RlxVar *var = rlx_bind(e, name, a->span, value, NULL, head);
  var->named_in = a->named_in; // blank lines in the branch move it
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_VAR, head, var->sinfo);
  x->var = var;
  if (name) {
    rlx_define(e, name, rlx_value_expr(x), a->span);
    rlx_vec_last(&e->defs).stmt = a->named_in;
  }
  rlx_sweep_finish(s, unit);
}
