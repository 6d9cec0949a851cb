/// The verdicts on blocks and scopes that follow from what blocks read and write.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"

static const char *buffer_name(const RlxTirAnalysis *a, const RlxTirBuffer *buffer) {
  return rlx_store_text(a->store, buffer->name);
}

/// `partner`: a block of the scope that writes a buffer that it writes, or -1.
static RlxTirVerdict dominant(const RlxTirAnalysis *a, const RlxTirBlockInfo *block, int partner) {
  if (partner < 0) return rlx_tir_holds();
  const RlxTirBuffer *buffer = NULL;
  for (int w = 0; w < block->writes.count && !buffer; w++)
    if (rlx_tir_box_of(&a->blocks[partner].writes, block->writes.at[w].buffer))
      buffer = block->writes.at[w].buffer;
  RlxTirVerdict v = rlx_tir_fails(a, 1, "block \"%s\" writes %s too",
                                  rlx_tir_block_name(a, partner), buffer_name(a, buffer));
  v.other = partner;
  return v;
}

static RlxTirVerdict output_block(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  const RlxTirBlockInfo *scope = &a->blocks[block->scope];
  for (int w = 0; w < block->writes.count; w++)
    if (!rlx_tir_allocates(scope, block->writes.at[w].buffer)) return rlx_tir_holds();
  return rlx_tir_fails(a, 1, "all that it writes is allocated in its scope");
}

static bool is_number(const RlxTirExpr *e) { return !e || e->kind == RLX_TIR_INT; }

/// TVM's flag: the loops map onto the block variables affinely. Loops without variables repeat one
/// instance, and ranges that depend on other loops are no map over a box.
static RlxTirVerdict affine_binding(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  if (block->loop_count && !block->iter_count)
    return rlx_tir_fails(a, 1, "loop %s binds no block variable",
                         rlx_tir_loop_title(a, &a->loops[block->loops[0]]));
  for (int i = 0; i < block->loop_count; i++) {
    const RlxTirStmt *loop = a->loops[block->loops[i]].stmt;
    for (int k = 0; k < i && !(is_number(loop->extent) && is_number(loop->min)); k++) {
      const RlxTirVar *outer = a->loops[block->loops[k]].stmt->var;
      if (!rlx_tir_uses(loop->extent, outer) && !rlx_tir_uses(loop->min, outer)) continue;
      return rlx_tir_fails(a, 1, "the range of loop %s depends on %s",
                           rlx_tir_loop_title(a, &a->loops[block->loops[i]]),
                           rlx_tir_loop_title(a, &a->loops[block->loops[k]]));
    }
  }
  return rlx_tir_affine_binding(a, block);
}

static RlxTirVerdict trivial_binding(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  if (block->loop_count != block->iter_count)
    return rlx_tir_fails(a, 1, "%d loops for %d block variables", block->loop_count,
                         block->iter_count);
  for (int i = 0; i < block->iter_count; i++) {
    const RlxTirExpr *binding = block->iters[i].iter->binding;
    const RlxTirVar *loop = a->loops[block->loops[i]].stmt->var;
    if (binding && binding->kind == RLX_TIR_VAR && binding->var == loop) continue;
    return rlx_tir_fails(a, 2, "block variable %s is not loop %s",
                         rlx_store_text(a->store, block->iters[i].iter->var->name),
                         rlx_tir_loop_title(a, &a->loops[block->loops[i]]));
  }
  return rlx_tir_holds();
}

static RlxTirVerdict because(RlxTirVerdict v, int violates) {
  v.violates = (uint8_t)violates;
  return v;
}

static RlxTirVerdict is_another_type(const RlxTirAnalysis *a, int condition,
                                     const RlxTirIterVar *iter, const char *wanted) {
  return rlx_tir_fails(a, condition, "block variable %s is %s, %s",
                       rlx_store_text(a->store, iter->var->name),
                       rlx_tir_iter_type_name((RlxTirIterType)iter->type), wanted);
}

static RlxTirVerdict complete(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                              RlxTirVerdict dominant) {
  for (int i = 0; i < block->iter_count; i++)
    if (block->iters[i].iter->type != RLX_ITER_DATA_PAR)
      return is_another_type(a, 1, block->iters[i].iter, "not data_par");
  if (!dominant.is) return because(dominant, 2);
  for (int i = 0; i < block->reads.count; i++)
    if (rlx_tir_box_of(&block->writes, block->reads.at[i].buffer))
      return rlx_tir_fails(a, 3, "it reads %s, which it writes",
                           buffer_name(a, block->reads.at[i].buffer));
  return rlx_tir_holds();
}

static RlxTirVerdict reduction(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                               RlxTirVerdict dominant) {
  if (!block->has_init) return rlx_tir_fails(a, 1, "it has no T.init");
  if (!block->affine_binding.is) return because(block->affine_binding, 2);
  for (int i = 0; i < block->iter_count; i++) {
    const RlxTirIterVar *iter = block->iters[i].iter;
    if (iter->type != RLX_ITER_DATA_PAR && iter->type != RLX_ITER_REDUCE)
      return is_another_type(a, 3, iter, "neither data_par nor reduce");
  }
  if (!dominant.is) return because(dominant, 4);
  return rlx_tir_outputs_without_reduce(a, block);
}

RlxTirVerdict rlx_tir_locally_complete(const RlxTirAnalysis *a, int block) {
  return complete(a, &a->blocks[block], rlx_tir_holds());
}

RlxTirVerdict rlx_tir_locally_reduction(const RlxTirAnalysis *a, int block) {
  return reduction(a, &a->blocks[block], rlx_tir_holds());
}

/// The first dependency of the scope that lets a block write what an earlier one has read.
static bool first_overwritten(const RlxTirAnalysis *a, const RlxTirBlockInfo *scope,
                              RlxTirDependency *out) {
  for (int i = 0; i < scope->child_count; i++) {
    int dst = scope->children[i], src = dst;
    const RlxTirBlockInfo *block = &a->blocks[dst];
    for (int w = 0; block->write_uses && w < block->writes.count; w++) {
      const RlxTirBufferUses *uses = &a->uses[block->write_uses[w]];
      if (uses->reader_count && uses->readers[0] < src) src = uses->readers[0];
    }
    if (src == dst) continue;
    RlxTirBuffer *buffer = rlx_tir_shared_buffer(&a->blocks[src].reads, &block->writes);
    *out = (RlxTirDependency){scope->index, src, dst, RLX_DEPENDENCY_WAR, buffer};
    return true;
  }
  return false;
}

/// S4 and TVM: producers and consumers of one scope are a pipeline of stages.
static RlxTirVerdict stage_pipeline(const RlxTirAnalysis *a, const RlxTirBlockInfo *scope) {
  RlxTirDependency d;
  if (first_overwritten(a, scope, &d)) {
    RlxTirVerdict v = rlx_tir_fails(a, 1, "block \"%s\" writes %s, which \"%s\" read before",
                                    rlx_tir_block_name(a, d.dst), buffer_name(a, d.buffer),
                                    rlx_tir_block_name(a, d.src));
    v.other = d.dst;
    return v;
  }
  for (int i = 0; i < scope->child_count; i++) {
    const RlxTirBlockInfo *child = &a->blocks[scope->children[i]];
    if (child->region_cover.is) continue;
    RlxTirVerdict v = rlx_tir_fails(a, 2, "block \"%s\": %s", rlx_tir_block_name(a, child->index),
                                    child->region_cover.reason);
    v.other = child->index;
    return v;
  }
  return rlx_tir_holds();
}

// ------------------------------------------------------------------ all of them

/// The first other block of its scope that writes what it writes, or -1.
static int find_rival(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  int rival = -1;
  for (int w = 0; block->write_uses && w < block->writes.count; w++) {
    const RlxTirBufferUses *uses = &a->uses[block->write_uses[w]];
    int other = uses->writers[0] != block->index ? uses->writers[0]
                : uses->writer_count > 1         ? uses->writers[1]
                                                 : -1;
    if (other >= 0 && (rival < 0 || other < rival)) rival = other;
  }
  return rival;
}

static void judge_scope(RlxTirAnalysis *a, RlxTirBlockInfo *scope) {
  for (int i = 0; i < scope->child_count; i++) {
    RlxTirBlockInfo *block = &a->blocks[scope->children[i]];
    block->dominant = dominant(a, block, find_rival(a, block));
    block->output_block = output_block(a, block);
    block->complete = complete(a, block, block->dominant);
    block->reduction = reduction(a, block, block->dominant);
  }
  scope->stage_pipeline = stage_pipeline(a, scope);
}

void rlx_tir_judge(RlxTirAnalysis *a, const RlxTirAnalysis *before) {
  RlxTirVerdict none = rlx_tir_fails(a, 0, "it belongs to no scope");
  none.is_unknown = true;
  for (int b = 0; b < a->block_count; b++) {
    RlxTirBlockInfo *block = &a->blocks[b];
    block->dominant = block->output_block = block->complete = block->reduction = none;
    if (!rlx_tir_reuse_binding(a, block)) block->affine_binding = affine_binding(a, block);
    block->trivial_binding = trivial_binding(a, block);
    if (!rlx_tir_reuse_reducer(a, block)) rlx_tir_judge_reducer(a, block);
  }
  rlx_tir_judge_cover(a, before);
  for (int b = 0; b < a->block_count; b++) judge_scope(a, &a->blocks[b]);
}
