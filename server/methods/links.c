/// Document links: the modules of the project that a script imports, and the codes in its
/// suppressions, which lead to their pages.
///
/// Always true: a link has its target at once, and a module that the project does not have is none.
#include <stdlib.h>
#include <string.h>

#include "analyzer/ask/imported.h"
#include "server/methods/methods.h"

enum { DEPTH_MAX = 100 };

typedef struct Links {
  RlxServer *server;
  RlxOpenFile *file;
  const char *text;
  RlxJson *json;
} Links;

static void write_link(const Links *l, RlxSpan span, const char *target, const char *tooltip) {
  rlx_json_begin(l->json, '{');
  rlx_json_key(l->json, "range");
  rlx_write_range(l->server, l->file->file, span, l->json);
  rlx_json_key_text(l->json, "target", target);
  rlx_json_key_text(l->json, "tooltip", tooltip);
  rlx_json_end(l->json, '}');
}

/// The module's name that stands at or behind `from`: `..a.b`.
static RlxSpan name_behind(const Links *l, uint32_t from, uint32_t end) {
  while (from < end && strchr(" \t\\\r\n(", l->text[from])) from++;
  uint32_t to = from;
  while (to < end && !strchr(" \t\\\r\n,;#", l->text[to])) to++;
  return rlx_span(from, to);
}

static void link_module(const Links *l, RlxSpan name) {
  RlxImportTarget target;
  RlxSpan word;
  if (name.start == name.end || !rlx_file_import_target(l->file->file, name.end, &word, &target) ||
      target.stmt)
    return;
  char *uri = rlx_server_uri(l->server, target.path);
  write_link(l, name, uri, target.path);
  free(uri);
}

static void link_import(const Links *l, const RlxStmt *stmt) {
  uint32_t end = stmt->start + stmt->size;
  if (end - stmt->start > 5 && !memcmp(l->text + stmt->start, "from", 4)) {
    link_module(l, name_behind(l, stmt->start + 4, end));
    return;
  }
  for (uint32_t i = 0; i < stmt->import_count; i++)
    link_module(l, name_behind(l, rlx_stmt_absolute(stmt, stmt->imports[i].span).start, end));
}

static void link_imports(const Links *l, const RlxBlock *block, int depth) {
  for (uint32_t i = 0; block && depth < DEPTH_MAX && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (stmt->kind == RLX_STMT_IMPORT) link_import(l, stmt);
    link_imports(l, stmt->body, depth + 1);
    link_imports(l, stmt->orelse, depth + 1);
    for (uint32_t k = 0; k < stmt->block_count; k++) link_imports(l, stmt->blocks[k], depth + 1);
  }
}

static void link_codes(const Links *l) {
  RlxSpans codes = {0};
  rlx_file_suppressed_codes(l->file->file, &codes);
  for (uint32_t i = 0; i < codes.count; i++) {
    RlxBuf code = {0}, page = {0}, tooltip = {0};
    rlx_buf_putn(&code, l->text + codes.at[i].start, codes.at[i].end - codes.at[i].start);
    const RlxDiagRow *row = rlx_diag_find(rlx_buf_text(&code));
    if (row && rlx_server_page(l->server, row, &page)) {
      rlx_buf_printf(&tooltip, "%s %s", row->code, row->name);
      write_link(l, codes.at[i], rlx_buf_text(&page), rlx_buf_text(&tooltip));
    }
    rlx_buf_free(&code);
    rlx_buf_free(&page);
    rlx_buf_free(&tooltip);
  }
  rlx_vec_free(&codes);
}

RlxRpcCode rlx_lsp_document_link(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  Links l = {.server = server, .file = file, .json = result};
  uint32_t size;
  const RlxDocument *doc = rlx_file_document(file->file);
  l.text = rlx_document_text(doc, &size);
  rlx_json_begin(result, '[');
  link_imports(&l, rlx_document_root(doc), 0);
  link_codes(&l);
  rlx_json_end(result, ']');
  return RLX_RPC_OK;
}
