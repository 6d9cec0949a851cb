/// Element types: reading and writing TVM's spelling. One table says which names exist.
#include "analyzer/symbolic/dtype.h"

#include "base/nearest.h"
#include <stdio.h>
#include <string.h>

typedef struct DTypeRow {
  const char *text;
  uint8_t code; // RlxDTypeCode
  uint8_t bits; // 0: the spelling goes on with the number of bits
} DTypeRow;

// A name stands before every name that it is a prefix of.
static const DTypeRow dtype_rows[] = {
    {"bool", RLX_DTYPE_BOOL, 8},
    {"int", RLX_DTYPE_INT, 0},
    {"uint", RLX_DTYPE_UINT, 0},
    {"float8_e3m4", RLX_DTYPE_FLOAT8_E3M4, 8},
    {"float8_e4m3b11fnuz", RLX_DTYPE_FLOAT8_E4M3B11FNUZ, 8},
    {"float8_e4m3fnuz", RLX_DTYPE_FLOAT8_E4M3FNUZ, 8},
    {"float8_e4m3fn", RLX_DTYPE_FLOAT8_E4M3FN, 8},
    {"float8_e4m3", RLX_DTYPE_FLOAT8_E4M3, 8},
    {"float8_e5m2fnuz", RLX_DTYPE_FLOAT8_E5M2FNUZ, 8},
    {"float8_e5m2", RLX_DTYPE_FLOAT8_E5M2, 8},
    {"float8_e8m0fnu", RLX_DTYPE_FLOAT8_E8M0FNU, 8},
    {"float6_e2m3fn", RLX_DTYPE_FLOAT6_E2M3FN, 6},
    {"float6_e3m2fn", RLX_DTYPE_FLOAT6_E3M2FN, 6},
    {"float4_e2m1fn", RLX_DTYPE_FLOAT4_E2M1FN, 4},
    {"float", RLX_DTYPE_FLOAT, 0},
    {"bfloat", RLX_DTYPE_BFLOAT, 0},
    {"handle", RLX_DTYPE_HANDLE, 64},
    {"void", RLX_DTYPE_VOID, 8},
    {"e4m3_float8", RLX_DTYPE_FLOAT8_E4M3FN, 8}, // until 0.19
    {"e5m2_float8", RLX_DTYPE_FLOAT8_E5M2, 8},
};
enum { DTYPE_ROWS = sizeof dtype_rows / sizeof dtype_rows[0] };

/// Reads decimal digits at text[*at..size) into `out`, at most `limit`. False without a digit or
/// above the limit.
static bool read_number(const char *text, size_t size, size_t *at, unsigned limit, unsigned *out) {
  size_t start = *at;
  unsigned value = 0;
  while (*at < size && text[*at] >= '0' && text[*at] <= '9') {
    value = value * 10 + (unsigned)(text[*at] - '0');
    if (value > limit) return false;
    (*at)++;
  }
  *out = value;
  return *at > start;
}

/// Is `bits` a width that TVM takes for `code`? Any that fits its byte, whether or not a machine
/// has it: float33 is a dtype to its parser.
static bool bits_exist(RlxDTypeCode code, unsigned bits) {
  return code == RLX_DTYPE_BFLOAT ? bits == 16 : bits >= 1 && bits <= UINT8_MAX;
}

bool rlx_dtype_is_odd(RlxDType t) {
  if (t.code == RLX_DTYPE_FLOAT) return t.bits != 16 && t.bits != 32 && t.bits != 64;
  if (rlx_dtype_is_int(t)) return t.bits > 64 || (t.bits & (t.bits - 1)) != 0;
  return false;
}

bool rlx_dtype_parse(const char *text, size_t size, RlxDType *out) {
  *out = rlx_dtype_unknown();
  if (size == 0 || (size == 4 && memcmp(text, "void", 4) == 0)) return true;
  for (int i = 0; i < DTYPE_ROWS; i++) {
    const DTypeRow *row = &dtype_rows[i];
    size_t at = strlen(row->text);
    if (size < at || memcmp(text, row->text, at) != 0) continue;
    unsigned bits = row->bits;
    if (bits == 0) {
      bits = row->code == RLX_DTYPE_BFLOAT ? 16 : 32; // "int" is int32
      if (at < size && text[at] >= '0' && text[at] <= '9' &&
          !read_number(text, size, &at, 255, &bits))
        return false;
      if (!bits_exist((RlxDTypeCode)row->code, bits)) return false;
    }
    unsigned lanes = 1;
    if (at < size) {
      if (text[at++] != 'x' || !read_number(text, size, &at, UINT16_MAX, &lanes)) return false;
      if (lanes == 0 || at != size) return false;
    }
    out->code = row->code;
    out->bits = (uint8_t)bits;
    out->lanes = (uint16_t)lanes;
    return true;
  }
  return false;
}

const char *rlx_dtype_nearest(const char *written) {
  static const struct { // of numpy, torch and C, and the short forms of inlay hints
    const char *theirs, *ours;
  } others[] = {
      {"bf16", "bfloat16"}, {"double", "float64"}, {"f16", "float16"},  {"f32", "float32"},
      {"f64", "float64"},   {"fp16", "float16"},   {"fp32", "float32"}, {"fp64", "float64"},
      {"half", "float16"},  {"i16", "int16"},      {"i32", "int32"},    {"i64", "int64"},
      {"i8", "int8"},       {"long", "int64"},     {"short", "int16"},  {"u16", "uint16"},
      {"u32", "uint32"},    {"u64", "uint64"},     {"u8", "uint8"}};
  char text[32]; // in small letters: no dtype has capital ones
  size_t size = 0;
  for (; written[size] && size + 1 < sizeof text; size++)
    text[size] =
        written[size] >= 'A' && written[size] <= 'Z' ? (char)(written[size] | 32) : written[size];
  text[size] = 0;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(others[i].theirs, text) == 0) return others[i].ours;
  static const char *const usual[] = {"float32", "float16", "float64", "bfloat16", "int32",
                                      "int64",   "int8",    "int16",   "uint8",    "uint16",
                                      "uint32",  "uint64",  "bool"};
  RlxNearest nearest = rlx_nearest_start(text);
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) rlx_nearest_try(&nearest, usual[i]);
  return nearest.best;
}

const char *rlx_dtype_text(RlxDType t, char buffer[static RLX_DTYPE_TEXT_MAX]) {
  buffer[0] = '\0';
  for (int i = 0; i < DTYPE_ROWS; i++) {
    const DTypeRow *row = &dtype_rows[i];
    if (row->code != t.code) continue;
    size_t n = strlen(row->text);
    memcpy(buffer, row->text, n + 1);
    if (row->bits == 0) n += (size_t)snprintf(buffer + n, RLX_DTYPE_TEXT_MAX - n, "%u", t.bits);
    if (t.lanes > 1) snprintf(buffer + n, RLX_DTYPE_TEXT_MAX - n, "x%u", t.lanes);
    break;
  }
  return buffer;
}

uint32_t rlx_dtype_bytes(RlxDType t) {
  if (!rlx_dtype_known(t)) return 0;
  return ((uint32_t)t.bits * t.lanes + 7) / 8;
}

int rlx_dtype_dlpack_code(RlxDType t) {
  switch ((RlxDTypeCode)t.code) {
  case RLX_DTYPE_INT: return 0;
  case RLX_DTYPE_UINT: return 1;
  case RLX_DTYPE_FLOAT: return 2;
  case RLX_DTYPE_HANDLE: return 3;
  case RLX_DTYPE_BFLOAT: return 4;
  case RLX_DTYPE_BOOL: return 6;
  case RLX_DTYPE_FLOAT8_E3M4: return 7;
  case RLX_DTYPE_FLOAT8_E4M3: return 8;
  case RLX_DTYPE_FLOAT8_E4M3B11FNUZ: return 9;
  case RLX_DTYPE_FLOAT8_E4M3FN: return 10;
  case RLX_DTYPE_FLOAT8_E4M3FNUZ: return 11;
  case RLX_DTYPE_FLOAT8_E5M2: return 12;
  case RLX_DTYPE_FLOAT8_E5M2FNUZ: return 13;
  case RLX_DTYPE_FLOAT8_E8M0FNU: return 14;
  case RLX_DTYPE_FLOAT6_E2M3FN: return 15;
  case RLX_DTYPE_FLOAT6_E3M2FN: return 16;
  case RLX_DTYPE_FLOAT4_E2M1FN: return 17;
  case RLX_DTYPE_VOID:
  case RLX_DTYPE_UNKNOWN: return 0;
  }
  return 0;
}

RlxDType rlx_dtype_promoted(RlxDType a, RlxDType b) {
  if (rlx_dtype_equal(a, b)) return a;
  RlxDType t = a;
  if (rlx_dtype_is_float(a) != rlx_dtype_is_float(b)) {
    t = rlx_dtype_is_float(a) ? a : b;
  } else if (rlx_dtype_is_bool(a) || rlx_dtype_is_bool(b)) {
    t = rlx_dtype_is_bool(a) ? b : a;
  } else if (a.bits != b.bits) {
    t = a.bits > b.bits ? a : b;
  } else if (b.code == RLX_DTYPE_UINT || a.code == RLX_DTYPE_BFLOAT) {
    t = b;
  }
  t.lanes = a.lanes > b.lanes ? a.lanes : b.lanes;
  return t;
}
