/// Bytes that are no text (half a character, zeros, marks of an order of bytes) and spellings of other dialects,
/// written at any place of a script and taken away again: after both edits the file is what its text is afresh. The
/// places are taken in steps whose start RLX_SEED chooses; RLX_WHOLE=1 takes every place.
#include "analyzer/analyzer.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/report/dump.h"
#include "base/buf.h"

static const char *const scripts[] = {
    "from tvm.script import ir as I, relax as R, tirx as T\n\n@I.ir_module\nclass Module:\n"
    "    @R.function(pure=False)\n    def extra(x: R.Tensor, y: R.Tensor) -> R.Tensor:\n"
    "        z: R.Tensor = R.add(x, y)  # \xc3\xa9\n        R.print(z, "
    "format=R.str(\"Who\xc3\xa4?\"))\n"
    "        return z\n\n"
    "    @R.function(private=True, pure=False)\n    def main(x: R.Tensor, y: R.Tensor) -> "
    "R.Tensor:\n"
    "        cls = Module\n        @R.function(pure=False)\n        def inner(a: R.Tensor) -> "
    "R.Tensor:\n"
    "            b = cls.extra(a, a)\n            return b\n"
    "        w: R.Tensor = R.multiply(x, y)\n        q: R.Tensor = cls.extra(w, inner(y))\n        "
    "return q\n",
    // declared impure, though nothing in the body is
    "from tvm.script import relax as R\n\n@R.function(pure=False)\ndef f(x, y):\n    z = x\n    w "
    "= y\n    return z\n\n"
    "@R.function\ndef g(x):\n    z = f(x, x)\n    return z\n",
    // tlc-pack's: what a function's body does is what it is, pure or not
    "import tvm\nfrom tvm.script import relax as R, tir as T\n\n@tvm.script.ir_module\nclass Mod:\n"
    "    @R.function\n    def f(x: R.Tensor[(n, 4), \"float32\"]) -> R.Tensor:\n"
    "        R.match_shape((n, m), x.shape)\n        y = R.call_packed(\"log\", x)\n        return "
    "y\n\n"
    "    @R.function\n    def g(x: R.Tensor[(n, 4), \"float32\"]) -> R.Tensor:\n"
    "        with R.dataflow():\n            lv = R.add(x, x)\n            R.output(lv)\n        z "
    "= f(lv)\n        return z\n\n"
    "    @T.prim_func\n    def p(a: T.handle):\n        A = T.match_buffer(a, (4,), \"float32\")\n"
    "        for i in T.serial(0, 4):\n            with T.block(\"b\"):\n                A[i] = "
    "T.float32(1)\n",
};

#define BYTES(literal) {literal, sizeof(literal) - 1}
static const struct Written {
  const char *bytes;
  uint32_t size;
} written[] = {
    BYTES("\xb7"),
    BYTES("\xb7\xb7\xb7"),
    BYTES("\xc3"),
    BYTES("\xe2\x82"),
    BYTES("\xff\xfe"),
    BYTES("\xef\xbb\xbf"),
    BYTES("\0"),
    BYTES("\"\0\xff\""),
    BYTES("\r"),
    BYTES("\f"),
    BYTES("\xed\xa0\x80"),
    BYTES("[(n, 4), \"float32\"]"),
    BYTES("\xc0\x80\n"),
    BYTES("\\\xb7"),
    BYTES("'''\xe2"),
    BYTES("R.match_shape((n,), x.shape)\n    "),
    BYTES("#\xb7\n"),
    BYTES("(pure=False)"),
    BYTES("# \xf0\x9f\n  "),
    BYTES("T.sblock"),
};

static char *dump(RlxFile *file) {
  RlxBuf out = {0};
  rlx_file_dump(file, &out);
  return rlx_buf_steal(&out);
}

/// Fails where the file is not what its text is afresh.
static void compare(RlxAnalyzer *analyzer, RlxFile *file, const char *when, uint32_t at,
                    size_t what) {
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  RlxFile *fresh = rlx_file_open(analyzer, text, size);
  char *edited = dump(file), *opened = dump(fresh);
  if (strcmp(edited, opened) != 0) {
    fprintf(stderr, "%s bytes %zu at %u\n---- text\n%.*s\n---- edited\n%s\n---- fresh\n%s\n", when,
            what, at, (int)size, text, edited, opened);
    fail();
  }
  free(edited);
  free(opened);
  rlx_file_close(fresh);
}

static void bytes_come_and_go(void **unused) {
  (void)unused;
  RlxTestRandom random = rlx_test_random(1);
  const uint32_t step = getenv("RLX_WHOLE") ? 1 : 23;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  uint32_t compared = 0;
  for (size_t s = 0; s < sizeof scripts / sizeof *scripts; s++) {
    uint32_t size = (uint32_t)strlen(scripts[s]);
    RlxFile *file = rlx_file_open(analyzer, scripts[s], size);
    free(dump(file));
    for (size_t w = 0; w < sizeof written / sizeof *written; w++)
      for (uint32_t at = rlx_test_below(&random, step); at <= size; at += step) {
        uint32_t end = at + rlx_test_below(&random, 3);
        if (end > size) end = size;
        rlx_file_edit(file, at, end, written[w].bytes, written[w].size);
        compare(analyzer, file, "with", at, w);
        rlx_file_edit(file, at, at + written[w].size, scripts[s] + at, end - at);
        compare(analyzer, file, "without", at, w);
        compared += 2;
      }
    rlx_file_close(file);
  }
  assert_true(compared > 1000);
  rlx_analyzer_free(analyzer);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_come_and_go)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
