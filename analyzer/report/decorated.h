/// Decorators as Python evaluates them, of classes and functions that are TVM's or were meant to be, and the statements around these.
#ifndef RLX_ANALYZER_DECORATED_H
#define RLX_ANALYZER_DECORATED_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/state.h"

/// Appends the findings; `from` is the first of the file's in `out`: a decorator of which one of
/// those speaks already is passed over. Files of other dialects than 0.25 and 0.27 are not looked at.
void rlx_decorator_diags(RlxFile *file, RlxFileDiags *out, uint32_t from);

#endif
