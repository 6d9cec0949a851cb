/// :tune: a search for faster steps from the schedule as it is on, with a progress bar on a terminal;
/// the best ones are carried out like steps that were entered.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "jit/tune.h"
#include "repl/sched_impl.h"

typedef struct Show {
  double seconds;
  RlxWork work;
  bool is_terminal;
} Show;

static void show(void *data, const RlxTuneProgress *now) {
  enum { WIDTH = 20 };
  const Show *s = data;
  if (!s->is_terminal) return;
  int done = s->seconds > 0 ? (int)(now->seconds / s->seconds * (double)WIDTH) : WIDTH;
  if (done > WIDTH) done = WIDTH;
  printf("\r\033[K");
  for (int i = 0; i < WIDTH; i++) fputs(i < done ? "█" : "░", stdout);
  RlxBuf rate = {0};
  rlx_rate_print(s->work, now->best_us, &rate);
  printf(" %.0f of %.0f s, %d tried, best %.2f us%s%s", now->seconds, s->seconds, now->tried,
         now->best_us, rate.size ? ", " : "", rlx_buf_text(&rate));
  fflush(stdout);
  rlx_buf_free(&rate);
}

/// The text of the steps under names that the session does not use yet.
static bool carry_out(RlxRepl *repl, const RlxBuf *steps) {
  struct RlxReplSched *s = repl->sched;
  RlxTrace trace;
  RlxSink sink = {.arena = rlx_arena_new()};
  rlx_trace_read(repl->store, rlx_buf_text(steps), (uint32_t)steps->size, &trace, &sink);
  bool ok = sink.diags.count == 0;
  for (uint32_t i = 0; ok && i < trace.steps.count; i++)
    ok = rlx_schedule_apply(s->schedule, &trace.steps.at[i]).ok;
  rlx_schedule_keep(s->schedule, &trace);
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
  return ok;
}

bool rlx_sched_tune(RlxRepl *repl, double seconds, const char *sizes) {
  struct RlxReplSched *s = repl->sched;
  RlxBuf now = {0}, script = {0}, rate = {0};
  rlx_sched_print(repl, &now);
  rlx_sched_script(repl, &now, &script);
  Show how = {seconds, rlx_work_of(repl->store, s->original, sizes), isatty(STDOUT_FILENO)};
  RlxTuneOptions options = {.measure = rlx_sched_measure_options(repl),
                            .seconds = seconds,
                            .seed = s->seed,
                            .progress = show,
                            .data = &how};
  options.measure.sizes = sizes;
  RlxTuned tuned;
  bool ok = rlx_tune(rlx_buf_text(&script), rlx_sched_own_name(repl), &options, &tuned);
  if (how.is_terminal) printf("\r\033[K");
  *repl->interrupted = 0;
  if (!ok)
    rlx_text_say(stdout, "error: %s", tuned.error.text);
  else if (!tuned.trace.size)
    printf("%d tried, %d dropped: none is faster than %.2f us\n", tuned.end.tried,
           tuned.end.dropped, tuned.end.start_us);
  else if (!carry_out(repl, &tuned.trace)) {
    printf("error: the best steps are refused here\n");
    ok = false;
  } else {
    fputs(rlx_buf_text(&tuned.trace), stdout);
    rlx_sched_draw(s);
    rlx_rate_print(how.work, tuned.end.best_us, &rate);
    printf("%d tried, %d dropped, the best: %.2f us%s%s, %.2f times as fast\n", tuned.end.tried,
           tuned.end.dropped, tuned.end.best_us, rate.size ? ", " : "", rlx_buf_text(&rate),
           tuned.end.start_us / tuned.end.best_us);
  }
  rlx_tuned_free(&tuned);
  rlx_buf_free(&now);
  rlx_buf_free(&script);
  rlx_buf_free(&rate);
  return ok;
}
