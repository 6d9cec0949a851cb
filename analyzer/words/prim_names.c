/// Names of a PrimFunc. Python's scopes are coarser than TensorIR's: here a loop's variable belongs
/// to its loop, and what a block binds to the block, as TVM reads it.
#include "analyzer/words/prim_names.h"

#include <string.h>

#include "analyzer/state/core.h"

static bool in_target(const RlxAst *target, RlxName name, RlxSpan *out) {
  if (!target) return false;
  if (target->kind == RLX_AST_NAME) {
    if (target->name != name) return false;
    *out = target->span;
    return true;
  }
  if (target->kind != RLX_AST_TUPLE && target->kind != RLX_AST_LIST &&
      target->kind != RLX_AST_STARRED)
    return false;
  for (uint32_t i = 0; i < target->child_count; i++)
    if (in_target(target->children[i], name, out)) return true;
  return false;
}

static bool binds(const RlxStmt *stmt, RlxName name, RlxSpan *out) {
  bool has_targets = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED ||
                     stmt->kind == RLX_STMT_FOR;
  for (uint32_t i = 0; has_targets && i < stmt->target_count; i++)
    if (in_target(stmt->targets[i], name, out)) return true;
  for (uint32_t i = 0; stmt->kind == RLX_STMT_WITH && i < stmt->item_count; i++)
    if (in_target(stmt->items[i].target, name, out)) return true;
  return false;
}

const RlxStmt *rlx_prim_name_definition(const RlxStmt *def, const RlxStmt *stmt, RlxName name,
                                        RlxSpan *out) {
  for (const RlxStmt *at = stmt; at && at != def; at = at->block->parent) {
    bool is_compound = at->kind == RLX_STMT_FOR || at->kind == RLX_STMT_WITH;
    if (is_compound && binds(at, name, out)) return at;
    for (uint32_t i = 0; i < at->block->count && i <= at->index; i++) {
      const RlxStmt *before = at->block->stmts[i];
      if (before->kind != RLX_STMT_FOR && binds(before, name, out)) return before;
    }
  }
  for (uint32_t i = 0; i < def->param_count; i++) {
    if (def->params[i].name != name) continue;
    *out = def->params[i].name_span;
    return def;
  }
  return NULL;
}

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
