/// Values: making, sharing and freeing them; the heap keeps storage by size class.
#include "jit/runtime/value.h"
#include "analyzer/diag/diag.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "jit/runtime/guarded.h"
#include "jit/runtime/shared.h"

enum { ALIGNMENT = 64, CLASSES = 160, KEPT_MAX = 32 };
enum { MAPPED = -1, GUARDED = -2 }; // in place of a size class

typedef struct Memory {
  void *data;
  int64_t file_at; ///< as in RlxStorage
} Memory;

typedef struct Kept {
  int64_t bytes; ///< of each
  int count;
} Kept;

/// The memory file of rlx_heap_share.
typedef struct Shared {
  int fd;
  int64_t start, end; ///< end 0: there is none
} Shared;

/// What is less than this is copied sooner than it is mapped; what is more, and all together, may never
/// be touched as a whole.
enum { SHARED_LEAST = (64 << 10) + 1, SHARED_MOST = 4 << 20, SHARED_IN_ALL = 64 << 20 };

struct RlxHeap {
  Kept kept[CLASSES];
  Memory memory[CLASSES][KEPT_MAX]; // of kept
  int64_t used, held, limit;
  Shared shared;
  bool spares;         ///< what is large is no child's
  RlxGuardPages guard; // other than OFF: nothing is kept, each storage has a mapping
};

/// Four classes for each power of two from 64 bytes on.
static int class_of(int64_t bytes, int64_t *out_bytes) {
  int64_t size = ALIGNMENT;
  int c = 0;
  while (size < bytes && c + 4 < CLASSES) {
    for (int quarter = 1; quarter < 4; quarter++)
      if (size >= 256 && bytes <= size + size / 4 * quarter) {
        *out_bytes = size + size / 4 * quarter;
        return c + quarter;
      }
    size *= 2;
    c += 4;
  }
  *out_bytes = size;
  return c;
}

RlxHeap *rlx_heap_new(void) {
  RlxHeap *heap = rlx_mem_zeroed(1, sizeof *heap);
  int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  heap->limit = pages > 0 && page > 0 ? pages * page : INT64_MAX / 4;
  heap->guard = rlx_guard_pages();
  return heap;
}

static void give_back(RlxHeap *heap, Memory memory, int64_t size) {
  heap->held -= size;
  if (memory.file_at)
    rlx_shared_free(heap->shared.fd, memory.data, memory.file_at, size);
  else
    free(memory.data);
}

void rlx_heap_trim(RlxHeap *heap) {
  for (int c = 0; c < CLASSES; c++)
    for (Kept *kept = &heap->kept[c]; kept->count;)
      give_back(heap, heap->memory[c][--kept->count], kept->bytes);
}

void rlx_heap_free(RlxHeap *heap) {
  if (!heap) return;
  rlx_heap_trim(heap);
  free(heap);
}

int64_t rlx_heap_used_bytes(const RlxHeap *heap) { return heap->used; }
int64_t rlx_heap_held_bytes(const RlxHeap *heap) { return heap->held; }
void rlx_heap_limit(RlxHeap *heap, int64_t bytes) { heap->limit = bytes; }

/// Brings the pages of new storage in by one call. What is much larger may never be touched as a whole.
static void populate(char *data, int64_t size) {
#ifdef MADV_POPULATE_WRITE
  enum { LEAST = 32 << 10 };
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), skipped = -(uintptr_t)data & (page - 1);
  if (size < LEAST || size > SHARED_MOST) return;
  madvise(data + skipped, ((size_t)size - skipped) & ~(page - 1), MADV_POPULATE_WRITE);
#else
  (void)data;
  (void)size;
#endif
}

void rlx_heap_share(RlxHeap *heap, int fd, int64_t start) {
  if (!heap->guard) heap->shared = (Shared){fd, start, start};
}

void rlx_heap_spare(RlxHeap *heap, bool spares) { heap->spares = spares; }

int64_t rlx_heap_shared_end(const RlxHeap *heap) {
  return heap->shared.end > heap->shared.start ? heap->shared.end : 0;
}

/// New memory in the file of rlx_heap_share; no data: it is not to lie there.
static Memory shared_memory(Shared *shared, int64_t size) {
  const int64_t page = sysconf(_SC_PAGESIZE), at = (shared->end + page - 1) / page * page;
  if (size < SHARED_LEAST || size > SHARED_MOST || size % page ||
      at + size - shared->start > SHARED_IN_ALL)
    return (Memory){0};
  const Memory memory = {rlx_shared_alloc(shared->fd, at, size), at};
  if (memory.data) shared->end = at + size;
  return memory;
}

static Memory new_memory(RlxHeap *heap, int64_t size) {
  Memory memory = {0};
  if (heap->shared.end) memory = shared_memory(&heap->shared, size);
  if (memory.data) return memory;
  memory = (Memory){aligned_alloc(ALIGNMENT, (size_t)size), 0};
  if (memory.data && heap->shared.end) populate(memory.data, size);
  return memory;
}

static RlxStorage *guarded_storage(RlxHeap *heap, int64_t bytes) {
  void *data = heap->used + bytes > heap->limit ? NULL : rlx_guarded_alloc(bytes, heap->guard);
  if (!data) return NULL;
  heap->used += bytes;
  heap->held += bytes;
  RlxStorage *storage = rlx_mem_alloc(1, sizeof *storage);
  *storage =
      (RlxStorage){.refs = 1, .size_class = GUARDED, .bytes = bytes, .data = data, .heap = heap};
  return storage;
}

void rlx_storage_inherit(const RlxStorage *storage, bool is_inherited) {
#ifdef MADV_DONTFORK
  madvise(storage->data, (size_t)storage->bytes, is_inherited ? MADV_DOFORK : MADV_DONTFORK);
#else
  (void)storage;
  (void)is_inherited;
#endif
}

RlxStorage *rlx_storage_spared(RlxHeap *heap, int fd, int64_t size) {
  const int flags = MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0);
  void *map = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, flags, fd, 0);
  if (map == MAP_FAILED) return NULL;
  RlxStorage *storage = rlx_storage_mapping(heap, map, size);
  storage->is_spared = true;
  rlx_storage_inherit(storage, false);
  return storage;
}

RlxStorage *rlx_storage_new(RlxHeap *heap, int64_t bytes) {
  if (bytes < 0 || bytes > heap->limit) return NULL;
  if (heap->guard) return guarded_storage(heap, bytes);
  if (heap->spares && bytes >= SHARED_LEAST) {
    RlxStorage *storage = rlx_storage_spared(heap, -1, bytes);
    if (storage) populate(storage->data, bytes);
    return storage;
  }
  int64_t size;
  int c = class_of(bytes, &size);
  Kept *kept = &heap->kept[c];
  Memory memory;
  if (kept->count)
    memory = heap->memory[c][--kept->count];
  else {
    if (heap->held + size > heap->limit) rlx_heap_trim(heap);
    if (heap->used + size > heap->limit) return NULL;
    memory = new_memory(heap, size);
    if (!memory.data) return NULL;
    heap->held += size;
  }
  heap->used += size;
  RlxStorage *storage = rlx_mem_alloc(1, sizeof *storage);
  *storage = (RlxStorage){.refs = 1,
                          .size_class = c,
                          .bytes = size,
                          .file_at = memory.file_at,
                          .data = memory.data,
                          .heap = heap};
  return storage;
}

RlxStorage *rlx_storage_mapping(RlxHeap *heap, void *data, int64_t bytes) {
  RlxStorage *storage = rlx_mem_alloc(1, sizeof *storage);
  *storage =
      (RlxStorage){.refs = 1, .size_class = MAPPED, .bytes = bytes, .data = data, .heap = heap};
  return storage;
}

void rlx_storage_unref(RlxStorage *s) {
  if (!s || --s->refs) return;
  if (s->size_class == GUARDED) {
    s->heap->used -= s->bytes;
    s->heap->held -= s->bytes;
    rlx_guarded_free(s->data, s->bytes, s->heap->guard);
  } else if (s->size_class == MAPPED)
    munmap(s->data, (size_t)s->bytes);
  else {
    RlxHeap *heap = s->heap;
    Kept *kept = &heap->kept[s->size_class];
    const Memory memory = {s->data, s->file_at};
    heap->used -= s->bytes;
    kept->bytes = s->bytes;
    if (kept->count < KEPT_MAX)
      heap->memory[s->size_class][kept->count++] = memory;
    else
      give_back(heap, memory, s->bytes);
  }
  free(s);
}

static RlxObject *object(RlxObjectKind kind, int count, size_t item) {
  RlxObject *x = rlx_mem_zeroed(1, sizeof *x + (size_t)count * item);
  x->refs = 1;
  x->kind = (uint8_t)kind;
  x->count = count;
  if (item) x->dims = (int64_t *)(x + 1);
  return x;
}

static void fill_dims(RlxObject *x, const int64_t *dims) {
  if (x->count) memcpy(x->dims, dims, (size_t)x->count * sizeof *dims);
}

bool rlx_ndim_fits(int ndim, RlxError *err) {
  return ndim <= RLX_TENSOR_NDIM_MAX ||
         rlx_error_set(err, "more than %d dimensions", RLX_TENSOR_NDIM_MAX);
}

bool rlx_tensor_size(RlxDType dtype, const int64_t *dims, int ndim, int64_t *out_bytes) {
  int64_t bytes = rlx_dtype_bytes(dtype);
  bool zero = false;
  for (int i = 0; i < ndim; i++) {
    if (dims[i] < 0) return false;
    zero |= dims[i] == 0;
    // Those beside a zero count, as numpy has it: whoever multiplies some of them is safe.
    if (dims[i] && __builtin_mul_overflow(bytes, dims[i], &bytes)) return false;
  }
  *out_bytes = zero ? 0 : bytes;
  return true;
}

RlxObject *rlx_tensor_in(RlxHeap *heap, RlxStorage *storage, int64_t offset, RlxDType dtype,
                         const int64_t *dims, int ndim) {
  (void)heap;
  RlxObject *x = object(RLX_OBJECT_TENSOR, ndim, sizeof *dims);
  x->dtype = dtype;
  x->storage = storage;
  storage->refs++;
  x->data = (char *)storage->data + offset;
  fill_dims(x, dims);
  return x;
}

RlxObject *rlx_tensor_new(RlxHeap *heap, RlxDType dtype, const int64_t *dims, int ndim,
                          RlxError *err) {
  int64_t bytes;
  if (!rlx_ndim_fits(ndim, err)) return NULL;
  if (!rlx_dtype_bytes(dtype)) {
    rlx_error_set(err, "a tensor without a dtype cannot be made");
    return NULL;
  }
  if (!rlx_tensor_size(dtype, dims, ndim, &bytes)) {
    for (int i = 0; i < ndim; i++)
      if (dims[i] < 0) {
        rlx_error_code(err, rlx_diag_row(RLX_DIAG_ID(SHAPE_NEGATIVE))->code);
        rlx_error_set(err, "dimension %d of a new tensor is %lld", i, (long long)dims[i]);
        return NULL;
      }
    rlx_error_set(err, "a new tensor would be larger than any memory");
    return NULL;
  }
  RlxStorage *storage = rlx_storage_new(heap, bytes);
  if (!storage) {
    rlx_error_set(err, "no memory for a tensor of %lld bytes (%lld in use)", (long long)bytes,
                  (long long)heap->used);
    return NULL;
  }
  RlxObject *x = rlx_tensor_in(heap, storage, 0, dtype, dims, ndim);
  rlx_storage_unref(storage);
  return x;
}

RlxObject *rlx_tensor_view(RlxHeap *heap, RlxObject *x, RlxDType dtype, const int64_t *dims,
                           int ndim, int64_t offset, RlxError *err) {
  int64_t bytes, all = rlx_tensor_bytes(x);
  if (!rlx_ndim_fits(ndim, err)) return NULL;
  if (!rlx_tensor_size(dtype, dims, ndim, &bytes) || offset < 0 || offset > all ||
      bytes > all - offset) {
    rlx_error_set(err, "a view does not fit into its tensor of %lld bytes", (long long)all);
    return NULL;
  }
  RlxObject *view;
  if (x->storage)
    view = rlx_tensor_in(heap, x->storage,
                         (int64_t)((char *)x->data - (char *)x->storage->data) + offset, dtype,
                         dims, ndim);
  else
    view = rlx_tensor_borrow(heap, (char *)x->data + offset, dtype, dims, ndim);
  return view;
}

RlxObject *rlx_tensor_borrow(RlxHeap *heap, void *data, RlxDType dtype, const int64_t *dims,
                             int ndim) {
  (void)heap;
  RlxObject *x = object(RLX_OBJECT_TENSOR, ndim, sizeof *dims);
  x->dtype = dtype;
  x->data = data;
  fill_dims(x, dims);
  return x;
}

RlxObject *rlx_storage_object(RlxHeap *heap, RlxStorage *storage) {
  (void)heap;
  RlxObject *x = object(RLX_OBJECT_STORAGE, 0, 0);
  x->storage = storage;
  x->data = storage->data;
  return x;
}

int64_t rlx_tensor_count(const RlxObject *x) {
  int64_t n = 1;
  for (int i = 0; i < x->count; i++) n *= x->dims[i];
  return n;
}
int64_t rlx_tensor_bytes(const RlxObject *x) {
  return rlx_tensor_count(x) * (int64_t)rlx_dtype_bytes(x->dtype);
}

RlxObject *rlx_shape_new(RlxHeap *heap, const int64_t *dims, int ndim) {
  (void)heap;
  RlxObject *x = object(RLX_OBJECT_SHAPE, ndim, sizeof *dims);
  fill_dims(x, dims);
  return x;
}

RlxObject *rlx_int_new(RlxHeap *heap, int64_t value, RlxDType dtype) {
  (void)heap;
  RlxObject *x = object(RLX_OBJECT_INT, 0, 0);
  x->dtype = dtype;
  x->integer = value;
  return x;
}

RlxObject *rlx_float_new(RlxHeap *heap, double value, RlxDType dtype) {
  (void)heap;
  RlxObject *x = object(RLX_OBJECT_FLOAT, 0, 0);
  x->dtype = dtype;
  x->number = value;
  return x;
}

RlxObject *rlx_string_new(RlxHeap *heap, const char *text, size_t size) {
  (void)heap;
  RlxObject *x = object(RLX_OBJECT_STRING, 0, 0);
  x->text = rlx_mem_strndup(text, size);
  return x;
}

RlxObject *rlx_dtype_new(RlxHeap *heap, RlxDType dtype) {
  (void)heap;
  RlxObject *x = object(RLX_OBJECT_DTYPE, 0, 0);
  x->dtype = dtype;
  return x;
}

RlxObject *rlx_null_new(RlxHeap *heap) {
  (void)heap;
  return object(RLX_OBJECT_NULL, 0, 0);
}

RlxObject *rlx_tuple_new(RlxHeap *heap, RlxObject *const *fields, int count) {
  (void)heap;
  RlxObject *x = object(RLX_OBJECT_TUPLE, count, sizeof *fields);
  x->fields = (RlxObject **)(x + 1);
  for (int i = 0; i < count; i++) x->fields[i] = rlx_object_ref(fields[i]);
  return x;
}

RlxObject *rlx_closure_new(RlxHeap *heap, const void *code, RlxObject *const *captured, int count) {
  RlxObject *x = rlx_tuple_new(heap, captured, count);
  x->kind = RLX_OBJECT_CLOSURE;
  x->code = code;
  return x;
}

void rlx_object_destroy(RlxObject *x) {
  switch ((RlxObjectKind)x->kind) {
  case RLX_OBJECT_TENSOR:
  case RLX_OBJECT_STORAGE: rlx_storage_unref(x->storage); break;
  case RLX_OBJECT_STRING: free(x->text); break;
  case RLX_OBJECT_TUPLE:
  case RLX_OBJECT_CLOSURE:
    for (int i = 0; i < x->count; i++) rlx_object_unref(x->fields[i]);
    break;
  case RLX_OBJECT_SHAPE:
  case RLX_OBJECT_INT:
  case RLX_OBJECT_FLOAT:
  case RLX_OBJECT_DTYPE:
  case RLX_OBJECT_NULL: break;
  }
  free(x);
}
