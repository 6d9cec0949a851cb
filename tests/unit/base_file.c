/// file: reading, atomic writing, walking.
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/test.h"

static char folder[64]; // one per run

static int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/rlx-test-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static const char *path_of(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static bool remove_each(void *user, const RlxFileVisit *visit) {
  (void)user;
  (void)(visit->is_folder ? rmdir(visit->path) : unlink(visit->path));
  return visit->is_folder;
}

static int remove_folder(void **state) {
  (void)state;
  for (int depth = 0; depth < 3; depth++) rlx_file_walk(folder, remove_each, NULL, NULL);
  unlink(path_of("link.py")); // links that lead nowhere, or to a folder, are not visited
  unlink(path_of("walk/loop"));
  rmdir(path_of("walk"));
  return rmdir(folder);
}

static void writes_are_whole_and_keep_the_mode(void **state) {
  (void)state;
  RlxError err = {0};
  assert_true(rlx_file_write(path_of("a.py"), "one", 3, &err));
  chmod(path_of("a.py"), 0640);
  assert_int_equal(symlink("a.py", path_of("link.py")), 0);
  assert_true(rlx_file_write(path_of("link.py"), "t\0wo", 4, &err));
  struct stat info;
  assert_int_equal(lstat(path_of("link.py"), &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_int_equal(stat(path_of("a.py"), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
  RlxBuf text = {0};
  assert_true(rlx_file_read(path_of("a.py"), &text, &err));
  assert_int_equal(text.size, 4);
  assert_memory_equal(text.at, "t\0wo", 5);
  rlx_buf_free(&text);
  assert_false(rlx_file_write(path_of("none/a.py"), "x", 1, &err));
  assert_non_null(strstr(err.text, "none/a.py: cannot write: No such file"));
  assert_false(rlx_file_write(folder, "x", 1, &err));
}

/// What somebody puts there between a look and the opening: no pipe is waited for, no link followed.
static void only_regular_files_are_opened_as_such(void **state) {
  (void)state;
  RlxError err = {0};
  RlxBuf text = {0};
  assert_true(rlx_file_write(path_of("b.py"), "four", 4, &err));
  assert_true(rlx_file_read_regular(path_of("b.py"), 4, &text, &err));
  assert_string_equal(rlx_buf_text(&text), "four");
  assert_false(rlx_file_read_regular(path_of("b.py"), 3, &text, &err));
  assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
  assert_false(rlx_file_read_regular(path_of("pipe"), 4, &text, &err));
  assert_non_null(strstr(err.text, "is not a regular file"));
  assert_int_equal(symlink("b.py", path_of("to_b.py")), 0);
  assert_false(rlx_file_read_regular(path_of("to_b.py"), 4, &text, &err));
  assert_false(rlx_file_read_regular("/dev/null", 4, &text, &err));
  assert_false(rlx_file_read_regular(folder, 4, &text, &err));
  for (int i = 0; i < 3; i++) unlink(path_of(((const char *[]){"b.py", "pipe", "to_b.py"})[i]));
  rlx_buf_free(&text);
}

static void reads_are_bounded_and_explain_themselves(void **state) {
  (void)state;
  RlxError err = {0};
  RlxBuf text = {0};
  assert_true(rlx_file_write(path_of("five"), "12345", 5, &err));
  assert_true(rlx_file_read_limited(path_of("five"), 5, &text, &err));
  assert_false(rlx_file_read_limited(path_of("five"), 4, &text, &err));
  assert_non_null(strstr(err.text, "larger than the limit"));
  assert_null(text.at);
  assert_false(rlx_file_read(path_of("none"), &text, &err));
  assert_non_null(strstr(err.text, "cannot open: No such file"));
  assert_false(rlx_file_read(folder, &text, &err));
  assert_non_null(strstr(err.text, "is a folder"));
  assert_false(rlx_file_read_limited("/dev/zero", 100000, &text, &err));
  assert_true(rlx_file_read("/dev/null", &text, &err));
  assert_int_equal(text.size, 0);
  rlx_buf_free(&text);
}

static bool note(void *user, const RlxFileVisit *visit) {
  rlx_buf_printf(user, "%s%s ", visit->name, visit->is_folder ? "/" : "");
  return strcmp(visit->name, "skip") != 0;
}

static void walks_in_order_without_following_links(void **state) {
  (void)state;
  char sub[300];
  snprintf(sub, sizeof sub, "%s/walk", folder);
  mkdir(sub, 0777);
  const char *folders[] = {"walk/b", "walk/skip"};
  for (size_t i = 0; i < 2; i++) mkdir(path_of(folders[i]), 0777);
  const char *files[] = {"walk/c.py", "walk/a.py", "walk/b/x.py", "walk/skip/y.py"};
  for (size_t i = 0; i < 4; i++) assert_true(rlx_file_write(path_of(files[i]), "", 0, NULL));
  assert_int_equal(symlink("..", path_of("walk/loop")), 0);
  RlxBuf seen = {0};
  assert_true(rlx_file_walk(sub, note, &seen, NULL));
  assert_string_equal(rlx_buf_text(&seen), "a.py b/ x.py c.py skip/ ");
  rlx_buf_free(&seen);
  RlxError err = {0};
  assert_false(rlx_file_walk(path_of("none"), note, &seen, &err));
  assert_non_null(strstr(err.text, "cannot open folder"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_are_whole_and_keep_the_mode),
      cmocka_unit_test(only_regular_files_are_opened_as_such),
      cmocka_unit_test(reads_are_bounded_and_explain_themselves),
      cmocka_unit_test(walks_in_order_without_following_links),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
