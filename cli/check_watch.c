/// Waiting for files to change (inotify).
/// Always true: a burst of changes, such as a checkout's, is one change.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/check_impl.h"
#include "config/scripts.h"

enum { QUIET_MS = 60 };

struct RlxWatch {
  int fd;
  int newest; ///< watch descriptor
};

RlxWatch *rlx_watch_new(RlxError *err) {
  int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (fd < 0) {
    rlx_error_set(err, "files cannot be watched: %s", strerror(errno));
    return NULL;
  }
  RlxWatch *watch = rlx_mem_zeroed(1, sizeof *watch);
  watch->fd = fd;
  return watch;
}

bool rlx_watch_folder(RlxWatch *watch, const char *folder) {
  // The system numbers them upwards; a folder that is watched already keeps its number.
  const int wd = inotify_add_watch(watch->fd, folder,
                                   IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE |
                                       IN_DELETE | IN_ONLYDIR);
  const bool is_new = wd > watch->newest;
  if (is_new) watch->newest = wd;
  return is_new;
}

/// Whether the event may change what a run finds.
static bool concerns(const struct inotify_event *event) {
  if (event->mask & (IN_ISDIR | IN_Q_OVERFLOW | IN_IGNORED)) return true;
  if (event->mask & IN_CREATE || !event->len) return false; // its content comes with IN_CLOSE_WRITE
  return rlx_scripts_is_name(event->name) ||
         rlx_text_is_among(event->name, "rlx.toml pyproject.toml .gitignore");
}

/// Reads all events that are there; whether one concerns us.
static bool drain(RlxWatch *watch) {
  union {
    struct inotify_event event;
    char bytes[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
  } buffer;
  bool found = false;
  ssize_t n;
  while ((n = read(watch->fd, buffer.bytes, sizeof buffer.bytes)) > 0) {
    for (ssize_t at = 0; at < n;) {
      const struct inotify_event *event =
          (const struct inotify_event *)(const void *)(buffer.bytes + at); // aligned by the kernel
      found |= concerns(event);
      at += (ssize_t)(sizeof *event + event->len);
    }
  }
  return found;
}

bool rlx_watch_wait(RlxWatch *watch, RlxError *err) {
  struct pollfd one = {.fd = watch->fd, .events = POLLIN};
  bool found = false;
  for (;;) {
    int n = poll(&one, 1, found ? QUIET_MS : -1);
    if (n < 0 && errno != EINTR)
      return rlx_error_set(err, "files cannot be watched: %s", strerror(errno));
    if (n == 0) return true;
    if (n > 0) found |= drain(watch);
  }
}

void rlx_watch_free(RlxWatch *watch) {
  if (!watch) return;
  close(watch->fd);
  free(watch);
}
