/// What is found in a script depends on its text alone, and not on the scripts that were analysed before it: each one is analysed
/// by a new analyzer, and by one that has seen others and a random number of variables. The seed is printed, and read from
/// RLX_SEED; RLX_WHOLE=1 takes every script of the corpus.
#include "analyzer/report/dump.h"
#include "tests/prop/scripts.h"

#include <stdio.h>

static uint64_t state;

static uint32_t rnd(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 11) % below;
}

static char *found(RlxAnalyzer *analyzer, const RlxBuf *text) {
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(text), (uint32_t)text->size);
  RlxBuf out = {0};
  rlx_file_dump(file, &out);
  rlx_file_close(file);
  return rlx_buf_steal(&out);
}

/// Makes some variables, so that those of the next script get other numbers than in a new analyzer.
static void make_variables(RlxAnalyzer *analyzer, uint32_t count) {
  RlxBuf text = {0};
  rlx_buf_puts(
      &text,
      "from tvm.script import tirx as T\n\n@T.prim_func\ndef f(A: T.Buffer((8,), \"float32\")):\n"
      "    A[0] = T.float32(1)\n");
  for (uint32_t i = 0; i < count; i++)
    rlx_buf_printf(&text, "    for i%u in range(8):\n        A[i%u] = T.float32(%u)\n", i, i, i);
  free(found(analyzer, &text));
  rlx_buf_free(&text);
}

static void findings_do_not_depend_on_what_came_before(void **unused) {
  (void)unused;
  const char *given = getenv("RLX_SEED");
  state = given ? strtoull(given, NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) : 20261123;
  printf("RLX_SEED=%s\n", given ? given : "(the usual one)");
  const uint32_t step = scripts_whole() ? 1 : 40;
  Scripts scripts = {0};
  scripts_add(&scripts, "examples", 1);
  scripts_add(&scripts, "tests/golden", scripts_whole() ? 1 : 2);
  scripts_add(&scripts, "../shared/corpus/relax", step);
  scripts_add(&scripts, "../shared/corpus/tir", step);
  assert_true(scripts.paths.count > 40);
  RlxAnalyzer *experienced = rlx_analyzer_new(NULL);
  RlxBuf text = {0};
  uint32_t bad = 0;
  for (uint32_t i = 0; i < scripts.paths.count; i++) {
    if (!scripts_read(scripts.paths.at[i], &text)) continue;
    make_variables(experienced, rnd(64));
    RlxAnalyzer *new = rlx_analyzer_new(NULL);
    char *expected = found(new, &text), *other = found(experienced, &text);
    if (strcmp(expected, other) != 0 && bad++ < 20) {
      size_t at = 0;
      while (expected[at] == other[at]) at++;
      while (at > 0 && expected[at - 1] != '\n') at--;
      printf("%s: after others it is\n%.*s\nwhere alone it is\n%.*s\n", scripts.paths.at[i],
             (int)strcspn(other + at, "\n"), other + at, (int)strcspn(expected + at, "\n"),
             expected + at);
    }
    free(expected);
    free(other);
    rlx_analyzer_free(new);
  }
  printf("%u scripts\n", scripts.paths.count);
  rlx_buf_free(&text);
  rlx_analyzer_free(experienced);
  scripts_free(&scripts);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(findings_do_not_depend_on_what_came_before)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
