/// A ready RlxKernelContext: scratch memory that is kept between calls, and a small pool of
/// threads.
///
/// One caller at a time; parallel bodies may acquire and release from any of the pool's threads.
#ifndef RLX_JIT_RUNTIME_CONTEXT_H
#define RLX_JIT_RUNTIME_CONTEXT_H

#include "jit/codegen/kernel.h"

/// A context with `threads` threads in all (1: none besides the caller). Free with
/// rlx_context_free.
RlxKernelContext *rlx_context_new(int threads);
void rlx_context_free(RlxKernelContext *ctx); // NULL is fine

/// After a kernel failed: takes back what it still held, forgets the failure. Keeps the memory for
/// later.
void rlx_context_reset(RlxKernelContext *ctx);

/// Gives scratch memory that is not in use back to the system.
void rlx_context_trim(RlxKernelContext *ctx);

/// Scratch bytes held, in use or not.
int64_t rlx_context_held_bytes(RlxKernelContext *ctx);

#endif
