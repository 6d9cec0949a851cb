/// "This cannot happen": for our own mistakes only, never for anything a file can cause.
///
///     if (rlx_never(index >= count)) return safe_value;
///
/// A build with -DRLX_STRICT (SAN=1, stress, fuzz) and any process with RLX_STRICT=1 in its
/// environment (the tests) stop there; a release logs the first few to standard error and goes on.
#ifndef RLX_BASE_BUG_H
#define RLX_BASE_BUG_H

#include <stdbool.h>

/// True when `cond` holds, which is a bug of ours.
#define rlx_never(cond) (__builtin_expect(!!(cond), 0) && rlx_bug_report(#cond, __FILE__, __LINE__))

/// Logs, or stops the process. Always true. For rlx_never.
bool rlx_bug_report(const char *condition, const char *file, int line);

#endif
