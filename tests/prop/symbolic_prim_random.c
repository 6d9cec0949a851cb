/// Random symbolic integers: simplification keeps the value and is idempotent; YES and NO of the
/// prover hold for every small assignment; a hostile expression costs bounded time.
#include "tests/test.h"

#include <time.h>

#include "analyzer/symbolic/prove.h"
#include "analyzer/symbolic/store_inside.h"
#include "tests/prim_text.h"

enum { VARS = 4, VALUES = 6 };

/// n and m are dimensions, P and Q any integers.
static const char *const var_names[VARS] = {"n", "m", "P", "Q"};

typedef struct World {
  RlxStore *store;
  RlxTestRandom *random;
  const RlxPrim *vars[VARS];
} World;

static World new_world(RlxTestRandom *random) {
  World w = {rlx_store_new(), random, {NULL}};
  for (int i = 0; i < VARS; i++) w.vars[i] = prim_text(w.store, var_names[i]);
  return w;
}

static const RlxPrim *random_int(World *w, int depth);

static const RlxPrim *random_bool(World *w, int depth) {
  static const RlxPrimKind kinds[] = {RLX_PRIM_EQ, RLX_PRIM_NE, RLX_PRIM_LT, RLX_PRIM_LE};
  uint32_t roll = depth > 0 ? rlx_test_below(w->random, 8) : 0;
  if (roll == 5) return rlx_prim_unary(w->store, RLX_PRIM_NOT, random_bool(w, depth - 1));
  if (roll >= 6) {
    const RlxPrim *a = random_bool(w, depth - 1), *b = random_bool(w, depth - 1);
    return rlx_prim_binary(w->store, roll == 6 ? RLX_PRIM_AND : RLX_PRIM_OR, a, b);
  }
  const RlxPrim *a = random_int(w, depth - 1), *b = random_int(w, depth - 1);
  return rlx_prim_binary(w->store, kinds[rlx_test_below(w->random, 4)], a, b);
}

static const RlxPrim *random_int(World *w, int depth) {
  static const RlxPrimKind kinds[] = {
      RLX_PRIM_ADD,      RLX_PRIM_ADD,      RLX_PRIM_SUB,      RLX_PRIM_SUB, RLX_PRIM_MUL,
      RLX_PRIM_FLOORDIV, RLX_PRIM_FLOORDIV, RLX_PRIM_FLOORMOD, RLX_PRIM_MIN, RLX_PRIM_MAX,
      RLX_PRIM_TRUNCDIV, RLX_PRIM_TRUNCMOD, RLX_PRIM_SHL,      RLX_PRIM_SHR, RLX_PRIM_BITAND};
  enum { KINDS = sizeof kinds / sizeof kinds[0] };
  uint32_t roll = depth > 0 ? rlx_test_below(w->random, 20) : rlx_test_below(w->random, 4);
  if (roll < 2) return w->vars[rlx_test_below(w->random, VARS)];
  if (roll < 4) return rlx_prim_int(w->store, (int64_t)rlx_test_below(w->random, 13) - 4);
  if (roll == 4) return rlx_prim_unary(w->store, RLX_PRIM_ABS, random_int(w, depth - 1));
  if (roll == 5) {
    const RlxPrim *c = random_bool(w, depth - 1), *a = random_int(w, depth - 1);
    return rlx_prim_select(w->store, c, a, random_int(w, depth - 1));
  }
  RlxPrimKind kind = kinds[rlx_test_below(w->random, KINDS)];
  const RlxPrim *a = random_int(w, depth - 1);
  if (kind == RLX_PRIM_SHL || kind == RLX_PRIM_SHR)
    return rlx_prim_binary(w->store, kind, a, rlx_prim_int(w->store, rlx_test_below(w->random, 4)));
  bool divides = kind == RLX_PRIM_FLOORDIV || kind == RLX_PRIM_FLOORMOD;
  if (divides && rlx_test_below(w->random, 4))
    return rlx_prim_binary(w->store, kind, a,
                           rlx_prim_int(w->store, 1 + rlx_test_below(w->random, 8)));
  return rlx_prim_binary(w->store, kind, a, random_int(w, depth - 1));
}

typedef struct Assignment {
  const World *world;
  int64_t values[VARS];
} Assignment;

static bool look_up(const RlxSymVar *var, int64_t *out, void *data) {
  const Assignment *a = data;
  for (int i = 0; i < VARS; i++)
    if (a->world->vars[i]->var == var) return *out = a->values[i], true;
  return false;
}

/// The `index`th of VALUES^VARS assignments: dimensions from 0, others from -2.
static void assign(Assignment *a, uint32_t index) {
  for (int i = 0; i < VARS; i++, index /= VALUES)
    a->values[i] = (int64_t)(index % VALUES) - (i < 2 ? 0 : 2);
}

enum { ASSIGNMENTS = VALUES * VALUES * VALUES * VALUES };

static void fail_with(const World *w, const char *what, const RlxPrim *p, const RlxPrim *q,
                      const Assignment *a) {
  RlxBuf buf = {0};
  rlx_prim_print(w->store, p, &buf);
  rlx_buf_puts(&buf, "   |   ");
  if (q) rlx_prim_print(w->store, q, &buf);
  printf("%s: %s\n", what, rlx_buf_text(&buf));
  for (int i = 0; a && i < VARS; i++)
    printf("  %s = %lld\n", var_names[i], (long long)a->values[i]);
  rlx_buf_free(&buf);
  fail();
}

/// Where `p` is defined, `q` has its value.
static void check_same_value(const World *w, const char *what, const RlxPrim *p, const RlxPrim *q) {
  Assignment a = {w, {0}};
  for (uint32_t i = 0; i < 60; i++) {
    int64_t x, y;
    assign(&a, rlx_test_below(w->random, ASSIGNMENTS));
    if (!rlx_prim_eval(p, look_up, &a, &x)) continue;
    if (!rlx_prim_eval(q, look_up, &a, &y) || x != y) fail_with(w, what, p, q, &a);
  }
}

static void simplification_keeps_the_value(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(11);
  for (int round = 0; round < 300; round++) {
    World w = new_world(&random);
    for (int i = 0; i < 100; i++) {
      const RlxPrim *p = i % 3 ? random_int(&w, 4) : random_bool(&w, 4);
      const RlxPrim *simple = rlx_prim_simplify(w.store, p);
      check_same_value(&w, "simplify", p, simple);
      check_same_value(&w, "strict", p, rlx_prim_simplify_strict(w.store, p));
      rlx_prim_mutable(simple)->canonical = NULL; // forget that it is canonical
      const RlxPrim *again = rlx_prim_simplify(w.store, simple);
      check_same_value(&w, "again", simple, again);
    }
    rlx_store_free(w.store);
  }
}

static void proofs_hold_for_small_assignments(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(12);
  int decided[3] = {0};
  for (int round = 0; round < 400; round++) {
    World w = new_world(&random);
    for (int i = 0; i < 20; i++) {
      const RlxPrim *goal = random_bool(&w, 3);
      RlxFacts first = {NULL, random_bool(&w, 2), NULL},
               second = {&first, random_bool(&w, 2), NULL};
      const RlxFacts *facts = i % 3 == 0 ? NULL : i % 3 == 1 ? &first : &second;
      RlxProof answer = rlx_prove(w.store, facts, goal);
      decided[answer]++;
      if (answer == RLX_UNKNOWN) continue;
      Assignment a = {&w, {0}};
      for (uint32_t j = 0; j < ASSIGNMENTS; j++) {
        int64_t value, holds = 1;
        assign(&a, j);
        for (const RlxFacts *f = facts; f && holds; f = f->next)
          if (!rlx_prim_eval(f->condition, look_up, &a, &holds)) holds = 0;
        if (!holds || !rlx_prim_eval(goal, look_up, &a, &value)) continue;
        if (value != (answer == RLX_YES))
          fail_with(&w, "proof", goal, facts ? facts->condition : NULL, &a);
      }
    }
    rlx_store_free(w.store);
  }
  printf("yes %d, no %d, unknown %d\n", decided[RLX_YES], decided[RLX_NO], decided[RLX_UNKNOWN]);
  assert_true(decided[RLX_YES] > 300 && decided[RLX_NO] > 300);
}

/// A product, quotient or remainder of variables, or one of them; what divides is a dimension.
static const RlxPrim *random_factor(World *w) {
  static const RlxPrimKind kinds[] = {RLX_PRIM_MUL, RLX_PRIM_MUL, RLX_PRIM_FLOORDIV,
                                      RLX_PRIM_FLOORMOD};
  const RlxPrim *a = w->vars[rlx_test_below(w->random, VARS)],
                *b = w->vars[rlx_test_below(w->random, 2)];
  uint32_t roll = rlx_test_below(w->random, 7);
  if (roll < 2) return a;
  if (roll == 2) return rlx_prim_mul(w->store, a, a);
  if (roll == 6) {
    const RlxPrim *d = rlx_prim_mul(w->store, w->vars[0], w->vars[1]);
    a = rlx_prim_floordiv(w->store, a, rlx_test_below(w->random, 2) ? d : w->vars[0]);
  }
  return rlx_prim_binary(w->store, kinds[rlx_test_below(w->random, 4)], a, b);
}

/// A short sum of such.
static const RlxPrim *random_sum(World *w) {
  const RlxPrim *sum = rlx_prim_int(w->store, (int64_t)rlx_test_below(w->random, 5) - 2);
  for (uint32_t i = rlx_test_below(w->random, 3); i < 3; i++) {
    const RlxPrim *p = random_factor(w);
    if (rlx_test_below(w->random, 4) == 0) p = rlx_prim_mul(w->store, p, random_factor(w));
    p = rlx_prim_muli(w->store, p, (int64_t)rlx_test_below(w->random, 3) + 1);
    sum = rlx_prim_binary(w->store, rlx_test_below(w->random, 2) ? RLX_PRIM_ADD : RLX_PRIM_SUB, sum,
                          p);
  }
  return sum;
}

static const RlxPrim *random_order(World *w) {
  static const RlxPrimKind kinds[] = {RLX_PRIM_LE, RLX_PRIM_LT, RLX_PRIM_EQ, RLX_PRIM_NE};
  return rlx_prim_binary(w->store, kinds[rlx_test_below(w->random, 4)], random_sum(w),
                         random_sum(w));
}

static void check_answer(World *w, const RlxFacts *facts, const RlxPrim *goal, RlxProof answer) {
  Assignment a = {w, {0}};
  for (uint32_t j = 0; answer != RLX_UNKNOWN && j < ASSIGNMENTS; j++) {
    int64_t value, holds = 1;
    assign(&a, j);
    for (const RlxFacts *f = facts; f && holds; f = f->next)
      if (!rlx_prim_eval(f->condition, look_up, &a, &holds)) holds = 0;
    if (!holds || !rlx_prim_eval(goal, look_up, &a, &value)) continue;
    if (value != (answer == RLX_YES))
      fail_with(w, "product", goal, facts ? facts->condition : NULL, &a);
  }
}

static void proofs_about_products_hold(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(14);
  int decided[3] = {0};
  for (int round = 0; round < 300; round++) {
    World w = new_world(&random);
    for (int i = 0; i < 30; i++) {
      RlxFacts facts[3];
      int count = (int)rlx_test_below(&random, 4);
      for (int f = 0; f < count; f++)
        facts[f] = (RlxFacts){f ? &facts[f - 1] : NULL, random_order(&w), NULL};
      const RlxFacts *list = count ? &facts[count - 1] : NULL;
      const RlxPrim *goal = random_order(&w);
      // Half of the goals follow from a fact, by a factor or in a quotient.
      if (count && rlx_test_below(&random, 2)) {
        const RlxPrim *f = facts[0].condition, *by = random_factor(&w);
        RlxPrimKind kind = rlx_test_below(&random, 2) ? RLX_PRIM_MUL : RLX_PRIM_FLOORDIV;
        if (f->arg_count == 2)
          goal = rlx_prim_binary(w.store, (RlxPrimKind)f->kind,
                                 rlx_prim_binary(w.store, kind, f->args[0], by),
                                 rlx_prim_binary(w.store, kind, f->args[1], by));
      }
      RlxProof answer = rlx_prove(w.store, list, goal);
      decided[answer]++;
      check_answer(&w, list, goal, answer);
    }
    rlx_store_free(w.store);
  }
  printf("yes %d, no %d, unknown %d\n", decided[RLX_YES], decided[RLX_NO], decided[RLX_UNKNOWN]);
  assert_true(decided[RLX_YES] > 400 && decided[RLX_NO] > 100);
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void hostile_expressions_cost_little(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(13);
  double worst = 0;
  uint64_t most = 0;
  int given_up = 0;
  for (int round = 0; round < 60; round++) {
    World w = new_world(&random);
    const RlxPrim *p = random_int(&w, 4);
    for (int i = 0; i < 40; i++) { // grows quickly: sums, products, divisions and minima of itself
      const RlxPrim *q = random_int(&w, 3);
      static const RlxPrimKind kinds[] = {RLX_PRIM_ADD, RLX_PRIM_MUL, RLX_PRIM_FLOORDIV,
                                          RLX_PRIM_MIN, RLX_PRIM_FLOORMOD};
      p = rlx_prim_binary(w.store, kinds[rlx_test_below(&random, 5)], rlx_prim_add(w.store, p, q),
                          q);
      if (i % 3 == 0) p = rlx_prim_mul(w.store, p, rlx_prim_addi(w.store, p, 1));
      double start = now_ms();
      rlx_prove_equal(w.store, NULL, p, rlx_prim_add(w.store, q, p));
      uint64_t work = w.store->work;
      RlxProof less = rlx_prove_less(w.store, NULL, p, q);
      double spent = now_ms() - start;
      work = w.store->work - work;
      if (work > most) most = work;
      if (work > RLX_WORK_PER_QUESTION) { // gave up
        assert_int_equal(less, RLX_UNKNOWN);
        given_up++;
      }
      if (spent > worst) worst = spent;
    }
    rlx_store_free(w.store);
  }
  printf("worst question: %.2f ms, %llu steps; %d given up\n", worst, (unsigned long long)most,
         given_up);
  assert_true(given_up > 0);
  assert_true(most < 8 * RLX_WORK_PER_QUESTION); // one operation on polynomials may still be large
  assert_true(worst < 500);                      // generous: sanitizers, loaded machines
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplification_keeps_the_value),
      cmocka_unit_test(proofs_hold_for_small_assignments),
      cmocka_unit_test(proofs_about_products_hold),
      cmocka_unit_test(hostile_expressions_cost_little),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
