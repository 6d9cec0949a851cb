/// When Python finds two values equal.
#include "analyzer/eval/eval.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"

/// Whether Python finds two values unequal for their types; two numbers are none of these.
static bool are_apart(const RlxEval *e, const RlxValue *a, const RlxValue *b) {
  RlxPythonType left = rlx_python_type(e, a), right = rlx_python_type(e, b);
  if (left == RLX_PYTHON_MODULE && right == RLX_PYTHON_MODULE) return a->string != b->string;
  return left != RLX_PYTHON_UNKNOWN && right != RLX_PYTHON_UNKNOWN && left != right;
}

/// A value of TVM's: an object that Python compares with others by what it is.
static bool is_object_of_tvm(const RlxValue *v) {
  return (v->kind == RLX_VALUE_PRIM && v->prim->vars) ||
         (v->kind == RLX_VALUE_EXPR && v->expr->kind != RLX_EXPR_HOLE);
}

enum { COMPARED_MAX = 4096 }; ///< items that are compared, those of lists in lists among them

static int compared(const RlxEval *e, const RlxValue *a, const RlxValue *b, int *left);

/// The same of two lists or tuples, item by item.
static int are_lists_same(const RlxEval *e, const RlxValue *a, const RlxValue *b, int *left) {
  enum { MOST = 64 };
  if (a->count != b->count || a->is_tuple != b->is_tuple) return 0;
  int same = a->count > MOST ? -1 : 1;
  for (uint32_t i = 0; i < a->count && same == 1; i++)
    same = --*left < 0 ? -1 : compared(e, &a->items[i], &b->items[i], left);
  return same;
}

/// The same, as long as items are left that may be compared.
static int compared(const RlxEval *e, const RlxValue *a, const RlxValue *b, int *left) {
  double x, y;
  if (rlx_value_as_number(a, &x) && rlx_value_as_number(b, &y)) return x >= y && x <= y;
  if (a->kind == RLX_VALUE_STR && b->kind == RLX_VALUE_STR) return a->string == b->string;
  if (is_object_of_tvm(a) && is_object_of_tvm(b)) {
    const RlxSymVar *one = a->kind == RLX_VALUE_PRIM ? rlx_prim_as_var(a->prim) : NULL,
                    *other = b->kind == RLX_VALUE_PRIM ? rlx_prim_as_var(b->prim) : NULL;
    if (one || other) return one && other ? one == other : -1;
    const bool are_vars = a->kind == RLX_VALUE_EXPR && b->kind == RLX_VALUE_EXPR &&
                          a->expr->kind == RLX_EXPR_VAR && b->expr->kind == RLX_EXPR_VAR;
    return are_vars ? a->expr->var == b->expr->var : -1;
  }
  if (a->kind == b->kind && (a->kind == RLX_VALUE_OP || a->kind == RLX_VALUE_LAMBDA))
    return a->kind == RLX_VALUE_OP ? a->thing == b->thing : 0; // each lambda is another
  if (a->kind == b->kind && a->kind == RLX_VALUE_DTYPE && !a->is_python && !b->is_python)
    return a->integer == b->integer;
  if (a->kind == b->kind && a->kind == RLX_VALUE_WORD) return a->integer == b->integer ? 1 : -1;
  if (a->kind == b->kind && (a->kind == RLX_VALUE_TFUNC || a->kind == RLX_VALUE_NAMESPACE))
    return a->string == b->string ? 1 : -1;
  if (a->kind == RLX_VALUE_LIST && b->kind == RLX_VALUE_LIST && !a->is_range && !b->is_range)
    return are_lists_same(e, a, b, left);
  const RlxValue *plain = is_object_of_tvm(a) ? b : is_object_of_tvm(b) ? a : NULL;
  if (plain) return rlx_python_type(e, plain) != RLX_PYTHON_UNKNOWN ? 0 : -1;
  return are_apart(e, a, b) ? 0 : -1;
}

int rlx_value_is_same(const RlxEval *e, const RlxValue *a, const RlxValue *b) {
  int left = COMPARED_MAX;
  return compared(e, a, b, &left);
}
