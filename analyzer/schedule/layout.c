/// transform_layout, set_axis_separator: a buffer's elements in another order, or its dimensions in
/// other groups.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/layout_transformation.cc. Maps that pad (the new
/// buffer has elements that the old one did not) are not carried out.
#include "analyzer/schedule/index_map.h"

#include <string.h>

typedef struct Layout {
  RlxScheduleCall *c;
  const RlxTirStmt *block;
  RlxTirBuffer *buffer, *now;
  const char *map;
} Layout;

static bool refuse(Layout *l, const char *why) {
  const char *name = l->buffer ? rlx_store_text(l->c->s->store, l->buffer->name) : "";
  return rlx_schedule_refuse(l->c, RLX_DIAG_ID(SCHEDULE_LAYOUT), l->block, "ss", name, why);
}

static bool start(RlxScheduleCall *c, Layout *l) {
  RlxSchedulePlace place;
  bool is_write = false;
  *l = (Layout){.c = c};
  if (!rlx_schedule_block(c, 0, &place)) return false;
  l->block = place.stmt;
  if (!place.stmt) return refuse(l, "the root block is not written");
  if (!rlx_schedule_any_buffer(c, 1, place.stmt, &is_write, &l->buffer, NULL)) return false;
  if (l->buffer->view_of) return refuse(l, "it is a view of another buffer");
  l->now = rlx_arena_one(c->f->arena, RlxTirBuffer);
  *l->now = *l->buffer;
  l->now->id = c->f->buffer_count++;
  return true;
}

static RlxTirBuffer **swapped(Layout *l, RlxTirBuffer **at, int count) {
  for (int i = 0; i < count; i++) {
    if (at[i] != l->buffer) continue;
    RlxTirBuffer **out = rlx_arena_array(l->c->f->arena, RlxTirBuffer *, count);
    memcpy(out, at, (size_t)count * sizeof *out);
    out[i] = l->now;
    return out;
  }
  return at;
}

static RlxTirStmt *swap_allocs(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  Layout *l = w->data;
  (void)old;
  if (s->kind != RLX_TIR_BLOCK) return s;
  RlxTirBuffer **allocs = swapped(l, s->block->allocs, s->block->alloc_count);
  if (allocs == s->block->allocs) return s;
  RlxTirStmt *out = rlx_tir_copy_block(w->f, s);
  out->block->allocs = allocs;
  rlx_schedule_moved(l->c, s, out);
  return out;
}

/// A region of more than one element has another form in the new layout: it is deduced anew.
static RlxTirStmt *forget_wide(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  Layout *l = w->data;
  (void)old;
  bool is_wide = false;
  for (int k = 0; s->kind == RLX_TIR_BLOCK && k < 2; k++)
    for (int i = 0; i < (k ? s->block->write_count : s->block->read_count); i++) {
      const RlxTirRegion *r = k ? &s->block->writes[i] : &s->block->reads[i];
      for (int d = 0; r->buffer == l->buffer && d < r->buffer->ndim; d++)
        is_wide |= r->extent[d]->kind != RLX_TIR_INT || r->extent[d]->integer != 1;
    }
  return is_wide ? rlx_schedule_forget_regions(l->c, s) : s;
}

static void note_moved(RlxTirRewriter *w, const RlxTirStmt *old, RlxTirStmt *now) {
  rlx_schedule_moved(((Layout *)w->data)->c, old, now);
}

/// `now` for the buffer everywhere: accesses, regions, allocation or parameter.
static void finish(Layout *l, RlxTirExpr **(*indices)(RlxScheduleSwap *, RlxTirExpr **)) {
  RlxPrimFunc *f = l->c->f;
  if (indices) {
    RlxTirRewriter w = {.f = f, .data = l, .stmt = forget_wide, .moved = note_moved};
    f->body = rlx_tir_rewrite(&w, f->body);
  }
  RlxScheduleSwap swap = {
      .c = l->c, .from = l->buffer, .to = l->now, .indices = indices, .data = l};
  RlxTirRewriter w = {.f = f, .data = l, .stmt = swap_allocs, .moved = note_moved};
  f->body = rlx_tir_rewrite(&w, rlx_schedule_swap(&swap, f->body));
  f->root_allocs = swapped(l, f->root_allocs, f->root_alloc_count);
  for (int i = 0; i < f->param_count; i++) {
    if (f->params[i].buffer != l->buffer) continue;
    RlxTirParam *params = rlx_arena_array(f->arena, RlxTirParam, f->param_count);
    memcpy(params, f->params, (size_t)f->param_count * sizeof *params);
    params[i].buffer = l->now;
    f->params = params;
  }
  if (indices) rlx_primfunc_complete(l->c->s->store, f);
}

static RlxTirExpr **mapped(RlxScheduleSwap *swap, RlxTirExpr **at) {
  Layout *l = swap->data;
  int count = 0;
  RlxTirExpr **out = rlx_schedule_map_indices(l->c, l->map, at, l->buffer->ndim, &count);
  for (int i = 0; i < count; i++) out[i] = rlx_schedule_simplify(l->c, out[i]);
  return out;
}

bool rlx_primitive_transform_layout(RlxScheduleCall *c) {
  Layout l;
  int count = 0;
  RlxTirExpr **shape = NULL;
  if (!start(c, &l)) return false;
  l.map = rlx_schedule_text(c, 2);
  if (!rlx_schedule_map_is_onto(c, l.map, l.buffer->shape, l.buffer->ndim, &shape, &count))
    return refuse(&l,
                  "the map is not shown to be one to one onto a box: elements would be lost, or "
                  "new ones come in");
  if (rlx_schedule_is_opaque(c->f->body, l.buffer))
    return refuse(&l, "it is used by its pointer, or looked into by another buffer");
  if (l.buffer->strides || l.buffer->elem_offset)
    return refuse(&l, "its strides or its offset are stated");
  l.now->ndim = count;
  l.now->shape = shape;
  l.now->separator_count = 0;
  const RlxScheduleValue *separators = c->args[2].more;
  if (separators && separators->kind == RLX_SCHEDULE_LIST && separators->count) {
    l.now->separators = rlx_arena_array(c->f->arena, int64_t, separators->count);
    for (uint32_t i = 0; i < separators->count; i++)
      l.now->separators[l.now->separator_count++] = separators->items[i].integer;
  }
  finish(&l, mapped);
  return true;
}

bool rlx_primitive_set_axis_separator(RlxScheduleCall *c) {
  Layout l;
  if (!start(c, &l)) return false;
  const RlxScheduleValue *list = &c->args[2];
  l.now->separators = rlx_arena_array(c->f->arena, int64_t, list->count + 1);
  l.now->separator_count = 0;
  int64_t last = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    int64_t at = list->items[i].kind == RLX_SCHEDULE_INT ? list->items[i].integer : -1;
    if (at < last || at > l.buffer->ndim)
      return refuse(&l, "the separators are numbers of its dimensions, in order");
    l.now->separators[l.now->separator_count++] = last = at;
  }
  finish(&l, NULL);
  return true;
}
