/// The small floating-point formats: what their bits mean. One table for the code that runs in C
/// (jit/runtime/element.c) and for compiled code (jit/llvm/small_float.c).
///
/// Always true: an element takes one byte, its value in the low bits; a value is rounded to nearest,
/// ties to even, and what is too large becomes what `kind` says. Source: the ml_dtypes package,
/// whose types numpy and TVM use; tests/jit/small_floats.c holds limits and rounding against it.
#ifndef RLX_JIT_CODEGEN_SMALL_FLOAT_H
#define RLX_JIT_CODEGEN_SMALL_FLOAT_H

#include "analyzer/symbolic/dtype.h"

typedef enum RlxSmallKind {
  RLX_SMALL_IEEE,  ///< the top exponent is for infinity and NaN; too large: infinity
  RLX_SMALL_FN,    ///< all ones is NaN, no infinity; too large: NaN
  RLX_SMALL_FNUZ,  ///< the code of -0 is the only NaN; too large: NaN
  RLX_SMALL_PLAIN, ///< no NaN (it becomes -0), no infinity; too large: the largest
  RLX_SMALL_SCALE, ///< an exponent alone: powers of two, ties away from 0; what is not above 0: NaN
} RlxSmallKind;

typedef struct RlxSmallFloat {
  int exponent_bits, fraction_bits, bias;
  RlxSmallKind kind;
} RlxSmallFloat;

/// The format of `t`; false when it is not a small float.
static inline bool rlx_small_float(RlxDType t, RlxSmallFloat *out) {
  static const RlxSmallFloat rows[] = {
      [RLX_DTYPE_FLOAT8_E3M4] = {3, 4, 3, RLX_SMALL_IEEE},
      [RLX_DTYPE_FLOAT8_E4M3] = {4, 3, 7, RLX_SMALL_IEEE},
      [RLX_DTYPE_FLOAT8_E4M3B11FNUZ] = {4, 3, 11, RLX_SMALL_FNUZ},
      [RLX_DTYPE_FLOAT8_E4M3FN] = {4, 3, 7, RLX_SMALL_FN},
      [RLX_DTYPE_FLOAT8_E4M3FNUZ] = {4, 3, 8, RLX_SMALL_FNUZ},
      [RLX_DTYPE_FLOAT8_E5M2] = {5, 2, 15, RLX_SMALL_IEEE},
      [RLX_DTYPE_FLOAT8_E5M2FNUZ] = {5, 2, 16, RLX_SMALL_FNUZ},
      [RLX_DTYPE_FLOAT8_E8M0FNU] = {8, 0, 127, RLX_SMALL_SCALE},
      [RLX_DTYPE_FLOAT6_E2M3FN] = {2, 3, 1, RLX_SMALL_PLAIN},
      [RLX_DTYPE_FLOAT6_E3M2FN] = {3, 2, 3, RLX_SMALL_PLAIN},
      [RLX_DTYPE_FLOAT4_E2M1FN] = {2, 1, 1, RLX_SMALL_PLAIN},
  };
  if (t.code < RLX_DTYPE_FLOAT8_E3M4 || t.code > RLX_DTYPE_FLOAT4_E2M1FN) return false;
  *out = rows[t.code];
  return true;
}

/// The code of the largest number, and of what is beyond it; without the sign.
static inline int rlx_small_largest(const RlxSmallFloat *s) {
  int all = (1 << (s->exponent_bits + s->fraction_bits)) - 1;
  return s->kind == RLX_SMALL_IEEE ? all - (1 << s->fraction_bits)
         : s->kind == RLX_SMALL_FN ? all - 1
                                   : all;
}

#endif
