// A bound on the work of one parse that is the same on an idle and on a busy machine: tree-sitter itself offers a limit of
// time only, and what a file means must not depend on what else runs.
#ifndef RLX_GRAMMAR_BUDGET_H
#define RLX_GRAMMAR_BUDGET_H

#include <stddef.h>
#include <stdint.h>

/// How many tokens the parser may still look for. A usual script asks once or twice for each of its tokens; trying to make
/// sense of a broken one asks again and again. An error costs as much as RLX_LOOKS_OF_AN_ERROR of them, for tree-sitter then
/// tries all symbols of the grammar.
enum { RLX_LOOKS_OF_AN_ERROR = 2000 };

typedef struct {
  uint64_t left;   // not counted any more once it is 0
  uint64_t errors; // that were recovered from
  size_t is_spent; // for ts_parser_set_cancellation_flag; set with the last one
} RlxParseBudget;

/// What this thread's parses take from now on is taken from `budget`, which must live as long; NULL: they are not counted.
void tree_sitter_tvmscript_count_in(RlxParseBudget *budget);

#endif
