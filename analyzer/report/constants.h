/// What numpy refuses of the constants of a file: the values that statements outside of all
/// functions and classes give to names.
#ifndef RLX_ANALYZER_CONSTANTS_H
#define RLX_ANALYZER_CONSTANTS_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/state.h"

/// Appends the findings, and drops the hints from `from` on that such a constant is not known. A file that imports no numpy,
/// or has no function of TVM's, is not looked at.
void rlx_constant_diags(RlxFile *file, RlxFileDiags *out, uint32_t from);

#endif
