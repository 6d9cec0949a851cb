/// All diagnostics of a file in source order, with suppressions (`# rlx: ignore[CODE]`, `# rlx: ignore-file[CODE]`) applied.
/// Always true: a suite without diagnostics is not visited.
#include <stdlib.h>
#include <string.h>

#include "analyzer/normalize_impl.h"
#include "analyzer/spell.h"

typedef struct Suppression {
  uint32_t line, start, end;
  const char *codes; // between the brackets; NULL: all
  uint32_t codes_size;
  bool whole_file, used;
} Suppression;
typedef Vec(Suppression) Suppressions;

static void push(RlxFileDiags *out, const RlxDiag *diag, const RlxStmt *stmt, RlxName function) {
  RlxFileDiag d = {.diag = diag, .stmt = stmt, .span = stmt ? rlx_stmt_absolute(stmt, diag->span) : diag->span, .function = function};
  rlx_vec_push(out, d);
}

static void of_fn(const RlxFn *fn, RlxFileDiags *out);

static void of_suite(const RlxSuite *suite, RlxName function, RlxFileDiags *out) {
  if (!suite || !suite->diag_count) return;
  for (uint32_t i = 0; i < suite->reported.count; i++) {
    const RlxAnalysis *unit = suite->reported.at[i];
    for (uint32_t k = 0; k < unit->diag_count; k++) push(out, unit->diags[k], unit->stmt, function);
    of_suite(unit->body, function, out);
    of_suite(unit->orelse, function, out);
    if (unit->fn) of_fn(unit->fn, out);
  }
}

static void of_fn(const RlxFn *fn, RlxFileDiags *out) {
  for (uint32_t i = 0; i < fn->header.diags.count; i++) push(out, fn->header.diags.at[i], fn->stmt, fn->stmt->name);
  if (fn->kind != RLX_ISLAND_RELAX || fn->stmt->has_error) return; // behind a broken signature nothing is sure
  of_suite(fn->body, fn->stmt->name, out);
  for (uint32_t i = 0; i < fn->end.diags.count; i++) push(out, fn->end.diags.at[i], fn->stmt, fn->stmt->name);
}

static void find_suppressions(const RlxFile *file, Suppressions *out) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  for (const char *at = text; (at = memmem(at, size - (size_t)(at - text), "rlx: ignore", 11)) != NULL; at += 11) {
    const char *hash = at;
    while (hash > text && hash[-1] == ' ') hash--;
    if (hash == text || hash[-1] != '#') continue;
    Suppression s = {.start = (uint32_t)(hash - 1 - text)};
    const char *next = at + 11;
    if (strncmp(next, "-file", 5) == 0) s.whole_file = true, next += 5;
    if (*next == '[') {
      const char *close = strchr(next, ']');
      if (!close) continue;
      s.codes = next + 1;
      s.codes_size = (uint32_t)(close - next - 1);
      next = close + 1;
    }
    s.end = (uint32_t)(next - text);
    s.line = rlx_lines_locate(rlx_document_lines(file->document), s.start).line;
    rlx_vec_push(out, s);
  }
}

static bool names(const Suppression *s, const RlxDiagRow *row) {
  if (!s->codes) return true;
  for (uint32_t i = 0; i < s->codes_size;) {
    while (i < s->codes_size && (s->codes[i] == ' ' || s->codes[i] == ',')) i++;
    uint32_t start = i;
    while (i < s->codes_size && s->codes[i] != ',' && s->codes[i] != ' ') i++;
    size_t length = i - start;
    if (length && ((strlen(row->code) == length && memcmp(row->code, s->codes + start, length) == 0) || (strlen(row->name) == length && memcmp(row->name, s->codes + start, length) == 0))) return true;
  }
  return false;
}

static void apply_suppressions(RlxFile *file, RlxFileDiags *diags, uint32_t from) {
  Suppressions found = {0};
  if (!file->suppression_count) return;
  find_suppressions(file, &found);
  if (found.count) {
    uint32_t kept = from;
    const RlxLines *lines = rlx_document_lines(file->document);
    for (uint32_t i = from; i < diags->count; i++) {
      const RlxFileDiag d = diags->at[i];
      uint32_t first = rlx_lines_locate(lines, d.span.start).line, last = rlx_lines_locate(lines, d.span.end).line;
      bool hidden = false;
      for (uint32_t k = 0; k < found.count; k++) {
        Suppression *s = &found.at[k];
        if ((s->whole_file || (s->line >= first && s->line <= last)) && names(s, rlx_diag_row(d.diag->id))) hidden = s->used = true;
      }
      if (!hidden) diags->at[kept++] = d;
    }
    diags->count = kept;
    for (uint32_t k = 0; k < found.count; k++) {
      if (found.at[k].used) continue;
      const char *what = found.at[k].codes ? rlx_arena_strndup(file->diag_arena, found.at[k].codes, found.at[k].codes_size) : "everything";
      RlxDiag *diag = rlx_reportf(&file->diag_sink, RLX_DIAG_SUPPRESSION_UNUSED, rlx_span(found.at[k].start, found.at[k].end), "s", what);
      push(diags, diag, NULL, 0);
    }
  }
  rlx_vec_free(&found);
}

RlxSpan rlx_file_diag_edit(const RlxFileDiag *d, const RlxFix *fix, uint32_t i) {
  const RlxStmt *stmt = fix->stmt ? fix->stmt : d->stmt;
  return stmt ? rlx_stmt_absolute(stmt, fix->edits[i].span) : fix->edits[i].span;
}

static int by_place(const void *a, const void *b) {
  const RlxFileDiag *x = a, *y = b;
  if (x->span.start != y->span.start) return x->span.start < y->span.start ? -1 : 1;
  if (x->span.end != y->span.end) return x->span.end < y->span.end ? -1 : 1;
  return (int)x->diag->id - (int)y->diag->id;
}

/// The function around an offset, for syntax errors.
static RlxName function_at(const RlxFile *file, uint32_t offset) {
  for (uint32_t i = 0; i < file->fns.count; i++) {
    const RlxStmt *stmt = file->fns.at[i]->stmt;
    if (offset >= stmt->start && offset <= stmt->start + stmt->size) return stmt->name;
  }
  return 0;
}

RlxSpan rlx_file_diag_related(const RlxFileDiag *d, uint32_t i) {
  const RlxRelated *related = &d->diag->related[i];
  const RlxVar *var = related->var;
  if (var && var->stmt) return rlx_stmt_absolute(var->stmt, var->span);
  const RlxStmt *stmt = related->stmt ? related->stmt : d->stmt;
  if (!stmt || var) return d->span;
  return rlx_stmt_absolute(stmt, related->span);
}

/// Whether a line between two places begins a new decorator, function or class.
static bool has_fresh_start(const char *text, uint32_t from, uint32_t to) {
  const char *line = memchr(text + from, '\n', to - from);
  for (; line && line < text + to; line = memchr(line, '\n', (size_t)(text + to - line))) {
    line++;
    const char *at = line;
    while (*at == ' ' || *at == '\t') at++;
    if (*at == '@' || strncmp(at, "def ", 4) == 0 || strncmp(at, "class ", 6) == 0) return true;
  }
  return false;
}

/// Whether a syntax problem comes from the one that was reported last (`first`) or seen last (`previous`): a bracket that is lost makes
/// the lines behind it wrong, a broken header leaves its body without a block.
static bool is_consequence(const RlxFile *file, const RlxSyntaxProblem *first, const RlxSyntaxProblem *previous, const RlxSyntaxProblem *problem) {
  static const char *const consequences[] = {"this line's indentation", "`return` belongs", "a decorator stands", "this `)` closes", "this `]` closes", "this `}` closes"};
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  if (problem->span.start < first->span.start || problem->span.start > size || has_fresh_start(text, first->span.start, problem->span.start)) return false;
  for (size_t i = 0; i < sizeof consequences / sizeof consequences[0]; i++)
    if (strncmp(problem->text, consequences[i], strlen(consequences[i])) == 0) return true;
  const RlxLines *lines = rlx_document_lines(file->document);
  return rlx_lines_locate(lines, problem->span.start).line <= rlx_lines_locate(lines, previous->span.end).line + 1;
}

static void of_syntax(RlxFile *file, RlxFileDiags *out) {
  RlxSyntaxProblems problems = {0};
  const RlxSyntaxProblem *first = NULL;
  rlx_document_problems(file->document, &problems);
  for (uint32_t i = 0; i < problems.count; i++) {
    const RlxSyntaxProblem *problem = &problems.at[i];
    if (first && is_consequence(file, first, problem - 1, problem)) continue;
    first = problem;
    push(out, rlx_reportf(&file->diag_sink, RLX_DIAG_SYNTAX, problem->span, "s", problem->text), NULL, function_at(file, problem->span.start));
  }
  rlx_vec_free(&problems);
}

void rlx_file_diags(RlxFile *file, RlxFileDiags *out) { rlx_file_diags_mended(file, rlx_span(0, UINT32_MAX), out); }

void rlx_file_diags_mended(RlxFile *file, RlxSpan window, RlxFileDiags *out) {
  rlx_file_analyze(file, NULL);
  uint32_t from = out->count;
  rlx_arena_free(file->diag_arena);
  file->diag_arena = rlx_arena_new_sized(256);
  file->diag_sink.arena = file->diag_arena;
  rlx_vec_clear(&file->diag_sink.diags);
  if (file->fns.count) of_syntax(file, out);
  for (uint32_t i = 0; i < file->fns.count; i++) of_fn(file->fns.at[i], out);
  rlx_normal_form_diags(file, out, from, window);
  rlx_file_dialect_diags(file, out);
  apply_suppressions(file, out, from);
  if (out->count - from > 1) qsort(out->at + from, out->count - from, sizeof *out->at, by_place);
}
