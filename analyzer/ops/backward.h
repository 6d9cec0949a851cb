/// What inverse rules see: the call, what is known about its result and operands, and a place for
/// what that requires.
#ifndef RLX_ANALYZER_OPS_BACKWARD_H
#define RLX_ANALYZER_OPS_BACKWARD_H

#include "analyzer/ops/ops.h"

enum { RLX_NEED_DIMS = 12 };

/// What is known about a tensor, dimension by dimension.
typedef struct RlxNeed {
  int ndim; ///< -1: not known
  RlxDType dtype;
  const RlxPrim *dims[RLX_NEED_DIMS]; ///< NULL at i: not known
  bool has_may;
  int may_ndim;
  const RlxPrim *may[RLX_NEED_DIMS]; ///< a shape that is plausible
} RlxNeed;

typedef struct RlxInverse RlxInverse;
struct RlxInverse {
  RlxDeduce d; ///< reports nothing
  RlxNeed result;
  const RlxNeed *fields; ///< of a result that is a tuple
  int field_count;
  /// What is known about the operand `x`.
  RlxNeed (*known)(RlxInverse *v, const RlxExpr *x);
  /// The operand `x` must be so.
  void (*require)(RlxInverse *v, const RlxExpr *x, const RlxNeed *need);
};

/// The expression that argument `i` is, or NULL.
const RlxExpr *rlx_backward_operand(const RlxCall *call, int i);
/// Nothing is known.
RlxNeed rlx_need_nothing(void);
typedef void RlxBackwardFn(RlxInverse *v, const RlxCall *call);
/// The inverse of a row's deduction rule, or NULL.
RlxBackwardFn *rlx_backward_rule(const RlxOpRow *row);

// The inverse rules (backward.c, backward_nn.c), some for several deduction rules.
#define RLX_BACKWARD(rule, inverse) RlxBackwardFn rlx_backward_##inverse;
#include "analyzer/ops/backward.def"
#undef RLX_BACKWARD

#endif
