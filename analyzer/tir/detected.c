/// What TVM's parser detects for blocks that do not declare their regions, where that cannot work: a
/// buffer of the block's own body would be in the regions at its head, where it is not yet declared;
/// memory that is reached by its pointer has no region. Whether a block is the function's root,
/// whose regions are dropped, is decided as TVM does. The same in 0.25 and 0.27.
#include "analyzer/tir/findings.h"

#include <string.h>

typedef struct Detector {
  const RlxStore *store;
  const RlxPrimFunc *f;
  RlxSink *sink;
  bool is_verified;
  Vec(RlxTirBuffer *) outer; ///< buffers that are declared where the walk is
} Detector;

/// What is looked for in the body of one block.
typedef struct Search {
  const Detector *d;
  bool reads, writes;        ///< which of the block's regions are detected
  Vec(RlxTirBuffer *) inner; ///< buffers that the body declares
  Vec(RlxTirVar *) scalars;  ///< names for memory of one element that it allocates
  RlxName local;             ///< found: one of them is in the regions; 0: none
  const RlxTirBlock *block;
  const RlxTirBuffer
      *opaque; ///< found: one whose pointer is used, and that the block does not allocate
} Search;

static bool is_inner(const Search *s, const RlxTirBuffer *buffer) {
  for (uint32_t i = 0; i < s->inner.count; i++)
    if (s->inner.at[i] == buffer) return true;
  return false;
}

static void access(Search *s, const RlxTirBuffer *buffer, bool is_detected) {
  if (is_detected && !s->local && is_inner(s, buffer)) s->local = buffer->name;
}

static void pointer(Search *s, const RlxTirVar *var) {
  for (uint32_t i = 0; i < s->d->outer.count && !s->opaque; i++)
    if (s->d->outer.at[i]->data == var) s->opaque = s->d->outer.at[i];
  for (uint32_t i = 0; i < s->inner.count && !s->opaque; i++)
    if (s->inner.at[i]->data == var) s->opaque = s->inner.at[i];
  for (int i = 0; i < s->block->match_count && !s->opaque; i++)
    if (s->block->matches[i]->data == var) s->opaque = s->block->matches[i];
}

static void search_expr(Search *s, const RlxTirExpr *e) {
  if (!e) return;
  if (e->kind == RLX_TIR_LOAD) access(s, e->buffer, s->reads);
  if (e->kind == RLX_TIR_VAR) pointer(s, e->var);
  for (uint32_t i = 0; e->kind == RLX_TIR_VAR && s->reads && i < s->scalars.count; i++)
    if (s->scalars.at[i] == e->var && !s->local) s->local = e->var->name;
  bool is_access = e->kind == RLX_TIR_CALL &&
                   strcmp(rlx_store_text(s->d->store, e->name), "tvm_access_ptr") == 0;
  for (int i = 0; i < e->arg_count; i++)
    if (!is_access || i != 1) search_expr(s, e->args[i]);
}

static void search_regions(Search *s, const RlxTirRegion *regions, int count, bool is_detected) {
  for (int i = 0; i < count; i++) access(s, regions[i].buffer, is_detected);
}

/// Whether an error is reported in the statement: what it binds may be something else.
static bool is_wrong(const Search *s, const RlxTirStmt *stmt) {
  const RlxSink *sink = s->d->sink;
  for (uint32_t i = 0; i < sink->diags.count; i++) {
    const RlxDiag *diag = sink->diags.at[i];
    if (diag->severity == RLX_ERROR && stmt->span.start <= diag->span.start &&
        diag->span.end <= stmt->span.end)
      return true;
  }
  return false;
}

static void search_stmt(Search *s, const RlxTirStmt *stmt) {
  if (!stmt) return;
  const RlxTirBlock *block = stmt->block;
  bool has_reads = block && block->read_count >= 0, has_writes = block && block->write_count >= 0;
  if (has_reads) search_regions(s, block->reads, block->read_count, s->reads);
  if (has_writes) search_regions(s, block->writes, block->write_count, s->writes);
  if (has_reads && has_writes) return; // what it declares counts, whatever it does
  if (stmt->kind == RLX_TIR_ALLOC) rlx_vec_push(&s->inner, stmt->buffer);
  if (stmt->kind == RLX_TIR_LET_STMT && stmt->is_memory && !is_wrong(s, stmt)) {
    rlx_vec_push(&s->scalars, stmt->var);
    if (s->writes && !s->local) s->local = stmt->var->name;
  }
  if (stmt->kind == RLX_TIR_STORE) {
    access(s, stmt->buffer, s->writes);
    for (int i = 0; i < stmt->buffer->ndim; i++) search_expr(s, stmt->indices[i]);
  }
  search_expr(s, stmt->value);
  search_expr(s, stmt->cond);
  search_expr(s, stmt->min);
  search_expr(s, stmt->extent);
  for (uint32_t i = 0; i < stmt->count; i++) search_stmt(s, stmt->body[i]);
  search_stmt(s, stmt->init);
}

static void look_at_block(Detector *d, const RlxTirStmt *stmt, bool is_root) {
  const RlxTirBlock *block = stmt->block;
  Search s = {
      .d = d, .block = block, .reads = block->read_count < 0, .writes = block->write_count < 0};
  if (!s.reads && !s.writes) return;
  for (int i = 0; i < block->alloc_count; i++)
    if (block->allocs[i]->is_of_body) rlx_vec_push(&s.inner, block->allocs[i]);
  for (uint32_t i = 0; i < stmt->count; i++) search_stmt(&s, stmt->body[i]);
  search_stmt(&s, stmt->init);
  bool is_local = s.local && !is_root && d->is_verified;
  if (is_local || s.opaque)
    rlx_reportf(d->sink, RLX_DIAG_ID(BLOCK_DETECTED), stmt->span, "sss",
                rlx_store_text(d->store, block->name),
                rlx_store_text(d->store, is_local ? s.local : s.opaque->name),
                is_local ? "is declared in the block itself" : "is reached by its pointer");
  rlx_vec_free(&s.inner);
  rlx_vec_free(&s.scalars);
}

static void walk(Detector *d, const RlxTirStmt *stmt, bool is_root) {
  if (!stmt) return;
  uint32_t count = d->outer.count;
  const RlxTirBlock *block = stmt->block;
  if (block) look_at_block(d, stmt, is_root);
  for (int i = 0; block && i < block->alloc_count; i++) rlx_vec_push(&d->outer, block->allocs[i]);
  for (int i = 0; block && i < block->match_count; i++) rlx_vec_push(&d->outer, block->matches[i]);
  for (uint32_t i = 0; i < stmt->count; i++) walk(d, stmt->body[i], false);
  walk(d, stmt->init, false);
  d->outer.count = count;
}

void rlx_tir_detected_findings(const RlxStore *store, const RlxPrimFunc *f, bool is_verified,
                               RlxSink *sink) {
  if (f->has_holes || !f->body) return;
  Detector d = {.store = store, .f = f, .sink = sink, .is_verified = is_verified};
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].buffer) rlx_vec_push(&d.outer, f->params[i].buffer);
  for (int i = 0; i < f->root_alloc_count; i++) rlx_vec_push(&d.outer, f->root_allocs[i]);
  bool is_block = f->body->kind == RLX_TIR_BLOCK && !f->body->block->iter_count;
  walk(&d, f->body, is_block && !f->root_alloc_count);
  rlx_vec_free(&d.outer);
}
