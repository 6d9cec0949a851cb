/// Names of a PrimFunc. Python's scopes are coarser than TensorIR's: here a loop's variable belongs
/// to its loop, and what a block binds to the block, as TVM reads it.
#include "analyzer/words/prim_names.h"

static bool in_target(const RlxAst *target, RlxName name, RlxSpan *out) {
  if (!target) return false;
  if (target->kind == RLX_AST_NAME) {
    if (target->name != name) return false;
    *out = target->span;
    return true;
  }
  if (target->kind != RLX_AST_TUPLE && target->kind != RLX_AST_LIST &&
      target->kind != RLX_AST_STARRED)
    return false;
  for (uint32_t i = 0; i < target->child_count; i++)
    if (in_target(target->children[i], name, out)) return true;
  return false;
}

static bool binds(const RlxStmt *stmt, RlxName name, RlxSpan *out) {
  bool has_targets = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED ||
                     stmt->kind == RLX_STMT_FOR;
  for (uint32_t i = 0; has_targets && i < stmt->target_count; i++)
    if (in_target(stmt->targets[i], name, out)) return true;
  for (uint32_t i = 0; stmt->kind == RLX_STMT_WITH && i < stmt->item_count; i++)
    if (in_target(stmt->items[i].target, name, out)) return true;
  return false;
}

const RlxStmt *rlx_prim_name_definition(const RlxStmt *def, const RlxStmt *stmt, RlxName name,
                                        RlxSpan *out) {
  for (const RlxStmt *at = stmt; at && at != def; at = at->block->parent) {
    bool is_compound = at->kind == RLX_STMT_FOR || at->kind == RLX_STMT_WITH;
    if (is_compound && binds(at, name, out)) return at;
    for (uint32_t i = 0; i < at->block->count && i <= at->index; i++) {
      const RlxStmt *before = at->block->stmts[i];
      if (before->kind != RLX_STMT_FOR && binds(before, name, out)) return before;
    }
  }
  for (uint32_t i = 0; i < def->param_count; i++) {
    if (def->params[i].name != name) continue;
    *out = def->params[i].name_span;
    return def;
  }
  return NULL;
}
