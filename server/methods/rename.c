/// Rename. What is in the way is said with its line, and nothing is changed then.
#include "analyzer/edit/rename.h"

#include <string.h>

#include "server/methods/methods.h"
#include "server/methods/project_uses.h"
#include "server/session/jobs.h"

static RlxRpcCode refuse(RlxServer *server, const char *what, RlxBuf *why) {
  rlx_error_set(&server->problem, "%s%s", what, rlx_buf_text(why));
  server->error = server->problem.text;
  rlx_buf_free(why);
  return RLX_RPC_REQUEST_FAILED;
}

RlxRpcCode rlx_lsp_prepare_rename(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  if (!at.found) return RLX_RPC_OK; // null: nothing has a name here
  RlxBuf why = {0};
  if (!rlx_symbol_can_rename(at.file->file, &at.symbol, &why)) return refuse(server, "", &why);
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(at.file->file), &size);
  rlx_json_begin(result, '{');
  rlx_json_key(result, "range");
  rlx_write_range(server, at.file->file, at.symbol.span, result);
  rlx_json_key(result, "placeholder");
  rlx_json_textn(result, text + at.symbol.span.start, at.symbol.span.end - at.symbol.span.start);
  rlx_json_end(result, '}');
  return RLX_RPC_OK;
}

/// The TextEdits of one document, as a member of a WorkspaceEdit.
static void write_edits(RlxServer *server, RlxOpenFile *file, const RlxRenameEdits *edits,
                        const char *name, RlxJson *json) {
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  RlxBuf written = {0};
  for (uint32_t i = 0; i < edits->count; i++) {
    const RlxRenameEdit *edit = &edits->at[i];
    rlx_buf_clear(&written);
    if (edit->keeps_before) {
      rlx_buf_putn(&written, text + edit->span.start, edit->span.end - edit->span.start);
      rlx_buf_puts(&written, " as ");
    }
    rlx_buf_puts(&written, name);
    rlx_write_text_edit(server, file->file, edit->span, rlx_buf_text(&written), written.size, json);
  }
  rlx_buf_free(&written);
}

static void write_elsewhere(const RlxServer *server, const RlxProjectUses *all, const char *name,
                            RlxJson *json) {
  for (uint32_t i = 0; i < all->count; i++) {
    const RlxFileUses *edits = &all->at[i];
    rlx_begin_document(server, edits->uri, edits->has_version ? &edits->version : NULL, json);
    for (uint32_t k = 0; k < edits->at.count; k++) {
      rlx_json_begin(json, '{');
      rlx_json_key(json, "range");
      rlx_json_places(json, edits->at.at[k].start, edits->at.at[k].end);
      rlx_json_key_text(json, "newText", name);
      rlx_json_end(json, '}');
    }
    rlx_end_document(server, json);
  }
}

RlxRpcCode rlx_lsp_rename(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  const char *name = rlx_json_string(params, "newName");
  RlxBuf why = {0};
  if (!name) {
    server->error = "params.newName is no text";
    return RLX_RPC_INVALID_PARAMS;
  }
  if (!rlx_symbol_can_rename(at.file->file, &at.symbol, &why))
    return refuse(server, "not renamed: ", &why);
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  RlxRenameEdits edits = {0};
  RlxProjectUses elsewhere = {0};
  RlxProjectName own;
  if (strcmp(name, rlx_store_text(store, at.symbol.name)) != 0) {
    bool may_be = rlx_symbol_may_be_called(at.file->file, &at.symbol, name, &why);
    bool is_known_elsewhere = may_be && rlx_project_name(server, at.file, &at.symbol, &own);
    if (is_known_elsewhere && !server->is_beside)
      return rlx_server_handle_beside(server, at.file, "renaming", rlx_lsp_rename, params);
    if (!may_be ||
        (is_known_elsewhere && !rlx_project_uses(server, &own, name, &elsewhere, &why))) {
      rlx_project_uses_free(&elsewhere);
      return refuse(server, "not renamed: ", &why);
    }
    rlx_symbol_rename_edits(at.file->file, &at.symbol, &edits);
  }
  rlx_begin_documents(server, result);
  rlx_begin_document(server, at.file->uri, at.file->has_version ? &at.file->version : NULL, result);
  write_edits(server, at.file, &edits, name, result);
  rlx_end_document(server, result);
  write_elsewhere(server, &elsewhere, name, result);
  rlx_end_documents(server, result);
  rlx_project_uses_free(&elsewhere);
  rlx_vec_free(&edits);
  return RLX_RPC_OK;
}
