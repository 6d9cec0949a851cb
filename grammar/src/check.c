// See check.h. One function per kind of node that has a rule; a cursor visits every node once.
#include "grammar/check.h"

#include "grammar/symbols.h"

#include <stddef.h>

typedef struct {
  const char *text;
  TSNode at;           // what to underline
  const char *message; // the last one reported; NULL: none
} Check;

static void report(Check *check, TSNode node, const char *message) {
  check->at = node;
  check->message = message;
}

static TSNode field(TSNode node, enum RlxField id) {
  return ts_node_child_by_field_id(node, (TSFieldId)id);
}

static bool is_text(const Check *check, TSNode node, char c) {
  uint32_t from = ts_node_start_byte(node);
  return ts_node_end_byte(node) == from + 1 && check->text[from] == c;
}

static char last_char(const Check *check, TSNode node) {
  return check->text[ts_node_end_byte(node) - 1];
}

/// Strings that stand side by side are all text or all bytes.
static void check_strings(Check *check, TSNode node) {
  bool text = false, bytes = false;
  uint32_t count = ts_node_named_child_count(node);
  for (uint32_t i = 0; i < count; i++) {
    TSNode part = ts_node_named_child(node, i);
    if (ts_node_is_extra(part)) continue;
    const char *c = check->text + ts_node_start_byte(part);
    bool is_bytes =
        ts_node_symbol(part) == RLX_SYM_STRING &&
        (*c == 'b' || *c == 'B' || ((*c == 'r' || *c == 'R') && (c[1] == 'b' || c[1] == 'B')));
    if (is_bytes)
      bytes = true;
    else
      text = true;
  }
  if (text && bytes) report(check, node, "cannot mix bytes and nonbytes literals");
}

/// Code points from 0x80 that may stand in a name, by blocks: their punctuation, symbols and spaces
/// are left out.
static const uint32_t name_ranges[][2] = {
    {0xAA, 0xAA},       {0xB5, 0xB5},       {0xB7, 0xB7},       {0xBA, 0xBA},
    {0xC0, 0xD6},       {0xD8, 0xF6},       {0xF8, 0x2C1},      {0x2C6, 0x1FFE},
    {0x203F, 0x2040},   {0x2054, 0x2054},   {0x2071, 0x2071},   {0x207F, 0x207F},
    {0x2090, 0x209C},   {0x20D0, 0x2188},   {0x2C00, 0x2DFF},   {0x3005, 0x3007},
    {0x3021, 0x303C},   {0x3041, 0xD7FF},   {0xF900, 0xFDFF},   {0xFE20, 0xFE2F},
    {0xFE33, 0xFE34},   {0xFE4D, 0xFE4F},   {0xFE70, 0xFEFC},   {0xFF10, 0xFF19},
    {0xFF21, 0xFF3A},   {0xFF3F, 0xFF3F},   {0xFF41, 0xFF5A},   {0xFF65, 0xFFDC},
    {0x10000, 0x1CFFF}, {0x1D400, 0x1EFFF}, {0x1FBF0, 0x1FBF9}, {0x20000, 0xE01EF},
};

static bool is_name_char(uint32_t c) {
  for (size_t i = 0; i < sizeof name_ranges / sizeof *name_ranges; i++) {
    if (c >= name_ranges[i][0] && c <= name_ranges[i][1]) return true;
  }
  return false;
}

static void check_name(Check *check, TSNode node) {
  const unsigned char *c = (const unsigned char *)check->text + ts_node_start_byte(node);
  const unsigned char *end = (const unsigned char *)check->text + ts_node_end_byte(node);
  while (c < end) {
    unsigned length = *c < 0x80 ? 1 : *c < 0xE0 ? 2 : *c < 0xF0 ? 3 : 4;
    uint32_t code = length == 1 ? *c : *c & (0x7Fu >> length);
    for (unsigned i = 1; i < length && c + i < end; i++) code = code << 6 | (c[i] & 0x3Fu);
    if (length > 1 && !is_name_char(code)) {
      report(check, node, "invalid character in a name");
      return;
    }
    c += length;
  }
}

static bool is_symbol(TSNode node, enum RlxSym symbol) {
  return !ts_node_is_null(node) && ts_node_symbol(node) == symbol;
}

/// An operand that binds looser than its operator and has no parentheses.
static void check_operand(Check *check, TSNode node) {
  if (is_symbol(node, RLX_SYM_LAMBDA)) report(check, node, "a lambda must be in parentheses here");
}

static void check_interpolation(Check *check, TSNode node) {
  TSNode value = field(node, RLX_FIELD_EXPRESSION);
  if (is_symbol(value, RLX_SYM_LIST_SPLAT))
    report(check, value, "cannot use starred expression here");
  if (is_symbol(value, RLX_SYM_LAMBDA))
    report(check, value, "f-string: lambda expressions are not allowed without parentheses");
  TSNode conversion = field(node, RLX_FIELD_TYPE_CONVERSION);
  if (ts_node_is_null(conversion)) return;
  char c = last_char(check, conversion);
  if (c != 's' && c != 'r' && c != 'a')
    report(check, conversion, "f-string: invalid conversion character: expected 's', 'r', or 'a'");
}

static void check_node(Check *check, TSNode node) {
  switch ((int)ts_node_symbol(node)) {
  case RLX_SYM_IDENTIFIER: check_name(check, node); break;
  case RLX_SYM_FOR_IN_CLAUSE: check_operand(check, field(node, RLX_FIELD_RIGHT)); break;
  case RLX_SYM_BOOLEAN_OPERATOR: check_operand(check, field(node, RLX_FIELD_RIGHT)); break;
  case RLX_SYM_NOT_OPERATOR: check_operand(check, field(node, RLX_FIELD_ARGUMENT)); break;
  case RLX_SYM_CONDITIONAL_EXPRESSION:
    check_operand(check, field(node, RLX_FIELD_CONDITION));
    break;
  case RLX_SYM_AWAIT: {
    TSNode operand = ts_node_named_child(node, 0);
    if (is_symbol(operand, RLX_SYM_UNARY_OPERATOR) || is_symbol(operand, RLX_SYM_AWAIT))
      report(check, operand, "the operand of `await` must be in parentheses here");
    break;
  }
  case RLX_SYM_MATCH_STATEMENT:
    if (is_symbol(field(node, RLX_FIELD_SUBJECT), RLX_SYM_LIST_SPLAT))
      report(check, field(node, RLX_FIELD_SUBJECT), "cannot use starred expression here");
    break;
  case RLX_SYM_COMPLEX_PATTERN: {
    char c = last_char(check, node);
    if (c != 'j' && c != 'J') report(check, node, "imaginary number required in complex literal");
    break;
  }
  case RLX_SYM_DICT_PATTERN: {
    uint32_t count = ts_node_named_child_count(node);
    TSNode rest = count > 0 ? ts_node_named_child(node, count - 1) : node;
    if (is_symbol(rest, RLX_SYM_SPLAT_PATTERN) && is_text(check, ts_node_named_child(rest, 0), '_'))
      report(check, rest, "cannot use `_` as the name of the rest");
    break;
  }
  case RLX_SYM_AS_PATTERN:
    if (is_text(check, field(node, RLX_FIELD_ALIAS), '_'))
      report(check, node, "cannot use '_' as a target");
    break;
  case RLX_SYM_CONCATENATED_STRING: check_strings(check, node); break;
  case RLX_SYM_INTERPOLATION: check_interpolation(check, node); break;
  default: break;
  }
}

const char *rlx_syntax_fault(TSNode node, const char *text, TSNode *out_at) {
  if (ts_node_has_error(node)) return NULL;
  Check check = {.text = text, .at = node};
  check_node(&check, node);
  *out_at = check.at;
  return check.message;
}

void rlx_syntax_check(TSNode root, const char *text, RlxSyntaxFound *found, void *payload) {
  TSTreeCursor at = ts_tree_cursor_new(root);
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(&at), place;
    const char *message = ts_node_is_named(node) ? rlx_syntax_fault(node, text, &place) : NULL;
    if (message) found(payload, place, message);
    if (ts_tree_cursor_goto_first_child(&at)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&at)) {
      if (ts_tree_cursor_goto_parent(&at)) continue;
      ts_tree_cursor_delete(&at);
      return;
    }
  }
}

/// The offset behind the string whose first quote is at `at`; `at` + 1 when it is not closed where
/// it should be.
static uint32_t skip_string(const char *text, uint32_t size, uint32_t at) {
  char quote = text[at];
  uint32_t quotes = at + 2 < size && text[at + 1] == quote && text[at + 2] == quote ? 3 : 1;
  for (uint32_t i = at + quotes, run = 0; i < size; i++) {
    if (quotes == 1 && text[i] == '\n') break;
    run = text[i] == quote ? run + 1 : 0;
    if (text[i] == '\\') i++;
    if (run == quotes) return i + 1;
  }
  return at + 1;
}

bool rlx_text_is_bounded(const char *text, uint32_t size) {
  enum { MAX_TOKENS = 60000, MAX_DEPTH = 200, TABLE_SHARE = 12 };
  uint32_t tokens = 0, commas = 0, depth = 0;
  bool in_word = false;
  for (uint32_t i = 0; i < size;) {
    char c = text[i];
    bool is_word = (c & 0x80) || c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                   (c >= 'a' && c <= 'z');
    bool is_format = in_word && (text[i - 1] == 'f' || text[i - 1] == 'F' ||
                                 (i > 1 && (text[i - 2] == 'f' || text[i - 2] == 'F')));
    if (!(is_word && in_word) && c != ' ')
      tokens += c != '\n' ? 1 : depth > 0 ? 0 : 3; // a line end may become three empty tokens
    in_word = is_word;
    if (c == ',') commas++;
    if (c == '(' || c == '[' || c == '{') depth++;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) depth--;
    if (depth > MAX_DEPTH) return false;
    i = (c == '"' || c == '\'') && !is_format ? skip_string(text, size, i) : i + 1;
  }
  return tokens < MAX_TOKENS || commas > tokens / TABLE_SHARE;
}
