// Schedules are sound: random steps of every primitive of the table on PrimFuncs of many forms, written
// here or random. What is accepted is carried out, printed, read again and run; the buffers then hold what
// the PrimFunc gave before, to the bit (no number rounds), and hold it too when the iterations of parallel and
// vectorized loops run backwards. A refused step leaves everything as it was,
// and what is known after a step is what an analysis from scratch says.
// RLX_WALKS and (where values leave their types) RLX_HOSTILE set how many walks are made, RLX_SEED from where
// on numbers are drawn; RLX_THREADS is how many run parallel loops (1); RLX_PRIMITIVE names a
// primitive that every other step is.
#include <string.h>

#include "analyzer/schedule/schedule.h"
#include "analyzer/script/script.h"
#include "jit/rewriter.h"
#include "tests/jit/rig.h"
#include "tests/prop/hostile_primfunc.h"
#include "tests/prop/random_primfunc.h"
#include "tests/prop/schedule_forms.h"
#include "tests/prop/schedule_known.h"

enum { FORMS = sizeof forms / sizeof *forms, STEPS = 5, TRIES = 60, BUFFERS = MAKER_PARAMS };

// ---- intrinsics: what they describe, and how they do it

#define BUFFER(name, shape) name ": T.Buffer(" shape ", \"int32\", offset_factor=1)"
#define ELEMENTS(rows, columns, value, other)                                                      \
  {ELEMENT("i, j in T.grid(" rows ", " columns ")", rows, columns, value),                         \
   ELEMENT("j, i in T.grid(" columns ", " rows ")", rows, columns, other)}
#define ELEMENT(loops, rows, columns, value)                                                       \
  "@T.prim_func(s_tir=True)\n"                                                                     \
  "def f(" BUFFER("X", "(" rows ", " columns ")") ", " BUFFER(                                     \
      "Y", "(" rows ", " columns ")") "):\n"                                                       \
                                      "    with T.sblock(\"root\"):\n"                             \
                                      "        T.reads(X[0:" rows ", 0:" columns "])\n"            \
                                      "        T.writes(Y[0:" rows ", 0:" columns "])\n"           \
                                      "        for " loops ":\n"                                   \
                                      "            with T.sblock(\"b\"):\n"                        \
                                      "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"    \
                                      "                Y[vi, vj] = " value "\n"
#define PRODUCT(loops)                                                                             \
  "@T.prim_func(s_tir=True)\n"                                                                     \
  "def f(" BUFFER("X", "(4, 4)") ", " BUFFER("Y", "(4, 4)") ", " BUFFER(                           \
      "Z", "(4, 4)") "):\n"                                                                        \
                     "    with T.sblock(\"root\"):\n"                                              \
                     "        T.reads(Z[0:4, 0:4], X[0:4, 0:4], Y[0:4, 0:4])\n"                    \
                     "        T.writes(Z[0:4, 0:4])\n"                                             \
                     "        for " loops " in T.grid(4, 4, 4):\n"                                 \
                     "            with T.sblock(\"b\"):\n"                                         \
                     "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"             \
                     "                Z[vi, vj] = Z[vi, vj] + X[vi, vk] * Y[vk, vj]\n"
static const char *const intrinsics[][2] = {
    ELEMENTS("4", "4", "X[vi, vj] * 2", "X[vi, vj] + X[vi, vj]"),
    ELEMENTS("1", "4", "X[vi, vj] * 2", "2 * X[vi, vj]"),
    ELEMENTS("1", "16", "X[vi, vj] * 2", "X[vi, vj] + X[vi, vj]"),
    ELEMENTS("2", "4", "X[vi, vj] * 2 + 1", "1 + X[vi, vj] * 2"),
    ELEMENTS("4", "16", "X[vi, vj] + 1", "X[vi, vj] + 1"),
    {PRODUCT("i, j, k"), PRODUCT("k, i, j")},
};

/// What changes the values by its meaning, or asks for a machine that is not here.
static bool is_left_out(const RlxPrimitive *p) {
  static const char *const names[] = {"bind",
                                      "unsafe_set_dtype",
                                      "set_scope",
                                      "hide_buffer_access",
                                      "unsafe_hide_buffer_access",
                                      "storage_align"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(p->name, names[i]) == 0) return true;
  return p->is_query;
}

// ---- random steps

typedef struct Walk {
  RlxTestRandom *random;
  RlxArena *arena;
  RlxBuf log;
} Walk;

static uint32_t below(Walk *w, uint32_t bound) { return rlx_test_below(w->random, bound); }

static RlxScheduleValue place(Walk *w, bool is_loop) {
  RlxScheduleValue v = {.kind = is_loop ? RLX_SCHEDULE_LOOP : RLX_SCHEDULE_BLOCK};
  v.ref =
      (RlxScheduleRef){.index = (int32_t)(is_loop ? below(w, 10) : 1 + below(w, 5)), .handle = -1};
  return v;
}

static RlxScheduleValue list_of(Walk *w, bool of_loops) {
  RlxScheduleValue v = {.kind = RLX_SCHEDULE_LIST, .count = 2 + below(w, 2)};
  v.items = rlx_arena_array(w->arena, RlxScheduleValue, v.count);
  int32_t first = (int32_t)below(w, 8), open = (int32_t)below(w, v.count + 1);
  bool is_down = below(w, 2);
  for (uint32_t i = 0; i < v.count; i++) {
    if (of_loops) {
      v.items[i] = place(w, true);
      if (below(w, 4))
        v.items[i].ref.index = is_down ? first + (int32_t)(v.count - 1 - i) : first + (int32_t)i;
    } else if ((int32_t)i == open)
      v.items[i].kind = RLX_SCHEDULE_NONE;
    else
      v.items[i] = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = 1 + below(w, 8)};
  }
  return v;
}

/// Numbers from 0: in another order when they name the variables of a block, else any.
static RlxScheduleValue integers(Walk *w, bool is_order) {
  RlxScheduleValue v = {.kind = RLX_SCHEDULE_LIST, .count = 1 + below(w, 3)};
  v.items = rlx_arena_array(w->arena, RlxScheduleValue, v.count);
  uint32_t first = below(w, v.count);
  for (uint32_t i = 0; i < v.count; i++) {
    uint32_t n = is_order ? (first + v.count - i) % v.count : below(w, 6);
    v.items[i] = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = n};
  }
  return v;
}

/// What the JIT's rules are told: bytes of a vector, vector registers, threads.
static RlxScheduleValue machine(Walk *w) {
  const int64_t numbers[] = {below(w, 2) ? 16 : 32, 16, 1 + below(w, 2)};
  RlxScheduleValue v = {.kind = RLX_SCHEDULE_LIST, .count = 3};
  v.items = rlx_arena_array(w->arena, RlxScheduleValue, v.count);
  for (uint32_t i = 0; i < v.count; i++)
    v.items[i] = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = numbers[i]};
  return v;
}

/// Neighbouring blocks, for the most part.
static RlxScheduleValue blocks(Walk *w) {
  RlxScheduleValue v = list_of(w, true);
  for (uint32_t i = 0; i < v.count; i++) {
    v.items[i].kind = RLX_SCHEDULE_BLOCK;
    v.items[i].ref.index = 1 + v.items[i].ref.index % 4;
  }
  return v;
}

static RlxScheduleValue intrinsic(Walk *w) {
  const char *const *texts = intrinsics[below(w, sizeof intrinsics / sizeof *intrinsics)];
  RlxScheduleValue *both = rlx_arena_one(w->arena, RlxScheduleValue);
  *both = (RlxScheduleValue){.kind = RLX_SCHEDULE_LIST, .count = 2};
  both->items = rlx_arena_array(w->arena, RlxScheduleValue, 2);
  for (int i = 0; i < 2; i++)
    both->items[i] = (RlxScheduleValue){.kind = RLX_SCHEDULE_STRING, .text = texts[i]};
  return (RlxScheduleValue){.kind = RLX_SCHEDULE_STRING, .text = "intrinsic", .more = both};
}

static RlxScheduleValue value_for(Walk *w, const RlxPrimitiveParam *p) {
  static const char *const maps[] = {"lambda i, j: (j, i)",
                                     "lambda i, j: (i * 16 + j,)",
                                     "lambda i, j: (i // 4, j // 4, i % 4, j % 4)",
                                     "lambda i: (i // 4, i % 4)",
                                     "lambda i, j, k: (j, i, k)",
                                     "lambda i, j, k: (i, j)",
                                     "lambda i, j: (i // 4, i % 4, j)"};
  static const char *const rules[] = {"contraction", "reduction", "guards", "distribute"};
  RlxScheduleValue v = {.kind = RLX_SCHEDULE_NONE};
  if (strcmp(p->name, "machine") == 0) return machine(w);
  switch ((RlxTakes)p->takes) {
  case RLX_TAKES_BLOCK: return place(w, false);
  case RLX_TAKES_LOOP: return place(w, true);
  case RLX_TAKES_NODE:
  case RLX_TAKES_GIVEN: return place(w, below(w, 2));
  case RLX_TAKES_TARGET: return below(w, 2) ? place(w, true) : blocks(w);
  case RLX_TAKES_LOOPS: return list_of(w, true);
  case RLX_TAKES_BLOCKS: return blocks(w);
  case RLX_TAKES_FACTORS: return list_of(w, false);
  case RLX_TAKES_INTS:
  case RLX_TAKES_NUMBERS: return integers(w, strcmp(p->name, "new_order") == 0);
  case RLX_TAKES_PADDING:
  case RLX_TAKES_SAYS:
  case RLX_TAKES_INT:
    v.kind = RLX_SCHEDULE_INT;
    v.integer = p->takes == RLX_TAKES_INT ? (int64_t)below(w, 5) - 2 : below(w, 5);
    return v;
  case RLX_TAKES_BOOL:
    v.kind = RLX_SCHEDULE_BOOL;
    v.boolean = below(w, 2);
    return v;
  case RLX_TAKES_NAME:
  case RLX_TAKES_SCOPE:
  case RLX_TAKES_THREAD:
  case RLX_TAKES_DTYPE:
  case RLX_TAKES_SIDE:
  case RLX_TAKES_ANN_KEY:
  case RLX_TAKES_RULE:
    v.kind = RLX_SCHEDULE_STRING;
    v.text = strcmp(p->name, "buf_type") == 0 ? (below(w, 2) ? "read" : "write") : "global";
    if (strcmp(p->name, "rule") == 0) v.text = rules[below(w, sizeof rules / sizeof *rules)];
    return v;
  case RLX_TAKES_LAMBDA:
    v.kind = RLX_SCHEDULE_LAMBDA;
    v.text = maps[below(w, sizeof maps / sizeof *maps)];
    if (strcmp(p->name, "gen_new_ranges") == 0)
      v.text =
          below(w, 2) ? "lambda i, j: ((i - 1, i + 2), (0, 16))" : "lambda i, j: (i, (j, j + 1))";
    return v;
  case RLX_TAKES_BUFFER:
  case RLX_TAKES_SIDED:
    v.kind = RLX_SCHEDULE_BUFFER;
    v.is_write = below(w, 2);
    v.ref = (RlxScheduleRef){.index = (int32_t)below(w, 2), .handle = -1};
    return v;
  case RLX_TAKES_INTRIN: return intrinsic(w);
  case RLX_TAKES_ANY:
  case RLX_TAKES_NUMBER:
  case RLX_TAKES_FACTOR: return v;
  }
  return v;
}

static RlxScheduleStep random_step(Walk *w) {
  int count = 0;
  while (rlx_primitive_at(count)) count++;
  RlxScheduleStep step = {0};
  const char *wanted = getenv("RLX_PRIMITIVE");
  if (wanted && below(w, 2)) step.primitive = rlx_primitive_find(wanted);
  while (!step.primitive || is_left_out(step.primitive))
    step.primitive = rlx_primitive_at((int)below(w, (uint32_t)count));
  for (int i = 0; i < rlx_primitive_param_count(step.primitive); i++) {
    const RlxPrimitiveParam *p = &step.primitive->params[i];
    if (p->is_optional && below(w, 3)) continue;
    step.args[i] = value_for(w, p);
  }
  return step;
}

// ---- running

/// A script in which `call` runs the PrimFunc, through its shapes as they are.
static int wanted(const char *variable, int otherwise) {
  const char *given = getenv(variable);
  return given ? atoi(given) : otherwise;
}

static void script_of(const char *prim_func, RlxBuf *out) {
  rlx_buf_puts(out, "from tvm.script import ir as I, relax as R, tirx as T\n\n");
  rlx_buf_puts(out, prim_func);
}

/// The bytes of all buffers behind a call of `main`, whose parameters are `shapes`, with its loops as they are
/// written where `keeps_loops`; NULL: it could not be run.
static char *results(const char *prim_func, bool keeps_loops, const char *const *shapes, int count,
                     RlxBuf *problem) {
  RlxBuf script = {0};
  script_of(prim_func, &script);
  const RlxJitOptions options = {.threads = wanted("RLX_THREADS", 1), .keeps_loops = keeps_loops};
  Rig r = rig_open_with(rlx_buf_text(&script), &options);
  RlxName name = rlx_store_intern(rlx_analyzer_store(r.analyzer), "main", 4);
  RlxObject *args[BUFFERS] = {0};
  RlxRunError err = {0};
  RlxBuf bytes = {0};
  for (int i = 0; i < count; i++) {
    args[i] = rlx_object_parse(rlx_jit_heap(r.jit), shapes[i], rlx_dtype_unknown(), &err.error);
    assert_non_null(args[i]);
  }
  RlxObject *x = rlx_program_prepare(r.program, name, &err)
                     ? rlx_program_call(r.program, name, args, count, &err)
                     : NULL;
  if (!x) rlx_buf_printf(problem, "%s", err.error.text);
  for (int i = 0; i < count; i++) {
    if (x) rlx_object_print(args[i], &bytes);
    rlx_object_unref(args[i]);
  }
  bool ok = x != NULL;
  rlx_object_unref(x);
  rig_close(&r);
  rlx_buf_free(&script);
  if (ok) return rlx_buf_steal(&bytes);
  rlx_buf_free(&bytes);
  return NULL;
}

/// The buffers of a PrimFunc's parameters as literals, where a dimension that is not stated is `n`.
static int literals(const RlxPrimFunc *f, int n, char out[BUFFERS][64], const char **list) {
  for (int i = 0; i < f->param_count; i++) {
    size_t at = 0;
    const RlxTirBuffer *b = f->params[i].buffer;
    for (int d = 0; d < b->ndim; d++)
      at +=
          (size_t)snprintf(out[i] + at, 64 - at, "%s%lld", d ? "x" : "",
                           b->shape[d]->kind == RLX_TIR_INT ? (long long)b->shape[d]->integer : n);
    bool is_float = b->dtype.code == RLX_DTYPE_FLOAT;
    snprintf(out[i] + at, 64 - at, ":%s:random(%d)", is_float ? "float32" : "int32", i + 1);
    list[i] = out[i];
  }
  return f->param_count;
}

/// `text` with parallel and vectorized loops as serial ones that run backwards; NULL: it has none.
static char *backwards(const char *text) {
  RlxBuf out = {0};
  bool has_any = false;
  for (const char *at = text, *end; *at; at = end) {
    const char *next = strchr(at, '\n');
    end = next ? next + 1 : at + strlen(at);
    int indent = 0, from = 0;
    char name[64], kind[32], first[64] = "0", last[64];
    if (sscanf(at, " %nfor %63[A-Za-z0-9_] in T.%31[a-z](%63[^,)]%n", &indent, name, kind, last,
               &from) < 3 ||
        !from || strpbrk(last, "([") ||
        (strcmp(kind, "parallel") != 0 && strcmp(kind, "vectorized") != 0)) {
      rlx_buf_putn(&out, at, (size_t)(end - at));
      continue;
    }
    if (at[from] == ',' && at[from + 2] != 'a') { // the first one is given: `T.parallel(2, 8)`
      strcpy(first, last);
      sscanf(at + from, ", %63[^,)]", last);
    }
    rlx_buf_printf(&out, "%*sfor %s_back in range((%s) - (%s)):\n", indent, "", name, last, first);
    rlx_buf_printf(&out, "%*sfor %s in range((%s) - 1 - %s_back, (%s) - %s_back):\n", indent + 2,
                   "", name, last, name, last, name);
    has_any = true;
  }
  if (has_any) return rlx_buf_steal(&out);
  rlx_buf_free(&out);
  return NULL;
}

// ---- one walk

static void note(Walk *w, const RlxSchedule *s, const RlxScheduleStep *step) {
  rlx_buf_puts(&w->log, "    ");
  rlx_trace_print_step(s, step, &w->log);
  rlx_buf_putc(&w->log, '\n');
}

static bool is_symbolic_function(const RlxPrimFunc *f) {
  for (int i = 0; i < f->param_count; i++)
    for (int d = 0; d < f->params[i].buffer->ndim; d++)
      if (f->params[i].buffer->shape[d]->kind != RLX_TIR_INT) return true;
  return false;
}

/// Runs what was, as it is written, against what was and what came out with and without the JIT's own rules;
/// what came out runs its parallel and vectorized loops backwards, too. 1: they differ.
static int compare(const Walk *w, const char *before, const char *after, const char *const *shapes,
                   int count, int n) {
  RlxBuf problem = {0};
  int failed = 0;
  char *turned = backwards(after), *want = results(before, true, shapes, count, &problem);
  if (!want) printf("%s of\n%s\n", rlx_buf_text(&problem), before);
  assert_non_null(want);
  const struct {
    const char *text, *how;
    bool keeps_loops;
  } ways[] = {{after, " as written", true},
              {before, " by the JIT", false},
              {after, " scheduled and by the JIT", false},
              {turned, " backwards", true}};
  for (size_t way = 0; way < sizeof ways / sizeof *ways && !failed; way++) {
    if (!ways[way].text) continue;
    char *got = results(ways[way].text, ways[way].keeps_loops, shapes, count, &problem);
    if (!got || strcmp(want, got) != 0) {
      printf("%s%s with n = %d after\n%sof\n%s\ngives\n%s\n",
             got ? "other values" : rlx_buf_text(&problem), ways[way].how, n, rlx_buf_text(&w->log),
             before, ways[way].text);
      failed = 1;
    }
    free(got);
  }
  free(turned);
  free(want);
  rlx_buf_free(&problem);
  return failed;
}

static int walk(const char *form, RlxTestRandom *random, int *accepted) {
  Walk w = {.random = random, .arena = rlx_arena_new()};
  RlxBuf script = {0}, before = {0}, after = {0};
  script_of(form, &script);
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&script), (uint32_t)script.size);
  RlxStore *store = rlx_analyzer_store(analyzer);
  RlxSchedule *s = rlx_schedule_new(store);
  rlx_schedule_set_rewriter(s, rlx_jit_rewriter());
  RlxFunctionViews views = {0};
  rlx_file_functions(file, &views);
  assert_int_equal(views.count, 1);
  rlx_schedule_add(s, rlx_file_primfunc(file, views.at[0].stmt, NULL), views.at[0].stmt->start);
  rlx_vec_free(&views);
  rlx_primfunc_print(store, rlx_schedule_function(s, 0), RLX_DIALECT_025, 0, &before);
  char text[BUFFERS][64], text_after[BUFFERS][64];
  const char *shapes[BUFFERS], *shapes_after[BUFFERS];
  int count = literals(rlx_schedule_function(s, 0), RANDOM_PRIMFUNC_N, text, shapes);
  int steps = 0, failed = 0;
  const RlxTirBuffer *params[BUFFERS];
  for (int i = 0; i < count; i++) params[i] = rlx_schedule_function(s, 0)->params[i].buffer;
  for (int i = 0; i < TRIES && steps < STEPS; i++) {
    RlxScheduleStep step = random_step(&w);
    RlxBuf was = {0}, is = {0};
    rlx_primfunc_print(store, rlx_schedule_function(s, 0), RLX_DIALECT_025, 0, &was);
    RlxScheduleAnswer a = rlx_schedule_apply(s, &step);
    rlx_primfunc_print(store, rlx_schedule_function(s, 0), RLX_DIALECT_025, 0, &is);
    if (a.ok) {
      note(&w, s, &step);
      steps++;
      failed |= !is_known_as_from_scratch(s);
    } else if (strcmp(rlx_buf_text(&was), rlx_buf_text(&is)) != 0) {
      printf("a refused step changed something: %s\n", step.primitive->name);
      failed = 1;
    }
    rlx_buf_free(&was);
    rlx_buf_free(&is);
  }
  rlx_primfunc_print(store, rlx_schedule_function(s, 0), RLX_DIALECT_025, 0, &after);
  int count_after =
      literals(rlx_schedule_function(s, 0), RANDOM_PRIMFUNC_N, text_after, shapes_after);
  bool is_same_call = count == count_after; // a parameter of another layout has other bytes
  for (int i = 0; is_same_call && i < count; i++)
    is_same_call = params[i] == rlx_schedule_function(s, 0)->params[i].buffer;
  // Where a dimension is a symbol, loops may be empty, or of one iteration.
  const int sizes[] = {RANDOM_PRIMFUNC_N, 1, 0};
  bool is_symbolic = is_symbolic_function(rlx_schedule_function(s, 0));
  for (int i = 0; is_same_call && steps && !failed && i < (is_symbolic ? 3 : 1); i++) {
    literals(rlx_schedule_function(s, 0), sizes[i], text, shapes);
    failed = compare(&w, rlx_buf_text(&before), rlx_buf_text(&after), shapes, count, sizes[i]);
  }
  while (rlx_schedule_undo(s)) continue;
  rlx_buf_clear(&after);
  rlx_primfunc_print(store, rlx_schedule_function(s, 0), RLX_DIALECT_025, 0, &after);
  if (strcmp(rlx_buf_text(&before), rlx_buf_text(&after)) != 0) {
    printf("undoing does not give back what was:\n%s%s", rlx_buf_text(&w.log),
           rlx_buf_text(&after));
    failed = 1;
  }
  *accepted += steps;
  rlx_schedule_free(s);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&script);
  rlx_buf_free(&before);
  rlx_buf_free(&after);
  rlx_buf_free(&w.log);
  rlx_arena_free(w.arena);
  return failed;
}

static RlxTestRandom random_wanted(void) {
  const char *seed = getenv("RLX_SEED");
  return rlx_test_random(seed ? (uint64_t)atoll(seed) : 1);
}

static void accepted_steps_keep_the_values(void **state) {
  NEEDS_LLVM();
  RlxTestRandom random = random_wanted();
  int walks = wanted("RLX_WALKS", 40), failed = 0, accepted = 0;
  for (int i = 0; i < walks && failed < 3; i++) {
    char *made = i % 2 ? random_primfunc(&random) : NULL;
    failed += walk(made ? made : forms[i / 2 % FORMS], &random, &accepted);
    free(made);
  }
  printf("%d walks, %d steps accepted\n", walks, accepted);
  assert_int_equal(failed, 0);
  assert_true(accepted >= walks / 2);
}

static void values_that_leave_their_types_stay_the_same(void **state) {
  NEEDS_LLVM();
  RlxTestRandom random = random_wanted();
  Hostile lines[HOSTILE_MAX];
  int walks = wanted("RLX_HOSTILE", 24), count = hostile_lines(lines), failed = 0, accepted = 0;
  assert_true(count > 70);
  for (int i = 0; i < walks && failed < 3; i++) {
    char *made = hostile_primfunc(&random, lines, count);
    failed += walk(made, &random, &accepted);
    free(made);
  }
  printf("%d walks, %d steps accepted\n", walks, accepted);
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(accepted_steps_keep_the_values),
                                     cmocka_unit_test(values_that_leave_their_types_stay_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
