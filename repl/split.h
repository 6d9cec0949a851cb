/// From text to entries: what was typed, pasted, piped or loaded, cut into single statements and
/// commands by the parser that reads files, so that all four agree.
///
/// Always true: every byte that is not blank or a comment belongs to exactly one entry.
#ifndef RLX_REPL_SPLIT_H
#define RLX_REPL_SPLIT_H

#include "analyzer/analyzer.h"

/// One statement of Python, or a line for the loop itself.
typedef struct RlxEntry {
  const RlxStmt *stmt; ///< NULL: a line that begins with ":" or "!", or a rest
  bool is_rest;        ///< text behind such a line that is no statement, nor part of one
  uint32_t start, end; ///< bytes of RlxSplit.text
} RlxEntry;

typedef struct RlxSplit {
  RlxBuf text;      ///< what was given, less the indentation that all of it has
  RlxDocument *doc; ///< NULL: there are no statements
  Vec(RlxEntry) entries;
} RlxSplit;

/// Cuts `text` into entries, in their order. The caller frees `*out` with rlx_split_free, whatever it
/// held before. Names go to `store`.
void rlx_split(RlxStore *store, const char *text, RlxSplit *out);
/// Frees what rlx_split made; the statements are gone with it.
void rlx_split_free(RlxSplit *split);
/// The size of the name that the line at `text` asks about, and where it is: `x?`, `R.add??`, `?x`. 0: it is no
/// question.
size_t rlx_split_question(const char *text, const char **name);

/// Whether a line that begins with `c` is the loop's own.
bool rlx_split_is_own(char c);

#endif
