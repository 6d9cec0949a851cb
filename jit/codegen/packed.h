/// Packed functions that kernels call, `T.call_packed("tvm.contrib.sort.sort", …)`: what TVM's lowering leaves to C.
///
/// Always true: an array's memory holds all elements of its shape, which compiled code checks before the call.
#ifndef RLX_JIT_CODEGEN_PACKED_H
#define RLX_JIT_CODEGEN_PACKED_H

#include <stdint.h>

#include "analyzer/symbolic/dtype.h"

typedef enum RlxPackedKind { RLX_PACKED_NUMBER, RLX_PACKED_ARRAY, RLX_PACKED_TEXT } RlxPackedKind;

/// An argument. Compiled code writes it: its layout is part of the contract with the code generator.
typedef struct RlxPackedArg {
  int64_t kind, number; ///< RlxPackedKind; NUMBER: its value; ARRAY: the number of its dimensions
  void *data;           ///< ARRAY: its first element; TEXT: the text
  const int64_t *shape; ///< ARRAY
  int64_t dtype;        ///< ARRAY: an RlxDType in its low 32 bits
} RlxPackedArg;

enum { RLX_PACKED_ARGS_MAX = 12, RLX_PACKED_WORDS = 5 }; ///< words of eight bytes in an argument

/// Carries it out; 0: the arguments are not those that the function takes.
typedef int32_t RlxPackedFn(const RlxPackedArg *args, int32_t count);

#define RLX_PACKED_PREFIX "packed:" ///< of a packed function's symbol, which no T.call_extern names

static inline int64_t rlx_packed_dtype(RlxDType t) {
  return (int64_t)((uint32_t)t.code | (uint32_t)t.bits << 8 | (uint32_t)t.lanes << 16);
}

#endif
