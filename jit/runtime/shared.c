/// Memory in a file: a shared mapping for each block, and holes where blocks were. Sources: mmap(2), fallocate(2).
#include "jit/runtime/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

void *rlx_shared_alloc(int fd, int64_t at, int64_t size) {
  int flags = MAP_SHARED;
#ifdef MAP_POPULATE
  flags |= MAP_POPULATE; // one call in place of a page fault for each page
#endif
  // The blocks are there before they are touched: a store into what a file lacks would be a signal.
  if (ftruncate(fd, at + size)) return NULL;
  void *data = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, flags, fd, at);
  return data == MAP_FAILED ? NULL : data;
}

void rlx_shared_free(int fd, void *data, int64_t at, int64_t size) {
  munmap(data, (size_t)size);
  rlx_shared_forget(fd, at, size);
}

void rlx_shared_forget(int fd, int64_t at, int64_t size) {
#ifdef FALLOC_FL_PUNCH_HOLE
  while (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, size) && errno == EINTR) {
  }
#else
  (void)fd;
  (void)at;
  (void)size;
#endif
}
