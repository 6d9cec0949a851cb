/// Any bytes as a .safetensors file, and as the header of one whose length is right and that has bytes behind it: tensors that lie in the
/// file, all of them, or an error.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "jit/runtime/format.h"
#include "jit/runtime/safetensors.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds) {
  if (!holds) abort();
}

static void print(const RlxObject *x) {
  RlxBuf out = {0};
  rlx_object_print(x, &out);
  rlx_object_print_sinfo(x, &out);
  rlx_buf_free(&out);
}

/// Tensors that lie in the file, all of them or none; what is read can be written, and then says the same.
static void check_tensors(const char *name) {
  RlxError err = {0};
  RlxHeap *heap = rlx_heap_new();
  RlxNamedTensors tensors = {0}, again = {0};
  const bool ok = rlx_safetensors_open(heap, name, &tensors, &err);
  must(ok ? !err.text[0] : err.text[0] && !tensors.count);
  if (ok) {
    must(rlx_safetensors_write(&tensors, name, NULL, &err));
    must(rlx_safetensors_open(heap, name, &again, &err) && again.count == tensors.count);
  }
  for (uint32_t i = 0; i < again.count; i++) {
    const RlxObject *a = tensors.at[i].tensor, *b = NULL;
    for (uint32_t k = 0; k < again.count; k++) // the widest elements come first in what is written
      if (!strcmp(tensors.at[i].name, again.at[k].name)) b = again.at[k].tensor;
    must(b && rlx_tensor_bytes(a) == rlx_tensor_bytes(b));
    must(!rlx_tensor_bytes(a) || !memcmp(a->data, b->data, (size_t)rlx_tensor_bytes(a)));
    print(a);
  }
  rlx_named_tensors_free(&tensors);
  rlx_named_tensors_free(&again);
  must(rlx_heap_used_bytes(heap) == 0);
  rlx_heap_free(heap);
}

static void check(const RlxBuf *file) {
  char name[] = "/tmp/rlx-fuzz-tensors-XXXXXX";
  int fd = mkstemp(name);
  if (fd < 0) return;
  const bool is_written = write(fd, rlx_buf_text(file), file->size) == (ssize_t)file->size;
  close(fd);
  if (is_written) check_tensors(name);
  unlink(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 1 || size > 1 << 16) return 0;
  RlxBuf file = {0};
  rlx_buf_putn(&file, (const char *)bytes, size);
  check(&file);
  // The first byte says how many there are behind the header.
  const uint64_t length = size - 1;
  rlx_buf_clear(&file);
  rlx_buf_putn(&file, (const char *)&length, sizeof length);
  rlx_buf_putn(&file, (const char *)bytes + 1, size - 1);
  rlx_buf_repeat(&file, 'x', bytes[0]);
  check(&file);
  rlx_buf_free(&file);
  return 0;
}
