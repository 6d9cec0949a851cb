/// Values in a memory file: a worker writes its result and the arguments that it was to write to, its
/// parent reads them.
///
/// Always true: the parent believes nothing that the file says. Kernels are native code, so whatever
/// a worker hands over may be anything: kinds, counts, sizes and offsets are checked.
#ifndef RLX_JIT_HANDOVER_H
#define RLX_JIT_HANDOVER_H

#include "jit/runtime/value.h"

/// Where a result is in the file. It is part of what the parent does not believe.
typedef struct RlxHandover {
  int64_t start;     ///< its head, a multiple of 8; elements may lie before it
  int32_t is_mapped; ///< some do
} RlxHandover;

/// Writes `result`, then the elements of the tensors among `args`, in tuples too, whose storage is
/// marked as written, into `fd` from byte `start` on, behind what `heap` shares in it (rlx_heap_share):
/// elements that lie there already stay where they are, the rest of it goes. False and `err`: no memory, too many parts,
/// tuples that are nested too deep.
bool rlx_handover_write(const RlxHeap *heap, int fd, int64_t start, const RlxObject *result,
                        RlxObject *const *args, int count, RlxHandover *out, RlxError *err);

/// The result, a reference for the caller; its tensors are in pages of the file that belong to this
/// process alone. Then the elements that were written to go into `args`. NULL: the file is not what
/// rlx_handover_write makes for these arguments; they are as they were. Nothing of the result lies before
/// byte `least` of the file.
RlxObject *rlx_handover_read(RlxHeap *heap, int fd, int64_t least, const RlxHandover *place,
                             RlxObject *const *args, int count);

/// What a result holds is not in children that are forked later: the memory of many results would
/// make each fork slow. This says whether children from now on have what `args` hold.
void rlx_handover_inherit(RlxObject *const *args, int count, bool is_inherited);

#endif
