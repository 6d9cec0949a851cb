/// Reductions in normal form: which combiner an update is, which reduce variables index outputs,
/// and what iteration types the stores of a block allow.
#include <stdlib.h>
#include <string.h>

#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"
#include "analyzer/tir/rewrite.h"
#include "base/mem.h"

enum { MAX_STORES = 16, MAX_LETS = 32, MAX_DEPTH = 200 };

static const char *var_name(const RlxTirAnalysis *a, const RlxTirVar *var) {
  return rlx_store_text(a->store, var->name);
}

// ------------------------------------------------------------------ condition 5

static RlxTirVerdict reduce_index(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                                  const RlxTirStmt *s, int depth) {
  if (!s || depth > MAX_DEPTH) return rlx_tir_holds();
  if (s->kind == RLX_TIR_STORE)
    for (int d = 0; d < s->buffer->ndim; d++)
      for (int i = 0; i < block->iter_count; i++) {
        const RlxTirIterVar *iter = block->iters[i].iter;
        if (iter->type != RLX_ITER_REDUCE || !rlx_tir_uses(s->indices[d], iter->var)) continue;
        RlxTirVerdict v =
            rlx_tir_fails(a, 5, "reduce variable %s indexes the output %s", var_name(a, iter->var),
                          rlx_store_text(a->store, s->buffer->name));
        v.span = s->span;
        return v;
      }
  for (uint32_t i = 0; i < s->count; i++) {
    RlxTirVerdict v = reduce_index(a, block, s->body[i], depth + 1);
    if (!v.is) return v;
  }
  return rlx_tir_holds();
}

RlxTirVerdict rlx_tir_outputs_without_reduce(const RlxTirAnalysis *a,
                                             const RlxTirBlockInfo *block) {
  for (uint32_t i = 0; i < block->stmt->count; i++) {
    RlxTirVerdict v = reduce_index(a, block, block->stmt->body[i], 0);
    if (!v.is) return v;
  }
  return rlx_tir_holds();
}

// ------------------------------------------------------------------ the body as stores

typedef struct Body {
  const RlxTirStmt *stores[MAX_STORES];
  int store_count;
  const RlxTirStmt *lets[MAX_LETS];
  int let_count;
  bool has_loops;  ///< inside the block
  bool is_simple;  ///< nothing but stores, lets and loops
  bool has_blocks; ///< inside
} Body;

static void read_body(Body *b, const RlxTirStmt *s, int depth) {
  if (!s || s->kind == RLX_TIR_NOP) return;
  if (depth > MAX_DEPTH) {
    b->is_simple = false;
    return;
  }
  if (s->kind == RLX_TIR_STORE) {
    if (b->store_count == MAX_STORES)
      b->is_simple = false;
    else
      b->stores[b->store_count++] = s;
    return;
  }
  if (s->kind == RLX_TIR_LET_STMT) {
    if (b->let_count == MAX_LETS)
      b->is_simple = false;
    else
      b->lets[b->let_count++] = s;
  } else if (s->kind == RLX_TIR_FOR) {
    b->has_loops = true;
  } else if (s->kind == RLX_TIR_BLOCK) {
    b->has_blocks = true;
    b->is_simple = false;
    return;
  } else if (s->kind != RLX_TIR_SEQ) {
    b->is_simple = false;
  }
  for (uint32_t i = 0; i < s->count; i++) read_body(b, s->body[i], depth + 1);
}

/// What a name bound by a let of the body stands for.
static const RlxTirExpr *resolved(const Body *b, const RlxTirExpr *e) {
  for (int i = 0; i < b->let_count && e->kind == RLX_TIR_VAR; i++)
    if (b->lets[i]->var == e->var) e = b->lets[i]->value;
  return e;
}

static bool is_same(const Body *b, const RlxTirExpr *x, const RlxTirExpr *y, int depth) {
  x = resolved(b, x);
  y = resolved(b, y);
  if (x == y) return true;
  // A name that a T.Let binds stands for nothing outside of it.
  if (depth > MAX_DEPTH || x->kind == RLX_TIR_LET || !rlx_tir_node_equal(x, y)) return false;
  for (int i = 0; i < x->arg_count; i++)
    if (!is_same(b, x->args[i], y->args[i], depth + 1)) return false;
  return true;
}

/// A load of the element that `store` writes.
static bool is_own(const Body *b, const RlxTirStmt *store, const RlxTirExpr *e) {
  e = resolved(b, e);
  if (e->kind != RLX_TIR_LOAD || e->buffer != store->buffer) return false;
  for (int d = 0; d < store->buffer->ndim; d++)
    if (!is_same(b, e->args[d], store->indices[d], 0)) return false;
  return true;
}

static bool loads(const Body *b, const RlxTirExpr *e, const RlxTirBuffer *buffer, int depth) {
  if (!e) return false;
  e = resolved(b, e);
  if (depth > MAX_DEPTH) return true;
  if (e->kind == RLX_TIR_LOAD && e->buffer == buffer) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (loads(b, e->args[i], buffer, depth + 1)) return true;
  return false;
}

static bool loads_written(const Body *b, const RlxTirExpr *e) {
  for (int i = 0; i < b->store_count; i++)
    if (loads(b, e, b->stores[i]->buffer, 0)) return true;
  return false;
}

// ------------------------------------------------------------------ combiners

static RlxTirReducer combiner(RlxTirExprKind kind) {
  if (kind == RLX_TIR_ADD) return RLX_REDUCER_SUM;
  if (kind == RLX_TIR_MUL) return RLX_REDUCER_PROD;
  if (kind == RLX_TIR_MIN) return RLX_REDUCER_MIN;
  if (kind == RLX_TIR_MAX) return RLX_REDUCER_MAX;
  return RLX_REDUCER_NONE;
}

/// `B[i] = combine(B[i], x)`, either way round, also with the sum nested: `B[i] + x + y`.
static RlxTirReducer update_of(const Body *b, const RlxTirStmt *store) {
  const RlxTirExpr *value = resolved(b, store->value);
  RlxTirReducer reducer = combiner((RlxTirExprKind)value->kind);
  for (int depth = 0; reducer && depth < MAX_DEPTH; depth++) {
    for (int i = 0; i < 2; i++)
      if (is_own(b, store, value->args[i]) && !loads(b, value->args[1 - i], store->buffer, 0))
        return reducer;
    const RlxTirExpr *left = resolved(b, value->args[0]);
    if (left->kind != value->kind || loads(b, value->args[1], store->buffer, 0)) break;
    value = left;
  }
  return RLX_REDUCER_NONE;
}

/// Does `e` hold only where both operands of the comparison are equal?
static bool is_tie(const Body *b, const RlxTirExpr *e, const RlxTirExpr *comparison, int depth) {
  e = resolved(b, e);
  if (e->kind == RLX_TIR_AND && depth < MAX_DEPTH)
    return is_tie(b, e->args[0], comparison, depth + 1) ||
           is_tie(b, e->args[1], comparison, depth + 1);
  for (int side = 0; e->kind == RLX_TIR_EQ && side < 2; side++)
    if (is_same(b, e->args[0], comparison->args[side], 0) &&
        is_same(b, e->args[1], comparison->args[1 - side], 0))
      return true;
  return false;
}

/// The comparison that decides, without what breaks ties: of `x > y or x == y and …` it is `x > y`. NULL: something
/// else decides, too.
static const RlxTirExpr *deciding(const Body *b, const RlxTirExpr *e) {
  e = resolved(b, e);
  for (int side = 0; e->kind == RLX_TIR_OR && side < 2; side++) {
    const RlxTirExpr *one = resolved(b, e->args[side]);
    if (one->kind >= RLX_TIR_LT && one->kind <= RLX_TIR_GE && is_tie(b, e->args[1 - side], one, 0))
      return one;
  }
  return e->kind == RLX_TIR_OR || e->kind == RLX_TIR_AND ? NULL : e;
}

/// Two stores that keep the better pair: both select by the same comparison of the second buffer
/// with its candidate.
static RlxTirReducer arg_update(const Body *b) {
  if (b->store_count != 2) return RLX_REDUCER_NONE;
  const RlxTirExpr *first = resolved(b, b->stores[0]->value),
                   *second = resolved(b, b->stores[1]->value);
  if (first->kind != RLX_TIR_SELECT || second->kind != RLX_TIR_SELECT) return RLX_REDUCER_NONE;
  const RlxTirExpr *x = deciding(b, first->args[0]), *y = deciding(b, second->args[0]);
  if (!x || !y || !is_same(b, x, y, 0) || x->arg_count != 2) return RLX_REDUCER_NONE;
  if (!is_own(b, b->stores[0], first->args[1]) || !is_own(b, b->stores[1], second->args[1]))
    return RLX_REDUCER_NONE;
  bool is_max = x->kind == RLX_TIR_GT || x->kind == RLX_TIR_GE,
       is_min = x->kind == RLX_TIR_LT || x->kind == RLX_TIR_LE;
  if (!is_max && !is_min) return RLX_REDUCER_NONE;
  const RlxTirExpr *kept = x->args[0], *candidate = x->args[1];
  for (int side = 0; side < 2; side++) { // `kept > candidate`, or the other way round
    for (int i = 0; i < 2; i++)
      if (is_own(b, b->stores[i], kept) &&
          is_same(b, candidate, (i ? second : first)->args[2], 0) &&
          !loads_written(b, first->args[2]) && !loads_written(b, second->args[2]))
        return is_max ? RLX_REDUCER_ARGMAX : RLX_REDUCER_ARGMIN;
    const RlxTirExpr *t = kept;
    kept = candidate;
    candidate = t;
    is_max = !is_max;
  }
  return RLX_REDUCER_NONE;
}

static RlxTirReducer reducer_of(const Body *b) {
  if (!b->is_simple || !b->store_count) return RLX_REDUCER_NONE;
  RlxTirReducer pair = arg_update(b);
  if (pair) return pair;
  RlxTirReducer common = update_of(b, b->stores[0]);
  for (int i = 0; i < b->store_count; i++) {
    if (update_of(b, b->stores[i]) != common) return RLX_REDUCER_NONE;
    for (int k = 0; k < b->store_count; k++) // one update must not feed another
      if (k != i && loads(b, b->stores[i]->value, b->stores[k]->buffer, 0)) return RLX_REDUCER_NONE;
  }
  return common;
}

// ------------------------------------------------------------------ iteration types

/// Of each iter, how many stores from the first on tell instances apart that differ in it, storing to different elements: in some
/// dimension the index is k * v plus what no other variable changes. The caller frees it.
static int *told_apart(const RlxTirAnalysis *a, const RlxTirBlockInfo *block, const Body *b) {
  int *told = rlx_mem_zeroed((size_t)block->iter_count + 1, sizeof *told);
  RlxTirDomain domain = {0};
  for (int i = 0; i < block->iter_count; i++)
    rlx_tir_domain_add(a->store, &domain, block->iters[i].symbol, block->iters[i].min,
                       block->iters[i].extent);
  for (int i = 0; i < b->store_count && !b->has_loops; i++)
    for (int d = 0; d < b->stores[i]->buffer->ndim; d++) {
      RlxTirLinear form;
      const RlxPrim *p = rlx_tir_integer(a->store, b->stores[i]->indices[d]);
      if (!p || !rlx_tir_linear(a->store, &domain, p, &form) || form.count != 1) continue;
      if (told[form.vars[0]] == i) told[form.vars[0]]++;
    }
  rlx_tir_domain_free(&domain);
  return told;
}

/// Whether the variable tells which element is stored: in an index, or in where a view of a buffer begins.
static bool is_stored_by(const RlxTirStmt *store, const RlxTirVar *var) {
  for (int d = 0; d < store->buffer->ndim; d++)
    if (rlx_tir_uses(store->indices[d], var)) return true;
  for (const RlxTirBuffer *view = store->buffer; view; view = view->view_of) {
    if (view->elem_offset && rlx_tir_uses(view->elem_offset, var)) return true;
    for (int d = 0; view->view_of && view->view_origin && d < view->view_of->ndim; d++)
      if (rlx_tir_uses(view->view_origin[d], var)) return true;
  }
  return false;
}

/// Reads of written buffers are of the very element that the block writes.
static bool reads_own_only(const Body *b, const RlxTirExpr *e, int depth) {
  if (!e) return true;
  e = resolved(b, e);
  if (depth > MAX_DEPTH) return false;
  if (e->kind == RLX_TIR_LOAD)
    for (int i = 0; i < b->store_count; i++)
      if (b->stores[i]->buffer == e->buffer && !is_own(b, b->stores[i], e)) return false;
  for (int i = 0; i < e->arg_count; i++)
    if (!reads_own_only(b, e->args[i], depth + 1)) return false;
  return true;
}

static void infer_iter(const Body *b, RlxTirIterInfo *info, bool apart, RlxTirReducer reducer) {
  int64_t extent;
  if (info->extent && rlx_prim_is_const(info->extent, &extent) && extent <= 1) return;
  bool never = true, own = true;
  for (int i = 0; i < b->store_count; i++) {
    never = never && !is_stored_by(b->stores[i], info->iter->var);
    own = own && reads_own_only(b, b->stores[i]->value, 0);
  }
  bool reads_back = false;
  for (int i = 0; i < b->store_count; i++)
    reads_back = reads_back || loads_written(b, b->stores[i]->value);
  if (apart && own) {
    info->inferred = RLX_ITER_DATA_PAR;
    info->is_inferred = true;
  } else if (never && reads_back) { // every instance updates the same elements
    info->inferred = reducer && own ? RLX_ITER_REDUCE : RLX_ITER_ORDERED;
    info->is_inferred = true;
  }
}

void rlx_tir_judge_reducer(RlxTirAnalysis *a, RlxTirBlockInfo *block) {
  block->reducer = RLX_REDUCER_NONE;
  block->incremental = rlx_tir_fails(a, 0, "its body is not made of stores alone");
  if (!block->stmt) return;
  Body b = {.is_simple = true};
  for (uint32_t i = 0; i < block->stmt->count; i++) read_body(&b, block->stmt->body[i], 0);
  if (!b.is_simple || block->has_opaque) {
    block->incremental.is_unknown = true;
    return;
  }
  RlxTirReducer reducer = reducer_of(&b);
  block->reducer = (uint8_t)reducer;
  block->incremental =
      reducer
          ? rlx_tir_holds()
          : rlx_tir_fails(a, 0, "no store is `B[i] = combine(B[i], ...)` with a known combiner");
  if (!b.store_count) return;
  int *told = told_apart(a, block, &b);
  for (int i = 0; i < block->iter_count; i++)
    infer_iter(&b, &block->iters[i], told[i] == b.store_count, reducer);
  free(told);
}
