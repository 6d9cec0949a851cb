/// Constants of other modules while a file is edited: which modules are asked follows from the text, whatever stood there before.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analyzer.h"
#include "analyzer/report/dump.h"
#include "tests/test.h"

enum { MOST = 64 }; // modules that constants are taken from (docs/security.md)

/// The module "c12" says `N = 12`; there is no other one.
static bool read_module(void *data, const char *from, const char *module, RlxBuf *text,
                        RlxBuf *path) {
  (void)from;
  ++*(int *)data;
  if (module[0] != 'c' || !module[1] || strspn(module + 1, "0123456789") != strlen(module + 1))
    return false;
  rlx_buf_printf(text, "N = %s\n", module + 1);
  rlx_buf_puts(path, module);
  return true;
}

/// Imports of the modules `from` to `to`, and a function that uses what comes of each.
static char *script(int from, int to) {
  RlxBuf out = {0};
  rlx_buf_puts(&out, "from tvm.script import relax as R\n");
  for (int i = from; i < to; i++) rlx_buf_printf(&out, "from c%d import N as N%d\n", i, i);
  rlx_buf_puts(&out, "@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n");
  for (int i = from; i < to; i++) rlx_buf_printf(&out, "    s%d = R.shape([N%d])\n", i, i);
  rlx_buf_puts(&out, "    return x\n");
  return rlx_buf_steal(&out);
}

static char *dump(RlxFile *file) {
  RlxBuf out = {0};
  rlx_file_dump(file, &out);
  return rlx_buf_steal(&out);
}

/// The dump of the edited file, which is that of its text opened afresh.
static char *same_as_fresh(RlxAnalyzer *analyzer, RlxFile *file, int *reads) {
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  RlxFile *fresh = rlx_file_open(analyzer, text, size);
  rlx_file_set_reader(fresh, &(RlxModuleReader){read_module, reads});
  char *a = dump(file), *b = dump(fresh);
  assert_string_equal(a, b);
  rlx_file_close(fresh);
  free(b);
  return a;
}

/// Puts `new` in the place of the first `old`.
static void replace(RlxFile *file, const char *old, const char *new) {
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file), &size), *at = strstr(text, old);
  assert_non_null(at);
  const uint32_t start = (uint32_t)(at - text);
  rlx_file_edit(file, start, start + (uint32_t)strlen(old), new, (uint32_t)strlen(new));
}

static RlxFile *open_script(RlxAnalyzer *analyzer, int from, int to, int *reads) {
  char *text = script(from, to);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
  rlx_file_set_reader(file, &(RlxModuleReader){read_module, reads});
  rlx_file_analyze(file, NULL);
  free(text);
  return file;
}

static void modules_that_went_are_not_counted(void **state) {
  (void)state;
  int reads = 0;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = open_script(analyzer, 0, MOST, &reads);
  for (int i = 0; i < 5; i++) { // another one in the place of each
    char old[32], new[32];
    snprintf(old, sizeof old, "from c%d import", i);
    snprintf(new, sizeof new, "from c%d import", 100 + i);
    replace(file, old, new);
    char *said = same_as_fresh(analyzer, file, &reads);
    snprintf(new, sizeof new, "R.Shape([%d])", 100 + i);
    assert_non_null(strstr(said, new));
    free(said);
  }
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

static void one_that_was_too_many_is_asked_when_another_goes(void **state) {
  (void)state;
  int reads = 0;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = open_script(analyzer, 0, MOST + 2, &reads);
  free(same_as_fresh(analyzer, file, &reads));
  replace(file, "from c7 import N as N7\n", "N7 = 3\n");
  char *said = same_as_fresh(analyzer, file, &reads);
  assert_non_null(strstr(said, "R.Shape([64])")); // that of c64
  assert_null(strstr(said, "R.Shape([65])"));
  free(said);
  replace(file, "N7 = 3\n", "from c7 import N as N7\n");
  said = same_as_fresh(analyzer, file, &reads);
  assert_null(strstr(said, "R.Shape([64])"));
  free(said);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

/// While a name is typed, most of what stands there is no module.
static void names_that_are_typed_take_nothing(void **state) {
  (void)state;
  int reads = 0;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = open_script(analyzer, 0, MOST - 1, &reads);
  replace(file, "from c0 import N as N0\n", "from q0 import N as N0\n");
  for (int i = 0; i < 3 * MOST; i++) {
    char old[32], new[32];
    snprintf(old, sizeof old, "from q%d import", i);
    snprintf(new, sizeof new, "from q%d import", i + 1);
    replace(file, old, new);
    rlx_file_analyze(file, NULL);
  }
  const int before = reads;
  replace(file, "from q192 import", "from c200 import");
  rlx_file_analyze(file, NULL);
  assert_int_equal(reads, before + 1); // none of the others is read again
  char *said = same_as_fresh(analyzer, file, &reads);
  assert_non_null(strstr(said, "R.Shape([200])"));
  free(said);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modules_that_went_are_not_counted),
      cmocka_unit_test(one_that_was_too_many_is_asked_when_another_goes),
      cmocka_unit_test(names_that_are_typed_take_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
