/// Where the diagnostics of a whole function stand: they are found with places in the function and
/// kept with places in its statements, which move when the text around them changes.
#include "analyzer/state/state.h"

/// The innermost statement around a place of the function; NULL: the function's own part.
static const RlxStmt *stmt_at(const RlxBlock *suite, uint32_t offset) {
  uint32_t low = 0,
           high = suite ? suite->count : 0; // the last that starts there or before is low - 1
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (suite->stmts[middle]->start <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  const RlxStmt *stmt = low ? suite->stmts[low - 1] : NULL;
  if (!stmt || offset >= stmt->start + stmt->size) return NULL;
  const RlxStmt *inner = stmt_at(stmt->body, offset);
  if (!inner) inner = stmt_at(stmt->orelse, offset);
  return inner ? inner : stmt;
}

static RlxSpan moved(RlxSpan span, uint32_t by) { return rlx_span(span.start - by, span.end - by); }

static void settle(RlxFn *fn, RlxDiag *diag) {
  const RlxStmt *def = fn->stmt, *stmt = stmt_at(def->body, def->start + diag->span.start);
  for (uint32_t i = 0; i < diag->fix_count; i++) {
    RlxFix *fix = &diag->fixes[i];
    if (fix->stmt || !fix->edit_count) continue;
    const RlxStmt *at = stmt_at(def->body, def->start + fix->edits[0].span.start);
    if (!at) at = def;
    fix->stmt = at;
    for (uint32_t k = 0; k < fix->edit_count; k++)
      fix->edits[k].span = moved(fix->edits[k].span, at->start - def->start);
  }
  for (uint32_t i = 0; i < diag->related_count; i++) {
    RlxRelated *related = &diag->related[i];
    const RlxStmt *at = related->stmt == def && !related->var
                            ? stmt_at(def->body, def->start + related->span.start)
                            : NULL;
    if (!at) continue;
    related->stmt = at;
    related->span = moved(related->span, at->start - def->start);
  }
  if (!stmt) return;
  diag->stmt = stmt;
  diag->span = moved(diag->span, stmt->start - def->start);
}

void rlx_fn_settle(RlxFn *fn) {
  for (uint32_t i = 0; i < fn->end.diags.count; i++) settle(fn, fn->end.diags.at[i]);
}
