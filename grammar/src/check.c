// See check.h. One function per kind of node that has a rule; a cursor visits every node once.
#include "grammar/check.h"

#include "grammar/symbols.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *text;
  bool ascii; // the text has no byte beyond ASCII
  RlxSyntaxFound *found;
  void *payload;
} Check;

static void report(const Check *check, TSNode node, const char *message) { check->found(check->payload, node, message); }

static TSNode field(TSNode node, enum RlxField id) { return ts_node_child_by_field_id(node, (TSFieldId)id); }

static bool is_text(const Check *check, TSNode node, char c) {
  uint32_t from = ts_node_start_byte(node);
  return ts_node_end_byte(node) == from + 1 && check->text[from] == c;
}

static char last_char(const Check *check, TSNode node) { return check->text[ts_node_end_byte(node) - 1]; }

/// What a node that cannot be assigned to or deleted is called; NULL for one that can, or whose parts decide.
static const char *not_a_target(TSNode node, bool del) {
  switch ((int)ts_node_symbol(node)) {
  case RLX_SYM_IDENTIFIER:
  case RLX_SYM_ATTRIBUTE:
  case RLX_SYM_SUBSCRIPT:
  case RLX_SYM_TUPLE:
  case RLX_SYM_LIST:
  case RLX_SYM_PATTERN_LIST:
  case RLX_SYM_EXPRESSION_LIST:
  case RLX_SYM_PARENTHESIZED_EXPRESSION: return NULL;
  case RLX_SYM_LIST_SPLAT: return del ? "cannot delete starred" : NULL;
  case RLX_SYM_CALL: return del ? "cannot delete function call" : "cannot assign to function call";
  case RLX_SYM_INTEGER:
  case RLX_SYM_FLOAT:
  case RLX_SYM_STRING:
  case RLX_SYM_CONCATENATED_STRING: return del ? "cannot delete literal" : "cannot assign to literal";
  case RLX_SYM_TRUE: return del ? "cannot delete True" : "cannot assign to True";
  case RLX_SYM_FALSE: return del ? "cannot delete False" : "cannot assign to False";
  case RLX_SYM_NONE: return del ? "cannot delete None" : "cannot assign to None";
  case RLX_SYM_ELLIPSIS: return del ? "cannot delete ellipsis" : "cannot assign to ellipsis";
  case RLX_SYM_COMPARISON_OPERATOR: return del ? "cannot delete comparison" : "cannot assign to comparison";
  case RLX_SYM_LAMBDA: return del ? "cannot delete lambda" : "cannot assign to lambda";
  case RLX_SYM_CONDITIONAL_EXPRESSION:
    return del ? "cannot delete conditional expression" : "cannot assign to conditional expression";
  case RLX_SYM_NAMED_EXPRESSION: return del ? "cannot delete named expression" : "cannot assign to named expression";
  default: return del ? "cannot delete expression" : "cannot assign to expression";
  }
}

/// Reports the parts of `node`, a target of an assignment, a loop, `with` or `del`, that cannot be one.
static void check_target(const Check *check, TSNode node, bool del) {
  if (ts_node_is_null(node) || ts_node_has_error(node)) return;
  const char *message = not_a_target(node, del);
  if (message) {
    report(check, node, message);
    return;
  }
  switch ((int)ts_node_symbol(node)) {
  case RLX_SYM_TUPLE:
  case RLX_SYM_LIST:
  case RLX_SYM_PATTERN_LIST:
  case RLX_SYM_EXPRESSION_LIST:
  case RLX_SYM_PARENTHESIZED_EXPRESSION:
  case RLX_SYM_LIST_SPLAT: {
    TSTreeCursor at = ts_tree_cursor_new(node);
    for (bool more = ts_tree_cursor_goto_first_child(&at); more; more = ts_tree_cursor_goto_next_sibling(&at)) {
      TSNode part = ts_tree_cursor_current_node(&at);
      if (ts_node_is_named(part) && !ts_node_is_extra(part)) check_target(check, part, del);
    }
    ts_tree_cursor_delete(&at);
    break;
  }
  default: break;
  }
}

/// The target inside any number of parentheses must be a name, an attribute or a subscript.
static void check_single_target(const Check *check, TSNode node, const char *message) {
  TSNode inner = node;
  while (ts_node_symbol(inner) == RLX_SYM_PARENTHESIZED_EXPRESSION && ts_node_named_child_count(inner) > 0)
    inner = ts_node_named_child(inner, 0);
  TSSymbol symbol = ts_node_symbol(inner);
  if (symbol != RLX_SYM_IDENTIFIER && symbol != RLX_SYM_ATTRIBUTE && symbol != RLX_SYM_SUBSCRIPT) report(check, node, message);
}

/// Order: plain, `/`, defaults to the end of the positional ones, one `*` or `*args`, named ones, `**kwargs`.
static void check_parameters(const Check *check, TSNode list) {
  bool any = false, defaults = false, slash = false, star = false, bare = false, doubled = false;
  TSNode bare_star = list;
  TSTreeCursor at = ts_tree_cursor_new(list);
  for (bool more = ts_tree_cursor_goto_first_child(&at); more; more = ts_tree_cursor_goto_next_sibling(&at)) {
    TSNode node = ts_tree_cursor_current_node(&at);
    if (!ts_node_is_named(node) || ts_node_is_extra(node)) continue;
    TSNode splat = ts_node_symbol(node) == RLX_SYM_TYPED_PARAMETER ? ts_node_named_child(node, 0) : node;
    const char *message = doubled ? "arguments cannot follow var-keyword argument" : NULL;
    switch ((int)ts_node_symbol(splat)) {
    case RLX_SYM_POSITIONAL_SEPARATOR:
      if (slash) message = "/ may appear only once";
      else if (star) message = "/ must be ahead of *";
      else if (!any) message = "at least one argument must precede /";
      slash = true;
      break;
    case RLX_SYM_KEYWORD_SEPARATOR:
    case RLX_SYM_LIST_SPLAT_PATTERN:
      if (star) message = "* argument may appear only once";
      star = true;
      bare = ts_node_symbol(splat) == RLX_SYM_KEYWORD_SEPARATOR;
      bare_star = node;
      break;
    case RLX_SYM_DICTIONARY_SPLAT_PATTERN:
      if (bare) message = "named arguments must follow bare *";
      bare = false;
      doubled = true;
      break;
    case RLX_SYM_DEFAULT_PARAMETER:
    case RLX_SYM_TYPED_DEFAULT_PARAMETER:
      defaults = any = true;
      bare = false;
      break;
    default:
      if (defaults && !star && !message) message = "parameter without a default follows parameter with a default";
      any = true;
      bare = false;
      break;
    }
    if (message) report(check, node, message);
  }
  ts_tree_cursor_delete(&at);
  if (bare) report(check, bare_star, "named arguments must follow bare *");
}

/// Strings that stand side by side are all text or all bytes.
static void check_strings(const Check *check, TSNode node) {
  bool text = false, bytes = false;
  uint32_t count = ts_node_named_child_count(node);
  for (uint32_t i = 0; i < count; i++) {
    TSNode part = ts_node_named_child(node, i);
    if (ts_node_is_extra(part)) continue;
    const char *c = check->text + ts_node_start_byte(part);
    bool is_bytes = ts_node_symbol(part) == RLX_SYM_STRING && (*c == 'b' || *c == 'B' || ((*c == 'r' || *c == 'R') && (c[1] == 'b' || c[1] == 'B')));
    if (is_bytes) bytes = true;
    else text = true;
  }
  if (text && bytes) report(check, node, "cannot mix bytes and nonbytes literals");
}

/// Code points from 0x80 that may stand in a name, by blocks: their punctuation, symbols and spaces are left out.
static const uint32_t name_ranges[][2] = {
    {0xAA, 0xAA},       {0xB5, 0xB5},       {0xB7, 0xB7},       {0xBA, 0xBA},       {0xC0, 0xD6},       {0xD8, 0xF6},
    {0xF8, 0x2C1},      {0x2C6, 0x1FFE},    {0x203F, 0x2040},   {0x2054, 0x2054},   {0x2071, 0x2071},   {0x207F, 0x207F},
    {0x2090, 0x209C},   {0x20D0, 0x2188},   {0x2C00, 0x2DFF},   {0x3005, 0x3007},   {0x3021, 0x303C},   {0x3041, 0xD7FF},
    {0xF900, 0xFDFF},   {0xFE20, 0xFE2F},   {0xFE33, 0xFE34},   {0xFE4D, 0xFE4F},   {0xFE70, 0xFEFC},   {0xFF10, 0xFF19},
    {0xFF21, 0xFF3A},   {0xFF3F, 0xFF3F},   {0xFF41, 0xFF5A},   {0xFF65, 0xFFDC},   {0x10000, 0x1CFFF}, {0x1D400, 0x1EFFF},
    {0x1FBF0, 0x1FBF9}, {0x20000, 0xE01EF},
};

static bool is_name_char(uint32_t c) {
  for (size_t i = 0; i < sizeof name_ranges / sizeof *name_ranges; i++) {
    if (c >= name_ranges[i][0] && c <= name_ranges[i][1]) return true;
  }
  return false;
}

static void check_name(const Check *check, TSNode node) {
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

static bool is_symbol(TSNode node, enum RlxSym symbol) { return !ts_node_is_null(node) && ts_node_symbol(node) == symbol; }

/// An operand that binds looser than its operator and has no parentheses.
static void check_operand(const Check *check, TSNode node) {
  if (is_symbol(node, RLX_SYM_LAMBDA)) report(check, node, "a lambda must be in parentheses here");
}

static void check_interpolation(const Check *check, TSNode node) {
  TSNode value = field(node, RLX_FIELD_EXPRESSION);
  if (is_symbol(value, RLX_SYM_LIST_SPLAT)) report(check, value, "cannot use starred expression here");
  if (is_symbol(value, RLX_SYM_LAMBDA)) report(check, value, "f-string: lambda expressions are not allowed without parentheses");
  TSNode conversion = field(node, RLX_FIELD_TYPE_CONVERSION);
  if (ts_node_is_null(conversion)) return;
  char c = last_char(check, conversion);
  if (c != 's' && c != 'r' && c != 'a')
    report(check, conversion, "f-string: invalid conversion character: expected 's', 'r', or 'a'");
}

static void check_node(const Check *check, TSNode node) {
  switch ((int)ts_node_symbol(node)) {
  case RLX_SYM_IDENTIFIER:
    if (!check->ascii) check_name(check, node);
    break;
  case RLX_SYM_ASSIGNMENT:
    if (ts_node_is_null(field(node, RLX_FIELD_TYPE))) check_target(check, field(node, RLX_FIELD_LEFT), false);
    else check_single_target(check, field(node, RLX_FIELD_LEFT), "illegal target for annotation");
    break;
  case RLX_SYM_AUGMENTED_ASSIGNMENT:
    check_single_target(check, field(node, RLX_FIELD_LEFT), "illegal expression for augmented assignment");
    break;
  case RLX_SYM_FOR_STATEMENT: check_target(check, field(node, RLX_FIELD_LEFT), false); break;
  case RLX_SYM_FOR_IN_CLAUSE:
    check_target(check, field(node, RLX_FIELD_LEFT), false);
    check_operand(check, field(node, RLX_FIELD_RIGHT));
    break;
  case RLX_SYM_WITH_ITEM: check_target(check, field(node, RLX_FIELD_ALIAS), false); break;
  case RLX_SYM_DELETE_STATEMENT: check_target(check, ts_node_named_child(node, 0), true); break;
  case RLX_SYM_PARAMETERS:
  case RLX_SYM_LAMBDA_PARAMETERS: check_parameters(check, node); break;
  case RLX_SYM_BOOLEAN_OPERATOR: check_operand(check, field(node, RLX_FIELD_RIGHT)); break;
  case RLX_SYM_NOT_OPERATOR: check_operand(check, field(node, RLX_FIELD_ARGUMENT)); break;
  case RLX_SYM_CONDITIONAL_EXPRESSION: check_operand(check, field(node, RLX_FIELD_CONDITION)); break;
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
    if (is_text(check, field(node, RLX_FIELD_ALIAS), '_')) report(check, node, "cannot use '_' as a target");
    break;
  case RLX_SYM_CONCATENATED_STRING: check_strings(check, node); break;
  case RLX_SYM_INTERPOLATION: check_interpolation(check, node); break;
  default: break;
  }
}

void rlx_syntax_check(TSNode root, const char *text, RlxSyntaxFound *found, void *payload) {
  Check check = {.text = text, .ascii = true, .found = found, .payload = payload};
  uint32_t end = ts_node_end_byte(root);
  for (uint32_t i = ts_node_start_byte(root); i < end && check.ascii; i++) check.ascii = (unsigned char)text[i] < 0x80;
  TSTreeCursor at = ts_tree_cursor_new(root);
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(&at);
    if (ts_node_is_named(node) && !ts_node_has_error(node)) check_node(&check, node);
    if (ts_tree_cursor_goto_first_child(&at)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&at)) {
      if (ts_tree_cursor_goto_parent(&at)) continue;
      ts_tree_cursor_delete(&at);
      return;
    }
  }
}
