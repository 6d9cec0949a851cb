/// Integers for which what is to be shown does not hold: where some are found, no search is begun.
/// Always true: they satisfy all that the prover takes for granted, so no sound search could have shown it; answers stay
/// what they are and come sooner.
#include "analyzer/symbolic/int_math.h"
#include "analyzer/symbolic/prove_impl.h"

enum { VARIABLES = 8, ATOMS = 12 };

typedef struct Trial {
  RlxProver *pr;
  const RlxSymVar *variables[VARIABLES];
  RlxRange variable_ranges[VARIABLES];
  int64_t variable_values[VARIABLES];
  int variable_count;
  const RlxPrim *atoms[ATOMS];
  RlxRange ranges[ATOMS];
  int64_t values[ATOMS];
  int count;
} Trial;

/// Takes up the variables of an atom. False: there are too many.
static bool collect_variables(Trial *t, const RlxPrim *atom) {
  const RlxSymVar *found[VARIABLES + 1];
  int count = 0;
  const RlxRangeEnv env = rlx_prover_env(t->pr);
  rlx_prim_vars(atom, found, &count, VARIABLES + 1);
  for (int i = 0; i < count; i++) {
    int k = 0;
    while (k < t->variable_count && t->variables[k] != found[i]) k++;
    if (k < t->variable_count) continue;
    if (k == VARIABLES) return false;
    t->variable_ranges[k] =
        rlx_prim_range(t->pr->store, rlx_prim_var(t->pr->store, found[i]), &env);
    t->variables[t->variable_count++] = found[i];
  }
  return true;
}

static bool collect(Trial *t, RlxPoly p) {
  const RlxRangeEnv env = rlx_prover_env(t->pr);
  for (int i = 0; i < p.count; i++)
    for (int f = 0; f < p.at[i].degree; f++) {
      const RlxPrim *atom = p.at[i].factors[f];
      int k = 0;
      while (k < t->count && t->atoms[k] != atom) k++;
      if (k < t->count) continue;
      if (k == ATOMS || !collect_variables(t, atom)) return false;
      t->ranges[k] = rlx_prim_range(t->pr->store, atom, &env);
      t->atoms[t->count++] = atom;
    }
  return true;
}

static bool look_up(const RlxSymVar *variable, int64_t *out, void *data) {
  const Trial *t = data;
  for (int k = 0; k < t->variable_count; k++)
    if (t->variables[k] == variable) {
      *out = t->variable_values[k];
      return true;
    }
  return false;
}

/// Sets variable `lone` to one value and all others to another one, as far as their ranges let them be. False: an atom has no
/// value there, or one that it cannot have.
static bool set(Trial *t, int lone, int64_t value, int64_t others) {
  for (int k = 0; k < t->variable_count; k++) {
    int64_t wanted = k == lone ? value : others;
    if (wanted < t->variable_ranges[k].min) wanted = t->variable_ranges[k].min;
    if (wanted > t->variable_ranges[k].max) wanted = t->variable_ranges[k].max;
    t->variable_values[k] = wanted;
  }
  for (int k = 0; k < t->count; k++)
    if (!rlx_prim_eval(t->atoms[k], look_up, t, &t->values[k]) || t->values[k] < t->ranges[k].min ||
        t->values[k] > t->ranges[k].max)
      return false;
  return true;
}

/// What `p` is there; false: no number of 64 bits.
static bool value_of(const Trial *t, RlxPoly p, int64_t *out) {
  *out = 0;
  for (int i = 0; i < p.count; i++) {
    int64_t term = p.at[i].k;
    for (int f = 0; f < p.at[i].degree; f++) {
      int k = 0;
      while (t->atoms[k] != p.at[i].factors[f]) k++;
      if (!rlx_int_mul(term, t->values[k], &term)) return false;
    }
    if (!rlx_int_add(*out, term, out)) return false;
  }
  return true;
}

static bool facts_hold(const Trial *t) {
  int64_t value;
  for (int i = 0; i < t->pr->fact_count; i++)
    if (!value_of(t, t->pr->facts[i], &value) || value > 0) return false;
  return true;
}

RlxOpen rlx_prover_open(RlxProver *prover, RlxPoly p) {
  enum { LARGE = 1 << 20 };
  static const int64_t huge = (int64_t)1 << 44; // its product with another one still is a number
  const int64_t points[][2] = {{0, 1},     {LARGE, 1}, {1, LARGE}, {huge, 1},
                               {LARGE, 0}, {0, LARGE}, {2, 3}};
  RlxOpen open = {true, true};
  Trial t = {.pr = prover};
  bool is_known = collect(&t, p);
  for (int i = 0; i < prover->fact_count && is_known; i++) is_known = collect(&t, prover->facts[i]);
  for (size_t i = 0; i < sizeof points / sizeof *points && is_known; i++)
    for (int lone = -1; lone < t.variable_count && (open.can_be_least || open.can_be_above);
         lone++) {
      int64_t value;
      if (!set(&t, lone, points[i][0], points[i][1]) || !value_of(&t, p, &value)) continue;
      bool *refuted = value > 0 ? &open.can_be_least : &open.can_be_above;
      if (*refuted && facts_hold(&t)) *refuted = false;
    }
  return open;
}
