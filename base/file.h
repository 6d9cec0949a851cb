/// Files and folders.
///
/// Always true: a read is bounded, a write is whole or has not happened, and a failure names the
/// path and the system's reason.
#ifndef RLX_BASE_FILE_H
#define RLX_BASE_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/// The largest source file (spec 5, limits).
#define RLX_FILE_LIMIT_BYTES ((size_t)64 * 1024 * 1024)

/// Reads all of a regular file, pipe or device ("-" is standard input) into `out`, which is empty
/// on failure. Fails behind `limit_bytes`, on a folder, and on anything the system refuses.
bool rlx_file_read_limited(const char *path, size_t limit_bytes, RlxBuf *out, RlxError *err);

/// As above, but what is opened must be a regular file, and no link, whatever stood there a moment
/// ago. Never waits for who opens the other end of a pipe.
bool rlx_file_read_regular(const char *path, size_t limit_bytes, RlxBuf *out, RlxError *err);

/// As rlx_file_read_limited with RLX_FILE_LIMIT_BYTES.
bool rlx_file_read(const char *path, RlxBuf *out, RlxError *err);

/// Replaces or makes the file: written beside it, synced, renamed over it. The mode of an existing
/// file stays; a symbolic link keeps pointing to the file that is replaced. After a failure the old
/// content is intact and nothing is left behind.
bool rlx_file_write(const char *path, const char *bytes, size_t size, RlxError *err);

/// As rlx_file_write, but given up, as a failure that is "interrupted", once `*cancel` is set, by a signal handler; NULL:
/// never.
bool rlx_file_write_unless(const char *path, const char *bytes, size_t size,
                           const volatile sig_atomic_t *cancel, RlxError *err);

/// A path beside the file at `path`, links followed, where there is nothing yet, for what a library writes there by itself:
/// rlx_file_take_place then does what rlx_file_write does last. The caller frees it. NULL and `err`: what is at `path` is no
/// regular file.
char *rlx_file_beside(const char *path, RlxError *err);
/// The file `beside` is synced, gets the mode of the one at `path`, and replaces it. After a failure it is gone, and the other one
/// as it was.
bool rlx_file_take_place(const char *beside, const char *path, RlxError *err);

/// As rlx_file_write, but the file that is replaced lies below the folder `tree`, links resolved, or
/// nothing is written. Whoever exchanges folders and links meanwhile does not get around that.
bool rlx_file_write_below(const char *path, const char *tree, const char *bytes, size_t size,
                          RlxError *err);

/// The absolute path with links resolved; what is not there, at its end, stays as it is written. The
/// caller frees it. NULL: a part of the path cannot be looked at.
char *rlx_file_real_path(const char *path);
/// Whether something is there, of any kind. Links are followed.
bool rlx_file_exists(const char *path);
/// Whether it is there and is a folder. Links are followed.
bool rlx_file_is_folder(const char *path);

/// What rlx_file_walk meets.
typedef struct RlxFileVisit {
  const char *path; // root joined with the names below it
  const char *name; // its last part
  bool is_folder;
} RlxFileVisit;

/// For a folder: whether to go in. For a file the answer means nothing.
typedef bool RlxFileVisitFn(void *user, const RlxFileVisit *visit);

/// Visits what is below folder `root` (not `root` itself) in byte order of the names, a folder
/// before its content. Links to folders are not followed. A folder that cannot be read is skipped;
/// only an unreadable `root` fails.
bool rlx_file_walk(const char *root, RlxFileVisitFn *visit, void *user, RlxError *err);

/// A copy of the path, the user's folder in place of "~" before its first slash, as a shell has it; the caller frees it.
char *rlx_file_from_home(const char *path);

#endif
