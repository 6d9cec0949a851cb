/// Units of a document: scanning, moving, freeing.
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/document_impl.h"
#include "base/hash.h"
#include "base/mem.h"

/// Goes on behind a decorator: to the definition it stands before, if there is one at the same
/// indentation.
static void scan_decorated(const char *text, uint32_t size, RlxUnit *unit, RlxLogicalLine *last) {
  const RlxLogicalLine first = *last;
  RlxLogicalLine line;
  while (last->kind == RLX_LINE_DECORATOR) {
    bool found = rlx_logical_line_next(text, size, last->next, &line);
    uint32_t looked = found ? line.looked : size;
    if (looked > unit->looked) unit->looked = looked;
    // Where the word `def` is gone, the blank behind it may be left.
    const bool is_slip = found && rlx_logical_line_is_decorated(text, &line),
               is_below =
                   found && (is_slip ? line.wide >= first.wide && line.narrow >= first.narrow
                                     : line.wide == first.wide && line.narrow == first.narrow);
    bool goes_on = is_below && (line.kind == RLX_LINE_DECORATOR || line.kind == RLX_LINE_DEF ||
                                line.kind == RLX_LINE_CLASS);
    if (!goes_on) return;
    if (line.is_broken && !unit->is_broken) {
      unit->is_broken = true;
      unit->is_deep = line.is_deep;
      unit->broken = line.error;
    }
    unit->is_decorated = true;
    *last = line;
  }
}

bool rlx_unit_has_suite_on_line(const RlxUnit *unit) {
  switch ((RlxLineKind)unit->kind) {
  case RLX_LINE_DEF:
  case RLX_LINE_CLASS:
  case RLX_LINE_IF:
  case RLX_LINE_WHILE:
  case RLX_LINE_FOR:
  case RLX_LINE_WITH: return unit->colon && !unit->opens_suite;
  case RLX_LINE_SIMPLE:
  case RLX_LINE_DECORATOR:
  case RLX_LINE_TRY:
  case RLX_LINE_MATCH:
  case RLX_LINE_ELIF:
  case RLX_LINE_ELSE:
  case RLX_LINE_EXCEPT:
  case RLX_LINE_FINALLY:
  case RLX_LINE_CASE: return false;
  }
  return false;
}

bool rlx_unit_scan(const char *text, uint32_t size, uint32_t at, RlxUnit *out) {
  RlxLogicalLine line;
  if (!rlx_logical_line_next(text, size, at, &line)) return false;
  RlxUnit unit = {.line_start = line.line_start,
                  .start = line.start,
                  .looked = line.looked,
                  .wide = line.wide,
                  .narrow = line.narrow,
                  .is_broken = line.is_broken,
                  .is_deep = line.is_deep,
                  .broken = line.error};
  if (line.kind == RLX_LINE_DECORATOR) scan_decorated(text, size, &unit, &line);
  unit.head = line.start;
  unit.end = line.end;
  unit.next = line.next;
  unit.kind = line.kind;
  unit.colon = line.colon;
  unit.opens_suite = line.opens_suite;
  unit.is_case_line = line.kind == RLX_LINE_CASE;
  unit.has_lines_below = rlx_unit_has_suite_on_line(&unit) &&
                         rlx_logical_line_indentation(text, size, unit.next) > unit.wide;
  unit.hash = rlx_hash_bytes(text + unit.start, unit.end - unit.start, unit.kind);
  if (unit.is_broken) {
    unit.broken.start -= unit.start;
    unit.broken.end -= unit.start;
  }
  if (unit.looked < unit.next) unit.looked = unit.next;
  *out = unit;
  return true;
}

static void free_stmt(RlxDocument *doc, RlxStmt *stmt) {
  if (doc->drop) doc->drop(stmt, doc->drop_data);
  rlx_syntax_free_stmt(doc->syntax, stmt);
}

static void free_block(RlxBlock *block) {
  if (block) free(block->stmts);
  free(block);
}

void rlx_unit_free(RlxDocument *doc, RlxUnit *unit) {
  const uint32_t own = rlx_unit_own_count(unit);
  for (uint32_t i = own; i < unit->stmt_count; i++) // what stands in `suite`
    free_stmt(doc, rlx_unit_stmts(unit)[i]);
  if (unit->suite && !rlx_unit_opens(unit))
    for (uint32_t i = 0; i < unit->suite->count; i++) free_stmt(doc, unit->suite->stmts[i]);
  if (unit->stray) free_stmt(doc, unit->stray);
  for (uint32_t i = 0; i < own; i++) free_stmt(doc, rlx_unit_stmts(unit)[i]);
  // Who is told of a statement that goes looks at what it stood in, and that of an `elif` is its own.
  free_block(unit->suite);
  free_block(unit->wrap);
  if (unit->stmt_count > 1) free(unit->many);
  free(unit->problems);
  rlx_unit_empty(unit);
}

void rlx_unit_empty(RlxUnit *unit) {
  unit->stmt_count = 0;
  unit->one = NULL;
  unit->suite = unit->wrap = NULL;
  unit->stray = NULL;
  unit->problems = NULL;
  unit->problem_count = 0;
  unit->is_parsed = false;
}

static void shift_stmt(RlxStmt *stmt, int64_t bytes, int64_t lines) {
  stmt->start = (uint32_t)(stmt->start + bytes);
  stmt->line = (uint32_t)(stmt->line + lines);
}

void rlx_unit_shift(RlxUnit *unit, int64_t bytes, int64_t lines) {
  unit->line_start = (uint32_t)(unit->line_start + bytes);
  unit->start = (uint32_t)(unit->start + bytes);
  unit->end = (uint32_t)(unit->end + bytes);
  unit->next = (uint32_t)(unit->next + bytes);
  unit->looked = (uint32_t)(unit->looked + bytes);
  unit->head = (uint32_t)(unit->head + bytes);
  if (unit->colon) unit->colon = (uint32_t)(unit->colon + bytes);
  unit->line = (uint32_t)(unit->line + lines);
  for (uint32_t i = 0; i < unit->stmt_count; i++) shift_stmt(rlx_unit_stmts(unit)[i], bytes, lines);
  if (unit->stray) shift_stmt(unit->stray, bytes, lines);
  if (unit->suite && !rlx_unit_opens(unit)) {
    for (uint32_t i = 0; i < unit->suite->count; i++)
      shift_stmt(unit->suite->stmts[i], bytes, lines);
  }
}

/// What was parsed behind the unit's colon becomes statements of the unit itself, behind its own: rlx_document_link puts them into
/// its suite, which is `suite`, or NULL.
static void take_line(RlxDocument *doc, RlxUnit *unit, RlxBlock *suite) {
  RlxBlock *line = unit->suite;
  unit->suite = suite;
  if (!line) return;
  while (line->count + unit->stmt_count > UINT16_MAX) free_stmt(doc, line->stmts[--line->count]);
  if (unit->stmt_count && line->count) {
    RlxStmt **all = rlx_mem_alloc(unit->stmt_count + line->count, sizeof *all);
    memcpy(all, rlx_unit_stmts(unit), unit->stmt_count * sizeof *all);
    memcpy(all + unit->stmt_count, line->stmts, line->count * sizeof *all);
    if (unit->stmt_count > 1) free(unit->many);
    unit->many = all;
    unit->stmt_count = (uint16_t)(unit->stmt_count + line->count);
  } else {
    while (line->count) free_stmt(doc, line->stmts[--line->count]);
  }
  free(line->stmts);
  free(line);
}

void rlx_document_parse(RlxDocument *doc) {
  typedef struct {
    RlxUnit *unit;
    RlxBlock *suite;
  } Aside;
  Vec(Aside) aside = {0};
  for (uint32_t i = 0; i < doc->to_parse.count; i++) {
    RlxUnit *unit = doc->to_parse.at[i];
    if (!unit->has_lines_below) continue;
    rlx_vec_push(&aside, ((Aside){unit, unit->suite}));
    unit->suite = NULL;
  }
  rlx_syntax_parse(doc->syntax, rlx_buf_text(&doc->text), doc->to_parse.at, doc->to_parse.count);
  rlx_vec_clear(&doc->to_parse);
  for (uint32_t i = 0; i < aside.count; i++) take_line(doc, aside.at[i].unit, aside.at[i].suite);
  rlx_vec_free(&aside);
}
