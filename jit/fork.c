/// The beginning of a worker.
#include "jit/fork.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "jit/runtime/mapping_guard.h"

pid_t rlx_fork_worker(RlxJit *jit, const RlxConfinement *limits, bool may_compile) {
  rlx_jit_before_fork(jit, may_compile);
  const RlxCallFilter *filter = rlx_jit_filter(jit);
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    rlx_confine(limits, filter, parent);
    signal(SIGINT, SIG_DFL);
    rlx_mapping_guard_stop();
    rlx_jit_in_child(jit);
    return 0;
  }
  const int error = errno;
  rlx_jit_after_fork(jit);
  if (pid > 0) setpgid(pid, pid); // whoever comes first
  errno = error;
  return pid;
}
