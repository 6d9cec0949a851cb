/// Texts shared by hover, completion and signature help.
#ifndef RLX_ANALYZER_DESCRIBE_H
#define RLX_ANALYZER_DESCRIBE_H

#include "analyzer/ops/op_table.h"
#include "base/buf.h"

/// Appends the canonical spelling: "R.nn.conv2d", or the registry name of an operator without one.
void rlx_describe_spelling(const RlxOpRow *row, RlxBuf *out);
/// Appends the call as a script writes it, `R.permute_dims(x, axes=None)`; a lone `*` stands before
/// parameters that are given by name only.
void rlx_describe_signature(const RlxOpRow *row, RlxBuf *out);
/// Appends the page of an operator as Markdown: signature, summary, parameters, purity.
void rlx_describe_op(const RlxOpRow *row, RlxBuf *out);

#endif
