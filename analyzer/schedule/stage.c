/// Copies from one buffer to another: the block with its loops, where it is put, and other buffers in
/// the place of those that are read or written from then on. What cache_read and its like share.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/cache_read_write.cc.
#include "analyzer/schedule/domain.h"

#include <string.h>

// ---- buffers

bool rlx_schedule_check_scope_name(RlxScheduleCall *c, const char *scope) {
  static const char *const known[] = {"global",         "shared",         "warp",
                                      "local",          "texture",        "amx.tmm",
                                      "wmma.matrix_a",  "wmma.matrix_b",  "wmma.accumulator",
                                      "m16n8k8.matrix", "metal.simdgroup"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strncmp(scope, known[i], strlen(known[i])) == 0) return true;
  const char *why = rlx_arena_printf(c->s->arena, "there is no storage scope \"%s\"", scope);
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss", c->primitive->name,
                             why);
}

RlxTirBuffer *rlx_schedule_buffer_like(RlxScheduleCall *c, const RlxTirBuffer *like, RlxName name,
                                       RlxTirExpr *const *shape, int ndim, RlxName scope) {
  RlxTirBuffer *out = rlx_tir_buffer(c->f, name, like->dtype, shape, ndim);
  out->scope = scope ? scope : like->scope;
  return out;
}

RlxTirRegion rlx_schedule_point(RlxScheduleCall *c, RlxTirBuffer *buffer, RlxTirExpr **indices) {
  RlxTirRegion r = {.buffer = buffer, .begin = indices};
  r.extent = rlx_arena_array(c->f->arena, RlxTirExpr *, buffer->ndim + 1);
  for (int d = 0; d < buffer->ndim; d++) r.extent[d] = rlx_tir_int(c->f, 1, indices[d]->dtype);
  return r;
}

RlxTirStmt *rlx_schedule_stage(RlxScheduleCall *c, const RlxScheduleStage *stage,
                               RlxTirStmt **out_block) {
  RlxPrimFunc *f = c->f;
  RlxTirExpr *value = rlx_tir_load(f, stage->from, stage->from_indices);
  RlxTirStmt *store = rlx_tir_store(f, stage->to, stage->to_indices, value);
  RlxTirStmt *out = rlx_tir_block(f, stage->name, stage->iters, stage->iter_count, NULL, store);
  RlxTirBlock *b = out->block;
  b->reads = rlx_arena_one(f->arena, RlxTirRegion);
  b->writes = rlx_arena_one(f->arena, RlxTirRegion);
  b->reads[0] = rlx_schedule_point(c, stage->from, stage->from_indices);
  b->writes[0] = rlx_schedule_point(c, stage->to, stage->to_indices);
  b->read_count = b->write_count = 1;
  b->predicate = stage->predicate;
  *out_block = out;
  for (int i = stage->loop_count - 1; i >= 0; i--) {
    out = rlx_tir_for(f, stage->loops[i], stage->extents[i], RLX_FOR_SERIAL, out);
    if (stage->mins && stage->mins[i]) out->min = stage->mins[i];
  }
  return out;
}

// ---- questions

/// Does the init of the block write the buffer? Then what stands in it finds a beginning there.
static bool begins(const RlxTirBlockInfo *b, const RlxTirBuffer *buffer) {
  return b->has_init && rlx_schedule_touches(b->stmt->init, buffer);
}

bool rlx_schedule_has_box(const RlxTirBoxes *boxes, const RlxTirBuffer *buffer) {
  for (; buffer; buffer = buffer->view_of)
    if (rlx_tir_box_of(boxes, buffer)) return true;
  return false;
}

/// `block` is `top` or stands in it.
static bool reads_before(RlxScheduleCall *c, const RlxTirBlockInfo *block,
                         const RlxTirBlockInfo *top, const RlxTirBuffer *buffer) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  if (rlx_schedule_has_box(&block->deduced_writes, buffer) &&
      rlx_schedule_init_may_not_run(c, block, top))
    return true; // it adds to what was there, as far as its init has not run
  if (rlx_schedule_has_box(&block->deduced_reads, buffer) &&
      (!block->has_opaque || !block->has_declared_reads || rlx_tir_box_of(&block->reads, buffer)))
    return true;
  for (int i = 0; i < block->child_count && !begins(block, buffer); i++)
    if (reads_before(c, &a->blocks[block->children[i]], top, buffer)) return true;
  return false;
}

/// Of a question whether a statement stores to the buffer whenever it runs.
typedef struct Sure {
  RlxScheduleCall *c;
  const RlxTirBuffer *buffer;
  bool skips_predicates; ///< those of the blocks inside are asked elsewhere
} Sure;

static bool is_read_at(const RlxTirExpr *e, void *data) {
  *(bool *)data |= e->kind == RLX_TIR_LOAD;
  return true;
}

/// May the loop have no iteration at some of the places where it stands?
static bool may_be_empty(const Sure *w, const RlxTirStmt *loop) {
  RlxStore *store = w->c->s->store;
  const RlxPrim *extent = rlx_tir_integer(store, loop->extent);
  const RlxTirAnalysis *a = rlx_schedule_analysis(w->c);
  if (extent && rlx_prove_less_equal(store, NULL, rlx_prim_int_typed(store, 1, extent->dtype),
                                     extent) == RLX_YES)
    return false;
  bool differs = false; // from place to place: a dimension of the function does not
  rlx_tir_visit_expr(loop->extent, is_read_at, &differs);
  for (int l = 0; l < a->loop_count; l++)
    differs |= rlx_schedule_uses(loop->extent, a->loops[l].stmt->var);
  for (int b = 0; b < a->block_count; b++)
    for (int i = 0; i < a->blocks[b].iter_count; i++)
      differs |= rlx_schedule_uses(loop->extent, a->blocks[b].block->iters[i].var);
  return differs;
}

/// Is `b` the buffer, or a view of it?
static bool is_in(const RlxTirBuffer *b, const RlxTirBuffer *buffer) {
  while (b && b != buffer) b = b->view_of;
  return b != NULL;
}

/// Does `s` store to the buffer whenever it runs, as far as conditions and loops tell?
static bool stores_surely(const Sure *w, const RlxTirStmt *s) {
  if (s->kind == RLX_TIR_STORE) return is_in(s->buffer, w->buffer);
  if (s->kind == RLX_TIR_WHILE) return false;
  if (s->kind == RLX_TIR_FOR && may_be_empty(w, s)) return false;
  if (s->kind == RLX_TIR_IF)
    return s->count == 2 && stores_surely(w, s->body[0]) && stores_surely(w, s->body[1]);
  if (s->kind == RLX_TIR_BLOCK && s->block->predicate && !w->skips_predicates) return false;
  if (s->kind == RLX_TIR_BLOCK && s->init && stores_surely(w, s->init)) return true;
  for (uint32_t i = 0; i < s->count; i++) {
    if (stores_surely(w, s->body[i])) return true;
    if (rlx_schedule_jumps(s->body[i])) return false; // past what comes after it
  }
  return false;
}

typedef struct Stores {
  const RlxTirBuffer *buffer;
  bool found;
} Stores;

static bool note_store(const RlxTirStmt *s, void *data) {
  Stores *w = data;
  w->found |= s->kind == RLX_TIR_STORE && is_in(s->buffer, w->buffer);
  return !w->found;
}

const char *rlx_schedule_keeps_old(RlxScheduleCall *c, const RlxTirBlockInfo *block,
                                   const RlxTirBuffer *buffer, bool skips_predicates) {
  if (reads_before(c, block, block, buffer)) return "it reads what was in the buffer before";
  const RlxTirStmt *body = block->stmt->body[0], *init = block->stmt->init;
  Stores any = {.buffer = buffer};
  rlx_tir_visit(body, note_store, NULL, &any);
  Sure w = {c, buffer, skips_predicates};
  bool is_stored = !any.found || stores_surely(&w, body) || (init && stores_surely(&w, init));
  is_stored = is_stored && !rlx_schedule_condition(c, block->stmt, NULL);
  return is_stored ? NULL : "a condition may keep it from writing all that is copied back";
}

bool rlx_schedule_check_cover(RlxScheduleCall *c, const RlxTirBlockInfo *scope,
                              const RlxTirBuffer *buffer) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  for (int i = 0; i < scope->child_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[scope->children[i]];
    if (rlx_tir_box_of(&b->reads, buffer) && !b->region_cover.is)
      return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_CACHE), b->stmt, &b->region_cover);
  }
  return true;
}

bool rlx_schedule_only_writer(RlxScheduleCall *c, const RlxTirBlockInfo *scope,
                              const RlxTirBuffer *buffer, const RlxTirBlockInfo **out) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirBlockInfo *silent = rlx_schedule_silent_user(c, scope, buffer);
  *out = NULL;
  if (silent) {
    const char *why = rlx_arena_printf(
        c->s->arena, "it uses `%s` by its pointer, and does not say by T.writes whether it writes",
        rlx_store_text(c->s->store, buffer->name));
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_CACHE), silent->stmt, "ss",
                               rlx_schedule_block_name(c, silent->stmt), why);
  }
  for (int i = 0; i < scope->child_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[scope->children[i]];
    if (!rlx_tir_box_of(&b->writes, buffer)) continue;
    if (*out) {
      const char *why = rlx_arena_printf(c->s->arena, "more than one block writes `%s`",
                                         rlx_store_text(c->s->store, buffer->name));
      rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_CACHE), (*out)->stmt, "ss",
                          rlx_schedule_block_name(c, (*out)->stmt), why);
      rlx_schedule_also(c, b->stmt, "another writer");
      return false;
    }
    *out = b;
  }
  return true;
}

// ---- where

typedef struct Spot {
  const RlxTirStmt *block, *const *related;
  int count;
  bool saw_block, saw_related, is_found;
  bool
      is_hidden; ///< the sequence is that of a condition, a let or the like, where nothing is put in
  RlxScheduleSpot spot; ///< position -1: not known
} Spot;

static void look(Spot *s, const RlxTirStmt *at);

static void look_sequence(Spot *s, const RlxTirStmt *seq) {
  bool before = s->saw_block;
  s->saw_block = false;
  for (uint32_t i = 0; i < seq->count && s->spot.position < 0; i++) {
    look(s, seq->body[i]);
    if (s->saw_block && s->saw_related && s->spot.position < 0) s->spot.position = (int)i;
    if (s->saw_related) break;
  }
  s->saw_block |= before;
}

static void look(Spot *s, const RlxTirStmt *at) {
  if (at->kind == RLX_TIR_SEQ) {
    look_sequence(s, at);
    return;
  }
  if (at->kind == RLX_TIR_BLOCK) {
    s->saw_block |= at == s->block;
    for (int i = 0; i < s->count; i++) s->saw_related |= at == s->related[i];
    return;
  }
  bool was_known = s->spot.position >= 0;
  for (uint32_t i = 0; i < at->count; i++) look(s, at->body[i]);
  if (at->kind != RLX_TIR_FOR && !was_known && s->spot.position >= 0 && !s->is_found)
    s->is_hidden = true;
  if (at->kind == RLX_TIR_FOR && s->saw_block && s->saw_related && !s->is_found &&
      s->spot.position >= 0) {
    s->spot.at = at;
    s->is_found = true;
  }
}

static const RlxTirStmt *body_of(const RlxScheduleCall *c, const RlxTirStmt *at) {
  return at ? at->body[0] : c->f->body;
}

RlxScheduleSpot rlx_schedule_spot_between(RlxScheduleCall *c, const RlxTirBlockInfo *scope,
                                          const RlxTirStmt *block, const RlxTirStmt *const *related,
                                          int count) {
  const RlxTirStmt *body = body_of(c, scope->stmt);
  if (!count)
    return (RlxScheduleSpot){scope->stmt, body->kind == RLX_TIR_SEQ ? (int)body->count : 1};
  Spot s = {.block = block, .related = related, .count = count, .spot = {scope->stmt, -1}};
  look(&s, body);
  if (s.is_hidden)
    s.spot.position = -1;
  else if (s.spot.position < 0)
    s.spot.position = 0;
  return s.spot;
}

void rlx_schedule_insert(RlxScheduleCall *c, RlxScheduleSpot spot, RlxTirStmt *stmt) {
  RlxTirStmt *body = spot.at ? spot.at->body[0] : c->f->body;
  bool is_sequence = body->kind == RLX_TIR_SEQ;
  int count = is_sequence ? (int)body->count : 1, n = 0;
  RlxTirStmt **all = rlx_arena_array(c->f->arena, RlxTirStmt *, count + 1);
  for (int i = 0; i <= count; i++) {
    if (i == spot.position || (i == count && n == count)) all[n++] = stmt;
    if (i < count) all[n++] = is_sequence ? body->body[i] : body;
  }
  RlxTirStmt *now = rlx_tir_seq(c->f, all, count + 1);
  if (!spot.at) {
    c->f->body = now;
    return;
  }
  RlxTirStmt *out = rlx_tir_copy(c->f, spot.at);
  out->body[0] = now;
  rlx_schedule_replace(c, spot.at, out);
}

// ---- other buffers in the place of old ones

static RlxTirExpr **indices_at(RlxScheduleSwap *w, RlxTirExpr **at) {
  return w->indices ? w->indices(w, at) : at;
}

static RlxTirExpr *swap_load(RlxTirRewriter *r, RlxTirExpr *e) {
  RlxScheduleSwap *w = r->data;
  if (e->kind == RLX_TIR_VAR && w->from->data && e->var == w->from->data) {
    if (!w->to->data) w->to->data = rlx_tir_var(r->f, w->to->name, e->dtype);
    return rlx_tir_var_expr(r->f, w->to->data);
  }
  if (e->kind != RLX_TIR_LOAD || e->buffer != w->from || w->keeps_reads) return e;
  RlxTirExpr *out = rlx_arena_one(r->f->arena, RlxTirExpr);
  *out = *e;
  out->buffer = w->to;
  out->args = indices_at(w, e->args);
  out->arg_count = (uint16_t)w->to->ndim;
  return out;
}

static bool swap_regions(RlxScheduleSwap *w, RlxTirRegion **regions, int count) {
  RlxTirRegion *now = NULL;
  for (int i = 0; i < count; i++) {
    if ((*regions)[i].buffer != w->from) continue;
    if (!now) {
      now = rlx_arena_array(w->c->f->arena, RlxTirRegion, count);
      memcpy(now, *regions, (size_t)count * sizeof *now);
    }
    now[i].begin = indices_at(w, now[i].begin);
    if (w->to->ndim != w->from->ndim || w->indices) {
      RlxTirRegion point = rlx_schedule_point(w->c, w->to, now[i].begin);
      if (w->to->ndim == w->from->ndim)
        for (int d = 0; d < w->to->ndim; d++) point.extent[d] = now[i].extent[d];
      now[i].extent = point.extent;
    }
    now[i].buffer = w->to;
  }
  if (now) *regions = now;
  return now != NULL;
}

typedef struct Rematch {
  RlxTirBuffer **now;   ///< views of the block
  const RlxMap *places; ///< in `now` of those that were others
} Rematch;

static RlxTirBuffer *rematched(RlxTirRewriter *r, RlxTirBuffer *b) {
  const Rematch *m = r->data;
  uint64_t place;
  return rlx_map_get(m->places, (uintptr_t)b, &place) ? m->now[place] : b;
}

RlxTirBuffer **rlx_schedule_views(RlxScheduleCall *c, const RlxTirStmt *s) {
  return rlx_arena_copy(c->f->arena, s->block->matches, (size_t)s->block->match_count,
                        sizeof *s->block->matches);
}

RlxTirStmt *rlx_schedule_rematch(RlxScheduleCall *c, RlxTirStmt *s, RlxTirBuffer **views,
                                 RlxTirRewriter *r) {
  RlxTirStmt *out = rlx_tir_copy_block(c->f, s);
  out->block->matches = views;
  for (uint32_t k = 0; k < s->count; k++) out->body[k] = rlx_tir_rewrite(r, s->body[k]);
  out->init = rlx_tir_rewrite(r, s->init);
  rlx_schedule_moved(c, s, out);
  return out;
}

/// match_buffer of the old buffer: a view of the new one, which the accesses below mean then.
static RlxTirStmt *swap_views(RlxScheduleSwap *w, RlxTirStmt *s) {
  RlxPrimFunc *f = w->c->f;
  RlxMap places = {0};
  RlxTirBuffer **views = NULL;
  for (int i = 0; i < s->block->match_count; i++) {
    RlxTirBuffer *m = s->block->matches[i];
    if (m->view_of != w->from) continue;
    RlxTirBuffer *now = rlx_arena_one(f->arena, RlxTirBuffer);
    *now = *m;
    now->id = f->buffer_count++;
    now->view_of = w->to;
    now->scope = w->to->scope;
    if (m->view_origin) now->view_origin = indices_at(w, m->view_origin);
    if (!views) views = rlx_schedule_views(w->c, s);
    views[i] = now;
    rlx_map_put(&places, (uintptr_t)m, (uint64_t)i);
  }
  Rematch rematch = {views, &places};
  RlxTirRewriter r = {.f = f, .data = &rematch, .buffer = rematched};
  if (views) s = rlx_schedule_rematch(w->c, s, views, &r); // at once: a block may have many
  rlx_map_free(&places);
  return s;
}

static RlxTirStmt *swap_stmt(RlxTirRewriter *r, RlxTirStmt *s, const RlxTirStmt *old) {
  RlxScheduleSwap *w = r->data;
  (void)old;
  if (s->kind == RLX_TIR_STORE && s->buffer == w->from && !w->keeps_writes) {
    RlxTirStmt *out = rlx_tir_copy(r->f, s);
    out->buffer = w->to;
    out->indices = indices_at(w, s->indices);
    return out;
  }
  if (s->kind != RLX_TIR_BLOCK) return s;
  RlxTirRegion *reads = s->block->reads, *writes = s->block->writes;
  bool changed = !w->keeps_reads && swap_regions(w, &reads, s->block->read_count);
  changed |= !w->keeps_writes && swap_regions(w, &writes, s->block->write_count);
  if (changed) {
    RlxTirStmt *out = rlx_tir_copy_block(r->f, s);
    out->block->reads = reads;
    out->block->writes = writes;
    rlx_schedule_moved(w->c, s, out);
    s = out;
  }
  return swap_views(w, s);
}

static void swap_moved(RlxTirRewriter *r, const RlxTirStmt *old, RlxTirStmt *now) {
  rlx_schedule_moved(((RlxScheduleSwap *)r->data)->c, old, now);
}

RlxTirStmt *rlx_schedule_swap(RlxScheduleSwap *swap, const RlxTirStmt *s) {
  RlxTirRewriter r = {.f = swap->c->f,
                      .data = swap,
                      .expr = swap_load,
                      .stmt = swap_stmt,
                      .enter = swap->enter,
                      .moved = swap_moved};
  return rlx_tir_rewrite(&r, s);
}
