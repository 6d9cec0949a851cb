/// What the files about calls share.
#ifndef RLX_ANALYZER_CALLS_IMPL_H
#define RLX_ANALYZER_CALLS_IMPL_H

#include "analyzer/eval/evaluate_impl.h"

// ---- call_bind.c

/// The parameter's name in the dialect that the function is written in.
const char *rlx_op_param_of(const RlxEval *e, const RlxOpParam *param);
/// Defaults of a row, in its parameters' order; ABSENT where there is none. The analyzer's.
const RlxValue *rlx_op_defaults(RlxAnalyzer *a, const RlxOpRow *row);
/// Puts `args` into `values`, one a parameter of the row. `span`: the call, `name_span`: the name that is called.
/// False when something was reported.
bool rlx_call_bind(RlxEval *e, const RlxOpRow *row, const RlxPyArgs *args, RlxValue *values,
                   RlxSpan span, RlxSpan name_span);

// ---- call_purity.c

/// Says that what is called at `span` has an effect, where it may have none. `what`: it, for the message; `row`: the operator
/// that is called, or NULL; `callee`: the function that is, or NULL.
void rlx_check_purity(RlxEval *e, const char *what, RlxSpan span, const RlxOpRow *row,
                      const RlxExpr *callee);

#endif
