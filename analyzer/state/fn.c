/// Functions and modules: where they stand, how they are found, their variables.
#include <stdlib.h>
#include <string.h>

#include "analyzer/state/state.h"
#include "base/mem.h"

// ---- where they stand

RlxFn *rlx_file_fn_at(const RlxFile *file, uint32_t offset) {
  uint32_t low = 0, high = file->fns.count;
  while (low < high) { // in source order, none in another
    uint32_t middle = (low + high) / 2;
    const RlxStmt *stmt = file->fns.at[middle]->stmt;
    if (offset < stmt->start)
      high = middle;
    else if (offset > stmt->start + stmt->size)
      low = middle + 1;
    else
      return file->fns.at[middle];
  }
  return NULL;
}

RlxFn *rlx_fn_around(const RlxStmt *stmt) {
  for (; stmt; stmt = stmt->block ? stmt->block->parent : NULL) {
    const RlxAnalysis *unit = stmt->analysis;
    if (unit && unit->fn) return unit->fn;
    if (unit && unit->owner) return unit->owner;
  }
  return NULL;
}

bool rlx_fn_is_open(const RlxFn *fn, bool has_body) {
  for (uint32_t i = 0; i < fn->function.param_count; i++)
    if (fn->function.params[i] && fn->function.params[i]->is_tainted == RLX_OPEN) return true;
  return fn->ret_is_open || (has_body && fn->body_is_open && !fn->function.ret_annotation);
}

RlxFn *rlx_fn_outermost(RlxFn *fn) {
  while (fn && fn->outer) fn = fn->outer;
  return fn;
}

bool rlx_fn_may_be(const RlxFn *fn, RlxDialect dialect) {
  RlxDialect set;
  fn->file->analyzer->dialect_questions++;
  bool is_set = rlx_dialect_parse(fn->file->analyzer->settings.dialect, &set) && set == fn->dialect;
  if (is_set) return fn->dialect == dialect;
  return fn->dialect == dialect || (fn->has_votes && fn->said.reads >> dialect & 1);
}

RlxSInfoStyle rlx_fn_annotation_style(const RlxFn *fn) {
  RlxSInfoStyle style = rlx_dialect_sinfo_style((RlxDialect)fn->dialect);
  if (!style.hides_prim_values && rlx_fn_may_be(fn, RLX_DIALECT_027))
    style.hides_prim_values = style.is_argument = true;
  return style;
}

// ---- variables

static RlxVar *adopt(RlxFn *fn, RlxName name, bool is_temporary) {
  // Those of the statement that is analysed again were pushed last.
  uint32_t count = fn->orphans.count, low = count > 32 ? count - 32 : 0;
  for (uint32_t k = low; k < count; k++) {
    uint32_t i = is_temporary ? k : count - 1 - (k - low);
    RlxVar *var = fn->orphans.at[i];
    if (!var || var->is_temporary != is_temporary || (!is_temporary && var->name != name)) continue;
    fn->orphans.at[i] = NULL;
    return var;
  }
  uint64_t at = 0;
  if (is_temporary || !rlx_map_get(&fn->orphan_index, name, &at)) return NULL;
  RlxVar *var = at <= count ? fn->orphans.at[at - 1] : NULL;
  if (!var || var->name != name || var->is_temporary) return NULL;
  fn->orphans.at[at - 1] = NULL;
  return var;
}

/// A variable for `name`: the one that the statement had before, or that a dropped statement left,
/// or a new one.
RlxVar *rlx_fn_var(RlxFn *fn, RlxAnalysis *unit, RlxName name, bool is_temporary) {
  (void)unit;
  RlxVar *var = adopt(fn, name, is_temporary);
  if (var) {
    var->name = name;
    return var;
  }
  uint32_t id;
  if (fn->spare.count) {
    var = rlx_vec_pop(&fn->spare);
    id = var->id;
    memset(var, 0, sizeof *var);
  } else {
    var = rlx_arena_one(fn->var_arena, RlxVar);
    id = fn->next_var_id++;
  }
  var->name = name;
  var->is_temporary = is_temporary;
  var->id = id;
  return var;
}

// ---- modules

bool rlx_island_kind(RlxFile *file, const RlxStmt *def, RlxIslandKind *out) {
  return rlx_island_kind_of(&file->island_names, def, out);
}

RlxModule *rlx_module_of(RlxFile *file, const RlxStmt *stmt) {
  (void)file;
  const RlxAnalysis *unit = stmt->analysis;
  return unit ? unit->module : NULL;
}

RlxFn *rlx_module_fn(const RlxModule *module, RlxName name) {
  uint64_t found = 0;
  return rlx_map_get(&module->by_name, name, &found) ? (RlxFn *)(uintptr_t)found : NULL;
}
