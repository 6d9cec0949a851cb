/// What a session keeps beside its variables: values that were shown, names of the fields of tuples that
/// load() gave, the next seed.
#include "repl/results.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { RESULTS_MAX = 100, RESULT_BYTES_MAX = 256 << 20 };

typedef struct Named { ///< a tuple whose fields have names
  RlxObject *tuple;    ///< counted
  char **names;
  int count;
} Named;

struct RlxReplResults {
  Vec(RlxObject *) results;
  Vec(Named) named;
  uint64_t result_count, seeds;
};

static RlxReplResults *results_of(RlxRepl *repl) {
  if (!repl->results) repl->results = rlx_mem_zeroed(1, sizeof *repl->results);
  return repl->results;
}

static void free_named(Named *n) {
  for (int k = 0; k < n->count; k++) free(n->names[k]);
  free(n->names);
  rlx_object_unref(n->tuple);
}

void rlx_repl_results_free(RlxRepl *repl) {
  RlxReplResults *s = repl->results;
  if (!s) return;
  for (uint32_t i = 0; i < s->results.count; i++) rlx_object_unref(s->results.at[i]);
  for (uint32_t i = 0; i < s->named.count; i++) free_named(&s->named.at[i]);
  rlx_vec_free(&s->results);
  rlx_vec_free(&s->named);
  free(s);
  repl->results = NULL;
}

uint64_t rlx_repl_next_seed(RlxRepl *repl) { return results_of(repl)->seeds++; }

void rlx_repl_set_seed(RlxRepl *repl, uint64_t seed) { results_of(repl)->seeds = seed; }

void rlx_repl_keep_result(RlxRepl *repl, RlxObject *value) {
  RlxReplResults *s = results_of(repl);
  rlx_vec_push(&s->results, rlx_object_ref(value));
  s->result_count++;
  int64_t bytes = 0;
  uint32_t kept = 0;
  while (kept < s->results.count && kept < RESULTS_MAX) {
    const RlxObject *x = s->results.at[s->results.count - 1 - kept];
    if (x->kind == RLX_OBJECT_TENSOR) bytes += rlx_tensor_bytes(x);
    if (kept && bytes > RESULT_BYTES_MAX) break;
    kept++;
  }
  uint32_t gone = s->results.count - kept;
  for (uint32_t i = 0; i < gone; i++) rlx_object_unref(s->results.at[i]);
  memmove(s->results.at, s->results.at + gone, kept * sizeof *s->results.at);
  s->results.count = kept;
}

RlxObject *rlx_repl_result(const RlxRepl *repl, const char *name) {
  const RlxReplResults *s = repl->results;
  if (!s) return NULL;
  uint64_t number = s->result_count;
  char *end = NULL;
  if (name[1]) number = strtoull(name + 1, &end, 10);
  if ((end && *end) || !s->results.count || number > s->result_count ||
      s->result_count - number >= s->results.count)
    return NULL;
  return s->results.at[s->results.count - 1 - (s->result_count - number)];
}

void rlx_repl_name_fields(RlxRepl *repl, RlxObject *tuple, char **names, int count) {
  RlxReplResults *s = results_of(repl);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->named.count; i++) { // those that nobody has any more
    Named *n = &s->named.at[i];
    if (n->tuple->refs > 1)
      s->named.at[kept++] = *n;
    else
      free_named(n);
  }
  s->named.count = kept;
  rlx_vec_push(&s->named, (Named){rlx_object_ref(tuple), names, count});
}

char *const *rlx_repl_field_names(const RlxRepl *repl, const RlxObject *tuple) {
  const RlxReplResults *s = repl->results;
  for (uint32_t i = 0; s && i < s->named.count; i++)
    if (s->named.at[i].tuple == tuple) return s->named.at[i].names;
  return NULL;
}
