/// The loop of `rlx kernel`.
#ifndef RLX_CLI_KERNEL_H
#define RLX_CLI_KERNEL_H

#include "repl/kernel.h"

/// Answers requests from standard input until its end or "shutdown". The exit code: 0, or 2 when a
/// file of `with` cannot be used.
int rlx_kernel_serve(const RlxReplOptions *options);

#endif
