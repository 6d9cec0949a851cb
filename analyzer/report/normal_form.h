/// What a normal form asks of a text, as diagnostics, and its edits one at a time.
#ifndef RLX_ANALYZER_NORMAL_FORM_H
#define RLX_ANALYZER_NORMAL_FORM_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/rewrite/normalize.h"

/// Appends normal-form diagnostics of the file under its settings; hints on nested calls that are
/// there from number `from` on and touch `window` get fixes, which costs a pass over their
/// function.
void rlx_normal_form_diags(RlxFile *file, RlxFileDiags *out, uint32_t from, RlxSpan window);

/// The edits that put the variable bound at absolute `offset` where it is used; NULL when it can't
/// be. Lives in `arena`; spans are absolute.
const RlxFix *rlx_file_inline_at(RlxFile *file, uint32_t offset, RlxArena *arena);
/// Why it is not offered there; NULL: no variable stands there. `*title` is what the action would be called.
const char *rlx_file_inline_refusal(RlxFile *file, uint32_t offset, RlxArena *arena,
                                    const char **title);
/// The edits that bind the nested call around `offset` to a variable, the innermost; NULL when
/// there is none. As above.
const RlxFix *rlx_file_bind_at(RlxFile *file, uint32_t offset, RlxArena *arena);

#endif
