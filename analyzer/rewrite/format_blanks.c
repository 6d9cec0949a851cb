/// Edits that a reader cannot notice: blanks between two tokens of a simple statement. Always true: where this
/// says so, the tokens are what they were, by the places of the syntax and by the two characters beside the
/// edit alone; what it does not decide is for a parser.
#include "analyzer/rewrite/format_blanks.h"

#include <string.h>

#include "analyzer/syntax/document.h"
#include "base/text.h"

typedef struct Reader {
  const char *text;
  const RlxStmt *stmt;
  const RlxFormatEdit *edits;
  uint32_t count, next; ///< edits before `next` end before what is read
  uint32_t read_to;     ///< offset of the end of the last literal
} Reader;

static bool is_one_of(char c, const char *list) { return c && strchr(list, c); }

/// Whether the two characters belong to two tokens with and without blanks between them.
static bool stay_apart(char left, char right) {
  static const char brackets[] = "()[]{},", operators[] = "=<>!+-*/%&|^~@.:";
  const bool has_bracket = is_one_of(left, brackets) || is_one_of(right, brackets);
  if (has_bracket) return true;
  const bool is_word_left = rlx_text_in_name(left) || is_one_of(left, "\"'");
  const bool is_word_right = rlx_text_in_name(right) || is_one_of(right, "\"'");
  if (is_one_of(left, "=:")) return is_word_right || (left == '=' && is_one_of(right, "-+~"));
  if (is_one_of(right, "=:")) return is_word_left;
  return is_one_of(left, operators) && left != '.' ? is_word_right : false;
}

static bool is_all_blank(const char *text, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (text[i] != ' ' && text[i] != '\t') return false;
  return true;
}

static bool is_of_blanks(const char *text, const RlxStmt *stmt, const RlxFormatEdit *edit) {
  const RlxSpan span = edit->span;
  if (span.start <= stmt->start || span.end >= stmt->start + stmt->size ||
      !is_all_blank(text + span.start, span.end - span.start) ||
      !is_all_blank(edit->text, strlen(edit->text)))
    return false;
  const bool has_both = span.end > span.start && *edit->text;
  return has_both || stay_apart(text[span.start - 1], text[span.end]);
}

/// Whether no edit lies in the literal.
static bool pass_literal(Reader *r, RlxSpan span) {
  if (span.start < r->read_to) return false; // out of order
  r->read_to = span.end;
  while (r->next < r->count && r->edits[r->next].span.end <= span.start) r->next++;
  return r->next == r->count || r->edits[r->next].span.start >= span.end;
}

/// Whether no edit lies in a literal of the expression.
static bool pass(Reader *r, const RlxAst *ast, int depth) {
  enum { DEEP = 200 };
  if (!ast) return true;
  switch ((RlxAstKind)ast->kind) {
  case RLX_AST_INT:
  case RLX_AST_FLOAT:
  case RLX_AST_STRING: return pass_literal(r, rlx_stmt_absolute(r->stmt, ast->span));
  case RLX_AST_NAME:
  case RLX_AST_TRUE:
  case RLX_AST_FALSE:
  case RLX_AST_NONE:
  case RLX_AST_TUPLE:
  case RLX_AST_LIST:
  case RLX_AST_CALL:
  case RLX_AST_KEYWORD:
  case RLX_AST_ATTRIBUTE:
  case RLX_AST_SUBSCRIPT:
  case RLX_AST_UNARY:
  case RLX_AST_BINARY: break;
  case RLX_AST_HOLE:
  case RLX_AST_IMAGINARY:
  case RLX_AST_BYTES:
  case RLX_AST_FSTRING:
  case RLX_AST_ELLIPSIS:
  case RLX_AST_SET:
  case RLX_AST_DICT:
  case RLX_AST_SLICE:
  case RLX_AST_BOOL_OP:
  case RLX_AST_COMPARE:
  case RLX_AST_CONDITIONAL:
  case RLX_AST_LAMBDA:
  case RLX_AST_STARRED:
  case RLX_AST_DOUBLE_STARRED:
  case RLX_AST_COMPREHENSION:
  case RLX_AST_COMP_FOR:
  case RLX_AST_COMP_IF:
  case RLX_AST_NAMED:
  case RLX_AST_AWAIT:
  case RLX_AST_YIELD: return false;
  }
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (depth == DEEP || !pass(r, ast->children[i], depth + 1)) return false;
  return true;
}

bool rlx_only_blanks_change(const char *text, const RlxStmt *stmt, const RlxFormatEdit *edits,
                            uint32_t count) {
  const bool is_usual = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED ||
                        stmt->kind == RLX_STMT_EXPR || stmt->kind == RLX_STMT_RETURN;
  if (!is_usual || stmt->has_error || stmt->reading) return false;
  if (memchr(text + stmt->start, '#', stmt->size)) return false; // a comment on one of its lines
  for (uint32_t i = 0; i < count; i++)
    if (!is_of_blanks(text, stmt, &edits[i])) return false;
  Reader r = {.text = text, .stmt = stmt, .edits = edits, .count = count};
  for (uint32_t i = 0; i < stmt->target_count; i++)
    if (!pass(&r, stmt->targets[i], 0)) return false;
  return pass(&r, stmt->annotation, 0) && pass(&r, stmt->value, 0);
}
