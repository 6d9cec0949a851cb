/// Memory between forbidden pages: one mapping a block, a page more on each side.
#include "jit/runtime/guarded.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

RlxGuardPages rlx_guard_pages(void) {
  const char *side = getenv("RLX_GUARD_PAGES");
  if (!side) return RLX_GUARD_OFF;
  return !strcmp(side, "before")  ? RLX_GUARD_BEFORE
         : !strcmp(side, "after") ? RLX_GUARD_AFTER
                                  : RLX_GUARD_OFF;
}

static size_t inner_bytes(int64_t bytes, size_t page) {
  return ((size_t)bytes + page - 1) / page * page;
}

void *rlx_guarded_alloc(int64_t bytes, RlxGuardPages side) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = inner_bytes(bytes, page);
  char *start = mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return NULL;
  char *data = start + page;
  if (inner && mprotect(data, inner, PROT_READ | PROT_WRITE)) {
    munmap(start, inner + 2 * page);
    return NULL;
  }
  memset(data, 0xCB, inner);
  return side == RLX_GUARD_AFTER ? data + inner - (size_t)bytes : data;
}

void rlx_guarded_free(void *data, int64_t bytes, RlxGuardPages side) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = inner_bytes(bytes, page);
  char *start = side == RLX_GUARD_AFTER ? (char *)data + (size_t)bytes - inner : (char *)data;
  munmap(start - page, inner + 2 * page);
}
