/// The JSON writer: escapes, broken UTF-8, exact integers, numbers that read back.
#include "base/json.h"

#include <math.h>

#include "tests/test.h"

static void writes_nested_values(void **state) {
  (void)state;
  RlxBuf out = {0};
  RlxJson json = {.out = &out};
  rlx_json_begin(&json, '{');
  rlx_json_key(&json, "a");
  rlx_json_begin(&json, '[');
  rlx_json_int(&json, INT64_MIN);
  rlx_json_number(&json, 0.1);
  rlx_json_number(&json, 1e300);
  rlx_json_number(&json, -(double)INFINITY);
  rlx_json_bool(&json, true);
  rlx_json_null(&json);
  rlx_json_end(&json, ']');
  rlx_json_key_int(&json, "n", INT64_MAX);
  rlx_json_key_bool(&json, "is", false);
  rlx_json_key_text(&json, "none", NULL);
  rlx_json_key_text(&json, "b", "q\"\\\n\x01é");
  rlx_json_end(&json, '}');
  assert_string_equal(
      rlx_buf_text(&out),
      "{\"a\":[-9223372036854775808,0.1,1e+300,\"-inf\",true,"
      "null],\"n\":9223372036854775807,\"is\":false,\"none\":null,\"b\":\"q\\\"\\\\\\n\\u0001é\"}");
  rlx_buf_free(&out);
}

static void broken_utf8_is_replaced(void **state) {
  (void)state;
  RlxBuf out = {0};
  RlxJson json = {.out = &out};
  rlx_json_text(&json, "\xFFx\xC3");
  rlx_json_text(&json, "\xED\xA0\x80");
  assert_string_equal(rlx_buf_text(&out),
                      "\"\xEF\xBF\xBDx\xEF\xBF\xBD\",\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
  rlx_buf_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(writes_nested_values),
                                     cmocka_unit_test(broken_utf8_is_replaced)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
