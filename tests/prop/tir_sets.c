/// Random systems of linear conditions against trying all assignments: what is answered without isl
/// (that two variables which are to differ are equal; small systems, searched) is the same as with it.
#include "analyzer/tir/sets_impl.h"
#include "tests/test.h"

#include <string.h>

#include "analyzer/symbolic/store.h"

enum { VARS = 4, CONDITIONS = 4, ROUNDS = 3000 };

typedef struct Sum { // constant + k[0] * v0 + …
  int constant, k[VARS];
} Sum;

typedef struct Condition { // sums[0] OP sums[1], or two of them joined
  RlxPrimKind kind;        // EQ, NE, LT, AND, OR
  Sum sums[2];
  struct {
    RlxPrimKind kind;
    Sum sums[2];
  } parts[2]; // AND, OR
} Condition;

typedef struct Random {
  RlxTestRandom *r;
  RlxStore *store;
  const RlxSymVar *vars[VARS];
  int extents[VARS];
  int sees; // conditions mention the variables before
} Random;

static Sum random_sum(Random *x) {
  Sum s = {0};
  if (rlx_test_below(x->r, 2)) { // a variable
    s.k[rlx_test_below(x->r, (uint32_t)x->sees)] = 1;
    return s;
  }
  s.constant = (int)rlx_test_below(x->r, 3);
  for (int i = 0; i < x->sees; i++)
    if (rlx_test_below(x->r, 2)) s.k[i] = (int)rlx_test_below(x->r, 6) - 1;
  return s;
}

static const RlxPrim *sum_prim(const Random *x, const Sum *s) {
  const RlxPrim *out = rlx_prim_int(x->store, s->constant);
  for (int i = 0; i < VARS; i++) {
    if (!s->k[i]) continue;
    const RlxPrim *term = rlx_prim_var(x->store, x->vars[i]);
    if (s->k[i] != 1)
      term = rlx_prim_binary(x->store, RLX_PRIM_MUL, term, rlx_prim_int(x->store, s->k[i]));
    out = rlx_prim_binary(x->store, RLX_PRIM_ADD, out, term);
  }
  return out;
}

static int value_of(const Sum *s, const int *at) {
  int out = s->constant;
  for (int i = 0; i < VARS; i++) out += s->k[i] * at[i];
  return out;
}

static bool compare(RlxPrimKind kind, const Sum *sums, const int *at) {
  int a = value_of(&sums[0], at), b = value_of(&sums[1], at);
  return kind == RLX_PRIM_EQ ? a == b : kind == RLX_PRIM_NE ? a != b : a < b;
}

static bool holds(const Condition *c, const int *at) {
  if (c->kind != RLX_PRIM_AND && c->kind != RLX_PRIM_OR) return compare(c->kind, c->sums, at);
  bool a = compare(c->parts[0].kind, c->parts[0].sums, at),
       b = compare(c->parts[1].kind, c->parts[1].sums, at);
  return c->kind == RLX_PRIM_AND ? a && b : a || b;
}

static RlxPrimKind random_comparison(Random *x) {
  static const RlxPrimKind kinds[] = {RLX_PRIM_EQ, RLX_PRIM_EQ, RLX_PRIM_NE, RLX_PRIM_LT};
  return kinds[rlx_test_below(x->r, 4)];
}

static Condition random_condition(Random *x) {
  Condition c = {.kind = random_comparison(x)};
  if (rlx_test_below(x->r, 4) == 0) c.kind = rlx_test_below(x->r, 2) ? RLX_PRIM_AND : RLX_PRIM_OR;
  for (int i = 0; i < 2; i++) {
    c.sums[i] = random_sum(x);
    c.parts[i].kind = random_comparison(x);
    for (int k = 0; k < 2; k++) c.parts[i].sums[k] = random_sum(x);
  }
  return c;
}

static const RlxPrim *comparison(const Random *x, RlxPrimKind kind, const Sum *sums) {
  return rlx_prim_binary(x->store, kind, sum_prim(x, &sums[0]), sum_prim(x, &sums[1]));
}

static const RlxPrim *condition_prim(const Random *x, const Condition *c) {
  if (c->kind != RLX_PRIM_AND && c->kind != RLX_PRIM_OR) return comparison(x, c->kind, c->sums);
  return rlx_prim_binary(x->store, c->kind, comparison(x, c->parts[0].kind, c->parts[0].sums),
                         comparison(x, c->parts[1].kind, c->parts[1].sums));
}

/// The conditions that a system of the variables [first, end) has.
typedef struct Conditions {
  int first, end, count;
  Condition at[CONDITIONS];
  const RlxPrim *prims[CONDITIONS + 1];
} Conditions;

static bool all_hold(const Conditions *all, const int *at) {
  for (int i = 0; i < all->count; i++)
    if (!holds(&all->at[i], at)) return false;
  return true;
}

/// The next assignment of [first, end), the last variable moving fastest.
static bool next(const Random *x, int first, int end, int *at) {
  for (int i = end; i-- > first;) {
    if (++at[i] < x->extents[i]) return true;
    at[i] = 0;
  }
  return false;
}

/// The smallest assignment of `own` for which `other` (NULL: nothing) has none.
static bool first_assignment(const Random *x, const Conditions *own, const Conditions *other,
                             int *at) {
  memset(at, 0, VARS * sizeof *at);
  do {
    bool is_covered = false;
    if (all_hold(own, at)) {
      if (other) do
          is_covered = all_hold(other, at);
        while (!is_covered && next(x, other->first, other->end, at));
      if (!is_covered) return true;
      for (int i = own->end; i < VARS; i++) at[i] = 0;
    }
  } while (next(x, own->first, own->end, at));
  return false;
}

static Conditions random_conditions(Random *x, int first, int end, int sees) {
  Conditions out = {
      .first = first, .end = end, .count = 2 + (int)rlx_test_below(x->r, CONDITIONS - 1)};
  x->sees = sees;
  for (int i = 0; i < out.count; i++) {
    out.at[i] = random_condition(x);
    out.prims[i] = condition_prim(x, &out.at[i]);
  }
  return out;
}

static void check(const Random *x, const RlxSystem *system, const RlxSystem *other, bool expected,
                  const int *at) {
  RlxSetPoint point;
  RlxProof found = rlx_sets_find_without(x->store, system, other, other != NULL, &point);
  assert_int_equal(found, expected ? RLX_YES : RLX_NO);
  for (int i = 0; expected && i < system->range_count; i++) {
    int64_t value;
    assert_true(rlx_set_point_value(&point, x->vars[i], &value));
    assert_int_equal(value, at[i]);
  }
}

static void systems_have_the_answer_of_trying(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(20);
  int empty = 0, searched = 0;
  for (int round = 0; round < ROUNDS; round++) {
    Random x = {.r = &random, .store = rlx_store_new()};
    RlxLoopRange ranges[VARS];
    for (int i = 0; i < VARS; i++) {
      char name[8];
      snprintf(name, sizeof name, "v%d", i);
      x.vars[i] =
          rlx_symvar(x.store, 1, rlx_store_intern(x.store, name, strlen(name)), RLX_INT64, false);
      x.extents[i] = 1 + (int)rlx_test_below(x.r, 4);
      ranges[i] =
          (RlxLoopRange){x.vars[i], rlx_prim_int(x.store, 0), rlx_prim_int(x.store, x.extents[i])};
    }
    int own_count = rlx_test_below(x.r, 2) ? VARS : VARS / 2, at[VARS];
    Conditions own = random_conditions(&x, 0, own_count, own_count);
    Conditions more = random_conditions(&x, own_count, VARS, VARS);
    const Conditions *other = own_count < VARS ? &more : NULL;
    RlxSystem system = {ranges, own_count, own.prims, own.count, 0};
    RlxSystem covering = {ranges + own_count, VARS - own_count, more.prims, more.count, 0};
    bool expected = first_assignment(&x, &own, other, at);
    check(&x, &system, other ? &covering : NULL, expected, at);
    uint32_t steps;
    RlxSetPoint point;
    searched += rlx_sets_search(&system, &covering, other != NULL, &point, &steps) != RLX_UNKNOWN;
    // The same with a parameter, which only isl answers.
    const RlxSymVar *n =
        rlx_symvar(x.store, 1, rlx_store_intern(x.store, "n", 1), RLX_INT64, false);
    own.prims[system.condition_count++] =
        rlx_prim_binary(x.store, RLX_PRIM_EQ, rlx_prim_var(x.store, n), rlx_prim_int(x.store, 7));
    check(&x, &system, other ? &covering : NULL, expected, at);
    empty += !expected;
    rlx_store_free(x.store);
  }
  assert_true(empty > ROUNDS / 10 && empty < ROUNDS * 9 / 10);
  assert_true(searched > ROUNDS / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(systems_have_the_answer_of_trying)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
