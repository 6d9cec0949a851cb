/// The rule for loop bindings: index expressions as sums of splits and fuses of loops.
///
/// After TVM's arith.detect_iter_map. An expression is rewritten bottom up to a sum of splits of
/// marks: `//` and `%` make splits finer, a sum whose scales fit into each other is fused into a
/// new mark; bounds of the predicate become extents of marks. At the end the splits of every mark
/// must be independent, and for a bijection cover it. Where a division is not even, a mark is
/// padded; a bijection is never padded.
///
/// Always true: all expressions are simplified, so equal ones are mostly the same pointer; work is
/// bounded by the limits below.
#include "analyzer/tir/iter_map.h"

#include <stdio.h>

#include "analyzer/int_math.h"

enum {
  SPLITS_MAX = 32,  // in one sum
  MARKS_MAX = 128,  // of one map
  DEPTH_MAX = 200,  // of an index expression
  STEPS_MAX = 2000, // nodes looked at in one map
  BOUNDS_MAX = 32,  // conjuncts of the predicate
};

typedef struct Sum { // an RlxIterSum that can grow
  RlxIterSplit splits[SPLITS_MAX];
  int count;
  const RlxPrim *base;
} Sum;

typedef struct Fused { // a sum that was fused: two forms of it, and the mark that it became
  RlxIterSum flat, grouped;
  const RlxIterMark *mark;
  const RlxPrim *offset;
  bool is_bound; // by the predicate
} Fused;

typedef struct Padding {
  const RlxIterMark *mark, *padded; // `padded` NULL until the second pass meets it
  const RlxPrim *factor, *left;
} Padding;

typedef struct Bound { // low <= iter < high; either may be NULL
  const RlxPrim *iter, *low, *high;
} Bound;

typedef struct Rule {
  RlxStore *store;
  RlxArena *arena;
  const RlxIterQuery *query;
  const RlxIterMark *marks[MARKS_MAX];
  int mark_count;
  const RlxIterMark *inputs[MARKS_MAX]; // the loops' marks; NULL: a constant
  const RlxPrim *lows[MARKS_MAX];       // the loops' minimums
  Fused fused[MARKS_MAX];
  int fused_count;
  Padding paddings[MARKS_MAX];
  int padding_count;
  bool pads;          // first pass: collect paddings
  bool needs_padding; // the first pass found some
  int steps;
  const char *error;
} Rule;

// ---- arithmetic

static const RlxPrim *fold(Rule *r, RlxPrimKind kind, const RlxPrim *a, const RlxPrim *b) {
  return rlx_prim_simplify(r->store, rlx_prim_binary(r->store, kind, a, b));
}
static const RlxPrim *add(Rule *r, const RlxPrim *a, const RlxPrim *b) {
  return fold(r, RLX_PRIM_ADD, a, b);
}
static const RlxPrim *sub(Rule *r, const RlxPrim *a, const RlxPrim *b) {
  return fold(r, RLX_PRIM_SUB, a, b);
}
static const RlxPrim *mul(Rule *r, const RlxPrim *a, const RlxPrim *b) {
  return fold(r, RLX_PRIM_MUL, a, b);
}
static const RlxPrim *quo(Rule *r, const RlxPrim *a, const RlxPrim *b) {
  return fold(r, RLX_PRIM_FLOORDIV, a, b);
}
static const RlxPrim *rem(Rule *r, const RlxPrim *a, const RlxPrim *b) {
  return fold(r, RLX_PRIM_FLOORMOD, a, b);
}
static const RlxPrim *number(Rule *r, int64_t value) { return rlx_prim_int(r->store, value); }

static bool is_number(const RlxPrim *p, int64_t value) {
  int64_t k;
  return rlx_prim_is_const(p, &k) && k == value;
}

static bool equal(Rule *r, const RlxPrim *a, const RlxPrim *b) {
  if (a == b) return true;
  int64_t i, k;
  if (rlx_prim_is_const(a, &i) && rlx_prim_is_const(b, &k)) return i == k;
  return rlx_prove_equal(r->store, r->query->facts, a, b) == RLX_YES;
}

static bool at_most(Rule *r, const RlxPrim *a, const RlxPrim *b) {
  return rlx_prove_less_equal(r->store, r->query->facts, a, b) == RLX_YES;
}

static bool divides(Rule *r, const RlxPrim *divisor, const RlxPrim *a) {
  int64_t i, k;
  if (rlx_prim_is_const(divisor, &k) && k == 0) return false;
  if (rlx_prim_is_const(a, &i) && rlx_prim_is_const(divisor, &k)) return k == -1 || i % k == 0;
  return equal(r, a, divisor) || equal(r, rem(r, a, divisor), number(r, 0));
}

/// What to add to `a` to reach a multiple of `b`.
static const RlxPrim *up_to_multiple(Rule *r, const RlxPrim *a, const RlxPrim *b) {
  if (divides(r, b, a)) return number(r, 0);
  int64_t k, min, max;
  if (rlx_prim_is_const(b, &k) && k > 0) { // all values of `a` below one multiple
    rlx_prim_bounds(r->store, r->query->facts, a, &min, &max);
    if (min > 0 && max < INT64_MAX - k && (min - 1) / k == (max - 1) / k)
      return sub(r, number(r, ((max - 1) / k + 1) * k), a);
  }
  return rem(r, sub(r, number(r, 0), a), b);
}

static bool fail(Rule *r, const char *error) {
  if (!r->error) r->error = error;
  return false;
}

static const char *text_of(Rule *r, const RlxPrim *p) {
  RlxBuf buf = {0};
  rlx_prim_print(r->store, p, &buf);
  const char *text = rlx_arena_strdup(r->arena, rlx_buf_text(&buf));
  rlx_buf_free(&buf);
  return text;
}

// ---- marks and sums

static bool same_split(const RlxIterSplit *a, const RlxIterSplit *b, bool with_scale) {
  return a->source == b->source && a->lower_factor == b->lower_factor && a->extent == b->extent &&
         (!with_scale || a->scale == b->scale);
}

static bool same_sum(const RlxIterSum *a, const RlxIterSum *b) {
  if (a->split_count != b->split_count || a->base != b->base) return false;
  for (int i = 0; i < a->split_count; i++)
    if (!same_split(&a->splits[i], &b->splits[i], true)) return false;
  return true;
}

static RlxIterSum kept(Rule *r, const Sum *sum) {
  return (RlxIterSum){
      sum->count ? rlx_arena_copy(r->arena, sum->splits, (size_t)sum->count, sizeof *sum->splits)
                 : NULL,
      sum->count, sum->base};
}

/// The mark over a loop, or over `sum`; equal marks are one. NULL (and an error) when there are too
/// many.
static const RlxIterMark *mark_of(Rule *r, const RlxPrim *leaf, const RlxIterSum *sum,
                                  const RlxPrim *extent) {
  for (int i = 0; i < r->mark_count; i++) {
    const RlxIterMark *m = r->marks[i];
    if (m->extent == extent && m->leaf == leaf && (leaf || same_sum(&m->sum, sum))) return m;
  }
  if (r->mark_count == MARKS_MAX) {
    fail(r, "too large");
    return NULL;
  }
  RlxIterMark *m = rlx_arena_one(r->arena, RlxIterMark);
  m->leaf = leaf;
  if (!leaf) m->sum = *sum;
  m->extent = extent;
  r->marks[r->mark_count++] = m;
  return m;
}

static RlxIterSplit whole(Rule *r, const RlxIterMark *mark, const RlxPrim *scale) {
  return (RlxIterSplit){mark, number(r, 1), mark->extent, scale};
}

static void sum_plain(Sum *out, const RlxPrim *base) {
  out->count = 0;
  out->base = base;
}

/// out += sign * split
static bool sum_add_split(Rule *r, Sum *out, RlxIterSplit split, int sign) {
  for (int i = 0; i < out->count; i++)
    if (same_split(&out->splits[i], &split, false)) {
      out->splits[i].scale =
          fold(r, sign > 0 ? RLX_PRIM_ADD : RLX_PRIM_SUB, out->splits[i].scale, split.scale);
      return true;
    }
  if (out->count == SPLITS_MAX) return fail(r, "too large");
  if (sign < 0) split.scale = sub(r, number(r, 0), split.scale);
  out->splits[out->count++] = split;
  return true;
}

// ---- fusing a sum into one split

/// The split with the smallest constant scale, the innermost of equals, units first; without
/// constant scales the one with the fewest factors. `source`: only its splits, or NULL; not right
/// of `last`.
static int smallest_scale(const Sum *sum, const bool *used, const RlxIterMark *source, int last) {
  int best = -1;
  int64_t best_scale = 0, k;
  for (int i = last; i >= 0; i--) {
    const RlxIterSplit *s = &sum->splits[i];
    if (used[i] || (source && s->source != source) || !rlx_prim_is_const(s->scale, &k)) continue;
    if (best < 0 || k < best_scale) {
      best = i;
      best_scale = k;
    } else if (k == best_scale && is_number(s->extent, 1) &&
               !is_number(sum->splits[best].extent, 1)) {
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
static int with_scale(Rule *r, const Sum *sum, const bool *used, const RlxPrim *scale,
                      const RlxIterMark *source, int last) {
  int found = -1;
  for (int i = last; i >= 0; i--) {
    const RlxIterSplit *s = &sum->splits[i];
    if (used[i] || (source && s->source != source) || !equal(r, s->scale, scale)) continue;
    if (is_number(s->extent, 1)) return i;
    if (found < 0) found = i;
  }
  return found;
}

/// A split whose scale is the largest that is proved to be in [0, scale]; -1.
static int with_smaller_scale(Rule *r, const Sum *sum, const bool *used, const RlxPrim *scale) {
  int found = -1;
  for (int i = sum->count - 1; i >= 0; i--) {
    const RlxPrim *s = sum->splits[i].scale;
    if (used[i] || !at_most(r, s, scale) || !at_most(r, number(r, 0), s)) continue;
    if (found < 0 ||
        rlx_prove_less(r->store, r->query->facts, sum->splits[found].scale, s) == RLX_YES)
      found = i;
  }
  return found;
}

/// Joins neighbouring splits of one mark: (x // (c*s)) % m * s + (x // c) % s is (x // c) % (m*s).
static void join_splits(Rule *r, Sum *sum) {
  bool repeats = false;
  for (int i = 0; i < sum->count && !repeats; i++)
    for (int k = 0; k < i; k++) repeats = repeats || sum->splits[i].source == sum->splits[k].source;
  if (!repeats) return;
  bool used[SPLITS_MAX] = {false};
  RlxIterSplit joined[SPLITS_MAX]; // innermost first
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
      at = with_scale(r, sum, used, mul(r, inner.extent, inner.scale), source, last);
      if (at < 0 ||
          !equal(r, sum->splits[at].lower_factor, mul(r, inner.lower_factor, inner.extent)))
        break;
      used[at] = true;
      inner.extent = mul(r, inner.extent, sum->splits[at].extent);
    }
    joined[count++] = inner;
  }
  for (int i = 0; i < count; i++) sum->splits[i] = joined[count - 1 - i];
  sum->count = count;
}

/// The largest bound of the predicate whose innermost split is `split`, or NULL.
static const Fused *bound_from(const Rule *r, const RlxIterSplit *split) {
  const Fused *best = NULL;
  for (int i = 0; i < r->fused_count; i++) {
    const Fused *f = &r->fused[i];
    if (!f->is_bound || !same_split(split, &f->flat.splits[f->flat.split_count - 1], false))
      continue;
    if (!best || best->flat.split_count < f->flat.split_count) best = f;
  }
  return best;
}

/// The splits of `bound`, scaled, taken out of `sum` and appended to `flat`. False when they are
/// not all there.
static bool take_bound(Rule *r, const Fused *bound, const RlxPrim *scale, const Sum *sum,
                       bool *used, Sum *flat) {
  for (int b = bound->flat.split_count - 1; b >= 0; b--) {
    const RlxIterSplit *wanted = &bound->flat.splits[b];
    int k = 0;
    while (k < sum->count && (used[k] || !same_split(&sum->splits[k], wanted, false) ||
                              !equal(r, mul(r, wanted->scale, scale), sum->splits[k].scale)))
      k++;
    if (k == sum->count) return false;
    used[k] = true;
    flat->splits[flat->count++] = sum->splits[k];
  }
  return true;
}

static void reverse(Sum *sum) {
  for (int i = 0, k = sum->count - 1; i < k; i++, k--) {
    RlxIterSplit s = sum->splits[i];
    sum->splits[i] = sum->splits[k];
    sum->splits[k] = s;
  }
}

/// Makes `sum` one split of a mark plus a base: its scales must fit into each other. A sum that is
/// one split already stays when `early`. `out_fused` (may be NULL): which entry it became. False
/// when it does not fit.
static bool fuse(Rule *r, Sum *sum, bool early, int *out_fused) {
  int before = sum->count;
  join_splits(r, sum);
  if (early && before > 1 && sum->count <= 1) return true;
  bool used[SPLITS_MAX] = {false};
  int at = smallest_scale(sum, used, NULL, sum->count - 1);
  if (at < 0) return false;
  const RlxPrim *unit = sum->splits[at].scale, *expected = unit;
  const RlxPrim *offset = number(r, 0), *tail = number(r, 0);
  Sum flat = {.count = 0, .base = number(r, 0)}, grouped = flat;
  for (int done = 0; done < sum->count;) {
    const RlxPrim *scale = expected;
    if (done) {
      at = with_scale(r, sum, used, expected, NULL, sum->count - 1);
      if (at < 0 && r->query->level != RLX_ITER_BIJECTIVE && is_number(unit, 1)) {
        at = with_smaller_scale(r, sum, used, expected);
        if (at >= 0) {
          scale = sum->splits[at].scale;
          tail = add(r, tail, sub(r, expected, scale));
        }
      }
      if (at < 0) return false;
    }
    const Fused *bound = bound_from(r, &sum->splits[at]);
    if (bound) {
      if (!take_bound(r, bound, scale, sum, used, &flat)) return false;
      grouped.splits[grouped.count++] = whole(r, bound->mark, quo(r, scale, unit));
      offset = add(r, offset, mul(r, bound->offset, scale));
      expected = mul(r, bound->mark->extent, scale);
      done += bound->flat.split_count;
    } else {
      used[at] = true;
      RlxIterSplit s = sum->splits[at];
      expected = mul(r, s.extent, scale);
      s.scale = quo(r, s.scale, unit);
      flat.splits[flat.count++] = s;
      grouped.splits[grouped.count++] = s;
      done++;
    }
  }
  reverse(&flat);
  reverse(&grouped);
  RlxIterSum flat_sum = {flat.splits, flat.count, flat.base};
  int entry = 0;
  while (entry < r->fused_count && !same_sum(&r->fused[entry].flat, &flat_sum)) entry++;
  if (entry == r->fused_count) {
    if (entry == MARKS_MAX) return fail(r, "too large");
    RlxIterSum g = kept(r, &grouped);
    const RlxIterMark *mark = mark_of(r, NULL, &g, add(r, quo(r, expected, unit), tail));
    if (!mark) return false;
    r->fused[r->fused_count++] = (Fused){kept(r, &flat), g, mark, offset, false};
  } else if (!equal(r, offset, mul(r, r->fused[entry].offset, unit))) {
    return false;
  }
  sum->splits[0] = whole(r, r->fused[entry].mark, unit);
  sum->count = 1;
  sum->base = add(r, sum->base, offset);
  if (out_fused) *out_fused = entry;
  return true;
}

// ---- division

/// The smallest common multiple as far as it can be seen: of the constant factors, times the one
/// symbolic part that divides the other, else both.
static const RlxPrim *common_multiple(Rule *r, const RlxPrim *a, const RlxPrim *b) {
  const RlxPrim *parts[2] = {a, b};
  int64_t ks[2] = {1, 1};
  for (int i = 0; i < 2; i++) {
    const RlxPrim *p = parts[i];
    if (rlx_prim_is_const(p, &ks[i])) {
      parts[i] = number(r, 1);
    } else if (p->kind == RLX_PRIM_MUL && rlx_prim_is_const(p->args[1], &ks[i])) {
      parts[i] = p->args[0];
    }
  }
  int64_t lcm = 0;
  int64_t g = rlx_int_gcd(ks[0], ks[1]);
  if (g == 0 || !rlx_int_mul(ks[0] / g, ks[1], &lcm)) return mul(r, a, b);
  const RlxPrim *k = number(r, lcm < 0 ? -lcm : lcm);
  if (divides(r, parts[1], parts[0])) return mul(r, parts[0], k);
  if (divides(r, parts[0], parts[1])) return mul(r, parts[1], k);
  return mul(r, mul(r, parts[0], parts[1]), k);
}

static Padding *padding_of(Rule *r, const RlxIterMark *mark) {
  for (int i = 0; i < r->padding_count; i++)
    if (r->paddings[i].mark == mark) return &r->paddings[i];
  return NULL;
}

static bool is_padded(const Rule *r, const RlxIterMark *mark, const RlxIterMark **origin) {
  for (int i = 0; i < r->padding_count; i++)
    if (r->paddings[i].padded == mark) return *origin = r->paddings[i].mark, true;
  return false;
}

/// First pass: notes what `split` + left, divided by `divisor`, wants of its mark.
static bool note_padding(Rule *r, RlxIterSplit *split, const RlxPrim **left, const RlxPrim *right,
                         const RlxPrim *divisor) {
  Padding *p = padding_of(r, split->source);
  if (!p) {
    if (r->padding_count == MARKS_MAX) return fail(r, "too large");
    p = &r->paddings[r->padding_count++];
    *p = (Padding){split->source, NULL, number(r, 1), number(r, 0)};
  }
  p->factor = common_multiple(r, p->factor, mul(r, divisor, split->lower_factor));
  if (is_number(*left, 0) && is_number(right, 0)) return true;
  r->needs_padding = true;
  p->left = fold(r, RLX_PRIM_MAX, p->left, mul(r, *left, split->lower_factor));
  split->extent = add(r, add(r, *left, split->extent), right);
  return true;
}

/// Extends `split`'s mark so that split + base can be divided by `divisor`; `*left` is what was put
/// before it.
static bool pad(Rule *r, RlxIterSplit *split, const RlxPrim *base, const RlxPrim *divisor,
                const RlxPrim **left) {
  *left = rem(r, base, divisor);
  const RlxPrim *right = up_to_multiple(r, add(r, *left, split->extent), divisor);
  if (r->pads) return note_padding(r, split, left, right, divisor);
  Padding *p = padding_of(r, split->source);
  if (!p) // an offset inside of a division shifts values from one part to the next
    return is_number(*left, 0) || r->query->level != RLX_ITER_BIJECTIVE ||
           fail(r, "a division of a shifted iterator is no bijection");
  if (is_number(p->left, 0) && divides(r, p->factor, p->mark->extent)) return true;
  if (!p->padded) {
    if (!divides(r, split->lower_factor, p->left))
      return fail(r, "two divisions shift an iterator in different ways");
    Sum inner = {.count = 1, .base = p->left};
    inner.splits[0] = whole(r, p->mark, number(r, 1));
    RlxIterSum sum = kept(r, &inner);
    const RlxPrim *extent = add(r, p->mark->extent, p->left);
    extent = add(r, extent, up_to_multiple(r, extent, p->factor));
    p->padded = mark_of(r, NULL, &sum, extent);
    if (!p->padded) return false;
  }
  *left = quo(r, p->left, split->lower_factor);
  split->source = p->padded;
  split->extent = quo(r, p->padded->extent, split->lower_factor);
  return true;
}

/// A dividend as one split plus base; `*plain` when it has no split at all.
static bool one_split(Rule *r, Sum *dividend, const RlxPrim *whole_expr) {
  if (dividend->count <= 1) return true;
  if (fuse(r, dividend, true, NULL)) return true;
  return fail(r,
              rlx_arena_printf(r->arena, "%s is not one fused iterator", text_of(r, whole_expr)));
}

/// Takes a common factor of scale and divisor out. False: there is none.
static bool reduce_scale(Rule *r, RlxIterSplit *s, const RlxPrim **base, const RlxPrim **divisor,
                         bool keep_scale) {
  if (is_number(s->scale, 1)) return true;
  if (!divides(r, s->scale, *divisor) || !divides(r, s->scale, *base))
    return fail(r, rlx_arena_printf(r->arena, "the scale %s and the divisor %s do not divide",
                                    text_of(r, s->scale), text_of(r, *divisor)));
  *base = quo(r, *base, s->scale);
  *divisor = quo(r, *divisor, s->scale);
  if (!keep_scale) s->scale = number(r, 1);
  return true;
}

static bool divide(Rule *r, Sum *a, const RlxPrim *divisor) {
  RlxIterSplit s = a->splits[0];
  if (is_number(divisor, 1)) return true;
  if (!is_number(s.scale, 1) && divides(r, divisor, s.scale) && divides(r, divisor, a->base)) {
    a->splits[0].scale = quo(r, s.scale, divisor);
    a->base = quo(r, a->base, divisor);
    return true;
  }
  const RlxPrim *left;
  if (!reduce_scale(r, &s, &a->base, &divisor, false)) return false;
  if (is_number(divisor, 1)) {
    a->splits[0] = s;
    return true;
  }
  if (!pad(r, &s, a->base, divisor, &left)) return false;
  if (divides(r, divisor, s.extent)) {
    s.lower_factor = mul(r, s.lower_factor, divisor);
    s.extent = quo(r, s.extent, divisor);
  } else {
    const RlxPrim *up = sub(r, add(r, s.extent, divisor), number(r, 1));
    if (!is_number(s.lower_factor, 1) || !equal(r, s.extent, s.source->extent)) {
      Sum inner = {.count = 1, .base = number(r, 0)};
      inner.splits[0] = s;
      RlxIterSum sum = kept(r, &inner);
      s.source = mark_of(r, NULL, &sum, s.extent);
      if (!s.source) return false;
      s.scale = number(r, 1);
    }
    s.lower_factor = divisor;
    s.extent = quo(r, up, divisor);
  }
  a->splits[0] = s;
  a->base = quo(r, sub(r, a->base, left), divisor);
  return true;
}

static bool modulo(Rule *r, Sum *a, const RlxPrim *divisor) {
  RlxIterSplit s = a->splits[0];
  if (is_number(divisor, 1) ||
      (!is_number(s.scale, 1) && divides(r, divisor, s.scale) && divides(r, divisor, a->base))) {
    sum_plain(a, number(r, 0));
    return true;
  }
  const RlxPrim *left;
  if (!reduce_scale(r, &s, &a->base, &divisor, true)) return false;
  if (is_number(divisor, 1)) {
    sum_plain(a, number(r, 0));
    return true;
  }
  if (!pad(r, &s, a->base, divisor, &left)) return false;
  s.extent = divisor;
  a->splits[0] = s;
  a->base = number(r, 0);
  return true;
}

// ---- rewriting an expression

static int loop_of(const Rule *r, const RlxPrim *p) {
  for (int i = 0; p->kind == RLX_PRIM_VAR && i < r->query->loop_count; i++)
    if (r->query->loops[i].var == p->var) return i;
  return -1;
}

static bool is_loop_var(const RlxSymVar *var, void *data) {
  const RlxIterQuery *q = data;
  for (int i = 0; i < q->loop_count; i++)
    if (q->loops[i].var == var) return true;
  return false;
}

static bool is_no_loop_var(const RlxSymVar *var, void *data) { return !is_loop_var(var, data); }

static bool uses_loops(const Rule *r, const RlxPrim *p) {
  RlxIterQuery q = *r->query;
  return !rlx_prim_all_vars(p, is_no_loop_var, &q);
}

static bool rewrite(Rule *r, const RlxPrim *p, int depth, Sum *out);

static bool rewrite_division(Rule *r, const RlxPrim *p, Sum *a, const Sum *b) {
  if (b->count)
    return fail(r, rlx_arena_printf(r->arena, "the divisor in %s uses a loop", text_of(r, p)));
  if (a->count && !one_split(r, a, p->args[0])) return false;
  if (!a->count) {
    sum_plain(a, fold(r, (RlxPrimKind)p->kind, a->base, b->base));
    return true;
  }
  return p->kind == RLX_PRIM_FLOORDIV ? divide(r, a, b->base) : modulo(r, a, b->base);
}

static bool rewrite_product(Rule *r, const RlxPrim *p, Sum *a, Sum *b) {
  if (a->count && b->count)
    return fail(r, rlx_arena_printf(r->arena, "%s is a product of loops", text_of(r, p)));
  if (!a->count) {
    Sum c = *a;
    *a = *b;
    *b = c;
  }
  for (int i = 0; i < a->count; i++) a->splits[i].scale = mul(r, a->splits[i].scale, b->base);
  a->base = mul(r, a->base, b->base);
  return true;
}

/// `p` as a sum of splits.
static bool rewrite(Rule *r, const RlxPrim *p, int depth, Sum *out) {
  if (depth > DEPTH_MAX || ++r->steps > STEPS_MAX) return fail(r, "too large");
  int loop = loop_of(r, p);
  if (loop >= 0) {
    sum_plain(out, r->lows[loop]);
    if (r->inputs[loop]) out->splits[out->count++] = whole(r, r->inputs[loop], number(r, 1));
    return true;
  }
  if (!uses_loops(r, p)) {
    sum_plain(out, rlx_prim_simplify(r->store, p));
    return true;
  }
  bool is_sum = p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB;
  bool is_division = p->kind == RLX_PRIM_FLOORDIV || p->kind == RLX_PRIM_FLOORMOD;
  if (p->kind == RLX_PRIM_CAST) return rewrite(r, p->args[0], depth + 1, out);
  if (!is_sum && !is_division && p->kind != RLX_PRIM_MUL)
    return fail(r, rlx_arena_printf(r->arena, "%s is not affine in the loops", text_of(r, p)));
  Sum *b = rlx_arena_one(r->arena, Sum);
  if (!rewrite(r, p->args[0], depth + 1, out) || !rewrite(r, p->args[1], depth + 1, b))
    return false;
  if (p->kind == RLX_PRIM_MUL) return rewrite_product(r, p, out, b);
  if (is_division) return rewrite_division(r, p, out, b);
  for (int i = 0; i < b->count; i++)
    if (!sum_add_split(r, out, b->splits[i], p->kind == RLX_PRIM_ADD ? 1 : -1)) return false;
  out->base = fold(r, (RlxPrimKind)p->kind, out->base, b->base);
  return true;
}

// ---- the predicate

/// Splits a - b into the terms with loops (`iter`) and the others, on the other side (`bound`).
static void sort_terms(Rule *r, const RlxPrim *p, bool positive, const RlxPrim **iter,
                       const RlxPrim **bound) {
  if (p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB) {
    sort_terms(r, p->args[0], positive, iter, bound);
    sort_terms(r, p->args[1], p->kind == RLX_PRIM_ADD ? positive : !positive, iter, bound);
    return;
  }
  if (uses_loops(r, p))
    *iter = fold(r, positive ? RLX_PRIM_ADD : RLX_PRIM_SUB, *iter, p);
  else
    *bound = fold(r, positive ? RLX_PRIM_SUB : RLX_PRIM_ADD, *bound, p);
}

/// The conjuncts of `p` as bounds of expressions over loops. Other conjuncts hold for all loops or
/// for none: false for those.
static bool read_bounds(Rule *r, const RlxPrim *p, Bound *bounds, int *count, bool *is_whole) {
  if (p->kind == RLX_PRIM_AND)
    return read_bounds(r, p->args[0], bounds, count, is_whole) &&
           read_bounds(r, p->args[1], bounds, count, is_whole);
  if (is_number(p, 1)) return true;
  if (p->kind != RLX_PRIM_LT && p->kind != RLX_PRIM_LE)
    return fail(r, "the predicate is no conjunction of bounds");
  const RlxPrim *a = p->args[0], *b = p->args[1], *one = number(r, 1);
  if (!uses_loops(r, p)) {
    *is_whole = false;
    return true;
  }
  if (*count == BOUNDS_MAX) return fail(r, "too large");
  Bound *out = &bounds[(*count)++];
  if (!uses_loops(r, a)) { // bound < iter
    *out = (Bound){b, rlx_prim_simplify(r->store, a), NULL};
    if (p->kind == RLX_PRIM_LT) out->low = add(r, out->low, one);
    return true;
  }
  if (uses_loops(r, b)) {
    const RlxPrim *difference = sub(r, a, b);
    a = b = number(r, 0);
    sort_terms(r, difference, true, &a, &b);
  }
  *out = (Bound){a, NULL, rlx_prim_simplify(r->store, b)};
  if (p->kind == RLX_PRIM_LE) out->high = add(r, out->high, one);
  return true;
}

/// A bound of a single loop narrows it; true when it was one.
static bool narrow_loop(Rule *r, const Bound *b, RlxLoopRange *loops) {
  int loop = loop_of(r, b->iter);
  if (loop < 0) return false;
  const RlxPrim *min = rlx_prim_simplify(r->store, loops[loop].min);
  const RlxPrim *end = add(r, min, loops[loop].extent);
  if (b->low) min = at_most(r, min, b->low) ? b->low : fold(r, RLX_PRIM_MAX, min, b->low);
  if (b->high) end = at_most(r, b->high, end) ? b->high : fold(r, RLX_PRIM_MIN, end, b->high);
  loops[loop].min = min;
  loops[loop].extent = sub(r, end, min);
  return true;
}

/// Fuses the iterator of a bound, and gives its mark the extent that the bound leaves.
static bool apply_bound(Rule *r, const Bound *b) {
  Sum *sum = rlx_arena_one(r->arena, Sum);
  if (!rewrite(r, b->iter, 0, sum)) return false;
  if (!sum->count) return true;
  const RlxPrim *low = b->low ? sub(r, b->low, sum->base) : NULL;
  const RlxPrim *high = b->high ? sub(r, b->high, sum->base) : NULL;
  sum->base = number(r, 0);
  int entry = -1;
  if (!fuse(r, sum, false, &entry) || entry < 0 || !is_number(sum->splits[0].scale, 1))
    return fail(r, "a bound of the predicate is no iterator");
  Fused *f = &r->fused[entry];
  const RlxPrim *min = f->offset, *max = add(r, min, f->mark->extent);
  const RlxPrim *first = min;
  if (low) first = at_most(r, low, min) ? min : fold(r, RLX_PRIM_MAX, low, min);
  if (high) max = at_most(r, high, max) ? high : fold(r, RLX_PRIM_MIN, high, max);
  f->grouped.base = sub(r, f->grouped.base, sub(r, first, min));
  f->mark = mark_of(r, NULL, &f->grouped, sub(r, max, first));
  f->offset = first;
  f->is_bound = true;
  return f->mark != NULL;
}

/// Bounds may nest or be apart, not overlap.
static bool bounds_agree(const Rule *r) {
  for (int i = 0; i < r->fused_count; i++)
    for (int k = 0; k < r->fused_count; k++) {
      const RlxIterSum *a = &r->fused[i].flat, *b = &r->fused[k].flat;
      if (i == k || !r->fused[i].is_bound || !r->fused[k].is_bound ||
          a->split_count > b->split_count)
        continue;
      int inside = 0;
      for (int x = 0; x < a->split_count; x++)
        for (int y = 0; y < b->split_count; y++)
          if (same_split(&a->splits[x], &b->splits[y], true)) {
            inside++;
            break;
          }
      if (inside != 0 && inside != a->split_count) return false;
    }
  return true;
}

// ---- independence

typedef struct Uses { // the splits that refer to each mark
  const RlxIterMark *marks[MARKS_MAX];
  int mark_count;
  struct {
    int mark;
    const RlxIterSplit *split;
  } at[MARKS_MAX * 2];
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
      if (u->mark_count == MARKS_MAX) {
        u->is_full = true;
        return;
      }
      m = u->mark_count++;
      u->marks[m] = mark;
      if (!mark->leaf) collect_uses(u, &mark->sum);
    }
    if (u->count == MARKS_MAX * 2) {
      u->is_full = true;
      return;
    }
    u->at[u->count].mark = m;
    u->at[u->count++].split = &sum->splits[i];
  }
}

/// Do the splits of one mark fit together, from the innermost out, and into the mark?
static bool splits_fit(Rule *r, const Uses *u, int mark) {
  const RlxIterSplit *splits[MARKS_MAX * 2];
  bool used[MARKS_MAX * 2] = {false};
  int count = 0;
  for (int i = 0; i < u->count; i++)
    if (u->at[i].mark == mark) splits[count++] = u->at[i].split;
  const bool bijective = r->query->level == RLX_ITER_BIJECTIVE;
  const RlxPrim *expected = number(r, 1);
  for (int done = 0; done < count; done++) {
    int at = 0;
    while (at < count && (used[at] || !equal(r, splits[at]->lower_factor, expected))) at++;
    if (at == count) { // a gap: the next finest whose factor is a multiple
      if (bijective) return false;
      at = -1;
      for (int i = 0; i < count; i++) {
        if (used[i]) continue;
        if (!divides(r, expected, splits[i]->lower_factor)) return false;
        if (at < 0 || divides(r, splits[i]->lower_factor, splits[at]->lower_factor)) at = i;
      }
      if (at < 0) return false;
    }
    used[at] = true;
    expected = mul(r, splits[at]->lower_factor, splits[at]->extent);
  }
  const RlxIterMark *m = u->marks[mark], *origin = NULL;
  bool covers = equal(r, expected, m->extent);
  bool fits = covers || divides(r, expected, m->extent);
  bool padded = is_padded(r, m, &origin);
  if (bijective) return covers && !padded;
  if (!padded) return fits;
  if (r->query->level == RLX_ITER_NO_CHECK) return true;
  if (covers)
    return count == 1 &&
           (!equal(r, splits[0]->extent, expected) || at_most(r, expected, origin->extent));
  return fits && at_most(r, expected, origin->extent);
}

static bool independent(Rule *r, const RlxIterSum *sums, RlxIterMap *map) {
  Uses *u = rlx_arena_one(r->arena, Uses);
  for (int i = 0; i < r->query->index_count; i++) collect_uses(u, &sums[i]);
  if (u->is_full) return fail(r, "too large");
  for (int i = 0; i < u->mark_count; i++)
    if (!splits_fit(r, u, i)) return fail(r, "the indices are not independent");
  for (int i = 0; r->query->level == RLX_ITER_BIJECTIVE && i < r->query->loop_count; i++)
    if (r->inputs[i] && !is_number(r->inputs[i]->extent, 1) && used_mark(u, r->inputs[i]) < 0)
      return fail(r, "a loop is not used");
  for (int i = 0; i < r->fused_count; i++)
    if (r->fused[i].is_bound && used_mark(u, r->fused[i].mark) < 0) map->uses_constraints = false;
  return true;
}

// ---- the whole

static bool loops_apart(const Rule *r) {
  for (int i = 0; i < r->query->loop_count; i++)
    if (uses_loops(r, r->query->loops[i].min) || uses_loops(r, r->query->loops[i].extent))
      return false;
  return true;
}

static bool make_inputs(Rule *r, const RlxLoopRange *loops) {
  for (int i = 0; i < r->query->loop_count; i++) {
    const RlxPrim *var = rlx_prim_var(r->store, loops[i].var);
    const RlxPrim *extent = rlx_prim_simplify(r->store, loops[i].extent);
    r->lows[i] = rlx_prim_simplify(r->store, loops[i].min);
    if (is_number(extent, 1) && !r->query->keeps_unit_loops) continue;
    if (!is_number(r->lows[i], 0)) var = sub(r, var, r->lows[i]);
    r->inputs[i] = mark_of(r, var, NULL, extent);
    if (!r->inputs[i]) return false;
  }
  return true;
}

static int by_size(const Bound *a, const Bound *b) {
  return a->iter->size < b->iter->size ? -1 : a->iter->size > b->iter->size;
}

static bool apply_predicate(Rule *r, RlxLoopRange *loops, RlxIterMap *map) {
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
  return bounds_agree(r) || fail(r, "bounds of the predicate overlap");
}

static bool rewrite_indices(Rule *r, RlxIterSum *sums) {
  Sum *sum = rlx_arena_one(r->arena, Sum);
  for (int i = 0; i < r->query->index_count; i++) {
    if (!rewrite(r, r->query->indices[i], 0, sum)) return false;
    if (sum->count && !fuse(r, sum, true, NULL))
      return fail(r, rlx_arena_printf(r->arena, "%s is not one fused iterator",
                                      text_of(r, r->query->indices[i])));
    sums[i] = kept(r, sum);
  }
  return true;
}

static bool detect(Rule *r, RlxIterMap *map) {
  const RlxIterQuery *q = r->query;
  if (q->loop_count > MARKS_MAX / 2 || q->index_count > MARKS_MAX / 2) return fail(r, "too large");
  if (!loops_apart(r)) return fail(r, "the range of a loop uses another loop");
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
  Rule *r = rlx_arena_one(arena, Rule);
  r->store = store;
  r->arena = arena;
  r->query = query;
  if (!detect(r, &map)) map.error = r->error ? r->error : "no iterator map";
  return map;
}

// ---- back to expressions

static const RlxPrim *split_prim(RlxStore *store, const RlxIterSplit *s) {
  const RlxIterMark *m = s->source;
  const RlxPrim *p = m->leaf ? m->leaf : rlx_iter_sum_prim(store, &m->sum);
  bool whole_mark = rlx_prove_equal(store, NULL, s->extent, m->extent) == RLX_YES;
  if (!whole_mark || !is_number(s->lower_factor, 1)) {
    const RlxPrim *end = rlx_prim_simplify(store, rlx_prim_mul(store, s->extent, s->lower_factor));
    bool is_outer = rlx_prove_equal(store, NULL, m->extent, end) == RLX_YES;
    if (is_outer && is_number(s->extent, 1) && !is_number(m->extent, 1))
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
