/// What every refactoring needs: offering its edits, lines of the text, names that are taken.
#include <string.h>

#include "analyzer/ask/dialect_at.h"
#include "analyzer/edit/refactor_impl.h"
#include "analyzer/function/files.h"
#include "analyzer/report/fix_names.h"
#include "analyzer/report/report.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/stmt_text.h"
#include "base/text.h"

void rlx_refactor_offer(RlxRefactor *r, RlxRefactorKind kind, const char *title,
                        const RlxEdit *edits, uint32_t count) {
  if (!rlx_refactor_wants(r, title)) return;
  RlxEdit *own = count ? rlx_arena_copy(r->arena, edits, count, sizeof *edits) : NULL;
  const RlxFn *fn = rlx_file_fn_at(r->file, r->range.start);
  for (uint32_t i = 0; i < count; i++) {
    RlxBuf lines = {0};
    const char *text = rlx_in_words_of(r->file, fn ? fn->stmt : NULL, r->arena, edits[i].text);
    if (!text) return;
    rlx_put_lines(&lines, text, rlx_newline_at(r->text, edits[i].span.start));
    own[i].text = rlx_arena_strdup(r->arena, rlx_buf_text(&lines));
    rlx_buf_free(&lines);
  }
  rlx_vec_push(r->out, (RlxRefactoring){(uint8_t)kind, title, own, count, NULL});
}

bool rlx_refactor_is_for_later(const RlxRefactor *r) {
  enum { BYTES_MOST = 64 * 1024 };
  return r->ask->is_lazy && !r->ask->only && r->size > BYTES_MOST;
}

bool rlx_refactor_is_clean(const RlxRefactor *r, const RlxEdit *edits, uint32_t count) {
  if (rlx_refactor_is_for_later(r)) return true;
  RlxBuf text = {0};
  uint32_t at = 0;
  for (uint32_t i = 0; i < count; i++) {
    rlx_buf_putn(&text, r->text + at, edits[i].span.start - at);
    rlx_buf_puts(&text, edits[i].text);
    at = edits[i].span.end;
  }
  rlx_buf_putn(&text, r->text + at, r->size - at);
  RlxFile *after = rlx_file_open_like(r->file, &text);
  bool is_clean = rlx_file_warning_count(after) <= rlx_file_warning_count(r->file);
  rlx_file_close(after);
  rlx_buf_free(&text);
  return is_clean;
}

void rlx_refactor_refuse(RlxRefactor *r, RlxRefactorKind kind, const char *title,
                         const char *reason) {
  if (r->ask->is_disabled && rlx_refactor_wants(r, title))
    rlx_vec_push(r->out, (RlxRefactoring){(uint8_t)kind, title, NULL, 0, reason});
}

bool rlx_refactor_wants(const RlxRefactor *r, const char *title) {
  return !r->ask->only || strcmp(r->ask->only, title) == 0;
}

bool rlx_refactor_own_lines(const RlxRefactor *r, const RlxStmt *stmt, RlxSpan *out) {
  return rlx_own_lines(r->text, r->size, stmt, out);
}

bool rlx_refactor_is_used(const RlxRefactor *r, const char *name) {
  size_t n = strlen(name);
  for (const char *at = r->text; (at = strstr(at, name)) != NULL; at++)
    if ((at == r->text || !rlx_text_in_name(at[-1])) && !rlx_text_in_name(at[n])) return true;
  return false;
}

RlxSInfoStyle rlx_refactor_style(const RlxRefactor *r) {
  return rlx_dialect_sinfo_style(rlx_file_dialect_at(r->file, r->range.start));
}
