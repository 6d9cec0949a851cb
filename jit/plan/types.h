/// What callers of evaluation and the code below them both name: handles, options, errors.
#ifndef RLX_JIT_PLAN_TYPES_H
#define RLX_JIT_PLAN_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/syntax/span.h"
#include "base/error.h"

typedef struct RlxJit RlxJit;
typedef struct RlxProgram RlxProgram;
struct RlxTracedStep;
struct RlxBinding;
struct RlxObject;

typedef struct RlxJitOptions {
  int threads;   ///< in all; 0: one
  int max_depth; ///< of calls; 0: 1,000
  const char *const *
      externs; ///< names that T.call_extern may call beside analyzer/words/externs.def; they outlive
               ///< the session
  int extern_count;
  bool trace; ///< one line for each step to standard error, unless `on_step` is there
  /// With `trace`: gets each step when it is done, in the process that evaluates.
  void (*on_step)(void *data, const struct RlxTracedStep *step);
  void *step_data;
  bool keeps_bindings; ///< no kernel computes several bindings: each is a step of its own
  bool keeps_loops;    ///< PrimFuncs of a script run as they are written: no rules of jit/schedule/
  /// Somebody waits for each result: kernels that do next to nothing, or that run a few times, are compiled with least
  /// effort, for a third of the time.
  bool is_interactive;
  bool traces_schedules; ///< the steps of those rules to standard error, as a trace a kernel
} RlxJitOptions;

typedef struct RlxTracedParam {
  uint32_t name; ///< RlxName
  const struct RlxObject *value;
} RlxTracedParam;

/// A step that was carried out. What it points to is good during the call that it is handed to.
typedef struct RlxTracedStep {
  const char *function;
  const char *what;                       ///< "R.add", a function's name; NULL: neither
  const struct RlxBinding *binding;       ///< NULL: it made no binding's value
  const struct RlxBinding *const *merged; ///< those before it that its kernel computes, too
  int merged_count;
  const struct RlxObject *value;
  /// Of the function, when this is its first step; else `param_count` is 0.
  const struct RlxTracedParam *params;
  int param_count;
  double us;       ///< wall clock, with what it called
  bool is_call;    ///< of a function: its own steps were handed over before
  uint64_t kernel; ///< number of its kernel, equal for equal kernels; 0: it has none
} RlxTracedStep;

/// Why an evaluation failed: a text that names function, binding and values, and where in the file.
typedef struct RlxRunError {
  RlxError error;
  RlxSpan span;    ///< absolute in the file; {0, 0}: not known
  bool is_unknown; ///< RLX0809 of an expression that the analysis found no value for
} RlxRunError;

#endif
