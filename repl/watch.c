/// :watch: a script that is read again when it changes on disk (inotify). Its folder is watched, for
/// editors replace files.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "repl/commands.h"
#include "repl/session.h"

bool rlx_repl_watch(RlxRepl *repl, const char *path) {
  if (!*path && !repl->script)
    return printf("error: no script was loaded; :watch FILE loads one\n"), false;
  char *file = rlx_mem_strdup(*path ? path : repl->script);
  rlx_repl_unwatch(repl);
  repl->watched = file;
  char *slash = strrchr(file, '/');
  char *folder = slash ? rlx_mem_strndup(file, (size_t)(slash - file) + 1) : rlx_mem_strdup(".");
  repl->watch_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  const bool ok = repl->watch_fd > 0 &&
                  inotify_add_watch(repl->watch_fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO) >= 0;
  if (!ok) rlx_text_say(stdout, "error: %s cannot be watched: %s", folder, strerror(errno));
  free(folder);
  if (!ok) rlx_repl_unwatch(repl);
  if (!ok || !*path) return ok;
  if (!rlx_repl_read_script(repl, file)) return false;
  rlx_text_say(stdout, "# %s is read again whenever it changes", path);
  return true;
}

void rlx_repl_unwatch(RlxRepl *repl) {
  if (repl->watch_fd > 0) close(repl->watch_fd);
  repl->watch_fd = 0;
  free(repl->watched);
  repl->watched = NULL;
}

bool rlx_repl_watch_check(RlxRepl *repl) {
  union {
    struct inotify_event event;
    char bytes[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
  } buffer;
  if (repl->watch_fd <= 0) return false;
  const char *slash = strrchr(repl->watched, '/');
  const char *name = slash ? slash + 1 : repl->watched;
  bool found = false;
  for (ssize_t n; (n = read(repl->watch_fd, buffer.bytes, sizeof buffer.bytes)) > 0;)
    for (ssize_t at = 0; at < n;) {
      const struct inotify_event *event =
          (const struct inotify_event *)(const void *)(buffer.bytes + at); // aligned by the kernel
      found |= event->len && !strcmp(event->name, name);
      at += (ssize_t)(sizeof *event + event->len);
    }
  return found;
}

bool rlx_repl_reload(RlxRepl *repl, const char *path) {
  if (!*path && !repl->script) return printf("error: no script was loaded\n"), false;
  char *copy = rlx_mem_strdup(*path ? path : repl->script);
  repl->tells_changes = true;
  const bool ok = rlx_repl_read_script(repl, copy);
  repl->tells_changes = false;
  fflush(stdout);
  free(copy);
  return ok;
}
