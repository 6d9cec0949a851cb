/// Which dtypes an operator's kernel takes and what is checked while it runs: the rows of dtypes.def.
#include "analyzer/ops/op_ids.h"
#include "jit/legalize/legalize.h"

typedef enum Set { ALL, FLOAT, PLAIN_FLOAT, INTEGER, NUMBER } Set;

static Set set_of(const RlxOpRow *row) {
  switch (row->id) {
#define RLX_DTYPES(op, set)                                                                        \
  case RLX_OPID_##op: return set;
#define RLX_CHECKS(op, what)
#include "jit/legalize/dtypes.def"
#undef RLX_DTYPES
#undef RLX_CHECKS
  default: return ALL;
  }
}

static bool is_whole(RlxDType t) {
  return t.code == RLX_DTYPE_BOOL ||
         ((t.code == RLX_DTYPE_INT || t.code == RLX_DTYPE_UINT) &&
          (t.bits == 8 || t.bits == 16 || t.bits == 32 || t.bits == 64));
}

bool rlx_legalize_takes(const RlxOpRow *row, RlxDType t) {
  bool plain = t.code == RLX_DTYPE_FLOAT;
  switch (set_of(row)) {
  case ALL: return is_whole(t) || rlx_dtype_is_float(t);
  case FLOAT: return plain || t.code == RLX_DTYPE_BFLOAT;
  case PLAIN_FLOAT: return plain;
  case INTEGER: return is_whole(t);
  case NUMBER: return t.code != RLX_DTYPE_BOOL && (is_whole(t) || rlx_dtype_is_float(t));
  }
  return false;
}

const char *rlx_legalize_dtypes(const RlxOpRow *row) {
  switch (set_of(row)) {
  case ALL: return "integers of 8 to 64 bits, bool, and floating point of any size";
  case FLOAT: return "float16, bfloat16, float32 and float64";
  case PLAIN_FLOAT: return "float16, float32 and float64";
  case INTEGER: return "integers of 8 to 64 bits, and bool";
  case NUMBER: return "integers of 8 to 64 bits, and floating point of any size";
  }
  return "";
}

const char *rlx_legalize_checks(const RlxOpRow *row) {
  switch (row->id) {
#define RLX_DTYPES(op, set)
#define RLX_CHECKS(op, what)                                                                       \
  case RLX_OPID_##op: return what;
#include "jit/legalize/dtypes.def"
#undef RLX_DTYPES
#undef RLX_CHECKS
  default: return NULL;
  }
}
