/// Constants that TVM prints beside a module: `metadata = tvm.ir.load_json("…")`, of which the functions name
/// `metadata["relax.expr.Constant"][0]`.
#ifndef RLX_ANALYZER_EVAL_METADATA_H
#define RLX_ANALYZER_EVAL_METADATA_H

#include "analyzer/eval/evaluate_impl.h"

/// What `tvm.ir.load_json(text)` gives: the namespace `metadata`, whose `count` is the number of the text.
RlxValue rlx_metadata_load(RlxEval *e, RlxName text, RlxSpan span);
/// `metadata["relax.expr.Constant"]`, then `[0]` of it: in the end a constant, of no known StructInfo where the
/// script does not have its data. `base` NULL: it has none of any.
RlxValue rlx_metadata_subscript(RlxEval *e, const RlxValue *base, RlxValue index, RlxSpan span);

#endif
