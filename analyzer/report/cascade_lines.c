/// Each search keeps the line where it stopped and what it has seen, and starts anew for a place
/// before it. See cascade_lines.h.
#include "analyzer/report/cascade_lines.h"

#include <string.h>

#include "analyzer/syntax/stmt_text.h"

uint32_t rlx_line_indentation(const char *text, uint32_t size, uint32_t at) {
  uint32_t start = rlx_line_start(text, at), end = start;
  while (end < size && (text[end] == ' ' || text[end] == '\t')) end++;
  return end - start;
}

static void start(RlxLineSearch *search, uint32_t from, uint32_t what) {
  const uint64_t key = (uint64_t)what << 32 | from;
  if (search->key != key) *search = (RlxLineSearch){key, from, UINT32_MAX};
}

/// The next line up to `to` to look at; false: there is none.
static bool next_line(RlxLineSearch *search, const char *text, uint32_t to) {
  if (search->found != UINT32_MAX || search->upto >= to) return false;
  const char *end = memchr(text + search->upto, '\n', to - search->upto);
  search->upto = end ? (uint32_t)(end + 1 - text) : to;
  return end != NULL;
}

bool rlx_has_fresh_start(RlxLineSearch *search, const char *text, uint32_t from, uint32_t to,
                         bool outermost) {
  start(search, from, 1 + (uint32_t)outermost);
  while (next_line(search, text, to)) {
    const char *at = text + search->upto;
    while (!outermost && (*at == ' ' || *at == '\t')) at++;
    if (*at == '@' || strncmp(at, "def ", 4) == 0 || strncmp(at, "class ", 6) == 0)
      search->found = search->upto;
  }
  return search->found <= to;
}

bool rlx_stays_inside(RlxLineSearch *search, const char *text, uint32_t size, uint32_t depth,
                      uint32_t from, uint32_t to) {
  start(search, from, 1 + depth);
  while (next_line(search, text, to)) {
    const char *at = text + search->upto, *end = text + size;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    const uint32_t own = (uint32_t)(at - text) - search->upto;
    if (*at == '\n' || *at == '\r' || *at == '#') continue;
    if (own < depth || (own == depth && !strchr(")]}", *at))) search->found = search->upto;
  }
  return search->found > to;
}
