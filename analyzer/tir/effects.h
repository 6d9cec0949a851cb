/// Calls in a PrimFunc whose order and number count, beside what they do to memory.
#ifndef RLX_ANALYZER_TIR_EFFECTS_H
#define RLX_ANALYZER_TIR_EFFECTS_H

#include "analyzer/tir/tir.h"

/// A call that may reach what stands outside of the function, so that it has to be made as often, and in the order,
/// as the script says.
typedef struct RlxTirOutside {
  const RlxTirStmt *stmt; ///< in which it stands
  const char *name;       ///< of the function, as C or the registry has it; else of the intrinsic
} RlxTirOutside;

/// The first such call in `s`, blocks inside and their inits included; false: there is none. T.call_pure_extern is none,
/// nor is a C function of externs.def, nor an intrinsic that does no more than to access memory (script_effects.def).
bool rlx_tir_find_outside(const RlxStore *store, const RlxTirStmt *s, RlxTirOutside *out);

#endif
