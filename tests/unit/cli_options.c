/// options: reading command lines by table.
#include <string.h>

#include "cli/exit.h"
#include "cli/options.h"
#include "tests/test.h"

typedef struct Values {
  bool diff;
  const char *out;
  int64_t repeat;
  int format;
  RlxArgs ignore;
  RlxArgs args;
  int code;
  bool goes_on;
} Values;

/// Reads a command line given as words, the last one NULL.
static Values read_line(char **words) {
  static const char *const formats[] = {"text", "json", NULL};
  Values v = {0};
  const RlxOption options[] = {
      {.name = "diff", .kind = RLX_OPTION_FLAG, .target = &v.diff},
      {.name = "out", .kind = RLX_OPTION_TEXT, .target = &v.out},
      {.name = "repeat", .kind = RLX_OPTION_INT, .target = &v.repeat, .min = 1, .max = 100},
      {.name = "format", .kind = RLX_OPTION_CHOICE, .target = &v.format, .choices = formats},
      {.name = "ignore", .kind = RLX_OPTION_LIST, .target = &v.ignore},
  };
  RlxUsage usage = {"test", "[PATH]", "About.", options, sizeof options / sizeof *options};
  int argc = 0;
  while (words[argc]) argc++;
  v.goes_on = rlx_options_parse(&usage, argc, words, &v.args, &v.code);
  return v;
}

static void release(Values *v) {
  rlx_args_free(&v->args);
  rlx_args_free(&v->ignore);
}

#define READ(...)  read_line((char *[]){(char[]){"test"}, __VA_ARGS__, NULL})
#define WORD(text) ((char[]){text})

static void reads_every_kind(void **state) {
  (void)state;
  Values v = READ(WORD("a.py"), WORD("--diff"), WORD("--out=x=y"), WORD("--repeat"), WORD("7"),
                  WORD("--format=json"), WORD("--ignore=A"), WORD("--ignore"), WORD("B"), WORD("-"),
                  WORD("--"), WORD("--diff"));
  assert_true(v.goes_on);
  assert_true(v.diff);
  assert_string_equal(v.out, "x=y");
  assert_int_equal(v.repeat, 7);
  assert_int_equal(v.format, 1);
  assert_int_equal(v.ignore.count, 2);
  assert_string_equal(v.ignore.at[1], "B");
  assert_int_equal(v.args.count, 3);
  assert_string_equal(v.args.at[1], "-");
  assert_string_equal(v.args.at[2], "--diff");
  release(&v);
}

static void refuses_what_it_cannot_read(void **state) {
  (void)state;
  char *lines[][3] = {
      {WORD("--dif"), NULL},
      {WORD("--diff=1"), NULL},
      {WORD("--out"), NULL},
      {WORD("--repeat=x"), NULL},
      {WORD("--repeat=0"), NULL},
      {WORD("--repeat=101"), NULL},
      {WORD("--repeat=9999999999999999999"), NULL},
      {WORD("--format=jsno"), NULL},
      {WORD("-d"), NULL},
      {WORD("--"), WORD("x"), NULL},
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    char *words[] = {WORD("test"), lines[i][0], lines[i][1], NULL};
    Values v = read_line(words);
    bool is_fine = i == sizeof lines / sizeof *lines - 1;
    assert_int_equal(v.goes_on, is_fine);
    assert_int_equal(v.code, is_fine ? RLX_EXIT_OK : RLX_EXIT_USAGE);
    release(&v);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_every_kind),
      cmocka_unit_test(refuses_what_it_cannot_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
