/// Unified diffs of texts by lines.
#ifndef RLX_BASE_DIFF_H
#define RLX_BASE_DIFF_H

#include "base/buf.h"
#include "base/vec.h"

/// Appends the difference of `before` and `after` with three lines of context, headed by `--- path`
/// and `+++ path`; nothing when they are equal. The output is one that `patch` and `git apply -p0`
/// take.
void rlx_diff(const char *path, const RlxBuf *before, const RlxBuf *after, RlxBuf *out);

/// A run of lines that differ: bytes [old_start, old_end) of the old text became [new_start, new_end)
/// of the new one; both begin and end at line ends.
typedef struct RlxDiffRun {
  size_t old_start, old_end, new_start, new_end;
} RlxDiffRun;
typedef Vec(RlxDiffRun) RlxDiffRuns;
/// Appends the runs of lines in which the texts differ, in order.
void rlx_diff_runs(const RlxBuf *before, const RlxBuf *after, RlxDiffRuns *out);

#endif
