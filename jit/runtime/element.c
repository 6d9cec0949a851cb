/// Elements of tensors: reading, writing and converting them in every dtype.
#include <math.h>
#include <string.h>

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

typedef struct Small { ///< a small float format
  int exponent_bits, fraction_bits, bias;
  bool has_infinity; ///< else the top exponent is for numbers, too
  bool is_fnuz;      ///< 0x80 is the only NaN
} Small;

static bool small_format(RlxDType t, Small *out) {
  switch ((RlxDTypeCode)t.code) {
  case RLX_DTYPE_FLOAT8_E3M4: *out = (Small){3, 4, 3, true, false}; return true;
  case RLX_DTYPE_FLOAT8_E4M3: *out = (Small){4, 3, 7, true, false}; return true;
  case RLX_DTYPE_FLOAT8_E4M3B11FNUZ: *out = (Small){4, 3, 11, false, true}; return true;
  case RLX_DTYPE_FLOAT8_E4M3FN: *out = (Small){4, 3, 7, false, false}; return true;
  case RLX_DTYPE_FLOAT8_E4M3FNUZ: *out = (Small){4, 3, 8, false, true}; return true;
  case RLX_DTYPE_FLOAT8_E5M2: *out = (Small){5, 2, 15, true, false}; return true;
  case RLX_DTYPE_FLOAT8_E5M2FNUZ: *out = (Small){5, 2, 16, false, true}; return true;
  case RLX_DTYPE_UNKNOWN:
  case RLX_DTYPE_INT:
  case RLX_DTYPE_UINT:
  case RLX_DTYPE_BOOL:
  case RLX_DTYPE_FLOAT:
  case RLX_DTYPE_BFLOAT:
  case RLX_DTYPE_FLOAT8_E8M0FNU:
  case RLX_DTYPE_FLOAT6_E2M3FN:
  case RLX_DTYPE_FLOAT6_E3M2FN:
  case RLX_DTYPE_FLOAT4_E2M1FN:
  case RLX_DTYPE_HANDLE: return false;
  }
  return false;
}

double rlx_float_from_small(RlxDType dtype, uint8_t bits) {
  if (dtype.code == RLX_DTYPE_FLOAT8_E8M0FNU)
    return bits == 255 ? not_a_number : ldexp(1, bits - 127);
  Small s;
  if (!small_format(dtype, &s)) return not_a_number;
  int top = (1 << s.exponent_bits) - 1, exponent = bits >> s.fraction_bits & top,
      fraction = bits & ((1 << s.fraction_bits) - 1);
  bool negative = bits >> 7;
  if (s.is_fnuz && bits == 0x80) return not_a_number;
  if (s.has_infinity && exponent == top)
    return fraction ? not_a_number : negative ? -infinity : infinity;
  if (!s.has_infinity && !s.is_fnuz && (bits & 0x7f) == 0x7f) return not_a_number;
  double v = exponent
                 ? ldexp((1 << s.fraction_bits) + fraction, exponent - s.bias - s.fraction_bits)
                 : ldexp(fraction, 1 - s.bias - s.fraction_bits);
  return negative ? -v : v;
}

/// The nearest of the 256 values, ties to even bits: slow, and right.
static uint8_t small_from_number(RlxDType dtype, double value) {
  uint8_t best = 0;
  double distance = infinity;
  for (int b = 0; b < 256; b++) {
    double v = rlx_float_from_small(dtype, (uint8_t)b);
    if (isnan(value) && isnan(v)) return (uint8_t)b;
    double d = v == value ? -1.0 : fabs(v - value);
    if (d < distance || (d == distance && !(b & 1) && (best & 1))) {
      distance = d;
      best = (uint8_t)b;
    }
  }
  return best;
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
                              value >= 9.2e18                    ? INT64_MAX
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
