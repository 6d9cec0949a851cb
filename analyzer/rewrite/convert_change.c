/// The list of changes that a conversion collects, and the text that they are about.
#include <stdlib.h>
#include <string.h>

#include "analyzer/rewrite/convert.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/document.h"
#include "analyzer/syntax/edit_places.h"
#include "analyzer/syntax/stmt_text.h"

static void add_edit(RlxConvert *c, const char *newline, RlxSpan place, const char *text) {
  RlxBuf lines = {0};
  rlx_put_lines(&lines, text, newline);
  RlxChangeEdit edit = {place, rlx_buf_steal(&lines)};
  rlx_vec_push(&c->edits, edit);
  rlx_vec_last(&c->changes).count++;
}

/// Writes `lines` in front of what the change has at `start`, which may be nothing.
static void put_above(RlxConvert *c, RlxChange *change, uint32_t start, const char *lines) {
  RlxBuf above = {0};
  rlx_put_comments_above(&above, c->text, start, lines);
  const char *newline = rlx_newline_at(c->text, start);
  for (uint32_t i = change->first; i < c->edits.count; i++) {
    RlxChangeEdit *edit = &c->edits.at[i];
    if (edit->span.start != start) continue;
    RlxBuf both = {0};
    rlx_put_lines(&both, rlx_buf_text(&above), newline);
    rlx_buf_puts(&both, edit->text);
    free(edit->text);
    edit->text = rlx_buf_steal(&both);
    rlx_buf_free(&above);
    return;
  }
  add_edit(c, newline, rlx_span(start, start), rlx_buf_text(&above));
  rlx_buf_free(&above);
}

void rlx_change_finish(RlxConvert *c) {
  RlxChange *change = c->changes.count ? &rlx_vec_last(&c->changes) : NULL;
  if (!change || change->is_finished || !change->count) return;
  change->is_finished = true;
  const char **written = rlx_arena_array(c->arena, const char *, change->count);
  bool is_removal = true;
  for (uint32_t i = 0; i < change->count; i++) {
    written[i] = c->edits.at[change->first + i].text;
    is_removal &= !*written[i];
  }
  RlxBuf lost = {0};
  for (uint32_t i = 0; i < change->count && !is_removal; i++)
    rlx_lost_comments(c->text, c->edits.at[change->first + i].span, written, change->count, &lost);
  const RlxStmt *stmt =
      lost.size ? rlx_document_stmt_at(c->file->document, c->edits.at[change->first].span.start)
                : NULL;
  if (stmt && rlx_has_own_line(c->text, stmt, rlx_line_start(c->text, stmt->start)))
    put_above(c, change, stmt->start, rlx_buf_text(&lost));
  rlx_buf_free(&lost);
}

RlxChange *rlx_change_begin(RlxConvert *c, RlxSpellingId id, RlxSpan span, const char *was,
                            const char *now) {
  rlx_change_finish(c);
  RlxChange change = {.id = id,
                      .stmt = c->stmt,
                      .span = rlx_stmt_absolute(c->stmt, span),
                      .was = was,
                      .now = now,
                      .first = c->edits.count};
  rlx_vec_push(&c->changes, change);
  return &rlx_vec_last(&c->changes);
}

void rlx_change_edit(RlxConvert *c, uint32_t start, uint32_t end, const char *text) {
  RlxSpan place = rlx_stmt_absolute(c->stmt, rlx_span(start, end));
  text = rlx_edit_placed(c->arena, c->text, c->size, c->stmt->start, &place, text);
  static const char *const roots[] = {"R.", "T.", "I."};
  for (int i = 0; i < 3; i++)
    for (const char *at = text; (at = strstr(at, roots[i])) != NULL; at++)
      if (at == text || strchr(" ([@,=\n", at[-1])) c->uses[i] = true;
  if (strcmp(text, "R") == 0) c->uses[0] = true;
  add_edit(c, rlx_newline_at(c->text, c->stmt->start), place, text);
}

const char *rlx_convert_text(RlxConvert *c, RlxSpan span) {
  return rlx_arena_strndup(c->arena, c->text + c->stmt->start + span.start, span.end - span.start);
}

const char *rlx_convert_indent(RlxConvert *c, const RlxStmt *stmt) {
  const uint32_t line = rlx_line_start(c->text, stmt->start);
  return rlx_has_own_line(c->text, stmt, line)
             ? rlx_arena_strndup(c->arena, c->text + line, stmt->start - line)
             : NULL;
}

void rlx_convert_clear(RlxConvert *c) {
  for (uint32_t i = 0; i < c->edits.count; i++) free(c->edits.at[i].text);
  rlx_vec_clear(&c->edits);
  rlx_vec_clear(&c->changes);
}

void rlx_convert_free(RlxConvert *c) {
  rlx_convert_clear(c);
  rlx_vec_free(&c->edits);
  rlx_vec_free(&c->changes);
  rlx_map_free(&c->name_uses);
  rlx_map_free(&c->read_names);
}
