/// Lines in messages: "i#2 (line 14)". A message that is kept while lines above it come and go has a
/// mark in the place of the words, which says what offset the line is of; who hands the message out
/// fills it.
#ifndef RLX_ANALYZER_LINE_WORDS_H
#define RLX_ANALYZER_LINE_WORDS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

/// Begins and ends a mark; no text that is shown has it.
#define RLX_LINE_MARK_BOUND '\x1f'

/// " (line 14)" for an offset of the text that `lines` is of.
const char *rlx_line_words(RlxArena *arena, const RlxLines *lines, uint32_t offset);
/// The mark for an offset that is counted from where the function begins.
const char *rlx_line_mark(RlxArena *arena, uint32_t offset);
/// The message with words for its marks; `start`: where the function begins. The message itself when
/// there is no mark, else a new one in `arena`.
const char *rlx_line_marks_fill(RlxArena *arena, const char *message, const RlxLines *lines,
                                uint32_t start);
/// The message with its lines counted from line `first` (from 0) of the text instead of from its begin.
const char *rlx_line_words_from(RlxArena *arena, const char *message, uint32_t first);
/// A hash of the message that stays when the lines it names move.
uint64_t rlx_message_hash(const char *message);

#endif
