/// Lists that Python makes element by element, `[x[i] * 2 for i in range(3)]`: a tuple of what the element stands for with each
/// number, or each part of a tensor, in the place of the name.
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/document.h"
#include "base/text.h"
#include "repl/sugar_impl.h"

enum {
  ITEMS_MAX = 1024, ///< of the list, and of each loop
  /// Of all loops together, those of lists inside, too: conditions may leave them without an item.
  ROUNDS_MAX = 16 << 10,
};

/// What the name stands for in turn.
typedef struct Items {
  Vec(RlxReplNumber) numbers;
  RlxBuf tensor; ///< whose parts they are; empty: they are the numbers
  int64_t count;
} Items;

/// A name and what stands in its place.
typedef struct Bound {
  RlxName name;
  char *item; ///< owned; NULL: the name is that of a list inside, where it stands for itself
} Bound;

/// A list that is being made.
typedef struct Making {
  RlxSugarWriter *w;
  const RlxAst *ast;
  Vec(Bound) bound; ///< by the loops around
  int64_t written;
  RlxBuf *out;
} Making;

/// The names of a list inside are its own.
static void hide_names(Making *m, const RlxAst *list) {
  for (uint32_t k = 1; k < list->child_count; k++)
    if (list->children[k]->kind == RLX_AST_COMP_FOR)
      rlx_vec_push(&m->bound, ((Bound){list->children[k]->children[0]->name, NULL}));
}

/// Appends the node as it is typed with what the loops' names stand for.
static void put_with(Making *m, const RlxAst *x, RlxBuf *out) {
  for (uint32_t i = m->bound.count; x->kind == RLX_AST_NAME && i-- > 0;)
    if (m->bound.at[i].name == x->name) {
      if (!m->bound.at[i].item) break;
      rlx_buf_puts(out, m->bound.at[i].item);
      return;
    }
  const uint32_t bound = m->bound.count;
  if (x->kind == RLX_AST_COMPREHENSION) hide_names(m, x);
  uint32_t at = x->span.start;
  for (uint32_t i = 0; i < x->child_count; i++) {
    const RlxAst *child = x->children[i];
    if (child->span.start < at || child->span.end <= child->span.start) continue;
    rlx_sugar_copy(m->w, at, child->span.start, out);
    put_with(m, child, out);
    at = child->span.end;
  }
  m->bound.count = bound;
  rlx_sugar_copy(m->w, at, x->span.end, out);
}

/// Whether the text is a number, and then whether it is one that holds.
static bool is_number(RlxSugarWriter *w, const char *text, bool *holds) {
  RlxDocument *doc = rlx_document_new(w->repl->store, NULL, NULL);
  rlx_document_set_text(doc, text, (uint32_t)strlen(text));
  const RlxBlock *root = rlx_document_root(doc);
  RlxReplNumber number;
  const bool ok = root->count == 1 && root->stmts[0]->value &&
                  rlx_repl_number(w->repl, root->stmts[0]->value, &number);
  if (ok) *holds = number.value != 0;
  rlx_document_free(doc);
  return ok;
}

/// `range(n)`, `range(2, n)`, `range(n, 0, -1)`
static bool read_range(RlxSugarWriter *w, const RlxAst *call, Items *out) {
  RlxReplNumber at[3] = {{RLX_NUMBER_INT, 0, 0}, {RLX_NUMBER_INT, 0, 0}, {RLX_NUMBER_INT, 1, 1}};
  const uint32_t given = call->child_count - 1;
  if (given < 1 || given > 3) return false;
  for (uint32_t i = 0; i < given; i++) {
    RlxReplNumber *n = &at[given == 1 ? 1 : i];
    if (!rlx_repl_number(w->repl, call->children[i + 1], n) || n->kind != RLX_NUMBER_INT)
      return false;
  }
  const int64_t step = at[2].integer;
  if (!step) return false;
  int64_t v = at[0].integer;
  while (step > 0 ? v < at[1].integer : v > at[1].integer) {
    if (out->numbers.count == ITEMS_MAX) return false;
    rlx_vec_push(&out->numbers, ((RlxReplNumber){RLX_NUMBER_INT, v, (double)v}));
    if (step > 0 ? v > INT64_MAX - step : v < INT64_MIN - step) break;
    v += step;
  }
  return true;
}

/// A list of numbers, or a tensor of which the parts along its first axis are taken.
static bool read_items(RlxSugarWriter *w, const RlxAst *x, Items *out) {
  RlxReplNumber number;
  if (x->kind == RLX_AST_CALL && x->children[0]->kind == RLX_AST_NAME &&
      !strcmp(rlx_store_text(w->repl->store, x->children[0]->name), "range"))
    return read_range(w, x, out);
  const bool is_nested = x->kind == RLX_AST_LIST && x->child_count && // rows of a tensor
                         x->children[0]->kind == RLX_AST_LIST,
             is_list = !is_nested && (x->kind == RLX_AST_LIST || x->kind == RLX_AST_TUPLE);
  for (uint32_t i = 0; is_list && i < x->child_count; i++) {
    if (!rlx_repl_number(w->repl, x->children[i], &number) || i == ITEMS_MAX) return false;
    rlx_vec_push(&out->numbers, number);
  }
  if (is_list) return true;
  if (!is_nested || !rlx_repl_is_number_list(w->repl, x) ||
      !rlx_sugar_constant(w, x, rlx_dtype_unknown(), &out->tensor))
    rlx_sugar_put(w, x, &out->tensor);
  const RlxSugarType t =
      w->failed ? (RlxSugarType){.ndim = -1} : rlx_sugar_type(w, x, rlx_buf_text(&out->tensor));
  if (!t.is_tensor || t.ndim < 1 || t.dims[0] < 0 || t.dims[0] > ITEMS_MAX) return false;
  if (!w->scope && !rlx_sugar_variable(w, rlx_buf_text(&out->tensor)))
    rlx_sugar_evaluated(w, "rows", &out->tensor);
  out->count = t.dims[0];
  return !w->failed;
}

/// The same of what stands behind `in`, in which names of loops around may be.
static bool read_iterable(Making *m, const RlxAst *x, Items *out) {
  RlxBuf text = {0};
  put_with(m, x, &text);
  RlxDocument *doc = rlx_document_new(m->w->repl->store, NULL, NULL);
  rlx_document_set_text(doc, rlx_buf_text(&text), (uint32_t)text.size);
  const RlxBlock *root = rlx_document_root(doc);
  const RlxAst *value = root->count == 1 ? root->stmts[0]->value : NULL;
  const RlxSugarWriter *w = m->w;
  RlxSugarWriter inner = {.repl = w->repl,
                          .sugar = w->sugar,
                          .text = rlx_buf_text(&text),
                          .scope = w->scope,
                          .depth = w->depth};
  void *outer = w->repl->number_data;
  w->repl->number_data = &inner;
  const bool ok = value && read_items(&inner, value, out);
  w->repl->number_data = outer;
  m->w->failed |= inner.failed;
  rlx_vec_free(&inner.calls);
  rlx_document_free(doc);
  rlx_buf_free(&text);
  return ok;
}

static void put_item(const Items *items, int64_t i, RlxBuf *out) {
  rlx_buf_putc(out, '(');
  if (items->tensor.size)
    rlx_buf_printf(out, "%s[%lld]", rlx_buf_text(&items->tensor), (long long)i);
  else
    rlx_repl_put_number(&items->numbers.at[i], out);
  rlx_buf_putc(out, ')');
}

static bool write_clauses(Making *m, uint32_t at);

/// The clauses behind `at` for each of the items.
static bool write_loop(Making *m, uint32_t at) {
  const RlxAst *loop = m->ast->children[at];
  RlxSugarWriter *w = m->w;
  if (loop->children[0]->kind != RLX_AST_NAME) return false;
  Items items = {0};
  bool ok = read_iterable(m, loop->children[1], &items);
  if (ok && !items.tensor.size) items.count = items.numbers.count;
  for (int64_t i = 0; ok && i < items.count && !w->failed; i++) {
    if (w->sugar->rounds++ >= ROUNDS_MAX) {
      rlx_sugar_refuse(w, "a list made in a loop takes at most %d rounds of all its loops together",
                       ROUNDS_MAX);
      break;
    }
    RlxBuf item = {0};
    put_item(&items, i, &item);
    rlx_vec_push(&m->bound, ((Bound){loop->children[0]->name, rlx_buf_steal(&item)}));
    ok = write_clauses(m, at + 1);
    free(rlx_vec_pop(&m->bound).item);
  }
  rlx_vec_free(&items.numbers);
  rlx_buf_free(&items.tensor);
  return ok;
}

/// One element after another; false: something is no number.
static bool write_clauses(Making *m, uint32_t at) {
  RlxBuf text = {0};
  bool ok = true, holds = true;
  if (at == m->ast->child_count) {
    if (m->written == ITEMS_MAX) return false;
    put_with(m, m->ast->children[0], &text);
    rlx_buf_puts(m->out, m->written++ ? ", " : "");
    rlx_sugar_put_text(m->w, rlx_buf_text(&text), m->out);
  } else if (m->ast->children[at]->kind == RLX_AST_COMP_FOR)
    ok = write_loop(m, at);
  else {
    put_with(m, m->ast->children[at]->children[0], &text);
    ok = is_number(m->w, rlx_buf_text(&text), &holds);
    if (ok && holds) ok = write_clauses(m, at + 1);
  }
  rlx_buf_free(&text);
  return ok;
}

bool rlx_sugar_comprehension(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  if (ast->op != RLX_COMP_LIST || ast->child_count < 2) return false;
  Making m = {.w = w, .ast = ast, .out = out};
  const size_t before = out->size;
  rlx_buf_putc(out, '(');
  if (!w->sugar->lists++) w->sugar->rounds = 0;
  const bool ok = write_clauses(&m, 1);
  w->sugar->lists--;
  rlx_buf_puts(out, m.written == 1 ? ",)" : ")");
  if (!ok) rlx_buf_truncate(out, before);
  rlx_vec_free(&m.bound);
  if (!ok && !w->failed)
    rlx_sugar_refuse(w, "a list made in a loop goes over `range(3)`, numbers or a tensor, with "
                        "conditions on numbers: `[x[i] for i in range(3) if i != 1]`");
  return true;
}
