/// Notebooks open, change, close: notebookDocument/did….
#include <string.h>

#include "server/methods/methods.h"
#include "server/session/notebooks.h"

static void set_version(RlxCell *cell, const cJSON *document) {
  const cJSON *version = rlx_json_get(document, "version");
  cell->has_version =
      cJSON_IsNumber(version) && version->valuedouble > -9e15 && version->valuedouble < 9e15;
  if (cell->has_version) cell->version = (int64_t)version->valuedouble;
}

/// Texts of cells, each a TextDocumentItem.
static void take_texts(RlxServer *server, RlxNotebook *notebook, const cJSON *documents) {
  const cJSON *document;
  cJSON_ArrayForEach(document, documents) {
    RlxCell *cell = NULL;
    const char *text = rlx_json_string(document, "text"),
               *language = rlx_json_string(document, "languageId");
    if (!text ||
        rlx_notebook_of_cell(server, rlx_json_string(document, "uri"), &cell) != notebook || !cell)
      continue;
    cell->is_python = !language || !strcmp(language, "python") || !strcmp(language, "relax");
    rlx_notebook_set_text(cell, text);
    set_version(cell, document);
  }
}

RlxRpcCode rlx_lsp_notebook_open(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  const cJSON *document = rlx_json_get(params, "notebookDocument");
  const char *uri = rlx_json_string(document, "uri");
  if (!uri) return RLX_RPC_INVALID_PARAMS;
  RlxNotebook *notebook = rlx_notebook_add(server, uri);
  rlx_notebook_splice(notebook, 0, 0, rlx_json_get(document, "cells"));
  take_texts(server, notebook, rlx_json_get(params, "cellTextDocuments"));
  rlx_notebook_compose(server, notebook);
  return RLX_RPC_OK;
}

static uint32_t whole(const cJSON *object, const char *key) {
  const cJSON *number = rlx_json_get(object, key);
  if (!cJSON_IsNumber(number) || !(number->valuedouble > 0)) return 0;
  return number->valuedouble > 1e9 ? 1000000000 : (uint32_t)number->valuedouble;
}

/// Edits of one cell's text.
static void edit_cell(const RlxServer *server, RlxCell *cell, const cJSON *changes) {
  RlxBuf now = {0};
  rlx_buf_puts(&now, cell->text);
  const cJSON *change;
  cJSON_ArrayForEach(change, changes) {
    const char *text = rlx_json_string(change, "text");
    const cJSON *range = rlx_json_get(change, "range");
    RlxSpan span = {0, (uint32_t)now.size};
    if (text && (!range || rlx_text_range_offsets(server, &now, range, &span)))
      rlx_buf_splice(&now, span.start, span.end, text, strlen(text));
  }
  rlx_notebook_set_text(cell, rlx_buf_text(&now));
  rlx_buf_free(&now);
}

RlxRpcCode rlx_lsp_notebook_change(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  RlxNotebook *notebook =
      rlx_notebook_find(server, rlx_json_string(rlx_json_get(params, "notebookDocument"), "uri"));
  if (!notebook) return RLX_RPC_INVALID_PARAMS;
  const cJSON *cells = rlx_json_get(rlx_json_get(params, "change"), "cells"),
              *structure = rlx_json_get(cells, "structure"),
              *array = rlx_json_get(structure, "array"), *item;
  if (array)
    rlx_notebook_splice(notebook, whole(array, "start"), whole(array, "deleteCount"),
                        rlx_json_get(array, "cells"));
  take_texts(server, notebook, rlx_json_get(structure, "didOpen"));
  cJSON_ArrayForEach(item, rlx_json_get(structure, "didClose"))
      rlx_notebook_close_text(notebook, rlx_json_string(item, "uri"));
  cJSON_ArrayForEach(item, rlx_json_get(cells, "data")) { // a cell became another kind
    RlxCell *cell;
    const cJSON *kind = rlx_json_get(item, "kind");
    if (rlx_notebook_of_cell(server, rlx_json_string(item, "document"), &cell) == notebook &&
        cJSON_IsNumber(kind))
      cell->is_code = kind->valuedouble != 1;
  }
  cJSON_ArrayForEach(item, rlx_json_get(cells, "textContent")) {
    RlxCell *cell;
    const cJSON *document = rlx_json_get(item, "document");
    if (rlx_notebook_of_cell(server, rlx_json_string(document, "uri"), &cell) != notebook ||
        !cell->text)
      continue;
    edit_cell(server, cell, rlx_json_get(item, "changes"));
    set_version(cell, document);
  }
  rlx_notebook_compose(server, notebook);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_notebook_save(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)server, (void)params, (void)result;
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_notebook_close(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  RlxNotebook *notebook =
      rlx_notebook_find(server, rlx_json_string(rlx_json_get(params, "notebookDocument"), "uri"));
  if (!notebook) return RLX_RPC_INVALID_PARAMS;
  rlx_notebook_splice(notebook, 0, notebook->cells.count, NULL); // all of them are gone
  RlxBuf none = {0};
  rlx_buf_puts(&none, "[]");
  if (!server->pulls_diagnostics) rlx_cells_publish(server, notebook, &none);
  rlx_buf_free(&none);
  RlxOpenFile *file = rlx_server_find(server, notebook->uri);
  if (file) rlx_server_close(server, file);
  rlx_notebook_remove(server, notebook);
  return RLX_RPC_OK;
}
