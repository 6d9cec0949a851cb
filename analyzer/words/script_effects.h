/// Functions of the namespace T that do something besides giving a value; the table is script_effects.def.
#ifndef RLX_ANALYZER_SCRIPT_EFFECTS_H
#define RLX_ANALYZER_SCRIPT_EFFECTS_H

#include <stdbool.h>

typedef enum RlxScriptEffect {
  RLX_EFFECT_NONE,   ///< no row: a value of it counts as pure, a statement does something
  RLX_EFFECT_PURE,   ///< gives a value and does nothing else, as a statement, too
  RLX_EFFECT_MEMORY, ///< reads and writes where the pointers that it is given lead
  RLX_EFFECT_STATE,  ///< changes the state of a device or of the runtime
  RLX_EFFECT_CALLS   ///< calls a function that is no TensorIR
} RlxScriptEffect;

/// What `T.name` does, `name` without its namespace ("call_extern"). A name that no row has: nothing that is known.
RlxScriptEffect rlx_script_effect(const char *name);

/// Whether C's function `name`, called by T.call_extern, does nothing outside of the memory that it is given: a row of
/// externs.def. Of any other function that is not known.
bool rlx_script_is_known_extern(const char *name);

#endif
