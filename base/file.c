/// Reading, writing and walking files, on top of POSIX.
///
/// Always true: a file is written beside its place and then renamed, so whoever reads it sees the
/// old content or the new one, never a part; folders are walked in byte order of their names.
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/vec.h"

enum { LONGEST_PATH_BYTES = 4096, NAMES_TRIED = 100, PART_BYTES = 1 << 20 };

static bool fail(RlxError *err, const char *path, const char *what) {
  return rlx_error_set(err, "%s: %s: %s", path, what, strerror(errno));
}

/// Reads up to the end or one byte past the limit.
static bool read_all(int fd, size_t limit, const char *path, RlxBuf *out, RlxError *err) {
  for (;;) {
    size_t room = out->capacity > out->size + 1 ? out->capacity - out->size - 1 : 0;
    if (room < 4096) {
      rlx_buf_reserve(out, 65536);
      continue;
    }
    if (room > limit + 1 - out->size) room = limit + 1 - out->size;
    ssize_t got = read(fd, out->at + out->size, room);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(err, path, "cannot read");
    if (got == 0) break;
    out->size += (size_t)got;
    if (out->size > limit) {
      return rlx_error_set(err, "%s: larger than the limit of %zu MiB", path, limit >> 20);
    }
  }
  out->at[out->size] = '\0';
  return true;
}

/// Some files of /proc say that they are regular and still make who reads them wait (kmsg): a repository may link to them.
/// For files that were opened here: others share an open standard input, and keep what is set of it.
static void wait_for_nothing(int fd, const struct stat *info) {
  const int flags = S_ISREG(info->st_mode) ? fcntl(fd, F_GETFL) : -1;
  if (flags >= 0) (void)fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

/// Reads all of `fd`, which stays open.
static bool read_open(int fd, const struct stat *info, size_t limit_bytes, const char *path,
                      RlxBuf *out, RlxError *err) {
  bool ok = true;
  if (S_ISDIR(info->st_mode)) ok = rlx_error_set(err, "%s: is a folder", path);
  // The size is a hint only: a file may grow, and a pipe has none.
  if (S_ISREG(info->st_mode) && info->st_size > 0 && (size_t)info->st_size <= limit_bytes) {
    rlx_buf_reserve(out, (size_t)info->st_size + 4096);
  }
  ok = ok && read_all(fd, limit_bytes, path, out, err);
  if (!ok) rlx_buf_free(out);
  return ok;
}

bool rlx_file_read_limited(const char *path, size_t limit_bytes, RlxBuf *out, RlxError *err) {
  rlx_buf_clear(out);
  bool is_stdin = strcmp(path, "-") == 0;
  int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(err, path, "cannot open");
  struct stat info = {0};
  (void)fstat(fd, &info);
  if (!is_stdin) wait_for_nothing(fd, &info);
  bool ok = read_open(fd, &info, limit_bytes, path, out, err);
  if (!is_stdin) close(fd);
  return ok;
}

bool rlx_file_read_regular(const char *path, size_t limit_bytes, RlxBuf *out, RlxError *err) {
  rlx_buf_clear(out);
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return fail(err, path, "cannot open");
  struct stat info = {0};
  bool ok = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  if (!ok)
    rlx_error_set(err, "%s: is not a regular file", path);
  else
    ok = read_open(fd, &info, limit_bytes, path, out, err);
  close(fd);
  return ok;
}

bool rlx_file_read(const char *path, RlxBuf *out, RlxError *err) {
  return rlx_file_read_limited(path, RLX_FILE_LIMIT_BYTES, out, err);
}

/// False and ECANCELED once `*cancel` is set; NULL: never.
static bool write_all(int fd, const char *bytes, size_t size, const volatile sig_atomic_t *cancel) {
  while (size > 0) {
    if (cancel && *cancel) {
      errno = ECANCELED;
      return false;
    }
    ssize_t put = write(fd, bytes, cancel && size > PART_BYTES ? PART_BYTES : size);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes += put;
    size -= (size_t)put;
  }
  return true;
}

/// The i-th name for what is written beside the file `name`; false: it is too long.
static bool name_beside(char out[LONGEST_PATH_BYTES], const char *name, uint32_t i) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int n = snprintf(out, LONGEST_PATH_BYTES, "%.200s.rlx-%lx%lx%x", name, (long)getpid(),
                         (long)now.tv_nsec, i);
  return n >= 0 && n < LONGEST_PATH_BYTES;
}

/// A new file in `folder`, which has a name once it is whole: who is killed before leaves nothing. -1: not every file system has such.
static int open_nameless(int folder) {
#ifdef O_TMPFILE
  return openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
#else
  (void)folder;
  return -1;
#endif
}

/// Gives a nameless file one that nothing has yet, for the moment until it replaces another; false and errno.
static bool give_name(int fd, int folder, const char *name, char beside[LONGEST_PATH_BYTES]) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  for (uint32_t i = 0; i < NAMES_TRIED; i++) {
    if (!name_beside(beside, name, i)) return false;
    if (!linkat(AT_FDCWD, path, folder, beside, AT_SYMLINK_FOLLOW)) return true;
    if (errno != EEXIST && errno != EINTR) return false;
  }
  return false;
}

/// A new file in `folder` with a name that nothing has yet; -1 and errno.
static int open_beside(int folder, const char *name, char beside[LONGEST_PATH_BYTES]) {
  int fd = -1;
  for (uint32_t i = 0; fd < 0 && i < NAMES_TRIED; i++) {
    if (!name_beside(beside, name, i)) return -1;
    fd = openat(folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 && errno != EEXIST && errno != EINTR) return -1;
  }
  return fd;
}

static bool fill(int fd, mode_t mode, const char *bytes, size_t size,
                 const volatile sig_atomic_t *cancel) {
  return write_all(fd, bytes, size, cancel) && fchmod(fd, mode) == 0 && fsync(fd) == 0;
}

/// A file called `name` in the folder `folder` gets the content: written beside it, then renamed.
static bool replace(int folder, const char *name, mode_t mode, const char *bytes, size_t size,
                    const volatile sig_atomic_t *cancel) {
  char beside[LONGEST_PATH_BYTES];
  int fd = open_nameless(folder);
  bool has_name = fd < 0;
  if (has_name) fd = open_beside(folder, name, beside);
  if (fd < 0) return false;
  bool is_written = fill(fd, mode, bytes, size, cancel);
  if (is_written && !has_name && !(has_name = give_name(fd, folder, name, beside))) {
    // It gets none without /proc, or where the system refuses: it is written again, with a name from the start.
    close(fd);
    if ((fd = open_beside(folder, name, beside)) < 0) return false;
    has_name = true;
    is_written = fill(fd, mode, bytes, size, cancel);
  }
  int reason = errno;
  if (close(fd) != 0 && is_written) {
    is_written = false;
    reason = errno;
  }
  if (is_written && renameat(folder, beside, folder, name) == 0) return true;
  if (is_written) reason = errno;
  if (has_name) unlinkat(folder, beside, 0);
  errno = reason;
  return false;
}

/// The folder `path`[0..size) below the folder `tree`, reached without any link; -1 and errno.
static int open_below(int tree, const char *path, size_t size) {
  int folder = dup(tree);
  for (size_t at = 0; folder >= 0 && at < size;) {
    size_t n = strcspn(path + at, "/");
    if (n > size - at) n = size - at;
    char *name = rlx_mem_strndup(path + at, n);
    int next = n ? openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : folder;
    int reason = errno;
    free(name);
    if (next != folder) close(folder);
    errno = reason;
    folder = next;
    at += n + (at + n < size);
  }
  return folder;
}

/// The mode that `name` in `folder`, which may not be there yet, is to have; false and `err`: it is no file.
static bool mode_of(int folder, const char *name, const char *path, mode_t *out, RlxError *err) {
  struct stat info;
  if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
    *out = info.st_mode & 07777;
    return S_ISREG(info.st_mode) ||
           rlx_error_set(err, "%s: cannot write: not a regular file", path);
  }
  mode_t mask = umask(0);
  umask(mask);
  *out = 0666 & ~mask;
  return true;
}

/// Writes `name`, which may not be there yet, in `folder`.
static bool write_in(int folder, const char *name, const char *path, const char *bytes, size_t size,
                     const volatile sig_atomic_t *cancel, RlxError *err) {
  mode_t mode;
  if (!mode_of(folder, name, path, &mode, err)) return false;
  if (replace(folder, name, mode, bytes, size, cancel)) return true;
  return errno == ECANCELED ? rlx_error_set(err, "interrupted") : fail(err, path, "cannot write");
}

bool rlx_file_write(const char *path, const char *bytes, size_t size, RlxError *err) {
  return rlx_file_write_unless(path, bytes, size, NULL, err);
}

bool rlx_file_write_unless(const char *path, const char *bytes, size_t size,
                           const volatile sig_atomic_t *cancel, RlxError *err) {
  char *real = realpath(path, NULL); // NULL for a new file
  const char *target = real ? real : path, *slash = strrchr(target, '/'),
             *name = slash ? slash + 1 : target;
  char *folder = rlx_mem_strndup(slash ? target : ".", slash ? (size_t)(slash - target) + 1 : 1);
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool ok = fd >= 0 ? write_in(fd, name, path, bytes, size, cancel, err)
                    : fail(err, path, "cannot write");
  if (fd >= 0) close(fd);
  free(folder);
  free(real);
  return ok;
}

char *rlx_file_beside(const char *path, RlxError *err) {
  char *real = realpath(path, NULL), name[LONGEST_PATH_BYTES]; // NULL for a new file
  const char *target = real ? real : path, *slash = strrchr(target, '/');
  const int folder_size = slash ? (int)(slash - target) + 1 : 0;
  mode_t mode;
  RlxBuf out = {0};
  if (mode_of(AT_FDCWD, target, path, &mode, err)) {
    if (name_beside(name, target + folder_size, 0))
      rlx_buf_printf(&out, "%.*s%s", folder_size, target, name);
    else
      rlx_error_set(err, "%s: cannot write: the name is too long", path);
  }
  free(real);
  return out.size ? rlx_buf_steal(&out) : NULL;
}

bool rlx_file_take_place(const char *beside, const char *path, RlxError *err) {
  char *real = realpath(path, NULL);
  const char *target = real ? real : path;
  mode_t mode;
  bool ok = mode_of(AT_FDCWD, target, path, &mode, err);
  if (ok) {
    const int fd = open(beside, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ok = fd >= 0 && fchmod(fd, mode) == 0 && fsync(fd) == 0 && rename(beside, target) == 0;
    if (!ok) fail(err, path, "cannot write");
    if (fd >= 0) close(fd);
  }
  if (!ok) unlink(beside);
  free(real);
  return ok;
}

bool rlx_file_write_below(const char *path, const char *tree, const char *bytes, size_t size,
                          RlxError *err) {
  char *real = realpath(path, NULL), *top = realpath(tree, NULL);
  size_t length = top && strcmp(top, "/") != 0 ? strlen(top) : 0;
  bool ok = real && top;
  if (!ok)
    fail(err, path, "cannot write");
  else if (strncmp(real, top, length) != 0 || real[length] != '/')
    ok = rlx_error_set(err,
                       "%s: not written: it is a link to %s, outside of %s; name that file itself "
                       "to change it",
                       path, real, top);
  if (ok) {
    const char *below = real + length + 1, *slash = strrchr(below, '/');
    int fd = open(top, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int folder = fd < 0 ? -1 : open_below(fd, below, slash ? (size_t)(slash - below) : 0);
    ok = folder < 0 ? fail(err, path, "cannot write")
                    : write_in(folder, slash ? slash + 1 : below, path, bytes, size, NULL, err);
    if (folder >= 0) close(folder);
    if (fd >= 0) close(fd);
  }
  free(real);
  free(top);
  return ok;
}

char *rlx_file_real_path(const char *path) {
  char *real = realpath(path, NULL);
  const char *slash = strrchr(path, '/');
  if (real || errno != ENOENT || !slash || !slash[1]) return real;
  char *folder =
      slash == path ? rlx_mem_strdup("/") : rlx_mem_strndup(path, (size_t)(slash - path));
  char *above = rlx_file_real_path(folder);
  RlxBuf out = {0};
  if (above) rlx_buf_printf(&out, "%s%s", above[1] ? above : "", slash);
  free(above);
  free(folder);
  return above ? rlx_buf_steal(&out) : NULL;
}

bool rlx_file_exists(const char *path) {
  struct stat info;
  return stat(path, &info) == 0;
}

bool rlx_file_is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

typedef Vec(char *) Names;

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/// The names in a folder, sorted; false when it cannot be read.
static bool list_folder(const char *folder, Names *out) {
  DIR *dir = opendir(folder);
  if (!dir) return false;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    rlx_vec_push(out, rlx_mem_strdup(entry->d_name));
  }
  closedir(dir);
  if (out->count) qsort(out->at, out->count, sizeof *out->at, compare_names);
  return true;
}

/// Depth is bounded by the system's longest path, since links to folders are not followed.
static bool walk(RlxBuf *path, RlxFileVisitFn *visit, void *user) {
  Names names = {0};
  if (!list_folder(rlx_buf_text(path), &names)) return false;
  size_t old_size = path->size;
  for (uint32_t i = 0; i < names.count; i++) {
    if (path->size && path->at[path->size - 1] != '/') rlx_buf_putc(path, '/');
    size_t name_at = path->size;
    rlx_buf_puts(path, names.at[i]);
    struct stat info;
    if (path->size < LONGEST_PATH_BYTES && lstat(path->at, &info) == 0) {
      bool is_folder = S_ISDIR(info.st_mode);
      bool is_file = S_ISREG(info.st_mode) ||
                     (S_ISLNK(info.st_mode) && stat(path->at, &info) == 0 && S_ISREG(info.st_mode));
      if (is_folder || is_file) {
        RlxFileVisit met = {path->at, path->at + name_at, is_folder};
        if (visit(user, &met) && is_folder) walk(path, visit, user);
      }
    }
    rlx_buf_truncate(path, old_size);
    free(names.at[i]);
  }
  rlx_vec_free(&names);
  return true;
}

bool rlx_file_walk(const char *root, RlxFileVisitFn *visit, void *user, RlxError *err) {
  RlxBuf path = {0};
  rlx_buf_puts(&path, root);
  bool ok = walk(&path, visit, user) || fail(err, root, "cannot open folder");
  rlx_buf_free(&path);
  return ok;
}

char *rlx_file_from_home(const char *path) {
  const char *home = getenv("HOME");
  RlxBuf out = {0};
  const bool is_home = home && !strncmp(path, "~/", 2);
  rlx_buf_printf(&out, "%s%s", is_home ? home : "", is_home ? path + 1 : path);
  return rlx_buf_steal(&out);
}
