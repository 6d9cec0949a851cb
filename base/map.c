/// Open addressing with linear probing, at most three quarters full.
///
/// Always true: a table has a free bucket, so every search ends; removing a key moves later keys of
/// its run up, so there are no tombstones.
#include "base/map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

#ifdef RLX_STRESS
enum { FIRST_CAPACITY = 2 };
#else
enum { FIRST_CAPACITY = 16 };
#endif

/// Whether a table of `capacity` buckets must grow before it takes one more: at most 3/4 full, and
/// never quite full, so that every search ends at a free bucket.
static bool is_crowded(uint32_t count, uint32_t capacity) {
  return (uint64_t)(count + 1) * 4 > (uint64_t)capacity * 3;
}

static uint32_t next_capacity(uint32_t capacity) {
  if (capacity > UINT32_MAX / 4) rlx_mem_exhausted(SIZE_MAX);
  return capacity ? capacity * 2 : FIRST_CAPACITY;
}

/// Bucket of `key`, or the free one where it belongs. The table has a free bucket.
static uint32_t map_find(const RlxMap *map, uint64_t key) {
  uint32_t mask = map->capacity - 1;
  uint32_t i = (uint32_t)rlx_hash_u64(key) & mask;
  while (map->at[i].key != 0 && map->at[i].key != key) i = (i + 1) & mask;
  return i;
}

bool rlx_map_get(const RlxMap *map, uint64_t key, uint64_t *out) {
  if (key == 0) {
    if (map->has_zero && out) *out = map->zero_value;
    return map->has_zero;
  }
  if (map->count == 0) return false;
  uint32_t i = map_find(map, key);
  if (map->at[i].key == 0) return false;
  if (out) *out = map->at[i].value;
  return true;
}

static void map_grow(RlxMap *map) {
  RlxMap bigger = *map;
  bigger.capacity = next_capacity(map->capacity);
  bigger.at = rlx_mem_zeroed(bigger.capacity, sizeof *bigger.at);
  for (uint32_t i = 0; i < map->capacity; i++) {
    if (map->at[i].key != 0) bigger.at[map_find(&bigger, map->at[i].key)] = map->at[i];
  }
  free(map->at);
  *map = bigger;
}

bool rlx_map_put(RlxMap *map, uint64_t key, uint64_t value) {
  if (key == 0) {
    bool is_new = !map->has_zero;
    map->has_zero = true;
    map->zero_value = value;
    return is_new;
  }
  if (is_crowded(map->count, map->capacity)) map_grow(map);
  uint32_t i = map_find(map, key);
  bool is_new = map->at[i].key == 0;
  map->at[i] = (RlxMapEntry){key, value};
  map->count += is_new;
  return is_new;
}

bool rlx_map_remove(RlxMap *map, uint64_t key) {
  if (key == 0) {
    bool was = map->has_zero;
    map->has_zero = false;
    return was;
  }
  if (map->count == 0) return false;
  uint32_t mask = map->capacity - 1;
  uint32_t hole = map_find(map, key);
  if (map->at[hole].key == 0) return false;
  // Move later entries of the run back into the hole, unless that puts them before their home.
  for (uint32_t i = (hole + 1) & mask; map->at[i].key != 0; i = (i + 1) & mask) {
    uint32_t home = (uint32_t)rlx_hash_u64(map->at[i].key) & mask;
    if (((i - home) & mask) < ((i - hole) & mask)) continue;
    map->at[hole] = map->at[i];
    hole = i;
  }
  map->at[hole].key = 0;
  map->count--;
  return true;
}

uint32_t rlx_map_count(const RlxMap *map) { return map->count + map->has_zero; }

bool rlx_map_next(const RlxMap *map, uint32_t *cursor, RlxMapEntry *out) {
  for (; *cursor < map->capacity; ++*cursor) {
    if (map->at[*cursor].key == 0) continue;
    *out = map->at[(*cursor)++];
    return true;
  }
  if (*cursor > map->capacity || !map->has_zero) return false;
  ++*cursor;
  *out = (RlxMapEntry){0, map->zero_value};
  return true;
}

void rlx_map_clear(RlxMap *map) {
  if (map->count) memset(map->at, 0, map->capacity * sizeof *map->at);
  map->count = 0;
  map->has_zero = false;
}

void rlx_map_free(RlxMap *map) {
  free(map->at);
  *map = (RlxMap){0};
}

bool rlx_listed_has(RlxListed *listed, const uint32_t *at, uint32_t count, uint32_t number) {
  enum { MANY = 32 };
  if (count >= MANY) {
    for (; listed->count < count; listed->count++) rlx_map_put(&listed->map, at[listed->count], 1);
    return rlx_map_get(&listed->map, number, NULL);
  }
  for (uint32_t i = count; i-- > 0;)
    if (at[i] == number) return true;
  return false;
}

void rlx_listed_clear(RlxListed *listed) {
  if (listed->count) rlx_map_free(&listed->map);
  listed->count = 0;
}

void rlx_listed_free(RlxListed *listed) {
  rlx_map_free(&listed->map);
  listed->count = 0;
}

void *rlx_map_get_ptr(const RlxMap *map, const void *key) {
  uint64_t value = 0;
  return rlx_map_get(map, (uintptr_t)key, &value) ? (void *)(uintptr_t)value : NULL;
}

bool rlx_map_put_ptr(RlxMap *map, const void *key, const void *value) {
  return rlx_map_put(map, (uintptr_t)key, (uintptr_t)value);
}

bool rlx_map_remove_ptr(RlxMap *map, const void *key) {
  return rlx_map_remove(map, (uintptr_t)key);
}

static uint32_t strmap_find(const RlxStrMap *map, const char *key, size_t length, uint64_t hash) {
  uint32_t mask = map->capacity - 1;
  uint32_t i = (uint32_t)hash & mask;
  for (; map->at[i].key; i = (i + 1) & mask) {
    const RlxStrMapEntry *e = &map->at[i];
    if (e->hash == hash && e->length == length &&
        (length == 0 || memcmp(e->key, key, length) == 0)) {
      break;
    }
  }
  return i;
}

bool rlx_strmap_get(const RlxStrMap *map, const char *key, size_t length, uint64_t *out) {
  if (map->count == 0) return false;
  uint32_t i = strmap_find(map, key, length, rlx_hash_bytes(key, length, 0));
  if (!map->at[i].key) return false;
  if (out) *out = map->at[i].value;
  return true;
}

static void strmap_grow(RlxStrMap *map) {
  RlxStrMap bigger = *map;
  bigger.capacity = next_capacity(map->capacity);
  bigger.at = rlx_mem_zeroed(bigger.capacity, sizeof *bigger.at);
  for (uint32_t i = 0; i < map->capacity; i++) {
    const RlxStrMapEntry *e = &map->at[i];
    if (e->key) bigger.at[strmap_find(&bigger, e->key, e->length, e->hash)] = *e;
  }
  free(map->at);
  *map = bigger;
}

bool rlx_strmap_put(RlxStrMap *map, const char *key, size_t length, uint64_t value) {
  if (is_crowded(map->count, map->capacity)) strmap_grow(map);
  uint64_t hash = rlx_hash_bytes(key, length, 0);
  RlxStrMapEntry *e = &map->at[strmap_find(map, key, length, hash)];
  bool is_new = !e->key;
  if (is_new) {
    *e = (RlxStrMapEntry){rlx_mem_strndup(key, length), length, hash, 0};
    map->count++;
  }
  e->value = value;
  return is_new;
}

bool rlx_strmap_remove(RlxStrMap *map, const char *key, size_t length) {
  if (map->count == 0) return false;
  uint32_t mask = map->capacity - 1;
  uint32_t hole = strmap_find(map, key, length, rlx_hash_bytes(key, length, 0));
  if (!map->at[hole].key) return false;
  free(map->at[hole].key);
  for (uint32_t i = (hole + 1) & mask; map->at[i].key; i = (i + 1) & mask) {
    uint32_t home = (uint32_t)map->at[i].hash & mask;
    if (((i - home) & mask) < ((i - hole) & mask)) continue;
    map->at[hole] = map->at[i];
    hole = i;
  }
  map->at[hole].key = NULL;
  map->count--;
  return true;
}

bool rlx_strmap_next(const RlxStrMap *map, uint32_t *cursor, RlxStrMapEntry *out) {
  for (; *cursor < map->capacity; ++*cursor) {
    if (!map->at[*cursor].key) continue;
    *out = map->at[(*cursor)++];
    return true;
  }
  return false;
}

void rlx_strmap_free(RlxStrMap *map) {
  for (uint32_t i = 0; i < map->capacity; i++) free(map->at[i].key);
  free(map->at);
  *map = (RlxStrMap){0};
}
