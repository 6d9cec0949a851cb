/// Whether code that a user wrote writes all elements of a buffer before it reads one.
#include "jit/schedule/fills.h"

#include "jit/schedule/rules.h"

enum { MAX_AROUND = 32 };

typedef struct Search {
  const RlxTirBuffer *buffer;
  const RlxTirStmt *loops[MAX_AROUND]; ///< around the place, outermost first
  int loop_count;
  const RlxTirBlock *block; ///< the innermost around the place
  bool has_names;           ///< a let stands around the place
} Search;

static bool in_expr(const RlxTirExpr *e, const RlxTirBuffer *b) {
  if (!e) return false;
  if (e->kind == RLX_TIR_LOAD && e->buffer == b) return true;
  if (e->kind == RLX_TIR_VAR && b->data && e->var == b->data) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (in_expr(e->args[i], b)) return true;
  return false;
}

static bool is_view(const RlxTirBuffer *x, const RlxTirBuffer *b) {
  return x && x != b && (x->view_of == b || (b->data && x->data == b->data));
}

/// Whether `s` itself, not what is below it, names `b` in another way than to store to it.
static bool mentions(const RlxTirStmt *s, const RlxTirBuffer *b) {
  if (in_expr(s->value, b) || in_expr(s->cond, b) || in_expr(s->min, b) || in_expr(s->extent, b))
    return true;
  for (int i = 0; s->kind == RLX_TIR_STORE && i < s->buffer->ndim; i++)
    if (in_expr(s->indices[i], b)) return true;
  if (s->kind == RLX_TIR_STORE || s->kind == RLX_TIR_ALLOC)
    if (is_view(s->buffer, b)) return true;
  if (s->kind != RLX_TIR_BLOCK) return false;
  for (int i = 0; i < s->block->match_count; i++)
    if (is_view(s->block->matches[i], b)) return true;
  for (int i = 0; i < s->block->iter_count; i++)
    if (in_expr(s->block->iters[i].binding, b)) return true;
  return in_expr(s->block->predicate, b);
}

static bool touches(const RlxTirStmt *s, const RlxTirBuffer *b) {
  if (!s) return false;
  if (mentions(s, b) || (s->kind == RLX_TIR_STORE && s->buffer == b)) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (touches(s->body[i], b)) return true;
  return touches(s->init, b);
}

static bool is_zero(const RlxTirExpr *e) {
  return !e || (e->kind == RLX_TIR_INT && e->integer == 0);
}

/// The loop whose variable an index is, itself or by a block variable with the loop's domain.
static int loop_of(const Search *x, const RlxTirExpr *index) {
  const RlxTirVar *var = index->kind == RLX_TIR_VAR ? index->var : NULL;
  for (int i = 0; x->block && var && i < x->block->iter_count; i++)
    if (x->block->iters[i].var == var) {
      const RlxTirExpr *binding = x->block->iters[i].binding;
      var = binding && binding->kind == RLX_TIR_VAR ? binding->var : NULL;
      break;
    }
  for (int i = 0; var && i < x->loop_count; i++)
    if (x->loops[i]->var == var) return i;
  return -1;
}

/// Whether the store to the buffer here is to each of its elements.
static bool covers(const Search *x, const RlxTirStmt *store) {
  const RlxTirBuffer *b = x->buffer;
  uint64_t used = 0;
  for (int d = 0; d < b->ndim; d++) {
    const RlxTirExpr *size = b->shape[d];
    if (is_zero(store->indices[d]) && size->kind == RLX_TIR_INT && size->integer == 1) continue;
    int i = loop_of(x, store->indices[d]);
    if (i < 0 || used >> i & 1 || !is_zero(x->loops[i]->min) ||
        !rules_equal(x->loops[i]->extent, size))
      return false;
    used |= UINT64_C(1) << i;
  }
  for (int i = 0; i < x->loop_count; i++) // of the others each runs at least once
    if (!(used >> i & 1) &&
        (x->loops[i]->extent->kind != RLX_TIR_INT || x->loops[i]->extent->integer < 1))
      return false;
  return true;
}

/// Whether all loads of the buffer below `e` are of the element that `store` writes.
static bool reads_same(const RlxTirExpr *e, const RlxTirStmt *store) {
  if (!e) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (!reads_same(e->args[i], store)) return false;
  if (e->kind != RLX_TIR_LOAD || e->buffer != store->buffer) return true;
  for (int d = 0; d < e->buffer->ndim; d++)
    if (!rules_equal(e->args[d], store->indices[d])) return false;
  return true;
}

/// The update of a reduction: stores to the element that its init has set, and reads no other.
static bool is_update(const RlxTirStmt *s, const RlxTirStmt *init) {
  if (s->kind != RLX_TIR_STORE || s->buffer != init->buffer) return false;
  for (int d = 0; d < s->buffer->ndim; d++)
    if (!rules_equal(s->indices[d], init->indices[d])) return false;
  return reads_same(s->value, init);
}

static bool fills(Search *x, const RlxTirStmt *s);

/// May a loop of this length run in one place and not in the next?
static bool is_uneven(const Search *x, const RlxTirExpr *extent) {
  if (extent->kind == RLX_TIR_LOAD || extent->kind == RLX_TIR_CALL) return true;
  if (extent->kind == RLX_TIR_VAR && x->has_names) return true;
  for (int i = 0; extent->kind == RLX_TIR_VAR && i < x->loop_count; i++)
    if (x->loops[i]->var == extent->var) return true;
  for (int i = 0; i < extent->arg_count; i++)
    if (is_uneven(x, extent->args[i])) return true;
  return false;
}

/// Does the init of the block run first? It runs where the variables that reduce are at their minimum.
static bool begins_with_init(const Search *x, const RlxTirBlock *b) {
  const RlxTirVar *vars[MAX_AROUND];
  int64_t starts[MAX_AROUND], first, min;
  for (int i = 0; i < x->loop_count; i++) {
    vars[i] = x->loops[i]->var;
    starts[i] = 0;
    if (is_uneven(x, x->loops[i]->extent)) return false;
    if (x->loops[i]->min && !rules_value_at(x->loops[i]->min, NULL, NULL, 0, &starts[i]))
      return false;
  }
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterVar *v = &b->iters[i];
    min = 0;
    if (v->type == RLX_ITER_REDUCE &&
        (!v->binding || !rules_value_at(v->binding, vars, starts, x->loop_count, &first) ||
         (v->min && !rules_value_at(v->min, NULL, NULL, 0, &min)) || first != min))
      return false;
  }
  return true;
}

/// The statement of a sequence, or itself, that is the first to touch the buffer; in a loop nothing
/// that follows may: it could be what the next round reads.
static bool fills_seq(Search *x, const RlxTirStmt *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    if (!touches(s->body[i], x->buffer)) continue;
    for (uint32_t k = i + 1; x->loop_count && k < s->count; k++)
      if (touches(s->body[k], x->buffer)) return false;
    return fills(x, s->body[i]);
  }
  return false;
}

static bool fills_block(Search *x, const RlxTirStmt *s) {
  const RlxTirBlock *b = s->block;
  if (b->predicate && !(b->predicate->kind == RLX_TIR_INT && b->predicate->integer)) return false;
  const RlxTirBlock *outer = x->block;
  // A block variable of an outer block is no loop of ours, unless the block has no variables.
  if (outer && outer->iter_count && b->iter_count) return false;
  if (b->iter_count || !outer) x->block = b;
  bool ok;
  if (s->init && touches(s->init, x->buffer)) {
    const RlxTirStmt *init = s->init, *body = s->count == 1 ? s->body[0] : NULL;
    while (init->kind == RLX_TIR_SEQ && init->count == 1) init = init->body[0];
    while (body && body->kind == RLX_TIR_SEQ && body->count == 1) body = body->body[0];
    ok = init->kind == RLX_TIR_STORE && body && is_update(body, init) && begins_with_init(x, b) &&
         fills(x, init);
  } else {
    ok = s->count == 1 && fills(x, s->body[0]);
  }
  x->block = outer;
  return ok;
}

static bool fills(Search *x, const RlxTirStmt *s) {
  if (mentions(s, x->buffer)) return false;
  switch (s->kind) {
  case RLX_TIR_STORE: return s->buffer == x->buffer && covers(x, s);
  case RLX_TIR_SEQ: return fills_seq(x, s);
  case RLX_TIR_BLOCK: return fills_block(x, s);
  case RLX_TIR_LET_STMT: {
    bool had_names = x->has_names;
    x->has_names = true;
    bool ok = s->count == 1 && fills(x, s->body[0]);
    x->has_names = had_names;
    return ok;
  }
  case RLX_TIR_ALLOC:
  case RLX_TIR_ATTR: return s->count == 1 && fills(x, s->body[0]);
  case RLX_TIR_FOR: {
    if (x->loop_count == MAX_AROUND || s->count != 1) return false;
    x->loops[x->loop_count++] = s;
    bool ok = fills(x, s->body[0]);
    x->loop_count--;
    return ok;
  }
  default: return false;
  }
}

/// Whether something below may leave a loop or the function.
static bool leaves(const RlxTirStmt *s) {
  if (!s) return false;
  if (s->kind == RLX_TIR_BREAK || s->kind == RLX_TIR_CONTINUE || s->kind == RLX_TIR_RETURN)
    return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (leaves(s->body[i])) return true;
  return leaves(s->init);
}

bool rlx_fills(const RlxTirStmt *s, const RlxTirBuffer *b) {
  Search x = {.buffer = b};
  return s && !leaves(s) && fills(&x, s);
}

/// Marks what is allocated at `s` and below.
static void clear_below(RlxTirStmt *s) {
  if (!s) return;
  if (s->kind == RLX_TIR_ALLOC)
    s->buffer->is_cleared = s->count != 1 || !rlx_fills(s->body[0], s->buffer);
  if (s->kind == RLX_TIR_BLOCK)
    for (int i = 0; i < s->block->alloc_count; i++) {
      RlxTirBuffer *b = s->block->allocs[i];
      b->is_cleared = s->init || s->count != 1 || !rlx_fills(s->body[0], b);
    }
  for (uint32_t i = 0; i < s->count; i++) clear_below(s->body[i]);
  clear_below(s->init);
}

void rlx_clear_unfilled(RlxPrimFunc *f) {
  for (int i = 0; i < f->root_alloc_count; i++)
    f->root_allocs[i]->is_cleared = !rlx_fills(f->body, f->root_allocs[i]);
  clear_below(f->body);
}
