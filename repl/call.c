/// Calls a function of an analysed program in a worker.
#include <stdio.h>

#include "repl/session.h"

bool rlx_repl_tell_interrupted(RlxRepl *repl) {
  RlxError err = {0};
  rlx_error_set(&err, "interrupted");
  rlx_error_code(&err, rlx_diag_row(RLX_DIAG_ID(EVALUATION_STOPPED))->code);
  rlx_repl_print_failure(&err);
  repl->was_interrupted = true;
  *repl->interrupted = 0;
  return false;
}

void rlx_repl_take_outcome(RlxRepl *repl, RlxOutcome outcome) {
  if (outcome != RLX_OUTCOME_INTERRUPTED) return;
  repl->was_interrupted = true;
  *repl->interrupted = 0;
}

bool rlx_repl_call(RlxRepl *repl, RlxProgram *program, RlxName function, const RlxReplArgs *args,
                   RlxObject **out) {
  RlxRunError err = {0};
  bool ok = program && rlx_program_prepare(program, function, &err);
  if (program && !ok) rlx_repl_print_failure(&err.error);
  if (!ok) return false;
  RlxWorkerOptions options = rlx_repl_worker_options(repl, 1);
  RlxWorkerResult result;
  rlx_worker_call(repl->jit, program, function, args->at, (int)args->count, &options, &result);
  *out = result.value;
  ok = result.outcome == RLX_OUTCOME_DONE;
  if (repl->set[RLX_REPL_SET_TIME] && ok) printf("# %.1f us\n", result.run_us_min);
  if (!ok) rlx_repl_print_failure(&result.error.error);
  rlx_repl_take_outcome(repl, result.outcome);
  return ok;
}
