/// What every file of the lowering needs: statements from slabs and back, spans and names of nodes,
/// the list of problems. It calls none of the other syntax files.
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/syntax_impl.h"
#include "base/mem.h"
#include "base/text.h"
#include "grammar/check.h"

/// Statements come from slabs of this many, so that shifting them all walks through memory.
#ifdef RLX_STRESS
enum { SLAB = 2 };
#else
enum { SLAB = 128 };
#endif

RlxStmt *rlx_stmt_alloc(RlxSyntax *s) {
  RlxStmt *stmt = s->spare;
  if (stmt) {
    s->spare = stmt->analysis;
    memset(stmt, 0, sizeof *stmt);
    return stmt;
  }
  if (s->slabs.count == 0 || s->slab_used == SLAB) {
    rlx_vec_push(&s->slabs, rlx_mem_zeroed(SLAB, sizeof(RlxStmt)));
    s->slab_used = 0;
  }
  return &rlx_vec_last(&s->slabs)[s->slab_used++];
}

void rlx_syntax_free_readings(RlxSyntax *s, RlxStmt *first) {
  for (RlxStmt *next; first; first = next) {
    next = first->reading;
    first->reading = NULL;
    rlx_syntax_free_stmt(s, first);
  }
}

void rlx_syntax_free_stmt(RlxSyntax *s, RlxStmt *stmt) {
  rlx_syntax_free_readings(s, stmt->reading);
  rlx_arena_free(stmt->arena);
  free(stmt->blocks);
  memset(stmt, 0xDD, sizeof *stmt); // a pointer kept too long shows
  stmt->analysis = s->spare;
  s->spare = stmt;
}

RlxSpan rlx_syntax_span(const RlxSyntax *s, uint32_t start, uint32_t end) {
  // What stands in a prefix or suffix of ours counts as the statement's edge. The origin may lie
  // before the buffer, when the first bytes of a unit are left out.
  int64_t from = (int32_t)(start - s->origin), to = (int32_t)(end - s->origin), limit = s->limit;
  from = from < 0 ? 0 : from > limit ? limit : from;
  to = to < from ? from : to > limit ? limit : to;
  return rlx_span((uint32_t)from, (uint32_t)to);
}

RlxSpan rlx_syntax_node_span(const RlxSyntax *s, TSNode node) {
  return rlx_syntax_span(s, ts_node_start_byte(node), ts_node_end_byte(node));
}

RlxName rlx_syntax_name(RlxSyntax *s, TSNode node) {
  uint32_t start = ts_node_start_byte(node), size = ts_node_end_byte(node) - start;
  const char *text = rlx_syntax_at(s, start);
  if (!rlx_text_is_ascii(text, size)) rlx_check_node(s, node);
  return rlx_intern(s->names, text, size);
}

static void note_problem(RlxSyntax *s, RlxSpan span, const char *text, bool is_late) {
  if (s->is_silent) return;
  RlxSpan in_unit = rlx_span(span.start + s->unit_shift, span.end + s->unit_shift);
  rlx_vec_push(&s->problems,
               ((RlxSyntaxProblem){.span = in_unit, .text = text, .is_late = is_late}));
}

void rlx_syntax_problem(RlxSyntax *s, RlxSpan span, const char *text) {
  note_problem(s, span, text, false);
}

void rlx_syntax_late_problem(RlxSyntax *s, RlxSpan span, const char *text) {
  note_problem(s, span, text, true);
}

void rlx_check_node(RlxSyntax *s, TSNode node) {
  TSNode at;
  const char *fault = rlx_syntax_fault(node, s->buffer.at, &at);
  if (fault) rlx_syntax_problem(s, rlx_syntax_node_span(s, at), fault);
}
