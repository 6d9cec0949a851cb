/// Symbolic integers: what constructors fold, how they print, what simplification and the prover
/// make of them.
#include "tests/test.h"

#include "analyzer/symbolic/poly.h"
#include "analyzer/symbolic/prim.h"
#include "analyzer/symbolic/prove.h"
#include "base/buf.h"
#include "tests/prim_text.h"

static const char *show(RlxStore *store, const RlxPrim *p, RlxBuf *buf) {
  rlx_buf_clear(buf);
  rlx_prim_print(store, p, buf);
  return rlx_buf_text(buf);
}

typedef struct TextPair {
  const char *from, *to;
} TextPair;

static void dtypes_read_and_write(void **state) {
  (void)state;
  static const char *const good[] = {
      "float32", "int8",     "bool",   "uint16",        "float8_e4m3fn", "float16x4",
      "handle",  "bfloat16", "int4x8", "float4_e2m1fn", "float6_e3m2fn", "float8_e4m3b11fnuz",
      "float8",  ""};
  static const char *const bad[] = {"bfloat17", "flot32", "int0",    "int32x0",
                                    "int32x",   "int32y", "Float32", "int999"};
  RlxDType t;
  char text[RLX_DTYPE_TEXT_MAX];
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    assert_true(rlx_dtype_parse(good[i], strlen(good[i]), &t));
    assert_string_equal(rlx_dtype_text(t, text), good[i]);
  }
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_false(rlx_dtype_parse(bad[i], strlen(bad[i]), &t));
  assert_int_equal(rlx_dtype_bytes(RLX_FLOAT32), 4);
  assert_true(rlx_dtype_parse("int4x8", 6, &t));
  assert_int_equal(rlx_dtype_bytes(t), 4);
}

static void constructors_fold_as_tvm(void **state) {
  (void)state;
  static const TextPair pairs[] = {
      {"2 + 3", "5"},
      {"n + 0", "n"},
      {"n * 1", "n"},
      {"n * 0", "0"},
      {"(n + 1) * 4", "(n + 1) * 4"},
      {"0 // n", "0"},
      {"n // 1", "n"},
      {"n % 1", "0"},
      {"min(n, n)", "n"},
      {"n * 3 + 3 - 1", "n * 3 + 3 - 1"},
      {"7 // 2", "3"},
      {"-7 // 2", "-4"},
      {"-7 % 4", "1"},
      {"2 * (b * v * 4) + 4", "2 * (b * v * 4) + 4"},
      {"1 + (n - 1)", "1 + (n - 1)"},
      {"n - (m - 1)", "n - (m - 1)"},
      {"max(16 - n, 0)", "T.max(16 - n, 0)"},
      {"select(n < 1, n * 2 - 1, n - 1)", "T.if_then_else(n < 1, n * 2 - 1, n - 1)"},
      {"(n + 3) // 4", "(n + 3) // 4"},
      {"n * 16 // w", "n * 16 // w"},
      {"n * (16 // w)", "n * (16 // w)"},
      {"i32(a) + 3", "a + 3"},
      {"i32(a) * m", "T.Cast(\"int64\", a) * m"},
      {"n % -4", "n % -4"},
      {"n == 1 and not (m == 2 or k < 1)", "n == 1 and not (m == 2 or k < 1)"},
  };
  RlxStore *store = rlx_store_new();
  RlxBuf buf = {0};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    assert_string_equal(show(store, prim_text(store, pairs[i].from), &buf), pairs[i].to);
  assert_ptr_equal(prim_text(store, "(n + 1) * m"), prim_text(store, "(n + 1) * m"));
  rlx_buf_free(&buf);
  rlx_store_free(store);
}

static void simplify_gives_the_canonical_form(void **state) {
  (void)state;
  static const TextPair pairs[] = {
      {"(n + 1) * 4 - 4", "n * 4"},
      {"n * m * 2 - 2 * m * n", "0"},
      {"4 * n // 4", "n"},
      {"(n * 8 + 3) // 8", "n"},
      {"(8 * n + 12) // 4", "n * 2 + 3"},
      {"n // 2 // 3", "n // 6"},
      {"(n // 2 + 1) // 3", "(n + 2) // 6"},
      {"(n * 4 + m) % 4", "m % 4"},
      {"n * 4 % 8", "n % 2 * 4"},
      {"n % 8 % 4", "n % 4"},
      {"n * m // m", "n"},
      {"n // (n + 1)", "0"},
      {"min(n, n + 1)", "n"},
      {"max(n + 3, n)", "n + 3"},
      {"min(n + 1, m + 2)", "T.min(n, m + 1) + 1"},
      {"max(n, 0)", "n"},
      {"abs(n)", "n"},
      {"abs(0 - n)", "n"},
      {"select(n >= 0, n, m)", "n"},
      {"n < n + 1", "True"},
      {"n >= 0", "True"},
      {"n + 1 == 0", "False"},
      {"2 * n == 5", "False"},
      {"2 * n == 6", "n == 3"},
      {"not (n < 4)", "4 <= n"},
      {"(n * 3 + 3 - 1) // 3 * 2 - (n * 3 + 3 - 1) // 3", "n"},
      {"(h + 2 * 1 - 3) // 1 + 1", "h"},
      {"(h + 2 - 1 * (3 - 1) - 1) // 2 + 1", "(h + 1) // 2"},
      {"N - 4 + 4", "N"},
      {"n - n // 4 * 4", "n % 4"},
      {"max(N, 0)", "T.max(N, 0)"},
      {"i32(a) + 1 - i32(a)", "T.int32(1)"},
      {"(i32(a) + 1) * m - m", "m * T.Cast(\"int64\", a)"},
      {"truncdiv(n, 2)", "n // 2"},
      {"shl(n, 2)", "n * 4"},
      {"bitand(n, 7)", "n % 8"},
      {"4 - n", "4 - n"},
      {"(n + 7) // 8 * 8", "(n + 7) // 8 * 8"},
  };
  RlxStore *store = rlx_store_new();
  RlxBuf buf = {0};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    const RlxPrim *p = prim_text(store, pairs[i].from);
    const char *text = show(store, rlx_prim_simplify(store, p), &buf);
    if (strcmp(text, pairs[i].to) != 0) printf("%s\n", pairs[i].from);
    assert_string_equal(text, pairs[i].to);
  }
  rlx_buf_free(&buf);
  rlx_store_free(store);
}

typedef struct ProofCase {
  const char *condition;
  RlxProof answer;
  const char *given; // separated by ';'
} ProofCase;

static const ProofCase proof_cases[] = {
    {"n * m * 2 == 2 * m * n", RLX_YES, NULL},
    {"(n + 1) * 4 - 4 == 4 * n", RLX_YES, NULL},
    {"n == n + 1", RLX_NO, NULL},
    {"n == n * 2", RLX_UNKNOWN, NULL},
    {"n + 1 == n * 2 + 2", RLX_NO, NULL},
    {"n == m", RLX_UNKNOWN, NULL},
    {"2 * n == 2 * m + 1", RLX_NO, NULL},
    {"n // 4 * 4 + n % 4 == n", RLX_YES, NULL},
    {"n // 4 * 4 == n", RLX_UNKNOWN, NULL},
    {"n // 4 * 4 == n", RLX_YES, "n % 4 == 0"},
    {"(n + 3) // 4 == n // 4", RLX_YES, "n % 4 == 0"},
    {"(n + 3) // 4 == n // 4", RLX_NO, "n % 4 == 1"},
    {"n // 2 <= n", RLX_YES, NULL},
    {"n // 2 * 2 <= n", RLX_YES, NULL},
    {"n - n // 2 * 2 < 2", RLX_YES, NULL},
    {"n % 8 < 8", RLX_YES, NULL},
    {"min(n, m) <= n", RLX_YES, NULL},
    {"max(n, m) + min(n, m) == n + m", RLX_YES, NULL},
    {"max(n, m) >= n", RLX_YES, NULL},
    {"abs(N) >= 0", RLX_YES, NULL},
    {"N >= 0", RLX_UNKNOWN, NULL},
    {"n == m", RLX_YES, "n == m"},
    {"n == k", RLX_YES, "n == m; m == k"},
    {"n * 2 == m", RLX_YES, "m == n + n"},
    {"n < m", RLX_YES, "n < k; k <= m"},
    {"n < m", RLX_NO, "m <= n"},
    {"n == 0", RLX_NO, "n > 3"},
    {"min(n, 16) == 16", RLX_YES, "n >= 16"},
    {"max(16 - n, 0) == 16 - n", RLX_YES, "n < 10"},
    {"select(n < 4, n, m) == n", RLX_YES, "n <= 3"},
    {"select(n < 4, 1, 2) <= 2", RLX_YES, NULL},
    {"n * m >= m", RLX_YES, "n >= 1"},
    {"n * m >= n", RLX_UNKNOWN, NULL},
    {"n != n + m + 1", RLX_YES, NULL},
    {"n == 3 and n + 1 == 4", RLX_YES, "n == 3"},
    {"n == 3 or n < 3 or n > 3", RLX_UNKNOWN, NULL},
    {"n * 6 % 4 == n * 2 % 4", RLX_YES, NULL},
    {"(n + m) // m == n // m + 1", RLX_YES, NULL},
    {"(n * 3 + 2) // 3 == n", RLX_YES, NULL},
    {"i32(a) + 1 == i32(a)", RLX_NO, NULL},
    // products, powers and quotients
    {"n * n >= n", RLX_YES, NULL},
    {"n == 0", RLX_YES, "n * n == 0"},
    {"f // m < n", RLX_YES, "f < n * m"},
    {"(a*m + b)//m == a", RLX_YES, "0 <= b; b < m"},
    {"(a*m + b)//m == a", RLX_YES, "b < m"},
    {"n == 0 or m == 0", RLX_YES, "n * m == 0"},
    {"m <= k", RLX_YES, "n * m <= n * k; n > 0"},
    {"m < k", RLX_YES, "n * m < n * k"},
    {"m == k", RLX_YES, "n * m == n * k; n > 0"},
    {"n <= m", RLX_YES, "n * n <= m * m"},
    {"n == m", RLX_YES, "n * n == m * m"},
    {"n // m <= k // m", RLX_YES, "n <= k"},
    {"n // k <= n // m", RLX_YES, "m <= k"},
    {"n // m >= 1", RLX_YES, "n >= m"},
    {"n // m == 0", RLX_YES, "n < m"},
    {"n % m == n", RLX_YES, "n < m"},
    {"f // m < n", RLX_YES, "f < m * n"},
    {"i * m * k + j * k + l < n * m * k", RLX_YES, "i < n; j < m; l < k"},
    {"f // (m * k) < n", RLX_YES, "f < n * m * k"},
    {"f % (m * k) // k < m", RLX_YES, NULL},
    {"f // k % m < m", RLX_YES, NULL},
    {"f // m // k < n", RLX_YES, "f < n * m * k"},
    {"n * n + m * m >= 2 * n * m", RLX_YES, NULL},
    {"i < n // m", RLX_YES, "i * m + m <= n"},
    {"n * n * n >= n * n", RLX_YES, NULL},
    {"n * n * n >= n", RLX_YES, NULL},
    {"2 * n * n >= n", RLX_YES, NULL},
    {"n == 1", RLX_YES, "n * n == n; n > 0"},
    {"n * m >= n + m - 1", RLX_YES, "n >= 1; m >= 1"},
    {"P * P >= P", RLX_YES, NULL},
    {"P == 0", RLX_YES, "P * P == 0"},
    {"f // k - m * (f // k // m) < m", RLX_YES, NULL},
    {"f // 4 < n", RLX_YES, "f < 4 * n"},
    {"i < n", RLX_YES, "i * m + j < n * m"},
    {"j // m == 0", RLX_YES, "j < m"},
    {"(i * m + j) // m == i", RLX_YES, "j < m"},
    {"(i * m + j) % m == j", RLX_YES, "j < m"},
    {"f // (m * k) == f // m // k", RLX_YES, NULL},
    {"(n - m) * (n - m) >= 0", RLX_YES, NULL},
    {"n * n - 2 * n + 1 >= 0", RLX_YES, NULL},
    {"n * n + 1 > n", RLX_YES, NULL},
    {"4 * n * n >= 4 * n - 1", RLX_YES, NULL},
    {"n * (n - 1) >= 0", RLX_YES, NULL},
    {"n <= 3", RLX_YES, "n * n <= 10"},
    {"n < 4", RLX_YES, "n * n < 16"},
    {"n == 3", RLX_YES, "n * n == 9"},
    {"n == 2", RLX_YES, "n * n * n == 8"},
    {"n == 1", RLX_YES, "n * m == 1"},
    {"m == 1", RLX_YES, "n * m == n; n > 0"},
    {"n == 0", RLX_YES, "n * m == 0; m != 0"},
    {"n // m < n", RLX_YES, "n > 0; m > 1"},
    {"n // 2 < n", RLX_YES, "n > 0"},
    {"n // m >= k", RLX_YES, "n >= m * k"},
    {"n // m >= k", RLX_YES, "m * k <= n"},
    {"n // m == k", RLX_YES, "m * k <= n; n < m * (k + 1)"},
    {"n // m <= (n + k) // m", RLX_YES, NULL},
    {"(n + k) // m >= n // m + k // m", RLX_YES, NULL},
    {"n // m + k // m <= (n + k) // m", RLX_YES, NULL},
    {"n // m // k == n // (m * k)", RLX_YES, NULL},
    {"n // (m * k) <= n // m", RLX_YES, NULL},
    {"n * n == 2", RLX_NO, NULL},
    {"n * n == n", RLX_UNKNOWN, NULL},
    {"n * m >= n", RLX_UNKNOWN, NULL},
    {"f // m < n", RLX_UNKNOWN, "f <= n * m"},
    {"n <= m", RLX_UNKNOWN, "n * k <= m * k"},
    {"N * N >= N * 2", RLX_UNKNOWN, NULL},
    {"f // N < n", RLX_UNKNOWN, "f < n * N"},
};

static void the_prover_answers(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  for (size_t i = 0; i < sizeof proof_cases / sizeof proof_cases[0]; i++) {
    const ProofCase *c = &proof_cases[i];
    RlxFacts facts[4];
    const RlxFacts *list = NULL;
    char copy[200] = "";
    if (c->given) snprintf(copy, sizeof copy, "%s", c->given);
    int n = 0;
    for (char *one = strtok(copy, ";"); one; one = strtok(NULL, ";"), n++) {
      facts[n] = (RlxFacts){list, prim_text(store, one), NULL};
      list = &facts[n];
    }
    RlxProof answer = rlx_prove(store, list, prim_text(store, c->condition));
    if (answer != c->answer)
      printf("%s (given %s)\n", c->condition, c->given ? c->given : "nothing");
    assert_int_equal(answer, c->answer);
  }
  rlx_store_free(store);
}

static void answers_come_with_reasons(void **state) {
  (void)state;
  static const struct {
    const char *condition, *given;
    RlxProof answer;
    const char *reason;
  } rows[] = {
      {"n * m * 2 == 2 * m * n", NULL, RLX_YES,
       "right: 2 * m * n is n * m * 2\nboth sides are n * m * 2"},
      {"n == n + 1", NULL, RLX_NO, "the sides differ by -1"},
      {"n // 4 * 4 == n", NULL, RLX_NO,
       "does not hold for n = 2: 0 against 2\nholds for n = 4: 4 against 4"},
      {"n * n == 2", NULL, RLX_NO, "the sides differ by n * n - 2, which is never 0"},
      {"n // 4 * 4 == n", "n % 4 == 0", RLX_YES,
       "given n % 4 == 0\nso n is k0 * 4\nboth sides are k0 * 4"},
      {"2 * n != 2 * m + 1", NULL, RLX_YES,
       "left: 2 * n is n * 2\nright: 2 * m + 1 is m * 2 + 1\n"
       "the sides differ by n * 2 - m * 2 - 1, which leaves 1 when divided by 2"},
      {"n // 2 <= n", NULL, RLX_YES, "the sides differ by n // 2 - n, which is always at most 0"},
      {"n < m", "n + 1 < m", RLX_YES,
       "given n + 1 < m\nthe sides differ by n - m, which under these facts is below 0"},
  };
  RlxStore *store = rlx_store_new();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    RlxBuf out = {0};
    RlxFacts fact = {NULL, rows[i].given ? prim_text(store, rows[i].given) : NULL, NULL};
    RlxProof answer = rlx_prove_explain(store, rows[i].given ? &fact : NULL,
                                        prim_text(store, rows[i].condition), &out);
    assert_int_equal(answer, rows[i].answer);
    assert_string_equal(rlx_buf_text(&out), rows[i].reason);
    rlx_buf_free(&out);
  }
  rlx_store_free(store);
}

static void only_facts_that_matter_are_used(void **state) {
  (void)state;
  enum { FACTS = 2000 };
  RlxStore *store = rlx_store_new();
  RlxFacts *facts = calloc(FACTS, sizeof *facts);
  char text[64];
  for (int i = 0; i < FACTS; i++) {
    snprintf(text, sizeof text, "x%d == y%d + 1", i, i);
    facts[i] = (RlxFacts){i ? &facts[i - 1] : NULL, prim_text(store, text), NULL};
  }
  for (int i = 0; i < FACTS; i += 100) {
    snprintf(text, sizeof text, "x%d * 2 == y%d * 2 + 2", i, i);
    assert_int_equal(rlx_prove(store, &facts[FACTS - 1], prim_text(store, text)), RLX_YES);
  }
  free(facts);
  rlx_store_free(store);
}

static void deep_and_wide_expressions_are_survived(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  const RlxPrim *n = prim_text(store, "n"), *m = prim_text(store, "m");
  const RlxPrim *chain = n, *mixed = n, *doubled = n;
  for (int i = 0; i < 100000; i++) {
    chain = rlx_prim_addi(store, chain, 1);
    mixed = rlx_prim_binary(store, i % 2 ? RLX_PRIM_FLOORDIV : RLX_PRIM_MUL,
                            rlx_prim_add(store, mixed, m), n);
  }
  for (int i = 0; i < 200; i++)
    doubled = rlx_prim_add(store, doubled, rlx_prim_mul(store, doubled, doubled));
  assert_int_equal(rlx_prove_equal(store, NULL, chain, rlx_prim_addi(store, n, 100000)), RLX_YES);
  assert_int_equal(rlx_prove_equal(store, NULL, mixed, n), RLX_UNKNOWN);
  assert_int_equal(rlx_prove_equal(store, NULL, doubled, rlx_prim_addi(store, n, 1)), RLX_UNKNOWN);
  RlxBuf buf = {0};
  rlx_prim_print(store, doubled, &buf);
  assert_true(buf.size < 10000000);
  const RlxPrim *const longs[] = {doubled, chain, mixed,
                                  rlx_prim_unary(store, RLX_PRIM_ABS, doubled)};
  for (size_t i = 0; i < sizeof longs / sizeof *longs; i++) { // it stops where it is said to, once
    rlx_buf_clear(&buf);
    rlx_buf_puts(&buf, "before ");
    const bool is_whole = rlx_prim_print_upto(store, longs[i], RLX_INT64, 100, &buf);
    const char *stop = strstr(rlx_buf_text(&buf), "…");
    assert_true(!is_whole || longs[i] == chain);
    assert_int_equal(is_whole, stop == NULL);
    assert_true(is_whole || (strcmp(stop, "…") == 0 && buf.size < 160));
  }
  rlx_buf_free(&buf);
  rlx_store_free(store);
}

static bool from_minus_3_to_2(const RlxPrim *atom, RlxRange *out, void *data) {
  (void)atom, (void)data;
  *out = (RlxRange){-3, 2};
  return true;
}

static void assert_range(RlxStore *store, const char *text, int64_t min, int64_t max) {
  const RlxRangeEnv env = {from_minus_3_to_2, NULL};
  const RlxPrim *p = rlx_prim_simplify(store, prim_text(store, text));
  const RlxRange r = rlx_poly_range(store, rlx_poly_of(store, p), &env);
  assert_int_equal(r.min, min);
  assert_int_equal(r.max, max);
}

static void ranges_of_products(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  assert_range(store, "N * M", -6, 9);
  assert_range(store, "N * N", 0, 9); // both factors are one number
  assert_range(store, "N * N * N", -27, 18);
  assert_range(store, "5 - N * N * 2", -13, 5);
  rlx_store_free(store);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dtypes_read_and_write),
      cmocka_unit_test(constructors_fold_as_tvm),
      cmocka_unit_test(simplify_gives_the_canonical_form),
      cmocka_unit_test(the_prover_answers),
      cmocka_unit_test(answers_come_with_reasons),
      cmocka_unit_test(only_facts_that_matter_are_used),
      cmocka_unit_test(deep_and_wide_expressions_are_survived),
      cmocka_unit_test(ranges_of_products),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
