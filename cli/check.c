/// `rlx check`: diagnostics as text with the source line and carets, or as JSON (spec 5).
/// Always true: findings go to standard output, errors about the tool to standard error; the JSON is one line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/color.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/source.h"
#include "server/script_json.h"

typedef struct Check {
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxFile *file;
  RlxDocument *document;
  const char *path;
  RlxJson json;
  bool text, concise, color;
  int least; // severities above this number are not shown
  uint64_t counts[5];
} Check;

static const char *const severity_names[] = {"", "error", "warning", "information", "hint"};
static const char *const severity_colors[] = {"", "\033[1;31m", "\033[1;33m", "\033[1;34m", "\033[1;36m"};

static const char *paint(const Check *c, const char *code) { return c->color ? code : ""; }

/// The source line of `span` and a row of carets below its part of it.
static void excerpt(Check *c, RlxSpan span, const char *color, const char *label) {
  uint32_t size = 0;
  const char *text = rlx_document_text(c->document, &size);
  const RlxLines *lines = rlx_document_lines(c->document);
  RlxLineColumn at = rlx_lines_locate(lines, span.start);
  uint32_t start = rlx_lines_start(lines, at.line), end = rlx_lines_end(lines, text, at.line);
  uint32_t stop = span.end > end ? end : span.end;
  uint32_t from = start + at.column;
  if (stop <= from) stop = from + 1 <= end ? from + 1 : from;
  char number[16];
  int width = snprintf(number, sizeof number, "%u", at.line + 1);
  printf("%s%*s |%s\n", paint(c, "\033[34m"), width, "", paint(c, "\033[0m"));
  printf("%s%s |%s %.*s\n", paint(c, "\033[34m"), number, paint(c, "\033[0m"), (int)(end - start), text + start);
  printf("%s%*s |%s ", paint(c, "\033[34m"), width, "", paint(c, "\033[0m"));
  for (uint32_t i = start; i < from;) {
    uint32_t code, n = rlx_utf8_decode(text + i, from - i, &code);
    if (code == '\t') putchar('\t');
    else
      for (uint32_t k = rlx_text_width(text + i, n); k; k--) putchar(' ');
    i += n;
  }
  uint32_t carets = rlx_text_width(text + from, stop - from);
  fputs(paint(c, color), stdout);
  for (uint32_t k = 0; k < (carets ? carets : 1); k++) putchar('^');
  if (label) printf(" %s", label);
  printf("%s\n", paint(c, "\033[0m"));
}

static void one_text(Check *c, const RlxFileDiag *d) {
  const RlxDiagRow *row = rlx_diag_row(d->diag->id);
  const RlxLines *lines = rlx_document_lines(c->document);
  RlxLineColumn at = rlx_lines_locate(lines, d->span.start);
  const char *color = severity_colors[d->diag->severity];
  printf("%s%s:%u:%u:%s %s%s[%s]%s: %s\n", paint(c, "\033[1m"), c->path, at.line + 1, at.column + 1, paint(c, "\033[0m"), paint(c, color), severity_names[d->diag->severity], row->code,
         paint(c, "\033[0m"), d->diag->message);
  if (c->concise) return;
  excerpt(c, d->span, color, NULL);
  for (uint32_t i = 0; i < d->diag->related_count; i++) {
    const RlxRelated *related = &d->diag->related[i];
    const RlxStmt *stmt = related->stmt ? related->stmt : d->stmt;
    if (stmt) excerpt(c, rlx_stmt_absolute(stmt, related->span), "\033[34m", related->message);
  }
  for (uint32_t i = 0; i < d->diag->fix_count; i++) {
    const RlxFix *fix = &d->diag->fixes[i];
    printf("  %sfix:%s %s", paint(c, "\033[32m"), paint(c, "\033[0m"), fix->title);
    if (fix->edit_count == 1 && *fix->edits[0].text) printf(": `%s`", fix->edits[0].text);
    putchar('\n');
  }
  putchar('\n');
}

static void fixes_json(Check *c, const RlxFileDiag *d) {
  RlxJson *json = &c->json;
  rlx_json_key(json, "fixes");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < d->diag->fix_count; i++) {
    const RlxFix *fix = &d->diag->fixes[i];
    rlx_json_begin(json, '{');
    rlx_json_key(json, "title");
    rlx_json_text(json, fix->title);
    rlx_json_key(json, "edits");
    rlx_json_begin(json, '[');
    for (uint32_t k = 0; k < fix->edit_count; k++) {
      rlx_json_begin(json, '{');
      rlx_json_key(json, "range");
      rlx_json_range(json, c->document, d->stmt ? rlx_stmt_absolute(d->stmt, fix->edits[k].span) : fix->edits[k].span);
      rlx_json_key(json, "newText");
      rlx_json_text(json, fix->edits[k].text);
      rlx_json_end(json, '}');
    }
    rlx_json_end(json, ']');
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
}

static void one_json(Check *c, const RlxFileDiag *d) {
  RlxJson *json = &c->json;
  const RlxDiagRow *row = rlx_diag_row(d->diag->id);
  rlx_json_begin(json, '{');
  rlx_json_key(json, "code");
  rlx_json_text(json, row->code);
  rlx_json_key(json, "name");
  rlx_json_text(json, row->name);
  rlx_json_key(json, "severity");
  rlx_json_text(json, severity_names[d->diag->severity]);
  rlx_json_key(json, "message");
  rlx_json_text(json, d->diag->message);
  rlx_json_key(json, "range");
  rlx_json_range(json, c->document, d->span);
  rlx_json_key(json, "function");
  if (d->function) rlx_json_text(json, rlx_store_text(c->store, d->function));
  else rlx_json_null(json);
  rlx_json_key(json, "related");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < d->diag->related_count; i++) {
    const RlxRelated *related = &d->diag->related[i];
    const RlxStmt *stmt = related->stmt ? related->stmt : d->stmt;
    rlx_json_begin(json, '{');
    rlx_json_key(json, "message");
    rlx_json_text(json, related->message);
    rlx_json_key(json, "range");
    rlx_json_range(json, c->document, stmt ? rlx_stmt_absolute(stmt, related->span) : related->span);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
  fixes_json(c, d);
  rlx_json_end(json, '}');
}

static void one_file(Check *c, const RlxBuf *content) {
  c->file = rlx_file_open(c->analyzer, rlx_buf_text(content), (uint32_t)content->size);
  c->document = rlx_file_document(c->file);
  RlxFileDiags diags = {0};
  rlx_file_diags(c->file, &diags);
  if (!c->text) {
    rlx_json_begin(&c->json, '{');
    rlx_json_key(&c->json, "file");
    rlx_json_text(&c->json, c->path);
    rlx_json_key(&c->json, "diagnostics");
    rlx_json_begin(&c->json, '[');
  }
  for (uint32_t i = 0; i < diags.count; i++) {
    c->counts[diags.at[i].diag->severity]++;
    if (!c->text) one_json(c, &diags.at[i]);
    else if (diags.at[i].diag->severity <= c->least) one_text(c, &diags.at[i]);
  }
  if (!c->text) {
    rlx_json_end(&c->json, ']');
    rlx_json_end(&c->json, '}');
    fwrite(c->json.out->at, 1, c->json.out->size, stdout);
    rlx_buf_clear(c->json.out);
  }
  rlx_vec_free(&diags);
  rlx_file_close(c->file);
}

static void plural(uint64_t count, const char *word) { printf("%llu %s%s", (unsigned long long)count, word, count == 1 ? "" : "s"); }

static void summary(const Check *c, uint32_t files) {
  if (!c->text) {
    printf("], \"summary\": {\"files\": %u, \"errors\": %llu, \"warnings\": %llu, \"information\": %llu, \"hints\": %llu}}\n", files, (unsigned long long)c->counts[1],
           (unsigned long long)c->counts[2], (unsigned long long)c->counts[3], (unsigned long long)c->counts[4]);
    return;
  }
  plural(c->counts[1], "error");
  fputs(", ", stdout);
  plural(c->counts[2], "warning");
  fputs(" in ", stdout);
  plural(files, "file");
  putchar('\n');
}

int rlx_cmd_check(int argc, char **argv) {
  static const char *const formats[] = {"text", "concise", "json", NULL};
  static const char *const levels[] = {"error", "warning", "information", "hint", NULL};
  int format = 0, color = RLX_COLOR_AUTO, fail_on = 0, show = 1, code = RLX_EXIT_OK;
  const RlxOption options[] = {
      {.name = "format", .kind = RLX_OPTION_CHOICE, .target = &format, .choices = formats, .value = "FORMAT", .help = "how to print"},
      {.name = "color", .kind = RLX_OPTION_CHOICE, .target = &color, .choices = rlx_color_names, .value = "WHEN", .help = "colour the text"},
      {.name = "fail-on", .kind = RLX_OPTION_CHOICE, .target = &fail_on, .choices = levels, .value = "LEVEL", .help = "exit with 1 from this severity on"},
      {.name = "show", .kind = RLX_OPTION_CHOICE, .target = &show, .choices = levels, .value = "LEVEL", .help = "print findings from this severity on"},
  };
  RlxUsage usage = {"check", "[PATH…]", "Reports what is wrong in scripts: files, folders, or - for standard input.", options, sizeof options / sizeof options[0]};
  RlxArgs args = {0};
  RlxInputs inputs = {0};
  RlxError err = {0};
  RlxBuf out = {0}, content = {0};
  if (!rlx_options_parse(&usage, argc, argv, &args, &code)) {
    rlx_args_free(&args);
    return code;
  }
  if (!rlx_inputs_collect(&args, &inputs, &err)) {
    fprintf(stderr, "rlx check: %s\n", err.text);
    code = RLX_EXIT_USAGE;
  }
  Check c = {.json = {.out = &out}, .text = format != 2, .concise = format == 1, .least = show + 1, .color = rlx_color_is_on((RlxColor)color, stdout)};
  if (!c.text) fputs("{\"rlx\": 1, \"files\": [", stdout);
  uint32_t files = 0;
  for (uint32_t i = 0; i < inputs.count; i++) {
    if (i % 256 == 0) { // names of one batch are not kept for the next
      rlx_analyzer_free(c.analyzer);
      c.analyzer = rlx_analyzer_new(NULL);
      c.store = rlx_analyzer_store(c.analyzer);
    }
    rlx_buf_clear(&content);
    if (!rlx_source_read(inputs.at[i].path, &content, &err)) {
      fprintf(stderr, "rlx check: %s\n", err.text);
      code = RLX_EXIT_USAGE;
    }
    if (!inputs.at[i].is_explicit && !rlx_inputs_may_hold_script(rlx_buf_text(&content), content.size)) continue;
    c.path = inputs.at[i].path;
    c.json.needs_comma = files++ > 0;
    one_file(&c, &content);
  }
  summary(&c, files);
  for (int level = 1; level <= fail_on + 1; level++)
    if (c.counts[level] && code == RLX_EXIT_OK) code = RLX_EXIT_FINDINGS;
  rlx_analyzer_free(c.analyzer);
  rlx_buf_free(&out);
  rlx_buf_free(&content);
  rlx_inputs_free(&inputs);
  rlx_args_free(&args);
  return code;
}
