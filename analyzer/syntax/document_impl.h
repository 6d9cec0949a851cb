/// What the files document*.c share.
#ifndef RLX_ANALYZER_DOCUMENT_IMPL_H
#define RLX_ANALYZER_DOCUMENT_IMPL_H

#include "analyzer/syntax/document.h"
#include "analyzer/syntax/syntax.h"
#include "base/buf.h"

/// A suite that is being put together.
typedef struct RlxFrame {
  RlxBlock *block;
  RlxStmt *owner;       // NULL for the file
  uint32_t linked_from; // its statements so far are doc->linked from here
  uint32_t chain; // unit of the last compound statement here plus one, for its clauses; 0: none
  uint32_t last_clause; // unit of that statement's latest clause plus one
  RlxStmt *
      had_else; // the statement of the chain that had an `else` or `elif` at the last link and has found none yet; or NULL
  uint32_t order;      // in which suites begin
  int32_t header_wide; // what is indented deeper belongs to it; -1 for the file
  uint16_t header_narrow;
  uint16_t wide, narrow, last_wide; // of its first line; of its latest
  uint8_t header_kind;              // RlxLineKind
  bool is_empty, was_fresh;
  bool in_function, is_async, in_loop;
} RlxFrame;

typedef struct RlxEnd { // an enclosing statement and where it is to end
  RlxStmt *stmt;
  uint32_t end;
} RlxEnd;

struct RlxDocument {
  RlxStore *store;
  RlxSyntax *syntax;
  void (*drop)(RlxStmt *stmt, void *data);
  void (*moved)(RlxStmt *from, RlxStmt *heir, void *data); ///< or NULL
  void *drop_data;                                         ///< for both
  RlxBuf text;
  RlxLines lines;
  Vec(RlxUnit) units;
  uint32_t troubled; // units with problems or flaws
  bool has_nul;
  bool was_linked;      // by the last set_text or edit
  uint32_t far_looking; // units whose scan looked behind their `next`
  RlxBlock root;
  Vec(RlxSplice) splices;
  Vec(uint32_t) splice_orders; // of the suites, beside `splices`
  Vec(RlxStmt *) reclaused;    // statements that were there and have another clause, or one less
  Vec(RlxFrame) frames;
  Vec(RlxStmt *) linked;
  Vec(RlxUnit) fresh;    // of an edit
  Vec(RlxUnit) replaced; // of an edit: to be freed at its end
  Vec(RlxUnit *) to_parse;
  Vec(RlxEnd) ends;
  RlxDocumentStats stats;
};

/// The unit at or behind `at`; false when there is none.
bool rlx_unit_scan(const char *text, uint32_t size, uint32_t at, RlxUnit *out);
/// Frees what the unit owns; calls drop.
void rlx_unit_free(RlxDocument *doc, RlxUnit *unit);
/// Forgets what the unit owns: another one has it now.
void rlx_unit_empty(RlxUnit *unit);
/// Moves a unit and its statements.
void rlx_unit_shift(RlxUnit *unit, int64_t bytes, int64_t lines);
/// Does it have a suite on the lines below?
static inline bool rlx_unit_opens(const RlxUnit *unit) {
  return (unit->opens_suite || unit->has_lines_below) && unit->kind != RLX_LINE_SIMPLE &&
         unit->kind != RLX_LINE_DECORATOR;
}
/// How many of its statements stand beside it: where its suite goes on below, what stands behind its colon is in the suite.
static inline uint32_t rlx_unit_own_count(const RlxUnit *unit) {
  return unit->has_lines_below && unit->stmt_count ? 1 : unit->stmt_count;
}
/// Is it the head of a suite that stands on its line? Then what it is depends on the indentation of the next line, too.
bool rlx_unit_has_suite_on_line(const RlxUnit *unit);
static inline bool rlx_unit_is_clause(const RlxUnit *unit) {
  return rlx_line_kind_is_clause((RlxLineKind)unit->kind);
}

static inline bool rlx_unit_is_troubled(const RlxUnit *unit) {
  return unit->flaws || unit->problem_count;
}

/// Decides which lines that begin with `case` are clauses. Units whose kind changes lose their
/// parse; what they had goes to doc->replaced.
void rlx_document_resolve_cases(RlxDocument *doc);
/// Parses doc->to_parse and empties it.
void rlx_document_parse(RlxDocument *doc);
/// Puts all suites together from the units; notes splices.
void rlx_document_link(RlxDocument *doc);
/// What stands around a unit.
typedef struct RlxSurrounding {
  bool function, any_function; ///< the innermost but for loops; one of all of them
  bool async_function, loop;   ///< that one is async; around the unit in it
} RlxSurrounding;

/// Notes what the unit uses that this surrounding does not allow.
void rlx_unit_misuses(RlxUnit *unit, RlxSurrounding in);
void rlx_block_mark_docstring(RlxBlock *block);
/// Re-reads what an edit of [start, old_end) to [start, new_end) touches; the text is the new one.
void rlx_document_reread(RlxDocument *doc, uint32_t start, uint32_t old_end, uint32_t new_end,
                         uint32_t old_lines);

#endif
