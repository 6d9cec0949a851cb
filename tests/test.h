/// cmocka with the headers that it wants before it, in the order that it wants them.
///
/// A test file is one program:
///
///     static void adds(void **state) { (void)state; assert_int_equal(1 + 1, 2); }
///     int main(void) {
///       const struct CMUnitTest tests[] = {cmocka_unit_test(adds)};
///       return cmocka_run_group_tests(tests, NULL, NULL);
///     }
#ifndef RLX_TESTS_TEST_H
#define RLX_TESTS_TEST_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>

/// A small random generator (xorshift64*), so that a seed gives the same numbers everywhere.
typedef struct RlxTestRandom {
  uint64_t state;
} RlxTestRandom;

/// The seed is RLX_SEED in the environment, or `otherwise`; it is printed, so that a failure can be
/// repeated.
static inline RlxTestRandom rlx_test_random(uint64_t otherwise) {
  const char *text = getenv("RLX_SEED");
  uint64_t seed = text ? strtoull(text, NULL, 0) : otherwise;
  printf("seed %llu (set RLX_SEED to repeat)\n", (unsigned long long)seed);
  return (RlxTestRandom){seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
}

/// A number in [0, bound); bound is at least 1.
static inline uint32_t rlx_test_below(RlxTestRandom *random, uint32_t bound) {
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return (uint32_t)((random->state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % bound;
}

#endif
