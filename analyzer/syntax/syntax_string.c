/// Literals: numbers, and strings with their prefixes, escapes, implicit concatenation and f-string
/// parts. Source: the Python reference, "Lexical analysis". It and syntax_expr.c call each other: an
/// f-string is an expression that holds expressions.
#include "analyzer/syntax/syntax_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

/// Value of an integer's digits; false when 64 bits do not hold it.
static bool read_integer(const char *text, uint32_t size, uint64_t *out) {
  int base = 10;
  uint32_t i = 0;
  if (size > 2 && text[0] == '0') {
    char c = text[1] | 0x20;
    base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
    if (base != 10) i = 2;
  }
  uint64_t value = 0;
  for (; i < size; i++) {
    if (text[i] == '_') continue;
    int digit = digit_value(text[i]);
    if (digit >= base) break;
    if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
        __builtin_add_overflow(value, (uint64_t)digit, &value))
      return false;
  }
  *out = value;
  return true;
}

bool rlx_ast_unsigned(const RlxAst *ast, uint64_t *out) {
  return ast->kind == RLX_AST_INT && ast->is_big && read_integer(ast->text, ast->text_size, out);
}

RlxAst *rlx_lower_number(RlxSyntax *s, TSNode node) {
  uint32_t start = ts_node_start_byte(node), size = ts_node_end_byte(node) - start;
  return rlx_ast_number(s, rlx_syntax_node_span(s, node), rlx_syntax_at(s, start), size,
                        ts_node_symbol(node) == RLX_SYM_INTEGER);
}

RlxAst *rlx_ast_number(RlxSyntax *s, RlxSpan span, const char *text, uint32_t size,
                       bool is_integer) {
  if (is_integer) {
    RlxAst *result = rlx_ast_make(s, RLX_AST_INT, span, s->kids.count);
    uint64_t value;
    if (read_integer(text, size, &value) && value <= INT64_MAX)
      result->integer = (int64_t)value;
    else {
      result->is_big = true;
      result->text = rlx_arena_strndup(s->arena, text, size);
      result->text_size = size;
    }
    return result;
  }
  rlx_buf_clear(&s->bytes);
  for (uint32_t i = 0; i < size; i++) {
    if (text[i] != '_') rlx_buf_putc(&s->bytes, text[i]);
  }
  bool is_imaginary = size > 0 && (text[size - 1] | 0x20) == 'j';
  RlxAst *result =
      rlx_ast_make(s, is_imaginary ? RLX_AST_IMAGINARY : RLX_AST_FLOAT, span, s->kids.count);
  result->number = strtod(rlx_buf_text(&s->bytes), NULL);
  return result;
}

static void put_code(RlxBuf *out, uint32_t code) {
  // A lone surrogate is legal in a Python string; we keep it in the form that UTF-8 would give it.
  if (code >= 0xD800 && code <= 0xDFFF) {
    rlx_buf_putc(out, (char)0xED);
    rlx_buf_putc(out, (char)(0x80 | ((code >> 6) & 0x3F)));
    rlx_buf_putc(out, (char)(0x80 | (code & 0x3F)));
    return;
  }
  rlx_utf8_put(out, code);
}

/// Reads up to `most` digits of a base; gives how many there were.
static uint32_t read_digits(const char *text, uint32_t size, uint32_t most, int base,
                            uint32_t *out) {
  uint32_t n = 0, value = 0;
  for (; n < most && n < size && digit_value(text[n]) < base; n++)
    value = value * (uint32_t)base + (uint32_t)digit_value(text[n]);
  *out = value;
  return n;
}

/// An escape; `text` is behind the backslash. Gives the bytes it takes; notes what is wrong.
static uint32_t decode_escape(RlxSyntax *s, const char *text, uint32_t size, bool is_bytes,
                              RlxSpan span) {
  RlxBuf *out = &s->bytes;
  uint32_t code = 0, wanted = 0, n = 0;
  switch (text[0]) {
  case '\n': return 1;
  case '\r': return size > 1 && text[1] == '\n' ? 2 : 1;
  case '\\':
  case '\'':
  case '"': rlx_buf_putc(out, text[0]); return 1;
  case 'a': rlx_buf_putc(out, '\a'); return 1;
  case 'b': rlx_buf_putc(out, '\b'); return 1;
  case 'f': rlx_buf_putc(out, '\f'); return 1;
  case 'n': rlx_buf_putc(out, '\n'); return 1;
  case 'r': rlx_buf_putc(out, '\r'); return 1;
  case 't': rlx_buf_putc(out, '\t'); return 1;
  case 'v': rlx_buf_putc(out, '\v'); return 1;
  case 'x': wanted = 2; break;
  case 'u': wanted = is_bytes ? 0 : 4; break;
  case 'U': wanted = is_bytes ? 0 : 8; break;
  case 'N':
    if (!is_bytes) {
      const char *close = size > 1 && text[1] == '{' ? memchr(text, '}', size) : NULL;
      if (!close || close == text + 2) {
        rlx_syntax_problem(s, span, "\\N is followed by a character's name in braces");
        return 1;
      }
      put_code(out, 0xFFFD); // names of characters are not looked up
      return (uint32_t)(close - text) + 1;
    }
    break;
  default:
    n = read_digits(text, size, 3, 8, &code);
    if (n > 0) {
      if (is_bytes)
        rlx_buf_putc(out, (char)(code & 0xFF));
      else
        put_code(out, code);
      return n;
    }
    break;
  }
  if (wanted) {
    n = read_digits(text + 1, size - 1, wanted, 16, &code);
    if (n < wanted || code > 0x10FFFF)
      rlx_syntax_problem(s, span, "this string has an escape that is cut short or out of range");
    if (is_bytes)
      rlx_buf_putc(out, (char)code);
    else
      put_code(out, code);
    return n + 1;
  }
  rlx_buf_putc(out, '\\'); // an unknown escape stands for itself
  return 0;
}

/// Appends the value of string text without quotes to s->bytes. Line ends become "\n"; in f-strings
/// doubled braces become one.
static void decode(RlxSyntax *s, const char *text, uint32_t size, bool is_raw, bool is_bytes,
                   bool is_format, RlxSpan span) {
  RlxBuf *out = &s->bytes;
  for (uint32_t i = 0; i < size;) {
    char c = text[i];
    if (c == '\\' && !is_raw && i + 1 < size) {
      i += 1 + decode_escape(s, text + i + 1, size - i - 1, is_bytes, span);
    } else if (c == '\r') {
      rlx_buf_putc(out, '\n');
      i += i + 1 < size && text[i + 1] == '\n' ? 2 : 1;
    } else if (is_format && (c == '{' || c == '}') && i + 1 < size && text[i + 1] == c) {
      rlx_buf_putc(out, c);
      i += 2;
    } else {
      uint32_t run = i + 1;
      while (run < size && text[run] != '\\' && text[run] != '\r' && text[run] != '{' &&
             text[run] != '}')
        run++;
      rlx_buf_putn(out, text + i, run - i);
      i = run;
    }
  }
}

static RlxAst *make_text(RlxSyntax *s, RlxAstKind kind, RlxSpan span) {
  RlxAst *node = rlx_ast_make(s, kind, span, s->kids.count);
  node->text = rlx_arena_strndup(s->arena, rlx_buf_text(&s->bytes), s->bytes.size);
  node->text_size = (uint32_t)s->bytes.size;
  return node;
}

/// Appends a plain string literal's value to s->bytes; true when it is a bytes literal.
static bool decode_literal(RlxSyntax *s, TSNode node) {
  uint32_t start = ts_node_start_byte(node), size = ts_node_end_byte(node) - start, prefix = 0;
  const char *text = rlx_syntax_at(s, start);
  bool is_raw = false, is_bytes = false;
  while (prefix < size && text[prefix] != '"' && text[prefix] != '\'') {
    char c = text[prefix++] | 0x20;
    is_raw |= c == 'r';
    is_bytes |= c == 'b';
  }
  uint32_t quotes =
      size >= prefix + 6 && text[prefix + 1] == text[prefix] && text[prefix + 2] == text[prefix]
          ? 3
          : 1;
  if (size < prefix + 2 * quotes) return is_bytes;
  decode(s, text + prefix + quotes, size - prefix - 2 * quotes, is_raw, is_bytes, false,
         rlx_syntax_node_span(s, node));
  return is_bytes;
}

/// Pushes the parts of an f-string to s->kids; `*flags` becomes 1 when a part is converted or
/// formatted.
static void lower_parts(RlxSyntax *s, TSTreeCursor *cursor, uint8_t *flags) {
  bool is_raw = false;
  const RlxAst *last_text = NULL;
  if (!ts_tree_cursor_goto_first_child(cursor)) return;
  do {
    TSNode node = ts_tree_cursor_current_node(cursor);
    uint32_t start = ts_node_start_byte(node), size = ts_node_end_byte(node) - start;
    const char *text = rlx_syntax_at(s, start);
    TSSymbol symbol = ts_node_symbol(node);
    if (symbol == RLX_SYM_STRING_START) {
      is_raw = size > 1 && ((text[0] | 0x20) == 'r' || (text[1] | 0x20) == 'r');
    } else if (symbol == RLX_SYM_STRING_CONTENT) {
      RlxSpan span = rlx_syntax_node_span(s, node);
      // The grammar gives doubled braces a node of their own: neighbours are one part.
      rlx_buf_clear(&s->bytes);
      if (last_text) rlx_buf_putn(&s->bytes, last_text->text, last_text->text_size);
      decode(s, text, size, is_raw, false, true, span);
      RlxAst *part = make_text(s, RLX_AST_STRING, span);
      if (last_text) {
        part->span.start = last_text->span.start;
        s->kids.count--;
      }
      rlx_vec_push(&s->kids, part);
      last_text = part;
    } else if (symbol == RLX_SYM_INTERPOLATION && ts_tree_cursor_goto_first_child(cursor)) {
      rlx_check_node(s, node);
      bool has_value = false;
      last_text = NULL;
      do {
        TSSymbol inner = ts_node_symbol(ts_tree_cursor_current_node(cursor));
        if (!has_value && rlx_symbol_is_expr(inner)) {
          RlxAst *value = rlx_lower_expr(s, cursor);
          rlx_vec_push(&s->kids, value);
          has_value = true;
        } else if (inner == RLX_SYM_TYPE_CONVERSION || inner == RLX_SYM_FORMAT_SPECIFIER ||
                   inner == RLX_SYM_ANON_EQ) {
          *flags = 1;
        }
      } while (ts_tree_cursor_goto_next_sibling(cursor));
      ts_tree_cursor_goto_parent(cursor);
    }
  } while (ts_tree_cursor_goto_next_sibling(cursor));
  ts_tree_cursor_goto_parent(cursor);
}

/// Several literals side by side. With an f-string among them it is one f-string.
static RlxAst *lower_concatenated(RlxSyntax *s, TSTreeCursor *cursor, RlxSpan span) {
  uint32_t from = s->kids.count, bytes_count = 0;
  bool is_format = false;
  uint8_t flags = 0;
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      is_format |= ts_node_symbol(ts_tree_cursor_current_node(cursor)) == RLX_SYM_FORMAT_STRING;
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  rlx_buf_clear(&s->bytes);
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      TSNode node = ts_tree_cursor_current_node(cursor);
      TSSymbol symbol = ts_node_symbol(node);
      if (symbol == RLX_SYM_FORMAT_STRING) {
        lower_parts(s, cursor, &flags);
      } else if (symbol == RLX_SYM_STRING) {
        if (is_format) rlx_buf_clear(&s->bytes);
        bytes_count += decode_literal(s, node) ? 1 : 0;
        if (is_format) {
          RlxAst *part = make_text(s, RLX_AST_STRING, rlx_syntax_node_span(s, node));
          rlx_vec_push(&s->kids, part);
        }
      }
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  if (!is_format) return make_text(s, bytes_count ? RLX_AST_BYTES : RLX_AST_STRING, span);
  RlxAst *node = rlx_ast_make(s, RLX_AST_FSTRING, span, from);
  node->op = flags;
  return node;
}

RlxAst *rlx_lower_string(RlxSyntax *s, TSTreeCursor *cursor) {
  TSNode node = ts_tree_cursor_current_node(cursor);
  RlxSpan span = rlx_syntax_node_span(s, node);
  switch (ts_node_symbol(node)) {
  case RLX_SYM_STRING: {
    rlx_buf_clear(&s->bytes);
    bool is_bytes = decode_literal(s, node);
    return make_text(s, is_bytes ? RLX_AST_BYTES : RLX_AST_STRING, span);
  }
  case RLX_SYM_FORMAT_STRING: {
    uint32_t from = s->kids.count;
    uint8_t flags = 0;
    lower_parts(s, cursor, &flags);
    RlxAst *result = rlx_ast_make(s, RLX_AST_FSTRING, span, from);
    result->op = flags;
    return result;
  }
  default: return lower_concatenated(s, cursor, span);
  }
}
