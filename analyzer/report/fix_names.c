/// Fixes in the words of the file, at their places among its lines, and with its ends of lines. Always true: a fix of a function that is decorated
/// by `@R.function` (`@T.prim_func`) keeps its words, and costs a look at the decorator.
#include "analyzer/report/fix_names.h"

#include <ctype.h>
#include <string.h>

#include "analyzer/rewrite/normalize_edits.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/edit_places.h"
#include "analyzer/syntax/stmt_text.h"

/// What stands before `.function` or `.prim_func` in the decorator of `def`, and the letter that
/// fixes have there. False: no decorator says it, and nothing is changed.
static bool prefix_of(const RlxFile *file, const RlxStmt *def, char *letter, const char **prefix,
                      size_t *size) {
  uint32_t text_size = 0;
  const char *text = rlx_document_text(file->document, &text_size);
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *decorator = def->decorators[i];
    const RlxAst *head = decorator->kind == RLX_AST_CALL ? decorator->children[0] : decorator;
    if (head->kind != RLX_AST_ATTRIBUTE && head->kind != RLX_AST_NAME) continue;
    const char *name = rlx_store_text(file->store, head->name);
    bool is_function = strcmp(name, "function") == 0;
    if (!is_function && strcmp(name, "prim_func") != 0) continue;
    uint32_t dotted = head->span.end - head->span.start, own = (uint32_t)strlen(name) + 1;
    *letter = is_function ? 'R' : 'T';
    *prefix = text + def->start + head->span.start;
    *size = head->kind == RLX_AST_ATTRIBUTE && dotted > own ? dotted - own : 0;
    return true;
  }
  return false;
}

/// The next `R.` in `text` that begins a name outside of strings; NULL: none.
static const char *next_use(const char *text, char letter, char *before, char *quote) {
  for (; *text; *before = *text++) {
    if (*quote ? *text == *quote : *text == '"' || *text == '\'')
      *quote = *quote ? 0 : *text;
    else if (!*quote && *text == letter && text[1] == '.' && !isalnum((unsigned char)*before) &&
             *before != '_' && *before != '.')
      return text;
  }
  return NULL;
}

static const char *translated(RlxArena *arena, const char *text, char letter, const char *prefix,
                              size_t size) {
  RlxBuf out = {0};
  char before = 0, quote = 0;
  for (const char *use; (use = next_use(text, letter, &before, &quote)) != NULL; text = use + 1) {
    rlx_buf_putn(&out, text, (size_t)(use - text));
    rlx_buf_putn(&out, prefix, size);
    before = letter;
  }
  rlx_buf_puts(&out, text);
  const char *kept = rlx_arena_strdup(arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return kept;
}

static bool uses(const RlxFix *fix, char letter) {
  for (uint32_t i = 0; i < fix->edit_count; i++) {
    char before = 0, quote = 0;
    if (next_use(fix->edits[i].text, letter, &before, &quote)) return true;
  }
  return false;
}

const char *rlx_in_words_of(const RlxFile *file, const RlxStmt *def, RlxArena *arena,
                            const char *text) {
  const char *prefix = NULL;
  size_t size = 0;
  char letter = 0, before = 0, quote = 0;
  if (!def || !prefix_of(file, def, &letter, &prefix, &size)) return text;
  if ((size == 1 && *prefix == letter) || !next_use(text, letter, &before, &quote)) return text;
  return size ? translated(arena, text, letter, prefix, size) : NULL;
}

/// A copy of `diag` whose list of fixes may be changed.
static RlxDiag *copy_of(RlxArena *arena, const RlxDiag *diag) {
  RlxDiag *copy = rlx_arena_copy(arena, diag, 1, sizeof *copy);
  copy->fixes = rlx_arena_copy(arena, diag->fixes, diag->fix_count, sizeof *diag->fixes);
  return copy;
}

/// A copy of `diag` with its fixes in the words of the file.
static const RlxDiag *reworded(RlxFile *file, const RlxDiag *diag, char letter, const char *prefix,
                               size_t size) {
  RlxArena *arena = file->diag_arena;
  RlxDiag *copy = copy_of(arena, diag);
  copy->fix_count = 0;
  for (uint32_t i = 0; i < diag->fix_count; i++) {
    RlxFix fix = diag->fixes[i];
    if (uses(&fix, letter)) {
      if (!size) continue;
      fix.edits = rlx_arena_copy(arena, fix.edits, fix.edit_count, sizeof *fix.edits);
      for (uint32_t k = 0; k < fix.edit_count; k++)
        fix.edits[k].text = translated(arena, fix.edits[k].text, letter, prefix, size);
      fix.title = translated(arena, fix.title, letter, prefix, size);
    }
    copy->fixes[copy->fix_count++] = fix;
  }
  return copy;
}

/// Fixes write "\n"; gives the lines of `fix` the ends that lines have where it changes the text.
static void end_lines(RlxFile *file, const RlxFileDiag *d, RlxFix *fix) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  RlxEdit *edits = rlx_arena_copy(file->diag_arena, fix->edits, fix->edit_count, sizeof *edits);
  for (uint32_t i = 0; i < fix->edit_count; i++) {
    if (!strchr(edits[i].text, '\n')) continue; // a line may be long, and have thousands of fixes
    RlxBuf lines = {0};
    rlx_put_lines(&lines, edits[i].text, rlx_newline_at(text, rlx_file_diag_edit(d, fix, i).start));
    edits[i].text = rlx_arena_strdup(file->diag_arena, rlx_buf_text(&lines));
    rlx_buf_free(&lines);
  }
  fix->edits = edits;
}

static bool has_lines(const RlxFix *fix) {
  for (uint32_t i = 0; i < fix->edit_count; i++)
    if (strchr(fix->edits[i].text, '\n')) return true;
  return false;
}

static void end_all_lines(RlxFile *file, RlxFileDiag *d) {
  RlxDiag *copy = NULL;
  for (uint32_t i = 0; i < d->diag->fix_count; i++) {
    if (!has_lines(&d->diag->fixes[i])) continue;
    if (!copy) d->diag = copy = copy_of(file->diag_arena, d->diag);
    end_lines(file, d, &copy->fixes[i]);
  }
}

/// Gives each edit its place among lines and comments.
static void place_edits(RlxFile *file, const RlxFileDiag *d, RlxFix *fix) {
  const RlxStmt *stmt = fix->stmt ? fix->stmt : d->stmt;
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  RlxEdit *edits = rlx_arena_copy(file->diag_arena, fix->edits, fix->edit_count, sizeof *edits);
  for (uint32_t i = 0; i < fix->edit_count; i++) {
    RlxSpan at = rlx_file_diag_edit(d, fix, i);
    edits[i].text = rlx_edit_placed(file->diag_arena, text, size, stmt->start, &at, edits[i].text);
    edits[i].span = rlx_span(at.start - stmt->start, at.end - stmt->start);
  }
  fix->edits = edits;
}

/// The comments in what `fix` replaces, a line each, but for those that it writes itself.
static void lost_comments(RlxFile *file, const RlxFileDiag *d, const RlxFix *fix, RlxBuf *out) {
  const char **written = rlx_arena_array(file->diag_arena, const char *, fix->edit_count);
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  for (uint32_t i = 0; i < fix->edit_count; i++) written[i] = fix->edits[i].text;
  for (uint32_t i = 0; i < fix->edit_count; i++)
    if (*written[i])
      rlx_lost_comments(text, rlx_file_diag_edit(d, fix, i), written, fix->edit_count, out);
}

/// Comments in what a fix replaces go above the statement.
static void keep_comments(RlxFile *file, const RlxFileDiag *d, RlxFix *fix) {
  const RlxStmt *base = fix->stmt ? fix->stmt : d->stmt;
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  RlxBuf lost = {0}, lines = {0};
  lost_comments(file, d, fix, &lost);
  const RlxStmt *stmt =
      lost.size ? rlx_document_stmt_at(file->document, rlx_file_diag_edit(d, fix, 0).start) : NULL;
  const uint32_t line = stmt ? rlx_line_start(text, stmt->start) : 0;
  if (stmt && stmt->start >= base->start && rlx_has_own_line(text, stmt, line)) {
    rlx_put_comments_above(&lines, text, stmt->start, rlx_buf_text(&lost));
    RlxEdit *edits = rlx_arena_array(file->diag_arena, RlxEdit, fix->edit_count + 1);
    const uint32_t place = stmt->start - base->start, count = fix->edit_count;
    uint32_t same = 0; // an edit at that place, which comes behind the comments
    memcpy(edits, fix->edits, count * sizeof *edits);
    while (same < count && edits[same].span.start != place) same++;
    if (same == count) edits[fix->edit_count++] = (RlxEdit){rlx_span(place, place), ""};
    edits[same].text =
        rlx_arena_printf(file->diag_arena, "%s%s", rlx_buf_text(&lines), edits[same].text);
    fix->edits = edits;
  }
  rlx_buf_free(&lost);
  rlx_buf_free(&lines);
}

/// Whether an edit may have to do with other lines than those that it was made for.
static bool meets_lines(const char *text, const RlxFileDiag *d, const RlxFix *fix) {
  for (uint32_t i = 0; i < fix->edit_count; i++) {
    const RlxSpan at = rlx_file_diag_edit(d, fix, i);
    if (at.start == at.end ? strncmp(fix->edits[i].text, ", ", 2) == 0
                           : memchr(text + at.start, '#', at.end - at.start) ||
                                 (!*fix->edits[i].text && text[at.start] == ','))
      return true;
  }
  return false;
}

static void place_all(RlxFile *file, RlxFileDiag *d) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  RlxDiag *copy = NULL;
  for (uint32_t i = 0; i < d->diag->fix_count; i++) {
    const RlxFix *fix = &d->diag->fixes[i];
    if ((!fix->stmt && !d->stmt) || !meets_lines(text, d, fix)) continue;
    if (!copy) d->diag = copy = copy_of(file->diag_arena, d->diag);
    place_edits(file, d, &copy->fixes[i]);
    keep_comments(file, d, &copy->fixes[i]);
  }
}

void rlx_fix_names(RlxFile *file, RlxFileDiags *diags, uint32_t from) {
  for (uint32_t i = from; i < diags->count; i++) {
    RlxFileDiag *d = &diags->at[i];
    const RlxStmt *def = d->stmt && d->diag->fix_count ? rlx_island_of(d->stmt) : NULL;
    const char *prefix = NULL;
    size_t size = 0;
    char letter = 0;
    if (!def || !prefix_of(file, def, &letter, &prefix, &size)) continue;
    if (size != 1 || *prefix != letter) d->diag = reworded(file, d->diag, letter, prefix, size);
  }
  for (uint32_t i = from; i < diags->count; i++) {
    place_all(file, &diags->at[i]);
    end_all_lines(file, &diags->at[i]);
  }
}
