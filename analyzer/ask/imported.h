/// Constants of other modules of the project, at the places where a script uses them.
#ifndef RLX_ANALYZER_IMPORTED_H
#define RLX_ANALYZER_IMPORTED_H

#include "analyzer/state/file.h"
#include "analyzer/syntax/span.h"
#include "base/buf.h"

/// Describes the imported name or attribute (`N`, `cfg.hidden`) at `offset`, Markdown: the
/// statement that assigns it, and in which file and line. False: there is none, or its value is not
/// known without running Python.
bool rlx_file_imported_at(RlxFile *file, uint32_t offset, RlxSpan *out_span, RlxBuf *out);

#endif
