/// `with` in PrimFuncs: blocks, their init, and what holds for a suite (lets, memory, attributes, threads).
#include "analyzer/script/script_impl.h"
#include <string.h>

/// At the end of a block: loops around it may be used inside it only when it has no block
/// variables. Each loop is reported once. `from`: how many uses were noted when the block began.
static void check_loop_uses(RlxTirReader *r, const RlxTirBlock *block, uint32_t from) {
  const RlxTirExpr *reported = NULL;
  uint32_t kept = from;
  for (uint32_t i = from; i < r->loop_uses.count; i++) {
    RlxTirLoopUse use = r->loop_uses.at[i];
    if (use.depth < r->block_depth) {
      r->loop_uses.at[kept++] = use;
    } else if (!block->iter_count) {
      use.depth = r->block_depth - 1;
      if (use.loop_depth < use.depth) r->loop_uses.at[kept++] = use;
    } else if (use.expr != reported) {
      const RlxStmt *stmt = r->stmt;
      r->stmt = use.stmt;
      rlx_tir_mistake(r, use.ast, RLX_DIAG_ID(BLOCK_LOOP_VAR), "ss",
                      rlx_store_text(r->store, use.ast->name),
                      rlx_store_text(r->store, block->name));
      r->stmt = stmt;
      reported = use.expr;
    }
  }
  r->loop_uses.count = kept;
}

static RlxTirStmt *read_block(RlxTirReader *r, const RlxStmt *stmt, const RlxWithItem *item) {
  const RlxAst *call = item->value;
  RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_BLOCK);
  RlxTirBlock *block = rlx_arena_one(r->f->arena, RlxTirBlock);
  block->read_count = block->write_count = -1;
  const bool has_domains = rlx_tir_has_domains(call);
  const RlxAst *name = rlx_tir_arg(r, call, has_domains, "name");
  if (name && name->kind == RLX_AST_STRING)
    block->name = rlx_store_intern(r->store, name->text, name->text_size);
  s->block = block;
  RlxTirBlock *outer = r->block;
  bool in_init = r->is_in_init;
  r->is_in_init = false;
  RlxTirStmt *outer_stmt = r->block_stmt;
  r->block = block;
  r->in_unknown = false;
  r->block_stmt = s;
  r->block_depth++;
  int outer_loops = r->loop_depth;
  r->loop_depth = 0;
  const uint32_t scope = r->env.count, uses = r->loop_uses.count;
  if (has_domains) rlx_tir_read_domains(r, call, item->target);
  rlx_tir_set_body(r, s, rlx_tir_read_scoped(r, stmt->body), NULL);
  if (has_domains) rlx_tir_bind_domains(r, call, scope);
  r->env.count = scope;
  check_loop_uses(r, block, uses);
  r->block_depth--;
  r->loop_depth = outer_loops;
  r->is_in_init = in_init;
  r->block = outer;
  r->block_stmt = outer_stmt;
  return s;
}

static bool is_block_path(const char *path) {
  return !strcmp(path, "block") || !strcmp(path, "sblock");
}

/// One item of a with statement; gives the statement that encloses the rest, or NULL when the item
/// only binds names. `*is_whole`: the rest was read with it.
static RlxTirStmt *read_with_item(RlxTirReader *r, const RlxStmt *stmt, const RlxWithItem *item,
                                  bool *is_whole) {
  const RlxAst *call = item->value;
  const char *path = call->kind == RLX_AST_CALL ? rlx_tir_path(r, call->children[0]) : NULL;
  RlxName name =
      item->target && item->target->kind == RLX_AST_NAME ? item->target->name : RLX_NAME_NONE;
  if (path && is_block_path(path)) {
    *is_whole = true;
    return read_block(r, stmt, item);
  }
  if (path && !strcmp(path, "init")) {
    *is_whole = true;
    bool is_placed = rlx_tir_is_in_block(r, call, "T.init");
    if (is_placed && r->block_stmt->init) rlx_tir_twice(r, call, "T.init");
    r->is_in_init = true;
    RlxTirStmt *init = rlx_tir_read_scoped(r, stmt->body);
    r->is_in_init = false;
    if (is_placed) r->block_stmt->init = init;
    return rlx_tir_new_stmt(r, RLX_TIR_NOP);
  }
  const RlxAst *a0 = path ? rlx_tir_arg(r, call, 0, NULL) : NULL,
               *a1 = path ? rlx_tir_arg(r, call, 1, NULL) : NULL;
  if (path && !strcmp(path, "let") && a0 && a1 && a0->kind == RLX_AST_NAME)
    return rlx_tir_read_let(r, a0->name, rlx_tir_eval_scalar_expr(r, a1),
                            rlx_tir_find_var(r, a0->name));
  if (path && (!strcmp(path, "LetStmt") || !strcmp(path, "Bind")) && a0) {
    const RlxAst *given = rlx_tir_arg(r, call, RLX_TIR_KEYWORD_ONLY, "var");
    RlxTirVar *var = given && given->kind == RLX_AST_NAME ? rlx_tir_find_var(r, given->name) : NULL;
    return rlx_tir_read_let(r, name, rlx_tir_eval_scalar_expr(r, a0), var);
  }
  if (path && !strcmp(path, "launch_thread")) return rlx_tir_read_launch(r, call, name);
  if (path && (!strcmp(path, "allocate") || !strcmp(path, "decl_buffer") ||
               !strcmp(path, "alloc_buffer") || !strcmp(path, "Buffer"))) {
    RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_ALLOC);
    s->buffer = rlx_tir_read_buffer(r, call, 0, name, false);
    rlx_tir_link_view(r, s->buffer);
    rlx_tir_bind(r, name, rlx_tir_buffer_value(s->buffer));
    return s;
  }
  if (path && !strcmp(path, "attr")) return rlx_tir_read_attr(r, call);
  if (path && rlx_tir_is_constant(r, path)) return rlx_tir_bind_constant(r, call, name);
  if (path && !strcmp(path, "Assert")) {
    RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_ASSERT);
    if (a0) s->cond = rlx_tir_eval_expr(r, a0);
    RlxTv text = a1 ? rlx_tir_eval(r, a1) : rlx_tv_hole();
    if (text.kind == RLX_TV_STRING) s->value = rlx_tir_string(r->f, text.text);
    return s;
  }
  r->in_unknown = true;
  rlx_tir_issue(r, call, "this `with` is not understood in a PrimFunc");
  return NULL;
}

RlxTirStmt *rlx_tir_read_with(RlxTirReader *r, const RlxStmt *stmt) {
  uint32_t scope = r->env.count;
  RlxTirStmt *outer = NULL, *inner = NULL;
  bool is_whole = false;
  const bool was_unknown = r->in_unknown;
  for (uint32_t i = 0; i < stmt->item_count && !is_whole; i++) {
    RlxTirStmt *s = read_with_item(r, stmt, &stmt->items[i], &is_whole);
    if (!s) continue;
    if (inner) rlx_tir_set_body(r, inner, s, NULL);
    if (!outer) outer = s;
    inner = s;
  }
  if (!is_whole) {
    RlxTirStmt *parts[2] = {r->initial, NULL};
    r->initial = NULL;
    RlxTirStmt *body = parts[1] = rlx_tir_read_scoped(r, stmt->body);
    if (parts[0]) body = rlx_tir_seq(r->f, parts, 2);
    if (!inner)
      outer = body;
    else
      rlx_tir_set_body(r, inner, body, NULL);
  }
  r->in_unknown = was_unknown;
  rlx_tir_leave(r, scope);
  return outer;
}
