/// The operator table, made from the rows of ops/*.def, and its sorted index of spellings.
///
/// Always true: rows stand in the order of RlxOpId; `spellings` is sorted by bytes, so lookups are
/// binary searches. The index is computed by the caller-free function below out of constant data:
/// there is no mutable state.
#include "analyzer/ops/op_table.h"

#include "analyzer/ops/op_ids.h"
#include "base/nearest.h"
#include <string.h>

// ---- the rules that the rows name
#define RLX_FAMILY "analyzer/ops/all.def"
#include "analyzer/ops/rules.h"

// ---- the parameters of every row
#define RLX_ARG(name, kind, meaning)                                                               \
  {#name, RLX_PARAM_##kind, true, false, false, NULL, NULL, meaning, RLX_TUPLE_ANY, false, false},
#define RLX_OPT(name, kind, default_text, meaning)                                                 \
  {#name, RLX_PARAM_##kind, false,         false, false, default_text,                             \
   NULL,  meaning,          RLX_TUPLE_ANY, false, false},
#define RLX_NULLABLE(name, kind, default_text, meaning)                                            \
  {#name, RLX_PARAM_##kind, false,         false, false, default_text,                             \
   NULL,  meaning,          RLX_TUPLE_ANY, true,  false},
#define RLX_VARIADIC(name, kind, meaning)                                                          \
  {#name, RLX_PARAM_##kind, false, true, false, NULL, NULL, meaning, RLX_TUPLE_ANY, false, false},
#define RLX_KEYWORD(name, kind, default_text, meaning)                                             \
  {#name, RLX_PARAM_##kind, false,         false, true, default_text,                              \
   NULL,  meaning,          RLX_TUPLE_ANY, false, false},
#define RLX_KEYWORD_ARG(name, kind, meaning)                                                       \
  {#name, RLX_PARAM_##kind, true, false, true, NULL, NULL, meaning, RLX_TUPLE_ANY, false, false},
#define RLX_ENUM(name, default_text, allowed, meaning)                                             \
  {#name,   RLX_PARAM_STR, false,         false, false, default_text,                              \
   allowed, meaning,       RLX_TUPLE_ANY, false, false},
#define RLX_NULLABLE_ENUM(name, default_text, allowed, meaning)                                    \
  {#name,   RLX_PARAM_STR, false,         false, false, default_text,                              \
   allowed, meaning,       RLX_TUPLE_ANY, true,  false},
#define RLX_TUPLE_ARG(name, form, meaning)                                                         \
  {#name, RLX_PARAM_TUPLE, true, false, false, NULL, NULL, meaning, RLX_TUPLE_##form, false, false},
#define RLX_LOOSE_ARG(name, kind, meaning)                                                         \
  {#name, RLX_PARAM_##kind, true, false, false, NULL, NULL, meaning, RLX_TUPLE_ANY, false, true},
#define RLX_STRIP(...) __VA_ARGS__

#define RLX_OP(id, script, registry, purity, params, deduce, lower, doc)                           \
  static const RlxOpParam params_of_##id[] = {RLX_STRIP params{                                    \
      NULL, RLX_PARAM_ANY, false, false, false, NULL, NULL, NULL, RLX_TUPLE_ANY, false, false}};
#include "analyzer/ops/all.def"
#undef RLX_OP
#undef RLX_ARG
#undef RLX_OPT
#undef RLX_NULLABLE
#undef RLX_VARIADIC
#undef RLX_KEYWORD
#undef RLX_KEYWORD_ARG
#undef RLX_ENUM
#undef RLX_NULLABLE_ENUM
#undef RLX_TUPLE_ARG
#undef RLX_LOOSE_ARG
#undef RLX_STRIP

#define RLX_OP(id, script, registry, purity, params, deduce, lower, doc)                           \
  {                                                                                                \
      RLX_OPID_##id,                                                                               \
      script,                                                                                      \
      registry,                                                                                    \
      RLX_OP_##purity,                                                                             \
      params_of_##id,                                                                              \
      (int)(sizeof params_of_##id / sizeof params_of_##id[0]) - 1,                                 \
      rlx_deduce_##deduce,                                                                         \
      #lower,                                                                                      \
      doc},
static const RlxOpRow rows[] = {
#include "analyzer/ops/all.def"
};
#undef RLX_OP

const RlxOpRow *rlx_op_rows(int *out_count) {
  *out_count = (int)(sizeof rows / sizeof rows[0]);
  return rows;
}

const RlxOpRow *rlx_op_row(RlxOpId id) {
  if (id <= RLX_OPID_NONE || id >= RLX_OPID_COUNT) return NULL;
  return &rows[id - 1];
}

// ---- spellings
typedef struct Spelling {
  const char *text;
  RlxOpId id;
} Spelling;

/// Every spelling with its operator, sorted by bytes; ops/spellings.def is generated by
/// tools/op_spellings.py.
#define RLX_SPELLING(text, id) {text, RLX_OPID_##id},
static const Spelling spellings[] = {
#include "analyzer/ops/spellings.def"
};
#undef RLX_SPELLING
enum { SPELLING_COUNT = sizeof spellings / sizeof spellings[0] };

const RlxOpRow *rlx_op_find(const char *script, size_t size) {
  size_t low = 0, high = SPELLING_COUNT;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *text = spellings[middle].text;
    int order = strncmp(script, text, size);
    if (order == 0 && text[size]) order = -1;
    if (order == 0) return rlx_op_row(spellings[middle].id);
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return NULL;
}

const char *rlx_op_nearest(const char *script, size_t size) {
  char word[64];
  if (size >= sizeof word) return NULL;
  memcpy(word, script, size);
  word[size] = '\0';
  RlxNearest nearest = rlx_nearest_start(word);
  for (size_t i = 0; i < SPELLING_COUNT; i++) rlx_nearest_try(&nearest, spellings[i].text);
  return nearest.best;
}
