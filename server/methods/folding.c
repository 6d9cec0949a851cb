/// Folding ranges: suites from the line of their `def`, `with`, `for`, `else`, …; brackets over
/// several lines; docstrings; runs of imports and of comments; `# region` … `# endregion`.
///
/// Always true: a range has at least two lines, and no two begin on the same line.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "server/methods/methods.h"

enum { DEPTH_MAX = 200, REGIONS_MAX = 64 };

typedef struct Folding {
  RlxDocument *doc;
  const RlxLines *lines;
  const char *text;
  uint32_t line_count;
  uint8_t *begins; ///< for each line: a range begins there
  RlxJson *json;
} Folding;

static uint32_t line_of(const Folding *f, uint32_t offset) {
  return rlx_lines_locate(f->lines, offset).line;
}

static void write_fold(Folding *f, uint32_t first, uint32_t last, const char *kind) {
  if (last <= first || first >= f->line_count || f->begins[first]) return;
  f->begins[first] = 1;
  rlx_json_begin(f->json, '{');
  rlx_json_key_int(f->json, "startLine", first);
  rlx_json_key_int(f->json, "endLine", last);
  if (kind) rlx_json_key_text(f->json, "kind", kind);
  rlx_json_end(f->json, '}');
}

/// Past the blanks at the start of a line.
static const char *line_text(const Folding *f, uint32_t line) {
  const char *at = f->text + rlx_lines_start(f->lines, line);
  while (*at == ' ' || *at == '\t') at++;
  return at;
}

// ---- statements

/// Brackets inside an expression that go over several lines.
static void fold_brackets(Folding *f, const RlxStmt *stmt, const RlxAst *ast, int depth) {
  if (!ast || depth > DEPTH_MAX) return;
  RlxSpan span = rlx_stmt_absolute(stmt, ast->span);
  uint32_t first = line_of(f, span.start), last = line_of(f, span.end);
  if (first == last) return;
  bool is_bracket = ast->kind == RLX_AST_CALL || ast->kind == RLX_AST_LIST ||
                    ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_DICT ||
                    ast->kind == RLX_AST_SET || ast->kind == RLX_AST_SUBSCRIPT ||
                    ast->kind == RLX_AST_COMPREHENSION;
  if (is_bracket) write_fold(f, first, last, NULL);
  for (uint32_t i = 0; i < ast->child_count; i++)
    fold_brackets(f, stmt, ast->children[i], depth + 1);
}

static void fold_block(Folding *f, const RlxBlock *block, int depth);

/// The line of a clause (`else:`): the first one behind `from` that is neither blank nor a comment.
static uint32_t clause_line(const Folding *f, uint32_t from, uint32_t until) {
  for (uint32_t line = from + 1; line < until; line++) {
    char c = *line_text(f, line);
    if (c && c != '\n' && c != '\r' && c != '#') return line;
  }
  return until;
}

static uint32_t last_line(const Folding *f, const RlxBlock *block) {
  const RlxStmt *last = block->stmts[block->count - 1];
  return line_of(f, last->start + last->size);
}

/// Folds the suite of a clause behind line `*at`, and moves it to that suite's end.
static void fold_clause(Folding *f, const RlxBlock *block, uint32_t *at, int depth) {
  if (!block || !block->count) return;
  uint32_t first = clause_line(f, *at, block->stmts[0]->line), last = last_line(f, block);
  if (block->count == 1 && block->stmts[0]->is_elif)
    fold_block(f, block, depth);
  else {
    write_fold(f, first, last, NULL);
    fold_block(f, block, depth);
  }
  *at = last;
}

static void fold_compound(Folding *f, const RlxStmt *stmt, int depth) {
  bool is_named = stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS;
  uint32_t first = is_named && stmt->name_span.end ? line_of(f, stmt->start + stmt->name_span.start)
                                                   : stmt->line,
           at = line_of(f, stmt->start + stmt->head_size);
  if (stmt->body && stmt->body->count) {
    at = last_line(f, stmt->body);
    write_fold(f, first, at, NULL);
    fold_block(f, stmt->body, depth);
  } else if (stmt->block_count) {
    write_fold(f, first, line_of(f, stmt->start + stmt->size), NULL); // match
  }
  for (uint32_t k = 0; k < stmt->block_count; k++) fold_clause(f, stmt->blocks[k], &at, depth);
  fold_clause(f, stmt->orelse, &at, depth);
}

static void fold_simple(Folding *f, const RlxStmt *stmt) {
  uint32_t last = line_of(f, stmt->start + stmt->size);
  if (last == stmt->line) return;
  bool is_text = stmt->value && stmt->value->kind == RLX_AST_STRING && stmt->kind == RLX_STMT_EXPR;
  write_fold(f, stmt->line, last, is_text ? "comment" : NULL);
  fold_brackets(f, stmt, stmt->value, 0);
  fold_brackets(f, stmt, stmt->annotation, 0);
}

static void fold_block(Folding *f, const RlxBlock *block, int depth) {
  for (uint32_t i = 0; block && i < block->count && depth < DEPTH_MAX; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (stmt->kind == RLX_STMT_IMPORT) { // a run of them
      uint32_t end = i;
      while (end + 1 < block->count && block->stmts[end + 1]->kind == RLX_STMT_IMPORT) end++;
      const RlxStmt *last = block->stmts[end];
      write_fold(f, stmt->line, line_of(f, last->start + last->size), "imports");
      i = end;
    } else if (stmt->body || stmt->block_count) {
      fold_compound(f, stmt, depth + 1);
    } else {
      fold_simple(f, stmt);
    }
  }
}

// ---- comments

/// Whether the line of `offset`, which begins with `#`, is a comment, not a part of a string.
static bool is_comment(const Folding *f, uint32_t offset) {
  const RlxStmt *stmt = rlx_document_stmt_at(f->doc, offset);
  if (!stmt || offset < stmt->start || offset >= stmt->start + stmt->head_size) return true;
  const RlxAst *at = rlx_document_ast_at(stmt, offset, NULL, NULL, 0);
  return !at ||
         (at->kind != RLX_AST_STRING && at->kind != RLX_AST_BYTES && at->kind != RLX_AST_FSTRING);
}

static bool says(const char *comment, const char *word) {
  comment += 1;
  while (*comment == ' ') comment++;
  size_t n = strlen(word);
  return !strncmp(comment, word, n) && strchr(" \t\r\n:", comment[n]); // NUL, too
}

static void fold_comments(Folding *f) {
  uint32_t regions[REGIONS_MAX], open = 0;
  for (uint32_t line = 0; line < f->line_count;) {
    const char *at = line_text(f, line);
    if (*at != '#' || !is_comment(f, (uint32_t)(at - f->text))) {
      line++;
      continue;
    }
    uint32_t end = line;
    bool is_region = says(at, "region"), is_end = says(at, "endregion");
    if (is_region && open < REGIONS_MAX) regions[open++] = line;
    if (is_end && open) write_fold(f, regions[--open], line, "region");
    while (!is_region && !is_end && end + 1 < f->line_count) {
      const char *next = line_text(f, end + 1);
      if (*next != '#' || says(next, "region") || says(next, "endregion")) break;
      end++;
    }
    write_fold(f, line, end, "comment");
    line = end + 1;
  }
}

RlxRpcCode rlx_lsp_folding_range(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  RlxDocument *doc = rlx_file_document(file->file);
  uint32_t size;
  Folding f = {.doc = doc, .lines = rlx_document_lines(doc), .json = result};
  f.text = rlx_document_text(doc, &size);
  f.line_count = rlx_lines_count(f.lines);
  f.begins = rlx_mem_zeroed(f.line_count, 1);
  rlx_json_begin(result, '[');
  fold_block(&f, rlx_document_root(doc), 0);
  fold_comments(&f);
  rlx_json_end(result, ']');
  free(f.begins);
  return RLX_RPC_OK;
}
