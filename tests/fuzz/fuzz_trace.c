/// A script, a line "---" and a trace of a schedule, in Python or JSON: every step is carried out or
/// refused; a refused one leaves the module as it was, and undoing a step gives the module before.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analyzer.h"
#include "analyzer/script/script.h"
#include "cli/schedule.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds) {
  if (!holds) abort();
}

/// The module as it is now; freed by the caller.
static char *print(const RlxSchedule *s) {
  RlxBuf out = {0};
  rlx_schedule_print(s, RLX_DIALECT_025, &out);
  return rlx_buf_steal(&out);
}

static void apply(RlxSchedule *s, const RlxTrace *trace) {
  enum { STEPS_MOST = 40 };
  char *before = print(s);
  for (uint32_t i = 0; i < trace->steps.count && i < STEPS_MOST; i++) {
    const RlxScheduleStep *step = &trace->steps.at[i];
    RlxBuf line = {0};
    rlx_trace_print_step(s, step, &line);
    rlx_buf_free(&line);
    RlxScheduleAnswer a = rlx_schedule_apply(s, step);
    char *after = print(s);
    if (!a.ok) must(a.refusal && strcmp(before, after) == 0);
    if (a.ok && !step->primitive->is_query && rlx_schedule_undo(s)) {
      char *undone = print(s);
      must(strcmp(before, undone) == 0);
      free(undone);
      must(rlx_schedule_redo(s));
    }
    free(before);
    before = after;
  }
  RlxBuf tree = {0};
  for (int i = 0; i < rlx_schedule_count(s); i++) rlx_schedule_tree(s, i, &tree);
  rlx_buf_free(&tree);
  free(before);
}

static void read_trace(RlxStore *store, const char *text, size_t size, RlxTrace *trace) {
  RlxError err = {0};
  size_t blank = strspn(text, " \t\r\n");
  if (text[blank] == '{' || text[blank] == '[') {
    must(rlx_schedule_read_json(store, text, size, trace, &err) || err.text[0]);
    return;
  }
  RlxSink sink = {.arena = rlx_arena_new()};
  rlx_trace_read(store, text, (uint32_t)size, trace, &sink);
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 8192) return 0;
  RlxBuf text = {0};
  rlx_buf_putn(&text, (const char *)bytes, size);
  char *all = rlx_buf_steal(&text), *cut = strstr(all, "\n---\n");
  if (cut) {
    const char *steps = cut + strlen("\n---\n");
    cut[1] = '\0';
    RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
    RlxStore *store = rlx_analyzer_store(analyzer);
    RlxFile *file = rlx_file_open(analyzer, all, (uint32_t)strlen(all));
    RlxSchedule *s = rlx_schedule_new(store);
    RlxFunctionViews views = {0};
    rlx_file_functions(file, &views);
    for (uint32_t i = 0; i < views.count; i++) {
      const RlxFunctionView *v = &views.at[i];
      if (v->kind == RLX_ISLAND_PRIM_FUNC)
        rlx_schedule_add(s, rlx_file_primfunc(file, v->stmt, NULL), v->stmt->start);
    }
    rlx_vec_free(&views);
    if (rlx_schedule_count(s)) {
      RlxTrace trace = {0};
      read_trace(store, steps, strlen(steps), &trace);
      apply(s, &trace);
      rlx_trace_free(&trace);
    }
    rlx_schedule_free(s);
    rlx_file_close(file);
    rlx_analyzer_free(analyzer);
  }
  free(all);
  return 0;
}
