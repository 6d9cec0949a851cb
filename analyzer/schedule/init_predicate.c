/// Where an init runs that leaves the loops of its reduction: a T.init runs at the instances whose reduce
/// variables are at their minimum, as far as the predicate lets them.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/reduction.cc (DecomposeReduction drops what mentions
/// the loops). Differs: what is dropped has to hold in the first iteration of these loops, and that has to
/// be where the reduction begins; else the init would run where it did not. It does not run either where a
/// dropped loop may have no iteration: the predicate says then that it has.
#include "analyzer/schedule/domain.h"

#include <string.h>

/// Is a loop of the block shown to have an iteration where the loops around it have one, and `facts` hold?
static bool is_never_empty(RlxScheduleCall *c, const RlxTirBlockInfo *info, const RlxTirStmt *loop,
                           const RlxFacts *facts) {
  RlxStore *store = c->s->store;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxPrim *extent = rlx_tir_integer(store, loop->extent);
  if (!extent) return false;
  for (int i = 0; i < info->loop_count; i++) {
    const RlxTirLoopInfo *l = &a->loops[info->loops[i]];
    if (l->stmt == loop) break;
    facts = rlx_schedule_range_facts(c, l->symbol, l->min, l->extent, facts);
  }
  return rlx_prove_less(store, facts, rlx_prim_int_typed(store, 0, extent->dtype), extent) ==
         RLX_YES;
}

/// The loops around the block that reduce, innermost first: their number.
static int loops_that_reduce(RlxScheduleCall *c, const RlxTirBlockInfo *info,
                             const RlxTirStmt **out) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  int count = 0;
  for (int l = info->loop_count - 1; l >= 0; l--) {
    const RlxTirStmt *loop = a->loops[info->loops[l]].stmt;
    bool reduces = false;
    for (int i = 0; i < info->iter_count; i++)
      reduces |= info->iters[i].iter->type == RLX_ITER_REDUCE &&
                 rlx_schedule_uses(info->iters[i].iter->binding, loop->var);
    if (reduces) out[count++] = loop;
  }
  return count;
}

const RlxTirStmt *rlx_schedule_empty_loop(RlxScheduleCall *c, const RlxTirBlockInfo *info) {
  const RlxTirStmt **loops = rlx_arena_array(c->s->arena, const RlxTirStmt *, info->loop_count + 1);
  int count = loops_that_reduce(c, info, loops);
  for (int l = 0; l < count; l++)
    if (!is_never_empty(c, info, loops[l], NULL)) return loops[l];
  return NULL;
}

static bool is_discarded(const RlxScheduleInit *w, const RlxTirStmt *loop) {
  for (int i = 0; i < w->discarded_count; i++)
    if (w->discarded[i] == loop) return true;
  return false;
}

/// `e` in the first iteration of the discarded loops.
static RlxTirExpr *first_of(const RlxScheduleInit *w, const RlxTirExpr *e) {
  RlxPrimFunc *f = w->c->f;
  RlxTirSubst *put = rlx_arena_array(w->c->s->arena, RlxTirSubst, w->discarded_count + 1);
  for (int i = 0; i < w->discarded_count; i++) {
    const RlxTirStmt *loop = w->discarded[i];
    put[i] = (RlxTirSubst){loop->var, loop->min ? loop->min : rlx_tir_int(f, 0, loop->var->dtype)};
  }
  return rlx_tir_subst(f, e, put, w->discarded_count);
}

/// The first variable that reduces and is not at its minimum where the loops begin; NULL: there is none.
static const RlxTirIterVar *not_at_minimum(const RlxScheduleInit *w, const RlxPrim **out_value) {
  RlxStore *store = w->c->s->store;
  for (int i = 0; i < w->iter_count; i++) {
    const RlxTirIterVar *v = &w->iters[i];
    if (v->type != RLX_ITER_REDUCE) continue;
    const RlxPrim *value = v->binding ? rlx_tir_integer(store, first_of(w, v->binding)) : NULL;
    const RlxPrim *min =
        v->min ? rlx_tir_integer(store, v->min) : rlx_prim_int_typed(store, 0, v->var->dtype);
    if (value && min && rlx_prove_equal(store, NULL, value, min) == RLX_YES) continue;
    *out_value = value ? rlx_prim_simplify(store, value) : NULL;
    return v;
  }
  return NULL;
}

typedef struct LateInit {
  RlxScheduleInit init;
  RlxTirIterVar *iters; ///< of the block, then of those around it
  int count;
} LateInit;

/// The variables of `b` with the loops that bind them, up to `top`: a binding mentions variables of the
/// blocks around, which stand for what binds them.
static void collect_around(LateInit *l, const RlxTirBlockInfo *b, const RlxTirBlockInfo *top,
                           const RlxTirStmt **loops) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(l->init.c);
  RlxPrimFunc *f = l->init.c->f;
  int own = b->iter_count, loop_count = 0;
  if (own) memcpy(l->iters, b->block->iters, (size_t)own * sizeof *l->iters);
  for (;; b = &a->blocks[b->scope]) {
    for (int i = 0; i < b->loop_count; i++) loops[loop_count++] = a->loops[b->loops[i]].stmt;
    if (b == top || b->scope < 0 || !a->blocks[b->scope].block) break;
    const RlxTirBlock *around = a->blocks[b->scope].block;
    RlxTirSubst *put = rlx_arena_array(l->init.c->s->arena, RlxTirSubst, around->iter_count + 1);
    int count = 0;
    for (int i = 0; i < around->iter_count; i++)
      if (around->iters[i].binding)
        put[count++] = (RlxTirSubst){around->iters[i].var, around->iters[i].binding};
    for (int i = 0; i < own; i++)
      if (l->iters[i].binding)
        l->iters[i].binding = rlx_tir_subst(f, l->iters[i].binding, put, count);
  }
  const RlxTirStmt **kept =
      rlx_arena_array(l->init.c->s->arena, const RlxTirStmt *, loop_count + 1);
  for (int n = 0; n < loop_count; n++) {
    bool reduces = false;
    for (int i = 0; i < own; i++)
      reduces |= l->iters[i].type == RLX_ITER_REDUCE &&
                 rlx_schedule_uses(l->iters[i].binding, loops[n]->var);
    if (reduces) kept[l->init.discarded_count++] = loops[n];
  }
  l->init.discarded = kept;
  l->init.iters = l->iters;
  l->init.iter_count = own;
}

static LateInit late_init(RlxScheduleCall *c, const RlxTirBlockInfo *b,
                          const RlxTirBlockInfo *top) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  LateInit l = {.init = {.c = c, .info = b, .follows_all = true}};
  l.iters = rlx_arena_array(c->s->arena, RlxTirIterVar, b->iter_count + 1);
  const RlxTirStmt **loops = rlx_arena_array(c->s->arena, const RlxTirStmt *, a->loop_count + 1);
  collect_around(&l, b, top, loops);
  return l;
}

const char *rlx_schedule_init_starts_late(RlxScheduleCall *c, const RlxTirBlockInfo *info) {
  RlxStore *store = c->s->store;
  if (!info->has_init) return NULL;
  const RlxPrim *value = NULL;
  const RlxTirIterVar *late = NULL;
  LateInit l = late_init(c, info, info);
  int64_t number;
  late = not_at_minimum(&l.init, &value);
  if (!late) return NULL;
  const char *name = rlx_store_text(store, late->var->name);
  if (!value || !rlx_prim_is_const(value, &number))
    return rlx_arena_printf(
        c->s->arena,
        "its init runs where `%s` is at its minimum, and that is not shown to be "
        "where its loops begin",
        name);
  return rlx_arena_printf(
      c->s->arena, "its init runs where `%s` is at its minimum, and its loops begin with %lld",
      name, (long long)number);
}

static const RlxFacts *ranges(const RlxScheduleInit *w) {
  const RlxFacts *facts = NULL;
  for (int i = 0; i < w->discarded_count; i++) {
    const RlxTirLoopInfo *l = rlx_schedule_loop_info(w->c, w->discarded[i]);
    if (l->min && l->extent)
      facts = rlx_schedule_range_facts(w->c, l->symbol, l->min, l->extent, facts);
  }
  return facts;
}

/// A condition `e < n` (or <=) with the discarded loops at their first iteration: it holds where it does in one
/// of them. NULL: that is not told.
static RlxTirExpr *at_least(const RlxScheduleInit *w, RlxTirExpr *e) {
  RlxStore *store = w->c->s->store;
  if (e->kind != RLX_TIR_LT && e->kind != RLX_TIR_LE) return NULL;
  for (int i = 0; i < w->discarded_count; i++)
    if (rlx_schedule_uses(e->args[1], w->discarded[i]->var)) return NULL;
  RlxTirExpr *first = first_of(w, e->args[0]);
  const RlxPrim *low = rlx_tir_number(store, first), *any = rlx_tir_number(store, e->args[0]);
  if (!low || !any || rlx_prove_less_equal(store, ranges(w), low, any) != RLX_YES) return NULL;
  return rlx_tir_binary(w->c->f, (RlxTirExprKind)e->kind, rlx_schedule_simplify(w->c, first),
                        e->args[1]);
}

static RlxTirExpr *simplify_sides(const RlxScheduleInit *w, RlxTirExpr *e) {
  if (e->kind < RLX_TIR_LT || e->kind > RLX_TIR_GE) return rlx_schedule_simplify(w->c, e);
  return rlx_tir_binary(w->c->f, (RlxTirExprKind)e->kind, rlx_schedule_simplify(w->c, e->args[0]),
                        rlx_schedule_simplify(w->c, e->args[1]));
}

/// A condition about discarded loops in their first iteration; NULL: it holds there, or (`is_lost`) it is
/// not told, or never holds.
static RlxTirExpr *at_first(RlxScheduleInit *w, RlxTirExpr *e) {
  RlxStore *store = w->c->s->store;
  RlxTirExpr *first = first_of(w, e);
  const RlxPrim *condition = rlx_tir_number(store, first), *value;
  RlxProof holds = condition ? rlx_prove(store, NULL, condition) : RLX_UNKNOWN;
  w->is_lost |= not_at_minimum(w, &value) != NULL || !condition || holds == RLX_NO;
  if (holds == RLX_YES || w->is_lost) return NULL;
  first = w->follows_all ? at_least(w, e) : simplify_sides(w, first);
  w->is_lost |= first == NULL;
  return first;
}

/// What is left of `predicate` without the discarded loops.
static RlxTirExpr *left_of(RlxScheduleInit *w, RlxTirExpr *predicate) {
  if (!predicate) return NULL;
  if (predicate->kind == RLX_TIR_AND)
    return rlx_tir_and(w->c->f, left_of(w, predicate->args[0]), left_of(w, predicate->args[1]));
  const RlxTirAnalysis *a = rlx_schedule_analysis(w->c);
  bool is_about = false;
  for (int l = 0; l < w->info->loop_count; l++) {
    const RlxTirStmt *loop = a->loops[w->info->loops[l]].stmt;
    is_about |= is_discarded(w, loop) && rlx_schedule_uses(predicate, loop->var);
  }
  return is_about ? at_first(w, predicate) : predicate;
}

/// The condition for each discarded loop to have an iteration where `known` (NULL: nothing) holds; NULL: each
/// always has.
static RlxTirExpr *each_runs(RlxScheduleInit *w, const RlxTirExpr *known) {
  RlxPrimFunc *f = w->c->f;
  RlxTirExpr *out = NULL;
  RlxFacts fact = {0};
  fact.condition = known ? rlx_tir_number(w->c->s->store, known) : NULL;
  for (int i = 0; i < w->discarded_count; i++) {
    const RlxTirStmt *loop = w->discarded[i];
    RlxTirExpr *extent = loop->extent;
    if (is_never_empty(w->c, w->info, loop, fact.condition ? &fact : NULL)) continue;
    w->is_lost |= extent->kind == RLX_TIR_INT || !rlx_tir_integer(w->c->s->store, extent);
    for (int k = 0; k < w->discarded_count; k++)
      w->is_lost |= rlx_schedule_uses(extent, w->discarded[k]->var);
    out = rlx_tir_and(f, out, rlx_tir_is_positive(f, extent));
  }
  return out;
}

RlxTirExpr *rlx_schedule_init_predicate(RlxScheduleInit *w, RlxTirExpr *predicate) {
  RlxTirExpr *left = left_of(w, predicate);
  return rlx_tir_and(w->c->f, left, each_runs(w, left));
}

RlxTirExpr *rlx_schedule_reduction_runs(RlxScheduleCall *c, const RlxTirBlockInfo *info) {
  const RlxTirStmt **loops = rlx_arena_array(c->s->arena, const RlxTirStmt *, info->loop_count + 1);
  RlxScheduleInit w = {.c = c,
                       .info = info,
                       .discarded = loops,
                       .iters = info->block->iters,
                       .iter_count = info->iter_count};
  w.discarded_count = loops_that_reduce(c, info, loops);
  RlxTirExpr *out = rlx_schedule_init_predicate(&w, info->block->predicate);
  return w.is_lost ? NULL : out;
}

bool rlx_schedule_init_may_not_run(RlxScheduleCall *c, const RlxTirBlockInfo *info,
                                   const RlxTirBlockInfo *top) {
  if (!info->has_init) return false;
  LateInit l = late_init(c, info, top);
  const RlxPrim *value;
  if (not_at_minimum(&l.init, &value)) return true;
  rlx_schedule_init_predicate(&l.init, info->block->predicate);
  return l.init.is_lost;
}
