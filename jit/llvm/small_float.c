/// Small floating-point formats in compiled code: float32 in registers, a byte in memory.
///
/// Always true: straight-line code for scalars and vectors alike, with the answers of
/// rlx_small_from_float and rlx_float_from_small (jit/runtime).
#include "jit/codegen/small_float.h"
#include "jit/llvm/emit.h"

typedef struct Small {
  Emit *e;
  LLVMBuilderRef b;
  int lanes;
  RlxSmallFloat s;
} Small;

static LLVMTypeRef type_of(const Small *m, LLVMTypeRef scalar) {
  return m->lanes > 1 ? LLVMVectorType(scalar, (unsigned)m->lanes) : scalar;
}
static LLVMValueRef word(const Small *m, uint32_t value) {
  return emit_splat(m->e, LLVMConstInt(m->e->i32, value, 0), m->lanes);
}
static LLVMValueRef power_of_2(const Small *m, int exponent) {
  return emit_splat(m->e, LLVMConstReal(m->e->f32, __builtin_ldexp(1, exponent)), m->lanes);
}
static LLVMValueRef is(const Small *m, LLVMIntPredicate p, LLVMValueRef a, uint32_t value) {
  return LLVMBuildICmp(m->b, p, a, word(m, value), "");
}
static LLVMValueRef bits_of(const Small *m, LLVMValueRef value) {
  return LLVMBuildBitCast(m->b, value, type_of(m, m->e->i32), "");
}

/// An exponent alone: the nearest power of two, halves up; what is not above 0, and what is too
/// large, is 255.
static LLVMValueRef to_scale(const Small *m, LLVMValueRef bits) {
  LLVMBuilderRef b = m->b;
  LLVMValueRef code =
      LLVMBuildLShr(b, LLVMBuildAdd(b, bits, word(m, 0x400000), ""), word(m, 23), "");
  LLVMValueRef tiny = LLVMBuildZExt(b, is(m, LLVMIntUGE, bits, 0x600000), LLVMTypeOf(bits), "");
  code = LLVMBuildSelect(b, is(m, LLVMIntULT, bits, 0x800000), tiny, code, "");
  LLVMValueRef good = LLVMBuildAnd(b, is(m, LLVMIntUGT, bits, 0),
                                   is(m, LLVMIntULT, bits, 0x7f800000), ""); // the sign is a bit
  return LLVMBuildSelect(b, good, code, word(m, 255), "");
}

static LLVMValueRef to_code(const Small *m, LLVMValueRef value) {
  LLVMBuilderRef b = m->b;
  const RlxSmallFloat *s = &m->s;
  int cut = 23 - s->fraction_bits, width = s->exponent_bits + s->fraction_bits;
  LLVMValueRef bits = bits_of(m, value), mag = LLVMBuildAnd(b, bits, word(m, 0x7fffffff), "");
  // Normal: half of what is cut off, and one more when the last bit that stays is 1, is carried up.
  LLVMValueRef odd =
      LLVMBuildAnd(b, LLVMBuildLShr(b, mag, word(m, (uint32_t)cut), ""), word(m, 1), "");
  LLVMValueRef up = LLVMBuildAdd(b, odd, word(m, (1u << (cut - 1)) - 1), "");
  LLVMValueRef normal = LLVMBuildLShr(b, LLVMBuildAdd(b, mag, up, ""), word(m, (uint32_t)cut), "");
  normal = LLVMBuildSub(b, normal, word(m, (uint32_t)(127 - s->bias) << s->fraction_bits), "");
  // Denormal: the number of smallest steps.
  LLVMValueRef steps = emit_llvm_call(m->e, "llvm.fabs", &value, 1);
  steps = LLVMBuildFMul(b, steps, power_of_2(m, s->bias - 1 + s->fraction_bits), "");
  steps = emit_llvm_call(m->e, "llvm.rint", &steps, 1);
  LLVMValueRef is_small = is(m, LLVMIntULT, mag, (uint32_t)(128 - s->bias) << 23);
  steps = LLVMBuildSelect(b, is_small, steps, power_of_2(m, 0), ""); // others do not fit an int
  LLVMValueRef code = LLVMBuildSelect(
      b, is_small, LLVMBuildFPToUI(b, steps, type_of(m, m->e->i32), ""), normal, "");
  uint32_t largest = (uint32_t)rlx_small_largest(s), sign_bit = 1u << width;
  uint32_t beyond = s->kind == RLX_SMALL_PLAIN  ? largest
                    : s->kind == RLX_SMALL_FNUZ ? sign_bit
                                                : largest + 1;
  uint32_t nan = s->kind == RLX_SMALL_IEEE ? largest + 1 + (1u << (s->fraction_bits - 1))
                 : s->kind == RLX_SMALL_FN ? beyond
                                           : sign_bit;
  code = LLVMBuildSelect(b, is(m, LLVMIntUGT, code, largest), word(m, beyond), code, "");
  code = LLVMBuildSelect(b, is(m, LLVMIntUGT, mag, 0x7f800000), word(m, nan), code, "");
  LLVMValueRef sign = LLVMBuildLShr(b, bits, word(m, 31u - (uint32_t)width), "");
  sign = LLVMBuildAnd(b, sign, word(m, sign_bit), "");
  LLVMValueRef with_sign = LLVMBuildOr(b, code, sign, "");
  if (s->kind != RLX_SMALL_FNUZ) return with_sign;
  return LLVMBuildSelect(b, is(m, LLVMIntEQ, code, 0), code, with_sign, "");
}

LLVMValueRef emit_small_bits(Emit *e, LLVMValueRef value, RlxDType t, int lanes) {
  Small m = {.e = e, .b = e->b, .lanes = lanes};
  rlx_small_float(t, &m.s);
  LLVMValueRef code =
      m.s.kind == RLX_SMALL_SCALE ? to_scale(&m, bits_of(&m, value)) : to_code(&m, value);
  return LLVMBuildTrunc(e->b, code, type_of(&m, e->i8), "");
}

LLVMValueRef emit_small_value(Emit *e, LLVMValueRef byte, RlxDType t, int lanes) {
  Small m = {.e = e, .b = e->b, .lanes = lanes};
  rlx_small_float(t, &m.s);
  const RlxSmallFloat *s = &m.s;
  LLVMBuilderRef b = e->b;
  LLVMTypeRef number = type_of(&m, e->f32);
  LLVMValueRef code = LLVMBuildZExt(b, byte, type_of(&m, e->i32), "");
  LLVMValueRef nan = word(&m, 0x7fc00000);
  if (s->kind == RLX_SMALL_SCALE) {
    LLVMValueRef bits = LLVMBuildShl(b, code, word(&m, 23), "");
    bits = LLVMBuildSelect(b, is(&m, LLVMIntEQ, code, 0), word(&m, 0x400000), bits, "");
    bits = LLVMBuildSelect(b, is(&m, LLVMIntEQ, code, 255), nan, bits, "");
    return LLVMBuildBitCast(b, bits, number, "");
  }
  uint32_t width = (uint32_t)(s->exponent_bits + s->fraction_bits), sign_bit = 1u << width;
  uint32_t largest = (uint32_t)rlx_small_largest(s);
  LLVMValueRef mag = LLVMBuildAnd(b, code, word(&m, sign_bit - 1), "");
  // With its exponent in place of float32's the number is 2^(127 - bias) times too small.
  LLVMValueRef scaled = LLVMBuildShl(b, mag, word(&m, 23u - (uint32_t)s->fraction_bits), "");
  scaled =
      LLVMBuildFMul(b, LLVMBuildBitCast(b, scaled, number, ""), power_of_2(&m, 127 - s->bias), "");
  LLVMValueRef bits = bits_of(&m, scaled);
  if (s->kind == RLX_SMALL_IEEE)
    bits = LLVMBuildSelect(b, is(&m, LLVMIntEQ, mag, largest + 1), word(&m, 0x7f800000), bits, "");
  if (s->kind == RLX_SMALL_IEEE || s->kind == RLX_SMALL_FN)
    bits = LLVMBuildSelect(
        b, is(&m, LLVMIntUGT, mag, s->kind == RLX_SMALL_FN ? largest : largest + 1), nan, bits, "");
  LLVMValueRef sign = LLVMBuildAnd(b, code, word(&m, sign_bit), "");
  bits = LLVMBuildOr(b, bits, LLVMBuildShl(b, sign, word(&m, 31u - width), ""), "");
  if (s->kind == RLX_SMALL_FNUZ)
    bits = LLVMBuildSelect(b, is(&m, LLVMIntEQ, code, sign_bit), nan, bits, "");
  return LLVMBuildBitCast(b, bits, number, "");
}

LLVMValueRef emit_round_to_odd(Emit *e, LLVMValueRef value, int lanes) {
  Small m = {.e = e, .b = e->b, .lanes = lanes};
  LLVMBuilderRef b = e->b;
  LLVMTypeRef wide = LLVMTypeOf(value), narrow = type_of(&m, e->f32);
  LLVMValueRef nearest = LLVMBuildFPTrunc(b, value, narrow, "");
  LLVMValueRef back = LLVMBuildFPExt(b, nearest, wide, "");
  LLVMValueRef size = emit_llvm_call(e, "llvm.fabs", &value, 1),
               back_size = emit_llvm_call(e, "llvm.fabs", &back, 1);
  LLVMValueRef bits = bits_of(&m, nearest);
  LLVMValueRef above = LLVMBuildFCmp(b, LLVMRealOGT, back_size, size, "");
  LLVMValueRef below = LLVMBuildFCmp(b, LLVMRealOLT, back_size, size, "");
  LLVMValueRef down = LLVMBuildSub(b, bits, LLVMBuildZExt(b, above, LLVMTypeOf(bits), ""), "");
  LLVMValueRef inexact = LLVMBuildOr(b, above, below, "");
  down = LLVMBuildOr(b, down, LLVMBuildZExt(b, inexact, LLVMTypeOf(bits), ""), "");
  return LLVMBuildBitCast(b, down, narrow, "");
}
