/// Expressions, domains and regions as primitives need them: between trees and symbolic integers,
/// and what a block says of its buffers.
#include "analyzer/schedule/domain.h"

// ---- between trees and symbolic integers

void rlx_schedule_vars_add(RlxScheduleVars *vars, RlxTirVar *var) {
  enum { FEW = 16 };
  const uint32_t count = vars->seen.count;
  for (uint32_t i = 0; count <= FEW && i < count; i++)
    if (vars->seen.at[i] == var) return;
  for (uint32_t i = 0; count == FEW && i < count; i++)
    rlx_map_put_ptr(&vars->known, vars->seen.at[i], vars);
  if (count >= FEW && !rlx_map_put_ptr(&vars->known, var, vars)) return;
  rlx_vec_push(&vars->seen, var);
}

void rlx_schedule_vars_free(RlxScheduleVars *vars) {
  rlx_vec_free(&vars->seen);
  rlx_map_free(&vars->known);
}

static bool add_var(const RlxTirExpr *e, void *data) {
  if (e->kind == RLX_TIR_VAR) rlx_schedule_vars_add(data, e->var);
  return true;
}

void rlx_schedule_vars_of(RlxScheduleVars *vars, const RlxTirExpr *e) {
  rlx_tir_visit_expr(e, add_var, vars);
}

static bool add_vars_of(const RlxTirStmt *s, void *data) {
  if (s->var) rlx_schedule_vars_add(data, s->var);
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->iter_count; i++)
    rlx_schedule_vars_add(data, s->block->iters[i].var);
  return true;
}

void rlx_schedule_vars_params(RlxScheduleVars *vars) {
  const RlxPrimFunc *f = vars->c->f;
  for (int i = 0; i < f->param_count; i++) {
    const RlxTirParam *p = &f->params[i];
    if (!p->buffer)
      rlx_schedule_vars_add(vars, p->var);
    else
      for (int d = 0; d < p->buffer->ndim; d++) rlx_schedule_vars_of(vars, p->buffer->shape[d]);
  }
}

void rlx_schedule_vars_all(RlxScheduleVars *vars) {
  rlx_schedule_vars_params(vars);
  rlx_tir_visit(vars->c->f->body, add_vars_of, add_var, vars);
}

static RlxTirVar *var_of(const RlxSymVar *symbol, void *data) {
  const RlxScheduleVars *vars = data;
  for (uint32_t i = 0; i < vars->seen.count; i++)
    if (rlx_tir_symbol(vars->c->s->store, vars->seen.at[i]) == symbol) return vars->seen.at[i];
  return NULL;
}

RlxTirExpr *rlx_schedule_expr(RlxScheduleVars *vars, const RlxPrim *p) {
  RlxPrimFunc *f = vars->c->f;
  bool had_holes = f->has_holes;
  f->has_holes = false;
  RlxTirExpr *out = p ? rlx_tir_from_prim(f, p, var_of, vars) : NULL;
  bool is_whole = !f->has_holes;
  f->has_holes = had_holes;
  return is_whole ? out : NULL;
}

typedef struct Use {
  const RlxTirVar *var;
  bool found;
} Use;

static bool is_var(const RlxTirExpr *e, void *data) {
  Use *u = data;
  u->found |= e->kind == RLX_TIR_VAR && e->var == u->var;
  return !u->found;
}

bool rlx_schedule_uses(const RlxTirExpr *e, const RlxTirVar *var) {
  Use u = {var, false};
  rlx_tir_visit_expr(e, is_var, &u);
  return u.found;
}

// ---- domains

RlxLoopRange *rlx_schedule_domain_ranges(RlxScheduleCall *c, const RlxTirBlock *b) {
  RlxStore *store = c->s->store;
  RlxLoopRange *out = rlx_arena_array(c->s->arena, RlxLoopRange, b->iter_count + 1);
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterVar *v = &b->iters[i];
    out[i].var = rlx_tir_symbol(store, v->var);
    out[i].min =
        v->min ? rlx_tir_integer(store, v->min) : rlx_prim_int_typed(store, 0, v->var->dtype);
    out[i].extent = rlx_tir_integer(store, v->extent);
    if (!out[i].min || !out[i].extent) return NULL;
  }
  return out;
}

static const RlxFacts *with(RlxScheduleCall *c, const RlxFacts *next, const RlxPrim *condition) {
  RlxFacts *out = rlx_arena_one(c->s->arena, RlxFacts);
  *out = (RlxFacts){next, condition, NULL};
  return out;
}

const RlxFacts *rlx_schedule_domain_facts(RlxScheduleCall *c, const RlxFacts *facts,
                                          const RlxTirBlock *b) {
  RlxStore *store = c->s->store;
  const RlxLoopRange *ranges = rlx_schedule_domain_ranges(c, b);
  for (int i = 0; ranges && i < b->iter_count; i++) {
    const RlxPrim *var = rlx_prim_var(store, ranges[i].var);
    const RlxPrim *end = rlx_prim_add(store, ranges[i].min, ranges[i].extent);
    facts = with(c, facts, rlx_prim_binary(store, RLX_PRIM_LE, ranges[i].min, var));
    facts = with(c, facts, rlx_prim_binary(store, RLX_PRIM_LT, var, end));
  }
  return facts;
}

bool rlx_schedule_is_index(RlxScheduleCall *c, const RlxTirIterVar *v) {
  RlxStore *store = c->s->store;
  const RlxPrim *first = v->min ? rlx_tir_integer(store, v->min) : NULL;
  if (!v->min || !first) return !v->min;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxFacts *facts = NULL;
  for (int l = 0; l < a->loop_count; l++) {
    const RlxTirLoopInfo *loop = &a->loops[l];
    if (loop->min && loop->extent && rlx_schedule_uses(v->min, loop->stmt->var))
      facts = rlx_schedule_range_facts(c, loop->symbol, loop->min, loop->extent, facts);
  }
  const RlxPrim *zero = rlx_prim_int_typed(store, 0, first->dtype);
  return rlx_prove_less_equal(store, facts, zero, first) == RLX_YES;
}

// ---- buffers

static bool has_region(const RlxTirRegion *at, int count, const RlxTirBuffer *buffer) {
  for (int i = 0; i < count; i++)
    if (at[i].buffer == buffer) return true;
  return false;
}

bool rlx_schedule_mentions_buffer(const RlxTirBlock *b, const RlxTirBuffer *buffer) {
  return has_region(b->reads, b->read_count, buffer) ||
         has_region(b->writes, b->write_count, buffer);
}

typedef struct Opaque {
  const RlxTirBuffer *buffer;
  bool found;
} Opaque;

/// Is `b` a view of the buffer, or of a view of it?
static bool looks_into(const RlxTirBuffer *b, const RlxTirBuffer *buffer) {
  while (b->view_of && b->view_of != buffer) b = b->view_of;
  return b->view_of;
}

static bool is_pointer(const RlxTirExpr *e, void *data) {
  Opaque *o = data;
  if (e->kind == RLX_TIR_VAR && o->buffer->data && e->var == o->buffer->data) o->found = true;
  if (e->kind == RLX_TIR_ADDRESS_OF && e->args[0]->kind == RLX_TIR_LOAD &&
      e->args[0]->buffer == o->buffer)
    o->found = true;
  if (e->kind == RLX_TIR_LOAD && looks_into(e->buffer, o->buffer)) o->found = true;
  return !o->found;
}

static bool is_view(const RlxTirStmt *s, void *data) {
  Opaque *o = data;
  if (s->buffer && looks_into(s->buffer, o->buffer)) o->found = true;
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->match_count; i++)
    o->found |= looks_into(s->block->matches[i], o->buffer);
  return !o->found;
}

bool rlx_schedule_is_opaque(const RlxTirStmt *s, const RlxTirBuffer *buffer) {
  Opaque o = {buffer, false};
  rlx_tir_visit(s, is_view, is_pointer, &o);
  return o.found;
}

const RlxTirBlockInfo *rlx_schedule_silent_user(RlxScheduleCall *c, const RlxTirBlockInfo *scope,
                                                const RlxTirBuffer *buffer) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  for (int i = 0; i < scope->child_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[scope->children[i]];
    if (b->has_opaque && !b->has_declared_writes && !rlx_tir_box_of(&b->writes, buffer) &&
        rlx_schedule_is_opaque(b->stmt, buffer))
      return b;
  }
  return NULL;
}

typedef struct Alias {
  const RlxTirStmt *in;
  const RlxTirBuffer *buffer, *view; ///< view: looked for among those that blocks of `in` declare
  bool is_declared, found;
} Alias;

static bool declares_view(const RlxTirStmt *s, void *data) {
  Alias *a = data;
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->match_count; i++)
    a->is_declared |= s->block->matches[i] == a->view;
  return !a->is_declared;
}

static void note_use(Alias *a, const RlxTirBuffer *used) {
  const RlxTirBuffer *view = used, *root = a->buffer;
  if (used == a->buffer) return;
  while (view->view_of && view->view_of != a->buffer) view = view->view_of;
  while (root->view_of) root = root->view_of;
  if (!view->view_of) {
    a->found |= view == root;
    return;
  }
  a->view = view;
  a->is_declared = false;
  rlx_tir_visit(a->in, declares_view, NULL, a);
  a->found |= !a->is_declared;
}

static bool loads_alias(const RlxTirExpr *e, void *data) {
  Alias *a = data;
  if (e->kind == RLX_TIR_LOAD) note_use(a, e->buffer);
  return !a->found;
}

static bool stores_alias(const RlxTirStmt *s, void *data) {
  Alias *a = data;
  if (s->buffer) note_use(a, s->buffer);
  return !a->found;
}

bool rlx_schedule_is_aliased(const RlxTirStmt *s, const RlxTirBuffer *buffer) {
  Alias a = {.in = s, .buffer = buffer};
  rlx_tir_visit(s, stores_alias, loads_alias, &a);
  return a.found;
}

static bool is_load(const RlxTirExpr *e, void *data) {
  Opaque *o = data;
  if (e->kind == RLX_TIR_LOAD && e->buffer == o->buffer) o->found = true;
  return !o->found;
}

static bool is_store(const RlxTirStmt *s, void *data) {
  Opaque *o = data;
  if (s->kind == RLX_TIR_STORE && s->buffer == o->buffer) o->found = true;
  return !o->found;
}

bool rlx_schedule_loads(const RlxTirExpr *e, const RlxTirBuffer *buffer) {
  Opaque o = {buffer, false};
  rlx_tir_visit_expr(e, is_load, &o);
  return o.found;
}

bool rlx_schedule_loads_in(const RlxTirStmt *s, const RlxTirBuffer *buffer) {
  Opaque o = {buffer, false};
  rlx_tir_visit(s, NULL, is_load, &o);
  return o.found;
}

static bool indexes_load(const RlxTirExpr *e, void *data) {
  Opaque *o = data;
  for (int i = 0; e->kind == RLX_TIR_LOAD && i < e->arg_count; i++)
    o->found |= rlx_schedule_loads(e->args[i], o->buffer);
  return !o->found;
}

static bool indexes_store(const RlxTirStmt *s, void *data) {
  Opaque *o = data;
  for (int i = 0; s->kind == RLX_TIR_STORE && i < s->buffer->ndim; i++)
    o->found |= rlx_schedule_loads(s->indices[i], o->buffer);
  return !o->found;
}

bool rlx_schedule_is_index_of(const RlxTirStmt *s, const RlxTirBuffer *buffer) {
  Opaque o = {buffer, false};
  rlx_tir_visit(s, indexes_store, indexes_load, &o);
  return o.found;
}

bool rlx_schedule_touches(const RlxTirStmt *s, const RlxTirBuffer *buffer) {
  Opaque o = {buffer, false};
  rlx_tir_visit(s, is_store, is_load, &o);
  return o.found || rlx_schedule_is_opaque(s, buffer);
}

static const RlxTirStmt *only_of(const RlxTirStmt *s) {
  if (s->kind == RLX_TIR_STORE) return s;
  const RlxTirStmt *out = NULL;
  for (uint32_t i = 0; s->kind == RLX_TIR_SEQ && i < s->count; i++) {
    if (s->body[i]->kind == RLX_TIR_NOP) continue;
    if (out) return NULL;
    out = only_of(s->body[i]);
    if (!out) return NULL;
  }
  return out;
}

const RlxTirStmt *rlx_schedule_only_store(const RlxTirStmt *block) {
  return block->count == 1 ? only_of(block->body[0]) : NULL;
}

RlxTirStmt *rlx_schedule_forget_regions(RlxScheduleCall *c, RlxTirStmt *s) {
  RlxTirStmt *out = rlx_tir_copy_block(c->f, s);
  out->block->reads = out->block->writes = NULL;
  out->block->read_count = out->block->write_count = -1;
  out->block->reads_span = out->block->writes_span = rlx_span(0, 0);
  rlx_schedule_moved(c, s, out);
  return out;
}
