/// The view of a function or file in normal form.
#include <string.h>

#include "analyzer/rewrite/normalize.h"
#include "server/methods/commands.h"

static void normalize(const RlxCommandCall *call, const void *data, RlxBuf *text) {
  const RlxNormalize *how = data;
  if (how->only)
    rlx_function_normalize(call->file->file, how, text);
  else
    rlx_file_normalize(call->file->file, how, text);
}

/// `rlx.view.normal` of {"uri", "function"?, "form"?}. Form: "anf" (none given), "t-anf" or
/// "canonical".
RlxRpcCode rlx_command_view_normal(RlxServer *server, const RlxCommandCall *call, RlxBuf *text) {
  const char *form = rlx_json_string(call->argument, "form");
  RlxNormalize how = {.t_anf = form && strcmp(form, "t-anf") == 0,
                      .canonical = form && strcmp(form, "canonical") == 0};
  if (call->function && call->function->kind != RLX_ISLAND_RELAX) {
    server->error = "params.arguments[0].function names no Relax function of the document";
    return RLX_RPC_INVALID_PARAMS;
  }
  if (call->function) how.only = call->function->stmt;
  return rlx_server_write_view(server, call, "normal form", normalize, &how, text);
}
