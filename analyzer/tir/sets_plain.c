/// Systems that plainly have no solution, told without isl: two iterations that can't meet, the usual
/// answer of a loop over elements.
#include "analyzer/tir/sets_impl.h"

enum { PLAIN_DEPTH = 16 };

static bool plain_add(RlxPlainSum *sum, const RlxPrim *p, int64_t k, int depth) {
  int64_t product, value;
  if (depth > PLAIN_DEPTH) return false;
  if (rlx_prim_is_const(p, &value))
    return !__builtin_mul_overflow(value, k, &product) &&
           !__builtin_add_overflow(sum->constant, product, &sum->constant);
  if (p->kind == RLX_PRIM_CAST && rlx_prim_cast_keeps(p))
    return plain_add(sum, p->args[0], k, depth + 1);
  if (p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB)
    return plain_add(sum, p->args[0], k, depth + 1) &&
           plain_add(sum, p->args[1], p->kind == RLX_PRIM_ADD ? k : -k, depth + 1);
  for (int i = 0; p->kind == RLX_PRIM_MUL && i < 2; i++)
    if (rlx_prim_is_const(p->args[i], &value))
      return !__builtin_mul_overflow(value, k, &product) &&
             plain_add(sum, p->args[1 - i], product, depth + 1);
  int at = 0;
  while (at < sum->count && sum->terms[at] != p) at++;
  if (at == RLX_PLAIN_TERMS) return false;
  if (at == sum->count) {
    sum->terms[sum->count] = p;
    sum->coefficients[sum->count++] = 0;
  }
  return !__builtin_add_overflow(sum->coefficients[at], k, &sum->coefficients[at]);
}

bool rlx_plain_add(RlxPlainSum *sum, const RlxPrim *p, int64_t k) {
  return plain_add(sum, p, k, 0);
}

static bool plain_range(const RlxSystem *system, const RlxPrim *term, int64_t *lo, int64_t *hi) {
  int64_t extent;
  if (term->kind != RLX_PRIM_VAR) return false;
  for (int i = 0; i < system->range_count; i++) {
    const RlxLoopRange *r = &system->ranges[i];
    if (r->var == term->var)
      return r->min && r->extent && rlx_prim_is_const(r->min, lo) &&
             rlx_prim_is_const(r->extent, &extent) && extent > 0 &&
             !__builtin_add_overflow(*lo, extent - 1, hi);
  }
  return false;
}

/// Is `sum` 0 only where p = q? What else is in it is too small to make up for one step.
static bool makes_equal(const RlxSystem *system, const RlxPlainSum *sum, const RlxPrim *p,
                        const RlxPrim *q) {
  int64_t lo = sum->constant, hi = sum->constant, of_p = 0, of_q = 0;
  for (int i = 0; i < sum->count; i++) {
    int64_t k = sum->coefficients[i], least, most, a, b;
    if (sum->terms[i] == p)
      of_p = k;
    else if (sum->terms[i] == q)
      of_q = k;
    else if (k != 0 && (!plain_range(system, sum->terms[i], &least, &most) ||
                        __builtin_mul_overflow(k, k > 0 ? least : most, &a) ||
                        __builtin_mul_overflow(k, k > 0 ? most : least, &b) ||
                        __builtin_add_overflow(lo, a, &lo) || __builtin_add_overflow(hi, b, &hi)))
      return false;
  }
  if (of_p == 0 || of_p == INT64_MIN || of_q != -of_p) return false;
  int64_t step = of_p < 0 ? -of_p : of_p;
  return lo > -step && hi < step;
}

enum { PLAIN_EQUALITIES = 8 };

typedef struct Equalities {
  int count;
  const RlxPrim *at[PLAIN_EQUALITIES];
} Equalities;

static void collect_equalities(Equalities *all, const RlxPrim *condition, int depth) {
  if (condition->kind == RLX_PRIM_AND && depth < PLAIN_DEPTH) {
    collect_equalities(all, condition->args[0], depth + 1);
    collect_equalities(all, condition->args[1], depth + 1);
  } else if (condition->kind == RLX_PRIM_EQ && all->count < PLAIN_EQUALITIES)
    all->at[all->count++] = condition;
}

/// Adds k times the difference of both sides, which is 0.
static bool add_equality(RlxPlainSum *sum, const RlxPrim *equality, int64_t k) {
  return plain_add(sum, equality->args[0], k, 0) && plain_add(sum, equality->args[1], -k, 0);
}

/// Do the equalities say p = q, one by one or in pairs (p = x and q = x)?
static bool are_equal(const RlxSystem *system, const Equalities *all, const RlxPrim *p,
                      const RlxPrim *q) {
  for (int i = 0; i < all->count; i++) {
    RlxPlainSum one = {0};
    if (!add_equality(&one, all->at[i], 1)) continue;
    if (makes_equal(system, &one, p, q)) return true;
    for (int k = 0; k < i; k++)
      for (int sign = -1; sign <= 1; sign += 2) {
        RlxPlainSum both = one;
        if (add_equality(&both, all->at[k], sign) && makes_equal(system, &both, p, q)) return true;
      }
  }
  return false;
}

static bool is_zero(const RlxPlainSum *sum) {
  for (int i = 0; i < sum->count; i++)
    if (sum->coefficients[i] != 0) return false;
  return sum->constant == 0;
}

/// Is a - b = 0, or what an equality says is 0?
static bool are_same(const Equalities *all, const RlxPrim *a, const RlxPrim *b) {
  RlxPlainSum difference = {0};
  if (!plain_add(&difference, a, 1, 0) || !plain_add(&difference, b, -1, 0)) return false;
  if (is_zero(&difference)) return true;
  for (int i = 0; i < all->count; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      RlxPlainSum sum = difference;
      if (add_equality(&sum, all->at[i], sign) && is_zero(&sum)) return true;
    }
  return false;
}

/// Does `condition` ask that two values differ that the equalities say are one?
static bool is_refuted(const RlxSystem *system, const Equalities *all, const RlxPrim *condition,
                       int depth) {
  bool joins = condition->kind == RLX_PRIM_AND || condition->kind == RLX_PRIM_OR;
  bool differs = condition->kind == RLX_PRIM_NE || condition->kind == RLX_PRIM_LT;
  if (depth > PLAIN_DEPTH || (!joins && !differs)) return false;
  const RlxPrim *a = condition->args[0], *b = condition->args[1];
  if (condition->kind == RLX_PRIM_AND)
    return is_refuted(system, all, a, depth + 1) || is_refuted(system, all, b, depth + 1);
  if (condition->kind == RLX_PRIM_OR)
    return is_refuted(system, all, a, depth + 1) && is_refuted(system, all, b, depth + 1);
  bool are_variables = a->kind == RLX_PRIM_VAR && b->kind == RLX_PRIM_VAR;
  return are_same(all, a, b) || (are_variables && are_equal(system, all, a, b));
}

bool rlx_sets_plainly_empty(const RlxSystem *system) {
  Equalities all = {0};
  for (int i = 0; i < system->condition_count; i++)
    collect_equalities(&all, system->conditions[i], 0);
  for (int i = 0; all.count && i < system->condition_count; i++)
    if (is_refuted(system, &all, system->conditions[i], 0)) return true;
  return false;
}
