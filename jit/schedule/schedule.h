/// Rules that make a PrimFunc fast: which loops become what. The result computes the same values
/// (reductions may reorder).
#ifndef RLX_JIT_SCHEDULE_H
#define RLX_JIT_SCHEDULE_H

#include "jit/codegen/codegen.h"

/// A scheduled form of `f`: contractions tiled for registers and caches, reductions with vector
/// accumulators, init parts outside of their reduction loops. Shares nodes with `f`, which must
/// outlive it; free with rlx_primfunc_free. What no rule fits stays as it is. With `trusted` false
/// a rule applies only where all accesses are proved in bounds. Not for functions that are compiled
/// with `may_alias`.
RlxPrimFunc *rlx_schedule(const RlxPrimFunc *f, const RlxTarget *target, bool trusted,
                          RlxInterner *names);

#endif
