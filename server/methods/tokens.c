/// Semantic tokens of islands: what a name is, from the syntax alone. Python around the islands is
/// left to the editor.
#include "server/methods/tokens.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/methods/methods.h"
#include "server/session/notebooks.h"

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
  RlxMap params; ///< name → how many of the functions around have a parameter of that name
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
  if (type == TOKEN_VARIABLE && rlx_map_get(&w->params, ast->name, NULL)) type = TOKEN_PARAMETER;
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

/// One function more, or less, around has a parameter of this name.
static void count_param(Walk *w, RlxName name, int more) {
  uint64_t count = 0;
  rlx_map_get(&w->params, name, &count);
  count += (uint64_t)more;
  if (count)
    rlx_map_put(&w->params, name, count);
  else
    rlx_map_remove(&w->params, name);
}

static void walk_stmt(Walk *w, const RlxStmt *stmt) {
  if (stmt->start >= w->window.end || stmt->start + stmt->size <= w->window.start || w->depth > 300)
    return;
  w->stmt = stmt;
  for (uint32_t i = 0; i < stmt->decorator_count; i++)
    walk_ast(w, stmt->decorators[i], false, stmt->decorators[i]->kind != RLX_AST_CALL);
  if (stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS)
    emit(w, stmt->name_span, stmt->kind == RLX_STMT_DEF ? TOKEN_FUNCTION : TOKEN_CLASS,
         MOD_DECLARATION);
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    emit(w, stmt->params[i].name_span, TOKEN_PARAMETER, MOD_DECLARATION);
    walk_ast(w, stmt->params[i].annotation, false, false);
    walk_ast(w, stmt->params[i].default_value, false, false);
    count_param(w, stmt->params[i].name, 1);
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
  for (uint32_t i = 0; i < stmt->param_count; i++) count_param(w, stmt->params[i].name, -1);
}

/// The first statement that ends behind the window's start.
static uint32_t first_in_window(const Walk *w, const RlxBlock *block) {
  uint32_t low = 0, high = block->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const RlxStmt *stmt = block->stmts[middle];
    if (stmt->start + stmt->size <= w->window.start)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void walk_block(Walk *w, const RlxBlock *block) {
  if (!block) return;
  for (uint32_t i = first_in_window(w, block); i < block->count; i++) {
    if (block->stmts[i]->start >= w->window.end) break;
    walk_stmt(w, block->stmts[i]);
  }
}

static int by_place(const void *a, const void *b) {
  const Token *x = a, *y = b;
  return x->span.start < y->span.start ? -1 : x->span.start > y->span.start;
}

enum {
  MOST_LINES = (1 << 24) - 1,
  MOST_START = (1 << 20) - 1,
  MOST_LENGTH = (1 << 12) - 1,
  MOST_KIND = (1 << 4) - 1
};
static_assert((int)TOKEN_NONE <= (int)MOST_KIND, "a type has four bits");

/// Appends what the tokens are for the client.
static void encode(RlxServer *server, RlxOpenFile *file, Tokens *tokens, RlxTokenData *out) {
  if (tokens->count) qsort(tokens->at, tokens->count, sizeof *tokens->at, by_place);
  const RlxLines *lines = rlx_document_lines(rlx_file_document(file->file));
  RlxPosition last = {0, 0};
  uint32_t end = 0, line_end = 0, line = 0, from_line = 0; // of the token's line
  rlx_vec_reserve(out, out->count + tokens->count);
  for (uint32_t i = 0; i < tokens->count; i++) {
    const Token *t = &tokens->at[i];
    if (i && t->span.start < end) continue;
    end = t->span.end;
    if (!i || t->span.start >= line_end) {
      line = rlx_lines_locate(lines, t->span.start).line;
      from_line = rlx_lines_start(lines, line);
      line_end = line + 1 < rlx_lines_count(lines) ? rlx_lines_start(lines, line + 1) : UINT32_MAX;
    }
    if (t->span.end > line_end) continue; // on more lines than one
    bool is_bytes = server->encoding == RLX_UTF8;
    RlxPosition from = is_bytes ? (RlxPosition){line, t->span.start - from_line}
                                : rlx_position_of(server, file->file, t->span.start);
    RlxPosition to = is_bytes ? (RlxPosition){line, t->span.end - from_line}
                              : rlx_position_of(server, file->file, t->span.end);
    const uint32_t down = from.line - last.line, length = to.character - from.character,
                   start = down ? from.character : from.character - last.character;
    if (down > MOST_LINES || start > MOST_START || length > MOST_LENGTH) continue;
    rlx_vec_push(out, ((RlxToken){.lines = down & MOST_LINES,
                                  .start = start & MOST_START,
                                  .length = length & MOST_LENGTH,
                                  .type = (uint32_t)t->type & MOST_KIND,
                                  .mods = (uint32_t)t->mods & MOST_KIND}));
    last = from;
  }
}

/// Appends the tokens of the window.
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
  encode(server, file, &w.tokens, out);
  rlx_vec_free(&w.tokens);
  rlx_map_free(&w.params);
}

/// As the protocol encodes them, five numbers each.
static void write_tokens(const RlxTokenData *tokens, RlxJson *json) {
  rlx_json_key(json, "data");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < tokens->count; i++) {
    const RlxToken t = tokens->at[i];
    const uint32_t five[NUMBERS] = {t.lines, t.start, t.length, t.type, t.mods};
    for (uint32_t k = 0; k < NUMBERS; k++) rlx_json_int(json, five[k]);
  }
  rlx_json_end(json, ']');
}

static void write_id(const RlxOpenFile *file, RlxJson *json) {
  char id[16];
  snprintf(id, sizeof id, "%u", file->tokens_id);
  rlx_json_key_text(json, "resultId", id);
}

/// Makes `fresh` what the next delta is against.
static void remember(RlxServer *server, RlxOpenFile *file, RlxTokenData *fresh) {
  rlx_vec_free(&file->tokens);
  file->tokens = *fresh;
  file->tokens_id = ++server->token_ids;
  file->damage = (RlxTokenDamage){.rereads = rlx_file_stats(file->file).reread_statements};
}

/// Tokens [at, end) of those before are replaced by `fresh`.
typedef struct Change {
  uint32_t at, end;
  RlxTokenData fresh;
} Change;

static bool is_same(RlxToken a, RlxToken b) {
  return a.lines == b.lines && a.start == b.start && a.length == b.length && a.type == b.type &&
         a.mods == b.mods;
}

/// Leaves out what is the same at both ends.
static void trim(const RlxTokenData *old, Change *c) {
  uint32_t count = c->end - c->at, least = count < c->fresh.count ? count : c->fresh.count,
           head = 0, tail = 0;
  while (head < least && is_same(old->at[c->at + head], c->fresh.at[head])) head++;
  while (tail < least - head &&
         is_same(old->at[c->end - tail - 1], c->fresh.at[c->fresh.count - tail - 1]))
    tail++;
  c->at += head;
  c->end -= tail;
  c->fresh.count -= tail;
  if (head) rlx_vec_remove_n(&c->fresh, 0, head);
}

/// The tokens of the damaged lines, and the first one behind them, whose distance is another one now.
static Change mend(RlxServer *server, RlxOpenFile *file) {
  const RlxTokenDamage *d = &file->damage;
  const RlxTokenData *old = &file->tokens;
  Change c = {0};
  if (d->is_whole) {
    c.end = old->count;
    collect(server, file, rlx_span(0, UINT32_MAX), &c.fresh);
    return c;
  }
  if (d->from >= d->to) return c;
  const RlxLines *lines = rlx_document_lines(rlx_file_document(file->file));
  uint32_t count = rlx_lines_count(lines), line = 0, line_before = 0;
  RlxSpan window = rlx_span(d->from < count ? rlx_lines_start(lines, d->from) : UINT32_MAX,
                            d->to < count ? rlx_lines_start(lines, d->to) : UINT32_MAX);
  if (window.start < window.end) collect(server, file, window, &c.fresh);
  while (c.at < old->count && line + old->at[c.at].lines < d->from) line += old->at[c.at++].lines;
  line_before = line;
  c.end = c.at;
  while (c.end < old->count && (int64_t)line + old->at[c.end].lines < (int64_t)d->to - d->lines)
    line += old->at[c.end++].lines;
  uint32_t last = line_before; // lines from the first to the last token in the window
  for (uint32_t i = 0; i < c.fresh.count; i++)
    last = i ? last + c.fresh.at[i].lines : c.fresh.at[i].lines;
  if (c.fresh.count) c.fresh.at[0].lines = (c.fresh.at[0].lines - line_before) & MOST_LINES;
  if (c.end < old->count) {
    RlxToken behind = old->at[c.end++];
    behind.lines = (uint32_t)((int64_t)line + behind.lines + d->lines - last) & MOST_LINES;
    rlx_vec_push(&c.fresh, behind);
  }
  return c;
}

static void write_change(const Change *c, RlxJson *json) {
  rlx_json_key(json, "edits");
  rlx_json_begin(json, '[');
  if (c->at < c->end || c->fresh.count) {
    rlx_json_begin(json, '{');
    rlx_json_key_int(json, "start", (int64_t)c->at * NUMBERS);
    rlx_json_key_int(json, "deleteCount", (int64_t)(c->end - c->at) * NUMBERS);
    write_tokens(&c->fresh, json);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
}

static void apply(RlxServer *server, RlxOpenFile *file, const Change *c) {
  RlxTokenData *old = &file->tokens;
  uint32_t common = c->end - c->at < c->fresh.count ? c->end - c->at : c->fresh.count;
  if (common) memcpy(old->at + c->at, c->fresh.at, common * sizeof *old->at);
  if (c->end - c->at > common) rlx_vec_remove_n(old, c->at + common, c->end - c->at - common);
  if (c->fresh.count > common)
    rlx_vec_insert_n(old, c->at + common, c->fresh.at + common, c->fresh.count - common);
  file->tokens_id = ++server->token_ids;
  file->damage = (RlxTokenDamage){.rereads = rlx_file_stats(file->file).reread_statements};
}

/// The first line behind the statements that were spliced: that of the next statement around them.
static uint32_t line_behind(const RlxBlock *block, uint32_t index) {
  while (index >= block->count) {
    if (!block->parent) return UINT32_MAX;
    index = block->parent->index + 1;
    block = block->parent->block;
  }
  return block->stmts[index]->line;
}

static bool is_in_function(const RlxBlock *block) {
  const RlxStmt *at = block->parent;
  while (at && at->kind != RLX_STMT_DEF) at = at->block->parent;
  return at != NULL;
}

void rlx_tokens_edited(RlxOpenFile *file, RlxSpan span, int64_t more) {
  RlxTokenDamage *d = &file->damage;
  RlxDocument *doc = rlx_file_document(file->file);
  uint32_t count = 0;
  const RlxSplice *splices = rlx_document_splices(doc, &count);
  if (!file->tokens_id || rlx_document_was_linked(doc)) d->is_whole = true;
  if (d->is_whole) return;
  const RlxLines *lines = rlx_document_lines(doc);
  uint32_t from = rlx_lines_locate(lines, span.start).line,
           to = rlx_lines_locate(lines, span.end).line + 1;
  for (uint32_t i = 0; i < count; i++) {
    const RlxSplice *s = &splices[i];
    if (!is_in_function(s->block)) { // it may say what functions are, and which
      d->is_whole = true;
      return;
    }
    uint32_t begin = s->index ? s->block->stmts[s->index - 1]->line : s->block->parent->line,
             end = line_behind(s->block, s->index + s->inserted);
    from = begin < from ? begin : from;
    to = end > to ? end : to;
  }
  d->lines += more;
  if (d->from < d->to) {
    int64_t old_to = (int64_t)to - more; // where the edit ended before
    if (to != UINT32_MAX && d->to != UINT32_MAX && d->to > old_to)
      to = (uint32_t)(d->to + more);
    else if (d->to == UINT32_MAX)
      to = UINT32_MAX;
    from = d->from < from ? d->from : from;
  }
  d->from = from;
  d->to = to;
}

/// The document that is asked about, analysed: what a broken statement means is known then. NULL:
/// there is none, or its text is out of date.
static RlxOpenFile *document(RlxServer *server, const cJSON *params, RlxRpcCode *code) {
  RlxOpenFile *file = rlx_server_file(server, params);
  *code = RLX_RPC_INVALID_PARAMS;
  if (!file) return NULL;
  *code = RLX_RPC_CONTENT_MODIFIED;
  if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport))) return NULL;
  if (file->damage.rereads != rlx_file_stats(file->file).reread_statements)
    file->damage.is_whole = true;
  *code = RLX_RPC_OK;
  return file;
}

/// The tokens of a part, which nobody keeps.
static void write_some(RlxServer *server, RlxOpenFile *file, RlxSpan window, RlxJson *result) {
  RlxTokenData data = {0};
  collect(server, file, window, &data);
  rlx_json_begin(result, '{');
  write_tokens(&data, result);
  rlx_json_end(result, '}');
  rlx_vec_free(&data);
}

RlxRpcCode rlx_lsp_semantic_full(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxRpcCode code;
  RlxOpenFile *file = document(server, params, &code);
  if (!file) return code;
  if (server->cell) {
    write_some(server, file, rlx_cell_asked(server, file->file), result);
    return RLX_RPC_OK;
  }
  if (file->tokens_id && !file->damage.is_whole) {
    Change c = mend(server, file);
    apply(server, file, &c);
    rlx_vec_free(&c.fresh);
  } else {
    RlxTokenData data = {0};
    collect(server, file, rlx_span(0, UINT32_MAX), &data);
    remember(server, file, &data);
  }
  rlx_json_begin(result, '{');
  write_tokens(&file->tokens, result);
  write_id(file, result);
  rlx_json_end(result, '}');
  return RLX_RPC_OK;
}

/// Against the tokens that were answered last; all of them when the client has others.
RlxRpcCode rlx_lsp_semantic_delta(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxRpcCode code;
  RlxOpenFile *file = document(server, params, &code);
  const char *previous = rlx_json_string(params, "previousResultId");
  char id[16];
  if (!file) return code;
  if (!previous) return RLX_RPC_INVALID_PARAMS;
  snprintf(id, sizeof id, "%u", file->tokens_id);
  if (!file->tokens_id || strcmp(id, previous) != 0)
    return rlx_lsp_semantic_full(server, params, result);
  Change c = mend(server, file);
  trim(&file->tokens, &c);
  rlx_json_begin(result, '{');
  write_change(&c, result);
  apply(server, file, &c);
  write_id(file, result);
  rlx_json_end(result, '}');
  rlx_vec_free(&c.fresh);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_semantic_range(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxRpcCode code;
  RlxOpenFile *file = document(server, params, &code);
  RlxSpan window;
  if (!file) return code;
  if (!rlx_range_offsets(server, file->file, rlx_json_get(params, "range"), &window))
    return RLX_RPC_INVALID_PARAMS;
  write_some(server, file, window, result);
  return RLX_RPC_OK;
}
