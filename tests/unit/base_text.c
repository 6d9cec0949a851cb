/// text: UTF-8, lines under edits, UTF-16 columns.
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "tests/test.h"

static void utf8_round_trips_and_rejects(void **state) {
  (void)state;
  for (uint32_t code = 0; code <= 0x10FFFF; code++) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    char bytes[4];
    uint32_t length = rlx_utf8_encode(code, bytes);
    uint32_t back = 0;
    if (rlx_utf8_decode(bytes, length, &back) != length || back != code) fail_msg("U+%X", code);
  }
  const char *bad[] = {"\x80",
                       "\xC0\x80",
                       "\xED\xA0\x80",
                       "\xE0\x80\x80",
                       "\xF5\x80\x80\x80",
                       "\xF4\x90\x80\x80",
                       "\xE2\x82",
                       "\xFF"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint32_t code = 0;
    assert_int_equal(rlx_utf8_decode(bad[i], strlen(bad[i]), &code), 1);
    assert_int_equal(code, 0xFFFD);
    size_t at = 99;
    assert_false(rlx_utf8_is_valid(bad[i], strlen(bad[i]), &at));
    assert_int_equal(at, 0);
  }
  assert_true(rlx_utf8_is_valid("na\xC3\xAFve \xEF\xBF\xBD", 10, NULL));
}

static void bytes_of_names_and_of_characters(void **state) {
  (void)state;
  for (int byte = 0; byte < 256; byte++) {
    const char c = (char)byte;
    const bool is_digit = byte && strchr("0123456789", byte);
    const bool is_letter =
        byte && strchr("_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", byte);
    assert_int_equal(rlx_text_starts_name(c), is_letter || byte > 127);
    assert_int_equal(rlx_text_in_name(c), is_letter || is_digit || byte > 127);
    assert_int_equal(rlx_utf8_is_continuation(c), byte >= 0x80 && byte < 0xC0);
    assert_int_equal(rlx_text_is_ascii(&c, 1), byte < 128);
  }
  assert_true(rlx_text_is_ascii("", 0));
  assert_false(rlx_text_is_ascii("an \xC3\xBC", 5));

  RlxBuf out = {0};
  rlx_utf8_put(&out, 0x28FF);  // a pattern of Braille
  rlx_utf8_put(&out, 0xD800);  // half of a pair is no character
  rlx_utf8_put(&out, 0x1F600); // beyond the first plane
  assert_string_equal(rlx_buf_text(&out), "\xE2\xA3\xBF\xEF\xBF\xBD\xF0\x9F\x98\x80");
  rlx_buf_free(&out);
}

static void width_counts_terminal_columns(void **state) {
  (void)state;
  assert_int_equal(rlx_text_width("abc", 3), 3);
  assert_int_equal(rlx_text_width("\xE6\x97\xA5", 3), 2);     // a wide ideograph
  assert_int_equal(rlx_text_width("e\xCC\x81", 3), 1);        // a combining accent
  assert_int_equal(rlx_text_width("\xF0\x9F\x98\x80", 4), 2); // an emoji
}

static void utf16_columns_round_trip(void **state) {
  (void)state;
  const char *line = "a\xC3\xA9\xE6\x97\xA5\xF0\x9F\x98\x80z\xFF!"; // a é 日 😀 z <bad> !
  size_t size = strlen(line);
  const uint32_t bytes[] = {0, 1, 3, 6, 10, 11, 12, 13};
  const uint32_t units[] = {0, 1, 2, 3, 5, 6, 7, 8};
  for (size_t i = 0; i < 8; i++) {
    assert_int_equal(rlx_utf16_from_bytes(line, size, bytes[i]), units[i]);
    assert_int_equal(rlx_bytes_from_utf16(line, size, units[i]), bytes[i]);
    assert_int_equal(rlx_utf32_from_bytes(line, size, bytes[i]), i);
    assert_int_equal(rlx_bytes_from_utf32(line, size, (uint32_t)i), bytes[i]);
  }
  assert_int_equal(rlx_bytes_from_utf16(line, size, 4), 6); // inside the pair: its start
  assert_int_equal(rlx_bytes_from_utf16(line, size, 99), size);
  assert_int_equal(rlx_utf16_from_bytes(line, size, 99), 8);
}

/// With memory of a long line every place is what it is without.
static void columns_of_a_long_line(void **state) {
  (void)state;
  static const char *const parts[] = {"a", "\xC3\xA9", "\xE6\x97\xA5", "\xF0\x9F\x98\x80", "\xFF"};
  enum { SIZE = 20000 };
  char line[SIZE + 1] = "";
  uint32_t size = 0;
  for (uint32_t i = 0; size + 4 < SIZE; i++) {
    const char *part = parts[(i * 7 + i / 11) % 5];
    memcpy(line + size, part, strlen(part));
    size += (uint32_t)strlen(part);
  }
  for (int utf32 = 0; utf32 < 2; utf32++) {
    RlxColumns columns = {0};
    for (uint32_t i = 0; i < 3000; i++) {
      uint32_t at = i * 7919 % (size + 9);
      if (i >= 2000) at = i % 40 * 1024 / 2 + i % 7;
      assert_int_equal(rlx_columns_units(&columns, utf32, line, size, at),
                       utf32 ? rlx_utf32_from_bytes(line, at < size ? at : size, at)
                             : rlx_utf16_from_bytes(line, at < size ? at : size, at));
    }
    rlx_vec_free(&columns.steps);
  }
}

static void lines_end_in_three_ways(void **state) {
  (void)state;
  const char *text = "ab\ncd\r\n\re\n";
  RlxLines lines = {0};
  rlx_lines_build(&lines, text, (uint32_t)strlen(text));
  assert_int_equal(rlx_lines_count(&lines), 5);
  const uint32_t starts[] = {0, 3, 7, 8, 10};
  const uint32_t ends[] = {2, 5, 7, 9, 10};
  for (uint32_t i = 0; i < 5; i++) {
    assert_int_equal(rlx_lines_start(&lines, i), starts[i]);
    assert_int_equal(rlx_lines_end(&lines, text, i), ends[i]);
  }
  RlxLineColumn place = rlx_lines_locate(&lines, 4);
  assert_int_equal(place.line, 1);
  assert_int_equal(place.column, 1);
  assert_int_equal(rlx_lines_offset(&lines, text, place), 4);
  assert_int_equal(rlx_lines_offset(&lines, text, (RlxLineColumn){1, 50}), 5);
  assert_int_equal(rlx_lines_offset(&lines, text, (RlxLineColumn){50, 0}), 10);
  assert_int_equal(rlx_lines_locate(&lines, 500).line, 4);
  rlx_lines_free(&lines);
}

static void edited_lines_equal_lines_from_scratch(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(3);
  RlxBuf text = {0};
  RlxLines lines = {0};
  rlx_lines_build(&lines, "", 0);
  for (int step = 0; step < 5000; step++) {
    uint32_t size = (uint32_t)text.size;
    uint32_t start = rlx_test_below(&random, size + 1);
    uint32_t old_end = start + rlx_test_below(&random, size - start < 9 ? size - start + 1 : 9);
    char fresh[9];
    uint32_t count = rlx_test_below(&random, size > 200 ? 4 : 9);
    for (uint32_t i = 0; i < count; i++) fresh[i] = "a\n\r"[rlx_test_below(&random, 3)];
    rlx_buf_splice(&text, start, old_end, fresh, count);
    rlx_lines_edit(&lines, rlx_buf_text(&text), (uint32_t)text.size, start, old_end, start + count);

    RlxLines scratch = {0};
    rlx_lines_build(&scratch, rlx_buf_text(&text), (uint32_t)text.size);
    assert_int_equal(lines.size_bytes, scratch.size_bytes);
    assert_int_equal(lines.starts.count, scratch.starts.count);
    assert_memory_equal(lines.starts.at, scratch.starts.at,
                        scratch.starts.count * sizeof(uint32_t));
    rlx_lines_free(&scratch);
  }
  rlx_lines_free(&lines);
  rlx_buf_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(utf8_round_trips_and_rejects),
      cmocka_unit_test(bytes_of_names_and_of_characters),
      cmocka_unit_test(width_counts_terminal_columns),
      cmocka_unit_test(utf16_columns_round_trip),
      cmocka_unit_test(columns_of_a_long_line),
      cmocka_unit_test(lines_end_in_three_ways),
      cmocka_unit_test(edited_lines_equal_lines_from_scratch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
