/// Inside of an open schedule: what its files share.
#ifndef RLX_REPL_SCHED_IMPL_H
#define RLX_REPL_SCHED_IMPL_H

#include "analyzer/schedule/schedule.h"
#include "jit/measure.h"
#include "repl/sched.h"

struct RlxReplSched {
  RlxSchedule *schedule;
  char *name, *prompt;
  RlxBuf before; ///< the PrimFunc's text when the schedule was opened
  RlxBuf
      source; ///< the text of the definition, for places in refusals: rlx_schedule_text_start counts from it
  RlxLines lines; ///< of `source`
  RlxBuf tree;    ///< as last drawn
  RlxBuf why;     ///< of the last refusal
  RlxBuf define;  ///< what :use or :done wants entered
  bool leaves;    ///< the schedule is over
  RlxDialect dialect;
  const RlxPrimFunc *original; ///< unscheduled; the schedule owns it
  uint64_t seed;
};

/// A script with the PrimFunc as it is now, for the JIT.
void rlx_sched_script(const RlxRepl *repl, const RlxBuf *function, RlxBuf *out);
/// The PrimFunc as it is now, in the dialect of the session.
void rlx_sched_print(const RlxRepl *repl, RlxBuf *out);
/// The PrimFunc's own name, without those of classes around.
const char *rlx_sched_own_name(const RlxRepl *repl);
/// Draws the loop tree, new lines marked.
void rlx_sched_draw(struct RlxReplSched *s);
/// How the PrimFunc is measured.
RlxMeasureOptions rlx_sched_measure_options(const RlxRepl *repl);
/// Searches from the steps in force on for so many seconds, and carries out the best that it found.
/// `sizes` of symbolic dimensions as in RlxMeasureOptions.
bool rlx_sched_tune(RlxRepl *repl, double seconds, const char *sizes);

#endif
