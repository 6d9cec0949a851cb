/// The sweep over a body's statements.
/// Always true: a sweep visits the statements in order. It analyses those whose text is new and
/// those that read a name whose meaning changed; the others only define their names again. Where a
/// statement's StructInfo comes out as before, the statements that read it are not analysed again.
#include <stddef.h>
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/eval/signature.h"
#include "analyzer/function/function.h"
#include "base/hash.h"

enum { STATEMENT_BYTES = 64 }; // a longer one may ask as much as several

typedef struct Sweep {
  RlxFn *fn;
  RlxFile *file;
  RlxEnv *env;
  RlxEval e;
  RlxSink sink;
  bool all, in_dataflow;
  bool head_is_new;               ///< what outlives no new head is analysed again
  const RlxFacts *facts;          ///< learned so far
  uint64_t facts_hash;            ///< of their conditions
  uint64_t questions, mark_reads; ///< of the store, when the unit began
  uint32_t mark_log;              ///< the same: what is marked behind that is the unit's
  const atomic_bool *cancel;
  Vec(const RlxAnalysis *)
      leaving;           ///< units of the dataflow blocks around that let names out of them
  RlxListed outer_reads; ///< those of the function
  uint32_t visited;
  bool cancelled;
  bool evaluates; ///< the unit before was evaluated: the next one probably is, too
} Sweep;

static void sweep_suite(Sweep *s, RlxSuite *suite);

static bool reads_changed(const Sweep *s, const RlxAnalysis *unit) {
  const RlxRead *reads = unit->reads;
  for (uint32_t i = 0; i < unit->read_count; i++) {
    RlxRead now = rlx_env_read(s->env, reads[i].name);
    if (now.thing != reads[i].thing || now.sinfo != reads[i].sinfo || now.flags != reads[i].flags)
      return true;
  }
  return rlx_map_count(&s->file->changed_outer) &&
         rlx_outer_changed(s->file, unit->outer_reads, unit->outer_read_count);
}

/// What the unit defines holds from here on.
static void apply(Sweep *s, const RlxAnalysis *unit) {
  bool is_odd = false;
  if (unit->has_own) {
    rlx_env_put_known(s->env, &unit->own, unit->defs);
    is_odd = (uint8_t)unit->own.flags != RLX_VALUE_EXPR || !unit->own.thing;
  } else {
    for (uint32_t i = 0; i < unit->def_count; i++) {
      RlxRead known = rlx_env_identity(unit->defs[i].name, &unit->defs[i]);
      rlx_env_put_known(s->env, &known, &unit->defs[i]);
      is_odd |= (uint8_t)known.flags != RLX_VALUE_EXPR || !known.thing;
    }
  }
  if (is_odd) rlx_vec_push(&s->fn->odd, unit);
  if (is_odd && s->in_dataflow && !unit->may_leave) rlx_vec_push(&s->leaving, unit);
}

static void assume(Sweep *s, RlxFacts *fact) {
  fact->next = s->facts;
  s->facts = fact;
  rlx_facts_add(s->file->store, fact);
  s->facts_hash = rlx_hash_mix(s->facts_hash, rlx_hash_ptr(fact->condition));
}

/// From here on holds what the unit taught.
static void learn(Sweep *s, const RlxAnalysis *unit) {
  rlx_marks_again(s->file->store, unit->marks, unit->mark_count);
  for (uint32_t i = 0; i < unit->fact_count; i++) assume(s, &unit->facts[i]);
}

static bool facts_changed(const Sweep *s, const RlxAnalysis *unit) {
  return (unit->asks && unit->facts_seen != s->facts_hash) ||
         ((unit->asks || unit->asks_marks) && unit->marks_seen != rlx_marks_hash(s->file->store));
}

/// Remembers what the only definition stands for, when nothing but this statement can change it.
static void note_own(RlxAnalysis *unit) {
  unit->has_own = false;
  if (unit->def_count != 1) return;
  const RlxValue *v = &unit->defs[0].value;
  if (v->kind == RLX_VALUE_EXPR &&
      (v->expr->kind != RLX_EXPR_VAR || v->expr->var->stmt != unit->stmt))
    return;
  unit->own = rlx_env_identity(unit->defs[0].name, unit->defs);
  unit->has_own = true;
}

#define TAKE(field, vec, T)                                                                        \
  (unit->field##_count = (vec).count,                                                              \
   unit->field##s =                                                                                \
       (vec).count ? rlx_arena_copy(unit->arena, (vec).at, (vec).count, sizeof(T)) : NULL)

/// What the results of the statement are likely to take: as much as those of others with as much
/// syntax that call the same did. A large file has tens of thousands of such arenas.
static uint32_t *expected_bytes(const Sweep *s, const RlxAnalysis *unit) {
  const RlxAst *call = unit->stmt->value;
  const RlxName name = call && call->kind == RLX_AST_CALL ? call->children[0]->name : 0;
  const size_t size = unit->stmt->arena ? rlx_arena_live_bytes(unit->stmt->arena) : 0;
  return &s->file->analyzer->unit_bytes[rlx_hash_mix(size, name) % RLX_UNIT_CLASSES];
}

static void note_bytes(uint32_t *expected, size_t taken) {
  enum { MOST = 4096, LATELY = 64 };
  uint32_t now = taken < MOST ? (uint32_t)taken : MOST;
  *expected = now > *expected ? now : *expected - (*expected - now) / LATELY;
}

/// Empties what an evaluation of the unit's statement gives.
static void start_results(Sweep *s, RlxAnalysis *unit) {
  enum { LEAST = 256 };
  const uint32_t expected = *expected_bytes(s, unit);
  rlx_analysis_clear(unit);
  unit->arena = rlx_arena_new_sized(expected > LEAST ? expected : LEAST);
  RlxEval *e = &s->e;
  rlx_vec_clear(&e->bindings);
  rlx_vec_clear(&e->defs);
  rlx_vec_clear(&e->vars);
  rlx_vec_clear(&e->locals);
  unit->is_output = false;
  rlx_vec_clear(&e->learned);
  rlx_vec_clear(&e->unbound_uses);
  rlx_vec_clear(&e->patterns);
  rlx_vec_clear(&s->sink.diags);
  e->facts = s->facts;
  rlx_questions_of_statements(s->file->store, 1 + unit->stmt->head_size / STATEMENT_BYTES);
  unit->marks_seen = rlx_marks_hash(s->file->store);
  s->sink.arena = unit->arena;
  e->arena = unit->arena;
  e->stmt = unit->stmt;
  e->unit = unit;
  e->tainted = e->impure = e->is_volatile = e->annotation_failed = false;
  e->in_dataflow = s->in_dataflow;
  e->depth = 0;
}

static void start_unit(Sweep *s, RlxAnalysis *unit) {
  RlxEval *e = &s->e;
  rlx_vec_clear(&e->reads);
  rlx_vec_clear(&e->outer_reads);
  rlx_listed_clear(&e->is_read);
  rlx_listed_clear(&e->is_outer_read);
  start_results(s, unit);
  s->questions = rlx_store_questions(s->file->store);
  s->mark_reads = rlx_marks_reads(s->file->store);
  s->mark_log = rlx_marks_statement(s->file->store);
  s->file->stats.analyzed_statements++;
}

static void finish_unit(Sweep *s, RlxAnalysis *unit) {
  RlxEval *e = &s->e;
  rlx_lower_symbols(e);
  TAKE(binding, e->bindings, RlxBinding *);
  unit->read_count = e->reads.count;
  unit->reads = e->reads.count <= sizeof unit->few / sizeof unit->few[0]
                    ? unit->few
                    : rlx_arena_array(unit->arena, RlxRead, e->reads.count);
  for (uint32_t i = 0; i < e->reads.count; i++)
    unit->reads[i] = rlx_env_read(s->env, e->reads.at[i]);
  TAKE(outer_read, e->outer_reads, RlxName);
  TAKE(def, e->defs, RlxDef);
  TAKE(var, e->vars, RlxVar *);
  TAKE(fact, e->learned, RlxFacts);
  unit->asks = rlx_store_questions(s->file->store) != s->questions;
  unit->facts_seen = s->facts_hash;
  unit->asks_marks = rlx_marks_reads(s->file->store) != s->mark_reads;
  unit->marks = rlx_marks_of(s->file->store, s->mark_log, unit->arena, &unit->mark_count);
  if (unit->stmt->has_error) rlx_vec_clear(&s->sink.diags);
  TAKE(diag, s->sink.diags, RlxDiag *);
  unit->is_tainted = e->tainted;
  unit->is_impure = e->impure;
  unit->is_volatile = e->is_volatile;
  s->fn->has_volatile |= e->is_volatile;
  unit->is_analyzed = true;
  unit->is_dirty = false;
  for (uint32_t i = 0; i < unit->outer_read_count; i++)
    if (!rlx_listed_has(&s->outer_reads, s->fn->outer_reads.at, s->fn->outer_reads.count,
                        unit->outer_reads[i]))
      rlx_vec_push(&s->fn->outer_reads, unit->outer_reads[i]);
  note_own(unit);
  note_bytes(expected_bytes(s, unit), rlx_arena_live_bytes(unit->arena));
  rlx_use_mark_note(unit);
  apply(s, unit);
  learn(s, unit);
}

/// What later statements see of one.
typedef struct Outcome {
  RlxName name;
  const RlxSInfo *sinfo;
} Outcome;

static bool is_faultless(const Sweep *s) {
  bool fine = !s->e.tainted;
  for (uint32_t i = 0; i < s->sink.diags.count; i++)
    fine &= s->sink.diags.at[i]->severity != RLX_ERROR;
  return fine;
}

static Outcome outcome(const RlxEval *e, const RlxAnalysis *unit) {
  if (unit->result) return (Outcome){0, unit->result->sinfo};
  if (!e->bindings.count) return (Outcome){0, NULL};
  const RlxVar *var = rlx_vec_last(&e->bindings)->var;
  return (Outcome){var->name, var->sinfo};
}

/// A statement with a slip in its text is worth what all its readings that evaluate without a fault
/// agree on, if leaving something out gives one; else it stays as it stands. Leaves the unit ready for
/// its evaluation, with what all readings read.
static void choose_reading(Sweep *s, RlxAnalysis *unit) {
  RlxStmt *stmt = unit->stmt;
  const RlxStmt *chosen = NULL, *r = stmt->reading;
  const RlxStmt before = *stmt;
  Outcome all = {0, NULL};
  bool agree = true;
  for (; !r->has_error; r = r->reading) {
    rlx_stmt_take_reading(stmt, r);
    rlx_analysis_note_kind(s->file, unit);
    rlx_lower_statement(&s->e, unit);
    if (is_faultless(s)) {
      Outcome one = outcome(&s->e, unit);
      agree &= !all.sinfo || (all.name == one.name && all.sinfo == one.sinfo);
      all = one;
      if (!chosen && r->is_mended) chosen = r;
    }
    for (uint32_t i = 0; i < s->e.vars.count; i++) // the next reading finds them again
      rlx_vec_push(&s->fn->orphans, s->e.vars.at[i]);
    start_results(s, unit);
  }
  rlx_stmt_take_reading(stmt, chosen && agree ? chosen : r);
  rlx_analysis_note_kind(s->file, unit);
  bool is_other = stmt->value != before.value || stmt->targets != before.targets;
  s->file->stats.reread_statements += unit->has_reading && is_other;
  unit->has_reading = true;
}

static void sweep_simple(Sweep *s, RlxAnalysis *unit) {
  if (!unit->is_dirty && !s->all && !unit->is_volatile &&
      (!s->head_is_new || rlx_unit_outlives_head(unit)) && !facts_changed(s, unit) &&
      !reads_changed(s, unit)) {
    s->evaluates = false;
    if (unit->may_leave && s->in_dataflow) rlx_vec_push(&s->leaving, unit);
    apply(s, unit);
    learn(s, unit);
    return;
  }
  s->evaluates = true;
  start_unit(s, unit);
  if (unit->stmt->reading) choose_reading(s, unit);
  if (unit->may_leave && s->in_dataflow) rlx_vec_push(&s->leaving, unit);
  rlx_lower_statement(&s->e, unit);
  finish_unit(s, unit);
}

// ---- if

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

static void condition(Sweep *s, RlxAnalysis *unit, RlxExpr **out) {
  RlxEval *e = &s->e;
  RlxValue value = rlx_eval(e, unit->stmt->value);
  RlxExpr *x = value.kind == RLX_VALUE_BOOL || value.kind == RLX_VALUE_INT
                   ? rlx_expr_constant(e, &value, RLX_BOOL, value.span)
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
  bool is_vector =
      c->kind == RLX_SINFO_TENSOR && c->ndim == 1 &&
      (!rlx_dtype_known(c->dtype) || rlx_dtype_is_bool(c->dtype) || rlx_dtype_is_int(c->dtype));
  if (is_vector && !e->tainted) { // one element is enough to decide; more are found when it runs
    rlx_eval_report(e, RLX_DIAG_ID(IF_CONDITION), unit->stmt->value->span, "s",
                    rlx_value_text(e, &value))
        ->severity = RLX_WARNING;
    e->tainted = false;
  } else if (!fine && !e->tainted) {
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

/// Puts back the notes that the statements of `suite`, a branch just left, made in the environment.
/// A note says that a report which is made once per function was made (that it has an impure call);
/// leaving a branch forgets the branch's names, and must not forget its notes.
static void keep_notes(Sweep *s, const RlxSuite *suite) {
  RlxName name = s->file->analyzer->name_impure;
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    for (uint32_t k = 0; unit && k < unit->def_count; k++)
      if (unit->defs[k].name == name) rlx_env_put(s->env, name, &unit->defs[k]);
    if (unit && unit->kind == RLX_UNIT_IF) keep_notes(s, unit->body), keep_notes(s, unit->orelse);
  }
}

/// What callers may know of the branch's value by what is known at its end: dimensions in the
/// variables of the signature. NULL: nothing was learned in the branch.
static const RlxSInfo *known_outside(Sweep *s, const RlxSuite *suite, const RlxFacts *before) {
  const RlxAnalysis *unit = NULL;
  const RlxVar *last = s->facts == before ? NULL : last_bound(suite, &unit);
  RlxScope scope = {rlx_fn_is_in_signature, s->fn, s->facts};
  rlx_questions_of_statements(s->file->store, 1);
  return last ? rlx_sinfo_erase_to_well_defined(s->file->store, last->sinfo, scope) : NULL;
}

/// `condition` holds in the branch, unless it is NULL; what is learned in the branch is forgotten
/// after it, but for what it says of the branch's value, which is returned (known_outside).
static const RlxSInfo *sweep_branch(Sweep *s, RlxSuite *suite, const RlxPrim *condition) {
  if (!suite) return NULL;
  const RlxFacts *facts = s->facts;
  uint64_t hash = s->facts_hash;
  RlxFacts holds = {NULL, condition, "condition of the branch"};
  uint32_t mark = rlx_env_mark(s->env);
  if (condition) assume(s, &holds);
  sweep_suite(s, suite);
  const RlxSInfo *known = s->cancelled ? NULL : known_outside(s, suite, facts);
  rlx_env_restore(s->env, mark);
  keep_notes(s, suite);
  s->facts = facts;
  rlx_facts_forget(s->file->store, facts);
  s->facts_hash = hash;
  return known;
}

/// The StructInfo of an `if` whose branches end with `a` and `b`: their least common ancestor, or a
/// finer one by what is known at the ends of the branches (`a_known`, `b_known`; may be NULL).
static const RlxSInfo *join(Sweep *s, const RlxSInfo *a, const RlxSInfo *b, const RlxSInfo *a_known,
                            const RlxSInfo *b_known) {
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
static const RlxPrim *symbolic_condition(Sweep *s, const RlxAnalysis *unit) {
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
  e->tainted = true;
  RlxSpan head = rlx_span(0, unit->stmt->head_size);
  if (!var->is_temporary) rlx_define(e, var->name, rlx_value_unknown(head), head);
}

static void report_branches(Sweep *s, const RlxVar *a, const RlxVar *b,
                            const RlxAnalysis *else_unit) {
  RlxEval *e = &s->e;
  const char *first = rlx_store_text(s->file->store, a->name),
             *second = rlx_store_text(s->file->store, b->name);
  const bool is_named = b->span.end > b->span.start;
  RlxSpan place = is_named ? b->span : rlx_span(0, else_unit->stmt->head_size);
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(IF_BRANCHES), place, "ss", first, second);
  diag->stmt = is_named ? b->named_in : else_unit->stmt;
  if (a->stmt)
    rlx_diag_related(e->sink, diag, a->named_in, a->span, "the last binding of the first branch");
}

/// What a branch ends with is its value, and stays inside of no dataflow block; a copy as the last
/// binding stands for what it copies.
static void check_branch_end(Sweep *s, const RlxAnalysis *unit, const RlxVar *var) {
  if (unit->is_tainted || var->is_tainted || s->in_dataflow) return;
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

/// A branch that binds something has no `return` either.
static void check_returns(Sweep *s, const RlxAnalysis *unit) {
  const RlxStmt *early = early_return(unit->body);
  if (!early) early = early_return(unit->orelse);
  if (early)
    rlx_eval_report(&s->e, RLX_DIAG_ID(RETURN_TWICE), rlx_span(0, early->head_size), "")->stmt =
        early;
}

/// An `if` is joined again at every sweep: its value depends on what its branches bound.
static void sweep_if(Sweep *s, RlxAnalysis *unit) {
  const RlxPrim *holds = symbolic_condition(s, unit);
  const RlxSInfo *a_known = sweep_branch(s, unit->body, holds),
                 *b_known = sweep_branch(s, unit->orelse,
                                         holds ? rlx_prim_unary(s->file->store, RLX_PRIM_NOT, holds)
                                               : NULL);
  if (s->cancelled) return;
  uint64_t counted = s->file->stats.analyzed_statements;
  bool new_text = unit->is_dirty;
  start_unit(s, unit);
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
    const RlxStmt *next = unit->stmt->block && unit->stmt->index + 1 < unit->stmt->block->count
                              ? unit->stmt->block->stmts[unit->stmt->index + 1]
                              : NULL;
    bool broken = unit->stmt->has_error ||
                  (next && (next->has_error || next->kind == RLX_STMT_HOLE)); // a broken `else`
    for (int k = 0; k < 2; k++) {
      const RlxSuite *suite = k ? unit->orelse : unit->body;
      for (uint32_t i = 0; suite && i < suite->units.count; i++)
        broken |= suite->units.at[i] &&
                  (suite->units.at[i]->is_tainted || suite->units.at[i]->diag_count);
    }
    const RlxStmt *early = early_return(unit->body);
    if (!early) early = early_return(unit->orelse);
    if (!broken && early)
      rlx_eval_report(e, RLX_DIAG_ID(RETURN_TWICE), rlx_span(0, early->head_size), "")->stmt =
          early;
    else if (!broken)
      rlx_eval_report(e, RLX_DIAG_ID(IF_EMPTY), head, "s",
                      !a             ? "the first branch of this `if` binds nothing"
                      : unit->orelse ? "the `else` branch of this `if` binds nothing"
                                     : "this `if` has no `else`");
    if (a) lost(e, a, unit);
    if (b) lost(e, b, unit);
    finish_unit(s, unit);
    return;
  }
  bool same = a->name == b->name || a->is_temporary || b->is_temporary;
  if (!same && ((then_unit->is_tainted && then_unit->diag_count) ||
                (else_unit->is_tainted && else_unit->diag_count)))
    same = e->tainted = true; // reported there
  if (!same) report_branches(s, a, b, else_unit);
  check_branch_end(s, then_unit, a);
  check_branch_end(s, else_unit, b);
  check_returns(s, unit);
  if (a->name != b->name) lost(e, b, unit);
  bool tainted = e->tainted || a->is_tainted || b->is_tainted;
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
  finish_unit(s, unit);
}

// ---- with

static bool is_dataflow(Sweep *s, const RlxStmt *stmt) {
  if (stmt->item_count != 1) return false;
  RlxValue v = rlx_eval(&s->e, stmt->items[0].value);
  return v.kind == RLX_VALUE_STATEMENT && v.integer == RLX_WORD_DATAFLOW;
}

/// Definitions that leave a dataflow block: those of its R.output, `return`, and the values that
/// its match_casts give to symbolic variables declared before it.
static void export_outputs(Sweep *s, RlxAnalysis *with, uint32_t first) {
  for (uint32_t i = first; i < s->leaving.count; i++) {
    const RlxAnalysis *unit = s->leaving.at[i];
    if (unit->stmt->block != with->stmt->body) continue;
    for (uint32_t k = 0; k < unit->def_count; k++) {
      const RlxDef *def = &unit->defs[k], *outside = rlx_env_get(s->env, def->name);
      if (outside && outside->is_unbound && def->value.kind == RLX_VALUE_PRIM &&
          def->value.prim == outside->value.prim && !def->is_unbound)
        rlx_env_put(s->env, def->name, def);
    }
    if (!unit->may_leave) continue;
    apply(s, unit);
    for (uint32_t k = 0; k < unit->def_count; k++) {
      const RlxValue *v = &unit->defs[k].value;
      if (v->kind != RLX_VALUE_EXPR || v->expr->kind != RLX_EXPR_VAR ||
          v->expr->var->name != unit->defs[k].name)
        continue;
      v->expr->var->is_dataflow = false;
      rlx_vec_push(&s->fn->outputs, v->expr->var);
    }
  }
  s->leaving.count = first;
}

/// All of a suite is to be analysed again.
static void mark_suite(RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    RlxAnalysis *unit = suite->units.at[i];
    unit->is_dirty = true;
    mark_suite(unit->body);
    mark_suite(unit->orelse);
  }
}

static void sweep_with(Sweep *s, RlxAnalysis *unit) {
  if (unit->is_dirty || s->all || s->head_is_new || unit->is_volatile || reads_changed(s, unit)) {
    start_unit(s, unit);
    bool dataflow = is_dataflow(s, unit->stmt) ||
                    s->sink.diags.count > 0; // a name that is wrong is reported by itself
    if (!dataflow && !unit->stmt->has_error)
      rlx_eval_report(&s->e, RLX_DIAG_ID(WITH_UNSUPPORTED), rlx_span(0, unit->stmt->head_size), "");
    if (dataflow && unit->stmt->items[0].target)
      rlx_eval_report(&s->e, RLX_DIAG_ID(WITH_UNSUPPORTED), rlx_span(0, unit->stmt->head_size), "");
    if (dataflow && s->in_dataflow)
      rlx_eval_report(&s->e, RLX_DIAG_ID(DATAFLOW_CONTROL), rlx_span(0, unit->stmt->head_size), "s",
                      "another dataflow block");
    finish_unit(s, unit);
    if (unit->is_dataflow_block != dataflow) mark_suite(unit->body);
    unit->is_dataflow_block = dataflow;
  }
  if (!unit->body) return;
  if (!unit->is_dataflow_block) {
    sweep_suite(s, unit->body);
    return;
  }
  bool before = s->in_dataflow;
  s->in_dataflow = true;
  uint32_t mark = rlx_env_mark(s->env), leaving = s->leaving.count;
  sweep_suite(s, unit->body);
  rlx_env_restore(s->env, mark);
  s->in_dataflow = before;
  export_outputs(s, unit, leaving);
}

// ---- local functions

/// Whether TVM finds a call of `name` where a statement of the suite has its value: it looks into no
/// argument and no other expression.
static bool calls_in(const RlxBlock *block, RlxName name) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxAst *value = stmt->value;
    if (stmt->kind == RLX_STMT_IF || stmt->kind == RLX_STMT_WITH) {
      if (calls_in(stmt->body, name) || calls_in(stmt->orelse, name)) return true;
    } else if (value && value->kind == RLX_AST_CALL && value->children[0]->kind == RLX_AST_NAME &&
               value->children[0]->name == name)
      return true;
  }
  return false;
}

/// A local function knows itself where it calls itself and nothing else had its name before.
static bool knows_itself(Sweep *s, const RlxStmt *stmt) {
  if (rlx_eval_is_tlc(&s->e)) return true;
  rlx_vec_push(&s->e.reads, stmt->name);
  return !rlx_env_get(s->env, stmt->name) && calls_in(stmt->body, stmt->name);
}

static void sweep_def(Sweep *s, RlxAnalysis *unit) {
  RlxFn *inner = unit->fn;
  bool again = unit->is_dirty || s->all || s->head_is_new || unit->is_volatile ||
               facts_changed(s, unit) || reads_changed(s, unit) || (inner && inner->is_dirty);
  if (!again) {
    apply(s, unit);
    learn(s, unit);
    return;
  }
  RlxIslandKind kind;
  RlxStmt *stmt = unit->stmt;
  start_unit(s, unit);
  RlxEval *e = &s->e;
  if (inner) rlx_fn_free(inner);
  unit->fn = NULL;
  if (!rlx_island_kind(s->file, stmt, &kind) || kind != RLX_ISLAND_RELAX) {
    rlx_lower_statement(e, unit);
    if (stmt->name) {
      RlxValue unknown = rlx_value_unknown(stmt->name_span);
      rlx_define(e, stmt->name, unknown, stmt->name_span);
    }
    finish_unit(s, unit);
    return;
  }
  inner = unit->fn = rlx_fn_new(s->file, s->fn->module, s->fn, stmt, RLX_ISLAND_RELAX);
  inner->unit = unit;
  inner->is_declared_pure = rlx_decorator_flag(s->file, stmt, "pure", true);
  inner->outer_env = s->env;
  rlx_fn_signature(inner);
  RlxVar *var = rlx_fn_var(s->fn, unit, stmt->name, false);
  var->is_dataflow = var->in_dataflow = s->in_dataflow;
  var->stmt = var->named_in = stmt;
  var->span = stmt->name_span;
  var->sinfo = inner->function.sinfo;
  var->content = NULL;
  var->is_tainted = false;
  RlxExpr *self = rlx_expr_new(e, RLX_EXPR_VAR, stmt->name_span, var->sinfo);
  self->var = var;
  RlxDef own = {
      .name = stmt->name, .value = rlx_value_expr(self), .stmt = stmt, .span = stmt->name_span};
  uint32_t mark = rlx_env_mark(s->env);
  if (knows_itself(s, stmt)) rlx_env_put(s->env, stmt->name, &own);
  rlx_fn_analyze(inner, s->env, NULL);
  rlx_env_restore(s->env, mark);
  var->is_tainted = stmt->has_error || inner->header.diags.count; // calls may be right
  RlxExpr *value =
      rlx_expr_new(e, RLX_EXPR_FUNCTION, rlx_span(0, stmt->head_size), inner->function.sinfo);
  value->function = &inner->function;
  var->sinfo = inner->function.sinfo;
  self->sinfo = var->sinfo;
  rlx_vec_push(&e->vars, var);
  RlxBinding *binding = rlx_arena_one(e->arena, RlxBinding);
  inner->outer_env = NULL;
  binding->is_dataflow = s->in_dataflow;
  binding->var = var;
  binding->value = value;
  binding->deduced = value->sinfo;
  binding->stmt = stmt;
  binding->span = rlx_span(0, stmt->head_size);
  rlx_vec_push(&e->bindings, binding);
  rlx_define(e, stmt->name, rlx_value_expr(self), stmt->name_span);
  for (uint32_t i = 0; i < inner->outer_reads.count; i++) {
    rlx_vec_push(&e->reads, inner->outer_reads.at[i]);
    rlx_vec_push(&e->outer_reads, inner->outer_reads.at[i]);
  }
  e->is_volatile |= inner->has_volatile || inner->header_volatile;
  finish_unit(s, unit);
}

/// Units, their statements and results lie anywhere in memory: those that come next are fetched while
/// one is looked at, one step of the way at a time.
static void fetch_ahead(const Sweep *s, const RlxSuite *suite, uint32_t i) {
  enum { UNIT = 6, STMT = 4, VALUE = 2, LINE = 64 };
  if (i + UNIT >= suite->units.count) return;
  const char *unit = (const char *)suite->units.at[i + UNIT];
  for (size_t k = 0; k < offsetof(RlxAnalysis, body); k += LINE) __builtin_prefetch(unit + k);
  if (!s->evaluates) return;
  const RlxAnalysis *next = suite->units.at[i + STMT];
  for (size_t k = 0; k < sizeof(RlxStmt); k += LINE)
    __builtin_prefetch((const char *)next->stmt + k);
  __builtin_prefetch(next->arena, 1);
  const RlxStmt *stmt = suite->units.at[i + VALUE]->stmt;
  __builtin_prefetch(stmt->value);
  __builtin_prefetch(stmt->arena);
}

static void sweep_suite(Sweep *s, RlxSuite *suite) {
  suite->diag_count = 0;
  rlx_vec_clear(&suite->reported);
  rlx_vec_clear(&suite->compound);
  rlx_vec_clear(&suite->leaving);
  suite->is_broken = false;
  for (uint32_t i = 0; i < suite->units.count && !s->cancelled; i++) {
    RlxAnalysis *unit = suite->units.at[i];
    fetch_ahead(s, suite, i);
    if ((++s->visited & 63) == 0 && s->cancel &&
        atomic_load_explicit(s->cancel, memory_order_relaxed)) {
      s->cancelled = true;
      return;
    }
    switch ((RlxAnalysisKind)unit->kind) {
    case RLX_UNIT_IF: sweep_if(s, unit); break;
    case RLX_UNIT_WITH: sweep_with(s, unit); break;
    case RLX_UNIT_DEF: sweep_def(s, unit); break;
    case RLX_UNIT_SIMPLE:
    case RLX_UNIT_ISLAND:
    case RLX_UNIT_CLASS: sweep_simple(s, unit); break;
    }
    if (unit->kind == RLX_UNIT_IF || unit->kind == RLX_UNIT_WITH)
      rlx_vec_push(&suite->compound, unit);
    if (unit->may_leave) rlx_vec_push(&suite->leaving, unit);
    suite->is_broken |= unit->has_error || (unit->is_output && unit->is_tainted);
    uint32_t before = suite->diag_count;
    suite->diag_count += unit->diag_count + (unit->body ? unit->body->diag_count : 0) +
                         (unit->orelse ? unit->orelse->diag_count : 0);
    if (unit->fn && unit->fn->body)
      suite->diag_count +=
          unit->fn->body->diag_count + unit->fn->header.diags.count + unit->fn->end.diags.count;
    if (suite->diag_count != before) rlx_vec_push(&suite->reported, unit);
  }
}

static void start_sweep(Sweep *s) {
  RlxFn *fn = s->fn;
  s->e.sink = &s->sink;
  s->e.env = s->env;
  s->all = fn->all_dirty;
  s->head_is_new = fn->head_is_new;
  for (uint32_t i = 0; i < fn->outputs.count; i++)
    fn->outputs.at[i]->is_dataflow = fn->outputs.at[i]->in_dataflow;
  rlx_vec_clear(&fn->outputs);
  rlx_vec_clear(&fn->odd);
  fn->has_volatile = false;
  rlx_map_clear(&fn->orphan_index);
  for (uint32_t i = 0; i < fn->orphans.count; i++)
    if (fn->orphans.at[i] && !fn->orphans.at[i]->is_temporary)
      rlx_map_put(&fn->orphan_index, fn->orphans.at[i]->name, i + 1);
  for (uint32_t i = 0; i < fn->params.count; i++) {
    const RlxDef *def = &fn->params.at[i];
    // A dimension of the result that has a parameter's name does not hide the parameter.
    const RlxDef *first = &fn->params.at[rlx_fn_first_param(fn, def->name)];
    if (def->value.kind != RLX_VALUE_PRIM || first->value.kind != RLX_VALUE_EXPR)
      rlx_env_put(s->env, def->name, def);
  }
}

bool rlx_fn_sweep(RlxFn *fn, RlxEnv *env, const atomic_bool *cancel) {
  Sweep s = {.fn = fn, .file = fn->file, .env = env, .cancel = cancel};
  rlx_eval_init(&s.e, fn->file, fn, fn->stmt, NULL, &s.sink);
  rlx_facts_open(fn->file->store);
  start_sweep(&s);
  sweep_suite(&s, fn->body);
  env->facts = s.facts;
  rlx_facts_close(fn->file->store);
  rlx_eval_deinit(&s.e);
  rlx_vec_free(&s.sink.diags);
  rlx_vec_free(&s.leaving);
  rlx_listed_free(&s.outer_reads);
  return !s.cancelled;
}
