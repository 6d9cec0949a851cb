/// Python's operators, as TVM's parser evaluates them: on numbers, on symbolic integers, on lists
/// and strings, and on Relax expressions, where an infix operator stands for the call of an
/// operator.
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/evaluate_impl.h"

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/// Python's integer arithmetic where it fits 64 bits; false: unknown.
static bool integer_op(uint8_t op, int64_t a, int64_t b, int64_t *out) {
  switch (op) {
  case RLX_OP_ADD: return !__builtin_add_overflow(a, b, out);
  case RLX_OP_SUB: return !__builtin_sub_overflow(a, b, out);
  case RLX_OP_MUL: return !__builtin_mul_overflow(a, b, out);
  case RLX_OP_FLOORDIV:
    if (b == 0 || (b == -1 && a == INT64_MIN)) return false;
    *out = floor_div(a, b);
    return true;
  case RLX_OP_MOD:
    if (b == 0 || (b == -1 && a == INT64_MIN)) return false;
    *out = a - floor_div(a, b) * b;
    return true;
  case RLX_OP_POW: {
    int64_t r = 1;
    if (b < 0 || b > 64) return false;
    for (int64_t i = 0; i < b; i++)
      if (__builtin_mul_overflow(r, a, &r)) return false;
    *out = r;
    return true;
  }
  case RLX_OP_SHL:
    if (b < 0 || b > 62 || a < 0 || a > (INT64_MAX >> b)) return false;
    *out = a << b;
    return true;
  case RLX_OP_SHR:
    if (b < 0 || b > 62 || a < 0) return false;
    *out = a >> b;
    return true;
  case RLX_OP_BITAND: *out = a & b; return true;
  case RLX_OP_BITOR: *out = a | b; return true;
  case RLX_OP_BITXOR: *out = a ^ b; return true;
  default: return false;
  }
}

static bool prim_kind(uint8_t op, RlxPrimKind *out) {
  switch (op) {
  case RLX_OP_ADD: *out = RLX_PRIM_ADD; return true;
  case RLX_OP_SUB: *out = RLX_PRIM_SUB; return true;
  case RLX_OP_MUL: *out = RLX_PRIM_MUL; return true;
  case RLX_OP_DIV: *out = RLX_PRIM_DIV; return true;
  case RLX_OP_FLOORDIV: *out = RLX_PRIM_FLOORDIV; return true;
  case RLX_OP_MOD: *out = RLX_PRIM_FLOORMOD; return true;
  case RLX_OP_SHL: *out = RLX_PRIM_SHL; return true;
  case RLX_OP_SHR: *out = RLX_PRIM_SHR; return true;
  case RLX_OP_BITAND: *out = RLX_PRIM_BITAND; return true;
  case RLX_OP_BITOR: *out = RLX_PRIM_BITOR; return true;
  case RLX_OP_BITXOR: *out = RLX_PRIM_BITXOR; return true;
  case RLX_OP_EQ: *out = RLX_PRIM_EQ; return true;
  case RLX_OP_NE: *out = RLX_PRIM_NE; return true;
  case RLX_OP_LT: *out = RLX_PRIM_LT; return true;
  case RLX_OP_LE: *out = RLX_PRIM_LE; return true;
  default: return false;
  }
}

/// Operators of tensors by infix: TVM's ExprWithOp.
static const char *tensor_op(uint8_t op) {
  switch (op) {
  case RLX_OP_ADD: return "add";
  case RLX_OP_SUB: return "subtract";
  case RLX_OP_MUL: return "multiply";
  case RLX_OP_DIV: return "divide";
  case RLX_OP_FLOORDIV: return "floor_divide";
  case RLX_OP_MOD: return "mod";
  case RLX_OP_POW: return "power";
  case RLX_OP_LT: return "less";
  case RLX_OP_LE: return "less_equal";
  case RLX_OP_GT: return "greater";
  case RLX_OP_GE: return "greater_equal";
  default: return NULL;
  }
}

static const char *op_text(uint8_t op) {
  static const char *const texts[] = {
      "",   "+",  "-", "*",  "/", "//",  "%",  "**",     "@",   "<<",
      ">>", "&",  "|", "^",  "~", "not", "-",  "+",      "and", "or",
      "==", "!=", "<", "<=", ">", ">=",  "in", "not in", "is",  "is not"};
  return op < sizeof texts / sizeof texts[0] ? texts[op] : "?";
}

/// What the dialect refuses but everybody understands.
static const char *meant_op(uint8_t op) {
  switch (op) {
  case RLX_OP_MATMUL: return "matmul";
  case RLX_OP_BITAND: return "bitwise_and";
  case RLX_OP_BITOR: return "bitwise_or";
  case RLX_OP_BITXOR: return "bitwise_xor";
  case RLX_OP_SHL: return "left_shift";
  case RLX_OP_SHR: return "right_shift";
  case RLX_OP_EQ: return "equal";
  case RLX_OP_NE: return "not_equal";
  default: return NULL;
  }
}

/// `a @ b` to `R.matmul(a, b)`.
static void infix_fix(RlxEval *e, RlxDiag *diag, RlxSpan span, const RlxValue *a, const RlxValue *b,
                      const char *name) {
  if (a->span.end > b->span.start || a->span.start < span.start || b->span.end > span.end) return;
  if (a->span.start != span.start || b->span.end != span.end)
    return; // parentheses stand around an operand
  rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "write `R.%s(…)`", name),
               rlx_span(a->span.start, a->span.start),
               rlx_arena_printf(e->sink->arena, "R.%s(", name));
  rlx_diag_fix_edit(e->sink, diag, rlx_span(a->span.end, b->span.start), ", ");
  rlx_diag_fix_edit(e->sink, diag, rlx_span(b->span.end, b->span.end), ")");
}

static bool is_number(const RlxValue *v) {
  return v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT || v->kind == RLX_VALUE_BOOL;
}

/// What a refused infix operator stands for: numbers become constants of the tensor's dtype. The
/// report says all there is to say, so the result is no more in doubt than the operands were
/// (`tainted`).
static RlxValue as_meant(RlxEval *e, uint8_t op, RlxValue values[2], bool tainted, RlxSpan span) {
  const char *name = tensor_op(op) ? tensor_op(op) : meant_op(op);
  const RlxOpRow *row = name ? rlx_op_find(name, strlen(name)) : NULL;
  const RlxExpr *tensor = values[values[0].kind == RLX_VALUE_EXPR ? 0 : 1].expr;
  for (int i = 0; row && i < 2; i++) {
    if (values[i].kind == RLX_VALUE_EXPR) continue;
    if (!is_number(&values[i]) || tensor->sinfo->kind != RLX_SINFO_TENSOR ||
        !rlx_dtype_known(tensor->sinfo->dtype))
      row = NULL;
    else
      values[i] = rlx_value_expr(rlx_expr_constant(e, &values[i], tensor->sinfo->dtype, span));
  }
  if (!row) return rlx_eval_failed(e, span);
  e->tainted = tainted;
  return rlx_call_op_values(e, row, values, 2, span, span);
}

static RlxValue tensor_binary(RlxEval *e, uint8_t op, RlxValue a, RlxValue b, RlxSpan span) {
  bool a_is = a.kind == RLX_VALUE_EXPR, b_is = b.kind == RLX_VALUE_EXPR;
  const char *name = tensor_op(op), *meant = meant_op(op);
  RlxValue values[2] = {a, b};
  if (a_is && b_is && name)
    return rlx_call_op_values(e, rlx_op_find(name, strlen(name)), values, 2, span, span);
  bool tainted = e->tainted;
  if (tainted) return as_meant(e, op, values, true, span);
  bool is_plain = a_is ? b_is || is_number(&b) : is_number(&a);
  if (is_plain &&
      (op == RLX_OP_EQ || op == RLX_OP_NE)) { // Python compares the objects, and a constant is left
    bool answer = (a_is && b_is && a.expr == b.expr) == (op == RLX_OP_EQ);
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(IDENTITY), span, "sss", op_text(op),
                                    answer ? "True" : "False", meant);
    if (a_is && b_is) infix_fix(e, diag, span, &a, &b, meant);
    RlxValue v = rlx_value_of_bool(answer, span);
    return rlx_value_expr(rlx_expr_constant(e, &v, RLX_BOOL, span));
  }
  if (a_is && b_is && meant) {
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(OPERAND), span, "ssss", op_text(op),
                                    rlx_value_text(e, &a), rlx_value_text(e, &b),
                                    rlx_arena_printf(e->arena, ": write `R.%s(…)`", meant));
    infix_fix(e, diag, span, &a, &b, meant);
    return as_meant(e, op, values, tainted, span);
  }
  RlxValue *number = a_is ? &b : &a;
  const char *hint = is_number(number) ? ": wrap the number as `R.const(…)`" : "";
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(OPERAND), span, "ssss", op_text(op),
                                  rlx_value_text(e, &a), rlx_value_text(e, &b), hint);
  if (*hint && number->span.end > number->span.start) {
    const RlxExpr *tensor = a_is ? a.expr : b.expr;
    char dtype[RLX_DTYPE_TEXT_MAX] = "float32";
    if (tensor->sinfo->kind == RLX_SINFO_TENSOR && rlx_dtype_known(tensor->sinfo->dtype))
      rlx_dtype_text(tensor->sinfo->dtype, dtype);
    rlx_diag_fix(e->sink, diag, "wrap it as a constant",
                 rlx_span(number->span.start, number->span.start), "R.const(");
    rlx_diag_fix_edit(e->sink, diag, rlx_span(number->span.end, number->span.end),
                      rlx_arena_printf(e->sink->arena, ", \"%s\")", dtype));
  }
  return as_meant(e, op, values, tainted, span);
}

/// Members of a list at all levels.
static uint64_t nested(const RlxValue *v) { return v->nested > v->count ? v->nested : v->count; }

static RlxValue list_binary(RlxEval *e, uint8_t op, RlxValue a, RlxValue b, RlxSpan span) {
  int64_t times;
  if (e->comprehensions && e->steps > RLX_MAX_STEPS) return rlx_eval_failed(e, span);
  if (op == RLX_OP_ADD && a.kind == RLX_VALUE_LIST && b.kind == RLX_VALUE_LIST &&
      nested(&a) + nested(&b) <= RLX_MAX_ITEMS) {
    RlxValue v = {
        .kind = RLX_VALUE_LIST, .span = span, .is_tuple = a.is_tuple, .count = a.count + b.count};
    v.nested = (uint32_t)(nested(&a) + nested(&b));
    if (e->comprehensions) e->steps += v.count;
    v.items = rlx_arena_array(e->arena, RlxValue, v.count ? v.count : 1);
    if (a.count) memcpy(v.items, a.items, a.count * sizeof *v.items);
    if (b.count) memcpy(v.items + a.count, b.items, b.count * sizeof *v.items);
    return v;
  }
  if (op == RLX_OP_MUL && a.kind == RLX_VALUE_LIST && rlx_value_as_integer(&b, &times) &&
      times >= 0 && (times == 0 || nested(&a) <= RLX_MAX_ITEMS / (uint64_t)times)) {
    RlxValue v = {.kind = RLX_VALUE_LIST,
                  .span = span,
                  .is_tuple = a.is_tuple,
                  .count = (uint32_t)times * a.count,
                  .nested = (uint32_t)(times * (int64_t)nested(&a))};
    if (e->comprehensions) e->steps += v.count;
    v.items = rlx_arena_array(e->arena, RlxValue, v.count ? v.count : 1);
    for (uint32_t i = 0; i < v.count; i++) v.items[i] = a.items[i % a.count];
    return v;
  }
  return rlx_eval_failed(e, span);
}

/// Makes the `/` between two operands `//`.
static void divide_fix(RlxEval *e, RlxDiag *diag, uint32_t start, uint32_t end) {
  uint32_t size = 0, at = e->stmt->start;
  const char *text = rlx_document_text(e->file->document, &size);
  if (start >= end || at + end > size) return;
  const char *slash = memchr(text + at + start, '/', end - start);
  uint32_t place = slash ? (uint32_t)(slash - text) - at : 0;
  if (slash && slash[1] != '/')
    rlx_diag_fix(e->sink, diag, "divide with `//`", rlx_span(place, place + 1), "//");
}

static RlxValue prim_binary(RlxEval *e, uint8_t op, RlxValue a, RlxValue b, RlxSpan span) {
  const RlxPrim *pa = rlx_value_prim(e, &a), *pb = rlx_value_prim(e, &b);
  RlxPrimKind kind;
  if (!pa || !pb) return rlx_eval_failed(e, span);
  // A Python number takes the dtype of the symbolic operand.
  if (a.kind == RLX_VALUE_INT && pb->kind != RLX_PRIM_FLOAT && rlx_dtype_is_int(pb->dtype))
    pa = rlx_prim_int_typed(e->store, a.integer, pb->dtype);
  if (b.kind == RLX_VALUE_INT && pa->kind != RLX_PRIM_FLOAT && rlx_dtype_is_int(pa->dtype))
    pb = rlx_prim_int_typed(e->store, b.integer, pa->dtype);
  if (op == RLX_OP_GT)
    return rlx_value_of_prim(rlx_prim_binary(e->store, RLX_PRIM_LT, pb, pa), span);
  if (op == RLX_OP_GE)
    return rlx_value_of_prim(rlx_prim_binary(e->store, RLX_PRIM_LE, pb, pa), span);
  if (!prim_kind(op, &kind)) {
    if (e->fn && e->fn->kind == RLX_ISLAND_RELAX && !e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(OPERAND), span, "ssss", op_text(op), rlx_value_text(e, &a),
                      rlx_value_text(e, &b), "");
    return rlx_eval_failed(e, span);
  }
  if (op == RLX_OP_DIV && e->fn && !e->tainted && rlx_dtype_is_int(pa->dtype) &&
      rlx_dtype_is_int(pb->dtype)) {
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(OPERAND), span, "ssss", "/",
                                    rlx_value_text(e, &a), rlx_value_text(e, &b), ": write `//`");
    divide_fix(e, diag, a.span.end, b.span.start);
    return rlx_value_of_prim(rlx_prim_floordiv(e->store, pa, pb), span);
  }
  return rlx_value_of_prim(rlx_prim_binary(e->store, kind, pa, pb), span);
}

/// A scalar variable of 0.27 as the integer that it is; anything else stays.
static RlxValue as_scalar(RlxEval *e, RlxValue v) {
  if (v.kind != RLX_VALUE_EXPR || !rlx_eval_is_027(e) || v.expr->sinfo->kind != RLX_SINFO_PRIM)
    return v;
  const RlxPrim *prim = rlx_value_prim(e, &v);
  return prim ? rlx_value_of_prim(prim, v.span) : v;
}

RlxValue rlx_eval_binary(RlxEval *e, uint8_t op, RlxValue a, RlxValue b, RlxSpan span) {
  const RlxValue given[2] = {a, b};
  a = as_scalar(e, a);
  b = as_scalar(e, b);
  if (a.kind == RLX_VALUE_EXPR || b.kind == RLX_VALUE_EXPR)
    a = given[0], b = given[1]; // a tensor's operator takes the variable
  if (a.kind == RLX_VALUE_UNKNOWN || b.kind == RLX_VALUE_UNKNOWN) return rlx_eval_failed(e, span);
  bool is_array = a.kind == RLX_VALUE_ARRAY || b.kind == RLX_VALUE_ARRAY;
  if (a.kind == RLX_VALUE_EXPR || b.kind == RLX_VALUE_EXPR) {
    const RlxValue *array = a.kind == RLX_VALUE_ARRAY ? &a : &b;
    if (is_array && !array->expr->sinfo->ndim) return rlx_eval_failed(e, span);
    return tensor_binary(e, op, a, b, span);
  }
  if (is_array) return rlx_array_binary(e, op, &a, &b, span);
  if (a.kind == RLX_VALUE_PRIM || b.kind == RLX_VALUE_PRIM) return prim_binary(e, op, a, b, span);
  if (a.kind == RLX_VALUE_LIST) return list_binary(e, op, a, b, span);
  int64_t ia, ib, ir;
  double da, db;
  if (rlx_value_as_integer(&a, &ia) && rlx_value_as_integer(&b, &ib) && op != RLX_OP_DIV)
    return integer_op(op, ia, ib, &ir) ? rlx_value_of_int(ir, span) : rlx_eval_failed(e, span);
  if (rlx_value_as_number(&a, &da) && rlx_value_as_number(&b, &db)) {
    if (op == RLX_OP_ADD) return rlx_value_of_float(da + db, span);
    if (op == RLX_OP_SUB) return rlx_value_of_float(da - db, span);
    if (op == RLX_OP_MUL) return rlx_value_of_float(da * db, span);
    if (op == RLX_OP_DIV && db != 0) return rlx_value_of_float(da / db, span);
    if (op == RLX_OP_POW) return rlx_value_of_float(__builtin_pow(da, db), span);
    return rlx_eval_failed(e, span);
  }
  if (a.kind == RLX_VALUE_STR && b.kind == RLX_VALUE_STR && op == RLX_OP_ADD) {
    RlxValue v = {.kind = RLX_VALUE_STR, .span = span};
    const char *first = rlx_store_text(e->store, a.string);
    const char *second = rlx_store_text(e->store, b.string);
    if (strlen(first) + strlen(second) > RLX_MAX_TEXT) return rlx_eval_failed(e, span);
    const char *text = rlx_arena_printf(e->arena, "%s%s", first, second);
    v.string = rlx_store_intern(e->store, text, strlen(text));
    return v;
  }
  return rlx_eval_failed(e, span);
}

RlxValue rlx_eval_unary(RlxEval *e, const RlxAst *ast) {
  e->takes_scalar = true;
  RlxValue a = as_scalar(e, rlx_eval(e, ast->children[0]));
  double number;
  int64_t integer;
  switch (a.kind) {
  case RLX_VALUE_UNKNOWN: return rlx_eval_failed(e, ast->span);
  case RLX_VALUE_ARRAY: return rlx_array_unary(e, ast->op, &a, ast->span);
  case RLX_VALUE_EXPR:
    if (ast->op == RLX_OP_NEG)
      return rlx_call_op_values(e, rlx_op_find("negative", 8), &a, 1, ast->span, ast->span);
    if (!e->tainted) {
      RlxValue none = rlx_value_none();
      rlx_eval_report(e, RLX_DIAG_ID(OPERAND), ast->span, "ssss", op_text(ast->op),
                      rlx_value_text(e, &a), "nothing", "");
      (void)none;
    }
    return rlx_eval_failed(e, ast->span);
  case RLX_VALUE_PRIM:
    if (ast->op == RLX_OP_NEG) {
      if (a.prim->kind == RLX_PRIM_FLOAT)
        return rlx_value_of_prim(rlx_prim_float(e->store, -a.prim->number, a.prim->dtype),
                                 ast->span);
      return rlx_value_of_prim(rlx_prim_binary(e->store, RLX_PRIM_SUB,
                                               rlx_prim_int_typed(e->store, 0, a.prim->dtype),
                                               a.prim),
                               ast->span);
    }
    if (ast->op == RLX_OP_POS) return a;
    if (ast->op == RLX_OP_NOT)
      return rlx_value_of_prim(rlx_prim_unary(e->store, RLX_PRIM_NOT, a.prim), ast->span);
    return rlx_eval_failed(e, ast->span);
  default: break;
  }
  if (ast->op == RLX_OP_NEG && rlx_value_as_integer(&a, &integer) && integer != INT64_MIN)
    return rlx_value_of_int(-integer, ast->span);
  if (ast->op == RLX_OP_INVERT && rlx_value_as_integer(&a, &integer))
    return rlx_value_of_int(~integer, ast->span);
  if (ast->op == RLX_OP_NEG && rlx_value_as_number(&a, &number))
    return rlx_value_of_float(-number, ast->span);
  if (ast->op == RLX_OP_NOT && rlx_value_as_number(&a, &number))
    return rlx_value_of_bool(number == 0, ast->span);
  if (ast->op == RLX_OP_NEG && (a.kind == RLX_VALUE_NONE || a.kind == RLX_VALUE_STR ||
                                a.kind == RLX_VALUE_LIST || a.kind == RLX_VALUE_DICT)) {
    if (!e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(OPERAND), ast->span, "ssss", op_text(ast->op),
                      rlx_value_text(e, &a), "nothing", "");
    return rlx_eval_failed(e, ast->span);
  }
  if (ast->op == RLX_OP_POS) return a;
  return rlx_eval_failed(e, ast->span);
}

RlxValue rlx_eval_compare(RlxEval *e, const RlxAst *ast) {
  e->takes_scalar = true;
  RlxValue left = rlx_eval(e, ast->children[0]), result = left;
  for (uint32_t i = 0; i + 1 < ast->child_count; i++) {
    e->takes_scalar = true;
    RlxValue right = rlx_eval(e, ast->children[i + 1]);
    uint8_t op = ast->ops[i];
    double a, b;
    if (left.kind == RLX_VALUE_EXPR || right.kind == RLX_VALUE_EXPR ||
        left.kind == RLX_VALUE_PRIM || right.kind == RLX_VALUE_PRIM ||
        (ast->child_count == 2 && op <= RLX_OP_GE &&
         (left.kind == RLX_VALUE_ARRAY || right.kind == RLX_VALUE_ARRAY))) {
      result = rlx_eval_binary(e, op, left, right, ast->span);
    } else if (rlx_value_as_number(&left, &a) && rlx_value_as_number(&right, &b)) {
      bool yes = op == RLX_OP_EQ   ? a >= b && a <= b
                 : op == RLX_OP_NE ? a < b || a > b
                 : op == RLX_OP_LT ? a < b
                 : op == RLX_OP_LE ? a <= b
                 : op == RLX_OP_GT ? a > b
                                   : a >= b;
      result = rlx_value_of_bool(yes, ast->span);
      if (!yes) return result;
    } else if (left.kind == RLX_VALUE_STR && right.kind == RLX_VALUE_STR &&
               (op == RLX_OP_EQ || op == RLX_OP_NE)) {
      result = rlx_value_of_bool((left.string == right.string) == (op == RLX_OP_EQ), ast->span);
    } else if (op == RLX_OP_IS || op == RLX_OP_IS_NOT) {
      if (right.kind != RLX_VALUE_NONE || left.kind == RLX_VALUE_UNKNOWN)
        return rlx_eval_failed(e, ast->span);
      result = rlx_value_of_bool((left.kind == RLX_VALUE_NONE) == (op == RLX_OP_IS), ast->span);
    } else
      return rlx_eval_failed(e, ast->span);
    left = right;
  }
  return result;
}

RlxValue rlx_eval_bool_op(RlxEval *e, const RlxAst *ast) {
  RlxValue a = rlx_eval(e, ast->children[0]);
  if (a.kind == RLX_VALUE_PRIM) {
    RlxValue b = rlx_eval(e, ast->children[1]);
    const RlxPrim *pb = rlx_value_prim(e, &b);
    return pb ? rlx_value_of_prim(
                    rlx_prim_binary(e->store, ast->op == RLX_OP_AND ? RLX_PRIM_AND : RLX_PRIM_OR,
                                    a.prim, pb),
                    ast->span)
              : rlx_eval_failed(e, ast->span);
  }
  bool yes;
  if (!rlx_value_truth(&a, &yes)) return rlx_eval_failed(e, ast->span);
  if (yes == (ast->op == RLX_OP_OR)) return a;
  return rlx_eval(e, ast->children[1]);
}

RlxValue rlx_eval_conditional(RlxEval *e, const RlxAst *ast) {
  RlxValue c = rlx_eval(e, ast->children[1]);
  bool yes;
  if (c.kind == RLX_VALUE_PRIM) {
    RlxValue a = rlx_eval(e, ast->children[0]), b = rlx_eval(e, ast->children[2]);
    const RlxPrim *pa = rlx_value_prim(e, &a), *pb = rlx_value_prim(e, &b);
    return pa && pb ? rlx_value_of_prim(rlx_prim_select(e->store, c.prim, pa, pb), ast->span)
                    : rlx_eval_failed(e, ast->span);
  }
  if (c.kind == RLX_VALUE_EXPR && e->fn && !e->tainted)
    rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), ast->span, "s",
                    "a conditional expression that a Relax value decides");
  if (!rlx_value_truth(&c, &yes)) return rlx_eval_failed(e, ast->span);
  return rlx_eval(e, ast->children[yes ? 0 : 2]);
}

// ---- containers
