/// What is convenient to type at the prompt and is no TVMScript, as the Relax that it stands for:
/// Python's numbers and lists beside tensors, `v > 1`, `x[0]`, `x.shape`, `load("x.npy")`, `_`.
///
/// Always true: a file's text never comes here, only what is entered as an expression.
#ifndef RLX_REPL_SUGAR_H
#define RLX_REPL_SUGAR_H

#include "analyzer/syntax/ast.h"
#include "repl/session.h"

typedef struct RlxReplSugar RlxReplSugar;

/// Makes the session ask for the Relax of its expressions here. Afterwards RlxRepl.plain gives the entry
/// as Relax (NULL after a message), which lives until its next call; values that it makes (of `load`,
/// lists and so on) are variables of the session until RlxRepl.plain_done.
void rlx_repl_sugar_attach(RlxRepl *repl);
/// Whether `text` is a value without any evaluation: then true and `*out`, a reference for the caller,
/// or NULL after a message.
bool rlx_repl_immediate(RlxRepl *repl, const char *text, RlxObject **out);
/// The statement `text`, an annotated binding or a block, as Relax; NULL after a message. It lives until the next call,
/// and values that it makes are variables of the session until RlxRepl.plain_done.
const char *rlx_repl_plain_statement(RlxRepl *repl, const RlxStmt *stmt, const char *text);
/// Whether the entry is `np.random.seed(0)` or `torch.manual_seed(0)`: then random numbers are those behind that seed.
bool rlx_repl_seed_entry(RlxRepl *repl, const RlxAst *call);
/// Makes `name` another name of a function when `text` is the name of one, or of the session's random numbers when it is
/// `np.random.default_rng(0)`; false: it is none.
bool rlx_repl_alias(RlxRepl *repl, const char *name, size_t size, const char *text);
void rlx_repl_sugar_free(RlxRepl *repl);

#endif
