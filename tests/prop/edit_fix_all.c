/// Fixes never harm: scripts of the corpus are broken in one place, all fixes are applied (the safe
/// ones, then the unsafe ones, too), and the result is looked at from outside: it parses as well as
/// before, has fewer findings and none that is new, and fixing it again changes nothing.
/// RLX_SHOW=1 prints the texts of what fails.
#include "analyzer/edit/fix_all.h"
#include "base/hash.h"
#include "tests/prop/mistakes.h"

enum { FINDINGS_MAX = 4096 };

/// What is said of a text: a hash for each error and warning, in order.
typedef struct Said {
  uint64_t at[FINDINGS_MAX];
  uint32_t count, syntax, fixes, nameless; ///< nameless: fixes without a row of fixes.def
} Said;

typedef struct Tally {
  uint32_t tried, fixable, changed[2], left_out[2], bad, printed;
  const char *path;
  const RlxBuf *text;
} Tally;

static int in_order(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static bool counts(const RlxFileDiag *d) { return d->diag->severity <= RLX_WARNING; }

static RlxFixWish wish(const RlxFileDiag *d, const char *text, void *data) {
  (void)text;
  (void)data;
  return counts(d) ? RLX_FIX_WANTED : RLX_FIX_IGNORED;
}

static void look(const RlxBuf *text, Said *said) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(text), (uint32_t)text->size);
  RlxFileDiags diags = {0};
  RlxSyntaxProblems problems = {0};
  rlx_file_diags(file, &diags);
  rlx_document_problems(rlx_file_document(file), &problems);
  said->count = said->fixes = said->nameless = 0;
  said->syntax = problems.count;
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxDiag *diag = diags.at[i].diag;
    for (uint32_t k = 0; k < diag->fix_count; k++)
      said->nameless += rlx_fix_row(diag->id, diag->fixes[k].title) == NULL;
    if (!counts(&diags.at[i]) || said->count == FINDINGS_MAX) continue;
    said->fixes += diag->fix_count > 0;
    said->at[said->count++] =
        rlx_hash_bytes(diag->message, strlen(diag->message), (uint64_t)diag->id);
  }
  qsort(said->at, said->count, sizeof *said->at, in_order);
  rlx_vec_free(&diags);
  rlx_vec_free(&problems);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

/// Whether `after` has a finding that `before` does not have, or has less often.
static bool has_new(const Said *before, const Said *after) {
  uint32_t i = 0;
  for (uint32_t k = 0; k < after->count; k++, i++) {
    while (i < before->count && before->at[i] < after->at[k]) i++;
    if (i == before->count || before->at[i] != after->at[k]) return true;
  }
  return false;
}

static void complain(Tally *tally, const char *what, const RlxBuf *was, const RlxBuf *is) {
  tally->bad++;
  if (tally->printed++ > 8) return;
  printf("%s: %s\n", tally->path, what);
  if (getenv("RLX_SHOW"))
    printf("%s\n-------- fixed:\n%s\n========\n", rlx_buf_text(was), rlx_buf_text(is));
}

static bool same(const RlxBuf *a, const RlxBuf *b) {
  return a->size == b->size && memcmp(rlx_buf_text(a), rlx_buf_text(b), a->size) == 0;
}

static void fix(Tally *tally, const RlxBuf *broken, const Said *before, bool takes_unsafe) {
  static Said after;
  RlxFixing how = {.wish = wish, .takes_unsafe = takes_unsafe};
  RlxFixed once = {0}, twice = {0};
  rlx_fix_all(rlx_buf_text(broken), (uint32_t)broken->size, &how, &once);
  tally->left_out[takes_unsafe] += once.left_count;
  if (!same(broken, &once.text)) {
    tally->changed[takes_unsafe]++;
    look(&once.text, &after);
    if (after.syntax > before->syntax)
      complain(tally, "the fixed text does not parse", broken, &once.text);
    if (after.count >= before->count)
      complain(tally, "there are not fewer findings", broken, &once.text);
    if (has_new(before, &after)) complain(tally, "there is a new finding", broken, &once.text);
    rlx_fix_all(rlx_buf_text(&once.text), (uint32_t)once.text.size, &how, &twice);
    if (!same(&once.text, &twice.text) || twice.applied)
      complain(tally, "fixing it again changes it", &once.text, &twice.text);
  } else if (once.applied)
    complain(tally, "fixes that change nothing are counted", broken, &once.text);
  rlx_fixed_free(&once);
  rlx_fixed_free(&twice);
}

static void try_mistake(void *user, Way way, RlxSpan span, const char *by) {
  static Said before;
  Tally *tally = user;
  RlxBuf broken = {0};
  (void)way;
  rlx_buf_putn(&broken, rlx_buf_text(tally->text), tally->text->size);
  rlx_buf_splice(&broken, span.start, span.end, by, strlen(by));
  tally->tried++;
  look(&broken, &before);
  if (before.nameless) complain(tally, "a fix has no row in fixes.def", &broken, &broken);
  if (before.fixes) {
    tally->fixable++;
    fix(tally, &broken, &before, false);
    fix(tally, &broken, &before, true);
  }
  rlx_buf_free(&broken);
}

static void fixes_never_harm(void **state) {
  (void)state;
  Scripts scripts = {0};
  Tally tally = {0};
  RlxBuf text = {0};
  const bool whole = scripts_whole();
  RlxTestRandom random = rlx_test_random(1);
  scripts_add(&scripts, "examples", 1);
  scripts_add(&scripts, "tests/golden/rules", 4);
  scripts_add(&scripts, "../shared/corpus/relax/as-written", whole ? 1 : 60);
  scripts_add(&scripts, "../shared/corpus/relax/printed", whole ? 4 : 200);
  for (uint32_t i = 0; i < scripts.paths.count; i++) {
    if (!scripts_read(scripts.paths.at[i], &text) || (!whole && text.size > 12000)) continue;
    tally.path = scripts.paths.at[i];
    tally.text = &text;
    Patient patient = {.text = &text, .count = try_mistake, .user = &tally};
    break_script(&patient, whole ? 7 + (uint32_t)text.size / 400 : 23 + (uint32_t)text.size / 60);
    const uint32_t step = whole ? 3 + (uint32_t)text.size / 800 : 11 + (uint32_t)text.size / 120;
    confuse_script(&patient, rlx_test_below(&random, step), step);
  }
  printf("%u mistakes in %u scripts, %u with a fix; %u and %u changed by safe and by all fixes; %u "
         "and %u left out\n",
         tally.tried, scripts.paths.count, tally.fixable, tally.changed[0], tally.changed[1],
         tally.left_out[0], tally.left_out[1]);
  scripts_free(&scripts);
  rlx_buf_free(&text);
  assert_true(tally.changed[0] > 20);
  assert_true(tally.changed[1] > tally.changed[0]);
  assert_int_equal(tally.bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fixes_never_harm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
