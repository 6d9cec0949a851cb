/// Hover of what a script imports: from where its value is known.
#include "analyzer/ask/imported.h"

#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/function/files.h"
#include "analyzer/state/state.h"

/// The path of a name or attribute through the imports of the file ("config.hidden"); false: its
/// first name is no import.
static bool path_of(RlxFile *file, const RlxAst *ast, RlxBuf *out) {
  if (ast->kind == RLX_AST_ATTRIBUTE) {
    if (!path_of(file, ast->children[0], out)) return false;
    const char *so_far = rlx_buf_text(out);
    if (strspn(so_far, ".") != strlen(so_far)) rlx_buf_puts(out, ".");
    rlx_buf_puts(out, rlx_store_text(file->store, ast->name));
    return true;
  }
  if (ast->kind != RLX_AST_NAME) return false;
  uint32_t at = rlx_outer_first(file, rlx_document_root(file->document), ast->name);
  const RlxImport *import = at ? file->outer.at[at - 1].import : NULL;
  if (!import) return false;
  const char *module = rlx_store_text(file->store, import->module),
             *name = rlx_store_text(file->store, import->name);
  if (import->member)
    rlx_buf_printf(out, "%s%s%s", module, strspn(module, ".") == strlen(module) ? "" : ".",
                   rlx_store_text(file->store, import->member));
  else // `import a.b` binds a
    rlx_buf_puts(out, strncmp(module, name, strlen(name)) == 0 && module[strlen(name)] == '.'
                          ? name
                          : module);
  return true;
}

bool rlx_file_imported_at(RlxFile *file, uint32_t offset, RlxSpan *out_span, RlxBuf *out) {
  rlx_file_analyze(file, NULL);
  const RlxStmt *stmt = rlx_document_stmt_at(file->document, offset);
  const RlxAst *path[64], *ast = NULL;
  uint32_t count = 0;
  if (stmt && offset >= stmt->start) ast = rlx_document_ast_at(stmt, offset, path, &count, 64);
  if (!ast || (ast->kind != RLX_AST_NAME && ast->kind != RLX_AST_ATTRIBUTE)) return false;
  while (count > 1 && path[count - 2]->kind == RLX_AST_ATTRIBUTE) ast = path[--count - 1];
  RlxBuf dotted = {0};
  RlxValue value;
  RlxImportOrigin origin = {0};
  bool found = false;
  if (path_of(file, ast, &dotted))
    found = rlx_imported_value(file, rlx_buf_text(&dotted), &value, &origin);
  else if (ast->kind == RLX_AST_NAME && file->has_star_import)
    found = rlx_imported_star(file, ast->name, &value, &origin);
  rlx_buf_free(&dotted);
  if (!found || !origin.stmt) return false;
  uint32_t size = 0;
  const char *text = rlx_document_text(origin.module->document, &size);
  RlxSpan whole = rlx_stmt_absolute(origin.stmt, rlx_span(0, origin.stmt->size));
  uint32_t line = rlx_lines_locate(rlx_document_lines(origin.module->document), whole.start).line;
  rlx_buf_puts(out, "```python\n");
  rlx_buf_putn(out, text + whole.start, whole.end - whole.start);
  rlx_buf_printf(out, "\n```\nline %u of `%s`", line + 1, origin.module->path);
  *out_span = rlx_stmt_absolute(stmt, ast->span);
  return true;
}
