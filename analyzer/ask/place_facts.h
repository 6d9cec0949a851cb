/// What holds about symbolic integers at a place of a function: for questions to the prover there.
///
/// In a PrimFunc: the bounds of the loops and block axes around, what names are bound to,
/// assertions before, conditions around, `T.where`; buffer dimensions are at least 0; the indices
/// of accesses that were surely executed before are within the buffer ("access A[i + 1] in line
/// 12"). In a Relax function: what match_cast, assertions and reshapes before say, and the
/// conditions of the branches around.
#ifndef RLX_ANALYZER_PLACE_FACTS_H
#define RLX_ANALYZER_PLACE_FACTS_H
#include "analyzer/state/file.h"
#include "analyzer/symbolic/prove.h"

typedef struct RlxPlaceFacts {
  const RlxFacts *facts;     ///< in the asker's arena; NULL: none
  uint64_t scope;            ///< of the names there: rlx_symvar(store, scope, name, …)
  bool names_are_dimensions; ///< a name that nothing binds is one (Relax); in a PrimFunc it may be
                             ///< negative
} RlxPlaceFacts;

/// False when `offset` (absolute) is in no function.
bool rlx_file_place_facts(RlxFile *file, uint32_t offset, RlxArena *arena, RlxPlaceFacts *out);

#endif
