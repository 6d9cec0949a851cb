/// The canonical form of symbolic integers: polynomials over atoms, with rules for division,
/// modulo, min and max, comparisons, selection and casts.
///
/// Always true: the result has the same value wherever the original is defined (divisors are not 0,
/// dimensions are at least 0, nothing overflows); simplifying twice is simplifying once; the result
/// does not depend on what was simplified before. Work per node is bounded by the limits of poly.h;
/// an expression beyond them comes back unchanged.
///
/// The strict form (for proofs, not for reading) also writes `x % c` as `x - c*(x // c)`, `min`,
/// `max` and `abs` as `min(d, 0)` and a rest, and makes coefficients under `//` positive.
#include <string.h>

#include "analyzer/symbolic/int_math.h"
#include "analyzer/symbolic/poly.h"

typedef struct Simplifier {
  RlxStore *store;
  bool strict;
} Simplifier;

static const RlxPrim *simp(Simplifier *s, const RlxPrim *p);
static const RlxPrim *simp_node(Simplifier *s, const RlxPrim *p);

static bool is_signed_int(RlxDType t) { return t.code == RLX_DTYPE_INT && t.lanes == 1; }

static const RlxPrim *make2(Simplifier *s, RlxPrimKind kind, RlxDType dtype, const RlxPrim *a,
                            const RlxPrim *b) {
  const RlxPrim *args[] = {a, b};
  return rlx_prim_make(s->store, kind, dtype, 0, args, 2);
}

static const RlxPrim *boolean(Simplifier *s, bool value) {
  return rlx_prim_int_typed(s->store, value, RLX_BOOL);
}

static RlxPoly poly_of(Simplifier *s, const RlxPrim *p) { return rlx_poly_of(s->store, p); }
static RlxPoly poly_const(Simplifier *s, int64_t value) { return rlx_poly_const(s->store, value); }
static RlxPoly poly_atom(Simplifier *s, const RlxPrim *p) { return rlx_poly_atom(s->store, p); }

/// a + k*b, or false.
static bool add_scaled(Simplifier *s, RlxPoly a, int64_t k, RlxPoly b, RlxPoly *out) {
  return rlx_poly_add_scaled(s->store, a, k, b, out);
}

static RlxTerm constant_term(int64_t k) {
  RlxTerm t = {k, 0, NULL};
  return t;
}

// ---- division by a constant

/// A polynomial divided term by term: p == c * quotient + rest.
typedef struct Split {
  RlxPoly quotient, rest;
} Split;

/// With `down`, every coefficient of the rest is in [0, c); else only the constant's, the others
/// are in (-c, c).
static bool split_by(Simplifier *s, RlxPoly p, int64_t c, bool down, Split *out) {
  out->quotient = out->rest = poly_const(s, 0);
  for (int i = 0; i < p.count; i++) {
    RlxTerm t = p.at[i], q = t, r = t;
    if (down || t.degree == 0) {
      if (!rlx_int_floordiv(t.k, c, &q.k) || !rlx_int_floormod(t.k, c, &r.k)) return false;
    } else {
      q.k = t.k / c;
      r.k = t.k % c;
    }
    if (!rlx_poly_add_term(s->store, out->quotient, q, &out->quotient)) return false;
    if (!rlx_poly_add_term(s->store, out->rest, r, &out->rest)) return false;
  }
  return true;
}

/// Divides every coefficient by g, the constant rounding down.
static RlxPoly divide_all(Simplifier *s, RlxPoly p, int64_t g) {
  RlxPoly out = poly_const(s, 0);
  for (int i = 0; i < p.count; i++) {
    RlxTerm t = p.at[i];
    if (!rlx_int_floordiv(t.k, g, &t.k) || !rlx_poly_add_term(s->store, out, t, &out)) return p;
  }
  return out;
}

/// True when floor(p / c) is one number for all values; then it goes to `out`.
static bool constant_quotient(Simplifier *s, RlxPoly p, int64_t c, int64_t *out) {
  RlxRange r = rlx_poly_range(s->store, p, NULL);
  int64_t high;
  if (r.min == INT64_MIN || r.max == INT64_MAX) return false;
  return rlx_int_floordiv(r.min, c, out) && rlx_int_floordiv(r.max, c, &high) && *out == high;
}

/// `x // a` with a constant a > 0, as the only term beside a constant: gives x and a.
static bool is_lone_division(RlxPoly p, const RlxPrim **x, int64_t *a) {
  if (p.count == 0 || p.count > 2 || (p.count == 2 && p.at[1].degree != 0)) return false;
  const RlxTerm *t = &p.at[0];
  if (t->k != 1 || t->degree != 1 || t->factors[0]->kind != RLX_PRIM_FLOORDIV) return false;
  *x = t->factors[0]->args[0];
  return rlx_prim_is_const(t->factors[0]->args[1], a) && *a > 0;
}

static bool div_mod(Simplifier *s, RlxPoly a, RlxPoly b, bool mod, RlxDType dtype, RlxPoly *out);

/// `x // a` as the only term beside a constant k, with a known to be positive: (x // a + k) // b is
/// (x + k*a) // (a*b) for b > 0. Gives both. A divisor is not 0, so at least 0 is positive.
static bool merge_divisions(Simplifier *s, RlxPoly p, RlxPoly b, RlxPoly *x, RlxPoly *d) {
  if (p.count == 0 || p.count > 2 || (p.count == 2 && p.at[1].degree != 0)) return false;
  const RlxTerm *t = &p.at[0];
  if (t->k != 1 || t->degree != 1 || t->factors[0]->kind != RLX_PRIM_FLOORDIV) return false;
  const RlxPrim *a = t->factors[0]->args[1];
  if (rlx_prim_range(s->store, a, NULL).min < 0 || rlx_poly_range(s->store, b, NULL).min < 0)
    return false;
  return rlx_poly_mul(s->store, poly_of(s, a), b, d) &&
         add_scaled(s, poly_of(s, t->factors[0]->args[0]), rlx_poly_constant(p), poly_of(s, a), x);
}

/// floor(p / c) for c > 0.
static bool div_const(Simplifier *s, RlxPoly p, int64_t c, RlxDType dtype, RlxPoly *out) {
  Split split;
  if (!split_by(s, p, c, s->strict, &split)) return false;
  RlxPoly rest = split.rest;
  int64_t g = rlx_poly_gcd(rest);
  if (g == 0) return *out = split.quotient, true; // 0 <= constant < c
  g = rlx_int_gcd(g, c);
  if (g > 1) {
    rest = divide_all(s, rest, g);
    c /= g;
  }
  int64_t q;
  if (c == 1) return add_scaled(s, split.quotient, 1, rest, out);
  if (constant_quotient(s, rest, c, &q))
    return rlx_poly_add_term(s->store, split.quotient, constant_term(q), out);
  const RlxPrim *x;
  int64_t a, scaled, divisor;
  if (is_lone_division(rest, &x, &a) && rlx_int_mul(a, rlx_poly_constant(rest), &scaled) &&
      rlx_int_mul(a, c, &divisor)) {
    RlxPoly inner; // (x // a + k) // c == (x + k*a) // (a*c)
    if (rlx_poly_add_term(s->store, poly_of(s, x), constant_term(scaled), &inner) &&
        div_const(s, inner, divisor, dtype, &inner))
      return add_scaled(s, split.quotient, 1, inner, out);
  }
  RlxPoly inner, both;
  if (s->strict && merge_divisions(s, rest, poly_const(s, c), &inner, &both) &&
      !rlx_poly_is_const(both, &divisor))
    return div_mod(s, inner, both, false, dtype, &inner) &&
           add_scaled(s, split.quotient, 1, inner, out);
  const RlxPrim *atom = make2(s, RLX_PRIM_FLOORDIV, dtype, rlx_poly_prim(s->store, rest, dtype),
                              rlx_prim_int_typed(s->store, c, dtype));
  return add_scaled(s, split.quotient, 1, poly_atom(s, atom), out);
}

/// In a polynomial that counts only modulo c, k * (x % a) is k * x when c divides k * a.
static bool drop_inner_mods(Simplifier *s, RlxPoly p, int64_t c, RlxPoly *out) {
  RlxPoly sum = poly_const(s, 0);
  bool changed = false;
  for (int i = 0; i < p.count; i++) {
    RlxTerm t = p.at[i];
    int64_t a, scaled;
    bool lone = t.degree == 1 && t.factors[0]->kind == RLX_PRIM_FLOORMOD;
    if (lone && rlx_prim_is_const(t.factors[0]->args[1], &a) && rlx_int_mul(t.k, a, &scaled) &&
        scaled % c == 0) {
      if (!add_scaled(s, sum, t.k, poly_of(s, t.factors[0]->args[0]), &sum)) return false;
      changed = true;
    } else if (!rlx_poly_add_term(s->store, sum, t, &sum))
      return false;
  }
  *out = changed ? sum : p;
  return changed;
}

/// p mod c for c > 0, in [0, c).
static bool mod_const(Simplifier *s, RlxPoly p, int64_t c, RlxDType dtype, RlxPoly *out) {
  RlxPoly q;
  if (s->strict) {
    if (!div_const(s, p, c, dtype, &q) || c == INT64_MIN) return false;
    return add_scaled(s, p, -c, q, out);
  }
  Split split;
  for (int round = 0; round < 4; round++) {
    if (!split_by(s, p, c, false, &split)) return false;
    if (!drop_inner_mods(s, split.rest, c, &p)) break;
  }
  RlxPoly rest = split.rest;
  int64_t g = rlx_poly_gcd(rest), quotient, offset = 0, modulus = c;
  if (g == 0) return *out = rest, true;
  g = rlx_int_gcd(g, c);
  if (g > 1) { // (g*x + r) % (g*m) == g * ((x + r // g) % m) + r % g
    if (!rlx_int_floormod(rlx_poly_constant(rest), g, &offset)) return false;
    rest = divide_all(s, rest, g);
    modulus = c / g;
  }
  RlxPoly reduced;
  if (modulus == 1)
    reduced = poly_const(s, 0);
  else if (constant_quotient(s, rest, modulus, &quotient)) {
    int64_t less;
    if (!rlx_int_mul(quotient, -modulus, &less)) return false;
    if (!rlx_poly_add_term(s->store, rest, constant_term(less), &reduced)) return false;
  } else {
    reduced = poly_atom(s, make2(s, RLX_PRIM_FLOORMOD, dtype, rlx_poly_prim(s->store, rest, dtype),
                                 rlx_prim_int_typed(s->store, modulus, dtype)));
  }
  return add_scaled(s, poly_const(s, offset), g, reduced, out);
}

// ---- division by an expression

/// t / d when d's coefficient and factors divide t's.
static bool term_div(Simplifier *s, const RlxTerm *t, const RlxTerm *d, RlxTerm *out) {
  if (t->k % d->k != 0 || t->degree < d->degree) return false;
  out->k = t->k / d->k;
  out->degree = 0;
  out->factors = rlx_arena_array(s->store->scratch, const RlxPrim *, t->degree + 1);
  int j = 0;
  for (int i = 0; i < t->degree; i++) {
    if (j < d->degree && t->factors[i] == d->factors[j])
      j++;
    else
      out->factors[out->degree++] = t->factors[i];
  }
  return j == d->degree;
}

/// p == d * quotient + rest, as much as possible by whole terms; for several terms in d only a rest
/// of 0 counts.
static bool split_by_poly(Simplifier *s, RlxPoly p, RlxPoly d, Split *out) {
  out->quotient = poly_const(s, 0);
  out->rest = p;
  if (d.count == 0 || d.at[0].k == INT64_MIN || d.at[0].k == 0) return false;
  for (int i = 0, steps = 0; i < out->rest.count && steps < 16; steps++) {
    RlxTerm q;
    if (out->rest.at[i].k == INT64_MIN || !term_div(s, &out->rest.at[i], &d.at[0], &q)) {
      if (d.count > 1) break; // long division goes from the first term on
      i++;
      continue;
    }
    RlxPoly qd, one = {&q, 1};
    if (!rlx_poly_mul(s->store, one, d, &qd) || !add_scaled(s, out->rest, -1, qd, &out->rest))
      return false;
    if (!rlx_poly_add_term(s->store, out->quotient, q, &out->quotient)) return false;
  }
  if (d.count > 1 && out->rest.count > 0) {
    out->quotient = poly_const(s, 0);
    out->rest = p;
  }
  return true;
}

/// True when 0 <= rest < d for all values.
static bool is_below(Simplifier *s, RlxPoly rest, RlxPoly d) {
  RlxPoly gap;
  if (rlx_poly_range(s->store, rest, NULL).min < 0 || !add_scaled(s, d, -1, rest, &gap))
    return false;
  return rlx_poly_range(s->store, gap, NULL).min >= 1;
}

/// floor(a / b), or with `mod` a - b * floor(a / b).
static bool div_mod(Simplifier *s, RlxPoly a, RlxPoly b, bool mod, RlxDType dtype, RlxPoly *out) {
  int64_t c;
  if (rlx_poly_is_const(b, &c)) {
    if (c == 0 || c == INT64_MIN) return false;
    if (c > 0) return mod ? mod_const(s, a, c, dtype, out) : div_const(s, a, c, dtype, out);
    RlxPoly negated, zero = poly_const(s, 0); // a // -c == -a // c and a % -c == -(-a % c)
    if (!add_scaled(s, zero, -1, a, &negated)) return false;
    if (!mod) return div_const(s, negated, -c, dtype, out);
    return mod_const(s, negated, -c, dtype, &negated) && add_scaled(s, zero, -1, negated, out);
  }
  Split split;
  if (!split_by_poly(s, a, b, &split)) return false;
  RlxPoly rest = split.rest;
  if (rest.count == 0 || is_below(s, rest, b)) return *out = mod ? rest : split.quotient, true;
  const RlxPrim *x = rlx_poly_prim(s->store, rest, dtype), *y = rlx_poly_prim(s->store, b, dtype);
  if (!mod || s->strict) {
    RlxPoly quotient = poly_atom(s, make2(s, RLX_PRIM_FLOORDIV, dtype, x, y)), product, inner, both;
    if (s->strict && merge_divisions(s, rest, b, &inner, &both) &&
        !div_mod(s, inner, both, false, dtype, &quotient))
      return false;
    if (!mod) return add_scaled(s, split.quotient, 1, quotient, out);
    return rlx_poly_mul(s->store, quotient, b, &product) && add_scaled(s, rest, -1, product, out);
  }
  *out = poly_atom(s, make2(s, RLX_PRIM_FLOORMOD, dtype, x, y));
  return true;
}

// ---- min and max

enum { MINMAX_OPERANDS = 12 };

/// Operands of a tree of one kind, flattened, in canonical form.
static int minmax_operands(RlxPrimKind kind, const RlxPrim *p, const RlxPrim **out, int count) {
  if (p->kind == kind && count <= MINMAX_OPERANDS - 2) {
    count = minmax_operands(kind, p->args[0], out, count);
    return count < MINMAX_OPERANDS ? minmax_operands(kind, p->args[1], out, count) : count;
  }
  out[count++] = p;
  return count;
}

/// How many operands `minmax_operands` would find: it must not lose one at its limit.
static int minmax_size(RlxPrimKind kind, const RlxPrim *p) {
  return p->kind == kind ? minmax_size(kind, p->args[0]) + minmax_size(kind, p->args[1]) : 1;
}

/// Does operand `a` never decide because of `b`? (For min: a >= b always.)
static bool is_dominated(Simplifier *s, RlxPrimKind kind, RlxPoly a, RlxPoly b) {
  RlxPoly gap;
  if (!add_scaled(s, a, -1, b, &gap)) return false;
  RlxRange r = rlx_poly_range(s->store, gap, NULL);
  return kind == RLX_PRIM_MIN ? r.min >= 0 : r.max <= 0;
}

/// Removes operands that never decide. Gives how many are left.
static int drop_dominated(Simplifier *s, RlxPrimKind kind, RlxPoly *polys, int count) {
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) {
      if (i == j || !is_dominated(s, kind, polys[i], polys[j])) continue;
      memmove(&polys[i], &polys[i + 1], (size_t)(count - i - 1) * sizeof *polys);
      count--;
      i--;
      break;
    }
  }
  return count;
}

/// The terms that all operands have, and the least constant; they are added outside.
static bool common_part(Simplifier *s, const RlxPoly *polys, int count, RlxPoly *out) {
  *out = poly_const(s, 0);
  int64_t least = rlx_poly_constant(polys[0]);
  for (int i = 1; i < count; i++)
    if (rlx_poly_constant(polys[i]) < least) least = rlx_poly_constant(polys[i]);
  for (int t = 0; t < polys[0].count; t++) {
    const RlxTerm *term = &polys[0].at[t];
    bool everywhere = term->degree > 0;
    for (int i = 1; i < count && everywhere; i++) {
      bool found = false;
      for (int u = 0; u < polys[i].count && !found; u++)
        found = polys[i].at[u].k == term->k && rlx_term_compare(&polys[i].at[u], term) == 0;
      everywhere = found;
    }
    if (everywhere && !rlx_poly_add_term(s->store, *out, *term, out)) return false;
  }
  return rlx_poly_add_term(s->store, *out, constant_term(least), out);
}

/// min(0, d) as a polynomial, d being no constant: d's factor and sign are taken out.
static bool strict_min_zero(Simplifier *s, RlxPoly d, RlxDType dtype, RlxPoly *out) {
  RlxRange r = rlx_poly_range(s->store, d, NULL);
  if (r.min >= 0) return *out = poly_const(s, 0), true;
  if (r.max <= 0) return *out = d, true;
  int64_t g = rlx_int_gcd(rlx_poly_gcd(d), rlx_poly_constant(d));
  RlxPoly rest = poly_const(s, 0), zero = rest;
  if (g > 1) d = divide_all(s, d, g);
  if (d.at[0].k < 0) { // min(0, d) == d + min(0, -d)
    rest = d;
    if (!add_scaled(s, zero, -1, d, &d)) return false;
  }
  const RlxPrim *atom = make2(s, RLX_PRIM_MIN, dtype, rlx_poly_prim(s->store, d, dtype),
                              rlx_prim_int_typed(s->store, 0, dtype));
  if (!add_scaled(s, rest, 1, poly_atom(s, atom), &rest)) return false;
  return add_scaled(s, zero, g > 1 ? g : 1, rest, out);
}

/// Strict form of two operands: min(a, b) == a + min(0, b - a), max(a, b) == b - min(0, b - a).
static bool strict_minmax(Simplifier *s, RlxPrimKind kind, RlxPoly a, RlxPoly b, RlxDType dtype,
                          RlxPoly *out) {
  RlxPoly gap, low;
  if (!add_scaled(s, b, -1, a, &gap) || !strict_min_zero(s, gap, dtype, &low)) return false;
  return kind == RLX_PRIM_MIN ? add_scaled(s, a, 1, low, out) : add_scaled(s, b, -1, low, out);
}

static const RlxPrim *simp_minmax(Simplifier *s, RlxPrimKind kind, const RlxPrim *a,
                                  const RlxPrim *b, RlxDType dtype) {
  const RlxPrim *operands[MINMAX_OPERANDS];
  RlxPoly polys[MINMAX_OPERANDS], common;
  int count = 0;
  if (minmax_size(kind, a) + minmax_size(kind, b) <= MINMAX_OPERANDS) {
    count = minmax_operands(kind, a, operands, 0);
    count = minmax_operands(kind, b, operands, count);
  } else {
    operands[count++] = a;
    operands[count++] = b;
  }
  for (int i = 0; i < count; i++) polys[i] = poly_of(s, operands[i]);
  count = drop_dominated(s, kind, polys, count);
  if (count == 2 && s->strict) {
    RlxPoly strict;
    if (strict_minmax(s, kind, polys[0], polys[1], dtype, &strict))
      return rlx_poly_prim(s->store, strict, dtype);
  }
  if (count > 1 && common_part(s, polys, count, &common)) {
    for (int i = 0; i < count; i++)
      if (!add_scaled(s, polys[i], -1, common, &polys[i])) return NULL;
  } else
    common = poly_const(s, 0);
  for (int i = 0; i < count; i++) operands[i] = rlx_poly_prim(s->store, polys[i], dtype);
  for (int i = 1; i < count; i++) { // few: by insertion; constants go last, as people write them
    for (int j = i; j > 0; j--) {
      bool constant = operands[j - 1]->kind == RLX_PRIM_INT;
      if (!constant && (operands[j]->kind == RLX_PRIM_INT ||
                        rlx_prim_compare(operands[j - 1], operands[j]) <= 0))
        break;
      const RlxPrim *t = operands[j];
      operands[j] = operands[j - 1];
      operands[j - 1] = t;
    }
  }
  const RlxPrim *result = operands[0];
  for (int i = 1; i < count; i++) result = make2(s, kind, dtype, result, operands[i]);
  RlxPoly whole;
  if (count == 1)
    whole = polys[0];
  else if (!add_scaled(s, common, 1, poly_atom(s, result), &whole))
    return NULL;
  return rlx_poly_prim(s->store, whole, dtype);
}

// ---- comparisons and booleans

/// The difference a - b with the common factor of its terms taken out: d == g * out + rest_constant
/// is not kept, so the caller looks at the constant first.
static void split_sides(Simplifier *s, RlxPoly d, RlxPoly *left, RlxPoly *right) {
  *left = *right = poly_const(s, 0);
  for (int i = 0; i < d.count; i++) {
    RlxTerm t = d.at[i];
    bool to_left = t.k > 0 && t.degree > 0;
    if (!to_left) t.k = -t.k;
    if (!rlx_poly_add_term(s->store, to_left ? *left : *right, t, to_left ? left : right)) return;
  }
}

static bool has_min_coefficient(RlxPoly p) {
  for (int i = 0; i < p.count; i++)
    if (p.at[i].k == INT64_MIN) return true;
  return false;
}

/// a == b, or a != b, of integers.
static const RlxPrim *simp_equality(Simplifier *s, bool equal, RlxPoly d, RlxDType dtype) {
  RlxRange r = rlx_poly_range(s->store, d, NULL);
  if (r.min == 0 && r.max == 0) return boolean(s, equal);
  if (r.min > 0 || r.max < 0) return boolean(s, !equal);
  int64_t g = rlx_poly_gcd(d), constant = rlx_poly_constant(d);
  if (g == 0) return boolean(s, (constant == 0) == equal);
  if (constant % g != 0) return boolean(s, !equal);
  d = divide_all(s, d, g);
  if (d.at[0].k < 0 && !add_scaled(s, poly_const(s, 0), -1, d, &d)) return NULL;
  RlxPoly left, right;
  split_sides(s, d, &left, &right);
  return make2(s, equal ? RLX_PRIM_EQ : RLX_PRIM_NE, RLX_BOOL, rlx_poly_prim(s->store, left, dtype),
               rlx_poly_prim(s->store, right, dtype));
}

/// d <= 0 for a difference d of integers.
static const RlxPrim *simp_at_most_zero(Simplifier *s, RlxPoly d, RlxDType dtype) {
  RlxRange r = rlx_poly_range(s->store, d, NULL);
  if (r.max <= 0) return boolean(s, true);
  if (r.min > 0) return boolean(s, false);
  int64_t g = rlx_poly_gcd(d), constant = rlx_poly_constant(d), bound;
  if (g == 0) return boolean(s, constant <= 0);
  // g*x + c <= 0 is x <= floor(-c / g)
  if (constant == INT64_MIN || !rlx_int_floordiv(-constant, g, &bound)) return NULL;
  if (!rlx_poly_add_term(s->store, d, constant_term(-constant), &d)) return NULL;
  d = divide_all(s, d, g);
  if (!rlx_poly_add_term(s->store, d, constant_term(-bound), &d)) return NULL;
  RlxPoly left, right;
  split_sides(s, d, &left, &right);
  if (left.count == 0) { // all negative: c <= x reads better than 0 <= x - c
    left = poly_const(s, -bound);
    if (!rlx_poly_add_term(s->store, right, constant_term(-bound), &right)) return NULL;
  }
  return make2(s, RLX_PRIM_LE, RLX_BOOL, rlx_poly_prim(s->store, left, dtype),
               rlx_poly_prim(s->store, right, dtype));
}

static const RlxPrim *simp_comparison(Simplifier *s, RlxPrimKind kind, const RlxPrim *a,
                                      const RlxPrim *b) {
  RlxPoly d;
  if (a == b && !rlx_dtype_is_float(a->dtype))
    return boolean(s, kind == RLX_PRIM_EQ || kind == RLX_PRIM_LE);
  if (!is_signed_int(a->dtype)) return NULL;
  if (!add_scaled(s, poly_of(s, a), -1, poly_of(s, b), &d) || has_min_coefficient(d)) return NULL;
  if (kind == RLX_PRIM_EQ || kind == RLX_PRIM_NE)
    return simp_equality(s, kind == RLX_PRIM_EQ, d, a->dtype);
  if (kind == RLX_PRIM_LT && !rlx_poly_add_term(s->store, d, constant_term(1), &d)) return NULL;
  return simp_at_most_zero(s, d, a->dtype);
}

static const RlxPrim *simp_not(Simplifier *s, const RlxPrim *a) {
  RlxPrimKind kind = (RlxPrimKind)a->kind;
  const RlxPrim *flipped = NULL;
  if (kind == RLX_PRIM_NOT) return a->args[0];
  if (kind == RLX_PRIM_EQ || kind == RLX_PRIM_NE)
    flipped =
        make2(s, kind == RLX_PRIM_EQ ? RLX_PRIM_NE : RLX_PRIM_EQ, RLX_BOOL, a->args[0], a->args[1]);
  if ((kind == RLX_PRIM_LE || kind == RLX_PRIM_LT) && is_signed_int(a->args[0]->dtype))
    flipped =
        make2(s, kind == RLX_PRIM_LE ? RLX_PRIM_LT : RLX_PRIM_LE, RLX_BOOL, a->args[1], a->args[0]);
  return flipped ? simp(s, flipped) : rlx_prim_unary(s->store, RLX_PRIM_NOT, a);
}

static const RlxPrim *simp_logical(Simplifier *s, RlxPrimKind kind, const RlxPrim *a,
                                   const RlxPrim *b) {
  if (a == b) return a;
  // The order stays: the first may guard the second, as in `m == 0 or n // m < 4`.
  if (a->kind != RLX_PRIM_INT && b->kind != RLX_PRIM_INT && simp_not(s, a) == b)
    return boolean(s, kind == RLX_PRIM_OR);
  return rlx_prim_binary(s->store, kind, a, b);
}

// ---- the rest

/// Has `p` a value for every assignment? Then it may be evaluated where the original did not.
static bool is_total(const RlxPrim *p) {
  bool divides = p->kind == RLX_PRIM_FLOORDIV || p->kind == RLX_PRIM_FLOORMOD ||
                 p->kind == RLX_PRIM_TRUNCDIV || p->kind == RLX_PRIM_TRUNCMOD;
  int64_t divisor;
  if (p->kind == RLX_PRIM_CALL || p->kind == RLX_PRIM_CAST || p->size > 100) return false;
  if (divides && (!rlx_prim_is_const(p->args[1], &divisor) || divisor == 0)) return false;
  for (int i = 0; i < p->arg_count; i++)
    if (!is_total(p->args[i])) return false;
  return true;
}

static const RlxPrim *simp_select(Simplifier *s, const RlxPrim *cond, const RlxPrim *a,
                                  const RlxPrim *b) {
  int64_t decided;
  if (rlx_prim_is_const(cond, &decided)) return decided ? a : b;
  if (a == b) return a;
  if (cond->kind == RLX_PRIM_NE || cond->kind == RLX_PRIM_NOT) {
    const RlxPrim *t = a;
    a = b;
    b = t;
    cond = simp_not(s, cond);
  }
  RlxPoly gap, sum;
  if (s->strict && is_signed_int(a->dtype) && b->kind != RLX_PRIM_INT && is_total(a) &&
      is_total(b) && add_scaled(s, poly_of(s, a), -1, poly_of(s, b), &gap)) {
    const RlxPrim *args[] = {cond, rlx_poly_prim(s->store, gap, a->dtype),
                             rlx_prim_int_typed(s->store, 0, a->dtype)};
    RlxPoly atom = poly_atom(s, rlx_prim_make(s->store, RLX_PRIM_SELECT, a->dtype, 0, args, 3));
    if (add_scaled(s, poly_of(s, b), 1, atom, &sum)) return rlx_poly_prim(s->store, sum, a->dtype);
  }
  const RlxPrim *args[] = {cond, a, b};
  return rlx_prim_make(s->store, RLX_PRIM_SELECT, a->dtype, 0, args, 3);
}

/// An atom in a wider integer type.
static const RlxPrim *widen_atom(Simplifier *s, RlxDType dtype, const RlxPrim *a) {
  if (a->kind == RLX_PRIM_CAST && is_signed_int(a->args[0]->dtype) &&
      a->args[0]->dtype.bits <= a->dtype.bits)
    a = a->args[0]; // widened twice
  if (rlx_dtype_equal(a->dtype, dtype)) return a;
  return rlx_prim_make(s->store, RLX_PRIM_CAST, dtype, 0, &a, 1);
}

/// Integers do not overflow here, so a widening cast goes to the atoms, where sums of both types
/// meet.
static const RlxPrim *simp_cast(Simplifier *s, RlxDType dtype, const RlxPrim *a) {
  if (rlx_dtype_equal(a->dtype, dtype)) return a;
  if (!is_signed_int(dtype) || !is_signed_int(a->dtype)) return rlx_prim_cast(s->store, dtype, a);
  if (dtype.bits < a->dtype.bits) {
    if (a->kind == RLX_PRIM_CAST && rlx_dtype_equal(a->args[0]->dtype, dtype))
      return a->args[0]; // there and back
    return rlx_prim_cast(s->store, dtype, a);
  }
  RlxPoly p = poly_of(s, a), sum = poly_const(s, 0);
  for (int i = 0; i < p.count; i++) {
    RlxPoly product = poly_const(s, p.at[i].k);
    for (int f = 0; f < p.at[i].degree; f++) {
      RlxPoly factor = poly_atom(s, widen_atom(s, dtype, p.at[i].factors[f]));
      if (!rlx_poly_mul(s->store, product, factor, &product))
        return rlx_prim_cast(s->store, dtype, a);
    }
    if (!add_scaled(s, sum, 1, product, &sum)) return rlx_prim_cast(s->store, dtype, a);
  }
  return rlx_poly_prim(s->store, sum, dtype);
}

static const RlxPrim *simp_abs(Simplifier *s, const RlxPrim *a, RlxDType dtype) {
  RlxPoly p = poly_of(s, a), zero = poly_const(s, 0), negated;
  if (!is_signed_int(dtype) || !add_scaled(s, zero, -1, p, &negated)) return NULL;
  RlxRange r = rlx_poly_range(s->store, p, NULL);
  if (r.min >= 0) return a;
  if (r.max <= 0) return rlx_poly_prim(s->store, negated, dtype);
  RlxPoly strict;
  if (s->strict && strict_minmax(s, RLX_PRIM_MAX, p, negated, dtype, &strict))
    return rlx_poly_prim(s->store, strict, dtype);
  if (p.at[0].k < 0) a = rlx_poly_prim(s->store, negated, dtype);
  return rlx_prim_make(s->store, RLX_PRIM_ABS, dtype, 0, &a, 1);
}

/// Shifts and masks by a constant are products, divisions and remainders by a power of two.
static const RlxPrim *simp_bits(Simplifier *s, RlxPrimKind kind, const RlxPrim *a, const RlxPrim *b,
                                RlxDType dtype) {
  int64_t k, scale;
  RlxPoly out;
  if (!rlx_prim_is_const(b, &k)) return NULL;
  if (kind == RLX_PRIM_BITAND) {
    if (k < 0 || k == INT64_MAX || (k & (k + 1)) != 0) return NULL;
    return mod_const(s, poly_of(s, a), k + 1, dtype, &out) ? rlx_poly_prim(s->store, out, dtype)
                                                           : NULL;
  }
  if (k < 0 || k > 62) return NULL;
  scale = INT64_C(1) << k;
  bool ok = kind == RLX_PRIM_SHL ? add_scaled(s, poly_const(s, 0), scale, poly_of(s, a), &out)
                                 : div_const(s, poly_of(s, a), scale, dtype, &out);
  return ok ? rlx_poly_prim(s->store, out, dtype) : NULL;
}

/// Division that rounds to zero is floor division of what is not negative.
static const RlxPrim *simp_trunc(Simplifier *s, RlxPrimKind kind, const RlxPrim *a,
                                 const RlxPrim *b, RlxDType dtype) {
  RlxPoly out;
  int64_t divisor;
  bool positive =
      rlx_prim_is_const(b, &divisor) ? divisor > 0 : rlx_prim_range(s->store, b, NULL).min >= 0;
  if (!positive || rlx_poly_range(s->store, poly_of(s, a), NULL).min < 0) return NULL;
  if (!div_mod(s, poly_of(s, a), poly_of(s, b), kind == RLX_PRIM_TRUNCMOD, dtype, &out))
    return NULL;
  return rlx_poly_prim(s->store, out, dtype);
}

/// t*x - t*c*(x // c) is t * (x % c): done where it makes the sum shorter.
static RlxPoly fold_mods(Simplifier *s, RlxPoly p, RlxDType dtype) {
  for (int i = 0; i < p.count; i++) {
    const RlxTerm *t = &p.at[i];
    int64_t c, k;
    RlxPoly x, mod, rest;
    if (t->degree != 1 || t->factors[0]->kind != RLX_PRIM_FLOORDIV) continue;
    if (!rlx_prim_is_const(t->factors[0]->args[1], &c) || c <= 0 || t->k % c != 0) continue;
    k = -(t->k / c);
    x = poly_of(s, t->factors[0]->args[0]);
    RlxTerm without = *t;
    if (t->k == INT64_MIN || !mod_const(s, x, c, dtype, &mod)) continue;
    without.k = -t->k;
    if (!rlx_poly_add_term(s->store, p, without, &rest) || !add_scaled(s, rest, -k, x, &rest) ||
        !add_scaled(s, rest, k, mod, &rest) || rest.count >= p.count)
      continue;
    p = rest;
    i = -1;
  }
  return p;
}

static const RlxPrim *simp_arithmetic(Simplifier *s, RlxPrimKind kind, const RlxPrim *a,
                                      const RlxPrim *b, RlxDType dtype) {
  RlxPoly x = poly_of(s, a), y = poly_of(s, b), out;
  bool ok = false;
  if (kind == RLX_PRIM_MUL)
    ok = rlx_poly_mul(s->store, x, y, &out);
  else if (kind == RLX_PRIM_ADD || kind == RLX_PRIM_SUB)
    ok = add_scaled(s, x, kind == RLX_PRIM_ADD ? 1 : -1, y, &out);
  else
    ok = div_mod(s, x, y, kind == RLX_PRIM_FLOORMOD, dtype, &out);
  if (ok && !s->strict && (kind == RLX_PRIM_ADD || kind == RLX_PRIM_SUB))
    out = fold_mods(s, out, dtype);
  return ok ? rlx_poly_prim(s->store, out, dtype) : NULL;
}

/// The node `p` over canonical arguments `a`, `b`, or NULL when no rule applies.
static const RlxPrim *simp_binary(Simplifier *s, const RlxPrim *p, const RlxPrim *a,
                                  const RlxPrim *b) {
  RlxPrimKind kind = (RlxPrimKind)p->kind;
  switch (kind) {
  case RLX_PRIM_EQ:
  case RLX_PRIM_NE:
  case RLX_PRIM_LT:
  case RLX_PRIM_LE: return simp_comparison(s, kind, a, b);
  case RLX_PRIM_AND:
  case RLX_PRIM_OR: return simp_logical(s, kind, a, b);
  case RLX_PRIM_ADD:
  case RLX_PRIM_SUB:
  case RLX_PRIM_MUL:
  case RLX_PRIM_FLOORDIV:
  case RLX_PRIM_FLOORMOD:
    return is_signed_int(p->dtype) ? simp_arithmetic(s, kind, a, b, p->dtype) : NULL;
  case RLX_PRIM_TRUNCDIV:
  case RLX_PRIM_TRUNCMOD:
    return is_signed_int(p->dtype) ? simp_trunc(s, kind, a, b, p->dtype) : NULL;
  case RLX_PRIM_MIN:
  case RLX_PRIM_MAX: return is_signed_int(p->dtype) ? simp_minmax(s, kind, a, b, p->dtype) : NULL;
  case RLX_PRIM_SHL:
  case RLX_PRIM_SHR:
  case RLX_PRIM_BITAND: return is_signed_int(p->dtype) ? simp_bits(s, kind, a, b, p->dtype) : NULL;
  case RLX_PRIM_DIV:
  case RLX_PRIM_BITOR:
  case RLX_PRIM_BITXOR:
  case RLX_PRIM_INT:
  case RLX_PRIM_FLOAT:
  case RLX_PRIM_VAR:
  case RLX_PRIM_ABS:
  case RLX_PRIM_NOT:
  case RLX_PRIM_SELECT:
  case RLX_PRIM_CAST:
  case RLX_PRIM_CALL: break;
  }
  return NULL;
}

static const RlxPrim *simp_call(Simplifier *s, const RlxPrim *p) {
  const RlxPrim *args[UINT8_MAX];
  for (int i = 0; i < p->arg_count; i++) args[i] = simp(s, p->args[i]);
  return rlx_prim_call(s->store, p->name, p->dtype, args, p->arg_count);
}

static const RlxPrim *simp_node(Simplifier *s, const RlxPrim *p) {
  if (p->kind == RLX_PRIM_CALL) return simp_call(s, p);
  const RlxPrim *a = simp(s, p->args[0]);
  const RlxPrim *b = p->arg_count > 1 ? simp(s, p->args[1]) : NULL;
  const RlxPrim *result = NULL;
  if (p->kind == RLX_PRIM_NOT) return simp_not(s, a);
  if (p->kind == RLX_PRIM_CAST) return simp_cast(s, p->dtype, a);
  if (p->kind == RLX_PRIM_SELECT) return simp_select(s, a, b, simp(s, p->args[2]));
  if (p->kind == RLX_PRIM_ABS) {
    result = simp_abs(s, a, p->dtype);
    return result ? result : rlx_prim_unary(s->store, RLX_PRIM_ABS, a);
  }
  result = simp_binary(s, p, a, b);
  return result ? result : rlx_prim_binary(s->store, (RlxPrimKind)p->kind, a, b);
}

/// What forms hang on that are no forms for good: the marks, and what a simplification may cost.
static uint32_t state_of(const RlxStore *store) {
  const uint32_t state = store->marks.state ^ rlx_work_of_simplification(store) * 0x9e3779b1u;
  return state ? state : 1;
}

/// The form that is remembered of `p`, or NULL: none is, or what it hung on has changed.
static const RlxPrim *remembered(RlxStore *store, const RlxPrim *p, bool strict) {
  const RlxPrim *known = strict ? p->strict : p->canonical;
  const uint32_t state = strict ? p->strict_state : p->canonical_state;
  if (!known || !state) return known;
  if (state != state_of(store)) return NULL;
  store->marks.reads++;
  return known;
}

/// Where the store stood when a simplification began.
typedef struct Start {
  uint64_t reads, work;
} Start;

/// Remembers that `result` is the form of `p`: for good, unless it hangs on marks or took so much
/// that in a larger file it might have been given up.
static void remember(const RlxStore *store, const RlxPrim *p, const RlxPrim *result, bool strict,
                     Start start) {
  RlxPrim *at = rlx_prim_mutable(p);
  const bool hangs = store->marks.reads != start.reads ||
                     store->work - start.work > RLX_WORK_OF_ANY_SIMPLIFICATION;
  const uint32_t state = hangs ? state_of(store) : 0;
  if (strict)
    at->strict = result, at->strict_state = state;
  else
    at->canonical = result, at->canonical_state = state;
}

static const RlxPrim *simp(Simplifier *s, const RlxPrim *p) {
  if (p->arg_count == 0) return p;
  const RlxPrim *known = remembered(s->store, p, s->strict);
  if (known) return known;
  const RlxPrim *result = p;
  const Start start = {s->store->marks.reads, s->store->work};
  if (rlx_work_is_over(s->store)) return p;
  if (p->size <= RLX_SIMPLIFY_SIZE_MAX) result = simp_node(s, p);
  if (rlx_work_is_over(s->store))
    return p; // not remembered: with more work left there may be a better answer
  remember(s->store, p, result, s->strict, start);
  remember(s->store, result, result, s->strict, start);
  return result;
}

static const RlxPrim *simplify(RlxStore *store, const RlxPrim *p, bool strict) {
  if (p->arg_count == 0) return p;
  const RlxPrim *known = remembered(store, p, strict);
  if (known) return known;
  const Start start = {store->marks.reads, store->work};
  Simplifier s = {store, strict};
  RlxArenaMark mark = rlx_arena_mark(store->scratch);
  bool started = rlx_work_start(store, rlx_work_of_simplification(store));
  const RlxPrim *result = simp(&s, p);
  if (started && rlx_work_is_over(store)) // the next question need not try again
    remember(store, p, p, strict, start);
  rlx_work_finish(store, started);
  rlx_arena_rewind(store->scratch, mark);
  return result;
}

const RlxPrim *rlx_prim_simplify(RlxStore *store, const RlxPrim *p) {
  return simplify(store, p, false);
}

const RlxPrim *rlx_prim_simplify_strict(RlxStore *store, const RlxPrim *p) {
  return simplify(store, rlx_prim_simplify(store, p), true);
}
