/// Lambdas in a PrimFunc's script that TVM calls while it reads them: T.index_map(lambda i: (i // 4, i % 4)).
#include <string.h>

#include "analyzer/function/kinds_args.h"

/// The dtype of the parameters: TVM makes a variable for each.
static RlxDType index_dtype(Kinds *k, const Args *a) {
  Kind given;
  const RlxAst *ast;
  RlxDType dtype = RLX_INT64;
  if (!rlx_kind_argument(k, a, -1, "index_dtype", &given, &ast)) return dtype;
  const bool is_read = given.tag == KIND_STR && given.text &&
                       rlx_dtype_parse(given.text, strlen(given.text), &dtype);
  return is_read ? dtype : rlx_dtype_unknown();
}

static bool is_equality(const RlxAst *ast) {
  return ast->kind == RLX_AST_COMPARE && ast->child_count == 2 &&
         (ast->ops[0] == RLX_OP_EQ || ast->ops[0] == RLX_OP_NE);
}

/// One of the indices that a map gives: an expression. `i == 4` is no expression yet when TVM looks at it.
static void check_index(Kinds *k, const RlxAst *ast, Kind index) {
  if (is_equality(ast) && kind_is_expr(index))
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "an equality is no index; T.Cast makes one of it");
  else if (kind_is_python_number(index) || rlx_kind_is_no_value(index) || index.tag == KIND_REGION)
    rlx_kind_refuse(k, IN_BOTH, ast, index, "an index, which is an expression");
}

/// An expression of which Python asks whether it is true; of an equality it can be asked.
static bool is_asked(Kinds *k, const RlxAst *ast) {
  return !is_equality(ast) && kind_is_expr(rlx_kind_eval(k, ast));
}

static bool is_integer(Kinds *k, const RlxAst *ast) {
  const Kind kind = rlx_kind_eval(k, ast);
  return kind.tag == KIND_INT || (kind_is_expr(kind) && rlx_dtype_is_int(kind.dtype));
}

/// What Python cannot do with expressions of integers, at the part or in it: `and`, `or`, conditions, `/`.
static void check_python(Kinds *k, const RlxAst *ast, int depth) {
  enum { DEEP = 50 };
  if (depth > DEEP || ast->kind == RLX_AST_LAMBDA || ast->kind == RLX_AST_COMPREHENSION) return;
  const bool is_bool_op = ast->kind == RLX_AST_BOOL_OP,
             is_condition = ast->kind == RLX_AST_CONDITIONAL;
  if ((is_bool_op && is_asked(k, ast->children[0])) ||
      (is_condition && is_asked(k, ast->children[1])))
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         "Python runs this: T.And, T.Or and T.if_then_else ask expressions");
  if (ast->kind == RLX_AST_BINARY && ast->op == RLX_OP_DIV && is_integer(k, ast->children[0]) &&
      is_integer(k, ast->children[1]))
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "integers are divided by `//`");
  for (uint32_t i = 0; i < ast->child_count; i++) check_python(k, ast->children[i], depth + 1);
}

static void check_indices(Kinds *k, const RlxAst *body, Kind indices) {
  if (indices.tag == KIND_STR || (indices.tag == KIND_DICT && indices.count))
    rlx_kind_refuse(k, IN_BOTH, body, indices, "a list of indices");
  const bool is_written = (body->kind == RLX_AST_TUPLE || body->kind == RLX_AST_LIST) &&
                          kind_is_list(indices) && body->child_count == indices.count;
  for (uint32_t i = 0; is_written && i < indices.count; i++)
    check_index(k, body->children[i], indices.items[i]);
}

/// Python runs the body, as it does what stands in a signature.
static void check_map(Kinds *k, const Args *a, const RlxAst *lambda) {
  const KindScope scope = rlx_kind_open_scope(k);
  const bool in_signature = k->in_signature;
  const RlxDType dtype = index_dtype(k, a);
  for (uint32_t i = 0; i < lambda->param_count; i++) {
    Kind index = rlx_kind_expr(dtype);
    index.is_var = true;
    if (lambda->params[i].star && lambda->params[i].name)
      rlx_kind_refuse_text(k, IN_BOTH, lambda->span, "a map of indices names each of them");
    if (lambda->params[i].name) rlx_kind_define(k, lambda->params[i].name, index);
  }
  const RlxAst *body = lambda->children[0];
  k->in_signature = true;
  check_python(k, body, 0);
  check_indices(k, body, rlx_kind_eval(k, body));
  k->in_signature = in_signature;
  rlx_kind_close_scope(k, scope);
}

Kind rlx_kind_index_map(Kinds *k, Args *a) {
  Kind map;
  const RlxAst *ast;
  rlx_kind_by_row(k, a);
  const bool is_given = !a->is_open && rlx_kind_argument(k, a, 0, "mapping", &map, &ast);
  if (is_given && ast->kind == RLX_AST_LAMBDA)
    check_map(k, a, ast);
  else if (is_given && (kind_is_python_number(map) || kind_is_list(map) || map.tag == KIND_NONE ||
                        map.tag == KIND_STR || map.tag == KIND_DICT || map.tag == KIND_BUFFER))
    rlx_kind_refuse(k, IN_BOTH, ast, map, "a function of indices");
  if (!rlx_kind_argument(k, a, -1, "inverse_index_map", &map, &ast))
    return rlx_kind_of(KIND_OBJECT);
  if (ast->kind == RLX_AST_LAMBDA)
    check_map(k, a, ast);
  else if (kind_is_python_number(map) || map.tag == KIND_STR || kind_is_list(map))
    rlx_kind_refuse(k, IN_BOTH, ast, map, "a function of indices");
  return rlx_kind_of(KIND_OBJECT);
}
