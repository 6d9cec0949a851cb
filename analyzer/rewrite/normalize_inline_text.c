/// Inlining: the text that stands for a variable where it is used. Always true: a text is gathered
/// with the names that it reads, and one that reads a name that means something else at the use is
/// not put there (its item is captured).
#include <stdlib.h>
#include <string.h>

#include "analyzer/ops/op_table.h"
#include "analyzer/rewrite/normalize_inline.h"
#include "analyzer/syntax/document.h"
#include "analyzer/words/dialect.h"

enum { TEXT_MOST = 16384 };

void rlx_gather_mention(RlxGather *g, RlxName name, const void *thing) {
  for (uint32_t i = 0; i < g->mentions.count; i++)
    if (g->mentions.at[i].name == name && g->mentions.at[i].thing == thing) return;
  rlx_vec_push(&g->mentions, (RlxMention){name, thing});
}

static bool is_shadowed(const RlxInliner *n, RlxName name) {
  for (uint32_t i = 0; i < n->shadowed.count; i++)
    if (n->shadowed.at[i] == name) return true;
  return false;
}

/// `item`, or a field of it, is read at `span`: its text goes there.
static void use_text(RlxInliner *n, RlxGather *g, RlxInlineItem *item, RlxSpan span,
                     const char *text, const RlxMention *mentions, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const RlxMention *m = &mentions[i];
    const void *now = rlx_inline_find(&n->new_env, m->name);
    if (now != m->thing || is_shadowed(n, m->name)) {
      item->is_captured = true;
      item->culprit = now;
    }
  }
  if (!n->out) {
    if (n->is_rendering)
      rlx_gather_mention(
          g,
          rlx_store_intern(n->store, n->text + g->stmt->start + span.start, span.end - span.start),
          item->binding->var);
    else if (!text)
      item->can_apply = false;
    else
      rlx_vec_push(&item->edits, (RlxEdit){rlx_stmt_absolute(g->stmt, span), text});
    return;
  }
  for (uint32_t i = 0; i < count; i++) rlx_gather_mention(g, mentions[i].name, mentions[i].thing);
  if (!text)
    item->is_captured = true;
  else
    rlx_vec_push(&g->subs, (RlxSubstitute){span, text});
}

static void use_item(RlxInliner *n, RlxGather *g, RlxInlineItem *item, RlxSpan span,
                     const char *text) {
  use_text(n, g, item, span, text, item->mentions.at, item->mentions.count);
}

static bool index_of(const RlxAst *ast, uint32_t count, uint32_t *out) {
  if (ast->kind != RLX_AST_SUBSCRIPT || ast->child_count != 2) return false;
  const RlxAst *at = ast->children[1];
  bool negative = at->kind == RLX_AST_UNARY && at->op == RLX_OP_NEG;
  if (negative) at = at->children[0];
  if (at->kind != RLX_AST_INT || at->is_big || at->integer < 0 || at->integer > (int64_t)count)
    return false;
  int64_t index = negative ? (int64_t)count - at->integer : at->integer;
  *out = (uint32_t)index;
  return index >= 0 && index < (int64_t)count;
}

/// The field that `name[index]…` means, of a tuple literal that is inlined; `root` is the item of
/// the name. NULL: none.
static const RlxInlineField *field_at(const RlxInliner *n, const RlxAst *ast,
                                      RlxInlineItem **root) {
  const RlxAst *tuple = ast->kind == RLX_AST_SUBSCRIPT ? ast->children[0] : NULL;
  const RlxInlineField *fields = NULL;
  uint32_t index, count = 0;
  if (!tuple || tuple->is_parenthesized) return NULL;
  if (tuple->kind == RLX_AST_NAME && !is_shadowed(n, tuple->name)) {
    RlxInlineItem *item = rlx_inline_item(n, rlx_inline_meaning(n, tuple->name));
    if (item && !item->is_cast) fields = item->fields, count = item->field_count, *root = item;
  } else if (tuple->kind == RLX_AST_SUBSCRIPT) {
    const RlxInlineField *outer = field_at(n, tuple, root);
    if (outer) fields = outer->fields, count = outer->field_count;
  }
  return fields && index_of(ast, count, &index) ? &fields[index] : NULL;
}

/// Whether argument `i` of the call is one Relax expression: a tuple of Python is none there.
static bool is_expression(const RlxInliner *n, const RlxAst *call, uint32_t i) {
  char path[128];
  const RlxAst *arg = call->children[i];
  if (!rlx_spelling_path(n->store, call->children[0], path, sizeof path, NULL) ||
      strncmp(path, "R.", strlen("R.")) != 0)
    return false;
  const char *word = path + strlen("R.");
  const RlxOpRow *row = rlx_op_find(word, strlen(word));
  for (int k = 0; row && k < row->param_count; k++) {
    bool is_here =
        arg->kind == RLX_AST_KEYWORD
            ? !strcmp(rlx_store_text(n->store, arg->name), row->params[k].name)
            : k == (int)i - 1 || (row->params[k].is_variadic && k < (int)i); // as of R.print
    if (is_here) return row->params[k].kind == RLX_PARAM_EXPR;
  }
  return false;
}

/// The text of a tuple as one Relax expression: one of Python is `R.tuple(…)`, and so are those in it.
static const char *as_expression(const RlxInliner *n, const char *text,
                                 const RlxInlineField *fields, uint32_t count) {
  bool is_nested = false;
  if (!text || *text != '(') return text;
  for (uint32_t i = 0; i < count; i++) is_nested |= fields[i].is_tuple;
  if (!is_nested) return rlx_arena_printf(n->arena, "%s.tuple%s", n->prefix, text);
  RlxBuf out = {0};
  rlx_buf_printf(&out, "%s.tuple(", n->prefix);
  for (uint32_t i = 0; i < count && out.size <= TEXT_MOST; i++) {
    const RlxInlineField *f = &fields[i];
    rlx_buf_printf(&out, "%s%s", i ? ", " : "",
                   f->is_tuple ? as_expression(n, f->text, f->fields, f->field_count) : f->text);
  }
  rlx_buf_putc(&out, ')');
  const char *whole =
      out.size > TEXT_MOST ? NULL : rlx_arena_strndup(n->arena, rlx_buf_text(&out), out.size);
  rlx_buf_free(&out);
  return whole;
}

static void gather_children(RlxInliner *n, RlxGather *g, const RlxAst *ast) {
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    const RlxAst *value = child->kind == RLX_AST_KEYWORD ? child->children[0] : child;
    if (ast->kind != RLX_AST_KEYWORD) // the call that it stands in has said
      n->operand = ast->kind == RLX_AST_CALL && i &&
                           (value->kind == RLX_AST_NAME || value->kind == RLX_AST_SUBSCRIPT) &&
                           is_expression(n, ast, i)
                       ? value
                       : NULL;
    rlx_inline_gather(n, g, child);
  }
}

static void shadow_targets(RlxInliner *n, const RlxAst *target) {
  if (target->kind == RLX_AST_NAME)
    rlx_vec_push(&n->shadowed, target->name);
  else
    for (uint32_t i = 0; i < target->child_count; i++) shadow_targets(n, target->children[i]);
}

static void gather_name(RlxInliner *n, RlxGather *g, const RlxAst *ast) {
  if (is_shadowed(n, ast->name)) return;
  const void *thing = rlx_inline_meaning(n, ast->name);
  RlxInlineItem *item = rlx_inline_item(n, thing);
  const char *name = thing ? rlx_map_get_ptr(&n->renamed, thing) : NULL;
  if (item && !item->is_renamed && !item->is_cast)
    use_item(n, g, item, ast->span,
             n->in_annotation && item->shape_text ? item->shape_text
             : ast == n->operand && item->binding->value->kind == RLX_EXPR_TUPLE
                 ? as_expression(n, item->text, item->fields, item->field_count)
                 : item->text);
  else if (item && item->is_renamed)
    rlx_gather_mention(g, item->mentions.at[0].name, item->mentions.at[0].thing);
  else if (name && n->out) {
    rlx_vec_push(&g->subs, (RlxSubstitute){ast->span, name});
    rlx_gather_mention(g, rlx_inline_name(n, name), thing);
  } else {
    const void *now = rlx_inline_find(&n->new_env, ast->name);
    if (n->out && now != thing && now) rlx_vec_push(&n->takers, now);
    rlx_gather_mention(g, ast->name, thing);
  }
}

void rlx_inline_gather(RlxInliner *n, RlxGather *g, const RlxAst *ast) {
  uint32_t shadows = n->shadowed.count;
  if (ast->kind == RLX_AST_NAME) {
    gather_name(n, g, ast);
    return;
  }
  RlxInlineItem *root = NULL;
  const RlxInlineField *field = n->out || !n->is_rendering ? field_at(n, ast, &root) : NULL;
  if (field) {
    use_text(n, g, root, ast->span,
             ast == n->operand && field->is_tuple
                 ? as_expression(n, field->text, field->fields, field->field_count)
                 : field->text,
             field->mentions, field->mention_count);
    return;
  }
  if (ast->kind == RLX_AST_LAMBDA)
    for (uint32_t i = 0; i < ast->param_count; i++) rlx_vec_push(&n->shadowed, ast->params[i].name);
  for (uint32_t i = 0; ast->kind == RLX_AST_COMPREHENSION && i < ast->child_count; i++)
    if (ast->children[i]->kind == RLX_AST_COMP_FOR)
      shadow_targets(n, ast->children[i]->children[0]);
  gather_children(n, g, ast);
  n->shadowed.count = shadows;
}

static int by_start(const void *a, const void *b) {
  const RlxSubstitute *x = a, *y = b;
  return x->span.start < y->span.start ? -1 : x->span.start > y->span.start ? 1 : 0;
}

const char *rlx_inline_render(RlxInliner *n, RlxGather *g, const RlxAst *ast) {
  uint32_t from = g->subs.count;
  RlxBuf out = {0};
  RlxSpan span = ast->span;
  bool outer = n->is_rendering;
  n->is_rendering = true;
  rlx_inline_gather(n, g, ast);
  n->is_rendering = outer;
  if (g->subs.count - from > 1)
    qsort(g->subs.at + from, g->subs.count - from, sizeof *g->subs.at, by_start);
  const char *text = n->text + g->stmt->start;
  for (uint32_t i = from; i < g->subs.count; i++) {
    rlx_buf_putn(&out, text + span.start, g->subs.at[i].span.start - span.start);
    rlx_buf_puts(&out, g->subs.at[i].text);
    span.start = g->subs.at[i].span.end;
  }
  rlx_buf_putn(&out, text + span.start, span.end - span.start);
  g->subs.count = from;
  const char *whole = rlx_buf_text(&out);
  bool is_atom = ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE ||
                 ast->kind == RLX_AST_SUBSCRIPT || ast->kind == RLX_AST_CALL ||
                 ast->kind == RLX_AST_LIST || ast->kind == RLX_AST_STRING ||
                 (ast->kind == RLX_AST_TUPLE && *whole == '(' && rlx_is_enclosed(whole, out.size));
  bool is_open = memchr(whole, '\n', out.size) && !rlx_is_enclosed(whole, out.size);
  const char *result = out.size > TEXT_MOST
                           ? NULL
                           : rlx_arena_printf(n->arena, is_atom && !is_open ? "%s" : "(%s)", whole);
  rlx_buf_free(&out);
  return result;
}

/// A bare Python number is a constant of Relax only where it is bound.
static const char *constant_text(RlxInliner *n, const RlxBinding *b, const char *text) {
  const RlxValue *v = b->value->constant.value;
  if (b->value->kind != RLX_EXPR_CONSTANT || !v || v->kind == RLX_VALUE_LIST ||
      v->kind == RLX_VALUE_NUMBERS || strchr(text, '(') == NULL)
    return text;
  if (strncmp(text, "(", 1) != 0 || b->value->sinfo->kind != RLX_SINFO_TENSOR) return text;
  char dtype[RLX_DTYPE_TEXT_MAX];
  return rlx_arena_printf(n->arena, "%s.const%.*s, \"%s\")", n->prefix, (int)strlen(text) - 1, text,
                          rlx_dtype_text(b->value->sinfo->dtype, dtype));
}

static uint32_t target_index(const RlxStmt *stmt, const RlxBinding *b) {
  const RlxAst *target = stmt->targets[0];
  for (uint32_t i = 0; i < target->child_count; i++)
    if (target->children[i]->span.start == b->var->span.start) return i;
  return 0;
}

const RlxAst *rlx_inline_value(const RlxStmt *stmt, const RlxBinding *b, int *index) {
  const RlxAst *target = stmt->targets[0], *value = stmt->value;
  *index = -1;
  if (target->kind == RLX_AST_NAME) return value;
  uint32_t at = target_index(stmt, b);
  if ((value->kind == RLX_AST_TUPLE || value->kind == RLX_AST_LIST) &&
      value->child_count == target->child_count)
    return value->children[at];
  *index = (int)at;
  return value;
}

void rlx_gather_free(RlxGather *g) {
  rlx_vec_free(&g->subs);
  rlx_vec_free(&g->mentions);
}

static const RlxInlineField *make_fields(RlxInliner *n, const RlxStmt *stmt, const RlxAst *tuple);

static bool make_field(RlxInliner *n, const RlxStmt *stmt, const RlxAst *value,
                       RlxInlineField *out) {
  RlxGather own = {.stmt = stmt};
  *out = (RlxInlineField){
      .text = n->out ? rlx_inline_render(n, &own, value)
                     : rlx_arena_strndup(n->arena, n->text + stmt->start + value->span.start,
                                         value->span.end - value->span.start)};
  if (!n->out) rlx_inline_render(n, &own, value); // for what it mentions
  out->mention_count = own.mentions.count;
  out->mentions =
      rlx_arena_copy(n->arena, own.mentions.at, own.mentions.count, sizeof *own.mentions.at);
  rlx_gather_free(&own);
  out->is_tuple = value->kind == RLX_AST_TUPLE;
  if (!n->out) return out->text != NULL;
  RlxInlineItem *root =
      value->kind == RLX_AST_NAME ? rlx_inline_item(n, rlx_inline_meaning(n, value->name)) : NULL;
  const RlxInlineField *field = field_at(n, value, &root);
  if (field)
    out->fields = field->fields, out->field_count = field->field_count;
  else if (value->kind == RLX_AST_NAME && root && !root->is_cast && !root->is_renamed)
    out->fields = root->fields, out->field_count = root->field_count;
  else if (value->kind == RLX_AST_TUPLE && (out->fields = make_fields(n, stmt, value)) != NULL)
    out->field_count = value->child_count;
  out->is_tuple |= out->fields != NULL;
  return out->text != NULL;
}

/// Of a tuple literal; NULL: they can't be told apart.
static const RlxInlineField *make_fields(RlxInliner *n, const RlxStmt *stmt, const RlxAst *tuple) {
  RlxInlineField *fields =
      rlx_arena_array(n->arena, RlxInlineField, tuple->child_count ? tuple->child_count : 1);
  for (uint32_t i = 0; i < tuple->child_count; i++)
    if (tuple->children[i]->kind == RLX_AST_STARRED ||
        !make_field(n, stmt, tuple->children[i], &fields[i]))
      return NULL;
  return fields;
}

static void add_fields(RlxInliner *n, const RlxGather *g, RlxInlineItem *item,
                       const RlxAst *value) {
  RlxInlineItem *root = NULL;
  const RlxInlineField *field = n->out ? field_at(n, value, &root) : NULL;
  if (field) item->fields = field->fields, item->field_count = field->field_count;
  if ((value->kind != RLX_AST_TUPLE && value->kind != RLX_AST_LIST) ||
      item->binding->value->kind != RLX_EXPR_TUPLE ||
      value->child_count != item->binding->value->field_count)
    return;
  item->fields = make_fields(n, g->stmt, value);
  item->field_count = item->fields ? value->child_count : 0;
}

const char *rlx_inline_text(RlxInliner *n, RlxGather *g, RlxInlineItem *item) {
  const RlxBinding *b = item->binding;
  int index;
  const RlxAst *value = rlx_inline_value(item->stmt, b, &index);
  const RlxVar *var = n->how->canonical ? rlx_inline_canonical(n, b) : NULL;
  if (!var && b->value->kind == RLX_EXPR_VAR) var = b->value->var;
  if (var) {
    RlxInlineItem *other = rlx_inline_item(n, var);
    const char *name = rlx_map_get_ptr(&n->renamed, var);
    if (other && !other->is_cast && n->out) {
      for (uint32_t i = 0; i < other->mentions.count; i++)
        rlx_gather_mention(g, other->mentions.at[i].name, other->mentions.at[i].thing);
      item->fields = other->fields;
      item->field_count = other->field_count;
      item->shape_text = other->shape_text;
      return other->text;
    }
    rlx_gather_mention(g, name ? rlx_inline_name(n, name) : var->name, var);
    return name ? name : rlx_store_text(n->store, var->name);
  }
  if (!n->how->t_anf) return NULL;
  RlxInlineItem *tuple = index >= 0 && value->kind == RLX_AST_NAME
                             ? rlx_inline_item(n, rlx_inline_meaning(n, value->name))
                             : NULL;
  if (n->out && tuple && !tuple->is_cast && tuple->fields && (uint32_t)index < tuple->field_count) {
    const RlxInlineField *field = &tuple->fields[index];
    for (uint32_t i = 0; i < field->mention_count; i++)
      rlx_gather_mention(g, field->mentions[i].name, field->mentions[i].thing);
    item->fields = field->fields;
    item->field_count = field->field_count;
    return field->text;
  }
  const char *text = rlx_inline_render(n, g, value);
  if (!text) return NULL;
  if (index >= 0) return rlx_arena_printf(n->arena, "%s[%d]", text, index);
  add_fields(n, g, item, value);
  if (b->value->kind == RLX_EXPR_SHAPE) {
    const RlxAst *dims =
        value->kind == RLX_AST_CALL && value->child_count == 2 ? value->children[1] : NULL;
    item->shape_text = dims && (dims->kind == RLX_AST_LIST || dims->kind == RLX_AST_TUPLE)
                           ? rlx_inline_render(n, g, dims)
                           : NULL;
    if (!item->shape_text) item->shape_text = "";
  }
  bool is_number = value->kind == RLX_AST_INT || value->kind == RLX_AST_FLOAT ||
                   value->kind == RLX_AST_UNARY || value->kind == RLX_AST_TRUE ||
                   value->kind == RLX_AST_FALSE;
  return is_number ? constant_text(n, b, text) : text;
}
