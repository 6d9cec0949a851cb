/// map, intern, nearest: finding things.
#include <string.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/nearest.h"
#include "tests/test.h"

static void map_agrees_with_an_array(void **state) {
  (void)state;
  enum { KEYS = 200 };
  RlxTestRandom random = rlx_test_random(11);
  RlxMap map = {0};
  uint64_t values[KEYS] = {0}; // 0: absent
  uint32_t count = 0;
  for (uint32_t step = 1; step < 20000; step++) {
    uint32_t key = rlx_test_below(&random, KEYS);
    uint64_t got = 0;
    assert_int_equal(rlx_map_get(&map, key, &got), values[key] != 0);
    assert_int_equal(got, values[key]);
    if (rlx_test_below(&random, 2)) {
      assert_int_equal(rlx_map_put(&map, key, step), values[key] == 0);
      count += values[key] == 0;
      values[key] = step;
    } else {
      assert_int_equal(rlx_map_remove(&map, key), values[key] != 0);
      count -= values[key] != 0;
      values[key] = 0;
    }
    assert_int_equal(rlx_map_count(&map), count);
  }
  uint32_t cursor = 0;
  uint32_t seen = 0;
  for (RlxMapEntry e; rlx_map_next(&map, &cursor, &e); seen++) {
    assert_int_equal(values[e.key], e.value);
  }
  assert_int_equal(seen, count);
  rlx_map_clear(&map);
  assert_int_equal(rlx_map_count(&map), 0);
  rlx_map_free(&map);
}

static void map_takes_pointers(void **state) {
  (void)state;
  RlxMap map = {0};
  int numbers[100];
  for (int i = 0; i < 100; i++) rlx_map_put_ptr(&map, &numbers[i], &numbers[99 - i]);
  for (int i = 0; i < 100; i++) {
    assert_ptr_equal(rlx_map_get_ptr(&map, &numbers[i]), &numbers[99 - i]);
  }
  assert_true(rlx_map_remove_ptr(&map, &numbers[3]));
  assert_null(rlx_map_get_ptr(&map, &numbers[3]));
  rlx_map_free(&map);
}

static void strmap_owns_its_keys(void **state) {
  (void)state;
  RlxStrMap map = {0};
  for (uint64_t i = 0; i < 500; i++) {
    char key[16];
    int length = snprintf(key, sizeof key, "k%d", (int)i);
    assert_true(rlx_strmap_put(&map, key, (size_t)length, i));
    assert_false(rlx_strmap_put(&map, key, (size_t)length, i + 1));
  }
  assert_true(rlx_strmap_put(&map, "", 0, 77));
  for (int i = 0; i < 500; i += 2) {
    char key[16];
    int length = snprintf(key, sizeof key, "k%d", i);
    assert_true(rlx_strmap_remove(&map, key, (size_t)length));
  }
  uint64_t value = 0;
  assert_true(rlx_strmap_get(&map, "k7", 2, &value));
  assert_int_equal(value, 8);
  assert_false(rlx_strmap_get(&map, "k8", 2, &value));
  assert_true(rlx_strmap_get(&map, "", 0, &value));
  assert_int_equal(value, 77);
  uint32_t cursor = 0;
  uint32_t seen = 0;
  for (RlxStrMapEntry e; rlx_strmap_next(&map, &cursor, &e);) seen++;
  assert_int_equal(seen, 251);
  rlx_strmap_free(&map);
}

static void interner_gives_equal_bytes_one_name(void **state) {
  (void)state;
  RlxInterner *interner = rlx_interner_new();
  assert_int_equal(rlx_intern_text(interner, ""), RLX_NAME_NONE);
  assert_string_equal(rlx_name_text(interner, RLX_NAME_NONE), "");
  RlxName lv = rlx_intern_text(interner, "lv");
  const char *text = rlx_name_text(interner, lv);
  assert_int_equal(rlx_intern_find(interner, "gone", 4), RLX_NAME_NONE);
  for (int i = 0; i < 3000; i++) {
    char word[16];
    int length = snprintf(word, sizeof word, "v%d", i);
    RlxName name = rlx_intern(interner, word, (size_t)length);
    assert_int_equal(name, lv + 1 + (RlxName)i);
    assert_int_equal(rlx_intern_text(interner, word), name);
    assert_int_equal(rlx_name_size(interner, name), length);
  }
  assert_int_equal(rlx_intern_text(interner, "lv"), lv);
  assert_ptr_equal(rlx_name_text(interner, lv), text);
  assert_int_equal(rlx_interner_count(interner), 3001);
  assert_true(rlx_interner_held_bytes(interner) > 3000);
  assert_int_not_equal(rlx_intern(interner, "a\0b", 3), rlx_intern(interner, "a\0c", 3));
  rlx_interner_free(interner);
}

static void nearest_finds_slips_only(void **state) {
  (void)state;
  assert_int_equal(rlx_edit_distance("permute", "premute", 3), 1);
  assert_int_equal(rlx_edit_distance("", "abc", 3), 3);
  assert_int_equal(rlx_edit_distance("kitten", "sitting", 3), 3);
  assert_true(rlx_edit_distance("abcdef", "uvwxyz", 2) > 2);
  RlxNearest nearest = rlx_nearest_start("permute_dim");
  rlx_nearest_try(&nearest, "expand_dims");
  rlx_nearest_try(&nearest, "permute_dims");
  assert_string_equal(nearest.best, "permute_dims");
  nearest = rlx_nearest_start("zzz");
  rlx_nearest_try(&nearest, "add");
  assert_null(nearest.best);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(map_agrees_with_an_array),
      cmocka_unit_test(map_takes_pointers),
      cmocka_unit_test(strmap_owns_its_keys),
      cmocka_unit_test(interner_gives_equal_bytes_one_name),
      cmocka_unit_test(nearest_finds_slips_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
