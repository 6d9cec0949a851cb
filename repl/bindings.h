/// A run of plain bindings of a script, evaluated in one go (bindings.c).
#ifndef RLX_REPL_BINDINGS_H
#define RLX_REPL_BINDINGS_H

#include "repl/session.h"
#include "repl/split.h"

/// Handles the entries from `first` on that are plain bindings of a script which is read. How many; 0: none, and
/// nothing was said or bound, so that the first is handled alone. `*alone`, from 0 on, is kept from call to call: the
/// entries before it were looked at already. `*ok` becomes false after a message.
uint32_t rlx_repl_bind_run(RlxRepl *repl, const RlxSplit *split, uint32_t first, uint32_t *alone,
                           bool *ok);

#endif
