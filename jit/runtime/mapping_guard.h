/// What becomes of a look at a mapped file (safetensors.h) behind its end, when another program has cut it short.
#ifndef RLX_JIT_RUNTIME_MAPPING_GUARD_H
#define RLX_JIT_RUNTIME_MAPPING_GUARD_H

/// From here on such a look reads zeros, and each page that was missing is told on standard error. Holds for the whole
/// process; a session calls it when it begins.
void rlx_mapping_guard_start(void);
/// From here on it ends the process (SIGBUS): in a worker, which must not compute with what is not there.
void rlx_mapping_guard_stop(void);

#endif
