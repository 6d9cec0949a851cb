/// One file: its text, lines and statements through edits. Opening parses all of it; an edit
/// re-parses the window of logical lines it touches and splices the new statements in, and falls
/// back to the enclosing suite or the whole file when indentation, brackets or triple quotes change
/// what the rest means. A statement whose text did not change keeps its RlxStmt (and with it the
/// analyzer's results). No I/O; any bytes are legal text.
#ifndef RLX_ANALYZER_DOCUMENT_H
#define RLX_ANALYZER_DOCUMENT_H

#include "analyzer/symbolic/store.h"
#include "analyzer/syntax/ast.h"
#include "analyzer/syntax/problem.h"
#include "base/text.h"
#include "base/vec.h"

typedef struct RlxDocument RlxDocument;

/// What one edit did to one block: `removed` statements at `index` were replaced by `inserted` new
/// ones.
typedef struct RlxSplice {
  RlxBlock *block;
  uint32_t index, removed, inserted;
} RlxSplice;

/// `drop` is called for each statement (innermost first) just before it is freed; may be NULL.
RlxDocument *rlx_document_new(RlxStore *store, void (*drop)(RlxStmt *stmt, void *data), void *data);
/// From now on `moved` is called, with the data of rlx_document_new, when the suite of a def, class or with goes
/// over to another one in its place: its head was written anew. Both statements are there, `heir` not yet
/// in its block; nothing of `from` is left behind the edit.
void rlx_document_on_moved_suite(RlxDocument *doc,
                                 void (*moved)(RlxStmt *from, RlxStmt *heir, void *data));
/// NULL is fine. Its statements go with it.
void rlx_document_free(RlxDocument *doc);
/// For tests: parses everything with tree-sitter from now on, the usual lines too.
void rlx_document_by_tree(RlxDocument *doc);
/// Replaces all text. Statements of equal text in equal place are kept (as after a formatter or
/// `git checkout`).
void rlx_document_set_text(RlxDocument *doc, const char *text, uint32_t size);
/// Replaces bytes [start, old_end) by `text`. Out-of-range positions are clamped. Afterwards
/// rlx_document_splices tells what changed.
void rlx_document_edit(RlxDocument *doc, uint32_t start, uint32_t old_end, const char *text,
                       uint32_t size);
/// Splices of the last set_text or edit, outermost first. Empty: nothing but blanks or comments
/// changed.
const RlxSplice *rlx_document_splices(const RlxDocument *doc, uint32_t *out_count);
/// Statements that the last edit left as they are and that have a clause more or less than before, or another one (`else`,
/// `elif`, `except`, `finally`, `case`): a clause is no statement, so no splice tells of it when the whole clause is new or
/// nothing stood in it. Valid until the next edit.
RlxStmt *const *rlx_document_reclaused(const RlxDocument *doc, uint32_t *out_count);
/// Was more put together anew by it than simple statements of one suite?
bool rlx_document_was_linked(const RlxDocument *doc);

// NUL terminated; valid until the next edit
const char *rlx_document_text(const RlxDocument *doc, uint32_t *out_size);
/// The statements at the top of the file.
const RlxBlock *rlx_document_root(const RlxDocument *doc);
RlxStore *rlx_document_store(const RlxDocument *doc);
const RlxLines *rlx_document_lines(const RlxDocument *doc);

/// The one expression that a text is, in a document of its own, which lives until the caller frees `*doc`. NULL, and
/// no document: it is none, or longer than a million bytes.
const RlxAst *rlx_document_of_expression(RlxStore *store, const char *text, size_t size,
                                         RlxDocument **doc);

/// ERROR and MISSING nodes of the whole file, plus what the grammar cannot say (a post-check finds
/// invalid assignment targets and the like): absolute spans in order.
uint32_t rlx_document_syntax_errors(const RlxDocument *doc, RlxSpan *out, uint32_t capacity);
/// The same with what is wrong, in order of the units; appended to `out`, with absolute spans.
void rlx_document_problems(const RlxDocument *doc, RlxSyntaxProblems *out);
/// The innermost statement that covers byte `offset`, or the one before it in its block; NULL in an
/// empty file.
RlxStmt *rlx_document_stmt_at(const RlxDocument *doc, uint32_t offset);
/// Innermost expression of `stmt` at absolute `offset`, or NULL. `path` (may be NULL) receives the
/// chain from outermost in.
const RlxAst *rlx_document_ast_at(const RlxStmt *stmt, uint32_t offset, const RlxAst **path,
                                  uint32_t *path_count, uint32_t path_capacity);
static inline RlxSpan rlx_stmt_absolute(const RlxStmt *stmt, RlxSpan span) {
  return rlx_span(stmt->start + span.start, stmt->start + span.end);
}

typedef struct RlxDocumentStats { ///< counters that tests read
  uint64_t full_parses, window_parses, parsed_bytes, kept_statements;
} RlxDocumentStats;
/// What was parsed and kept so far; for tests and measurements.
RlxDocumentStats rlx_document_stats(const RlxDocument *doc);

#endif
