/// What stands at a place, and where else: for hover, definition, references, rename, completion.
/// Names are resolved as the analysis resolved them. Costs what the statement holds; a scan of the
/// function for names that the analysis did not get to.
#include <string.h>

#include "analyzer/ask/questions.h"
#include "analyzer/function/files.h"
#include "analyzer/state/state.h"
#include "analyzer/words/prim_names.h"

static const RlxAnalysis *unit_of(const RlxStmt *stmt) { return stmt->analysis; }

static RlxModule *module_around(RlxFile *file, const RlxStmt *stmt) {
  const RlxFn *fn = rlx_fn_outermost(rlx_fn_around(stmt));
  if (fn && fn->module) return fn->module;
  for (; stmt; stmt = stmt->block ? stmt->block->parent : NULL) {
    RlxModule *module = rlx_module_of(file, stmt);
    if (module) return module;
  }
  return NULL;
}

// ------------------------------------------------------------------ definitions

static const RlxDef *last_def(const RlxBlock *block, uint32_t end, RlxName name);

/// The last definition of `name` that `stmt` leaves behind, those of the suites in it included.
static const RlxDef *def_in(const RlxStmt *stmt, RlxName name) {
  const RlxAnalysis *unit = unit_of(stmt);
  if (unit && unit->fn && !unit->owner) return NULL;
  bool is_def = unit && unit->fn;
  const RlxDef *found = NULL;
  if (!is_def && stmt->orelse) found = last_def(stmt->orelse, stmt->orelse->count, name);
  if (!found && !is_def && stmt->body) found = last_def(stmt->body, stmt->body->count, name);
  for (uint32_t i = unit ? unit->def_count : 0; !found && i-- > 0;) {
    if (unit->defs[i].name == name && !unit->defs[i].is_value) found = &unit->defs[i];
  }
  return found;
}

static const RlxDef *last_def(const RlxBlock *block, uint32_t end, RlxName name) {
  for (uint32_t i = end; i-- > 0;) {
    const RlxDef *def = def_in(block->stmts[i], name);
    if (def) return def;
  }
  return NULL;
}

/// The definition of `name` as read by `stmt`: by a search from the statement back.
static const RlxDef *search(const RlxStmt *stmt, RlxName name) {
  while (stmt && stmt->block) {
    const RlxAnalysis *unit = unit_of(stmt);
    if (unit && unit->fn) { // the header of a function
      for (uint32_t i = 0; i < unit->fn->params.count; i++) {
        if (unit->fn->params.at[i].name == name) return &unit->fn->params.at[i];
      }
      if (!unit->owner) return NULL;
    }
    const RlxFn *fn = rlx_fn_around(stmt);
    if (fn && !fn->body && stmt != fn->stmt) { // nothing in a PrimFunc is a definition of its units
      stmt = fn->stmt;
      continue;
    }
    const RlxDef *def = last_def(stmt->block, stmt->index, name);
    if (def) return def;
    stmt = stmt->block->parent;
  }
  return NULL;
}

static const RlxDef *def_of_name(const RlxDef *defs, uint32_t count, RlxName name) {
  for (uint32_t i = count; i-- > 0;)
    if (defs[i].name == name) return &defs[i];
  return NULL;
}

/// The definition of `name` in `fn` that made `read`, by what it stands for; NULL: look for it.
static const RlxDef *def_of_read(const RlxFn *fn, const RlxStmt *stmt, const RlxRead *read) {
  if ((uint8_t)read->flags == RLX_VALUE_EXPR && read->thing) {
    const RlxVar *var = read->thing;
    const RlxAnalysis *unit = var->stmt ? unit_of(var->stmt) : NULL;
    if (var->is_param) return def_of_name(fn->params.at, fn->params.count, read->name);
    return unit ? def_of_name(unit->defs, unit->def_count, read->name) : NULL;
  }
  for (uint32_t i = fn->odd.count; i-- > 0;) {
    const RlxAnalysis *unit = fn->odd.at[i];
    const RlxDef *def = unit->stmt->start < stmt->start
                            ? def_of_name(unit->defs, unit->def_count, read->name)
                            : NULL;
    if (def) return def;
  }
  return def_of_name(fn->params.at, fn->params.count, read->name);
}

/// The definition of `name` as read by `stmt`. What the analysis noted when it read the name is
/// asked first.
static const RlxDef *resolve(const RlxStmt *stmt, RlxName name) {
  for (;;) {
    const RlxAnalysis *unit = stmt ? unit_of(stmt) : NULL;
    const RlxFn *fn = unit ? unit->owner : NULL;
    const RlxRead *read = NULL;
    if (!fn || unit->fn) return search(stmt, name);
    for (uint32_t i = 0; i < unit->read_count && !read; i++)
      if (unit->reads[i].name == name) read = &unit->reads[i];
    if (!read) return search(stmt, name);
    if (read->thing || read->flags) {
      const RlxDef *def = def_of_read(fn, stmt, read);
      return def ? def : search(stmt, name);
    }
    if (!fn->outer) return NULL; // the function has no such name
    stmt = fn->stmt;
  }
}

/// The definition that stands at `span` of `stmt` itself.
static const RlxDef *def_at(const RlxStmt *stmt, RlxName name, RlxSpan span) {
  const RlxAnalysis *unit = unit_of(stmt);
  for (uint32_t i = 0; unit && i < unit->def_count; i++) {
    const RlxDef *def = &unit->defs[i];
    if (def->name == name && !def->is_value && def->stmt == stmt && def->span.start == span.start)
      return def;
  }
  const RlxFn *fn = unit ? unit->fn : NULL;
  for (uint32_t i = 0; fn && i < fn->params.count; i++) {
    if (fn->params.at[i].name == name && fn->params.at[i].span.start == span.start)
      return &fn->params.at[i];
  }
  return NULL;
}

static const RlxSymVar *symvar_of(const RlxValue *v) {
  return v->kind == RLX_VALUE_PRIM ? rlx_prim_as_var(v->prim) : NULL;
}

static const RlxVar *var_of(const RlxValue *v) {
  return v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_VAR ? v->expr->var : NULL;
}

// ------------------------------------------------------------------ symbols

static void fill_def(RlxSymbol *out, const RlxDef *def) {
  out->def_stmt = def->stmt;
  out->def_span = rlx_stmt_absolute(def->stmt, def->span);
  const RlxVar *var = var_of(&def->value);
  const RlxSymVar *symvar = symvar_of(&def->value);
  if (symvar) {
    out->kind = RLX_SYMBOL_SYMVAR;
    out->symvar = symvar;
  } else if (var) {
    out->kind = RLX_SYMBOL_VAR;
    out->var = var;
    out->sinfo = var->sinfo;
    if (var->stmt && !var->is_temporary &&
        var->name == def->name) { // an alias or output: where the variable is bound
      out->def_stmt = var->named_in;
      out->def_span = rlx_stmt_absolute(var->named_in, var->span);
    }
  } else if (def->value.kind == (uint8_t)RLX_VALUE_CLASS) {
    out->kind = RLX_SYMBOL_MODULE;
  } else {
    out->kind = RLX_SYMBOL_NONE;
  }
}

static bool is_class_name(RlxFile *file, const RlxStmt *stmt, RlxName name) {
  const RlxDef *def = resolve(stmt, name);
  if (def) return def->value.kind == (uint8_t)RLX_VALUE_CLASS;
  RlxModule *module = module_around(file, stmt);
  return module && module->name == name;
}

static bool symbol_function(RlxFn *fn, RlxSymbol *out) {
  out->kind = RLX_SYMBOL_FUNCTION;
  out->name = fn->stmt->name;
  out->def_stmt = fn->stmt;
  out->def_span = rlx_stmt_absolute(fn->stmt, fn->stmt->name_span);
  out->sinfo = fn->function.sinfo;
  return true;
}

/// `R.nn.relu` around an attribute: the operator whose whole name it is.
static const RlxOpRow *op_of(RlxFile *file, const RlxAst *ast, RlxSpan *span) {
  const char *parts[8];
  int count = 0;
  const RlxAst *at = ast;
  for (; at->kind == RLX_AST_ATTRIBUTE && count < 8; at = at->children[0])
    parts[count++] = rlx_store_text(file->store, at->name);
  if (at->kind != RLX_AST_NAME) return NULL;
  const char *head = rlx_store_text(file->store, at->name);
  if (strcmp(head, "R") != 0 && strcmp(head, "relax") != 0 && strcmp(head, "rx") != 0) return NULL;
  char spelling[128];
  size_t used = 0;
  while (count-- > 0) {
    size_t n = strlen(parts[count]);
    if (used + n + 2 > sizeof spelling) return NULL;
    memcpy(spelling + used, parts[count], n);
    used += n;
    if (count) spelling[used++] = '.';
  }
  *span = ast->span;
  return rlx_op_find(spelling, used);
}

/// StructInfo of the call whose operator's name covers `offset` (relative).
static const RlxSInfo *call_sinfo(const RlxStmt *stmt, RlxSpan name) {
  const RlxAnalysis *unit = unit_of(stmt);
  for (uint32_t i = 0; unit && i < unit->binding_count; i++) {
    const RlxBinding *b = unit->bindings[i];
    if (b->value && b->value->kind == RLX_EXPR_CALL &&
        b->value->call.name_span.start <= name.start && b->value->call.name_span.end >= name.end)
      return b->deduced;
  }
  return NULL;
}

static bool symbol_attribute(RlxFile *file, const RlxStmt *stmt, const RlxAst *const *path,
                             uint32_t depth, RlxSymbol *out) {
  const RlxAst *ast = path[depth];
  for (uint32_t i = depth + 1; i-- > 0;) { // the widest chain that is an operator's name
    if (path[i]->kind != RLX_AST_ATTRIBUTE) break;
    RlxSpan span;
    const RlxOpRow *row = op_of(file, path[i], &span);
    if (!row) continue;
    out->kind = RLX_SYMBOL_OP;
    out->op = row;
    out->span = rlx_stmt_absolute(stmt, span);
    out->sinfo = call_sinfo(stmt, span);
    return true;
  }
  if (ast->children[0]->kind != RLX_AST_NAME || !is_class_name(file, stmt, ast->children[0]->name))
    return false;
  RlxModule *module = module_around(file, stmt);
  RlxFn *fn = module ? rlx_module_fn(module, ast->name) : NULL;
  out->span = rlx_stmt_absolute(stmt, ast->name_span);
  return fn && symbol_function(fn, out);
}

static RlxFn *function_named(RlxFile *file, const RlxStmt *stmt, RlxName name) {
  RlxModule *module = module_around(file, stmt);
  RlxFn *fn = module ? rlx_module_fn(module, name) : NULL;
  for (uint32_t i = 0; !fn && i < file->fns.count; i++) {
    if (!file->fns.at[i]->module && file->fns.at[i]->stmt->name == name) fn = file->fns.at[i];
  }
  return fn;
}

/// A name of the PrimFunc around `stmt`.
static bool symbol_local(const RlxStmt *stmt, RlxName name, RlxSymbol *out) {
  const RlxFn *fn = rlx_fn_around(stmt);
  RlxSpan span;
  if (!fn || fn->kind != RLX_ISLAND_PRIM_FUNC) return false;
  const RlxStmt *def = rlx_prim_name_definition(fn->stmt, stmt, name, &span);
  if (!def) return false;
  out->kind = RLX_SYMBOL_LOCAL;
  out->stmt = stmt;
  out->def_stmt = def;
  out->def_span = rlx_stmt_absolute(def, span);
  return true;
}

static bool symbol_name(RlxFile *file, const RlxStmt *stmt, RlxName name, RlxSpan span,
                        RlxSymbol *out) {
  out->span = rlx_stmt_absolute(stmt, span);
  out->name = name;
  const RlxDef *def = def_at(stmt, name, span);
  if (!def) def = resolve(stmt, name);
  if (def) {
    fill_def(out, def);
    if (out->kind != RLX_SYMBOL_NONE) return true;
  }
  if (symbol_local(stmt, name, out)) return true;
  if (def) return false;
  RlxFn *fn = function_named(file, stmt, name);
  if (fn) return symbol_function(fn, out);
  const RlxModule *module = module_around(file, stmt);
  if (!module || module->name != name) return false;
  out->kind = RLX_SYMBOL_MODULE;
  out->def_stmt = module->stmt;
  out->def_span = rlx_stmt_absolute(module->stmt, module->stmt->name_span);
  return true;
}

static bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c & 0x80);
}

/// The word of the file around `offset`.
static RlxSpan word_at(RlxFile *file, uint32_t offset) {
  uint32_t size, start = offset;
  const char *text = rlx_document_text(file->document, &size);
  while (start && is_word(text[start - 1])) start--;
  uint32_t end = offset;
  while (end < size && is_word(text[end])) end++;
  return rlx_span(start, end);
}

/// A symbolic variable of the function around `stmt` by name: out of its signature or its
/// definitions.
static const RlxSymVar *symvar_named(const RlxStmt *stmt, RlxName name) {
  const RlxDef *def = resolve(stmt, name);
  return def ? symvar_of(&def->value) : NULL;
}

static bool symbol_in_string(RlxFile *file, const RlxStmt *stmt, uint32_t offset, RlxSymbol *out) {
  RlxSpan word = word_at(file, offset);
  uint32_t size;
  const char *text = rlx_document_text(file->document, &size);
  if (word.start == word.end) return false;
  RlxName name = rlx_store_intern(file->store, text + word.start, word.end - word.start);
  const RlxSymVar *var = symvar_named(stmt, name);
  if (!var) return false;
  out->kind = RLX_SYMBOL_SYMVAR;
  out->symvar = var;
  out->name = name;
  out->span = word;
  RlxSpan span;
  if (rlx_file_symvar_definition(file, stmt, var, &span)) {
    out->def_span = span;
    out->def_stmt = stmt;
  }
  return true;
}

/// Is the string that `path` ends in part of a StructInfo? A string in any other call is a text.
/// Annotations have no call around them, or one of these.
static bool is_in_sinfo(const RlxFile *file, const RlxAst *const *path, uint32_t count) {
  while (count-- > 0) {
    const RlxAst *callee = path[count]->kind == RLX_AST_CALL ? path[count]->children[0] : NULL;
    if (!callee) continue;
    const char *name = callee->kind == RLX_AST_ATTRIBUTE || callee->kind == RLX_AST_NAME
                           ? rlx_store_text(file->store, callee->name)
                           : "";
    return !strcmp(name, "Tensor") || !strcmp(name, "Shape") || !strcmp(name, "Prim") ||
           !strcmp(name, "DTensor") || !strcmp(name, "SparseCSR");
  }
  return true;
}

bool rlx_file_symbol_at(RlxFile *file, uint32_t offset, RlxSymbol *out) {
  memset(out, 0, sizeof *out);
  rlx_file_analyze(file, NULL);
  const RlxStmt *stmt = rlx_document_stmt_at(file->document, offset);
  if (!stmt || offset < stmt->start) return false;
  out->stmt = stmt;
  uint32_t at = offset - stmt->start;
  if (stmt->name && stmt->name_span.start <= at && at <= stmt->name_span.end) { // def f, class M
    out->name = stmt->name;
    out->span = out->def_span = rlx_stmt_absolute(stmt, stmt->name_span);
    out->def_stmt = stmt;
    const RlxAnalysis *unit = unit_of(stmt);
    out->kind = unit && unit->fn       ? RLX_SYMBOL_FUNCTION
                : unit && unit->module ? RLX_SYMBOL_MODULE
                                       : RLX_SYMBOL_NONE;
    if (unit && unit->fn) out->sinfo = unit->fn->function.sinfo;
    return out->kind != RLX_SYMBOL_NONE;
  }
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    const RlxParam *p = &stmt->params[i];
    if (p->name_span.start <= at && at <= p->name_span.end && p->name)
      return symbol_name(file, stmt, p->name, p->name_span, out);
  }
  const RlxAst *path[64];
  uint32_t count = 0;
  const RlxAst *ast = rlx_document_ast_at(stmt, offset, path, &count, 64);
  if (!ast || !count) return false;
  if (ast->kind == RLX_AST_NAME && count > 1 && path[count - 2]->kind == RLX_AST_ATTRIBUTE &&
      symbol_attribute(file, stmt, path, count - 2, out) && out->kind == RLX_SYMBOL_OP)
    return true;
  if (ast->kind == RLX_AST_NAME) return symbol_name(file, stmt, ast->name, ast->span, out);
  if (ast->kind == RLX_AST_ATTRIBUTE) return symbol_attribute(file, stmt, path, count - 1, out);
  if (ast->kind == RLX_AST_STRING)
    return is_in_sinfo(file, path, count) && symbol_in_string(file, stmt, offset, out);
  return false;
}

// ------------------------------------------------------------------ references

typedef struct Finder {
  RlxFile *file;
  const RlxSymbol *symbol;
  const RlxStmt *stmt;
  RlxSpans *out;
  int depth;
  /// VAR: variables that are the same one to the script, beside the symbol's own
  const RlxVar *joined[16];
  uint32_t joined_count;
} Finder;

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
      const RlxDef *def = blocks[i] ? last_def(blocks[i], blocks[i]->count, var->name) : NULL;
      if (def) join(f, var_of(&def->value));
    }
  }
  for (const RlxStmt *at = stmt->block ? stmt->block->parent : NULL; at && at->kind == RLX_STMT_IF;
       at = at->block->parent) {
    const RlxAnalysis *unit = unit_of(at);
    const RlxDef *def = unit ? def_of_name(unit->defs, unit->def_count, var->name) : NULL;
    const RlxDef *last = last_def(stmt->block, stmt->block->count, var->name);
    if (!def || !last || var_of(&last->value) != var) return;
    join(f, var_of(&def->value));
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
  case RLX_SYMBOL_MODULE: return a->name == b->name;
  case RLX_SYMBOL_LOCAL:
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

static void found(Finder *f, RlxSpan relative) {
  rlx_vec_push(f->out, rlx_stmt_absolute(f->stmt, relative));
}

static void find_in_string(Finder *f, const RlxAst *ast) {
  if (f->symbol->kind != RLX_SYMBOL_SYMVAR) return;
  uint32_t size;
  const char *text = rlx_document_text(f->file->document, &size),
             *name = rlx_store_text(f->file->store, f->symbol->name);
  uint32_t length = (uint32_t)strlen(name);
  RlxSpan span = rlx_stmt_absolute(f->stmt, ast->span);
  if (symvar_named(f->stmt, f->symbol->name) != f->symbol->symvar) return;
  for (uint32_t i = span.start; i + length <= span.end; i++) {
    bool here =
        !memcmp(text + i, name, length) && !is_word(text[i - 1]) && !is_word(text[i + length]);
    if (here && i > span.start) rlx_vec_push(f->out, rlx_span(i, i + length));
  }
}

static void find_in_ast(Finder *f, const RlxAst *ast, bool is_sinfo) {
  if (!ast || f->depth > 300) return;
  f->depth++;
  RlxSymbol here = {0};
  if (ast->kind == RLX_AST_NAME && ast->name == f->symbol->name &&
      symbol_name(f->file, f->stmt, ast->name, ast->span, &here) && is_it(f, &here))
    found(f, ast->span);
  if (ast->kind == RLX_AST_STRING && is_sinfo) find_in_string(f, ast);
  if (ast->kind == RLX_AST_ATTRIBUTE && f->symbol->kind == RLX_SYMBOL_FUNCTION &&
      ast->name == f->symbol->name) {
    memset(&here, 0, sizeof here);
    if (symbol_attribute(f->file, f->stmt, &ast, 0, &here) && same(&here, f->symbol))
      found(f, ast->name_span);
  }
  if (ast->kind == RLX_AST_ATTRIBUTE && f->symbol->kind == RLX_SYMBOL_OP) {
    RlxSpan span;
    if (op_of(f->file, ast, &span) == f->symbol->op) found(f, span);
  }
  bool inside = is_sinfo;
  if (ast->kind == RLX_AST_CALL &&
      ast->children[0]->kind == RLX_AST_ATTRIBUTE) { // R.Tensor("n", …): strings are dimensions
    const char *callee = rlx_store_text(f->file->store, ast->children[0]->name);
    inside = is_sinfo || !strcmp(callee, "Tensor") || !strcmp(callee, "Shape") ||
             !strcmp(callee, "Prim") || !strcmp(callee, "DTensor");
  }
  for (uint32_t i = 0; i < ast->child_count; i++) find_in_ast(f, ast->children[i], inside);
  f->depth--;
}

static void find_in_block(Finder *f, const RlxBlock *block);

static void find_in_stmt(Finder *f, const RlxStmt *stmt) {
  if (f->depth > 300) return;
  f->stmt = stmt;
  for (uint32_t i = 0; i < stmt->decorator_count; i++) find_in_ast(f, stmt->decorators[i], false);
  if ((f->symbol->kind == RLX_SYMBOL_FUNCTION || f->symbol->kind == RLX_SYMBOL_MODULE) &&
      stmt == f->symbol->def_stmt && stmt->name)
    found(f, stmt->name_span);
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    const RlxParam *p = &stmt->params[i];
    RlxSymbol here = {0};
    if (p->name == f->symbol->name && symbol_name(f->file, stmt, p->name, p->name_span, &here) &&
        is_it(f, &here))
      found(f, p->name_span);
    find_in_ast(f, p->annotation, true);
    find_in_ast(f, p->default_value, false);
  }
  for (uint32_t i = 0; i < stmt->target_count; i++) find_in_ast(f, stmt->targets[i], false);
  for (uint32_t i = 0; i < stmt->item_count; i++) find_in_ast(f, stmt->items[i].value, false);
  find_in_ast(f, stmt->annotation, true);
  find_in_ast(f, stmt->value, false);
  find_in_ast(f, stmt->message, false);
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
  const RlxSpan *x = a, *y = b;
  return x->start < y->start ? -1 : x->start > y->start;
}

void rlx_file_references(RlxFile *file, uint32_t offset, RlxSpans *out) {
  RlxSymbol symbol;
  if (rlx_file_symbol_at(file, offset, &symbol)) rlx_file_symbol_references(file, &symbol, out);
}

void rlx_file_symbol_references(RlxFile *file, const RlxSymbol *symbol, RlxSpans *out) {
  rlx_file_analyze(file, NULL);
  Finder finder = {.file = file, .symbol = symbol, .out = out};
  if (symbol->kind == RLX_SYMBOL_NONE) return;
  if (symbol->kind == RLX_SYMBOL_VAR) join_vars(&finder);
  uint32_t first = out->count;
  bool is_local = symbol->kind == RLX_SYMBOL_VAR || symbol->kind == RLX_SYMBOL_SYMVAR ||
                  symbol->kind == RLX_SYMBOL_LOCAL;
  const RlxFn *fn = rlx_fn_outermost(is_local ? rlx_fn_around(symbol->stmt) : NULL);
  if (fn)
    find_in_stmt(&finder, fn->stmt);
  else
    find_in_block(&finder, rlx_document_root(file->document));
  if (out->count - first > 1) qsort(out->at + first, out->count - first, sizeof *out->at, by_start);
  uint32_t kept = first;
  for (uint32_t i = first; i < out->count; i++) {
    if (kept == first || out->at[kept - 1].start != out->at[i].start) out->at[kept++] = out->at[i];
  }
  out->count = kept;
}

// ------------------------------------------------------------------ symbolic variables

/// First occurrence of the word `name` inside strings and names of `ast`; relative.
static bool first_mention(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast, RlxName name,
                          int depth, RlxSpan *out) {
  if (!ast || depth > 200) return false;
  if (ast->kind == RLX_AST_NAME && ast->name == name) {
    *out = rlx_stmt_absolute(stmt, ast->span);
    return true;
  }
  if (ast->kind == RLX_AST_STRING) {
    uint32_t size;
    const char *text = rlx_document_text(file->document, &size),
               *word = rlx_store_text(file->store, name);
    uint32_t length = (uint32_t)strlen(word);
    RlxSpan span = rlx_stmt_absolute(stmt, ast->span);
    for (uint32_t i = span.start + 1; i + length < span.end; i++) {
      if (!memcmp(text + i, word, length) && !is_word(text[i - 1]) && !is_word(text[i + length])) {
        *out = rlx_span(i, i + length);
        return true;
      }
    }
  }
  for (uint32_t i = 0; i < ast->child_count; i++) {
    if (first_mention(file, stmt, ast->children[i], name, depth + 1, out)) return true;
  }
  return false;
}

bool rlx_file_symvar_definition(RlxFile *file, const RlxStmt *stmt, const RlxSymVar *var,
                                RlxSpan *out) {
  const RlxFn *fn = stmt ? rlx_fn_around(stmt) : NULL;
  for (; fn; fn = fn->outer) {
    for (uint32_t i = 0; i < fn->stmt->param_count; i++) {
      if (first_mention(file, fn->stmt, fn->stmt->params[i].annotation, var->name, 0, out))
        return true;
    }
  }
  const RlxDef *def = stmt ? resolve(stmt, var->name) : NULL;
  if (!def || symvar_of(&def->value) != var) return false;
  *out = rlx_stmt_absolute(def->stmt, def->span);
  return true;
}
