/// Do blocks see their own variables only? A block with variables does not mention the loops around it
/// but in its bindings and its predicate; one that does cannot be written as a script.
#include "analyzer/schedule/schedule_impl.h"

typedef struct Visible {
  uint32_t
      *depth; ///< by variable id: how many blocks with variables are around its loop, + 1; 0: none
  uint32_t count, now;
  const RlxTirVar *found;
  const RlxTirBlock *around, *blind; ///< the innermost block with variables; that of the use
} Visible;

static bool look_at_expr(const RlxTirExpr *e, void *data) {
  Visible *v = data;
  if (e->kind == RLX_TIR_VAR && e->var->id < v->count && v->depth[e->var->id] &&
      v->depth[e->var->id] <= v->now) {
    v->found = e->var;
    v->blind = v->around;
  }
  return !v->found;
}

static void look_at(Visible *v, const RlxTirExpr *e) {
  if (e) rlx_tir_visit_expr(e, look_at_expr, v);
}

static void look_at_regions(Visible *v, const RlxTirRegion *regions, int count) {
  for (int i = 0; i < count; i++)
    for (int d = 0; d < regions[i].buffer->ndim; d++) {
      look_at(v, regions[i].begin[d]);
      look_at(v, regions[i].extent[d]);
    }
}

static void look(Visible *v, const RlxTirStmt *s) {
  if (!s || v->found) return;
  uint32_t was = v->now;
  const RlxTirBlock *around = v->around;
  look_at(v, s->min);
  look_at(v, s->extent);
  look_at(v, s->cond);
  look_at(v, s->value);
  for (int d = 0; s->kind == RLX_TIR_STORE && d < s->buffer->ndim; d++) look_at(v, s->indices[d]);
  if (s->kind == RLX_TIR_FOR && s->var->id < v->count) v->depth[s->var->id] = was + 1;
  if (s->kind == RLX_TIR_BLOCK) {
    const RlxTirBlock *b = s->block;
    for (int i = 0; i < b->iter_count; i++) look_at(v, b->iters[i].binding);
    look_at(v, b->predicate);
    if (b->iter_count) {
      v->now++;
      v->around = b;
    }
    look_at_regions(v, b->reads, b->read_count);
    look_at_regions(v, b->writes, b->write_count);
  }
  look(v, s->init);
  for (uint32_t i = 0; i < s->count; i++) look(v, s->body[i]);
  v->now = was;
  v->around = around;
}

const RlxTirVar *rlx_schedule_hidden_loop(const RlxPrimFunc *f, const RlxTirBlock **out_block) {
  RlxArena *arena = rlx_arena_new();
  Visible v = {.depth = rlx_arena_array(arena, uint32_t, f->var_count + 1), .count = f->var_count};
  look(&v, f->body);
  rlx_arena_free(arena);
  if (out_block) *out_block = v.blind;
  return v.found;
}
