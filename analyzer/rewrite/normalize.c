/// Normal form of a whole text: edits, applied and analysed anew until nothing is left to change.
#include "analyzer/rewrite/normalize.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/function/files.h"
#include "analyzer/rewrite/normalize_edits.h"
#include "analyzer/state/state.h"
#include "base/mem.h"

enum { ROUNDS_MOST = 64 };

// ---- edits

static int by_place(const void *a, const void *b) {
  const RlxEdit *x = a, *y = b;
  if (x->span.start != y->span.start) return x->span.start < y->span.start ? -1 : 1;
  return x->span.end < y->span.end ? -1 : x->span.end > y->span.end;
}

/// Deletions that overlap or touch become one; what leaves nothing but blanks of a line takes the
/// line.
static void join_deletions(const char *text, uint32_t size, RlxTextEdits *edits) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < edits->count; i++) {
    RlxEdit *e = &edits->at[i], *last = kept ? &edits->at[kept - 1] : NULL;
    if (last && !*e->text && !*last->text && e->span.start <= last->span.end) {
      if (e->span.end > last->span.end) last->span.end = e->span.end;
    } else
      edits->at[kept++] = *e;
  }
  edits->count = kept;
  for (uint32_t i = 0; i < kept; i++) {
    RlxSpan *span = &edits->at[i].span;
    uint32_t line = span->start, end = span->end;
    if (*edits->at[i].text || end == span->start) continue;
    while (line && (text[line - 1] == ' ' || text[line - 1] == '\t')) line--;
    bool whole = (!line || text[line - 1] == '\n' || text[line - 1] == '\r') &&
                 line < span->start && end < size && (text[end] == '\n' || text[end] == '\r');
    if (!whole) continue;
    if (text[end] == '\r') end++;
    if (end < size && text[end] == '\n') end++;
    *span = rlx_span(line, end);
  }
}

/// `text` with the edits; one that overlaps the one before it waits for the next round.
static void apply(const char *text, uint32_t size, RlxTextEdits *edits, RlxBuf *out) {
  uint32_t done = 0;
  if (edits->count) qsort(edits->at, edits->count, sizeof *edits->at, by_place);
  join_deletions(text, size, edits);
  for (uint32_t i = 0; i < edits->count; i++) {
    const RlxEdit *e = &edits->at[i];
    if (e->span.start < done || e->span.end > size) continue;
    rlx_buf_putn(out, text + done, e->span.start - done);
    rlx_buf_puts(out, e->text);
    done = e->span.end;
  }
  rlx_buf_putn(out, text + done, size - done);
}

/// One round. False: there was nothing to do.
static bool one_round(RlxFile *file, const RlxNormalize *how, const bool *wanted, RlxBuf *out) {
  RlxArena *arena = rlx_arena_new();
  RlxTextEdits edits = {0};
  RlxFunctionViews views = {0};
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  rlx_file_functions(file, &views);
  for (int half = 0; half < 2 && !edits.count; half++)
    for (uint32_t i = 0; i < views.count; i++) {
      if (views.at[i].kind != RLX_ISLAND_RELAX || (wanted && !wanted[i])) continue;
      if (half)
        rlx_inline_edits(file, views.at[i].stmt, how, arena, &edits);
      else {
        RlxTemporaryNames *names = rlx_temporary_names(file, views.at[i].stmt, how->t_anf);
        if (names) rlx_bind_edits(file, views.at[i].stmt->body, names, how->t_anf, arena, &edits);
        rlx_temporary_names_free(names);
      }
    }
  bool any = edits.count != 0;
  if (any) apply(text, size, &edits, out);
  any = any && (out->size != size || memcmp(rlx_buf_text(out), text, size) != 0);
  rlx_vec_free(&views);
  rlx_vec_free(&edits);
  rlx_arena_free(arena);
  return any;
}

static bool says(const RlxFn *fn, const RlxDiag *diag) {
  for (uint32_t i = 0; i < fn->end.diags.count; i++)
    if (fn->end.diags.at[i]->id == diag->id &&
        strcmp(fn->end.diags.at[i]->message, diag->message) == 0)
      return true;
  return false;
}

/// An inlined tuple lets all its fields out of its dataflow block: one round that keeps those in
/// that nobody reads behind it, one a function. What `before` let out for nothing stays. False:
/// there was nothing to do.
static bool trim_outputs(RlxFile *before, RlxFile *now, RlxBuf *out) {
  RlxTextEdits edits = {0};
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(now), &size);
  rlx_file_analyze(now, NULL);
  for (uint32_t i = 0; i < now->fns.count && i < before->fns.count;
       i++) { // normal forms keep the functions and their order
    const RlxFn *fn = now->fns.at[i];
    for (uint32_t k = 0; k < fn->end.diags.count; k++) {
      const RlxDiag *diag = fn->end.diags.at[k];
      if (diag->id != RLX_DIAG_ID(OUTPUT_UNUSED) || !diag->fix_count ||
          says(before->fns.at[i], diag))
        continue;
      const RlxFix *fix = &diag->fixes[0];
      rlx_vec_push(&edits, (RlxEdit){rlx_stmt_absolute(fix->stmt, fix->edits[0].span), ""});
      break;
    }
  }
  bool any = edits.count != 0;
  if (any) apply(text, size, &edits, out);
  rlx_vec_free(&edits);
  return any;
}

/// Whether `only` is the function, or the module that it is in.
static bool is_of(const RlxFunctionView *view, const RlxStmt *only) {
  return view->stmt == only || view->module_stmt == only;
}

/// The file in normal form: `file` itself or a copy of it, the caller's to close.
static RlxFile *normalized(RlxFile *file, const RlxNormalize *how) {
  RlxFunctionViews views = {0};
  RlxFile *now = file; // then copies of it
  rlx_file_functions(file, &views);
  bool *wanted = how->only ? rlx_mem_zeroed(views.count + 1, sizeof *wanted) : NULL;
  for (uint32_t i = 0; wanted && i < views.count; i++) wanted[i] = is_of(&views.at[i], how->only);
  for (int round = 0; round < ROUNDS_MOST; round++) {
    RlxBuf text = {0};
    bool any = one_round(now, how, wanted, &text) ||
               (how->t_anf && now != file && trim_outputs(file, now, &text));
    if (any) {
      RlxFile *next = rlx_file_open_like(file, &text);
      if (now != file) rlx_file_close(now);
      now = next;
    }
    rlx_buf_free(&text);
    if (!any) break;
  }
  rlx_vec_free(&views);
  free(wanted);
  return now;
}

bool rlx_file_normalize(RlxFile *file, const RlxNormalize *how, RlxBuf *out) {
  uint32_t size = 0;
  RlxFile *now = normalized(file, how);
  const char *text = rlx_document_text(rlx_file_document(now), &size);
  rlx_buf_putn(out, text, size);
  if (now == file) return false;
  rlx_file_close(now);
  return true;
}

void rlx_function_normalize(RlxFile *file, const RlxNormalize *how, RlxBuf *out) {
  RlxFunctionViews views = {0};
  uint32_t size = 0, at = 0;
  rlx_file_functions(file, &views);
  while (at < views.count && !is_of(&views.at[at], how->only)) at++;
  const bool is_module = at < views.count && views.at[at].stmt != how->only;
  RlxFile *now = normalized(file, how);
  rlx_vec_clear(&views);
  rlx_file_functions(now, &views);
  const char *text = rlx_document_text(rlx_file_document(now), &size);
  if (at < views.count) { // the number of functions and their order stay
    const RlxStmt *stmt = is_module ? views.at[at].module_stmt : views.at[at].stmt;
    uint32_t line = rlx_line_start(text, stmt->start), end = stmt->start + stmt->size;
    while (end < size && text[end] != '\n' && text[end] != '\r') end++; // a comment behind it
    rlx_buf_putn(out, text + line, end - line);
    rlx_buf_putc(out, '\n');
  }
  rlx_vec_free(&views);
  if (now != file) rlx_file_close(now);
}
