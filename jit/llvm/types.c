/// Types, constants and conversions of values.
#include <string.h>

#include "jit/llvm/emit.h"

/// One of the formats of jit/codegen/small_float.h.
static bool is_small(RlxDType t) {
  return t.code >= RLX_DTYPE_FLOAT8_E3M4 && t.code <= RLX_DTYPE_FLOAT4_E2M1FN;
}

bool emit_dtype_ok(RlxDType t) {
  if (t.code == RLX_DTYPE_BOOL || t.code == RLX_DTYPE_HANDLE) return true;
  if (t.code == RLX_DTYPE_INT || t.code == RLX_DTYPE_UINT)
    return t.bits == 8 || t.bits == 16 || t.bits == 32 || t.bits == 64;
  if (t.code == RLX_DTYPE_FLOAT) return t.bits == 16 || t.bits == 32 || t.bits == 64;
  return (t.code == RLX_DTYPE_BFLOAT && t.bits == 16) || is_small(t);
}

unsigned emit_dtype_bytes(RlxDType t) {
  if (t.code == RLX_DTYPE_BOOL || is_small(t)) return 1;
  return t.code == RLX_DTYPE_HANDLE ? 8 : ((unsigned)t.bits + 7) / 8;
}

static LLVMTypeRef widen(LLVMTypeRef scalar, int lanes) {
  return lanes > 1 ? LLVMVectorType(scalar, (unsigned)lanes) : scalar;
}

void emit_fail_dtype(Emit *e, RlxDType t) {
  const char *kind = t.code == RLX_DTYPE_INT      ? "int"
                     : t.code == RLX_DTYPE_UINT   ? "uint"
                     : t.code == RLX_DTYPE_BFLOAT ? "bfloat"
                                                  : "float";
  emit_fail(e,
            "there is no arithmetic of %s%d: integers have 8, 16, 32 or 64 bits, floats 16, 32 or "
            "64",
            kind, t.bits);
}

LLVMTypeRef emit_type(Emit *e, RlxDType t, int lanes) {
  if (!emit_dtype_ok(t)) {
    emit_fail_dtype(e, t);
    return widen(e->i32, lanes);
  }
  if (t.code == RLX_DTYPE_BOOL) return widen(e->i1, lanes);
  if (t.code == RLX_DTYPE_HANDLE) return widen(e->ptr, lanes);
  if (rlx_dtype_is_float(t)) return widen(t.bits == 64 ? e->f64 : e->f32, lanes);
  return widen(LLVMIntTypeInContext(e->c, t.bits), lanes);
}

LLVMTypeRef emit_memory_type(Emit *e, RlxDType t, int lanes) {
  if (t.code == RLX_DTYPE_BOOL) return widen(e->i8, lanes);
  if (t.code == RLX_DTYPE_BFLOAT) return widen(e->i16, lanes);
  if (is_small(t)) return widen(e->i8, lanes);
  if (t.code == RLX_DTYPE_FLOAT && t.bits == 16) return widen(e->f16, lanes);
  return emit_type(e, t, lanes);
}

LLVMValueRef emit_i64(const Emit *e, int64_t value) {
  return LLVMConstInt(e->i64, (unsigned long long)value, 1);
}

LLVMValueRef emit_splat(Emit *e, LLVMValueRef scalar, int lanes) {
  if (lanes <= 1) return scalar;
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), (unsigned)lanes);
  if (LLVMIsConstant(scalar) && lanes <= EMIT_MAX_LANES) {
    LLVMValueRef parts[EMIT_MAX_LANES];
    for (int i = 0; i < lanes; i++) parts[i] = scalar;
    return LLVMConstVector(parts, (unsigned)lanes);
  }
  LLVMValueRef one =
      LLVMBuildInsertElement(e->b, LLVMGetPoison(type), scalar, LLVMConstInt(e->i32, 0, 0), "");
  LLVMValueRef mask = LLVMConstNull(LLVMVectorType(e->i32, (unsigned)lanes));
  return LLVMBuildShuffleVector(e->b, one, LLVMGetPoison(type), mask, "splat");
}

Val emit_const_int(Emit *e, int64_t value, RlxDType t, int lanes) {
  t.lanes = 1;
  LLVMTypeRef scalar = emit_type(e, t, 1);
  Val out = {LLVMConstInt(scalar, (unsigned long long)value, 1), t, lanes, false, false, 0};
  out.v = emit_splat(e, out.v, lanes);
  return out;
}

static float bfloat_of(double value) {
  float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, 4);
  if ((bits & 0x7fffffff) <= 0x7f800000) bits = (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000u;
  memcpy(&narrow, &bits, 4);
  return narrow;
}

Val emit_const_float(Emit *e, double value, RlxDType t, int lanes) {
  t.lanes = 1;
  LLVMValueRef c;
  if (t.bits == 64)
    c = LLVMConstReal(e->f64, value);
  else if (t.code == RLX_DTYPE_BFLOAT)
    c = LLVMConstReal(e->f32, (double)bfloat_of(value));
  else if (t.bits < 32)
    c = emit_round_f16(e, LLVMConstReal(e->f32, (double)(float)value), t, 1);
  else
    c = LLVMConstReal(e->f32, (double)(float)value);
  Val out = {emit_splat(e, c, lanes), t, lanes, false, false, 0};
  return out;
}

Val emit_vector(Emit *e, Val a, int lanes) {
  if (a.lanes == 1) {
    a.v = emit_splat(e, a.v, lanes);
    a.lanes = lanes;
    return a;
  }
  if (!a.is_ramp) return a;
  LLVMTypeRef scalar = LLVMTypeOf(a.v);
  LLVMValueRef steps[EMIT_MAX_LANES];
  for (int i = 0; i < a.lanes; i++)
    steps[i] = LLVMConstInt(scalar, (unsigned long long)(a.stride * i), 1);
  a.v = LLVMBuildAdd(e->b, emit_splat(e, a.v, a.lanes), LLVMConstVector(steps, (unsigned)a.lanes),
                     "ramp");
  a.is_ramp = false;
  return a;
}

LLVMValueRef emit_llvm_call(Emit *e, const char *name, LLVMValueRef *args, int count) {
  LLVMTypeRef type = LLVMTypeOf(args[0]);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef fn = LLVMGetIntrinsicDeclaration(e->m, id, &type, 1);
  return LLVMBuildCall2(e->b, LLVMIntrinsicGetType(e->c, id, &type, 1), fn, args, (unsigned)count,
                        "");
}

static LLVMValueRef splat_int(Emit *e, LLVMTypeRef scalar, uint64_t value, int lanes) {
  return emit_splat(e, LLVMConstInt(scalar, value, 0), lanes);
}

/// float32 to the 16 bits of a bfloat16, to nearest even; NaN stays NaN.
static LLVMValueRef to_bfloat_bits(Emit *e, LLVMValueRef value, int lanes) {
  LLVMBuilderRef b = e->b;
  LLVMValueRef bits = LLVMBuildBitCast(b, value, widen(e->i32, lanes), "");
  LLVMValueRef sixteen = splat_int(e, e->i32, 16, lanes);
  LLVMValueRef odd =
      LLVMBuildAnd(b, LLVMBuildLShr(b, bits, sixteen, ""), splat_int(e, e->i32, 1, lanes), "");
  LLVMValueRef rounded =
      LLVMBuildAdd(b, bits, LLVMBuildAdd(b, odd, splat_int(e, e->i32, 0x7fff, lanes), ""), "");
  LLVMValueRef quiet = LLVMBuildOr(b, bits, splat_int(e, e->i32, 0x400000, lanes), "");
  LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
  LLVMValueRef chosen = LLVMBuildSelect(b, is_nan, quiet, rounded, "");
  return LLVMBuildTrunc(b, LLVMBuildLShr(b, chosen, sixteen, ""), widen(e->i16, lanes), "");
}

static LLVMValueRef from_bfloat_bits(Emit *e, LLVMValueRef bits, int lanes) {
  LLVMValueRef wide = LLVMBuildZExt(e->b, bits, widen(e->i32, lanes), "");
  wide = LLVMBuildShl(e->b, wide, splat_int(e, e->i32, 16, lanes), "");
  return LLVMBuildBitCast(e->b, wide, widen(e->f32, lanes), "");
}

LLVMValueRef emit_to_memory(Emit *e, LLVMValueRef value, RlxDType t, int lanes) {
  if (t.code == RLX_DTYPE_BOOL) return LLVMBuildZExt(e->b, value, widen(e->i8, lanes), "");
  if (t.code == RLX_DTYPE_BFLOAT) return to_bfloat_bits(e, value, lanes);
  if (is_small(t)) return emit_small_bits(e, value, t, lanes);
  if (t.code == RLX_DTYPE_FLOAT && t.bits == 16)
    return LLVMBuildFPTrunc(e->b, value, widen(e->f16, lanes), "");
  return value;
}

LLVMValueRef emit_from_memory(Emit *e, LLVMValueRef value, RlxDType t, int lanes) {
  if (t.code == RLX_DTYPE_BOOL)
    return LLVMBuildICmp(e->b, LLVMIntNE, value, LLVMConstNull(widen(e->i8, lanes)), "");
  if (t.code == RLX_DTYPE_BFLOAT) return from_bfloat_bits(e, value, lanes);
  if (is_small(t)) return emit_small_value(e, value, t, lanes);
  if (t.code == RLX_DTYPE_FLOAT && t.bits == 16)
    return LLVMBuildFPExt(e->b, value, widen(e->f32, lanes), "");
  return value;
}

LLVMValueRef emit_round_f16(Emit *e, LLVMValueRef value, RlxDType t, int lanes) {
  return emit_from_memory(e, emit_to_memory(e, value, t, lanes), t, lanes);
}

/// 2^`power` as a value like `like`.
static LLVMValueRef power_of_two(Emit *e, LLVMValueRef like, int power, int lanes, bool negative) {
  LLVMTypeRef scalar = LLVMTypeOf(like);
  if (lanes > 1) scalar = LLVMGetElementType(scalar);
  double value = power == 31 ? 0x1p31 : power == 63 ? 0x1p63 : 0x1p64;
  return emit_splat(e, LLVMConstReal(scalar, negative ? -value : value), lanes);
}

/// Towards zero, as the signed integer `middle` of `bits`; what it cannot hold (NaN, too) becomes
/// its smallest value: x86's conversion, so numpy's and TVM's there, on every machine.
static LLVMValueRef to_signed(Emit *e, LLVMValueRef value, LLVMTypeRef middle, int bits,
                              int lanes) {
  LLVMBuilderRef b = e->b;
  LLVMValueRef low = power_of_two(e, value, bits - 1, lanes, true),
               high = power_of_two(e, value, bits - 1, lanes, false);
  LLVMValueRef fits = LLVMBuildAnd(b, LLVMBuildFCmp(b, LLVMRealOGE, value, low, ""),
                                   LLVMBuildFCmp(b, LLVMRealOLT, value, high, ""), "");
  LLVMTypeRef scalar = lanes > 1 ? LLVMGetElementType(middle) : middle;
  LLVMValueRef smallest = emit_splat(e, LLVMConstInt(scalar, 1ull << (bits - 1), 0), lanes);
  return LLVMBuildSelect(b, fits, LLVMBuildFPToSI(b, value, middle, ""), smallest, "");
}

/// Truncates towards zero. Out of range is undefined in C; here it is what numpy gives on x86: by
/// way of 32 or 64 bits, wrapped to the narrower type, so that -1.0 becomes 255 as uint8.
static LLVMValueRef float_to_int(Emit *e, Val a, RlxDType to, LLVMTypeRef type) {
  bool is_wide = to.bits == 64 || (to.bits == 32 && to.code == RLX_DTYPE_UINT);
  LLVMTypeRef middle = widen(is_wide ? e->i64 : e->i32, a.lanes);
  LLVMValueRef value = to_signed(e, a.v, middle, is_wide ? 64 : 32, a.lanes);
  if (to.bits == 64 && to.code == RLX_DTYPE_UINT) { // from 2^63 to 2^64
    LLVMValueRef low = power_of_two(e, a.v, 63, a.lanes, false),
                 high = power_of_two(e, a.v, 64, a.lanes, false);
    LLVMValueRef is_upper = LLVMBuildAnd(e->b, LLVMBuildFCmp(e->b, LLVMRealOGE, a.v, low, ""),
                                         LLVMBuildFCmp(e->b, LLVMRealOLT, a.v, high, ""), "");
    value = LLVMBuildSelect(e->b, is_upper, LLVMBuildFPToUI(e->b, a.v, type, ""), value, "");
  }
  return middle == type ? value : LLVMBuildTrunc(e->b, value, type, "");
}

Val emit_cast(Emit *e, Val a, RlxDType to) {
  to.lanes = 1;
  if (a.is_ramp) a = emit_vector(e, a, a.lanes);
  if (rlx_dtype_equal(a.t, to)) return a;
  LLVMTypeRef type = emit_type(e, to, a.lanes);
  bool from_float = rlx_dtype_is_float(a.t), to_float = rlx_dtype_is_float(to);
  bool from_signed = a.t.code == RLX_DTYPE_INT;
  Val out = {a.v, to, a.lanes, false, false, 0};
  if (a.t.code == RLX_DTYPE_HANDLE || to.code == RLX_DTYPE_HANDLE) {
    if (a.t.code != RLX_DTYPE_HANDLE)
      out.v = LLVMBuildIntToPtr(e->b, a.v, type, "");
    else if (rlx_dtype_is_int(to))
      out.v = LLVMBuildPtrToInt(e->b, a.v, type, "");
    else
      emit_fail(e, "a pointer cannot become a number of this dtype");
  } else if (to.code == RLX_DTYPE_BOOL) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a.v));
    out.v = from_float ? LLVMBuildFCmp(e->b, LLVMRealUNE, a.v, zero, "")
                       : LLVMBuildICmp(e->b, LLVMIntNE, a.v, zero, "");
  } else if (from_float && to_float) {
    if (to.bits == 64 && a.t.bits != 64)
      out.v = LLVMBuildFPExt(e->b, a.v, type, "");
    else if (to.bits < 32 && a.t.bits == 64)
      out.v = emit_round_to_odd(e, a.v, a.lanes); // so that rounding again does no harm
    else if (to.bits != 64 && a.t.bits == 64)
      out.v = LLVMBuildFPTrunc(e->b, a.v, type, "");
    if (to.bits < 32) out.v = emit_round_f16(e, out.v, to, a.lanes);
  } else if (from_float) {
    out.v = float_to_int(e, a, to, type);
  } else if (to_float) {
    out.v =
        from_signed ? LLVMBuildSIToFP(e->b, a.v, type, "") : LLVMBuildUIToFP(e->b, a.v, type, "");
    if (to.bits < 32) out.v = emit_round_f16(e, out.v, to, a.lanes);
  } else {
    out.v = LLVMBuildIntCast2(e->b, a.v, type, from_signed, "");
  }
  return out;
}
