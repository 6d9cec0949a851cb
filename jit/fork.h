/// How workers begin: a process of its own that gives up what computing does not need.
#ifndef RLX_JIT_FORK_H
#define RLX_JIT_FORK_H

#include "jit/jit.h"

/// Forks a worker under these limits, which Ctrl-C at the terminal does not reach. In the child it gives 0;
/// in the parent its number, below 0: there is none, errno says why. `may_compile` as rlx_jit_before_fork.
pid_t rlx_fork_worker(RlxJit *jit, const RlxConfinement *limits, bool may_compile);

#endif
