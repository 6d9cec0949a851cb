/// The diagnostics of a file as a person sees them.
#ifndef RLX_ANALYZER_REPORT_H
#define RLX_ANALYZER_REPORT_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/file.h"

/// All diagnostics in source order, suppressions applied; valid until the next edit and the next list. Appends to
/// `out`.
void rlx_file_diags(RlxFile *file, RlxFileDiags *out);
/// The same; hints on nested calls have their fixes only where they touch `window`,
/// and so have mistakes that others of the function's lines mend. RLX_NO_WINDOW:
/// nowhere, for those who show no fixes: these fixes cost a pass over the function.
void rlx_file_diags_mended(RlxFile *file, RlxSpan window, RlxFileDiags *out);
#define RLX_NO_WINDOW rlx_span(UINT32_MAX, 0)
uint32_t rlx_file_error_count(RlxFile *file);   ///< diagnostics that are errors
uint32_t rlx_file_warning_count(RlxFile *file); ///< those that are errors or warnings
/// Appends the places, absolute, of the codes and names that comments `# rlx: ignore[…]` list.
void rlx_file_suppressed_codes(RlxFile *file, RlxSpans *out);
/// Where related place `i` of a diagnostic is now, absolute.
RlxSpan rlx_file_diag_related(const RlxFileDiag *d, uint32_t i);

#endif
