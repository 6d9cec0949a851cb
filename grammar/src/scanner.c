// What a context-free grammar cannot say about Python: line ends, indentation, and where both do
// not count.
//
// The scanner is asked before every token (the grammar's `_anywhere`), because outside of brackets
// a line end must be a token also where nobody expects one: `x = ` must not take its value from the
// next line. It counts open brackets, which is why it and not the generated lexer produces them.
// Everything else it leaves to that lexer.
//
// What always holds: _newline, _indent and _dedent are empty and stand at the end of the last
// statement, so nodes end where their text ends; blank lines and comments are skipped afterwards as
// extras. The state is only the bracket depth and the stack of indentations; it does not depend on
// positions, so that unchanged text can be reused.
#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../budget.h"

/// The externals, in the order of grammar.js.
enum Token {
  NEWLINE,
  INDENT,
  DEDENT,
  BASE_INDENT,
  LINE_START,
  INTERPOLATION_OPEN,
  OPEN_PAREN,
  CLOSE_PAREN,
  OPEN_SQUARE,
  CLOSE_SQUARE,
  OPEN_BRACE,
  CLOSE_BRACE,
  IDENTIFIER,
  HEAD_END,
  ANYWHERE,
  NEVER,
  UNEXPECTED_INDENT,
};

enum { MAX_LEVELS = 100, MAX_WIDTH = 255, MAX_DEPTH = 63, MAX_WORD = 12, TAB_WIDTH = 8 };

/// How far the scanner looks where it may be asked again at every line, so that no file takes
/// quadratic time.
enum { ALL = UINT_MAX / 2, SOME_COMMENTS = 200, SOME_CHARS = 4096 };

/// Width of one line's indentation with tabs to the next multiple of eight (`wide`) and of one
/// (`narrow`). Python demands that both ways of counting agree on what is deeper. Both stop at
/// MAX_WIDTH.
typedef struct {
  uint8_t wide, narrow;
} Indentation;

/// A level with `narrow` zero was not expected: the parser knows nothing of it and gets no dedent
/// for it. It keeps one wrong indentation from being reported on every line, and is dropped when a
/// line further left is met. `level[0]` is the base: zero in a file; in a fragment whatever its
/// first line has.
typedef struct {
  uint8_t depth;  // open brackets, stops at MAX_DEPTH
  uint8_t ended;  // while recovering: how often the line end at hand was already given to the
                  // parser, at most 2
  uint8_t levels; // at least 1
  Indentation level[MAX_LEVELS];
} Scanner;

/// What follows a line end: the first line that is neither blank nor, unless asked for, a comment.
typedef struct {
  Indentation indentation;
  bool at_end, comment, closer, keyword;
} NextLine;

static Indentation top(const Scanner *s) { return s->level[s->levels - 1]; }

static bool is_word(int32_t c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         c >= 0x80;
}

static bool is_unexpected(Indentation at) { return at.wide > 0 && at.narrow == 0; }

/// Drops the unexpected levels that a line indented `to` has left. With `or_level` also those that
/// it stands on.
static void drop_unexpected(Scanner *s, Indentation to, bool or_level) {
  while (s->levels > 1 && is_unexpected(top(s)) &&
         (to.wide < top(s).wide || (or_level && to.wide == top(s).wide)))
    s->levels--;
}

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool is_quote(int32_t c) { return c == '"' || c == '\''; }

static bool is_line_end(const TSLexer *lexer) {
  return lexer->lookahead == '\n' || lexer->lookahead == '\r';
}

static void skip(TSLexer *lexer) { lexer->advance(lexer, true); }

static void widen(Indentation *at, int32_t c) {
  if (c == '\f') {
    *at = (Indentation){0, 0};
    return;
  }
  unsigned wide = c == '\t' ? (at->wide / TAB_WIDTH + 1u) * TAB_WIDTH : at->wide + 1u;
  at->wide = (uint8_t)(wide > MAX_WIDTH ? MAX_WIDTH : wide);
  if (at->narrow < MAX_WIDTH) at->narrow++;
}

/// Skips from a line end, or the start of the file, to the first character of the next line with
/// code; stops, too, at a line with nothing but a comment when `comments` such lines were passed.
static NextLine next_line(TSLexer *lexer, unsigned comments) {
  NextLine line = {0};
  for (;;) {
    int32_t c = lexer->lookahead;
    if (c == '\n' || c == '\r') {
      line.indentation = (Indentation){0, 0};
      skip(lexer);
    } else if (c == ' ' || c == '\t' || c == '\f') {
      widen(&line.indentation, c);
      skip(lexer);
    } else if (c == '#' && comments > 0) {
      comments--;
      while (!is_line_end(lexer) && !lexer->eof(lexer)) skip(lexer);
    } else {
      break;
    }
  }
  line.at_end = lexer->eof(lexer);
  if (line.at_end) line.indentation = (Indentation){0, 0};
  line.comment = lexer->lookahead == '#';
  line.closer = lexer->lookahead == ')' || lexer->lookahead == ']' || lexer->lookahead == '}';
  return line;
}

/// Reads a word of at most MAX_WORD - 1 ASCII letters into `word`; a longer or other one reads as
/// "".
static void read_word(TSLexer *lexer, char word[MAX_WORD]) {
  unsigned n = 0;
  bool plain = true;
  for (; is_word(lexer->lookahead); n++) {
    if (n < MAX_WORD - 1 && lexer->lookahead < 0x80)
      word[n] = (char)lexer->lookahead;
    else
      plain = false;
    lexer->advance(lexer, false);
  }
  word[plain ? n : 0] = 0;
}

static bool is_one_of(const char *word, const char *const *words) {
  for (; *words; words++) {
    if (strcmp(word, *words) == 0) return true;
  }
  return false;
}

/// Words that begin a statement and cannot stand inside brackets.
static const char *const statement_words[] = {"assert", "break",    "class",  "continue", "def",
                                              "del",    "elif",     "except", "finally",  "global",
                                              "import", "nonlocal", "pass",   "raise",    "return",
                                              "try",    "while",    "with",   NULL};

/// Words that can follow an expression.
static const char *const infix_words[] = {"and", "as",     "async", "case", "else", "for", "from",
                                          "if",  "import", "in",    "is",   "not",  "or",  NULL};

static bool emit(Scanner *s, TSLexer *lexer, enum Token token) {
  s->ended = 0;
  lexer->result_symbol = (TSSymbol)token;
  return true;
}

static bool emit_newline(Scanner *s, TSLexer *lexer) {
  s->depth = 0;
  return emit(s, lexer, NEWLINE);
}

static bool emit_indent(Scanner *s, TSLexer *lexer, Indentation to) {
  s->depth = 0;
  if (s->levels < MAX_LEVELS) s->level[s->levels++] = to;
  return emit(s, lexer, INDENT);
}

static void push_unexpected(Scanner *s, Indentation to) {
  if (s->levels < MAX_LEVELS) s->level[s->levels++] = (Indentation){to.wide, 0};
}

/// An indentation that no rule of the grammar takes.
static bool emit_unexpected(Scanner *s, TSLexer *lexer) {
  lexer->mark_end(lexer);
  return emit(s, lexer, UNEXPECTED_INDENT);
}

static bool emit_dedent(Scanner *s, TSLexer *lexer) {
  s->depth = 0;
  s->levels--;
  return emit(s, lexer, DEDENT);
}

/// Consumes the bracket at hand and counts it.
static bool emit_bracket(Scanner *s, TSLexer *lexer, enum Token token, bool open) {
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  if (open && s->depth < MAX_DEPTH) s->depth++;
  if (!open && s->depth > 0) s->depth--;
  return emit(s, lexer, token);
}

/// The bracket at hand, if there is one and the parser can use it.
static bool scan_bracket(Scanner *s, TSLexer *lexer, const bool *valid) {
  switch (lexer->lookahead) {
  case '(': return valid[OPEN_PAREN] && emit_bracket(s, lexer, OPEN_PAREN, true);
  case ')': return valid[CLOSE_PAREN] && emit_bracket(s, lexer, CLOSE_PAREN, false);
  case '[': return valid[OPEN_SQUARE] && emit_bracket(s, lexer, OPEN_SQUARE, true);
  case ']': return valid[CLOSE_SQUARE] && emit_bracket(s, lexer, CLOSE_SQUARE, false);
  case '{': return valid[OPEN_BRACE] && emit_bracket(s, lexer, OPEN_BRACE, true);
  case '}': return valid[CLOSE_BRACE] && emit_bracket(s, lexer, CLOSE_BRACE, false);
  default: return false;
  }
}

/// Between the quotes of an f-string: only an open brace that is not doubled concerns us. In a
/// format specification
/// (`CLOSE_BRACE` is valid, too) braces cannot be doubled.
static bool scan_format_text(Scanner *s, TSLexer *lexer, const bool *valid) {
  if (lexer->lookahead == '}' && valid[CLOSE_BRACE])
    return emit_bracket(s, lexer, CLOSE_BRACE, false);
  if (lexer->lookahead != '{') return false;
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  if (lexer->lookahead == '{' && !valid[CLOSE_BRACE]) return false;
  if (s->depth < MAX_DEPTH) s->depth++;
  return emit(s, lexer, INTERPOLATION_OPEN);
}

/// At the end of a line, where a statement or a clause may start: the end of blocks, and lines
/// indented for no reason.
static bool scan_line_start(Scanner *s, TSLexer *lexer, const bool *valid) {
  NextLine line = next_line(lexer, 0);
  bool skipped = false;
  if (line.comment) {
    // A comment belongs to the block unless both it and the code after it stand further left.
    if (line.indentation.wide >= top(s).wide) return false;
    skipped = true;
    line = next_line(lexer, SOME_COMMENTS);
    if (line.comment) return false;
  }
  Indentation to = line.indentation;
  drop_unexpected(s, to, false);
  if (to.wide < top(s).wide && s->levels > 1) {
    // Between two levels: stays in the block, so that the next line is right again.
    if (to.wide > s->level[s->levels - 2].wide) return emit_unexpected(s, lexer);
    return emit_dedent(s, lexer);
  }
  if (line.at_end) return false;
  if (to.wide > top(s).wide) {
    push_unexpected(s, to);
    return emit_unexpected(s, lexer);
  }
  if (to.wide < top(s).wide || (to.narrow != top(s).narrow && !is_unexpected(top(s))))
    return emit_unexpected(s, lexer);
  return !skipped && scan_bracket(s, lexer, valid);
}

/// At the end of a line that ends a statement or its head, or should not end here.
static bool scan_line_end(Scanner *s, TSLexer *lexer, const bool *valid) {
  if (valid[NEWLINE] || (!valid[INDENT] && !valid[HEAD_END])) return emit_newline(s, lexer);
  NextLine line = next_line(lexer, ALL);
  drop_unexpected(s, line.indentation, true);
  if (line.indentation.wide > top(s).wide && line.indentation.narrow > top(s).narrow)
    return emit_indent(s, lexer, line.indentation);
  return emit_newline(s, lexer);
}

/// Words after which an expression goes on in the next line.
static const char *const open_words[] = {"and",    "as",   "async", "await", "else",
                                         "for",    "from", "if",    "in",    "is",
                                         "lambda", "not",  "or",    "yield", NULL};

/// Skips a string whose first quote is at hand. False when it does not end where it should, or
/// within `*chars`.
static bool skip_string(TSLexer *lexer, unsigned *chars) {
  int32_t quote = lexer->lookahead;
  unsigned quotes = 0;
  for (; quotes < 3 && lexer->lookahead == quote; quotes++) lexer->advance(lexer, false);
  if (quotes == 2) return true;
  for (unsigned run = 0; run < quotes;) {
    if (lexer->eof(lexer) || (quotes == 1 && is_line_end(lexer)) || (*chars)-- == 0) return false;
    run = lexer->lookahead == quote ? run + 1 : 0;
    if (lexer->lookahead == '\\') lexer->advance(lexer, false);
    lexer->advance(lexer, false);
  }
  return true;
}

/// Reads to the end of the logical line at hand, if that is near, and says whether an expression
/// could end there. `word` has what was read of it, `colon` gets whether its last character is one.
static bool read_logical_line(TSLexer *lexer, char word[MAX_WORD], bool *colon) {
  unsigned depth = 0, chars = SOME_CHARS;
  bool ends = !is_one_of(word, open_words);
  *colon = false;
  while (chars-- > 0) {
    int32_t c = lexer->lookahead;
    if (lexer->eof(lexer)) return ends;
    if (is_line_end(lexer) && depth == 0) return ends;
    if (is_word(c)) {
      read_word(lexer, word);
      ends = !is_one_of(word, open_words);
      *colon = false;
      continue;
    }
    if (is_quote(c)) {
      if (!skip_string(lexer, &chars)) return false;
      ends = true;
      *colon = false;
      continue;
    }
    if (c == '#') {
      while (!is_line_end(lexer) && !lexer->eof(lexer)) lexer->advance(lexer, false);
      continue;
    }
    if (c == '(' || c == '[' || c == '{') depth++;
    if ((c == ')' || c == ']' || c == '}') && depth-- == 0) return false;
    if (c != ' ' && c != '\t' && !is_line_end(lexer)) {
      ends = c == ')' || c == ']' || c == '}';
      *colon = c == ':';
    }
    lexer->advance(lexer, false);
  }
  *colon = false;
  return false;
}

/// Inside brackets, at the first word of a line that stands no further right than the statement:
/// whether it must be the next statement. It is when it ends like an expression, without a comma,
/// and the line after it begins with a name.
static bool begins_statement(TSLexer *lexer, char word[MAX_WORD]) {
  bool colon;
  if (!read_logical_line(lexer, word, &colon)) return colon;
  NextLine next = next_line(lexer, SOME_COMMENTS);
  if (next.at_end || lexer->lookahead == '@') return true;
  if (!is_word(lexer->lookahead) || is_digit(lexer->lookahead)) return false;
  read_word(lexer, word);
  if (is_quote(lexer->lookahead)) return false;
  if (!is_one_of(word, infix_words)) return true;
  read_logical_line(lexer, word, &colon);
  return colon;
}

/// At the end of a line inside brackets: it counts only if the next line cannot continue the
/// expression.
static bool scan_line_inside(Scanner *s, TSLexer *lexer, const bool *valid) {
  NextLine line = next_line(lexer, 0);
  if (line.comment) return false;
  if (line.at_end) return emit_newline(s, lexer);
  if (!is_word(lexer->lookahead) || is_digit(lexer->lookahead))
    return scan_bracket(s, lexer, valid);
  char word[MAX_WORD];
  read_word(lexer, word);
  if (is_one_of(word, statement_words)) return emit_newline(s, lexer);
  // A name where an operator, a comma or the closing bracket should be. The quote is for string
  // prefixes.
  bool stray = !valid[IDENTIFIER] && !is_one_of(word, infix_words) && !is_quote(lexer->lookahead);
  if (!stray && line.indentation.wide <= top(s).wide && !is_quote(lexer->lookahead))
    stray = begins_statement(lexer, word);
  return stray && emit_newline(s, lexer);
}

/// At the end of a line while the parser looks for a place to go on: gives it, one after the other,
/// a line end, the ends of blocks, and a statement's start, which every enclosing block can take,
/// so that at most the line is lost. All are empty; `ended` sees to it that they come to an end.
static bool scan_line_recovering(Scanner *s, TSLexer *lexer) {
  unsigned ended = s->ended;
  NextLine line = next_line(lexer, ALL);
  Indentation to = line.indentation;
  if (s->depth > 0 && !line.at_end) {
    if (line.closer) return false;
    if (to.wide > top(s).wide) {
      char word[MAX_WORD];
      read_word(lexer, word);
      if (!is_one_of(word, statement_words)) return false;
    }
  }
  drop_unexpected(s, to, false);
  if (ended > 1) return false;
  if (ended == 0) {
    emit_newline(s, lexer);
    s->ended = 1;
  } else if (to.wide < top(s).wide && s->levels > 1) {
    emit_dedent(s, lexer);
    s->ended = 1;
  } else {
    emit(s, lexer, LINE_START);
    s->ended = 2;
  }
  return true;
}

/// A word where only an operator can stand. The lexer would take `in` off the front of `index`.
static bool scan_infix_word(Scanner *s, TSLexer *lexer) {
  char word[MAX_WORD];
  read_word(lexer, word);
  lexer->mark_end(lexer);
  if (is_quote(lexer->lookahead)) return false;
  return !is_one_of(word, infix_words) && !is_one_of(word, statement_words) &&
         emit(s, lexer, IDENTIFIER);
}

static bool scan(Scanner *s, TSLexer *lexer, const bool *valid) {
  bool recovering = valid[UNEXPECTED_INDENT];
  if (valid[INTERPOLATION_OPEN] && !recovering) return scan_format_text(s, lexer, valid);
  if (!recovering && (valid[LINE_START] || valid[NEWLINE])) s->depth = 0;

  if (valid[BASE_INDENT] && !recovering) {
    lexer->mark_end(lexer);
    NextLine line = next_line(lexer, 0);
    if (line.comment) return false;
    if (line.at_end || line.indentation.wide == 0) return scan_bracket(s, lexer, valid);
    s->level[0] = line.indentation;
    return emit(s, lexer, BASE_INDENT);
  }

  lexer->mark_end(lexer);
  for (;;) {
    int32_t c = lexer->lookahead;
    if (c == ' ' || c == '\t' || c == '\f') {
      skip(lexer);
    } else if (c == '\\') {
      skip(lexer);
      if (lexer->lookahead == '\r') skip(lexer);
      if (lexer->lookahead != '\n') return false;
      skip(lexer);
    } else {
      break;
    }
  }
  int32_t c = lexer->lookahead;
  if (is_line_end(lexer) || (c == 0 && lexer->eof(lexer))) {
    lexer->mark_end(lexer);
    if (recovering) return scan_line_recovering(s, lexer);
    if (valid[LINE_START]) return scan_line_start(s, lexer, valid);
    if (s->depth > 0) return scan_line_inside(s, lexer, valid);
    return scan_line_end(s, lexer, valid);
  }
  if (!valid[IDENTIFIER] && is_word(c) && !is_digit(c)) return scan_infix_word(s, lexer);
  return scan_bracket(s, lexer, valid);
}

void *tree_sitter_tvmscript_external_scanner_create(void);
void tree_sitter_tvmscript_external_scanner_destroy(void *payload);
unsigned tree_sitter_tvmscript_external_scanner_serialize(void *payload, char *buffer);
void tree_sitter_tvmscript_external_scanner_deserialize(void *payload, const char *buffer,
                                                        unsigned length);
bool tree_sitter_tvmscript_external_scanner_scan(void *payload, TSLexer *lexer,
                                                 const bool *valid_symbols);

// tree-sitter gives a scanner nothing of who parses, so that it can only be asked for by thread.
static _Thread_local RlxParseBudget *budget;

void tree_sitter_tvmscript_count_in(RlxParseBudget *of_thread) { budget = of_thread; }

void *tree_sitter_tvmscript_external_scanner_create(void) {
  Scanner *s = ts_calloc(1, sizeof *s);
  if (s) s->levels = 1; // with tree-sitter's allocator it is never NULL
  return s;
}

void tree_sitter_tvmscript_external_scanner_destroy(void *payload) { ts_free(payload); }

/// One byte for depth and flag, then the levels without the base if that is zero.
unsigned tree_sitter_tvmscript_external_scanner_serialize(void *payload, char *buffer) {
  const Scanner *s = payload;
  buffer[0] = (char)(s->depth << 2 | s->ended);
  size_t size = s->levels * sizeof(Indentation);
  memcpy(buffer + 1, s->level, size);
  return (unsigned)(1 + size);
}

void tree_sitter_tvmscript_external_scanner_deserialize(void *payload, const char *buffer,
                                                        unsigned length) {
  Scanner *s = payload;
  s->depth = 0;
  s->ended = 0;
  s->levels = 1;
  s->level[0] = (Indentation){0, 0};
  if (length < 1 + sizeof(Indentation)) return;
  s->depth = (uint8_t)buffer[0] >> 2;
  s->ended = (uint8_t)buffer[0] & 3;
  s->levels = (uint8_t)((length - 1) / sizeof(Indentation));
  memcpy(s->level, buffer + 1, length - 1);
}

bool tree_sitter_tvmscript_external_scanner_scan(void *payload, TSLexer *lexer,
                                                 const bool *valid_symbols) {
  if (budget && budget->left) {
    // While an error is recovered from all tokens are valid, this one, too.
    const bool recovers = valid_symbols[UNEXPECTED_INDENT];
    const uint64_t looks = recovers ? RLX_LOOKS_OF_AN_ERROR : 1;
    budget->errors += recovers;
    budget->left = budget->left > looks ? budget->left - looks : 0;
    if (!budget->left) budget->is_spent = 1;
  }
  return scan(payload, lexer, valid_symbols);
}
