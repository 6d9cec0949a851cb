/// Operators to PrimFuncs: the table-driven legalization. One naive, well-formed loop nest per
/// operator; fusion and the schedule rules make it fast.
#ifndef RLX_JIT_LEGALIZE_H
#define RLX_JIT_LEGALIZE_H

#include "analyzer/ops/op_table.h"
#include "analyzer/tir/tir.h"
#include "base/error.h"

/// What fusion may do with a kernel.
typedef enum RlxKernelKind {
  RLX_KERNEL_ELEMENTWISE, ///< one loop nest, each output element from the operands' elements at the
                          ///< (broadcast) same place
  RLX_KERNEL_INJECTIVE,   ///< one loop nest, each output element from some elements of the operands
  RLX_KERNEL_REDUCTION,   ///< one block with init, stored once
  RLX_KERNEL_OPAQUE,      ///< anything else
} RlxKernelKind;

/// One tensor that the kernel reads: an argument, or a field of a tuple-valued one.
typedef struct RlxKernelInput {
  const RlxExpr *expr;
  int field; ///< -1: the expression itself; else the field of the tuple it is
} RlxKernelInput;

enum { RLX_KERNEL_MAX_INPUTS = 256, RLX_KERNEL_MAX_OUTPUTS = 64 };

typedef struct RlxLegalized {
  RlxPrimFunc *func; ///< the caller frees it
  RlxKernelKind kind;
  int input_count; ///< buffer parameters 0..input_count-1, in order; constants of rank 0 are
                   ///< embedded and not among them
  RlxKernelInput inputs[RLX_KERNEL_MAX_INPUTS];
  int output_count; ///< buffer parameters behind the inputs: one per tensor of the result
} RlxLegalized;

/// The PrimFunc of the operator call `call` whose result is `out`. Ranks and dtypes have to be
/// known; dimensions may be symbolic (then they are variables with `symbol` set; variables that
/// occur in no buffer's shape, and the values of R.Prim arguments, are scalar parameters behind the
/// buffers, with `symbol` set). False with a reason when it cannot be done: what the StructInfo
/// does not say yet, or an operator that cannot be run. Depends on nothing but the call and
/// StructInfos.
bool rlx_legalize(RlxStore *store, const RlxCall *call, const RlxSInfo *out, RlxLegalized *result,
                  RlxError *why);

/// True when the operator has a recipe other than `none`.
bool rlx_legalize_exists(const RlxOpRow *row);

/// Whether its kernel takes a first operand of dtype `t`; what it says is in dtypes.def.
bool rlx_legalize_takes(const RlxOpRow *row, RlxDType t);
/// The same in words ("integers and bool"), and what is checked with data when it runs; NULL:
/// nothing is.
const char *rlx_legalize_dtypes(const RlxOpRow *row);
const char *rlx_legalize_checks(const RlxOpRow *row);

#endif
