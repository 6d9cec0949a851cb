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
  if (!size || size > UINT8_MAX) return NULL;
  const uint8_t *at = path_sizes, *end = path_sizes + sizeof path_sizes;
  for (; (at = memchr(at, (int)size, (size_t)(end - at))) != NULL; at++) {
    const RlxVocabularyRow *row = &rows[at - path_sizes];
    if (row->path[size - 1] == path[size - 1] && !memcmp(row->path, path, size)) return row;
  }
  return NULL;
}

unsigned rlx_vocabulary_place(const RlxVocabularyRow *row) { return (unsigned)(row - rows); }
