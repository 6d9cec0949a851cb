/// Hash maps with open addressing.
///
/// RlxMap     64-bit keys to 64-bit values; both are numbers or pointers
/// RlxStrMap  byte-string keys, copied, to 64-bit values
///
/// Always true: a map of zeroed bytes is empty; no key is there twice. The order of iteration
/// depends on the keys' bytes in RlxStrMap, and on addresses where keys are pointers, so nothing
/// printed may depend on it. Under `make stress` a map starts with two buckets.
#ifndef RLX_BASE_MAP_H
#define RLX_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct RlxMapEntry {
  uint64_t key;
  uint64_t value;
} RlxMapEntry;

typedef struct RlxMap {
  RlxMapEntry *at;   // `capacity` buckets; key 0 marks a free one
  uint32_t count;    // entries in buckets, the zero key not counted
  uint32_t capacity; // 0 or a power of two
  bool has_zero;     // key 0 is present, beside the buckets
  uint64_t zero_value;
} RlxMap;

/// True when `key` is present; then its value goes to `out` (may be NULL).
bool rlx_map_get(const RlxMap *map, uint64_t key, uint64_t *out);

/// Sets the value of `key`. True when the key is new.
bool rlx_map_put(RlxMap *map, uint64_t key, uint64_t value);

/// True when `key` was present.
bool rlx_map_remove(RlxMap *map, uint64_t key);

/// Number of keys.
uint32_t rlx_map_count(const RlxMap *map);

/// Steps through the entries: start with `cursor` 0, stop at false. The map must not change.
bool rlx_map_next(const RlxMap *map, uint32_t *cursor, RlxMapEntry *out);

void rlx_map_clear(RlxMap *map); // keeps the memory
void rlx_map_free(RlxMap *map);  // usable again

/// Numbers that stand in a list that grows; when they are many, a map knows them. Zeroed: none.
typedef struct RlxListed {
  RlxMap map;
  uint32_t count; ///< how many of the list are in the map
} RlxListed;

/// Whether `number` is one of the `count` in the list `at`, whose first ones are those of the call
/// before, or of none after rlx_listed_clear.
bool rlx_listed_has(RlxListed *listed, const uint32_t *at, uint32_t count, uint32_t number);
void rlx_listed_clear(RlxListed *listed); // when the list was
void rlx_listed_free(RlxListed *listed);

/// Value of a pointer key as a pointer; NULL when absent.
void *rlx_map_get_ptr(const RlxMap *map, const void *key);
/// Sets the value of a pointer key. True when the key is new.
bool rlx_map_put_ptr(RlxMap *map, const void *key, const void *value);
/// True when the key was there.
bool rlx_map_remove_ptr(RlxMap *map, const void *key);

typedef struct RlxStrMapEntry {
  char *key; // owned, NUL-terminated; NULL marks a free bucket
  size_t length;
  uint64_t hash;
  uint64_t value;
} RlxStrMapEntry;

typedef struct RlxStrMap {
  RlxStrMapEntry *at;
  uint32_t count;
  uint32_t capacity; // 0 or a power of two
} RlxStrMap;

/// As for RlxMap; a key is `length` bytes of any kind.
bool rlx_strmap_get(const RlxStrMap *map, const char *key, size_t length, uint64_t *out);
/// Sets the value of a key, which is copied; true when the key is new.
bool rlx_strmap_put(RlxStrMap *map, const char *key, size_t length, uint64_t value);
/// True when the key was there.
bool rlx_strmap_remove(RlxStrMap *map, const char *key, size_t length);
/// One entry after another, in no order: `*cursor` begins at 0. False: that was the last.
bool rlx_strmap_next(const RlxStrMap *map, uint32_t *cursor, RlxStrMapEntry *out);
void rlx_strmap_free(RlxStrMap *map);

#endif
