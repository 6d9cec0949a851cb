/// Inside the prover: what prove.c, prove_facts.c and prove_explain.c share.
#ifndef RLX_ANALYZER_PROVE_IMPL_H
#define RLX_ANALYZER_PROVE_IMPL_H

#include "analyzer/symbolic/poly.h"
#include "analyzer/symbolic/prove.h"

enum {
  RLX_PROVE_FACTS = 48,   // inequalities in use
  RLX_PROVE_SUBSTS = 16,  // variables replaced because of equalities
  RLX_PROVE_BOUNDS = 32,  // atoms with bounds of their own
  RLX_PROVE_SPLITS = 5,   // nested case distinctions
  RLX_PROVE_STEPS = 1500, // combinations of facts tried for one question
};

typedef struct RlxAtomBound {
  const RlxPrim *atom;
  RlxRange range;
} RlxAtomBound;

/// One question's assumptions, in the form that the search uses. Copied for each case of a case
/// distinction.
typedef struct RlxProver {
  RlxStore *store;
  int *steps; // left for the whole question
  int splits; // case distinctions that are open
  bool contradiction;
  int fact_count, subst_count, bound_count, given_count;
  RlxPoly facts[RLX_PROVE_FACTS]; // each is <= 0
  const RlxSymVar *vars[RLX_PROVE_SUBSTS];
  const RlxPrim *values[RLX_PROVE_SUBSTS];
  RlxAtomBound bounds[RLX_PROVE_BOUNDS];
  const RlxPrim *given[RLX_PROVE_FACTS]; // the conditions themselves, strict, after substitution
} RlxProver;

/// The conditions of those facts that share variables with `goal`, directly or through other facts:
/// at most RLX_PROVE_FACTS.
int rlx_prover_relevant(const RlxFacts *facts, const RlxPrim *goal, const RlxPrim **out);
/// Starts a question under `conditions`. `steps` must outlive the prover.
void rlx_prover_init(RlxProver *prover, RlxStore *store, const RlxPrim *const *conditions,
                     int count, int *steps);
/// Adds a strict condition that holds.
void rlx_prover_assume(RlxProver *prover, const RlxPrim *condition);
/// `p` after the substitutions, strict.
const RlxPrim *rlx_prover_apply(RlxProver *prover, const RlxPrim *p);
/// What the facts say about single atoms, for rlx_poly_range.
RlxRangeEnv rlx_prover_env(RlxProver *prover);
/// Decides a boolean.
RlxProof rlx_prover_decide(RlxProver *prover, const RlxPrim *condition);

#endif
