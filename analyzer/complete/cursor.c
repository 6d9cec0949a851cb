/// Where the cursor stands, from the text alone: strings, comments, brackets, the dotted name before
/// it. Half-typed text is the usual case, so no parser is asked.
#include <string.h>

#include "analyzer/complete/complete_impl.h"
#include "base/text.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

typedef struct Reader {
  RlxCursor *c;
  uint32_t at;
  bool has_equals; ///< at the level of the line
  bool has_colon;
} Reader;

static RlxSpan name_before(const RlxCursor *c, uint32_t at, bool dotted) {
  uint32_t start = at;
  while (start > c->line &&
         (rlx_text_in_name(c->text[start - 1]) || (dotted && c->text[start - 1] == '.')))
    start--;
  return rlx_span(start, at);
}

static bool word_is(const RlxCursor *c, RlxSpan span, const char *word) {
  size_t size = strlen(word);
  return span.end - span.start == size && !memcmp(c->text + span.start, word, size);
}

static void open_bracket(Reader *r, char open) {
  RlxCursor *c = r->c;
  if (c->depth == RLX_CURSOR_BRACKETS) return;
  RlxBracket *b = &c->brackets[c->depth++];
  *b = (RlxBracket){.open = open, .at = r->at, .item = r->at + 1};
  b->callee = open == '{' ? rlx_span(r->at, r->at) : name_before(c, r->at, true);
  uint32_t before = b->callee.start;
  while (before > c->line && is_blank(c->text[before - 1])) before--;
  b->is_def = c->depth == 1 && open == '(' && word_is(c, name_before(c, before, false), "def");
}

/// `name =` with one equals sign; in brackets a keyword argument.
static void equals(Reader *r) {
  RlxCursor *c = r->c;
  const char *t = c->text;
  if (t[r->at + 1] == '=' || (r->at > c->line && strchr("=!<>:+-*/%@&|^", t[r->at - 1]))) {
    r->at += t[r->at + 1] == '=';
    return;
  }
  if (!c->depth) {
    r->has_equals = true;
    return;
  }
  RlxBracket *b = &c->brackets[c->depth - 1];
  uint32_t end = r->at;
  while (end > b->item && is_blank(t[end - 1])) end--;
  RlxSpan name = name_before(c, end, false);
  if (b->open == '(' && !b->is_def && name.start >= b->item) b->keyword = name;
  if (b->is_def) b->has_colon = false; // a default
}

static bool is_line_end(char ch) { return ch == '\n' || ch == '\r'; }

/// Whether the string that begins at `at` is an f-string.
static bool is_format(const RlxCursor *c, uint32_t at) {
  const RlxSpan prefix = name_before(c, at, false);
  bool has_f = false;
  for (uint32_t i = prefix.start; i < prefix.end; i++) {
    if (!strchr("fFrR", c->text[i])) return false;
    has_f |= strchr("fF", c->text[i]) != NULL;
  }
  return has_f && prefix.end - prefix.start <= 2;
}

/// Whether the string that began with `quote`, or with three of them, ends at `at`.
static bool ends_string(const RlxCursor *c, uint32_t at, char quote, bool triple) {
  return c->text[at] == quote &&
         (!triple || (at + 2 < c->size && c->text[at + 1] == quote && c->text[at + 2] == quote));
}

/// Where the field of an f-string ends whose `{` stands at `at`: its `}`, or the end of the string.
static uint32_t field_end(const RlxCursor *c, uint32_t at, char quote, bool triple) {
  int depth = 0;
  for (uint32_t i = at; i < c->size; i++) {
    const char ch = c->text[i];
    if (strchr("([{", ch)) depth++;
    if (strchr(")]}", ch) && --depth == 0) return i;
    if (ends_string(c, i, quote, triple) || (is_line_end(ch) && !triple)) return i;
  }
  return c->size;
}

/// Over a string that begins at r->at; true when the cursor is in it. In a field of an f-string it is in code.
static bool string(Reader *r) {
  RlxCursor *c = r->c;
  const bool is_f = is_format(c, r->at);
  char quote = c->text[r->at];
  bool triple = r->at + 2 < c->size && c->text[r->at + 1] == quote && c->text[r->at + 2] == quote;
  uint32_t i = r->at + (triple ? 3 : 1), from = i;
  for (; i < c->size; i++) {
    char ch = c->text[i];
    if ((ch == '\\' || (is_f && ch == '{' && c->text[i + 1] == '{')) && i + 1 < c->size)
      i++;
    else if (is_f && ch == '{') {
      const uint32_t end = field_end(c, i, quote, triple);
      if (c->offset > i && c->offset <= end) {
        r->at = i;
        c->depth = 1; // what stands in it is an expression of its own
        c->brackets[0] =
            (RlxBracket){.open = '(', .at = i, .item = i + 1, .callee = rlx_span(i, i)};
        return false;
      }
      i = end < c->size && c->text[end] == '}' ? end : end - 1;
    } else if (ends_string(c, i, quote, triple))
      break;
    else if (is_line_end(ch) && !triple)
      break;
  }
  if (c->offset >= from && c->offset <= i) {
    c->where = triple ? RLX_CURSOR_NOWHERE : RLX_CURSOR_STRING;
    // A string that is not closed ends where the cursor is: what follows is the rest of the line.
    c->string = rlx_span(from, i < c->size && c->text[i] == quote ? i : c->offset);
    return true;
  }
  r->at = i + (triple ? 2 : 0);
  return false;
}

/// Whether a backslash stands before the line end at `at`, which may be the second half of "\r\n".
static bool is_continued(const RlxCursor *c, uint32_t at) {
  if (at && c->text[at] == '\n' && c->text[at - 1] == '\r') at--;
  return at && c->text[at - 1] == '\\';
}

static void begin_line(Reader *r) {
  r->c->line = r->at + 1;
  while (r->c->line < r->c->offset && is_blank(r->c->text[r->c->line])) r->c->line++;
  r->has_equals = r->has_colon = false;
}

/// Reads up to the cursor; false: it is in a string or a comment.
static bool read_line(Reader *r) {
  RlxCursor *c = r->c;
  for (; r->at < c->offset; r->at++) {
    char ch = c->text[r->at];
    switch (ch) {
    case '#':
      while (r->at < c->size && !is_line_end(c->text[r->at])) r->at++;
      if (r->at >= c->offset) {
        c->where = RLX_CURSOR_NOWHERE;
        return false;
      }
      r->at--;
      break;
    case '"':
    case '\'':
      if (string(r)) return false;
      break;
    case '(':
    case '[':
    case '{': open_bracket(r, ch); break;
    case ')':
    case ']':
    case '}':
      if (c->depth) {
        c->closed = c->brackets[--c->depth];
        c->closed_end = r->at + 1;
      }
      break;
    case ',':
      if (c->depth) {
        RlxBracket *b = &c->brackets[c->depth - 1];
        b->argument++;
        b->placed += !b->keyword.end;
        b->item = r->at + 1;
        b->keyword = rlx_span(0, 0);
        b->has_colon = false;
      }
      break;
    case ':':
      if (c->text[r->at + 1] == '=') break;
      if (c->depth)
        c->brackets[c->depth - 1].has_colon = true;
      else
        r->has_colon = true;
      break;
    case '=': equals(r); break;
    case ';':
    case '\r':
    case '\n':
      if (!c->depth && !(is_line_end(ch) && is_continued(c, r->at))) begin_line(r);
      break;
    default: break;
    }
  }
  return true;
}

/// A word behind which a new name is given: nothing of what exists fits there.
static bool gives_name(const RlxCursor *c) {
  uint32_t end = c->path.start;
  while (end > c->line && is_blank(c->text[end - 1])) end--;
  RlxSpan before = name_before(c, end, false);
  static const char *const words[] = {"def", "class", "as", "global", "nonlocal"};
  for (size_t i = 0; before.start < c->path.start && i < sizeof words / sizeof *words; i++)
    if (word_is(c, before, words[i])) return true;
  RlxSpan first = rlx_span(c->line, c->line);
  while (first.end < c->offset && rlx_text_in_name(c->text[first.end])) first.end++;
  if (word_is(c, first, "for") && c->path.start > first.end) { // for i, j│ in …
    for (uint32_t i = first.end; i + 3 < c->path.start; i++)
      if (is_blank(c->text[i]) && c->text[i + 1] == 'i' && c->text[i + 2] == 'n' &&
          (is_blank(c->text[i + 3]) || c->text[i + 3] == '('))
        return false;
    return true;
  }
  const RlxBracket *b = c->depth ? &c->brackets[c->depth - 1] : NULL;
  if (!b || !b->is_def || b->has_colon) return false;
  for (uint32_t i = b->item; i < c->path.start; i++)
    if (c->text[i] == '=') return false; // the default of a parameter
  return true;
}

void rlx_cursor_read(const char *text, uint32_t size, uint32_t from, uint32_t offset,
                     RlxCursor *out) {
  *out = (RlxCursor){.text = text, .size = size, .offset = offset};
  Reader r = {.c = out, .at = from};
  out->line = from;
  while (out->line < offset && is_blank(text[out->line])) out->line++;
  out->word = out->path = rlx_span(offset, offset);
  if (!read_line(&r)) {
    if (out->where != RLX_CURSOR_STRING) return;
    uint32_t start = offset, end = offset;
    while (start > out->string.start && rlx_text_in_name(text[start - 1])) start--;
    while (end < out->string.end && rlx_text_in_name(text[end])) end++;
    out->word = rlx_span(start, end);
    out->path = rlx_span(start, start);
    return;
  }
  uint32_t start = offset, end = offset;
  while (start > out->line && rlx_text_in_name(text[start - 1])) start--;
  while (end < size && rlx_text_in_name(text[end])) end++;
  out->word = rlx_span(start, end);
  out->path = name_before(out, start, true);
  if (start == 0 || text[start - 1] != '.') out->path = rlx_span(start, start);
  out->is_first = out->path.start <= out->line && !out->depth;
  out->is_decorator = out->line < size && text[out->line] == '@' && !out->depth;
  if (out->is_decorator && out->path.start <= out->line + 1) out->is_first = false;
  RlxSpan first = rlx_span(out->line, out->line);
  while (first.end < offset && rlx_text_in_name(text[first.end])) first.end++;
  out->is_import = !out->is_first && (word_is(out, first, "from") || word_is(out, first, "import"));
  static const char *const headers[] = {"if",  "elif",  "else", "for",    "while", "with",
                                        "def", "class", "try",  "except", "lambda"};
  bool is_header = false;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    is_header |= word_is(out, first, headers[i]);
  out->is_annotated = !out->depth && r.has_colon && !r.has_equals && !is_header;
  bool is_number = start < offset && text[start] >= '0' && text[start] <= '9';
  if (is_number || gives_name(out)) out->where = RLX_CURSOR_NOWHERE;
}
