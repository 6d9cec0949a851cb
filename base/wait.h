/// Waiting for file descriptors, beside a signal that says that nobody waits any more.
#ifndef RLX_BASE_WAIT_H
#define RLX_BASE_WAIT_H

#include <poll.h>
#include <signal.h>

/// As poll(), but that it does not wait where the handler of SIGINT has set `*cancel`, however late
/// that is looked at: between a look at a flag and poll() a signal would be lost. -1 with errno
/// EINTR then, as at any other signal. `cancel` may be NULL. `milliseconds` below 0: without an end.
int rlx_wait(struct pollfd *fds, nfds_t count, int milliseconds,
             const volatile sig_atomic_t *cancel);

#endif
