/// What single accesses do to memory: stay inside of their buffer, read what was written before.
/// Proved, refuted with a witness, or unknown.
#ifndef RLX_ANALYZER_TIR_MEMORY_H
#define RLX_ANALYZER_TIR_MEMORY_H

#include "analyzer/tir/access.h"

/// Is every index of the access inside of its dimension, whenever it runs? Refuted (`violates` the
/// number of the dimension, from 1) only when it leaves the buffer for all parameters under which
/// it runs at all; what depends on them is unknown, the reason has an example.
RlxTirVerdict rlx_tir_in_bounds(const RlxTirAnalysis *a, const RlxTirAccess *access);

/// Was every element that the access reads written before? Asked of reads of buffers that the
/// function allocates; holds for others.
RlxTirVerdict rlx_tir_reads_written(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                    const RlxTirAccess *read);

#endif
