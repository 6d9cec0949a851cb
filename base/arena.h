/// Bump allocation for values that die together: one segment's analysis, one request, one compile.
///
/// Nothing inside is freed alone. An arena has one owner and one thread. Under ASan the bytes that
/// are not handed out are poisoned, so a pointer kept past its arena traps at once.
#ifndef RLX_BASE_ARENA_H
#define RLX_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct RlxArena RlxArena;

/// A point in an arena's life, to rewind to. Plain data; belongs to the arena that made it.
typedef struct RlxArenaMark {
  void *block;   // the newest block at that time; NULL when there was none
  uint32_t used; // of that block
} RlxArenaMark;

/// An empty arena; the first block comes with the first allocation. Free with rlx_arena_free.
RlxArena *rlx_arena_new(void);

/// An arena that has a first block of `first_block_bytes` from the start, all in one piece of memory:
/// for the many arenas that hold little, such as one per statement.
RlxArena *rlx_arena_new_sized(size_t first_block_bytes);

void rlx_arena_free(RlxArena *arena); // NULL is fine

/// `count` zeroed elements of `elem_size` bytes, aligned for numbers and pointers (8 bytes). Never
/// NULL: no memory, or an overflowing product, ends the process. Sizes that come from a user's file
/// are bounded before.
void *rlx_arena_alloc(RlxArena *arena, size_t count, size_t elem_size);
#define rlx_arena_array(arena, T, count) ((T *)rlx_arena_alloc((arena), (size_t)(count), sizeof(T)))

/// One zeroed T.
#define rlx_arena_one(arena, T) ((T *)rlx_arena_alloc((arena), 1, sizeof(T)))

/// A copy of `size` bytes with a NUL behind them. `bytes` may be NULL when `size` is 0.
char *rlx_arena_strndup(RlxArena *arena, const char *bytes, size_t size);

/// A copy of a NUL-terminated text.
char *rlx_arena_strdup(RlxArena *arena, const char *text);

/// A copy of `count` elements of `elem_size` bytes.
void *rlx_arena_copy(RlxArena *arena, const void *from, size_t count, size_t elem_size);

/// A formatted text.
char *rlx_arena_printf(RlxArena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Where the arena ends now; rlx_arena_rewind gives back what comes behind.
RlxArenaMark rlx_arena_mark(const RlxArena *arena);

/// What came after `mark` is gone. Marks nest: rewinding to one makes the later ones invalid.
void rlx_arena_rewind(RlxArena *arena, RlxArenaMark mark);

/// Bytes handed out and alive, padding included.
size_t rlx_arena_live_bytes(const RlxArena *arena);

/// Bytes taken from the heap: what the arena costs.
size_t rlx_arena_held_bytes(const RlxArena *arena);

#endif
