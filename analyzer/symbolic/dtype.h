/// Element types as TVM spells them: "float32", "int8", "bool", "float8_e4m3fn", "float16x4",
/// "handle", "" (unknown).
#ifndef RLX_ANALYZER_DTYPE_H
#define RLX_ANALYZER_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum RlxDTypeCode {
  RLX_DTYPE_UNKNOWN = 0, ///< not given: "" or "void"
  RLX_DTYPE_INT,
  RLX_DTYPE_UINT,
  RLX_DTYPE_BOOL,
  RLX_DTYPE_FLOAT,
  RLX_DTYPE_BFLOAT,
  RLX_DTYPE_FLOAT8_E3M4,
  RLX_DTYPE_FLOAT8_E4M3,
  RLX_DTYPE_FLOAT8_E4M3B11FNUZ,
  RLX_DTYPE_FLOAT8_E4M3FN,
  RLX_DTYPE_FLOAT8_E4M3FNUZ,
  RLX_DTYPE_FLOAT8_E5M2,
  RLX_DTYPE_FLOAT8_E5M2FNUZ,
  RLX_DTYPE_FLOAT8_E8M0FNU,
  RLX_DTYPE_FLOAT6_E2M3FN,
  RLX_DTYPE_FLOAT6_E3M2FN,
  RLX_DTYPE_FLOAT4_E2M1FN,
  RLX_DTYPE_HANDLE,
  RLX_DTYPE_VOID, ///< "void" as a dtype of its own, from 0.26 on; never read by rlx_dtype_parse
} RlxDTypeCode;

/// A value: compare with rlx_dtype_equal. All zero bytes mean "unknown".
typedef struct RlxDType {
  uint8_t code;   ///< RlxDTypeCode
  uint8_t bits;   ///< of one lane; bool has 8 in memory, 1 here never occurs
  uint16_t lanes; ///< 1 for scalars; 0 only when unknown
} RlxDType;

static inline RlxDType rlx_dtype(RlxDTypeCode code, int bits) {
  RlxDType t = {(uint8_t)code, (uint8_t)bits, 1};
  return t;
}
static inline RlxDType rlx_dtype_unknown(void) {
  RlxDType t = {0, 0, 0};
  return t;
}
#define RLX_INT64   rlx_dtype(RLX_DTYPE_INT, 64)
#define RLX_INT32   rlx_dtype(RLX_DTYPE_INT, 32)
#define RLX_FLOAT32 rlx_dtype(RLX_DTYPE_FLOAT, 32)
#define RLX_FLOAT64 rlx_dtype(RLX_DTYPE_FLOAT, 64)
#define RLX_BOOL    rlx_dtype(RLX_DTYPE_BOOL, 8)
#define RLX_VOID    rlx_dtype(RLX_DTYPE_VOID, 8)

static inline bool rlx_dtype_equal(RlxDType a, RlxDType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
static inline bool rlx_dtype_known(RlxDType t) { return t.code != RLX_DTYPE_UNKNOWN; }
static inline bool rlx_dtype_is_int(RlxDType t) {
  return t.code == RLX_DTYPE_INT || t.code == RLX_DTYPE_UINT;
}
static inline bool rlx_dtype_is_bool(RlxDType t) { return t.code == RLX_DTYPE_BOOL; }
/// The least and the largest number of a dtype of integers or of bool, as far as int64 reaches; all of
/// int64 for another dtype.
static inline void rlx_dtype_limits(RlxDType t, int64_t *min, int64_t *max) {
  const bool is_signed = t.code == RLX_DTYPE_INT, is_unsigned = t.code == RLX_DTYPE_UINT;
  const unsigned bits = rlx_dtype_is_bool(t) ? 1U : t.bits - (is_signed ? 1U : 0U);
  *max = (rlx_dtype_is_bool(t) || is_signed || is_unsigned) && bits < 63 ? (INT64_C(1) << bits) - 1
                                                                         : INT64_MAX;
  *min = rlx_dtype_is_bool(t) || is_unsigned ? 0 : -*max - 1;
}
/// Any binary floating-point format, bfloat16 and the small ones included.
static inline bool rlx_dtype_is_float(RlxDType t) {
  return t.code >= RLX_DTYPE_FLOAT && t.code <= RLX_DTYPE_FLOAT4_E2M1FN;
}

/// Is it "float33" and the like: a width that TVM accepts although no machine has it?
bool rlx_dtype_is_odd(RlxDType t);

/// Reads `text` ("float32", "int32x4", "void" and "" give unknown). False when TVM has no such
/// dtype; `out` is then unknown.
bool rlx_dtype_parse(const char *text, size_t size, RlxDType *out);

#define RLX_DTYPE_TEXT_MAX 32
/// The usual dtype nearest to a misspelt one; NULL when none is near.
const char *rlx_dtype_nearest(const char *text);
/// Writes TVM's spelling into `buffer` and returns it; "" when unknown.
const char *rlx_dtype_text(RlxDType t, char buffer[static RLX_DTYPE_TEXT_MAX]);

/// Bytes of one element of `t` in memory (lanes included; sub-byte types round up to 1). 0 when
/// unknown.
uint32_t rlx_dtype_bytes(RlxDType t);

/// The dtype that operands of two dtypes meet in: TVM's BinaryOpMatchTypes. Floats win, wider wins; at equal width
/// unsigned wins, and float16 over bfloat16.
RlxDType rlx_dtype_promoted(RlxDType a, RlxDType b);

/// Code of a dtype in DLPack: int 0, uint 1, float 2, handle 3, bfloat 4, bool 6, the small floats
/// from 7.
int rlx_dtype_dlpack_code(RlxDType t);

#endif
