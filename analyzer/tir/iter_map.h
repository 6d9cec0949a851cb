/// Loop bindings: from the loops around a block to the values of its block variables.
///
/// Two questions. rlx_iter_map_detect finds the structure of index expressions as sums of splits
/// and fuses of loops, TVM's rule (arith.detect_iter_map), which schedules build on.
/// rlx_tir_binding_check decides whether a binding runs every instance of a block exactly once: the
/// rule first, exactly by sets of integers (sets.h) where the rule is silent, with a witness when
/// not.
#ifndef RLX_ANALYZER_TIR_ITER_MAP_H
#define RLX_ANALYZER_TIR_ITER_MAP_H

#include "analyzer/tir/sets.h"
#include "analyzer/tir/tir.h"

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

/// The map of `query`'s indices, in `arena`. Bounded: too large a question has the error "too
/// large".
RlxIterMap rlx_iter_map_detect(RlxStore *store, RlxArena *arena, const RlxIterQuery *query);

/// A sum as a plain expression.
const RlxPrim *rlx_iter_sum_prim(RlxStore *store, const RlxIterSum *sum);

// ---- verdicts

/// An answer with its reason, in the user's names. YES: proved; NO: refuted, and `witness` says
/// where; else unknown.
typedef struct RlxTirVerdict {
  RlxProof proof;
  bool by_rule;        ///< the rule decided, not the sets
  const char *reason;  ///< static, or in the arena; never NULL
  const char *witness; ///< "vj = 3 runs at (i0, j0) = (0, 3) and again at (1, 3)"; NULL: none
} RlxTirVerdict;

/// A block variable with its domain [min, min + extent) and its value.
typedef struct RlxBinding {
  const RlxSymVar *var;
  const RlxPrim *min, *extent, *value;
} RlxBinding;

typedef struct RlxBindingQuery {
  const RlxLoopRange *loops; ///< outermost first; min and extent not NULL
  int loop_count;
  const RlxBinding *vars;
  int var_count;
  const RlxPrim *predicate; ///< NULL: true
  const RlxFacts *facts;    ///< about other variables
} RlxBindingQuery;

/// Does every instance of the domain run exactly once, and none outside of it?
RlxTirVerdict rlx_binding_check(RlxStore *store, RlxArena *arena, const RlxBindingQuery *query);

/// The place of a block: the FOR statements around it up to the block (or function) that encloses
/// it, outermost first, and the conditions of the IFs between them (NULL elements are skipped).
typedef struct RlxTirNest {
  const RlxTirStmt *const *loops;
  int loop_count;
  const RlxTirExpr *const *conditions;
  int condition_count;
} RlxTirNest;

/// The same for a block (T.where included). `scope`: see rlx_tir_affine.
RlxTirVerdict rlx_tir_binding_check(RlxStore *store, RlxArena *arena, uint64_t scope,
                                    const RlxTirNest *nest, const RlxTirBlock *block);

/// TVM's flag `affine_binding`: the surjective rule, every sum with scale 1.
bool rlx_tir_binding_is_affine(RlxStore *store, RlxArena *arena, uint64_t scope,
                               const RlxTirNest *nest, const RlxTirBlock *block);

/// An integer expression of TensorIR for rules and sets: variables of equal names stay apart,
/// widths are dropped. What cannot be said (a load, a call) is NULL. `scope`: a number for the
/// PrimFunc, below 2^32.
const RlxPrim *rlx_tir_affine(RlxStore *store, uint64_t scope, const RlxTirExpr *e);
/// The variable that `var` is in those expressions.
const RlxSymVar *rlx_tir_affine_var(RlxStore *store, uint64_t scope, const RlxTirVar *var);

#endif
