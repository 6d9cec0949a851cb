/// The memory of GMP, which isl counts with: by itself it aborts when there is none. GMP is isl's
/// affair and is looked up, not linked; an isl that counts without it changes nothing here.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/tir/sets.h"
#include "base/mem.h"

static void *take(size_t size) { return rlx_mem_alloc(1, size); }
static void *resize(void *old, size_t was, size_t size) {
  (void)was;
  return rlx_mem_resize(old, 1, size);
}
static void give(void *memory, size_t size) {
  (void)size;
  free(memory);
}

typedef void SetMemory(void *(*)(size_t), void *(*)(void *, size_t, size_t),
                       void (*)(void *, size_t));

void rlx_sets_use_memory(void) {
  SetMemory *set = NULL;
  void *symbol = dlsym(RTLD_DEFAULT, "__gmp_set_memory_functions");
  memcpy(&set, &symbol, sizeof set);
  if (set) set(take, resize, give);
}
