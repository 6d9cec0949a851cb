/// Values of arithmetic on small arrays, element by element. Always true: an element is what numpy gives, to the last
/// bit; where that depends on numpy's release or on the machine (exp, sums of floats), where numbers of the dtype are not
/// held here (float16), or where numpy warns (a division by 0), the array has no values.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/arrays_impl.h"
#include "base/mem.h"

/// One element, as an integer or as a float; `is_known` false: none is known.
typedef struct Number {
  int64_t integer;
  double number;
  bool is_known;
} Number;

typedef struct Operation {
  const char *name; // numpy's
  Number (*integers)(int64_t a, int64_t b);
  Number (*floats)(double a, double b);
} Operation;

static Number integer(int64_t value) { return (Number){.integer = value, .is_known = true}; }
static Number number(double value) { return (Number){.number = value, .is_known = true}; }
static Number unknown(void) { return (Number){0}; }

/// Whether a float is none of the zeros.
static bool holds(double a) { return !(a <= 0 && a >= 0); }

// Overflow wraps in numpy; wrapped to the array's width by `stored`.
static Number add_i(int64_t a, int64_t b) { return integer((int64_t)((uint64_t)a + (uint64_t)b)); }
static Number sub_i(int64_t a, int64_t b) { return integer((int64_t)((uint64_t)a - (uint64_t)b)); }
static Number mul_i(int64_t a, int64_t b) { return integer((int64_t)((uint64_t)a * (uint64_t)b)); }
static Number add_f(double a, double b) { return number(a + b); }
static Number sub_f(double a, double b) { return number(a - b); }
static Number mul_f(double a, double b) { return number(a * b); }
static Number div_f(double a, double b) { return b < 0 || b > 0 ? number(a / b) : unknown(); }

static Number floor_div_i(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return unknown();
  return integer(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

static Number mod_i(int64_t a, int64_t b) {
  if (b == 0 || b == -1) return b ? integer(0) : unknown();
  const int64_t rest = a % b;
  return integer(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}

static Number pow_i(int64_t a, int64_t b) {
  uint64_t result = 1, base = (uint64_t)a;
  if (b < 0) return unknown();
  for (; b; b >>= 1, base *= base)
    if (b & 1) result *= base;
  return integer((int64_t)result);
}

static Number max_i(int64_t a, int64_t b) { return integer(a > b ? a : b); }
static Number min_i(int64_t a, int64_t b) { return integer(a < b ? a : b); }
// Which of two equal ones is taken shows in the sign of a zero alone, and depends on the machine.
static Number max_f(double a, double b) {
  return a > b ? number(a) : a < b || (a >= b && holds(a)) ? number(b) : unknown();
}
static Number min_f(double a, double b) {
  return a < b ? number(a) : a > b || (a >= b && holds(a)) ? number(b) : unknown();
}

static Number and_i(int64_t a, int64_t b) { return integer(a & b); }
static Number or_i(int64_t a, int64_t b) { return integer(a | b); }
static Number xor_i(int64_t a, int64_t b) { return integer(a ^ b); }

#define RLX_COMPARISON(name, op)                                                                   \
  static Number name##_i(int64_t a, int64_t b) { return integer(a op b); }                         \
  static Number name##_f(double a, double b) { return integer(a op b); }
RLX_COMPARISON(less, <)
RLX_COMPARISON(less_equal, <=)
RLX_COMPARISON(greater, >)
RLX_COMPARISON(greater_equal, >=)
#undef RLX_COMPARISON
static Number equal_i(int64_t a, int64_t b) { return integer(a == b); }
static Number not_equal_i(int64_t a, int64_t b) { return integer(a != b); }
static Number equal_f(double a, double b) { return integer(a <= b && a >= b); }
static Number not_equal_f(double a, double b) { return integer(!(a <= b && a >= b)); }
static Number both_i(int64_t a, int64_t b) { return integer(a && b); }
static Number either_i(int64_t a, int64_t b) { return integer(a || b); }
static Number one_of_i(int64_t a, int64_t b) { return integer(!a != !b); }
static Number both_f(double a, double b) { return integer(holds(a) && holds(b)); }
static Number either_f(double a, double b) { return integer(holds(a) || holds(b)); }
static Number one_of_f(double a, double b) { return integer(holds(a) != holds(b)); }

// Of one operand: the second is not looked at.
#define RLX_OF_ONE(name, type, value)                                                              \
  static Number name(type a, type b) {                                                             \
    (void)b;                                                                                       \
    return value;                                                                                  \
  }
RLX_OF_ONE(abs_i, int64_t, integer(a < 0 ? (int64_t)-(uint64_t)a : a))
RLX_OF_ONE(neg_i, int64_t, integer((int64_t)-(uint64_t)a))
RLX_OF_ONE(same_i, int64_t, integer(a))
RLX_OF_ONE(square_i, int64_t, mul_i(a, a))
RLX_OF_ONE(sign_i, int64_t, integer((a > 0) - (a < 0)))
RLX_OF_ONE(not_i, int64_t, integer(!a))
RLX_OF_ONE(abs_f, double, number(fabs(a)))
RLX_OF_ONE(neg_f, double, number(-a))
RLX_OF_ONE(same_f, double, number(a))
RLX_OF_ONE(square_f, double, number(a *a))
RLX_OF_ONE(sign_f, double, number((a > 0) - (a < 0)))
RLX_OF_ONE(floor_f, double, number(floor(a)))
RLX_OF_ONE(ceil_f, double, number(ceil(a)))
RLX_OF_ONE(trunc_f, double, number(trunc(a)))
RLX_OF_ONE(rint_f, double, number(nearbyint(a)))
RLX_OF_ONE(sqrt_f, double, a >= 0 ? number(sqrt(a)) : unknown())
RLX_OF_ONE(not_f, double, integer(!holds(a)))
#undef RLX_OF_ONE

static const Operation operations[] = {
    {"add", add_i, add_f},
    {"subtract", sub_i, sub_f},
    {"multiply", mul_i, mul_f},
    {"divide", NULL, div_f},
    {"true_divide", NULL, div_f},
    {"floor_divide", floor_div_i, NULL},
    {"mod", mod_i, NULL},
    {"remainder", mod_i, NULL},
    {"power", pow_i, NULL},
    {"maximum", max_i, max_f},
    {"minimum", min_i, min_f},
    {"fmax", max_i, max_f},
    {"fmin", min_i, min_f},
    {"bitwise_and", and_i, NULL},
    {"bitwise_or", or_i, NULL},
    {"bitwise_xor", xor_i, NULL},
    {"equal", equal_i, equal_f},
    {"not_equal", not_equal_i, not_equal_f},
    {"less", less_i, less_f},
    {"less_equal", less_equal_i, less_equal_f},
    {"greater", greater_i, greater_f},
    {"greater_equal", greater_equal_i, greater_equal_f},
    {"logical_and", both_i, both_f},
    {"logical_or", either_i, either_f},
    {"logical_xor", one_of_i, one_of_f},
    {"abs", abs_i, abs_f},
    {"absolute", abs_i, abs_f},
    {"negative", neg_i, neg_f},
    {"positive", same_i, same_f},
    {"square", square_i, square_f},
    {"sign", sign_i, sign_f},
    {"floor", NULL, floor_f},
    {"ceil", NULL, ceil_f},
    {"trunc", NULL, trunc_f},
    {"rint", NULL, rint_f},
    {"sqrt", NULL, sqrt_f},
    {"logical_not", not_i, not_f},
};

static const Operation *operation_named(const char *name) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (strcmp(operations[i].name, name) == 0) return &operations[i];
  return NULL;
}

/// Whether numbers of the dtype are held here as they are: bool, ints up to 64 bits, float32 and float64.
static bool is_held(RlxDType t) {
  if (t.lanes > 1) return false;
  if (rlx_dtype_is_bool(t)) return true;
  if (t.code == RLX_DTYPE_FLOAT) return t.bits == 32 || t.bits == 64;
  return (t.code == RLX_DTYPE_INT && t.bits <= 64) || (t.code == RLX_DTYPE_UINT && t.bits <= 32);
}

/// An integer as an array of this dtype keeps it.
static int64_t wrapped(int64_t value, RlxDType t) {
  if (rlx_dtype_is_bool(t)) return value != 0;
  if (t.bits == 64) return value;
  const uint64_t mask = (UINT64_C(1) << t.bits) - 1, bits = (uint64_t)value & mask;
  const bool is_negative = t.code == RLX_DTYPE_INT && bits >> (t.bits - 1);
  return (int64_t)(is_negative ? bits | ~mask : bits);
}

/// Element `i` as an array of dtype `t` keeps it. What R.const and astype leave as it was written is rounded here.
static Number stored(const RlxNumbers *numbers, uint32_t i, RlxDType t) {
  const bool is_float = t.code == RLX_DTYPE_FLOAT;
  if (numbers->kind == RLX_VALUE_FLOAT) {
    const double value = numbers->floats[i];
    if (is_float) return number(t.bits == 32 ? (double)(float)value : value);
    if (rlx_dtype_is_bool(t)) return integer(holds(value));
    if (!(value > -0x1p63 && value < 0x1p63)) return unknown();
    const int64_t whole = (int64_t)value;
    return wrapped(whole, t) == whole ? integer(whole) : unknown();
  }
  const int64_t value = numbers->integers[i];
  if (!is_float) return integer(wrapped(value, t));
  return number(t.bits == 32 ? (double)(float)value : (double)value);
}

/// `x`, an element of dtype `from`, as the operand of an operation that is done in `t`.
static Number as(Number x, RlxDType from, RlxDType t) {
  if (t.code != RLX_DTYPE_FLOAT) return x;
  if (from.code != RLX_DTYPE_FLOAT) x.number = (double)x.integer;
  if (t.bits == 32)
    x.number = from.code == RLX_DTYPE_FLOAT ? (double)(float)x.number : (double)(float)x.integer;
  return x;
}

/// Puts a result of dtype `t` at place `i`; false: it is not known.
static bool put(RlxNumbers *out, uint32_t i, Number x, RlxDType t) {
  if (!x.is_known) return false;
  if (out->kind == RLX_VALUE_FLOAT) {
    out->floats[i] = t.bits == 32 ? (double)(float)x.number : x.number;
    return isfinite(out->floats[i]);
  }
  out->integers[i] = wrapped(x.integer, t);
  return true;
}

static RlxValueKind kind_of(RlxDType t) {
  return rlx_dtype_is_bool(t)        ? RLX_VALUE_BOOL
         : t.code == RLX_DTYPE_FLOAT ? RLX_VALUE_FLOAT
                                     : RLX_VALUE_INT;
}

/// How far apart the elements of `a` lie for neighbours along each axis of `out`, to which it broadcasts.
static void ways_of(const RlxArray *a, const RlxArray *out, int64_t *ways) {
  int64_t stride = 1;
  for (int i = 1; i <= out->ndim; i++) {
    const int64_t dim = i <= a->ndim ? a->dims[a->ndim - i] : 1;
    ways[out->ndim - i] = dim > 1 ? stride : 0;
    stride *= dim;
  }
}

static uint32_t place(const RlxArray *out, uint32_t i, const int64_t *ways) {
  int64_t left = i, at = 0;
  for (int k = out->ndim; k-- > 0; left /= out->dims[k]) at += left % out->dims[k] * ways[k];
  return (uint32_t)at;
}

void rlx_array_compute(RlxEval *e, const char *name, RlxArray *out, RlxDType in, const RlxArray *a,
                       const RlxArray *b) {
  const Operation *op = operation_named(name);
  const RlxNumbers *x = NULL, *y = NULL;
  RlxNumbers *result = NULL;
  if (op && rlx_dtype_known(in) && is_held(in) && rlx_dtype_known(out->dtype) &&
      is_held(out->dtype) && is_held(a->dtype) && is_held(b->dtype) &&
      (in.code == RLX_DTYPE_FLOAT ? op->floats != NULL : op->integers != NULL)) {
    x = rlx_array_numbers(e, a);
    y = x ? rlx_array_numbers(e, b) : NULL;
    result = y ? rlx_array_room(e, out, kind_of(out->dtype)) : NULL;
  }
  int64_t at_a[RLX_ARRAY_DIMS_MAX], at_b[RLX_ARRAY_DIMS_MAX];
  ways_of(a, out, at_a);
  ways_of(b, out, at_b);
  for (uint32_t i = 0; result && i < result->count; i++) {
    Number left = as(stored(x, place(out, i, at_a), a->dtype), a->dtype, in);
    Number right = as(stored(y, place(out, i, at_b), b->dtype), b->dtype, in);
    Number value = unknown();
    if (left.is_known && right.is_known)
      value = kind_of(in) == RLX_VALUE_FLOAT ? op->floats(left.number, right.number)
                                             : op->integers(left.integer, right.integer);
    if (!put(result, i, value, out->dtype)) result = NULL;
  }
  rlx_array_fill(e, out, result);
}

/// An element of dtype `from` as numpy.astype gives it in `to`; not known where that is the machine's affair: a float that
/// the integers of `to` do not hold.
static Number cast(Number x, RlxDType from, RlxDType to) {
  if (from.code != RLX_DTYPE_FLOAT || to.code == RLX_DTYPE_FLOAT) return as(x, from, to);
  if (rlx_dtype_is_bool(to)) return integer(holds(x.number));
  if (!(x.number > -0x1p53 && x.number < 0x1p53)) return unknown();
  const int64_t whole = (int64_t)x.number;
  return wrapped(whole, to) == whole ? integer(whole) : unknown();
}

/// Whether what is held of an array of dtype `from` says the same of one of dtype `to`: it is rounded where it is read.
static bool is_kept(const RlxNumbers *x, RlxDType from, RlxDType to) {
  const bool is_float = to.code == RLX_DTYPE_FLOAT;
  if (x->kind == RLX_VALUE_FLOAT)
    return is_float && from.code == RLX_DTYPE_FLOAT && to.bits <= from.bits;
  for (uint32_t i = 0; i < x->count; i++) {
    const int64_t value = x->integers[i];
    if (is_float ? value > 1 << 24 || value < -(1 << 24) : wrapped(value, to) != value)
      return false;
  }
  return from.code != RLX_DTYPE_FLOAT || is_float;
}

void rlx_array_convert(RlxEval *e, RlxArray *a, RlxDType to) {
  const RlxDType from = a->dtype;
  a->dtype = to;
  if (rlx_dtype_equal(from, to) || !a->data) return;
  const bool is_known = rlx_dtype_known(from) && is_held(from) && rlx_dtype_known(to);
  const RlxDType held = is_held(to) ? to : RLX_FLOAT64; // rounded when the constant is made
  const RlxNumbers *x = is_known ? rlx_array_numbers(e, a) : NULL;
  if (x && is_kept(x, from, held)) return;
  RlxNumbers *result = x ? rlx_array_room(e, a, kind_of(held)) : NULL;
  for (uint32_t i = 0; result && i < result->count; i++)
    if (!put(result, i, cast(stored(x, i, from), from, held), held)) result = NULL;
  rlx_array_fill(e, a, result);
}

bool rlx_array_put(RlxEval *e, RlxNumbers *room, const RlxArray *out, const RlxArray *piece,
                   int64_t from) {
  int64_t ways[RLX_ARRAY_DIMS_MAX], stride = 1;
  const RlxNumbers *x =
      rlx_dtype_known(piece->dtype) && is_held(piece->dtype) ? rlx_array_numbers(e, piece) : NULL;
  for (int i = out->ndim; i-- > 0; stride *= out->dims[i]) ways[i] = stride;
  for (uint32_t i = 0; x && i < x->count; i++) {
    const Number value = as(stored(x, i, piece->dtype), piece->dtype, out->dtype);
    if (!put(room, (uint32_t)from + place(piece, i, ways), value, out->dtype)) return false;
  }
  return x != NULL;
}

// ---- reductions

/// What goes over the elements of a reduction, in order.
typedef struct Total {
  const char *name; // numpy's
  const char *each; // numpy's function of what was so far and the next element
  bool is_mean, is_truth;
  bool takes_floats; // whose result does not depend on the order
} Total;

static const Total totals[] = {
    {"sum", "add", false, false, false},       {"mean", "add", true, false, false},
    {"prod", "multiply", false, false, false}, {"max", "maximum", false, false, true},
    {"amax", "maximum", false, false, true},   {"min", "minimum", false, false, true},
    {"amin", "minimum", false, false, true},   {"any", "logical_or", false, true, true},
    {"all", "logical_and", false, true, true},
};

static const Total *total_named(const char *name) {
  for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
    if (strcmp(totals[i].name, name) == 0) return &totals[i];
  return NULL;
}

void rlx_array_reduce(RlxEval *e, const char *name, RlxArray *out, const RlxArray *a,
                      const bool *goes) {
  const Total *total = total_named(name);
  const Operation *each = total ? operation_named(total->each) : NULL;
  const bool is_mean = total && total->is_mean, is_truth = total && total->is_truth;
  int64_t ways[RLX_ARRAY_DIMS_MAX], stride = 1, size = rlx_array_size(a);
  const bool is_float = a->dtype.code == RLX_DTYPE_FLOAT;
  const bool is_exact = each && (!is_float || total->takes_floats);
  const RlxNumbers *x = is_exact && rlx_dtype_known(a->dtype) && is_held(a->dtype) &&
                                rlx_dtype_known(out->dtype) && is_held(out->dtype) && size > 0
                            ? rlx_array_numbers(e, a)
                            : NULL;
  RlxNumbers *result = x ? rlx_array_room(e, out, kind_of(out->dtype)) : NULL;
  bool *has = result ? rlx_mem_zeroed(result->count + 1, sizeof *has) : NULL;
  for (int i = a->ndim; i-- > 0;) {
    ways[i] = goes[i] ? 0 : stride;
    if (!goes[i]) stride *= a->dims[i];
  }
  const RlxDType in = is_mean ? RLX_INT64 : is_truth ? RLX_BOOL : out->dtype;
  for (uint32_t i = 0; result && i < x->count; i++) {
    const uint32_t at = place(a, i, ways);
    Number value = stored(x, i, a->dtype);
    if (is_truth && value.is_known)
      value = integer(is_float ? holds(value.number) : value.integer != 0);
    if (has[at] && value.is_known)
      value = is_float && !is_truth ? each->floats(result->floats[at], value.number)
                                    : each->integers(result->integers[at], value.integer);
    has[at] = true;
    const bool ok = is_mean ? (result->integers[at] = value.integer, value.is_known)
                            : put(result, at, value, in);
    if (!ok) result = NULL;
  }
  free(has);
  const int64_t count = stride ? size / stride : 1;
  for (uint32_t i = 0; is_mean && result && i < result->count; i++) {
    const int64_t sum = result->integers[i];
    if (sum > INT64_C(1) << 52 || sum < -(INT64_C(1) << 52)) {
      result = NULL;
      break;
    }
    result->floats[i] = (double)sum / (double)count;
  }
  rlx_array_fill(e, out, result);
}
