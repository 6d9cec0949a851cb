/// Threads of a parallel loop that do not meet.
#ifndef RLX_JIT_SCHEDULE_THREADS_H
#define RLX_JIT_SCHEDULE_THREADS_H

#include "analyzer/symbolic/store.h"
#include "jit/codegen/codegen.h"

/// Keeps the threads of parallel loops apart in `f`, whose statements are nobody else's. Buffers that it allocates outside of
/// such a loop and needs in each iteration alone, where iterations would meet in an element, are marked `own_of`: TVM
/// allocates these inside of the loop. A loop of which it is shown that iterations meet in other memory, be it to
/// store the same value, becomes a serial one.
void rlx_keep_apart(RlxStore *store, RlxPrimFunc *f);

#endif
