/// Names in the text of a trace: what they are in the trace, and which are names of the schedule.
///
/// Always true: the schedule is no value of a trace: a step is of the one schedule that there is, whatever the text calls it.
#include "analyzer/schedule/trace_impl.h"

#include <string.h>

const RlxScheduleValue *rlx_trace_local(const TraceReader *r, RlxName name) {
  uint64_t at;
  return rlx_map_get(&r->local_at, name, &at) ? &r->locals.at[at].value : NULL;
}

const char *rlx_trace_fresh_name(TraceReader *r, const char *like) {
  return rlx_arena_printf(r->trace->arena, "%s_%u", like ? like : "", ++r->inner_count);
}

const char *rlx_trace_name(const TraceReader *r, const RlxAst *a) {
  const RlxScheduleValue *local = rlx_trace_local(r, a->name);
  return local && local->kind == RLX_SCHEDULE_NAME ? local->text
                                                   : rlx_store_text(r->store, a->name);
}

// ---- of the schedule

/// Is that a name of the schedule, as the trace has it?
static bool names_schedule(const TraceReader *r, const char *name) {
  return (r->schedule && strcmp(name, rlx_store_text(r->store, r->schedule)) == 0) ||
         rlx_strmap_get(&r->schedules, name, strlen(name), NULL);
}

bool rlx_trace_is_schedule(const TraceReader *r, RlxName name) {
  const RlxScheduleValue *local = rlx_trace_local(r, name);
  return (!local || local->kind == RLX_SCHEDULE_NAME) &&
         names_schedule(r, local ? local->text : rlx_store_text(r->store, name));
}

void rlx_trace_note_schedule(TraceReader *r, const char *name, bool is_schedule) {
  if (is_schedule)
    rlx_strmap_put(&r->schedules, name, strlen(name), 1);
  else
    rlx_strmap_remove(&r->schedules, name, strlen(name));
}

bool rlx_trace_gives_schedule(const TraceReader *r, const RlxScheduleValue *value) {
  return value->kind == RLX_SCHEDULE_NAME && names_schedule(r, value->text);
}

const char *rlx_trace_without_schedule(TraceReader *r, const char *target, RlxScheduleValue *list) {
  uint32_t count = 1, kept = 0;
  for (const char *c = target; *c; c++) count += *c == ',' && c[1];
  if (strchr(target, '*') || !strchr(target, ',') || count != list->count) return target;
  RlxScheduleValue *items = rlx_arena_array(r->trace->arena, RlxScheduleValue, count);
  RlxBuf out = {0};
  for (uint32_t i = 0; i < count; i++) {
    const size_t size = strcspn(target, ",");
    const char *name = rlx_arena_strndup(r->trace->arena, target, (uint32_t)size);
    const bool is_schedule = rlx_trace_gives_schedule(r, &list->items[i]);
    rlx_trace_note_schedule(r, name, is_schedule);
    if (!is_schedule) {
      rlx_buf_printf(&out, "%s%s", kept ? ", " : "", name);
      items[kept++] = list->items[i];
    }
    target += size + strspn(target + size, ", ");
  }
  if (kept == 1) rlx_buf_putc(&out, ',');
  list->items = items;
  list->count = kept;
  target = rlx_arena_strdup(r->trace->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return target;
}
