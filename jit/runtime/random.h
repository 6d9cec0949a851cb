/// Random tensors from a seed: the same on every machine, whatever order they are made in.
#ifndef RLX_JIT_RUNTIME_RANDOM_H
#define RLX_JIT_RUNTIME_RANDOM_H

#include "jit/runtime/value.h"

/// Fills `x` with floats of [low, high), evenly spread and rounded to its dtype, or with the integers
/// low, …, high - 1 (bool: 0 or 1).
void rlx_random_uniform(RlxObject *x, uint64_t seed, double low, double high);
/// Fills `x`, a tensor of floats, with normally distributed numbers.
void rlx_random_normal(RlxObject *x, uint64_t seed, double mean, double deviation);

#endif
