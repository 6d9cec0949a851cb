/// Values at run time: tensors, shapes, numbers, strings, dtypes, tuples, closures; counted, one
/// thread at a time.
///
/// Tensors are compact row-major, 64-byte aligned when they own their memory, and DLPack-compatible
/// in what they hold (pointer, dtype, shape). Several tensors may share one storage (views). A heap
/// keeps freed storage for the next tensor of that size; it outlives its values.
#ifndef RLX_JIT_RUNTIME_VALUE_H
#define RLX_JIT_RUNTIME_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/symbolic/dtype.h"
#include "base/error.h"

enum { RLX_TENSOR_NDIM_MAX = 64 }; ///< dimensions of a tensor: no value has more

typedef struct RlxHeap RlxHeap;
typedef struct RlxObject RlxObject;

typedef enum RlxObjectKind {
  RLX_OBJECT_TENSOR,
  RLX_OBJECT_SHAPE,
  RLX_OBJECT_INT,   ///< R.Prim of an integer or bool dtype
  RLX_OBJECT_FLOAT, ///< R.Prim of a float dtype
  RLX_OBJECT_STRING,
  RLX_OBJECT_DTYPE,
  RLX_OBJECT_TUPLE,
  RLX_OBJECT_CLOSURE, ///< a function with captured values; code NULL: of an evaluation that has
                      ///< ended
  RLX_OBJECT_NULL,    ///< R.null_value()
  RLX_OBJECT_STORAGE, ///< memory of the virtual machine's builtins
} RlxObjectKind;

typedef struct RlxStorage {
  int32_t refs;
  int32_t size_class; ///< of the heap; negative: a mapping of its own
  bool is_written; ///< a call wrote to it because it was to do so: a result in place, a buffer of a
                   ///< PrimFunc that was called as it is
  bool is_spared;  ///< a forked child does not have it, unless it is asked for (jit/handover.h)
  int64_t bytes;
  int64_t file_at; ///< where it lies in the file of rlx_heap_share; 0: it does not
  void *data;
  RlxHeap *heap;
} RlxStorage;

struct RlxObject {
  int32_t refs;
  uint8_t kind;
  RlxDType dtype; ///< TENSOR, INT, FLOAT, DTYPE
  int32_t count;  ///< dimensions, fields, captured values
  union {
    struct {
      void *data; ///< TENSOR, never NULL
      RlxStorage *storage;
    };
    int64_t integer;
    double number;
    char *text;       ///< STRING: owned
    const void *code; ///< CLOSURE: the evaluator's
  };
  union {
    int64_t *dims;      ///< TENSOR, SHAPE: behind the object
    RlxObject **fields; ///< TUPLE, CLOSURE: behind the object, counted
  };
};

/// A heap; never NULL. rlx_heap_free frees it.
RlxHeap *rlx_heap_new(void);
void rlx_heap_free(RlxHeap *heap);                ///< all values must be gone; NULL is fine
int64_t rlx_heap_used_bytes(const RlxHeap *heap); ///< of storage in use
int64_t rlx_heap_held_bytes(const RlxHeap *heap); ///< in use, or kept for later
void rlx_heap_trim(RlxHeap *heap);                ///< gives kept storage back
/// From here on storage of some pages up to some megabytes lies in the memory file `fd`, behind its first
/// `start` bytes, so that what a process computes need not be copied to whoever has the file, too; and
/// it is brought in at once, not page by page as it is touched. For a process that computes a result and
/// ends. Where the file gives no more, storage is what it was before.
void rlx_heap_share(RlxHeap *heap, int fd, int64_t start);
int64_t rlx_heap_shared_end(const RlxHeap *heap); ///< behind all that ever lay there; 0: nothing
/// From here on storage of some pages or more is spared to forked children, or no longer: for results that stay.
void rlx_heap_spare(RlxHeap *heap, bool spares);
/// More storage than this makes rlx_tensor_new fail; the default is what the machine has.
void rlx_heap_limit(RlxHeap *heap, int64_t bytes);

/// NULL is fine for both.
static inline RlxObject *rlx_object_ref(RlxObject *x) {
  if (x) x->refs++;
  return x;
}
/// Frees a value whose last reference is gone, and drops those that it holds: for rlx_object_unref.
void rlx_object_destroy(RlxObject *x);
static inline void rlx_object_unref(RlxObject *x) {
  if (x && --x->refs == 0) rlx_object_destroy(x);
}

/// Whether a tensor may have so many dimensions; false and `err`.
bool rlx_ndim_fits(int ndim, RlxError *err);
/// Bytes of a compact tensor; false when a dimension is negative, or when the product of the item's
/// size and all dimensions that are not zero is beyond int64.
bool rlx_tensor_size(RlxDType dtype, const int64_t *dims, int ndim, int64_t *out_bytes);
/// An uninitialised tensor; NULL and `err` for too many dimensions, a negative one, an unknown dtype, or no
/// memory.
RlxObject *rlx_tensor_new(RlxHeap *heap, RlxDType dtype, const int64_t *dims, int ndim,
                          RlxError *err);
/// A tensor over other dims or dtype in the same storage, `offset` bytes behind the start of `x`;
/// it must fit.
RlxObject *rlx_tensor_view(RlxHeap *heap, RlxObject *x, RlxDType dtype, const int64_t *dims,
                           int ndim, int64_t offset, RlxError *err);
/// A tensor over memory that somebody else keeps.
RlxObject *rlx_tensor_borrow(RlxHeap *heap, void *data, RlxDType dtype, const int64_t *dims,
                             int ndim);
/// A tensor in [offset, …) of a mapping that this takes over and unmaps with its last tensor.
RlxStorage *rlx_storage_mapping(RlxHeap *heap, void *data, int64_t bytes);
/// A mapping of its own of `size` bytes, of the file or (-1) of memory, that forked children have only when they are asked to:
/// rlx_storage_inherit. NULL: the system gives none.
RlxStorage *rlx_storage_spared(RlxHeap *heap, int fd, int64_t size);
/// Whether children that are forked from here on have it.
void rlx_storage_inherit(const RlxStorage *storage, bool is_inherited);
RlxStorage *rlx_storage_new(RlxHeap *heap, int64_t bytes); ///< NULL: no memory
/// Drops a reference; with the last one the memory goes back to the heap. NULL is fine.
void rlx_storage_unref(RlxStorage *storage);
/// A tensor in `storage`, of which it takes a reference, `offset` bytes behind its start. It must
/// fit.
RlxObject *rlx_tensor_in(RlxHeap *heap, RlxStorage *storage, int64_t offset, RlxDType dtype,
                         const int64_t *dims, int ndim);
RlxObject *rlx_storage_object(RlxHeap *heap, RlxStorage *storage); ///< takes the reference over
int64_t rlx_tensor_count(const RlxObject *x);                      ///< elements
/// Bytes of its elements.
int64_t rlx_tensor_bytes(const RlxObject *x);

/// These give one reference, which is the caller's; never NULL. What they are given is copied.
RlxObject *rlx_shape_new(RlxHeap *heap, const int64_t *dims, int ndim);
/// Values of one number or text; the caller holds the reference.
RlxObject *rlx_int_new(RlxHeap *heap, int64_t value, RlxDType dtype);
RlxObject *rlx_float_new(RlxHeap *heap, double value, RlxDType dtype);
RlxObject *rlx_string_new(RlxHeap *heap, const char *text, size_t size);
RlxObject *rlx_dtype_new(RlxHeap *heap, RlxDType dtype);
RlxObject *rlx_null_new(RlxHeap *heap);
/// Takes references of its own to the fields.
RlxObject *rlx_tuple_new(RlxHeap *heap, RlxObject *const *fields, int count);
/// A function with captured values, to which it takes references of its own; `code` is the
/// evaluator's.
RlxObject *rlx_closure_new(RlxHeap *heap, const void *code, RlxObject *const *captured, int count);

// ---- elements

/// Element `i` in row-major order; a bool is 0 or 1.
double rlx_element_number(const void *data, RlxDType dtype, int64_t i);
/// The same as an integer: a float is cut off towards zero, at the ends of int64 when it is beyond
/// them; NaN gives the least.
int64_t rlx_element_integer(const void *data, RlxDType dtype, int64_t i);
/// Stores a number, rounded or wrapped as C converts it.
void rlx_element_set_number(void *data, RlxDType dtype, int64_t i, double value);
/// Stores an integer: wrapped to the width of an integer dtype, rounded to that of a float.
void rlx_element_set_integer(void *data, RlxDType dtype, int64_t i, int64_t value);
/// Converts `count` elements.
void rlx_elements_convert(void *to, RlxDType to_dtype, const void *from, RlxDType from_dtype,
                          int64_t count);

/// The float16 with these bits.
float rlx_float_from_f16(uint16_t bits);
uint16_t rlx_f16_from_float(float value); ///< to nearest even
/// The bfloat16 with these bits.
float rlx_float_from_bf16(uint16_t bits);
/// The nearest bfloat16, halves to the even one.
uint16_t rlx_bf16_from_float(float value);
/// Small formats (float8_*), as TVM's ml_dtypes define them; other codes give NaN.
double rlx_float_from_small(RlxDType dtype, uint8_t bits);

#endif
