/// Applying fixes until none is left that helps.
/// Always true: what was applied left fewer findings than before, none that is new (the same row
/// with the same message counts as the same), and no syntax error more.
///
/// Each round applies the first `limit` fixes that do not touch, and analyses the text again. Where
/// that did harm, half as many are tried. A mistake may hide others: a fix that does harm alone is
/// tried together with the fixes of what it uncovers, and else remembered and not tried again before
/// another one helped. What it uncovers may have the same message, at another place: of a call's
/// arguments the first that is wrong is reported.
#include "analyzer/edit/fix_all.h"
#include "analyzer/diag/line_words.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/function/files.h"
#include "analyzer/report/report.h"
#include "base/hash.h"
#include "base/map.h"

enum { ROUNDS_MAX = 1000, UNCOVER_MAX = 32 };

typedef struct Edit {
  RlxSpan span;
  char *text; // owned
} Edit;

/// What is wrong with a text: one hash for each finding that counts, in order.
typedef struct Look {
  Vec(uint64_t) findings;
  uint32_t syntax;
} Look;

/// Where a finding stands, in the text with the edits so far.
typedef struct Place {
  uint64_t hash; // of the finding
  uint32_t start;
} Place;

typedef struct Fixer {
  const RlxFixing *how;
  const char *text; // that is being visited
  Vec(Edit) edits;  // of the fixes of one round
  uint32_t fixes;   // in it
  uint32_t limit;   // at most so many fixes in one round
  bool is_going_on; // with what one fix uncovered
  uint64_t first;   // the first fix of the round
  Look before;
  Vec(Place) places;   // of the findings before, and of those that were uncovered since
  RlxMap refused;      // hash of a fix to how often it did harm
  RlxMap why;          // and to the place of the reason
  Vec(char *) reasons; // owned
} Fixer;

static void drop_edits(Fixer *f) {
  for (uint32_t i = 0; i < f->edits.count; i++) free(f->edits.at[i].text);
  rlx_vec_clear(&f->edits);
  f->fixes = 0;
}

static RlxFixWish wish_of(const Fixer *f, const RlxFileDiag *d) {
  return f->how->wish ? f->how->wish(d, f->text, f->how->data) : RLX_FIX_WANTED;
}

static uint64_t hash_of(const RlxFileDiag *d) {
  return rlx_hash_mix(d->diag->id, rlx_message_hash(d->diag->message));
}

static uint64_t hash_of_fix(const RlxFileDiag *d, const RlxFix *fix) {
  return rlx_hash_mix(hash_of(d), rlx_hash_bytes(fix->title, strlen(fix->title), 0));
}

/// The fix to apply: the first safe one, or the first of all. NULL: none.
static const RlxFix *fix_of(const Fixer *f, const RlxFileDiag *d) {
  const RlxFix *unsafe = NULL;
  for (uint32_t i = 0; i < d->diag->fix_count; i++) {
    const RlxFix *fix = &d->diag->fixes[i];
    if (!fix->edit_count) continue;
    if (fix->is_safe) return fix;
    if (!unsafe) unsafe = fix;
  }
  return f->how->takes_unsafe ? unsafe : NULL;
}

static bool overlaps(const Fixer *f, RlxSpan span) {
  for (uint32_t i = 0; i < f->edits.count; i++) {
    RlxSpan other = f->edits.at[i].span;
    if (span.start <= other.end && other.start <= span.end)
      return true; // touching edits have no order
  }
  return false;
}

static void take_fix(Fixer *f, const RlxFileDiag *d, const RlxFix *fix) {
  for (uint32_t i = 0; i < fix->edit_count; i++)
    if (overlaps(f, rlx_file_diag_edit(d, fix, i))) return; // next round
  if (!f->fixes) f->first = hash_of_fix(d, fix);
  for (uint32_t i = 0; i < fix->edit_count; i++) {
    RlxBuf text = {0};
    rlx_buf_puts(&text, fix->edits[i].text);
    rlx_vec_push(&f->edits, (Edit){rlx_file_diag_edit(d, fix, i), rlx_buf_steal(&text)});
  }
  f->fixes++;
}

static int in_order(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/// Calls `visit` with the findings of `text`.
static void visit_findings(Fixer *f, const RlxBuf *text,
                           void (*visit)(Fixer *f, RlxFile *file, const RlxFileDiags *diags,
                                         void *data),
                           void *data) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(f->how->settings);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(text), (uint32_t)text->size);
  if (f->how->reader) rlx_file_set_reader(file, f->how->reader);
  RlxFileDiags diags = {0};
  rlx_file_diags(file, &diags);
  f->text = rlx_buf_text(text);
  visit(f, file, &diags, data);
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

static void note(Fixer *f, RlxFile *file, const RlxFileDiags *diags, Look *look) {
  RlxSyntaxProblems problems = {0};
  rlx_document_problems(rlx_file_document(file), &problems);
  look->syntax = problems.count;
  rlx_vec_free(&problems);
  rlx_vec_clear(&look->findings);
  for (uint32_t i = 0; i < diags->count; i++)
    if (wish_of(f, &diags->at[i]) != RLX_FIX_IGNORED)
      rlx_vec_push(&look->findings, hash_of(&diags->at[i]));
  if (look->findings.count)
    qsort(look->findings.at, look->findings.count, sizeof *look->findings.at, in_order);
}

/// Takes the fixes of a round, but for those that did harm alone.
static void collect_fixes(Fixer *f, const RlxFileDiags *diags) {
  RlxMap seen = {0};
  for (uint32_t i = 0; i < diags->count && f->fixes < f->limit; i++) {
    const RlxFileDiag *d = &diags->at[i];
    const RlxFix *fix = fix_of(f, d);
    uint64_t refused = 0, before = 0;
    if (!fix || wish_of(f, d) != RLX_FIX_WANTED) continue;
    rlx_map_get(&f->refused, hash_of_fix(d, fix), &refused);
    rlx_map_get(&seen, hash_of_fix(d, fix), &before);
    rlx_map_put(&seen, hash_of_fix(d, fix), before + 1);
    if (before >= refused) take_fix(f, d, fix);
  }
  rlx_map_free(&seen);
}

/// Notes what is wrong before a round, and takes its fixes.
static void collect(Fixer *f, RlxFile *file, const RlxFileDiags *diags, void *data) {
  (void)data;
  note(f, file, diags, &f->before);
  rlx_vec_clear(&f->places);
  for (uint32_t i = 0; i < diags->count; i++)
    rlx_vec_push(&f->places, (Place){hash_of(&diags->at[i]), diags->at[i].span.start});
  collect_fixes(f, diags);
}

static uint64_t hash_of_place(Place place) { return rlx_hash_mix(place.hash, place.start); }

/// Takes the fixes of findings that were not there before the round, each once.
static void collect_new(Fixer *f, RlxFile *file, const RlxFileDiags *diags, void *data) {
  RlxMap known = {0};
  (void)data;
  (void)file;
  for (uint32_t i = 0; i < f->places.count; i++)
    rlx_map_put(&known, hash_of_place(f->places.at[i]), 1);
  for (uint32_t i = 0; i < diags->count; i++) {
    const RlxFileDiag *d = &diags->at[i];
    const Place place = {hash_of(d), d->span.start};
    uint64_t was_there;
    if (rlx_map_get(&known, hash_of_place(place), &was_there)) continue;
    const RlxFix *fix = fix_of(f, d);
    const uint32_t taken = f->fixes;
    if (fix && wish_of(f, d) == RLX_FIX_WANTED) take_fix(f, d, fix);
    if (f->fixes > taken) rlx_vec_push(&f->places, place);
  }
  rlx_map_free(&known);
}

/// The first of `after` that `before` does not have; 0: none. Both are in order.
static uint64_t new_one(const Look *before, const Look *after) {
  uint32_t i = 0;
  for (uint32_t k = 0; k < after->findings.count; k++) {
    while (i < before->findings.count && before->findings.at[i] < after->findings.at[k]) i++;
    if (i == before->findings.count || before->findings.at[i] != after->findings.at[k])
      return after->findings.at[k];
    i++;
  }
  return 0;
}

typedef struct Trial {
  Look after;
  bool is_better;
  RlxBuf reason; // why it is not
} Trial;

static void judge(Fixer *f, RlxFile *file, const RlxFileDiags *diags, void *data) {
  Trial *trial = data;
  note(f, file, diags, &trial->after);
  uint64_t added = new_one(&f->before, &trial->after);
  if (trial->after.syntax > f->before.syntax)
    rlx_buf_puts(&trial->reason, "the text would no longer parse");
  for (uint32_t i = 0; added && !trial->reason.size && i < diags->count; i++)
    if (hash_of(&diags->at[i]) == added)
      rlx_buf_printf(&trial->reason, "it would add %s, %s",
                     rlx_diag_row(diags->at[i].diag->id)->code, diags->at[i].diag->message);
  if (!trial->reason.size && trial->after.findings.count >= f->before.findings.count)
    rlx_buf_puts(&trial->reason, "the finding would stay");
  trial->is_better = !trial->reason.size;
  rlx_vec_free(&trial->after.findings);
}

static int from_the_back(const void *a, const void *b) {
  const Edit *x = a, *y = b;
  return x->span.start < y->span.start ? 1 : x->span.start > y->span.start ? -1 : 0;
}

/// Where the places are after the edits of the round.
static void move_places(Fixer *f) {
  for (uint32_t i = 0; i < f->places.count; i++) {
    Place *place = &f->places.at[i];
    const uint32_t start = place->start;
    for (uint32_t k = 0; k < f->edits.count; k++) {
      const Edit *edit = &f->edits.at[k];
      if (edit->span.end <= start)
        place->start += (uint32_t)strlen(edit->text) - (edit->span.end - edit->span.start);
    }
  }
}

/// Appends `text` with the edits of the round to `out`.
static void apply(Fixer *f, const RlxBuf *text, RlxBuf *out) {
  qsort(f->edits.at, f->edits.count, sizeof *f->edits.at, from_the_back);
  rlx_buf_putn(out, rlx_buf_text(text), text->size);
  for (uint32_t i = 0; i < f->edits.count; i++) {
    const Edit *edit = &f->edits.at[i];
    rlx_buf_splice(out, edit->span.start, edit->span.end, edit->text, strlen(edit->text));
  }
  if (f->fixes == 1 || f->is_going_on) move_places(f);
}

/// The fix of the round did harm alone.
static void refuse(Fixer *f, RlxBuf *reason) {
  uint64_t times = 0;
  rlx_map_get(&f->refused, f->first, &times);
  rlx_map_put(&f->refused, f->first, times + 1);
  if (times) return;
  rlx_map_put(&f->why, f->first, f->reasons.count);
  rlx_vec_push(&f->reasons, rlx_buf_steal(reason));
}

/// `text` has the one fix of the round: also fixes what it uncovered. Whether that helped; then
/// `*fixes` are applied.
static bool go_on(Fixer *f, RlxBuf *text, uint32_t *fixes) {
  const uint64_t first = f->first;
  bool is_better = false, goes_on = true;
  f->is_going_on = true;
  for (int i = 0; i < UNCOVER_MAX && goes_on && !is_better; i++) {
    RlxBuf next = {0};
    Trial trial = {0};
    drop_edits(f);
    visit_findings(f, text, collect_new, NULL);
    goes_on = f->fixes > 0;
    if (goes_on) {
      apply(f, text, &next);
      visit_findings(f, &next, judge, &trial);
      is_better = trial.is_better;
      *fixes += f->fixes;
      rlx_buf_free(text);
      *text = next;
    }
    rlx_buf_free(&trial.reason);
  }
  f->first = first;
  f->limit = 1;
  f->is_going_on = false;
  return is_better;
}

/// False: nothing is left to try.
static bool one_round(Fixer *f, RlxFixed *out) {
  Trial trial = {0};
  RlxBuf text = {0};
  drop_edits(f);
  visit_findings(f, &out->text, collect, NULL);
  uint32_t fixes = f->fixes;
  if (!fixes) return false;
  apply(f, &out->text, &text);
  visit_findings(f, &text, judge, &trial);
  if (trial.is_better || (fixes == 1 && go_on(f, &text, &fixes))) {
    rlx_buf_free(&out->text);
    out->text = text;
    out->applied += fixes;
    f->limit = f->limit > UINT32_MAX / 2 ? UINT32_MAX : f->limit * 2;
  } else {
    if (fixes == 1) refuse(f, &trial.reason);
    if (fixes > 1) f->limit = fixes / 2;
    rlx_buf_free(&text);
  }
  rlx_buf_free(&trial.reason);
  return true;
}

/// Forgets what did harm: the text is another one now.
static void forget(Fixer *f) {
  for (uint32_t i = 0; i < f->reasons.count; i++) free(f->reasons.at[i]);
  rlx_vec_clear(&f->reasons);
  rlx_map_clear(&f->why);
  rlx_map_clear(&f->refused);
}

/// Names the fixes that were taken back, where they stand now.
static void name_refused(Fixer *f, RlxFile *file, const RlxFileDiags *diags, void *data) {
  RlxFixed *out = data;
  const RlxLines *lines = rlx_document_lines(rlx_file_document(file));
  for (uint32_t i = 0; i < diags->count; i++) {
    const RlxFileDiag *d = &diags->at[i];
    const RlxFix *fix = fix_of(f, d);
    uint64_t reason;
    if (!fix || wish_of(f, d) != RLX_FIX_WANTED ||
        !rlx_map_get(&f->why, hash_of_fix(d, fix), &reason))
      continue;
    RlxLineColumn at = rlx_lines_locate(lines, d->span.start);
    rlx_buf_printf(&out->left_out, "%u:%u: %s: fix left out, %s: %s\n", at.line + 1, at.column + 1,
                   rlx_diag_row(d->diag->id)->code, fix->title, f->reasons.at[reason]);
    out->left_count++;
  }
}

void rlx_fix_all(const char *text, uint32_t size, const RlxFixing *how, RlxFixed *out) {
  Fixer f = {.how = how, .limit = UINT32_MAX};
  rlx_buf_putn(&out->text, text, size);
  uint32_t applied = 0, rounds = 0;
  do {
    forget(&f);
    applied = out->applied;
    f.limit = UINT32_MAX;
    while (rounds++ < ROUNDS_MAX && one_round(&f, out)) {
    }
  } while (f.reasons.count && out->applied > applied && rounds < ROUNDS_MAX);
  drop_edits(&f);
  if (f.reasons.count) visit_findings(&f, &out->text, name_refused, out);
  forget(&f);
  rlx_vec_free(&f.reasons);
  rlx_map_free(&f.why);
  rlx_map_free(&f.refused);
  rlx_vec_free(&f.before.findings);
  rlx_vec_free(&f.edits);
  rlx_vec_free(&f.places);
}

void rlx_fixed_free(RlxFixed *fixed) {
  rlx_buf_free(&fixed->text);
  rlx_buf_free(&fixed->left_out);
}
