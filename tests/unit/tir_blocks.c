/// The block analysis: numbering, scopes, dependencies, verdicts.
#include <string.h>

#include "analyzer/script/script.h"
#include "analyzer/syntax/document.h"
#include "analyzer/tir/blocks.h"
#include "tests/test.h"

typedef struct Made {
  RlxStore *store;
  RlxDocument *doc;
  RlxPrimFunc *f;
  RlxArena *arena;
  RlxTirAnalysis *a;
} Made;

static Made make(const char *script) {
  Made m = {.store = rlx_store_new(), .arena = rlx_arena_new()};
  m.doc = rlx_document_new(m.store, NULL, NULL);
  rlx_document_set_text(m.doc, script, (uint32_t)strlen(script));
  m.f = rlx_primfunc_lower(m.store, rlx_document_root(m.doc)->stmts[0], NULL, NULL);
  assert_false(m.f->has_holes);
  m.a = rlx_tir_analyze(m.store, m.f, m.arena, NULL);
  return m;
}

static void drop(Made *m) {
  rlx_arena_free(m->arena);
  rlx_primfunc_free(m->f);
  rlx_document_free(m->doc);
  rlx_store_free(m->store);
}

static const char matmul[] =
    "@T.prim_func(s_tir=True)\n"
    "def main(A: T.Buffer((8, 8), \"float32\"), C: T.Buffer((8, 8), \"float32\")):\n"
    "    for i, j in T.grid(8, 8):\n"
    "        with T.sblock(\"init\"):\n"
    "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            T.reads()\n"
    "            T.writes(C[vi, vj])\n"
    "            C[vi, vj] = T.float32(0.0)\n"
    "        for k in range(8):\n"
    "            with T.sblock(\"update\"):\n"
    "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
    "                T.reads(C[vi, vj], A[vi, 0:vk + 1])\n"
    "                T.writes(C[vi, vj])\n"
    "                C[vi, vj] = C[vi, vj] + A[vi, vk] * A[vi, 0]\n";

static void blocks_and_loops_are_numbered_in_preorder(void **state) {
  (void)state;
  Made m = make(matmul);
  assert_int_equal(m.a->block_count, 3);
  assert_int_equal(m.a->loop_count, 3);
  assert_string_equal(rlx_tir_block_name(m.a, 0), "root");
  assert_string_equal(rlx_tir_block_name(m.a, 2), "update");
  const RlxTirBlockInfo *update = &m.a->blocks[2];
  assert_int_equal(update->scope, 0);
  assert_int_equal(update->loop_count, 3);
  assert_int_equal(update->loops[2], 2);
  assert_int_equal(m.a->loops[0].block_count, 2);
  assert_int_equal(m.a->loops[2].type, RLX_LOOP_REDUCE);
  assert_int_equal(rlx_tir_common_loop(m.a, 1, 2), 1);
  assert_ptr_equal(rlx_tir_block_info(m.a, update->stmt), update);
  RlxBuf out = {0};
  rlx_tir_box_print(m.a, &update->reads.at[1], &out);
  assert_string_equal(rlx_buf_text(&out), "A[vi, 0:vk + 1]");
  rlx_buf_free(&out);
  drop(&m);
}

static void dependencies_and_verdicts_name_their_condition(void **state) {
  (void)state;
  Made m = make(matmul);
  RlxTirDependencyWalk walk = rlx_tir_dependencies(-1);
  RlxTirDependency d;
  assert_true(rlx_tir_next_dependency(m.a, &walk, &d));
  assert_int_equal(d.kind, RLX_DEPENDENCY_RAW);
  assert_true(rlx_tir_next_dependency(m.a, &walk, &d));
  assert_int_equal(d.kind, RLX_DEPENDENCY_WAW);
  assert_false(rlx_tir_next_dependency(m.a, &walk, &d));
  const RlxTirBlockInfo *init = &m.a->blocks[1], *update = &m.a->blocks[2];
  assert_true(init->affine_binding.is);
  assert_true(init->trivial_binding.is);
  assert_true(init->output_block.is);
  assert_false(init->dominant.is);
  assert_string_equal(init->dominant.reason, "block \"update\" writes C too");
  assert_int_equal(init->complete.violates, 2);
  assert_int_equal(update->complete.violates, 1);
  assert_int_equal(update->reduction.violates, 1);
  drop(&m);
}

// ------------------------------------------------------------------ regions

#define HEAD                                                                                       \
  "@T.prim_func(s_tir=True)\n"                                                                     \
  "def main(A: T.Buffer((16, 16), \"float32\"), I: T.Buffer((16,), \"int32\"), "                   \
  "C: T.Buffer((16,), \"float32\"), D: T.Buffer((16,), \"float32\"), "                             \
  "E: T.Buffer((16,), \"int32\"), n: T.int32):\n"

static void expect_boxes(const RlxTirAnalysis *a, const RlxTirBoxes *boxes, const char *expected) {
  RlxBuf out = {0};
  for (int i = 0; i < boxes->count; i++) {
    if (i) rlx_buf_puts(&out, " ");
    rlx_tir_box_print(a, &boxes->at[i], &out);
    if (!boxes->at[i].is_exact) rlx_buf_putc(&out, '~');
  }
  assert_string_equal(rlx_buf_text(&out), expected);
  rlx_buf_free(&out);
}

typedef struct RegionCase {
  const char *body;           ///< of a block with vi in 16
  const char *reads, *writes; ///< `~`: not known to be touched in full
} RegionCase;

static const RegionCase region_cases[] = {
    {"C[vi] = A[vi, 0] + A[vi, 3]", "A[vi, 0:4]~", "C[vi]"},
    {"for k in range(4):\n                C[k] = A[vi, k * 2]", "A[vi, 0:7]~", "C[0:4]"},
    {"for k in range(4):\n                C[k] = A[k, k]", "A[0:4, 0:4]~", "C[0:4]"},
    {"for k in range(vi):\n                C[vi] = C[vi] + A[vi, k]", "C[vi] A[vi, 0:vi]", "C[vi]"},
    {"C[vi] = A[I[vi], vi]", "A[0:16, vi]~ I[vi]", "C[vi]"},
    {"if vi < n:\n                C[vi] = A[vi, 0]", "A[vi, 0]~", "C[vi]~"},
    {"for k in range(8):\n                if k < 5:\n                    C[k] = A[vi, k]\n"
     "                else:\n                    D[k] = A[vi, k]",
     "A[vi, 0:8]~", "C[0:5]~ D[5:8]~"},
    {"j = vi + 1\n            C[j] = A[j, 0]", "A[vi + 1, 0]", "C[vi + 1]"},
    {"with T.init():\n                C[vi] = T.float32(0)\n            C[vi] = C[vi] + A[vi, vi]",
     "A[vi, vi]", "C[vi]"},
    {"L = T.sblock_alloc_buffer((4,))\n            L[0] = A[vi, 0]\n            C[vi] = L[0]",
     "A[vi, 0]", "C[vi]"},
    {"V = T.match_buffer(A[vi, 4:8], (4,))\n            C[vi] = V[1]", "A[vi, 5]", "C[vi]"},
    {"C[vi] = T.if_then_else(vi > 0, A[vi - 1, 0], T.float32(0))", "A[vi - 1, 0]~", "C[vi]"},
    {"for k in range(4):\n                with T.sblock(\"inner\"):\n"
     "                    vk = T.axis.spatial(4, k)\n                    C[vk] = A[vi, vk]",
     "A[vi, 0:4]~", "C[0:4]~"},
};

static void regions_are_deduced_from_the_body(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof region_cases / sizeof *region_cases; i++) {
    RlxBuf script = {0};
    rlx_buf_printf(&script,
                   HEAD "    for i in range(16):\n        with T.sblock(\"b\"):\n"
                        "            vi = T.axis.spatial(16, i)\n            %s\n",
                   region_cases[i].body);
    Made m = make(rlx_buf_text(&script));
    expect_boxes(m.a, &m.a->blocks[1].reads, region_cases[i].reads);
    expect_boxes(m.a, &m.a->blocks[1].writes, region_cases[i].writes);
    drop(&m);
    rlx_buf_free(&script);
  }
}

// ------------------------------------------------------------------ cover

typedef struct CoverCase {
  const char *make, *use; ///< bodies of two blocks in the same loop i of 4
  const char *reason;     ///< why the second is not covered, "" when it is
} CoverCase;

static const CoverCase cover_cases[] = {
    {"for j in range(4):\n            with T.sblock(\"make\"):\n"
     "                v = T.axis.spatial(16, i * 4 + j)\n                C[v] = A[v, 0]",
     "for j in range(4):\n            with T.sblock(\"use\"):\n"
     "                v = T.axis.spatial(16, i * 4 + j)\n                D[v] = C[v]",
     ""},
    {"for j in range(4):\n            with T.sblock(\"make\"):\n"
     "                v = T.axis.spatial(16, i * 4 + j)\n                C[v] = A[v, 0]",
     "for j in range(4):\n            with T.sblock(\"use\"):\n"
     "                v = T.axis.spatial(16, i * 4 + j)\n                D[v] = C[v - 1]",
     "in one iteration of i it reads C[i * 4 - 1:i * 4 + 3], of which \"make\" writes "
     "C[i * 4:i * 4 + 4]"},
    // Every second element is written: the hull covers, the block does not.
    {"for j in range(8):\n            with T.sblock(\"make\"):\n"
     "                v = T.axis.spatial(16, j * 2 + i // 4)\n                C[v] = A[v, 0]",
     "for j in range(4):\n            with T.sblock(\"use\"):\n"
     "                v = T.axis.spatial(16, i * 4 + j)\n                D[v] = C[v]",
     "in one iteration of i it reads C[i * 4:i * 4 + 4], and it is not proved that \"make\" writes "
     "all of it"},
    // What lies outside of the buffer need not be written.
    {"for j in range(16):\n            with T.sblock(\"make\"):\n"
     "                v = T.axis.spatial(16, j)\n                C[v] = A[v, 0]",
     "for j in range(4):\n            with T.sblock(\"use\"):\n"
     "                v = T.axis.spatial(16, i * 4 + j)\n                D[v] = C[v + 3]",
     ""},
};

static void a_consumer_is_covered_below_the_common_loop(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cover_cases / sizeof *cover_cases; i++) {
    RlxBuf script = {0};
    rlx_buf_printf(&script, HEAD "    for i in range(4):\n        %s\n        %s\n",
                   cover_cases[i].make, cover_cases[i].use);
    Made m = make(rlx_buf_text(&script));
    const RlxTirVerdict *v = &m.a->blocks[2].region_cover;
    assert_string_equal(v->reason, cover_cases[i].reason);
    assert_int_equal(v->is, !*v->reason);
    assert_int_equal(m.a->blocks[0].stage_pipeline.is, v->is);
    drop(&m);
    rlx_buf_free(&script);
  }
}

// ------------------------------------------------------------------ reducers

typedef struct ReducerCase {
  const char *body; ///< of a block with vi (spatial) and vk (reduce)
  const char *reducer;
  const char *vi, *vk; ///< inferred types, "?" where undecided
} ReducerCase;

static const ReducerCase reducer_cases[] = {
    {"C[vi] = C[vi] + A[vi, vk]", "sum", "data_par", "reduce"},
    {"C[vi] = A[vi, vk] + C[vi]", "sum", "data_par", "reduce"},
    {"C[vi] = C[vi] + A[vi, vk] + D[vk]", "sum", "data_par", "reduce"},
    {"C[vi] = C[vi] * A[vi, vk]", "prod", "data_par", "reduce"},
    {"C[vi] = T.max(C[vi], A[vi, vk])", "max", "data_par", "reduce"},
    {"C[vi] = T.min(A[vi, vk], C[vi])", "min", "data_par", "reduce"},
    {"C[vi] = C[vi] - A[vi, vk]", "", "data_par", "ordered"},
    {"C[vi] = C[vi] + C[vi]", "", "data_par", "ordered"},
    {"C[vi] = C[0] + A[vi, vk]", "", "?", "ordered"},
    {"C[vi] = A[vi, vk]", "", "data_par", "?"},
    {"C[vi + vk] = A[vi, vk]", "", "?", "?"},
    {"C[vi] = C[vi - 1] + A[vi, 0]", "", "?", "ordered"},
    {"e: T.int32 = T.Select(C[vi] >= A[vi, vk], E[vi], vk)\n"
     "            c: T.float32 = T.Select(C[vi] >= A[vi, vk], C[vi], A[vi, vk])\n"
     "            E[vi] = e\n            C[vi] = c",
     "argmax", "data_par", "reduce"},
    {"e: T.int32 = T.Select(A[vi, vk] > C[vi] or A[vi, vk] == C[vi] and E[vi] < vk, E[vi], vk)\n"
     "            c: T.float32 = T.Select(A[vi, vk] > C[vi], C[vi], A[vi, vk])\n"
     "            E[vi] = e\n            C[vi] = c",
     "argmin", "data_par", "reduce"},
    {"e: T.int32 = T.Select(C[vi] >= A[vi, vk], E[vi], vk)\n"
     "            c: T.float32 = T.Select(C[vi] <= A[vi, vk], C[vi], A[vi, vk])\n"
     "            E[vi] = e\n            C[vi] = c",
     "", "data_par", "ordered"},
};

static const char *inferred(const RlxTirIterInfo *info) {
  return info->is_inferred ? rlx_tir_iter_type_name((RlxTirIterType)info->inferred) : "?";
}

static void updates_are_recognised(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof reducer_cases / sizeof *reducer_cases; i++) {
    const ReducerCase *c = &reducer_cases[i];
    RlxBuf script = {0};
    rlx_buf_printf(&script,
                   HEAD "    for i, k in T.grid(16, 16):\n        with T.sblock(\"b\"):\n"
                        "            vi, vk = T.axis.remap(\"SR\", [i, k])\n            %s\n",
                   c->body);
    Made m = make(rlx_buf_text(&script));
    const RlxTirBlockInfo *b = &m.a->blocks[1];
    assert_string_equal(rlx_tir_reducer_name((RlxTirReducer)b->reducer), c->reducer);
    assert_string_equal(inferred(&b->iters[0]), c->vi);
    assert_string_equal(inferred(&b->iters[1]), c->vk);
    assert_int_equal(b->incremental.is, *c->reducer != 0);
    drop(&m);
    rlx_buf_free(&script);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_and_loops_are_numbered_in_preorder),
      cmocka_unit_test(dependencies_and_verdicts_name_their_condition),
      cmocka_unit_test(regions_are_deduced_from_the_body),
      cmocka_unit_test(a_consumer_is_covered_below_the_common_loop),
      cmocka_unit_test(updates_are_recognised)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
