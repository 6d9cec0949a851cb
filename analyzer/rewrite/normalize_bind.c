/// Normalization, first half: nested calls get names and stand in front of their statement.
/// Always true: evaluation order stays; a statement whose temporaries are not pieces of its own
/// text is left alone.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/function/files.h"
#include "analyzer/rewrite/normalize_edits.h"
#include "analyzer/state/state.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"

// ---- names

struct RlxTemporaryNames {
  RlxArena *arena;
  RlxMap by_var;
  const RlxStmt *def;
  RlxMap used; ///< hashes of the words in the island's text
  uint32_t next_lv, next_gv;
};

static void collect_words(RlxTemporaryNames *n, const char *text, uint32_t size) {
  for (uint32_t i = 0; i < size;) {
    uint32_t start = i;
    while (i < size && rlx_text_in_name(text[i])) i++;
    if (i > start && (text[start] == 'l' || text[start] == 'g'))
      rlx_map_put(&n->used, rlx_hash_bytes(text + start, i - start, 0), 1);
    if (i == start) i++;
  }
}

static const char *fresh(RlxTemporaryNames *n, bool in_dataflow) {
  const char *base = in_dataflow ? "lv" : "gv";
  uint32_t *next = in_dataflow ? &n->next_lv : &n->next_gv;
  for (;;) {
    char text[24];
    int size = *next ? snprintf(text, sizeof text, "%s%u", base, *next)
                     : snprintf(text, sizeof text, "%s", base);
    (*next)++;
    if (!rlx_map_get(&n->used, rlx_hash_bytes(text, (size_t)size, 0), NULL))
      return rlx_arena_strdup(n->arena, text);
  }
}

static void name_block(RlxTemporaryNames *n, RlxFile *file, const RlxBlock *block, bool t_anf) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    RlxArenaMark mark = rlx_arena_mark(n->arena);
    RlxTemporaries t = rlx_temporaries(file, stmt, t_anf, n->arena);
    if (!t.count) rlx_arena_rewind(n->arena, mark);
    for (uint32_t k = 0; k < t.count; k++)
      rlx_map_put_ptr(&n->by_var, t.at[k]->var, fresh(n, t.at[k]->var->in_dataflow));
    name_block(n, file, stmt->body, t_anf);
    name_block(n, file, stmt->orelse, t_anf);
  }
}

const RlxStmt *rlx_island_of(const RlxStmt *stmt) {
  for (; stmt; stmt = stmt->block ? stmt->block->parent : NULL) {
    const RlxAnalysis *unit = stmt->analysis;
    if (unit && unit->kind == RLX_UNIT_ISLAND) return stmt;
  }
  return NULL;
}

RlxTemporaryNames *rlx_temporary_names(RlxFile *file, const RlxStmt *stmt, bool t_anf) {
  const RlxStmt *def = rlx_island_of(stmt);
  if (!def) return NULL;
  RlxTemporaryNames *n = rlx_mem_zeroed(1, sizeof *n);
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  n->arena = rlx_arena_new();
  n->def = def;
  collect_words(n, text + def->start, def->size);
  name_block(n, file, def->body, t_anf);
  return n;
}

bool rlx_temporary_names_are_of(const RlxTemporaryNames *names, const RlxStmt *stmt) {
  return names && names->def == rlx_island_of(stmt);
}

const char *rlx_temporary_name(const RlxTemporaryNames *names, const RlxVar *var) {
  return rlx_map_get_ptr(&names->by_var, var);
}

void rlx_temporary_names_free(RlxTemporaryNames *n) {
  if (!n) return;
  rlx_map_free(&n->by_var);
  rlx_map_free(&n->used);
  rlx_arena_free(n->arena);
  free(n);
}

// ---- temporaries

static bool has_effect(const RlxBinding *b) {
  if (b->value->kind != RLX_EXPR_CALL) return false;
  const RlxCall *call = b->value->call;
  return !call->row || call->row->purity != RLX_OP_PURE;
}

typedef struct Placed {
  RlxSpan span;
  uint32_t index;
} Placed;

static int by_place(const void *a, const void *b) {
  const Placed *x = a, *y = b;
  if (x->span.start != y->span.start) return x->span.start < y->span.start ? -1 : 1;
  if (x->span.end != y->span.end) return x->span.end > y->span.end ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

static void index_temporaries(RlxTemporaries *t, RlxArena *arena) {
  Placed *placed = rlx_mem_alloc(t->count + 1, sizeof *placed);
  for (uint32_t i = 0; i < t->count; i++) {
    placed[i] = (Placed){t->at[i]->span, i};
    t->effects += has_effect(t->at[i]);
  }
  qsort(placed, t->count, sizeof *placed, by_place);
  t->by_start = rlx_arena_array(arena, uint32_t, t->count);
  for (uint32_t i = 0; i < t->count; i++) t->by_start[i] = placed[i].index;
  free(placed);
}

/// The first place in `by_start` of one that starts at `start` or behind it.
static uint32_t first_from(const RlxTemporaries *t, uint32_t start) {
  uint32_t low = 0, high = t->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (t->at[t->by_start[middle]]->span.start < start)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t rlx_temporaries_find(const RlxTemporaries *t, RlxSpan span) {
  for (uint32_t i = first_from(t, span.start); i < t->count; i++) {
    RlxSpan at = t->at[t->by_start[i]]->span;
    if (at.start != span.start) break;
    if (at.end == span.end) return t->by_start[i];
  }
  return t->count;
}

bool rlx_is_wrong_list(const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  if (stmt->kind != RLX_STMT_ASSIGN || !stmt->value || !unit ||
      (stmt->value->kind != RLX_AST_LIST && stmt->value->kind != RLX_AST_DICT &&
       stmt->value->kind != RLX_AST_COMPREHENSION))
    return false;
  return rlx_unit_has_error(unit);
}

RlxTemporaries rlx_temporaries(RlxFile *file, const RlxStmt *stmt, bool t_anf, RlxArena *arena) {
  RlxBinding *const *all;
  uint32_t count = 0;
  RlxTemporaries t = {.stmt = stmt};
  uint32_t size;
  if (rlx_is_wrong_list(stmt)) return t;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  rlx_file_stmt_bindings(file, stmt, &all, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (!all[i]->var->is_temporary || all[i]->value->kind == RLX_EXPR_HOLE) continue;
    const RlxSpan at = rlx_stmt_absolute(stmt, all[i]->span);
    if (rlx_text_is_name(text + at.start, at.end - at.start)) continue; // a part of it, for a star
    if (t_anf && all[i]->value->kind == RLX_EXPR_TUPLE_GET && all[i]->kind == RLX_BINDING_VAR)
      continue;
    if (!t.at) t.at = rlx_arena_array(arena, RlxBinding *, count);
    t.at[t.count++] = all[i];
  }
  if (t.count) index_temporaries(&t, arena);
  return t;
}

typedef struct Binder {
  const char *text;
  const RlxLines *lines; ///< of it
  const RlxTemporaryNames *names;
  RlxTemporaries *t;
} Binder;

bool rlx_is_enclosed(const char *text, size_t size) {
  int depth = 0;
  for (size_t i = 0; i < size; i++) {
    if (strchr("([{", text[i]))
      depth++;
    else if (strchr(")]}", text[i])) {
      if (--depth == 0 && i + 1 < size) return false;
    } else if (depth == 0 && !isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '.')
      return false;
  }
  return depth == 0;
}

/// The outermost temporary below number `limit` that stands in `span` first.
static const RlxBinding *first_in(const Binder *b, uint32_t limit, RlxSpan span) {
  const RlxTemporaries *t = b->t;
  for (uint32_t i = limit ? first_from(t, span.start) : t->count; i < t->count; i++) {
    const RlxBinding *at = t->at[t->by_start[i]];
    if (at->span.start >= span.end) break;
    if (t->by_start[i] < limit && at->span.end <= span.end && at->span.end > at->span.start)
      return at;
  }
  return NULL;
}

/// Text of `span` with the temporaries inside it (numbers below `limit`) replaced by their names.
static void write_span(const Binder *b, uint32_t limit, RlxSpan span, RlxBuf *out) {
  const char *text = b->text + b->t->stmt->start;
  const RlxBinding *next;
  while (span.start < span.end && (next = first_in(b, limit, span)) != NULL) {
    rlx_buf_putn(out, text + span.start, next->span.start - span.start);
    rlx_buf_puts(out, rlx_temporary_name(b->names, next->var));
    span.start = next->span.end;
  }
  rlx_buf_putn(out, text + span.start, span.end - span.start);
}

/// `name = value`, the value in parentheses where it would end at a line's end.
static void write_binding(const Binder *b, uint32_t index, uint32_t limit, RlxBuf *out) {
  RlxBuf value = {0};
  write_span(b, limit, b->t->at[index]->span, &value);
  const char *text = rlx_buf_text(&value);
  bool wraps = memchr(text, '\n', value.size) && !rlx_is_enclosed(text, value.size);
  rlx_buf_printf(out, wraps ? "%s = (%s)" : "%s = %s",
                 rlx_temporary_name(b->names, b->t->at[index]->var), text);
  rlx_buf_free(&value);
}

/// Every temporary stands for a piece of the statement's own text that no other one stands for.
static bool all_are_pieces(const Binder *b) {
  const RlxTemporaries *t = b->t;
  const RlxStmt *stmt = t->stmt;
  if (!t->count || stmt->has_error || (stmt->kind != RLX_STMT_IF && stmt->body)) return false;
  for (uint32_t i = 0; i < t->count; i++) {
    const RlxBinding *at = t->at[t->by_start[i]];
    if (at->span.end <= at->span.start || at->span.end > stmt->head_size ||
        !rlx_temporary_name(b->names, at->var))
      return false;
    const RlxBinding *next = i + 1 < t->count ? t->at[t->by_start[i + 1]] : NULL;
    if (next && next->span.start == at->span.start && next->span.end == at->span.end) return false;
  }
  return true;
}

static bool can_bind(const Binder *b) {
  if (b->t->judged != b->names) b->t->can_bind = all_are_pieces(b);
  b->t->judged = b->names;
  return b->t->can_bind;
}

// ---- where they go

static void push_edit(RlxTextEdits *out, RlxArena *arena, RlxSpan span, const char *text) {
  rlx_vec_push(out, (RlxEdit){span, rlx_arena_strdup(arena, text)});
}

/// Replaces the outermost temporaries in the statement's own part by their names.
static void replace_in_head(const Binder *b, RlxArena *arena, RlxTextEdits *out) {
  RlxSpan rest = rlx_span(0, b->t->stmt->head_size);
  const RlxBinding *next;
  while (rest.start < rest.end && (next = first_in(b, b->t->count, rest)) != NULL) {
    push_edit(out, arena, rlx_stmt_absolute(b->t->stmt, next->span),
              rlx_temporary_name(b->names, next->var));
    rest.start = next->span.end;
  }
}

bool rlx_has_long_string(const char *text, RlxSpan span) {
  for (uint32_t i = span.start; i + 2 < span.end; i++)
    if ((text[i] == '"' || text[i] == '\'') && text[i + 1] == text[i] && text[i + 2] == text[i])
      return true;
  return false;
}

/// `elif c:` becomes `else:` and `if c:` one step further in, so that there is room in front of the
/// condition.
static void bind_elif(const Binder *b, RlxArena *arena, RlxTextEdits *out) {
  const RlxStmt *stmt = b->t->stmt;
  const char *text = b->text, *newline = rlx_newline_at(text, stmt->start);
  uint32_t line = rlx_line_start(text, stmt->start), end = stmt->start + stmt->size;
  if (!rlx_has_own_line(text, stmt, line) || strncmp(text + stmt->start, "elif", 4) != 0 ||
      rlx_has_long_string(text, rlx_span(stmt->start, end)))
    return;
  const char *indent = rlx_arena_strndup(arena, text + line, stmt->start - line), *step = "    ";
  if (stmt->body && stmt->body->count) {
    const RlxStmt *first = stmt->body->stmts[0];
    uint32_t inner = rlx_line_start(text, first->start);
    uint32_t outer_size = stmt->start - line, inner_size = first->start - inner;
    if (rlx_has_own_line(text, first, inner) && inner_size > outer_size &&
        memcmp(text + inner, text + line, outer_size) == 0)
      step = rlx_arena_strndup(arena, text + inner + outer_size, inner_size - outer_size);
  }
  RlxBuf before = {0};
  rlx_buf_printf(&before, "else:%s%s%s", newline, indent, step);
  for (uint32_t i = 0; i < b->t->count; i++) {
    write_binding(b, i, i, &before);
    rlx_buf_printf(&before, "%s%s%s", newline, indent, step);
  }
  rlx_buf_puts(&before, "if");
  push_edit(out, arena, rlx_span(stmt->start, stmt->start + 4), rlx_buf_text(&before));
  rlx_buf_free(&before);
  replace_in_head(b, arena, out);
  for (uint32_t i = stmt->start + stmt->head_size; i < end; i++)
    if (text[i] == '\n' && i + 1 < end && text[i + 1] != '\n' && text[i + 1] != '\r')
      push_edit(out, arena, rlx_span(i + 1, i + 1), step);
}

/// TVM forgets the annotation of a value with nested calls; what it annotates then is written
/// instead.
static void keep_sinfo(RlxFile *file, const RlxStmt *stmt, RlxArena *arena, RlxTextEdits *out) {
  RlxBinding *const *all;
  uint32_t count = 0;
  rlx_file_stmt_bindings(file, stmt, &all, &count);
  const RlxBinding *b = count ? all[count - 1] : NULL;
  if (!b || stmt->kind != RLX_STMT_ANNOTATED || !stmt->annotation || !b->annotated ||
      b->annotated == b->var->sinfo || b->var->is_tainted)
    return;
  RlxBuf text = {0};
  const RlxAnalysis *unit = stmt->analysis;
  const RlxSInfoStyle style = rlx_dialect_sinfo_style((RlxDialect)unit->owner->dialect);
  rlx_sinfo_print_styled(file->store, b->var->sinfo, &style, &text);
  push_edit(out, arena, rlx_stmt_absolute(stmt, stmt->annotation->span), rlx_buf_text(&text));
  rlx_buf_free(&text);
}

/// Where the statement's line starts; a line may have thousands of statements.
static uint32_t line_of(const Binder *b, const RlxStmt *stmt) {
  return rlx_lines_start(b->lines, rlx_lines_locate(b->lines, stmt->start).line);
}

static void bind_statement(const Binder *b, RlxArena *arena, RlxTextEdits *out) {
  const RlxStmt *stmt = b->t->stmt;
  const char *text = b->text;
  uint32_t line = line_of(b, stmt);
  bool own = rlx_has_own_line(text, stmt, line);
  RlxBuf before = {0};
  for (uint32_t i = 0; i < b->t->count; i++) {
    write_binding(b, i, i, &before);
    if (own) {
      rlx_buf_puts(&before, rlx_newline_at(text, stmt->start));
      rlx_buf_putn(&before, text + line, stmt->start - line);
    } else
      rlx_buf_puts(&before, "; "); // behind a `:` or a `;`
  }
  push_edit(out, arena, rlx_span(stmt->start, stmt->start), rlx_buf_text(&before));
  rlx_buf_free(&before);
  replace_in_head(b, arena, out);
}

void rlx_expand_edits(RlxFile *file, const RlxStmt *stmt, bool inlined, RlxArena *arena,
                      RlxTextEdits *out) {
  RlxBinding *const *all;
  uint32_t count = 0;
  rlx_file_stmt_bindings(file, stmt, &all, &count);
  for (uint32_t i = 0; i < count && !stmt->has_error; i++) {
    const RlxExpr *x = all[i]->value;
    const RlxOpRow *row = x->kind == RLX_EXPR_CALL ? x->call->row : NULL;
    for (int k = 0; row && k < row->param_count && k < (int)x->call->arg_count; k++) {
      const RlxValue *v = &x->call->args[k];
      bool is_wanted = row->params[k].tuple_form == RLX_TUPLE_EXPANDED ||
                       (inlined && row->params[k].tuple_form == RLX_TUPLE_INLINE);
      if (!is_wanted || v->kind != RLX_VALUE_EXPR || v->expr->kind != RLX_EXPR_VAR ||
          v->expr->var->is_temporary)
        continue;
      const RlxSInfo *sinfo = v->expr->var->sinfo;
      if (sinfo->kind != RLX_SINFO_TUPLE || sinfo->count > 64 ||
          v->expr->span.end <= v->expr->span.start || v->expr->span.end > stmt->head_size)
        continue;
      const char *name = rlx_store_text(file->store, v->expr->var->name);
      RlxBuf fields = {0};
      rlx_buf_putc(&fields, '(');
      for (int f = 0; f < sinfo->count; f++)
        rlx_buf_printf(&fields, "%s%s[%d]", f ? ", " : "", name, f);
      rlx_buf_puts(&fields, sinfo->count == 1 ? ",)" : ")");
      push_edit(out, arena, rlx_stmt_absolute(stmt, v->expr->span), rlx_buf_text(&fields));
      rlx_buf_free(&fields);
    }
  }
}

void rlx_bind_edits(RlxFile *file, const RlxBlock *block, const RlxTemporaryNames *names,
                    bool t_anf, RlxArena *arena, RlxTextEdits *out) {
  uint32_t size = 0;
  const RlxDocument *document = rlx_file_document(file);
  Binder b = {.text = rlx_document_text(document, &size),
              .lines = rlx_document_lines(document),
              .names = names};
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    RlxTemporaries t = rlx_temporaries(file, stmt, t_anf, arena);
    b.t = &t;
    if (can_bind(&b) && stmt->kind == RLX_STMT_IF && stmt->is_elif) {
      uint32_t before = out->count;
      bind_elif(&b, arena, out);
      if (out->count > before) continue; // what is in it moves: next round
    } else if (can_bind(&b)) {
      bind_statement(&b, arena, out);
      keep_sinfo(file, stmt, arena, out);
    } else
      rlx_expand_edits(file, stmt, t_anf, arena, out);
    rlx_bind_edits(file, stmt->body, names, t_anf, arena, out);
    rlx_bind_edits(file, stmt->orelse, names, t_anf, arena, out);
  }
}

bool rlx_bind_one(RlxFile *file, RlxTemporaries *t, uint32_t index, const RlxTemporaryNames *names,
                  RlxArena *arena, RlxTextEdits *out) {
  uint32_t size = 0;
  const RlxDocument *document = rlx_file_document(file);
  Binder b = {.text = rlx_document_text(document, &size),
              .lines = rlx_document_lines(document),
              .names = names,
              .t = t};
  const RlxStmt *stmt = t->stmt;
  if (!can_bind(&b) || (stmt->kind == RLX_STMT_IF && stmt->is_elif)) return false;
  RlxSpan span = t->at[index]->span;
  for (uint32_t i = 0; t->effects && i < index; i++) { // evaluated before it and not a part of it
    bool inside = t->at[i]->span.start >= span.start && t->at[i]->span.end <= span.end;
    if (!inside && (has_effect(t->at[i]) || has_effect(t->at[index]))) return false;
  }
  uint32_t line = line_of(&b, stmt);
  RlxBuf before = {0};
  write_binding(&b, index, 0, &before);
  if (rlx_has_own_line(b.text, stmt, line)) {
    rlx_buf_puts(&before, rlx_newline_at(b.text, stmt->start));
    rlx_buf_putn(&before, b.text + line, stmt->start - line);
  } else
    rlx_buf_puts(&before, "; ");
  push_edit(out, arena, rlx_span(stmt->start, stmt->start), rlx_buf_text(&before));
  rlx_buf_free(&before);
  keep_sinfo(file, stmt, arena, out); // an annotation stands before its value
  push_edit(out, arena, rlx_stmt_absolute(stmt, span),
            rlx_temporary_name(names, t->at[index]->var));
  return true;
}
