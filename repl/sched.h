/// :sched: a schedule of one PrimFunc, step by step, with a prompt of its own.
#ifndef RLX_REPL_SCHED_H
#define RLX_REPL_SCHED_H

#include "repl/session.h"

/// Handles one entry while a schedule is open: steps, or a :word of the schedule. False after an
/// error, which is printed. `define` gets a definition that is to be entered next, or nothing.
bool rlx_repl_sched_enter(RlxRepl *repl, const char *entry, RlxBuf *define);
/// Leaves the schedule; nothing when none is open.
void rlx_repl_sched_close(RlxRepl *repl);
/// The prompt while a schedule is open ("f> "), else NULL.
const char *rlx_repl_sched_prompt(const RlxRepl *repl);
/// Appends what the `size` bytes at `word`, in the line that begins at `line`, may become, one a
/// line: words of the schedule, primitives and, in a step, its parameters, loops, blocks and what
/// earlier steps gave (sched_complete.c).
void rlx_repl_sched_complete(const RlxRepl *repl, const char *line, const char *word, size_t size,
                             RlxBuf *out);

#endif
