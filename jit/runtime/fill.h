/// Random values for the parameters of a function that nobody gives.
#ifndef RLX_JIT_RUNTIME_FILL_H
#define RLX_JIT_RUNTIME_FILL_H

#include "analyzer/struct_info/sinfo.h"
#include "jit/runtime/value.h"

typedef struct RlxFillParam {
  RlxName name;
  const RlxSInfo *want; ///< NULL: a number of a PrimFunc,
  RlxDType dtype;       ///< of this dtype
  RlxObject *value;     ///< a reference; NULL: it is to be made
} RlxFillParam;

typedef struct RlxFillLength {
  RlxName name; ///< of a symbolic variable; those of one function differ
  int64_t value;
} RlxFillLength;

typedef struct RlxFill {
  RlxFillParam *params;
  uint32_t count;
  const RlxFillLength *lengths; ///< that are chosen
  uint32_t length_count;
  uint64_t seed;
} RlxFill;

/// Fills each value that is NULL with what fits its parameter: floats of vectors in [0, 1), of other
/// tensors in [-a, a) with a = 1 / sqrt(elements behind the first dimension), so that sums stay small;
/// wide integers and indices 0 or 1, which fit almost every table. Dimensions that neither the given
/// values nor the lengths say are RLX_FILL_LENGTH. False: `err` names a parameter that cannot be filled.
enum { RLX_FILL_LENGTH = 8 };
bool rlx_fill(RlxHeap *heap, const RlxStore *store, const RlxFill *what, RlxError *err);

#endif
