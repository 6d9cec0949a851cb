/// UTF-8 text: characters, lines, columns.
///
/// Always true: offsets and columns are bytes; UTF-16 exists only in the functions at the end,
/// which the server and the commands call. Every byte sequence is legal: a byte that is not part of valid
/// UTF-8 counts as one U+FFFD. Lines end at "\n", "\r\n" or a lone "\r", as in Python and in LSP.
#ifndef RLX_BASE_TEXT_H
#define RLX_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"

/// Decodes the character at `bytes` into `out`; gives its length, 1 to 4, and 0 only when `size` is
/// 0. A byte that starts no valid character (surrogates and overlong forms are not valid) gives
/// U+FFFD and length 1.
uint32_t rlx_utf8_decode(const char *bytes, size_t size, uint32_t *out);

/// Writes a code point as UTF-8; gives its length. What is no scalar value becomes U+FFFD.
uint32_t rlx_utf8_encode(uint32_t code, char out[4]);

/// Appends a code point as UTF-8, as rlx_utf8_encode writes it.
void rlx_utf8_put(RlxBuf *out, uint32_t code);

/// Whether the byte continues a character of UTF-8: a text is not cut in front of it.
static inline bool rlx_utf8_is_continuation(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

/// The code unit of UTF-16 that JSON's escape at `at` stands for, `\u` and four hexadecimal digits; -1: there is none.
int32_t rlx_text_escaped_unit(const char *at, const char *end);

/// Whether the text ends in `end`, or is that.
bool rlx_text_ends_in(const char *text, const char *end);

/// Whether no character beyond ASCII is in it: a byte is a character.
bool rlx_text_is_ascii(const char *text, size_t size);

/// Whether a name of Python may begin with the byte, or have it inside. All that is beyond ASCII counts as letters.
static inline bool rlx_text_starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}
static inline bool rlx_text_in_name(char c) {
  return rlx_text_starts_name(c) || (c >= '0' && c <= '9');
}
/// Whether all of the text is one such name.
bool rlx_text_is_name(const char *text, size_t size);
/// Whether the NUL terminated name stands in the text by itself, not inside of a longer one.
bool rlx_text_has_name(const char *text, const char *name);

/// True when all of it is valid UTF-8; else `out_bad` (may be NULL) is the first bad byte's offset.
bool rlx_utf8_is_valid(const char *bytes, size_t size, size_t *out_bad);

/// Whether a character would do something else in a terminal or a log than stand there: control characters
/// but tabs, separators of lines, marks that turn the order of letters.
bool rlx_text_is_unshown(uint32_t code);
/// Appends the text as it may be shown within a line: each character that is not to be shown, and each byte
/// that is no UTF-8, becomes a visible one of one column. For texts that others wrote: names of files, parts
/// of scripts, messages that quote them.
void rlx_text_put_shown(RlxBuf *out, const char *text, size_t size);

/// The NUL terminated text as it may be shown: itself, or a copy in the arena.
const char *rlx_text_shown(RlxArena *arena, const char *text);

/// Appends a string of Python in double quotes whose value is the text: what is not to be shown is escaped, so
/// that the string can be read and shown anywhere. For what is printed as a script.
void rlx_text_put_string(RlxBuf *out, const char *text, size_t size);

/// Appends a script, or what was changed in one, for `to`: as it is, for it may be data; each line as it may be
/// shown where `to` is a terminal.
void rlx_text_put_lines(RlxBuf *out, FILE *to, const char *text, size_t size);
void rlx_text_write(FILE *to, const char *text, size_t size); ///< writes it there

/// Writes one line, with all that stands in it as it may be shown.
void rlx_text_say(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Columns that a terminal needs: wide characters 2, combining ones 0, one that is not to be shown 1.
uint32_t rlx_text_width(const char *bytes, size_t size);

/// Where `word`, of `size` bytes, stands in a list of words with blanks between them (NULL: none);
/// NULL: it does not, or is empty.
const char *rlx_text_find_word(const char *words, const char *word, size_t size);
/// Whether the NUL terminated `word` is one of those.
bool rlx_text_is_among(const char *word, const char *words);

/// Of a long line, from byte `*start` to `*end` of `text`, what is to be shown of it: what is around `place`,
/// which is inside of it, in whole characters. A line that is not long stays as it is.
void rlx_text_around(const char *text, uint32_t place, uint32_t *start, uint32_t *end);

/// A place as people count it, from 0.
typedef struct RlxLineColumn {
  uint32_t line;
  uint32_t column; // bytes from the start of the line
} RlxLineColumn;

/// Where the lines of one text start. Zeroed is not valid: build it first.
typedef struct RlxLines {
  Vec(uint32_t) starts; // ascending; [0] is 0
  uint32_t size_bytes;  // of the text
} RlxLines;

/// Indexes a text (replacing what `lines` held). The text itself is not kept.
void rlx_lines_build(RlxLines *lines, const char *text, uint32_t size);

/// Follows an edit that replaced the bytes [start, old_end) by [start, new_end) of `new_text`.
/// Costs the edited bytes and a memmove of the lines after them.
void rlx_lines_edit(RlxLines *lines, const char *new_text, uint32_t new_size, uint32_t start,
                    uint32_t old_end, uint32_t new_end);

/// Frees the index, not the text.
void rlx_lines_free(RlxLines *lines);

/// Number of lines: one more than line ends.
uint32_t rlx_lines_count(const RlxLines *lines);

/// First byte of a line; the text's size for a line behind the last.
uint32_t rlx_lines_start(const RlxLines *lines, uint32_t line);

/// End of a line's content, its line end not included. `text` is the indexed text.
uint32_t rlx_lines_end(const RlxLines *lines, const char *text, uint32_t line);

/// Place of an offset; an offset behind the end is the end.
RlxLineColumn rlx_lines_locate(const RlxLines *lines, uint32_t offset);

/// Offset of a place. A column behind the line's content is the end of that content; a line behind
/// the last is the end of the text.
uint32_t rlx_lines_offset(const RlxLines *lines, const char *text, RlxLineColumn place);

/// UTF-16 units in the first `column` bytes of a line of `size` bytes.
uint32_t rlx_utf16_from_bytes(const char *line, size_t size, uint32_t column);

/// Bytes in the first `column_utf16` units of a line of `size` bytes; behind the end: `size`. In
/// the middle of a surrogate pair: the pair's start.
uint32_t rlx_bytes_from_utf16(const char *line, size_t size, uint32_t column_utf16);

/// Places in one long line, one after another: it is counted once, and units are noted at steps.
/// Zeroed: of no line. Set `line` to NULL when the text may have changed; free `steps`.
typedef struct RlxColumnStep {
  uint32_t bytes, units;
} RlxColumnStep;
typedef struct RlxColumns {
  const char *line; ///< NULL: of none
  uint32_t size;
  Vec(RlxColumnStep) steps;
} RlxColumns;

/// What rlx_utf16_from_bytes gives (`utf32`: rlx_utf32_from_bytes); `columns` is asked about one
/// of the two only, from its line on.
uint32_t rlx_columns_units(RlxColumns *columns, bool utf32, const char *line, uint32_t size,
                           uint32_t column);

/// The same in code points.
uint32_t rlx_utf32_from_bytes(const char *line, size_t size, uint32_t column);
/// The same for a column in code points.
uint32_t rlx_bytes_from_utf32(const char *line, size_t size, uint32_t column_utf32);

#endif
