/// An entry as its lines come: whether it lacks lines, whether the next line is one of its own, and what was copied from
/// a session, prompts and all.
///
/// Always true: a line is looked at once, however long the entry becomes, and what is said of a text does not depend
/// on the pieces in which it came.
#ifndef RLX_REPL_READER_H
#define RLX_REPL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

typedef struct RlxEntryReader RlxEntryReader;

/// An entry without lines. The caller frees it with rlx_entry_reader_free.
RlxEntryReader *rlx_entry_reader_new(void);
void rlx_entry_reader_free(RlxEntryReader *reader); ///< NULL is fine
/// Forgets all lines: another entry begins.
void rlx_entry_reader_clear(RlxEntryReader *reader);
/// Appends whole lines with their ends, or the last bytes that come.
void rlx_entry_reader_put(RlxEntryReader *reader, const char *text, size_t size);
/// Whether the entry lacks lines: an open bracket or string, a decorator without its definition, a block that has not
/// ended. At a terminal a blank line ends a block; elsewhere blocks end where rlx_entry_reader_takes says so. Of what was
/// copied from a session the entries count, without the prompts.
bool rlx_entry_reader_wants(RlxEntryReader *reader, bool is_terminal);
/// Whether `line`, the next one, belongs to the entry, which wants more: false where it begins a statement of its own
/// behind a block.
bool rlx_entry_reader_takes(RlxEntryReader *reader, const char *line);
/// Whether the entry ends with the head of a block, so that every indented line goes on with it.
bool rlx_entry_reader_begins_block(RlxEntryReader *reader);

/// The same of a text as a whole.
bool rlx_entry_wants_more(const char *text, bool is_terminal);
bool rlx_entry_goes_on(const char *text, const char *line);

/// Whether `text` was copied from a session of ours, Python's or IPython's: its first line begins with the prompt. Appends
/// what was entered, without the prompts; `*printed`: how many lines are what was printed there.
bool rlx_entry_transcript(const char *text, RlxBuf *out, uint32_t *printed);

#endif
