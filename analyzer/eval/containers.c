/// What a script puts together of several values: lists, tuples, dicts, f-strings, comprehensions.
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"
#include "base/text.h"

static void push_item(RlxEval *e, RlxValue **items, uint32_t *count, uint32_t *capacity,
                      RlxValue v) {
  if (*count == *capacity) {
    uint32_t wanted = *capacity ? *capacity * 2 : 8;
    RlxValue *grown = rlx_arena_array(e->arena, RlxValue, wanted);
    if (*count) memcpy(grown, *items, *count * sizeof **items);
    *items = grown;
    *capacity = wanted;
  }
  (*items)[(*count)++] = v;
}

/// Counts the members of a list or dictionary at all levels. False: values that stand in it by name
/// make it too large; `V1 = (V0, V0)`, `V2 = (V1, V1)`… doubles with every line. What the
/// script writes out may have any size.
static bool count_nested(const RlxEval *e, RlxValue *v, const RlxAst *ast) {
  uint64_t nested = v->count;
  bool by_name = false;
  for (uint32_t i = 0; i < v->count; i++) {
    const RlxValue *item = &v->items[i];
    if (item->kind != RLX_VALUE_LIST && item->kind != RLX_VALUE_DICT) continue;
    nested += item->nested > item->count ? item->nested : item->count;
  }
  for (uint32_t i = 0; i < ast->child_count; i++)
    by_name = by_name ||
              (ast->children[i]->kind != RLX_AST_LIST && ast->children[i]->kind != RLX_AST_TUPLE &&
               ast->children[i]->kind != RLX_AST_DICT);
  v->nested = nested < UINT32_MAX ? (uint32_t)nested : UINT32_MAX;
  return nested <= rlx_eval_most(e, RLX_MAX_ITEMS) || nested == v->count || !by_name;
}

bool rlx_is_single(const RlxEval *e, const RlxValue *v) {
  RlxPythonType type = rlx_python_type(e, v);
  return type == RLX_PYTHON_NONE || type == RLX_PYTHON_BOOL || type == RLX_PYTHON_INT ||
         type == RLX_PYTHON_FLOAT || v->kind == RLX_VALUE_PRIM || rlx_python_is_object(type);
}

bool rlx_is_unpackable(const RlxEval *e, const RlxValue *v) {
  if (v->kind != RLX_VALUE_EXPR || v->expr->kind != RLX_EXPR_VAR || v->expr->var->is_tainted ||
      !rlx_eval_is_027(e))
    return false;
  const int kind = v->expr->sinfo->kind;
  return kind != RLX_SINFO_TUPLE && kind != RLX_SINFO_TENSOR;
}

RlxValue rlx_eval_list(RlxEval *e, const RlxAst *ast) {
  RlxValue v = {.kind = RLX_VALUE_LIST, .is_tuple = ast->kind == RLX_AST_TUPLE, .span = ast->span};
  uint32_t capacity = ast->child_count, count = 0;
  RlxValue *items = capacity ? rlx_arena_array(e->arena, RlxValue, capacity) : NULL;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (child->kind != RLX_AST_STARRED) {
      push_item(e, &items, &count, &capacity, rlx_eval(e, child));
      continue;
    }
    const RlxRole role = e->role;
    e->role = RLX_ROLE_VALUE; // what a star is before is no item
    RlxValue inner = rlx_eval(e, child->children[0]);
    e->role = role;
    if (inner.kind == RLX_VALUE_EXPR && inner.expr->sinfo->kind == RLX_SINFO_TUPLE) {
      if (rlx_is_wide(e, (uint64_t)inner.expr->sinfo->count)) return rlx_eval_failed(e, ast->span);
      for (int32_t k = 0; k < inner.expr->sinfo->count; k++)
        push_item(e, &items, &count, &capacity,
                  rlx_value_expr(rlx_expr_get(e, inner.expr, k, child->span, child->span)));
      continue;
    }
    if (inner.kind == RLX_VALUE_STR) inner = rlx_letters(e, &inner);
    for (uint32_t k = 0; inner.kind == RLX_VALUE_DICT && k < inner.count; k += 2)
      push_item(e, &items, &count, &capacity, inner.items[k]);
    if (inner.kind == RLX_VALUE_DICT) continue;
    if ((rlx_is_single(e, &inner) || rlx_is_unpackable(e, &inner)) && rlx_refuse_may_tell(e))
      rlx_operand_report(e, RLX_OP_MUL, child->span, &inner, NULL, "");
    if (inner.kind != RLX_VALUE_LIST) return rlx_eval_failed(e, ast->span);
    for (uint32_t k = 0; k < inner.count; k++)
      push_item(e, &items, &count, &capacity, inner.items[k]);
  }
  v.items = items;
  v.count = count;
  return count_nested(e, &v, ast) ? v : rlx_eval_failed(e, ast->span);
}

/// What of an item of a set, or of a key, Python can't hash; NULL: nothing that is known.
static const char *unhashable(const RlxEval *e, const RlxValue *v) {
  const RlxPythonType type = rlx_python_type(e, v);
  if (type == RLX_PYTHON_DICT) return "a dict";
  if (v->kind == RLX_VALUE_OTHER && v->text && strcmp(v->text, "a set") == 0) return v->text;
  if (v->kind != RLX_VALUE_LIST || v->is_range) return NULL;
  if (type == RLX_PYTHON_LIST) return "a list";
  const char *what = NULL;
  for (uint32_t i = 0; i < v->count && !what; i++) what = unhashable(e, &v->items[i]);
  return what;
}

static void check_hash(RlxEval *e, const char *of, const char *part, const RlxValue *v) {
  const char *what = unhashable(e, v);
  if (what && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss", of, part, what,
                    "a value that can be hashed");
}

static bool has_call(const RlxAst *ast) {
  if (ast->kind == RLX_AST_CALL || ast->kind == RLX_AST_BINARY) return true;
  for (uint32_t i = 0; ast->kind != RLX_AST_LAMBDA && i < ast->child_count; i++)
    if (ast->children[i] && has_call(ast->children[i])) return true;
  return false;
}

RlxValue rlx_eval_set(RlxEval *e, const RlxAst *ast) {
  for (uint32_t i = 0; i < ast->child_count && ast->children[i]->kind != RLX_AST_STARRED; i++) {
    if (has_call(ast->children[i])) continue; // TVM deduces nothing of what stands in a set
    const RlxValue item = rlx_eval(e, ast->children[i]);
    check_hash(e, "a set", "item", &item);
  }
  return (RlxValue){.kind = RLX_VALUE_OTHER, .span = ast->span, .text = "a set"};
}

/// The first `**` among the keys of a dictionary; NULL: there is none.
static const RlxAst *unpacked(const RlxAst *dict) {
  for (uint32_t i = 0; i + 1 < dict->child_count; i += 2)
    if (dict->children[i]->kind == RLX_AST_HOLE &&
        dict->children[i + 1]->kind == RLX_AST_DOUBLE_STARRED)
      return dict->children[i + 1];
  return NULL;
}

RlxValue rlx_eval_dict(RlxEval *e, const RlxAst *ast) {
  const RlxAst *star = e->fn && !e->in_lambda && rlx_refuse_may_tell(e) ? unpacked(ast) : NULL;
  if (star) { // TVM's parser, which evaluates the parts one by one, stops at a key that is none
    rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), star->span, "s", "`**` in a dictionary");
    return rlx_eval_failed(e, ast->span);
  }
  RlxValue v = {.kind = RLX_VALUE_DICT, .span = ast->span, .count = ast->child_count / 2 * 2};
  v.items = rlx_arena_array(e->arena, RlxValue, v.count ? v.count : 1);
  for (uint32_t i = 0; i < v.count; i++)
    v.items[i] = ast->children[i]->kind == RLX_AST_HOLE ? rlx_value_unknown(ast->children[i]->span)
                                                        : rlx_eval(e, ast->children[i]);
  for (uint32_t i = 0; i + 1 < v.count; i += 2) check_hash(e, "a dict", "key", &v.items[i]);
  return count_nested(e, &v, ast) ? v : rlx_eval_failed(e, ast->span);
}

RlxValue rlx_eval_fstring(RlxEval *e, const RlxAst *ast) {
  RlxBuf text = {0};
  bool known = true;
  for (uint32_t i = 0; i < ast->child_count && known; i++) {
    RlxValue part = rlx_eval(e, ast->children[i]);
    if (part.kind == RLX_VALUE_STR)
      rlx_buf_puts(&text, rlx_store_text(e->store, part.string));
    else if (part.kind == RLX_VALUE_INT)
      rlx_buf_printf(&text, "%lld", (long long)part.integer);
    else if (part.kind == RLX_VALUE_PRIM)
      rlx_prim_print(e->store, part.prim, &text);
    else
      known = false;
    known &= text.size <= rlx_eval_most(e, RLX_MAX_TEXT);
  }
  RlxValue v = {.kind = RLX_VALUE_STR, .span = ast->span};
  if (known) v.string = rlx_store_intern(e->store, rlx_buf_text(&text), text.size);
  rlx_buf_free(&text);
  return known ? v : rlx_unknown_string(e, ast->span);
}

static bool bind_local(RlxEval *e, const RlxAst *target, RlxValue value) {
  if (target->kind == RLX_AST_NAME) {
    rlx_locals_bind(&e->locals, target->name, value);
    return true;
  }
  if ((target->kind != RLX_AST_TUPLE && target->kind != RLX_AST_LIST) ||
      value.kind != RLX_VALUE_LIST || value.count != target->child_count)
    return false;
  for (uint32_t i = 0; i < target->child_count; i++)
    if (!bind_local(e, target->children[i], value.items[i])) return false;
  return true;
}

typedef struct Comprehension {
  const RlxAst *ast;
  uint32_t first_clause;
  RlxValue *items;
  uint32_t count, capacity;
} Comprehension;

/// The first assignment expression in what a comprehension goes over, where Python has no place for it; NULL: there is none.
static const RlxAst *named_in(const RlxAst *ast, int depth) {
  enum { DEEP = 50 };
  if (ast->kind == RLX_AST_NAMED || depth > DEEP) return ast->kind == RLX_AST_NAMED ? ast : NULL;
  const RlxAst *found = NULL;
  for (uint32_t i = 0; i < ast->child_count && !found; i++)
    found = named_in(ast->children[i], depth + 1);
  return found;
}

static bool clause(RlxEval *e, Comprehension *c, uint32_t at) {
  if (c->count > rlx_eval_most(e, RLX_MAX_ITEMS) || e->steps++ > rlx_eval_most(e, RLX_MAX_STEPS))
    return false;
  if (at == c->ast->child_count) {
    for (uint32_t i = 0; i < c->first_clause; i++)
      push_item(e, &c->items, &c->count, &c->capacity, rlx_eval(e, c->ast->children[i]));
    return true;
  }
  const RlxAst *part = c->ast->children[at];
  if (part->kind == RLX_AST_COMP_IF) {
    RlxValue v = rlx_eval(e, part->children[0]);
    bool yes;
    return rlx_value_truth(&v, &yes) && (!yes || clause(e, c, at + 1));
  }
  if (part->kind != RLX_AST_COMP_FOR) return false;
  const RlxAst *named = e->fn ? named_in(part->children[1], 0) : NULL;
  if (named) {
    rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), named->span, "s",
                    "an assignment expression");
    return false;
  }
  RlxValue iterable = rlx_eval(e, part->children[1]);
  if (iterable.kind == RLX_VALUE_EXPR && iterable.expr->sinfo->kind == RLX_SINFO_TUPLE) {
    const RlxSInfo *sinfo = iterable.expr->sinfo;
    if (rlx_is_wide(e, (uint64_t)sinfo->count)) return false;
    RlxValue fields = {.kind = RLX_VALUE_LIST, .count = (uint32_t)sinfo->count, .span = part->span};
    fields.items = rlx_arena_array(e->arena, RlxValue, fields.count ? fields.count : 1);
    for (int32_t i = 0; i < sinfo->count; i++)
      fields.items[i] = rlx_value_expr(rlx_expr_get(e, iterable.expr, i, part->span, part->span));
    iterable = fields;
  }
  if (iterable.kind != RLX_VALUE_LIST) return false;
  for (uint32_t i = 0; i < iterable.count; i++) {
    uint32_t locals = e->locals.all.count;
    bool fine = bind_local(e, part->children[0], iterable.items[i]) && clause(e, c, at + 1);
    rlx_locals_drop(&e->locals, locals);
    if (!fine) return false;
  }
  return true;
}

/// Whether `target` binds the name.
static bool binds_name(const RlxAst *target, RlxName name) {
  if (target->kind == RLX_AST_NAME) return target->name == name;
  if (target->kind != RLX_AST_TUPLE && target->kind != RLX_AST_LIST) return false;
  for (uint32_t i = 0; i < target->child_count; i++)
    if (binds_name(target->children[i], name)) return true;
  return false;
}

bool rlx_generator_binds(const RlxAst *generator, RlxName name) {
  for (uint32_t i = 1; i < generator->child_count; i++)
    if (generator->children[i]->kind == RLX_AST_COMP_FOR &&
        binds_name(generator->children[i]->children[0], name))
      return true;
  return false;
}

/// The first use, in `ast`, of a name that the generator alone binds; NULL: there is none.
static const RlxAst *own_name(RlxEval *e, const RlxAst *generator, const RlxAst *ast, int depth) {
  enum { DEEP = 50 };
  RlxValue outer;
  if (depth > DEEP || ast->kind == RLX_AST_LAMBDA || ast->kind == RLX_AST_COMPREHENSION)
    return NULL;
  if (ast->kind == RLX_AST_NAME && rlx_generator_binds(generator, ast->name))
    return rlx_env_get(e->env, ast->name) ||
                   rlx_names_is_builtin(rlx_store_text(e->store, ast->name)) ||
                   e->analyzer->hooks->outer_value(e->file, e->stmt, ast->name, &outer)
               ? NULL
               : ast;
  const RlxAst *found = NULL;
  for (uint32_t i = 0; i < ast->child_count && !found; i++)
    found = own_name(e, generator, ast->children[i], depth + 1);
  return found;
}

/// TVM's parser evaluates a generator's parts one by one, and binds none of its names; what Python evaluates as a whole, a list's
/// comprehension or a lambda, may have one inside.
static bool refuses_generator(RlxEval *e, const RlxAst *ast) {
  if (ast->op != RLX_COMP_GENERATOR || e->comprehensions || e->locals.all.count || !e->env ||
      e->is_signature || e->fn->outer || !rlx_refuse_may_tell(e))
    return false;
  const RlxAst *name = own_name(e, ast, ast->children[0], 0);
  if (!name) return false;
  rlx_note_read(e, name->name, false);
  rlx_note_read(e, name->name, true);
  rlx_eval_report(e, RLX_DIAG_ID(NAME_UNDEFINED), name->span, "ss",
                  rlx_store_text(e->store, name->name),
                  ": TVM's parser binds no name of a generator; write a list, `[… for …]`");
  return true;
}

RlxValue rlx_eval_comprehension(RlxEval *e, const RlxAst *ast) {
  if (refuses_generator(e, ast)) return rlx_eval_failed(e, ast->span);
  Comprehension c = {.ast = ast, .first_clause = ast->op == RLX_COMP_DICT ? 2 : 1};
  uint32_t locals = e->locals.all.count;
  const bool was_in_lambda = e->in_lambda;
  if (!e->comprehensions++) e->steps = 0;
  e->in_lambda |= ast->op != RLX_COMP_GENERATOR;
  bool fine = clause(e, &c, c.first_clause);
  e->in_lambda = was_in_lambda;
  e->comprehensions--;
  rlx_locals_drop(&e->locals, locals);
  if (!fine) return rlx_eval_failed(e, ast->span);
  if (ast->op == RLX_COMP_SET)
    return (RlxValue){.kind = RLX_VALUE_OTHER, .span = ast->span, .text = "a set"};
  RlxValue v = {.kind = ast->op == RLX_COMP_DICT ? RLX_VALUE_DICT : RLX_VALUE_LIST,
                .is_range = ast->op == RLX_COMP_GENERATOR,
                .span = ast->span,
                .count = c.count};
  v.items = c.items;
  return v;
}
