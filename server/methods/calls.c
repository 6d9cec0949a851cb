/// Call hierarchy. For a function: the functions that call it, and those that it calls. For a
/// variable: the bindings that use its value, and the bindings that made the values it is computed
/// from; other names for a value and tuples are looked through.
#include <string.h>

#include "analyzer/ask/flow.h"
#include "server/methods/methods.h"

enum { KIND_FUNCTION = 12, KIND_VARIABLE = 13 }; // LSP's SymbolKind

/// One item of an answer with the places that are its reason.
typedef struct Item {
  const RlxStmt *stmt; ///< what identifies it: the function's def, or the statement that binds
  RlxName name;
  uint8_t kind;
  RlxSpan name_span; ///< absolute
  RlxSpans from;
} Item;
typedef Vec(Item) Items;

static Item *item_for(Items *items, const RlxStmt *stmt, RlxName name, int kind,
                      RlxSpan name_span) {
  for (uint32_t i = 0; i < items->count; i++)
    if (items->at[i].stmt == stmt && items->at[i].name == name) return &items->at[i];
  Item item = {.stmt = stmt, .name = name, .kind = (uint8_t)kind, .name_span = name_span};
  rlx_vec_push(items, item);
  return &rlx_vec_last(items);
}

static Item *function_item(Items *items, const RlxStmt *def) {
  return item_for(items, def, def->name, KIND_FUNCTION, rlx_stmt_absolute(def, def->name_span));
}

static void free_items(Items *items) {
  for (uint32_t i = 0; i < items->count; i++) rlx_vec_free(&items->at[i].from);
  rlx_vec_free(items);
}

static void write_item(RlxServer *server, RlxOpenFile *file, const Item *item, RlxJson *json) {
  const RlxStmt *stmt = item->stmt;
  RlxSpan whole = rlx_span(stmt->start, stmt->start + stmt->size);
  bool is_inside = item->name_span.start >= whole.start && item->name_span.end <= whole.end;
  const char *name = rlx_store_text(rlx_analyzer_store(server->analyzer), item->name);
  rlx_json_begin(json, '{');
  rlx_json_key(json, "name");
  rlx_json_text(json, *name ? name : stmt->kind == RLX_STMT_RETURN ? "return" : "nested call");
  rlx_json_key(json, "kind");
  rlx_json_int(json, item->kind);
  rlx_json_key(json, "uri");
  rlx_json_text(json, file->uri);
  rlx_json_key(json, "range");
  rlx_write_range(server, file->file, is_inside ? whole : item->name_span, json);
  rlx_json_key(json, "selectionRange");
  rlx_write_range(server, file->file, item->name_span, json);
  rlx_json_end(json, '}');
}

RlxRpcCode rlx_lsp_prepare_calls(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK || !at.found || !at.symbol.def_stmt) return code;
  bool is_function = at.symbol.kind == RLX_SYMBOL_FUNCTION;
  if (!is_function && at.symbol.kind != RLX_SYMBOL_VAR) return RLX_RPC_OK;
  Item item = {.stmt = at.symbol.def_stmt,
               .name = at.symbol.name,
               .kind = is_function ? KIND_FUNCTION : KIND_VARIABLE,
               .name_span = at.symbol.def_span};
  rlx_json_begin(result, '[');
  write_item(server, at.file, &item, result);
  rlx_json_end(result, ']');
  return RLX_RPC_OK;
}

/// The symbol that an item of the client's stands for; false: the text changed meanwhile.
static bool symbol_of_item(RlxServer *server, const cJSON *params, RlxOpenFile **out_file,
                           RlxSymbol *out) {
  const cJSON *item = rlx_json_get(params, "item");
  const char *uri = rlx_json_string(item, "uri");
  uint32_t offset;
  *out_file = uri ? rlx_server_find(server, uri) : NULL;
  if (!*out_file ||
      !rlx_position_offset(server, (*out_file)->file,
                           rlx_json_get(rlx_json_get(item, "selectionRange"), "start"), &offset))
    return false;
  return rlx_file_symbol_at((*out_file)->file, offset, out);
}

static void answer(RlxServer *server, RlxOpenFile *file, const char *key, const Items *items,
                   RlxJson *json) {
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < items->count; i++) {
    rlx_json_begin(json, '{');
    rlx_json_key(json, key);
    write_item(server, file, &items->at[i], json);
    rlx_json_key(json, "fromRanges");
    rlx_json_begin(json, '[');
    for (uint32_t k = 0; k < items->at[i].from.count; k++)
      rlx_write_range(server, file->file, items->at[i].from.at[k], json);
    rlx_json_end(json, ']');
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
}

/// The def around a statement that is a function island or a local function.
static const RlxStmt *def_around(const RlxStmt *stmt) {
  while (stmt && stmt->kind != RLX_STMT_DEF) stmt = stmt->block ? stmt->block->parent : NULL;
  return stmt;
}

static void callers(RlxFile *file, const RlxSymbol *symbol, Items *items) {
  RlxSpans spans = {0};
  rlx_file_symbol_references(file, symbol, &spans);
  for (uint32_t i = 0; i < spans.count; i++) {
    const RlxStmt *stmt = rlx_document_stmt_at(rlx_file_document(file), spans.at[i].start);
    const RlxStmt *def = spans.at[i].start == symbol->def_span.start ? NULL : def_around(stmt);
    if (def) rlx_vec_push(&function_item(items, def)->from, spans.at[i]);
  }
  rlx_vec_free(&spans);
}

RlxRpcCode rlx_lsp_incoming_calls(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file;
  RlxSymbol symbol;
  if (!symbol_of_item(server, params, &file, &symbol)) return RLX_RPC_OK;
  Items items = {0};
  if (symbol.kind == RLX_SYMBOL_FUNCTION) callers(file->file, &symbol, &items);
  RlxFlows flows = {0};
  if (symbol.kind == RLX_SYMBOL_VAR) rlx_file_consumers(file->file, symbol.var, &flows);
  for (uint32_t i = 0; i < flows.count; i++) {
    const RlxFlow *flow = &flows.at[i];
    RlxName name =
        flow->binding && !flow->binding->var->is_temporary ? flow->binding->var->name : 0;
    rlx_vec_push(&item_for(&items, flow->stmt, name, KIND_VARIABLE, flow->span)->from, flow->span);
  }
  answer(server, file, "from", &items, result);
  rlx_vec_free(&flows);
  free_items(&items);
  return RLX_RPC_OK;
}

/// Calls of functions of the file in the bindings of a suite.
static void callees(RlxFile *file, const RlxBlock *block, int depth, Items *items) {
  for (uint32_t i = 0; block && depth < 200 && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    RlxBinding *const *bindings;
    uint32_t count = 0;
    rlx_file_stmt_bindings(file, stmt, &bindings, &count);
    for (uint32_t k = 0; k < count; k++) {
      const RlxExpr *x = bindings[k]->value;
      if (!x || x->kind != RLX_EXPR_CALL) continue;
      const RlxExpr *callee = x->call.callee;
      for (uint32_t n = 0; !callee && n < x->call.arg_count; n++) // call_tir names what it calls
        if (x->call.args[n].kind == RLX_VALUE_CALLEE) callee = x->call.args[n].expr;
      if (callee && callee->kind == RLX_EXPR_GLOBAL && callee->callee)
        rlx_vec_push(&function_item(items, callee->callee)->from,
                     rlx_stmt_absolute(stmt, callee->span));
    }
    callees(file, stmt->body, depth + 1, items);
    callees(file, stmt->orelse, depth + 1, items);
  }
}

RlxRpcCode rlx_lsp_outgoing_calls(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file;
  RlxSymbol symbol;
  if (!symbol_of_item(server, params, &file, &symbol)) return RLX_RPC_OK;
  Items items = {0};
  if (symbol.kind == RLX_SYMBOL_FUNCTION) callees(file->file, symbol.def_stmt->body, 0, &items);
  RlxVars operands = {0};
  RlxFlows flows = {0};
  if (symbol.kind == RLX_SYMBOL_VAR) rlx_file_operands(file->file, symbol.var, &operands);
  for (uint32_t i = 0; i < operands.count; i++)
    rlx_file_producers(file->file, operands.at[i], &flows);
  for (uint32_t i = 0; i < flows.count; i++) {
    const RlxFlow *flow = &flows.at[i];
    if (flow->binding->var == symbol.var) continue;
    rlx_vec_push(&item_for(&items, flow->stmt,
                           flow->binding->var->is_temporary ? 0 : flow->binding->var->name,
                           KIND_VARIABLE, flow->span)
                      ->from,
                 symbol.def_span);
  }
  answer(server, file, "to", &items, result);
  rlx_vec_free(&operands);
  rlx_vec_free(&flows);
  free_items(&items);
  return RLX_RPC_OK;
}
