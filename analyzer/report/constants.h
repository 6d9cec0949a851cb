/// What Python stops at in the statements outside of all functions and classes: what numpy refuses of the constants of a file, the values that
/// these give to names, and imports of what is gone.
#ifndef RLX_ANALYZER_CONSTANTS_H
#define RLX_ANALYZER_CONSTANTS_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/state.h"

/// Appends the findings, and drops the hints from `from` on that such a constant is not known. A file that imports no numpy,
/// or has no function of TVM's, is not looked at.
void rlx_constant_diags(RlxFile *file, RlxFileDiags *out, uint32_t from);

/// Appends the imports of the package tir in a file whose functions are of a TVM that has none. What may not run is not looked at.
void rlx_import_diags(RlxFile *file, RlxFileDiags *out);

#endif
