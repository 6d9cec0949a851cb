/// The loop of `rlx kernel`.
#ifndef RLX_CLI_KERNEL_H
#define RLX_CLI_KERNEL_H

#include "repl/kernel.h"

/// Answers requests from standard input until its end or "shutdown". The exit code: 0, or 2 when a
/// file of `with` cannot be used.
int rlx_kernel_serve(const RlxReplOptions *options);
struct cJSON;
/// Appends the answer to one request (NULL: a line that is no JSON); false: it was the last.
bool rlx_kernel_answer(RlxKernel *kernel, const struct cJSON *request, RlxBuf *out);

#endif
