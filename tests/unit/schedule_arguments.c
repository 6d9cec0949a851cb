/// What every primitive takes as arguments. A row for each row of primitives.def: a step that is carried
/// out, which is said in all its forms (by position, by keyword, as tuples, printed and read again, as
/// JSON), and which kinds of values each parameter takes; all others are refused by the parameter's name.
#include <string.h>

#include "analyzer/analyzer.h"
#include "analyzer/schedule/schedule_impl.h"
#include "analyzer/script/script.h"
#include "cli/schedule.h"
#include "jit/rewriter.h"
#include "tests/test.h"

#define FUNCTION "@T.prim_func(s_tir=True)\ndef "
static const char *const module[] = {
    "from tvm.script import tirx as T\n\n\n",
    FUNCTION "chain(A: T.Buffer((16, 16), \"float32\"), W: T.Buffer((16, 16), \"float32\"), "
             "C: T.Buffer((16, 16), \"float32\")):\n"
             "    B = T.sblock_alloc_buffer((16, 16))\n"
             "    D = T.sblock_alloc_buffer((16, 16))\n"
             "    for i, j in T.grid(16, 16):\n"
             "        with T.sblock(\"B\"):\n"
             "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
             "            B[vi, vj] = A[vi, vj] * T.float32(2)\n"
             "    for i, j, k in T.grid(16, 16, 16):\n"
             "        with T.sblock(\"D\"):\n"
             "            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
             "            with T.init():\n"
             "                D[vi, vj] = T.float32(0)\n"
             "            D[vi, vj] = D[vi, vj] + B[vi, vk] * W[vk, vj]\n"
             "    for i, j in T.grid(16, 16):\n"
             "        with T.sblock(\"C\"):\n"
             "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
             "            C[vi, vj] = T.max(D[vi, vj], T.float32(0))\n\n\n",
    FUNCTION "pointwise(A: T.Buffer((8,), \"float32\"), C: T.Buffer((8,), \"float32\")):\n"
             "    B = T.sblock_alloc_buffer((8,))\n"
             "    for i in range(8):\n"
             "        with T.sblock(\"B\"):\n"
             "            vi = T.axis.spatial(8, i)\n"
             "            B[vi] = A[vi] + T.float32(1)\n"
             "    for m in range(8):\n"
             "        with T.sblock(\"C\"):\n"
             "            vi = T.axis.spatial(8, m)\n"
             "            C[vi] = B[vi] * T.float32(2)\n\n\n",
    FUNCTION "pair(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\"), "
             "C: T.Buffer((8,), \"float32\")):\n"
             "    for i in range(8):\n"
             "        with T.sblock(\"B\"):\n"
             "            vi = T.axis.spatial(8, i)\n"
             "            B[vi] = A[vi] + T.float32(1)\n"
             "    for m in range(8):\n"
             "        with T.sblock(\"C\"):\n"
             "            vi = T.axis.spatial(8, m)\n"
             "            C[vi] = A[vi] * T.float32(2)\n\n\n",
    FUNCTION "sums(X: T.Buffer((6, 5), \"float32\"), M: T.Buffer((6,), \"float32\"), "
             "Y: T.Buffer((6,), \"float32\")):\n"
             "    R = T.sblock_alloc_buffer((6,))\n"
             "    for r, c in T.grid(6, 5):\n"
             "        with T.sblock(\"rows\"):\n"
             "            vr, vc = T.axis.remap(\"SR\", [r, c])\n"
             "            with T.init():\n"
             "                R[vr] = T.float32(0)\n"
             "            R[vr] = R[vr] + X[vr, vc]\n"
             "    for r in range(6):\n"
             "        with T.sblock(\"shift\"):\n"
             "            vr = T.axis.spatial(6, r)\n"
             "            Y[vr] = R[vr] - M[vr]\n\n\n",
    FUNCTION "padded(A: T.Buffer((8,), \"int32\"), B: T.Buffer((10,), \"int32\")):\n"
             "    for i in range(10):\n"
             "        with T.sblock(\"pad\"):\n"
             "            vi = T.axis.spatial(10, i)\n"
             "            B[vi] = T.if_then_else(1 <= vi and vi < 9, A[vi - 1], 0)\n\n\n",
    FUNCTION "tiles(A: T.Buffer((20,), \"int32\"), D: T.Buffer((16,), \"int32\")):\n"
             "    B = T.sblock_alloc_buffer((18,), \"int32\")\n"
             "    for io in range(4):\n"
             "        for ii in range(6):\n"
             "            with T.sblock(\"B\"):\n"
             "                vi = T.axis.spatial(18, io * 4 + ii)\n"
             "                B[vi] = A[vi] + A[vi + 2]\n"
             "        for ii in range(4):\n"
             "            with T.sblock(\"D\"):\n"
             "                vi = T.axis.spatial(16, io * 4 + ii)\n"
             "                D[vi] = B[vi] - B[vi + 2]\n\n\n",
    FUNCTION "resized(A: T.Buffer((12, 12), \"float32\"), B: T.Buffer((24, 24), \"float32\")):\n"
             "    for i, j in T.grid(24, 24):\n"
             "        with T.sblock(\"B\"):\n"
             "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
             "            B[vi, vj] = A[vi // 2, (vi + vj * 3) % 12] + A[vi // 2, vj // 2]\n\n\n",
    FUNCTION "inplace(A: T.Buffer((8,), \"int32\")):\n"
             "    for i in range(8):\n"
             "        with T.sblock(\"A\"):\n"
             "            vi = T.axis.spatial(8, i)\n"
             "            A[vi] = A[vi] + 1\n\n\n",
    FUNCTION "twice(A: T.Buffer((8, 4), \"float32\"), B: T.Buffer((8, 4), \"float32\")):\n"
             "    for i, j in T.grid(8, 4):\n"
             "        with T.sblock(\"twice\"):\n"
             "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
             "            B[vi, vj] = A[vi, vj] * T.float32(2)\n\n\n",
    FUNCTION "desc(X: T.Buffer((4,), \"float32\", offset_factor=1), "
             "Y: T.Buffer((4,), \"float32\", offset_factor=1)):\n"
             "    with T.sblock(\"root\"):\n"
             "        T.reads(X[0:4])\n"
             "        T.writes(Y[0:4])\n"
             "        for k in range(4):\n"
             "            with T.sblock(\"twice\"):\n"
             "                vk = T.axis.spatial(4, k)\n"
             "                Y[vk] = X[vk] * T.float32(2)\n\n\n",
    FUNCTION "impl(X: T.Buffer((4,), \"float32\", offset_factor=1), "
             "Y: T.Buffer((4,), \"float32\", offset_factor=1)):\n"
             "    with T.sblock(\"root\"):\n"
             "        T.reads(X[0:4])\n"
             "        T.writes(Y[0:4])\n"
             "        for k in T.unroll(4):\n"
             "            Y[k] = X[k] + X[k]\n",
};

typedef struct Row {
  const char *primitive;
  const char *functions; ///< of the module, separated by spaces; the step is about the first
  const char *before;    ///< steps before
  const char *call;      ///< a step that is carried out
  const char *same[4];   ///< other forms of it
  const char *takes;     ///< of each parameter: the kinds of values that it takes
} Row;
static const Row rows[] = {
#include "tests/unit/schedule_arguments.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

// ---- a schedule

typedef struct Rig {
  RlxAnalyzer *analyzer;
  RlxFile *file;
  RlxStore *store;
  RlxSchedule *schedule;
} Rig;

/// Reads a trace and carries it out; what is wrong is appended to `problem` (may be NULL: a failure).
static bool carry_out(Rig *r, const char *text, RlxBuf *problem) {
  RlxTrace trace = {0};
  RlxError err = {0};
  uint32_t line;
  bool ok = rlx_schedule_read_trace(r->store, text, strlen(text), &trace, &line, &err);
  if (!ok && problem) rlx_buf_puts(problem, err.text);
  if (!ok && !problem) fail_msg("%s: %s", text, err.text);
  for (uint32_t i = 0; ok && i < trace.steps.count; i++) {
    RlxScheduleAnswer a = rlx_schedule_apply(r->schedule, &trace.steps.at[i]);
    ok = a.ok;
    if (ok) continue;
    const RlxDiag *d = a.refusal;
    if (!problem) fail_msg("%s: %s %s", text, rlx_diag_row(d->id)->code, d->message);
    rlx_buf_printf(problem, "%s %s", rlx_diag_row(d->id)->code, d->message);
  }
  rlx_schedule_keep(r->schedule, &trace);
  return ok;
}

static void add_function(Rig *r, const char *name, size_t size) {
  RlxFunctionViews views = {0};
  rlx_file_functions(r->file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    const char *have = rlx_store_text(r->store, views.at[i].name);
    if (strlen(have) == size && memcmp(have, name, size) == 0)
      rlx_schedule_add(r->schedule, rlx_file_primfunc(r->file, views.at[i].stmt, NULL),
                       views.at[i].stmt->start);
  }
  rlx_vec_free(&views);
}

/// A schedule of the row's functions, its steps before carried out.
static Rig open_rig(const Row *row) {
  Rig r = {.analyzer = rlx_analyzer_new(NULL)};
  r.store = rlx_analyzer_store(r.analyzer);
  RlxBuf text = {0};
  for (size_t i = 0; i < sizeof module / sizeof *module; i++) rlx_buf_puts(&text, module[i]);
  r.file = rlx_file_open(r.analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_buf_free(&text);
  r.schedule = rlx_schedule_new(r.store);
  rlx_schedule_set_rewriter(r.schedule, rlx_jit_rewriter());
  for (const char *at = row->functions; *at; at += strspn(at, " ")) {
    size_t size = strcspn(at, " ");
    add_function(&r, at, size);
    at += size;
  }
  assert_true(rlx_schedule_count(r.schedule) > 0);
  carry_out(&r, row->before, NULL);
  return r;
}

static void close_rig(Rig *r) {
  rlx_schedule_free(r->schedule);
  rlx_file_close(r->file);
  rlx_analyzer_free(r->analyzer);
}

static char *module_of(const Rig *r) {
  RlxBuf out = {0};
  rlx_schedule_print(r->schedule, RLX_DIALECT_025, &out);
  return rlx_buf_steal(&out);
}

// ---- a step's arguments as texts

typedef struct Call {
  const RlxPrimitive *primitive;
  RlxArena *arena;
  int count;
  const char *args[RLX_SCHEDULE_ARGS_MAX]; ///< NULL: not given
  const char *items[RLX_SCHEDULE_ARGS_MAX][8];
  uint32_t item_counts[RLX_SCHEDULE_ARGS_MAX]; ///< of those that are lists
} Call;

static const char *text_of(Call *c, const RlxScheduleValue *v) {
  RlxBuf out = {0};
  rlx_schedule_print_value(v, &out);
  const char *text = rlx_arena_strdup(c->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return text;
}

static Call call_of(Rig *r, const Row *row) {
  Call c = {.arena = rlx_arena_new()};
  RlxTrace trace;
  RlxSink sink = {.arena = c.arena};
  rlx_trace_read(r->store, row->call, (uint32_t)strlen(row->call), &trace, &sink);
  assert_int_equal(trace.steps.count, 1);
  const RlxScheduleStep *step = &trace.steps.at[0];
  c.primitive = rlx_primitive_find(row->primitive);
  assert_ptr_equal(step->primitive, c.primitive);
  c.count = rlx_primitive_param_count(c.primitive);
  for (int i = 0; i < c.count; i++) {
    const RlxScheduleValue *v = &step->args[i];
    if (v->kind == RLX_SCHEDULE_ABSENT) continue;
    c.args[i] = text_of(&c, v);
    if (v->kind != RLX_SCHEDULE_LIST) continue;
    assert_true(v->count <= 8);
    c.item_counts[i] = v->count;
    for (uint32_t k = 0; k < v->count; k++) c.items[i][k] = text_of(&c, &v->items[k]);
  }
  rlx_trace_free(&trace);
  rlx_vec_free(&sink.diags);
  return c;
}

/// The call with keywords; parameter `at` gets `value` instead (NULL: it is left out).
static const char *with(Call *c, int at, const char *value) {
  RlxBuf out = {0};
  rlx_buf_printf(&out, "%s(", c->primitive->name);
  const char *comma = "";
  for (int i = 0; i < c->count; i++) {
    const char *arg = i == at ? value : c->args[i];
    if (!arg) continue;
    rlx_buf_printf(&out, "%s%s=%s", comma, c->primitive->params[i].name, arg);
    comma = ", ";
  }
  rlx_buf_putc(&out, ')');
  const char *text = rlx_arena_strdup(c->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return text;
}

/// The list that is parameter `at`, with another item `k`.
static const char *with_item(Call *c, int at, uint32_t k, const char *item) {
  RlxBuf list = {0};
  for (uint32_t i = 0; i < c->item_counts[at]; i++)
    rlx_buf_printf(&list, "%s%s", i ? ", " : "[", i == k ? item : c->items[at][i]);
  rlx_buf_putc(&list, ']');
  const char *text = with(c, at, rlx_buf_text(&list));
  rlx_buf_free(&list);
  return text;
}

// ---- the tests

static void each_primitive_has_a_row(void **state) {
  (void)state;
  const RlxPrimitive *p;
  for (int i = 0; (p = rlx_primitive_at(i)) != NULL; i++) {
    bool has_row = false;
    for (int k = 0; k < ROWS; k++) has_row |= strcmp(rows[k].primitive, p->name) == 0;
    if (!has_row) fail_msg("%s has no row in schedule_arguments.def", p->name);
  }
}

static void expect_same(const Row *row, const char *form, const char *want) {
  Rig r = open_rig(row);
  carry_out(&r, form, NULL);
  char *got = module_of(&r);
  if (strcmp(got, want) != 0)
    fail_msg("%s gives another module than %s:\n%s", form, row->call, got);
  free(got);
  close_rig(&r);
}

static void a_step_may_be_said_in_all_its_forms(void **state) {
  (void)state;
  for (int i = 0; i < ROWS; i++) {
    const Row *row = &rows[i];
    Rig r = open_rig(row);
    Call c = call_of(&r, row);
    char *before = module_of(&r);
    RlxBuf json = {0}, text = {0};
    int steps = rlx_schedule_step_count(r.schedule);
    carry_out(&r, row->call, NULL);
    char *want = module_of(&r);
    bool only_asks = c.primitive->is_query || !strncmp(row->primitive, "sample_", 7);
    if (only_asks != (strcmp(before, want) == 0))
      fail_msg("%s changes %s", row->call, only_asks ? "something" : "nothing");
    rlx_trace_print_step(r.schedule, rlx_schedule_step_at(r.schedule, steps), &text);
    expect_same(row, rlx_buf_text(&text), want);
    expect_same(row, with(&c, -1, NULL), want);
    for (int k = 0; k < 4 && row->same[k]; k++) expect_same(row, row->same[k], want);
    rlx_schedule_write_json(r.schedule, &json);
    Row from_start = *row;
    from_start.before = "";
    expect_same(&from_start, rlx_buf_text(&json), want);
    rlx_buf_free(&json);
    rlx_buf_free(&text);
    rlx_arena_free(c.arena);
    free(before);
    free(want);
    close_rig(&r);
  }
}

static const struct {
  const char *kind, *text;
} samples[] = {
    {"none", "None"},   {"bool", "True"},  {"int", "3"},           {"float", "2.5"},
    {"text", "\"x\""},  {"list", "[]"},    {"dict", "{\"a\": 1}"}, {"lambda", "lambda x: (x,)"},
    {"block", "bs[0]"}, {"loop", "ls[0]"},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

/// Whether the step is refused because of the kind of what parameter `at` is given.
static bool is_refused_for(Rig *r, const Call *c, const char *text, int at) {
  RlxBuf problem = {0}, words = {0};
  int steps = rlx_schedule_step_count(r->schedule);
  rlx_buf_printf(&words, "RLX0703 `%s`: `%s` takes %s", c->primitive->name,
                 c->primitive->params[at].name,
                 rlx_takes_words((RlxTakes)c->primitive->params[at].takes));
  bool ok = carry_out(r, text, &problem);
  bool is_so = !ok && strncmp(rlx_buf_text(&problem), rlx_buf_text(&words), words.size) == 0;
  rlx_schedule_back_to(r->schedule, steps);
  rlx_buf_free(&problem);
  rlx_buf_free(&words);
  return is_so;
}

/// "loop: text loop" for each parameter.
static void list_kinds(Rig *r, Call *c, RlxBuf *out) {
  for (int i = 0; i < c->count; i++) {
    rlx_buf_printf(out, "%s%s:", i ? "; " : "", c->primitive->params[i].name);
    for (int k = 0; k < SAMPLES; k++)
      if (!is_refused_for(r, c, with(c, i, samples[k].text), i))
        rlx_buf_printf(out, " %s", samples[k].kind);
    if (!c->item_counts[i]) continue;
    rlx_buf_puts(out, " [");
    for (int k = 0, n = 0; k < SAMPLES; k++)
      if (!is_refused_for(r, c, with_item(c, i, 0, samples[k].text), i))
        rlx_buf_printf(out, "%s%s", n++ ? " " : "", samples[k].kind);
    rlx_buf_putc(out, ']');
  }
}

static void what_a_parameter_does_not_take_is_refused_by_its_name(void **state) {
  (void)state;
  bool is_other = false;
  for (int i = 0; i < ROWS; i++) {
    Rig r = open_rig(&rows[i]);
    Call c = call_of(&r, &rows[i]);
    RlxBuf kinds = {0};
    carry_out(&r, "bs = sch.get_child_blocks(\"root\")\nls = sch.get_loops(bs[0])", NULL);
    list_kinds(&r, &c, &kinds);
    if (strcmp(rlx_buf_text(&kinds), rows[i].takes) != 0) {
      printf("%s takes\n  %s\nexpected\n  %s\n", rows[i].primitive, rlx_buf_text(&kinds),
             rows[i].takes);
      is_other = true;
    }
    rlx_buf_free(&kinds);
    rlx_arena_free(c.arena);
    close_rig(&r);
  }
  assert_false(is_other);
}

/// The text of a refusal of `step` after the row's steps.
static char *refusal_of(const Row *row, const char *step) {
  Rig r = open_rig(row);
  RlxBuf problem = {0};
  if (carry_out(&r, step, &problem)) fail_msg("%s is carried out", step);
  close_rig(&r);
  return rlx_buf_steal(&problem);
}

static void too_few_and_too_many_arguments_are_refused(void **state) {
  (void)state;
  for (int i = 0; i < ROWS; i++) {
    Rig r = open_rig(&rows[i]);
    Call c = call_of(&r, &rows[i]);
    RlxBuf many = {0}, twice = {0}, other = {0};
    rlx_buf_printf(&many, "%s(", c.primitive->name);
    for (int k = 0; k < 30; k++) rlx_buf_puts(&many, k % 2 ? "*[], " : "[], ");
    rlx_buf_putc(&many, ')');
    const char *whole = with(&c, -1, NULL), *first = c.primitive->params[0].name;
    rlx_buf_printf(&twice, "%.*s, %s=%s)", (int)strlen(whole) - 1, whole, first, c.args[0]);
    rlx_buf_printf(&other, "%.*s, colour=1)", (int)strlen(whole) - 1, whole);
    const RlxBuf *texts[] = {&many, &twice, &other};
    const char *said[] = {NULL, first, "`colour`"};
    for (int k = 0; k < 3; k++) {
      char *why = refusal_of(&rows[i], rlx_buf_text(texts[k]));
      if (strncmp(why, "RLX0703", 7) != 0 || (said[k] && !strstr(why, said[k])))
        fail_msg("%s: %s", rlx_buf_text(texts[k]), why);
      free(why);
    }
    for (int k = 0; k < c.count; k++) {
      const RlxPrimitiveParam *param = &c.primitive->params[k];
      if (param->is_optional) continue;
      char *why = refusal_of(&rows[i], with(&c, k, NULL));
      if (!strstr(why, param->name) || !strstr(why, "is missing")) fail_msg("%s", why);
      free(why);
    }
    rlx_buf_free(&many);
    rlx_buf_free(&twice);
    rlx_buf_free(&other);
    rlx_arena_free(c.arena);
    close_rig(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_primitive_has_a_row),
      cmocka_unit_test(a_step_may_be_said_in_all_its_forms),
      cmocka_unit_test(what_a_parameter_does_not_take_is_refused_by_its_name),
      cmocka_unit_test(too_few_and_too_many_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
