/// What is wrong with the syntax of a text, by kind and place: what is said of it and what mends it follow from these.
#ifndef RLX_ANALYZER_PROBLEM_H
#define RLX_ANALYZER_PROBLEM_H

#include "analyzer/syntax/span.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum RlxSyntaxKind {
  RLX_SYNTAX_OTHER,
  RLX_SYNTAX_UNCLOSED,    ///< a bracket that is never closed
  RLX_SYNTAX_UNOPENED,    ///< one that closes nothing
  RLX_SYNTAX_STRING,      ///< a string that is never closed
  RLX_SYNTAX_WANTED,      ///< something certain is missing, or stands as something else
  RLX_SYNTAX_SEPARATOR,   ///< two values side by side
  RLX_SYNTAX_INDENTATION, ///< a line that fits no block
  RLX_SYNTAX_NO_BLOCK,    ///< a head without a suite
  RLX_SYNTAX_CLAUSE,      ///< `else` and the like without their statement
  RLX_SYNTAX_MISPLACED,   ///< a statement that cannot stand there
  RLX_SYNTAX_RETURN,      ///< `return` outside of functions
  RLX_SYNTAX_DECORATOR,   ///< a decorator of nothing
} RlxSyntaxKind;

typedef enum RlxSyntaxPlace {
  RLX_PLACE_BEHIND, ///< behind the problem's span
  RLX_PLACE_BEFORE,
  RLX_PLACE_INSTEAD, ///< of what stands in the span
} RlxSyntaxPlace;

typedef struct RlxSyntaxProblem {
  RlxSpan span;
  const char *text; ///< what is wrong, without a full stop; static
  /// CPython's parser accepts it, its compiler does not (`return` outside a function)
  bool is_late;
  uint8_t kind;       ///< RlxSyntaxKind
  uint8_t place;      ///< RlxSyntaxPlace of what is wanted
  const char *wanted; ///< WANTED: the text that belongs there; static
} RlxSyntaxProblem;
typedef Vec(RlxSyntaxProblem) RlxSyntaxProblems;

#endif
