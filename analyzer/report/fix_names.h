/// Fixes in the words of the file: one that `from tvm.script import relax` reads has no `R`, one with "\r\n" no "\n".
#ifndef RLX_ANALYZER_FIX_NAMES_H
#define RLX_ANALYZER_FIX_NAMES_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/file.h"

/// In `diags` from `from` on, writes what fixes spell `R.…` (in a PrimFunc `T.…`) as the decorator
/// of the function spells it: `relax.…` below `@relax.function`. A fix that has no such spelling
/// goes. Lines that fixes write end as those beside them do.
void rlx_fix_names(RlxFile *file, RlxFileDiags *diags, uint32_t from);

#endif
