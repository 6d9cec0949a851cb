/// Inlining of a module's Relax function: its statements take the place of a call. What the text
/// means stays: names that are taken get others, symbolic variables become what they stand for in
/// the call, and what the signature checks when the function is called is a match_cast where it is
/// not proved.
#ifndef RLX_ANALYZER_INLINE_FUNCTION_H
#define RLX_ANALYZER_INLINE_FUNCTION_H
#include "analyzer/state/file.h"
#include "analyzer/syntax/ast.h"

/// The Relax function of a module that is called `name`, its def; NULL: there is none, or no one of
/// it.
const RlxStmt *rlx_inline_find_function(RlxFile *file, const char *name);
/// The function that the call around byte `at` calls; NULL: that is no call of a Relax function of
/// the file.
const RlxStmt *rlx_inline_called_at(RlxFile *file, uint32_t at);
/// Number of calls of `def` in the file.
uint32_t rlx_inline_call_count(RlxFile *file, const RlxStmt *def);

/// Appends the text of the file with calls of `def` inlined: the one around byte `at`, or all when
/// `at` is UINT32_MAX. A private function that nothing mentions any more goes. What can't be inlined
/// stays, with the reason in `why` ("line 12: the function calls itself"), a line each. False:
/// nothing changed, and nothing was appended.
bool rlx_inline_function(RlxFile *file, const RlxStmt *def, uint32_t at, RlxBuf *out, RlxBuf *why);

#endif
