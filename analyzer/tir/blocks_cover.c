/// Region cover: do the producers of a block write, below the loops it shares with them, all that it
/// reads of them?
///
/// What the producers of a buffer write below a loop is put together once, block by block, for all
/// readers after them; a PrimFunc has a budget of questions.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"
#include "base/map.h"

enum { RLX_TIR_COVERS_MAX = 20000 }; ///< questions whether a box covers another, for one PrimFunc
enum {
  SETS_EACH = 15000,
  SETS_ALL = 30000
}; ///< what those may cost that are put to sets of integers

/// What the blocks so far write of a buffer in one iteration of a loop, those left out that share a
/// loop inside of it with the block that asks.
typedef struct Produced {
  int uses, loop; ///< loop -1: in the whole scope
  int next;       ///< the first writer that is not among them
  int first;      ///< the block that wrote the first box
  Vec(RlxTirBox) boxes;
} Produced;

typedef struct Covering {
  RlxTirAnalysis *a;
  int questions; ///< that may still be asked
  RlxSetWork work;
  RlxMap index; ///< (uses, loop) to its place in `produced` + 1
  Vec(Produced) produced;
} Covering;

static bool is_same(const RlxTirAnalysis *a, const RlxPrim *x, const RlxPrim *y) {
  return x == y || rlx_prove_equal(a->store, NULL, x, y) == RLX_YES;
}

/// Grows `into` by `box` when both together are a box again: equal but in one dimension, where they
/// meet.
static bool merge(const RlxTirAnalysis *a, RlxTirBox *into, const RlxTirBox *box) {
  RlxStore *store = a->store;
  int other = -1;
  for (int d = 0; d < into->buffer->ndim; d++) {
    if (is_same(a, into->begin[d], box->begin[d]) && is_same(a, into->extent[d], box->extent[d]))
      continue;
    if (other >= 0) return false;
    other = d;
  }
  if (other < 0) return true;
  const RlxPrim *end = rlx_prim_add(store, into->begin[other], into->extent[other]),
                *box_end = rlx_prim_add(store, box->begin[other], box->extent[other]);
  bool follows =
      rlx_prove_less_equal(store, NULL, into->begin[other], box->begin[other]) == RLX_YES &&
      rlx_prove_less_equal(store, NULL, box->begin[other], end) == RLX_YES &&
      rlx_prove_less_equal(store, NULL, end, box_end) == RLX_YES;
  if (!follows) return false;
  const RlxPrim **extent = rlx_arena_array(a->arena, const RlxPrim *, into->buffer->ndim);
  for (int d = 0; d < into->buffer->ndim; d++) extent[d] = into->extent[d];
  extent[other] = rlx_prim_simplify(store, rlx_prim_sub(store, box_end, into->begin[other]));
  into->extent = extent;
  return true;
}

static bool is_whole_known(const RlxTirBox *box) {
  for (int d = 0; d < box->buffer->ndim; d++)
    if (!box->begin[d] || !box->extent[d]) return false;
  return box->is_exact;
}

static void add_produced(const RlxTirAnalysis *a, Produced *p, const RlxTirBlockInfo *src,
                         const RlxTirBuffer *buffer) {
  for (int w = 0; w < src->writes.count; w++) {
    if (src->writes.at[w].buffer != buffer) continue;
    RlxTirBox unbound = rlx_tir_box_unbind(a, src, &src->writes.at[w]);
    RlxTirBox box = rlx_tir_box_relax(a, src, &unbound, p->loop);
    bool merged = p->boxes.count && is_whole_known(&box) &&
                  is_whole_known(&rlx_vec_last(&p->boxes)) &&
                  merge(a, &rlx_vec_last(&p->boxes), &box);
    if (!p->boxes.count) p->first = src->index;
    if (!merged) rlx_vec_push(&p->boxes, box);
  }
}

/// What the producers of `dst` whose common loop with it is `loop` write of the buffer meanwhile;
/// NULL: there are none.
static const Produced *produced(Covering *c, const RlxTirBlockInfo *dst, int loop, int uses,
                                const RlxTirBuffer *buffer) {
  const RlxTirAnalysis *a = c->a;
  const RlxTirBufferUses *all = &a->uses[uses];
  int begin =
      loop < 0 ? 0 : rlx_tir_count_below(all->writers, all->writer_count, a->loops[loop].blocks[0]);
  if (begin == all->writer_count || all->writers[begin] >= dst->index) return NULL;
  uint64_t key = (uint64_t)uses << 32 | (uint32_t)(loop + 1), place = 0;
  if (!rlx_map_get(&c->index, key, &place)) {
    rlx_vec_push(&c->produced, ((Produced){.uses = uses, .loop = loop, .next = begin}));
    place = c->produced.count;
    rlx_map_put(&c->index, key, place);
  }
  Produced *p = &c->produced.at[place - 1];
  for (; p->next < all->writer_count && all->writers[p->next] < dst->index; p->next++) {
    int src = all->writers[p->next];
    if (rlx_tir_common_loop(a, src, dst->index) != loop) break;
    add_produced(a, p, &a->blocks[src], buffer);
  }
  return p->boxes.count ? p : NULL;
}

static RlxTirVerdict uncovered(const RlxTirAnalysis *a, int lca, const RlxTirBox *read,
                               const Produced *p) {
  RlxBuf text = {0};
  const char *writer = rlx_tir_block_name(a, p->first);
  if (lca < 0)
    rlx_buf_puts(&text, "it reads ");
  else
    rlx_buf_printf(&text, "in one iteration of %s it reads ",
                   rlx_tir_loop_title(a, &a->loops[lca]));
  rlx_tir_box_print(a, read, &text);
  if (p->boxes.at[0].is_exact) {
    rlx_buf_printf(&text, ", of which \"%s\" writes ", writer);
    rlx_tir_box_print(a, &p->boxes.at[0], &text);
  } else {
    rlx_buf_printf(&text, ", and it is not proved that \"%s\" writes all of it", writer);
  }
  RlxTirVerdict v = rlx_tir_fails(a, 1, "%s", rlx_buf_text(&text));
  v.other = p->first;
  v.span = read->span;
  rlx_buf_free(&text);
  return v;
}

// ---- boxes whose ends are quotients and remainders: those of fused loops

static bool divides(const RlxPrim *p) {
  if (!p) return false;
  if (p->kind == RLX_PRIM_FLOORDIV || p->kind == RLX_PRIM_FLOORMOD) return true;
  for (int i = 0; i < p->arg_count; i++)
    if (divides(p->args[i])) return true;
  return false;
}

/// The loops around `block`, and the variables of the blocks around it; -1: they are too many, or not known.
static int ranges_around(const RlxTirAnalysis *a, const RlxTirBlockInfo *block, RlxLoopRange *out) {
  int count = 0;
  for (int scope = block->index; scope >= 0; scope = a->blocks[scope].scope) {
    const RlxTirBlockInfo *at = &a->blocks[scope];
    for (int i = 0; i < at->loop_count + (scope == block->index ? 0 : at->iter_count); i++) {
      const RlxTirLoopInfo *loop = i < at->loop_count ? &a->loops[at->loops[i]] : NULL;
      const RlxTirIterInfo *iter = loop ? NULL : &at->iters[i - at->loop_count];
      RlxLoopRange r = {loop ? loop->symbol : iter->symbol, loop ? loop->min : iter->min,
                        loop ? loop->extent : iter->extent};
      if (count == RLX_SET_DIMS_MAX || !r.min || !r.extent) return -1;
      out[count++] = r;
    }
  }
  return count;
}

/// Those of the ranges that the conditions are about, and that the bounds of these are about.
static int needed_ranges(const RlxPrim *const conditions[2], const RlxLoopRange *ranges, int count,
                         RlxLoopRange *out) {
  bool needed[RLX_SET_DIMS_MAX] = {false};
  int found = 0;
  for (bool grows = true; grows;) {
    grows = false;
    for (int i = 0; i < count; i++) {
      bool is = rlx_prim_mentions(conditions[0], ranges[i].var) ||
                rlx_prim_mentions(conditions[1], ranges[i].var);
      for (int k = 0; k < count && !is; k++)
        is = needed[k] && (rlx_prim_mentions(ranges[k].min, ranges[i].var) ||
                           rlx_prim_mentions(ranges[k].extent, ranges[i].var));
      grows |= is && !needed[i];
      needed[i] |= is;
    }
  }
  for (int i = 0; i < count; i++)
    if (needed[i]) out[found++] = ranges[i];
  return found;
}

/// No place of the loops has x > y and x > z.
static bool never_exceeds(Covering *c, const RlxLoopRange *ranges, int count, const RlxPrim *x,
                          const RlxPrim *y, const RlxPrim *z) {
  RlxStore *store = c->a->store;
  RlxLoopRange needed[RLX_SET_DIMS_MAX];
  const RlxPrim *above[] = {rlx_prim_binary(store, RLX_PRIM_LT, y, x),
                            rlx_prim_binary(store, RLX_PRIM_LT, z, x)};
  count = needed_ranges(above, ranges, count, needed);
  RlxSystem system = {needed, count, above, 2, &c->work};
  RlxSetPoint point;
  return rlx_sets_find(store, &system, &point) == RLX_NO;
}

/// The same as rlx_tir_box_covers, by sets of integers, of boxes of which that may be unknown for their quotients.
static bool covers_by_sets(Covering *c, const RlxTirBlockInfo *dst, const RlxTirBox *outer,
                           const RlxTirBox *inner) {
  RlxStore *store = c->a->store;
  RlxLoopRange ranges[RLX_SET_DIMS_MAX];
  bool is_known = false;
  for (int d = 0; d < inner->buffer->ndim; d++)
    is_known |= divides(inner->begin[d]) || divides(inner->extent[d]) || divides(outer->begin[d]) ||
                divides(outer->extent[d]);
  int count = is_known ? ranges_around(c->a, dst, ranges) : -1;
  for (int d = 0; count >= 0 && d < inner->buffer->ndim; d++) {
    const RlxPrim *size = rlx_tir_integer(store, inner->buffer->shape[d]);
    const RlxPrim *from = outer->begin[d], *to = inner->begin[d];
    if (!from || !to || !size || !outer->extent[d] || !inner->extent[d]) return false;
    if (from == to && outer->extent[d] == inner->extent[d]) continue;
    const RlxPrim *end = rlx_prim_add(store, from, outer->extent[d]),
                  *inner_end = rlx_prim_add(store, to, inner->extent[d]),
                  *zero = rlx_prim_int_typed(store, 0, from->dtype);
    // What is outside of the buffer need not be covered: from <= max(to, 0), min(inner_end, size) <= end.
    if (!never_exceeds(c, ranges, count, from, to, zero) ||
        !never_exceeds(c, ranges, count, rlx_prim_muli(store, end, -1),
                       rlx_prim_muli(store, inner_end, -1), rlx_prim_muli(store, size, -1)))
      return false;
  }
  return count >= 0;
}

static RlxTirVerdict cover_of_read(Covering *c, const RlxTirBlockInfo *dst, int loop, int r) {
  const RlxTirAnalysis *a = c->a;
  const RlxTirBox *box = &dst->reads.at[r];
  const Produced *p = produced(c, dst, loop, dst->read_uses[r], box->buffer);
  if (!p) return rlx_tir_holds();
  RlxTirBox unbound = rlx_tir_box_unbind(a, dst, box);
  RlxTirBox read = rlx_tir_box_relax(a, dst, &unbound, loop);
  for (uint32_t i = p->boxes.count; i-- > 0;) {
    if (!p->boxes.at[i].is_exact) continue;
    if (!c->questions) {
      RlxTirVerdict v = rlx_tir_fails(a, 1,
                                      "too many blocks write what it reads to compare it "
                                      "with all of them");
      v.is_unknown = true;
      v.other = p->first;
      v.span = read.span;
      return v;
    }
    c->questions--;
    if (rlx_tir_box_covers(a, dst, &p->boxes.at[i], &read) == RLX_YES) return rlx_tir_holds();
  }
  for (uint32_t i = p->boxes.count; i-- > 0;)
    if (p->boxes.at[i].is_exact && c->work.left && covers_by_sets(c, dst, &p->boxes.at[i], &read))
      return rlx_tir_holds();
  return uncovered(a, loop, &read, p);
}

/// Below the common loop with its producers, do they write all that `dst` reads of them? The common
/// loops are those around it, outermost first.
static RlxTirVerdict region_cover(Covering *c, const RlxTirBlockInfo *dst) {
  for (int l = -1; dst->read_uses && l < dst->loop_count; l++) {
    int loop = l < 0 ? -1 : dst->loops[l];
    for (int r = 0; r < dst->reads.count; r++) {
      RlxTirVerdict v = cover_of_read(c, dst, loop, r);
      if (!v.is) return v;
    }
  }
  return rlx_tir_holds();
}

void rlx_tir_judge_cover(RlxTirAnalysis *a, const RlxTirAnalysis *before) {
  Covering c = {.a = a, .questions = RLX_TIR_COVERS_MAX, .work = {SETS_EACH, SETS_ALL, false}};
  for (int b = 0; b < a->block_count; b++)
    a->blocks[b].region_cover = rlx_tir_reuse_cover(a, before, &a->blocks[b])
                                    ? rlx_tir_holds()
                                    : region_cover(&c, &a->blocks[b]);
  for (uint32_t i = 0; i < c.produced.count; i++) rlx_vec_free(&c.produced.at[i].boxes);
  rlx_vec_free(&c.produced);
  rlx_map_free(&c.index);
}
