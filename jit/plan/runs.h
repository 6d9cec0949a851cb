/// What is said of an operator's evaluation, for pages about it.
#ifndef RLX_JIT_RUNS_H
#define RLX_JIT_RUNS_H

#include "analyzer/ops/op_table.h"
#include "base/buf.h"

/// Whether calls of it can be evaluated, in some form at least.
bool rlx_op_runs(const RlxOpRow *row);
/// Appends whether it runs, on which dtypes and what is checked then; one line without its end.
void rlx_op_runs_text(const RlxOpRow *row, RlxBuf *out);

#endif
