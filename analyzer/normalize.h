/// Normal form as edits of the text: nested calls get a name and a line of their own, in evaluation order (spec 2.2). What need
/// not change stays byte for byte.
#ifndef RLX_ANALYZER_NORMALIZE_H
#define RLX_ANALYZER_NORMALIZE_H

#include "analyzer/analyzer.h"

/// Appends the file's text in normal form to `out`; false when it already is, or no statement with nested calls has a line of
/// its own (`elif`, behind a `;` or a `:`): those stay as they are.
bool rlx_file_normalize(RlxFile *file, RlxBuf *out);

#endif
