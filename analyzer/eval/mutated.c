/// Values of Python's names that are changed in place: `W[0] = 5`, `W += 1`, `L.append(3)`,
/// `np.copyto(W, V)`. Always true: a name counts as changed wherever in the file that stands, before
/// a use or behind it, in a function that may never be called, or through another name; so what is
/// not changed has the value that was assigned.
#include "analyzer/eval/eval.h"
#include "analyzer/eval/outer.h"
#include "analyzer/state/state.h"
#include <string.h>

enum { DEPTH_MAX = 200, ROUNDS_MAX = 64 };

typedef enum Change { ELEMENTS = 1, FORM = 2 } Change; // of an array; FORM: its shape or dtype, too

typedef struct Changes {
  RlxFile *file; ///< NULL: nobody is told
  bool any;
} Changes;

static void change(Changes *c, RlxName name, uint64_t how) {
  uint64_t old = 0;
  c->any = true;
  if (!c->file || !name) return;
  rlx_map_get(&c->file->mutated, name, &old);
  rlx_map_put(&c->file->mutated, name, old | how);
}

/// The name that `a[0].b` and `a.T[1:]` begin with; 0: none.
static RlxName root_of(const RlxAst *ast) {
  while (ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_SUBSCRIPT ||
         ast->kind == RLX_AST_STARRED || ast->kind == RLX_AST_KEYWORD)
    ast = ast->children[0];
  return ast->kind == RLX_AST_NAME ? ast->name : 0;
}

static const char *text_of(const RlxStore *store, RlxName name) {
  return name ? rlx_store_text(store, name) : "";
}

static void of_target(Changes *c, const RlxStore *store, const RlxAst *target, bool is_in_place) {
  if (!target) return;
  bool is_list = target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST ||
                 target->kind == RLX_AST_STARRED;
  for (uint32_t i = 0; is_list && i < target->child_count; i++)
    of_target(c, store, target->children[i], is_in_place);
  bool is_part = target->kind == RLX_AST_SUBSCRIPT || target->kind == RLX_AST_ATTRIBUTE;
  const char *word = target->kind == RLX_AST_ATTRIBUTE ? text_of(store, target->name) : "";
  bool is_form = !strcmp(word, "shape") || !strcmp(word, "dtype") || !strcmp(word, "strides");
  if (is_part || (is_in_place && target->kind == RLX_AST_NAME))
    change(c, root_of(target), is_form ? FORM : ELEMENTS);
}

/// A call whose result nobody takes is made for what it changes: its object, or its arguments.
static void of_call(Changes *c, const RlxStore *store, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  const char *word = text_of(
      store, callee->kind == RLX_AST_ATTRIBUTE || callee->kind == RLX_AST_NAME ? callee->name : 0);
  if (!strcmp(word, "print") || !strncmp(word, "module_", 7)) return; // I.module_attrs(…)
  if (callee->kind == RLX_AST_ATTRIBUTE)
    change(c, root_of(callee), strcmp(word, "resize") ? ELEMENTS : FORM);
  for (uint32_t i = 1; i < call->child_count; i++) {
    RlxName name = root_of(call->children[i]);
    if (name) change(c, name, ELEMENTS);
  }
}

/// `np.add(G, 1, out=G)`, whoever takes the result.
static void of_outputs(Changes *c, const RlxStore *store, const RlxAst *ast, int depth) {
  if (!ast || depth > DEPTH_MAX) return;
  if (ast->kind == RLX_AST_KEYWORD && !strcmp(text_of(store, ast->name), "out"))
    change(c, root_of(ast), ELEMENTS);
  for (uint32_t i = 0; i < ast->child_count; i++) of_outputs(c, store, ast->children[i], depth + 1);
}

static void of_stmt(Changes *c, const RlxStore *store, const RlxStmt *stmt) {
  bool is_in_place = stmt->kind == RLX_STMT_AUGMENTED;
  for (uint32_t i = 0; i < stmt->target_count; i++)
    of_target(c, store, stmt->targets[i], is_in_place);
  for (uint32_t i = 0; i < stmt->item_count; i++) of_target(c, store, stmt->items[i].target, false);
  if (!stmt->value) return;
  if (stmt->kind == RLX_STMT_EXPR && stmt->value->kind == RLX_AST_CALL)
    of_call(c, store, stmt->value);
  else if (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED)
    of_outputs(c, store, stmt->value, 0);
}

void rlx_outer_note_mutated(RlxFile *file, const RlxStmt *stmt) {
  of_stmt(&(Changes){file, false}, file->store, stmt);
}

bool rlx_outer_mutates(const RlxFile *file, const RlxStmt *stmt) {
  Changes c = {NULL, false};
  of_stmt(&c, file->store, stmt);
  return c.any;
}

/// Marks the names in `ast`, which `how` may change under another name. True: one is new.
static bool spread(RlxFile *file, const RlxAst *ast, uint64_t how, int depth) {
  uint64_t old = 0;
  bool more = false;
  if (depth > DEPTH_MAX) return false;
  if (ast->kind == RLX_AST_NAME) {
    rlx_map_get(&file->mutated, ast->name, &old);
    if ((old | how) == old) return false;
    rlx_map_put(&file->mutated, ast->name, old | how);
    return true;
  }
  for (uint32_t i = 0; i < ast->child_count; i++)
    more |= spread(file, ast->children[i], how, depth + 1);
  return more;
}

void rlx_outer_spread_mutated(RlxFile *file) {
  bool more = rlx_map_count(&file->mutated) > 0;
  for (int round = 0; more && round < ROUNDS_MAX; round++) {
    more = false;
    for (uint32_t i = file->outer_assigns.count; i-- > 0;) { // other names stand behind, most often
      const RlxOuterBinding *binding = &file->outer.at[file->outer_assigns.at[i]];
      uint64_t how = 0;
      if (binding->stmt->value && rlx_map_get(&file->mutated, binding->name, &how))
        more |= spread(file, binding->stmt->value, ELEMENTS, 0);
    }
  }
}

RlxValue rlx_outer_unmutated(RlxFile *file, RlxName name, RlxValue value) {
  uint64_t how = 0;
  if (!rlx_map_get(&file->mutated, name, &how)) return value;
  if (value.kind == RLX_VALUE_ARRAY && !(how & FORM)) {
    RlxExpr *x = rlx_arena_one(file->outer_arena, RlxExpr);
    *x = *value.expr;
    x->constant.value = NULL;
    value.expr = x;
    return value;
  }
  bool may_change = value.kind == RLX_VALUE_ARRAY || value.kind == RLX_VALUE_DICT ||
                    (value.kind == RLX_VALUE_LIST && !value.is_tuple);
  return may_change ? rlx_value_unknown(value.span) : value;
}
