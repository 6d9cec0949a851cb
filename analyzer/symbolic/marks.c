/// Which symbolic variables are dimensions: marks that statements make, and their log.
#include "analyzer/symbolic/marks.h"

#include "analyzer/symbolic/store_inside.h"
#include "base/hash.h"

static RlxSymVar *mutable(const RlxSymVar *var) { return (RlxSymVar *)(uintptr_t)var; }

static bool is_swept(const RlxMarkLog *marks, uint64_t scope) {
  for (uint32_t i = marks->scopes.count; i-- > 0;)
    if (marks->scopes.at[i] == scope) return true;
  return false;
}

static void next_state(RlxMarkLog *marks) {
  if (++marks->state == 0) marks->state = 1;
}

static void set(RlxMarkLog *marks, const RlxSymVar *var, bool is_dimension) {
  if (var->is_dimension == is_dimension) return;
  mutable(var)->is_dimension = is_dimension;
  next_state(marks);
}

static void mark(RlxMarkLog *marks, const RlxSymVar *var) {
  const bool is_new = !var->is_dimension;
  if (!is_new && var->logged == marks->statement) return;
  const RlxMark entry = {var, is_new};
  rlx_vec_push(&marks->log, entry);
  mutable(var)->logged = marks->statement;
  if (is_new) marks->hash = rlx_hash_mix(marks->hash, rlx_hash_ptr(var));
  set(marks, var, true);
}

void rlx_prim_mark_dimension(RlxStore *store, const RlxPrim *p) {
  if (p->kind != RLX_PRIM_VAR || p->var->is_for_good) return;
  if (is_swept(&store->marks, p->var->scope)) {
    mark(&store->marks, p->var);
    return;
  }
  mutable(p->var)->is_for_good = true;
  set(&store->marks, p->var, true);
}

void rlx_marks_forget(RlxStore *store, RlxMarked *marked) {
  for (uint32_t i = 0; i < marked->count; i++) {
    if (marked->at[i]->is_for_good) continue;
    set(&store->marks, marked->at[i], false);
    mutable(marked->at[i])->logged = 0;
  }
  rlx_vec_clear(marked);
}

RlxMarkSweep rlx_marks_enter(RlxStore *store, uint64_t scope, RlxMarked *marked) {
  RlxMarkLog *marks = &store->marks;
  const RlxMarkSweep before = {marks->log.count, marks->hash};
  rlx_vec_push(&marks->scopes, scope);
  if (!marked) return before;
  rlx_marks_forget(store, marked);
  marks->hash = 0;
  return before;
}

void rlx_marks_leave(RlxStore *store, RlxMarkSweep before, RlxMarked *marked) {
  RlxMarkLog *marks = &store->marks;
  marks->scopes.count--;
  if (!marked) return; // the log is that of the statement around
  for (uint32_t i = before.log; i < marks->log.count; i++)
    if (marks->log.at[i].is_new) rlx_vec_push(marked, marks->log.at[i].var);
  marks->log.count = before.log;
  marks->hash = before.hash;
}

uint32_t rlx_marks_statement(RlxStore *store) {
  store->marks.statement++;
  return store->marks.log.count;
}

const RlxSymVar **rlx_marks_of(RlxStore *store, uint32_t since, RlxArena *arena, uint32_t *count) {
  RlxMarkLog *marks = &store->marks;
  *count = 0;
  if (marks->log.count == since) return NULL;
  const RlxSymVar **vars = rlx_arena_array(arena, const RlxSymVar *, marks->log.count - since);
  marks->statement++; // inner statements logged in their own names: each variable once
  for (uint32_t i = since; i < marks->log.count; i++) {
    const RlxSymVar *var = marks->log.at[i].var;
    if (var->logged == marks->statement) continue;
    mutable(var)->logged = marks->statement;
    vars[(*count)++] = var;
  }
  return vars;
}

void rlx_marks_again(RlxStore *store, const RlxSymVar *const *vars, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!vars[i]->is_dimension) mark(&store->marks, vars[i]);
}

uint64_t rlx_marks_hash(const RlxStore *store) { return store->marks.hash; }

uint64_t rlx_marks_reads(const RlxStore *store) { return store->marks.reads; }
