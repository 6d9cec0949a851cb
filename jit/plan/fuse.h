/// Fusion: a kernel that computes each element on its own is merged into the kernel that reads it,
/// so that the tensor between them is never stored.
#ifndef RLX_JIT_FUSE_H
#define RLX_JIT_FUSE_H

#include "analyzer/symbolic/store.h"
#include "analyzer/tir/tir.h"

/// One of the two kernels, and which tensor each of its buffer parameters is (in order): equal
/// numbers are the same tensor.
typedef struct RlxFuseSide {
  const RlxPrimFunc *func;
  const int *tensors;
} RlxFuseSide;

enum { RLX_FUSE_MAX_TENSORS = 48 };

/// The kernel that does what `producer` and then `consumer` do, without tensor `link`: the
/// producer's only result, which nobody else reads. Its buffer parameters are the tensors
/// `out_tensors` (`*out_count` of them): what both read, each once, then the consumer's results;
/// scalar parameters follow, each once. NULL when they do not fit or when it would not pay: the
/// last thing that the producer does must be one nest over its result's elements, and the consumer
/// must read each of them once or, when it is cheap, a few times. The caller frees it.
RlxPrimFunc *rlx_fuse(RlxStore *store, const RlxFuseSide *producer, const RlxFuseSide *consumer,
                      int link, int *out_tensors, int *out_count);

/// True when each access of `f` is at loop variables that run over just that dimension (or at 0 of
/// an extent of 1): whatever the tensors' shapes are, once they match the parameters' nothing is
/// outside.
bool rlx_fuse_is_proved(const RlxPrimFunc *f);

#endif
