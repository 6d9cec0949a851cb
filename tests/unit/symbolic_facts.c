/// Facts that are found by variable are those that a walk over all of them finds, in the same order:
/// while they are added and forgotten, under facts of the question's own, and whatever shares variables.
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyzer/symbolic/prove_impl.h"

enum { VARS = 400, FACTS = 900, OWN = 6 };

typedef struct World {
  RlxStore *store;
  const RlxPrim *vars[VARS];
  const RlxPrim *unknown;
  RlxFacts facts[FACTS], own[OWN];
  int count;
  unsigned seed;
} World;

static int pick(World *w, int below) { return (int)((unsigned)rand_r(&w->seed) % (unsigned)below); }

static void begin(World *w, unsigned seed) {
  w->store = rlx_store_new();
  w->seed = seed;
  w->count = 0;
  for (int i = 0; i < VARS; i++) {
    char name[16];
    int n = snprintf(name, sizeof name, "v%d", i);
    const RlxName id = rlx_store_intern(w->store, name, (size_t)n);
    w->vars[i] = rlx_prim_var(w->store, rlx_symvar(w->store, 1, id, RLX_INT64, false));
  }
  w->unknown = rlx_prim_unknown(w->store, RLX_INT64);
}

/// Of a few variables that are close to each other, so that some facts hang together and most do not;
/// now and then of very many, or of something unknown.
static const RlxPrim *some_sum(World *w, int around, int spread) {
  const RlxPrim *sum = rlx_prim_int(w->store, pick(w, 9));
  int terms = pick(w, 40) ? 1 + pick(w, 2) : 12;
  for (int i = 0; i < terms; i++) {
    const RlxPrim *var = w->vars[(around + pick(w, spread)) % VARS];
    sum = rlx_prim_binary(w->store, RLX_PRIM_ADD, sum,
                          rlx_prim_mul(w->store, var, rlx_prim_int(w->store, 1 + pick(w, 3))));
  }
  return pick(w, 200) ? sum : rlx_prim_binary(w->store, RLX_PRIM_ADD, sum, w->unknown);
}

static const RlxPrim *some_condition(World *w, int around, int spread) {
  return rlx_prim_binary(w->store, pick(w, 2) ? RLX_PRIM_LE : RLX_PRIM_EQ,
                         some_sum(w, around, spread), some_sum(w, around, spread));
}

static int found(World *w, const RlxFacts *facts, const RlxPrim *goal, bool by_index,
                 const RlxPrim **out) {
  if (by_index) return rlx_prover_relevant(w->store, facts, goal, out);
  rlx_facts_open(w->store); // an empty one: then all facts are looked at
  int count = rlx_prover_relevant(w->store, facts, goal, out);
  rlx_facts_close(w->store);
  return count;
}

static void compare(World *w, int spread, int *out_near) {
  const RlxFacts *facts = w->count ? &w->facts[w->count - 1] : NULL;
  const int around = pick(w, VARS);
  for (int i = pick(w, OWN); i > 0; i--) {
    w->own[i] = (RlxFacts){facts, some_condition(w, around + pick(w, 3) * 50, spread), NULL};
    facts = &w->own[i];
  }
  const RlxPrim *goal = some_condition(w, around, spread);
  const RlxPrim *a[RLX_PROVE_FACTS], *b[RLX_PROVE_FACTS];
  RlxFacts near[RLX_NEAR_FACTS];
  *out_near += facts && rlx_facts_near(w->store, facts, goal, near) >= 0;
  const int count = found(w, facts, goal, true, a);
  assert_int_equal(count, found(w, facts, goal, false, b));
  for (int i = 0; i < count; i++) assert_ptr_equal(a[i], b[i]);
}

static void by_variable_as_by_walking(void **state) {
  (void)state;
  int near = 0;
  for (unsigned seed = 1; seed <= 12; seed++) {
    World w;
    const int spread = 1 + (int)seed % 4;
    begin(&w, seed);
    rlx_facts_open(w.store);
    for (int round = 0; round < 1500; round++) {
      if (w.count < FACTS && pick(&w, 100) < 70) {
        w.facts[w.count] = (RlxFacts){w.count ? &w.facts[w.count - 1] : NULL,
                                      some_condition(&w, pick(&w, VARS), spread), NULL};
        rlx_facts_add(w.store, &w.facts[w.count++]);
      } else if (pick(&w, 20) == 0) {
        w.count -= pick(&w, w.count < 60 ? w.count + 1 : 60);
        rlx_facts_forget(w.store, w.count ? &w.facts[w.count - 1] : NULL);
      }
      if (round % 3 == 0) compare(&w, spread, &near);
    }
    rlx_facts_close(w.store);
    rlx_store_free(w.store);
  }
  assert_true(near > 500); // it was found that way
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_variable_as_by_walking)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
