/// What the JIT does to loops by itself, as a trace: it replays, gives the same loops as the JIT
/// compiles, and computes the same.
#include "analyzer/script/script.h"
#include "analyzer/tir/rewrite.h"
#include "jit/measure.h"
#include "jit/rewriter.h"
#include "jit/schedule/schedule.h"

#include "tests/jit/rig.h"

#define HEAD "from tvm.script import tirx as T\n\n@T.prim_func(s_tir=True)\n"

static const struct {
  const char *script;
  const char *steps; // one after another in the trace, separated by spaces
  bool is_exact;     // integers: equal to the last bit
} cases[] = {
    {HEAD "def f(A: T.Buffer((37, 41), \"int32\"), B: T.Buffer((41, 50), \"int32\"), "
          "C: T.Buffer((37, 50), \"int32\")):\n"
          "    for i, j, k in T.grid(37, 50, 41):\n"
          "        with T.sblock(\"matmul\"):\n"
          "            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
          "            with T.init():\n"
          "                C[vi, vj] = 0\n"
          "            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n",
     "contraction", true},
    {HEAD "def f(A: T.Buffer((3, 19, 24), \"float32\"), B: T.Buffer((3, 40, 24), \"float32\"), "
          "C: T.Buffer((3, 19, 40), \"float32\")):\n"
          "    for b, i, j, k in T.grid(3, 19, 40, 24):\n"
          "        with T.sblock(\"dense\"):\n"
          "            vb, vi, vj, vk = T.axis.remap(\"SSSR\", [b, i, j, k])\n"
          "            with T.init():\n"
          "                C[vb, vi, vj] = T.float32(0)\n"
          "            C[vb, vi, vj] = C[vb, vi, vj] + A[vb, vi, vk] * B[vb, vj, vk]\n",
     "contraction", false},
    // Two blocks of one name, loops of one name: the last nest comes first.
    {HEAD "def f(A: T.Buffer((70, 90), \"int64\"), R: T.Buffer((70,), \"int64\"), "
          "C: T.Buffer((90,), \"int64\")):\n"
          "    for i, j in T.grid(70, 90):\n"
          "        with T.sblock(\"sum\"):\n"
          "            vi, vj = T.axis.remap(\"SR\", [i, j])\n"
          "            with T.init():\n"
          "                R[vi] = T.int64(0)\n"
          "            R[vi] = R[vi] + A[vi, vj]\n"
          "    for i, j in T.grid(90, 70):\n"
          "        with T.sblock(\"sum\"):\n"
          "            vi, vj = T.axis.remap(\"SR\", [i, j])\n"
          "            with T.init():\n"
          "                C[vi] = T.int64(0)\n"
          "            C[vi] = T.max(C[vi], A[vj, vi])\n",
     "\"sum#2\" reduction \"sum#1\" reduction", true},
    // No blocks; two statements in one loop.
    {HEAD "def f(A: T.Buffer((64, 80), \"float32\"), S: T.Buffer((64,), \"float32\"), "
          "C: T.Buffer((64, 80), \"float32\")):\n"
          "    for i in range(64):\n"
          "        S[i] = T.float32(0)\n"
          "        for k in range(80):\n"
          "            S[i] = S[i] + A[i, k]\n"
          "    for i, k in T.grid(64, 80):\n"
          "        C[i, k] = A[i, k] - S[i]\n",
     "distribute \"i#2\" reduction", false},
    // A border; enough elements for threads.
    {HEAD "def f(A: T.Buffer((300, 300), \"int32\"), C: T.Buffer((302, 302), \"int32\"), "
          "D: T.Buffer((300, 300), \"int32\")):\n"
          "    for i, j in T.grid(302, 302):\n"
          "        with T.sblock(\"pad\"):\n"
          "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
          "            C[vi, vj] = T.if_then_else(1 <= vi and vi < 301 and 1 <= vj and vj < 301, "
          "A[vi - 1, vj - 1], 7)\n"
          "    for i, j in T.grid(300, 300):\n"
          "        with T.sblock(\"square\"):\n"
          "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
          "            D[vi, vj] = C[vi, vj] * C[vi + 1, vj + 2]\n",
     "\"square\" parallel \"pad\" guards", true},
    // A reduction that no rule fits.
    {HEAD "def f(A: T.Buffer((6, 20), \"int32\"), C: T.Buffer((6,), \"int32\")):\n"
          "    for i, k in T.grid(6, 20):\n"
          "        with T.sblock(\"twice\"):\n"
          "            vi, vk = T.axis.remap(\"SR\", [i, k])\n"
          "            with T.init():\n"
          "                C[vi] = 0\n"
          "            C[vi] = T.if_then_else(C[vi] > 50, C[vi], C[vi] + A[vi, vk])\n",
     "\"twice\" decompose_reduction", true},
    {HEAD "def f(A: T.Buffer((5, 12), \"float32\"), M: T.Buffer((5,), \"float32\"), "
          "P: T.Buffer((5,), \"int32\")):\n"
          "    for i, k in T.grid(5, 12):\n"
          "        with T.sblock(\"argmax\"):\n"
          "            vi, vk = T.axis.remap(\"SR\", [i, k])\n"
          "            with T.init():\n"
          "                M[vi] = T.float32(-1e30)\n"
          "                P[vi] = -1\n"
          "            v_p: T.let[T.int32] = T.Select(M[vi] >= A[vi, vk], P[vi], vk)\n"
          "            v_m: T.let[T.float32] = T.Select(M[vi] >= A[vi, vk], M[vi], A[vi, vk])\n"
          "            M[vi] = v_m\n"
          "            P[vi] = v_p\n",
     "decompose_reduction", true},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct Session {
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxFile *file;
  RlxSchedule *schedule;
  RlxPrimFunc *f; // another copy, unscheduled
} Session;

static Session open_session(const char *script) {
  Session s = {.analyzer = rlx_analyzer_new(NULL)};
  s.store = rlx_analyzer_store(s.analyzer);
  s.file = rlx_file_open(s.analyzer, script, (uint32_t)strlen(script));
  RlxFunctionViews views = {0};
  rlx_file_functions(s.file, &views);
  s.schedule = rlx_schedule_new(s.store);
  rlx_schedule_set_rewriter(s.schedule, rlx_jit_rewriter());
  rlx_schedule_add(s.schedule, rlx_file_primfunc(s.file, views.at[0].stmt, NULL), 0);
  s.f = rlx_file_primfunc(s.file, views.at[0].stmt, NULL);
  assert_false(s.f->has_holes);
  rlx_vec_free(&views);
  return s;
}

static void close_session(Session *s) {
  rlx_primfunc_free(s->f);
  rlx_schedule_free(s->schedule);
  rlx_file_close(s->file);
  rlx_analyzer_free(s->analyzer);
}

/// Carries out `text`; what the first refused step is refused for, NULL: none.
static const char *replay(Session *s, const char *text) {
  RlxTrace trace;
  RlxSink sink = {.arena = rlx_arena_new()};
  rlx_trace_read(s->store, text, (uint32_t)strlen(text), &trace, &sink);
  assert_int_equal(sink.diags.count, 0);
  const char *why = NULL;
  for (uint32_t i = 0; i < trace.steps.count && !why; i++) {
    RlxScheduleAnswer a = rlx_schedule_apply(s->schedule, &trace.steps.at[i]);
    if (!a.ok) why = a.refusal->message;
  }
  rlx_schedule_keep(s->schedule, &trace);
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
  return why;
}

typedef struct Loops {
  RlxStore *store;
  RlxBuf text;
} Loops;

static bool note_loop(const RlxTirStmt *s, void *data) {
  Loops *l = data;
  if (s->kind != RLX_TIR_FOR && s->kind != RLX_TIR_STORE) return true;
  if (s->kind == RLX_TIR_FOR) {
    rlx_buf_printf(&l->text, "%d ", s->for_kind);
    rlx_tir_expr_print(l->store, s->extent, &l->text);
  } else // which buffer; what is stored is compared by running it
    rlx_buf_puts(&l->text, rlx_store_text(l->store, s->buffer->name));
  rlx_buf_putc(&l->text, '\n');
  return true;
}

/// Kinds and extents of all loops, and the stores between them. T.init is left out: where it was
/// taken apart both have none.
static RlxBuf loops_of(RlxStore *store, const RlxPrimFunc *f) {
  Loops l = {.store = store};
  rlx_tir_visit(f->body, note_loop, NULL, &l);
  return l.text;
}

static void check_words(const char *steps, const char *words) {
  char word[64];
  const char *at = steps;
  for (const char *p = words; *p; p += strcspn(p, " "), p += *p == ' ') {
    snprintf(word, sizeof word, "%.*s", (int)strcspn(p, " "), p);
    const char *found = strstr(at, word);
    if (!found) fail_msg("`%s` is not in the rest of\n%s", word, steps);
    at = found + strlen(word);
  }
}

static void steps_of_the_jit_replay(void **state) {
  (void)state;
  NEEDS_LLVM();
  for (int i = 0; i < CASES; i++) {
    Session s = open_session(cases[i].script);
    RlxJitOptions options = {.threads = 2};
    RlxJit *jit = rlx_jit_new(s.store, &options);
    RlxError err = {0};
    RlxBuf steps = {0}, own_steps = {0};
    assert_true(rlx_jit_schedule_steps(jit, s.f, &steps, &err));
    check_words(rlx_buf_text(&steps), cases[i].steps);
    const char *why = replay(&s, rlx_buf_text(&steps));
    if (why) fail_msg("case %d: %s\n%s", i, why, rlx_buf_text(&steps));

    RlxError none = {0};
    const RlxLlvmApi *api = rlx_llvm_load(&none);
    RlxEngine *engine = api->engine_new(NULL, &none);
    RlxTarget target = api->target(engine);
    target.threads = 2;
    RlxPrimFunc *own = rlx_schedule(s.f, &target, true, rlx_store_names(s.store), &own_steps);
    api->engine_free(engine);
    RlxBuf expected = loops_of(s.store, own),
           got = loops_of(s.store, rlx_schedule_function(s.schedule, 0));
    assert_string_equal(rlx_buf_text(&own_steps), rlx_buf_text(&steps));
    assert_string_equal(rlx_buf_text(&expected), rlx_buf_text(&got));

    RlxBuf scheduled = {0};
    rlx_schedule_print(s.schedule, RLX_DIALECT_025, &scheduled);
    RlxMeasureOptions how = {.threads = 2, .least_seconds = 1e-6};
    RlxMeasured before, after;
    assert_true(rlx_measure(cases[i].script, "f", &how, &before));
    if (!rlx_measure(rlx_buf_text(&scheduled), "f", &how, &after)) fail_msg("%s", after.error.text);
    assert_true(before.outputs.count > 0);
    assert_true(rlx_measured_agree(&before, &after, NULL));
    for (uint32_t k = 0; cases[i].is_exact && k < before.outputs.count; k++)
      assert_memory_equal(before.outputs.at[k].at, after.outputs.at[k].at,
                          before.outputs.at[k].size);
    rlx_measured_free(&before);
    rlx_measured_free(&after);
    RlxBuf *all[] = {&steps, &own_steps, &expected, &got, &scheduled};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) rlx_buf_free(all[k]);
    rlx_primfunc_free(own);
    rlx_jit_free(jit);
    close_session(&s);
  }
}

static void refused(const char *script, const char *steps, const char *part) {
  Session s = open_session(script);
  const char *why = replay(&s, steps);
  if (!why || !strstr(why, part)) fail_msg("%s: %s", steps, why ? why : "carried out");
  close_session(&s);
}

static void rules_ask_before_they_rewrite(void **state) {
  (void)state;
  const char *matmul = cases[0].script;
  refused(matmul, "sch.jit_rewrite(\"i\", \"pack\", [64, 32, 1])", "`rule` is");
  refused(matmul, "sch.jit_rewrite(\"i\", \"contraction\", [48, 32, 1])", "`machine` is");
  refused(matmul, "sch.jit_rewrite(\"i\", \"contraction\", [64, 32])", "`machine` is");
  refused(matmul, "sch.jit_rewrite(\"i\", \"contraction\", [64, 32, 0])", "`machine` is");
  refused(matmul, "sch.jit_rewrite(\"i\", \"guards\", [64, 32, 1])", "does not fit");
  refused(matmul, "sch.jit_rewrite(\"k\", \"contraction\", [64, 32, 1])", "does not fit");
  // Each instance reads what the one before has written: no sum, although it looks like one.
  refused(HEAD "def f(A: T.Buffer((65,), \"int32\")):\n"
               "    for i in range(64):\n"
               "        with T.sblock(\"scan\"):\n"
               "            vi = T.axis.spatial(64, i)\n"
               "            A[vi + 1] = A[vi + 1] + A[vi]\n",
          "sch.jit_rewrite(\"i\", \"reduction\", [64, 32, 1])", "neither complete");
  // Steps after it still know the block by its name, and the loops as gone.
  refused(matmul,
          "i, j, k = sch.get_loops(\"matmul\")\n"
          "b = sch.jit_rewrite(i, \"contraction\", [64, 32, 1])\nsch.annotate(b, \"x\", 1)\n"
          "sch.unroll(j)",
          "step 2 (`jit_rewrite`) removed it");
  Session s = open_session(matmul);
  rlx_schedule_set_rewriter(s.schedule, NULL);
  const char *why = replay(&s, "sch.jit_rewrite(\"i\", \"contraction\", [64, 32, 1])");
  assert_non_null(why);
  assert_non_null(strstr(why, "there is no JIT"));
  close_session(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_of_the_jit_replay),
      cmocka_unit_test(rules_ask_before_they_rewrite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
