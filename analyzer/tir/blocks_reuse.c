/// What an analysis takes over from the one before it: a schedule changes one nest of a PrimFunc, and of the blocks
/// in all others the same holds as before. Statements are never changed once they are made, so that the same
/// outermost statement means the same loops, blocks, bodies and bindings in it.
#include "analyzer/tir/blocks_impl.h"

/// The outermost loop or block of the root's scope around `block`, itself counted.
static const RlxTirStmt *outermost(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  while (block->scope > 0) block = &a->blocks[block->scope];
  return block->loop_count ? a->loops[block->loops[0]].stmt : block->stmt;
}

/// Does the statement stand outermost in the root's scope?
static bool is_outermost(const RlxTirAnalysis *a, const RlxTirStmt *s) {
  if (s->kind == RLX_TIR_BLOCK) {
    const RlxTirBlockInfo *block = rlx_tir_block_info(a, s);
    return block && block->scope == 0 && !block->loop_count;
  }
  const RlxTirLoopInfo *loop = rlx_tir_loop_info(a, s);
  return loop && loop->scope == 0 && loop->parent < 0;
}

void rlx_tir_find_unchanged(RlxTirAnalysis *a, const RlxTirAnalysis *before) {
  a->was = rlx_arena_array(a->arena, const RlxTirBlockInfo *, a->block_count + 1);
  const RlxTirStmt *last = NULL;
  bool is_same = false;
  for (int b = 1; before && b < a->block_count; b++) {
    const RlxTirBlockInfo *block = &a->blocks[b];
    const RlxTirStmt *top = outermost(a, block);
    if (top != last) is_same = is_outermost(before, top);
    last = top;
    const RlxTirBlockInfo *was = is_same ? rlx_tir_block_info(before, block->stmt) : NULL;
    if (was && was->is_in_init == block->is_in_init && was->iter_count == block->iter_count)
      a->was[b] = was;
  }
}

static RlxTirBoxes copy_boxes(RlxArena *arena, const RlxTirBoxes *from) {
  RlxTirBoxes out = {rlx_arena_copy(arena, from->at, (size_t)from->count, sizeof *from->at),
                     from->count};
  for (int i = 0; i < out.count; i++) {
    size_t ndim = (size_t)out.at[i].buffer->ndim;
    out.at[i].begin = rlx_arena_copy(arena, out.at[i].begin, ndim, sizeof *out.at[i].begin);
    out.at[i].extent = rlx_arena_copy(arena, out.at[i].extent, ndim, sizeof *out.at[i].extent);
  }
  return out;
}

bool rlx_tir_reuse_regions(const RlxTirAnalysis *a, RlxTirBlockInfo *block) {
  const RlxTirBlockInfo *was = a->was[block->index];
  if (!was) return false;
  block->deduced_reads = copy_boxes(a->arena, &was->deduced_reads);
  block->deduced_writes = copy_boxes(a->arena, &was->deduced_writes);
  block->has_opaque = was->has_opaque;
  return true;
}

bool rlx_tir_reuse_binding(const RlxTirAnalysis *a, RlxTirBlockInfo *block) {
  const RlxTirBlockInfo *was = a->was[block->index];
  if (!was || !was->affine_binding.is) return false; // a reason names loops, which are counted anew
  block->affine_binding = was->affine_binding;
  return true;
}

bool rlx_tir_reuse_reducer(const RlxTirAnalysis *a, RlxTirBlockInfo *block) {
  const RlxTirBlockInfo *was = a->was[block->index];
  if (!was) return false;
  block->reducer = was->reducer;
  block->incremental = was->incremental;
  block->incremental.reason = rlx_arena_strdup(a->arena, was->incremental.reason);
  for (int i = 0; i < block->iter_count; i++) {
    block->iters[i].inferred = was->iters[i].inferred;
    block->iters[i].is_inferred = was->iters[i].is_inferred;
  }
  return true;
}

bool rlx_tir_reuse_cover(const RlxTirAnalysis *a, const RlxTirAnalysis *before,
                         const RlxTirBlockInfo *block) {
  const RlxTirBlockInfo *was = a->was[block->index];
  if (!was || !was->region_cover.is || !block->read_uses != !was->read_uses ||
      block->reads.count != was->reads.count)
    return false;
  for (int r = 0; block->read_uses && r < block->reads.count; r++) {
    const RlxTirBufferUses *now = &a->uses[block->read_uses[r]],
                           *then = &before->uses[was->read_uses[r]];
    int count = rlx_tir_count_below(now->writers, now->writer_count, block->index);
    if (count != rlx_tir_count_below(then->writers, then->writer_count, was->index)) return false;
    for (int w = 0; w < count; w++) {
      const RlxTirBlockInfo *writer = a->was[now->writers[w]];
      if (!writer || writer->index != then->writers[w]) return false;
    }
  }
  return true;
}
