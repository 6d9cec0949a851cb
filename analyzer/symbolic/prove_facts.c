/// The prover's assumptions: equalities become substitutions, `x % c == r` becomes x = c*k + r with
/// a new k, inequalities become polynomials <= 0 and, about one atom, bounds.
#include "analyzer/symbolic/int_math.h"
#include "analyzer/symbolic/prove_impl.h"

#include <stdio.h>

static const RlxPrim *strict(RlxProver *pr, const RlxPrim *p) {
  return rlx_prim_simplify_strict(pr->store, p);
}

const RlxPrim *rlx_prover_apply(RlxProver *pr, const RlxPrim *p) {
  p = strict(pr, p);
  for (int i = 0; i < pr->subst_count;
       i++) { // in order: a later value may not mention an earlier variable
    RlxSubst one = {&pr->vars[i], &pr->values[i], 1, false};
    const RlxPrim *next = rlx_prim_subst(pr->store, p, &one, NULL);
    if (next != p) p = strict(pr, next);
  }
  return p;
}

// ---- bounds of atoms

static bool lookup_bound(const RlxPrim *atom, RlxRange *out, void *data) {
  const RlxProver *pr = data;
  for (int i = 0; i < pr->bound_count; i++) {
    if (pr->bounds[i].atom != atom) continue;
    *out = pr->bounds[i].range;
    return true;
  }
  return false;
}

RlxRangeEnv rlx_prover_env(RlxProver *pr) { return (RlxRangeEnv){lookup_bound, pr}; }

void rlx_prover_narrow(RlxProver *pr, const RlxPrim *atom, int64_t min, int64_t max) {
  int i = 0;
  while (i < pr->bound_count && pr->bounds[i].atom != atom) i++;
  if (i == RLX_PROVE_BOUNDS) return;
  if (i == pr->bound_count) {
    RlxRange r = rlx_prim_range(pr->store, atom, NULL);
    pr->bounds[pr->bound_count++] = (RlxAtomBound){atom, r};
  }
  RlxRange *r = &pr->bounds[i].range;
  if (min > r->min) r->min = min;
  if (max < r->max) r->max = max;
  if (r->min > r->max) pr->contradiction = true;
}

// ---- inequalities

/// Records p <= 0.
static void add_at_most_zero(RlxProver *pr, RlxPoly p);

/// Records k*x + c <= 0.
static void add_scaled(RlxProver *pr, int64_t k, const RlxPrim *x, int64_t c) {
  RlxPoly p;
  if (rlx_poly_add_scaled(pr->store, rlx_poly_const(pr->store, c), k, rlx_poly_of(pr->store, x),
                          &p))
    add_at_most_zero(pr, p);
}

/// `atom` is in [min, max], and what it is made of is in bounds then: x // c >= 2 makes x >= 2*c, min(x, y) >= 2 both
/// of them.
static void narrow(RlxProver *pr, const RlxPrim *atom, int64_t min, int64_t max) {
  const RlxRangeEnv env = rlx_prover_env(pr);
  const RlxRange before = rlx_prim_range(pr->store, atom, &env);
  const bool is_more = min > before.min, is_less = max < before.max;
  int64_t c, least, most;
  rlx_prover_narrow(pr, atom, min, max);
  if (atom->kind == RLX_PRIM_MIN && is_more && min != INT64_MIN)
    for (int i = 0; i < 2; i++) add_scaled(pr, -1, atom->args[i], min);
  if (atom->kind != RLX_PRIM_FLOORDIV || !rlx_prim_is_const(atom->args[1], &c) || c <= 0) return;
  if (is_more && rlx_int_mul(min, c, &least)) add_scaled(pr, -1, atom->args[0], least);
  if (is_less && rlx_int_mul(max, -c, &most) && rlx_int_sub(most, c - 1, &most))
    add_scaled(pr, 1, atom->args[0], most);
}

static void add_at_most_zero(RlxProver *pr, RlxPoly p) {
  int64_t value, bound;
  if (rlx_poly_is_const(p, &value)) {
    if (value > 0) pr->contradiction = true;
    return;
  }
  int64_t constant = rlx_poly_constant(p);
  bool single = p.count == 1 || (p.count == 2 && p.at[1].degree == 0);
  if (single && p.at[0].degree == 1 && constant != INT64_MIN && p.at[0].k != INT64_MIN) {
    // k*x <= -c: x <= floor(-c / k) or x >= ceil(c / -k)
    if (p.at[0].k > 0 && rlx_int_floordiv(-constant, p.at[0].k, &bound))
      narrow(pr, p.at[0].factors[0], INT64_MIN, bound);
    if (p.at[0].k < 0 && rlx_int_floordiv(-constant, -p.at[0].k, &bound) && bound != INT64_MIN)
      narrow(pr, p.at[0].factors[0], -bound, INT64_MAX);
  }
  if (pr->fact_count < RLX_PROVE_FACTS) pr->facts[pr->fact_count++] = p;
}

// ---- equalities

/// Of d == 0: a variable with coefficient 1 or -1 that occurs nowhere else in d; -1: none.
static int solvable_term(RlxPoly d) {
  for (int i = 0; i < d.count; i++) {
    const RlxTerm *t = &d.at[i];
    if (t->degree != 1 || (t->k != 1 && t->k != -1) || t->factors[0]->kind != RLX_PRIM_VAR)
      continue;
    bool alone = true;
    for (int j = 0; j < d.count && alone; j++)
      for (int f = 0; f < d.at[j].degree && alone; f++)
        alone = i == j || !rlx_prim_mentions(d.at[j].factors[f], t->factors[0]->var);
    if (alone) return i;
  }
  return -1;
}

/// d == 0 solved for `var`; NULL when it has no coefficient of 1 or -1, or occurs elsewhere in d.
static const RlxPrim *solved_for(RlxStore *store, RlxPoly d, const RlxSymVar *var, RlxDType dtype) {
  int at = -1;
  for (int i = 0; i < d.count; i++) {
    const RlxTerm *t = &d.at[i];
    bool lone = t->degree == 1 && t->factors[0]->kind == RLX_PRIM_VAR && t->factors[0]->var == var;
    if (lone && (t->k == 1 || t->k == -1)) {
      at = i;
      continue;
    }
    for (int f = 0; f < t->degree; f++)
      if (rlx_prim_mentions(t->factors[f], var)) return NULL;
  }
  if (at < 0) return NULL;
  RlxTerm minus = d.at[at];
  RlxPoly rest;
  minus.k = -minus.k;
  if (!rlx_poly_add_term(store, d, minus, &rest) ||
      !rlx_poly_add_scaled(store, rlx_poly_const(store, 0), minus.k, rest, &rest))
    return NULL;
  return rlx_poly_prim(store, rest, dtype);
}

const RlxPrim *rlx_facts_value(RlxStore *store, const RlxFacts *facts, const RlxSymVar *var,
                               bool (*accept)(const RlxSymVar *, void *), void *data) {
  uint64_t mask = rlx_prim_var(store, var)->vars;
  const RlxPrim *found = NULL;
  for (const RlxFacts *f = facts; f && !found; f = f->next) {
    if ((f->condition->vars & mask) == 0 || f->condition->kind != RLX_PRIM_EQ) continue;
    const RlxPrim *a = rlx_prim_simplify(store, f->condition->args[0]),
                  *b = rlx_prim_simplify(store, f->condition->args[1]);
    if (a->dtype.code != RLX_DTYPE_INT || b->dtype.code != RLX_DTYPE_INT) continue;
    RlxArenaMark mark = rlx_arena_mark(store->scratch);
    RlxPoly d;
    if (rlx_poly_add_scaled(store, rlx_poly_of(store, a), -1, rlx_poly_of(store, b), &d))
      found = solved_for(store, d, var, var->dtype);
    rlx_arena_rewind(store->scratch, mark);
    if (found && !rlx_prim_all_vars(found, accept, data)) found = NULL;
  }
  return found;
}

static void substitute(RlxProver *pr, const RlxSymVar *var, const RlxPrim *value);

/// Uses d == 0. False when nothing could be substituted.
static bool solve(RlxProver *pr, RlxPoly d, RlxDType dtype) {
  int i = solvable_term(d);
  if (i < 0 || pr->subst_count == RLX_PROVE_SUBSTS) return false;
  RlxPoly rest, zero = rlx_poly_const(pr->store, 0);
  RlxTerm minus = d.at[i];
  minus.k = -minus.k;
  if (!rlx_poly_add_term(pr->store, d, minus, &rest)) return false;
  if (d.at[i].k > 0 && !rlx_poly_add_scaled(pr->store, zero, -1, rest, &rest)) return false;
  substitute(pr, d.at[i].factors[0]->var, rlx_poly_prim(pr->store, rest, dtype));
  return true;
}

/// An integer that stands for nothing in the program: the quotient of a divisibility fact.
static const RlxPrim *quotient_var(RlxProver *pr, bool is_dimension) {
  char text[16];
  int n = snprintf(text, sizeof text, "%c%d", is_dimension ? 'k' : 'q', pr->subst_count);
  const RlxSymVar *var = rlx_symvar(pr->store, UINT64_MAX,
                                    rlx_store_intern(pr->store, text, (size_t)n), RLX_INT64, false);
  ((RlxSymVar *)(uintptr_t)var)->is_dimension = is_dimension;
  ((RlxSymVar *)(uintptr_t)var)->is_for_good = true;
  return rlx_prim_var(pr->store, var);
}

/// Strictly, `x % c == r` reads x - c*(x // c) == r: the atom x // c becomes a new variable k, and
/// x = c*k + r.
static bool solve_divisibility(RlxProver *pr, RlxPoly d, RlxDType dtype) {
  for (int i = 0; i < d.count; i++) {
    const RlxTerm *t = &d.at[i];
    int64_t c, rest_constant;
    if (t->degree != 1 || t->factors[0]->kind != RLX_PRIM_FLOORDIV) continue;
    if (!rlx_prim_is_const(t->factors[0]->args[1], &c) || (t->k != c && t->k != -c)) continue;
    const RlxPrim *quotient =
        quotient_var(pr, rlx_prim_range(pr->store, t->factors[0], NULL).min >= 0);
    RlxPoly x = rlx_poly_of(pr->store, t->factors[0]->args[0]), others, replaced;
    RlxTerm minus = *t, plus = *t;
    minus.k = -t->k;
    plus.factors = rlx_arena_array(pr->store->scratch, const RlxPrim *, 1);
    plus.factors[0] = quotient;
    // what is left must be x, up to a constant r with 0 <= r < c
    if (!rlx_poly_add_term(pr->store, d, minus, &others)) continue;
    if (!rlx_poly_add_scaled(pr->store, others, t->k > 0 ? 1 : -1, x, &x)) continue;
    if (!rlx_poly_is_const(x, &rest_constant)) continue;
    if (t->k < 0) rest_constant = -rest_constant;
    if (rest_constant < 0 || rest_constant >= c) {
      pr->contradiction = true;
      return true;
    }
    return rlx_poly_add_term(pr->store, others, plus, &replaced) && solve(pr, replaced, dtype);
  }
  return false;
}

/// A product is 0 where a factor is: of k*x*x*y == 0 with y never 0 makes x == 0.
static RlxPoly lone_zero_factor(RlxProver *pr, RlxPoly d) {
  const RlxRangeEnv env = rlx_prover_env(pr);
  const RlxPrim *lone = NULL;
  if (d.count != 1 || d.at[0].degree < 2) return d;
  for (int f = 0; f < d.at[0].degree; f++) {
    RlxRange r = rlx_prim_range(pr->store, d.at[0].factors[f], &env);
    if (r.min > 0 || r.max < 0) continue;
    if (lone && lone != d.at[0].factors[f]) return d;
    lone = d.at[0].factors[f];
  }
  return lone ? rlx_poly_atom(pr->store, lone) : d;
}

/// Uses an equality. True when it became a substitution, so that nothing is left to remember.
static bool assume_equal(RlxProver *pr, const RlxPrim *condition) {
  RlxDType dtype = condition->args[0]->dtype;
  RlxPoly a = rlx_poly_of(pr->store, condition->args[0]),
          b = rlx_poly_of(pr->store, condition->args[1]), d, negated;
  if (!rlx_poly_add_scaled(pr->store, a, -1, b, &d)) return false;
  d = lone_zero_factor(pr, d);
  if (!rlx_poly_add_scaled(pr->store, rlx_poly_const(pr->store, 0), -1, d, &negated)) return false;
  if (solve_divisibility(pr, d, dtype) || solve(pr, d, dtype)) return true;
  add_at_most_zero(pr, d);
  add_at_most_zero(pr, negated);
  return false;
}

/// From here on `var` is `value`; what was known is said again without it.
static void substitute(RlxProver *pr, const RlxSymVar *var, const RlxPrim *value) {
  RlxProver old = *pr;
  pr->vars[pr->subst_count] = var;
  pr->values[pr->subst_count++] = value;
  pr->fact_count = pr->bound_count = pr->given_count = 0;
  for (int i = 0; i < old.given_count; i++)
    rlx_prover_assume(pr, rlx_prover_apply(pr, old.given[i]));
  if (rlx_is_dimension(pr->store, var)) {
    const RlxPrim *args[] = {rlx_prim_int_typed(pr->store, 0, value->dtype), value};
    rlx_prover_assume(
        pr, rlx_prover_apply(pr, rlx_prim_make(pr->store, RLX_PRIM_LE, RLX_BOOL, 0, args, 2)));
  }
}

/// Of d != 0 about one atom: what is at one end of its range has one value less. Of a product: no factor is 0.
static void assume_different(RlxProver *pr, RlxPoly d) {
  int64_t value = -rlx_poly_constant(d);
  for (int i = 0; d.count == 1 && d.at[0].degree > 1 && i < d.at[0].degree; i++)
    assume_different(pr, rlx_poly_atom(pr->store, d.at[0].factors[i]));
  if (d.count == 0 || d.count > 2 || d.at[0].degree != 1 || d.at[0].k != 1) return;
  if (d.count == 2 && d.at[1].degree != 0) return;
  const RlxPrim *atom = d.at[0].factors[0];
  const RlxRangeEnv env = rlx_prover_env(pr);
  RlxRange r = rlx_prim_range(pr->store, atom, &env);
  if (r.min == value && value < INT64_MAX) narrow(pr, atom, value + 1, INT64_MAX);
  if (r.max == value && value > INT64_MIN) narrow(pr, atom, INT64_MIN, value - 1);
}

void rlx_prover_assume(RlxProver *pr, const RlxPrim *condition) {
  int64_t value;
  if (rlx_prim_is_const(condition, &value)) {
    if (!value) pr->contradiction = true;
    return;
  }
  if (condition->kind == RLX_PRIM_AND) {
    rlx_prover_assume(pr, condition->args[0]);
    rlx_prover_assume(pr,
                      rlx_prover_apply(pr, condition->args[1])); // the first may have substituted
    return;
  }
  if (*pr->steps <= 0 || rlx_work_is_over(pr->store)) return;
  --*pr->steps;
  bool integral = condition->arg_count == 2 && condition->args[0]->dtype.code == RLX_DTYPE_INT;
  if (integral && condition->kind == RLX_PRIM_EQ && assume_equal(pr, condition)) return;
  if (pr->given_count < RLX_PROVE_FACTS) pr->given[pr->given_count++] = condition;
  RlxPoly d;
  if (!integral || (condition->kind != RLX_PRIM_LE && condition->kind != RLX_PRIM_NE)) return;
  if (!rlx_poly_add_scaled(pr->store, rlx_poly_of(pr->store, condition->args[0]), -1,
                           rlx_poly_of(pr->store, condition->args[1]), &d))
    return;
  if (condition->kind == RLX_PRIM_LE)
    add_at_most_zero(pr, d);
  else
    assume_different(pr, d);
}

enum { RELEVANT_VARS = 64 };

typedef struct VarSet {
  const RlxSymVar *vars[RELEVANT_VARS];
  int count;
} VarSet;

static bool is_outside(const RlxSymVar *var, void *data) {
  const VarSet *set = data;
  for (int i = 0; i < set->count; i++)
    if (set->vars[i] == var) return false;
  return true;
}

/// The variables of a condition, which many questions ask about one after the other; NULL: they are
/// more than are kept, or something unknown may be in it.
static const RlxKeptVars *kept_vars(RlxStore *store, const RlxPrim *p) {
  if (p->vars >> 63) return NULL; // that bit marks what is unknown, too
  if (!store->kept_vars) store->kept_vars = rlx_arena_array(store->arena, RlxKeptVars, RLX_KEPT);
  RlxKeptVars *kept = &store->kept_vars[p->hash & (RLX_KEPT - 1)];
  if (kept->of != p) {
    kept->of = p;
    kept->count = 0;
    rlx_prim_vars(p, kept->at, &kept->count, RLX_KEPT_VARS);
  }
  return kept->count < RLX_KEPT_VARS ? kept : NULL;
}

static bool shares_vars(RlxStore *store, const RlxPrim *p, VarSet *set) {
  const RlxKeptVars *kept = kept_vars(store, p);
  if (!kept) return !rlx_prim_all_vars(p, is_outside, set);
  for (int i = 0; i < kept->count; i++)
    if (!is_outside(kept->at[i], set)) return true;
  return false;
}

static void add_vars(RlxStore *store, const RlxPrim *p, VarSet *set) {
  const RlxKeptVars *kept = kept_vars(store, p);
  if (!kept) rlx_prim_vars(p, set->vars, &set->count, RELEVANT_VARS);
  for (int i = 0; kept && i < kept->count && set->count < RELEVANT_VARS; i++)
    if (is_outside(kept->at[i], set)) set->vars[set->count++] = kept->at[i];
}

/// Conditions that were taken, at most RLX_PROVE_FACTS; open addressing.
typedef struct Taken {
  const RlxPrim *at[4 * RLX_PROVE_FACTS];
} Taken;

/// Whether the condition is new; it is there then.
static bool take(Taken *taken, const RlxPrim *condition) {
  enum { ROOM = sizeof taken->at / sizeof taken->at[0] };
  uint32_t i = condition->hash % ROOM;
  for (; taken->at[i]; i = (i + 1) % ROOM)
    if (taken->at[i] == condition) return false;
  taken->at[i] = condition;
  return true;
}

/// The facts that share variables with `goal`, directly or through other facts; at most
/// RLX_PROVE_FACTS.
static int relevant(RlxStore *store, const RlxFacts *facts, const RlxPrim *goal,
                    const RlxFacts **out) {
  VarSet set = {.count = 0};
  uint64_t mask =
      goal->vars; // of the set: most facts are passed over without a look at their variables
  int count = 0;
  const RlxFacts *first = facts;
  while (first && !(first->condition->vars & mask)) first = first->next;
  if (!first) return 0;
  rlx_prim_vars(goal, set.vars, &set.count, RELEVANT_VARS);
  Taken taken = {{NULL}};
  for (bool grown = true; grown;) {
    grown = false;
    for (const RlxFacts *f = facts; f && count < RLX_PROVE_FACTS; f = f->next) {
      if ((f->condition->vars & mask) == 0 || !shares_vars(store, f->condition, &set)) continue;
      if (!take(&taken, f->condition)) continue;
      out[count++] = f;
      int before = set.count;
      add_vars(store, f->condition, &set);
      grown |= set.count > before;
      mask |= f->condition->vars;
    }
  }
  return count;
}

int rlx_prover_relevant(RlxStore *store, const RlxFacts *facts, const RlxPrim *goal,
                        const RlxPrim **out) {
  const RlxFacts *used[RLX_PROVE_FACTS];
  RlxFacts near[RLX_NEAR_FACTS];
  const int near_count = facts ? rlx_facts_near(store, facts, goal, near) : 0;
  if (near_count >= 0) facts = near_count ? near : NULL;
  int count = facts ? relevant(store, facts, goal, used) : 0;
  for (int i = 0; i < count; i++) out[i] = used[i]->condition;
  return count;
}

void rlx_prover_init(RlxProver *pr, RlxStore *store, const RlxPrim *const *conditions, int count,
                     RlxProveBudget *budget) {
  pr->store = store;
  *budget = (RlxProveBudget){RLX_PROVE_STEPS, RLX_PROVE_PRODUCT_WORK};
  pr->steps = &budget->steps;
  pr->product_work = &budget->product_work;
  pr->seen = NULL;
  pr->in_products = false;
  pr->splits = 0;
  pr->contradiction = false;
  pr->fact_count = pr->subst_count = pr->bound_count = pr->given_count = 0;
  for (int i = 0; i < count && !rlx_work_is_over(store); i++)
    rlx_prover_assume(pr, rlx_prover_apply(pr, conditions[i]));
}
