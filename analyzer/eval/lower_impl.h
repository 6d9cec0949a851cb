/// What lower.c and lower_assign.c share.
#ifndef RLX_ANALYZER_LOWER_IMPL_H
#define RLX_ANALYZER_LOWER_IMPL_H

#include "analyzer/eval/eval.h"

/// What a value is bound to.
typedef struct RlxTarget {
  RlxName name;               ///< 0: a fresh variable
  RlxSpan span;               ///< of the name
  const RlxSInfo *annotation; ///< or NULL
  RlxSpan annotation_span;
  RlxSpan whole; ///< the binding
} RlxTarget;

/// Binds what R.match_cast gives to the target; a cast that can't hold is reported.
void rlx_lower_cast(RlxEval *e, const RlxTarget *t, const RlxCastPair *pair);
/// The bindings of an assignment, its annotation included.
void rlx_lower_assign(RlxEval *e, const RlxStmt *stmt);

#endif
