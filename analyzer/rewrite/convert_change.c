/// The list of changes that a conversion collects, and the text that they are about.
#include <stdlib.h>
#include <string.h>

#include "analyzer/rewrite/convert.h"
#include "analyzer/syntax/document.h"
#include "analyzer/syntax/edit_places.h"
#include "analyzer/syntax/stmt_text.h"

RlxChange *rlx_change_begin(RlxConvert *c, RlxSpellingId id, RlxSpan span, const char *was,
                            const char *now) {
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
  RlxBuf lines = {0};
  RlxSpan place = rlx_stmt_absolute(c->stmt, rlx_span(start, end));
  text = rlx_edit_placed(c->arena, c->text, c->size, c->stmt->start, &place, text);
  rlx_put_lines(&lines, text, rlx_newline_at(c->text, c->stmt->start));
  RlxChangeEdit edit = {place, rlx_buf_steal(&lines)};
  static const char *const roots[] = {"R.", "T.", "I."};
  for (int i = 0; i < 3; i++)
    for (const char *at = text; (at = strstr(at, roots[i])) != NULL; at++)
      if (at == text || strchr(" ([@,=\n", at[-1])) c->uses[i] = true;
  if (strcmp(text, "R") == 0) c->uses[0] = true;
  rlx_vec_push(&c->edits, edit);
  rlx_vec_last(&c->changes).count++;
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
}
