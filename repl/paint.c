/// Colours of program text: words, names, numbers, strings, comments, in TVMScript, LLVM IR,
/// assembly and differences.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/terminal.h"
#include "base/text.h"
#include "repl/look.h"
#include "repl/values.h"

#define WORD    "\033[35m"
#define NAME    "\033[36m"
#define NUMBER  "\033[33m"
#define STRING  "\033[32m"
#define COMMENT "\033[2m"
#define PLAIN   "\033[0m"

bool rlx_repl_is_colored(void) { return rlx_terminal_has_colors(stdout); }

static const char python_words[] =
    " def class return if else elif for while in with as from import True False None and or not is "
    "pass break continue lambda ";
static const char llvm_words[] =
    " define declare ret br label call tail load store getelementptr inbounds alloca phi switch "
    "select icmp fcmp add sub mul sdiv udiv srem urem fadd fsub fmul fdiv fneg and or xor shl lshr "
    "ashr zext sext trunc fpext fptrunc sitofp uitofp fptosi fptoui bitcast inttoptr ptrtoint "
    "unreachable extractvalue insertvalue extractelement insertelement shufflevector attributes "
    "invoke freeze fence atomicrmw cmpxchg ";

/// Size of the string that begins at `p`, within its line.
static size_t string_size(const char *p) {
  size_t n = 1;
  while (p[n] && p[n] != *p && p[n] != '\n') n += p[n] == '\\' && p[n + 1] ? 2 : 1;
  return p[n] == *p ? n + 1 : n;
}

/// Colour of the piece at `p` and its size; NULL: none. `at_start`: nothing but blanks is before it
/// in its line.
static const char *piece(const char *p, RlxPaint kind, bool at_start, size_t *size) {
  const char comment = kind == RLX_PAINT_LLVM ? ';' : '#';
  *size = 1;
  if (*p == comment) {
    *size = strcspn(p, "\n");
    return COMMENT;
  }
  if (*p == '"' || (*p == '\'' && kind == RLX_PAINT_SCRIPT)) {
    *size = string_size(p);
    return STRING;
  }
  size_t n = 1;
  if ((*p == '%' || *p == '@' || *p == '!') && kind != RLX_PAINT_SCRIPT) {
    while (rlx_text_in_name(p[n]) || p[n] == '.') n++;
    *size = n;
    return n > 1 ? NAME : NULL;
  }
  if (isdigit((unsigned char)*p)) {
    while (isalnum((unsigned char)p[n]) || p[n] == '.') n++;
    *size = n;
    return NUMBER;
  }
  if (*p == '@' || rlx_text_starts_name(*p)) {
    bool dotted = *p == '@';
    while (rlx_text_in_name(p[n]) || p[n] == '.') dotted |= p[n++] == '.';
    *size = n;
    if (kind == RLX_PAINT_ASM) return at_start && p[n] != ':' ? WORD : NULL;
    if (kind == RLX_PAINT_LLVM) return rlx_text_find_word(llvm_words, p, n) ? WORD : NULL;
    return dotted ? NAME : rlx_text_find_word(python_words, p, n) ? WORD : NULL;
  }
  return NULL;
}

static void paint_diff(const char *text, RlxBuf *out) {
  for (const char *p = text; *p;) {
    size_t n = strcspn(p, "\n");
    const char *color = *p == '+' ? STRING : *p == '-' ? "\033[31m" : *p == '@' ? NAME : "";
    rlx_buf_printf(out, "%s%.*s%s\n", color, (int)n, p, *color ? PLAIN : "");
    p += n + (p[n] == '\n');
  }
}

static void paint_code(const char *text, RlxPaint kind, RlxBuf *out) {
  bool at_start = true;
  for (const char *p = text; *p;) {
    size_t n;
    const char *color = piece(p, kind, at_start, &n);
    if (color) rlx_buf_puts(out, color);
    rlx_buf_putn(out, p, n);
    if (color) rlx_buf_puts(out, PLAIN);
    at_start = *p == '\n' || (at_start && (*p == ' ' || *p == '\t'));
    p += n;
  }
}

void rlx_repl_paint(const char *text, RlxPaint kind, RlxBuf *out) {
  if (!rlx_repl_is_colored())
    rlx_buf_puts(out, text);
  else if (kind == RLX_PAINT_DIFF)
    paint_diff(text, out);
  else
    paint_code(text, kind, out);
}

void rlx_repl_print_painted(const RlxRepl *repl, const char *text, RlxPaint kind) {
  RlxBuf out = {0};
  rlx_repl_paint(text, kind, &out);
  rlx_repl_print_paged(repl, rlx_buf_text(&out));
  rlx_buf_free(&out);
}
