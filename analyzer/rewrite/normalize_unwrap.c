/// Normalization of dataflow blocks that have nothing left to give: t-anf inlines an output that is
/// another name for a value from before the block, or a tuple of such.
/// Always true: the bindings that stay stand where the block stood; those of its names that mean
/// something else outside get other ones.
#include <string.h>

#include "analyzer/ask/questions.h"
#include "analyzer/function/files.h"
#include "analyzer/rewrite/normalize_edits.h"
#include "analyzer/state/state.h"
#include "base/text.h"

/// Whether `word` occurs in the text of `def`, but for the part `without`.
static bool occurs(const char *text, const RlxStmt *def, const char *word, RlxSpan without) {
  size_t size = strlen(word);
  const char *end = text + def->start + def->size;
  for (const char *at = text + def->start; at < end; at++) {
    at = memmem(at, (size_t)(end - at), word, size);
    if (!at) return false;
    bool is_whole = (at == text || !rlx_text_in_name(at[-1])) &&
                    (at + size == end || !rlx_text_in_name(at[size]));
    uint32_t place = (uint32_t)(at - text);
    if (is_whole && (place < without.start || place >= without.end)) return true;
  }
  return false;
}

static const char *free_name(const char *text, const RlxStmt *def, const char *base,
                             RlxArena *arena) {
  for (uint32_t i = 1;; i++) {
    const char *name = rlx_arena_printf(arena, "%s_%u", base, i);
    if (!occurs(text, def, name, rlx_span(0, 0))) return name;
  }
}

/// Edits that give what `stmt` binds in its block another name where its name occurs outside.
static void rename_taken(RlxFile *file, const RlxStmt *def, const RlxStmt *stmt, RlxSpan block,
                         RlxArena *arena, RlxTextEdits *out) {
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  RlxBinding *const *all;
  uint32_t count = 0;
  rlx_file_stmt_bindings(file, stmt, &all, &count);
  for (uint32_t i = 0; i < count; i++) {
    const RlxVar *var = all[i]->var;
    const char *name = rlx_store_text(file->store, var->name);
    if (var->is_temporary || !var->is_dataflow || var->named_in != stmt ||
        var->span.end <= var->span.start || !occurs(text, def, name, block))
      continue;
    RlxSpans places = {0};
    const char *other = free_name(text, def, name, arena);
    rlx_file_references(file, rlx_stmt_absolute(stmt, var->span).start, &places);
    for (uint32_t k = 0; k < places.count; k++) rlx_vec_push(out, (RlxEdit){places.at[k], other});
    rlx_vec_free(&places);
  }
}

/// How many bytes deeper the block's statements stand; 0: they don't stand in lines of their own.
static uint32_t step_of(const char *text, const RlxStmt *with) {
  const RlxStmt *first = with->body->stmts[0];
  uint32_t outer = rlx_line_start(text, with->start), inner = rlx_line_start(text, first->start);
  uint32_t outer_size = with->start - outer, inner_size = first->start - inner;
  bool fits = rlx_has_own_line(text, with, outer) && rlx_has_own_line(text, first, inner) &&
              inner_size > outer_size && memcmp(text + inner, text + outer, outer_size) == 0;
  return fits ? inner_size - outer_size : 0;
}

bool rlx_unwrap_edits(RlxFile *file, const RlxStmt *def, const RlxStmt *with, RlxArena *arena,
                      RlxTextEdits *out) {
  uint32_t size = 0, step, end = with->start + with->size;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  RlxSpan whole = rlx_span(with->start, end);
  if (!with->body || !with->body->count || !(step = step_of(text, with)) ||
      rlx_has_long_string(text, whole))
    return false;
  uint32_t line = rlx_line_start(text, with->start), indent = with->start - line,
           body = with->start + with->head_size;
  rlx_vec_push(out, rlx_removal(text, with));
  for (uint32_t i = body; i < end; i++) {
    uint32_t at = i + 1, blanks = 0;
    if (text[i] != '\n' && !(text[i] == '\r' && text[at] != '\n')) continue;
    while (at + blanks < end && (text[at + blanks] == ' ' || text[at + blanks] == '\t')) blanks++;
    if (blanks >= indent + step)
      rlx_vec_push(out, (RlxEdit){rlx_span(at + indent, at + indent + step), ""});
  }
  for (uint32_t i = 0; i < with->body->count; i++) {
    const RlxStmt *stmt = with->body->stmts[i];
    if (rlx_is_output(file->store, stmt))
      rlx_vec_push(out, rlx_removal(text, stmt));
    else
      rename_taken(file, def, stmt, whole, arena, out);
  }
  return true;
}
