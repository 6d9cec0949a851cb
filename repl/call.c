/// Calls a function of an analysed program in a worker.
#include <stdio.h>
#include <string.h>

#include "repl/session.h"
#include "repl/unknown.h"

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

/// Says why nothing can be called: of what was typed and is Python's, what to type in its place.
static void tell_refused(RlxRepl *repl, const RlxRunError *err) {
  bool is_told = repl->was_unknown = repl->takes_unknown && err->is_unknown;
  if (repl->entry_at && !repl->nesting && err->is_unknown) {
    const char *entry = rlx_buf_text(&repl->text) + repl->entry_at;
    const char *end = strstr(entry, "\n    return ");
    RlxBuf typed = {0};
    rlx_repl_put_typed(repl, entry, end ? (size_t)(end - entry) : strlen(entry), &typed);
    is_told = rlx_repl_tell_unknown(repl, rlx_buf_text(&typed));
    rlx_buf_free(&typed);
  }
  if (!is_told) rlx_repl_print_failure(&err->error);
}

bool rlx_repl_call(RlxRepl *repl, RlxProgram *program, RlxName function, const RlxReplArgs *args,
                   RlxObject **out) {
  RlxRunError err = {0};
  bool ok = program && rlx_program_prepare_once(program, function, &err);
  if (program && !ok) tell_refused(repl, &err);
  if (!ok) return false;
  RlxWorkerOptions options = rlx_repl_worker_options(repl, 1);
  if (!repl->set[RLX_REPL_SET_TIME]) options.standing = repl->standing;
  RlxWorkerResult result;
  rlx_worker_call(repl->jit, program, function, args->at, (int)args->count, &options, &result);
  *out = result.value;
  ok = result.outcome == RLX_OUTCOME_DONE;
  if (repl->set[RLX_REPL_SET_TIME] && ok) printf("# %.1f us\n", result.run_us_min);
  if (!ok) rlx_repl_print_failure(&result.error.error);
  rlx_repl_take_outcome(repl, result.outcome);
  return ok;
}
