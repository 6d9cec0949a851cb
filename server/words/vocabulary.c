/// Looking up the words of TVMScript that are no operators.
#include "server/words/vocabulary.h"

#include <string.h>

#include "analyzer/ask/dialect_at.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/words/dialect.h"
#include "analyzer/words/script_names.h"
#include "analyzer/words/vocabulary.h"

/// A function of T that the vocabulary has no words for: how it is called.
static bool describe_script_name(const char *path, RlxDialect dialect, RlxBuf *out) {
  if (strncmp(path, "T.", 2) != 0) return false;
  const RlxScriptName *row =
      rlx_script_name(path + 2, rlx_script_names_cover(dialect) ? dialect : RLX_DIALECT_025);
  if (!row || row->how == RLX_SCRIPT_OTHER) return false;
  rlx_buf_puts(out, "```python\nT.");
  rlx_script_name_tell(row, out);
  rlx_buf_puts(out, "\n```\nA function of TensorIR's script.");
  return true;
}

static bool describe_word(RlxStore *store, RlxDialect dialect, const RlxAst *ast, RlxBuf *out) {
  char path[128];
  if (!rlx_spelling_path(store, ast, path, sizeof path, NULL)) return false;
  const RlxVocabularyRow *row = rlx_vocabulary_row(path);
  if (!row) return describe_script_name(path, dialect, out);
  rlx_buf_printf(out, "```python\n%s\n```\n%s", row->usage, row->text);
  unsigned dialects = rlx_spelling_dialects(path);
  if (dialects && dialects != (1u << RLX_DIALECT_COUNT) - 1) { // not everywhere
    const char *before = "\n\nDialects: ";
    for (int d = 0; d < RLX_DIALECT_COUNT; d++) {
      if (!(dialects >> d & 1)) continue;
      rlx_buf_printf(out, "%s%s", before, rlx_dialect_name((RlxDialect)d));
      before = ", ";
    }
    rlx_buf_puts(out, ".");
  }
  return true;
}

/// The parameter that the keyword argument `keyword` of `call` names.
static bool describe_keyword(RlxStore *store, const RlxAst *call, const RlxAst *keyword,
                             RlxBuf *out) {
  char path[128];
  if (call->kind != RLX_AST_CALL ||
      !rlx_spelling_path(store, call->children[0], path, sizeof path, NULL) ||
      strncmp(path, "R.", 2) != 0)
    return false;
  const RlxOpRow *row = rlx_op_find(path + 2, strlen(path + 2));
  int index = row ? rlx_op_param(row, rlx_store_text(store, keyword->name)) : -1;
  if (index < 0) return false;
  const RlxOpParam *p = &row->params[index];
  rlx_buf_printf(out, "```python\n%s", p->name);
  if (p->default_text) rlx_buf_printf(out, "=%s", p->default_text);
  rlx_buf_printf(out, "\n```\nParameter of `%s`", path);
  if (p->meaning && *p->meaning) rlx_buf_printf(out, ": %s", p->meaning);
  if (p->allowed) rlx_buf_printf(out, " (one of `%s`)", p->allowed);
  return true;
}

bool rlx_vocabulary_describe(RlxFile *file, RlxStore *store, uint32_t offset, RlxBuf *out,
                             RlxSpan *span) {
  const RlxStmt *stmt = rlx_document_stmt_at(rlx_file_document(file), offset);
  if (!stmt || offset < stmt->start) return false;
  const RlxAst *path[64];
  uint32_t count = 0, at = offset - stmt->start;
  if (!rlx_document_ast_at(stmt, offset, path, &count, 64)) return false;
  for (uint32_t i = count; i-- > 0;) {
    const RlxAst *ast = path[i];
    bool on_name = (ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_KEYWORD) &&
                   ast->name_span.start <= at && at <= ast->name_span.end;
    if (!on_name) continue;
    *span = rlx_stmt_absolute(stmt, ast->kind == RLX_AST_ATTRIBUTE ? ast->span : ast->name_span);
    return ast->kind == RLX_AST_ATTRIBUTE
               ? describe_word(store, rlx_file_dialect_at(file, offset), ast, out)
               : i > 0 && describe_keyword(store, path[i - 1], ast, out);
  }
  return false;
}
