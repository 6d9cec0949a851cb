/// A refactoring keeps what a script means: the text that it gives has no kind of error or warning
/// that the text before did not have. (What is wrong already may be wrong at more places then: a
/// function that is inlined brings its mistakes along.) Places are picked at random in the scripts of examples/ and
/// tests/golden; everything that is offered there is done. The seed is printed.
#include "analyzer/analyzer.h"
#include "analyzer/edit/refactor.h"
#include "base/arena.h"
#include "base/file.h"
#include "tests/test.h"

#include <glob.h>
#include <string.h>

/// The findings that are errors or warnings, by their codes: how many of each.
typedef struct Findings {
  uint32_t of[RLX_DIAG_MAX];
} Findings;

static Findings findings(RlxFile *file) {
  Findings out = {0};
  RlxFileDiags diags = {0};
  rlx_file_diags(file, &diags);
  for (uint32_t i = 0; i < diags.count; i++)
    out.of[diags.at[i].diag->id] += diags.at[i].diag->severity <= RLX_WARNING;
  rlx_vec_free(&diags);
  return out;
}

static uint32_t total(const Findings *findings) {
  uint32_t sum = 0;
  for (int id = 0; id < RLX_DIAG_MAX; id++) sum += findings->of[id];
  return sum;
}

static void apply(RlxFile *file, const RlxRefactoring *one, RlxBuf *out) {
  uint32_t size, at = 0;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  for (uint32_t i = 0; i < one->edit_count; i++) {
    assert_true(one->edits[i].span.start >= at && one->edits[i].span.end <= size);
    rlx_buf_putn(out, text + at, one->edits[i].span.start - at);
    rlx_buf_puts(out, one->edits[i].text);
    at = one->edits[i].span.end;
  }
  rlx_buf_putn(out, text + at, size - at);
}

/// 1 when the refactoring gave the text a new finding.
static int check_one(RlxFile *file, const Findings *before, const RlxRefactoring *one,
                     uint32_t offset, const char *path) {
  RlxBuf text = {0};
  apply(file, one, &text);
  RlxFile *now = rlx_file_open_like(file, &text);
  Findings after = findings(now);
  int bad = 0;
  bool is_more = total(&after) > total(before); // one mistake may be told in another way
  for (int id = 0; is_more && id < RLX_DIAG_MAX; id++) {
    if (!after.of[id] || before->of[id]) continue;
    bad = 1;
    fprintf(stderr, "%s: %s at line %u: new %s\n", path, one->title,
            rlx_lines_locate(rlx_document_lines(rlx_file_document(file)), offset).line + 1,
            rlx_diag_row((RlxDiagId)id)->code);
  }
  rlx_file_close(now);
  rlx_buf_free(&text);
  return bad;
}

static uint32_t line_start(const char *text, uint32_t at) {
  while (at && text[at - 1] != '\n') at--;
  return at;
}

/// A cursor, or one to four whole lines.
static RlxSpan some_place(const char *text, uint32_t size, RlxTestRandom *random) {
  uint32_t at = rlx_test_below(random, size), end = at;
  if (rlx_test_below(random, 2)) return rlx_span(at, at);
  for (uint32_t lines = 1 + rlx_test_below(random, 4); lines > 0 && end < size; lines--) {
    while (end < size && text[end] != '\n') end++;
    end += end < size;
  }
  return rlx_span(line_start(text, at), end);
}

static int check(const char *path, RlxTestRandom *random, uint32_t *tried) {
  RlxBuf text = {0};
  RlxError err;
  if (!rlx_file_read_regular(path, 1 << 15, &text, &err) || !text.size) {
    rlx_buf_free(&text);
    return 0;
  }
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  Findings before = findings(file);
  int bad = 0;
  const char *rounds = getenv("RLX_REFACTOR_ROUNDS");
  for (int k = rounds ? atoi(rounds) : 60; k > 0; k--) {
    RlxSpan range = some_place(rlx_buf_text(&text), (uint32_t)text.size, random);
    RlxArena *arena = rlx_arena_new();
    RlxRefactorings all = {0};
    rlx_file_refactorings(file, range, false, arena, &all);
    for (uint32_t i = 0; i < all.count; i++) {
      if (!all.at[i].edit_count || all.at[i].disabled) continue;
      (*tried)++;
      bad += check_one(file, &before, &all.at[i], range.start, path);
    }
    rlx_vec_free(&all);
    rlx_arena_free(arena);
  }
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
  return bad;
}

static void refactorings_keep_what_is_found(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(1);
  uint32_t tried = 0;
  int bad = 0;
  const char *const patterns[] = {"examples/*.py", "tests/golden/*/*.py"};
  for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
    glob_t found;
    if (!glob(patterns[p], 0, NULL, &found))
      for (size_t i = 0; i < found.gl_pathc; i++) bad += check(found.gl_pathv[i], &random, &tried);
    globfree(&found);
  }
  printf("%u refactorings\n", tried);
  assert_true(tried > 100);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refactorings_keep_what_is_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
