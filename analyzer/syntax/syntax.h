/// From text to statements: gives runs of units (a logical line, or decorators with the head of
/// their definition) to tree-sitter and lowers its tree to RlxStmt and RlxAst. Inside the analyzer
/// only; the document is the one user.
///
/// Always true: what a unit becomes depends on its own bytes and kind alone, never on its
/// neighbours: units are parsed together for speed, and apart as soon as one of them has an error.
/// So an edit, a fresh opening and a formatter agree by construction, and an error stays in its
/// unit.
#ifndef RLX_ANALYZER_SYNTAX_H
#define RLX_ANALYZER_SYNTAX_H

#include "analyzer/symbolic/store.h"
#include "analyzer/syntax/ast.h"
#include "analyzer/syntax/document.h"
#include "analyzer/syntax/logical_lines.h"
#include "base/vec.h"

/// What a unit's own text needs from its surroundings.
enum {
  RLX_USES_RETURN = 1,
  RLX_USES_YIELD = 2,
  RLX_USES_AWAIT = 4, ///< also `async for`, `async with` and asynchronous comprehensions
  RLX_USES_BREAK = 8,
  RLX_USES_CONTINUE = 16,
  RLX_USES_NONLOCAL = 32,
  RLX_USES_FUTURE = 64, ///< from __future__ import
  RLX_USES_STAR = 128,  ///< from m import *
};

/// What is wrong with a unit's place, not with its text.
enum {
  RLX_FLAW_INDENTATION = 1,
  RLX_FLAW_NO_SUITE = 2,
  RLX_FLAW_STRAY = 4,   ///< a clause without its statement; a statement among the cases of a match
  RLX_FLAW_CONTEXT = 8, ///< it uses something that its surroundings do not allow
  RLX_FLAW_TOO_DEEP = 16,
  RLX_FLAW_NO_HANDLER = 32,  ///< try without except and finally
  RLX_FLAW_MIXED = 64,       ///< `except` beside `except*`
  RLX_FLAW_BELOW_LINE = 128, ///< it is indented below a head that has its suite on its own line
};

/// A unit of parsing, in source order; together they hold all tokens of a file.
typedef struct RlxUnit {
  uint32_t line_start, start, end, next,
      looked;            ///< as in RlxLogicalLine, of the first and last line
  uint32_t head;         ///< start of its last logical line, which is the head behind decorators
  uint32_t colon;        ///< absolute; 0: none
  uint32_t line;         ///< line of `start`, from 0
  uint16_t wide, narrow; ///< indentation
  uint8_t kind;          ///< RlxLineKind; CASE only below `match`
  bool opens_suite, is_broken, is_deep; ///< as in RlxLogicalLine
  bool is_decorated, is_parsed;
  bool is_case_line; ///< begins with `case`, whatever `kind` became
  /// Something stands behind its colon, and below it a line that is indented deeper: a slip in the one or the other. That
  /// line and those behind it are its suite, with what stands behind the colon before them.
  bool has_lines_below;
  uint8_t uses;    ///< RLX_USES_…
  uint8_t misuses; ///< those of them that its place does not allow
  uint8_t flaws;   ///< of its place, RLX_FLAW_…
  uint16_t stmt_count;
  uint32_t problem_count;
  uint64_t hash; ///< of text and kind
  union {
    RlxStmt *one;   ///< stmt_count 1
    RlxStmt **many; ///< more, owned
  };
  RlxBlock *suite;            ///< its suite: indented, or on the same line; owned
  RlxBlock *wrap;             ///< ELIF: the block that holds its IF statement; owned
  RlxStmt *stray;             ///< a clause without its statement: stands for it; owned
  RlxSyntaxProblem *problems; ///< relative to `start`, owned
  RlxSpan broken;             ///< is_broken: relative to `start`
} RlxUnit;

static inline RlxStmt *const *rlx_unit_stmts(const RlxUnit *unit) {
  return unit->stmt_count == 1 ? &unit->one : unit->many;
}

typedef struct RlxSyntax RlxSyntax;

/// A parser for units of one document; the caller's to free.
RlxSyntax *rlx_syntax_new(RlxStore *store);
void rlx_syntax_free(RlxSyntax *syntax); // NULL is fine; every statement is gone before

/// Fills in what the parse of each unit gives: statements, suite on the same line, problems, uses.
/// `text` is the document's. Units come parsed of nothing.
void rlx_syntax_parse(RlxSyntax *syntax, const char *text, RlxUnit *const *units, uint32_t count);

/// A HOLE that covers a unit, for a clause that stands alone.
RlxStmt *rlx_syntax_make_hole(RlxSyntax *syntax, const RlxUnit *unit);

/// A statement and its suites' containers, not the statements in them, is gone.
void rlx_syntax_free_stmt(RlxSyntax *syntax, RlxStmt *stmt);

/// For tests: reads nothing by hand (syntax_fast.c) from now on.
void rlx_syntax_by_tree(RlxSyntax *syntax);

/// How many bytes were parsed with tree-sitter so far; for tests.
uint64_t rlx_syntax_parsed_bytes(const RlxSyntax *syntax);

#endif
