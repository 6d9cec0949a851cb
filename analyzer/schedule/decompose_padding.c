/// decompose_padding: a block that stores a value inside of a box and a constant around it becomes one
/// that stores the constant everywhere, and one that stores the value inside.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/decompose_padding.cc.
#include "analyzer/schedule/domain.h"

#include <stdio.h>

typedef struct Decompose {
  RlxScheduleCall *c;
  RlxStore *store;
  RlxArena *arena;
  const RlxTirStmt *block, *loop, *below, *store_stmt; ///< below: the loop that is trimmed
  const RlxTirBlockInfo *info;
  int at, below_at;              ///< numbers of `loop` and `below` among the loops around the block
  RlxTirExpr *cond;              ///< over the loops: inside of the box
  const RlxPrim **min, **extent; ///< by block variable: the box
  const RlxFacts *facts;         ///< ranges of all loops
  RlxScheduleVars vars;
} Decompose;

static bool refuse(Decompose *d, const char *why) {
  return rlx_schedule_refuse(d->c, RLX_DIAG_ID(SCHEDULE_PADDING), d->block, "ss",
                             rlx_schedule_block_name(d->c, d->block), why);
}

static const RlxTirStmt *loop_at(const Decompose *d, int i) {
  return rlx_schedule_analysis(d->c)->loops[d->info->loops[i]].stmt;
}

static bool is_constant(const RlxTirExpr *e) {
  return e->kind == RLX_TIR_INT || e->kind == RLX_TIR_FLOAT;
}

/// The loop, and the highest one from the block upwards, at most that, with nothing else in it.
static bool find_loops(Decompose *d) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(d->c);
  d->at = d->below_at = -1;
  for (int i = 0; i < d->info->loop_count; i++) {
    const RlxTirLoopInfo *l = &a->loops[d->info->loops[i]];
    if (l->stmt == d->loop) d->at = i;
    if (!l->min || !l->extent) return refuse(d, "the range of a loop is no integer expression");
    d->facts = rlx_schedule_range_facts(d->c, l->symbol, l->min, l->extent, d->facts);
  }
  if (d->at < 0) return refuse(d, "it does not stand under the loop");
  const RlxTirStmt *child = d->block;
  for (int i = d->info->loop_count - 1; i >= d->at; i--) {
    if (loop_at(d, i)->body[0] != child) break;
    child = loop_at(d, d->below_at = i);
  }
  if (d->below_at < 0) return refuse(d, "something else stands in the innermost loop");
  d->below = loop_at(d, d->below_at);
  return true;
}

/// The conjuncts that do not hold anyhow.
static RlxTirExpr *simplify_condition(Decompose *d, const RlxFacts *facts, RlxTirExpr *e) {
  if (!e) return NULL;
  if (e->kind == RLX_TIR_AND)
    return rlx_tir_and(d->c->f, simplify_condition(d, facts, e->args[0]),
                       simplify_condition(d, facts, e->args[1]));
  const RlxPrim *p = rlx_tir_number(d->store, e);
  return p && rlx_prove(d->store, facts, p) == RLX_YES ? NULL : e;
}

/// The condition over the loops, and for each block variable the box in which it holds.
static bool find_box(Decompose *d) {
  RlxScheduleCall *c = d->c;
  const RlxTirBlock *b = d->block->block;
  int n = b->iter_count, loops = d->info->loop_count;
  RlxTirSubst *put = rlx_arena_array(d->arena, RlxTirSubst, n + 1);
  const RlxPrim **indices = rlx_arena_array(d->arena, const RlxPrim *, n + 1);
  RlxLoopRange *ranges = rlx_arena_array(d->arena, RlxLoopRange, loops + 1);
  for (int i = 0; i < n; i++) {
    put[i] = (RlxTirSubst){b->iters[i].var, b->iters[i].binding};
    if (!(indices[i] = d->info->iters[i].binding))
      return refuse(d, "a variable is no integer expression");
  }
  for (int i = 0; i < loops; i++) {
    const RlxTirLoopInfo *l = &rlx_schedule_analysis(c)->loops[d->info->loops[i]];
    ranges[i] = (RlxLoopRange){l->symbol, l->min, l->extent};
  }
  RlxTirExpr *cond = rlx_tir_subst(c->f, d->store_stmt->value->args[0], put, n);
  d->cond = simplify_condition(d, d->facts, rlx_tir_and(c->f, cond, b->predicate));
  if (!d->cond) return refuse(d, "its condition always holds");
  RlxIterQuery query = {.indices = indices,
                        .index_count = n,
                        .loops = ranges,
                        .loop_count = loops,
                        .predicate = rlx_tir_number(d->store, d->cond),
                        .level = RLX_ITER_SURJECTIVE};
  RlxIterMap map = {0};
  if (query.predicate) map = rlx_iter_map_detect(d->store, d->arena, &query);
  if (!map.sums || map.is_padded)
    return refuse(d, "its condition is not shown to be a box of its variables");
  d->min = rlx_arena_array(d->arena, const RlxPrim *, n + 1);
  d->extent = rlx_arena_array(d->arena, const RlxPrim *, n + 1);
  for (int i = 0; i < n; i++) {
    const RlxIterSum *sum = &map.sums[i];
    int64_t scale = 1;
    if (sum->split_count > 1 ||
        (sum->split_count == 1 && (!rlx_prim_is_const(sum->splits[0].scale, &scale) || scale != 1)))
      return refuse(d, "its condition is not shown to be a box of its variables");
    d->min[i] = rlx_prim_simplify(d->store, sum->base);
    d->extent[i] = sum->split_count ? rlx_prim_simplify(d->store, sum->splits[0].extent)
                                    : rlx_prim_int_typed(d->store, 1, sum->base->dtype);
  }
  return true;
}

// ---- expressions

typedef struct Put {
  Decompose *d;
  const RlxTirSubst *at;
  int count;
  const RlxFacts *facts;
} Put;

/// `e`, an integer, with variables put in and simplified under the facts.
static RlxTirExpr *simplified(Put *p, RlxTirExpr *e) {
  RlxTirExpr *out = rlx_tir_subst(p->d->c->f, e, p->at, p->count);
  const RlxPrim *prim = rlx_tir_number(p->d->store, out);
  if (!prim || out->kind == RLX_TIR_INT) return out;
  rlx_schedule_vars_of(&p->d->vars, out);
  const RlxPrim *simple = rlx_schedule_simplify_under(p->d->store, p->facts, prim);
  RlxTirExpr *now = simple == prim ? NULL : rlx_schedule_expr(&p->d->vars, simple);
  if (now && now->kind == RLX_TIR_INT) now = rlx_tir_int(p->d->c->f, now->integer, e->dtype);
  return now && !rlx_tir_may_wrap(now, RLX_TIR_FOR_VALUE) ? now : out;
}

static RlxTirExpr *put_load(RlxTirRewriter *w, RlxTirExpr *e) {
  Put *p = w->data;
  if (e->kind == RLX_TIR_LOAD) {
    RlxTirExpr *out = rlx_arena_one(w->f->arena, RlxTirExpr);
    *out = *e;
    out->args = rlx_arena_array(w->f->arena, RlxTirExpr *, e->buffer->ndim + 1);
    for (int i = 0; i < e->buffer->ndim; i++) out->args[i] = simplified(p, e->args[i]);
    return out;
  }
  for (int i = 0; e->kind == RLX_TIR_VAR && i < p->count; i++)
    if (p->at[i].var == e->var) return p->at[i].value;
  return e;
}

static RlxTirRegion *put_regions(Put *p, const RlxTirRegion *regions, int count) {
  RlxPrimFunc *f = p->d->c->f;
  RlxTirRegion *out = rlx_arena_array(f->arena, RlxTirRegion, count + 1);
  for (int i = 0; i < count; i++) {
    int ndim = regions[i].buffer->ndim;
    out[i].buffer = regions[i].buffer;
    out[i].begin = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
    out[i].extent = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
    for (int k = 0; k < ndim; k++) {
      out[i].begin[k] = simplified(p, regions[i].begin[k]);
      out[i].extent[k] = simplified(p, regions[i].extent[k]);
    }
  }
  return out;
}

static RlxTirStmt *put_store(Put *p, RlxTirExpr *value) {
  RlxTirStmt *out = rlx_tir_copy(p->d->c->f, p->d->store_stmt);
  out->value = value;
  out->indices = rlx_arena_array(p->d->c->f->arena, RlxTirExpr *, out->buffer->ndim + 1);
  for (int i = 0; i < out->buffer->ndim; i++)
    out->indices[i] = simplified(p, p->d->store_stmt->indices[i]);
  return out;
}

static RlxTirVar *copy_var(Decompose *d, const RlxTirVar *v) {
  RlxTirVar *out = rlx_tir_var(d->c->f, v->name, v->dtype);
  rlx_schedule_vars_add(&d->vars, out);
  return out;
}

/// Loops of one iteration among the first `count`, but those whose extents change, become their minimum:
/// appended to `at`, how many there are then.
static int put_units(Decompose *d, RlxTirSubst *at, int n, int count, RlxTirExpr *const *extents) {
  for (int l = 0; l < count; l++) {
    const RlxTirStmt *loop = loop_at(d, l);
    bool is_unit = loop->extent->kind == RLX_TIR_INT && loop->extent->integer == 1;
    if (is_unit && !(extents && extents[l]))
      at[n++] = (RlxTirSubst){loop->var,
                              loop->min ? loop->min : rlx_tir_int(d->c->f, 0, loop->var->dtype)};
  }
  return n;
}

// ---- the two nests

/// The constant, everywhere, under loops of its own from `loop` down.
static RlxTirStmt *make_constant(Decompose *d, RlxTirStmt **out_block) {
  RlxPrimFunc *f = d->c->f;
  const RlxTirBlock *b = d->block->block;
  int n = b->iter_count, loops = d->info->loop_count;
  RlxTirSubst *own = rlx_arena_array(d->arena, RlxTirSubst, n + 1);
  RlxTirSubst *around = rlx_arena_array(d->arena, RlxTirSubst, loops + 1);
  RlxTirIterVar *iters = rlx_arena_array(f->arena, RlxTirIterVar, n + 1);
  Put inside = {d, own, n, NULL}, outside = {d, around, 0, d->facts};
  for (int i = d->at; i < loops; i++) {
    const RlxTirLoopInfo *l = &rlx_schedule_analysis(d->c)->loops[d->info->loops[i]];
    RlxTirVar *v = copy_var(d, l->stmt->var);
    around[outside.count++] = (RlxTirSubst){l->stmt->var, rlx_tir_var_expr(f, v)};
    outside.facts = rlx_schedule_range_facts(d->c, rlx_tir_symbol(d->store, v), l->min, l->extent,
                                             outside.facts);
  }
  int copied = outside.count;
  outside.count = put_units(d, around, copied, d->at, NULL);
  for (int i = 0; i < n; i++) {
    iters[i] = b->iters[i];
    iters[i].var = copy_var(d, b->iters[i].var);
    iters[i].binding = simplified(&outside, b->iters[i].binding);
    own[i] = (RlxTirSubst){b->iters[i].var, rlx_tir_var_expr(f, iters[i].var)};
  }
  char name[600];
  snprintf(name, sizeof name, "%s_pad_const", rlx_store_text(d->store, b->name));
  RlxTirStmt *out = rlx_tir_block(f, rlx_intern_text(rlx_store_names(d->store), name), iters, n,
                                  NULL, put_store(&inside, d->store_stmt->value->args[2]));
  out->block->reads = rlx_arena_array(f->arena, RlxTirRegion, 1);
  out->block->read_count = 0;
  out->block->writes = put_regions(&inside, b->writes, b->write_count);
  out->block->write_count = b->write_count;
  out->block->predicate = b->predicate ? rlx_tir_subst(f, b->predicate, around, copied) : NULL;
  *out_block = out;
  for (int i = loops - 1; i >= d->at; i--) {
    const RlxTirStmt *loop = loop_at(d, i);
    out = rlx_tir_for(f, around[i - d->at].value->var, loop->extent, RLX_FOR_SERIAL, out);
    out->min = loop->min;
  }
  return out;
}

/// The variables of the block inside of the box, and the loops that run over it instead of over all.
typedef struct Box {
  RlxTirIterVar *iters;
  RlxTirExpr **mins;    ///< where the box begins, one a variable
  RlxTirExpr **extents; ///< one a loop; NULL: the loop runs as before
  RlxTirSubst *own;     ///< the block's variables by the new ones
  RlxTirSubst *around;  ///< the loops that begin elsewhere now
  int shifted;          ///< how many those are
} Box;

/// Fills the box; false: refused.
static bool make_box(Decompose *d, Box *x) {
  RlxPrimFunc *f = d->c->f;
  const RlxTirBlock *b = d->block->block;
  const int n = b->iter_count, loops = d->info->loop_count;
  *x = (Box){.iters = rlx_arena_array(f->arena, RlxTirIterVar, n + 1),
             .mins = rlx_arena_array(d->arena, RlxTirExpr *, n + 1),
             .extents = rlx_arena_array(d->arena, RlxTirExpr *, loops + 1),
             .own = rlx_arena_array(d->arena, RlxTirSubst, n + 1),
             .around = rlx_arena_array(d->arena, RlxTirSubst, n + 1)};
  for (int i = 0; i < n; i++) {
    const RlxTirVar *was = b->iters[i].var;
    RlxTirExpr *extent = rlx_schedule_expr(&d->vars, d->extent[i]);
    RlxTirExpr *min = rlx_schedule_expr(&d->vars, d->min[i]);
    if (!extent || !min) {
      refuse(d, "a bound has no spelling in TensorIR");
      return false;
    }
    if (extent->kind == RLX_TIR_INT) extent = rlx_tir_int(f, extent->integer, was->dtype);
    if (min->kind == RLX_TIR_INT) min = rlx_tir_int(f, min->integer, was->dtype);
    x->mins[i] = min;
    x->iters[i] =
        (RlxTirIterVar){.var = copy_var(d, was), .extent = extent, .type = RLX_ITER_DATA_PAR};
    RlxTirExpr *value = rlx_tir_var_expr(f, x->iters[i].var);
    x->own[i] = (RlxTirSubst){was, rlx_tir_binary(f, RLX_TIR_ADD, value, min)};
    RlxTirExpr *binding = b->iters[i].binding;
    for (int l = d->below_at; l < loops && binding->kind == RLX_TIR_VAR; l++)
      if (loop_at(d, l)->var == binding->var && !x->extents[l]) {
        x->extents[l] = extent;
        x->around[x->shifted++] =
            (RlxTirSubst){binding->var, rlx_tir_binary(f, RLX_TIR_ADD, binding, min)};
        x->iters[i].binding = binding;
      }
  }
  return true;
}

/// What holds of the loops around the box.
static const RlxFacts *facts_of_box(Decompose *d, const Box *x) {
  const RlxFacts *facts = NULL;
  for (int l = 0; l < d->info->loop_count; l++) {
    const RlxTirLoopInfo *info = &rlx_schedule_analysis(d->c)->loops[d->info->loops[l]];
    facts = x->extents[l]
                ? rlx_schedule_range_facts(d->c, info->symbol,
                                           rlx_prim_int_typed(d->store, 0, info->min->dtype),
                                           rlx_tir_integer(d->store, x->extents[l]), facts)
                : rlx_schedule_range_facts(d->c, info->symbol, info->min, info->extent, facts);
  }
  return facts;
}

/// The value, inside of the box; NULL: refused.
static RlxTirStmt *make_inside(Decompose *d) {
  RlxPrimFunc *f = d->c->f;
  const RlxTirBlock *b = d->block->block;
  const int n = b->iter_count, loops = d->info->loop_count;
  Box x;
  if (!make_box(d, &x)) return NULL;
  const RlxFacts *facts = facts_of_box(d, &x);
  RlxTirSubst *units = rlx_arena_array(d->arena, RlxTirSubst, loops + 1);
  Put inside = {d, x.own, n, NULL}, plain = {d, units, 0, facts};
  plain.count = put_units(d, units, 0, loops, x.extents);
  for (int i = 0; i < n; i++)
    if (!x.iters[i].binding)
      x.iters[i].binding =
          simplified(&plain, rlx_tir_binary(f, RLX_TIR_SUB, b->iters[i].binding, x.mins[i]));
  RlxTirRewriter w = {.f = f, .data = &inside, .expr = put_load};
  RlxTirStmt *out = rlx_tir_copy_block(f, d->block);
  out->body[0] = put_store(&inside, rlx_tir_rewrite_expr(&w, d->store_stmt->value->args[1]));
  out->block->iters = x.iters;
  out->block->reads = put_regions(&inside, b->reads, b->read_count);
  out->block->writes = put_regions(&inside, b->writes, b->write_count);
  out->block->predicate =
      simplify_condition(d, facts, rlx_tir_subst(f, d->cond, x.around, x.shifted));
  rlx_schedule_moved(d->c, d->block, out);
  for (int l = loops - 1; l >= d->below_at; l--) {
    RlxTirStmt *loop = rlx_tir_copy(f, loop_at(d, l));
    loop->body[0] = out;
    if (x.extents[l]) {
      loop->min = NULL;
      loop->extent = x.extents[l];
    }
    rlx_schedule_moved(d->c, loop_at(d, l), loop);
    out = loop;
  }
  return out;
}

static bool decompose(Decompose *d) {
  RlxScheduleCall *c = d->c;
  const RlxTirBlockInfo *scope = &rlx_schedule_analysis(c)->blocks[d->info->scope];
  if (!d->info->complete.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_PADDING), d->block,
                                       &d->info->complete);
  if (!rlx_schedule_check_bare(c, RLX_DIAG_ID(SCHEDULE_PADDING), d->block, d->info)) return false;
  d->store_stmt = rlx_schedule_only_store(d->block);
  if (!d->store_stmt || d->store_stmt->value->kind != RLX_TIR_IF_THEN_ELSE ||
      !is_constant(d->store_stmt->value->args[2]) || d->block->block->write_count != 1 ||
      d->block->block->read_count < 0)
    return refuse(d, "it is not one store of `T.if_then_else(inside, value, constant)`");
  if (!find_loops(d) ||
      !rlx_schedule_check_condition(c, RLX_DIAG_ID(SCHEDULE_PADDING), d->block, d->block, d->loop))
    return false;
  if (d->below_at != d->at && !scope->stage_pipeline.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_PADDING), d->block,
                                       &scope->stage_pipeline);
  if (!find_box(d)) return false;
  rlx_schedule_vars_all(&d->vars);
  RlxTirStmt *constant_block = NULL, *constant = make_constant(d, &constant_block);
  RlxTirStmt *inside = make_inside(d);
  if (!inside) return false;
  rlx_schedule_put(c, d->below, inside);
  RlxTirStmt *loop = d->below == d->loop ? inside : NULL;
  if (!loop) {
    const RlxTirStmt *now = rlx_schedule_now(c, d->loop);
    loop = rlx_tir_copy(c->f, now);
    rlx_schedule_moved(c, now, loop);
    RlxTirStmt *pair[] = {constant, loop};
    rlx_schedule_put(c, now, rlx_tir_seq(c->f, pair, 2));
  } else {
    RlxTirStmt *pair[] = {constant, inside};
    rlx_schedule_put(c, inside, rlx_tir_seq(c->f, pair, 2));
  }
  rlx_schedule_give(c, constant_block);
  return true;
}

bool rlx_primitive_decompose_padding(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  Decompose d = {.c = c, .store = c->s->store, .vars = {.c = c}};
  if (!rlx_schedule_block(c, 0, &place)) return false;
  d.block = place.stmt;
  if (!place.stmt) return refuse(&d, "it is the root block");
  if (!rlx_schedule_loop(c, 1, &d.loop)) return false;
  d.info = rlx_schedule_block_info(c, place.stmt);
  d.arena = rlx_arena_new();
  bool ok = decompose(&d);
  rlx_arena_free(d.arena);
  rlx_schedule_vars_free(&d.vars);
  return ok;
}

bool rlx_primitive_can_decompose_padding(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  const RlxTirStmt *loop;
  if (!rlx_schedule_block(c, 0, &place) || !rlx_schedule_loop(c, 1, &loop)) return false;
  RlxPrimitive step = *c->primitive; // of the same arguments
  step.name = "decompose_padding";
  step.run = rlx_primitive_decompose_padding;
  step.is_query = false;
  step.moves = true;
  const bool can = rlx_schedule_would(c, &step);
  c->result = (RlxScheduleValue){.kind = RLX_SCHEDULE_BOOL, .boolean = can};
  return true;
}
