/// The outline of a document: modules, functions, and in them dataflow blocks, bindings, loops,
/// blocks and buffers; as a tree, or as a flat list for clients that do not take trees.
///
/// Always true: a symbol's range lies in its parent's, and its selectionRange in its range; kinds
/// are among the eighteen that every client knows.
#include <string.h>

#include "base/text.h"
#include "server/methods/methods.h"
#include "server/session/notebooks.h"

enum { // LSP's SymbolKind
  KIND_NAMESPACE = 3,
  KIND_CLASS = 5,
  KIND_FIELD = 8,
  KIND_FUNCTION = 12,
  KIND_VARIABLE = 13,
  KIND_CONSTANT = 14,
  KIND_ARRAY = 18,
};

enum { DETAIL_MAX = 96, DEPTH_MAX = 200 };

typedef struct Outline {
  RlxServer *server;
  RlxOpenFile *file;
  const RlxStore *store;
  const RlxDocument *doc;
  const char *text;
  const RlxIslands *islands;
  const RlxFunctionViews *views;
  uint32_t next_view; ///< in source order, as the islands are
  bool is_flat;
  const char *container;   ///< flat: name of the symbol around, or NULL
  const RlxSInfo *printed; ///< StructInfo of the last binding: neighbours have often the same one
  RlxBuf printed_text;     ///< it, as JSON
  uint32_t line;           ///< where the symbol before begins
  RlxJson *json;
} Outline;

typedef struct Symbol {
  const char *name, *detail; ///< detail: NULL or text
  int kind;
  RlxSpan range, selection;
  const RlxBuf *quoted; ///< the detail as JSON; or NULL
} Symbol;

// ---- one symbol

/// Begins a symbol. Its children come behind it, then end_symbol. What to hand to end_symbol.
static const char *begin_symbol(Outline *o, const Symbol *symbol) {
  const char *name = symbol->name && *symbol->name ? symbol->name : "?", *around = o->container;
  rlx_json_begin(o->json, '{');
  rlx_json_literal_key(o->json, "\"name\":");
  rlx_json_text(o->json, name);
  rlx_json_literal_key(o->json, "\"kind\":");
  rlx_json_int(o->json, symbol->kind);
  if (o->is_flat) {
    if (around) rlx_json_key_text(o->json, "containerName", around);
    rlx_json_key(o->json, "location");
    rlx_write_location(o->server, o->file, symbol->range, o->json);
    rlx_json_end(o->json, '}');
    o->container = name;
    return around;
  }
  if (symbol->quoted) {
    rlx_json_literal_key(o->json, "\"detail\":");
    rlx_json_raw(o->json, rlx_buf_text(symbol->quoted), symbol->quoted->size);
  } else if (symbol->detail && *symbol->detail)
    rlx_json_key_text(o->json, "detail", symbol->detail);
  rlx_write_symbol_ranges(o->server, o->file->file, symbol->range, symbol->selection, &o->line,
                          o->json);
  return around;
}

static void begin_children(Outline *o) {
  if (o->is_flat) return;
  rlx_json_key(o->json, "children");
  rlx_json_begin(o->json, '[');
}

static void end_children(Outline *o) {
  if (!o->is_flat) rlx_json_end(o->json, ']');
}

static void end_symbol(Outline *o, const char *around) {
  if (!o->is_flat) rlx_json_end(o->json, '}');
  o->container = around;
}

/// A symbol without children.
static void write_leaf(Outline *o, const Symbol *symbol) { end_symbol(o, begin_symbol(o, symbol)); }

static RlxSpan whole(const RlxStmt *stmt) {
  return rlx_span(stmt->start, stmt->start + stmt->size);
}

/// The source of an expression on one line, cut when it is long.
static void put_source(const Outline *o, const RlxStmt *stmt, const RlxAst *ast, RlxBuf *out) {
  RlxSpan span = rlx_stmt_absolute(stmt, ast->span);
  bool was_blank = false;
  for (uint32_t i = span.start; i < span.end; i++) {
    char c = o->text[i];
    bool is_blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (out->size > DETAIL_MAX && !rlx_utf8_is_continuation(c)) {
      rlx_buf_puts(out, "…");
      return;
    }
    if (!is_blank)
      rlx_buf_putc(out, c);
    else if (!was_blank)
      rlx_buf_putc(out, ' ');
    was_blank = is_blank;
  }
}

// ---- statements

static void write_suite(Outline *o, const RlxBlock *block, bool is_tir, int depth);

/// A symbol with what stands in its suite.
static void write_nested(Outline *o, const Symbol *symbol, const RlxBlock *body, bool is_tir,
                         int depth) {
  const char *around = begin_symbol(o, symbol);
  begin_children(o);
  write_suite(o, body, is_tir, depth);
  end_children(o);
  end_symbol(o, around);
}

/// The last name of what is called ("match_buffer" of `T.match_buffer(…)`), "" when it is no call.
static const char *callee(const Outline *o, const RlxAst *value) {
  if (!value || value->kind != RLX_AST_CALL || !value->child_count) return "";
  const RlxAst *function = value->children[0];
  bool is_named = function->kind == RLX_AST_ATTRIBUTE || function->kind == RLX_AST_NAME;
  return is_named ? rlx_store_text(o->store, function->name) : "";
}

static int kind_in_tir(const Outline *o, const RlxStmt *stmt) {
  const char *name = callee(o, stmt->value);
  if (rlx_text_ends_in(name, "buffer") || rlx_text_ends_in(name, "decl_buffer") ||
      !strcmp(name, "Buffer"))
    return KIND_FIELD;
  const RlxAst *function =
      stmt->value && stmt->value->kind == RLX_AST_CALL ? stmt->value->children[0] : NULL;
  const RlxAst *owner =
      function && function->kind == RLX_AST_ATTRIBUTE ? function->children[0] : NULL;
  bool is_axis = owner && owner->kind == RLX_AST_ATTRIBUTE &&
                 !strcmp(rlx_store_text(o->store, owner->name), "axis");
  bool is_symbol =
      stmt->value && stmt->value->kind == RLX_AST_CALL && stmt->value->child_count == 1;
  return is_axis || is_symbol ? KIND_CONSTANT : KIND_VARIABLE;
}

/// What a name of a Relax function has, printed, as JSON; NULL when nothing is known.
static const RlxBuf *struct_info_text(Outline *o, const RlxStmt *stmt, RlxName name) {
  RlxBinding *const *bindings;
  uint32_t count = 0;
  rlx_file_stmt_bindings(o->file->file, stmt, &bindings, &count);
  const RlxSInfo *sinfo = NULL;
  for (uint32_t i = count; i-- > 0 && !sinfo;)
    if (bindings[i]->var && bindings[i]->var->name == name) sinfo = bindings[i]->var->sinfo;
  if (!sinfo) return NULL;
  if (sinfo != o->printed) {
    RlxBuf text = {0};
    rlx_buf_clear(&o->printed_text);
    rlx_sinfo_tell(o->store, sinfo, &text);
    rlx_json_textn(&(RlxJson){.out = &o->printed_text}, rlx_buf_text(&text), text.size);
    rlx_buf_free(&text);
    o->printed = sinfo;
  }
  return &o->printed_text;
}

/// A name that a statement binds, with the StructInfo that it has, or what it is made of: `source`.
static void write_name(Outline *o, const RlxStmt *stmt, const RlxAst *target, const RlxAst *source,
                       bool is_tir) {
  if (target->kind == RLX_AST_STARRED && target->child_count) target = target->children[0];
  bool is_list = target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST;
  const bool is_parallel = is_list && source && source->kind == RLX_AST_TUPLE &&
                           source->child_count == target->child_count; // n, m = a, b
  for (uint32_t i = 0; is_list && i < target->child_count; i++)
    write_name(o, stmt, target->children[i], is_parallel ? source->children[i] : source, is_tir);
  if (target->kind != RLX_AST_NAME) return;
  const RlxBuf *detail = is_tir ? NULL : struct_info_text(o, stmt, target->name);
  bool is_symbol = !is_tir && !detail && stmt->value && source->kind == RLX_AST_CALL &&
                   source->child_count == 1; // n = T.int64()
  int kind = is_tir ? kind_in_tir(o, stmt) : is_symbol ? KIND_CONSTANT : KIND_VARIABLE;
  RlxBuf text = {0};
  if (!detail && source) put_source(o, stmt, source, &text);
  write_leaf(o, &(Symbol){rlx_store_text(o->store, target->name), rlx_buf_text(&text), kind,
                          whole(stmt), rlx_stmt_absolute(stmt, target->span), detail});
  rlx_buf_free(&text);
}

/// `with R.dataflow():` and `with T.block("name"):`; other suites count as those around.
static void write_with(Outline *o, const RlxStmt *stmt, bool is_tir, int depth) {
  const RlxAst *value = stmt->item_count ? stmt->items[0].value : NULL;
  const char *what = callee(o, value);
  bool is_dataflow = !is_tir && !strcmp(what, "dataflow"),
       is_block = is_tir && rlx_text_ends_in(what, "block");
  if (!is_dataflow && !is_block) {
    write_suite(o, stmt->body, is_tir, depth);
    return;
  }
  RlxBuf name = {0};
  const RlxAst *label = is_block && value->child_count > 1 ? value->children[1] : NULL;
  if (label && label->kind == RLX_AST_STRING)
    rlx_buf_putn(&name, label->text, label->text_size);
  else if (!is_dataflow && label)
    put_source(o, stmt, label, &name);
  if (!name.size) rlx_buf_puts(&name, is_dataflow ? "dataflow" : "root");
  Symbol symbol = {rlx_buf_text(&name),
                   what,
                   KIND_NAMESPACE,
                   whole(stmt),
                   rlx_stmt_absolute(stmt, (label ? label : value)->span),
                   NULL};
  write_nested(o, &symbol, stmt->body, is_tir, depth);
  rlx_buf_free(&name);
}

static void write_loop(Outline *o, const RlxStmt *stmt, bool is_tir, int depth) {
  RlxBuf name = {0}, detail = {0};
  const RlxAst *target = stmt->target_count ? stmt->targets[0] : NULL;
  if (target) put_source(o, stmt, target, &name);
  if (stmt->value) put_source(o, stmt, stmt->value, &detail);
  RlxSpan selection =
      target ? rlx_stmt_absolute(stmt, target->span) : rlx_span(stmt->start, stmt->start);
  Symbol symbol = {
      rlx_buf_text(&name), rlx_buf_text(&detail), KIND_ARRAY, whole(stmt), selection, NULL};
  write_nested(o, &symbol, stmt->body, is_tir, depth);
  rlx_buf_free(&name);
  rlx_buf_free(&detail);
}

/// A function inside a function.
static void write_local(Outline *o, const RlxStmt *stmt, bool is_tir, int depth) {
  Symbol symbol = {rlx_store_text(o->store, stmt->name),     NULL, KIND_FUNCTION, whole(stmt),
                   rlx_stmt_absolute(stmt, stmt->name_span), NULL};
  write_nested(o, &symbol, stmt->body, is_tir, depth);
}

static void write_stmt(Outline *o, const RlxStmt *stmt, bool is_tir, int depth) {
  switch (stmt->kind) {
  case RLX_STMT_ASSIGN:
  case RLX_STMT_ANNOTATED:
    for (uint32_t i = 0; i < stmt->target_count; i++)
      write_name(o, stmt, stmt->targets[i], stmt->value ? stmt->value : stmt->annotation, is_tir);
    return;
  case RLX_STMT_WITH: write_with(o, stmt, is_tir, depth); return;
  case RLX_STMT_FOR: write_loop(o, stmt, is_tir, depth); return;
  case RLX_STMT_DEF: write_local(o, stmt, is_tir, depth); return;
  default: break;
  }
  write_suite(o, stmt->body, is_tir, depth);
  write_suite(o, stmt->orelse, is_tir, depth);
  for (uint32_t i = 0; i < stmt->block_count; i++) write_suite(o, stmt->blocks[i], is_tir, depth);
}

/// Statements and what they bind lie anywhere in memory: what the next ones need is fetched, one step
/// of the way to a StructInfo at a time.
static void fetch_ahead(const Outline *o, const RlxBlock *block, uint32_t i) {
  enum { STMT = 14, UNIT = 11, LIST = 8, BINDING = 5, VAR = 2, LINE = 64 };
  RlxBinding *const *bindings;
  uint32_t count;
  if (i + STMT >= block->count) return;
  for (size_t k = 0; k < sizeof(RlxStmt); k += LINE)
    __builtin_prefetch((const char *)block->stmts[i + STMT] + k);
  const char *unit = (const char *)block->stmts[i + UNIT]->analysis;
  for (size_t k = 0; unit && k < 3 * LINE; k += LINE) __builtin_prefetch(unit + k);
  rlx_file_stmt_bindings(o->file->file, block->stmts[i + LIST], &bindings, &count);
  if (count) __builtin_prefetch(bindings);
  rlx_file_stmt_bindings(o->file->file, block->stmts[i + BINDING], &bindings, &count);
  if (count) __builtin_prefetch(bindings[count - 1]);
  rlx_file_stmt_bindings(o->file->file, block->stmts[i + VAR], &bindings, &count);
  if (count) __builtin_prefetch(bindings[count - 1]->var);
}

static void write_suite(Outline *o, const RlxBlock *block, bool is_tir, int depth) {
  for (uint32_t i = 0; block && i < block->count && depth < DEPTH_MAX; i++) {
    fetch_ahead(o, block, i);
    write_stmt(o, block->stmts[i], is_tir, depth + 1);
  }
}

// ---- islands

static const RlxFunctionView *view_of(Outline *o, const RlxStmt *stmt) {
  while (o->next_view < o->views->count && o->views->at[o->next_view].stmt->start < stmt->start)
    o->next_view++;
  const RlxFunctionView *view = o->next_view < o->views->count ? &o->views->at[o->next_view] : NULL;
  return view && view->stmt == stmt ? view : NULL;
}

/// `R.function (x: R.Tensor(…)) -> R.Tensor(…)`
static void put_signature(Outline *o, const RlxIsland *island, RlxBuf *out) {
  static const char *const kinds[] = {[RLX_ISLAND_RELAX] = "R.function",
                                      [RLX_ISLAND_PRIM_FUNC] = "T.prim_func",
                                      [RLX_ISLAND_MACRO] = "macro",
                                      [RLX_ISLAND_PYFUNC] = "I.pyfunc",
                                      [RLX_ISLAND_JIT] = "T.jit"};
  rlx_buf_puts(out, kinds[island->kind]);
  const RlxFunctionView *view = view_of(o, island->stmt);
  const RlxFunction *fn = view ? view->function : NULL;
  if (!fn) return;
  rlx_buf_puts(out, " (");
  for (uint32_t i = 0; i < fn->param_count; i++) {
    rlx_buf_printf(out, "%s%s", i ? ", " : "", rlx_store_text(o->store, fn->params[i]->name));
    if (!fn->params[i]->sinfo) continue;
    rlx_buf_puts(out, ": ");
    rlx_sinfo_tell(o->store, fn->params[i]->sinfo, out);
  }
  rlx_buf_putc(out, ')');
  if (!fn->ret) return;
  rlx_buf_puts(out, " -> ");
  rlx_sinfo_tell(o->store, fn->ret, out);
}

/// Writes the island at `at` and what stands in it; the place of the next one behind.
static uint32_t write_island(Outline *o, uint32_t at, int depth) {
  const RlxIsland *island = &o->islands->at[at++];
  const RlxStmt *stmt = island->stmt;
  RlxBuf detail = {0};
  if (island->is_module)
    rlx_buf_puts(&detail, "I.ir_module");
  else
    put_signature(o, island, &detail);
  Symbol symbol = {rlx_store_text(o->store, stmt->name),           rlx_buf_text(&detail),
                   island->is_module ? KIND_CLASS : KIND_FUNCTION, whole(stmt),
                   rlx_stmt_absolute(stmt, stmt->name_span),       NULL};
  const char *around = begin_symbol(o, &symbol);
  begin_children(o);
  uint32_t end = stmt->start + stmt->size;
  if (!island->is_module) write_suite(o, stmt->body, island->kind != RLX_ISLAND_RELAX, 0);
  while (at < o->islands->count && o->islands->at[at].stmt->start < end)
    if (island->is_module && depth < DEPTH_MAX)
      at = write_island(o, at, depth + 1);
    else
      at++; // its statement was written
  end_children(o);
  end_symbol(o, around);
  rlx_buf_free(&detail);
  return at;
}

RlxRpcCode rlx_lsp_document_symbol(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  RlxFunctionViews views = {0};
  RlxIslands islands = {0};
  rlx_file_functions(file->file, &views);
  const RlxDocument *doc = rlx_file_document(file->file);
  rlx_islands(doc, &islands);
  Outline o = {.server = server,
               .file = file,
               .store = rlx_analyzer_store(server->analyzer),
               .doc = doc,
               .islands = &islands,
               .views = &views,
               .is_flat = !server->can_symbol_trees,
               .json = result};
  uint32_t size;
  o.text = rlx_document_text(doc, &size);
  rlx_json_begin(result, '[');
  const RlxSpan asked = rlx_cell_asked(server, file->file);
  for (uint32_t i = 0; i < islands.count;) {
    const RlxStmt *stmt = islands.at[i].stmt;
    const bool is_apart = stmt->start >= asked.end || stmt->start + stmt->size <= asked.start;
    i = is_apart ? i + 1 : write_island(&o, i, 0);
  }
  rlx_json_end(result, ']');
  rlx_buf_free(&o.printed_text);
  rlx_vec_free(&islands);
  rlx_vec_free(&views);
  return RLX_RPC_OK;
}
