/// Questions about loops: races with their witnesses, the one-way dataflow check, compute_at's
/// checks; and the checks against what TVM's schedules accept, where ../shared/corpus is there.
#include "analyzer/analyzer.h"
#include "tests/test.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <string.h>

#include "analyzer/script/script.h"
#include "analyzer/syntax/document.h"
#include "analyzer/tir/loops.h"
#include "base/file.h"

typedef struct Module { // the first PrimFunc of a script
  RlxAnalyzer *analyzer;
  RlxFile *file;
  RlxPrimFunc *f;
  RlxArena *arena;
  RlxTirAnalysis *a;
  RlxTirAccesses accesses;
} Module;

static void open_module(Module *m, const char *text) {
  *m = (Module){.analyzer = rlx_analyzer_new(NULL), .arena = rlx_arena_new()};
  m->file = rlx_file_open(m->analyzer, text, (uint32_t)strlen(text));
  RlxFunctionViews views = {0};
  rlx_file_functions(m->file, &views);
  for (uint32_t i = 0; i < views.count && !m->f; i++)
    if (views.at[i].kind == RLX_ISLAND_PRIM_FUNC)
      m->f = rlx_file_primfunc(m->file, views.at[i].stmt, NULL);
  rlx_vec_free(&views);
  assert_non_null(m->f);
  m->a = rlx_tir_analyze(rlx_analyzer_store(m->analyzer), m->f, m->arena, NULL);
  m->accesses = rlx_tir_accesses(m->a);
}

static void close_module(Module *m) {
  rlx_primfunc_free(m->f);
  rlx_arena_free(m->arena);
  rlx_file_close(m->file);
  rlx_analyzer_free(m->analyzer);
}

// ---- TVM's answers

typedef struct Count {
  int both, neither, only_we, only_tvm, asked;
  int against_rule; // accepted by rlx only, and TVM's refusal is no internal failure
} Count;

static int index_of(const cJSON *args, const char *key) {
  return (int)cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetObjectItem(args, key), 2));
}

static void ask_probe(const Module *m, const cJSON *probe, const char *file, Count *count) {
  const char *primitive = cJSON_GetStringValue(cJSON_GetObjectItem(probe, "primitive"));
  const cJSON *args = cJSON_GetObjectItem(probe, "args");
  const cJSON *error = cJSON_GetObjectItem(probe, "error");
  bool is_forward = strcmp(primitive, "compute_at") == 0;
  if (!is_forward && strcmp(primitive, "reverse_compute_at") != 0) return;
  int block = index_of(args, "block"), loop = index_of(args, "loop");
  if (block >= m->a->block_count || loop >= m->a->loop_count) return;
  RlxTirMoveVerdict v = is_forward
                            ? rlx_tir_can_compute_at(m->a, &m->accesses, block, loop)
                            : rlx_tir_can_reverse_compute_at(m->a, &m->accesses, block, loop);
  bool theirs = cJSON_IsTrue(cJSON_GetObjectItem(probe, "ok")), ours = v.verdict.is;
  count->asked++;
  *(ours     ? theirs ? &count->both : &count->only_we
    : theirs ? &count->only_tvm
             : &count->neither) += 1;
  const char *kind = cJSON_GetStringValue(cJSON_GetObjectItem(error, "kind"));
  count->against_rule += ours && !theirs && kind && strcmp(kind, "ScheduleError") == 0;
  if (ours == theirs || !getenv("RLX_SHOW")) return;
  const char *why = cJSON_GetStringValue(cJSON_GetObjectItem(error, "message"));
  printf("%s %s block %d loop %d: %s\n", file, primitive, block, loop,
         ours ? why ? why : "" : v.verdict.reason);
}

static void ask_folder(const char *probes, const char *modules, Count *count) {
  DIR *dir = opendir(probes);
  for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
    size_t size = strlen(e->d_name);
    if (size < 6 || strcmp(e->d_name + size - 5, ".json") != 0) continue;
    RlxBuf json = {0}, script = {0}, path = {0};
    rlx_buf_printf(&path, "%s/%s", probes, e->d_name);
    assert_true(rlx_file_read(rlx_buf_text(&path), &json, NULL));
    rlx_buf_clear(&path);
    rlx_buf_printf(&path, "%s/%.*s.py", modules, (int)size - 5, e->d_name);
    cJSON *root = cJSON_Parse(rlx_buf_text(&json));
    if (rlx_file_read(rlx_buf_text(&path), &script, NULL)) {
      Module m;
      open_module(&m, rlx_buf_text(&script));
      const cJSON *probe = cJSON_GetObjectItem(root, "probes");
      for (probe = probe ? probe->child : NULL; probe; probe = probe->next)
        ask_probe(&m, probe, e->d_name, count);
      close_module(&m);
    }
    cJSON_Delete(root);
    rlx_buf_free(&json);
    rlx_buf_free(&script);
    rlx_buf_free(&path);
  }
  if (dir) closedir(dir);
}

static void moves_agree_with_tvm(void **state) {
  (void)state;
  Count count = {0};
  ask_folder("../shared/corpus/tir/legality", "../shared/corpus/tir/analysis", &count);
  ask_folder("../shared/corpus/tir/seed", "../shared/corpus/tir/seed", &count);
  printf("compute_at: both accept %d, both refuse %d, only rlx accepts %d, only TVM %d\n",
         count.both, count.neither, count.only_we, count.only_tvm);
  if (!count.asked) {
    printf("no ../shared/corpus: skipped\n");
    skip();
  }
  assert_int_equal(count.against_rule, 0);
  assert_true(count.both > 780 && count.only_tvm < 100);
}

// ---- own cases

#define HEAD                                                                                       \
  "from tvm.script import tir as T\n@T.prim_func\n"                                                \
  "def f(A: T.Buffer((16,), \"float32\"), C: T.Buffer((16, 16), \"float32\")):\n"
#define BLOCK(name, axes, body) "        with T.block(\"" name "\"):\n            " axes "\n" body
#define LINE(text)              "            " text "\n"

/// The design document's first example: the producer's instances run once for every i0.
static const char spurious[] = HEAD "    for i0, j0 in T.grid(16, 16):\n" BLOCK(
    "A", "vj = T.axis.spatial(16, j0)",
    LINE("A[vj] = A[vj] + 1.0")) "    for i1, j1 in T.grid(16, 16):\n" BLOCK("B",
                                                                             "vi, vj = "
                                                                             "T.axis.remap(\"SS\", "
                                                                             "[i1, j1])",
                                                                             LINE("C[vi, vj] = "
                                                                                  "A[vj]"));

static const char pointwise[] =
    HEAD "    B = T.alloc_buffer((16,))\n    D = T.alloc_buffer((16,))\n    for i in "
         "range(16):\n" BLOCK(
             "B", "vi = T.axis.spatial(16, i)",
             LINE("B[vi] = A[vi] + 1.0")) "    for i, j in T.grid(16, "
                                          "16):\n" BLOCK("C",
                                                         "vi, vj = "
                                                         "T.axis.remap(\"SS\", "
                                                         "[i, j])",
                                                         LINE("C[vi, vj] = B[vi] * "
                                                              "2.0")) "    for i "
                                                                      "in "
                                                                      "range(15):"
                                                                      "\n" BLOCK("D",
                                                                                 "v"
                                                                                 "i"
                                                                                 " "
                                                                                 "="
                                                                                 " "
                                                                                 "T"
                                                                                 "."
                                                                                 "a"
                                                                                 "x"
                                                                                 "i"
                                                                                 "s"
                                                                                 "."
                                                                                 "s"
                                                                                 "p"
                                                                                 "a"
                                                                                 "t"
                                                                                 "i"
                                                                                 "a"
                                                                                 "l"
                                                                                 "("
                                                                                 "1"
                                                                                 "5"
                                                                                 ","
                                                                                 " "
                                                                                 "i"
                                                                                 ")",
                                                                                 LINE("D[vi] = "
                                                                                      "B[vi] + "
                                                                                      "B[vi + "
                                                                                      "1]"));

static void moves_are_judged(void **state) {
  (void)state;
  Module m;
  open_module(&m, spurious);
  RlxTirMoveVerdict v = rlx_tir_can_compute_at(m.a, &m.accesses, 1, 2);
  assert_false(v.verdict.is);
  assert_int_equal(v.verdict.violates, 1);
  v = rlx_tir_can_reverse_compute_at(m.a, &m.accesses, 2, 1);
  assert_false(v.verdict.is);
  assert_int_equal(v.verdict.violates, 1);
  assert_string_equal(v.verdict.reason,
                      "block \"A\" is neither complete (it reads A, which it writes) nor a "
                      "reduction (it has no T.init)");
  close_module(&m);

  open_module(&m, pointwise);
  v = rlx_tir_can_compute_at(m.a, &m.accesses, 1, 1); // D reads it, too
  assert_int_equal(v.verdict.violates, 3);
  v = rlx_tir_can_reverse_compute_at(m.a, &m.accesses, 2, 0);
  assert_true(v.first.is && v.verdict.is);
  v = rlx_tir_can_reverse_compute_at(m.a, &m.accesses, 3, 0);
  assert_int_equal(v.verdict.violates, 4);
  assert_string_equal(v.verdict.reason,
                      "an instance of block \"D\" reads B[0] and B[1], written at i#1 = 0 and 1");
  v = rlx_tir_can_compute_at(m.a, &m.accesses, 2, 0); // an output, and B writes before it
  assert_int_equal(v.verdict.violates, 4);
  close_module(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moves_are_judged),
      cmocka_unit_test(moves_agree_with_tvm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
