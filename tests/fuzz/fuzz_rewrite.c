/// Any bytes as a script that is rewritten: brought into another dialect, into a normal form, formatted, one function of it inlined.
/// What comes out changes no more when it is rewritten again (a normal form that would not be read without errors is not used), and
/// outside of functions no byte is lost.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analyzer.h"
#include "analyzer/edit/inline_function.h"
#include "analyzer/rewrite/format.h"
#include "analyzer/rewrite/migration.h"
#include "analyzer/rewrite/normalize.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { ROUNDS = 4 }; // as `rlx migrate` has it

static void must_be(const char *what, const RlxBuf *text, const RlxBuf *again,
                    const RlxBuf *source) {
  if (text->size == again->size && (!text->size || !memcmp(text->at, again->at, text->size)))
    return;
  fprintf(stderr, "%s:\n%.*s\n--- rewritten:\n%s\n--- and again:\n%s\n", what, (int)source->size,
          rlx_buf_text(source), rlx_buf_text(text), rlx_buf_text(again));
  abort();
}

static RlxFile *open_text(RlxAnalyzer *analyzer, const RlxBuf *text) {
  return rlx_file_open(analyzer, rlx_buf_text(text), (uint32_t)text->size);
}

/// As `rlx migrate` does it: until nothing changes, some rounds at most. Whether it came to an end.
static bool migrate(const RlxBuf *source, RlxDialect to, RlxBuf *out) {
  rlx_buf_clear(out);
  rlx_buf_putn(out, rlx_buf_text(source), source->size);
  for (int i = 0; i < ROUNDS; i++) {
    RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
    RlxFile *file = open_text(analyzer, out);
    RlxBuf next = {0};
    const RlxMigration done = rlx_file_migrate(file, to, UINT32_MAX, &next);
    rlx_file_close(file);
    rlx_analyzer_free(analyzer);
    rlx_buf_free(out);
    *out = next;
    if (!done.changed) return true;
  }
  return false;
}

static void check_migration(const RlxBuf *source, RlxDialect to) {
  RlxBuf text = {0}, again = {0};
  const bool ends = migrate(source, to, &text);
  migrate(&text, to, &again);
  must_be(ends ? "migrate" : "migrate, which did not come to an end", &text, &again, source);
  rlx_buf_free(&text);
  rlx_buf_free(&again);
}

/// The text in that normal form, or as it is; its errors before that.
static uint32_t normalize(const RlxBuf *source, const RlxNormalize *how, RlxBuf *out) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = open_text(analyzer, source);
  const uint32_t errors = rlx_file_error_count(file);
  rlx_file_normalize(file, how, out);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return errors;
}

static void check_normal_form(const RlxBuf *source, const RlxNormalize *how) {
  RlxBuf text = {0}, again = {0};
  const uint32_t before = normalize(source, how, &text), after = normalize(&text, how, &again);
  // With errors some statements stay, and what they were held by another change lets go.
  if (!before && !after) must_be("normalize", &text, &again, source);
  rlx_buf_free(&text);
  rlx_buf_free(&again);
}

static void format(const RlxBuf *source, RlxBuf *out) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = open_text(analyzer, source);
  RlxFormatEdits edits = {0};
  uint32_t at = 0;
  rlx_file_format(file, (RlxSpan){0, (uint32_t)source->size}, &edits);
  for (uint32_t i = 0; i < edits.count; i++) {
    const RlxFormatEdit *e = &edits.at[i];
    if (e->span.start < at || e->span.end < e->span.start || e->span.end > source->size) abort();
    rlx_buf_putn(out, rlx_buf_text(source) + at, e->span.start - at);
    rlx_buf_puts(out, e->text);
    at = e->span.end;
  }
  rlx_buf_putn(out, rlx_buf_text(source) + at, source->size - at);
  rlx_vec_free(&edits);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

static void check_format(const RlxBuf *source) {
  RlxBuf text = {0}, again = {0};
  format(source, &text);
  format(&text, &again);
  must_be("format", &text, &again, source);
  rlx_buf_free(&text);
  rlx_buf_free(&again);
}

/// The first functions are inlined, one after the other, each in the text as it is.
static void check_inlining(const RlxBuf *source) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = open_text(analyzer, source);
  RlxFunctionViews views = {0};
  rlx_file_functions(file, &views);
  for (uint32_t i = 0; i < views.count && i < 3; i++) {
    RlxBuf text = {0}, why = {0};
    rlx_inline_function(file, views.at[i].stmt, UINT32_MAX, &text, &why);
    rlx_buf_free(&text);
    rlx_buf_free(&why);
  }
  rlx_vec_free(&views);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 4 || size > 8192) return 0;
  RlxBuf source = {0};
  rlx_buf_putn(&source, (const char *)bytes + 4, size - 4);
  rlx_buf_reserve(&source, 0);
  check_migration(&source, (RlxDialect)(bytes[0] % RLX_DIALECT_TLC));
  check_normal_form(&source,
                    &(RlxNormalize){.t_anf = bytes[1] % 3 == 1, .canonical = bytes[1] % 3 == 2});
  check_format(&source);
  check_inlining(&source);
  rlx_buf_free(&source);
  return 0;
}
