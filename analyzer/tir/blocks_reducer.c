/// Reductions in normal form: which combiner an update is, and what iteration types the body
/// allows.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"

void rlx_tir_judge_reducer(RlxTirAnalysis *a, RlxTirBlockInfo *block) {
  block->reducer = RLX_REDUCER_NONE;
  block->incremental = rlx_tir_fails(a, 0, "not decided");
  block->incremental.is_unknown = true;
}
