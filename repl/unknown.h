/// Entries, or parts of them, that only Python has a value for.
#ifndef RLX_REPL_UNKNOWN_H
#define RLX_REPL_UNKNOWN_H

#include "repl/session.h"

/// Says which part of an expression that has no value is Python's, and what to type in its place; false: none is.
bool rlx_repl_tell_unknown(RlxRepl *repl, const char *text);

#endif
