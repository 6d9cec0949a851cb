/// What evaluate.c and eval_operators.c share.
#ifndef RLX_ANALYZER_EVALUATE_IMPL_H
#define RLX_ANALYZER_EVALUATE_IMPL_H
#include "analyzer/eval/eval.h"

enum { RLX_MAX_ITEMS = 65536 }; ///< of a list that a script makes

/// UNKNOWN; what depends on it stays silent.
RlxValue rlx_eval_failed(RlxEval *e, RlxSpan span);

RlxValue rlx_value_of_int(int64_t value, RlxSpan span);
RlxValue rlx_value_of_float(double value, RlxSpan span);
RlxValue rlx_value_of_bool(bool value, RlxSpan span);
RlxValue rlx_value_of_prim(const RlxPrim *prim, RlxSpan span);
/// False: the value is no Python integer.
bool rlx_value_as_integer(const RlxValue *v, int64_t *out);
/// Python's truth of a value; false: it can't be known here.
bool rlx_value_truth(const RlxValue *v, bool *out);

// Nodes of these kinds.
RlxValue rlx_eval_unary(RlxEval *e, const RlxAst *ast);
RlxValue rlx_eval_compare(RlxEval *e, const RlxAst *ast);
RlxValue rlx_eval_bool_op(RlxEval *e, const RlxAst *ast);
RlxValue rlx_eval_conditional(RlxEval *e, const RlxAst *ast);

#endif
