/// Violations of the normal form that the settings ask for, and the edits that mend them one at a
/// time. Always true: under no normal form nested calls are hints, which the statement's analysis
/// reports; else all is found here, at the question, because it depends on the statements around. A
/// statement with a syntax error is not looked at.
#include "analyzer/report/normal_form.h"

#include <string.h>

#include "analyzer/ask/questions.h"
#include "analyzer/function/files.h"
#include "analyzer/rewrite/normalize_edits.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/stmt_text.h"

typedef struct Finder {
  RlxFile *file;
  RlxArena *arena;
  RlxFileDiags *out;
  RlxTemporaryNames *names;
  bool t_anf;
} Finder;

static RlxName function_name(const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  return unit && unit->owner ? unit->owner->stmt->name
         : unit && unit->fn  ? unit->fn->stmt->name
                             : 0;
}

/// Edits of a diagnostic stand relative to its statement; those before it wrap around, as unsigned
/// numbers do.
static void add_fix(Finder *f, RlxDiag *diag, const RlxStmt *stmt, const char *title,
                    const RlxTextEdits *edits) {
  RlxFix *fix = rlx_arena_one(f->arena, RlxFix);
  if (!edits->count) return;
  const RlxFixRow *row = rlx_fix_row(diag->id, title);
  fix->title = title;
  fix->is_safe = row && row->is_safe;
  fix->edit_count = edits->count;
  fix->edits = rlx_arena_copy(f->arena, edits->at, edits->count, sizeof *edits->at);
  for (uint32_t i = 0; i < fix->edit_count; i++) {
    fix->edits[i].span.start -= stmt->start;
    fix->edits[i].span.end -= stmt->start;
  }
  diag->fixes = fix;
  diag->fix_count = 1;
}

static RlxDiag *report(Finder *f, RlxDiagId id, const RlxStmt *stmt, RlxSpan span,
                       const char *text) {
  RlxDiag *diag = rlx_reportf(&f->file->diag_sink, id, span, "s", text);
  diag->severity = RLX_ERROR;
  rlx_vec_push(f->out, (RlxFileDiag){.diag = diag,
                                     .stmt = stmt,
                                     .span = rlx_stmt_absolute(stmt, span),
                                     .function = function_name(stmt)});
  return diag;
}

static void add_bind_fix(Finder *f, RlxDiag *diag, RlxTemporaries *t, uint32_t index) {
  RlxTextEdits edits = {0};
  if (f->names && rlx_bind_one(f->file, t, index, f->names, f->arena, &edits))
    add_fix(f, diag, t->stmt, "bind to a variable", &edits);
  rlx_vec_free(&edits);
}

static const char *name_of(const Finder *f, const RlxVar *var) {
  return rlx_store_text(f->file->store, var->name);
}

static void find_nested(Finder *f, const RlxStmt *stmt) {
  RlxTemporaries t = rlx_temporaries(f->file, stmt, f->t_anf, f->arena);
  const RlxAnalysis *unit = stmt->analysis;
  for (uint32_t i = 0; i < t.count; i++) {
    const RlxBinding *b = t.at[i];
    bool is_result = stmt->kind == RLX_STMT_RETURN && unit->result &&
                     unit->result->kind == RLX_EXPR_VAR && unit->result->var == b->var;
    RlxDiagId id = is_result ? RLX_DIAG_ID(RESULT_NOT_BOUND)
                   : b->value->kind == RLX_EXPR_TUPLE_GET && b->kind == RLX_BINDING_VAR
                       ? RLX_DIAG_ID(NESTED_ACCESS)
                       : RLX_DIAG_ID(NESTED_CALL);
    RlxDiag *diag = report(f, id, stmt, b->span, "");
    const RlxExpr *tuple = b->value->kind == RLX_EXPR_TUPLE_GET ? b->value->tuple : NULL;
    if (tuple && tuple->kind == RLX_EXPR_VAR && tuple->var->stmt && !tuple->var->is_temporary)
      rlx_diag_related(&f->file->diag_sink, diag, tuple->var->named_in, tuple->var->span,
                       rlx_arena_printf(f->arena, "`%s` is bound here", name_of(f, tuple->var)));
    add_bind_fix(f, diag, &t, i);
  }
}

static bool is_word_in(const char *text, size_t size, const char *word) {
  return memmem(text, size, word, strlen(word)) != NULL;
}

/// `(t[0], t[1])` at `edit`, which anf does not have either: the fields are bound in lines of their
/// own before the statement. False: there is no place for them, or no name.
static bool bind_fields(Finder *f, const RlxStmt *stmt, const RlxEdit *edit, RlxTextEdits *out) {
  uint32_t size = 0, line;
  const char *text = rlx_document_text(rlx_file_document(f->file), &size);
  const RlxStmt *def = rlx_island_of(stmt);
  if (!def || stmt->kind == RLX_STMT_IF) return false;
  line = rlx_line_start(text, stmt->start);
  if (!rlx_has_own_line(text, stmt, line)) return false;
  const char *name =
      rlx_arena_strndup(f->arena, text + edit->span.start, edit->span.end - edit->span.start);
  int count = 0;
  for (const char *at = edit->text; (at = strchr(at, '[')) != NULL; at++) count++;
  RlxBuf before = {0}, fields = {0};
  bool is_free = true;
  for (int i = 0; i < count && is_free; i++) {
    const char *field = rlx_arena_printf(f->arena, "%s_%d", name, i);
    is_free = !is_word_in(text + def->start, def->size, field);
    rlx_buf_printf(&before, "%s = %s[%d]%s%.*s", field, name, i, rlx_newline_at(text, stmt->start),
                   (int)(stmt->start - line), text + line);
    rlx_buf_printf(&fields, "%s%s", i ? ", " : "(", field);
  }
  rlx_buf_puts(&fields, count == 1 ? ",)" : ")");
  if (is_free && count) {
    rlx_vec_push(out, (RlxEdit){rlx_span(stmt->start, stmt->start),
                                rlx_arena_strdup(f->arena, rlx_buf_text(&before))});
    rlx_vec_push(out, (RlxEdit){edit->span, rlx_arena_strdup(f->arena, rlx_buf_text(&fields))});
  }
  rlx_buf_free(&before);
  rlx_buf_free(&fields);
  return is_free && count;
}

static void find_tuples(Finder *f, const RlxStmt *stmt) {
  RlxTextEdits all = {0};
  rlx_expand_edits(f->file, stmt, false, f->arena, &all);
  for (uint32_t i = 0; i < all.count; i++) {
    RlxSpan span = rlx_span(all.at[i].span.start - stmt->start, all.at[i].span.end - stmt->start);
    RlxDiag *diag = report(f, RLX_DIAG_ID(TUPLE_NOT_WRITTEN), stmt, span, "");
    RlxTextEdits one = {0};
    if (f->t_anf)
      rlx_vec_push(&one, all.at[i]);
    else
      bind_fields(f, stmt, &all.at[i], &one);
    add_fix(f, diag, stmt, "write the fields", &one);
    rlx_vec_free(&one);
  }
  rlx_vec_free(&all);
}

static void visit(Finder *f, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    if (!unit) continue;
    if (!stmt->has_error) find_nested(f, stmt), find_tuples(f, stmt);
    visit(f, stmt->body);
    visit(f, stmt->orelse);
  }
}

static void find_bound_values(Finder *f, const RlxStmt *def) {
  RlxInlinedList list = {0};
  rlx_inline_list(f->file, def, f->arena, &list);
  for (uint32_t i = 0; i < list.count; i++) {
    const RlxInlined *at = &list.at[i];
    RlxDiag *diag = report(f, at->is_alias ? RLX_DIAG_ID(ALIAS_BOUND) : RLX_DIAG_ID(VALUE_BOUND),
                           at->stmt, at->binding->var->span, name_of(f, at->binding->var));
    const RlxExpr *x = at->binding->value;
    const RlxVar *of = x->kind == RLX_EXPR_VAR ? x->var
                       : x->kind == RLX_EXPR_TUPLE_GET && x->tuple->kind == RLX_EXPR_VAR
                           ? x->tuple->var
                           : NULL;
    if (of && of->stmt && !of->is_temporary)
      rlx_diag_related(&f->file->diag_sink, diag, of->stmt, of->span,
                       rlx_arena_printf(f->arena, "`%s` is bound here", name_of(f, of)));
    if (at->can_apply)
      add_fix(f, diag, at->stmt,
              at->is_cast ? "make it a match_cast"
                          : rlx_arena_printf(f->arena, "inline `%s`", name_of(f, at->binding->var)),
              &at->edits);
  }
  rlx_inline_list_free(&list);
}

/// Fixes for the hints that the analysis of statements reported.
static void mend_hints(Finder *f, uint32_t from, RlxSpan window) {
  const RlxStmt *island = NULL;
  RlxTemporaries t = {0};
  for (uint32_t i = from; i < f->out->count; i++) {
    RlxFileDiag *d = &f->out->at[i];
    if (d->diag->id != RLX_DIAG_ID(NESTED_CALL) || !d->stmt || d->span.start > window.end ||
        d->span.end < window.start)
      continue;
    if (rlx_island_of(d->stmt) != island) {
      rlx_temporary_names_free(f->names);
      island = rlx_island_of(d->stmt);
      f->names = rlx_temporary_names(f->file, d->stmt, false);
      t.judged = NULL; // others may have their address
    }
    if (d->stmt != t.stmt) t = rlx_temporaries(f->file, d->stmt, false, f->arena);
    uint32_t k = rlx_temporaries_find(&t, d->diag->span);
    if (k == t.count) continue;
    RlxDiag *copy = rlx_arena_copy(f->arena, d->diag, 1, sizeof *copy);
    add_bind_fix(f, copy, &t, k);
    d->diag = copy;
  }
}

void rlx_normal_form_diags(RlxFile *file, RlxFileDiags *out, uint32_t from, RlxSpan window) {
  uint8_t form =
      file->has_settings ? file->settings.normal_form : file->analyzer->common.normal_form;
  Finder f = {.file = file, .arena = file->diag_arena, .out = out, .t_anf = form == 2};
  for (uint32_t i = 0; form && i < file->fns.count; i++) {
    const RlxFn *fn = file->fns.at[i];
    if (fn->kind != RLX_ISLAND_RELAX || !fn->body) continue;
    f.names = rlx_temporary_names(file, fn->stmt, f.t_anf);
    visit(&f, fn->stmt->body);
    rlx_temporary_names_free(f.names);
    if (f.t_anf) find_bound_values(&f, fn->stmt);
  }
  f.names = NULL;
  if (!form && window.start <= window.end) mend_hints(&f, from, window);
  rlx_temporary_names_free(f.names);
}

// ---- one place

/// The binding of the variable; NULL: it has none of its own.
static const RlxBinding *binding_of(const RlxVar *var) {
  const RlxAnalysis *unit = var->stmt ? var->stmt->analysis : NULL;
  for (uint32_t i = 0; unit && i < unit->binding_count; i++)
    if (unit->bindings[i]->var == var) return unit->bindings[i];
  return NULL;
}

/// False: no binding of the variable can be inlined, whatever stands around it.
static bool may_be_inlined(const RlxVar *var) {
  const RlxBinding *b = binding_of(var);
  return !b || rlx_inline_is_value(b);
}

const RlxFix *rlx_file_inline_at(RlxFile *file, uint32_t offset, RlxArena *arena) {
  RlxSymbol symbol;
  if (!rlx_file_symbol_at(file, offset, &symbol) || symbol.kind != RLX_SYMBOL_VAR || !symbol.var ||
      !may_be_inlined(symbol.var))
    return NULL;
  const RlxStmt *def = rlx_island_of(symbol.stmt);
  if (!def) return NULL;
  RlxInlinedList list = {0};
  RlxFix *fix = NULL;
  rlx_inline_list(file, def, arena, &list);
  for (uint32_t i = 0; i < list.count && !fix; i++) {
    const RlxInlined *at = &list.at[i];
    if (at->binding->var != symbol.var || !at->can_apply || at->is_cast) continue;
    fix = rlx_arena_one(arena, RlxFix);
    fix->title =
        rlx_arena_printf(arena, "inline `%s`", rlx_store_text(file->store, symbol.var->name));
    fix->edits = rlx_arena_copy(arena, at->edits.at, at->edits.count, sizeof *at->edits.at);
    fix->edit_count = at->edits.count;
  }
  rlx_inline_list_free(&list);
  return fix;
}

const char *rlx_file_inline_refusal(RlxFile *file, uint32_t offset, RlxArena *arena,
                                    const char **title) {
  RlxSymbol symbol;
  if (!rlx_file_symbol_at(file, offset, &symbol) || symbol.kind != RLX_SYMBOL_VAR || !symbol.var)
    return NULL;
  const RlxVar *var = symbol.var;
  const RlxBinding *b = binding_of(var);
  *title = rlx_arena_printf(arena, "inline `%s`", rlx_store_text(file->store, var->name));
  if (var->is_param) return "a parameter has its value from the caller";
  if (!b) return NULL;
  if (var->is_tainted) return "it hangs on a mistake";
  if (b->kind == RLX_BINDING_MATCH_CAST) return "an R.match_cast checks what it binds";
  if (b->value->kind == RLX_EXPR_CALL)
    return "it is the result of a call, which is made once, where it is bound";
  if (b->value->kind == RLX_EXPR_IF) return "it is what the branches of an `if` end with";
  if (rlx_is_branch_tail(var->stmt)) return "its branch ends with it";
  if (!rlx_inline_is_value(b)) return "it is bound to more than a name, a constant or a field";
  if (var->sinfo != b->value->sinfo) return "its annotation says more than its value";
  return "it is bound with others, alone in its block, or to names that mean something else where "
         "it is used";
}

const RlxFix *rlx_file_bind_at(RlxFile *file, uint32_t offset, RlxArena *arena) {
  const RlxStmt *stmt = rlx_document_stmt_at(rlx_file_document(file), offset);
  if (!stmt || !rlx_island_of(stmt)) return NULL;
  RlxTemporaries t = rlx_temporaries(file, stmt, false, arena);
  uint32_t best = t.count;
  for (uint32_t i = 0; i < t.count; i++) {
    RlxSpan span = rlx_stmt_absolute(stmt, t.at[i]->span);
    bool covers = offset >= span.start && offset <= span.end;
    if (covers && (best == t.count || t.at[i]->span.end - t.at[i]->span.start <
                                          t.at[best]->span.end - t.at[best]->span.start))
      best = i;
  }
  if (best == t.count) return NULL;
  RlxTemporaryNames *names = rlx_temporary_names(file, stmt, false);
  RlxTextEdits edits = {0};
  RlxFix *fix = NULL;
  if (rlx_bind_one(file, &t, best, names, arena, &edits)) {
    fix = rlx_arena_one(arena, RlxFix);
    fix->title = "bind to a variable";
    fix->edits = rlx_arena_copy(arena, edits.at, edits.count, sizeof *edits.at);
    fix->edit_count = edits.count;
  }
  rlx_vec_free(&edits);
  rlx_temporary_names_free(names);
  return fix;
}
