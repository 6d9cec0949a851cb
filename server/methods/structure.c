/// Selection ranges: what follows from the shape of the file.
#include "server/methods/methods.h"

/// From the innermost expression at `offset` to the whole file, each inside the next.
static void write_selection(const RlxServer *server, RlxOpenFile *file, uint32_t offset,
                            RlxJson *json) {
  RlxDocument *doc = rlx_file_document(file->file);
  RlxSpan spans[256];
  uint32_t count = 0, size;
  rlx_document_text(doc, &size);
  const RlxStmt *stmt = rlx_document_stmt_at(doc, offset);
  const RlxAst *path[128];
  uint32_t path_count = 0;
  if (stmt) rlx_document_ast_at(stmt, offset, path, &path_count, 128);
  while (path_count) spans[count++] = rlx_stmt_absolute(stmt, path[--path_count]->span);
  for (; stmt && count < 250; stmt = stmt->block ? stmt->block->parent : NULL)
    spans[count++] = rlx_span(stmt->start, stmt->start + stmt->size);
  spans[count++] = rlx_span(0, size);
  uint32_t open = 0;
  RlxSpan last = {0, 0};
  for (uint32_t i = 0; i < count; i++) {
    bool grows = !i || (spans[i].start <= last.start && spans[i].end >= last.end &&
                        (spans[i].start != last.start || spans[i].end != last.end));
    if (!grows) continue;
    if (open) rlx_json_key(json, "parent");
    rlx_json_begin(json, '{');
    rlx_json_key(json, "range");
    rlx_write_range(server, file->file, spans[i], json);
    last = spans[i];
    open++;
  }
  while (open--) rlx_json_end(json, '}');
}

RlxRpcCode rlx_lsp_selection_range(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  const cJSON *position;
  rlx_json_begin(result, '[');
  cJSON_ArrayForEach(position, rlx_json_get(params, "positions")) {
    uint32_t offset;
    if (rlx_position_offset(server, file->file, position, &offset))
      write_selection(server, file, offset, result);
  }
  rlx_json_end(result, ']');
  return RLX_RPC_OK;
}
