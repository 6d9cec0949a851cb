/// What a session keeps beside its variables.
#ifndef RLX_REPL_RESULTS_H
#define RLX_REPL_RESULTS_H

#include "repl/session.h"

typedef struct RlxReplResults RlxReplResults;

/// Keeps a value that was shown, as `_` and `_N`: the last hundred, up to 256 MB.
void rlx_repl_keep_result(RlxRepl *repl, RlxObject *value);
/// `_` or `_N`, the N-th value that was shown, borrowed; NULL: there is no such one.
RlxObject *rlx_repl_result(const RlxRepl *repl, const char *name);
/// Notes what the fields of `tuple` are called; takes the names over.
void rlx_repl_name_fields(RlxRepl *repl, RlxObject *tuple, char **names, int count);
/// The names of the fields of a tuple that load() gave, or NULL.
char *const *rlx_repl_field_names(const RlxRepl *repl, const RlxObject *tuple);
/// A seed that differs from call to call, the same in each session.
uint64_t rlx_repl_next_seed(RlxRepl *repl);
/// The next seed, and those behind it, are as in a session that begins with this one.
void rlx_repl_set_seed(RlxRepl *repl, uint64_t seed);
void rlx_repl_results_free(RlxRepl *repl);

#endif
