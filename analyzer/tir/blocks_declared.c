/// Declared regions of a block against what its body accesses. TVM trusts T.reads and T.writes: a
/// schedule that computes a producer for a region that is too small computes too little.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"
#include "analyzer/tir/rewrite.h"

/// The ranges of the variables of `block` and of the blocks around.
static const RlxFacts *domain_facts(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  RlxStore *store = a->store;
  const RlxFacts *facts = NULL;
  for (int b = block->index; b >= 0; b = a->blocks[b].scope)
    for (int i = 0; i < a->blocks[b].iter_count; i++) {
      const RlxTirIterInfo *v = &a->blocks[b].iters[i];
      if (!v->min || !v->extent) continue;
      const RlxPrim *var = rlx_prim_var(store, v->symbol);
      RlxFacts *low = rlx_arena_one(a->arena, RlxFacts), *high = rlx_arena_one(a->arena, RlxFacts);
      *low = (RlxFacts){facts, rlx_prim_binary(store, RLX_PRIM_LE, v->min, var), NULL};
      const RlxPrim *end = rlx_prim_add(store, v->min, v->extent);
      *high = (RlxFacts){low, rlx_prim_binary(store, RLX_PRIM_LT, var, end), NULL};
      facts = high;
    }
  return facts;
}

bool rlx_tir_box_leaves(const RlxTirAnalysis *a, const RlxFacts *facts, const RlxTirBox *outer,
                        const RlxTirBox *inner, RlxBuf *out) {
  RlxStore *store = a->store;
  for (int d = 0; d < inner->buffer->ndim; d++) {
    if (!inner->begin[d] || !inner->extent[d] || !outer->begin[d] || !outer->extent[d]) continue;
    const RlxPrim *end = rlx_prim_add(store, inner->begin[d], inner->extent[d]),
                  *outer_end = rlx_prim_add(store, outer->begin[d], outer->extent[d]);
    const RlxPrim *conditions[] = {
        rlx_prim_binary(store, RLX_PRIM_LT, inner->begin[d], outer->begin[d]),
        rlx_prim_binary(store, RLX_PRIM_LT, outer_end, end)};
    for (int side = 0; side < 2; side++) {
      const RlxSymVar *vars[16];
      int64_t values[16];
      const RlxPrim *p = rlx_prim_simplify(store, conditions[side]);
      int count = rlx_prove_example(store, facts, p, true, vars, values, 16);
      if (count < 0) continue;
      for (int i = 0; i < count; i++)
        rlx_buf_printf(out, "%s%s = %lld", i ? ", " : " at ", rlx_store_text(store, vars[i]->name),
                       (long long)values[i]);
      return true;
    }
  }
  return false;
}

/// Is a view of the buffer, which a block around has, among the declared ones? How both compare is not looked at.
static bool is_seen_through_view(const RlxTirBoxes *declared, const RlxTirBuffer *buffer) {
  for (int i = 0; i < declared->count; i++)
    for (const RlxTirBuffer *b = declared->at[i].buffer; b->view_of; b = b->view_of)
      if (b->view_of == buffer) return true;
  return false;
}

static RlxTirVerdict compare(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                             const RlxTirBox *accessed, const RlxTirBoxes *declared, bool is_read) {
  const char *verb = is_read ? "reads" : "writes";
  const RlxTirBox *box = NULL;
  for (int i = 0; i < declared->count && !box; i++)
    if (declared->at[i].buffer == accessed->buffer) box = &declared->at[i];
  RlxBuf text = {0};
  RlxTirVerdict v = rlx_tir_holds();
  if (!box && is_seen_through_view(declared, accessed->buffer)) return v;
  if (!box) {
    rlx_buf_printf(&text, "it %s ", verb);
    rlx_tir_box_print(a, accessed, &text);
    rlx_buf_printf(&text, ", which T.%s leaves out", verb);
    v = rlx_tir_fails(a, 1, "%s", rlx_buf_text(&text));
  } else if (accessed->touches_ends && rlx_tir_box_covers(a, block, box, accessed) != RLX_YES) {
    RlxBuf witness = {0};
    if (rlx_tir_box_leaves(a, domain_facts(a, block), box, accessed, &witness)) {
      rlx_buf_printf(&text, "it %s ", verb);
      rlx_tir_box_print(a, accessed, &text);
      rlx_buf_printf(&text, ", and T.%s says ", verb);
      rlx_tir_box_print(a, box, &text);
      v = rlx_tir_fails(a, 2, "%s: not enough%s", rlx_buf_text(&text), rlx_buf_text(&witness));
    }
    rlx_buf_free(&witness);
  }
  v.span = accessed->span;
  rlx_buf_free(&text);
  return v;
}

// ------------------------------------------------------------------ written before it is read

/// What the statements of a block do with a buffer outside of the blocks inside.
typedef struct Direct {
  const RlxTirBlockInfo *block;
  const RlxTirBuffer *buffer;
  const RlxTirStmt *wanted; ///< a block that is looked for
  bool has_load, is_reached;
} Direct;

static bool direct_stmt(const RlxTirStmt *s, void *data) {
  Direct *d = data;
  return s == d->block->stmt || s->kind != RLX_TIR_BLOCK;
}

static bool direct_load(const RlxTirExpr *e, void *data) {
  Direct *d = data;
  const RlxTirBuffer *buffer = e->kind == RLX_TIR_LOAD ? e->buffer : NULL;
  while (buffer && buffer->view_of) buffer = buffer->view_of;
  d->has_load |= buffer && buffer == d->buffer;
  return !d->has_load;
}

/// Goes to the blocks inside that no condition is around.
static bool unconditional(const RlxTirStmt *s, void *data) {
  Direct *d = data;
  d->is_reached |= s == d->wanted;
  if (s->kind == RLX_TIR_BLOCK) return s == d->block->stmt;
  return s->kind != RLX_TIR_IF && s->kind != RLX_TIR_WHILE;
}

/// A block inside of `block` before `reader` writes all that `reader` reads of the buffer, in the
/// same iteration of the loops around both.
static bool has_writer_before(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                              const RlxTirBlockInfo *reader, const RlxTirBox *read) {
  for (int i = 0; i < block->child_count; i++) {
    const RlxTirBlockInfo *writer = &a->blocks[block->children[i]];
    const RlxTirBox *written = rlx_tir_box_of(&writer->deduced_writes, read->buffer);
    if (writer->index >= reader->index || !written || !written->is_exact) continue;
    Direct d = {.block = block, .wanted = writer->stmt};
    rlx_tir_visit(block->stmt, unconditional, NULL, &d);
    if (!d.is_reached) continue;
    int lca = rlx_tir_common_loop(a, writer->index, reader->index);
    RlxTirBox from = rlx_tir_box_unbind(a, writer, written),
              to = rlx_tir_box_unbind(a, reader, read);
    from = rlx_tir_box_relax(a, writer, &from, lca);
    to = rlx_tir_box_relax(a, reader, &to, lca);
    if (from.is_exact && rlx_tir_box_covers(a, reader, &from, &to) == RLX_YES) return true;
  }
  return false;
}

/// All that `block` reads of the buffer was written by the block itself before, as after
/// decompose_reduction: nothing from outside gets in, so that T.reads may leave it out (TVM's steps do).
static bool reads_its_own(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                          const RlxTirBuffer *buffer) {
  Direct d = {.block = block, .buffer = buffer};
  rlx_tir_visit(block->stmt, direct_stmt, direct_load, &d);
  if (d.has_load) return false;
  for (int i = 0; i < block->child_count; i++) {
    const RlxTirBlockInfo *reader = &a->blocks[block->children[i]];
    const RlxTirBox *reads[] = {rlx_tir_box_of(&reader->reads, buffer),
                                rlx_tir_box_of(&reader->deduced_reads, buffer)};
    for (int k = 0; k < 2; k++)
      if (reads[k] && !has_writer_before(a, block, reader, reads[k])) return false;
  }
  return true;
}

RlxTirVerdict rlx_tir_declared_regions(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                                       bool is_read) {
  const RlxTirBoxes *accessed = is_read ? &block->deduced_reads : &block->deduced_writes,
                    *declared = is_read ? &block->reads : &block->writes;
  bool is_declared = is_read ? block->has_declared_reads : block->has_declared_writes;
  bool is_extern = !block->iter_count && !declared->count; // TE writes them so: it says nothing
  if (!is_declared || block->has_opaque || is_extern) return rlx_tir_holds();
  for (int i = 0; i < accessed->count; i++) {
    RlxTirVerdict v = compare(a, block, &accessed->at[i], declared, is_read);
    if (!v.is && !(is_read && reads_its_own(a, block, accessed->at[i].buffer))) return v;
  }
  return rlx_tir_holds();
}

/// The arguments that T.reads or T.writes would have; false when one can't be written, or is too long to be.
static bool print_regions(const RlxTirAnalysis *a, const RlxTirBoxes *boxes, RlxBuf *out) {
  for (int i = 0; i < boxes->count; i++) {
    const RlxTirBox *box = &boxes->at[i];
    for (int d = 0; d < box->buffer->ndim; d++)
      if (!box->begin[d] || !box->extent[d]) return false;
    if (i) rlx_buf_puts(out, ", ");
    if (!rlx_tir_box_print(a, box, out)) return false;
  }
  return true;
}

static void report(const RlxTirAnalysis *a, const RlxTirBlockInfo *block, bool is_read,
                   RlxSink *sink) {
  RlxTirVerdict v = rlx_tir_declared_regions(a, block, is_read);
  if (v.is) return;
  RlxSpan args = is_read ? block->block->reads_span : block->block->writes_span;
  RlxDiag *diag =
      rlx_reportf(sink, RLX_DIAG_ID(BLOCK_REGION), args.end > args.start ? args : v.span, "ss",
                  rlx_tir_block_name(a, block->index), v.reason);
  RlxBuf text = {0};
  bool can_fix = print_regions(a, is_read ? &block->deduced_reads : &block->deduced_writes, &text);
  if (can_fix && args.end) {
    const char *title = is_read ? "declare what it reads" : "declare what it writes";
    rlx_diag_fix(sink, diag, title, args, rlx_arena_strdup(sink->arena, rlx_buf_text(&text)));
  }
  rlx_buf_free(&text);
}

// ------------------------------------------------------------------ too large, and relied on

static bool is_inside(const RlxTirAnalysis *a, const RlxFacts *facts, const RlxTirBox *box) {
  RlxStore *store = a->store;
  for (int d = 0; d < box->buffer->ndim; d++) {
    const RlxPrim *size = rlx_tir_integer(store, box->buffer->shape[d]);
    if (!size || !box->begin[d] || !box->extent[d]) return false;
    const RlxPrim *end = rlx_prim_add(store, box->begin[d], box->extent[d]);
    if (rlx_prove_less_equal(store, facts, rlx_prim_int_typed(store, 0, end->dtype),
                             box->begin[d]) != RLX_YES ||
        rlx_prove_less_equal(store, facts, end, size) != RLX_YES)
      return false;
  }
  return true;
}

/// What `read` says `dst` reads below the loop `lca` is not all written there by `src`, its only
/// producer there, though T.writes says so. Appends where.
static bool is_short(const RlxTirAnalysis *a, const RlxTirBlockInfo *src,
                     const RlxTirBlockInfo *dst, int lca, const RlxTirBox *read, RlxBuf *out) {
  const RlxTirBox *written = rlx_tir_box_of(&src->deduced_writes, read->buffer);
  if (!written || !written->is_exact || !read->is_exact) return false;
  RlxTirBox from = rlx_tir_box_unbind(a, src, written), to = rlx_tir_box_unbind(a, dst, read);
  from = rlx_tir_box_relax(a, src, &from, lca);
  to = rlx_tir_box_relax(a, dst, &to, lca);
  const RlxFacts *facts = rlx_tir_facts_around(a, dst);
  if (!from.is_exact || !to.is_exact || !is_inside(a, facts, &to)) return false;
  if (rlx_tir_box_covers(a, dst, &from, &to) == RLX_YES) return false;
  rlx_tir_box_print(a, &from, out);
  rlx_buf_printf(out, " at a time, and \"%s\" reads ", rlx_tir_block_name(a, dst->index));
  rlx_tir_box_print(a, &to, out);
  rlx_buf_puts(out, " meanwhile: not written");
  return rlx_tir_box_leaves(a, facts, &from, &to, out);
}

static void report_pair(const RlxTirAnalysis *a, const RlxTirBlockInfo *src,
                        const RlxTirBlockInfo *dst, const RlxTirBuffer *buffer, RlxSink *sink) {
  int lca = rlx_tir_common_loop(a, src->index, dst->index);
  for (int r = 0; r < dst->deduced_reads.count; r++) {
    const RlxTirBox *read = &dst->deduced_reads.at[r];
    RlxBuf text = {0};
    if (read->buffer == buffer && is_short(a, src, dst, lca, read, &text)) {
      RlxDiag *diag = rlx_reportf(sink, RLX_DIAG_ID(BLOCK_REGION_RELAXED), src->block->writes_span,
                                  "ss", rlx_tir_block_name(a, src->index), rlx_buf_text(&text));
      RlxBuf args = {0};
      if (print_regions(a, &src->deduced_writes, &args))
        rlx_diag_fix(sink, diag, "declare what it writes", src->block->writes_span,
                     rlx_arena_strdup(sink->arena, rlx_buf_text(&args)));
      rlx_buf_free(&args);
    }
    rlx_buf_free(&text);
  }
}

/// Producers whose T.writes says more than they write, where a reader is covered by that alone.
static void report_relaxed(const RlxTirAnalysis *a, const RlxTirBlockInfo *dst, RlxSink *sink) {
  if (!dst->region_cover.is || dst->has_opaque) return;
  for (int i = 0; dst->read_uses && i < dst->reads.count; i++) {
    RlxTirBuffer *buffer = dst->reads.at[i].buffer;
    const RlxTirBufferUses *uses = &a->uses[dst->read_uses[i]];
    if (rlx_tir_count_below(uses->writers, uses->writer_count, dst->index) != 1) continue;
    const RlxTirBlockInfo *src = &a->blocks[uses->writers[0]];
    bool is_first = rlx_tir_shared_buffer(&src->writes, &dst->reads) == buffer;
    for (int k = 0; k < i; k++) is_first = is_first && dst->reads.at[k].buffer != buffer;
    if (is_first && src->has_declared_writes && !src->has_opaque)
      report_pair(a, src, dst, buffer, sink);
  }
}

void rlx_tir_region_findings(const RlxTirAnalysis *a, RlxSink *sink) {
  for (int i = 1; i < a->block_count; i++) {
    report(a, &a->blocks[i], true, sink);
    report(a, &a->blocks[i], false, sink);
  }
  for (int i = 1; i < a->block_count; i++) report_relaxed(a, &a->blocks[i], sink);
}
