/// Where a block writes at all: a loop around it, or in it, may have no iteration, and a copy back of what it
/// would have written carries what nobody wrote then.
///
/// Differs from TVM, whose copies back run wherever their own loops do (docs/differences.md).
#include "analyzer/schedule/domain.h"

typedef struct Runs {
  RlxScheduleCall *c;
  const RlxTirBuffer *buffer;
  const RlxTirStmt *around[64]; ///< loops around the copy
  int around_count;
  const RlxFacts *facts;
  RlxTirExpr *condition; ///< of the loops down to here; NULL: each has an iteration
  RlxTirExpr *found;     ///< of the stores so far
  bool has_found, is_lost;
} Runs;

static const RlxFacts *learn(Runs *w, const RlxPrim *condition) {
  RlxFacts *out = rlx_arena_array(w->c->s->arena, RlxFacts, 1);
  *out = (RlxFacts){w->facts, condition, NULL};
  return out;
}

typedef struct Binder {
  const Runs *w;
  const RlxTirExpr *e;
  bool
      is_bound; ///< a loop that does not stand around the copy, a block or a name gives a variable of `e`
} Binder;

static bool note_binder(const RlxTirStmt *s, void *data) {
  Binder *b = data;
  bool is_around = false;
  for (int i = 0; i < b->w->around_count; i++) is_around |= b->w->around[i] == s;
  if (s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_LET_STMT)
    b->is_bound |= !is_around && rlx_schedule_uses(b->e, s->var);
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->iter_count; i++)
    b->is_bound |= rlx_schedule_uses(b->e, s->block->iters[i].var);
  return !b->is_bound;
}

/// Is `e` the same where the copy stands?
static bool is_told_there(const Runs *w, const RlxTirExpr *e) {
  Binder b = {.w = w, .e = e};
  if (!rlx_tir_integer(w->c->s->store, e)) return false;
  rlx_tir_visit(w->c->f->body, note_binder, NULL, &b);
  return !b.is_bound;
}

/// Below `loop` it has an iteration.
static void enter(Runs *w, const RlxTirStmt *loop) {
  RlxStore *store = w->c->s->store;
  RlxPrimFunc *f = w->c->f;
  const RlxPrim *extent = rlx_tir_integer(store, loop->extent);
  const RlxPrim *one = extent ? rlx_prim_is_positive(store, extent) : NULL;
  if (one && rlx_prove(store, w->facts, one) == RLX_YES) return;
  w->is_lost |= !one || loop->extent->kind == RLX_TIR_INT || !is_told_there(w, loop->extent);
  if (w->is_lost) return;
  w->condition = rlx_tir_and(f, w->condition, rlx_tir_is_positive(f, loop->extent));
  w->facts = learn(w, one);
}

/// The conjuncts of a block's predicate that no loop or block variable takes part in; of the others the region
/// that the block writes tells.
static void enter_predicate(Runs *w, RlxTirExpr *predicate) {
  if (!predicate) return;
  if (predicate->kind == RLX_TIR_AND) {
    enter_predicate(w, predicate->args[0]);
    enter_predicate(w, predicate->args[1]);
    return;
  }
  const RlxPrim *p = rlx_tir_integer(w->c->s->store, predicate);
  if (!p || !is_told_there(w, predicate) || rlx_prove(w->c->s->store, w->facts, p) == RLX_YES)
    return;
  w->condition = rlx_tir_and(w->c->f, w->condition, predicate);
  w->facts = learn(w, p);
}

static void walk(Runs *w, const RlxTirStmt *s) {
  const RlxFacts *facts = w->facts;
  RlxTirExpr *condition = w->condition;
  if (!s || w->is_lost) return;
  if (s->kind == RLX_TIR_FOR) enter(w, s);
  if (s->kind == RLX_TIR_BLOCK) enter_predicate(w, s->block->predicate);
  if (s->kind == RLX_TIR_STORE && s->buffer == w->buffer) {
    bool is_same =
        !w->found == !w->condition && (!w->found || rlx_tir_expr_equal(w->found, w->condition));
    w->is_lost |= w->has_found && !is_same;
    w->found = w->condition;
    w->has_found = true;
  }
  walk(w, s->init);
  for (uint32_t i = 0; i < s->count; i++) walk(w, s->body[i]);
  w->facts = facts;
  w->condition = condition;
}

const RlxTirStmt *rlx_schedule_idle_loop(RlxScheduleCall *c, const RlxTirBlockInfo *block,
                                         const RlxTirBlockInfo *other) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  RlxStore *store = c->s->store;
  Runs known = {.c = c};
  for (int l = 0; l < other->loop_count; l++) {
    const RlxTirLoopInfo *loop = &a->loops[other->loops[l]];
    if (!loop->extent) continue;
    known.facts = learn(&known, rlx_prim_is_positive(store, loop->extent));
    known.facts = rlx_schedule_range_facts(c, loop->symbol, loop->min, loop->extent, known.facts);
  }
  for (int l = 0; l < block->loop_count; l++) {
    const RlxTirLoopInfo *loop = &a->loops[block->loops[l]];
    if (!loop->extent ||
        rlx_prove(store, known.facts, rlx_prim_is_positive(store, loop->extent)) != RLX_YES)
      return loop->stmt;
    known.facts = rlx_schedule_range_facts(c, loop->symbol, loop->min, loop->extent, known.facts);
  }
  return NULL;
}

const char *rlx_schedule_idle_words(RlxScheduleCall *c, const RlxTirStmt *loop,
                                    const char **out_witness) {
  RlxArena *arena = c->s->arena;
  RlxBuf extent = {0};
  rlx_tir_expr_print(c->s->store, loop->extent, &extent);
  const char *text = rlx_buf_text(&extent), *name = rlx_schedule_loop_name(c, loop), *out;
  *out_witness = NULL;
  if (loop->extent->kind == RLX_TIR_INT) {
    out = rlx_arena_printf(arena, "loop `%s` has no iteration", name);
    *out_witness = rlx_arena_printf(arena, "%s in range(%s)", name, text);
  } else {
    out = rlx_arena_printf(arena, "loop `%s` has no iteration where %s is 0", name, text);
    if (loop->extent->kind == RLX_TIR_VAR) *out_witness = rlx_arena_printf(arena, "%s = 0", text);
  }
  rlx_buf_free(&extent);
  return out;
}

bool rlx_schedule_writes_where(RlxScheduleCall *c, const RlxScheduleCopyBack *q, RlxTirExpr **out) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  RlxStore *store = c->s->store;
  Runs w = {.c = c, .buffer = q->buffer};
  const RlxTirBlockInfo *b = q->block, *scope = &a->blocks[b->scope];
  int from = 0;
  *out = NULL;
  if (rlx_tir_allocates(scope, q->buffer)) return true; // what nobody wrote there means nothing
  for (int l = q->outer; l >= 0; l = a->loops[l].parent) {
    if (w.around_count == (int)(sizeof w.around / sizeof *w.around)) return false;
    w.around[w.around_count++] = a->loops[l].stmt;
    w.facts = rlx_schedule_range_facts(c, a->loops[l].symbol, a->loops[l].min, a->loops[l].extent,
                                       w.facts);
  }
  for (int d = 0; d < q->ndim; d++) { // where one is 0 the copy does nothing
    const RlxPrim *extent = rlx_tir_integer(store, q->extent[d]);
    int64_t size;
    if (extent && rlx_prim_is_const(extent, &size) && size <= 0) return true;
    if (extent) w.facts = learn(&w, rlx_prim_is_positive(store, extent));
  }
  for (int l = 0; l < b->loop_count; l++)
    if (b->loops[l] == q->outer) from = l + 1;
  for (int l = from; l < b->loop_count; l++) {
    const RlxTirLoopInfo *loop = &a->loops[b->loops[l]];
    enter(&w, loop->stmt);
    w.facts = rlx_schedule_range_facts(c, loop->symbol, loop->min, loop->extent, w.facts);
  }
  walk(&w, b->stmt);
  *out = w.has_found ? w.found : w.condition;
  return !w.is_lost;
}
