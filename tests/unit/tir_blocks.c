/// The block analysis: numbering, scopes, dependencies, verdicts.
#include <string.h>

#include "analyzer/document.h"
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/script.h"
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
  m.a = rlx_tir_analyze(m.store, m.f, m.arena);
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
  assert_int_equal(m.a->dependency_count, 2);
  assert_int_equal(m.a->dependencies[0].kind, RLX_DEPENDENCY_RAW);
  assert_int_equal(m.a->dependencies[1].kind, RLX_DEPENDENCY_WAW);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_and_loops_are_numbered_in_preorder),
      cmocka_unit_test(dependencies_and_verdicts_name_their_condition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
