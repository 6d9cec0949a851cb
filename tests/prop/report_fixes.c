/// Applies every fix that is offered in scripts, one at a time, and the refactorings at every
/// binding: the text parses, its lines end as before, the diagnostic is gone, and there are not more errors than
/// before. A part of the scripts is indented with tabs, another one has lines that end with "\r\n".
#include "analyzer/edit/refactor.h"
#include "analyzer/report/normal_form.h"
#include "analyzer/rewrite/normalize.h"
#include "tests/prop/scripts.h"

#include <stdio.h>

typedef struct Seen {
  uint32_t all, errors, syntax, same; ///< same: the diagnostic that is asked about is still there
} Seen;

typedef struct Run {
  uint32_t fixes, refactorings, bad, hidden;
  uint32_t by_row[RLX_DIAG_MAX];
  uint32_t printed;
} Run;

/// Whether a script is in a normal form is a matter of taste to the other fixes: a check at run
/// time nests a call.
static bool is_form(const RlxFileDiag *d) {
  return strncmp(rlx_diag_row(d->diag->id)->code, "RLX05", 5) == 0;
}
static bool counts(const RlxFileDiag *d) { return d->diag->severity == RLX_ERROR && !is_form(d); }

static Seen look(const RlxSettings *settings, const char *text, size_t size,
                 const RlxFileDiag *about) {
  Seen seen = {
      0}; // `same` alone proves nothing: the next one of its kind may have moved to that place
  RlxAnalyzer *analyzer = rlx_analyzer_new(settings);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)size);
  RlxFileDiags diags = {0};
  RlxSyntaxProblems problems = {0};
  rlx_file_diags(file, &diags);
  rlx_document_problems(rlx_file_document(file), &problems);
  seen.syntax = problems.count;
  seen.all = diags.count;
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxFileDiag *d = &diags.at[i];
    seen.errors += counts(d);
    seen.same += about && d->diag->id == about->diag->id && d->span.start == about->span.start &&
                 strcmp(d->diag->message, about->diag->message) == 0;
  }
  rlx_vec_free(&diags);
  rlx_vec_free(&problems);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return seen;
}

typedef struct Place {
  RlxSpan span;
  const char *text;
} Place;

static int from_the_back(const void *a, const void *b) {
  const Place *x = a, *y = b;
  return x->span.start < y->span.start ? 1 : x->span.start > y->span.start ? -1 : 0;
}

static bool apply(const RlxBuf *text, Place *places, uint32_t count, RlxBuf *out) {
  qsort(places, count, sizeof *places, from_the_back);
  rlx_buf_clear(out);
  rlx_buf_putn(out, rlx_buf_text(text), text->size);
  for (uint32_t i = 0; i < count; i++) {
    if (places[i].span.end > text->size || places[i].span.start > places[i].span.end) return false;
    if (i && places[i].span.end > places[i - 1].span.start) return false;
    rlx_buf_splice(out, places[i].span.start, places[i].span.end, places[i].text,
                   strlen(places[i].text));
  }
  return true;
}

/// The same text with other blanks, as other editors write it.
static void respell(const RlxBuf *text, bool with_crlf, RlxBuf *out) {
  const char *end = rlx_buf_text(text) + text->size;
  rlx_buf_clear(out);
  for (const char *at = rlx_buf_text(text); at < end; at++) {
    const bool is_line = at == rlx_buf_text(text) || at[-1] == '\n';
    if (with_crlf && *at == '\n') rlx_buf_putc(out, '\r');
    for (; !with_crlf && is_line && end - at > 4 && memcmp(at, "    ", 4) == 0; at += 4)
      rlx_buf_putc(out, '\t');
    rlx_buf_putc(out, *at);
  }
}

/// Whether lines of `after` end otherwise than those of `before`.
static bool ends_otherwise(const RlxBuf *before, const RlxBuf *after) {
  if (!strstr(rlx_buf_text(before), "\r\n")) return strchr(rlx_buf_text(after), '\r') != NULL;
  for (const char *at = rlx_buf_text(after); (at = strchr(at, '\n')) != NULL; at++)
    if (at == rlx_buf_text(after) || at[-1] != '\r') return true;
  return false;
}

static void complain(Run *run, const char *path, const char *what, const char *title,
                     const RlxFileDiag *d, const RlxBuf *after) {
  run->bad++;
  if (run->printed++ > 12) return;
  printf("%s: %s: %s %s: %s\n", path, title, what, d ? rlx_diag_row(d->diag->id)->code : "",
         d ? d->diag->message : "");
  if (getenv("RLX_SHOW")) printf("%s\n", rlx_buf_text(after));
}

static void try_fix(Run *run, const RlxSettings *settings, const char *path, const RlxBuf *text,
                    const RlxFileDiag *d, const RlxFix *fix, const Seen *before) {
  Place places[64];
  RlxBuf after = {0};
  if (fix->edit_count == 0 || fix->edit_count > 64) return;
  for (uint32_t i = 0; i < fix->edit_count; i++)
    places[i] = (Place){rlx_file_diag_edit(d, fix, i), fix->edits[i].text};
  run->fixes++;
  run->by_row[d->diag->id]++;
  if (!apply(text, places, fix->edit_count, &after))
    complain(run, path, "edits overlap or lie outside", fix->title, d, &after);
  else {
    Seen seen = look(settings, rlx_buf_text(&after), after.size, d);
    bool is_error = counts(d);
    if (seen.syntax > before->syntax)
      complain(run, path, "the text does not parse", fix->title, d, &after);
    else if (ends_otherwise(text, &after))
      complain(run, path, "lines end otherwise", fix->title, d, &after);
    else if (seen.same && seen.all >= before->all)
      complain(run, path, "the diagnostic is still there", fix->title, d, &after);
    else if (seen.errors > before->errors && seen.syntax == before->syntax)
      complain(run, path, "a new error", fix->title, d, &after);
    else if (is_error && seen.errors >= before->errors)
      run->hidden++; // what the mistake hid is seen now
  }
  rlx_buf_free(&after);
}

static void try_refactoring(Run *run, const RlxSettings *settings, const char *path,
                            const RlxBuf *text, const RlxFix *fix, const Seen *before) {
  Place places[256];
  RlxBuf after = {0};
  if (!fix || fix->edit_count == 0 || fix->edit_count > 256) return;
  for (uint32_t i = 0; i < fix->edit_count; i++)
    places[i] = (Place){fix->edits[i].span, fix->edits[i].text};
  run->refactorings++;
  if (!apply(text, places, fix->edit_count, &after))
    complain(run, path, "edits overlap or lie outside", fix->title, NULL, &after);
  else {
    Seen seen = look(settings, rlx_buf_text(&after), after.size, NULL);
    if (seen.syntax > before->syntax)
      complain(run, path, "the text does not parse", fix->title, NULL, &after);
    else if (ends_otherwise(text, &after))
      complain(run, path, "lines end otherwise", fix->title, NULL, &after);
    else if (seen.errors > before->errors)
      complain(run, path, "a new error", fix->title, NULL, &after);
  }
  rlx_buf_free(&after);
}

/// Starts of lines inside function bodies: where a cursor may stand.
static void refactor(Run *run, const RlxSettings *settings, const char *path, const RlxBuf *text,
                     RlxFile *file, const Seen *before) {
  const char *start = rlx_buf_text(text);
  uint32_t seen = 0;
  RlxArena *arena = rlx_arena_new();
  for (uint32_t at = 0; at < text->size; at++) {
    if (at && start[at - 1] != '\n') continue;
    uint32_t name = at;
    while (name < text->size && (start[name] == ' ' || start[name] == '\t')) name++;
    if ((start[at] != '\t' && name - at < 4) ||
        !memchr(start + name, '=', strcspn(start + name, "\n")))
      continue;
    if (++seen > (scripts_whole() ? 200u : 6u)) break;
    try_refactoring(run, settings, path, text, rlx_file_inline_at(file, name, arena), before);
    const char *bracket = memchr(start + name, '(', strcspn(start + name, "\n"));
    const char *inner = bracket ? memchr(bracket + 1, '(', strcspn(bracket + 1, "\n")) : NULL;
    RlxRefactorings list = {0};
    rlx_file_refactorings(file, rlx_span(name, name), false, arena, &list);
    rlx_file_refactorings(file, rlx_span(name, name + (uint32_t)strcspn(start + name, "\n")), false,
                          arena, &list); // what later uses may require is a guess
    for (uint32_t i = 0; i < list.count; i++) {
      RlxFix fix = {.title = list.at[i].title, .edit_count = list.at[i].edit_count};
      fix.edits =
          rlx_arena_copy(arena, list.at[i].edits, list.at[i].edit_count, sizeof *list.at[i].edits);
      try_refactoring(run, settings, path, text, &fix, before);
    }
    rlx_vec_free(&list);
    if (inner)
      try_refactoring(run, settings, path, text,
                      rlx_file_bind_at(file, (uint32_t)(inner - start) - 1, arena), before);
  }
  rlx_arena_free(arena);
}

static void one_script(Run *run, const RlxSettings *settings, const char *path,
                       const RlxBuf *text) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(settings);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(text), (uint32_t)text->size);
  RlxFileDiags diags = {0};
  RlxSyntaxProblems problems = {0};
  Seen before = {0};
  uint32_t tried = 0;
  rlx_file_diags(file, &diags);
  rlx_document_problems(rlx_file_document(file), &problems);
  before.syntax = problems.count;
  before.all = diags.count;
  for (uint32_t i = 0; i < diags.count; i++) before.errors += counts(&diags.at[i]);
  for (uint32_t i = 0; i < diags.count; i++)
    for (uint32_t k = 0; k < diags.at[i].diag->fix_count; k++)
      if (++tried <= (scripts_whole() ? 400u : 40u))
        try_fix(run, settings, path, text, &diags.at[i], &diags.at[i].diag->fixes[k], &before);
  if (!settings->normal_form)
    refactor(run, settings, path, text, file, &before); // a normal form may forbid what they give
  rlx_vec_free(&diags);
  rlx_vec_free(&problems);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

static void every_fix_fixes(void **state) {
  (void)state;
  Scripts scripts = {0};
  Run run = {0};
  RlxBuf text = {0};
  const bool whole = scripts_whole();
  scripts_add(&scripts, "tests/golden", 1);
  scripts_add(&scripts, "examples", 1);
  scripts_add(&scripts, "../shared/corpus/relax/errors", whole ? 1 : 5);
  scripts_add(&scripts, "../shared/corpus/relax/as-written", whole ? 1 : 20);
  scripts_add(&scripts, "../shared/corpus/relax/mutated", whole ? 1 : 20);
  scripts_add(&scripts, "../shared/corpus/relax/printed", whole ? 2 : 60);
  for (uint8_t form = 0; form < 3; form++) {
    RlxSettings settings = {.normal_form = form};
    for (uint32_t i = 0; i < scripts.paths.count; i++)
      if ((!form || whole || i % 4 == 0) && scripts_read(scripts.paths.at[i], &text))
        one_script(&run, &settings, scripts.paths.at[i], &text);
  }
  for (uint32_t i = 0; i < scripts.paths.count; i++) {
    RlxBuf other = {0};
    if ((!whole && i % 4 > 1) || !scripts_read(scripts.paths.at[i], &text)) continue;
    respell(&text, i % 2, &other);
    one_script(&run, &(RlxSettings){0}, scripts.paths.at[i], &other);
    rlx_buf_free(&other);
  }
  printf("%u fixes in %u scripts, %u of them show what the mistake hid; %u refactorings\n",
         run.fixes, scripts.paths.count, run.hidden, run.refactorings);
  for (int i = 0; i < rlx_diag_count() && getenv("RLX_SHOW"); i++)
    if (run.by_row[i]) printf("  %s %u\n", rlx_diag_row((RlxDiagId)i)->code, run.by_row[i]);
  scripts_free(&scripts);
  rlx_buf_free(&text);
  assert_true(run.fixes > 50);
  assert_int_equal(run.bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_fix_fixes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
