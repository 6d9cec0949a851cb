/// The walk to a place, its parts that place_facts.c and place_access.c share: names and
/// expressions as symbolic integers, the list of facts, callees.
#include <string.h>

#include "analyzer/ask/place_impl.h"
#include "analyzer/words/prim_read.h"

enum { SEEN_MAX = 512 };

const RlxPrim *rlx_place_name(RlxStore *store, RlxName name, void *data) {
  const RlxPlace *p = data;
  return rlx_prim_var(store, rlx_symvar(store, p->scope, name, RLX_INT64, false));
}

const RlxPrim *rlx_place_read(RlxPlace *p, const RlxAst *ast) {
  RlxError err = {0};
  return ast ? rlx_prim_from_ast(p->store, ast, rlx_place_name, p, &err) : NULL;
}

void rlx_place_assume(RlxPlace *p, const RlxPrim *condition, const char *origin, bool is_buffer) {
  if (!condition || !rlx_dtype_is_bool(condition->dtype) || !condition->vars ||
      p->facts.count == SEEN_MAX)
    return;
  for (uint32_t i = 0; i < p->facts.count; i++)
    if (p->facts.at[i].condition == condition) return;
  RlxPlaceFact fact = {condition, origin, is_buffer};
  rlx_place_note(p, condition);
  rlx_vec_push(&p->facts, fact);
}

void rlx_place_note(RlxPlace *p, const RlxPrim *prim) {
  enum { VARS_MAX = 16 };
  const RlxSymVar *vars[VARS_MAX];
  int count = 0;
  if (prim) rlx_prim_vars(prim, vars, &count, VARS_MAX);
  for (int i = 0; i < count; i++) rlx_map_put(&p->said, (uint64_t)(uintptr_t)vars[i], 1);
  p->said_of_many = p->said_of_many || count == VARS_MAX;
}

const char *rlx_place_head(const RlxPlace *p, const RlxAst *call) {
  const RlxAst *callee =
      call && call->kind == RLX_AST_CALL && call->child_count ? call->children[0] : NULL;
  if (!callee || (callee->kind != RLX_AST_NAME && callee->kind != RLX_AST_ATTRIBUTE)) return "";
  return rlx_store_text(p->store, callee->name);
}

bool rlx_place_is_one_of(const char *word, const char *const *words) {
  for (; *words; words++)
    if (strcmp(word, *words) == 0) return true;
  return false;
}
