/// Preloaded (LD_PRELOAD), it sends a program SIGINT at the last moment before its first wait for file descriptors: after the look at what
/// the handler sets, if it looks.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>

static void once(void) {
  static int sent;
  if (!sent++) raise(SIGINT);
}

int poll(struct pollfd *fds, nfds_t count, int timeout) {
  int (*next)(struct pollfd *, nfds_t, int) = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
  once();
  return next(fds, count, timeout);
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  int (*next)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *) =
      (int (*)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))dlsym(RTLD_NEXT, "ppoll");
  once();
  return next(fds, count, timeout, mask);
}
