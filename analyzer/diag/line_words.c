/// Words and marks for lines in messages.
#include "analyzer/diag/line_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"

#define MARK_BEGIN "\x1fline "
#define MARK_END   RLX_LINE_MARK_BOUND
#define WORDS      " (line "

const char *rlx_line_words(RlxArena *arena, const RlxLines *lines, uint32_t offset) {
  return rlx_arena_printf(arena, WORDS "%u)", rlx_lines_locate(lines, offset).line + 1);
}

const char *rlx_line_mark(RlxArena *arena, uint32_t offset) {
  return rlx_arena_printf(arena, MARK_BEGIN "%u%c", offset, MARK_END);
}

const char *rlx_line_marks_fill(RlxArena *arena, const char *message, const RlxLines *lines,
                                uint32_t start) {
  const char *mark = strstr(message, MARK_BEGIN);
  if (!mark) return message;
  RlxBuf out = {0};
  for (; mark; mark = strstr(message, MARK_BEGIN)) {
    char *end;
    uint32_t offset = (uint32_t)strtoul(mark + strlen(MARK_BEGIN), &end, 10);
    bool is_whole = *end == MARK_END; // else the message was cut there
    rlx_buf_putn(&out, message, (size_t)(mark - message));
    if (is_whole) rlx_buf_puts(&out, rlx_line_words(arena, lines, start + offset));
    message = end + is_whole;
  }
  rlx_buf_puts(&out, message);
  const char *filled = rlx_arena_strdup(arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return filled;
}

/// How long the words for a line that begin at `at` are; 0: they are none.
static size_t words_size(const char *at) {
  size_t digits = strspn(at + strlen(WORDS), "0123456789");
  bool is_whole = digits && at[strlen(WORDS) + digits] == ')';
  return is_whole ? strlen(WORDS) + digits + 1 : 0;
}

const char *rlx_line_words_from(RlxArena *arena, const char *message, uint32_t first) {
  RlxBuf out = {0};
  for (const char *words; (words = strstr(message, WORDS)) != NULL;) {
    const char *number = words + strlen(WORDS);
    uint32_t line = (uint32_t)strtoul(number, NULL, 10);
    bool is_behind = words_size(words) && line > first;
    rlx_buf_putn(&out, message, (size_t)(number - message));
    if (is_behind) rlx_buf_printf(&out, "%u", line - first);
    message = number + (is_behind ? strspn(number, "0123456789") : 0);
  }
  rlx_buf_puts(&out, message);
  const char *text = rlx_arena_strdup(arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return text;
}

uint64_t rlx_message_hash(const char *message) {
  RlxBuf bare = {0};
  for (const char *words; (words = strstr(message, WORDS)) != NULL;) {
    size_t size = words_size(words);
    rlx_buf_putn(&bare, message, (size_t)(words - message) + !size);
    message = words + (size ? size : 1);
  }
  rlx_buf_puts(&bare, message);
  uint64_t hash = rlx_hash_bytes(rlx_buf_text(&bare), bare.size, 0);
  rlx_buf_free(&bare);
  return hash;
}
