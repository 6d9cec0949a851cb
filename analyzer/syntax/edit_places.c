/// Always true: a string or comment is passed as a whole, so that no quote, bracket or comma in one counts.
#include "analyzer/syntax/edit_places.h"

#include <string.h>

#include "analyzer/syntax/stmt_text.h"

typedef struct Piece { // a comment, a string, or one byte of code
  RlxSpan span;
  bool is_comment;
} Piece;

static bool is_end(char c) { return c == '\n' || c == '\r'; }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

/// The next piece from `at` on; false: nothing but blanks is left before `end`.
static bool next_piece(const char *text, uint32_t at, uint32_t end, Piece *out) {
  while (at < end && (is_blank(text[at]) || is_end(text[at]) || text[at] == '\\')) at++;
  if (at >= end) return false;
  *out = (Piece){rlx_span(at, at + 1), text[at] == '#'};
  if (out->is_comment)
    while (out->span.end < end && !is_end(text[out->span.end])) out->span.end++;
  else if (text[at] == '"' || text[at] == '\'')
    out->span.end = (uint32_t)rlx_string_end(text, end, at);
  return true;
}

static const char *appended(RlxArena *arena, const char *text, uint32_t from, RlxSpan *span,
                            const char *put) {
  uint32_t last = span->start;
  for (Piece piece; next_piece(text, from, span->start, &piece); from = piece.span.end)
    if (!piece.is_comment) last = piece.span.end;
  *span = rlx_span(last, last);
  return text[last - 1] == ',' ? rlx_arena_printf(arena, " %s,", put + 2) : put;
}

static void cut(const char *text, uint32_t size, RlxSpan *span) {
  Piece comma, item;
  if (!next_piece(text, span->start, span->end, &comma) || text[comma.span.start] != ',') return;
  uint32_t at = comma.span.end;
  do {
    if (!next_piece(text, at, span->end, &item)) return;
    at = item.span.end;
  } while (item.is_comment);
  uint32_t line =
      item.span.start; // no further back than the comma: the line of thousands of items is long
  while (line > comma.span.end && !is_end(text[line - 1])) line--;
  if (line == comma.span.end) return; // in one line with the item in front
  uint32_t end = span->end;
  while (end < size && is_blank(text[end])) end++;
  const bool has_comma = end < size && text[end] == ',';
  if (has_comma) end++;
  while (end < size && is_blank(text[end])) end++;
  const uint32_t next = end;
  if (end < size && text[end] == '#')
    while (end < size && !is_end(text[end])) end++;
  if (end < size && is_end(text[end]))
    *span = rlx_span(line, rlx_next_line(text, size, end));
  else
    *span = rlx_span(item.span.start, has_comma ? next : span->end);
}

const char *rlx_edit_placed(RlxArena *arena, const char *text, uint32_t size, uint32_t from,
                            RlxSpan *span, const char *put) {
  const bool is_insertion = span->start == span->end;
  if (is_insertion && span->start < size && span->start > from && strncmp(put, ", ", 2) == 0 &&
      strchr(")]}", text[span->start])) {
    const char before = text[span->start - 1];
    if (before == ',' || is_blank(before) || is_end(before))
      return appended(arena, text, from, span, put);
  }
  if (!is_insertion && !*put) cut(text, size, span);
  return put;
}

static bool is_written(const char *comment, size_t size, const char *const *written,
                       uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (memmem(written[i], strlen(written[i]), comment, size)) return true;
  return false;
}

void rlx_lost_comments(const char *text, RlxSpan span, const char *const *written, uint32_t count,
                       RlxBuf *out) {
  uint32_t at = span.start;
  if (span.end <= at || !memchr(text + at, '#', span.end - at)) return;
  for (Piece piece; next_piece(text, at, span.end, &piece); at = piece.span.end) {
    const uint32_t size = piece.span.end - piece.span.start;
    if (piece.is_comment && !is_written(text + piece.span.start, size, written, count))
      rlx_buf_printf(out, "%.*s\n", (int)size, text + piece.span.start);
  }
}

void rlx_put_comments_above(RlxBuf *out, const char *text, uint32_t start, const char *lines) {
  const uint32_t line = rlx_line_start(text, start);
  for (size_t size; *lines; lines += size + 1) {
    size = strcspn(lines, "\n");
    rlx_buf_printf(out, "%.*s\n%.*s", (int)size, lines, (int)(start - line), text + line);
  }
}
