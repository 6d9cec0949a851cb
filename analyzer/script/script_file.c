/// The PrimFunc of a function in an open file: module-level names of the file are seen.
#include "analyzer/eval/outer.h"
#include "analyzer/script/script.h"
#include "analyzer/state/state.h"
#include "analyzer/words/script_names.h"
#include <string.h>

typedef struct Around {
  RlxFile *file;
  const RlxStmt *from;
} Around;

static bool lookup(RlxName name, RlxValue *out, void *data) {
  const Around *around = data;
  return rlx_outer_find(around->file, around->from, name, out);
}

const RlxStmt *rlx_file_sibling(RlxFile *file, const RlxStmt *def, RlxName module, RlxName name) {
  const RlxFn *around = rlx_fn_around(def);
  if (!around || !around->module) return NULL;
  bool is_it =
      around->module->name == module || !strcmp(rlx_store_text(file->store, module), "cls");
  const RlxFn *fn = is_it ? rlx_module_fn(around->module, name) : NULL;
  return fn && fn->kind == RLX_ISLAND_PRIM_FUNC ? fn->stmt : NULL;
}

static const RlxStmt *function(RlxName module, RlxName name, void *data) {
  const Around *around = data;
  return rlx_file_sibling(around->file, around->from, module, name);
}

/// 0.25 or later: the dialects in which the names of T are known in full.
static bool is_since_025(const RlxStmt *def) {
  const RlxFn *fn = rlx_fn_around(def);
  return fn && rlx_script_names_cover((RlxDialect)fn->dialect);
}

RlxPrimFunc *rlx_file_primfunc(RlxFile *file, const RlxStmt *def, RlxTirIssues *issues) {
  Around around = {file, def};
  const bool is_new = is_since_025(def);
  RlxTirOuter outer = {
      .lookup = lookup, .data = &around, .places_allocs = is_new, .stores_by_name = is_new};
  return rlx_primfunc_lower(file->store, def, &outer, issues);
}

RlxPrimFunc *rlx_file_primfunc_placed(RlxFile *file, const RlxStmt *def, bool places_allocs) {
  Around around = {file, def};
  RlxTirOuter outer = {.lookup = lookup,
                       .data = &around,
                       .places_allocs = places_allocs,
                       .keeps_allocs = places_allocs,
                       .stores_by_name = is_since_025(def)};
  return rlx_primfunc_lower(file->store, def, &outer, NULL);
}

RlxPrimFunc *rlx_file_primfunc_inlined(RlxFile *file, const RlxStmt *def) {
  Around around = {file, def};
  const bool is_new = is_since_025(def);
  RlxTirOuter outer = {.lookup = lookup,
                       .data = &around,
                       .function = function,
                       .places_allocs = is_new,
                       .stores_by_name = is_new,
                       .inlines = true};
  return rlx_primfunc_lower(file->store, def, &outer, NULL);
}
