/// Any bytes as a .npy file, as a .npz archive, and as what a worker hands over: a tensor or an error, and no memory beyond what the bytes themselves are worth.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "jit/handover.h"
#include "jit/runtime/format.h"
#include "jit/runtime/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MOST_BYTES = 1 << 20 };

static void must(int holds) {
  if (!holds) abort();
}

static void look_at(RlxObject *x, const RlxError *err) {
  must(x || err->text[0]);
  if (!x) return;
  RlxBuf out = {0};
  rlx_object_print(x, &out);
  rlx_object_print_sinfo(x, &out);
  if (x->kind == RLX_OBJECT_TENSOR) {
    rlx_buf_clear(&out);
    rlx_npy_encode(x, &out);
  }
  rlx_buf_free(&out);
  rlx_object_unref(x);
}

static bool is_small(const void *data, const RlxArrayHead *head, RlxError *err) {
  (void)data;
  return head->bytes <= MOST_BYTES || rlx_error_set(err, "too large for this test");
}

static void check_archive(const char *name) {
  RlxError err = {0};
  RlxArrays *arrays = rlx_arrays_open(name, &err);
  const RlxArrayFit fit = {is_small, NULL, NULL};
  RlxHeap *heap = rlx_heap_new();
  for (int i = 0; arrays && i < rlx_arrays_count(arrays); i++) {
    RlxError why = {0};
    must(rlx_arrays_name(arrays, i) != NULL);
    look_at(rlx_arrays_read(arrays, i, heap, &fit, &why), &why);
  }
  rlx_arrays_close(arrays);
  must(rlx_heap_used_bytes(heap) == 0);
  rlx_heap_free(heap);
}

static void check_files(const uint8_t *bytes, size_t size) {
  char name[] = "/tmp/rlx-fuzz-npz-XXXXXX";
  int fd = mkstemp(name);
  if (fd < 0) return;
  const bool is_written = write(fd, bytes, size) == (ssize_t)size;
  close(fd);
  if (is_written) check_archive(name);
  unlink(name);
}

/// Arguments are written as a whole, or not at all.
static void check_handover(const uint8_t *bytes, size_t size) {
  RlxHeap *heap = rlx_heap_new();
  RlxError err;
  RlxObject *args[2] = {rlx_tensor_new(heap, RLX_FLOAT32, (int64_t[]){4}, 1, &err),
                        rlx_tensor_new(heap, RLX_INT64, (int64_t[]){2, 2}, 2, &err)};
  for (int i = 0; i < 2; i++) memset(args[i]->data, 0, (size_t)rlx_tensor_bytes(args[i]));
  int fd = memfd_create("rlx-fuzz", MFD_CLOEXEC);
  if (fd >= 0 && write(fd, bytes, size) == (ssize_t)size) {
    const RlxHandover place = {.start = size % 2 ? 64 : 0, .is_mapped = size % 2};
    RlxObject *x = rlx_handover_read(heap, fd, 0, &place, args, 2);
    for (int i = 0; i < 32 && !x; i++) {
      must(((const char *)args[1]->data)[i] == 0);
      must(((const char *)args[0]->data)[i % 16] == 0);
    }
    if (x) look_at(x, &err);
  }
  if (fd >= 0) close(fd);
  for (int i = 0; i < 2; i++) rlx_object_unref(args[i]);
  must(rlx_heap_used_bytes(heap) == 0);
  rlx_heap_free(heap);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 1 << 16) return 0;
  RlxHeap *heap = rlx_heap_new();
  RlxError err = {0};
  look_at(rlx_npy_decode(heap, (const char *)bytes, size, &err), &err);
  must(rlx_heap_used_bytes(heap) == 0);
  rlx_heap_free(heap);
  check_files(bytes, size);
  check_handover(bytes, size);
  return 0;
}
