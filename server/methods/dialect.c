/// The code action "convert dialect": the island around the cursor in the words of another release.
#include <string.h>

#include "analyzer/ask/dialect_at.h"
#include "analyzer/rewrite/migrate.h"
#include "analyzer/words/dialect.h"
#include "server/methods/commands.h"

/// The outermost island whose head (decorators to colon) holds `offset`; NULL when there is none.
/// `*only` is then UINT32_MAX when it is the file's only one, so that imports follow.
static const RlxStmt *island_at(RlxOpenFile *file, uint32_t offset, uint32_t *only) {
  RlxFunctionViews views = {0};
  const RlxStmt *found = NULL, *last = NULL;
  uint32_t islands = 0;
  rlx_file_functions(file->file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    const RlxStmt *stmt = views.at[i].module_stmt ? views.at[i].module_stmt : views.at[i].stmt;
    islands += stmt != last;
    last = stmt;
    if (stmt->start <= offset && offset <= stmt->start + stmt->head_size) found = stmt;
  }
  *only = islands == 1 ? UINT32_MAX : offset;
  rlx_vec_free(&views);
  return found;
}

static void write_action(RlxServer *server, RlxOpenFile *file, RlxDialect to, const RlxBuf *text,
                         RlxJson *json) {
  uint32_t size = 0, start = 0, end = 0;
  const char *old = rlx_document_text(rlx_file_document(file->file), &size),
             *now = rlx_buf_text(text);
  while (start < size && start < text->size && old[start] == now[start]) start++;
  while (end < size - start && end < text->size - start &&
         old[size - 1 - end] == now[text->size - 1 - end])
    end++;
  while (start > 0 && ((unsigned char)old[start] & 0xc0) == 0x80) start--; // whole characters
  while (end > 0 && ((unsigned char)old[size - end] & 0xc0) == 0x80) end--;
  RlxBuf title = {0};
  rlx_buf_printf(&title, "convert dialect to %s", rlx_dialect_name(to));
  rlx_json_begin(json, '{');
  rlx_json_key(json, "title");
  rlx_json_text(json, rlx_buf_text(&title));
  rlx_json_key(json, "kind");
  rlx_json_text(json, "refactor.rewrite");
  rlx_json_key(json, "edit");
  rlx_begin_changes(file, json);
  rlx_write_text_edit(server, file->file, rlx_span(start, size - end), now + start,
                      text->size - end - start, json);
  rlx_end_changes(json);
  rlx_json_end(json, '}');
  rlx_buf_free(&title);
}

void rlx_server_dialect_actions(RlxServer *server, RlxOpenFile *file, uint32_t offset,
                                RlxJson *json) {
  uint32_t only = UINT32_MAX;
  if (!island_at(file, offset, &only)) return;
  RlxDialect now = rlx_file_dialect_at(file->file, offset);
  for (int to = 0; to < RLX_DIALECT_TLC; to++) {
    RlxBuf text = {0};
    if ((RlxDialect)to != now && rlx_file_migrate(file->file, (RlxDialect)to, only, &text).changed)
      write_action(server, file, (RlxDialect)to, &text, json);
    rlx_buf_free(&text);
  }
}

/// `rlx.view.dialect` of {"uri", "to"}: the whole script in the words of the dialect `to`.
RlxRpcCode rlx_command_view_dialect(RlxServer *server, const RlxCommandCall *call, RlxBuf *text) {
  const char *name = rlx_json_string(call->argument, "to");
  RlxDialect to;
  if (!name || !rlx_dialect_parse(name, &to) || to == RLX_DIALECT_TLC) {
    server->error = "params.arguments[0].to is classic, 0.25 or 0.27";
    return RLX_RPC_INVALID_PARAMS;
  }
  rlx_file_migrate(call->file->file, to, UINT32_MAX, text);
  return RLX_RPC_OK;
}
