/// What is inside the store: for the two rooms whose values it keeps, symbolic/ and struct_info/,
/// nobody else.
#ifndef RLX_ANALYZER_STORE_INSIDE_H
#define RLX_ANALYZER_STORE_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/symbolic/prim.h"
#include "analyzer/symbolic/store.h"
#include "base/vec.h"

/// A set of hash-consed values: open addressing, linear probing, a power of two of buckets.
typedef struct RlxConsEntry {
  uint32_t hash;
  void *value; // NULL: free
} RlxConsEntry;

typedef struct RlxCons {
  RlxConsEntry *at;
  uint32_t count;
  uint32_t capacity;
} RlxCons;

/// Makes room for one more value; call it before the search that rlx_cons_put ends.
void rlx_cons_reserve(RlxCons *set);
static inline uint32_t rlx_cons_next(const RlxCons *set, uint32_t bucket) {
  return (bucket + 1) & (set->capacity - 1);
}
static inline void rlx_cons_put(RlxCons *set, uint32_t bucket, uint32_t hash, void *value) {
  set->at[bucket].hash = hash;
  set->at[bucket].value = value;
  set->count++;
}

enum { RLX_SMALL_INT_MIN = -16, RLX_SMALL_INT_COUNT = 16 + 1025 };

/// A question's answer, kept in a table where a newer one may take its place.
typedef struct RlxAnswer {
  uint64_t key;
  uint8_t proof; // RlxProof
} RlxAnswer;

/// The answers of a store: as many places as a file asks questions, so that they are there when it is analysed
/// again, within bounds.
typedef struct RlxAnswers {
  RlxAnswer *at;     // NULL: none yet
  uint32_t capacity; // a power of two
  uint32_t misses;   // questions of the file that is being analysed that had no answer here
} RlxAnswers;

/// A variable that a statement marked, and whether it was the first to do so.
typedef struct RlxMark {
  const RlxSymVar *var;
  bool is_new;
} RlxMark;

typedef struct RlxMarkLog {
  Vec(RlxMark) log;
  Vec(uint64_t) scopes; // functions that are being swept over, outer ones first
  uint64_t hash;        // of the marks that the outermost sweep made so far
  uint64_t reads;       // how often the answer hung on a mark that may go or come
  uint32_t state;       // another one whenever a mark comes or goes; never 0
  uint32_t statement;   // in whose name marks are logged
} RlxMarkLog;

enum { RLX_ANSWERS_LEAST = 4096, RLX_ANSWERS_MOST = 131072, RLX_KEPT = 1024, RLX_KEPT_VARS = 8 };

/// The variables of a condition, kept in a table where those of a newer one may take their place.
/// RLX_KEPT_VARS of them: there may be more.
typedef struct RlxKeptVars {
  const RlxPrim *of;
  const RlxSymVar *at[RLX_KEPT_VARS];
  int count;
} RlxKeptVars;

/// What questions may cost while a file is analysed (rlx_questions_of_file).
typedef struct RlxShare {
  uint32_t work; // the first ones of a statement; 0: no file is, all may cost RLX_WORK_PER_QUESTION
  uint32_t whole;          // how many those are
  uint32_t simplification; // the least that one that belongs to no question may cost
  uint64_t asked_at;       // RlxStore.questions when the statement began
} RlxShare;

struct RlxStore {
  RlxArena *arena;
  RlxArena *scratch; // of one simplification or proof; rewound at its end
  RlxInterner *names;
  RlxCons prims, sinfos, vars, vdevices;
  RlxAnswers answers;
  RlxKeptVars *kept_vars;          // RLX_KEPT of them, or NULL
  struct RlxFactIndex *fact_index; // of the sweep that goes on, or NULL: fact_index.c
  RlxMarkLog marks;                // which variables are dimensions: see marks.h
  uint64_t questions;              // that structure and ranges left open
  uint64_t work;                   // term and node operations so far, of polynomials and ranges
  uint64_t set_work;               // operations on sets of integers so far (rlx_store_spend)
  uint64_t work_end;               // where the question that is being answered gives up; 0: none is
  RlxShare share;                  // of the questions of the file that is being analysed
  uint32_t var_count;
  uint32_t unknown_count;                         // values too deep to keep; see rlx_prim_unknown
  const RlxPrim *small_ints[RLX_SMALL_INT_COUNT]; // int64 constants from RLX_SMALL_INT_MIN on
  const struct RlxSInfo *object;
};

/// Whether `var` is known to be at least 0 as a dimension; notes that somebody asked, when the answer
/// may become another one.
static inline bool rlx_is_dimension(RlxStore *store, const RlxSymVar *var) {
  if (!var->is_for_good) store->marks.reads++;
  return var->is_dimension;
}

/// Work that one question may cost: at some 10 to 50 ns a step, less than 3 ms.
#define RLX_WORK_PER_QUESTION 60000u
/// What any simplification may cost, in the largest file, too: the dearest of the corpus.
#define RLX_WORK_OF_ANY_SIMPLIFICATION 500u

/// Starts counting the work of a question, which may be `most`, unless an outer one is; gives what
/// rlx_work_finish wants.
static inline bool rlx_work_start(RlxStore *store, uint32_t most) {
  if (store->work_end != 0) return false;
  store->work_end = store->work + most;
  return true;
}
/// What the next question may cost (share.c).
uint32_t rlx_work_of_question(const RlxStore *store);
/// What a simplification may cost that belongs to no question: less in large files, too.
uint32_t rlx_work_of_simplification(const RlxStore *store);
static inline void rlx_work_finish(RlxStore *store, bool started) {
  if (started) store->work_end = 0;
}
/// True when the question has cost too much: give up, soundly.
static inline bool rlx_work_is_over(const RlxStore *store) {
  return store->work_end != 0 && store->work > store->work_end;
}

/// The one node with these properties, made when it is new; folds nothing. `payload` is value,
/// number's bits, name. `args` are copied.
const RlxPrim *rlx_prim_make(RlxStore *store, RlxPrimKind kind, RlxDType dtype, uint64_t payload,
                             const RlxPrim *const *args, int arg_count);
/// A value about which nothing is known; every call gives another one.
const RlxPrim *rlx_prim_unknown(RlxStore *store, RlxDType dtype);
/// Is it such a value, or one that contains it?
static inline bool rlx_prim_is_unknown(const RlxPrim *p) {
  return p->kind == RLX_PRIM_CALL && p->arg_count == 0;
}

/// The prover's canonical form: as rlx_prim_simplify, but `x % c` is `x - c*(x // c)` and
/// coefficients under `//` are made positive, so that more equal expressions meet; less readable.
const RlxPrim *rlx_prim_simplify_strict(RlxStore *store, const RlxPrim *p);

/// A total order that does not depend on addresses; 0 only for the same pointer.
int rlx_prim_compare(const RlxPrim *a, const RlxPrim *b);

/// Hash-consed nodes are const to everybody else; the caches inside them are written through this.
static inline RlxPrim *rlx_prim_mutable(const RlxPrim *p) { return (RlxPrim *)(uintptr_t)p; }

#endif
