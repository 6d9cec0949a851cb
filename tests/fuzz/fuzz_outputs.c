/// A line that is a file's name, then a script: what is found in it in every format of `rlx check`. JSON is JSON and UTF-8, and nothing
/// that a name or a script holds writes to a terminal or begins a line of its own.
#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analyzer.h"
#include "base/text.h"
#include "cli/check_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds, const RlxBuf *out) {
  if (holds) return;
  fprintf(stderr, "%.*s\n", (int)out->size, rlx_buf_text(out));
  abort();
}

/// No control character but ends of lines and tabs, and all of it UTF-8.
static void check_shown(const RlxBuf *out) {
  must(rlx_utf8_is_valid(rlx_buf_text(out), out->size, NULL), out);
  for (size_t at = 0; at < out->size;) {
    uint32_t code = 0;
    at += rlx_utf8_decode(out->at + at, out->size - at, &code);
    must(code == '\n' || !rlx_text_is_unshown(code), out);
  }
}

/// Each line is a command of a CI system that rlx wrote itself.
static void check_commands(const RlxBuf *out) {
  for (const char *at = rlx_buf_text(out); *at;
       at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n'))
    must(*at == '\n' || !strncmp(at, "::error ", 8) || !strncmp(at, "::warning ", 10) ||
             !strncmp(at, "::notice ", 9),
         out);
}

static void check_json(const RlxBuf *out) {
  must(rlx_utf8_is_valid(rlx_buf_text(out), out->size, NULL), out);
  cJSON *json = cJSON_ParseWithLength(rlx_buf_text(out), out->size);
  must(json != NULL, out);
  cJSON_Delete(json);
}

static void print(const RlxCheckFormat *format, const RlxReport *report, const char *path,
                  const char *text, uint32_t size, RlxBuf *out) {
  RlxLines lines = {0};
  RlxColumns columns = {0};
  rlx_lines_build(&lines, text, size);
  RlxCheck c = {.path = path,
                .text = text,
                .lines = &lines,
                .columns = &columns,
                .format = format,
                .json = {.out = out},
                .least = RLX_HINT};
  c.files = 1;
  if (format->begin) format->begin(&c);
  if (format->file_begin) format->file_begin(&c);
  for (uint32_t i = 0; i < report->count; i++) {
    c.mark = rlx_check_mark(&c, &report->at[i]);
    c.counts[report->at[i].severity]++;
    format->finding(&c, &report->at[i]);
  }
  if (format->file_end) format->file_end(&c);
  if (format->end) format->end(&c);
  rlx_map_free(&c.marks);
  rlx_lines_free(&lines);
  rlx_vec_free(&columns.steps);
}

static void check_formats(const RlxReport *report, const char *path, const char *text,
                          uint32_t size) {
  static const RlxCheckFormat *const formats[] = {
      &rlx_check_text,   &rlx_check_concise, &rlx_check_junit, &rlx_check_github,
      &rlx_check_gitlab, &rlx_check_json,    &rlx_check_sarif};
  enum { GITHUB = 3, GITLAB, COUNT = 7 };
  for (int i = 0; i < COUNT; i++) {
    RlxBuf out = {0};
    print(formats[i], report, path, text, size, &out);
    if (i >= GITLAB) check_json(&out);
    if (i <= GITHUB) check_shown(&out);
    if (i == GITHUB) check_commands(&out);
    rlx_buf_free(&out);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 8192) return 0;
  const uint8_t *end = memchr(bytes, '\n', size);
  if (!end || end == bytes) return 0;
  RlxBuf path = {0}, text = {0};
  rlx_buf_putn(&path, (const char *)bytes, (size_t)(end - bytes));
  rlx_buf_putn(&text, (const char *)end + 1, size - (size_t)(end - bytes) - 1);
  rlx_buf_reserve(&text, 0);
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  RlxReport report = {0};
  rlx_report_make(file, rlx_analyzer_store(analyzer), &report);
  check_formats(&report, rlx_buf_text(&path), rlx_buf_text(&text), (uint32_t)text.size);
  rlx_report_free(&report);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&path);
  rlx_buf_free(&text);
  return 0;
}
