/// glob and inputs: which files a PATH argument means.
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/glob.h"
#include "cli/inputs.h"
#include "tests/test.h"

static void globs_match_as_git_does(void **state) {
  (void)state;
  const struct {
    const char *pattern, *path;
    bool matches;
  } cases[] = {
      {"*.py", "a.py", true},        {"*.py", "b/a.py", false},
      {"**/*.py", "a.py", true},     {"**/*.py", "b/c/a.py", true},
      {"a/**/b", "a/b", true},       {"a/**/b", "a/x/y/b", true},
      {"a/**/b", "a/x/y/c", false},  {"a/**", "a/b/c", true},
      {"a?c", "abc", true},          {"a?c", "a/c", false},
      {"[a-c]x", "bx", true},        {"[!a-c]x", "bx", false},
      {"[!a-c]x", "dx", true},       {"a\\*b", "a*b", true},
      {"a\\*b", "axb", false},       {"*a*b*c", "xxaxxbxxc", true},
      {"*a*b*c", "xxaxxbxx", false}, {"", "a", false},
      {"**/**/x", "x", true},        {"[", "[", true},
      {"[]x", "[]x", true},          {"*/b", "a/b", true},
      {"x", "x/y", false},           {"[]]", "]", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (rlx_glob_match(cases[i].pattern, cases[i].path) != cases[i].matches) {
      fail_msg("%s on %s", cases[i].pattern, cases[i].path);
    }
  }
}

static void hostile_globs_end(void **state) {
  (void)state;
  RlxBuf pattern = {0};
  RlxBuf path = {0};
  for (int i = 0; i < 200; i++) rlx_buf_puts(&pattern, "**/a*a*a*a*b/");
  for (int i = 0; i < 2000; i++) rlx_buf_puts(&path, "aaaaaaaaaaaaaaaa/");
  assert_false(rlx_glob_match(pattern.at, path.at));
  rlx_buf_free(&pattern);
  rlx_buf_free(&path);
}

static void the_last_rule_decides(void **state) {
  (void)state;
  RlxIgnore ignore = {0};
  rlx_ignore_parse(&ignore, "# comment\n\n*.gen.py\r\nout/\n/top.py\n!keep.gen.py\nsub/x.py   \n");
  assert_int_equal(rlx_ignore_ask(&ignore, "d/a.gen.py", false), RLX_IGNORE_YES);
  assert_int_equal(rlx_ignore_ask(&ignore, "d/keep.gen.py", false), RLX_IGNORE_NO);
  assert_int_equal(rlx_ignore_ask(&ignore, "d/out", true), RLX_IGNORE_YES);
  assert_int_equal(rlx_ignore_ask(&ignore, "d/out", false), RLX_IGNORE_SILENT);
  assert_int_equal(rlx_ignore_ask(&ignore, "top.py", false), RLX_IGNORE_YES);
  assert_int_equal(rlx_ignore_ask(&ignore, "d/top.py", false), RLX_IGNORE_SILENT);
  assert_int_equal(rlx_ignore_ask(&ignore, "sub/x.py", false), RLX_IGNORE_YES);
  assert_int_equal(rlx_ignore_ask(&ignore, "d/sub/x.py", false), RLX_IGNORE_SILENT);
  rlx_ignore_free(&ignore);
}

static void put(const char *path, const char *text) {
  RlxError err = {0};
  if (!rlx_file_write(path, text, strlen(text), &err)) fail_msg("%s", err.text);
}

static void folders_are_searched(void **state) {
  (void)state;
  char folder[] = "/tmp/rlx-test-XXXXXX";
  assert_non_null(mkdtemp(folder));
  char *old = getcwd(NULL, 0);
  assert_int_equal(chdir(folder), 0);
  const char *folders[] = {".git", "src", "src/sub", "src/env", "src/.hidden", "src/out"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) mkdir(folders[i], 0777);
  put(".gitignore", "out/\nsrc/named.py\n");
  put("src/.gitignore", "*.gen.py\n");
  put("src/sub/.gitignore", "!b.gen.py\n");
  put("src/env/pyvenv.cfg", "");
  const char *scripts[] = {"src/a.py",         "src/named.py",    "src/a.gen.py",
                           "src/sub/b.gen.py", "src/sub/c.relax", "src/env/d.py",
                           "src/.hidden/e.py", "src/out/f.py",    "src/z.txt"};
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) put(scripts[i], "@R.function\n");
  put("src/plain.py", "print(1)\n");

  char src[] = "src";
  char named[] = "src/out/f.py";
  char dash[] = "-";
  char none[] = "none.py";
  char *words[] = {dash, src, named, none};
  RlxArgs args = {.at = words, .count = 4, .capacity = 4};
  RlxInputs inputs = {0};
  RlxError err = {0};
  assert_false(rlx_inputs_collect(&args, NULL, &inputs, &err));
  assert_string_equal(err.text, "none.py: no such file or folder");
  RlxBuf seen = {0};
  for (uint32_t i = 0; i < inputs.count; i++) {
    rlx_buf_printf(&seen, "%s%s ", inputs.at[i].path, inputs.at[i].is_explicit ? "!" : "");
  }
  assert_string_equal(seen.at,
                      "-! src/a.py src/plain.py src/sub/b.gen.py src/sub/c.relax src/out/f.py! ");
  rlx_buf_free(&seen);
  rlx_inputs_free(&inputs);
  assert_int_equal(chdir(old), 0);
  free(old);
  RlxBuf command = {0};
  rlx_buf_printf(&command, "rm -r %s", folder);
  assert_int_equal(system(command.at), 0);
  rlx_buf_free(&command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(globs_match_as_git_does),
      cmocka_unit_test(hostile_globs_end),
      cmocka_unit_test(the_last_rule_decides),
      cmocka_unit_test(folders_are_searched),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
