/// parallel, vectorize, unroll, bind: how the iterations of a loop run.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/for_kind.cc (ParallelizeComputation): every block
/// below is complete or a reduction, other blocks outside of the loop left out of account, and the
/// block variables that the loop binds are data-parallel; under threadIdx a reduce variable may be
/// bound, too (a reduction across threads). Differs: a race that is proved, with the iterations and
/// the element, is refused even where TVM's rule is content with what is declared
/// (docs/differences.md), and so is one that is not ruled out.
#include "analyzer/schedule/schedule_impl.h"

#include <string.h>

/// A copy of the loop of another kind in its place.
static void set_kind(RlxScheduleCall *c, const RlxTirStmt *loop, RlxTirForKind kind,
                     RlxName thread) {
  RlxTirStmt *now = rlx_tir_copy(c->f, loop);
  now->for_kind = (uint8_t)kind;
  now->name = thread;
  rlx_schedule_replace(c, loop, now);
}

/// Does a binding of the block mention the loop, in a variable that is not data-parallel?
static const RlxTirIterVar *bound_to(const RlxTirBlockInfo *b, const RlxTirStmt *loop,
                                     bool takes_reduce) {
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterVar *iter = b->iters[i].iter;
    if (iter->type == RLX_ITER_DATA_PAR || (takes_reduce && iter->type == RLX_ITER_REDUCE))
      continue;
    RlxTirStmt value = {.kind = RLX_TIR_EVALUATE, .value = iter->binding};
    if (rlx_tir_mentions(&value, loop->var)) return iter;
  }
  return NULL;
}

static bool check_block(RlxScheduleCall *c, const RlxTirStmt *loop, const RlxTirBlockInfo *b,
                        bool takes_reduce) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const char *name = rlx_tir_block_name(a, b->index), *why = NULL;
  RlxTirVerdict complete = rlx_tir_locally_complete(a, b->index),
                reduction = rlx_tir_locally_reduction(a, b->index);
  const RlxTirIterVar *iter = bound_to(b, loop, takes_reduce);
  if (!complete.is && !reduction.is)
    why =
        rlx_arena_printf(c->s->arena, "block \"%s\" is neither complete (%s) nor a reduction (%s)",
                         name, complete.reason, reduction.reason);
  else if (iter)
    why = rlx_arena_printf(c->s->arena, "it binds %s of block \"%s\", which is %s, not data_par",
                           rlx_store_text(c->s->store, iter->var->name), name,
                           rlx_tir_iter_type_name((RlxTirIterType)iter->type));
  if (!why) return true;
  rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_NOT_PARALLEL), loop, "ss",
                      rlx_schedule_loop_name(c, loop), why);
  rlx_schedule_also(c, b->stmt, "this block");
  return false;
}

static bool check_parallel(RlxScheduleCall *c, const RlxTirStmt *loop, RlxTirForKind kind,
                           bool takes_reduce) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirLoopInfo *info = rlx_schedule_loop_info(c, loop);
  bool reduces = false;
  for (int i = 0; i < info->block_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[info->blocks[i]];
    if (!check_block(c, loop, b, takes_reduce)) return false;
    reduces |= bound_to(b, loop, false) != NULL;
  }
  if (reduces) return true; // the threads of a reduction work together
  const RlxTirAccesses *accesses = rlx_schedule_accesses(c);
  RlxTirVerdict race = kind == RLX_FOR_PARALLEL ? rlx_tir_parallel_free(a, accesses, info->index)
                                                : rlx_tir_race_free(a, accesses, info->index);
  if (race.is) return true;
  return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_NOT_PARALLEL), loop, &race);
}

static bool mark(RlxScheduleCall *c, RlxTirForKind kind) {
  const RlxTirStmt *loop = NULL;
  if (!rlx_schedule_loop(c, 0, &loop)) return false;
  if (kind != RLX_FOR_UNROLLED && !check_parallel(c, loop, kind, false)) return false;
  set_kind(c, loop, kind, RLX_NAME_NONE);
  return true;
}

bool rlx_primitive_parallel(RlxScheduleCall *c) { return mark(c, RLX_FOR_PARALLEL); }
bool rlx_primitive_vectorize(RlxScheduleCall *c) { return mark(c, RLX_FOR_VECTORIZED); }
bool rlx_primitive_unroll(RlxScheduleCall *c) { return mark(c, RLX_FOR_UNROLLED); }

static bool is_thread_axis(const char *name) {
  static const char *const bases[] = {"blockIdx.", "threadIdx.", "vthread."};
  for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
    size_t n = strlen(bases[i]);
    if (strncmp(name, bases[i], n) == 0 && strchr("xyz", name[n]) && name[n] && !name[n + 1])
      return true;
  }
  return strcmp(name, "vthread") == 0;
}

bool rlx_primitive_bind(RlxScheduleCall *c) {
  const RlxTirStmt *loop = NULL;
  const char *axis = rlx_schedule_text(c, 1);
  if (!rlx_schedule_loop(c, 0, &loop)) return false;
  if (!is_thread_axis(axis))
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), loop, "ss", "bind",
                               "`thread_axis` is none: blockIdx.x, threadIdx.y, vthread.z…");
  if (!check_parallel(c, loop, RLX_FOR_THREAD_BINDING, strncmp(axis, "threadIdx.", 10) == 0))
    return false;
  set_kind(c, loop, RLX_FOR_THREAD_BINDING, rlx_intern_text(rlx_store_names(c->s->store), axis));
  return true;
}
