/// Options of targets (target_options.def): which kind of target has them, and what they take; tags of targets (target_tags.def).
#ifndef RLX_ANALYZER_TARGETS_H
#define RLX_ANALYZER_TARGETS_H

#include <stdbool.h>

typedef enum RlxTargetTakes {
  RLX_TARGET_NOTHING, ///< there is no such option
  RLX_TARGET_ANYTHING,
  RLX_TARGET_STR,
  RLX_TARGET_INT,
  RLX_TARGET_BOOL,
  RLX_TARGET_STRS,
  RLX_TARGET_TARGET,
  RLX_TARGET_TARGETS,
} RlxTargetTakes;

/// What the option `name` of a target of `kind` takes; `kind` NULL: it may be any.
RlxTargetTakes rlx_target_option(const char *name, const char *kind);
/// Whether the wheels of 0.25 or 0.27 have a target of that tag ("nvidia/nvidia-a100").
bool rlx_target_is_tag(const char *name);
/// How the value of a string option of that kind of target has to begin ("sm_" of CUDA's "arch"); NULL: it may be any.
const char *rlx_target_prefix(const char *name, const char *kind);

#endif
