/// The dialect at a place.
#include "analyzer/ask/dialect_at.h"
#include "analyzer/function/files.h"
#include "analyzer/function/recognize.h"
#include "analyzer/state/state.h"

static const RlxStmt *island_of(const RlxFn *fn) {
  return fn->module ? fn->module->stmt : fn->stmt;
}

RlxDialect rlx_file_dialect_at(RlxFile *file, uint32_t offset) {
  RlxDialect dialect = RLX_DIALECT_025;
  rlx_file_analyze(file, NULL);
  if (rlx_dialect_parse(file->analyzer->settings.dialect, &dialect)) return dialect;
  uint32_t low = 0, high = file->fns.count; // the last island that starts there or before
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (island_of(file->fns.at[middle])->start <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  const RlxStmt *island = low ? island_of(file->fns.at[low - 1]) : NULL;
  if (island && offset <= island->start + island->size) return file->fns.at[low - 1]->dialect;
  return rlx_file_outer_dialect(file);
}
