/// What holds of a diagnostic besides its row; the table is traits.def.
#ifndef RLX_ANALYZER_DIAG_TRAITS_H
#define RLX_ANALYZER_DIAG_TRAITS_H

#include "analyzer/diag/diag.h"

/// traits.def says what each means.
typedef enum RlxTrait {
  RLX_TRAIT_OPERANDS = 1,
  RLX_TRAIT_CALL = 2,
  RLX_TRAIT_UNUSED = 4,
  RLX_TRAIT_SIZE = 8,
  RLX_TRAIT_DEDUCED_LATE = 16,
  RLX_TRAIT_MADE_LATE = 32,
  RLX_TRAIT_ALONE = 64
} RlxTrait;
/// Whether traits.def gives the diagnostic this trait.
bool rlx_diag_has(RlxDiagId id, RlxTrait trait);

#endif
