/// The whole syntax of a document as text, one node a line: for tests, and to look at.
#ifndef RLX_ANALYZER_DOCUMENT_DUMP_H
#define RLX_ANALYZER_DOCUMENT_DUMP_H

#include "analyzer/syntax/document.h"
#include "base/buf.h"

/// Appends every statement with its place, names, expressions and errors, and then the problems.
void rlx_document_dump(const RlxDocument *doc, RlxBuf *out);
/// The same without places and problems: equal for two texts that read as the same statements.
void rlx_document_dump_syntax(const RlxDocument *doc, RlxBuf *out);
/// Appends what one statement reads as, wherever it stands.
void rlx_document_dump_stmt(const RlxDocument *doc, const RlxStmt *stmt, RlxBuf *out);
/// Appends one expression, on one line; `spans` adds places relative to the statement.
void rlx_ast_dump(const RlxStore *store, const RlxAst *ast, bool spans, RlxBuf *out);

#endif
