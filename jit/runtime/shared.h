/// Memory in a file that other processes read.
#ifndef RLX_JIT_RUNTIME_SHARED_H
#define RLX_JIT_RUNTIME_SHARED_H

#include <stdint.h>

/// `size` bytes at byte `at` of the file, all of whose pages are there; both are multiples of the page
/// size. The file grows to hold them. NULL: the file or the system gives no more.
void *rlx_shared_alloc(int fd, int64_t at, int64_t size);
/// Gives them back to the system; the file keeps its size.
void rlx_shared_free(int fd, void *data, int64_t at, int64_t size);
/// From here on the `size` bytes at `at` of the file take no memory.
void rlx_shared_forget(int fd, int64_t at, int64_t size);

#endif
