/// What the files syntax*.c share. From the bottom up: syntax_base.c has what all need,
/// syntax_check.c what the grammar cannot say; syntax_expr.c and syntax_string.c lower expressions,
/// syntax_stmt.c statements; syntax_fast.c reads usual lines by hand, syntax_broken.c what does not
/// parse, with what it can mean from syntax_mend.c; syntax.c drives tree-sitter and calls them. Two
/// files call each other: an f-string is an expression that holds expressions.
#ifndef RLX_ANALYZER_SYNTAX_IMPL_H
#define RLX_ANALYZER_SYNTAX_IMPL_H

#include <tree_sitter/api.h>

#include "analyzer/syntax/syntax.h"
#include "base/buf.h"
#include "grammar/symbols.h"

enum { RLX_SYNTAX_MAX_DEPTH = 1000 };

/// Where a unit stands in the buffer that tree-sitter reads: `prefix` bytes of ours, its text, a
/// suffix of ours.
typedef struct RlxPiece {
  RlxUnit *unit;
  uint32_t begin, end; // in the buffer, all of it
  uint32_t text;       // where its own bytes begin; `skipped` bytes of the unit are left out before
  uint32_t skipped;
} RlxPiece;

/// The tree of a unit that does not parse.
typedef struct RlxKeptTree {
  char *key; // owned
  uint32_t size;
  TSTree *tree; // owned
} RlxKeptTree;

enum { RLX_KEPT_TREES = 16 };

struct RlxSyntax {
  RlxStore *store;
  RlxInterner *names;
  TSParser *parser;
  RlxBuf buffer; // what the parser reads
  RlxBuf bytes;  // scratch of string decoding
  RlxBuf key;    // what kept trees are found by
  RlxKeptTree kept[RLX_KEPT_TREES];
  Vec(RlxPiece) pieces;
  Vec(RlxAst *) kids; // stacks of the lowering
  Vec(uint8_t) ops;
  Vec(RlxStmt *) made;
  Vec(RlxParam) params;
  Vec(RlxImport) imports;
  Vec(RlxWithItem) items;
  Vec(RlxName) type_params;
  Vec(RlxSyntaxProblem) problems;
  Vec(RlxStmt *) slabs; // statements are handed out from these
  RlxStmt *spare;       // freed ones, linked by `analysis`
  uint32_t slab_used;
  uint64_t parsed_bytes;
  RlxName future;
  // Of the statement that is being lowered:
  RlxArena *arena;
  uint32_t origin;            // buffer offset of its first byte
  uint32_t limit;             // size of its text
  uint32_t unit_shift;        // its start within the unit
  const RlxPiece *counted_in; // line ends were counted in this piece, up to counted_to
  uint32_t counted_to, counted_lines;
  uint32_t depth;
  uint8_t uses;
  bool is_by_tree; // everything goes through tree-sitter
  bool is_silent;  // the piece has errors of tree-sitter's: ours would repeat them
};

static inline const char *rlx_syntax_at(const RlxSyntax *s, uint32_t offset) {
  return s->buffer.at + offset;
}

/// Buffer range to a span relative to the statement.
RlxSpan rlx_syntax_span(const RlxSyntax *s, uint32_t start, uint32_t end);
RlxSpan rlx_syntax_node_span(const RlxSyntax *s, TSNode node);
RlxName rlx_syntax_name(RlxSyntax *s, TSNode node);
/// Notes a problem at a span relative to the statement.
void rlx_syntax_problem(RlxSyntax *s, RlxSpan span, const char *text);

/// The same for what only CPython's compiler rejects.
void rlx_syntax_late_problem(RlxSyntax *s, RlxSpan span, const char *text);

/// Notes what the grammar lets through in `node` alone (grammar/check.h).
void rlx_check_node(RlxSyntax *s, TSNode node);

/// A node with `count` children, which are the last ones of `s->kids`; takes them off.
RlxAst *rlx_ast_make(RlxSyntax *s, RlxAstKind kind, RlxSpan span, uint32_t kids_from);
/// The expression at the cursor, which stays there. Never NULL.
RlxAst *rlx_lower_expr(RlxSyntax *s, TSTreeCursor *cursor);
/// Parameters of a def or lambda at the cursor (`parameters`, `lambda_parameters`), into the arena.
RlxParam *rlx_lower_params(RlxSyntax *s, TSTreeCursor *cursor, uint32_t *out_count);
/// A literal of a number: int, float or imaginary.
RlxAst *rlx_lower_number(RlxSyntax *s, TSNode node);
/// The same by its text.
RlxAst *rlx_ast_number(RlxSyntax *s, RlxSpan span, const char *text, uint32_t size,
                       bool is_integer);
/// Strings beside each other as one; bytes and f-strings, too.
RlxAst *rlx_lower_string(RlxSyntax *s, TSTreeCursor *cursor);

/// The tree of an earlier unit that parsing the buffer would give, to be deleted by the caller; NULL: there is none.
TSTree *rlx_kept_tree(RlxSyntax *s);
/// Keeps the tree of the buffer that rlx_kept_tree was asked for last.
void rlx_keep_tree(RlxSyntax *s, const TSTree *tree);
void rlx_kept_clear(RlxSyntax *s);

/// Reads the piece of a simple unit by hand, when it is of the usual kind: its statements are more in
/// s->made. The buffer holds the unit's text at `piece->text`, if it has several. False: nothing was
/// done.
bool rlx_syntax_fast(RlxSyntax *s, const char *text, const RlxPiece *piece);

/// The same for the head of a function, decorators included, with a suite on its line.
bool rlx_syntax_fast_def(RlxSyntax *s, const RlxPiece *piece);

/// The same for a text that stands for the unit's: its own, `hole_size` bytes at `hole` left out (-1: one put in there),
/// perhaps with more behind. A statement that is not in s->made; NULL: it is not of the usual kind.
RlxStmt *rlx_syntax_fast_mended(RlxSyntax *s, const char *text, uint32_t size, uint32_t hole,
                                int32_t hole_size, const RlxPiece *piece);

/// The same for the head of a function whose suite begins on the next line: `text` ends with its colon. Where nothing is left out or put in,
/// it is the name that may be missing, and below a decorator another word may stand for `def`.
RlxStmt *rlx_syntax_fast_mended_def(RlxSyntax *s, const char *text, uint32_t size, uint32_t hole,
                                    int32_t hole_size, const RlxPiece *piece);

/// What a simple unit with a syntax error can mean, by its text: statements linked by `reading`, or
/// NULL. `*slip`, zeroed by the caller, gets what is wrong where the readings know better than the scanner. In syntax_mend.c.
RlxStmt *rlx_syntax_readings(RlxSyntax *s, const char *text, const RlxPiece *piece,
                             RlxSyntaxProblem *slip);

/// The head of a function with a syntax error as it reads without its slip, a statement that is not in
/// s->made; NULL: nothing, or more than one thing, can be left out of it. In syntax_mend.c.
RlxStmt *rlx_syntax_head_reading(RlxSyntax *s, const char *text, const RlxPiece *piece,
                                 RlxSyntaxProblem *slip);
void rlx_syntax_free_readings(RlxSyntax *s, RlxStmt *first); // NULL is fine

/// A statement, zeroed, in an arena of its own.
RlxStmt *rlx_stmt_alloc(RlxSyntax *s);
/// Lowers the simple statement at the cursor into a new statement, which is appended to s->made.
void rlx_lower_simple(RlxSyntax *s, TSTreeCursor *cursor, const RlxPiece *piece);
/// Lowers the compound statement at the cursor; its inline suite goes to the unit's `suite`.
RlxStmt *rlx_lower_compound(RlxSyntax *s, TSTreeCursor *cursor, const RlxPiece *piece);
/// Lowers the `block` at the cursor, a suite on the head's line, into the unit's `suite`. `owner`
/// is the head.
void rlx_lower_inline(RlxSyntax *s, TSTreeCursor *cursor, const RlxPiece *piece,
                      const RlxStmt *owner);
/// The statements of s->made above `from` were the suite on the line of `owner`: settles what they
/// ask of their surroundings, whose uses are `outer_uses`, and moves them into the unit's suite.
void rlx_close_inline(RlxSyntax *s, const RlxPiece *piece, const RlxStmt *owner, uint32_t from,
                      uint8_t outer_uses);
/// Moves the statements of s->made above `from` into the unit's suite, if that is on the head's
/// line.
void rlx_take_inline(RlxSyntax *s, const RlxPiece *piece, uint32_t from);
bool rlx_symbol_is_simple(TSSymbol symbol);
bool rlx_symbol_is_compound(TSSymbol symbol); // a decorated definition, too
bool rlx_symbol_is_expr(TSSymbol symbol);
/// Begins a statement whose text is [start, end) of the buffer.
RlxStmt *rlx_stmt_begin(RlxSyntax *s, const RlxPiece *piece, RlxStmtKind kind, uint32_t start,
                        uint32_t end);
/// The same for one that is not read from the buffer, with its text.
RlxStmt *rlx_stmt_begin_text(RlxSyntax *s, const RlxPiece *piece, RlxStmtKind kind,
                             const char *text, uint32_t start, uint32_t end);

/// A statement of the whole unit, without parts; it is not in s->made.
RlxStmt *rlx_stmt_by_hand(RlxSyntax *s, const RlxPiece *piece, RlxStmtKind kind);

/// Puts HOLEs where a statement of its kind must have something.
void rlx_stmt_complete(RlxSyntax *s, RlxStmt *stmt);

/// Lowers a piece whose tree has errors, or is not what it should be: one problem, and whatever was
/// recognised. In syntax_broken.c.
void rlx_lower_broken(RlxSyntax *s, const char *text, TSNode root, const RlxPiece *piece);

// What the grammar cannot say, in syntax_check.c.
/// Notes what the grammar lets through (grammar/check.h) in all nodes of a case clause's pattern,
/// which is not lowered.
void rlx_check_patterns(RlxSyntax *s, TSNode clause);
/// Notes a problem where `target` cannot be assigned to; `text` says what it is a target of.
void rlx_check_target(RlxSyntax *s, const RlxAst *target, const char *text);
/// Notes what Python refuses of a statement that the grammar lets through.
void rlx_check_stmt(RlxSyntax *s, const RlxStmt *stmt);
/// Marks the names (rlx_name_mark) that an assignment or a def binds; rlx_check_stmt does it, too.
void rlx_check_bound(RlxSyntax *s, const RlxStmt *stmt);
/// The same of a call: arguments behind keywords, keywords that come twice.
void rlx_check_call(RlxSyntax *s, const RlxAst *call);
/// The same of parameters: defaults, names that come twice.
void rlx_check_params(RlxSyntax *s, const RlxParam *params, uint32_t count);

#endif
