/// Evaluation in a child process: a crash, an endless loop or Ctrl-C ends the child, and its parent
/// says what it was doing.
///
/// The child is a process group of its own, which ends when the call or the parent does, and gives
/// up what computing does not need (confine.h).
///
/// The child is forked with everything that is compiled; it hands its result back in a memory file,
/// whose pages become the result's tensors. What the child wrote into private memory is gone with
/// it; tensors that came from a worker are shared, so what it wrote into them stays.
#ifndef RLX_JIT_WORKER_H
#define RLX_JIT_WORKER_H

#include <signal.h>

#include "jit/confine.h"
#include "jit/jit.h"

typedef enum RlxOutcome {
  RLX_OUTCOME_DONE,
  RLX_OUTCOME_FAILED,  ///< `error` says why
  RLX_OUTCOME_CRASHED, ///< as above, with the call in it
  RLX_OUTCOME_TIMED_OUT,
  RLX_OUTCOME_INTERRUPTED,
  RLX_OUTCOME_NO_WORKER, ///< it could not be started
} RlxOutcome;

typedef struct RlxWorkerOptions {
  int repeat;                        ///< runs in all; below 1: one
  double limit_seconds;              ///< 0: none
  const RlxConfinement *confinement; ///< NULL: rlx_confinement_default
  bool uses_system; ///< the user gave libraries or functions that may need more than computing does
  const volatile sig_atomic_t *cancel; ///< becomes true from a signal handler; NULL: not looked at
} RlxWorkerOptions;

typedef struct RlxWorkerResult {
  RlxOutcome outcome;
  RlxObject *value; ///< DONE: the caller's reference
  RlxRunError error;
  double run_us_min, run_us_median, run_cpu_us_min, run_cpu_us_median;
  double compile_ms; ///< of what was compiled while it ran
} RlxWorkerResult;

void rlx_worker_call(RlxJit *jit, RlxProgram *program, RlxName function, RlxObject *const *args,
                     int count, const RlxWorkerOptions *options, RlxWorkerResult *out);

#endif
