/// Symbols, folding and selection ranges: what follows from the shape of the file.
#include <string.h>
#include <strings.h>

#include "server/methods/methods.h"

enum { SYMBOL_CLASS = 5, SYMBOL_FUNCTION = 12, SYMBOL_VARIABLE = 13 }; // LSP's SymbolKind

static void write_symbol(RlxServer *server, RlxOpenFile *file, const RlxStmt *stmt,
                         const char *detail, int kind, RlxJson *json) {
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  const char *name = rlx_store_text(store, stmt->name);
  rlx_json_key(json, "name");
  rlx_json_text(json, *name ? name : "?");
  if (detail && *detail) {
    rlx_json_key(json, "detail");
    rlx_json_text(json, detail);
  }
  rlx_json_key(json, "kind");
  rlx_json_int(json, kind);
  rlx_json_key(json, "range");
  rlx_write_range(server, file->file, rlx_span(stmt->start, stmt->start + stmt->size), json);
  rlx_json_key(json, "selectionRange");
  rlx_write_range(server, file->file, rlx_stmt_absolute(stmt, stmt->name_span), json);
}

static const char *island_detail(RlxIslandKind kind) {
  switch (kind) {
  case RLX_ISLAND_RELAX: return "R.function";
  case RLX_ISLAND_PRIM_FUNC: return "T.prim_func";
  case RLX_ISLAND_MACRO: return "macro";
  case RLX_ISLAND_PYFUNC: return "I.pyfunc";
  case RLX_ISLAND_JIT: return "T.jit";
  }
  return "";
}

static void write_function(RlxServer *server, RlxOpenFile *file, const RlxFunctionView *view,
                           RlxJson *json) {
  rlx_json_begin(json, '{');
  write_symbol(server, file, view->stmt, island_detail((RlxIslandKind)view->kind), SYMBOL_FUNCTION,
               json);
  rlx_json_end(json, '}');
}

RlxRpcCode rlx_lsp_document_symbol(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  RlxFunctionViews views = {0};
  rlx_file_functions(file->file, &views);
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < views.count;) {
    const RlxStmt *module = views.at[i].module_stmt;
    if (!module) {
      write_function(server, file, &views.at[i++], result);
      continue;
    }
    rlx_json_begin(result, '{'); // a module: its functions inside
    write_symbol(server, file, module, "I.ir_module", SYMBOL_CLASS, result);
    rlx_json_key(result, "children");
    rlx_json_begin(result, '[');
    for (; i < views.count && views.at[i].module_stmt == module; i++)
      write_function(server, file, &views.at[i], result);
    rlx_json_end(result, ']');
    rlx_json_end(result, '}');
  }
  rlx_json_end(result, ']');
  rlx_vec_free(&views);
  return RLX_RPC_OK;
}

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

// ------------------------------------------------------------------ folding

static void fold_block(const RlxServer *server, RlxOpenFile *file, const RlxBlock *block, int depth,
                       RlxJson *json) {
  for (uint32_t i = 0; block && i < block->count && depth < 200; i++) {
    const RlxStmt *stmt = block->stmts[i];
    uint32_t last = rlx_position_of(server, file->file, stmt->start + stmt->size).line;
    uint32_t head = rlx_position_of(server, file->file, stmt->start + stmt->head_size)
                        .line; // where the header ends
    uint32_t first = stmt->body ? head : stmt->line;
    if (last > first) {
      rlx_json_begin(json, '{');
      rlx_json_key(json, "startLine");
      rlx_json_int(json, first);
      rlx_json_key(json, "endLine");
      rlx_json_int(json, last);
      if (stmt->kind == RLX_STMT_IMPORT) {
        rlx_json_key(json, "kind");
        rlx_json_text(json, "imports");
      }
      rlx_json_end(json, '}');
    }
    fold_block(server, file, stmt->body, depth + 1, json);
    fold_block(server, file, stmt->orelse, depth + 1, json);
    for (uint32_t k = 0; k < stmt->block_count; k++)
      fold_block(server, file, stmt->blocks[k], depth + 1, json);
  }
}

RlxRpcCode rlx_lsp_folding_range(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  rlx_json_begin(result, '[');
  fold_block(server, file, rlx_document_root(rlx_file_document(file->file)), 0, result);
  rlx_json_end(result, ']');
  return RLX_RPC_OK;
}

// ------------------------------------------------------------------ selection

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
