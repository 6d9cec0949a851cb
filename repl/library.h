/// What a session has of numpy and PyTorch, by name: for Tab and `?`.
#ifndef RLX_REPL_LIBRARY_H
#define RLX_REPL_LIBRARY_H

#include "repl/line.h"
#include "repl/session.h"

/// Appends what may stand behind `np.`, `np.random.` and the name of a source of random numbers, where bytes
/// [start, start + size) of `entry` are the beginning of a word.
void rlx_library_offer(RlxRepl *repl, const char *entry, size_t start, size_t size,
                       RlxLineOffers *out);
/// Appends how `np.allclose` is called and what it stands for; false: it is no such function.
bool rlx_library_about(RlxRepl *repl, const char *name, RlxBuf *out);

#endif
