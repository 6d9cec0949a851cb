/// Places of a file's diagnostics: statements move with edits, spans are relative to them.
#include "analyzer/diag/file_diag.h"

#include "analyzer/syntax/document.h"

RlxSpan rlx_file_diag_edit(const RlxFileDiag *d, const RlxFix *fix, uint32_t i) {
  const RlxStmt *stmt = fix->stmt ? fix->stmt : d->stmt;
  return stmt ? rlx_stmt_absolute(stmt, fix->edits[i].span) : fix->edits[i].span;
}
