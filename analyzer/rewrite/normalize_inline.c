/// Normalization, second half: under t-anf, other names for a value, tuples and their accesses are
/// written where they are used; under the canonical form, bindings that say nothing new go. This
/// file has the pass over a function and the edits it makes.
/// Always true: a text is only written where every name in it means what it meant at the binding; a
/// binding whose annotation says something else than its value becomes a match_cast, so that
/// StructInfo stays; the last binding of a branch stays, because it is what the branch gives.
#include <string.h>

#include "analyzer/function/files.h"
#include "analyzer/rewrite/normalize_inline.h"
#include "analyzer/state/state.h"
#include "base/hash.h"

enum { RUNS_MOST = 32 };

// ---- edits

static void edit(RlxInliner *n, const RlxStmt *stmt, RlxSpan span, const char *text) {
  rlx_vec_push(n->out, (RlxEdit){rlx_stmt_absolute(stmt, span), text});
}

static void take_subs(RlxInliner *n, RlxGather *g) {
  for (uint32_t i = 0; n->out && i < g->subs.count; i++)
    edit(n, g->stmt, g->subs.at[i].span, g->subs.at[i].text);
}

/// Where the text behind `=` starts, relative.
static uint32_t value_start(const RlxInliner *n, const RlxStmt *stmt) {
  const char *text = n->text + stmt->start;
  uint32_t at = stmt->annotation->span.end;
  while (at < stmt->value->span.start && text[at] != '=') at++;
  at++;
  while (at < stmt->value->span.start && (text[at] == ' ' || text[at] == '\t')) at++;
  return at;
}

/// The StructInfo that `y: S = x` gives `y`: S, in its own words unless x says more.
static const char *pattern_of(RlxInliner *n, RlxGather *g, const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  const RlxBinding *b = unit->binding_count ? unit->bindings[unit->binding_count - 1] : NULL;
  if (b && b->annotated && b->annotated != b->var->sinfo) {
    RlxBuf text = {0};
    RlxSInfoStyle style = rlx_dialect_sinfo_style((RlxDialect)unit->owner->dialect);
    style.is_argument = true;
    rlx_sinfo_print_styled(n->store, b->var->sinfo, &style, &text);
    const char *pattern = rlx_arena_strdup(n->arena, rlx_buf_text(&text));
    rlx_buf_free(&text);
    return pattern;
  }
  bool annotation = n->in_annotation;
  n->in_annotation = true;
  const char *pattern = rlx_inline_render(n, g, stmt->annotation);
  n->in_annotation = annotation;
  return pattern;
}

/// Makes the tuples in a tuple expressions of Relax, too.
static void field_edits(RlxInliner *n, const RlxStmt *stmt, const RlxAst *tuple,
                        RlxTextEdits *out) {
  for (uint32_t i = 0; i < tuple->child_count; i++) {
    const RlxAst *field = tuple->children[i];
    if (field->kind != RLX_AST_TUPLE) continue;
    const RlxSpan place = rlx_span(field->span.start, field->span.start);
    rlx_vec_push(out, (RlxEdit){rlx_stmt_absolute(stmt, place),
                                rlx_arena_printf(n->arena, "%s.tuple", n->prefix)});
    field_edits(n, stmt, field, out);
  }
}

/// `y: S = x` becomes `y = R.match_cast(x, S)`, a tuple `R.tuple(…)`, because R.match_cast takes no
/// tuple of Python.
static void cast_edits(RlxInliner *n, RlxGather *g, const RlxStmt *stmt, RlxTextEdits *out) {
  const char *pattern = pattern_of(n, g, stmt);
  if (!pattern) return;
  bool is_bare = stmt->annotation->kind == RLX_AST_ATTRIBUTE && !strchr(pattern, '('),
       is_tuple = stmt->value->kind == RLX_AST_TUPLE,
       is_open = is_tuple && !stmt->value->is_parenthesized;
  uint32_t at = value_start(n, stmt);
  rlx_vec_push(out, (RlxEdit){rlx_stmt_absolute(stmt, rlx_span(stmt->targets[0]->span.end,
                                                               stmt->annotation->span.end)),
                              ""});
  const char *tuple = rlx_arena_printf(n->arena, "%s.tuple%s", n->prefix, is_open ? "(" : "");
  bool is_wrapped = is_tuple && stmt->value->span.start > at; // ((x, y))
  rlx_vec_push(out, (RlxEdit){rlx_stmt_absolute(stmt, rlx_span(at, at)),
                              rlx_arena_printf(n->arena, "%s.match_cast(%s", n->prefix,
                                               is_tuple && !is_wrapped ? tuple : "")});
  if (is_wrapped)
    rlx_vec_push(out, (RlxEdit){rlx_stmt_absolute(stmt, rlx_span(stmt->value->span.start,
                                                                 stmt->value->span.start)),
                                tuple});
  if (is_tuple) field_edits(n, stmt, stmt->value, out);
  rlx_vec_push(out, (RlxEdit){rlx_stmt_absolute(stmt, rlx_span(stmt->head_size, stmt->head_size)),
                              rlx_arena_printf(n->arena, "%s, %s%s)", is_open ? ")" : "", pattern,
                                               is_bare ? "()" : "")});
}

// ---- the walk

static bool is_value_kind(const RlxExpr *x) {
  return x->kind == RLX_EXPR_TUPLE_GET || (x->kind != RLX_EXPR_HOLE && rlx_expr_is_leaf(x));
}

bool rlx_inline_is_value(const RlxBinding *b) {
  return b->kind == RLX_BINDING_VAR && is_value_kind(b->value);
}

static bool is_candidate(const RlxInliner *n, const RlxStmt *stmt, const RlxBinding *b) {
  if (b->var->is_temporary || b->var->is_tainted || rlx_map_get_ptr(&n->kept, b->var) ||
      rlx_is_branch_tail(stmt))
    return false;
  bool says_more = b->kind == RLX_BINDING_VAR && b->var->sinfo != b->value->sinfo;
  if (n->how->canonical && !says_more && rlx_inline_canonical(n, b))
    return n->how->t_anf || !rlx_map_get_ptr(&n->outputs, b->var) ||
           rlx_map_get_ptr(&n->renamed, rlx_inline_canonical(n, b));
  return n->how->t_anf && rlx_inline_is_value(b);
}

static void gather_statement(RlxInliner *n, RlxGather *g, const RlxStmt *stmt) {
  if (stmt->value) rlx_inline_gather(n, g, stmt->value);
  if (stmt->message) rlx_inline_gather(n, g, stmt->message);
  n->in_annotation = true;
  if (stmt->annotation) rlx_inline_gather(n, g, stmt->annotation);
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    if (stmt->params[i].annotation) rlx_inline_gather(n, g, stmt->params[i].annotation);
  }
  n->in_annotation = false;
  for (uint32_t i = 0; i < stmt->item_count; i++) rlx_inline_gather(n, g, stmt->items[i].value);
}

static bool has_other_statements(const RlxInliner *n, const RlxStmt *stmt) {
  for (uint32_t i = 0; i < stmt->block->count; i++)
    if (stmt->block->stmts[i] != stmt && !rlx_is_output(n->store, stmt->block->stmts[i]))
      return true;
  return false;
}

/// Notes that `b` goes; its text is what it stands for here.
static void add_item(RlxInliner *n, RlxGather *g, const RlxStmt *stmt, const RlxBinding *b) {
  RlxInlineItem item = {.binding = b,
                        .stmt = stmt,
                        .can_apply = true,
                        .is_alias = b->value->kind != RLX_EXPR_TUPLE &&
                                    b->value->kind != RLX_EXPR_TUPLE_GET &&
                                    b->value->kind != RLX_EXPR_SHAPE};
  const RlxVar *x = b->value->kind == RLX_EXPR_VAR ? b->value->var : NULL;
  const char *name = x ? rlx_map_get_ptr(&n->renamed, x) : NULL;
  item.is_cast = b->kind == RLX_BINDING_VAR && b->var->sinfo != b->value->sinfo;
  item.is_renamed = n->out && name && strcmp(name, rlx_store_text(n->store, b->var->name)) == 0;
  RlxGather own = {.stmt = stmt};
  item.text = item.is_cast ? "" : rlx_inline_text(n, &own, &item);
  if (item.shape_text && !*item.shape_text) item.shape_text = NULL;
  for (uint32_t i = 0; i < own.mentions.count && !item.is_renamed; i++) {
    rlx_vec_push(&item.mentions, own.mentions.at[i]);
    rlx_gather_mention(g, own.mentions.at[i].name, own.mentions.at[i].thing);
  }
  if (item.is_renamed) rlx_vec_push(&item.mentions, (RlxMention){b->var->name, x});
  rlx_gather_free(&own);
  if (!item.text || (item.is_cast && stmt->kind != RLX_STMT_ANNOTATED)) {
    rlx_vec_free(&item.mentions);
    return;
  }
  if (!n->out && item.is_cast)
    cast_edits(n, g, stmt, &item.edits);
  else if (!n->out) {
    item.can_apply = stmt->targets[0]->kind == RLX_AST_NAME && rlx_inline_is_plain(stmt, false) &&
                     has_other_statements(n, stmt);
    rlx_vec_push(&item.edits, rlx_removal(n->text, stmt));
  }
  rlx_vec_push(&n->items, item);
  rlx_map_put(&n->item_of, (uint64_t)(uintptr_t)b->var, n->items.count);
}

/// What is left of `a, b = …` when some of its names go.
static void keep_survivors(RlxInliner *n, RlxGather *g, const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  RlxBuf targets = {0}, values = {0}, lines = {0};
  uint32_t count = 0, line = rlx_line_start(n->text, stmt->start);
  bool own = rlx_has_own_line(n->text, stmt, line), is_split = false;
  for (uint32_t i = 0; i < unit->binding_count; i++) {
    const RlxBinding *b = unit->bindings[i];
    if (b->var->is_temporary || rlx_inline_item(n, b->var)) continue;
    int index;
    const RlxAst *value = rlx_inline_value(stmt, b, &index);
    const char *text = rlx_inline_render(n, g, value), *name = rlx_map_get_ptr(&n->renamed, b->var);
    if (!text) continue;
    if (!name) name = rlx_store_text(n->store, b->var->name);
    const char *whole = index < 0 ? text : rlx_arena_printf(n->arena, "%s[%d]", text, index);
    is_split |= index >= 0;
    if (count++) {
      rlx_buf_puts(&targets, ", ");
      rlx_buf_puts(&values, ", ");
      if (own) {
        rlx_buf_puts(&lines, rlx_newline_at(n->text, stmt->start));
        rlx_buf_putn(&lines, n->text + line, stmt->start - line);
      } else
        rlx_buf_puts(&lines, "; ");
    }
    rlx_buf_puts(&targets, name);
    rlx_buf_puts(&values, whole);
    rlx_buf_printf(&lines, "%s = %s", name, whole);
  }
  const char *text =
      is_split || count == 1
          ? rlx_arena_strdup(n->arena, rlx_buf_text(&lines))
          : rlx_arena_printf(n->arena, "%s = %s", rlx_buf_text(&targets), rlx_buf_text(&values));
  edit(n, stmt, rlx_span(0, stmt->head_size), text);
  rlx_buf_free(&targets);
  rlx_buf_free(&values);
  rlx_buf_free(&lines);
}

/// True when the statement goes as a whole.
static bool visit_binding(RlxInliner *n, const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  uint32_t named = 0, gone = 0, casts = 0;
  RlxGather g = {.stmt = stmt};
  bool plain = rlx_inline_is_plain(stmt, !n->out);
  uint32_t first = n->items.count;
  for (uint32_t i = 0; i < unit->binding_count; i++) {
    const RlxBinding *b = unit->bindings[i];
    if (b->var->is_temporary) continue;
    named++;
    if (plain && is_candidate(n, stmt, b)) add_item(n, &g, stmt, b);
  }
  for (uint32_t i = first; i < n->items.count; i++) {
    gone += !n->items.at[i].is_cast;
    casts += n->items.at[i].is_cast;
  }
  if (n->out && gone && gone == named)
    rlx_vec_push(n->out, rlx_removal(n->text, stmt));
  else if (n->out && gone)
    keep_survivors(n, &g, stmt);
  else {
    if (n->out && casts) {
      rlx_inline_gather(n, &g, stmt->value);
      cast_edits(n, &g, stmt, n->out);
    } else
      gather_statement(n, &g, stmt);
    take_subs(n, &g);
  }
  for (uint32_t i = 0; n->out && (gone < named || !named) && i < unit->binding_count; i++) {
    const RlxVar *var = unit->bindings[i]->var;
    const char *name = rlx_map_get_ptr(&n->renamed, var);
    if (name && !gone && var->named_in == stmt && var->span.end > var->span.start)
      edit(n, stmt, var->span, name);
  }
  rlx_gather_free(&g);
  return gone && gone == named;
}

static void put_name(RlxBuf *out, const char *name) {
  if (out->size) rlx_buf_puts(out, ", ");
  rlx_buf_puts(out, name);
}

static bool is_bound_in(const RlxVar *var, const RlxBlock *block) {
  const RlxStmt *stmt = var->is_param ? NULL : var->stmt;
  for (; stmt; stmt = stmt->block ? stmt->block->parent : NULL)
    if (stmt->block == block) return true;
  return false;
}

/// R.output(…) without the names in `gone` (all items when NULL), with what stands for them. False:
/// nothing is left.
static bool write_outputs(RlxInliner *n, const RlxStmt *stmt, const RlxInlineItem *gone,
                          RlxBuf *out, bool *changed) {
  const RlxAst *call = stmt->value;
  RlxMap seen = {0};
  bool any = false;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    const RlxVar *var = arg->kind == RLX_AST_NAME ? rlx_inline_meaning(n, arg->name) : NULL;
    RlxInlineItem *item = rlx_inline_item(n, var);
    const char *renamed = var && n->out ? rlx_map_get_ptr(&n->renamed, var) : NULL;
    bool goes = item && !item->is_cast && !item->is_renamed && (!gone || gone == item);
    if (!goes) {
      if (var &&
          rlx_map_get(&seen, renamed ? rlx_hash_bytes(renamed, strlen(renamed), 0) : arg->name,
                      NULL)) {
        *changed = true;
        continue;
      }
      if (var) rlx_map_put(&seen, arg->name, 1);
      if (renamed)
        put_name(out, renamed), *changed = true;
      else {
        if (out->size) rlx_buf_puts(out, ", ");
        rlx_buf_putn(out, n->text + stmt->start + arg->span.start, arg->span.end - arg->span.start);
      }
      any = true;
      continue;
    }
    *changed = true;
    for (uint32_t k = 0; k < item->mentions.count; k++) {
      const RlxMention *m = &item->mentions.at[k];
      const RlxVar *inner = rlx_map_get_ptr(&n->binding_of, m->thing) ? m->thing : NULL;
      const void *now = rlx_inline_find(&n->new_env, m->name);
      if (now != m->thing) item->is_captured = true, item->culprit = now;
      if (!inner || !is_bound_in(inner, stmt->block) || rlx_map_get(&seen, m->name, NULL)) continue;
      bool comes = false; // named by another argument
      for (uint32_t a = 1; a < call->child_count; a++)
        comes |= call->children[a]->kind == RLX_AST_NAME &&
                 rlx_inline_meaning(n, call->children[a]->name) == m->thing;
      if (comes) continue;
      rlx_map_put(&seen, m->name, 1);
      put_name(out, rlx_store_text(n->store, m->name));
      any = true;
    }
  }
  rlx_map_free(&seen);
  return any;
}

/// True when R.output goes as a whole.
static bool visit_outputs(RlxInliner *n, const RlxStmt *stmt) {
  const RlxAst *call = stmt->value;
  if (call->child_count < 2) return false;
  RlxSpan span =
      rlx_span(call->children[1]->span.start, call->children[call->child_count - 1]->span.end);
  if (n->out) {
    RlxBuf text = {0};
    bool changed = false, any = write_outputs(n, stmt, NULL, &text, &changed);
    if (changed && any) edit(n, stmt, span, rlx_arena_strdup(n->arena, rlx_buf_text(&text)));
    if (changed && !any) {
      rlx_vec_push(n->out, rlx_removal(n->text, stmt));
      rlx_vec_push(&n->hollow, stmt->block->parent);
    }
    rlx_buf_free(&text);
    return changed && !any;
  }
  for (uint32_t i = 1; i < call->child_count; i++) {
    RlxInlineItem *item = call->children[i]->kind == RLX_AST_NAME
                              ? rlx_inline_item(n, rlx_inline_meaning(n, call->children[i]->name))
                              : NULL;
    if (!item || item->is_cast) continue;
    RlxBuf text = {0};
    bool changed = false, any = write_outputs(n, stmt, item, &text, &changed);
    if (any)
      rlx_vec_push(&item->edits, (RlxEdit){rlx_stmt_absolute(stmt, span),
                                           rlx_arena_strdup(n->arena, rlx_buf_text(&text))});
    else
      rlx_vec_push(&item->edits, rlx_removal(n->text, stmt));
    rlx_buf_free(&text);
  }
  return false;
}

static uint32_t walk(RlxInliner *n, const RlxBlock *block);

/// An output that goes lets out what it is made of, under names that must be free behind the block.
static void let_out(RlxInliner *n, const RlxStmt *with, const RlxDef *def) {
  RlxInlineItem *item = rlx_inline_item(n, rlx_inline_identity(def));
  if (!item || item->is_cast || item->is_renamed) return;
  for (uint32_t i = 0; i < item->mentions.count; i++) {
    const RlxMention *m = &item->mentions.at[i];
    const RlxBinding *b = rlx_inline_binding(n, m->thing);
    if (!b || !is_bound_in(b->var, with->body)) continue;
    rlx_inline_define(n, &n->new_env, m->name, m->thing);
  }
}

static void visit_dataflow(RlxInliner *n, const RlxStmt *stmt) {
  uint32_t mark = n->undo.count, edits = n->out ? n->out->count : 0, hollow = n->hollow.count;
  uint32_t left = walk(n, stmt->body);
  if (!left) n->hollow.count = hollow; // it goes as a whole
  rlx_inline_restore(n, mark);
  for (uint32_t i = 0; stmt->body && i < stmt->body->count; i++) {
    const RlxStmt *inner = stmt->body->stmts[i];
    if (inner->kind == RLX_STMT_EXPR || inner->kind == RLX_STMT_RETURN)
      rlx_inline_apply(n, inner->analysis);
    const RlxAnalysis *unit = inner->analysis;
    for (uint32_t k = 0; unit && rlx_is_output(n->store, inner) && k < unit->def_count; k++)
      let_out(n, stmt, &unit->defs[k]);
  }
  if (!n->out || left || !stmt->body || n->out->count == edits) return;
  const RlxStmt *first = stmt->body->stmts[0];
  if (rlx_has_own_line(n->text, first, rlx_line_start(n->text, first->start)))
    rlx_vec_push(n->out, rlx_removal(n->text, stmt));
}

static void visit_def(RlxInliner *n, const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  uint32_t mark = n->undo.count;
  rlx_inline_apply(n, unit); // its own name
  for (uint32_t i = 0; i < unit->fn->params.count; i++)
    rlx_inline_define_both(n, unit->fn->params.at[i].name,
                           rlx_inline_identity(&unit->fn->params.at[i]));
  walk(n, stmt->body);
  rlx_inline_restore(n, mark);
}

/// Gives the number of statements that stay.
static uint32_t walk(RlxInliner *n, const RlxBlock *block) {
  uint32_t left = 0;
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    uint32_t mark = n->undo.count;
    bool gone = false;
    if (!unit) {
      left++;
      continue;
    }
    if (rlx_is_output(n->store, stmt))
      gone = visit_outputs(n, stmt);
    else if (unit->kind == RLX_UNIT_SIMPLE)
      gone = visit_binding(n, stmt);
    else {
      RlxGather g = {.stmt = stmt};
      gather_statement(n, &g, stmt);
      take_subs(n, &g);
      rlx_gather_free(&g);
    }
    left += !gone;
    if (unit->kind == RLX_UNIT_WITH && unit->is_dataflow_block)
      visit_dataflow(n, stmt);
    else if (unit->kind == RLX_UNIT_DEF && unit->fn)
      visit_def(n, stmt);
    else if (stmt->body) {
      walk(n, stmt->body);
      if (unit->kind == RLX_UNIT_IF) rlx_inline_restore(n, mark);
      walk(n, stmt->orelse);
      if (unit->kind == RLX_UNIT_IF) rlx_inline_restore(n, mark);
    }
    rlx_inline_apply(n, unit);
  }
  return left;
}

// ---- a function

static void clear_items(RlxInliner *n) {
  for (uint32_t i = 0; i < n->items.count; i++) {
    rlx_vec_free(&n->items.at[i].mentions);
    rlx_vec_free(&n->items.at[i].edits);
  }
  rlx_vec_clear(&n->items);
  rlx_vec_clear(&n->takers);
  rlx_vec_clear(&n->hollow);
  rlx_map_clear(&n->item_of);
  rlx_map_clear(&n->env);
  rlx_map_clear(&n->new_env);
}

static void start(RlxInliner *n, RlxFile *file, const RlxStmt *def, const RlxNormalize *how,
                  RlxArena *arena) {
  uint32_t size = 0;
  *n = (RlxInliner){.file = file, .store = file->store, .how = how, .arena = arena, .prefix = "R"};
  n->text = rlx_document_text(rlx_file_document(file), &size);
  for (uint32_t i = 0; i < def->decorator_count; i++) { // @R.function, @R.function(private=True)
    const RlxAst *at = def->decorators[i];
    if (at->kind == RLX_AST_CALL) at = at->children[0];
    if (at->kind == RLX_AST_ATTRIBUTE)
      n->prefix = rlx_arena_strndup(arena, n->text + def->start + at->children[0]->span.start,
                                    at->children[0]->span.end - at->children[0]->span.start);
  }
  for (uint32_t i = 0; i < def->param_count; i++) rlx_inline_count_def(n, def->params[i].name, 2);
  rlx_inline_survey(n, def->body);
}

static void run(RlxInliner *n, const RlxStmt *def) {
  const RlxAnalysis *unit = def->analysis;
  uint32_t mark = n->undo.count;
  for (uint32_t i = 0; i < unit->fn->params.count; i++)
    rlx_inline_define_both(n, unit->fn->params.at[i].name,
                           rlx_inline_identity(&unit->fn->params.at[i]));
  walk(n, def->body);
  rlx_inline_restore(n, mark);
}

static void finish(RlxInliner *n) {
  clear_items(n);
  rlx_vec_free(&n->items);
  rlx_vec_free(&n->undo);
  rlx_vec_free(&n->shadowed);
  rlx_vec_free(&n->takers);
  rlx_vec_free(&n->hollow);
  rlx_map_free(&n->env);
  rlx_map_free(&n->new_env);
  rlx_map_free(&n->item_of);
  rlx_map_free(&n->binding_of);
  rlx_map_free(&n->outputs);
  rlx_map_free(&n->def_count);
  rlx_map_free(&n->renamed);
  rlx_map_free(&n->kept);
  rlx_map_free(&n->given);
}

void rlx_inline_edits(RlxFile *file, const RlxStmt *def, const RlxNormalize *how, RlxArena *arena,
                      RlxTextEdits *out) {
  if (rlx_misses_names(def)) return;
  const RlxAnalysis *unit = def->analysis;
  if (!unit || !unit->fn || (!how->t_anf && !how->canonical)) return;
  RlxInliner n;
  start(&n, file, def, how, arena);
  n.out = out;
  rlx_inline_plan_renames(&n, def->body);
  uint32_t from = out->count;
  for (int i = 0; i < RUNS_MOST; i++) {
    out->count = from;
    clear_items(&n);
    run(&n, def);
    if (!rlx_inline_settle(&n, def)) break;
    if (i + 1 == RUNS_MOST) out->count = from; // hopeless
  }
  uint32_t inlined = out->count;
  for (uint32_t i = 0; out->count > from && i < n.hollow.count; i++)
    rlx_unwrap_edits(file, def, n.hollow.at[i], arena, out);
  if (out->count > inlined) { // the outputs are inlined in the next round
    memmove(out->at + from, out->at + inlined, (out->count - inlined) * sizeof *out->at);
    out->count -= inlined - from;
  }
  finish(&n);
}

void rlx_inline_list(RlxFile *file, const RlxStmt *def, RlxArena *arena, RlxInlinedList *out) {
  if (rlx_misses_names(def)) return;
  static const RlxNormalize t_anf = {.t_anf = true};
  const RlxAnalysis *unit = def->analysis;
  if (!unit || !unit->fn) return;
  RlxInliner n;
  start(&n, file, def, &t_anf, arena);
  run(&n, def);
  for (uint32_t i = 0; i < n.items.count; i++) {
    RlxInlineItem *item = &n.items.at[i];
    RlxInlined inlined = {.binding = item->binding,
                          .stmt = item->stmt,
                          .is_alias = item->is_alias,
                          .is_cast = item->is_cast,
                          .can_apply = item->can_apply && !item->is_captured};
    inlined.edits.at = item->edits.at;
    inlined.edits.count = item->edits.count;
    inlined.edits.capacity = item->edits.capacity;
    memset(&item->edits, 0, sizeof item->edits);
    rlx_vec_push(out, inlined);
  }
  finish(&n);
}

void rlx_inline_list_free(RlxInlinedList *list) {
  for (uint32_t i = 0; i < list->count; i++) rlx_vec_free(&list->at[i].edits);
  rlx_vec_free(list);
}
