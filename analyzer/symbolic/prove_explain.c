/// Why the prover answers as it does: the facts it used, what both sides become, or numbers that
/// tell them apart.
///
/// Always true: the answer is rlx_prove's; every line of the reason can be checked by itself; an
/// example satisfies the facts and was evaluated.
#include <string.h>

#include "analyzer/symbolic/int_math.h"
#include "analyzer/symbolic/prove_impl.h"

// ---- examples

enum {
  EXAMPLE_VARS = 16,
  EXAMPLE_VALUES = 24,
  EXAMPLE_TRIES = 30000,
  QUICK_TRIES = 400,
  EXAMPLE_WORK = 400000
};

typedef struct Example {
  const RlxSymVar *vars[EXAMPLE_VARS];
  int64_t values[EXAMPLE_VARS];
  int count;
  int64_t numbers[EXAMPLE_VALUES]; // candidates, the most natural ones first
  int number_count;
} Example;

static bool example_value(const RlxSymVar *var, int64_t *out, void *data) {
  const Example *e = data;
  for (int i = 0; i < e->count; i++)
    if (e->vars[i] == var) return *out = e->values[i], true;
  return false;
}

static void add_number(Example *e, int64_t value) {
  for (int i = 0; i < e->number_count; i++)
    if (e->numbers[i] == value) return;
  if (e->number_count < EXAMPLE_VALUES) e->numbers[e->number_count++] = value;
}

/// Constants of an expression and their neighbours: what its cases turn on.
static void add_constants(Example *e, const RlxPrim *p, int *steps) {
  if ((*steps)-- <= 0) return;
  int64_t c;
  if (rlx_prim_is_const(p, &c) && c > -100000 && c < 100000) {
    add_number(e, c);
    add_number(e, c + 1);
    add_number(e, c - 1);
    add_number(e, c * 2);
  }
  for (int i = 0; i < p->arg_count; i++) add_constants(e, p->args[i], steps);
}

static bool satisfies(Example *e, const RlxFacts *facts, const RlxPrim *condition, bool value) {
  int64_t truth;
  for (const RlxFacts *f = facts; f; f = f->next)
    if (!rlx_prim_eval(f->condition, example_value, e, &truth) || !truth) return false;
  return rlx_prim_eval(condition, example_value, e, &truth) && (truth != 0) == value;
}

/// Sets the values of the `index`th try; variables start at different numbers, so that they differ
/// early.
static bool set_values(Example *e, uint64_t index) {
  for (int i = 0; i < e->count; i++) {
    uint64_t choice = index % (uint64_t)e->number_count;
    index /= (uint64_t)e->number_count;
    e->values[i] = e->numbers[(choice + (uint64_t)i) % (uint64_t)e->number_count];
    if (e->vars[i]->is_dimension && e->values[i] < 0) return false;
  }
  return true;
}

static bool find_example(Example *e, const RlxFacts *facts, const RlxPrim *condition, bool value,
                         uint64_t most) {
  static const int64_t natural[] = {2, 3, 1, 4, 0, 5, 8, 7, -1, -2};
  int steps = 2000;
  uint64_t size = condition->size;
  memset(e, 0, sizeof *e);
  rlx_prim_vars(condition, e->vars, &e->count, EXAMPLE_VARS);
  for (const RlxFacts *f = facts; f; f = f->next) {
    rlx_prim_vars(f->condition, e->vars, &e->count, EXAMPLE_VARS);
    size += f->condition->size;
  }
  for (size_t i = 0; i < sizeof natural / sizeof natural[0]; i++) add_number(e, natural[i]);
  add_constants(e, condition, &steps);
  for (const RlxFacts *f = facts; f; f = f->next) add_constants(e, f->condition, &steps);
  uint64_t tries = EXAMPLE_WORK / size < most ? EXAMPLE_WORK / size : most, all = 1;
  for (int i = 0; i < e->count && all <= tries; i++) all *= (uint64_t)e->number_count;
  for (uint64_t i = 0; i < (all < tries ? all : tries); i++) {
    uint64_t index =
        all <= tries ? i
                     : i * UINT64_C(0x9e3779b97f4a7c15) >> 8; // too many: spread over all of them
    if (set_values(e, index) && satisfies(e, facts, condition, value)) return true;
  }
  return false;
}

int rlx_prove_example(RlxStore *store, const RlxFacts *facts, const RlxPrim *condition, bool value,
                      const RlxSymVar **vars, int64_t *values, int capacity) {
  (void)store;
  Example e;
  if (!find_example(&e, facts, condition, value, EXAMPLE_TRIES) || e.count > capacity) return -1;
  memcpy(vars, e.vars, (size_t)e.count * sizeof *vars);
  memcpy(values, e.values, (size_t)e.count * sizeof *values);
  return e.count;
}

// ---- words

typedef struct Reason {
  RlxStore *store;
  RlxBuf *out;
} Reason;

static void start_line(Reason *r) {
  if (r->out->size > 0) rlx_buf_putc(r->out, '\n');
}

static void put_prim(Reason *r, const RlxPrim *p) { rlx_prim_tell(r->store, p, r->out); }

static bool is_comparison(const RlxPrim *p) {
  return p->kind == RLX_PRIM_EQ || p->kind == RLX_PRIM_NE || p->kind == RLX_PRIM_LT ||
         p->kind == RLX_PRIM_LE;
}

/// "n = 2, m = 3: 5 against 6", or without the colon for other conditions.
static void tell_example(Reason *r, Example *e, const RlxPrim *condition) {
  for (int i = 0; i < e->count; i++)
    rlx_buf_printf(r->out, "%s%s = %lld", i ? ", " : "", rlx_store_text(r->store, e->vars[i]->name),
                   (long long)e->values[i]);
  int64_t a, b;
  if (!is_comparison(condition) || !rlx_prim_eval(condition->args[0], example_value, e, &a) ||
      !rlx_prim_eval(condition->args[1], example_value, e, &b))
    return;
  rlx_buf_printf(r->out, "%s%lld against %lld", e->count ? ": " : "", (long long)a, (long long)b);
}

/// Where the search left the question open: numbers for which the condition fails refute it, whether
/// or not it holds for others.
static RlxProof tell_examples(Reason *r, const RlxFacts *facts, const RlxPrim *condition) {
  Example e;
  bool found[2];
  for (int value = 0; value <= 1; value++) {
    found[value] = find_example(&e, facts, condition, value, EXAMPLE_TRIES);
    if (!found[value]) continue;
    start_line(r);
    rlx_buf_puts(r->out, value ? "holds for " : "does not hold for ");
    tell_example(r, &e, condition);
  }
  if (found[0]) return RLX_NO;
  if (!found[1]) {
    start_line(r);
    rlx_buf_puts(r->out, "neither a proof nor an example was found");
  }
  return RLX_UNKNOWN;
}

/// "`what` is X" when simplification changed it.
static void tell_simplified(Reason *r, const char *what, const RlxPrim *p) {
  const RlxPrim *simple = rlx_prim_simplify(r->store, p);
  if (simple == p) return;
  start_line(r);
  rlx_buf_puts(r->out, what);
  put_prim(r, p);
  rlx_buf_puts(r->out, " is ");
  put_prim(r, simple);
}

/// Facts, and what the substitutions make of them.
static void tell_facts(Reason *r, const RlxFacts *facts, RlxProver *pr) {
  const RlxFacts *list[RLX_PROVE_FACTS];
  int count = 0;
  for (const RlxFacts *f = facts; f && count < RLX_PROVE_FACTS; f = f->next) list[count++] = f;
  while (count-- > 0) { // the list starts with the newest
    start_line(r);
    rlx_buf_puts(r->out, "given ");
    put_prim(r, list[count]->condition);
    if (list[count]->origin) rlx_buf_printf(r->out, " (%s)", list[count]->origin);
  }
  for (int i = 0; i < pr->subst_count; i++) {
    start_line(r);
    rlx_buf_puts(r->out, "so ");
    rlx_buf_puts(r->out, rlx_store_text(r->store, pr->vars[i]->name));
    rlx_buf_puts(r->out, " is ");
    put_prim(r, pr->values[i]);
  }
}

/// Where the difference stands to 0, as the answer says.
static const char *standing(RlxPrimKind kind, RlxProof answer) {
  if (kind == RLX_PRIM_LT) return answer == RLX_YES ? "below 0" : "at least 0";
  if (kind == RLX_PRIM_LE) return answer == RLX_YES ? "at most 0" : "above 0";
  return (kind == RLX_PRIM_EQ) == (answer == RLX_YES) ? "0" : "never 0";
}

/// What the bounds of a difference say, or that the search over the facts found it.
static void tell_range(Reason *r, RlxRange range, RlxPrimKind kind, RlxProof answer, bool facts) {
  bool low = range.min != INT64_MIN, high = range.max != INT64_MAX;
  bool enough = kind == RLX_PRIM_LT || kind == RLX_PRIM_LE
                    ? (answer == RLX_YES ? high && range.max <= 0 : low && range.min >= 0)
                    : range.min > 0 || range.max < 0;
  if (!enough) {
    const char *never = standing(kind, answer), *always = never[0] == 'n' ? "" : "always ";
    rlx_buf_printf(r->out, ", which %sis %s%s", facts ? "under these facts " : "",
                   facts ? "" : always, never);
    return;
  }
  rlx_buf_puts(r->out, ", which is ");
  if (low) rlx_buf_printf(r->out, "at least %lld", (long long)range.min);
  if (low && high) rlx_buf_puts(r->out, " and ");
  if (high) rlx_buf_printf(r->out, "at most %lld", (long long)range.max);
}

/// Left minus right, after the substitutions, with its bounds or what divides it.
static void tell_difference(Reason *r, RlxProver *pr, const RlxPrim *condition, RlxProof answer) {
  RlxStore *store = r->store;
  const RlxPrim *difference = rlx_prim_sub(store, condition->args[0], condition->args[1]);
  const RlxPrim *applied = rlx_prover_apply(pr, difference);
  const RlxPrim *shown = rlx_prim_simplify(store, difference);
  if (pr->subst_count > 0 || applied->size < shown->size) shown = applied;
  RlxPoly d = rlx_poly_of(store, applied);
  const RlxRangeEnv env = rlx_prover_env(pr);
  int64_t value, g = rlx_poly_gcd(d);
  start_line(r);
  if (rlx_poly_is_const(d, &value)) {
    if (value != 0)
      rlx_buf_printf(r->out, "the sides differ by %lld", (long long)value);
    else {
      rlx_buf_puts(r->out, "both sides are ");
      put_prim(r, rlx_prover_apply(pr, condition->args[0]));
    }
    return;
  }
  rlx_buf_puts(r->out, "the sides differ by ");
  put_prim(r, shown);
  RlxRange range = rlx_poly_range(store, d, &env), readable = rlx_prim_range(store, shown, &env);
  if (readable.min > range.min) range.min = readable.min;
  if (readable.max < range.max) range.max = readable.max;
  bool equality = condition->kind == RLX_PRIM_EQ || condition->kind == RLX_PRIM_NE;
  if (equality && g > 1 && rlx_poly_constant(d) % g != 0) {
    int64_t rest = 0;
    rlx_int_floormod(rlx_poly_constant(d), g, &rest);
    rlx_buf_printf(r->out, ", which leaves %lld when divided by %lld", (long long)rest,
                   (long long)g);
  } else
    tell_range(r, range, (RlxPrimKind)condition->kind, answer,
               pr->fact_count + pr->given_count > 0);
}

static void tell_reason(Reason *r, const RlxFacts *facts, const RlxPrim *condition,
                        RlxProof answer) {
  RlxProveBudget budget;
  RlxProver prover;
  const RlxPrim *used[RLX_PROVE_FACTS];
  rlx_prover_init(&prover, r->store, used, rlx_prover_relevant(r->store, facts, condition, used),
                  &budget);
  tell_facts(r, facts, &prover);
  if (!is_comparison(condition)) {
    tell_simplified(r, "", condition);
    condition = rlx_prim_simplify(r->store, condition);
    if (!is_comparison(condition)) return;
  }
  tell_simplified(r, "left: ", condition->args[0]);
  tell_simplified(r, "right: ", condition->args[1]);
  const RlxPrim *a = rlx_prim_simplify(r->store, condition->args[0]);
  if (a == rlx_prim_simplify(r->store, condition->args[1])) {
    start_line(r);
    rlx_buf_puts(r->out, "both sides are ");
    put_prim(r, a);
  } else if (condition->args[0]->dtype.code == RLX_DTYPE_INT)
    tell_difference(r, &prover, condition, answer);
}

bool rlx_prove_tell_apart(RlxStore *store, const RlxFacts *facts, const RlxPrim *a,
                          const RlxPrim *b, RlxBuf *out) {
  Example e;
  int64_t x, y;
  const RlxPrim *equal = rlx_prim_binary(store, RLX_PRIM_EQ, a, b);
  // All facts of a long function would be evaluated for each try: those that matter are enough to
  // be convincing.
  RlxFacts used[RLX_PROVE_FACTS];
  const RlxPrim *conditions[RLX_PROVE_FACTS];
  int count = rlx_prover_relevant(store, facts, equal, conditions);
  for (int i = 0; i < count; i++)
    used[i] = (RlxFacts){i ? &used[i - 1] : NULL, conditions[i], NULL};
  if (!find_example(&e, count ? &used[count - 1] : NULL, equal, false, QUICK_TRIES)) return false;
  if (!rlx_prim_eval(a, example_value, &e, &x) || !rlx_prim_eval(b, example_value, &e, &y))
    return false;
  rlx_buf_printf(out, "%lld against %lld", (long long)x, (long long)y);
  for (int i = 0; i < e.count; i++)
    rlx_buf_printf(out, "%s%s = %lld", i ? ", " : " for ", rlx_store_text(store, e.vars[i]->name),
                   (long long)e.values[i]);
  return true;
}

RlxProof rlx_prove_explain(RlxStore *store, const RlxFacts *facts, const RlxPrim *condition,
                           RlxBuf *out) {
  RlxProof answer = rlx_prove(store, facts, condition);
  Reason reason = {store, out};
  RlxArenaMark mark = rlx_arena_mark(store->scratch);
  bool started = rlx_work_start(store, rlx_work_of_question(store));
  RlxBuf own = {0};
  reason.out = &own;
  if (answer == RLX_UNKNOWN)
    answer = tell_examples(&reason, facts, condition);
  else
    tell_reason(&reason, facts, condition, answer);
  rlx_buf_puts(out, rlx_buf_text(&own));
  rlx_buf_free(&own);
  rlx_work_finish(store, started);
  rlx_arena_rewind(store->scratch, mark);
  return answer;
}
