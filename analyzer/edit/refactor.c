/// Refactorings of one statement or function: annotations and casts, unused bindings, normal forms.
/// refactor_extract.c has the one of a selection.
#include "analyzer/edit/refactor.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/ask/backward.h"
#include "analyzer/ask/questions.h"
#include "analyzer/edit/inline_function.h"
#include "analyzer/edit/refactor_impl.h"
#include "analyzer/eval/outer.h"
#include "analyzer/function/files.h"
#include "analyzer/function/function.h"
#include "analyzer/report/normal_form.h"
#include "analyzer/rewrite/normalize.h"
#include "analyzer/rewrite/normalize_edits.h"
#include "analyzer/state/state.h"
#include "base/text.h"

// ---- annotations and casts

/// The binding of the one name that a simple assignment binds, or NULL.
static const RlxBinding *binding_of(const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  bool simple = (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED) &&
                stmt->target_count == 1 && stmt->targets[0]->kind == RLX_AST_NAME && stmt->value &&
                !stmt->has_error;
  for (uint32_t i = simple && unit ? unit->binding_count : 0; i-- > 0;) {
    const RlxBinding *b = unit->bindings[i];
    if (!b->var->is_temporary && b->var->name == stmt->targets[0]->name && b->var->stmt == stmt)
      return b;
  }
  return NULL;
}

static const char *styled_text(RlxRefactor *r, const RlxSInfo *s, RlxSInfoStyle style) {
  RlxBuf text = {0};
  rlx_sinfo_print_styled(r->store, s, &style, &text);
  const char *kept = rlx_arena_strdup(r->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return kept;
}

static const char *sinfo_text(RlxRefactor *r, const RlxSInfo *s) {
  return styled_text(r, s, rlx_refactor_style(r));
}

/// For a title or a reason.
static const char *told(RlxRefactor *r, const RlxSInfo *s) {
  RlxBuf text = {0};
  rlx_sinfo_tell(r->store, s, &text);
  const char *kept = rlx_arena_strdup(r->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return kept;
}

static void declare(RlxRefactor *r, RlxName name, uint32_t start) {
  rlx_vec_push(&r->declared, (RlxDeclared){name, start});
}

static int by_name(const void *a, const void *b) {
  const RlxDeclared *x = a, *y = b;
  if (x->name != y->name) return x->name < y->name ? -1 : 1;
  return (x->start > y->start) - (x->start < y->start);
}

/// Notes what the statements of the body of `def` bind, and where first.
static void note_declared(RlxRefactor *r, const RlxStmt *def) {
  if (r->declared_of == def) return;
  r->declared_of = def;
  r->declared.count = 0;
  for (uint32_t i = 0; def->body && i < def->body->count; i++) {
    const RlxStmt *one = def->body->stmts[i];
    for (uint32_t k = 0; k < one->target_count; k++) {
      const RlxAst *target = one->targets[k];
      if (target->kind == RLX_AST_NAME) declare(r, target->name, one->start);
      for (uint32_t n = 0; target->kind == RLX_AST_TUPLE && n < target->child_count; n++)
        declare(r, target->children[n]->name, one->start);
    }
  }
  if (r->declared.count) qsort(r->declared.at, r->declared.count, sizeof *r->declared.at, by_name);
}

/// Whether the signature, or a statement of the function before `stmt`, gives the symbolic variable
/// a name to write: without quotes, for TVM reads "n" in signatures only.
static bool is_declared(RlxRefactor *r, const RlxStmt *stmt, const RlxSymVar *var) {
  const RlxStmt *def = rlx_island_of(stmt);
  const RlxAnalysis *unit = stmt->analysis;
  if (unit && unit->owner && rlx_fn_is_in_signature(var, unit->owner)) return true;
  if (!def) return false;
  note_declared(r, def);
  uint32_t low = 0, high = r->declared.count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (r->declared.at[middle].name < var->name)
      low = middle + 1;
    else
      high = middle;
  }
  return low < r->declared.count && r->declared.at[low].name == var->name &&
         r->declared.at[low].start < stmt->start;
}

/// Whether `s` can be written at `stmt`: its symbolic variables have names there, no device is
/// left to the module's list, and nothing is of dtype void.
static bool is_writable(RlxRefactor *r, const RlxStmt *stmt, const RlxSInfo *s) {
  enum { MOST = 64 };
  const RlxSymVar *vars[MOST];
  int count = 0;
  rlx_sinfo_vars(s, vars, &count, MOST);
  for (int i = 0; i < count; i++)
    if (!vars[i]->is_relax && !is_declared(r, stmt, vars[i])) return false;
  const char *text = sinfo_text(r, s);
  return count < MOST && !strstr(text, "vdevice") && !strstr(text, "\"void\"") &&
         !strstr(text, "T.void");
}

/// Whether the binding could have an annotation that it does not have. There is none for "void".
static bool can_annotate(const RlxStmt *stmt, const RlxBinding *b) {
  const RlxSInfo *s = b->var->sinfo;
  const bool is_void = s && s->kind == RLX_SINFO_PRIM && s->dtype.code == RLX_DTYPE_VOID;
  return stmt->kind == RLX_STMT_ASSIGN && b->kind == RLX_BINDING_VAR && !b->var->is_tainted &&
         !is_void && !rlx_is_wrong_list(stmt);
}

static RlxEdit annotation_of(RlxRefactor *r, const RlxStmt *stmt, const RlxBinding *b) {
  uint32_t at = rlx_stmt_absolute(stmt, stmt->targets[0]->span).end;
  const RlxAnalysis *unit = stmt->analysis;
  const RlxFn *fn = unit ? unit->owner : NULL;
  const RlxSInfoStyle style = fn ? rlx_fn_annotation_style(fn) : rlx_refactor_style(r);
  return (RlxEdit){rlx_span(at, at),
                   rlx_arena_printf(r->arena, ": %s", styled_text(r, b->var->sinfo, style))};
}

static void insert_annotation(RlxRefactor *r, const RlxStmt *stmt, const RlxBinding *b) {
  if (!can_annotate(stmt, b)) return;
  if (!is_writable(r, stmt, b->var->sinfo)) {
    rlx_refactor_refuse(r, RLX_REFACTOR_REWRITE, "insert annotation",
                        rlx_arena_printf(r->arena,
                                         "%s cannot be written here: not all of it has a name",
                                         told(r, b->var->sinfo)));
    return;
  }
  RlxEdit edit = annotation_of(r, stmt, b);
  rlx_refactor_offer(r, RLX_REFACTOR_REWRITE, "insert annotation", &edit, 1);
}

typedef Vec(RlxEdit) Edits;

/// Annotations of all bindings, up to `most`. One that takes some screens is left out: a function may
/// have thousands of those.
static void annotate_block(RlxRefactor *r, const RlxBlock *block, int depth, uint32_t most,
                           Edits *edits) {
  enum { NODES_MOST = 256 };
  for (uint32_t i = 0; block && depth < 100 && i < block->count && edits->count < most; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxBinding *b = binding_of(stmt);
    if (b && can_annotate(stmt, b) && b->var->sinfo->nodes <= NODES_MOST &&
        is_writable(r, stmt, b->var->sinfo))
      rlx_vec_push(edits, annotation_of(r, stmt, b));
    if (stmt->kind == RLX_STMT_DEF) continue;
    annotate_block(r, stmt->body, depth + 1, most, edits);
    annotate_block(r, stmt->orelse, depth + 1, most, edits);
  }
}

/// At the head of a function: annotations for all its bindings. For a listing it is enough that there
/// is one.
static void annotate_all(RlxRefactor *r, const RlxStmt *def) {
  const RlxAnalysis *unit = def->analysis;
  if (!unit || !unit->fn || unit->fn->kind != RLX_ISLAND_RELAX ||
      r->range.start > def->start + def->head_size)
    return;
  const char *title = rlx_arena_printf(r->arena, "insert annotations for all bindings of `%s`",
                                       rlx_store_text(r->store, def->name));
  if (!rlx_refactor_wants(r, title)) return;
  Edits edits = {0};
  const bool is_listed = r->ask->is_lazy && !r->ask->only;
  annotate_block(r, def->body, 0, is_listed ? 1 : UINT32_MAX, &edits);
  if (edits.count)
    rlx_refactor_offer(r, RLX_REFACTOR_REWRITE, title, edits.at, is_listed ? 0 : edits.count);
  rlx_vec_free(&edits);
}

/// Where the text behind `=` of an assignment starts; false when that is on another line.
static bool find_value(const RlxRefactor *r, const RlxStmt *stmt, uint32_t *out_from,
                       uint32_t *out_value) {
  uint32_t from = rlx_stmt_absolute(stmt, stmt->targets[0]->span).end, at = from,
           end = stmt->start + stmt->head_size;
  if (stmt->annotation) at = rlx_stmt_absolute(stmt, stmt->annotation->span).end;
  while (at < end && r->text[at] != '=') at++;
  if (at >= end || memchr(r->text + from, '\n', at - from)) return false;
  at++;
  while (at < end && r->text[at] == ' ') at++;
  *out_from = from;
  *out_value = at;
  return true;
}

/// `y = e` becomes `y = R.match_cast(e, S)`; an annotation goes.
static void cast_to(RlxRefactor *r, const RlxStmt *stmt, const RlxSInfo *s) {
  uint32_t from, at, end = stmt->start + stmt->head_size;
  if (!find_value(r, stmt, &from, &at)) return;
  const char *text = sinfo_text(r, s);
  RlxEdit edits[] = {{rlx_span(from, at), " = R.match_cast("},
                     {rlx_span(end, end), rlx_arena_printf(r->arena, ", %s)", text)}};
  rlx_refactor_offer(r, RLX_REFACTOR_REWRITE,
                     rlx_arena_printf(r->arena, "check with R.match_cast that `%s` is %s",
                                      rlx_store_text(r->store, stmt->targets[0]->name), told(r, s)),
                     edits, 2);
}

static void state_backward(RlxRefactor *r, const RlxStmt *stmt, const RlxBinding *b) {
  RlxBackward found;
  if (b->kind != RLX_BINDING_VAR || !rlx_file_backward_of(r->file, b->var, &found)) return;
  if (found.must) cast_to(r, stmt, found.must);
  if (found.may) cast_to(r, stmt, found.may);
}

/// `y = e` of known rank and unknown dimensions: they get names, `n = T.int64()` and `y =
/// R.match_cast(e, R.Tensor((n,), …))`.
static void name_dimensions(RlxRefactor *r, const RlxStmt *stmt, const RlxBinding *b) {
  static const char *const letters[] = {"n", "m", "k", "p", "q", "r", "s", "t", "u", "v"};
  enum { DIMS_MAX = 8 };
  const RlxSInfo *s = b->var->sinfo;
  RlxValue t;
  RlxSpan lines;
  uint32_t from, value, end = stmt->start + stmt->head_size;
  bool open = s->kind == RLX_SINFO_TENSOR && !s->dims && !s->shape_var && !s->vdevice &&
              s->ndim > 0 && s->ndim <= DIMS_MAX;
  if (!open || stmt->kind != RLX_STMT_ASSIGN || b->kind != RLX_BINDING_VAR || b->var->is_tainted ||
      rlx_refactor_is_used(r, "TypeVar"))
    return;
  if (!rlx_refactor_own_lines(r, stmt, &lines) || !find_value(r, stmt, &from, &value) ||
      !rlx_outer_lookup(r->file, stmt, rlx_store_intern(r->store, "T", 1), &t))
    return;
  RlxBuf before = {0}, pattern = {0};
  int next = 0;
  rlx_buf_puts(&pattern, ", R.Tensor((");
  for (int i = 0; i < s->ndim; i++) {
    const char *name = NULL;
    for (; next < 200 && !name; next++) {
      const char *letter = letters[next % 10];
      const char *candidate =
          next < 10 ? letter : rlx_arena_printf(r->arena, "%s%d", letter, next / 10);
      if (!rlx_refactor_is_used(r, candidate)) name = candidate;
    }
    if (!name) break;
    rlx_buf_putn(&before, r->text + lines.start, stmt->start - lines.start);
    rlx_buf_printf(&before, "%s = T.int64()\n", name);
    rlx_buf_printf(&pattern, "%s%s", i ? ", " : "", name);
  }
  char dtype[RLX_DTYPE_TEXT_MAX];
  rlx_buf_puts(&pattern, s->ndim == 1 ? ",)" : ")");
  if (rlx_dtype_known(s->dtype))
    rlx_buf_printf(&pattern, ", dtype=\"%s\"", rlx_dtype_text(s->dtype, dtype));
  rlx_buf_puts(&pattern, "))");
  RlxEdit edits[] = {
      {rlx_span(lines.start, lines.start), rlx_arena_strdup(r->arena, rlx_buf_text(&before))},
      {rlx_span(value, value), "R.match_cast("},
      {rlx_span(end, end), rlx_arena_strdup(r->arena, rlx_buf_text(&pattern))}};
  rlx_refactor_offer(r, RLX_REFACTOR_REWRITE,
                     rlx_arena_printf(r->arena, "name the dimensions of `%s` with R.match_cast",
                                      rlx_store_text(r->store, b->var->name)),
                     edits, 3);
  rlx_buf_free(&before);
  rlx_buf_free(&pattern);
}

/// The parameter under the cursor gets what the body requires of it as its annotation.
static void annotate_parameter(RlxRefactor *r, const RlxStmt *def) {
  const RlxAnalysis *unit = def->analysis;
  const RlxFn *fn = unit ? unit->fn : NULL;
  if (!fn || fn->kind != RLX_ISLAND_RELAX) return;
  for (uint32_t i = 0; i < def->param_count; i++) {
    const RlxParam *param = &def->params[i];
    if (!param->annotation) continue;
    RlxSpan whole =
        rlx_stmt_absolute(def, rlx_span(param->name_span.start, param->annotation->span.end));
    if (r->range.start < whole.start || r->range.start > whole.end) continue;
    RlxBackward found = {0};
    for (uint32_t k = 0; k < fn->function.param_count; k++)
      if (fn->function.params[k]->name == param->name &&
          !rlx_file_backward_of(r->file, fn->function.params[k], &found))
        return;
    RlxSInfoStyle style = rlx_refactor_style(r);
    style.is_quoted = rlx_sinfo_is_symbolic;
    for (int may = 0; may < 2; may++) {
      const RlxSInfo *s = may ? found.may : found.must;
      if (!s) continue;
      RlxBuf text = {0};
      rlx_sinfo_print_styled(r->store, s, &style, &text);
      RlxEdit edit = {rlx_stmt_absolute(def, param->annotation->span),
                      rlx_arena_strdup(r->arena, rlx_buf_text(&text))};
      rlx_refactor_offer(r, RLX_REFACTOR_REWRITE,
                         rlx_arena_printf(r->arena, "annotate `%s` as %s",
                                          rlx_store_text(r->store, param->name),
                                          rlx_buf_text(&text)),
                         &edit, 1);
      rlx_buf_free(&text);
    }
  }
}

// ---- bindings

/// Whether a statement behind the binding, in the same block, reads the variable: most do soon.
static bool is_read_behind(const RlxStmt *stmt, const RlxVar *var) {
  for (uint32_t i = stmt->index + 1; i < stmt->block->count; i++) {
    const RlxAnalysis *unit = stmt->block->stmts[i]->analysis;
    for (uint32_t k = 0; unit && k < unit->read_count; k++)
      if (unit->reads[k].thing == var) return true;
  }
  return false;
}

/// A binding that nothing reads goes, with its lines.
static void remove_unused(RlxRefactor *r, const RlxStmt *stmt, const RlxBinding *b) {
  const RlxAnalysis *unit = stmt->analysis;
  RlxSpan lines;
  if (b->kind != RLX_BINDING_VAR || unit->is_impure || !stmt->block || stmt->block->count < 2 ||
      is_read_behind(stmt, b->var))
    return;
  const RlxStmt *island = rlx_island_of(stmt);
  const RlxFn *fn = island && island->analysis ? ((const RlxAnalysis *)island->analysis)->fn : NULL;
  for (uint32_t i = 0; fn && i < fn->unused.count; i++)
    if (fn->unused.at[i] == unit) return; // RLX0217's fix
  if (rlx_is_branch_tail(stmt) || (island && rlx_misses_names(island)))
    return; // the value of an `if`, or perhaps what a misspelt name means
  RlxSpans uses = {0};
  rlx_file_references(r->file, rlx_stmt_absolute(stmt, b->var->span).start, &uses);
  if (uses.count == 1 && rlx_refactor_own_lines(r, stmt, &lines)) {
    RlxEdit edit = {lines, ""};
    rlx_refactor_offer(r, RLX_REFACTOR_REWRITE,
                       rlx_arena_printf(r->arena, "remove unused binding `%s`",
                                        rlx_store_text(r->store, b->var->name)),
                       &edit, 1);
  }
  rlx_vec_free(&uses);
}

static void offer_fix(RlxRefactor *r, RlxRefactorKind kind, const RlxFix *fix) {
  if (fix && fix->edit_count) rlx_refactor_offer(r, kind, fix->title, fix->edits, fix->edit_count);
}

/// Offers to make the text `changed`: what differs, as one edit.
static void offer_text(RlxRefactor *r, RlxRefactorKind kind, const char *title,
                       const RlxBuf *changed) {
  const char *now = rlx_buf_text(changed);
  uint32_t start = 0, end = r->size, now_end = (uint32_t)changed->size;
  while (start < end && start < now_end && now[start] == r->text[start]) start++;
  while (end > start && now_end > start && now[now_end - 1] == r->text[end - 1]) end--, now_end--;
  while (start > 0 && rlx_utf8_is_continuation(r->text[start])) start--; // not inside a character
  while (end < r->size && rlx_utf8_is_continuation(r->text[end])) end++, now_end++;
  RlxEdit edit = {rlx_span(start, end), rlx_arena_strndup(r->arena, now + start, now_end - start)};
  rlx_refactor_offer(r, kind, title, &edit, 1);
}

/// A rewriting of the function `def` in a normal form.
static void normalize(RlxRefactor *r, const RlxNormalize *how, const char *verb, const char *form) {
  RlxBuf changed = {0};
  const char *title = rlx_arena_printf(r->arena, "%s `%s`%s", verb,
                                       rlx_store_text(r->store, how->only->name), form);
  if (!rlx_refactor_wants(r, title)) return;
  if (rlx_file_normalize(r->file, how, &changed))
    offer_text(r, RLX_REFACTOR_REWRITE, title, &changed);
  rlx_buf_free(&changed);
}

/// Whether a call stands inside of another one, somewhere in the block.
static bool has_nested(const RlxBlock *block, int depth) {
  for (uint32_t i = 0; block && depth < 100 && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    for (uint32_t k = 0; unit && k < unit->binding_count; k++)
      if (unit->bindings[k]->var->is_temporary) return true;
    if (has_nested(stmt->body, depth + 1) || has_nested(stmt->orelse, depth + 1)) return true;
  }
  return false;
}

/// The call of `def` around byte `at` inlined, or all (UINT32_MAX); with the reason where none can be.
static void offer_inlined(RlxRefactor *r, const RlxStmt *def, uint32_t at, const char *what) {
  RlxBuf changed = {0}, why = {0};
  const char *title =
      rlx_arena_printf(r->arena, "%s `%s`", what, rlx_store_text(r->store, def->name));
  if (!rlx_refactor_wants(r, title)) return;
  if (rlx_refactor_is_for_later(r))
    rlx_refactor_offer(r, RLX_REFACTOR_INLINE, title, NULL, 0);
  else if (rlx_inline_function(r->file, def, at, &changed, &why))
    offer_text(r, RLX_REFACTOR_INLINE, title, &changed);
  else if (why.size)
    rlx_refactor_refuse(
        r, RLX_REFACTOR_INLINE, title,
        rlx_arena_strndup(r->arena, rlx_buf_text(&why), strcspn(rlx_buf_text(&why), "\n")));
  rlx_buf_free(&changed);
  rlx_buf_free(&why);
}

/// At a call: the function's statements in its place; there and at the function's name: in the place
/// of all calls.
static void inline_function(RlxRefactor *r, const RlxStmt *stmt) {
  const RlxStmt *def = rlx_inline_called_at(r->file, r->range.start);
  if (def) offer_inlined(r, def, r->range.start, "inline function");
  bool is_name = stmt->kind == RLX_STMT_DEF &&
                 r->range.start >= stmt->start + stmt->name_span.start &&
                 r->range.start <= stmt->start + stmt->name_span.end;
  bool is_call = def != NULL;
  if (!def && is_name) def = stmt;
  uint32_t count = def ? rlx_inline_call_count(r->file, def) : 0;
  if (count > is_call) offer_inlined(r, def, UINT32_MAX, "inline all calls of function");
}

/// The normal forms of the function around the cursor. Those of a large one, or in a large file, which
/// is read again for each, are made when one is chosen: the cursor moves on.
static void normal_forms(RlxRefactor *r, const RlxStmt *stmt) {
  enum { FUNCTION_BYTES_MOST = 8 * 1024, FILE_BYTES_MOST = 128 * 1024 };
  const RlxStmt *def = NULL;
  for (; stmt && !def; stmt = stmt->block ? stmt->block->parent : NULL) {
    const RlxAnalysis *unit = stmt->analysis;
    if (unit && unit->fn && !unit->owner && unit->fn->kind == RLX_ISLAND_RELAX) def = stmt;
  }
  if (!def) return;
  if (r->ask->is_lazy && !r->ask->only &&
      (def->size > FUNCTION_BYTES_MOST || r->size > FILE_BYTES_MOST)) {
    const char *name = rlx_store_text(r->store, def->name);
    static const char *const forms[] = {" into normal form", " into t-anf"};
    for (int i = 0; i < 2 && has_nested(def->body, 0); i++)
      rlx_refactor_offer(r, RLX_REFACTOR_REWRITE,
                         rlx_arena_printf(r->arena, "bring `%s`%s", name, forms[i]), NULL, 0);
    return;
  }
  normalize(r, &(RlxNormalize){.only = def}, "bring", " into normal form");
  normalize(r, &(RlxNormalize){.only = def, .t_anf = true}, "bring", " into t-anf");
  normalize(r, &(RlxNormalize){.only = def, .canonical = true}, "canonicalize the bindings of", "");
}

/// The binding at the place is written where it is used, or the reason is given why it can't be.
static void inline_binding(RlxRefactor *r) {
  const RlxFix *fix = rlx_file_inline_at(r->file, r->range.start, r->arena);
  const char *title,
      *reason = fix || !r->ask->is_disabled
                    ? NULL
                    : rlx_file_inline_refusal(r->file, r->range.start, r->arena, &title);
  offer_fix(r, RLX_REFACTOR_INLINE, fix);
  if (reason) rlx_refactor_refuse(r, RLX_REFACTOR_INLINE, title, reason);
}

void rlx_file_refactorings(RlxFile *file, RlxSpan range, bool backward, RlxArena *arena,
                           RlxRefactorings *out) {
  rlx_file_refactor(file, range, &(RlxRefactorAsk){.backward = backward}, arena, out);
}

void rlx_file_refactor(RlxFile *file, RlxSpan range, const RlxRefactorAsk *ask, RlxArena *arena,
                       RlxRefactorings *out) {
  const bool backward = ask->backward;
  rlx_file_analyze(file, NULL);
  RlxRefactor r = {
      .file = file, .store = file->store, .range = range, .arena = arena, .out = out, .ask = ask};
  r.text = rlx_document_text(file->document, &r.size);
  if (range.start > r.size) return;
  if (range.end > range.start) rlx_refactor_extract(&r);
  const RlxStmt *stmt = rlx_document_stmt_at(file->document, range.start);
  if (!stmt || range.start < stmt->start || range.start > stmt->start + stmt->size) return;
  const RlxBinding *b = binding_of(stmt);
  if (b) {
    insert_annotation(&r, stmt, b);
    if (backward) state_backward(&r, stmt, b);
    name_dimensions(&r, stmt, b);
    remove_unused(&r, stmt, b);
  }
  if (stmt->kind == RLX_STMT_DEF && backward) annotate_parameter(&r, stmt);
  if (stmt->kind == RLX_STMT_DEF) annotate_all(&r, stmt);
  rlx_vec_free(&r.declared);
  inline_function(&r, stmt);
  const RlxAnalysis *unit = stmt->analysis;
  if (!unit || !unit->owner) return;
  offer_fix(&r, RLX_REFACTOR_EXTRACT, rlx_file_bind_at(file, range.start, arena));
  inline_binding(&r);
  normal_forms(&r, stmt);
}
