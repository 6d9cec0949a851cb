/// Python source from a file as UTF-8.
#ifndef RLX_CLI_SOURCE_H
#define RLX_CLI_SOURCE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"

/// Reads a file ("-": standard input) and honours its coding cookie (`# -*- coding: latin-1 -*-` in
/// the first two lines). An encoding that is not known, or bytes that do not fit it, leave the
/// bytes as they are. `out` is replaced. Notebooks, UTF-16 and binary files are refused; `out` has
/// their bytes all the same.
bool rlx_source_read(const char *path, RlxBuf *out, RlxError *err);
/// As above, but what is no regular file, itself or behind a link, is refused: for files that a
/// repository names. Never waits for who opens the other end of a pipe.
bool rlx_source_read_regular(const char *path, RlxBuf *out, RlxError *err);

/// The first where the user named the file, which may then be a pipe; the second where it was found in a folder: it was a regular file
/// when it was found, and whoever exchanges it since makes nobody wait.
bool rlx_source_read_input(const char *path, bool is_named, RlxBuf *out, RlxError *err);

/// As rlx_source_read, but bytes that are not in the file's encoding are an error as well: for those who write what
/// they read, or carry it out.
bool rlx_source_read_text(const char *path, RlxBuf *out, RlxError *err);

/// Whether the bytes are a text in UTF-16 or UTF-32, with a byte order mark or of mostly Latin letters: of each four bytes
/// two or three are almost always 0, the others hardly ever.
bool rlx_source_is_wide(const char *text, size_t size);

/// Python takes a script for UTF-8 unless its first two lines declare an encoding (PEP 263). False: the
/// bytes are not in that, or it is none; `err` says where in the file that is shown as `shown`.
bool rlx_source_check_encoding(const char *shown, const RlxBuf *content, RlxError *err);

/// The same, said on stderr as `rlx COMMAND: …`.
bool rlx_source_say_encoding(const char *command, const char *shown, const RlxBuf *content);

/// Replaces the file by `text`, whole or not at all, unless it no longer is what `was` was read
/// from (or was not UTF-8), or is behind a link that leads out of its project: the folder
/// `project` (of its configuration; may be NULL), where that is above the file, else the file's own.
bool rlx_source_write(const char *path, const char *project, const RlxBuf *was, const RlxBuf *text,
                      RlxError *err);

#endif
