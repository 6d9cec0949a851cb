/// jit_rewrite: a loop nest as the JIT compiles it, where what it does (packing operands, accumulators
/// in vector registers) is made for a machine and no primitive of TVM's.
///
/// The rules themselves are the JIT's (jit/schedule/): the schedule is handed them
/// (rlx_schedule_set_rewriter), asks of the blocks what `reorder` and `rfactor` would ask, and puts
/// what comes back in the place of the nest, in a block that has the name of the one that was there.
#include "analyzer/schedule/schedule_impl.h"

#include <string.h>

static const char *const rules[] = {"contraction", "reduction", "guards", "distribute"};

static bool refuse(RlxScheduleCall *c, const RlxTirStmt *loop, const char *why) {
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), loop, "ss",
                             rlx_schedule_loop_name(c, loop), why);
}

static bool refuse_argument(RlxScheduleCall *c, const char *why) {
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss", c->primitive->name,
                             why);
}

static bool read_rule(RlxScheduleCall *c, RlxNestRule *out) {
  const char *name = rlx_schedule_text(c, 1);
  bool is_known = false;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) is_known |= strcmp(name, rules[i]) == 0;
  if (!is_known)
    return refuse_argument(
        c, "`rule` is \"contraction\", \"reduction\", \"guards\" or \"distribute\"");
  static const int64_t least[] = {16, 8, 1}, most[] = {256, 128, 1024};
  int numbers[3];
  const RlxScheduleValue *machine = &c->args[2];
  bool ok = machine->count == 3;
  for (uint32_t i = 0; ok && i < 3; i++) {
    const RlxScheduleValue *v = &machine->items[i];
    ok = v->kind == RLX_SCHEDULE_INT && v->integer >= least[i] && v->integer <= most[i];
    if (ok) numbers[i] = (int)v->integer;
  }
  if (!ok || (numbers[0] & (numbers[0] - 1)))
    return refuse_argument(c,
                           "`machine` is [bytes of a vector (a power of 2 from 16 to 256), vector "
                           "registers (8 to 128), threads (1 to 1024)]");
  *out = (RlxNestRule){name, numbers[0], numbers[1], numbers[2]};
  return true;
}

/// The order of a nest's instances is changed, and that of the terms of a sum.
static bool check_blocks(RlxScheduleCall *c, const RlxTirStmt *loop) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirLoopInfo *info = rlx_schedule_loop_info(c, loop);
  for (int i = 0; i < info->block_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[info->blocks[i]];
    RlxTirVerdict complete = rlx_tir_locally_complete(a, b->index),
                  reduction = rlx_tir_locally_reduction(a, b->index);
    // An update whose init is a block of its own is no reduction in TVM's sense.
    if (complete.is || reduction.is || (!b->has_init && b->incremental.is)) continue;
    refuse(c, loop,
           rlx_arena_printf(c->s->arena,
                            "block \"%s\" is neither complete (%s) nor a reduction (%s)",
                            rlx_tir_block_name(a, b->index), complete.reason, reduction.reason));
    rlx_schedule_also(c, b->stmt, "this block");
    return false;
  }
  return true;
}

typedef struct Below {
  RlxScheduleCall *c;
  const RlxTirStmt *loop, *block; ///< the block that `now` stands for
  const RlxTirStmt *now;
} Below;

/// Loops and blocks of the nest are gone, but for the block that its replacement has the name of.
static bool forget_one(const RlxTirStmt *s, void *data) {
  Below *b = data;
  if (s->kind == RLX_TIR_FOR) rlx_schedule_moved(b->c, s, NULL);
  if (s->kind == RLX_TIR_BLOCK) rlx_schedule_moved(b->c, s, s == b->block ? b->now : NULL);
  return true;
}

static bool first_block(const RlxTirStmt *s, void *data) {
  Below *b = data;
  if (s->kind == RLX_TIR_BLOCK && !b->block) b->block = s;
  return !b->block;
}

bool rlx_primitive_jit_rewrite(RlxScheduleCall *c) {
  const RlxTirStmt *loop = NULL;
  RlxNestRule rule;
  if (!rlx_schedule_loop(c, 0, &loop) || !read_rule(c, &rule)) return false;
  if (!c->s->rewriter) return refuse(c, loop, "there is no JIT here that has these rules");
  if (!check_blocks(c, loop)) return false;
  RlxTirStmt *now = c->s->rewriter(c->f, rlx_store_names(c->s->store), loop, &rule);
  if (!now)
    return refuse(
        c, loop,
        rlx_arena_printf(c->s->arena, "the JIT's rule \"%s\" does not fit its nest", rule.name));
  if (strcmp(rule.name, "distribute") == 0) { // the blocks stay
    rlx_schedule_put(c, loop, now);
    return true;
  }
  Below below = {.c = c, .loop = loop};
  rlx_tir_visit(loop, first_block, NULL, &below);
  if (below.block)
    below.now = now = rlx_tir_block(c->f, below.block->block->name, NULL, 0, NULL, now);
  rlx_tir_visit(loop, forget_one, NULL, &below);
  rlx_schedule_put(c, loop, now);
  rlx_primfunc_complete_after(c->s->store, c->f, rlx_schedule_analysis(c));
  if (below.now) rlx_schedule_give(c, rlx_schedule_now(c, below.block));
  return true;
}
