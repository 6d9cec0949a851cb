/// Regions for blocks that declare none, as TVM's parser completes them. What cannot be told (an
/// index that is no integer expression, opaque accesses) is left undeclared.
#include <string.h>

#include "analyzer/tir/blocks.h"

typedef struct Completion {
  const RlxTirAnalysis *a;
  RlxPrimFunc *f;
  Vec(RlxTirVar *) vars; // all that occur
  bool *is_noted;        // by a variable's id
} Completion;

static void note_var(Completion *c, RlxTirVar *var) {
  if (var->id >= c->f->var_count || c->is_noted[var->id]) return; // all of `f` are below
  c->is_noted[var->id] = true;
  rlx_vec_push(&c->vars, var);
}

static void note_expr(Completion *c, const RlxTirExpr *e) {
  if (!e) return;
  if (e->kind == RLX_TIR_VAR || e->kind == RLX_TIR_LET) note_var(c, e->var);
  for (int i = 0; i < e->arg_count; i++) note_expr(c, e->args[i]);
}

static void note_vars(Completion *c, const RlxTirStmt *s) {
  if (!s) return;
  const RlxTirBlock *b = s->block;
  for (int i = 0; b && i < b->iter_count; i++) {
    note_var(c, b->iters[i].var);
    note_expr(c, b->iters[i].binding);
    note_expr(c, b->iters[i].extent);
  }
  if (s->var) note_var(c, s->var);
  note_expr(c, s->extent);
  note_expr(c, s->value);
  note_expr(c, s->cond);
  for (int i = 0; s->kind == RLX_TIR_STORE && i < s->buffer->ndim; i++) note_expr(c, s->indices[i]);
  for (uint32_t i = 0; i < s->count; i++) note_vars(c, s->body[i]);
  note_vars(c, s->init);
}

static RlxTirVar *var_of(const RlxSymVar *symbol, void *data) {
  const Completion *c = data;
  for (uint32_t i = 0; i < c->vars.count; i++)
    if (rlx_tir_symbol(c->a->store, c->vars.at[i]) == symbol) return c->vars.at[i];
  return NULL;
}

static bool has_hole(const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_HOLE) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (has_hole(e->args[i])) return true;
  return false;
}

/// The indices of an access of `buffer`, the first in the block that is `read`; NULL: none.
static RlxTirExpr *const *loaded(const RlxTirExpr *e, const RlxTirBuffer *buffer) {
  if (!e) return NULL;
  if (e->kind == RLX_TIR_LOAD && e->buffer == buffer) return e->args;
  RlxTirExpr *const *found = NULL;
  for (int i = 0; i < e->arg_count && !found; i++) found = loaded(e->args[i], buffer);
  return found;
}

static RlxTirExpr *const *accessed(const RlxTirStmt *s, const RlxTirBuffer *buffer, bool read) {
  if (!s) return NULL;
  RlxTirExpr *const *found = accessed(s->init, buffer, read);
  if (!read && s->kind == RLX_TIR_STORE && s->buffer == buffer) return s->indices;
  if (read && !found) found = loaded(s->value, buffer);
  if (read && !found) found = loaded(s->cond, buffer);
  for (uint32_t i = 0; i < s->count && !found; i++) found = accessed(s->body[i], buffer, read);
  return found;
}

/// The region of a box, in the script's own indices where these are points of it.
static bool region_of(Completion *c, const RlxTirStmt *block, const RlxTirBox *box, bool read,
                      RlxTirRegion *out) {
  RlxStore *store = c->a->store;
  RlxTirExpr *const *own = accessed(block, box->buffer, read);
  int ndim = box->buffer->ndim;
  *out = (RlxTirRegion){.buffer = box->buffer};
  out->begin = rlx_arena_array(c->f->arena, RlxTirExpr *, ndim + 1);
  out->extent = rlx_arena_array(c->f->arena, RlxTirExpr *, ndim + 1);
  for (int d = 0; d < ndim; d++) {
    if (!box->begin[d] || !box->extent[d]) return false;
    const RlxPrim *index = own ? rlx_tir_integer(store, own[d]) : NULL;
    bool is_own =
        index && rlx_prim_simplify(store, index) == rlx_prim_simplify(store, box->begin[d]);
    out->begin[d] = is_own ? own[d] : rlx_tir_from_prim(c->f, box->begin[d], var_of, c);
    out->extent[d] = rlx_tir_from_prim(c->f, box->extent[d], var_of, c);
    if (!out->begin[d] || !out->extent[d] || has_hole(out->begin[d]) || has_hole(out->extent[d]))
      return false;
  }
  return true;
}

static void complete(Completion *c, const RlxTirStmt *stmt, const RlxTirBoxes *boxes, bool read) {
  RlxTirRegion *regions = rlx_arena_array(c->f->arena, RlxTirRegion, boxes->count + 1);
  for (int i = 0; i < boxes->count; i++)
    if (!region_of(c, stmt, &boxes->at[i], read, &regions[i])) return;
  if (read)
    stmt->block->reads = regions, stmt->block->read_count = boxes->count;
  else
    stmt->block->writes = regions, stmt->block->write_count = boxes->count;
}

static bool is_incomplete(const RlxTirStmt *s) {
  if (!s) return false;
  if (s->block && (s->block->read_count < 0 || s->block->write_count < 0)) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (is_incomplete(s->body[i])) return true;
  return is_incomplete(s->init);
}

void rlx_primfunc_complete(RlxStore *store, RlxPrimFunc *f) {
  rlx_primfunc_complete_after(store, f, NULL);
}

void rlx_primfunc_complete_after(RlxStore *store, RlxPrimFunc *f, const RlxTirAnalysis *before) {
  if (!is_incomplete(f->body)) return;
  RlxArena *arena = rlx_arena_new();
  Completion c = {.a = rlx_tir_analyze_after(store, f, arena, NULL, before),
                  .f = f,
                  .is_noted = rlx_arena_array(arena, bool, f->var_count + 1)};
  for (int i = 0; i < f->param_count; i++) note_var(&c, f->params[i].var);
  note_vars(&c, f->body);
  for (int i = 0; i < c.a->block_count; i++) {
    const RlxTirBlockInfo *block = &c.a->blocks[i];
    if (!block->stmt || block->has_opaque) continue;
    bool lacks_reads = block->block->read_count < 0, lacks_writes = block->block->write_count < 0;
    if (lacks_reads) complete(&c, block->stmt, &block->deduced_reads, true);
    if (lacks_writes) complete(&c, block->stmt, &block->deduced_writes, false);
  }
  rlx_vec_free(&c.vars);
  rlx_arena_free(arena);
}
