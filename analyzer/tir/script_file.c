/// The PrimFunc of a function in an open file: module-level names of the file are seen.
#include "analyzer/eval/outer.h"
#include "analyzer/state/state.h"
#include "analyzer/tir/script.h"

typedef struct Around {
  RlxFile *file;
  const RlxStmt *from;
} Around;

static bool lookup(RlxName name, RlxValue *out, void *data) {
  const Around *around = data;
  return rlx_outer_lookup(around->file, around->from, name, out);
}

RlxPrimFunc *rlx_file_primfunc(RlxFile *file, const RlxStmt *def, RlxTirIssues *issues) {
  Around around = {file, def};
  RlxTirOuter outer = {.lookup = lookup, .data = &around};
  return rlx_primfunc_lower(file->store, def, &outer, issues);
}
