/// The interner: a hash table from bytes to numbers, and an array from numbers to texts.
///
/// Always true: texts lie in an arena, so they never move; the table has a free bucket, so every
/// search ends.
#include "base/intern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/vec.h"

#ifdef RLX_STRESS
enum { FIRST_CAPACITY = 2 };
#else
enum { FIRST_CAPACITY = 64 };
#endif

typedef struct Entry {
  const char *text;
  uint32_t size_bytes;
  uint32_t hash;
} Entry;

struct RlxInterner {
  RlxArena *texts;
  Vec(Entry) names;      // by id; [0] is the empty name
  RlxName *buckets;      // open addressing; 0 is free
  uint32_t capacity;     // power of two, at most 3/4 full
  Vec(uint64_t) letters; // of the first names, by id
  Vec(uint64_t) marks;   // bits by id
};

RlxInterner *rlx_interner_new(void) {
  RlxInterner *interner = rlx_mem_zeroed(1, sizeof *interner);
  interner->texts = rlx_arena_new();
  interner->capacity = FIRST_CAPACITY;
  interner->buckets = rlx_mem_zeroed(interner->capacity, sizeof *interner->buckets);
  rlx_vec_push(&interner->names, (Entry){.text = ""});
  return interner;
}

void rlx_interner_free(RlxInterner *interner) {
  if (!interner) return;
  rlx_arena_free(interner->texts);
  rlx_vec_free(&interner->names);
  rlx_vec_free(&interner->letters);
  rlx_vec_free(&interner->marks);
  free(interner->buckets);
  free(interner);
}

/// Bucket that holds these bytes, or the free one where they belong.
static uint32_t find(const RlxInterner *interner, const char *bytes, size_t size, uint32_t hash) {
  uint32_t mask = interner->capacity - 1;
  uint32_t i = hash & mask;
  for (; interner->buckets[i] != 0; i = (i + 1) & mask) {
    const Entry *e = &interner->names.at[interner->buckets[i]];
    if (e->hash == hash && e->size_bytes == size && memcmp(e->text, bytes, size) == 0) break;
  }
  return i;
}

static void grow(RlxInterner *interner) {
  if (interner->capacity > UINT32_MAX / 4) rlx_mem_exhausted(SIZE_MAX);
  interner->capacity *= 2;
  free(interner->buckets);
  interner->buckets = rlx_mem_zeroed(interner->capacity, sizeof *interner->buckets);
  uint32_t mask = interner->capacity - 1;
  for (RlxName name = 1; name < interner->names.count; name++) {
    uint32_t i = interner->names.at[name].hash & mask;
    while (interner->buckets[i] != 0) i = (i + 1) & mask;
    interner->buckets[i] = name;
  }
}

RlxName rlx_intern(RlxInterner *interner, const char *bytes, size_t size) {
  if (size == 0) return RLX_NAME_NONE;
  if (size > UINT32_MAX) rlx_mem_exhausted(size);
  uint32_t hash = (uint32_t)rlx_hash_bytes(bytes, size, 0);
  uint32_t i = find(interner, bytes, size, hash);
  if (interner->buckets[i] != 0) return interner->buckets[i];

  RlxName name = interner->names.count;
  Entry entry = {rlx_arena_strndup(interner->texts, bytes, size), (uint32_t)size, hash};
  rlx_vec_push(&interner->names, entry);
  interner->buckets[i] = name;
  if ((uint64_t)(name + 1) * 4 > (uint64_t)interner->capacity * 3) grow(interner);
  return name;
}

RlxName rlx_intern_text(RlxInterner *interner, const char *text) {
  return rlx_intern(interner, text, strlen(text));
}

RlxName rlx_intern_find(const RlxInterner *interner, const char *bytes, size_t size) {
  if (size == 0) return RLX_NAME_NONE;
  return interner->buckets[find(interner, bytes, size, (uint32_t)rlx_hash_bytes(bytes, size, 0))];
}

const char *rlx_name_text(const RlxInterner *interner, RlxName name) {
  if (rlx_never(name >= interner->names.count)) return "";
  return interner->names.at[name].text;
}

uint32_t rlx_name_size(const RlxInterner *interner, RlxName name) {
  if (rlx_never(name >= interner->names.count)) return 0;
  return interner->names.at[name].size_bytes;
}

const uint64_t *rlx_interner_letters(RlxInterner *interner) {
  for (RlxName name = interner->letters.count; name < interner->names.count; name++)
    rlx_vec_push(&interner->letters, rlx_nearest_letters(interner->names.at[name].text));
  return interner->letters.at;
}

void rlx_name_mark(RlxInterner *interner, RlxName name) {
  while (interner->marks.count <= name / 64) rlx_vec_push(&interner->marks, 0);
  interner->marks.at[name / 64] |= UINT64_C(1) << name % 64;
}

bool rlx_name_is_marked(const RlxInterner *interner, RlxName name) {
  return name / 64 < interner->marks.count && (interner->marks.at[name / 64] >> name % 64 & 1) != 0;
}

uint32_t rlx_interner_count(const RlxInterner *interner) { return interner->names.count - 1; }

size_t rlx_interner_held_bytes(const RlxInterner *interner) {
  return sizeof *interner + rlx_arena_held_bytes(interner->texts) +
         interner->names.capacity * sizeof(Entry) + interner->capacity * sizeof(RlxName) +
         (interner->letters.capacity + interner->marks.capacity) * sizeof(uint64_t);
}
