/// Functions that R.emit_te adds to its module under a name that the module has already.
#ifndef RLX_ANALYZER_TE_NAMES_H
#define RLX_ANALYZER_TE_NAMES_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/state.h"

/// Appends the findings (RLX0213, RLX0455 of functions in no module) of a file that has calls of R.emit_te. Modules of other dialects
/// than 0.25 and 0.27 are not looked at.
/// Source: TVM v0.25, emit_te of tvm/relax/script/builder/ir.py, DeclFunction of
/// src/ir/script/builder/ir.cc.
void rlx_te_name_diags(RlxFile *file, RlxFileDiags *out);

#endif
