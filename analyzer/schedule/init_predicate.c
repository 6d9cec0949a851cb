/// Where an init runs that leaves the loops of its reduction: a T.init runs at the instances whose reduce
/// variables are at their minimum, as far as the predicate lets them.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/reduction.cc (DecomposeReduction drops what mentions
/// the loops). Differs: what is dropped has to hold in the first iteration of these loops, and that has to
/// be where the reduction begins; else the init would run where it did not.
#include "analyzer/schedule/domain.h"

#include <string.h>

static RlxTirExpr *both(RlxPrimFunc *f, RlxTirExpr *a, RlxTirExpr *b) {
  return a && b ? rlx_tir_binary(f, RLX_TIR_AND, a, b) : a ? a : b;
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
  LateInit l = {.init = {.c = c, .info = b}};
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

static bool holds_at_first(const RlxScheduleInit *w, const RlxTirExpr *e) {
  const RlxPrim *condition = rlx_tir_integer(w->c->s->store, first_of(w, e));
  return condition && rlx_prove(w->c->s->store, NULL, condition) == RLX_YES;
}

/// A condition `e < n` (or <=) with the discarded loops at their first iteration: the init runs where
/// one of them would. NULL: what is left is not told so.
static RlxTirExpr *at_first(const RlxScheduleInit *w, RlxTirExpr *e) {
  RlxStore *store = w->c->s->store;
  if (e->kind != RLX_TIR_LT && e->kind != RLX_TIR_LE) return NULL;
  for (int i = 0; i < w->discarded_count; i++)
    if (rlx_schedule_uses(e->args[1], w->discarded[i]->var)) return NULL;
  RlxTirExpr *first = first_of(w, e->args[0]);
  const RlxPrim *low = rlx_tir_integer(store, first), *any = rlx_tir_integer(store, e->args[0]);
  if (!low || !any || rlx_prove_less_equal(store, ranges(w), low, any) != RLX_YES) return NULL;
  return rlx_tir_binary(w->c->f, (RlxTirExprKind)e->kind, rlx_schedule_simplify(w->c, first),
                        e->args[1]);
}

RlxTirExpr *rlx_schedule_init_predicate(RlxScheduleInit *w, RlxTirExpr *predicate) {
  if (!predicate) return NULL;
  if (predicate->kind == RLX_TIR_AND)
    return both(w->c->f, rlx_schedule_init_predicate(w, predicate->args[0]),
                rlx_schedule_init_predicate(w, predicate->args[1]));
  const RlxTirAnalysis *a = rlx_schedule_analysis(w->c);
  bool is_about = false, is_kept = false;
  for (int l = 0; l < w->info->loop_count; l++) {
    const RlxTirStmt *loop = a->loops[w->info->loops[l]].stmt;
    if (rlx_schedule_uses(predicate, loop->var))
      *(is_discarded(w, loop) ? &is_about : &is_kept) = true;
  }
  if (!is_about) return predicate;
  RlxTirExpr *left = is_kept ? at_first(w, predicate) : NULL;
  bool is_told = is_kept ? left != NULL : holds_at_first(w, predicate);
  const RlxPrim *value;
  if (!is_told || not_at_minimum(w, &value)) w->is_lost = true;
  return left;
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
