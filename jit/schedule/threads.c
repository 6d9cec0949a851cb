/// What threads have for themselves, and which loops have one thread alone: analyzer/tir/loops.h says.
#include "jit/schedule/threads.h"

#include "analyzer/tir/loops.h"
#include "analyzer/tir/rewrite.h"

static bool note(const RlxTirStmt *s, void *data) {
  *(bool *)data |= s->kind == RLX_TIR_FOR && s->for_kind == RLX_FOR_PARALLEL;
  return true;
}

typedef struct Marker {
  const RlxTirAnalysis *a;
  const RlxTirAccesses *accesses;
  Vec(RlxTirBuffer *) outside; // allocated around the place
} Marker;

/// A loop in a parallel one has one thread.
static void mark_loop(Marker *m, RlxTirStmt *loop) {
  const RlxTirLoopInfo *info = rlx_tir_loop_info(m->a, loop);
  if (!info) return;
  const RlxTirVerdict v = rlx_tir_thread_free(m->a, m->accesses, info->index);
  if (!v.is && !v.is_unknown) {
    loop->for_kind = RLX_FOR_SERIAL;
    return;
  }
  for (uint32_t i = 0; i < m->outside.count; i++)
    if (rlx_tir_needs_own(m->a, m->accesses, info->index, m->outside.at[i]))
      m->outside.at[i]->own_of = loop->var;
}

static void mark(Marker *m, RlxTirStmt *s) {
  if (!s) return;
  if (s->kind == RLX_TIR_FOR && s->for_kind == RLX_FOR_PARALLEL) {
    mark_loop(m, s);
    if (s->for_kind == RLX_FOR_PARALLEL) return;
  }
  uint32_t around = m->outside.count;
  if (s->kind == RLX_TIR_ALLOC) rlx_vec_push(&m->outside, s->buffer);
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->alloc_count; i++)
    rlx_vec_push(&m->outside, s->block->allocs[i]);
  for (uint32_t i = 0; i < s->count; i++) mark(m, s->body[i]);
  m->outside.count = around;
}

void rlx_keep_apart(RlxStore *store, RlxPrimFunc *f) {
  bool has_parallel = false;
  if (!f->body || f->has_holes) return;
  rlx_tir_visit(f->body, note, NULL, &has_parallel);
  if (!has_parallel) return;
  RlxArena *arena = rlx_arena_new();
  const RlxTirAnalysis *a = rlx_tir_analyze(store, f, arena, NULL);
  RlxTirAccesses accesses = rlx_tir_accesses(a);
  Marker m = {.a = a, .accesses = &accesses};
  for (int i = 0; i < f->root_alloc_count; i++) rlx_vec_push(&m.outside, f->root_allocs[i]);
  mark(&m, f->body);
  rlx_vec_free(&m.outside);
  rlx_arena_free(arena);
}
