/// Any bytes as text: decoding, lines and columns agree with each other; the first bytes choose
/// edits.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/glob.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds) {
  if (!holds) abort();
}

/// Every column of a line goes to UTF-16 and back to the start of its character.
static void check_columns(const char *line, uint32_t size) {
  for (uint32_t at = 0; at < size;) {
    uint32_t code;
    uint32_t length = rlx_utf8_decode(line + at, size - at, &code);
    must(rlx_bytes_from_utf16(line, size, rlx_utf16_from_bytes(line, size, at)) == at);
    must(rlx_bytes_from_utf32(line, size, rlx_utf32_from_bytes(line, size, at)) == at);
    at += length;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 4 || size > 4096) return 0;
  RlxBuf text = {0};
  rlx_buf_putn(&text, (const char *)bytes + 4, size - 4);
  rlx_buf_reserve(&text, 0);
  RlxLines lines = {0};
  rlx_lines_build(&lines, text.at, (uint32_t)text.size);

  // One edit: replace a slice of the text by another slice of it.
  uint32_t room = (uint32_t)text.size + 1;
  uint32_t start = bytes[0] % room;
  uint32_t old_end = start + bytes[1] % (room - start);
  uint32_t from = bytes[2] % room;
  uint32_t count = bytes[3] % (room - from);
  rlx_buf_splice(&text, start, old_end, (const char *)bytes + 4 + from, count);
  rlx_lines_edit(&lines, text.at, (uint32_t)text.size, start, old_end, start + count);

  RlxLines scratch = {0};
  rlx_lines_build(&scratch, text.at, (uint32_t)text.size);
  must(lines.starts.count == scratch.starts.count);
  must(memcmp(lines.starts.at, scratch.starts.at, lines.starts.count * sizeof(uint32_t)) == 0);
  for (uint32_t line = 0; line < rlx_lines_count(&lines); line++) {
    uint32_t first = rlx_lines_start(&lines, line);
    check_columns(text.at + first, rlx_lines_end(&lines, text.at, line) - first);
  }
  for (uint32_t at = 0; at <= text.size; at++) {
    RlxLineColumn place = rlx_lines_locate(&lines, at);
    must(rlx_lines_start(&lines, place.line) + place.column == at);
  }
  (void)rlx_text_width(text.at, text.size);
  rlx_lines_free(&scratch);
  rlx_lines_free(&lines);

  // The same bytes as an ignore file.
  RlxIgnore ignore = {0};
  rlx_ignore_parse(&ignore, text.at);
  (void)rlx_ignore_ask(&ignore, "a/b/c.py", false);
  rlx_ignore_free(&ignore);
  rlx_buf_free(&text);
  return 0;
}
