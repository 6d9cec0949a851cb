/// int64 arithmetic that says when it leaves int64, and Python's division. For the symbolic
/// integers, and the numbers of the prompt.
#ifndef RLX_ANALYZER_INT_MATH_H
#define RLX_ANALYZER_INT_MATH_H

#include <stdbool.h>
#include <stdint.h>

static inline bool rlx_int_add(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_add_overflow(a, b, out);
}
static inline bool rlx_int_sub(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_sub_overflow(a, b, out);
}
static inline bool rlx_int_mul(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}

/// Division rounding down; false for division by zero and INT64_MIN / -1.
static inline bool rlx_int_floordiv(int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return false;
  int64_t q = a / b;
  *out = q - (a % b != 0 && ((a < 0) != (b < 0)));
  return true;
}

/// a - b * floordiv(a, b): has the sign of b.
static inline bool rlx_int_floormod(int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || b == INT64_MIN) return false;
  if (b == -1) return *out = 0, true;
  int64_t r = a % b;
  *out = r != 0 && ((r < 0) != (b < 0)) ? r + b : r;
  return true;
}

/// Greatest common divisor of the magnitudes; 0 only for two zeros. INT64_MIN counts as INT64_MAX's
/// neighbour: 1.
static inline int64_t rlx_int_gcd(int64_t a, int64_t b) {
  if (a == INT64_MIN || b == INT64_MIN) return 1;
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b) {
    int64_t t = a % b;
    a = b;
    b = t;
  }
  return a;
}

#endif
