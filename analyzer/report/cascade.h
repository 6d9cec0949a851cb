/// One mistake, one diagnostic. Within a statement and along values, taint keeps consequences
/// silent; here is what taint does not reach: a report that follows from another one of the same
/// file is taken back, and reports that one mistake causes at several places become one. Computed
/// from the finished list, so nothing is kept between edits.
#ifndef RLX_ANALYZER_CASCADE_H
#define RLX_ANALYZER_CASCADE_H
#include "analyzer/diag/file_diag.h"
#include "analyzer/state/file.h"
#include "analyzer/syntax/document.h"

/// The syntax problems of `problems` that do not come from one before them; in place.
void rlx_cascade_syntax(const RlxFile *file, RlxSyntaxProblems *problems);
/// The line of an offset, from 0.
uint32_t rlx_cascade_line(const RlxFile *file, uint32_t offset);
/// Moves what follows from another diagnostic behind the others in `diags` from `from` on, which
/// are in source order and stay so; returns how many stand before those.
uint32_t rlx_cascade_drop(RlxFile *file, RlxFileDiags *diags, uint32_t from);
/// Leaves the first of the errors that one mistake makes at several places (a signature that all
/// calls disagree with) and makes the others its related places.
void rlx_cascade_merge(RlxFile *file, RlxFileDiags *diags, uint32_t from);

#endif
