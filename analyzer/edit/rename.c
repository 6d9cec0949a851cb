/// Rename: which names a symbol may take, and the edits that give it one.
#include "analyzer/edit/rename.h"

#include <string.h>

#include "analyzer/ask/dialect_at.h"
#include "analyzer/ask/symbols.h"
#include "analyzer/eval/outer.h"
#include "analyzer/function/files.h"
#include "analyzer/words/names.h"
#include "base/text.h"

// ------------------------------------------------------------------ what can be renamed

static bool is_named_by_file(const RlxSymbol *symbol) {
  switch ((RlxSymbolKind)symbol->kind) {
  case RLX_SYMBOL_VAR:
  case RLX_SYMBOL_SYMVAR:
  case RLX_SYMBOL_FUNCTION:
  case RLX_SYMBOL_MODULE:
  case RLX_SYMBOL_LOCAL:
  case RLX_SYMBOL_ALIAS:
  case RLX_SYMBOL_BLOCK:
  case RLX_SYMBOL_OUTER: return symbol->def_stmt != NULL;
  case RLX_SYMBOL_OP:
  case RLX_SYMBOL_NAMESPACE:
  case RLX_SYMBOL_NONE: break;
  }
  return false;
}

/// Whether `def` is what a class below `@R.rewriter` has to have under this name.
static bool is_of_rewriter(const RlxFile *file, const RlxStmt *def, const char *name) {
  if (strcmp(name, "pattern") != 0 && strcmp(name, "replacement") != 0) return false;
  const RlxStmt *class = def && def->block ? def->block->parent : NULL;
  for (uint32_t i = 0; class && class->kind == RLX_STMT_CLASS && i < class->decorator_count; i++) {
    const RlxAst *decorator = class->decorators[i];
    if (decorator->kind == RLX_AST_ATTRIBUTE &&
        strcmp(rlx_store_text(file->store, decorator->name), "rewriter") == 0)
      return true;
  }
  return false;
}

/// Whether the symbolic variable is what gives a TypeVar of the result its value: TVM 0.27 knows the two by their name.
static bool is_of_result(const RlxSymbol *symbol) {
  const RlxFn *fn = symbol->kind == RLX_SYMBOL_SYMVAR ? rlx_fn_around(symbol->def_stmt) : NULL;
  const RlxSymVar *var = fn && fn->ret_symbol ? rlx_prim_as_var(fn->ret_symbol) : NULL;
  return var && var->name == symbol->name;
}

bool rlx_symbol_can_rename(RlxFile *file, const RlxSymbol *symbol, RlxBuf *why) {
  const char *name = symbol->name ? rlx_store_text(file->store, symbol->name) : "";
  if (symbol->kind == RLX_SYMBOL_OP) {
    rlx_buf_puts(why, "an operator has the name that TVM gives it");
    return false;
  }
  if (!is_named_by_file(symbol)) {
    rlx_buf_puts(why,
                 "only names that the script gives can be renamed: modules, functions, "
                 "parameters, variables, symbolic dimensions, buffers, loops, blocks, imports");
    return false;
  }
  const RlxStmt *stmt = symbol->def_stmt;
  if (symbol->kind == RLX_SYMBOL_FUNCTION && is_of_rewriter(file, stmt, name)) {
    rlx_buf_printf(why, "`@R.rewriter` takes its functions by their names: `%s` is one of them",
                   name);
    return false;
  }
  if (is_of_result(symbol)) {
    rlx_buf_printf(
        why, "the result's annotation names the TypeVar `%s`, which TVM knows by its name", name);
    return false;
  }
  if (symbol->kind != RLX_SYMBOL_OUTER) return true;
  for (uint32_t i = 0; i < stmt->import_count; i++) {
    const RlxImport *import = &stmt->imports[i];
    bool is_path = import->name == symbol->name && !import->member &&
                   import->module != import->name && !rlx_import_has_alias(file, stmt, import);
    if (!is_path) continue;
    rlx_buf_printf(why, "`%s` is the first part of the path `%s`; write `import … as` to name it",
                   name, rlx_store_text(file->store, import->module));
    return false;
  }
  if (stmt->kind == RLX_STMT_DEF && symbol->scope == stmt->body) {
    rlx_buf_printf(
        why, "`%s` is a parameter of a Python function, whose callers may pass it by name", name);
    return false;
  }
  return true;
}

// ------------------------------------------------------------------ names

static bool is_keyword(const char *text) {
  static const char *const keywords[] = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (!strcmp(text, keywords[i])) return true;
  return false;
}

static bool is_identifier(const char *text) {
  if (!*text || (*text >= '0' && *text <= '9')) return false;
  while (rlx_symbol_is_word(*text)) text++;
  return !*text;
}

static bool is_block_name(const char *text) {
  for (const char *c = text; *c; c++)
    if ((unsigned char)*c < 0x20 || *c == 0x7f || strchr("\"'\\", *c)) return false;
  return *text != '\0';
}

static bool is_import(const RlxSymbol *symbol) {
  return symbol->kind == RLX_SYMBOL_OUTER && symbol->def_stmt->kind == RLX_STMT_IMPORT;
}

static bool holds_one(const RlxOccurrences *all, RlxSpan span) {
  for (uint32_t i = 0; i < all->count; i++)
    if (all->at[i].span.start > span.start && all->at[i].span.end < span.end) return true;
  return false;
}

/// Whether a string that has the name holds no occurrence.
static bool has_other_text(const RlxStmt *stmt, const RlxAst *ast, const char *name,
                           const RlxOccurrences *all, int depth) {
  if (!ast || depth > 50) return false;
  if (ast->kind == RLX_AST_STRING && rlx_text_has_name(ast->text, name) &&
      !holds_one(all, rlx_stmt_absolute(stmt, ast->span)))
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (has_other_text(stmt, ast->children[i], name, all, depth + 1)) return true;
  return false;
}

/// Whether a string among the dimensions of the PrimFunc that has the symbol (0.27) names it in a way that is no reference.
static bool is_in_text_of_signature(RlxFile *file, const RlxSymbol *symbol) {
  if (symbol->kind != RLX_SYMBOL_SYMVAR && symbol->kind != RLX_SYMBOL_LOCAL) return false;
  const RlxFn *fn = symbol->def_stmt ? rlx_fn_around(symbol->def_stmt) : NULL;
  if (!fn || fn->kind != RLX_ISLAND_PRIM_FUNC) return false;
  RlxOccurrences all = {0};
  bool is_in = false;
  rlx_file_occurrences(file, symbol, &all);
  for (uint32_t p = 0; p < fn->stmt->param_count && !is_in; p++)
    is_in = has_other_text(fn->stmt, fn->stmt->params[p].annotation,
                           rlx_store_text(file->store, symbol->name), &all, 0);
  rlx_vec_free(&all);
  return is_in;
}

static bool is_fit(RlxFile *file, const RlxSymbol *symbol, const char *name, RlxBuf *why) {
  RlxValue value;
  if (symbol->kind == RLX_SYMBOL_BLOCK) {
    if (is_block_name(name)) return true;
    rlx_buf_puts(why,
                 "the name of a block is a text without quotes and backslashes, and not empty");
    return false;
  }
  if (is_in_text_of_signature(file, symbol)) {
    rlx_buf_printf(why,
                   "a string in a PrimFunc's signature names `%s`, which is not renamed with it",
                   rlx_store_text(file->store, symbol->name));
    return false;
  }
  // tlc-pack's `_` in an annotation is no use of what was bound to `_` before.
  if (!strcmp(rlx_store_text(file->store, symbol->name), "_") && symbol->kind != RLX_SYMBOL_OUTER &&
      rlx_file_dialect_at(file, symbol->def_span.start) == RLX_DIALECT_TLC)
    rlx_buf_puts(why, "`_` stands for what is not known here, and for what has no name");
  else if (!is_identifier(name))
    rlx_buf_printf(why, "`%s` is not a Python name", name);
  else if (is_keyword(name))
    rlx_buf_printf(why, "`%s` is a keyword of Python", name);
  else if (!strcmp(name, "_") && symbol->kind != RLX_SYMBOL_OUTER)
    rlx_buf_puts(why, "`_` stands for what has no name");
  else if (rlx_names_is_builtin(name))
    rlx_buf_printf(why, "`%s` is a builtin of Python, which would be hidden", name);
  else if (symbol->kind == RLX_SYMBOL_SYMVAR && rlx_op_find(name, strlen(name)) &&
           rlx_file_dialect_at(file, symbol->def_span.start) == RLX_DIALECT_TLC)
    rlx_buf_printf(why, "`%s` is an operator of tlc-pack's TVMScript, which needs no `R.`", name);
  else if (!is_import(symbol) && rlx_names_predefined(&file->analyzer->words, name, &value))
    rlx_buf_printf(why, "`%s` has a meaning of its own in TVMScript", name);
  return !why->size;
}

// ------------------------------------------------------------------ what is in the way

/// A walk over statements that looks at every place where a name is bound or read.
typedef struct Walk {
  RlxFile *file;
  RlxName name;
  const char *text;        ///< the name
  const RlxStmt *stmt;     ///< that is being walked through
  const RlxSymbol *symbol; ///< to be called so
  const RlxOccurrences *own;
  bool by_scope;  ///< names of inner scopes that the symbol does not stand in are not in the way
  bool no_locals; ///< those of functions never are
  bool in_string; ///< what is looked at stands in a string
  bool found;
  RlxSpan at; ///< absolute
  int depth;
} Walk;

static bool holds_own(const Walk *w, const RlxStmt *stmt) {
  uint32_t low = 0, high = w->own->count; // the first occurrence at or behind the statement
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (w->own->at[middle].span.start < stmt->start)
      low = middle + 1;
    else
      high = middle;
  }
  return low < w->own->count && w->own->at[low].span.start < stmt->start + stmt->size;
}

/// The statement that a name of an inner scope, met in `w->stmt`, belongs to; NULL: the name is seen
/// where the symbol is.
static const RlxStmt *inner_scope(const Walk *w, RlxSpan relative) {
  RlxSymbol here = {0};
  if (!rlx_symbol_of_name(w->file, w->stmt, w->name, relative, &here)) return NULL;
  if (here.kind == RLX_SYMBOL_SYMVAR && here.def_stmt == w->stmt && !w->in_string)
    return NULL; // a bare dimension of a signature: Python looks for it around the function
  if (here.kind == RLX_SYMBOL_VAR || here.kind == RLX_SYMBOL_SYMVAR ||
      here.kind == RLX_SYMBOL_LOCAL || here.kind == RLX_SYMBOL_ALIAS) {
    const RlxFn *fn = rlx_fn_outermost(rlx_fn_around(w->stmt));
    return fn ? fn->stmt : NULL;
  }
  bool is_member = here.kind == RLX_SYMBOL_FUNCTION && !here.scope;
  if (is_member) return here.def_stmt->block->parent; // seen in all functions of its module
  return here.scope && here.scope != w->symbol->scope ? here.scope->parent : NULL;
}

static void met(Walk *w, RlxSpan relative) {
  if (w->found) return;
  const RlxStmt *inner = w->by_scope ? inner_scope(w, relative) : NULL;
  if (inner && (w->no_locals || !holds_own(w, inner))) return;
  w->found = true;
  w->at = rlx_stmt_absolute(w->stmt, relative);
}

static void met_in_string(Walk *w, const RlxAst *ast) {
  uint32_t size, length = (uint32_t)strlen(w->text);
  const char *text = rlx_document_text(w->file->document, &size);
  w->in_string = true;
  for (uint32_t i = ast->span.start + 1; i + length < ast->span.end; i++) {
    const char *at = text + w->stmt->start + i;
    if (!memcmp(at, w->text, length) && !rlx_symbol_is_word(at[-1]) &&
        !rlx_symbol_is_word(at[length]))
      met(w, rlx_span(i, i + length));
  }
  w->in_string = false;
}

static void walk_ast(Walk *w, const RlxAst *ast, bool is_sinfo) {
  if (!ast || w->found || w->depth > 300) return;
  w->depth++;
  if (ast->kind == RLX_AST_NAME && ast->name == w->name) met(w, ast->span);
  if (ast->kind == RLX_AST_NAMED && ast->name == w->name) met(w, ast->name_span);
  if (ast->kind == RLX_AST_STRING && is_sinfo) met_in_string(w, ast);
  for (uint32_t i = 0; ast->kind == RLX_AST_LAMBDA && i < ast->param_count; i++)
    if (ast->params[i].name == w->name) met(w, ast->params[i].name_span);
  for (uint32_t i = 0; i < ast->child_count; i++)
    walk_ast(w, ast->children[i],
             ast->kind == RLX_AST_CALL ? rlx_symbol_has_dimensions(w->file->store, ast, i, is_sinfo)
                                       : is_sinfo);
  w->depth--;
}

static void walk_block(Walk *w, const RlxBlock *block);

static void walk_stmt(Walk *w, const RlxStmt *stmt) {
  if (w->found || w->depth > 300) return;
  w->stmt = stmt;
  for (uint32_t i = 0; i < stmt->decorator_count; i++) walk_ast(w, stmt->decorators[i], false);
  bool is_def = stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS;
  if (is_def && stmt->name == w->name) met(w, stmt->name_span);
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    if (stmt->params[i].name == w->name) met(w, stmt->params[i].name_span);
    walk_ast(w, stmt->params[i].annotation, true);
    walk_ast(w, stmt->params[i].default_value, false);
  }
  for (uint32_t i = 0; i < stmt->import_count; i++)
    if (stmt->imports[i].name == w->name) met(w, stmt->imports[i].span);
  for (uint32_t i = 0; i < stmt->target_count; i++) walk_ast(w, stmt->targets[i], false);
  for (uint32_t i = 0; i < stmt->item_count; i++) {
    walk_ast(w, stmt->items[i].value, false);
    walk_ast(w, stmt->items[i].target, false);
  }
  walk_ast(w, stmt->annotation, true);
  walk_ast(w, stmt->value, false);
  walk_ast(w, stmt->message, false);
  w->depth++;
  walk_block(w, stmt->body);
  walk_block(w, stmt->orelse);
  for (uint32_t i = 0; i < stmt->block_count; i++) walk_block(w, stmt->blocks[i]);
  w->depth--;
}

static void walk_block(Walk *w, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count && !w->found; i++) walk_stmt(w, block->stmts[i]);
}

/// The statement in which a name of a function is visible.
static const RlxStmt *visible_in(const RlxSymbol *symbol) {
  const RlxStmt *def = symbol->def_stmt;
  const RlxFn *fn = rlx_fn_around(def);
  if (!fn) return NULL;
  bool is_header = def == fn->stmt;
  if (symbol->kind == RLX_SYMBOL_SYMVAR) return rlx_fn_outermost((RlxFn *)(uintptr_t)fn)->stmt;
  if (is_header && symbol->def_span.start == def->start + def->name_span.start && fn->outer)
    return fn->outer->stmt; // a local function
  if (symbol->kind != RLX_SYMBOL_LOCAL || is_header) return fn->stmt;
  if (def->kind == RLX_STMT_FOR) return def;
  const RlxStmt *around = def->block->parent;
  while (around->kind == RLX_STMT_IF)
    around = around->block->parent; // 0.27 opens no scope for some
  return around;
}

static void say_line(RlxFile *file, uint32_t offset, const char *name, const char *what,
                     RlxBuf *why) {
  rlx_buf_printf(why, "`%s` %s in ", name, what);
  rlx_file_put_line(file, rlx_lines_locate(rlx_document_lines(file->document), offset).line, why);
}

/// Another block of the PrimFunc with this name.
static bool has_block(RlxFile *file, const RlxBlock *block, const RlxSymbol *symbol,
                      const char *name, int depth, uint32_t *at) {
  for (uint32_t i = 0; block && depth < 200 && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    RlxSymbol here = {0};
    if (stmt != symbol->def_stmt && rlx_symbol_of_block(file, stmt, NULL, &here) &&
        !strcmp(rlx_store_text(file->store, here.name), name)) {
      *at = here.span.start;
      return true;
    }
    if (has_block(file, stmt->body, symbol, name, depth + 1, at) ||
        has_block(file, stmt->orelse, symbol, name, depth + 1, at))
      return true;
  }
  return false;
}

/// A function of a module: the module's other members, and the functions that name it without the
/// module before.
static void walk_members(Walk *w) {
  const RlxStmt *def = w->symbol->def_stmt;
  uint32_t at = rlx_outer_first(w->file, rlx_symbol_scope(def->block), w->name);
  if (at) {
    w->found = true;
    w->at = rlx_stmt_absolute(w->file->outer.at[at - 1].stmt,
                              w->file->outer.at[at - 1].stmt->name_span);
    return;
  }
  w->by_scope = w->no_locals = true; // names that functions do not bind would mean the member
  walk_block(w, def->block);
  w->by_scope = w->no_locals = false;
  uint32_t size;
  const char *text = rlx_document_text(w->file->document, &size);
  const RlxStmt *done = NULL;
  for (uint32_t i = 0; i < w->own->count && !w->found; i++) {
    RlxSpan span = w->own->at[i].span;
    bool is_bare = span.start && text[span.start - 1] != '.' && !w->own->at[i].is_text;
    const RlxFn *fn = rlx_fn_outermost(rlx_file_fn_at(w->file, span.start));
    if (!is_bare || !fn || fn->stmt == done || w->own->at[i].is_write) continue;
    done = fn->stmt;
    walk_stmt(w, fn->stmt);
  }
}

/// Whether an error is in one of the places of a variable: what has no meaning there, or is local to
/// a dataflow block, would have one under the name of something around the function.
static bool has_error(RlxFile *file, const RlxSymbol *symbol, const RlxOccurrences *own) {
  const RlxStmt *block = symbol->var->is_dataflow ? symbol->def_stmt->block->parent : NULL;
  RlxSymbol here;
  for (uint32_t i = 0; i < own->count; i++) {
    uint32_t at = own->at[i].span.start;
    bool leaks = block && (at < block->start || at >= block->start + block->size);
    if (leaks || !rlx_file_symbol_at(file, at, &here)) return true;
  }
  return false;
}

bool rlx_symbol_may_be_called(RlxFile *file, const RlxSymbol *symbol, const char *name,
                              RlxBuf *why) {
  if (!is_fit(file, symbol, name, why)) return false;
  if (symbol->kind == RLX_SYMBOL_BLOCK) {
    const RlxFn *fn = rlx_fn_around(symbol->def_stmt);
    uint32_t at;
    if (has_block(file, fn->stmt->body, symbol, name, 0, &at))
      say_line(file, at, name, "is a block of this PrimFunc already,", why);
    return !why->size;
  }
  RlxOccurrences own = {0};
  rlx_file_occurrences(file, symbol, &own);
  Walk w = {.file = file,
            .name = rlx_store_intern(file->store, name, strlen(name)),
            .text = name,
            .symbol = symbol,
            .own = &own};
  bool is_outer = symbol->kind == RLX_SYMBOL_OUTER || symbol->kind == RLX_SYMBOL_MODULE ||
                  (symbol->kind == RLX_SYMBOL_FUNCTION && symbol->scope);
  const RlxFn *fn = symbol->kind == RLX_SYMBOL_FUNCTION ? rlx_fn_around(symbol->def_stmt) : NULL;
  const RlxStmt *region;
  if (fn && fn->module) {
    walk_members(&w);
  } else if (is_outer || fn) {
    w.by_scope = true;
    region = symbol->scope ? symbol->scope->parent : NULL;
    if (region)
      walk_stmt(&w, region);
    else
      walk_block(&w, rlx_document_root(file->document));
  } else if ((region = visible_in(symbol)) != NULL) {
    walk_stmt(&w, region);
  }
  RlxSymbol outer = {0};
  if (w.found) {
    say_line(file, w.at.start, name, "stands for something else", why);
  } else if ((symbol->kind == RLX_SYMBOL_SYMVAR || symbol->kind == RLX_SYMBOL_VAR) &&
             rlx_symbol_outer(file, symbol->def_stmt, w.name, false, &outer) &&
             (symbol->kind == RLX_SYMBOL_SYMVAR || has_error(file, symbol, &own))) {
    say_line(file, outer.def_span.start, name, "stands for something else", why);
  }
  rlx_vec_free(&own);
  return !why->size;
}

void rlx_symbol_rename_edits(RlxFile *file, const RlxSymbol *symbol, RlxRenameEdits *out) {
  RlxOccurrences all = {0};
  rlx_file_occurrences(file, symbol, &all);
  for (uint32_t i = 0; i < all.count; i++)
    rlx_vec_push(out, (RlxRenameEdit){all.at[i].span, all.at[i].is_import});
  rlx_vec_free(&all);
}
