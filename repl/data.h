/// Data in and out: calls that make values at the prompt, arrays in files, archives of sessions.
#ifndef RLX_REPL_DATA_H
#define RLX_REPL_DATA_H

#include "analyzer/syntax/ast.h"
#include "jit/runtime/safetensors.h"
#include "repl/session.h"

// ---- data.c
/// The value of a call of the function `name` (a row of data.def). NULL after a message.
RlxObject *rlx_repl_data_call(RlxRepl *repl, const char *name, const RlxAst *call);
/// Appends the arrays of a .npz and, when it is asked for, the text of the definitions that :save wrote
/// into it. False and `err`: the caller frees what was appended.
bool rlx_repl_read_archive(RlxRepl *repl, const char *path, RlxNamedTensors *out, RlxBuf *text,
                           RlxError *err);

// ---- archive.c
/// `:save FILE.npy NAME`, `:save FILE.npz [NAME…]`: true when the file's name says that it is one of
/// these; `*ok` says how it went.
bool rlx_repl_save_data(RlxRepl *repl, const char *text, bool *ok);

#endif
