/// Fixes that are found for those who look at them: they concern other statements than the mistake's.
#ifndef RLX_ANALYZER_FIX_GUESS_H
#define RLX_ANALYZER_FIX_GUESS_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/file.h"

/// Adds to those of `diags` from `from` on that touch `window` the fixes that follow from the
/// function around: a parameter declared as its use wants it, a name that may have been meant, what
/// may have been meant to be returned. All are unsafe. They live as long as the file's diagnostics.
void rlx_fix_guess(RlxFile *file, RlxFileDiags *diags, uint32_t from, RlxSpan window);

#endif
