/// The code action "convert dialect": the island around the cursor in the words of another release.
#include <string.h>

#include "analyzer/ask/dialect_at.h"
#include "analyzer/rewrite/migration.h"
#include "analyzer/words/dialect.h"
#include "server/methods/commands.h"
#include "server/methods/methods.h"

/// What is known of the conversions of the island: each is tried once.
static RlxConversions *conversions(RlxOpenFile *file, const RlxStmt *island, uint32_t only) {
  RlxConversions *known = &file->conversions;
  if (known->is_known && known->start == island->start) return known;
  rlx_open_file_forget_conversions(file);
  RlxDialect now = rlx_file_dialect_at(file->file, island->start);
  for (int to = 0; to < RLX_DIALECT_TLC; to++)
    known->changes[to] =
        (RlxDialect)to != now && rlx_file_migrates(file->file, (RlxDialect)to, only);
  known->is_known = true;
  known->start = island->start;
  return known;
}

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

void rlx_server_dialect_actions(RlxActions *a) {
  uint32_t only = UINT32_MAX;
  const uint32_t offset = a->range.start;
  const RlxStmt *island = island_at(a->file, offset, &only);
  if (!island) return;
  RlxConversions *known = conversions(a->file, island, only);
  for (int to = 0; to < RLX_DIALECT_TLC; to++) {
    RlxBuf title = {0}, *text = &known->text[to];
    rlx_buf_printf(&title, "convert dialect to %s", rlx_dialect_name((RlxDialect)to));
    if (known->changes[to] &&
        rlx_actions_begin(a, rlx_buf_text(&title), "refactor.rewrite", NULL)) {
      if (rlx_actions_wants_edits(a)) {
        if (!text->size) rlx_file_migrate(a->file->file, (RlxDialect)to, only, text);
        rlx_actions_text(a, text);
      }
      rlx_actions_end(a);
    }
    rlx_buf_free(&title);
  }
}

static void migrate(const RlxCommandCall *call, const void *data, RlxBuf *text) {
  const RlxDialect *to = data;
  rlx_file_migrate(call->file->file, *to, UINT32_MAX, text);
}

/// `rlx.view.dialect` of {"uri", "to"}: the whole script in the words of the dialect `to`.
RlxRpcCode rlx_command_view_dialect(RlxServer *server, const RlxCommandCall *call, RlxBuf *text) {
  const char *name = rlx_json_string(call->argument, "to");
  RlxDialect to;
  if (!name || !rlx_dialect_parse(name, &to) || to == RLX_DIALECT_TLC) {
    server->error = "params.arguments[0].to is classic, 0.25 or 0.27";
    return RLX_RPC_INVALID_PARAMS;
  }
  return rlx_server_write_view(server, call, "converting", migrate, &to, text);
}
