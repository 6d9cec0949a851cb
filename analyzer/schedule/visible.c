/// Is each name seen where it is used? A block with variables does not mention the loops around it but in
/// its bindings, domains and its predicate; and nobody mentions the variable of a loop, a block or a let, or a buffer that
/// a statement declares, outside of what stands under it. What does cannot be written as a script.
#include "analyzer/schedule/schedule_impl.h"

#include <string.h>

/// What is known of a variable, by its id.
enum {
  FREE,     ///< no statement gives it: a parameter, a dimension
  OUTSIDE,  ///< the statement that gives it is not around
  ANYWHERE, ///< it is, and blocks inside see the variable, too
  LOOP      ///< it is a loop; LOOP + n: with n blocks with variables around it
};

typedef struct Visible {
  uint32_t *vars;
  bool *is_declared, *is_around; ///< buffers, by id: a statement declares it; that one is around
  uint32_t var_count, buffer_count;
  uint32_t now;             ///< blocks with variables around
  const RlxTirBlock *block; ///< the innermost of these
  RlxScheduleUnseen *out;   ///< .name: 0 until something is found
} Visible;

static void declare_buffer(Visible *v, const RlxTirBuffer *b, bool is_around) {
  if (b->id >= v->buffer_count) return;
  v->is_declared[b->id] = true;
  v->is_around[b->id] = is_around;
}

static void set(Visible *v, const RlxTirVar *var, uint32_t state) {
  if (var->id < v->var_count) v->vars[var->id] = state;
}

static bool declare(const RlxTirStmt *s, void *data) {
  Visible *v = data;
  if (s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_LET_STMT) set(v, s->var, OUTSIDE);
  if (s->kind == RLX_TIR_ALLOC) declare_buffer(v, s->buffer, false);
  if (s->kind != RLX_TIR_BLOCK) return true;
  for (int i = 0; i < s->block->iter_count; i++) set(v, s->block->iters[i].var, OUTSIDE);
  for (int i = 0; i < s->block->alloc_count; i++) declare_buffer(v, s->block->allocs[i], false);
  for (int i = 0; i < s->block->match_count; i++) declare_buffer(v, s->block->matches[i], false);
  return true;
}

static void look_at_buffer(Visible *v, const RlxTirBuffer *b) {
  if (b->id >= v->buffer_count || !v->is_declared[b->id] || v->is_around[b->id]) return;
  *v->out = (RlxScheduleUnseen){.name = b->name};
}

static bool look_at_expr(const RlxTirExpr *e, void *data) {
  Visible *v = data;
  if (e->kind == RLX_TIR_LOAD) look_at_buffer(v, e->buffer);
  if (e->kind != RLX_TIR_VAR || e->var->id >= v->var_count) return !v->out->name;
  uint32_t state = v->vars[e->var->id];
  bool is_hidden = state >= LOOP && state - LOOP < v->now;
  if (is_hidden || state == OUTSIDE)
    *v->out = (RlxScheduleUnseen){e->var->name, e->var, is_hidden ? v->block : NULL};
  return !v->out->name;
}

static void look_at(Visible *v, const RlxTirExpr *e) {
  if (e) rlx_tir_visit_expr(e, look_at_expr, v);
}

static void look_at_all(Visible *v, RlxTirExpr *const *at, int count) {
  for (int i = 0; i < count; i++) look_at(v, at[i]);
}

static void look_at_regions(Visible *v, const RlxTirRegion *regions, int count) {
  for (int i = 0; i < count; i++) {
    look_at_buffer(v, regions[i].buffer);
    look_at_all(v, regions[i].begin, regions[i].buffer->ndim);
    look_at_all(v, regions[i].extent, regions[i].buffer->ndim);
  }
}

/// Buffers that a block allocates or looks through, whose shapes mention what is seen there.
static void look_at_buffers(Visible *v, RlxTirBuffer *const *at, int count) {
  for (int i = 0; i < count; i++) {
    look_at_all(v, at[i]->shape, at[i]->ndim);
    declare_buffer(v, at[i], true);
  }
}

/// What a block says before its body.
static void look_at_head(Visible *v, const RlxTirBlock *b) {
  for (int i = 0; i < b->iter_count; i++) {
    look_at(v, b->iters[i].min);
    look_at(v, b->iters[i].extent);
    look_at(v, b->iters[i].binding);
  }
  look_at(v, b->predicate);
  for (int i = 0; i < b->iter_count; i++) set(v, b->iters[i].var, ANYWHERE);
  if (b->iter_count) {
    v->now++;
    v->block = b;
  }
  look_at_buffers(v, b->allocs, b->alloc_count);
  look_at_buffers(v, b->matches, b->match_count);
  look_at_regions(v, b->reads, b->read_count);
  look_at_regions(v, b->writes, b->write_count);
}

static void look(Visible *v, const RlxTirStmt *s) {
  if (!s || v->out->name) return;
  uint32_t was = v->now;
  const RlxTirBlock *around = v->block;
  look_at(v, s->min);
  look_at(v, s->extent);
  look_at(v, s->cond);
  look_at(v, s->value);
  if (s->kind == RLX_TIR_STORE) {
    look_at_buffer(v, s->buffer);
    look_at_all(v, s->indices, s->buffer->ndim);
  }
  if (s->kind == RLX_TIR_FOR) set(v, s->var, LOOP + was);
  if (s->kind == RLX_TIR_LET_STMT) set(v, s->var, ANYWHERE);
  if (s->kind == RLX_TIR_ALLOC) declare_buffer(v, s->buffer, true);
  if (s->kind == RLX_TIR_BLOCK) look_at_head(v, s->block);
  look(v, s->init);
  for (uint32_t i = 0; i < s->count; i++) look(v, s->body[i]);
  v->now = was;
  v->block = around;
  declare(s, v); // what it gives is not seen behind it
}

bool rlx_schedule_unseen(const RlxPrimFunc *f, const RlxPrimFunc *before, RlxScheduleUnseen *out) {
  RlxArena *arena = rlx_arena_new();
  Visible v = {.vars = rlx_arena_array(arena, uint32_t, f->var_count + 1),
               .is_declared = rlx_arena_array(arena, bool, f->buffer_count + 1),
               .is_around = rlx_arena_array(arena, bool, f->buffer_count + 1),
               .var_count = f->var_count,
               .buffer_count = f->buffer_count,
               .out = out};
  *out = (RlxScheduleUnseen){.name = 0};
  rlx_tir_visit(before->body, declare, NULL, &v);
  memset(v.is_declared, 0, f->buffer_count * sizeof *v.is_declared); // an allocation may have moved
  rlx_tir_visit(f->body, declare, NULL, &v);
  for (int i = 0; i < f->root_alloc_count; i++)
    look_at_all(&v, f->root_allocs[i]->shape, f->root_allocs[i]->ndim);
  look(&v, f->body);
  rlx_arena_free(arena);
  return out->name;
}
