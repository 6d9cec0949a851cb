/// Inlay hints: names of parameters before positional arguments.
///
/// Always true: a hint is shown where the analysis knows what is called; the edit that writes the
/// name is offered where the script stays valid, that is for the last positional argument of an
/// operator.
#include <string.h>

#include "analyzer/ops/op_table.h"
#include "server/methods/hints.h"

/// Says the argument itself what it is? Then its parameter's name is told only when all are asked
/// for.
static bool says_itself(const RlxAst *ast) {
  return ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_CALL ||
         ast->kind == RLX_AST_SUBSCRIPT;
}

typedef struct Parameter {
  const char *name;
  const RlxStmt *def; ///< of the function of the file that has it; NULL: an operator
  RlxSpan span;       ///< of the name, relative to `def`
} Parameter;

/// Writes "label": of a function's parameter a part that leads there, of an operator's one that leads
/// to the page of operators once it is resolved (operator_page.h).
static void write_label(RlxServer *server, RlxOpenFile *file, const Parameter *p,
                        const RlxBuf *text, RlxJson *json) {
  rlx_json_key(json, "label");
  bool is_on_page = !p->def && server->can_resolve_places && server->has_operator_page;
  if (!p->def && !is_on_page) {
    rlx_json_text(json, rlx_buf_text(text));
    return;
  }
  rlx_json_begin(json, '[');
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "value", rlx_buf_text(text));
  if (p->def) {
    rlx_json_key(json, "location");
    rlx_write_location(server, file, rlx_stmt_absolute(p->def, p->span), json);
  }
  rlx_json_end(json, '}');
  rlx_json_end(json, ']');
}

static void write_name(RlxServer *server, RlxOpenFile *file, uint32_t at, const Parameter *p,
                       bool is_insertable, RlxJson *json) {
  RlxBuf text = {0};
  rlx_buf_printf(&text, "%s:", p->name);
  rlx_json_begin(json, '{');
  rlx_json_key(json, "position");
  rlx_write_position(server, file->file, at, json);
  write_label(server, file, p, &text, json);
  rlx_json_key_int(json, "kind", 2); // Parameter
  rlx_json_key_bool(json, "paddingRight", true);
  if (is_insertable) {
    rlx_buf_clear(&text);
    rlx_buf_printf(&text, "%s=", p->name);
    rlx_json_key(json, "textEdits");
    rlx_json_begin(json, '[');
    rlx_write_text_edit(server, file->file, rlx_span(at, at), rlx_buf_text(&text), text.size, json);
    rlx_json_end(json, ']');
  }
  rlx_write_hint_data(file, json);
  rlx_json_end(json, '}');
  rlx_buf_free(&text);
}

/// Positional parameter `i` of what is called; false: there is none, or it is not known.
static bool param_of(const RlxStore *store, const RlxCall *call, uint32_t i, Parameter *out) {
  *out = (Parameter){0};
  if (call->row) {
    if (i >= (uint32_t)call->row->param_count) return false;
    const RlxOpParam *p = &call->row->params[i];
    out->name = p->name;
    return !p->is_variadic && !p->is_keyword_only;
  }
  const RlxStmt *def =
      call->callee && call->callee->kind == RLX_EXPR_GLOBAL ? call->callee->callee : NULL;
  const RlxParams taken = def ? rlx_taken_params(def) : (RlxParams){0};
  if (i >= taken.count) return false;
  *out = (Parameter){rlx_store_text(store, taken.at[i].name), def, taken.at[i].name_span};
  return true;
}

/// The call's node: the one of its span.
static const RlxAst *node_of(const RlxStmt *stmt, const RlxCall *call) {
  const RlxAst *path[64];
  uint32_t count = 0;
  if (!rlx_document_ast_at(stmt, rlx_stmt_absolute(stmt, call->name_span).start, path, &count, 64))
    return NULL;
  for (uint32_t i = count; i-- > 0;) {
    if (path[i]->kind == RLX_AST_CALL && path[i]->span.start == call->span.start &&
        path[i]->span.end == call->span.end)
      return path[i];
  }
  return NULL;
}

static void hints_of(RlxServer *server, RlxOpenFile *file, const RlxStmt *stmt, const RlxCall *call,
                     const RlxAst *node, RlxJson *json) {
  const RlxStore *store = rlx_analyzer_store(server->analyzer);
  uint32_t positional = 0;
  while (1 + positional < node->child_count &&
         node->children[1 + positional]->kind != RLX_AST_KEYWORD)
    positional++;
  for (uint32_t i = 0; i < positional; i++) {
    const RlxAst *arg = node->children[1 + i];
    Parameter parameter;
    if (!param_of(store, call, i, &parameter) || arg->kind == RLX_AST_STARRED ||
        arg->kind == RLX_AST_DOUBLE_STARRED)
      return;
    if (arg->kind == RLX_AST_HOLE || arg->span.end <= arg->span.start) continue;
    if (file->argument_hints == RLX_ARGUMENT_HINTS_LITERALS && says_itself(arg)) continue;
    if (arg->kind == RLX_AST_NAME && !strcmp(rlx_store_text(store, arg->name), parameter.name))
      continue;
    write_name(server, file, rlx_stmt_absolute(stmt, arg->span).start, &parameter,
               call->row && i + 1 == positional, json);
  }
}

void rlx_server_argument_hints(RlxServer *server, RlxOpenFile *file, const RlxStmt *stmt,
                               RlxJson *json) {
  RlxBinding *const *bindings;
  uint32_t count = 0;
  rlx_file_stmt_bindings(file->file, stmt, &bindings, &count);
  for (uint32_t i = 0; i < count; i++) {
    const RlxExpr *value = bindings[i]->value;
    const RlxAst *node = value && value->kind == RLX_EXPR_CALL ? node_of(stmt, value->call) : NULL;
    if (node) hints_of(server, file, stmt, value->call, node, json);
  }
}
