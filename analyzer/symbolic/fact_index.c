/// Facts by variable, while a sweep adds them: a question about two of ten thousand dimensions looks at
/// what is known of those.
///
/// Always true: what rlx_facts_near finds holds every fact that relevance could take, newest first.
#include <stdlib.h>

#include "analyzer/symbolic/prove_impl.h"
#include "analyzer/symbolic/store_inside.h"
#include "base/map.h"
#include "base/mem.h"

/// What the fact `fact` of the stack says of a variable, linked to the one before it that says
/// something of that variable. Variable NULL: of variables that are not listed.
typedef struct Mention {
  const RlxSymVar *var;
  uint32_t fact, before; ///< `before`: its place plus 1; 0: none
  uint32_t length;       ///< how many those are, this one included
} Mention;

typedef struct Entry {
  const RlxFacts *fact;
  uint32_t mentions; ///< how many there were before
} Entry;

struct RlxFactIndex {
  RlxFactIndex *outer; ///< that of the sweep around
  Vec(Entry) stack;
  Vec(Mention) mentions;
  RlxMap
      newest; ///< RlxSymVar → place of its newest mention plus 1; 0: that of variables not listed
};

void rlx_facts_open(RlxStore *store) {
  RlxFactIndex *index = rlx_mem_zeroed(1, sizeof *index);
  index->outer = store->fact_index;
  store->fact_index = index;
}

void rlx_facts_close(RlxStore *store) {
  RlxFactIndex *index = store->fact_index;
  store->fact_index = index->outer;
  rlx_vec_free(&index->stack);
  rlx_vec_free(&index->mentions);
  rlx_map_free(&index->newest);
  free(index);
}

static uint32_t newest_of(const RlxFactIndex *index, const RlxSymVar *var) {
  uint64_t place = 0;
  rlx_map_get(&index->newest, (uint64_t)(uintptr_t)var, &place);
  return (uint32_t)place;
}

static void mention(RlxFactIndex *index, const RlxSymVar *var) {
  const uint32_t before = newest_of(index, var);
  const uint32_t length = before ? index->mentions.at[before - 1].length + 1 : 1;
  const Mention one = {var, index->stack.count - 1, before, length};
  rlx_vec_push(&index->mentions, one);
  rlx_map_put(&index->newest, (uint64_t)(uintptr_t)var, index->mentions.count);
}

enum { LISTED = 8 }; // variables of a condition

typedef struct Few {
  const RlxSymVar *vars[LISTED];
  int count;
} Few;

static bool list_var(const RlxSymVar *var, void *data) {
  Few *few = data;
  for (int i = 0; i < few->count; i++)
    if (few->vars[i] == var) return true;
  if (few->count == LISTED) return false;
  few->vars[few->count++] = var;
  return true;
}

void rlx_facts_add(RlxStore *store, const RlxFacts *fact) {
  RlxFactIndex *index = store->fact_index;
  if (!index) return;
  const Entry entry = {fact, index->mentions.count};
  rlx_vec_push(&index->stack, entry);
  Few few = {.count = 0};
  const bool is_listed = rlx_prim_all_vars(fact->condition, list_var, &few);
  for (int i = 0; is_listed && i < few.count; i++) mention(index, few.vars[i]);
  if (!is_listed) mention(index, NULL);
}

void rlx_facts_forget(RlxStore *store, const RlxFacts *newest) {
  RlxFactIndex *index = store->fact_index;
  while (index && index->stack.count && index->stack.at[index->stack.count - 1].fact != newest) {
    const Entry entry = rlx_vec_pop(&index->stack);
    while (index->mentions.count > entry.mentions) {
      const Mention one = rlx_vec_pop(&index->mentions);
      rlx_map_put(&index->newest, (uint64_t)(uintptr_t)one.var, one.before);
    }
  }
}

// ---- what is near

typedef struct Near {
  const RlxFactIndex *index;
  const RlxSymVar *vars[RLX_NEAR_VARS]; ///< whose facts are near, those before `done` were found
  int var_count, done;
  uint32_t at[RLX_NEAR_FACTS]; ///< places on the stack
  int count;
} Near;

static bool add_var(Near *near, const RlxSymVar *var) {
  for (int i = 0; i < near->var_count; i++)
    if (near->vars[i] == var) return true;
  if (near->var_count == RLX_NEAR_VARS) return false;
  near->vars[near->var_count++] = var;
  return true;
}

static bool add_vars(Near *near, const RlxPrim *p) {
  const RlxSymVar *vars[RLX_NEAR_VARS];
  int count = 0;
  rlx_prim_vars(p, vars, &count, RLX_NEAR_VARS);
  bool fits = count < RLX_NEAR_VARS;
  for (int i = 0; i < count && fits; i++) fits = add_var(near, vars[i]);
  return fits;
}

/// The facts that mention a variable, and their variables. False: they are too many, and a walk over
/// all soon has as many as it takes.
static bool add_facts(Near *near, const RlxSymVar *var) {
  const RlxFactIndex *index = near->index;
  uint32_t m = newest_of(index, var);
  if (m && index->mentions.at[m - 1].length > (uint32_t)(RLX_NEAR_FACTS - near->count))
    return false;
  for (; m; m = index->mentions.at[m - 1].before) {
    const uint32_t fact = index->mentions.at[m - 1].fact;
    near->at[near->count++] = fact;
    if (!add_vars(near, index->stack.at[fact].fact->condition)) return false;
  }
  return true;
}

static bool is_far(const RlxSymVar *var, void *data) {
  const Near *near = data;
  for (int i = 0; i < near->var_count; i++)
    if (near->vars[i] == var) return false;
  return true;
}

/// The variables of those of the question's own facts that share some, with `is_near` of each. False:
/// they are too many.
static bool add_own(Near *near, const RlxFacts *own, int count, bool *is_near) {
  for (int i = 0; i < count; i++) {
    if (is_near[i] || rlx_prim_all_vars(own[i].condition, is_far, near)) continue;
    is_near[i] = true;
    if (!add_vars(near, own[i].condition)) return false;
  }
  return true;
}

static int newer_first(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

int rlx_facts_near(const RlxStore *store, const RlxFacts *facts, const RlxPrim *goal,
                   RlxFacts *out) {
  enum { FEW = 64 }; // of them a walk costs less
  Near near = {.index = store->fact_index};
  bool is_near[FEW] = {false};
  if (!near.index || near.index->stack.count < FEW) return -1;
  const RlxFacts *newest = near.index->stack.at[near.index->stack.count - 1].fact;
  int own = 0;
  for (; facts && facts != newest; facts = facts->next) {
    if (own == FEW) return -1;
    out[own++] = *facts;
  }
  if (!facts || !add_vars(&near, goal) || !add_facts(&near, NULL)) return -1;
  do {
    if (!add_own(&near, out, own, is_near)) return -1;
    while (near.done < near.var_count)
      if (!add_facts(&near, near.vars[near.done++])) return -1;
    if (!add_own(&near, out, own, is_near)) return -1;
  } while (near.done < near.var_count);
  qsort(near.at, (size_t)near.count, sizeof *near.at, newer_first);
  int count = own;
  for (int i = 0; i < near.count; i++) {
    if (i && near.at[i] == near.at[i - 1]) continue;
    if (count == RLX_NEAR_FACTS) return -1;
    out[count++] = *near.index->stack.at[near.at[i]].fact;
  }
  for (int i = 0; i < count; i++) out[i].next = i + 1 < count ? &out[i + 1] : NULL;
  return count;
}
