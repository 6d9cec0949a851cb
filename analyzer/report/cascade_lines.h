/// Searches over the lines behind a place that go on where they stopped, so that asking for one
/// place after another reads each line once. Always true: the answers do not depend on what was
/// asked before.
#ifndef RLX_ANALYZER_CASCADE_LINES_H
#define RLX_ANALYZER_CASCADE_LINES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RlxLineSearch {
  uint64_t key;   ///< what is searched and from where; 0: nothing yet
  uint32_t upto;  ///< lines that begin up to here were looked at
  uint32_t found; ///< the first that is it; UINT32_MAX: none so far
} RlxLineSearch;

/// The blanks that the line around `at` begins with.
uint32_t rlx_line_indentation(const char *text, uint32_t size, uint32_t at);
/// Whether a line behind `from` and up to `to` begins a new decorator, function or class; at the
/// left margin only when `outermost`.
bool rlx_has_fresh_start(RlxLineSearch *search, const char *text, uint32_t from, uint32_t to,
                         bool outermost);
/// Whether all lines behind that of `from` up to that of `to` are indented deeper than `depth`;
/// closing brackets may stand as far left.
bool rlx_stays_inside(RlxLineSearch *search, const char *text, uint32_t size, uint32_t depth,
                      uint32_t from, uint32_t to);

#endif
