/// Rewriting islands into another dialect: which spellings change, the edits, the imports they
/// need; the diagnostics. Always true: bytes outside the edits stay as they are; a change is
/// applied whole or not at all; changes that would overlap wait for the next round over the new
/// text.
#include "analyzer/rewrite/convert.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/function/files.h"
#include "analyzer/rewrite/migration.h"
#include "analyzer/state/state.h"
#include "analyzer/words/script_module.h"
#include "base/mem.h"

enum { ROUNDS_MAX = 6 };

// ---- words

static const char *first_word(RlxConvert *c, const char *cell) {
  return rlx_arena_strndup(c->arena, cell, strcspn(cell, " "));
}

/// Is `word` the preferred spelling where it comes from, and another one preferred where it goes?
/// Then it means that one.
static bool is_shifted(RlxConvert *c, const RlxSpellingRow *row, const char *word) {
  const char *from = first_word(c, row->cells[c->from]), *to = first_word(c, row->cells[c->to]);
  return c->is_migration && !c->is_again && c->from != c->to && *to && strcmp(from, word) == 0 &&
         strcmp(to, word) != 0;
}

/// What stands for namespace `head` in the path "R.output" spelled with it: ".output".
static void convert_path(RlxConvert *c, const RlxSpelled *s) {
  const RlxSpellingRow *row = rlx_spelling_row(s->id);
  const RlxAst *head = s->ast;
  while (head->kind == RLX_AST_ATTRIBUTE) head = head->children[0];
  const char *name = rlx_store_text(c->store, head->name), *root = rlx_spelling_root(name);
  const char *tail = rlx_convert_text(c, rlx_span(head->span.end, s->ast->span.end));
  const char *word = rlx_arena_printf(c->arena, "%s%s", root ? root : name, tail);
  bool has = s->dialects >> c->to & 1;
  if (strcmp(name, "nn") == 0 || (has && !is_shifted(c, row, word))) return;
  const char *now = *row->cells[c->to] ? first_word(c, row->cells[c->to]) : NULL;
  if (s->id == RLX_SPELLING_ALLOCATE && rlx_convert_allocate(c, s)) return;
  // In the signature a buffer is described, not declared.
  if (s->id == RLX_SPELLING_DECL_BUFFER && c->stmt->kind == RLX_STMT_DEF && now) now = "T.Buffer";
  // A class of the package `relax` becomes a name of the script's namespace.
  const bool is_class = strstr(tail, "StructInfo") != NULL;
  if (now && is_class && strcmp(name, "R") != 0) {
    rlx_change_begin(c, s->id, s->ast->span, rlx_arena_printf(c->arena, "%s%s", name, tail), now);
    rlx_change_edit(c, s->ast->span.start, s->ast->span.end, now);
    return;
  }
  rlx_change_begin(c, s->id, s->span, word, now);
  if (now && strncmp(now, root ? root : name, strlen(root ? root : name)) == 0)
    rlx_change_edit(c, head->span.end, s->ast->span.end, now + strlen(root ? root : name));
}

static void convert_keyword(RlxConvert *c, const RlxSpelled *s) {
  const RlxSpellingRow *row = rlx_spelling_row(s->id);
  if (s->dialects >> c->to & 1) return;
  const char *now = *row->cells[c->to] ? first_word(c, row->cells[c->to]) : NULL;
  rlx_change_begin(c, s->id, s->span, rlx_arena_printf(c->arena, "%s=", s->word),
                   now ? rlx_arena_printf(c->arena, "%s=", now) : NULL);
  if (now) rlx_change_edit(c, s->span.start, s->span.end, now);
}

static void convert_spelled(RlxConvert *c, const RlxSpelled *s) {
  const RlxSpellingRow *row = rlx_spelling_row(s->id);
  if (c->to == RLX_DIALECT_TLC && (s->dialects >> RLX_DIALECT_TLC & 1 ||
                                   s->id == RLX_SPELLING_TENSOR || s->id == RLX_SPELLING_SYMBOL))
    return; // the design documents have both
  switch (row->kind) {
  case RLX_SPELLING_PATH: convert_path(c, s); return;
  case RLX_SPELLING_KEYWORD: convert_keyword(c, s); return;
  case RLX_SPELLING_FORM: break;
  }
  bool is_fine = s->dialects >> c->to & 1, is_moved = c->is_migration && c->from != c->to;
  if (is_fine && !(is_moved && s->id == RLX_SPELLING_POINTER)) return;
  // What no dialect but the oldest takes is mended on the way from any.
  const bool is_mended =
      is_moved && (s->id == RLX_SPELLING_RANK || s->id == RLX_SPELLING_TUPLE_VALUE);
  if (!row->weight && c->from != RLX_DIALECT_TLC && !is_mended) return;
  if (c->to == RLX_DIALECT_TLC) { // known, but nothing is written for it
    if (*row->cells[c->to])
      rlx_change_begin(c, s->id, s->span, row->cells[s->form], row->cells[c->to]);
    return;
  }
  rlx_convert_form(c, s);
}

static void on_spelled(const RlxSpelled *s, void *data) {
  RlxConvert *c = data;
  uint32_t before = c->changes.count;
  convert_spelled(c, s);
  if (c->changes.count > before && (s->taken_by >> c->to & 1 || rlx_convert_is_unread(c)))
    rlx_vec_last(&c->changes).is_taken = true;
}

// ---- islands

static bool is_dataflow(const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  return stmt->kind == RLX_STMT_WITH && unit && unit->is_dataflow_block;
}

/// `tirx.cast(…)` is nothing in any release, but the script's namespace has it: what the analyzer
/// offers, `T.cast`, is part of a migration.
static void convert_package_names(RlxConvert *c, RlxDiag *const *diags, uint32_t count) {
  const RlxStmt *holder = c->stmt;
  for (uint32_t i = 0; i < count; i++) {
    const RlxDiag *diag = diags[i];
    const RlxFix *fix = diag->fix_count ? &diag->fixes[0] : NULL;
    if (diag->id != RLX_DIAG_ID(ATTRIBUTE_UNKNOWN) || !fix || fix->edit_count != 1 ||
        strcmp(fix->edits[0].text, "T") != 0)
      continue;
    const RlxSpan head = fix->edits[0].span;
    c->stmt = fix->stmt ? fix->stmt : diag->stmt ? diag->stmt : holder;
    rlx_change_begin(c, RLX_SPELLING_IMPORT, head, rlx_convert_text(c, head), "T");
    rlx_change_edit(c, head.start, head.end, "T");
  }
  c->stmt = holder;
}

static void convert_block(RlxConvert *c, const RlxBlock *block);

static void convert_stmt(RlxConvert *c, RlxStmt *stmt) {
  const RlxFn *fn = c->fn;
  c->stmt = stmt;
  const RlxAnalysis *unit = stmt->analysis;
  if (stmt->kind == RLX_STMT_DEF && unit && unit->fn) c->fn = unit->fn;
  rlx_stmt_votes(&c->file->analyzer->words, stmt);
  if (c->from != c->to || !(stmt->spelling_fits >> c->to & 1))
    rlx_stmt_spellings(&c->file->analyzer->words, stmt, on_spelled, c);
  if (stmt->kind == RLX_STMT_DEF && c->fn && (c->from != c->to || c->is_migration))
    rlx_convert_function(c, c->fn);
  if (c->is_migration && c->from == RLX_DIALECT_TLC && c->to != RLX_DIALECT_TLC) {
    rlx_convert_blanks(c, stmt->annotation);
    for (uint32_t i = 0; i < stmt->param_count; i++)
      rlx_convert_blanks(c, stmt->params[i].annotation);
  }
  if (c->is_migration && unit) convert_package_names(c, unit->diags, unit->diag_count);
  if (c->is_migration && unit && unit->fn && unit->fn->stmt == stmt)
    convert_package_names(c, unit->fn->end.diags.at, unit->fn->end.diags.count);
  bool before = c->in_dataflow;
  c->in_dataflow |= is_dataflow(stmt);
  convert_block(c, stmt->body);
  convert_block(c, stmt->orelse);
  c->in_dataflow = before;
  c->fn = fn;
}

static void convert_block(RlxConvert *c, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) convert_stmt(c, block->stmts[i]);
}

void rlx_convert_island(RlxConvert *c, const RlxModule *module, const RlxFn *fn) {
  c->module = module;
  c->fn = fn;
  convert_stmt(c, module ? module->stmt : fn->stmt);
}

void rlx_convert_outside(RlxConvert *c, const RlxStmt *stmt) {
  c->module = NULL;
  c->fn = NULL;
  c->stmt = stmt;
  rlx_stmt_spellings(&c->file->analyzer->words, stmt, on_spelled, c);
}

/// Calls `each` for the outermost islands in order.
static void each_island(RlxConvert *c,
                        void (*each)(RlxConvert *c, const RlxModule *module, const RlxFn *fn,
                                     void *data),
                        void *data) {
  const RlxModule *last = NULL;
  for (uint32_t i = 0; i < c->file->fns.count; i++) {
    const RlxFn *fn = c->file->fns.at[i];
    if (fn->module && fn->module == last) continue;
    last = fn->module;
    c->from = fn->dialect;
    each(c, fn->module, fn, data);
  }
}

static bool is_outside_spelling(const RlxStore *store, const RlxStmt *stmt) {
  if (stmt->kind == RLX_STMT_IMPORT) return true;
  if (stmt->kind != RLX_STMT_ASSIGN || !stmt->value || stmt->value->kind != RLX_AST_CALL)
    return false;
  const RlxAst *callee = stmt->value->children[0];
  return (callee->kind == RLX_AST_NAME || callee->kind == RLX_AST_ATTRIBUTE) &&
         strcmp(rlx_store_text(store, callee->name), "TypeVar") == 0;
}

/// `from tvm import tir`, a package that became `tvm.tirx`; the file's own uses keep the name.
static void convert_package(RlxConvert *c, const RlxStmt *stmt) {
  const bool is_new = c->to == RLX_DIALECT_025 || c->to == RLX_DIALECT_027;
  const char *old = is_new ? "tir" : "tirx", *now = is_new ? "tirx" : "tir";
  c->stmt = stmt;
  for (uint32_t i = 0; i < stmt->import_count; i++) {
    const RlxImport *import = &stmt->imports[i];
    if (!import->module || !import->member ||
        strcmp(rlx_store_text(c->store, import->module), "tvm") != 0 ||
        strcmp(rlx_store_text(c->store, import->member), old) != 0)
      continue;
    const char *text = rlx_convert_text(c, import->span);
    const uint32_t at = import->span.start;
    rlx_change_begin(c, RLX_SPELLING_IMPORT, import->span, text, now);
    rlx_change_edit(c, at, at + (uint32_t)strlen(old),
                    strstr(text, " as ") ? now : rlx_arena_printf(c->arena, "%s as %s", now, old));
  }
}

/// Imports of all scopes that are no islands.
static void convert_imports(RlxConvert *c, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    RlxStmt *stmt = block->stmts[i];
    if (is_outside_spelling(c->store, stmt)) rlx_convert_outside(c, stmt);
    if (stmt->kind == RLX_STMT_IMPORT) convert_package(c, stmt);
    const RlxAnalysis *unit = stmt->analysis;
    if (unit && (unit->fn || unit->module)) continue;
    convert_imports(c, stmt->body);
    convert_imports(c, stmt->orelse);
    for (uint32_t k = 0; k < stmt->block_count; k++) convert_imports(c, stmt->blocks[k]);
  }
}

// ---- diagnostics

static void report(RlxConvert *c, RlxFileDiags *out, RlxName function) {
  RlxFile *file = c->file;
  rlx_change_finish(c);
  for (uint32_t i = 0; i < c->changes.count; i++) {
    const RlxChange *change = &c->changes.at[i];
    const char *dialect = rlx_dialect_name(c->to), *meaning = rlx_spelling_row(change->id)->meaning;
    RlxDiag *diag = change->now
                        ? rlx_reportf(&file->diag_sink, RLX_DIAG_ID(DIALECT_SPELLING), change->span,
                                      "ssss", change->was, dialect, change->now, meaning)
                        : rlx_reportf(&file->diag_sink, RLX_DIAG_ID(DIALECT_ABSENT), change->span,
                                      "sss", change->was, dialect, meaning);
    if (change->is_taken) diag->severity = RLX_WARNING;
    for (uint32_t k = change->first; k < change->first + change->count; k++) {
      const RlxChangeEdit *edit = &c->edits.at[k];
      const char *text = rlx_arena_strdup(file->diag_arena, edit->text);
      if (k == change->first)
        rlx_diag_fix(&file->diag_sink, diag,
                     rlx_arena_printf(file->diag_arena, "write `%s`", change->now), edit->span,
                     text);
      else
        rlx_diag_fix_edit(&file->diag_sink, diag, edit->span, text);
    }
    rlx_vec_push(
        out, (RlxFileDiag){.diag = diag, .stmt = NULL, .span = change->span, .function = function});
  }
  rlx_convert_clear(c);
}

static bool fits(RlxConvert *c, RlxStmt *stmt, const RlxFn *fn) {
  rlx_stmt_votes(&c->file->analyzer->words, stmt);
  return (fn ? fn->has_votes && (fn->said.fits >> c->to & 1) : !stmt->body && !stmt->block_count) &&
         (stmt->spelling_fits >> c->to & 1);
}

/// Nothing in the island is foreign to the dialect, as recognition has found already.
static bool fits_wholly(RlxConvert *c, const RlxModule *module, const RlxFn *fn) {
  if (c->from != c->to) return false;
  if (!module) return fits(c, fn->stmt, fn);
  rlx_stmt_votes(&c->file->analyzer->words, module->stmt);
  if (!(module->stmt->spelling_fits >> c->to & 1)) return false;
  for (uint32_t i = 0; module->stmt->body && i < module->stmt->body->count; i++) {
    RlxStmt *stmt = module->stmt->body->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    if (!fits(c, stmt, unit ? unit->fn : NULL)) return false;
  }
  return true;
}

static void diagnose(RlxConvert *c, const RlxModule *module, const RlxFn *fn, void *data) {
  RlxDialect fixed;
  c->to = rlx_dialect_parse(c->file->analyzer->settings.dialect, &fixed) ? fixed : c->from;
  if (c->to == RLX_DIALECT_TLC && c->to == c->from)
    return; // its years differ too much to say what is foreign
  if (fits_wholly(c, module, fn)) return;
  rlx_convert_island(c, module, fn);
  report(c, data, fn->stmt->name);
}

static RlxConvert start(RlxFile *file, RlxArena *arena) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  return (RlxConvert){.file = file,
                      .store = file->store,
                      .text = text,
                      .size = size,
                      .arena = arena,
                      .from = RLX_DIALECT_025,
                      .to = RLX_DIALECT_025};
}

/// The dialect that the file's imports have to be of: the one that is set, or that of all its islands where only
/// releases have it of which the other packages are gone. An import that a `try` or an `if` guards may be of any.
static bool settled_dialect(const RlxFile *file, RlxDialect *out, bool *out_is_set) {
  if (!file->fns.count || file->analyzer->settings.is_prompt)
    return false; // whose imports are its own
  *out_is_set = rlx_dialect_parse(file->analyzer->settings.dialect, out);
  if (*out_is_set) return true;
  *out = file->fns.at[0]->dialect;
  for (uint32_t i = 1; i < file->fns.count; i++)
    if (file->fns.at[i]->dialect != *out) return false;
  return *out == RLX_DIALECT_025 || *out == RLX_DIALECT_027;
}

void rlx_file_dialect_diags(RlxFile *file, RlxFileDiags *out) {
  RlxArena *arena = rlx_arena_new_sized(1024);
  RlxConvert c = start(file, arena);
  each_island(&c, diagnose, out);
  bool is_set;
  if (settled_dialect(file, &c.to, &is_set)) {
    c.from = c.to == RLX_DIALECT_027 ? RLX_DIALECT_025 : RLX_DIALECT_027; // any other
    const RlxBlock *root = rlx_document_root(file->document);
    for (uint32_t i = 0; i < root->count; i++) {
      const RlxStmt *stmt = root->stmts[i];
      if (stmt->kind == RLX_STMT_IMPORT || (is_set && is_outside_spelling(c.store, stmt)))
        rlx_convert_outside(&c, stmt);
    }
    report(&c, out, 0);
  }
  rlx_convert_free(&c);
  rlx_arena_free(arena);
}

// ---- migration

typedef struct Round {
  uint32_t only;
  RlxDialect from[256]; ///< of the islands in order, as recognised at first
  uint32_t count;
  uint32_t index;
  bool is_first;
} Round;

static void migrate_island(RlxConvert *c, const RlxModule *module, const RlxFn *fn, void *data) {
  Round *round = data;
  const RlxStmt *stmt = module ? module->stmt : fn->stmt;
  uint32_t index = round->index++;
  if (round->only != UINT32_MAX &&
      (round->only < stmt->start || round->only > stmt->start + stmt->size))
    return;
  rlx_convert_island(c, module, fn);
  (void)index;
}

/// The last import of a file that imports TVM; NULL: a printed script does not, its names are there without it.
static const RlxStmt *last_import(const RlxStore *store, const RlxBlock *root) {
  const RlxStmt *last = NULL;
  bool has_tvm = false;
  for (uint32_t i = 0; i < root->count; i++) {
    const RlxStmt *stmt = root->stmts[i];
    if (stmt->kind != RLX_STMT_IMPORT) continue;
    last = stmt;
    for (uint32_t k = 0; k < stmt->import_count; k++)
      if (stmt->imports[k].module &&
          strncmp(rlx_store_text(store, stmt->imports[k].module), "tvm", 3) == 0)
        has_tvm = true;
  }
  return has_tvm ? last : NULL;
}

static const char *const roots[] = {"R", "T", "I"};

/// Appends the line that imports `roots[root]` in this dialect, and what parts it from the line above.
static void put_import(RlxBuf *out, int root, RlxDialect to) {
  rlx_buf_printf(out, "\nfrom tvm.script import %s as %s", rlx_script_module(*roots[root], to),
                 roots[root]);
}

/// The end of an import's line in the text, behind a comment.
static uint32_t behind_import(const char *text, const RlxStmt *import) {
  const uint32_t at = import->start + import->head_size;
  const char *rest = text + at;
  return rest[strspn(rest, " \t")] == '#' ? at + (uint32_t)strcspn(rest, "\r\n") : at;
}

bool rlx_import_edit(RlxFile *file, const char *root, RlxDialect to, RlxArena *arena,
                     RlxEdit *out) {
  int i = 0;
  while (i < 3 && strcmp(roots[i], root) != 0) i++;
  const RlxStmt *after = i < 3 ? last_import(file->store, rlx_document_root(file->document)) : NULL;
  if (!after) return false;
  uint32_t size = 0;
  RlxBuf line = {0};
  put_import(&line, i, to);
  const uint32_t at = behind_import(rlx_document_text(file->document, &size), after);
  *out = (RlxEdit){rlx_span(at, at), rlx_arena_strdup(arena, rlx_buf_text(&line))};
  rlx_buf_free(&line);
  return true;
}

/// Imports for the roots that new text uses.
static void import_roots(RlxConvert *c) {
  const RlxStmt *after = last_import(c->store, rlx_document_root(c->file->document));
  RlxBuf text = {0};
  for (int i = 0; after && i < 3; i++) {
    RlxValue v;
    if (c->uses[i] && !rlx_outer_lookup(c->file, NULL, rlx_store_intern(c->store, roots[i], 1), &v))
      put_import(&text, i, c->to);
  }
  if (text.size) {
    const uint32_t at = behind_import(c->text, after) - after->start;
    c->stmt = after;
    rlx_change_begin(c, RLX_SPELLING_IMPORT, rlx_span(0, 0), "", "");
    rlx_change_edit(c, at, at, rlx_buf_text(&text));
  }
  rlx_buf_free(&text);
}

static bool overlaps(const RlxChangeEdit *a, const RlxChangeEdit *b) {
  if (a->span.start == a->span.end ||
      b->span.start == b->span.end) { // an insertion at an edge is none
    return (a->span.start > b->span.start && a->span.start < b->span.end) ||
           (b->span.start > a->span.start && b->span.start < a->span.end);
  }
  return a->span.start < b->span.end && b->span.start < a->span.end;
}

typedef struct Placed {
  const RlxChangeEdit *edit;
  uint32_t order;
} Placed;
typedef Vec(Placed) Places;

static int by_place(const void *a, const void *b) {
  const Placed *x = a, *y = b;
  if (x->edit->span.start != y->edit->span.start)
    return x->edit->span.start < y->edit->span.start ? -1 : 1;
  if (x->edit->span.end != y->edit->span.end)
    return x->edit->span.end < y->edit->span.end ? -1 : 1; // insertions first
  return x->order < y->order ? -1 : 1;
}

/// Appends the text with all changes that fit together. Gives how many they were; `*left`: those
/// without edits.
static uint32_t apply(RlxConvert *c, uint32_t size, RlxBuf *out, uint32_t *left) {
  Places places = {0};
  uint32_t applied = 0, at = 0;
  rlx_change_finish(c);
  for (uint32_t i = 0; i < c->edits.count; i++) rlx_vec_push(&places, (Placed){&c->edits.at[i], i});
  if (places.count) qsort(places.at, places.count, sizeof *places.at, by_place);
  bool *dropped = rlx_mem_zeroed(c->edits.count + 1, sizeof *dropped);
  for (uint32_t i = 0; i < places.count;
       i++) // a change one of whose edits overlaps an earlier one waits
    for (uint32_t k = i;
         k-- > 0 && places.at[k].edit->span.end + 4096 > places.at[i].edit->span.start;)
      if (!dropped[places.at[k].order] && overlaps(places.at[k].edit, places.at[i].edit))
        dropped[places.at[i].order] = true;
  for (uint32_t i = 0; i < c->changes.count; i++) {
    const RlxChange *change = &c->changes.at[i];
    bool any = false;
    for (uint32_t k = change->first; k < change->first + change->count; k++) any |= dropped[k];
    for (uint32_t k = change->first; k < change->first + change->count; k++) dropped[k] = any;
    *left += !change->count;
    applied += change->count && !any;
  }
  for (uint32_t i = 0; i < places.count; i++) {
    const RlxChangeEdit *edit = places.at[i].edit;
    if (dropped[places.at[i].order] || edit->span.start < at) continue;
    rlx_buf_putn(out, c->text + at, edit->span.start - at);
    rlx_buf_puts(out, edit->text);
    at = edit->span.end;
  }
  rlx_buf_putn(out, c->text + at, size - at);
  free(dropped);
  rlx_vec_free(&places);
  return applied;
}

/// Marks the roots that an expression names.
static void note_named(RlxConvert *c, const RlxAst *ast) {
  for (int i = 0; ast && i < 3; i++)
    c->uses[i] |= rlx_ast_find_name(ast, rlx_store_intern(c->store, roots[i], 1)) != NULL;
}

/// Marks the roots that a statement names, and those below it.
static void note_roots(RlxConvert *c, const RlxStmt *stmt) {
  const RlxBlock *below[] = {stmt->body, stmt->orelse};
  note_named(c, stmt->value);
  note_named(c, stmt->annotation);
  for (uint32_t i = 0; i < stmt->decorator_count; i++) note_named(c, stmt->decorators[i]);
  for (uint32_t i = 0; i < stmt->param_count; i++) note_named(c, stmt->params[i].annotation);
  for (uint32_t i = 0; i < stmt->item_count; i++) note_named(c, stmt->items[i].value);
  for (size_t k = 0; k < sizeof below / sizeof *below; k++)
    for (uint32_t i = 0; below[k] && i < below[k]->count; i++) note_roots(c, below[k]->stmts[i]);
}

static void remember(RlxConvert *c, const RlxModule *module, const RlxFn *fn, void *data) {
  Round *round = data;
  if (round->count < 256) round->from[round->count++] = fn->dialect;
  // The parser of that time knew the namespaces without an import.
  if (fn->dialect == RLX_DIALECT_TLC) note_roots(c, module ? module->stmt : fn->stmt);
}

static uint32_t one_round(RlxFile *file, RlxDialect to, Round *round, RlxBuf *out, uint32_t *left) {
  uint32_t size = 0;
  RlxArena *arena = rlx_arena_new_sized(4096);
  rlx_file_analyze(file, NULL);
  RlxConvert c = start(file, arena);
  c.to = to;
  c.is_migration = true;
  c.is_again = !round->is_first;
  (void)rlx_document_text(file->document, &size);
  if (round->is_first) each_island(&c, remember, round);
  round->index = 0;
  each_island(&c, migrate_island, round);
  if (file->fns.count && round->only == UINT32_MAX) {
    c.from = to == RLX_DIALECT_CLASSIC ? RLX_DIALECT_025 : RLX_DIALECT_CLASSIC;
    convert_imports(&c, rlx_document_root(file->document));
    import_roots(&c);
  }
  uint32_t applied = apply(&c, size, out, left);
  rlx_convert_free(&c);
  rlx_arena_free(arena);
  return applied;
}

bool rlx_file_migrates(RlxFile *file, RlxDialect to, uint32_t only) {
  RlxBuf text = {0};
  uint32_t left = 0;
  Round round = {.only = only, .is_first = true};
  const uint32_t applied = one_round(file, to, &round, &text, &left);
  rlx_buf_free(&text);
  return applied != 0;
}

RlxMigration rlx_file_migrate(RlxFile *file, RlxDialect to, uint32_t only, RlxBuf *out) {
  RlxMigration done = {0, 0};
  Round round = {.only = only, .is_first = true};
  size_t start_size = out->size;
  uint32_t applied = one_round(file, to, &round, out, &done.left);
  done.changed = applied;
  for (int i = 1; applied && i < ROUNDS_MAX; i++) {
    RlxBuf text = {0};
    round.is_first = false;
    RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
    RlxFile *next =
        rlx_file_open(analyzer, rlx_buf_text(out) + start_size, (uint32_t)(out->size - start_size));
    if (file->reader.read) rlx_file_set_reader(next, &file->reader);
    next->forced_dialects = round.from;
    next->forced_count = round.count;
    done.left = 0;
    applied = one_round(next, to, &round, &text, &done.left);
    if (applied) {
      rlx_buf_truncate(out, start_size);
      rlx_buf_putn(out, rlx_buf_text(&text), text.size);
    }
    done.changed += applied;
    rlx_buf_free(&text);
    rlx_file_close(next);
    rlx_analyzer_free(analyzer);
  }
  return done;
}
