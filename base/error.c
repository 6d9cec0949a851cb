/// Writing the text of an error.
///
/// Always true: the text ends with a NUL, is valid UTF-8 and one line, whatever it quotes; a NULL `err` means
/// that nobody wants the text.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/// What is not to be shown (rlx_text_is_unshown) becomes a character that takes as many bytes.
static void hide_unshown(char *text) {
  for (size_t size = strlen(text), i = 0; i < size;) {
    uint32_t code, length = rlx_utf8_decode(text + i, size - i, &code);
    const bool is_bad = code == 0xFFFD && length == 1;
    if (length == 3 && rlx_text_is_unshown(code))
      memcpy(text + i, "\xEF\xBF\xBD", 3);
    else if (is_bad || rlx_text_is_unshown(code))
      memset(text + i, '?', length);
    i += length;
  }
}

bool rlx_error_vset(RlxError *err, const char *format, va_list args) {
  if (!err) return false;
  int length = vsnprintf(err->text, sizeof err->text, format, args);
  if (length >= (int)sizeof err->text) {
    // Cut before the first byte of a character, so that the text stays UTF-8.
    size_t end = sizeof err->text - 4;
    while (end > 0 && rlx_utf8_is_continuation(err->text[end])) end--;
    memcpy(err->text + end, "\xE2\x80\xA6", 4);
  }
  hide_unshown(err->text);
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
