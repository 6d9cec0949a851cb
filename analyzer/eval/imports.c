/// Constants of other modules of the project: `from config import N`, `cfg.hidden`.
/// Always true: nothing is run and nothing is read here; whoever opened the file hands in a reader
/// (RlxModuleReader). A name counts only where its module assigns it exactly once, at top level and
/// unconditionally, a value that is known without running anything; everything else is unknown.
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/outer.h"
#include "analyzer/eval/parked.h"
#include "base/mem.h"

// That one file reads, those of its imports included: for values, and also for what is only gone to.
// Values have a number of their own, so that no question of an editor changes what is known. A name that
// no module has, as it comes while one is typed, costs a look at the disk and counts as looked up alone.
enum { VALUES_MAX = 64, MODULES_MAX = 512, LOOKED_UP_MAX = 4096 };

/// Whether one more module may be asked, for values or not. Where one may not for values, which ones may follows from the
/// order of the questions: an analysis after an edit has another one than that of a text, and begins again (rlx_file_analyze).
static bool may_ask(RlxFile *root, bool is_value) {
  uint32_t asked = 0, there = 0;
  for (uint32_t i = 0; i < root->imported.count; i++) {
    const RlxImported *known = &root->imported.at[i];
    there += known->file != NULL;
    asked += known->file && known->is_value;
  }
  const bool may =
      root->imported.count < LOOKED_UP_MAX && (is_value ? asked < VALUES_MAX : there < MODULES_MAX);
  root->has_refused_module |= is_value && !may;
  return may;
}

static RlxFile *opened(RlxAnalyzer *analyzer, const RlxBuf *path, const RlxBuf *text) {
  RlxFile *file = analyzer->hooks->open(analyzer, rlx_buf_text(text), (uint32_t)text->size);
  file->items_size = rlx_questions_size((uint32_t)text->size / 2);
  file->path = rlx_mem_strdup(rlx_buf_text(path));
  rlx_island_names_read(&file->island_names, file->document); // its islands bind no names here
  return file;
}

/// The module as `from` (the path of a module that was read, "" for the file itself) names it; read
/// at the first question. `is_value`: a value is wanted of it. NULL: there is none to read.
static RlxFile *module_of(RlxFile *root, const char *from, const char *name, bool is_value) {
  for (uint32_t i = 0; i < root->imported.count; i++) {
    RlxImported *known = &root->imported.at[i];
    if (strcmp(known->from, from) != 0 || strcmp(known->name, name) != 0) continue;
    if (is_value && !known->is_value && known->file && !may_ask(root, true)) return NULL;
    known->is_value |= is_value;
    return known->file;
  }
  if (!may_ask(root, is_value)) return NULL;
  RlxBuf text = {0}, path = {0};
  RlxFile *file = NULL;
  if (root->reader.read(root->reader.data, from, name, &text, &path)) {
    file = rlx_parked_take(root->analyzer, &path, &text);
    if (!file) file = opened(root->analyzer, &path, &text);
    file->importer = root;
    rlx_outer_build(file);
  }
  RlxImported entry = {rlx_mem_strdup(from), rlx_mem_strdup(name), file, is_value};
  rlx_vec_push(&root->imported, entry);
  rlx_buf_free(&text);
  rlx_buf_free(&path);
  return file;
}

static bool is_constant(const RlxValue *v, bool *has_mutable) {
  switch (v->kind) {
  case RLX_VALUE_INT:
  case RLX_VALUE_FLOAT:
  case RLX_VALUE_BOOL:
  case RLX_VALUE_STR:
  case RLX_VALUE_NONE:
  case RLX_VALUE_DTYPE: return true;
  case RLX_VALUE_LIST:
  case RLX_VALUE_DICT:
    *has_mutable |= v->kind == RLX_VALUE_DICT || !v->is_tuple;
    for (uint32_t i = 0; i < v->count; i++)
      if (!is_constant(&v->items[i], has_mutable)) return false;
    return true;
  default: return false;
  }
}

/// Whether something in the module may change a list or dict in place, or bind `name` from a
/// function.
static bool may_change(const RlxFile *module, RlxName name, bool is_mutable) {
  for (uint32_t i = 0; i < module->outer.count; i++)
    if (module->outer.at[i].name == name && module->outer.at[i].stmt->kind == RLX_STMT_GLOBAL)
      return true;
  const RlxBlock *root = rlx_document_root(module->document);
  for (uint32_t i = 0; i < root->count && is_mutable; i++) {
    const RlxStmt *stmt = root->stmts[i];
    bool is_text = stmt->kind == RLX_STMT_EXPR && stmt->value->kind == RLX_AST_STRING;
    bool is_binding = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED;
    for (uint32_t k = 0; k < stmt->target_count && is_binding; k++)
      if (stmt->targets[k]->kind != RLX_AST_NAME) return true;
    if (!is_text && !is_binding && stmt->kind != RLX_STMT_IMPORT && stmt->kind != RLX_STMT_PASS)
      return true;
  }
  return false;
}

/// `config.N = 3` of the file that imports.
static bool is_overwritten(const RlxFile *file, const char *member) {
  const RlxBlock *root = rlx_document_root(file->document);
  for (uint32_t i = 0; i < root->count; i++)
    for (uint32_t k = 0; k < root->stmts[i]->target_count; k++) {
      const RlxAst *target = root->stmts[i]->targets[k];
      if (target->kind == RLX_AST_ATTRIBUTE &&
          strcmp(rlx_store_text(file->store, target->name), member) == 0)
        return true;
    }
  return false;
}

static bool of_stars(RlxFile *module, const char *member, RlxValue *out, RlxImportOrigin *origin);

/// The constant `member` of a module that was read.
static bool member_of(RlxFile *module, const char *member, RlxValue *out, RlxImportOrigin *origin) {
  RlxName name = rlx_store_intern(module->store, member, strlen(member));
  const RlxBlock *root = rlx_document_root(module->document);
  uint32_t at = rlx_outer_first(module, root, name);
  if (!at) return of_stars(module, member, out, origin);
  const RlxOuterBinding *binding = &module->outer.at[at - 1];
  bool is_import = binding->import != NULL;
  if (binding->next || binding->is_conditional || binding->is_opaque) return false;
  RlxImportOrigin here = {.module = module, .stmt = binding->stmt};
  RlxStmt *stmt = binding->stmt;
  RlxValue v;
  bool has_mutable = false;
  if (!rlx_outer_lookup(module, NULL, name, &v) || !is_constant(&v, &has_mutable)) return false;
  if (stmt->has_error || may_change(module, name, has_mutable)) return false;
  *out = v;
  if (!is_import || !origin->module) *origin = here;
  return true;
}

/// The module that this one takes everything of; NULL: there is none, or another one may bind the name as well.
static const RlxImport *only_star(const RlxFile *module) {
  const RlxBlock *root = rlx_document_root(module->document);
  const RlxImport *only = NULL;
  for (uint32_t i = 0; i < root->count; i++) {
    const RlxStmt *stmt = root->stmts[i];
    for (uint32_t k = 0; k < stmt->import_count && stmt->kind == RLX_STMT_IMPORT; k++) {
      if (stmt->imports[k].name) continue;
      if (only) return NULL;
      only = &stmt->imports[k];
    }
  }
  return only;
}

/// The same of what the module takes from another whole. One module is asked and no more: a chain of modules that each
/// ask two would be asked as often as there are ways through it.
static bool of_stars(RlxFile *module, const char *member, RlxValue *out, RlxImportOrigin *origin) {
  if (!module->has_star_import || module->is_busy || *member == '_') return false;
  const RlxImport *star = only_star(module);
  if (!star) return false;
  const char *from = rlx_store_text(module->store, star->module);
  const bool is_dots = strspn(from, ".") == strlen(from);
  RlxBuf path = {0};
  rlx_buf_printf(&path, "%s%s%s", from, is_dots ? "" : ".", member);
  module->is_busy = true;
  const bool is_found = rlx_imported_value(module, rlx_buf_text(&path), out, origin);
  module->is_busy = false;
  rlx_buf_free(&path);
  return is_found;
}

static RlxFile *imported(RlxFile *file, const char *name, bool is_value) {
  RlxFile *root = file->importer ? file->importer : file;
  if (!root->reader.read || !*name) return NULL;
  root->asks_modules = true;
  return module_of(root, file->path ? file->path : "", name, is_value);
}

RlxFile *rlx_imported_module(RlxFile *file, const char *name) {
  return imported(file, name, false);
}

bool rlx_imported_value(RlxFile *file, const char *path, RlxValue *out, RlxImportOrigin *origin) {
  RlxFile *root = file->importer ? file->importer : file;
  const char *dot = strrchr(path, '.');
  if (!dot || !dot[1]) return false;
  if (root->import_depth == RLX_CHAIN_MAX) {
    root->import_reach = RLX_CHAIN_MAX + 1;
    return false;
  }
  bool is_relative = strspn(path, ".") == (size_t)(dot - path) + 1; // ".N": of the package itself
  char *name = rlx_mem_strndup(path, (size_t)(dot - path) + is_relative);
  RlxFile *module = imported(file, name, true);
  free(name);
  const uint8_t beside = root->import_reach;
  root->import_reach = 0;
  root->import_depth++;
  const bool is_found =
      module && !is_overwritten(root, dot + 1) && member_of(module, dot + 1, out, origin);
  root->import_depth--;
  if (root->import_reach <= RLX_CHAIN_MAX) root->import_reach++;
  if (root->import_reach < beside) root->import_reach = beside;
  return is_found;
}

bool rlx_imported_star(RlxFile *file, RlxName name, RlxValue *out, RlxImportOrigin *origin) {
  RlxFile *root = file->importer ? file->importer : file;
  return root->reader.read && of_stars(file, rlx_store_text(file->store, name), out, origin);
}

bool rlx_outer_starred(RlxFile *file, RlxName name, RlxValue *out) {
  const char *text = rlx_store_text(file->store, name);
  if (!file->has_star_import || !*text || rlx_names_is_builtin(text) ||
      rlx_names_predefined(&file->analyzer->words, text, out))
    return false;
  RlxImportOrigin origin = {0};
  if (!rlx_imported_star(file, name, out, &origin)) *out = rlx_value_unknown(rlx_span(0, 0));
  return true;
}

bool rlx_outer_find(RlxFile *file, const RlxStmt *from, RlxName name, RlxValue *out) {
  return rlx_outer_lookup(file, from, name, out) || rlx_outer_starred(file, name, out);
}

void rlx_imported_clear(RlxFile *file) {
  for (uint32_t i = 0; i < file->imported.count; i++) {
    if (file->imported.at[i].file) rlx_parked_put(file->imported.at[i].file);
    free(file->imported.at[i].from);
    free(file->imported.at[i].name);
  }
  rlx_vec_clear(&file->imported);
  file->has_refused_module = file->has_old_modules = false;
}
