/// Tensors in numpy's files: .npy (versions 1 to 3, both byte orders, Fortran order) and .npz
/// archives.
///
/// Any bytes are a legal input: a clear error, or a tensor. bfloat16 and the 8-bit floats have no
/// numpy dtype: they are written as float32, which holds each of their values.
#ifndef RLX_JIT_RUNTIME_NPY_H
#define RLX_JIT_RUNTIME_NPY_H

#include "base/buf.h"
#include "base/vec.h"
#include "jit/runtime/value.h"

/// One array with its name; both are the list's.
typedef struct RlxNamedTensor {
  char *name; ///< without ".npy"
  RlxObject *tensor;
} RlxNamedTensor;
typedef Vec(RlxNamedTensor) RlxNamedTensors;
void rlx_named_tensors_free(RlxNamedTensors *list);

/// The tensor in `bytes`; NULL and `err`.
RlxObject *rlx_npy_decode(RlxHeap *heap, const char *bytes, size_t size, RlxError *err);
/// Appends the tensor as the bytes of a .npy file.
void rlx_npy_encode(const RlxObject *tensor, RlxBuf *out);

/// The tensor of a .npy file, with a count of one for the caller; NULL with the reason in `err`.
RlxObject *rlx_npy_read(RlxHeap *heap, const char *path, RlxError *err);
/// Writes a .npy file, as a whole or not at all; false with the reason in `err`.
bool rlx_npy_write(const RlxObject *tensor, const char *path, RlxError *err);

/// The arrays of a .npz, in the archive's order, or 000.npy, 001.npy, … of a folder; appended to
/// `out`.
bool rlx_arrays_read(RlxHeap *heap, const char *path, RlxNamedTensors *out, RlxError *err);
/// Writes arr_0, arr_1, … into a .npz, or 000.npy, … into a folder (made when it is not there) for
/// any other name.
bool rlx_arrays_write(RlxObject *const *tensors, int count, const char *path, RlxError *err);

#endif
