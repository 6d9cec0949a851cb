/// Names that Python knows and TVM's parser does not. The parser gets the globals of the file and, of the Python functions around, what
/// the script's functions have in their closures: the names that their bodies read. What stands in a signature, a decorator or a module's
/// class alone is evaluated by Python, and is in no closure; and a class whose body holds no function has no globals either.
/// The same in 0.25 and 0.27.
#include "analyzer/report/captured.h"

#include "analyzer/eval/outer.h"
#include "analyzer/function/recognize.h"
#include "analyzer/report/told.h"
#include "analyzer/syntax/stmt_text.h"
#include "analyzer/words/names.h"
#include "analyzer/words/script_names.h"

enum { MAX_DEPTH = 100 };

typedef struct Look {
  RlxFile *file;
  RlxFileDiags *out;
  RlxTold errors;          ///< among the findings of this file in `out`
  const RlxModule *module; ///< or NULL: `def` stands by itself
  const RlxStmt *def;      ///< a function of TVM's that is looked at, or the module's class
  Vec(RlxName) told;       ///< once for all functions of a module: the body of one is enough
} Look;

static bool target_has(const RlxAst *target, RlxName name) {
  if (target->kind == RLX_AST_NAME) return target->name == name;
  bool is_list = target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST ||
                 target->kind == RLX_AST_STARRED;
  for (uint32_t i = 0; is_list && i < target->child_count; i++)
    if (target_has(target->children[i], name)) return true;
  return false;
}

/// Whether a statement of the suite makes `name` a local variable of the function that the suite belongs to.
static bool binds(const RlxBlock *block, RlxName name, int depth) {
  for (uint32_t i = 0; block && depth < MAX_DEPTH && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const bool is_scope = stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS;
    if (is_scope && stmt->name == name) return true;
    if (is_scope) continue;
    for (uint32_t k = 0; k < stmt->target_count; k++)
      if (target_has(stmt->targets[k], name)) return true;
    for (uint32_t k = 0; k < stmt->item_count; k++)
      if (stmt->items[k].target && target_has(stmt->items[k].target, name)) return true;
    for (uint32_t k = 0; stmt->kind == RLX_STMT_IMPORT && k < stmt->import_count; k++)
      if (stmt->imports[k].name == name) return true;
    for (uint32_t k = 0; k < stmt->block_count; k++)
      if (binds(stmt->blocks[k], name, depth + 1)) return true;
    if (binds(stmt->body, name, depth + 1) || binds(stmt->orelse, name, depth + 1)) return true;
  }
  return false;
}

/// Whether the suite says `nonlocal name`.
static bool declares(const RlxBlock *block, RlxName name) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    for (uint32_t k = 0; stmt->kind == RLX_STMT_GLOBAL && k < stmt->import_count; k++)
      if (stmt->imports[k].name == name) return true;
  }
  return false;
}

/// Whether a statement of the suite may read `name`: it stands in one, or its text is broken.
static bool reads(const RlxBlock *block, RlxName name, int depth) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    bool any = depth >= MAX_DEPTH || stmt->has_error || stmt->kind == RLX_STMT_HOLE ||
               rlx_ast_names(stmt->value, name) || rlx_ast_names(stmt->annotation, name) ||
               rlx_ast_names(stmt->message, name);
    for (uint32_t k = 0; k < stmt->target_count; k++) any |= rlx_ast_names(stmt->targets[k], name);
    for (uint32_t k = 0; k < stmt->item_count; k++)
      any |= rlx_ast_names(stmt->items[k].value, name);
    for (uint32_t k = 0; k < stmt->decorator_count; k++)
      any |= rlx_ast_names(stmt->decorators[k], name);
    for (uint32_t k = 0; k < stmt->param_count; k++)
      any |= rlx_ast_names(stmt->params[k].annotation, name) ||
             rlx_ast_names(stmt->params[k].default_value, name);
    for (uint32_t k = 0; k < stmt->block_count; k++) any |= reads(stmt->blocks[k], name, depth + 1);
    if (any || reads(stmt->body, name, depth + 1) || reads(stmt->orelse, name, depth + 1))
      return true;
  }
  return false;
}

/// Whether the function has `name`, of a Python function around it, in its closure.
static bool captures(const RlxStmt *def, RlxName name) {
  for (uint32_t i = 0; i < def->param_count; i++)
    if (def->params[i].name == name) return false;
  return declares(def->body, name) || (!binds(def->body, name, 0) && reads(def->body, name, 0));
}

/// Whether the parameters of the function, or its result, are annotated with `name`.
static bool is_annotated_with(const RlxStmt *def, RlxName name) {
  bool any = rlx_ast_names(def->annotation, name);
  for (uint32_t i = 0; i < def->param_count; i++)
    any |= rlx_ast_names(def->params[i].annotation, name);
  return any;
}

/// Whether something in the file makes `name` a global, or it is one without that. `bound`: its last binding in its suite.
static bool is_global(const Look *l, const RlxOuterBinding *bound, RlxName name) {
  RlxValue value;
  return bound->is_global || rlx_outer_first(l->file, rlx_document_root(l->file->document), name) ||
         rlx_names_is_builtin(rlx_store_text(l->file->store, name)) ||
         rlx_outer_starred(l->file, name, &value);
}

/// The suite around `block` that binds `name`, and its first binding there, by place + 1; NULL: none does.
static const RlxBlock *home_of(const RlxFile *file, const RlxBlock *block, RlxName name,
                               uint32_t *first) {
  while (block && !(*first = rlx_outer_first(file, block, name)))
    block = block->parent ? block->parent->block : NULL;
  return block;
}

/// Whether Python knows `name` at the statement and TVM's parser does not.
static bool is_hidden(const Look *l, const RlxStmt *at, RlxName name) {
  uint32_t first = 0;
  const RlxBlock *block = home_of(l->file, at->block, name, &first);
  if (!block || !block->parent || (l->module && block->parent == l->module->stmt)) return false;
  if (is_global(l, &l->file->outer.at[first - 1], name)) return false;
  const bool is_variable = block->parent->kind == RLX_STMT_DEF;
  if (!l->module) return !is_variable || !captures(l->def, name);
  for (uint32_t i = 0; i < l->module->fns.count; i++) {
    const RlxFn *fn = l->module->fns.at[i];
    if ((is_variable && fn->kind != RLX_ISLAND_MACRO && captures(fn->stmt, name)) ||
        (l->file->has_string_annotations && is_annotated_with(fn->stmt, name)))
      return false;
  }
  return true;
}

/// NULL: something is said of the name already.
static RlxDiag *tell(Look *l, const RlxStmt *stmt, const RlxAst *name, const char *why) {
  const RlxSpan span = rlx_stmt_absolute(stmt, name->span);
  for (uint32_t i = 0; i < l->told.count; i++)
    if (l->told.at[i] == name->name) return NULL;
  if (rlx_told_touches(&l->errors, l->out, span)) return NULL;
  rlx_vec_push(&l->told, name->name);
  RlxDiag *diag = rlx_reportf(&l->file->diag_sink, RLX_DIAG_ID(NAME_UNDEFINED), name->span, "ss",
                              rlx_store_text(l->file->store, name->name), why);
  RlxFileDiag d = {.diag = diag,
                   .stmt = stmt,
                   .span = span,
                   .function = stmt->kind == RLX_STMT_DEF ? stmt->name : 0};
  rlx_vec_push(l->out, d);
  return diag;
}

/// `nonlocal name` as the first line of the function's body, where `name` is a variable of a Python function around.
static void hand_over(Look *l, RlxDiag *diag, const RlxStmt *def, RlxName name) {
  const RlxStmt *first =
      def->kind == RLX_STMT_DEF && def->body && def->body->count ? def->body->stmts[0] : NULL;
  uint32_t size = 0, binding;
  const RlxBlock *block = home_of(l->file, def->block, name, &binding);
  const char *text = rlx_document_text(l->file->document, &size);
  if (!first || !block || !block->parent || block->parent->kind != RLX_STMT_DEF ||
      binds(def->body, name, 0) || first->is_docstring || first->start >= size)
    return;
  RlxBuf line = {0};
  rlx_buf_printf(&line, "nonlocal %s", rlx_store_text(l->file->store, name));
  rlx_put_break(&line, text, first);
  rlx_diag_fix_at(&l->file->diag_sink, diag, "say `nonlocal` in the body", first, rlx_span(0, 0),
                  rlx_arena_strdup(l->file->diag_arena, rlx_buf_text(&line)));
  rlx_buf_free(&line);
}

/// Reports the hidden names of the expression. What a lambda or a comprehension binds is not followed.
static void look_at(Look *l, const RlxStmt *stmt, const RlxAst *ast, int depth) {
  if (!ast || depth > MAX_DEPTH || ast->kind == RLX_AST_LAMBDA ||
      ast->kind == RLX_AST_COMPREHENSION)
    return;
  if (ast->kind == RLX_AST_NAME && is_hidden(l, stmt, ast->name)) {
    RlxDiag *diag =
        tell(l, stmt, ast,
             ": of the Python code around, TVM's parser sees the variables that a function's body "
             "reads, not those that stand in a signature, a decorator or a class alone");
    const RlxStmt *def = stmt;
    for (uint32_t i = 0; stmt->kind != RLX_STMT_DEF && i < l->module->fns.count; i++)
      if (l->module->fns.at[i]->kind != RLX_ISLAND_MACRO) def = l->module->fns.at[i]->stmt;
    if (diag) hand_over(l, diag, def, ast->name);
  }
  for (uint32_t i = 0; i < ast->child_count; i++) look_at(l, stmt, ast->children[i], depth + 1);
}

/// What TVM's parser evaluates of a def itself: the last decorator and, of a Relax function, the signature. (Where the annotation of a
/// PrimFunc's parameter fails, it takes the value that Python has for it.)
static void look_at_def(Look *l, const RlxFn *fn) {
  const RlxStmt *stmt = fn->stmt;
  if (stmt->has_error || !rlx_script_names_cover((RlxDialect)fn->dialect)) return;
  if (stmt->decorator_count) look_at(l, stmt, stmt->decorators[stmt->decorator_count - 1], 0);
  if (fn->kind != RLX_ISLAND_RELAX) return;
  const RlxParams taken = rlx_taken_params(stmt);
  for (uint32_t i = 0; i < taken.count; i++) look_at(l, stmt, taken.at[i].annotation, 0);
  look_at(l, stmt, stmt->annotation, 0);
}

/// Whether Python's class is certainly left without a function: all that `def` makes there is none, and nothing else may be one.
static bool has_no_function(const RlxModule *module) {
  const RlxBlock *body = module->stmt->body;
  for (uint32_t i = 0; i < module->fns.count; i++)
    if (module->fns.at[i]->kind != RLX_ISLAND_MACRO) return false;
  for (uint32_t i = 0; body && i < body->count; i++) {
    const RlxStmt *stmt = body->stmts[i];
    RlxValue value;
    bool is_call = stmt->kind == RLX_STMT_ASSIGN && stmt->value->kind == RLX_AST_CALL,
         is_scripts = stmt->kind == RLX_STMT_ASSIGN && stmt->value->kind == RLX_AST_NAME &&
                      rlx_outer_lookup(module->file, stmt, stmt->value->name, &value) &&
                      value.kind == RLX_VALUE_FUNCTION;
    if (stmt->kind != RLX_STMT_EXPR && stmt->kind != RLX_STMT_PASS && !is_call && !is_scripts)
      return false;
  }
  return body;
}

/// The first name in an expression that the class itself does not bind and Python does not have by itself.
static const RlxAst *first_name(const RlxModule *module, const RlxStmt *stmt, const RlxAst *ast,
                                int depth) {
  if (depth > MAX_DEPTH || ast->kind == RLX_AST_LAMBDA || ast->kind == RLX_AST_COMPREHENSION)
    return NULL;
  RlxValue value;
  if (ast->kind == RLX_AST_NAME &&
      !rlx_names_is_builtin(rlx_store_text(module->file->store, ast->name)) &&
      !rlx_outer_first(module->file, module->stmt->body, ast->name) &&
      rlx_outer_lookup(module->file, stmt, ast->name, &value)) // else it is told of as such
    return ast;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *found = first_name(module, stmt, ast->children[i], depth + 1);
    if (found) return found;
  }
  return NULL;
}

static void look_at_class(Look *l) {
  const RlxModule *module = l->module;
  const RlxBlock *body = module->stmt->body;
  const bool is_bare = has_no_function(module);
  for (uint32_t i = 0; body && i < body->count; i++) {
    const RlxStmt *stmt = body->stmts[i];
    if ((stmt->kind != RLX_STMT_EXPR && stmt->kind != RLX_STMT_ASSIGN) || !stmt->value ||
        stmt->has_error)
      continue;
    const RlxAst *name = is_bare ? first_name(module, stmt, stmt->value, 0) : NULL;
    if (name) { // where the parser stops
      tell(l, stmt, name,
           ": TVM's parser knows the names around a class by the functions in it, and it has none");
      return;
    }
    look_at(l, stmt, stmt->value, 0);
  }
}

static void begin(Look *l, const RlxModule *module, const RlxStmt *def, RlxDialect dialect) {
  l->module = module;
  l->def = def;
  rlx_vec_clear(&l->told);
  if (module && rlx_script_names_cover(dialect) && !module->stmt->has_error) look_at_class(l);
}

void rlx_captured_diags(RlxFile *file, RlxFileDiags *out, uint32_t from) {
  Look l = {.file = file, .out = out, .errors = {.seen = from}};
  if (file->broken_places) return;
  for (uint32_t i = 0; i < file->fns.count; i++) {
    const RlxFn *fn = file->fns.at[i];
    if (fn->outer || !fn->stmt->block || !fn->stmt->block->parent) continue; // all is global
    if (!fn->module || fn->module != l.module)
      begin(&l, fn->module, fn->stmt, (RlxDialect)fn->dialect);
    look_at_def(&l, fn);
  }
  for (uint32_t m = 0; m < file->modules.count; m++)
    if (!file->modules.at[m]->fns.count)
      begin(&l, file->modules.at[m], NULL, rlx_file_outer_dialect(file));
  rlx_vec_free(&l.told);
  rlx_told_free(&l.errors);
}
