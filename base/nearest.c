/// How far one word is from another (insertions, deletions, replacements and swapped neighbours),
/// and the nearest of many.
///
/// Always true: a candidate farther away than the limit is given up early, so a search among
/// thousands of names stays cheap.
#include "base/nearest.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LONGEST_WORD = 64 };

static uint32_t least_of(uint32_t a, uint32_t b) { return a < b ? a : b; }

uint32_t rlx_edit_distance(const char *a, const char *b, uint32_t limit) {
  const size_t a_size = strlen(a), b_size = strlen(b);
  const size_t gap = a_size > b_size ? a_size - b_size : b_size - a_size;
  if (a_size > LONGEST_WORD || b_size > LONGEST_WORD || gap > limit) return limit + 1;
  // Three rows of the optimal-string-alignment table: two back, one back, this one. Only cells
  // within `band` of the diagonal can count; those beside them are too far.
  const uint32_t band = least_of(limit, LONGEST_WORD), far = band + 1;
  uint32_t rows[3][LONGEST_WORD + 2], above_least = 0;
  for (size_t j = 0; j <= b_size; j++) rows[0][j] = (uint32_t)j;
  rows[0][b_size + 1] = far;
  for (size_t i = 1; i <= a_size; i++) {
    uint32_t *row = rows[i % 3];
    const uint32_t *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
    const size_t first = i > band ? i - band : 1, last = i + band < b_size ? i + band : b_size;
    uint32_t least = row[first - 1] = first == 1 ? (uint32_t)i : far;
    for (size_t j = first; j <= last; j++) {
      uint32_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
      best = least_of(best, least_of(above[j], row[j - 1]) + 1);
      bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) best = least_of(best, two_above[j - 2] + 1);
      row[j] = best;
      least = least_of(least, best);
    }
    row[last + 1] = far;
    if (least > limit && above_least > limit) return limit + 1; // a swap looks two rows back
    above_least = least;
  }
  return rows[a_size % 3][b_size];
}

enum { LETTER_BITS = 56, SIZE_SEEN = 255 }; // the size stands above them, up to a bound

uint64_t rlx_nearest_letter(char byte) { return UINT64_C(1) << (unsigned char)byte % LETTER_BITS; }

uint64_t rlx_nearest_letters(const char *word) {
  uint64_t letters = 0, size = 0;
  for (; word[size]; size++) letters |= rlx_nearest_letter(word[size]);
  return letters | (size < SIZE_SEEN ? size : SIZE_SEEN) << LETTER_BITS;
}

RlxNearest rlx_nearest_start(const char *word) {
  size_t size = strlen(word);
  uint32_t limit = size < 2 ? 0 : size < 6 ? 1 : size > LONGEST_WORD ? 0 : (uint32_t)(size / 3);
  return (RlxNearest){
      .word = word, .best_distance = limit + 1, .letters = rlx_nearest_letters(word)};
}

/// How many bits are set.
static uint32_t count_bits(uint64_t bits) { return (uint32_t)__builtin_popcountll(bits); }

/// What the distance of a word that counts is less than: it is nearer than the best, or as near.
static uint32_t bound_of(const RlxNearest *nearest) {
  return nearest->best_distance + (nearest->best != NULL);
}

bool rlx_nearest_may_have(const RlxNearest *nearest, size_t size) {
  const size_t own = nearest->letters >> LETTER_BITS;
  return size >= SIZE_SEEN || (own > size ? own - size : size - own) < bound_of(nearest);
}

bool rlx_nearest_may_be(const RlxNearest *nearest, uint64_t letters) {
  const uint64_t all = (UINT64_C(1) << LETTER_BITS) - 1, own = nearest->letters;
  const uint32_t most = bound_of(nearest);
  // A letter that the other word lacks takes an insertion, deletion or replacement of its own.
  return rlx_nearest_may_have(nearest, letters >> LETTER_BITS) &&
         count_bits(own & ~letters & all) < most && count_bits(letters & ~own & all) < most;
}

bool rlx_nearest_try(RlxNearest *nearest, const char *candidate) {
  if (nearest->best_distance == 0) return false;
  if (!rlx_nearest_may_be(nearest, rlx_nearest_letters(candidate))) return false;
  const uint32_t limit = nearest->best ? nearest->best_distance : nearest->best_distance - 1;
  uint32_t distance = rlx_edit_distance(nearest->word, candidate, limit);
  if (distance > limit) return false;
  if (nearest->best && distance == nearest->best_distance) {
    bool is_other = strcmp(nearest->best, candidate) != 0;
    nearest->is_tied |= is_other;
    return is_other;
  }
  nearest->best = candidate;
  nearest->is_tied = false;
  nearest->best_distance = distance;
  return false;
}
