/// Whether the updates of a reduction may change places.
#ifndef RLX_ANALYZER_TIR_UPDATE_ORDER_H
#define RLX_ANALYZER_TIR_UPDATE_ORDER_H

#include "analyzer/tir/blocks_impl.h"

/// Does a block with T.init give the same whichever of two instances of its reduce variables runs
/// first? Holds for the updates that are recognised (`reducer`) and for blocks without such
/// variables; refuted with an example, in the analysis' arena, where two updates on made-up
/// contents differ; unknown for all else. A reduction (S4) makes all its updates incrementally, in
/// any order; TVM does not look. Of equal values an argmax keeps the first, or the last: unless `minds_ties`, a body that
/// updates several elements is refuted only where the order counts of different values, too.
RlxTirVerdict rlx_tir_update_order(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                                   bool minds_ties);

#endif
