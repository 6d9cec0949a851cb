/// The prover's second search, for products, powers and quotients, which adding up facts alone does
/// not decide: `n <= n * n`, `f // m < n` when f < n * m, `m <= k` when n * m <= n * k.
///
/// To show p <= 0 it takes p >= 1 for granted and looks for a contradiction. Then q * (p - 1) >= 0
/// for every q >= 0, so that q * (p - 1) + 1 <= 0 is one: the search of prove.c is asked for that,
/// with the divisors and the cofactors that facts suggest as q. It gets more facts, too: what
/// division says of every quotient, that squares are not negative, and what bounds follow from
/// facts. Always true: each added fact holds for all integers (or follows from facts and from
/// p >= 1); its work is
/// bounded by RLX_PROVE_PRODUCT_WORK.
#include "analyzer/symbolic/int_math.h"
#include "analyzer/symbolic/prove_impl.h"

enum { MULTIPLIERS = 10, PRODUCT_DEPTH = 4, SEARCH_WORK = 12000, ATOMS = 12, ADDED_FACTS = 16 };

typedef struct Search {
  RlxProver pr;
  RlxPoly goal; // p: to be shown at most 0
  RlxPoly multipliers[MULTIPLIERS];
  int multiplier_count;
  const RlxPrim *atoms[ATOMS]; // quotients in the goal, in facts and inside of quotients
  int atom_count, goal_atom_count;
} Search;

static RlxTerm constant(int64_t k) { return (RlxTerm){k, 0, NULL}; }

/// The term as a polynomial of its own.
static RlxPoly one_term(RlxStore *store, RlxTerm t) {
  RlxPoly p = rlx_poly_const(store, 1);
  p.at[0] = t;
  return p;
}

static void add_fact(Search *s, RlxPoly fact) {
  if (s->pr.fact_count < RLX_PROVE_FACTS && fact.count > 0) s->pr.facts[s->pr.fact_count++] = fact;
}

// ---- bounds that follow

/// Whether the term is an even power of one atom: not negative where its factor is not.
static bool is_even_power(const RlxTerm *t) {
  for (int f = 1; f < t->degree; f++)
    if (t->factors[f] != t->factors[0]) return false;
  return t->degree > 0 && t->degree % 2 == 0;
}

/// The least that `fact` can be without its term `i`; INT64_MIN: not known.
static int64_t least_besides(Search *s, RlxPoly fact, int i) {
  const RlxRangeEnv env = rlx_prover_env(&s->pr);
  RlxPoly rest = fact;
  for (int j = 0; j < fact.count; j++) {
    RlxTerm minus = fact.at[j];
    if (j != i && (minus.k < 0 || !is_even_power(&minus))) continue; // that is at least 0
    minus.k = -minus.k;
    if (!rlx_poly_add_term(s->pr.store, rest, minus, &rest)) return INT64_MIN;
  }
  return rlx_poly_range(s->pr.store, rest, &env).min;
}

/// The greatest integer whose square is at most `n`, which is not negative.
static int64_t root_of(int64_t n) {
  int64_t low = 0, high = (int64_t)1 << 31;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (middle <= n / middle)
      low = middle;
    else
      high = middle;
  }
  return n ? low : 0;
}

/// From fact <= 0: the bound of a lone variable, or of one of which an even power stands there, with
/// everything else at its least.
static void bound_of_term(Search *s, RlxPoly fact, int i) {
  RlxProver *pr = &s->pr;
  const RlxTerm *t = &fact.at[i];
  int64_t bound, least = least_besides(s, fact, i);
  if (least <= INT64_MIN + 1 || least == INT64_MAX) return;
  // k * x <= -least
  if (t->degree > 1) {
    if (t->k > 0 && rlx_int_floordiv(-least, t->k, &bound) && bound >= 0)
      rlx_prover_narrow(pr, t->factors[0], -root_of(bound), root_of(bound));
    return;
  }
  if (t->k > 0 && rlx_int_floordiv(-least, t->k, &bound))
    rlx_prover_narrow(pr, t->factors[0], INT64_MIN, bound);
  if (t->k < 0 && rlx_int_floordiv(-least, -t->k, &bound) && bound > INT64_MIN + 1)
    rlx_prover_narrow(pr, t->factors[0], -bound, INT64_MAX);
}

/// A product of what is not negative is at least 1 only where each factor is.
/// False when one may be negative.
static bool bounds_of_factors(Search *s, const RlxTerm *t) {
  const RlxRangeEnv env = rlx_prover_env(&s->pr);
  for (int f = 0; f < t->degree; f++)
    if (rlx_prim_range(s->pr.store, t->factors[f], &env).min < 0) return false;
  for (int f = 0; f < t->degree; f++) rlx_prover_narrow(&s->pr, t->factors[f], 1, INT64_MAX);
  return true;
}

static void bounds_of(Search *s, RlxPoly fact) {
  if (fact.count > 8) return;
  if (fact.count == 2 && fact.at[0].k == -1 && fact.at[0].degree > 1 && rlx_poly_constant(fact) > 0)
    bounds_of_factors(s, &fact.at[0]);
  for (int i = 0; i < fact.count; i++)
    if (fact.at[i].k != INT64_MIN && (fact.at[i].degree == 1 || is_even_power(&fact.at[i])))
      bound_of_term(s, fact, i);
}

// ---- quotients

static void collect_atoms(Search *s, RlxPoly p, int depth) {
  for (int i = 0; i < p.count; i++) {
    for (int f = 0; f < p.at[i].degree; f++) {
      const RlxPrim *atom = p.at[i].factors[f];
      bool known = atom->kind != RLX_PRIM_FLOORDIV || s->atom_count == ATOMS;
      for (int j = 0; j < s->atom_count && !known; j++) known = s->atoms[j] == atom;
      if (known) continue;
      s->atoms[s->atom_count++] = atom;
      if (depth > 0) collect_atoms(s, rlx_poly_of(s->pr.store, atom->args[0]), depth - 1);
    }
  }
}

/// Of the quotients that only facts mention. A divisor is not 0, so its factors are not.
static void add_division_facts(Search *s) {
  RlxStore *store = s->pr.store;
  for (int i = 0; i < s->atom_count; i++) {
    RlxPoly d = rlx_poly_of(store, s->atoms[i]->args[1]), fact;
    if (d.count != 1 || d.at[0].degree == 0 || d.at[0].k < 0) continue;
    if (!bounds_of_factors(s, &d.at[0])) continue;
    for (int f = 0; f < d.at[0].degree; f++)
      if (rlx_poly_add_scaled(store, rlx_poly_const(store, 1), -1,
                              rlx_poly_atom(store, d.at[0].factors[f]), &fact))
        add_fact(s, fact);
  }
  for (int i = s->goal_atom_count; i < s->atom_count; i++) {
    RlxPoly own[2];
    int count = rlx_prover_division_facts(&s->pr, s->atoms[i], own);
    for (int j = 0; j < count; j++) add_fact(s, own[j]);
  }
}

// ---- squares

static const RlxTerm *find_term(RlxPoly p, const RlxPrim *a, const RlxPrim *b) {
  const RlxPrim *factors[] = {a, b};
  RlxTerm wanted = {1, b ? 2 : 1, factors};
  if (b && rlx_prim_compare(a, b) > 0) {
    factors[0] = b;
    factors[1] = a;
  }
  for (int i = 0; i < p.count; i++)
    if (rlx_term_compare(&p.at[i], &wanted) == 0) return &p.at[i];
  return NULL;
}

/// -(x - a)*(y - b) <= 0, where both factors are at least 0 or it is a square (or two neighbours).
static void add_product_fact(Search *s, const RlxPrim *x, int64_t a, const RlxPrim *y, int64_t b) {
  RlxStore *store = s->pr.store;
  RlxPoly left, right, product, fact;
  if (a == INT64_MIN || b == INT64_MIN) return;
  if (rlx_poly_add_term(store, rlx_poly_atom(store, x), constant(-a), &left) &&
      rlx_poly_add_term(store, rlx_poly_atom(store, y), constant(-b), &right) &&
      rlx_poly_mul(store, left, right, &product) &&
      rlx_poly_add_scaled(store, rlx_poly_const(store, 0), -1, product, &fact))
    add_fact(s, fact);
}

/// -(x + sign*y)^2 <= 0.
static void add_square_of_sum(Search *s, const RlxPrim *x, int64_t sign, const RlxPrim *y) {
  RlxStore *store = s->pr.store;
  RlxPoly sum, square, fact;
  if (rlx_poly_add_scaled(store, rlx_poly_atom(store, x), sign, rlx_poly_atom(store, y), &sum) &&
      rlx_poly_mul(store, sum, sum, &square) &&
      rlx_poly_add_scaled(store, rlx_poly_const(store, 0), -1, square, &fact))
    add_fact(s, fact);
}

/// x*x is at least every line through two of its neighbouring points: the one that goes along with
/// what `p` has of x.
static void add_tangent(Search *s, RlxPoly p, const RlxTerm *square) {
  const RlxPrim *x = square->factors[0];
  const RlxTerm *line = find_term(p, x, NULL);
  int64_t slope = 1;
  if (line && square->k < 0 && square->k > INT64_MIN && line->k > INT64_MIN &&
      rlx_int_floordiv(line->k, -square->k, &slope) && slope * -square->k < line->k)
    slope++;
  if (slope < -1000000 || slope > 1000000) return;
  int64_t half = slope >= 0 ? slope / 2 : -((1 - slope) / 2); // rounds down
  add_product_fact(s, x, half, x, half + (slope - 2 * half));
}

/// What the goal's products of two can do for it.
static void add_square_facts(Search *s, RlxPoly p) {
  const RlxRangeEnv env = rlx_prover_env(&s->pr);
  RlxStore *store = s->pr.store;
  for (int i = 0, added = 0; i < p.count && added < ADDED_FACTS; i++) {
    const RlxTerm *t = &p.at[i];
    if (t->degree < 2) continue;
    added++;
    for (int f = 0; f + 1 < t->degree; f++) {
      const RlxPrim *x = t->factors[f], *y = t->factors[f + 1];
      if (x == y) {
        RlxTerm square = {t->k, 2, &t->factors[f]};
        if (t->k < 0) add_tangent(s, p, &square);
        continue;
      }
      int64_t a = rlx_prim_range(store, x, &env).min, b = rlx_prim_range(store, y, &env).min;
      if (t->degree == 2 && t->k < 0 && a > INT64_MIN && b > INT64_MIN && (a != 0 || b != 0))
        add_product_fact(s, x, a, y, b);
      const RlxTerm *xx = find_term(p, x, x), *yy = find_term(p, y, y);
      if (xx && yy && xx->k < 0 && yy->k < 0) add_square_of_sum(s, x, t->k > 0 ? -1 : 1, y);
    }
  }
}

// ---- multipliers

static bool is_same_poly(RlxPoly a, RlxPoly b) {
  if (a.count != b.count) return false;
  for (int i = 0; i < a.count; i++)
    if (a.at[i].k != b.at[i].k || rlx_term_compare(&a.at[i], &b.at[i]) != 0) return false;
  return true;
}

/// Takes q as a multiplier when it is known to be >= 0.
static void add_multiplier(Search *s, RlxPoly q) {
  const RlxRangeEnv env = rlx_prover_env(&s->pr);
  if (s->multiplier_count == MULTIPLIERS || rlx_poly_range(s->pr.store, q, &env).min < 0) return;
  for (int i = 0; i < s->multiplier_count; i++)
    if (is_same_poly(s->multipliers[i], q)) return;
  s->multipliers[s->multiplier_count++] = q;
}

/// What `part` must be multiplied with to become `whole`, signs apart; false when it does not go.
static bool cofactor(RlxStore *store, const RlxTerm *whole, const RlxTerm *part, RlxTerm *out) {
  if (whole->degree < part->degree || whole->k == INT64_MIN || part->k == INT64_MIN) return false;
  int64_t g = rlx_int_gcd(whole->k, part->k);
  out->k = whole->k / g;
  if (out->k < 0) out->k = -out->k;
  out->degree = 0;
  out->factors = rlx_arena_array(store->scratch, const RlxPrim *, whole->degree + 1);
  int j = 0;
  for (int i = 0; i < whole->degree; i++) {
    if (j < part->degree && whole->factors[i] == part->factors[j])
      j++;
    else
      out->factors[out->degree++] = whole->factors[i];
  }
  return j == part->degree;
}

/// Divisors of the goal's quotients, those inside of them multiplied along.
static void add_divisors(Search *s) {
  RlxStore *store = s->pr.store;
  for (int i = 0; i < s->goal_atom_count; i++) {
    RlxPoly d = rlx_poly_of(store, s->atoms[i]->args[1]), inner, both;
    add_multiplier(s, d);
    const RlxPrim *x = s->atoms[i]->args[0];
    if (x->kind != RLX_PRIM_FLOORDIV) continue;
    inner = rlx_poly_of(store, x->args[1]);
    if (rlx_poly_mul(store, d, inner, &both)) add_multiplier(s, both);
  }
}

/// What makes terms of the goal terms of a fact: each alone, and their sum ((n + m)*(n - m) for
/// n*n - m*m).
static void add_cofactors(Search *s, RlxPoly fact) {
  RlxStore *store = s->pr.store;
  RlxPoly sum = rlx_poly_const(store, 0);
  int found = 0;
  for (int i = 0; i < fact.count; i++) {
    for (int j = 0; j < s->goal.count; j++) {
      RlxTerm q;
      if (s->goal.at[j].degree == 0 || fact.at[i].degree == 0) continue;
      if (!cofactor(store, &fact.at[i], &s->goal.at[j], &q)) continue;
      if (q.degree == 0 && q.k == 1) continue;
      add_multiplier(s, one_term(store, q));
      if (rlx_poly_add_term(store, sum, q, &sum)) found++;
    }
  }
  if (found > 1) add_multiplier(s, sum);
}

/// Where a fact has the squares of all that a sum p has, p * (p - 1) may contradict it.
static void add_goal_itself(Search *s, RlxPoly negated) {
  RlxPoly p = s->goal;
  if (s->multiplier_count == MULTIPLIERS) return;
  for (int i = 0; i < s->pr.fact_count; i++) {
    int squares = 0;
    for (int j = 0; j < p.count && p.at[j].degree <= 1; j++)
      squares += p.at[j].degree == 0 ||
                 find_term(s->pr.facts[i], p.at[j].factors[0], p.at[j].factors[0]) != NULL;
    if (squares < p.count || p.count < 2) continue;
    add_fact(s, negated);
    s->multipliers[s->multiplier_count++] = p;
    return;
  }
}

// ---- the search

/// q * (p - 1) + 1 <= 0?
static bool contradicts(Search *s, RlxPoly q, int depth) {
  RlxStore *store = s->pr.store;
  RlxPoly below, scaled;
  return rlx_poly_add_term(store, s->goal, constant(-1), &below) &&
         rlx_poly_mul(store, q, below, &scaled) &&
         rlx_poly_add_term(store, scaled, constant(1), &scaled) &&
         rlx_prover_at_most_zero(&s->pr, scaled, depth);
}

static void prepare(Search *s) {
  RlxProver *pr = &s->pr;
  RlxPoly negated;
  int given = pr->fact_count;
  collect_atoms(s, s->goal, 1);
  s->goal_atom_count = s->atom_count; // the search knows what these say
  for (int i = 0; i < given; i++) collect_atoms(s, pr->facts[i], 0);
  add_division_facts(s);
  for (int i = 0; i < given; i++) bounds_of(s, pr->facts[i]);
  bool has_negated =
      rlx_poly_add_scaled(pr->store, rlx_poly_const(pr->store, 1), -1, s->goal, &negated);
  if (has_negated) bounds_of(s, negated);
  add_square_facts(s, s->goal);
  add_multiplier(s, rlx_poly_const(pr->store, 1));
  add_divisors(s);
  for (int i = 0; i < pr->fact_count && i < RLX_PROVE_FACTS; i++) add_cofactors(s, pr->facts[i]);
  if (has_negated) add_goal_itself(s, negated);
}

/// Is there a product or a quotient in it?
static bool is_curved(RlxPoly p) {
  for (int i = 0; i < p.count; i++)
    if (p.at[i].degree > 1 ||
        (p.at[i].degree == 1 && p.at[i].factors[0]->kind == RLX_PRIM_FLOORDIV))
      return true;
  return false;
}

/// p / factor, or false.
static bool divided(RlxStore *store, RlxPoly p, const RlxPrim *factor, RlxPoly *out) {
  RlxTerm single = {1, 1, &factor};
  RlxPoly sum = rlx_poly_const(store, 0);
  for (int i = 0; i < p.count; i++) {
    RlxTerm q;
    if (!cofactor(store, &p.at[i], &single, &q)) return false;
    q.k = p.at[i].k;
    if (!rlx_poly_add_term(store, sum, q, &sum)) return false;
  }
  *out = sum;
  return true;
}

/// Takes out the factors that all terms of the goal have and that are at least 0. Where one is 0
/// there is nothing to show, so it is at least 1.
static void divide_goal(Search *s) {
  const RlxRangeEnv env = rlx_prover_env(&s->pr);
  const RlxPoly p = s->goal;
  for (int f = 0; p.count > 0 && f < p.at[0].degree; f++) {
    const RlxPrim *factor = p.at[0].factors[f];
    bool lone = s->goal.count == 1;
    if (lone && (s->goal.at[0].degree == 1 || factor->kind == RLX_PRIM_FLOORDIV)) continue;
    if (rlx_prim_range(s->pr.store, factor, &env).min < 0) continue;
    if (divided(s->pr.store, s->goal, factor, &s->goal))
      rlx_prover_narrow(&s->pr, factor, 1, INT64_MAX);
  }
}

static bool search(Search *s) {
  divide_goal(s);
  prepare(s);
  if (s->pr.contradiction) return true; // p >= 1 cannot be
  for (int depth = 2; depth <= PRODUCT_DEPTH; depth++)
    for (int i = 0; i < s->multiplier_count; i++)
      if (contradicts(s, s->multipliers[i], depth)) return true;
  return false;
}

bool rlx_prover_by_products(RlxProver *outer, RlxPoly p) {
  RlxStore *store = outer->store;
  bool curved = is_curved(p);
  for (int i = 0; i < outer->fact_count && !curved; i++) curved = is_curved(outer->facts[i]);
  if (!curved || *outer->product_work <= 0) return false;
  uint64_t start = store->work, end = store->work_end;
  uint64_t most =
      start + (uint64_t)(*outer->product_work < SEARCH_WORK ? *outer->product_work : SEARCH_WORK);
  if (end == 0 || most < end) store->work_end = most;
  int steps = RLX_PROVE_STEPS;
  RlxSeenSum seen[RLX_PROVE_SEEN] = {{0}};
  Search s = {.pr = *outer, .goal = p};
  s.pr.steps = &steps;
  s.pr.seen = seen;
  s.pr.in_products = true;
  bool shown = search(&s);
  store->work_end = end;
  *outer->product_work -= (int)(store->work - start);
  return shown;
}
