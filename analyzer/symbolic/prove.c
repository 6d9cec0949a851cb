/// The prover: equality and order of symbolic integers, yes / no / unknown.
///
/// First the canonical difference, its range and its divisibility; only what they leave open is
/// searched: facts are added up so that terms cancel (prove_sum.c), products and quotients are
/// multiplied out (prove_products.c), `min` and selections are distinguished by cases. Always true: YES and NO hold for every assignment that
/// satisfies the facts, has dimensions >= 0, and for which both sides are defined; the work is
/// bounded by RLX_PROVE_STEPS.
#include "analyzer/symbolic/prove.h"

#include <stdlib.h>

#include "analyzer/symbolic/int_math.h"
#include "analyzer/symbolic/prove_impl.h"
#include "base/hash.h"
#include "base/mem.h"

// ---- order of polynomials

enum { COMBINE_DEPTH = 4 };

/// p <= 0: always (YES), never (NO). Few facts first: those proofs are cheap.
static RlxProof order_of(RlxProver *pr, RlxPoly p) {
  RlxSeenSum seen[RLX_PROVE_SEEN] = {{0}};
  RlxPoly opposite = rlx_poly_const(pr->store, 1); // never: 1 - p <= 0
  pr->seen = seen;
  const RlxOpen open = rlx_prover_open(pr, p);
  const bool can_oppose =
      open.can_be_above && rlx_poly_add_scaled(pr->store, opposite, -1, p, &opposite);
  if (!open.can_be_least && !can_oppose) return RLX_UNKNOWN;
  for (int depth = 2; depth <= COMBINE_DEPTH; depth += 2) {
    if (open.can_be_least && rlx_prover_at_most_zero(pr, p, depth)) return RLX_YES;
    if (can_oppose && rlx_prover_at_most_zero(pr, opposite, depth)) return RLX_NO;
    if (depth > 2) continue;
    if (open.can_be_least && rlx_prover_by_products(pr, p)) return RLX_YES;
    if (can_oppose && rlx_prover_by_products(pr, opposite)) return RLX_NO;
  }
  return RLX_UNKNOWN;
}

/// Is k * x^e + c == 0 for no integer x, because c is no power? (n * n == 2.)
static bool has_no_root(RlxPoly d) {
  int64_t c = rlx_poly_constant(d);
  if (d.count != 2 || d.at[0].degree < 2 || c == 0 || c == INT64_MIN || d.at[0].k == INT64_MIN)
    return false;
  for (int f = 1; f < d.at[0].degree; f++)
    if (d.at[0].factors[f] != d.at[0].factors[0]) return false;
  if (c % d.at[0].k != 0) return true;
  int64_t value = -(c / d.at[0].k);
  if (value < 0 && d.at[0].degree % 2 == 0) return true;
  if (value < 0) value = -value; // an odd power
  for (int64_t x = 1; x < 4096; x++) {
    int64_t power = 1;
    for (int f = 0; f < d.at[0].degree && power <= value; f++)
      if (!rlx_int_mul(power, x, &power)) return true;
    if (power >= value) return power != value;
  }
  return false;
}

/// d == 0: always, never.
static RlxProof zero_of(RlxProver *pr, RlxPoly d) {
  int64_t value, g = rlx_poly_gcd(d);
  if (rlx_poly_is_const(d, &value)) return value == 0 ? RLX_YES : RLX_NO;
  if (g != 0 && rlx_poly_constant(d) % g != 0) return RLX_NO;
  if (has_no_root(d)) return RLX_NO;
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
  if (a == b && a != RLX_UNKNOWN) return a;
  if (pr->splits >= RLX_PROVE_SPLITS || *pr->steps <= 0) return RLX_UNKNOWN;
  RlxProver other = *pr; // where the first does not decide, does the second?
  other.splits++;
  const RlxPrim *first = c->args[0];
  if (c->kind == RLX_PRIM_OR) first = rlx_prim_unary(pr->store, RLX_PRIM_NOT, first);
  rlx_prover_assume(&other, rlx_prover_apply(&other, first));
  if (other.contradiction) return strong;
  return rlx_prover_decide(&other, rlx_prover_apply(&other, c->args[1])) == strong ? strong
                                                                                   : RLX_UNKNOWN;
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

/// The place of a key: a newer answer takes that of an older one.
static RlxAnswer *answer_at(const RlxAnswers *answers, uint64_t key) {
  return &answers->at[key >> 40 & (answers->capacity - 1)];
}

/// Makes the first places, or twice as many where one file has asked more questions than half of them.
static void make_room(RlxAnswers *answers) {
  const bool is_full =
      answers->misses > answers->capacity / 2 && answers->capacity < RLX_ANSWERS_MOST;
  if (answers->at && !is_full) return;
  RlxAnswers more = {.capacity = answers->at ? answers->capacity * 2 : RLX_ANSWERS_LEAST,
                     .misses = answers->misses};
  more.at = rlx_mem_zeroed(more.capacity, sizeof *more.at);
  for (uint32_t i = 0; i < answers->capacity; i++)
    if (answers->at[i].key) *answer_at(&more, answers->at[i].key) = answers->at[i];
  free(answers->at);
  *answers = more;
}

/// The key of a question. What a variable is known to be (a dimension) belongs to it, and so does
/// what the question may cost. Never 0, which is that of a free place.
static uint64_t key_of(const RlxStore *store, const RlxPrim *goal, const RlxPrim *const *conditions,
                       int count, uint32_t work) {
  uint64_t key = rlx_hash_mix(rlx_hash_mix(rlx_hash_ptr(goal), store->marks.state), work);
  for (int i = 0; i < count; i++) key = rlx_hash_mix(key, rlx_hash_ptr(conditions[i]));
  return key | 1;
}

/// The search for an answer, when structure and ranges left the question open.
static RlxProof search(RlxStore *store, const RlxPrim *goal, const RlxPrim *const *conditions,
                       int count) {
  RlxArenaMark mark = rlx_arena_mark(store->scratch);
  RlxProveBudget budget;
  RlxProver prover;
  rlx_prover_init(&prover, store, conditions, count, &budget);
  RlxProof answer = prover.contradiction || rlx_work_is_over(store)
                        ? RLX_UNKNOWN
                        : rlx_prover_decide(&prover, rlx_prover_apply(&prover, goal));
  rlx_arena_rewind(store->scratch, mark);
  return answer;
}

/// `work`: what the question may cost.
static RlxProof ask_counted(RlxStore *store, const RlxFacts *facts, const RlxPrim *condition,
                            uint32_t work) {
  int64_t value;
  const RlxPrim *goal = rlx_prim_simplify(store, condition);
  if (rlx_prim_is_const(goal, &value)) return value ? RLX_YES : RLX_NO;
  store->questions++;
  if (goal->size > RLX_SIMPLIFY_SIZE_MAX) return RLX_UNKNOWN;
  const RlxPrim *conditions[RLX_PROVE_FACTS];
  int count = rlx_prover_relevant(store, facts, goal, conditions);
  make_room(&store->answers);
  const uint64_t key = key_of(store, goal, conditions, count, work);
  const RlxAnswer *answer = answer_at(&store->answers, key);
  if (answer->key == key) return (RlxProof)answer->proof;
  store->answers.misses++;
  const RlxProof proof = search(store, goal, conditions, count);
  *answer_at(&store->answers, key) = (RlxAnswer){.key = key, .proof = (uint8_t)proof};
  return proof;
}

static RlxProof ask(RlxStore *store, const RlxFacts *facts, const RlxPrim *condition) {
  const uint32_t work = rlx_work_of_question(store);
  bool started = rlx_work_start(store, work);
  RlxProof answer = ask_counted(store, facts, condition, work);
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
  RlxProveBudget budget;
  RlxProver prover;
  const RlxPrim *conditions[RLX_PROVE_FACTS];
  rlx_prover_init(&prover, store, conditions, rlx_prover_relevant(store, facts, p, conditions),
                  &budget);
  RlxRangeEnv env = rlx_prover_env(&prover);
  RlxRange readable = rlx_prim_range(store, rlx_prim_simplify(store, p), &env);
  RlxRange strict = rlx_poly_range(store, rlx_poly_of(store, rlx_prover_apply(&prover, p)), &env);
  *out_min = readable.min > strict.min ? readable.min : strict.min;
  *out_max = readable.max < strict.max ? readable.max : strict.max;
  rlx_arena_rewind(store->scratch, mark);
}
