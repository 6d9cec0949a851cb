/// Writes the syntax of a document. Two documents with equal dumps are equal in everything the
/// analyzer reads.
#include "analyzer/syntax/document_dump.h"

static const char *const ast_names[] = {
    "hole",      "name",        "int",    "float",   "imaginary",      "string",
    "bytes",     "fstring",     "true",   "false",   "none",           "ellipsis",
    "tuple",     "list",        "set",    "dict",    "call",           "keyword",
    "attribute", "subscript",   "slice",  "unary",   "binary",         "bool_op",
    "compare",   "conditional", "lambda", "starred", "double_starred", "comprehension",
    "comp_for",  "comp_if",     "named",  "await",   "yield",
};

static const char *const stmt_names[] = {
    "hole",  "expr", "assign", "annotated", "augmented", "return", "assert",     "delete",
    "raise", "pass", "break",  "continue",  "import",    "global", "type_alias", "if",
    "while", "for",  "with",   "try",       "match",     "def",    "class",
};

static void put_word(const char *word, RlxBuf *out) {
  rlx_buf_putc(out, ' ');
  rlx_buf_puts(out, word);
}

static void put_text(const char *text, uint32_t size, RlxBuf *out) {
  rlx_buf_putc(out, '"');
  for (uint32_t i = 0; i < size; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c < 0x20 || c == '"' || c == '\\' || c >= 0x7F)
      rlx_buf_printf(out, "\\x%02x", c);
    else
      rlx_buf_putc(out, (char)c);
  }
  rlx_buf_putc(out, '"');
}

static void put_params(const RlxStore *store, const RlxParam *params, uint32_t count, bool spans,
                       RlxBuf *out) {
  rlx_buf_puts(out, " (params");
  for (uint32_t i = 0; i < count; i++) {
    rlx_buf_printf(out, " (%s%s%s",
                   params[i].star == 1   ? "*"
                   : params[i].star == 2 ? "**"
                                         : "",
                   params[i].is_positional_marker ? "/" : "",
                   rlx_store_text(store, params[i].name));
    if (spans)
      rlx_buf_printf(out, "@%u-%u@%u-%u", params[i].span.start, params[i].span.end,
                     params[i].name_span.start, params[i].name_span.end);
    if (params[i].annotation) {
      rlx_buf_puts(out, " :");
      rlx_ast_dump(store, params[i].annotation, spans, out);
    }
    if (params[i].default_value) {
      rlx_buf_puts(out, " =");
      rlx_ast_dump(store, params[i].default_value, spans, out);
    }
    rlx_buf_putc(out, ')');
  }
  rlx_buf_putc(out, ')');
}

void rlx_ast_dump(const RlxStore *store, const RlxAst *ast, bool spans, RlxBuf *out) {
  rlx_buf_puts(out, " (");
  rlx_buf_puts(out, ast_names[ast->kind]);
  if (ast->is_parenthesized) rlx_buf_putc(out, '!');
  if (spans) rlx_buf_printf(out, "@%u-%u", ast->span.start, ast->span.end);
  if (ast->op) rlx_buf_printf(out, " op%u", ast->op);
  if (ast->name) {
    put_word(rlx_store_text(store, ast->name), out);
    if (spans) rlx_buf_printf(out, "@%u-%u", ast->name_span.start, ast->name_span.end);
  }
  switch (ast->kind) {
  case RLX_AST_INT:
    if (ast->is_big)
      put_text(ast->text, ast->text_size, out);
    else
      rlx_buf_printf(out, " %lld", (long long)ast->integer);
    break;
  case RLX_AST_FLOAT:
  case RLX_AST_IMAGINARY: rlx_buf_printf(out, " %.17g", ast->number); break;
  case RLX_AST_STRING:
  case RLX_AST_BYTES:
    rlx_buf_putc(out, ' ');
    put_text(ast->text, ast->text_size, out);
    break;
  case RLX_AST_COMPARE:
    for (uint32_t i = 0; i + 1 < ast->child_count; i++) rlx_buf_printf(out, " op%u", ast->ops[i]);
    break;
  case RLX_AST_LAMBDA: put_params(store, ast->params, ast->param_count, spans, out); break;
  default: break;
  }
  for (uint32_t i = 0; i < ast->child_count; i++) rlx_ast_dump(store, ast->children[i], spans, out);
  rlx_buf_putc(out, ')');
}

/// How a document is written, and where to.
typedef struct Dump {
  const RlxStore *store;
  RlxBuf *out;
  bool places;
  bool is_apart; // of its neighbours: what follows from where it stands is left out
} Dump;

static void put_part(const Dump *d, const char *label, const RlxAst *ast, uint32_t depth) {
  if (!ast) return;
  rlx_buf_repeat(d->out, ' ', depth * 2 + 2);
  rlx_buf_putc(d->out, '.');
  rlx_buf_puts(d->out, label);
  rlx_ast_dump(d->store, ast, d->places, d->out);
  rlx_buf_putc(d->out, '\n');
}

static void put_block(const Dump *d, const char *label, const RlxBlock *block,
                      const RlxStmt *parent, uint32_t depth);

static void put_stmt(const Dump *d, const RlxStmt *stmt, uint32_t depth) {
  const RlxStore *store = d->store;
  RlxBuf *out = d->out;
  rlx_buf_repeat(out, ' ', depth * 2);
  rlx_buf_puts(out, stmt_names[stmt->kind]);
  if (d->places)
    rlx_buf_printf(out, " #%u %u+%u head %u line %u hash %016llx", stmt->index, stmt->start,
                   stmt->size, stmt->head_size, stmt->line, (unsigned long long)stmt->text_hash);
  if (stmt->op) rlx_buf_printf(out, " op%u", stmt->op);
  if (stmt->name) put_word(rlx_store_text(store, stmt->name), out);
  if (stmt->name && d->places)
    rlx_buf_printf(out, "@%u-%u", stmt->name_span.start, stmt->name_span.end);
  if (stmt->is_elif) rlx_buf_puts(out, " elif");
  if (stmt->is_async) rlx_buf_puts(out, " async");
  if (stmt->has_error) rlx_buf_puts(out, " has_error");
  if (stmt->is_docstring && !d->is_apart) rlx_buf_puts(out, " docstring");
  rlx_buf_putc(out, '\n');
  for (uint32_t i = 0; i < stmt->error_count; i++) {
    rlx_buf_repeat(out, ' ', depth * 2 + 2);
    rlx_buf_puts(out, "!error");
    if (d->places) rlx_buf_printf(out, " %u-%u", stmt->errors[i].start, stmt->errors[i].end);
    rlx_buf_putc(out, '\n');
  }
  for (uint32_t i = 0; i < stmt->decorator_count; i++)
    put_part(d, "decorator", stmt->decorators[i], depth);
  for (uint32_t i = 0; i < stmt->type_param_count; i++)
    rlx_buf_printf(out, "  .type_param %s\n", rlx_store_text(store, stmt->type_params[i]));
  if (stmt->param_count) {
    put_params(store, stmt->params, stmt->param_count, d->places, out);
    rlx_buf_putc(out, '\n');
  }
  for (uint32_t i = 0; i < stmt->target_count; i++) put_part(d, "target", stmt->targets[i], depth);
  put_part(d, "annotation", stmt->annotation, depth);
  put_part(d, "value", stmt->value, depth);
  put_part(d, "message", stmt->message, depth);
  for (uint32_t i = 0; i < stmt->item_count; i++) {
    put_part(d, "with", stmt->items[i].value, depth);
    put_part(d, "as", stmt->items[i].target, depth);
  }
  for (uint32_t i = 0; i < stmt->import_count; i++) {
    const RlxImport *import = &stmt->imports[i];
    rlx_buf_printf(out, "  .import %s = %s . %s", rlx_store_text(store, import->name),
                   rlx_store_text(store, import->module), rlx_store_text(store, import->member));
    if (d->places) rlx_buf_printf(out, " @%u-%u", import->span.start, import->span.end);
    rlx_buf_putc(out, '\n');
  }
  put_block(d, "body", stmt->body, stmt, depth + 1);
  put_block(d, "orelse", stmt->orelse, stmt, depth + 1);
  for (uint32_t i = 0; i < stmt->block_count; i++)
    put_block(d, "block", stmt->blocks[i], stmt, depth + 1);
}

static void put_block(const Dump *d, const char *label, const RlxBlock *block,
                      const RlxStmt *parent, uint32_t depth) {
  if (!block) return;
  RlxBuf *out = d->out;
  rlx_buf_repeat(out, ' ', depth * 2);
  rlx_buf_printf(out, "%s: %u%s\n", label, block->count,
                 block->parent == parent ? "" : " (wrong parent)");
  for (uint32_t i = 0; i < block->count; i++) {
    if (block->stmts[i]->block != block) rlx_buf_puts(out, "(wrong block)\n");
    put_stmt(d, block->stmts[i], depth);
  }
}

void rlx_document_dump(const RlxDocument *doc, RlxBuf *out) {
  const Dump d = {.store = rlx_document_store(doc), .out = out, .places = true};
  put_block(&d, "file", rlx_document_root(doc), NULL, 0);
  RlxSyntaxProblems problems = {0};
  rlx_document_problems(doc, &problems);
  for (uint32_t i = 0; i < problems.count; i++) {
    const RlxSyntaxProblem *problem = &problems.at[i];
    rlx_buf_printf(out, "problem %u-%u %s%s\n", problem->span.start, problem->span.end,
                   problem->text, problem->is_late ? " (late)" : "");
  }
  rlx_vec_free(&problems);
}

void rlx_document_dump_syntax(const RlxDocument *doc, RlxBuf *out) {
  const Dump d = {.store = rlx_document_store(doc), .out = out};
  put_block(&d, "file", rlx_document_root(doc), NULL, 0);
}

void rlx_document_dump_stmt(const RlxDocument *doc, const RlxStmt *stmt, RlxBuf *out) {
  const Dump d = {.store = rlx_document_store(doc), .out = out, .is_apart = true};
  put_stmt(&d, stmt, 0);
}
