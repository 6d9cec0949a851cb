/// The contract between compiled kernels and whoever calls them: no LLVM, no analyzer, plain C
/// data.
///
/// A kernel is one compiled PrimFunc:
///
///     int32_t kernel(void *const *data, const int64_t *dims, RlxKernelContext *ctx);
///
/// data  one pointer per *buffer* parameter, in parameter order (scalar parameters are skipped):
///       the tensor's first element. Tensors are compact row-major, or have the strides that the
///       PrimFunc's buffer declares; their shapes are what the buffer's shape evaluates to
///       (rlx_kernel_bind checks it). Whole tensors are aligned to 64 bytes when they come from our
///       allocator; code does not rely on it. An output may not overlap anything else, unless the
///       PrimFunc was compiled with `may_alias`.
/// dims  64-bit slots, in the order of rlx_kernel_vars(): the scalar parameters in parameter order,
///       then the variables of the buffers' shapes, strides and offsets by first occurrence.
///       Integers and bool sign- or zero-extended; floats as the bits of a double.
/// ctx   memory, threads, and where a failure leaves its details. Never NULL.
///
/// Returns 0, or 1 + the index of the failed check; `ctx->failure` then says more and
/// RlxLlvmApi.describe gives the text. A kernel that failed may have written part of its outputs.
#ifndef RLX_JIT_KERNEL_H
#define RLX_JIT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct RlxKernelContext RlxKernelContext;

typedef int32_t RlxKernelFn(void *const *data, const int64_t *dims, RlxKernelContext *ctx);

/// A slice [begin, end) of a parallel loop; 0 or a failed check. `closure` is the kernel's frame.
typedef int32_t RlxParallelBody(int64_t begin, int64_t end, void *closure, RlxKernelContext *ctx);

typedef struct RlxKernelFailure {
  int64_t index;  ///< the offending index, or operand
  int64_t extent; ///< of the dimension it had to stay in
} RlxKernelFailure;

/// Filled in by the caller (jit/runtime/context.h has a ready one). Kernels read the first fields
/// at fixed offsets.
struct RlxKernelContext {
  /// `bytes` of scratch memory, 64-byte aligned, until `release` (last in, first out). Safe to call
  /// from a parallel body. NULL when there is none: the kernel then fails.
  void *(*acquire)(RlxKernelContext *ctx, int64_t bytes);
  void (*release)(RlxKernelContext *ctx, void *memory);
  /// Runs `body` over [0, extent), in slices, maybe on several threads; returns when all are done.
  /// The first failure wins.
  int32_t (*parallel_for)(RlxKernelContext *ctx, int64_t extent, RlxParallelBody *body,
                          void *closure);
  RlxKernelFailure failure;
  void *user; ///< the caller's
};

#endif
