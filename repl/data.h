/// Data in and out: calls that make values at the prompt, arrays in files, archives of sessions.
#ifndef RLX_REPL_DATA_H
#define RLX_REPL_DATA_H

#include "analyzer/syntax/ast.h"
#include "jit/runtime/safetensors.h"
#include "repl/session.h"

// ---- data.c
/// The value of a call of the function `name` (a row of data.def). NULL after a message.
RlxObject *rlx_repl_data_call(RlxRepl *repl, const char *name, const RlxAst *call);
/// What `make` gives in a worker, a reference for the caller: Ctrl-C ends it and its limits hold. NULL and
/// `err`, which calls it `what`. `takes_libraries`: it compiles, or reads an archive.
RlxObject *rlx_repl_made_apart(RlxRepl *repl, const char *what,
                               RlxObject *(*make)(void *data, RlxError *err), void *data,
                               bool takes_libraries, RlxError *err);
/// Appends the arrays of a .npz and, when it is asked for, the text of the definitions that :save wrote
/// into it, and the variable whose tensors are all there is, which it wrote alone. False and `err`: the caller frees
/// what was appended.
bool rlx_repl_read_archive(RlxRepl *repl, const char *path, RlxNamedTensors *out, RlxBuf *text,
                           RlxBuf *variable, RlxError *err);
/// What `load` gives of the arrays of an archive: a tuple whose fields have their names. Frees `found`.
RlxObject *rlx_repl_named_tensors(RlxRepl *repl, RlxNamedTensors *found);
/// What stands before the variable's name in the comment of such an archive.
#define RLX_REPL_ARCHIVE_OF "rlx variable "

// ---- archive.c
/// `:save FILE.npy EXPR`, `:save FILE.npz [NAME…]`: true when the file's name says that it is one of
/// these; `*ok` says how it went.
bool rlx_repl_save_data(RlxRepl *repl, const char *text, bool *ok);

#endif
