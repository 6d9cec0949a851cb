/// Evaluation that is followed: every step with its value and its time.
#ifndef RLX_REPL_FOLLOW_H
#define RLX_REPL_FOLLOW_H

#include "repl/session.h"

typedef struct RlxStepped {
  char *function,
      *label; ///< label: "c = R.add(a, b)"; of a kernel with several bindings all of them
  char *name; ///< of the binding; "": none
  char *sinfo, *summary; ///< of its value
  char *text;            ///< the value as it is printed; "": not asked for
  double us;
  uint64_t kernel; ///< 0: no kernel
  bool is_call, is_param;
} RlxStepped;
typedef Vec(RlxStepped) RlxSteppeds;

/// Evaluates `text` and gives its steps in the order in which they ended. `merges`: kernels compute
/// several bindings, as without following. False when the evaluation failed: `problem` says why
/// (empty: it was printed), and the steps are those before. The caller frees with rlx_steppeds_free.
bool rlx_repl_follow(RlxRepl *repl, const char *text, int repeat, bool merges, bool values,
                     RlxSteppeds *out, RlxError *problem);
void rlx_steppeds_free(RlxSteppeds *steps);

/// An evaluation that waits behind each step.
typedef struct RlxFollow RlxFollow;
/// Starts to evaluate `text`. NULL: `problem` says why (without text: it was printed).
RlxFollow *rlx_follow_start(RlxRepl *repl, const char *text, RlxError *problem);
/// Has it take one more step, and appends what that gave. False: there was none, it is over.
bool rlx_follow_next(RlxFollow *follow, RlxSteppeds *out);
/// Has it go on to its end, appends the steps that it took, and frees it. As rlx_repl_follow.
bool rlx_follow_finish(RlxFollow *follow, RlxSteppeds *out, RlxError *problem);
void rlx_follow_drop(RlxFollow *follow); ///< ends it where it is; NULL is fine

// ---- walk.c: :step
/// Handles an entry while :step walks. False after a message.
bool rlx_repl_walk_enter(RlxRepl *repl, const char *text);
void rlx_repl_walk_close(RlxRepl *repl); ///< no walk is fine
/// Appends the words of a walk and the names of its bindings that begin with `word`, one a line.
void rlx_repl_walk_complete(RlxRepl *repl, const char *word, size_t size, RlxBuf *out);

#endif
