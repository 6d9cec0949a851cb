// Every diagnostic's examples say what its page promises: the wrong one reports exactly that row,
// the right one nothing.
#include "analyzer/analyzer.h"
#include "config/config.h"
#include "tests/test.h"

#include <string.h>

static const char *const before =
    "from tvm.script import ir as I, relax as R, tirx as T\n\n"
    "@R.function\n"
    "def main(x: R.Tensor((2, 3), \"float32\"), y: R.Tensor((\"n\", 3), \"float32\"),\n"
    "         v: R.Tensor((3,), \"float32\"), i: R.Tensor((4,), \"int64\"),\n"
    "         s: R.Tensor((), \"float32\"), h: R.Tensor((2, 3), \"float16\"),\n"
    "         u: R.Tensor(\"float32\"), img: R.Tensor((1, 4, 8, 8), \"float32\"), o: R.Object):\n"
    "    gv = ";

/// The script of an example: itself when it has several lines, else a binding in the function
/// above.
static void script_of(const char *example, RlxBuf *out) {
  if (strchr(example, '\n')) {
    rlx_buf_puts(out, example);
  } else {
    rlx_buf_printf(out, "%s%s\n    return gv\n", before, example);
  }
}

/// Reports of a script, as text, without hints; `*count` of the row `id`, hints included.
static void reports(const char *example, RlxDiagId id, RlxBuf *others, int *count) {
  RlxBuf script = {0};
  script_of(example, &script);
  // An example that needs a setting says so as the command line would.
  RlxSettings settings = {.normal_form = strstr(example, "--normal-form=anf") ? 1 : strstr(example, "--normal-form=t-anf") ? 2 : 0};
  RlxAnalyzer *analyzer = rlx_analyzer_new(&settings);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&script), (uint32_t)script.size);
  RlxFileDiags diags = {0};
  assert_true(rlx_file_analyze(file, NULL));
  rlx_file_diags(file, &diags);
  *count = 0;
  for (uint32_t k = 0; k < diags.count; k++) {
    const RlxDiag *diag = diags.at[k].diag;
    if (diag->id == id) {
      (*count)++;
    } else if (diag->severity <= RLX_WARNING) {
      rlx_buf_printf(others, "    %s %s\n", rlx_diag_row(diag->id)->code, diag->message);
    }
  }
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&script);
}

/// The same for an example that is an rlx.toml.
static void reports_of_settings(const char *example, RlxDiagId id, RlxBuf *others, int *count) {
  RlxConfig *config = rlx_config_new();
  RlxConfigProblems problems = {0};
  RlxArena *arena = rlx_arena_new();
  RlxToml *table = rlx_toml_read(example, strlen(example), arena, NULL, NULL);
  *count = !table && id == RLX_DIAG_CONFIG_SYNTAX;
  if (!table && id != RLX_DIAG_CONFIG_SYNTAX) rlx_buf_puts(others, "    not TOML\n");
  if (table)
    rlx_config_take(config, table, RLX_ORIGIN_FILE, "rlx.toml", example, strlen(example), &problems);
  for (uint32_t i = 0; i < problems.count; i++) {
    if (problems.at[i].id == id) (*count)++;
    else rlx_buf_printf(others, "    %s\n", problems.at[i].message);
  }
  rlx_config_problems_free(&problems);
  rlx_arena_free(arena);
  rlx_config_free(config);
}

static int check(const RlxDiagRow *row, RlxDiagId id, const char *what, const char *example,
                 int expected) {
  RlxBuf others = {0};
  int count;
  if (strncmp(example, "# rlx.toml\n", 11) == 0)
    reports_of_settings(example, id, &others, &count);
  else
    reports(example, id, &others, &count);
  bool good = count == expected && others.size == 0;
  if (!good)
    printf("%s %s: reported %d times, expected %d; besides:\n%s", row->code, what, count, expected,
           rlx_buf_text(&others));
  rlx_buf_free(&others);
  return !good;
}

static void examples_do_what_they_say(void **state) {
  (void)state;
  int bad = 0;
  for (int i = 0; i < RLX_DIAG_COUNT; i++) {
    const RlxDiagRow *row = rlx_diag_row((RlxDiagId)i);
    bad += check(row, (RlxDiagId)i, "wrong", row->wrong, 1);
    bad += check(row, (RlxDiagId)i, "right", row->right, 0);
  }
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(examples_do_what_they_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
