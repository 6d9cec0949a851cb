// Operators and reserved words by their spelling.

#include "analyzer/syntax/syntax_operators.h"

#include <string.h>

#include "base/text.h"

typedef struct Spelling {
  const char *text;
  uint8_t op, level;
} Spelling;

// A longer spelling stands before its beginning.
static const Spelling spellings[] = {
    {"**", RLX_OP_POW, RLX_LEVEL_POWER},
    {"//", RLX_OP_FLOORDIV, RLX_LEVEL_PRODUCT},
    {"<<", RLX_OP_SHL, RLX_LEVEL_SHIFT},
    {">>", RLX_OP_SHR, RLX_LEVEL_SHIFT},
    {"<>", RLX_OP_NONE, 0},
    {"<=", RLX_OP_LE, RLX_LEVEL_COMPARISON},
    {">=", RLX_OP_GE, RLX_LEVEL_COMPARISON},
    {"==", RLX_OP_EQ, RLX_LEVEL_COMPARISON},
    {"!=", RLX_OP_NE, RLX_LEVEL_COMPARISON},
    {"<", RLX_OP_LT, RLX_LEVEL_COMPARISON},
    {">", RLX_OP_GT, RLX_LEVEL_COMPARISON},
    {"+", RLX_OP_ADD, RLX_LEVEL_SUM},
    {"-", RLX_OP_SUB, RLX_LEVEL_SUM},
    {"*", RLX_OP_MUL, RLX_LEVEL_PRODUCT},
    {"/", RLX_OP_DIV, RLX_LEVEL_PRODUCT},
    {"%", RLX_OP_MOD, RLX_LEVEL_PRODUCT},
    {"@", RLX_OP_MATMUL, RLX_LEVEL_PRODUCT},
    {"&", RLX_OP_BITAND, RLX_LEVEL_BITAND},
    {"^", RLX_OP_BITXOR, RLX_LEVEL_BITXOR},
    {"|", RLX_OP_BITOR, RLX_LEVEL_BITOR},
    {"or", RLX_OP_OR, RLX_LEVEL_OR},
    {"and", RLX_OP_AND, RLX_LEVEL_AND},
    {"in", RLX_OP_IN, RLX_LEVEL_COMPARISON},
    {"is", RLX_OP_IS, RLX_LEVEL_COMPARISON},
    {"not", RLX_OP_NOT_IN, RLX_LEVEL_COMPARISON},
};

/// Whether `spelling` stands at text[at], a word as a whole word.
static bool stands_at(const char *text, uint32_t size, uint32_t at, const char *spelling) {
  const size_t length = strlen(spelling);
  if (length > size - at || memcmp(text + at, spelling, length) != 0) return false;
  const bool is_word = rlx_text_in_name(spelling[0]);
  return !is_word || at + length == size || !rlx_text_in_name(text[at + length]);
}

RlxAstOp rlx_operator_at(const char *text, uint32_t size, uint32_t at, int *out_level,
                         uint32_t *out_size) {
  if (at >= size || !strchr("*/<>=!+-%@&^|oain", text[at])) return RLX_OP_NONE;
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
    const Spelling *one = &spellings[i];
    if (one->text[0] != text[at] || !stands_at(text, size, at, one->text)) continue;
    *out_level = one->level;
    *out_size = (uint32_t)strlen(one->text);
    const bool assigns =
        one->level > RLX_LEVEL_COMPARISON && at + *out_size < size && text[at + *out_size] == '=';
    return assigns ? RLX_OP_NONE : (RlxAstOp)one->op;
  }
  return RLX_OP_NONE;
}

bool rlx_word_is_reserved(const char *word, uint32_t size) {
  static const char *const words[] = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  if (size > 8) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i][0] == word[0] && strlen(words[i]) == size && memcmp(words[i], word, size) == 0)
      return true;
  return false;
}
