/// Hover texts about blocks and loops of PrimFuncs.
#ifndef RLX_SERVER_DESCRIBE_TIR_H
#define RLX_SERVER_DESCRIBE_TIR_H

#include "analyzer/analyzer.h"
#include "base/buf.h"

/// Appends what the analysis says of the block whose `with` line holds `offset`, and sets `span` to
/// that line's part of the statement. False when there is none; `out` is untouched then.
bool rlx_describe_block_at(RlxAnalyzer *analyzer, RlxFile *file, uint32_t offset, RlxBuf *out,
                           RlxSpan *span);
/// Appends what it says of a name of a PrimFunc that is a loop or a block variable.
void rlx_describe_tir_name(RlxAnalyzer *analyzer, RlxFile *file, const RlxSymbol *symbol,
                           RlxBuf *out);

/// The parameters of the PrimFunc `def` that are buffers, a line each: shape, dtype, and whether the
/// function takes what they hold (in), gives them values (out), or both. "out, read again": it reads
/// what it may have written itself. Nothing when `def` is no PrimFunc.
void rlx_describe_tir_buffers(RlxAnalyzer *analyzer, RlxFile *file, const RlxStmt *def,
                              RlxBuf *out);

#endif
