/// Operators and reserved words by their spelling, for the hand-written reader of statements (syntax_fast.c).
#ifndef RLX_ANALYZER_SYNTAX_OPERATORS_H
#define RLX_ANALYZER_SYNTAX_OPERATORS_H

#include "analyzer/syntax/ast.h"

/// How tightly operators bind, loosest first. Source: Python's reference, 6.17.
enum {
  RLX_LEVEL_CONDITIONAL,
  RLX_LEVEL_OR,
  RLX_LEVEL_AND,
  RLX_LEVEL_NOT,
  RLX_LEVEL_COMPARISON,
  RLX_LEVEL_BITOR,
  RLX_LEVEL_BITXOR,
  RLX_LEVEL_BITAND,
  RLX_LEVEL_SHIFT,
  RLX_LEVEL_SUM,
  RLX_LEVEL_PRODUCT,
  RLX_LEVEL_SIGN,
  RLX_LEVEL_POWER,
};

/// The operator between two operands that begins at text[at], which is no blank, its level and its bytes; of `not in` and `is not`,
/// which may have more between their words, the level alone is right, with RLX_OP_NOT_IN or RLX_OP_IS. RLX_OP_NONE: there is none, or it
/// assigns.
RlxAstOp rlx_operator_at(const char *text, uint32_t size, uint32_t at, int *out_level,
                         uint32_t *out_size);

/// Whether the `size` bytes are a word that Python keeps for itself.
bool rlx_word_is_reserved(const char *word, uint32_t size);

#endif
