/// The prover: equality and order of symbolic integers, yes / no / unknown.
///
/// First the canonical difference, its range and its divisibility; only what they leave open is
/// searched: facts are added up so that terms cancel (Fourier-Motzkin, a few levels), `min` and
/// selections are distinguished by cases. Always true: YES and NO hold for every assignment that
/// satisfies the facts, has dimensions >= 0, and for which both sides are defined; the work is
/// bounded by RLX_PROVE_STEPS.
#include "analyzer/symbolic/prove.h"

#include "analyzer/symbolic/int_math.h"
#include "analyzer/symbolic/prove_impl.h"
#include "base/hash.h"

// ---- order of polynomials

static bool at_most_zero(RlxProver *pr, RlxPoly p, int depth);

/// t = quotient * f with a quotient that is >= 0 whatever its variables are: its factors in `out`,
/// k 1.
static bool nonnegative_quotient(RlxProver *pr, const RlxTerm *t, const RlxTerm *f, RlxTerm *out) {
  if (t->degree < f->degree) return false;
  const RlxRangeEnv env = rlx_prover_env(pr);
  out->k = 1;
  out->degree = 0;
  out->factors = rlx_arena_array(pr->store->scratch, const RlxPrim *, t->degree);
  int j = 0;
  for (int i = 0; i < t->degree; i++) {
    if (j < f->degree && t->factors[i] == f->factors[j]) {
      j++;
      continue;
    }
    if (rlx_prim_range(pr->store, t->factors[i], &env).min < 0) return false;
    out->factors[out->degree++] = t->factors[i];
  }
  return j == f->degree;
}

/// Adds a multiple of `fact` (<= 0) to cancel term `t` of `p`: |f|*p - |t|*fact <= 0 would prove p
/// <= 0.
static bool cancel_with(RlxProver *pr, RlxPoly p, const RlxTerm *t, RlxPoly fact, int depth) {
  for (int i = 0; i < fact.count; i++) {
    RlxTerm q;
    if ((fact.at[i].k > 0) != (t->k > 0) || fact.at[i].k == INT64_MIN || t->k == INT64_MIN)
      continue;
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
    return at_most_zero(pr, sum, depth - 1);
  }
  return false;
}

/// What division says about its quotient, as polynomials <= 0: d*q - x, and x - d*q - d + 1. For d
/// > 0.
static int division_facts(RlxProver *pr, const RlxPrim *atom, RlxPoly out[2]) {
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
  RlxTerm one = {1, 0, NULL};
  if (!rlx_poly_add_scaled(store, x, -1, dq, &above) ||
      !rlx_poly_add_scaled(store, above, -1, d, &above))
    return 1;
  return rlx_poly_add_term(store, above, one, &out[1]) ? 2 : 1;
}

/// Is p <= 0 for all assignments? False: not shown.
static bool at_most_zero(RlxProver *pr, RlxPoly p, int depth) {
  const RlxRangeEnv env = rlx_prover_env(pr);
  if (rlx_work_is_over(pr->store)) *pr->steps = 0;
  if (*pr->steps <= 0) return false;
  if (rlx_poly_range(pr->store, p, &env).max <= 0) return true;
  if (depth == 0) return false;
  for (int i = 0; i < p.count; i++) {
    const RlxTerm *t = &p.at[i];
    if (t->degree == 0) continue;
    RlxPoly alone = {&p.at[i], 1};
    if (rlx_poly_range(pr->store, alone, &env).max <= 0) continue; // it does no harm
    for (int f = 0; f < pr->fact_count; f++) {
      if (--*pr->steps <= 0) return false;
      if (cancel_with(pr, p, t, pr->facts[f], depth)) return true;
    }
    for (int f = 0; f < t->degree; f++) {
      RlxPoly own[2];
      int count = division_facts(pr, t->factors[f], own);
      for (int j = 0; j < count; j++) {
        if (--*pr->steps <= 0) return false;
        if (cancel_with(pr, p, t, own[j], depth)) return true;
      }
    }
  }
  // The quotient may stand on the harmless side, but a fact about it may still be needed: x - 2*(x
  // // 2) <= 1.
  for (int i = 0; i < p.count; i++) {
    const RlxTerm *t = &p.at[i];
    for (int f = 0; f < t->degree; f++) {
      RlxPoly own[2];
      if (t->factors[f]->kind != RLX_PRIM_FLOORDIV && t->factors[f]->kind != RLX_PRIM_MIN) continue;
      int count = division_facts(pr, t->factors[f], own);
      for (int j = 0; j < count; j++) {
        if (--*pr->steps <= 0) return false;
        if (cancel_with(pr, p, t, own[j], depth)) return true;
      }
    }
  }
  return false;
}

enum { COMBINE_DEPTH = 4 };

/// p <= 0: always (YES), never (NO).
static RlxProof order_of(RlxProver *pr, RlxPoly p) {
  if (at_most_zero(pr, p, COMBINE_DEPTH)) return RLX_YES;
  RlxPoly opposite = rlx_poly_const(pr->store, 1); // never: 1 - p <= 0
  if (rlx_poly_add_scaled(pr->store, opposite, -1, p, &opposite) &&
      at_most_zero(pr, opposite, COMBINE_DEPTH))
    return RLX_NO;
  return RLX_UNKNOWN;
}

/// d == 0: always, never.
static RlxProof zero_of(RlxProver *pr, RlxPoly d) {
  int64_t value, g = rlx_poly_gcd(d);
  if (rlx_poly_is_const(d, &value)) return value == 0 ? RLX_YES : RLX_NO;
  if (g != 0 && rlx_poly_constant(d) % g != 0) return RLX_NO;
  RlxProof low = order_of(pr, d); // d <= 0
  if (low == RLX_NO) return RLX_NO;
  RlxPoly negated;
  if (!rlx_poly_add_scaled(pr->store, rlx_poly_const(pr->store, 0), -1, d, &negated))
    return RLX_UNKNOWN;
  RlxProof high = order_of(pr, negated);
  if (high == RLX_NO) return RLX_NO;
  return low == RLX_YES && high == RLX_YES ? RLX_YES : RLX_UNKNOWN;
}

// ---- case distinctions

/// The first atom of a tree, innermost first, that two cases make simpler; NULL: none.
static const RlxPrim *splittable(const RlxPrim *p, int *steps) {
  if (p->arg_count == 0 || (*steps)-- <= 0) return NULL;
  for (int i = 0; i < p->arg_count; i++) {
    const RlxPrim *inner = splittable(p->args[i], steps);
    if (inner) return inner;
  }
  bool integral = p->dtype.code == RLX_DTYPE_INT;
  return integral &&
                 (p->kind == RLX_PRIM_MIN || p->kind == RLX_PRIM_MAX || p->kind == RLX_PRIM_SELECT)
             ? p
             : NULL;
}

typedef struct Replacement {
  RlxStore *store;
  const RlxPrim *from, *to;
  int steps;
} Replacement;

/// `p` with one sub-tree replaced by another one; not simplified.
static const RlxPrim *replace(Replacement *r, const RlxPrim *p) {
  r->store->work++;
  if (p == r->from) return r->to;
  if (p->arg_count == 0 || p->arg_count > 3 || p->size < r->from->size || r->steps-- <= 0) return p;
  const RlxPrim *args[3];
  bool changed = false;
  for (int i = 0; i < p->arg_count; i++) {
    args[i] = replace(r, p->args[i]);
    changed |= args[i] != p->args[i];
  }
  uint64_t payload = p->kind == RLX_PRIM_CALL ? p->name : 0;
  return changed
             ? rlx_prim_make(r->store, (RlxPrimKind)p->kind, p->dtype, payload, args, p->arg_count)
             : p;
}

/// The answer when `atom` is `value` because `condition` holds. Sets `*possible`, false when that
/// cannot be.
static RlxProof decide_case(const RlxProver *outer, const RlxPrim *goal, const RlxPrim *atom,
                            const RlxPrim *value, const RlxPrim *condition, bool *possible) {
  RlxProver pr = *outer;
  pr.splits++;
  Replacement r = {pr.store, atom, value, 4000};
  goal = replace(&r, goal);
  r.steps = 4000;
  rlx_prover_assume(&pr, rlx_prover_apply(&pr, replace(&r, condition)));
  *possible = !pr.contradiction;
  if (!*possible) return RLX_UNKNOWN;
  const RlxPrim *applied = rlx_prover_apply(&pr, goal);
  return rlx_prover_decide(&pr, applied);
}

static RlxProof decide_by_cases(RlxProver *pr, const RlxPrim *goal) {
  int steps = 4000;
  if (pr->splits >= RLX_PROVE_SPLITS || *pr->steps <= 0 || rlx_work_is_over(pr->store))
    return RLX_UNKNOWN;
  const RlxPrim *atom = splittable(goal, &steps);
  if (!atom) return RLX_UNKNOWN;
  const RlxPrim *condition, *first, *second;
  if (atom->kind == RLX_PRIM_SELECT) {
    condition = atom->args[0];
    first = atom->args[1];
    second = atom->args[2];
  } else {
    condition = rlx_prim_binary(pr->store, RLX_PRIM_LE, atom->args[0], atom->args[1]);
    first = atom->args[atom->kind == RLX_PRIM_MIN ? 0 : 1];
    second = atom->args[atom->kind == RLX_PRIM_MIN ? 1 : 0];
  }
  bool can_first, can_second;
  RlxProof a = decide_case(pr, goal, atom, first, condition, &can_first);
  if (can_first && a == RLX_UNKNOWN) return RLX_UNKNOWN;
  const RlxPrim *otherwise = rlx_prim_unary(pr->store, RLX_PRIM_NOT, condition);
  RlxProof b = decide_case(pr, goal, atom, second, otherwise, &can_second);
  if (!can_first) return b;
  return !can_second || a == b ? a : RLX_UNKNOWN;
}

// ---- conditions

static RlxProof flip(RlxProof p) {
  return p == RLX_YES ? RLX_NO : p == RLX_NO ? RLX_YES : RLX_UNKNOWN;
}

/// What the range of the readable difference says: it knows that a remainder is small, which the
/// strict form hides.
static RlxProof decide_by_range(RlxProver *pr, const RlxPrim *c) {
  const RlxPrim *gap =
      rlx_prim_simplify(pr->store, rlx_prim_sub(pr->store, c->args[0], c->args[1]));
  const RlxRangeEnv env = rlx_prover_env(pr);
  RlxRange r = rlx_poly_range(pr->store, rlx_poly_of(pr->store, gap), &env);
  int64_t most = c->kind == RLX_PRIM_LT ? -1 : 0;
  if (c->kind == RLX_PRIM_LE || c->kind == RLX_PRIM_LT)
    return r.max <= most ? RLX_YES : r.min > most ? RLX_NO : RLX_UNKNOWN;
  bool apart = r.min > 0 || r.max < 0, same = r.min == 0 && r.max == 0;
  RlxProof equal = apart ? RLX_NO : same ? RLX_YES : RLX_UNKNOWN;
  return c->kind == RLX_PRIM_EQ ? equal : flip(equal);
}

static RlxProof decide_comparison(RlxProver *pr, const RlxPrim *c) {
  RlxPoly d;
  if (c->args[0]->dtype.code != RLX_DTYPE_INT) return RLX_UNKNOWN;
  if (!rlx_poly_add_scaled(pr->store, rlx_poly_of(pr->store, c->args[0]), -1,
                           rlx_poly_of(pr->store, c->args[1]), &d))
    return RLX_UNKNOWN;
  RlxTerm one = {1, 0, NULL};
  RlxProof easy = decide_by_range(pr, c);
  if (easy != RLX_UNKNOWN) return easy;
  if (c->kind == RLX_PRIM_LE) return order_of(pr, d);
  if (c->kind == RLX_PRIM_LT)
    return rlx_poly_add_term(pr->store, d, one, &d) ? order_of(pr, d) : RLX_UNKNOWN;
  RlxProof zero = zero_of(pr, d);
  return c->kind == RLX_PRIM_EQ ? zero : flip(zero);
}

/// Is the condition, or its opposite, one of the facts as it stands?
static RlxProof decide_as_given(RlxProver *pr, const RlxPrim *c) {
  const RlxPrim *opposite =
      rlx_prim_simplify_strict(pr->store, rlx_prim_unary(pr->store, RLX_PRIM_NOT, c));
  for (int i = 0; i < pr->given_count; i++) {
    if (pr->given[i] == c) return RLX_YES;
    if (pr->given[i] == opposite) return RLX_NO;
  }
  return RLX_UNKNOWN;
}

static RlxProof decide_logical(RlxProver *pr, const RlxPrim *c) {
  RlxProof a = rlx_prover_decide(pr, c->args[0]);
  RlxProof strong = c->kind == RLX_PRIM_AND ? RLX_NO : RLX_YES; // decides alone
  if (a == strong) return strong;
  RlxProof b = rlx_prover_decide(pr, c->args[1]);
  if (b == strong) return strong;
  return a == b ? a : RLX_UNKNOWN;
}

RlxProof rlx_prover_decide(RlxProver *pr, const RlxPrim *c) {
  int64_t value;
  if (rlx_prim_is_const(c, &value)) return value ? RLX_YES : RLX_NO;
  if (rlx_work_is_over(pr->store)) return RLX_UNKNOWN;
  RlxProof answer = pr->given_count > 0 ? decide_as_given(pr, c) : RLX_UNKNOWN;
  if (answer != RLX_UNKNOWN) return answer;
  switch ((RlxPrimKind)c->kind) {
  case RLX_PRIM_EQ:
  case RLX_PRIM_NE:
  case RLX_PRIM_LT:
  case RLX_PRIM_LE: answer = decide_comparison(pr, c); break;
  case RLX_PRIM_AND:
  case RLX_PRIM_OR: answer = decide_logical(pr, c); break;
  case RLX_PRIM_NOT: answer = flip(rlx_prover_decide(pr, c->args[0])); break;
  case RLX_PRIM_INT:
  case RLX_PRIM_FLOAT:
  case RLX_PRIM_VAR:
  case RLX_PRIM_ADD:
  case RLX_PRIM_SUB:
  case RLX_PRIM_MUL:
  case RLX_PRIM_DIV:
  case RLX_PRIM_FLOORDIV:
  case RLX_PRIM_FLOORMOD:
  case RLX_PRIM_TRUNCDIV:
  case RLX_PRIM_TRUNCMOD:
  case RLX_PRIM_MIN:
  case RLX_PRIM_MAX:
  case RLX_PRIM_ABS:
  case RLX_PRIM_SHL:
  case RLX_PRIM_SHR:
  case RLX_PRIM_BITAND:
  case RLX_PRIM_BITOR:
  case RLX_PRIM_BITXOR:
  case RLX_PRIM_SELECT:
  case RLX_PRIM_CAST:
  case RLX_PRIM_CALL: break;
  }
  return answer != RLX_UNKNOWN ? answer : decide_by_cases(pr, c);
}

// ---- questions

/// The search for an answer, when structure and ranges left the question open.
static RlxProof search(RlxStore *store, const RlxPrim *goal, const RlxPrim *const *conditions,
                       int count) {
  RlxArenaMark mark = rlx_arena_mark(store->scratch);
  int steps = RLX_PROVE_STEPS;
  RlxProver prover;
  rlx_prover_init(&prover, store, conditions, count, &steps);
  RlxProof answer = prover.contradiction
                        ? RLX_UNKNOWN
                        : rlx_prover_decide(&prover, rlx_prover_apply(&prover, goal));
  rlx_arena_rewind(store->scratch, mark);
  return answer;
}

/// Where the answer to a question is kept. What a variable is known to be (a dimension) belongs to
/// the question.
static RlxAnswer *remembered(RlxStore *store, const RlxPrim *goal, const RlxPrim *const *conditions,
                             int count, uint64_t *out_key) {
  uint64_t key = rlx_hash_mix(rlx_hash_ptr(goal), store->dimension_count);
  for (int i = 0; i < count; i++) key = rlx_hash_mix(key, rlx_hash_ptr(conditions[i]));
  if (!store->answers) store->answers = rlx_arena_array(store->arena, RlxAnswer, RLX_ANSWERS);
  *out_key = key | 1; // a free entry has the key 0
  return &store->answers[key >> 40 & (RLX_ANSWERS - 1)];
}

static RlxProof ask_counted(RlxStore *store, const RlxFacts *facts, const RlxPrim *condition) {
  int64_t value;
  const RlxPrim *goal = rlx_prim_simplify(store, condition);
  if (rlx_prim_is_const(goal, &value)) return value ? RLX_YES : RLX_NO;
  store->questions++;
  if (goal->size > RLX_SIMPLIFY_SIZE_MAX) return RLX_UNKNOWN;
  const RlxPrim *conditions[RLX_PROVE_FACTS];
  int count = rlx_prover_relevant(facts, goal, conditions);
  uint64_t key;
  RlxAnswer *answer = remembered(store, goal, conditions, count, &key);
  if (answer->key != key)
    *answer = (RlxAnswer){key, (uint8_t)search(store, goal, conditions, count)};
  return (RlxProof)answer->proof;
}

static RlxProof ask(RlxStore *store, const RlxFacts *facts, const RlxPrim *condition) {
  bool started = rlx_work_start(store);
  RlxProof answer = ask_counted(store, facts, condition);
  rlx_work_finish(store, started);
  return answer;
}

RlxProof rlx_prove(RlxStore *store, const RlxFacts *facts, const RlxPrim *condition) {
  return ask(store, facts, condition);
}

static RlxProof ask_comparison(RlxStore *store, const RlxFacts *facts, RlxPrimKind kind,
                               const RlxPrim *a, const RlxPrim *b) {
  return ask(store, facts, rlx_prim_binary(store, kind, a, b));
}

RlxProof rlx_prove_equal(RlxStore *store, const RlxFacts *facts, const RlxPrim *a,
                         const RlxPrim *b) {
  if (a == b) return RLX_YES;
  int64_t x, y;
  if (rlx_prim_is_const(a, &x) && rlx_prim_is_const(b, &y)) return x == y ? RLX_YES : RLX_NO;
  return ask_comparison(store, facts, RLX_PRIM_EQ, a, b);
}

RlxProof rlx_prove_less(RlxStore *store, const RlxFacts *facts, const RlxPrim *a,
                        const RlxPrim *b) {
  return ask_comparison(store, facts, RLX_PRIM_LT, a, b);
}

RlxProof rlx_prove_less_equal(RlxStore *store, const RlxFacts *facts, const RlxPrim *a,
                              const RlxPrim *b) {
  return ask_comparison(store, facts, RLX_PRIM_LE, a, b);
}

uint64_t rlx_store_questions(const RlxStore *store) { return store->questions; }

void rlx_prim_bounds(RlxStore *store, const RlxFacts *facts, const RlxPrim *p, int64_t *out_min,
                     int64_t *out_max) {
  store->questions++;
  RlxArenaMark mark = rlx_arena_mark(store->scratch);
  int steps = RLX_PROVE_STEPS;
  RlxProver prover;
  const RlxPrim *conditions[RLX_PROVE_FACTS];
  rlx_prover_init(&prover, store, conditions, rlx_prover_relevant(facts, p, conditions), &steps);
  RlxRangeEnv env = rlx_prover_env(&prover);
  RlxRange readable = rlx_prim_range(store, rlx_prim_simplify(store, p), &env);
  RlxRange strict = rlx_poly_range(store, rlx_poly_of(store, rlx_prover_apply(&prover, p)), &env);
  *out_min = readable.min > strict.min ? readable.min : strict.min;
  *out_max = readable.max < strict.max ? readable.max : strict.max;
  rlx_arena_rewind(store->scratch, mark);
}
