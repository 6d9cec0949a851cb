/// Definition, references, highlights: questions about what stands at a place.
#include <stdlib.h>
#include <string.h>

#include "analyzer/ask/flow.h"
#include "analyzer/ask/imported.h"
#include "analyzer/ops/op_table.h"
#include "base/mem.h"
#include "server/methods/methods.h"
#include "server/methods/operator_page.h"
#include "server/methods/project_uses.h"
#include "server/session/jobs.h"

/// The place in another module where what is imported at `offset` is defined; false: there is none.
static bool write_imported(const RlxServer *server, RlxOpenFile *file, uint32_t offset,
                           RlxJson *json) {
  RlxImportTarget target;
  RlxSpan word;
  if (!rlx_file_import_target(file->file, offset, &word, &target)) return false;
  char *uri = rlx_server_uri(server, target.path);
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "uri", uri);
  rlx_json_key(json, "range");
  rlx_write_range(server, target.module, target.span, json);
  rlx_json_end(json, '}');
  server->column->line = NULL; // it is of the module's text
  free(uri);
  return true;
}

/// Whether the place may be one of a name that comes out of an import.
static bool may_be_imported(const RlxPlace *at) {
  return !at->found || !at->symbol.def_stmt || at->symbol.def_stmt->kind == RLX_STMT_IMPORT;
}

static void write_flows(const RlxServer *server, RlxOpenFile *file, const RlxFlows *flows,
                        RlxJson *json) {
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < flows->count; i++)
    rlx_write_location(server, file, flows->at[i].span, json);
  rlx_json_end(json, ']');
}

RlxRpcCode rlx_lsp_definition(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  if (may_be_imported(&at) && write_imported(server, at.file, at.offset, result)) return RLX_RPC_OK;
  if (at.found && at.symbol.kind == RLX_SYMBOL_OP && at.symbol.op &&
      rlx_write_operator(server, at.symbol.op->script, result))
    return RLX_RPC_OK;
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
    rlx_write_location(server, at.file, at.symbol.def_span, result);
  rlx_vec_free(&flows);
  return RLX_RPC_OK;
}

/// Where the name itself is given: of another name for a value that name, of an import the import.
RlxRpcCode rlx_lsp_declaration(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code == RLX_RPC_OK && at.found && at.symbol.def_stmt)
    rlx_write_location(server, at.file, at.symbol.def_span, result);
  return code;
}

/// Where the value of a variable is made, its other names and tuples looked through; of a function,
/// its definition.
RlxRpcCode rlx_lsp_implementation(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  if (may_be_imported(&at) && write_imported(server, at.file, at.offset, result)) return RLX_RPC_OK;
  RlxFlows flows = {0};
  if (at.found && at.symbol.kind == RLX_SYMBOL_VAR)
    rlx_file_producers(at.file->file, at.symbol.var, &flows);
  if (flows.count)
    write_flows(server, at.file, &flows, result);
  else if (at.found && at.symbol.def_stmt)
    rlx_write_location(server, at.file, at.symbol.def_span, result);
  rlx_vec_free(&flows);
  return RLX_RPC_OK;
}

/// Where the symbolic variables of a variable's StructInfo are bound; of a symbolic variable, its
/// own binding; of a function its parameters', also where it is called; of `cls` the module.
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
  bool is_function = at.symbol.kind == RLX_SYMBOL_FUNCTION;
  const RlxStmt *from = is_function ? at.symbol.def_stmt : at.symbol.stmt;
  rlx_json_begin(result, '[');
  RlxSpan module;
  if (at.symbol.kind == RLX_SYMBOL_ALIAS && rlx_file_module_around(at.symbol.stmt, &module))
    rlx_write_location(server, at.file, module, result);
  for (int i = 0; i < count; i++) {
    RlxSpan span;
    if (rlx_file_symvar_definition(at.file->file, from, vars[i], &span))
      rlx_write_location(server, at.file, span, result);
  }
  rlx_json_end(result, ']');
  return RLX_RPC_OK;
}

static void write_uses(RlxServer *server, const RlxProjectName *name, RlxJson *json) {
  RlxProjectUses all = {0};
  RlxBuf why = {0};
  (void)rlx_project_uses(server, name, NULL, &all, &why);
  for (uint32_t i = 0; i < all.count; i++)
    for (uint32_t k = 0; k < all.at[i].at.count; k++) {
      rlx_json_begin(json, '{');
      rlx_json_key_text(json, "uri", all.at[i].uri);
      rlx_json_key(json, "range");
      rlx_json_places(json, all.at[i].at.at[k].start, all.at[i].at.at[k].end);
      rlx_json_end(json, '}');
    }
  rlx_project_uses_free(&all);
  rlx_buf_free(&why);
}

/// References of a name that another module defines: there, and in all that import it.
static void write_imported_uses(RlxServer *server, RlxOpenFile *file, const RlxImportTarget *target,
                                bool with_definition, RlxJson *json) {
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(target->module), &size);
  char *word = rlx_mem_strndup(text + target->span.start, target->span.end - target->span.start);
  char *uri = rlx_server_uri(server, target->path);
  RlxProjectName name = {file->project, target->path, target->span, word};
  RlxOpenFile home = {.uri = uri, .file = rlx_file_open(server->analyzer, text, size)};
  RlxSpans spans = {0};
  rlx_file_references(home.file, target->span.start, &spans);
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < spans.count; i++)
    if (with_definition || spans.at[i].start != target->span.start)
      rlx_write_location(server, &home, spans.at[i], json);
  write_uses(server, &name, json);
  rlx_json_end(json, ']');
  server->column->line = NULL; // it may be of the module's text
  rlx_file_close(home.file);
  rlx_vec_free(&spans);
  free(word);
  free(uri);
}

RlxRpcCode rlx_lsp_references(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  bool with_definition =
      cJSON_IsTrue(rlx_json_get(rlx_json_get(params, "context"), "includeDeclaration"));
  RlxImportTarget target;
  RlxSpan word;
  RlxProjectName name;
  const bool is_imported = may_be_imported(&at) &&
                           rlx_file_import_target(at.file->file, at.offset, &word, &target) &&
                           target.stmt && at.file->project->root;
  const bool is_known_elsewhere =
      !is_imported && at.found && rlx_project_name(server, at.file, &at.symbol, &name);
  if ((is_imported || is_known_elsewhere) && !server->is_beside)
    return rlx_server_handle_beside(server, at.file, "finding references", rlx_lsp_references,
                                    params);
  if (is_imported) {
    write_imported_uses(server, at.file, &target, with_definition, result);
    return RLX_RPC_OK;
  }
  RlxSpans spans = {0};
  rlx_file_symbol_references(at.file->file, &at.symbol, &spans);
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < spans.count; i++) {
    bool is_definition =
        at.found && at.symbol.def_stmt && spans.at[i].start == at.symbol.def_span.start;
    if (with_definition || !is_definition) rlx_write_location(server, at.file, spans.at[i], result);
  }
  if (is_known_elsewhere) write_uses(server, &name, result);
  rlx_json_end(result, ']');
  rlx_vec_free(&spans);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_document_highlight(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxPlace at;
  RlxRpcCode code = rlx_server_place(server, params, &at);
  if (code != RLX_RPC_OK) return code;
  RlxOccurrences all = {0};
  rlx_file_occurrences(at.file->file, &at.symbol, &all);
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < all.count; i++) {
    rlx_json_begin(result, '{');
    rlx_json_key(result, "range");
    rlx_write_range(server, at.file->file, all.at[i].span, result);
    rlx_json_key(result, "kind"); // Text, Write, Read
    rlx_json_int(result, all.at[i].is_text ? 1 : all.at[i].is_write ? 3 : 2);
    rlx_json_end(result, '}');
  }
  rlx_json_end(result, ']');
  rlx_vec_free(&all);
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
    rlx_json_key_text(result, "wordPattern", "[A-Za-z_][A-Za-z0-9_]*");
    rlx_json_end(result, '}');
  }
  rlx_vec_free(&spans);
  return RLX_RPC_OK;
}
