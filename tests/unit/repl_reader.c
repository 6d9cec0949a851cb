// An entry that comes line by line: what is said of it is what is said of its text as a whole, at every line.
#include "tests/test.h"

#include <string.h>

#include "repl/reader.h"

static const char *const pieces[] = {"x = 1\n",
                                     "x = [\n",
                                     "  1,\n",
                                     "]\n",
                                     "f(\n",
                                     "a)\n",
                                     ")\n",
                                     "\"\"\"\n",
                                     "'''\n",
                                     "s = \"\"\"a\n",
                                     "b\"\"\"\n",
                                     "# comment \"\"\" [\n",
                                     "\n",
                                     "  \n",
                                     "if x:\n",
                                     "    y = [\n",
                                     "    z = 2\n",
                                     "else:\n",
                                     "elif y:\n",
                                     "@R.function\n",
                                     "def f(x):\n",
                                     "def f(\n",
                                     "    return x\n",
                                     "class M:\n",
                                     "x = 1 + \\\n",
                                     "\\\n",
                                     "'a \\\n",
                                     "f\"{x[\n",
                                     "f'{a}' + (\n",
                                     ":type x\n",
                                     "!ls\n",
                                     "x?\n",
                                     "rlx> x = [\n",
                                     "...  1,\n",
                                     ">>> if x:\n",
                                     "... \n",
                                     "In [3]: f(\n",
                                     "x = )\n",
                                     "{'a': \"b[\",\n",
                                     "with R.dataflow():\n",
                                     "    R.output(x)\n",
                                     "\"unclosed\n",
                                     "return x\n",
                                     "import a\n",
                                     "and b\n",
                                     "case 1:\n",
                                     "\xff(\n",
                                     "rf'''a[\n",
                                     "    '''\n",
                                     "x = f'''{\n",
                                     "}'''\n",
                                     "    # [\n",
                                     "  x = (1 if\n",
                                     "for i in y]\n",
                                     "lambda: (\n"};
enum { PIECES = sizeof pieces / sizeof *pieces };

static void by_lines_and_whole(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(16);
  for (int round = 0; round < 20000; round++) {
    RlxEntryReader *reader = rlx_entry_reader_new();
    RlxBuf text = {0};
    const uint32_t lines = 1 + rlx_test_below(&random, 12);
    for (uint32_t i = 0; i < lines; i++) {
      const char *line = pieces[rlx_test_below(&random, PIECES)];
      char *next = strndup(line, strlen(line) - 1);
      const bool asked = rlx_test_below(&random, 2);
      if (text.size && !strstr(text.at, "rlx>") && !strstr(text.at, ">>>") &&
          !strstr(text.at, "In [") && asked &&
          rlx_entry_reader_takes(reader, next) != rlx_entry_goes_on(text.at, next))
        fail_msg("%sand then `%s`: is it the entry's?", text.at, next);
      free(next);
      rlx_buf_puts(&text, line);
      rlx_entry_reader_put(reader, line, strlen(line));
      for (int terminal = 0; terminal < 2; terminal++)
        if (rlx_test_below(&random, 2) &&
            rlx_entry_reader_wants(reader, terminal) != rlx_entry_wants_more(text.at, terminal))
          fail_msg("%sdoes it lack lines?", text.at);
    }
    rlx_entry_reader_free(reader);
    rlx_buf_free(&text);
  }
}

static void what_lacks_lines(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool wants;
  } cases[] = {{"x = [\n", true},
               {"x = [\n1]\n", false},
               {"x = [\ny = 2\n", true},     // `y` may be an argument's name
               {"x = [\nreturn y\n", false}, // but no statement stands in brackets
               {"\"\"\"a\n[\n", true},
               {"\"\"\"a\n[\n\"\"\"\n", false},
               {"x = '[\n", false},
               {"# [\n", false},
               {":type f(\n", false},
               {":time [\nx = [\n", true},
               {"@a\n", true},
               {"x = 1 \\\n", true},
               {"rlx> x = [\n", true},
               {"rlx> x = [\n...  1]\n", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (rlx_entry_wants_more(cases[i].text, true) != cases[i].wants) fail_msg("%s", cases[i].text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_lines_and_whole),
                                     cmocka_unit_test(what_lacks_lines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
