/// Mistakes in what a function keeps under a name for Python alone.
#ifndef RLX_ANALYZER_LAID_BY_H
#define RLX_ANALYZER_LAID_BY_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/state.h"

/// Makes those of `diags` from `from` on warnings that stand in a value which nothing uses.
void rlx_laid_by(RlxFile *file, RlxFileDiags *diags, uint32_t from);

#endif
