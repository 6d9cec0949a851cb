/// Writing the text of an error.
///
/// Always true: the text ends with a NUL and stays valid UTF-8 when it is cut; a NULL `err` means
/// that nobody wants the text.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool rlx_error_vset(RlxError *err, const char *format, va_list args) {
  if (!err) return false;
  int length = vsnprintf(err->text, sizeof err->text, format, args);
  if (length >= (int)sizeof err->text) {
    // Cut before the first byte of a character, so that the text stays UTF-8.
    size_t end = sizeof err->text - 4;
    while (end > 0 && ((unsigned char)err->text[end] & 0xC0) == 0x80) end--;
    memcpy(err->text + end, "\xE2\x80\xA6", 4);
  }
  return false;
}

bool rlx_error_set(RlxError *err, const char *format, ...) {
  va_list args;
  va_start(args, format);
  rlx_error_vset(err, format, args);
  va_end(args);
  return false;
}

bool rlx_error_code(RlxError *err, const char *code) {
  if (err) snprintf(err->code, sizeof err->code, "%s", code);
  return false;
}

bool rlx_error_prefix(RlxError *err, const char *format, ...) {
  if (!err) return false;
  RlxError context;
  va_list args;
  va_start(args, format);
  rlx_error_vset(&context, format, args);
  va_end(args);
  RlxError old = *err;
  return rlx_error_set(err, "%s: %s", context.text, old.text);
}
