/// What callers of evaluation and the code below them both name: handles, options, errors.
#ifndef RLX_JIT_PLAN_TYPES_H
#define RLX_JIT_PLAN_TYPES_H

#include <stdbool.h>

#include "analyzer/syntax/span.h"
#include "base/error.h"

typedef struct RlxJit RlxJit;
typedef struct RlxProgram RlxProgram;

typedef struct RlxJitOptions {
  int threads;   ///< in all; 0: one
  int max_depth; ///< of calls; 0: 1,000
  const char *const
      *externs; ///< names that T.call_extern may call beside jit/llvm/externs.def; they outlive
                ///< the session
  int extern_count;
  bool trace;       ///< one line for each step to standard error
  bool keeps_loops; ///< PrimFuncs of a script run as they are written: no rules of jit/schedule/
  bool traces_schedules; ///< the steps of those rules to standard error, as a trace a kernel
} RlxJitOptions;

/// Why an evaluation failed: a text that names function, binding and values, and where in the file.
typedef struct RlxRunError {
  RlxError error;
  RlxSpan span; ///< absolute in the file; {0, 0}: not known
} RlxRunError;

#endif
