/// What is known of a name: `x?`, `help(f)`, Shift-Tab in notebooks.
#ifndef RLX_REPL_ABOUT_H
#define RLX_REPL_ABOUT_H

#include "repl/session.h"

/// Appends what `name` is: a variable's StructInfo (and, `with_value`, its value), a function's with its text, the
/// page of an operator, a method, a function of the prompt or a diagnostic, what a namespace holds. False: nothing
/// is called so.
bool rlx_repl_about(RlxRepl *repl, const char *name, bool with_value, RlxBuf *out);
/// Prints it; false after a message.
bool rlx_repl_tell_about(RlxRepl *repl, const char *name);
/// `x?`, `f?` and, where `may_run`, `!command`. False: `text` is neither; `*ok` says how it went.
bool rlx_repl_shortcut(RlxRepl *repl, const char *text, bool may_run, bool *ok);
/// Appends what is known of the name at byte `cursor` of `text`, an entry: StructInfo, definition,
/// page. False: nothing.
bool rlx_repl_inspect(RlxRepl *repl, const char *text, size_t cursor, RlxBuf *out);

#endif
