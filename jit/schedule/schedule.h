/// Rules that make a PrimFunc fast: which loops become what. The result computes the same values
/// (reductions may reorder).
#ifndef RLX_JIT_SCHEDULE_H
#define RLX_JIT_SCHEDULE_H

#include "analyzer/schedule/schedule.h"
#include "jit/codegen/codegen.h"

/// A scheduled form of `f`: contractions tiled for registers and caches, reductions with vector
/// accumulators, init parts outside of their reduction loops. Shares nodes with `f`, which must
/// outlive it; free with rlx_primfunc_free. What no rule fits stays as it is. With `trusted` false
/// a rule applies only where all accesses are proved in bounds. Not for functions that are compiled
/// with `may_alias`. `trace` (may be NULL) gets the steps, a line each: carried out on `f` by
/// analyzer/schedule, with rlx_schedule_nest for those of its own, they give the same loops.
RlxPrimFunc *rlx_schedule(const RlxPrimFunc *f, const RlxTarget *target, bool trusted,
                          RlxInterner *names, RlxBuf *trace);

/// One rule on one nest, an RlxNestRewriter: what stands in the place of `loop`, or NULL when the
/// rule does not fit. Accesses are not judged: whoever compiles the result does.
RlxTirStmt *rlx_schedule_nest(RlxPrimFunc *f, RlxInterner *names, const RlxTirStmt *loop,
                              const RlxNestRule *rule);

#endif
