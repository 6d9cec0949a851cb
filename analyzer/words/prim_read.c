/// Symbolic integers from syntax. Always true: nothing is guessed; what has no meaning over
/// integers is an error that names it.
#include "analyzer/words/prim_read.h"

#include <string.h>

#include "analyzer/syntax/document.h"

// A tree with more children of one node than 65535 breaks libtree-sitter (0.20): stay below.
enum { READ_DEPTH = 300, READ_BYTES = 60000 };

typedef struct Reader {
  RlxStore *store;
  RlxPrimName *resolve;
  void *data;
  RlxError *err;
  int depth;
} Reader;

static const RlxPrim *read(Reader *r, const RlxAst *ast);

static const RlxPrim *refuse(Reader *r, const char *what) {
  rlx_error_set(r->err, "%s", what);
  return NULL;
}

static bool is_boolean(const RlxPrim *p) { return rlx_dtype_is_bool(p->dtype); }

/// An operand that must be a number, or with `boolean` a condition.
static const RlxPrim *read_as(Reader *r, const RlxAst *ast, bool boolean) {
  const RlxPrim *p = read(r, ast);
  if (!p || is_boolean(p) == boolean) return p;
  return refuse(r, boolean ? "a number stands where a condition is needed"
                           : "a condition stands where a number is needed");
}

static bool binary_kind(RlxAstOp op, RlxPrimKind *out) {
  static const struct {
    RlxAstOp op;
    RlxPrimKind kind;
  } rows[] = {{RLX_OP_ADD, RLX_PRIM_ADD},      {RLX_OP_SUB, RLX_PRIM_SUB},
              {RLX_OP_MUL, RLX_PRIM_MUL},      {RLX_OP_FLOORDIV, RLX_PRIM_FLOORDIV},
              {RLX_OP_MOD, RLX_PRIM_FLOORMOD}, {RLX_OP_SHL, RLX_PRIM_SHL},
              {RLX_OP_SHR, RLX_PRIM_SHR},      {RLX_OP_BITAND, RLX_PRIM_BITAND},
              {RLX_OP_BITOR, RLX_PRIM_BITOR},  {RLX_OP_BITXOR, RLX_PRIM_BITXOR}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (rows[i].op != op) continue;
    *out = rows[i].kind;
    return true;
  }
  return false;
}

static const RlxPrim *read_binary(Reader *r, const RlxAst *ast) {
  RlxPrimKind kind;
  if (ast->op == RLX_OP_DIV) return refuse(r, "'/' is no operation of integers: write '//'");
  if (!binary_kind((RlxAstOp)ast->op, &kind))
    return refuse(r, "this operator is not one of integers");
  const RlxPrim *a = read_as(r, ast->children[0], false);
  const RlxPrim *b = a ? read_as(r, ast->children[1], false) : NULL;
  return b ? rlx_prim_binary(r->store, kind, a, b) : NULL;
}

static const RlxPrim *read_unary(Reader *r, const RlxAst *ast) {
  const RlxPrim *a = read_as(r, ast->children[0], ast->op == RLX_OP_NOT);
  if (!a) return NULL;
  if (ast->op == RLX_OP_NOT) return rlx_prim_unary(r->store, RLX_PRIM_NOT, a);
  if (ast->op == RLX_OP_POS) return a;
  if (ast->op != RLX_OP_NEG) return refuse(r, "'~' is not supported");
  return rlx_prim_sub(r->store, rlx_prim_int_typed(r->store, 0, a->dtype), a);
}

static const RlxPrim *compare(Reader *r, RlxAstOp op, const RlxPrim *a, const RlxPrim *b) {
  static const struct {
    uint8_t op, kind;
    bool is_swapped;
  } table[] = {{RLX_OP_EQ, RLX_PRIM_EQ, false}, {RLX_OP_NE, RLX_PRIM_NE, false},
               {RLX_OP_LT, RLX_PRIM_LT, false}, {RLX_OP_LE, RLX_PRIM_LE, false},
               {RLX_OP_GT, RLX_PRIM_LT, true},  {RLX_OP_GE, RLX_PRIM_LE, true}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].op == op)
      return rlx_prim_binary(r->store, (RlxPrimKind)table[i].kind, table[i].is_swapped ? b : a,
                             table[i].is_swapped ? a : b);
  return refuse(r, "only == != < <= > >= compare integers");
}

static const RlxPrim *read_compare(Reader *r, const RlxAst *ast) {
  const RlxPrim *all = NULL, *left = read_as(r, ast->children[0], false);
  for (uint32_t i = 1; left && i < ast->child_count; i++) {
    const RlxPrim *right = read_as(r, ast->children[i], false);
    const RlxPrim *one = right ? compare(r, (RlxAstOp)ast->ops[i - 1], left, right) : NULL;
    if (!one) return NULL;
    all = all ? rlx_prim_binary(r->store, RLX_PRIM_AND, all, one) : one;
    left = right;
  }
  return left ? all : NULL;
}

static const RlxPrim *ceildiv(RlxStore *store, const RlxPrim *a, const RlxPrim *b) {
  return rlx_prim_floordiv(store, rlx_prim_addi(store, rlx_prim_add(store, a, b), -1), b);
}

static const RlxPrim *read_call(Reader *r, const RlxAst *ast) {
  static const struct {
    const char *name;
    RlxPrimKind kind;
    int args; // -1: two or more
  } rows[] = {
      {"min", RLX_PRIM_MIN, -1},
      {"max", RLX_PRIM_MAX, -1},
      {"abs", RLX_PRIM_ABS, 1},
      {"floordiv", RLX_PRIM_FLOORDIV, 2},
      {"floormod", RLX_PRIM_FLOORMOD, 2},
      {"truncdiv", RLX_PRIM_TRUNCDIV, 2},
      {"truncmod", RLX_PRIM_TRUNCMOD, 2},
      {"ceildiv", RLX_PRIM_CALL, 2},
      {"if_then_else", RLX_PRIM_SELECT, 3},
      {"Select", RLX_PRIM_SELECT, 3},
      {"shift_left", RLX_PRIM_SHL, 2},
      {"shift_right", RLX_PRIM_SHR, 2},
      {"bitwise_and", RLX_PRIM_BITAND, 2},
      {"bitwise_or", RLX_PRIM_BITOR, 2},
      {"bitwise_xor", RLX_PRIM_BITXOR, 2},
      {"int32", RLX_PRIM_CAST, 1},
      {"int64", RLX_PRIM_CAST, 1},
  };
  const RlxAst *callee = ast->children[0];
  bool named = callee->kind == RLX_AST_NAME || callee->kind == RLX_AST_ATTRIBUTE;
  const char *name = named ? rlx_store_text(r->store, callee->name) : "";
  size_t row = 0, rows_count = sizeof rows / sizeof rows[0];
  while (row < rows_count && strcmp(rows[row].name, name) != 0) row++;
  if (row == rows_count)
    return rlx_error_set(r->err, "'%s' is no function of integers", name), NULL;
  int given = (int)ast->child_count - 1, wanted = rows[row].args;
  if (wanted < 0 ? given < 2 : given != wanted)
    return rlx_error_set(r->err, "'%s' takes %d arguments%s", name, wanted < 0 ? 2 : wanted,
                         wanted < 0 ? " or more" : ""),
           NULL;
  RlxPrimKind kind = rows[row].kind;
  const RlxPrim *args[3] = {NULL};
  for (int i = 0; i < given; i++) {
    const RlxPrim *arg = read_as(r, ast->children[i + 1], kind == RLX_PRIM_SELECT && i == 0);
    if (!arg) return NULL;
    if (wanted >= 0)
      args[i] = arg;
    else
      args[0] = i == 0 ? arg : rlx_prim_binary(r->store, kind, args[0], arg);
  }
  if (wanted < 0) return args[0];
  if (kind == RLX_PRIM_CALL) return ceildiv(r->store, args[0], args[1]);
  if (kind == RLX_PRIM_SELECT) return rlx_prim_select(r->store, args[0], args[1], args[2]);
  if (kind == RLX_PRIM_ABS) return rlx_prim_unary(r->store, kind, args[0]);
  if (kind == RLX_PRIM_CAST)
    return rlx_prim_cast(r->store, strcmp(name, "int32") == 0 ? RLX_INT32 : RLX_INT64, args[0]);
  return rlx_prim_binary(r->store, kind, args[0], args[1]);
}

static const RlxPrim *read_conditional(Reader *r, const RlxAst *ast) {
  const RlxPrim *then = read_as(r, ast->children[0], false);
  const RlxPrim *cond = then ? read_as(r, ast->children[1], true) : NULL;
  const RlxPrim *otherwise = cond ? read_as(r, ast->children[2], false) : NULL;
  return otherwise ? rlx_prim_select(r->store, cond, then, otherwise) : NULL;
}

static const RlxPrim *read_bool_op(Reader *r, const RlxAst *ast) {
  const RlxPrim *a = read_as(r, ast->children[0], true);
  const RlxPrim *b = a ? read_as(r, ast->children[1], true) : NULL;
  return b ? rlx_prim_binary(r->store, ast->op == RLX_OP_AND ? RLX_PRIM_AND : RLX_PRIM_OR, a, b)
           : NULL;
}

static const RlxPrim *read_name(Reader *r, const RlxAst *ast) {
  const RlxPrim *p = r->resolve(r->store, ast->name, r->data);
  if (!p) rlx_error_set(r->err, "'%s' is not known", rlx_store_text(r->store, ast->name));
  return p;
}

static const RlxPrim *read_node(Reader *r, const RlxAst *ast) {
  if (ast->kind == RLX_AST_INT && !ast->is_big) return rlx_prim_int(r->store, ast->integer);
  if (ast->kind == RLX_AST_INT) return refuse(r, "an integer is beyond 64 bits");
  if (ast->kind == RLX_AST_TRUE || ast->kind == RLX_AST_FALSE)
    return rlx_prim_int_typed(r->store, ast->kind == RLX_AST_TRUE, RLX_BOOL);
  if (ast->kind == RLX_AST_NAME) return read_name(r, ast);
  if (ast->kind == RLX_AST_UNARY) return read_unary(r, ast);
  if (ast->kind == RLX_AST_BINARY) return read_binary(r, ast);
  if (ast->kind == RLX_AST_BOOL_OP) return read_bool_op(r, ast);
  if (ast->kind == RLX_AST_COMPARE) return read_compare(r, ast);
  if (ast->kind == RLX_AST_CONDITIONAL) return read_conditional(r, ast);
  if (ast->kind == RLX_AST_CALL) return read_call(r, ast);
  return refuse(r, ast->kind == RLX_AST_HOLE ? "it is not a whole expression"
                                             : "it is not an expression of integers");
}

static const RlxPrim *read(Reader *r, const RlxAst *ast) {
  if (r->depth >= READ_DEPTH) return refuse(r, "it is nested too deeply");
  r->depth++;
  const RlxPrim *p = read_node(r, ast);
  r->depth--;
  return p;
}

const RlxPrim *rlx_prim_from_ast(RlxStore *store, const RlxAst *ast, RlxPrimName *resolve,
                                 void *data, RlxError *err) {
  Reader r = {store, resolve, data, err, 0};
  return read(&r, ast);
}

const RlxPrim *rlx_prim_read(RlxStore *store, const char *text, RlxPrimName *resolve, void *data,
                             RlxError *err) {
  text += strspn(text, " \t\n");
  RlxDocument *doc;
  const RlxAst *ast = rlx_document_of_expression(store, text, strlen(text), &doc);
  if (!ast) return rlx_error_set(err, "it is not one expression"), NULL;
  const RlxPrim *p = rlx_prim_from_ast(store, ast, resolve, data, err);
  rlx_document_free(doc);
  return p;
}
