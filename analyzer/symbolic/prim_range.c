/// Interval arithmetic over symbolic integers: what holds whatever the variables are, with
/// dimensions >= 0.
///
/// Always true: the range contains every value of the prim that does not overflow int64. Looks at
/// most RANGE_DEPTH levels deep, so that it may be asked at every node of a tree.
#include <stddef.h>

#include "analyzer/symbolic/int_math.h"
#include "analyzer/symbolic/poly.h"
#include "analyzer/symbolic/store_inside.h"

enum { RANGE_DEPTH = 6 };

static const RlxRange everything = {INT64_MIN, INT64_MAX};

static bool is_inf(int64_t x) { return x == INT64_MIN || x == INT64_MAX; }

/// Sum of two lower (or two upper) ends; `inf` is what "unbounded" is for that end.
static int64_t end_add(int64_t a, int64_t b, int64_t inf) {
  int64_t sum;
  if (a == inf || b == inf) return inf;
  if (is_inf(a) || is_inf(b)) return is_inf(a) ? a : b;
  return rlx_int_add(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

/// Product of two ends, where unbounded times zero is zero.
static int64_t end_mul(int64_t a, int64_t b) {
  int64_t product;
  if (a == 0 || b == 0) return 0;
  if (!is_inf(a) && !is_inf(b) && rlx_int_mul(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

RlxRange rlx_range_add(RlxRange a, RlxRange b) {
  return (RlxRange){end_add(a.min, b.min, INT64_MIN), end_add(a.max, b.max, INT64_MAX)};
}

RlxRange rlx_range_scale(RlxRange a, int64_t k) {
  int64_t x = end_mul(a.min, k), y = end_mul(a.max, k);
  return k >= 0 ? (RlxRange){x, y} : (RlxRange){y, x};
}

RlxRange rlx_range_mul(RlxRange a, RlxRange b) {
  int64_t ends[] = {end_mul(a.min, b.min), end_mul(a.min, b.max), end_mul(a.max, b.min),
                    end_mul(a.max, b.max)};
  RlxRange r = {ends[0], ends[0]};
  for (int i = 1; i < 4; i++) {
    if (ends[i] < r.min) r.min = ends[i];
    if (ends[i] > r.max) r.max = ends[i];
  }
  return r;
}

static int64_t end_div(int64_t a, int64_t c) {
  int64_t q;
  if (is_inf(a)) return c > 0 ? a : a == INT64_MIN ? INT64_MAX : INT64_MIN;
  return rlx_int_floordiv(a, c, &q) ? q : INT64_MAX;
}

/// a // b for divisors that are positive throughout; else, for non-zero ones, by magnitude.
RlxRange rlx_range_div(RlxRange a, RlxRange b) {
  if (b.min == b.max && b.min < 0 && b.min != INT64_MIN) {
    RlxRange r = {end_div(a.max, b.min), end_div(a.min, b.min)};
    return r;
  }
  // A divisor of a defined expression is not 0, so >= 0 means >= 1.
  if (b.min < 0) return everything;
  int64_t least = b.min > 0 ? b.min : 1;
  RlxRange r = everything;
  if (a.min >= 0)
    r.min = is_inf(b.max) ? 0 : end_div(a.min, b.max);
  else
    r.min = end_div(a.min, least);
  if (a.max >= 0)
    r.max = end_div(a.max, least);
  else
    r.max = is_inf(b.max) ? -1 : end_div(a.max, b.max);
  return r;
}

RlxRange rlx_range_mod(RlxRange a, RlxRange b) {
  if (b.min < 0)
    return b.max <= 0 ? (RlxRange){b.min == INT64_MIN ? INT64_MIN : b.min + 1, 0} : everything;
  RlxRange r = {0, is_inf(b.max) ? INT64_MAX : b.max - 1};
  if (a.min >= 0 && a.max < r.max) r.max = a.max;
  if (r.max < 0) r.max = 0;
  return r;
}

/// What the type alone says.
static RlxRange type_range(RlxDType t) {
  RlxRange range;
  rlx_dtype_limits(t, &range.min, &range.max);
  return range;
}

static RlxRange intersect(RlxRange a, RlxRange b) {
  RlxRange r = {a.min > b.min ? a.min : b.min, a.max < b.max ? a.max : b.max};
  return r.min <= r.max ? r : a; // contradictory facts: any answer would do
}

static RlxRange range_at(RlxStore *store, const RlxPrim *p, const RlxRangeEnv *env, int depth);

static RlxRange range_binary(RlxStore *store, const RlxPrim *p, const RlxRangeEnv *env, int depth) {
  RlxRange a = range_at(store, p->args[0], env, depth), b = range_at(store, p->args[1], env, depth);
  switch ((RlxPrimKind)p->kind) {
  case RLX_PRIM_ADD: return rlx_range_add(a, b);
  case RLX_PRIM_SUB: return rlx_range_add(a, rlx_range_scale(b, -1));
  case RLX_PRIM_MUL: {
    RlxRange r = rlx_range_mul(a, b);
    if (p->args[0] == p->args[1] && r.min < 0) r.min = 0;
    return r;
  }
  case RLX_PRIM_FLOORDIV: return rlx_range_div(a, b);
  case RLX_PRIM_FLOORMOD: return rlx_range_mod(a, b);
  case RLX_PRIM_MIN:
    return (RlxRange){a.min < b.min ? a.min : b.min, a.max < b.max ? a.max : b.max};
  case RLX_PRIM_MAX:
    return (RlxRange){a.min > b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
  case RLX_PRIM_BITAND:
    if (b.min >= 0) return (RlxRange){0, b.max};
    return a.min >= 0 ? (RlxRange){0, a.max} : everything;
  case RLX_PRIM_TRUNCDIV: return a.min >= 0 && b.min > 0 ? rlx_range_div(a, b) : everything;
  case RLX_PRIM_TRUNCMOD: return a.min >= 0 && b.min > 0 ? rlx_range_mod(a, b) : everything;
  case RLX_PRIM_EQ:
  case RLX_PRIM_NE:
  case RLX_PRIM_LT:
  case RLX_PRIM_LE:
  case RLX_PRIM_AND:
  case RLX_PRIM_OR: return (RlxRange){0, 1};
  case RLX_PRIM_INT:
  case RLX_PRIM_FLOAT:
  case RLX_PRIM_VAR:
  case RLX_PRIM_DIV:
  case RLX_PRIM_SHL:
  case RLX_PRIM_SHR:
  case RLX_PRIM_BITOR:
  case RLX_PRIM_BITXOR:
  case RLX_PRIM_ABS:
  case RLX_PRIM_NOT:
  case RLX_PRIM_SELECT:
  case RLX_PRIM_CAST:
  case RLX_PRIM_CALL: break;
  }
  return everything;
}

static RlxRange range_structure(RlxStore *store, const RlxPrim *p, const RlxRangeEnv *env,
                                int depth) {
  if (p->kind == RLX_PRIM_INT) return (RlxRange){p->value, p->value};
  if (p->kind == RLX_PRIM_VAR) {
    RlxRange r = type_range(p->dtype);
    if (r.min < 0 && rlx_is_dimension(store, p->var)) r.min = 0;
    return r;
  }
  if (depth == 0 || p->arg_count == 0) return type_range(p->dtype);
  if (p->kind == RLX_PRIM_SELECT) {
    RlxRange a = range_at(store, p->args[1], env, depth - 1),
             b = range_at(store, p->args[2], env, depth - 1);
    return (RlxRange){a.min < b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
  }
  if (p->kind == RLX_PRIM_ABS) {
    RlxRange a = range_at(store, p->args[0], env, depth - 1);
    if (a.min >= 0) return a;
    RlxRange negated = rlx_range_scale(a, -1);
    if (a.max <= 0) return negated;
    return (RlxRange){0, a.max > negated.max ? a.max : negated.max};
  }
  if (p->kind == RLX_PRIM_CAST) {
    RlxDType from = p->args[0]->dtype;
    bool integral = rlx_dtype_is_int(from) || rlx_dtype_is_bool(from);
    const RlxRange type = type_range(p->dtype);
    if (!integral) return type;
    const RlxRange inner = range_at(store, p->args[0], env, depth - 1);
    const bool is_held = inner.min >= type.min && inner.max <= type.max;
    return is_held || rlx_prim_cast_keeps(p) ? intersect(inner, type) : type; // else it may wrap
  }
  if (p->arg_count == 2 && p->kind != RLX_PRIM_CALL) return range_binary(store, p, env, depth - 1);
  return type_range(p->dtype);
}

static RlxRange range_at(RlxStore *store, const RlxPrim *p, const RlxRangeEnv *env, int depth) {
  store->work++;
  if (rlx_work_is_over(store)) return type_range(p->dtype);
  RlxRange r = range_structure(store, p, env, depth), known;
  if (env && env->lookup(p, &known, env->data)) r = intersect(r, known);
  return r;
}

RlxRange rlx_prim_range(RlxStore *store, const RlxPrim *p, const RlxRangeEnv *env) {
  return range_at(store, p, env, RANGE_DEPTH);
}

static RlxRange range_of_term(RlxStore *store, const RlxTerm *t, const RlxRangeEnv *env) {
  RlxRange product = {1, 1};
  for (int f = 0; f < t->degree; f++) {
    RlxRange factor = rlx_prim_range(store, t->factors[f], env);
    bool square = f + 1 < t->degree && t->factors[f + 1] == t->factors[f];
    factor = square ? rlx_range_mul(factor, factor) : factor;
    if (square && factor.min < 0) factor.min = 0;
    f += square;
    product = rlx_range_mul(product, factor);
  }
  return rlx_range_scale(product, t->k);
}

/// Of a term that is a quotient by a constant, or a single factor: the dividend. NULL: of another one.
static const RlxPrim *dividend_of(const RlxTerm *t, int64_t *by) {
  *by = 1;
  if (t->degree != 1) return NULL;
  const RlxPrim *atom = t->factors[0];
  bool divides = atom->kind == RLX_PRIM_FLOORDIV && atom->args[1]->kind == RLX_PRIM_INT &&
                 atom->args[1]->value > 0;
  if (divides) *by = atom->args[1]->value;
  return divides ? atom->args[0] : atom;
}

enum { PAIRED_TERMS_MAX = 32 };

/// k * (x // d) - k * m * (x // (d * m)) is k * (x // d % m): the place in the polynomial of what is taken off term `i`,
/// -1: there is none.
static int rest_of(RlxPoly p, int i, int64_t *m) {
  int64_t d, e, k;
  const RlxPrim *x = dividend_of(&p.at[i], &d);
  for (int j = 0; x && j < p.count; j++) {
    if (j == i || p.at[j].degree != 1 || p.at[j].factors[0]->kind != RLX_PRIM_FLOORDIV) continue;
    if (dividend_of(&p.at[j], &e) != x || e <= d || e % d) continue;
    *m = e / d;
    if (rlx_int_mul(p.at[i].k, -*m, &k) && p.at[j].k == k) return j;
  }
  return -1;
}

RlxRange rlx_poly_range(RlxStore *store, RlxPoly p, const RlxRangeEnv *env) {
  RlxRange sum = {0, 0};
  uint32_t taken = 0, paired = 0; // terms that are the rest of another one; both of each pair
  int rests[PAIRED_TERMS_MAX];
  int64_t moduli[PAIRED_TERMS_MAX];
  bool pairs = p.count > 1 && p.count <= PAIRED_TERMS_MAX;
  for (int i = 0; pairs && i < p.count; i++) {
    rests[i] = paired >> i & 1 ? -1 : rest_of(p, i, &moduli[i]);
    if (rests[i] >= 0 && (paired >> rests[i] & 1)) rests[i] = -1;
    if (rests[i] < 0) continue;
    taken |= UINT32_C(1) << rests[i];
    paired |= UINT32_C(1) << rests[i] | UINT32_C(1) << i;
  }
  for (int i = 0; i < p.count; i++) {
    if (pairs && taken >> i & 1) continue;
    RlxRange term = range_of_term(store, &p.at[i], env);
    if (pairs && rests[i] >= 0) {
      RlxRange both = rlx_range_add(term, range_of_term(store, &p.at[rests[i]], env));
      term = intersect(both, rlx_range_scale((RlxRange){0, moduli[i] - 1}, p.at[i].k));
    }
    sum = rlx_range_add(sum, term);
  }
  return sum;
}
