/// What the editor asks beyond the analysis, at every place of scripts, whole and broken: it has an
/// answer everywhere, and a refactoring that is offered for a script without mistakes leaves one
/// without mistakes. The seed is printed.
#include "analyzer/analyzer.h"
#include "tests/test.h"

#include <string.h>

#include "analyzer/ask/backward.h"
#include "analyzer/ask/hints.h"
#include "analyzer/ask/place_facts.h"
#include "analyzer/ask/shape_function.h"
#include "analyzer/ask/why.h"
#include "analyzer/edit/refactor.h"
#include "analyzer/rewrite/format.h"

static const char *const scripts[] = {
    "from tvm.script import ir as I, relax as R, tirx as T\n\n\n@I.ir_module\nclass Module:\n"
    "    @T.prim_func(s_tir=True)\n    def double(a: T.handle, b: T.handle):\n        n = "
    "T.int64()\n        A "
    "= T.match_buffer(a, (n, 4), \"float32\")\n"
    "        B = T.match_buffer(b, (n, 4), \"float32\")\n        for i, j in T.grid(n, 4):\n       "
    "     with T.sblock(\"s\"):\n"
    "                vi, vj = T.axis.remap(\"SS\", [i, j])\n                B[vi, vj] = A[vi, vj] "
    "* T.float32(2)\n\n"
    "    @R.function\n    def helper(x: R.Tensor((\"k\", 4), \"float32\"), y: R.Tensor((\"k\",), "
    "\"float32\")) -> R.Tensor((\"k\", 4), \"float32\"):\n"
    "        z = R.nn.relu(x)\n        return z\n\n"
    "    @R.function\n    def main(x: R.Tensor((\"n\", 4), \"float32\"), w: R.Tensor((4, \"m\"), "
    "\"float32\"), v: R.Tensor(\"float32\", ndim=1), c: R.Tensor((), \"bool\")):\n"
    "        n = T.int64()\n        m = T.int64()\n        cls = Module\n        with "
    "R.dataflow():\n            lv = R.matmul(x, w)\n            lv1 = R.add(R.exp(lv), lv)\n"
    "            lv2 = R.call_tir(cls.double, (x,), R.Tensor((n, 4), \"float32\"))\n            "
    "lv3 = R.concat((x, lv2), axis=0)\n            R.output(lv1, lv3)\n"
    "        h = cls.helper(x, v)\n        unused = R.negative(h)\n        t = (h, lv1)\n        p "
    "= t[0]\n        if c:\n            q = R.add(p, h)\n            r = R.exp(q)\n        else:\n "
    "           r = R.exp(p)\n"
    "        k = T.int64()\n        s = R.match_cast(v, R.Tensor((k,), \"float32\"))\n        u = "
    "R.reshape(s, R.shape([k, 1]))\n        return (r, u, lv3)\n",
    "from tvm.script import relax as R, tirx as T\n\n\n@R.function(pure=False)\ndef f(x: R.Tensor, "
    "y: R.Tensor((\"m\", \"n\"), \"float32\"), o: R.Tensor(ndim=2)) -> R.Tensor((\"m\", \"n\"), "
    "\"float32\"):\n"
    "    m = T.int64()\n    n = T.int64()\n    a = R.log(x)\n    b: R.Tensor((m, n), \"float32\") "
    "= R.add(a, y)  # sum\n    _ = R.print(b, format=\"{}\")\n    d = R.permute_dims(o)\n"
    "    e = R.call_pure_packed(\"f\", y, sinfo_args=R.Tensor((m, n), \"float32\"))\n\n    "
    "@R.function\n    def inner(z: R.Tensor((m, n), \"float32\")) -> R.Tensor((m, n), "
    "\"float32\"):\n"
    "        g = R.add(z, y)\n        return g\n    i = inner(e)\n    j = b + i * R.const(2.0, "
    "\"float32\")\n    return j\n",
};

static uint32_t mistakes(RlxFile *file) {
  RlxSyntaxProblems problems = {0};
  rlx_document_problems(rlx_file_document(file), &problems);
  uint32_t count = problems.count + rlx_file_error_count(file);
  rlx_vec_free(&problems);
  return count;
}

/// All questions at one place.
static void ask(RlxFile *file, uint32_t offset, RlxArena *arena) {
  RlxSymbol symbol;
  RlxHints hints = {0};
  RlxWhySteps steps = {0};
  RlxPlaceFacts place;
  RlxBackward backward;
  const RlxWhyLimits limits = {3, 40};
  (void)rlx_file_place_facts(file, offset, arena, &place);
  if (rlx_file_symbol_at(file, offset, &symbol) && symbol.var) {
    rlx_file_why(file, symbol.var, limits, arena, &steps);
    (void)rlx_file_backward_of(file, symbol.var, &backward);
    assert_true(steps.count > 0 && steps.count <= limits.steps + 8);
  }
  const RlxStmt *stmt = rlx_document_stmt_at(rlx_file_document(file), offset);
  if (stmt) rlx_file_runtime_checks(file, stmt, arena, &hints);
  rlx_vec_free(&hints);
  rlx_vec_free(&steps);
}

/// Edits are in order and apart.
static void ask_format(RlxFile *file) {
  RlxFormatEdits edits = {0};
  uint32_t size, at = 0;
  (void)rlx_document_text(rlx_file_document(file), &size);
  rlx_file_format(file, rlx_span(0, UINT32_MAX), &edits);
  for (uint32_t i = 0; i < edits.count; i++) {
    assert_true(edits.at[i].span.start >= at && edits.at[i].span.end >= edits.at[i].span.start &&
                edits.at[i].span.end <= size);
    at = edits.at[i].span.end;
  }
  rlx_vec_free(&edits);
}

static void ask_functions(RlxFile *file, RlxArena *arena) {
  RlxFunctionViews views = {0};
  RlxBackwards required = {0};
  rlx_file_functions(file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    RlxBuf out = {0};
    RlxWhySteps steps = {0};
    rlx_file_backward(file, views.at[i].stmt, &required);
    rlx_file_why_result(file, views.at[i].stmt, (RlxWhyLimits){3, 40}, arena, &steps);
    rlx_why_print_steps(file, &steps, &out);
    (void)rlx_file_shape_function(file, views.at[i].stmt, &out);
    rlx_buf_free(&out);
    rlx_vec_free(&steps);
  }
  rlx_vec_free(&required);
  rlx_vec_free(&views);
}

/// What is offered, applied: fewer or as many mistakes as before.
static int check_refactorings(RlxAnalyzer *analyzer, RlxFile *file, RlxSpan range, uint32_t before,
                              RlxArena *arena) {
  RlxRefactorings all = {0};
  int bad = 0;
  rlx_file_refactorings(file, range, true, arena, &all);
  for (uint32_t i = 0; i < all.count; i++) {
    uint32_t size;
    const char *text = rlx_document_text(rlx_file_document(file), &size);
    RlxBuf changed = {0};
    rlx_buf_putn(&changed, text, size);
    for (uint32_t k = all.at[i].edit_count; k-- > 0;) {
      const RlxEdit *edit = &all.at[i].edits[k];
      assert_true(edit->span.start <= edit->span.end && edit->span.end <= size);
      assert_true(!k || all.at[i].edits[k - 1].span.end <= edit->span.start);
      rlx_buf_splice(&changed, edit->span.start, edit->span.end, edit->text, strlen(edit->text));
    }
    RlxFile *after = rlx_file_open(analyzer, rlx_buf_text(&changed), (uint32_t)changed.size);
    uint32_t now = mistakes(after);
    if (now > before && !bad++) {
      RlxFileDiags diags = {0};
      rlx_file_diags(after, &diags);
      for (uint32_t k = 0; k < diags.count; k++)
        if (diags.at[k].diag->severity == RLX_ERROR) printf("%s\n", diags.at[k].diag->message);
      rlx_vec_free(&diags);
      printf("`%s` at %u..%u makes %u mistakes of %u:\n%s\n", all.at[i].title, range.start,
             range.end, now, before, rlx_buf_text(&changed));
    }
    rlx_file_close(after);
    rlx_buf_free(&changed);
  }
  rlx_vec_free(&all);
  return bad;
}

static void refactorings_keep_scripts_clean(void **state) {
  (void)state;
  int bad = 0;
  for (size_t s = 0; s < sizeof scripts / sizeof *scripts; s++) {
    RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
    uint32_t size = (uint32_t)strlen(scripts[s]);
    RlxFile *file = rlx_file_open(analyzer, scripts[s], size);
    uint32_t before = mistakes(file);
    assert_int_equal(before, 0);
    for (uint32_t at = 0; at < size && !bad; at += 9) {
      RlxArena *arena = rlx_arena_new();
      ask(file, at, arena);
      bad += check_refactorings(analyzer, file, rlx_span(at, at), before, arena);
      rlx_arena_free(arena);
    }
    for (uint32_t at = 0; at < size && !bad; at++) { // selections of one to three lines
      if (at && scripts[s][at - 1] != '\n') continue;
      const char *end = scripts[s] + at;
      for (int lines = 0; lines < 3 && *end && !bad; lines++) {
        end += strcspn(end, "\n") + 1;
        if (end > scripts[s] + size) break;
        RlxArena *arena = rlx_arena_new();
        bad += check_refactorings(analyzer, file, rlx_span(at, (uint32_t)(end - scripts[s])),
                                  before, arena);
        rlx_arena_free(arena);
      }
    }
    RlxArena *arena = rlx_arena_new();
    ask_functions(file, arena);
    ask_format(file);
    rlx_arena_free(arena);
    rlx_file_close(file);
    rlx_analyzer_free(analyzer);
  }
  assert_int_equal(bad, 0);
}

static void broken_scripts_have_answers(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(5);
  for (int round = 0; round < 20; round++) {
    const char *script = scripts[rlx_test_below(&random, 2)];
    RlxBuf text = {0};
    rlx_buf_puts(&text, script);
    for (uint32_t k = 1 + rlx_test_below(&random, 4); k > 0; k--) {
      uint32_t at = rlx_test_below(&random, (uint32_t)text.size),
               from = rlx_test_below(&random, (uint32_t)text.size);
      uint32_t end = at + rlx_test_below(&random, 30), size = rlx_test_below(&random, 30);
      if (end > text.size) end = (uint32_t)text.size;
      if (from + size > text.size) size = (uint32_t)text.size - from;
      char piece[32];
      memcpy(piece, text.at + from, size);
      rlx_buf_splice(&text, at, end, piece, size);
    }
    RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
    RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
    RlxArena *arena = rlx_arena_new();
    for (uint32_t at = 0; at <= text.size; at += 23) {
      RlxRefactorings all = {0};
      ask(file, at, arena);
      rlx_file_refactorings(file, rlx_span(at, at + rlx_test_below(&random, 80)), true, arena,
                            &all);
      rlx_vec_free(&all);
    }
    ask_functions(file, arena);
    ask_format(file);
    rlx_arena_free(arena);
    rlx_file_close(file);
    rlx_analyzer_free(analyzer);
    rlx_buf_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refactorings_keep_scripts_clean),
                                     cmocka_unit_test(broken_scripts_have_answers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
