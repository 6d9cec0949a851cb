/// Heap memory that is never NULL.
///
/// Always true: a request that cannot be met ends the process with a message, so no caller tests
/// for NULL. Sizes that come from a user's file are bounded before they get here.
#ifndef RLX_BASE_MEM_H
#define RLX_BASE_MEM_H

#include <stddef.h>

/// `count * elem_size` uninitialised bytes; free() them. Zero bytes give a pointer that is not
/// NULL.
void *rlx_mem_alloc(size_t count, size_t elem_size);

/// As rlx_mem_alloc, zeroed.
void *rlx_mem_zeroed(size_t count, size_t elem_size);

/// realloc() to `count * elem_size` bytes.
void *rlx_mem_resize(void *old, size_t count, size_t elem_size);

/// A copy of `size` bytes with a NUL behind them; free() it.
char *rlx_mem_strndup(const char *bytes, size_t size);

/// A copy of a NUL-terminated text; free() it.
char *rlx_mem_strdup(const char *text);

/// Ends the process with exit code 3: there is no memory for `size` bytes (0: not
/// known).
_Noreturn void rlx_mem_exhausted(size_t size);

#endif
