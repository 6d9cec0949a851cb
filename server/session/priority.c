/// Slices and niceness. A slice that a process asks for is a hint of sched_setattr(2), which libc does not wrap yet.
#include "server/session/priority.h"

#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  NICE = 5,
  SLICE_NS = 100000, ///< an answer takes less; the shortest that Linux takes
};

/// As the kernel has it (linux/sched/types.h).
typedef struct Attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t slice, deadline, period;
} Attributes;

static void schedule(uint32_t policy, int nice, uint64_t slice) {
  const Attributes wanted = {.size = sizeof wanted, .policy = policy, .nice = nice, .slice = slice};
  (void)syscall(SYS_sched_setattr, 0, &wanted, 0);
}

void rlx_priority_prompt(void) {
  const int nice = getpriority(PRIO_PROCESS, 0);
  if (sched_getscheduler(0) == SCHED_OTHER) schedule(SCHED_OTHER, nice, SLICE_NS);
}

void rlx_priority_beside(void) {
  const int before = getpriority(PRIO_PROCESS, 0), nice = before > NICE ? before : NICE;
  if (sched_getscheduler(0) == SCHED_OTHER) schedule(SCHED_BATCH, nice, 0);
  setpriority(PRIO_PROCESS, 0, nice);
}
