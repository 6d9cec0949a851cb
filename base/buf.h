/// A growable text.
///
/// Always true: zeroed is empty; `at` is NULL or has a NUL behind `size` bytes, so that
/// rlx_buf_text() is a C string. The bytes may contain NULs of their own.
#ifndef RLX_BASE_BUF_H
#define RLX_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct RlxBuf {
  char *at; // owned
  size_t size;
  size_t capacity;
} RlxBuf;

/// The text so far, never NULL; good until the next change.
const char *rlx_buf_text(const RlxBuf *buf);

/// These append; the buffer grows as needed. Texts are copied.
void rlx_buf_puts(RlxBuf *buf, const char *text);
void rlx_buf_putn(RlxBuf *buf, const char *bytes, size_t size);
void rlx_buf_putc(RlxBuf *buf, char c);
void rlx_buf_repeat(RlxBuf *buf, char c, size_t times);
/// Appends `text` and a line end, broken at blanks into lines of at most `width` columns (bytes),
/// each behind `indent` blanks; its own line ends are kept.
void rlx_buf_put_wrapped(RlxBuf *buf, const char *text, size_t indent, size_t width);
void rlx_buf_printf(RlxBuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rlx_buf_vprintf(RlxBuf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/// An integer in decimal digits, many times as fast as rlx_buf_printf.
void rlx_buf_put_int(RlxBuf *buf, int64_t value);
/// Writes the digits of a number, at most so many, from `end` backwards; where they begin.
enum { RLX_DIGITS_MAX = 20 };
char *rlx_digits_before(char *end, uint64_t value);
/// A finite number in the fewest digits that read back as it, as Python's repr: "0.1", "1.0", "1e+20".
void rlx_buf_put_double(RlxBuf *buf, double number);

/// Room for `more` bytes and the NUL; `at` is not NULL afterwards.
void rlx_buf_reserve(RlxBuf *buf, size_t more);

/// Replaces the bytes [start, old_end) by `size` bytes that are not inside `buf`.
void rlx_buf_splice(RlxBuf *buf, size_t start, size_t old_end, const char *bytes, size_t size);

/// Forgets what is behind `size`.
void rlx_buf_truncate(RlxBuf *buf, size_t size);

/// Empties it, keeps the memory.
void rlx_buf_clear(RlxBuf *buf);

/// Gives the memory back; usable again.
void rlx_buf_free(RlxBuf *buf);

/// The text, now the caller's to free(); never NULL. `buf` is empty afterwards.
char *rlx_buf_steal(RlxBuf *buf);

#endif
