/// The operator table, made from the rows of ops/*.def, and its sorted index of spellings.
///
/// Always true: rows stand in the order of RlxOpId; `spellings` is sorted by bytes, so lookups are
/// binary searches. The index is computed by the caller-free function below out of constant data:
/// there is no mutable state.
#include "analyzer/ops/op_table.h"

#include "analyzer/ops/op_ids.h"
#include "analyzer/ops/rules.h"
#include "base/nearest.h"
#include <string.h>

// ---- the parameters of every row
#define RLX_ARG(param, type, text)                                                                 \
  {.name = #param, .kind = RLX_PARAM_##type, .is_required = true, .meaning = text},
#define RLX_LOOSE_ARG(param, type, text)                                                           \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_##type,                                                                       \
   .is_required = true,                                                                            \
   .is_loose = true,                                                                               \
   .meaning = text},
#define RLX_SCALAR_ARG(param, type, text)                                                          \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_##type,                                                                       \
   .is_required = true,                                                                            \
   .takes_scalar = true,                                                                           \
   .meaning = text},
#define RLX_OPT(param, type, value, text)                                                          \
  {.name = #param, .kind = RLX_PARAM_##type, .default_text = value, .meaning = text},
#define RLX_OPT_025(param, type, value, text)                                                      \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_##type,                                                                       \
   .default_text = value,                                                                          \
   .until_025 = true,                                                                              \
   .meaning = text},
#define RLX_OPT_027(param, type, value, text)                                                      \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_##type,                                                                       \
   .default_text = value,                                                                          \
   .since_027 = true,                                                                              \
   .meaning = text},
#define RLX_IMM(param, type, value, text)                                                          \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_##type,                                                                       \
   .default_text = value,                                                                          \
   .takes_imm = true,                                                                              \
   .meaning = text},
#define RLX_IMM_ARG(param, type, text)                                                             \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_##type,                                                                       \
   .is_required = true,                                                                            \
   .takes_imm = true,                                                                              \
   .meaning = text},
#define RLX_NULLABLE(param, type, value, text)                                                     \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_##type,                                                                       \
   .default_text = value,                                                                          \
   .is_nullable = true,                                                                            \
   .meaning = text},
#define RLX_VARIADIC(param, type, text)                                                            \
  {.name = #param, .kind = RLX_PARAM_##type, .is_variadic = true, .meaning = text},
#define RLX_KEYWORD(param, type, value, text)                                                      \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_##type,                                                                       \
   .default_text = value,                                                                          \
   .is_keyword_only = true,                                                                        \
   .meaning = text},
#define RLX_KEYWORD_IMM(param, type, value, text)                                                  \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_##type,                                                                       \
   .default_text = value,                                                                          \
   .is_keyword_only = true,                                                                        \
   .takes_imm = true,                                                                              \
   .meaning = text},
#define RLX_KEYWORD_ARG(param, type, text)                                                         \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_##type,                                                                       \
   .is_required = true,                                                                            \
   .is_keyword_only = true,                                                                        \
   .meaning = text},
#define RLX_ENUM(param, value, words, text)                                                        \
  {.name = #param, .kind = RLX_PARAM_STR, .default_text = value, .allowed = words, .meaning = text},
#define RLX_NULLABLE_ENUM(param, value, words, text)                                               \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_STR,                                                                          \
   .default_text = value,                                                                          \
   .allowed = words,                                                                               \
   .is_nullable = true,                                                                            \
   .meaning = text},
#define RLX_TUPLE_ARG(param, form, text)                                                           \
  {.name = #param,                                                                                 \
   .kind = RLX_PARAM_TUPLE,                                                                        \
   .is_required = true,                                                                            \
   .tuple_form = RLX_TUPLE_##form,                                                                 \
   .meaning = text},
#define RLX_STRIP(...) __VA_ARGS__

#define RLX_OP(id, script, registry, purity, params, deduce, lower, doc)                           \
  static const RlxOpParam params_of_##id[] = {RLX_STRIP params{.name = NULL}};
#include "analyzer/ops/all.def"
#undef RLX_OP
#undef RLX_ARG
#undef RLX_OPT
#undef RLX_IMM
#undef RLX_NULLABLE
#undef RLX_VARIADIC
#undef RLX_KEYWORD
#undef RLX_KEYWORD_ARG
#undef RLX_ENUM
#undef RLX_NULLABLE_ENUM
#undef RLX_TUPLE_ARG
#undef RLX_LOOSE_ARG
#undef RLX_SCALAR_ARG
#undef RLX_OPT_025
#undef RLX_OPT_027
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

// ---- what RLX_OP_ID resolves to
#define RLX_OP(id, script, registry, purity, params, deduce, lower, doc)                           \
  extern const RlxOpId rlx_op_id_##id;                                                             \
  const RlxOpId rlx_op_id_##id = RLX_OPID_##id;
#include "analyzer/ops/all.def"
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
  uint32_t size; // of the text
  RlxOpId id;
} Spelling;

/// Every spelling with its operator, sorted by bytes; ops/spellings.def is generated by
/// tools/op_spellings.py.
#define RLX_SPELLING(text, id) {text, sizeof(text) - 1, RLX_OPID_##id},
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

typedef enum { OTHER_OP, OTHER_PARAM } OtherKind;
static const struct {
  OtherKind kind;
  const char *theirs, *ours;
} other_words[] = {
#define RLX_OTHER_WORD(kind, theirs, ours) {OTHER_##kind, theirs, ours},
#include "analyzer/ops/other_words.def"
#undef RLX_OTHER_WORD
};
enum { OTHER_COUNT = sizeof other_words / sizeof *other_words };

const char *rlx_op_param_elsewhere(const RlxOpRow *row, const char *name) {
  for (size_t i = 0; i < OTHER_COUNT; i++)
    if (other_words[i].kind == OTHER_PARAM && strcmp(other_words[i].theirs, name) == 0 &&
        rlx_op_param(row, other_words[i].ours) >= 0)
      return other_words[i].ours;
  return NULL;
}

/// The last name of a spelling: "relu" of "nn.relu".
static const char *last_name(const char *spelling) {
  const char *dot = strrchr(spelling, '.');
  return dot ? dot + 1 : spelling;
}

/// The operator of this name in another namespace; NULL: none. `*is_tied`: several have it.
static const char *in_other_space(const char *word, bool *is_tied) {
  const char *found = NULL;
  const RlxOpRow *row = NULL;
  for (size_t i = 0; i < SPELLING_COUNT; i++) {
    if (strcmp(last_name(spellings[i].text), last_name(word)) != 0) continue;
    const RlxOpRow *other = rlx_op_row(spellings[i].id);
    if (found && other != row) *is_tied = true;
    if (!found) found = spellings[i].text;
    row = other;
  }
  return found;
}

const char *rlx_op_nearest(const char *script, size_t size, bool *is_tied) {
  char word[64];
  bool several = false;
  if (is_tied) *is_tied = false;
  if (size >= sizeof word) return NULL;
  memcpy(word, script, size);
  word[size] = '\0';
  const char *elsewhere = in_other_space(word, &several);
  for (size_t i = 0; i < OTHER_COUNT && !elsewhere; i++)
    if (other_words[i].kind == OTHER_OP && strcmp(other_words[i].theirs, last_name(word)) == 0) {
      elsewhere = other_words[i].ours;
      several = true; // a guess
    }
  if (elsewhere) {
    if (is_tied) *is_tied = several;
    return elsewhere;
  }
  RlxNearest nearest = rlx_nearest_start(word);
  for (size_t i = 0; i < SPELLING_COUNT; i++)
    if (rlx_nearest_may_have(&nearest, spellings[i].size))
      rlx_nearest_try(&nearest, spellings[i].text);
  if (is_tied) *is_tied = nearest.is_tied;
  return nearest.best;
}
