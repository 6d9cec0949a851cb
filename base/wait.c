/// Waiting that no Ctrl-C is lost in: SIGINT is blocked while the flag is looked at, and let through
/// by the wait itself.
#include "base/wait.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

int rlx_wait(struct pollfd *fds, nfds_t count, int milliseconds,
             const volatile sig_atomic_t *cancel) {
  sigset_t with, before;
  sigemptyset(&with);
  sigaddset(&with, SIGINT);
  pthread_sigmask(SIG_BLOCK, &with, &before);
  const struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  int n = -1;
  if (cancel && *cancel)
    errno = EINTR;
  else
    n = ppoll(fds, count, milliseconds < 0 ? NULL : &limit, &before);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return n;
}
