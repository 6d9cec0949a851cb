/// `rlx run`: the values of a function's parameters, from files and from the command line.
#ifndef RLX_CLI_RUN_ARGUMENTS_H
#define RLX_CLI_RUN_ARGUMENTS_H

#include "cli/options.h"
#include "jit/jit.h"
#include "jit/runtime/npy.h"

typedef struct RlxRunArguments {
  RlxJit *jit;
  RlxProgram *program;
  RlxStore *store;
  RlxName function;
  const char *inputs;   ///< --inputs, or NULL
  const RlxArgs *words; ///< the command line's: FILE, then PARAMETER=VALUE
  bool is_random;       ///< parameters that are not given are filled
  uint64_t seed;        ///< from this

  RlxArrays *arrays;       ///< of --inputs, opened
  bool *used;              ///< by array
  Vec(RlxObject *) values; ///< by parameter; NULL while it has none
  Vec(char *) missing;     ///< names of what has none
} RlxRunArguments;

/// Reads and makes all values; an array's elements are read only when its head fits the parameter.
/// Meant for the worker (RlxWorkerOptions.make_arguments; `data` is a RlxRunArguments), which ends
/// with what it made. False: `err`, with the code of the evaluation's checks where one failed.
bool rlx_run_arguments_make(void *data, RlxObject *const **out, int *out_count, RlxError *err);

#endif
