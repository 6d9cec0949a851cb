/// How a statement stands in its text: its lines, its neighbours in a line, what to cut.
#ifndef RLX_ANALYZER_STMT_TEXT_H
#define RLX_ANALYZER_STMT_TEXT_H

#include "analyzer/symbolic/store.h"
#include "analyzer/syntax/ast.h"
#include "base/buf.h"

/// Where the line around byte `at` starts.
uint32_t rlx_line_start(const char *text, uint32_t at);

/// Where the line behind that around byte `at` starts; `size`: the text ends before.
uint32_t rlx_next_line(const char *text, uint32_t size, uint32_t at);

/// Where the string ends whose quote stands at `at`: behind the closing quote, before the end of the line that
/// leaves it open, or at `size`.
size_t rlx_string_end(const char *text, size_t size, size_t at);

/// "\n" as the line before this one ends; in the first line, as this one does.
const char *rlx_newline_at(const char *text, uint32_t at);

/// Nothing but blanks stands in front of the statement in its line, which starts at `line`.
bool rlx_has_own_line(const char *text, const RlxStmt *stmt, uint32_t line);

/// Appends what stands between `stmt` and a new statement beside it: "\n" and the blanks in front of `stmt`,
/// or "; " where it shares its line.
void rlx_put_break(RlxBuf *out, const char *text, const RlxStmt *stmt);

/// Appends `lines` with `newline` for each "\n"; "\r\n" stays as it is.
void rlx_put_lines(RlxBuf *out, const char *lines, const char *newline);

/// Appends `text` with "\n" for each "\r" that ends a line alone: all offsets stay what they are.
void rlx_put_same_size(RlxBuf *out, const char *text, size_t size);

/// The lines that a statement has for itself, line end and comment included; false when something
/// else stands on them.
bool rlx_own_lines(const char *text, uint32_t size, const RlxStmt *stmt, RlxSpan *out);
/// Whether the statement is written `….output(…)` or `….outputs(…)`, with or without the dots.
bool rlx_is_output(const RlxStore *store, const RlxStmt *stmt);
/// Whether the expression, which may be NULL, is such a call.
bool rlx_is_output_call(const RlxStore *store, const RlxAst *call);
/// What to cut to remove the entry whose key is child `key` of a dict.
RlxSpan rlx_dict_entry_span(const RlxAst *dict, uint32_t key);

#endif
