/// The prover's first search: is a polynomial at most 0 because facts, added up with factors that are
/// not negative, cancel what could make it larger (Fourier-Motzkin, a few levels)?
///
/// Always true: what is shown holds for every assignment that satisfies the facts and has dimensions
/// >= 0; the work is bounded by the steps of the question, and the same sum is tried once.
#include "analyzer/symbolic/int_math.h"
#include "analyzer/symbolic/prove_impl.h"
#include "base/hash.h"

/// t = quotient * f with a quotient that is >= 0 whatever its variables are: its factors in `out`,
/// k 1.
static bool nonnegative_quotient(RlxProver *pr, const RlxTerm *t, const RlxTerm *f, RlxTerm *out) {
  if (t->degree < f->degree) return false;
  for (int i = 0, j = 0; j < f->degree; i++) { // all of them there? It often ends here
    if (i == t->degree) return false;
    if (t->factors[i] == f->factors[j]) j++;
  }
  const RlxRangeEnv env = rlx_prover_env(pr);
  out->k = 1;
  out->degree = 0;
  out->factors = rlx_arena_array(pr->store->scratch, const RlxPrim *, t->degree);
  for (int i = 0, j = 0; i < t->degree; i++) {
    if (j < f->degree && t->factors[i] == f->factors[j]) {
      j++;
      continue;
    }
    if (rlx_prim_range(pr->store, t->factors[i], &env).min < 0) return false;
    out->factors[out->degree++] = t->factors[i];
  }
  return true;
}

/// Adds a multiple of `fact` (<= 0) to cancel term `t` of `p`: |f|*p - |t|*fact <= 0 would prove p
/// <= 0.
static bool cancel_with(RlxProver *pr, RlxPoly p, const RlxTerm *t, RlxPoly fact, int depth) {
  for (int i = 0; i < fact.count; i++) {
    RlxTerm q;
    if ((fact.at[i].k > 0) != (t->k > 0) || fact.at[i].k == INT64_MIN || t->k == INT64_MIN)
      continue;
    if (fact.at[i].degree == 0 && fact.count > 2 && t->degree)
      continue; // it fits every term, and seldom helps
    if (!nonnegative_quotient(pr, t, &fact.at[i], &q)) continue;
    int64_t g = rlx_int_gcd(fact.at[i].k, t->k);
    int64_t scale = fact.at[i].k / g, times = t->k / g;
    if (scale < 0) scale = -scale;
    if (times < 0) times = -times;
    RlxPoly product, one = {&q, 1}, zero = rlx_poly_const(pr->store, 0), sum;
    if (!rlx_poly_mul(pr->store, fact, one, &product) ||
        !rlx_poly_add_scaled(pr->store, zero, scale, p, &sum))
      continue;
    if (!rlx_poly_add_scaled(pr->store, sum, -times, product, &sum)) continue;
    return rlx_prover_at_most_zero(pr, sum, depth - 1);
  }
  return false;
}

enum { RESIDUES_MOST = 512 }; // assignments of residues that are looked at

/// The remainders that a polynomial with products leaves modulo `c`, by all residues of its atoms: n*n leaves 0 or 1
/// modulo 4. False: they are too many, or it is linear and may leave any.
static bool residues(RlxPoly x, int64_t c, RlxRange *out) {
  enum { ATOMS = 3 };
  const RlxPrim *atoms[ATOMS];
  int64_t all = 1;
  int count = 0;
  bool has_product = false;
  for (int i = 0; i < x.count; i++) {
    has_product |= x.at[i].degree > 1;
    for (int f = 0; f < x.at[i].degree; f++) {
      int k = 0;
      while (k < count && atoms[k] != x.at[i].factors[f]) k++;
      if (k < count) continue;
      if (count == ATOMS || c > RESIDUES_MOST / all) return false;
      atoms[count++] = x.at[i].factors[f];
      all *= c;
    }
  }
  if (!has_product) return false;
  *out = (RlxRange){c, -1};
  for (int64_t at = 0; at < all; at++) {
    int64_t sum = 0;
    for (int i = 0; i < x.count; i++) {
      int64_t term = x.at[i].k % c;
      for (int f = 0; f < x.at[i].degree; f++) {
        int64_t residue = at;
        for (int k = 0; atoms[k] != x.at[i].factors[f]; k++) residue /= c;
        term = term * (residue % c) % c;
      }
      sum = (sum + term + c) % c;
    }
    if (sum < out->min) out->min = sum;
    if (sum > out->max) out->max = sum;
  }
  return true;
}

/// What division says about its quotient, as polynomials <= 0: d*q - x, and x - d*q - d + 1. For d
/// > 0. Where x leaves only remainders from r to s: d*q - x + r, and x - d*q - s.
int rlx_prover_division_facts(RlxProver *pr, const RlxPrim *atom, RlxPoly out[2]) {
  RlxStore *store = pr->store;
  if (atom->kind == RLX_PRIM_MIN) { // q - a, q - b
    for (int i = 0; i < 2; i++)
      if (!rlx_poly_add_scaled(store, rlx_poly_atom(store, atom), -1,
                               rlx_poly_of(store, atom->args[i]), &out[i]))
        return i;
    return 2;
  }
  if (atom->kind != RLX_PRIM_FLOORDIV || rlx_prim_range(store, atom->args[1], NULL).min < 0)
    return 0;
  RlxPoly x = rlx_poly_of(store, atom->args[0]), d = rlx_poly_of(store, atom->args[1]), dq, above;
  if (!rlx_poly_mul(store, d, rlx_poly_atom(store, atom), &dq)) return 0;
  if (!rlx_poly_add_scaled(store, dq, -1, x, &out[0])) return 0;
  int64_t c;
  RlxRange left;
  if (rlx_prim_is_const(atom->args[1], &c) && c > 0 && residues(x, c, &left)) {
    RlxTerm least = {left.min, 0, NULL}, most = {-left.max, 0, NULL};
    if (!rlx_poly_add_term(store, out[0], least, &out[0])) return 0;
    if (!rlx_poly_add_scaled(store, x, -1, dq, &above)) return 1;
    return rlx_poly_add_term(store, above, most, &out[1]) ? 2 : 1;
  }
  RlxTerm one = {1, 0, NULL};
  if (!rlx_poly_add_scaled(store, x, -1, dq, &above) ||
      !rlx_poly_add_scaled(store, above, -1, d, &above))
    return 1;
  return rlx_poly_add_term(store, above, one, &out[1]) ? 2 : 1;
}

static uint64_t poly_hash(RlxPoly p) {
  uint64_t hash = 1;
  for (int i = 0; i < p.count; i++) {
    hash = rlx_hash_mix(hash, (uint64_t)p.at[i].k);
    for (int f = 0; f < p.at[i].degree; f++) hash = rlx_hash_mix(hash, p.at[i].factors[f]->hash);
  }
  return hash | 1;
}

/// Was this tried before, with as many facts to come? Else it is from now on. A full memory forgets
/// nothing, so that what is found does not depend on where sums come to lie in it.
static bool was_seen(RlxProver *pr, RlxPoly p, int depth) {
  uint64_t hash = poly_hash(p);
  RlxSeenSum *seen;
  for (uint32_t at = (uint32_t)(hash >> 32), tries = 0; tries < RLX_PROVE_SEEN; at++, tries++) {
    seen = &pr->seen[at & (RLX_PROVE_SEEN - 1)];
    if (seen->hash == hash && seen->depth >= depth) return true;
    if (seen->hash != hash && seen->hash != 0) continue;
    *seen = (RlxSeenSum){hash, depth};
    return false;
  }
  return false;
}

/// Cancels a term that does no harm because a fact about it is needed: the quotient in
/// x - 2*(x // 2) <= 1, the product in 3 - n*m <= 0.
static bool through_harmless(RlxProver *pr, RlxPoly p, int depth) {
  for (int i = 0; i < p.count; i++) {
    const RlxTerm *t = &p.at[i];
    for (int f = 0; pr->in_products && t->degree > 1 && t->k < 0 && f < pr->fact_count; f++) {
      if (--*pr->steps <= 0) return false;
      if (cancel_with(pr, p, t, pr->facts[f], depth)) return true;
    }
    for (int f = 0; f < t->degree; f++) {
      RlxPoly own[2];
      if (t->factors[f]->kind != RLX_PRIM_FLOORDIV && t->factors[f]->kind != RLX_PRIM_MIN) continue;
      int count = rlx_prover_division_facts(pr, t->factors[f], own);
      for (int j = 0; j < count; j++) {
        if (--*pr->steps <= 0) return false;
        if (cancel_with(pr, p, t, own[j], depth)) return true;
      }
    }
  }
  return false;
}

/// Nothing but the constant makes p larger, as in 8 - n - m: a fact about the same terms makes up for it.
static bool through_constant(RlxProver *pr, RlxPoly p, int depth) {
  const RlxRangeEnv env = rlx_prover_env(pr);
  const RlxTerm *constant = NULL;
  for (int i = 0; i < p.count; i++) {
    const RlxPoly alone = {&p.at[i], 1};
    if (p.at[i].degree == 0)
      constant = &p.at[i];
    else if (rlx_poly_range(pr->store, alone, &env).max > 0)
      return false;
  }
  for (int f = 0; constant && f < pr->fact_count; f++) {
    if (--*pr->steps <= 0) return false;
    if (cancel_with(pr, p, constant, pr->facts[f], depth)) return true;
  }
  return false;
}

/// Is p <= 0 for all assignments? False: not shown.
bool rlx_prover_at_most_zero(RlxProver *pr, RlxPoly p, int depth) {
  const RlxRangeEnv env = rlx_prover_env(pr);
  if (rlx_work_is_over(pr->store)) *pr->steps = 0;
  if (*pr->steps <= 0) return false;
  if (rlx_poly_range(pr->store, p, &env).max <= 0) return true;
  if (depth == 0 || was_seen(pr, p, depth)) return false;
  for (int i = 0; i < p.count; i++) {
    const RlxTerm *t = &p.at[i];
    if (t->degree == 0) continue;
    RlxPoly alone = {&p.at[i], 1};
    int64_t most = rlx_poly_range(pr->store, alone, &env).max;
    if (most <= 0) continue; // it does no harm
    for (int f = 0; f < pr->fact_count; f++) {
      if (--*pr->steps <= 0) return false;
      if (cancel_with(pr, p, t, pr->facts[f], depth)) return true;
    }
    for (int f = 0; f < t->degree; f++) {
      RlxPoly own[2];
      int count = rlx_prover_division_facts(pr, t->factors[f], own);
      for (int j = 0; j < count; j++) {
        if (--*pr->steps <= 0) return false;
        if (cancel_with(pr, p, t, own[j], depth)) return true;
      }
    }
    if (most == INT64_MAX) break; // the others cannot make up for it
  }
  return through_harmless(pr, p, depth) || through_constant(pr, p, depth);
}
