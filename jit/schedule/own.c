/// Which buffers are in memory of a thread's own: rlx_tir_needs_own says.
#include "jit/schedule/own.h"

#include "analyzer/tir/loops.h"
#include "analyzer/tir/rewrite.h"

typedef struct Found {
  bool has_parallel, has_alloc;
} Found;

static bool note(const RlxTirStmt *s, void *data) {
  Found *found = data;
  found->has_parallel |= s->kind == RLX_TIR_FOR && s->for_kind == RLX_FOR_PARALLEL;
  found->has_alloc |=
      s->kind == RLX_TIR_ALLOC || (s->kind == RLX_TIR_BLOCK && s->block->alloc_count);
  return true;
}

typedef struct Marker {
  const RlxTirAnalysis *a;
  const RlxTirAccesses *accesses;
  Vec(RlxTirBuffer *) outside; // allocated around the place
} Marker;

/// A loop in a parallel one has one thread.
static void mark_loop(Marker *m, const RlxTirStmt *loop) {
  const RlxTirLoopInfo *info = rlx_tir_loop_info(m->a, loop);
  for (uint32_t i = 0; info && i < m->outside.count; i++)
    if (rlx_tir_needs_own(m->a, m->accesses, info->index, m->outside.at[i]))
      m->outside.at[i]->own_of = loop->var;
}

static void mark(Marker *m, const RlxTirStmt *s) {
  if (!s) return;
  if (s->kind == RLX_TIR_FOR && s->for_kind == RLX_FOR_PARALLEL) {
    mark_loop(m, s);
    return;
  }
  uint32_t around = m->outside.count;
  if (s->kind == RLX_TIR_ALLOC) rlx_vec_push(&m->outside, s->buffer);
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->alloc_count; i++)
    rlx_vec_push(&m->outside, s->block->allocs[i]);
  for (uint32_t i = 0; i < s->count; i++) mark(m, s->body[i]);
  m->outside.count = around;
}

void rlx_own_memory(RlxStore *store, RlxPrimFunc *f) {
  Found found = {.has_alloc = f->root_alloc_count > 0};
  if (!f->body || f->has_holes) return;
  rlx_tir_visit(f->body, note, NULL, &found);
  if (!found.has_parallel || !found.has_alloc) return;
  RlxArena *arena = rlx_arena_new();
  const RlxTirAnalysis *a = rlx_tir_analyze(store, f, arena, NULL);
  RlxTirAccesses accesses = rlx_tir_accesses(a);
  Marker m = {.a = a, .accesses = &accesses};
  for (int i = 0; i < f->root_alloc_count; i++) rlx_vec_push(&m.outside, f->root_allocs[i]);
  mark(&m, f->body);
  rlx_vec_free(&m.outside);
  rlx_arena_free(arena);
}
