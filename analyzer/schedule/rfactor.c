/// rfactor: one loop of a reduction becomes a dimension of a buffer of partial results, which a
/// second block reduces.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/reduction.cc (RFactor) and analysis/reducer.cc.
/// Beyond TVM: the write-back keeps what the predicate says of its own loops; partial results are
/// counted from 0 where the loop is not (TVM leaves its buffer there); refused are a loop
/// that binds nothing, partial results whose init may never run, and an argmin or argmax whose
/// answer among equal values depends on the order, unless the order stays.
#include "analyzer/schedule/domain.h"

#include <float.h>
#include <stdio.h>

enum { BUFFERS_MAX = 2 };

typedef struct Rfactor {
  RlxScheduleCall *c;
  const RlxTirAnalysis *a;
  const RlxTirStmt *loop, *block;
  const RlxTirBlockInfo *info;
  int axis, count;
  const RlxTirStmt *updates[BUFFERS_MAX]; ///< stores of the body, in its order
  RlxTirExpr *values[BUFFERS_MAX];        ///< what they store: combine(lhs, rhs)
  RlxTirExpr *lhs[BUFFERS_MAX], *rhs[BUFFERS_MAX], *identities[BUFFERS_MAX];
  RlxTirBuffer *partial[BUFFERS_MAX];
  RlxTirVar *factor; ///< variable of the first block for the loop
  RlxTirExpr **at;   ///< indices into the partial results, over variables of the first block
  RlxTirExpr *final_predicate; ///< of the block that reduces the partial results
} Rfactor;

static bool refuse(Rfactor *r, const char *why) {
  rlx_schedule_refuse(r->c, RLX_DIAG_ID(SCHEDULE_RFACTOR), r->loop, "ss",
                      rlx_schedule_loop_name(r->c, r->loop), why);
  if (r->block) rlx_schedule_also(r->c, r->block, "the block");
  return false;
}

static const RlxTirStmt *loop_at(const Rfactor *r, int i) {
  return r->a->loops[r->info->loops[i]].stmt;
}

// ---- the loops

/// Does a variable of that type take its value from the loop?
static bool touches(const Rfactor *r, const RlxTirStmt *loop, RlxTirIterType type) {
  for (int i = 0; i < r->info->iter_count; i++) {
    const RlxTirIterVar *iter = r->info->iters[i].iter;
    if (iter->type == type && rlx_schedule_uses(iter->binding, loop->var)) return true;
  }
  return false;
}

static bool check_loops(Rfactor *r) {
  bool met = false;
  if (r->a->loops[r->info->loops[0]].blocks[0] != r->info->index)
    return refuse(r, "the block is not the first one below the outermost loop around it");
  for (int i = 0; i < r->info->loop_count; i++) {
    const RlxTirStmt *loop = loop_at(r, i);
    const RlxTirLoopInfo *l = &r->a->loops[r->info->loops[i]];
    bool spatial = touches(r, loop, RLX_ITER_DATA_PAR), reduce = touches(r, loop, RLX_ITER_REDUCE);
    if (spatial && reduce)
      return refuse(r, "a loop around the block binds data-parallel and reduce variables");
    if (spatial && loop == r->loop) return refuse(r, "it binds a data-parallel variable");
    if (reduce && !met && l->block_count != 1)
      return refuse(r, "other blocks stand below the loops that reduce");
    met |= reduce;
    int64_t extent;
    bool is_unit = l->extent && rlx_prim_is_const(l->extent, &extent) && extent == 1;
    if (!spatial && !reduce && !is_unit && (met || loop == r->loop))
      return refuse(r, "a loop that binds nothing stands among those that reduce");
  }
  return true;
}

static bool check_block(Rfactor *r) {
  const RlxTirLoopInfo *loop = rlx_schedule_loop_info(r->c, r->loop);
  const RlxTirStmt *at = r->loop;
  while (at->kind == RLX_TIR_FOR) at = at->body[0];
  if (loop->block_count != 1 || at->kind != RLX_TIR_BLOCK)
    return refuse(r, "not one block alone stands below it");
  r->info = &r->a->blocks[loop->blocks[0]];
  r->block = r->info->stmt;
  const RlxTirVerdict *pipeline = &r->a->blocks[r->info->scope].stage_pipeline;
  if (!pipeline->is) return refuse(r, rlx_arena_strdup(r->c->s->arena, pipeline->reason));
  if (!r->info->reduction.is)
    return rlx_schedule_refuse_verdict(r->c, RLX_DIAG_ID(SCHEDULE_NOT_REDUCTION), r->block,
                                       &r->info->reduction);
  if (r->loop->for_kind != RLX_FOR_SERIAL) return refuse(r, "it is no serial loop");
  const RlxTirBlock *b = r->block->block;
  if (b->alloc_count || b->match_count) return refuse(r, "the block has buffers of its own");
  RlxDiagId id = RLX_DIAG_ID(SCHEDULE_RFACTOR);
  return rlx_schedule_check_bare(r->c, id, r->loop, r->info) &&
         rlx_schedule_check_condition(r->c, id, r->loop, r->block, loop_at(r, 0)) && check_loops(r);
}

// ---- what the block computes

static bool is_own(const Rfactor *r, int k, const RlxTirExpr *e) {
  const RlxTirStmt *s = r->updates[k];
  if (e->kind != RLX_TIR_LOAD || e->buffer != s->buffer) return false;
  for (int d = 0; d < s->buffer->ndim; d++)
    if (!rlx_tir_expr_equal(e->args[d], s->indices[d])) return false;
  return true;
}

static bool loads_any(const Rfactor *r, const RlxTirExpr *e) {
  for (int k = 0; k < r->count; k++)
    if (e->kind == RLX_TIR_LOAD && e->buffer == r->updates[k]->buffer) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (loads_any(r, e->args[i])) return true;
  return false;
}

/// The lets and other statements of a suite in their order; false: they are too many.
static bool flatten(const RlxTirStmt *s, const RlxTirStmt **out, int *count) {
  if (s->kind == RLX_TIR_NOP) return true;
  if (s->kind != RLX_TIR_SEQ) {
    if (*count == 2 * BUFFERS_MAX) return false;
    out[(*count)++] = s;
    if (s->kind != RLX_TIR_LET_STMT) return true;
  }
  for (uint32_t i = 0; i < s->count; i++)
    if (!flatten(s->body[i], out, count)) return false;
  return true;
}

/// The stores of the body with what they store: one store, or a let for each and then the stores.
static bool read_updates(Rfactor *r) {
  const RlxTirStmt *lets[BUFFERS_MAX], *found[2 * BUFFERS_MAX];
  int let_count = 0, count = 0;
  if (!flatten(r->block->body[0], found, &count)) return false;
  while (let_count < count && found[let_count]->kind == RLX_TIR_LET_STMT) let_count++;
  r->count = count - let_count;
  if (let_count > BUFFERS_MAX || r->count < 1 || r->count != (let_count ? let_count : 1))
    return false;
  for (int m = 0; m < let_count; m++) lets[m] = found[m];
  for (int i = 0; i < r->count; i++) {
    const RlxTirStmt *store = found[let_count + i];
    if (store->kind != RLX_TIR_STORE) return false;
    int k = let_count ? -1 : 0;
    for (int m = 0; m < let_count; m++)
      if (store->value->kind == RLX_TIR_VAR && store->value->var == lets[m]->var) k = m;
    if (k < 0 || r->updates[k]) return false;
    r->updates[k] = store;
    r->values[k] = let_count ? lets[k]->value : store->value;
  }
  return true;
}

static RlxTirExpr *init_of(const Rfactor *r, int k) {
  const RlxTirStmt *found[2 * BUFFERS_MAX];
  int n = 0;
  if (!flatten(r->block->init, found, &n) || n != r->count) return NULL;
  for (int i = 0; i < n; i++) {
    const RlxTirStmt *s = found[i];
    if (s->kind != RLX_TIR_STORE || s->buffer != r->updates[k]->buffer) continue;
    bool is_same = true;
    for (int d = 0; d < s->buffer->ndim; d++)
      is_same &= rlx_tir_expr_equal(s->indices[d], r->updates[k]->indices[d]);
    if (is_same) return s->value;
  }
  return NULL;
}

static bool is_constant(const RlxTirExpr *e, double value) {
  if (e->kind == RLX_TIR_CAST) return is_constant(e->args[0], value);
  return (e->kind == RLX_TIR_INT && (double)e->integer == value) ||
         (e->kind == RLX_TIR_FLOAT && e->number == value);
}

/// The largest (or least) finite value of the type, as TVM's max_value and min_value.
static bool is_extreme(const RlxTirExpr *e, bool wants_largest) {
  RlxDType t = e->dtype;
  if (e->kind == RLX_TIR_FLOAT) {
    double most = t.bits == 64 ? DBL_MAX : t.bits == 32 ? (double)FLT_MAX : 65504.0;
    return wants_largest ? e->number >= most : e->number <= -most;
  }
  if (e->kind != RLX_TIR_INT || t.bits > 64) return false;
  if (!rlx_dtype_is_int(t)) return false;
  bool is_unsigned = t.code == RLX_DTYPE_UINT;
  if (is_unsigned) return !wants_largest && e->integer == 0;
  int64_t most = (int64_t)(UINT64_MAX >> (65 - t.bits));
  return e->integer == (wants_largest ? most : -most - 1);
}

static bool match_one(Rfactor *r, int k) {
  RlxTirExpr *v = r->values[k], *identity = r->identities[k];
  bool fits = (v->kind == RLX_TIR_ADD && is_constant(identity, 0)) ||
              (v->kind == RLX_TIR_MUL && is_constant(identity, 1)) ||
              (v->kind == RLX_TIR_MIN && is_extreme(identity, true)) ||
              (v->kind == RLX_TIR_MAX && is_extreme(identity, false));
  if (!fits || !is_own(r, k, v->args[0]) || loads_any(r, v->args[1])) return false;
  r->lhs[k] = v->args[0];
  r->rhs[k] = v->args[1];
  return true;
}

static bool compares(const Rfactor *r, const RlxTirExpr *e, RlxTirExprKind kind, int k) {
  return e->kind == kind && rlx_tir_expr_equal(e->args[0], r->lhs[k]) &&
         rlx_tir_expr_equal(e->args[1], r->rhs[k]);
}

/// Does the choice among equal values go by the lower index?
static bool breaks_ties(const Rfactor *r, const RlxTirExpr *e, RlxTirExprKind better) {
  return e->kind == RLX_TIR_OR && compares(r, e->args[0], better, 1) &&
         e->args[1]->kind == RLX_TIR_AND && compares(r, e->args[1]->args[0], RLX_TIR_EQ, 1) &&
         compares(r, e->args[1]->args[1], RLX_TIR_LT, 0);
}

static bool is_first_reducing(const Rfactor *r) {
  for (int i = 0; i < r->info->loop_count; i++)
    if (touches(r, loop_at(r, i), RLX_ITER_REDUCE)) return loop_at(r, i) == r->loop;
  return false;
}

/// argmin, argmax: the first buffer holds the index, the second the value.
static bool match_pair(Rfactor *r) {
  for (int k = 0; k < 2; k++) {
    if (r->values[k]->kind != RLX_TIR_SELECT || !is_own(r, k, r->values[k]->args[1]) ||
        loads_any(r, r->values[k]->args[2]))
      return false;
    r->lhs[k] = r->values[k]->args[1];
    r->rhs[k] = r->values[k]->args[2];
  }
  bool is_max = is_extreme(r->identities[1], false), is_min = is_extreme(r->identities[1], true);
  if ((!is_max && !is_min) || !is_constant(r->identities[0], -1)) return false;
  RlxTirExprKind strict = is_max ? RLX_TIR_GT : RLX_TIR_LT, weak = is_max ? RLX_TIR_GE : RLX_TIR_LE;
  const RlxTirExpr *first = r->values[0]->args[0], *second = r->values[1]->args[0];
  if (breaks_ties(r, first, strict)) return compares(r, second, strict, 1);
  return compares(r, first, weak, 1) && compares(r, second, weak, 1) && is_first_reducing(r);
}

static bool read_block(Rfactor *r) {
  if (!read_updates(r)) return refuse(r, "its body is no update of one buffer, or of two by lets");
  for (int k = 0; k < r->count; k++) {
    if (!(r->identities[k] = init_of(r, k)))
      return refuse(r, "its init does not store to the elements that its body updates");
    if (r->updates[k]->buffer->ndim != r->updates[0]->buffer->ndim)
      return refuse(r, "the buffers that it updates have other shapes");
    for (int d = 0; d < r->updates[0]->buffer->ndim; d++)
      if (!rlx_tir_expr_equal(r->updates[k]->indices[d], r->updates[0]->indices[d]) ||
          !rlx_tir_expr_equal(r->updates[k]->buffer->shape[d], r->updates[0]->buffer->shape[d]))
        return refuse(r, "the buffers that it updates have other shapes or indices");
  }
  bool is_sums = match_one(r, 0) && (r->count == 1 || match_one(r, 1));
  if (r->count == 2 && is_sums)
    is_sums = r->values[0]->kind == RLX_TIR_ADD && r->values[1]->kind == RLX_TIR_ADD;
  if (is_sums || (r->count == 2 && match_pair(r))) return true;
  return refuse(r,
                "its update and its init are no reducer that may be taken apart: a sum, product, "
                "min, max, or argmin and argmax whose answer does not depend on the order");
}

// ---- the predicate

/// With all other loops that reduce at their start, the predicate has to hold: the init runs there.
static bool check_predicate(Rfactor *r) {
  const char *late = rlx_schedule_init_starts_late(r->c, r->info);
  if (late) return refuse(r, late);
  RlxStore *store = r->c->s->store;
  RlxTirExpr *predicate = r->block->block->predicate;
  bool is_about = false;
  for (int i = 0; predicate && i < r->info->loop_count; i++)
    is_about |= touches(r, loop_at(r, i), RLX_ITER_REDUCE) &&
                rlx_schedule_uses(predicate, loop_at(r, i)->var);
  if (!is_about) return true;
  const RlxPrim *p = r->info->predicate;
  const RlxFacts *facts = NULL;
  for (int i = 0; p && i < r->info->loop_count; i++) {
    const RlxTirLoopInfo *l = &r->a->loops[r->info->loops[i]];
    if (!l->min || !l->extent) return refuse(r, "its predicate is not understood");
    if (l->stmt != r->loop && touches(r, l->stmt, RLX_ITER_REDUCE)) {
      RlxSubst start = {&l->symbol, &l->min, 1, false};
      p = rlx_prim_subst(store, p, &start, NULL);
    } else {
      facts = rlx_schedule_range_facts(r->c, l->symbol, l->min, l->extent, facts);
    }
  }
  if (p && rlx_prove(store, facts, p) == RLX_YES) return true;
  return refuse(r, "some partial result might never be written: the predicate is not shown to hold "
                   "where the other loops that reduce start");
}

/// The parts of the predicate that mention none of the loops that reduce.
static RlxTirExpr *spatial_part(const Rfactor *r, RlxTirExpr *e) {
  if (!e) return NULL;
  if (e->kind == RLX_TIR_AND)
    return rlx_tir_and(r->c->f, spatial_part(r, e->args[0]), spatial_part(r, e->args[1]));
  for (int i = 0; i < r->info->loop_count; i++)
    if (touches(r, loop_at(r, i), RLX_ITER_REDUCE) && rlx_schedule_uses(e, loop_at(r, i)->var))
      return NULL;
  return e;
}

/// Where the partial results are reduced: where there are any.
static bool find_final_predicate(Rfactor *r) {
  const RlxTirStmt **dropped =
      rlx_arena_array(r->c->s->arena, const RlxTirStmt *, r->info->loop_count + 1);
  RlxScheduleInit where = {.c = r->c, .info = r->info, .discarded = dropped};
  for (int i = 0; i < r->info->loop_count; i++)
    if (loop_at(r, i) != r->loop && touches(r, loop_at(r, i), RLX_ITER_REDUCE))
      dropped[where.discarded_count++] = loop_at(r, i);
  r->final_predicate =
      rlx_schedule_init_predicate(&where, spatial_part(r, r->block->block->predicate));
  return !where.is_lost || refuse(r, "whether there are partial results is not told without the "
                                     "other loops that reduce");
}

// ---- new blocks

static RlxName named(const Rfactor *r, const char *before, RlxName name, const char *after) {
  char text[600];
  snprintf(text, sizeof text, "%s%s%s", before, rlx_store_text(r->c->s->store, name), after);
  return rlx_intern_text(rlx_store_names(r->c->s->store), text);
}

static RlxTirIterVar iter_of_loop(const Rfactor *r, const RlxTirStmt *loop, RlxTirIterType type) {
  RlxTirIterVar v = {.extent = loop->extent, .min = loop->min, .type = (uint8_t)type};
  v.var = rlx_tir_var(r->c->f, named(r, "v", loop->var->name, ""), loop->var->dtype);
  v.binding = rlx_tir_var_expr(r->c->f, loop->var);
  return v;
}

static RlxTirExpr *load(const Rfactor *r, RlxTirBuffer *buffer, RlxTirExpr **indices) {
  return rlx_tir_load(r->c->f, buffer, indices);
}

typedef struct Combine {
  const Rfactor *r;
  RlxTirExpr **lhs, **rhs;
} Combine;

/// The combiner with other sides: both stand in it as they were found.
static RlxTirExpr *combine(const Combine *m, RlxTirExpr *e) {
  for (int k = 0; k < m->r->count; k++) {
    if (rlx_tir_expr_equal(e, m->r->lhs[k])) return m->lhs[k];
    if (rlx_tir_expr_equal(e, m->r->rhs[k])) return m->rhs[k];
  }
  if (!e->arg_count) return e;
  RlxTirExpr *out = rlx_arena_one(m->r->c->f->arena, RlxTirExpr);
  *out = *e;
  out->args = rlx_arena_array(m->r->c->f->arena, RlxTirExpr *, e->arg_count);
  for (int i = 0; i < e->arg_count; i++) out->args[i] = combine(m, e->args[i]);
  return out;
}

static RlxTirStmt *stores(const Rfactor *r, RlxTirBuffer *const *buffers, RlxTirExpr **indices,
                          RlxTirExpr **values) {
  RlxTirStmt *all[BUFFERS_MAX];
  for (int k = 0; k < r->count; k++)
    all[k] = rlx_tir_store(r->c->f, buffers[k], indices, values[k]);
  return rlx_tir_seq(r->c->f, all, r->count);
}

/// The update of `buffers` at `indices` by `rhs`.
static RlxTirStmt *update(const Rfactor *r, RlxTirBuffer *const *buffers, RlxTirExpr **indices,
                          RlxTirExpr **rhs) {
  RlxPrimFunc *f = r->c->f;
  RlxTirExpr *lhs[BUFFERS_MAX], *values[BUFFERS_MAX];
  RlxTirVar *lets[BUFFERS_MAX];
  for (int k = 0; k < r->count; k++) lhs[k] = load(r, buffers[k], indices);
  Combine m = {r, lhs, rhs};
  for (int k = 0; k < r->count; k++) values[k] = combine(&m, r->values[k]);
  if (r->count == 1) return stores(r, buffers, indices, values);
  RlxTirExpr *kept[BUFFERS_MAX];
  for (int k = 0; k < r->count; k++) {
    lets[k] = rlx_tir_var(f, named(r, "v_", buffers[k]->name, ""), values[k]->dtype);
    kept[k] = rlx_tir_var_expr(f, lets[k]);
  }
  RlxTirStmt *out = stores(r, buffers, indices, kept);
  for (int k = r->count - 1; k >= 0; k--) out = rlx_tir_let_stmt(f, lets[k], values[k], out);
  return out;
}

static void make_buffers(Rfactor *r) {
  RlxPrimFunc *f = r->c->f;
  for (int k = 0; k < r->count; k++) {
    const RlxTirBuffer *was = r->updates[k]->buffer;
    RlxTirExpr **shape = rlx_arena_array(r->c->s->arena, RlxTirExpr *, was->ndim + 1);
    for (int d = 0, from = 0; d <= was->ndim; d++)
      shape[d] = d == r->axis ? r->loop->extent : was->shape[from++];
    RlxName name = rlx_schedule_name(r->c, "%s_rf", rlx_store_text(r->c->s->store, was->name));
    r->partial[k] = rlx_tir_buffer(f, name, was->dtype, shape, was->ndim + 1);
    r->partial[k]->scope = was->scope;
  }
}

static RlxTirRegion *point(const Rfactor *r, RlxTirBuffer *const *buffers, RlxTirExpr **indices) {
  RlxPrimFunc *f = r->c->f;
  RlxTirRegion *out = rlx_arena_array(f->arena, RlxTirRegion, r->count);
  for (int k = 0; k < r->count; k++) {
    int n = buffers[k]->ndim;
    out[k] = (RlxTirRegion){buffers[k], rlx_arena_array(f->arena, RlxTirExpr *, n + 1),
                            rlx_arena_array(f->arena, RlxTirExpr *, n + 1)};
    for (int d = 0; d < n; d++) {
      out[k].begin[d] = indices[d];
      out[k].extent[d] = rlx_tir_int(f, 1, indices[d]->dtype);
    }
  }
  return out;
}

typedef struct Collect {
  const Rfactor *r;
  const RlxTirStmt *loops[64];
  int count;
} Collect;

static bool collect_loop(const RlxTirExpr *e, void *data) {
  Collect *x = data;
  for (int i = 0; e->kind == RLX_TIR_VAR && i < x->r->info->loop_count; i++) {
    const RlxTirStmt *loop = loop_at(x->r, i);
    bool is_known = loop->var != e->var || x->count == 64;
    for (int k = 0; k < x->count; k++) is_known |= x->loops[k] == loop;
    if (!is_known) x->loops[x->count++] = loop;
  }
  return true;
}

/// Where the partial results of an iteration are: they begin at 0, wherever the loop does.
static RlxTirExpr *factor_index(const Rfactor *r) {
  RlxPrimFunc *f = r->c->f;
  RlxTirExpr *at = rlx_tir_var_expr(f, r->factor), *min = r->loop->min;
  if (!min) return at;
  return rlx_schedule_simplify(r->c, rlx_tir_binary(f, RLX_TIR_SUB, at, min));
}

/// The block of partial results, without loops.
static RlxTirStmt *partial_block(Rfactor *r) {
  RlxPrimFunc *f = r->c->f;
  const RlxTirBlock *was = r->block->block;
  int room = was->iter_count + r->info->loop_count + 1, count = 0, put_count = 0, made = 0;
  RlxTirIterVar *iters = rlx_arena_array(f->arena, RlxTirIterVar, room);
  RlxTirSubst *put = rlx_arena_array(r->c->s->arena, RlxTirSubst, room);
  RlxTirSubst *by_loop = rlx_arena_array(r->c->s->arena, RlxTirSubst, room);
  iters[count] = iter_of_loop(r, r->loop, RLX_ITER_DATA_PAR);
  r->factor = iters[count].var;
  by_loop[made++] = (RlxTirSubst){r->loop->var, rlx_tir_var_expr(f, iters[count++].var)};
  for (int i = 0; i < was->iter_count; i++) {
    const RlxTirIterVar *iter = &was->iters[i];
    if (iter->type == RLX_ITER_DATA_PAR || !rlx_schedule_uses(iter->binding, r->loop->var)) {
      iters[count++] = *iter;
      continue;
    }
    Collect x = {.r = r};
    rlx_tir_visit_expr(iter->binding, collect_loop, &x);
    for (int l = 0; l < x.count; l++) {
      bool is_made = false;
      for (int k = 0; k < made; k++) is_made |= by_loop[k].var == x.loops[l]->var;
      if (is_made) continue;
      iters[count] = iter_of_loop(r, x.loops[l], RLX_ITER_REDUCE);
      by_loop[made++] = (RlxTirSubst){x.loops[l]->var, rlx_tir_var_expr(f, iters[count++].var)};
    }
    put[put_count++] = (RlxTirSubst){iter->var, rlx_tir_subst(f, iter->binding, by_loop, made)};
  }
  bool reduces = false;
  for (int i = 0; i < count; i++) reduces |= iters[i].type == RLX_ITER_REDUCE;
  int n = r->updates[0]->buffer->ndim;
  r->at = rlx_arena_array(f->arena, RlxTirExpr *, n + 1);
  for (int d = 0, from = 0; d <= n; d++)
    r->at[d] = d == r->axis ? factor_index(r) : r->updates[0]->indices[from++];
  RlxTirStmt *body =
      reduces ? update(r, r->partial, r->at, r->rhs) : stores(r, r->partial, r->at, r->rhs);
  RlxTirStmt *init = reduces ? stores(r, r->partial, r->at, r->identities) : NULL;
  RlxTirStmt *out = rlx_tir_block(f, named(r, "", was->name, "_rf"), iters, count, init, body);
  out->block->annotations = was->annotations;
  out->block->annotation_count = was->annotation_count;
  out->block->reads = was->reads;
  out->block->read_count = was->read_count;
  out->block->writes = point(r, r->partial, r->at);
  out->block->write_count = r->count;
  out = rlx_tir_subst_stmt(f, out, put, put_count, NULL, NULL);
  out = rlx_tir_copy_block(f, out);
  out->block->iters = iters;
  out->block->predicate = was->predicate;
  return out;
}

/// In copies of all the loops around.
static RlxTirStmt *wrap_partial(const Rfactor *r, RlxTirStmt *block) {
  RlxPrimFunc *f = r->c->f;
  int n = r->info->loop_count;
  RlxTirSubst *put = rlx_arena_array(r->c->s->arena, RlxTirSubst, n + 1);
  RlxTirStmt *out = block;
  for (int i = n - 1; i >= 0; i--) {
    RlxTirStmt *loop = rlx_tir_copy(f, loop_at(r, i));
    loop->var = rlx_tir_var(f, loop->var->name, loop->var->dtype);
    put[i] = (RlxTirSubst){loop_at(r, i)->var, rlx_tir_var_expr(f, loop->var)};
    loop->body[0] = out;
    out = loop;
  }
  return rlx_tir_subst_stmt(f, out, put, n, NULL, NULL);
}

/// The block that reduces the partial results.
static RlxTirStmt *final_block(const Rfactor *r) {
  RlxPrimFunc *f = r->c->f;
  const RlxTirBlock *was = r->block->block;
  RlxTirIterVar *iters = rlx_arena_array(f->arena, RlxTirIterVar, was->iter_count + 1);
  RlxTirSubst *put = rlx_arena_array(r->c->s->arena, RlxTirSubst, was->iter_count + 1);
  int count = 0;
  iters[count] = iter_of_loop(r, r->loop, RLX_ITER_REDUCE);
  put[count] = (RlxTirSubst){r->factor, rlx_tir_var_expr(f, iters[count].var)};
  count++;
  for (int i = 0; i < was->iter_count; i++) {
    if (was->iters[i].type != RLX_ITER_DATA_PAR) continue;
    iters[count] = was->iters[i];
    iters[count].var = rlx_tir_var(f, was->iters[i].var->name, was->iters[i].var->dtype);
    put[count] = (RlxTirSubst){was->iters[i].var, rlx_tir_var_expr(f, iters[count].var)};
    count++;
  }
  RlxTirBuffer *buffers[BUFFERS_MAX];
  RlxTirExpr *rhs[BUFFERS_MAX];
  for (int k = 0; k < r->count; k++) {
    buffers[k] = r->updates[k]->buffer;
    rhs[k] = load(r, r->partial[k], r->at);
  }
  RlxTirExpr **indices = r->updates[0]->indices, *none[BUFFERS_MAX];
  for (int k = 0; k < r->count; k++) none[k] = r->identities[k];
  RlxTirStmt *body = update(r, buffers, indices, rhs);
  RlxTirStmt *out =
      rlx_tir_block(f, was->name, iters, count, stores(r, buffers, indices, none), body);
  out->block->annotations = was->annotations;
  out->block->annotation_count = was->annotation_count;
  out->block->reads = point(r, r->partial, r->at);
  out->block->writes = point(r, buffers, indices);
  out->block->read_count = out->block->write_count = r->count;
  out = rlx_tir_copy_block(f, rlx_tir_subst_stmt(f, out, put, count, NULL, NULL));
  out->block->iters = iters;
  out->block->predicate = r->final_predicate;
  return out;
}

/// The loops from `s` on around the final block: of those that reduce, the factored one alone stays.
static RlxTirStmt *rebuild(const Rfactor *r, RlxTirStmt *s, RlxTirStmt *final) {
  if (s == r->block) return final;
  if (s->kind == RLX_TIR_FOR && s != r->loop && touches(r, s, RLX_ITER_REDUCE)) {
    rlx_schedule_moved(r->c, s, NULL);
    return rebuild(r, s->body[0], final);
  }
  RlxTirStmt *out = s;
  for (uint32_t i = 0; i < s->count && s->kind != RLX_TIR_BLOCK; i++) {
    RlxTirStmt *child = rebuild(r, s->body[i], final);
    if (child == s->body[i]) continue;
    if (out == s) out = rlx_tir_copy(r->c->f, s);
    out->body[i] = child;
  }
  if (out != s && s->kind == RLX_TIR_FOR) rlx_schedule_moved(r->c, s, out);
  return out;
}

bool rlx_primitive_rfactor(RlxScheduleCall *c) {
  Rfactor r = {.c = c, .a = rlx_schedule_analysis(c)};
  if (!rlx_schedule_loop(c, 0, &r.loop) || !check_block(&r) ||
      !rlx_schedule_check_names(c, r.block) || !read_block(&r) || !check_predicate(&r) ||
      !find_final_predicate(&r))
    return false;
  int64_t axis = rlx_schedule_integer(c, 1, 0);
  int n = r.updates[0]->buffer->ndim;
  if (axis < -(n + 1) || axis > n)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), r.loop, "ss", "rfactor",
                               "`factor_axis` is no dimension that the buffer may get");
  r.axis = (int)(axis < 0 ? axis + n + 1 : axis);
  make_buffers(&r);
  RlxTirStmt *partial = partial_block(&r), *final = final_block(&r);
  RlxTirStmt *nest = wrap_partial(&r, partial), *top = (RlxTirStmt *)(uintptr_t)loop_at(&r, 0);
  RlxTirStmt *both[2] = {nest, rebuild(&r, top, final)};
  const RlxTirStmt *scope = r.a->blocks[r.info->scope].stmt;
  rlx_schedule_moved(c, r.block, final);
  rlx_schedule_put(c, top, rlx_tir_seq(c->f, both, 2));
  for (int k = 0; k < r.count; k++) {
    rlx_schedule_change_alloc(c, scope, NULL, r.partial[k]);
  }
  while (nest->kind == RLX_TIR_FOR) nest = nest->body[0];
  rlx_schedule_give(c, nest);
  return true;
}
