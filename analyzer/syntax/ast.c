/// Questions about one expression of the syntax tree that several rooms ask.
#include "analyzer/syntax/ast.h"

#include <string.h>

#include "analyzer/symbolic/store.h"
#include "base/arena.h"
#include "base/map.h"

const RlxAst *rlx_ast_dotted(const RlxStore *store, const RlxAst *ast,
                             char out[static RLX_AST_DOTTED_MAX]) {
  const char *parts[RLX_AST_DOTTED_PARTS];
  int count = 0;
  for (; ast->kind == RLX_AST_ATTRIBUTE; ast = ast->children[0]) {
    if (count == RLX_AST_DOTTED_PARTS) return NULL;
    parts[count++] = rlx_store_text(store, ast->name);
  }
  if (!count || ast->kind != RLX_AST_NAME) return NULL;
  size_t used = 0;
  for (int i = count; i-- > 0;) {
    size_t size = strlen(parts[i]);
    if (used + size + 2 > RLX_AST_DOTTED_MAX) return NULL;
    if (used) out[used++] = '.';
    memcpy(out + used, parts[i], size + 1);
    used += size;
  }
  return ast;
}

RlxAst *rlx_ast_with_children(RlxArena *arena, const RlxAst *like, const RlxAst *const *children,
                              uint32_t count) {
  RlxAst *node = rlx_arena_alloc(arena, 1, sizeof *node + count * sizeof *children);
  *node = *like;
  node->child_count = count;
  if (count) memcpy(node->children, children, count * sizeof *children);
  return node;
}

void rlx_stmt_take_reading(RlxStmt *stmt, const RlxStmt *reading) {
  stmt->kind = reading->kind;
  stmt->op = reading->op;
  stmt->is_mended = reading->is_mended;
  stmt->targets = reading->targets;
  stmt->target_count = reading->target_count;
  stmt->value = reading->value;
  stmt->annotation = reading->annotation;
  stmt->message = reading->message;
}

bool rlx_ast_names(const RlxAst *ast, RlxName name) {
  if (!ast) return false;
  if ((ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE) && ast->name == name)
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (rlx_ast_names(ast->children[i], name)) return true;
  return false;
}

const RlxAst *rlx_ast_find_name(const RlxAst *ast, RlxName name) {
  if (ast->kind == RLX_AST_NAME) return ast->name == name ? ast : NULL;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *found = ast->children[i] ? rlx_ast_find_name(ast->children[i], name) : NULL;
    if (found) return found;
  }
  return NULL;
}

static const RlxAst *name_again(const RlxAst *target, RlxMap *seen, int depth) {
  enum { DEEP = 64 };
  if (depth > DEEP) return NULL;
  if (target->kind == RLX_AST_NAME) return rlx_map_put(seen, target->name, 1) ? NULL : target;
  const bool is_list = target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST ||
                       target->kind == RLX_AST_STARRED;
  const RlxAst *again = NULL;
  for (uint32_t i = 0; is_list && i < target->child_count && !again; i++)
    again = name_again(target->children[i], seen, depth + 1);
  return again;
}

const RlxAst *rlx_ast_name_again(const RlxAst *target) {
  if (target->kind == RLX_AST_NAME) return NULL;
  RlxMap seen = {0};
  const RlxAst *again = name_again(target, &seen, 0);
  rlx_map_free(&seen);
  return again;
}

RlxParams rlx_taken_params(const RlxStmt *def) {
  uint32_t from = 0, to = 0;
  for (; to < def->param_count && !def->params[to].star; to++)
    if (def->params[to].is_positional_marker) from = to + 1;
  return (RlxParams){def->param_count ? def->params + from : NULL, to - from};
}

int rlx_ast_flag(const RlxAst *ast) {
  if (ast->kind == RLX_AST_INT) return ast->is_big || ast->integer;
  return ast->kind == RLX_AST_TRUE ? 1 : ast->kind == RLX_AST_FALSE ? 0 : -1;
}
