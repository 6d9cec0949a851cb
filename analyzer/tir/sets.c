/// Questions about sets of integer tuples, handed to isl.
///
/// Every question makes its own isl context with a budget of operations, so that no state is
/// shared. What is plain, or small, is answered before (sets_plain.c, sets_search.c). Dimensions of a set: parameters, then the variables of the ranges, then one for each
/// term that is not affine ("atom"). A NULL from isl (budget, overflow) runs through all later
/// calls and ends as unknown.
#include "analyzer/tir/sets_impl.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <limits.h>
#include <stdlib.h>

typedef struct Dim {
  const RlxPrim *term; // a variable, or what is not affine
  bool is_atom;
} Dim;

typedef struct Sets {
  RlxStore *store;
  isl_ctx *ctx;
  isl_space *space;
  Dim dims[RLX_SET_DIMS_MAX];
  int dim_count;
  int atom_count;
  bool is_full; // more dimensions than there is room for
} Sets;

bool rlx_set_point_value(const RlxSetPoint *point, const RlxSymVar *var, int64_t *out) {
  for (int i = 0; i < point->count; i++)
    if (point->vars[i] == var) return *out = point->values[i], true;
  return false;
}

// ---- dimensions

static int find_dim(const Sets *s, const RlxPrim *term) {
  for (int i = 0; i < s->dim_count; i++)
    if (s->dims[i].term == term) return i;
  return -1;
}

static void add_dim(Sets *s, const RlxPrim *term, bool is_atom) {
  if (find_dim(s, term) >= 0) return;
  if (s->dim_count == RLX_SET_DIMS_MAX) {
    s->is_full = true;
    return;
  }
  s->dims[s->dim_count++] = (Dim){term, is_atom};
  s->atom_count += is_atom;
}

/// The constant that a `//`, `%`, shift or product works with, when isl can say it.
static bool constant_operand(const RlxPrim *p, int64_t *k) {
  switch (p->kind) {
  case RLX_PRIM_MUL: return rlx_prim_is_const(p->args[1], k) || rlx_prim_is_const(p->args[0], k);
  case RLX_PRIM_FLOORDIV:
  case RLX_PRIM_FLOORMOD: return rlx_prim_is_const(p->args[1], k) && *k != 0;
  case RLX_PRIM_DIV:
  case RLX_PRIM_TRUNCDIV:
  case RLX_PRIM_TRUNCMOD: return rlx_prim_is_const(p->args[1], k) && *k > 0;
  case RLX_PRIM_SHL:
  case RLX_PRIM_SHR: return rlx_prim_is_const(p->args[1], k) && *k >= 0 && *k < 62;
  case RLX_PRIM_BITAND:
    return rlx_prim_is_const(p->args[1], k) && *k >= 0 && *k < INT64_MAX && (*k & (*k + 1)) == 0;
  default: return false;
  }
}

typedef enum Shape { SHAPE_VALUE, SHAPE_TRUTH, SHAPE_ATOM } Shape;

/// What a node is to isl: an affine value over its operands, a truth over them, or an atom.
static Shape shape_of(const RlxPrim *p) {
  int64_t k;
  switch (p->kind) {
  case RLX_PRIM_INT: return p->dtype.code == RLX_DTYPE_BOOL ? SHAPE_TRUTH : SHAPE_VALUE;
  case RLX_PRIM_VAR: return p->dtype.code == RLX_DTYPE_BOOL ? SHAPE_ATOM : SHAPE_VALUE;
  case RLX_PRIM_ADD:
  case RLX_PRIM_SUB:
  case RLX_PRIM_MIN:
  case RLX_PRIM_MAX:
  case RLX_PRIM_ABS: return SHAPE_VALUE;
  case RLX_PRIM_CAST:
    return p->dtype.bits >= p->args[0]->dtype.bits && rlx_prim_cast_keeps(p) ? SHAPE_VALUE
                                                                             : SHAPE_ATOM;
  case RLX_PRIM_EQ:
  case RLX_PRIM_NE:
  case RLX_PRIM_LT:
  case RLX_PRIM_LE:
  case RLX_PRIM_AND:
  case RLX_PRIM_OR:
  case RLX_PRIM_NOT: return SHAPE_TRUTH;
  case RLX_PRIM_SELECT: return p->dtype.code == RLX_DTYPE_BOOL ? SHAPE_TRUTH : SHAPE_VALUE;
  case RLX_PRIM_MUL:
  case RLX_PRIM_DIV:
  case RLX_PRIM_FLOORDIV:
  case RLX_PRIM_FLOORMOD:
  case RLX_PRIM_TRUNCDIV:
  case RLX_PRIM_TRUNCMOD:
  case RLX_PRIM_SHL:
  case RLX_PRIM_SHR:
  case RLX_PRIM_BITAND: return constant_operand(p, &k) ? SHAPE_VALUE : SHAPE_ATOM;
  case RLX_PRIM_FLOAT:
  case RLX_PRIM_BITOR:
  case RLX_PRIM_BITXOR:
  case RLX_PRIM_CALL: break;
  }
  return SHAPE_ATOM;
}

static void collect_vars(Sets *s, const RlxPrim *p) {
  if (p->kind == RLX_PRIM_VAR && shape_of(p) == SHAPE_VALUE) add_dim(s, p, false);
  if (shape_of(p) == SHAPE_ATOM) return;
  for (int i = 0; i < p->arg_count; i++) collect_vars(s, p->args[i]);
}

static void collect_atoms(Sets *s, const RlxPrim *p) {
  if (shape_of(p) == SHAPE_ATOM) {
    add_dim(s, p, true);
    return;
  }
  for (int i = 0; i < p->arg_count; i++) collect_atoms(s, p->args[i]);
}

typedef void Collect(Sets *s, const RlxPrim *p);

static void collect_system(Sets *s, const RlxSystem *system, Collect *collect) {
  for (int i = 0; i < system->range_count; i++) {
    if (system->ranges[i].min) collect(s, system->ranges[i].min);
    if (system->ranges[i].extent) collect(s, system->ranges[i].extent);
  }
  for (int i = 0; i < system->condition_count; i++) collect(s, system->conditions[i]);
}

// ---- values and truths as isl says them

static isl_set *truth(Sets *s, const RlxPrim *p);

static isl_pw_aff *variable(const Sets *s, int dim) {
  isl_local_space *local = isl_local_space_from_space(isl_space_copy(s->space));
  return isl_pw_aff_from_aff(isl_aff_var_on_domain(local, isl_dim_set, (unsigned)dim));
}

static isl_pw_aff *number(const Sets *s, int64_t value) {
  isl_local_space *local = isl_local_space_from_space(isl_space_copy(s->space));
  return isl_pw_aff_from_aff(
      isl_aff_val_on_domain(local, isl_val_int_from_si(s->ctx, (long)value)));
}

static isl_pw_aff *times(const Sets *s, isl_pw_aff *a, int64_t k) {
  return isl_pw_aff_scale_val(a, isl_val_int_from_si(s->ctx, (long)k));
}

static isl_pw_aff *floor_div(const Sets *s, isl_pw_aff *a, int64_t k) {
  return isl_pw_aff_floor(isl_pw_aff_scale_down_val(a, isl_val_int_from_si(s->ctx, (long)k)));
}

static isl_pw_aff *value(Sets *s, const RlxPrim *p);

/// `p`, an operation with a constant.
static isl_pw_aff *scaled(Sets *s, const RlxPrim *p) {
  int64_t k = 0;
  const RlxPrim *of = p->args[0];
  if (!rlx_prim_is_const(p->args[1], &k) && rlx_prim_is_const(p->args[0], &k)) of = p->args[1];
  isl_pw_aff *a = value(s, of);
  switch (p->kind) {
  case RLX_PRIM_MUL: return times(s, a, k);
  case RLX_PRIM_SHL: return times(s, a, INT64_C(1) << k);
  case RLX_PRIM_FLOORDIV: return floor_div(s, a, k);
  case RLX_PRIM_SHR: return floor_div(s, a, INT64_C(1) << k);
  case RLX_PRIM_TRUNCDIV:
  case RLX_PRIM_DIV: return isl_pw_aff_tdiv_q(a, number(s, k));
  case RLX_PRIM_TRUNCMOD: return isl_pw_aff_tdiv_r(a, number(s, k));
  case RLX_PRIM_BITAND: k++; break;
  default: break;
  }
  isl_pw_aff *quotient = floor_div(s, isl_pw_aff_copy(a), k); // a modulus
  return isl_pw_aff_sub(a, times(s, quotient, k));
}

static isl_pw_aff *value(Sets *s, const RlxPrim *p) {
  int dim = find_dim(s, p);
  if (dim >= 0) return variable(s, dim);
  if (shape_of(p) != SHAPE_VALUE) {
    isl_set *when = truth(s, p); // a truth as a number
    isl_pw_aff *one = isl_pw_aff_intersect_domain(number(s, 1), isl_set_copy(when));
    isl_pw_aff *zero = isl_pw_aff_intersect_domain(number(s, 0), isl_set_complement(when));
    return isl_pw_aff_union_add(one, zero);
  }
  isl_pw_aff *a, *b;
  switch (p->kind) {
  case RLX_PRIM_INT: return number(s, p->value);
  case RLX_PRIM_ADD: return isl_pw_aff_add(value(s, p->args[0]), value(s, p->args[1]));
  case RLX_PRIM_SUB: return isl_pw_aff_sub(value(s, p->args[0]), value(s, p->args[1]));
  case RLX_PRIM_MIN: return isl_pw_aff_min(value(s, p->args[0]), value(s, p->args[1]));
  case RLX_PRIM_MAX: return isl_pw_aff_max(value(s, p->args[0]), value(s, p->args[1]));
  case RLX_PRIM_CAST: return value(s, p->args[0]);
  case RLX_PRIM_ABS:
    a = value(s, p->args[0]);
    b = isl_pw_aff_neg(isl_pw_aff_copy(a));
    return isl_pw_aff_max(a, b);
  case RLX_PRIM_SELECT: {
    isl_set *when = truth(s, p->args[0]);
    a = isl_pw_aff_intersect_domain(value(s, p->args[1]), isl_set_copy(when));
    b = isl_pw_aff_intersect_domain(value(s, p->args[2]), isl_set_complement(when));
    return isl_pw_aff_union_add(a, b);
  }
  default: return scaled(s, p);
  }
}

static isl_set *everything(const Sets *s) { return isl_set_universe(isl_space_copy(s->space)); }

static isl_set *truth(Sets *s, const RlxPrim *p) {
  if (find_dim(s, p) >= 0 || shape_of(p) != SHAPE_TRUTH)
    return isl_pw_aff_ne_set(value(s, p), number(s, 0));
  switch (p->kind) {
  case RLX_PRIM_INT: return p->value ? everything(s) : isl_set_empty(isl_space_copy(s->space));
  case RLX_PRIM_EQ: return isl_pw_aff_eq_set(value(s, p->args[0]), value(s, p->args[1]));
  case RLX_PRIM_NE: return isl_pw_aff_ne_set(value(s, p->args[0]), value(s, p->args[1]));
  case RLX_PRIM_LT: return isl_pw_aff_lt_set(value(s, p->args[0]), value(s, p->args[1]));
  case RLX_PRIM_LE: return isl_pw_aff_le_set(value(s, p->args[0]), value(s, p->args[1]));
  case RLX_PRIM_AND: return isl_set_intersect(truth(s, p->args[0]), truth(s, p->args[1]));
  case RLX_PRIM_OR: return isl_set_union(truth(s, p->args[0]), truth(s, p->args[1]));
  case RLX_PRIM_NOT: return isl_set_complement(truth(s, p->args[0]));
  default: break;
  }
  isl_set *when = truth(s, p->args[0]); // a selection
  isl_set *yes = isl_set_intersect(isl_set_copy(when), truth(s, p->args[1]));
  return isl_set_union(yes, isl_set_intersect(isl_set_complement(when), truth(s, p->args[2])));
}

// ---- systems

static isl_set *in_range(Sets *s, isl_set *set, const RlxLoopRange *range) {
  const RlxPrim *var = rlx_prim_var(s->store, range->var);
  if (range->min)
    set = isl_set_intersect(set, isl_pw_aff_ge_set(value(s, var), value(s, range->min)));
  if (!range->extent) return set;
  isl_pw_aff *end = value(s, range->extent);
  if (range->min) end = isl_pw_aff_add(end, value(s, range->min));
  return isl_set_intersect(set, isl_pw_aff_lt_set(value(s, var), end));
}

/// Dimensions of the StructInfo kind are never negative.
static isl_set *with_dimensions(Sets *s, isl_set *set) {
  for (int i = 0; i < s->dim_count; i++)
    if (!s->dims[i].is_atom && s->dims[i].term->var->is_dimension)
      set = isl_set_lower_bound_si(set, isl_dim_set, (unsigned)i, 0);
  return set;
}

static isl_set *system_set(Sets *s, const RlxSystem *system) {
  isl_set *set = with_dimensions(s, everything(s));
  for (int i = 0; i < system->range_count; i++) set = in_range(s, set, &system->ranges[i]);
  for (int i = 0; i < system->condition_count; i++)
    set = isl_set_intersect(set, truth(s, system->conditions[i]));
  return isl_set_coalesce(set);
}

static void sets_init(Sets *s, RlxStore *store, uint32_t operations) {
  *s = (Sets){.store = store, .ctx = isl_ctx_alloc()};
  isl_options_set_on_error(s->ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(s->ctx, operations);
}

/// How many operations `ctx` has made, at most `most`. isl only refuses one when there were as many
/// as are allowed: so this tries, and each that succeeds is one more.
static uint32_t operations_made(isl_ctx *ctx, uint32_t most) {
  uint32_t low = 0, high = most, tried = 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    isl_ctx_set_max_operations(ctx, (unsigned long)middle + tried + 1);
    void *p = isl_malloc_or_die(ctx, 1);
    if (p)
      tried++, high = middle;
    else
      low = middle + 1;
    free(p);
  }
  return high;
}

static void sets_deinit(Sets *s) {
  isl_space_free(s->space);
  isl_ctx_free(s->ctx);
}

static bool read_point(const Sets *s, isl_point *point, RlxSetPoint *out) {
  out->count = 0;
  bool ok = point != NULL;
  for (int i = 0; ok && i < s->dim_count; i++) {
    if (s->dims[i].is_atom) continue;
    isl_val *v = isl_point_get_coordinate_val(point, isl_dim_set, i);
    ok = v && isl_val_is_int(v) == isl_bool_true && isl_val_n_abs_num_chunks(v, 8) <= 1 &&
         isl_val_cmp_si(v, LONG_MAX) <= 0 && isl_val_cmp_si(v, LONG_MIN) >= 0;
    if (ok) {
      out->vars[out->count] = s->dims[i].term->var;
      out->values[out->count++] = isl_val_get_num_si(v);
    }
    isl_val_free(v);
  }
  isl_point_free(point);
  return ok;
}

/// The smallest point of `set`, dimension by dimension: isl's lexmin takes seconds for sets of a
/// dozen dimensions, and counts few operations while it does. Takes `set`.
static isl_point *smallest(const Sets *s, isl_set *set) {
  for (int i = 0; i < s->dim_count; i++) {
    isl_val *least = isl_set_dim_min_val(isl_set_copy(set), i);
    // What became empty goes: isl would take its bounds for a minimum.
    set = isl_set_coalesce(isl_set_fix_val(set, isl_dim_set, (unsigned)i, least));
  }
  return isl_set_sample_point(set);
}

static bool is_bounded_below(const Sets *s, isl_set *set) {
  for (int i = 0; i < s->dim_count; i++)
    if (isl_set_dim_has_lower_bound(set, isl_dim_set, (unsigned)i) != isl_bool_true) return false;
  return true;
}

/// Is `set` empty, and if not, which is its smallest point? When that takes too long, any point. Takes `set`.
static RlxProof answer(Sets *s, isl_set *set, bool is_exact, RlxSetPoint *out) {
  isl_bool empty = isl_set_is_empty(set);
  RlxProof result = empty == isl_bool_true ? RLX_NO : RLX_UNKNOWN;
  if (empty == isl_bool_false && is_exact &&
      read_point(s, isl_set_sample_point(isl_set_copy(set)), out)) {
    RlxSetPoint least;
    result = RLX_YES;
    if (is_bounded_below(s, set) && read_point(s, smallest(s, isl_set_copy(set)), &least))
      *out = least;
  }
  isl_set_free(set);
  return result;
}

static bool binds(const RlxSystem *system, const RlxPrim *var) {
  for (int i = 0; i < system->range_count; i++)
    if (system->ranges[i].var == var->var) return true;
  return false;
}

static bool any_binds(const RlxSystem *systems, int count, const RlxPrim *var) {
  for (int i = 0; i < count; i++)
    if (binds(&systems[i], var)) return true;
  return false;
}

/// True when an atom mentions one of the others' variables.
static bool atoms_vary(const Sets *s, const RlxSystem *others, int count) {
  for (int i = 0; i < s->dim_count; i++) {
    if (!s->dims[i].is_atom) continue;
    const RlxSymVar *vars[RLX_SET_DIMS_MAX];
    int var_count = 0;
    rlx_prim_vars(s->dims[i].term, vars, &var_count, RLX_SET_DIMS_MAX);
    for (int k = 0; k < var_count; k++)
      if (any_binds(others, count, rlx_prim_var(s->store, vars[k]))) return true;
  }
  return false;
}

/// Dimensions: parameters, the system's variables, atoms, and behind them the others' variables.
/// How many are before those, or -1: too many.
static int lay_out(Sets *s, const RlxSystem *system, const RlxSystem *others, int count) {
  Sets all = {.store = s->store}; // all variables, to find those that no range binds
  collect_system(&all, system, collect_vars);
  for (int i = 0; i < count; i++) collect_system(&all, &others[i], collect_vars);
  for (int i = 0; i < all.dim_count; i++)
    if (!binds(system, all.dims[i].term) && !any_binds(others, count, all.dims[i].term))
      add_dim(s, all.dims[i].term, false);
  for (int i = 0; i < system->range_count; i++)
    add_dim(s, rlx_prim_var(s->store, system->ranges[i].var), false);
  collect_system(s, system, collect_atoms);
  for (int i = 0; i < count; i++) collect_system(s, &others[i], collect_atoms);
  int kept = s->dim_count;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < others[i].range_count; k++)
      add_dim(s, rlx_prim_var(s->store, others[i].ranges[k].var), false);
  return all.is_full || s->is_full ? -1 : kept;
}

/// The answer, as far as the operations of the context reach.
static RlxProof decide(Sets *s, const RlxSystem *system, const RlxSystem *others, int other_count,
                       RlxSetPoint *out) {
  int kept = lay_out(s, system, others, other_count);
  if (kept < 0 || atoms_vary(s, others, other_count)) return RLX_UNKNOWN;
  s->space = isl_space_set_alloc(s->ctx, 0, (unsigned)s->dim_count);
  unsigned first = (unsigned)kept, gone = (unsigned)(s->dim_count - kept);
  isl_set *all = system_set(s, system);
  isl_set *left = isl_set_project_out(isl_set_copy(all), isl_dim_set, first, gone);
  for (int i = 0; i < other_count; i++) {
    isl_set *covered = isl_set_intersect(isl_set_copy(all), system_set(s, &others[i]));
    left = isl_set_subtract(left, isl_set_project_out(covered, isl_dim_set, first, gone));
  }
  isl_set_free(all);
  s->dim_count = kept;
  return answer(s, left, s->atom_count == 0, out);
}

// In operations: putting a question together; how many steps of a search are one.
enum { QUESTION_COST = 8, STEPS_A_COST = 8 };

RlxProof rlx_sets_find_without(RlxStore *store, const RlxSystem *system, const RlxSystem *others,
                               int other_count, RlxSetPoint *out) {
  RlxSetWork whole = {.left = UINT32_MAX}, *work = system->work ? system->work : &whole;
  if (work->left < QUESTION_COST) work->is_short = true;
  if (work->is_short) return RLX_UNKNOWN;
  work->left -= QUESTION_COST;
  rlx_store_spend(store, QUESTION_COST);
  if (rlx_sets_plainly_empty(system)) return RLX_NO;
  uint32_t steps;
  RlxProof found = rlx_sets_search(system, others, other_count, out, &steps);
  if (found != RLX_UNKNOWN) return found;
  steps /= STEPS_A_COST;
  work->left -= steps < work->left ? steps : work->left;
  rlx_store_spend(store, steps);
  const uint32_t each = work->each ? work->each : RLX_SET_EFFORT;
  const uint32_t most = work->left < each ? work->left : each;
  if (!most) return work->is_short = true, RLX_UNKNOWN; // to isl, 0 is no bound
  Sets s;
  sets_init(&s, store, most);
  RlxProof result = decide(&s, system, others, other_count, out);
  const uint32_t made = operations_made(s.ctx, most);
  work->left -= made;
  rlx_store_spend(store, made);
  work->is_short = made == most && most < each;
  sets_deinit(&s);
  const bool has_time = result == RLX_UNKNOWN && !work->is_short && other_count == 0;
  return has_time ? rlx_sets_guess(system, out) : result;
}

RlxProof rlx_sets_find(RlxStore *store, const RlxSystem *system, RlxSetPoint *out) {
  return rlx_sets_find_without(store, system, NULL, 0, out);
}
