/// What every format of `rlx check` says of a finding: the word for its severity, where it is, and
/// the mark by which a baseline knows it again.
#include <string.h>

#include "analyzer/diag/line_words.h"
#include "base/hash.h"
#include "cli/check_impl.h"

const char *const rlx_severity_names[] = {"", "error", "warning", "information", "hint"};

static RlxScriptPlace place(const RlxCheck *c, uint32_t offset) {
  const RlxLineColumn at = rlx_lines_locate(c->lines, offset);
  const uint32_t start = rlx_lines_start(c->lines, at.line);
  return (RlxScriptPlace){at.line, rlx_columns_units(c->columns, false, c->text + start,
                                                     c->lines->size_bytes - start, at.column)};
}

RlxPlace rlx_check_place(const RlxCheck *c, uint32_t offset) {
  RlxScriptPlace at = place(c, offset);
  return (RlxPlace){at.line + 1, at.character + 1};
}

bool rlx_check_is_fixed(RlxDiagId id, int severity, int least) {
  return severity <= least && (id != RLX_DIAG_ID(NESTED_CALL) || severity != RLX_HINT);
}

void rlx_check_range(RlxCheck *c, RlxSpan span) {
  rlx_json_places(&c->json, place(c, span.start), place(c, span.end));
}

/// Of the line without the blanks around it; many findings may stand in one.
static uint64_t line_hash(RlxCheck *c, uint32_t offset) {
  uint32_t line = rlx_lines_locate(c->lines, offset).line;
  const char *start = c->text + rlx_lines_start(c->lines, line),
             *end = c->text + rlx_lines_end(c->lines, c->text, line);
  if (c->hashed == start) return c->line_hash;
  c->hashed = start;
  while (start < end && (*start == ' ' || *start == '\t')) start++;
  while (end > start && (end[-1] == ' ' || end[-1] == '\t')) end--;
  c->line_hash = rlx_hash_bytes(start, (size_t)(end - start), 0);
  return c->line_hash;
}

uint64_t rlx_check_mark(RlxCheck *c, const RlxFinding *d) {
  const char *parts[] = {rlx_diag_row(d->id)->code, d->function ? d->function : ""};
  uint64_t hash = line_hash(c, d->span.start), times = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    hash = rlx_hash_mix(hash, rlx_hash_bytes(parts[i], strlen(parts[i]), 0));
  hash = rlx_hash_mix(hash, rlx_message_hash(d->message));
  uint64_t in_file = rlx_hash_mix(rlx_hash_bytes(c->path, strlen(c->path), 0), hash);
  rlx_map_get(&c->marks, in_file, &times);
  rlx_map_put(&c->marks, in_file, times + 1);
  return rlx_hash_mix(hash, times);
}
