/// A number for each operator: RLX_OPID_<id of its row>, in the table's order.
///
/// Every file that includes this is compiled again when an operator is added, so include it only
/// where a constant is needed (`case`, static tables): RLX_OP_ID of op_table.h names an operator, too,
/// and is resolved when the program is linked. tests/hygiene counts the files that include this.
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
