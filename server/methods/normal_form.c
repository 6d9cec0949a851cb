/// The view of a function or file in normal form.
#include <string.h>

#include "analyzer/rewrite/normalize.h"
#include "server/methods/commands.h"
#include "server/session/jobs.h"

enum { BESIDE_BYTES = 64 << 10 }; ///< a document of so much text takes longer than a keystroke

typedef struct Normal {
  RlxFile *file;
  RlxNormalize how;
} Normal;

static void normalize(const Normal *n, RlxBuf *text) {
  if (n->how.only)
    rlx_function_normalize(n->file, &n->how, text);
  else
    rlx_file_normalize(n->file, &n->how, text);
}

static bool work(void *data, const RlxJobReport *report, RlxBuf *out, RlxError *err) {
  (void)report, (void)err;
  normalize(data, out);
  return true;
}

static void done(RlxServer *server, void *data, const RlxBuf *from, RlxJson *result) {
  (void)server, (void)data;
  rlx_write_text_answer(from, result);
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
  Normal n = {call->file->file, how};
  uint32_t size = 0;
  rlx_open_file_text(call->file, &size);
  static const RlxJobKind job = {work, done, NULL};
  if (size > BESIDE_BYTES)
    return rlx_server_beside(server, call->file, "normal form", &job, &n, NULL);
  normalize(&n, text);
  return RLX_RPC_OK;
}
