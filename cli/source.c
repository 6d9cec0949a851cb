/// Finds the encoding of a Python file and converts its bytes to UTF-8. Source of the rule: the
/// Python reference, "Encoding declarations".
#include "cli/source.h"

#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyzer/words/islands.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

enum { MAX_NAME = 40 };

/// The encoding that a comment in one of the first two lines names.
static bool find_cookie(const RlxBuf *buf, char name[MAX_NAME]) {
  const char *text = rlx_buf_text(buf);
  size_t at = 0;
  for (int line = 0; line < 2 && at < buf->size; line++) {
    size_t end = at;
    while (end < buf->size && text[end] != '\n' && text[end] != '\r') end++;
    size_t i = at;
    while (i < end && (text[i] == ' ' || text[i] == '\t' || text[i] == '\f')) i++;
    bool is_comment = i < end && text[i] == '#';
    if (!is_comment && i < end) return false; // code: the second line does not count
    for (; is_comment && i + 7 < end; i++) {
      if (strncmp(text + i, "coding", 6) != 0 || (text[i + 6] != ':' && text[i + 6] != '='))
        continue;
      size_t from = i + 7, n = 0;
      while (from < end && (text[from] == ' ' || text[from] == '\t')) from++;
      while (from < end && n < MAX_NAME - 1 &&
             (strchr("-_.", text[from]) || (text[from] >= '0' && text[from] <= '9') ||
              ((text[from] | 0x20) >= 'a' && (text[from] | 0x20) <= 'z')))
        name[n++] = text[from++];
      name[n] = 0;
      if (n) return true;
    }
    at = end + 1 < buf->size && text[end] == '\r' && text[end + 1] == '\n' ? end + 2 : end + 1;
  }
  return false;
}

/// Python's names of encodings that iconv spells otherwise.
static const char *iconv_name(const char *name) {
  static const char *const names[][2] = {
      {"latin-1", "ISO-8859-1"},     {"latin_1", "ISO-8859-1"},     {"latin1", "ISO-8859-1"},
      {"iso8859-1", "ISO-8859-1"},   {"iso-latin-1", "ISO-8859-1"}, {"iso8859-15", "ISO-8859-15"},
      {"iso8859_15", "ISO-8859-15"}, {"euc_jp", "EUC-JP"},          {"euc_kr", "EUC-KR"},
      {"shift_jis", "SHIFT_JIS"},    {"cp1252", "CP1252"},          {"koi8_r", "KOI8-R"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcasecmp(names[i][0], name) == 0) return names[i][1];
  }
  return name;
}

static void transcode(RlxBuf *buf, const char *encoding) {
  iconv_t converter = iconv_open("UTF-8", iconv_name(encoding));
  if (converter == (iconv_t)-1) return;
  RlxBuf out = {0};
  char *in = buf->at;
  size_t left = buf->size;
  bool good = true;
  while (left > 0 && good) {
    char block[4096], *to = block;
    size_t room = sizeof block;
    size_t result = iconv(converter, &in, &left, &to, &room);
    rlx_buf_putn(&out, block, sizeof block - room);
    good = result != (size_t)-1 || room < sizeof block;
  }
  iconv_close(converter);
  if (good) {
    RlxBuf old = *buf;
    *buf = out;
    out = old;
  }
  rlx_buf_free(&out);
}

/// The encoding of more than a byte that the text's byte order mark names; NULL: none. The mark of
/// UTF-32 in little endian order starts with that of UTF-16.
static const char *wide_encoding(const char *text, size_t size) {
  static const struct {
    const char *mark;
    size_t size;
    const char *name;
  } marks[] = {{"\xff\xfe\0\0", 4, "UTF-32"},
               {"\0\0\xfe\xff", 4, "UTF-32"},
               {"\xff\xfe", 2, "UTF-16"},
               {"\xfe\xff", 2, "UTF-16"}};
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
    if (size >= marks[i].size && memcmp(text, marks[i].mark, marks[i].size) == 0)
      return marks[i].name;
  return NULL;
}

bool rlx_source_is_wide(const char *text, size_t size) {
  if (wide_encoding(text, size)) return true;
  size_t zeros[4] = {0}, each = size / 4;
  int full = 0, clear = 0;
  if (!memchr(text, 0, size)) return false;
  for (size_t i = 0; i < each * 4; i++) zeros[i % 4] += !text[i];
  for (int i = 0; i < 4; i++) {
    full += zeros[i] * 10 >= each * 8;
    clear += zeros[i] * 10 <= each;
  }
  return each >= 4 && full >= 2 && full + clear == 4 && clear;
}

/// What is no Python source in an encoding that is read. UTF-8 that happens to have a NUL byte is
/// analysed where it may hold a script.
static bool refuse(const char *path, const RlxBuf *buf, RlxError *err) {
  const char *text = rlx_buf_text(buf), *dot = strrchr(path, '.');
  if (dot && strcasecmp(dot, ".ipynb") == 0)
    return rlx_error_set(err,
                         "%s: not read: a notebook; write its code cells to a script (`jupyter "
                         "nbconvert --to script`) and name that",
                         path);
  const char *wide = wide_encoding(text, buf->size);
  if (wide)
    return rlx_error_set(err, "%s: not read: %s, which Python does not read: save it as UTF-8",
                         path, wide);
  if (memchr(text, 0, buf->size) &&
      (rlx_source_is_wide(text, buf->size) || !rlx_islands_possible(text, buf->size)))
    return rlx_error_set(err,
                         "%s: not read: it has NUL bytes, so it is a binary file, or a text in "
                         "UTF-16 or UTF-32: save it as UTF-8",
                         path);
  return true;
}

/// The bytes in `out` as UTF-8.
static bool decode(const char *path, RlxBuf *out, RlxError *err) {
  char name[MAX_NAME];
  if (find_cookie(out, name) && strncasecmp(name, "utf", 3) != 0 && strcasecmp(name, "ascii") != 0)
    transcode(out, name);
  return refuse(path, out, err);
}

bool rlx_source_read(const char *path, RlxBuf *out, RlxError *err) {
  rlx_buf_clear(out);
  return rlx_file_read(path, out, err) && decode(path, out, err);
}

bool rlx_source_read_regular(const char *path, RlxBuf *out, RlxError *err) {
  rlx_buf_clear(out);
  char *real = realpath(path, NULL);
  const bool ok = rlx_file_read_regular(real ? real : path, RLX_FILE_LIMIT_BYTES, out, err);
  free(real);
  return ok && decode(path, out, err);
}

bool rlx_source_check_encoding(const char *shown, const RlxBuf *content, RlxError *err) {
  const char *text = rlx_buf_text(content);
  size_t size = content->size, bad, head = 0, line = 1;
  if (rlx_utf8_is_valid(text, size, &bad)) return true;
  for (int i = 0; i < 2 && head < size; i++) head += strcspn(text + head, "\n") + 1;
  if (memmem(text, head < size ? head : size, "coding", strlen("coding"))) return true;
  for (size_t i = 0; i < bad; i++) line += text[i] == '\n';
  return rlx_error_set(
      err, "%s:%zu: byte 0x%02x is not UTF-8, and no encoding is declared: save the file as UTF-8",
      shown, line, (unsigned char)text[bad]);
}

bool rlx_source_say_encoding(const char *command, const char *shown, const RlxBuf *content) {
  RlxError err = {0};
  if (rlx_source_check_encoding(shown, content, &err)) return true;
  rlx_text_say(stderr, "rlx %s: %s", command, err.text);
  return false;
}

static bool is_below(const char *path, const char *folder) {
  size_t size = strcmp(folder, "/") != 0 ? strlen(folder) : 0;
  return strncmp(path, folder, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

/// The folder that a link may not lead out of: `project` when it is above the file, else the file's
/// own. A path without `..` that starts here means a file below here, or of the project around.
static char *tree_of(const char *path, const char *project) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? rlx_mem_strndup(path, (size_t)(slash - path) + 1) : rlx_mem_strdup("."),
       *real = realpath(folder, NULL), *top = project ? realpath(project, NULL) : NULL,
       *here = *path != '/' && !strstr(path, "..") ? realpath(".", NULL) : NULL;
  bool in_project =
      real && top && is_below(real, top) && (!here || is_below(top, here) || is_below(here, top));
  bool is_elsewhere = here && real && !in_project && !is_below(real, here);
  char *tree = rlx_mem_strdup(in_project ? top : is_elsewhere ? here : real ? real : folder);
  free(folder);
  free(real);
  free(top);
  free(here);
  return tree;
}

bool rlx_source_write(const char *path, const char *project, const RlxBuf *was, const RlxBuf *text,
                      RlxError *err) {
  RlxBuf now = {0};
  bool fine = rlx_file_read(path, &now, err);
  if (fine &&
      (now.size != was->size || memcmp(rlx_buf_text(&now), rlx_buf_text(was), now.size) != 0))
    fine = rlx_error_set(err, "%s: not written: it changed meanwhile, or is not UTF-8", path);
  rlx_buf_free(&now);
  if (!fine) return false;
  char *tree = tree_of(path, project);
  fine = rlx_file_write_below(path, tree, rlx_buf_text(text), text->size, err);
  free(tree);
  return fine;
}
