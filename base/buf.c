/// Growable texts: appending, formatting, replacing a part.
///
/// Always true: once there is any memory, a NUL stands behind the last byte.
#include "base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/mem.h"

const char *rlx_buf_text(const RlxBuf *buf) { return buf->at ? buf->at : ""; }

void rlx_buf_reserve(RlxBuf *buf, size_t more) {
  if (more > SIZE_MAX / 4 || buf->size > SIZE_MAX / 4) rlx_mem_exhausted(more);
  size_t wanted = buf->size + more + 1;
  if (wanted <= buf->capacity) return;
  size_t capacity = buf->capacity * 2;
  if (capacity < wanted) capacity = wanted;
  if (capacity < 32) capacity = 32;
  buf->at = rlx_mem_resize(buf->at, capacity, 1);
  buf->capacity = capacity;
  buf->at[buf->size] = '\0';
}

void rlx_buf_putn(RlxBuf *buf, const char *bytes, size_t size) {
  if (size == 0) return;
  rlx_buf_reserve(buf, size);
  memcpy(buf->at + buf->size, bytes, size);
  buf->size += size;
  buf->at[buf->size] = '\0';
}

void rlx_buf_puts(RlxBuf *buf, const char *text) { rlx_buf_putn(buf, text, strlen(text)); }

void rlx_buf_putc(RlxBuf *buf, char c) {
  if (buf->size + 1 >= buf->capacity) rlx_buf_reserve(buf, 1);
  buf->at[buf->size++] = c;
  buf->at[buf->size] = '\0';
}

void rlx_buf_repeat(RlxBuf *buf, char c, size_t times) {
  if (times == 0) return;
  rlx_buf_reserve(buf, times);
  memset(buf->at + buf->size, c, times);
  buf->size += times;
  buf->at[buf->size] = '\0';
}

void rlx_buf_vprintf(RlxBuf *buf, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  if (length > 0) {
    rlx_buf_reserve(buf, (size_t)length);
    vsnprintf(buf->at + buf->size, (size_t)length + 1, format, again);
    buf->size += (size_t)length;
  }
  va_end(again);
}

void rlx_buf_printf(RlxBuf *buf, const char *format, ...) {
  va_list args;
  va_start(args, format);
  rlx_buf_vprintf(buf, format, args);
  va_end(args);
}

char *rlx_digits_before(char *end, uint64_t value) {
  do *--end = (char)('0' + value % 10);
  while (value /= 10);
  return end;
}

void rlx_buf_put_int(RlxBuf *buf, int64_t value) {
  char digits[RLX_DIGITS_MAX + 1], *end = digits + sizeof digits;
  char *at = rlx_digits_before(end, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
  if (value < 0) *--at = '-';
  rlx_buf_putn(buf, at, (size_t)(end - at));
}

void rlx_buf_put_double(RlxBuf *buf, double number) {
  char text[32];
  for (int digits = 1; digits <= 17; digits++) { // 17 read back as every double
    snprintf(text, sizeof text, "%.*g", digits, number);
    double back = strtod(text, NULL);
    if (!(back < number) && !(back > number)) break;
  }
  rlx_buf_puts(buf, text);
  if (!strpbrk(text, ".e")) rlx_buf_puts(buf, ".0");
}

void rlx_buf_splice(RlxBuf *buf, size_t start, size_t old_end, const char *bytes, size_t size) {
  if (rlx_never(start > old_end || old_end > buf->size)) return;
  rlx_buf_reserve(buf, size);
  memmove(buf->at + start + size, buf->at + old_end, buf->size - old_end);
  if (size) memcpy(buf->at + start, bytes, size);
  buf->size = buf->size - (old_end - start) + size;
  buf->at[buf->size] = '\0';
}

void rlx_buf_truncate(RlxBuf *buf, size_t size) {
  if (size >= buf->size) return;
  buf->size = size;
  buf->at[size] = '\0';
}

void rlx_buf_clear(RlxBuf *buf) { rlx_buf_truncate(buf, 0); }

void rlx_buf_free(RlxBuf *buf) {
  free(buf->at);
  *buf = (RlxBuf){0};
}

char *rlx_buf_steal(RlxBuf *buf) {
  rlx_buf_reserve(buf, 0);
  char *text = buf->at;
  *buf = (RlxBuf){0};
  return text;
}

void rlx_buf_put_wrapped(RlxBuf *buf, const char *text, size_t indent, size_t width) {
  size_t column = 0;
  while (*text) {
    if (*text == '\n') {
      rlx_buf_putc(buf, '\n');
      column = 0;
      text++;
      continue;
    }
    size_t word = strcspn(text, " \n");
    if (column == 0 || column + 1 + word > width) {
      if (column) rlx_buf_putc(buf, '\n');
      rlx_buf_repeat(buf, ' ', indent);
      column = indent;
    } else {
      rlx_buf_putc(buf, ' ');
      column++;
    }
    rlx_buf_putn(buf, text, word);
    column += word;
    text += word;
    while (*text == ' ') text++;
  }
  rlx_buf_putc(buf, '\n');
}
