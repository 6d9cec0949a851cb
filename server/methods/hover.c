/// Hover: what is known about the name under the cursor.
#include <string.h>

#include "analyzer/ask/backward.h"
#include "analyzer/ask/imported.h"
#include "analyzer/ask/place_facts.h"
#include "analyzer/ask/prim_describe.h"
#include "analyzer/ask/shape_function.h"
#include "analyzer/ask/why.h"
#include "analyzer/complete/complete.h"
#include "analyzer/ops/describe.h"
#include "base/text.h"
#include "server/methods/methods.h"
#include "server/session/notebooks.h"
#include "server/words/describe_tir.h"
#include "server/words/vocabulary.h"

/// What holds of the symbolic variable at this place.
static void describe_known(RlxOpenFile *file, const RlxStore *store, const RlxSymbol *symbol,
                           RlxBuf *out) {
  RlxPlaceFacts place;
  RlxArena *arena = rlx_arena_new();
  bool any = false;
  if (rlx_file_place_facts(file->file, symbol->span.start, arena, &place))
    for (const RlxFacts *fact = place.facts; fact; fact = fact->next) {
      const RlxSymVar *vars[16];
      int count = 0;
      bool mentioned = false;
      rlx_prim_vars(fact->condition, vars, &count, 16);
      for (int i = 0; i < count; i++)
        mentioned |= symbol->symvar ? vars[i] == symbol->symvar : vars[i]->name == symbol->name;
      if (!mentioned) continue;
      rlx_buf_puts(out, any ? "\n- `" : "\n\nKnown here:\n- `");
      rlx_prim_tell(store, fact->condition, out);
      rlx_buf_putc(out, '`');
      if (fact->origin) rlx_buf_printf(out, " (%s)", fact->origin);
      any = true;
    }
  rlx_arena_free(arena);
}

static void describe_symvar(RlxServer *server, RlxOpenFile *file, const RlxSymbol *symbol,
                            RlxBuf *out) {
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  char dtype[RLX_DTYPE_TEXT_MAX];
  rlx_buf_printf(out, "```python\n%s: %s\n```\nSymbolic variable%s",
                 rlx_store_text(store, symbol->symvar->name),
                 rlx_dtype_text(symbol->symvar->dtype, dtype),
                 symbol->symvar->is_dimension ? ", a dimension: at least 0" : "");
  RlxSpan span;
  if (rlx_file_symvar_definition(file->file, symbol->stmt, symbol->symvar, &span)) {
    rlx_buf_puts(out, ". Bound on ");
    rlx_put_line_name(server, file->uri, rlx_position_of(server, file->file, span.start).line, out);
    rlx_buf_putc(out, '.');
  }
  describe_known(file, store, symbol, out);
}

static const RlxWhyLimits hover_limits = {
    .levels = 1, .steps = 8}; // what fits on a screen: operands are links to hover on

/// Cuts a text to `most` bytes, at a character's start.
static void shorten(RlxBuf *out, size_t most) {
  if (out->size <= most) return;
  size_t at = most;
  while (at > 0 && rlx_utf8_is_continuation(out->at[at])) at--;
  rlx_buf_truncate(out, at);
  rlx_buf_puts(out, "…");
}

/// " (line 3)", a link where the client shows it as one.
static void put_line(const RlxServer *server, const RlxOpenFile *file, uint32_t offset,
                     RlxBuf *out) {
  const uint32_t line = rlx_position_of(server, file->file, offset).line;
  // A cell's URI has a fragment of its own.
  const bool is_link = server->can_markdown && !server->shows_links_raw && !server->cell;
  rlx_buf_puts(out, is_link ? " ([" : " (");
  rlx_put_line_name(server, file->uri, line, out);
  if (is_link) rlx_buf_printf(out, "](%s#L%u)", file->uri, line + 1);
  rlx_buf_putc(out, ')');
}

/// The derivation as a list whose places are links; the first step is what the hover is about.
static void describe_why(RlxServer *server, RlxOpenFile *file, const RlxWhySteps *steps,
                         RlxBuf *out) {
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  if (steps->count > 1) rlx_buf_puts(out, "\n\nWhy:\n");
  for (uint32_t i = 1; i < steps->count; i++) {
    const RlxWhyStep *step = &steps->at[i];
    RlxBuf text = {0};
    rlx_why_print(store, step, &text);
    rlx_buf_putc(out, '\n');
    rlx_buf_repeat(out, ' ', step->depth ? 2u * (step->depth - 1u) : 0);
    bool is_code = step->sinfo && step->kind != RLX_WHY_ANNOTATION && step->kind != RLX_WHY_CAST;
    if (is_code) shorten(&text, 100);
    rlx_buf_printf(out, is_code ? "- `%s`" : "- %s", rlx_buf_text(&text));
    rlx_buf_free(&text);
    if (!step->has_place) continue;
    put_line(server, file, step->place.start, out);
  }
}

/// What later uses require of the variable, and which one.
static void describe_required(RlxServer *server, RlxOpenFile *file, const RlxVar *var,
                              RlxBuf *out) {
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  RlxBackward required;
  if (!rlx_file_backward_of(file->file, var, &required)) return;
  for (int may = 0; may < 2; may++) {
    const RlxSInfo *sinfo = may ? required.may : required.must;
    if (!sinfo) continue;
    rlx_buf_puts(out, may ? "\n\nMay be: `" : "\n\nMust be: `");
    rlx_sinfo_print(store, sinfo, out);
    rlx_buf_puts(out, "`");
    if (!required.stmt) continue;
    if (required.op)
      rlx_buf_printf(out, ", because of R.%.*s", (int)strcspn(required.op->script, " "),
                     required.op->script);
    else
      rlx_buf_puts(out, ", because of its use");
    put_line(server, file, rlx_stmt_absolute(required.stmt, required.span).start, out);
  }
}

/// The variable's StructInfo; the deduced one too where the annotation says something else; the
/// operator it comes from.
static void describe_var(RlxServer *server, RlxOpenFile *file, const RlxSymbol *symbol,
                         RlxBuf *out) {
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  const RlxVar *var = symbol->var;
  rlx_buf_printf(out, "```python\n%s: ", rlx_store_text(store, var->name));
  rlx_sinfo_print(store, var->sinfo, out);
  rlx_buf_puts(out, "\n```\n");
  rlx_buf_puts(out, var->is_param      ? "Parameter."
                    : var->is_dataflow ? "Dataflow variable."
                                       : "Variable.");
  RlxBinding *const *bindings;
  uint32_t count = 0;
  if (!var->is_param && var->stmt) rlx_file_stmt_bindings(file->file, var->stmt, &bindings, &count);
  for (uint32_t i = 0; i < count; i++) {
    const RlxBinding *b = bindings[i];
    if (b->var != var || !b->deduced || b->deduced == var->sinfo) continue;
    rlx_buf_puts(out, "\n\nDeduced: `");
    rlx_sinfo_print(store, b->deduced, out);
    rlx_buf_puts(out, "`");
  }
  if (file->backward) describe_required(server, file, var, out);
  if (var->is_param) return; // its annotation is all there is to say
  RlxWhySteps steps = {0};
  RlxArena *arena = rlx_arena_new();
  rlx_file_why(file->file, var, hover_limits, arena, &steps);
  describe_why(server, file, &steps, out);
  rlx_vec_free(&steps);
  rlx_arena_free(arena);
}

/// PrimFuncs that return nothing give the empty tuple, which TVMScript never writes behind them.
static bool tells_result(const RlxSInfo *sinfo, bool is_prim) {
  return !is_prim || sinfo->ret->kind != RLX_SINFO_TUPLE || sinfo->ret->count;
}

/// The signature as it would be written, a parameter a line where one line is too long.
static void describe_signature(const RlxStore *store, const RlxSymbol *symbol, bool is_prim,
                               RlxBuf *out) {
  const RlxSInfo *sinfo = symbol->sinfo;
  const RlxStmt *def = symbol->def_stmt;
  const RlxParams taken = def && def->kind == RLX_STMT_DEF ? rlx_taken_params(def) : (RlxParams){0};
  size_t from = out->size;
  rlx_buf_printf(out, "def %s", rlx_store_text(store, symbol->name));
  for (bool wide = false; sinfo && sinfo->kind == RLX_SINFO_FUNC && sinfo->params; wide = true) {
    rlx_buf_putc(out, '(');
    for (int i = 0; i < sinfo->count; i++) {
      rlx_buf_puts(out, wide ? "\n    " : i ? ", " : "");
      bool has_name = (uint32_t)sinfo->count <= taken.count && taken.at[i].name;
      if (has_name) rlx_buf_printf(out, "%s: ", rlx_store_text(store, taken.at[i].name));
      rlx_sinfo_print(store, sinfo->params[i], out);
      rlx_buf_puts(out, wide ? "," : "");
    }
    rlx_buf_puts(out, wide ? "\n)" : ")");
    if (tells_result(sinfo, is_prim)) {
      rlx_buf_puts(out, " -> ");
      rlx_sinfo_print(store, sinfo->ret, out);
    }
    if (wide || out->size - from <= 90 || !sinfo->count) break;
    rlx_buf_truncate(out, from);
    rlx_buf_printf(out, "def %s", rlx_store_text(store, symbol->name));
  }
}

static bool is_prim_func(RlxFile *file, const RlxStmt *def) {
  RlxFunctionViews views = {0};
  rlx_file_functions(file, &views);
  bool found = false;
  for (uint32_t i = 0; i < views.count && !found; i++)
    found = views.at[i].stmt == def && views.at[i].kind == RLX_ISLAND_PRIM_FUNC;
  rlx_vec_free(&views);
  return found;
}

static void describe_function(RlxServer *server, RlxOpenFile *file, const RlxSymbol *symbol,
                              RlxBuf *out) {
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  const RlxSInfo *sinfo = symbol->sinfo;
  bool is_func = sinfo && sinfo->kind == RLX_SINFO_FUNC;
  bool is_prim = symbol->def_stmt && is_prim_func(file->file, symbol->def_stmt);
  rlx_buf_puts(out, "```python\n");
  describe_signature(store, symbol, is_prim, out);
  rlx_buf_printf(out, "\n```\n%s",
                 is_prim                                  ? "PrimFunc, called with `R.call_tir`."
                 : is_func && sinfo->purity == RLX_IMPURE ? "Impure function."
                                                          : "Function.");
  RlxBuf buffers = {0};
  if (is_prim) rlx_describe_tir_buffers(server->analyzer, file->file, symbol->def_stmt, &buffers);
  if (buffers.size) rlx_buf_printf(out, "\n\n%s", rlx_buf_text(&buffers));
  rlx_buf_free(&buffers);
  if (is_prim || !symbol->def_stmt) return;
  RlxBuf shapes = {0};
  if (sinfo && sinfo->has_symbols && rlx_file_shape_summary(file->file, symbol->def_stmt, &shapes))
    rlx_buf_printf(out, "\n\nShape function: `%s`", rlx_buf_text(&shapes));
  rlx_buf_free(&shapes);
  RlxWhySteps steps = {0};
  RlxArena *arena = rlx_arena_new();
  rlx_file_why_result(file->file, symbol->def_stmt, hover_limits, arena, &steps);
  if (steps.count && (!is_func || steps.at[0].sinfo != sinfo->ret)) {
    rlx_buf_puts(out, "\n\nResult: `");
    rlx_sinfo_print(store, steps.at[0].sinfo, out);
    rlx_buf_puts(out, "`");
  }
  describe_why(server, file, &steps, out);
  rlx_vec_free(&steps);
  rlx_arena_free(arena);
}

/// Markdown as a person would type it: without fences, back ticks and stars around words. What
/// stands in fences and back ticks stays as it is: `n ** 2`.
static void make_plain(RlxBuf *text) {
  size_t to = 0;
  bool is_start = true, is_fenced = false, is_quoted = false;
  for (size_t at = 0; at < text->size; at++) {
    char c = text->at[at];
    if (is_start && text->size - at >= 3 && memcmp(text->at + at, "```", 3) == 0) {
      while (at < text->size && text->at[at] != '\n') at++; // a fence's line
      is_fenced = !is_fenced;
      continue;
    }
    is_start = c == '\n';
    bool is_tick = c == '`' && !is_fenced, is_star = c == '*' && at + 1 < text->size &&
                                                     text->at[at + 1] == '*' && !is_fenced &&
                                                     !is_quoted;
    if (is_tick) is_quoted = !is_quoted;
    at += is_star;
    if (!is_tick && !is_star) text->at[to++] = c;
  }
  rlx_buf_truncate(text, to);
}

/// The import that binds a name, as if it stood alone; false: none of the statement's does.
static bool put_import(const RlxServer *server, const RlxStmt *stmt, RlxName name, RlxBuf *out) {
  const RlxStore *store = rlx_analyzer_store(server->analyzer);
  for (uint32_t i = 0; i < stmt->import_count; i++) {
    const RlxImport *import = &stmt->imports[i];
    if (import->name != name || !import->module) continue;
    const char *module = rlx_store_text(store, import->module),
               *member = import->member ? rlx_store_text(store, import->member) : NULL,
               *own = rlx_store_text(store, name);
    if (member)
      rlx_buf_printf(out, "from %s import %s", module, member);
    else
      rlx_buf_printf(out, "import %s", module);
    if (strcmp(member ? member : module, own) != 0) rlx_buf_printf(out, " as %s", own);
    return true;
  }
  return false;
}

/// The statement that binds a name of Python, on one line; false: it is none that says much.
static bool describe_binding(const RlxServer *server, const RlxOpenFile *file,
                             const RlxSymbol *symbol, const char *what, RlxBuf *out) {
  enum { MOST = 200 };
  const RlxStmt *stmt = symbol->def_stmt;
  const bool is_bound = stmt && (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED);
  const RlxDocument *doc = rlx_file_document(file->file);
  RlxBuf import = {0};
  if (stmt && stmt->kind == RLX_STMT_IMPORT && put_import(server, stmt, symbol->name, &import)) {
    rlx_buf_printf(out, "```python\n%s\n```\n%s on ", rlx_buf_text(&import), what);
    rlx_put_line_name(server, file->uri,
                      rlx_lines_locate(rlx_document_lines(doc), stmt->start).line, out);
    rlx_buf_putc(out, '.');
    rlx_buf_free(&import);
    return true;
  }
  if (!is_bound || !stmt->value) return false;
  const char *text = rlx_document_text(doc, NULL) + stmt->start;
  size_t size = strcspn(text, "\r\n");
  const bool is_cut = size < stmt->size || size > MOST;
  if (size > stmt->size) size = stmt->size;
  if (size > MOST) size = MOST;
  while (size && rlx_utf8_is_continuation(text[size])) size--;
  rlx_buf_printf(out, "```python\n%.*s%s\n```\n%s on ", (int)size, text, is_cut ? " …" : "", what);
  rlx_put_line_name(server, file->uri, rlx_lines_locate(rlx_document_lines(doc), stmt->start).line,
                    out);
  rlx_buf_putc(out, '.');
  return true;
}

/// `x.shape`, `x.dtype`, `x.ndim` of a tensor: what is known of it.
static bool describe_attribute(RlxServer *server, RlxOpenFile *file, uint32_t offset, RlxSpan *span,
                               RlxBuf *out) {
  enum { DEPTH = 64 };
  const RlxStmt *stmt = rlx_document_stmt_at(rlx_file_document(file->file), offset);
  const RlxAst *path[DEPTH], *ast;
  uint32_t count = 0;
  RlxSymbol base;
  if (!stmt || offset < stmt->start || !rlx_document_ast_at(stmt, offset, path, &count, DEPTH) ||
      !count || count >= DEPTH)
    return false;
  ast = path[count - 1];
  const RlxSpan name = rlx_stmt_absolute(stmt, ast->name_span);
  if (ast->kind != RLX_AST_ATTRIBUTE || offset < name.start || offset > name.end ||
      ast->children[0]->kind != RLX_AST_NAME ||
      !rlx_file_symbol_at(file->file, stmt->start + ast->children[0]->span.start, &base) ||
      base.kind != RLX_SYMBOL_VAR || !base.var || !base.var->sinfo ||
      base.var->sinfo->kind != RLX_SINFO_TENSOR)
    return false;
  const RlxStore *store = rlx_analyzer_store(server->analyzer);
  const RlxSInfo *sinfo = base.var->sinfo;
  const char *word = rlx_store_text(store, ast->name);
  RlxBuf known = {0};
  char dtype[RLX_DTYPE_TEXT_MAX];
  if (!strcmp(word, "shape") && sinfo->dims) {
    for (int i = 0; i < sinfo->ndim; i++) {
      rlx_buf_puts(&known, i ? ", " : "(");
      rlx_prim_tell(store, sinfo->dims[i], &known);
    }
    rlx_buf_puts(&known, sinfo->ndim == 1 ? ",)" : sinfo->ndim ? ")" : "()");
  } else if (!strcmp(word, "dtype") && rlx_dtype_known(sinfo->dtype)) {
    rlx_buf_printf(&known, "\"%s\"", rlx_dtype_text(sinfo->dtype, dtype));
  } else if (!strcmp(word, "ndim") && sinfo->ndim >= 0) {
    rlx_buf_printf(&known, "%d", sinfo->ndim);
  }
  const bool is_known = known.size > 0;
  if (is_known) {
    rlx_buf_printf(out, "```python\n%s.%s: %s\n```", rlx_store_text(store, base.name), word,
                   rlx_buf_text(&known));
    *span = rlx_stmt_absolute(stmt, ast->span);
  }
  rlx_buf_free(&known);
  return is_known;
}

/// The name of an argument that is given by its name: the parameter, as it is declared, and what it is for.
static bool describe_argument(RlxOpenFile *file, uint32_t offset, RlxSpan *span, RlxBuf *out) {
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  uint32_t start = offset, end = offset;
  while (start && rlx_text_in_name(text[start - 1])) start--;
  while (end < size && rlx_text_in_name(text[end])) end++;
  uint32_t sign = end;
  while (sign < size && (text[sign] == ' ' || text[sign] == '\t')) sign++;
  if (start == end || text[sign] != '=' || text[sign + 1] == '=') return false;
  RlxSignature s;
  if (!rlx_file_signature_at(file->file, end, &s)) return false;
  const RlxSpan param = s.active >= 0 ? s.params.at[s.active] : rlx_span(0, 0);
  const char *label = rlx_buf_text(&s.label), *declared = label + param.start;
  const bool is_it = param.end - param.start >= end - start &&
                     !memcmp(declared, text + start, end - start) &&
                     !rlx_text_in_name(declared[end - start]);
  if (is_it) {
    rlx_buf_printf(out, "```python\n%.*s\n```\n", (int)(param.end - param.start), declared);
    if (s.meanings && s.meanings[s.active]) rlx_buf_printf(out, "%s\n\n", s.meanings[s.active]);
    rlx_buf_printf(out, "Parameter of `%.*s`.", (int)strcspn(label, "("), label);
    *span = rlx_span(start, end);
  }
  rlx_signature_free(&s);
  return is_it;
}

/// What is at `offset` where that is no symbol with a text of its own: an imported name, a word of the vocabulary, a block.
/// `*span` is its place; false: nothing.
static bool describe_other(RlxServer *server, RlxOpenFile *file, uint32_t offset, RlxSpan *span,
                           RlxBuf *text) {
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  RlxSpan block;
  const bool is_known = rlx_file_imported_at(file->file, offset, span, text) ||
                        rlx_vocabulary_describe(file->file, store, offset, text, span) ||
                        describe_attribute(server, file, offset, span, text) ||
                        describe_argument(file, offset, span, text);
  const bool opens = rlx_describe_block_at(server->analyzer, file->file, offset, text, &block);
  if (!is_known && opens) *span = block;
  return is_known || opens;
}

static void describe_symbol(RlxServer *server, RlxOpenFile *file, RlxSymbol *symbol, RlxBuf *text) {
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  switch ((RlxSymbolKind)symbol->kind) {
  case RLX_SYMBOL_VAR:
    if (symbol->var && symbol->var->sinfo) describe_var(server, file, symbol, text);
    break;
  case RLX_SYMBOL_SYMVAR:
  case RLX_SYMBOL_OUTER: // a dimension that Python names
    if (symbol->symvar) describe_symvar(server, file, symbol, text);
    break;
  case RLX_SYMBOL_FUNCTION: describe_function(server, file, symbol, text); break;
  case RLX_SYMBOL_OP:
    if (symbol->sinfo) {
      rlx_buf_puts(text, "```python\n-> ");
      rlx_sinfo_print(store, symbol->sinfo, text);
      rlx_buf_puts(text, "\n```\n");
    }
    if (symbol->op) rlx_describe_op(symbol->op, text);
    break;
  case RLX_SYMBOL_MODULE:
  case RLX_SYMBOL_ALIAS:
    if (symbol->kind == RLX_SYMBOL_MODULE ||
        !describe_binding(server, file, symbol, "A name of the module, bound", text))
      rlx_buf_printf(text, "Module `%s`", rlx_store_text(store, symbol->name));
    break;
  case RLX_SYMBOL_LOCAL:
    rlx_prim_name_describe(file->file, symbol, text);
    describe_known(file, store, symbol, text);
    rlx_describe_tir_name(server->analyzer, file->file, symbol, text);
    break;
  case RLX_SYMBOL_BLOCK:
  case RLX_SYMBOL_NAMESPACE:
  case RLX_SYMBOL_NONE: break;
  }
}

RlxRpcCode rlx_lsp_hover(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file;
  uint32_t offset;
  RlxRpcCode code = rlx_server_at(server, params, &file, &offset);
  if (code != RLX_RPC_OK) return code;
  RlxSymbol symbol;
  RlxBuf text = {0};
  const bool is_symbol = rlx_file_symbol_at(file->file, offset, &symbol),
             is_outer = is_symbol && symbol.kind == RLX_SYMBOL_OUTER && !symbol.symvar;
  if (is_symbol && !is_outer && symbol.kind != RLX_SYMBOL_BLOCK)
    describe_symbol(server, file, &symbol, &text);
  else if (!describe_other(server, file, offset, &symbol.span, &text) &&
           !(is_outer && describe_binding(server, file, &symbol, "Of Python, bound", &text)))
    return RLX_RPC_OK;
  if (!server->can_markdown) make_plain(&text);
  if (text.size) {
    rlx_json_begin(result, '{');
    rlx_json_key(result, "contents");
    rlx_json_begin(result, '{');
    rlx_json_key_text(result, "kind", server->can_markdown ? "markdown" : "plaintext");
    rlx_json_key_text(result, "value", rlx_buf_text(&text));
    rlx_json_end(result, '}');
    rlx_json_key(result, "range");
    rlx_write_range(server, file->file, symbol.span, result);
    rlx_json_end(result, '}');
  }
  rlx_buf_free(&text);
  return RLX_RPC_OK;
}
