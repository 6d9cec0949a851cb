// Every diagnostic's examples say what its page promises: the wrong one reports exactly that row,
// the right one nothing, and the fixes of the wrong one make it right. The texts keep one style.
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

/// The script of an example: itself when it has several lines, up to where another file begins, else a binding in the
/// function above.
static void script_of(const char *example, RlxBuf *out) {
  const char *next = strstr(example, "\n# ---- ");
  if (strchr(example, '\n')) {
    rlx_buf_putn(out, example, next ? (size_t)(next + 1 - example) : strlen(example));
  } else {
    rlx_buf_printf(out, "%s%s\n    return gv\n", before, example);
  }
}

/// Reports of a script, as text, without hints; `*count` of the row `id`, hints included.
static void reports(const char *example, RlxDiagId id, RlxBuf *others, int *count) {
  RlxBuf script = {0};
  script_of(example, &script);
  // An example that needs a setting says so as the command line would.
  RlxSettings settings = {.normal_form = strstr(example, "--normal-form=anf")     ? 1
                                         : strstr(example, "--normal-form=t-anf") ? 2
                                                                                  : 0};
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
    } else if (diag->severity < RLX_HINT) {
      rlx_buf_printf(others, "    %s %s\n", rlx_diag_row(diag->id)->code, diag->message);
    }
  }
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&script);
}

/// What only evaluation and schedules find; tests/check runs these examples by the commands that they name.
static bool is_of_run_time(const RlxDiagRow *row) {
  return strncmp(row->code, "RLX07", 5) == 0 || strncmp(row->code, "RLX08", 5) == 0;
}

/// The same for an example that is an rlx.toml.
static void reports_of_settings(const char *example, RlxDiagId id, RlxBuf *others, int *count) {
  RlxConfig *config = rlx_config_new();
  RlxConfigProblems problems = {0};
  RlxArena *arena = rlx_arena_new();
  RlxToml *table = rlx_toml_read(example, strlen(example), arena, NULL, NULL);
  *count = !table && id == RLX_DIAG_ID(CONFIG_SYNTAX);
  if (!table && id != RLX_DIAG_ID(CONFIG_SYNTAX)) rlx_buf_puts(others, "    not TOML\n");
  if (table)
    rlx_config_take(config, table, RLX_ORIGIN_FILE, "rlx.toml", example, strlen(example),
                    &problems);
  for (uint32_t i = 0; i < problems.count; i++) {
    if (problems.at[i].id == id)
      (*count)++;
    else
      rlx_buf_printf(others, "    %s\n", problems.at[i].message);
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
  for (int i = 0; i < rlx_diag_count(); i++) {
    const RlxDiagRow *row = rlx_diag_row((RlxDiagId)i);
    bad += check(row, (RlxDiagId)i, "wrong", row->wrong, !is_of_run_time(row));
    bad += check(row, (RlxDiagId)i, "right", row->right, 0);
  }
  assert_int_equal(bad, 0);
}

typedef struct Example {
  RlxBuf script;
  RlxSettings settings;
  RlxAnalyzer *analyzer;
  RlxFile *file;
  RlxFileDiags diags;
} Example;

static void open_example(Example *x) {
  x->analyzer = rlx_analyzer_new(&x->settings);
  x->file = rlx_file_open(x->analyzer, rlx_buf_text(&x->script), (uint32_t)x->script.size);
  rlx_file_diags(x->file, &x->diags);
}

static void close_example(Example *x) {
  rlx_vec_free(&x->diags);
  rlx_file_close(x->file);
  rlx_analyzer_free(x->analyzer);
  rlx_buf_free(&x->script);
}

/// The fixed script: edits are applied from the back.
static void apply_fix(const Example *x, const RlxFileDiag *d, const RlxFix *fix, RlxBuf *out) {
  bool done[16] = {false};
  assert_true(fix->edit_count <= 16);
  rlx_buf_putn(out, rlx_buf_text(&x->script), x->script.size);
  for (uint32_t n = 0; n < fix->edit_count; n++) {
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < fix->edit_count; i++) {
      if (done[i]) continue;
      if (last == UINT32_MAX ||
          rlx_file_diag_edit(d, fix, i).start >= rlx_file_diag_edit(d, fix, last).start)
        last = i;
    }
    RlxSpan span = rlx_file_diag_edit(d, fix, last);
    rlx_buf_splice(out, span.start, span.end, fix->edits[last].text, strlen(fix->edits[last].text));
    done[last] = true;
  }
}

static int check_fixes(const RlxDiagRow *row, RlxDiagId id, int *fixed) {
  Example wrong = {.settings.normal_form = strstr(row->wrong, "--normal-form=anf")     ? 1
                                           : strstr(row->wrong, "--normal-form=t-anf") ? 2
                                                                                       : 0};
  int bad = 0;
  script_of(row->wrong, &wrong.script);
  open_example(&wrong);
  for (uint32_t i = 0; i < wrong.diags.count; i++) {
    const RlxFileDiag *d = &wrong.diags.at[i];
    for (uint32_t k = 0; d->diag->id == id && k < d->diag->fix_count; k++) {
      Example after = {.settings = wrong.settings};
      if (!rlx_fix_row(id, d->diag->fixes[k].title)) {
        printf("%s: fixes.def does not say whether the fix \"%s\" is safe\n", row->code,
               d->diag->fixes[k].title);
        bad++;
      }
      apply_fix(&wrong, d, &d->diag->fixes[k], &after.script);
      open_example(&after);
      (*fixed)++;
      bool clean = true;
      for (uint32_t n = 0; n < after.diags.count; n++)
        clean &= after.diags.at[n].diag->severity > RLX_WARNING && after.diags.at[n].diag->id != id;
      if (!clean) {
        printf("%s: after the fix \"%s\" the wrong example still has %s: %s\n%s", row->code,
               d->diag->fixes[k].title, rlx_diag_row(after.diags.at[0].diag->id)->code,
               after.diags.at[0].diag->message, rlx_buf_text(&after.script));
        bad++;
      }
      close_example(&after);
    }
  }
  close_example(&wrong);
  return bad;
}

static void fixes_make_it_right(void **state) {
  (void)state;
  int bad = 0, fixed = 0;
  for (int i = 0; i < rlx_diag_count(); i++) {
    const RlxDiagRow *row = rlx_diag_row((RlxDiagId)i);
    if (strncmp(row->wrong, "# rlx.toml\n", 11) != 0) bad += check_fixes(row, (RlxDiagId)i, &fixed);
  }
  printf("%d fixes of %d rows\n", fixed, rlx_diag_count());
  assert_true(fixed > 20);
  assert_int_equal(bad, 0);
}

static bool says(int *bad, const RlxDiagRow *row, bool fine, const char *what) {
  if (!fine) printf("%s: %s\n", row->code, what), (*bad)++;
  return fine;
}

static void texts_keep_one_style(void **state) {
  (void)state;
  int bad = 0;
  for (int i = 0; i < rlx_diag_count(); i++) {
    const RlxDiagRow *row = rlx_diag_row((RlxDiagId)i);
    size_t size = strlen(row->message), explained = strlen(row->explanation);
    says(&bad, row, size && row->message[size - 1] != '.', "the message ends with a full stop");
    says(&bad, row, !(row->message[0] >= 'A' && row->message[0] <= 'Z'),
         "the message begins with a capital");
    says(&bad, row,
         strlen(row->code) == 7 && strncmp(row->code, "RLX0", 4) == 0 && row->code[4] >= '1' &&
             row->code[4] <= '9',
         "no area has this code");
    says(&bad, row,
         explained > 80 &&
             (row->explanation[explained - 1] == '.' || row->explanation[explained - 1] == '?'),
         "the explanation is a sentence that teaches");
    says(&bad, row, strcmp(row->wrong, row->right) != 0, "wrong and right are the same");
    for (int k = 0; k < i; k++) {
      says(&bad, row, strcmp(row->code, rlx_diag_row((RlxDiagId)k)->code) != 0,
           "two rows have this code");
      says(&bad, row, strcmp(row->name, rlx_diag_row((RlxDiagId)k)->name) != 0,
           "two rows have this name");
    }
    if (i)
      says(&bad, row, strcmp(row->code, rlx_diag_row((RlxDiagId)(i - 1))->code) > 0,
           "rows stand in order of their codes");
  }
  assert_int_equal(bad, 0);
}

/// A list of reports, with its fixes, is what it was after others count what there is in the file.
static void counting_leaves_a_list_alone(void **state) {
  (void)state;
  static const char text[] =
      "from tvm.script import relax as R\n\n@R.function\n"
      "def f(x: R.Tensor((4,), \"float32\")):\n    unused = R.nn.rleu(x)\n    return x\n";
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, sizeof text - 1);
  RlxFileDiags diags = {0};
  RlxBuf listed = {0}, after = {0};
  rlx_file_diags(file, &diags);
  assert_true(diags.count > 0 && diags.at[0].diag->fix_count > 0);
  const RlxDiag *first = diags.at[0].diag;
  rlx_buf_printf(&listed, "%s, %s", first->message, first->fixes[0].title);
  assert_int_equal(rlx_file_error_count(file), 1);
  assert_true(rlx_file_warning_count(file) >= 1);
  rlx_buf_printf(&after, "%s, %s", first->message, first->fixes[0].title);
  assert_string_equal(rlx_buf_text(&listed), rlx_buf_text(&after));
  rlx_buf_free(&listed);
  rlx_buf_free(&after);
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counting_leaves_a_list_alone), cmocka_unit_test(examples_do_what_they_say),
      cmocka_unit_test(fixes_make_it_right), cmocka_unit_test(texts_keep_one_style)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
