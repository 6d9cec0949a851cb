/// Edits of blanks between tokens, told without a parser.
#ifndef RLX_ANALYZER_FORMAT_BLANKS_H
#define RLX_ANALYZER_FORMAT_BLANKS_H

#include "analyzer/rewrite/format.h"
#include "analyzer/syntax/ast.h"

/// Whether the statement surely reads the same when its edits are carried out, which are all that touch it, in
/// order. `text` is the file's. False: it is not decided.
bool rlx_only_blanks_change(const char *text, const RlxStmt *stmt, const RlxFormatEdit *edits,
                            uint32_t count);

#endif
