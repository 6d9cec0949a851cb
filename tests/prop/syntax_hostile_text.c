/// Texts that are one thing many times over: opening them neither crashes nor takes long.
/// (libtree-sitter 0.20 corrupts its heap when an error takes in more than 65535 open nodes.)
#include "tests/test.h"

#include <string.h>
#include <time.h>

#include "analyzer/syntax/document.h"
#include "base/buf.h"

static const char *const parts[] = {
    "(",      "[",    "{",       "a b ",  "$ ",           "? ",       "x=",       "lambda ",
    "1 2 ",   "def ", "@",       ": ",    "if ",          "f\"{",     "((),",     "x if ",
    "x,",     "f(",   "not ",    "- ",    "x**",          "x[",       "await ",   "*",
    "{1:",    "(x:=", "f\"{x:{", "if x:", "else:",        "match x:", "case ",    "try:",
    "\"\"\"", "'",    "\\",      "`",     "(a,",          "@a\n",     "if x:\n ", "class A:",
    "x = [1", "\n]",  "#\n",     "\xff",  "\xef\xbb\xbf", "\r",       "\t",       "\f",
    "R.f(\n", "x: (",
};

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void repeated(void **state) {
  (void)state;
  static const uint32_t counts[] = {300, 9000, 70000};
  RlxStore *store = rlx_store_new();
  RlxBuf text = {0};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) {
      rlx_buf_clear(&text);
      for (uint32_t n = 0; n < counts[j]; n++) rlx_buf_puts(&text, parts[i]);
      double start = seconds();
      RlxDocument *doc = rlx_document_new(store, NULL, NULL);
      rlx_document_set_text(doc, text.at, (uint32_t)text.size);
      rlx_document_free(doc);
      double spent = seconds() - start;
      if (spent > 5) printf("'%s' %u times: %.1f s\n", parts[i], counts[j], spent);
      assert_true(spent < 30); // generous: sanitizers, loaded machines
    }
  }
  rlx_buf_free(&text);
  rlx_store_free(store);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(repeated)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
