/// The page of an operator or of a diagnostic, made from its row: for `rlx explain`, `:explain`,
/// hover and the generated documentation.
#ifndef RLX_ANALYZER_EXPLAIN_H
#define RLX_ANALYZER_EXPLAIN_H

#include "analyzer/diag/diag.h"
#include "analyzer/ops/op_table.h"

typedef enum RlxPage { RLX_PAGE_TEXT, RLX_PAGE_MARKDOWN } RlxPage;

/// Appends the operator's page: signature, summary, rule, parameters, purity. Markdown starts at
/// heading level 2.
void rlx_explain_op(const RlxOpRow *row, RlxPage page, RlxBuf *out);
/// Appends the row's message with its arguments shown as "…".
void rlx_explain_message(const RlxDiagRow *row, RlxBuf *out);
/// Appends the diagnostic's page: what, why, a wrong and a right example. Markdown starts at
/// heading level 2.
void rlx_explain_diag(const RlxDiagRow *row, RlxPage page, RlxBuf *out);
/// Appends the page that `word` names: a diagnostic (RLX0304, rlx0304, axis-repeated) or an
/// operator (R.add, add, relax.add). False, nothing appended, when there is none.
bool rlx_explain_word(const char *word, RlxPage page, RlxBuf *out);
/// The operator that a word names as above; NULL when there is none.
const RlxOpRow *rlx_explain_find_op(const char *word);
/// Appends the whole documentation page of all diagnostics, or of all operators; `more` (may be
/// NULL) appends a line to each operator's page.
void rlx_explain_all_diags(RlxBuf *out);
void rlx_explain_all_ops(RlxBuf *out, void (*more)(const RlxOpRow *row, RlxBuf *out));

/// "error", "warning", "information" or "hint".
const char *rlx_severity_text(RlxSeverity severity);
/// "tensor", "list of ints"…
const char *rlx_param_kind_text(RlxParamKind kind);

#endif
