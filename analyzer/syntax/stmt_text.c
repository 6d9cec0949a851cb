/// How a statement stands in its text.
#include "analyzer/syntax/stmt_text.h"

#include <string.h>

uint32_t rlx_line_start(const char *text, uint32_t at) {
  while (at && text[at - 1] != '\n' && text[at - 1] != '\r') at--;
  return at;
}

uint32_t rlx_next_line(const char *text, uint32_t size, uint32_t at) {
  while (at < size && text[at] != '\n' && text[at] != '\r') at++;
  if (at + 1 < size && text[at] == '\r' && text[at + 1] == '\n') at++;
  return at + (at < size);
}

size_t rlx_string_end(const char *text, size_t size, size_t at) {
  const char quote = text[at];
  const bool is_triple = at + 2 < size && text[at + 1] == quote && text[at + 2] == quote;
  for (at += is_triple ? 3 : 1; at < size; at++) {
    if (text[at] == '\\')
      at++;
    else if (text[at] == '\n' && !is_triple)
      return at;
    else if (text[at] == quote &&
             (!is_triple || (at + 2 < size && text[at + 1] == quote && text[at + 2] == quote)))
      return at + (is_triple ? 3 : 1);
  }
  return size;
}

const char *rlx_newline_at(const char *text, uint32_t at) {
  const uint32_t start = rlx_line_start(text, at);
  const char *end = start ? text + start - 1 : strpbrk(text + at, "\r\n");
  if (!end) return "\n";
  if (start > 1 && *end == '\n' && end[-1] == '\r') end--;
  return *end == '\n' ? "\n" : end[1] == '\n' ? "\r\n" : "\r";
}

bool rlx_has_own_line(const char *text, const RlxStmt *stmt, uint32_t line) {
  for (uint32_t i = line; i < stmt->start; i++)
    if (text[i] != ' ' && text[i] != '\t' && text[i] != '\f') return false;
  return true;
}

void rlx_put_break(RlxBuf *out, const char *text, const RlxStmt *stmt) {
  const uint32_t line = rlx_line_start(text, stmt->start);
  if (rlx_has_own_line(text, stmt, line))
    rlx_buf_printf(out, "\n%.*s", (int)(stmt->start - line), text + line);
  else
    rlx_buf_puts(out, "; ");
}

void rlx_put_lines(RlxBuf *out, const char *lines, const char *newline) {
  for (const char *at = lines; *at; at++) {
    if (*at == '\n' && (at == lines || at[-1] != '\r'))
      rlx_buf_puts(out, newline);
    else
      rlx_buf_putc(out, *at);
  }
}

void rlx_put_same_size(RlxBuf *out, const char *text, size_t size) {
  const size_t from = out->size;
  rlx_buf_putn(out, text, size);
  for (size_t i = 0; i < size; i++)
    if (text[i] == '\r' && (i + 1 == size || text[i + 1] != '\n')) out->at[from + i] = '\n';
}

bool rlx_own_lines(const char *text, uint32_t size, const RlxStmt *stmt, RlxSpan *out) {
  uint32_t start = stmt->start, end = stmt->start + stmt->size;
  while (start && (text[start - 1] == ' ' || text[start - 1] == '\t')) start--;
  if (start && text[start - 1] != '\n' && text[start - 1] != '\r') return false;
  while (end < size && (text[end] == ' ' || text[end] == '\t')) end++;
  if (end < size && text[end] == '#')
    while (end < size && text[end] != '\n' && text[end] != '\r') end++;
  if (end < size && text[end] == '\r') end++;
  if (end < size && text[end] == '\n')
    end++;
  else if (end < size && text[end - 1] != '\r')
    return false;
  *out = rlx_span(start, end);
  return true;
}

bool rlx_is_output(const RlxStore *store, const RlxStmt *stmt) {
  return stmt->kind == RLX_STMT_EXPR && rlx_is_output_call(store, stmt->value);
}

bool rlx_is_output_call(const RlxStore *store, const RlxAst *call) {
  const RlxAst *head = call && call->kind == RLX_AST_CALL ? call->children[0] : NULL;
  if (!head || (head->kind != RLX_AST_ATTRIBUTE && head->kind != RLX_AST_NAME)) return false;
  const char *name = rlx_store_text(store, head->name);
  return strcmp(name, "output") == 0 || strcmp(name, "outputs") == 0;
}

RlxSpan rlx_dict_entry_span(const RlxAst *dict, uint32_t key) {
  bool is_last = key + 2 >= dict->child_count;
  if (!is_last)
    return rlx_span(dict->children[key]->span.start, dict->children[key + 2]->span.start);
  if (key > 0)
    return rlx_span(dict->children[key - 1]->span.end, dict->children[key + 1]->span.end);
  return rlx_span(dict->children[key]->span.start, dict->children[key + 1]->span.end);
}
