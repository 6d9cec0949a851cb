/// The scanner of logical lines. A line is scanned strictly first, as CPython would. What fails
/// then is scanned again leniently: an open bracket ends before the first physical line that can
/// only be a new statement.
#include "analyzer/syntax/logical_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/// Classes of bytes.
enum { OTHER, WORD, DIGIT, QUOTE, OPEN, CLOSE, LINE_END, BLANK, HASH, BACKSLASH, COLON };

// One letter each, so that the table fits: O other, W word, D digit, Q quote, P open, C close, E
// line end, B blank, H hash, K backslash, L colon.
#define O OTHER
#define W WORD
#define D DIGIT
#define Q QUOTE
#define P OPEN
#define C CLOSE
#define E LINE_END
#define B BLANK
#define H HASH
#define K BACKSLASH
#define L COLON
static const uint8_t classes[256] = {
    // clang-format off
    O, O, O, O, O, O, O, O, O, B, E, O, B, E, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
    B, O, Q, H, O, O, O, Q, P, C, O, O, O, O, O, O, D, D, D, D, D, D, D, D, D, D, L, O, O, O, O, O,
    O, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, P, K, C, O, W,
    O, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, P, O, C, O, O,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    // clang-format on
};
#undef O
#undef W
#undef D
#undef Q
#undef P
#undef C
#undef E
#undef B
#undef H
#undef K
#undef L

/// What a word is to the scanner.
enum { PLAIN_WORD, INFIX_WORD, PREFIX_WORD, STATEMENT_WORD, LAMBDA_WORD };

typedef struct Keyword {
  const char *text;
  uint8_t role; // of the enum above
  uint8_t line; // RlxLineKind of a line that starts with it
} Keyword;

/// INFIX words can follow an expression, PREFIX words begin one, STATEMENT words never stand inside
/// brackets.
static const Keyword keywords[] = {
    {"and", INFIX_WORD, RLX_LINE_SIMPLE},
    {"as", INFIX_WORD, RLX_LINE_SIMPLE},
    {"assert", STATEMENT_WORD, RLX_LINE_SIMPLE},
    {"async", INFIX_WORD, RLX_LINE_SIMPLE},
    {"await", PREFIX_WORD, RLX_LINE_SIMPLE},
    {"break", STATEMENT_WORD, RLX_LINE_SIMPLE},
    {"case", PLAIN_WORD, RLX_LINE_CASE},
    {"class", STATEMENT_WORD, RLX_LINE_CLASS},
    {"continue", STATEMENT_WORD, RLX_LINE_SIMPLE},
    {"def", STATEMENT_WORD, RLX_LINE_DEF},
    {"del", STATEMENT_WORD, RLX_LINE_SIMPLE},
    {"elif", STATEMENT_WORD, RLX_LINE_ELIF},
    {"else", INFIX_WORD, RLX_LINE_ELSE},
    {"except", STATEMENT_WORD, RLX_LINE_EXCEPT},
    {"finally", STATEMENT_WORD, RLX_LINE_FINALLY},
    {"for", INFIX_WORD, RLX_LINE_FOR},
    {"from", INFIX_WORD, RLX_LINE_SIMPLE},
    {"global", STATEMENT_WORD, RLX_LINE_SIMPLE},
    {"if", INFIX_WORD, RLX_LINE_IF},
    {"import", STATEMENT_WORD, RLX_LINE_SIMPLE},
    {"in", INFIX_WORD, RLX_LINE_SIMPLE},
    {"is", INFIX_WORD, RLX_LINE_SIMPLE},
    {"lambda", LAMBDA_WORD, RLX_LINE_SIMPLE},
    {"match", PLAIN_WORD, RLX_LINE_MATCH},
    {"nonlocal", STATEMENT_WORD, RLX_LINE_SIMPLE},
    {"not", INFIX_WORD, RLX_LINE_SIMPLE},
    {"or", INFIX_WORD, RLX_LINE_SIMPLE},
    {"pass", STATEMENT_WORD, RLX_LINE_SIMPLE},
    {"raise", STATEMENT_WORD, RLX_LINE_SIMPLE},
    {"return", STATEMENT_WORD, RLX_LINE_SIMPLE},
    {"try", STATEMENT_WORD, RLX_LINE_TRY},
    {"while", STATEMENT_WORD, RLX_LINE_WHILE},
    {"with", STATEMENT_WORD, RLX_LINE_WITH},
    {"yield", PREFIX_WORD, RLX_LINE_SIMPLE},
};

/// Index of the first keyword by its first letter; letters without one point at the next.
static const uint8_t first_keyword[27] = {0,  5,  6,  9,  11, 14, 17, 18, 18, 22, 22, 22, 23, 24,
                                          26, 27, 28, 28, 30, 30, 31, 31, 31, 33, 33, 34, 34};

static const Keyword *find_keyword(const char *word, uint32_t size) {
  static const Keyword plain = {"", PLAIN_WORD, RLX_LINE_SIMPLE};
  if (size < 2 || size > 8 || word[0] < 'a' || word[0] > 'z') return &plain;
  uint32_t letter = (uint32_t)(word[0] - 'a');
  for (uint32_t i = first_keyword[letter]; i < first_keyword[letter + 1]; i++) {
    const char *text = keywords[i].text;
    if (strncmp(text, word, size) == 0 && text[size] == 0) return &keywords[i];
  }
  return &plain;
}

/// One open bracket, or one f-string whose text or format specification we are in.
typedef struct Open {
  char bracket; // '(' '[' '{', the '{' of a replacement field as 'F', an f-string's quote
  bool is_triple;
  bool is_spec; // FIELD: behind its colon
  uint32_t at;
} Open;

enum { FIELD = 'F' };

typedef struct Scan {
  const char *text;
  uint32_t size, at;
  uint32_t wide;      // indentation of the line
  uint32_t failed_at; // the first error
  uint32_t looked;
  uint32_t lambdas; // whose colon is still to come, outside of brackets
  uint32_t colon;
  uint32_t depth;
  bool strict, plain_fstrings, failed;
  bool is_deep; // the first error is a bracket too many

  bool has_format;    // an f-string was met
  bool after_operand; // the last token ends an expression
  bool is_head; // lenient, in the head of a compound statement: a line that ends with a colon is
                // its last
  Open open[RLX_MAX_OPEN_BRACKETS];
} Scan;

static uint8_t class_at(const Scan *s, uint32_t at) {
  return at < s->size ? classes[(unsigned char)s->text[at]] : (uint8_t)LINE_END;
}

static bool is_at_end(const Scan *s) { return s->at >= s->size; }

/// Notes an error; true when scanning may go on (lenient).
static bool fail(Scan *s, uint32_t at) {
  if (!s->failed) s->failed_at = at;
  s->failed = true;
  return !s->strict;
}

/// Steps over one line end.
static uint32_t after_line_end(const char *text, uint32_t size, uint32_t at) {
  if (at >= size) return size;
  if (text[at] == '\r' && at + 1 < size && text[at + 1] == '\n') return at + 2;
  return at + 1;
}

static uint32_t line_end_from(const char *text, uint32_t size, uint32_t at) {
  while (at < size && text[at] != '\n' && text[at] != '\r') at++;
  return at;
}

/// The end of a plain string whose first quote is at `at`. 0 when it does not end; `*out_looked` is
/// then how far that took.
static uint32_t string_end(const Scan *s, uint32_t at, bool is_triple, uint32_t *out_looked) {
  char quote = s->text[at];
  const char *text = s->text;
  uint32_t i = at + (is_triple ? 3 : 1);
  for (; i < s->size; i++) {
    char c = text[i];
    if (c == '\\') {
      i++;
      if (i + 1 < s->size && text[i] == '\r' && text[i + 1] == '\n') i++;
    } else if (c == quote) {
      if (!is_triple) return i + 1;
      if (i + 2 < s->size && text[i + 1] == quote && text[i + 2] == quote) return i + 3;
    } else if (!is_triple && (c == '\n' || c == '\r')) {
      break;
    }
  }
  *out_looked = i < s->size ? i : s->size;
  return 0;
}

static bool is_triple_quote(const Scan *s, uint32_t at) {
  return at + 2 < s->size && s->text[at + 1] == s->text[at] && s->text[at + 2] == s->text[at];
}

/// A string without fields; `at` is its first quote. False when the scan is over.
static bool scan_string(Scan *s) {
  bool is_triple = is_triple_quote(s, s->at);
  uint32_t looked = 0;
  uint32_t end = string_end(s, s->at, is_triple, &looked);
  s->after_operand = true;
  if (end) {
    s->at = end;
    return true;
  }
  if (looked > s->looked) s->looked = looked;
  uint32_t start = s->at;
  s->at = line_end_from(s->text, s->size, s->at);
  return fail(s, start);
}

static bool push(Scan *s, char bracket, bool is_triple) {
  if (s->depth == RLX_MAX_OPEN_BRACKETS) {
    s->is_deep |= !s->failed;
    return fail(s, s->at);
  }
  s->open[s->depth++] = (Open){bracket, is_triple, false, s->at};
  return true;
}

/// The text of an f-string, or the format specification of a field. False when the scan is over.
static bool scan_format_text(Scan *s) {
  Open *top = &s->open[s->depth - 1];
  bool is_spec = top->is_spec;
  const Open *string = is_spec ? top - 1 : top;
  char quote = string->bracket;
  while (!is_at_end(s)) {
    char c = s->text[s->at];
    if (c == '\\') {
      // `\{` is a backslash and a field, `\N{NAME}` is text.
      uint32_t next = s->at + 1;
      if (next < s->size && s->text[next] != '{' && s->text[next] != '}')
        next = after_line_end(s->text, s->size, next);
      if (next == s->at + 2 && s->text[s->at + 1] == 'N' && next < s->size &&
          s->text[next] == '{') {
        while (next < s->size && s->text[next] != '}' && class_at(s, next) != LINE_END) next++;
        if (next < s->size && s->text[next] == '}') next++;
      }
      s->at = next;
    } else if (c == '{') {
      if (!is_spec && s->at + 1 < s->size && s->text[s->at + 1] == '{') {
        s->at += 2;
        continue;
      }
      if (!push(s, FIELD, false)) return false;
      s->at++;
      s->after_operand = false;
      return true;
    } else if (c == '}' && is_spec) {
      s->depth--;
      s->at++;
      return true;
    } else if (c == quote && (!string->is_triple || is_triple_quote(s, s->at))) {
      if (is_spec) return fail(s, s->at);
      s->at += string->is_triple ? 3 : 1;
      s->depth--;
      s->after_operand = true;
      return true;
    } else if (!string->is_triple && class_at(s, s->at) == LINE_END) {
      break;
    } else {
      s->at++;
    }
  }
  fail(s, s->at);
  return false; // lenient scans know no fields
}

static bool is_in_text(const Scan *s) {
  if (s->depth == 0) return false;
  const Open *top = &s->open[s->depth - 1];
  return top->bracket == '"' || top->bracket == '\'' || top->is_spec;
}

static bool is_string_prefix(const char *word, uint32_t size, bool *out_format) {
  *out_format = false;
  if (size > 2) return false;
  for (uint32_t i = 0; i < size; i++) {
    switch (word[i] | 0x20) {
    case 'f': *out_format = true; break;
    case 'r':
    case 'b':
    case 'u': break;
    default: return false;
    }
  }
  return true;
}

static bool scan_quote(Scan *s, bool is_format) {
  s->has_format |= is_format;
  if (!is_format || s->plain_fstrings) return scan_string(s);
  bool is_triple = is_triple_quote(s, s->at);
  if (!push(s, s->text[s->at], is_triple)) return false;
  s->at += is_triple ? 3 : 1;
  return true;
}

static uint32_t word_end(const Scan *s, uint32_t at) {
  while (at < s->size && (classes[(unsigned char)s->text[at]] == WORD ||
                          classes[(unsigned char)s->text[at]] == DIGIT))
    at++;
  return at;
}

static bool scan_word(Scan *s) {
  uint32_t start = s->at, end = word_end(s, start);
  const char *word = s->text + start;
  bool is_format = false;
  s->at = end;
  if (end < s->size && class_at(s, end) == QUOTE && is_string_prefix(word, end - start, &is_format))
    return scan_quote(s, is_format);
  const Keyword *keyword = find_keyword(word, end - start);
  if (keyword->role == LAMBDA_WORD && s->depth == 0) s->lambdas++;
  s->after_operand = keyword->role == PLAIN_WORD;
  return true;
}

static bool scan_number(Scan *s) {
  while (!is_at_end(s) &&
         (class_at(s, s->at) == DIGIT || class_at(s, s->at) == WORD || s->text[s->at] == '.'))
    s->at++;
  s->after_operand = true;
  return true;
}

static bool scan_colon(Scan *s) {
  uint32_t at = s->at++;
  s->after_operand = false;
  if (s->depth > 0) {
    Open *top = &s->open[s->depth - 1];
    if (top->bracket == FIELD) top->is_spec = true;
    return true;
  }
  if (s->at < s->size && s->text[s->at] == '=') return true;
  if (s->lambdas > 0) {
    s->lambdas--;
  } else if (s->colon == 0) {
    s->colon = at;
  }
  return true;
}

static bool closes(char open, char close) {
  return (open == '(' && close == ')') || (open == '[' && close == ']') ||
         ((open == '{' || open == FIELD) && close == '}');
}

static bool scan_close(Scan *s) {
  char close = s->text[s->at];
  uint32_t at = s->at++;
  s->after_operand = true;
  if (s->depth > 0 && closes(s->open[s->depth - 1].bracket, close)) {
    s->depth--;
    return true;
  }
  if (!fail(s, at)) return false;
  for (uint32_t i = s->depth; i-- > 0;) {
    if (closes(s->open[i].bracket, close)) {
      s->depth = i;
      break;
    }
  }
  return true;
}

/// Does the physical line of `at` end with a colon? Then it is the head of a statement, if it can
/// be one.
static bool ends_with_colon(Scan *s, uint32_t at) {
  uint32_t end = line_end_from(s->text, s->size, at);
  if (end > s->looked) s->looked = end;
  while (end > at && class_at(s, end - 1) == BLANK) end--;
  return end > at && s->text[end - 1] == ':';
}

/// Inside brackets, at the start of a physical line: can the statement go on here? What CPython can
/// accept always does; a lenient scan also stops where a line is not indented deeper than the
/// statement and starts like one.
static bool goes_on(Scan *s) {
  uint32_t wide = 0, i = s->at;
  for (; class_at(s, i) == BLANK; i++)
    wide = s->text[i] == '\t' ? (wide / 8 + 1) * 8 : s->text[i] == '\f' ? 0 : wide + 1;
  bool is_decorator = i < s->size && s->text[i] == '@';
  if (i >= s->size || (class_at(s, i) != WORD && !is_decorator)) return true;
  bool may_start = !s->strict && wide <= s->wide;
  if (is_decorator) return !may_start;
  uint32_t end = word_end(s, i);
  if (end + 1 > s->looked) s->looked = end < s->size ? end + 1 : end;
  bool is_format = false;
  if (class_at(s, end) == QUOTE && is_string_prefix(s->text + i, end - i, &is_format)) return true;
  switch (find_keyword(s->text + i, end - i)->role) {
  case STATEMENT_WORD: return false;
  case INFIX_WORD: return !may_start || (s->after_operand && !ends_with_colon(s, i));
  default: return !s->after_operand && !may_start;
  }
}

/// Scans tokens from `s->at` to the end of the logical line. `out->end` and `out->next` are set
/// when the result is good, or the scan lenient, which reads on behind errors.
static void scan_line(Scan *s, RlxLogicalLine *out) {
  uint32_t end = s->at;
  bool good = true;
  while (good) {
    if (is_in_text(s)) {
      good = scan_format_text(s);
      end = s->at;
      continue;
    }
    switch (class_at(s, s->at)) {
    case BLANK: s->at++; continue;
    case HASH: s->at = line_end_from(s->text, s->size, s->at); continue;
    case LINE_END:
      if (is_at_end(s)) {
        if (s->depth > 0) fail(s, s->open[s->depth - 1].at);
        out->end = end;
        out->next = s->size;
        return;
      }
      s->at = after_line_end(s->text, s->size, s->at);
      if (s->depth > 0) {
        if (goes_on(s) && !(s->is_head && s->text[end - 1] == ':')) continue;
        fail(s, s->open[s->depth - 1].at);
      }
      out->end = end;
      out->next = s->at;
      return;
    case BACKSLASH:
      s->at++;
      if (class_at(s, s->at) != LINE_END || s->at >= s->size)
        good = fail(s, s->at - 1);
      else
        s->at = after_line_end(s->text, s->size, s->at);
      if (good && s->at >= s->size) good = fail(s, s->size - 1); // nothing follows
      break;
    case WORD: good = scan_word(s); break;
    case DIGIT: good = scan_number(s); break;
    case QUOTE: good = scan_quote(s, false); break;
    case OPEN:
      good = push(s, s->text[s->at], false);
      s->at++;
      s->after_operand = false;
      break;
    case CLOSE: good = scan_close(s); break;
    case COLON: good = scan_colon(s); break;
    default:
      s->at++;
      s->after_operand = false;
      break;
    }
    end = s->at;
  }
}

/// Skips blank lines and comments; sets where the line starts and how far it is indented.
static bool find_start(const char *text, uint32_t size, uint32_t at, RlxLogicalLine *out) {
  uint32_t line_start = at, wide = 0, narrow = 0;
  uint32_t first_wide = 0,
           first_narrow = 0; // of an indentation that a backslash continues: the first part counts
  uint32_t mark =
      at == 0 && size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; // byte order mark
  for (uint32_t i = at + mark;;) {
    if (i >= size) return false;
    char c = text[i];
    if (c == ' ') {
      wide++, narrow++, i++;
    } else if (c == '\t') {
      wide = (wide / 8 + 1) * 8, narrow++, i++;
    } else if (c == '\f') {
      wide = narrow = 0, i++;
    } else if (c == '#' || c == '\n' || c == '\r') {
      if (c == '#') i = line_end_from(text, size, i);
      if (i >= size) return false;
      i = after_line_end(text, size, i);
      line_start = i, wide = narrow = first_wide = first_narrow = 0;
    } else if (c == '\\' && i + 2 < size && (text[i + 1] == '\n' || text[i + 1] == '\r')) {
      if (!first_wide) first_wide = wide, first_narrow = narrow;
      i = after_line_end(text, size, i + 1);
      wide = narrow = 0;
    } else {
      if (first_wide) wide = first_wide, narrow = first_narrow;
      out->line_start = line_start;
      out->start = i;
      out->wide = (uint16_t)(wide < UINT16_MAX ? wide : UINT16_MAX);
      out->narrow = (uint16_t)(narrow < UINT16_MAX ? narrow : UINT16_MAX);
      return true;
    }
  }
}

/// Kind of the line by its first words.
static RlxLineKind kind_of(const Scan *s, uint32_t start) {
  if (s->text[start] == '@') return RLX_LINE_DECORATOR;
  if (class_at(s, start) != WORD) return RLX_LINE_SIMPLE;
  uint32_t end = word_end(s, start);
  if (end - start == 5 && memcmp(s->text + start, "async", 5) == 0) {
    uint32_t at = end;
    while (class_at(s, at) == BLANK) at++;
    RlxLineKind kind = (RlxLineKind)find_keyword(s->text + at, word_end(s, at) - at)->line;
    return kind == RLX_LINE_DEF || kind == RLX_LINE_FOR || kind == RLX_LINE_WITH ? kind
                                                                                 : RLX_LINE_SIMPLE;
  }
  return (RlxLineKind)find_keyword(s->text + start, end - start)->line;
}

static void finish_head(const Scan *s, RlxLogicalLine *line) {
  line->colon = s->colon < line->end ? s->colon : 0;
  const bool ends_with_colon = line->colon && line->colon + 1 == line->end;
  line->ends_with_colon = ends_with_colon;
  switch ((RlxLineKind)line->kind) {
  case RLX_LINE_SIMPLE:
  case RLX_LINE_DECORATOR: line->colon = 0; return;
  case RLX_LINE_MATCH:
    if (!ends_with_colon || line->colon == line->start + 5) {
      line->kind = RLX_LINE_SIMPLE;
      line->colon = 0;
      return;
    }
    break;
  case RLX_LINE_CASE: break;
  case RLX_LINE_DEF:
  case RLX_LINE_CLASS:
  case RLX_LINE_IF:
  case RLX_LINE_WHILE:
  case RLX_LINE_FOR:
  case RLX_LINE_WITH:
  case RLX_LINE_TRY:
  case RLX_LINE_ELIF:
  case RLX_LINE_ELSE:
  case RLX_LINE_EXCEPT:
  case RLX_LINE_FINALLY: break;
  }
  line->opens_suite = ends_with_colon || !line->colon;
}

bool rlx_logical_line_next(const char *text, uint32_t size, uint32_t at, RlxLogicalLine *out) {
  RlxLogicalLine line = {0};
  if (!find_start(text, size, at, &line)) return false;
  Scan s;
  uint32_t looked = 0;
  bool is_unfinished = false;
  // Strict; strict with f-strings as CPython 3.11 reads them; lenient.
  s.has_format = false;
  for (int attempt = 0; attempt < 3; attempt++) {
    if (attempt == 1 && !s.has_format) continue; // it would go as before
    s.text = text, s.size = size, s.at = line.start, s.wide = line.wide;
    s.failed_at = 0, s.looked = looked, s.lambdas = 0, s.colon = 0, s.depth = 0;
    s.strict = attempt < 2, s.plain_fstrings = attempt > 0, s.failed = false,
    s.after_operand = s.is_deep = false;
    s.is_head = attempt == 2 && kind_of(&s, line.start) >= RLX_LINE_DEF;
    scan_line(&s, &line);
    looked = s.looked > s.at ? s.looked : s.at;
    if (!s.failed) break;
    // What cannot stand inside of brackets stops a strict scan, so one that came to the end met nothing like that.
    is_unfinished |=
        s.strict && is_at_end(&s) && s.depth > 0 && s.failed_at == s.open[s.depth - 1].at;
  }
  if (s.failed) line.error = rlx_span(s.failed_at < line.end ? s.failed_at : line.end, line.end);
  line.is_broken = s.failed;
  line.is_deep = s.is_deep;
  line.is_unfinished = s.failed && is_unfinished;
  line.looked = looked > line.next ? looked : line.next;
  line.kind = (uint8_t)kind_of(&s, line.start);
  finish_head(&s, &line);
  *out = line;
  return true;
}

int32_t rlx_logical_line_indentation(const char *text, uint32_t size, uint32_t at) {
  RlxLogicalLine line = {0};
  return find_start(text, size, at, &line) ? line.wide : -1;
}

bool rlx_logical_line_is_decorated(const char *text, RlxLogicalLine *line) {
  if (line->kind != RLX_LINE_SIMPLE || !line->ends_with_colon) return false;
  uint32_t at = line->start;
  while (at < line->end && text[at] != '(' && text[at] != '[') at++;
  line->kind = at < line->end ? RLX_LINE_DEF : RLX_LINE_CLASS;
  line->colon = line->end - 1;
  line->opens_suite = true;
  return true;
}

// ---- a line that is not over yet

struct RlxOpenLine {
  Scan scan; ///< strict: it has come to the end of the text, in brackets
};

/// Whether a strict scan came to the end of the text, and brackets are all that it lacks.
static bool is_open(const Scan *s) {
  return s->failed && is_at_end(s) && s->depth > 0 && !is_in_text(s) &&
         s->failed_at == s->open[s->depth - 1].at;
}

RlxOpenLine *rlx_open_line_new(const char *text, uint32_t size, uint32_t at) {
  RlxLogicalLine line = {0};
  if (!find_start(text, size, at, &line)) return NULL;
  RlxOpenLine *open = rlx_mem_zeroed(1, sizeof *open);
  Scan *s = &open->scan;
  s->text = text, s->size = size, s->at = line.start, s->wide = line.wide, s->strict = true;
  scan_line(s, &line);
  if (is_open(s)) return open;
  free(open);
  return NULL;
}

void rlx_open_line_free(RlxOpenLine *line) { free(line); }

bool rlx_open_line_goes_on(RlxOpenLine *line, const char *text, uint32_t size) {
  RlxLogicalLine end = {0};
  Scan *s = &line->scan;
  if (size <= s->size) return true;
  s->text = text, s->size = size, s->failed = false;
  if (!goes_on(s)) return false; // at the start of a line, as it was told at the end of the text
  scan_line(s, &end);
  return is_open(s);
}
