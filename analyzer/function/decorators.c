/// Decorators of functions and of modules, as Python and TVM's parser read them: `@R.function`, `@T.prim_func(s_tir=True)`.
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/function/function.h"
#include "analyzer/state/state.h"
#include "analyzer/words/spell.h"
#include "base/nearest.h"
#include "base/text.h"

enum { MAX_DEPTH = 100 };

typedef struct Space {
  const char *name;
  const char *words[6]; ///< what decorates functions there
} Space;

static const Space spaces[] = {{"T", {"prim_func", "macro", "inline", "jit", NULL}},
                               {"tirx", {"prim_func", "macro", "inline", "jit", NULL}},
                               {"R", {"function", "macro", "func", "script", NULL}},
                               {"I", {"pyfunc", NULL}}};

static void tell(RlxFn *fn, RlxSpan span, const char *text) {
  rlx_reportf(&fn->end, RLX_DIAG_ID(DECORATOR), span, "s", text);
}

/// Whether Python runs the file as it stands, so that nothing is defined there without an import: it
/// imports a namespace of scripts. A printed text that stands alone imports none.
static bool is_run(RlxFile *file, const RlxStmt *from) {
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    RlxValue value;
    RlxName name = rlx_intern_text(rlx_store_names(file->store), spaces[i].name);
    if (rlx_outer_lookup(file, from, name, &value)) return true;
  }
  return false;
}

/// Reports names that nothing defines, in the expression of a decorator.
static bool check_names(RlxFn *fn, const RlxAst *ast, int depth) {
  if (depth > MAX_DEPTH || ast->kind == RLX_AST_LAMBDA || ast->kind == RLX_AST_COMPREHENSION)
    return true;
  if (ast->kind == RLX_AST_NAME) {
    const char *text = rlx_store_text(fn->file->store, ast->name);
    RlxValue value;
    rlx_vec_push(&fn->outer_reads, ast->name);
    if (rlx_outer_find(fn->file, fn->stmt, ast->name, &value) || rlx_names_is_builtin(text) ||
        (!is_run(fn->file, fn->stmt) &&
         rlx_names_predefined(&fn->file->analyzer->words, text, &value)) ||
        !text[0])
      return true;
    rlx_reportf(&fn->end, RLX_DIAG_ID(NAME_UNDEFINED), ast->span, "ss", text, "");
    return false;
  }
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (!check_names(fn, ast->children[i], depth + 1)) return false;
  return true;
}

/// `R.functio`: what stands behind the namespace decorates no function.
static bool check_word(RlxFn *fn, const RlxAst *head) {
  const RlxStore *store = fn->file->store;
  if (head->kind != RLX_AST_ATTRIBUTE) return true;
  const RlxAst *root = head->children[0];
  const char *word = rlx_store_text(store, head->name);
  if (root->kind == RLX_AST_ATTRIBUTE && root->children[0]->kind == RLX_AST_NAME &&
      strcmp(rlx_store_text(store, root->children[0]->name), "tvm") != 0)
    root = root->children[0]; // T.prim_func.x
  else if (root->kind == RLX_AST_NAME)
    root = head->children[0];
  if (root->kind != RLX_AST_NAME) return true;
  const char *space = rlx_store_text(store, root->name);
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    if (strcmp(spaces[i].name, space) != 0) continue;
    RlxNearest nearest = rlx_nearest_start(word);
    for (size_t n = 0; spaces[i].words[n]; n++) {
      if (root == head->children[0] && strcmp(spaces[i].words[n], word) == 0) return true;
      rlx_nearest_try(&nearest, spaces[i].words[n]);
    }
    RlxSink *sink = &fn->end;
    const char *hint =
        nearest.best && root == head->children[0]
            ? rlx_arena_printf(sink->arena, "; did you mean `@%s.%s`?", space, nearest.best)
            : "";
    RlxDiag *diag = rlx_reportf(
        sink, RLX_DIAG_ID(DECORATOR), head->name_span, "s",
        rlx_arena_printf(sink->arena, "`%s` of %s decorates no function%s", word, space, hint));
    if (*hint)
      rlx_diag_fix(sink, diag,
                   rlx_arena_printf(sink->arena, "change to `%s.%s`", space, nearest.best),
                   head->name_span, nearest.best);
    if (*hint && nearest.is_tied) rlx_diag_fix_is_guess(diag);
    return false;
  }
  return true;
}

/// `@tvm.tirx.prim_func`: what decorates stands in `tvm.script`.
static bool check_package(RlxFn *fn, const RlxAst *head) {
  const RlxStore *store = fn->file->store;
  const RlxAst *space = head->kind == RLX_AST_ATTRIBUTE ? head->children[0] : NULL;
  const RlxAst *of = space && space->kind == RLX_AST_ATTRIBUTE ? space->children[0] : NULL;
  if (!of) return true;
  const char *name = rlx_store_text(store, space->name);
  const bool is_wrong = of->kind == RLX_AST_NAME && strcmp(name, "script") != 0 &&
                        strcmp(rlx_store_text(store, of->name), "tvm") == 0;
  if (is_wrong)
    rlx_reportf(&fn->end, RLX_DIAG_ID(DECORATOR), space->name_span, "s",
                rlx_arena_printf(fn->end.arena, "`tvm.%s` has no `%s`", name,
                                 rlx_store_text(store, head->name)));
  return !is_wrong;
}

/// Flags are written as True or False: TVM's parser looks at the text, not at a value.
static void check_arguments(RlxFn *fn, const RlxAst *call) {
  static const char *const flags[] = {"private", "s_tir", "persistent", "pure"};
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED) return;
    if (arg->kind == RLX_AST_NONE) continue;
    if (arg->kind != RLX_AST_KEYWORD) {
      tell(fn, arg->span, "the decorator of a function takes keywords only");
      return;
    }
    const RlxAst *value = arg->children[0];
    const bool is_constant = rlx_ast_flag(value) >= 0;
    const char *name = rlx_store_text(fn->file->store, arg->name);
    if (strcmp(name, "f") == 0 && value->kind != RLX_AST_NONE) {
      tell(fn, value->span, "the decorator of a function is given no function");
      return;
    }
    for (size_t n = 0; n < sizeof flags / sizeof *flags && !is_constant; n++)
      if (strcmp(flags[n], name) == 0) {
        tell(fn, value->span, rlx_arena_printf(fn->end.arena, "`%s` is True or False", name));
        return;
      }
  }
}

/// Of a local function TVM reads `pure` alone, as it is written, but Python calls the decorator.
static void check_local_arguments(RlxFn *fn, const RlxAst *call) {
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    const bool is_keyword = arg->kind == RLX_AST_KEYWORD;
    const RlxAst *value = is_keyword ? arg->children[0] : arg;
    const char *name = is_keyword ? rlx_store_text(fn->file->store, arg->name) : "f";
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED) return;
    const bool is_no_flag = value->kind == RLX_AST_NONE || value->kind == RLX_AST_LIST ||
                            value->kind == RLX_AST_TUPLE || value->kind == RLX_AST_DICT;
    if (strcmp(name, "f") == 0 && value->kind != RLX_AST_NONE)
      tell(fn, value->span, "the decorator of a function is given no function");
    else if (strcmp(name, "pure") == 0 && is_no_flag)
      tell(fn, value->span, "`pure` is True or False");
    else
      continue;
    return;
  }
}

static bool check_one(RlxFn *fn, const RlxAst *decorator) {
  const RlxAst *head = rlx_decorator_function(decorator);
  if (!check_names(fn, decorator, 0)) return false;
  if (rlx_decorator_is_partial(&fn->file->island_names, decorator)) {
    tell(fn, decorator->span,
         "what functools.partial gives decorates no function that TVM's parser reads");
    return false;
  }
  if (head->kind != RLX_AST_NAME && head->kind != RLX_AST_ATTRIBUTE) {
    bool is_no =
        head->kind == RLX_AST_CALL || head->kind == RLX_AST_SUBSCRIPT ||
        head->kind == RLX_AST_TRUE || head->kind == RLX_AST_FALSE || head->kind == RLX_AST_INT ||
        head->kind == RLX_AST_STRING || head->kind == RLX_AST_NONE || head->kind == RLX_AST_TUPLE ||
        head->kind == RLX_AST_LIST || head->kind == RLX_AST_UNARY || head->kind == RLX_AST_BINARY ||
        head->kind == RLX_AST_COMPARE || head->kind == RLX_AST_FSTRING ||
        head->kind == RLX_AST_DICT || head->kind == RLX_AST_SET || head->kind == RLX_AST_FLOAT;
    if (is_no) tell(fn, decorator->span, "this decorates no function");
    return !is_no;
  }
  const RlxAst *of = head;
  while (of->kind == RLX_AST_ATTRIBUTE) of = of->children[0];
  if (of->kind == RLX_AST_SUBSCRIPT) return true; // an item of a list, which may be a namespace
  if (of->kind != RLX_AST_NAME) {
    tell(fn, decorator->span, "this decorates no function");
    return false;
  }
  if (!check_word(fn, head) || !check_package(fn, head)) return false;
  const char *last = rlx_ast_last_name(fn->file->store, head);
  bool is_space = head->kind == RLX_AST_NAME &&
                  (strcmp(last, "T") == 0 || strcmp(last, "R") == 0 || strcmp(last, "I") == 0);
  if (is_space) {
    RlxValue value;
    if (!rlx_outer_lookup(fn->file, fn->stmt, head->name, &value) ||
        value.kind == RLX_VALUE_NAMESPACE) {
      tell(fn, decorator->span, "a namespace decorates no function");
      return false;
    }
  }
  // The parser looks for the namespace's dot in every decorator with arguments.
  const bool is_recent = fn->dialect == RLX_DIALECT_025 || fn->dialect == RLX_DIALECT_027;
  if (decorator->kind == RLX_AST_CALL && decorator->children[0]->kind != RLX_AST_ATTRIBUTE &&
      is_recent) {
    const char *space = strcmp(last, "function") == 0 ? "R" : "T";
    tell(fn, decorator->span,
         rlx_arena_printf(fn->end.arena,
                          "a decorator with arguments is written with its namespace, as `%s.%s(…)`",
                          space, last));
    return false;
  }
  uint32_t before = fn->end.diags.count;
  if (decorator->kind == RLX_AST_CALL && !fn->outer && // of a local function TVM reads no arguments
      (strcmp(last, "prim_func") == 0 || strcmp(last, "function") == 0))
    check_arguments(fn, decorator);
  if (decorator->kind == RLX_AST_CALL && fn->outer && strcmp(last, "function") == 0)
    check_local_arguments(fn, decorator);
  return fn->end.diags.count == before;
}

// ---- classes

/// What `path` names by itself where it is no decorator of classes; false after a report.
static RlxDiag *check_path(const RlxFile *file, const RlxAst *head, RlxSink *sink) {
  const RlxStore *store = file->store;
  const RlxAst *root = head->children[0];
  const char *word = rlx_store_text(store, head->name), *space = NULL, *best = NULL;
  if (root->kind == RLX_AST_NAME)
    space = rlx_store_text(store, root->name);
  else if (root->kind == RLX_AST_ATTRIBUTE && root->children[0]->kind == RLX_AST_NAME &&
           strcmp(rlx_store_text(store, root->children[0]->name), "tvm") == 0)
    space = strcmp(rlx_store_text(store, root->name), "script") == 0 ? "tvm.script" : "tvm";
  if (!space) return NULL;
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    for (size_t n = 0; strcmp(spaces[i].name, space) == 0 && spaces[i].words[n]; n++)
      if (strcmp(spaces[i].words[n], word) == 0 && strcmp(word, "script") != 0)
        return rlx_reportf(sink, RLX_DIAG_ID(DECORATOR), head->name_span, "s",
                           rlx_arena_printf(sink->arena,
                                            "`%s` of %s decorates functions, not classes", word,
                                            space));
  bool is_module = strcmp(word, "ir_module") == 0;
  if (strcmp(space, "tvm") == 0)
    return is_module ? rlx_reportf(sink, RLX_DIAG_ID(DECORATOR), root->name_span, "s",
                                   "classes are decorated by `@tvm.script.ir_module`")
                     : NULL;
  bool is_right =
      (strcmp(space, "R") == 0 && (strcmp(word, "rewriter") == 0 || strcmp(word, "script") == 0)) ||
      ((strcmp(space, "I") == 0 || strcmp(space, "tvm.script") == 0) &&
       (is_module || strcmp(word, "module") == 0)) ||
      (strcmp(space, "tvm.script") == 0 && // of 2021
       (strcmp(word, "tir") == 0 || strcmp(word, "relax") == 0));
  if (is_right || (strcmp(space, "I") && strcmp(space, "R") && strcmp(space, "tvm.script")))
    return NULL;
  RlxNearest nearest = rlx_nearest_start(word);
  rlx_nearest_try(&nearest, strcmp(space, "R") == 0 ? "rewriter" : "ir_module");
  best = is_module ? NULL : nearest.best;
  RlxDiag *diag = rlx_reportf(
      sink, RLX_DIAG_ID(DECORATOR), head->name_span, "s",
      rlx_arena_printf(sink->arena, "`%s` of %s decorates no class%s", word, space,
                       best ? rlx_arena_printf(sink->arena, "; did you mean `@%s.%s`?", space, best)
                       : is_module ? "; modules are made by `@I.ir_module`"
                                   : ""));
  if (best)
    rlx_diag_fix(sink, diag, rlx_arena_printf(sink->arena, "change to `%s.%s`", space, best),
                 head->name_span, best);
  return diag;
}

/// `@I.ir_module(s_tir=True)`: keywords, and which.
static RlxDiag *check_module_arguments(const RlxModule *module, const RlxAst *call, RlxSink *sink) {
  const RlxFile *file = module->file;
  const bool is_old = module->fns.count && module->fns.at[0]->dialect == RLX_DIALECT_TLC;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED) return NULL;
    if (arg->kind != RLX_AST_KEYWORD) {
      if (arg->kind == RLX_AST_NONE) continue;
      return rlx_reportf(sink, RLX_DIAG_ID(DECORATOR), arg->span, "s",
                         "the decorator of a module takes keywords only");
    }
    const char *name = rlx_store_text(file->store, arg->name);
    if (!rlx_text_is_among(name, " check_well_formed s_tir mod ") &&
        !(is_old && strcmp(name, "metadata") == 0))
      return rlx_reportf(sink, RLX_DIAG_ID(ARGUMENT_UNKNOWN), arg->name_span, "sss", "I.ir_module",
                         name, "");
  }
  return NULL;
}

static RlxDiag *check_of_class(const RlxModule *module, const RlxAst *decorator, RlxSink *sink) {
  RlxFile *file = module->file;
  const RlxAst *head = decorator->kind == RLX_AST_CALL ? decorator->children[0] : decorator;
  const RlxAst *root = head;
  while (root->kind == RLX_AST_ATTRIBUTE) root = root->children[0];
  if (root->kind == RLX_AST_INT || root->kind == RLX_AST_STRING || root->kind == RLX_AST_NONE ||
      root->kind == RLX_AST_FSTRING || root->kind == RLX_AST_DICT || root->kind == RLX_AST_SET ||
      root->kind == RLX_AST_FLOAT || root->kind == RLX_AST_TRUE || root->kind == RLX_AST_FALSE ||
      root->kind == RLX_AST_TUPLE || root->kind == RLX_AST_LIST)
    return rlx_reportf(sink, RLX_DIAG_ID(DECORATOR), decorator->span, "s",
                       "this decorates no class");
  if (root->kind != RLX_AST_NAME) return NULL;
  const char *text = rlx_store_text(file->store, root->name);
  RlxValue value;
  bool is_defined = rlx_outer_find(file, module->stmt, root->name, &value);
  if (!is_defined && (rlx_names_is_builtin(text) || !text[0])) return NULL;
  if (!is_defined &&
      (is_run(file, module->stmt) || !rlx_names_predefined(&file->analyzer->words, text, &value)))
    return rlx_reportf(sink, RLX_DIAG_ID(NAME_UNDEFINED), root->span, "ss", text, "");
  if (head->kind != RLX_AST_ATTRIBUTE || value.kind != RLX_VALUE_NAMESPACE) return NULL;
  RlxDiag *diag = check_path(file, head, sink);
  bool is_module = strcmp(rlx_store_text(file->store, head->name), "ir_module") == 0;
  if (diag || decorator->kind != RLX_AST_CALL || !is_module) return diag;
  return check_module_arguments(module, decorator, sink);
}

/// A base of the class: a name that something binds, and no namespace.
static RlxDiag *check_base(const RlxModule *module, const RlxAst *base, RlxSink *sink) {
  RlxFile *file = module->file;
  RlxValue value;
  const bool is_value =
      base->kind == RLX_AST_INT || base->kind == RLX_AST_FLOAT || base->kind == RLX_AST_STRING ||
      base->kind == RLX_AST_TRUE || base->kind == RLX_AST_FALSE || base->kind == RLX_AST_NONE ||
      base->kind == RLX_AST_FSTRING || base->kind == RLX_AST_TUPLE || base->kind == RLX_AST_LIST ||
      base->kind == RLX_AST_DICT || base->kind == RLX_AST_SET || base->kind == RLX_AST_LAMBDA ||
      base->kind == RLX_AST_BYTES || base->kind == RLX_AST_IMAGINARY;
  if (is_value)
    return rlx_reportf(sink, RLX_DIAG_ID(DECORATOR), base->span, "s",
                       "this is no class that another derives from");
  if (base->kind != RLX_AST_NAME || !is_run(file, module->stmt)) return NULL;
  const char *text = rlx_store_text(file->store, base->name);
  if (!rlx_outer_find(file, module->stmt, base->name, &value))
    return rlx_names_is_builtin(text) || !text[0]
               ? NULL
               : rlx_reportf(sink, RLX_DIAG_ID(NAME_UNDEFINED), base->span, "ss", text, "");
  // A class that is imported is a path, too, of more than a letter.
  return value.kind == RLX_VALUE_NAMESPACE && !rlx_store_text(file->store, value.string)[1]
             ? rlx_reportf(sink, RLX_DIAG_ID(DECORATOR), base->span, "s",
                           "a namespace is no class that another derives from")
             : NULL;
}

RlxDiag *rlx_module_check_decorators(const RlxModule *module, RlxSink *sink) {
  const RlxStmt *stmt = module->stmt;
  RlxDiag *diag = NULL;
  for (uint32_t i = 0; i < stmt->decorator_count && !diag && !stmt->has_error; i++)
    diag = check_of_class(module, stmt->decorators[i], sink);
  for (uint32_t i = 0; i < stmt->target_count && !diag && !stmt->has_error; i++)
    diag = check_base(module, stmt->targets[i], sink);
  return diag;
}

// ---- functions

/// Whether the decorator of a local function begins with a name that the functions around it bind.
static bool is_of_function_around(const RlxFn *fn, const RlxAst *decorator) {
  while (decorator->kind == RLX_AST_CALL || decorator->kind == RLX_AST_ATTRIBUTE)
    decorator = decorator->children[0];
  for (const RlxEnv *env = fn->outer ? fn->outer_env : NULL; env; env = env->parent)
    if (decorator->kind == RLX_AST_NAME && rlx_env_get(env, decorator->name)) return true;
  return false;
}

bool rlx_fn_check_decorators(RlxFn *fn) {
  const RlxStmt *stmt = fn->stmt;
  if (fn->dialect == RLX_DIALECT_TLC || stmt->has_error) return true;
  if (!stmt->decorator_count) {
    if (!fn->module) return true;
    rlx_reportf(&fn->end, RLX_DIAG_ID(DECORATOR), stmt->name_span, "s",
                "a function of a module has a decorator: `@R.function` or `@T.prim_func`");
    return false;
  }
  for (uint32_t i = 0; i < stmt->decorator_count; i++)
    if (!is_of_function_around(fn, stmt->decorators[i]) && !check_one(fn, stmt->decorators[i]))
      return false;
  if (!stmt->is_async || fn->outer) return true;
  tell(fn, stmt->name_span, "TVM's parser reads `def`, and no `async def`");
  return false;
}
