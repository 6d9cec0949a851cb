/// Functions of scripts, evaluated: values, checks, frees, caching by content.
#include "tests/jit/rig.h"

static const char checks[] =
    HEADER "@R.function\n"
           "def main(x: R.Tensor((\"n\",), \"int64\"), y: R.Tensor((\"n + 1\",), \"int64\")):\n"
           "    return R.sum(y)\n"
           "@R.function\n"
           "def wrong(x: R.Tensor(ndim=1, dtype=\"int64\")):\n"
           "    n = T.int64()\n"
           "    m = R.match_cast(x, R.Tensor((n,), \"int64\"))\n"
           "    return R.add(m, R.zeros((n,), \"int64\"))\n"
           "@R.function\n"
           "def product(a: R.Tensor((\"n\", \"k\"), \"float32\"), b: R.Tensor((\"l\", \"m\"), "
           "\"float32\")):\n"
           "    return R.matmul(a, b)\n";

static void entry_checks_say_what_was_expected(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(checks);
  GIVES(&r, "main", "15", "[1, 2, 3, 4]", "[1, 2, 3, 4, 5]");
  GIVES(
      &r, "main",
      "error: main: parameter y: dimension 0 is 3, expected n + 1 = 5 (n = 4, from x, dimension 0)",
      "[1, 2, 3, 4]", "[1, 2, 3]");
  GIVES(&r, "main", "error: main: parameter x: dtype is float32, expected int64", "[1.0]",
        "[1, 2]");
  GIVES(&r, "main", "error: main: parameter x: has 2 dimensions, expected 1", "[[1]]", "[1, 2]");
  GIVES(&r, "main", "error: main: takes 2 arguments, 1 were given", "[1]");
  GIVES(&r, "wrong", "[1 2]", "[1, 2]");
  GIVES(&r, "product", "[[2. 2.]]", "1x2:float32:ones", "2x2:float32:ones");
  char *got = run(&r, "product", (const char *const[]){"1x3:float32:ones", "2x2:float32:ones"}, 2);
  assert_non_null(strstr(got, "R.matmul: the contracted dimensions differ: 3"));
  free(got);
  rig_close(&r);
}

static const char flow[] =
    HEADER "@R.function\n"
           "def fib(n: R.Tensor((), \"int64\")) -> R.Tensor((), \"int64\"):\n"
           "    if R.less(n, R.const(2, \"int64\")):\n"
           "        r = n\n"
           "    else:\n"
           "        r = R.add(fib(R.subtract(n, R.const(1, \"int64\"))), fib(R.subtract(n, "
           "R.const(2, \"int64\"))))\n"
           "    return r\n"
           "@R.function\n"
           "def closure(x: R.Tensor((\"n\",), \"int64\")):\n"
           "    n = T.int64()\n"
           "    @R.function\n"
           "    def inner(y: R.Tensor((n,), \"int64\")) -> R.Tensor((n,), \"int64\"):\n"
           "        z: R.Tensor((n,), \"int64\") = R.add(x, y)\n"
           "        return z\n"
           "    return inner(x)\n"
           "@R.function\n"
           "def late(x: R.Tensor(ndim=2, dtype=\"int64\")):\n"
           "    y = R.add(x, x)\n"
           "    return R.reshape(R.permute_dims(y), R.shape([6]))\n";

static void control_flow_closures_and_late_shapes(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(flow);
  GIVES(&r, "fib", "55", "10");
  GIVES(&r, "closure", "[2 4 6]", "[1, 2, 3]");
  GIVES(&r, "late", "[ 2  8  4 10  6 12]", "[[1, 2, 3], [4, 5, 6]]");
  GIVES(&r, "late", "[ 2  6 10  4  8 12]", "[[1, 2], [3, 4], [5, 6]]");
  rig_close(&r);
}

static const char edited[] = HEADER "@R.function\n"
                                    "def main(x: R.Tensor((4,), \"float32\")):\n"
                                    "    y = R.add(x, x)\n"
                                    "    return R.multiply(y, x)\n";

static void an_edit_compiles_what_changed(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(edited);
  GIVES(&r, "main", "[2. 2. 2. 2.]", "4:float32:ones");
  int before = rlx_jit_compiled_count(r.jit);
  rlx_program_free(r.program);
  uint32_t at = (uint32_t)(strstr(edited, "multiply") - edited);
  rlx_file_edit(r.file, at, at + 8, "subtract", 8);
  r.program = rlx_program_new(r.jit, r.file);
  GIVES(&r, "main", "[1. 1. 1. 1.]", "4:float32:ones");
  assert_int_equal(rlx_jit_compiled_count(r.jit), before + 1);
  rig_close(&r);
}

static const char chain[] =
    HEADER "@R.function\n"
           "def main(x: R.Tensor((1024,), \"float32\")):\n"
           "    a = R.add(x, x)\n    b = R.add(a, x)\n    c = R.add(b, x)\n    d = R.add(c, x)\n   "
           " e = R.add(d, x)\n    f = R.add(e, x)\n"
           "    return R.sum(f)\n";

static void buffers_are_used_again(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(chain);
  GIVES(&r, "main", "7168.0", "1024:float32:ones");
  // The argument, two buffers that take turns, and the sum.
  assert_true(rlx_heap_held_bytes(rlx_jit_heap(r.jit)) <= 3 * 4096 + 1024);
  rig_close(&r);
}

static const char waves[] = HEADER "@R.function\n"
                                   "def wave(x: R.Tensor((3000,), \"float32\")):\n"
                                   "    return R.max(R.sin(x))\n"
                                   "@R.function\n"
                                   "def short(x: R.Tensor((7,), \"float32\")):\n"
                                   "    return R.add(x, x)\n";

/// Kernels that the function has been compiled into, as it is called so often.
static int compiled(Rig *r, const char *function, int calls, bool once) {
  for (int i = 0; i < calls; i++)
    free(run_as(r, function,
                (const char *const[]){*function == 's' ? "7:float32:ones" : "3000:float32:zeros"},
                1, once));
  return rlx_jit_compiled_count(r->jit);
}

static void what_runs_often_is_compiled_well(void **state) {
  NEEDS_LLVM();
  const RlxJitOptions waited_for = {.is_interactive = true};
  Rig r = rig_open_with(waves, &waited_for);
  const int wave = compiled(&r, "wave", 1, true);
  assert_int_equal(compiled(&r, "wave", 5, true), wave); // as it was made with little effort
  GIVES(&r, "wave", "0.0", "3000:float32:zeros");        // and once more for what is called often
  assert_int_equal(rlx_jit_compiled_count(r.jit), 2 * wave);
  assert_int_equal(compiled(&r, "wave", 100, true), 2 * wave);
  const int both = compiled(&r, "short", 100, true);
  assert_int_equal(compiled(&r, "short", 5, false), both);
  rig_close(&r);
  r = rig_open_with(waves, &waited_for);
  compiled(&r, "wave", 1, true);
  assert_int_equal(compiled(&r, "wave", 100, true), 2 * wave); // the calls together are long
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entry_checks_say_what_was_expected),
      cmocka_unit_test(control_flow_closures_and_late_shapes),
      cmocka_unit_test(an_edit_compiles_what_changed),
      cmocka_unit_test(buffers_are_used_again),
      cmocka_unit_test(what_runs_often_is_compiled_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
