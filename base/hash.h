/// Hashing: xxHash for bytes, a mixer for numbers. Not for secrets; the same in every process.
#ifndef RLX_BASE_HASH_H
#define RLX_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/// Hash of `size` bytes; `seed` chains several parts.
static inline uint64_t rlx_hash_bytes(const void *bytes, size_t size, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, size, seed);
}

/// Hash of a number: every input bit reaches every output bit (splitmix64's finaliser).
static inline uint64_t rlx_hash_u64(uint64_t x) {
  x ^= x >> 30;
  x *= UINT64_C(0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  x *= UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/// Hash of a pair where order matters.
static inline uint64_t rlx_hash_mix(uint64_t a, uint64_t b) {
  return rlx_hash_u64(a + UINT64_C(0x9e3779b97f4a7c15) + rlx_hash_u64(b));
}

/// Hash of an address.
static inline uint64_t rlx_hash_ptr(const void *p) { return rlx_hash_u64((uint64_t)(uintptr_t)p); }

#endif
