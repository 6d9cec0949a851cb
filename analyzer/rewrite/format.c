/// Formatting: a pass over the tokens of a function decides each gap between two of them.
#include "analyzer/rewrite/format.h"

#include <string.h>

#include "analyzer/function/files.h"
#include "analyzer/rewrite/format_blanks.h"
#include "analyzer/syntax/document_dump.h"
#include "analyzer/syntax/logical_lines.h"
#include "analyzer/syntax/stmt_text.h"
#include "base/text.h"

typedef enum TokenKind {
  TOKEN_WORD,
  TOKEN_KEYWORD,
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_COMMENT,
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_OP
} TokenKind;

/// How an operator stands to what is beside it.
typedef enum Role {
  ROLE_KEEP,   ///< as it was
  ROLE_BINARY, ///< one blank on both sides
  ROLE_TIGHT,  ///< none on either side
  ROLE_UNARY,  ///< none behind it
  ROLE_COLON,  ///< none before, one behind: also the comma
} Role;

typedef struct Token {
  uint32_t start, end;
  uint8_t kind, role;
} Token;

typedef struct Bracket {
  char open;
  bool is_params;      ///< of a def
  bool has_annotation; ///< of the parameter that is being read
} Bracket;

typedef struct Scan {
  const char *text;
  uint32_t end;  ///< of the function
  uint32_t size; ///< of the text
  Bracket open[RLX_MAX_OPEN_BRACKETS];
  int depth;
  bool is_def; ///< the logical line defines a function whose parameters were not read yet
  bool keeps; ///< the rest of the logical line stays: a lambda, an f-string, `match` and their like
  Token last; ///< before the one that is looked at
  bool has_last, line_starts;
  RlxFormatEdits *out;
} Scan;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Of the words separated by blanks in `list`, is the token one?
static bool is_one_of(const Scan *s, Token t, const char *list) {
  size_t size = t.end - t.start;
  for (const char *p = list; *p;) {
    size_t n = strcspn(p, " ");
    if (n == size && !memcmp(p, s->text + t.start, n)) return true;
    p += n + (p[n] == ' ');
  }
  return false;
}

/// By their first letter.
static const char *const keywords[26] = {['a' - 'a'] = "and as assert async await",
                                         ['b' - 'a'] = "break",
                                         ['c' - 'a'] = "class continue",
                                         ['d' - 'a'] = "def del",
                                         ['e' - 'a'] = "elif else except",
                                         ['f' - 'a'] = "finally for from",
                                         ['g' - 'a'] = "global",
                                         ['i' - 'a'] = "if import in is",
                                         ['l' - 'a'] = "lambda",
                                         ['n' - 'a'] = "nonlocal not",
                                         ['o' - 'a'] = "or",
                                         ['p' - 'a'] = "pass",
                                         ['r' - 'a'] = "raise return",
                                         ['t' - 'a'] = "try",
                                         ['w' - 'a'] = "while with",
                                         ['y' - 'a'] = "yield"};

static bool is_keyword(const Scan *s, Token t) {
  char c = s->text[t.start];
  const char *list = c >= 'a' && c <= 'z' ? keywords[c - 'a'] : NULL;
  return list && is_one_of(s, t, list);
}

// ------------------------------------------------------------------ tokens

static uint32_t string_end(const Scan *s, uint32_t at) {
  char quote = s->text[at];
  bool is_long = at + 2 < s->end && s->text[at + 1] == quote && s->text[at + 2] == quote;
  for (at += is_long ? 3 : 1; at < s->end; at++) {
    if (s->text[at] == '\\')
      at++;
    else if (!is_long && (s->text[at] == quote || s->text[at] == '\n'))
      return at + 1;
    else if (is_long && !strncmp(s->text + at, quote == '"' ? "\"\"\"" : "'''", 3))
      return at + 3;
  }
  return s->end;
}

static uint32_t number_end(const Scan *s, uint32_t at) {
  bool is_hex = s->text[at] == '0' && (s->text[at + 1] | 32) == 'x';
  for (; at < s->end && (rlx_text_in_name(s->text[at]) || s->text[at] == '.'); at++) {
    bool is_exponent = !is_hex && (s->text[at] | 32) == 'e';
    if (is_exponent && (s->text[at + 1] == '+' || s->text[at + 1] == '-')) at++;
  }
  return at;
}

static uint32_t op_end(const Scan *s, uint32_t at) {
  static const char *const long_ops[] = {
      "**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "+=",
      "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", "@=", "**", "//", "<<", ">>"};
  if (!strchr("*/><.=", s->text[at + 1])) return at + 1; // what they go on with
  for (size_t i = 0; i < sizeof long_ops / sizeof *long_ops; i++)
    if (!strncmp(s->text + at, long_ops[i], strlen(long_ops[i])))
      return at + (uint32_t)strlen(long_ops[i]);
  return at + 1;
}

/// The token at `at`, which is no blank.
static Token next_token(const Scan *s, uint32_t at) {
  char c = s->text[at];
  Token t = {.start = at, .end = at + 1, .kind = TOKEN_OP};
  if (c == '#') {
    t.kind = TOKEN_COMMENT;
    while (t.end < s->size && s->text[t.end] != '\n') t.end++;
    while (t.end > at && (is_blank(s->text[t.end - 1]) || s->text[t.end - 1] == '\r')) t.end--;
  } else if (c == '"' || c == '\'') {
    t.kind = TOKEN_STRING;
    t.end = string_end(s, at);
  } else if (is_digit(c) || (c == '.' && is_digit(s->text[at + 1]))) {
    t.kind = TOKEN_NUMBER;
    t.end = number_end(s, at);
  } else if (rlx_text_in_name(c)) {
    while (t.end < s->end && rlx_text_in_name(s->text[t.end])) t.end++;
    bool is_prefix =
        t.end - at <= 2 && t.end < s->end && (s->text[t.end] == '"' || s->text[t.end] == '\'');
    t.kind = is_prefix ? TOKEN_STRING : is_keyword(s, t) ? TOKEN_KEYWORD : TOKEN_WORD;
    if (is_prefix) t.end = string_end(s, t.end);
  } else if (strchr("([{", c)) {
    t.kind = TOKEN_OPEN;
  } else if (strchr(")]}", c)) {
    t.kind = TOKEN_CLOSE;
  } else {
    t.end = op_end(s, at);
    if (t.end - at == 3 && c == '.') t.kind = TOKEN_WORD; // an ellipsis is a value
  }
  return t;
}

// ------------------------------------------------------------------ roles

static bool is_operand(const Scan *s) {
  return s->has_last && !s->line_starts &&
         (s->last.kind == TOKEN_WORD || s->last.kind == TOKEN_NUMBER ||
          s->last.kind == TOKEN_STRING || s->last.kind == TOKEN_CLOSE);
}

static Role role_of_colon(Scan *s) {
  Bracket *top = s->depth ? &s->open[s->depth - 1] : NULL;
  if (!top || top->open == '{') return ROLE_COLON;
  if (!top->is_params) return ROLE_KEEP; // of a slice
  top->has_annotation = true;
  return ROLE_COLON;
}

static Role role_of_equals(const Scan *s) {
  const Bracket *top = s->depth ? &s->open[s->depth - 1] : NULL;
  if (!top) return ROLE_BINARY;
  if (top->open != '(') return ROLE_KEEP;
  return top->is_params && top->has_annotation ? ROLE_BINARY : ROLE_TIGHT;
}

static Role role_of(Scan *s, Token t) {
  char c = s->text[t.start];
  uint32_t size = t.end - t.start;
  bool after = is_operand(s);
  if (s->keeps) return ROLE_KEEP;
  if (size > 1)
    return size == 2 && c == '*' && s->text[t.start + 1] == '*' ? (after ? ROLE_KEEP : ROLE_UNARY)
                                                                : ROLE_BINARY;
  switch (c) {
  case ',':
    if (s->depth) s->open[s->depth - 1].has_annotation = false;
    return ROLE_COLON;
  case ';': return ROLE_COLON;
  case ':': return role_of_colon(s);
  case '=': return role_of_equals(s);
  case '.': return after && s->last.kind != TOKEN_NUMBER ? ROLE_TIGHT : ROLE_KEEP;
  case '+':
  case '-':
  case '*':
  case '@': return after ? ROLE_BINARY : ROLE_UNARY;
  case '~': return ROLE_UNARY;
  case '/':
  case '%':
  case '&':
  case '|':
  case '^':
  case '<':
  case '>': return ROLE_BINARY;
  default: return ROLE_KEEP;
  }
}

// ------------------------------------------------------------------ gaps

enum { KEEP = -1 };

static int before_operator(const Scan *s, Token t) {
  const Token *last = &s->last;
  switch ((Role)t.role) {
  case ROLE_KEEP: return KEEP;
  case ROLE_BINARY: return 1;
  case ROLE_TIGHT:
  case ROLE_COLON: return 0;
  case ROLE_UNARY: break;
  }
  if (last->kind == TOKEN_OP)
    return last->role == ROLE_KEEP ? KEEP : last->role == ROLE_BINARY || last->role == ROLE_COLON;
  return last->kind == TOKEN_KEYWORD ? 1 : KEEP;
}

/// Blanks between the last token and `t` on one line; `has_gap`: there are some now.
static int blanks_between(const Scan *s, Token t, bool has_gap) {
  const Token *last = &s->last;
  if (s->keeps) return KEEP;
  if (t.kind == TOKEN_CLOSE || last->kind == TOKEN_OPEN) return 0;
  if (t.kind == TOKEN_OP && t.role == ROLE_COLON) return 0;
  if (last->kind == TOKEN_OP && last->role == ROLE_COLON) return 1;
  if (last->kind == TOKEN_OP && last->role == ROLE_UNARY) return 0;
  if (t.kind == TOKEN_OP) return before_operator(s, t);
  if (last->kind == TOKEN_OP) return last->role == ROLE_KEEP ? KEEP : last->role == ROLE_BINARY;
  bool calls = t.kind == TOKEN_OPEN && s->text[t.start] != '{' && last->kind != TOKEN_KEYWORD;
  if (calls) return last->kind == TOKEN_NUMBER ? KEEP : 0;
  return has_gap ? 1 : KEEP;
}

static void edit(Scan *s, uint32_t start, uint32_t end, const char *text) {
  if (strlen(text) == end - start && !memcmp(text, s->text + start, end - start)) return;
  RlxFormatEdit e = {rlx_span(start, end), text};
  rlx_vec_push(s->out, e);
}

/// Blanks before line ends go, and of several blank lines all but one.
static void lines_between(Scan *s, uint32_t start, uint32_t end) {
  uint32_t lines = 0, line = start;
  for (uint32_t i = start; i < end; i++) {
    if (s->text[i] != '\n') continue;
    uint32_t blanks = i;
    if (blanks > line && s->text[blanks - 1] == '\r') blanks--;
    bool goes = ++lines > 2 &&
                !s->depth; // the first ends the line, the second is the blank line that stays
    if (goes)
      edit(s, line, i + 1, "");
    else
      edit(s, line, blanks, "");
    line = i + 1;
  }
}

static void gap(Scan *s, Token t) {
  uint32_t start = s->last.end, end = t.start;
  const char *from = s->text + start;
  size_t size = end - start;
  if (memchr(from, '\\', size) || memchr(from, '\f', size) || memchr(from, '\v', size)) return;
  if (memchr(from, '\n', size)) {
    lines_between(s, start, end);
    return;
  }
  if (memchr(from, '\r', size)) return;
  if (t.kind == TOKEN_COMMENT) {
    if (size < 2 || memchr(from, '\t', size)) edit(s, start, end, "  ");
    return;
  }
  int blanks = blanks_between(s, t, size > 0);
  if (blanks != KEEP) edit(s, start, end, blanks ? " " : "");
}

/// 'text' becomes "text" where nothing in it needs an escape.
static void quotes(Scan *s, Token t) {
  uint32_t open = t.start;
  while (open < t.end && s->text[open] != '\'' && s->text[open] != '"') open++;
  if (open + 2 > t.end || s->text[open] != '\'' || s->text[t.end - 1] != '\'' ||
      (s->text[open + 1] == '\'' && open + 2 < t.end))
    return;
  if (memchr(s->text + open + 1, '"', t.end - open - 2) ||
      memchr(s->text + open + 1, '\\', t.end - open - 2))
    return;
  RlxFormatEdit *before = s->out->count ? &rlx_vec_last(s->out) : NULL;
  bool touches = before && before->span.end == open && *before->text != '"';
  if (touches) { // one edit, so that no order of the two matters
    before->span.end++;
    before->text = *before->text ? " \"" : "\"";
  } else {
    edit(s, open, open + 1, "\"");
  }
  edit(s, t.end - 1, t.end, "\"");
}

// ------------------------------------------------------------------ a function

static void begin_line(Scan *s, Token t) {
  s->is_def = is_one_of(s, t, "def async");
  s->keeps = is_one_of(s, t, "match case type print exec from import") || s->text[t.start] == '!';
}

static void track(Scan *s, Token t) {
  if (t.kind == TOKEN_OPEN && s->depth < RLX_MAX_OPEN_BRACKETS) {
    bool is_params = s->is_def && !s->depth && s->text[t.start] == '(';
    if (is_params) s->is_def = false;
    s->open[s->depth++] = (Bracket){.open = s->text[t.start], .is_params = is_params};
  }
  if (t.kind == TOKEN_CLOSE && s->depth) s->depth--;
  if (t.kind == TOKEN_KEYWORD && is_one_of(s, t, "lambda")) s->keeps = true;
  if (t.kind == TOKEN_STRING) {
    for (uint32_t i = t.start; i < t.end && s->text[i] != '\'' && s->text[i] != '"'; i++)
      s->keeps |= (s->text[i] | 32) == 'f' || (s->text[i] | 32) == 't';
  }
}

static bool ends_line(const Scan *s, uint32_t start, uint32_t end) {
  return !s->depth && memchr(s->text + start, '\n', end - start) &&
         !memchr(s->text + start, '\\', end - start);
}

/// Decides the gaps from `start`, where a logical line begins, to the first token behind `until`.
static void format_lines(Scan *s, uint32_t start, uint32_t until) {
  s->line_starts = true;
  uint32_t at = start;
  while (at < s->end) {
    char c = s->text[at];
    if (is_blank(c) || strchr("\n\r\f\v\\", c)) { // NUL, too
      at++;
      continue;
    }
    Token t = next_token(s, at);
    if (t.end > s->end) break; // a comment behind the last line
    if (s->has_last && ends_line(s, s->last.end, t.start)) s->line_starts = true;
    if (s->line_starts && t.kind != TOKEN_COMMENT) begin_line(s, t);
    if (t.kind == TOKEN_OP) t.role = (uint8_t)role_of(s, t);
    if (s->has_last) gap(s, t);
    track(s, t);
    if (t.kind == TOKEN_STRING && !s->keeps) quotes(s, t);
    if (t.kind != TOKEN_COMMENT) s->line_starts = false;
    s->last = t;
    s->has_last = true;
    at = t.end;
    if (t.start > until) return;
  }
  uint32_t blanks = s->last.end;
  while (s->has_last && blanks < s->size && is_blank(s->text[blanks])) blanks++;
  if (s->has_last && (blanks == s->size || s->text[blanks] == '\n' || s->text[blanks] == '\r'))
    edit(s, s->last.end, blanks, "");
}

/// Where a logical line of the function `def` begins, in front of all gaps that touch what stands at `offset`: a
/// statement before that one.
static uint32_t line_before(const RlxDocument *doc, const RlxStmt *def, uint32_t offset) {
  const char *text = rlx_document_text(doc, NULL);
  const RlxStmt *stmt = rlx_document_stmt_at(doc, offset);
  bool is_before = false;
  while (stmt && stmt->start > def->start) {
    const uint32_t line = rlx_line_start(text, stmt->start);
    const bool is_first = line + strspn(text + line, " \t") == stmt->start;
    if (is_before && is_first && stmt->start < offset) return stmt->start;
    is_before |= stmt->start < offset;
    stmt = stmt->index ? stmt->block->stmts[stmt->index - 1] : stmt->block->parent;
  }
  return def->start;
}

// ------------------------------------------------------------------ a file

/// What a text reads as; `apart`: its statements one by one.
static void put_syntax(RlxStore *store, const RlxBuf *text, bool apart, RlxBuf *out) {
  RlxDocument *doc = rlx_document_new(store, NULL, NULL);
  rlx_document_set_text(doc, rlx_buf_text(text), (uint32_t)text->size);
  const RlxBlock *root = rlx_document_root(doc);
  for (uint32_t i = 0; apart && i < root->count; i++)
    rlx_document_dump_stmt(doc, root->stmts[i], out);
  if (!apart) rlx_document_dump_syntax(doc, out);
  rlx_document_free(doc);
}

/// Only blanks before a comment or the end of a line: no token sees them.
static bool is_at_line_end(const char *text, uint32_t size, const RlxFormatEdit *edit) {
  for (uint32_t i = edit->span.start; i < edit->span.end; i++)
    if (!is_blank(text[i])) return false;
  bool is_end = edit->span.end >= size || strchr("#\n\r", text[edit->span.end]);
  return is_end && !edit->text[strspn(edit->text, " \t")];
}

/// The simple statement that an edit lies in; NULL: none.
static const RlxStmt *edited_stmt(const RlxDocument *doc, const RlxFormatEdit *edit) {
  const RlxStmt *stmt = rlx_document_stmt_at(doc, edit->span.start);
  bool is_simple = stmt && !stmt->body && !stmt->block_count && stmt->kind != RLX_STMT_HOLE;
  return is_simple && stmt->start <= edit->span.start && edit->span.end <= stmt->start + stmt->size
             ? stmt
             : NULL;
}

/// What the statements that are edited read as, and how they will be written, a line each. What a statement
/// reads as depends on its own text alone (syntax.h), and none of them is broken. False: an edit lies in no simple statement.
static bool put_edited(const RlxDocument *doc, const RlxFormatEdits *edits, RlxBuf *before,
                       RlxBuf *after) {
  uint32_t size, at = 0;
  const char *text = rlx_document_text(doc, &size);
  const RlxStmt *last = NULL;
  for (uint32_t i = 0; i <= edits->count; i++) {
    const RlxFormatEdit *edit = i < edits->count ? &edits->at[i] : NULL;
    if (edit && is_at_line_end(text, size, edit)) continue;
    const RlxStmt *stmt = edit ? edited_stmt(doc, edit) : NULL;
    if (edit && !stmt) return false;
    if (last && stmt != last) {
      rlx_buf_putn(after, text + at, last->start + last->size - at);
      rlx_buf_putc(after, '\n');
    }
    if (!edit) break;
    if (stmt != last) {
      rlx_document_dump_stmt(doc, stmt, before);
      at = stmt->start;
    }
    rlx_buf_putn(after, text + at, edit->span.start - at);
    rlx_buf_puts(after, edit->text);
    at = edit->span.end;
    last = stmt;
  }
  return true;
}

/// Those of the edits that are not known to keep the syntax of their statement by themselves.
static void undecided(const RlxDocument *doc, const RlxFormatEdits *edits, RlxFormatEdits *out) {
  uint32_t size;
  const char *text = rlx_document_text(doc, &size);
  for (uint32_t i = 0, next; i < edits->count; i = next) {
    const RlxStmt *stmt = edited_stmt(doc, &edits->at[i]);
    const uint32_t end = stmt ? stmt->start + stmt->size : 0;
    for (next = i + 1; next < edits->count && edits->at[next].span.end <= end; next++) {
    }
    if (!stmt || !rlx_only_blanks_change(text, stmt, edits->at + i, next - i))
      rlx_vec_push_n(out, edits->at + i, next - i);
  }
}

/// All of the text as it is and as it will be.
static void put_whole(const RlxDocument *doc, const RlxFormatEdits *edits, RlxBuf *before,
                      RlxBuf *after) {
  uint32_t size, at = 0;
  const char *text = rlx_document_text(doc, &size);
  rlx_buf_putn(before, text, size);
  for (uint32_t i = 0; i < edits->count; i++) {
    rlx_buf_putn(after, text + at, edits->at[i].span.start - at);
    rlx_buf_puts(after, edits->at[i].text);
    at = edits->at[i].span.end;
  }
  rlx_buf_putn(after, text + at, size - at);
}

/// Do the statements read as before when the edits are carried out? All of the text is read anew as it is, too: broken
/// statements of an analysed document may have been mended.
static bool keeps_syntax(RlxDocument *doc, const RlxFormatEdits *edits) {
  RlxBuf before = {0}, after = {0}, dumps[2] = {{0}, {0}};
  RlxStore *store = rlx_document_store(doc);
  if (put_edited(doc, edits, &dumps[0], &after)) {
    put_syntax(store, &after, true, &dumps[1]);
  } else {
    rlx_buf_clear(&dumps[0]);
    rlx_buf_clear(&after);
    put_whole(doc, edits, &before, &after);
    put_syntax(store, &before, false, &dumps[0]);
    put_syntax(store, &after, false, &dumps[1]);
  }
  const bool same = strcmp(rlx_buf_text(&dumps[0]), rlx_buf_text(&dumps[1])) == 0;
  for (int i = 0; i < 2; i++) rlx_buf_free(&dumps[i]);
  rlx_buf_free(&before);
  rlx_buf_free(&after);
  return same;
}

static bool is_broken(const RlxSyntaxProblems *problems, const RlxStmt *stmt) {
  for (uint32_t i = 0; i < problems->count; i++) {
    RlxSpan span = problems->at[i].span;
    if (span.end >= stmt->start && span.start <= stmt->start + stmt->size) return true;
  }
  return false;
}

void rlx_file_format(RlxFile *file, RlxSpan window, RlxFormatEdits *out) {
  RlxDocument *doc = rlx_file_document(file);
  RlxFunctionViews views = {0};
  RlxSyntaxProblems problems = {0};
  RlxFormatEdits edits = {0};
  uint32_t size;
  const char *text = rlx_document_text(doc, &size);
  rlx_file_functions(file, &views);
  rlx_document_problems(doc, &problems);
  for (uint32_t i = 0; i < views.count; i++) {
    const RlxStmt *stmt = views.at[i].stmt;
    bool is_script = views.at[i].kind == RLX_ISLAND_RELAX ||
                     views.at[i].kind == RLX_ISLAND_PRIM_FUNC ||
                     views.at[i].kind == RLX_ISLAND_MACRO;
    if (!is_script || stmt->start > window.end || stmt->start + stmt->size < window.start ||
        is_broken(&problems, stmt))
      continue;
    Scan s = {.text = text, .end = stmt->start + stmt->size, .size = size, .out = &edits};
    format_lines(&s, line_before(doc, stmt, window.start), window.end);
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < edits.count; i++)
    if (edits.at[i].span.start <= window.end && edits.at[i].span.end >= window.start)
      edits.at[kept++] = edits.at[i];
  edits.count = kept;
  RlxFormatEdits hard = {0};
  undecided(doc, &edits, &hard);
  if (kept && (!hard.count || keeps_syntax(doc, &hard))) {
    for (uint32_t i = 0; i < kept; i++) rlx_vec_push(out, edits.at[i]);
  }
  rlx_vec_free(&hard);
  rlx_vec_free(&edits);
  rlx_vec_free(&problems);
  rlx_vec_free(&views);
}
