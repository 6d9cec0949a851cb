/// Formatting of documents and ranges: the functions written in TVMScript, nothing else.
#include <string.h>

#include "analyzer/rewrite/format.h"
#include "server/methods/methods.h"

static RlxRpcCode answer(RlxServer *server, RlxOpenFile *file, RlxSpan window, RlxJson *result) {
  RlxFormatEdits edits = {0};
  rlx_file_format(file->file, window, &edits);
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < edits.count; i++) {
    const char *text = edits.at[i].text;
    rlx_write_text_edit(server, file->file, edits.at[i].span, text, strlen(text), result);
  }
  rlx_json_end(result, ']');
  rlx_vec_free(&edits);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_formatting(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  return answer(server, file, rlx_span(0, UINT32_MAX), result);
}

RlxRpcCode rlx_lsp_range_formatting(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  RlxSpan window;
  if (!file || !rlx_range_offsets(server, file->file, rlx_json_get(params, "range"), &window))
    return RLX_RPC_INVALID_PARAMS;
  return answer(server, file, window, result);
}
