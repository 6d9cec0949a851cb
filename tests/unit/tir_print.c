/// Printing of PrimFuncs: built by hand, in both dialects; read from a script, the script comes
/// back.
#include <string.h>

#include "analyzer/script/script.h"
#include "analyzer/syntax/document.h"
#include "tests/test.h"

static RlxName name_of(RlxStore *store, const char *text) {
  return rlx_store_intern(store, text, strlen(text));
}

static void built_by_hand(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  RlxPrimFunc *f = rlx_primfunc_new(name_of(store, "scale"));
  RlxTirVar *n = rlx_tir_var(f, name_of(store, "n"), RLX_INT64);
  RlxTirVar *i = rlx_tir_var(f, name_of(store, "i"), RLX_INT64),
            *vi = rlx_tir_var(f, name_of(store, "i"), RLX_INT64);
  RlxTirExpr *size = rlx_tir_var_expr(f, n), *at = rlx_tir_var_expr(f, vi);
  RlxTirBuffer *a = rlx_tir_buffer(f, name_of(store, "A"), RLX_FLOAT32, &size, 1),
               *b = rlx_tir_buffer(f, name_of(store, "B"), RLX_FLOAT32, &size, 1);
  rlx_primfunc_add_buffer(f, a);
  rlx_primfunc_add_buffer(f, b);
  RlxTirExpr *sum =
      rlx_tir_binary(f, RLX_TIR_SUB, rlx_tir_load(f, a, &at), rlx_tir_float(f, 0.5, RLX_FLOAT32));
  RlxTirExpr *value = rlx_tir_binary(f, RLX_TIR_MUL, rlx_tir_float(f, 2, RLX_FLOAT32), sum);
  RlxTirIterVar iter = {vi, size, NULL, rlx_tir_var_expr(f, i), RLX_ITER_DATA_PAR};
  f->body = rlx_tir_for(
      f, i, size, RLX_FOR_SERIAL,
      rlx_tir_block(f, name_of(store, "b"), &iter, 1, NULL, rlx_tir_store(f, b, &at, value)));
  RlxBuf out = {0};
  rlx_primfunc_print(store, f, RLX_DIALECT_CLASSIC, 0, &out);
  assert_string_equal(rlx_buf_text(&out),
                      "@T.prim_func\n"
                      "def scale(var_A: T.handle, var_B: T.handle):\n"
                      "    n = T.int64()\n"
                      "    A = T.match_buffer(var_A, (n,))\n"
                      "    B = T.match_buffer(var_B, (n,))\n"
                      "    # with T.block(\"root\"):\n"
                      "    for i in range(n):\n"
                      "        with T.block(\"b\"):\n"
                      "            i_1 = T.axis.spatial(n, i)\n"
                      "            B[i_1] = T.float32(2.0) * (A[i_1] - T.float32(0.5))\n");
  rlx_buf_free(&out);
  rlx_primfunc_free(f);
  rlx_store_free(store);
}

static const char script[] =
    "@T.prim_func(s_tir=True)\n"
    "def main(A: T.Buffer((128, 128), \"float32\"), x: T.handle, k: T.int32):\n"
    "    T.func_attr({\"op_pattern\": 4, \"tirx.noalias\": True})\n"
    "    m = T.int64()\n"
    "    n = T.int64()\n"
    "    X = T.match_buffer(x, (m, n + T.int64(1)), \"int8\")\n"
    "    # with T.sblock(\"root\"):\n"
    "    B = T.sblock_alloc_buffer((128, 128), scope=\"shared\")\n"
    "    for i, j, r in T.grid(128, 128, 128):\n"
    "        with T.sblock(\"update\"):\n"
    "            vi, vj, vr = T.axis.remap(\"SSR\", [i, j, r])\n"
    "            T.reads(A[vi, vr], A[vj, vr])\n"
    "            T.writes(B[vi, vj])\n"
    "            with T.init():\n"
    "                B[vi, vj] = T.float32(0.0)\n"
    "            B[vi, vj] = B[vi, vj] + A[vi, vr] * A[vj, vr]\n"
    "    for i_0 in T.parallel(8):\n"
    "        for i_1 in T.vectorized(17):\n"
    "            with T.sblock(\"edge\"):\n"
    "                vi = T.axis.spatial(128, i_0 * 17 + i_1)\n"
    "                T.where(i_0 * 17 + i_1 < 128)\n"
    "                T.reads(B[vi, 0:16])\n"
    "                T.writes(A[vi, 0])\n"
    "                A[vi, 0] = T.if_then_else(vi % 2 == 0 and not k < 3, T.max(B[vi, 1], "
    "T.exp(B[vi, 2])), T.Cast(\"float32\", vi - (k - 1)))\n"
    "    for i in range(64):\n"
    "        with T.sblock(\"rows\"):\n"
    "            vi = T.axis.spatial(64, i)\n"
    "            T.reads(B[vi * 2:vi * 2 + 2, 0:128])\n"
    "            T.writes(A[vi, 0])\n"
    "            rows, columns = T.int32(), T.int32()\n"
    "            P = T.match_buffer(B[vi * 2:vi * 2 + 2, 0:128], (2, 128), strides=(rows, "
    "columns), "
    "offset_factor=1)\n"
    "            A[vi, 0] = P[0, 1] * T.Cast(\"float32\", rows + columns)\n"
    "    for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n"
    "        if t < 3:\n"
    "            A[t, 1] = T.float32(1.0000000000000001e-05)\n"
    "        else:\n"
    "            A[t, 2] = T.float32(\"-inf\") / (A[t, 3] + T.float32(2.0))\n";

static void what_is_read_comes_back(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  RlxDocument *doc = rlx_document_new(store, NULL, NULL);
  rlx_document_set_text(doc, script, sizeof script - 1);
  const RlxBlock *root = rlx_document_root(doc);
  assert_int_equal(root->count, 1);
  RlxPrimFunc *f = rlx_primfunc_lower(store, root->stmts[0], NULL, NULL);
  assert_false(f->has_holes);
  RlxBuf out = {0};
  rlx_primfunc_print(store, f, RLX_DIALECT_025, 0, &out);
  assert_string_equal(rlx_buf_text(&out), script);
  rlx_buf_free(&out);
  rlx_primfunc_free(f);
  rlx_document_free(doc);
  rlx_store_free(store);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(built_by_hand),
                                     cmocka_unit_test(what_is_read_comes_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
