/// One line on each word of TVMScript that is no operator: for hover, completion, signature help.
#ifndef RLX_ANALYZER_VOCABULARY_H
#define RLX_ANALYZER_VOCABULARY_H

typedef struct RlxVocabularyRow {
  const char *path;  ///< "R.Tensor"
  const char *usage; ///< "R.Tensor(shape, dtype, ndim=-1)"
  const char *text;  ///< a sentence or two of Markdown
} RlxVocabularyRow;

/// The row of `path`, whose root is R, T or I; NULL: nothing is said of it.
const RlxVocabularyRow *rlx_vocabulary_row(const char *path);
/// Its place in the table, from 0: the table has the usual words of each namespace first.
unsigned rlx_vocabulary_place(const RlxVocabularyRow *row);

#endif
