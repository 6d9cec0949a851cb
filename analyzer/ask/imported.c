/// What a script imports from other modules of the project: hover, and where it is defined.
///
/// Always true: nothing is run; a name leads to the last statement of its module that binds it,
/// through further imports a bounded number of steps.
#include "analyzer/ask/imported.h"

#include <string.h>

#include "analyzer/ask/symbols.h"
#include "analyzer/eval/outer.h"
#include "analyzer/function/files.h"
#include "analyzer/state/state.h"
#include "base/text.h"

// Steps to one definition, and those that one question takes in all: `import *` leads to many modules, each of which may have more.
enum { STEPS_MAX = 16, DEPTH_MAX = 100, FOLLOWED_MAX = 1024 };

/// Where a question has come to.
typedef struct Trip {
  int steps;      ///< from where it was asked
  uint32_t *left; ///< steps that the question may still take, wherever
} Trip;

// ---- from a place to a dotted path

/// Appends ".name" to a module's path, or "name" to one that ends with its dots.
static void put_member(RlxBuf *path, const char *name) {
  const char *so_far = rlx_buf_text(path);
  bool is_dots = strspn(so_far, ".") == path->size;
  rlx_buf_printf(path, "%s%s", is_dots ? "" : ".", name);
}

/// The path of what an import binds its name to.
static void put_import(const RlxFile *file, const RlxImport *import, RlxBuf *out) {
  const char *module = rlx_store_text(file->store, import->module),
             *name = rlx_store_text(file->store, import->name);
  size_t size = strlen(name);
  if (import->member) {
    rlx_buf_puts(out, module);
    put_member(out, rlx_store_text(file->store, import->member));
  } else { // `import a.b` binds a
    bool is_head = strncmp(module, name, size) == 0 && module[size] == '.';
    rlx_buf_puts(out, is_head ? name : module);
  }
}

static const RlxImport *import_of(const RlxStmt *stmt, RlxName name) {
  for (uint32_t i = 0; stmt->kind == RLX_STMT_IMPORT && i < stmt->import_count; i++)
    if (stmt->imports[i].name == name) return &stmt->imports[i];
  return NULL;
}

/// The path of a name, attribute or `Module["name"]` through the imports of the file
/// ("config.hidden"); false: its first name is no import. `star` (NULL: none): the module that a
/// name comes from which nothing binds.
static bool path_of(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast, const char *star,
                    RlxBuf *out) {
  if (ast->kind == RLX_AST_SUBSCRIPT && ast->child_count == 2 &&
      ast->children[1]->kind == RLX_AST_STRING) {
    if (!path_of(file, stmt, ast->children[0], star, out)) return false;
    put_member(out, ast->children[1]->text);
    return true;
  }
  if (ast->kind == RLX_AST_ATTRIBUTE) {
    if (!path_of(file, stmt, ast->children[0], star, out)) return false;
    put_member(out, rlx_store_text(file->store, ast->name));
    return true;
  }
  RlxSymbol symbol = {.stmt = stmt};
  if (ast->kind != RLX_AST_NAME) return false;
  if (!rlx_symbol_of_name(file, stmt, ast->name, ast->span, &symbol)) {
    rlx_buf_puts(out, star ? star : "");
    if (star) put_member(out, rlx_store_text(file->store, ast->name));
    return star != NULL;
  }
  const RlxImport *import =
      symbol.kind == RLX_SYMBOL_OUTER ? import_of(symbol.def_stmt, ast->name) : NULL;
  if (import) put_import(file, import, out);
  return import != NULL;
}

enum { PATH_MAX_DEPTH = 64 };

/// The innermost expression at `offset`, and those around it in `path`, outermost first.
static const RlxAst *ast_at(const RlxStmt *stmt, uint32_t offset,
                            const RlxAst *path[PATH_MAX_DEPTH], uint32_t *count) {
  *count = 0;
  if (!stmt || offset < stmt->start) return NULL;
  return rlx_document_ast_at(stmt, offset, path, count, PATH_MAX_DEPTH);
}

// ---- from a dotted path to a definition

static bool follow(RlxFile *in, const char *path, Trip trip, RlxImportTarget *out);

static bool target_named(const RlxAst *target, RlxName name, RlxSpan *out) {
  if (target->kind == RLX_AST_NAME && target->name == name) {
    *out = target->span;
    return true;
  }
  bool is_list = target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST;
  for (uint32_t i = 0; is_list && i < target->child_count; i++)
    if (target_named(target->children[i], name, out)) return true;
  return false;
}

/// Whether `stmt` itself binds `name`; `*out` is relative.
static bool binds(const RlxStmt *stmt, RlxName name, RlxSpan *out) {
  *out = stmt->name_span;
  if (stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS) return stmt->name == name;
  const RlxImport *import = import_of(stmt, name);
  if (import) *out = import->span;
  bool is_binding = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED;
  for (uint32_t i = 0; is_binding && i < stmt->target_count; i++)
    if (target_named(stmt->targets[i], name, out)) return true;
  return import != NULL;
}

/// The last statement of a suite that binds `name`, those in conditions included; NULL: none does.
static const RlxStmt *binder(const RlxBlock *block, RlxName name, int depth, RlxSpan *out) {
  for (uint32_t i = block && depth < DEPTH_MAX ? block->count : 0; i-- > 0;) {
    const RlxStmt *stmt = block->stmts[i], *found = NULL;
    if (binds(stmt, name, out)) return stmt;
    if (stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS) continue;
    for (uint32_t k = stmt->block_count; k-- > 0 && !found;)
      found = binder(stmt->blocks[k], name, depth + 1, out);
    if (!found) found = binder(stmt->orelse, name, depth + 1, out);
    if (!found) found = binder(stmt->body, name, depth + 1, out);
    if (found) return found;
  }
  return NULL;
}

/// `from … import *` of a module: the last one that has the members.
static bool follow_stars(RlxFile *module, const char *members, Trip trip, RlxImportTarget *out) {
  const RlxBlock *root = rlx_document_root(module->document);
  for (uint32_t i = root->count; i-- > 0;) {
    const RlxStmt *stmt = root->stmts[i];
    for (uint32_t k = 0; stmt->kind == RLX_STMT_IMPORT && k < stmt->import_count; k++) {
      if (stmt->imports[k].name) continue;
      RlxBuf path = {0};
      rlx_buf_puts(&path, rlx_store_text(module->store, stmt->imports[k].module));
      put_member(&path, members);
      bool is_found = follow(module, rlx_buf_text(&path), trip, out);
      rlx_buf_free(&path);
      if (is_found) return true;
    }
  }
  return false;
}

/// `members` ("Module.main") of a module, or of a class in it.
static bool follow_members(RlxFile *module, const RlxBlock *block, const char *members, Trip trip,
                           RlxImportTarget *out) {
  size_t size = strcspn(members, ".");
  const char *rest = members + size + (members[size] == '.');
  RlxName name = rlx_store_intern(module->store, members, size);
  RlxSpan span;
  const RlxStmt *stmt = binder(block, name, 0, &span);
  if (!stmt) return !block->parent && follow_stars(module, members, trip, out);
  const RlxImport *import = import_of(stmt, name);
  if (import) {
    RlxBuf path = {0};
    put_import(module, import, &path);
    if (*rest) put_member(&path, rest);
    bool is_found = follow(module, rlx_buf_text(&path), trip, out);
    rlx_buf_free(&path);
    return is_found;
  }
  if (*rest)
    return stmt->kind == RLX_STMT_CLASS && stmt->body &&
           follow_members(module, stmt->body, rest, trip, out);
  *out = (RlxImportTarget){module, module->path, stmt, rlx_stmt_absolute(stmt, span)};
  return true;
}

/// What the dotted `path` means in the file `in`: the longest part of it that is a module, and
/// members of that.
static bool follow(RlxFile *in, const char *path, Trip trip, RlxImportTarget *out) {
  size_t dots = strspn(path, "."), size = strlen(path);
  if (trip.steps++ >= STEPS_MAX || !*trip.left) return false;
  for (--*trip.left;;) {
    RlxBuf name = {0};
    rlx_buf_putn(&name, path, size);
    RlxFile *module = rlx_imported_module(in, rlx_buf_text(&name));
    rlx_buf_free(&name);
    const char *members = path + size + (size > dots && path[size] == '.');
    if (module && !*members) *out = (RlxImportTarget){module, module->path, NULL, {0, 0}};
    if (module)
      return !*members ||
             follow_members(module, rlx_document_root(module->document), members, trip, out);
    if (size <= dots) break;
    do size--;
    while (size > dots && path[size] != '.');
  }
  return false;
}

/// The path that an import statement names at `offset`: of what it takes, or of the module up to
/// the part at `offset`.
static bool path_in_import(const RlxFile *file, const RlxStmt *stmt, uint32_t offset, RlxSpan word,
                           RlxBuf *out) {
  uint32_t size, at = offset - stmt->start;
  const char *text = rlx_document_text(file->document, &size);
  for (uint32_t i = 0; i < stmt->import_count; i++) {
    const RlxImport *import = &stmt->imports[i];
    if (at < import->span.start || at > import->span.end || !import->name) continue;
    if (!import->member) break; // a dotted name, of which one part is meant
    put_import(file, import, out);
    return true;
  }
  uint32_t start = word.start;
  while (start > stmt->start && (text[start - 1] == '.' || rlx_symbol_is_word(text[start - 1])))
    start--;
  rlx_buf_putn(out, text + start, word.end - start);
  const char *module =
      stmt->import_count ? rlx_store_text(file->store, stmt->imports[0].module) : "";
  if (!strncmp(module, rlx_buf_text(out), out->size)) return true;
  for (uint32_t i = 0; i < stmt->import_count; i++) { // the name behind `as`
    const RlxImport *import = &stmt->imports[i];
    module = rlx_store_text(file->store, import->module);
    bool is_here = at >= import->span.start && at <= import->span.end;
    if (!is_here || !strncmp(module, rlx_buf_text(out), out->size)) continue;
    rlx_buf_clear(out);
    rlx_buf_puts(out, module);
  }
  return true;
}

/// The word of the text around `offset`.
static RlxSpan word_at(const RlxFile *file, uint32_t offset) {
  uint32_t size, start = offset, end = offset;
  const char *text = rlx_document_text(file->document, &size);
  while (start && rlx_symbol_is_word(text[start - 1])) start--;
  while (end < size && rlx_symbol_is_word(text[end])) end++;
  return rlx_span(start, end);
}

static bool follow_ast(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast, const char *star,
                       Trip trip, RlxImportTarget *out) {
  RlxBuf dotted = {0};
  bool is_found =
      path_of(file, stmt, ast, star, &dotted) && follow(file, rlx_buf_text(&dotted), trip, out);
  rlx_buf_free(&dotted);
  return is_found;
}

bool rlx_file_import_target(RlxFile *file, uint32_t offset, RlxSpan *out_word,
                            RlxImportTarget *out) {
  rlx_file_analyze(file, NULL);
  const RlxStmt *stmt = rlx_document_stmt_at(file->document, offset);
  RlxSpan word = word_at(file, offset);
  uint32_t left = FOLLOWED_MAX;
  const Trip trip = {.left = &left};
  *out_word = word;
  if (!stmt || offset < stmt->start) return false;
  if (stmt->kind == RLX_STMT_IMPORT) {
    RlxBuf dotted = {0};
    bool is_found = path_in_import(file, stmt, offset, word, &dotted) &&
                    follow(file, rlx_buf_text(&dotted), trip, out);
    rlx_buf_free(&dotted);
    return is_found;
  }
  const RlxAst *path[PATH_MAX_DEPTH];
  uint32_t count;
  const RlxAst *ast = ast_at(stmt, offset, path, &count);
  if (ast && ast->kind == RLX_AST_STRING && count > 1) ast = path[count - 2];
  if (!ast) return false;
  if (follow_ast(file, stmt, ast, NULL, trip, out)) return true;
  const RlxBlock *root = rlx_document_root(file->document);
  for (uint32_t i = file->has_star_import ? root->count : 0; i-- > 0;)
    for (uint32_t k = 0; k < root->stmts[i]->import_count; k++) {
      const RlxImport *import = &root->stmts[i]->imports[k];
      bool is_star = root->stmts[i]->kind == RLX_STMT_IMPORT && !import->name;
      const char *module = is_star ? rlx_store_text(file->store, import->module) : NULL;
      if (is_star && follow_ast(file, stmt, ast, module, trip, out)) return true;
    }
  return false;
}

// ---- hover

static void put_text(const RlxFile *module, RlxSpan span, RlxBuf *out) {
  uint32_t size = 0;
  const char *text = rlx_document_text(module->document, &size);
  uint32_t line = rlx_lines_locate(rlx_document_lines(module->document), span.start).line;
  rlx_buf_puts(out, "```python\n");
  rlx_buf_putn(out, text + span.start, span.end - span.start);
  rlx_buf_printf(out, "\n```\nline %u of `%s`", line + 1, module->path);
}

/// The statement that gives an imported constant its value, `at_end` of all imports between.
static bool describe_constant(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast,
                              const RlxImportTarget *at_end, RlxBuf *out) {
  RlxBuf dotted = {0};
  RlxValue value;
  RlxImportOrigin origin = {0};
  bool found = false;
  if (path_of(file, stmt, ast, NULL, &dotted))
    found = rlx_imported_value(file, rlx_buf_text(&dotted), &value, &origin);
  else if (ast->kind == RLX_AST_NAME && file->has_star_import)
    found = rlx_imported_star(file, ast->name, &value, &origin);
  rlx_buf_free(&dotted);
  if (!found || !origin.stmt) return false;
  if (origin.stmt->kind == RLX_STMT_IMPORT && at_end->stmt) {
    origin.module = at_end->module;
    origin.stmt = at_end->stmt;
  }
  put_text(origin.module, rlx_stmt_absolute(origin.stmt, rlx_span(0, origin.stmt->size)), out);
  return true;
}

/// The head of an imported def or class.
static bool describe_definition(const RlxImportTarget *target, RlxBuf *out) {
  enum { MOST = 2000 };
  const RlxStmt *stmt = target->stmt;
  if (!stmt || (stmt->kind != RLX_STMT_DEF && stmt->kind != RLX_STMT_CLASS) ||
      stmt->head_size > MOST)
    return false;
  put_text(target->module, rlx_stmt_absolute(stmt, rlx_span(0, stmt->head_size)), out);
  return true;
}

/// An imported name in an island of which only Python knows the value: the statement that assigns it where the project has
/// one, or else what is imported.
static bool describe_unknown(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast,
                             const RlxImportTarget *target, RlxBuf *out) {
  enum { MOST = 200 };
  static const char known[] = "its value is known to Python only";
  const RlxStmt *by = target->stmt;
  if (!rlx_file_fn_at(file, stmt->start)) return false;
  if (by && (by->kind == RLX_STMT_ASSIGN || by->kind == RLX_STMT_ANNOTATED) && by->size <= MOST) {
    put_text(target->module, rlx_stmt_absolute(by, rlx_span(0, by->size)), out);
    rlx_buf_printf(out, ": %s", known);
    return true;
  }
  RlxBuf dotted = {0};
  const bool is_path = !target->stmt && path_of(file, stmt, ast, NULL, &dotted);
  const char *path = is_path ? rlx_buf_text(&dotted) : "tvm";
  const size_t head = strcspn(path, ".");
  const bool is_imported = !rlx_names_is_vocabulary(path) && path[head] &&
                           !rlx_text_find_word("tvm numpy math", path, head);
  if (is_imported)
    rlx_buf_printf(out, "```python\n%s\n```\nimported: %s", rlx_buf_text(&dotted), known);
  rlx_buf_free(&dotted);
  return is_imported;
}

bool rlx_file_imported_at(RlxFile *file, uint32_t offset, RlxSpan *out_span, RlxBuf *out) {
  RlxImportTarget target = {0};
  if (rlx_file_import_target(file, offset, out_span, &target) && describe_definition(&target, out))
    return true;
  const RlxStmt *stmt = rlx_document_stmt_at(file->document, offset);
  const RlxAst *path[PATH_MAX_DEPTH];
  uint32_t count;
  const RlxAst *ast = ast_at(stmt, offset, path, &count);
  if (!ast || (ast->kind != RLX_AST_NAME && ast->kind != RLX_AST_ATTRIBUTE)) return false;
  while (count > 1 && path[count - 2]->kind == RLX_AST_ATTRIBUTE) ast = path[--count - 1];
  *out_span = rlx_stmt_absolute(stmt, ast->span);
  return describe_constant(file, stmt, ast, &target, out) ||
         describe_unknown(file, stmt, ast, &target, out);
}
