/// The document's life and its answers. What an edit does is in document_edit.c, suites are in
/// document_link.c.
#include "analyzer/syntax/document.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/document_impl.h"
#include "base/mem.h"

RlxDocument *rlx_document_new(RlxStore *store, void (*drop)(RlxStmt *stmt, void *data),
                              void *data) {
  RlxDocument *doc = rlx_mem_zeroed(1, sizeof *doc);
  doc->store = store;
  doc->syntax = rlx_syntax_new(store);
  doc->drop = drop;
  doc->drop_data = data;
  rlx_lines_build(&doc->lines, "", 0);
  rlx_vec_reserve(&doc->units, 1); // never NULL, so that `at + 0` is an address
  rlx_vec_reserve(&doc->fresh, 1);
  rlx_vec_reserve(&doc->linked, 1);
  return doc;
}

void rlx_document_on_moved_suite(RlxDocument *doc,
                                 void (*moved)(RlxStmt *from, RlxStmt *heir, void *data)) {
  doc->moved = moved;
}

void rlx_document_by_tree(RlxDocument *doc) { rlx_syntax_by_tree(doc->syntax); }

void rlx_document_free(RlxDocument *doc) {
  if (!doc) return;
  for (uint32_t i = doc->units.count; i-- > 0;) rlx_unit_free(doc, &doc->units.at[i]);
  rlx_syntax_free(doc->syntax);
  free(doc->root.stmts);
  rlx_buf_free(&doc->text);
  rlx_lines_free(&doc->lines);
  rlx_vec_free(&doc->units);
  rlx_vec_free(&doc->splices);
  rlx_vec_free(&doc->splice_orders);
  rlx_vec_free(&doc->reclaused);
  rlx_vec_free(&doc->frames);
  rlx_vec_free(&doc->linked);
  rlx_vec_free(&doc->fresh);
  rlx_vec_free(&doc->replaced);
  rlx_vec_free(&doc->to_parse);
  rlx_vec_free(&doc->ends);
  free(doc);
}

/// Replaces the bytes [start, old_end) of the text and follows with lines and statements.
static void change(RlxDocument *doc, uint32_t start, uint32_t old_end, const char *text,
                   uint32_t size) {
  uint32_t old_lines = rlx_lines_count(&doc->lines), new_end = start + size;
  rlx_buf_splice(&doc->text, start, old_end, text, size);
  if (doc->has_nul || (size && memchr(text, 0, size)))
    doc->has_nul = memchr(rlx_buf_text(&doc->text), 0, doc->text.size) != NULL;
  rlx_lines_edit(&doc->lines, rlx_buf_text(&doc->text), (uint32_t)doc->text.size, start, old_end,
                 new_end);
  rlx_document_reread(doc, start, old_end, new_end, old_lines);
}

void rlx_document_set_text(RlxDocument *doc, const char *text, uint32_t size) {
  const char *old = rlx_buf_text(&doc->text);
  uint32_t old_size = (uint32_t)doc->text.size, head = 0, tail = 0,
           most = size < old_size ? size : old_size;
  while (head < most && old[head] == text[head]) head++;
  while (tail < most - head && old[old_size - 1 - tail] == text[size - 1 - tail]) tail++;
  doc->stats.full_parses++;
  change(doc, head, old_size - tail, text + head, size - head - tail);
}

void rlx_document_edit(RlxDocument *doc, uint32_t start, uint32_t old_end, const char *text,
                       uint32_t size) {
  uint32_t old_size = (uint32_t)doc->text.size;
  if (start > old_size) start = old_size;
  if (old_end > old_size) old_end = old_size;
  if (old_end < start) old_end = start;
  if (size > UINT32_MAX / 2 - old_size)
    size = 0; // offsets would not fit; the server limits messages long before
  doc->stats.window_parses++;
  change(doc, start, old_end, text, size);
}

RlxStmt *const *rlx_document_reclaused(const RlxDocument *doc, uint32_t *out_count) {
  *out_count = doc->reclaused.count;
  return doc->reclaused.at;
}

const RlxSplice *rlx_document_splices(const RlxDocument *doc, uint32_t *out_count) {
  *out_count = doc->splices.count;
  return doc->splices.at;
}

bool rlx_document_was_linked(const RlxDocument *doc) { return doc->was_linked; }

const char *rlx_document_text(const RlxDocument *doc, uint32_t *out_size) {
  if (out_size) *out_size = (uint32_t)doc->text.size;
  return rlx_buf_text(&doc->text);
}

const RlxBlock *rlx_document_root(const RlxDocument *doc) { return &doc->root; }
RlxStore *rlx_document_store(const RlxDocument *doc) { return doc->store; }
const RlxLines *rlx_document_lines(const RlxDocument *doc) { return &doc->lines; }

RlxDocumentStats rlx_document_stats(const RlxDocument *doc) {
  RlxDocumentStats stats = doc->stats;
  stats.parsed_bytes = rlx_syntax_parsed_bytes(doc->syntax);
  return stats;
}

// ---- problems ----

/// By their bits.
static const struct Flaw {
  RlxSyntaxKind kind;
  const char *text;
} flaws[] = {
    {RLX_SYNTAX_INDENTATION, "this line's indentation fits no block"},
    {RLX_SYNTAX_NO_BLOCK, "an indented block is expected after this line"},
    {RLX_SYNTAX_CLAUSE, "this clause belongs to no statement"},
    {RLX_SYNTAX_MISPLACED, "this cannot stand here"},
    {RLX_SYNTAX_OTHER, "too many levels of indentation: 100 are the most"},
    {RLX_SYNTAX_OTHER, "`except` or `finally` is missing"},
    {RLX_SYNTAX_OTHER, "`except` and `except*` cannot stand together"},
    {RLX_SYNTAX_INDENTATION,
     "this line is indented below a head whose block stands behind its colon"},
};

static const char *context_text(uint8_t misuses) {
  if (misuses & RLX_USES_RETURN) return "`return` belongs into a function";
  if (misuses & RLX_USES_YIELD) return "`yield` belongs into a function";
  if (misuses & RLX_USES_AWAIT) return "`await` belongs into an `async def`";
  if (misuses & RLX_USES_BREAK) return "`break` belongs into a loop";
  if (misuses & RLX_USES_CONTINUE) return "`continue` belongs into a loop";
  if (misuses & RLX_USES_STAR) return "`import *` belongs to the module level";
  return "`nonlocal` belongs into a function";
}

static void unit_problems(const RlxUnit *unit, RlxSyntaxProblems *out) {
  const RlxSpan head = rlx_span(unit->head, unit->colon ? unit->colon + 1 : unit->end);
  for (size_t bit = 0; bit < sizeof flaws / sizeof *flaws; bit++) {
    uint8_t flaw = (uint8_t)(1u << bit);
    if (!(unit->flaws & flaw)) continue;
    RlxSyntaxProblem problem = {.span = head};
    if (flaw == RLX_FLAW_CONTEXT) {
      problem.text = context_text(unit->misuses);
      problem.kind = unit->misuses & RLX_USES_RETURN ? RLX_SYNTAX_RETURN : RLX_SYNTAX_OTHER;
      problem.is_late = true;
    } else {
      problem.text = flaws[bit].text;
      problem.kind = (uint8_t)flaws[bit].kind;
    }
    rlx_vec_push(out, problem);
  }
  for (uint32_t i = 0; i < unit->problem_count; i++) {
    RlxSyntaxProblem problem = unit->problems[i];
    problem.span = rlx_span(unit->start + problem.span.start, unit->start + problem.span.end);
    rlx_vec_push(out, problem);
  }
}

void rlx_document_problems(const RlxDocument *doc, RlxSyntaxProblems *out) {
  const char *text = rlx_buf_text(&doc->text);
  const char *nul = doc->has_nul ? memchr(text, 0, doc->text.size) : NULL;
  if (nul) {
    const uint32_t at = (uint32_t)(nul - text);
    rlx_vec_push(out, ((RlxSyntaxProblem){.span = rlx_span(at, at + 1), .text = "a NUL byte"}));
  }
  uint32_t left = doc->troubled;
  for (uint32_t i = 0; left > 0 && i < doc->units.count; i++) {
    if (!rlx_unit_is_troubled(&doc->units.at[i])) continue;
    unit_problems(&doc->units.at[i], out);
    left--;
  }
}

uint32_t rlx_document_syntax_errors(const RlxDocument *doc, RlxSpan *out, uint32_t capacity) {
  RlxSyntaxProblems problems = {0};
  rlx_document_problems(doc, &problems);
  for (uint32_t i = 0; i < problems.count && i < capacity; i++) out[i] = problems.at[i].span;
  uint32_t count = problems.count;
  rlx_vec_free(&problems);
  return count;
}

const RlxAst *rlx_document_of_expression(RlxStore *store, const char *text, size_t size,
                                         RlxDocument **doc) {
  enum { TEXT_MOST = 1000000 };
  *doc = NULL;
  if (size > TEXT_MOST) return NULL;
  RlxDocument *made = rlx_document_new(store, NULL, NULL);
  rlx_document_set_text(made, text, (uint32_t)size);
  const RlxBlock *root = rlx_document_root(made);
  RlxSpan problem;
  const bool is_one = root->count == 1 && root->stmts[0]->kind == RLX_STMT_EXPR &&
                      root->stmts[0]->value && !rlx_document_syntax_errors(made, &problem, 1);
  if (is_one) return *doc = made, root->stmts[0]->value;
  rlx_document_free(made);
  return NULL;
}

// ---- places ----

static uint32_t stmt_end(const RlxStmt *stmt) { return stmt->start + stmt->size; }

/// The last statement of a block that starts at or before `offset`.
static RlxStmt *last_before(const RlxBlock *block, uint32_t offset) {
  uint32_t low = 0, high = block->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (block->stmts[middle]->start <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? block->stmts[low - 1] : NULL;
}

/// The suite of `stmt` that begins last before `offset`.
static const RlxBlock *block_before(const RlxStmt *stmt, uint32_t offset) {
  const RlxBlock *best = NULL;
  const RlxBlock *own[2] = {stmt->body, stmt->orelse};
  for (uint32_t i = 0; i < stmt->block_count + 2; i++) {
    const RlxBlock *block = i < 2 ? own[i] : stmt->blocks[i - 2];
    if (!block || !block->count || block->stmts[0]->start > offset) continue;
    if (!best || best->stmts[0]->start < block->stmts[0]->start) best = block;
  }
  return best;
}

RlxStmt *rlx_document_stmt_at(const RlxDocument *doc, uint32_t offset) {
  const RlxBlock *block = &doc->root;
  RlxStmt *found = NULL;
  while (block && block->count) {
    RlxStmt *stmt = last_before(block, offset);
    if (!stmt) return found ? found : block->stmts[0];
    found = stmt;
    if (offset >= stmt_end(stmt) && block == &doc->root) return found;
    if (offset > stmt_end(stmt)) return found;
    block = block_before(stmt, offset);
  }
  return found;
}

// ---- expressions ----

typedef struct Search {
  uint32_t offset; // relative to the statement
  const RlxAst **path;
  uint32_t count, capacity;
  const RlxAst *found;
  bool is_sound; // the statement has no errors: parts of expressions stand in order
} Search;

static bool covers(const RlxAst *node, uint32_t offset) {
  return node->span.start <= offset && offset <= node->span.end;
}

/// Does `node` cover the place better than what was found beside it? A place between two neighbours
/// is the second's.
static void search(Search *s, const RlxAst *node);

/// The parameters that may cover the place: of thousands the one that begins before it.
static void search_params(Search *s, const RlxParam *params, uint32_t count) {
  uint32_t low = 0, high = s->is_sound ? count : 0;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (params[middle].span.start <= s->offset)
      low = middle + 1;
    else
      high = middle;
  }
  if (s->is_sound) count = low;
  for (uint32_t i = low ? low - 1 : 0; i < count; i++) {
    if (params[i].annotation) search(s, params[i].annotation);
    if (params[i].default_value) search(s, params[i].default_value);
  }
}

/// Whether the parts of `node` stand one after the other.
static bool is_list(const RlxAst *node) {
  return node->kind == RLX_AST_CALL || node->kind == RLX_AST_LIST || node->kind == RLX_AST_TUPLE ||
         node->kind == RLX_AST_SET || node->kind == RLX_AST_DICT ||
         node->kind == RLX_AST_SUBSCRIPT || node->kind == RLX_AST_COMPARE ||
         node->kind == RLX_AST_FSTRING;
}

/// Those of `count` expressions, one after the other, that may cover the place: there may be tens of thousands.
static void search_row(Search *s, RlxAst *const *at, uint32_t count, bool is_in_order) {
  uint32_t low = 0, high = is_in_order ? count : 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (at[middle]->span.end < s->offset)
      low = middle + 1;
    else
      high = middle;
  }
  for (uint32_t i = low; i < count; i++) {
    if (is_in_order && at[i]->span.start > s->offset) break;
    search(s, at[i]);
  }
}

static void search(Search *s, const RlxAst *node) {
  if (!covers(node, s->offset) || node->span.start == node->span.end) return;
  // Siblings come in order: the later one that covers the place replaces the earlier one and what
  // hangs below it.
  uint32_t depth = 0;
  while (depth < s->count && s->path[depth]->span.start <= node->span.start &&
         s->path[depth]->span.end >= node->span.end && s->path[depth] != node)
    depth++;
  s->count = depth;
  if (s->count < s->capacity) s->path[s->count++] = node;
  s->found = node;
  search_row(s, node->children, node->child_count, s->is_sound && is_list(node));
  if (node->kind == RLX_AST_LAMBDA) search_params(s, node->params, node->param_count);
}

const RlxAst *rlx_document_ast_at(const RlxStmt *stmt, uint32_t offset, const RlxAst **path,
                                  uint32_t *path_count, uint32_t path_capacity) {
  const RlxAst *own_path[64];
  Search s = {.path = path ? path : own_path, .capacity = path ? path_capacity : 64};
  if (path_count) *path_count = 0;
  if (offset < stmt->start || offset > stmt->start + stmt->head_size) return NULL;
  s.offset = offset - stmt->start;
  s.is_sound = !stmt->has_error;
  search_row(&s, stmt->decorators, stmt->decorator_count, s.is_sound);
  search_params(&s, stmt->params, stmt->param_count);
  search_row(&s, stmt->targets, stmt->target_count, s.is_sound);
  for (uint32_t i = 0; i < stmt->item_count; i++) {
    search(&s, stmt->items[i].value);
    if (stmt->items[i].target) search(&s, stmt->items[i].target);
  }
  if (stmt->annotation) search(&s, stmt->annotation);
  if (stmt->value) search(&s, stmt->value);
  if (stmt->message) search(&s, stmt->message);
  if (path_count) *path_count = path ? s.count : 0;
  return s.found;
}
