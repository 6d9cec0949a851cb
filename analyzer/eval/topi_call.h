/// Calls of functions of tvm.topi that R.emit_te makes.
#ifndef RLX_ANALYZER_EVAL_TOPI_CALL_H
#define RLX_ANALYZER_EVAL_TOPI_CALL_H

#include "analyzer/words/script_bind.h"

enum { RLX_TOPI_ARGUMENTS = 32 };

typedef struct RlxTopiCall {
  const char *name; ///< behind "topi."
  RlxDialect dialect;
  RlxScriptArg args[RLX_TOPI_ARGUMENTS]; ///< those that reach the function
  RlxSpan places[RLX_TOPI_ARGUMENTS];
  int count;
  RlxSpan func, span; ///< of the function's name, of the call of R.emit_te
} RlxTopiCall;

/// Reports a function that there is not, and arguments that Python does not bind to its parameters; NULL: nothing is known to be wrong.
RlxDiag *rlx_topi_check(RlxSink *sink, const RlxTopiCall *call);

#endif
