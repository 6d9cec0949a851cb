/// The view of a function or file in normal form.
#include <string.h>

#include "analyzer/normalize.h"
#include "server/server.h"

/// `rlx.view.normal` of {"uri", "function"?, "form"?}: {"text"}. Form: "anf" (none given), "t-anf" or "canonical".
RlxRpcCode rlx_lsp_execute_command(RlxServer *server, const cJSON *params, RlxJson *result) {
  const char *command = rlx_json_string(params, "command");
  const cJSON *argument = cJSON_GetArrayItem(rlx_json_get(params, "arguments"), 0);
  RlxOpenFile *file = rlx_server_find(server, rlx_json_string(argument, "uri"));
  const char *name = rlx_json_string(argument, "function"), *form = rlx_json_string(argument, "form");
  if (!command || strcmp(command, "rlx.view.normal") != 0) {
    server->error = "params.command is no command of this server";
    return RLX_RPC_INVALID_PARAMS;
  }
  if (!file) {
    server->error = "params.arguments[0].uri names no open document";
    return RLX_RPC_INVALID_PARAMS;
  }
  if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport))) return RLX_RPC_CONTENT_MODIFIED;
  RlxNormalize how = {.t_anf = form && strcmp(form, "t-anf") == 0, .canonical = form && strcmp(form, "canonical") == 0};
  RlxFunctionViews views = {0};
  RlxBuf text = {0};
  rlx_file_functions(file->file, &views);
  for (uint32_t i = 0; name && i < views.count; i++) {
    if (views.at[i].kind == RLX_ISLAND_RELAX && strcmp(rlx_store_text(rlx_analyzer_store(server->analyzer), views.at[i].name), name) == 0) how.only = views.at[i].stmt;
  }
  RlxRpcCode code = RLX_RPC_OK;
  if (name && !how.only) {
    server->error = "params.arguments[0].function names no Relax function of the document";
    code = RLX_RPC_INVALID_PARAMS;
  } else {
    if (name) rlx_function_normalize(file->file, &how, &text);
    else rlx_file_normalize(file->file, &how, &text);
    rlx_json_begin(result, '{');
    rlx_json_key(result, "text");
    rlx_json_text(result, rlx_buf_text(&text));
    rlx_json_end(result, '}');
  }
  rlx_vec_free(&views);
  rlx_buf_free(&text);
  return code;
}
