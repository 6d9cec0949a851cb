/// From indices back to loops: the inverse of a map of sums, splits and fuses.
///
/// Source: TVM v0.25 src/arith/iter_affine_map.cc (InverseAffineIterMap): a value goes down from each
/// sum to its splits (divided by the scale, modulo the extent but for the outermost), and up from
/// each split into what it is cut from (times the lower factor). Nothing is simplified: the form is
/// what TVM prints.
#include "analyzer/tir/iter_map.h"

enum { MARKS_MAX = 128 };

typedef struct Inverse {
  RlxStore *store;
  const RlxIterMark *marks[MARKS_MAX]; ///< parts before what they are made of
  const RlxPrim *values[MARKS_MAX];    ///< what has come up so far; NULL: nothing
  int count;
  bool is_broken;
} Inverse;

static void collect(Inverse *v, const RlxIterMark *mark) {
  for (int i = 0; i < v->count; i++)
    if (v->marks[i] == mark) return;
  if (!mark->leaf)
    for (int i = 0; i < mark->sum.split_count; i++) collect(v, mark->sum.splits[i].source);
  if (v->count == MARKS_MAX)
    v->is_broken = true;
  else
    v->marks[v->count++] = mark;
}

static void give(Inverse *v, const RlxIterSplit *split, const RlxPrim *value) {
  for (int i = 0; i < v->count; i++) {
    if (v->marks[i] != split->source) continue;
    const RlxPrim *part = rlx_prim_mul(v->store, value, split->lower_factor);
    v->values[i] = v->values[i] ? rlx_prim_add(v->store, v->values[i], part) : part;
  }
}

static bool is_number(RlxStore *store, const RlxPrim *p, int64_t wanted) {
  int64_t k = 0;
  return rlx_prim_is_const(rlx_prim_simplify(store, p), &k) && k == wanted;
}

/// Each scale is the extent times the scale of the next one, and the last one's is 1.
static bool is_fuse(Inverse *v, const RlxIterSum *sum) {
  const RlxPrim *expected = NULL;
  for (int i = sum->split_count - 1; i >= 0; i--) {
    const RlxIterSplit *s = &sum->splits[i];
    if (expected ? rlx_prove_equal(v->store, NULL, s->scale, expected) != RLX_YES
                 : !is_number(v->store, s->scale, 1))
      return false;
    expected = rlx_prim_mul(v->store, s->extent, s->scale);
  }
  return true;
}

static void spread(Inverse *v, const RlxIterSum *sum, const RlxPrim *value) {
  value = rlx_prim_sub(v->store, value, sum->base);
  if (sum->split_count == 1 && is_number(v->store, sum->splits[0].scale, -1)) {
    const RlxPrim *zero = rlx_prim_int_typed(v->store, 0, value->dtype);
    give(v, &sum->splits[0], rlx_prim_sub(v->store, zero, value));
    return;
  }
  if (!is_fuse(v, sum)) {
    v->is_broken = true;
    return;
  }
  for (int i = sum->split_count - 1; i >= 0; i--) {
    const RlxIterSplit *s = &sum->splits[i];
    const RlxPrim *part =
        sum->split_count == 1 ? value : rlx_prim_floordiv(v->store, value, s->scale);
    if (i > 0) part = rlx_prim_floormod(v->store, part, s->extent);
    give(v, s, part);
  }
}

bool rlx_iter_map_inverse(RlxStore *store, RlxArena *arena, const RlxIterMap *map, int sum_count,
                          const RlxPrim *const *values, const RlxLoopRange *loops, int loop_count,
                          const RlxPrim **out) {
  Inverse *v = rlx_arena_one(arena, Inverse);
  v->store = store;
  for (int i = 0; i < loop_count; i++) out[i] = NULL;
  if (!map->sums) return false;
  for (int i = 0; i < sum_count; i++)
    for (int k = 0; k < map->sums[i].split_count; k++) collect(v, map->sums[i].splits[k].source);
  for (int i = sum_count - 1; i >= 0 && !v->is_broken; i--)
    if (map->sums[i].split_count) spread(v, &map->sums[i], values[i]);
  for (int m = v->count - 1; m >= 0 && !v->is_broken; m--) {
    const RlxIterMark *mark = v->marks[m];
    if (!v->values[m]) continue;
    const RlxPrim *value = v->values[m];
    if (!mark->leaf) {
      spread(v, &mark->sum, value);
      continue;
    }
    for (int i = 0; i < loop_count; i++) {
      const RlxPrim *var = rlx_prim_var(store, loops[i].var);
      const RlxPrim *low = rlx_prim_simplify(store, rlx_prim_sub(store, var, loops[i].min));
      if (rlx_prim_simplify(store, mark->leaf) == low)
        out[i] = rlx_prim_add(store, value, loops[i].min);
    }
  }
  return !v->is_broken;
}
