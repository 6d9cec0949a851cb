/// UTF-8, the table of line starts, and columns in UTF-16 and UTF-32.
///
/// Always true: any bytes are legal; line 0 starts at offset 0, so there is always a line.
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

#include "base/bug.h"
#include "base/vec.h"

uint32_t rlx_utf8_decode(const char *bytes, size_t size, uint32_t *out) {
  *out = 0xFFFD;
  if (size == 0) return 0;
  unsigned char first = (unsigned char)bytes[0];
  if (first < 0x80) {
    *out = first;
    return 1;
  }
  uint32_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || size < length) return 1;
  uint32_t code = first & (0x7Fu >> length);
  for (uint32_t i = 1; i < length; i++) {
    if (!rlx_utf8_is_continuation(bytes[i])) return 1;
    code = code << 6 | ((unsigned char)bytes[i] & 0x3Fu);
  }
  bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (is_overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return 1;
  *out = code;
  return length;
}

uint32_t rlx_utf8_encode(uint32_t code, char out[4]) {
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = 0xFFFD;
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  uint32_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (uint32_t i = length - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80u | (code & 0x3Fu));
  out[0] = (char)((0xF00u >> length & 0xF0u) | code);
  return length;
}

void rlx_utf8_put(RlxBuf *out, uint32_t code) {
  char bytes[4];
  rlx_buf_putn(out, bytes, rlx_utf8_encode(code, bytes));
}

int32_t rlx_text_escaped_unit(const char *at, const char *end) {
  if (end - at < 6 || at[0] != '\\' || at[1] != 'u') return -1;
  char digits[5] = {at[2], at[3], at[4], at[5]};
  if (strspn(digits, "0123456789abcdefABCDEF") != 4) return -1;
  return (int32_t)strtol(digits, NULL, 16);
}

bool rlx_text_ends_in(const char *text, const char *end) {
  const size_t size = strlen(text), wanted = strlen(end);
  return size >= wanted && strcmp(text + size - wanted, end) == 0;
}

bool rlx_text_is_name(const char *text, size_t size) {
  if (!size || !rlx_text_starts_name(*text)) return false;
  for (size_t i = 1; i < size; i++)
    if (!rlx_text_in_name(text[i])) return false;
  return true;
}

bool rlx_text_has_name(const char *text, const char *name) {
  const size_t size = strlen(name);
  for (const char *at = text; size && (at = strstr(at, name)) != NULL; at++) {
    const bool begins = at == text || !rlx_text_in_name(at[-1]);
    if (begins && !rlx_text_in_name(at[size])) return true;
  }
  return false;
}

bool rlx_text_is_ascii(const char *text, size_t size) {
  for (size_t i = 0; i < size; i++)
    if ((unsigned char)text[i] >= 0x80) return false;
  return true;
}

bool rlx_utf8_is_valid(const char *bytes, size_t size, size_t *out_bad) {
  for (size_t i = 0; i < size;) {
    uint32_t code;
    uint32_t length = rlx_utf8_decode(bytes + i, size - i, &code);
    if (code == 0xFFFD && length == 1) {
      if (out_bad) *out_bad = i;
      return false;
    }
    i += length;
  }
  return true;
}

bool rlx_text_is_unshown(uint32_t code) {
  return (code < 0x20 && code != '\t') || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
         code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

void rlx_text_put_shown(RlxBuf *out, const char *text, size_t size) {
  enum { PICTURES = 0x2400, PICTURE_OF_DELETE = 0x2421, REPLACEMENT = 0xFFFD };
  for (size_t i = 0; i < size;) {
    const size_t plain = i; // nearly all is shown as it is
    while (i < size && text[i] >= 0x20 && text[i] < 0x7F) i++;
    rlx_buf_putn(out, text + plain, i - plain);
    if (i == size) return;
    uint32_t code, length = rlx_utf8_decode(text + i, size - i, &code);
    i += length;
    if (code < 0x20 && code != '\t')
      code += PICTURES;
    else if (code == 0x7F)
      code = PICTURE_OF_DELETE;
    else if (rlx_text_is_unshown(code))
      code = REPLACEMENT;
    rlx_utf8_put(out, code);
  }
}

const char *rlx_text_shown(RlxArena *arena, const char *text) {
  RlxBuf shown = {0};
  const size_t size = strlen(text);
  rlx_text_put_shown(&shown, text, size);
  const bool is_same = shown.size == size && memcmp(rlx_buf_text(&shown), text, size) == 0;
  const char *out = is_same ? text : rlx_arena_strndup(arena, rlx_buf_text(&shown), shown.size);
  rlx_buf_free(&shown);
  return out;
}

void rlx_text_put_string(RlxBuf *out, const char *text, size_t size) {
  rlx_buf_putc(out, '"');
  for (size_t i = 0; i < size;) {
    const char c = text[i];
    uint32_t code, length = rlx_utf8_decode(text + i, size - i, &code);
    if (c == '"' || c == '\\')
      rlx_buf_printf(out, "\\%c", c);
    else if (c == '\n' || c == '\t' || c == '\r')
      rlx_buf_printf(out, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
    else if (code == 0xFFFD && length == 1) // no UTF-8
      rlx_buf_printf(out, "\\x%02x", (unsigned char)c);
    else if (rlx_text_is_unshown(code))
      rlx_buf_printf(out, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
    else
      rlx_buf_putn(out, text + i, length);
    i += length;
  }
  rlx_buf_putc(out, '"');
}

void rlx_text_put_lines(RlxBuf *out, FILE *to, const char *text, size_t size) {
  if (!isatty(fileno(to))) {
    rlx_buf_putn(out, text, size);
    return;
  }
  for (size_t i = 0, end; i < size; i = end + 1) {
    const char *line_end = memchr(text + i, '\n', size - i);
    end = line_end ? (size_t)(line_end - text) : size;
    const bool has_return = line_end && end > i && text[end - 1] == '\r';
    rlx_text_put_shown(out, text + i, end - i - has_return);
    if (line_end) rlx_buf_putc(out, '\n');
  }
}

void rlx_text_write(FILE *to, const char *text, size_t size) {
  RlxBuf lines = {0};
  rlx_text_put_lines(&lines, to, text, size);
  fwrite(rlx_buf_text(&lines), 1, lines.size, to);
  rlx_buf_free(&lines);
}

void rlx_text_say(FILE *to, const char *format, ...) {
  RlxBuf said = {0}, shown = {0};
  va_list args;
  va_start(args, format);
  rlx_buf_vprintf(&said, format, args);
  va_end(args);
  rlx_text_put_shown(&shown, rlx_buf_text(&said), said.size);
  fprintf(to, "%s\n", rlx_buf_text(&shown));
  rlx_buf_free(&said);
  rlx_buf_free(&shown);
}

uint32_t rlx_text_width(const char *bytes, size_t size) {
  uint32_t width = 0;
  for (size_t i = 0; i < size;) {
    uint32_t code;
    i += rlx_utf8_decode(bytes + i, size - i, &code);
    bool is_one = code == '\t' || rlx_text_is_unshown(code);
    int columns = is_one ? 1 : utf8proc_charwidth((utf8proc_int32_t)code);
    width += columns > 0 ? (uint32_t)columns : 0;
  }
  return width;
}

const char *rlx_text_find_word(const char *words, const char *word, size_t size) {
  for (const char *at = words; size && at && *at;) {
    size_t same = 0; // nearly always little
    while (same < size && at[same] == word[same]) same++;
    if (same == size && (!at[size] || at[size] == ' ')) return at;
    at = strchr(at, ' ');
    if (at) at++;
  }
  return NULL;
}

bool rlx_text_is_among(const char *word, const char *words) {
  return rlx_text_find_word(words, word, strlen(word)) != NULL;
}

void rlx_text_around(const char *text, uint32_t place, uint32_t *start, uint32_t *end) {
  enum { LONG_LINE = 400, BEFORE = 80, BEHIND = 160 }; // bytes
  if (*end - *start <= LONG_LINE) return;
  uint32_t from = place - *start > BEFORE ? place - BEFORE : *start;
  uint32_t to = *end - place > BEHIND ? place + BEHIND : *end;
  while (from > *start && rlx_utf8_is_continuation(text[from])) from--;
  while (to < *end && rlx_utf8_is_continuation(text[to])) to++;
  *start = from;
  *end = to;
}

/// Whether a line starts at `at`, which is greater than 0.
static bool starts_line(const char *text, uint32_t size, uint32_t at) {
  char before = text[at - 1];
  return before == '\n' || (before == '\r' && !(at < size && text[at] == '\n'));
}

void rlx_lines_build(RlxLines *lines, const char *text, uint32_t size) {
  rlx_vec_clear(&lines->starts);
  rlx_vec_push(&lines->starts, 0);
  for (uint32_t at = 1; at <= size; at++) {
    if (starts_line(text, size, at)) rlx_vec_push(&lines->starts, at);
  }
  lines->size_bytes = size;
}

/// Index of the first line that starts at or behind `offset`.
static uint32_t first_start_from(const RlxLines *lines, uint32_t offset) {
  uint32_t low = 0;
  uint32_t high = lines->starts.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (lines->starts.at[middle] < offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void rlx_lines_edit(RlxLines *lines, const char *new_text, uint32_t new_size, uint32_t start,
                    uint32_t old_end, uint32_t new_end) {
  if (rlx_never(start > old_end || old_end > lines->size_bytes || start > new_end ||
                new_end > new_size || lines->size_bytes - old_end != new_size - new_end)) {
    rlx_lines_build(lines, new_text, new_size);
    return;
  }
  // Whether a line starts at p depends on the bytes p-1 and p: those p are [start, end].
  uint32_t from = first_start_from(lines, start ? start : 1);
  uint32_t to = old_end == UINT32_MAX ? lines->starts.count : first_start_from(lines, old_end + 1);
  if (to < from) to = from;
  Vec(uint32_t) fresh = {0};
  for (uint32_t at = start ? start : 1; at <= new_end; at++) {
    if (starts_line(new_text, new_size, at)) rlx_vec_push(&fresh, at);
  }
  for (uint32_t i = to; i < lines->starts.count; i++) {
    lines->starts.at[i] = lines->starts.at[i] - old_end + new_end;
  }
  uint32_t shared = fresh.count < to - from ? fresh.count : to - from;
  if (shared) memcpy(lines->starts.at + from, fresh.at, shared * sizeof *fresh.at);
  if (fresh.count > shared) {
    rlx_vec_insert_n(&lines->starts, from + shared, fresh.at + shared, fresh.count - shared);
  } else {
    rlx_vec_remove_n(&lines->starts, from + shared, to - from - shared);
  }
  rlx_vec_free(&fresh);
  lines->size_bytes = new_size;
}

void rlx_lines_free(RlxLines *lines) {
  rlx_vec_free(&lines->starts);
  lines->size_bytes = 0;
}

uint32_t rlx_lines_count(const RlxLines *lines) { return lines->starts.count; }

uint32_t rlx_lines_start(const RlxLines *lines, uint32_t line) {
  return line < lines->starts.count ? lines->starts.at[line] : lines->size_bytes;
}

uint32_t rlx_lines_end(const RlxLines *lines, const char *text, uint32_t line) {
  uint32_t start = rlx_lines_start(lines, line);
  uint32_t end = rlx_lines_start(lines, line + 1);
  if (line + 1 >= lines->starts.count) return lines->size_bytes;
  if (end > start && text[end - 1] == '\n') end--;
  if (end > start && text[end - 1] == '\r') end--;
  return end;
}

RlxLineColumn rlx_lines_locate(const RlxLines *lines, uint32_t offset) {
  if (offset > lines->size_bytes) offset = lines->size_bytes;
  uint32_t line = offset == UINT32_MAX ? lines->starts.count : first_start_from(lines, offset + 1);
  line--;
  return (RlxLineColumn){line, offset - lines->starts.at[line]};
}

uint32_t rlx_lines_offset(const RlxLines *lines, const char *text, RlxLineColumn place) {
  if (place.line >= lines->starts.count) return lines->size_bytes;
  uint32_t start = rlx_lines_start(lines, place.line);
  uint32_t end = rlx_lines_end(lines, text, place.line);
  return place.column < end - start ? start + place.column : end;
}

/// How many ASCII bytes `text` starts with, about: whole words of eight.
static size_t ascii_words(const char *text, size_t size) {
  size_t i = 0;
  for (uint64_t word; i + sizeof word <= size; i += sizeof word) {
    memcpy(&word, text + i, sizeof word);
    if (word & UINT64_C(0x8080808080808080)) break;
  }
  return i;
}

uint32_t rlx_utf16_from_bytes(const char *line, size_t size, uint32_t column) {
  if (column < size) size = column;
  size_t i = ascii_words(line, size);
  uint32_t units = (uint32_t)i;
  while (i < size) {
    uint32_t code;
    i += rlx_utf8_decode(line + i, size - i, &code);
    units += code > 0xFFFF ? 2 : 1;
  }
  return units;
}

uint32_t rlx_bytes_from_utf16(const char *line, size_t size, uint32_t column_utf16) {
  size_t i = ascii_words(line, size < column_utf16 ? size : column_utf16);
  for (uint32_t units = (uint32_t)i; i < size && units < column_utf16;) {
    uint32_t code;
    uint32_t length = rlx_utf8_decode(line + i, size - i, &code);
    units += code > 0xFFFF ? 2 : 1;
    if (units > column_utf16) break;
    i += length;
  }
  return (uint32_t)i;
}

uint32_t rlx_utf32_from_bytes(const char *line, size_t size, uint32_t column) {
  uint32_t points = 0;
  if (column < size) size = column;
  for (size_t i = 0; i < size; points++) {
    uint32_t code;
    i += rlx_utf8_decode(line + i, size - i, &code);
  }
  return points;
}

enum { LONG_LINE = 1024, STEP = 64 }; ///< bytes

static void note_steps(RlxColumns *columns, bool utf32, const char *line, uint32_t size) {
  RlxColumnStep step = {0, 0};
  columns->line = line;
  columns->size = size;
  rlx_vec_clear(&columns->steps);
  rlx_vec_push(&columns->steps, step);
  for (uint32_t next = STEP; next < size && next >= STEP; next += STEP) {
    while (step.bytes < next) {
      uint32_t code;
      step.bytes += rlx_utf8_decode(line + step.bytes, size - step.bytes, &code);
      step.units += code > 0xFFFF && !utf32 ? 2 : 1;
    }
    rlx_vec_push(&columns->steps, step);
  }
}

uint32_t rlx_columns_units(RlxColumns *columns, bool utf32, const char *line, uint32_t size,
                           uint32_t column) {
  RlxColumnStep step = {0, 0};
  if (column > size) column = size;
  if (column >= LONG_LINE) {
    if (columns->line != line || columns->size != size) note_steps(columns, utf32, line, size);
    uint32_t i = column / STEP;
    if (i >= columns->steps.count) i = columns->steps.count - 1;
    if (columns->steps.at[i].bytes > column) i--; // a character over the end of the step
    step = columns->steps.at[i];
  }
  line += step.bytes;
  column -= step.bytes;
  return step.units + (utf32 ? rlx_utf32_from_bytes(line, column, column)
                             : rlx_utf16_from_bytes(line, column, column));
}

uint32_t rlx_bytes_from_utf32(const char *line, size_t size, uint32_t column_utf32) {
  size_t i = 0;
  for (uint32_t points = 0; i < size && points < column_utf32; points++) {
    uint32_t code;
    i += rlx_utf8_decode(line + i, size - i, &code);
  }
  return (uint32_t)i;
}
