/// Each R.emit_te of a module adds a PrimFunc to it: under `primfunc_name_hint`, else under the name
/// of the Python function that it calls. The parser makes no name of its own where the module has
/// that one already. Always true: where the name depends on what only Python knows, nothing is said.
#include "analyzer/report/te_names.h"

#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/eval/topi_call.h"
#include "analyzer/words/script_names.h"
#include "analyzer/words/spell.h"
#include "base/map.h"

enum { MAX_DEPTH = 100 };

/// The first call of a name.
typedef struct First {
  const RlxStmt *stmt;
  RlxSpan span;
} First;

typedef struct Pass {
  RlxFile *file;
  RlxFileDiags *out;
  const RlxModule *module; ///< NULL: the function stands in none
  const RlxFn *fn;
  RlxMap names;     ///< RlxName of a PrimFunc → 1 + its call in `firsts`
  RlxMap functions; ///< the same of Python functions whose own names are not known
  Vec(First) firsts;
  bool is_told; ///< of a function in no module
} Pass;

/// The path of the value behind `ast`, a name or a part of a package; NULL: it is nothing like that.
static const char *path_of(Pass *p, const RlxStmt *stmt, const RlxAst *ast) {
  RlxValue v = {0};
  if (ast->kind == RLX_AST_NAME) {
    if (!rlx_outer_lookup(p->file, stmt, ast->name, &v) &&
        !rlx_names_predefined(&p->file->analyzer->words, rlx_store_text(p->file->store, ast->name),
                              &v))
      return NULL;
  } else if (ast->kind == RLX_AST_ATTRIBUTE) {
    const char *base = path_of(p, stmt, ast->children[0]);
    if (!base) return NULL;
    v = rlx_names_attribute(&p->file->analyzer->words,
                            rlx_word_name(&p->file->analyzer->words, base), ast->name);
  }
  if (v.kind == RLX_VALUE_WORD) return rlx_word_path((RlxWord)v.integer);
  return v.kind == RLX_VALUE_NAMESPACE ? rlx_store_text(p->file->store, v.string) : NULL;
}

static void tell(Pass *p, const RlxStmt *stmt, RlxDiag *diag) {
  RlxFileDiag d = {.diag = diag,
                   .stmt = stmt,
                   .span = rlx_stmt_absolute(stmt, diag->span),
                   .function = p->fn->stmt->name};
  rlx_vec_push(p->out, d);
}

static void report(Pass *p, const RlxStmt *stmt, RlxSpan span, const char *name,
                   const RlxStmt *first, RlxSpan first_span) {
  RlxSink *sink = &p->file->diag_sink;
  RlxDiag *diag = rlx_reportf(sink, RLX_DIAG_ID(FUNCTION_TWICE), span, "ss",
                              rlx_store_text(p->file->store, p->module->name), name);
  rlx_diag_related(sink, diag, first, first_span, "the first one");
  tell(p, stmt, diag);
}

/// Enters `name` into `map`, or reports that it stands there.
static void enter(Pass *p, RlxMap *map, RlxName name, const RlxStmt *stmt, RlxSpan span) {
  uint64_t at = 0;
  if (rlx_map_get(map, name, &at)) {
    const First *first = &p->firsts.at[at - 1];
    report(p, stmt, span, rlx_store_text(p->file->store, name), first->stmt, first->span);
    return;
  }
  rlx_vec_push(&p->firsts, ((First){stmt, span}));
  rlx_map_put(map, name, p->firsts.count);
}

/// Reports a lambda that takes fewer or more arguments than stand behind it.
static void check_lambda(Pass *p, const RlxStmt *stmt, const RlxAst *call, const RlxAst *lambda) {
  uint32_t given = 0, least = 0;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    given += arg->kind != RLX_AST_KEYWORD && arg != lambda;
    if (arg->kind == RLX_AST_KEYWORD && !rlx_topi_steers(rlx_store_text(p->file->store, arg->name)))
      return;
  }
  for (uint32_t i = 0; i < lambda->param_count; i++) {
    const RlxParam *param = &lambda->params[i];
    if (param->star || param->is_positional_marker) return;
    least += !param->default_value;
  }
  if (least <= given && given <= lambda->param_count) return;
  const int most = (int)lambda->param_count;
  tell(p, stmt,
       given < least
           ? rlx_reportf(&p->file->diag_sink, RLX_DIAG_ID(ARGUMENT_MISSING), lambda->span, "ss",
                         "the lambda", rlx_store_text(p->file->store, lambda->params[given].name))
           : rlx_reportf(&p->file->diag_sink, RLX_DIAG_ID(ARGUMENT_COUNT), lambda->span, "siis",
                         "the lambda", most, (int)given, most == 1 ? "" : "s"));
}

/// Reports what topi's function does not take.
static void check_topi(Pass *p, const RlxStmt *stmt, const RlxAst *call, const RlxAst *func,
                       const char *name) {
  RlxTopiCall c = {
      .name = name, .dialect = (RlxDialect)p->fn->dialect, .func = func->span, .span = call->span};
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    const bool is_keyword = arg->kind == RLX_AST_KEYWORD;
    const char *keyword = is_keyword ? rlx_store_text(p->file->store, arg->name) : NULL;
    if (arg == func || (keyword && rlx_topi_steers(keyword))) continue;
    if (c.count == RLX_TOPI_ARGUMENTS) return;
    c.places[c.count] = is_keyword ? arg->name_span : arg->span;
    c.args[c.count++] =
        (RlxScriptArg){keyword, (is_keyword ? arg->children[0] : arg)->kind == RLX_AST_NONE};
  }
  RlxDiag *diag = rlx_topi_check(&p->file->diag_sink, &c);
  if (diag) tell(p, stmt, diag);
}

/// The PrimFunc that the call adds.
static void add(Pass *p, const RlxStmt *stmt, const RlxAst *call) {
  const RlxAst *func = NULL, *hint = NULL;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED) return;
    if (arg->kind != RLX_AST_KEYWORD)
      func = func ? func : arg;
    else if (strcmp(rlx_store_text(p->file->store, arg->name), "primfunc_name_hint") == 0)
      hint = arg->children[0];
  }
  if (!func) return;
  if (func->kind == RLX_AST_LAMBDA) check_lambda(p, stmt, call, func);
  const char *path = func->kind != RLX_AST_LAMBDA ? path_of(p, stmt, func) : NULL;
  const char *of_topi = path ? rlx_topi_name(path) : NULL;
  if (of_topi) check_topi(p, stmt, call, func, of_topi);
  if (hint && hint->kind != RLX_AST_STRING) return;
  if (!hint && func->kind == RLX_AST_NAME) { // the same function has the same name
    if (!path) {
      RlxValue v;
      if (rlx_outer_lookup(p->file, stmt, func->name, &v))
        enter(p, &p->functions, func->name, stmt, call->span);
      return;
    }
  }
  const char *name = hint                           ? hint->text
                     : func->kind == RLX_AST_LAMBDA ? "<lambda>"
                     : of_topi                      ? strrchr(path, '.') + 1
                                                    : NULL;
  if (!name) return;
  RlxName id = rlx_intern_text(rlx_store_names(p->file->store), name);
  const RlxFn *own = rlx_module_fn(p->module, id);
  if (own)
    report(p, stmt, call->span, name, own->stmt, own->stmt->name_span);
  else
    enter(p, &p->names, id, stmt, call->span);
}

/// Reports the first call in a function that stands in no module.
static void report_alone(Pass *p, const RlxStmt *stmt, const RlxAst *call) {
  RlxDiag *diag =
      rlx_reportf(&p->file->diag_sink, RLX_DIAG_ID(MODULE_BODY), call->children[0]->span, "s",
                  "R.emit_te adds a function to the module, and this function stands in none");
  tell(p, stmt, diag);
  p->is_told = true;
}

static void look_at(Pass *p, const RlxStmt *stmt, const RlxAst *ast, int depth) {
  if (!ast || depth > MAX_DEPTH || ast->kind == RLX_AST_LAMBDA ||
      ast->kind == RLX_AST_COMPREHENSION)
    return;
  for (uint32_t i = 0; i < ast->child_count; i++) look_at(p, stmt, ast->children[i], depth + 1);
  if (ast->kind != RLX_AST_CALL || strcmp(rlx_ast_last_name(p->file->store, ast), "emit_te") != 0)
    return;
  const char *path = path_of(p, stmt, ast->children[0]);
  if (!path || strcmp(path, "R.emit_te") != 0) return;
  if (p->module)
    add(p, stmt, ast);
  else if (!p->is_told)
    report_alone(p, stmt, ast);
}

static void look_at_block(Pass *p, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (!stmt->has_error) look_at(p, stmt, stmt->value, 0);
    look_at_block(p, stmt->body);
    look_at_block(p, stmt->orelse);
  }
}

static void look_at_fn(Pass *p, const RlxFn *fn) {
  p->fn = fn;
  if (fn->kind == RLX_ISLAND_RELAX && rlx_script_names_cover((RlxDialect)fn->dialect))
    look_at_block(p, fn->stmt->body);
}

void rlx_te_name_diags(RlxFile *file, RlxFileDiags *out) {
  if (file->broken_places) return;
  for (uint32_t m = 0; m < file->modules.count; m++) {
    Pass p = {.file = file, .out = out, .module = file->modules.at[m]};
    for (uint32_t i = 0; i < p.module->fns.count; i++) look_at_fn(&p, p.module->fns.at[i]);
    rlx_vec_free(&p.firsts);
    rlx_map_free(&p.names);
    rlx_map_free(&p.functions);
  }
  for (uint32_t i = 0; i < file->fns.count; i++) {
    const RlxFn *fn = file->fns.at[i];
    Pass p = {.file = file, .out = out};
    if (!fn->module && !fn->outer) look_at_fn(&p, fn);
  }
}
