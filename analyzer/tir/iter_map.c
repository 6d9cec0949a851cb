/// The rule for loop bindings: index expressions as sums of splits and fuses of loops.
///
/// After TVM's arith.detect_iter_map. An expression is rewritten bottom up to a sum of splits of
/// marks: `//` and `%` make splits finer, a sum whose scales fit into each other is fused into a
/// new mark; bounds of the predicate become extents of marks. At the end the splits of every mark
/// must be independent, and for a bijection cover it. Where a division is not even, a mark is
/// padded; a bijection is never padded.
///
/// Always true: all expressions are simplified, so equal ones are mostly the same pointer; work is
/// bounded.
#include "analyzer/tir/iter_impl.h"

enum { BOUNDS_MAX = 32 }; // conjuncts of the predicate

typedef struct Bound { // low <= iter < high; either may be NULL
  const RlxPrim *iter, *low, *high;
} Bound;

// ---- the predicate

/// Splits a - b into the terms with loops (`iter`) and the others, on the other side (`bound`).
static void sort_terms(RlxIterRule *r, const RlxPrim *p, bool positive, const RlxPrim **iter,
                       const RlxPrim **bound) {
  if (p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB) {
    sort_terms(r, p->args[0], positive, iter, bound);
    sort_terms(r, p->args[1], p->kind == RLX_PRIM_ADD ? positive : !positive, iter, bound);
    return;
  }
  if (rlx_iter_uses_loops(r, p))
    *iter = rlx_iter_fold(r, positive ? RLX_PRIM_ADD : RLX_PRIM_SUB, *iter, p);
  else
    *bound = rlx_iter_fold(r, positive ? RLX_PRIM_SUB : RLX_PRIM_ADD, *bound, p);
}

/// The conjuncts of `p` as bounds of expressions over loops. Other conjuncts hold for all loops or
/// for none: false for those.
static bool read_bounds(RlxIterRule *r, const RlxPrim *p, Bound *bounds, int *count,
                        bool *is_whole) {
  if (p->kind == RLX_PRIM_AND)
    return read_bounds(r, p->args[0], bounds, count, is_whole) &&
           read_bounds(r, p->args[1], bounds, count, is_whole);
  if (rlx_iter_is(p, 1)) return true;
  if (p->kind != RLX_PRIM_LT && p->kind != RLX_PRIM_LE)
    return rlx_iter_fail(r, "the predicate is no conjunction of bounds");
  const RlxPrim *a = p->args[0], *b = p->args[1], *one = rlx_iter_number(r, 1);
  if (!rlx_iter_uses_loops(r, p)) {
    *is_whole = false;
    return true;
  }
  if (*count == BOUNDS_MAX) return rlx_iter_fail(r, "too large");
  Bound *out = &bounds[(*count)++];
  if (!rlx_iter_uses_loops(r, a)) { // bound < iter
    *out = (Bound){b, rlx_prim_simplify(r->store, a), NULL};
    if (p->kind == RLX_PRIM_LT) out->low = rlx_iter_add(r, out->low, one);
    return true;
  }
  if (rlx_iter_uses_loops(r, b)) {
    const RlxPrim *difference = rlx_iter_sub(r, a, b);
    a = b = rlx_iter_number(r, 0);
    sort_terms(r, difference, true, &a, &b);
  }
  *out = (Bound){a, NULL, rlx_prim_simplify(r->store, b)};
  if (p->kind == RLX_PRIM_LE) out->high = rlx_iter_add(r, out->high, one);
  return true;
}

/// A bound of a single loop narrows it; true when it was one.
static bool narrow_loop(RlxIterRule *r, const Bound *b, RlxLoopRange *loops) {
  int loop = rlx_iter_loop_of(r, b->iter);
  if (loop < 0) return false;
  const RlxPrim *min = rlx_prim_simplify(r->store, loops[loop].min);
  const RlxPrim *end = rlx_iter_add(r, min, loops[loop].extent);
  if (b->low)
    min = rlx_iter_at_most(r, min, b->low) ? b->low : rlx_iter_fold(r, RLX_PRIM_MAX, min, b->low);
  if (b->high)
    end =
        rlx_iter_at_most(r, b->high, end) ? b->high : rlx_iter_fold(r, RLX_PRIM_MIN, end, b->high);
  loops[loop].min = min;
  loops[loop].extent = rlx_iter_sub(r, end, min);
  return true;
}

/// Fuses the iterator of a bound, and gives its mark the extent that the bound leaves.
static bool apply_bound(RlxIterRule *r, const Bound *b) {
  RlxIterWork *sum = rlx_arena_one(r->arena, RlxIterWork);
  if (!rlx_iter_rewrite(r, b->iter, 0, sum)) return false;
  if (!sum->count) return true;
  const RlxPrim *low = b->low ? rlx_iter_sub(r, b->low, sum->base) : NULL;
  const RlxPrim *high = b->high ? rlx_iter_sub(r, b->high, sum->base) : NULL;
  sum->base = rlx_iter_number(r, 0);
  int entry = -1;
  if (!rlx_iter_fuse(r, sum, false, &entry) || entry < 0 || !rlx_iter_is(sum->splits[0].scale, 1))
    return rlx_iter_fail(r, "a bound of the predicate is no iterator");
  RlxIterFused *f = &r->fused[entry];
  const RlxPrim *min = f->offset, *max = rlx_iter_add(r, min, f->mark->extent);
  const RlxPrim *first = min;
  if (low) first = rlx_iter_at_most(r, low, min) ? min : rlx_iter_fold(r, RLX_PRIM_MAX, low, min);
  if (high) max = rlx_iter_at_most(r, high, max) ? high : rlx_iter_fold(r, RLX_PRIM_MIN, high, max);
  f->grouped.base = rlx_iter_sub(r, f->grouped.base, rlx_iter_sub(r, first, min));
  f->mark = rlx_iter_mark_of(r, NULL, &f->grouped, rlx_iter_sub(r, max, first));
  f->offset = first;
  f->is_bound = true;
  return f->mark != NULL;
}

/// Bounds may nest or be apart, not overlap.
static bool bounds_agree(const RlxIterRule *r) {
  for (int i = 0; i < r->fused_count; i++)
    for (int k = 0; k < r->fused_count; k++) {
      const RlxIterSum *a = &r->fused[i].flat, *b = &r->fused[k].flat;
      if (i == k || !r->fused[i].is_bound || !r->fused[k].is_bound ||
          a->split_count > b->split_count)
        continue;
      int inside = 0;
      for (int x = 0; x < a->split_count; x++)
        for (int y = 0; y < b->split_count; y++)
          if (rlx_iter_same_split(&a->splits[x], &b->splits[y], true)) {
            inside++;
            break;
          }
      if (inside != 0 && inside != a->split_count) return false;
    }
  return true;
}

// ---- independence

typedef struct Uses { // the splits that refer to each mark
  const RlxIterMark *marks[RLX_ITER_MARKS_MAX];
  int mark_count;
  struct {
    int mark;
    const RlxIterSplit *split;
  } at[RLX_ITER_MARKS_MAX * 2];
  int count;
  bool is_full;
} Uses;

static int used_mark(const Uses *u, const RlxIterMark *mark) {
  for (int i = 0; i < u->mark_count; i++)
    if (u->marks[i] == mark) return i;
  return -1;
}

static void collect_uses(Uses *u, const RlxIterSum *sum) {
  for (int i = 0; i < sum->split_count; i++) {
    const RlxIterMark *mark = sum->splits[i].source;
    int m = used_mark(u, mark);
    if (m < 0) {
      if (u->mark_count == RLX_ITER_MARKS_MAX) {
        u->is_full = true;
        return;
      }
      m = u->mark_count++;
      u->marks[m] = mark;
      if (!mark->leaf) collect_uses(u, &mark->sum);
    }
    if (u->count == RLX_ITER_MARKS_MAX * 2) {
      u->is_full = true;
      return;
    }
    u->at[u->count].mark = m;
    u->at[u->count++].split = &sum->splits[i];
  }
}

/// Do the splits of one mark fit together, from the innermost out, and into the mark?
static bool splits_fit(RlxIterRule *r, const Uses *u, int mark) {
  const RlxIterSplit *splits[RLX_ITER_MARKS_MAX * 2];
  bool used[RLX_ITER_MARKS_MAX * 2] = {false};
  int count = 0;
  for (int i = 0; i < u->count; i++)
    if (u->at[i].mark == mark) splits[count++] = u->at[i].split;
  const bool bijective = r->query->level == RLX_ITER_BIJECTIVE;
  const RlxPrim *expected = rlx_iter_number(r, 1);
  for (int done = 0; done < count; done++) {
    int at = 0;
    while (at < count && (used[at] || !rlx_iter_equal(r, splits[at]->lower_factor, expected))) at++;
    if (at == count) { // a gap: the next finest whose factor is a multiple
      if (bijective) return false;
      at = -1;
      for (int i = 0; i < count; i++) {
        if (used[i]) continue;
        if (!rlx_iter_divides(r, expected, splits[i]->lower_factor)) return false;
        if (at < 0 || rlx_iter_divides(r, splits[i]->lower_factor, splits[at]->lower_factor))
          at = i;
      }
      if (at < 0) return false;
    }
    used[at] = true;
    expected = rlx_iter_mul(r, splits[at]->lower_factor, splits[at]->extent);
  }
  const RlxIterMark *m = u->marks[mark], *origin = NULL;
  bool covers = rlx_iter_equal(r, expected, m->extent);
  bool fits = covers || rlx_iter_divides(r, expected, m->extent);
  bool padded = rlx_iter_is_padded(r, m, &origin);
  if (bijective) return covers && !padded;
  if (!padded) return fits;
  if (r->query->level == RLX_ITER_NO_CHECK) return true;
  if (covers)
    return count == 1 && (!rlx_iter_equal(r, splits[0]->extent, expected) ||
                          rlx_iter_at_most(r, expected, origin->extent));
  return fits && rlx_iter_at_most(r, expected, origin->extent);
}

static bool independent(RlxIterRule *r, const RlxIterSum *sums, RlxIterMap *map) {
  Uses uses = {0}, *u = &uses;
  for (int i = 0; i < r->query->index_count; i++) collect_uses(u, &sums[i]);
  if (u->is_full) return rlx_iter_fail(r, "too large");
  for (int i = 0; i < u->mark_count; i++)
    if (!splits_fit(r, u, i)) return rlx_iter_fail(r, "the indices are not independent");
  for (int i = 0; r->query->level == RLX_ITER_BIJECTIVE && i < r->query->loop_count; i++)
    if (r->inputs[i] && !rlx_iter_is(r->inputs[i]->extent, 1) && used_mark(u, r->inputs[i]) < 0)
      return rlx_iter_fail(r, "a loop is not used");
  for (int i = 0; i < r->fused_count; i++)
    if (r->fused[i].is_bound && used_mark(u, r->fused[i].mark) < 0) map->uses_constraints = false;
  return true;
}

// ---- the whole

static bool loops_apart(const RlxIterRule *r) {
  for (int i = 0; i < r->query->loop_count; i++)
    if (rlx_iter_uses_loops(r, r->query->loops[i].min) ||
        rlx_iter_uses_loops(r, r->query->loops[i].extent))
      return false;
  return true;
}

static bool make_inputs(RlxIterRule *r, const RlxLoopRange *loops) {
  for (int i = 0; i < r->query->loop_count; i++) {
    const RlxPrim *var = rlx_prim_var(r->store, loops[i].var);
    const RlxPrim *extent = rlx_prim_simplify(r->store, loops[i].extent);
    r->lows[i] = rlx_prim_simplify(r->store, loops[i].min);
    if (rlx_iter_is(extent, 1) && !r->query->keeps_unit_loops) continue;
    if (!rlx_iter_is(r->lows[i], 0)) var = rlx_iter_sub(r, var, r->lows[i]);
    r->inputs[i] = rlx_iter_mark_of(r, var, NULL, extent);
    if (!r->inputs[i]) return false;
  }
  return true;
}

static int by_size(const Bound *a, const Bound *b) {
  return a->iter->size < b->iter->size ? -1 : a->iter->size > b->iter->size;
}

static bool apply_predicate(RlxIterRule *r, RlxLoopRange *loops, RlxIterMap *map) {
  Bound bounds[BOUNDS_MAX];
  int count = 0, left = 0;
  if (r->query->predicate &&
      !read_bounds(r, r->query->predicate, bounds, &count, &map->uses_constraints))
    return false;
  for (int i = 0; i < count; i++)
    if (!narrow_loop(r, &bounds[i], loops)) bounds[left++] = bounds[i];
  if (!make_inputs(r, loops)) return false;
  for (int i = 1; i < left; i++) // smaller expressions first: they are parts of larger ones
    for (int k = i; k > 0 && by_size(&bounds[k], &bounds[k - 1]) < 0; k--) {
      Bound b = bounds[k];
      bounds[k] = bounds[k - 1];
      bounds[k - 1] = b;
    }
  for (int i = 0; i < left; i++)
    if (!apply_bound(r, &bounds[i])) return false;
  return bounds_agree(r) || rlx_iter_fail(r, "bounds of the predicate overlap");
}

static bool rewrite_indices(RlxIterRule *r, RlxIterSum *sums) {
  RlxIterWork *sum = rlx_arena_one(r->arena, RlxIterWork);
  for (int i = 0; i < r->query->index_count; i++) {
    if (!rlx_iter_rewrite(r, r->query->indices[i], 0, sum)) return false;
    if (sum->count && !rlx_iter_fuse(r, sum, true, NULL))
      return rlx_iter_fail(r, rlx_arena_printf(r->arena, "%s is not one fused iterator",
                                               rlx_iter_text(r, r->query->indices[i])));
    sums[i] = rlx_iter_kept(r, sum);
  }
  return true;
}

static bool detect(RlxIterRule *r, RlxIterMap *map) {
  const RlxIterQuery *q = r->query;
  if (q->loop_count > RLX_ITER_MARKS_MAX / 2 || q->index_count > RLX_ITER_MARKS_MAX / 2)
    return rlx_iter_fail(r, "too large");
  if (!loops_apart(r)) return rlx_iter_fail(r, "the range of a loop uses another loop");
  RlxLoopRange *loops = rlx_arena_array(r->arena, RlxLoopRange, q->loop_count + 1);
  for (int i = 0; i < q->loop_count; i++) loops[i] = q->loops[i];
  if (!apply_predicate(r, loops, map)) return false;
  RlxIterSum *sums = rlx_arena_array(r->arena, RlxIterSum, q->index_count + 1);
  r->pads = q->level != RLX_ITER_BIJECTIVE;
  if (!rewrite_indices(r, sums)) return false;
  if (r->pads && r->needs_padding) {
    r->pads = false;
    if (!rewrite_indices(r, sums)) return false;
  }
  map->is_padded = r->needs_padding;
  if (!independent(r, sums, map)) return false;
  map->sums = sums;
  return true;
}

RlxIterMap rlx_iter_map_detect(RlxStore *store, RlxArena *arena, const RlxIterQuery *query) {
  RlxIterMap map = {.uses_constraints = true};
  RlxIterRule rule = {.store = store, .arena = arena, .query = query};
  if (!detect(&rule, &map)) map.error = rule.error ? rule.error : "no iterator map";
  return map;
}

// ---- back to expressions

static const RlxPrim *split_prim(RlxStore *store, const RlxIterSplit *s) {
  const RlxIterMark *m = s->source;
  const RlxPrim *p = m->leaf ? m->leaf : rlx_iter_sum_prim(store, &m->sum);
  bool whole_mark = rlx_prove_equal(store, NULL, s->extent, m->extent) == RLX_YES;
  if (!whole_mark || !rlx_iter_is(s->lower_factor, 1)) {
    const RlxPrim *end = rlx_prim_simplify(store, rlx_prim_mul(store, s->extent, s->lower_factor));
    bool is_outer = rlx_prove_equal(store, NULL, m->extent, end) == RLX_YES;
    if (is_outer && rlx_iter_is(s->extent, 1) && !rlx_iter_is(m->extent, 1))
      return rlx_prim_int(store, 0);
    if (!is_outer) p = rlx_prim_floormod(store, p, end);
    p = rlx_prim_floordiv(store, p, s->lower_factor);
  }
  return rlx_prim_mul(store, p, s->scale);
}

const RlxPrim *rlx_iter_sum_prim(RlxStore *store, const RlxIterSum *sum) {
  const RlxPrim *p = NULL;
  for (int i = 0; i < sum->split_count; i++) {
    const RlxPrim *s = split_prim(store, &sum->splits[i]);
    p = p ? rlx_prim_add(store, p, s) : s;
  }
  return p ? rlx_prim_add(store, p, sum->base) : sum->base;
}
