/// malloc and realloc that end the process when there is no memory, or when a size overflows.
#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void rlx_mem_exhausted(size_t size) {
  if (size)
    fprintf(stderr, "rlx: out of memory (%zu bytes wanted)\n", size);
  else
    fputs("rlx: out of memory\n", stderr);
  _exit(3); // nothing that runs at the end finds memory either
}

/// The product, at least 1; ends the process on overflow.
static size_t total_bytes(size_t count, size_t elem_size) {
  if (elem_size != 0 && count > SIZE_MAX / 2 / elem_size) rlx_mem_exhausted(SIZE_MAX);
  size_t size = count * elem_size;
  return size ? size : 1;
}

void *rlx_mem_alloc(size_t count, size_t elem_size) {
  size_t size = total_bytes(count, elem_size);
  void *memory = malloc(size);
  if (!memory) rlx_mem_exhausted(size);
  return memory;
}

void *rlx_mem_zeroed(size_t count, size_t elem_size) {
  size_t size = total_bytes(count, elem_size);
  void *memory = calloc(1, size);
  if (!memory) rlx_mem_exhausted(size);
  return memory;
}

void *rlx_mem_resize(void *old, size_t count, size_t elem_size) {
  size_t size = total_bytes(count, elem_size);
  void *memory = realloc(old, size);
  if (!memory) rlx_mem_exhausted(size);
  return memory;
}

char *rlx_mem_strndup(const char *bytes, size_t size) {
  if (size == SIZE_MAX) rlx_mem_exhausted(size);
  char *copy = rlx_mem_alloc(size + 1, 1);
  if (size) memcpy(copy, bytes, size);
  copy[size] = '\0';
  return copy;
}

char *rlx_mem_strdup(const char *text) { return rlx_mem_strndup(text, strlen(text)); }
