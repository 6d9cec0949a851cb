/// Producers, consumers and aliases: through names, tuple literals and accesses, in any form of
/// script.
#include <string.h>

#include "analyzer/analyzer.h"
#include "analyzer/ask/flow.h"
#include "base/buf.h"
#include "tests/test.h"

static const char script[] =
    "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((4,), \"float32\"), c: "
    "R.Tensor((), \"bool\")):\n"
    "    a = R.exp(x)\n    b = a\n    t = (b, x)\n    u = t[0]\n    v = R.add(u, x)\n    w = "
    "R.split(v, 2)\n    p = w[0]\n    q = R.negative(p)\n"
    "    if c:\n        z = R.abs(q)\n    else:\n        z = R.add(q, q)\n    k = R.match_cast(z, "
    "R.Tensor((2,), \"float32\"))\n    return (k, t)\n";

static const RlxVar *var_named(RlxFile *file, const char *pattern) {
  RlxSymbol symbol;
  uint32_t offset = (uint32_t)(strstr(script, pattern) - script);
  while (script[offset] == ' ') offset++;
  assert_true(rlx_file_symbol_at(file, offset, &symbol));
  assert_non_null(symbol.var);
  return symbol.var;
}

static void write_flows(RlxStore *store, const RlxFlows *flows, RlxBuf *out) {
  for (uint32_t i = 0; i < flows->count; i++)
    rlx_buf_printf(out, "%s ",
                   flows->at[i].binding ? rlx_store_text(store, flows->at[i].binding->var->name)
                                        : "return");
}

static void check(const char *what, const char *pattern, const char *expected) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxStore *store = rlx_analyzer_store(analyzer);
  RlxFile *file = rlx_file_open(analyzer, script, (uint32_t)strlen(script));
  const RlxVar *var = var_named(file, pattern);
  RlxFlows flows = {0};
  RlxVars vars = {0};
  RlxBuf out = {0};
  if (*what == 'p')
    rlx_file_producers(file, var, &flows);
  else if (*what == 'c')
    rlx_file_consumers(file, var, &flows);
  else if (*what == 'a')
    rlx_file_aliases(file, var, &vars);
  else
    rlx_file_operands(file, var, &vars);
  write_flows(store, &flows, &out);
  for (uint32_t i = 0; i < vars.count; i++)
    rlx_buf_printf(&out, "%s ", rlx_store_text(store, vars.at[i]->name));
  assert_string_equal(rlx_buf_text(&out), expected);
  rlx_buf_free(&out);
  rlx_vec_free(&flows);
  rlx_vec_free(&vars);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

static void producers(void **unused) {
  (void)unused;
  check("producers", "    a = ", "a ");
  check("producers", "    b = ", "a ");
  check("producers", "    u = ", "a ");
  check("producers", "    t = ", "a ");
  check("producers", "    p = ", "w ");
  check("producers", "    k = ", "k ");
  check("producers", "x: R.Tensor", "");
}

static void consumers(void **unused) {
  (void)unused;
  check("consumers", "    a = ", "v return ");
  check("consumers", "    u = ", "v return ");
  check("consumers", "    w = ", "q ");
  check("consumers", "    q = ", "z z ");
  check("consumers", "c: R.Tensor", "z ");
  check("consumers", "    k = ", "return ");
}

static void aliases(void **unused) {
  (void)unused;
  check("aliases", "    a = ", "b u ");
  check("aliases", "    u = ", "a b ");
  check("aliases", "    v = ", "");
  check("operands", "    v = ", "u x ");
}

/// A dependency that only StructInfo shows: y must stand behind s, and s must stay.
static void through_struct_info(void **unused) {
  (void)unused;
  static const char text[] =
      "from tvm.script import relax as R\n\n@R.function(pure=False)\ndef f(x: R.Tensor(ndim=2, "
      "dtype=\"float32\")):\n    z = R.exp(x)\n    s = R.shape_of(z)\n"
      "    y: R.Tensor(s, \"float32\") = R.call_packed(\"opaque\", x, sinfo_args=R.Tensor(ndim=2, "
      "dtype=\"float32\"))\n    w = R.exp(y)\n    return w\n";
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
  RlxSymbol symbol;
  RlxFlows flows = {0};
  RlxBuf out = {0};
  assert_true(rlx_file_symbol_at(file, (uint32_t)(strstr(text, "s = ") - text), &symbol));
  rlx_file_consumers(file, symbol.var, &flows);
  write_flows(rlx_analyzer_store(analyzer), &flows, &out);
  assert_string_equal(rlx_buf_text(&out), "y w ");
  rlx_buf_free(&out);
  rlx_vec_free(&flows);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(producers), cmocka_unit_test(consumers),
                                     cmocka_unit_test(aliases),
                                     cmocka_unit_test(through_struct_info)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
