/// Small floating-point formats: compiled code and C give the nearest number of the format.
#include <math.h>
#include <stdio.h>

#include "jit/codegen/small_float.h"
#include "tests/jit/rig.h"

static const char *const names[] = {"float8_e3m4",     "float8_e4m3",     "float8_e4m3b11fnuz",
                                    "float8_e4m3fn",   "float8_e4m3fnuz", "float8_e5m2",
                                    "float8_e5m2fnuz", "float8_e8m0fnu",  "float6_e2m3fn",
                                    "float6_e3m2fn",   "float4_e2m1fn"};
/// Of each: the smallest step, the largest number, and what ten times that becomes (by ml_dtypes).
static const struct {
  double least, most, beyond;
} limits[] = {{0x1p-6, 15.5, INFINITY},
              {0x1p-9, 240, INFINITY},
              {0x1p-13, 30, NAN},
              {0x1p-9, 448, NAN},
              {0x1p-10, 240, NAN},
              {0x1p-16, 57344, INFINITY},
              {0x1p-17, 57344, NAN},
              {0x1p-127, 0x1p127, NAN},
              {0.125, 7.5, 7.5},
              {0.0625, 28, 28},
              {0.5, 6, 6}};
enum { FORMATS = sizeof names / sizeof *names, COUNT = 3000 };

static RlxDType dtype_of(int i) {
  RlxDType t;
  assert_true(rlx_dtype_parse(names[i], strlen(names[i]), &t));
  return t;
}
static bool same(double a, double b) { return isnan(a) ? isnan(b) : a <= b && a >= b; }
static double through(RlxDType t, double value) {
  uint8_t byte;
  rlx_element_set_number(&byte, t, 0, value);
  return rlx_element_number(&byte, t, 0);
}

static void limits_are_those_of_ml_dtypes(void **state) {
  (void)state;
  for (int i = 0; i < FORMATS; i++) {
    RlxDType t = dtype_of(i);
    double least = INFINITY, most = 0;
    for (int b = 0; b < 1 << t.bits; b++) {
      double v = rlx_float_from_small(t, (uint8_t)b);
      if (v > 0 && v < least) least = v;
      if (isfinite(v) && v > most) most = v;
      if (!isnan(v)) assert_true(same(through(t, v), v)); // every code comes back
    }
    assert_true(same(least, limits[i].least));
    assert_true(same(most, limits[i].most));
    assert_true(same(through(t, most * 10), limits[i].beyond));
    if (t.bits == 8) assert_true(isnan(through(t, NAN)));
  }
}

/// Numbers of all sizes that the formats have, the middle between two of them, and their neighbours.
static float sample(int k, uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  float v = ldexpf(1.0F + (float)(*seed >> 40) * 0x1p-24F, (int)(*seed >> 33 & 31) - 17);
  if (k % 3 == 0) { // a multiple of a power of two: often a tie
    uint32_t u;
    memcpy(&u, &v, sizeof u);
    u &= ~((1u << (17 + k % 5)) - 1u);
    memcpy(&v, &u, sizeof u);
  }
  if (k % 7 == 0) v = nextafterf(v, k % 2 ? 0.0F : INFINITY);
  return *seed >> 63 ? -v : v;
}

static void compiled_code_rounds_to_the_nearest(void **state) {
  NEEDS_LLVM();
  for (int i = 0; i < FORMATS; i++) {
    RlxDType t = dtype_of(i);
    char source[600];
    snprintf(source, sizeof source,
             HEADER "@R.function\n"
                    "def f(x: R.Tensor((%d,), \"float32\")):\n"
                    "    y = R.astype(x, \"%s\")\n"
                    "    return y\n",
             COUNT, names[i]);
    Rig r = rig_open(source);
    RlxError err = {0};
    int64_t count = COUNT;
    RlxObject *x = rlx_tensor_new(rlx_jit_heap(r.jit), RLX_FLOAT32, &count, 1, &err);
    uint64_t seed = 1;
    for (int k = 0; k < COUNT; k++) ((float *)x->data)[k] = sample(k, &seed);
    RlxObject *y = call(&r, "f", &x, 1);
    assert_true(rlx_dtype_equal(y->dtype, t));
    for (int k = 0; k < COUNT; k++) {
      double v = (double)((float *)x->data)[k], got = rlx_element_number(y->data, t, k);
      assert_true(same(got, through(t, v)));
      if (i == 7 || fabs(v) > limits[i].most) continue; // scales have no sign
      for (int b = 0; b < 1 << t.bits; b++) {
        double other = rlx_float_from_small(t, (uint8_t)b);
        assert_false(fabs(other - v) < fabs(got - v));
        bool is_tie = fabs(other - v) <= fabs(got - v) && !same(other, got);
        if (is_tie) assert_int_equal(((uint8_t *)y->data)[k] & 1, 0);
      }
    }
    rlx_object_unref(x);
    rlx_object_unref(y);
    rig_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_are_those_of_ml_dtypes),
      cmocka_unit_test(compiled_code_rounds_to_the_nearest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
