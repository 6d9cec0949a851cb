/// Source of the rules: Python's own (logical lines, suites), as the analyzer's parser has them; lines that begin with
/// ":", "!" or "%" are the loop's.
#include "repl/reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/logical_lines.h"
#include "base/mem.h"
#include "repl/split.h"

/// The string that is open behind the text that was looked at, or the backslash that ends it.
typedef struct Strings {
  size_t at;         ///< what is before it was looked at
  char quote;        ///< of the string that is open there; 0: none is
  bool is_triple;    ///< it is in three of them
  bool is_continued; ///< the last thing before it is a backslash with the end of its line
} Strings;

typedef struct Prompt {
  const char *first, *more; ///< "#": a number
} Prompt;

struct RlxEntryReader {
  RlxBuf text;           ///< without prompts
  const Prompt *prompts; ///< that the lines bear, which were copied from a session; NULL: none
  bool has_prompts;      ///< it is known whether they do
  uint32_t entry;        ///< where the last entry with a prompt begins in `text`
  uint32_t printed;      ///< lines that the session had printed
  // of the text from `entry` on:
  bool is_begun;              ///< the loop's own lines at its start are passed
  uint32_t next;              ///< where the scan of logical lines goes on: all before it is decided
  bool has_line;              ///< there is a statement:
  RlxLogicalLine first, last; ///< the first and the last line of one
  RlxOpenLine *open; ///< the first one whose brackets may be closed behind the text; or NULL
  bool is_open;      ///< there is one at the end of the text
  Strings strings;
};

// ---- strings

/// Behind the end of the string that is open at `p`, or behind the text, where it stays open. A string in single quotes
/// ends with its line at the latest: a quote that is not closed is a mistake, which is reported.
static const char *behind_string(Strings *s, const char *p) {
  const char end[] = {s->quote, s->quote, s->quote, '\0'};
  for (; *p; p += *p == '\\' && p[1] ? 2 : 1) {
    if (s->is_triple ? strncmp(p, end, 3) != 0 : *p != s->quote && *p != '\n') continue;
    s->quote = 0;
    return p + (s->is_triple ? 3 : 1);
  }
  return p;
}

/// Looks at what came since.
static void look_at_strings(RlxEntryReader *r) {
  Strings *s = &r->strings;
  const char *text = rlx_buf_text(&r->text), *p = text + s->at;
  while (*p) {
    s->is_continued = false;
    if (s->quote) {
      p = behind_string(s, p);
    } else if (*p == '#') {
      p += strcspn(p, "\n");
    } else if (*p == '\\' && p[1] == '\n') {
      s->is_continued = true;
      p += 2;
    } else if (*p == '"' || *p == '\'') {
      s->quote = *p;
      s->is_triple = p[1] == *p && p[2] == *p;
      p += s->is_triple ? 3 : 1;
    } else
      p++;
  }
  s->at = (size_t)(p - text);
}

/// Whether a string in three quotes is open at the end of the text, or the line goes on behind a backslash.
static bool is_in_string(const RlxEntryReader *r) {
  return (r->strings.quote && r->strings.is_triple) || r->strings.is_continued;
}

// ---- lines

/// Steps over blank lines and the loop's own at the start.
static void pass_own_lines(RlxEntryReader *r) {
  const char *text = rlx_buf_text(&r->text);
  while (r->next < r->text.size && (text[r->next] == '\n' || rlx_split_is_own(text[r->next]))) {
    r->next += (uint32_t)strcspn(text + r->next, "\n");
    r->next += text[r->next] == '\n';
  }
  r->is_begun = r->next < r->text.size;
  r->strings.at = r->next;
}

/// Looks at the logical lines that came since. To be asked where no string is open: what one hides is no line.
static void look_at_lines(RlxEntryReader *r) {
  const char *text = rlx_buf_text(&r->text);
  const uint32_t size = (uint32_t)r->text.size;
  if (r->open && rlx_open_line_goes_on(r->open, text, size)) return;
  rlx_open_line_free(r->open);
  r->open = NULL;
  r->is_open = false;
  bool is_decided = true; // all lines so far
  uint32_t open_at = 0;
  for (RlxLogicalLine line = {.next = r->next};
       rlx_logical_line_next(text, size, line.next, &line);) {
    if (!r->has_line || line.line_start == r->first.line_start) r->first = line;
    r->last = line;
    r->has_line = true;
    if (line.is_unfinished && !r->is_open) open_at = line.line_start;
    r->is_open |= line.is_unfinished;
    is_decided &= !line.is_broken || line.looked < size; // else more lines may mend it
    if (is_decided) r->next = line.next;
  }
  if (r->is_open)
    r->open = rlx_open_line_new(text, size, open_at);
  else if (is_decided && size && text[size - 1] == '\n')
    r->next = size; // blanks and comments
}

static void look(RlxEntryReader *r) {
  if (!r->is_begun) pass_own_lines(r);
  if (!r->is_begun) return;
  look_at_strings(r);
  if (!is_in_string(r)) look_at_lines(r);
}

/// Whether the last line ends in a backslash, outside of a comment.
static bool is_continued(const RlxBuf *text) {
  const char *at = text->at;
  size_t n = text->size;
  if (n && at[n - 1] == '\n') n--;
  if (!n || at[n - 1] != '\\') return false;
  const size_t end = n;
  while (n && at[n - 1] != '\n') n--;
  return !memchr(at + n, '#', end - n);
}

bool rlx_entry_reader_wants(RlxEntryReader *r, bool is_terminal) {
  look(r);
  if (!r->is_begun) return false;
  if (is_in_string(r) || is_continued(&r->text)) return true;
  if (r->is_open) return true;
  if (!r->has_line) return false;
  if (r->last.kind == RLX_LINE_DECORATOR || r->last.opens_suite) return true;
  const bool in_block = r->last.start - r->last.line_start > r->first.start - r->first.line_start ||
                        r->last.kind == RLX_LINE_IF || // `if c: y = x`, which may have an else
                        rlx_line_kind_is_clause(r->last.kind);
  if (!in_block) return false;
  const char *text = r->text.at;
  const size_t n = r->text.size;
  return !is_terminal || n < 2 || text[n - 1] != '\n' || text[n - 2] != '\n';
}

bool rlx_entry_reader_begins_block(RlxEntryReader *r) {
  look(r);
  return r->has_line && r->first.kind != RLX_LINE_SIMPLE && !r->is_open && !is_in_string(r) &&
         r->last.opens_suite;
}

bool rlx_entry_reader_takes(RlxEntryReader *r, const char *line) {
  RlxLogicalLine next;
  if (isspace((unsigned char)*line) || !*line || *line == '#') return true;
  look(r);
  if (is_in_string(r) || r->is_open || !r->has_line) return true;
  if (r->last.kind == RLX_LINE_DECORATOR) return true;
  if (r->first.start > r->first.line_start) return true; // an indented paste has its own left edge
  return rlx_logical_line_next(line, (uint32_t)strlen(line), 0, &next) &&
         rlx_line_kind_is_clause(next.kind) && next.kind != RLX_LINE_CASE;
}

// ---- what was copied from a session, prompts and all

/// The size of the prompt at the start of `line`, with the blank behind it; 0: it is another one.
static size_t prompt_size(const char *line, const char *prompt) {
  const char *p = line;
  for (; *prompt; prompt++) {
    const size_t digits = strspn(p, "0123456789");
    if (*prompt == '#' ? !digits : *p != *prompt) break;
    p += *prompt == '#' ? digits : 1;
  }
  if (!strcmp(prompt, " ") && (!*p || *p == '\n')) return (size_t)(p - line); // its blanks were cut
  return *prompt ? 0 : (size_t)(p - line);
}

/// The prompts of the session that the text was copied from; NULL: from none.
static const Prompt *prompts_of(const char *text) {
  static const Prompt prompts[] = {{"rlx> ", "...  "}, {">>> ", "... "}, {"In [#]: ", "...: "}};
  for (size_t kind = 0; kind < sizeof prompts / sizeof *prompts; kind++)
    if (prompt_size(text, prompts[kind].first)) return &prompts[kind];
  return NULL;
}

/// The next line begins another entry.
static void begin_entry(RlxEntryReader *r) {
  rlx_open_line_free(r->open);
  r->open = NULL;
  r->is_begun = r->has_line = r->is_open = false;
  r->strings = (Strings){.at = r->text.size};
  r->entry = r->next = (uint32_t)r->text.size;
}

/// Appends a line of a session, of `n` bytes, without its prompt; what is no line of an entry was printed.
static void put_of_session(RlxEntryReader *r, const char *line, size_t n) {
  const size_t blanks = strspn(line, " \t"), first = prompt_size(line + blanks, r->prompts->first),
               more = first ? 0 : prompt_size(line + blanks, r->prompts->more),
               skip = first || more ? blanks + first + more : 0;
  RlxBuf own = {0};
  rlx_buf_putn(&own, line + skip, n - skip);
  if (first) begin_entry(r);
  // Lines of a paste have no prompts of their own.
  if (first || more ||
      (rlx_entry_reader_wants(r, false) && rlx_entry_reader_takes(r, rlx_buf_text(&own)))) {
    rlx_buf_putn(&r->text, rlx_buf_text(&own), own.size);
    rlx_buf_putc(&r->text, '\n');
  } else
    r->printed += n > blanks;
  rlx_buf_free(&own);
}

// ---- the reader

RlxEntryReader *rlx_entry_reader_new(void) { return rlx_mem_zeroed(1, sizeof(RlxEntryReader)); }

void rlx_entry_reader_clear(RlxEntryReader *r) {
  RlxBuf text = r->text;
  rlx_open_line_free(r->open);
  rlx_buf_clear(&text);
  *r = (RlxEntryReader){.text = text};
}

void rlx_entry_reader_free(RlxEntryReader *r) {
  if (!r) return;
  rlx_open_line_free(r->open);
  rlx_buf_free(&r->text);
  free(r);
}

void rlx_entry_reader_put(RlxEntryReader *r, const char *text, size_t size) {
  if (!r->has_prompts) {
    const size_t blanks = strspn(text, " \t\r\n");
    r->has_prompts = blanks < size;
    r->prompts = prompts_of(text + blanks);
    if (r->prompts) text += blanks, size -= blanks;
  }
  if (!r->prompts) {
    rlx_buf_putn(&r->text, text, size);
    return;
  }
  for (const char *p = text, *end = text + size; p < end;) {
    const size_t n = strcspn(p, "\n");
    put_of_session(r, p, n);
    p += n + (p[n] == '\n');
  }
}

bool rlx_entry_wants_more(const char *text, bool is_terminal) {
  RlxEntryReader r = {0};
  rlx_entry_reader_put(&r, text, strlen(text));
  const bool wants = rlx_entry_reader_wants(&r, is_terminal);
  rlx_open_line_free(r.open);
  rlx_buf_free(&r.text);
  return wants;
}

bool rlx_entry_goes_on(const char *text, const char *line) {
  RlxEntryReader r = {.has_prompts = true};
  rlx_entry_reader_put(&r, text, strlen(text));
  const bool goes_on = rlx_entry_reader_takes(&r, line);
  rlx_open_line_free(r.open);
  rlx_buf_free(&r.text);
  return goes_on;
}

bool rlx_entry_transcript(const char *text, RlxBuf *out, uint32_t *printed) {
  RlxEntryReader r = {0};
  *printed = 0;
  if (!prompts_of(text + strspn(text, " \t\r\n"))) return false;
  rlx_entry_reader_put(&r, text, strlen(text));
  rlx_buf_putn(out, rlx_buf_text(&r.text), r.text.size);
  *printed = r.printed;
  rlx_open_line_free(r.open);
  rlx_buf_free(&r.text);
  return true;
}
