/// What is known of integer variables, to prove accesses in bounds: linear forms over variables,
/// each variable between two linear forms of variables bound earlier, and facts from conditions
/// around. Always sound: "cannot say" means a check at run time. Arithmetic that would overflow
/// gives "not affine".
#include <string.h>

#include "jit/llvm/emit.h"

static Affine constant_form(int64_t value) {
  Affine a = {.count = 0, .constant = value};
  return a;
}

static Affine no_form(void) {
  Affine a = {.count = -1};
  return a;
}

static Affine var_form(uint32_t var) {
  Affine a = {.count = 1, .constant = 0};
  a.terms[0].var = var;
  a.terms[0].coef = 1;
  return a;
}

/// a + k * b
static Affine combine(Affine a, Affine b, int64_t k) {
  if (a.count < 0 || b.count < 0) return no_form();
  int64_t product;
  if (__builtin_mul_overflow(b.constant, k, &product) ||
      __builtin_add_overflow(a.constant, product, &a.constant))
    return no_form();
  for (int i = 0; i < b.count; i++) {
    if (__builtin_mul_overflow(b.terms[i].coef, k, &product)) return no_form();
    int at = 0;
    while (at < a.count && a.terms[at].var != b.terms[i].var) at++;
    if (at == a.count) {
      if (at == AFFINE_TERMS) return no_form();
      a.terms[at].var = b.terms[i].var;
      a.terms[at].coef = 0;
      a.count++;
    }
    if (__builtin_add_overflow(a.terms[at].coef, product, &a.terms[at].coef)) return no_form();
    if (a.terms[at].coef == 0) a.terms[at] = a.terms[--a.count];
  }
  return a;
}

static bool is_constant_form(const Affine *a) { return a->count == 0; }

static bool prove(Emit *e, Affine a);

/// An integer that `a` never exceeds (or never goes below), when a constant one is known.
static bool constant_bound(Emit *e, Affine a, bool upper, int64_t *out) {
  for (int step = 0; step < 64; step++) {
    if (a.count < 0) return false;
    if (a.count == 0) {
      *out = a.constant;
      return true;
    }
    int latest = 0;
    for (int i = 1; i < a.count; i++)
      if (e->ranges[a.terms[i].var].order > e->ranges[a.terms[latest].var].order) latest = i;
    uint32_t var = a.terms[latest].var;
    int64_t coef = a.terms[latest].coef;
    const VarRange *range = &e->ranges[var];
    if (!range->is_bound) return false;
    Affine bound = (coef > 0) == upper ? range->hi : range->lo;
    if (bound.count < 0) return false;
    a = combine(combine(a, var_form(var), -coef), bound, coef);
  }
  return false;
}

static Affine form_of(Emit *e, const RlxTirExpr *x);

/// x // c and x % c for constant c > 0, where the form of x splits into multiples of c and a rest
/// within [0, c).
static Affine division_form(Emit *e, const RlxTirExpr *x) {
  if (x->args[1]->kind != RLX_TIR_INT || x->args[1]->integer <= 0) return no_form();
  int64_t c = x->args[1]->integer;
  Affine a = form_of(e, x->args[0]);
  if (a.count < 0) return no_form();
  Affine multiple = constant_form(0), rest = constant_form(a.constant);
  for (int i = 0; i < a.count; i++) {
    Affine term = {.count = 1, .constant = 0};
    term.terms[0] = a.terms[i];
    if (a.terms[i].coef % c == 0) {
      term.terms[0].coef /= c;
      multiple = combine(multiple, term, 1);
    } else {
      rest = combine(rest, term, 1);
    }
  }
  int64_t lo, hi;
  if (!constant_bound(e, rest, false, &lo) || !constant_bound(e, rest, true, &hi) || lo < 0 ||
      hi >= c)
    return no_form();
  bool is_mod = x->kind == RLX_TIR_FLOORMOD || x->kind == RLX_TIR_TRUNCMOD;
  bool is_trunc =
      x->kind == RLX_TIR_TRUNCDIV || x->kind == RLX_TIR_TRUNCMOD || x->kind == RLX_TIR_DIV;
  if (is_trunc && !prove(e, a)) return no_form();
  return is_mod ? rest : multiple;
}

static Affine form_of(Emit *e, const RlxTirExpr *x) {
  if (rlx_dtype_is_float(x->dtype) || x->dtype.lanes > 1) return no_form();
  // Narrow and unsigned types wrap where a linear form would not.
  if (x->kind == RLX_TIR_INT) return constant_form(x->integer);
  if (x->kind == RLX_TIR_VAR) {
    const VarRange *r = &e->ranges[x->var->id];
    if (!r->is_bound) return no_form();
    return r->value.count >= 0 ? r->value : var_form(x->var->id);
  }
  if (x->dtype.code != RLX_DTYPE_INT || x->dtype.bits < 32) return no_form();
  if (x->kind == RLX_TIR_ADD) return combine(form_of(e, x->args[0]), form_of(e, x->args[1]), 1);
  if (x->kind == RLX_TIR_SUB) return combine(form_of(e, x->args[0]), form_of(e, x->args[1]), -1);
  if (x->kind == RLX_TIR_MUL) {
    Affine a = form_of(e, x->args[0]), b = form_of(e, x->args[1]);
    if (is_constant_form(&b)) return combine(constant_form(0), a, b.constant);
    if (is_constant_form(&a)) return combine(constant_form(0), b, a.constant);
    return no_form();
  }
  if (x->kind >= RLX_TIR_DIV && x->kind <= RLX_TIR_TRUNCMOD) return division_form(e, x);
  if (x->kind == RLX_TIR_CAST && x->args[0]->dtype.code == RLX_DTYPE_INT &&
      x->args[0]->dtype.bits >= 32)
    return form_of(e, x->args[0]);
  return no_form();
}

/// Whether a >= 0 for all values the variables can have.
static bool prove_by_ranges(Emit *e, Affine a) {
  int64_t lowest;
  if (constant_bound(e, a, false, &lowest)) return lowest >= 0;
  // Eliminate what has bounds, latest first; then dimensions, which are not negative, remain.
  for (int step = 0; step < 64; step++) {
    if (a.count < 0) return false;
    int latest = -1;
    for (int i = 0; i < a.count; i++) {
      const VarRange *r = &e->ranges[a.terms[i].var];
      Affine bound = a.terms[i].coef > 0 ? r->lo : r->hi;
      if (bound.count < 0) continue;
      if (latest < 0 || r->order > e->ranges[a.terms[latest].var].order) latest = i;
    }
    if (latest < 0) return a.count == 0 && a.constant >= 0;
    uint32_t var = a.terms[latest].var;
    int64_t coef = a.terms[latest].coef;
    Affine bound = coef > 0 ? e->ranges[var].lo : e->ranges[var].hi;
    a = combine(combine(a, var_form(var), -coef), bound, coef);
  }
  return false;
}

static bool prove(Emit *e, Affine a) {
  if (a.count < 0) return false;
  if (prove_by_ranges(e, a)) return true;
  for (uint32_t i = 0; i < e->facts.count; i++)
    if (prove_by_ranges(e, combine(a, e->facts.at[i], -1))) return true;
  return false;
}

/// Whether x >= 0 (upper false) or x <= limit (as a form), structurally: min, max, modulo and
/// choices by their parts.
static bool at_least_zero(Emit *e, const RlxTirExpr *x) {
  if (x->dtype.lanes > 1) return false;
  if (prove(e, form_of(e, x))) return true;
  if (x->dtype.code == RLX_DTYPE_UINT || x->dtype.code == RLX_DTYPE_BOOL) return x->dtype.bits < 64;
  if (x->dtype.code != RLX_DTYPE_INT) return false;
  bool positive_const =
      x->arg_count == 2 && x->args[1]->kind == RLX_TIR_INT && x->args[1]->integer > 0;
  if (x->kind == RLX_TIR_FLOORMOD) return positive_const;
  if ((x->kind == RLX_TIR_FLOORDIV || x->kind == RLX_TIR_TRUNCDIV || x->kind == RLX_TIR_DIV ||
       x->kind == RLX_TIR_TRUNCMOD) &&
      positive_const)
    return at_least_zero(e, x->args[0]);
  if (x->kind == RLX_TIR_MIN) return at_least_zero(e, x->args[0]) && at_least_zero(e, x->args[1]);
  if (x->kind == RLX_TIR_MAX) return at_least_zero(e, x->args[0]) || at_least_zero(e, x->args[1]);
  if (x->kind == RLX_TIR_CAST)
    return at_least_zero(e, x->args[0]) && x->args[0]->dtype.bits <= x->dtype.bits &&
           rlx_dtype_is_int(x->args[0]->dtype);
  return false;
}

static bool at_most(Emit *e, const RlxTirExpr *x, const Affine *limit) {
  if (x->dtype.lanes > 1) return false;
  if (prove(e, combine(*limit, form_of(e, x), -1))) return true;
  if (x->dtype.code != RLX_DTYPE_INT) return false;
  bool positive_const =
      x->arg_count == 2 && x->args[1]->kind == RLX_TIR_INT && x->args[1]->integer > 0;
  if ((x->kind == RLX_TIR_FLOORMOD || x->kind == RLX_TIR_TRUNCMOD) && positive_const)
    return prove(e, combine(*limit, constant_form(x->args[1]->integer - 1), -1));
  if ((x->kind == RLX_TIR_FLOORDIV || x->kind == RLX_TIR_TRUNCDIV) && positive_const) {
    int64_t hi;
    if (!constant_bound(e, form_of(e, x->args[0]), true, &hi) || hi < 0) return false;
    return prove(e, combine(*limit, constant_form(hi / x->args[1]->integer), -1));
  }
  if (x->kind == RLX_TIR_MIN) return at_most(e, x->args[0], limit) || at_most(e, x->args[1], limit);
  if (x->kind == RLX_TIR_MAX) return at_most(e, x->args[0], limit) && at_most(e, x->args[1], limit);
  return false;
}

void range_note_wrap(Emit *e, const RlxTirExpr *x, bool by_any) {
  Affine form = form_of(e, x);
  for (LoopFrame *loop = e->loop; loop; loop = loop->outer)
    for (int i = 0; i < form.count; i++)
      if (loop->var && form.terms[i].var == loop->var->id && (by_any || form.terms[i].coef != 1))
        loop->wraps = true;
}

bool range_is_nonnegative(Emit *e, const RlxTirExpr *x) { return at_least_zero(e, x); }

bool range_in_bounds(Emit *e, const RlxTirExpr *index, int lanes, int64_t stride,
                     const RlxTirExpr *extent, bool *above_zero, bool *below_extent) {
  *above_zero = *below_extent = false;
  if (lanes > 1) {
    // A ramp: its base is args[0] when written as one; else nothing is known.
    if (index->kind != RLX_TIR_RAMP || stride < 0) return false;
    index = index->args[0];
  }
  Affine limit = combine(form_of(e, extent), constant_form(-1 - (lanes - 1) * stride), 1);
  *above_zero = at_least_zero(e, index);
  *below_extent = limit.count >= 0 && at_most(e, index, &limit);
  return *above_zero && *below_extent;
}

// ---- scopes

void range_bind_symbol(Emit *e, const RlxTirVar *var, bool is_dimension) {
  VarRange *r = &e->ranges[var->id];
  r->is_bound = true;
  r->order = e->next_order++;
  r->lo = is_dimension ? constant_form(0) : no_form();
  r->hi = no_form();
  r->value = no_form();
}

void range_bind_loop(Emit *e, const RlxTirVar *var, const RlxTirExpr *min,
                     const RlxTirExpr *extent) {
  VarRange *r = &e->ranges[var->id];
  Affine lo = min ? form_of(e, min) : constant_form(0);
  Affine hi = combine(combine(lo, form_of(e, extent), 1), constant_form(-1), 1);
  r->is_bound = true;
  r->order = e->next_order++;
  r->lo = lo;
  r->hi = hi;
  r->value = no_form();
}

void range_bind_value(Emit *e, const RlxTirVar *var, const RlxTirExpr *value) {
  Affine form = form_of(e, value);
  VarRange *r = &e->ranges[var->id];
  r->is_bound = true;
  r->order = e->next_order++;
  r->value = form;
  int64_t lo, hi;
  r->lo = r->hi = no_form();
  if (form.count < 0) {
    if (at_least_zero(e, value)) r->lo = constant_form(0);
    bool is_mod = value->kind == RLX_TIR_FLOORMOD && value->args[1]->kind == RLX_TIR_INT &&
                  value->args[1]->integer > 0;
    if (is_mod) r->hi = constant_form(value->args[1]->integer - 1);
    bool is_div = value->kind == RLX_TIR_FLOORDIV && value->args[1]->kind == RLX_TIR_INT &&
                  value->args[1]->integer > 0;
    if (is_div && constant_bound(e, form_of(e, value->args[0]), true, &hi) && hi >= 0)
      r->hi = constant_form(hi / value->args[1]->integer);
    if (is_div && constant_bound(e, form_of(e, value->args[0]), false, &lo) && lo >= 0)
      r->lo = constant_form(lo / value->args[1]->integer);
  }
}

void range_unbind(Emit *e, const RlxTirVar *var) { e->ranges[var->id].is_bound = false; }

static void assume(Emit *e, const RlxTirExpr *x) {
  if (x->kind == RLX_TIR_AND) {
    assume(e, x->args[0]);
    assume(e, x->args[1]);
    return;
  }
  if (x->kind == RLX_TIR_CALL &&
      x->arg_count == 1) { // likely(cond); any other call has no comparison below it
    if (x->args[0]->kind >= RLX_TIR_EQ && x->args[0]->kind <= RLX_TIR_AND &&
        !strcmp(emit_name(e, x->name), "likely"))
      assume(e, x->args[0]);
    return;
  }
  if (x->kind < RLX_TIR_EQ || x->kind > RLX_TIR_GE || x->args[0]->dtype.code != RLX_DTYPE_INT)
    return;
  Affine a = form_of(e, x->args[0]), b = form_of(e, x->args[1]);
  Affine less_equal = combine(b, a, -1), greater_equal = combine(a, b, -1);
  Affine one = constant_form(1);
  if (x->kind == RLX_TIR_LT) less_equal = combine(less_equal, one, -1);
  if (x->kind == RLX_TIR_GT) greater_equal = combine(greater_equal, one, -1);
  bool has_less = x->kind == RLX_TIR_LT || x->kind == RLX_TIR_LE || x->kind == RLX_TIR_EQ;
  bool has_greater = x->kind == RLX_TIR_GT || x->kind == RLX_TIR_GE || x->kind == RLX_TIR_EQ;
  if (has_less && less_equal.count >= 0) rlx_vec_push(&e->facts, less_equal);
  if (has_greater && greater_equal.count >= 0) rlx_vec_push(&e->facts, greater_equal);
}

size_t range_assume(Emit *e, const RlxTirExpr *cond) {
  size_t mark = e->facts.count;
  if (cond) assume(e, cond);
  return mark;
}

void range_forget(Emit *e, size_t mark) { e->facts.count = (uint32_t)mark; }
