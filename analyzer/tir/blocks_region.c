/// Regions of blocks in symbolic integers: declared ones, those that the body accesses, their hull
/// while loops run, and whether one covers another.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"

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
  for (int d = 0; d < region->buffer->ndim; d++) {
    box.begin[d] = rlx_tir_integer(a->store, region->begin[d]);
    box.extent[d] = rlx_tir_integer(a->store, region->extent[d]);
    if (!box.begin[d] || !box.extent[d]) whole(a, &box, d);
  }
  return box;
}

static RlxTirBoxes declared_boxes(const RlxTirAnalysis *a, const RlxTirRegion *regions, int count) {
  RlxTirBoxes boxes = {rlx_arena_array(a->arena, RlxTirBox, count + 1), count};
  for (int i = 0; i < count; i++) boxes.at[i] = declared_box(a, &regions[i]);
  return boxes;
}

void rlx_tir_collect_regions(RlxTirAnalysis *a) {
  for (int b = a->block_count - 1; b >= 0; b--) {
    RlxTirBlockInfo *block = &a->blocks[b];
    block->reads = block->deduced_reads;
    block->writes = block->deduced_writes;
    if (block->has_declared_reads)
      block->reads = declared_boxes(a, block->block->reads, block->block->read_count);
    if (block->has_declared_writes)
      block->writes = declared_boxes(a, block->block->writes, block->block->write_count);
  }
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

RlxTirBox rlx_tir_box_relax(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                            const RlxTirBox *box, int outer) {
  (void)block;
  (void)outer;
  RlxTirBox out = new_box(a, box->buffer);
  out.span = box->span;
  for (int d = 0; d < box->buffer->ndim; d++) whole(a, &out, d);
  return out;
}

RlxProof rlx_tir_box_covers(const RlxTirAnalysis *a, const RlxTirBox *outer,
                            const RlxTirBox *inner) {
  (void)a;
  (void)outer;
  (void)inner;
  return RLX_UNKNOWN;
}

void rlx_tir_box_print(const RlxTirAnalysis *a, const RlxTirBox *box, RlxBuf *out) {
  rlx_buf_puts(out, rlx_store_text(a->store, box->buffer->name));
  rlx_buf_putc(out, '[');
  if (!box->buffer->ndim) rlx_buf_puts(out, "()");
  for (int d = 0; d < box->buffer->ndim; d++) {
    if (d) rlx_buf_puts(out, ", ");
    int64_t extent;
    if (!box->begin[d]) {
      rlx_buf_puts(out, "…");
      continue;
    }
    rlx_prim_print_among(a->store, box->begin[d], RLX_INT32, out);
    if (box->extent[d] && rlx_prim_is_const(box->extent[d], &extent) && extent == 1) continue;
    rlx_buf_putc(out, ':');
    if (!box->extent[d]) {
      rlx_buf_puts(out, "…");
      continue;
    }
    const RlxPrim *end = rlx_prim_add(a->store, box->begin[d], box->extent[d]);
    rlx_prim_print_among(a->store, rlx_prim_simplify(a->store, end), RLX_INT32, out);
  }
  rlx_buf_putc(out, ']');
}
