/// The sweep over a body's statements.
/// Always true: a sweep visits the statements in order. It analyses those whose text is new and
/// those that read a name whose meaning changed; the others only define their names again. Where a
/// statement's StructInfo comes out as before, the statements that read it are not analysed again.
#include "analyzer/eval/outer.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/eval/signature.h"
#include "analyzer/function/sweep_impl.h"
#include "base/hash.h"

enum { STATEMENT_BYTES = 64 }; // a longer one may ask as much as several

static bool reads_changed(const RlxSweep *s, const RlxAnalysis *unit) {
  if (s->is_as_before) return false;
  const RlxRead *reads = unit->reads;
  for (uint32_t i = 0; i < unit->read_count; i++)
    if (!rlx_env_holds(s->env, &reads[i])) return true;
  return rlx_map_count(&s->file->changed_outer) &&
         rlx_outer_changed(s->file, unit->outer_reads, unit->outer_read_count);
}

/// What the unit defines holds from here on.
static void apply(RlxSweep *s, const RlxAnalysis *unit) {
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

void rlx_sweep_assume(RlxSweep *s, RlxFacts *fact) {
  fact->next = s->facts;
  s->facts = fact;
  rlx_facts_add(s->file->store, fact);
  s->facts_hash = rlx_hash_mix(s->facts_hash, rlx_hash_ptr(fact->condition));
}

/// From here on holds what the unit taught.
static void learn(RlxSweep *s, const RlxAnalysis *unit) {
  if (unit->mark_count) rlx_marks_again(s->file->store, unit->marks, unit->mark_count);
  for (uint32_t i = 0; i < unit->fact_count; i++) rlx_sweep_assume(s, &unit->facts[i]);
}

static bool facts_changed(const RlxSweep *s, const RlxAnalysis *unit) {
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
static uint32_t *expected_bytes(const RlxSweep *s, const RlxAnalysis *unit) {
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
static void start_results(RlxSweep *s, RlxAnalysis *unit) {
  enum { LEAST = 256 };
  const uint32_t expected = *expected_bytes(s, unit);
  rlx_analysis_clear(unit);
  unit->arena = rlx_arena_new_sized(expected > LEAST ? expected : LEAST);
  RlxEval *e = &s->e;
  rlx_vec_clear(&e->bindings);
  rlx_vec_clear(&e->defs);
  rlx_vec_clear(&e->vars);
  rlx_locals_drop(&e->locals, 0);
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
  e->tainted = 0;
  e->impure = e->is_volatile = e->annotation_failed = e->annotation_is_open = false;
  e->in_dataflow = s->in_dataflow;
  e->depth = 0;
}

void rlx_sweep_start(RlxSweep *s, RlxAnalysis *unit) {
  RlxEval *e = &s->e;
  rlx_vec_clear(&e->reads);
  rlx_vec_clear(&e->outer_reads);
  rlx_listed_clear(&e->is_read);
  rlx_listed_clear(&e->is_outer_read);
  start_results(s, unit);
  s->questions = rlx_store_questions(s->file->store);
  s->mark_reads = rlx_marks_reads(s->file->store);
  s->dialect_questions = s->file->analyzer->dialect_questions;
  s->mark_log = rlx_marks_statement(s->file->store);
  s->file->stats.analyzed_statements++;
}

void rlx_sweep_finish(RlxSweep *s, RlxAnalysis *unit) {
  RlxEval *e = &s->e;
  rlx_lower_symbols(e);
  TAKE(binding, e->bindings, RlxBinding *);
  for (uint32_t i = unit->binding_count; i-- > 0;) unit->bindings[i]->var->place = i;
  unit->read_count = e->reads.count;
  unit->reads = e->reads.count <= sizeof unit->few / sizeof unit->few[0]
                    ? unit->few
                    : rlx_arena_array(unit->arena, RlxRead, e->reads.count);
  for (uint32_t i = 0; i < e->reads.count; i++)
    unit->reads[i] = rlx_env_read(s->env, e->reads.at[i]);
  TAKE(outer_read, e->outer_reads, RlxName);
  TAKE(def, e->defs, RlxDef);
  unit->defs_in_order = true;
  for (uint32_t i = 1; i < unit->def_count; i++)
    unit->defs_in_order &= unit->defs[i - 1].span.start <= unit->defs[i].span.start;
  TAKE(var, e->vars, RlxVar *);
  TAKE(fact, e->learned, RlxFacts);
  unit->asks = rlx_store_questions(s->file->store) != s->questions;
  unit->facts_seen = s->facts_hash;
  unit->asks_marks = rlx_marks_reads(s->file->store) != s->mark_reads;
  unit->asks_dialects = s->file->analyzer->dialect_questions != s->dialect_questions;
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
  rlx_note_plain(unit);
  rlx_sweep_note_bare(s, unit);
  s->is_idle = s->is_as_before = s->has_one && rlx_gave_the_same(s->fn, unit);
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

static bool is_faultless(const RlxSweep *s) {
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
static void choose_reading(RlxSweep *s, RlxAnalysis *unit) {
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

static void sweep_simple(RlxSweep *s, RlxAnalysis *unit) {
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
  const bool is_new = s->all || s->head_is_new; // what is read without being noted
  if ((!is_new || (s->keeps_bare && unit->is_rooted)) && (!s->all || unit->is_bare) &&
      rlx_sweep_again(s, unit)) {
    s->is_idle = s->is_as_before = false;
    apply(s, unit);
    return;
  }
  rlx_sweep_start(s, unit);
  if (unit->stmt->reading) choose_reading(s, unit);
  if (unit->may_leave && s->in_dataflow) rlx_vec_push(&s->leaving, unit);
  rlx_lower_statement(&s->e, unit);
  rlx_sweep_finish(s, unit);
}

// ---- with

/// The call that opens the scope of the `with`; RLX_WORD_NONE: none does.
static RlxWord frame_of(RlxSweep *s, const RlxStmt *stmt) {
  if (stmt->item_count != 1) return RLX_WORD_NONE;
  const RlxAst *item = stmt->items[0].value;
  RlxValue v = rlx_eval(&s->e, item);
  if (v.kind == RLX_VALUE_WORD && v.integer == RLX_WORD_DATAFLOW) { // it is not called
    RlxDiag *diag =
        rlx_eval_report(&s->e, RLX_DIAG_ID(WITH_UNSUPPORTED), rlx_span(0, stmt->head_size), "");
    rlx_diag_fix(s->e.sink, diag, "call it", rlx_span(item->span.end, item->span.end), "()");
  }
  const bool opens = v.kind == RLX_VALUE_STATEMENT && rlx_word_opens_frame((RlxWord)v.integer);
  return opens ? (RlxWord)v.integer : RLX_WORD_NONE;
}

/// Whether the builder takes the frame where the `with` stands: branches stand in R.If, which has two of them and nothing else.
static bool is_frame_in_place(const RlxSweep *s, RlxWord frame, const RlxStmt *stmt) {
  if (frame == RLX_WORD_THEN_FRAME || frame == RLX_WORD_ELSE_FRAME)
    return s->frame == RLX_WORD_IF_FRAME;
  if (frame != RLX_WORD_IF_FRAME) return true;
  const RlxBlock *body = stmt->body;
  return body && body->count == 2 && body->stmts[0]->kind == RLX_STMT_WITH &&
         body->stmts[1]->kind == RLX_STMT_WITH;
}

/// Definitions that leave a dataflow block: those of its R.output, `return`, and the values that
/// its match_casts give to symbolic variables declared before it.
static void export_outputs(RlxSweep *s, RlxAnalysis *with, uint32_t first) {
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
  if (suite) rlx_vec_clear(&suite->calm);
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    RlxAnalysis *unit = suite->units.at[i];
    unit->is_dirty = true;
    mark_suite(unit->body);
    mark_suite(unit->orelse);
  }
}

/// What the head of a `with` opens: whether that is a scope of the builder's, and one that may stand here.
static void with_head(RlxSweep *s, RlxAnalysis *unit) {
  const RlxStmt *stmt = unit->stmt;
  const RlxSpan head = rlx_span(0, stmt->head_size);
  const uint8_t before = unit->frame;
  rlx_sweep_start(s, unit);
  unit->frame = (uint8_t)frame_of(s, stmt);
  // A name that is wrong is reported by itself, and a head that is broken meant nothing else.
  if (!unit->frame && (s->sink.diags.count > 0 || rlx_stmt_is_garbled(stmt)))
    unit->frame = RLX_WORD_DATAFLOW;
  const bool is_dataflow = unit->frame == RLX_WORD_DATAFLOW;
  s->e.is_volatile |= unit->frame && !is_dataflow && unit->frame != RLX_WORD_SEQ_EXPR;
  const bool is_named = unit->frame && stmt->item_count && stmt->items[0].target;
  const bool is_right = unit->frame && is_frame_in_place(s, (RlxWord)unit->frame, stmt);
  if (is_named || (!is_right && !stmt->has_error))
    rlx_eval_report(&s->e, RLX_DIAG_ID(WITH_UNSUPPORTED), head, "");
  if (is_dataflow && s->in_dataflow)
    rlx_eval_report(&s->e, RLX_DIAG_ID(DATAFLOW_CONTROL), head, "s", "another dataflow block");
  rlx_sweep_finish(s, unit);
  if (unit->is_dataflow_block != is_dataflow || unit->frame != before) {
    mark_suite(unit->body);
    s->is_idle = s->is_as_before =
        false; // names may leave the body that did not, and the other way round
  }
  unit->is_dataflow_block = is_dataflow;
}

static void sweep_with(RlxSweep *s, RlxAnalysis *unit) {
  if (unit->is_dirty || s->all || s->head_is_new || unit->is_volatile || reads_changed(s, unit))
    with_head(s, unit);
  if (!unit->body) return;
  const RlxWord outer = s->frame;
  const bool before = s->in_dataflow;
  const uint32_t mark = rlx_env_mark(s->env), leaving = s->leaving.count;
  s->frame = (RlxWord)unit->frame;
  s->in_dataflow |= unit->is_dataflow_block;
  rlx_sweep_suite(s, unit->body);
  if (unit->frame) rlx_env_restore(s->env, mark);
  if (unit->frame && !unit->is_dataflow_block) {
    rlx_sweep_keep_note(s, unit->body, s->file->analyzer->name_impure);
    rlx_sweep_keep_note(s, unit->body, s->file->analyzer->name_return);
  }
  s->in_dataflow = before;
  s->frame = outer;
  if (unit->is_dataflow_block) export_outputs(s, unit, leaving);
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
static bool knows_itself(RlxSweep *s, const RlxStmt *stmt) {
  if (rlx_eval_is_tlc(&s->e)) return true;
  rlx_vec_push(&s->e.reads, stmt->name);
  return !rlx_env_get(s->env, stmt->name) && calls_in(stmt->body, stmt->name);
}

/// A name around the function says what a decorator is, and so what the def in the function is: it
/// is looked at again when that changes.
static void note_decorators(RlxEval *e, const RlxStmt *def) {
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *ast = def->decorators[i];
    while (ast->kind == RLX_AST_CALL || ast->kind == RLX_AST_ATTRIBUTE) ast = ast->children[0];
    if (ast->kind == RLX_AST_NAME) rlx_note_read(e, ast->name, true);
  }
}

/// A definition that is no function of Relax: nothing is known of its name.
static void sweep_other_def(RlxSweep *s, RlxAnalysis *unit) {
  const RlxStmt *stmt = unit->stmt;
  RlxIslandKind kind;
  // tlc-pack's parser took a PrimFunc in a Relax function for a value of its own.
  if (!rlx_eval_is_tlc(&s->e) || !rlx_island_kind(s->file, stmt, &kind) ||
      kind != RLX_ISLAND_PRIM_FUNC)
    rlx_lower_statement(&s->e, unit);
  if (stmt->name)
    rlx_define(&s->e, stmt->name, rlx_value_unknown(stmt->name_span), stmt->name_span);
  rlx_sweep_finish(s, unit);
}

/// The variable that the local function is bound to; its StructInfo is what the signature says.
static RlxVar *local_function_var(RlxSweep *s, RlxAnalysis *unit) {
  const RlxStmt *stmt = unit->stmt;
  RlxVar *var = rlx_fn_var(s->fn, unit, stmt->name, false);
  var->is_dataflow = var->in_dataflow = s->in_dataflow;
  var->stmt = var->named_in = stmt;
  var->span = stmt->name_span;
  var->sinfo = unit->fn->function.sinfo;
  var->content = NULL;
  var->is_tainted = rlx_fn_is_open(unit->fn, false) ? RLX_OPEN : 0;
  return var;
}

/// The binding of the local function, which is analysed, to its variable.
static void bind_local_function(RlxSweep *s, const RlxAnalysis *unit, RlxVar *var) {
  RlxEval *e = &s->e;
  const RlxSpan head = rlx_span(0, unit->stmt->head_size);
  RlxExpr *value = rlx_expr_new(e, RLX_EXPR_FUNCTION, head, unit->fn->function.sinfo);
  value->function = &unit->fn->function;
  RlxBinding *binding = rlx_arena_one(e->arena, RlxBinding);
  binding->is_dataflow = s->in_dataflow;
  binding->var = var;
  binding->value = value;
  binding->deduced = value->sinfo;
  binding->stmt = unit->stmt;
  binding->span = head;
  rlx_vec_push(&e->vars, var);
  rlx_vec_push(&e->bindings, binding);
}

static void sweep_def(RlxSweep *s, RlxAnalysis *unit) {
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
  rlx_sweep_start(s, unit);
  RlxEval *e = &s->e;
  if (inner) rlx_fn_free(inner);
  unit->fn = NULL;
  note_decorators(e, stmt);
  if (!rlx_island_kind(s->file, stmt, &kind) || kind != RLX_ISLAND_RELAX) {
    sweep_other_def(s, unit);
    return;
  }
  if (stmt->is_async && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), stmt->name_span, "s", "`async def`");
  inner = unit->fn = rlx_fn_new(s->file, s->fn->module, s->fn, stmt, RLX_ISLAND_RELAX);
  inner->unit = unit;
  inner->is_declared_pure = rlx_decorator_flag(s->file, stmt, "pure", true);
  inner->outer_env = s->env;
  rlx_fn_signature(inner);
  RlxVar *var = local_function_var(s, unit);
  RlxExpr *self = rlx_expr_new(e, RLX_EXPR_VAR, stmt->name_span, var->sinfo);
  self->var = var;
  RlxDef own = {
      .name = stmt->name, .value = rlx_value_expr(self), .stmt = stmt, .span = stmt->name_span};
  uint32_t mark = rlx_env_mark(s->env);
  if (knows_itself(s, stmt)) rlx_env_put(s->env, stmt->name, &own);
  rlx_fn_analyze(inner, s->env, NULL);
  rlx_env_restore(s->env, mark);
  inner->outer_env = NULL;
  var->is_tainted = stmt->has_error || inner->header.diags.count ? RLX_FAILED // calls may be right
                    : rlx_fn_is_open(inner, true)                ? RLX_OPEN
                                                                 : 0;
  self->sinfo = var->sinfo = inner->function.sinfo;
  bind_local_function(s, unit, var);
  rlx_define(e, stmt->name, rlx_value_expr(self), stmt->name_span);
  for (uint32_t i = 0; i < inner->outer_reads.count; i++) {
    rlx_vec_push(&e->reads, inner->outer_reads.at[i]);
    rlx_vec_push(&e->outer_reads, inner->outer_reads.at[i]);
  }
  e->is_volatile |= inner->has_volatile || inner->header_volatile;
  rlx_sweep_finish(s, unit);
}

/// Units, their statements and results lie anywhere in memory: those that come next are fetched while
/// one is looked at, one step of the way at a time.
static void fetch_ahead(const RlxSweep *s, const RlxSuite *suite, uint32_t i) {
  enum { UNIT = 6, STMT = 4, VALUE = 2, LINE = 64, RESULTS = 6 * LINE };
  if (i + UNIT >= suite->units.count) return;
  const char *unit = (const char *)suite->units.at[i + UNIT];
  const size_t looked_at = s->is_idle ? LINE : offsetof(RlxAnalysis, body);
  for (size_t k = 0; k < looked_at; k += LINE) __builtin_prefetch(unit + k);
  if (!s->evaluates) return;
  const RlxAnalysis *next = suite->units.at[i + STMT];
  for (size_t k = 0; k < sizeof(RlxStmt); k += LINE)
    __builtin_prefetch((const char *)next->stmt + k);
  __builtin_prefetch(next->arena, 1);
  __builtin_prefetch(next->own.thing, 1);
  const char *results = (const char *)next->bindings; // made last: the rest stands before them
  for (size_t k = 0; results && k < RESULTS; k += LINE) __builtin_prefetch(results - k, 1);
  const RlxStmt *stmt = suite->units.at[i + VALUE]->stmt;
  __builtin_prefetch(stmt->value);
  __builtin_prefetch(stmt->arena);
}

void rlx_sweep_suite(RlxSweep *s, RlxSuite *suite) {
  suite->diag_count = 0;
  rlx_vec_clear(&suite->reported);
  rlx_vec_clear(&suite->compound);
  rlx_vec_clear(&suite->leaving);
  suite->is_broken = false;
  for (uint32_t i = 0; i < suite->units.count && !s->cancelled; i++) {
    RlxAnalysis *unit = suite->units.at[i];
    fetch_ahead(s, suite, i);
    if (s->is_idle && unit->is_plain) {
      rlx_suite_note_calm(suite, i);
      i = rlx_suite_next_restless(suite, i + 1) - 1;
      continue;
    }
    if (s->is_as_before && unit->is_plain && !unit->is_dirty) { // its definition is all of it
      rlx_suite_note_calm(suite, i);
      rlx_env_put_known(s->env, &unit->own, unit->defs);
      continue;
    }
    if ((++s->visited & 63) == 0 && s->cancel &&
        atomic_load_explicit(s->cancel, memory_order_relaxed)) {
      s->cancelled = true;
      return;
    }
    switch ((RlxAnalysisKind)unit->kind) {
    case RLX_UNIT_IF: rlx_sweep_if(s, unit); break;
    case RLX_UNIT_WITH: sweep_with(s, unit); break;
    case RLX_UNIT_DEF: sweep_def(s, unit); break;
    case RLX_UNIT_SIMPLE:
    case RLX_UNIT_ISLAND:
    case RLX_UNIT_CLASS: sweep_simple(s, unit); break;
    }
    rlx_suite_note_calm(suite, i);
    if (unit->kind == RLX_UNIT_IF || unit->kind == RLX_UNIT_WITH)
      rlx_vec_push(&suite->compound, unit);
    if (unit->may_leave) rlx_vec_push(&suite->leaving, unit);
    suite->is_broken |= unit->has_error || (unit->is_output && (unit->is_tainted & RLX_FAILED));
    uint32_t before = suite->diag_count;
    suite->diag_count += unit->diag_count + (unit->body ? unit->body->diag_count : 0) +
                         (unit->orelse ? unit->orelse->diag_count : 0);
    if (unit->fn && unit->fn->body)
      suite->diag_count +=
          unit->fn->body->diag_count + unit->fn->header.diags.count + unit->fn->end.diags.count;
    if (suite->diag_count != before) rlx_vec_push(&suite->reported, unit);
  }
}

static void start_sweep(RlxSweep *s) {
  RlxFn *fn = s->fn;
  s->e.sink = &s->sink;
  s->e.env = s->env;
  s->all = fn->all_dirty;
  s->head_is_new = fn->head_is_new;
  s->has_one = s->is_as_before = rlx_has_one_to_evaluate(fn);
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

static void note_outer_reads(const RlxSuite *suite, RlxMap *out) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    for (uint32_t k = 0; k < unit->outer_read_count; k++) rlx_map_put(out, unit->outer_reads[k], 1);
    note_outer_reads(unit->body, out);
    note_outer_reads(unit->orelse, out);
  }
}

static void note_names(const RlxAst *ast, RlxMap *out) {
  if (ast->kind == RLX_AST_NAME) rlx_map_put(out, ast->name, 1);
  for (uint32_t i = 0; i < ast->child_count; i++) note_names(ast->children[i], out);
}

/// Forgets outer names that no statement and no decorator reads any more, when they may be most of those that are kept: else a
/// function would know each that it ever read, and ask after them at each edit.
static void forget_outer_reads(RlxFn *fn) {
  enum { FEW = 64 };
  RlxMap read = {0};
  uint32_t kept = fn->header_read_count;
  if (fn->outer_reads.count <= kept + FEW + 2 * fn->outer_reads_kept) return;
  note_outer_reads(fn->body, &read);
  for (uint32_t i = 0; i < fn->stmt->decorator_count; i++)
    note_names(fn->stmt->decorators[i], &read);
  for (uint32_t i = kept; i < fn->outer_reads.count; i++)
    if (rlx_map_remove(&read, fn->outer_reads.at[i]))
      fn->outer_reads.at[kept++] = fn->outer_reads.at[i];
  fn->outer_reads.count = kept;
  fn->outer_reads_kept = kept - fn->header_read_count;
  rlx_map_free(&read);
}

bool rlx_fn_sweep(RlxFn *fn, RlxEnv *env, const atomic_bool *cancel) {
  RlxSweep s = {.fn = fn, .file = fn->file, .env = env, .cancel = cancel};
  rlx_eval_init(&s.e, fn->file, fn, fn->stmt, NULL, &s.sink);
  rlx_facts_open(fn->file->store);
  start_sweep(&s);
  const uint64_t bare_key = rlx_sweep_bare_key(&s);
  s.keeps_bare = bare_key && bare_key == fn->bare_key;
  rlx_sweep_suite(&s, fn->body);
  if (!s.cancelled) forget_outer_reads(fn);
  fn->bare_key = s.cancelled || !(s.all || s.keeps_bare) ? 0 : rlx_sweep_bare_key(&s);
  env->facts = s.facts;
  fn->lost = 0;
  rlx_facts_close(fn->file->store);
  rlx_eval_deinit(&s.e);
  rlx_vec_free(&s.sink.diags);
  rlx_vec_free(&s.leaving);
  rlx_listed_free(&s.outer_reads);
  return !s.cancelled;
}
