// The queries in grammar/queries name nodes and fields that the grammar has, for the runtime that
// we link. Run from the top folder, as tests/run.sh does.
#include "tests/test.h"

#include "base/file.h"
#include "grammar/grammar.h"

static void queries_compile(void **state) {
  (void)state;
  static const char *const names[] = {"highlights", "folds", "locals", "tags", "injections"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[64];
    snprintf(path, sizeof path, "grammar/queries/%s.scm", names[i]);
    RlxBuf text = {0};
    RlxError err = {0};
    assert_true(rlx_file_read(path, &text, &err));
    uint32_t at = 0;
    TSQueryError error = TSQueryErrorNone;
    TSQuery *query =
        ts_query_new(tree_sitter_tvmscript(), text.at, (uint32_t)text.size, &at, &error);
    if (!query) fail_msg("%s: error %d at byte %u", path, (int)error, at);
    assert_true(ts_query_pattern_count(query) > 0);
    ts_query_delete(query);
    rlx_buf_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(queries_compile)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
