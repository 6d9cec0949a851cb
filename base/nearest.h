/// "Did you mean …?": the known word nearest to a misspelt one.
///
///     RlxNearest nearest = rlx_nearest_start(word);
///     for (each known word) rlx_nearest_try(&nearest, known);
///     if (nearest.best) …
#ifndef RLX_BASE_NEAREST_H
#define RLX_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`, in bytes;
/// any number above `limit` means "more than limit". Words longer than 64 bytes are far from all.
uint32_t rlx_edit_distance(const char *a, const char *b, uint32_t limit);

/// Which bytes a word has and how many, packed: words whose letters differ much are far apart.
uint64_t rlx_nearest_letters(const char *word);
/// The bit that says that a word has the byte.
uint64_t rlx_nearest_letter(char byte);

/// A search in progress; `best` is the first of the nearest words so far.
typedef struct RlxNearest {
  const char *word;
  const char *best; // NULL when nothing is near; belongs to who gave it
  bool is_tied;     // another word is as near: `best` is a guess between them
  uint32_t best_distance;
  uint64_t letters;
} RlxNearest;

/// A third of the word's length counts as near, at least 1; a single letter is near nothing.
RlxNearest rlx_nearest_start(const char *word);
/// True: the candidate is another word as near as `best`, which stays.
bool rlx_nearest_try(RlxNearest *nearest, const char *candidate);
/// False: a word of so many bytes is none that rlx_nearest_try would take.
bool rlx_nearest_may_have(const RlxNearest *nearest, size_t size);
/// The same of a word of these letters.
bool rlx_nearest_may_be(const RlxNearest *nearest, uint64_t letters);

#endif
