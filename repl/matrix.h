/// What numpy's linalg gives of values: inverses, factors, eigenvalues. Relax has no operators for it.
#ifndef RLX_REPL_MATRIX_H
#define RLX_REPL_MATRIX_H

#include "jit/runtime/value.h"

enum { RLX_MATRIX_ARGS_MAX = 2 };

/// What the function `name` (a row of matrix.c: "inv", "solve", "svd"…) gives of `count` tensors, a reference for the caller: a
/// tensor, or a tuple of them. Of more than two dimensions the last two are matrices. Computed in float64, of the dtype of the
/// first tensor, float32 of integers. NULL and `err`: wrong shapes, a singular matrix, or no memory.
RlxObject *rlx_matrix_compute(RlxHeap *heap, const char *name, RlxObject *const *args, int count,
                              RlxError *err);
/// About how many multiplications that takes.
double rlx_matrix_cost(RlxObject *const *args, int count);

#endif
