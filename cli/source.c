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
static const char utf8_mark[] = "\xef\xbb\xbf";

/// The encoding that a comment in one of the first two lines names; `*line`: which one, from 0.
static bool find_cookie(const char *text, size_t size, char name[MAX_NAME], int *line) {
  size_t at = 0;
  for (*line = 0; *line < 2 && at < size; ++*line) {
    size_t end = at;
    while (end < size && text[end] != '\n' && text[end] != '\r') end++;
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
    at = end + 1 < size && text[end] == '\r' && text[end + 1] == '\n' ? end + 2 : end + 1;
  }
  return false;
}

/// Python's names of encodings that iconv spells otherwise.
static const char *iconv_name(const char *name) {
  static const char *const names[][2] = {
      {"latin-1", "ISO-8859-1"},     {"latin_1", "ISO-8859-1"},     {"latin1", "ISO-8859-1"},
      {"iso8859-1", "ISO-8859-1"},   {"iso-latin-1", "ISO-8859-1"}, {"iso8859-15", "ISO-8859-15"},
      {"iso8859_15", "ISO-8859-15"}, {"euc_jp", "EUC-JP"},          {"euc_kr", "EUC-KR"},
      {"shift_jis", "SHIFT_JIS"},    {"shiftjis", "SHIFT_JIS"},     {"s_jis", "SHIFT_JIS"},
      {"cp1252", "CP1252"},          {"koi8_r", "KOI8-R"},          {"latin", "ISO-8859-1"},
      {"mac_roman", "MACINTOSH"},    {"macroman", "MACINTOSH"},     {"iso2022_jp", "ISO-2022-JP"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcasecmp(names[i][0], name) == 0) return names[i][1];
  }
  return name;
}

static iconv_t converter_of(const char *encoding) {
  iconv_t found = iconv_open("UTF-8", iconv_name(encoding));
  char name[MAX_NAME];
  if (found != (iconv_t)-1 || strlen(encoding) >= sizeof name) return found;
  strcpy(name, encoding);
  for (char *c = name; *c; c++)
    if (*c == '_') *c = '-'; // Python takes the one for the other
  return iconv_open("UTF-8", name);
}

static bool is_known(const char *encoding) {
  iconv_t converter = converter_of(encoding);
  if (converter == (iconv_t)-1) return false;
  iconv_close(converter);
  return true;
}

static bool is_ascii_name(const char *name) {
  return strcasecmp(name, "ascii") == 0 || strcasecmp(name, "us-ascii") == 0;
}

static bool is_utf8_name(const char *name) {
  static const char *const names[] = {"utf8", "utf-8", "utf_8", "u8", "utf", "cp65001"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t size = strlen(names[i]);
    if (strncasecmp(names[i], name, size) == 0 && (!name[size] || strchr("-_", name[size])))
      return true;
  }
  return false;
}

static void transcode(RlxBuf *buf, const char *encoding) {
  iconv_t converter = converter_of(encoding);
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
  int line;
  if (find_cookie(rlx_buf_text(out), out->size, name, &line) && !is_utf8_name(name) &&
      !is_ascii_name(name))
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

bool rlx_source_read_input(const char *path, bool is_named, RlxBuf *out, RlxError *err) {
  return is_named ? rlx_source_read(path, out, err) : rlx_source_read_regular(path, out, err);
}

/// What Python says of the encoding that is declared in the line `line`, whatever the bytes are.
static bool check_declared(const char *shown, const char *name, int line, bool has_mark,
                           RlxError *err) {
  if (is_utf8_name(name)) return true;
  if (has_mark)
    return rlx_error_set(
        err,
        "%s:%d: the encoding %s is declared in a file that begins with the mark of "
        "UTF-8: declare no encoding",
        shown, line + 1, name);
  return is_known(name) ||
         rlx_error_set(err, "%s:%d: the encoding %s is not known: save the file as UTF-8", shown,
                       line + 1, name);
}

bool rlx_source_check_encoding(const char *shown, const RlxBuf *content, RlxError *err) {
  const char *text = rlx_buf_text(content);
  const bool has_mark = content->size >= 3 && memcmp(text, utf8_mark, 3) == 0;
  if (has_mark) text += 3;
  size_t size = content->size - (has_mark ? 3 : 0), bad = 0, at_line = 1;
  char name[MAX_NAME];
  int line;
  const bool is_declared = find_cookie(text, size, name, &line);
  if (is_declared && !check_declared(shown, name, line, has_mark, err)) return false;
  bool is_fine = rlx_utf8_is_valid(text, size, &bad);
  if (is_declared && is_ascii_name(name)) {
    for (bad = 0; bad < size && (unsigned char)text[bad] < 0x80;) bad++;
    is_fine = bad == size;
  }
  if (is_fine) return true;
  for (size_t i = 0; i < bad; i++) at_line += text[i] == '\n';
  const unsigned byte = (unsigned char)text[bad];
  if (is_declared)
    return rlx_error_set(
        err, "%s:%zu: byte 0x%02x is not in the declared encoding %s: save the file as UTF-8",
        shown, at_line, byte, name);
  return rlx_error_set(
      err, "%s:%zu: byte 0x%02x is not UTF-8, and no encoding is declared: save the file as UTF-8",
      shown, at_line, byte);
}

bool rlx_source_read_text(const char *path, RlxBuf *out, RlxError *err) {
  return rlx_source_read(path, out, err) && rlx_source_check_encoding(path, out, err);
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
  char *real = realpath(path, NULL);
  bool fine = rlx_file_read_regular(real ? real : path, RLX_FILE_LIMIT_BYTES, &now, err);
  free(real);
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
