/// Index expressions as sums of splits, bottom up: `//` and `%` make splits finer, and pad marks
/// where a division is not even.
#include "analyzer/tir/iter_impl.h"

#include "analyzer/symbolic/int_math.h"

enum {
  DEPTH_MAX = 200,  // of an index expression
  STEPS_MAX = 2000, // nodes looked at in one map
};

// ---- division

/// What to add to `a` to reach a multiple of `b`.
static const RlxPrim *up_to_multiple(RlxIterRule *r, const RlxPrim *a, const RlxPrim *b) {
  if (rlx_iter_divides(r, b, a)) return rlx_iter_number(r, 0);
  int64_t k, min, max;
  if (rlx_prim_is_const(b, &k) && k > 0) { // all values of `a` below one multiple
    rlx_prim_bounds(r->store, r->query->facts, a, &min, &max);
    if (min > 0 && max < INT64_MAX - k && (min - 1) / k == (max - 1) / k)
      return rlx_iter_sub(r, rlx_iter_number(r, ((max - 1) / k + 1) * k), a);
  }
  return rlx_iter_rem(r, rlx_iter_sub(r, rlx_iter_number(r, 0), a), b);
}

/// The smallest common multiple as far as it can be seen: of the constant factors, times the one
/// symbolic part that divides the other, else both.
static const RlxPrim *common_multiple(RlxIterRule *r, const RlxPrim *a, const RlxPrim *b) {
  const RlxPrim *parts[2] = {a, b};
  int64_t ks[2] = {1, 1};
  for (int i = 0; i < 2; i++) {
    const RlxPrim *p = parts[i];
    if (rlx_prim_is_const(p, &ks[i])) {
      parts[i] = rlx_iter_number(r, 1);
    } else if (p->kind == RLX_PRIM_MUL && rlx_prim_is_const(p->args[1], &ks[i])) {
      parts[i] = p->args[0];
    }
  }
  int64_t lcm = 0;
  int64_t g = rlx_int_gcd(ks[0], ks[1]);
  if (g == 0 || !rlx_int_mul(ks[0] / g, ks[1], &lcm)) return rlx_iter_mul(r, a, b);
  const RlxPrim *k = rlx_iter_number(r, lcm < 0 ? -lcm : lcm);
  if (rlx_iter_divides(r, parts[1], parts[0])) return rlx_iter_mul(r, parts[0], k);
  if (rlx_iter_divides(r, parts[0], parts[1])) return rlx_iter_mul(r, parts[1], k);
  return rlx_iter_mul(r, rlx_iter_mul(r, parts[0], parts[1]), k);
}

static RlxIterPadding *padding_of(RlxIterRule *r, const RlxIterMark *mark) {
  for (int i = 0; i < r->padding_count; i++)
    if (r->paddings[i].mark == mark) return &r->paddings[i];
  return NULL;
}

bool rlx_iter_is_padded(const RlxIterRule *r, const RlxIterMark *mark, const RlxIterMark **origin) {
  for (int i = 0; i < r->padding_count; i++)
    if (r->paddings[i].padded == mark) return *origin = r->paddings[i].mark, true;
  return false;
}

/// First pass: notes what `split` + left, divided by `divisor`, wants of its mark.
static bool note_padding(RlxIterRule *r, RlxIterSplit *split, const RlxPrim **left,
                         const RlxPrim *right, const RlxPrim *divisor) {
  RlxIterPadding *p = padding_of(r, split->source);
  if (!p) {
    if (r->padding_count == RLX_ITER_MARKS_MAX) return rlx_iter_fail(r, "too large");
    p = &r->paddings[r->padding_count++];
    *p = (RlxIterPadding){split->source, NULL, rlx_iter_number(r, 1), rlx_iter_number(r, 0)};
  }
  p->factor = common_multiple(r, p->factor, rlx_iter_mul(r, divisor, split->lower_factor));
  if (rlx_iter_is(*left, 0) && rlx_iter_is(right, 0)) return true;
  r->needs_padding = true;
  p->left = rlx_iter_fold(r, RLX_PRIM_MAX, p->left, rlx_iter_mul(r, *left, split->lower_factor));
  split->extent = rlx_iter_add(r, rlx_iter_add(r, *left, split->extent), right);
  return true;
}

/// Extends `split`'s mark so that split + base can be divided by `divisor`; `*left` is what was put
/// before it.
static bool pad(RlxIterRule *r, RlxIterSplit *split, const RlxPrim *base, const RlxPrim *divisor,
                const RlxPrim **left) {
  *left = rlx_iter_rem(r, base, divisor);
  const RlxPrim *right = up_to_multiple(r, rlx_iter_add(r, *left, split->extent), divisor);
  if (r->pads) return note_padding(r, split, left, right, divisor);
  RlxIterPadding *p = padding_of(r, split->source);
  if (!p) // an offset inside of a division shifts values from one part to the next
    return rlx_iter_is(*left, 0) || r->query->level != RLX_ITER_BIJECTIVE ||
           rlx_iter_fail(r, "a division of a shifted iterator is no bijection");
  if (rlx_iter_is(p->left, 0) && rlx_iter_divides(r, p->factor, p->mark->extent)) return true;
  if (!p->padded) {
    if (!rlx_iter_divides(r, split->lower_factor, p->left))
      return rlx_iter_fail(r, "two divisions shift an iterator in different ways");
    RlxIterWork inner = {.count = 1, .base = p->left};
    inner.splits[0] = rlx_iter_whole(r, p->mark, rlx_iter_number(r, 1));
    RlxIterSum sum = rlx_iter_kept(r, &inner);
    const RlxPrim *extent = rlx_iter_add(r, p->mark->extent, p->left);
    extent = rlx_iter_add(r, extent, up_to_multiple(r, extent, p->factor));
    p->padded = rlx_iter_mark_of(r, NULL, &sum, extent);
    if (!p->padded) return false;
  }
  *left = rlx_iter_quo(r, p->left, split->lower_factor);
  split->source = p->padded;
  split->extent = rlx_iter_quo(r, p->padded->extent, split->lower_factor);
  return true;
}

/// A dividend as one split plus base; `*plain` when it has no split at all.
static bool one_split(RlxIterRule *r, RlxIterWork *dividend, const RlxPrim *whole_expr) {
  if (dividend->count <= 1) return true;
  if (rlx_iter_fuse(r, dividend, true, NULL)) return true;
  return rlx_iter_fail(
      r, rlx_arena_printf(r->arena, "%s is not one fused iterator", rlx_iter_text(r, whole_expr)));
}

/// Takes a common factor of scale and divisor out. False: there is none.
static bool reduce_scale(RlxIterRule *r, RlxIterSplit *s, const RlxPrim **base,
                         const RlxPrim **divisor, bool keep_scale) {
  if (rlx_iter_is(s->scale, 1)) return true;
  if (!rlx_iter_divides(r, s->scale, *divisor) || !rlx_iter_divides(r, s->scale, *base))
    return rlx_iter_fail(r,
                         rlx_arena_printf(r->arena, "the scale %s and the divisor %s do not divide",
                                          rlx_iter_text(r, s->scale), rlx_iter_text(r, *divisor)));
  *base = rlx_iter_quo(r, *base, s->scale);
  *divisor = rlx_iter_quo(r, *divisor, s->scale);
  if (!keep_scale) s->scale = rlx_iter_number(r, 1);
  return true;
}

static bool divide(RlxIterRule *r, RlxIterWork *a, const RlxPrim *divisor) {
  RlxIterSplit s = a->splits[0];
  if (rlx_iter_is(divisor, 1)) return true;
  if (!rlx_iter_is(s.scale, 1) && rlx_iter_divides(r, divisor, s.scale) &&
      rlx_iter_divides(r, divisor, a->base)) {
    a->splits[0].scale = rlx_iter_quo(r, s.scale, divisor);
    a->base = rlx_iter_quo(r, a->base, divisor);
    return true;
  }
  const RlxPrim *left;
  if (!reduce_scale(r, &s, &a->base, &divisor, false)) return false;
  if (rlx_iter_is(divisor, 1)) {
    a->splits[0] = s;
    return true;
  }
  if (!pad(r, &s, a->base, divisor, &left)) return false;
  if (rlx_iter_divides(r, divisor, s.extent)) {
    s.lower_factor = rlx_iter_mul(r, s.lower_factor, divisor);
    s.extent = rlx_iter_quo(r, s.extent, divisor);
  } else {
    const RlxPrim *up = rlx_iter_sub(r, rlx_iter_add(r, s.extent, divisor), rlx_iter_number(r, 1));
    if (!rlx_iter_is(s.lower_factor, 1) || !rlx_iter_equal(r, s.extent, s.source->extent)) {
      RlxIterWork inner = {.count = 1, .base = rlx_iter_number(r, 0)};
      inner.splits[0] = s;
      RlxIterSum sum = rlx_iter_kept(r, &inner);
      s.source = rlx_iter_mark_of(r, NULL, &sum, s.extent);
      if (!s.source) return false;
      s.scale = rlx_iter_number(r, 1);
    }
    s.lower_factor = divisor;
    s.extent = rlx_iter_quo(r, up, divisor);
  }
  a->splits[0] = s;
  a->base = rlx_iter_quo(r, rlx_iter_sub(r, a->base, left), divisor);
  return true;
}

static bool modulo(RlxIterRule *r, RlxIterWork *a, const RlxPrim *divisor) {
  RlxIterSplit s = a->splits[0];
  if (rlx_iter_is(divisor, 1) ||
      (!rlx_iter_is(s.scale, 1) && rlx_iter_divides(r, divisor, s.scale) &&
       rlx_iter_divides(r, divisor, a->base))) {
    rlx_iter_plain(a, rlx_iter_number(r, 0));
    return true;
  }
  const RlxPrim *left;
  if (!reduce_scale(r, &s, &a->base, &divisor, true)) return false;
  if (rlx_iter_is(divisor, 1)) {
    rlx_iter_plain(a, rlx_iter_number(r, 0));
    return true;
  }
  if (!pad(r, &s, a->base, divisor, &left)) return false;
  s.extent = divisor;
  a->splits[0] = s;
  a->base = rlx_iter_number(r, 0);
  return true;
}

// ---- rewriting an expression

int rlx_iter_loop_of(const RlxIterRule *r, const RlxPrim *p) {
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

bool rlx_iter_uses_loops(const RlxIterRule *r, const RlxPrim *p) {
  RlxIterQuery q = *r->query;
  return !rlx_prim_all_vars(p, is_no_loop_var, &q);
}

/// out += sign * split
static bool sum_add_split(RlxIterRule *r, RlxIterWork *out, RlxIterSplit split, int sign) {
  for (int i = 0; i < out->count; i++)
    if (rlx_iter_same_split(&out->splits[i], &split, false)) {
      out->splits[i].scale = rlx_iter_fold(r, sign > 0 ? RLX_PRIM_ADD : RLX_PRIM_SUB,
                                           out->splits[i].scale, split.scale);
      return true;
    }
  if (out->count == RLX_ITER_SPLITS_MAX) return rlx_iter_fail(r, "too large");
  if (sign < 0) split.scale = rlx_iter_sub(r, rlx_iter_number(r, 0), split.scale);
  out->splits[out->count++] = split;
  return true;
}

static bool rewrite_division(RlxIterRule *r, const RlxPrim *p, RlxIterWork *a,
                             const RlxIterWork *b) {
  if (b->count)
    return rlx_iter_fail(
        r, rlx_arena_printf(r->arena, "the divisor in %s uses a loop", rlx_iter_text(r, p)));
  if (a->count && !one_split(r, a, p->args[0])) return false;
  if (!a->count) {
    rlx_iter_plain(a, rlx_iter_fold(r, (RlxPrimKind)p->kind, a->base, b->base));
    return true;
  }
  return p->kind == RLX_PRIM_FLOORDIV ? divide(r, a, b->base) : modulo(r, a, b->base);
}

static bool rewrite_product(RlxIterRule *r, const RlxPrim *p, RlxIterWork *a, RlxIterWork *b) {
  if (a->count && b->count)
    return rlx_iter_fail(
        r, rlx_arena_printf(r->arena, "%s is a product of loops", rlx_iter_text(r, p)));
  if (!a->count) {
    RlxIterWork c = *a;
    *a = *b;
    *b = c;
  }
  for (int i = 0; i < a->count; i++)
    a->splits[i].scale = rlx_iter_mul(r, a->splits[i].scale, b->base);
  a->base = rlx_iter_mul(r, a->base, b->base);
  return true;
}

bool rlx_iter_rewrite(RlxIterRule *r, const RlxPrim *p, int depth, RlxIterWork *out) {
  if (depth > DEPTH_MAX || ++r->steps > STEPS_MAX) return rlx_iter_fail(r, "too large");
  int loop = rlx_iter_loop_of(r, p);
  if (loop >= 0) {
    rlx_iter_plain(out, r->lows[loop]);
    if (r->inputs[loop])
      out->splits[out->count++] = rlx_iter_whole(r, r->inputs[loop], rlx_iter_number(r, 1));
    return true;
  }
  if (!rlx_iter_uses_loops(r, p)) {
    rlx_iter_plain(out, rlx_prim_simplify(r->store, p));
    return true;
  }
  bool is_sum = p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB;
  bool is_division = p->kind == RLX_PRIM_FLOORDIV || p->kind == RLX_PRIM_FLOORMOD;
  if (p->kind == RLX_PRIM_CAST && rlx_prim_cast_keeps(p))
    return rlx_iter_rewrite(r, p->args[0], depth + 1, out);
  if (!is_sum && !is_division && p->kind != RLX_PRIM_MUL)
    return rlx_iter_fail(
        r, rlx_arena_printf(r->arena, "%s is not affine in the loops", rlx_iter_text(r, p)));
  RlxIterWork *b = rlx_arena_one(r->arena, RlxIterWork);
  if (!rlx_iter_rewrite(r, p->args[0], depth + 1, out) ||
      !rlx_iter_rewrite(r, p->args[1], depth + 1, b))
    return false;
  if (p->kind == RLX_PRIM_MUL) return rewrite_product(r, p, out, b);
  if (is_division) return rewrite_division(r, p, out, b);
  for (int i = 0; i < b->count; i++)
    if (!sum_add_split(r, out, b->splits[i], p->kind == RLX_PRIM_ADD ? 1 : -1)) return false;
  out->base = rlx_iter_fold(r, (RlxPrimKind)p->kind, out->base, b->base);
  return true;
}
