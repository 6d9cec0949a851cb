/// The numbers that a small integer tensor holds, where they are known: shapes as data, between
/// `R.shape_to_tensor` and `R.tensor_to_shape`.
#ifndef RLX_ANALYZER_OPS_NUMBERS_H
#define RLX_ANALYZER_OPS_NUMBERS_H

#include "analyzer/ops/ops.h"

/// More elements are not looked at.
enum { RLX_NUMBERS_MAX = 16 };

/// The elements of `x`, an integer tensor of rank 0 (one element) or 1, as a Shape: a constant, a
/// variable whose content is known (RlxVar.content), or shape_to_tensor, size, arithmetic, concat,
/// stack, take, strided_slice, reductions and changes of rank and dtype of such. NULL: not known.
/// Never reports.
const RlxSInfo *rlx_numbers_of(RlxDeduce *d, const RlxExpr *x);
/// Is `s` the StructInfo of a tensor that rlx_numbers_of looks at?
bool rlx_numbers_fit(const RlxSInfo *s);

#endif
