/// Native bodies of Relax functions, and tensors that share memory.
#include "tests/jit/rig.h"

static const char numbers[] =
    HEADER "@R.function\n"
           "def down(n: R.Tensor((), \"int64\")) -> R.Tensor((), \"int64\"):\n"
           "    if R.less(n, R.const(1, \"int64\")):\n"
           "        r = n\n"
           "    else:\n"
           "        r = down(R.subtract(n, R.const(1, \"int64\")))\n"
           "    return r\n"
           "@R.function\n"
           "def power(x: R.Tensor((), \"float32\"), n: R.Tensor((), \"int64\")) -> R.Tensor((), "
           "\"float32\"):\n"
           "    if R.equal(n, R.const(0, \"int64\")):\n"
           "        r = R.const(1.0, \"float32\")\n"
           "    else:\n"
           "        r = R.multiply(x, power(x, R.subtract(n, R.const(1, \"int64\"))))\n"
           "    return r\n"
           "@R.function\n"
           "def boxes(x: R.Tensor((), \"float32\"), v: R.Tensor((\"n\",), \"float32\")):\n"
           "    y = R.add(x, x)\n"
           "    t = (y, R.multiply(v, y), x)\n"
           "    return t\n"
           "@R.function\n"
           "def many(v: R.Tensor((\"n\",), \"int64\")) -> R.Tensor((), \"int64\"):\n"
           "    return down(R.sum(v))\n"
           "@R.function\n"
           "def either(c: R.Tensor((), \"bool\"), x: R.Tensor((), \"int64\"), v: R.Tensor((1,), "
           "\"int64\")):\n"
           "    if c:\n"
           "        r = x\n"
           "    else:\n"
           "        r = R.reshape(v, R.shape([]))\n"
           "    return R.add(r, r)\n"
           "@R.function\n"
           "def inner() -> R.Tensor((), \"int64\"):\n"
           "    @R.function\n"
           "    def count(n: R.Tensor((), \"int64\")) -> R.Tensor((), \"int64\"):\n"
           "        if R.less(n, R.const(1, \"int64\")):\n"
           "            r = n\n"
           "        else:\n"
           "            r = count(R.subtract(n, R.const(1, \"int64\")))\n"
           "        return r\n"
           "    return count(R.const(7, \"int64\"))\n";

static void numbers_are_not_boxed_and_come_out_right(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(numbers);
  GIVES(&r, "down", "0", "900");
  GIVES(&r, "down", "error: down: calls are nested more than 1000 deep", "1000");
  GIVES(&r, "down", "0", "999"); // a failed call leaves the depth as it was
  GIVES(&r, "power", "243.0", "3.0", "5");
  GIVES(&r, "power", "error: power: parameter n: dtype is float32, expected int64", "3.0", "5.0");
  GIVES(&r, "boxes", "(3.0,\n [3. 3.],\n 1.5)", "1.5", "2:float32:ones");
  GIVES(&r, "many", "0", "[1, 2, 3]");
  GIVES(&r, "many", "error: down: calls are nested more than 1000 deep", "[1000, 1]");
  GIVES(&r, "either", "8", "true", "4", "1:int64:ones");
  GIVES(&r, "either", "2", "false", "4", "1:int64:ones");
  gives(&r, "inner", NULL, 0, "0"); // a closure among numbers
  rig_close(&r);
}

static void deep_recursion_ends_with_a_message(void **state) {
  NEEDS_LLVM();
  RlxJitOptions options = {.max_depth = 1 << 30};
  Rig r = {.analyzer = rlx_analyzer_new(NULL)};
  r.file = rlx_file_open(r.analyzer, numbers, (uint32_t)strlen(numbers));
  r.jit = rlx_jit_new(rlx_analyzer_store(r.analyzer), &options);
  r.program = rlx_program_new(r.jit, r.file);
  GIVES(&r, "down", "0", "20000");
  GIVES(&r, "down", "error: down: calls are nested too deep for the stack", "100000000");
  rig_close(&r);
}

static const char branches[] =
    HEADER "@R.function\n"
           "def main(c: R.Tensor((), \"bool\"), x: R.Tensor(ndim=1, dtype=\"int64\"), y: "
           "R.Tensor((\"k\",), \"int64\")):\n"
           "    if c:\n"
           "        n = T.int64()\n"
           "        a = R.match_cast(x, R.Tensor((n,), \"int64\"))\n"
           "        r = R.shape([n, n * 2 + 1])\n"
           "    else:\n"
           "        m = T.int64()\n"
           "        b = R.match_cast(x, R.Tensor((m * 2,), \"int64\"))\n"
           "        d = R.match_cast(x, R.Tensor((3,), \"int64\"))\n"
           "        r = R.shape([3, 3])\n"
           "    return r\n"
           "@R.function\n"
           "def double(x: R.Tensor((\"n\",), \"int64\")) -> R.Tensor((\"n\",), \"int64\"):\n"
           "    n = T.int64()\n"
           "    return R.add(x, R.ones((n,), \"int64\"))\n"
           "@R.function\n"
           "def wrong(x: R.Tensor(ndim=1, dtype=\"int64\")) -> R.Tensor((2,), \"int64\"):\n"
           "    y = double(x)\n"
           "    z = R.match_cast(y, R.Tensor((2,), \"int64\"))\n"
           "    return z\n";

static void checks_inside_branches_and_calls(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(branches);
  GIVES(&r, "main", "R.shape([2, 5])", "true", "[1, 2]", "[1]");
  GIVES(&r, "main", "R.shape([3, 3])", "false", "[1, 2, 3]", "[1]");
  GIVES(&r, "main", "error: main: match_cast d: dimension 0 is 2, expected 3", "false", "[1, 2]",
        "[1]");
  GIVES(&r, "wrong", "[2 3]", "[1, 2]");
  GIVES(&r, "wrong", "error: wrong: match_cast z: dimension 0 is 3, expected 2", "[1, 2, 3]");
  GIVES(&r, "wrong", "error: wrong: parameter x: has 2 dimensions, expected 1", "[[1]]");
  rig_close(&r);
}

static const char sharing[] =
    HEADER "@I.ir_module\n"
           "class Module:\n"
           "    @T.prim_func\n"
           "    def shift(A: T.Buffer((64,), \"int32\"), B: T.Buffer((64,), \"int32\")):\n"
           "        for i in range(63):\n"
           "            B[i + 1] = A[i] + 1\n"
           "    @T.prim_func\n"
           "    def bump(A: T.Buffer((4,), \"float32\")):\n"
           "        for i in range(4):\n"
           "            A[i] = A[i] + T.float32(1)\n"
           "    @T.prim_func\n"
           "    def push(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n"
           "        for i in range(3):\n"
           "            A[i + 1] = B[i]\n"
           "    @R.function\n"
           "    def alone(x: R.Tensor((4,), \"float32\")):\n"
           "        cls = Module\n"
           "        return R.call_tir_inplace(cls.bump, (x,), inplace_indices=[0], "
           "out_sinfo=[R.Tensor((4,), \"float32\")])\n"
           "    @R.function\n"
           "    def viewed(x: R.Tensor((4,), \"float32\")):\n"
           "        cls = Module\n"
           "        a = R.add(x, x)\n"
           "        v = R.reshape(a, R.shape([2, 2]))\n"
           "        b = R.call_tir_inplace(cls.bump, (a,), inplace_indices=[0], "
           "out_sinfo=[R.Tensor((4,), \"float32\")])\n"
           "        return (v, b)\n"
           "    @R.function\n"
           "    def held(x: R.Tensor((4,), \"float32\")):\n"
           "        cls = Module\n"
           "        a = R.add(x, x)\n"
           "        t = (a, x)\n"
           "        b = R.call_tir_inplace(cls.bump, (a,), inplace_indices=[0], "
           "out_sinfo=[R.Tensor((4,), \"float32\")])\n"
           "        return (t[0], b)\n"
           "    @R.function\n"
           "    def pair(x: R.Tensor((4,), \"float32\")):\n"
           "        y = R.add(x, x)\n"
           "        return (y, y)\n"
           "    @R.function\n"
           "    def field(x: R.Tensor((4,), \"float32\")):\n"
           "        cls = Module\n"
           "        t = cls.pair(x)\n"
           "        a = t[0]\n"
           "        b = R.call_tir_inplace(cls.bump, (a,), inplace_indices=[0], "
           "out_sinfo=[R.Tensor((4,), \"float32\")])\n"
           "        return (t[1], b)\n"
           "    @R.function\n"
           "    def twice(x: R.Tensor((4,), \"float32\")):\n"
           "        cls = Module\n"
           "        a = R.add(x, R.const([0, 1, 2, 3], \"float32\"))\n"
           "        return R.call_tir_inplace(cls.push, (a, a), inplace_indices=[0], "
           "out_sinfo=[R.Tensor((4,), \"float32\")])\n"
           "    @R.function\n"
           "    def constant():\n"
           "        cls = Module\n"
           "        return R.call_tir_inplace(cls.bump, (R.const([1, 2, 3, 4], \"float32\"),), "
           "inplace_indices=[0], out_sinfo=[R.Tensor((4,), \"float32\")])\n";

static void what_lives_on_keeps_its_value(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(sharing);
  GIVES(&r, "viewed", "([[2. 2.]\n  [2. 2.]],\n [3. 3. 3. 3.])", "4:float32:ones");
  GIVES(&r, "held", "([2. 2. 2. 2.],\n [3. 3. 3. 3.])", "4:float32:ones");
  GIVES(&r, "field", "([2. 2. 2. 2.],\n [3. 3. 3. 3.])", "4:float32:ones"); // pair gives one object
  GIVES(&r, "twice", "[1. 1. 2. 3.]", "4:float32:ones");
  gives(&r, "constant", NULL, 0, "[2. 3. 4. 5.]");
  gives(&r, "constant", NULL, 0, "[2. 3. 4. 5.]");
  rig_close(&r);
}

static void in_place_is_in_place(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(sharing);
  RlxError err = {0};
  RlxObject *x = rlx_object_parse(rlx_jit_heap(r.jit), "4:float32:ones", rlx_dtype_unknown(), &err),
            *y = call(&r, "alone", &x, 1);
  assert_true(rlx_element_number(x->data, x->dtype, 0) >
              1.5); // nobody else holds it: the argument is overwritten
  RlxObject *field = y->kind == RLX_OBJECT_TUPLE ? y->fields[0] : y;
  assert_ptr_equal(field->data, x->data);
  rlx_object_unref(x);
  rlx_object_unref(y);
  rig_close(&r);
}

static void one_tensor_for_two_buffers(void **state) {
  NEEDS_LLVM();
  Rig r = rig_open(sharing);
  RlxError err = {0};
  RlxObject *x = rlx_object_parse(rlx_jit_heap(r.jit), "64:int32:zeros", rlx_dtype_unknown(), &err),
            *args[2] = {x, x};
  RlxObject *y = call(&r, "shift", args, 2);
  for (int i = 0; i < 64; i++) assert_int_equal(rlx_element_integer(x->data, x->dtype, i), i);
  rlx_object_unref(x);
  rlx_object_unref(y);
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_not_boxed_and_come_out_right),
      cmocka_unit_test(deep_recursion_ends_with_a_message),
      cmocka_unit_test(checks_inside_branches_and_calls),
      cmocka_unit_test(what_lives_on_keeps_its_value),
      cmocka_unit_test(in_place_is_in_place),
      cmocka_unit_test(one_tensor_for_two_buffers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
