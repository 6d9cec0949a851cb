/// What a trace has of Python besides calls: `loops = [i, j]`, and `for l in loops:`.
///
/// Always true: a loop is written out before it is carried out, as steps that could have been written in its place, so a
/// schedule knows nothing of it, and what is saved has none.
#include "analyzer/schedule/schedule_impl.h"

enum { STEPS_MAX = 10000 }; ///< of a trace whose loops are written out

/// Is `name` among the targets "b", "i, *_"?
static bool is_target(const char *targets, const char *name) {
  return targets && rlx_text_has_name(targets, name);
}

static bool is_rebound(const RlxScheduleStep *loop, const char *name) {
  if (is_target(loop->target, name)) return true;
  for (uint32_t i = 0; i < loop->body_count; i++)
    if (is_target(loop->body[i].target, name) || is_rebound(&loop->body[i], name)) return true;
  return false;
}

/// May each round take its item from `v` itself? Else the list is kept under a name of its own first, as Python keeps it.
static bool stays(const RlxScheduleStep *loop, const RlxScheduleValue *v) {
  if (v->kind == RLX_SCHEDULE_NAME) return !is_rebound(loop, v->text);
  if (v->kind != RLX_SCHEDULE_LIST) return false;
  for (uint32_t i = 0; i < v->count; i++) {
    const RlxScheduleValue *item = &v->items[i];
    if (item->kind != RLX_SCHEDULE_INT && item->kind != RLX_SCHEDULE_STRING &&
        (item->kind != RLX_SCHEDULE_NAME || is_rebound(loop, item->text)))
      return false;
  }
  return true;
}

static RlxScheduleValue item_of(RlxArena *arena, const RlxScheduleValue *list, uint32_t i) {
  if (list->kind == RLX_SCHEDULE_LIST) return list->items[i];
  RlxScheduleValue out = {.kind = RLX_SCHEDULE_ITEM, .count = 2};
  out.items = rlx_arena_array(arena, RlxScheduleValue, 2);
  out.items[0] = *list;
  out.items[1] = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = i};
  return out;
}

static RlxScheduleStep let(const RlxScheduleStep *loop, const char *target,
                           RlxScheduleValue value) {
  RlxScheduleStep out = {.primitive = rlx_primitive_let(), .target = target, .span = loop->span};
  out.args[0] = value;
  return out;
}

/// The loop at `at` as the steps of its rounds; a loop over what is no list stays, and is refused.
static void write_out(RlxSchedule *s, RlxTrace *trace, uint32_t at) {
  const RlxScheduleStep loop = trace->steps.at[at];
  RlxScheduleValue list;
  if (!rlx_schedule_evaluate(s, &loop.args[0], &list) || list.kind != RLX_SCHEDULE_LIST ||
      (uint64_t)list.count * (loop.body_count + 1) + trace->steps.count > STEPS_MAX)
    return;
  RlxScheduleValue from = loop.args[0];
  Vec(RlxScheduleStep) out = {0};
  if (!list.count || !stays(&loop, &from)) {
    const char *name = rlx_arena_printf(trace->arena, "_rounds%u", at + 1);
    rlx_vec_push(&out, let(&loop, name, from));
    from = (RlxScheduleValue){.kind = RLX_SCHEDULE_NAME, .text = name};
  }
  for (uint32_t i = 0; i < list.count; i++) {
    rlx_vec_push(&out, let(&loop, loop.target, item_of(trace->arena, &from, i)));
    for (uint32_t k = 0; k < loop.body_count; k++) rlx_vec_push(&out, loop.body[k]);
  }
  for (uint32_t i = at + 1; i < trace->steps.count; i++) rlx_vec_push(&out, trace->steps.at[i]);
  trace->steps.count = at;
  for (uint32_t i = 0; i < out.count; i++) rlx_vec_push(&trace->steps, out.at[i]);
  rlx_vec_free(&out);
}

RlxScheduleAnswer rlx_trace_apply(RlxSchedule *s, RlxTrace *trace, uint32_t i) {
  if (trace->steps.at[i].primitive == rlx_primitive_for()) write_out(s, trace, i);
  return rlx_schedule_apply(s, &trace->steps.at[i]);
}
