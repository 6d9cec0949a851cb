/// arena, vec, buf, error: memory and text building.
#include <stdalign.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/vec.h"
#include "tests/test.h"

static void arena_gives_zeroed_aligned_memory(void **state) {
  (void)state;
  RlxArena *arena = rlx_arena_new_sized(64);
  for (size_t size = 0; size < 300; size++) {
    unsigned char *bytes = rlx_arena_array(arena, unsigned char, size);
    assert_non_null(bytes);
    assert_int_equal((uintptr_t)bytes % alignof(uint64_t), 0);
    for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], 0);
    memset(bytes, 0xAA, size);
  }
  rlx_arena_free(arena);
  rlx_arena_free(NULL);
}

static void arena_rewinds_to_marks(void **state) {
  (void)state;
  RlxArena *arena = rlx_arena_new();
  RlxArenaMark empty = rlx_arena_mark(arena);
  char *kept = rlx_arena_strdup(arena, "kept");
  RlxArenaMark mark = rlx_arena_mark(arena);
  size_t live = rlx_arena_live_bytes(arena);
  for (int round = 0; round < 50; round++) {
    for (size_t i = 0; i < 100; i++) memset(rlx_arena_alloc(arena, i, 7), 0xFF, i * 7);
    rlx_arena_rewind(arena, mark);
    assert_int_equal(rlx_arena_live_bytes(arena), live);
    assert_string_equal(kept, "kept");
    unsigned char *again = rlx_arena_array(arena, unsigned char, 500);
    for (size_t i = 0; i < 500; i++) assert_int_equal(again[i], 0);
    rlx_arena_rewind(arena, mark);
  }
  rlx_arena_rewind(arena, empty);
  assert_int_equal(rlx_arena_live_bytes(arena), 0);
  assert_true(rlx_arena_held_bytes(arena) < 1024 * 1024);
  rlx_arena_free(arena);
}

static void arena_holds_texts_and_giants(void **state) {
  (void)state;
  RlxArena *arena = rlx_arena_new();
  assert_string_equal(rlx_arena_printf(arena, "%s-%d", "lv", 12), "lv-12");
  assert_string_equal(rlx_arena_strndup(arena, "abcdef", 3), "abc");
  assert_string_equal(rlx_arena_strndup(arena, NULL, 0), "");
  const int numbers[] = {1, 2, 3};
  int *copy = rlx_arena_copy(arena, numbers, 3, sizeof *numbers);
  assert_int_equal(copy[2], 3);
  RlxArenaMark mark = rlx_arena_mark(arena);
  char *giant = rlx_arena_alloc(arena, 3 * 1024 * 1024, 1);
  giant[3 * 1024 * 1024 - 1] = 1;
  rlx_arena_rewind(arena, mark);
  assert_true(rlx_arena_held_bytes(arena) < 1024 * 1024);
  rlx_arena_free(arena);
}

static void vec_inserts_and_removes_like_a_list(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(7);
  Vec(uint32_t) v = {0};
  uint32_t model[2000];
  uint32_t count = 0;
  for (uint32_t step = 0; step < 2000; step++) {
    uint32_t i = rlx_test_below(&random, count + 1);
    if (rlx_test_below(&random, 3) != 0 || count == 0) {
      uint32_t values[] = {step, step + 1};
      uint32_t n = count + 2 <= 2000 ? rlx_test_below(&random, 3) : 0;
      rlx_vec_insert_n(&v, i, values, n);
      memmove(model + i + n, model + i, (count - i) * sizeof *model);
      memcpy(model + i, values, n * sizeof *model);
      count += n;
    } else if (i < count) {
      uint32_t n = rlx_test_below(&random, count - i < 3 ? count - i + 1 : 3);
      rlx_vec_remove_n(&v, i, n);
      memmove(model + i, model + i + n, (count - i - n) * sizeof *model);
      count -= n;
    }
    assert_int_equal(v.count, count);
  }
  assert_memory_equal(v.at, model, count * sizeof *model);
  uint32_t last = rlx_vec_last(&v);
  assert_int_equal(rlx_vec_pop(&v), last);
  rlx_vec_clear(&v);
  rlx_vec_insert_n(&v, 0, NULL, 2);
  assert_int_equal(v.at[1], 0);
  rlx_vec_free(&v);
  assert_null(v.at);
}

static void vec_pushes_compound_literals(void **state) {
  (void)state;
  typedef struct Pair {
    int a, b;
  } Pair;
  Vec(Pair) v = {0};
  for (int i = 0; i < 100; i++) rlx_vec_push(&v, (Pair){i, -i});
  assert_int_equal(v.at[99].b, -99);
  rlx_vec_free(&v);
}

static void buf_builds_and_splices(void **state) {
  (void)state;
  RlxBuf buf = {0};
  assert_string_equal(rlx_buf_text(&buf), "");
  rlx_buf_printf(&buf, "%d", 42);
  rlx_buf_puts(&buf, " and ");
  rlx_buf_repeat(&buf, 'x', 3);
  rlx_buf_putc(&buf, '!');
  assert_string_equal(rlx_buf_text(&buf), "42 and xxx!");
  rlx_buf_splice(&buf, 3, 6, "or", 2);
  assert_string_equal(rlx_buf_text(&buf), "42 or xxx!");
  rlx_buf_splice(&buf, 10, 10, " end", 4);
  assert_string_equal(rlx_buf_text(&buf), "42 or xxx! end");
  rlx_buf_truncate(&buf, 2);
  char *text = rlx_buf_steal(&buf);
  assert_string_equal(text, "42");
  free(text);
  assert_int_equal(buf.size, 0);
  rlx_buf_free(&buf);
}

static void errors_are_cut_between_characters(void **state) {
  (void)state;
  RlxError err = {0};
  assert_false(rlx_error_set(&err, "cannot %s", "open"));
  assert_string_equal(err.text, "cannot open");
  rlx_error_prefix(&err, "%s", "a.npz");
  assert_string_equal(err.text, "a.npz: cannot open");
  assert_false(rlx_error_set(NULL, "nobody wants to know"));

  char *wide = rlx_mem_zeroed(3 * 600 + 1, 1);
  for (size_t i = 0; i < 600; i++) memcpy(wide + 3 * i, "\xE2\x82\xAC", 3);
  rlx_error_set(&err, "%s", wide);
  size_t length = strlen(err.text);
  assert_true(length < sizeof err.text && length > 1000);
  assert_int_equal(length % 3, 0); // whole euro signs and the ellipsis
  assert_string_equal(err.text + length - 3, "\xE2\x80\xA6");
  free(wide);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arena_gives_zeroed_aligned_memory),
      cmocka_unit_test(arena_rewinds_to_marks),
      cmocka_unit_test(arena_holds_texts_and_giants),
      cmocka_unit_test(vec_inserts_and_removes_like_a_list),
      cmocka_unit_test(vec_pushes_compound_literals),
      cmocka_unit_test(buf_builds_and_splices),
      cmocka_unit_test(errors_are_cut_between_characters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
