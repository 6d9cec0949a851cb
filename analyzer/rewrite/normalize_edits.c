/// What all normal forms ask of a function and of a statement that goes.
#include "analyzer/rewrite/normalize_edits.h"

#include <string.h>

#include "analyzer/state/state.h"

/// Whether a name is reported as not defined: uses behind it are not known then, so nothing may be
/// taken away.
static bool misses_names(const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    for (uint32_t k = 0; unit && k < unit->diag_count; k++)
      if (strncmp(rlx_diag_row(unit->diags[k]->id)->code, "RLX02", 5) == 0) return true;
    if (unit && (misses_names(unit->body) || misses_names(unit->orelse) ||
                 (unit->fn && misses_names(unit->fn->body))))
      return true;
  }
  return false;
}

bool rlx_misses_names(const RlxStmt *def) {
  const RlxAnalysis *unit = def->analysis;
  return unit && unit->fn && misses_names(unit->fn->body);
}

RlxEdit rlx_removal(const char *text, const RlxStmt *stmt) {
  uint32_t start = stmt->start, end = start + stmt->head_size, line = rlx_line_start(text, start);
  bool own = rlx_has_own_line(text, stmt, line);
  uint32_t next = end + (uint32_t)strspn(text + end, " \t;");
  if (own && (text[next] == '\n' || text[next] == '\r' || !text[next])) {
    if (text[next] == '\r') next++;
    if (text[next] == '\n') next++;
    return (RlxEdit){rlx_span(line, next), ""};
  }
  if (own && text[next] == '#') return (RlxEdit){rlx_span(start, next), ""};
  if (memchr(text + end, ';', next - end) && text[next] != '#' && text[next] != '\n' &&
      text[next] != '\r' && text[next])
    return (RlxEdit){rlx_span(start, next), ""};
  uint32_t before = start;
  while (before > line && (text[before - 1] == ' ' || text[before - 1] == '\t')) before--;
  if (before > line && text[before - 1] == ';') return (RlxEdit){rlx_span(before - 1, end), ""};
  return (RlxEdit){rlx_span(start, end), "pass"};
}
