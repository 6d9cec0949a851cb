/// A diagnostic of a file: what was reported, and where it stands in the text now.
#ifndef RLX_ANALYZER_FILE_DIAG_H
#define RLX_ANALYZER_FILE_DIAG_H

#include "analyzer/diag/diag.h"
#include "analyzer/syntax/ast.h"

typedef struct RlxFileDiag { ///< a diagnostic with its absolute place
  const RlxDiag *diag;
  const RlxStmt *stmt;
  RlxSpan span; ///< absolute
  RlxName function;
} RlxFileDiag;
typedef Vec(RlxFileDiag) RlxFileDiags;
/// Absolute place of edit `i` of one of its fixes.
RlxSpan rlx_file_diag_edit(const RlxFileDiag *d, const RlxFix *fix, uint32_t i);

#endif
