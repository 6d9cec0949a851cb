/// Fixes in the words of the file: one that `from tvm.script import relax` reads has no `R`, one with "\r\n" no "\n".
#ifndef RLX_ANALYZER_FIX_NAMES_H
#define RLX_ANALYZER_FIX_NAMES_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/file.h"

/// In `diags` from `from` on, writes what fixes spell `R.…` (in a PrimFunc `T.…`) as the decorator
/// of the function spells it: `relax.…` below `@relax.function`. A fix that has no such spelling
/// goes. Lines that fixes write end as those beside them do.
void rlx_fix_names(RlxFile *file, RlxFileDiags *diags, uint32_t from);
/// The same of one text that is written into function `def`, which may be NULL. Returns `text` where nothing
/// changes, else a copy in `arena`; NULL: the text has no such spelling there.
const char *rlx_in_words_of(const RlxFile *file, const RlxStmt *def, RlxArena *arena,
                            const char *text);

#endif
