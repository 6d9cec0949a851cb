// Which operators have accesses that are guarded at run time: every call of tests/ops that has a
// kernel, and a table of those with guards, held against tests/jit/guards.txt. `guards --update`
// writes it anew. Needs no LLVM: plans are built, nothing is compiled.
#include <ctype.h>
#include <glob.h>

#include "base/file.h"
#include "jit/plan/plan.h"
#include "jit/schedule/guard.h"
#include "tests/jit/rig.h"

static const char table_path[] = "tests/jit/guards.txt";

typedef struct Row {
  const RlxOpRow *op;
  const char *name;
  RlxGuardCounts most[2]; ///< of static shapes, of symbolic ones: those with the most guards
  int calls[2];
} Row;
typedef struct Table {
  Vec(Row) rows;
  int calls, unguarded;
} Table;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool has_word(const char *text, const char *word, size_t size) {
  for (const char *at = text; (at = strstr(at, word)); at++)
    if ((at == text || !is_word(at[-1])) && !is_word(at[size])) return true;
  return false;
}

/// Annotations; tensors of a known shape and no dtype get one, so that they can be run.
static void put_params(const char *params, RlxBuf *out) {
  for (const char *at = params; *at;) {
    static const char tensor[] = "R.Tensor((";
    if (strncmp(at, tensor, strlen(tensor)) != 0) {
      rlx_buf_putc(out, *at++);
      continue;
    }
    const char *end = at + strlen(tensor);
    for (int depth = 1; *end && depth; end++) depth += (*end == '(') - (*end == ')');
    rlx_buf_printf(out, "%.*s%s", (int)(end - at), at, *end == ')' ? ", \"float32\"" : "");
    at = end;
  }
}

/// The function that a line `CALL where PARAMETERS => ANSWER` stands for; false: none that runs.
static bool function_of(char *line, RlxBuf *out) {
  char *answer = strstr(line, " => "), *params = strstr(line, " where ");
  if (line[0] == '#' || !answer || !strncmp(answer + 4, "error", 5) || strstr(line, "; "))
    return false;
  *answer = 0;
  if (params) *params = 0;
  params = params ? params + 7 : line + strlen(line);
  rlx_buf_puts(out, HEADER "@R.function\ndef main(");
  put_params(params, out);
  rlx_buf_puts(out, "):\n");
  for (char *at = params; (at = strchr(at, '"'));) {
    char *end = strchr(++at, '"'), word[64];
    if (!end) return false;
    size_t size = (size_t)(end - at);
    snprintf(word, sizeof word, "%.*s", (int)size, at);
    if (size < sizeof word && has_word(line, word, size))
      rlx_buf_printf(out, "    %s = T.int64()\n", word);
    at = end + 1;
  }
  rlx_buf_printf(out, "    gv = %s\n    return gv\n", line);
  return true;
}

static Row *row_of(Table *t, const RlxOpRow *op) {
  for (uint32_t i = 0; i < t->rows.count; i++)
    if (t->rows.at[i].op == op) return &t->rows.at[i];
  rlx_vec_push(&t->rows, ((Row){.op = op, .name = op->script}));
  return &t->rows.at[t->rows.count - 1];
}

static void note(Table *t, RlxStore *store, const Step *s) {
  RlxGuardCounts n;
  const Kernel *k = s->kernel->kernel;
  if (!k->trusted || !s->call || !s->call->row) return;
  rlx_primfunc_free(rlx_guard_accesses(store, k->func, &n));
  int symbolic = k->var_count > 0;
  Row *row = row_of(t, s->call->row);
  row->calls[symbolic]++;
  t->calls++;
  t->unguarded += n.hoisted + n.checked == 0;
  RlxGuardCounts *most = &row->most[symbolic];
  if (n.hoisted + n.checked > most->hoisted + most->checked ||
      (n.hoisted + n.checked == most->hoisted + most->checked && n.checked > most->checked))
    *most = n;
}

static void look_at(Table *t, const char *source) {
  Rig r = rig_open(source);
  RlxRunError err = {0};
  Entry *entry = rlx_program_entry(
      r.program, rlx_store_intern(rlx_analyzer_store(r.analyzer), "main", strlen("main")));
  Plan *plan = entry ? rlx_plan_build(r.program, entry, &err) : NULL;
  for (uint32_t i = 0; plan && i < plan->steps.count; i++)
    if (plan->steps.at[i].kind == STEP_KERNEL)
      note(t, rlx_analyzer_store(r.analyzer), &plan->steps.at[i]);
  rig_close(&r);
}

static void put_counts(RlxBuf *out, const RlxGuardCounts *n, int calls) {
  if (!calls)
    rlx_buf_printf(out, " %-26s", "-");
  else
    rlx_buf_printf(out, " %6d %8d %10d", n->proved, n->hoisted, n->checked);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const Row *)a)->name, ((const Row *)b)->name);
}

static bool is_guarded(const Row *row) {
  int guarded = 0;
  for (int k = 0; k < 2; k++) guarded += row->most[k].hoisted + row->most[k].checked;
  return guarded > 0;
}

static void print_table(const Table *t, RlxBuf *out) {
  rlx_buf_puts(
      out, "Operators with accesses that are guarded at run time, in the calls of tests/ops: "
           "the call of each with the most.\nHoisted: checked once before the loops; "
           "checked: where they stand. Made by `build/tests/jit/guards --update`.\n\n"
           "Kernels that take more than 3 % longer than before NaN was kept and indices were "
           "checked, of those of 44 programs (1.01 in the geometric mean, paired runs, least wall "
           "time):\n"
           "nn.max_pool2d, 3x3   1.08  each element is compared with itself, so that NaN stays\n"
           "argmax               1.09  as above, and the place of the first NaN is the result\n"
           "take of rows         1.04  one check an index: 4 us, the rows lie in the caches\n\n");
  rlx_buf_printf(out, "%-32s %-26s %-26s\n", "", "static shapes", "symbolic shapes");
  rlx_buf_printf(out, "%-32s %6s %8s %10s %6s %8s %10s\n", "operator", "proved", "hoisted",
                 "checked", "proved", "hoisted", "checked");
  qsort(t->rows.at, t->rows.count, sizeof *t->rows.at, by_name);
  for (uint32_t i = 0; i < t->rows.count; i++) {
    const Row *row = &t->rows.at[i];
    if (!is_guarded(row)) continue;
    rlx_buf_printf(out, "%-32.*s", (int)strcspn(row->name, " "), row->name);
    for (int k = 0; k < 2; k++) put_counts(out, &row->most[k], row->calls[k]);
    while (out->size && rlx_buf_text(out)[out->size - 1] == ' ')
      rlx_buf_truncate(out, out->size - 1);
    rlx_buf_putc(out, '\n');
  }
}

static void make_table(Table *t) {
  glob_t files;
  assert_int_equal(glob("tests/ops/*.txt", 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    FILE *f = fopen(files.gl_pathv[i], "r");
    assert_non_null(f);
    char line[2048];
    while (fgets(line, sizeof line, f)) {
      RlxBuf source = {0};
      if (function_of(line, &source)) look_at(t, rlx_buf_text(&source));
      rlx_buf_free(&source);
    }
    fclose(f);
  }
  globfree(&files);
}

static RlxBuf made; // the table of now
static Table table;

static void the_table_is_that_of_the_file(void **state) {
  (void)state;
  char want[1 << 16];
  FILE *f = fopen(table_path, "r");
  size_t size = f ? fread(want, 1, sizeof want - 1, f) : 0;
  if (f) fclose(f);
  want[size] = 0;
  if (strcmp(want, rlx_buf_text(&made)) != 0)
    fail_msg("%s is not up to date (build/tests/jit/guards --update):\n%s", table_path,
             rlx_buf_text(&made));
}

/// What docs/operators.md and `rlx explain` say is checked when an operator runs.
static void guarded_operators_say_what_is_checked(void **state) {
  (void)state;
  int missing = 0;
  for (uint32_t i = 0; i < table.rows.count; i++) {
    const Row *row = &table.rows.at[i];
    if (!is_guarded(row) || rlx_legalize_checks(row->op)) continue;
    print_error("R.%s has guards and no RLX_CHECKS in jit/legalize/dtypes.def\n", row->name);
    missing++;
  }
  assert_int_equal(missing, 0);
}

int main(int argc, char **argv) {
  make_table(&table);
  print_table(&table, &made);
  printf("%d kernels, %d without guards\n", table.calls, table.unguarded);
  int failed = 0;
  if (argc > 1 && !strcmp(argv[1], "--update")) {
    FILE *f = fopen(table_path, "w");
    failed = !f || fputs(rlx_buf_text(&made), f) < 0;
    if (f) fclose(f);
  } else {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_table_is_that_of_the_file),
                                       cmocka_unit_test(guarded_operators_say_what_is_checked)};
    failed = cmocka_run_group_tests(tests, NULL, NULL);
  }
  rlx_buf_free(&made);
  rlx_vec_free(&table.rows);
  return failed;
}
