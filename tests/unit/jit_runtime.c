/// Values, element conversions, numpy files, printing.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jit/runtime/context.h"
#include "jit/runtime/format.h"
#include "jit/runtime/npy.h"
#include "tests/test.h"

static void half_floats_round_trip(void **state) {
  (void)state;
  for (uint32_t b = 0; b < 65536; b++) {
    float f = rlx_float_from_f16((uint16_t)b), g = rlx_float_from_bf16((uint16_t)b);
    if (!isnan(f))
      assert_int_equal(rlx_f16_from_float(f), b);
    else
      assert_true(isnan(rlx_float_from_f16(rlx_f16_from_float(f))));
    if (!isnan(g)) assert_int_equal(rlx_bf16_from_float(g), b);
  }
  assert_int_equal(rlx_f16_from_float(65520.0f), 0x7c00);
  assert_int_equal(rlx_f16_from_float(65519.0f), 0x7bff);
  assert_int_equal(rlx_f16_from_float(2049.0f), 0x6800); // to even
  for (int b = 0; b < 256; b++) {
    RlxDType t = rlx_dtype(RLX_DTYPE_FLOAT8_E4M3FN, 8);
    uint8_t byte = 0;
    double v = rlx_float_from_small(t, (uint8_t)b);
    rlx_element_set_number(&byte, t, 0, v);
    if (!isnan(v) && v != 0.0) assert_int_equal(byte, b);
  }
}

static RlxObject *parse(RlxHeap *heap, const char *text) {
  RlxError err = {0};
  RlxObject *x = rlx_object_parse(heap, text, rlx_dtype_unknown(), &err);
  if (!x) fail_msg("%s: %s", text, err.text);
  return x;
}

static void prints(RlxHeap *heap, const char *literal, const char *want) {
  RlxObject *x = parse(heap, literal);
  RlxBuf out = {0};
  rlx_object_print(x, &out);
  assert_string_equal(rlx_buf_text(&out), want);
  rlx_buf_free(&out);
  rlx_object_unref(x);
}

static void prints_as_numpy(void **state) {
  (void)state;
  RlxHeap *heap = rlx_heap_new();
  prints(heap, "[[1, 2], [3, 40]]", "[[ 1  2]\n [ 3 40]]");
  prints(heap, "[1.0, 2.5, -3.25]", "[ 1.    2.5  -3.25]");
  prints(heap, "[1e10, 1.0]", "[1.e+10 1.e+00]");
  prints(heap, "[nan, inf, 1.0]", "[nan inf  1.]");
  prints(heap, "[true, false]", "[ True False]");
  prints(heap, "2.5", "2.5");
  prints(heap, "[]", "[]");
  prints(heap, "2x2:float64:0.1", "[[0.1 0.1]\n [0.1 0.1]]");
  prints(heap, "2000:int64:iota", "[   0    1    2 ... 1997 1998 1999]");
  assert_int_equal(rlx_heap_used_bytes(heap), 0);
  rlx_heap_free(heap);
}

static void bad_literals(void **state) {
  (void)state;
  RlxHeap *heap = rlx_heap_new();
  static const char *const bad[] = {"",
                                    "[1, [2]]",
                                    "[[1, 2], [3]]",
                                    "[1",
                                    "x",
                                    "2x3:flot32:ones",
                                    "2x:float32",
                                    "1 2",
                                    "99999999999999999999",
                                    "3:float32:banana",
                                    "@/does/not/exist.npy",
                                    "999999999x999999999x999999999:float32:ones"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    RlxError err = {0};
    RlxObject *x = rlx_object_parse(heap, bad[i], rlx_dtype_unknown(), &err);
    if (x) fail_msg("\"%s\" was accepted", bad[i]);
    assert_true(err.text[0] != 0);
  }
  rlx_heap_free(heap);
}

/// What a Ctrl-C ends leaves the file as it was, and nothing beside it.
static void writing_is_given_up(void **state) {
  (void)state;
  char folder[] = "/tmp/rlx-runtime-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  RlxHeap *heap = rlx_heap_new();
  RlxObject *x = parse(heap, "[1.5, 2.5]"), *y = parse(heap, "[3, 4, 5]");
  char *name = (char[]){"x"};
  for (int is_archive = 0; is_archive < 2; is_archive++) {
    volatile sig_atomic_t stop = 0;
    RlxError err = {0};
    snprintf(path, sizeof path, "%s/x.np%c", folder, is_archive ? 'z' : 'y');
    for (int turn = 0; turn < 2; turn++) {
      RlxObject *given = turn ? y : x;
      const RlxArchive archive = {.tensors = &given, .names = &name, .count = 1};
      const bool ok = is_archive ? rlx_archive_write(&archive, path, &stop, &err)
                                 : rlx_npy_write(given, path, &stop, &err);
      assert_int_equal(ok, !turn);
      stop = 1;
    }
    assert_string_equal(err.text, "interrupted");
    RlxArrays *arrays = is_archive ? rlx_arrays_open(path, &err) : NULL;
    RlxObject *back = is_archive ? rlx_arrays_read(arrays, 0, heap, NULL, &err)
                                 : rlx_npy_read(heap, path, NULL, &err);
    assert_non_null(back);
    assert_int_equal(rlx_tensor_count(back), 2);
    rlx_object_unref(back);
    rlx_arrays_close(arrays);
    assert_int_equal(unlink(path), 0);
  }
  assert_int_equal(rmdir(folder), 0); // nothing is left in it
  rlx_object_unref(x);
  rlx_object_unref(y);
  rlx_heap_free(heap);
}

static void npy_round_trip_and_garbage(void **state) {
  (void)state;
  RlxHeap *heap = rlx_heap_new();
  static const char *const literals[] = {"[[1, 2, 3], [4, 5, 6]]",  "1.5",
                                         "0x3:int16:ones",          "[true, false]",
                                         "3x4x5:float16:random(1)", "7:uint8:iota"};
  for (size_t i = 0; i < sizeof literals / sizeof *literals; i++) {
    RlxObject *x = parse(heap, literals[i]);
    RlxBuf bytes = {0};
    rlx_npy_encode(x, &bytes);
    RlxError err = {0};
    RlxObject *y = rlx_npy_decode(heap, bytes.at, bytes.size, &err);
    assert_non_null(y);
    assert_int_equal(y->count, x->count);
    assert_true(rlx_dtype_equal(y->dtype, x->dtype));
    assert_memory_equal(y->dims, x->dims, (size_t)x->count * sizeof *x->dims);
    assert_memory_equal(y->data, x->data, (size_t)rlx_tensor_bytes(x));
    rlx_object_unref(y);
    for (size_t size = 0; size < bytes.size; size++) // every prefix is an error
      assert_null(rlx_npy_decode(heap, bytes.at, size, &err));
    srand(7);
    for (int turn = 0; turn < 2000; turn++) { // any bytes: an answer, no crash
      size_t at = (size_t)rand() % (bytes.size < 128 ? bytes.size : 128);
      char kept = bytes.at[at];
      bytes.at[at] = (char)rand();
      rlx_object_unref(rlx_npy_decode(heap, bytes.at, bytes.size, &err));
      bytes.at[at] = kept;
    }
    rlx_object_unref(x);
    rlx_buf_free(&bytes);
  }
  // Fortran order and the other byte order.
  static const char file[] = "\x93NUMPY\x01\x00\x3d\x00{'descr': '>i2', 'fortran_order': True, "
                             "'shape': (2, 3)}    \n\0\1\0\4\0\2\0\5\0\3\0\6";
  RlxError err = {0};
  RlxObject *x = rlx_npy_decode(heap, file, sizeof file - 1, &err);
  if (!x) fail_msg("%s", err.text);
  for (int i = 0; i < 6; i++) assert_int_equal(rlx_element_integer(x->data, x->dtype, i), i + 1);
  rlx_object_unref(x);
  assert_int_equal(rlx_heap_used_bytes(heap), 0);
  rlx_heap_free(heap);
}

static void views_share_storage(void **state) {
  (void)state;
  RlxHeap *heap = rlx_heap_new();
  RlxError err = {0};
  RlxObject *x = parse(heap, "2x3:float32:iota");
  RlxObject *view = rlx_tensor_view(heap, x, x->dtype, (int64_t[]){6}, 1, 0, &err);
  assert_ptr_equal(view->data, x->data);
  assert_null(rlx_tensor_view(heap, x, x->dtype, (int64_t[]){7}, 1, 0, &err));
  assert_null(rlx_tensor_new(heap, RLX_FLOAT32, (int64_t[]){-1}, 1, &err));
  void *data = x->data;
  rlx_object_unref(x);
  assert_true(rlx_heap_used_bytes(heap) > 0);
  rlx_object_unref(view);
  assert_int_equal(rlx_heap_used_bytes(heap), 0);
  x = rlx_tensor_new(heap, RLX_FLOAT32, (int64_t[]){6}, 1, &err); // the buffer comes back
  assert_ptr_equal(x->data, data);
  assert_int_equal((uintptr_t)x->data % 64, 0);
  rlx_object_unref(x);
  rlx_heap_free(heap);
}

/// Whether reading the byte at `at` ends the process.
static bool is_forbidden(const volatile char *at) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    _exit(*at == 1 ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) > 1);
}

static void guard_pages_stop_who_leaves(void **state) {
  (void)state;
  for (int after = 0; after < 2; after++) {
    setenv("RLX_GUARD_PAGES", after ? "after" : "before", 1);
    RlxHeap *heap = rlx_heap_new();
    RlxKernelContext *ctx = rlx_context_new(1);
    unsetenv("RLX_GUARD_PAGES");
    RlxError err = {0};
    RlxObject *x = rlx_tensor_new(heap, RLX_FLOAT32, (int64_t[]){3}, 1, &err);
    char *scratch = ctx->acquire(ctx, 12), *data = x->data;
    assert_int_equal((unsigned char)data[11], 0xCB);
    assert_true(is_forbidden(after ? data + 12 : data - 1));
    assert_true(is_forbidden(after ? scratch + 12 : scratch - 1));
    assert_false(is_forbidden(data) || is_forbidden(data + 11) || is_forbidden(scratch));
    ctx->release(ctx, scratch);
    assert_true(is_forbidden(scratch));
    RlxObject *empty = rlx_tensor_new(heap, RLX_FLOAT32, (int64_t[]){0}, 1, &err);
    assert_true(is_forbidden(empty->data));
    rlx_object_unref(empty);
    rlx_object_unref(x);
    assert_int_equal(rlx_heap_used_bytes(heap), 0);
    rlx_context_free(ctx);
    rlx_heap_free(heap);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(half_floats_round_trip),      cmocka_unit_test(prints_as_numpy),
      cmocka_unit_test(writing_is_given_up),         cmocka_unit_test(bad_literals),
      cmocka_unit_test(npy_round_trip_and_garbage),  cmocka_unit_test(views_share_storage),
      cmocka_unit_test(guard_pages_stop_who_leaves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
