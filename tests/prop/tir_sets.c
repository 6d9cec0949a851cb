/// Random systems of linear conditions against trying all assignments: what is answered without isl,
/// that two variables which are to differ are equal, is the same as with it.
#include "analyzer/tir/sets.h"
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
} Random;

static Sum random_sum(Random *x) {
  Sum s = {0};
  if (rlx_test_below(x->r, 2)) { // a variable
    s.k[rlx_test_below(x->r, VARS)] = 1;
    return s;
  }
  s.constant = (int)rlx_test_below(x->r, 3);
  for (int i = 0; i < VARS; i++)
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

static bool has_assignment(const Random *x, const Condition *all, int count) {
  int at[VARS] = {0};
  for (;;) {
    bool ok = true;
    for (int i = 0; i < count && ok; i++) ok = holds(&all[i], at);
    if (ok) return true;
    int i = 0;
    while (i < VARS && ++at[i] == x->extents[i]) at[i++] = 0;
    if (i == VARS) return false;
  }
}

static void systems_have_the_answer_of_trying(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(20);
  int empty = 0;
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
    Condition all[CONDITIONS];
    const RlxPrim *prims[CONDITIONS];
    int count = 2 + (int)rlx_test_below(x.r, CONDITIONS - 1);
    for (int i = 0; i < count; i++) {
      all[i] = random_condition(&x);
      prims[i] = condition_prim(&x, &all[i]);
    }
    RlxSystem system = {ranges, VARS, prims, count, 0};
    RlxSetPoint point;
    bool expected = has_assignment(&x, all, count);
    assert_int_equal(rlx_sets_find(x.store, &system, &point), expected ? RLX_YES : RLX_NO);
    empty += !expected;
    rlx_store_free(x.store);
  }
  assert_true(empty > ROUNDS / 10 && empty < ROUNDS * 9 / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(systems_have_the_answer_of_trying)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
