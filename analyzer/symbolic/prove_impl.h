/// Inside the prover: what prove.c, prove_facts.c and prove_explain.c share.
#ifndef RLX_ANALYZER_PROVE_IMPL_H
#define RLX_ANALYZER_PROVE_IMPL_H

#include "analyzer/symbolic/poly.h"
#include "analyzer/symbolic/prove.h"

enum {
  RLX_PROVE_FACTS = 48,           // inequalities in use
  RLX_PROVE_SUBSTS = 16,          // variables replaced because of equalities
  RLX_PROVE_BOUNDS = 32,          // atoms with bounds of their own
  RLX_PROVE_SPLITS = 5,           // nested case distinctions
  RLX_PROVE_STEPS = 1500,         // combinations of facts tried in one search
  RLX_PROVE_PRODUCT_WORK = 20000, // work (see RLX_WORK_PER_QUESTION) of its second search
  RLX_PROVE_SEEN = 256,           // sums in a search's memory
  RLX_NEAR_FACTS = 128,           // facts that are found by variable, and
  RLX_NEAR_VARS = 64,             // their variables: where there are more, all facts are looked at
};

typedef struct RlxAtomBound {
  const RlxPrim *atom;
  RlxRange range;
} RlxAtomBound;

/// A sum that was tried without success: the same sum comes up by every order of the same facts.
typedef struct RlxSeenSum {
  uint64_t hash; // of the sum; 0: free
  int depth;     // how many more facts could be added
} RlxSeenSum;

/// One question's assumptions, in the form that the search uses. Copied for each case of a case
/// distinction.
typedef struct RlxProver {
  RlxStore *store;
  int *steps;        // left for the whole question
  int *product_work; // and for its second search
  RlxSeenSum *seen;  // RLX_PROVE_SEEN of them, under these very facts
  bool in_products;  // this is the second search
  int splits;        // case distinctions that are open
  bool contradiction;
  int fact_count, subst_count, bound_count, given_count;
  RlxPoly facts[RLX_PROVE_FACTS]; // each is <= 0
  const RlxSymVar *vars[RLX_PROVE_SUBSTS];
  const RlxPrim *values[RLX_PROVE_SUBSTS];
  RlxAtomBound bounds[RLX_PROVE_BOUNDS];
  const RlxPrim *given[RLX_PROVE_FACTS]; // the conditions themselves, strict, after substitution
} RlxProver;

/// Copies of the facts that may share variables with `goal`, directly or through other facts, linked,
/// found in what rlx_facts_add was given: at most RLX_NEAR_FACTS. -1: all are to be looked at.
int rlx_facts_near(const RlxStore *store, const RlxFacts *facts, const RlxPrim *goal,
                   RlxFacts *out);

/// The conditions of those facts that share variables with `goal`, directly or through other facts:
/// at most RLX_PROVE_FACTS.
int rlx_prover_relevant(RlxStore *store, const RlxFacts *facts, const RlxPrim *goal,
                        const RlxPrim **out);
/// What a question may still cost.
typedef struct RlxProveBudget {
  int steps, product_work;
} RlxProveBudget;

/// Starts a question under `conditions`, with all of `budget`, which must outlive the prover.
void rlx_prover_init(RlxProver *prover, RlxStore *store, const RlxPrim *const *conditions,
                     int count, RlxProveBudget *budget);
/// Adds a strict condition that holds.
void rlx_prover_assume(RlxProver *prover, const RlxPrim *condition);
/// `p` after the substitutions, strict.
const RlxPrim *rlx_prover_apply(RlxProver *prover, const RlxPrim *p);
/// What the facts say about single atoms, for rlx_poly_range.
RlxRangeEnv rlx_prover_env(RlxProver *prover);
/// `atom`, a variable or quotient, is in [min, max].
void rlx_prover_narrow(RlxProver *prover, const RlxPrim *atom, int64_t min, int64_t max);
/// What a quotient or minimum says of itself, as polynomials <= 0: their number, at most 2.
int rlx_prover_division_facts(RlxProver *prover, const RlxPrim *atom, RlxPoly out[2]);
/// Which answers about a polynomial no assignment that was tried speaks against.
typedef struct RlxOpen {
  bool can_be_least; ///< p <= 0 may hold everywhere
  bool can_be_above; ///< p > 0 may
} RlxOpen;

/// Tries a few assignments under the facts: what one of them refutes need not be searched for.
RlxOpen rlx_prover_open(RlxProver *prover, RlxPoly p);
/// Is p <= 0 for all assignments? Adds up at most `depth` facts. False: not shown.
bool rlx_prover_at_most_zero(RlxProver *prover, RlxPoly p, int depth);
/// The same where products, powers or quotients are involved and rlx_prover_at_most_zero was
/// silent.
bool rlx_prover_by_products(RlxProver *prover, RlxPoly p);
/// Decides a boolean.
RlxProof rlx_prover_decide(RlxProver *prover, const RlxPrim *condition);

#endif
