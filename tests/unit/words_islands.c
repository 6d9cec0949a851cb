/// islands: decorators in every spelling, nested anywhere, and nothing that only looks like one.
#include <string.h>
#include <time.h>

#include "analyzer/analyzer.h"
#include "analyzer/words/islands.h"
#include "base/buf.h"
#include "tests/test.h"

static void assert_islands(const char *text, const char *expected) {
  RlxStore *store = rlx_store_new();
  RlxDocument *doc = rlx_document_new(store, NULL, NULL);
  RlxIslands islands = {0};
  RlxBuf out = {0};
  rlx_document_set_text(doc, text, (uint32_t)strlen(text));
  rlx_islands(doc, &islands);
  for (uint32_t i = 0; i < islands.count; i++) {
    const RlxIsland *island = &islands.at[i];
    if (island->module) rlx_buf_printf(&out, "%s.", rlx_store_text(store, island->module->name));
    if (island->is_module)
      rlx_buf_printf(&out, "%s:module ", rlx_store_text(store, island->stmt->name));
    else
      rlx_buf_printf(&out, "%s:%u ", rlx_store_text(store, island->stmt->name), island->kind);
  }
  assert_string_equal(rlx_buf_text(&out), expected);
  if (islands.count) assert_true(rlx_islands_possible(text, strlen(text)));
  rlx_buf_free(&out);
  rlx_vec_free(&islands);
  rlx_document_free(doc);
  rlx_store_free(store);
}

static void spellings(void **state) {
  (void)state;
  assert_islands("@I.ir_module\nclass M:\n  @R.function\n  def f(): pass\n  "
                 "@T.prim_func(private=True)\n  def g(): pass\n",
                 "M:module M.f:0 M.g:1 ");
  assert_islands("from tvm.script import relax as Q, tir\n@Q.function\ndef f(): "
                 "pass\n@tir.prim_func\ndef g(): pass\n",
                 "f:0 g:1 ");
  assert_islands("import tvm\ndef test():\n  @tvm.script.ir_module\n  class A: pass\n  "
                 "@tvm.script.tir.macro\n  def m(): pass\n",
                 "A:module m:2 ");
  assert_islands("from tvm.script.relax import function as fn\n@fn\ndef f(): pass\n", "f:0 ");
  assert_islands("fn = R.function\n@fn(private=True)\ndef f(): pass\n", "f:0 ");
  assert_islands("@I.pyfunc\ndef p(): pass\n@T.jit\ndef j(): pass\n", "p:3 j:4 ");
}

static void lookalikes(void **state) {
  (void)state;
  assert_islands("import torch as T\n@T.jit\ndef f(): pass\n", "");
  assert_islands("from numba import jit\n@jit\ndef f(): pass\n@function\ndef g(): pass\n", "");
  assert_islands("@R.function_like\ndef f(): pass\nR.function(f)\n", "");
}

/// The look without parsing tells usual Python apart.
static void look(void **state) {
  (void)state;
  static const char *const quiet[] = {
      "",
      "x = a @ b\n",
      "@property\ndef f(self): pass\n",
      "class A:\n  @staticmethod\n  def f(): pass\n  @f.setter\n  def g(): pass\n",
      "@pytest.mark.parametrize(\"x\", [1])\ndef test(x): pass\n",
      "\"\"\"\n@T.prim_func\n\"\"\"\nR.function(f)\n",
      "# @R.function\n# mail@example.com\n",
      "import tvm\n@tvm.register_func(\"a\")\ndef f(): pass\n",
      "@cached\ndef f(): return cached == 1\n",
  };
  for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
    if (rlx_islands_possible(quiet[i], strlen(quiet[i]))) print_error("%s\n", quiet[i]);
    assert_false(rlx_islands_possible(quiet[i], strlen(quiet[i])));
  }
  assert_true(rlx_islands_possible("fn = R.function\n@fn\ndef f(): pass\n", 34));
}

/// The work for a module grows with its functions, not with their pairs or triples: 0.05 s, or a
/// minute.
static void many_functions(void **state) {
  (void)state;
  RlxBuf text = {0};
  rlx_buf_puts(&text, "from tvm.script import ir as I, relax as R\n@I.ir_module\nclass M:\n");
  for (int i = 0; i < 1000; i++)
    rlx_buf_printf(&text,
                   "  @R.function\n  def f%d(x: R.Tensor((4,), \"float32\")):\n    y = R.exp(x)\n  "
                   "  return y\n",
                   i);
  clock_t before = clock();
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  assert_true(rlx_file_analyze(file, NULL));
  assert_true(clock() - before < 10 * CLOCKS_PER_SEC);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(spellings), cmocka_unit_test(lookalikes),
                                     cmocka_unit_test(look), cmocka_unit_test(many_functions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
