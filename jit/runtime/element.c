/// Elements of tensors: reading, writing and converting them in every dtype.
#include <math.h>
#include <string.h>

#include "jit/codegen/small_float.h"
#include "jit/runtime/value.h"

static const double not_a_number = (double)NAN, infinity = (double)INFINITY;

float rlx_float_from_bf16(uint16_t bits) {
  uint32_t u = (uint32_t)bits << 16;
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

uint16_t rlx_bf16_from_float(float value) {
  uint32_t u;
  memcpy(&u, &value, sizeof u);
  if (isnan(value)) return (uint16_t)((u >> 16) | 0x40u);
  u += 0x7fffu + ((u >> 16) & 1u);
  return (uint16_t)(u >> 16);
}

float rlx_float_from_f16(uint16_t bits) {
  uint32_t sign = (uint32_t)(bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u,
           fraction = bits & 0x3ffu, u;
  if (exponent == 31)
    u = sign | 0x7f800000u | fraction << 13;
  else if (exponent)
    u = sign | (exponent + 112) << 23 | fraction << 13;
  else {
    float f = ldexpf((float)fraction, -24);
    return sign ? -f : f;
  }
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

uint16_t rlx_f16_from_float(float value) {
  uint32_t u;
  memcpy(&u, &value, sizeof u);
  uint16_t sign = (uint16_t)((u >> 16) & 0x8000u);
  u &= 0x7fffffffu;
  if (u > 0x7f800000u) return (uint16_t)(sign | 0x7e00u);
  if (u >= 0x477ff000u) return (uint16_t)(sign | 0x7c00u); // rounds to infinity
  if (u < 0x38800000u) return (uint16_t)(sign | (uint16_t)lrintf(ldexpf(fabsf(value), 24)));
  u += 0xfffu + ((u >> 13) & 1u);
  return (uint16_t)(sign | ((u - 0x38000000u) >> 13));
}

double rlx_float_from_small(RlxDType dtype, uint8_t bits) {
  RlxSmallFloat s;
  if (!rlx_small_float(dtype, &s)) return not_a_number;
  if (s.kind == RLX_SMALL_SCALE) return bits == 255 ? not_a_number : ldexp(1, bits - 127);
  int width = s.exponent_bits + s.fraction_bits, code = bits & ((1 << width) - 1),
      largest = rlx_small_largest(&s);
  bool negative = bits >> width & 1;
  if (s.kind == RLX_SMALL_FNUZ && negative && !code) return not_a_number;
  if (code > largest)
    return s.kind != RLX_SMALL_IEEE || code > largest + 1 ? not_a_number
           : negative                                     ? -infinity
                                                          : infinity;
  int exponent = code >> s.fraction_bits, fraction = code & ((1 << s.fraction_bits) - 1);
  double v = exponent
                 ? ldexp((1 << s.fraction_bits) + fraction, exponent - s.bias - s.fraction_bits)
                 : ldexp(fraction, 1 - s.bias - s.fraction_bits);
  return negative ? -v : v;
}

/// The code of a number; jit/codegen/small_float.h says how it is rounded.
static uint8_t small_from_number(RlxDType dtype, double value) {
  RlxSmallFloat s;
  if (!rlx_small_float(dtype, &s)) return 0;
  double size = fabs(value);
  int exponent = -1000; // of 0: below all
  if (size > 0 && size < infinity) frexp(size, &exponent);
  exponent--; // size = 1.f * 2^exponent
  if (s.kind == RLX_SMALL_SCALE) {
    if (!(value > 0) || value == infinity) return 255;
    if (size >= ldexp(1.5, exponent)) exponent++;
    return exponent < -127 ? 0 : exponent > 127 ? 255 : (uint8_t)(exponent + 127);
  }
  int width = s.exponent_bits + s.fraction_bits, largest = rlx_small_largest(&s);
  int sign = signbit(value) ? 1 << width : 0;
  if (isnan(value))
    return (uint8_t)(s.kind == RLX_SMALL_IEEE ? sign | (largest + 1) | 1 << (s.fraction_bits - 1)
                     : s.kind == RLX_SMALL_FN ? sign | (largest + 1)
                                              : 1 << width);
  if (exponent < 1 - s.bias) exponent = 1 - s.bias;
  // In units of the last place: up to 2^(fraction_bits + 1), which carries into the exponent.
  double steps = size == infinity ? infinity : rint(ldexp(size, s.fraction_bits - exponent));
  int64_t code = steps > 1e6
                     ? INT32_MAX
                     : (int64_t)steps + ((int64_t)(exponent - 1 + s.bias) << s.fraction_bits);
  if (code > largest) {
    if (s.kind == RLX_SMALL_FNUZ) return (uint8_t)(1 << width);
    code = s.kind == RLX_SMALL_PLAIN ? largest : largest + 1;
  }
  if (!code && s.kind == RLX_SMALL_FNUZ) return 0;
  return (uint8_t)(code | sign);
}

#define READ(type) (((const type *)data)[i])

double rlx_element_number(const void *data, RlxDType t, int64_t i) {
  switch (t.code) {
  case RLX_DTYPE_FLOAT:
    if (t.bits == 32) return (double)READ(float);
    if (t.bits == 64) return READ(double);
    return (double)rlx_float_from_f16(READ(uint16_t));
  case RLX_DTYPE_BFLOAT: return (double)rlx_float_from_bf16(READ(uint16_t));
  case RLX_DTYPE_UINT:
    if (t.bits == 64) return (double)READ(uint64_t);
    return (double)rlx_element_integer(data, t, i);
  case RLX_DTYPE_INT:
  case RLX_DTYPE_BOOL: return (double)rlx_element_integer(data, t, i);
  default: return rlx_float_from_small(t, READ(uint8_t));
  }
}

int64_t rlx_element_integer(const void *data, RlxDType t, int64_t i) {
  if (t.code == RLX_DTYPE_BOOL) return READ(uint8_t) != 0;
  if (t.code == RLX_DTYPE_UINT) switch (t.bits) {
    case 64: return (int64_t)READ(uint64_t);
    case 32: return READ(uint32_t);
    case 16: return READ(uint16_t);
    default: return READ(uint8_t);
    }
  if (t.code == RLX_DTYPE_INT) switch (t.bits) {
    case 64: return READ(int64_t);
    case 32: return READ(int32_t);
    case 16: return READ(int16_t);
    default: return READ(int8_t);
    }
  double v = rlx_element_number(data, t, i);
  return v >= 9.2e18 ? INT64_MAX : v <= -9.2e18 || isnan(v) ? INT64_MIN : (int64_t)v;
}

#define WRITE(type, value) (((type *)data)[i] = (type)(value))

void rlx_element_set_integer(void *data, RlxDType t, int64_t i, int64_t value) {
  if (t.code == RLX_DTYPE_BOOL)
    WRITE(uint8_t, value != 0);
  else if (rlx_dtype_is_int(t))
    switch (t.bits) {
    case 64: WRITE(int64_t, value); break;
    case 32: WRITE(uint32_t, value); break;
    case 16: WRITE(uint16_t, value); break;
    default: WRITE(uint8_t, value); break;
    }
  else
    rlx_element_set_number(data, t, i, (double)value);
}

void rlx_element_set_number(void *data, RlxDType t, int64_t i, double value) {
  switch (t.code) {
  case RLX_DTYPE_FLOAT:
    if (t.bits == 32)
      WRITE(float, value);
    else if (t.bits == 64)
      WRITE(double, value);
    else
      WRITE(uint16_t, rlx_f16_from_float((float)value));
    return;
  case RLX_DTYPE_BFLOAT: WRITE(uint16_t, rlx_bf16_from_float((float)value)); return;
  case RLX_DTYPE_BOOL: WRITE(uint8_t, value != 0.0); return;
  case RLX_DTYPE_INT:
  case RLX_DTYPE_UINT:
    if (t.code == RLX_DTYPE_UINT && value >= 9.2e18)
      WRITE(uint64_t, value >= 1.8446744073709550e19 ? UINT64_MAX : (uint64_t)value);
    else
      rlx_element_set_integer(data, t, i,
                              t.code == RLX_DTYPE_UINT && value >= 9.2e18
                                  ? (int64_t)(value < 0x1p64 ? (uint64_t)value : UINT64_MAX)
                              : value >= 9.2e18                  ? INT64_MAX
                              : value <= -9.2e18 || isnan(value) ? INT64_MIN
                                                                 : (int64_t)value);
    return;
  default: WRITE(uint8_t, small_from_number(t, value)); return;
  }
}

void rlx_elements_convert(void *to, RlxDType to_dtype, const void *from, RlxDType from_dtype,
                          int64_t count) {
  if (rlx_dtype_equal(to_dtype, from_dtype)) {
    memcpy(to, from, (size_t)count * rlx_dtype_bytes(to_dtype));
    return;
  }
  bool exact = !rlx_dtype_is_float(to_dtype) && !rlx_dtype_is_float(from_dtype);
  for (int64_t i = 0; i < count; i++) {
    if (exact)
      rlx_element_set_integer(to, to_dtype, i, rlx_element_integer(from, from_dtype, i));
    else
      rlx_element_set_number(to, to_dtype, i, rlx_element_number(from, from_dtype, i));
  }
}
