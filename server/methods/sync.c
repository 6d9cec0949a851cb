/// Documents open, change, close.
#include <string.h>

#include "server/methods/index.h"
#include "server/methods/methods.h"
#include "server/methods/tokens.h"
#include "server/session/jobs.h"

/// The document has another text now, or none.
static void text_changed(RlxServer *server, const RlxOpenFile *file) {
  rlx_server_stale_jobs(server, file->uri);
}

static void set_version(RlxOpenFile *file, const cJSON *document) {
  const cJSON *version = rlx_json_get(document, "version");
  file->has_version = cJSON_IsNumber(version) && version->valuedouble > -9e15 &&
                      version->valuedouble < 9e15; // exact in a double
  if (file->has_version) file->version = (int64_t)version->valuedouble;
  rlx_open_file_changed(file);
}

static void set_text(RlxServer *server, RlxOpenFile *file, const char *text) {
  uint32_t size = 0;
  rlx_open_file_text(file, &size);
  server->gone_bytes += size;
  rlx_file_set_text(file->file, text, (uint32_t)strlen(text));
  file->damage.is_whole = true;
}

static void edit_text(RlxServer *server, RlxOpenFile *file, RlxSpan span, const char *text,
                      uint32_t size) {
  const RlxLines *lines = rlx_document_lines(rlx_file_document(file->file));
  uint32_t before = rlx_lines_count(lines);
  server->gone_bytes += span.end - span.start;
  rlx_file_edit(file->file, span.start, span.end, text, size);
  rlx_tokens_edited(file, rlx_span(span.start, span.start + size),
                    (int64_t)rlx_lines_count(lines) - before);
}

RlxRpcCode rlx_lsp_did_open(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  const cJSON *document = rlx_json_get(params, "textDocument");
  const char *uri = rlx_json_string(document, "uri"), *text = rlx_json_string(document, "text");
  if (!uri || !text) return RLX_RPC_INVALID_PARAMS;
  RlxOpenFile *file = rlx_server_find(server, uri);
  if (file) { // opened twice: the last text counts
    text_changed(server, file);
    set_text(server, file, text);
  } else {
    file = rlx_server_open(server, uri, text, (uint32_t)strlen(text));
  }
  set_version(file, document);
  rlx_server_module_changed(server, file);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_did_change(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  const cJSON *change;
  text_changed(server, file);
  cJSON_ArrayForEach(change, rlx_json_get(params, "contentChanges")) {
    const char *text = rlx_json_string(change, "text");
    const cJSON *range = rlx_json_get(change, "range");
    RlxSpan span;
    if (!text) continue;
    if (!range)
      set_text(server, file, text);
    else if (rlx_range_offsets(server, file->file, range, &span))
      edit_text(server, file, span, text, (uint32_t)strlen(text));
  }
  set_version(file, rlx_json_get(params, "textDocument"));
  rlx_server_module_changed(server, file);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_did_save(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)params, (void)result;
  rlx_server_module_changed(server, rlx_server_file(server, params));
  rlx_index_stale(server);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_did_close(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  if (!server->pulls_diagnostics) { // a closed document shows nothing
    RlxBuf out = {0};
    RlxJson json = {.out = &out};
    rlx_json_begin(&json, '{');
    rlx_json_key_text(&json, "uri", file->uri);
    rlx_json_key(&json, "diagnostics");
    rlx_json_begin(&json, '[');
    rlx_json_end(&json, ']');
    rlx_json_end(&json, '}');
    rlx_server_notify(server, "textDocument/publishDiagnostics", &out);
    rlx_buf_free(&out);
  }
  text_changed(server, file);
  rlx_server_close(server, file);
  rlx_server_module_changed(server, NULL); // what counts is the file on disk again
  return RLX_RPC_OK;
}
