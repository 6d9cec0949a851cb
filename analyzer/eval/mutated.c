/// Values of Python's names that are changed in place: `W[0] = 5`, `W += 1`, `L.append(3)`,
/// `np.copyto(W, V)`, `_ = fill(W)`. Always true: a name counts as changed wherever in the file that stands, before
/// a use or behind it, in a function that may never be called, or through another name; so what is
/// not changed has the value that was assigned.
#include "analyzer/eval/eval.h"
#include "analyzer/eval/outer.h"
#include "analyzer/state/state.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 200, ROUNDS_MAX = 64 };

typedef enum Change { ELEMENTS = 1, FORM = 2 } Change; // of an array; FORM: its shape or dtype, too

static void change(RlxFile *file, RlxName name, uint64_t how) {
  uint64_t old = 0;
  if (!name) return;
  rlx_map_get(&file->mutated, name, &old);
  rlx_map_put(&file->mutated, name, old | how);
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

static void of_target(RlxFile *file, const RlxAst *target, bool is_in_place) {
  if (!target) return;
  bool is_list = target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST ||
                 target->kind == RLX_AST_STARRED;
  for (uint32_t i = 0; is_list && i < target->child_count; i++)
    of_target(file, target->children[i], is_in_place);
  bool is_part = target->kind == RLX_AST_SUBSCRIPT || target->kind == RLX_AST_ATTRIBUTE;
  const char *word = target->kind == RLX_AST_ATTRIBUTE ? text_of(file->store, target->name) : "";
  bool is_form = !strcmp(word, "shape") || !strcmp(word, "dtype") || !strcmp(word, "strides");
  if (is_part || (is_in_place && target->kind == RLX_AST_NAME))
    change(file, root_of(target), is_form ? FORM : ELEMENTS);
}

/// Methods that change their object, of arrays, lists, sets and dicts, whoever takes the result.
static bool changes_object(const char *word) {
  static const char *const words[] = {"append",    "byteswap", "clear",  "extend",  "fill",
                                      "insert",    "itemset",  "pop",    "popitem", "put",
                                      "partition", "remove",   "resize", "reverse", "setdefault",
                                      "setfield",  "setflags", "sort",   "update",  "__setitem__"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (*words[i] == *word && !strcmp(words[i], word)) return true;
  return false;
}

static const char *word_of(const RlxFile *file, const RlxAst *callee) {
  bool has_word = callee->kind == RLX_AST_ATTRIBUTE || callee->kind == RLX_AST_NAME;
  return text_of(file->store, has_word ? callee->name : 0);
}

/// A call whose result nobody takes is made for what it changes: its object, or its arguments.
static void of_call(RlxFile *file, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  const char *word = word_of(file, callee);
  if (!strcmp(word, "print") || !strncmp(word, "module_", 7)) return; // I.module_attrs(…)
  if (callee->kind == RLX_AST_ATTRIBUTE)
    change(file, root_of(callee), strcmp(word, "resize") ? ELEMENTS : FORM);
  for (uint32_t i = 1; i < call->child_count; i++) {
    RlxName name = root_of(call->children[i]);
    if (name) change(file, name, ELEMENTS);
  }
}

/// What names stand for each other only once all of the file was seen (rlx_outer_spread_mutated).
static void keep(RlxFile *file, const RlxAst *ast) { rlx_vec_push(&file->outer_calls, ast); }

/// Whoever takes the results of its calls: `np.add(G, 1, out=G)`, `last = L.pop()`, `_ = fill(W)`.
static void of_expression(RlxFile *file, const RlxAst *ast, int depth) {
  if (!ast || depth > DEPTH_MAX) return;
  if (ast->kind == RLX_AST_KEYWORD && !strcmp(text_of(file->store, ast->name), "out"))
    change(file, root_of(ast), ELEMENTS);
  if (ast->kind == RLX_AST_COMP_FOR || ast->kind == RLX_AST_NAMED) keep(file, ast);
  if (ast->kind == RLX_AST_CALL && ast->child_count) {
    const RlxAst *callee = ast->children[0];
    const char *word = word_of(file, callee);
    if (callee->kind == RLX_AST_ATTRIBUTE && changes_object(word))
      change(file, root_of(callee), strcmp(word, "resize") ? ELEMENTS : FORM);
    bool has_name = false;
    for (uint32_t i = 1; i < ast->child_count; i++) has_name |= root_of(ast->children[i]) != 0;
    if (has_name && !(callee->kind == RLX_AST_NAME && rlx_names_is_builtin(word))) keep(file, ast);
  }
  for (uint32_t i = 0; i < ast->child_count; i++) of_expression(file, ast->children[i], depth + 1);
}

static void of_stmt(RlxFile *file, const RlxStmt *stmt) {
  bool is_in_place = stmt->kind == RLX_STMT_AUGMENTED;
  for (uint32_t i = 0; i < stmt->target_count; i++) of_target(file, stmt->targets[i], is_in_place);
  for (uint32_t i = 0; i < stmt->item_count; i++) {
    of_target(file, stmt->items[i].target, false);
    of_expression(file, stmt->items[i].value, 0);
  }
  if (stmt->kind == RLX_STMT_EXPR && stmt->value && stmt->value->kind == RLX_AST_CALL)
    of_call(file, stmt->value);
  of_expression(file, stmt->value, 0);
  of_expression(file, stmt->message, 0);
}

void rlx_outer_note_mutated(RlxFile *file, const RlxStmt *stmt) { of_stmt(file, stmt); }

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

/// Where each name is bound: the last place + 1, and from each place the one before.
typedef struct Places {
  RlxMap last;
  uint32_t *before;
} Places;

static void find_places(const RlxFile *file, Places *out) {
  if (!file->outer_calls.count || !file->outer.count) return;
  out->before = rlx_mem_zeroed(file->outer.count, sizeof *out->before);
  for (uint32_t i = 0; i < file->outer.count; i++) {
    uint64_t old = 0;
    rlx_map_get(&out->last, file->outer.at[i].name, &old);
    out->before[i] = (uint32_t)old;
    rlx_map_put(&out->last, file->outer.at[i].name, i + 1);
  }
}

static bool is_mutated(const RlxFile *file, RlxName name) {
  return name && rlx_map_get(&file->mutated, name, NULL);
}

static bool names_mutated(const RlxFile *file, const RlxAst *target, int depth) {
  if (depth > DEPTH_MAX) return true;
  if (target->kind == RLX_AST_NAME) return is_mutated(file, target->name);
  for (uint32_t i = 0; i < target->child_count; i++)
    if (names_mutated(file, target->children[i], depth + 1)) return true;
  return false;
}

/// The parameter that takes an argument, the `at`-th by position; those with a star take the rest.
static bool is_param_mutated(const RlxFile *file, const RlxParam *params, uint32_t count,
                             uint32_t at, RlxName keyword) {
  uint32_t place = 0;
  for (uint32_t i = 0; i < count; i++) {
    const RlxParam *p = &params[i];
    if (p->is_positional_marker || !p->name) continue;
    bool takes = p->star || (keyword ? p->name == keyword : place++ == at);
    if (takes && is_mutated(file, p->name)) return true;
  }
  return false;
}

/// Libraries whose functions change none of their arguments but those that are called `out`.
static bool is_library(const RlxFile *file, const RlxImport *import) {
  static const char *const roots[] = {"numpy", "tvm", "math", "copy", "functools", "itertools"};
  const char *module = rlx_store_text(file->store, import->module);
  for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
    size_t size = strlen(roots[i]);
    if (!strncmp(module, roots[i], size) && (!module[size] || module[size] == '.')) return true;
  }
  return false;
}

/// Whether a call may change its argument: what a function of the file does is known, a library's
/// functions change nothing, and all others anything.
static bool may_change(const RlxFile *file, const Places *places, const RlxAst *callee, uint32_t at,
                       RlxName keyword) {
  if (callee->kind == RLX_AST_LAMBDA)
    return is_param_mutated(file, callee->params, callee->param_count, at, keyword);
  RlxName name = root_of(callee);
  RlxValue word;
  uint64_t place = 0;
  if (!name) return true;
  if (!rlx_map_get(&places->last, name, &place))
    return !rlx_names_predefined(&file->analyzer->words, text_of(file->store, name), &word);
  for (; place; place = places->before[place - 1]) {
    const RlxOuterBinding *b = &file->outer.at[place - 1];
    bool is_def = callee->kind == RLX_AST_NAME && b->stmt->kind == RLX_STMT_DEF &&
                  b->stmt->name == name && !b->is_opaque;
    if (b->import
            ? !is_library(file, b->import)
            : !is_def || is_param_mutated(file, b->stmt->params, b->stmt->param_count, at, keyword))
      return true;
  }
  return false;
}

static bool spread_call(RlxFile *file, const Places *places, const RlxAst *call) {
  bool more = false;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    RlxName name = root_of(arg);
    uint64_t old = 0;
    if (!name || (rlx_map_get(&file->mutated, name, &old) && old & ELEMENTS)) continue;
    if (!may_change(file, places, call->children[0], i - 1,
                    arg->kind == RLX_AST_KEYWORD ? arg->name : 0))
      continue;
    rlx_map_put(&file->mutated, name, old | ELEMENTS);
    more = true;
  }
  return more;
}

static bool spread_kept(RlxFile *file, const Places *places, const RlxAst *ast) {
  if (ast->kind == RLX_AST_CALL) return spread_call(file, places, ast);
  if (ast->kind == RLX_AST_NAMED)
    return is_mutated(file, ast->name) && spread(file, ast->children[0], ELEMENTS, 0);
  return names_mutated(file, ast->children[0], 0) && spread(file, ast->children[1], ELEMENTS, 0);
}

void rlx_outer_spread_mutated(RlxFile *file) {
  bool more = rlx_map_count(&file->mutated) + file->outer_calls.count > 0;
  Places places = {0};
  find_places(file, &places);
  for (int round = 0; more && round < ROUNDS_MAX; round++) {
    more = false;
    for (uint32_t i = file->outer_calls.count; i-- > 0;)
      more |= spread_kept(file, &places, file->outer_calls.at[i]);
    for (uint32_t i = file->outer_assigns.count; i-- > 0;) { // other names stand behind, most often
      const RlxOuterBinding *binding = &file->outer.at[file->outer_assigns.at[i]];
      uint64_t how = 0;
      if (binding->stmt->value && rlx_map_get(&file->mutated, binding->name, &how))
        more |= spread(file, binding->stmt->value, ELEMENTS, 0);
    }
  }
  rlx_vec_clear(&file->outer_calls);
  rlx_map_free(&places.last);
  free(places.before);
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
  if (rlx_array_is_partial(&value) && !(how & FORM)) return value;
  bool may_change = value.kind == RLX_VALUE_ARRAY || rlx_array_is_partial(&value) ||
                    value.kind == RLX_VALUE_DICT ||
                    (value.kind == RLX_VALUE_LIST && !value.is_tuple);
  return may_change ? rlx_value_unknown(value.span) : value;
}
