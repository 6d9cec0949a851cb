/// Polynomials over symbolic integers: what simplification and proofs compute with.
///
/// A polynomial is a sorted list of terms without repeats and without zero coefficients; a term is
/// a coefficient and a sorted list of factors; a factor is a canonical prim that is no sum, product
/// or constant ("atom"). Everything lives in the store's scratch arena. Work is bounded: what would
/// overflow int64 or get too long becomes one atom.
#ifndef RLX_ANALYZER_POLY_H
#define RLX_ANALYZER_POLY_H

#include "analyzer/symbolic/store_inside.h"

enum {
  RLX_POLY_TERMS_MAX = 160,
  RLX_POLY_PRODUCTS_MAX = 512, // pairs of terms in one multiplication
  RLX_POLY_DEGREE_MAX = 16,
  RLX_SIMPLIFY_SIZE_MAX = 3000, // nodes; a bigger tree is left alone
};

typedef struct RlxTerm {
  int64_t k;
  int degree;
  const RlxPrim **factors; // `degree` of them; none: the constant term
} RlxTerm;

typedef struct RlxPoly {
  RlxTerm *at;
  int count;
} RlxPoly;

/// Order of terms: by factors, longer before its prefix, the constant last. 0: same factors.
int rlx_term_compare(const RlxTerm *a, const RlxTerm *b);

/// The polynomial of one number; in the store's scratch memory, as all of them.
RlxPoly rlx_poly_const(RlxStore *store, int64_t value);
/// The polynomial of one atom, which is a canonical prim and no sum or product.
RlxPoly rlx_poly_atom(RlxStore *store, const RlxPrim *atom);
/// a + k * b. False (and `out` untouched) on overflow or over the limit.
bool rlx_poly_add_scaled(RlxStore *store, RlxPoly a, int64_t k, RlxPoly b, RlxPoly *out);
/// a * b. False (and `out` untouched) on overflow or over the limit.
bool rlx_poly_mul(RlxStore *store, RlxPoly a, RlxPoly b, RlxPoly *out);
/// As above for a term as the second operand.
bool rlx_poly_add_term(RlxStore *store, RlxPoly a, RlxTerm t, RlxPoly *out);

/// The polynomial of a canonical prim.
RlxPoly rlx_poly_of(RlxStore *store, const RlxPrim *p);
/// The canonical prim of a polynomial: positive terms first, `n * 4 - m + 1`.
const RlxPrim *rlx_poly_prim(RlxStore *store, RlxPoly p, RlxDType dtype);

/// True when there is no term but a constant; then its value.
bool rlx_poly_is_const(RlxPoly p, int64_t *out);
/// The constant term's value, 0 when there is none.
int64_t rlx_poly_constant(RlxPoly p);
/// Greatest common divisor of the coefficients that are not the constant's; 0 when there are none.
int64_t rlx_poly_gcd(RlxPoly p);

/// Bounds, inclusive; INT64_MIN and INT64_MAX stand for "unbounded".
typedef struct RlxRange {
  int64_t min, max;
} RlxRange;

/// What is known of single atoms beside their structure; NULL: nothing.
typedef struct RlxRangeEnv {
  bool (*lookup)(const RlxPrim *atom, RlxRange *out, void *data);
  void *data;
} RlxRangeEnv;

/// Bounds of a canonical prim by its structure, and by `env` where that knows more.
RlxRange rlx_prim_range(RlxStore *store, const RlxPrim *p, const RlxRangeEnv *env);
/// The same of a polynomial.
RlxRange rlx_poly_range(RlxStore *store, RlxPoly p, const RlxRangeEnv *env);
/// What x + y may be; an end that overflows is unbounded.
RlxRange rlx_range_add(RlxRange a, RlxRange b);
/// What k * x may be; a negative `k` turns the ends around.
RlxRange rlx_range_scale(RlxRange a, int64_t k);
/// What x * y may be.
RlxRange rlx_range_mul(RlxRange a, RlxRange b);
/// What x // y may be where y is not 0, rounded down.
RlxRange rlx_range_div(RlxRange a, RlxRange b);
/// What x % y may be where y is not 0, with the sign of y.
RlxRange rlx_range_mod(RlxRange a, RlxRange b);

#endif
