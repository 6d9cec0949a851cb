/// Where else a symbol stands, and what each place does to it.
#include <string.h>

#include "analyzer/ask/symbols.h"
#include "analyzer/function/files.h"
#include "analyzer/words/spell.h"
#include "base/map.h"

typedef struct Finder {
  RlxFile *file;
  const RlxSymbol *symbol;
  const RlxStmt *stmt;
  RlxOccurrences *out;
  int depth;
  /// VAR: variables that are the same one to the script, beside the symbol's own
  const RlxVar *joined[16];
  uint32_t joined_count;
  const RlxStmt *asked; ///< outermost function that was looked through for what it binds
  RlxMap bound;         ///< these names
  bool binds_more;      ///< and what stands too deep in it
} Finder;

/// The names in what is assigned to.
static void add_target(Finder *f, const RlxAst *target) {
  if (!target || target->kind == RLX_AST_SUBSCRIPT) return;
  if (target->kind == RLX_AST_NAME || target->kind == RLX_AST_ATTRIBUTE)
    rlx_map_put(&f->bound, target->name, 1);
  for (uint32_t i = 0; i < target->child_count; i++) add_target(f, target->children[i]);
}

/// Adds what the statements of the block bind, as far as the text says.
static void add_block(Finder *f, const RlxBlock *block, int depth);

static void add_stmt(Finder *f, const RlxStmt *stmt, int depth) {
  if (depth > 200) f->binds_more = true;
  if (depth > 200) return;
  for (uint32_t i = 0; i < stmt->param_count; i++) rlx_map_put(&f->bound, stmt->params[i].name, 1);
  for (uint32_t i = 0; i < stmt->target_count; i++) add_target(f, stmt->targets[i]);
  for (uint32_t i = 0; i < stmt->item_count; i++) add_target(f, stmt->items[i].target);
  for (uint32_t i = 0; i < stmt->import_count; i++)
    rlx_map_put(&f->bound, stmt->imports[i].name, 1);
  if (depth && stmt->name) rlx_map_put(&f->bound, stmt->name, 1);
  for (uint32_t i = 0; i < stmt->block_count; i++) add_block(f, stmt->blocks[i], depth + 1);
  add_block(f, stmt->body, depth + 1);
  add_block(f, stmt->orelse, depth + 1);
}

static void add_block(Finder *f, const RlxBlock *block, int depth) {
  for (uint32_t i = 0; block && i < block->count; i++) add_stmt(f, block->stmts[i], depth);
}

/// Whether the signature has the name as a symbolic dimension.
static bool is_dimension(const RlxFn *fn, RlxName name) {
  return rlx_fn_first_param(fn, name) < fn->params.count;
}

/// Whether `fn`, an outermost one, may bind the name. What it binds is gathered once.
static bool may_bind(Finder *f, const RlxFn *fn, RlxName name) {
  if (f->asked != fn->stmt) {
    rlx_map_clear(&f->bound);
    f->binds_more = false;
    f->asked = fn->stmt;
    add_stmt(f, fn->stmt, 0);
  }
  return f->binds_more || rlx_map_get(&f->bound, name, NULL) || is_dimension(fn, name);
}

/// What `name` at `span` of the finder's statement is. Names of Python in functions that bind no such
/// name are looked for around the function at once.
static bool symbol_here(Finder *f, RlxName name, RlxSpan span, RlxSymbol *out) {
  RlxSymbolKind kind = (RlxSymbolKind)f->symbol->kind;
  bool is_outer = kind == RLX_SYMBOL_OUTER || kind == RLX_SYMBOL_MODULE;
  const RlxFn *fn = is_outer ? rlx_fn_outermost(rlx_fn_around(f->stmt)) : NULL;
  if (!fn || (fn->module && rlx_module_fn(fn->module, name)))
    return rlx_symbol_of_name(f->file, f->stmt, name, span, out);
  if (may_bind(f, fn, name)) return rlx_symbol_of_name(f->file, f->stmt, name, span, out);
  if (rlx_symbol_outer(f->file, fn->stmt, name, false, out)) return true;
  return fn->module && fn->module->name == name &&
         rlx_symbol_outer(f->file, fn->module->stmt, name, false, out);
}

static const RlxDef *def_of_name(const RlxAnalysis *unit, RlxName name) {
  for (uint32_t i = unit->def_count; i-- > 0;)
    if (unit->defs[i].name == name) return &unit->defs[i];
  return NULL;
}

static void join(Finder *f, const RlxVar *var) {
  bool known =
      !var || var == f->symbol->var || f->joined_count == sizeof f->joined / sizeof f->joined[0];
  for (uint32_t i = 0; i < f->joined_count && !known; i++) known = f->joined[i] == var;
  if (!known) f->joined[f->joined_count++] = var;
}

/// The variables of the branches that `var`, bound by an `if`, is made of; the one that an `if`
/// makes of `var`.
static void join_around(Finder *f, const RlxVar *var) {
  const RlxStmt *stmt = var->stmt;
  if (!stmt || var->is_param) return;
  if (stmt->kind == RLX_STMT_IF) {
    const RlxBlock *const blocks[] = {stmt->body, stmt->orelse};
    for (size_t i = 0; i < 2; i++) {
      const RlxDef *def =
          blocks[i] ? rlx_symbol_last_def(blocks[i], blocks[i]->count, var->name) : NULL;
      if (def) join(f, rlx_symbol_var_of(&def->value));
    }
  }
  const RlxBlock *block = stmt->block;
  for (const RlxStmt *at = block ? block->parent : NULL;
       at && (at->kind == RLX_STMT_IF || at->kind == RLX_STMT_WITH);
       block = at->block, at = block->parent) {
    const RlxDef *last = rlx_symbol_last_def(block, block->count, var->name);
    if (!last || rlx_symbol_var_of(&last->value) != var) return;
    if (at->kind == RLX_STMT_WITH) continue;
    const RlxAnalysis *unit = at->analysis;
    const RlxDef *def = unit ? def_of_name(unit, var->name) : NULL;
    if (!def) return;
    join(f, rlx_symbol_var_of(&def->value));
  }
}

static void join_vars(Finder *f) {
  join_around(f, f->symbol->var);
  for (uint32_t i = 0; i < f->joined_count; i++) join_around(f, f->joined[i]);
}

/// Do two symbols stand for the same thing?
static bool same(const RlxSymbol *a, const RlxSymbol *b) {
  if (a->kind != b->kind) return false;
  switch ((RlxSymbolKind)a->kind) {
  case RLX_SYMBOL_VAR: return a->var == b->var;
  case RLX_SYMBOL_SYMVAR: return a->symvar == b->symvar;
  case RLX_SYMBOL_FUNCTION: return a->def_stmt == b->def_stmt;
  case RLX_SYMBOL_OP: return a->op == b->op;
  case RLX_SYMBOL_MODULE:
  case RLX_SYMBOL_OUTER: return a->name == b->name && a->scope == b->scope;
  case RLX_SYMBOL_LOCAL:
  case RLX_SYMBOL_ALIAS:
  case RLX_SYMBOL_BLOCK:
    return a->def_stmt == b->def_stmt && a->def_span.start == b->def_span.start;
  case RLX_SYMBOL_NAMESPACE:
  case RLX_SYMBOL_NONE: break;
  }
  return false;
}

static bool is_it(const Finder *f, const RlxSymbol *here) {
  if (same(here, f->symbol)) return true;
  for (uint32_t i = 0; i < f->joined_count && here->kind == RLX_SYMBOL_VAR; i++)
    if (f->joined[i] == here->var) return true;
  return false;
}

static void found(Finder *f, RlxSpan relative, bool is_write) {
  rlx_vec_push(f->out,
               (RlxOccurrence){.span = rlx_stmt_absolute(f->stmt, relative), .is_write = is_write});
}

/// Whether the symbol's name in a string among dimensions is the symbol.
static bool is_it_in_string(const Finder *f, const RlxAst *string) {
  const RlxAnalysis *unit = f->stmt->analysis;
  const RlxName name = f->symbol->name;
  RlxSymbol here = {0};
  if (unit && unit->fn && unit->fn->kind == RLX_ISLAND_PRIM_FUNC)
    return rlx_symbol_of_text(f->file, f->stmt, name, string->span, &here) && is_it(f, &here);
  return (f->symbol->kind == RLX_SYMBOL_SYMVAR || f->symbol->kind == RLX_SYMBOL_VAR) &&
         rlx_symbol_of_dimension(f->stmt, name, &here) && is_it(f, &here);
}

static void find_in_string(Finder *f, const RlxAst *ast) {
  if (!strstr(ast->text, rlx_store_text(f->file->store, f->symbol->name)) ||
      !is_it_in_string(f, ast))
    return;
  uint32_t size;
  const char *text = rlx_document_text(f->file->document, &size),
             *name = rlx_store_text(f->file->store, f->symbol->name);
  uint32_t length = (uint32_t)strlen(name);
  RlxSpan span = rlx_stmt_absolute(f->stmt, ast->span);
  for (uint32_t i = span.start + 1; i + length < span.end; i++) {
    bool is_word = !memcmp(text + i, name, length) && !rlx_symbol_is_word(text[i - 1]) &&
                   !rlx_symbol_is_word(text[i + length]);
    if (is_word) rlx_vec_push(f->out, (RlxOccurrence){.span = rlx_span(i, i + length)});
  }
}

/// Does a lambda or comprehension bind the name for what stands in it?
static bool hides(const RlxAst *ast, RlxName name) {
  for (uint32_t i = 0; ast->kind == RLX_AST_LAMBDA && i < ast->param_count; i++)
    if (ast->params[i].name == name) return true;
  for (uint32_t i = 0; ast->kind == RLX_AST_COMPREHENSION && i < ast->child_count; i++)
    if (ast->children[i]->kind == RLX_AST_COMP_FOR &&
        rlx_ast_names(ast->children[i]->children[0], name))
      return true;
  return false;
}

/// `{"global_symbol": "f"}` in the function f.
static void find_in_dict(Finder *f, const RlxAst *ast) {
  const RlxFn *fn = f->symbol->kind == RLX_SYMBOL_FUNCTION ? rlx_fn_around(f->stmt) : NULL;
  if (!fn || fn->stmt != f->symbol->def_stmt) return;
  for (uint32_t i = 0; i + 1 < ast->child_count; i += 2) {
    const RlxAst *key = ast->children[i], *value = ast->children[i + 1];
    RlxSpan inside;
    bool names_it = key->kind == RLX_AST_STRING && !strcmp(key->text, "global_symbol") &&
                    value->kind == RLX_AST_STRING &&
                    !strcmp(value->text, rlx_store_text(f->file->store, f->symbol->name)) &&
                    rlx_symbol_string_inside(f->file, f->stmt, value, &inside);
    if (names_it) rlx_vec_push(f->out, (RlxOccurrence){.span = inside, .is_text = true});
  }
}

/// Whether `head`, of `head.f` or `head["f"]`, is the module of the function that is looked for: 1 or 0 where no function
/// around binds it, which takes no search through the statements before; else -1, not known.
static int is_module(Finder *f, const RlxAst *head) {
  if (head->kind != RLX_AST_NAME) return 0;
  const RlxFn *fn = rlx_fn_outermost(rlx_fn_around(f->stmt));
  if (!fn || may_bind(f, fn, head->name)) return -1;
  const RlxModule *module = rlx_symbol_outer_module(f->file, fn->stmt, head->name);
  const RlxFn *member = module ? rlx_module_fn(module, f->symbol->name) : NULL;
  return member && member->stmt == f->symbol->def_stmt;
}

static void find_in_attribute(Finder *f, const RlxAst *ast) {
  RlxSymbol here = {0};
  RlxSpan span;
  if (f->symbol->kind == RLX_SYMBOL_FUNCTION && ast->name == f->symbol->name) {
    int is = is_module(f, ast->children[0]);
    if (is < 0)
      is = rlx_symbol_of_attribute(f->file, f->stmt, &ast, 0, &here) && same(&here, f->symbol);
    if (is) found(f, ast->name_span, false);
  }
  if (f->symbol->kind == RLX_SYMBOL_OP && rlx_symbol_op(f->file, ast, &span) == f->symbol->op)
    found(f, span, false);
}

/// `Module["f"]`.
static void find_in_item(Finder *f, const RlxAst *ast) {
  const RlxAst *item = ast->child_count == 2 ? ast->children[1] : NULL;
  const char *name = rlx_store_text(f->file->store, f->symbol->name);
  RlxSymbol here = {0};
  if (!item || item->kind != RLX_AST_STRING || strcmp(item->text, name) != 0) return;
  int is = is_module(f, ast->children[0]);
  if (is < 0)
    is = rlx_symbol_of_item(f->file, f->stmt, ast, &here) && same(&here, f->symbol);
  else if (is)
    is = rlx_symbol_string_inside(f->file, f->stmt, item, &here.span);
  if (is) rlx_vec_push(f->out, (RlxOccurrence){.span = here.span});
}

/// Whether a name that an error leaves without a meaning may be meant to be the variable: the
/// function or the branch that binds it is around the finder's statement, or the `if` that makes a
/// result of it.
static bool may_mean(const Finder *f) {
  const RlxVar *var = f->symbol->kind == RLX_SYMBOL_VAR ? f->symbol->var : NULL;
  if (!var || !var->stmt) return false;
  const RlxBlock *scope = var->is_param ? var->stmt->body : var->stmt->block;
  const RlxStmt *bound = var->stmt;
  while (scope->parent &&
         (scope->parent->kind == RLX_STMT_WITH ||
          (scope->parent->kind == RLX_STMT_IF && bound == scope->stmts[scope->count - 1]))) {
    bound = scope->parent;
    scope = bound->block;
  }
  const RlxBlock *at = f->stmt->block;
  while (at && at != scope) at = at->parent ? at->parent->block : NULL;
  return at != NULL;
}

/// `is_sinfo`: strings are dimensions here; `is_write`: the expression is assigned to.
static void find_in_ast(Finder *f, const RlxAst *ast, bool is_sinfo, bool is_write) {
  if (!ast || f->depth > 300 || hides(ast, f->symbol->name)) return;
  f->depth++;
  RlxSymbol here = {0};
  if (ast->kind == RLX_AST_NAME && ast->name == f->symbol->name &&
      (symbol_here(f, ast->name, ast->span, &here) ? is_it(f, &here) : may_mean(f)))
    found(f, ast->span, is_write);
  if (ast->kind == RLX_AST_STRING && is_sinfo) find_in_string(f, ast);
  if (ast->kind == RLX_AST_ATTRIBUTE) find_in_attribute(f, ast);
  if (ast->kind == RLX_AST_DICT) find_in_dict(f, ast);
  if (ast->kind == RLX_AST_SUBSCRIPT && f->symbol->kind == RLX_SYMBOL_FUNCTION)
    find_in_item(f, ast);
  bool passes_on = is_write && ast->kind != RLX_AST_ATTRIBUTE; // to what hangs below
  for (uint32_t i = 0; i < ast->child_count; i++) {
    bool inside = ast->kind == RLX_AST_CALL
                      ? rlx_symbol_has_dimensions(f->file->store, ast, i, is_sinfo)
                      : is_sinfo;
    bool is_index = ast->kind == RLX_AST_SUBSCRIPT && i > 0;
    find_in_ast(f, ast->children[i], inside, passes_on && !is_index);
  }
  f->depth--;
}

static void find_in_block(Finder *f, const RlxBlock *block);

static void find_in_imports(Finder *f, const RlxStmt *stmt) {
  for (uint32_t i = 0; i < stmt->import_count; i++) {
    const RlxImport *import = &stmt->imports[i];
    RlxSymbol here = {0};
    if (import->name != f->symbol->name || !import->name ||
        !rlx_symbol_outer(f->file, stmt, import->name, false, &here) || !is_it(f, &here))
      continue;
    found(f, rlx_import_name_span(f->file, stmt, import), true);
    rlx_vec_last(f->out).is_import =
        stmt->kind == RLX_STMT_IMPORT && !rlx_import_has_alias(f->file, stmt, import);
  }
}

/// The name of a def or class.
static void find_in_name(Finder *f, const RlxStmt *stmt) {
  RlxSymbol here = {0};
  bool is_def = stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS;
  if (!is_def || stmt->name != f->symbol->name || !stmt->name) return;
  bool is_one = stmt == f->symbol->def_stmt && f->symbol->kind == RLX_SYMBOL_FUNCTION;
  if (!is_one && f->symbol->scope && f->symbol->kind != RLX_SYMBOL_FUNCTION)
    is_one = rlx_symbol_scope(stmt->block) == f->symbol->scope;
  if (!is_one && f->symbol->kind == RLX_SYMBOL_VAR)
    is_one =
        rlx_symbol_of_name(f->file, stmt, stmt->name, stmt->name_span, &here) && is_it(f, &here);
  if (is_one) found(f, stmt->name_span, true);
}

static void find_in_params(Finder *f, const RlxStmt *stmt) {
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    const RlxParam *p = &stmt->params[i];
    RlxSymbol here = {0};
    if (p->name == f->symbol->name &&
        rlx_symbol_of_name(f->file, stmt, p->name, p->name_span, &here) && is_it(f, &here))
      found(f, p->name_span, true);
    find_in_ast(f, p->annotation, true, false);
    find_in_ast(f, p->default_value, false, false);
  }
}

/// Whether an assignment around functions makes a symbolic variable: `n = tir.Var("n", "int64")`, `n = TypeVar("n")`.
static bool makes_variable(const Finder *f, const RlxAst *call) {
  const char *name =
      call && call->kind == RLX_AST_CALL ? rlx_ast_last_name(f->file->store, call) : "";
  return !strcmp(name, "Var") || !strcmp(name, "SizeVar") || !strcmp(name, "TypeVar");
}

/// `n = T.Var("n", "int64")`, `n = TypeVar("n")`: TVM wants both to be the same.
static void find_in_declaration(Finder *f, const RlxStmt *stmt) {
  const RlxAst *call = stmt->value;
  bool declares = (f->symbol->kind == RLX_SYMBOL_SYMVAR ||
                   (f->symbol->kind == RLX_SYMBOL_OUTER && makes_variable(f, call))) &&
                  stmt->kind == RLX_STMT_ASSIGN && stmt->target_count == 1 &&
                  stmt->targets[0]->kind == RLX_AST_NAME &&
                  stmt->targets[0]->name == f->symbol->name && call && call->kind == RLX_AST_CALL &&
                  call->child_count > 1 && call->children[1]->kind == RLX_AST_STRING;
  RlxSymbol here = {0};
  RlxSpan inside;
  if (!declares ||
      strcmp(call->children[1]->text, rlx_store_text(f->file->store, f->symbol->name)) != 0 ||
      !rlx_symbol_of_name(f->file, stmt, f->symbol->name, stmt->targets[0]->span, &here) ||
      !is_it(f, &here))
    return;
  if (rlx_symbol_string_inside(f->file, stmt, call->children[1], &inside))
    rlx_vec_push(f->out, (RlxOccurrence){.span = inside, .is_text = true});
}

static void find_in_stmt(Finder *f, const RlxStmt *stmt) {
  if (f->depth > 300) return;
  f->stmt = stmt;
  for (uint32_t i = 0; i < stmt->decorator_count; i++)
    find_in_ast(f, stmt->decorators[i], false, false);
  find_in_name(f, stmt);
  find_in_params(f, stmt);
  find_in_imports(f, stmt);
  find_in_declaration(f, stmt);
  bool assigns = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED ||
                 stmt->kind == RLX_STMT_AUGMENTED || stmt->kind == RLX_STMT_FOR;
  for (uint32_t i = 0; i < stmt->target_count; i++)
    find_in_ast(f, stmt->targets[i], false, assigns);
  for (uint32_t i = 0; i < stmt->item_count; i++) {
    find_in_ast(f, stmt->items[i].value, false, false);
    find_in_ast(f, stmt->items[i].target, false, true);
  }
  find_in_ast(f, stmt->annotation, true, false);
  find_in_ast(f, stmt->value, false, false);
  find_in_ast(f, stmt->message, false, false);
  f->depth++;
  find_in_block(f, stmt->body);
  find_in_block(f, stmt->orelse);
  for (uint32_t i = 0; i < stmt->block_count; i++) find_in_block(f, stmt->blocks[i]);
  f->depth--;
}

static void find_in_block(Finder *f, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) find_in_stmt(f, block->stmts[i]);
}

static int by_start(const void *a, const void *b) {
  const RlxOccurrence *x = a, *y = b;
  return x->span.start < y->span.start ? -1 : x->span.start > y->span.start;
}

/// The statement that holds all occurrences; NULL: the file.
static const RlxStmt *region_of(const RlxSymbol *symbol) {
  switch ((RlxSymbolKind)symbol->kind) {
  case RLX_SYMBOL_VAR:
  case RLX_SYMBOL_SYMVAR:
  case RLX_SYMBOL_LOCAL:
  case RLX_SYMBOL_ALIAS: {
    const RlxFn *fn = rlx_fn_outermost(rlx_fn_around(symbol->stmt));
    return fn ? fn->stmt : NULL;
  }
  case RLX_SYMBOL_OUTER:
  case RLX_SYMBOL_MODULE: return symbol->scope ? symbol->scope->parent : NULL;
  case RLX_SYMBOL_FUNCTION:
  case RLX_SYMBOL_OP:
  case RLX_SYMBOL_BLOCK:
  case RLX_SYMBOL_NAMESPACE:
  case RLX_SYMBOL_NONE: break;
  }
  return NULL;
}

void rlx_file_occurrences(RlxFile *file, const RlxSymbol *symbol, RlxOccurrences *out) {
  rlx_file_analyze(file, NULL);
  Finder finder = {.file = file, .symbol = symbol, .out = out};
  if (symbol->kind == RLX_SYMBOL_NONE) return;
  if (symbol->kind == RLX_SYMBOL_BLOCK) {
    rlx_vec_push(out, (RlxOccurrence){.span = symbol->def_span, .is_write = true});
    return;
  }
  if (symbol->kind == RLX_SYMBOL_VAR) join_vars(&finder);
  uint32_t first = out->count;
  const RlxStmt *region = region_of(symbol);
  if (region)
    find_in_stmt(&finder, region);
  else
    find_in_block(&finder, rlx_document_root(file->document));
  if (out->count - first > 1) qsort(out->at + first, out->count - first, sizeof *out->at, by_start);
  uint32_t kept = first;
  for (uint32_t i = first; i < out->count; i++) {
    if (kept == first || out->at[kept - 1].span.start != out->at[i].span.start)
      out->at[kept++] = out->at[i];
  }
  out->count = kept;
  rlx_map_free(&finder.bound);
}

void rlx_file_symbol_references(RlxFile *file, const RlxSymbol *symbol, RlxSpans *out) {
  RlxOccurrences all = {0};
  rlx_file_occurrences(file, symbol, &all);
  for (uint32_t i = 0; i < all.count; i++)
    if (!all.at[i].is_text) rlx_vec_push(out, all.at[i].span);
  rlx_vec_free(&all);
}

void rlx_file_references(RlxFile *file, uint32_t offset, RlxSpans *out) {
  RlxSymbol symbol;
  if (rlx_file_symbol_at(file, offset, &symbol)) rlx_file_symbol_references(file, &symbol, out);
}
