/// Units (the analysis of one statement), suites (the units of one block), functions and modules:
/// making, emptying, freeing. Always true: a variable never dies with its unit: it goes to the
/// function's orphans, where the next definition of the same name finds it again.
#include <stdlib.h>
#include <string.h>

#include "analyzer/state/state.h"
#include "analyzer/words/spell.h"
#include "base/hash.h"
#include "base/mem.h"

/// `z = R.output(y)`.
static bool is_named_output(const RlxStore *store, const RlxStmt *stmt) {
  bool binds = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED;
  return binds && stmt->value && stmt->value->kind == RLX_AST_CALL &&
         strncmp(rlx_ast_last_name(store, stmt->value), "output", 6) == 0;
}

void rlx_analysis_note_kind(RlxFile *file, RlxAnalysis *unit) {
  const RlxStmt *stmt = unit->stmt;
  unit->may_leave = stmt->kind == RLX_STMT_EXPR || stmt->kind == RLX_STMT_RETURN ||
                    is_named_output(file->store, stmt);
}

RlxAnalysis *rlx_analysis_new(RlxFile *file, RlxStmt *stmt, RlxFn *owner, RlxAnalysisKind kind) {
  RlxAnalysis *old = stmt->analysis; // of a def or class that stands elsewhere now
  if (old && (old->kind == RLX_UNIT_ISLAND || old->kind == RLX_UNIT_CLASS)) rlx_analysis_free(old);
  RlxAnalysis *unit = rlx_mem_zeroed(1, sizeof *unit);
  unit->stmt = stmt;
  unit->owner = owner;
  unit->kind = (uint8_t)kind;
  unit->is_dirty = true;
  unit->has_error = stmt->has_error || stmt->kind == RLX_STMT_HOLE;
  rlx_analysis_note_kind(file, unit);
  stmt->analysis = unit;
  return unit;
}

void rlx_analysis_clear(RlxAnalysis *unit) {
  if (unit->owner) {
    rlx_use_mark_forget(unit);
    if (unit->is_analyzed) {
      unit->owner->lost++;
      unit->owner->lost_own = unit->is_plain ? unit->own : (RlxRead){0};
    }
    for (uint32_t i = 0; i < unit->var_count; i++)
      rlx_vec_push(&unit->owner->orphans, unit->vars[i]);
  }
  rlx_arena_free(unit->arena);
  unit->arena = NULL;
  unit->bindings = NULL, unit->diags = NULL, unit->reads = NULL, unit->outer_reads = NULL,
  unit->defs = NULL, unit->vars = NULL;
  unit->binding_count = unit->diag_count = unit->read_count = unit->outer_read_count =
      unit->def_count = unit->var_count = 0;
  unit->facts = NULL;
  unit->fact_count = 0;
  unit->asks = unit->asks_marks = false;
  unit->marks = NULL;
  unit->mark_count = 0;
  unit->branch = NULL;
  unit->result = NULL;
  unit->has_own = false;
  unit->is_plain = unit->is_analyzed = unit->is_impure = unit->is_volatile = false;
  unit->is_tainted = 0;
  unit->is_dirty = true;
}

RlxSuite *rlx_suite_new(RlxBlock *block) {
  RlxSuite *suite = rlx_mem_zeroed(1, sizeof *suite);
  suite->block = block;
  return suite;
}

void rlx_suite_free(RlxSuite *suite) {
  if (!suite) return;
  for (uint32_t i = 0; i < suite->units.count; i++)
    if (suite->units.at[i]) rlx_analysis_free(suite->units.at[i]);
  rlx_vec_free(&suite->units);
  rlx_vec_free(&suite->reported);
  rlx_vec_free(&suite->compound);
  rlx_vec_free(&suite->leaving);
  rlx_vec_free(&suite->said);
  rlx_vec_free(&suite->calm);
  free(suite);
}

void rlx_analysis_forget_reading(const RlxAnalysis *unit) {
  if (!unit->has_reading || !unit->stmt || !unit->stmt->reading) return;
  const RlxStmt *reading = unit->stmt->reading;
  while (!reading->has_error) reading = reading->reading;
  if (unit->owner)
    unit->owner->file->stats.reread_statements +=
        unit->stmt->value != reading->value || unit->stmt->targets != reading->targets;
  rlx_stmt_take_reading(unit->stmt, reading);
}

void rlx_analysis_free(RlxAnalysis *unit) {
  rlx_analysis_forget_reading(unit);
  rlx_analysis_clear(unit);
  rlx_suite_free(unit->body);
  rlx_suite_free(unit->orelse);
  if (unit->fn) rlx_fn_free(unit->fn);
  if (unit->module) rlx_module_free(unit->module);
  if (unit->stmt) unit->stmt->analysis = NULL;
  free(unit);
}

static RlxAnalysisKind kind_of(const RlxStmt *stmt) {
  switch ((RlxStmtKind)stmt->kind) {
  case RLX_STMT_IF: return RLX_UNIT_IF;
  case RLX_STMT_WITH: return RLX_UNIT_WITH;
  case RLX_STMT_DEF: return RLX_UNIT_DEF;
  case RLX_STMT_HOLE:
  case RLX_STMT_EXPR:
  case RLX_STMT_ASSIGN:
  case RLX_STMT_ANNOTATED:
  case RLX_STMT_AUGMENTED:
  case RLX_STMT_RETURN:
  case RLX_STMT_ASSERT:
  case RLX_STMT_DELETE:
  case RLX_STMT_RAISE:
  case RLX_STMT_PASS:
  case RLX_STMT_BREAK:
  case RLX_STMT_CONTINUE:
  case RLX_STMT_IMPORT:
  case RLX_STMT_GLOBAL:
  case RLX_STMT_TYPE_ALIAS:
  case RLX_STMT_WHILE:
  case RLX_STMT_FOR:
  case RLX_STMT_TRY:
  case RLX_STMT_MATCH:
  case RLX_STMT_CLASS: break;
  }
  return RLX_UNIT_SIMPLE;
}

/// The suite of `block`: an `else` can come and go while its `if` stays.
static void follow_block(RlxSuite **suite, RlxBlock *block) {
  if (*suite && (*suite)->block == block) return;
  rlx_suite_free(*suite);
  *suite = block ? rlx_suite_new(block) : NULL;
}

/// The runs that lose statements, or get some, are to be looked at again.
static void note_said_gap(RlxSuite *suite, uint32_t index, uint32_t removed, uint32_t inserted) {
  uint32_t start = 0;
  for (uint32_t i = 0; i < suite->said.count && (removed || inserted); i++) {
    RlxSaidRun *run = &suite->said.at[i];
    const uint32_t end = start + run->count;
    const bool is_last = i + 1 == suite->said.count;
    start = end;
    if (index >= end && !is_last) continue;
    const uint32_t here = index >= end ? 0 : end - index, lost = removed < here ? removed : here;
    run->count = run->count - lost + inserted;
    run->is_known = false;
    index += lost;
    removed -= lost;
    inserted = 0;
  }
}

void rlx_suite_note_gap(RlxSuite *suite, uint32_t index, uint32_t removed, uint32_t inserted) {
  uint32_t from = suite->gap_from, to = suite->gap_to;
  if (from == to)
    from = to = index;
  else {
    from = from >= index + removed ? from - removed + inserted : from;
    to = to >= index + removed ? to - removed + inserted : to;
  }
  suite->was_shifted |= removed != 1 || inserted != 1;
  if (removed != inserted) rlx_vec_clear(&suite->calm);
  for (uint32_t i = index; i < index + inserted && i / 64 < suite->calm.count; i++)
    suite->calm.at[i / 64] &= ~(UINT64_C(1) << i % 64);
  suite->gap_from = from < index ? from : index;
  suite->gap_to = to > index + inserted ? to : index + inserted;
  note_said_gap(suite, index, removed, inserted);
}

bool rlx_unit_has_error(const RlxAnalysis *unit) {
  for (uint32_t i = 0; i < unit->diag_count; i++)
    if (unit->diags[i]->severity == RLX_ERROR) return true;
  return false;
}

void rlx_with_keep(RlxFile *file, RlxAnalysis *unit, const RlxStmt *heir) {
  if (!unit->body || unit->orelse) return;
  rlx_vec_push(&file->kept_withs,
               (RlxKeptWith){heir, unit->owner, unit->body, unit->is_dataflow_block, unit->frame});
  unit->body = NULL;
}

RlxSuite *rlx_with_kept(const RlxFile *file, const RlxBlock *block, RlxFn **out_owner) {
  for (uint32_t i = 0; i < file->kept_withs.count; i++) {
    if (file->kept_withs.at[i].body->block != block) continue;
    *out_owner = file->kept_withs.at[i].owner;
    return file->kept_withs.at[i].body;
  }
  return NULL;
}

void rlx_with_forget(RlxFile *file, const RlxStmt *heir, const RlxFn *owner) {
  for (uint32_t i = file->kept_withs.count; i-- > 0;) {
    const RlxKeptWith kept = file->kept_withs.at[i];
    if (kept.heir != heir && kept.owner != owner) continue;
    rlx_vec_remove_n(&file->kept_withs, i, 1);
    rlx_suite_free(kept.body);
  }
}

/// The unit of a `with` takes what was kept for it.
static void take_kept(RlxFile *file, RlxAnalysis *unit) {
  for (uint32_t i = 0; i < file->kept_withs.count; i++) {
    const RlxKeptWith kept = file->kept_withs.at[i];
    if (kept.heir != unit->stmt) continue;
    rlx_vec_remove_n(&file->kept_withs, i, 1);
    if (kept.owner != unit->owner || kept.body->block != unit->stmt->body) {
      rlx_suite_free(kept.body);
      return;
    }
    unit->body = kept.body;
    unit->body->was_built = false;
    unit->is_dataflow_block = kept.is_dataflow_block;
    unit->frame = kept.frame;
    return;
  }
}

static void build(RlxFile *file, RlxSuite *suite, RlxFn *owner, bool all) {
  RlxBlock *block = suite->block;
  all |= !suite->was_built || suite->units.count != block->count || suite->gap_to > block->count;
  suite->was_shifted |= all;
  if (all) rlx_vec_clear(&suite->calm);
  while (suite->units.count < block->count) rlx_vec_push(&suite->units, NULL);
  while (suite->units.count > block->count) {
    RlxAnalysis *last = rlx_vec_pop(&suite->units);
    if (last) rlx_analysis_free(last);
  }
  uint32_t to = all ? block->count : suite->gap_to;
  for (uint32_t i = all ? 0 : suite->gap_from; i < to; i++) {
    RlxStmt *stmt = block->stmts[i];
    RlxAnalysis *unit = suite->units.at[i];
    if (unit && unit->stmt != stmt) { // the block was made anew
      rlx_analysis_free(unit);
      unit = NULL;
    }
    if (!unit) {
      unit = suite->units.at[i] = rlx_analysis_new(file, stmt, owner, kind_of(stmt));
      if (unit->kind == RLX_UNIT_WITH) take_kept(file, unit);
    }
    if (unit->kind == RLX_UNIT_IF || unit->kind == RLX_UNIT_WITH) {
      follow_block(&unit->body, stmt->body);
      follow_block(&unit->orelse, stmt->orelse);
    }
    if (unit->body) build(file, unit->body, owner, all);
    if (unit->orelse) build(file, unit->orelse, owner, all);
  }
  suite->was_built = true;
  suite->gap_from = suite->gap_to = 0;
}

void rlx_suite_build(RlxFile *file, RlxSuite *suite, RlxFn *owner) {
  build(file, suite, owner, false);
}

// ---- functions and modules

/// A number for the symbolic variables of a function. It stays when the function is called otherwise,
/// and it is the old one when a function goes and comes back. Functions of one name have a chain of
/// them, of which a new one takes the first that is free.
static void take_scope_seed(RlxFn *fn) {
  RlxMap *seeds = &fn->file->scope_seeds;
  uint64_t seed = rlx_hash_mix(rlx_hash_mix(fn->file->serial, fn->module ? fn->module->name : 0),
                               fn->stmt->name);
  fn->first_seed = seed;
  rlx_map_get(seeds, seed, &seed);
  while (rlx_map_get(seeds, seed, NULL)) seed = rlx_hash_mix(seed, 1);
  rlx_map_put(seeds, seed, seed);
  rlx_map_put(seeds, fn->first_seed, seed);
  fn->scope_seed = seed;
}

static void give_scope_seed_back(const RlxFn *fn) {
  RlxMap *seeds = &fn->file->scope_seeds;
  rlx_map_remove(seeds, fn->scope_seed);
  if (rlx_map_get(seeds, fn->first_seed, NULL)) rlx_map_put(seeds, fn->first_seed, fn->first_seed);
}

RlxFn *rlx_fn_new(RlxFile *file, RlxModule *module, RlxFn *outer, RlxStmt *stmt,
                  RlxIslandKind kind) {
  RlxFn *fn = rlx_mem_zeroed(1, sizeof *fn);
  fn->file = file;
  fn->module = module;
  fn->outer = outer;
  fn->stmt = stmt;
  fn->kind = (uint8_t)kind;
  fn->var_arena = rlx_arena_new_sized(1024);
  if (!outer) take_scope_seed(fn);
  fn->is_dirty = fn->all_dirty = true;
  fn->function.name = stmt->name;
  fn->function.stmt = stmt;
  fn->is_declared_pure = fn->function.is_pure = true;
  fn->dialect = outer ? outer->dialect : RLX_DIALECT_025;
  return fn;
}

void rlx_fn_free(RlxFn *fn) {
  if (!fn->outer) {
    rlx_marks_forget(fn->file->store, &fn->marked);
    give_scope_seed_back(fn);
  }
  rlx_with_forget(fn->file, NULL, fn);
  rlx_suite_free(fn->body);
  rlx_arena_free(fn->arena);
  rlx_arena_free(fn->end_arena);
  rlx_arena_free(fn->var_arena);
  rlx_vec_free(&fn->orphans);
  rlx_vec_free(&fn->spare);
  rlx_vec_free(&fn->outputs);
  rlx_vec_free(&fn->params);
  rlx_map_free(&fn->param_index);
  rlx_map_free(&fn->param_vars);
  rlx_vec_free(&fn->outer_reads);
  rlx_vec_free(&fn->roots);
  rlx_vec_free(&fn->odd);
  rlx_vec_free(&fn->unused);
  rlx_vec_free(&fn->marked);
  rlx_vec_free(&fn->header.diags);
  rlx_vec_free(&fn->end.diags);
  rlx_map_free(&fn->orphan_index);
  if (fn->required) fn->free_required(fn->required);
  free(fn);
}

void rlx_module_free(RlxModule *module) {
  rlx_vec_free(&module->fns);
  rlx_vec_free(&module->vdevices);
  rlx_vec_free(&module->meshes);
  rlx_vec_free(&module->repeats);
  rlx_vec_free(&module->sink.diags);
  rlx_map_free(&module->by_name);
  rlx_vec_free(&module->siblings->by_start);
  rlx_vec_free(&module->siblings->by_end);
  free(module->siblings);
  rlx_map_free(&module->infos);
  rlx_arena_free(module->arena);
  free(module);
}

static void index_params(const RlxFn *of) {
  RlxFn *fn = (RlxFn *)(uintptr_t)of; // the index is made as far as it is asked for
  for (; fn->param_indexed < fn->params.count; fn->param_indexed++) {
    const RlxDef *def = &fn->params.at[fn->param_indexed];
    const RlxSymVar *var =
        def->value.kind == RLX_VALUE_PRIM ? rlx_prim_as_var(def->value.prim) : NULL;
    if (!rlx_map_get(&fn->param_index, def->name, NULL))
      rlx_map_put(&fn->param_index, def->name, fn->param_indexed + 1);
    if (var) rlx_map_put_ptr(&fn->param_vars, var, var);
  }
}

void rlx_fn_forget_params(RlxFn *fn) {
  rlx_map_clear(&fn->param_index);
  rlx_map_clear(&fn->param_vars);
  fn->param_indexed = 0;
}

bool rlx_fn_has_param_var(const RlxFn *fn, const RlxSymVar *var) {
  index_params(fn);
  return rlx_map_get(&fn->param_vars, (uintptr_t)var, NULL);
}

uint32_t rlx_fn_first_param(const RlxFn *fn, RlxName name) {
  index_params(fn);
  uint64_t place = 0;
  return rlx_map_get(&fn->param_index, name, &place) ? (uint32_t)place - 1 : fn->params.count;
}
