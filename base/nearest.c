#include "base/nearest.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LONGEST_WORD = 64 };

uint32_t rlx_edit_distance(const char *a, const char *b, uint32_t limit) {
  size_t a_size = strlen(a);
  size_t b_size = strlen(b);
  size_t gap = a_size > b_size ? a_size - b_size : b_size - a_size;
  if (a_size > LONGEST_WORD || b_size > LONGEST_WORD || gap > limit) return limit + 1;
  // Three rows of the optimal-string-alignment table: two back, one back, this one.
  uint32_t rows[3][LONGEST_WORD + 1];
  for (size_t j = 0; j <= b_size; j++) rows[0][j] = (uint32_t)j;
  for (size_t i = 1; i <= a_size; i++) {
    uint32_t *row = rows[i % 3];
    const uint32_t *above = rows[(i + 2) % 3];
    const uint32_t *two_above = rows[(i + 1) % 3];
    row[0] = (uint32_t)i;
    for (size_t j = 1; j <= b_size; j++) {
      uint32_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
      if (above[j] + 1 < best) best = above[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap && two_above[j - 2] + 1 < best) best = two_above[j - 2] + 1;
      row[j] = best;
    }
  }
  return rows[a_size % 3][b_size];
}

RlxNearest rlx_nearest_start(const char *word) {
  size_t size = strlen(word);
  uint32_t limit = size < 2 ? 0 : size < 6 ? 1 : size > LONGEST_WORD ? 0 : (uint32_t)(size / 3);
  return (RlxNearest){.word = word, .best_distance = limit + 1};
}

void rlx_nearest_try(RlxNearest *nearest, const char *candidate) {
  if (nearest->best_distance == 0) return;
  uint32_t distance = rlx_edit_distance(nearest->word, candidate, nearest->best_distance - 1);
  if (distance >= nearest->best_distance) return;
  nearest->best = candidate;
  nearest->best_distance = distance;
}
