/// Arenas: a list of blocks, the newest first; a request that does not fit gets a new block, each
/// twice as large as the one before up to a limit.
///
/// Always true: what is handed out is zeroed, and aligned for numbers and pointers; only the newest
/// block has room that is still to be given.
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/asan.h"
#include "base/mem.h"

#ifdef RLX_STRESS
enum { FIRST_BLOCK_BYTES = 64, LARGEST_BLOCK_BYTES = 64 };
#else
enum { FIRST_BLOCK_BYTES = 4096, LARGEST_BLOCK_BYTES = 256 * 1024 };
#endif

enum { ALIGNMENT = alignof(uint64_t) };

/// A piece of heap memory; the newest comes first in the arena's list. A file has two arenas for each
/// statement, so that the little that stands here matters.
typedef struct Block {
  struct Block *older;
  uint32_t capacity, used; // in units of ALIGNMENT
  alignas(uint64_t) unsigned char bytes[];
} Block;

struct RlxArena {
  Block *newest;
  Block *spare;      // one empty block kept by rewind, so that a loop does not go to the heap
  size_t next_bytes; // of the next ordinary block
};

static size_t capacity_bytes(const Block *block) { return (size_t)block->capacity * ALIGNMENT; }

static size_t used_bytes(const Block *block) { return (size_t)block->used * ALIGNMENT; }

/// Of `bytes`, rounded up.
static uint32_t units_of(size_t bytes) {
  size_t units = bytes / ALIGNMENT + (bytes % ALIGNMENT != 0);
  if (units > UINT32_MAX) rlx_mem_exhausted(bytes);
  return (uint32_t)units;
}

RlxArena *rlx_arena_new(void) {
  RlxArena *arena = rlx_mem_zeroed(1, sizeof *arena);
  arena->next_bytes = FIRST_BLOCK_BYTES;
  return arena;
}

/// The block that rlx_arena_new_sized made with the arena: it is part of the arena's memory.
static Block *inner_block(RlxArena *arena) { return (Block *)(arena + 1); }

RlxArena *rlx_arena_new_sized(size_t first_block_bytes) {
#ifdef RLX_STRESS
  first_block_bytes = FIRST_BLOCK_BYTES;
#endif
  uint32_t units = units_of(first_block_bytes);
  size_t capacity = (size_t)units * ALIGNMENT;
  RlxArena *arena = rlx_mem_alloc(1, sizeof *arena + sizeof(Block) + capacity);
  Block *block = inner_block(arena);
  *block = (Block){.capacity = units};
  *arena = (RlxArena){.newest = block, .next_bytes = capacity / 2 < 64 ? 64 : capacity / 2};
  RLX_ASAN_POISON(block->bytes, capacity);
  return arena;
}

static void block_free(RlxArena *arena, Block *block) {
  RLX_ASAN_UNPOISON(block->bytes, capacity_bytes(block));
  if (block != inner_block(arena)) free(block);
}

void rlx_arena_free(RlxArena *arena) {
  if (!arena) return;
  while (arena->newest) {
    Block *block = arena->newest;
    arena->newest = block->older;
    block_free(arena, block);
  }
  if (arena->spare) block_free(arena, arena->spare);
  free(arena);
}

/// Puts a block with room for `need` units in front.
static Block *block_add(RlxArena *arena, uint32_t need) {
  Block *block = arena->spare;
  if (block && block->capacity >= need) {
    arena->spare = NULL;
  } else {
    uint32_t units = units_of(arena->next_bytes);
    if (need > units) {
      units = need;
    } else if (arena->next_bytes < LARGEST_BLOCK_BYTES) {
      arena->next_bytes *= 2;
    }
    block = rlx_mem_alloc(1, sizeof(Block) + (size_t)units * ALIGNMENT);
    block->capacity = units;
    RLX_ASAN_POISON(block->bytes, capacity_bytes(block));
  }
  block->used = 0;
  block->older = arena->newest;
  arena->newest = block;
  return block;
}

void *rlx_arena_alloc(RlxArena *arena, size_t count, size_t elem_size) {
  if (elem_size != 0 && count > SIZE_MAX / 4 / elem_size) rlx_mem_exhausted(SIZE_MAX);
  size_t size = count * elem_size;
  uint32_t units = size ? units_of(size) : 1;

  Block *block = arena->newest;
  if (!block || block->capacity - block->used < units) block = block_add(arena, units);
  unsigned char *result = block->bytes + used_bytes(block);
  block->used += units;
  RLX_ASAN_UNPOISON(result, size);
  memset(result, 0, size);
  return result;
}

void *rlx_arena_copy(RlxArena *arena, const void *from, size_t count, size_t elem_size) {
  void *copy = rlx_arena_alloc(arena, count, elem_size);
  if (count > 0 && elem_size > 0) memcpy(copy, from, count * elem_size);
  return copy;
}

char *rlx_arena_strndup(RlxArena *arena, const char *bytes, size_t size) {
  char *copy = rlx_arena_alloc(arena, size + 1, 1);
  if (size) memcpy(copy, bytes, size);
  return copy;
}

char *rlx_arena_strdup(RlxArena *arena, const char *text) {
  return rlx_arena_strndup(arena, text, strlen(text));
}

char *rlx_arena_printf(RlxArena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  size_t size = length < 0 ? 0 : (size_t)length;
  char *text = rlx_arena_alloc(arena, size + 1, 1);
  if (size) vsnprintf(text, size + 1, format, again);
  va_end(again);
  return text;
}

RlxArenaMark rlx_arena_mark(const RlxArena *arena) {
  return (RlxArenaMark){.block = arena->newest, .used = arena->newest ? arena->newest->used : 0};
}

void rlx_arena_rewind(RlxArena *arena, RlxArenaMark mark) {
  while (arena->newest && arena->newest != mark.block) {
    Block *block = arena->newest;
    arena->newest = block->older;
    // Keep the larger of this block and the spare one, unless it is a giant.
    if (capacity_bytes(block) <= LARGEST_BLOCK_BYTES &&
        (!arena->spare || arena->spare->capacity < block->capacity)) {
      Block *dropped = arena->spare;
      RLX_ASAN_POISON(block->bytes, capacity_bytes(block));
      arena->spare = block;
      block = dropped;
    }
    if (block) block_free(arena, block);
  }
  Block *block = arena->newest;
  if (!block) return;
  block->used = mark.used;
  RLX_ASAN_POISON(block->bytes + used_bytes(block), capacity_bytes(block) - used_bytes(block));
}

size_t rlx_arena_live_bytes(const RlxArena *arena) {
  size_t live = 0;
  for (const Block *block = arena->newest; block; block = block->older) live += used_bytes(block);
  return live;
}

size_t rlx_arena_held_bytes(const RlxArena *arena) {
  size_t held = sizeof *arena + (arena->spare ? sizeof(Block) + capacity_bytes(arena->spare) : 0);
  for (const Block *block = arena->newest; block; block = block->older)
    held += sizeof(Block) + capacity_bytes(block);
  return held;
}
