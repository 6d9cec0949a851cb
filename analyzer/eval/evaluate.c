/// Python's expressions, evaluated as TVM's parser does: literals, and what each other kind of node is
/// evaluated by; annotations. Always true: evaluation never fails; what
/// is wrong is reported once and gives UNKNOWN, which everything behind it absorbs.
#include <string.h>

#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"

enum { MAX_DEPTH = 200 };

static RlxValue other_value(const char *what, RlxSpan span) {
  RlxValue v = {.kind = RLX_VALUE_OTHER, .span = span};
  v.text = what;
  return v;
}

/// An integer that int64 does not hold; beyond uint64 it is none that a tensor or a shape has.
static RlxValue big_integer(const RlxAst *ast) {
  uint64_t bits;
  if (!rlx_ast_unsigned(ast, &bits)) return other_value(rlx_big_int_text, ast->span);
  RlxValue v = {.kind = RLX_VALUE_UINT64, .span = ast->span};
  v.integer = (int64_t)bits;
  return v;
}

static RlxValue eval(RlxEval *e, const RlxAst *ast) {
  RlxValue v = {.kind = RLX_VALUE_UNKNOWN, .span = ast->span};
  switch ((RlxAstKind)ast->kind) {
  case RLX_AST_HOLE: return rlx_eval_failed(e, ast->span);
  case RLX_AST_NAME: return rlx_eval_name(e, ast->name, ast->span);
  case RLX_AST_INT:
    if (ast->is_big) return big_integer(ast);
    return rlx_value_of_int(ast->integer, ast->span);
  case RLX_AST_FLOAT: return rlx_value_of_float(ast->number, ast->span);
  case RLX_AST_STRING:
    v.kind = RLX_VALUE_STR;
    v.string = rlx_store_intern(e->store, ast->text, ast->text_size);
    return v;
  case RLX_AST_FSTRING: return rlx_eval_fstring(e, ast);
  case RLX_AST_TRUE: return rlx_value_of_bool(true, ast->span);
  case RLX_AST_FALSE: return rlx_value_of_bool(false, ast->span);
  case RLX_AST_NONE: v.kind = RLX_VALUE_NONE; return v;
  case RLX_AST_ELLIPSIS: return other_value("`...`", ast->span);
  case RLX_AST_BYTES: return other_value(rlx_bytes_text, ast->span);
  case RLX_AST_IMAGINARY: return other_value("a complex number", ast->span);
  case RLX_AST_SET: return rlx_eval_set(e, ast);
  case RLX_AST_LAMBDA:
    v.kind = RLX_VALUE_LAMBDA;
    v.thing = ast;
    return v;
  case RLX_AST_TUPLE:
  case RLX_AST_LIST: return rlx_eval_list(e, ast);
  case RLX_AST_DICT: return rlx_eval_dict(e, ast);
  case RLX_AST_CALL: return rlx_eval_call(e, ast);
  case RLX_AST_ATTRIBUTE: return rlx_eval_attribute(e, ast);
  case RLX_AST_SUBSCRIPT: return rlx_eval_subscript(e, ast);
  case RLX_AST_UNARY: return rlx_eval_unary(e, ast);
  case RLX_AST_BINARY: return rlx_eval_operands(e, ast);
  case RLX_AST_BOOL_OP: return rlx_eval_bool_op(e, ast);
  case RLX_AST_COMPARE: return rlx_eval_compare(e, ast);
  case RLX_AST_CONDITIONAL: return rlx_eval_conditional(e, ast);
  case RLX_AST_COMPREHENSION: return rlx_eval_comprehension(e, ast);
  case RLX_AST_NAMED: { // bound for the rest of the statement; the dialect refuses it
    RlxValue value = rlx_eval(e, ast->children[0]);
    // Python itself evaluates a signature, and binds the name where TVM finds it, but for one in a class.
    if (e->fn && !e->in_lambda && // which Python compiles as a whole
        (!e->is_signature || (e->fn->module && rlx_refuse_may_tell(e))))
      rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), ast->span, "s",
                      "an assignment expression");
    rlx_locals_bind(&e->locals, ast->name, value);
    return value;
  }
  case RLX_AST_STARRED:
  case RLX_AST_DOUBLE_STARRED:
  case RLX_AST_KEYWORD:
  case RLX_AST_SLICE:
  case RLX_AST_COMP_FOR:
  case RLX_AST_COMP_IF:
  case RLX_AST_AWAIT: break;
  case RLX_AST_YIELD: // each expression is compiled by itself, where Python has no place for it
    if (e->fn && rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), ast->span, "s", "`yield`");
    break;
  }
  return rlx_eval_failed(e, ast->span);
}

RlxValue rlx_eval_head(RlxEval *e, const RlxAst *ast) {
  if (e->depth >= MAX_DEPTH) return rlx_eval_failed(e, ast->span);
  e->depth++;
  RlxValue v = eval(e, ast);
  e->depth--;
  return v;
}

/// `cfg.hidden` as the script writes it; "" for anything else than names and dots.
static void dotted_text(const RlxStore *store, const RlxAst *ast, RlxBuf *out) {
  if (ast->kind == RLX_AST_ATTRIBUTE) {
    dotted_text(store, ast->children[0], out);
    rlx_buf_puts(out, ".");
  }
  if (ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_NAME)
    rlx_buf_puts(out, rlx_store_text(store, ast->name));
}

/// Whether `v` names something inside of an imported module (`config.N`). Python makes it when it
/// runs the module; the module itself (`config`) is no value that a script could mean.
static bool is_imported(const RlxEval *e, const RlxValue *v) {
  if (v->kind != RLX_VALUE_NAMESPACE) return false;
  const char *path = rlx_store_text(e->store, v->string);
  return strchr(path, '.') && !rlx_names_is_vocabulary(path);
}

static void put_span(RlxValue *v, RlxSpan span, int depth) {
  v->span = span;
  for (uint32_t i = 0;
       i < v->count && depth < 8 && (v->kind == RLX_VALUE_LIST || v->kind == RLX_VALUE_DICT); i++)
    put_span(&v->items[i], span, depth + 1);
}

/// A value of another module as a value of this statement.
static RlxValue copied(RlxEval *e, const RlxValue *value, RlxSpan span) {
  RlxValue v = rlx_value_copy(e->arena, value);
  put_span(&v, span, 0);
  return v;
}

/// The role of what stands in `ast`, whose own role the evaluation knows.
static RlxRole role_inside(RlxEval *e, const RlxAst *ast) {
  switch ((int)ast->kind) {
  case RLX_AST_NAME: return e->role == RLX_ROLE_SHAPE ? RLX_ROLE_VALUE : e->role;
  case RLX_AST_TUPLE:
  case RLX_AST_LIST: return e->role == RLX_ROLE_SHAPE ? RLX_ROLE_DIMENSION : RLX_ROLE_VALUE;
  case RLX_AST_BINARY:
  case RLX_AST_UNARY:
  case RLX_AST_COMPARE: // `T.if_then_else(n <= 4, n, 4)`
  case RLX_AST_BOOL_OP:
  case RLX_AST_CALL: // what its arguments are is for the call to say
    if (e->role == RLX_ROLE_DIMENSION) e->dimension = ast->span;
    return e->role >= RLX_ROLE_DIMENSION ? RLX_ROLE_TERM : RLX_ROLE_VALUE;
  default: return RLX_ROLE_VALUE;
  }
}

RlxValue rlx_eval(RlxEval *e, const RlxAst *ast) {
  bool takes_scalar = e->takes_scalar;
  const RlxRole role = e->role;
  e->takes_scalar = false;
  if (role) e->role = role_inside(e, ast);
  RlxValue v = rlx_eval_head(e, ast);
  e->role = role;
  if (v.kind == RLX_VALUE_ARRAY && !v.expr->sinfo->ndim && !takes_scalar)
    return rlx_eval_failed(e, ast->span);
  if (!is_imported(e, &v)) return v;
  RlxImportOrigin origin = {0};
  RlxValue known;
  if (e->analyzer->hooks->imported(e->file, rlx_store_text(e->store, v.string), &known, &origin))
    return copied(e, &known, ast->span);
  RlxBuf text = {0};
  dotted_text(e->store, ast, &text);
  rlx_hint_unknown(e, rlx_arena_strdup(e->arena, rlx_buf_text(&text)), ast->span);
  rlx_buf_free(&text);
  return rlx_eval_failed(e, ast->span);
}

/// `R.Tensor`, `tvm.relax.Tensor`: names with dots between them.
static bool is_dotted(const RlxAst *ast) {
  while (ast->kind == RLX_AST_ATTRIBUTE) ast = ast->children[0];
  return ast->kind == RLX_AST_NAME;
}

/// Whether the annotation is one of PrimFuncs: `T.Buffer((4,), "float32")`, `T.let[T.int32]`,
/// `T.float32[2]`.
static bool is_of_prim_funcs(RlxEval *e, const RlxAst *ast) {
  bool is_call = ast->kind == RLX_AST_CALL, is_subscript = ast->kind == RLX_AST_SUBSCRIPT;
  if ((!is_call && !is_subscript) || !rlx_refuse_may_tell(e) ||
      ast->children[0]->kind != RLX_AST_ATTRIBUTE || !is_dotted(ast->children[0]))
    return false;
  const RlxValue head = rlx_eval_head(e, ast->children[0]);
  const bool is_buffer = head.kind == RLX_VALUE_WORD && head.integer == RLX_WORD_BUFFER;
  if (is_call) // from 0.26 on T.handle(…) is a type
    return is_buffer ||
           (head.kind == RLX_VALUE_WORD && head.integer == RLX_WORD_HANDLE && !rlx_eval_is_027(e));
  if (head.kind == RLX_VALUE_WORD && head.integer == RLX_WORD_PTR) return e->is_signature;
  return is_buffer || head.kind == RLX_VALUE_TFUNC ||
         (head.kind == RLX_VALUE_DTYPE && !head.is_python);
}

/// Whether the annotation calls a function of T's: nothing that one gives is StructInfo.
static bool is_of_script(RlxEval *e, const RlxAst *ast) {
  const bool is_call = ast->kind == RLX_AST_CALL && is_dotted(ast->children[0]);
  return is_call && rlx_eval_head(e, ast->children[0]).kind == RLX_VALUE_TFUNC;
}

/// `relax.TensorStructInfo(…)`, `relax.TensorType(…)`: an object of the IR. A parameter is annotated with what makes one,
/// and tells its symbolic variables before.
static bool is_object_of_ir(RlxEval *e, const RlxAst *ast) {
  const RlxAst *head = ast->kind == RLX_AST_CALL ? ast->children[0] : NULL;
  if (!e->is_parameter || !head || head->kind != RLX_AST_ATTRIBUTE || !is_dotted(head) ||
      !rlx_refuse_may_tell(e))
    return false;
  const RlxValue space = rlx_eval_head(e, head->children[0]);
  return space.kind == RLX_VALUE_NAMESPACE &&
         strcmp(rlx_store_text(e->store, space.string), "relax") == 0;
}

const RlxSInfo *rlx_annotation(RlxEval *e, const RlxAst *ast) {
  if (is_object_of_ir(e, ast)) {
    rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_INVALID), ast->span, "s",
                    "an object of the IR, made before the signature is read,");
    return NULL;
  }
  if (is_of_prim_funcs(e, ast)) {
    rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_INVALID), ast->span, "s",
                    "an annotation of PrimFuncs");
    return NULL;
  }
  const RlxTaint was_tainted = e->tainted;
  const uint32_t reported = e->sink->diags.count;
  RlxValue v = rlx_lambda_annotation(e, rlx_eval(e, ast));
  const bool is_string = rlx_is_unknown_string(&v);
  const bool is_left = v.kind == RLX_VALUE_UNKNOWN && reported == e->sink->diags.count;
  if (is_string || (is_left && is_of_script(e, ast))) {
    e->tainted = was_tainted;
    if (rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_INVALID), ast->span, "s",
                      is_string ? "a string" : "what a function of T gives");
    e->tainted |= RLX_FAILED;
    return NULL;
  }
  const RlxSInfo *sinfo = rlx_value_sinfo(e, &v);
  if (e->is_parameter && rlx_value_is_type(&v) && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_INVALID), ast->span, "s", "`T.Tuple` of a parameter");
  const bool was_reported = v.kind == RLX_VALUE_EXPR && rlx_expr_is_reported(v.expr);
  if (!sinfo && v.kind != RLX_VALUE_UNKNOWN && !was_reported)
    rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_INVALID), ast->span, "s", rlx_value_text(e, &v));
  return sinfo;
}
