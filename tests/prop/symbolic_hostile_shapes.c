/// Dimensions that are too large to compare: deduction says "unknown" there, soon, and goes on
/// behind it.
#include "tests/test.h"

#include <string.h>
#include <time.h>

#include "analyzer/analyzer.h"
#include "analyzer/struct_info/ir.h"
#include "base/buf.h"
#include "base/vec.h"

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/// (a + … + f + 1) * (a + … + f + 2) * …, `power` factors; `turned` writes factors and sums from
/// behind.
static void put_dimension(RlxBuf *out, int power, bool turned) {
  for (int i = 0; i < power; i++) {
    rlx_buf_puts(out, i ? " * (" : "(");
    rlx_buf_puts(out, turned ? "f + e + d + c + b + a" : "a + b + c + d + e + f");
    rlx_buf_printf(out, " + %d)", turned ? power - i : i + 1);
  }
}

typedef struct Answer {
  const RlxSInfo *sum, *behind;
  uint32_t diags;
  double ms;
} Answer;

/// What is deduced for the sum of two tensors whose only dimensions are equal products of `power`
/// sums.
static void ask(int power, void (*check)(const Answer *)) {
  RlxBuf text = {0};
  rlx_buf_puts(&text,
               "from tvm.script import relax as R, tir as T\n\n@R.function\n"
               "def main(x: R.Tensor((\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"), \"float32\")):\n"
               "    a, b, c = T.int64(), T.int64(), T.int64()\n    d, e, f = T.int64(), T.int64(), "
               "T.int64()\n    y = R.zeros((");
  put_dimension(&text, power, false);
  rlx_buf_puts(&text, ",), \"float32\")\n    z = R.zeros((");
  put_dimension(&text, power, true);
  rlx_buf_puts(&text, ",), \"float32\")\n    sum = R.add(y, z)\n    behind = R.permute_dims(x)\n   "
                      " return (sum, behind)\n");
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  double start = now_ms();
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  RlxFunctionViews functions = {0};
  RlxFileDiags diags = {0};
  rlx_file_functions(file, &functions);
  Answer answer = {.ms = now_ms() - start};
  rlx_file_diags(file, &diags);
  for (uint32_t i = 0; i < diags.count; i++)
    answer.diags += diags.at[i].diag->severity <= RLX_WARNING;
  assert_int_equal(functions.count, 1);
  const RlxSInfo *ret = functions.at[0].function->ret;
  assert_int_equal(ret->kind, RLX_SINFO_TUPLE);
  answer.sum = ret->fields[0], answer.behind = ret->fields[1];
  printf("products of %d sums: %.1f ms\n", power, answer.ms);
  check(&answer);
  rlx_vec_free(&functions);
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
}

static void is_fine_otherwise(const Answer *a) {
  assert_int_equal(a->sum->kind, RLX_SINFO_TENSOR);
  assert_int_equal(a->sum->ndim, 1);
  assert_non_null(a->behind->dims);
  assert_int_equal(a->diags, 0);
  assert_true(a->ms < 5000); // generous: sanitizers, loaded machines
}

static void is_known(const Answer *a) {
  is_fine_otherwise(a);
  assert_non_null(a->sum->dims);
}

static void is_unknown(const Answer *a) {
  is_fine_otherwise(a);
  assert_null(a->sum->dims);
}

static void too_large_is_unknown(void **state) {
  (void)state;
  ask(2, is_known);
  ask(12, is_unknown);
  ask(40, is_unknown);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(too_large_is_unknown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
