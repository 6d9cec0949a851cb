/// What `rlx run` and `rlx repl` let a script do: options for time, memory, the system, C functions.
#ifndef RLX_CLI_LIMITS_H
#define RLX_CLI_LIMITS_H

#include "cli/options.h"
#include "config/config.h"
#include "jit/confine.h"

enum { RLX_LIMIT_OPTIONS = 3 };

typedef struct RlxLimits {
  int64_t time, memory; ///< seconds, MiB; -1: not given
  bool no_sandbox;
} RlxLimits;

/// Prepares `limits` and appends RLX_LIMIT_OPTIONS option rows.
void rlx_limit_options(RlxLimits *limits, RlxOption *rows, size_t *count);
/// What a worker gives up under them, and `*out_seconds` that may pass, 0: any number.
RlxConfinement rlx_limit_confinement(const RlxLimits *limits, double *out_seconds);
/// The C functions that the user allows (`allow-extern`): their count; `*out_names` is the
/// configuration's.
int rlx_limit_externs(const RlxConfig *config, const char *const **out_names);

#endif
