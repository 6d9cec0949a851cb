/// Normalization, second half: other names for a value, tuples and their accesses stand where they
/// are used (t-anf); what canonical bindings do without is forwarded. Always true: a text is only
/// put where every name in it means what it meant at the binding; a binding whose annotation says
/// something else than its value becomes a match_cast, so that StructInfo stays; the last binding
/// of a branch stays, because it says what the branch gives.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/normalize_impl.h"
#include "base/hash.h"

enum { TEXT_MOST = 16384, RUNS_MOST = 32 };

typedef struct Mention { // a name that a text reads, and what it stands for there
  RlxName name;
  const void *thing;
} Mention;
typedef Vec(Mention) Mentions;

typedef struct Field { // of a tuple literal
  const char *text;
  const Mention *mentions;
  uint32_t mention_count, field_count;
  const struct Field *fields; // its own, when it is a tuple literal itself
} Field;

typedef struct Item {
  const RlxBinding *binding;
  const RlxStmt *stmt;
  const char *text;       // what stands for the variable
  const char *shape_text; // the same in annotations, or NULL
  const Field *fields;    // of a tuple literal
  uint32_t field_count;
  Mentions mentions;
  const void *culprit; // what took one of the names
  RlxTextEdits edits;  // listing: of this one alone
  bool is_alias, is_cast, is_renamed, is_captured, can_apply;
} Item;

typedef struct Undo {
  RlxMap *env;
  RlxName name;
  uint64_t old;
} Undo;
typedef struct Substitute {
  RlxSpan span; // relative to the statement
  const char *text;
} Substitute;

typedef struct Inliner {
  RlxFile *file;
  RlxStore *store;
  const char *text;
  const char *prefix; // "R"
  const RlxNormalize *how;
  RlxArena *arena;
  RlxTextEdits *out; // NULL: listing
  RlxMap env;        // name → what it stands for in the text as it is
  RlxMap new_env;    // the same in the text as it will be
  Vec(Undo) undo;
  Vec(Item) items;
  RlxMap item_of;           // variable → item + 1
  RlxMap binding_of;        // variable → its binding
  RlxMap outputs;           // variables that R.output names
  RlxMap def_count;         // name → statements and parameters that bind it
  RlxMap renamed;           // variable → its new name
  RlxMap kept;              // variables that stay as they are
  RlxMap given;             // names that were made up
  Vec(const void *) takers; // variables that took the name of another one
  Vec(RlxName) shadowed;    // by lambdas and comprehensions around
  bool in_annotation, is_rendering;
} Inliner;

// ---- environment

static void *find(const RlxMap *env, RlxName name) {
  uint64_t at = 0;
  return rlx_map_get(env, name, &at) ? (void *)(uintptr_t)at : NULL;
}

static void *look_up(const Inliner *n, RlxName name) { return find(&n->env, name); }

static void define(Inliner *n, RlxMap *env, RlxName name, const void *thing) {
  rlx_vec_push(&n->undo, (Undo){env, name, (uint64_t)(uintptr_t)find(env, name)});
  rlx_map_put(env, name, (uint64_t)(uintptr_t)thing);
}

static void restore(Inliner *n, uint32_t mark) {
  while (n->undo.count > mark) {
    Undo u = rlx_vec_pop(&n->undo);
    rlx_map_put(u.env, u.name, u.old);
  }
}

static const void *identity(const RlxDef *def) {
  return def->value.kind == RLX_VALUE_EXPR && def->value.expr->kind == RLX_EXPR_VAR
             ? (const void *)def->value.expr->var
             : (const void *)def;
}

static Item *item_of(const Inliner *n, const void *var) {
  uint64_t at = 0;
  return var && rlx_map_get(&n->item_of, (uint64_t)(uintptr_t)var, &at) ? &n->items.at[at - 1]
                                                                        : NULL;
}

static void define_both(Inliner *n, RlxName name, const void *thing) {
  define(n, &n->env, name, thing);
  define(n, &n->new_env, name, thing);
}

static RlxName intern(const Inliner *n, const char *text) {
  return rlx_store_intern(n->store, text, strlen(text));
}

/// What `unit` defines: in the new text not what goes, and what gets another name under that name.
static void apply_defs(Inliner *n, const RlxAnalysis *unit) {
  for (uint32_t i = 0; unit && i < unit->def_count; i++) {
    const void *thing = identity(&unit->defs[i]);
    const Item *item = item_of(n, thing);
    const char *name = rlx_map_get_ptr(&n->renamed, thing);
    define(n, &n->env, unit->defs[i].name, thing);
    if (!n->out || (!name && (!item || item->is_cast)))
      define(n, &n->new_env, unit->defs[i].name, thing);
    else if (name)
      define(n, &n->new_env, intern(n, name), thing);
    else if (item->is_renamed)
      define(n, &n->new_env, item->mentions.at[0].name, item->mentions.at[0].thing);
  }
}

// ---- what a binding is

static const RlxBinding *binding_of(const Inliner *n, const void *var) {
  return var ? rlx_map_get_ptr(&n->binding_of, var) : NULL;
}

/// The variable that a canonical form reads instead of the one bound; NULL: none.
static const RlxVar *canonical_of(const Inliner *n, const RlxBinding *b) {
  const RlxExpr *x = b->value;
  if (b->kind == RLX_BINDING_MATCH_CAST)
    return x->kind == RLX_EXPR_VAR && !x->var->is_temporary && b->cast == x->sinfo &&
                   b->var->sinfo == b->cast
               ? x->var
               : NULL;
  if (x->kind == RLX_EXPR_VAR) return x->var;
  if (x->kind == RLX_EXPR_TUPLE_GET && x->tuple->kind == RLX_EXPR_VAR) {
    const RlxBinding *t = binding_of(n, x->tuple->var);
    if (!t || t->kind != RLX_BINDING_VAR || t->value->kind != RLX_EXPR_TUPLE || x->index < 0 ||
        x->index >= t->value->field_count)
      return NULL;
    const RlxExpr *field = t->value->fields[x->index];
    return field->kind == RLX_EXPR_VAR && !field->var->is_temporary && field->var->sinfo == x->sinfo
               ? field->var
               : NULL;
  }
  if (x->kind != RLX_EXPR_TUPLE || !x->field_count) return NULL;
  const RlxVar *whole = NULL; // (t[0], t[1]) is t
  for (uint32_t i = 0; i < x->field_count; i++) {
    const RlxBinding *field =
        x->fields[i]->kind == RLX_EXPR_VAR ? binding_of(n, x->fields[i]->var) : NULL;
    if (!field || field->kind != RLX_BINDING_VAR || field->value->kind != RLX_EXPR_TUPLE_GET ||
        field->value->index != (int64_t)i || field->var->sinfo != field->value->sinfo)
      return NULL;
    const RlxExpr *tuple = field->value->tuple;
    if (tuple->kind != RLX_EXPR_VAR || tuple->var->is_temporary || (whole && whole != tuple->var))
      return NULL;
    whole = tuple->var;
  }
  return whole->sinfo == x->sinfo ? whole : NULL;
}

static bool is_value_kind(const RlxExpr *x) {
  return x->kind == RLX_EXPR_TUPLE_GET || (x->kind != RLX_EXPR_HOLE && rlx_expr_is_leaf(x));
}

/// A statement that does nothing but bind the names of its one target, with no call inside that is
/// still to be bound (or calls that are, when `with_calls`).
static bool is_plain(const RlxStmt *stmt, bool with_calls) {
  if ((stmt->kind != RLX_STMT_ASSIGN && stmt->kind != RLX_STMT_ANNOTATED) || stmt->has_error ||
      stmt->target_count != 1 || !stmt->value)
    return false;
  const RlxAnalysis *unit = stmt->analysis;
  const RlxAst *target = stmt->targets[0];
  uint32_t leaves = 1, named = 0;
  if (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST) {
    leaves = target->child_count;
    for (uint32_t i = 0; i < leaves; i++)
      if (target->children[i]->kind != RLX_AST_NAME) return false;
  } else if (target->kind != RLX_AST_NAME)
    return false;
  for (uint32_t i = 0; i < unit->binding_count; i++) {
    const RlxBinding *b = unit->bindings[i];
    if (!b->var->is_temporary)
      named++;
    else if (b->value->kind != RLX_EXPR_TUPLE_GET && !with_calls)
      return false;
  }
  return named == leaves && unit->def_count == leaves;
}

static bool is_candidate(const Inliner *n, const RlxStmt *stmt, const RlxBinding *b) {
  if (b->var->is_temporary || b->var->is_tainted || rlx_map_get_ptr(&n->kept, b->var) ||
      rlx_is_branch_tail(stmt))
    return false;
  bool says_more = b->kind == RLX_BINDING_VAR && b->var->sinfo != b->value->sinfo;
  if (n->how->canonical && !says_more && canonical_of(n, b))
    return n->how->t_anf || !rlx_map_get_ptr(&n->outputs, b->var) ||
           rlx_map_get_ptr(&n->renamed, canonical_of(n, b));
  return n->how->t_anf && b->kind == RLX_BINDING_VAR && is_value_kind(b->value);
}

/// The variable that may take the name of `b`, an output of its dataflow block that is another name
/// for it; else NULL.
static const RlxVar *renamable(const Inliner *n, const RlxStmt *stmt, const RlxBinding *b) {
  uint64_t defs = 0;
  const RlxVar *x = b->value->kind == RLX_EXPR_VAR ? b->value->var : NULL;
  if (!x || !rlx_map_get_ptr(&n->outputs, b->var) || stmt->targets[0]->kind != RLX_AST_NAME ||
      b->var->sinfo != x->sinfo)
    return NULL;
  if (b->kind == RLX_BINDING_MATCH_CAST && (!n->how->canonical || canonical_of(n, b) != x))
    return NULL;
  if (x->is_param || x->is_temporary || !x->in_dataflow || !x->stmt ||
      x->stmt->block != stmt->block || rlx_map_get_ptr(&n->outputs, x) ||
      rlx_map_get_ptr(&n->renamed, x))
    return NULL;
  const RlxBinding *own = binding_of(n, x);
  if (!own || own->stmt != x->stmt) return NULL;
  bool stays = own->kind == RLX_BINDING_MATCH_CAST ? !n->how->canonical || !canonical_of(n, own)
                                                   : own->value->kind == RLX_EXPR_CALL;
  if (!stays) return NULL;
  return rlx_map_get(&n->def_count, b->var->name, &defs) && defs == 1 ? x : NULL;
}

// ---- what is there: bindings, outputs, names

static bool is_output_call(const Inliner *n, const RlxStmt *stmt) {
  const RlxAst *call = stmt->kind == RLX_STMT_EXPR ? stmt->value : NULL;
  if (!call || call->kind != RLX_AST_CALL || call->children[0]->kind != RLX_AST_ATTRIBUTE)
    return false;
  const char *name = rlx_store_text(n->store, call->children[0]->name);
  return strcmp(name, "output") == 0 || strcmp(name, "outputs") == 0;
}

static void count_def(Inliner *n, RlxName name, uint64_t by) {
  uint64_t count = 0;
  rlx_map_get(&n->def_count, name, &count);
  rlx_map_put(&n->def_count, name, count + by);
}

static void survey(Inliner *n, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    if (!unit) continue;
    bool is_output = is_output_call(n, stmt);
    for (uint32_t k = 0; k < unit->def_count; k++) {
      if (is_output)
        rlx_map_put_ptr(&n->outputs, identity(&unit->defs[k]), stmt);
      else if (stmt->kind != RLX_STMT_IF)
        count_def(n, unit->defs[k].name, 1);
    }
    for (uint32_t k = 0; k < unit->binding_count; k++)
      rlx_map_put_ptr(&n->binding_of, unit->bindings[k]->var, unit->bindings[k]);
    for (uint32_t k = 0; unit->fn && k < stmt->param_count; k++)
      count_def(n, stmt->params[k].name, 2);
    survey(n, stmt->body);
    survey(n, stmt->orelse);
  }
}

static void plan_renames(Inliner *n, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    if (!unit) continue;
    for (uint32_t k = 0; k < unit->binding_count && is_plain(stmt, false); k++) {
      const RlxBinding *b = unit->bindings[k];
      const RlxVar *x = rlx_is_branch_tail(stmt) ? NULL : renamable(n, stmt, b);
      if (x) rlx_map_put_ptr(&n->renamed, x, rlx_store_text(n->store, b->var->name));
    }
    plan_renames(n, stmt->body);
    plan_renames(n, stmt->orelse);
  }
}

// ---- texts

typedef struct Gather {
  const RlxStmt *stmt;
  Vec(Substitute) subs;
  Mentions mentions;
} Gather;

static void mention(Gather *g, RlxName name, const void *thing) {
  for (uint32_t i = 0; i < g->mentions.count; i++)
    if (g->mentions.at[i].name == name && g->mentions.at[i].thing == thing) return;
  rlx_vec_push(&g->mentions, (Mention){name, thing});
}

static bool is_shadowed(const Inliner *n, RlxName name) {
  for (uint32_t i = 0; i < n->shadowed.count; i++)
    if (n->shadowed.at[i] == name) return true;
  return false;
}

/// `item`, or a field of it, is read at `span`: its text goes there.
static void use_text(Inliner *n, Gather *g, Item *item, RlxSpan span, const char *text,
                     const Mention *mentions, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const Mention *m = &mentions[i];
    const void *now = find(&n->new_env, m->name);
    if (now != m->thing || is_shadowed(n, m->name)) {
      item->is_captured = true;
      item->culprit = now;
    }
  }
  if (!n->out) {
    if (n->is_rendering)
      mention(
          g,
          rlx_store_intern(n->store, n->text + g->stmt->start + span.start, span.end - span.start),
          item->binding->var);
    else if (!text)
      item->can_apply = false;
    else
      rlx_vec_push(&item->edits, (RlxEdit){rlx_stmt_absolute(g->stmt, span), text});
    return;
  }
  for (uint32_t i = 0; i < count; i++) mention(g, mentions[i].name, mentions[i].thing);
  if (!text)
    item->is_captured = true;
  else
    rlx_vec_push(&g->subs, (Substitute){span, text});
}

static void use_item(Inliner *n, Gather *g, Item *item, RlxSpan span, const char *text) {
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
static const Field *field_at(const Inliner *n, const RlxAst *ast, Item **root) {
  const RlxAst *tuple = ast->kind == RLX_AST_SUBSCRIPT ? ast->children[0] : NULL;
  const Field *fields = NULL;
  uint32_t index, count = 0;
  if (!tuple || tuple->is_parenthesized) return NULL;
  if (tuple->kind == RLX_AST_NAME && !is_shadowed(n, tuple->name)) {
    Item *item = item_of(n, look_up(n, tuple->name));
    if (item && !item->is_cast) fields = item->fields, count = item->field_count, *root = item;
  } else if (tuple->kind == RLX_AST_SUBSCRIPT) {
    const Field *outer = field_at(n, tuple, root);
    if (outer) fields = outer->fields, count = outer->field_count;
  }
  return fields && index_of(ast, count, &index) ? &fields[index] : NULL;
}

static void gather(Inliner *n, Gather *g, const RlxAst *ast);

static void gather_children(Inliner *n, Gather *g, const RlxAst *ast) {
  for (uint32_t i = 0; i < ast->child_count; i++) gather(n, g, ast->children[i]);
}

static void shadow_targets(Inliner *n, const RlxAst *target) {
  if (target->kind == RLX_AST_NAME)
    rlx_vec_push(&n->shadowed, target->name);
  else
    for (uint32_t i = 0; i < target->child_count; i++) shadow_targets(n, target->children[i]);
}

static void gather_name(Inliner *n, Gather *g, const RlxAst *ast) {
  if (is_shadowed(n, ast->name)) return;
  const void *thing = look_up(n, ast->name);
  Item *item = item_of(n, thing);
  const char *name = thing ? rlx_map_get_ptr(&n->renamed, thing) : NULL;
  if (item && !item->is_renamed && !item->is_cast)
    use_item(n, g, item, ast->span,
             n->in_annotation && item->shape_text ? item->shape_text : item->text);
  else if (item && item->is_renamed)
    mention(g, item->mentions.at[0].name, item->mentions.at[0].thing);
  else if (name && n->out) {
    rlx_vec_push(&g->subs, (Substitute){ast->span, name});
    mention(g, intern(n, name), thing);
  } else {
    const void *now = find(&n->new_env, ast->name);
    if (n->out && now != thing && now) rlx_vec_push(&n->takers, now);
    mention(g, ast->name, thing);
  }
}

static void gather(Inliner *n, Gather *g, const RlxAst *ast) {
  uint32_t shadows = n->shadowed.count;
  if (ast->kind == RLX_AST_NAME) {
    gather_name(n, g, ast);
    return;
  }
  Item *root = NULL;
  const Field *field = n->out || !n->is_rendering ? field_at(n, ast, &root) : NULL;
  if (field) {
    use_text(n, g, root, ast->span, field->text, field->mentions, field->mention_count);
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
  const Substitute *x = a, *y = b;
  return x->span.start < y->span.start ? -1 : x->span.start > y->span.start ? 1 : 0;
}

/// Text of an expression with what is inlined; in parentheses where it would not hold together.
/// NULL: too long.
static const char *render(Inliner *n, Gather *g, const RlxAst *ast) {
  uint32_t from = g->subs.count;
  RlxBuf out = {0};
  RlxSpan span = ast->span;
  bool outer = n->is_rendering;
  n->is_rendering = true;
  gather(n, g, ast);
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
static const char *constant_text(Inliner *n, const RlxBinding *b, const char *text) {
  const RlxValue *v = b->value->constant.value;
  if (b->value->kind != RLX_EXPR_CONSTANT || !v || v->kind == RLX_VALUE_LIST ||
      strchr(text, '(') == NULL)
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

/// Part of the value's syntax that `b` is made of; `*index` is the field when it is not written
/// out.
static const RlxAst *value_of(const RlxStmt *stmt, const RlxBinding *b, int *index) {
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

static void free_gather(Gather *g) {
  rlx_vec_free(&g->subs);
  rlx_vec_free(&g->mentions);
}

static const Field *make_fields(Inliner *n, const RlxStmt *stmt, const RlxAst *tuple);

static bool make_field(Inliner *n, const RlxStmt *stmt, const RlxAst *value, Field *out) {
  Gather own = {.stmt = stmt};
  *out = (Field){.text =
                     n->out ? render(n, &own, value)
                            : rlx_arena_strndup(n->arena, n->text + stmt->start + value->span.start,
                                                value->span.end - value->span.start)};
  if (!n->out) render(n, &own, value); // for what it mentions
  out->mention_count = own.mentions.count;
  out->mentions =
      rlx_arena_copy(n->arena, own.mentions.at, own.mentions.count, sizeof *own.mentions.at);
  free_gather(&own);
  if (!n->out) return out->text != NULL;
  Item *root = value->kind == RLX_AST_NAME ? item_of(n, look_up(n, value->name)) : NULL;
  const Field *field = field_at(n, value, &root);
  if (field)
    out->fields = field->fields, out->field_count = field->field_count;
  else if (value->kind == RLX_AST_NAME && root && !root->is_cast && !root->is_renamed)
    out->fields = root->fields, out->field_count = root->field_count;
  else if (value->kind == RLX_AST_TUPLE && (out->fields = make_fields(n, stmt, value)) != NULL)
    out->field_count = value->child_count;
  return out->text != NULL;
}

/// Of a tuple literal; NULL: they can't be told apart.
static const Field *make_fields(Inliner *n, const RlxStmt *stmt, const RlxAst *tuple) {
  Field *fields = rlx_arena_array(n->arena, Field, tuple->child_count ? tuple->child_count : 1);
  for (uint32_t i = 0; i < tuple->child_count; i++)
    if (tuple->children[i]->kind == RLX_AST_STARRED ||
        !make_field(n, stmt, tuple->children[i], &fields[i]))
      return NULL;
  return fields;
}

static void add_fields(Inliner *n, const Gather *g, Item *item, const RlxAst *value) {
  Item *root = NULL;
  const Field *field = n->out ? field_at(n, value, &root) : NULL;
  if (field) item->fields = field->fields, item->field_count = field->field_count;
  if ((value->kind != RLX_AST_TUPLE && value->kind != RLX_AST_LIST) ||
      item->binding->value->kind != RLX_EXPR_TUPLE ||
      value->child_count != item->binding->value->field_count)
    return;
  item->fields = make_fields(n, g->stmt, value);
  item->field_count = item->fields ? value->child_count : 0;
}

/// Text that stands for the variable of `item`; NULL: there is none.
static const char *text_of(Inliner *n, Gather *g, Item *item) {
  const RlxBinding *b = item->binding;
  int index;
  const RlxAst *value = value_of(item->stmt, b, &index);
  const RlxVar *var = n->how->canonical ? canonical_of(n, b) : NULL;
  if (!var && b->value->kind == RLX_EXPR_VAR) var = b->value->var;
  if (var) {
    Item *other = item_of(n, var);
    const char *name = rlx_map_get_ptr(&n->renamed, var);
    if (other && !other->is_cast && n->out) {
      for (uint32_t i = 0; i < other->mentions.count; i++)
        mention(g, other->mentions.at[i].name, other->mentions.at[i].thing);
      item->fields = other->fields;
      item->field_count = other->field_count;
      item->shape_text = other->shape_text;
      return other->text;
    }
    mention(g, name ? intern(n, name) : var->name, var);
    return name ? name : rlx_store_text(n->store, var->name);
  }
  if (!n->how->t_anf) return NULL;
  Item *tuple =
      index >= 0 && value->kind == RLX_AST_NAME ? item_of(n, look_up(n, value->name)) : NULL;
  if (n->out && tuple && !tuple->is_cast && tuple->fields && (uint32_t)index < tuple->field_count) {
    const Field *field = &tuple->fields[index];
    for (uint32_t i = 0; i < field->mention_count; i++)
      mention(g, field->mentions[i].name, field->mentions[i].thing);
    item->fields = field->fields;
    item->field_count = field->field_count;
    return field->text;
  }
  const char *text = render(n, g, value);
  if (!text) return NULL;
  if (index >= 0) return rlx_arena_printf(n->arena, "%s[%d]", text, index);
  add_fields(n, g, item, value);
  if (b->value->kind == RLX_EXPR_SHAPE) {
    const RlxAst *dims =
        value->kind == RLX_AST_CALL && value->child_count == 2 ? value->children[1] : NULL;
    item->shape_text = dims && (dims->kind == RLX_AST_LIST || dims->kind == RLX_AST_TUPLE)
                           ? render(n, g, dims)
                           : NULL;
    if (!item->shape_text) item->shape_text = "";
  }
  bool is_number = value->kind == RLX_AST_INT || value->kind == RLX_AST_FLOAT ||
                   value->kind == RLX_AST_UNARY || value->kind == RLX_AST_TRUE ||
                   value->kind == RLX_AST_FALSE;
  return is_number ? constant_text(n, b, text) : text;
}

// ---- edits

static void edit(Inliner *n, const RlxStmt *stmt, RlxSpan span, const char *text) {
  rlx_vec_push(n->out, (RlxEdit){rlx_stmt_absolute(stmt, span), text});
}

/// The bytes that go when a statement goes: its line, or what lies between it and its neighbour in
/// the line.
static RlxEdit removal(const Inliner *n, const RlxStmt *stmt) {
  const char *text = n->text;
  uint32_t start = stmt->start, end = start + stmt->head_size, line = rlx_line_start(text, start);
  bool own = rlx_has_own_line(text, stmt, line);
  uint32_t next = end + (uint32_t)strspn(text + end, " \t;");
  if (own && (text[next] == '\n' || text[next] == '\r' || !text[next])) {
    if (text[next] == '\r') next++;
    if (text[next] == '\n') next++;
    return (RlxEdit){rlx_span(line, next), ""};
  }
  if (own && text[next] == '#') return (RlxEdit){rlx_span(start, next), ""};
  if (memchr(text + end, ';', next - end) && text[next] != '#' && text[next] != '\n' &&
      text[next] != '\r' && text[next])
    return (RlxEdit){rlx_span(start, next), ""};
  uint32_t before = start;
  while (before > line && (text[before - 1] == ' ' || text[before - 1] == '\t')) before--;
  if (before > line && text[before - 1] == ';') return (RlxEdit){rlx_span(before - 1, end), ""};
  return (RlxEdit){rlx_span(start, end), "pass"};
}

static void take_subs(Inliner *n, Gather *g) {
  for (uint32_t i = 0; n->out && i < g->subs.count; i++)
    edit(n, g->stmt, g->subs.at[i].span, g->subs.at[i].text);
}

/// Where the text behind `=` starts, relative.
static uint32_t value_start(const Inliner *n, const RlxStmt *stmt) {
  const char *text = n->text + stmt->start;
  uint32_t at = stmt->annotation->span.end;
  while (at < stmt->value->span.start && text[at] != '=') at++;
  at++;
  while (at < stmt->value->span.start && (text[at] == ' ' || text[at] == '\t')) at++;
  return at;
}

/// `y: S = x` becomes `y = R.match_cast(x, S)`.
static void cast_edits(Inliner *n, Gather *g, const RlxStmt *stmt, RlxTextEdits *out) {
  bool annotation = n->in_annotation;
  n->in_annotation = true;
  const char *pattern = render(n, g, stmt->annotation);
  n->in_annotation = annotation;
  if (!pattern) return;
  bool is_bare = stmt->annotation->kind == RLX_AST_ATTRIBUTE,
       is_open = stmt->value->kind == RLX_AST_TUPLE && !stmt->value->is_parenthesized;
  uint32_t at = value_start(n, stmt);
  rlx_vec_push(out, (RlxEdit){rlx_stmt_absolute(stmt, rlx_span(stmt->targets[0]->span.end,
                                                               stmt->annotation->span.end)),
                              ""});
  rlx_vec_push(out, (RlxEdit){rlx_stmt_absolute(stmt, rlx_span(at, at)),
                              rlx_arena_printf(n->arena, "%s.match_cast(%s", n->prefix,
                                               is_open ? "(" : "")});
  rlx_vec_push(out, (RlxEdit){rlx_stmt_absolute(stmt, rlx_span(stmt->head_size, stmt->head_size)),
                              rlx_arena_printf(n->arena, "%s, %s%s)", is_open ? ")" : "", pattern,
                                               is_bare ? "()" : "")});
}

// ---- the walk

static void gather_statement(Inliner *n, Gather *g, const RlxStmt *stmt) {
  if (stmt->value) gather(n, g, stmt->value);
  if (stmt->message) gather(n, g, stmt->message);
  n->in_annotation = true;
  if (stmt->annotation) gather(n, g, stmt->annotation);
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    if (stmt->params[i].annotation) gather(n, g, stmt->params[i].annotation);
  }
  n->in_annotation = false;
  for (uint32_t i = 0; i < stmt->item_count; i++) gather(n, g, stmt->items[i].value);
}

static bool has_other_statements(const Inliner *n, const RlxStmt *stmt) {
  for (uint32_t i = 0; i < stmt->block->count; i++)
    if (stmt->block->stmts[i] != stmt && !is_output_call(n, stmt->block->stmts[i])) return true;
  return false;
}

/// Notes that `b` goes; its text is what it stands for here.
static void add_item(Inliner *n, Gather *g, const RlxStmt *stmt, const RlxBinding *b) {
  Item item = {.binding = b,
               .stmt = stmt,
               .can_apply = true,
               .is_alias = b->value->kind != RLX_EXPR_TUPLE &&
                           b->value->kind != RLX_EXPR_TUPLE_GET &&
                           b->value->kind != RLX_EXPR_SHAPE};
  const RlxVar *x = b->value->kind == RLX_EXPR_VAR ? b->value->var : NULL;
  const char *name = x ? rlx_map_get_ptr(&n->renamed, x) : NULL;
  item.is_cast = b->kind == RLX_BINDING_VAR && b->var->sinfo != b->value->sinfo;
  item.is_renamed = n->out && name && strcmp(name, rlx_store_text(n->store, b->var->name)) == 0;
  Gather own = {.stmt = stmt};
  item.text = item.is_cast ? "" : text_of(n, &own, &item);
  if (item.shape_text && !*item.shape_text) item.shape_text = NULL;
  for (uint32_t i = 0; i < own.mentions.count && !item.is_renamed; i++) {
    rlx_vec_push(&item.mentions, own.mentions.at[i]);
    mention(g, own.mentions.at[i].name, own.mentions.at[i].thing);
  }
  if (item.is_renamed) rlx_vec_push(&item.mentions, (Mention){b->var->name, x});
  free_gather(&own);
  if (!item.text || (item.is_cast && stmt->kind != RLX_STMT_ANNOTATED)) {
    rlx_vec_free(&item.mentions);
    return;
  }
  if (!n->out && item.is_cast)
    cast_edits(n, g, stmt, &item.edits);
  else if (!n->out) {
    item.can_apply = stmt->targets[0]->kind == RLX_AST_NAME && is_plain(stmt, false) &&
                     has_other_statements(n, stmt);
    rlx_vec_push(&item.edits, removal(n, stmt));
  }
  rlx_vec_push(&n->items, item);
  rlx_map_put(&n->item_of, (uint64_t)(uintptr_t)b->var, n->items.count);
}

/// What is left of `a, b = …` when some of its names go.
static void keep_survivors(Inliner *n, Gather *g, const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  RlxBuf targets = {0}, values = {0}, lines = {0};
  uint32_t count = 0, line = rlx_line_start(n->text, stmt->start);
  bool own = rlx_has_own_line(n->text, stmt, line), is_split = false;
  for (uint32_t i = 0; i < unit->binding_count; i++) {
    const RlxBinding *b = unit->bindings[i];
    if (b->var->is_temporary || item_of(n, b->var)) continue;
    int index;
    const RlxAst *value = value_of(stmt, b, &index);
    const char *text = render(n, g, value), *name = rlx_map_get_ptr(&n->renamed, b->var);
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
static bool visit_binding(Inliner *n, const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  uint32_t named = 0, gone = 0, casts = 0;
  Gather g = {.stmt = stmt};
  bool plain = is_plain(stmt, !n->out);
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
    rlx_vec_push(n->out, removal(n, stmt));
  else if (n->out && gone)
    keep_survivors(n, &g, stmt);
  else {
    if (n->out && casts) {
      gather(n, &g, stmt->value);
      cast_edits(n, &g, stmt, n->out);
    } else
      gather_statement(n, &g, stmt);
    take_subs(n, &g);
  }
  for (uint32_t i = 0; n->out && (gone < named || !named) && i < unit->binding_count; i++) {
    const RlxVar *var = unit->bindings[i]->var;
    const char *name = rlx_map_get_ptr(&n->renamed, var);
    if (name && !gone && var->stmt == stmt && var->span.end > var->span.start)
      edit(n, stmt, var->span, name);
  }
  free_gather(&g);
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
static bool write_outputs(Inliner *n, const RlxStmt *stmt, const Item *gone, RlxBuf *out,
                          bool *changed) {
  const RlxAst *call = stmt->value;
  RlxMap seen = {0};
  bool any = false;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    const RlxVar *var = arg->kind == RLX_AST_NAME ? look_up(n, arg->name) : NULL;
    Item *item = item_of(n, var);
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
      const Mention *m = &item->mentions.at[k];
      const RlxVar *inner = rlx_map_get_ptr(&n->binding_of, m->thing) ? m->thing : NULL;
      const void *now = find(&n->new_env, m->name);
      if (now != m->thing) item->is_captured = true, item->culprit = now;
      if (!inner || !is_bound_in(inner, stmt->block) || rlx_map_get(&seen, m->name, NULL)) continue;
      bool comes = false; // named by another argument
      for (uint32_t a = 1; a < call->child_count; a++)
        comes |= call->children[a]->kind == RLX_AST_NAME &&
                 look_up(n, call->children[a]->name) == m->thing;
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
static bool visit_outputs(Inliner *n, const RlxStmt *stmt) {
  const RlxAst *call = stmt->value;
  if (call->child_count < 2) return false;
  RlxSpan span =
      rlx_span(call->children[1]->span.start, call->children[call->child_count - 1]->span.end);
  if (n->out) {
    RlxBuf text = {0};
    bool changed = false, any = write_outputs(n, stmt, NULL, &text, &changed);
    if (changed && any) edit(n, stmt, span, rlx_arena_strdup(n->arena, rlx_buf_text(&text)));
    if (changed && !any) rlx_vec_push(n->out, removal(n, stmt));
    rlx_buf_free(&text);
    return changed && !any;
  }
  for (uint32_t i = 1; i < call->child_count; i++) {
    Item *item = call->children[i]->kind == RLX_AST_NAME
                     ? item_of(n, look_up(n, call->children[i]->name))
                     : NULL;
    if (!item || item->is_cast) continue;
    RlxBuf text = {0};
    bool changed = false, any = write_outputs(n, stmt, item, &text, &changed);
    if (any)
      rlx_vec_push(&item->edits, (RlxEdit){rlx_stmt_absolute(stmt, span),
                                           rlx_arena_strdup(n->arena, rlx_buf_text(&text))});
    else
      rlx_vec_push(&item->edits, removal(n, stmt));
    rlx_buf_free(&text);
  }
  return false;
}

static uint32_t walk(Inliner *n, const RlxBlock *block);

/// An output that goes lets out what it is made of, under names that must be free behind the block.
static void let_out(Inliner *n, const RlxStmt *with, const RlxDef *def) {
  Item *item = item_of(n, identity(def));
  if (!item || item->is_cast || item->is_renamed) return;
  for (uint32_t i = 0; i < item->mentions.count; i++) {
    const Mention *m = &item->mentions.at[i];
    const RlxBinding *b = binding_of(n, m->thing);
    if (!b || !is_bound_in(b->var, with->body)) continue;
    define(n, &n->new_env, m->name, m->thing);
  }
}

static void visit_dataflow(Inliner *n, const RlxStmt *stmt) {
  uint32_t mark = n->undo.count, edits = n->out ? n->out->count : 0;
  uint32_t left = walk(n, stmt->body);
  restore(n, mark);
  for (uint32_t i = 0; stmt->body && i < stmt->body->count; i++) {
    const RlxStmt *inner = stmt->body->stmts[i];
    if (inner->kind == RLX_STMT_EXPR || inner->kind == RLX_STMT_RETURN)
      apply_defs(n, inner->analysis);
    const RlxAnalysis *unit = inner->analysis;
    for (uint32_t k = 0; unit && is_output_call(n, inner) && k < unit->def_count; k++)
      let_out(n, stmt, &unit->defs[k]);
  }
  if (!n->out || left || !stmt->body || n->out->count == edits) return;
  const RlxStmt *first = stmt->body->stmts[0];
  if (rlx_has_own_line(n->text, first, rlx_line_start(n->text, first->start)))
    rlx_vec_push(n->out, removal(n, stmt));
}

static void visit_def(Inliner *n, const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  uint32_t mark = n->undo.count;
  apply_defs(n, unit); // its own name
  for (uint32_t i = 0; i < unit->fn->params.count; i++)
    define_both(n, unit->fn->params.at[i].name, identity(&unit->fn->params.at[i]));
  walk(n, stmt->body);
  restore(n, mark);
}

/// Gives the number of statements that stay.
static uint32_t walk(Inliner *n, const RlxBlock *block) {
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
    if (is_output_call(n, stmt))
      gone = visit_outputs(n, stmt);
    else if (unit->kind == RLX_UNIT_SIMPLE)
      gone = visit_binding(n, stmt);
    else {
      Gather g = {.stmt = stmt};
      gather_statement(n, &g, stmt);
      take_subs(n, &g);
      free_gather(&g);
    }
    left += !gone;
    if (unit->kind == RLX_UNIT_WITH && unit->is_dataflow_block)
      visit_dataflow(n, stmt);
    else if (unit->kind == RLX_UNIT_DEF && unit->fn)
      visit_def(n, stmt);
    else if (stmt->body) {
      walk(n, stmt->body);
      if (unit->kind == RLX_UNIT_IF) restore(n, mark);
      walk(n, stmt->orelse);
      if (unit->kind == RLX_UNIT_IF) restore(n, mark);
    }
    apply_defs(n, unit);
  }
  return left;
}

// ---- a function

static void clear_items(Inliner *n) {
  for (uint32_t i = 0; i < n->items.count; i++) {
    rlx_vec_free(&n->items.at[i].mentions);
    rlx_vec_free(&n->items.at[i].edits);
  }
  rlx_vec_clear(&n->items);
  rlx_vec_clear(&n->takers);
  rlx_map_clear(&n->item_of);
  rlx_map_clear(&n->env);
  rlx_map_clear(&n->new_env);
}

static void start(Inliner *n, RlxFile *file, const RlxStmt *def, const RlxNormalize *how,
                  RlxArena *arena) {
  uint32_t size = 0;
  *n = (Inliner){.file = file, .store = file->store, .how = how, .arena = arena, .prefix = "R"};
  n->text = rlx_document_text(rlx_file_document(file), &size);
  for (uint32_t i = 0; i < def->decorator_count; i++) { // @R.function, @R.function(private=True)
    const RlxAst *at = def->decorators[i];
    if (at->kind == RLX_AST_CALL) at = at->children[0];
    if (at->kind == RLX_AST_ATTRIBUTE)
      n->prefix = rlx_arena_strndup(arena, n->text + def->start + at->children[0]->span.start,
                                    at->children[0]->span.end - at->children[0]->span.start);
  }
  for (uint32_t i = 0; i < def->param_count; i++) count_def(n, def->params[i].name, 2);
  survey(n, def->body);
}

static void run(Inliner *n, const RlxStmt *def) {
  const RlxAnalysis *unit = def->analysis;
  uint32_t mark = n->undo.count;
  for (uint32_t i = 0; i < unit->fn->params.count; i++)
    define_both(n, unit->fn->params.at[i].name, identity(&unit->fn->params.at[i]));
  walk(n, def->body);
  restore(n, mark);
}

static void finish(Inliner *n) {
  clear_items(n);
  rlx_vec_free(&n->items);
  rlx_vec_free(&n->undo);
  rlx_vec_free(&n->shadowed);
  rlx_vec_free(&n->takers);
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

/// A name of the function's text that `base` and a number make and that nothing has.
static const char *free_name(Inliner *n, const RlxStmt *def, const char *base) {
  for (uint32_t i = 1; i < 10000; i++) {
    const char *name = rlx_arena_printf(n->arena, "%s_%u", base, i);
    if (memmem(n->text + def->start, def->size, name, strlen(name)) ||
        rlx_map_get(&n->given, intern(n, name), NULL))
      continue;
    rlx_map_put(&n->given, intern(n, name), 1);
    return name;
  }
  return NULL;
}

/// The binding that says what a branch gives.
static const RlxBinding *tail_of(const RlxBlock *block) {
  for (uint32_t i = block ? block->count : 0; i-- > 0;) {
    const RlxAnalysis *unit = block->stmts[i]->analysis;
    if (!unit) continue;
    const RlxBinding *b = unit->kind == RLX_UNIT_WITH ? tail_of(block->stmts[i]->body) : NULL;
    if (b) return b;
    if (unit->binding_count) return unit->bindings[unit->binding_count - 1];
  }
  return NULL;
}

/// Renames what an `if` gives, in its branches as well.
static void rename_join(Inliner *n, const RlxStmt *stmt, const char *name) {
  const RlxAnalysis *unit = stmt->analysis;
  for (uint32_t i = 0; unit && i < unit->binding_count; i++)
    if (!unit->bindings[i]->var->is_temporary)
      rlx_map_put_ptr(&n->renamed, unit->bindings[i]->var, name);
  for (int k = 0; k < 2; k++) {
    const RlxBinding *b = tail_of(k ? stmt->orelse : stmt->body);
    if (!b) continue;
    if (b->stmt->kind == RLX_STMT_IF)
      rename_join(n, b->stmt, name);
    else
      rlx_map_put_ptr(&n->renamed, b->var, name);
  }
}

/// Whether the names that the branches of an `if` give can be replaced: all stand in assignments.
static bool can_rename_join(const Inliner *n, const RlxStmt *stmt) {
  for (int k = 0; k < 2; k++) {
    const RlxBinding *b = tail_of(k ? stmt->orelse : stmt->body);
    if (!b || rlx_map_get_ptr(&n->renamed, b->var)) return false;
    if (b->stmt->kind == RLX_STMT_IF
            ? !can_rename_join(n, b->stmt)
            : b->var->is_temporary || b->value->kind == RLX_EXPR_FUNCTION ||
                  b->var->stmt != b->stmt)
      return false;
  }
  return true;
}

/// Gives a variable that took another one's name a name of its own, if that can be.
static void rename_taker(Inliner *n, const RlxStmt *def, const void *taker) {
  const RlxBinding *b = taker ? binding_of(n, taker) : NULL;
  if (!b || b->value->kind == RLX_EXPR_FUNCTION || b->var->is_temporary ||
      rlx_map_get_ptr(&n->renamed, b->var))
    return;
  const RlxStmt *stmt = b->stmt;
  bool is_join = stmt->kind == RLX_STMT_IF;
  while (rlx_is_branch_tail(stmt)) { // up to the `if` that gives it
    stmt = stmt->block->parent;
    is_join = true;
  }
  if (is_join ? !can_rename_join(n, stmt) : b->var->stmt != stmt) return;
  const char *name = free_name(n, def, rlx_store_text(n->store, b->var->name));
  if (!name) return;
  if (is_join)
    rename_join(n, stmt, name);
  else
    rlx_map_put_ptr(&n->renamed, b->var, name);
}

/// A name was taken between a binding and a use of it: the binding stays for now, the taker gets
/// another name.
static bool settle(Inliner *n, const RlxStmt *def) {
  bool any = n->takers.count != 0;
  for (uint32_t i = 0; i < n->takers.count; i++) rename_taker(n, def, n->takers.at[i]);
  for (uint32_t i = 0; i < n->items.count; i++) {
    const Item *item = &n->items.at[i];
    if (!item->is_captured) continue;
    any = true;
    rlx_map_put_ptr(&n->kept, item->binding->var, item->binding);
    rename_taker(n, def, item->culprit);
  }
  return any;
}

void rlx_inline_edits(RlxFile *file, const RlxStmt *def, const RlxNormalize *how, RlxArena *arena,
                      RlxTextEdits *out) {
  if (rlx_misses_names(def)) return;
  const RlxAnalysis *unit = def->analysis;
  if (!unit || !unit->fn || (!how->t_anf && !how->canonical)) return;
  Inliner n;
  start(&n, file, def, how, arena);
  n.out = out;
  plan_renames(&n, def->body);
  uint32_t from = out->count;
  for (int i = 0; i < RUNS_MOST; i++) {
    out->count = from;
    clear_items(&n);
    run(&n, def);
    if (!settle(&n, def)) break;
    if (i + 1 == RUNS_MOST) out->count = from; // hopeless
  }
  finish(&n);
}

void rlx_inline_list(RlxFile *file, const RlxStmt *def, RlxArena *arena, RlxInlinedList *out) {
  if (rlx_misses_names(def)) return;
  static const RlxNormalize t_anf = {.t_anf = true};
  const RlxAnalysis *unit = def->analysis;
  if (!unit || !unit->fn) return;
  Inliner n;
  start(&n, file, def, &t_anf, arena);
  run(&n, def);
  for (uint32_t i = 0; i < n.items.count; i++) {
    Item *item = &n.items.at[i];
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
