/// Statements as Relax: the expressions of an annotated binding, of an `if` and of a dataflow block are written as an
/// entry's are.
///
/// Always true: what a name stands for inside of a block is never taken from the session when the block has bound it;
/// an expression of which that can't be told stays as it was typed.
#include "repl/sugar_impl.h"

#include <string.h>

typedef struct Writer {
  RlxSugarWriter *sugar;
  const char *text; ///< of the entry
  uint32_t start;   ///< where that is in the text that was parsed
  uint32_t at;      ///< bytes of it that are written
  RlxBuf *out;
  RlxBuf scope;         ///< what was bound in the block so far, one statement a line
  Vec(RlxName) bound;   ///< the names of that,
  Vec(RlxName) unknown; ///< and those of an `if` inside of it
} Writer;

/// Whether the expression mentions what the block has bound and the session knows as something else, or what has no
/// StructInfo yet.
static bool is_hidden(const Writer *b, const RlxAst *ast) {
  const RlxRepl *repl = b->sugar->repl;
  for (uint32_t i = 0; i < b->unknown.count; i++)
    if (rlx_ast_names(ast, b->unknown.at[i])) return true;
  for (uint32_t i = 0; i < b->bound.count; i++) {
    const char *name = rlx_store_text(repl->store, b->bound.at[i]);
    if (rlx_ast_names(ast, b->bound.at[i]) &&
        (rlx_sugar_variable(b->sugar, name) || rlx_sugar_is_defined(b->sugar, name) ||
         rlx_sugar_alias(b->sugar, name)))
      return true;
  }
  return false;
}

/// What stands before byte `end` of the entry, as it was typed.
static void copy_to(Writer *b, uint32_t end) {
  if (end > b->at) rlx_buf_putn(b->out, b->text + b->at, end - b->at);
  if (end > b->at) b->at = end;
}

static void put_expression(Writer *b, const RlxStmt *stmt, const RlxAst *ast) {
  const uint32_t offset = stmt->start - b->start;
  if (!ast || is_hidden(b, ast) || b->sugar->failed) return;
  copy_to(b, offset + ast->span.start);
  b->sugar->text = b->text + offset;
  const bool is_answer = stmt->kind == RLX_STMT_IF && rlx_sugar_is_number(b->sugar, ast);
  if (is_answer) rlx_buf_puts(b->out, "R.const(");
  rlx_sugar_put(b->sugar, ast, b->out);
  if (is_answer) rlx_buf_putc(b->out, ')');
  b->at = offset + ast->span.end;
}

static void put_block(Writer *b, const RlxBlock *block);

static void put_names(const RlxBlock *block, Writer *b) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    for (uint32_t k = 0; k < stmt->target_count; k++)
      if (stmt->targets[k]->kind == RLX_AST_NAME) rlx_vec_push(&b->unknown, stmt->targets[k]->name);
    put_names(stmt->body, b);
    put_names(stmt->orelse, b);
  }
}

/// A branch, behind which its own names are gone.
static void put_branch(Writer *b, const RlxBlock *block) {
  const size_t scope = b->scope.size;
  const uint32_t bound = b->bound.count, unknown = b->unknown.count;
  put_block(b, block);
  rlx_buf_truncate(&b->scope, scope);
  b->bound.count = bound;
  b->unknown.count = unknown;
}

static void put_statement(Writer *b, const RlxStmt *stmt) {
  const RlxStmtKind kind = stmt->kind;
  if (kind == RLX_STMT_IF || kind == RLX_STMT_WITH) {
    if (kind == RLX_STMT_IF) put_expression(b, stmt, stmt->value);
    if (kind == RLX_STMT_WITH)
      put_block(b, stmt->body);
    else {
      if (stmt->body) put_branch(b, stmt->body);
      if (stmt->orelse) put_branch(b, stmt->orelse);
      put_names(stmt->body, b);
    }
    return;
  }
  if (kind != RLX_STMT_ASSIGN && kind != RLX_STMT_ANNOTATED && kind != RLX_STMT_EXPR) return;
  copy_to(b, stmt->start - b->start);
  const size_t begin = b->out->size;
  put_expression(b, stmt, stmt->value);
  copy_to(b, stmt->start - b->start + stmt->size);
  if (kind == RLX_STMT_EXPR) return;
  rlx_buf_puts(&b->scope, "    ");
  rlx_buf_putn(&b->scope, rlx_buf_text(b->out) + begin, b->out->size - begin);
  rlx_buf_putc(&b->scope, '\n');
  for (uint32_t i = 0; i < stmt->target_count; i++)
    if (stmt->targets[i]->kind == RLX_AST_NAME) rlx_vec_push(&b->bound, stmt->targets[i]->name);
}

static void put_block(Writer *b, const RlxBlock *block) {
  b->sugar->scope = &b->scope;
  for (uint32_t i = 0; block && i < block->count; i++) put_statement(b, block->stmts[i]);
}

bool rlx_sugar_statement(RlxSugarWriter *w, const RlxStmt *stmt, RlxBuf *out) {
  Writer b = {.sugar = w, .text = w->text, .start = stmt->start, .out = out};
  put_statement(&b, stmt);
  copy_to(&b, (uint32_t)strlen(b.text));
  w->scope = NULL;
  w->text = b.text;
  rlx_buf_free(&b.scope);
  rlx_vec_free(&b.bound);
  rlx_vec_free(&b.unknown);
  return !w->failed;
}
