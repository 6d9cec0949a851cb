/// Elementwise operators, and those of two or more operands with broadcasting: a row each.
#include <math.h>
#include <string.h>

#include "analyzer/ops/op_ids.h"
#include "jit/legalize/compute.h"

// ------------------------------------------------------------------ one operand

typedef RlxE Unary(RlxCompute *c, RlxE x);

static RlxE num_like(RlxCompute *c, RlxE x, double value) { return rlx_num(c, value, x->dtype); }

/// x * 0.5 * (1 + erf(x / sqrt 2))
static RlxE gelu(RlxCompute *c, RlxE x) {
  RlxE half = rlx_mul(c, x, num_like(c, x, 0.5)),
       e = rlx_call1(c, "erf", rlx_mul(c, x, num_like(c, x, 0.70710678118654752440)));
  return rlx_mul(c, half, rlx_add(c, num_like(c, x, 1), e));
}

static RlxE gelu_tanh(RlxCompute *c, RlxE x) {
  RlxE cube = rlx_mul(c, rlx_mul(c, x, x), x);
  RlxE inner = rlx_mul(c, num_like(c, x, 0.79788456080286535588),
                       rlx_add(c, x, rlx_mul(c, num_like(c, x, 0.044715), cube)));
  return rlx_mul(c, rlx_mul(c, x, num_like(c, x, 0.5)),
                 rlx_add(c, num_like(c, x, 1), rlx_call1(c, "tanh", inner)));
}

static RlxE relu(RlxCompute *c, RlxE x) { return rlx_op(c, RLX_TIR_MAX, x, num_like(c, x, 0)); }
static RlxE relu6(RlxCompute *c, RlxE x) {
  return rlx_op(c, RLX_TIR_MIN, relu(c, x), num_like(c, x, 6));
}
static RlxE silu(RlxCompute *c, RlxE x) { return rlx_mul(c, x, rlx_call1(c, "sigmoid", x)); }
static RlxE negative(RlxCompute *c, RlxE x) { return rlx_mul(c, x, num_like(c, x, -1)); }
static RlxE square(RlxCompute *c, RlxE x) { return rlx_mul(c, x, x); }

static RlxE selu(RlxCompute *c, RlxE x) {
  double alpha = 1.6732632423543772, scale = 1.0507009873554805;
  RlxE grown =
      rlx_mul(c, num_like(c, x, alpha), rlx_sub(c, rlx_call1(c, "exp", x), num_like(c, x, 1)));
  return rlx_mul(c, num_like(c, x, scale),
                 rlx_pick(c, rlx_op(c, RLX_TIR_GT, x, num_like(c, x, 0)), x, grown));
}

static RlxE sign(RlxCompute *c, RlxE x) {
  RlxE zero = num_like(c, x, 0); // what is neither below nor above stays: zeros, NaN
  return rlx_pick(c, rlx_lt(c, x, zero), num_like(c, x, -1),
                  rlx_pick(c, rlx_op(c, RLX_TIR_GT, x, zero), num_like(c, x, 1), x));
}

static RlxE absolute(RlxCompute *c, RlxE x) {
  if (rlx_dtype_is_float(x->dtype)) return rlx_call1(c, "fabs", x);
  if (x->dtype.code != RLX_DTYPE_INT) return x;
  return rlx_pick(c, rlx_lt(c, x, num_like(c, x, 0)), rlx_sub(c, num_like(c, x, 0), x), x);
}

static RlxE bitwise_not(RlxCompute *c, RlxE x) {
  return rlx_tir_unary(c->f, rlx_dtype_is_bool(x->dtype) ? RLX_TIR_NOT : RLX_TIR_BITNOT, x);
}
static RlxE logical_not(RlxCompute *c, RlxE x) {
  return rlx_tir_unary(c->f, RLX_TIR_NOT, rlx_as(c, RLX_BOOL, x));
}

static RlxE leakyrelu(RlxCompute *c, RlxE x) {
  RlxE alpha = num_like(c, x, rlx_float_of(c, "alpha", 0.01));
  return rlx_pick(c, rlx_op(c, RLX_TIR_GT, x, num_like(c, x, 0)), x, rlx_mul(c, x, alpha));
}

/// log(1 + exp(beta x)) / beta, linear above the threshold.
static RlxE softplus(RlxCompute *c, RlxE x) {
  RlxE beta = num_like(c, x, rlx_float_of(c, "beta", 1)), bx = rlx_mul(c, x, beta),
       limit = num_like(c, x, rlx_float_of(c, "threshold", 20));
  RlxE soft =
      rlx_op(c, RLX_TIR_DIV,
             rlx_call1(c, "log1p", rlx_call1(c, "exp", rlx_op(c, RLX_TIR_MIN, bx, limit))), beta);
  return rlx_pick(c, rlx_op(c, RLX_TIR_GT, bx, limit), x, soft);
}

/// A bound of R.clip; one that an integer dtype cannot hold is its nearest value, which changes no
/// result.
static RlxE clip_bound(RlxCompute *c, const char *name, RlxDType t) {
  const RlxValue *v = rlx_value_of(c, name);
  if (rlx_dtype_is_float(t) || !v || (v->kind != RLX_VALUE_INT && v->kind != RLX_VALUE_FLOAT))
    return rlx_scalar_of(c, name, t, 0);
  RlxE low = rlx_lowest(c, t), high = rlx_highest(c, t);
  double number = v->kind == RLX_VALUE_INT ? (double)v->integer : v->number;
  bool is_unsigned = t.code != RLX_DTYPE_INT;
  double top = is_unsigned && t.bits == 64 ? 0x1p64 : (double)high->integer;
  if (number <= (double)low->integer) return low;
  return number >= top ? high : rlx_scalar_of(c, name, t, 0);
}

static RlxE clip(RlxCompute *c, RlxE x) {
  RlxE low = clip_bound(c, "min", x->dtype), high = clip_bound(c, "max", x->dtype);
  return rlx_op(c, RLX_TIR_MAX, rlx_op(c, RLX_TIR_MIN, x, high), low);
}

typedef struct UnaryRow {
  RlxOpId op;
  const char *intrinsic; ///< or NULL
  Unary *fn;
} UnaryRow;

static const UnaryRow unary_rows[] = {
    {RLX_OPID_abs, NULL, absolute},
    {RLX_OPID_acos, "acos", NULL},
    {RLX_OPID_acosh, "acosh", NULL},
    {RLX_OPID_asin, "asin", NULL},
    {RLX_OPID_asinh, "asinh", NULL},
    {RLX_OPID_atan, "atan", NULL},
    {RLX_OPID_atanh, "atanh", NULL},
    {RLX_OPID_bitwise_not, NULL, bitwise_not},
    {RLX_OPID_ceil, "ceil", NULL},
    {RLX_OPID_clip, NULL, clip},
    {RLX_OPID_cos, "cos", NULL},
    {RLX_OPID_cosh, "cosh", NULL},
    {RLX_OPID_erf, "erf", NULL},
    {RLX_OPID_exp, "exp", NULL},
    {RLX_OPID_floor, "floor", NULL},
    {RLX_OPID_isfinite, "isfinite", NULL},
    {RLX_OPID_isinf, "isinf", NULL},
    {RLX_OPID_isnan, "isnan", NULL},
    {RLX_OPID_log, "log", NULL},
    {RLX_OPID_logical_not, NULL, logical_not},
    {RLX_OPID_negative, NULL, negative},
    {RLX_OPID_nn_gelu, NULL, gelu},
    {RLX_OPID_nn_gelu_tanh, NULL, gelu_tanh},
    {RLX_OPID_nn_leakyrelu, NULL, leakyrelu},
    {RLX_OPID_nn_relu, NULL, relu},
    {RLX_OPID_nn_relu6, NULL, relu6},
    {RLX_OPID_nn_selu, NULL, selu},
    {RLX_OPID_nn_silu, NULL, silu},
    {RLX_OPID_nn_softplus, NULL, softplus},
    {RLX_OPID_round, "round", NULL},
    {RLX_OPID_rsqrt, "rsqrt", NULL},
    {RLX_OPID_sigmoid, "sigmoid", NULL},
    {RLX_OPID_sign, NULL, sign},
    {RLX_OPID_sin, "sin", NULL},
    {RLX_OPID_sinh, "sinh", NULL},
    {RLX_OPID_sqrt, "sqrt", NULL},
    {RLX_OPID_square, NULL, square},
    {RLX_OPID_tan, "tan", NULL},
    {RLX_OPID_tanh, "tanh", NULL},
    {RLX_OPID_trunc, "trunc", NULL},
};

/// Rounding leaves integers as they are; other functions of integers are computed in float.
static bool keeps_integers(RlxOpId op) {
  return op == RLX_OPID_ceil || op == RLX_OPID_floor || op == RLX_OPID_round ||
         op == RLX_OPID_trunc;
}

static RlxE unary_value(RlxCompute *c, RlxE *index, void *data) {
  const UnaryRow *row = data;
  RlxE x = rlx_at(c, &c->operands[0], index);
  RlxDType out = c->outputs[0].dtype;
  bool is_float = rlx_dtype_is_float(x->dtype);
  if (!is_float && row->intrinsic) {
    if (keeps_integers(row->op)) return x;
    if (!strncmp(row->intrinsic, "is", 2))
      return rlx_num(c, !strcmp(row->intrinsic, "isfinite"), RLX_BOOL);
    x = rlx_as(c, rlx_dtype_is_float(out) ? rlx_wide(out) : RLX_FLOAT64, x);
  }
  x = rlx_as(c, rlx_wide(x->dtype), x);
  return row->intrinsic ? rlx_call1(c, row->intrinsic, x) : row->fn(c, x);
}

// ------------------------------------------------------------------ quantisation, bucketize, fma

/// Element of a scale or zero point for an output place: the only one, or the axis's.
static RlxE per_channel(RlxCompute *c, const RlxOperand *x, RlxE *index, int axis) {
  RlxE own[RLX_MAX_NDIM];
  bool single = true;
  for (int i = 0; i < x->ndim; i++) {
    single = single && x->shape[i]->kind == RLX_TIR_INT && x->shape[i]->integer == 1;
    own[i] = rlx_i(c, 0);
  }
  if (!single && x->ndim > 1)
    rlx_refuse(c, "a scale or zero point of rank %d has more than one element", x->ndim);
  else if (!single)
    own[0] = index[axis];
  return rlx_at(c, x, own);
}

/// The dtype that two numbers are brought to: the wider float, the float beside an integer, int32.
static RlxDType common_dtype(RlxDType a, RlxDType b) {
  bool floats[2] = {rlx_dtype_is_float(a), rlx_dtype_is_float(b)};
  if (floats[0] && floats[1]) return a.bits < b.bits ? b : a;
  return floats[0] ? a : floats[1] ? b : RLX_INT32;
}

/// `a op b` in their common dtype.
static RlxE in_common(RlxCompute *c, RlxTirExprKind op, RlxE a, RlxE b) {
  RlxDType t = common_dtype(a->dtype, b->dtype);
  return rlx_op(c, op, rlx_as(c, t, a), rlx_as(c, t, b));
}

/// `x` between the least and the greatest finite number of dtype `t`.
static RlxE clamped(RlxCompute *c, RlxE x, RlxDType t) {
  RlxE low = rlx_lowest(c, t), high = rlx_highest(c, t);
  if (rlx_dtype_is_float(t)) {
    double most = t.code == RLX_DTYPE_BFLOAT        ? 0x1.fep127
                  : t.bits == 16                    ? 65504
                  : t.code == RLX_DTYPE_FLOAT8_E5M2 ? 57344
                                                    : 448;
    low = rlx_num(c, -most, x->dtype);
    high = rlx_num(c, most, x->dtype);
  }
  return in_common(c, RLX_TIR_MAX, in_common(c, RLX_TIR_MIN, x, high), low);
}

/// clip(round(data / scale) + zero_point), each step in the operands' common dtype; of a float
/// nothing is rounded. Source: TVM v0.25 legalize_ops/qdq.py.
static RlxE quantize_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  int axis = rlx_axis(rlx_int_of(c, "axis", -1), c->outputs[0].ndim);
  RlxDType t = c->outputs[0].dtype;
  RlxE q = in_common(c, RLX_TIR_DIV, rlx_at(c, &c->operands[0], index),
                     per_channel(c, &c->operands[1], index, axis));
  if (!rlx_dtype_is_float(t)) q = rlx_call1(c, "round", q);
  q = in_common(c, RLX_TIR_ADD, q, per_channel(c, &c->operands[2], index, axis));
  return clamped(c, q, t);
}

/// (data - zero_point) * scale: data as int32 or float32, the product in float32; float16 is
/// clipped. Source as above.
static RlxE dequantize_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  int axis = rlx_axis(rlx_int_of(c, "axis", -1), c->outputs[0].ndim);
  RlxE x = rlx_at(c, &c->operands[0], index);
  x = rlx_as(c, rlx_dtype_is_float(x->dtype) ? RLX_FLOAT32 : RLX_INT32, x);
  RlxE difference = in_common(c, RLX_TIR_SUB, x, per_channel(c, &c->operands[2], index, axis));
  RlxE scale = rlx_as(c, RLX_FLOAT32, per_channel(c, &c->operands[1], index, axis));
  RlxE value = rlx_mul(c, rlx_as(c, RLX_FLOAT32, difference), scale);
  RlxDType t = c->outputs[0].dtype;
  return t.bits == 32 ? value : clamped(c, value, t);
}

static RlxE fma_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  RlxE a = rlx_at(c, &c->operands[0], index), b = rlx_at(c, &c->operands[1], index),
       d = rlx_at(c, &c->operands[2], index);
  return rlx_add(c, rlx_mul(c, a, b), d);
}

/// How many boundaries are below (or not above) the value: a sum over them.
static RlxE bucket_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  bool right = *(bool *)data;
  RlxE x = rlx_at(c, &c->operands[0], s),
       bound = rlx_as(c, x->dtype, rlx_at(c, &c->operands[1], r));
  return rlx_as(c, c->outputs[0].dtype, rlx_op(c, right ? RLX_TIR_LE : RLX_TIR_LT, bound, x));
}

bool rlx_legalize_elementwise(RlxCompute *c) {
  RlxOpId op = c->call->row->id;
  if (op == RLX_OPID_bucketize) {
    bool right = rlx_bool_of(c, "right", false);
    rlx_reduce(c, &c->outputs[0], c->operands[1].shape, 1, RLX_TIR_ADD,
               rlx_num(c, 0, c->outputs[0].dtype), bucket_term, &right);
    return true;
  }
  c->result->kind = RLX_KERNEL_ELEMENTWISE;
  for (size_t i = 0; i < sizeof unary_rows / sizeof *unary_rows; i++) {
    if (unary_rows[i].op != op) continue;
    UnaryRow row = unary_rows[i];
    rlx_compute(c, &c->outputs[0], unary_value, &row);
    return true;
  }
  if (op == RLX_OPID_quantize)
    rlx_compute(c, &c->outputs[0], quantize_value, NULL);
  else if (op == RLX_OPID_dequantize)
    rlx_compute(c, &c->outputs[0], dequantize_value, NULL);
  else if (op == RLX_OPID_ewise_fma)
    rlx_compute(c, &c->outputs[0], fma_value, NULL);
  else
    return rlx_refuse(c, "R.%s has no elementwise recipe", c->call->row->script);
  return true;
}

// ------------------------------------------------------------------ two operands

static RlxE divide(RlxCompute *c, RlxE a, RlxE b) {
  return rlx_op(c, rlx_dtype_is_float(a->dtype) ? RLX_TIR_DIV : RLX_TIR_TRUNCDIV, a, b);
}

static RlxE floor_divide(RlxCompute *c, RlxE a, RlxE b) {
  return rlx_dtype_is_float(a->dtype) ? rlx_call1(c, "floor", rlx_op(c, RLX_TIR_DIV, a, b))
                                      : rlx_fdiv(c, a, b);
}

static RlxE floor_mod(RlxCompute *c, RlxE a, RlxE b) {
  return rlx_dtype_is_float(a->dtype)
             ? rlx_sub(c, a, rlx_mul(c, rlx_call1(c, "floor", rlx_op(c, RLX_TIR_DIV, a, b)), b))
             : rlx_fmod(c, a, b);
}

static RlxE modulo(RlxCompute *c, RlxE a, RlxE b) {
  return rlx_dtype_is_float(a->dtype) ? rlx_call2(c, "fmod", a, b)
                                      : rlx_op(c, RLX_TIR_TRUNCMOD, a, b);
}

static RlxE log_add_exp(RlxCompute *c, RlxE a, RlxE b) {
  RlxE high = rlx_op(c, RLX_TIR_MAX, a, b), low = rlx_op(c, RLX_TIR_MIN, a, b);
  RlxE sum = rlx_add(c, high, rlx_call1(c, "log1p", rlx_call1(c, "exp", rlx_sub(c, low, high))));
  return rlx_pick(c, rlx_eq(c, high, low),
                  rlx_add(c, high, rlx_num(c, 0.69314718055994530942, high->dtype)), sum);
}

static RlxE bits(RlxCompute *c, RlxTirExprKind kind, RlxE a, RlxE b) {
  if (!rlx_dtype_is_bool(a->dtype)) return rlx_op(c, kind, a, b);
  if (kind == RLX_TIR_BITXOR) return rlx_op(c, RLX_TIR_NE, a, b);
  return rlx_op(c, kind == RLX_TIR_BITAND ? RLX_TIR_AND : RLX_TIR_OR, a, b);
}

static RlxE logical_xor(RlxCompute *c, RlxE a, RlxE b) {
  return rlx_op(c, RLX_TIR_NE, rlx_as(c, RLX_BOOL, a), rlx_as(c, RLX_BOOL, b));
}

/// The value of operator `op` on two elements of one type.
static RlxE binary_value_of(RlxCompute *c, RlxOpId op, RlxE a, RlxE b) {
  switch ((int)op) {
  case RLX_OPID_add: return rlx_add(c, a, b);
  case RLX_OPID_subtract: return rlx_sub(c, a, b);
  case RLX_OPID_multiply:
  case RLX_OPID_outer: return rlx_mul(c, a, b);
  case RLX_OPID_divide: return divide(c, a, b);
  case RLX_OPID_floor_divide: return floor_divide(c, a, b);
  case RLX_OPID_floor_mod: return floor_mod(c, a, b);
  case RLX_OPID_mod: return modulo(c, a, b);
  case RLX_OPID_power: return rlx_call2(c, "pow", a, b);
  case RLX_OPID_atan2: return rlx_call2(c, "atan2", a, b);
  case RLX_OPID_log_add_exp: return log_add_exp(c, a, b);
  case RLX_OPID_maximum: return rlx_op(c, RLX_TIR_MAX, a, b);
  case RLX_OPID_minimum: return rlx_op(c, RLX_TIR_MIN, a, b);
  case RLX_OPID_bitwise_and: return bits(c, RLX_TIR_BITAND, a, b);
  case RLX_OPID_bitwise_or: return bits(c, RLX_TIR_BITOR, a, b);
  case RLX_OPID_bitwise_xor: return bits(c, RLX_TIR_BITXOR, a, b);
  case RLX_OPID_left_shift: return rlx_op(c, RLX_TIR_SHL, a, b);
  case RLX_OPID_right_shift: return rlx_op(c, RLX_TIR_SHR, a, b);
  case RLX_OPID_logical_and: return rlx_and(c, rlx_as(c, RLX_BOOL, a), rlx_as(c, RLX_BOOL, b));
  case RLX_OPID_logical_or:
    return rlx_op(c, RLX_TIR_OR, rlx_as(c, RLX_BOOL, a), rlx_as(c, RLX_BOOL, b));
  case RLX_OPID_logical_xor: return logical_xor(c, a, b);
  case RLX_OPID_equal: return rlx_eq(c, a, b);
  case RLX_OPID_not_equal: return rlx_op(c, RLX_TIR_NE, a, b);
  case RLX_OPID_greater: return rlx_op(c, RLX_TIR_GT, a, b);
  case RLX_OPID_greater_equal: return rlx_ge(c, a, b);
  case RLX_OPID_less: return rlx_lt(c, a, b);
  case RLX_OPID_less_equal: return rlx_op(c, RLX_TIR_LE, a, b);
  default: rlx_refuse(c, "R.%s has no broadcast recipe", c->call->row->script); return a;
  }
}

/// Arithmetic of 16-bit floats that is more than one operation is done in float32.
static bool is_composite(RlxOpId op) {
  return op == RLX_OPID_power || op == RLX_OPID_log_add_exp || op == RLX_OPID_floor_divide ||
         op == RLX_OPID_floor_mod || op == RLX_OPID_mod || op == RLX_OPID_atan2;
}

/// Whether the operator compares: then its operands may have different dtypes, and meet in that of both.
static bool is_comparison(RlxOpId op) {
  return op == RLX_OPID_equal || op == RLX_OPID_not_equal || op == RLX_OPID_greater ||
         op == RLX_OPID_greater_equal || op == RLX_OPID_less || op == RLX_OPID_less_equal;
}

static RlxE broadcast_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  RlxOpId op = c->call->row->id;
  int ndim = c->outputs[0].ndim;
  if (op == RLX_OPID_where) {
    RlxE cond = rlx_as(c, RLX_BOOL, rlx_at_broadcast(c, &c->operands[0], index, ndim));
    return rlx_pick(c, cond, rlx_at_broadcast(c, &c->operands[1], index, ndim),
                    rlx_at_broadcast(c, &c->operands[2], index, ndim));
  }
  if (op == RLX_OPID_outer)
    return rlx_mul(c, rlx_at(c, &c->operands[0], index), rlx_at(c, &c->operands[1], index + 1));
  if (op == RLX_OPID_nn_prelu) {
    int axis = rlx_axis(rlx_int_of(c, "axis", 1), ndim);
    RlxE x = rlx_at(c, &c->operands[0], index), zero = rlx_num(c, 0, x->dtype);
    bool single = c->operands[1].ndim == 0 || (c->operands[1].shape[0]->kind == RLX_TIR_INT &&
                                               c->operands[1].shape[0]->integer == 1);
    RlxE first = rlx_i(c, 0), alpha = rlx_at(c, &c->operands[1], single ? &first : &index[axis]);
    return rlx_pick(c, rlx_op(c, RLX_TIR_GT, x, zero), x, rlx_mul(c, x, alpha));
  }
  RlxE a = rlx_at_broadcast(c, &c->operands[0], index, ndim),
       b = rlx_at_broadcast(c, &c->operands[1], index, ndim);
  if (is_composite(op)) a = rlx_as(c, rlx_wide(a->dtype), a);
  if (is_comparison(op)) a = rlx_as(c, rlx_dtype_promoted(a->dtype, b->dtype), a);
  return binary_value_of(c, op, a, rlx_as(c, a->dtype, b));
}

bool rlx_legalize_broadcast(RlxCompute *c) {
  int wanted = c->call->row->id == RLX_OPID_where ? 3 : 2;
  if (c->operand_count != wanted)
    return rlx_refuse(c, "R.%s: operands are not known", c->call->row->script);
  if (c->call->row->id == RLX_OPID_nn_prelu && c->operands[1].ndim > 1)
    return rlx_refuse(c, "R.nn.prelu takes one slope a channel, found rank %d",
                      c->operands[1].ndim);
  if (c->call->row->id == RLX_OPID_nn_prelu && c->operands[1].ndim == 1 &&
      !rlx_same_extent(c->operands[1].shape[0], rlx_i(c, 1))) {
    int axis = rlx_axis(rlx_int_of(c, "axis", 1), c->operands[0].ndim);
    if (!rlx_fits_extent(c, 1, 0, c->operands[0].shape[axis])) return false;
  }
  c->result->kind = RLX_KERNEL_ELEMENTWISE;
  rlx_compute(c, &c->outputs[0], broadcast_value, NULL);
  return true;
}

// ------------------------------------------------------------------ casts

static RlxE cast_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  RlxE x = rlx_at(c, &c->operands[0], index);
  if (rlx_dtype_is_bool(c->outputs[0].dtype))
    return rlx_op(c, RLX_TIR_NE, x, rlx_num(c, 0, x->dtype));
  RlxDType t = c->outputs[0].dtype;
  if (rlx_dtype_is_float(x->dtype) && !rlx_dtype_is_float(t) && t.bits == 8) {
    // TVM's code for 8 bits packs int32 with saturation; wider integers wrap, there and in numpy.
    RlxE low = rlx_as(c, RLX_INT32, rlx_lowest(c, t)),
         high = rlx_as(c, RLX_INT32, rlx_highest(c, t));
    x = rlx_op(c, RLX_TIR_MAX, rlx_op(c, RLX_TIR_MIN, rlx_as(c, RLX_INT32, x), high), low);
  }
  return rlx_as(c, t, x);
}

bool rlx_legalize_cast(RlxCompute *c) {
  c->result->kind = RLX_KERNEL_ELEMENTWISE;
  rlx_compute(c, &c->outputs[0], cast_value, NULL);
  return true;
}
