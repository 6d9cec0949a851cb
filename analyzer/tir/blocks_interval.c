/// Interval arithmetic over symbolic integers: what an expression is at most while some variables
/// run. As TVM's interval sets, so that regions come out as TVM prints them.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"

enum { MAX_DEPTH = 200 };

static RlxTirInterval point(const RlxPrim *p) { return (RlxTirInterval){p, p}; }

static bool is_point(RlxTirInterval i) { return i.min && i.min == i.max; }

static RlxTirInterval everything(void) { return (RlxTirInterval){NULL, NULL}; }

// ------------------------------------------------------------------ domains

static uint64_t bits_of(RlxStore *store, const RlxSymVar *var) {
  return rlx_prim_var(store, var)->vars;
}

void rlx_tir_domain_add(RlxStore *store, RlxTirDomain *domain, const RlxSymVar *var,
                        const RlxPrim *min, const RlxPrim *extent) {
  RlxTirInterval range = {min, NULL};
  if (min && extent) {
    const RlxPrim *last = rlx_prim_addi(store, rlx_prim_add(store, min, extent), -1);
    range.max = rlx_tir_interval(store, domain, rlx_prim_simplify(store, last)).max;
  }
  if (min) range.min = rlx_tir_interval(store, domain, min).min;
  rlx_vec_push(&domain->vars, var);
  rlx_vec_push(&domain->ranges, range);
  domain->mask |= bits_of(store, var);
}

void rlx_tir_domain_cut(RlxStore *store, RlxTirDomain *domain, uint32_t count) {
  domain->vars.count = domain->ranges.count = count;
  domain->mask = 0;
  for (uint32_t i = 0; i < count; i++) domain->mask |= bits_of(store, domain->vars.at[i]);
}

void rlx_tir_domain_free(RlxTirDomain *domain) {
  rlx_vec_free(&domain->vars);
  rlx_vec_free(&domain->ranges);
}

static int find(const RlxTirDomain *domain, const RlxSymVar *var) {
  for (uint32_t i = domain->vars.count; i-- > 0;)
    if (domain->vars.at[i] == var) return (int)i;
  return -1;
}

static bool mentions(const RlxTirDomain *domain, const RlxPrim *p, int depth) {
  if (!(p->vars & domain->mask)) return false;
  if (p->kind == RLX_PRIM_VAR) return find(domain, p->var) >= 0;
  if (depth > MAX_DEPTH) return true;
  for (int i = 0; i < p->arg_count; i++)
    if (mentions(domain, p->args[i], depth + 1)) return true;
  return false;
}

bool rlx_tir_domain_in(const RlxTirDomain *domain, const RlxPrim *p) {
  return mentions(domain, p, 0);
}

/// How many of dims[0..ndim) mention `var`.
static int uses_of(const RlxSymVar *var, const RlxPrim *const *dims, int ndim) {
  int uses = 0;
  for (int d = 0; d < ndim; d++)
    if (dims[d] && rlx_prim_mentions(dims[d], var)) uses++;
  return uses;
}

bool rlx_tir_domain_drives_two(const RlxTirDomain *domain, const RlxPrim *const *dims, int ndim) {
  uint64_t seen = 0, twice = 0; // bits, which variables share: most accesses need no closer look
  for (int d = 0; d < ndim; d++) {
    uint64_t bits = dims[d] ? dims[d]->vars & domain->mask : 0;
    twice |= bits & seen;
    seen |= bits;
  }
  for (uint32_t i = 0; twice && i < domain->vars.count; i++)
    if (uses_of(domain->vars.at[i], dims, ndim) > 1) return true;
  return false;
}

// ------------------------------------------------------------------ arithmetic

static const RlxPrim *both(RlxStore *store, RlxPrimKind kind, const RlxPrim *a, const RlxPrim *b) {
  return a && b ? rlx_prim_binary(store, kind, a, b) : NULL;
}

/// 1, -1, or 0 when the sign of a multiplier is not known.
static int sign_of(RlxStore *store, const RlxPrim *p) {
  int64_t value;
  if (rlx_prim_is_const(p, &value)) return value < 0 ? -1 : 1;
  const RlxPrim *nothing = rlx_prim_int_typed(store, 0, p->dtype);
  if (rlx_prove_less_equal(store, NULL, nothing, p) == RLX_YES) return 1;
  if (rlx_prove_less(store, NULL, p, nothing) == RLX_YES) return -1;
  return 0;
}

static RlxTirInterval scaled(RlxStore *store, RlxPrimKind kind, RlxTirInterval a,
                             RlxTirInterval b) {
  if (kind == RLX_PRIM_MUL && is_point(a)) {
    RlxTirInterval t = a;
    a = b;
    b = t;
  }
  if (!is_point(b)) return everything();
  int64_t value;
  bool is_zero = rlx_prim_is_const(b.min, &value) && !value;
  if (is_zero) return kind == RLX_PRIM_MUL ? b : everything();
  int sign = sign_of(store, b.min);
  if (!sign) return everything();
  const RlxPrim *low = sign > 0 ? a.min : a.max, *high = sign > 0 ? a.max : a.min;
  return (RlxTirInterval){both(store, kind, low, b.min), both(store, kind, high, b.min)};
}

static RlxTirInterval remainder_of(RlxStore *store, RlxTirInterval a, RlxTirInterval b) {
  if (!is_point(b) || sign_of(store, b.min) <= 0) return everything();
  const RlxPrim *low = both(store, RLX_PRIM_FLOORDIV, a.min, b.min),
                *high = both(store, RLX_PRIM_FLOORDIV, a.max, b.min);
  if (low && high && rlx_prove_equal(store, NULL, low, high) == RLX_YES) {
    const RlxPrim *off = rlx_prim_mul(store, b.min, low);
    return (RlxTirInterval){rlx_prim_sub(store, a.min, off), rlx_prim_sub(store, a.max, off)};
  }
  return (RlxTirInterval){rlx_prim_int_typed(store, 0, b.min->dtype),
                          rlx_prim_addi(store, b.min, -1)};
}

static const RlxPrim *smaller(RlxStore *store, const RlxPrim *a, const RlxPrim *b) {
  if (!a || !b) return NULL;
  if (rlx_prove_less_equal(store, NULL, a, b) == RLX_YES) return a;
  if (rlx_prove_less_equal(store, NULL, b, a) == RLX_YES) return b;
  return rlx_prim_binary(store, RLX_PRIM_MIN, a, b);
}

static const RlxPrim *larger(RlxStore *store, const RlxPrim *a, const RlxPrim *b) {
  if (!a || !b) return NULL;
  if (rlx_prove_less_equal(store, NULL, a, b) == RLX_YES) return b;
  if (rlx_prove_less_equal(store, NULL, b, a) == RLX_YES) return a;
  return rlx_prim_binary(store, RLX_PRIM_MAX, a, b);
}

RlxTirInterval rlx_tir_interval_hull(RlxStore *store, RlxTirInterval a, RlxTirInterval b) {
  return (RlxTirInterval){smaller(store, a.min, b.min), larger(store, a.max, b.max)};
}

static RlxTirInterval interval(RlxStore *store, const RlxTirDomain *domain, const RlxPrim *p,
                               int depth) {
  if (!mentions(domain, p, 0)) return point(p);
  if (depth > MAX_DEPTH) return everything();
  if (p->kind == RLX_PRIM_VAR) return domain->ranges.at[find(domain, p->var)];
  RlxPrimKind kind = (RlxPrimKind)p->kind;
  if (kind == RLX_PRIM_SELECT)
    return rlx_tir_interval_hull(store, interval(store, domain, p->args[1], depth + 1),
                                 interval(store, domain, p->args[2], depth + 1));
  if (kind == RLX_PRIM_CAST) {
    if (!rlx_prim_cast_keeps(p)) return everything();
    RlxTirInterval a = interval(store, domain, p->args[0], depth + 1);
    if (a.min) a.min = rlx_prim_cast(store, p->dtype, a.min);
    if (a.max) a.max = rlx_prim_cast(store, p->dtype, a.max);
    return a;
  }
  if (p->arg_count != 2) return everything();
  RlxTirInterval a = interval(store, domain, p->args[0], depth + 1),
                 b = interval(store, domain, p->args[1], depth + 1);
  if (kind == RLX_PRIM_ADD || kind == RLX_PRIM_MIN || kind == RLX_PRIM_MAX)
    return (RlxTirInterval){both(store, kind, a.min, b.min), both(store, kind, a.max, b.max)};
  if (kind == RLX_PRIM_SUB)
    return (RlxTirInterval){both(store, kind, a.min, b.max), both(store, kind, a.max, b.min)};
  if (kind == RLX_PRIM_MUL || kind == RLX_PRIM_FLOORDIV || kind == RLX_PRIM_TRUNCDIV)
    return scaled(store, kind, a, b);
  if (kind == RLX_PRIM_FLOORMOD || kind == RLX_PRIM_TRUNCMOD) return remainder_of(store, a, b);
  return everything();
}

RlxTirInterval rlx_tir_interval(RlxStore *store, const RlxTirDomain *domain, const RlxPrim *p) {
  return interval(store, domain, p, 0);
}

// ------------------------------------------------------------------ linear forms

static bool add_term(RlxTirLinear *out, uint32_t var, int64_t k) {
  for (int i = 0; i < out->count; i++) {
    if (out->vars[i] != var) continue;
    out->coefficients[i] += k;
    if (!out->coefficients[i]) {
      out->count--;
      out->vars[i] = out->vars[out->count];
      out->coefficients[i] = out->coefficients[out->count];
    }
    return true;
  }
  if (out->count == RLX_TIR_TERMS_MAX) return false;
  out->vars[out->count] = var;
  out->coefficients[out->count++] = k;
  return true;
}

static bool linear(RlxStore *store, const RlxTirDomain *domain, const RlxPrim *p, int64_t k,
                   RlxTirLinear *out, int depth) {
  int64_t value;
  if (!mentions(domain, p, 0)) {
    const RlxPrim *part = k == 1 ? p : rlx_prim_muli(store, p, k);
    out->base = out->base ? rlx_prim_add(store, out->base, part) : part;
    return true;
  }
  if (depth > MAX_DEPTH) return false;
  if (p->kind == RLX_PRIM_VAR) return add_term(out, (uint32_t)find(domain, p->var), k);
  if (p->kind == RLX_PRIM_CAST)
    return rlx_prim_cast_keeps(p) && linear(store, domain, p->args[0], k, out, depth + 1);
  if (p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB)
    return linear(store, domain, p->args[0], k, out, depth + 1) &&
           linear(store, domain, p->args[1], p->kind == RLX_PRIM_ADD ? k : -k, out, depth + 1);
  if (p->kind == RLX_PRIM_MUL) {
    int other = rlx_prim_is_const(p->args[1], &value) ? 0 : 1;
    if (!other || rlx_prim_is_const(p->args[0], &value)) {
      int64_t product;
      if (__builtin_mul_overflow(k, value, &product)) return false;
      return linear(store, domain, p->args[other], product, out, depth + 1);
    }
  }
  return false;
}

bool rlx_tir_linear(RlxStore *store, const RlxTirDomain *domain, const RlxPrim *p,
                    RlxTirLinear *out) {
  *out = (RlxTirLinear){0};
  if (!linear(store, domain, p, 1, out, 0)) return false;
  if (!out->base) out->base = rlx_prim_int_typed(store, 0, p->dtype);
  return true;
}

// ------------------------------------------------------------------ conditions

typedef struct Bounds {
  RlxStore *store;
  const RlxPrim **out;
  int count, capacity;
  bool rest;
} Bounds;

/// Notes a - b + k <= 0.
static void note_bound(Bounds *b, const RlxPrim *x, const RlxPrim *y, int64_t k) {
  if (b->count == b->capacity || !rlx_dtype_is_int(x->dtype)) {
    b->rest = true;
    return;
  }
  const RlxPrim *d = rlx_prim_sub(b->store, x, y);
  b->out[b->count++] = k ? rlx_prim_addi(b->store, d, k) : d;
}

static void bounds(Bounds *b, const RlxPrim *p, bool is_negated, int depth) {
  bool joins = p->kind == (is_negated ? RLX_PRIM_OR : RLX_PRIM_AND);
  if (depth > MAX_DEPTH) {
    b->rest = true;
  } else if (p->kind == RLX_PRIM_NOT) {
    bounds(b, p->args[0], !is_negated, depth + 1);
  } else if (joins) {
    bounds(b, p->args[0], is_negated, depth + 1);
    bounds(b, p->args[1], is_negated, depth + 1);
  } else if (p->kind == RLX_PRIM_LT) {
    if (is_negated)
      note_bound(b, p->args[1], p->args[0], 0);
    else
      note_bound(b, p->args[0], p->args[1], 1);
  } else if (p->kind == RLX_PRIM_LE) {
    if (is_negated)
      note_bound(b, p->args[1], p->args[0], 1);
    else
      note_bound(b, p->args[0], p->args[1], 0);
  } else if (p->kind == (is_negated ? RLX_PRIM_NE : RLX_PRIM_EQ)) {
    note_bound(b, p->args[0], p->args[1], 0);
    note_bound(b, p->args[1], p->args[0], 0);
  } else {
    int64_t value;
    if (!rlx_prim_is_const(p, &value) || (value != 0) == is_negated) b->rest = true;
  }
}

int rlx_tir_bounds(RlxStore *store, const RlxPrim *condition, bool is_negated, const RlxPrim **out,
                   int capacity, bool *rest) {
  Bounds b = {.store = store, .out = out, .capacity = capacity};
  bounds(&b, condition, is_negated, 0);
  if (rest) *rest = b.rest;
  return b.count;
}
