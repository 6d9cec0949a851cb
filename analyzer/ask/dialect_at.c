/// The dialect at a place.
#include "analyzer/ask/dialect_at.h"
#include "analyzer/function/files.h"
#include "analyzer/function/recognize.h"
#include "analyzer/state/state.h"

RlxDialect rlx_file_dialect_at(RlxFile *file, uint32_t offset) {
  RlxDialect dialect = RLX_DIALECT_025;
  rlx_file_analyze(file, NULL);
  if (rlx_dialect_parse(file->analyzer->settings.dialect, &dialect)) return dialect;
  dialect = rlx_file_outer_dialect(file);
  for (uint32_t i = 0; i < file->fns.count; i++) {
    const RlxFn *fn = file->fns.at[i];
    const RlxStmt *stmt = fn->module ? fn->module->stmt : fn->stmt;
    if (stmt->start <= offset && offset <= stmt->start + stmt->size) dialect = fn->dialect;
  }
  return dialect;
}
