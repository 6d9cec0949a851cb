/// Tensors in numpy's files: .npy (versions 1 to 3, both byte orders, Fortran order) and .npz
/// archives.
///
/// Any bytes are a legal input: a clear error, or a tensor. bfloat16 and the 8-bit floats have no
/// numpy dtype: they are written as float32, which holds each of their values.
#ifndef RLX_JIT_RUNTIME_NPY_H
#define RLX_JIT_RUNTIME_NPY_H

#include <signal.h>

#include "base/buf.h"
#include "jit/runtime/value.h"

enum {
  RLX_ARRAY_NDIM_MAX = RLX_TENSOR_NDIM_MAX,
  RLX_ARRAY_HEADER_MAX = 65536, ///< bytes; numpy itself refuses more than 10,000
  RLX_ARRAYS_MAX = 100000,      ///< in one archive or folder
};

/// What a file says about an array ahead of its elements; nothing of these is read for it.
typedef struct RlxArrayHead {
  RlxDType dtype;
  int ndim;
  int64_t dims[RLX_ARRAY_NDIM_MAX];
  bool is_swapped; ///< the elements are in the other byte order
  bool is_fortran; ///< and column by column
  int64_t bytes;   ///< of the elements
} RlxArrayHead;

/// Whether elements are wanted: asked with the head, before anything is read or allocated for them.
/// False: `err` says why not.
typedef struct RlxArrayFit {
  bool (*is_wanted)(const void *data, const RlxArrayHead *head, RlxError *err);
  const void *data;
  bool *
      is_foreign; ///< becomes true where there is no array, or one of what no tensor holds (text, objects, complex numbers); or NULL
} RlxArrayFit;

/// The tensor in `bytes`; NULL and `err`.
RlxObject *rlx_npy_decode(RlxHeap *heap, const char *bytes, size_t size, RlxError *err);
/// Appends the tensor as the bytes of a .npy file.
void rlx_npy_encode(const RlxObject *tensor, RlxBuf *out);

/// The tensor of a .npy file, with a count of one for the caller; NULL with the reason in `err`.
/// `fit` NULL: any array is wanted.
RlxObject *rlx_npy_read(RlxHeap *heap, const char *path, const RlxArrayFit *fit, RlxError *err);
/// Writes a .npy file, as a whole or not at all; false with the reason in `err`, which is "interrupted" once a signal
/// handler set `*cancel` (NULL: never).
bool rlx_npy_write(const RlxObject *tensor, const char *path, const volatile sig_atomic_t *cancel,
                   RlxError *err);

/// The arrays of a .npz, in the archive's order, or 000.npy, 001.npy, … of a folder (which are
/// called arr_0, arr_1, …). Opening reads names only.
typedef struct RlxArrays RlxArrays;
RlxArrays *rlx_arrays_open(const char *path, RlxError *err); ///< NULL with the reason in `err`
void rlx_arrays_close(RlxArrays *arrays);                    ///< NULL is fine
int rlx_arrays_count(const RlxArrays *arrays);
/// The array's name, without ".npy"; of `arrays`.
const char *rlx_arrays_name(const RlxArrays *arrays, int i);
/// The array itself, a reference for the caller; NULL with the reason in `err`.
RlxObject *rlx_arrays_read(const RlxArrays *arrays, int i, RlxHeap *heap, const RlxArrayFit *fit,
                           RlxError *err);
/// The comment of a .npz, `*out_size` bytes of `arrays`; NULL: it has none.
const char *rlx_arrays_comment(const RlxArrays *arrays, size_t *out_size);
/// Writes arr_0, arr_1, … into a .npz, or 000.npy, … into a folder (made when it is not there) for
/// any other name.
bool rlx_arrays_write(RlxObject *const *tensors, int count, const char *path, RlxError *err);
/// What a .npz is to hold.
typedef struct RlxArchive {
  RlxObject *const *tensors;
  char *const *names; ///< one a tensor, without ".npy"; NULL: arr_0, arr_1, …
  int count;
  const RlxBuf *text; ///< a member of its own, called `text_name`; NULL: none
  const char *text_name;
  const char *comment; ///< of the archive, which is no member; NULL: none
} RlxArchive;
/// Writes it; `cancel` as in rlx_npy_write.
bool rlx_archive_write(const RlxArchive *archive, const char *path,
                       const volatile sig_atomic_t *cancel, RlxError *err);
/// Appends member `i` of an archive as it is, of at most `limit_bytes`; false and `err`.
bool rlx_arrays_text(const RlxArrays *arrays, int i, int64_t limit_bytes, RlxBuf *out,
                     RlxError *err);

#endif
