/// Call hierarchy. For a function: the functions that call it, and those that it calls. For a
/// variable: the bindings that use its value, and the bindings that made the values it is computed
/// from; other names for a value and tuples are looked through, and an item says which outputs of a
/// tuple are meant.
///
/// Always true: `fromRanges` lie in the statement (or function) that uses the other one.
#include <string.h>

#include "analyzer/ask/flow.h"
#include "analyzer/ops/describe.h"
#include "server/methods/methods.h"
#include "server/methods/project_uses.h"
#include "server/session/jobs.h"

enum { KIND_FUNCTION = 12, KIND_VARIABLE = 13 }; // LSP's SymbolKind
enum { OUTPUTS_MAX = 64, DEPTH_MAX = 200, BINDINGS_MAX = 100 };

/// One item of an answer with the places that are its reason.
typedef struct Item {
  const RlxStmt *stmt; ///< what identifies it: the function's def, or the statement that binds
  RlxName name;
  uint8_t kind;
  RlxSpan name_span;         ///< absolute
  const RlxBinding *binding; ///< of a variable; NULL: none, or not known
  uint64_t outputs;          ///< of the tuple that is taken from or used, as bits; 0: all of it
  RlxSpans from;
} Item;
typedef Vec(Item) Items;

static Item *function_item(Items *items, const RlxStmt *def) {
  for (uint32_t i = items->count; i-- > 0;)
    if (items->at[i].stmt == def) return &items->at[i];
  Item item = {.stmt = def,
               .name = def->name,
               .kind = KIND_FUNCTION,
               .name_span = rlx_stmt_absolute(def, def->name_span)};
  rlx_vec_push(items, item);
  return &rlx_vec_last(items);
}

/// A binding or a return: each is met once.
static Item *flow_item(Items *items, const RlxFlow *flow) {
  const RlxVar *var = flow->binding ? flow->binding->var : NULL;
  Item item = {.stmt = flow->stmt,
               .name = var && !var->is_temporary ? var->name : 0,
               .kind = KIND_VARIABLE,
               .name_span = flow->span,
               .binding = flow->binding};
  rlx_vec_push(items, item);
  return &rlx_vec_last(items);
}

static void free_items(Items *items) {
  for (uint32_t i = 0; i < items->count; i++) rlx_vec_free(&items->at[i].from);
  rlx_vec_free(items);
}

/// Of an item without a name: "return", or the operator that is called.
static void put_what(const Item *item, RlxBuf *out) {
  const RlxExpr *value = item->binding ? item->binding->value : NULL;
  const RlxOpRow *row = value && value->kind == RLX_EXPR_CALL ? value->call->row : NULL;
  if (row)
    rlx_describe_spelling(row, out);
  else
    rlx_buf_puts(out, item->stmt->kind == RLX_STMT_RETURN ? "return" : "nested call");
}

/// The StructInfo of what is bound, and which outputs are meant: "R.Tensor((4,)) · output 1".
static void put_detail(const RlxStore *store, const Item *item, RlxBuf *out) {
  const RlxVar *var = item->binding ? item->binding->var : NULL;
  if (var && var->sinfo) rlx_sinfo_tell(store, var->sinfo, out);
  const char *plural = item->outputs & (item->outputs - 1) ? "s" : "";
  for (int i = 0; i < OUTPUTS_MAX; i++) {
    if (!(item->outputs >> i & 1)) continue;
    bool is_first = !(item->outputs & ((1ull << i) - 1));
    if (is_first)
      rlx_buf_printf(out, "%soutput%s %d", out->size ? " · " : "", plural, i);
    else
      rlx_buf_printf(out, ", %d", i);
  }
}

static void write_item(RlxServer *server, RlxOpenFile *file, const Item *item, RlxJson *json) {
  const RlxStmt *stmt = item->stmt;
  RlxSpan whole = rlx_span(stmt->start, stmt->start + stmt->size);
  bool is_inside = item->name_span.start >= whole.start && item->name_span.end <= whole.end;
  const RlxStore *store = rlx_analyzer_store(server->analyzer);
  RlxBuf name = {0}, detail = {0};
  rlx_buf_puts(&name, rlx_store_text(store, item->name));
  if (!name.size) put_what(item, &name);
  put_detail(store, item, &detail);
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "name", rlx_buf_text(&name));
  rlx_json_key_int(json, "kind", item->kind);
  if (detail.size) rlx_json_key_text(json, "detail", rlx_buf_text(&detail));
  rlx_buf_free(&name);
  rlx_buf_free(&detail);
  rlx_json_key_text(json, "uri", file->uri);
  rlx_json_key(json, "range");
  rlx_write_range(server, file->file, is_inside ? whole : item->name_span, json);
  rlx_json_key(json, "selectionRange");
  rlx_write_range(server, file->file, item->name_span, json);
  rlx_json_end(json, '}');
}

static const RlxBinding *binding_of(RlxFile *file, const RlxVar *var) {
  RlxBinding *const *bindings;
  uint32_t count = 0;
  if (var->stmt) rlx_file_stmt_bindings(file, var->stmt, &bindings, &count);
  for (uint32_t i = 0; i < count; i++)
    if (bindings[i]->var == var) return bindings[i];
  return NULL;
}

/// The nested call that stands at `span`.
static bool nested_call(RlxFile *file, RlxSpan span, RlxSymbol *out) {
  const RlxStmt *stmt = rlx_document_stmt_at(rlx_file_document(file), span.start);
  RlxBinding *const *bindings;
  uint32_t count = 0;
  if (stmt) rlx_file_stmt_bindings(file, stmt, &bindings, &count);
  for (uint32_t i = 0; i < count; i++) {
    RlxSpan own = rlx_stmt_absolute(stmt, bindings[i]->span);
    if (!bindings[i]->var->is_temporary || own.start != span.start || own.end != span.end) continue;
    *out = (RlxSymbol){.kind = RLX_SYMBOL_VAR,
                       .span = span,
                       .var = bindings[i]->var,
                       .stmt = stmt,
                       .def_stmt = stmt,
                       .def_span = span};
    return true;
  }
  return false;
}

/// The symbol that an item of the client's stands for; false: the text changed meanwhile.
static bool symbol_of_item(RlxServer *server, const cJSON *params, RlxOpenFile **out_file,
                           RlxSymbol *out) {
  const cJSON *item = rlx_json_get(params, "item");
  const char *uri = rlx_json_string(item, "uri");
  RlxSpan span;
  *out_file = uri ? rlx_server_find(server, uri) : NULL;
  if (!*out_file ||
      !rlx_range_offsets(server, (*out_file)->file, rlx_json_get(item, "selectionRange"), &span))
    return false;
  rlx_file_analyze((*out_file)->file, NULL);
  return nested_call((*out_file)->file, span, out) ||
         rlx_file_symbol_at((*out_file)->file, span.start, out);
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
  if (!is_function) item.binding = binding_of(at.file->file, at.symbol.var);
  rlx_json_begin(result, '[');
  write_item(server, at.file, &item, result);
  rlx_json_end(result, ']');
  return RLX_RPC_OK;
}

// ---- places of use

/// Appends the places in `ast` of names that one of the variables has.
static void uses_in(const RlxStmt *stmt, const RlxAst *ast, const RlxVars *vars, RlxSpans *out,
                    int depth) {
  if (!ast || depth > DEPTH_MAX) return;
  for (uint32_t i = 0; ast->kind == RLX_AST_NAME && i < vars->count; i++) {
    if (vars->at[i]->name != ast->name) continue;
    rlx_vec_push(out, rlx_stmt_absolute(stmt, ast->span));
    return;
  }
  for (uint32_t i = 0; i < ast->child_count; i++)
    uses_in(stmt, ast->children[i], vars, out, depth + 1);
}

/// The binding of `stmt` whose part of the text `span` is in: of nested calls the innermost.
static const RlxBinding *reader_of(RlxFile *file, const RlxStmt *stmt, RlxSpan span) {
  RlxBinding *const *bindings;
  const RlxBinding *best = NULL;
  uint32_t count = 0;
  rlx_file_stmt_bindings(file, stmt, &bindings, &count);
  for (uint32_t i = 0; i < count; i++) {
    RlxSpan own = rlx_stmt_absolute(stmt, bindings[i]->span);
    bool is_in = own.start <= span.start && span.end <= own.end;
    bool is_inner = !best || bindings[i]->span.end - bindings[i]->span.start <=
                                 best->span.end - best->span.start;
    if (is_in && is_inner) best = bindings[i];
  }
  return best && best->var->is_temporary ? best : NULL;
}

/// Where the part of `stmt` that makes `binding` uses the variables; `otherwise`: what to say where
/// it does not name them, or makes very many bindings.
static void uses(RlxFile *file, const RlxStmt *stmt, const RlxBinding *binding, const RlxVars *vars,
                 RlxSpan otherwise, RlxSpans *out) {
  RlxSpans all = {0};
  const RlxBinding *wanted = binding && binding->var->is_temporary ? binding : NULL;
  uint32_t before = out->count, count = 0;
  RlxBinding *const *bindings;
  rlx_file_stmt_bindings(file, stmt, &bindings, &count);
  if (count <= BINDINGS_MAX) {
    uses_in(stmt, stmt->value, vars, &all, 0);
    uses_in(stmt, stmt->annotation, vars, &all, 0);
  }
  for (uint32_t i = 0; i < all.count; i++)
    if (reader_of(file, stmt, all.at[i]) == wanted) rlx_vec_push(out, all.at[i]);
  if (out->count == before) rlx_vec_push(out, otherwise);
  rlx_vec_free(&all);
}

/// What an expression reads of a value.
typedef struct Reads {
  const RlxVar *made; ///< what the value was bound to first
  uint64_t outputs;   ///< of the tuple that it is, as bits
  bool is_whole;      ///< all of it
  bool is_read;       ///< by the leaf that is looked at
  RlxVars names;      ///< that the expression has for it, or for parts of it
} Reads;

static void note_memory(void *data, RlxMemory memory) {
  Reads *r = data;
  if (memory.var != r->made) return;
  r->is_read = true;
  if (memory.field >= 0 && memory.field < OUTPUTS_MAX)
    r->outputs |= 1ull << memory.field;
  else
    r->is_whole = true;
}

static void note_leaf(void *data, const RlxExpr *leaf, const char *label) {
  (void)label;
  Reads *r = data;
  r->is_read = false;
  rlx_expr_memory(leaf, note_memory, r);
  const RlxVar *name = leaf->kind == RLX_EXPR_VAR ? leaf->var : leaf->tuple->var;
  if (r->is_read) rlx_vec_push(&r->names, name);
}

/// Notes at `item` which outputs of what `made` is bound to `value` reads, and where in the text.
static void note_reads(RlxFile *file, const RlxStmt *stmt, const RlxBinding *binding,
                       const RlxExpr *value, const RlxVar *made, Item *item, RlxSpan otherwise) {
  Reads r = {.made = made};
  if (value) rlx_expr_reads(value, note_leaf, &r);
  item->outputs = r.is_whole ? 0 : r.outputs;
  uses(file, stmt, binding, &r.names, otherwise, &item->from);
  rlx_vec_free(&r.names);
}

static void write_items(RlxServer *server, RlxOpenFile *file, const char *key, const Items *items,
                        RlxJson *json) {
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

/// The bindings and returns that use what `var` holds.
static void consumers(RlxFile *file, const RlxVar *var, Items *items) {
  RlxFlows flows = {0}, made = {0};
  rlx_file_consumers(file, var, &flows);
  rlx_file_producers(file, var, &made);
  if (made.count == 1) var = made.at[0].binding->var;
  for (uint32_t i = 0; i < flows.count; i++) {
    const RlxFlow *flow = &flows.at[i];
    note_reads(file, flow->stmt, flow->binding, flow->value, var, flow_item(items, flow),
               flow->span);
  }
  rlx_vec_free(&flows);
  rlx_vec_free(&made);
}

static void write_user(const RlxFileUses *uses, const RlxUser *user, RlxJson *json) {
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "name", user->name);
  rlx_json_key_int(json, "kind", KIND_FUNCTION);
  rlx_json_key_text(json, "uri", uses->uri);
  rlx_json_key(json, "range");
  rlx_json_places(json, user->start, user->end);
  rlx_json_key(json, "selectionRange");
  rlx_json_places(json, user->name_start, user->name_end);
  rlx_json_end(json, '}');
}

/// The functions of the project's other files that use the name.
static void write_callers_elsewhere(RlxServer *server, const RlxProjectName *name, RlxJson *json) {
  RlxProjectUses all = {0};
  RlxBuf why = {0};
  (void)rlx_project_uses(server, name, NULL, &all, &why);
  for (uint32_t i = 0; i < all.count; i++) {
    const RlxFileUses *uses = &all.at[i];
    for (uint32_t k = 0; k < uses->defs.count; k++) {
      rlx_json_begin(json, '{');
      rlx_json_key(json, "from");
      write_user(uses, &uses->defs.at[k], json);
      rlx_json_key(json, "fromRanges");
      rlx_json_begin(json, '[');
      for (uint32_t n = 0; n < uses->at.count; n++)
        if (uses->at.at[n].def == k + 1)
          rlx_json_places(json, uses->at.at[n].start, uses->at.at[n].end);
      rlx_json_end(json, ']');
      rlx_json_end(json, '}');
    }
  }
  rlx_project_uses_free(&all);
  rlx_buf_free(&why);
}

RlxRpcCode rlx_lsp_incoming_calls(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file;
  RlxSymbol symbol;
  RlxProjectName name;
  if (!symbol_of_item(server, params, &file, &symbol)) return RLX_RPC_OK;
  const bool is_function = symbol.kind == RLX_SYMBOL_FUNCTION;
  const bool is_known_elsewhere = is_function && rlx_project_name(server, file, &symbol, &name);
  if (is_known_elsewhere && !server->is_beside)
    return rlx_server_handle_beside(server, file, "finding callers", rlx_lsp_incoming_calls,
                                    params);
  Items items = {0};
  if (is_function) callers(file->file, &symbol, &items);
  if (symbol.kind == RLX_SYMBOL_VAR) consumers(file->file, symbol.var, &items);
  rlx_json_begin(result, '[');
  write_items(server, file, "from", &items, result);
  if (is_known_elsewhere) write_callers_elsewhere(server, &name, result);
  rlx_json_end(result, ']');
  free_items(&items);
  return RLX_RPC_OK;
}

/// Calls of functions of the file in the bindings of a suite.
static void callees(RlxFile *file, const RlxBlock *block, int depth, Items *items) {
  for (uint32_t i = 0; block && depth < DEPTH_MAX && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    RlxBinding *const *bindings;
    uint32_t count = 0;
    rlx_file_stmt_bindings(file, stmt, &bindings, &count);
    for (uint32_t k = 0; k < count; k++) {
      const RlxExpr *x = bindings[k]->value;
      if (!x || x->kind != RLX_EXPR_CALL) continue;
      const RlxExpr *callee = x->call->callee;
      for (uint32_t n = 0; !callee && n < x->call->arg_count; n++) // call_tir names what it calls
        if (x->call->args[n].kind == RLX_VALUE_CALLEE) callee = x->call->args[n].expr;
      if (callee && callee->kind == RLX_EXPR_GLOBAL && callee->callee)
        rlx_vec_push(&function_item(items, callee->callee)->from,
                     rlx_stmt_absolute(stmt, callee->span));
    }
    callees(file, stmt->body, depth + 1, items);
    callees(file, stmt->orelse, depth + 1, items);
  }
}

/// The bindings that made what `symbol`, a variable, is computed from.
static void producers(RlxFile *file, const RlxSymbol *symbol, Items *items) {
  const RlxBinding *own = binding_of(file, symbol->var);
  RlxVars operands = {0};
  RlxFlows flows = {0};
  rlx_file_operands(file, symbol->var, &operands);
  for (uint32_t i = 0; i < operands.count; i++) rlx_file_producers(file, operands.at[i], &flows);
  for (uint32_t i = 0; own && i < flows.count; i++) {
    const RlxFlow *flow = &flows.at[i];
    const RlxVar *var = flow->binding->var;
    if (var == symbol->var) continue;
    note_reads(file, own->stmt, own, own->value, var, flow_item(items, flow),
               var->is_temporary && flow->stmt == own->stmt ? flow->span : symbol->def_span);
  }
  rlx_vec_free(&operands);
  rlx_vec_free(&flows);
}

RlxRpcCode rlx_lsp_outgoing_calls(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file;
  RlxSymbol symbol;
  if (!symbol_of_item(server, params, &file, &symbol)) return RLX_RPC_OK;
  Items items = {0};
  if (symbol.kind == RLX_SYMBOL_FUNCTION) callees(file->file, symbol.def_stmt->body, 0, &items);
  if (symbol.kind == RLX_SYMBOL_VAR) producers(file->file, &symbol, &items);
  rlx_json_begin(result, '[');
  write_items(server, file, "to", &items, result);
  rlx_json_end(result, ']');
  free_items(&items);
  return RLX_RPC_OK;
}
