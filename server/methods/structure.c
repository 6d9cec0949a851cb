/// Selection ranges: what follows from the shape of the file.
#include <string.h>

#include "base/text.h"
#include "server/methods/methods.h"

enum { SPANS_MAX = 500, PATH_MAX_DEPTH = 128 };

/// In an answer with more bytes, what stands behind them is the word and the file: a client may ask
/// for thousands of places inside of hundreds of brackets.
enum { SELECTIONS_MAX = 4 << 20 };

/// What is around a place, from the inside out.
typedef struct Around {
  const char *text;
  uint32_t size, offset;
  RlxSpan spans[SPANS_MAX];
  uint32_t count;
} Around;

/// Adds what holds the place and is larger than what was added before.
static void add(Around *a, RlxSpan span) {
  RlxSpan last = a->count ? a->spans[a->count - 1] : rlx_span(a->offset, a->offset);
  bool holds = span.start <= last.start && span.end >= last.end;
  bool grows = !a->count || span.start != last.start || span.end != last.end;
  if (holds && grows && a->count < SPANS_MAX) a->spans[a->count++] = span;
}

static void add_word(Around *a) {
  uint32_t start = a->offset, end = a->offset;
  while (start && rlx_text_in_name(a->text[start - 1])) start--;
  while (end < a->size && rlx_text_in_name(a->text[end])) end++;
  if (start < end) add(a, rlx_span(start, end));
}

/// A node; of a string first what is between the quotes, of a call first its arguments.
static void add_node(Around *a, const RlxStmt *stmt, const RlxAst *ast) {
  RlxSpan whole = rlx_stmt_absolute(stmt, ast->span), inside = whole;
  if (ast->kind == RLX_AST_STRING && whole.end - whole.start == ast->text_size + 2)
    inside = rlx_span(whole.start + 1, whole.end - 1);
  if (ast->kind == RLX_AST_CALL) {
    uint32_t open = rlx_stmt_absolute(stmt, ast->children[0]->span).end;
    while (open < whole.end && a->text[open] != '(') open++;
    if (open + 1 < whole.end) inside = rlx_span(open + 1, whole.end - 1);
  }
  add(a, inside);
  add(a, whole);
}

/// The parameter that the place is in, and all of them.
static void add_parameters(Around *a, const RlxStmt *def) {
  for (uint32_t i = 0; i < def->param_count; i++) {
    RlxSpan own = rlx_stmt_absolute(def, def->params[i].span);
    if (own.start > a->offset || own.end < a->offset) continue;
    add(a, own);
    add(a, rlx_stmt_absolute(def, rlx_span(def->params[0].span.start,
                                           def->params[def->param_count - 1].span.end)));
  }
}

static void add_suite(Around *a, const RlxBlock *block) {
  if (!block || !block->count || !block->parent) return;
  const RlxStmt *last = block->stmts[block->count - 1];
  add(a, rlx_span(block->stmts[0]->start, last->start + last->size));
}

/// What stands between the word and the file.
static void add_syntax(Around *a, RlxDocument *doc) {
  const RlxStmt *stmt = rlx_document_stmt_at(doc, a->offset);
  const RlxAst *path[PATH_MAX_DEPTH];
  uint32_t count = 0;
  if (stmt) rlx_document_ast_at(stmt, a->offset, path, &count, PATH_MAX_DEPTH);
  while (count) add_node(a, stmt, path[--count]);
  for (; stmt; stmt = stmt->block->parent) {
    add_parameters(a, stmt);
    add(a, rlx_span(stmt->start, stmt->start + stmt->size));
    add_suite(a, stmt->block);
  }
}

/// From the word at `offset` to the whole file, each inside the next.
static void write_selection(const RlxServer *server, RlxOpenFile *file, uint32_t offset,
                            RlxJson *json) {
  RlxDocument *doc = rlx_file_document(file->file);
  Around a = {.offset = offset};
  a.text = rlx_document_text(doc, &a.size);
  add_word(&a);
  if (json->out->size <= SELECTIONS_MAX) add_syntax(&a, doc);
  a.count -= a.count == SPANS_MAX; // the file is the last one, always
  add(&a, rlx_span(0, a.size));
  for (uint32_t i = 0; i < a.count; i++) {
    if (i) rlx_json_key(json, "parent");
    rlx_json_begin(json, '{');
    rlx_json_key(json, "range");
    rlx_write_range(server, file->file, a.spans[i], json);
  }
  for (uint32_t i = 0; i < a.count; i++) rlx_json_end(json, '}');
}

RlxRpcCode rlx_lsp_selection_range(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  const cJSON *position;
  rlx_json_begin(result, '[');
  cJSON_ArrayForEach(position, rlx_json_get(params, "positions")) {
    uint32_t offset;
    if (!rlx_position_offset(server, file->file, position, &offset)) return RLX_RPC_INVALID_PARAMS;
    write_selection(server, file, offset, result);
  }
  rlx_json_end(result, ']');
  return RLX_RPC_OK;
}
