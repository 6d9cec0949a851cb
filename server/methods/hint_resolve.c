/// Inlay hint resolve: the tooltip of a hint is the hover of the name that it stands behind.
#include <string.h>

#include "server/methods/hints.h"

void rlx_write_hint_data(const RlxOpenFile *file, RlxJson *json) {
  rlx_json_key(json, "data");
  rlx_json_begin(json, '{');
  rlx_json_key(json, "uri");
  rlx_json_text(json, file->uri);
  rlx_json_end(json, '}');
}

/// The hover of the variable that ends at the hint; NULL when there is none, as after an edit. The
/// caller's.
static cJSON *hover_of(RlxServer *server, RlxOpenFile *file, const cJSON *hint) {
  uint32_t offset;
  RlxSymbol symbol;
  if (!rlx_position_offset(server, file->file, rlx_json_get(hint, "position"), &offset) || !offset)
    return NULL;
  if (!rlx_file_symbol_at(file->file, offset - 1, &symbol) || symbol.kind != RLX_SYMBOL_VAR ||
      symbol.span.end != offset)
    return NULL;
  RlxPosition at = rlx_position_of(server, file->file, symbol.span.start);
  cJSON *params = cJSON_CreateObject(), *position = cJSON_AddObjectToObject(params, "position");
  cJSON_AddStringToObject(cJSON_AddObjectToObject(params, "textDocument"), "uri", file->uri);
  cJSON_AddNumberToObject(position, "line", at.line);
  cJSON_AddNumberToObject(position, "character", at.character);
  RlxBuf text = {0};
  RlxJson json = {.out = &text};
  RlxRpcCode code = rlx_lsp_hover(server, params, &json);
  cJSON *hover = code == RLX_RPC_OK && text.size
                     ? cJSON_ParseWithLength(rlx_buf_text(&text), text.size)
                     : NULL;
  rlx_buf_free(&text);
  cJSON_Delete(params);
  return hover;
}

RlxRpcCode rlx_lsp_inlay_hint_resolve(RlxServer *server, const cJSON *params, RlxJson *result) {
  if (!cJSON_IsObject(params)) return RLX_RPC_INVALID_PARAMS;
  cJSON *hint = cJSON_Duplicate(params, true);
  RlxOpenFile *file = rlx_server_find(server, rlx_json_string(rlx_json_get(params, "data"), "uri"));
  bool is_stale = file && !rlx_file_analyze(file->file, rlx_transport_stale(server->transport));
  cJSON *hover = file && !is_stale ? hover_of(server, file, params) : NULL;
  cJSON *tooltip = hover ? cJSON_DetachItemFromObjectCaseSensitive(hover, "contents") : NULL;
  if (tooltip) {
    cJSON_DeleteItemFromObjectCaseSensitive(hint, "tooltip");
    cJSON_AddItemToObject(hint, "tooltip", tooltip);
  }
  char *text = cJSON_PrintUnformatted(hint);
  if (text) rlx_json_raw(result, text, strlen(text));
  cJSON_free(text);
  cJSON_Delete(hint);
  cJSON_Delete(hover);
  return is_stale ? RLX_RPC_CONTENT_MODIFIED : RLX_RPC_OK;
}
