/// Polynomials: arithmetic, and the way from canonical prims and back. See poly.h for what always
/// holds.
#include "analyzer/symbolic/poly.h"

#include <stdlib.h>

#include "analyzer/symbolic/int_math.h"

int rlx_term_compare(const RlxTerm *a, const RlxTerm *b) {
  int shared = a->degree < b->degree ? a->degree : b->degree;
  for (int i = 0; i < shared; i++) {
    int order = rlx_prim_compare(a->factors[i], b->factors[i]);
    if (order != 0) return order;
  }
  return a->degree == b->degree ? 0 : a->degree > b->degree ? -1 : 1;
}

static RlxTerm *new_terms(RlxStore *store, int count) {
  return rlx_arena_alloc(store->scratch, (size_t)(count > 0 ? count : 1), sizeof(RlxTerm));
}

RlxPoly rlx_poly_const(RlxStore *store, int64_t value) {
  RlxPoly p = {new_terms(store, 1), value != 0};
  p.at[0].k = value;
  return p;
}

RlxPoly rlx_poly_atom(RlxStore *store, const RlxPrim *atom) {
  RlxPoly p = {new_terms(store, 1), 1};
  p.at[0].k = 1;
  p.at[0].degree = 1;
  p.at[0].factors = rlx_arena_array(store->scratch, const RlxPrim *, 1);
  p.at[0].factors[0] = atom;
  return p;
}

bool rlx_poly_add_scaled(RlxStore *store, RlxPoly a, int64_t k, RlxPoly b, RlxPoly *out) {
  RlxPoly sum = {new_terms(store, a.count + b.count), 0};
  int i = 0, j = 0;
  store->work += (uint64_t)(a.count + b.count + 1);
  if (rlx_work_is_over(store)) return false;
  while (i < a.count || j < b.count) {
    int order = i == a.count ? 1 : j == b.count ? -1 : rlx_term_compare(&a.at[i], &b.at[j]);
    RlxTerm t = order <= 0 ? a.at[i] : b.at[j];
    if (order >= 0) {
      int64_t scaled;
      if (!rlx_int_mul(b.at[j].k, k, &scaled)) return false;
      if (order > 0)
        t.k = scaled;
      else if (!rlx_int_add(t.k, scaled, &t.k))
        return false;
    }
    i += order <= 0;
    j += order >= 0;
    if (t.k != 0) sum.at[sum.count++] = t;
  }
  if (sum.count > RLX_POLY_TERMS_MAX) return false;
  *out = sum;
  return true;
}

bool rlx_poly_add_term(RlxStore *store, RlxPoly a, RlxTerm t, RlxPoly *out) {
  RlxPoly one = {&t, t.k != 0};
  return rlx_poly_add_scaled(store, a, 1, one, out);
}

/// The product of two terms. False on overflow or over the limit.
static bool term_mul(RlxStore *store, const RlxTerm *a, const RlxTerm *b, RlxTerm *out) {
  if (!rlx_int_mul(a->k, b->k, &out->k)) return false;
  out->degree = a->degree + b->degree;
  if (out->degree > RLX_POLY_DEGREE_MAX) return false;
  if (a->degree == 0 || b->degree == 0) {
    out->factors = a->degree == 0 ? b->factors : a->factors;
    return true;
  }
  out->factors = rlx_arena_array(store->scratch, const RlxPrim *, out->degree);
  for (int n = 0, i = 0, j = 0; n < out->degree; n++) {
    bool left =
        j == b->degree || (i < a->degree && rlx_prim_compare(a->factors[i], b->factors[j]) <= 0);
    out->factors[n] = left ? a->factors[i++] : b->factors[j++];
  }
  return true;
}

bool rlx_poly_mul(RlxStore *store, RlxPoly a, RlxPoly b, RlxPoly *out) {
  if (a.count * b.count > RLX_POLY_PRODUCTS_MAX) return false;
  RlxPoly product = rlx_poly_const(store, 0);
  for (int i = 0; i < a.count; i++) {
    RlxPoly row = {new_terms(store, b.count),
                   0}; // a term times a sorted list may be unsorted: add one by one
    for (int j = 0; j < b.count; j++) {
      RlxTerm t;
      if (!term_mul(store, &a.at[i], &b.at[j], &t) || !rlx_poly_add_term(store, row, t, &row))
        return false;
    }
    if (!rlx_poly_add_scaled(store, product, 1, row, &product)) return false;
  }
  *out = product;
  return true;
}

static int compare_terms(const void *a, const void *b) { return rlx_term_compare(a, b); }

/// Sorts terms and adds up those with the same factors. False on overflow or over the limit.
static bool normalize(RlxPoly *p) {
  bool sorted = true;
  for (int i = 1; i < p->count && sorted; i++)
    sorted = rlx_term_compare(&p->at[i - 1], &p->at[i]) < 0;
  if (sorted) return p->count <= RLX_POLY_TERMS_MAX;
  qsort(p->at, (size_t)p->count, sizeof *p->at, compare_terms);
  int kept = 0;
  for (int i = 0; i < p->count;) {
    RlxTerm sum = p->at[i++];
    for (; i < p->count && rlx_term_compare(&sum, &p->at[i]) == 0; i++)
      if (!rlx_int_add(sum.k, p->at[i].k, &sum.k)) return false;
    if (sum.k != 0) p->at[kept++] = sum;
  }
  p->count = kept;
  return kept <= RLX_POLY_TERMS_MAX;
}

/// Appends k * p to the unsorted terms of `out`, of which there is room for `room`.
static bool collect(RlxStore *store, const RlxPrim *p, int64_t k, RlxPoly *out, int room) {
  for (;;) { // along the left spine without recursion
    bool sum =
        (p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB) && p->dtype.code == RLX_DTYPE_INT;
    if (!sum || p->size > RLX_SIMPLIFY_SIZE_MAX) break;
    int64_t right = k;
    if (p->kind == RLX_PRIM_SUB && !rlx_int_mul(k, -1, &right)) return false;
    if (!collect(store, p->args[1], right, out, room)) return false;
    p = p->args[0];
  }
  RlxPoly part = rlx_poly_of(store, p);
  if (out->count + part.count > room) return false;
  for (int i = 0; i < part.count; i++) {
    RlxTerm *t = &out->at[out->count++];
    *t = part.at[i];
    if (!rlx_int_mul(t->k, k, &t->k)) return false;
  }
  return true;
}

RlxPoly rlx_poly_of(RlxStore *store, const RlxPrim *p) {
  store->work++;
  if (p->kind == RLX_PRIM_INT) return rlx_poly_const(store, p->value);
  bool sum = p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB;
  bool expand = (sum || p->kind == RLX_PRIM_MUL) && p->dtype.code == RLX_DTYPE_INT;
  if (!expand || p->size > RLX_SIMPLIFY_SIZE_MAX || rlx_work_is_over(store))
    return rlx_poly_atom(store, p);
  if (sum) {
    int room = p->size < RLX_POLY_PRODUCTS_MAX ? (int)p->size : RLX_POLY_PRODUCTS_MAX;
    RlxPoly terms = {new_terms(store, room), 0};
    return collect(store, p, 1, &terms, room) && normalize(&terms) ? terms
                                                                   : rlx_poly_atom(store, p);
  }
  RlxPoly a = rlx_poly_of(store, p->args[0]), b = rlx_poly_of(store, p->args[1]), product;
  return rlx_poly_mul(store, a, b, &product) ? product : rlx_poly_atom(store, p);
}

static const RlxPrim *join(RlxStore *store, RlxPrimKind kind, const RlxPrim *a, const RlxPrim *b,
                           RlxDType dtype) {
  if (!a) return b;
  const RlxPrim *args[] = {a, b};
  return rlx_prim_make(store, kind, dtype, 0, args, 2);
}

/// factors * |k|, or factors * k when `keep_sign`.
static const RlxPrim *term_prim(RlxStore *store, const RlxTerm *t, bool keep_sign, RlxDType dtype) {
  int64_t k = t->k < 0 && !keep_sign ? -t->k : t->k;
  const RlxPrim *product = NULL;
  for (int i = 0; i < t->degree; i++)
    product = join(store, RLX_PRIM_MUL, product, t->factors[i], dtype);
  if (product && k == 1) return product;
  return join(store, RLX_PRIM_MUL, product, rlx_prim_int_typed(store, k, dtype), dtype);
}

const RlxPrim *rlx_poly_prim(RlxStore *store, RlxPoly p, RlxDType dtype) {
  const RlxPrim *sum = NULL;
  for (int i = 0; i < p.count; i++)
    if (p.at[i].k > 0)
      sum = join(store, RLX_PRIM_ADD, sum, term_prim(store, &p.at[i], false, dtype), dtype);
  for (int i = 0; i < p.count; i++) {
    if (p.at[i].k > 0) continue;
    bool whole =
        !sum || p.at[i].k == INT64_MIN; // no sum to take it from, or no positive counterpart
    const RlxPrim *term = term_prim(store, &p.at[i], whole, dtype);
    sum = join(store, whole ? RLX_PRIM_ADD : RLX_PRIM_SUB, sum, term, dtype);
  }
  return sum ? sum : rlx_prim_int_typed(store, 0, dtype);
}

bool rlx_poly_is_const(RlxPoly p, int64_t *out) {
  if (p.count > 1 || (p.count == 1 && p.at[0].degree > 0)) return false;
  *out = p.count == 0 ? 0 : p.at[0].k;
  return true;
}

int64_t rlx_poly_constant(RlxPoly p) {
  return p.count > 0 && p.at[p.count - 1].degree == 0 ? p.at[p.count - 1].k : 0;
}

int64_t rlx_poly_gcd(RlxPoly p) {
  int64_t g = 0;
  for (int i = 0; i < p.count; i++)
    if (p.at[i].degree > 0) g = rlx_int_gcd(g, p.at[i].k);
  return g;
}
