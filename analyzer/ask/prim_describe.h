/// What a hover shows of a name of a PrimFunc.
#ifndef RLX_ANALYZER_PRIM_DESCRIBE_H
#define RLX_ANALYZER_PRIM_DESCRIBE_H

#include "analyzer/ask/questions.h"

/// Appends what a hover shows of it: the parameter or the header of the statement, as written, and
/// what kind of thing that makes it.
void rlx_prim_name_describe(RlxFile *file, const RlxSymbol *symbol, RlxBuf *out);

#endif
