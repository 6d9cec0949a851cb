/// Does a block write all of the region that is copied back behind it? The region is what the block
/// states, while the loops run that the copy stands behind; an element that it leaves alone (its index
/// is data, T.writes says more than the body does) would get what the copy's buffer held.
#include "analyzer/tir/loops_impl.h"

enum { WRITES_MAX = 16, NDIM_MAX = 16 };

typedef struct Whole {
  const RlxTirAnalysis *a;
  const RlxTirBlockInfo *block;
  const RlxTirBox *box; ///< over the loops around the copy
  int depth;            ///< how many they are
  const RlxSymVar *element[NDIM_MAX];
} Whole;

static bool is_below(const Whole *w, int block) {
  while (block > w->block->index) block = w->a->blocks[block].scope;
  return block == w->block->index;
}

/// The loops around the copy: those around its scope, and those of the scope down to `outer`.
static int loops_around(const Whole *w, int outer) {
  int count = outer < 0 ? 0 : w->a->loops[outer].depth + 1;
  for (int b = w->block->scope; b > 0; b = w->a->blocks[b].scope)
    count += w->a->blocks[b].loop_count;
  return count;
}

/// The elements of the box in each iteration of the loops around, as a system.
static bool add_elements(Whole *w, const RlxTirAccess *write, RlxTirJoint *j) {
  RlxTirBox box = *w->box;
  for (int b = w->block->scope; b > 0; b = w->a->blocks[b].scope)
    box = rlx_tir_box_unbind(w->a, &w->a->blocks[b], &box);
  for (int i = 0; i < w->depth; i++) j->ranges[j->range_count++] = write->loops[i].range;
  for (int d = 0; d < box.buffer->ndim; d++) {
    if (!box.begin[d] || !box.extent[d]) return false;
    w->element[d] = rlx_symvar(w->a->store, UINT64_C(0x5ec1) << 32 | (uint64_t)d, box.buffer->name,
                               box.begin[d]->dtype, false);
    j->ranges[j->range_count++] = (RlxLoopRange){w->element[d], box.begin[d], box.extent[d]};
  }
  return true;
}

/// One write of the block, of the element that is asked about.
static bool add_write(const Whole *w, const RlxTirAccess *write, int tag, RlxTirJoint *j) {
  RlxTirCopy copy = rlx_tir_joint_add(j, write, w->depth, w->depth, tag);
  for (int d = 0; d < w->box->buffer->ndim; d++) {
    const RlxPrim *index = rlx_tir_copy_prim(j, &copy, write->index[d]);
    if (!index) return false;
    rlx_tir_joint_require(j, rlx_prim_binary(w->a->store, RLX_PRIM_EQ, index,
                                             rlx_prim_var(w->a->store, w->element[d])));
  }
  return j->is_exact;
}

/// By sets of integers: no element of the box is left out by all writes.
static bool is_whole_by_sets(Whole *w, const RlxTirAccesses *all) {
  RlxTirJoint *joints = rlx_arena_array(w->a->arena, RlxTirJoint, WRITES_MAX + 1),
              *box = &joints[WRITES_MAX];
  RlxSystem system, writes[WRITES_MAX];
  int count = 0;
  *box = (RlxTirJoint){.a = w->a, .is_exact = true};
  for (int i = 0; i < all->count && count < WRITES_MAX; i++) {
    const RlxTirAccess *x = &all->at[i];
    if (!x->is_write || x->buffer != w->box->buffer || !is_below(w, x->block) ||
        x->loop_count < w->depth)
      continue;
    if (!box->range_count && !add_elements(w, x, box)) return false;
    RlxTirJoint *j = &joints[count];
    *j = (RlxTirJoint){.a = w->a, .is_exact = true};
    if (add_write(w, x, count + 1, j) && rlx_tir_joint_system(j, &writes[count])) count++;
  }
  RlxSetPoint point;
  return count && rlx_tir_joint_system(box, &system) &&
         rlx_sets_find_without(w->a->store, &system, writes, count, &point) == RLX_NO;
}

/// Is some of the block's writing hidden behind a pointer? Then what it states is all that is known.
static bool is_opaque(const Whole *w, const RlxTirAccesses *all) {
  for (int i = 0; i < all->count; i++)
    if (all->at[i].is_opaque && all->at[i].buffer == w->box->buffer &&
        is_below(w, all->at[i].block))
      return true;
  return false;
}

/// One element: whatever branch stores, it is this one.
static bool is_element(const RlxTirBox *box) {
  int64_t extent;
  for (int d = 0; d < box->buffer->ndim; d++)
    if (!box->extent[d] || !rlx_prim_is_const(box->extent[d], &extent) || extent != 1) return false;
  return true;
}

bool rlx_tir_writes_all(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                        const RlxTirBlockInfo *block, const RlxTirBox *box, int outer) {
  Whole w = {.a = a, .block = block, .box = box};
  const RlxTirBox *stated = rlx_tir_box_of(&block->writes, box->buffer),
                  *deduced = rlx_tir_box_of(&block->deduced_writes, box->buffer);
  if (box->is_exact && stated && deduced && (deduced->is_exact || is_element(deduced)) &&
      rlx_tir_box_covers(a, block, deduced, stated) == RLX_YES)
    return true;
  if (accesses->is_cut) return false;
  if (is_opaque(&w, accesses)) return box->is_exact;
  w.depth = loops_around(&w, outer);
  return box->buffer->ndim <= NDIM_MAX && w.depth + box->buffer->ndim <= RLX_JOINT_MAX &&
         is_whole_by_sets(&w, accesses);
}
