/// Does a loop binding run every instance of a block once? The rule first (iter_map.c), then sets
/// of integers (sets.h), with the smallest witness.
///
/// Always true: "proved" and "refuted" hold for all, and for some, values of the other variables
/// that the facts allow; a rule that is silent proves nothing either way.
#include "analyzer/tir/iter_map.h"

#include <string.h>

#include "base/hash.h"

enum {
  VARS_MAX = 20, // loops, and block variables, of one question to the sets
};

// ---- one dtype

/// `p` in int64 throughout: index expressions mix widths, which mean nothing to a bijection.
static const RlxPrim *widen(RlxStore *store, const RlxPrim *p) {
  if (rlx_dtype_is_bool(p->dtype) && p->arg_count == 0) return p;
  if (p->kind == RLX_PRIM_INT) return rlx_prim_int(store, p->value);
  if (p->kind == RLX_PRIM_VAR) {
    const RlxSymVar *v = p->var;
    if (rlx_dtype_equal(p->dtype, RLX_INT64)) return p;
    const RlxPrim *wide =
        rlx_prim_var(store, rlx_symvar(store, v->scope, v->name, RLX_INT64, v->is_relax));
    if (v->is_dimension) rlx_prim_mark_dimension(store, wide);
    return wide;
  }
  if (p->kind == RLX_PRIM_CAST && p->dtype.bits >= 32 && rlx_prim_cast_keeps(p))
    return widen(store, p->args[0]);
  const RlxPrim *args[3];
  if (p->arg_count < 1 || p->arg_count > 3 || p->kind == RLX_PRIM_CALL || p->kind == RLX_PRIM_CAST)
    return p;
  for (int i = 0; i < p->arg_count; i++) args[i] = widen(store, p->args[i]);
  if (p->arg_count == 1) return rlx_prim_unary(store, (RlxPrimKind)p->kind, args[0]);
  if (p->arg_count == 2) return rlx_prim_binary(store, (RlxPrimKind)p->kind, args[0], args[1]);
  return rlx_prim_select(store, args[0], args[1], args[2]);
}

static RlxBindingQuery widened(RlxStore *store, RlxArena *arena, const RlxBindingQuery *q) {
  RlxLoopRange *loops = rlx_arena_array(arena, RlxLoopRange, q->loop_count + 1);
  RlxTirBinding *vars = rlx_arena_array(arena, RlxTirBinding, q->var_count + 1);
  RlxBindingQuery out = *q;
  out.loops = loops;
  out.vars = vars;
  for (int i = 0; i < q->loop_count; i++) {
    const RlxLoopRange *l = &q->loops[i];
    loops[i] = (RlxLoopRange){widen(store, rlx_prim_var(store, l->var))->var, widen(store, l->min),
                              widen(store, l->extent)};
  }
  for (int i = 0; i < q->var_count; i++) {
    const RlxTirBinding *v = &q->vars[i];
    vars[i] = (RlxTirBinding){widen(store, rlx_prim_var(store, v->var))->var, widen(store, v->min),
                              widen(store, v->extent), widen(store, v->value), v->is_reduce};
  }
  if (q->predicate) out.predicate = widen(store, q->predicate);
  RlxFacts *last = NULL;
  out.facts = NULL;
  for (const RlxFacts *f = q->facts; f; f = f->next) {
    RlxFacts *wide = rlx_arena_one(arena, RlxFacts);
    *wide = (RlxFacts){NULL, widen(store, f->condition), f->origin};
    if (last)
      last->next = wide;
    else
      out.facts = wide;
    last = wide;
  }
  return out;
}

// ---- words

static void put_name(RlxStore *store, RlxBuf *out, const RlxSymVar *var) {
  rlx_buf_puts(out, rlx_store_text(store, var->name));
}

/// "n = 2, m = 3: ", the variables that are no loops.
static void put_parameters(RlxStore *store, RlxBuf *out, const RlxSetPoint *point, int count) {
  for (int i = 0; i < count; i++) {
    rlx_buf_puts(out, i ? ", " : "for ");
    put_name(store, out, point->vars[i]);
    rlx_buf_printf(out, " = %lld", (long long)point->values[i]);
  }
  if (count) rlx_buf_puts(out, ", ");
}

/// "(3, 0)", or "3" for one.
static void put_values(RlxBuf *out, const int64_t *values, int count) {
  if (count != 1) rlx_buf_putc(out, '(');
  for (int i = 0; i < count; i++)
    rlx_buf_printf(out, "%s%lld", i ? ", " : "", (long long)values[i]);
  if (count != 1) rlx_buf_putc(out, ')');
}

static void put_instance(RlxStore *store, RlxBuf *out, const RlxBindingQuery *q,
                         const int64_t *values) {
  rlx_buf_puts(out, q->var_count ? "instance " : "the only instance");
  if (q->var_count > 1) rlx_buf_putc(out, '(');
  for (int i = 0; i < q->var_count; i++) {
    if (i) rlx_buf_puts(out, ", ");
    put_name(store, out, q->vars[i].var);
  }
  if (q->var_count > 1) rlx_buf_putc(out, ')');
  if (q->var_count) rlx_buf_puts(out, " = ");
  if (q->var_count) put_values(out, values, q->var_count);
}

static void put_loops(RlxStore *store, RlxBuf *out, const RlxBindingQuery *q,
                      const int64_t *values) {
  if (q->loop_count > 1) rlx_buf_putc(out, '(');
  for (int i = 0; i < q->loop_count; i++) {
    if (i) rlx_buf_puts(out, ", ");
    if (q->loop_names)
      rlx_buf_puts(out, q->loop_names[i]);
    else
      put_name(store, out, q->loops[i].var);
  }
  if (q->loop_count > 1) rlx_buf_putc(out, ')');
  rlx_buf_puts(out, " = ");
  put_values(out, values, q->loop_count);
}

static const char *taken(RlxArena *arena, RlxBuf *buf) {
  const char *text = rlx_arena_strdup(arena, rlx_buf_text(buf));
  rlx_buf_free(buf);
  return text;
}

// ---- the rule

static bool always_equal(RlxStore *store, const RlxFacts *facts, const RlxPrim *a,
                         const RlxPrim *b) {
  return rlx_prove_equal(store, facts, a, b) == RLX_YES;
}

/// Does the bijection of the rule reach exactly the domains?
static bool rule_proves(RlxStore *store, RlxArena *arena, const RlxBindingQuery *q) {
  const RlxPrim **values = rlx_arena_array(arena, const RlxPrim *, q->var_count + 1);
  for (int i = 0; i < q->var_count; i++) values[i] = q->vars[i].value;
  RlxIterQuery query = {.indices = values,
                        .index_count = q->var_count,
                        .loops = q->loops,
                        .loop_count = q->loop_count,
                        .predicate = q->predicate,
                        .facts = q->facts,
                        .level = RLX_ITER_BIJECTIVE};
  RlxIterMap map = rlx_iter_map_detect(store, arena, &query);
  if (!map.sums || !map.uses_constraints) return false;
  const RlxPrim *one = rlx_prim_int(store, 1);
  for (int i = 0; i < q->var_count; i++) {
    const RlxIterSum *sum = &map.sums[i];
    const RlxPrim *extent = sum->split_count ? sum->splits[0].extent : one;
    if (sum->split_count > 1 || !always_equal(store, q->facts, sum->base, q->vars[i].min) ||
        !always_equal(store, q->facts, extent, q->vars[i].extent))
      return false;
    if (sum->split_count && !always_equal(store, q->facts, sum->splits[0].scale, one)) return false;
  }
  return true;
}

// ---- the sets

typedef struct Question {
  RlxStore *store;
  RlxArena *arena;
  const RlxBindingQuery *q;
  RlxLoopRange *ranges; // instances, loops, loops again
  const RlxPrim **conditions;
  int condition_count;
  int fact_count; // the first conditions: what holds of the other variables
} Question;

static void take_facts(Question *s) {
  for (const RlxFacts *f = s->q->facts; f && s->condition_count < VARS_MAX; f = f->next)
    s->conditions[s->condition_count++] = f->condition;
  s->fact_count = s->condition_count;
}

static RlxSystem system_of(const Question *s, int first, int count) {
  return (RlxSystem){s->ranges + first, count, s->conditions, s->condition_count, s->q->work};
}

// ---- single points: most refutations need no set

/// A point of the loops, and the instance that runs there.
typedef struct Point {
  const RlxBindingQuery *q;
  int64_t loops[VARS_MAX], first[VARS_MAX], last[VARS_MAX];
  int64_t vars[VARS_MAX];
} Point;

static bool loop_value(const RlxSymVar *var, int64_t *out, void *data) {
  const Point *p = data;
  for (int i = 0; i < p->q->loop_count; i++)
    if (p->q->loops[i].var == var) {
      *out = p->loops[i];
      return true;
    }
  return false;
}

/// Fills the instance at `p->loops`; false: nothing runs there, or it is not known.
static bool runs_at(Point *p) {
  int64_t holds;
  const RlxBindingQuery *q = p->q;
  if (q->predicate && (!rlx_prim_eval(q->predicate, loop_value, p, &holds) || !holds)) return false;
  for (int i = 0; i < q->var_count; i++)
    if (!rlx_prim_eval(q->vars[i].value, loop_value, p, &p->vars[i])) return false;
  return true;
}

static bool is_outside(Point *p) {
  int64_t min, extent;
  if (!runs_at(p)) return false;
  for (int i = 0; i < p->q->var_count; i++)
    if (rlx_prim_is_const(p->q->vars[i].min, &min) &&
        rlx_prim_is_const(p->q->vars[i].extent, &extent) &&
        (p->vars[i] < min || p->vars[i] - min >= extent))
      return true;
  return false;
}

/// The first iteration of all loops; false: their ranges are no constants.
static bool point_init(Point *p, const RlxBindingQuery *q) {
  int64_t extent;
  *p = (Point){.q = q};
  for (int i = 0; i < q->loop_count; i++) {
    if (!rlx_prim_is_const(q->loops[i].min, &p->first[i]) ||
        !rlx_prim_is_const(q->loops[i].extent, &extent) || extent < 1 || extent > INT32_MAX)
      return false;
    p->loops[i] = p->first[i];
    p->last[i] = p->first[i] + extent - 1;
  }
  return true;
}

/// From a point outside to the first one, where values grow with the loops.
static void step_back(Point *p) {
  for (int i = 0; i < p->q->loop_count; i++) {
    int64_t low = p->first[i], high = p->loops[i];
    while (low < high) {
      p->loops[i] = low + (high - low) / 2;
      if (is_outside(p))
        high = p->loops[i];
      else
        low = p->loops[i] + 1;
    }
    p->loops[i] = high;
  }
  runs_at(p);
}

static bool finds_corner_outside(Question *s, RlxBindingVerdict *v) {
  const RlxBindingQuery *q = s->q;
  Point p;
  bool found = point_init(&p, q) && is_outside(&p);
  for (int i = q->loop_count - 1; i >= 0 && !found; i--) { // from the i-th loop on at their last
    if (!point_init(&p, q)) return false;
    for (int k = i; k < q->loop_count; k++) p.loops[k] = p.last[k];
    found = is_outside(&p);
  }
  if (!found) return false;
  step_back(&p);
  RlxBuf out = {0};
  put_instance(s->store, &out, q, p.vars);
  rlx_buf_puts(&out, " runs");
  if (q->loop_count) rlx_buf_puts(&out, " at ");
  if (q->loop_count) put_loops(s->store, &out, q, p.loops);
  rlx_buf_puts(&out, ", outside of its domain");
  v->witness = taken(s->arena, &out);
  return true;
}

static void put_twice(Question *s, RlxBindingVerdict *v, const Point *one, const Point *other) {
  RlxBuf out = {0};
  put_instance(s->store, &out, s->q, one->vars);
  rlx_buf_puts(&out, " runs at ");
  put_loops(s->store, &out, s->q, one->loops);
  rlx_buf_puts(&out, " and again at ");
  put_values(&out, other->loops, s->q->loop_count);
  v->witness = taken(s->arena, &out);
}

static bool is_same_instance(const Point *x, const Point *y) {
  return memcmp(x->vars, y->vars, (size_t)x->q->var_count * sizeof *x->vars) == 0;
}

/// How many steps of a loop that changes the instance from `p` to `inner` lead from `p` to `outer`, or
/// 0: for one variable at least the answer is that.
static int64_t steps_between(const Point *p, const Point *inner, const Point *outer) {
  for (int v = 0; v < p->q->var_count; v++) {
    int64_t step = inner->vars[v] - p->vars[v], way = outer->vars[v] - p->vars[v];
    if (step) return way % step == 0 ? way / step : 0;
    if (way) return 0;
  }
  return 0;
}

/// Near the first iteration of all loops, an instance runs again: one step further in a loop, which
/// changes nothing or what several steps of another loop change.
static bool finds_neighbour(Question *s, RlxBindingVerdict *v) {
  const RlxBindingQuery *q = s->q;
  Point p;
  if (!point_init(&p, q) || !runs_at(&p)) return false;
  for (int i = q->loop_count - 1; i >= 0; i--) {
    Point next = p;
    if (next.loops[i]++ == p.last[i] || !runs_at(&next)) continue;
    if (is_same_instance(&p, &next)) {
      put_twice(s, v, &p, &next);
      return true;
    }
    for (int k = q->loop_count - 1; k > i; k--) {
      Point far = p;
      if (far.loops[k]++ == p.last[k] || !runs_at(&far)) continue;
      int64_t steps = steps_between(&p, &far, &next);
      if (steps < 1 || steps > p.last[k] - p.first[k]) continue;
      far.loops[k] = p.loops[k] + steps;
      if (!runs_at(&far) || !is_same_instance(&far, &next)) continue;
      put_twice(s, v, &far, &next);
      return true;
    }
  }
  return false;
}

// ---- all points

static RlxProof is_found_outside(RlxBindingVerdict *v) {
  v->reason = "the loops leave the domain of the block variables";
  v->fault = RLX_BINDING_OUTSIDE;
  return RLX_YES;
}

static RlxProof is_found_twice(RlxBindingVerdict *v) {
  v->reason = "an instance runs more than once";
  v->fault = RLX_BINDING_TWICE;
  return RLX_YES;
}

/// An instance outside of its domain.
static RlxProof finds_outside(Question *s, RlxBindingVerdict *v) {
  const RlxBindingQuery *q = s->q;
  RlxSetPoint point;
  const RlxPrim *outside = NULL;
  for (int i = 0; i < q->var_count; i++) {
    const RlxPrim *value = q->vars[i].value, *min = q->vars[i].min;
    const RlxPrim *end = rlx_prim_add(s->store, min, q->vars[i].extent);
    const RlxPrim *here =
        rlx_prim_binary(s->store, RLX_PRIM_OR, rlx_prim_binary(s->store, RLX_PRIM_LT, value, min),
                        rlx_prim_binary(s->store, RLX_PRIM_LE, end, value));
    outside = outside ? rlx_prim_binary(s->store, RLX_PRIM_OR, outside, here) : here;
  }
  if (!outside) return RLX_NO;
  if (finds_corner_outside(s, v)) return is_found_outside(v);
  s->conditions[s->condition_count++] = outside;
  for (int i = 0; i < q->var_count; i++)
    s->conditions[s->condition_count++] = rlx_prim_binary(
        s->store, RLX_PRIM_EQ, rlx_prim_var(s->store, q->vars[i].var), q->vars[i].value);
  RlxSystem system = system_of(s, 0, q->var_count + q->loop_count);
  RlxProof found = rlx_sets_find(s->store, &system, &point);
  s->condition_count -= q->var_count + 1;
  if (found != RLX_YES) return found;
  const int64_t *instance = &point.values[point.count - q->loop_count - q->var_count];
  RlxBuf out = {0};
  put_parameters(s->store, &out, &point, point.count - q->loop_count - q->var_count);
  put_instance(s->store, &out, q, instance);
  rlx_buf_puts(&out, " runs");
  if (q->loop_count) rlx_buf_puts(&out, " at ");
  if (q->loop_count) put_loops(s->store, &out, q, instance + q->var_count);
  rlx_buf_puts(&out, ", outside of its domain");
  v->witness = taken(s->arena, &out);
  return is_found_outside(v);
}

/// The same instance at two points of the loops.
static RlxProof finds_twice(Question *s, RlxBindingVerdict *v) {
  const RlxBindingQuery *q = s->q;
  if (q->loop_count == 0) return RLX_NO;
  if (finds_neighbour(s, v)) return is_found_twice(v);
  const RlxSymVar *vars[VARS_MAX];
  const RlxPrim *again[VARS_MAX];
  RlxLoopRange *second = s->ranges + q->var_count + q->loop_count;
  for (int i = 0; i < q->loop_count; i++) {
    vars[i] = q->loops[i].var;
    again[i] = rlx_prim_var(s->store, second[i].var);
  }
  RlxSubst subst = {vars, again, q->loop_count, false};
  int before = s->condition_count;
  if (q->predicate)
    s->conditions[s->condition_count++] = rlx_prim_subst(s->store, q->predicate, &subst, NULL);
  for (int i = 0; i < q->var_count; i++) {
    const RlxPrim *var = rlx_prim_var(s->store, q->vars[i].var);
    const RlxPrim *value = rlx_prim_subst(s->store, q->vars[i].value, &subst, NULL);
    s->conditions[s->condition_count++] =
        rlx_prim_binary(s->store, RLX_PRIM_EQ, var, q->vars[i].value);
    s->conditions[s->condition_count++] = rlx_prim_binary(s->store, RLX_PRIM_EQ, var, value);
  }
  const RlxPrim *later = NULL; // lexicographically, from the innermost loop out
  for (int i = q->loop_count - 1; i >= 0; i--) {
    const RlxPrim *loop = rlx_prim_var(s->store, vars[i]);
    const RlxPrim *here = rlx_prim_binary(s->store, RLX_PRIM_LT, loop, again[i]);
    later =
        later ? rlx_prim_binary(
                    s->store, RLX_PRIM_OR, here,
                    rlx_prim_binary(s->store, RLX_PRIM_AND,
                                    rlx_prim_binary(s->store, RLX_PRIM_EQ, loop, again[i]), later))
              : here;
  }
  s->conditions[s->condition_count++] = later;
  RlxSystem system = system_of(s, 0, q->var_count + 2 * q->loop_count);
  RlxSetPoint point;
  RlxProof found = rlx_sets_find(s->store, &system, &point);
  s->condition_count = before;
  if (found != RLX_YES) return found;
  int parameters = point.count - 2 * q->loop_count - q->var_count;
  const int64_t *values = &point.values[parameters];
  RlxBuf out = {0};
  put_parameters(s->store, &out, &point, parameters);
  put_instance(s->store, &out, q, values);
  rlx_buf_puts(&out, " runs at ");
  put_loops(s->store, &out, q, values + q->var_count);
  rlx_buf_puts(&out, " and again at ");
  put_values(&out, values + q->var_count + q->loop_count, q->loop_count);
  v->witness = taken(s->arena, &out);
  return is_found_twice(v);
}

/// Does an instance run that differs from `values`, which never runs, in reduce variables alone?
static bool runs_in_part(Question *s, const int64_t *values) {
  const RlxBindingQuery *q = s->q;
  int before = s->condition_count;
  bool is_reduction = false;
  for (int i = 0; i < q->var_count; i++) {
    is_reduction = is_reduction || q->vars[i].is_reduce;
    if (q->vars[i].is_reduce) continue;
    const RlxPrim *value = rlx_prim_int_typed(s->store, values[i], q->vars[i].value->dtype);
    s->conditions[s->condition_count++] =
        rlx_prim_binary(s->store, RLX_PRIM_EQ, q->vars[i].value, value);
  }
  RlxSystem system = system_of(s, q->var_count, q->loop_count);
  RlxSetPoint point;
  bool found = is_reduction && rlx_sets_find(s->store, &system, &point) == RLX_YES;
  s->condition_count = before;
  return found;
}

/// An instance of the domain that never runs.
static RlxProof finds_missing(Question *s, RlxBindingVerdict *v) {
  const RlxBindingQuery *q = s->q;
  RlxLoopRange targets[VARS_MAX];
  int before = s->condition_count;
  for (int i = 0; i < q->var_count; i++) {
    targets[i] = (RlxLoopRange){q->vars[i].var, q->vars[i].min, q->vars[i].extent};
    s->conditions[s->condition_count++] = rlx_prim_binary(
        s->store, RLX_PRIM_EQ, rlx_prim_var(s->store, q->vars[i].var), q->vars[i].value);
  }
  RlxSystem domain = {targets, q->var_count, s->conditions, s->fact_count, q->work};
  RlxSystem runs = system_of(s, q->var_count, q->loop_count);
  RlxSetPoint point;
  RlxProof found = rlx_sets_find_without(s->store, &domain, &runs, 1, &point);
  s->condition_count = before;
  if (found != RLX_YES) return found;
  RlxBuf out = {0};
  put_parameters(s->store, &out, &point, point.count - q->var_count);
  const int64_t *values = &point.values[point.count - q->var_count];
  put_instance(s->store, &out, q, values);
  rlx_buf_puts(&out, " never runs");
  v->witness = taken(s->arena, &out);
  v->reason = "the loops do not reach the whole domain";
  // With parameters: whether they are the same in both is not asked.
  bool is_partial = point.count == q->var_count && runs_in_part(s, values);
  v->fault = is_partial ? RLX_BINDING_PARTIAL : RLX_BINDING_MISSING;
  return RLX_YES;
}

static void question_init(Question *s, RlxStore *store, RlxArena *arena, const RlxBindingQuery *q) {
  *s = (Question){.store = store, .arena = arena, .q = q};
  s->ranges = rlx_arena_array(arena, RlxLoopRange, q->var_count + 2 * q->loop_count + 1);
  s->conditions = rlx_arena_array(arena, const RlxPrim *, 4 * VARS_MAX + 4);
  for (int i = 0; i < q->var_count; i++) s->ranges[i].var = q->vars[i].var;
  RlxLoopRange *second = s->ranges + q->var_count + q->loop_count;
  for (int i = 0; i < q->loop_count; i++) {
    const RlxSymVar *var = q->loops[i].var;
    s->ranges[q->var_count + i] = second[i] = q->loops[i];
    uint64_t other = rlx_hash_mix(var->scope, 0x7477696365u) | UINT64_C(1) << 63;
    second[i].var = rlx_symvar(store, other, var->name, var->dtype, false);
  }
  take_facts(s);
  if (q->predicate) s->conditions[s->condition_count++] = q->predicate;
}

/// More than one question to the sets takes.
static bool is_too_large(const RlxBindingQuery *q) {
  return q->var_count > VARS_MAX || q->loop_count > VARS_MAX;
}

static RlxBindingVerdict by_rule(void) {
  return (RlxBindingVerdict){.proof = RLX_YES,
                             .by_rule = true,
                             .reason = "the loops split and fuse to the block variables"};
}

RlxBindingVerdict rlx_binding_check(RlxStore *store, RlxArena *arena,
                                    const RlxBindingQuery *query) {
  RlxBindingVerdict v = {.proof = RLX_UNKNOWN, .reason = "the binding is not affine"};
  RlxBindingQuery wide = widened(store, arena, query);
  query = &wide;
  if (rule_proves(store, arena, query)) return by_rule();
  if (is_too_large(query)) {
    v.reason = "too many loops";
    return v;
  }
  Question s;
  question_init(&s, store, arena, query);
  RlxProof (*const asks[])(Question *, RlxBindingVerdict *) = {finds_outside, finds_twice,
                                                               finds_missing};
  bool is_decided = true;
  for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
    RlxProof found = asks[i](&s, &v);
    if (found == RLX_YES) {
      v.proof = RLX_NO;
      return v;
    }
    is_decided = is_decided && found == RLX_NO;
  }
  if (!is_decided) return v;
  v.proof = RLX_YES;
  v.reason = "no instance is missing, outside or run twice";
  return v;
}

RlxBindingVerdict rlx_binding_covers(RlxStore *store, RlxArena *arena,
                                     const RlxBindingQuery *query) {
  RlxBindingVerdict v = {.proof = RLX_UNKNOWN, .reason = "the binding is not affine"};
  RlxBindingQuery wide = widened(store, arena, query);
  if (rule_proves(store, arena, &wide)) return by_rule();
  if (is_too_large(&wide)) return v;
  Question s;
  question_init(&s, store, arena, &wide);
  RlxProof missing = finds_missing(&s, &v);
  v.proof = missing == RLX_YES ? RLX_NO : missing == RLX_NO ? RLX_YES : RLX_UNKNOWN;
  return v;
}

bool rlx_binding_is_affine(RlxStore *store, RlxArena *arena, const RlxBindingQuery *query) {
  if (query->loop_count == 0) return true;
  RlxBindingQuery q = widened(store, arena, query);
  const RlxPrim **values = rlx_arena_array(arena, const RlxPrim *, q.var_count + 1);
  for (int i = 0; i < q.var_count; i++) values[i] = q.vars[i].value;
  RlxIterQuery asked = {.indices = values,
                        .index_count = q.var_count,
                        .loops = q.loops,
                        .loop_count = q.loop_count,
                        .predicate = q.predicate,
                        .facts = q.facts,
                        .level = RLX_ITER_SURJECTIVE,
                        .keeps_unit_loops = true};
  RlxIterMap map = rlx_iter_map_detect(store, arena, &asked);
  if (!map.sums) return false;
  for (int i = 0; i < q.var_count; i++) {
    int64_t scale;
    const RlxIterSum *sum = &map.sums[i];
    if (sum->split_count && (!rlx_prim_is_const(sum->splits[0].scale, &scale) || scale != 1))
      return false;
  }
  return true;
}
