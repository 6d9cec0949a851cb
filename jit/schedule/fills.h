/// Whether code that a user wrote writes all elements of a buffer before it reads one.
///
/// What it does not write is memory of somebody else, which no result may be made of: such buffers
/// are cleared.
#ifndef RLX_JIT_SCHEDULE_FILLS_H
#define RLX_JIT_SCHEDULE_FILLS_H

#include "jit/codegen/codegen.h"

/// Whether the first thing that `s` does with `b` is a loop nest that stores to each element, one
/// index variable a dimension, unconditionally. False: not seen to.
bool rlx_fills(const RlxTirStmt *s, const RlxTirBuffer *b);

/// Marks the buffers that `f` allocates and is not seen to fill: `is_cleared`.
void rlx_clear_unfilled(RlxPrimFunc *f);

#endif
