/// What the files of this room give each other: passes over the statements of a function, and what
/// concerns the whole of it.
#ifndef RLX_ANALYZER_FUNCTION_H
#define RLX_ANALYZER_FUNCTION_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/file.h"
#include "analyzer/symbolic/prim.h"
#include "analyzer/syntax/document.h"
#include "analyzer/words/dialect.h"
#include <stdatomic.h>

/// Reports on a function whose statements are analysed, into fn->end.
void rlx_wellformed_function(RlxFn *fn);
/// Appends a hint, with the fix that removes it, for each of fn->unused.
void rlx_unused_diags(RlxFile *file, const RlxFn *fn, RlxFileDiags *out);
/// Finds the bindings of a function that nothing reads, into fn->unused. Looks at nothing when the
/// sum of the marks is what it was.
void rlx_unused_find(RlxFn *fn);
/// Analyses what has to be of the body, which was built, in `env`, which holds the outer names.
/// False: cancelled.
bool rlx_fn_sweep(RlxFn *fn, RlxEnv *env, const atomic_bool *cancel);
/// Whether a parameter of `fn` (an RlxFn), or of a function around it, gives the variable its value: an RlxScope's `has`.
bool rlx_fn_is_in_signature(const RlxSymVar *var, void *fn);
bool rlx_fn_analyze(RlxFn *fn, const RlxEnv *outer_env, const atomic_bool *cancel);
/// Reports the first decorator that Python or TVM's parser refuses, into fn->end; false: it did (decorators.c).
bool rlx_fn_check_decorators(RlxFn *fn);
/// The same of a module's class, into `sink`; NULL: nothing is wrong.
RlxDiag *rlx_module_check_decorators(const RlxModule *module, RlxSink *sink);
/// Reports what TVM refuses in the body of a PrimFunc, and what is found of its loops by questions that
/// cost `bound` operations at most in all (primfunc_check.c). Notes in `fn` what they did cost.
void rlx_primfunc_check(RlxFn *fn, uint32_t bound);
/// A hash of where the statements of a checked PrimFunc stand in it, when one of its messages names a line: a comment
/// moves lines without being a statement. 0: none does.
uint64_t rlx_primfunc_layout(const RlxFn *fn);

/// Where the first line of the PrimFunc with one of the file's syntax errors begins, relative to the
/// function; UINT32_MAX: there is none. What stands there or behind it may only follow from that.
/// 0: so may all of the function.
uint32_t rlx_primfunc_broken_from(const RlxFn *fn, const RlxSyntaxProblems *problems);
/// What a PrimFunc of `file` may cost at first.
uint32_t rlx_share_bound(const RlxFile *file);
/// When the file's PrimFuncs are known, before they are checked.
void rlx_share_begin(RlxFile *file);
/// Checks PrimFuncs again that were given up, as far as the file's share goes, or that had more (share.c).
/// False: cancelled.
bool rlx_share_work(RlxFile *file, const atomic_bool *cancel);
/// Whether TVM verifies variables, buffers and blocks of the function: not where `check_well_formed` is
/// off, and in 0.25 only where it, or its module, is `s_tir=True`.
bool rlx_primfunc_is_verified(const RlxFn *fn);
/// Of these, what is seen in the syntax: names and calls of T, blocks (primfunc_calls.c).
void rlx_primfunc_check_calls(RlxFn *fn);
/// Of these, what concerns the kinds and dtypes of values (kinds_*.c); comes last, and says nothing of a statement
/// of which something was said.
void rlx_primfunc_check_values(RlxFn *fn);
/// A literal True/False keyword of a decorator call; `otherwise` when it is not given.
bool rlx_decorator_flag(const RlxFile *file, const RlxStmt *stmt, const char *keyword,
                        bool otherwise);
/// Finds the functions and modules of the file by its islands, and keeps those that are still there. False: `cancel` (NULL:
/// never) was set first, and it has to be done again.
bool rlx_file_discover(RlxFile *file, const atomic_bool *cancel);
/// Reads what stands in a module's class besides functions: global infos, external functions.
void rlx_module_infos(RlxModule *module);

#endif
