/// Small systems, solved by trying values in order: most refutations have a witness near the origin,
/// and isl would take some hundred microseconds to begin with.
///
/// Variables take their values in the order of the ranges, so that the first assignment is the
/// smallest. A condition is asked as soon as its last variable has a value; an equality gives that
/// variable its only value where it is a sum of those before.
#include "analyzer/tir/sets_impl.h"

enum { SEARCH_STEPS = 400, SEARCH_CONDITIONS = 64 };
#define VALUE_MAX (INT64_C(1) << 60)

typedef struct Search {
  const RlxSymVar *vars[RLX_SET_DIMS_MAX]; // of the system, then of the other that is being tried
  int64_t values[RLX_SET_DIMS_MAX];
  int known; // how many have a value
  int steps; // conditions and ranges that were evaluated
  bool is_lost;
} Search;

/// The system, or one of the others, as it is searched.
typedef struct Part {
  const RlxSystem *system;
  int first, end; // its variables are vars[first..end)
  const RlxPrim *conditions[SEARCH_CONDITIONS];
  int last[SEARCH_CONDITIONS]; // the last of the variables of each condition, or first - 1
  int count;
  const struct Part *others;
  int other_count;
} Part;

static bool lookup(const RlxSymVar *var, int64_t *out, void *data) {
  const Search *s = data;
  for (int i = s->known; i-- > 0;)
    if (s->vars[i] == var) return *out = s->values[i], true;
  return false;
}

/// The value of `p`; false: the search cannot go on.
static bool evaluate(Search *s, const RlxPrim *p, int64_t *out) {
  if (!s->is_lost && ++s->steps <= SEARCH_STEPS && rlx_prim_eval(p, lookup, s, out)) return true;
  s->is_lost = true;
  return false;
}

static bool add_condition(const Search *s, Part *part, const RlxPrim *p) {
  if (p->kind == RLX_PRIM_AND)
    return add_condition(s, part, p->args[0]) && add_condition(s, part, p->args[1]);
  if (part->count == SEARCH_CONDITIONS) return false;
  const RlxSymVar *vars[RLX_SET_DIMS_MAX];
  int count = 0, last = part->first - 1;
  rlx_prim_vars(p, vars, &count, RLX_SET_DIMS_MAX);
  for (int i = 0; i < count; i++) {
    int at = part->end - 1;
    while (at >= 0 && s->vars[at] != vars[i]) at--;
    if (at < 0) return false; // a parameter
    if (at > last) last = at;
  }
  part->last[part->count] = last;
  part->conditions[part->count++] = p;
  return true;
}

/// Lays `system` out behind the first `first` variables; false: it is not for this search.
static bool lay_out(Search *s, Part *part, const RlxSystem *system, int first) {
  part->system = system;
  part->first = first;
  part->end = first + system->range_count;
  part->count = part->other_count = 0;
  if (part->end > RLX_SET_DIMS_MAX) return false;
  for (int i = 0; i < system->range_count; i++) {
    const RlxLoopRange *r = &system->ranges[i];
    if (!r->min || !r->extent) return false;
    for (int k = 0; k < first + i; k++)
      if (s->vars[k] == r->var) return false;
    s->vars[first + i] = r->var;
  }
  for (int i = 0; i < system->condition_count; i++)
    if (!add_condition(s, part, system->conditions[i])) return false;
  return true;
}

/// Does the equality, with the variables before `at`, give variable `at` its value? Then `*fits`: there
/// is one, in `*out`.
static bool solve(Search *s, const RlxPrim *equality, int at, int64_t *out, bool *fits) {
  RlxPlainSum sum = {0};
  if (equality->kind != RLX_PRIM_EQ || !rlx_plain_add(&sum, equality->args[0], 1) ||
      !rlx_plain_add(&sum, equality->args[1], -1))
    return false;
  int64_t rest = sum.constant, factor = 0, value, part;
  for (int i = 0; i < sum.count; i++) {
    const RlxPrim *term = sum.terms[i];
    if (term->kind != RLX_PRIM_VAR) return false;
    if (term->var == s->vars[at])
      factor = sum.coefficients[i];
    else if (!lookup(term->var, &value, s) ||
             __builtin_mul_overflow(value, sum.coefficients[i], &part) ||
             __builtin_add_overflow(rest, part, &rest))
      return false;
  }
  if (factor == 0 || factor == -1 || rest == INT64_MIN) {
    if (factor == 0) return false;
    *out = rest;
    return *fits = true;
  }
  *fits = rest % factor == 0;
  *out = -(rest / factor);
  return true;
}

static bool holds(Search *s, const Part *part, int at) {
  int64_t value;
  for (int i = 0; i < part->count; i++)
    if (part->last[i] == at && (!evaluate(s, part->conditions[i], &value) || value == 0))
      return false;
  return true;
}

static bool find(Search *s, const Part *part, int at);

/// All variables have values: is this an assignment that none of the others has?
static bool is_answer(Search *s, const Part *part) {
  for (int i = 0; i < part->other_count && !s->is_lost; i++) {
    const Part *other = &part->others[i];
    for (int k = 0; k < other->system->range_count; k++)
      s->vars[other->first + k] = other->system->ranges[k].var;
    bool is_covered = holds(s, other, other->first - 1) && find(s, other, other->first);
    s->known = part->end;
    if (is_covered) return false;
  }
  return !s->is_lost;
}

/// Gives the variables from `at` on values, the smallest that there are. False: there are none, or the
/// search is lost.
static bool find(Search *s, const Part *part, int at) {
  s->known = at;
  if (at == part->end) return is_answer(s, part);
  const RlxLoopRange *r = &part->system->ranges[at - part->first];
  int64_t first, extent, only = 0;
  bool is_solved = false, fits = true;
  if (!evaluate(s, r->min, &first) || !evaluate(s, r->extent, &extent)) return false;
  if (first < -VALUE_MAX || first > VALUE_MAX || extent > VALUE_MAX) {
    s->is_lost = true;
    return false;
  }
  for (int i = 0; i < part->count && !is_solved; i++)
    is_solved = part->last[i] == at && solve(s, part->conditions[i], at, &only, &fits);
  if (is_solved) {
    if (!fits || only < first || only >= first + extent) return false;
    first = only;
    extent = 1;
  }
  for (int64_t i = 0; i < extent && !s->is_lost; i++) {
    s->values[at] = first + i;
    s->known = at + 1;
    if (holds(s, part, at) && find(s, part, at + 1)) return true;
  }
  return false;
}

// ---- systems with parameters

enum { GUESS_PARAMETERS = 3, GUESS_STEPS = 2000 };

static bool add_parameters(const RlxSystem *system, const RlxPrim *p, Search *s) {
  const RlxSymVar *vars[RLX_SET_DIMS_MAX];
  int count = 0;
  rlx_prim_vars(p, vars, &count, RLX_SET_DIMS_MAX);
  for (int i = 0; i < count; i++) {
    bool is_there = !rlx_dtype_is_int(vars[i]->dtype);
    if (is_there) return false;
    for (int k = 0; k < system->range_count; k++) is_there |= system->ranges[k].var == vars[i];
    for (int k = 0; k < s->known; k++) is_there |= s->vars[k] == vars[i];
    if (is_there) continue;
    if (s->known == GUESS_PARAMETERS) return false;
    s->vars[s->known++] = vars[i];
  }
  return true;
}

/// False: there are none, or too many.
static bool find_parameters(const RlxSystem *system, Search *s) {
  for (int i = 0; i < system->range_count; i++) {
    const RlxLoopRange *r = &system->ranges[i];
    if (!r->min || !r->extent || !add_parameters(system, r->min, s) ||
        !add_parameters(system, r->extent, s))
      return false;
  }
  for (int i = 0; i < system->condition_count; i++)
    if (!add_parameters(system, system->conditions[i], s)) return false;
  return s->known > 0;
}

RlxProof rlx_sets_guess(const RlxSystem *system, RlxSetPoint *out) {
  static const int64_t guesses[] = {2, 3, 1, 4, 0};
  enum { GUESSES = sizeof guesses / sizeof *guesses };
  Search s = {.known = 0};
  if (!find_parameters(system, &s)) return RLX_UNKNOWN;
  const int count = s.known;
  int at[GUESS_PARAMETERS] = {0}, spent = 0;
  for (int next = 0; next < count && spent < GUESS_STEPS; spent += s.steps) {
    Part whole;
    s.steps = 0;
    s.is_lost = false;
    s.known = count;
    for (int i = 0; i < count; i++) s.values[i] = guesses[at[i]];
    if (!lay_out(&s, &whole, system, count)) return RLX_UNKNOWN;
    if (holds(&s, &whole, count - 1) && find(&s, &whole, count)) {
      out->count = whole.end;
      for (int i = 0; i < whole.end; i++) {
        out->vars[i] = s.vars[i];
        out->values[i] = s.values[i];
      }
      return RLX_YES;
    }
    for (next = 0; next < count && ++at[next] == GUESSES; next++) at[next] = 0;
  }
  return RLX_UNKNOWN;
}

enum { SEARCH_OTHERS = 8 };

RlxProof rlx_sets_search(const RlxSystem *system, const RlxSystem *others, int other_count,
                         RlxSetPoint *out, uint32_t *steps) {
  *steps = 0;
  Search s = {.known = 0};
  Part whole, parts[SEARCH_OTHERS];
  if (other_count > SEARCH_OTHERS || !lay_out(&s, &whole, system, 0)) return RLX_UNKNOWN;
  for (int i = 0; i < other_count; i++)
    if (!lay_out(&s, &parts[i], &others[i], whole.end)) return RLX_UNKNOWN;
  whole.others = parts;
  whole.other_count = other_count;
  bool found = holds(&s, &whole, -1) && find(&s, &whole, 0);
  *steps = (uint32_t)s.steps;
  if (s.is_lost) return RLX_UNKNOWN;
  if (!found) return RLX_NO;
  out->count = whole.end;
  for (int i = 0; i < whole.end; i++) {
    out->vars[i] = s.vars[i];
    out->values[i] = s.values[i];
  }
  return RLX_YES;
}
