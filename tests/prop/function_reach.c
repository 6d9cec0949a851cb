/// What one edit in a long function analyses again, counted in statements; and what many edits of it sum up.
#include "tests/prop/edits.h"

#include <time.h>

static char *long_function(int count, const char *annotation) {
  RlxBuf text = {0};
  rlx_buf_puts(&text, "from tvm.script import relax as R\n\n@R.function\ndef main(x: R.Tensor((16, "
                      "16), \"float32\")):\n    with R.dataflow():\n        lv0 = R.add(x, x)\n");
  for (int i = 1; i < count; i++)
    rlx_buf_printf(&text, "        lv%d%s = R.reshape(lv%d, (16, 16))\n", i, annotation, i - 1);
  rlx_buf_printf(&text, "        R.output(lv%d)\n    return lv%d\n", count - 1, count - 1);
  return rlx_buf_steal(&text);
}

/// Changes the first 16 of line lv<at> to `to` and gives the number of statements analysed again.
static uint64_t change(RlxFile *file, int at, const char *from, const char *to) {
  char line[64];
  uint32_t size;
  snprintf(line, sizeof line, "        lv%d", at);
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  const char *place = strstr(strstr(text, line), from);
  uint64_t before = rlx_file_stats(file).analyzed_statements;
  rlx_file_edit(file, (uint32_t)(place - text), (uint32_t)(place - text) + (uint32_t)strlen(from),
                to, (uint32_t)strlen(to));
  rlx_file_analyze(file, NULL);
  return rlx_file_stats(file).analyzed_statements - before;
}

/// Replaces the first `from`; returns how many statements are analysed again.
static uint64_t change_first(RlxFile *file, const char *from, const char *to) {
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(file), &size), *at = strstr(text, from);
  assert_non_null(at);
  const uint32_t start = (uint32_t)(at - text);
  uint64_t before = rlx_file_stats(file).analyzed_statements;
  rlx_file_edit(file, start, start + (uint32_t)strlen(from), to, (uint32_t)strlen(to));
  rlx_file_analyze(file, NULL);
  return rlx_file_stats(file).analyzed_statements - before;
}

/// What stands around the functions of a module concerns those that read it.
static void an_edit_around_functions_leaves_the_others(void **unused) {
  (void)unused;
  enum { COUNT = 100 };
  RlxBuf text = {0};
  rlx_buf_puts(&text,
               "from tvm.script import ir as I, relax as R\nk = 2\n\n@I.ir_module\nclass M:\n");
  for (int i = 0; i < COUNT; i++)
    rlx_buf_printf(&text,
                   "    @R.function\n    def f%03d(x: R.Tensor((4, %s), \"float32\")):\n"
                   "        y = R.add(x, x)\n        z = R.add(y, y)\n        return z\n",
                   i, i == 70 ? "k" : "3");
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_file_analyze(file, NULL);
  assert_int_equal(rlx_file_stats(file).analyzed_statements, 3 * COUNT);
  assert_int_equal(change_first(file, "f050(x: R.Tensor((4, 3)", "f050(x: R.Tensor((4, 5)"), 3);
  assert_int_equal(change_first(file, "k = 2", "k = 3"), 3);
  assert_int_equal(change_first(file, "k = 3\n", "k = 3\nm = 5\n"), 0);
  assert_int_equal(change_first(file, "    @R.function\n    def f050", "    def f050"),
                   1);                                                      // its return
  assert_int_equal(change_first(file, "    def f060(", "    def f60("), 1); // its return
  assert_int_equal(change_first(file, "f070(x: ", "f070( x: "), 1);
  assert_int_equal(change_first(file, "class M:", "class Other:"), COUNT); // their returns
  assert_int_equal(change_first(file, "@I.ir_module\n", ""), COUNT);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
}

/// A bracket or a quote that nothing closes, or that closes nothing, leaves the value of its statement
/// as it was, wherever it is typed, and so what reads it; of a call that is not closed nothing is known.
static void a_stray_bracket_stays_in_its_statement(void **unused) {
  (void)unused;
  static const char *const typed[] = {"(", "[", "{", ")", "]", "}", "\"", "'", "()", "[]"};
  static const char line[] = "        y1 = R.nn.relu(y0)\n";
  RlxBuf text = {0};
  rlx_buf_puts(&text, "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((4, 3), "
                      "\"float32\")):\n    with R.dataflow():\n        y0 = R.nn.relu(x)\n");
  for (int i = 1; i < 60; i++) rlx_buf_printf(&text, "        y%d = R.nn.relu(y%d)\n", i, i - 1);
  rlx_buf_puts(&text, "        z = R.matmul(y59, y59)\n        R.output(z)\n    return z\n");
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_file_analyze(file, NULL);
  for (size_t k = 0; k < sizeof typed / sizeof *typed; k++) {
    for (size_t at = 8; at < sizeof line - 1; at++) {
      RlxBuf with = {0};
      rlx_buf_printf(&with, "%.*s%s%s", (int)at, line, typed[k], line + at);
      // A pair behind a name is a call or an index, and its own value.
      bool is_pair = typed[k][1] && at > 9;
      uint64_t count = change_first(file, line, rlx_buf_text(&with));
      if (!is_pair && count > 1) print_error("%s: %d\n", rlx_buf_text(&with), (int)count);
      assert_true(is_pair || count <= 1);
      change_first(file, rlx_buf_text(&with), line);
      rlx_buf_free(&with);
    }
  }
  // More may have been meant to stand behind what is not closed.
  assert_true(change_first(file, line, "        y1 = R.nn.relu(y0\n") > 50);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
}

/// So does one in the head of a function or of a dataflow block, or in a decorator: what stands below it
/// is not analysed again when it comes, nor when it goes.
static void a_slip_in_a_head_leaves_its_body(void **unused) {
  (void)unused;
  static const char *const slips[][2] = {
      {"def f(x: R.Tensor((", "def f(x: R.Tensor((("},
      {"\"float32\")) ->", "\"float32\"))) ->"},
      {"R.Tensor((\"n\", 3)", "R.Tensor((\"\"n\", 3)"},
      {"R.Tensor((\"n\", 3)", "R.Tensor((n\", 3)"},
      {"R.Tensor((\"n\", 3)", "R.Tensor((\"n, 3)"},
      {"\"float32\")", "float32\")"},
      {"def f(", "def ("},
      {"def f(", "d f("},
      {"def f(", "f("},
      {"def f(", " f("},
      {"-> R.Object:", "-> R.Object"},
      {"-> R.Object:", "-> R.Object[:"},
      {"-> R.Object:", "->:"},
      {"-> R.Object:", "-:"},
      {"def f(", "def 3f("},
      {"@R.function(pure=True)", "@R.function((pure=True)"},
      {"@R.function(pure=True)", "@R.function(pure=True)'"},
      {"with R.dataflow():", "with R.dataflow()"},
      {"with R.dataflow():", "with R.dataflow(:"},
      {"with R.dataflow():", "with R.dataflow()):"},
      {"-> R.Object:", "-> R.Object: pass"},
      {"-> R.Object:", "-> R.Object: \"\"\"x\"\"\"; q"},
      {"with R.dataflow():", "with R.dataflow(): pass"},
  };
  RlxBuf text = {0};
  rlx_buf_puts(&text, "from tvm.script import relax as R\n\n@R.function(pure=True)\ndef f(x: "
                      "R.Tensor((\"n\", 3), \"float32\")) -> R.Object:\n    with R.dataflow():\n"
                      "        y0 = R.nn.relu(x)\n");
  for (int i = 1; i < 60; i++) rlx_buf_printf(&text, "        y%d = R.nn.relu(y%d)\n", i, i - 1);
  rlx_buf_puts(&text, "        R.output(y59)\n    return y59\n");
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_file_analyze(file, NULL);
  for (size_t k = 0; k < sizeof slips / sizeof *slips; k++)
    for (int turn = 0; turn < 2; turn++) {
      const uint64_t count = change_first(file, slips[k][turn], slips[k][!turn]);
      if (count > 5) print_error("%s: %d\n", slips[k][!turn], (int)count);
      assert_true(count <= 5);
    }
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
}

/// What the statements of a long function say of its dialect is summed up in parts: lines that come and go, here and there and in nested
/// suites, count as they do in the text.
static void spellings_of_a_long_function_are_counted_once(void **unused) {
  (void)unused;
  static const char *const lines[] = {
      "        y = R.call_dps_packed(\"f\", (x,), R.Tensor((4,), \"float32\"))\n",
      "        n: T.int64 = 4\n",
      "        z = R.call_packed(\"f\", x, sinfo_args=R.Tensor)\n",
      "        s: Shape = (4, 2)\n        R.match_shape(x, (4, 2))\n",
      "    if c:\n        w = R.match_shape(x, (m,))\n    else:\n        w = x\n",
      "        y = R.exp(x)\n"};
  RlxBuf text = {0};
  rlx_buf_puts(&text, HEAD "    with R.dataflow():\n");
  for (int i = 0; i < 900; i++) rlx_buf_printf(&text, "        y%d = R.exp(x)\n", i);
  rlx_buf_puts(&text, "        R.output(y1)\n    return y1\n");
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_file_analyze(file, NULL);
  state = 88172645463325252u;
  for (int i = 0; i < 120; i++) {
    uint32_t size;
    const char *now = rlx_document_text(rlx_file_document(file), &size);
    const uint32_t first = (uint32_t)(strstr(now, "        y0 =") - now);
    Edit e = {.start = line_start(now, first + rnd(size - first))};
    e.end = e.start;
    for (uint32_t n = rnd(3) ? 0 : rnd(9) ? 1 + rnd(3) : rnd(400); n && e.end < size; n--)
      e.end = line_end(now, size, e.end) + 1;
    if (e.end > size) e.end = size;
    if (e.start <= first) e.start = e.end = first;
    for (uint32_t n = rnd(4); n; n--) rlx_buf_puts(&e.text, PICK(lines));
    apply(file, &e);
    assert_true(equals_fresh(analyzer, file, "", "spellings", &e));
    rlx_buf_free(&e.text);
  }
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
}

/// A parameter that comes, goes or is another object concerns those that read it; the dimensions and the dtype of one, those that it
/// reaches.
static void a_parameter_concerns_its_readers(void **unused) {
  (void)unused;
  enum { COUNT = 40 };
  RlxBuf text = {0};
  rlx_buf_puts(
      &text,
      "from tvm.script import relax as R, tirx as T\n\n@R.function\ndef f(x: R.Tensor((\"n\", 3), "
      "\"float32\"), w: R.Tensor((7,), \"float16\")):\n    n = T.int64()\n");
  rlx_buf_puts(&text, "    y0 = R.nn.relu(x)\n");
  for (int i = 1; i < COUNT; i++)
    rlx_buf_printf(&text, "    y%d = R.nn.relu(y%d)\n    v%d = R.exp(w)\n", i, i - 1, i);
  rlx_buf_printf(&text, "    return y%d\n", COUNT - 1);
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_file_analyze(file, NULL);
  assert_true(change_first(file, "f(x", "f(o: R.Object, x") <= 2);
  assert_true(change_first(file, "o: R.Object, ", "") <= 2);
  assert_true(change_first(file, "((7,)", "((8,)") <= COUNT + 2);
  assert_true(change_first(file, "\"float16\"", "\"float32\"") <= COUNT + 2);
  assert_true(change_first(file, "\"n\", 3", "\"n\", 4") <= COUNT + 2);
  // another symbolic variable, those that it reaches; what else all could have taken from the head, none of them
  assert_true(change_first(file, "\"n\"", "\"m\"") <= COUNT + 3);
  assert_true(change_first(file, "\"m\"", "\"n\"") <= COUNT + 3);
  assert_true(change_first(file, "tirx as T", "tirx as Q") <= 4);
  assert_true(change_first(file, "tirx as Q", "tirx as T") <= 4);
  assert_true(change_first(file, "relax as R", "relax as Q") <= 4); // told at the decorator
  assert_true(change_first(file, "relax as Q", "relax as R") <= 4);
  assert_true(change_first(file, "@R", "\"\"\"@R") <= 4);
  assert_true(change_first(file, "\"\"\"@R", "@R") <= 4);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
}

static void one_edit_analyses_what_it_reaches(void **unused) {
  (void)unused;
  char *text = long_function(20000, "");
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
  rlx_file_analyze(file, NULL);
  assert_true(rlx_file_stats(file).analyzed_statements >= 20000);
  assert_int_equal(change(file, 10000, "(16, 16)", "(16, 16 )"), 1); // same meaning
  assert_int_equal(change(file, 10000, "(16, 16 )", "(4, 64)"),
                   2); // the next one reshapes to the same
  assert_int_equal(change(file, 10000, "(4, 64)", "(16, 16)"), 2);
  assert_int_equal(change(file, 19999, "(16, 16)", "(8, 32)"), 3); // R.output and return read it
  rlx_file_close(file);
  free(text);
  text = long_function(20000, ": R.Tensor((16, 16), \"float32\")");
  file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
  rlx_file_analyze(file, NULL);
  assert_int_equal(change(file, 10000, "lv9999, (16, 16)", "lv9999, (16, 17)"),
                   1); // an error: the variable is what it is annotated as
  assert_int_equal(change(file, 10000, "lv9999, (16, 17)", "lv9999, (16, 16)"), 1);
  rlx_file_close(file);
  free(text);
  rlx_analyzer_free(analyzer);
}

static double cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/// The bound is some ten times what it takes, as a part of what analysing the whole file takes on the same machine: it is for passes over
/// the function that look into each statement.
static void an_edit_in_a_long_function_is_fast(void **unused) {
  (void)unused;
#if defined(__SANITIZE_ADDRESS__) || defined(RLX_STRESS)
  skip();
#endif
  enum { EDITS = 41 };
  char *text = long_function(20000, "");
  const double start = cpu_ms();
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
  RlxFileDiags diags = {0};
  double took[EDITS];
  rlx_file_diags(file, &diags);
  const double whole = cpu_ms() - start;
  for (int i = 0; i < EDITS; i++) {
    double before = cpu_ms();
    change(file, 9000 + i, "(16, 16)", i % 2 ? "(16,16)" : "(4, 64)");
    rlx_vec_clear(&diags);
    rlx_file_diags_mended(file, RLX_NO_WINDOW, &diags);
    took[i] = cpu_ms() - before;
  }
  qsort(took, EDITS, sizeof *took, by_size);
  printf("edit to diagnostics in 20,000 statements: %.2f ms of %.0f\n", took[EDITS / 2], whole);
  assert_true(took[EDITS / 2] < whole / 5);
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stray_bracket_stays_in_its_statement),
      cmocka_unit_test(spellings_of_a_long_function_are_counted_once),
      cmocka_unit_test(a_slip_in_a_head_leaves_its_body),
      cmocka_unit_test(a_parameter_concerns_its_readers),
      cmocka_unit_test(one_edit_analyses_what_it_reaches),
      cmocka_unit_test(an_edit_around_functions_leaves_the_others),
      cmocka_unit_test(an_edit_in_a_long_function_is_fast),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
