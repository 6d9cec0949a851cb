/// parallel, vectorize, unroll, bind: how the iterations of a loop run.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/for_kind.cc (ParallelizeComputation): every block
/// below is complete or a reduction with an affine binding, the loop's scope is a stage pipeline, and
/// block variables that the loop binds are data-parallel; under threadIdx a reduction may be bound,
/// too. Differs: what our analysis refutes by a race is refused even where TVM's rule accepts it
/// (docs/differences.md).
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

static bool check_parallel(RlxScheduleCall *c, const RlxTirStmt *loop) {
  const RlxTirLoopInfo *info = rlx_schedule_loop_info(c, loop);
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  RlxTirVerdict rule = rlx_tir_parallel_rule(a, info->index);
  if (!rule.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_NOT_PARALLEL), loop, &rule);
  return true;
}

static bool mark(RlxScheduleCall *c, RlxTirForKind kind) {
  const RlxTirStmt *loop = NULL;
  if (!rlx_schedule_loop(c, 0, &loop)) return false;
  if (kind != RLX_FOR_UNROLLED && !check_parallel(c, loop)) return false;
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
  if (!check_parallel(c, loop)) return false;
  set_kind(c, loop, RLX_FOR_THREAD_BINDING, rlx_intern_text(rlx_store_names(c->s->store), axis));
  return true;
}
