/// What a process that runs a script's code gives up first: memory and time without end, and the
/// system calls that computing does not need.
#ifndef RLX_JIT_CONFINE_H
#define RLX_JIT_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// 0: no limit.
typedef struct RlxConfinement {
  int64_t cpu_seconds;  ///< of all threads together; then SIGXCPU
  int64_t memory_bytes; ///< that it may take beyond what it has
  bool no_system; ///< start no programs, open no sockets, change no files: such calls fail (EPERM).
      ///< Linux with seccomp filters only; elsewhere nothing happens. Root's process keeps
      ///< of its privileges that it may read any file (Linux)
} RlxConfinement;

/// An hour of CPU, nine tenths of the machine's memory, no system calls that computing does not
/// need: no honest run meets them.
RlxConfinement rlx_confinement_default(void);

/// Which system calls a confined process may make, as the kernel takes it. It is made before the
/// fork and serves any number of children.
typedef struct RlxCallFilter RlxCallFilter;

/// Never NULL; rlx_call_filter_free(). Where the system has no such filters it says nothing.
RlxCallFilter *rlx_call_filter_new(void);
void rlx_call_filter_free(RlxCallFilter *filter); ///< NULL is allowed

/// Applies both to this process for good, root's too (Linux): limits cannot be raised again, neither by
/// it nor by programs that it starts. Called in a child right after the fork, before code of a
/// script runs; `parent` is who forked it. The child leads a process group of its own and ends when
/// `parent` does. `filter` counts where the limits say no_system.
void rlx_confine(const RlxConfinement *limits, const RlxCallFilter *filter, pid_t parent);

#endif
