/// A worker that stays between calls: small calls of what is compiled take no new process.
///
/// It is forked as any worker is, with the same limits, and runs kernels of operators only: nothing that a script wrote
/// ever runs in it. The plan is carried out by the parent; a kernel's tensors are copied to memory that the two share,
/// and what it wrote is copied back. No other child has that memory. What has no kernel (a reshape) is carried out by the
/// parent alone: its result shares the memory of what it was made of. Whatever it does not do (large tensors, other
/// steps, what fails, is interrupted or takes long) is left to a worker of its own (worker.h), from the start.
#ifndef RLX_JIT_STANDING_H
#define RLX_JIT_STANDING_H

#include <signal.h>

#include "jit/jit.h"

typedef struct RlxStanding RlxStanding;

/// None is forked yet. Never NULL; rlx_standing_free() before the JIT is freed.
RlxStanding *rlx_standing_new(RlxJit *jit);
void rlx_standing_free(RlxStanding *standing); ///< ends the process; NULL is fine

/// The result of the call, the caller's reference; NULL: it is left to another worker, and nothing has happened.
/// Of `limit_seconds` (0: none) at most a part is spent here. `*cancel` becomes true from a signal handler.
RlxObject *rlx_standing_call(RlxStanding *standing, RlxProgram *program, RlxName function,
                             RlxObject *const *args, int count, const RlxConfinement *limits,
                             double limit_seconds, const volatile sig_atomic_t *cancel);

#endif
