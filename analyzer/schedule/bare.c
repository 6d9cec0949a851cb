/// Statements that stand in no block. Dependencies and regions do not tell of them, so that a step
/// which moves a block, or gives it another buffer, asks here whether one of them minds.
#include "analyzer/schedule/schedule_impl.h"

static bool find_bare(const RlxTirStmt *s, void *data) {
  const RlxTirStmt **found = data;
  if (s->kind == RLX_TIR_STORE || s->kind == RLX_TIR_EVALUATE) *found = s;
  return s->kind != RLX_TIR_BLOCK && !*found;
}

const RlxTirStmt *rlx_schedule_bare_statement(const RlxTirStmt *loop) {
  const RlxTirStmt *found = NULL;
  rlx_tir_visit(loop, find_bare, NULL, &found);
  return found;
}

typedef struct BareLoad {
  const RlxTirStmt *loop;
  const RlxTirVar *var; ///< looked for among those that the loop and what is under it give
  bool is_given, found;
} BareLoad;

static bool gives_var(const RlxTirStmt *s, void *data) {
  BareLoad *b = data;
  b->is_given |= (s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_LET_STMT) && s->var == b->var;
  return !b->is_given;
}

static bool index_var(const RlxTirExpr *e, void *data) {
  BareLoad *b = data;
  if (e->kind != RLX_TIR_VAR) return true;
  b->var = e->var;
  rlx_tir_visit(b->loop, gives_var, NULL, b);
  b->found |= b->is_given;
  return !b->found;
}

static bool load_expr(const RlxTirExpr *e, void *data) {
  BareLoad *b = data;
  for (int i = 0; e->kind == RLX_TIR_LOAD && i < e->arg_count; i++)
    rlx_tir_visit_expr(e->args[i], index_var, b);
  return !b->found;
}

static bool is_no_block(const RlxTirStmt *s, void *data) {
  (void)data;
  return s->kind != RLX_TIR_BLOCK;
}

bool rlx_schedule_bare_load(const RlxTirStmt *loop) {
  BareLoad b = {.loop = loop};
  rlx_tir_visit(loop, is_no_block, load_expr, &b);
  return b.found;
}

typedef struct Use {
  const RlxTirBuffer *buffer;
  bool only_writes;
  const RlxTirStmt *at, *found; ///< at: the statement whose expressions come next
} Use;

static const RlxTirBuffer *root_of(const RlxTirBuffer *b) {
  while (b->view_of) b = b->view_of;
  return b;
}

static bool use_stmt(const RlxTirStmt *s, void *data) {
  Use *u = data;
  if (s->kind == RLX_TIR_BLOCK || u->found) return false;
  u->at = s;
  if (s->kind == RLX_TIR_STORE && root_of(s->buffer) == u->buffer) u->found = s;
  return true;
}

/// A pointer may be written through.
static bool use_expr(const RlxTirExpr *e, void *data) {
  Use *u = data;
  bool is_pointer = e->kind == RLX_TIR_VAR && u->buffer->data && e->var == u->buffer->data;
  bool is_load = e->kind == RLX_TIR_LOAD && root_of(e->buffer) == u->buffer;
  if (!u->found && (is_pointer || (is_load && !u->only_writes))) u->found = u->at;
  return true;
}

const RlxTirStmt *rlx_schedule_bare_use_in(const RlxTirStmt *s, const RlxTirBuffer *buffer,
                                           bool only_writes) {
  Use u = {.buffer = root_of(buffer), .only_writes = only_writes};
  rlx_tir_visit(s, use_stmt, use_expr, &u);
  return u.found;
}

const RlxTirStmt *rlx_schedule_bare_use(RlxScheduleCall *c, const RlxTirBlockInfo *scope,
                                        const RlxTirBuffer *buffer, bool only_writes) {
  const RlxTirStmt *body =
      scope->stmt ? scope->stmt->body[0] : c->s->functions.at[c->function].f->body;
  return rlx_schedule_bare_use_in(body, buffer, only_writes);
}

const RlxTirStmt *rlx_schedule_bare_conflict(RlxScheduleCall *c, const RlxTirBlockInfo *block,
                                             const char **out_why) {
  const RlxTirBlockInfo *scope = &rlx_schedule_analysis(c)->blocks[block->scope];
  const RlxTirBoxes *boxes[] = {&block->writes, &block->deduced_writes, &block->reads,
                                &block->deduced_reads};
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < boxes[k]->count; i++) {
      const RlxTirBuffer *buffer = boxes[k]->at[i].buffer;
      const RlxTirStmt *found = rlx_schedule_bare_use(c, scope, buffer, k >= 2);
      if (!found) continue;
      *out_why = rlx_arena_printf(
          c->s->arena, "a statement that stands in no block uses `%s`, which it %s",
          rlx_store_text(c->s->store, buffer->name), k < 2 ? "writes" : "reads");
      return found;
    }
  return NULL;
}

bool rlx_schedule_check_bare(RlxScheduleCall *c, RlxDiagId id, const RlxTirStmt *about,
                             const RlxTirBlockInfo *block) {
  const char *why = NULL;
  const RlxTirStmt *bare = rlx_schedule_bare_conflict(c, block, &why);
  if (!bare) return true;
  const char *name = about && about->kind == RLX_TIR_FOR ? rlx_schedule_loop_name(c, about)
                                                         : rlx_schedule_block_name(c, about);
  rlx_schedule_refuse(c, id, about, "ss", name, why);
  rlx_schedule_also(c, bare, "this statement");
  return false;
}
