#include "analyzer/normalize.h"

#include <ctype.h>
#include <string.h>

typedef struct Normalizer {
  RlxFile *file;
  const RlxStore *store;
  const char *text;
  uint32_t done; // bytes of the text that were copied
  bool changed;
  RlxBuf *out;
} Normalizer;

/// The temporaries of one statement, whose spans nest or are disjoint.
typedef struct Temporaries {
  const RlxStmt *stmt;
  RlxBinding *const *at;
  uint32_t count;
} Temporaries;

/// Whether `text` is one call or subscript from its first to its last byte, so that it may go over lines as it is.
static bool is_enclosed(const char *text, size_t size) {
  int depth = 0;
  for (size_t i = 0; i < size; i++) {
    if (strchr("([{", text[i])) depth++;
    else if (strchr(")]}", text[i])) {
      if (--depth == 0 && i + 1 < size) return false;
    } else if (depth == 0 && !isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '.') return false;
  }
  return depth == 0;
}

/// Text of `span` with the temporaries inside it (numbers below `limit`) replaced by their names.
static void write_span(Normalizer *n, const Temporaries *t, uint32_t limit, RlxSpan span, RlxBuf *out) {
  uint32_t at = span.start;
  while (at < span.end) {
    const RlxBinding *next = NULL; // the outermost one of those that start first
    for (uint32_t i = 0; i < limit; i++) {
      const RlxBinding *b = t->at[i];
      bool fits = b->span.start >= at && b->span.end <= span.end && b->span.end > b->span.start;
      if (!fits || (next && (b->span.start > next->span.start || (b->span.start == next->span.start && b->span.end < next->span.end)))) continue;
      next = b;
    }
    if (!next) break;
    rlx_buf_putn(out, n->text + t->stmt->start + at, next->span.start - at);
    rlx_buf_puts(out, rlx_store_text(n->store, next->var->name));
    at = next->span.end;
  }
  rlx_buf_putn(out, n->text + t->stmt->start + at, span.end - at);
}

static bool has_own_line(const Normalizer *n, const RlxStmt *stmt) {
  for (uint32_t i = stmt->start; i > 0 && n->text[i - 1] != '\n'; i--)
    if (n->text[i - 1] != ' ' && n->text[i - 1] != '\t') return false;
  return true;
}

/// Every temporary stands for a piece of the statement's own text that no other one stands for.
static bool can_bind(const Normalizer *n, const Temporaries *t) {
  if (!t->count || !has_own_line(n, t->stmt) || t->stmt->has_error) return false;
  if (t->stmt->kind == RLX_STMT_IF ? t->stmt->is_elif : t->stmt->body != NULL) return false;
  for (uint32_t i = 0; i < t->count; i++) {
    RlxSpan span = t->at[i]->span;
    if (span.end <= span.start || span.end > t->stmt->head_size || t->at[i]->kind != RLX_BINDING_VAR) return false;
    for (uint32_t k = 0; k < i; k++)
      if (t->at[k]->span.start == span.start && t->at[k]->span.end == span.end) return false;
  }
  return true;
}

static void bind_temporaries(Normalizer *n, const Temporaries *t) {
  uint32_t line = t->stmt->start;
  while (line > n->done && n->text[line - 1] != '\n') line--;
  rlx_buf_putn(n->out, n->text + n->done, line - n->done);
  for (uint32_t i = 0; i < t->count; i++) {
    RlxBuf value = {0};
    write_span(n, t, i, t->at[i]->span, &value);
    const char *text = rlx_buf_text(&value);
    bool wraps = memchr(text, '\n', value.size) && !is_enclosed(text, value.size);
    rlx_buf_putn(n->out, n->text + line, t->stmt->start - line);
    rlx_buf_printf(n->out, wraps ? "%s = (%s)\n" : "%s = %s\n", rlx_store_text(n->store, t->at[i]->var->name), text);
    rlx_buf_free(&value);
  }
  rlx_buf_putn(n->out, n->text + line, t->stmt->start - line);
  write_span(n, t, t->count, rlx_span(0, t->stmt->head_size), n->out);
  n->done = t->stmt->start + t->stmt->head_size;
  n->changed = true;
}

static void normalize_block(Normalizer *n, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    Temporaries t = {.stmt = stmt};
    uint32_t count = 0;
    rlx_file_stmt_bindings(n->file, stmt, &t.at, &count);
    while (t.count < count && t.at[t.count]->var->is_temporary) t.count++;
    if (can_bind(n, &t)) bind_temporaries(n, &t);
    normalize_block(n, stmt->body);
    normalize_block(n, stmt->orelse);
  }
}

bool rlx_file_normalize(RlxFile *file, RlxBuf *out) {
  uint32_t size = 0;
  RlxDocument *document = rlx_file_document(file);
  Normalizer n = {.file = file, .store = rlx_document_store(document), .text = rlx_document_text(document, &size), .out = out};
  RlxFunctionViews views = {0};
  rlx_file_functions(file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    if (views.at[i].kind != RLX_ISLAND_RELAX) continue;
    RlxArena *arena = rlx_arena_new();
    if (rlx_file_function_ir(file, views.at[i].stmt, arena)) normalize_block(&n, views.at[i].stmt->body); // names the temporaries
    rlx_arena_free(arena);
  }
  rlx_buf_putn(out, n.text + n.done, size - n.done);
  rlx_vec_free(&views);
  return n.changed;
}
