/// Traces of schedules in `rlx check`: the setting `schedules` names them beside scripts, and a step
/// that is refused is a finding at its place in the trace.
#include <string.h>

#include "cli/check_impl.h"
#include "cli/schedule.h"
#include "cli/source.h"
#include "config/modules.h"
#include "jit/rewriter.h"

/// Statements that the steps of one trace may look at: a check reads what a repository brings.
enum { LOOKS_MAX = 300000 };

typedef Vec(RlxFinding) Findings;

typedef struct Checking {
  RlxCheckJob *job;
  RlxBuf source; ///< of the script
  RlxArena *arena;
  Findings findings;
} Checking;

/// "model.py:7:5: the loop"
static const char *note(const Checking *c, const RlxSchedule *schedule, int function, RlxSpan span,
                        const char *message) {
  RlxLines lines = {0};
  if (!span.end) return rlx_arena_strdup(c->arena, message);
  rlx_lines_build(&lines, rlx_buf_text(&c->source), (uint32_t)c->source.size);
  RlxLineColumn at =
      rlx_lines_locate(&lines, rlx_schedule_text_start(schedule, function) + span.start);
  rlx_lines_free(&lines);
  return rlx_arena_printf(c->arena, "%s:%u:%u: %s", c->job->script, at.line + 1, at.column + 1,
                          message);
}

static void add_refusal(Checking *c, const RlxSchedule *schedule, const RlxScheduleStep *step,
                        const RlxScheduleAnswer *a) {
  const RlxDiag *d = a->refusal;
  int function = a->function < 0 ? 0 : a->function;
  RlxFinding f = {.id = d->id,
                  .severity = (int)rlx_diag_row(d->id)->severity,
                  .span = step->span,
                  .message = rlx_arena_strdup(c->arena, d->message)};
  f.related = rlx_arena_array(c->arena, RlxReportNote, d->related_count + 1);
  if (d->span.end)
    f.related[f.related_count++] = (RlxReportNote){
        step->span, note(c, schedule, function, d->span, "the place that is refused")};
  for (uint32_t i = 0; i < d->related_count; i++)
    f.related[f.related_count++] = (RlxReportNote){
        step->span, note(c, schedule, function, d->related[i].span, d->related[i].message)};
  rlx_vec_push(&c->findings, f);
}

/// The PrimFuncs of the script that the trace is for; false: `job->err`.
static bool add_functions(Checking *c, RlxFile *file, RlxStore *store, RlxSchedule *schedule) {
  RlxBuf why = {0};
  bool is_there =
      rlx_schedule_add_functions(schedule, file, store, c->job->function, NULL, NULL, &why);
  if (!is_there)
    rlx_error_set(&c->job->err, "%s: the script %s: %s", c->job->path, c->job->script,
                  rlx_buf_text(&why));
  rlx_buf_free(&why);
  return is_there;
}

/// Line `line` of the trace is no step.
static void add_broken(Checking *c, uint32_t line, const char *message) {
  const char *text = rlx_buf_text(&c->job->content);
  uint32_t start = 0;
  for (; line > 1 && text[start]; line--) start += (uint32_t)strcspn(text + start, "\n") + 1;
  RlxFinding f = {.id = RLX_DIAG_ID(TRACE_SYNTAX),
                  .severity = RLX_ERROR,
                  .span = rlx_span(start, start + (uint32_t)strcspn(text + start, "\n")),
                  .message = rlx_arena_strdup(c->arena, message)};
  rlx_vec_push(&c->findings, f);
}

/// Steps up to one that is refused.
static bool run(Checking *c, RlxFile *file, RlxStore *store) {
  RlxTrace trace = {0};
  uint32_t line = 0;
  RlxError err = {0};
  const char *text = rlx_buf_text(&c->job->content);
  if (!rlx_schedule_read_trace(store, text, c->job->content.size, &trace, &line, &err)) {
    rlx_trace_free(&trace);
    if (line) {
      add_broken(c, line, err.text);
      return true;
    }
    c->job->err = err;
    return rlx_error_prefix(&c->job->err, "%s", c->job->path);
  }
  RlxSchedule *schedule = rlx_schedule_new(store);
  rlx_schedule_set_rewriter(schedule, rlx_jit_rewriter());
  rlx_schedule_set_looks(schedule, c->job->looks < LOOKS_MAX ? c->job->looks : LOOKS_MAX);
  rlx_schedule_set_lines(schedule, rlx_document_lines(rlx_file_document(file)));
  bool ok = add_functions(c, file, store, schedule);
  for (uint32_t i = 0; ok && i < trace.steps.count; i++) {
    RlxScheduleAnswer a = rlx_trace_apply(schedule, &trace, i);
    if (a.ok) continue;
    add_refusal(c, schedule, &trace.steps.at[i], &a);
    break; // what follows was written for what the step gives
  }
  rlx_schedule_keep(schedule, &trace);
  rlx_schedule_free(schedule);
  return ok;
}

void rlx_check_schedule(RlxCheckJob *job) {
  Checking c = {.job = job, .arena = rlx_arena_new_sized(1024)};
  bool ok = rlx_source_read_regular(job->path, &job->content, &job->err) &&
            rlx_source_read(job->script, &c.source, &job->err);
  if (ok) {
    RlxAnalyzer *analyzer = rlx_analyzer_new(&job->settings);
    RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&c.source), (uint32_t)c.source.size);
    RlxProject project;
    rlx_project_attach(&project, file, job->script, job->root);
    ok = run(&c, file, rlx_analyzer_store(analyzer));
    rlx_file_close(file);
    rlx_project_deinit(&project);
    rlx_analyzer_free(analyzer);
  }
  job->failed = !ok;
  if (c.findings.count) {
    job->report = (RlxReport){.arena = c.arena, .count = c.findings.count};
    job->report.at = rlx_arena_array(c.arena, RlxFinding, c.findings.count);
    memcpy(job->report.at, c.findings.at, c.findings.count * sizeof *c.findings.at);
  } else
    rlx_arena_free(c.arena);
  rlx_vec_free(&c.findings);
  rlx_buf_free(&c.source);
}
