/// One mistake gives one diagnostic: right scripts are broken in one place in many ways (a token, a
/// bracket or a line goes, a name, an operator or a keyword is misspelt, a number or dtype changes,
/// an import or a decorator is broken, …), and errors and new warnings beside them are counted.
/// RLX_SHOW=1 prints all where there is more than one error or a warning beside it.
#include "tests/prop/mistakes.h"

typedef struct Tally {
  uint32_t broken[WAYS], errors[WAYS], many[WAYS],
      loud[WAYS]; ///< with an error; errors in them; with more than one; with a new warning, too
  uint32_t tried;
} Tally;

/// How often a file has each diagnostic, and how many of these are errors.
typedef struct Found {
  uint32_t errors, of[RLX_DIAG_MAX];
} Found;

typedef struct Script {
  Tally *tally;
  const char *path;
  const RlxBuf *text;
  Found whole; ///< what it has before
} Script;

static Found found_in(const char *text, size_t size, RlxBuf *what) {
  Found found = {0};
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)size);
  RlxFileDiags diags = {0};
  rlx_file_diags(file, &diags);
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxDiag *diag = diags.at[i].diag;
    found.of[diag->id]++;
    found.errors += diag->severity == RLX_ERROR;
    uint32_t line = 1;
    for (uint32_t k = 0; k < diags.at[i].span.start; k++) line += text[k] == '\n';
    rlx_buf_printf(what, "    %s%s line %u: %.140s\n", rlx_diag_row(diag->id)->code,
                   diag->severity == RLX_ERROR ? "" : "w", line, diag->message);
  }
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return found;
}

static void count_diags(void *user, Way way, RlxSpan span, const char *by) {
  Script *script = user;
  RlxBuf changed = {0}, what = {0};
  Tally *tally = script->tally;
  const char *show = getenv("RLX_SHOW"), *s = rlx_buf_text(script->text);
  bool loud = false;
  rlx_buf_putn(&changed, s, script->text->size);
  rlx_buf_splice(&changed, span.start, span.end, by, strlen(by));
  Found found = found_in(rlx_buf_text(&changed), changed.size, &what);
  for (int id = 0; id < rlx_diag_count(); id++)
    loud |=
        rlx_diag_row((RlxDiagId)id)->severity != RLX_ERROR && found.of[id] > script->whole.of[id];
  tally->tried++;
  if (found.errors) {
    tally->broken[way]++;
    tally->errors[way] += found.errors;
    tally->many[way] += found.errors > 1;
    tally->loud[way] += loud;
    if (show && (found.errors > 1 || loud)) {
      uint32_t line = 1;
      for (uint32_t i = 0; i < span.start; i++) line += s[i] == '\n';
      printf("%s:%u: %s: `%.*s` to `%s`\n%s", script->path, line, way_names[way],
             (int)(span.end - span.start), s + span.start, by, rlx_buf_text(&what));
    }
  }
  rlx_buf_free(&changed);
  rlx_buf_free(&what);
}

static void try_script(Tally *tally, const char *path, const RlxBuf *text, uint32_t step) {
  RlxBuf what = {0};
  Script script = {.tally = tally, .path = path, .text = text};
  Patient patient = {.text = text, .count = count_diags, .user = &script};
  script.whole = found_in(rlx_buf_text(text), text->size, &what);
  if (text->size < 20000 && script.whole.errors == 0) break_script(&patient, step);
  rlx_buf_free(&what);
}

static void print_row(const char *name, uint32_t broken, uint32_t errors, uint32_t many,
                      uint32_t loud) {
  const double each = broken ? broken : 1;
  printf("%-18s %6u with errors, %.3f errors each, %.1f %% with more than one, %.1f %% with a "
         "warning\n",
         name, broken, errors / each, 100.0 * many / each, 100.0 * loud / each);
}

static void one_mistake_one_diagnostic(void **state) {
  (void)state;
  Scripts scripts = {0};
  Tally tally = {0};
  RlxBuf text = {0};
  const bool whole = scripts_whole();
  scripts_add(&scripts, "examples", 1);
  scripts_add(&scripts, "tests/golden/rules", 1);
  uint32_t own = scripts.paths.count;
  scripts_add(&scripts, "../shared/corpus/relax/as-written", whole ? 8 : 100);
  scripts_add(&scripts, "../shared/corpus/relax/printed", whole ? 20 : 250);
  for (uint32_t i = 0; i < scripts.paths.count; i++)
    if (scripts_read(scripts.paths.at[i], &text))
      try_script(&tally, scripts.paths.at[i], &text, whole ? 3 : i < own ? 5 : 11);
  uint32_t broken = 0, errors = 0, many = 0, loud = 0;
  for (int way = 0; way < WAYS; way++) {
    broken += tally.broken[way], errors += tally.errors[way], many += tally.many[way];
    loud += tally.loud[way];
    print_row(way_names[way], tally.broken[way], tally.errors[way], tally.many[way],
              tally.loud[way]);
  }
  print_row("all", broken, errors, many, loud);
  printf("%u tried\n", tally.tried);
  scripts_free(&scripts);
  rlx_buf_free(&text);
  assert_true(broken > 100 && broken * 10 > tally.tried * 7); // nothing that is broken goes unsaid
  assert_true((double)errors / broken <= 1.01);
  assert_true((double)many / broken <= 0.007); // docs/differences.md says what these are
  assert_true((double)loud / broken <= 0.004);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_mistake_one_diagnostic)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
