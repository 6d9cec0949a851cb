/// The look for islands without parsing: on random texts made of what decorators are made of, it
/// misses none that parsing finds. (That it is not simply always true is in
/// tests/unit/words_islands.c.)
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/words/islands.h"
#include "base/buf.h"

static const char *const parts[] = {
    "\n@R.function\ndef f(): pass\n",
    "\n@fn\ndef f(): pass\n",
    "\n@",
    "\ndef f(): pass\n",
    "@",
    "@",
    "R.function",
    "R",
    ".",
    " . ",
    "function",
    "fn",
    "T.prim_func",
    "tvm.script.ir_module",
    "ir_module",
    "I.",
    "relax",
    "script",
    "(private=True)",
    "(",
    ")",
    "\n",
    "\n",
    "\n",
    "def f(x: R.Tensor): pass\n",
    "def f(x: R.Tensor((1,), \"float32\"), y: R.Object):\n  return x\n",
    "def f(",
    "x: R.Tensor",
    "def f(): pass\n",
    "def f(x):\n  return x\n",
    "class A:\n  pass\n",
    "class A:\n  ",
    "  ",
    "\\\n",
    " ",
    "# c\n",
    "import tvm\n",
    "from tvm.script import relax as fn\n",
    "from tvm.script.relax import function as fn\n",
    "from tvm.script.relax import function\n",
    "import tvm.script.relax.function as  fn\n",
    "fn = R.function\n",
    "fn: x = R.function\n",
    "fn",
    "as",
    "\"\"\"",
    "'",
    ";",
    "if x:\n ",
    "x = ",
    "async ",
    "\f",
    "\t",
    "\r\n",
    "property",
    "@property\n",
    "\xEF\xBB\xBF",
    ",",
    "[",
    "]",
    "x",
};

static void misses_none(void **state) {
  (void)state;
  unsigned seed = 1;
  uint32_t found = 0, quiet = 0;
  RlxBuf text = {0};
  for (int round = 0; round < 12000; round++) {
    rlx_buf_clear(&text);
    for (int n = rand_r(&seed) % 14 + 1; n > 0; n--)
      rlx_buf_puts(&text, parts[(size_t)rand_r(&seed) % (sizeof parts / sizeof *parts)]);
    RlxStore *store = rlx_store_new();
    RlxDocument *doc = rlx_document_new(store, NULL, NULL);
    RlxIslands islands = {0};
    rlx_document_set_text(doc, text.at, (uint32_t)text.size);
    rlx_islands(doc, &islands);
    bool possible = rlx_islands_possible(text.at, text.size);
    if (islands.count && !possible) print_error("missed: %s\n", text.at);
    assert_true(!islands.count || possible);
    found += islands.count != 0;
    quiet += !possible;
    rlx_vec_free(&islands);
    rlx_document_free(doc);
    rlx_store_free(store);
  }
  print_message("%u with islands, %u without a look further\n", found, quiet);
  assert_true(found > 30 && quiet > 1000); // both answers were tried
  rlx_buf_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(misses_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
