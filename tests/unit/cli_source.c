/// Writing sources back: what is on disk is what was read, or it stays.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/source.h"
#include "tests/test.h"

static void put(const char *path, const char *text) {
  RlxError err = {0};
  assert_true(rlx_file_write(path, text, strlen(text), &err));
}

static void expect(const char *path, const char *text) {
  RlxBuf now = {0};
  RlxError err = {0};
  assert_true(rlx_file_read(path, &now, &err));
  assert_string_equal(rlx_buf_text(&now), text);
  rlx_buf_free(&now);
}

static void what_changed_meanwhile_is_not_overwritten(void **state) {
  (void)state;
  char folder[] = "/tmp/rlx-source-XXXXXX", path[64];
  RlxBuf was = {0}, fixed = {0};
  RlxError err = {0};
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.py", folder);
  rlx_buf_puts(&fixed, "y = 2\n");
  put(path, "x = 1\n");
  assert_true(rlx_source_read(path, &was, &err));
  put(path, "x = 10\n"); // longer
  assert_false(rlx_source_write(path, NULL, &was, &fixed, &err));
  assert_non_null(strstr(err.text, "changed meanwhile"));
  expect(path, "x = 10\n");
  put(path, "x = 3\n"); // of the same size
  assert_false(rlx_source_write(path, NULL, &was, &fixed, &err));
  expect(path, "x = 3\n");
  assert_int_equal(unlink(path), 0);
  assert_false(rlx_source_write(path, NULL, &was, &fixed, &err)); // gone: it is not made again
  assert_int_not_equal(access(path, F_OK), 0);
  put(path, "x = 1\n");
  assert_true(rlx_source_write(path, NULL, &was, &fixed, &err));
  expect(path, "y = 2\n");
  unlink(path);
  rmdir(folder);
  rlx_buf_free(&was);
  rlx_buf_free(&fixed);
}

static void other_encodings_stay(void **state) {
  (void)state;
  char folder[] = "/tmp/rlx-source-XXXXXX", path[64];
  RlxBuf was = {0};
  RlxError err = {0};
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.py", folder);
  put(path, "# coding: latin-1\nx = '\xe9'\n");
  assert_true(rlx_source_read(path, &was, &err));
  assert_non_null(strstr(rlx_buf_text(&was), "\xc3\xa9"));
  assert_false(rlx_source_write(path, NULL, &was, &was, &err));
  expect(path, "# coding: latin-1\nx = '\xe9'\n");
  unlink(path);
  rmdir(folder);
  rlx_buf_free(&was);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_changed_meanwhile_is_not_overwritten),
                                     cmocka_unit_test(other_encodings_stay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
