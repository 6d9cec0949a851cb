/// A number for each operator: RLX_OPID_<id of its row>, in the table's order.
///
/// Every file that includes this is compiled again when an operator is added, so include it only
/// where an operator is named: op_table.h is enough to read rows. tests/hygiene counts those files.
#ifndef RLX_ANALYZER_OP_IDS_H
#define RLX_ANALYZER_OP_IDS_H

enum { // values of RlxOpId
  RLX_OPID_NONE,
#define RLX_OP(id, script, registry, purity, params, deduce, lower, doc) RLX_OPID_##id,
#include "analyzer/ops/all.def"
#undef RLX_OP
  RLX_OPID_COUNT
};

#endif
