/// Definition, references, highlights, rename: questions about what stands at a place.
#include <string.h>

#include "analyzer/ask/flow.h"
#include "server/methods/methods.h"

static void write_location(const RlxServer *server, RlxOpenFile *file, RlxSpan span,
                           RlxJson *json) {
  rlx_json_begin(json, '{');
  rlx_json_key(json, "uri");
  rlx_json_text(json, file->uri);
  rlx_json_key(json, "range");
  rlx_write_range(server, file->file, span, json);
  rlx_json_end(json, '}');
}

static void write_flows(const RlxServer *server, RlxOpenFile *file, const RlxFlows *flows,
                        RlxJson *json) {
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < flows->count; i++) write_location(server, file, flows->at[i].span, json);
  rlx_json_end(json, ']');
}

RlxRpcCode rlx_lsp_definition(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  if (!at.found || !at.symbol.def_stmt) return RLX_RPC_OK;
  bool is_there =
      at.symbol.kind == RLX_SYMBOL_VAR && at.symbol.span.start == at.symbol.def_span.start;
  RlxFlows flows = {
      0}; // at the definition of an alias or a piece of a tuple: where the value is made
  if (is_there) rlx_file_producers(at.file->file, at.symbol.var, &flows);
  bool elsewhere =
      flows.count && (flows.count > 1 || flows.at[0].span.start != at.symbol.def_span.start);
  if (elsewhere)
    write_flows(server, at.file, &flows, result);
  else
    write_location(server, at.file, at.symbol.def_span, result);
  rlx_vec_free(&flows);
  return RLX_RPC_OK;
}

/// Where the value of a variable is made, its other names and tuples looked through; of a function,
/// its definition.
RlxRpcCode rlx_lsp_implementation(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK || !at.found) return code;
  RlxFlows flows = {0};
  if (at.symbol.kind == RLX_SYMBOL_VAR) rlx_file_producers(at.file->file, at.symbol.var, &flows);
  if (flows.count)
    write_flows(server, at.file, &flows, result);
  else if (at.symbol.def_stmt)
    write_location(server, at.file, at.symbol.def_span, result);
  rlx_vec_free(&flows);
  return RLX_RPC_OK;
}

/// Where the symbolic variables of a variable's StructInfo are bound; of a symbolic variable, its
/// own binding.
RlxRpcCode rlx_lsp_type_definition(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  if (!at.found) return RLX_RPC_OK;
  const RlxSymVar *vars[16];
  int count = 0;
  if (at.symbol.symvar)
    vars[count++] = at.symbol.symvar;
  else if (at.symbol.sinfo)
    rlx_sinfo_vars(at.symbol.sinfo, vars, &count, 16);
  rlx_json_begin(result, '[');
  for (int i = 0; i < count; i++) {
    RlxSpan span;
    if (rlx_file_symvar_definition(at.file->file, at.symbol.stmt, vars[i], &span))
      write_location(server, at.file, span, result);
  }
  rlx_json_end(result, ']');
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_references(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  bool with_definition =
      cJSON_IsTrue(rlx_json_get(rlx_json_get(params, "context"), "includeDeclaration"));
  RlxSpans spans = {0};
  rlx_file_symbol_references(at.file->file, &at.symbol, &spans);
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < spans.count; i++) {
    bool is_definition =
        at.found && at.symbol.def_stmt && spans.at[i].start == at.symbol.def_span.start;
    if (with_definition || !is_definition) write_location(server, at.file, spans.at[i], result);
  }
  rlx_json_end(result, ']');
  rlx_vec_free(&spans);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_document_highlight(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  RlxSpans spans = {0};
  rlx_file_symbol_references(at.file->file, &at.symbol, &spans);
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < spans.count; i++) {
    bool is_definition =
        at.found && at.symbol.def_stmt && spans.at[i].start == at.symbol.def_span.start;
    rlx_json_begin(result, '{');
    rlx_json_key(result, "range");
    rlx_write_range(server, at.file->file, spans.at[i], result);
    rlx_json_key(result, "kind");
    rlx_json_int(result, is_definition ? 3 : 2); // Write, Read
    rlx_json_end(result, '}');
  }
  rlx_json_end(result, ']');
  rlx_vec_free(&spans);
  return RLX_RPC_OK;
}

static bool can_rename(const RlxSymbol *symbol) {
  return symbol->def_stmt &&
         (symbol->kind == RLX_SYMBOL_VAR || symbol->kind == RLX_SYMBOL_SYMVAR ||
          symbol->kind == RLX_SYMBOL_FUNCTION || symbol->kind == RLX_SYMBOL_LOCAL);
}

RlxRpcCode rlx_lsp_prepare_rename(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  if (!at.found || !can_rename(&at.symbol)) return RLX_RPC_OK; // null: not here
  rlx_write_range(server, at.file->file, at.symbol.span, result);
  return RLX_RPC_OK;
}

/// A Python name that is no keyword.
static bool is_name(const char *text) {
  static const char *const keywords[] = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  if (!*text || (*text >= '0' && *text <= '9')) return false;
  for (const char *p = text; *p; p++) {
    bool ok = *p == '_' || (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
              (*p >= 'A' && *p <= 'Z') || (*p & 0x80);
    if (!ok) return false;
  }
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    if (!strcmp(text, keywords[i])) return false;
  }
  return true;
}

RlxRpcCode rlx_lsp_rename(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  const char *name = rlx_json_string(params, "newName");
  if (!at.found || !can_rename(&at.symbol)) {
    server->error = "only variables, symbolic variables and functions of the script can be renamed";
    return RLX_RPC_REQUEST_FAILED;
  }
  if (!name || !is_name(name)) {
    server->error = "the new name is not a Python name";
    return RLX_RPC_REQUEST_FAILED;
  }
  RlxSpans spans = {0};
  rlx_file_symbol_references(at.file->file, &at.symbol, &spans);
  rlx_begin_changes(at.file, result);
  for (uint32_t i = 0; i < spans.count; i++)
    rlx_write_text_edit(server, at.file->file, spans.at[i], name, strlen(name), result);
  rlx_end_changes(result);
  rlx_vec_free(&spans);
  return RLX_RPC_OK;
}

/// All places of a symbolic variable are edited as one.
RlxRpcCode rlx_lsp_linked_editing(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK || !at.found || at.symbol.kind != RLX_SYMBOL_SYMVAR) return code;
  RlxSpans spans = {0};
  rlx_file_symbol_references(at.file->file, &at.symbol, &spans);
  if (spans.count > 1) {
    rlx_json_begin(result, '{');
    rlx_json_key(result, "ranges");
    rlx_json_begin(result, '[');
    for (uint32_t i = 0; i < spans.count; i++)
      rlx_write_range(server, at.file->file, spans.at[i], result);
    rlx_json_end(result, ']');
    rlx_json_key(result, "wordPattern");
    rlx_json_text(result, "[A-Za-z_][A-Za-z0-9_]*");
    rlx_json_end(result, '}');
  }
  rlx_vec_free(&spans);
  return RLX_RPC_OK;
}
