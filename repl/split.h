/// From text to entries: what was typed, pasted, piped or loaded, cut into single statements and
/// commands by the parser that reads files, so that all four agree.
///
/// Always true: every byte that is not blank or a comment belongs to exactly one entry.
#ifndef RLX_REPL_SPLIT_H
#define RLX_REPL_SPLIT_H

#include "analyzer/analyzer.h"

/// One statement of Python, or a line for the loop itself.
typedef struct RlxEntry {
  const RlxStmt *stmt; ///< NULL: a line that begins with ":" or "!"
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
/// The size of the name that the line at `text` asks about, and where it is: `x?`, `R.add??`, `?x`. 0: it is no
/// question.
size_t rlx_split_question(const char *text, const char **name);
void rlx_split_free(RlxSplit *split);

/// Whether `text`, typed so far, lacks lines: an open bracket or string, a decorator without its
/// definition, a block that has not ended. At a terminal a blank line ends a block; elsewhere blocks
/// end where rlx_split_goes_on says so.
bool rlx_split_wants_more(const char *text, bool is_terminal);
/// Whether `text` was copied from a session of ours, Python's or IPython's: its first line begins with the prompt. Appends
/// what was entered, without the prompts; `*printed`: how many lines are what was printed there.
bool rlx_split_transcript(const char *text, RlxBuf *out, uint32_t *printed);
/// Whether `text` ends with the head of a block, so that every indented line goes on with it.
bool rlx_split_begins_block(const char *text);
/// Whether `line`, the next one, belongs to `text`, which wants more: false where it begins a
/// statement of its own behind a block.
bool rlx_split_goes_on(const char *text, const char *line);

#endif
