/// The cache of findings: a file for each content, program and settings, in a folder that tidies
/// itself.
#include "cli/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/version.h"

static const char magic[8] = "rlx\1cch\n";
enum { DAY_S = 24 * 60 * 60, KEPT_DAYS = 30, ENTRY_LIMIT_BYTES = 64 * 1024 * 1024 };

uint64_t rlx_cache_program(void) {
  struct stat st;
  RlxBuf text = {0};
  rlx_buf_puts(&text, RLX_VERSION);
  if (stat("/proc/self/exe", &st) == 0) // another build of the same version finds other things
    rlx_buf_printf(&text, " %lld %lld %ld", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                   st.st_mtim.tv_nsec);
  uint64_t hash = XXH3_64bits(text.at, text.size);
  rlx_buf_free(&text);
  return hash;
}

void rlx_cache_folder(const char *setting, const char *base, RlxBuf *out) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  rlx_buf_clear(out);
  if (*setting)
    rlx_buf_printf(out, "%s%s%s", *setting != '/' && base ? base : "",
                   *setting != '/' && base ? "/" : "", setting);
  else if (xdg && *xdg == '/')
    rlx_buf_printf(out, "%s/rlx", xdg); // a relative one is to be ignored, says the standard
  else if (home && *home == '/')
    rlx_buf_printf(out, "%s/.cache/rlx", home);
}

bool rlx_cache_is_inside(const char *folder, const char *base) {
  RlxBuf part = {0};
  rlx_buf_puts(&part, folder);
  char *real = NULL, *top = realpath(base, NULL), *slash;
  struct stat st;
  // What is not there yet is made as it is called; a link without its target is there.
  while (!(real = realpath(part.at, NULL)) && lstat(part.at, &st) != 0 &&
         (slash = strrchr(part.at, '/')) && slash != part.at)
    *slash = '\0';
  size_t size = top && strcmp(top, "/") != 0 ? strlen(top) : 0;
  bool fine = real && top && strncmp(real, top, size) == 0 && (!real[size] || real[size] == '/');
  rlx_buf_free(&part);
  free(real);
  free(top);
  return fine;
}

RlxCacheKey rlx_cache_key(uint64_t program, const RlxSettings *settings, const char *text,
                          size_t size) {
  RlxBuf head = {0};
  rlx_settings_write(settings, &head);
  XXH128_hash_t hash =
      XXH3_128bits_withSeed(text, size, XXH3_64bits_withSeed(head.at, head.size, program));
  rlx_buf_free(&head);
  return (RlxCacheKey){hash.low64, hash.high64};
}

static void path_of(const char *folder, RlxCacheKey key, RlxBuf *out) {
  rlx_buf_clear(out);
  rlx_buf_printf(out, "%s/%02x/%014llx%016llx", folder, (unsigned)(key.high >> 56),
                 (unsigned long long)(key.high & 0xffffffffffffff), (unsigned long long)key.low);
}

/// All of a file without a word about failures.
static bool read_entry(const char *path, RlxBuf *out) {
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat st;
  bool fine =
      fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= ENTRY_LIMIT_BYTES;
  if (fine) {
    rlx_buf_reserve(out, (size_t)st.st_size);
    ssize_t n = read(fd, out->at, (size_t)st.st_size);
    fine = n == st.st_size;
    if (fine) out->size = (size_t)n;
    if (fine && time(NULL) - st.st_mtim.tv_sec > DAY_S) futimens(fd, NULL); // in use
  }
  if (fd >= 0) close(fd);
  return fine;
}

bool rlx_cache_get(const char *folder, RlxCacheKey key, uint32_t text_size, RlxReport *out) {
  RlxBuf path = {0}, entry = {0};
  size_t head = sizeof magic + sizeof key, tail = sizeof(uint64_t);
  path_of(folder, key, &path);
  bool fine = read_entry(path.at, &entry) && entry.size >= head + tail &&
              memcmp(entry.at, magic, sizeof magic) == 0 &&
              memcmp(entry.at + sizeof magic, &key, sizeof key) == 0;
  if (fine) {
    uint64_t sum = XXH3_64bits(entry.at, entry.size - tail);
    fine = memcmp(entry.at + entry.size - tail, &sum, tail) == 0 &&
           rlx_report_read(entry.at + head, entry.size - head - tail, text_size, out);
  }
  rlx_buf_free(&path);
  rlx_buf_free(&entry);
  return fine;
}

static void mark_folder(const char *folder) {
  static const char tag[] = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by rlx; may be "
                            "removed. See https://bford.info/cachedir/\n";
  static const char ignore[] = "*\n";
  RlxBuf name = {0};
  rlx_buf_printf(&name, "%s/CACHEDIR.TAG", folder);
  rlx_file_write(name.at, tag, sizeof tag - 1, NULL);
  rlx_buf_clear(&name);
  rlx_buf_printf(&name, "%s/.gitignore", folder);
  rlx_file_write(name.at, ignore, sizeof ignore - 1, NULL);
  rlx_buf_free(&name);
}

/// Makes the folders up to that of `path`; the cache's own gets the marks that backup programs and
/// git know.
static bool make_folders(const char *folder, const char *path) {
  RlxBuf part = {0};
  bool made = true;
  for (size_t i = 1; path[i] && made; i++) {
    if (path[i] != '/') continue;
    rlx_buf_clear(&part);
    rlx_buf_putn(&part, path, i);
    bool is_new = mkdir(part.at, 0777) == 0;
    made = is_new || errno == EEXIST;
    if (is_new && strcmp(part.at, folder) == 0) mark_folder(folder);
  }
  rlx_buf_free(&part);
  return made;
}

/// The folder that the entry at `path` is in, itself and no link; made when it is not there. -1:
/// nothing can be kept.
static int open_place(const char *folder, const char *path) {
  const int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  RlxBuf place = {0};
  rlx_buf_putn(&place, path, (size_t)(strrchr(path, '/') - path));
  int fd = open(place.at, how);
  if (fd < 0 && errno == ENOENT && make_folders(folder, path)) fd = open(place.at, how);
  rlx_buf_free(&place);
  return fd;
}

void rlx_cache_put(const char *folder, RlxCacheKey key, const RlxReport *report) {
  RlxBuf path = {0}, entry = {0}, beside = {0};
  rlx_buf_putn(&entry, magic, sizeof magic);
  rlx_buf_putn(&entry, (const char *)&key, sizeof key);
  rlx_report_write(report, &entry);
  uint64_t sum = XXH3_64bits(entry.at, entry.size);
  rlx_buf_putn(&entry, (const char *)&sum, sizeof sum);
  path_of(folder, key, &path);
  int place = open_place(folder, path.at);
  const char *name = strrchr(path.at, '/') + 1;
  rlx_buf_printf(&beside, "%s.%ld", name, (long)getpid());
  const int how = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  int fd = place >= 0 ? openat(place, beside.at, how, 0666) : -1;
  if (fd >= 0) { // not synced: a torn entry has the wrong sum
    bool fine = write(fd, entry.at, entry.size) == (ssize_t)entry.size;
    if (close(fd) != 0 || !fine || renameat(place, beside.at, place, name) != 0)
      unlinkat(place, beside.at, 0);
  }
  if (place >= 0) close(place);
  rlx_buf_free(&path);
  rlx_buf_free(&entry);
  rlx_buf_free(&beside);
}

// ---- tidying

static bool is_hex(const char *name, size_t size) {
  return strspn(name, "0123456789abcdef") >= size;
}

static void tidy_folder(const char *folder, time_t now) {
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
  if (!dir && fd >= 0) close(fd);
  if (!dir) return;
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    struct stat st;
    bool is_ours = is_hex(entry->d_name, 30) &&
                   fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
                   S_ISREG(st.st_mode);
    if (is_ours && now - st.st_mtim.tv_sec > KEPT_DAYS * DAY_S)
      unlinkat(dirfd(dir), entry->d_name, 0);
  }
  closedir(dir);
}

void rlx_cache_tidy(const char *folder) {
  RlxBuf path = {0};
  struct stat st;
  time_t now = time(NULL);
  rlx_buf_printf(&path, "%s/CACHEDIR.TAG", folder);
  if (lstat(path.at, &st) == 0 && S_ISREG(st.st_mode) && now - st.st_mtim.tv_sec > DAY_S &&
      utimensat(AT_FDCWD, path.at, NULL, AT_SYMLINK_NOFOLLOW) == 0) {
    for (unsigned i = 0; i < 256; i++) {
      rlx_buf_clear(&path);
      rlx_buf_printf(&path, "%s/%02x", folder, i);
      tidy_folder(path.at, now);
    }
  }
  rlx_buf_free(&path);
}
