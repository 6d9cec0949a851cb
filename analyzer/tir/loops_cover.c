/// Whether what a block reads of another one's output has been written before it: the first element that has not.
#include "analyzer/tir/blocks_impl.h"
#include "analyzer/tir/loops_impl.h"

enum { WRITES_MAX = 6 };

/// `p` as one loop around `x` (its place in `loops`; -1: none) plus a number; false: it is something else.
static bool one_loop(const RlxTirAccess *x, const RlxPrim *p, int *loop, int64_t *plus) {
  int64_t value = 0;
  *loop = -1;
  *plus = 0;
  bool is_sum = p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB;
  if (is_sum && rlx_prim_is_const(p->args[1], &value)) {
    if (value < -INT32_MAX || value > INT32_MAX) return false;
    *plus = p->kind == RLX_PRIM_ADD ? value : -value;
    p = p->args[0];
  } else if (rlx_prim_is_const(p, plus)) {
    return true;
  }
  for (int i = 0; i < x->loop_count && p->kind == RLX_PRIM_VAR; i++)
    if (x->loops[i].range.var == p->var) {
      *loop = i;
      return true;
    }
  return false;
}

/// The first and last value of loop `i` around `x`, which runs at least once; false: not known.
static bool loop_ends(const RlxTirAccess *x, int i, int64_t *first, int64_t *last) {
  const RlxLoopRange *r = &x->loops[i].range;
  int64_t extent;
  if (!r->min || !r->extent || !rlx_prim_is_const(r->min, first) ||
      !rlx_prim_is_const(r->extent, &extent) || extent < 1 || extent > INT32_MAX ||
      *first < -INT32_MAX || *first > INT32_MAX)
    return false;
  *last = *first + extent - 1;
  return true;
}

/// Does `w`, under the first `depth` loops that both have in common, write a box that holds all that
/// `read` reads? Each index is a loop or a number then: a cheap answer to most questions.
static bool writes_box_around(const RlxTirAccess *w, const RlxTirAccess *read, int depth) {
  if (!w->is_exact || w->condition_count || w->is_opaque || read->is_opaque) return false;
  uint64_t used = 0;
  int64_t low, high, first, last, plus, own_plus;
  if (w->loop_count > 63) return false;
  for (int i = depth; i < w->loop_count; i++)
    if (!loop_ends(w, i, &first, &last)) return false;
  for (int d = 0; d < w->buffer->ndim; d++) {
    int loop, own;
    if (!w->index[d] || !read->index[d] || !one_loop(w, w->index[d], &loop, &plus) ||
        !one_loop(read, read->index[d], &own, &own_plus))
      return false;
    if (loop < depth) { // one element
      if (own != loop || own_plus != plus) return false;
      continue;
    }
    low = high = 0;
    if ((used >> loop & 1) || !loop_ends(w, loop, &first, &last) ||
        (own >= 0 && !loop_ends(read, own, &low, &high)))
      return false;
    used |= UINT64_C(1) << loop;
    if (low + own_plus < first + plus || high + own_plus > last + plus) return false;
  }
  return true;
}

/// Adds to `system` that the loops around the writes of `block` have an iteration, as far as their extents are
/// made of parameters alone: an element that nobody writes, for such a loop has none, is the same
/// wherever it is read.
static void assume_runs(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                        const RlxTirAccess *read, int block, RlxSystem *system) {
  enum { EXTRA = 16 };
  const RlxPrim **all = rlx_arena_array(a->arena, const RlxPrim *, system->condition_count + EXTRA);
  int count = 0, room = system->condition_count + EXTRA;
  for (; count < system->condition_count; count++) all[count] = system->conditions[count];
  for (int i = 0; i < accesses->count; i++) {
    const RlxTirAccess *w = &accesses->at[i];
    if (!w->is_write || w->buffer != read->buffer ||
        rlx_tir_child_of(a, w, a->blocks[block].scope) != block)
      continue;
    for (int l = 0; l < w->loop_count && count < room; l++) {
      const RlxPrim *extent = w->loops[l].range.extent;
      int64_t size;
      bool is_fixed = extent && !rlx_prim_is_const(extent, &size);
      for (int k = 0; is_fixed && k < w->loop_count; k++)
        is_fixed = !rlx_prim_mentions(extent, w->loops[k].range.var);
      if (is_fixed) all[count++] = rlx_prim_is_positive(a->store, extent);
    }
  }
  system->conditions = all;
  system->condition_count = count;
}

RlxProof rlx_tir_find_uncovered(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                const RlxTirAccess *read, int block, int depth,
                                const char **witness) {
  int scope = a->blocks[block].scope;
  for (int i = 0; i < accesses->count; i++) {
    const RlxTirAccess *w = &accesses->at[i];
    if (w->is_write && w->buffer == read->buffer && rlx_tir_child_of(a, w, scope) == block &&
        writes_box_around(w, read, depth))
      return RLX_NO;
  }
  RlxTirReadWrites writes;
  rlx_tir_read_writes_begin(&writes, a, read, WRITES_MAX);
  RlxTirJoint *j = writes.read;
  for (int d = 0; d < read->buffer->ndim; d++) j->is_exact = j->is_exact && read->index[d];
  for (int i = 0; i < accesses->count; i++) {
    const RlxTirAccess *w = &accesses->at[i];
    if (w->is_write && w->buffer == read->buffer && rlx_tir_child_of(a, w, scope) == block)
      rlx_tir_read_writes_add(&writes, w, depth);
  }
  RlxSystem system;
  RlxSetPoint point;
  if (!rlx_tir_joint_system(j, &system) || read->is_opaque) return RLX_UNKNOWN;
  if (!depth) assume_runs(a, accesses, read, block, &system);
  RlxProof found = rlx_sets_find_without(a->store, &system, writes.systems, writes.count, &point);
  if (found != RLX_YES) return found;
  if (!writes.is_whole || !j->is_exact) return RLX_UNKNOWN;
  RlxBuf out = {0};
  rlx_tir_put_parameters(&out, j, &point);
  rlx_buf_printf(&out, "block \"%s\" reads ",
                 rlx_tir_block_name(a, rlx_tir_child_of(a, read, scope)));
  rlx_tir_put_element(&out, j, &writes.copy, &point);
  rlx_buf_puts(&out, " at ");
  rlx_tir_put_place(&out, j, &writes.copy, &point, false);
  rlx_buf_printf(&out, ", which block \"%s\" has not written", rlx_tir_block_name(a, block));
  if (depth)
    rlx_buf_printf(&out, " in that iteration of %s",
                   rlx_tir_place_loop_name(j, &read->loops[depth - 1]));
  *witness = rlx_arena_strdup(a->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return RLX_YES;
}
