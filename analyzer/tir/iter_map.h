/// Loop bindings: from the loops around a block to the values of its block variables.
///
/// Two questions. rlx_iter_map_detect finds the structure of index expressions as sums of splits
/// and fuses of loops, TVM's rule (arith.detect_iter_map), which schedules build on.
/// rlx_binding_check decides whether a binding runs every instance of a block exactly once: the
/// rule first, exactly by sets of integers (sets.h) where the rule is silent, with a witness when
/// not.
#ifndef RLX_ANALYZER_TIR_ITER_MAP_H
#define RLX_ANALYZER_TIR_ITER_MAP_H

#include "analyzer/tir/sets.h"
#include "base/arena.h"

// ---- the rule

typedef struct RlxIterMark RlxIterMark;

/// (source // lower_factor) % extent * scale
typedef struct RlxIterSplit {
  const RlxIterMark *source; ///< equal marks of one map are the same pointer
  const RlxPrim *lower_factor, *extent, *scale;
} RlxIterSplit;

typedef struct RlxIterSum { ///< the sum of its splits and `base`
  const RlxIterSplit *splits;
  int split_count;
  const RlxPrim *base;
} RlxIterSum;

/// What is split: runs over [0, extent). A loop (minus its minimum), or a sum of splits.
struct RlxIterMark {
  const RlxPrim *leaf; ///< the loop variable, `i - min` when it does not start at 0; NULL: `sum`
  RlxIterSum sum;
  const RlxPrim *extent;
};

typedef enum RlxIterLevel {
  RLX_ITER_BIJECTIVE,  ///< every value of the loops gives another tuple, and no part is left out
  RLX_ITER_SURJECTIVE, ///< every index reaches the whole range that its map says, independently
  RLX_ITER_NO_CHECK,
} RlxIterLevel;

typedef struct RlxIterQuery {
  const RlxPrim *const *indices;
  int index_count;
  const RlxLoopRange *loops; ///< min and extent not NULL
  int loop_count;
  const RlxPrim *predicate; ///< NULL: true
  const RlxFacts *facts;    ///< about other variables
  RlxIterLevel level;
  bool keeps_unit_loops; ///< a loop of extent 1 stays an iterator instead of becoming its minimum
} RlxIterQuery;

typedef struct RlxIterMap {
  const RlxIterSum *sums; ///< one for each index; NULL: not such a map
  const char *error;      ///< why not, else NULL
  bool is_padded;         ///< some mark was extended beyond its loop, so that it divides evenly
  bool uses_constraints;  ///< every bound of the predicate is the extent of a mark that is used
} RlxIterMap;

/// The map of `query`'s indices, in `arena`. All expressions have one dtype. Bounded: too large a
/// question has the error "too large".
RlxIterMap rlx_iter_map_detect(RlxStore *store, RlxArena *arena, const RlxIterQuery *query);

/// The loops in terms of the indices: `values` stands for what the indices are, `out` (one for each
/// of `loops`) gets the loop's value then, NULL for a loop that the indices do not tell. False when
/// the map has no inverse of this form. What `out` says is right only where some loop value gives
/// `values`: who needs that asks. (iter_inverse.c)
bool rlx_iter_map_inverse(RlxStore *store, RlxArena *arena, const RlxIterMap *map, int sum_count,
                          const RlxPrim *const *values, const RlxLoopRange *loops, int loop_count,
                          const RlxPrim **out);

/// A sum as a plain expression.
const RlxPrim *rlx_iter_sum_prim(RlxStore *store, const RlxIterSum *sum);

// ---- verdicts

/// What is wrong with a binding, the worst first.
typedef enum RlxBindingFault {
  RLX_BINDING_FINE,
  RLX_BINDING_OUTSIDE, ///< an instance runs that is not in the domain
  RLX_BINDING_PARTIAL, ///< of one reduction some instances run and others never do
  RLX_BINDING_TWICE,   ///< an instance runs more than once
  RLX_BINDING_MISSING, ///< an instance of the domain never runs
} RlxBindingFault;

/// YES: proved; NO: refuted, and `witness` says where; else unknown.
typedef struct RlxBindingVerdict {
  RlxProof proof;
  RlxBindingFault fault; ///< of a NO
  bool by_rule;          ///< the rule decided, not the sets
  const char *reason;    ///< static, or in the arena; never NULL
  const char *witness; ///< "instance vj = 3 runs at (i0, j0) = (0, 3) and again at (1, 3)", or NULL
} RlxBindingVerdict;

/// A block variable with its domain [min, min + extent) and its value.
typedef struct RlxTirBinding {
  const RlxSymVar *var;
  const RlxPrim *min, *extent, *value;
  bool is_reduce;
} RlxTirBinding;

typedef struct RlxBindingQuery {
  const RlxLoopRange *loops;     ///< outermost first; min and extent not NULL
  const char *const *loop_names; ///< for the witness; NULL: those of the variables
  int loop_count;
  const RlxTirBinding *vars;
  int var_count;
  const RlxPrim *predicate; ///< NULL: true
  const RlxFacts *facts;    ///< about other variables
  RlxSetWork *work;         ///< what its questions about sets may cost (sets.h); or NULL
} RlxBindingQuery;

/// Does every instance of the domain run exactly once, and none outside of it? Bounded: what takes
/// too long is unknown.
RlxBindingVerdict rlx_binding_check(RlxStore *store, RlxArena *arena, const RlxBindingQuery *query);

/// Does every instance of the domain run at least once? NO with a witness.
RlxBindingVerdict rlx_binding_covers(RlxStore *store, RlxArena *arena,
                                     const RlxBindingQuery *query);

/// TVM's flag `affine_binding`: the surjective rule, every sum with scale 1.
bool rlx_binding_is_affine(RlxStore *store, RlxArena *arena, const RlxBindingQuery *query);

#endif
