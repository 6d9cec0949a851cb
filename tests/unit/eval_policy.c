// The annotation policy: what an undecided annotation is with and without implicit match_cast.
#include "analyzer/analyzer.h"
#include "tests/test.h"

#include <string.h>

static const char script[] = "from tvm.script import relax as R, tirx as T\n\n\n@R.function\n"
                             "def main(x: R.Tensor((\"n\", \"m\"), \"float32\")):\n"
                             "    n = T.int64()\n    m = T.int64()\n    z = R.exp(x)\n"
                             "    y: R.Tensor((m, n), \"float32\") = R.exp(z)\n"
                             "    w = R.add(y, z)\n    return w\n";

/// The bindings as "name kind sinfo", and how many warnings there are.
static int bindings(bool implicit, RlxBuf *out) {
  RlxSettings settings = {.implicit_match_cast = implicit};
  RlxAnalyzer *analyzer = rlx_analyzer_new(&settings);
  RlxFile *file = rlx_file_open(analyzer, script, sizeof script - 1);
  RlxFunctionViews views = {0};
  RlxFileDiags diags = {0};
  RlxArena *arena = rlx_arena_new();
  rlx_file_functions(file, &views);
  const RlxFunction *fn = rlx_file_function_ir(file, views.at[0].stmt, arena);
  const RlxBindingBlock *block = &fn->body.blocks[0];
  for (uint32_t i = 0; i < block->count; i++) {
    const RlxBinding *b = block->bindings[i];
    rlx_buf_printf(out, "%s%s ", rlx_store_text(rlx_analyzer_store(analyzer), b->var->name),
                   b->kind == RLX_BINDING_MATCH_CAST ? " cast" : "");
    rlx_sinfo_print(rlx_analyzer_store(analyzer), b->var->sinfo, out);
    rlx_buf_putc(out, '\n');
  }
  rlx_file_diags(file, &diags);
  int warnings = 0;
  for (uint32_t i = 0; i < diags.count; i++) warnings += diags.at[i].diag->severity == RLX_WARNING;
  rlx_vec_free(&diags);
  rlx_vec_free(&views);
  rlx_arena_free(arena);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return warnings;
}

static void undecided_is_assumed(void **state) {
  (void)state;
  RlxBuf out = {0};
  assert_int_equal(bindings(false, &out), 1);
  assert_string_equal(rlx_buf_text(&out), "z R.Tensor((n, m), dtype=\"float32\")\n"
                                          "y R.Tensor((m, n), dtype=\"float32\")\n"
                                          "w R.Tensor(dtype=\"float32\", ndim=2)\n");
  rlx_buf_free(&out);
}

static void or_checked_by_an_implicit_cast(void **state) {
  (void)state;
  RlxBuf out = {0};
  assert_int_equal(bindings(true, &out), 0);
  assert_string_equal(rlx_buf_text(&out),
                      "z R.Tensor((n, m), dtype=\"float32\")\n"
                      "gv R.Tensor((n, m), dtype=\"float32\")\n"
                      "y cast R.Tensor((m, n), dtype=\"float32\")\n"
                      "w R.Tensor((m, n), dtype=\"float32\")\n"); // n == m was learned
  rlx_buf_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(undecided_is_assumed),
                                     cmocka_unit_test(or_checked_by_an_implicit_cast)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
