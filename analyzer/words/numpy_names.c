/// Names that numpy has, from numpy_names.def.
#include "analyzer/words/numpy_names.h"

#include <string.h>

#include "base/nearest.h"

static const struct {
  RlxNumpySpace space;
  const char *names;
} rows[] = {
#define RLX_NUMPY_NAMES(space, names) {RLX_NUMPY_##space, names},
#include "analyzer/words/numpy_names.def"
#undef RLX_NUMPY_NAMES
};

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
  char word[64];
  if (name[0] == '_' || !name[0]) return true;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (const char *at = rows[i].names; rows[i].space == space && next_word(&at, word);)
      if (strcmp(word, name) == 0) return true;
  return false;
}

const char *rlx_numpy_nearest(RlxNumpySpace space, const char *name, char buffer[64]) {
  char word[64];
  RlxNearest nearest = rlx_nearest_start(name);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (const char *at = rows[i].names; rows[i].space == space && next_word(&at, word);) {
      rlx_nearest_try(&nearest, word);
      if (nearest.best == word) nearest.best = memcpy(buffer, word, sizeof word);
    }
  return nearest.best;
}
