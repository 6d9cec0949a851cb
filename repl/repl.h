/// The read-eval-print loop.
#ifndef RLX_REPL_REPL_H
#define RLX_REPL_REPL_H

#include <stdbool.h>

#include "analyzer/analyzer.h"

typedef struct RlxReplOptions {
  int threads;
  RlxSettings settings;
  bool keep_going; ///< piped input: go on after an error
} RlxReplOptions;

/// Loads the files, then reads entries from standard input until its end or :quit. The exit code:
/// 0, or 1 when piped input had an error.
int rlx_repl_run(char *const *files, int file_count, const RlxReplOptions *options);

#endif
