/// Memory that each thread of a parallel loop has for itself.
#ifndef RLX_JIT_SCHEDULE_OWN_H
#define RLX_JIT_SCHEDULE_OWN_H

#include "analyzer/symbolic/store.h"
#include "jit/codegen/codegen.h"

/// Marks the buffers that `f` allocates outside of a parallel loop and needs in each of its iterations alone, where
/// iterations that run at once would meet in an element: `own_of`. TVM allocates these inside of the loop.
void rlx_own_memory(RlxStore *store, RlxPrimFunc *f);

#endif
