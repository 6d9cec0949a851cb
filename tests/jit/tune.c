/// Measuring PrimFuncs and searching for schedules: what is found replays, and computes the same.
#include "jit/tune.h"

#include "analyzer/script/script.h"

#include "tests/jit/rig.h"

static const char dense[] =
    "from tvm.script import tirx as T\n\n"
    "@T.prim_func(s_tir=True)\n"
    "def dense(A: T.Buffer((48, 32), \"float32\"), B: T.Buffer((32, 64), \"float32\"), "
    "C: T.Buffer((48, 64), \"float32\")):\n"
    "    M = T.sblock_alloc_buffer((48, 64))\n"
    "    for i, j, k in T.grid(48, 64, 32):\n"
    "        with T.sblock(\"matmul\"):\n"
    "            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
    "            with T.init():\n"
    "                M[vi, vj] = T.float32(0)\n"
    "            M[vi, vj] = M[vi, vj] + A[vi, vk] * B[vk, vj]\n"
    "    for i, j in T.grid(48, 64):\n"
    "        with T.sblock(\"relu\"):\n"
    "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            C[vi, vj] = T.max(M[vi, vj], T.float32(0))\n";

/// `steps` carried out on `dense`; every one of them is accepted.
static void replay(const RlxBuf *steps, RlxBuf *out) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxStore *store = rlx_analyzer_store(analyzer);
  RlxFile *file = rlx_file_open(analyzer, dense, sizeof dense - 1);
  RlxFunctionViews views = {0};
  rlx_file_functions(file, &views);
  RlxSchedule *schedule = rlx_schedule_new(store);
  rlx_schedule_add(schedule, rlx_file_primfunc(file, views.at[0].stmt, NULL), 0);
  RlxTrace trace;
  RlxSink sink = {.arena = rlx_arena_new()};
  rlx_trace_read(store, rlx_buf_text(steps), (uint32_t)steps->size, &trace, &sink);
  assert_int_equal(sink.diags.count, 0);
  for (uint32_t i = 0; i < trace.steps.count; i++)
    assert_true(rlx_schedule_apply(schedule, &trace.steps.at[i]).ok);
  rlx_schedule_keep(schedule, &trace);
  rlx_schedule_print(schedule, RLX_DIALECT_025, out);
  rlx_schedule_free(schedule);
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
  rlx_vec_free(&views);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

static void what_is_found_replays_and_computes_the_same(void **state) {
  (void)state;
  NEEDS_LLVM();
  RlxTuneOptions options = {.measure = {.threads = 2, .least_seconds = 0.01},
                            .seconds = 3600,
                            .most_tried = 12,
                            .seed = 7};
  RlxTuned tuned;
  assert_true(rlx_tune(dense, "dense", &options, &tuned));
  assert_int_equal(tuned.end.tried, 12);
  assert_int_equal(tuned.end.dropped, 0);
  assert_true(tuned.end.best_us < tuned.end.start_us); // vectors beat plain loops by far
  assert_true(tuned.trace.size > 0);
  RlxBuf scheduled = {0};
  replay(&tuned.trace, &scheduled);
  RlxMeasured before, after;
  assert_true(rlx_measure(dense, "dense", &options.measure, &before));
  assert_true(rlx_measure(rlx_buf_text(&scheduled), "dense", &options.measure, &after));
  assert_int_equal(before.outputs.count, after.outputs.count);
  assert_true(before.outputs.count > 0);
  assert_true(rlx_measured_agree(&before, &after, NULL));
  rlx_measured_free(&before);
  rlx_measured_free(&after);
  rlx_buf_free(&scheduled);
  rlx_tuned_free(&tuned);
}

static void cancelled_searches_end_at_once(void **state) {
  (void)state;
  NEEDS_LLVM();
  volatile sig_atomic_t cancel = 1;
  RlxTuneOptions options = {.measure = {.cancel = &cancel}, .seconds = 60};
  RlxTuned tuned;
  assert_false(rlx_tune(dense, "dense", &options, &tuned));
  assert_int_equal(tuned.end.tried, 0);
  rlx_tuned_free(&tuned);
  assert_false(rlx_tune(dense, "nothing", &options, &tuned));
  assert_string_equal(tuned.error.text, "there is no PrimFunc `nothing`");
  rlx_tuned_free(&tuned);
}

#define ONE(value)                                                                                 \
  "from tvm.script import tirx as T\n\n@T.prim_func(s_tir=True)\ndef one(A: T.Buffer((4,), "       \
  "\"float32\")):\n    for i in range(4):\n        A[i] = " value "\n"

static void other_results_are_seen(void **state) {
  (void)state;
  NEEDS_LLVM();
  RlxMeasureOptions options = {.least_seconds = 0.001};
  RlxMeasured a, b, c, d;
  double largest = 0;
  assert_true(rlx_measure(ONE("T.float32(1)"), "one", &options, &a));
  assert_true(rlx_measure(ONE("T.float32(1.0001)"), "one", &options, &b));
  assert_true(rlx_measure(ONE("T.float32(1.01)"), "one", &options, &c));
  assert_true(rlx_measure(ONE("T.sqrt(T.float32(-1))"), "one", &options, &d));
  assert_true(rlx_measured_agree(&a, &b, &largest));
  assert_true(largest > 0.00009 && largest < 0.00011);
  assert_false(rlx_measured_agree(&a, &c, NULL));
  assert_false(rlx_measured_agree(&a, &d, NULL));
  assert_true(rlx_measured_agree(&d, &d, NULL));
  RlxMeasured *all[] = {&a, &b, &c, &d};
  for (size_t i = 0; i < 4; i++) rlx_measured_free(all[i]);
}

static void endless_loops_end_at_their_limit(void **state) {
  (void)state;
  NEEDS_LLVM();
  RlxMeasureOptions options = {.limit_seconds = 0.3};
  RlxMeasured m;
  assert_false(rlx_measure("from tvm.script import tirx as T\n\n@T.prim_func(s_tir=True)\n"
                           "def one(A: T.Buffer((4,), \"int32\")):\n"
                           "    A[0] = 1\n"
                           "    while A[0] > 0:\n        A[0] = A[0] % 7 + 1\n",
                           "one", &options, &m));
  assert_true(m.error.text[0] != 0);
  rlx_measured_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_found_replays_and_computes_the_same),
      cmocka_unit_test(cancelled_searches_end_at_once),
      cmocka_unit_test(other_results_are_seen),
      cmocka_unit_test(endless_loops_end_at_their_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
