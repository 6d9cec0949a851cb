/// Calls: the script's vocabulary (words_relax.c, words_script.c), operators and functions (calls.c), Python's own
/// functions (builtins.c). Always true: arguments are evaluated once, in source order,
/// before anything is decided about the call.
#include <string.h>

#include "analyzer/eval/calls_impl.h"
#include "analyzer/eval/eval_words.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/metadata.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/words/script_effects.h"
#include "analyzer/words/spell.h"

/// The columns of words.def that say what a call of the word takes and does.
static const struct {
  const char *params;
  RlxValue (*call)(RlxEval *e, const RlxWordCall *c);
} vocabulary[] = {
    {"", rlx_word_none},
#define RLX_WORD(id, path, params, call) {params, rlx_word_##call},
#include "analyzer/words/words.def"
#undef RLX_WORD
};

static void push(RlxEval *e, RlxPyArgs *args, uint32_t *capacity, RlxPyArg arg) {
  if (args->count == *capacity) {
    uint32_t wanted = *capacity * 2 + 4;
    RlxPyArg *grown = rlx_arena_array(e->analyzer->scratch, RlxPyArg, wanted);
    if (args->count) memcpy(grown, args->at, args->count * sizeof *grown);
    args->at = grown;
    *capacity = wanted;
  }
  args->at[args->count++] = arg;
}

static void splat(RlxEval *e, RlxPyArgs *args, uint32_t *capacity, const RlxAst *ast) {
  RlxValue v = rlx_eval(e, ast->children[0]);
  if (v.kind == RLX_VALUE_STR) v = rlx_letters(e, &v);
  if (v.kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v.count; i++)
      push(e, args, capacity, (RlxPyArg){0, v.items[i], ast->span, ast->span});
  } else if (v.kind == RLX_VALUE_EXPR && v.expr->sinfo->kind == RLX_SINFO_TUPLE &&
             !rlx_is_wide(e, (uint64_t)v.expr->sinfo->count)) {
    for (int32_t i = 0; i < v.expr->sinfo->count; i++)
      push(e, args, capacity,
           (RlxPyArg){0, rlx_value_expr(rlx_expr_get(e, v.expr, i, ast->span, ast->span)),
                      ast->span, ast->span});
  } else {
    if ((rlx_is_single(e, &v) || rlx_is_unpackable(e, &v)) && rlx_refuse_may_tell(e))
      rlx_operand_report(e, RLX_OP_MUL, ast->span, &v, NULL, "");
    args->is_unknown = true;
  }
}

static void splat_keywords(RlxEval *e, RlxPyArgs *args, uint32_t *capacity, const RlxAst *ast) {
  RlxValue v = rlx_eval(e, ast->children[0]);
  if (v.kind != RLX_VALUE_DICT) {
    args->is_unknown = true;
    return;
  }
  for (uint32_t i = 0; i + 1 < v.count; i += 2) {
    if (v.items[i].kind == RLX_VALUE_STR)
      push(e, args, capacity, (RlxPyArg){v.items[i].string, v.items[i + 1], ast->span, ast->span});
    else
      args->is_unknown = true;
  }
}

/// What a call calls.
typedef struct Called {
  RlxWord word;
  const char *name; ///< behind T; NULL: nothing of T
  RlxRole role; ///< of the call: where it is a term of a dimension, its arguments are terms, too
  bool takes_scalars; ///< it knows numpy's scalars
} Called;

/// The place of `name` in a list of words.def; -1: not there.
static int param_place(const char *params, const char *name) {
  int place = 0;
  for (const char *at = params; *at; at += strcspn(at, " "), at += *at == ' ', place++)
    if (strcspn(at, " ") == strlen(name) && strncmp(at, name, strlen(name)) == 0) return place;
  return -1;
}

/// The name behind T of what is called by `head`, whatever it is that T has there; NULL: it is nothing of T.
static const char *name_behind_t(RlxEval *e, const RlxValue *callee, const RlxAst *head) {
  if (callee->kind == RLX_VALUE_TFUNC) return rlx_store_text(e->store, callee->string);
  if (callee->kind == RLX_VALUE_DTYPE && !callee->is_python)
    return rlx_ast_last_name(e->store, head);
  const char *path = callee->kind == RLX_VALUE_WORD ? rlx_word_path((RlxWord)callee->integer) : "";
  return strncmp(path, "T.", 2) == 0 ? path + 2 : NULL;
}

/// Whether T.`name` takes an expression for the argument: the letters of script_kinds.def say it. What the wheels do not have
/// is asked of the newest that has it.
static bool takes_expression(const RlxStore *store, const char *name, const RlxAst *arg,
                             int position) {
  static const RlxDialect wheels[] = {RLX_DIALECT_027, RLX_DIALECT_025};
  const bool is_keyword = arg->kind == RLX_AST_KEYWORD;
  for (size_t i = 0; i < sizeof wheels / sizeof *wheels; i++) {
    const RlxScriptName *row = rlx_script_name(name, wheels[i]);
    const RlxScriptKinds *kinds = rlx_script_kinds(name, wheels[i]);
    if (!row || !kinds) continue;
    size_t size = 0;
    const char *letters =
        rlx_script_letters(row->params, kinds->kinds, is_keyword ? -1 : position,
                           is_keyword ? rlx_store_text(store, arg->name) : NULL, &size);
    return letters && (memchr(letters, 'e', size) || memchr(letters, 'c', size));
  }
  return false;
}

/// What an argument of a call in a signature stands for, the `position`th without a keyword.
static RlxRole argument_role(const RlxEval *e, const Called *called, const RlxAst *arg,
                             int position) {
  static const struct {
    RlxWord word;
    int param; ///< in the list of words.def; -1: all
    RlxRole role;
  } roles[] = {{RLX_WORD_TENSOR, 0, RLX_ROLE_SHAPE},   {RLX_WORD_SHAPE, 0, RLX_ROLE_SHAPE},
               {RLX_WORD_DTENSOR, 0, RLX_ROLE_SHAPE},  {RLX_WORD_DIST_DTENSOR, 0, RLX_ROLE_SHAPE},
               {RLX_WORD_PRIM, 1, RLX_ROLE_DIMENSION}, {RLX_WORD_SPARSE_CSR, -1, RLX_ROLE_TENSOR}};
  if (!e->is_signature || arg->kind == RLX_AST_STARRED) return RLX_ROLE_VALUE;
  if (called->role == RLX_ROLE_TERM)
    return called->name && takes_expression(e->store, called->name, arg, position) ? RLX_ROLE_TERM
                                                                                   : RLX_ROLE_VALUE;
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
    if (roles[i].word != called->word) continue;
    const int param =
        arg->kind != RLX_AST_KEYWORD
            ? position
            : param_place(vocabulary[called->word].params, rlx_store_text(e->store, arg->name));
    return roles[i].param < 0 || roles[i].param == param ? roles[i].role : RLX_ROLE_VALUE;
  }
  return RLX_ROLE_VALUE;
}

/// The value of an argument. That of a string that is not known taints behind the call alone, by `*of_text`.
static RlxValue argument(RlxEval *e, const RlxAst *ast, RlxTaint *of_text) {
  const uint32_t reported = e->sink->diags.count;
  const RlxTaint tainted = e->tainted;
  const RlxValue v = rlx_eval(e, ast);
  if (rlx_is_unknown_string(&v) && reported == e->sink->diags.count) {
    *of_text |= e->tainted;
    e->tainted = tainted;
  }
  return v;
}

/// The arguments of a call. They are scratch: gone behind the call.
static RlxPyArgs arguments(RlxEval *e, const RlxAst *ast, const Called *called, RlxTaint *of_text) {
  RlxPyArgs args = {0};
  uint32_t capacity = ast->child_count > 1 ? ast->child_count - 1 : 1;
  args.at = rlx_arena_array(e->analyzer->scratch, RlxPyArg, capacity);
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *arg = ast->children[i];
    e->takes_scalar = called->takes_scalars && arg->kind != RLX_AST_STARRED &&
                      arg->kind != RLX_AST_DOUBLE_STARRED;
    e->role = argument_role(e, called, arg, (int)args.count);
    if (arg->kind == RLX_AST_STARRED)
      splat(e, &args, &capacity, arg);
    else if (arg->kind == RLX_AST_DOUBLE_STARRED)
      splat_keywords(e, &args, &capacity, arg);
    else if (arg->kind == RLX_AST_KEYWORD)
      push(
          e, &args, &capacity,
          (RlxPyArg){arg->name, argument(e, arg->children[0], of_text), arg->span, arg->name_span});
    else
      push(e, &args, &capacity, (RlxPyArg){0, argument(e, arg, of_text), arg->span, arg->span});
  }
  e->role = RLX_ROLE_VALUE;
  if (args.is_unknown) e->tainted |= RLX_FAILED;
  return args;
}

/// Reports what a function of the vocabulary has no parameter for, and what is given twice.
static void check_params(RlxEval *e, const RlxWordCall *c, const char *params) {
  const RlxPyArgs *args = c->args;
  const bool is_looked_at = e->fn ? e->fn->kind == RLX_ISLAND_RELAX : e->is_decorator;
  if (!*params || !is_looked_at || args->is_unknown) return;
  const char *what = rlx_word_path(c->word);
  int most = 0, given = 0, total = 0;
  if (*params == '-') params = "";
  for (const char *at = params; *at && *at != '|'; at++) most += at == params || at[-1] == ' ';
  for (uint32_t i = 0; i < args->count; i++) total += !args->at[i].keyword;
  for (uint32_t i = 0; i < args->count; i++) {
    if (!args->at[i].keyword) {
      if (++given == most + 1)
        rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_COUNT), args->at[i].span, "siis", what, most, total,
                        most == 1 ? "" : "s");
      continue;
    }
    const char *name = rlx_store_text(e->store, args->at[i].keyword);
    int place = param_place(params, name);
    bool is_twice = place >= 0 && place < total;
    for (uint32_t k = 0; k < i && !is_twice; k++)
      is_twice = args->at[k].keyword == args->at[i].keyword;
    if (place < 0)
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), args->at[i].keyword_span, "sss", what, name,
                      "");
    else if (is_twice) {
      RlxDiag *diag =
          rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_TWICE), args->at[i].span, "ss", what, name);
      if (i > 0)
        rlx_diag_fix(e->sink, diag, "remove it",
                     rlx_span(args->at[i - 1].span.end, args->at[i].span.end), "");
    }
  }
}
/// Decorators and what only TensorIR calls.
RlxValue rlx_word_none(RlxEval *e, const RlxWordCall *c) {
  bool is_given = false; // what it decorates
  for (uint32_t i = 0; i < c->args->count; i++) is_given |= !c->args->at[i].keyword;
  static const RlxWord decorators[] = {RLX_WORD_FUNCTION,  RLX_WORD_R_MACRO, RLX_WORD_REWRITER,
                                       RLX_WORD_IR_MODULE, RLX_WORD_PYFUNC,  RLX_WORD_PRIM_FUNC,
                                       RLX_WORD_T_MACRO};
  for (size_t i = 0; i < sizeof decorators / sizeof *decorators && !e->tainted; i++)
    if (decorators[i] == c->word && e->is_decorator && !is_given)
      return (RlxValue){.kind = RLX_VALUE_WORD, .span = c->span, .integer = c->word};
    else if (decorators[i] == c->word && !is_given && e->fn && e->fn->kind == RLX_ISLAND_RELAX &&
             rlx_refuse_may_tell(e)) // a function of Python
      return (RlxValue){.kind = RLX_VALUE_OTHER, .span = c->span, .text = "a decorator"};
    else if (decorators[i] == c->word && e->fn && e->fn->kind == RLX_ISLAND_RELAX)
      rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), c->span, "s",
                      rlx_arena_printf(e->arena, "`%s(…)`, which decorates functions and classes,",
                                       rlx_word_path(c->word)));
  bool is_relax = e->fn && rlx_refuse_may_tell(e);
  bool is_declared = c->word == RLX_WORD_BUFFER || c->word == RLX_WORD_HANDLE;
  if (is_relax && (c->word == RLX_WORD_MATCH_BUFFER || (is_declared && rlx_eval_is_027(e))))
    return rlx_word_outside(e, rlx_word_path(c->word), c->span);
  if (is_relax && c->word == RLX_WORD_HANDLE && !c->args->count)
    return rlx_word_declared(0, rlx_dtype(RLX_DTYPE_HANDLE, 64), c->span);
  bool is_part = c->word == RLX_WORD_MODULE_ATTRS || c->word == RLX_WORD_GLOBAL_INFOS;
  if (is_part && e->fn && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(MODULE_BODY), c->name_span, "s",
                    rlx_arena_printf(e->arena, "`%s` stands in the body of a module's class",
                                     rlx_word_path(c->word)));
  return rlx_eval_failed(e, c->span);
}

static RlxValue call_word(RlxEval *e, const RlxWordCall *c) {
  const char *params = vocabulary[c->word].params;
  if (*params) check_params(e, c, params);
  return vocabulary[c->word].call(e, c);
}

static RlxValue call_method(RlxEval *e, const RlxMethod *method, RlxPyArgs *args, RlxSpan span,
                            RlxSpan name_span) {
  if (method->self.kind == RLX_VALUE_ARRAY || rlx_array_is_partial(&method->self))
    return rlx_array_method(e, method, args, span);
  const int kind = method->self.kind;
  const bool is_symbol = kind == RLX_VALUE_PRIM || kind == RLX_VALUE_SYMDECL;
  if (kind != RLX_VALUE_EXPR && !is_symbol) return rlx_python_method(e, method, args, span);
  const char *name = rlx_store_text(e->store, method->name);
  RlxDType dtype;
  if (strcmp(name, "same_as") == 0) {
    const int same =
        args->count == 1 ? rlx_value_is_same(e, &method->self, &args->at[0].value) : -1;
    return same < 0 ? rlx_eval_failed(e, span) : rlx_value_of_bool(same, span);
  }
  if (kind == RLX_VALUE_PRIM && strcmp(name, "equal") == 0) {
    const RlxPrim *other = args->count == 1 ? rlx_value_prim(e, &args->at[0].value) : NULL;
    return other ? rlx_value_of_prim(
                       rlx_prim_binary(e->store, RLX_PRIM_EQ, method->self.prim, other), span)
                 : rlx_eval_failed(e, span);
  }
  if (!is_symbol && strcmp(name, "equal") == 0 &&
      method->self.expr->sinfo->kind != RLX_SINFO_TENSOR)
    return rlx_eval_failed(e, span); // of another type it may be one of a PrimExpr
  if (kind == RLX_VALUE_PRIM && strcmp(name, "astype") == 0 && args->count == 1 &&
      args->at[0].value.kind == RLX_VALUE_DTYPE &&
      rlx_refuse_may_tell(e)) // a function that makes values
    return rlx_word_invalid(e, "astype", "dtype", &args->at[0].value, "a dtype's name", span);
  if (kind == RLX_VALUE_PRIM && strcmp(name, "astype") == 0)
    return args->count == 1 && rlx_word_dtype_of(e, &args->at[0].value, &dtype)
               ? rlx_value_of_prim(rlx_prim_cast(e->store, dtype, method->self.prim), span)
               : rlx_eval_failed(e, span);
  if (is_symbol || strcmp(name, "astype") != 0) {
    if (!e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(NOT_CALLABLE), name_span, "s",
                      rlx_arena_printf(e->arena, "`.%s` of a %s", name,
                                       is_symbol ? "symbolic variable" : "tensor"));
    return rlx_eval_failed(e, span);
  }
  const RlxPrim *scalar = rlx_eval_is_027(e) && method->self.expr->sinfo->kind == RLX_SINFO_PRIM
                              ? rlx_value_prim(e, &method->self)
                              : NULL;
  if (scalar && args->count == 1 && rlx_word_dtype_of(e, &args->at[0].value, &dtype))
    return rlx_value_of_prim(rlx_prim_cast(e->store, dtype, scalar), span);
  RlxPyArg *with_self = rlx_arena_array(e->arena, RlxPyArg, args->count + 1);
  with_self[0] = (RlxPyArg){0, method->self, method->self.span, method->self.span};
  if (args->count) memcpy(with_self + 1, args->at, args->count * sizeof *with_self);
  RlxPyArgs all = {with_self, args->count + 1, args->is_unknown};
  return rlx_call_op(e, rlx_op_find("astype", 6), &all, span, name_span);
}

/// Whether what is called takes a scalar of numpy's for the number that it is.
static bool takes_scalars(const RlxValue *callee) {
  const RlxMethod *method = callee->kind == RLX_VALUE_METHOD ? callee->thing : NULL;
  return callee->kind == RLX_VALUE_NAMESPACE || callee->kind == RLX_VALUE_DTYPE ||
         (callee->kind == RLX_VALUE_WORD && callee->integer == RLX_WORD_CONST) ||
         (method && method->self.kind == RLX_VALUE_ARRAY);
}

/// The name behind T of what is called, where there is something to check; NULL: it is nothing of T.
static const char *name_in_script(RlxEval *e, const RlxValue *callee, const RlxAst *head,
                                  const RlxPyArgs *args) {
  if (e->fn ? e->fn->kind != RLX_ISLAND_RELAX : !e->is_decorator) return NULL;
  bool is_number = args->count == 1 && args->at[0].value.kind == RLX_VALUE_INT;
  if (callee->kind == RLX_VALUE_DTYPE && (!args->count || (is_number && !args->at[0].keyword)))
    return NULL; // T.int64(), T.int64(4): nothing is wrong
  return name_behind_t(e, callee, head);
}

/// The arguments of a call of `callee`, which may make a difference to what stands in them.
static RlxPyArgs arguments_of(RlxEval *e, const RlxAst *ast, const RlxValue *callee,
                              RlxTaint *of_text) {
  const RlxWord word = callee->kind == RLX_VALUE_WORD ? (RlxWord)callee->integer : RLX_WORD_NONE;
  const bool was_annotation = e->is_annotation, was_signature = e->is_signature;
  e->is_annotation |= word == RLX_WORD_TENSOR || word == RLX_WORD_SHAPE;
  e->is_signature &= word != RLX_WORD_T_TUPLE; // which knows nothing of signatures
  const Called called = {word, name_behind_t(e, callee, ast->children[0]), e->role,
                         takes_scalars(callee)};
  const RlxPyArgs args = arguments(e, ast, &called, of_text);
  e->is_signature = was_signature;
  e->is_annotation = was_annotation;
  return args;
}

/// What is surely not callable, though nothing but its kind is known; NULL: it may be called.
static const char *uncallable(const RlxEval *e, const RlxAst *head, const RlxValue *callee) {
  if (callee->kind == RLX_VALUE_CLASS && rlx_python_type(e, callee) == RLX_PYTHON_OBJECT)
    return "a module that is being read";
  if (head->kind == RLX_AST_BYTES) return rlx_bytes_text;
  if (rlx_is_unknown_string(callee)) return "a string";
  if (rlx_is_script_value(callee)) return "a value of TensorIR";
  return rlx_is_plain_object(callee) ? callee->text : NULL;
}

/// A call of what is not callable.
static RlxValue call_object(RlxEval *e, const RlxAst *ast, const char *what, RlxTaint was_tainted) {
  e->tainted = was_tainted;
  if (rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(NOT_CALLABLE), ast->children[0]->span, "s", what);
  return rlx_eval_failed(e, ast->span);
}

/// A call of a function that is named without its module, or outside of any: reported where the name stood.
static RlxValue call_bare(RlxEval *e, const RlxValue *callee, RlxPyArgs *args, const RlxAst *ast) {
  const RlxAst *head = ast->children[0];
  union {
    const void *in;
    RlxFn *out;
  } fn = {.in = callee->thing};
  if (fn.out->kind == RLX_ISLAND_MACRO || fn.out->kind == RLX_ISLAND_JIT ||
      fn.out->kind == RLX_ISLAND_PYFUNC)
    return rlx_eval_failed(e, ast->span);
  return rlx_call_function(e, rlx_expr_function(e, fn.out, head->span), args, ast->span,
                           head->kind == RLX_AST_ATTRIBUTE ? head->name_span : head->span);
}

/// Whether T.name is a namespace or another object that can't be called, in all dialects that the function may be written in.
static bool is_object_of_script(const RlxEval *e, const char *name, const RlxPyArgs *args) {
  static const RlxDialect dialects[] = {RLX_DIALECT_025, RLX_DIALECT_027};
  static const char objects[] =
      " R S builder parser cluster cta let thread tile warp warpgroup wg ";
  if (!e->fn || !rlx_refuse_may_tell(e)) return false;
  if (rlx_text_is_among(name, objects)) return true;
  bool is_space =
      args->count || strcmp(name, "axis") != 0; // a class, of which Python makes an object
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects && is_space; i++) {
    const RlxScriptName *row = rlx_script_name(name, dialects[i]);
    const bool is_function = row && row->how != RLX_SCRIPT_OTHER;
    if (rlx_eval_may_be(e, dialects[i]))
      is_space = !is_function && rlx_script_name_has_members(name, dialects[i]);
  }
  return is_space;
}

/// `T.name(…)`, where T has no word of that name.
static RlxValue call_script(RlxEval *e, const RlxAst *ast, const RlxValue *callee,
                            RlxPyArgs *args) {
  if (!is_object_of_script(e, rlx_store_text(e->store, callee->string), args))
    return rlx_call_script_function(e, callee->string, args, ast->span);
  rlx_eval_report(e, RLX_DIAG_ID(NOT_CALLABLE), ast->children[0]->span, "s",
                  rlx_value_text(e, callee));
  return rlx_eval_failed(e, ast->span);
}

/// getattr(x, "shape"): as `x.shape`, where a name stands for a value of Relax.
static RlxValue call_builtin(RlxEval *e, const RlxAst *ast, RlxName name, const RlxPyArgs *args) {
  const bool is_getattr = strcmp(rlx_store_text(e->store, name), "getattr") == 0;
  if (!is_getattr || args->count != 2 || ast->child_count != 3 ||
      ast->children[1]->kind != RLX_AST_NAME || args->at[0].value.kind != RLX_VALUE_EXPR ||
      args->at[1].value.kind != RLX_VALUE_STR)
    return rlx_call_builtin(e, name, args, ast->span);
  RlxAst *attribute = rlx_arena_alloc(e->arena, 1, sizeof *attribute + sizeof(RlxAst *));
  attribute->kind = RLX_AST_ATTRIBUTE;
  attribute->span = ast->span;
  attribute->name = args->at[1].value.string;
  attribute->name_span = args->at[1].span;
  attribute->children[0] = ast->children[1];
  attribute->child_count = 1;
  return rlx_eval_attribute(e, attribute);
}

/// A call whose arguments are evaluated and, of functions of T, checked.
static RlxValue call_value(RlxEval *e, const RlxAst *ast, const RlxValue *callee, RlxPyArgs *args) {
  const RlxAst *head = ast->children[0];
  const RlxSpan name_span = head->kind == RLX_AST_ATTRIBUTE ? head->name_span : head->span;
  switch (callee->kind) {
  case RLX_VALUE_OP: return rlx_call_op(e, callee->thing, args, ast->span, name_span);
  case RLX_VALUE_WORD:
    return call_word(e, &(RlxWordCall){(RlxWord)callee->integer, args, ast->span, name_span, ast});
  case RLX_VALUE_DTYPE: {
    const RlxValue *number = callee->is_python ? NULL : rlx_py_arg(e, args, 0, "expr");
    if (number && number->kind == RLX_VALUE_FLOAT &&
        rlx_word_beyond_float32(
            e, rlx_arena_printf(e->arena, "T.%s", rlx_ast_last_name(e->store, head)), "value",
            number))
      return rlx_eval_failed(e, ast->span);
    RlxValue v =
        rlx_call_dtype(e, rlx_unpack_dtype(callee->integer), args, !callee->is_python, ast->span);
    v.is_python = callee->is_python;
    return v;
  }
  case RLX_VALUE_TFUNC: return call_script(e, ast, callee, args);
  case RLX_VALUE_NAMESPACE:
    if (args->count == 1 && args->at[0].value.kind == RLX_VALUE_STR &&
        !strcmp(rlx_ast_last_name(e->store, head), "load_json"))
      return rlx_metadata_load(e, args->at[0].value.string, ast->span);
    if (rlx_python_type(e, callee) == RLX_PYTHON_MODULE)
      return rlx_refuse_call(e, callee, head->span, ast->span);
    return rlx_array_call(e, rlx_store_text(e->store, callee->string), args, ast->span);
  case RLX_VALUE_LAMBDA:
    return head->kind == RLX_AST_LAMBDA ? rlx_lambda_call(e, head, args, ast->span)
                                        : rlx_eval_failed(e, ast->span);
  case RLX_VALUE_BUILTIN: return call_builtin(e, ast, callee->string, args);
  case RLX_VALUE_METHOD: return call_method(e, callee->thing, args, ast->span, name_span);
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: return rlx_call_function(e, callee->expr, args, ast->span, name_span);
  case RLX_VALUE_FUNCTION: return call_bare(e, callee, args, ast);
  case RLX_VALUE_BOOL:
  case RLX_VALUE_INT:
  case RLX_VALUE_FLOAT:
  case RLX_VALUE_STR:
  case RLX_VALUE_PRIM:
  case RLX_VALUE_LIST:
  case RLX_VALUE_DICT:
  case RLX_VALUE_NONE:
  case RLX_VALUE_SINFO:
  case RLX_VALUE_SYMDECL:
  case RLX_VALUE_STATEMENT:
  case RLX_VALUE_CAST:
    if ((e->fn || e->is_decorator) && !e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(NOT_CALLABLE), head->span, "s", rlx_value_text(e, callee));
    return rlx_eval_failed(e, ast->span);
  default: return rlx_eval_failed(e, ast->span);
  }
}

/// From 0.26 on a call of an operator of TensorIR is a call of Relax, which has to be pure in a pure function.
static void check_script_purity(RlxEval *e, const char *name, const RlxPyArgs *args, RlxSpan span) {
  const RlxValue *by_name =
      strcmp(name, "call_intrin") == 0 && args->count > 1 && args->at[1].value.kind == RLX_VALUE_STR
          ? &args->at[1].value
          : NULL;
  const char *called = by_name ? rlx_store_text(e->store, by_name->string) : name;
  if (strncmp(called, "tirx.", 5) == 0) called += 5;
  const bool is_impure = rlx_script_is_impure(called, RLX_DIALECT_027) ||
                         rlx_script_effect(called) >= RLX_EFFECT_STATE;
  if (e->fn && rlx_eval_is_027(e) && is_impure)
    rlx_check_purity(e, rlx_arena_printf(e->arena, "T.%s", name), span, NULL, NULL);
}

/// The path of what is called, where its arguments have a row of their own; NULL: they have none.
static const char *path_with_arguments(RlxEval *e, const RlxValue *callee, const RlxAst *head) {
  if (callee->kind == RLX_VALUE_WORD) return rlx_word_path((RlxWord)callee->integer);
  const bool is_free = callee->kind == RLX_VALUE_UNKNOWN || callee->kind == RLX_VALUE_NAMESPACE;
  if (!is_free || head->kind != RLX_AST_ATTRIBUTE || head->children[0]->kind != RLX_AST_NAME)
    return NULL;
  const char *name = rlx_store_text(e->store, head->name);
  const RlxValue base =
      rlx_word_has_arguments(name) ? rlx_eval_head(e, head->children[0]) : rlx_value_none();
  if (base.kind != RLX_VALUE_NAMESPACE) return NULL;
  return rlx_arena_printf(e->arena, "%s.%s", rlx_store_text(e->store, base.string), name);
}

static RlxValue eval_call(RlxEval *e, const RlxAst *ast) {
  const RlxAst *head = ast->children[0];
  RlxTaint was_tainted = e->tainted;
  e->is_callee = head->kind == RLX_AST_NAME;
  const RlxRole role = e->role;
  e->role = RLX_ROLE_VALUE; // what is called is no dimension, whatever the call is
  RlxValue callee = rlx_eval_head(e, head);
  e->role = role;
  e->is_callee = false;
  const char *what = uncallable(e, head, &callee);
  if (what) return call_object(e, ast, what, was_tainted);
  const char *path = path_with_arguments(e, &callee, head);
  const RlxTaint of_head = e->tainted;
  if (path && callee.kind == RLX_VALUE_UNKNOWN) e->tainted = was_tainted;
  RlxTaint of_text = 0;
  RlxPyArgs args = arguments_of(e, ast, &callee, &of_text);
  if (path && !rlx_word_arguments_check(
                  e, path, &args, head->kind == RLX_AST_ATTRIBUTE ? head->name_span : head->span))
    return rlx_eval_failed(e, ast->span);
  if (callee.kind == RLX_VALUE_OP && of_text && !rlx_op_texts_check(e, callee.thing, &args))
    return rlx_eval_failed(e, ast->span);
  if (callee.kind == RLX_VALUE_WORD && of_text &&
      !rlx_word_texts_check(e, (RlxWord)callee.integer, &args))
    return rlx_eval_failed(e, ast->span);
  const bool is_function = callee.kind == RLX_VALUE_CALLEE || callee.kind == RLX_VALUE_EXPR;
  if (is_function && of_text && !rlx_function_texts_check(e, callee.expr, &args))
    return rlx_eval_failed(e, ast->span);
  e->tainted |= of_head | of_text;
  const char *script_name = name_in_script(e, &callee, head, &args);
  if (script_name && (!rlx_script_call_check(e, script_name, &args, ast->span) ||
                      !rlx_script_instruction_check(e, script_name, &args, head->span)))
    return rlx_eval_failed(e, ast->span);
  const uint32_t reported = e->sink->diags.count;
  const bool is_known = script_name && !e->tainted && rlx_refuse_may_tell(e);
  RlxValue v = call_value(e, ast, &callee, &args);
  if (!is_known || reported != e->sink->diags.count) return v;
  check_script_purity(e, script_name, &args, ast->span);
  if (v.kind == RLX_VALUE_UNKNOWN) {
    e->tainted = 0; // nothing was wrong
    v = rlx_script_result(e, script_name, &args, ast->span);
  }
  if (reported == e->sink->diags.count) e->script_call = ast;
  return v;
}

RlxValue rlx_eval_call(RlxEval *e, const RlxAst *ast) {
  RlxArena *scratch = e->analyzer->scratch;
  RlxArenaMark mark = rlx_arena_mark(scratch);
  RlxValue value = eval_call(e, ast);
  if (e->arena != scratch) rlx_arena_rewind(scratch, mark); // else the value is in there
  return value;
}
