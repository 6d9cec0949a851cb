// Derivations: what they name, that they end, and that asking keeps nothing.
#include "analyzer/analyzer.h"
#include "analyzer/ask/why.h"
#include "tests/test.h"

#include <string.h>

static const char header[] = "from tvm.script import relax as R\n\n\n@R.function\n"
                             "def main(x: R.Tensor((\"n\", 4), \"float32\")):\n";

static RlxFile *open_body(RlxAnalyzer *analyzer, const char *body) {
  RlxBuf text = {0};
  rlx_buf_puts(&text, header);
  rlx_buf_puts(&text, body);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_buf_free(&text);
  return file;
}

static uint32_t why(RlxFile *file, const char *name, RlxWhyLimits limits, RlxBuf *out) {
  RlxArena *arena = rlx_arena_new();
  RlxWhyTargets targets = {0};
  RlxWhySteps steps = {0};
  rlx_file_why_targets(file, name, arena, &targets);
  assert_int_equal(targets.count, 1);
  if (targets.at[0].var)
    rlx_file_why(file, targets.at[0].var, limits, arena, &steps);
  else
    rlx_file_why_result(file, targets.at[0].def, limits, arena, &steps);
  if (out) rlx_why_print_steps(file, &steps, out);
  uint32_t count = steps.count;
  rlx_vec_free(&steps);
  rlx_vec_free(&targets);
  rlx_arena_free(arena);
  return count;
}

static void names_rule_operands_and_symbols(void **state) {
  (void)state;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file =
      open_body(analyzer, "    y = R.permute_dims(x)\n    z = R.exp(y)\n    return z\n");
  RlxBuf out = {0};
  why(file, "z", (RlxWhyLimits){4, 64}, &out);
  assert_string_equal(rlx_buf_text(&out),
                      "z: R.Tensor((4, n), dtype=\"float32\")  (7:5)\n"
                      "  R.exp: The dtype must be floating point; shape, dtype and device are the "
                      "operand's  (7:11)\n"
                      "    x = y: R.Tensor((4, n), dtype=\"float32\")  (6:5)\n"
                      "      R.permute_dims: `axes` is a permutation of 0..ndim-1, negatives count "
                      "from the back; absent: reversed  (6:11)\n"
                      "        x = parameter x: R.Tensor((n, 4), dtype=\"float32\")  (5:10)\n"
                      "  n: dimension 0 of x  (5:24)\n");
  rlx_buf_free(&out);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

static void long_chains_end(void **state) {
  (void)state;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxBuf body = {0};
  rlx_buf_puts(&body, "    y0 = R.add(x, x)\n");
  for (int i = 1; i < 300; i++)
    rlx_buf_printf(&body, "    y%d = R.add(y%d, y%d)\n", i, i - 1, i - 1);
  rlx_buf_puts(&body, "    return y299\n");
  RlxFile *file = open_body(analyzer, rlx_buf_text(&body));
  assert_true(why(file, "y299", (RlxWhyLimits){3, 64}, NULL) <= 12);
  assert_true(why(file, "y299", (RlxWhyLimits){255, 20}, NULL) <= 22);
  assert_true(why(file, "main", (RlxWhyLimits){3, 64}, NULL) <= 14);
  rlx_buf_free(&body);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

static void broken_scripts_have_answers(void **state) {
  (void)state;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = open_body(analyzer, "    y = R.add(x, undefined)\n    z = R.add(y, R.nope(x))\n  "
                                      "  w, v = R.split(z, 2)\n    return (w, z)\n");
  assert_true(why(file, "z", (RlxWhyLimits){4, 64}, NULL) >= 1);
  assert_true(why(file, "w", (RlxWhyLimits){4, 64}, NULL) >= 1);
  assert_true(why(file, "main", (RlxWhyLimits){4, 64}, NULL) >= 1);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_rule_operands_and_symbols),
                                     cmocka_unit_test(long_chains_end),
                                     cmocka_unit_test(broken_scripts_have_answers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
