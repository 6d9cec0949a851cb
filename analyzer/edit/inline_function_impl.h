/// What the two files of inlining a function share.
#ifndef RLX_ANALYZER_INLINE_FUNCTION_IMPL_H
#define RLX_ANALYZER_INLINE_FUNCTION_IMPL_H
#include "analyzer/diag/diag.h"
#include "analyzer/state/file.h"
#include "analyzer/struct_info/ir.h"
#include "analyzer/syntax/ast.h"

/// A call of a function of the module.
typedef struct RlxInlineSite {
  const RlxStmt *caller, *stmt, *callee; ///< the def around it, its statement, the def it calls
  const RlxBinding *binding;             ///< of its result
  const RlxCall *call;
} RlxInlineSite;

/// Whether the call is all that its statement binds, under one name.
bool rlx_inline_is_whole(const RlxInlineSite *site);
/// Why the function can't be inlined there; NULL: it may be.
const char *rlx_inline_refused(RlxFile *file, const RlxInlineSite *site);
/// The edit that puts the function's statements where a whole call stands; its text is the arena's.
/// False: it can't be, `why` says for what reason.
bool rlx_inline_write(RlxFile *file, const RlxInlineSite *site, RlxArena *arena, RlxEdit *out,
                      RlxBuf *why);
/// Where the call of `def` on this line stands, from 1; 0: there is none.
uint32_t rlx_inline_place(RlxFile *file, const RlxStmt *def, uint32_t line);

#endif
