/// What a hover shows of a name of a PrimFunc: its parameter or statement, as written.
#include "analyzer/ask/prim_describe.h"
#include "analyzer/state/state.h"

#include <string.h>

/// Appends the text of `span` on one line: runs of blanks become one.
static void put_text(RlxFile *file, RlxSpan span, RlxBuf *out) {
  uint32_t size;
  const char *text = rlx_document_text(file->document, &size);
  bool gap = false;
  for (uint32_t i = span.start; i < span.end && i < size && out->size < 4096; i++) {
    bool blank = strchr(" \t\r\n\\", text[i]) && text[i];
    if (!blank && gap) rlx_buf_putc(out, ' ');
    if (!blank) rlx_buf_putc(out, text[i]);
    gap = blank;
  }
}

static const char *kind_of(RlxFile *file, const RlxStmt *stmt, bool is_param) {
  if (is_param) return "Parameter.";
  if (stmt->kind == RLX_STMT_FOR) return "Loop variable.";
  const RlxAst *callee =
      stmt->value && stmt->value->kind == RLX_AST_CALL ? stmt->value->children[0] : NULL;
  if (!callee || callee->kind != RLX_AST_ATTRIBUTE) return "Variable.";
  const char *last = rlx_store_text(file->store, callee->name);
  const RlxAst *owner = callee->children[0];
  if (owner->kind == RLX_AST_ATTRIBUTE && !strcmp(rlx_store_text(file->store, owner->name), "axis"))
    return "Block axis.";
  bool is_buffer = strstr(last, "buffer") != NULL || !strcmp(last, "Buffer");
  return is_buffer ? "Buffer." : "Variable.";
}

void rlx_prim_name_describe(RlxFile *file, const RlxSymbol *symbol, RlxBuf *out) {
  const RlxStmt *stmt = symbol->def_stmt;
  bool is_param = stmt->kind == RLX_STMT_DEF;
  RlxSpan span = rlx_span(0, stmt->head_size);
  for (uint32_t i = 0; is_param && i < stmt->param_count; i++)
    if (stmt->params[i].name == symbol->name) span = stmt->params[i].span;
  rlx_buf_puts(out, "```python\n");
  put_text(file, rlx_stmt_absolute(stmt, span), out);
  rlx_buf_printf(out, "\n```\n%s", kind_of(file, stmt, is_param));
}
