/// Inlay hint resolve: the tooltip of a hint is the hover of the name that it stands behind, or
/// what is said of the parameter that it names; the variables in its label get their places.
#include <string.h>

#include "analyzer/complete/complete.h"
#include "server/methods/hints.h"
#include "server/methods/operator_page.h"

void rlx_write_hint_data(const RlxOpenFile *file, RlxJson *json) {
  rlx_json_key(json, "data");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "uri", file->uri);
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

/// Gives the one part of an operator's parameter, which has no place in the file, its row on the page.
static void resolve_operator(RlxServer *server, const char *label, RlxSpan name, cJSON *hint) {
  cJSON *part =
      cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(hint, "label"), 0); // NULL of a text
  if (!part || !server->can_resolve_places || rlx_json_get(part, "location")) return;
  RlxBuf text = {0};
  RlxJson json = {.out = &text};
  if (rlx_write_operator_parameter(server, label, name, &json))
    cJSON_AddItemToObject(part, "location", cJSON_Parse(rlx_buf_text(&text)));
  rlx_buf_free(&text);
}

/// What is said of the parameter that stands in front of the argument at the hint; NULL: nothing.
/// The caller's. Gives the label its place.
static cJSON *parameter_of(RlxServer *server, RlxOpenFile *file, cJSON *hint) {
  uint32_t offset;
  RlxSignature s;
  if (!rlx_position_offset(server, file->file, rlx_json_get(hint, "position"), &offset) ||
      !rlx_file_signature_at(file->file, offset, &s))
    return NULL;
  const char *meaning = s.active >= 0 && s.meanings ? s.meanings[s.active] : NULL;
  RlxBuf text = {0};
  const char *whole = rlx_buf_text(&s.label);
  RlxSpan name = s.active >= 0 ? s.params.at[s.active] : (RlxSpan){0, 0};
  while (name.start < name.end && whole[name.start] == '*') name.start++;
  name.end = name.start + (uint32_t)strcspn(whole + name.start, "=:,) ");
  if (s.active >= 0) resolve_operator(server, whole, name, hint);
  rlx_buf_puts(&text, server->can_markdown ? "```python\n" : "");
  rlx_buf_printf(&text, "%s%s", whole, server->can_markdown ? "\n```" : "");
  if (meaning)
    rlx_buf_printf(&text, "\n%.*s: %s", (int)(name.end - name.start), whole + name.start, meaning);
  cJSON *tooltip = cJSON_CreateObject();
  cJSON_AddStringToObject(tooltip, "kind", server->can_markdown ? "markdown" : "plaintext");
  cJSON_AddStringToObject(tooltip, "value", rlx_buf_text(&text));
  rlx_buf_free(&text);
  rlx_signature_free(&s);
  return tooltip;
}

/// Gives the parts of a label their places.
static void resolve_parts(RlxServer *server, RlxOpenFile *file, cJSON *hint) {
  uint32_t offset;
  RlxSymbol symbol;
  cJSON *parts = cJSON_GetObjectItemCaseSensitive(hint, "label");
  if (!cJSON_IsArray(parts) ||
      !rlx_position_offset(server, file->file, rlx_json_get(hint, "position"), &offset))
    return;
  RlxHintWords words = {.server = server, .file = file};
  words.stmt = rlx_document_stmt_at(rlx_file_document(file->file), offset ? offset - 1 : 0);
  bool is_var = offset && rlx_file_symbol_at(file->file, offset - 1, &symbol) &&
                symbol.kind == RLX_SYMBOL_VAR && symbol.span.end == offset;
  if (is_var) words.sinfo = symbol.sinfo;
  if (words.stmt) rlx_resolve_hint_label(&words, is_var ? symbol.span.start : offset, parts);
}

RlxRpcCode rlx_lsp_inlay_hint_resolve(RlxServer *server, const cJSON *params, RlxJson *result) {
  enum { KIND_PARAMETER = 2 };
  if (!cJSON_IsObject(params)) return RLX_RPC_INVALID_PARAMS;
  cJSON *hint = cJSON_Duplicate(params, true);
  RlxOpenFile *file = rlx_server_find(server, rlx_json_string(rlx_json_get(params, "data"), "uri"));
  if (file && !rlx_file_analyze(file->file, rlx_transport_stale(server->transport))) {
    cJSON_Delete(hint);
    return RLX_RPC_CONTENT_MODIFIED;
  }
  const cJSON *kind = rlx_json_get(params, "kind");
  bool is_parameter = cJSON_IsNumber(kind) && kind->valueint == KIND_PARAMETER;
  cJSON *hover = file && !is_parameter ? hover_of(server, file, params) : NULL;
  cJSON *tooltip = file && is_parameter ? parameter_of(server, file, hint)
                   : hover              ? cJSON_DetachItemFromObjectCaseSensitive(hover, "contents")
                                        : NULL;
  if (tooltip) {
    cJSON_DeleteItemFromObjectCaseSensitive(hint, "tooltip");
    cJSON_AddItemToObject(hint, "tooltip", tooltip);
  }
  if (file) resolve_parts(server, file, hint);
  char *text = cJSON_PrintUnformatted(hint);
  if (text) rlx_json_raw(result, text, strlen(text));
  cJSON_free(text);
  cJSON_Delete(hint);
  cJSON_Delete(hover);
  return RLX_RPC_OK;
}
