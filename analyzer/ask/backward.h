/// Backward deduction (S1 A0): what a value must be, or may be, because of how it is used later.
///
/// An `if` requires what both of its branches do, and suggests what one of them does; its result's
/// requirement is that of each branch. A call requires what the signature says and what the body of
/// a function that stands before requires; a nested function that is called outside of branches
/// requires of the variables around what its body does.
///
/// Always true: it only informs; no StructInfo of the program changes. "Must" holds in every run
/// that reaches the end of the function. "May" is what the uses suggest: a match_cast that states
/// it can fail.
#ifndef RLX_ANALYZER_BACKWARD_H
#define RLX_ANALYZER_BACKWARD_H

#include "analyzer/ops/op_table.h"
#include "analyzer/state/file.h"
#include "base/vec.h"

typedef struct RlxBackward {
  const RlxVar *var;
  const RlxSInfo *must; ///< finer than the variable's; NULL: nothing is required
  const RlxSInfo *may;  ///< finer than `must` and the variable's; NULL: nothing is suggested
  const RlxStmt *stmt;  ///< the use that says so
  RlxSpan span;         ///< of its call, relative to `stmt`
  const RlxOpRow *op;   ///< of the use; NULL: a call, a match_cast, the function's result
} RlxBackward;
typedef Vec(RlxBackward) RlxBackwards;

/// Appends what the body of the function that `def` defines says about its variables, parameters
/// first, then in order of their binding; those of nested functions last. One pass over the body from its end, kept until the file
/// is analysed again.
void rlx_file_backward(RlxFile *file, const RlxStmt *def, RlxBackwards *out);
/// The same for one variable of the function around its binding; false: nothing.
bool rlx_file_backward_of(RlxFile *file, const RlxVar *var, RlxBackward *out);

#endif
