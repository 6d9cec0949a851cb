/// Tensors in .safetensors files, which stay in the file: their memory is a private mapping of it,
/// so reading is as fast as the file is looked at, and nothing is ever written back.
///
/// Any bytes are a legal input: a clear error, or tensors. Source of the format:
/// https://huggingface.co/docs/safetensors (eight bytes of length, a header in JSON, the elements).
#ifndef RLX_JIT_RUNTIME_SAFETENSORS_H
#define RLX_JIT_RUNTIME_SAFETENSORS_H

#include <signal.h>

#include "base/vec.h"
#include "jit/runtime/value.h"

enum {
  RLX_SAFETENSORS_HEADER_MAX = 100000000, ///< bytes; as the format has it
  RLX_SAFETENSORS_MAX = 100000,           ///< tensors in one file
};

typedef struct RlxNamedTensor {
  char *name; ///< owned
  RlxObject *tensor;
} RlxNamedTensor;
typedef Vec(RlxNamedTensor) RlxNamedTensors;

/// Appends the tensors of the file in the header's order, each a reference of the caller's (and
/// rlx_named_tensors_free frees them). False with the reason in `err`: nothing is appended.
bool rlx_safetensors_open(RlxHeap *heap, const char *path, RlxNamedTensors *out, RlxError *err);
/// Writes the tensors, whose names differ; given up once `*cancel` is set (NULL: never). False and `err`.
bool rlx_safetensors_write(const RlxNamedTensors *tensors, const char *path,
                           const volatile sig_atomic_t *cancel, RlxError *err);
void rlx_named_tensors_free(RlxNamedTensors *tensors);

#endif
