/// Steps of the rules, written as a trace.
#include "jit/schedule/emit.h"

#include "analyzer/tir/rewrite.h"

void rules_emit_enter(Emit *emit, const RlxTirStmt *s, uint32_t child) {
  if (emit) rlx_vec_push(&emit->path, ((EmitFrame){s, child}));
}

void rules_emit_leave(Emit *emit) {
  if (emit) emit->path.count--;
}

// ---- how loops and blocks are named

typedef struct Count {
  RlxTirStmtKind kind;
  RlxName name;
  const RlxTirStmt *until; // itself and what follows do not count; NULL: all
  bool is_over;
  int count;
} Count;

static bool is_named(const RlxTirStmt *s, RlxTirStmtKind kind, RlxName name) {
  return s->kind == kind && (kind == RLX_TIR_FOR ? s->var->name : s->block->name) == name;
}

static bool count_one(const RlxTirStmt *s, void *data) {
  Count *c = data;
  c->is_over |= s == c->until;
  if (!c->is_over) c->count += is_named(s, c->kind, c->name);
  return !c->is_over;
}

/// How many loops or blocks of that name begin before `at`, which is the statement that is looked
/// at or stands below it.
static int count_before(const Emit *emit, const RlxTirStmt *s, const RlxTirStmt *at,
                        RlxTirStmtKind kind, RlxName name) {
  Count c = {.kind = kind, .name = name, .until = at};
  for (uint32_t i = 0; i < emit->path.count; i++) {
    const RlxTirStmt *around = emit->path.at[i].stmt;
    c.count += is_named(around, kind, name);
    if (around->init) rlx_tir_visit(around->init, count_one, NULL, &c);
    for (uint32_t k = 0; k < emit->path.at[i].child; k++)
      rlx_tir_visit(around->body[k], count_one, NULL, &c);
  }
  rlx_tir_visit(s, count_one, NULL, &c);
  return c.count;
}

static bool find_block(const RlxTirStmt *s, void *data) {
  const RlxTirStmt **found = data;
  if (s->kind == RLX_TIR_BLOCK && !*found) *found = s;
  return !*found;
}

/// "matmul", or "matmul#2" where several blocks have the name; in quotes.
static void put_block(Emit *emit, const RlxTirStmt *s, const RlxTirStmt *block) {
  RlxName name = block->block->name;
  Count all = {.kind = RLX_TIR_BLOCK, .name = name};
  rlx_tir_visit(emit->f->body, count_one, NULL, &all);
  rlx_buf_printf(emit->out, "\"%s", rlx_name_text(emit->names, name));
  if (all.count > 1)
    rlx_buf_printf(emit->out, "#%d", count_before(emit, s, block, RLX_TIR_BLOCK, name) + 1);
  rlx_buf_putc(emit->out, '"');
}

/// Binds `l` to the loops around the block below `s`; how many of them stand above `s`, or -1: there
/// is no block.
static int put_loops(Emit *emit, const RlxTirStmt *s) {
  const RlxTirStmt *block = NULL;
  rlx_tir_visit(s, find_block, NULL, &block);
  if (!block) return -1;
  rlx_buf_puts(emit->out, "l = sch.get_loops(");
  put_block(emit, s, block);
  rlx_buf_puts(emit->out, ")\n");
  int above = 0;
  for (uint32_t i = emit->path.count; i-- > 0;) {
    const RlxTirStmt *around = emit->path.at[i].stmt;
    if (around->kind == RLX_TIR_BLOCK) break;
    above += around->kind == RLX_TIR_FOR;
  }
  return above;
}

/// The loop `at` from `s` down.
static void put_loop(Emit *emit, const RlxTirStmt *s, const RlxTirStmt *at, int above) {
  if (above < 0) {
    rlx_buf_printf(emit->out, "\"%s#%d\"", rlx_name_text(emit->names, at->var->name),
                   count_before(emit, s, at, RLX_TIR_FOR, at->var->name) + 1);
    return;
  }
  for (const RlxTirStmt *x = s; x != at; above++) {
    x = x->body[0];
    while (x->kind == RLX_TIR_SEQ) { // with nothing else that does something
      uint32_t k = 0;
      while (k + 1 < x->count && x->body[k]->kind != RLX_TIR_FOR) k++;
      x = x->body[k];
    }
  }
  rlx_buf_printf(emit->out, "l[%d]", above);
}

// ---- the steps

void rules_emit_rule(Emit *emit, const RlxTirStmt *loop, const char *rule) {
  if (!emit) return;
  int above = put_loops(emit, loop);
  rlx_buf_puts(emit->out, "sch.jit_rewrite(");
  put_loop(emit, loop, loop, above);
  rlx_buf_printf(emit->out, ", \"%s\", [%d, %d, %d])\n", rule, emit->target->vector_bytes,
                 emit->target->vector_registers, emit->target->threads);
}

void rules_emit_parallel(Emit *emit, const RlxTirStmt *loop) {
  if (!emit) return;
  int above = put_loops(emit, loop);
  rlx_buf_puts(emit->out, "sch.parallel(");
  put_loop(emit, loop, loop, above);
  rlx_buf_puts(emit->out, ")\n");
}

void rules_emit_decompose(Emit *emit, const RlxTirStmt *loop, const RlxTirStmt *reduce) {
  if (!emit) return;
  const RlxTirStmt *block = NULL;
  rlx_tir_visit(loop, find_block, NULL, &block);
  int above = put_loops(emit, loop);
  rlx_buf_puts(emit->out, "sch.decompose_reduction(");
  put_block(emit, loop, block);
  rlx_buf_puts(emit->out, ", ");
  put_loop(emit, loop, reduce, above);
  rlx_buf_puts(emit->out, ")\n");
}
