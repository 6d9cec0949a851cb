/// What operators of dense tensors ask about sparse ones.
#ifndef RLX_ANALYZER_OPS_SPARSE_H
#define RLX_ANALYZER_OPS_SPARSE_H

#include "analyzer/ops/ops.h"

/// StructInfo of the sum of two sparse matrices, NULL when the arguments are not two of them. The
/// structure is kept where both have it from the same variables, and not known otherwise.
const RlxSInfo *rlx_sparse_add(RlxDeduce *d, const RlxCall *call);

#endif
