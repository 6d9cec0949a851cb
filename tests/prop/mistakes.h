/// Mistakes that property tests make in right scripts: a token, a bracket or a line goes, a name,
/// an operator or a keyword is misspelt, a number or dtype changes, an import or a decorator is
/// broken, …
#ifndef RLX_TESTS_PROP_MISTAKES_H
#define RLX_TESTS_PROP_MISTAKES_H

#include "tests/prop/scripts.h"

#include <ctype.h>
#include <stdio.h>

typedef enum Way {
  TOKEN_GONE,
  BRACKET_GONE,
  NAME_CHANGED,
  DEFINITION_RENAMED,
  OPERATOR_MISSPELT,
  KEYWORD_WRONG,
  NUMBER_CHANGED,
  SIGNATURE_CHANGED,
  DTYPE_CHANGED,
  ARGUMENT_GONE,
  LINE_GONE,
  LINE_DELETED,
  IMPORT_GONE,
  DECORATOR_BROKEN,
  INDENTATION,
  STRING_OPEN,
  ARGUMENTS_SWAPPED,
  OTHER_NAME,
  OTHER_DIALECT,
  OUTPUT_GONE,
  WAYS
} Way;
static const char *const way_names[] = {
    "token gone",        "bracket gone",     "name changed",   "definition renamed",
    "letters swapped",   "keyword wrong",    "number changed", "signature changed",
    "dtype changed",     "argument gone",    "line gone",      "line deleted",
    "import gone",       "decorator broken", "indentation",    "string open",
    "arguments swapped", "other name",       "other dialect",  "output gone"};

typedef struct Token {
  uint32_t start, end;
} Token;
typedef Vec(Token) Tokens;

/// A script that is broken, token by token, and what is told of each mistake.
typedef struct Patient {
  const RlxBuf *text;
  Tokens tokens;
  void (*count)(void *user, Way way, RlxSpan span, const char *by);
  void *user;
} Patient;

static inline bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/// Python's tokens, roughly; comments and line ends are none.
static inline void tokens_of(const RlxBuf *text, Tokens *out) {
  const char *s = rlx_buf_text(text);
  for (uint32_t i = 0; i < text->size;) {
    uint32_t start = i;
    if (isspace((unsigned char)s[i])) {
      i++;
      continue;
    }
    if (s[i] == '#') {
      while (i < text->size && s[i] != '\n') i++;
      continue;
    }
    if (s[i] == '"' || s[i] == '\'') {
      char quote = s[i++];
      while (i < text->size && s[i] != quote && s[i] != '\n') i++;
      i += i < text->size;
    } else if (is_word(s[i])) {
      while (i < text->size && is_word(s[i])) i++;
    } else
      i++;
    rlx_vec_push(out, (Token){start, i});
  }
}

static inline void count(Patient *patient, Way way, RlxSpan span, const char *by) {
  patient->count(patient->user, way, span, by);
}

/// The argument that begins at token `i`, with a comma beside it; an empty span when it is none.
static inline RlxSpan argument_at(const RlxBuf *text, const Tokens *tokens, uint32_t i) {
  const char *s = rlx_buf_text(text);
  char before = i ? s[tokens->at[i - 1].start] : 0;
  if (before != '(' && before != ',') return rlx_span(0, 0);
  int depth = 0;
  for (uint32_t k = i; k < tokens->count; k++) {
    char c = s[tokens->at[k].start];
    if (depth == 0 && (c == ',' || c == ')')) {
      if (c == ',')
        return rlx_span(tokens->at[i].start,
                        k + 1 < tokens->count ? tokens->at[k + 1].start : tokens->at[k].end);
      return rlx_span(before == ',' ? tokens->at[i - 1].start : tokens->at[i].start,
                      tokens->at[k].start);
    }
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth < 0) break;
  }
  return rlx_span(0, 0);
}

static inline bool is_at(const Patient *p, uint32_t i, const char *word) {
  return i < p->tokens.count && p->tokens.at[i].end - p->tokens.at[i].start == strlen(word) &&
         strncmp(rlx_buf_text(p->text) + p->tokens.at[i].start, word, strlen(word)) == 0;
}

static inline void break_name(Patient *p, uint32_t i) {
  const char *s = rlx_buf_text(p->text);
  const Token t = p->tokens.at[i];
  const RlxSpan span = rlx_span(t.start, t.end);
  const uint32_t size = t.end - t.start;
  const bool is_first =
      i == 0 || memchr(s + p->tokens.at[i - 1].end, '\n', t.start - p->tokens.at[i - 1].end);
  char changed[64];
  if (size >= 40) return;
  snprintf(changed, sizeof changed, "%.*s_q", (int)size, s + t.start);
  if ((is_first && (is_at(p, i + 1, "=") || is_at(p, i + 1, ":"))) ||
      (i && (is_at(p, i - 1, "def") || is_at(p, i - 1, "class"))))
    count(p, DEFINITION_RENAMED, span, changed);
  else if (i && !is_first && is_at(p, i + 1, "="))
    count(p, KEYWORD_WRONG, span, changed);
  else
    count(p, NAME_CHANGED, span, changed);
  if (i && size > 2 && is_at(p, i - 1, ".") && changed[size - 1] != changed[size - 2]) {
    changed[size] = 0;
    changed[size - 1] = s[t.start + size - 2];
    changed[size - 2] = s[t.start + size - 1];
    count(p, OPERATOR_MISSPELT, span, changed);
  }
}

/// The line of token `i`, which is the line's first.
static inline void break_line(Patient *p, uint32_t i) {
  const char *s = rlx_buf_text(p->text);
  const uint32_t start = p->tokens.at[i].start;
  uint32_t end = start, line = start;
  while (end < p->text->size && s[end] != '\n') end++;
  while (line && s[line - 1] != '\n') line--;
  if (line < start) count(p, LINE_GONE, rlx_span(start, end), "pass");
  if (s[start] == '@') {
    count(p, DECORATOR_BROKEN, rlx_span(start, start + 1), "");
    count(p, DECORATOR_BROKEN, rlx_span(start, end), "");
    count(p, DECORATOR_BROKEN, rlx_span(start + 1, start + 2), "");
  } else
    count(p, LINE_DELETED, rlx_span(line, end + (end < p->text->size)), "");
  count(p, INDENTATION, rlx_span(line, line), "  ");
  count(p, INDENTATION, rlx_span(line, line), "\t");
  if (start >= line + 4) count(p, INDENTATION, rlx_span(line, line + 4), "");
}

static inline void break_token(Patient *p, uint32_t i) {
  const char *s = rlx_buf_text(p->text);
  const Token t = p->tokens.at[i];
  const RlxSpan span = rlx_span(t.start, t.end);
  uint32_t line = t.start;
  while (line && isspace((unsigned char)s[line - 1]) && s[line - 1] != '\n') line--;
  count(p, strchr("()[]{}", s[t.start]) ? BRACKET_GONE : TOKEN_GONE, span, "");
  if (isalpha((unsigned char)s[t.start])) break_name(p, i);
  if (isdigit((unsigned char)s[t.start]) && t.end - t.start < 9) {
    char changed[64];
    uint32_t from = t.start;
    while (from && s[from - 1] != '\n') from--;
    while (s[from] == ' ') from++;
    snprintf(changed, sizeof changed, "%d", atoi(s + t.start) + 1);
    count(p, strncmp(s + from, "def ", 4) ? NUMBER_CHANGED : SIGNATURE_CHANGED, span, changed);
  }
  if (t.end - t.start > 6 &&
      (strncmp(s + t.start + 1, "float", 5) == 0 || strncmp(s + t.start + 1, "int", 3) == 0))
    count(p, DTYPE_CHANGED, span, s[t.start + 1] == 'i' ? "\"uint8\"" : "\"float64\"");
  if (t.end - t.start > 1 && strchr("'\"", s[t.end - 1]))
    count(p, STRING_OPEN, rlx_span(t.end - 1, t.end), "");
  RlxSpan argument = argument_at(p->text, &p->tokens, i);
  if (argument.end > argument.start) count(p, ARGUMENT_GONE, argument, "");
  if (line == 0 || s[line - 1] == '\n') break_line(p, i);
}

/// What one dialect writes and another one does not, in pairs.
static const char *const dialect_words[][2] = {{"sblock", "block"},
                                               {"out_sinfo", "out_ty"},
                                               {"sinfo_args", "ty_args"},
                                               {"cls", "Module"},
                                               {"match_cast", "match_shape"},
                                               {"prim_func", "primfunc"},
                                               {"alloc_buffer", "sblock_alloc_buffer"},
                                               {"Prim", "prim_value"},
                                               {"dataflow", "dataflow_block"},
                                               {"ir_module", "IRModule"},
                                               {"call_dps_packed", "call_tir"}};

/// The argument that begins at token `i` changes places with the one behind it.
static inline void swap_arguments(Patient *p, uint32_t i) {
  const char *s = rlx_buf_text(p->text);
  const RlxSpan first = argument_at(p->text, &p->tokens, i);
  if (first.end <= first.start || first.start != p->tokens.at[i].start) return; // the last one
  uint32_t k = i;
  while (k < p->tokens.count && p->tokens.at[k].start < first.end) k++;
  const RlxSpan second = k < p->tokens.count ? argument_at(p->text, &p->tokens, k) : first;
  if (second.end <= second.start || k <= i) return;
  const uint32_t comma = p->tokens.at[k - 1].start, start = p->tokens.at[k].start;
  uint32_t end = second.end; // with a comma, when one follows
  while (end > start && strchr(", \n", s[end - 1])) end--;
  RlxBuf swapped = {0};
  rlx_buf_printf(&swapped, "%.*s, %.*s", (int)(end - start), s + start, (int)(comma - first.start),
                 s + first.start);
  count(p, ARGUMENTS_SWAPPED, rlx_span(first.start, end), rlx_buf_text(&swapped));
  rlx_buf_free(&swapped);
}

/// Mistakes of one who knows the language and confuses things: two arguments, a name with one that
/// was written before it, a word with another dialect's; `R.output` that is forgotten.
static inline void confuse_token(Patient *p, uint32_t i) {
  const char *s = rlx_buf_text(p->text);
  const Token t = p->tokens.at[i];
  const RlxSpan span = rlx_span(t.start, t.end);
  swap_arguments(p, i);
  for (size_t w = 0; w < sizeof dialect_words / sizeof *dialect_words; w++)
    for (int side = 0; side < 2; side++)
      if (is_at(p, i, dialect_words[w][side]))
        count(p, OTHER_DIALECT, span, dialect_words[w][!side]);
  if (strchr("'\"", s[t.start])) count(p, STRING_OPEN, rlx_span(t.start, t.start + 1), "");
  if (i && is_at(p, i - 1, ".") && is_at(p, i, "output")) {
    uint32_t line = t.start, end = t.end;
    while (line && s[line - 1] != '\n') line--;
    while (end < p->text->size && s[end] != '\n') end++;
    count(p, OUTPUT_GONE, rlx_span(line, end), "");
  }
  const Token *other = NULL;
  for (uint32_t k = i; k-- > 0 && i - k < 60 && !other;)
    if (isalpha((unsigned char)s[p->tokens.at[k].start]) && is_at(p, k + 1, "=") &&
        !(k && is_at(p, k - 1, ",")))
      other = &p->tokens.at[k];
  if (other && isalpha((unsigned char)s[t.start]) && !is_at(p, i + 1, "=") &&
      !is_at(p, i + 1, ".") && i && !is_at(p, i - 1, ".")) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(other->end - other->start), s + other->start);
    count(p, OTHER_NAME, span, name);
  }
}

/// The lines before the first decorator: `from x import y as z`.
static inline void break_imports(Patient *p, uint32_t end) {
  const char *s = rlx_buf_text(p->text);
  for (uint32_t line = 0; line < end;) {
    const char *next = memchr(s + line, '\n', end - line);
    uint32_t stop = next ? (uint32_t)(next + 1 - s) : end;
    if (strncmp(s + line, "from ", 5) == 0 || strncmp(s + line, "import ", 7) == 0) {
      count(p, IMPORT_GONE, rlx_span(line, stop), "");
      if (next) count(p, IMPORT_GONE, rlx_span(stop - 1, stop - 1), "_q");
    }
    line = stop;
  }
}

/// Confusions at one token in `step`, from the one with number `first` on.
static inline void confuse_script(Patient *p, uint32_t first, uint32_t step) {
  const char *s = rlx_buf_text(p->text), *island = strstr(s, "\n@");
  if (!island) return;
  tokens_of(p->text, &p->tokens);
  for (uint32_t i = 0, seen = first; i < p->tokens.count; i++)
    if (p->tokens.at[i].start > (uint32_t)(island - s) && seen++ % step == 0) confuse_token(p, i);
  rlx_vec_free(&p->tokens);
}

/// All mistakes in imports, and behind them those at one token in `step`.
static inline void break_script(Patient *p, uint32_t step) {
  const char *s = rlx_buf_text(p->text), *island = strstr(s, "\n@");
  if (!island) return;
  tokens_of(p->text, &p->tokens);
  break_imports(p, (uint32_t)(island - s));
  for (uint32_t i = 0, seen = 0; i < p->tokens.count; i++)
    if (p->tokens.at[i].start > (uint32_t)(island - s) && seen++ % step == 0) break_token(p, i);
  rlx_vec_free(&p->tokens);
}

#endif
