/// Inside of the block analysis: what its files share. blocks.c collects and decides, and
/// blocks_region.c knows regions, blocks_verdict.c verdicts, blocks_reducer.c reductions,
/// blocks_binding.c bindings.
#ifndef RLX_ANALYZER_TIR_BLOCKS_IMPL_H
#define RLX_ANALYZER_TIR_BLOCKS_IMPL_H

#include "analyzer/tir/blocks.h"

/// Fills reads, writes (declared and deduced) of all blocks: inner ones first.
void rlx_tir_collect_regions(RlxTirAnalysis *a);
/// Fills the dependencies of all scopes.
void rlx_tir_collect_dependencies(RlxTirAnalysis *a);
/// Fills all verdicts; regions and dependencies are there.
void rlx_tir_judge(RlxTirAnalysis *a);
/// Fills `reducer`, `incremental` and inferred iteration types of one block.
void rlx_tir_judge_reducer(RlxTirAnalysis *a, RlxTirBlockInfo *block);

static inline RlxTirVerdict rlx_tir_holds(void) {
  RlxTirVerdict v = {.is = true, .other = -1, .reason = ""};
  return v;
}
RlxTirVerdict rlx_tir_fails(const RlxTirAnalysis *a, int violates, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
