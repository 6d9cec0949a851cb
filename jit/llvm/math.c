/// Calls: the rows of intrinsics.def, and extern functions.
///
/// The float32 expansions are straight-line code, so that LLVM vectorises the loops around them.
/// Their errors, measured over samples by tests/unit/jit_llvm, are below 2 ulp. Coefficients:
/// minimax polynomials after Cephes (expf, logf, tanhf) and N. Juffa's erff.
#include <stdio.h>
#include <string.h>

#include <llvm/Config/llvm-config.h>

#include "jit/llvm/emit.h"

typedef enum Intrinsic {
#define RLX_INTRINSIC(name, arity, result, lower, text) INTRINSIC_##name,
#include "analyzer/tir/intrinsics.def"
#undef RLX_INTRINSIC
  INTRINSIC_COUNT
} Intrinsic;

typedef enum Lowering { LOWER_LLVM, LOWER_LIBM, LOWER_EXPAND, LOWER_OWN } Lowering;

typedef struct Row {
  const char *name, *text;
  int arity;
  Lowering lowering;
} Row;

static const Row rows[] = {
#define RLX_INTRINSIC(name, arity, result, lower, text) {#name, text, arity, LOWER_##lower},
#include "analyzer/tir/intrinsics.def"
#undef RLX_INTRINSIC
};

// ---- small vocabulary: everything works on scalars and on vectors of a.lanes

typedef struct Ops {
  Emit *e;
  int lanes;
} Ops;

static LLVMValueRef num(const Ops *o, double value) {
  return emit_splat(o->e, LLVMConstReal(o->e->f32, value), o->lanes);
}
static LLVMValueRef int32(const Ops *o, int64_t value) {
  return emit_splat(o->e, LLVMConstInt(o->e->i32, (unsigned long long)value, 1), o->lanes);
}
static LLVMValueRef add(const Ops *o, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildFAdd(o->e->b, a, b, "");
}
static LLVMValueRef sub(const Ops *o, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildFSub(o->e->b, a, b, "");
}
static LLVMValueRef mul(const Ops *o, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildFMul(o->e->b, a, b, "");
}
static LLVMValueRef quotient(const Ops *o, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildFDiv(o->e->b, a, b, "");
}
static LLVMValueRef fma3(const Ops *o, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
  LLVMValueRef args[3] = {a, b, c};
  return emit_llvm_call(o->e, "llvm.fmuladd", args, 3);
}
static LLVMValueRef pick(const Ops *o, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(o->e->b, c, a, b, "");
}
static LLVMValueRef less(const Ops *o, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildFCmp(o->e->b, LLVMRealOLT, a, b, "");
}
static LLVMValueRef fabs1(const Ops *o, LLVMValueRef a) {
  return emit_llvm_call(o->e, "llvm.fabs", &a, 1);
}
static LLVMValueRef with_sign(const Ops *o, LLVMValueRef magnitude, LLVMValueRef sign) {
  LLVMValueRef args[2] = {magnitude, sign};
  return emit_llvm_call(o->e, "llvm.copysign", args, 2);
}
static LLVMTypeRef like(const Ops *o, LLVMTypeRef scalar) {
  return o->lanes > 1 ? LLVMVectorType(scalar, (unsigned)o->lanes) : scalar;
}
static LLVMValueRef as_bits(const Ops *o, LLVMValueRef a) {
  return LLVMBuildBitCast(o->e->b, a, like(o, o->e->i32), "");
}
static LLVMValueRef as_float(const Ops *o, LLVMValueRef a) {
  return LLVMBuildBitCast(o->e->b, a, like(o, o->e->f32), "");
}

static LLVMValueRef polynomial(const Ops *o, LLVMValueRef x, const double *coefs, int count) {
  LLVMValueRef p = num(o, coefs[0]);
  for (int i = 1; i < count; i++) p = fma3(o, p, x, num(o, coefs[i]));
  return p;
}

/// value * 2^n for integral n (as float) in [-252, 254]: two steps, so that denormals come out
/// right.
static LLVMValueRef scale(const Ops *o, LLVMValueRef value, LLVMValueRef n) {
  LLVMBuilderRef b = o->e->b;
  LLVMValueRef whole = LLVMBuildFPToSI(b, n, like(o, o->e->i32), "");
  LLVMValueRef half = LLVMBuildAShr(b, whole, int32(o, 1), "");
  LLVMValueRef rest = LLVMBuildSub(b, whole, half, "");
  LLVMValueRef s1 = LLVMBuildShl(b, LLVMBuildAdd(b, half, int32(o, 127), ""), int32(o, 23), "");
  LLVMValueRef s2 = LLVMBuildShl(b, LLVMBuildAdd(b, rest, int32(o, 127), ""), int32(o, 23), "");
  return mul(o, mul(o, value, as_float(o, s1)), as_float(o, s2));
}

static LLVMValueRef clamp(const Ops *o, LLVMValueRef x, double lo, double hi) {
  x = pick(o, less(o, x, num(o, lo)), num(o, lo), x);
  return pick(o, less(o, num(o, hi), x), num(o, hi), x); // NaN stays
}

/// e^r for |r| <= ln(2) / 2.
static LLVMValueRef exp_core(const Ops *o, LLVMValueRef r) {
  static const double coefs[] = {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                                 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1};
  LLVMValueRef p = polynomial(o, r, coefs, 6);
  return add(o, fma3(o, p, mul(o, r, r), r), num(o, 1.0));
}

static LLVMValueRef nan_or(const Ops *o, LLVMValueRef x, LLVMValueRef value) {
  return pick(o, LLVMBuildFCmp(o->e->b, LLVMRealUNO, x, x, ""), x, value);
}

/// x with NaN replaced by 0, for code that converts it to an integer on the way.
static LLVMValueRef without_nan(const Ops *o, LLVMValueRef x) {
  return pick(o, LLVMBuildFCmp(o->e->b, LLVMRealUNO, x, x, ""), num(o, 0.0), x);
}

static LLVMValueRef rlx_math_exp(const Ops *o, LLVMValueRef x) {
  LLVMValueRef safe = clamp(o, without_nan(o, x), -105.0, 89.0); // beyond: 0 and inf by themselves
  LLVMValueRef n = mul(o, safe, num(o, 1.44269504088896341));
  n = emit_llvm_call(o->e, "llvm.rint", &n, 1);
  LLVMValueRef r = fma3(o, n, num(o, -0.693359375), safe);
  r = fma3(o, n, num(o, 2.12194440e-4), r);
  return nan_or(o, x, scale(o, exp_core(o, r), n));
}

static LLVMValueRef rlx_math_exp2(const Ops *o, LLVMValueRef x) {
  LLVMValueRef safe = clamp(o, without_nan(o, x), -151.0, 129.0);
  LLVMValueRef n = emit_llvm_call(o->e, "llvm.rint", &safe, 1);
  LLVMValueRef r = mul(o, sub(o, safe, n), num(o, 0.693147180559945309));
  return nan_or(o, x, scale(o, exp_core(o, r), n));
}

static LLVMValueRef rlx_math_log(const Ops *o, LLVMValueRef x) {
  LLVMBuilderRef b = o->e->b;
  static const double coefs[] = {7.0376836292e-2,  -1.1514610310e-1, 1.1676998740e-1,
                                 -1.2420140846e-1, 1.4249322787e-1,  -1.6668057665e-1,
                                 2.0000714765e-1,  -2.4999993993e-1, 3.3333331174e-1};
  LLVMValueRef is_small = less(o, x, num(o, 1.17549435e-38)); // denormal: scale up by 2^23
  LLVMValueRef scaled = pick(o, is_small, mul(o, x, num(o, 8388608.0)), x);
  LLVMValueRef bits = as_bits(o, scaled);
  // m in [sqrt(1/2), sqrt(2)), x = m * 2^k
  LLVMValueRef shifted = LLVMBuildSub(b, bits, int32(o, 0x3f3504f3), "");
  LLVMValueRef k = LLVMBuildAShr(b, shifted, int32(o, 23), "");
  LLVMValueRef m = as_float(o, LLVMBuildSub(b, bits, LLVMBuildShl(b, k, int32(o, 23), ""), ""));
  LLVMValueRef kf = LLVMBuildSIToFP(b, k, like(o, o->e->f32), "");
  kf = sub(o, kf, pick(o, is_small, num(o, 23.0), num(o, 0.0)));
  LLVMValueRef f = sub(o, m, num(o, 1.0));
  LLVMValueRef z = mul(o, f, f);
  LLVMValueRef y = mul(o, mul(o, polynomial(o, f, coefs, 9), f), z);
  y = fma3(o, kf, num(o, -2.12194440e-4), y);
  y = fma3(o, z, num(o, -0.5), y);
  y = fma3(o, kf, num(o, 0.693359375), add(o, f, y));
  LLVMValueRef infinity = num(o, (double)__builtin_inff());
  y = pick(o, LLVMBuildFCmp(b, LLVMRealOEQ, x, infinity, ""), x, y);
  y = pick(o, LLVMBuildFCmp(b, LLVMRealOEQ, x, num(o, 0.0), ""), LLVMBuildFNeg(b, infinity, ""), y);
  y = pick(o, less(o, x, num(o, 0.0)), num(o, (double)__builtin_nanf("")), y);
  return nan_or(o, x, y);
}

static LLVMValueRef rlx_math_tanh(const Ops *o, LLVMValueRef x) {
  static const double coefs[] = {-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2,
                                 1.33314422036e-1, -3.33332819422e-1};
  LLVMValueRef a = fabs1(o, x), z = mul(o, x, x);
  LLVMValueRef small = fma3(o, mul(o, polynomial(o, z, coefs, 5), z), x, x);
  LLVMValueRef e2 = rlx_math_exp(o, mul(o, clamp(o, a, 0.0, 20.0), num(o, 2.0)));
  LLVMValueRef large = sub(o, num(o, 1.0), quotient(o, num(o, 2.0), add(o, e2, num(o, 1.0))));
  large = with_sign(o, large, x);
  return nan_or(o, x, pick(o, less(o, a, num(o, 0.625)), small, large));
}

static LLVMValueRef rlx_math_erf(const Ops *o, LLVMValueRef x) {
  static const double near[] = {-5.96761703e-4, 4.99119423e-3,  -2.67681349e-2,
                                1.12819925e-1,  -3.76125336e-1, 1.28379166e-1};
  static const double far[] = {-1.06777877e-1, -6.34846687e-1, -1.28717512e-1};
  LLVMValueRef t = fabs1(o, x), s = mul(o, x, x);
  LLVMValueRef small = fma3(o, polynomial(o, s, near, 6), x, x);
  LLVMValueRef capped = clamp(o, t, 0.0, 4.0); // erf is 1 in float32 from 3.92 on
  LLVMValueRef c2 = mul(o, capped, capped);
  LLVMValueRef r = fma3(o, num(o, -1.72853470e-5), capped, num(o, 3.83197126e-4));
  LLVMValueRef u = fma3(o, num(o, -3.88396438e-3), capped, num(o, 2.42546219e-2));
  r = fma3(o, r, c2, u);
  for (int i = 0; i < 3; i++) r = fma3(o, r, capped, num(o, far[i]));
  r = fma3(o, r, capped, LLVMBuildFNeg(o->e->b, capped, ""));
  LLVMValueRef large = with_sign(o, sub(o, num(o, 1.0), rlx_math_exp(o, r)), x);
  return nan_or(o, x, pick(o, less(o, num(o, 0.927734375), t), large, small));
}

static LLVMValueRef expand(const Ops *o, Intrinsic id, LLVMValueRef x) {
  if (id == INTRINSIC_exp) return rlx_math_exp(o, x);
  if (id == INTRINSIC_exp2) return rlx_math_exp2(o, x);
  if (id == INTRINSIC_log) return rlx_math_log(o, x);
  if (id == INTRINSIC_tanh) return rlx_math_tanh(o, x);
  return rlx_math_erf(o, x);
}

// ---- C functions

static void mark_pure(Emit *e, LLVMValueRef fn) {
  emit_attribute(e, fn, "nounwind");
  emit_attribute(e, fn, "willreturn");
  emit_attribute(e, fn, "nosync");
#if LLVM_VERSION_MAJOR >= 16
  emit_attribute(e, fn, "memory"); // of value 0: none is touched
#else
  emit_attribute(e, fn, "readnone");
#endif
}

static LLVMValueRef call_c(Emit *e, const char *name, LLVMTypeRef result, LLVMValueRef *args,
                           int count, bool is_pure) {
  LLVMTypeRef types[8];
  for (int i = 0; i < count; i++) types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, (unsigned)count, 0);
  LLVMValueRef fn = LLVMGetNamedFunction(e->m, name);
  if (!fn) {
    fn = LLVMAddFunction(e->m, name, type);
    if (is_pure) mark_pure(e, fn);
  }
  return LLVMBuildCall2(e->b, type, fn, args, (unsigned)count, "");
}

static Val call_libm(Emit *e, const char *base, Val *args, int count) {
  char name[32];
  bool is_double = args[0].t.bits == 64;
  snprintf(name, sizeof name, is_double ? "%s" : "%sf", base);
  LLVMTypeRef scalar = is_double ? e->f64 : e->f32;
  Val out = args[0];
  LLVMValueRef parts[4];
  if (out.lanes == 1) {
    for (int i = 0; i < count; i++) parts[i] = args[i].v;
    out.v = call_c(e, name, scalar, parts, count, true);
    return out;
  }
  LLVMValueRef vector = LLVMGetPoison(LLVMVectorType(scalar, (unsigned)out.lanes));
  for (int lane = 0; lane < out.lanes; lane++) {
    LLVMValueRef at = LLVMConstInt(e->i32, (unsigned)lane, 0);
    for (int i = 0; i < count; i++) parts[i] = LLVMBuildExtractElement(e->b, args[i].v, at, "");
    vector =
        LLVMBuildInsertElement(e->b, vector, call_c(e, name, scalar, parts, count, true), at, "");
  }
  out.v = vector;
  return out;
}

// ---- OWN rows

static Val one_over(Emit *e, Val a) {
  a.v = LLVMBuildFDiv(e->b, emit_const_float(e, 1.0, a.t, a.lanes).v, a.v, "");
  return a;
}

static Val emit_exp(Emit *e, Val a) {
  if (a.t.bits == 64) return call_libm(e, "exp", &a, 1);
  Ops o = {e, a.lanes};
  a.v = rlx_math_exp(&o, a.v);
  return a;
}

static Val emit_sigmoid(Emit *e, Val a) {
  a.v = LLVMBuildFNeg(e->b, a.v, "");
  a = emit_exp(e, a);
  a.v = LLVMBuildFAdd(e->b, a.v, emit_const_float(e, 1.0, a.t, a.lanes).v, "");
  return one_over(e, a);
}

static Val emit_abs(Emit *e, Val a) {
  if (rlx_dtype_is_float(a.t))
    a.v = emit_llvm_call(e, "llvm.fabs", &a.v, 1);
  else if (a.t.code == RLX_DTYPE_INT) {
    LLVMValueRef negative =
        LLVMBuildICmp(e->b, LLVMIntSLT, a.v, LLVMConstNull(LLVMTypeOf(a.v)), "");
    a.v = LLVMBuildSelect(e->b, negative, LLVMBuildNeg(e->b, a.v, ""), a.v, "");
  }
  return a;
}

static Val emit_classify(Emit *e, Intrinsic id, Val a) {
  Val out = a;
  out.t = RLX_BOOL;
  if (!rlx_dtype_is_float(a.t))
    return emit_const_int(e, id == INTRINSIC_isfinite, RLX_BOOL, a.lanes);
  LLVMValueRef magnitude = emit_llvm_call(e, "llvm.fabs", &a.v, 1);
  LLVMValueRef infinity =
      emit_splat(e, LLVMConstReal(a.t.bits == 64 ? e->f64 : e->f32, __builtin_inf()), a.lanes);
  if (id == INTRINSIC_isnan)
    out.v = LLVMBuildFCmp(e->b, LLVMRealUNO, a.v, a.v, "");
  else if (id == INTRINSIC_isinf)
    out.v = LLVMBuildFCmp(e->b, LLVMRealOEQ, magnitude, infinity, "");
  else
    out.v = LLVMBuildFCmp(e->b, LLVMRealOLT, magnitude, infinity, "");
  return out;
}

static Val emit_bits(Emit *e, Intrinsic id, Val a, RlxDType result) {
  if (rlx_dtype_is_float(a.t)) {
    emit_fail(e, "%s takes an integer", rows[id].name);
    return a;
  }
  if (id == INTRINSIC_popcount) {
    a.v = emit_llvm_call(e, "llvm.ctpop", &a.v, 1);
    return a;
  }
  LLVMTypeRef type = LLVMTypeOf(a.v);
  unsigned intrinsic = LLVMLookupIntrinsicID("llvm.ctlz", 9);
  LLVMValueRef args[2] = {a.v, LLVMConstInt(e->i1, 0, 0)};
  LLVMValueRef fn = LLVMGetIntrinsicDeclaration(e->m, intrinsic, &type, 1);
  a.v = LLVMBuildCall2(e->b, LLVMIntrinsicGetType(e->c, intrinsic, &type, 1), fn, args, 2, "");
  return emit_cast(e, a, result);
}

/// Integer power by squaring, wrapping as products do, in at most as many steps as the exponent
/// (`y` is where it came from) has bits; negative exponents give what C's
/// truncation of the real power gives (0, except for bases 1 and -1).
static Val emit_int_pow(Emit *e, const RlxTirExpr *y, Val a, Val b) {
  RlxDType t = a.t;
  Val one = emit_const_int(e, 1, t, a.lanes), zero = emit_const_int(e, 0, t, a.lanes);
  LLVMValueRef result = one.v, base = a.v, left = b.v;
  int steps = t.bits - (t.code == RLX_DTYPE_INT);
  bool is_known = y->kind == RLX_TIR_INT && y->integer >= 0; // only as many steps as it has bits
  if (is_known)
    while (steps > 0 && !(y->integer >> (steps - 1))) steps--;
  for (int i = 0; i < steps; i++) {
    LLVMValueRef odd =
        LLVMBuildICmp(e->b, LLVMIntNE, LLVMBuildAnd(e->b, left, one.v, ""), zero.v, "");
    result = LLVMBuildSelect(e->b, odd, LLVMBuildMul(e->b, result, base, ""), result, "");
    if (i + 1 < steps) base = LLVMBuildMul(e->b, base, base, "");
    left = LLVMBuildLShr(e->b, left, one.v, "");
  }
  if (t.code == RLX_DTYPE_INT && !is_known) {
    LLVMValueRef negative = LLVMBuildICmp(e->b, LLVMIntSLT, b.v, zero.v, "");
    LLVMValueRef is_one = LLVMBuildICmp(e->b, LLVMIntEQ, a.v, one.v, "");
    LLVMValueRef is_minus = LLVMBuildICmp(e->b, LLVMIntEQ, a.v, LLVMBuildNeg(e->b, one.v, ""), "");
    LLVMValueRef odd =
        LLVMBuildICmp(e->b, LLVMIntNE, LLVMBuildAnd(e->b, b.v, one.v, ""), zero.v, "");
    LLVMValueRef sign = LLVMBuildSelect(e->b, odd, LLVMBuildNeg(e->b, one.v, ""), one.v, "");
    LLVMValueRef inverse =
        LLVMBuildSelect(e->b, is_one, one.v, LLVMBuildSelect(e->b, is_minus, sign, zero.v, ""), "");
    result = LLVMBuildSelect(e->b, negative, inverse, result, "");
  }
  a.v = result;
  return a;
}

/// x^y; small constant powers become products.
static Val emit_pow(Emit *e, const RlxTirExpr *x, Val a, Val b) {
  const RlxTirExpr *y = x->args[1];
  if (!rlx_dtype_is_float(a.t)) return emit_int_pow(e, y, a, b);
  double power = y->kind == RLX_TIR_FLOAT ? y->number
                 : y->kind == RLX_TIR_INT ? (double)y->integer
                                          : 0.0;
  if (power == 1.0) return a;
  if (power == 2.0 || power == 3.0) {
    LLVMValueRef square = LLVMBuildFMul(e->b, a.v, a.v, "");
    a.v = power == 2.0 ? square : LLVMBuildFMul(e->b, square, a.v, "");
    return a;
  }
  if (power == 0.5) { // pow(-0, 0.5) is +0 and pow(-inf, 0.5) is inf, unlike sqrt: add 0 and keep
                      // libm for the rest
    Val args[2] = {a, b};
    return call_libm(e, "pow", args, 2);
  }
  Val args[2] = {a, b};
  return call_libm(e, "pow", args, 2);
}

/// x * 2^n by C's function, which rounds once; `n` is an int.
static Val emit_ldexp(Emit *e, Val a, Val n) {
  bool is_double = a.t.bits == 64;
  LLVMTypeRef scalar = is_double ? e->f64 : e->f32;
  const char *name = is_double ? "ldexp" : "ldexpf";
  n = emit_cast(e, n, RLX_INT32);
  if (a.lanes == 1) {
    LLVMValueRef parts[2] = {a.v, n.v};
    a.v = call_c(e, name, scalar, parts, 2, true);
    return a;
  }
  LLVMValueRef vector = LLVMGetPoison(LLVMTypeOf(a.v));
  for (int lane = 0; lane < a.lanes; lane++) {
    LLVMValueRef at = LLVMConstInt(e->i32, (unsigned)lane, 0);
    LLVMValueRef parts[2] = {LLVMBuildExtractElement(e->b, a.v, at, ""),
                             LLVMBuildExtractElement(e->b, n.v, at, "")};
    vector = LLVMBuildInsertElement(e->b, vector, call_c(e, name, scalar, parts, 2, true), at, "");
  }
  a.v = vector;
  return a;
}

/// The next number of 16 bits behind x towards y: the bits of x, one up or down.
static Val emit_next_half(Emit *e, Val x, Val y) {
  LLVMBuilderRef b = e->b;
  if (x.t.bits != 16) {
    emit_fail(e, "nextafter is not defined for this dtype");
    return x;
  }
  LLVMValueRef zero = emit_const_float(e, 0.0, x.t, x.lanes).v;
  LLVMTypeRef type = x.lanes > 1 ? LLVMVectorType(e->i16, (unsigned)x.lanes) : e->i16;
  LLVMValueRef one = emit_splat(e, LLVMConstInt(e->i16, 1, 0), x.lanes);
  LLVMValueRef sign = emit_splat(e, LLVMConstInt(e->i16, 0x8000, 0), x.lanes);
  LLVMValueRef bits = LLVMBuildBitCast(b, emit_to_memory(e, x.v, x.t, x.lanes), type, "");
  LLVMValueRef is_up = LLVMBuildFCmp(b, LLVMRealOLT, x.v, y.v, "");
  LLVMValueRef is_zero = LLVMBuildFCmp(b, LLVMRealOEQ, x.v, zero, "");
  LLVMValueRef grows =
      LLVMBuildICmp(b, LLVMIntEQ, is_up, LLVMBuildFCmp(b, LLVMRealOGT, x.v, zero, ""), "");
  LLVMValueRef next =
      LLVMBuildSelect(b, grows, LLVMBuildAdd(b, bits, one, ""), LLVMBuildSub(b, bits, one, ""), "");
  LLVMValueRef least = LLVMBuildSelect(b, is_up, one, LLVMBuildOr(b, sign, one, ""), "");
  next = LLVMBuildSelect(b, is_zero, least, next, "");
  next = LLVMBuildBitCast(b, next, emit_memory_type(e, x.t, x.lanes), "");
  LLVMValueRef moved = emit_from_memory(e, next, x.t, x.lanes);
  moved = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOEQ, x.v, y.v, ""), y.v, moved, "");
  LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, x.v, y.v, "");
  x.v = LLVMBuildSelect(b, is_nan, LLVMBuildFAdd(b, x.v, y.v, ""), moved, "");
  return x;
}

/// Product of two numbers with `q` fractional bits, shifted to the left and then to the right, half
/// up: TVM's rule for int32 (src/target/intrin_rule.cc), in int64.
static Val emit_q_multiply(Emit *e, Val x, Val y, Val left, Val right, Val q) {
  RlxDType narrow = x.t, t = RLX_INT64;
  Val one = emit_const_int(e, 1, t, x.lanes);
  Val *all[] = {&x, &y, &left, &right, &q};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i] = emit_cast(e, *all[i], t);
  x = emit_binary(e, RLX_TIR_MUL, emit_binary(e, RLX_TIR_SHL, x, left, t), y, t);
  Val shift = emit_binary(e, RLX_TIR_ADD, right, q, t);
  Val half = emit_binary(e, RLX_TIR_SHL, one, emit_binary(e, RLX_TIR_SUB, shift, one, t), t);
  x = emit_binary(e, RLX_TIR_ADD, x, half, t);
  return emit_cast(e, emit_binary(e, RLX_TIR_SHR, x, shift, t), narrow);
}

static Val emit_q_shift(Emit *e, const Val *args) {
  Val s = args[3], zero = emit_const_int(e, 0, s.t, s.lanes);
  Val left = emit_binary(e, RLX_TIR_MAX, s, zero, s.t);
  Val right = emit_binary(e, RLX_TIR_MAX, emit_binary(e, RLX_TIR_SUB, zero, s, s.t), zero, s.t);
  return emit_q_multiply(e, args[0], args[1], left, right, args[2]);
}

static Val emit_own(Emit *e, Intrinsic id, const RlxTirExpr *x, Val *args) {
  Val a = args[0];
  RlxDType result = x->dtype;
  result.lanes = 1;
  if (id == INTRINSIC_likely || id == INTRINSIC_unlikely) return a;
  if (id == INTRINSIC_fabs || id == INTRINSIC_abs) return emit_abs(e, a);
  if (id == INTRINSIC_isnan || id == INTRINSIC_isinf || id == INTRINSIC_isfinite)
    return emit_classify(e, id, a);
  if (id == INTRINSIC_popcount || id == INTRINSIC_clz) return emit_bits(e, id, a, result);
  if (id == INTRINSIC_pow || id == INTRINSIC_power) return emit_pow(e, x, a, args[1]);
  if (id == INTRINSIC_q_multiply_shift) return emit_q_shift(e, args);
  if (id == INTRINSIC_q_multiply_shift_per_axis)
    return emit_q_multiply(e, a, args[1], args[2], args[3], args[4]);
  if (!rlx_dtype_is_float(a.t)) {
    emit_fail(e, "%s takes a floating-point value", rows[id].name);
    return a;
  }
  if (id == INTRINSIC_ldexp) return emit_ldexp(e, a, args[1]);
  if (id == INTRINSIC_sigmoid) return emit_sigmoid(e, a);
  if (id == INTRINSIC_rsqrt) {
    a.v = emit_llvm_call(e, "llvm.sqrt", &a.v, 1);
    return one_over(e, a);
  }
  Val ten[2] = {emit_const_float(e, 10.0, a.t, a.lanes), a}; // exp10
  return call_libm(e, "pow", ten, 2);
}

static Val emit_row(Emit *e, Intrinsic id, const RlxTirExpr *x) {
  const Row *row = &rows[id];
  if (x->arg_count != row->arity) {
    emit_fail(e, "%s takes %d arguments", row->name, row->arity);
    return emit_const_int(e, 0, RLX_INT32, 1);
  }
  Val args[8];
  int lanes = 1;
  for (int i = 0; i < row->arity; i++) {
    args[i] = emit_expr(e, x->args[i]);
    if (args[i].lanes > lanes) lanes = args[i].lanes;
  }
  for (int i = 0; i < row->arity; i++) {
    args[i] = emit_vector(e, args[i], lanes);
    if (i && id != INTRINSIC_ldexp) args[i] = emit_cast(e, args[i], args[0].t);
  }
  if (id == INTRINSIC_nextafter && args[0].t.bits < 32) return emit_next_half(e, args[0], args[1]);
  if (e->failed || row->lowering == LOWER_OWN)
    return e->failed ? args[0] : emit_own(e, id, x, args);
  if (!rlx_dtype_is_float(args[0].t)) {
    // floor and the like of an integer are the integer; others are a mistake.
    if (row->lowering == LOWER_LLVM && row->arity == 1 && id != INTRINSIC_sqrt) return args[0];
    emit_fail(e, "%s takes a floating-point value", row->name);
    return args[0];
  }
  if (row->lowering == LOWER_EXPAND && args[0].t.bits != 64) {
    Ops o = {e, lanes};
    args[0].v = expand(&o, id, args[0].v);
    return args[0];
  }
  if (row->lowering != LOWER_LLVM) return call_libm(e, row->text, args, row->arity);
  LLVMValueRef values[4];
  for (int i = 0; i < row->arity; i++) values[i] = args[i].v;
  args[0].v = emit_llvm_call(e, row->text, values, row->arity);
  return args[0];
}

// ---- extern functions

/// May a script call the C function `name`? A script is not trusted: only what the table has, the host
/// gives, or the user allowed.
static bool may_call(const Emit *e, const char *name) {
#define RLX_EXTERN(row)      #row,
#define RLX_EXTERN_MATH(row) #row, #row "f",
  static const char *const known[] = {
#include "analyzer/words/externs.def"
  };
#undef RLX_EXTERN
#undef RLX_EXTERN_MATH
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(known[i], name)) return true;
  const RlxEngineOptions *o = e->options;
  for (int i = 0; o && i < o->extern_count; i++)
    if (!strcmp(o->externs[i], name)) return true;
  return o && o->resolve && o->resolve(name, o->user);
}

/// T.call_extern(dtype, "name", …): float16 goes as float32, bool as int32, as C would promote
/// them.
static Val emit_extern(Emit *e, const RlxTirExpr *x) {
  RlxDType t = x->dtype;
  t.lanes = 1;
  Val out = {NULL, t, 1, false, false, 0};
  if (!rlx_dtype_known(t)) out.t = RLX_INT32;
  if (x->arg_count < 1 || x->arg_count > 9 || x->args[0]->kind != RLX_TIR_STRING) {
    emit_fail(e, "an extern call wants the function's name and at most 8 arguments");
    return emit_const_int(e, 0, RLX_INT32, 1);
  }
  char name[128];
  snprintf(name, sizeof name, "%.*s", (int)x->args[0]->text_size, x->args[0]->text);
  if (!may_call(e, name))
    emit_fail(e,
              "extern function `%s` may not be called by a script: `rlx run --allow-extern=%s` "
              "allows it",
              name, name);
  LLVMValueRef args[8];
  for (int i = 1; i < x->arg_count; i++) {
    Val a = emit_expr(e, x->args[i]);
    if (a.lanes > 1) emit_fail(e, "extern function `%s` cannot take a vector", name);
    args[i - 1] = a.t.code == RLX_DTYPE_BOOL ? emit_cast(e, a, RLX_INT32).v : a.v;
  }
  if (e->failed) return emit_const_int(e, 0, out.t, 1);
  LLVMTypeRef result = rlx_dtype_known(t) ? (t.code == RLX_DTYPE_BOOL ? e->i32 : emit_type(e, t, 1))
                                          : LLVMVoidTypeInContext(e->c);
  out.v = call_c(e, name, result, args, x->arg_count - 1, false);
  if (!rlx_dtype_known(t)) return emit_const_int(e, 0, RLX_INT32, 1);
  if (t.code == RLX_DTYPE_BOOL)
    out.v = LLVMBuildICmp(e->b, LLVMIntNE, out.v, LLVMConstNull(e->i32), "");
  return out;
}

Val emit_call(Emit *e, const RlxTirExpr *x) {
  const char *name = emit_name(e, x->name);
  static const char *const prefixes[] = {"tirx.", "tir.", "T."};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) name += strlen(prefixes[i]);
  if (!strcmp(name, "call_extern") || !strcmp(name, "call_pure_extern")) return emit_extern(e, x);
  if (!strcmp(name, "call_packed") || !strcmp(name, "tvm_call_packed")) return emit_packed(e, x);
  if (!strcmp(name, "tvm_access_ptr")) return emit_access_ptr(e, x);
  if (!strcmp(name, "call_llvm_intrin") || !strcmp(name, "call_llvm_pure_intrin"))
    return emit_llvm_intrinsic(e, x);
  if (!strcmp(name, "vectorlow") || !strcmp(name, "vectorhigh"))
    return emit_vector_half(e, x, name[6] == 'h');
  if (!strcmp(name, "vectorcombine")) return emit_vector_combine(e, x);
  if (!strcmp(name, "Shuffle")) return emit_shuffle(e, x);
  // A promise on which nothing rests, a hint, and a barrier among threads that run one by one.
  if (!strcmp(name, "assume") || !strcmp(name, "prefetch") || !strcmp(name, "tvm_storage_sync"))
    return emit_const_int(e, 0, RLX_INT32, 1);
  for (int i = 0; i < INTRINSIC_COUNT; i++)
    if (!strcmp(name, rows[i].name)) return emit_row(e, (Intrinsic)i, x);
  emit_fail(e, "T.%s is not supported by the code generator", name);
  return emit_const_int(e, 0, RLX_INT32, 1);
}
