/// Preloaded (LD_PRELOAD), it lets the allocations of a program fail from the FAIL_AT-th on, or, with
/// FAIL_ONCE, that one alone. COUNT_TO names a file that gets the number of allocations at the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static atomic_long count;
static long fail_at;
static int only_once;

__attribute__((constructor)) static void start(void) {
  const char *at = getenv("FAIL_AT");
  only_once = getenv("FAIL_ONCE") != NULL;
  atomic_store(&count, 0);
  fail_at = at ? atol(at) : 0;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("COUNT_TO");
  fail_at = 0;
  FILE *f = path ? fopen(path, "w") : NULL;
  if (!f) return;
  fprintf(f, "%ld\n", atomic_load(&count));
  fclose(f);
}

static int fails(void) {
  long now = atomic_fetch_add(&count, 1) + 1;
  if (!fail_at || (only_once ? now != fail_at : now < fail_at)) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
void *memalign(size_t unit, size_t size) { return fails() ? NULL : __libc_memalign(unit, size); }
void *aligned_alloc(size_t unit, size_t size) { return memalign(unit, size); }
int posix_memalign(void **out, size_t unit, size_t size) {
  void *memory = memalign(unit, size);
  if (memory) *out = memory;
  return memory ? 0 : ENOMEM;
}
