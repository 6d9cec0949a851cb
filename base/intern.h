/// Names as small numbers: the same bytes always give the same RlxName.
///
/// Always true: ids count up from 1, 0 is "no name" with the text ""; a name's text never moves and
/// lives as long as the interner. One owner, one thread.
#ifndef RLX_BASE_INTERN_H
#define RLX_BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t RlxName;

enum { RLX_NAME_NONE = 0 };

typedef struct RlxInterner RlxInterner;

/// Empty; the caller frees it.
RlxInterner *rlx_interner_new(void);
void rlx_interner_free(RlxInterner *interner); // NULL is fine

/// The name of these bytes (copied when new). Empty gives RLX_NAME_NONE.
RlxName rlx_intern(RlxInterner *interner, const char *bytes, size_t size);
/// The same for a NUL-terminated text.
RlxName rlx_intern_text(RlxInterner *interner, const char *text);

/// The name of these bytes if there is one already, else RLX_NAME_NONE.
RlxName rlx_intern_find(const RlxInterner *interner, const char *bytes, size_t size);

/// NUL-terminated text of a name of this interner; "" for RLX_NAME_NONE.
const char *rlx_name_text(const RlxInterner *interner, RlxName name);

/// Bytes in that text.
uint32_t rlx_name_size(const RlxInterner *interner, RlxName name);

/// Letters (rlx_nearest_letters) of all names, by name; until the next name comes.
const uint64_t *rlx_interner_letters(RlxInterner *interner);

/// A mark on a name that stays, for the interner's users.
void rlx_name_mark(RlxInterner *interner, RlxName name);
/// Whether rlx_name_mark marked it and nothing unmarked it since.
bool rlx_name_is_marked(const RlxInterner *interner, RlxName name);

/// Names so far, RLX_NAME_NONE not counted.
uint32_t rlx_interner_count(const RlxInterner *interner);

/// Heap memory held.
size_t rlx_interner_held_bytes(const RlxInterner *interner);

#endif
