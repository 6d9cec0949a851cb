/// Where an edit of a list goes that stands in several lines, among comments.
#ifndef RLX_ANALYZER_EDIT_PLACES_H
#define RLX_ANALYZER_EDIT_PLACES_H

#include "analyzer/syntax/ast.h"
#include "base/arena.h"
#include "base/buf.h"

/// The place of an edit that knows the list's items only. An item that is appended (", x" in front of the closing bracket)
/// goes behind the last one and a comma that it has; one that is removed with the comma before it (from the end of the item
/// in front) goes with its own lines and comment, and leaves those of the item in front. Gives what to write at `*span`;
/// any other edit stays what it is. `from`: where the statement starts, before the list. All are offsets in `text`.
const char *rlx_edit_placed(RlxArena *arena, const char *text, uint32_t size, uint32_t from,
                            RlxSpan *span, const char *put);

/// Appends the comments that stand in `span`, which begins outside of strings, a line each, but for those that stand in
/// one of the texts `written`.
void rlx_lost_comments(const char *text, RlxSpan span, const char *const *written, uint32_t count,
                       RlxBuf *out);

/// The comments `lines` as they stand in front of a statement, which begins at `start` behind blanks alone: each is followed by
/// "\n" and these blanks.
void rlx_put_comments_above(RlxBuf *out, const char *text, uint32_t start, const char *lines);

#endif
