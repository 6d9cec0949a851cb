/// `rlx check --fix`: applies the first fix of every diagnostic that has one.
/// Always true: the result has fewer diagnostics than before, and no syntax error more; a fix that
/// would break this is left out.
#include <stdlib.h>
#include <string.h>

#include "cli/check_impl.h"

enum { ROUNDS_MAX = 20 };

typedef struct Edit {
  RlxSpan span;
  char *text; // owned
  uint32_t fix;
} Edit;
typedef Vec(Edit) Edits;

typedef struct Fixer {
  const RlxSettings *settings;
  bool (*wants)(const RlxFileDiag *d, void *data);
  void *data;
  Edits edits;       // of the fixes of one round
  uint32_t fixes;    // in it
  uint32_t findings; // diagnostics and syntax errors before it
  uint32_t syntax;
} Fixer;

static void drop_edits(Fixer *f) {
  for (uint32_t i = 0; i < f->edits.count; i++) free(f->edits.at[i].text);
  rlx_vec_clear(&f->edits);
  f->fixes = 0;
}

static bool overlaps(const Edits *edits, RlxSpan span) {
  for (uint32_t i = 0; i < edits->count; i++) {
    RlxSpan other = edits->at[i].span;
    if (span.start <= other.end && other.start <= span.end)
      return true; // touching edits have no order
  }
  return false;
}

static void take_fix(Fixer *f, const RlxFileDiag *d) {
  const RlxFix *fix = &d->diag->fixes[0];
  for (uint32_t i = 0; i < fix->edit_count; i++)
    if (overlaps(&f->edits, rlx_file_diag_edit(d, fix, i))) return; // next round
  for (uint32_t i = 0; i < fix->edit_count; i++) {
    RlxBuf text = {0};
    rlx_buf_puts(&text, fix->edits[i].text);
    rlx_vec_push(&f->edits, (Edit){rlx_file_diag_edit(d, fix, i), rlx_buf_steal(&text), f->fixes});
  }
  f->fixes++;
}

/// Counts what is wrong in `text`; with `collects`, gathers the fixes too.
static void look(Fixer *f, const RlxBuf *text, bool collects, uint32_t *findings,
                 uint32_t *syntax) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(f->settings);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(text), (uint32_t)text->size);
  RlxFileDiags diags = {0};
  RlxSyntaxProblems problems = {0};
  rlx_file_diags(file, &diags);
  rlx_document_problems(rlx_file_document(file), &problems);
  *findings = diags.count;
  *syntax = problems.count;
  for (uint32_t i = 0; collects && i < diags.count; i++)
    if (diags.at[i].diag->fix_count && diags.at[i].diag->fixes[0].edit_count &&
        (!f->wants || f->wants(&diags.at[i], f->data)))
      take_fix(f, &diags.at[i]);
  rlx_vec_free(&diags);
  rlx_vec_free(&problems);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

static int from_the_back(const void *a, const void *b) {
  const Edit *x = a, *y = b;
  return x->span.start < y->span.start ? 1 : x->span.start > y->span.start ? -1 : 0;
}

/// `text` with the edits of fix number `only` (UINT32_MAX: all).
static void apply(const Fixer *f, const RlxBuf *text, uint32_t only, RlxBuf *out) {
  rlx_buf_putn(out, rlx_buf_text(text), text->size);
  for (uint32_t i = 0; i < f->edits.count; i++) {
    const Edit *edit = &f->edits.at[i];
    if (only == UINT32_MAX || edit->fix == only)
      rlx_buf_splice(out, edit->span.start, edit->span.end, edit->text, strlen(edit->text));
  }
}

/// Takes over what applying `only` gives when that is better.
static bool improve(Fixer *f, RlxFixed *out, uint32_t only) {
  RlxBuf text = {0};
  uint32_t findings = 0, syntax = 0;
  apply(f, &out->text, only, &text);
  look(f, &text, false, &findings, &syntax);
  bool better = findings < f->findings && syntax <= f->syntax;
  if (better) {
    rlx_buf_free(&out->text);
    out->text = text;
    out->applied += only == UINT32_MAX ? f->fixes : 1;
  } else
    rlx_buf_free(&text);
  return better;
}

static bool one_round(Fixer *f, RlxFixed *out) {
  drop_edits(f);
  look(f, &out->text, true, &f->findings, &f->syntax);
  if (!f->fixes) return false;
  if (f->edits.count) qsort(f->edits.at, f->edits.count, sizeof *f->edits.at, from_the_back);
  if (improve(f, out, UINT32_MAX)) return true;
  for (uint32_t i = 0; f->fixes > 1 && i < f->fixes; i++)
    if (improve(f, out, i)) return true;
  return false;
}

void rlx_check_fix(const char *text, uint32_t size, const RlxSettings *settings,
                   bool (*wants)(const RlxFileDiag *d, void *data), void *data, RlxFixed *out) {
  Fixer f = {.settings = settings, .wants = wants, .data = data};
  rlx_buf_putn(&out->text, text, size);
  for (int round = 0; round < ROUNDS_MAX && one_round(&f, out); round++) {
  }
  drop_edits(&f);
  rlx_vec_free(&f.edits);
}
