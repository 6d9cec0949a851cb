/// The store of hash-consed values: life and death, names, and the sets that make equal values the
/// same pointer.
#include "analyzer/symbolic/store.h"

#include <stdlib.h>

#include "analyzer/symbolic/store_inside.h"
#include "base/mem.h"

RlxStore *rlx_store_new(void) {
  RlxStore *store = rlx_mem_zeroed(1, sizeof *store);
  store->arena = rlx_arena_new();
  store->scratch = rlx_arena_new();
  store->names = rlx_interner_new();
  store->marks.state = store->marks.statement = 1;
  return store;
}

static void cons_free(RlxCons *set) { free(set->at); }

void rlx_store_free(RlxStore *store) {
  if (!store) return;
  cons_free(&store->prims);
  cons_free(&store->sinfos);
  cons_free(&store->vars);
  cons_free(&store->vdevices);
  free(store->answers.at);
  rlx_vec_free(&store->marks.log);
  rlx_vec_free(&store->marks.scopes);
  rlx_interner_free(store->names);
  rlx_arena_free(store->scratch);
  rlx_arena_free(store->arena);
  free(store);
}

RlxInterner *rlx_store_names(RlxStore *store) { return store->names; }

void rlx_store_spend(RlxStore *store, uint64_t operations) { store->set_work += operations; }

uint64_t rlx_store_spent(const RlxStore *store) {
  enum { TERMS_AN_OPERATION = 16 }; // a step with a term takes so much less than one with a set
  return store->work / TERMS_AN_OPERATION + store->set_work;
}

const char *rlx_store_text(const RlxStore *store, RlxName name) {
  return rlx_name_text(store->names, name);
}

RlxName rlx_store_intern(RlxStore *store, const char *text, size_t size) {
  return rlx_intern(store->names, text, size);
}

static size_t cons_bytes(const RlxCons *set) { return set->capacity * sizeof *set->at; }

size_t rlx_store_bytes(const RlxStore *store) {
  return sizeof *store + rlx_arena_held_bytes(store->arena) + rlx_arena_held_bytes(store->scratch) +
         rlx_interner_held_bytes(store->names) + cons_bytes(&store->prims) +
         cons_bytes(&store->sinfos) + cons_bytes(&store->vars) + cons_bytes(&store->vdevices) +
         store->answers.capacity * sizeof *store->answers.at;
}

void rlx_cons_reserve(RlxCons *set) {
  if (set->count + 1 <= set->capacity / 4 * 3) return;
  RlxCons bigger = {0};
  bigger.capacity = set->capacity ? set->capacity * 2 : 256;
  bigger.at = rlx_mem_zeroed(bigger.capacity, sizeof *bigger.at);
  for (uint32_t i = 0; i < set->capacity; i++) {
    if (!set->at[i].value) continue;
    uint32_t bucket = set->at[i].hash & (bigger.capacity - 1);
    while (bigger.at[bucket].value) bucket = rlx_cons_next(&bigger, bucket);
    rlx_cons_put(&bigger, bucket, set->at[i].hash, set->at[i].value);
  }
  free(set->at);
  *set = bigger;
}
