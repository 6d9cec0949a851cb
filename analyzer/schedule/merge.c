/// merge, reorder_block_iter_var: sibling loops become one; the variables of a block get a new order.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/loop_transformation.cc (Merge) and
/// reorder_block_iter_var.cc. TVM does not ask whether merged iterations may interleave; here the
/// result has to pass the one-way dataflow check of the design document.
#include "analyzer/schedule/schedule_impl.h"

#include <stdio.h>

enum { NESTS_MAX = 16, DEPTH_MAX = 64, DEEP = 512 };

typedef struct Nest { ///< a named loop with the loops around it, below what all have in common
  const RlxTirStmt *loops[DEPTH_MAX]; ///< outermost first
  int depth;
} Nest;

typedef struct Merge {
  RlxScheduleCall *c;
  Nest nests[NESTS_MAX];
  int count;
  const RlxTirStmt *parent; ///< sequence that the outermost loops stand in
} Merge;

static bool refuse(Merge *m, const RlxTirStmt *loop, const char *why) {
  return rlx_schedule_refuse(m->c, RLX_DIAG_ID(SCHEDULE_LOOP), loop, "ss",
                             rlx_schedule_loop_name(m->c, loop), why);
}

static bool check_loop(Merge *m, const RlxTirStmt *loop, const RlxTirStmt *like) {
  RlxStore *store = m->c->s->store;
  int64_t first = 0;
  const RlxPrim *min = loop->min ? rlx_tir_integer(store, loop->min) : NULL;
  if (loop->annotation_count || loop->for_kind == RLX_FOR_THREAD_BINDING)
    return refuse(m, loop, "it has an annotation or a thread, which would be lost");
  if (loop->min && (!min || !rlx_prim_is_const(min, &first) || first))
    return refuse(m, loop, "it does not start at 0");
  const RlxPrim *a = rlx_tir_integer(store, loop->extent),
                *b = rlx_tir_integer(store, like->extent);
  if (!a || !b || rlx_prove_equal(store, NULL, a, b) != RLX_YES ||
      !rlx_dtype_equal(loop->var->dtype, like->var->dtype))
    return refuse(m, loop, "its extent or type is not that of the loop that it is merged with");
  return true;
}

/// The nests of the named loops below the sequence that all stand in.
static bool read_nests(Merge *m) {
  const RlxScheduleValue *list = &m->c->args[0];
  const RlxTirStmt *paths[NESTS_MAX][DEEP];
  int lengths[NESTS_MAX], common = DEEP;
  m->count = (int)list->count;
  if (m->count < 2 || m->count > NESTS_MAX)
    return rlx_schedule_refuse(m->c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss", "merge",
                               "`loops` takes between 2 and 16 of them");
  for (int i = 0; i < m->count; i++) {
    RlxSchedulePlace place;
    if (!rlx_schedule_item_loop(m->c, &list->items[i], &place)) return false;
    lengths[i] = rlx_schedule_path(m->c, place.stmt, paths[i], DEEP);
    if (lengths[i] > DEEP) return refuse(m, place.stmt, "it stands too deep");
    int k = 0;
    while (k < lengths[0] && k < lengths[i] && paths[0][k] == paths[i][k]) k++;
    if (i && k < common) common = k;
  }
  m->parent = common ? paths[0][common - 1] : NULL;
  if (!m->parent || m->parent->kind != RLX_TIR_SEQ)
    return refuse(m, paths[0][lengths[0] - 1], "the loops do not stand beside each other");
  for (int i = 0; i < m->count; i++) {
    Nest *n = &m->nests[i];
    for (int k = common; k < lengths[i]; k++) {
      if (paths[i][k]->kind != RLX_TIR_FOR || n->depth == DEPTH_MAX)
        return refuse(m, paths[i][lengths[i] - 1],
                      "something else than loops stands between it and what all have in common");
      n->loops[n->depth++] = paths[i][k];
    }
    if (n->depth != m->nests[0].depth)
      return refuse(m, n->loops[n->depth - 1], "it stands at another depth than the first loop");
    for (int k = 0; k < n->depth; k++)
      if (!check_loop(m, n->loops[k], m->nests[0].loops[k])) return false;
  }
  return true;
}

/// The outermost loops stand in the sequence in the order named.
static bool check_siblings(Merge *m) {
  uint32_t at = 0;
  for (int i = 0; i < m->count; i++) {
    while (at < m->parent->count && m->parent->body[at] != m->nests[i].loops[0]) at++;
    if (at == m->parent->count)
      return refuse(m, m->nests[i].loops[0], "the loops do not follow each other in this order");
  }
  return true;
}

static RlxTirStmt *make_loops(Merge *m) {
  RlxPrimFunc *f = m->c->f;
  int depth = m->nests[0].depth;
  RlxTirVar *vars[DEPTH_MAX];
  RlxTirStmt *bodies[NESTS_MAX];
  for (int k = 0; k < depth; k++) {
    const RlxTirVar *was = m->nests[0].loops[k]->var;
    char name[600];
    snprintf(name, sizeof name, "%s_m", rlx_store_text(m->c->s->store, was->name));
    vars[k] = rlx_tir_var(f, rlx_intern_text(rlx_store_names(m->c->s->store), name), was->dtype);
  }
  for (int i = 0; i < m->count; i++) {
    RlxTirSubst put[DEPTH_MAX];
    for (int k = 0; k < depth; k++)
      put[k] = (RlxTirSubst){m->nests[i].loops[k]->var, rlx_tir_var_expr(f, vars[k])};
    bodies[i] = rlx_schedule_subst(m->c, m->nests[i].loops[depth - 1]->body[0], put, depth);
  }
  RlxTirStmt *out = rlx_tir_seq(f, bodies, m->count);
  for (int k = depth - 1; k >= 0; k--) {
    out = rlx_tir_for(f, vars[k], m->nests[0].loops[k]->extent, RLX_FOR_SERIAL, out);
    if (k == depth - 1) rlx_schedule_give(m->c, out);
  }
  return out;
}

static int nest_of(const Merge *m, const RlxTirAnalysis *a, int block) {
  for (int l = 0; l < a->blocks[block].loop_count; l++)
    for (int i = 0; i < m->count; i++)
      if (a->loops[a->blocks[block].loops[l]].stmt == m->nests[i].loops[0]) return i;
  return -1;
}

/// Blocks of different nests share no buffer that one of them writes.
static bool is_independent(const Merge *m, const RlxTirAnalysis *a) {
  RlxTirDependencyWalk walk = rlx_tir_dependencies(-1);
  for (RlxTirDependency d; rlx_tir_next_dependency(a, &walk, &d);) {
    int src = nest_of(m, a, d.src), dst = nest_of(m, a, d.dst);
    if (src >= 0 && dst >= 0 && src != dst) return false;
  }
  return true;
}

/// Dependencies are of names: no block of the nests touches memory that has two.
static bool check_names(const Merge *m, const RlxTirAnalysis *a) {
  for (int b = 0; b < a->block_count; b++)
    if (nest_of(m, a, b) >= 0 && !rlx_schedule_check_names(m->c, a->blocks[b].stmt)) return false;
  return true;
}

/// Where in the sequence block `block` stands; `m->parent->count`: elsewhere.
static uint32_t position_of(const Merge *m, const RlxTirAnalysis *a, int block) {
  const RlxTirBlockInfo *b = &a->blocks[block];
  const RlxTirStmt *top = b->stmt;
  uint32_t at = 0;
  for (; at < m->parent->count; at++) {
    bool is_there = m->parent->body[at] == top;
    for (int l = 0; l < b->loop_count && !is_there; l++)
      is_there = a->loops[b->loops[l]].stmt == m->parent->body[at];
    if (is_there) break;
  }
  return at;
}

/// The loops come to stand where the last one is: those before it pass what stands between, which may neither
/// need nor change what they do.
static bool check_between(Merge *m, const RlxTirAnalysis *a) {
  uint32_t at = 0;
  bool passes = false;
  for (int i = 0; i < m->count; at++) {
    if (m->parent->body[at] == m->nests[i].loops[0])
      i++;
    else if (i && rlx_schedule_bare_statement(m->parent->body[at]))
      return refuse(m, m->nests[i].loops[0],
                    "a statement that stands in no block stands between the loops");
    else
      passes |= i > 0;
  }
  for (int i = 0; passes && i < m->count - 1; i++)
    if (rlx_schedule_bare_statement(m->nests[i].loops[0]))
      return refuse(m, m->nests[i].loops[0],
                    "a statement that stands in no block would pass what stands between the loops");
  RlxTirDependencyWalk walk = rlx_tir_dependencies(-1);
  for (RlxTirDependency d; passes && rlx_tir_next_dependency(a, &walk, &d);) {
    int src = nest_of(m, a, d.src);
    if (src < 0 || src == m->count - 1 || nest_of(m, a, d.dst) >= 0 ||
        position_of(m, a, d.dst) >= at)
      continue;
    refuse(m, m->nests[src].loops[0], "what stands between the loops uses what it does");
    rlx_schedule_also(m->c, a->blocks[d.dst].stmt, "this block");
    return false;
  }
  return true;
}

bool rlx_primitive_merge(RlxScheduleCall *c) {
  Merge m = {.c = c};
  if (!read_nests(&m) || !check_siblings(&m)) return false;
  const RlxTirAnalysis *before = rlx_schedule_analysis(c);
  if (!check_names(&m, before) || !check_between(&m, before)) return false;
  bool is_free = is_independent(&m, before);
  for (int i = 0; i < m.count; i++) is_free &= !rlx_schedule_bare_statement(m.nests[i].loops[0]);
  RlxTirStmt *now = make_loops(&m);
  rlx_schedule_put(c, m.nests[m.count - 1].loops[0], now);
  for (int i = 0; i < m.count; i++) {
    for (int k = 0; k < m.nests[i].depth; k++) rlx_schedule_moved(c, m.nests[i].loops[k], NULL);
    if (i < m.count - 1) rlx_schedule_put(c, m.nests[i].loops[0], NULL);
  }
  if (is_free) return true;
  RlxArena *arena = rlx_arena_new();
  const RlxTirText text = rlx_schedule_script(c);
  const RlxTirAnalysis *a = rlx_tir_analyze(c->s->store, c->f, arena, &text);
  RlxTirAccesses accesses = rlx_tir_accesses(a);
  RlxTirVerdict v = rlx_tir_decomposable(a, &accesses, rlx_tir_loop_info(a, now)->index);
  const RlxTirStmt *at = now; // an element that two iterations write is not what the first one left
  for (int k = 0; v.is && k < m.nests[0].depth; k++, at = at->body[0])
    v = rlx_tir_race_free(a, &accesses, rlx_tir_loop_info(a, at)->index);
  const char *why =
      v.is ? NULL
           : rlx_arena_printf(c->s->arena, "its iterations may not interleave with the others: %s",
                              v.reason && *v.reason ? v.reason : "that is not decided");
  rlx_arena_free(arena);
  return v.is || refuse(&m, m.nests[0].loops[0], why);
}

bool rlx_primitive_reorder_block_iter_var(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  if (!rlx_schedule_block(c, 0, &place)) return false;
  const RlxScheduleValue *order = &c->args[1];
  int n = place.stmt ? place.stmt->block->iter_count : 0;
  bool is_permutation = place.stmt && (int)order->count == n;
  for (int i = 0; i < n && is_permutation; i++) {
    int found = 0;
    for (int k = 0; k < n; k++)
      found += order->items[k].kind == RLX_SCHEDULE_INT && order->items[k].integer == i;
    is_permutation = found == 1;
  }
  if (!is_permutation)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), place.stmt, "ss",
                               "reorder_block_iter_var",
                               "`new_order` has to name each block variable once, from 0");
  RlxTirStmt *now = rlx_tir_copy_block(c->f, place.stmt);
  now->block->iters = rlx_arena_array(c->f->arena, RlxTirIterVar, n + 1);
  for (int i = 0; i < n; i++)
    now->block->iters[i] = place.stmt->block->iters[order->items[i].integer];
  rlx_schedule_replace(c, place.stmt, now);
  return true;
}
