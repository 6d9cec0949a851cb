/// Islands of a file: which classes are modules, which functions are Relax functions, PrimFuncs,
/// macros; and a module's global infos. Always true: an island keeps its RlxFn while its def keeps
/// its RlxStmt.
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/outer.h"
#include "analyzer/function/function.h"
#include "base/mem.h"

bool rlx_decorator_flag(const RlxFile *file, const RlxStmt *stmt, const char *keyword,
                        bool otherwise) {
  for (uint32_t i = 0; i < stmt->decorator_count; i++) {
    const RlxAst *call = stmt->decorators[i];
    if (call->kind != RLX_AST_CALL) continue;
    for (uint32_t k = 1; k < call->child_count; k++) {
      const RlxAst *arg = call->children[k];
      if (arg->kind != RLX_AST_KEYWORD ||
          strcmp(rlx_store_text(file->store, arg->name), keyword) != 0)
        continue;
      const int flag = rlx_ast_flag(arg->children[0]);
      if (flag >= 0) return flag;
    }
  }
  return otherwise;
}

static RlxFn *island(RlxFile *file, RlxModule *module, RlxStmt *stmt, RlxIslandKind kind) {
  RlxAnalysis *unit = stmt->analysis;
  if (!unit) unit = rlx_analysis_new(file, stmt, NULL, RLX_UNIT_ISLAND);
  if (!unit->fn) {
    unit->fn = rlx_fn_new(file, module, NULL, stmt, kind);
    unit->fn->unit = unit;
  }
  RlxFn *fn = unit->fn;
  if (fn->kind != (uint8_t)kind) { // its statements are looked at in another way
    rlx_suite_free(fn->body);
    fn->body = NULL;
    fn->result = NULL;
    fn->result_stmt = NULL;
    fn->body_is_open = false;
    fn->ret_failed = false;
  }
  if (fn->kind != (uint8_t)kind || fn->module != module) { // what it is has changed
    rlx_vec_clear(&fn->end.diags);
    fn->signature_state = 0;
    fn->is_dirty = fn->all_dirty = true;
  }
  fn->kind = (uint8_t)kind;
  fn->module = module;
  fn->function.is_private = rlx_decorator_flag(file, stmt, "private", false);
  fn->is_declared_pure = rlx_decorator_flag(file, stmt, "pure", true);
  fn->check_well_formed = rlx_decorator_flag(file, stmt, "check_well_formed", true);
  rlx_vec_push(&file->fns, fn);
  return fn;
}

/// The first function of a name keeps it.
static void enter(RlxModule *module, RlxFn *fn) {
  RlxFn *first = rlx_module_fn(module, fn->stmt->name);
  if (!first) rlx_map_put_ptr(&module->by_name, (const void *)(uintptr_t)fn->stmt->name, fn);
  const RlxStmt *was = fn->first;
  fn->first = first ? first->stmt : NULL;
  // The signature is where it is reported; a def that is read anew may stand where the one before lay.
  if (fn->first != was || (first && !first->signature_state)) fn->signature_state = 0;
}

static RlxModule *open_module(RlxFile *file, RlxStmt *stmt) {
  RlxAnalysis *unit = stmt->analysis;
  if (!unit) unit = rlx_analysis_new(file, stmt, NULL, RLX_UNIT_CLASS);
  if (!unit->module) {
    unit->module = rlx_mem_zeroed(1, sizeof *unit->module);
    unit->module->arena = rlx_arena_new_sized(512);
    unit->module->sink.arena = unit->module->arena;
    unit->module->siblings = rlx_mem_zeroed(1, sizeof *unit->module->siblings);
  }
  RlxModule *module = unit->module;
  module->file = file;
  module->stmt = stmt;
  module->name = stmt->name;
  module->check_well_formed = rlx_decorator_flag(file, stmt, "check_well_formed", true);
  rlx_vec_clear(&module->fns);
  rlx_map_clear(&module->by_name);
  rlx_map_clear(&module->infos);
  rlx_vec_clear(&module->vdevices);
  rlx_vec_clear(&module->meshes);
  rlx_vec_clear(&module->repeats);
  module->view = (RlxModuleView){.store = file->store};
  rlx_vec_clear(&module->sink.diags);
  rlx_vec_push(&file->modules, module);
  return module;
}

/// Names assigned in a class body, `if`s in it included.
static void read_infos(RlxModule *module, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (stmt->kind == RLX_STMT_CLASS || stmt->kind == RLX_STMT_DEF) continue;
    if (stmt->kind == RLX_STMT_ASSIGN)
      for (uint32_t k = 0; k < stmt->target_count; k++)
        if (stmt->targets[k]->kind == RLX_AST_NAME)
          rlx_map_put(&module->infos, stmt->targets[k]->name, 1);
    read_infos(module, stmt->body);
    read_infos(module, stmt->orelse);
    for (uint32_t k = 0; k < stmt->block_count; k++) read_infos(module, stmt->blocks[k]);
  }
}

/// A def or class becomes an island, or is none any more, though its own text stayed: by a name in its decorators, by
/// what stands in the class. Who reads its name looks again.
static void note_turn(RlxFile *file, const RlxIsland *found) {
  const bool was_island = found->stmt->analysis, is_island = !found->is_plain;
  if (was_island != is_island && !file->all_dirty && found->stmt->name)
    file->all_dirty = !rlx_outer_note_name(file, found->stmt->name);
}

static void discover(RlxFile *file, const RlxIsland *found) {
  RlxStmt *stmt = found->stmt;
  RlxModule *module = found->module ? rlx_module_of(file, found->module) : NULL;
  note_turn(file, found);
  if (found->is_plain || (found->is_module && !stmt->body)) {
    if (stmt->analysis) rlx_analysis_free(stmt->analysis); // it was an island
    if (module && stmt->name) rlx_map_put(&module->infos, stmt->name, 1);
  } else if (found->is_module) {
    module = open_module(file, stmt);
    read_infos(module, stmt->body);
  } else {
    RlxFn *fn = island(file, module, stmt, (RlxIslandKind)found->kind);
    if (module) rlx_vec_push(&module->fns, fn);
    if (module && module->has_new_head) fn->signature_state = 0;
    if (module && fn->kind != RLX_ISLAND_MACRO && stmt->name)
      enter(module, fn);
    else if (fn->first)
      fn->first = NULL, fn->signature_state = 0; // it stood in a module
  }
}

static bool is_discovered(const RlxFile *file, const RlxAnalysis *unit) {
  for (uint32_t i = 0; unit->fn && i < file->fns.count; i++)
    if (file->fns.at[i] == unit->fn) return true;
  for (uint32_t i = 0; unit->module && i < file->modules.count; i++)
    if (file->modules.at[i] == unit->module) return true;
  return false;
}

/// Frees functions and modules that went over to a def or class which is none.
static void free_heirs(RlxFile *file) {
  for (uint32_t i = 0; i < file->heirs.count; i++) {
    RlxAnalysis *unit = file->heirs.at[i]->analysis;
    if (unit && (unit->kind == RLX_UNIT_ISLAND || unit->kind == RLX_UNIT_CLASS) &&
        !is_discovered(file, unit))
      rlx_analysis_free(unit);
  }
  rlx_vec_clear(&file->heirs);
}

bool rlx_file_discover(RlxFile *file, const atomic_bool *cancel) {
  if (cancel && *cancel) return false;
  rlx_island_names_read(&file->island_names, file->document);
  rlx_outer_build(file);
  if (cancel && *cancel) return false;
  RlxIslands islands = {0};
  rlx_islands_all(&file->island_names, file->document, &islands);
  rlx_vec_clear(&file->modules);
  rlx_vec_clear(&file->fns);
  bool is_done = true;
  for (uint32_t i = 0; i < islands.count && is_done; i++) {
    is_done = !cancel || !*cancel;
    if (is_done && !islands.at[i].is_local) discover(file, &islands.at[i]);
  }
  rlx_vec_free(&islands);
  // Edits of the meantime can't mark functions that are not in the list.
  file->all_dirty |= !is_done;
  if (!is_done) return false;
  free_heirs(file);
  for (uint32_t i = 0; i < file->modules.count; i++) {
    file->modules.at[i]->has_new_head = false;
    rlx_module_infos(file->modules.at[i]);
  }
  return true;
}

static RlxValue callee_value(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast) {
  if (ast->kind == RLX_AST_ATTRIBUTE) {
    RlxValue base = callee_value(file, stmt, ast->children[0]);
    return base.kind == RLX_VALUE_NAMESPACE
               ? rlx_names_attribute(&file->analyzer->words, base.string, ast->name)
               : rlx_value_unknown(ast->span);
  }
  RlxValue v = rlx_value_unknown(ast->span);
  if (ast->kind == RLX_AST_NAME && !rlx_outer_lookup(file, stmt, ast->name, &v))
    rlx_names_predefined(&file->analyzer->words, rlx_store_text(file->store, ast->name), &v);
  return v;
}

/// Appends `device` to those that the module lists, as the next one of its target; `places` has how many there are of each.
static void add_device(RlxModule *module, RlxMap *places, const RlxVDevice *device) {
  uint64_t place = 0;
  rlx_map_get(places, device->target, &place);
  rlx_map_put(places, device->target, place + 1);
  rlx_vec_push(&module->vdevices, rlx_vdevice(module->file->store, device->target, device->id,
                                              device->scope, (int)place));
  module->view.vdevices = module->vdevices.at;
  module->view.vdevice_count = module->vdevices.count;
}

/// Notes what a list of the global infos holds. Behind an item that Python alone knows, devices have no known place.
static void add_list(RlxModule *module, RlxMap *places, RlxName name, const RlxValue *list) {
  bool has_devices = strcmp(rlx_store_text(module->file->store, name), "vdevice") == 0;
  for (uint32_t i = 0; i < list->count; i++) {
    const RlxValue *item = &list->items[i];
    const bool is_mesh = item->kind == RLX_VALUE_OTHER && item->text == rlx_mesh_text;
    rlx_vec_push(&module->meshes, ((RlxMesh){name, is_mesh ? (int32_t)item->count - 1 : -1}));
    const bool is_unknown = item->kind == RLX_VALUE_UNKNOWN;
    module->view.has_open_lists |= is_unknown;
    has_devices &= !is_unknown;
    if (has_devices && item->kind == RLX_VALUE_VDEVICE) add_device(module, places, item->thing);
  }
}

/// Notes what the lists of the global infos hold.
static void add_lists(RlxModule *module, const RlxValue *infos) {
  RlxMap places = {0};
  const bool is_dict = infos->kind == RLX_VALUE_DICT;
  module->view.has_open_lists |= !is_dict;
  for (uint32_t i = 0; is_dict && i + 1 < infos->count; i += 2) {
    const RlxValue *key = &infos->items[i], *list = &infos->items[i + 1];
    const bool is_known = key->kind == RLX_VALUE_STR && list->kind == RLX_VALUE_LIST;
    module->view.has_open_lists |= !is_known;
    if (is_known) add_list(module, &places, key->string, list);
  }
  rlx_map_free(&places);
}

/// `{}`: it gives the module nothing, so that TVM takes another one.
static bool is_empty_dict(const RlxAst *ast) {
  return ast->kind == RLX_AST_DICT && !ast->child_count;
}

/// `I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")], …})`
void rlx_module_infos(RlxModule *module) {
  RlxFile *file = module->file;
  const RlxBlock *body = module->stmt->body;
  const RlxStmt *attrs = NULL, *infos_stmt = NULL;
  for (uint32_t i = 0; i < body->count; i++) {
    RlxStmt *stmt = body->stmts[i];
    if (stmt->kind != RLX_STMT_EXPR || !stmt->value || stmt->value->kind != RLX_AST_CALL ||
        stmt->value->child_count < 2)
      continue;
    RlxValue callee = callee_value(file, stmt, stmt->value->children[0]);
    const bool is_attrs = callee.kind == RLX_VALUE_WORD && callee.integer == RLX_WORD_MODULE_ATTRS;
    const bool is_infos = callee.kind == RLX_VALUE_WORD && callee.integer == RLX_WORD_GLOBAL_INFOS;
    module->view.has_open_lists |= callee.kind == RLX_VALUE_UNKNOWN;
    if (!is_attrs && !is_infos) continue;
    const RlxStmt **first = is_attrs ? &attrs : &infos_stmt;
    if (*first && !is_empty_dict((*first)->value->children[1]))
      rlx_vec_push(&module->repeats, ((RlxModuleRepeat){*first, stmt}));
    if (!*first || is_empty_dict((*first)->value->children[1])) *first = stmt;
    if (is_attrs || *first != stmt) continue;
    RlxEval e;
    RlxSink silent = {.arena = module->arena};
    rlx_eval_init(&e, file, NULL, stmt, module->arena, &silent);
    RlxValue infos = rlx_eval(&e, stmt->value->children[1]);
    add_lists(module, &infos);
    rlx_eval_deinit(&e);
    rlx_vec_free(&silent.diags);
  }
  module->view.meshes = module->meshes.at;
  module->view.mesh_count = module->meshes.count;
}
