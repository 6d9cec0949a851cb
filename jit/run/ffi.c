/// Functions of shared libraries: values as TVM's packed calling convention has them, and back.
/// jit/supply.h says what a library has to look like.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/run/run.h"

typedef struct Any { ///< TVMFFIAny
  int32_t type;
  uint32_t zero;
  union {
    int64_t integer;
    double number;
    const void *pointer;
    uint8_t bytes[8];
  };
} Any;
enum { ANY_NONE, ANY_INT, ANY_BOOL, ANY_FLOAT, ANY_DTYPE = 5, ANY_TENSOR = 7, ANY_STRING };

typedef struct Tensor { ///< DLTensor
  void *data;
  int32_t device, device_id;
  int32_t ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} Tensor;
enum { DEVICE_CPU = 1 };

typedef int Packed(void *self, const Any *args, int32_t count, Any *result);

static RlxDType dtype_of(const Tensor *t) {
  for (int code = RLX_DTYPE_INT; code <= RLX_DTYPE_HANDLE; code++)
    if (rlx_dtype_dlpack_code(rlx_dtype((RlxDTypeCode)code, t->bits)) == t->code && t->lanes == 1)
      return rlx_dtype((RlxDTypeCode)code, t->bits);
  return rlx_dtype_unknown();
}

// ---- values

enum { ROOM = 2 * RLX_TENSOR_NDIM_MAX };

/// `room` has ROOM integers for shape and strides.
static void tensor_out(const RlxObject *x, Tensor *t, int64_t *room) {
  *t = (Tensor){.data = x->data,
                .device = DEVICE_CPU,
                .ndim = x->count,
                .code = (uint8_t)rlx_dtype_dlpack_code(x->dtype),
                .bits = x->dtype.bits,
                .lanes = x->dtype.lanes,
                .shape = room,
                .strides = room + x->count};
  int64_t stride = 1;
  for (int i = x->count; i-- > 0;) {
    t->shape[i] = x->dims[i];
    t->strides[i] = stride;
    stride *= x->dims[i];
  }
}

static bool value_out(const RlxObject *x, int i, Any *any, Tensor *t, int64_t *room,
                      RlxError *err) {
  *any = (Any){.type = ANY_NONE};
  switch ((RlxObjectKind)x->kind) {
  case RLX_OBJECT_TENSOR:
    if (x->count > RLX_TENSOR_NDIM_MAX)
      return rlx_error_set(err, "argument %d has more than %d dimensions", i, RLX_TENSOR_NDIM_MAX);
    tensor_out(x, t, room);
    any->type = ANY_TENSOR;
    any->pointer = t;
    return true;
  case RLX_OBJECT_INT:
    any->type = rlx_dtype_is_bool(x->dtype) ? ANY_BOOL : ANY_INT;
    any->integer = x->integer;
    return true;
  case RLX_OBJECT_FLOAT:
    any->type = ANY_FLOAT;
    any->number = x->number;
    return true;
  case RLX_OBJECT_STRING:
    any->type = ANY_STRING;
    any->pointer = x->text;
    return true;
  case RLX_OBJECT_DTYPE:
    any->type = ANY_DTYPE;
    any->bytes[0] = (uint8_t)rlx_dtype_dlpack_code(x->dtype);
    any->bytes[1] = x->dtype.bits;
    memcpy(&any->bytes[2], &x->dtype.lanes, sizeof x->dtype.lanes);
    return true;
  case RLX_OBJECT_NULL: return true;
  case RLX_OBJECT_SHAPE:
  case RLX_OBJECT_TUPLE:
  case RLX_OBJECT_CLOSURE:
  case RLX_OBJECT_STORAGE: break;
  }
  return rlx_error_set(err,
                       "argument %d is a %s, which a C function cannot take: give it tensors, "
                       "numbers, strings and dtypes",
                       i,
                       x->kind == RLX_OBJECT_SHAPE   ? "shape"
                       : x->kind == RLX_OBJECT_TUPLE ? "tuple"
                                                     : "value of another kind");
}

/// A copy of a tensor that a function gave.
static RlxObject *tensor_in(RlxHeap *heap, const Tensor *t, RlxError *err) {
  RlxDType dtype = t ? dtype_of(t) : rlx_dtype_unknown();
  if (!t || t->ndim < 0 || t->ndim > RLX_TENSOR_NDIM_MAX || t->device != DEVICE_CPU ||
      !rlx_dtype_known(dtype))
    return rlx_error_set(err, "it gave a tensor that is not one of the CPU with a known dtype"),
           NULL;
  int64_t expected = 1;
  for (int i = t->ndim; i-- > 0;) {
    if (t->strides && t->shape[i] != 1 && t->strides[i] != expected)
      return rlx_error_set(err, "it gave a tensor that is not row-major"), NULL;
    expected *= t->shape[i];
  }
  RlxObject *x = rlx_tensor_new(heap, dtype, t->shape, t->ndim, err);
  if (x) memcpy(x->data, (const char *)t->data + t->byte_offset, (size_t)rlx_tensor_bytes(x));
  return x;
}

static RlxObject *result_in(RlxHeap *heap, const Any *any, RlxError *err) {
  switch (any->type) {
  case ANY_NONE: return rlx_tuple_new(heap, NULL, 0);
  case ANY_INT: return rlx_int_new(heap, any->integer, RLX_INT64);
  case ANY_BOOL: return rlx_int_new(heap, any->integer != 0, RLX_BOOL);
  case ANY_FLOAT: return rlx_float_new(heap, any->number, RLX_FLOAT64);
  case ANY_TENSOR: return tensor_in(heap, any->pointer, err);
  default:
    return rlx_error_set(err, "it gave a value of type %d; none, numbers and DLTensor * are known",
                         any->type),
           NULL;
  }
}

// ---- calls

void *rlx_ffi_find(const RlxJit *jit, const char *name) {
  char symbol[300];
  if (strlen(name) > 250) return NULL;
  // The prefix keeps a script away from the functions of the C library that a library stands on.
  snprintf(symbol, sizeof symbol, "__tvm_ffi_%s", name);
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < jit->supplies.count; i++) {
      void *library = jit->supplies.at[i].library, *found = library ? dlsym(library, symbol) : NULL;
      if (found) return found;
    }
    for (char *p = symbol; *p; p++)
      if (*p == '.') *p = '_';
  }
  return NULL;
}

RlxObject *rlx_ffi_call(RlxHeap *heap, void *function, RlxObject *const *args, int count,
                        RlxError *err) {
  union {
    void *in;
    Packed *out;
  } code = {function};
  Any *values = rlx_mem_zeroed((size_t)count + 1, sizeof *values), result = {.type = ANY_NONE};
  Tensor *tensors = rlx_mem_zeroed((size_t)count + 1, sizeof *tensors);
  int64_t *rooms = rlx_mem_zeroed((size_t)count * ROOM + 1, sizeof *rooms);
  bool ok = true;
  for (int i = 0; i < count && ok; i++)
    ok = value_out(args[i], i, &values[i], &tensors[i], rooms + (ptrdiff_t)i * ROOM, err);
  RlxObject *x = NULL;
  if (ok) {
    int status = code.out(NULL, values, count, &result);
    x = status ? (rlx_error_set(err, "it failed with status %d", status), NULL)
               : result_in(heap, &result, err);
  }
  free(values);
  free(tensors);
  free(rooms);
  return x;
}
