/// The document and what a request points at in them.
#include <string.h>

#include "server/session/session.h"

RlxOpenFile *rlx_server_file(RlxServer *server, const cJSON *params) {
  return rlx_server_find(server, rlx_json_string(rlx_json_get(params, "textDocument"), "uri"));
}

RlxRpcCode rlx_server_at(RlxServer *server, const cJSON *params, RlxOpenFile **out_file,
                         uint32_t *out_offset) {
  *out_file = rlx_server_file(server, params);
  if (!*out_file) {
    server->error = "params.textDocument.uri names no open document";
    return RLX_RPC_INVALID_PARAMS;
  }
  if (!rlx_position_offset(server, (*out_file)->file, rlx_json_get(params, "position"),
                           out_offset)) {
    server->error = "params.position is no position";
    return RLX_RPC_INVALID_PARAMS;
  }
  if (!rlx_file_analyze((*out_file)->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  return RLX_RPC_OK;
}

RlxRpcCode rlx_server_place(RlxServer *server, const cJSON *params, RlxPlace *out) {
  memset(out, 0, sizeof *out);
  RlxRpcCode code = rlx_server_at(server, params, &out->file, &out->offset);
  if (code == RLX_RPC_OK)
    out->found = rlx_file_symbol_at(out->file->file, out->offset, &out->symbol);
  return code;
}
