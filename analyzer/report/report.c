/// All diagnostics of a file in source order, with suppressions (`# rlx: ignore[CODE]`, `# rlx:
/// ignore-file[CODE]`) applied. Always true: a suite without diagnostics is not visited.
#include <stdlib.h>
#include <string.h>

#include "analyzer/diag/line_words.h"
#include "analyzer/eval/outer.h"
#include "analyzer/function/files.h"
#include "analyzer/function/function.h"
#include "analyzer/report/captured.h"
#include "analyzer/report/cascade.h"
#include "analyzer/report/constants.h"
#include "analyzer/report/decorated.h"
#include "analyzer/report/fix_guess.h"
#include "analyzer/report/fix_names.h"
#include "analyzer/report/inplace.h"
#include "analyzer/report/laid_by.h"
#include "analyzer/report/module_body.h"
#include "analyzer/report/normal_form.h"
#include "analyzer/report/report.h"
#include "analyzer/report/te_names.h"
#include "analyzer/rewrite/migration.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/logical_lines.h"
#include "analyzer/syntax/stmt_text.h"
#include "analyzer/words/islands.h"
#include "analyzer/words/script_names.h"
#include "analyzer/words/spell.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"

typedef struct SuppressedCode {
  RlxSpan span;
  const char *text; ///< code or name; NULL: everything
  bool used;
} SuppressedCode;
typedef struct Suppression {
  uint32_t line, start, end; ///< of the comment
  uint32_t first, count;     ///< its codes
  bool whole_file;
} Suppression;
enum { UNDECIDED, SHOWN, HIDDEN };

typedef struct Suppressions {
  Vec(Suppression) list;
  Vec(SuppressedCode) codes;
  uint8_t in_file[RLX_DIAG_MAX];  ///< whether comments for the whole file hide a diagnostic
  uint32_t first, last;           ///< the lines that were looked at last
  uint8_t on_lines[RLX_DIAG_MAX]; ///< whether comments on these do
  uint64_t letters[RLX_DIAG_MAX]; ///< of each diagnostic's name, for what is misspelt
} Suppressions;

static void push(RlxFileDiags *out, const RlxDiag *diag, const RlxStmt *stmt, RlxName function) {
  if (diag->stmt) stmt = diag->stmt;
  RlxFileDiag d = {.diag = diag,
                   .stmt = stmt,
                   .span = stmt ? rlx_stmt_absolute(stmt, diag->span) : diag->span,
                   .function = function};
  rlx_vec_push(out, d);
}

/// A function that reads a name from outside of it.
typedef struct Reader {
  const RlxFn *fn;
  uint64_t next; ///< place + 1 of another one of the name; 0: none
} Reader;

/// The findings of a file as they are listed.
typedef struct Listing {
  RlxFileDiags *out;
  bool knows_readers;
  RlxMap readers; ///< name → place + 1 of the first of them in `all`
  Vec(Reader) all;
} Listing;

static void of_fn(const RlxFn *fn, Listing *l);

/// A function without a decorator, outside of modules, is Python's since 0.8: nothing reads it. Where the file does not
/// parse, its decorator or its module may be what is broken.
static bool is_plain(const RlxFn *fn) {
  return !fn->file->broken_places && !fn->module && !fn->outer && !fn->stmt->decorator_count &&
         rlx_script_names_cover((RlxDialect)fn->dialect);
}

static bool reads_name(const RlxSuite *suite, RlxName name) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    for (uint32_t k = 0; k < unit->outer_read_count; k++)
      if (unit->outer_reads[k] == name) return true;
    if (reads_name(unit->body, name) || reads_name(unit->orelse, name)) return true;
  }
  return false;
}

static void note_readers(Listing *l, const RlxFile *file) {
  l->knows_readers = true;
  for (uint32_t i = 0; i < file->modules.count; i++)
    for (uint32_t f = 0; f < file->modules.at[i]->fns.count; f++) {
      const RlxFn *fn = file->modules.at[i]->fns.at[f];
      for (uint32_t k = 0; k < fn->outer_reads.count; k++) {
        uint64_t next = 0;
        rlx_map_get(&l->readers, fn->outer_reads.at[k], &next);
        if (next && l->all.at[next - 1].fn == fn) continue;
        rlx_vec_push(&l->all, (Reader){fn, next});
        rlx_map_put(&l->readers, fn->outer_reads.at[k], l->all.count);
      }
    }
}

/// Whether another function of the module names `fn`: known when all are analysed. What a function
/// once read stays in its outer_reads, so its statements are asked.
static bool is_called(Listing *l, const RlxFn *fn) {
  if (!fn->module) return false;
  if (!l->knows_readers) note_readers(l, fn->file);
  uint64_t at = 0;
  for (rlx_map_get(&l->readers, fn->stmt->name, &at); at; at = l->all.at[at - 1].next) {
    const RlxFn *other = l->all.at[at - 1].fn;
    if (other != fn && other->module == fn->module && reads_name(other->body, fn->stmt->name))
      return true;
  }
  return false;
}

/// With the fix that removes the lines of an `R.output` outside of dataflow blocks: what else stands
/// on them is no part of the statement.
static const RlxDiag *with_removal(const RlxAnalysis *unit, const RlxDiag *diag) {
  RlxFile *file = unit->owner->file;
  const RlxStmt *stmt = unit->stmt;
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  RlxSpan lines;
  if (!stmt->block || stmt->block->count < 2 || !rlx_own_lines(text, size, stmt, &lines))
    return diag;
  RlxDiag *mended = rlx_arena_one(file->diag_arena, RlxDiag);
  *mended = *diag;
  // Edits stand relative to the statement; those before it wrap around, as unsigned numbers do.
  rlx_diag_fix(&file->diag_sink, mended, "remove it",
               rlx_span(lines.start - stmt->start, lines.end - stmt->start), "");
  return mended;
}

/// With fixes that depend on more than the statement. A function that others call is not declared
/// impure by a fix: they would have to be, too.
static const RlxDiag *with_fixes(Listing *l, const RlxAnalysis *unit, const RlxDiag *diag) {
  const RlxFn *fn = unit->owner;
  if (diag->id == RLX_DIAG_ID(OUTPUT_PLACE))
    return rlx_is_output(fn->file->store, unit->stmt) ? with_removal(unit, diag) : diag;
  if (diag->id != RLX_DIAG_ID(IMPURE_CALL) || !diag->fix_count || !is_called(l, fn)) return diag;
  RlxDiag *bare = rlx_arena_one(fn->file->diag_arena, RlxDiag);
  *bare = *diag;
  bare->fix_count = 0;
  return bare;
}

static void of_suite(const RlxSuite *suite, RlxName function, Listing *l) {
  if (!suite || !suite->diag_count) return;
  for (uint32_t i = 0; i < suite->reported.count; i++) {
    const RlxAnalysis *unit = suite->reported.at[i];
    for (uint32_t k = 0; k < unit->diag_count; k++)
      push(l->out, with_fixes(l, unit, unit->diags[k]), unit->stmt, function);
    of_suite(unit->body, function, l);
    of_suite(unit->orelse, function, l);
    if (unit->fn) of_fn(unit->fn, l);
  }
}

/// With the lines that the message names, as they are now.
static const RlxDiag *with_lines(const RlxFn *fn, const RlxDiag *diag) {
  RlxFile *file = fn->file;
  const char *message = rlx_line_marks_fill(file->diag_arena, diag->message,
                                            rlx_document_lines(file->document), fn->stmt->start);
  if (message == diag->message) return diag;
  RlxDiag *now = rlx_arena_one(file->diag_arena, RlxDiag);
  *now = *diag;
  now->message = message;
  return now;
}

static void of_fn(const RlxFn *fn, Listing *l) {
  for (uint32_t i = 0; i < fn->header.diags.count; i++)
    push(l->out, fn->header.diags.at[i], fn->stmt, fn->stmt->name);
  if ((fn->kind != RLX_ISLAND_RELAX && fn->kind != RLX_ISLAND_PRIM_FUNC) || fn->stmt->has_error)
    return; // behind a broken signature nothing is sure
  of_suite(fn->body, fn->stmt->name, l);
  for (uint32_t i = 0; i < fn->end.diags.count; i++)
    push(l->out, with_lines(fn, fn->end.diags.at[i]), fn->stmt, fn->stmt->name);
}

/// How far a line was read, and the quote of the string that is open there.
typedef struct Reading {
  const char *at;
  char quote;
} Reading;

/// Whether the `#` at `hash` begins a comment: no string of its line is open there. Goes on where
/// it stopped on the same line.
static bool is_comment(Reading *reading, const char *text, const char *hash) {
  const char *line = hash;
  while (line > text && line != reading->at && line[-1] != '\n') line--;
  if (line != reading->at) *reading = (Reading){.at = line};
  for (; reading->at < hash; reading->at++) {
    const char c = *reading->at;
    if (c == '\\')
      reading->at++;
    else if (reading->quote ? c == reading->quote : c == '"' || c == '\'')
      reading->quote = reading->quote ? 0 : c;
  }
  return !reading->quote;
}

static void read_codes(RlxFile *file, Suppressions *all, const char *text, uint32_t from,
                       uint32_t to) {
  for (uint32_t i = from; i < to;) {
    while (i < to && strchr(" ,\t", text[i])) i++;
    uint32_t start = i;
    while (i < to && !strchr(" ,\t", text[i])) i++;
    if (i > start)
      rlx_vec_push(&all->codes,
                   (SuppressedCode){rlx_span(start, i),
                                    rlx_arena_strndup(file->diag_arena, text + start, i - start),
                                    false});
  }
}

static void find_suppressions(RlxFile *file, Suppressions *all) {
  uint32_t size = 0;
  Reading reading = {0};
  const char *text = rlx_document_text(file->document, &size);
  for (const char *at = text;
       (at = memmem(at, size - (size_t)(at - text), "rlx: ignore", 11)) != NULL; at += 11) {
    const char *hash = at;
    while (hash > text && hash[-1] == ' ') hash--;
    if (hash == text) continue;
    bool begins = hash - 1 == text || (hash > text + 1 && strchr(" \t\n", hash[-2]) != NULL);
    if (hash[-1] != '#' || !begins || !is_comment(&reading, text, hash - 1)) continue;
    Suppression s = {.start = (uint32_t)(hash - 1 - text), .first = all->codes.count};
    const char *next = at + 11;
    if (strncmp(next, "-file", 5) == 0) s.whole_file = true, next += 5;
    if (*next == '[') {
      size_t length = strcspn(next, "]\n");
      read_codes(file, all, text, (uint32_t)(next + 1 - text), (uint32_t)(next + length - text));
      next += length + (next[length] == ']');
    } else if (*next && !strchr(" \t\r\n,.;:#", *next))
      continue; // another word
    else
      rlx_vec_push(
          &all->codes,
          (SuppressedCode){rlx_span((uint32_t)(at - text), (uint32_t)(next - text)), NULL, false});
    s.end = (uint32_t)(next - text);
    s.count = all->codes.count - s.first;
    s.line = rlx_lines_locate(rlx_document_lines(file->document), s.start).line;
    rlx_vec_push(&all->list, s);
  }
}

void rlx_file_suppressed_codes(RlxFile *file, RlxSpans *out) {
  Suppressions all = {0};
  if (file->suppression_count) find_suppressions(file, &all);
  for (uint32_t i = 0; i < all.codes.count; i++)
    if (all.codes.at[i].text) rlx_vec_push(out, all.codes.at[i].span);
  rlx_vec_free(&all.codes);
  rlx_vec_free(&all.list);
}

static bool hides(Suppressions *all, const Suppression *s, const RlxDiagRow *row) {
  bool hidden = false;
  for (uint32_t i = s->first; i < s->first + s->count; i++) {
    SuppressedCode *code = &all->codes.at[i];
    if (!code->text || strcmp(code->text, row->code) == 0 || strcmp(code->text, row->name) == 0)
      code->used = hidden = true;
  }
  return hidden;
}

/// Whether comments on the lines from `first` to `last` hide a diagnostic; they stand in order.
static bool hidden_on_lines(Suppressions *all, uint32_t first, uint32_t last,
                            const RlxDiagRow *row) {
  uint32_t low = 0, high = all->list.count;
  bool hidden = false;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (all->list.at[middle].line < first)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < all->list.count && all->list.at[low].line <= last; low++)
    hidden |= hides(all, &all->list.at[low], row);
  return hidden;
}

static bool hidden_in_file(Suppressions *all, const RlxDiagRow *row) {
  bool hidden = false;
  for (uint32_t k = 0; k < all->list.count; k++)
    if (all->list.at[k].whole_file) hidden |= hides(all, &all->list.at[k], row);
  return hidden;
}

/// Whether comments hide a diagnostic from line `first` to `last`. A line may have thousands of
/// diagnostics and of codes: each row is asked about once for it.
static bool is_hidden(Suppressions *all, uint32_t first, uint32_t last, RlxDiagId id) {
  const RlxDiagRow *row = rlx_diag_row(id);
  if (first != all->first || last != all->last) memset(all->on_lines, 0, sizeof all->on_lines);
  all->first = first;
  all->last = last;
  if (!all->in_file[id]) all->in_file[id] = hidden_in_file(all, row) ? HIDDEN : SHOWN;
  if (!all->on_lines[id])
    all->on_lines[id] = hidden_on_lines(all, first, last, row) ? HIDDEN : SHOWN;
  return all->in_file[id] == HIDDEN || all->on_lines[id] == HIDDEN;
}

/// What to cut so that code `i` goes: the whole comment, with the blanks before it, when it is the
/// only one.
static RlxSpan cut_of(RlxFile *file, const Suppressions *all, const Suppression *s, uint32_t i) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  if (s->count > 1 && i > s->first)
    return rlx_span(all->codes.at[i - 1].span.end, all->codes.at[i].span.end);
  if (s->count > 1) return rlx_span(all->codes.at[i].span.start, all->codes.at[i + 1].span.start);
  uint32_t start = s->start, end = s->end;
  while (end < size && text[end] != '\n' && text[end] != '\r' && text[end] != '#') end++;
  if (end < size && text[end] == '#') end = s->end; // another comment behind it
  while (start && (text[start - 1] == ' ' || text[start - 1] == '\t')) start--;
  return rlx_span(start, end);
}

static void report_code(RlxFile *file, RlxFileDiags *out, const Suppressions *all,
                        const Suppression *s, uint32_t i) {
  const SuppressedCode *code = &all->codes.at[i];
  RlxSink *sink = &file->diag_sink;
  RlxSpan span = s->count > 1 ? code->span : rlx_span(s->start, s->end);
  if (code->text && !rlx_diag_find(code->text)) {
    RlxNearest nearest = rlx_nearest_start(code->text);
    for (int k = 0; k < rlx_diag_count(); k++)
      if (rlx_nearest_may_be(&nearest, all->letters[k]))
        rlx_nearest_try(&nearest, rlx_diag_row((RlxDiagId)k)->name);
    RlxDiag *diag = rlx_reportf(
        sink, RLX_DIAG_ID(SUPPRESSION_UNKNOWN), code->span, "ss", code->text,
        nearest.best ? rlx_arena_printf(sink->arena, "; did you mean `%s`?", nearest.best) : "");
    if (nearest.best)
      rlx_diag_fix(sink, diag, rlx_arena_printf(sink->arena, "change to `%s`", nearest.best),
                   code->span, nearest.best);
    if (nearest.best && nearest.is_tied) rlx_diag_fix_is_guess(diag);
    if (!nearest.best) rlx_diag_fix(sink, diag, "remove it", cut_of(file, all, s, i), "");
    push(out, diag, NULL, 0);
  } else if (!code->used) {
    RlxDiag *diag =
        rlx_reportf(sink, RLX_DIAG_ID(SUPPRESSION_UNUSED), span, "s",
                    code->text ? rlx_arena_printf(sink->arena, "`%s`", code->text) : "everything");
    rlx_diag_fix(sink, diag, "remove it", cut_of(file, all, s, i), "");
    push(out, diag, NULL, 0);
  }
}

/// What stands in `diags` from `shown` on goes in any case; it still makes use of suppressions.
static void apply_suppressions(RlxFile *file, RlxFileDiags *diags, uint32_t from, uint32_t shown) {
  Suppressions all = {0};
  if (!file->suppression_count) diags->count = shown;
  if (!file->suppression_count) return;
  find_suppressions(file, &all);
  if (!all.list.count) diags->count = shown;
  if (all.list.count) {
    uint32_t kept = from;
    const RlxLines *lines = rlx_document_lines(file->document);
    for (uint32_t i = from; i < diags->count; i++) {
      const RlxFileDiag d = diags->at[i];
      uint32_t first = rlx_lines_locate(lines, d.span.start).line,
               last = rlx_lines_locate(lines, d.span.end).line;
      bool hidden = is_hidden(&all, first, last, (RlxDiagId)d.diag->id);
      if (!hidden && i < shown) diags->at[kept++] = d;
    }
    diags->count = kept;
    for (int k = 0; k < rlx_diag_count(); k++)
      all.letters[k] = rlx_nearest_letters(rlx_diag_row((RlxDiagId)k)->name);
    for (uint32_t k = 0; k < all.list.count; k++)
      for (uint32_t i = 0; i < all.list.at[k].count; i++)
        report_code(file, diags, &all, &all.list.at[k], all.list.at[k].first + i);
  }
  rlx_vec_free(&all.list);
  rlx_vec_free(&all.codes);
}

static int by_place(const void *a, const void *b) {
  const RlxFileDiag *x = a, *y = b;
  if (x->span.start != y->span.start) return x->span.start < y->span.start ? -1 : 1;
  if (x->span.end != y->span.end) return x->span.end < y->span.end ? -1 : 1;
  return (int)x->diag->id - (int)y->diag->id;
}

/// The function around an offset, for syntax errors.
static RlxName function_at(const RlxFile *file, uint32_t offset) {
  const RlxFn *fn = rlx_file_fn_at(file, offset);
  return fn ? fn->stmt->name : 0;
}

/// Whether `[at, end)` of the text is a word that makes an island behind one of the namespaces in `roots`.
static bool is_island_word(const char *text, uint32_t at, uint32_t end, const char *roots) {
  char word[32];
  if (end - at >= sizeof word) return false;
  memcpy(word, text + at, end - at);
  word[end - at] = '\0';
  while (*roots && !rlx_island_word(*roots, word)) roots++;
  return *roots;
}

static uint32_t name_end(const char *text, uint32_t at, uint32_t end) {
  while (at < end && rlx_text_in_name(text[at])) at++;
  return at;
}

/// Whether one of the line's names is such a word.
static bool names_island(const char *text, const RlxLogicalLine *line) {
  for (uint32_t at = line->start, end; at < line->end; at = end + 1) {
    end = name_end(text, at, line->end);
    if (end > at && is_island_word(text, at, end, "RTI")) return true;
  }
  return false;
}

/// `import tvm…`, `from tvm… import …`.
static bool imports_tvm(const char *text, const RlxLogicalLine *line) {
  static const char *const starts[] = {"import tvm", "from tvm"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    const uint32_t size = (uint32_t)strlen(starts[i]);
    if (line->end - line->start >= size && memcmp(text + line->start, starts[i], size) == 0 &&
        name_end(text, line->start + size, line->end) == line->start + size)
      return true;
  }
  return false;
}

/// Whether a line is a decorator of TVM's functions or modules: `@T.prim_func`, or, where TVM is imported above, what does not parse and
/// has the last word of one: `@T,prim_func`. The def or the class below it may be lost.
static bool has_decorator(const RlxFile *file, const RlxSyntaxProblems *problems) {
  uint32_t size = 0, next = 0;
  bool is_imported = false;
  const char *text = rlx_document_text(file->document, &size);
  RlxLogicalLine line;
  for (uint32_t at = 0; rlx_logical_line_next(text, size, at, &line); at = line.next) {
    const uint32_t name = line.start + 3;
    if (line.kind == RLX_LINE_SIMPLE && !is_imported) is_imported = imports_tvm(text, &line);
    if (line.kind != RLX_LINE_DECORATOR || line.end < name) continue;
    const char root[2] = {text[line.start + 1], '\0'};
    if (text[line.start + 2] == '.' &&
        is_island_word(text, name, name_end(text, name, line.end), root))
      return true;
    while (next < problems->count && problems->at[next].span.start < line.start) next++;
    if (is_imported && next < problems->count && problems->at[next].span.start <= line.end &&
        names_island(text, &line))
      return true;
  }
  return false;
}

static void of_syntax(RlxFile *file, RlxFileDiags *out) {
  RlxSyntaxProblems problems = {0};
  rlx_document_problems(file->document, &problems);
  rlx_cascade_syntax(file, &problems);
  const bool is_script = file->fns.count || (problems.count && has_decorator(file, &problems));
  for (uint32_t i = 0; i < problems.count && is_script; i++) {
    const RlxSyntaxProblem *problem = &problems.at[i];
    RlxDiag *diag =
        rlx_reportf(&file->diag_sink, RLX_DIAG_ID(SYNTAX), problem->span, "s", problem->text);
    diag->problem = rlx_arena_copy(file->diag_arena, problem, 1, sizeof *problem);
    push(out, diag, NULL, function_at(file, problem->span.start));
  }
  rlx_vec_free(&problems);
}

/// Spellings of other dialects, but for statements that do not parse: half a spelling looks like
/// one.
static void of_dialect(RlxFile *file, RlxFileDiags *out) {
  const RlxLines *lines = rlx_document_lines(file->document);
  RlxSyntaxProblems problems = {0};
  uint32_t from = out->count, kept = from;
  rlx_file_dialect_diags(file, out);
  if (out->count == from) return;
  rlx_document_problems(file->document, &problems);
  // How many problems begin or have ended on each line, summed up to it: how many it is part of.
  const uint32_t count = problems.count ? rlx_lines_count(lines) : 0;
  int32_t *broken = count ? rlx_mem_zeroed((size_t)count + 1, sizeof *broken) : NULL;
  for (uint32_t k = 0; k < problems.count; k++) {
    uint32_t first = rlx_lines_locate(lines, problems.at[k].span.start).line,
             last = rlx_lines_locate(lines, problems.at[k].span.end).line;
    if (first > last) continue;
    broken[first]++;
    broken[last + 1]--;
  }
  for (uint32_t i = 1; i < count; i++) broken[i] += broken[i - 1];
  for (uint32_t i = from; i < out->count; i++) {
    uint32_t line = rlx_lines_locate(lines, out->at[i].span.start).line;
    bool is_broken = (out->at[i].stmt && out->at[i].stmt->has_error) || (broken && broken[line]);
    const RlxFn *fn = rlx_file_fn_at(file, out->at[i].span.start);
    if (!is_broken && !(fn && is_plain(fn))) out->at[kept++] = out->at[i];
  }
  out->count = kept;
  free(broken);
  rlx_vec_free(&problems);
}

// ---- rule 4: symbolic variables of two functions

/// Where the signature of `fn` has the name.
static const RlxAst *in_header(const RlxFn *fn, RlxName name) {
  const RlxAst *found = NULL;
  for (uint32_t i = 0; i < fn->stmt->param_count && !found; i++)
    if (fn->stmt->params[i].annotation)
      found = rlx_ast_find_name(fn->stmt->params[i].annotation, name);
  return found;
}

/// Whether a statement's text has the name at one place only.
static bool occurs_once(const RlxFile *file, const RlxStmt *stmt, RlxName name) {
  uint32_t size = 0, count = 0;
  const char *text = rlx_document_text(file->document, &size),
             *word = rlx_store_text(file->store, name), *end = text + stmt->start + stmt->size;
  size_t n = strlen(word);
  for (const char *at = text + stmt->start; (at = memmem(at, (size_t)(end - at), word, n)) != NULL;
       at++)
    count += (at == text || !rlx_text_in_name(at[-1])) && !rlx_text_in_name(at[n]);
  return count == 1;
}

/// `n = tir.Var("n", "int64")` around a module is one variable, unlike a TypeVar or a string: two
/// functions of the module share it.
static void of_shared(RlxFile *file, RlxFileDiags *out) {
  for (uint32_t b = 0; b < file->outer.count; b++) {
    const RlxOuterBinding *binding = &file->outer.at[b];
    const RlxAst *call =
        binding->stmt && binding->stmt->kind == RLX_STMT_ASSIGN ? binding->stmt->value : NULL;
    if (!call || call->kind != RLX_AST_CALL || call->children[0]->kind != RLX_AST_ATTRIBUTE ||
        strcmp(rlx_store_text(file->store, call->children[0]->name), "Var") != 0)
      continue;
    for (uint32_t m = 0; m < file->modules.count; m++) {
      const RlxModule *module = file->modules.at[m];
      const RlxFn *first = NULL;
      for (uint32_t i = 0; i < module->fns.count && module->check_well_formed; i++) {
        const RlxFn *fn = module->fns.at[i];
        RlxValue value;
        const RlxAst *at = fn->kind == RLX_ISLAND_RELAX && !fn->stmt->has_error
                               ? in_header(fn, binding->name)
                               : NULL;
        if (!at || !rlx_outer_lookup(file, fn->stmt, binding->name, &value) ||
            value.kind != RLX_VALUE_SYMDECL)
          continue;
        if (!first) {
          first = fn;
          continue;
        }
        RlxDiag *diag = rlx_reportf(&file->diag_sink, RLX_DIAG_ID(SYMBOL_SHARED), at->span, "ss",
                                    rlx_store_text(file->store, binding->name),
                                    rlx_store_text(file->store, first->stmt->name));
        rlx_diag_related(&file->diag_sink, diag, first->stmt, in_header(first, binding->name)->span,
                         "used here, too");
        if (occurs_once(file, fn->stmt, binding->name))
          rlx_diag_fix(&file->diag_sink, diag,
                       rlx_arena_printf(file->diag_arena, "write \"%s\": a variable of its own",
                                        rlx_store_text(file->store, binding->name)),
                       at->span,
                       rlx_arena_printf(file->diag_arena, "\"%s\"",
                                        rlx_store_text(file->store, binding->name)));
        push(out, diag, fn->stmt, fn->stmt->name);
      }
    }
  }
}

/// `I.module_attrs(…)` and `I.module_global_infos(…)` that a module has already; its decorators.
static void of_modules(RlxFile *file, RlxFileDiags *out) {
  for (uint32_t m = 0; m < file->modules.count; m++) {
    const RlxModule *module = file->modules.at[m];
    for (uint32_t i = 0; i < module->repeats.count; i++) {
      const RlxModuleRepeat *repeat = &module->repeats.at[i];
      const RlxAst *callee = repeat->again->value->children[0];
      RlxDiag *diag = rlx_reportf(&file->diag_sink, RLX_DIAG_ID(MODULE_PART_TWICE), callee->span,
                                  "s", rlx_ast_last_name(file->store, callee));
      rlx_diag_related(&file->diag_sink, diag, repeat->first,
                       repeat->first->value->children[0]->span, "given here already");
      push(out, diag, repeat->again, 0);
    }
    RlxDiag *wrong = rlx_module_check_decorators(module, &file->diag_sink);
    if (wrong) push(out, wrong, module->stmt, 0);
  }
}

void rlx_file_diags(RlxFile *file, RlxFileDiags *out) {
  rlx_file_diags_mended(file, rlx_span(0, UINT32_MAX), out);
}

void rlx_file_diags_mended(RlxFile *file, RlxSpan window, RlxFileDiags *out) {
  rlx_file_analyze(file, NULL);
  uint32_t from = out->count;
  rlx_arena_free(file->diag_arena);
  file->diag_arena = rlx_arena_new_sized(256);
  file->diag_sink.arena = file->diag_arena;
  rlx_vec_clear(&file->diag_sink.diags);
  of_syntax(file, out);
  Listing listing = {.out = out};
  for (uint32_t i = 0; i < file->fns.count; i++) {
    if (is_plain(file->fns.at[i])) continue;
    of_fn(file->fns.at[i], &listing);
    rlx_unused_diags(file, file->fns.at[i], out);
  }
  rlx_map_free(&listing.readers);
  rlx_vec_free(&listing.all);
  if (file->modules.count && file->outer.count) of_shared(file, out);
  of_modules(file, out);
  rlx_module_body_diags(file, out);
  rlx_constant_diags(file, out, from);
  rlx_import_diags(file, out);
  rlx_decorator_diags(file, out, from);
  rlx_captured_diags(file, out, from);
  rlx_laid_by(file, out, from);
  if (file->has_inplace) rlx_inplace_diags(file, out);
  if (file->has_te) rlx_te_name_diags(file, out);
  rlx_normal_form_diags(file, out, from, window);
  of_dialect(file, out);
  uint32_t shown = out->count;
  if (out->count - from > 1) {
    qsort(out->at + from, out->count - from, sizeof *out->at, by_place);
    shown = rlx_cascade_drop(file, out, from);
  }
  apply_suppressions(file, out, from, shown);
  if (file->suppression_count && out->count - from > 1)
    qsort(out->at + from, out->count - from, sizeof *out->at, by_place);
  if (out->count - from > 1) rlx_cascade_merge(file, out, from);
  rlx_fix_guess(file, out, from, window);
  rlx_fix_names(file, out, from);
}

/// How many there are. A list that somebody made before stays what it is.
static uint32_t count_from(RlxFile *file, RlxSeverity least) {
  RlxFileDiags diags = {0};
  uint32_t count = 0;
  RlxArena *listed = file->diag_arena;
  RlxSink sink = file->diag_sink;
  file->diag_arena = NULL;
  file->diag_sink = (RlxSink){0};
  rlx_file_diags_mended(file, RLX_NO_WINDOW, &diags);
  for (uint32_t i = 0; i < diags.count; i++) count += diags.at[i].diag->severity <= least;
  rlx_vec_free(&diags);
  rlx_arena_free(file->diag_arena);
  rlx_vec_free(&file->diag_sink.diags);
  file->diag_arena = listed;
  file->diag_sink = sink;
  return count;
}

uint32_t rlx_file_error_count(RlxFile *file) { return count_from(file, RLX_ERROR); }
uint32_t rlx_file_warning_count(RlxFile *file) { return count_from(file, RLX_WARNING); }

RlxSpan rlx_file_diag_related(const RlxFileDiag *d, uint32_t i) {
  const RlxRelated *related = &d->diag->related[i];
  const RlxVar *var = related->var;
  if (var && var->stmt) return rlx_stmt_absolute(var->named_in, var->span);
  const RlxStmt *stmt = related->stmt ? related->stmt : d->stmt;
  if (!stmt || var) return d->span;
  return rlx_stmt_absolute(stmt, related->span);
}
