/// StructInfo: printing, order, erasure, and the result of calls.
#include "tests/test.h"

#include "analyzer/struct_info/sinfo.h"
#include "base/buf.h"
#include "tests/prim_text.h"

enum { DIMS_MAX = 8 };

/// A tensor of dimensions given as texts up to NULL.
static const RlxSInfo *tensor(RlxStore *store, RlxDType dtype, const char *const *dims) {
  const RlxPrim *values[DIMS_MAX];
  int count = 0;
  for (; dims[count]; count++) values[count] = prim_text(store, dims[count]);
  return rlx_sinfo_tensor(store, values, count, dtype, NULL);
}
#define TENSOR(...) tensor(store, RLX_FLOAT32, (const char *const[]){__VA_ARGS__, NULL})

static void assert_prints(RlxStore *store, const RlxSInfo *a, const char *text) {
  RlxBuf buf = {0};
  rlx_sinfo_print(store, a, &buf);
  assert_string_equal(rlx_buf_text(&buf), text);
  rlx_buf_free(&buf);
}

static RlxName name(RlxStore *store, const char *text) {
  return rlx_store_intern(store, text, strlen(text));
}

static void prints_as_tvm(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  const RlxSInfo *object = rlx_sinfo_object(store), *empty = rlx_sinfo_tuple(store, NULL, 0);
  const RlxSInfo *two[] = {TENSOR("n", "4"), object};
  const RlxPrim *dims[] = {prim_text(store, "n"), prim_text(store, "4")};
  const RlxVDevice *cuda = rlx_vdevice(store, name(store, "cuda"), 0, RLX_NAME_NONE, 0);
  const RlxSymVar *s = rlx_symvar(store, 1, name(store, "lv"), rlx_dtype_unknown(), true);
  assert_prints(store, object, "R.Object");
  assert_prints(store, empty, "R.Tuple");
  assert_prints(store, rlx_sinfo_tuple(store, two, 2),
                "R.Tuple(R.Tensor((n, 4), dtype=\"float32\"), R.Object)");
  assert_prints(store, TENSOR("2"), "R.Tensor((2,), dtype=\"float32\")");
  assert_prints(store, rlx_sinfo_tensor(store, NULL, 0, RLX_INT32, NULL),
                "R.Tensor((), dtype=\"int32\")");
  assert_prints(store, rlx_sinfo_tensor_ndim(store, 2, RLX_FLOAT32, NULL),
                "R.Tensor(dtype=\"float32\", ndim=2)");
  assert_prints(store, rlx_sinfo_tensor_ndim(store, -1, RLX_FLOAT32, NULL),
                "R.Tensor(dtype=\"float32\")");
  assert_prints(store, rlx_sinfo_tensor_ndim(store, 2, rlx_dtype_unknown(), NULL),
                "R.Tensor(ndim=2)");
  assert_prints(store, rlx_sinfo_tensor_ndim(store, -1, rlx_dtype_unknown(), NULL), "R.Tensor");
  assert_prints(store, rlx_sinfo_tensor(store, dims, 2, RLX_FLOAT32, cuda),
                "R.Tensor((n, 4), dtype=\"float32\", vdevice=\"cuda:0:global\")");
  assert_prints(store, rlx_sinfo_tensor_of(store, s, 2, RLX_FLOAT32, NULL),
                "R.Tensor(lv, dtype=\"float32\")");
  assert_prints(store, rlx_sinfo_shape(store, dims, 2), "R.Shape([n, 4])");
  assert_prints(store, rlx_sinfo_shape(store, NULL, 0), "R.Shape([])");
  assert_prints(store, rlx_sinfo_shape(store, NULL, 2), "R.Shape(ndim=2)");
  assert_prints(store, rlx_sinfo_shape(store, NULL, -1), "R.Shape(ndim=-1)");
  assert_prints(store, rlx_sinfo_prim(store, RLX_INT64, NULL), "R.Prim(\"int64\")");
  assert_prints(store, rlx_sinfo_prim(store, RLX_INT64, dims[0]), "R.Prim(value=n)");
  assert_prints(store, rlx_sinfo_func(store, NULL, 0, object, RLX_IMPURE, 0), "R.Callable");
  assert_prints(store, rlx_sinfo_func(store, two, 0, empty, RLX_IMPURE, 0),
                "R.Callable((), R.Tuple, False)");
  assert_prints(store, rlx_sinfo_func(store, two + 1, 1, object, RLX_PURE, 0),
                "R.Callable((R.Object,), R.Object, True)");
  assert_prints(store, rlx_sinfo_func(store, NULL, 0, TENSOR("2"), RLX_IMPURE, 0),
                "R.Callable(ret=R.Tensor((2,), dtype=\"float32\"))");
  assert_prints(store,
                rlx_sinfo_dtensor(store, TENSOR("8", "4"),
                                  name(store, "R.device_mesh((4,), R.Range(0, 4))"),
                                  name(store, "S[0]")),
                "R.DTensor((8, 4), \"float32\", R.device_mesh((4,), R.Range(0, 4)), \"S[0]\")");
  assert_ptr_equal(TENSOR("n", "4"), two[0]);
  rlx_store_free(store);
}

static void base_check_has_four_answers(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  const RlxSInfo *object = rlx_sinfo_object(store),
                 *any = rlx_sinfo_tensor_ndim(store, -1, rlx_dtype_unknown(), NULL);
  const RlxSInfo *rank2 = rlx_sinfo_tensor_ndim(store, 2, RLX_FLOAT32, NULL);
  const RlxSInfo *half =
      tensor(store, rlx_dtype(RLX_DTYPE_FLOAT, 16), (const char *const[]){"n", "4", NULL});
  const RlxSInfo *pair[] = {rank2, object}, *flat[] = {TENSOR("3"), object};
  struct {
    const RlxSInfo *base, *derived;
    RlxBaseCheck answer;
    bool refuted;
    const char *why;
  } rows[] = {
      {object, TENSOR("n"), RLX_CHECK_PASS, false, ""},
      {TENSOR("n"), object, RLX_CHECK_STATIC_MISMATCH, false,
       "R.Object is not R.Tensor((n,), dtype=\"float32\")"},
      {TENSOR("n"), rlx_sinfo_shape(store, NULL, 1), RLX_CHECK_DISJOINT, false,
       "R.Shape(ndim=1) is not R.Tensor((n,), dtype=\"float32\")"},
      {any, TENSOR("n"), RLX_CHECK_PASS, false, ""},
      {TENSOR("n", "4"), any, RLX_CHECK_STATIC_MISMATCH, false,
       "the dtype is not known, expected float32"},
      {TENSOR("n", "4"), half, RLX_CHECK_DISJOINT, false, "the dtype is float16, expected float32"},
      {rank2, TENSOR("n", "4"), RLX_CHECK_PASS, false, ""},
      {TENSOR("n", "4"), rank2, RLX_CHECK_VALUE_MISMATCH, false, "the dimensions are not known"},
      {TENSOR("n", "4"), TENSOR("n"), RLX_CHECK_DISJOINT, false,
       "the number of dimensions is 1, expected 2"},
      {TENSOR("n", "4"), TENSOR("m", "4"), RLX_CHECK_VALUE_MISMATCH, false,
       "dimension 0 is m, expected n"},
      {TENSOR("n", "n * 2"), TENSOR("n", "n + n"), RLX_CHECK_PASS, false, ""},
      {TENSOR("n + 1", "4"), TENSOR("n", "4"), RLX_CHECK_DISJOINT, true,
       "dimension 0 is n, expected n + 1 (2 against 3 for n = 2)"},
      {TENSOR("n", "4"), TENSOR("m", "5"), RLX_CHECK_DISJOINT, true,
       "dimension 1 is 5, expected 4"},
      {rlx_sinfo_tuple(store, pair, 2), rlx_sinfo_tuple(store, flat, 2), RLX_CHECK_DISJOINT, false,
       "field 0: the number of dimensions is 1, expected 2"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    RlxBuf why = {0};
    RlxSInfoApart apart = {0};
    assert_int_equal(rlx_sinfo_base_check(store, NULL, rows[i].base, rows[i].derived, &why, &apart),
                     rows[i].answer);
    assert_int_equal(apart.refuted, rows[i].refuted);
    assert_string_equal(rlx_buf_text(&why), rows[i].why);
    rlx_buf_free(&why);
  }
  rlx_store_free(store);
}

static bool is_n_or_m(const RlxSymVar *var, void *data) {
  const char *text = rlx_store_text(data, var->name);
  return strcmp(text, "n") == 0 || strcmp(text, "m") == 0;
}

static void erases_list_by_list(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  RlxScope scope = {is_n_or_m, store, NULL};
  const RlxSInfo *gone = TENSOR("n + 1", "k + 2"), *kept = TENSOR("n", "m + 2"),
                 *none = TENSOR("k - k + n");
  assert_prints(store, rlx_sinfo_erase_to_well_defined(store, gone, scope),
                "R.Tensor(dtype=\"float32\", ndim=2)");
  assert_ptr_equal(rlx_sinfo_erase_to_well_defined(store, kept, scope), kept);
  assert_prints(store, rlx_sinfo_erase_to_well_defined(store, none, scope),
                "R.Tensor((n,), dtype=\"float32\")");
  const RlxSInfo *both[] = {gone, kept};
  assert_prints(
      store, rlx_sinfo_erase_to_well_defined(store, rlx_sinfo_tuple(store, both, 2), scope),
      "R.Tuple(R.Tensor(dtype=\"float32\", ndim=2), R.Tensor((n, m + 2), dtype=\"float32\"))");
  const RlxSInfo *fixed[] = {TENSOR("2", "3"),
                             rlx_sinfo_prim(store, RLX_INT64, prim_text(store, "n"))};
  assert_prints(store, rlx_sinfo_erase_to_static(store, rlx_sinfo_tuple(store, fixed, 2)),
                "R.Tuple(R.Tensor(dtype=\"float32\", ndim=2), R.Prim(\"int64\"))");
  const RlxSymVar *vars[4];
  int count = 0;
  rlx_sinfo_vars(rlx_sinfo_tuple(store, both, 2), vars, &count, 4);
  assert_int_equal(count, 3);
  assert_string_equal(rlx_store_text(store, vars[1]->name), "k");
  rlx_store_free(store);
}

static void calls_bind_in_order(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  const RlxSInfo *params[] = {TENSOR("n", "m"), TENSOR("m", "k"), TENSOR("n * 2")};
  const RlxSInfo *func = rlx_sinfo_func(store, params, 3, TENSOR("n", "k", "m + 1"), RLX_PURE, 0);
  RlxCallProblem problem;
  RlxBuf why = {0};
  const RlxSInfo *good[] = {TENSOR("3", "a"), TENSOR("a", "b * 2"), TENSOR("6")};
  assert_prints(store, rlx_sinfo_derive_call(store, NULL, func, good, 3, &problem, &why),
                "R.Tensor((3, b * 2, a + 1), dtype=\"float32\")");
  assert_int_equal(problem.bad_arg, -1);
  assert_int_equal(problem.check, RLX_CHECK_PASS);

  const RlxSInfo *wrong[] = {TENSOR("3", "a"), TENSOR("a", "b"), TENSOR("7")};
  rlx_sinfo_derive_call(store, NULL, func, wrong, 3, &problem, &why);
  assert_int_equal(problem.bad_arg, 2);
  assert_string_equal(rlx_buf_text(&why), "dimension 0 is 7, expected 6, the callee's n * 2");
  rlx_buf_clear(&why);

  const RlxSInfo *unknown[] = {rlx_sinfo_tensor_ndim(store, 2, RLX_FLOAT32, NULL), TENSOR("a", "b"),
                               TENSOR("c")};
  assert_prints(store, rlx_sinfo_derive_call(store, NULL, func, unknown, 3, &problem, &why),
                "R.Tensor(dtype=\"float32\", ndim=3)");
  assert_int_equal(problem.bad_arg, -1);
  assert_int_equal(problem.check, RLX_CHECK_VALUE_MISMATCH);

  const RlxSInfo *object[] = {rlx_sinfo_object(store), TENSOR("a", "b"), TENSOR("c")};
  rlx_sinfo_derive_call(store, NULL, func, object, 3, &problem, &why);
  assert_int_equal(problem.bad_arg, 0);
  assert_int_equal(problem.check, RLX_CHECK_STATIC_MISMATCH);
  rlx_sinfo_derive_call(store, NULL, func, object, 1, &problem, NULL);
  assert_true(problem.bad_count);

  // a function that calls itself: the callee's variables and the caller's are the same ones
  const RlxSInfo *self[] = {TENSOR("n + 1", "k"), TENSOR("k", "m"), TENSOR("n * 2 + 2")};
  assert_prints(store, rlx_sinfo_derive_call(store, NULL, func, self, 3, &problem, NULL),
                "R.Tensor((n + 1, m, k + 1), dtype=\"float32\")");
  assert_int_equal(problem.check, RLX_CHECK_PASS);

  // What no argument determines is not what the caller calls by the same name.
  const RlxSInfo *twice[] = {TENSOR("m * 2")};
  const RlxSInfo *open = rlx_sinfo_func(store, twice, 1, TENSOR("n"), RLX_PURE, 0);
  rlx_buf_clear(&why);
  rlx_sinfo_derive_call(store, NULL, open, twice, 1, &problem, &why);
  assert_int_equal(problem.check, RLX_CHECK_VALUE_MISMATCH);
  assert_string_equal(rlx_buf_text(&why), "no argument determines m * 2, which would be m * 2");
  rlx_buf_free(&why);
  rlx_store_free(store);
}

static bool is_called_a(const RlxSymVar *var, void *data) {
  return strcmp(rlx_store_text(data, var->name), "a") == 0;
}

static void extensions_depend_on_variables(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  const RlxSymVar *a = rlx_symvar(store, 1, name(store, "a"), rlx_dtype_unknown(), true);
  const RlxSymVar *b = rlx_symvar(store, 1, name(store, "b"), rlx_dtype_unknown(), true);
  const RlxSymVar *ab[] = {a, b}, *only_a[] = {a, NULL}, *vars[4];
  const RlxSInfo *x = rlx_sinfo_extension(store, RLX_EXTENSION_SparseCSR, ab);
  const RlxSInfo *y = rlx_sinfo_extension(store, RLX_EXTENSION_SparseCSR, only_a);
  const RlxSInfo *any = rlx_sinfo_extension(store, RLX_EXTENSION_SparseCSR, NULL);
  int count = 0;
  assert_prints(store, x, "R.SparseCSR(a, b)");
  assert_prints(store, y, "R.SparseCSR(a, None)");
  assert_prints(store, any, "R.SparseCSR");
  rlx_sinfo_vars(x, vars, &count, 4);
  assert_int_equal(count, 2);
  assert_ptr_equal(vars[1], b);
  assert_ptr_equal(rlx_sinfo_erase_to_static(store, x), any);
  assert_ptr_equal(rlx_sinfo_erase_to_well_defined(store, x, (RlxScope){is_called_a, store, NULL}),
                   y);
  assert_ptr_equal(rlx_sinfo_lca(store, NULL, x, y), y);
  assert_int_equal(rlx_sinfo_base_check(store, NULL, y, x, NULL, NULL), RLX_CHECK_PASS);
  assert_int_equal(rlx_sinfo_base_check(store, NULL, x, y, NULL, NULL), RLX_CHECK_VALUE_MISMATCH);
  assert_int_equal(rlx_sinfo_base_check(store, NULL, x, TENSOR("n"), NULL, NULL),
                   RLX_CHECK_DISJOINT);
  assert_int_equal(rlx_extension_find("SparseCSR"), RLX_EXTENSION_SparseCSR);
  assert_int_equal(rlx_extension_find("Sparse"), RLX_EXTENSION_COUNT);
  rlx_store_free(store);
}

/// A random StructInfo over few dimensions, so that equal ones meet often.
static const RlxSInfo *random_sinfo(RlxStore *store, RlxTestRandom *random, int depth) {
  static const char *const dims[] = {"n", "m", "n + 1", "1 + n", "2", "3", "n * 2", "n + n"};
  const RlxPrim *values[3];
  const RlxSInfo *fields[3];
  int count = (int)rlx_test_below(random, 3);
  for (int i = 0; i < count; i++) values[i] = prim_text(store, dims[rlx_test_below(random, 8)]);
  RlxDType dtype = rlx_test_below(random, 3)   ? RLX_FLOAT32
                   : rlx_test_below(random, 2) ? RLX_INT32
                                               : rlx_dtype_unknown();
  switch (rlx_test_below(random, depth > 0 ? 8 : 7)) {
  case 0: return rlx_sinfo_object(store);
  case 1: return rlx_sinfo_prim(store, RLX_INT64, count > 0 ? values[0] : NULL);
  case 2: return rlx_sinfo_shape(store, values, count);
  case 3: return rlx_sinfo_shape(store, NULL, count - 1);
  case 4: return rlx_sinfo_tensor_ndim(store, count - 1, dtype, NULL);
  case 7:
    for (int i = 0; i < count; i++) fields[i] = random_sinfo(store, random, depth - 1);
    return rlx_sinfo_tuple(store, fields, count);
  default: return rlx_sinfo_tensor(store, values, count, dtype, NULL);
  }
}

static void lca_is_a_join(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(7);
  RlxStore *store = rlx_store_new();
  for (int i = 0; i < 20000; i++) {
    const RlxSInfo *a = random_sinfo(store, &random, 2), *b = random_sinfo(store, &random, 2),
                   *c = random_sinfo(store, &random, 2);
    const RlxSInfo *ab = rlx_sinfo_lca(store, NULL, a, b), *ba = rlx_sinfo_lca(store, NULL, b, a);
    assert_ptr_equal(rlx_sinfo_lca(store, NULL, a, a), a);
    assert_int_equal(rlx_sinfo_prove_equal(store, NULL, ab, ba), RLX_YES);
    const RlxSInfo *left = rlx_sinfo_lca(store, NULL, ab, c);
    const RlxSInfo *right = rlx_sinfo_lca(store, NULL, a, rlx_sinfo_lca(store, NULL, b, c));
    assert_int_equal(rlx_sinfo_prove_equal(store, NULL, left, right), RLX_YES);
    assert_int_equal(rlx_sinfo_base_check(store, NULL, ab, a, NULL, NULL), RLX_CHECK_PASS);
    assert_int_equal(rlx_sinfo_base_check(store, NULL, ab, b, NULL, NULL), RLX_CHECK_PASS);
    const RlxSInfo *bare = rlx_sinfo_erase_to_static(store, a);
    assert_int_equal(rlx_sinfo_base_check(store, NULL, bare, a, NULL, NULL), RLX_CHECK_PASS);
  }
  rlx_store_free(store);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prints_as_tvm),
      cmocka_unit_test(base_check_has_four_answers),
      cmocka_unit_test(erases_list_by_list),
      cmocka_unit_test(calls_bind_in_order),
      cmocka_unit_test(extensions_depend_on_variables),
      cmocka_unit_test(lca_is_a_join),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
