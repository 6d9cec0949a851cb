/// What TVM's parser refuses of the statements of a module's class, and loops of T outside of all
/// functions.
#ifndef RLX_ANALYZER_MODULE_BODY_H
#define RLX_ANALYZER_MODULE_BODY_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/state.h"

/// Appends the findings. Modules of other dialects than 0.25 and 0.27 are not looked at.
void rlx_module_body_diags(RlxFile *file, RlxFileDiags *out);

#endif
