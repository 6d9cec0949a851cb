/// Collecting accesses: one walk over the function with a chain of what is around; at each access
/// the chain is climbed, and what it binds is put into the indices and conditions.
///
/// Always true: conditions hold wherever the access runs (they may hold elsewhere too, then
/// `is_exact` is false); an index that is not NULL is the element's.
#include "analyzer/tir/access.h"

#include <string.h>

enum { ACCESSES_MAX = 4000, DEPTH_MAX = 400, STATED_ID = 0x7fffff00 };

typedef enum FrameKind { FRAME_STMT, FRAME_ELSE, FRAME_GUARD, FRAME_GUARD_NOT } FrameKind;

typedef struct Frame { // what is around, from the inside out
  const struct Frame *up;
  uint8_t kind;
  bool in_init;           // FRAME_STMT of a block: its init, not its body
  const RlxTirStmt *stmt; // FRAME_STMT, FRAME_ELSE (an IF)
  const RlxTirExpr *cond; // guards: inside of a selection
  int block;              // index, of a block's frame
} Frame;

typedef Vec(RlxTirAccess) Accesses;

typedef struct Walk {
  const RlxTirAnalysis *a;
  Accesses out;
  int next_block; // blocks are met in the order of their indices
  bool is_cut;
  bool has_jumps; // a statement may end the function or a loop: what follows may not run
} Walk;

// ---- one access

typedef struct Place { // what climbing collects
  const RlxPrim *conditions[RLX_TIR_AROUND_MAX];
  int condition_count;
  const RlxPrim *instance[RLX_TIR_AROUND_MAX];
  int instance_count;
  const RlxTirStmt *loops[RLX_TIR_AROUND_MAX]; // innermost first
  const RlxPrim *mins[RLX_TIR_AROUND_MAX], *extents[RLX_TIR_AROUND_MAX];
  int loop_count;
  bool is_exact;
} Place;

static void subst_list(Walk *w, const RlxPrim **list, int count, const RlxSubst *subst) {
  for (int i = 0; i < count; i++) {
    bool all = true;
    if (list[i]) list[i] = rlx_prim_subst(w->a->store, list[i], subst, &all);
    if (!all) list[i] = NULL;
  }
}

static void put_in(Walk *w, Place *p, RlxTirAccess *x, const RlxSubst *subst) {
  subst_list(w, x->index, x->buffer->ndim, subst);
  subst_list(w, p->conditions, p->condition_count, subst);
  subst_list(w, p->instance, p->instance_count, subst);
  subst_list(w, p->mins, p->loop_count, subst);
  subst_list(w, p->extents, p->loop_count, subst);
}

static void add_condition(Walk *w, Place *p, const RlxTirExpr *e, bool positive) {
  const RlxPrim *c = rlx_tir_number(w->a->store, e);
  if (!c || p->condition_count == RLX_TIR_AROUND_MAX) {
    p->is_exact = false;
    return;
  }
  if (!positive) c = rlx_prim_unary(w->a->store, RLX_PRIM_NOT, c);
  p->conditions[p->condition_count++] = c;
}

/// A block: its predicate and, in an init, that the reduction begins; then its variables are put
/// in.
static void climb_block(Walk *w, Place *p, RlxTirAccess *x, const Frame *f) {
  const RlxTirBlockInfo *b = &w->a->blocks[f->block];
  RlxStore *store = w->a->store;
  if (x->block < 0) x->block = f->block;
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterInfo *v = &b->iters[i];
    const RlxPrim *var = rlx_prim_var(store, v->symbol);
    if (p->instance_count < RLX_TIR_AROUND_MAX) p->instance[p->instance_count++] = var;
    if (!f->in_init || v->iter->type != RLX_ITER_REDUCE) continue;
    if (v->min && p->condition_count < RLX_TIR_AROUND_MAX)
      p->conditions[p->condition_count++] = rlx_prim_binary(store, RLX_PRIM_EQ, var, v->min);
    else
      p->is_exact = false;
  }
  const RlxSymVar *vars[RLX_TIR_AROUND_MAX];
  const RlxPrim *values[RLX_TIR_AROUND_MAX];
  RlxSubst subst = {vars, values, 0, false};
  for (int i = 0; i < b->iter_count && subst.count < RLX_TIR_AROUND_MAX; i++) {
    vars[subst.count] = b->iters[i].symbol;
    values[subst.count++] = b->iters[i].binding;
  }
  if (b->iter_count > RLX_TIR_AROUND_MAX) p->is_exact = false;
  put_in(w, p, x, &subst);
  if (b->block && b->block->predicate) add_condition(w, p, b->block->predicate, true);
}

static void climb_let(Walk *w, Place *p, RlxTirAccess *x, const RlxTirStmt *s) {
  const RlxSymVar *var = rlx_tir_symbol(w->a->store, s->var);
  const RlxPrim *value = rlx_tir_number(w->a->store, s->value);
  RlxSubst subst = {&var, &value, 1, false};
  put_in(w, p, x, &subst);
}

static void climb_loop(Walk *w, Place *p, const RlxTirStmt *s) {
  const RlxTirLoopInfo *info = rlx_tir_loop_info(w->a, s);
  if (p->loop_count == RLX_TIR_AROUND_MAX || !info) {
    w->is_cut = true;
    return;
  }
  p->mins[p->loop_count] = info->min;
  p->extents[p->loop_count] = info->extent;
  p->loops[p->loop_count++] = s;
}

static bool allocates(const Walk *w, const Frame *f, const RlxTirBuffer *buffer) {
  if (!f->stmt || f->kind != FRAME_STMT) return false;
  if (f->stmt->kind == RLX_TIR_ALLOC) return f->stmt->buffer == buffer;
  return f->stmt->kind == RLX_TIR_BLOCK && rlx_tir_allocates(&w->a->blocks[f->block], buffer);
}

static void climb(Walk *w, Place *p, RlxTirAccess *x, const Frame *from) {
  int below_alloc = -1; // loops inside of the allocation
  for (const Frame *f = from; f; f = f->up) {
    if (below_alloc < 0 && allocates(w, f, x->buffer)) below_alloc = p->loop_count;
    if (f->kind == FRAME_GUARD || f->kind == FRAME_GUARD_NOT) {
      add_condition(w, p, f->cond, f->kind == FRAME_GUARD);
      continue;
    }
    const RlxTirStmt *s = f->stmt;
    switch (s->kind) {
    case RLX_TIR_FOR: climb_loop(w, p, s); break;
    case RLX_TIR_IF: add_condition(w, p, s->cond, f->kind != FRAME_ELSE); break;
    case RLX_TIR_WHILE: p->is_exact = false; break;
    case RLX_TIR_BLOCK:
      if (f->in_init) x->is_in_init = true;
      climb_block(w, p, x, f);
      break;
    case RLX_TIR_LET_STMT: climb_let(w, p, x, s); break;
    default: break;
    }
  }
  x->alloc_depth = below_alloc < 0 ? 0 : p->loop_count - below_alloc;
  x->is_allocated = below_alloc >= 0;
  for (int i = 0; i < w->a->f->root_alloc_count; i++)
    x->is_allocated = x->is_allocated || w->a->f->root_allocs[i] == x->buffer;
  for (int i = 0; i < w->a->f->param_count && x->buffer->data; i++) // declared over what is given
    x->is_allocated = x->is_allocated && w->a->f->params[i].var != x->buffer->data;
}

static void finish(Walk *w, RlxTirAccess *x, const Place *p) {
  RlxArena *arena = w->a->arena;
  x->is_exact = p->is_exact;
  for (int d = 0; d < x->buffer->ndim; d++) x->is_exact = x->is_exact && x->index[d];
  x->conditions = rlx_arena_array(arena, const RlxPrim *, p->condition_count + 1);
  for (int i = 0; i < p->condition_count; i++) {
    if (p->conditions[i])
      x->conditions[x->condition_count++] = p->conditions[i];
    else
      x->is_exact = false;
  }
  x->instance_count = p->instance_count;
  x->instance = rlx_arena_array(arena, const RlxPrim *, p->instance_count + 1);
  for (int i = 0; i < p->instance_count; i++) x->instance[i] = p->instance[i];
  x->loop_count = p->loop_count;
  x->loops = rlx_arena_array(arena, RlxTirPlaceLoop, p->loop_count + 1);
  for (int i = 0; i < p->loop_count; i++) {
    int from = p->loop_count - 1 - i;
    x->loops[i].stmt = p->loops[from];
    x->loops[i].range = (RlxLoopRange){rlx_tir_symbol(w->a->store, p->loops[from]->var),
                                       p->mins[from], p->extents[from]};
    if (!p->mins[from] || !p->extents[from]) x->is_exact = false;
  }
}

/// Looks through views: `x` gets the buffer that the memory belongs to.
static void resolve_view(Walk *w, RlxTirAccess *x) {
  for (int i = 0; x->buffer->view_of && i < RLX_TIR_AROUND_MAX; i++) {
    const RlxTirBuffer *view = x->buffer;
    RlxTirBuffer *base = view->view_of;
    const RlxPrim **index = rlx_arena_array(w->a->arena, const RlxPrim *, base->ndim + 1);
    for (int d = 0; d < base->ndim && view->view_origin; d++) {
      const RlxPrim *origin = rlx_tir_integer(w->a->store, view->view_origin[d]);
      int k = d - (base->ndim - view->ndim); // leading dimensions of one element may be left out
      if (view->ndim > base->ndim || !origin) continue;
      if (k < 0)
        index[d] = origin;
      else if (x->index[k])
        index[d] = rlx_prim_add(w->a->store, origin, x->index[k]);
    }
    x->buffer = base;
    x->index = index;
  }
}

/// Strides that are no numbers: compact as far as they can be told, each the next one times its extent.
static bool is_compact(const RlxTirAnalysis *a, const RlxTirBuffer *b) {
  const RlxPrim *below = NULL;
  for (int d = b->ndim - 1; d >= 0; d--) {
    const RlxPrim *stride = rlx_tir_integer(a->store, b->strides[d]),
                  *extent = rlx_tir_integer(a->store, b->shape[d]);
    if (!stride || !extent) return false;
    if (!below) below = rlx_prim_int_typed(a->store, 1, stride->dtype);
    if (rlx_prove_equal(a->store, NULL, stride, below) != RLX_YES) return false;
    below = rlx_prim_mul(a->store, stride, extent);
  }
  return true;
}

bool rlx_tir_overlaps(const RlxTirAnalysis *a, const RlxTirBuffer *b) {
  enum { MOST = 16 };
  int64_t strides[MOST], extents[MOST], reach = 0;
  int count = 0;
  for (int d = 0; d < b->ndim && b->strides; d++) {
    const RlxPrim *stride = rlx_tir_integer(a->store, b->strides[d]),
                  *extent = rlx_tir_integer(a->store, b->shape[d]);
    int64_t step, size;
    if (!stride || !extent || !rlx_prim_is_const(stride, &step) ||
        !rlx_prim_is_const(extent, &size) || step == INT64_MIN || count == MOST)
      return !is_compact(a, b);
    if (size < 2) continue;
    int at = count++; // sorted by stride
    for (step = step < 0 ? -step : step; at && strides[at - 1] > step; at--) {
      strides[at] = strides[at - 1];
      extents[at] = extents[at - 1];
    }
    strides[at] = step;
    extents[at] = size;
  }
  for (int i = 0; i < count; i++) {
    int64_t more;
    if (strides[i] <= reach) return true;
    if (__builtin_mul_overflow(extents[i] - 1, strides[i], &more) ||
        __builtin_add_overflow(reach, more, &reach))
      return true;
  }
  return false;
}

/// Fills in of `x`, whose statement, span, buffer, kind and index are known, what follows from the loops and blocks
/// around; `p` may have loops inside of them.
static void place_access(Walk *w, const Frame *around, RlxTirAccess *x, Place *p) {
  resolve_view(w, x);
  const bool overlaps = rlx_tir_overlaps(w->a, x->buffer); // other indices may be the same element
  for (int d = 0; d < x->buffer->ndim && overlaps; d++) x->index[d] = NULL;
  climb(w, p, x, around);
  if (x->block < 0) x->block = 0;
  finish(w, x, p);
}

/// Adds `x`, whose statement, span, buffer and kind are known, with what follows from the loops and blocks around.
static void add_access(Walk *w, const Frame *around, RlxTirAccess x, RlxTirExpr *const *indices) {
  if (w->out.count >= ACCESSES_MAX) {
    w->is_cut = true;
    return;
  }
  x.block = -1;
  x.order = (int)w->out.count;
  x.index = rlx_arena_array(w->a->arena, const RlxPrim *, x.buffer->ndim + 1);
  for (int d = 0; d < x.buffer->ndim && indices; d++)
    x.index[d] = rlx_tir_integer(w->a->store, indices[d]);
  Place p = {.is_exact = true};
  place_access(w, around, &x, &p);
  rlx_vec_push(&w->out, x);
}

// ---- the walk

static RlxSpan span_of(const RlxTirExpr *e, const RlxTirStmt *s) {
  if (!e || e->span.start == e->span.end) return s->span;
  return (RlxSpan){s->span.start + e->span.start, s->span.start + e->span.end};
}

/// What the region says is accessed, as an access in loops over what it has: each index begins somewhere and goes on.
static RlxTirAccess stated_access(Walk *w, const Frame *around, const RlxTirRegion *region,
                                  RlxTirAccess like) {
  RlxStore *store = w->a->store;
  RlxTirBuffer *buffer = region->buffer;
  RlxTirAccess x = like;
  x.buffer = buffer;
  x.is_opaque = false;
  x.block = -1;
  x.index = rlx_arena_array(w->a->arena, const RlxPrim *, buffer->ndim + 1);
  Place p = {.is_exact = false}; // not all of it need be accessed
  for (int d = 0; d < buffer->ndim; d++) {
    const RlxPrim *begin = rlx_tir_integer(store, region->begin[d]);
    const RlxPrim *extent = region->extent[d] ? rlx_tir_integer(store, region->extent[d]) : NULL;
    int64_t one;
    x.index[d] = begin;
    if (!region->extent[d] || (extent && rlx_prim_is_const(extent, &one) && one == 1)) continue;
    x.index[d] = NULL;
    if (!begin || !extent || p.loop_count == RLX_TIR_AROUND_MAX) continue;
    RlxTirStmt *loop = rlx_arena_one(w->a->arena, RlxTirStmt);
    loop->kind = RLX_TIR_FOR;
    loop->var = rlx_arena_one(w->a->arena, RlxTirVar);
    *loop->var =
        (RlxTirVar){.name = buffer->name, .dtype = begin->dtype, .id = (uint32_t)(STATED_ID - d)};
    p.mins[p.loop_count] = rlx_prim_int_typed(store, 0, begin->dtype);
    p.extents[p.loop_count] = extent;
    p.loops[p.loop_count++] = loop;
    x.index[d] = rlx_prim_add(store, begin, rlx_prim_var(store, rlx_tir_symbol(store, loop->var)));
  }
  place_access(w, around, &x, &p);
  return x;
}

/// What the block around says of the buffer in T.reads and T.writes, where it says both.
static void add_stated(Walk *w, const Frame *around, RlxTirAccess *x) {
  const Frame *f = around;
  while (f && !(f->kind == FRAME_STMT && f->stmt->kind == RLX_TIR_BLOCK)) f = f->up;
  const RlxTirBlock *b = f ? f->stmt->block : NULL;
  if (!b || b->read_count < 0 || b->write_count < 0) return;
  RlxTirAccess *out =
      rlx_arena_array(w->a->arena, RlxTirAccess, b->read_count + b->write_count + 1);
  int count = 0;
  for (int i = 0; i < b->read_count + b->write_count; i++) {
    bool is_write = i >= b->read_count;
    const RlxTirRegion *region = is_write ? &b->writes[i - b->read_count] : &b->reads[i];
    RlxTirAccess stated = *x;
    stated.is_write = is_write;
    stated = stated_access(w, f, region, stated);
    if (stated.buffer == x->buffer) out[count++] = stated;
  }
  x->stated = out;
  x->stated_count = count;
}

/// Whoever has a pointer into the buffer may read and write anything of it.
static void add_opaque(Walk *w, const Frame *around, RlxTirBuffer *buffer, RlxSpan span,
                       const RlxTirStmt *s) {
  const RlxTirAccess x = {
      .buffer = buffer, .is_write = true, .is_opaque = true, .store = s, .span = span};
  uint32_t before = w->out.count;
  add_access(w, around, x, NULL);
  if (w->out.count > before) add_stated(w, around, &w->out.at[before]);
}

/// The buffer whose memory `var` points to: of the function, or of a block around.
static RlxTirBuffer *buffer_of(const Walk *w, const Frame *around, const RlxTirVar *var) {
  for (; around; around = around->up) {
    const RlxTirBlock *b =
        around->stmt && around->stmt->kind == RLX_TIR_BLOCK ? around->stmt->block : NULL;
    for (int i = 0; b && i < b->match_count; i++)
      if (b->matches[i]->data == var) return b->matches[i];
    for (int i = 0; b && i < b->alloc_count; i++)
      if (b->allocs[i]->data == var) return b->allocs[i];
  }
  return rlx_primfunc_buffer_of(w->a->f, var);
}

static void walk_expr(Walk *w, const RlxTirExpr *e, const Frame *around, const RlxTirStmt *s,
                      int depth) {
  if (!e) return;
  if (depth > DEPTH_MAX) {
    w->is_cut = true;
    return;
  }
  if (e->kind == RLX_TIR_ADDRESS_OF) {
    RlxTirBuffer *b = e->arg_count && e->args[0]->kind == RLX_TIR_LOAD ? e->args[0]->buffer : NULL;
    if (b) add_opaque(w, around, b, span_of(e, s), s);
    return;
  }
  if (e->kind == RLX_TIR_VAR && e->dtype.code == RLX_DTYPE_HANDLE) {
    RlxTirBuffer *b = buffer_of(w, around, e->var);
    if (b) add_opaque(w, around, b, span_of(e, s), s);
    return;
  }
  if (e->kind == RLX_TIR_HOLE) w->is_cut = true;
  // A Select whose sides load is made an if_then_else before it runs.
  bool is_choice = e->kind == RLX_TIR_IF_THEN_ELSE || e->kind == RLX_TIR_SELECT;
  bool is_guard = is_choice || e->kind == RLX_TIR_AND || e->kind == RLX_TIR_OR;
  for (int i = 0; i < e->arg_count; i++) {
    bool positive = i == 1 && e->kind != RLX_TIR_OR;
    Frame guard = {.up = around,
                   .kind = positive ? FRAME_GUARD : FRAME_GUARD_NOT,
                   .cond = e->args[0],
                   .block = -1};
    walk_expr(w, e->args[i], is_guard && i ? &guard : around, s, depth + 1);
  }
  if (e->kind == RLX_TIR_LOAD)
    add_access(w, around, (RlxTirAccess){.buffer = e->buffer, .store = s, .span = span_of(e, s)},
               e->args);
}

/// An instruction that stands by itself may write the elements that it is given (`T.nki.load(A[i],
/// B[i])`); functions are given values.
static void walk_instruction(Walk *w, const RlxTirExpr *call, const Frame *around,
                             const RlxTirStmt *s) {
  const char *name = rlx_store_text(w->a->store, call->name);
  if (strstr(name, "call_")) return;
  for (int i = 0; i < call->arg_count; i++)
    if (call->args[i]->kind == RLX_TIR_LOAD)
      add_opaque(w, around, call->args[i]->buffer, span_of(call->args[i], s), s);
}

static void walk(Walk *w, const RlxTirStmt *s, const Frame *around, int depth);

static void walk_block(Walk *w, const RlxTirStmt *s, const Frame *around, int depth) {
  int index = w->next_block++;
  for (int i = 0; i < s->block->iter_count; i++)
    walk_expr(w, s->block->iters[i].binding, around, s, 0);
  walk_expr(w, s->block->predicate, around, s, 0);
  Frame init = {around, FRAME_STMT, true, s, NULL, index};
  Frame body = {around, FRAME_STMT, false, s, NULL, index};
  if (s->init) walk(w, s->init, &init, depth + 1);
  for (uint32_t i = 0; i < s->count; i++) walk(w, s->body[i], &body, depth + 1);
}

static void walk(Walk *w, const RlxTirStmt *s, const Frame *around, int depth) {
  if (!s) return;
  if (depth > DEPTH_MAX) {
    w->is_cut = true;
    return;
  }
  if (s->kind == RLX_TIR_BLOCK) {
    walk_block(w, s, around, depth);
    return;
  }
  w->has_jumps = w->has_jumps || s->kind == RLX_TIR_BREAK || s->kind == RLX_TIR_CONTINUE ||
                 s->kind == RLX_TIR_RETURN || s->kind == RLX_TIR_ASSERT;
  walk_expr(w, s->min, around, s, 0);
  walk_expr(w, s->extent, around, s, 0);
  walk_expr(w, s->cond, around, s, 0);
  walk_expr(w, s->value, around, s, 0);
  if (s->kind == RLX_TIR_EVALUATE && s->value && s->value->kind == RLX_TIR_CALL)
    walk_instruction(w, s->value, around, s);
  if (s->kind == RLX_TIR_STORE) {
    for (int d = 0; d < s->buffer->ndim; d++) walk_expr(w, s->indices[d], around, s, 0);
    add_access(w, around,
               (RlxTirAccess){.buffer = s->buffer, .is_write = true, .store = s, .span = s->span},
               s->indices);
  }
  for (uint32_t i = 0; i < s->count; i++) {
    bool is_else = s->kind == RLX_TIR_IF && i == 1;
    Frame here = {around, is_else ? FRAME_ELSE : FRAME_STMT, false, s, NULL, -1};
    walk(w, s->body[i], &here, depth + 1);
  }
}

RlxTirAccesses rlx_tir_accesses(const RlxTirAnalysis *a) {
  Walk w = {.a = a};
  // The root that is not written has index 0 and no statement.
  w.next_block = a->block_count && !a->blocks[0].stmt ? 1 : 0;
  walk(&w, a->f->body, NULL, 0);
  for (uint32_t i = 0; i < w.out.count && w.has_jumps; i++) w.out.at[i].is_exact = false;
  RlxTirAccesses out = {rlx_arena_copy(a->arena, w.out.at, w.out.count, sizeof *w.out.at),
                        (int)w.out.count, w.is_cut};
  rlx_vec_free(&w.out);
  return out;
}

// ---- mentions

bool rlx_tir_expr_mentions(const RlxTirExpr *e, const RlxTirVar *var) {
  if (!e) return false;
  if (e->kind == RLX_TIR_VAR) return e->var == var;
  for (int i = 0; i < e->arg_count; i++)
    if (rlx_tir_expr_mentions(e->args[i], var)) return true;
  return false;
}

bool rlx_tir_mentions(const RlxTirStmt *s, const RlxTirVar *var) {
  if (!s) return false;
  if (rlx_tir_expr_mentions(s->min, var) || rlx_tir_expr_mentions(s->extent, var) ||
      rlx_tir_expr_mentions(s->cond, var) || rlx_tir_expr_mentions(s->value, var))
    return true;
  for (int d = 0; s->kind == RLX_TIR_STORE && d < s->buffer->ndim; d++)
    if (rlx_tir_expr_mentions(s->indices[d], var)) return true;
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->iter_count; i++)
    if (rlx_tir_expr_mentions(s->block->iters[i].binding, var)) return true;
  if (s->kind == RLX_TIR_BLOCK &&
      (rlx_tir_expr_mentions(s->block->predicate, var) || rlx_tir_mentions(s->init, var)))
    return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (rlx_tir_mentions(s->body[i], var)) return true;
  return false;
}
