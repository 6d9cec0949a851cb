/// Inside of the rule for loop bindings: iter_fuse.c knows marks and fuses sums, iter_rewrite.c
/// rewrites expressions, iter_map.c applies the predicate and checks independence.
#ifndef RLX_ANALYZER_TIR_ITER_IMPL_H
#define RLX_ANALYZER_TIR_ITER_IMPL_H

#include "analyzer/tir/iter_map.h"

enum {
  RLX_ITER_SPLITS_MAX = 32, // in one sum
  RLX_ITER_MARKS_MAX = 128, // of one map
};

typedef struct RlxIterWork { // an RlxIterSum that can grow
  RlxIterSplit splits[RLX_ITER_SPLITS_MAX];
  int count;
  const RlxPrim *base;
} RlxIterWork;

typedef struct RlxIterFused { // a sum that was fused: two forms of it, and the mark that it became
  RlxIterSum flat, grouped;
  const RlxIterMark *mark;
  const RlxPrim *offset;
  bool is_bound; // by the predicate
} RlxIterFused;

typedef struct RlxIterPadding {
  const RlxIterMark *mark, *padded; // `padded` NULL until the second pass meets it
  const RlxPrim *factor, *left;
} RlxIterPadding;

typedef struct RlxIterRule {
  RlxStore *store;
  RlxArena *arena;
  const RlxIterQuery *query;
  const RlxIterMark *marks[RLX_ITER_MARKS_MAX];
  int mark_count;
  const RlxIterMark *inputs[RLX_ITER_MARKS_MAX]; // the loops' marks; NULL: a constant
  const RlxPrim *lows[RLX_ITER_MARKS_MAX];       // the loops' minimums
  RlxIterFused fused[RLX_ITER_MARKS_MAX];
  int fused_count;
  RlxIterPadding paddings[RLX_ITER_MARKS_MAX];
  int padding_count;
  bool pads;          // first pass: collect paddings
  bool needs_padding; // the first pass found some
  int steps;
  const char *error;
} RlxIterRule;

// ---- arithmetic

static inline const RlxPrim *rlx_iter_fold(RlxIterRule *r, RlxPrimKind kind, const RlxPrim *a,
                                           const RlxPrim *b) {
  return rlx_prim_simplify(r->store, rlx_prim_binary(r->store, kind, a, b));
}
static inline const RlxPrim *rlx_iter_add(RlxIterRule *r, const RlxPrim *a, const RlxPrim *b) {
  return rlx_iter_fold(r, RLX_PRIM_ADD, a, b);
}
static inline const RlxPrim *rlx_iter_sub(RlxIterRule *r, const RlxPrim *a, const RlxPrim *b) {
  return rlx_iter_fold(r, RLX_PRIM_SUB, a, b);
}
static inline const RlxPrim *rlx_iter_mul(RlxIterRule *r, const RlxPrim *a, const RlxPrim *b) {
  return rlx_iter_fold(r, RLX_PRIM_MUL, a, b);
}
static inline const RlxPrim *rlx_iter_quo(RlxIterRule *r, const RlxPrim *a, const RlxPrim *b) {
  return rlx_iter_fold(r, RLX_PRIM_FLOORDIV, a, b);
}
static inline const RlxPrim *rlx_iter_rem(RlxIterRule *r, const RlxPrim *a, const RlxPrim *b) {
  return rlx_iter_fold(r, RLX_PRIM_FLOORMOD, a, b);
}
static inline const RlxPrim *rlx_iter_number(RlxIterRule *r, int64_t value) {
  return rlx_prim_int(r->store, value);
}

static inline bool rlx_iter_is(const RlxPrim *p, int64_t value) {
  int64_t k;
  return rlx_prim_is_const(p, &k) && k == value;
}

static inline bool rlx_iter_equal(RlxIterRule *r, const RlxPrim *a, const RlxPrim *b) {
  if (a == b) return true;
  int64_t i, k;
  if (rlx_prim_is_const(a, &i) && rlx_prim_is_const(b, &k)) return i == k;
  return rlx_prove_equal(r->store, r->query->facts, a, b) == RLX_YES;
}

static inline bool rlx_iter_at_most(RlxIterRule *r, const RlxPrim *a, const RlxPrim *b) {
  return rlx_prove_less_equal(r->store, r->query->facts, a, b) == RLX_YES;
}

static inline bool rlx_iter_divides(RlxIterRule *r, const RlxPrim *divisor, const RlxPrim *a) {
  int64_t i, k;
  if (rlx_prim_is_const(divisor, &k) && k == 0) return false;
  if (rlx_prim_is_const(a, &i) && rlx_prim_is_const(divisor, &k)) return k == -1 || i % k == 0;
  return rlx_iter_equal(r, a, divisor) ||
         rlx_iter_equal(r, rlx_iter_rem(r, a, divisor), rlx_iter_number(r, 0));
}

// ---- iter_fuse.c

/// Notes the first error; false.
bool rlx_iter_fail(RlxIterRule *r, const char *error);
/// `p` as the user writes it, in the arena.
const char *rlx_iter_text(RlxIterRule *r, const RlxPrim *p);
bool rlx_iter_same_split(const RlxIterSplit *a, const RlxIterSplit *b, bool with_scale);
RlxIterSum rlx_iter_kept(RlxIterRule *r, const RlxIterWork *sum); ///< in the arena
/// The mark over a loop, or over `sum`; equal marks are one. NULL (and an error) when there are too
/// many.
const RlxIterMark *rlx_iter_mark_of(RlxIterRule *r, const RlxPrim *leaf, const RlxIterSum *sum,
                                    const RlxPrim *extent);
/// Makes `sum` one split of a mark plus a base: its scales must fit into each other. A sum that is
/// one split already stays when `early`. `out_fused` (may be NULL): which entry it became. False
/// when it does not fit.
bool rlx_iter_fuse(RlxIterRule *r, RlxIterWork *sum, bool early, int *out_fused);

static inline RlxIterSplit rlx_iter_whole(RlxIterRule *r, const RlxIterMark *mark,
                                          const RlxPrim *scale) {
  return (RlxIterSplit){mark, rlx_iter_number(r, 1), mark->extent, scale};
}

static inline void rlx_iter_plain(RlxIterWork *out, const RlxPrim *base) {
  out->count = 0;
  out->base = base;
}

// ---- iter_rewrite.c

/// `p` as a sum of splits.
bool rlx_iter_rewrite(RlxIterRule *r, const RlxPrim *p, int depth, RlxIterWork *out);
/// The loop whose variable `p` is, or -1.
int rlx_iter_loop_of(const RlxIterRule *r, const RlxPrim *p);
bool rlx_iter_uses_loops(const RlxIterRule *r, const RlxPrim *p);
/// The mark was extended; from what in `*origin`.
bool rlx_iter_is_padded(const RlxIterRule *r, const RlxIterMark *mark, const RlxIterMark **origin);

#endif
