/// Inlining: what names mean in the text as it is and as it will be, and which variables get other
/// names.
/// Always true: a variable takes the name of an output only where the output is another name for it
/// and nothing else binds that name. When a variable's name would hide one that an inlined text
/// reads, the variable gets a name that the function's text does not contain.
#include <string.h>

#include "analyzer/rewrite/normalize_inline.h"
#include "analyzer/state/state.h"

// ---- environment

void *rlx_inline_find(const RlxMap *env, RlxName name) {
  uint64_t at = 0;
  return rlx_map_get(env, name, &at) ? (void *)(uintptr_t)at : NULL;
}

void *rlx_inline_meaning(const RlxInliner *n, RlxName name) {
  return rlx_inline_find(&n->env, name);
}

void rlx_inline_define(RlxInliner *n, RlxMap *env, RlxName name, const void *thing) {
  rlx_vec_push(&n->undo,
               (RlxInlineUndo){env, name, (uint64_t)(uintptr_t)rlx_inline_find(env, name)});
  rlx_map_put(env, name, (uint64_t)(uintptr_t)thing);
}

void rlx_inline_restore(RlxInliner *n, uint32_t mark) {
  while (n->undo.count > mark) {
    RlxInlineUndo u = rlx_vec_pop(&n->undo);
    rlx_map_put(u.env, u.name, u.old);
  }
}

const void *rlx_inline_identity(const RlxDef *def) {
  return def->value.kind == RLX_VALUE_EXPR && def->value.expr->kind == RLX_EXPR_VAR
             ? (const void *)def->value.expr->var
             : (const void *)def;
}

RlxInlineItem *rlx_inline_item(const RlxInliner *n, const void *var) {
  uint64_t at = 0;
  return var && rlx_map_get(&n->item_of, (uint64_t)(uintptr_t)var, &at) ? &n->items.at[at - 1]
                                                                        : NULL;
}

void rlx_inline_define_both(RlxInliner *n, RlxName name, const void *thing) {
  rlx_inline_define(n, &n->env, name, thing);
  rlx_inline_define(n, &n->new_env, name, thing);
}

RlxName rlx_inline_name(const RlxInliner *n, const char *text) {
  return rlx_store_intern(n->store, text, strlen(text));
}

void rlx_inline_apply(RlxInliner *n, const RlxAnalysis *unit) {
  for (uint32_t i = 0; unit && i < unit->def_count; i++) {
    const void *thing = rlx_inline_identity(&unit->defs[i]);
    const RlxInlineItem *item = rlx_inline_item(n, thing);
    const char *name = rlx_map_get_ptr(&n->renamed, thing);
    rlx_inline_define(n, &n->env, unit->defs[i].name, thing);
    if (!n->out || (!name && (!item || item->is_cast)))
      rlx_inline_define(n, &n->new_env, unit->defs[i].name, thing);
    else if (name)
      rlx_inline_define(n, &n->new_env, rlx_inline_name(n, name), thing);
    else if (item->is_renamed)
      rlx_inline_define(n, &n->new_env, item->mentions.at[0].name, item->mentions.at[0].thing);
  }
}

// ---- what a binding is

const RlxBinding *rlx_inline_binding(const RlxInliner *n, const void *var) {
  return var ? rlx_map_get_ptr(&n->binding_of, var) : NULL;
}

enum { STEPS_MOST = 64 };

static const RlxExpr *field_of(const RlxInliner *n, const RlxExpr *x, int steps);

/// The tuple literal that an expression stands for, through names and fields; NULL: none is known.
static const RlxExpr *tuple_of(const RlxInliner *n, const RlxExpr *x, int steps) {
  while (x && x->kind != RLX_EXPR_TUPLE && steps++ < STEPS_MOST) {
    const RlxBinding *b = x->kind == RLX_EXPR_VAR ? rlx_inline_binding(n, x->var) : NULL;
    if (x->kind == RLX_EXPR_TUPLE_GET)
      x = field_of(n, x, steps);
    else
      x = b && b->kind == RLX_BINDING_VAR ? b->value : NULL;
  }
  return x && x->kind == RLX_EXPR_TUPLE ? x : NULL;
}

/// The field of a tuple literal that `x`, an access, gives; NULL: none is known.
static const RlxExpr *field_of(const RlxInliner *n, const RlxExpr *x, int steps) {
  const RlxExpr *tuple = tuple_of(n, x->tuple, steps);
  return tuple && x->index >= 0 && x->index < tuple->field_count ? tuple->fields[x->index] : NULL;
}

const RlxVar *rlx_inline_canonical(const RlxInliner *n, const RlxBinding *b) {
  const RlxExpr *x = b->value;
  if (b->kind == RLX_BINDING_MATCH_CAST)
    return x->kind == RLX_EXPR_VAR && !x->var->is_temporary && b->cast == x->sinfo &&
                   b->var->sinfo == b->cast
               ? x->var
               : NULL;
  if (x->kind == RLX_EXPR_VAR) return x->var;
  if (x->kind == RLX_EXPR_TUPLE_GET) {
    const RlxExpr *field = field_of(n, x, 0);
    return field && field->kind == RLX_EXPR_VAR && !field->var->is_temporary &&
                   field->var->sinfo == x->sinfo
               ? field->var
               : NULL;
  }
  if (x->kind != RLX_EXPR_TUPLE || !x->field_count) return NULL;
  const RlxVar *whole = NULL; // (t[0], t[1]) is t
  for (uint32_t i = 0; i < x->field_count; i++) {
    const RlxBinding *field =
        x->fields[i]->kind == RLX_EXPR_VAR ? rlx_inline_binding(n, x->fields[i]->var) : NULL;
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

bool rlx_inline_is_plain(const RlxStmt *stmt, bool with_calls) {
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

// ---- what is there: bindings, outputs, names

void rlx_inline_count_def(RlxInliner *n, RlxName name, uint64_t by) {
  uint64_t count = 0;
  rlx_map_get(&n->def_count, name, &count);
  rlx_map_put(&n->def_count, name, count + by);
}

void rlx_inline_survey(RlxInliner *n, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    if (!unit) continue;
    bool is_output = rlx_is_output(n->store, stmt);
    for (uint32_t k = 0; k < unit->def_count; k++) {
      if (is_output)
        rlx_map_put_ptr(&n->outputs, rlx_inline_identity(&unit->defs[k]), stmt);
      else if (stmt->kind != RLX_STMT_IF)
        rlx_inline_count_def(n, unit->defs[k].name, 1);
    }
    for (uint32_t k = 0; k < unit->binding_count; k++)
      rlx_map_put_ptr(&n->binding_of, unit->bindings[k]->var, unit->bindings[k]);
    for (uint32_t k = 0; unit->fn && k < stmt->param_count; k++)
      rlx_inline_count_def(n, stmt->params[k].name, 2);
    rlx_inline_survey(n, stmt->body);
    rlx_inline_survey(n, stmt->orelse);
  }
}

// ---- other names for variables

/// The variable that may take the name of `b`, an output of its dataflow block that is another name
/// for it; else NULL.
static const RlxVar *renamable(const RlxInliner *n, const RlxStmt *stmt, const RlxBinding *b) {
  uint64_t defs = 0;
  const RlxVar *x = b->value->kind == RLX_EXPR_VAR ? b->value->var : NULL;
  if (!x || !rlx_map_get_ptr(&n->outputs, b->var) || stmt->targets[0]->kind != RLX_AST_NAME ||
      b->var->sinfo != x->sinfo || b->var->is_tainted)
    return NULL;
  if (b->kind == RLX_BINDING_MATCH_CAST && (!n->how->canonical || rlx_inline_canonical(n, b) != x))
    return NULL;
  if (x->is_param || x->is_temporary || !x->in_dataflow || !x->stmt ||
      x->stmt->block != stmt->block || rlx_map_get_ptr(&n->outputs, x) ||
      rlx_map_get_ptr(&n->renamed, x))
    return NULL;
  const RlxBinding *own = rlx_inline_binding(n, x);
  if (!own || own->stmt != x->stmt) return NULL;
  bool stays = own->kind == RLX_BINDING_MATCH_CAST
                   ? !n->how->canonical || !rlx_inline_canonical(n, own)
                   : own->value->kind == RLX_EXPR_CALL;
  if (!stays) return NULL;
  return rlx_map_get(&n->def_count, b->var->name, &defs) && defs == 1 ? x : NULL;
}

void rlx_inline_plan_renames(RlxInliner *n, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    if (!unit) continue;
    for (uint32_t k = 0; k < unit->binding_count && rlx_inline_is_plain(stmt, false); k++) {
      const RlxBinding *b = unit->bindings[k];
      const RlxVar *x = rlx_is_branch_tail(stmt) ? NULL : renamable(n, stmt, b);
      if (x) rlx_map_put_ptr(&n->renamed, x, rlx_store_text(n->store, b->var->name));
    }
    rlx_inline_plan_renames(n, stmt->body);
    rlx_inline_plan_renames(n, stmt->orelse);
  }
}

/// A name of the function's text that `base` and a number make and that nothing has.
static const char *free_name(RlxInliner *n, const RlxStmt *def, const char *base) {
  for (uint32_t i = 1; i < 10000; i++) {
    const char *name = rlx_arena_printf(n->arena, "%s_%u", base, i);
    if (memmem(n->text + def->start, def->size, name, strlen(name)) ||
        rlx_map_get(&n->given, rlx_inline_name(n, name), NULL))
      continue;
    rlx_map_put(&n->given, rlx_inline_name(n, name), 1);
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
static void rename_join(RlxInliner *n, const RlxStmt *stmt, const char *name) {
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
static bool can_rename_join(const RlxInliner *n, const RlxStmt *stmt) {
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
static void rename_taker(RlxInliner *n, const RlxStmt *def, const void *taker) {
  const RlxBinding *b = taker ? rlx_inline_binding(n, taker) : NULL;
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

bool rlx_inline_settle(RlxInliner *n, const RlxStmt *def) {
  bool any = n->takers.count != 0;
  for (uint32_t i = 0; i < n->takers.count; i++) rename_taker(n, def, n->takers.at[i]);
  for (uint32_t i = 0; i < n->items.count; i++) {
    const RlxInlineItem *item = &n->items.at[i];
    if (!item->is_captured) continue;
    any = true;
    rlx_map_put_ptr(&n->kept, item->binding->var, item->binding);
    rename_taker(n, def, item->culprit);
  }
  return any;
}
