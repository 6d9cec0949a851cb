/// Dependencies between the blocks of one scope, and the verdicts that follow from them.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"
#include "base/map.h"

// ------------------------------------------------------------------ dependencies

typedef Vec(RlxTirDependency) Dependencies;

static bool touches(const RlxTirBoxes *boxes, const RlxTirBuffer *buffer) {
  for (int i = 0; i < boxes->count; i++)
    if (boxes->at[i].buffer == buffer) return true;
  return false;
}

/// One dependency of each kind at most, with the first buffer that makes it.
static void depend(Dependencies *out, int scope, int src, int dst, RlxTirDependencyKind kind,
                   const RlxTirBoxes *from, const RlxTirBoxes *to) {
  for (int i = 0; i < to->count; i++) {
    if (!touches(from, to->at[i].buffer)) continue;
    RlxTirDependency d = {scope, src, dst, (uint8_t)kind, to->at[i].buffer};
    rlx_vec_push(out, d);
    return;
  }
}

void rlx_tir_collect_dependencies(RlxTirAnalysis *a) {
  Dependencies all = {0};
  for (int s = 0; s < a->block_count; s++) {
    const RlxTirBlockInfo *scope = &a->blocks[s];
    for (int i = 1; i < scope->child_count; i++)
      for (int k = 0; k < i; k++) {
        int from = scope->children[k], to = scope->children[i];
        const RlxTirBlockInfo *x = &a->blocks[from], *y = &a->blocks[to];
        depend(&all, s, from, to, RLX_DEPENDENCY_RAW, &x->writes, &y->reads);
        depend(&all, s, from, to, RLX_DEPENDENCY_WAW, &x->writes, &y->writes);
        depend(&all, s, from, to, RLX_DEPENDENCY_WAR, &x->reads, &y->writes);
      }
  }
  a->dependency_count = (int)all.count;
  a->dependencies = rlx_arena_copy(a->arena, all.at, all.count, sizeof *all.at);
  rlx_vec_free(&all);
}

// ------------------------------------------------------------------ verdicts

static const char *buffer_name(const RlxTirAnalysis *a, const RlxTirBuffer *buffer) {
  return rlx_store_text(a->store, buffer->name);
}

static RlxTirVerdict dominant(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  const RlxTirBlockInfo *scope = &a->blocks[block->scope];
  for (int w = 0; w < block->writes.count; w++) {
    const RlxTirBuffer *buffer = block->writes.at[w].buffer;
    for (int i = 0; i < scope->child_count; i++) {
      int other = scope->children[i];
      if (other == block->index || !touches(&a->blocks[other].writes, buffer)) continue;
      RlxTirVerdict v = rlx_tir_fails(a, 1, "block \"%s\" writes %s too",
                                      rlx_tir_block_name(a, other), buffer_name(a, buffer));
      v.other = other;
      return v;
    }
  }
  return rlx_tir_holds();
}

static RlxTirVerdict output_block(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  const RlxTirBlockInfo *scope = &a->blocks[block->scope];
  for (int w = 0; w < block->writes.count; w++) {
    bool is_local = false;
    for (int i = 0; i < scope->alloc_count; i++)
      is_local = is_local || scope->allocs[i] == block->writes.at[w].buffer;
    if (!is_local) return rlx_tir_holds();
  }
  return rlx_tir_fails(a, 1, "all that it writes is allocated in its scope");
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
                         rlx_store_text(a->store, loop->name));
  }
  return rlx_tir_holds();
}

static RlxTirVerdict because(RlxTirVerdict v, int violates) {
  v.violates = (uint8_t)violates;
  return v;
}

static RlxTirVerdict complete(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  for (int i = 0; i < block->iter_count; i++) {
    const RlxTirIterVar *iter = block->iters[i].iter;
    if (iter->type != RLX_ITER_DATA_PAR)
      return rlx_tir_fails(a, 1, "block variable %s is %s, not data_par",
                           rlx_store_text(a->store, iter->var->name),
                           rlx_tir_iter_type_name((RlxTirIterType)iter->type));
  }
  if (!block->dominant.is) return because(block->dominant, 2);
  for (int i = 0; i < block->reads.count; i++)
    if (touches(&block->writes, block->reads.at[i].buffer))
      return rlx_tir_fails(a, 3, "it reads %s, which it writes",
                           buffer_name(a, block->reads.at[i].buffer));
  return rlx_tir_holds();
}

static RlxTirVerdict reduction(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  if (!block->has_init) return rlx_tir_fails(a, 1, "it has no T.init");
  if (!block->affine_binding.is) return because(block->affine_binding, 2);
  for (int i = 0; i < block->iter_count; i++) {
    const RlxTirIterVar *iter = block->iters[i].iter;
    if (iter->type != RLX_ITER_DATA_PAR && iter->type != RLX_ITER_REDUCE)
      return rlx_tir_fails(a, 3, "block variable %s is %s, neither data_par nor reduce",
                           rlx_store_text(a->store, iter->var->name),
                           rlx_tir_iter_type_name((RlxTirIterType)iter->type));
  }
  if (!block->dominant.is) return because(block->dominant, 4);
  return rlx_tir_holds();
}

static RlxTirVerdict undecided(const RlxTirAnalysis *a) {
  RlxTirVerdict v = rlx_tir_fails(a, 0, "not decided");
  v.is_unknown = true;
  return v;
}

void rlx_tir_judge(RlxTirAnalysis *a) {
  for (int b = 0; b < a->block_count; b++) {
    RlxTirBlockInfo *block = &a->blocks[b];
    block->affine_binding = rlx_tir_affine_binding(a, block);
    block->trivial_binding = trivial_binding(a, block);
    block->region_cover = block->stage_pipeline = undecided(a);
    rlx_tir_judge_reducer(a, block);
    if (!b) {
      block->dominant = block->output_block = block->complete = block->reduction = undecided(a);
      continue;
    }
    block->dominant = dominant(a, block);
    block->output_block = output_block(a, block);
    block->complete = complete(a, block);
    block->reduction = reduction(a, block);
  }
}
