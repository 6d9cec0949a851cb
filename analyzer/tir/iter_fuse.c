/// Marks over loops and sums, and fusing a sum into one split of a mark.
#include "analyzer/tir/iter_impl.h"

bool rlx_iter_fail(RlxIterRule *r, const char *error) {
  if (!r->error) r->error = error;
  return false;
}

const char *rlx_iter_text(RlxIterRule *r, const RlxPrim *p) {
  RlxBuf buf = {0};
  rlx_prim_tell(r->store, p, &buf);
  const char *text = rlx_arena_strdup(r->arena, rlx_buf_text(&buf));
  rlx_buf_free(&buf);
  return text;
}

// ---- marks and sums

bool rlx_iter_same_split(const RlxIterSplit *a, const RlxIterSplit *b, bool with_scale) {
  return a->source == b->source && a->lower_factor == b->lower_factor && a->extent == b->extent &&
         (!with_scale || a->scale == b->scale);
}

static bool same_sum(const RlxIterSum *a, const RlxIterSum *b) {
  if (a->split_count != b->split_count || a->base != b->base) return false;
  for (int i = 0; i < a->split_count; i++)
    if (!rlx_iter_same_split(&a->splits[i], &b->splits[i], true)) return false;
  return true;
}

RlxIterSum rlx_iter_kept(RlxIterRule *r, const RlxIterWork *sum) {
  return (RlxIterSum){
      sum->count ? rlx_arena_copy(r->arena, sum->splits, (size_t)sum->count, sizeof *sum->splits)
                 : NULL,
      sum->count, sum->base};
}

const RlxIterMark *rlx_iter_mark_of(RlxIterRule *r, const RlxPrim *leaf, const RlxIterSum *sum,
                                    const RlxPrim *extent) {
  for (int i = 0; i < r->mark_count; i++) {
    const RlxIterMark *m = r->marks[i];
    if (m->extent == extent && m->leaf == leaf && (leaf || same_sum(&m->sum, sum))) return m;
  }
  if (r->mark_count == RLX_ITER_MARKS_MAX) {
    rlx_iter_fail(r, "too large");
    return NULL;
  }
  RlxIterMark *m = rlx_arena_one(r->arena, RlxIterMark);
  m->leaf = leaf;
  if (!leaf) m->sum = *sum;
  m->extent = extent;
  r->marks[r->mark_count++] = m;
  return m;
}

// ---- fusing a sum into one split

/// The split with the smallest constant scale, the innermost of equals, units first; without
/// constant scales the one with the fewest factors. `source`: only its splits, or NULL; not right
/// of `last`.
static int smallest_scale(const RlxIterWork *sum, const bool *used, const RlxIterMark *source,
                          int last) {
  int best = -1;
  int64_t best_scale = 0, k;
  for (int i = last; i >= 0; i--) {
    const RlxIterSplit *s = &sum->splits[i];
    if (used[i] || (source && s->source != source) || !rlx_prim_is_const(s->scale, &k)) continue;
    if (best < 0 || k < best_scale) {
      best = i;
      best_scale = k;
    } else if (k == best_scale && rlx_iter_is(s->extent, 1) &&
               !rlx_iter_is(sum->splits[best].extent, 1)) {
      best = i;
    }
  }
  if (best >= 0) return best;
  uint32_t best_size = 0;
  for (int i = last; i >= 0; i--) {
    const RlxIterSplit *s = &sum->splits[i];
    if (used[i] || (source && s->source != source)) continue;
    if (best < 0 || s->scale->size < best_size) {
      best = i;
      best_size = s->scale->size;
    }
  }
  return best;
}

/// A split whose scale is `scale`, units first, else the innermost; -1.
static int with_scale(RlxIterRule *r, const RlxIterWork *sum, const bool *used,
                      const RlxPrim *scale, const RlxIterMark *source, int last) {
  int found = -1;
  for (int i = last; i >= 0; i--) {
    const RlxIterSplit *s = &sum->splits[i];
    if (used[i] || (source && s->source != source) || !rlx_iter_equal(r, s->scale, scale)) continue;
    if (rlx_iter_is(s->extent, 1)) return i;
    if (found < 0) found = i;
  }
  return found;
}

/// A split whose scale is the largest that is proved to be in [0, scale]; -1.
static int with_smaller_scale(RlxIterRule *r, const RlxIterWork *sum, const bool *used,
                              const RlxPrim *scale) {
  int found = -1;
  for (int i = sum->count - 1; i >= 0; i--) {
    const RlxPrim *s = sum->splits[i].scale;
    if (used[i] || !rlx_iter_at_most(r, s, scale) || !rlx_iter_at_most(r, rlx_iter_number(r, 0), s))
      continue;
    if (found < 0 ||
        rlx_prove_less(r->store, r->query->facts, sum->splits[found].scale, s) == RLX_YES)
      found = i;
  }
  return found;
}

/// Joins neighbouring splits of one mark: (x // (c*s)) % m * s + (x // c) % s is (x // c) % (m*s).
static void join_splits(RlxIterRule *r, RlxIterWork *sum) {
  bool repeats = false;
  for (int i = 0; i < sum->count && !repeats; i++)
    for (int k = 0; k < i; k++) repeats = repeats || sum->splits[i].source == sum->splits[k].source;
  if (!repeats) return;
  bool used[RLX_ITER_SPLITS_MAX] = {false};
  RlxIterSplit joined[RLX_ITER_SPLITS_MAX]; // innermost first
  int count = 0;
  for (int last = sum->count - 1; last >= 0;) {
    if (used[last]) {
      last--;
      continue;
    }
    const RlxIterMark *source = sum->splits[last].source;
    int at = smallest_scale(sum, used, source, last);
    used[at] = true;
    RlxIterSplit inner = sum->splits[at];
    for (;;) {
      at = with_scale(r, sum, used, rlx_iter_mul(r, inner.extent, inner.scale), source, last);
      if (at < 0 || !rlx_iter_equal(r, sum->splits[at].lower_factor,
                                    rlx_iter_mul(r, inner.lower_factor, inner.extent)))
        break;
      used[at] = true;
      inner.extent = rlx_iter_mul(r, inner.extent, sum->splits[at].extent);
    }
    joined[count++] = inner;
  }
  for (int i = 0; i < count; i++) sum->splits[i] = joined[count - 1 - i];
  sum->count = count;
}

/// The largest bound of the predicate whose innermost split is `split`, or NULL.
static const RlxIterFused *bound_from(const RlxIterRule *r, const RlxIterSplit *split) {
  const RlxIterFused *best = NULL;
  for (int i = 0; i < r->fused_count; i++) {
    const RlxIterFused *f = &r->fused[i];
    if (!f->is_bound ||
        !rlx_iter_same_split(split, &f->flat.splits[f->flat.split_count - 1], false))
      continue;
    if (!best || best->flat.split_count < f->flat.split_count) best = f;
  }
  return best;
}

/// The splits of `bound`, scaled, taken out of `sum` and appended to `flat`. False when they are
/// not all there.
static bool take_bound(RlxIterRule *r, const RlxIterFused *bound, const RlxPrim *scale,
                       const RlxIterWork *sum, bool *used, RlxIterWork *flat) {
  for (int b = bound->flat.split_count - 1; b >= 0; b--) {
    const RlxIterSplit *wanted = &bound->flat.splits[b];
    int k = 0;
    while (k < sum->count &&
           (used[k] || !rlx_iter_same_split(&sum->splits[k], wanted, false) ||
            !rlx_iter_equal(r, rlx_iter_mul(r, wanted->scale, scale), sum->splits[k].scale)))
      k++;
    if (k == sum->count) return false;
    used[k] = true;
    flat->splits[flat->count++] = sum->splits[k];
  }
  return true;
}

static void reverse(RlxIterWork *sum) {
  for (int i = 0, k = sum->count - 1; i < k; i++, k--) {
    RlxIterSplit s = sum->splits[i];
    sum->splits[i] = sum->splits[k];
    sum->splits[k] = s;
  }
}

/// The entry of `r->fused` for these splits, a new one where there is none; -1: it does not fit, or there are too many.
static int entry_of(RlxIterRule *r, const RlxIterWork *flat, const RlxIterWork *grouped,
                    const RlxPrim *extent, const RlxPrim *offset, const RlxPrim *unit) {
  const RlxIterSum sum = {flat->splits, flat->count, flat->base};
  int entry = 0;
  while (entry < r->fused_count && !same_sum(&r->fused[entry].flat, &sum)) entry++;
  if (entry < r->fused_count)
    return rlx_iter_equal(r, offset, rlx_iter_mul(r, r->fused[entry].offset, unit)) ? entry : -1;
  if (entry == RLX_ITER_MARKS_MAX) return rlx_iter_fail(r, "too large"), -1;
  const RlxIterSum g = rlx_iter_kept(r, grouped);
  const RlxIterMark *mark = rlx_iter_mark_of(r, NULL, &g, extent);
  if (!mark) return -1;
  r->fused[r->fused_count++] = (RlxIterFused){rlx_iter_kept(r, flat), g, mark, offset, false};
  return entry;
}

bool rlx_iter_fuse(RlxIterRule *r, RlxIterWork *sum, bool early, int *out_fused) {
  int before = sum->count;
  join_splits(r, sum);
  if (early && before > 1 && sum->count <= 1) return true;
  bool used[RLX_ITER_SPLITS_MAX] = {false};
  int at = smallest_scale(sum, used, NULL, sum->count - 1);
  if (at < 0) return false;
  const RlxPrim *unit = sum->splits[at].scale, *expected = unit;
  const RlxPrim *offset = rlx_iter_number(r, 0), *tail = rlx_iter_number(r, 0);
  RlxIterWork flat = {.count = 0, .base = rlx_iter_number(r, 0)}, grouped = flat;
  for (int done = 0; done < sum->count;) {
    const RlxPrim *scale = expected;
    if (done) {
      at = with_scale(r, sum, used, expected, NULL, sum->count - 1);
      if (at < 0 && r->query->level != RLX_ITER_BIJECTIVE && rlx_iter_is(unit, 1)) {
        at = with_smaller_scale(r, sum, used, expected);
        if (at >= 0) {
          scale = sum->splits[at].scale;
          tail = rlx_iter_add(r, tail, rlx_iter_sub(r, expected, scale));
        }
      }
      if (at < 0) return false;
    }
    const RlxIterFused *bound = bound_from(r, &sum->splits[at]);
    if (bound) {
      if (!take_bound(r, bound, scale, sum, used, &flat)) return false;
      grouped.splits[grouped.count++] =
          rlx_iter_whole(r, bound->mark, rlx_iter_quo(r, scale, unit));
      offset = rlx_iter_add(r, offset, rlx_iter_mul(r, bound->offset, scale));
      expected = rlx_iter_mul(r, bound->mark->extent, scale);
      done += bound->flat.split_count;
    } else {
      used[at] = true;
      RlxIterSplit s = sum->splits[at];
      expected = rlx_iter_mul(r, s.extent, scale);
      s.scale = rlx_iter_quo(r, s.scale, unit);
      flat.splits[flat.count++] = s;
      grouped.splits[grouped.count++] = s;
      done++;
    }
  }
  reverse(&flat);
  reverse(&grouped);
  const RlxPrim *extent = rlx_iter_add(r, rlx_iter_quo(r, expected, unit), tail);
  const int entry = entry_of(r, &flat, &grouped, extent, offset, unit);
  if (entry < 0) return false;
  sum->splits[0] = rlx_iter_whole(r, r->fused[entry].mark, unit);
  sum->count = 1;
  sum->base = rlx_iter_add(r, sum->base, offset);
  if (out_fused) *out_fused = entry;
  return true;
}
