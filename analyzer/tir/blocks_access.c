/// The regions that the body of a block accesses, relaxed over the loops inside it: TVM's rule for
/// blocks without T.reads and T.writes. Blocks inside count with their own regions and are not
/// walked again, so that the whole analysis stays linear.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"
#include <string.h>

typedef struct Access {
  RlxTirBuffer *buffer;
  RlxTirInterval *dims; ///< ndim
  bool is_exact;
  bool touches_ends; ///< the first and the last index of each dimension are surely accessed
  RlxSpan span;
} Access;
typedef Vec(Access) Accesses;

typedef struct Let {
  const RlxSymVar *var;
  const RlxPrim *value;
} Let;

typedef struct Walker {
  RlxTirAnalysis *a;
  RlxTirBlockInfo *block;
  RlxTirDomain domain; ///< loops inside the block
  Vec(Let) lets;
  Vec(RlxTirBuffer *) locals; ///< allocated inside
  Accesses reads, writes;
  int conditions; ///< around
  int depth;
  const RlxTirStmt *stmt;
} Walker;

enum { MAX_DEPTH = 400, MAX_BOUNDS = 16 };

// ------------------------------------------------------------------ noting accesses

static bool is_local(const Walker *w, const RlxTirBuffer *buffer) {
  for (int i = 0; i < w->block->alloc_count; i++)
    if (w->block->allocs[i] == buffer) return true;
  for (uint32_t i = 0; i < w->locals.count; i++)
    if (w->locals.at[i] == buffer) return true;
  return false;
}

static RlxTirInterval whole(const Walker *w, const RlxTirBuffer *buffer, int d) {
  const RlxPrim *size = rlx_tir_integer(w->a->store, buffer->shape[d]);
  RlxTirInterval i = {rlx_prim_int_typed(w->a->store, 0, size ? size->dtype : RLX_INT32),
                      size ? rlx_prim_addi(w->a->store, size, -1) : NULL};
  return i;
}

static bool is_point(RlxTirInterval i) { return i.min && i.min == i.max; }

/// Adds what is known: `dims` are those of `buffer`; views become what they are views of.
static void note_access(Walker *w, Accesses *list, RlxTirBuffer *buffer, RlxTirInterval *dims,
                        bool is_exact) {
  RlxStore *store = w->a->store;
  for (int steps = 0; buffer->view_of && steps < 16; steps++) {
    RlxTirBuffer *base = buffer->view_of;
    RlxTirInterval *moved = rlx_arena_array(w->a->arena, RlxTirInterval, base->ndim + 1);
    int offset = base->ndim - buffer->ndim;
    for (int d = 0; d < base->ndim; d++) {
      const RlxPrim *origin =
          buffer->view_origin ? rlx_tir_integer(store, buffer->view_origin[d]) : NULL;
      if (!origin || offset < 0) {
        moved[d] = whole(w, base, d);
        is_exact = false;
        continue;
      }
      RlxTirInterval zero = {rlx_prim_int_typed(store, 0, origin->dtype), NULL}, in;
      zero.max = zero.min;
      in = d < offset ? zero : dims[d - offset];
      moved[d].min = in.min ? rlx_prim_add(store, origin, in.min) : NULL;
      moved[d].max = in.max && is_point(in) ? moved[d].min
                     : in.max               ? rlx_prim_add(store, origin, in.max)
                                            : NULL;
    }
    buffer = base;
    dims = moved;
  }
  if (is_local(w, buffer)) return;
  for (uint32_t i = 0; i < list->count; i++) {
    Access *known = &list->at[i];
    if (known->buffer != buffer) continue;
    bool all_same = true, touches_ends = is_exact;
    for (int d = 0; d < buffer->ndim; d++) {
      bool same = known->dims[d].min == dims[d].min && known->dims[d].max == dims[d].max;
      if (same) continue;
      known->dims[d] = rlx_tir_interval_hull(store, known->dims[d], dims[d]);
      known->is_exact = all_same = false;
    }
    known->touches_ends =
        all_same ? known->touches_ends || touches_ends : known->touches_ends && touches_ends;
    if (is_exact && !known->is_exact) return;
    known->is_exact = known->is_exact || is_exact;
    return;
  }
  Access access = {buffer, dims, is_exact, is_exact, w->stmt ? w->stmt->span : (RlxSpan){0, 0}};
  rlx_vec_push(list, access);
}

/// `p` with lets put in.
static const RlxPrim *without_lets(Walker *w, const RlxPrim *p) {
  RlxStore *store = w->a->store;
  for (uint32_t i = w->lets.count; p && i-- > 0;) {
    const RlxSymVar *var = w->lets.at[i].var;
    if (!(p->vars & rlx_prim_var(store, var)->vars)) continue;
    bool all = true;
    const RlxPrim *value = w->lets.at[i].value;
    RlxSubst subst = {.vars = &var, .values = &value, .count = 1};
    p = rlx_prim_subst(store, p, &subst, &all);
    if (!all) return NULL;
  }
  return p;
}

/// An index expression with lets put in.
static const RlxPrim *index_of(Walker *w, const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_RAMP || e->kind == RLX_TIR_BROADCAST) return NULL;
  return without_lets(w, rlx_tir_integer(w->a->store, e));
}

/// The lanes of `base + stride * [0, lanes)`.
static RlxTirInterval ramp(Walker *w, const RlxTirExpr *e) {
  RlxStore *store = w->a->store;
  const RlxPrim *base = index_of(w, e->args[0]);
  int64_t stride;
  const RlxPrim *step = base && e->arg_count > 1 ? rlx_tir_integer(store, e->args[1]) : NULL;
  if (!step || !rlx_prim_is_const(step, &stride) || stride < 0) return (RlxTirInterval){0};
  RlxTirInterval i = rlx_tir_interval(store, &w->domain, base);
  if (i.max) i.max = rlx_prim_addi(store, i.max, stride * (e->dtype.lanes - 1));
  return i;
}

/// What index `e` of dimension `d` is while the loops inside run; `p`: index_of(w, e).
static RlxTirInterval relaxed_index(Walker *w, const RlxTirBuffer *buffer, int d,
                                    const RlxTirExpr *e, const RlxPrim *p, bool *is_exact) {
  RlxStore *store = w->a->store;
  if (e->kind == RLX_TIR_RANGE && e->arg_count >= 2) {
    const RlxTirExpr *first = e->args[0], *end = e->args[1];
    RlxTirInterval from = relaxed_index(w, buffer, d, first, index_of(w, first), is_exact),
                   to = relaxed_index(w, buffer, d, end, index_of(w, end), is_exact);
    if (to.max) to.max = rlx_prim_addi(store, to.max, -1);
    return (RlxTirInterval){from.min, to.max};
  }
  RlxTirInterval i = {NULL, NULL};
  if (p)
    i = rlx_tir_interval(store, &w->domain, p);
  else if (e->kind == RLX_TIR_RAMP)
    i = ramp(w, e);
  else if (e->kind == RLX_TIR_BROADCAST && index_of(w, e->args[0]))
    i = rlx_tir_interval(store, &w->domain, index_of(w, e->args[0]));
  if (!i.min || !i.max) {
    i = whole(w, buffer, d);
    *is_exact = false;
  } else if (!is_point(i)) {
    RlxTirLinear form; // one loop with stride 1 fills what lies between
    bool fills = p && rlx_tir_linear(store, &w->domain, p, &form) && form.count == 1 &&
                 (form.coefficients[0] == 1 || form.coefficients[0] == -1);
    if (!fills) *is_exact = false;
  }
  return i;
}

static void access(Walker *w, Accesses *list, RlxTirBuffer *buffer, RlxTirExpr *const *indices) {
  RlxTirInterval *dims = rlx_arena_array(w->a->arena, RlxTirInterval, buffer->ndim + 1);
  const RlxPrim **at = rlx_arena_array(w->a->arena, const RlxPrim *, buffer->ndim + 1);
  for (int d = 0; d < buffer->ndim; d++) at[d] = index_of(w, indices[d]);
  bool is_exact = !w->conditions && !rlx_tir_domain_drives_two(&w->domain, at, buffer->ndim);
  for (int d = 0; d < buffer->ndim; d++)
    dims[d] = relaxed_index(w, buffer, d, indices[d], at[d], &is_exact);
  note_access(w, list, buffer, dims, is_exact);
}

static void access_whole(Walker *w, Accesses *list, RlxTirBuffer *buffer) {
  RlxTirInterval *dims = rlx_arena_array(w->a->arena, RlxTirInterval, buffer->ndim + 1);
  for (int d = 0; d < buffer->ndim; d++) dims[d] = whole(w, buffer, d);
  note_access(w, list, buffer, dims, false);
}

// ------------------------------------------------------------------ the walk

/// The buffer whose pointer `var` is, among those that are visible at the block.
static RlxTirBuffer *buffer_of(const Walker *w, const RlxTirVar *var) {
  RlxTirBuffer *outer = rlx_primfunc_buffer_of(w->a->f, var);
  if (outer) return outer;
  for (const RlxTirBlockInfo *b = w->block;; b = &w->a->blocks[b->scope]) {
    for (int i = 0; i < b->alloc_count; i++)
      if (b->allocs[i]->data == var) return b->allocs[i];
    if (b->scope < 0) return NULL;
  }
}

static void pointer(Walker *w, const RlxTirVar *var) {
  w->block->has_opaque = true;
  RlxTirBuffer *buffer = buffer_of(w, var);
  if (!buffer) return;
  access_whole(w, &w->reads, buffer);
  access_whole(w, &w->writes, buffer);
}

/// Narrows the loops' ranges to where `condition` holds; gives what was there, to be put back.
typedef struct Narrowed {
  uint32_t at[MAX_BOUNDS];
  RlxTirInterval before[MAX_BOUNDS];
  int count;
} Narrowed;

static Narrowed narrow(Walker *w, const RlxTirExpr *condition, bool is_negated) {
  RlxStore *store = w->a->store;
  Narrowed saved = {.count = 0};
  const RlxPrim *parts[MAX_BOUNDS], *p = without_lets(w, rlx_tir_number(store, condition));
  if (!p || !w->domain.vars.count) return saved;
  int count = rlx_tir_bounds(store, p, is_negated, parts, MAX_BOUNDS, NULL);
  for (int i = 0; i < count; i++) {
    RlxTirLinear form;
    if (!rlx_tir_linear(store, &w->domain, parts[i], &form) || form.count != 1) continue;
    int64_t k = form.coefficients[0];
    if (k != 1 && k != -1) continue;
    RlxTirInterval *range = &w->domain.ranges.at[form.vars[0]];
    saved.at[saved.count] = form.vars[0];
    saved.before[saved.count++] = *range;
    if (k == 1) { // var <= -base
      const RlxPrim *limit = rlx_prim_simplify(store, rlx_prim_muli(store, form.base, -1));
      if (!range->max || rlx_prove_less(store, NULL, limit, range->max) == RLX_YES)
        range->max = limit;
    } else if (!range->min || rlx_prove_less(store, NULL, range->min, form.base) == RLX_YES) {
      range->min = form.base;
    }
  }
  return saved;
}

static void widen(Walker *w, const Narrowed *saved) {
  for (int i = saved->count; i-- > 0;) w->domain.ranges.at[saved->at[i]] = saved->before[i];
}

static void expr(Walker *w, const RlxTirExpr *e);

static void under(Walker *w, const RlxTirExpr *condition, bool is_negated, const RlxTirExpr *e,
                  const RlxTirStmt *s);

static void args(Walker *w, const RlxTirExpr *e) {
  for (int i = 0; i < e->arg_count; i++) expr(w, e->args[i]);
}

/// tvm_access_ptr(type, data, offset, extent, mask): the mask says whether it reads or writes.
static bool access_ptr(Walker *w, const RlxTirExpr *e) {
  if (e->arg_count != 5 || strcmp(rlx_store_text(w->a->store, e->name), "tvm_access_ptr") != 0)
    return false;
  RlxTirBuffer *buffer = e->args[1]->kind == RLX_TIR_VAR ? buffer_of(w, e->args[1]->var) : NULL;
  if (!buffer || e->args[4]->kind != RLX_TIR_INT) return false;
  if (e->args[4]->integer & 1) access_whole(w, &w->reads, buffer);
  if (e->args[4]->integer & 2) access_whole(w, &w->writes, buffer);
  w->block->has_opaque = true;
  return true;
}

static void expr(Walker *w, const RlxTirExpr *e) {
  if (!e || w->depth > MAX_DEPTH) return;
  w->depth++;
  switch ((RlxTirExprKind)e->kind) {
  case RLX_TIR_LOAD:
    access(w, &w->reads, e->buffer, e->args);
    args(w, e);
    break;
  case RLX_TIR_VAR:
    if (e->dtype.code == RLX_DTYPE_HANDLE) pointer(w, e->var);
    break;
  case RLX_TIR_IF_THEN_ELSE:
    expr(w, e->args[0]);
    under(w, e->args[0], false, e->args[1], NULL);
    under(w, e->args[0], true, e->args[2], NULL);
    break;
  case RLX_TIR_ADDRESS_OF:
    w->block->has_opaque = true;
    args(w, e);
    break;
  case RLX_TIR_CALL:
    if (!access_ptr(w, e)) args(w, e);
    break;
  case RLX_TIR_HOLE: w->block->has_opaque = true; break;
  case RLX_TIR_LET: {
    expr(w, e->args[0]);
    const RlxPrim *value = index_of(w, e->args[0]);
    rlx_vec_push(&w->lets, (Let){rlx_tir_symbol(w->a->store, e->var), value});
    expr(w, e->args[1]);
    (void)rlx_vec_pop(&w->lets);
    break;
  }
  case RLX_TIR_INT:
  case RLX_TIR_FLOAT:
  case RLX_TIR_STRING:
  RLX_TIR_ARITHMETIC_CASES:
  RLX_TIR_COMPARE_CASES:
  case RLX_TIR_BITNOT:
  case RLX_TIR_AND:
  case RLX_TIR_OR:
  case RLX_TIR_NOT:
  case RLX_TIR_SELECT:
  case RLX_TIR_CAST:
  case RLX_TIR_REINTERPRET:
  case RLX_TIR_RAMP:
  case RLX_TIR_BROADCAST:
  case RLX_TIR_RANGE: args(w, e); break;
  }
  w->depth--;
}

static void stmt(Walker *w, const RlxTirStmt *s);

static void under(Walker *w, const RlxTirExpr *condition, bool is_negated, const RlxTirExpr *e,
                  const RlxTirStmt *s) {
  Narrowed saved = narrow(w, condition, is_negated);
  w->conditions++;
  if (e) expr(w, e);
  if (s) stmt(w, s);
  w->conditions--;
  widen(w, &saved);
}

/// A block inside: its regions with the bindings put in, relaxed over the loops between.
static void inner_block(Walker *w, const RlxTirStmt *s) {
  const RlxTirBlockInfo *inner = rlx_tir_block_info(w->a, s);
  RlxStore *store = w->a->store;
  for (int side = 0; inner && side < 2; side++) {
    const RlxTirBoxes *boxes = side ? &inner->writes : &inner->reads;
    for (int i = 0; i < boxes->count; i++) {
      RlxTirBox box = rlx_tir_box_unbind(w->a, inner, &boxes->at[i]);
      RlxTirInterval *dims = rlx_arena_array(w->a->arena, RlxTirInterval, box.buffer->ndim + 1);
      bool is_exact = box.is_exact && !w->conditions && !inner->block->predicate;
      for (int d = 0; d < box.buffer->ndim; d++) {
        int64_t extent;
        if (!box.extent[d]) {
          dims[d] = whole(w, box.buffer, d);
          continue;
        }
        bool one = rlx_prim_is_const(box.extent[d], &extent) && extent == 1;
        dims[d] = rlx_tir_interval(store, &w->domain, box.begin[d]);
        if (!one) {
          const RlxPrim *end =
              rlx_prim_addi(store, rlx_prim_add(store, box.begin[d], box.extent[d]), -1);
          dims[d].max = rlx_tir_interval(store, &w->domain, end).max;
        }
        if (!is_point(dims[d])) is_exact = false;
        if (!dims[d].min || !dims[d].max) dims[d] = whole(w, box.buffer, d);
      }
      note_access(w, side ? &w->writes : &w->reads, box.buffer, dims, is_exact);
    }
  }
  if (inner && inner->has_opaque) w->block->has_opaque = true;
}

static void bodies(Walker *w, const RlxTirStmt *s) {
  for (uint32_t i = 0; i < s->count; i++) stmt(w, s->body[i]);
}

static void stmt(Walker *w, const RlxTirStmt *s) {
  if (!s || w->depth > MAX_DEPTH) return;
  RlxStore *store = w->a->store;
  w->depth++;
  w->stmt = s;
  switch ((RlxTirStmtKind)s->kind) {
  case RLX_TIR_FOR: {
    uint32_t count = w->domain.vars.count;
    expr(w, s->min);
    expr(w, s->extent);
    const RlxPrim *min = s->min ? index_of(w, s->min) : rlx_prim_int_typed(store, 0, s->var->dtype);
    rlx_tir_domain_add(store, &w->domain, rlx_tir_symbol(store, s->var), min,
                       index_of(w, s->extent));
    bodies(w, s);
    rlx_tir_domain_cut(store, &w->domain, count);
    break;
  }
  case RLX_TIR_IF:
    expr(w, s->cond);
    under(w, s->cond, false, NULL, s->body[0]);
    if (s->count > 1) under(w, s->cond, true, NULL, s->body[1]);
    break;
  case RLX_TIR_WHILE:
    w->conditions++;
    expr(w, s->cond);
    bodies(w, s);
    w->conditions--;
    break;
  case RLX_TIR_BLOCK: inner_block(w, s); break;
  case RLX_TIR_STORE:
    access(w, &w->writes, s->buffer, s->indices);
    expr(w, s->value);
    for (int d = 0; d < s->buffer->ndim; d++) expr(w, s->indices[d]);
    break;
  case RLX_TIR_LET_STMT:
    expr(w, s->value);
    rlx_vec_push(&w->lets, (Let){rlx_tir_symbol(store, s->var), index_of(w, s->value)});
    bodies(w, s);
    (void)rlx_vec_pop(&w->lets);
    break;
  case RLX_TIR_ALLOC:
    rlx_vec_push(&w->locals, s->buffer);
    bodies(w, s);
    break;
  case RLX_TIR_SEQ:
  case RLX_TIR_EVALUATE:
  case RLX_TIR_ASSERT:
  case RLX_TIR_ATTR:
  case RLX_TIR_BREAK:
  case RLX_TIR_CONTINUE:
  case RLX_TIR_RETURN:
  case RLX_TIR_NOP:
    expr(w, s->cond);
    expr(w, s->value);
    bodies(w, s);
    break;
  }
  w->depth--;
}

// ------------------------------------------------------------------ the result

static bool is_written(const Walker *w, const RlxTirBuffer *buffer) {
  for (uint32_t i = 0; i < w->writes.count; i++)
    if (w->writes.at[i].buffer == buffer) return true;
  return false;
}

static RlxTirBox box_of(const Walker *w, const Access *access) {
  RlxStore *store = w->a->store;
  RlxTirBuffer *buffer = access->buffer;
  RlxTirBox box = {.buffer = buffer,
                   .is_exact = access->is_exact,
                   .touches_ends = access->touches_ends,
                   .span = access->span};
  box.begin = rlx_arena_array(w->a->arena, const RlxPrim *, buffer->ndim + 1);
  box.extent = rlx_arena_array(w->a->arena, const RlxPrim *, buffer->ndim + 1);
  for (int d = 0; d < buffer->ndim; d++) {
    RlxTirInterval i = access->dims[d];
    box.begin[d] = i.min;
    if (is_point(i))
      box.extent[d] = rlx_prim_int_typed(store, 1, i.min->dtype);
    else if (i.min && i.max)
      box.extent[d] =
          rlx_prim_simplify(store, rlx_prim_addi(store, rlx_prim_sub(store, i.max, i.min), 1));
  }
  return box;
}

static RlxTirBoxes boxes_of(const Walker *w, const Accesses *list, bool without_written) {
  RlxTirBoxes boxes = {rlx_arena_array(w->a->arena, RlxTirBox, list->count + 1), 0};
  for (uint32_t i = 0; i < list->count; i++)
    if (!without_written || !is_written(w, list->at[i].buffer))
      boxes.at[boxes.count++] = box_of(w, &list->at[i]);
  return boxes;
}

void rlx_tir_deduce_regions(RlxTirAnalysis *a, RlxTirBlockInfo *block) {
  if (!block->stmt) return;
  Walker w = {.a = a, .block = block};
  if (block->stmt->init) stmt(&w, block->stmt->init);
  bodies(&w, block->stmt);
  block->deduced_writes = boxes_of(&w, &w.writes, false);
  block->deduced_reads = boxes_of(&w, &w.reads, block->has_init);
  rlx_vec_free(&w.reads);
  rlx_vec_free(&w.writes);
  rlx_vec_free(&w.lets);
  rlx_vec_free(&w.locals);
  rlx_tir_domain_free(&w.domain);
}
