/// Evaluation in a child process: a crash, an endless loop or Ctrl-C ends the child, and its parent
/// says what it was doing.
///
/// The child is a process group of its own, which ends when the call or the parent does, and gives
/// up what computing does not need (confine.h).
///
/// The child is forked with everything that is compiled; it hands its result back in a memory file,
/// whose pages become the result's tensors (handover.h). What the child wrote into memory is gone
/// with it, but for arguments that it was to write to: results in place, and buffers of a PrimFunc
/// that is called as it is. Those are carried over when the call has succeeded.
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
  RLX_OUTCOME_NO_WORKER,    ///< it could not be started
  RLX_OUTCOME_NO_ARGUMENTS, ///< they could not be made; `error` says why
} RlxOutcome;

typedef struct RlxWorkerOptions {
  int repeat;                        ///< runs in all; below 1: one
  double limit_seconds;              ///< 0: none
  const RlxConfinement *confinement; ///< NULL: rlx_confinement_default
  /// Takes small calls over, where they are not timed (standing.h); NULL: each call is a process of its own.
  struct RlxStanding *standing;
  bool uses_system; ///< the user gave libraries or functions that may need more than computing does
  /// Makes the arguments in the worker, under its limits, in place of those given; false and `err`.
  /// An error with a code is one of the evaluation, FAILED. NULL: the given ones are used.
  bool (*make_arguments)(void *data, RlxObject *const **out, int *out_count, RlxError *err);
  /// Makes the result in the worker in place of a call, which needs no program then: what strangers'
  /// files hold is decoded so. NULL and `err`: FAILED. NULL here: the function is called.
  RlxObject *(*make_value)(void *data, RlxError *err);
  bool
      takes_libraries; ///< make_value compiles, or either of them loads a library (jit/runtime/zip.h)
  void *data;          ///< of both
  const char *what;    ///< what messages call it when it is stopped or dies; NULL: "the call"
  const volatile sig_atomic_t *cancel; ///< becomes true from a signal handler; NULL: not looked at
} RlxWorkerOptions;

typedef struct RlxWorkerResult {
  RlxOutcome outcome;
  RlxObject *value; ///< DONE: the caller's reference
  RlxRunError error;
  /// Microseconds of a run: wall clock, and CPU of all threads. Of several runs, short ones are timed
  /// some at once, and more are made where the clock of CPU time is too coarse for them all and
  /// another run changes nothing; -1: it cannot tell.
  double run_us_min, run_us_median, run_cpu_us_min, run_cpu_us_median;
  double compile_ms, compile_cpu_ms; ///< of what was compiled while it ran
} RlxWorkerResult;

/// `program` is NULL where options.make_value is given.
void rlx_worker_call(RlxJit *jit, RlxProgram *program, RlxName function, RlxObject *const *args,
                     int count, const RlxWorkerOptions *options, RlxWorkerResult *out);

// The same in two halves, for a process that somebody follows meanwhile. The arguments stay until the
// second one.
typedef struct RlxWorker RlxWorker;
/// NULL: it could not be started, `*out` says why.
RlxWorker *rlx_worker_start(RlxJit *jit, RlxProgram *program, RlxName function,
                            RlxObject *const *args, int count, const RlxWorkerOptions *options,
                            RlxWorkerResult *out);
/// Becomes readable when the process is over.
int rlx_worker_end_fd(const RlxWorker *worker);
/// The program is gone, or its file was analysed anew: places are not told, and what the call wrote to
/// its arguments is not taken over.
void rlx_worker_forget_program(RlxWorker *worker);
/// Waits for its end, or brings it about when options.cancel is set; frees it.
void rlx_worker_finish(RlxWorker *worker, RlxWorkerResult *out);

#endif
