/// The PrimFuncs that a schedule of a file is about.
#include "analyzer/script/script.h"
#include "cli/schedule.h"

bool rlx_schedule_add_functions(RlxSchedule *s, RlxFile *file, RlxStore *store, const char *only,
                                RlxScheduleHole hole, void *data, RlxBuf *why) {
  RlxFunctionViews views = {0};
  rlx_file_functions(file, &views);
  const RlxFunctionView *wanted =
      only ? rlx_function_view_prim(store, &views, only, why, NULL) : NULL;
  for (uint32_t i = 0; i < views.count; i++) {
    const RlxFunctionView *v = &views.at[i];
    if (v->kind != RLX_ISLAND_PRIM_FUNC) continue;
    if (only && v != wanted) {
      rlx_schedule_lend(s, rlx_file_primfunc(file, v->stmt, NULL));
      continue;
    }
    RlxTirIssues issues = {0};
    RlxPrimFunc *f = rlx_file_primfunc(file, v->stmt, &issues);
    if (hole && f->has_holes && issues.count && !issues.at[0].diag) hole(data, v, &issues.at[0]);
    rlx_vec_free(&issues);
    rlx_schedule_add(s, f, v->stmt->start);
  }
  rlx_vec_free(&views);
  rlx_schedule_note_intrinsics(s, rlx_document_root(rlx_file_document(file)));
  bool is_there = rlx_schedule_count(s) > 0;
  if (!is_there && !why->size) rlx_buf_puts(why, "there is no PrimFunc");
  return is_there;
}
