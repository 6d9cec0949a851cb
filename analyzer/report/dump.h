/// All that the analyzer knows of a file, as text: for tests that compare an edited file with a
/// fresh one.
#ifndef RLX_ANALYZER_DUMP_H
#define RLX_ANALYZER_DUMP_H
#include "analyzer/state/file.h"
#include "base/buf.h"

/// Appends functions, bindings with their StructInfo and places, and diagnostics with
/// what belongs to them.
void rlx_file_dump(RlxFile *file, RlxBuf *out);

#endif
