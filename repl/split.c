/// Entries of a text. Source of the rules: Python's own (logical lines, suites), as the analyzer's
/// parser has them; lines that begin with ":", "!" or "%" are the loop's.
#include "repl/split.h"

#include <ctype.h>
#include <string.h>

#include "analyzer/syntax/logical_lines.h"

bool rlx_split_is_own(char c) { return c && strchr(":!%", c); }

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
                        (rlx_split_is_own(*start) || rlx_split_question(start, &name));
    if (!is_own) continue;
    uint32_t end = line.start + (uint32_t)strcspn(text + line.start, "\n");
    memset(masked->at + line.start, ' ', end - line.start);
    at = end + (end < size);
    while (end > line.start && isspace((unsigned char)text[end - 1])) end--;
    rlx_vec_push(&split->entries, (RlxEntry){NULL, false, line.start, end});
  }
}

/// The end of a statement's text: the end of its last logical line, what the parser could not use
/// with it, unless another statement stands there: then what is between them. A compound one takes the
/// comment behind it along, where suppressions stand. `*line` goes through the logical lines of `text`;
/// `limit`: where the next entry starts.
static uint32_t end_of(const RlxBuf *text, const RlxStmt *stmt, uint32_t limit,
                       RlxLogicalLine *line) {
  uint32_t end = stmt->start + stmt->size;
  const uint32_t size = (uint32_t)text->size;
  while (line->start < limit) {
    const bool goes_on = line->end > limit; // the next statement stands in it
    uint32_t most = goes_on ? limit : line->end;
    while (goes_on && most > end && strchr(" \t\r\n;", text->at[most - 1])) most--;
    if (most > end) end = most;
    if (goes_on) break;
    if (!rlx_logical_line_next(rlx_buf_text(text), size, line->next, line)) line->start = size;
  }
  const char *rest = rlx_buf_text(text) + end;
  if (!stmt->body) return end;
  const size_t blanks = strspn(rest, " \t");
  return rest[blanks] == '#' ? end + (uint32_t)strcspn(rest, "\n") : end;
}

/// Behind the blanks, comments and `;` at `at`: what stands there, up to `end`, belongs to no statement.
static uint32_t behind_blanks(const char *text, uint32_t at, uint32_t end) {
  while (at < end && (isspace((unsigned char)text[at]) || strchr(";\\#", text[at])))
    at += text[at] == '#' ? (uint32_t)strcspn(text + at, "\r\n") : 1;
  return at < end ? at : end;
}

/// Makes entries of what stands between two others: what the parser had put to a statement that ended at a line of the loop's.
static void add_rests(RlxSplit *split) {
  Vec(RlxEntry) all = {0};
  const char *text = rlx_buf_text(&split->text);
  uint32_t at = strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  for (uint32_t i = 0; i <= split->entries.count; i++) {
    const bool is_last = i == split->entries.count;
    uint32_t end = is_last ? (uint32_t)split->text.size : split->entries.at[i].start;
    const uint32_t start = behind_blanks(text, at, end);
    while (end > start && isspace((unsigned char)text[end - 1])) end--;
    if (start < end) rlx_vec_push(&all, (RlxEntry){NULL, true, start, end});
    if (is_last) break;
    rlx_vec_push(&all, split->entries.at[i]);
    at = split->entries.at[i].end;
  }
  rlx_vec_clear(&split->entries);
  for (uint32_t i = 0; i < all.count; i++) rlx_vec_push(&split->entries, all.at[i]);
  rlx_vec_free(&all);
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
      const RlxEntry entry = {stmt, false, stmt->start, end_of(&masked, stmt, limit, &line)};
      rlx_vec_push(&out->entries, entry);
      while (k < commands && out->entries.at[k].start < entry.end) k++; // inside of it: its own
    }
    while (k < commands) rlx_vec_push(&out->entries, out->entries.at[k++]);
    rlx_vec_remove_n(&out->entries, 0, commands); // they stand in their order now
    if (commands) add_rests(out);
  }
  rlx_buf_free(&masked);
}

void rlx_split_free(RlxSplit *split) {
  rlx_document_free(split->doc);
  rlx_vec_free(&split->entries);
  rlx_buf_free(&split->text);
}
