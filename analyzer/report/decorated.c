/// Decorators, the expressions in the body of a module's class, and the file's own statements, as Python
/// evaluates them: names that nothing binds, operators and attributes that values do not have, what can't
/// be called; and one decorator of TVM's over another of TVM's. A class is looked at when functions of
/// Relax or TensorIR stand in it, whether its own decorator makes a module or not.
#include "analyzer/report/decorated.h"

#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/function/recognize.h"
#include "analyzer/report/told.h"
#include "analyzer/words/script_names.h"

enum { MAX_DEPTH = 100 };

typedef struct Look {
  RlxFile *file;
  RlxFileDiags *out;
  RlxTold told;
  bool is_plain; ///< what is looked at is Python's own: it binds names from above downwards
  bool is_run;   ///< the file imports the namespaces that it uses
  bool is_usual_space[3];  ///< R, T and I are the namespaces of TVM
  RlxDialect dialect;      ///< of the functions that are looked at
  bool class_has_function; ///< has_function of the class that is looked at
} Look;

static void tell(Look *l, const RlxStmt *stmt, RlxDiag *diag) {
  RlxFileDiag d = {.diag = diag,
                   .stmt = stmt,
                   .span = rlx_stmt_absolute(stmt, diag->span),
                   .function = stmt->kind == RLX_STMT_DEF ? stmt->name : 0};
  rlx_vec_push(l->out, d);
}

static void tell_text(Look *l, const RlxStmt *stmt, RlxSpan span, const char *text) {
  tell(l, stmt, rlx_reportf(&l->file->diag_sink, RLX_DIAG_ID(DECORATOR), span, "s", text));
}

/// Whether something is said of the decorator already.
static bool is_told(Look *l, const RlxStmt *stmt, const RlxAst *decorator) {
  return rlx_told_touches(&l->told, l->out, rlx_stmt_absolute(stmt, decorator->span));
}

/// Whether a statement that may have run before `stmt` binds the name in one of the suites around it.
static bool is_bound_above(const RlxFile *file, const RlxStmt *stmt, RlxName name) {
  for (const RlxBlock *block = stmt->block; block;
       block = block->parent ? block->parent->block : NULL) {
    const uint32_t last = rlx_outer_first(file, block, name);
    if (last && (file->outer.at[last - 1].is_global || // or a function is called
                 rlx_outer_above(file, last, stmt->start)))
      return true;
  }
  return false;
}

/// The first name in the expression that nothing binds, or NULL.
static const RlxAst *unbound(const Look *l, const RlxStmt *stmt, const RlxAst *ast, int depth) {
  if (depth > MAX_DEPTH || ast->kind == RLX_AST_LAMBDA || ast->kind == RLX_AST_COMPREHENSION)
    return NULL;
  if (ast->kind == RLX_AST_NAME) {
    const char *text = rlx_store_text(l->file->store, ast->name);
    RlxValue value;
    const RlxStmt *around = stmt->block ? stmt->block->parent : NULL;
    if (around && around->kind == RLX_STMT_CLASS && around->name == ast->name && around != stmt)
      return ast; // bound when all of its body has run
    const bool is_found = l->is_plain ? is_bound_above(l->file, stmt, ast->name)
                                      : rlx_outer_lookup(l->file, stmt, ast->name, &value);
    bool is_bound = !text[0] || is_found || rlx_names_is_builtin(text) ||
                    strcmp(text, "tvm") == 0 ||
                    ((!l->is_run || l->is_plain) &&
                     rlx_names_predefined(&l->file->analyzer->words, text, &value));
    return is_bound ? NULL : ast;
  }
  if (ast->kind == RLX_AST_CONDITIONAL) return unbound(l, stmt, ast->children[1], depth + 1);
  const uint32_t count =
      ast->kind == RLX_AST_BOOL_OP ? 1 : ast->child_count; // of the rest none may be run
  for (uint32_t i = 0; i < count; i++) {
    const RlxAst *found = unbound(l, stmt, ast->children[i], depth + 1);
    if (found) return found;
  }
  return NULL;
}

/// What a file does with TVM itself depends on the TVM that it is run with, and this is not known by its functions' dialect.
static bool is_of_other_tvm(const Look *l, const RlxDiag *diag) {
  return l->is_plain && diag->id == RLX_DIAG_ID(ATTRIBUTE_UNKNOWN) &&
         (strncmp(diag->message, "`tvm", 4) == 0 || strncmp(diag->message, "`relax", 6) == 0);
}

/// Whether a scalar of numpy's stands in the expression, or one of its types: numpy decides what can be done with it, and they are read
/// here as numbers of T.
static bool has_scalar(Look *l, const RlxStmt *stmt, const RlxAst *ast, int depth) {
  if (depth > MAX_DEPTH) return true;
  if (ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_CALL || ast->kind == RLX_AST_ATTRIBUTE) {
    RlxEval e;
    RlxSink silent = {.arena = l->file->diag_arena};
    rlx_eval_init(&e, l->file, NULL, stmt, l->file->diag_arena, &silent);
    e.is_decorator = e.takes_scalar = true;
    const RlxValue v = rlx_eval_head(&e, ast);
    rlx_eval_deinit(&e);
    rlx_vec_free(&silent.diags);
    const bool is_number = v.kind == RLX_VALUE_PRIM || v.kind == RLX_VALUE_SYMDECL ||
                           v.kind == RLX_VALUE_DTYPE || v.kind == RLX_VALUE_ARRAY;
    if (is_number && (v.is_python || v.kind == RLX_VALUE_ARRAY || v.kind == RLX_VALUE_DTYPE))
      return true;
  }
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (has_scalar(l, stmt, ast->children[i], depth + 1)) return true;
  return false;
}

/// Reports what Python refuses in the expression; `*type` is what its value then is.
static bool is_refused(Look *l, const RlxStmt *stmt, const RlxAst *ast, RlxPythonType *type) {
  RlxEval e;
  RlxSink sink = {.arena = l->file->diag_arena};
  rlx_eval_init(&e, l->file, NULL, stmt, l->file->diag_arena, &sink);
  e.is_decorator = true;
  e.outer_dialect = l->dialect;
  RlxValue v = rlx_eval_head(&e, ast);
  bool is_wrong = false;
  for (uint32_t i = 0; i < sink.diags.count && !is_wrong; i++) {
    is_wrong = sink.diags.at[i]->severity == RLX_ERROR && !is_of_other_tvm(l, sink.diags.at[i]) &&
               !(l->is_plain && has_scalar(l, stmt, ast, 0));
    if (is_wrong) tell(l, stmt, sink.diags.at[i]);
  }
  const bool is_symbol = v.kind == RLX_VALUE_PRIM || v.kind == RLX_VALUE_SYMDECL;
  *type = is_symbol ? RLX_PYTHON_OBJECT : rlx_python_type(&e, &v);
  rlx_vec_free(&sink.diags);
  rlx_eval_deinit(&e);
  return is_wrong;
}

/// Whether the lambda can be called with one argument.
static bool takes_one(const RlxAst *lambda) {
  bool takes = false;
  for (uint32_t i = 0; i < lambda->param_count; i++) {
    const RlxParam *p = &lambda->params[i];
    if (p->is_positional_marker || p->star == 2) continue;
    if (takes && !p->default_value && !p->star) return false;
    takes |= p->star != 1 || p->name;
  }
  return takes;
}

/// Whether a name of T, or a namespace that is called, takes no class: most take expressions, or no arguments. The names that do
/// were found by giving each one a class, in the wheels of TVM 0.25 and 0.27.
static bool takes_no_class(const Look *l, const RlxStmt *stmt, const RlxAst *decorator) {
  static const char takers[] = " LetAnnotation Optional SMEMPool block_name_suffix_context "
                               "meta_class meta_var ptx.pred static_assert ";
  const bool is_call = decorator->kind == RLX_AST_CALL;
  char name[RLX_AST_DOTTED_MAX];
  const RlxAst *space =
      rlx_ast_dotted(l->file->store, is_call ? decorator->children[0] : decorator, name);
  RlxValue value;
  if (!space || !rlx_outer_lookup(l->file, stmt, space->name, &value) ||
      value.kind != RLX_VALUE_NAMESPACE ||
      strcmp(rlx_store_text(l->file->store, value.string), "T") != 0)
    return false;
  const RlxScriptName *row = rlx_script_name(name, l->dialect);
  const bool is_space = rlx_script_name_has_members(name, l->dialect);
  if (is_call) return is_space && (!row || row->how == RLX_SCRIPT_OTHER);
  if (rlx_text_is_among(name, takers)) return false;
  char *dot = strrchr(name, '.');
  if (dot) *dot = 0; // the namespace that it is of
  return row || is_space || (dot && rlx_script_name_has_members(name, l->dialect));
}

/// Reports a decorator that Python refuses, or that decorates nothing.
static void check_value(Look *l, const RlxStmt *stmt, const RlxAst *decorator) {
  RlxPythonType type;
  if (is_refused(l, stmt, decorator, &type)) return;
  bool is_no_function = type != RLX_PYTHON_UNKNOWN && type != RLX_PYTHON_FUNCTION;
  const bool takes_other = decorator->kind == RLX_AST_LAMBDA && !takes_one(decorator);
  if (is_no_function || takes_other ||
      (stmt->kind == RLX_STMT_CLASS && takes_no_class(l, stmt, decorator)))
    tell_text(l, stmt, decorator->span,
              stmt->kind == RLX_STMT_CLASS ? "this decorates no class"
                                           : "this decorates no function");
}

/// Whether Python finds no truth in the value: an expression of TVM's that is neither a number nor a comparison of two for equality.
static bool has_no_truth(const RlxValue *v) {
  if (v->kind == RLX_VALUE_SYMDECL) return true;
  if (v->kind != RLX_VALUE_PRIM || v->is_python) return false;
  const RlxPrimKind kind = v->prim->kind;
  return kind == RLX_PRIM_INT ? v->prim->dtype.lanes > 1
                              : kind != RLX_PRIM_EQ && kind != RLX_PRIM_NE;
}

/// What Python, running one of TVM's decorators, refuses of the value of its keyword `name`, "is …"; NULL: nothing that is known.
static const char *keyword_fault(const Look *l, const RlxEval *e, const char *name,
                                 const RlxValue *v) {
  if (strcmp(name, "check_well_formed") == 0 ||
      (strcmp(name, "s_tir") == 0 && l->dialect == RLX_DIALECT_025))
    return has_no_truth(v) ? "is True or False: an expression has no truth" : NULL;
  const RlxPythonType type = rlx_python_type(e, v);
  const bool is_value = v->kind == RLX_VALUE_PRIM || v->kind == RLX_VALUE_SYMDECL ||
                        v->kind == RLX_VALUE_EXPR || type != RLX_PYTHON_UNKNOWN;
  return strcmp(name, "mod") == 0 && is_value && type != RLX_PYTHON_NONE
             ? "is the class that the decorator makes a module of"
             : NULL;
}

/// Reports keywords of a decorator of TVM's whose values Python refuses when it runs it. (TVM's parser, which reads a class, looks at
/// the texts of other flags: rlx_fn_check_decorators.)
static void check_keywords(Look *l, const RlxStmt *stmt, const RlxAst *decorator, RlxWord word) {
  if (word != RLX_WORD_IR_MODULE && word != RLX_WORD_FUNCTION && word != RLX_WORD_PRIM_FUNC) return;
  const char *fault = NULL;
  const RlxAst *arg = NULL;
  bool is_checked = true;
  RlxEval e;
  RlxSink silent = {.arena = l->file->diag_arena};
  rlx_eval_init(&e, l->file, NULL, stmt, l->file->diag_arena, &silent);
  e.is_decorator = true;
  e.outer_dialect = l->dialect;
  for (uint32_t i = 1; i < decorator->child_count && !fault; i++) {
    arg = decorator->children[i];
    if (arg->kind != RLX_AST_KEYWORD) continue;
    const char *name = rlx_store_text(l->file->store, arg->name);
    const bool is_s_tir = strcmp(name, "s_tir") == 0;
    if (is_s_tir && word != RLX_WORD_IR_MODULE) continue;
    const RlxValue v = rlx_eval_head(&e, arg->children[0]);
    fault = keyword_fault(l, &e, name, &v);
    if (!is_s_tir) continue;
    for (uint32_t k = 1; k < decorator->child_count;
         k++) // of a module that is not checked TVM does not ask
      is_checked &= decorator->children[k]->kind == RLX_AST_KEYWORD &&
                    (k == i || rlx_ast_flag(decorator->children[k]->children[0]) != 0);
    if (!is_checked) fault = NULL;
  }
  rlx_eval_deinit(&e);
  rlx_vec_free(&silent.diags);
  if (fault)
    tell_text(l, stmt, arg->children[0]->span,
              rlx_arena_printf(l->file->diag_arena, "`%s` %s",
                               rlx_store_text(l->file->store, arg->name), fault));
}

/// Which of TVM's decorators it is; NONE: another one, or not known.
static RlxWord word_of(Look *l, const RlxStmt *stmt, const RlxAst *decorator) {
  const RlxAst *head = rlx_decorator_function(decorator), *root = head;
  while (root->kind == RLX_AST_ATTRIBUTE) root = root->children[0];
  if (root->kind != RLX_AST_NAME) return RLX_WORD_NONE;
  RlxEval e;
  RlxSink silent = {.arena = l->file->diag_arena};
  rlx_eval_init(&e, l->file, NULL, stmt, l->file->diag_arena, &silent);
  RlxValue v = rlx_eval_head(&e, head);
  rlx_eval_deinit(&e);
  rlx_vec_free(&silent.diags);
  return v.kind == RLX_VALUE_WORD ? (RlxWord)v.integer : RLX_WORD_NONE;
}

static bool makes_ir(RlxWord word) {
  return word == RLX_WORD_IR_MODULE || word == RLX_WORD_REWRITER || word == RLX_WORD_FUNCTION ||
         word == RLX_WORD_PRIM_FUNC;
}

static bool makes_macro(RlxWord word) {
  return word == RLX_WORD_R_MACRO || word == RLX_WORD_T_MACRO || word == RLX_WORD_T_INLINE;
}

/// Python's own decorator that wraps what it is given into an object of its own; NULL: another one.
static const char *wrapper_of(const Look *l, const RlxStmt *stmt, const RlxAst *decorator) {
  static const char *const wrappers[] = {"staticmethod", "classmethod", "property"};
  RlxValue value;
  if (decorator->kind != RLX_AST_NAME) return NULL;
  const char *text = rlx_store_text(l->file->store, decorator->name);
  for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
    if (strcmp(wrappers[i], text) == 0)
      return rlx_outer_lookup(l->file, stmt, decorator->name, &value) ? NULL : wrappers[i];
  return NULL;
}

/// Whether a function of the class stays one of Python's, through which TVM's parser knows the names around the class: none of its decorators makes a macro of it.
static bool has_function(Look *l, const RlxBlock *body) {
  for (uint32_t i = 0; body && i < body->count; i++) {
    const RlxStmt *stmt = body->stmts[i];
    bool is_macro = stmt->kind != RLX_STMT_DEF;
    for (uint32_t k = 0; k < stmt->decorator_count && !is_macro; k++)
      is_macro = makes_macro(word_of(l, stmt, stmt->decorators[k]));
    if (!is_macro) return true;
  }
  return false;
}

/// A decorator that makes a module, a function or a macro above another: it is given what that one made. In the class `body` TVM's decorators of
/// functions give the function back, and a macro of it is read with the others, where another function knows the names.
static void check_twice(Look *l, const RlxStmt *stmt, const RlxBlock *body) {
  const char *below = NULL;
  bool is_ir = false; // what stands below is no macro
  for (uint32_t i = stmt->decorator_count; i-- > 0;) {
    const RlxWord word = word_of(l, stmt, stmt->decorators[i]);
    const char *wrapper = word ? NULL : wrapper_of(l, stmt, stmt->decorators[i]);
    if (wrapper) below = wrapper, is_ir = true;
    const bool is_macro = makes_macro(word),
               is_refused = is_macro ? is_ir : !body && makes_ir(word);
    if (below && is_refused && !is_told(l, stmt, stmt->decorators[i]) &&
        !(body && l->class_has_function))
      tell_text(
          l, stmt, stmt->decorators[i]->span,
          rlx_arena_printf(l->file->diag_arena,
                           "`@%s` is given what `@%s` below made, and decorates no such thing",
                           rlx_word_path(word), below));
    if (!makes_ir(word) && !is_macro && word != RLX_WORD_PYFUNC) continue;
    is_ir = makes_ir(word);
    below = rlx_word_path(word);
  }
}

/// Whether two StructInfos are certainly not the same up to the names of variables.
static bool differ(const RlxSInfo *a, const RlxSInfo *b) {
  const RlxSymVar *var;
  int in_a = 0, in_b = 0;
  if (a == b) return false;
  rlx_sinfo_vars(a, &var, &in_a, 1);
  rlx_sinfo_vars(b, &var, &in_b, 1);
  return a->kind != b->kind || (!in_a && !in_b);
}

/// What is replaced and what takes its place have one signature.
static void check_signatures(Look *l, const RlxFn *pattern, const RlxFn *other) {
  const RlxFunction *a = &pattern->function, *b = &other->function;
  const RlxStmt *def = other->stmt;
  if (pattern->header_failed || other->header_failed) return;
  if (a->param_count != b->param_count)
    tell_text(l, def, def->name_span,
              rlx_arena_printf(l->file->diag_arena,
                               "`replacement` has %u parameter%s, `pattern` %u: they have to agree",
                               b->param_count, b->param_count == 1 ? "" : "s", a->param_count));
  for (uint32_t i = 0; i < a->param_count && a->param_count == b->param_count; i++) {
    if (((a->params[i]->is_tainted | b->params[i]->is_tainted) && // Python may give them one type
         a->params[i]->sinfo->kind == b->params[i]->sinfo->kind) ||
        !differ(a->params[i]->sinfo, b->params[i]->sinfo))
      continue;
    RlxBuf text = {0};
    rlx_sinfo_print(l->file->store, a->params[i]->sinfo, &text);
    tell_text(l, def, def->params[i].span,
              rlx_arena_printf(l->file->diag_arena,
                               "this parameter of `pattern` is %s: they have to agree",
                               rlx_buf_text(&text)));
    rlx_buf_free(&text);
    return;
  }
  const bool is_open = rlx_fn_is_open(pattern, true) || rlx_fn_is_open(other, true);
  bool is_told = is_open || pattern->ret_failed || other->ret_failed || pattern->ret_unknown ||
                 other->ret_unknown || a->ret_annotation || b->ret_annotation;
  if (!is_told && a->param_count == b->param_count && a->ret && b->ret && differ(a->ret, b->ret))
    tell_text(l, def, def->name_span,
              "`replacement` gives another type than `pattern`: they have to agree");
  if (a->is_pure != b->is_pure)
    tell_text(l, def, def->name_span,
              "one of `pattern` and `replacement` is pure, the other is not: they have to agree");
}

/// `@R.rewriter` reads two Relax functions of the class, of one signature; others are private.
static void check_rewriter(Look *l, const RlxStmt *stmt) {
  static const char *const needed[] = {"pattern", "replacement"};
  const RlxFn *found[2] = {0};
  const RlxAst *decorator = NULL;
  for (uint32_t i = 0; i < stmt->decorator_count; i++)
    if (word_of(l, stmt, stmt->decorators[i]) == RLX_WORD_REWRITER) decorator = stmt->decorators[i];
  if (!decorator || is_told(l, stmt, decorator)) return;
  for (uint32_t i = 0; i < l->file->fns.count; i++) {
    const RlxFn *fn = l->file->fns.at[i];
    if (fn->outer || !fn->module || fn->module->stmt != stmt) continue;
    const char *name = rlx_store_text(l->file->store, fn->stmt->name);
    int which = strcmp(name, needed[0]) == 0 ? 0 : strcmp(name, needed[1]) == 0 ? 1 : -1;
    if (which >= 0)
      found[which] = fn;
    else if (!fn->function.is_private)
      tell_text(l, fn->stmt, fn->stmt->name_span,
                "a rewriter adds private functions only: `private=True` makes it one");
    if (which >= 0 && fn->kind != RLX_ISLAND_RELAX)
      tell_text(
          l, fn->stmt, fn->stmt->name_span,
          rlx_arena_printf(l->file->diag_arena, "`%s` of a rewriter is a Relax function", name));
  }
  for (size_t n = 0; n < sizeof needed / sizeof *needed; n++)
    if (!found[n])
      tell_text(l, stmt, decorator->span,
                rlx_arena_printf(l->file->diag_arena, "a rewriter has a function `%s`", needed[n]));
  if (found[0] && found[1] && found[0]->kind == RLX_ISLAND_RELAX &&
      found[1]->kind == RLX_ISLAND_RELAX)
    check_signatures(l, found[0], found[1]);
}

/// `@R.function(private=True)`, as it nearly always stands there: nothing is wrong.
static bool is_usual(const Look *l, const RlxAst *decorator) {
  static const char *const usual[][2] = {{"R", "function"}, {"T", "prim_func"}, {"I", "ir_module"}};
  const RlxAst *head = decorator->kind == RLX_AST_CALL ? decorator->children[0] : decorator;
  for (uint32_t i = 1; decorator->kind == RLX_AST_CALL && i < decorator->child_count; i++) {
    const RlxAst *arg = decorator->children[i];
    if (arg->kind != RLX_AST_KEYWORD ||
        (arg->children[0]->kind != RLX_AST_TRUE && arg->children[0]->kind != RLX_AST_FALSE))
      return false;
  }
  if (head->kind != RLX_AST_ATTRIBUTE || head->children[0]->kind != RLX_AST_NAME) return false;
  const char *space = rlx_store_text(l->file->store, head->children[0]->name),
             *word = rlx_store_text(l->file->store, head->name);
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (strcmp(usual[i][0], space) == 0 && strcmp(usual[i][1], word) == 0)
      return l->is_usual_space[i];
  return false;
}

/// Reports the first name in the expression that nothing binds.
static bool has_unbound(Look *l, const RlxStmt *stmt, const RlxAst *ast) {
  const RlxAst *name = unbound(l, stmt, ast, 0);
  if (name)
    tell(l, stmt,
         rlx_reportf(&l->file->diag_sink, RLX_DIAG_ID(NAME_UNDEFINED), name->span, "ss",
                     rlx_store_text(l->file->store, name->name), ""));
  return name;
}

/// A decorator of classes is given a function. Above another decorator it is given what that one makes: in a class the function still.
static void check_is_class(Look *l, const RlxStmt *stmt, bool is_in_class) {
  if (stmt->kind != RLX_STMT_DEF) return;
  for (uint32_t i = stmt->decorator_count; i-- > 0;) {
    const RlxAst *decorator = stmt->decorators[i];
    const RlxWord word = word_of(l, stmt, decorator);
    const bool is_given = is_in_class || i + 1 == stmt->decorator_count;
    if (!is_given || (word != RLX_WORD_IR_MODULE && word != RLX_WORD_REWRITER) ||
        is_told(l, stmt, decorator))
      continue;
    tell_text(l, stmt, decorator->span,
              rlx_arena_printf(l->file->diag_arena,
                               "`@%s` decorates classes, and this is a function",
                               rlx_word_path(word)));
    return;
  }
}

/// Looks at what is decorated, in the class of `body` or (NULL) outside of all.
static void look_at(Look *l, const RlxStmt *stmt, const RlxBlock *body) {
  if (stmt->decorator_count == 1 && is_usual(l, stmt->decorators[0])) return;
  for (uint32_t i = 0; i < stmt->decorator_count && !stmt->has_error; i++) {
    const RlxAst *decorator = stmt->decorators[i];
    if (is_told(l, stmt, decorator)) continue;
    if (!has_unbound(l, stmt, decorator)) check_value(l, stmt, decorator);
    if (!body && decorator->kind == RLX_AST_CALL && !is_told(l, stmt, decorator))
      check_keywords(l, stmt, decorator, word_of(l, stmt, decorator));
  }
  if (stmt->has_error) return;
  check_twice(l, stmt, body);
  check_is_class(l, stmt, body);
  if (stmt->kind == RLX_STMT_CLASS) check_rewriter(l, stmt);
}

/// The first assignment expression, or `**` of a dictionary, in what stands in a class, which TVM's parser evaluates part by part; NULL: there is none.
static const RlxAst *unevaluated(const RlxAst *ast, int depth) {
  if (depth > MAX_DEPTH || ast->kind == RLX_AST_LAMBDA || ast->kind == RLX_AST_COMPREHENSION)
    return NULL; // which Python compiles as a whole
  if (ast->kind == RLX_AST_NAMED) return ast;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    if (ast->kind == RLX_AST_DICT && ast->children[i]->kind == RLX_AST_DOUBLE_STARRED)
      return ast->children[i];
    const RlxAst *found = unevaluated(ast->children[i], depth + 1);
    if (found) return found;
  }
  return NULL;
}

/// What TVM's parser evaluates in a module's class: an expression, the value of an assignment.
static void look_at_value(Look *l, const RlxStmt *stmt) {
  RlxPythonType type;
  if (has_unbound(l, stmt, stmt->value) || is_refused(l, stmt, stmt->value, &type)) return;
  const RlxAst *part = unevaluated(stmt->value, 0);
  if (part)
    tell(l, stmt,
         rlx_reportf(&l->file->diag_sink, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), part->span, "s",
                     part->kind == RLX_AST_NAMED ? "an assignment expression"
                                                 : "`**` in a dictionary"));
}

static void look_at_class(Look *l, const RlxStmt *class_stmt) {
  const RlxBlock *body = class_stmt->body;
  const bool is_module = rlx_module_of(l->file, class_stmt) != NULL;
  look_at(l, class_stmt, NULL);
  l->class_has_function = has_function(l, body);
  for (uint32_t i = 0; body && i < body->count; i++) {
    const RlxStmt *stmt = body->stmts[i];
    bool is_evaluated = stmt->kind == RLX_STMT_EXPR || stmt->kind == RLX_STMT_ASSIGN;
    if (stmt->kind == RLX_STMT_DEF)
      look_at(l, stmt, body);
    else if (is_evaluated && stmt->value && !stmt->has_error && is_module)
      look_at_value(l, stmt);
  }
}

/// Notes which of the namespaces the file's own statements import.
static void note_imports(Look *l) {
  static const char *const spaces[] = {"R", "T", "I", "tvm"};
  const RlxBlock *root = rlx_document_root(l->file->document);
  const RlxStmt *last = root->count ? root->stmts[root->count - 1] : NULL;
  RlxValue value;
  for (size_t i = 0; last && i < sizeof spaces / sizeof *spaces; i++) {
    RlxName name = rlx_intern_text(rlx_store_names(l->file->store), spaces[i]);
    if (!rlx_outer_lookup(l->file, last, name, &value)) continue;
    l->is_run = true;
    if (i < sizeof l->is_usual_space)
      l->is_usual_space[i] = value.kind == RLX_VALUE_NAMESPACE &&
                             strcmp(rlx_store_text(l->file->store, value.string), spaces[i]) == 0;
  }
}

/// Whether the parameters of a function, or its result, are annotated with words of R or T.
static bool has_script_types(RlxFile *file, const RlxStmt *def) {
  for (uint32_t i = 0; i <= def->param_count; i++) {
    const RlxAst *at = i < def->param_count ? def->params[i].annotation : def->annotation;
    RlxValue value;
    while (at && (at->kind == RLX_AST_CALL || at->kind == RLX_AST_ATTRIBUTE)) at = at->children[0];
    if (!at || at->kind != RLX_AST_NAME || !rlx_outer_lookup(file, def, at->name, &value) ||
        value.kind != RLX_VALUE_NAMESPACE)
      continue;
    const char *path = rlx_store_text(file->store, value.string);
    if (strcmp(path, "R") == 0 || strcmp(path, "T") == 0) return true;
  }
  return false;
}

/// `@RR.function`: only TVM's functions are decorated so.
static bool is_named_like_one(const Look *l, const RlxStmt *def) {
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *d = def->decorators[i];
    const RlxAst *head = d->kind == RLX_AST_CALL ? d->children[0] : d;
    const char *word =
        head->kind == RLX_AST_ATTRIBUTE ? rlx_store_text(l->file->store, head->name) : "";
    if (strcmp(word, "function") == 0 || strcmp(word, "prim_func") == 0) return true;
  }
  return false;
}

/// Functions that no decorator of TVM's makes TVM's, though they are written like that.
static void look_at_others(Look *l) {
  const RlxBlock *root = rlx_document_root(l->file->document);
  for (uint32_t i = 0; i < root->count; i++) {
    const RlxStmt *stmt = root->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    if (stmt->kind == RLX_STMT_DEF && stmt->decorator_count && !(unit && unit->fn) &&
        (has_script_types(l->file, stmt) || is_named_like_one(l, stmt)))
      look_at(l, stmt, NULL);
  }
}

/// Whether Python may leave a part of the expression alone: `a or b`, `a if c else b`.
static bool is_lazy(const RlxAst *ast, int depth) {
  if (depth > MAX_DEPTH || ast->kind == RLX_AST_BOOL_OP || ast->kind == RLX_AST_CONDITIONAL)
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (is_lazy(ast->children[i], depth + 1)) return true;
  return false;
}

/// Reports what Python refuses in an expression that it evaluates where it stands: names that nothing binds above, and
/// what is wrong with the rest. `*type` is what its value is then.
static bool is_wrong(Look *l, const RlxStmt *stmt, const RlxAst *ast, RlxPythonType *type) {
  *type = RLX_PYTHON_UNKNOWN;
  return is_told(l, stmt, ast) || has_unbound(l, stmt, ast) ||
         (!is_lazy(ast, 0) && is_refused(l, stmt, ast, type));
}

/// The bases of a class: values that are none.
static void look_at_bases(Look *l, const RlxStmt *stmt) {
  for (uint32_t i = 0; i < stmt->target_count; i++) {
    const RlxAst *base = stmt->targets[i];
    const bool is_keyword = base->kind == RLX_AST_KEYWORD, is_star = base->kind == RLX_AST_STARRED;
    RlxPythonType type;
    if (is_wrong(l, stmt, is_keyword ? base->children[0] : base, &type)) return;
    const bool is_other = base->kind == RLX_AST_BYTES || base->kind == RLX_AST_IMAGINARY;
    if (is_keyword || is_star || (type == RLX_PYTHON_UNKNOWN && !is_other)) continue;
    if (type == RLX_PYTHON_OBJECT || type == RLX_PYTHON_PROXY)
      continue; // which Python lets pass, or may
    tell_text(l, stmt, base->span, "this is no class that another derives from");
    return;
  }
}

/// A statement outside of all functions and classes, as Python runs it.
static void look_at_plain(Look *l, const RlxStmt *stmt) {
  const bool is_simple = stmt->kind == RLX_STMT_EXPR || stmt->kind == RLX_STMT_ASSIGN ||
                         stmt->kind == RLX_STMT_ANNOTATED || stmt->kind == RLX_STMT_ASSERT ||
                         stmt->kind == RLX_STMT_AUGMENTED;
  RlxPythonType type;
  if (stmt->has_error) return;
  if (is_simple && stmt->value && is_wrong(l, stmt, stmt->value, &type)) return;
  if (stmt->kind == RLX_STMT_AUGMENTED) has_unbound(l, stmt, stmt->targets[0]);
  if (stmt->kind == RLX_STMT_ANNOTATED && !l->file->has_string_annotations && stmt->annotation)
    has_unbound(l, stmt, stmt->annotation);
  if (stmt->kind == RLX_STMT_CLASS) look_at_bases(l, stmt);
  const RlxAnalysis *unit = stmt->analysis;
  const bool is_scope = stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS;
  if (!is_scope || (unit && unit->fn) || rlx_module_of(l->file, stmt)) return; // look_at's
  for (uint32_t i = 0; i < stmt->decorator_count; i++)
    if (!is_told(l, stmt, stmt->decorators[i]) && !has_unbound(l, stmt, stmt->decorators[i]))
      check_value(l, stmt, stmt->decorators[i]);
  for (uint32_t i = 0; stmt->kind == RLX_STMT_DEF && i < stmt->param_count; i++) {
    const RlxAst *value = stmt->params[i].default_value;
    if (value && is_wrong(l, stmt, value, &type)) return;
  }
}

/// Whether the text may bind names otherwise than by statements: in the midst of an expression, through the dictionary of its
/// names, by text that it runs.
static bool binds_otherwise(const char *text, uint32_t size) {
  static const char *const ways[] = {":=", "globals(", "locals(", "vars(", "exec(", "execfile("};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (memmem(text, size, ways[i], strlen(ways[i]))) return true;
  return false;
}

/// The file's own statements, if all names that they bind are known.
static void look_at_file(Look *l) {
  uint32_t size = 0;
  const RlxBlock *root = rlx_document_root(l->file->document);
  const char *text = rlx_document_text(l->file->document, &size);
  if (binds_otherwise(text, size)) return;
  l->is_plain = true;
  for (uint32_t i = 0; i < root->count && root->stmts[i]->kind != RLX_STMT_MATCH; i++)
    look_at_plain(l, root->stmts[i]);
  l->is_plain = false;
}

static void look_at_all(Look *l) {
  const RlxStmt *seen = NULL;
  note_imports(l);
  if (!l->is_run || l->file->has_star_import || l->file->broken_places) return;
  for (uint32_t i = 0; i < l->file->fns.count; i++) {
    const RlxFn *fn = l->file->fns.at[i];
    const RlxStmt *stmt = fn->stmt, *around = stmt->block ? stmt->block->parent : NULL;
    if (fn->outer || !rlx_script_names_cover((RlxDialect)fn->dialect)) continue;
    bool is_in_class = around && around->kind == RLX_STMT_CLASS;
    l->dialect = (RlxDialect)fn->dialect;
    if (is_in_class && around != seen) {
      seen = around;
      look_at_class(l, around);
    } else if (!is_in_class) {
      look_at(l, stmt, NULL);
    }
  }
  l->dialect = rlx_file_outer_dialect(l->file);
  if (!rlx_script_names_cover(l->dialect)) return;
  look_at_others(l);
  look_at_file(l);
  for (uint32_t i = 0; i < l->file->modules.count; i++) // whose functions' decorators say nothing
    if (!l->file->modules.at[i]->fns.count) look_at_class(l, l->file->modules.at[i]->stmt);
}

void rlx_decorator_diags(RlxFile *file, RlxFileDiags *out, uint32_t from) {
  Look l = {.file = file, .out = out, .told = {.seen = from}};
  look_at_all(&l);
  rlx_told_free(&l.told);
}
