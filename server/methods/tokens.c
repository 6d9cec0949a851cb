/// Semantic tokens of islands: what a name is, from the syntax alone. Python around the islands is
/// left to the editor.
#include "server/methods/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/methods/methods.h"

typedef enum TokenType {
  TOKEN_NAMESPACE,
  TOKEN_TYPE,
  TOKEN_FUNCTION,
  TOKEN_PARAMETER,
  TOKEN_VARIABLE,
  TOKEN_PROPERTY,
  TOKEN_DECORATOR,
  TOKEN_CLASS,
  TOKEN_NONE
} TokenType;
static const char *const type_names[] = {"namespace", "type",     "function",  "parameter",
                                         "variable",  "property", "decorator", "class"};
enum { NUMBERS = 5 }; ///< of a token in the answer
enum { MOD_DECLARATION = 1, MOD_READONLY = 2, MOD_LIBRARY = 4 };
static const char *const mod_names[] = {"declaration", "readonly", "defaultLibrary"};

void rlx_write_token_legend(RlxJson *json) {
  static const char provided[] = "\"full\":{\"delta\":true},\"range\":true";
  rlx_json_begin(json, '{');
  rlx_json_key(json, "legend");
  rlx_json_begin(json, '{');
  rlx_json_key(json, "tokenTypes");
  rlx_json_begin(json, '[');
  for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++)
    rlx_json_text(json, type_names[i]);
  rlx_json_end(json, ']');
  rlx_json_key(json, "tokenModifiers");
  rlx_json_begin(json, '[');
  for (size_t i = 0; i < sizeof mod_names / sizeof *mod_names; i++)
    rlx_json_text(json, mod_names[i]);
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_json_raw(json, provided, sizeof provided - 1);
  rlx_json_end(json, '}');
}

typedef struct Token {
  RlxSpan span;
  uint8_t type, mods;
} Token;
typedef Vec(Token) Tokens;

typedef struct Walk {
  RlxServer *server;
  RlxStore *store;
  const RlxStmt *stmt; ///< spans are relative to it
  RlxSpan window;      ///< absolute: what is asked for
  Tokens tokens;
  Vec(RlxName) params; ///< of the functions around
  int depth;
} Walk;

static void emit(Walk *w, RlxSpan relative, TokenType type, int mods) {
  RlxSpan span = rlx_stmt_absolute(w->stmt, relative);
  if (span.end <= span.start || span.end <= w->window.start || span.start >= w->window.end) return;
  rlx_vec_push(&w->tokens, (Token){span, (uint8_t)type, (uint8_t)mods});
}

static bool is_namespace(const char *text) {
  return !strcmp(text, "R") || !strcmp(text, "T") || !strcmp(text, "I") || !strcmp(text, "relax") ||
         !strcmp(text, "tir") || !strcmp(text, "tvm");
}

/// Does the attribute chain start at a script namespace?
static bool rooted(const Walk *w, const RlxAst *ast) {
  while (ast->kind == RLX_AST_ATTRIBUTE) ast = ast->children[0];
  return ast->kind == RLX_AST_NAME && is_namespace(rlx_store_text(w->store, ast->name));
}

static void walk_ast(Walk *w, const RlxAst *ast, bool is_target, bool is_callee);

static void walk_attribute(Walk *w, const RlxAst *ast, bool is_callee) {
  walk_ast(w, ast->children[0], false, false);
  const char *text = rlx_store_text(w->store, ast->name);
  bool library = rooted(w, ast);
  bool is_type = library && *text >= 'A' && *text <= 'Z';
  bool inner = library && !is_callee &&
               (!strcmp(text, "nn") || !strcmp(text, "image") || !strcmp(text, "script") ||
                !strcmp(text, "axis"));
  emit(w, ast->name_span,
       inner                  ? TOKEN_NAMESPACE
       : is_type              ? TOKEN_TYPE
       : is_callee || library ? TOKEN_FUNCTION
                              : TOKEN_PROPERTY,
       library ? MOD_LIBRARY : 0);
}

static void walk_name(Walk *w, const RlxAst *ast, bool is_target, bool is_callee) {
  const char *text = rlx_store_text(w->store, ast->name);
  TokenType type = TOKEN_VARIABLE;
  if (is_namespace(text))
    type = TOKEN_NAMESPACE;
  else if (is_callee)
    type = TOKEN_FUNCTION;
  for (uint32_t i = 0; type == TOKEN_VARIABLE && i < w->params.count; i++) {
    if (w->params.at[i] == ast->name) type = TOKEN_PARAMETER;
  }
  emit(w, ast->span, type, is_target ? MOD_DECLARATION : 0);
}

static void walk_ast(Walk *w, const RlxAst *ast, bool is_target, bool is_callee) {
  if (!ast || w->depth > 300) return;
  w->depth++;
  if (ast->kind == RLX_AST_NAME) {
    walk_name(w, ast, is_target, is_callee);
  } else if (ast->kind == RLX_AST_ATTRIBUTE) {
    walk_attribute(w, ast, is_callee);
  } else if (ast->kind == RLX_AST_KEYWORD) {
    emit(w, ast->name_span, TOKEN_PARAMETER, 0);
    walk_ast(w, ast->children[0], false, false);
  } else {
    bool spreads = is_target && (ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST);
    for (uint32_t i = 0; i < ast->child_count; i++)
      walk_ast(w, ast->children[i], spreads, ast->kind == RLX_AST_CALL && i == 0);
  }
  w->depth--;
}

static void walk_block(Walk *w, const RlxBlock *block);

static void walk_stmt(Walk *w, const RlxStmt *stmt) {
  if (stmt->start >= w->window.end || stmt->start + stmt->size <= w->window.start || w->depth > 300)
    return;
  w->stmt = stmt;
  uint32_t params = w->params.count;
  for (uint32_t i = 0; i < stmt->decorator_count; i++)
    walk_ast(w, stmt->decorators[i], false, stmt->decorators[i]->kind != RLX_AST_CALL);
  if (stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS)
    emit(w, stmt->name_span, stmt->kind == RLX_STMT_DEF ? TOKEN_FUNCTION : TOKEN_CLASS,
         MOD_DECLARATION);
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    emit(w, stmt->params[i].name_span, TOKEN_PARAMETER, MOD_DECLARATION);
    walk_ast(w, stmt->params[i].annotation, false, false);
    walk_ast(w, stmt->params[i].default_value, false, false);
    rlx_vec_push(&w->params, stmt->params[i].name);
  }
  bool binds = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED ||
               stmt->kind == RLX_STMT_FOR;
  for (uint32_t i = 0; i < stmt->target_count; i++) walk_ast(w, stmt->targets[i], binds, false);
  walk_ast(w, stmt->annotation, false, false);
  walk_ast(w, stmt->value, false, false);
  walk_ast(w, stmt->message, false, false);
  for (uint32_t i = 0; i < stmt->item_count; i++) {
    walk_ast(w, stmt->items[i].value, false, false);
    walk_ast(w, stmt->items[i].target, true, false);
  }
  w->depth++;
  walk_block(w, stmt->body);
  walk_block(w, stmt->orelse);
  w->depth--;
  w->params.count = params;
}

static void walk_block(Walk *w, const RlxBlock *block) {
  if (!block) return;
  for (uint32_t i = 0; i < block->count; i++) walk_stmt(w, block->stmts[i]);
}

static int by_place(const void *a, const void *b) {
  const Token *x = a, *y = b;
  return x->span.start < y->span.start ? -1 : x->span.start > y->span.start;
}

/// Appends the tokens of the window as the protocol encodes them, five numbers each.
static void collect(RlxServer *server, RlxOpenFile *file, RlxSpan window, RlxTokenData *out) {
  Walk w = {.server = server, .store = rlx_analyzer_store(server->analyzer), .window = window};
  RlxFunctionViews views = {0};
  rlx_file_functions(file->file, &views);
  uint32_t covered = 0; // a function inside a module's class is walked once
  for (uint32_t i = 0; i < views.count; i++) {
    const RlxStmt *top = views.at[i].module_stmt ? views.at[i].module_stmt : views.at[i].stmt;
    if (!top || (covered && top->start < covered)) continue;
    walk_stmt(&w, top);
    covered = top->start + top->size;
  }
  rlx_vec_free(&views);
  if (w.tokens.count) qsort(w.tokens.at, w.tokens.count, sizeof *w.tokens.at, by_place);
  RlxPosition last = {0, 0};
  uint32_t end = 0;
  for (uint32_t i = 0; i < w.tokens.count; i++) {
    const Token *t = &w.tokens.at[i];
    if (i && t->span.start < end) continue;
    end = t->span.end;
    RlxPosition from = rlx_position_of(server, file->file, t->span.start),
                to = rlx_position_of(server, file->file, t->span.end);
    if (to.line != from.line) continue;
    const uint32_t five[NUMBERS] = {from.line - last.line,
                                    from.line == last.line ? from.character - last.character
                                                           : from.character,
                                    to.character - from.character, t->type, t->mods};
    for (int k = 0; k < NUMBERS; k++) rlx_vec_push(out, five[k]);
    last = from;
  }
  rlx_vec_free(&w.tokens);
  rlx_vec_free(&w.params);
}

static void write_numbers(const uint32_t *numbers, uint32_t count, RlxJson *json) {
  rlx_json_key(json, "data");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < count; i++) rlx_json_int(json, numbers[i]);
  rlx_json_end(json, ']');
}

/// Makes `fresh` what the next delta is against, and writes its id.
static void remember(RlxServer *server, RlxOpenFile *file, RlxTokenData *fresh, RlxJson *json) {
  char id[16];
  rlx_vec_free(&file->tokens);
  file->tokens = *fresh;
  file->tokens_id = ++server->token_ids;
  snprintf(id, sizeof id, "%u", file->tokens_id);
  rlx_json_key(json, "resultId");
  rlx_json_text(json, id);
}

/// What turns `old` into `fresh`: one edit, of whole tokens, or none.
static void write_edits(const RlxTokenData *old, const RlxTokenData *fresh, RlxJson *json) {
  uint32_t least = old->count < fresh->count ? old->count : fresh->count, start = 0, tail = 0;
  while (start < least && old->at[start] == fresh->at[start]) start++;
  start -= start % NUMBERS;
  while (tail < least - start &&
         old->at[old->count - tail - 1] == fresh->at[fresh->count - tail - 1])
    tail++;
  tail -= tail % NUMBERS;
  rlx_json_key(json, "edits");
  rlx_json_begin(json, '[');
  if (old->count != fresh->count || start < least) {
    rlx_json_begin(json, '{');
    rlx_json_key(json, "start");
    rlx_json_int(json, start);
    rlx_json_key(json, "deleteCount");
    rlx_json_int(json, old->count - tail - start);
    write_numbers(fresh->count ? fresh->at + start : NULL, fresh->count - tail - start, json);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
}

RlxRpcCode rlx_lsp_semantic_full(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  RlxTokenData data = {0};
  collect(server, file, rlx_span(0, UINT32_MAX), &data);
  rlx_json_begin(result, '{');
  write_numbers(data.at, data.count, result);
  remember(server, file, &data, result);
  rlx_json_end(result, '}');
  return RLX_RPC_OK;
}

/// Against the tokens that were answered last; all of them when the client has others.
RlxRpcCode rlx_lsp_semantic_delta(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  const char *previous = rlx_json_string(params, "previousResultId");
  char id[16];
  if (!file || !previous) return RLX_RPC_INVALID_PARAMS;
  snprintf(id, sizeof id, "%u", file->tokens_id);
  if (!file->tokens_id || strcmp(id, previous) != 0)
    return rlx_lsp_semantic_full(server, params, result);
  RlxTokenData data = {0};
  collect(server, file, rlx_span(0, UINT32_MAX), &data);
  rlx_json_begin(result, '{');
  write_edits(&file->tokens, &data, result);
  remember(server, file, &data, result);
  rlx_json_end(result, '}');
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_semantic_range(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  RlxSpan window;
  if (!file || !rlx_range_offsets(server, file->file, rlx_json_get(params, "range"), &window))
    return RLX_RPC_INVALID_PARAMS;
  RlxTokenData data = {0};
  collect(server, file, window, &data);
  rlx_json_begin(result, '{');
  write_numbers(data.at, data.count, result);
  rlx_json_end(result, '}');
  rlx_vec_free(&data);
  return RLX_RPC_OK;
}
