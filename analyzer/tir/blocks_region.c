/// Regions in symbolic integers: declared ones, those of a block over the loops around it, their
/// hull while loops run, and whether one covers another.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"
#include <stdlib.h>
#include <string.h>

enum { RLX_TIR_LOOPS_MAX = 128 };

static const RlxPrim *zero(const RlxTirAnalysis *a, RlxDType dtype) {
  return rlx_prim_int_typed(a->store, 0, dtype);
}

static RlxTirBox new_box(const RlxTirAnalysis *a, RlxTirBuffer *buffer) {
  RlxTirBox box = {.buffer = buffer, .is_exact = true};
  box.begin = rlx_arena_array(a->arena, const RlxPrim *, buffer->ndim + 1);
  box.extent = rlx_arena_array(a->arena, const RlxPrim *, buffer->ndim + 1);
  return box;
}

/// The whole of dimension `d`.
static void whole(const RlxTirAnalysis *a, RlxTirBox *box, int d) {
  const RlxTirExpr *size = box->buffer->shape[d];
  box->begin[d] = zero(a, rlx_dtype_is_int(size->dtype) ? size->dtype : RLX_INT32);
  box->extent[d] = rlx_tir_integer(a->store, size);
  box->is_exact = false;
}

static RlxTirBox declared_box(const RlxTirAnalysis *a, const RlxTirRegion *region) {
  RlxTirBox box = new_box(a, region->buffer);
  box.declared = region;
  for (int d = 0; d < region->buffer->ndim; d++) {
    box.begin[d] = rlx_tir_integer(a->store, region->begin[d]);
    box.extent[d] = rlx_tir_integer(a->store, region->extent[d]);
    if (box.extent[d]) box.extent[d] = rlx_prim_simplify(a->store, box.extent[d]);
    if (!box.begin[d] || !box.extent[d]) whole(a, &box, d);
  }
  return box;
}

RlxTirBoxes rlx_tir_declared_boxes(const RlxTirAnalysis *a, const RlxTirRegion *regions,
                                   int count) {
  RlxTirBoxes boxes = {rlx_arena_array(a->arena, RlxTirBox, count + 1), count};
  for (int i = 0; i < count; i++) boxes.at[i] = declared_box(a, &regions[i]);
  return boxes;
}

bool rlx_tir_is_within(const RlxTirAnalysis *a, int block, int scope) {
  while (block >= 0 && block != scope) block = a->blocks[block].scope;
  return block == scope;
}

const RlxTirBox *rlx_tir_box_of(const RlxTirBoxes *boxes, const RlxTirBuffer *buffer) {
  for (int i = 0; i < boxes->count; i++)
    if (boxes->at[i].buffer == buffer) return &boxes->at[i];
  return NULL;
}

RlxTirBox rlx_tir_box_unbind(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                             const RlxTirBox *box) {
  const RlxSymVar *vars[64];
  const RlxPrim *values[64];
  RlxSubst subst = {.vars = vars, .values = values};
  for (int i = 0; i < block->iter_count && subst.count < 64; i++) {
    vars[subst.count] = block->iters[i].symbol;
    values[subst.count++] = block->iters[i].binding;
  }
  RlxTirBox out = new_box(a, box->buffer);
  out.is_exact = box->is_exact;
  out.span = box->span;
  for (int d = 0; d < box->buffer->ndim; d++) {
    bool complete = box->begin[d] && box->extent[d], all = true;
    if (complete) out.begin[d] = rlx_prim_subst(a->store, box->begin[d], &subst, &all);
    complete = complete && all;
    if (complete) out.extent[d] = rlx_prim_subst(a->store, box->extent[d], &subst, &all);
    if (!complete || !all) whole(a, &out, d);
  }
  return out;
}

// ------------------------------------------------------------------ relaxing

/// A thread loop that runs around everything at a buffer's place is relaxed even above the common
/// loop: its instances run at once, and memory of the buffer's scope is shared by them (TVM).
static bool is_shared_by_thread(const RlxTirAnalysis *a, const RlxTirBuffer *buffer,
                                const RlxTirLoopInfo *loop) {
  if (loop->stmt->for_kind != RLX_FOR_THREAD_BINDING || !loop->stmt->name) return false;
  const char *thread = rlx_store_text(a->store, loop->stmt->name);
  const char *scope = buffer->scope ? rlx_store_text(a->store, buffer->scope) : "global";
  int thread_rank = !strncmp(thread, "blockIdx", 8) ? 0 : 1;
  bool is_warp = !strncmp(scope, "warp", 4);
  if (is_warp && !strcmp(thread, "threadIdx.x")) return true;
  int rank = !strcmp(scope, "global") || !*scope ? 0 : !strncmp(scope, "shared", 6) ? 1 : 2;
  return rank <= thread_rank;
}

typedef struct Relaxing {
  const RlxTirAnalysis *a;
  RlxTirDomain domain;
  int loops[RLX_TIR_LOOPS_MAX]; ///< of the domain's variables
} Relaxing;

static void relax_loop(Relaxing *r, int loop) {
  const RlxTirLoopInfo *info = &r->a->loops[loop];
  if (r->domain.vars.count == RLX_TIR_LOOPS_MAX) return;
  r->loops[r->domain.vars.count] = loop;
  rlx_tir_domain_add(r->a->store, &r->domain, info->symbol, info->min, info->extent);
}

/// The loops around `block` that lie inside `outer`, and thread loops further out.
static void relax_loops(Relaxing *r, const RlxTirBlockInfo *block, const RlxTirBuffer *buffer,
                        int outer) {
  const RlxTirAnalysis *a = r->a;
  int path[RLX_TIR_LOOPS_MAX], count = 0, scope = block->index;
  bool is_inside = true;
  for (; scope >= 0; scope = a->blocks[scope].scope) {
    const RlxTirBlockInfo *at = &a->blocks[scope];
    for (int i = at->loop_count; i-- > 0 && count < RLX_TIR_LOOPS_MAX;) {
      if (at->loops[i] == outer) is_inside = false;
      if (is_inside || is_shared_by_thread(a, buffer, &a->loops[at->loops[i]]))
        path[count++] = at->loops[i];
    }
    is_inside = false;
  }
  while (count-- > 0) relax_loop(r, path[count]);
}

/// Whether every element of dimension `d` between the ends is touched: loops with constant steps
/// and extents, each step no longer than what the smaller ones fill.
static bool fills(const Relaxing *r, const RlxPrim *begin, const RlxPrim *extent) {
  RlxTirLinear form;
  int64_t covered;
  if (!rlx_prim_is_const(extent, &covered) || covered < 1) return false;
  if (!rlx_tir_linear(r->a->store, &r->domain, begin, &form)) return false;
  for (int done = 0; done < form.count; done++) {
    int next = done;
    for (int i = done; i < form.count; i++)
      if (llabs(form.coefficients[i]) < llabs(form.coefficients[next])) next = i;
    int64_t k = llabs(form.coefficients[next]), length, reach;
    uint32_t var = form.vars[next];
    form.coefficients[next] = form.coefficients[done];
    form.vars[next] = form.vars[done];
    if (k > covered) return false;
    const RlxPrim *size = r->a->loops[r->loops[var]].extent;
    if (!size || !rlx_prim_is_const(size, &length)) return done + 1 == form.count;
    if (length < 1 || __builtin_mul_overflow(k, length - 1, &reach)) return false;
    covered += reach;
  }
  return true;
}

/// Takes the smaller (`wants_less`) of two ends for `*end`; false: which one that is is not known, and `*end` stays.
static bool cut_end(RlxStore *store, const RlxPrim **end, const RlxPrim *other, bool wants_less) {
  const RlxPrim *low = wants_less ? other : *end, *high = wants_less ? *end : other;
  if (*end && rlx_prove_less_equal(store, NULL, high, low) == RLX_YES) return true;
  bool is_cut = !*end || rlx_prove_less_equal(store, NULL, low, high) == RLX_YES;
  if (is_cut) *end = other;
  return is_cut;
}

/// Cuts [low, high] of what begins at `begin` to where the predicate holds: `begin - lhs` free of
/// the loops says how far. False: it is not known whether that is less than what the loops give.
static bool cut(const Relaxing *r, const RlxPrim *bound, const RlxPrim *begin,
                const RlxPrim *extent, RlxTirInterval *i) {
  RlxStore *store = r->a->store;
  bool is_known = true;
  const RlxPrim *above = rlx_prim_simplify(store, rlx_prim_sub(store, begin, bound));
  if (!rlx_tir_domain_in(&r->domain, above)) { // begin <= above
    const RlxPrim *last = rlx_prim_addi(store, rlx_prim_add(store, above, extent), -1);
    is_known &= cut_end(store, &i->max, last, true);
  }
  const RlxPrim *below = rlx_prim_simplify(store, rlx_prim_add(store, begin, bound));
  if (!rlx_tir_domain_in(&r->domain, below)) // begin >= below
    is_known &= cut_end(store, &i->min, below, false);
  return is_known;
}

enum { MAX_BOUNDS = 32 };

/// Whether each part of the predicate bounds the whole begin of one dimension: then the cut box is
/// full when the box is.
static bool is_cut_clean(const Relaxing *r, const RlxPrim *const *bounds, int count,
                         const RlxTirBox *box) {
  RlxStore *store = r->a->store;
  for (int i = 0; i < count; i++) {
    if (!rlx_tir_domain_in(&r->domain, bounds[i])) continue;
    bool found = false;
    for (int d = 0; d < box->buffer->ndim && !found; d++) {
      if (!box->begin[d]) continue;
      const RlxPrim *minus =
                        rlx_prim_simplify(store, rlx_prim_sub(store, box->begin[d], bounds[i])),
                    *plus = rlx_prim_simplify(store, rlx_prim_add(store, box->begin[d], bounds[i]));
      found = !rlx_tir_domain_in(&r->domain, minus) || !rlx_tir_domain_in(&r->domain, plus);
    }
    if (!found) return false;
  }
  return true;
}

/// [base, base + extent + (n - 1) * scale) of a sum of one split with n values; false when steps
/// leave gaps.
static bool sum_range(const RlxTirAnalysis *a, const RlxIterSum *sum, const RlxPrim *extent,
                      const RlxPrim **begin, const RlxPrim **length) {
  RlxStore *store = a->store;
  *begin = sum->base;
  *length = extent;
  if (!sum->split_count) return true;
  const RlxIterSplit *split = &sum->splits[0];
  const RlxPrim *last = rlx_prim_addi(store, split->extent, -1);
  const RlxPrim *reach = rlx_prim_mul(store, last, split->scale);
  int64_t scale;
  if (sum->split_count > 1) return false;
  if (rlx_prove_less_equal(store, NULL, split->scale, extent) != RLX_YES) return false;
  if (rlx_prim_is_const(split->scale, &scale) && scale < 0) {
    if (rlx_prove_less_equal(store, NULL, rlx_prim_muli(store, split->scale, -1), extent) !=
        RLX_YES)
      return false;
    *begin = rlx_prim_add(store, sum->base, reach);
    *length = rlx_prim_sub(store, extent, reach);
  } else {
    *length = rlx_prim_add(store, extent, reach);
  }
  *begin = rlx_prim_simplify(store, *begin);
  *length = rlx_prim_simplify(store, *length);
  return true;
}

/// The box that is touched in full when the begins are an affine map of the loops, as schedules
/// make them (TVM's EstimateRegionStrictBound).
static bool relax_strictly(const Relaxing *r, const RlxTirBlockInfo *block, const RlxTirBox *box,
                           RlxTirBox *out) {
  const RlxTirAnalysis *a = r->a;
  RlxLoopRange loops[RLX_TIR_LOOPS_MAX];
  int count = (int)r->domain.vars.count;
  for (int d = 0; d < box->buffer->ndim; d++) {
    int64_t extent;
    if (!box->begin[d] || !box->extent[d] || !rlx_prim_is_const(box->extent[d], &extent))
      return false;
  }
  for (int i = 0; i < count; i++) {
    const RlxTirLoopInfo *loop = &a->loops[r->loops[i]];
    if (!loop->min || !loop->extent) return false;
    for (int d = 0; d < box->buffer->ndim; d++) // the rule knows one width
      if (!rlx_dtype_equal(loop->symbol->dtype, box->begin[d]->dtype)) return false;
    loops[i] = (RlxLoopRange){loop->symbol, loop->min, loop->extent};
  }
  RlxIterQuery query = {.indices = box->begin,
                        .index_count = box->buffer->ndim,
                        .loops = loops,
                        .loop_count = count,
                        .predicate = block->predicate,
                        .level = RLX_ITER_SURJECTIVE};
  RlxArenaMark mark = rlx_arena_mark(a->arena); // what is kept of the map is in the store
  RlxIterMap map = rlx_iter_map_detect(a->store, a->arena, &query);
  bool is_one = map.sums;
  for (int d = 0; is_one && d < box->buffer->ndim; d++)
    is_one = sum_range(a, &map.sums[d], box->extent[d], &out->begin[d], &out->extent[d]);
  rlx_arena_rewind(a->arena, mark);
  out->is_exact = is_one && box->is_exact;
  return is_one;
}

/// Do the loops around the block run over a box? Not where the range of one mentions another.
static bool is_box_of_loops(const RlxTirAnalysis *a, const RlxTirBlockInfo *block, int outer) {
  int from = 0;
  for (int l = 0; l < block->loop_count; l++)
    if (block->loops[l] == outer) from = l + 1;
  for (int l = from; l < block->loop_count; l++)
    for (int k = l + 1; k < block->loop_count; k++) {
      const RlxTirLoopInfo *inner = &a->loops[block->loops[k]];
      const RlxSymVar *var = a->loops[block->loops[l]].symbol;
      if (inner->min && rlx_prim_mentions(inner->min, var)) return false;
      if (inner->extent && rlx_prim_mentions(inner->extent, var)) return false;
    }
  return true;
}

RlxTirBox rlx_tir_box_relax(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                            const RlxTirBox *box, int outer) {
  RlxStore *store = a->store;
  Relaxing r = {.a = a};
  relax_loops(&r, block, box->buffer, outer);
  const RlxPrim *bounds[MAX_BOUNDS];
  bool rest = block->block && block->block->predicate && !block->predicate;
  int bound_count = 0;
  if (block->predicate)
    bound_count = rlx_tir_bounds(store, block->predicate, false, bounds, MAX_BOUNDS, &rest);
  RlxTirBox out = new_box(a, box->buffer);
  out.span = box->span;
  bool is_box = is_box_of_loops(a, block, outer);
  if (!rest && relax_strictly(&r, block, box, &out)) {
    out.is_exact &= is_box;
    rlx_tir_domain_free(&r.domain);
    return out;
  }
  out.is_exact = box->is_exact && !rest && is_box &&
                 !rlx_tir_domain_drives_two(&r.domain, box->begin, box->buffer->ndim) &&
                 is_cut_clean(&r, bounds, bound_count, box);
  for (int d = 0; d < box->buffer->ndim; d++) {
    if (!box->begin[d] || !box->extent[d]) {
      whole(a, &out, d);
      continue;
    }
    const RlxPrim *end =
        rlx_prim_addi(store, rlx_prim_add(store, box->begin[d], box->extent[d]), -1);
    RlxTirInterval i = {rlx_tir_interval(store, &r.domain, box->begin[d]).min,
                        rlx_tir_interval(store, &r.domain, end).max};
    if (!i.min || !i.max) {
      whole(a, &out, d);
      continue;
    }
    out.is_exact = out.is_exact && fills(&r, box->begin[d], box->extent[d]);
    for (int k = 0; k < bound_count; k++)
      out.is_exact &= cut(&r, bounds[k], box->begin[d], box->extent[d], &i);
    out.begin[d] = rlx_prim_simplify(store, i.min);
    out.extent[d] =
        rlx_prim_simplify(store, rlx_prim_addi(store, rlx_prim_sub(store, i.max, i.min), 1));
  }
  rlx_tir_domain_free(&r.domain);
  return out;
}

// ------------------------------------------------------------------ covering

const RlxFacts *rlx_tir_facts_around(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  RlxStore *store = a->store;
  const RlxFacts *facts = NULL;
  for (int scope = block->index; scope >= 0; scope = a->blocks[scope].scope) {
    const RlxTirBlockInfo *at = &a->blocks[scope];
    for (int i = 0; i < at->loop_count + (scope == block->index ? 0 : at->iter_count); i++) {
      bool is_loop = i < at->loop_count;
      const RlxTirLoopInfo *loop = is_loop ? &a->loops[at->loops[i]] : NULL;
      const RlxTirIterInfo *iter = is_loop ? NULL : &at->iters[i - at->loop_count];
      const RlxPrim *min = loop ? loop->min : iter->min,
                    *extent = loop ? loop->extent : iter->extent;
      if (!min || !extent) continue;
      const RlxPrim *var = rlx_prim_var(store, loop ? loop->symbol : iter->symbol);
      RlxFacts *low = rlx_arena_one(a->arena, RlxFacts), *high = rlx_arena_one(a->arena, RlxFacts);
      *low = (RlxFacts){facts, rlx_prim_binary(store, RLX_PRIM_LE, min, var), NULL};
      *high = (RlxFacts){
          low, rlx_prim_binary(store, RLX_PRIM_LT, var, rlx_prim_add(store, min, extent)), NULL};
      facts = high;
    }
  }
  return facts;
}

static bool is_at_most(const RlxTirAnalysis *a, const RlxFacts *facts, const RlxPrim *x,
                       const RlxPrim *y) {
  if (rlx_prove_less_equal(a->store, NULL, x, y) == RLX_YES) return true;
  return facts && rlx_prove_less_equal(a->store, facts, x, y) == RLX_YES;
}

/// x <= max(y, z): one of both does, or each where it is the larger one.
static bool is_at_most_either(const RlxTirAnalysis *a, const RlxFacts *facts, const RlxPrim *x,
                              const RlxPrim *y, const RlxPrim *z) {
  RlxStore *store = a->store;
  if (is_at_most(a, facts, x, y) || is_at_most(a, facts, x, z)) return true;
  RlxFacts is_y = {facts, rlx_prim_binary(store, RLX_PRIM_LE, z, y), NULL},
           is_z = {facts, rlx_prim_binary(store, RLX_PRIM_LE, y, z), NULL};
  return rlx_prove_less_equal(store, &is_y, x, y) == RLX_YES &&
         rlx_prove_less_equal(store, &is_z, x, z) == RLX_YES;
}

RlxProof rlx_tir_box_covers(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                            const RlxTirBox *outer, const RlxTirBox *inner) {
  RlxStore *store = a->store;
  const RlxFacts *facts = NULL;
  bool has_facts = false;
  for (int d = 0; d < inner->buffer->ndim; d++) {
    const RlxPrim *size = rlx_tir_integer(store, inner->buffer->shape[d]);
    const RlxPrim *from = outer->begin[d], *to = inner->begin[d];
    if (!outer->extent[d] || !from || !size || !to || !inner->extent[d]) return RLX_UNKNOWN;
    if (from == to && outer->extent[d] == inner->extent[d]) continue;
    if (!has_facts) facts = rlx_tir_facts_around(a, block);
    has_facts = true;
    // What is outside of the buffer need not be covered.
    const RlxPrim *end = rlx_prim_add(store, from, outer->extent[d]),
                  *inner_end = rlx_prim_add(store, to, inner->extent[d]);
    if (!is_at_most_either(a, facts, from, to, zero(a, from->dtype))) return RLX_UNKNOWN;
    // min(inner_end, size) <= end, as -end <= max(-inner_end, -size)
    if (!is_at_most_either(a, facts, rlx_prim_muli(store, end, -1),
                           rlx_prim_muli(store, inner_end, -1), rlx_prim_muli(store, size, -1)))
      return RLX_UNKNOWN;
  }
  return RLX_YES;
}

/// One dimension of a box as it prints: integers, or what the script declares. False: in part.
static bool print_dim(const RlxTirAnalysis *a, const RlxTirBox *box, int d, RlxBuf *out) {
  int64_t extent;
  const RlxTirRegion *declared = box->declared;
  if (declared && (!rlx_tir_integer(a->store, declared->begin[d]) ||
                   !rlx_tir_integer(a->store, declared->extent[d]))) {
    const RlxTirExpr *size = declared->extent[d];
    rlx_tir_expr_print(a->store, declared->begin[d], out);
    if (size->kind == RLX_TIR_INT && size->integer == 1) return true;
    rlx_buf_putc(out, ':');
    rlx_tir_expr_print(a->store, declared->begin[d], out);
    rlx_buf_puts(out, " + ");
    rlx_tir_expr_print(a->store, size, out);
    return true;
  }
  if (!box->begin[d]) {
    rlx_buf_puts(out, "...");
    return true;
  }
  const RlxPrim *begin = box->begin[d];
  const bool is_whole = rlx_prim_tell_among(a->store, begin, begin->dtype, out);
  if (box->extent[d] && rlx_prim_is_const(box->extent[d], &extent) && extent == 1) return is_whole;
  rlx_buf_putc(out, ':');
  if (!box->extent[d]) {
    rlx_buf_puts(out, "...");
    return true;
  }
  const RlxPrim *end = rlx_prim_simplify(a->store, rlx_prim_add(a->store, begin, box->extent[d]));
  return rlx_prim_tell_among(a->store, end, end->dtype, out) && is_whole;
}

bool rlx_tir_box_print(const RlxTirAnalysis *a, const RlxTirBox *box, RlxBuf *out) {
  bool is_whole = true;
  rlx_buf_puts(out, rlx_store_text(a->store, box->buffer->name));
  rlx_buf_putc(out, '[');
  if (!box->buffer->ndim) rlx_buf_puts(out, "()");
  for (int d = 0; d < box->buffer->ndim; d++) {
    if (d) rlx_buf_puts(out, ", ");
    is_whole &= print_dim(a, box, d, out);
  }
  rlx_buf_putc(out, ']');
  return is_whole;
}
