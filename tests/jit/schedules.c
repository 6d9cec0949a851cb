/// Rewritten loops against plain ones in C.
#include <math.h>

#include "tests/jit/rig.h"

static const char streamed[] = HEADER
    "@R.function\n"
    "def product(x: R.Tensor((2, 131), \"float32\"), w: R.Tensor((131, 768), \"float32\")):\n"
    "    return R.matmul(x, w)\n"
    "@R.function\n"
    "def columns(w: R.Tensor((131, 768), \"float32\")):\n"
    "    return R.max(w, axis=0)\n";

static void large_matrices_are_summed_by_rows(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(streamed);
  RlxError err = {0};
  RlxHeap *heap = rlx_jit_heap(r.jit);
  RlxObject *args[2] = {
      rlx_object_parse(heap, "2x131:float32:random(1)", rlx_dtype_unknown(), &err),
      rlx_object_parse(heap, "131x768:float32:random(2)", rlx_dtype_unknown(), &err)};
  RlxObject *y = call(&r, "product", args, 2), *m = call(&r, "columns", args + 1, 1);
  const float *x = args[0]->data, *w = args[1]->data, *got = y->data, *most = m->data;
  for (int j = 0; j < 768; j++) {
    double sum[2] = {0, 0};
    float top = -INFINITY;
    for (int k = 0; k < 131; k++) {
      for (int i = 0; i < 2; i++) sum[i] += (double)x[i * 131 + k] * (double)w[k * 768 + j];
      if (w[k * 768 + j] > top) top = w[k * 768 + j];
    }
    for (int i = 0; i < 2; i++) assert_true(fabs((double)got[i * 768 + j] - sum[i]) <= 1e-5 * 131);
    assert_true(most[j] >= top && most[j] <= top);
  }
  for (int i = 0; i < 2; i++) rlx_object_unref(args[i]);
  rlx_object_unref(y);
  rlx_object_unref(m);
  rig_close(&r);
}

static const char guards[] =
    HEADER "@R.function\n"
           "def join(a: R.Tensor((2, \"n\"), \"int64\"), b: R.Tensor((2, \"m\"), \"int64\")):\n"
           "    return R.concat((a, b, a), axis=1)\n"
           "@R.function\n"
           "def fixed(a: R.Tensor((2, 2), \"int64\"), b: R.Tensor((1, 2), \"int64\")):\n"
           "    return R.concat((a, b, a), axis=0)\n"
           "@R.function\n"
           "def pad(a: R.Tensor((1, 3), \"int64\")):\n"
           "    return R.nn.pad(a, [1, 1, 2, 1], pad_value=7)\n"
           "@R.function\n"
           "def none(a: R.Tensor((0, 2), \"int64\"), b: R.Tensor((1, 2), \"int64\")):\n"
           "    return R.concat((a, b), axis=0)\n";

static void guarded_loops_are_split(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(guards);
  GIVES(&r, "join", "[[1 2 5 1 2]\n [3 4 6 3 4]]", "[[1, 2], [3, 4]]", "[[5], [6]]");
  GIVES(&r, "join", "[[1 5 6 1]\n [3 7 8 3]]", "[[1], [3]]", "[[5, 6], [7, 8]]");
  GIVES(&r, "fixed", "[[1 2]\n [3 4]\n [5 6]\n [1 2]\n [3 4]]", "[[1, 2], [3, 4]]", "[[5, 6]]");
  GIVES(&r, "pad", "[[7 7 7 7 7 7]\n [7 7 1 2 3 7]\n [7 7 7 7 7 7]]", "[[1, 2, 3]]");
  GIVES(&r, "none", "[[5 6]]", "0x2:int64:ones", "[[5, 6]]");
  rig_close(&r);
}

static const char places[] = HEADER
    "@R.function\n"
    "def rows(a: R.Tensor((\"n\", \"m\"), \"float32\")):\n"
    "    return R.argmax(a, axis=1)\n"
    "@R.function\n"
    "def least(a: R.Tensor((2, 2, 2), \"int64\")):\n"
    "    return R.argmin(a)\n"
    "@R.function\n"
    "def nan():\n"
    "    return R.argmin(R.const([1.0, float(\"nan\"), -3.0, float(\"nan\")], \"float32\"))\n"
    "@R.function\n"
    "def none(a: R.Tensor((2, 0), \"float32\")):\n"
    "    return R.argmax(a, axis=1)\n";

static void the_first_best_place_wins(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(places);
  GIVES(&r, "rows", "[2 0]", "[[1.5, -2.0, 3.5, 3.5], [4.5, 4.5, 1.5, 0.5]]");
  GIVES(&r, "rows", "[0]", "[[0.5]]");
  GIVES(&r, "least", "3", "[[[4, 2], [2, 1]], [[1, 5], [1, 2]]]");
  gives(&r, "nan", NULL, 0, "1");
  GIVES(&r, "none", "[0 0]", "2x0:float32:ones");
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(large_matrices_are_summed_by_rows),
      cmocka_unit_test(guarded_loops_are_split),
      cmocka_unit_test(the_first_best_place_wins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
