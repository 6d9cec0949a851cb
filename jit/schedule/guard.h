/// Which accesses of a kernel stay inside of their buffers, and checks for the others.
///
/// An access is *proved* from the ranges of the loops, the conditions around and the shapes that
/// were checked when the kernel was called. Otherwise it is *guarded*: by a check before the loops,
/// when the index of a loop nest is monotone in each loop, so that its smallest and its largest
/// value tell of all; else where it stands (`is_checked`). A check before the loops fails exactly
/// when one of the accesses would leave its buffer.
#ifndef RLX_JIT_SCHEDULE_GUARD_H
#define RLX_JIT_SCHEDULE_GUARD_H

#include "jit/codegen/codegen.h"

/// `f` with its guards. Its buffers have memory of their own each: one whose parameters may overlap
/// is not judged. Shares nodes with `f`, which must outlive it, and marks the views in it that are
/// checked; free with rlx_primfunc_free. `out` (may be NULL) gets the counts.
RlxPrimFunc *rlx_guard_accesses(RlxStore *store, const RlxPrimFunc *f, RlxGuardCounts *out);

#endif
