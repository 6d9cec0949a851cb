/// Operators between values of a PrimFunc's script, as TVM 0.25 and 0.27 have them.
#include "analyzer/function/kinds.h"

#include <math.h>
#include <string.h>

#include "analyzer/symbolic/int_math.h"

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

static bool is_float(Kind a) {
  return a.tag == KIND_FLOAT || (kind_is_expr(a) && rlx_dtype_is_float(a.dtype));
}
static bool is_code(Kind a, RlxDTypeCode code) { return kind_is_expr(a) && a.dtype.code == code; }
static bool is_symbolic_bool(Kind a) { return is_code(a, RLX_DTYPE_BOOL); }
static bool is_handle(Kind a) { return is_code(a, RLX_DTYPE_HANDLE); }

static const char *op_text(RlxAstOp op) {
  switch ((int)op) {
  case RLX_OP_ADD: return "+";
  case RLX_OP_SUB: return "-";
  case RLX_OP_MUL: return "*";
  case RLX_OP_DIV: return "/";
  case RLX_OP_FLOORDIV: return "//";
  case RLX_OP_MOD: return "%";
  case RLX_OP_POW: return "**";
  case RLX_OP_MATMUL: return "@";
  case RLX_OP_SHL: return "<<";
  case RLX_OP_SHR: return ">>";
  case RLX_OP_BITAND: return "&";
  case RLX_OP_BITOR: return "|";
  case RLX_OP_BITXOR: return "^";
  case RLX_OP_INVERT: return "~";
  case RLX_OP_NEG: return "-";
  case RLX_OP_POS: return "+";
  case RLX_OP_NOT: return "not";
  case RLX_OP_LT: return "<";
  case RLX_OP_LE: return "<=";
  case RLX_OP_GT: return ">";
  case RLX_OP_GE: return ">=";
  case RLX_OP_EQ: return "==";
  case RLX_OP_NE: return "!=";
  default: return "the operator";
  }
}

/// A place for one value is computed with as its element.
static Kind element_of(Kind a) {
  return a.tag == KIND_OBJECT && a.object == SCALAR_OBJECT ? a.items[0] : a;
}

static Kind refuse(Kinds *k, int where, const RlxAst *ast, RlxAstOp op, Kind a, Kind b) {
  rlx_kind_refuse_text(k, where, ast->span,
                       rlx_arena_printf(k->arena, "`%s` does not take %s and %s", op_text(op),
                                        rlx_kind_text(k, a), rlx_kind_text(k, b)));
  return unknown();
}

static double as_real(Kind a) { return a.tag == KIND_FLOAT ? a.real : (double)a.number; }

static Kind python_bool(bool value) {
  Kind out = rlx_kind_of(KIND_BOOL);
  out.has_number = true;
  out.number = value;
  return out;
}

/// Whether `a op b` of two numbers of Python holds.
static Kind compared(RlxAstOp op, Kind a, Kind b) {
  if (!a.has_number || !b.has_number) return rlx_kind_of(KIND_BOOL);
  bool is_int = a.tag != KIND_FLOAT && b.tag != KIND_FLOAT;
  double x = as_real(a), y = as_real(b);
  bool is_less = is_int ? a.number < b.number : x < y,
       is_same = is_int ? a.number == b.number : x == y;
  switch ((int)op) {
  case RLX_OP_LT: return python_bool(is_less);
  case RLX_OP_LE: return python_bool(is_less || is_same);
  case RLX_OP_GT: return python_bool(is_int ? !is_less && !is_same : x > y);
  case RLX_OP_GE: return python_bool(is_int ? !is_less : x >= y);
  case RLX_OP_EQ: return python_bool(is_same);
  default: return python_bool(!is_same);
  }
}

static bool is_pythons(Kind a) {
  return a.tag != KIND_UNKNOWN && a.tag != KIND_EXPR && a.tag != KIND_REGION &&
         a.tag != KIND_BUFFER;
}

/// `x op y` of two small ints; false: it is not computed here.
static bool computed(RlxAstOp op, int64_t x, int64_t y, int64_t *out) {
  switch ((int)op) {
  case RLX_OP_ADD: *out = x + y; return true;
  case RLX_OP_SUB: *out = x - y; return true;
  case RLX_OP_MUL: *out = x * y; return true;
  case RLX_OP_FLOORDIV: return rlx_int_floordiv(x, y, out);
  case RLX_OP_MOD: return rlx_int_floormod(x, y, out);
  case RLX_OP_BITAND: *out = x & y; return true;
  case RLX_OP_BITOR: *out = x | y; return true;
  case RLX_OP_BITXOR: *out = x ^ y; return true;
  case RLX_OP_SHL: *out = x * ((int64_t)1 << (y & 31)); return y >= 0 && y < 32;
  case RLX_OP_SHR: return y >= 0 && y < 32 && rlx_int_floordiv(x, (int64_t)1 << y, out);
  case RLX_OP_POW: {
    int64_t power = 1;
    for (int64_t i = 0; i < y && y < 64; i++)
      if (__builtin_mul_overflow(power, x, &power)) return false;
    *out = power;
    return y >= 0 && y < 64;
  }
  default: return false;
  }
}

/// A float of Python, with its value where it is known.
static Kind of_reals(RlxAstOp op, Kind a, Kind b) {
  Kind out = rlx_kind_of(KIND_FLOAT);
  const double x = as_real(a), y = as_real(b);
  out.has_number = a.has_number && b.has_number;
  switch ((int)op) {
  case RLX_OP_ADD: out.real = x + y; break;
  case RLX_OP_SUB: out.real = x - y; break;
  case RLX_OP_MUL: out.real = x * y; break;
  case RLX_OP_DIV: out.real = y == 0 ? 0 : x / y; break;
  case RLX_OP_POW:
    out.real = x > 0 ? pow(x, y) : 0;
    out.has_number &= x > 0;
    break;
  default: out.has_number = false;
  }
  out.has_number &= isfinite(out.real) && out.real != 0;
  return out;
}

/// Of two numbers of Python.
static Kind of_numbers(Kinds *k, const RlxAst *ast, RlxAstOp op, Kind a, Kind b) {
  bool divides = op == RLX_OP_DIV || op == RLX_OP_FLOORDIV || op == RLX_OP_MOD;
  if (divides && b.has_number && as_real(b) == 0) {
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "division by zero");
    return unknown();
  }
  bool bitwise = op == RLX_OP_SHL || op == RLX_OP_SHR || op == RLX_OP_BITAND ||
                 op == RLX_OP_BITOR || op == RLX_OP_BITXOR;
  if ((bitwise && (is_float(a) || is_float(b))) || op == RLX_OP_MATMUL)
    return refuse(k, IN_BOTH, ast, op, a, b);
  if (op == RLX_OP_DIV || is_float(a) || is_float(b)) return of_reals(op, a, b);
  const bool may_be_float = op == RLX_OP_POW && (!b.has_number || b.number < 0);
  Kind out = rlx_kind_of(may_be_float ? KIND_UNKNOWN : KIND_INT);
  int64_t x = a.number, y = b.number, limit = (int64_t)1 << 30;
  bool small = a.has_number && b.has_number && x > -limit && x < limit && y > -limit && y < limit;
  if (small && !may_be_float) out.has_number = computed(op, x, y, &out.number);
  out.is_big = small && op == RLX_OP_POW && y > 0 && !out.has_number && (x > 1 || x < -1);
  return out;
}

static bool of_sequences(RlxAstOp op, Kind a, Kind b) {
  bool same = (a.tag == b.tag && (kind_is_list(a) || a.tag == KIND_STR));
  bool times = op == RLX_OP_MUL &&
               ((kind_is_list(a) || a.tag == KIND_STR) ? b.tag == KIND_INT : a.tag == KIND_INT);
  return (op == RLX_OP_ADD && same) || times || (op == RLX_OP_MOD && a.tag == KIND_STR);
}

/// The dtype that TVM converts both to.
static RlxDType matched(Kind a, Kind b) {
  if (!kind_is_expr(a) || !kind_is_expr(b)) {
    Kind e = kind_is_expr(a) ? a : b, n = kind_is_expr(a) ? b : a;
    bool is_narrow = e.dtype.code != RLX_DTYPE_UNKNOWN && !rlx_dtype_is_float(e.dtype);
    if (!rlx_dtype_known(e.dtype) || !kind_is_python_number(n)) return rlx_dtype_unknown();
    if (n.tag == KIND_FLOAT && is_narrow) return RLX_FLOAT32;
    if (n.tag == KIND_FLOAT || n.tag == KIND_BOOL) return e.dtype;
    if (is_narrow && e.dtype.bits && e.dtype.bits < 32) return RLX_INT32;
    return e.dtype;
  }
  if (!rlx_dtype_known(a.dtype) || !rlx_dtype_known(b.dtype)) return rlx_dtype_unknown();
  a.dtype.lanes = b.dtype.lanes = 1; // see widened
  if (rlx_dtype_equal(a.dtype, b.dtype)) return a.dtype;
  if (a.dtype.code == RLX_DTYPE_FLOAT && b.dtype.code == RLX_DTYPE_FLOAT)
    return a.dtype.bits > b.dtype.bits ? a.dtype : b.dtype;
  if (rlx_dtype_is_float(a.dtype) && !rlx_dtype_is_float(b.dtype)) return a.dtype;
  if (rlx_dtype_is_float(b.dtype) && !rlx_dtype_is_float(a.dtype)) return b.dtype;
  if (rlx_dtype_is_int(a.dtype) && rlx_dtype_is_bool(b.dtype)) return a.dtype;
  if (rlx_dtype_is_int(b.dtype) && rlx_dtype_is_bool(a.dtype)) return b.dtype;
  if (a.dtype.code == RLX_DTYPE_INT && b.dtype.code == RLX_DTYPE_INT &&
      (a.dtype.bits == 64 || b.dtype.bits == 64))
    return RLX_INT64;
  if (rlx_dtype_is_int(a.dtype) && rlx_dtype_is_int(b.dtype) && a.dtype.bits && b.dtype.bits)
    return rlx_dtype_promoted(a.dtype, b.dtype);
  if (rlx_dtype_is_int(a.dtype) && rlx_dtype_is_int(b.dtype))
    return rlx_dtype(RLX_DTYPE_INT, 0); // of some width and sign
  return rlx_dtype_unknown();
}

/// The lanes of the result: one element is repeated for a vector.
static RlxDType widened(RlxDType dtype, Kind a, Kind b) {
  uint16_t x = kind_is_expr(a) ? a.dtype.lanes : 1, y = kind_is_expr(b) ? b.dtype.lanes : 1;
  if (rlx_dtype_known(dtype) && x && y) dtype.lanes = x > y ? x : y;
  return dtype;
}

RlxDType rlx_kind_common_dtype(Kind a, Kind b) { return widened(matched(a, b), a, b); }

RlxDType rlx_kind_chosen(Kind a, Kind b) {
  if (kind_is_expr(a) || kind_is_expr(b)) return rlx_kind_common_dtype(a, b);
  const bool is_known =
      kind_is_python_number(a) && kind_is_python_number(b) && !a.is_big && !b.is_big;
  if (!is_known) return rlx_dtype_unknown();
  if (a.tag == KIND_BOOL && b.tag == KIND_BOOL) return RLX_BOOL;
  return a.tag == KIND_FLOAT || b.tag == KIND_FLOAT ? RLX_FLOAT32 : RLX_INT32;
}

/// Whether `x op number` is x for every integer x.
static bool is_neutral(RlxAstOp op, double number) {
  bool adds = op == RLX_OP_ADD || op == RLX_OP_SUB,
       times = op == RLX_OP_MUL || op == RLX_OP_FLOORDIV;
  return (adds && number == 0) || (times && number == 1);
}

static bool is_constant(Kind a) {
  return kind_is_python_number(a) || (kind_is_expr(a) && (a.is_constant || a.has_number));
}

bool rlx_kind_check_shift(Kinds *k, const RlxAst *ast, Kind value, Kind by) {
  const bool has_expr = kind_is_expr(value) || kind_is_expr(by);
  const RlxDType dtype = has_expr ? rlx_kind_common_dtype(value, by) : RLX_INT32;
  const bool is_unsigned = (kind_is_expr(value) && value.dtype.code == RLX_DTYPE_UINT) ||
                           (kind_is_expr(by) && by.dtype.code == RLX_DTYPE_UINT),
             is_folded = !is_unsigned && rlx_kind_is_folded(dtype) && by.has_number;
  const double bits = as_real(by);
  const bool is_small = bits < 0x1p31; // a wider one widens what is shifted
  if (!is_folded || !is_small || (bits >= 0 && bits < dtype.bits)) return false;
  rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                       "the shift is by as many bits as the value has, or more");
  return true;
}

/// Whether the operator takes integers alone.
static bool is_of_integers(RlxAstOp op) {
  return op == RLX_OP_FLOORDIV || op == RLX_OP_MOD || op == RLX_OP_SHL || op == RLX_OP_SHR ||
         op == RLX_OP_BITAND || op == RLX_OP_BITOR || op == RLX_OP_BITXOR;
}

/// Where one at least is an expression of TensorIR.
static Kind of_expressions(Kinds *k, const RlxAst *ast, RlxAstOp op, Kind a, Kind b) {
  rlx_kind_used(k, ast, a);
  rlx_kind_used(k, ast, b);
  if (op == RLX_OP_POW || op == RLX_OP_MATMUL) return refuse(k, IN_BOTH, ast, op, a, b);
  a = rlx_kind_as_value(k, ast, a);
  b = rlx_kind_as_value(k, ast, b);
  Kind other = kind_is_expr(a) ? b : a;
  if (other.tag == KIND_REGION) return refuse(k, IN_027, ast, op, a, b);
  if (other.tag == KIND_UNKNOWN) return unknown();
  const bool is_text = other.tag == KIND_STR && (is_handle(a) || is_handle(b));
  if (is_text) // a handle for 0.25, too
    return refuse(k, is_of_integers(op) ? IN_BOTH : IN_027, ast, op, a, b);
  if (!kind_is_expr(other) && !kind_is_python_number(other))
    return refuse(k, IN_BOTH, ast, op, a, b);
  if (kind_is_half_void(a, b) || kind_lanes_differ(a, b)) return refuse(k, IN_BOTH, ast, op, a, b);
  bool handles = is_handle(a) || is_handle(b);
  bool known = (!kind_is_expr(a) || rlx_dtype_known(a.dtype)) &&
               (!kind_is_expr(b) || rlx_dtype_known(b.dtype));
  if (handles && known && !(is_handle(a) && is_handle(b))) return refuse(k, IN_BOTH, ast, op, a, b);
  bool whole = op == RLX_OP_FLOORDIV || op == RLX_OP_MOD,
       shifts = op == RLX_OP_SHL || op == RLX_OP_SHR;
  if (handles && known) return refuse(k, is_of_integers(op) ? IN_BOTH : IN_027, ast, op, a, b);
  if (is_of_integers(op) && (is_float(a) || is_float(b))) return refuse(k, IN_BOTH, ast, op, a, b);
  if (shifts && b.tag == KIND_BOOL) return refuse(k, IN_BOTH, ast, op, a, b);
  if ((whole || shifts) && (is_symbolic_bool(a) || is_symbolic_bool(b)))
    return refuse(k, IN_BOTH, ast, op, a, b);
  if (whole && (a.tag == KIND_BOOL || b.tag == KIND_BOOL)) return refuse(k, IN_BOTH, ast, op, a, b);
  RlxDType common = rlx_kind_common_dtype(a, b);
  if (shifts && rlx_kind_check_shift(k, ast, a, b)) return unknown();
  RlxDType divided = common.bits ? common : b.dtype; // an axis is of some width
  const bool is_axis = rlx_dtype_is_int(common) && !common.bits && kind_is_python_number(b);
  bool is_folded = !whole || !rlx_dtype_known(common) || is_axis ||
                   rlx_kind_divides(divided, op == RLX_OP_FLOORDIV);
  if (b.has_number && rlx_dtype_known(common) && is_neutral(op, as_real(b)) && kind_is_expr(a) &&
      rlx_kind_is_folded(a.dtype) && rlx_dtype_equal(a.dtype, common))
    return a; // i + 0 is i
  if ((whole || op == RLX_OP_DIV) && is_folded && b.has_number && as_real(b) == 0) {
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "division by zero");
    return unknown();
  }
  Kind out = rlx_kind_expr(common);
  out.is_void = a.is_void && b.is_void;
  out.is_constant = is_constant(a) && is_constant(b);
  return out;
}

/// `a + b` of two lists whose items are known, or `a * 2` of one: the items; false: not known.
static bool joined(Kinds *k, RlxAstOp op, Kind a, Kind b, Kind *out) {
  enum { MOST = 64 };
  const bool is_sum = op == RLX_OP_ADD && kind_is_list(a) && a.tag == b.tag;
  const Kind list = kind_is_list(a) ? a : b, other = kind_is_list(a) ? b : a;
  const bool repeats = op == RLX_OP_MUL && kind_is_list(list) && other.tag == KIND_INT &&
                       other.has_number && other.number >= 0 && other.number < MOST;
  if ((!is_sum && !repeats) || a.is_array || b.is_array || list.count == KIND_MANY ||
      (is_sum && b.count == KIND_MANY))
    return false;
  const uint32_t rounds = is_sum ? 2 : (uint32_t)other.number;
  const uint64_t total = is_sum ? (uint64_t)a.count + b.count : (uint64_t)list.count * rounds;
  if (total > MOST) return false;
  Kind *items = rlx_arena_array(k->arena, Kind, total + 1);
  *out = rlx_kind_of((KindTag)list.tag);
  for (uint32_t round = 0; round < rounds; round++) {
    const Kind from = is_sum && round ? b : list;
    for (uint32_t i = 0; i < from.count; i++) items[out->count++] = from.items[i];
  }
  out->items = items;
  return true;
}

Kind rlx_kind_binary(Kinds *k, const RlxAst *ast, RlxAstOp op, Kind a, Kind b) {
  a = element_of(a);
  b = element_of(b);
  const bool has_place = a.tag != KIND_STR || !a.text || strchr(a.text, '%');
  if (op == RLX_OP_MOD && a.tag == KIND_STR && has_place) return rlx_kind_of(KIND_STR);
  if (op == RLX_OP_MOD && a.tag == KIND_STR && kind_is_expr(b)) { // a variable of 0.27 has items
    refuse(k, b.is_var ? IN_025 : IN_BOTH, ast, op, a, b);
    return rlx_kind_of(KIND_STR);
  }
  if (kind_is_expr(a) || kind_is_expr(b)) {
    const bool is_let_again = a.is_let_again || b.is_let_again;
    a.is_let_again = b.is_let_again = false;
    Kind out = of_expressions(k, ast, op, a, b);
    out.is_let_again = is_let_again;
    return out;
  }
  if (a.tag == KIND_UNKNOWN || b.tag == KIND_UNKNOWN) return unknown();
  if (kind_is_python_number(a) && kind_is_python_number(b)) return of_numbers(k, ast, op, a, b);
  if (op == RLX_OP_MOD && a.tag == KIND_STR && a.text && !strchr(a.text, '%'))
    return refuse(k, IN_BOTH, ast, op, a, b); // a format without a place for the value
  if (of_sequences(op, a, b)) {
    Kind out;
    if (joined(k, op, a, b, &out)) return out;
    out = rlx_kind_of(a.tag == KIND_INT ? (KindTag)b.tag : (KindTag)a.tag);
    out.count = KIND_MANY;
    return out;
  }
  if (a.tag == KIND_DICT && b.tag == KIND_DICT && op == RLX_OP_BITOR) return rlx_kind_of(KIND_DICT);
  return refuse(k, IN_BOTH, ast, op, a, b);
}

int rlx_kind_truth(Kind kind) {
  switch ((KindTag)kind.tag) {
  case KIND_NONE: return 0;
  case KIND_BOOL:
  case KIND_INT: return kind.has_number ? kind.number != 0 : -1;
  case KIND_FLOAT: return kind.has_number ? kind.real != 0 : -1;
  case KIND_STR: return kind.text ? kind.text[0] != 0 : -1;
  case KIND_LIST:
  case KIND_TUPLE: return kind.count == KIND_MANY ? -1 : kind.count != 0;
  case KIND_FUNCTION:
  case KIND_MODULE:
  case KIND_ANNOTATION:
  case KIND_BUFFER: // 0.27 does not ask
  case KIND_REGION: return 1;
  case KIND_UNKNOWN:
  case KIND_DICT:
  case KIND_SLICE:
  case KIND_EXPR:
  case KIND_FOR:
  case KIND_FRAME:
  case KIND_OBJECT:
  case KIND_OTHER: break;
  }
  return -1;
}

Kind rlx_kind_unary(Kinds *k, const RlxAst *ast, RlxAstOp op, Kind a) {
  if (op != RLX_OP_NOT) a = element_of(a);
  if (a.tag == KIND_REGION && op == RLX_OP_NOT) rlx_kind_refuse(k, IN_027, ast, a, "a condition");
  const bool is_part = a.tag == KIND_REGION && op == RLX_OP_NOT;
  if (a.tag == KIND_UNKNOWN || is_part) return unknown();
  if (kind_is_expr(a)) rlx_kind_used(k, ast, a);
  if (op == RLX_OP_NOT) {
    if (k->in_signature && a.has_number) return rlx_kind_of(KIND_BOOL); // Python's own
    if (kind_is_expr(a)) {
      if (rlx_dtype_known(a.dtype) && !rlx_dtype_is_bool(a.dtype))
        rlx_kind_refuse_text(
            k, IN_BOTH, ast->span,
            rlx_arena_printf(k->arena, "`not` takes a condition, not %s", rlx_kind_text(k, a)));
      return rlx_kind_expr(RLX_BOOL);
    }
    if (a.tag == KIND_BUFFER) rlx_kind_refuse(k, IN_027, ast, a, "a condition");
    return rlx_kind_truth(a) < 0 ? rlx_kind_of(KIND_BOOL) : python_bool(!rlx_kind_truth(a));
  }
  bool fits = kind_is_python_number(a) || kind_is_expr(a);
  if (op == RLX_OP_NEG)
    fits =
        fits && !is_handle(a) && !is_symbolic_bool(a) && !is_code(a, RLX_DTYPE_UINT) && !a.is_void;
  if (op == RLX_OP_INVERT) fits = fits && !is_float(a) && !is_handle(a);
  if (op == RLX_OP_POS && kind_is_expr(a)) fits = false;
  if (!fits) {
    rlx_kind_refuse_text(
        k, IN_BOTH, ast->span,
        rlx_arena_printf(k->arena, "`%s` does not take %s", op_text(op), rlx_kind_text(k, a)));
    return unknown();
  }
  if (kind_is_expr(a)) return rlx_kind_expr(a.dtype);
  Kind out = rlx_kind_of(a.tag == KIND_BOOL ? KIND_INT : a.tag);
  if (op == RLX_OP_NEG && a.has_number) {
    out.has_number = true;
    if (a.tag == KIND_FLOAT)
      out.real = -a.real;
    else
      out.number = a.number == INT64_MIN ? a.number : -a.number;
  }
  return out;
}

/// Whether two expressions are of different dtypes for certain: one element is repeated beside a vector.
static bool are_unlike(Kind a, Kind b) {
  if (!kind_is_expr(a) || !kind_is_expr(b) || !rlx_dtype_known(a.dtype) || !a.dtype.bits ||
      !rlx_dtype_known(b.dtype) || !b.dtype.bits || !a.dtype.lanes || !b.dtype.lanes)
    return false;
  if (a.dtype.lanes == 1) a.dtype.lanes = b.dtype.lanes;
  if (b.dtype.lanes == 1) b.dtype.lanes = a.dtype.lanes;
  return a.dtype.lanes == b.dtype.lanes && !rlx_dtype_equal(a.dtype, b.dtype);
}

Kind rlx_kind_compare(Kinds *k, const RlxAst *ast, RlxAstOp op, Kind a, Kind b) {
  bool is_order = op == RLX_OP_LT || op == RLX_OP_LE || op == RLX_OP_GT || op == RLX_OP_GE;
  bool is_equal = op == RLX_OP_EQ || op == RLX_OP_NE;
  if (!is_order && !is_equal) return rlx_kind_identity(k, ast, op, a, b);
  if (is_order) a = element_of(a), b = element_of(b);
  if (kind_is_expr(a) || kind_is_expr(b)) {
    Kind other = kind_is_expr(a) ? b : a, e = kind_is_expr(a) ? a : b;
    const bool is_wide = k->dialects == IN_025 && other.tag == KIND_FLOAT &&
                         rlx_dtype_is_float(e.dtype) && e.dtype.bits == 64;
    rlx_kind_used(k, ast, e);
    if (!is_wide) rlx_kind_used(k, ast, other);
    if (other.tag == KIND_REGION) return refuse(k, IN_027, ast, op, a, b);
    if (other.tag == KIND_UNKNOWN) return unknown();
    if (rlx_kind_is_no_value(other) || kind_is_half_void(a, b) || kind_lanes_differ(a, b))
      return refuse(k, IN_BOTH, ast, op, a, b);
    if (is_handle(e) && kind_is_python_number(other)) return refuse(k, IN_BOTH, ast, op, a, b);
    if (is_handle(e) || is_handle(other))
      rlx_kind_refuse(k, IN_027, ast, is_handle(e) ? e : other, "a number");
    bool known = rlx_dtype_known(e.dtype) && e.dtype.bits && e.dtype.lanes == 1;
    const bool is_flag = rlx_dtype_is_bool(e.dtype);
    if (known && other.tag == KIND_INT && (is_flag || rlx_dtype_is_int(e.dtype)) &&
        !rlx_kind_holds(
            e.dtype,
            other)) { // 0.27 widens the left side for an order, but makes no number below 0 unsigned
      const bool is_below = e.dtype.code == RLX_DTYPE_UINT && e.dtype.bits >= 32 &&
                            other.has_number && other.number < 0;
      return refuse(k, is_order && kind_is_expr(a) && !is_below ? IN_025 : IN_BOTH, ast, op, a, b);
    }
    if (known && rlx_dtype_is_float(e.dtype) && kind_is_python_number(other) &&
        !rlx_kind_holds(e.dtype, other)) // beyond a float16
      return refuse(k, IN_BOTH, ast, op, a, b);
    if (known && other.tag == KIND_FLOAT &&
        !rlx_dtype_is_float(e.dtype)) // 0.27 widens the right side
      return refuse(k, is_equal || a.tag == KIND_FLOAT ? IN_BOTH : IN_025, ast, op, a, b);
    if (are_unlike(e, other))
      return refuse(k, is_equal ? IN_BOTH : IN_025, ast, op, a, b); // 0.27 widens for an order
    Kind out = rlx_kind_expr(widened(RLX_BOOL, a, b));
    out.is_constant = is_constant(a) && is_constant(b);
    return out;
  }
  if (a.tag == KIND_UNKNOWN || b.tag == KIND_UNKNOWN) return unknown();
  if (kind_is_python_number(a) && kind_is_python_number(b)) return compared(op, a, b);
  if (is_equal && k->in_signature && (a.tag == KIND_BUFFER || b.tag == KIND_BUFFER))
    return rlx_kind_of(KIND_BOOL);                // whether it is the same object
  if (is_equal && is_pythons(a) && is_pythons(b)) // values of two types are never equal
    return a.tag == b.tag ? rlx_kind_of(KIND_BOOL) : python_bool(op == RLX_OP_NE);
  bool are_buffers = a.tag == KIND_BUFFER && b.tag == KIND_BUFFER,
       is_buffer = a.tag == KIND_BUFFER || b.tag == KIND_BUFFER;
  if (is_equal && is_buffer && k->dialects == IN_025) // whether it is the same object
    return are_buffers ? rlx_kind_of(KIND_BOOL) : python_bool(op == RLX_OP_NE);
  if (is_equal && is_buffer && (is_pythons(a) || is_pythons(b)))
    rlx_kind_refuse_text(k, IN_027, ast->span, "a buffer is compared with a number");
  if (is_equal && (a.tag == KIND_REGION || b.tag == KIND_REGION))
    return refuse(k, IN_027, ast, op, a, b);
  if (is_equal || (a.tag == b.tag && (kind_is_list(a) || a.tag == KIND_STR))) return unknown();
  return refuse(k, IN_BOTH, ast, op, a, b);
}

Kind rlx_kind_bool_op(Kinds *k, const RlxAst *ast, Kind a, Kind b) {
  if (k->in_signature) { // Python's: one of the two
    const int first = rlx_kind_truth(a);
    return first < 0 ? unknown() : first == (ast->op == RLX_OP_AND) ? b : a;
  }
  if (!kind_is_expr(a) && !kind_is_expr(b)) {
    if (a.tag == KIND_BUFFER || b.tag == KIND_BUFFER) // in 0.25 an object of Python like any other
      rlx_kind_refuse_text(k, IN_027, ast->span, "`and` and `or` take conditions, not a buffer");
    if (a.tag == KIND_OTHER && b.tag == KIND_OTHER) return b; // one of the two
    int truth = rlx_kind_truth(a);
    bool takes_first = (truth == 0) == (ast->op == RLX_OP_AND);
    bool are_bools = a.tag == KIND_BOOL && b.tag == KIND_BOOL;
    if (truth < 0) return are_bools ? rlx_kind_of(KIND_BOOL) : unknown();
    return takes_first ? a : b;
  }
  const Kind both[] = {a, b};
  for (int i = 0; i < 2; i++) {
    Kind one = both[i];
    rlx_kind_used(k, ast, one);
    if (one.tag == KIND_UNKNOWN || one.tag == KIND_BOOL) continue;
    bool is_condition = kind_is_expr(one) && (!rlx_dtype_known(one.dtype) ||
                                              rlx_dtype_is_bool(one.dtype) || one.dtype.lanes > 1);
    if (is_condition) continue;
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         rlx_arena_printf(k->arena, "`and` and `or` take conditions, not %s",
                                          rlx_kind_text(k, one)));
    return unknown();
  }
  return rlx_kind_expr(RLX_BOOL);
}
