/// Findings as plain data, which outlive the analyzer that made them.
#include "cli/report.h"

#include <string.h>

void rlx_report_free(RlxReport *report) {
  rlx_arena_free(report->arena);
  *report = (RlxReport){0};
}

// ---- from the analyzer

static void take_fix(RlxArena *arena, const RlxFileDiag *d, const RlxFix *fix, RlxReportFix *out) {
  out->title = rlx_arena_strdup(arena, fix->title);
  out->edit_count = fix->edit_count;
  out->is_safe = fix->is_safe;
  out->edits = rlx_arena_array(arena, RlxReportEdit, fix->edit_count);
  for (uint32_t i = 0; i < fix->edit_count; i++)
    out->edits[i] =
        (RlxReportEdit){rlx_file_diag_edit(d, fix, i), rlx_arena_strdup(arena, fix->edits[i].text)};
}

static void take(RlxArena *arena, const RlxStore *store, const RlxFileDiag *d, RlxFinding *out) {
  const RlxDiag *diag = d->diag;
  *out = (RlxFinding){.id = diag->id,
                      .severity = diag->severity,
                      .span = d->span,
                      .message = rlx_arena_strdup(arena, diag->message)};
  if (d->function) out->function = rlx_arena_strdup(arena, rlx_store_text(store, d->function));
  out->related_count = diag->related_count;
  out->fix_count = diag->fix_count;
  out->related = rlx_arena_array(arena, RlxReportNote, diag->related_count);
  out->fixes = rlx_arena_array(arena, RlxReportFix, diag->fix_count);
  for (uint32_t i = 0; i < diag->related_count; i++)
    out->related[i] = (RlxReportNote){rlx_file_diag_related(d, i),
                                      rlx_arena_strdup(arena, diag->related[i].message)};
  for (uint32_t i = 0; i < diag->fix_count; i++)
    take_fix(arena, d, &diag->fixes[i], &out->fixes[i]);
}

void rlx_report_make(RlxFile *file, const RlxStore *store, RlxReport *out) {
  RlxFileDiags diags = {0};
  rlx_file_diags(file, &diags);
  if (diags.count) {
    out->arena = rlx_arena_new_sized(1024);
    out->at = rlx_arena_array(out->arena, RlxFinding, diags.count);
    out->count = diags.count;
  }
  for (uint32_t i = 0; i < diags.count; i++) take(out->arena, store, &diags.at[i], &out->at[i]);
  rlx_vec_free(&diags);
}

// ---- as bytes: numbers of four bytes, texts with their size before them

static void put_number(RlxBuf *out, uint32_t n) { rlx_buf_putn(out, (const char *)&n, sizeof n); }
static void put_text(RlxBuf *out, const char *text) {
  put_number(out, text ? (uint32_t)strlen(text) : UINT32_MAX);
  if (text) rlx_buf_putn(out, text, strlen(text));
}
static void put_span(RlxBuf *out, RlxSpan span) {
  put_number(out, span.start);
  put_number(out, span.end);
}

void rlx_report_write(const RlxReport *report, RlxBuf *out) {
  put_number(out, report->count);
  for (uint32_t i = 0; i < report->count; i++) {
    const RlxFinding *f = &report->at[i];
    put_number(out, (uint32_t)f->id);
    put_number(out, (uint32_t)f->severity);
    put_span(out, f->span);
    put_text(out, f->message);
    put_text(out, f->function);
    put_number(out, f->related_count);
    for (uint32_t k = 0; k < f->related_count; k++) {
      put_span(out, f->related[k].span);
      put_text(out, f->related[k].message);
    }
    put_number(out, f->fix_count);
    for (uint32_t k = 0; k < f->fix_count; k++) {
      put_text(out, f->fixes[k].title);
      put_number(out, f->fixes[k].is_safe);
      put_number(out, f->fixes[k].edit_count);
      for (uint32_t e = 0; e < f->fixes[k].edit_count; e++) {
        put_span(out, f->fixes[k].edits[e].span);
        put_text(out, f->fixes[k].edits[e].text);
      }
    }
  }
}

typedef struct Reader {
  const char *at, *end;
  uint32_t text_size; // spans lie inside
  RlxArena *arena;
  bool failed;
} Reader;

static uint32_t get_number(Reader *r) {
  uint32_t n = 0;
  if (r->end - r->at < (ptrdiff_t)sizeof n) {
    r->failed = true;
    return 0;
  }
  memcpy(&n, r->at, sizeof n);
  r->at += sizeof n;
  return n;
}

/// A number of things of at least `least` bytes each that follow.
static uint32_t get_count(Reader *r, size_t least) {
  uint32_t n = get_number(r);
  if (n > (size_t)(r->end - r->at) / least) r->failed = true;
  return r->failed ? 0 : n;
}

static const char *get_text(Reader *r, bool may_be_absent) {
  uint32_t size = get_number(r);
  if (size == UINT32_MAX && may_be_absent) return NULL;
  if (size > (size_t)(r->end - r->at)) r->failed = true;
  if (r->failed) return "";
  const char *text = rlx_arena_strndup(r->arena, r->at, size);
  r->at += size;
  return text;
}

static RlxSpan get_span(Reader *r) {
  uint32_t start = get_number(r), end = get_number(r);
  if (start > end || end > r->text_size) r->failed = true;
  return r->failed ? rlx_span(0, 0) : rlx_span(start, end);
}

static void get_finding(Reader *r, RlxFinding *f) {
  uint32_t id = get_number(r), severity = get_number(r);
  if (id >= (uint32_t)rlx_diag_count() || severity < RLX_ERROR || severity > RLX_HINT)
    r->failed = true;
  f->id = r->failed ? (RlxDiagId)0 : (RlxDiagId)id;
  f->severity = r->failed ? RLX_ERROR : (int)severity;
  f->span = get_span(r);
  f->message = get_text(r, false);
  f->function = get_text(r, true);
  f->related_count = get_count(r, 12);
  f->related = rlx_arena_array(r->arena, RlxReportNote, f->related_count);
  for (uint32_t k = 0; k < f->related_count; k++) {
    f->related[k].span = get_span(r);
    f->related[k].message = get_text(r, false);
  }
  f->fix_count = get_count(r, 12);
  f->fixes = rlx_arena_array(r->arena, RlxReportFix, f->fix_count);
  for (uint32_t k = 0; k < f->fix_count; k++) {
    RlxReportFix *fix = &f->fixes[k];
    fix->title = get_text(r, false);
    fix->is_safe = get_number(r) == 1;
    fix->edit_count = get_count(r, 12);
    fix->edits = rlx_arena_array(r->arena, RlxReportEdit, fix->edit_count);
    for (uint32_t e = 0; e < fix->edit_count; e++) {
      fix->edits[e].span = get_span(r);
      fix->edits[e].text = get_text(r, false);
    }
  }
}

bool rlx_report_read(const char *bytes, size_t size, uint32_t text_size, RlxReport *out) {
  Reader r = {bytes, bytes + size, text_size, NULL, false};
  uint32_t count = get_count(&r, 32);
  *out = (RlxReport){0};
  if (!r.failed && count) {
    r.arena = out->arena = rlx_arena_new_sized(1024);
    out->at = rlx_arena_array(r.arena, RlxFinding, count);
    out->count = count;
    for (uint32_t i = 0; i < count && !r.failed; i++) get_finding(&r, &out->at[i]);
  }
  if (r.at != r.end) r.failed = true;
  if (r.failed) rlx_report_free(out);
  return !r.failed;
}
