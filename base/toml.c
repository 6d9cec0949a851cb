/// The TOML reader, written by hand. Source of the grammar: https://toml.io/en/v1.0.0 and its
/// toml.abnf.
#include "base/toml.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/text.h"

/// How a table came to be, which decides who may add to it.
enum {
  BY_NOTHING, // a part of a longer header: a header may still define it
  BY_HEADER,  // [a]
  BY_DOTTED,  // a.b = 1: only dotted keys of the same header add to it
  BY_INLINE,  // {…}: closed
  BY_ARRAY,   // of an array: [[a]] adds tables
};

typedef struct Parser {
  const char *text;
  size_t size, at;
  RlxArena *arena;
  RlxStrMap index; // (table's address, key) to the value's address
  RlxBuf scratch;
  RlxToml *header; // the table that lines go into
  RlxTomlFaults *faults;
  size_t strings_end; // of the last string over several lines
  bool failed;
} Parser;

static bool fail(Parser *p, size_t at, const char *what) {
  if (!p->failed) {
    RlxTomlFault fault = {(uint32_t)at, what};
    p->failed = true;
    rlx_vec_push(p->faults, fault);
  }
  return false;
}

static char peek(const Parser *p) { return p->at < p->size ? p->text[p->at] : '\0'; }
static bool looking_at(const Parser *p, const char *word) {
  size_t n = strlen(word);
  return p->size - p->at >= n && memcmp(p->text + p->at, word, n) == 0;
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-';
}
/// What numbers, dates and booleans are made of.
static bool is_plain(char c) { return is_bare(c) || c == '+' || c == '.' || c == ':'; }
/// Control characters other than tab, which may stand nowhere.
static bool is_control(char c) { return ((unsigned char)c < 32 && c != '\t') || c == 127; }

static void skip_blanks(Parser *p) {
  while (p->at < p->size && (p->text[p->at] == ' ' || p->text[p->at] == '\t')) p->at++;
}

static bool at_line_end(const Parser *p) {
  return p->at >= p->size || p->text[p->at] == '\n' || looking_at(p, "\r\n");
}

static bool skip_comment(Parser *p) {
  if (peek(p) != '#') return true;
  for (; !at_line_end(p); p->at++)
    if (is_control(p->text[p->at])) return fail(p, p->at, "a control character in a comment");
  return true;
}

/// Blanks and a comment up to the end of the line, and over it.
static bool end_line(Parser *p) {
  skip_blanks(p);
  if (!skip_comment(p)) return false;
  if (!at_line_end(p)) return fail(p, p->at, "expected the end of the line");
  if (p->at < p->size) p->at += p->text[p->at] == '\r' ? 2 : 1;
  return true;
}

static bool skip_lines(Parser *p) {
  for (;;) {
    skip_blanks(p);
    if (p->at >= p->size || (peek(p) != '#' && !at_line_end(p))) return true;
    if (!end_line(p)) return false;
  }
}

// ---- strings

static bool put_code(Parser *p, size_t start, int digits) {
  uint32_t code = 0;
  for (int i = 0; i < digits; i++, p->at++) {
    char c = peek(p);
    int value = is_digit(c)            ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (value < 0) return fail(p, start, "an escape needs 4 (\\u) or 8 (\\U) hexadecimal digits");
    code = code << 4 | (uint32_t)value;
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
    return fail(p, start, "an escape that is no character");
  rlx_utf8_put(&p->scratch, code);
  return true;
}

static bool escape(Parser *p, bool is_long) {
  static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
  size_t start = p->at++;
  char c = peek(p);
  const char *found = c ? strchr(from, c) : NULL;
  if (found) {
    rlx_buf_putc(&p->scratch, to[found - from]);
    p->at++;
    return true;
  }
  if (c == 'u' || c == 'U') {
    p->at++;
    return put_code(p, start, c == 'u' ? 4 : 8);
  }
  if (is_long) { // a backslash at the end of a line swallows blanks and line ends
    size_t back = p->at;
    skip_blanks(p);
    if (p->at < p->size && at_line_end(p)) {
      while (p->at < p->size && is_blank(p->text[p->at])) p->at++;
      return true;
    }
    p->at = back;
  }
  return fail(p, start, "an unknown escape; write \\\\ for a backslash, or use '…'");
}

/// Where a string that began at `start` ends, whatever is in it.
static size_t long_string_end(const Parser *p, size_t start, char quote) {
  for (size_t at = start + 3; at + 3 <= p->size; at++) {
    if (p->text[at] == '\\' && quote == '"')
      at++;
    else if (memcmp(p->text + at, p->text + start, 3) == 0)
      return at + 3;
  }
  return p->size;
}

static bool long_string(Parser *p, char quote) {
  size_t start = p->at;
  p->strings_end = long_string_end(p, start, quote);
  p->at += 3;
  if (looking_at(p, "\r\n"))
    p->at += 2;
  else if (peek(p) == '\n')
    p->at++;
  while (p->at < p->size) {
    char c = p->text[p->at];
    if (c == quote) {
      size_t n = 0;
      while (n < 5 && p->at + n < p->size && p->text[p->at + n] == quote) n++;
      p->at += n;
      for (size_t i = n >= 3 ? 3 : 0; i < n; i++) rlx_buf_putc(&p->scratch, quote);
      if (n >= 3) return true;
    } else if (c == '\\' && quote == '"') {
      if (!escape(p, true)) return false;
    } else if (is_control(c) && c != '\n' && !looking_at(p, "\r\n")) {
      return fail(p, p->at, "a control character in a string");
    } else {
      rlx_buf_putc(&p->scratch, c);
      p->at++;
    }
  }
  return fail(p, start, "the string is not closed");
}

/// A string of any form into the scratch buffer.
static bool string(Parser *p, bool may_be_long) {
  char quote = peek(p);
  size_t start = p->at;
  rlx_buf_clear(&p->scratch);
  if (may_be_long && looking_at(p, quote == '"' ? "\"\"\"" : "'''")) return long_string(p, quote);
  for (p->at++; !at_line_end(p);) {
    char c = p->text[p->at];
    if (c == quote) {
      p->at++;
      return true;
    }
    if (c == '\\' && quote == '"') {
      if (!escape(p, false)) return false;
    } else if (is_control(c)) {
      return fail(p, p->at, "a control character in a string");
    } else {
      rlx_buf_putc(&p->scratch, c);
      p->at++;
    }
  }
  return fail(p, start, "the string is not closed");
}

// ---- tables

static RlxToml *new_value(Parser *p, RlxTomlKind kind, size_t start) {
  RlxToml *value = rlx_arena_one(p->arena, RlxToml);
  value->kind = kind;
  value->start = value->end = (uint32_t)start;
  return value;
}

static void append(RlxToml *parent, RlxToml *value) {
  if (parent->last)
    parent->last->next = value;
  else
    parent->first = value;
  parent->last = value;
  parent->count++;
}

typedef struct Key {
  size_t start, end;
  const char *text;
  size_t size;
} Key;

static RlxBuf index_key(const RlxToml *table, const Key *key) {
  RlxBuf out = {0};
  rlx_buf_putn(&out, (const char *)&table, sizeof table);
  rlx_buf_putn(&out, key->text, key->size);
  return out;
}

static RlxToml *find(Parser *p, const RlxToml *table, const Key *key) {
  RlxBuf name = index_key(table, key);
  uint64_t found = 0;
  rlx_strmap_get(&p->index, name.at, name.size, &found);
  rlx_buf_free(&name);
  return (RlxToml *)(uintptr_t)found;
}

static void put(Parser *p, RlxToml *table, const Key *key, RlxToml *value) {
  RlxBuf name = index_key(table, key);
  value->key = key->text;
  value->key_start = (uint32_t)key->start;
  value->key_end = (uint32_t)key->end;
  append(table, value);
  rlx_strmap_put(&p->index, name.at, name.size, (uint64_t)(uintptr_t)value);
  rlx_buf_free(&name);
}

/// One part of a key.
static bool key_part(Parser *p, Key *out) {
  out->start = p->at;
  if (peek(p) == '"' || peek(p) == '\'') {
    if (!string(p, false)) return false;
    out->text = rlx_arena_strndup(p->arena, rlx_buf_text(&p->scratch), p->scratch.size);
    out->size = p->scratch.size;
  } else {
    while (p->at < p->size && is_bare(p->text[p->at])) p->at++;
    if (p->at == out->start) return fail(p, p->at, "expected a key");
    out->text = rlx_arena_strndup(p->arena, p->text + out->start, p->at - out->start);
    out->size = p->at - out->start;
  }
  out->end = p->at;
  if (memchr(out->text, 0, out->size)) return fail(p, out->start, "a key with a NUL in it");
  return true;
}

/// The table that `key` names inside `table` on the way to a longer key; made when it is not there.
static RlxToml *step_into(Parser *p, RlxToml *table, const Key *key, bool is_header) {
  RlxToml *next = find(p, table, key);
  if (!next) {
    next = new_value(p, RLX_TOML_TABLE, key->start);
    next->end = (uint32_t)key->end;
    next->how = is_header ? BY_NOTHING : BY_DOTTED;
    put(p, table, key, next);
    return next;
  }
  if (is_header && next->kind == RLX_TOML_ARRAY && next->how == BY_ARRAY) return next->last;
  bool is_open = next->kind == RLX_TOML_TABLE && next->how != BY_INLINE &&
                 (is_header || next->how == BY_DOTTED);
  if (!is_open) {
    fail(p, key->start, "this key has a value already");
    return NULL;
  }
  return next;
}

/// A dotted key: the table that its last part goes into, and that part.
static RlxToml *dotted(Parser *p, RlxToml *table, bool is_header, Key *out_last) {
  for (;;) {
    if (!key_part(p, out_last)) return NULL;
    skip_blanks(p);
    if (peek(p) != '.') return table;
    p->at++;
    skip_blanks(p);
    table = step_into(p, table, out_last, is_header);
    if (!table) return NULL;
  }
}

static bool value(Parser *p, int depth, RlxToml **out);

static bool key_value(Parser *p, RlxToml *table, int depth) {
  Key key;
  table = dotted(p, table, false, &key);
  if (!table) return false;
  if (peek(p) != '=') return fail(p, p->at, "expected `=` behind the key");
  p->at++;
  skip_blanks(p);
  RlxToml *inner = NULL;
  if (!value(p, depth, &inner)) return false;
  if (find(p, table, &key)) return fail(p, key.start, "this key has a value already");
  put(p, table, &key, inner);
  return true;
}

static bool header(Parser *p, RlxToml *root) {
  size_t start = p->at;
  bool is_array = looking_at(p, "[[");
  p->at += is_array ? 2 : 1;
  skip_blanks(p);
  Key key;
  RlxToml *table = dotted(p, root, true, &key), *old;
  if (!table) return false;
  if (!looking_at(p, is_array ? "]]" : "]"))
    return fail(p, p->at, is_array ? "expected `]]`" : "expected `]`");
  p->at += is_array ? 2 : 1;
  old = find(p, table, &key);
  RlxToml *made = new_value(p, RLX_TOML_TABLE, start);
  made->end = (uint32_t)p->at;
  made->how = BY_HEADER;
  p->header = made;
  if (is_array) {
    if (!old) {
      old = new_value(p, RLX_TOML_ARRAY, start);
      old->how = BY_ARRAY;
      put(p, table, &key, old);
    }
    if (old->kind != RLX_TOML_ARRAY || old->how != BY_ARRAY)
      return fail(p, key.start, "this key has a value already");
    append(old, made);
  } else if (!old) {
    put(p, table, &key, made);
  } else {
    // A dotted key that could not be read leaves its table empty.
    bool is_left = old->how == BY_DOTTED && !old->count;
    if (old->kind != RLX_TOML_TABLE || (old->how != BY_NOTHING && !is_left))
      return fail(p, key.start, "this key has a value already");
    old->how = BY_HEADER;
    p->header = old;
  }
  return end_line(p);
}

// ---- values

static bool array(Parser *p, int depth, RlxToml *out) {
  size_t start = p->at++;
  for (;;) {
    if (!skip_lines(p)) return false;
    if (p->at >= p->size) return fail(p, start, "the array is not closed");
    if (peek(p) == ']') break;
    RlxToml *inner = NULL;
    if (!value(p, depth + 1, &inner)) return false;
    append(out, inner);
    if (!skip_lines(p)) return false;
    if (peek(p) == ',')
      p->at++;
    else if (peek(p) != ']')
      return p->at >= p->size ? fail(p, start, "the array is not closed")
                              : fail(p, p->at, "expected `,` or `]`");
  }
  p->at++;
  return true;
}

/// Nothing may be added to a table or array between braces, nor to what stands in it.
static void close_inline(RlxToml *table) {
  table->how = BY_INLINE;
  for (RlxToml *inner = table->first; inner; inner = inner->next)
    if (inner->kind == RLX_TOML_TABLE && inner->how != BY_INLINE) inner->how = BY_INLINE;
}

static bool inline_table(Parser *p, int depth, RlxToml *out) {
  size_t start = p->at++;
  out->how = BY_DOTTED;
  skip_blanks(p);
  while (peek(p) != '}') {
    if (at_line_end(p)) return fail(p, start, "a table between braces ends on its line");
    if (!key_value(p, out, depth + 1)) return false;
    skip_blanks(p);
    if (peek(p) == '}') break;
    if (peek(p) != ',') return fail(p, p->at, "expected `,` or `}`");
    p->at++;
    skip_blanks(p);
    if (peek(p) == '}') return fail(p, p->at, "no comma may stand before `}`");
  }
  p->at++;
  close_inline(out);
  return true;
}

static bool two(const char *t, int low, int high) {
  if (!is_digit(t[0]) || !is_digit(t[1])) return false;
  int n = (t[0] - '0') * 10 + t[1] - '0';
  return n >= low && n <= high;
}

/// "07:32:00.999"; the length, 0 when it is none. `t` ends with a NUL.
static size_t time_length(const char *t) {
  if (strlen(t) < 8 || !two(t, 0, 23) || t[2] != ':' || !two(t + 3, 0, 59) || t[5] != ':' ||
      !two(t + 6, 0, 60))
    return 0;
  if (t[8] != '.') return 8;
  size_t n = 9;
  while (is_digit(t[n])) n++;
  return n > 9 ? n : 0;
}

static bool is_date(const char *t) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  size_t size = strlen(t);
  if (time_length(t) == size && size) return true;
  if (size < 10) return false;
  for (int i = 0; i < 4; i++)
    if (!is_digit(t[i])) return false;
  if (t[4] != '-' || !two(t + 5, 1, 12) || t[7] != '-') return false;
  int year = atoi(t), month = (t[5] - '0') * 10 + t[6] - '0';
  bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  if (!two(t + 8, 1, days[month - 1] + (month == 2 && is_leap))) return false;
  if (size == 10) return true;
  size_t n = t[10] == 'T' || t[10] == 't' || t[10] == ' ' ? time_length(t + 11) : 0;
  const char *zone = t + 11 + n;
  if (!n) return false;
  if (!*zone || ((*zone == 'Z' || *zone == 'z') && !zone[1])) return true;
  return (*zone == '+' || *zone == '-') && strlen(zone) == 6 && two(zone + 1, 0, 23) &&
         zone[3] == ':' && two(zone + 4, 0, 59);
}

/// Copies digits of `base` to the scratch buffer; an underscore stands between digits. False: no
/// number.
static bool digits(const char **t, int base, RlxBuf *out) {
  bool was_digit = false;
  for (;; (*t)++) {
    char c = **t;
    int value = is_digit(c)            ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : 99;
    if (c == '_') {
      if (!was_digit) return false;
      was_digit = false;
    } else if (value < base) {
      rlx_buf_putc(out, c);
      was_digit = true;
    } else {
      return was_digit;
    }
  }
}

static bool number(Parser *p, const char *t, size_t start, RlxToml *out) {
  RlxBuf *buf = &p->scratch;
  rlx_buf_clear(buf);
  const char *bad = "expected a value: a string needs quotes";
  int base = strncmp(t, "0x", 2) == 0   ? 16
             : strncmp(t, "0o", 2) == 0 ? 8
             : strncmp(t, "0b", 2) == 0 ? 2
                                        : 10;
  if (base == 10 && (*t == '+' || *t == '-')) rlx_buf_putc(buf, *t++);
  if (strcmp(t, "inf") == 0 || strcmp(t, "nan") == 0) {
    out->kind = RLX_TOML_FLOAT;
    out->number = *t == 'n'                        ? (double)NAN
                  : buf->size && buf->at[0] == '-' ? -(double)INFINITY
                                                   : (double)INFINITY;
    return true;
  }
  t += base == 10 ? 0 : 2;
  if (base == 10 && t[0] == '0' && (is_digit(t[1]) || t[1] == '_'))
    return fail(p, start, "a number has no leading zero");
  if (!digits(&t, base, buf)) return fail(p, start, bad);
  if (base == 10 && *t == '.') {
    out->kind = RLX_TOML_FLOAT;
    rlx_buf_putc(buf, *t++);
    if (!digits(&t, 10, buf)) return fail(p, start, bad);
  }
  if (base == 10 && (*t == 'e' || *t == 'E')) {
    out->kind = RLX_TOML_FLOAT;
    rlx_buf_putc(buf, *t++);
    if (*t == '+' || *t == '-') rlx_buf_putc(buf, *t++);
    if (!digits(&t, 10, buf)) return fail(p, start, bad);
  }
  if (*t) return fail(p, start, bad);
  if (out->kind == RLX_TOML_FLOAT) {
    out->number = strtod(buf->at, NULL);
    return true;
  }
  errno = 0;
  out->integer = strtoll(buf->at, NULL, base);
  return errno ? fail(p, start, "the integer does not fit into 64 bits") : true;
}

/// Booleans, numbers and dates.
static bool plain_value(Parser *p, RlxToml *out) {
  size_t start = p->at;
  while (p->at < p->size && is_plain(p->text[p->at])) p->at++;
  // One blank may part a date from its time.
  if (p->at - start == 10 && peek(p) == ' ' && p->at + 1 < p->size &&
      is_digit(p->text[p->at + 1]) && p->text[start + 4] == '-') {
    p->at++;
    while (p->at < p->size && is_plain(p->text[p->at])) p->at++;
  }
  const char *word = rlx_arena_strndup(p->arena, p->text + start, p->at - start);
  if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0) {
    out->kind = RLX_TOML_BOOL;
    out->boolean = *word == 't';
    return true;
  }
  if (is_date(word)) {
    out->kind = RLX_TOML_DATE;
    out->text = word;
    out->text_size = p->at - start;
    return true;
  }
  out->kind = RLX_TOML_INT;
  return number(p, word, start, out);
}

static bool value(Parser *p, int depth, RlxToml **out) {
  if (depth > RLX_TOML_DEPTH) return fail(p, p->at, "values nest too deeply");
  RlxToml *v = *out = new_value(p, RLX_TOML_STRING, p->at);
  bool fine;
  switch (peek(p)) {
  case '"':
  case '\'':
    fine = string(p, true);
    v->text = rlx_arena_strndup(p->arena, rlx_buf_text(&p->scratch), p->scratch.size);
    v->text_size = p->scratch.size;
    break;
  case '[':
    v->kind = RLX_TOML_ARRAY;
    fine = array(p, depth, v);
    break;
  case '{':
    v->kind = RLX_TOML_TABLE;
    fine = inline_table(p, depth, v);
    break;
  default: fine = plain_value(p, v); break;
  }
  v->end = (uint32_t)p->at;
  return fine;
}

// ---- documents

/// Whether "a.'b' =" stands at `at`.
static bool is_entry(const Parser *p, size_t at) {
  const char *t = p->text + at, *end = p->text + p->size;
  for (;; t++) {
    while (t < end && (*t == ' ' || *t == '\t')) t++;
    if (t < end && (*t == '"' || *t == '\'')) {
      char quote = *t++;
      while (t < end && *t != quote && *t != '\n') t++;
      t += t < end;
    } else {
      if (t == end || !is_bare(*t)) return false;
      while (t < end && is_bare(*t)) t++;
    }
    while (t < end && (*t == ' ' || *t == '\t')) t++;
    if (t == end || *t != '.') return t < end && *t == '=';
  }
}

/// The bytes of blanks at the beginning of the line around `at`.
static size_t indentation(const Parser *p, size_t at) {
  while (at > 0 && p->text[at - 1] != '\n') at--;
  size_t n = 0;
  while (at + n < p->size && (p->text[at + n] == ' ' || p->text[at + n] == '\t')) n++;
  return n;
}

/// So many brackets and braces more are opened than closed in the line at `at`, outside of strings
/// and comments.
static int left_open(const Parser *p, size_t at) {
  int open = 0;
  for (char quote = 0; at < p->size && p->text[at] != '\n'; at++) {
    char c = p->text[at];
    if (quote) {
      at += c == '\\' && quote == '"';
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      break;
    } else {
      open += (c == '[' || c == '{') - (c == ']' || c == '}');
    }
    if (at < p->size && p->text[at] == '\n') break;
  }
  return open;
}

/// Goes on behind an entry that could not be read: at the next line that stands no deeper and, where
/// the entry left a bracket open, begins an entry or a header. Below a header without its name only a
/// header says again what is meant.
static void go_on(Parser *p, size_t entry, bool is_header) {
  size_t depth = indentation(p, entry);
  bool is_string = p->strings_end > entry;
  p->failed = false;
  p->at = is_string ? p->strings_end : entry;
  int open = is_string ? 1 : left_open(p, entry);
  for (;;) {
    const char *line_end = memchr(p->text + p->at, '\n', p->size - p->at);
    p->at = line_end ? (size_t)(line_end - p->text) + 1 : p->size;
    if (p->at >= p->size) return;
    size_t at = p->at + indentation(p, p->at);
    bool begins =
        at < p->size && (p->text[at] == '[' || (!is_header && (open <= 0 || is_entry(p, at))));
    if (begins && at - p->at <= depth) return;
    open += left_open(p, at);
  }
}

RlxToml *rlx_toml_read_most(const char *text, size_t size, RlxArena *arena, RlxTomlFaults *faults) {
  Parser p = {.text = text, .size = size, .arena = arena, .faults = faults};
  RlxToml *root = new_value(&p, RLX_TOML_TABLE, 0);
  size_t bad = 0;
  root->how = BY_HEADER;
  p.header = root;
  if (size > RLX_TOML_LIMIT_BYTES)
    fail(&p, 0, "the file is too large");
  else if (!rlx_utf8_is_valid(text, size, &bad))
    fail(&p, bad, "not UTF-8");
  if (p.failed) return root;
  if (looking_at(&p, "\xEF\xBB\xBF")) p.at = 3;
  while (p.at < p.size && faults->count < RLX_TOML_FAULTS_MAX) {
    const RlxToml *table = p.header;
    bool is_header = false, fine = skip_lines(&p);
    size_t entry = p.at;
    if (fine && p.at < p.size) {
      is_header = peek(&p) == '[';
      fine = is_header ? header(&p, root) : key_value(&p, p.header, 0) && end_line(&p);
    }
    if (!fine) go_on(&p, entry, is_header && p.header == table);
  }
  rlx_strmap_free(&p.index);
  rlx_buf_free(&p.scratch);
  return root;
}

RlxToml *rlx_toml_read(const char *text, size_t size, RlxArena *arena, uint32_t *out_offset,
                       RlxError *err) {
  RlxTomlFaults faults = {0};
  RlxToml *root = rlx_toml_read_most(text, size, arena, &faults);
  if (faults.count) {
    root = NULL;
    rlx_error_set(err, "%s", faults.at[0].text);
    if (out_offset) *out_offset = faults.at[0].at;
  }
  rlx_vec_free(&faults);
  return root;
}

const RlxToml *rlx_toml_get(const RlxToml *table, const char *key) {
  for (const RlxToml *at = table && table->kind == RLX_TOML_TABLE ? table->first : NULL; at;
       at = at->next)
    if (strcmp(at->key, key) == 0) return at;
  return NULL;
}

bool rlx_toml_same(const RlxToml *a, const RlxToml *b) {
  if (!a || !b) return a == b;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case RLX_TOML_STRING:
  case RLX_TOML_DATE:
    return a->text_size == b->text_size && !memcmp(a->text, b->text, a->text_size);
  case RLX_TOML_INT: return a->integer == b->integer;
  case RLX_TOML_FLOAT: return a->number == b->number;
  case RLX_TOML_BOOL: return a->boolean == b->boolean;
  case RLX_TOML_ARRAY:
  case RLX_TOML_TABLE: break;
  }
  const RlxToml *x = a->first, *y = b->first;
  for (; x && y; x = x->next, y = y->next) {
    bool is_named_so = a->kind == RLX_TOML_ARRAY || strcmp(x->key, y->key) == 0;
    if (!is_named_so || !rlx_toml_same(x, y)) return false;
  }
  return x == y;
}

const char *rlx_toml_kind_name(RlxTomlKind kind) {
  static const char *const names[] = {"a string", "an integer", "a number", "a boolean",
                                      "a date",   "a list",     "a table"};
  return names[kind];
}
