/// Words of TVMScript that are no operators, from the rows of vocabulary.def.
#include "analyzer/words/vocabulary.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const RlxVocabularyRow rows[] = {
#define RLX_VOCABULARY(path, usage, text) {path, usage, text},
#include "analyzer/words/vocabulary.def"
#undef RLX_VOCABULARY
};

static const uint8_t path_sizes[] = {
#define RLX_VOCABULARY(path, usage, text) sizeof(path) - 1,
#include "analyzer/words/vocabulary.def"
#undef RLX_VOCABULARY
};

const RlxVocabularyRow *rlx_vocabulary_row(const char *path) {
  const size_t size = strlen(path);
  if (!size) return NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (path_sizes[i] == size && rows[i].path[size - 1] == path[size - 1] &&
        !memcmp(rows[i].path, path, size))
      return &rows[i];
  return NULL;
}

unsigned rlx_vocabulary_place(const RlxVocabularyRow *row) { return (unsigned)(row - rows); }
