/// Names that numpy has, from numpy_names.def and numpy_dtypes.def.
#include "analyzer/words/numpy_names.h"

#include <string.h>

#include "base/nearest.h"
#include "base/text.h"

static const struct {
  RlxNumpySpace space;
  const char *names;
} rows[] = {
#define RLX_NUMPY_NAMES(space, names) {RLX_NUMPY_##space, names},
#include "analyzer/words/numpy_names.def"
#undef RLX_NUMPY_NAMES
};

typedef struct NumpyDType {
  const char *word, *dtype;
} NumpyDType;

static const NumpyDType dtypes[] = {
#define RLX_NUMPY_CODE(code, dtype)
#define RLX_NUMPY_DTYPE(word, dtype) {word, dtype},
#include "analyzer/words/numpy_dtypes.def"
#undef RLX_NUMPY_DTYPE
#undef RLX_NUMPY_CODE
};

static const NumpyDType codes[] = {
#define RLX_NUMPY_CODE(code, dtype) {code, dtype},
#define RLX_NUMPY_DTYPE(word, dtype)
#include "analyzer/words/numpy_dtypes.def"
#undef RLX_NUMPY_DTYPE
#undef RLX_NUMPY_CODE
};

/// The dtype of `word` in the table; NULL: it has no such row.
static const char *dtype_of(const NumpyDType *table, size_t count, const char *word) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(table[i].word, word) == 0) return table[i].dtype;
  return NULL;
}

bool rlx_dtype_of_numpy_name(const char *name, RlxDType *out) {
  const char *found = dtype_of(dtypes, sizeof dtypes / sizeof *dtypes, name);
  if (found) name = found;
  return rlx_dtype_parse(name, strlen(name), out) && rlx_dtype_known(*out);
}

bool rlx_dtype_of_numpy(const char *text, RlxDType *out) {
  if (rlx_dtype_of_numpy_name(text, out)) return true;
  if (*text && strchr("<=|", *text)) text++; // the order of bytes: this machine's
  const char *found = dtype_of(codes, sizeof codes / sizeof *codes, text);
  return found && rlx_dtype_parse(found, strlen(found), out);
}

/// Copies the word at `*at` to `word` and goes on to the next; false: there is none.
static bool next_word(const char **at, char word[64]) {
  size_t size = strcspn(*at, " ");
  if (!size) return false;
  size_t kept = size < 63 ? size : 63;
  memcpy(word, *at, kept);
  word[kept] = 0;
  *at += size + ((*at)[size] == ' ');
  return true;
}

bool rlx_numpy_has(RlxNumpySpace space, const char *name) {
  if (name[0] == '_' || !name[0]) return true;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].space == space && rlx_text_is_among(name, rows[i].names)) return true;
  return space == RLX_NUMPY_DTYPE && dtype_of(dtypes, sizeof dtypes / sizeof *dtypes, name);
}

const char *rlx_numpy_nearest(RlxNumpySpace space, const char *name, char buffer[64]) {
  char word[64];
  RlxNearest nearest = rlx_nearest_start(name);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (const char *at = rows[i].names; rows[i].space == space && next_word(&at, word);) {
      rlx_nearest_try(&nearest, word);
      if (nearest.best == word) nearest.best = memcpy(buffer, word, sizeof word);
    }
  for (size_t i = 0; space == RLX_NUMPY_DTYPE && i < sizeof dtypes / sizeof *dtypes; i++)
    rlx_nearest_try(&nearest, dtypes[i].word);
  return nearest.best;
}
