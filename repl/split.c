/// Entries of a text. Source of the rules: Python's own (logical lines, suites), as the analyzer's
/// parser has them; lines that begin with ":", "!" or "%" are the loop's.
#include "repl/split.h"

#include <ctype.h>
#include <string.h>

#include "analyzer/syntax/logical_lines.h"

static const char own_lines[] = ":!%"; ///< what the loop's own lines begin with

// ---- when an entry is whole

/// Whether a string is open at the end of `text`, or the line goes on behind a backslash.
static bool is_in_string(const char *text) {
  for (const char *p = text; *p; p++) {
    if (*p == '#') {
      p += strcspn(p, "\n");
      if (!*p) break;
    } else if (*p == '\\' && p[1] == '\n') {
      if (!p[2]) return true;
      p++;
    } else if (*p == '"' || *p == '\'') {
      const char quote = *p;
      const bool triple = p[1] == quote && p[2] == quote;
      const char *end = p + (triple ? 3 : 1);
      while (*end) {
        if (*end == '\\' && end[1])
          end++;
        else if (triple ? !strncmp(end, (char[]){quote, quote, quote, 0}, 3)
                        : *end == quote || *end == '\n')
          break;
        end++;
      }
      if (!*end) return triple; // a quote that is not closed is a mistake, which is reported
      p = triple ? end + 2 : end;
    }
  }
  return false;
}

/// Whether a bracket that is open at the end of `text` may be closed behind it: one with a line below that stands in
/// no brackets is lost.
static bool is_in_brackets(const char *text) {
  const uint32_t size = (uint32_t)strlen(text);
  uint32_t at = 0;
  for (RlxLogicalLine line; rlx_logical_line_next(text, size, at, &line); at = line.next)
    if (line.is_unfinished) return true;
  return false;
}

/// The first logical line of `text` that is a statement, and the last one; false: there is none.
static bool ends_of(const char *text, RlxLogicalLine *first, RlxLogicalLine *last) {
  const uint32_t size = (uint32_t)strlen(text);
  uint32_t at = 0;
  bool any = false;
  for (RlxLogicalLine line; rlx_logical_line_next(text, size, at, &line); at = line.next) {
    if (!any) *first = line;
    *last = line;
    any = true;
  }
  return any;
}

/// Whether the last line ends in a backslash, outside of a comment.
static bool is_continued(const char *text) {
  size_t n = strlen(text);
  if (n && text[n - 1] == '\n') n--;
  if (!n || text[n - 1] != '\\') return false;
  while (n && text[n - 1] != '\n') n--;
  return !strchr(text + n, '#');
}

static bool wants_more(const char *text, bool is_terminal) {
  RlxLogicalLine first, last;
  while (*text == '\n') text++;
  if (*text && strchr(own_lines, *text)) {
    text += strcspn(text, "\n");
    return *text && wants_more(text, is_terminal);
  }
  if (is_in_brackets(text) || is_in_string(text) || is_continued(text)) return true;
  if (!ends_of(text, &first, &last)) return false;
  if (last.kind == RLX_LINE_DECORATOR || last.opens_suite) return true;
  const bool in_block = last.start - last.line_start > first.start - first.line_start ||
                        last.kind == RLX_LINE_IF || // `if c: y = x`, which may have an else
                        rlx_line_kind_is_clause(last.kind);
  if (!in_block) return false;
  const size_t n = strlen(text);
  return !is_terminal || n < 2 || text[n - 1] != '\n' || text[n - 2] != '\n';
}

bool rlx_split_begins_block(const char *text) {
  RlxLogicalLine first, last;
  return ends_of(text, &first, &last) && first.kind != RLX_LINE_SIMPLE && !is_in_brackets(text) &&
         !is_in_string(text) && last.opens_suite;
}

bool rlx_split_goes_on(const char *text, const char *line) {
  RlxLogicalLine first, last, next;
  if (isspace((unsigned char)*line) || !*line || *line == '#') return true;
  if (is_in_brackets(text) || is_in_string(text)) return true;
  if (!ends_of(text, &first, &last)) return true;
  if (last.kind == RLX_LINE_DECORATOR) return true;
  if (first.start > first.line_start) return true; // an indented paste has its own left edge
  return rlx_logical_line_next(line, (uint32_t)strlen(line), 0, &next) &&
         rlx_line_kind_is_clause(next.kind) && next.kind != RLX_LINE_CASE;
}

// ---- what was copied from a session, prompts and all

typedef struct Prompt {
  const char *first, *more; ///< "#": a number
} Prompt;

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

bool rlx_split_transcript(const char *text, RlxBuf *out, uint32_t *printed) {
  static const Prompt prompts[] = {{"rlx> ", "...  "}, {">>> ", "... "}, {"In [#]: ", "...: "}};
  enum { KINDS = sizeof prompts / sizeof *prompts };
  size_t kind = 0;
  text += strspn(text, " \t\r\n");
  while (kind < KINDS && !prompt_size(text, prompts[kind].first)) kind++;
  *printed = 0;
  if (kind == KINDS) return false;
  size_t entry = 0; // where the last one starts in `out`
  for (const char *p = text; *p;) {
    const size_t blanks = strspn(p, " \t"), n = strcspn(p, "\n"),
                 first = prompt_size(p + blanks, prompts[kind].first),
                 more = first ? 0 : prompt_size(p + blanks, prompts[kind].more),
                 skip = first || more ? blanks + first + more : 0;
    RlxBuf line = {0};
    rlx_buf_putn(&line, p + skip, n - skip);
    if (first) entry = out->size;
    const char *own = rlx_buf_text(out) + entry;
    // Lines of a paste have no prompts of their own.
    if (first || more || (wants_more(own, false) && rlx_split_goes_on(own, rlx_buf_text(&line)))) {
      rlx_buf_putn(out, rlx_buf_text(&line), line.size);
      rlx_buf_putc(out, '\n');
    } else
      *printed += n > blanks;
    rlx_buf_free(&line);
    p += n + (p[n] == '\n');
  }
  return true;
}

bool rlx_split_wants_more(const char *text, bool is_terminal) {
  RlxBuf own = {0};
  uint32_t printed;
  const bool is_transcript = rlx_split_transcript(text, &own, &printed),
             wants = wants_more(is_transcript ? rlx_buf_text(&own) : text, is_terminal);
  rlx_buf_free(&own);
  return wants;
}

// ---- entries

/// Copies `text` without the indentation of its first line, where a line has it: what was printed
/// inside a function can be pasted.
static void dedent(const char *text, RlxBuf *out) {
  size_t indent = 0;
  for (const char *p = text; isspace((unsigned char)*p); p++) indent = *p == '\n' ? 0 : indent + 1;
  for (const char *p = text; *p;) {
    size_t skip = 0;
    while (skip < indent && (p[skip] == ' ' || p[skip] == '\t')) skip++;
    p += skip;
    const size_t n = strcspn(p, "\n");
    rlx_buf_putn(out, p, n && p[n - 1] == '\r' ? n - 1 : n);
    if (p[n]) rlx_buf_putc(out, '\n');
    p += n + (p[n] == '\n');
  }
}

static size_t name_size(const char *text) {
  size_t n = 0;
  while (rlx_text_in_name(text[n]) || text[n] == '.') n++;
  return n;
}

size_t rlx_split_question(const char *text, const char **name) {
  const size_t before = strspn(text, "?"), size = name_size(text + before);
  const char *rest = text + before + size;
  const size_t behind = before ? 0 : strspn(rest, "?");
  rest += behind + strspn(rest + behind, " \t\r");
  if (!size || before + behind == 0 || before + behind > 2 || (*rest && *rest != '\n')) return 0;
  *name = text + before;
  return size;
}

/// Blanks the loop's own lines in `masked` and notes them.
static void take_commands(RlxSplit *split, RlxBuf *masked) {
  const uint32_t size = (uint32_t)split->text.size;
  const char *text = rlx_buf_text(&split->text);
  uint32_t at = 0;
  for (RlxLogicalLine line; rlx_logical_line_next(text, size, at, &line);) {
    at = line.next;
    const char *start = text + line.start, *name;
    const bool is_own = line.start == line.line_start &&
                        (strchr(own_lines, *start) || rlx_split_question(start, &name));
    if (!is_own) continue;
    uint32_t end = line.start + (uint32_t)strcspn(text + line.start, "\n");
    memset(masked->at + line.start, ' ', end - line.start);
    at = end + (end < size);
    while (end > line.start && isspace((unsigned char)text[end - 1])) end--;
    rlx_vec_push(&split->entries, (RlxEntry){NULL, line.start, end});
  }
}

/// The end of a statement's text: the end of its last logical line, what the parser could not use
/// with it, unless another statement stands there. A compound one takes the comment behind it along,
/// where suppressions stand. `*line` goes through the logical lines of `text`; `limit`: where the
/// next entry starts.
static uint32_t end_of(const RlxBuf *text, const RlxStmt *stmt, uint32_t limit,
                       RlxLogicalLine *line) {
  uint32_t end = stmt->start + stmt->size;
  const uint32_t size = (uint32_t)text->size;
  while (line->start < limit) {
    if (line->end <= limit && line->end > end) end = line->end;
    if (!rlx_logical_line_next(rlx_buf_text(text), size, line->next, line)) line->start = size;
  }
  const char *rest = rlx_buf_text(text) + end;
  if (!stmt->body) return end;
  const size_t blanks = strspn(rest, " \t");
  return rest[blanks] == '#' ? end + (uint32_t)strcspn(rest, "\n") : end;
}

void rlx_split(RlxStore *store, const char *text, RlxSplit *out) {
  *out = (RlxSplit){0};
  dedent(text, &out->text);
  RlxBuf masked = {0};
  rlx_buf_putn(&masked, rlx_buf_text(&out->text), out->text.size);
  take_commands(out, &masked);
  const char *rest = rlx_buf_text(&masked);
  while (isspace((unsigned char)*rest)) rest++;
  if (*rest) {
    const uint32_t commands = out->entries.count, size = (uint32_t)masked.size;
    out->doc = rlx_document_new(store, NULL, NULL);
    rlx_document_set_text(out->doc, rlx_buf_text(&masked), size);
    const RlxBlock *root = rlx_document_root(out->doc);
    RlxLogicalLine line = {0};
    rlx_logical_line_next(rlx_buf_text(&masked), size, 0, &line);
    uint32_t k = 0;
    for (uint32_t i = 0; i < root->count; i++) {
      const RlxStmt *stmt = root->stmts[i];
      while (k < commands && out->entries.at[k].start < stmt->start)
        rlx_vec_push(&out->entries, out->entries.at[k++]);
      uint32_t limit = i + 1 < root->count ? root->stmts[i + 1]->start : size;
      if (k < commands && out->entries.at[k].start < limit) limit = out->entries.at[k].start;
      rlx_vec_push(&out->entries,
                   (RlxEntry){stmt, stmt->start, end_of(&masked, stmt, limit, &line)});
    }
    while (k < commands) rlx_vec_push(&out->entries, out->entries.at[k++]);
    rlx_vec_remove_n(&out->entries, 0, commands); // they stand in their order now
  }
  rlx_buf_free(&masked);
}

void rlx_split_free(RlxSplit *split) {
  rlx_document_free(split->doc);
  rlx_vec_free(&split->entries);
  rlx_buf_free(&split->text);
}
