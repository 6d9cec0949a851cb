/// The body of a module's class: TVM's parser declares its functions, each by the last of its decorators, and evaluates its assignments
/// and expressions; all other statements it refuses. The same in 0.25 and 0.27.
#include "analyzer/report/module_body.h"

#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/function/function.h"
#include "analyzer/function/recognize.h"
#include "analyzer/words/names.h"
#include "analyzer/words/script_names.h"

static void push(RlxFileDiags *out, const RlxStmt *stmt, RlxDiag *diag) {
  RlxFileDiag d = {.diag = diag,
                   .stmt = stmt,
                   .span = rlx_stmt_absolute(stmt, diag->span),
                   .function = stmt->kind == RLX_STMT_DEF ? stmt->name : 0};
  rlx_vec_push(out, d);
}

static void tell(RlxFile *file, RlxFileDiags *out, const RlxStmt *stmt, RlxSpan span, RlxDiagId id,
                 const char *text) {
  push(out, stmt, rlx_reportf(&file->diag_sink, id, span, "s", text));
}

/// Whether all functions of the module are of dialects that are known here.
static bool is_known(const RlxModule *module) {
  for (uint32_t i = 0; i < module->fns.count; i++)
    if (!rlx_script_names_cover((RlxDialect)module->fns.at[i]->dialect)) return false;
  if (!module->fns.count && !rlx_script_names_cover(rlx_file_outer_dialect(module->file)))
    return false;
  return !module->file->broken_places;
}

/// Whether a base of the class is BasePyModule, or of a name that says nothing.
static bool has_python(const RlxModule *module) {
  const RlxStmt *stmt = module->stmt;
  for (uint32_t i = 0; i < stmt->target_count; i++) {
    const RlxAst *base = stmt->targets[i];
    if (base->kind != RLX_AST_NAME && base->kind != RLX_AST_ATTRIBUTE) return true;
    if (strcmp(rlx_store_text(module->file->store, base->name), "BasePyModule") == 0) return true;
  }
  return false;
}

static const RlxFn *function_of(const RlxModule *module, const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  return unit && unit->fn && unit->fn->module == module ? unit->fn : NULL;
}

/// A decorator that is certainly none of TVM's: `@staticmethod`, `@lambda f: f`.
static bool is_pythons(RlxFile *file, const RlxStmt *stmt, const RlxAst *decorator) {
  const RlxAst *head = decorator->kind == RLX_AST_CALL ? decorator->children[0] : decorator;
  RlxValue value;
  if (head->kind == RLX_AST_NAME)
    return rlx_names_is_builtin(rlx_store_text(file->store, head->name)) &&
           !rlx_outer_lookup(file, stmt, head->name, &value);
  return head->kind == RLX_AST_LAMBDA;
}

/// Whether the value is certainly no function.
static bool is_plain_value(const RlxAst *value) {
  return value->kind == RLX_AST_INT || value->kind == RLX_AST_FLOAT ||
         value->kind == RLX_AST_STRING || value->kind == RLX_AST_TRUE ||
         value->kind == RLX_AST_FALSE || value->kind == RLX_AST_NONE ||
         value->kind == RLX_AST_LIST || value->kind == RLX_AST_TUPLE ||
         value->kind == RLX_AST_DICT || value->kind == RLX_AST_SET ||
         value->kind == RLX_AST_LAMBDA || value->kind == RLX_AST_COMPARE ||
         value->kind == RLX_AST_FSTRING || value->kind == RLX_AST_ELLIPSIS ||
         value->kind == RLX_AST_BYTES || value->kind == RLX_AST_IMAGINARY ||
         value->kind == RLX_AST_COMPREHENSION;
}

/// Whether a call of the word may give a function, or what stands for one.
static bool makes_function(RlxWord word) {
  switch ((int)word) {
  case RLX_WORD_EXTERN_FUNC:
  case RLX_WORD_FUNCTION:
  case RLX_WORD_FUNCTION_OLD:
  case RLX_WORD_R_MACRO:
  case RLX_WORD_REWRITER:
  case RLX_WORD_IR_MODULE:
  case RLX_WORD_PYFUNC:
  case RLX_WORD_META_VAR:
  case RLX_WORD_PRIM_FUNC:
  case RLX_WORD_T_MACRO:
  case RLX_WORD_T_INLINE:
  case RLX_WORD_T_JIT: return true;
  default: return false;
  }
}

/// What a name with its dots stands for, `R.nn.relu` of the namespaces that the file has at `stmt`; UNKNOWN: it is not known.
static RlxValue named(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast) {
  RlxValue v = {.kind = RLX_VALUE_UNKNOWN};
  if (ast->kind == RLX_AST_NAME) {
    (void)rlx_outer_find(file, stmt, ast->name, &v);
  } else if (ast->kind == RLX_AST_ATTRIBUTE) {
    const RlxValue space = named(file, stmt, ast->children[0]);
    if (space.kind == RLX_VALUE_NAMESPACE)
      v = rlx_names_attribute(&file->analyzer->words, space.string, ast->name);
  }
  return v;
}

/// Whether what is assigned in a module's class is surely no function of TVM's: a word of R or an operator, with or without
/// arguments, what a function of Python's gives.
static bool is_no_function(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast) {
  const RlxAst *head = ast->kind == RLX_AST_CALL ? ast->children[0] : ast;
  RlxValue v;
  if (ast->kind == RLX_AST_BINARY || ast->kind == RLX_AST_UNARY)
    return is_plain_value(ast->children[0]) || ast->op == RLX_OP_NOT ||
           is_no_function(file, stmt, ast->children[0]);
  if (head->kind == RLX_AST_NAME) {
    const bool is_defined = rlx_outer_find(file, stmt, head->name, &v);
    if (ast == head) return is_defined && v.kind == RLX_VALUE_NAMESPACE;
    return !is_defined &&
           rlx_text_is_among(rlx_store_text(file->store, head->name),
                             " abs bool dict divmod float int len list max min pow print range "
                             "round set sorted str sum tuple type ");
  }
  if (head->kind != RLX_AST_ATTRIBUTE) return false;
  v = named(file, stmt, head);
  if (v.kind == RLX_VALUE_OP) return true;
  if (v.kind == RLX_VALUE_WORD) return ast == head || !makes_function((RlxWord)v.integer);
  const bool is_module =
      v.kind == RLX_VALUE_NAMESPACE && strncmp(rlx_store_text(file->store, v.string), "R.", 2) == 0;
  return ast == head && (is_module || v.kind == RLX_VALUE_DTYPE || v.kind == RLX_VALUE_TFUNC);
}

/// Reports a decorator of a def that is no island, where it certainly decorates nothing: a name that nothing defines, a namespace, a value.
static bool is_no_decorator(RlxFile *file, const RlxStmt *stmt, const RlxAst *decorator,
                            RlxFileDiags *out) {
  const RlxAst *head = decorator->kind == RLX_AST_CALL ? decorator->children[0] : decorator;
  const RlxAst *root = head;
  while (root->kind == RLX_AST_ATTRIBUTE) root = root->children[0];
  if (is_plain_value(root)) {
    tell(file, out, stmt, decorator->span, RLX_DIAG_ID(DECORATOR), "this decorates no function");
    return true;
  }
  if (root->kind != RLX_AST_NAME) return false;
  RlxValue value;
  const char *name = rlx_store_text(file->store, root->name);
  bool has_value = rlx_outer_find(file, stmt, root->name, &value),
       is_defined = has_value || rlx_names_is_builtin(name);
  if (!is_defined && *name && !rlx_names_predefined(&file->analyzer->words, name, &value)) {
    RlxDiag *diag =
        rlx_reportf(&file->diag_sink, RLX_DIAG_ID(NAME_UNDEFINED), root->span, "ss", name, "");
    RlxFileDiag d = {.diag = diag, .stmt = stmt, .span = rlx_stmt_absolute(stmt, root->span)};
    rlx_vec_push(out, d);
    return true;
  }
  bool is_space = has_value && head == root && value.kind == RLX_VALUE_NAMESPACE;
  if (is_space)
    tell(file, out, stmt, decorator->span, RLX_DIAG_ID(DECORATOR),
         "a namespace decorates no function");
  return is_space;
}

static void look_at_def(RlxFile *file, const RlxModule *module, const RlxStmt *stmt,
                        RlxFileDiags *out) {
  static const char advice[] = "a function of a module has a decorator that TVM's parser reads: "
                               "`@R.function` or `@T.prim_func`";
  const RlxFn *fn = function_of(module, stmt);
  const RlxAst *last = stmt->decorator_count ? stmt->decorators[stmt->decorator_count - 1] : NULL;
  if (!last) {
    if (!fn) tell(file, out, stmt, stmt->name_span, RLX_DIAG_ID(DECORATOR), advice);
    return;
  }
  for (uint32_t i = 0; i < stmt->decorator_count && !fn; i++)
    if (is_no_decorator(file, stmt, stmt->decorators[i], out)) return;
  if (is_pythons(file, stmt, last)) {
    tell(file, out, stmt, last->span, RLX_DIAG_ID(DECORATOR), advice);
  } else if (fn && fn->kind == RLX_ISLAND_PYFUNC && !has_python(module)) {
    tell(file, out, stmt, last->span, RLX_DIAG_ID(DECORATOR),
         "a Python function stands in a module that derives from BasePyModule");
  } else if (fn && fn->kind == RLX_ISLAND_MACRO) {
    tell(file, out, stmt, last->span, RLX_DIAG_ID(DECORATOR),
         "a macro stands outside of the module's class");
  }
}

/// The function of the namespace `space` that is called, NULL when it is none.
static const char *function_of_space(RlxFile *file, const RlxStmt *stmt, const RlxAst *call,
                                     const char *space) {
  if (!call || call->kind != RLX_AST_CALL) return NULL;
  const RlxAst *head = call->children[0];
  if (head->kind != RLX_AST_ATTRIBUTE || head->children[0]->kind != RLX_AST_NAME) return NULL;
  RlxValue value;
  bool is_space = strcmp(rlx_store_text(file->store, head->children[0]->name), space) == 0 &&
                  rlx_outer_lookup(file, stmt, head->children[0]->name, &value) &&
                  value.kind == RLX_VALUE_NAMESPACE &&
                  strcmp(rlx_store_text(file->store, value.string), space) == 0;
  return is_space ? rlx_store_text(file->store, head->name) : NULL;
}

static const char *script_function(RlxFile *file, const RlxStmt *stmt, const RlxAst *call) {
  return function_of_space(file, stmt, call, "T");
}

/// Why a call by itself is refused; NULL: it is not.
static const char *call_outside(RlxFile *file, const RlxStmt *stmt) {
  if (script_function(file, stmt, stmt->value))
    return "calls of T stand in the bodies of PrimFuncs";
  const char *of_module = function_of_space(file, stmt, stmt->value, "I");
  if (of_module && strcmp(of_module, "module_set_attr") == 0)
    return "a module's class states its attributes by I.module_attrs";
  const char *name = function_of_space(file, stmt, stmt->value, "R");
  if (name && strcmp(name, "func_attr") == 0)
    return "R.func_attr stands in a function; the module's attributes are I.module_attrs";
  return name && rlx_text_is_among(name, " emit func_ret_value output ")
             ? rlx_arena_printf(file->diag_arena, "R.%s stands in a function", name)
             : NULL;
}

/// Why `I.module_attrs()` is refused; NULL: it is another statement, or has its argument.
static const char *lacks_argument(const RlxFile *file, const RlxAst *call) {
  if (!call || call->kind != RLX_AST_CALL || call->child_count != 1 ||
      call->children[0]->kind != RLX_AST_ATTRIBUTE)
    return NULL;
  const char *word = rlx_store_text(file->store, call->children[0]->name);
  return strcmp(word, "module_attrs") == 0 || strcmp(word, "module_global_infos") == 0
             ? "attributes and global infos of a module are given as one dict"
             : NULL;
}

/// Why an assignment in a module's class is refused by itself; NULL: it is not.
static const char *assigned_wrong(RlxFile *file, const RlxStmt *stmt) {
  if (stmt->target_count != 1 || stmt->targets[0]->kind != RLX_AST_NAME)
    return "an assignment in a module's class is to one name";
  if (script_function(file, stmt, stmt->value)) return call_outside(file, stmt);
  return stmt->value && (is_plain_value(stmt->value) || is_no_function(file, stmt, stmt->value))
             ? "a name that is assigned in a module's class is a function; write constants before "
               "the class"
             : NULL;
}

/// Reports an assignment to the name of a function, or of another one, that the class has above, and a function below an assignment to its name.
static void look_at_names(RlxFile *file, const RlxModule *module, RlxFileDiags *out) {
  const RlxBlock *body = module->stmt->body;
  RlxMap above = {0}; // name → the first statement that gives it
  bool has_any = false;
  for (uint32_t i = 0; i < body->count && !has_any; i++)
    has_any = body->stmts[i]->kind == RLX_STMT_ASSIGN;
  for (uint32_t i = 0; i < body->count && has_any; i++) {
    const RlxStmt *stmt = body->stmts[i], *first;
    const bool is_assigned = stmt->kind == RLX_STMT_ASSIGN && !assigned_wrong(file, stmt);
    const RlxName name = is_assigned                  ? stmt->targets[0]->name
                         : stmt->kind == RLX_STMT_DEF ? stmt->name
                                                      : 0;
    uint64_t at;
    if (!name) continue;
    if (!rlx_map_get(&above, name, &at)) {
      rlx_map_put(&above, name, i);
      continue;
    }
    first = body->stmts[at];
    if (!is_assigned && first->kind == RLX_STMT_DEF) continue; // told by the function
    const RlxSpan span = is_assigned ? stmt->targets[0]->span : stmt->name_span;
    RlxDiag *diag =
        rlx_reportf(&file->diag_sink, RLX_DIAG_ID(FUNCTION_TWICE), span, "ss",
                    rlx_store_text(file->store, module->name), rlx_store_text(file->store, name));
    rlx_diag_related(&file->diag_sink, diag, first,
                     first->kind == RLX_STMT_DEF ? first->name_span : first->targets[0]->span,
                     "the first one");
    push(out, stmt, diag);
  }
  rlx_map_free(&above);
}

static void look_at_stmt(RlxFile *file, const RlxModule *module, const RlxStmt *stmt,
                         RlxFileDiags *out) {
  const char *text = NULL;
  switch ((RlxStmtKind)stmt->kind) {
  case RLX_STMT_DEF: look_at_def(file, module, stmt, out); return;
  case RLX_STMT_ASSIGN: text = assigned_wrong(file, stmt); break;
  case RLX_STMT_ANNOTATED:
  case RLX_STMT_AUGMENTED:
  case RLX_STMT_FOR:
  case RLX_STMT_WHILE:
  case RLX_STMT_IF:
  case RLX_STMT_WITH:
  case RLX_STMT_TRY:
  case RLX_STMT_IMPORT:
  case RLX_STMT_ASSERT:
  case RLX_STMT_RAISE:
  case RLX_STMT_DELETE:
  case RLX_STMT_GLOBAL:
  case RLX_STMT_MATCH:
  case RLX_STMT_CLASS: text = "TVM's parser takes no such statement in a module's class"; break;
  case RLX_STMT_EXPR: text = call_outside(file, stmt); break;
  case RLX_STMT_HOLE:
  case RLX_STMT_RETURN:
  case RLX_STMT_PASS:
  case RLX_STMT_BREAK:
  case RLX_STMT_CONTINUE:
  case RLX_STMT_TYPE_ALIAS: break;
  }
  if (!text && stmt->kind == RLX_STMT_EXPR) text = lacks_argument(file, stmt->value);
  if (text) tell(file, out, stmt, rlx_span(0, stmt->head_size), RLX_DIAG_ID(MODULE_BODY), text);
}

/// `for i in T.grid(…)` and `with T.sblock(…)` outside of all functions: Python runs them, as when
/// the end of a PrimFunc has lost its indentation.
static void look_outside(RlxFile *file, RlxFileDiags *out) {
  const RlxBlock *root = rlx_document_root(file->document);
  static const char *const loops[] = {"grid",       "serial", "parallel",
                                      "vectorized", "unroll", "thread_binding"};
  static const char *const others[] = {"func_attr", "evaluate", "sblock", "init"};
  for (uint32_t i = 0; i < root->count && !file->broken_places; i++) {
    const RlxStmt *stmt = root->stmts[i];
    const bool is_for = stmt->kind == RLX_STMT_FOR;
    const RlxAst *call = stmt->kind == RLX_STMT_WITH && stmt->item_count ? stmt->items[0].value
                         : is_for || stmt->kind == RLX_STMT_EXPR         ? stmt->value
                                                                         : NULL;
    const bool is_range =
        is_for && call && call->kind == RLX_AST_CALL && call->child_count == 2 &&
        call->children[0]->kind == RLX_AST_NAME &&
        strcmp(rlx_store_text(file->store, call->children[0]->name), "range") == 0;
    const char *name = script_function(file, stmt, is_range ? call->children[1] : call);
    RlxDType dtype;
    bool is_inside = name && is_range && rlx_dtype_parse(name, strlen(name), &dtype) && *name;
    for (size_t k = 0; name && !is_range && k < sizeof loops / sizeof *loops; k++)
      is_inside |= is_for && strcmp(loops[k], name) == 0;
    for (size_t k = 0; name && !is_range && k < sizeof others / sizeof *others; k++)
      is_inside |= !is_for && strcmp(others[k], name) == 0;
    if (is_inside)
      tell(file, out, stmt, call->span, RLX_DIAG_ID(MODULE_BODY),
           is_range
               ? "outside of a PrimFunc `range` takes numbers of Python only"
               : rlx_arena_printf(file->diag_arena, "T.%s stands in the body of a PrimFunc", name));
  }
}

void rlx_module_body_diags(RlxFile *file, RlxFileDiags *out) {
  bool has_prim = false;
  for (uint32_t m = 0; m < file->modules.count; m++) {
    const RlxModule *module = file->modules.at[m];
    const RlxBlock *body = is_known(module) ? module->stmt->body : NULL;
    for (uint32_t i = 0; body && i < body->count; i++)
      look_at_stmt(file, module, body->stmts[i], out);
    if (body) look_at_names(file, module, out);
  }
  for (uint32_t i = 0; i < file->fns.count; i++)
    has_prim |= file->fns.at[i]->kind == RLX_ISLAND_PRIM_FUNC;
  if (has_prim) look_outside(file, out);
}
