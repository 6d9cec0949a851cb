/// Unified diffs of texts by lines.
#ifndef RLX_BASE_DIFF_H
#define RLX_BASE_DIFF_H

#include "base/buf.h"

/// Appends the difference of `before` and `after` with three lines of context, headed by `--- path`
/// and `+++ path`; nothing when they are equal. The output is one that `patch` and `git apply -p0`
/// take.
void rlx_diff(const char *path, const RlxBuf *before, const RlxBuf *after, RlxBuf *out);

#endif
