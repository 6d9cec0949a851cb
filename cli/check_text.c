/// Findings as text: a line each, with the source line and carets below it.
#include <stdio.h>
#include <string.h>

#include "cli/check_impl.h"

static const char *const severity_colors[] = {"", "\033[1;31m", "\033[1;33m", "\033[1;34m",
                                              "\033[1;36m"};

static const char *paint(const RlxCheck *c, const char *code) { return c->color ? code : ""; }

/// The source line of `span` and a row of carets below its part of it.
static void excerpt(RlxCheck *c, RlxSpan span, const char *color, const char *label) {
  const char *text = c->text;
  const RlxLines *lines = c->lines;
  RlxLineColumn at = rlx_lines_locate(lines, span.start);
  uint32_t start = rlx_lines_start(lines, at.line), end = rlx_lines_end(lines, text, at.line);
  uint32_t stop = span.end > end ? end : span.end;
  uint32_t from = start + at.column;
  if (stop <= from) stop = from + 1 <= end ? from + 1 : from;
  char number[16];
  int width = snprintf(number, sizeof number, "%u", at.line + 1);
  rlx_buf_printf(c->json.out, "%s%*s |%s\n", paint(c, "\033[34m"), width, "", paint(c, "\033[0m"));
  rlx_buf_printf(c->json.out, "%s%s |%s %.*s\n", paint(c, "\033[34m"), number, paint(c, "\033[0m"),
                 (int)(end - start), text + start);
  rlx_buf_printf(c->json.out, "%s%*s |%s ", paint(c, "\033[34m"), width, "", paint(c, "\033[0m"));
  for (uint32_t i = start; i < from;) {
    uint32_t code, n = rlx_utf8_decode(text + i, from - i, &code);
    if (code == '\t')
      rlx_buf_putc(c->json.out, '\t');
    else
      for (uint32_t k = rlx_text_width(text + i, n); k; k--) rlx_buf_putc(c->json.out, ' ');
    i += n;
  }
  uint32_t carets = rlx_text_width(text + from, stop - from);
  rlx_buf_puts(c->json.out, paint(c, color));
  for (uint32_t k = 0; k < (carets ? carets : 1); k++) rlx_buf_putc(c->json.out, '^');
  if (label) rlx_buf_printf(c->json.out, " %s", label);
  rlx_buf_printf(c->json.out, "%s\n", paint(c, "\033[0m"));
}

static void one_line(RlxCheck *c, const RlxFinding *d) {
  const RlxDiagRow *row = rlx_diag_row(d->id);
  const RlxLines *lines = c->lines;
  RlxLineColumn at = rlx_lines_locate(lines, d->span.start);
  const char *color = severity_colors[d->severity];
  rlx_buf_printf(c->json.out, "%s%s:%u:%u:%s %s%s[%s]%s: %s\n", paint(c, "\033[1m"), c->path,
                 at.line + 1, at.column + 1, paint(c, "\033[0m"), paint(c, color),
                 rlx_severity_names[d->severity], row->code, paint(c, "\033[0m"), d->message);
}

static void one_text(RlxCheck *c, const RlxFinding *d) {
  if (d->severity > c->least) return;
  one_line(c, d);
  excerpt(c, d->span, severity_colors[d->severity], NULL);
  for (uint32_t i = 0; i < d->related_count; i++) {
    excerpt(c, d->related[i].span, "\033[34m", d->related[i].message);
  }
  for (uint32_t i = 0; i < d->fix_count; i++) {
    const RlxReportFix *fix = &d->fixes[i];
    rlx_buf_printf(c->json.out, "  %sfix:%s %s", paint(c, "\033[32m"), paint(c, "\033[0m"),
                   fix->title);
    if (fix->edit_count == 1 && *fix->edits[0].text && !strchr(fix->title, '`'))
      rlx_buf_printf(c->json.out, ": `%s`", fix->edits[0].text);
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
  plural(out, c->files, "file");
  rlx_buf_putc(out, '\n');
}

const RlxCheckFormat rlx_check_text = {.finding = one_text, .end = summary};
const RlxCheckFormat rlx_check_concise = {.finding = one_concise, .end = summary};
