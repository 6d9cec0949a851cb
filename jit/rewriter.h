/// The JIT's rules for loop nests, as a schedule carries them out (step `jit_rewrite`).
#ifndef RLX_JIT_REWRITER_H
#define RLX_JIT_REWRITER_H

#include "analyzer/schedule/schedule.h"

/// For rlx_schedule_set_rewriter. Loads no LLVM.
RlxNestRewriter *rlx_jit_rewriter(void);

#endif
