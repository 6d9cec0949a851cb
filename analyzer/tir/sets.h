/// Sets of integer tuples: exact answers about conditions over loops, by isl. Conditions are
/// boolean symbolic integers (prim.h): sums, products with a constant, // and % by a constant, min,
/// max, selections, comparisons, and, or, not.
///
/// Always true: YES comes with an assignment that satisfies every condition, NO means that there is
/// none, and what isl cannot say within its budget is unknown. What is not affine (a product of
/// variables, a call) stands for an arbitrary integer: NO still holds then, YES becomes unknown.
#ifndef RLX_ANALYZER_TIR_SETS_H
#define RLX_ANALYZER_TIR_SETS_H

#include "analyzer/symbolic/prove.h"

/// A variable and the half-open interval that it runs over.
typedef struct RlxLoopRange {
  const RlxSymVar *var;
  const RlxPrim *min;    ///< NULL: not bounded below
  const RlxPrim *extent; ///< NULL: not bounded above
} RlxLoopRange;

/// The assignments of the variables of `ranges`, and of every other variable that occurs
/// (parameters; a dimension is >= 0), under which every variable is in its range and every
/// condition holds.
typedef struct RlxSystem {
  const RlxLoopRange *ranges;
  int range_count;
  const RlxPrim *const *conditions;
  int condition_count;
  struct RlxSetWork
      *work; ///< what the question may cost, and takes its cost from; NULL: RLX_SET_EFFORT
} RlxSystem;

/// What questions may cost, counted in operations of isl. The same questions in the same order cost
/// the same, so answers under a bound do not depend on the machine.
typedef struct RlxSetWork {
  uint32_t each; ///< for one question at most; 0: RLX_SET_EFFORT
  uint32_t left; ///< for all that are still to be asked
  bool is_short; ///< a question was given up for `left`; it may have been decided with more
} RlxSetWork;

/// Some 20 ms at worst; questions about real kernels take some hundred to 10,000.
enum { RLX_SET_EFFORT = 20000 };
enum { RLX_SET_WORK = 500000 }; ///< what somebody waits for who asked about one PrimFunc

enum { RLX_SET_DIMS_MAX = 48 }; ///< variables of one question; above: unknown

typedef struct RlxSetPoint {
  int count;
  const RlxSymVar *vars[RLX_SET_DIMS_MAX]; ///< parameters first, then in the order of the ranges
  int64_t values[RLX_SET_DIMS_MAX];
} RlxSetPoint;

/// The value of `var` in `point`; false when it has none.
bool rlx_set_point_value(const RlxSetPoint *point, const RlxSymVar *var, int64_t *out);

/// Is there an assignment? YES: the lexicographically smallest is in `out` (any, where there is none or
/// finding it takes too long).
RlxProof rlx_sets_find(RlxStore *store, const RlxSystem *system, RlxSetPoint *out);

/// Is there an assignment of `system` for which none of `others` has one? The conditions of an
/// other may mention the variables of `system`; the ranges' variables of all are apart. YES: the
/// smallest is in `out`.
RlxProof rlx_sets_find_without(RlxStore *store, const RlxSystem *system, const RlxSystem *others,
                               int other_count, RlxSetPoint *out);

/// From here on isl's integers take their memory with rlx_mem_alloc, which says so when there is none.
/// Called once, by main: it holds for the whole process.
void rlx_sets_use_memory(void);

#endif
