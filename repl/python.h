/// What somebody from Python types, and is no Relax.
#ifndef RLX_REPL_PYTHON_H
#define RLX_REPL_PYTHON_H

#include "repl/session.h"

/// `print(x)`, `type(x)`, `help(f)`, `dir(x)` as entries of their own. False: `stmt`, an expression whose text is
/// `text`, is none of these; `*ok` says how it went.
bool rlx_repl_python_entry(RlxRepl *repl, const RlxStmt *stmt, const char *text, bool *ok);

/// What to type in place of a statement that no session has; NULL: it is none of these.
const char *rlx_repl_python_instead(const RlxStmt *stmt);

#endif
