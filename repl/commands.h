/// The handlers of the :commands, one for each row of commands.def: rlx_repl_<name>, in the file that is about
/// what it does.
#ifndef RLX_REPL_COMMANDS_H
#define RLX_REPL_COMMANDS_H

#include "repl/session.h"

/// `text` is what stands behind the command's name, without blanks before it; "" where nothing does. They
/// print to standard output; false after a message. Those that others call, too: rlx_repl_load reads a
/// script, up to its first error; rlx_repl_watch and rlx_repl_reload take the last one for ""; the latter
/// prints what changed; rlx_repl_del forgets variables and definitions, so that :undo cannot bring them back.
#define RLX_REPL(name, argument, help) bool rlx_repl_##name(RlxRepl *repl, const char *text);
#include "repl/commands.def"
#undef RLX_REPL

#endif
