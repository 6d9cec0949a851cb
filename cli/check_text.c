/// Findings as text: a line each, with the source lines they are about and carets below these.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_impl.h"

static const char *const severity_colors[] = {"", "\033[1;31m", "\033[1;33m", "\033[1;34m",
                                              "\033[1;36m"};

/// What others wrote, within a line of the output.
static void put(const RlxCheck *c, const char *text) {
  rlx_text_put_shown(c->json.out, text, strlen(text));
}

static const char *paint(const RlxCheck *c, const char *code) { return c->color ? code : ""; }

typedef struct Mark { ///< a part of a source line to point at
  uint32_t line, from, stop;
  bool is_primary;
  const char *label; // or NULL
} Mark;

static Mark mark_of(const RlxCheck *c, RlxSpan span, bool is_primary, const char *label) {
  RlxLineColumn at = rlx_lines_locate(c->lines, span.start);
  uint32_t end = rlx_lines_end(c->lines, c->text, at.line);
  uint32_t from = rlx_lines_start(c->lines, at.line) + at.column;
  uint32_t stop = span.end > end ? end : span.end;
  if (stop <= from) stop = from + 1 <= end ? from + 1 : from;
  return (Mark){at.line, from, stop, is_primary, label};
}

/// By line; on one line the finding itself comes first.
static int in_order(const void *a, const void *b) {
  const Mark *x = a, *y = b;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  if (x->is_primary != y->is_primary) return x->is_primary ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

/// Of a line from `start` to `end` what is shown with the mark: all, or what is around the mark's
/// begin when the line is long.
static RlxSpan shown(const RlxCheck *c, const Mark *mark, uint32_t start, uint32_t end) {
  rlx_text_around(c->text, mark->from, &start, &end);
  return rlx_span(start, end);
}

/// What stands before a source line: its number, or as much space.
static void margin(const RlxCheck *c, int width, const char *number) {
  rlx_buf_printf(c->json.out, "%s%*s |%s", paint(c, "\033[34m"), width, number,
                 paint(c, "\033[0m"));
}

/// A row that points at the mark: `^` for the finding, `-` for what belongs to it.
static void point(const RlxCheck *c, const Mark *mark, RlxSpan part, bool is_cut,
                  const char *color) {
  const char *text = c->text;
  uint32_t stop = mark->stop < part.end ? mark->stop : part.end;
  rlx_buf_puts(c->json.out, is_cut ? "  " : " ");
  for (uint32_t i = part.start; i < mark->from;) {
    uint32_t code, n = rlx_utf8_decode(text + i, mark->from - i, &code);
    if (code == '\t')
      rlx_buf_putc(c->json.out, '\t');
    else
      for (uint32_t k = rlx_text_width(text + i, n); k; k--) rlx_buf_putc(c->json.out, ' ');
    i += n;
  }
  uint32_t width = stop > mark->from ? rlx_text_width(text + mark->from, stop - mark->from) : 0;
  rlx_buf_puts(c->json.out, paint(c, mark->is_primary ? color : "\033[34m"));
  for (uint32_t k = 0; k < (width ? width : 1); k++)
    rlx_buf_putc(c->json.out, mark->is_primary ? '^' : '-');
  if (mark->label) {
    rlx_buf_putc(c->json.out, ' ');
    put(c, mark->label);
  }
  rlx_buf_printf(c->json.out, "%s\n", paint(c, "\033[0m"));
}

/// The source lines of a finding and of what belongs to it, from above, with rows that point.
static void excerpt(const RlxCheck *c, const RlxFinding *d) {
  enum { MOST = 16 };
  Mark marks[MOST] = {mark_of(c, d->span, true, NULL)};
  uint32_t count = 1;
  for (uint32_t i = 0; i < d->related_count && count < MOST; i++)
    marks[count++] = mark_of(c, d->related[i].span, false, d->related[i].message);
  qsort(marks, count, sizeof *marks, in_order);
  char number[16];
  int width = snprintf(number, sizeof number, "%u", marks[count - 1].line + 1);
  margin(c, width, "");
  rlx_buf_putc(c->json.out, '\n');
  for (uint32_t i = 0; i < count; i++) {
    uint32_t line = marks[i].line;
    uint32_t start = rlx_lines_start(c->lines, line), end = rlx_lines_end(c->lines, c->text, line);
    RlxSpan part = shown(c, &marks[i], start, end);
    bool is_cut = part.start > start;
    if (!i || marks[i - 1].line != line || part.end - part.start < end - start) {
      if (i && marks[i - 1].line + 1 < line) rlx_buf_puts(c->json.out, "...\n");
      snprintf(number, sizeof number, "%u", line + 1);
      margin(c, width, number);
      rlx_buf_puts(c->json.out, is_cut ? " …" : " ");
      rlx_text_put_shown(c->json.out, c->text + part.start, part.end - part.start);
      rlx_buf_puts(c->json.out, part.end < end ? "…\n" : "\n");
    }
    margin(c, width, "");
    point(c, &marks[i], part, is_cut, severity_colors[d->severity]);
  }
}

/// A fix of one edit whose title does not say what it writes: that, unless it is made of lines.
static const char *written(const RlxReportFix *fix) {
  if (fix->edit_count != 1 || !*fix->edits[0].text || strchr(fix->title, '`')) return NULL;
  return strchr(fix->edits[0].text, '\n') ? NULL : fix->edits[0].text;
}

static void one_line(RlxCheck *c, const RlxFinding *d) {
  const RlxDiagRow *row = rlx_diag_row(d->id);
  const RlxLines *lines = c->lines;
  RlxLineColumn at = rlx_lines_locate(lines, d->span.start);
  const char *color = severity_colors[d->severity];
  rlx_buf_puts(c->json.out, paint(c, "\033[1m"));
  put(c, c->path);
  rlx_buf_printf(c->json.out, ":%u:%u:%s %s%s[%s]%s: ", at.line + 1, at.column + 1,
                 paint(c, "\033[0m"), paint(c, color), rlx_severity_names[d->severity], row->code,
                 paint(c, "\033[0m"));
  put(c, d->message);
  rlx_buf_putc(c->json.out, '\n');
}

static void one_text(RlxCheck *c, const RlxFinding *d) {
  if (d->severity > c->least) return;
  one_line(c, d);
  excerpt(c, d);
  for (uint32_t i = 0; i < d->fix_count; i++) {
    const RlxReportFix *fix = &d->fixes[i];
    rlx_buf_printf(c->json.out, "  %sfix%s:%s ", paint(c, "\033[32m"),
                   fix->is_safe ? "" : " (unsafe)", paint(c, "\033[0m"));
    put(c, fix->title);
    const char *text = written(fix);
    if (text) {
      rlx_buf_puts(c->json.out, ": `");
      put(c, text);
      rlx_buf_putc(c->json.out, '`');
    }
    rlx_buf_putc(c->json.out, '\n');
  }
  rlx_buf_putc(c->json.out, '\n');
}

static void one_concise(RlxCheck *c, const RlxFinding *d) {
  if (d->severity <= c->least) one_line(c, d);
}

static void plural(RlxBuf *out, uint64_t count, const char *word) {
  rlx_buf_printf(out, "%llu %s%s", (unsigned long long)count, word, count == 1 ? "" : "s");
}

static void summary(RlxCheck *c) {
  RlxBuf *out = c->json.out;
  plural(out, c->counts[1], "error");
  rlx_buf_puts(out, ", ");
  plural(out, c->counts[2], "warning");
  rlx_buf_puts(out, " in ");
  plural(out, c->files - c->unread, "file");
  if (c->fixable || c->unsafe) {
    rlx_buf_puts(out, " (");
    if (c->fixable) rlx_buf_printf(out, "%llu fixable with --fix", (unsigned long long)c->fixable);
    if (c->unsafe)
      rlx_buf_printf(out, "%s%llu%s with --unsafe-fixes", c->fixable ? ", " : "",
                     (unsigned long long)c->unsafe, c->fixable ? " more" : " fixable");
    rlx_buf_putc(out, ')');
  }
  rlx_buf_putc(out, '\n');
}

const RlxCheckFormat rlx_check_text = {.finding = one_text, .end = summary};
const RlxCheckFormat rlx_check_concise = {.finding = one_concise, .end = summary};
