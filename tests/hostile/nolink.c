/// Preloaded (LD_PRELOAD), it refuses to give a file that has no name one, as some systems' policies do.
#define _GNU_SOURCE
#include <errno.h>

int linkat(int from, const char *path, int to, const char *name, int flags) {
  (void)from, (void)path, (void)to, (void)name, (void)flags;
  errno = EPERM;
  return -1;
}
