/// Symbols of the workspace, found by a part of their name.
#include <string.h>
#include <strings.h>

#include "server/methods/methods.h"

enum { SYMBOL_FUNCTION = 12 }; // LSP's SymbolKind

static bool contains_ignoring_case(const char *text, const char *part) {
  size_t n = strlen(part);
  for (; *text; text++) {
    if (!strncasecmp(text, part, n)) return true;
  }
  return n == 0;
}

RlxRpcCode rlx_lsp_workspace_symbol(RlxServer *server, const cJSON *params, RlxJson *result) {
  const char *query = rlx_json_string(params, "query");
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  rlx_json_begin(result, '[');
  for (uint32_t f = 0; f < server->files.count; f++) {
    RlxOpenFile *file = &server->files.at[f];
    bool was_awake = file->file != NULL;
    rlx_server_wake(server, file);
    RlxFunctionViews views = {0};
    rlx_file_functions(file->file, &views);
    for (uint32_t i = 0; i < views.count; i++) {
      const RlxFunctionView *view = &views.at[i];
      const char *name = rlx_store_text(store, view->name);
      if (!contains_ignoring_case(name, query ? query : "")) continue;
      rlx_json_begin(result, '{');
      rlx_json_key(result, "name");
      rlx_json_text(result, name);
      rlx_json_key(result, "kind");
      rlx_json_int(result, SYMBOL_FUNCTION);
      if (view->module) {
        rlx_json_key(result, "containerName");
        rlx_json_text(result, rlx_store_text(store, view->module));
      }
      rlx_json_key(result, "location");
      rlx_json_begin(result, '{');
      rlx_json_key(result, "uri");
      rlx_json_text(result, file->uri);
      rlx_json_key(result, "range");
      rlx_write_range(server, file->file, rlx_stmt_absolute(view->stmt, view->stmt->name_span),
                      result);
      rlx_json_end(result, '}');
      rlx_json_end(result, '}');
    }
    rlx_vec_free(&views);
    if (!was_awake) rlx_server_sleep(server, file);
  }
  rlx_json_end(result, ']');
  return RLX_RPC_OK;
}
