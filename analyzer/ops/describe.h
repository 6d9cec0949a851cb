/// Texts shared by hover, completion and signature help.
#ifndef RLX_ANALYZER_DESCRIBE_H
#define RLX_ANALYZER_DESCRIBE_H

#include "analyzer/ops/op_table.h"
#include "base/buf.h"

/// Appends `R.permute_dims(x, axes=None)`. When `parts` is given, it receives the byte span of each
/// parameter in `out`.
void rlx_describe_signature(const RlxOpRow *row, RlxBuf *out, RlxSpan *parts);
/// Appends the page of an operator as Markdown: signature, summary, parameters, purity.
void rlx_describe_op(const RlxOpRow *row, RlxBuf *out);

#endif
