/// Annotations that grow step by step: a list stays what it is when another goes on from the same beginning, on a
/// block that was made of the same one, after a trial, or an undo.
#include <string.h>

#include "analyzer/analyzer.h"
#include "analyzer/schedule/schedule.h"
#include "analyzer/script/script.h"
#include "tests/test.h"

static const char script[] =
    "from tvm.script import tirx as T\n\n@T.prim_func(s_tir=True)\n"
    "def f(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n"
    "    for i in range(64):\n        with T.sblock(\"b\"):\n            v = T.axis.spatial(64, "
    "i)\n"
    "            B[v] = A[v]\n";

static const char sum[] =
    "from tvm.script import tirx as T\n\n@T.prim_func(s_tir=True)\n"
    "def f(A: T.Buffer((64,), \"float32\"), B: T.Buffer((1,), \"float32\")):\n"
    "    for i in range(64):\n        with T.sblock(\"b\"):\n            v = T.axis.reduce(64, i)\n"
    "            with T.init():\n                B[0] = T.float32(0)\n"
    "            B[0] = B[0] + A[v]\n";

typedef struct World {
  RlxAnalyzer *analyzer;
  RlxFile *file;
  RlxSchedule *schedule;
  RlxBuf shown;
} World;

static World open_world(const char *text) {
  World w = {.analyzer = rlx_analyzer_new(NULL)};
  w.file = rlx_file_open(w.analyzer, text, (uint32_t)strlen(text));
  RlxFunctionViews views = {0};
  rlx_file_functions(w.file, &views);
  w.schedule = rlx_schedule_new(rlx_analyzer_store(w.analyzer));
  rlx_schedule_add(w.schedule, rlx_file_primfunc(w.file, views.at[0].stmt, NULL), 0);
  rlx_vec_free(&views);
  return w;
}

static void close_world(World *w) {
  rlx_schedule_free(w->schedule);
  rlx_file_close(w->file);
  rlx_analyzer_free(w->analyzer);
  rlx_buf_free(&w->shown);
}

/// One line of a trace, carried out or tried.
static void step(World *w, const char *line, bool is_trial) {
  RlxTrace trace;
  RlxSink sink = {.arena = rlx_arena_new()};
  rlx_trace_read(rlx_analyzer_store(w->analyzer), line, (uint32_t)strlen(line), &trace, &sink);
  assert_int_equal(sink.diags.count, 0);
  assert_int_equal(trace.steps.count, 1);
  assert_true((is_trial ? rlx_schedule_try(w->schedule, &trace.steps.at[0])
                        : rlx_trace_apply(w->schedule, &trace, 0))
                  .ok);
  rlx_schedule_keep(w->schedule, &trace);
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
}

/// The keys of the blocks' annotations as the script has them now, "a b c", those of another block behind "; ".
static const char *keys(World *w) {
  RlxBuf text = {0};
  rlx_schedule_print(w->schedule, RLX_DIALECT_CLASSIC, &text);
  rlx_buf_clear(&w->shown);
  const char *at = rlx_buf_text(&text);
  while ((at = strstr(at, "block_attr({"))) {
    if (w->shown.size) rlx_buf_puts(&w->shown, "; ");
    for (at = strchr(at, '{'); *at != '}'; at = strpbrk(at + 3, ",}"))
      rlx_buf_printf(&w->shown, "%s%.1s", *at == '{' ? "" : " ", strchr(at, '"') + 1);
  }
  rlx_buf_free(&text);
  return rlx_buf_text(&w->shown);
}

static void lists_from_one_beginning_stay_apart(void **state) {
  (void)state;
  World w = open_world(script);
  step(&w, "sch.annotate(\"b\", \"a\", 1)", false);
  step(&w, "sch.annotate(\"b\", \"b\", 1)", true); // takes the room, and is gone
  assert_string_equal(keys(&w), "a");
  step(&w, "sch.annotate(\"b\", \"c\", 1)", false);
  step(&w, "sch.annotate(\"b\", \"d\", 1)", false);
  assert_string_equal(keys(&w), "a c d");
  assert_true(rlx_schedule_undo(w.schedule));
  assert_string_equal(keys(&w), "a c");
  step(&w, "sch.annotate(\"b\", \"e\", 1)", true);
  assert_true(rlx_schedule_redo(w.schedule));
  assert_string_equal(keys(&w), "a c d");
  assert_true(rlx_schedule_undo(w.schedule));
  assert_true(rlx_schedule_undo(w.schedule));
  step(&w, "sch.annotate(\"b\", \"f\", 1)", false);
  assert_string_equal(keys(&w), "a f");
  step(&w, "sch.unannotate(\"b\", \"a\")", false);
  step(&w, "sch.annotate(\"b\", \"g\", 1)", false);
  assert_string_equal(keys(&w), "f g");
  while (rlx_schedule_undo(w.schedule)) continue;
  assert_string_equal(keys(&w), "");
  close_world(&w);
}

static void a_list_grows_past_its_room(void **state) {
  (void)state;
  World w = open_world(script);
  for (char key = 'a'; key <= 'z'; key++) {
    char line[64];
    snprintf(line, sizeof line, "sch.annotate(\"b\", \"%c\", 1)", key);
    step(&w, line, false);
  }
  assert_string_equal(keys(&w), "a b c d e f g h i j k l m n o p q r s t u v w x y z");
  for (int i = 0; i < 20; i++) assert_true(rlx_schedule_undo(w.schedule));
  assert_string_equal(keys(&w), "a b c d e f");
  for (int i = 0; i < 20; i++) assert_true(rlx_schedule_redo(w.schedule));
  assert_string_equal(keys(&w), "a b c d e f g h i j k l m n o p q r s t u v w x y z");
  close_world(&w);
}

static void blocks_of_one_block_have_lists_of_their_own(void **state) {
  (void)state;
  World w = open_world(sum);
  for (const char *key = "abc"; *key; key++) { // the third has a list made for six
    char line[64];
    snprintf(line, sizeof line, "sch.annotate(\"b\", \"%c\", 1)", *key);
    step(&w, line, false);
  }
  step(&w, "c = sch.decompose_reduction(\"b\", \"i\")", false);
  assert_string_equal(keys(&w), "a b c; a b c");
  step(&w, "sch.annotate(c, \"x\", 1)", false);
  step(&w, "sch.annotate(\"b_update\", \"y\", 1)", false);
  assert_string_equal(keys(&w), "a b c x; a b c y");
  step(&w, "sch.annotate(c, \"z\", 1)", false);
  assert_string_equal(keys(&w), "a b c x z; a b c y");
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lists_from_one_beginning_stay_apart),
                                     cmocka_unit_test(blocks_of_one_block_have_lists_of_their_own),
                                     cmocka_unit_test(a_list_grows_past_its_room)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
