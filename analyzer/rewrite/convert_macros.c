/// Which macros of a file TVM reads: those that a function calls, or a macro that is read. The body
/// of another one is text that nobody has looked at.
#include "analyzer/rewrite/convert.h"
#include "analyzer/state/state.h"

enum { ROUNDS_MAX = 16 };

static void add_names(RlxMap *names, const RlxAst *ast) {
  if (!ast) return;
  if (ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE) rlx_map_put(names, ast->name, 1);
  for (uint32_t i = 0; i < ast->child_count; i++) add_names(names, ast->children[i]);
}

/// Every name that the statements read; one that is a call's stands in no target.
static void add_block(RlxMap *names, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    add_names(names, stmt->value);
    add_names(names, stmt->annotation);
    for (uint32_t k = 0; k < stmt->item_count; k++) add_names(names, stmt->items[k].value);
    for (uint32_t k = 0; k < stmt->block_count; k++) add_block(names, stmt->blocks[k]);
    add_block(names, stmt->body);
    add_block(names, stmt->orelse);
  }
}

static bool is_macro(const RlxFn *fn) { return fn->kind == RLX_ISLAND_MACRO; }

/// Fills `read_names` with the names in functions and in macros that are read. A chain of macros that the rounds
/// do not come to the end of counts as read.
static void find_names(RlxConvert *c) {
  const RlxFile *file = c->file;
  bool *done = rlx_arena_array(c->arena, bool, file->fns.count), is_new = true;
  for (uint32_t i = 0; i < file->fns.count; i++)
    if (!is_macro(file->fns.at[i])) add_block(&c->read_names, file->fns.at[i]->stmt->body);
  for (int round = 0; is_new; round++) {
    is_new = false;
    for (uint32_t i = file->fns.count; i-- > 0;) {
      const RlxFn *fn = file->fns.at[i];
      uint64_t value;
      if (done[i] || !is_macro(fn) ||
          (round < ROUNDS_MAX && !rlx_map_get(&c->read_names, fn->stmt->name, &value)))
        continue;
      if (round >= ROUNDS_MAX) rlx_map_put(&c->read_names, fn->stmt->name, 1);
      add_block(&c->read_names, fn->stmt->body);
      done[i] = is_new = true;
    }
  }
  c->has_read_names = true;
}

bool rlx_convert_is_unread(RlxConvert *c) {
  uint64_t value;
  if (!c->fn || !is_macro(c->fn)) return false;
  if (!c->has_read_names) find_names(c);
  return !rlx_map_get(&c->read_names, c->fn->stmt->name, &value);
}
