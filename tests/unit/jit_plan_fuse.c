/// Fusion of kernels: what is substituted, what is not, and that the fused kernel computes the
/// same.
#include "jit/plan/fuse.h"

#include "analyzer/symbolic/store.h"
#include "tests/unit/jit_llvm.h"

static RlxStore *store;

static int up(void **state) {
  int failed = rig_up(state);
  store = rlx_store_new();
  rlx_interner_free(rig.names);
  rig.names = rlx_store_names(store);
  return failed;
}

static int down(void **state) {
  rig.names = NULL;
  rig_down(state);
  rlx_store_free(store);
  return 0;
}

/// out[i] = a0[i] + a1[i]
static RlxPrimFunc *sum_kernel(int64_t n) {
  RlxPrimFunc *f = rlx_primfunc_new(name_of("add"));
  RlxTirBuffer *a = param1(f, "a0", RLX_FLOAT32, i64(f, n)),
               *b = param1(f, "a1", RLX_FLOAT32, i64(f, n)),
               *out = param1(f, "out0", RLX_FLOAT32, i64(f, n));
  RlxTirVar *i = index_var(f, "i0");
  f->body = loop(f, i, i64(f, n),
                 store1(f, out, use(f, i),
                        bin(f, RLX_TIR_ADD, load1(f, a, use(f, i)), load1(f, b, use(f, i)))));
  return f;
}

/// out[i] = a0[i] * a1[i]
static RlxPrimFunc *product_kernel(int64_t n) {
  RlxPrimFunc *f = rlx_primfunc_new(name_of("multiply"));
  RlxTirBuffer *a = param1(f, "a0", RLX_FLOAT32, i64(f, n)),
               *b = param1(f, "a1", RLX_FLOAT32, i64(f, n)),
               *out = param1(f, "out0", RLX_FLOAT32, i64(f, n));
  RlxTirVar *i = index_var(f, "i0");
  f->body = loop(f, i, i64(f, n),
                 store1(f, out, use(f, i),
                        bin(f, RLX_TIR_MUL, load1(f, a, use(f, i)), load1(f, b, use(f, i)))));
  return f;
}

/// out[i, j] = a0[j]
static RlxPrimFunc *rows_kernel(int64_t n) {
  RlxPrimFunc *f = rlx_primfunc_new(name_of("broadcast_to"));
  RlxTirBuffer *a = param1(f, "a0", RLX_FLOAT32, i64(f, n)),
               *out = param2(f, "out0", RLX_FLOAT32, i64(f, 3), i64(f, n));
  RlxTirVar *i = index_var(f, "i0"), *j = index_var(f, "i1");
  f->body =
      loop(f, i, i64(f, 3),
           loop(f, j, i64(f, n), store2(f, out, use(f, i), use(f, j), load1(f, a, use(f, j)))));
  return f;
}

/// out[i, i] = a0[i] in loops over i and j: the places beside the diagonal are not written.
static RlxPrimFunc *diagonal_kernel(int64_t n) {
  RlxPrimFunc *f = rlx_primfunc_new(name_of("diagonal"));
  RlxTirBuffer *a = param1(f, "a0", RLX_FLOAT32, i64(f, n)),
               *out = param2(f, "out0", RLX_FLOAT32, i64(f, n), i64(f, n));
  RlxTirVar *i = index_var(f, "i0"), *j = index_var(f, "i1");
  f->body =
      loop(f, i, i64(f, n),
           loop(f, j, i64(f, n), store2(f, out, use(f, i), use(f, i), load1(f, a, use(f, i)))));
  return f;
}

/// out[i, j] = a0[i, j]
static RlxPrimFunc *copy_kernel(int64_t n) {
  RlxPrimFunc *f = rlx_primfunc_new(name_of("copy"));
  RlxTirBuffer *a = param2(f, "a0", RLX_FLOAT32, i64(f, n), i64(f, n)),
               *out = param2(f, "out0", RLX_FLOAT32, i64(f, n), i64(f, n));
  RlxTirVar *i = index_var(f, "i0"), *j = index_var(f, "i1");
  f->body = loop(f, i, i64(f, n),
                 loop(f, j, i64(f, n),
                      store2(f, out, use(f, i), use(f, j), load2(f, a, use(f, i), use(f, j)))));
  return f;
}

/// sum = x + y; result = sum * x: tensors 0 x, 1 y, 2 sum, 3 result.
static void test_chain(void **state) {
  NEEDS_LLVM();
  RlxPrimFunc *p = sum_kernel(5), *c = product_kernel(5);
  int made_of[] = {0, 1, 2}, reads[] = {2, 0, 3}, order[RLX_FUSE_MAX_TENSORS], count;
  RlxFuseSide a = {p, made_of}, b = {c, reads};
  RlxPrimFunc *f = rlx_fuse(store, &a, &b, 2, order, &count);
  assert_non_null(f);
  assert_int_equal(count, 3);
  assert_int_equal(order[0], 0);
  assert_int_equal(order[1], 1);
  assert_int_equal(order[2], 3);
  assert_int_equal(f->root_alloc_count, 0);
  assert_true(rlx_fuse_is_proved(f));
  float x[5] = {1, 2, 3, 4, 5}, y[5] = {10, 20, 30, 40, 50}, out[5] = {0};
  void *data[] = {x, y, out};
  RlxKernelFn *fn = compiled(f, true);
  assert_non_null(fn);
  assert_int_equal(fn(data, NULL, rig.ctx), 0);
  for (int i = 0; i < 5; i++) assert_true(out[i] == (x[i] + y[i]) * x[i]);
  rlx_primfunc_free(p);
  rlx_primfunc_free(c);
}

/// Both operands are the linked tensor.
static void test_square(void **state) {
  NEEDS_LLVM();
  RlxPrimFunc *p = sum_kernel(4), *c = product_kernel(4);
  int made_of[] = {0, 0, 1}, reads[] = {1, 1, 2}, order[RLX_FUSE_MAX_TENSORS], count;
  RlxFuseSide a = {p, made_of}, b = {c, reads};
  RlxPrimFunc *f = rlx_fuse(store, &a, &b, 1, order, &count);
  assert_non_null(f);
  assert_int_equal(count, 2);
  float x[4] = {1, -2, 3, 0.5F}, out[4] = {0};
  void *data[] = {x, out};
  RlxKernelFn *fn = compiled(f, true);
  assert_non_null(fn);
  assert_int_equal(fn(data, NULL, rig.ctx), 0);
  for (int i = 0; i < 4; i++) assert_true(out[i] == 4 * x[i] * x[i]);
  rlx_primfunc_free(p);
  rlx_primfunc_free(c);
}

/// An element that is read several times is computed once: no fusion. Nor where shapes differ.
static void test_refusals(void **state) {
  (void)state;
  RlxPrimFunc *p = sum_kernel(4), *rows = rows_kernel(4), *other = product_kernel(6);
  int made_of[] = {0, 1, 2}, reads[] = {2, 3}, two[] = {2, 3, 4}, order[RLX_FUSE_MAX_TENSORS],
      count;
  RlxFuseSide a = {p, made_of}, b = {rows, reads}, c = {other, two};
  assert_null(rlx_fuse(store, &a, &b, 2, order, &count));
  assert_null(rlx_fuse(store, &a, &c, 2, order, &count));
  assert_null(rlx_fuse(store, &a, &b, 1, order, &count)); // not the producer's result
  rlx_primfunc_free(p);
  rlx_primfunc_free(rows);
  rlx_primfunc_free(other);
}

/// What is stored at a variable twice is no value for each place.
static void test_diagonal(void **state) {
  (void)state;
  RlxPrimFunc *p = diagonal_kernel(4), *c = copy_kernel(4), *whole = copy_kernel(4);
  int made_of[] = {0, 1}, two[] = {1, 2}, order[RLX_FUSE_MAX_TENSORS], count;
  RlxFuseSide a = {p, made_of}, b = {c, two}, d = {whole, made_of};
  assert_null(rlx_fuse(store, &a, &b, 1, order, &count));
  RlxPrimFunc *f = rlx_fuse(store, &d, &b, 1, order, &count);
  assert_non_null(f); // the same with each place written
  rlx_primfunc_free(f);
  rlx_primfunc_free(p);
  rlx_primfunc_free(c);
  rlx_primfunc_free(whole);
}

/// An index that is more than a loop variable is not proved.
static void test_proof(void **state) {
  (void)state;
  RlxPrimFunc *f = rlx_primfunc_new(name_of("shift"));
  RlxTirBuffer *a = param1(f, "a0", RLX_FLOAT32, i64(f, 8)),
               *out = param1(f, "out0", RLX_FLOAT32, i64(f, 4));
  RlxTirVar *i = index_var(f, "i0");
  f->body = loop(f, i, i64(f, 4),
                 store1(f, out, use(f, i), load1(f, a, bin(f, RLX_TIR_ADD, use(f, i), i64(f, 1)))));
  assert_false(rlx_fuse_is_proved(f));
  rlx_primfunc_free(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_chain), cmocka_unit_test(test_square),
                                     cmocka_unit_test(test_refusals), cmocka_unit_test(test_proof),
                                     cmocka_unit_test(test_diagonal)};
  return cmocka_run_group_tests(tests, up, down);
}
