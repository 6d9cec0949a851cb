/// Values that are read after a call in place has overwritten them.
#ifndef RLX_ANALYZER_INPLACE_H
#define RLX_ANALYZER_INPLACE_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/file.h"

/// Appends a warning for each call in place (R.call_tir_inplace, R.call_inplace_packed, a function
/// of the file that overwrites its parameter) of which an overwritten argument is read afterwards:
/// at the first such place. Aliases are those of rlx_expr_memory, and what a call or an `if` gives of
/// other memory on one of the ways through the function: nothing is reported that is never so. Source of the
/// rule: TVM v0.25 python/tvm/relax/op/base.py, call_tir_inplace.
void rlx_inplace_diags(RlxFile *file, RlxFileDiags *out);

#endif
