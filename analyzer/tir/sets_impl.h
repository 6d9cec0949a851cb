/// Inside of the questions about sets: what answers before isl is asked.
#ifndef RLX_ANALYZER_TIR_SETS_IMPL_H
#define RLX_ANALYZER_TIR_SETS_IMPL_H

#include "analyzer/tir/sets.h"

enum { RLX_PLAIN_TERMS = 24 };

/// constant + coefficient * term + …, where a term is a variable or anything else that is no sum.
typedef struct RlxPlainSum {
  int64_t constant;
  int count;
  const RlxPrim *terms[RLX_PLAIN_TERMS];
  int64_t coefficients[RLX_PLAIN_TERMS];
} RlxPlainSum;

/// Adds k * p; false: too long, or too large, and `sum` is none any more.
bool rlx_plain_add(RlxPlainSum *sum, const RlxPrim *p, int64_t k);

/// Do the equalities among the conditions say that two values are one which another condition asks to
/// differ? False: not seen.
bool rlx_sets_plainly_empty(const RlxSystem *system);

/// The answer of rlx_sets_find_without, by trying values in order: the smallest assignment, or that
/// there is none. UNKNOWN: there are parameters, values that are not integers, or too much to try.
/// `*steps`: how many conditions were evaluated.
RlxProof rlx_sets_search(const RlxSystem *system, const RlxSystem *others, int other_count,
                         RlxSetPoint *out, uint32_t *steps);

/// RLX_YES: a solution of a system with parameters, for small values of these; else RLX_UNKNOWN. Terms that isl does not know
/// (`i * n`, `i // n`) are numbers then.
RlxProof rlx_sets_guess(const RlxSystem *system, RlxSetPoint *out);

#endif
