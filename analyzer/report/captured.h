/// Names around a script that Python knows and TVM's parser is not handed.
#ifndef RLX_ANALYZER_CAPTURED_H
#define RLX_ANALYZER_CAPTURED_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/state.h"

/// Appends the findings, where `out` says nothing from `from` on. Functions of other dialects than 0.25 and 0.27 are not looked at.
void rlx_captured_diags(RlxFile *file, RlxFileDiags *out, uint32_t from);

#endif
