/// sample_compute_location: where a block is computed, among the loops of its readers, at the root and inside of its
/// readers; numbers as MetaSchedule records them.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/sampling.cc (SampleComputeLocation) and
/// analysis/analysis.cc (CollectComputeLocation).
#include "analyzer/schedule/schedule_impl.h"

/// Would compute_at, or compute_inline, take the block of argument 0, and `loop` (ABSENT: it takes no more)?
static bool would_take(RlxScheduleCall *c, bool (*run)(RlxScheduleCall *), RlxScheduleValue loop) {
  RlxPrimitive moving = *c->primitive;
  moving.moves = true;
  RlxScheduleValue args[RLX_SCHEDULE_ARGS_MAX] = {c->args[0], loop};
  if (loop.kind == RLX_SCHEDULE_LOOP)
    args[2] = (RlxScheduleValue){.kind = RLX_SCHEDULE_BOOL, .boolean = true};
  RlxPrimFunc *f = rlx_arena_one(c->f->arena, RlxPrimFunc);
  *f = *c->f;
  RlxScheduleCall trial = {
      .s = c->s, .primitive = &moving, .args = args, .function = c->function, .f = f};
  uint32_t handles = c->s->handles.count;
  RlxScheduleUnseen unseen;
  bool ok = rlx_schedule_check_moves(&trial) && run(&trial) && !trial.refusal &&
            !rlx_schedule_unseen(f, c->f, &unseen);
  c->s->handles.count = handles;
  rlx_vec_free(&trial.moves);
  return ok;
}

typedef struct Location {
  int number; ///< as the decision says it: -2 inside of its readers, -1 at the root, else a loop of the first reader
  const RlxTirStmt *loop;
} Location;
enum { LOCATIONS_MAX = 66 };

/// The loops of the first reader that all readers stand under, without those that MetaSchedule leaves out: loops that
/// run once, and what is outside of the reduction but stands below one of its loops.
static int reader_loops(RlxScheduleCall *c, const RlxTirBlockInfo *block, Location *out) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirBlockInfo *first = NULL;
  int common = 0, count = 0;
  RlxTirDependencyWalk walk = rlx_tir_dependencies(block->index);
  for (RlxTirDependency next, *d = &next; rlx_tir_next_dependency(a, &walk, d);) {
    if (d->src != block->index || (d->kind != RLX_DEPENDENCY_RAW && d->kind != RLX_DEPENDENCY_WAW))
      continue;
    const RlxTirBlockInfo *reader = &a->blocks[d->dst];
    if (!first) common = (first = reader)->loop_count;
    int same = 0;
    while (same < common && same < reader->loop_count && reader->loops[same] == first->loops[same])
      same++;
    common = same;
  }
  bool is_reducing = false;
  for (int i = 0; i < common && count < LOCATIONS_MAX; i++) {
    const RlxTirLoopInfo *loop = &a->loops[first->loops[i]];
    int64_t extent;
    if (loop->extent && rlx_prim_is_const(loop->extent, &extent) && extent == 1) continue;
    if (loop->type == RLX_LOOP_SPATIAL && is_reducing) break;
    is_reducing |= loop->type != RLX_LOOP_SPATIAL;
    out[count++] = (Location){i, loop->stmt};
  }
  return count;
}

static bool is_possible(RlxScheduleCall *c, const Location *l) {
  if (l->number == -1) return true;
  if (l->number == -2)
    return would_take(c, rlx_primitive_compute_inline,
                      (RlxScheduleValue){.kind = RLX_SCHEDULE_ABSENT});
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  RlxScheduleValue loop = {.kind = RLX_SCHEDULE_LOOP};
  loop.ref = (RlxScheduleRef){.index = rlx_tir_loop_info(a, l->loop)->index, .handle = -1};
  return would_take(c, rlx_primitive_compute_at, loop);
}

/// A location that was decided before and is none any more stands for the one before it, as in TVM.
static int decided(RlxScheduleCall *c, const Location *all, int count, int64_t decision) {
  for (int i = count - 1; i >= 0; i--)
    if (all[i].number <= decision && is_possible(c, &all[i])) return i;
  return 1; // at the root
}

static int drawn(RlxScheduleCall *c, const Location *all, int count) {
  int possible[LOCATIONS_MAX + 2], n = 0;
  for (int i = 0; i < count; i++)
    if (is_possible(c, &all[i])) possible[n++] = i;
  return possible[rlx_schedule_draw(c) % (uint64_t)n];
}

bool rlx_primitive_sample_compute_location(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  if (!rlx_schedule_block(c, 0, &place)) return false;
  const RlxTirBlockInfo *block = rlx_schedule_block_info(c, place.stmt);
  if (place.is_root || !block)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss", c->primitive->name,
                               "the root block is computed where it is");
  Location all[LOCATIONS_MAX + 2] = {{-2, NULL}, {-1, NULL}};
  int count = 2 + reader_loops(c, block, all + 2);
  int at = rlx_schedule_is_given(c, 1) ? decided(c, all, count, rlx_schedule_integer(c, 1, -1))
                                       : drawn(c, all, count);
  c->recorded = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = all[at].number};
  if (at < 2)
    c->result = rlx_schedule_place_value(at ? RLX_SAMPLED_ROOT : RLX_SAMPLED_INLINE);
  else
    rlx_schedule_give(c, all[at].loop);
  return true;
}
