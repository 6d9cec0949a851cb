/// Python's operators, as TVM's parser evaluates them: on numbers, on symbolic integers, on lists
/// and strings, and on Relax expressions, where an infix operator stands for the call of an
/// operator.
#include <math.h>
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/eval_words.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/ops/ops.h"

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

__extension__ typedef __int128 Wider;

/// Whether `a op b` is a whole number that 64 bits do not hold, and which: what uint64 holds is given in `*bits`.
typedef enum Wide { NOT_WIDE, WIDE_UINT64, WIDE_BEYOND } Wide;

static Wide wide_integer(uint8_t op, int64_t a, int64_t b, uint64_t *bits) {
  Wider r = 1;
  bool is_wider = false;
  if (op == RLX_OP_ADD)
    r = (Wider)a + b;
  else if (op == RLX_OP_SUB)
    r = (Wider)a - b;
  else if (op == RLX_OP_MUL)
    r = (Wider)a * b;
  else if (op == RLX_OP_SHL && b >= 0 && a)
    is_wider = b > 62 || __builtin_mul_overflow((Wider)a, (Wider)1 << b, &r);
  else if (op == RLX_OP_POW && b >= 0 && (a > 1 || a < -1))
    for (int64_t i = 0; i < b && !is_wider; i++) is_wider = __builtin_mul_overflow(r, (Wider)a, &r);
  else
    return NOT_WIDE;
  if (!is_wider && r >= INT64_MIN && r <= INT64_MAX) return NOT_WIDE;
  *bits = (uint64_t)r;
  return !is_wider && r > 0 && r <= (Wider)UINT64_MAX ? WIDE_UINT64 : WIDE_BEYOND;
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
    if (b < 0) return false;
    if (b > 64 && a >= -1 && a <= 1) b = 2 - b % 2; // 0, 1 and -1 stay what they are
    if (b > 64) return false;
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
static RlxValue as_meant(RlxEval *e, uint8_t op, RlxValue values[2], RlxTaint tainted,
                         RlxSpan span) {
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

/// `x == y`, `x is None`: Python compares the objects, and a constant is left.
static RlxValue compare_objects(RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b,
                                RlxSpan span) {
  bool are_values = a->kind == RLX_VALUE_EXPR && b->kind == RLX_VALUE_EXPR;
  bool is_same = are_values && (a->expr == b->expr ||
                                (a->expr->kind == RLX_EXPR_VAR && b->expr->kind == RLX_EXPR_VAR &&
                                 a->expr->var == b->expr->var));
  bool answer = is_same == (op == RLX_OP_EQ || op == RLX_OP_IS);
  const char *meant = op == RLX_OP_EQ || op == RLX_OP_IS ? "equal" : "not_equal";
  bool may_mean = are_values || is_number(a) || is_number(b);
  RlxDiag *diag = rlx_eval_report(
      e, RLX_DIAG_ID(IDENTITY), span, "sss", rlx_op_text(op), answer ? "True" : "False",
      may_mean ? rlx_arena_printf(e->arena, "; write `R.%s(…)` to compare the elements", meant)
               : "");
  if (are_values) infix_fix(e, diag, span, a, b, meant);
  return rlx_value_of_bool(answer, span);
}

/// `x in [1, 2]`: up to 0.25 Python finds the object itself, or nothing.
static RlxValue find_object(RlxEval *e, uint8_t op, const RlxValue *x, const RlxValue *list,
                            RlxSpan span) {
  bool is_found = false;
  if (x->kind != RLX_VALUE_EXPR || x->expr->kind != RLX_EXPR_VAR || list->kind != RLX_VALUE_LIST ||
      rlx_eval_is_027(e))
    return rlx_eval_failed(e, span);
  for (uint32_t i = 0; i < list->count; i++) {
    const RlxValue *item = &list->items[i];
    const bool is_var = item->kind == RLX_VALUE_EXPR && item->expr->kind == RLX_EXPR_VAR;
    if (!is_var && !is_number(item) && item->kind != RLX_VALUE_STR) return rlx_eval_failed(e, span);
    is_found |= is_var && item->expr->var == x->expr->var;
  }
  return rlx_value_of_bool(is_found == (op == RLX_OP_IN), span);
}

/// Whether the class of an expression has no operators in Python: up to 0.25 that of scalars, strings and dtypes.
/// Source: tvm.relax.expr.
static bool lacks_operators(const RlxEval *e, const RlxExpr *x) {
  return !rlx_eval_may_be(e, RLX_DIALECT_027) &&
         (x->kind == RLX_EXPR_PRIM || x->kind == RLX_EXPR_STRING || x->kind == RLX_EXPR_DTYPE);
}

static RlxValue tensor_binary(RlxEval *e, uint8_t op, RlxValue a, RlxValue b, RlxSpan span) {
  const char *name = tensor_op(op), *meant = meant_op(op);
  // From 0.26 on a symbolic expression is a scalar of Relax, too, on the right of a tensor.
  if (name && b.kind == RLX_VALUE_PRIM && rlx_eval_is_027(e) && rlx_refuse_may_tell(e) &&
      a.kind == RLX_VALUE_EXPR && a.expr->sinfo->kind == RLX_SINFO_TENSOR)
    b = rlx_value_expr(rlx_expr_of(e, &b));
  bool a_is = a.kind == RLX_VALUE_EXPR, b_is = b.kind == RLX_VALUE_EXPR;
  RlxValue values[2] = {a, b};
  if (a_is && b_is && lacks_operators(e, a.expr) && lacks_operators(e, b.expr) && op != RLX_OP_EQ &&
      op != RLX_OP_NE && op < RLX_OP_IN && rlx_refuse_may_tell(e)) {
    rlx_operand_report(e, op, span, &a, &b, "");
    return rlx_eval_failed(e, span);
  }
  // In 0.27 the operators of scalars come first where a scalar stands on the left.
  bool is_of_scalar = a_is && b_is && op >= RLX_OP_LT && op <= RLX_OP_GE && rlx_eval_is_027(e) &&
                      a.expr->sinfo->kind == RLX_SINFO_PRIM &&
                      b.expr->sinfo->kind == RLX_SINFO_TENSOR;
  if (a_is && b_is && name && !is_of_scalar)
    return rlx_call_op_values(e, rlx_op_find(name, strlen(name)), values, 2, span, span);
  RlxTaint tainted = e->tainted;
  if (tainted) return as_meant(e, op, values, true, span);
  bool is_027 = rlx_eval_is_027(e), is_equal = op == RLX_OP_EQ || op == RLX_OP_NE;
  // TVM's own operator takes an expression of TensorIR beside an expression of TensorIR alone.
  const bool is_of_symbol = a.kind == RLX_VALUE_PRIM || b.kind == RLX_VALUE_PRIM;
  if (is_equal && !is_027 && is_of_symbol && !e->in_lambda && rlx_refuse_may_tell(e)) {
    rlx_operand_report(e, op, span, &a, &b, "");
    return rlx_eval_failed(e, span);
  }
  if ((is_equal && !is_027) || op == RLX_OP_IS || op == RLX_OP_IS_NOT)
    return compare_objects(e, op, &a, &b, span);
  if (op == RLX_OP_IN || op == RLX_OP_NOT_IN) return find_object(e, op, &a, &b, span);
  if (a_is && b_is && (meant || is_of_scalar)) {
    meant = is_of_scalar ? name : meant;
    RlxDiag *diag = rlx_operand_report(e, op, span, &a, &b,
                                       rlx_arena_printf(e->arena, ": write `R.%s(…)`", meant));
    infix_fix(e, diag, span, &a, &b, meant);
    return as_meant(e, op, values, tainted, span);
  }
  RlxValue *number = a_is ? &b : &a;
  const char *hint = is_number(number) ? ": wrap the number as `R.const(…)`" : "";
  RlxDiag *diag = rlx_operand_report(e, op, span, &a, &b, hint);
  if (*hint) rlx_fix_number(e->sink, diag, number, a_is ? a.expr->sinfo : b.expr->sinfo);
  return as_meant(e, op, values, tainted, span);
}

/// Members of a list at all levels.
static uint64_t nested(const RlxValue *v) { return v->nested > v->count ? v->nested : v->count; }

static RlxValue list_binary(RlxEval *e, uint8_t op, RlxValue a, RlxValue b, RlxSpan span) {
  int64_t times;
  if (e->comprehensions && e->steps > rlx_eval_most(e, RLX_MAX_STEPS))
    return rlx_eval_failed(e, span);
  if (op == RLX_OP_ADD && b.kind == RLX_VALUE_LIST && (a.is_tuple == b.is_tuple || !e->fn) &&
      nested(&a) + nested(&b) <= rlx_eval_most(e, RLX_MAX_ITEMS)) {
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
      times >= 0 &&
      (times == 0 || nested(&a) <= rlx_eval_most(e, RLX_MAX_ITEMS) / (uint64_t)times)) {
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
  return rlx_refuse_binary(e, op, &a, &b, span);
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

/// The dtype of an operand that TVM's parser compares: a number of Python takes the other's, but a float beside no float, which has none
/// (unknown). Of calls it is not known, either, which `*known` says.
static RlxDType compared_dtype(const RlxValue *v, const RlxPrim *prim, bool *known) {
  *known &=
      v->kind == RLX_VALUE_FLOAT || (v->kind == RLX_VALUE_PRIM && !v->is_python && prim &&
                                     prim->kind != RLX_PRIM_CALL && prim->kind != RLX_PRIM_SELECT);
  return v->kind == RLX_VALUE_FLOAT ? RLX_FLOAT32 : prim ? prim->dtype : rlx_dtype_unknown();
}

/// Whether TVM's parser, which compares expressions of one dtype, refuses `a < b`. Source: _auto_broadcast of tirx's operation.py.
static bool refuses_comparison(const RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b,
                               const RlxPrim *pa, const RlxPrim *pb) {
  bool known = !e->in_lambda && rlx_refuse_may_tell(e);
  const bool is_relation = op == RLX_OP_EQ || op == RLX_OP_NE || op == RLX_OP_LT ||
                           op == RLX_OP_LE || op == RLX_OP_GT || op == RLX_OP_GE;
  const bool is_order = op != RLX_OP_EQ && op != RLX_OP_NE;
  if (!is_relation || !known) return false;
  if (is_order && rlx_eval_is_027(e) && a->kind != RLX_VALUE_FLOAT) return false; // converted there
  const RlxDType left = compared_dtype(a, pa, &known), right = compared_dtype(b, pb, &known);
  if (!known || !rlx_dtype_known(left) || !rlx_dtype_known(right)) return false;
  const bool has_number = a->kind == RLX_VALUE_FLOAT || b->kind == RLX_VALUE_FLOAT;
  if (has_number) return rlx_dtype_is_float(left) != rlx_dtype_is_float(right);
  return left.code != right.code || left.bits != right.bits;
}

/// Whether TVM's `/`, which two integers do not have, takes the operand for one: a signed integer, or one of Python's, a bool
/// among them. Source: _dtype_is_int of tirx's expr.py.
static bool divides_as_int(const RlxValue *v, const RlxPrim *prim) {
  return v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_BOOL || prim->dtype.code == RLX_DTYPE_INT;
}

static RlxValue prim_binary(RlxEval *e, uint8_t op, RlxValue a, RlxValue b, RlxSpan span) {
  if ((op == RLX_OP_IS || op == RLX_OP_IS_NOT) &&
      (a.kind == RLX_VALUE_NONE || b.kind == RLX_VALUE_NONE) && rlx_refuse_may_tell(e))
    return rlx_value_of_bool(op == RLX_OP_IS_NOT, span);
  if (op == RLX_OP_IS || op == RLX_OP_IS_NOT) return rlx_eval_failed(e, span);
  const RlxPrim *pa = rlx_value_prim(e, &a), *pb = rlx_value_prim(e, &b);
  if (refuses_comparison(e, op, &a, &b, pa, pb)) {
    rlx_operand_report(e, op, span, &a, &b, ": both have one dtype");
    return rlx_eval_failed(e, span);
  }
  RlxPrimKind kind;
  if (!pa || !pb) return rlx_refuse_binary(e, op, &a, &b, span);
  // A Python number takes the dtype of the symbolic operand.
  if (a.kind == RLX_VALUE_INT && pb->kind != RLX_PRIM_FLOAT && rlx_dtype_is_int(pb->dtype))
    pa = rlx_prim_int_typed(e->store, a.integer, pb->dtype);
  if (b.kind == RLX_VALUE_INT && pa->kind != RLX_PRIM_FLOAT && rlx_dtype_is_int(pa->dtype))
    pb = rlx_prim_int_typed(e->store, b.integer, pa->dtype);
  const bool is_wide =
      rlx_word_out_of_range(a.kind == RLX_VALUE_FLOAT ? &a : &b, RLX_FLOAT32, true) &&
      (a.kind == RLX_VALUE_FLOAT || b.kind == RLX_VALUE_FLOAT);
  if (is_wide && rlx_refuse_may_tell(e)) {
    rlx_operand_report(e, op, span, &a, &b,
                       ": the number becomes a float32, which does not hold it");
    return rlx_eval_failed(e, span);
  }
  const bool is_of_bools =
      (op == RLX_OP_FLOORDIV || op == RLX_OP_MOD || op == RLX_OP_SHL || op == RLX_OP_SHR) &&
      (rlx_dtype_is_bool(pa->dtype) || rlx_dtype_is_bool(pb->dtype));
  if (is_of_bools && rlx_refuse_may_tell(e)) {
    rlx_operand_report(e, op, span, &a, &b, "");
    return rlx_eval_failed(e, span);
  }
  int64_t divisor;
  bool divides = op == RLX_OP_FLOORDIV || op == RLX_OP_MOD,
       is_by_zero = divides && rlx_prim_is_const(pb, &divisor) && divisor == 0,
       is_of_floats = (divides || (op >= RLX_OP_SHL && op <= RLX_OP_BITXOR)) &&
                      (rlx_dtype_is_float(pa->dtype) || rlx_dtype_is_float(pb->dtype));
  if ((is_by_zero || is_of_floats) && rlx_refuse_may_tell(e)) {
    rlx_operand_report(e, op, span, &a, &b, is_by_zero ? ": nothing is divided by 0" : "");
    return rlx_eval_failed(e, span);
  }
  if (op == RLX_OP_GT)
    return rlx_value_of_prim(rlx_prim_binary(e->store, RLX_PRIM_LT, pb, pa), span);
  if (op == RLX_OP_GE)
    return rlx_value_of_prim(rlx_prim_binary(e->store, RLX_PRIM_LE, pb, pa), span);
  if (!prim_kind(op, &kind)) {
    if (e->fn && e->fn->kind == RLX_ISLAND_RELAX && !e->tainted)
      rlx_operand_report(e, op, span, &a, &b, "");
    return rlx_eval_failed(e, span);
  }
  if (op == RLX_OP_DIV && e->fn && !e->tainted && divides_as_int(&a, pa) &&
      divides_as_int(&b, pb)) {
    const bool is_bool = a.kind == RLX_VALUE_BOOL || b.kind == RLX_VALUE_BOOL;
    RlxDiag *diag = rlx_operand_report(e, op, span, &a, &b, is_bool ? "" : ": write `//`");
    if (is_bool) return rlx_eval_failed(e, span);
    divide_fix(e, diag, a.span.end, b.span.start);
    return rlx_value_of_prim(rlx_prim_floordiv(e->store, pa, pb), span);
  }
  return rlx_value_of_prim(rlx_prim_binary(e->store, kind, pa, pb), span);
}

/// A new variable, `T.int64()`.
static bool is_new(const RlxValue *v) { return v->kind == RLX_VALUE_SYMDECL; }

/// A scalar variable of 0.27 as the integer that it is, and a new variable (`T.int64()`) as one;
/// anything else stays.
static RlxValue as_scalar(RlxEval *e, RlxValue v) {
  if (v.kind == RLX_VALUE_SYMDECL && e->fn && e->fn->kind == RLX_ISLAND_RELAX) {
    RlxName own = (RlxName)(v.integer & 0xffffffff);
    if (!own && rlx_refuse_may_tell(e) && rlx_fn_outermost(e->fn)->check_well_formed)
      rlx_eval_report(e, RLX_DIAG_ID(SYMBOL_UNDEFINED), v.span, "s", "v");
    RlxDType dtype = rlx_symbol_dtype(&v);
    RlxName name = own ? own : rlx_store_intern(e->store, "v", 1);
    return rlx_value_of_prim(
        rlx_prim_var(e->store, rlx_symvar(e->store, e->fn->function.scope, name, dtype, false)),
        v.span);
  }
  if (v.kind != RLX_VALUE_EXPR || !rlx_eval_is_027(e) || v.expr->sinfo->kind != RLX_SINFO_PRIM)
    return v;
  const RlxPrim *prim = rlx_value_prim(e, &v);
  return prim ? rlx_value_of_prim(prim, v.span) : v;
}

/// Python's a // b and a % b of floats; false: b is 0. Source: CPython Objects/floatobject.c, _float_div_mod.
static bool divided(double a, double b, double *quotient, double *rest) {
  if (!(b < 0 || b > 0)) return false;
  double mod = fmod(a, b), div = (a - mod) / b;
  const bool is_exact = !(mod < 0 || mod > 0);
  if (!is_exact && (b < 0) != (mod < 0)) mod += b, div -= 1;
  *rest = is_exact ? copysign(0, b) : mod;
  *quotient = floor(div);
  if (div - *quotient > 0.5) *quotient += 1;
  if (!(div < 0 || div > 0)) *quotient = copysign(0, a / b);
  return true;
}

/// An operation of whole numbers without a result of 64 bits: one of more bits, or what Python stops at.
static RlxValue wide_or_refused(RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b,
                                RlxSpan span) {
  int64_t left = 0, right = 0;
  uint64_t bits = 0;
  rlx_value_as_integer(a, &left);
  rlx_value_as_integer(b, &right);
  const Wide wide = wide_integer(op, left, right, &bits);
  if (wide == NOT_WIDE) return rlx_refuse_binary(e, op, a, b, span);
  RlxValue v = {.kind = RLX_VALUE_OTHER, .span = span, .text = rlx_big_int_text};
  if (wide == WIDE_BEYOND) return v;
  v.kind = RLX_VALUE_UINT64;
  v.integer = (int64_t)bits;
  return v;
}

/// "ab" * 2; unknown where that is long.
static RlxValue repeated(RlxEval *e, const RlxValue *text, int64_t times, RlxSpan span) {
  const char *one = rlx_store_text(e->store, text->string);
  const uint64_t size = strlen(one), count = times > 0 ? (uint64_t)times : 0;
  if (size && count > rlx_eval_most(e, RLX_MAX_TEXT) / size) return rlx_unknown_string(e, span);
  RlxBuf all = {0};
  for (uint64_t i = 0; i < count && size; i++) rlx_buf_puts(&all, one);
  RlxValue v = {.kind = RLX_VALUE_STR, .span = span};
  v.string = rlx_store_intern(e->store, rlx_buf_text(&all), all.size);
  rlx_buf_free(&all);
  return v;
}

/// "float%d" % 32, "%s%d" % ("int", 8): the text, where its places are `%d` and `%s` of ints and strings; else a string
/// that is not known.
static RlxValue formatted(RlxEval *e, const RlxValue *format, const RlxValue *given, RlxSpan span) {
  const bool is_tuple = given->kind == RLX_VALUE_LIST && given->is_tuple;
  const RlxValue *items = is_tuple ? given->items : given;
  const uint32_t count = is_tuple ? given->count : 1;
  uint32_t used = 0;
  bool is_known = true;
  RlxBuf text = {0};
  for (const char *at = rlx_store_text(e->store, format->string); *at && is_known; at++) {
    if (*at != '%' || at[1] == '%') {
      rlx_buf_putc(&text, *at);
      at += *at == '%';
      continue;
    }
    const RlxValue *item = used < count ? &items[used++] : NULL;
    at++;
    if (item && item->kind == RLX_VALUE_INT && (*at == 'd' || *at == 's' || *at == 'i'))
      rlx_buf_printf(&text, "%lld", (long long)item->integer);
    else if (item && item->kind == RLX_VALUE_STR && *at == 's')
      rlx_buf_puts(&text, rlx_store_text(e->store, item->string));
    else
      is_known = false;
    is_known &= *at && text.size <= rlx_eval_most(e, RLX_MAX_TEXT);
  }
  RlxValue v = {.kind = RLX_VALUE_STR, .span = span};
  is_known &= used == count;
  if (is_known) v.string = rlx_store_intern(e->store, rlx_buf_text(&text), text.size);
  rlx_buf_free(&text);
  return is_known ? v : rlx_unknown_string(e, span);
}

/// Python's operators of strings; UNKNOWN, and reported, what it has not.
static RlxValue text_binary(RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b,
                            RlxSpan span) {
  const RlxValue *text = a->kind == RLX_VALUE_STR ? a : b, *other = text == a ? b : a;
  int64_t times;
  if (op == RLX_OP_MUL && rlx_value_as_integer(other, &times))
    return repeated(e, text, times, span);
  if (op == RLX_OP_MOD && text == a && rlx_python_has_operator(e, op, a, b))
    return formatted(e, a, b, span);
  if (op != RLX_OP_ADD || other->kind != RLX_VALUE_STR) return rlx_refuse_binary(e, op, a, b, span);
  RlxValue v = {.kind = RLX_VALUE_STR, .span = span};
  const char *first = rlx_store_text(e->store, a->string);
  const char *second = rlx_store_text(e->store, b->string);
  if (strlen(first) + strlen(second) > rlx_eval_most(e, RLX_MAX_TEXT))
    return rlx_eval_failed(e, span);
  const char *whole = rlx_arena_printf(e->arena, "%s%s", first, second);
  v.string = rlx_store_intern(e->store, whole, strlen(whole));
  return v;
}

RlxValue rlx_eval_binary(RlxEval *e, uint8_t op, RlxValue a, RlxValue b, RlxSpan span) {
  const RlxValue given[2] = {a, b};
  a = as_scalar(e, a);
  b = as_scalar(e, b);
  if (a.kind == RLX_VALUE_EXPR || b.kind == RLX_VALUE_EXPR)
    a = given[0], b = given[1]; // a tensor's operator takes the variable
  const bool is_numbers = a.kind != RLX_VALUE_EXPR && b.kind != RLX_VALUE_EXPR &&
                          a.kind != RLX_VALUE_PRIM && b.kind != RLX_VALUE_PRIM;
  if (is_numbers && (rlx_array_is_partial(&a) || rlx_array_is_partial(&b)))
    return rlx_array_binary(e, op, &a, &b, span);
  if (a.kind == RLX_VALUE_UNKNOWN || b.kind == RLX_VALUE_UNKNOWN) return rlx_eval_failed(e, span);
  const bool is_object = b.kind == RLX_VALUE_EXPR || b.kind == RLX_VALUE_PRIM;
  if (op == RLX_OP_MOD && a.kind == RLX_VALUE_STR && is_object &&
      strchr(rlx_store_text(e->store, a.string), '%'))
    return rlx_unknown_string(e, span); // "%s" % x
  bool is_array = a.kind == RLX_VALUE_ARRAY || b.kind == RLX_VALUE_ARRAY;
  if (a.kind == RLX_VALUE_EXPR || b.kind == RLX_VALUE_EXPR) {
    const RlxValue *array = a.kind == RLX_VALUE_ARRAY ? &a : &b;
    if (is_array && !array->expr->sinfo->ndim) return rlx_eval_failed(e, span);
    return tensor_binary(e, op, a, b, span);
  }
  if (is_array) return rlx_array_binary(e, op, &a, &b, span);
  if (a.kind == RLX_VALUE_PRIM || b.kind == RLX_VALUE_PRIM) return prim_binary(e, op, a, b, span);
  if (op == RLX_OP_MUL && b.kind == RLX_VALUE_LIST && a.kind == RLX_VALUE_INT)
    return list_binary(e, op, b, a, span);
  if (a.kind == RLX_VALUE_LIST) return list_binary(e, op, a, b, span);
  int64_t ia, ib, ir;
  double da, db;
  if (rlx_value_as_integer(&a, &ia) && rlx_value_as_integer(&b, &ib) && op != RLX_OP_DIV &&
      (op != RLX_OP_POW || ib >= 0))
    return integer_op(op, ia, ib, &ir) ? rlx_value_of_int(ir, span)
                                       : wide_or_refused(e, op, &a, &b, span);
  if (rlx_value_as_number(&a, &da) && rlx_value_as_number(&b, &db)) {
    if (op == RLX_OP_ADD) return rlx_value_of_float(da + db, span);
    if (op == RLX_OP_SUB) return rlx_value_of_float(da - db, span);
    if (op == RLX_OP_MUL) return rlx_value_of_float(da * db, span);
    if (op == RLX_OP_DIV && db != 0) return rlx_value_of_float(da / db, span);
    if (op == RLX_OP_POW && isfinite(pow(da, db))) return rlx_value_of_float(pow(da, db), span);
    if (op == RLX_OP_POW) return e->tainted |= RLX_OPEN, rlx_value_unknown(span);
    double rest, quotient;
    const bool is_divided = divided(da, db, &quotient, &rest);
    if (op == RLX_OP_FLOORDIV && is_divided) return rlx_value_of_float(quotient, span);
    if (op == RLX_OP_MOD && is_divided) return rlx_value_of_float(rest, span);
    return rlx_refuse_binary(e, op, &a, &b, span);
  }
  if (a.kind == RLX_VALUE_STR || b.kind == RLX_VALUE_STR) return text_binary(e, op, &a, &b, span);
  return rlx_refuse_binary(e, op, &a, &b, span);
}

/// `a op b`, where one of them is a string that is not known: what Python or TVM refuses of it. UNKNOWN otherwise.
static RlxValue unknown_text_binary(RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b,
                                    RlxSpan span) {
  const RlxValue *other = rlx_is_unknown_string(a) ? b : a;
  const bool is_relax = other->kind == RLX_VALUE_EXPR && op <= RLX_OP_GE &&
                        !rlx_expr_is_unknown(other->expr) && !rlx_expr_is_reported(other->expr);
  const bool is_format = op == RLX_OP_MOD && other == b; // it may hold any pattern
  if (is_relax && !is_format && rlx_refuse_may_tell(e)) return tensor_binary(e, op, *a, *b, span);
  if (is_format || other->kind == RLX_VALUE_EXPR) return rlx_unknown_string(e, span);
  const uint32_t reported = e->sink->diags.count;
  RlxValue v = rlx_refuse_binary(e, op, a, b, span);
  const bool is_string = op == RLX_OP_ADD || op == RLX_OP_MUL;
  return is_string && reported == e->sink->diags.count ? rlx_unknown_string(e, span) : v;
}

/// The value of an operand. Of a string that is not known it is enough that it is one: it does not taint.
static RlxValue operand(RlxEval *e, const RlxAst *ast) {
  const uint32_t reported = e->sink->diags.count;
  const RlxTaint tainted = e->tainted;
  e->takes_scalar = true;
  const RlxValue v = rlx_eval(e, ast);
  if (rlx_is_unknown_string(&v) && reported == e->sink->diags.count) e->tainted = tainted;
  return v;
}

RlxValue rlx_eval_operands(RlxEval *e, const RlxAst *ast) {
  const RlxValue a = operand(e, ast->children[0]), b = operand(e, ast->children[1]);
  const bool is_text = rlx_is_unknown_string(&a) || rlx_is_unknown_string(&b);
  return is_text ? unknown_text_binary(e, ast->op, &a, &b, ast->span)
                 : rlx_eval_binary(e, ast->op, a, b, ast->span);
}

static RlxValue prim_unary(RlxEval *e, const RlxAst *ast, const RlxValue *a) {
  const RlxPrim *prim = a->prim;
  const bool is_bool = rlx_dtype_is_bool(prim->dtype);
  const bool is_refused = ast->op == RLX_OP_POS || (ast->op == RLX_OP_NOT && !is_bool) ||
                          (ast->op == RLX_OP_NEG && is_bool) ||
                          (ast->op == RLX_OP_INVERT && rlx_dtype_is_float(prim->dtype));
  if (is_refused && rlx_refuse_may_tell(e)) {
    rlx_operand_report(e, ast->op, ast->span, a, NULL, "");
    return rlx_eval_failed(e, ast->span);
  }
  if (ast->op == RLX_OP_NEG && prim->kind == RLX_PRIM_FLOAT)
    return rlx_value_of_prim(rlx_prim_float(e->store, -prim->number, prim->dtype), ast->span);
  if (ast->op == RLX_OP_NEG)
    return rlx_value_of_prim(
        rlx_prim_binary(e->store, RLX_PRIM_SUB, rlx_prim_int_typed(e->store, 0, prim->dtype), prim),
        ast->span);
  if (ast->op == RLX_OP_POS) return *a;
  if (ast->op == RLX_OP_NOT)
    return rlx_value_of_prim(rlx_prim_unary(e->store, RLX_PRIM_NOT, prim), ast->span);
  return rlx_script_value(e, ast->span);
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
    if (ast->op == RLX_OP_NOT && !rlx_eval_is_027(e)) { // any object is true
      rlx_eval_report(e, RLX_DIAG_ID(IDENTITY), ast->span, "sss", "not", "False",
                      "; write `R.logical_not(…)` for the elements");
      return rlx_value_of_bool(false, ast->span);
    }
    if (!e->tainted) rlx_operand_report(e, ast->op, ast->span, &a, NULL, "");
    return rlx_eval_failed(e, ast->span);
  case RLX_VALUE_PRIM: return prim_unary(e, ast, &a);
  default: break;
  }
  if (ast->op == RLX_OP_NEG && rlx_value_as_integer(&a, &integer) && integer != INT64_MIN)
    return rlx_value_of_int(-integer, ast->span);
  if (ast->op == RLX_OP_NEG && a.kind == RLX_VALUE_UINT64 && a.integer == INT64_MIN)
    return rlx_value_of_int(INT64_MIN, ast->span); // -9223372036854775808
  if (ast->op == RLX_OP_INVERT && rlx_value_as_integer(&a, &integer))
    return rlx_value_of_int(~integer, ast->span);
  if (ast->op == RLX_OP_NEG && rlx_value_as_number(&a, &number))
    return rlx_value_of_float(-number, ast->span);
  if (ast->op == RLX_OP_POS && rlx_value_as_number(&a, &number)) return a;
  RlxPythonType type = rlx_python_type(e, &a);
  bool yes = true;
  if (type == RLX_PYTHON_NONE) yes = false;
  if (ast->op == RLX_OP_NOT &&
      (rlx_value_truth(&a, &yes) || rlx_python_is_object(type) || type == RLX_PYTHON_NONE))
    return rlx_value_of_bool(!yes, ast->span);
  if (ast->op == RLX_OP_POS && type == RLX_PYTHON_UNKNOWN) return a;
  const bool is_complex =
      a.kind == RLX_VALUE_OTHER && a.text && !strcmp(a.text, "a complex number");
  if ((a.kind == RLX_VALUE_CALLEE || (rlx_is_plain_object(&a) && !is_complex)) &&
      rlx_refuse_may_tell(e)) {
    rlx_operand_report(e, ast->op, ast->span, &a, NULL, "");
    return rlx_eval_failed(e, ast->span);
  }
  return rlx_refuse_unary(e, ast->op, &a, ast->span);
}

/// Whether Python finds `v` in the list: 1, 0, or -1 where that is not known.
static int is_in(const RlxEval *e, const RlxValue *v, const RlxValue *list) {
  int found = list->kind == RLX_VALUE_LIST ? 0 : -1;
  for (uint32_t i = 0; found == 0 && i < list->count; i++)
    found = rlx_value_is_same(e, v, &list->items[i]);
  return found;
}

/// Whether Python surely finds no items in `list` to look for `v` among: a number or another single object, or a string, which has
/// strings alone.
static bool has_no_items(const RlxEval *e, const RlxValue *v, const RlxValue *list) {
  const RlxPythonType type = rlx_python_type(e, list), of = rlx_python_type(e, v);
  const bool is_expr =
      v->kind == RLX_VALUE_PRIM || (v->kind == RLX_VALUE_EXPR && v->expr->kind != RLX_EXPR_HOLE);
  if (!rlx_refuse_may_tell(e)) return false;
  if (type == RLX_PYTHON_STR) return is_expr || (of != RLX_PYTHON_UNKNOWN && of != RLX_PYTHON_STR);
  return list->kind == RLX_VALUE_PRIM || type == RLX_PYTHON_NONE || type == RLX_PYTHON_BOOL ||
         type == RLX_PYTHON_INT || type == RLX_PYTHON_FLOAT ||
         (list->kind == RLX_VALUE_EXPR && list->expr->kind == RLX_EXPR_PRIM) ||
         (list->kind == RLX_VALUE_EXPR && rlx_is_unpackable(e, list)); // only in 0.27
}

/// `a < b < c`: TVM's parser compares all of them, one with the next. Whether a pair cannot be, which
/// is reported.
static bool refuses_chain(RlxEval *e, const RlxAst *ast) {
  RlxValue left = rlx_eval(e, ast->children[0]);
  for (uint32_t i = 0; i + 1 < ast->child_count; i++) {
    RlxValue right = rlx_eval(e, ast->children[i + 1]);
    RlxPythonType a = rlx_python_type(e, &left), b = rlx_python_type(e, &right);
    if (a != RLX_PYTHON_UNKNOWN && b != RLX_PYTHON_UNKNOWN &&
        !rlx_python_has_operator(e, ast->ops[i], &left, &right)) {
      rlx_operand_report(e, ast->ops[i], ast->span, &left, &right, "");
      return true;
    }
    left = right;
  }
  return false;
}

RlxValue rlx_eval_compare(RlxEval *e, const RlxAst *ast) {
  bool is_chain = ast->child_count > 2 && e->fn && !e->is_signature && rlx_refuse_may_tell(e);
  if (is_chain && refuses_chain(e, ast)) return rlx_eval_failed(e, ast->span);
  RlxValue left = operand(e, ast->children[0]), result = left;
  for (uint32_t i = 0; i + 1 < ast->child_count; i++) {
    RlxValue right = operand(e, ast->children[i + 1]);
    uint8_t op = ast->ops[i];
    if (rlx_is_unknown_string(&left) || rlx_is_unknown_string(&right))
      return unknown_text_binary(e, op, &left, &right, ast->span);
    double a, b;
    const bool is_membership = op == RLX_OP_IN || op == RLX_OP_NOT_IN;
    if (is_membership && has_no_items(e, &left, &right)) {
      rlx_operand_report(e, op, ast->span, &left, &right, "");
      return rlx_eval_failed(e, ast->span);
    }
    const int found = is_membership ? is_in(e, &left, &right) : -1;
    int same = -1;
    if (found >= 0) {
      result = rlx_value_of_bool(found == (op == RLX_OP_IN), ast->span);
    } else if (is_new(&left) || is_new(&right) || left.kind == RLX_VALUE_EXPR ||
               right.kind == RLX_VALUE_EXPR || left.kind == RLX_VALUE_PRIM ||
               right.kind == RLX_VALUE_PRIM ||
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
    } else if ((op == RLX_OP_EQ || op == RLX_OP_NE) &&
               (same = rlx_value_is_same(e, &left, &right)) >= 0) {
      result = rlx_value_of_bool(same == (op == RLX_OP_EQ), ast->span);
    } else
      return rlx_refuse_binary(e, op, &left, &right, ast->span);
    left = right;
  }
  return result;
}

/// Whether TVM's parser takes `and` and `or` beside the value for those of its own expressions.
static bool is_symbolic(const RlxEval *e, const RlxValue *v) {
  return v->kind == RLX_VALUE_PRIM || is_new(v) ||
         (v->kind == RLX_VALUE_EXPR && rlx_eval_is_027(e));
}

/// Whether the value is surely R.Object and nothing narrower: a variable of 0.27, of which that is the type.
static bool is_known_object(const RlxEval *e, const RlxExpr *x) {
  return rlx_eval_is_027(e) && x->kind == RLX_EXPR_VAR && !x->var->is_tainted;
}

/// `a and b` of TVM's expressions: both are bools.
static RlxValue symbolic_bool_op(RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b,
                                 RlxSpan span) {
  const RlxPrim *parts[2] = {rlx_value_prim(e, a), rlx_value_prim(e, b)};
  const RlxValue *values[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    RlxValueKind kind = (RlxValueKind)values[i]->kind;
    bool is_fine = kind == RLX_VALUE_BOOL ||
                   (is_new(values[i]) && rlx_dtype_is_bool(rlx_symbol_dtype(values[i]))) ||
                   (parts[i] && rlx_dtype_is_bool(parts[i]->dtype));
    bool is_known = kind == RLX_VALUE_PRIM || parts[i] || is_new(values[i]) ||
                    (kind == RLX_VALUE_EXPR && (values[i]->expr->sinfo->kind != RLX_SINFO_OBJECT ||
                                                is_known_object(e, values[i]->expr))) ||
                    rlx_python_type(e, values[i]) != RLX_PYTHON_UNKNOWN;
    if (is_fine || !is_known) continue;
    if (rlx_refuse_may_tell(e)) rlx_operand_report(e, op, span, a, b, "");
    return rlx_eval_failed(e, span);
  }
  if (!parts[0] || !parts[1]) return rlx_eval_failed(e, span);
  RlxPrimKind kind = op == RLX_OP_AND ? RLX_PRIM_AND : RLX_PRIM_OR;
  return rlx_value_of_prim(rlx_prim_binary(e->store, kind, parts[0], parts[1]), span);
}

/// Whether Python alone evaluates what stands here: the signature of a PrimFunc.
static bool is_pythons(const RlxEval *e) {
  return e->is_signature && e->fn && e->fn->kind == RLX_ISLAND_PRIM_FUNC;
}

RlxValue rlx_eval_bool_op(RlxEval *e, const RlxAst *ast) {
  RlxValue a = rlx_eval(e, ast->children[0]);
  bool is_or = ast->op == RLX_OP_OR, yes = true;
  if (a.kind == RLX_VALUE_BOOL && a.boolean == is_or && rlx_eval_is_027(e)) return a;
  if (is_pythons(e) && rlx_value_truth(&a, &yes) && yes == is_or) return a;
  RlxValue b = rlx_eval(e, ast->children[1]);
  if (a.kind == RLX_VALUE_CALLEE &&
      rlx_refuse_may_tell(e)) { // up to 0.25 true as any object, later without a truth
    if (!rlx_eval_may_be(e, RLX_DIALECT_027)) return is_or ? a : b;
    if (!rlx_eval_may_be(e, RLX_DIALECT_025)) rlx_operand_report(e, ast->op, ast->span, &a, &b, "");
    return rlx_eval_failed(e, ast->span);
  }
  if (is_symbolic(e, &a) || is_symbolic(e, &b))
    return symbolic_bool_op(e, ast->op, &a, &b, ast->span);
  if (!rlx_value_truth(&a, &yes) && !rlx_python_is_object(rlx_python_type(e, &a)))
    return rlx_eval_failed(e, ast->span);
  return yes == is_or ? a : b;
}

/// Whether the value is surely none that TensorIR chooses between.
static bool is_no_scalar(const RlxEval *e, const RlxValue *v) {
  const RlxPythonType type = rlx_python_type(e, v);
  const bool is_tensor = v->kind == RLX_VALUE_EXPR && v->expr->sinfo->kind == RLX_SINFO_TENSOR;
  return is_tensor || v->kind == RLX_VALUE_CALLEE ||
         (type != RLX_PYTHON_UNKNOWN && type != RLX_PYTHON_STR && !is_number(v));
}

RlxValue rlx_eval_conditional(RlxEval *e, const RlxAst *ast) {
  RlxValue c = rlx_eval(e, ast->children[1]);
  bool yes;
  if (c.kind == RLX_VALUE_PRIM && (rlx_dtype_is_bool(c.prim->dtype) || !rlx_refuse_may_tell(e))) {
    RlxValue a = rlx_eval(e, ast->children[0]), b = rlx_eval(e, ast->children[2]);
    const RlxPrim *pa = rlx_value_prim(e, &a), *pb = rlx_value_prim(e, &b);
    if (pa && pb) return rlx_value_of_prim(rlx_prim_select(e->store, c.prim, pa, pb), ast->span);
    const RlxValue *wrong = !pa && is_no_scalar(e, &a)   ? &a
                            : !pb && is_no_scalar(e, &b) ? &b
                                                         : NULL;
    if (wrong && rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), ast->children[wrong == &a ? 0 : 2]->span,
                      "ssss", "a conditional expression with a symbolic condition", "branch",
                      rlx_value_text(e, wrong), "a symbolic expression");
    return rlx_eval_failed(e, ast->span);
  }
  const bool is_function = c.kind == RLX_VALUE_CALLEE && rlx_refuse_may_tell(e);
  if ((c.kind == RLX_VALUE_EXPR || is_function) && e->fn && !e->tainted)
    rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), ast->span, "s",
                    "a conditional expression that a Relax value decides");
  bool is_python = e->is_decorator; // which has a truth for any value
  if (is_python && rlx_python_is_object(rlx_python_type(e, &c)))
    return rlx_eval(e, ast->children[0]);
  const bool is_known = c.kind == RLX_VALUE_PRIM || rlx_python_type(e, &c) != RLX_PYTHON_UNKNOWN;
  if (c.kind != RLX_VALUE_BOOL && is_known && !is_python && rlx_refuse_may_tell(e)) {
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), ast->children[1]->span, "ssss",
                    "a conditional expression", "condition", rlx_value_text(e, &c),
                    "True, False or a symbolic condition");
    return rlx_eval_failed(e, ast->span);
  }
  if (!rlx_value_truth(&c, &yes)) return rlx_eval_failed(e, ast->span);
  bool runs_both =
      e->fn && e->fn->dialect == RLX_DIALECT_025 && !is_pythons(e) && rlx_refuse_may_tell(e);
  if (!runs_both) return rlx_eval(e, ast->children[yes ? 0 : 2]);
  RlxValue first = rlx_eval(e, ast->children[0]), second = rlx_eval(e, ast->children[2]);
  return yes ? first : second;
}

// ---- containers
