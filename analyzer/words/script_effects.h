/// Functions of the namespace T that do something besides giving a value; the table is script_effects.def.
#ifndef RLX_ANALYZER_SCRIPT_EFFECTS_H
#define RLX_ANALYZER_SCRIPT_EFFECTS_H

typedef enum RlxScriptEffect {
  RLX_EFFECT_NONE,
  RLX_EFFECT_WRITES, ///< changes memory or the state of a device
  RLX_EFFECT_CALLS   ///< calls a function that is no TensorIR
} RlxScriptEffect;

/// What `T.name` does, `name` without its namespace ("call_extern"). A name that no row has: nothing.
RlxScriptEffect rlx_script_effect(const char *name);

#endif
