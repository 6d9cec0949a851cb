/// transform_block_layout: the instances of a block under other variables and loops.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/layout_transformation.cc (TransformBlockLayout).
#include "analyzer/schedule/index_map.h"
#include "analyzer/tir/update_order.h"

#include <stdio.h>

static const char not_onto[] = "the map is not shown to be one to one onto a box: instances would "
                               "be lost, or new ones come in";

typedef struct BlockLayout {
  RlxScheduleCall *c;
  const RlxTirStmt *block, *top; ///< top: the outermost loop, or the block
  const RlxTirBlockInfo *info;
  const char *map;
  RlxTirExpr **shape, **made; ///< extents of the new variables, and what they stand for
  int count;
  RlxTirIterVar *iters;
} BlockLayout;

static bool refuse(BlockLayout *l, const char *why) {
  return rlx_schedule_refuse(l->c, RLX_DIAG_ID(SCHEDULE_ATTRIBUTE), l->block, "ss",
                             l->c->primitive->name, why);
}

/// Loops that stand directly in one another around the block, each bound to one variable in order.
static bool check_loops(BlockLayout *l) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(l->c);
  int64_t first = 0;
  l->top = l->info->loop_count ? a->loops[l->info->loops[0]].stmt : l->block;
  const RlxTirStmt *at = l->top;
  for (int i = 0; i < l->info->loop_count; i++, at = at->body[0]) {
    const RlxTirLoopInfo *loop = &a->loops[l->info->loops[i]];
    if (at != loop->stmt) return refuse(l, "something else stands under its loops");
    if (loop->min && (!rlx_prim_is_const(loop->min, &first) || first))
      return refuse(l, "a loop does not start at 0");
    if (at->annotation_count || at->for_kind != RLX_FOR_SERIAL)
      return refuse(l, "a loop is annotated or does not run serially, which would be lost");
  }
  if (at != l->block) return refuse(l, "something else stands under its loops");
  if (!l->info->trivial_binding.is) return refuse(l, "its variables are not its loops, one by one");
  if (l->block->block->predicate) return refuse(l, "it has a predicate");
  RlxBindingVerdict all = rlx_tir_binding(a, l->info); // the new loops run the whole domain
  if (all.proof == RLX_YES) return true;
  const char *why = rlx_arena_printf(l->c->s->arena, "not each of its instances runs once: %s",
                                     all.witness ? all.witness : all.reason);
  refuse(l, why);
  rlx_schedule_witness(l->c, all.witness);
  return false;
}

/// Its instances run in another order: what one gives another is at most a sum that goes on.
static bool check_order(BlockLayout *l) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(l->c);
  RlxTirVerdict v = rlx_tir_update_order(a, l->info, true);
  bool is_refuted = !v.is;
  for (int i = 0; !is_refuted && i < l->info->loop_count; i++) { // one loop for each variable
    if (!i && rlx_tir_is_free_below(a, l->info->loops[0])) break;
    bool reduces = l->block->block->iters[i].type == RLX_ITER_REDUCE && l->info->reduction.is;
    if (reduces) continue;
    v = rlx_tir_race_free(a, rlx_schedule_accesses(l->c), l->info->loops[i]);
    is_refuted = !v.is;
  }
  if (!is_refuted) return true;
  refuse(l, rlx_arena_printf(l->c->s->arena, "its instances would run in another order: %s",
                             v.reason && *v.reason ? v.reason : "that is not decided"));
  rlx_schedule_witness(l->c, v.witness);
  return false;
}

/// One type for each new variable: that of the variables it is made of.
static bool make_iters(BlockLayout *l) {
  RlxScheduleCall *c = l->c;
  const RlxTirBlock *b = l->block->block;
  l->iters = rlx_arena_array(c->f->arena, RlxTirIterVar, l->count + 1);
  for (int d = 0; d < l->count; d++) {
    int type = -1;
    bool is_mixed = false;
    for (int i = 0; i < b->iter_count; i++) {
      if (!rlx_schedule_uses(l->made[d], b->iters[i].var)) continue;
      is_mixed |= type >= 0 && type != b->iters[i].type;
      type = b->iters[i].type;
    }
    bool is_unit = l->shape[d]->kind == RLX_TIR_INT && l->shape[d]->integer == 1;
    if (!is_unit && is_mixed)
      return refuse(l, "a new variable is made of variables that reduce and of others");
    char name[32];
    RlxInterner *names = rlx_store_names(c->s->store);
    RlxDType dtype = l->made[d]->dtype;
    snprintf(name, sizeof name, "v%d", d);
    RlxTirVar *v = rlx_tir_var(c->f, rlx_intern_text(names, name), dtype);
    snprintf(name, sizeof name, "ax%d", d);
    RlxTirVar *loop = rlx_tir_var(c->f, rlx_intern_text(names, name), dtype);
    RlxTirExpr *extent = l->shape[d]->kind == RLX_TIR_INT
                             ? rlx_tir_int(c->f, l->shape[d]->integer, dtype)
                             : l->shape[d];
    rlx_tir_note_domain(v, NULL, extent);
    l->iters[d] = (RlxTirIterVar){.var = v,
                                  .extent = extent,
                                  .binding = rlx_tir_var_expr(c->f, loop),
                                  .type = is_unit || type < 0 ? RLX_ITER_DATA_PAR : (uint8_t)type};
  }
  return true;
}

static RlxTirExpr *simplify_index(RlxTirRewriter *w, RlxTirExpr *e) {
  bool is_part = e->kind == RLX_TIR_FLOORDIV || e->kind == RLX_TIR_FLOORMOD ||
                 e->kind == RLX_TIR_ADD || e->kind == RLX_TIR_MUL;
  return is_part && rlx_dtype_is_int(e->dtype) ? rlx_schedule_simplify(w->data, e) : e;
}

/// The block over its new variables, `back` saying what the old ones are, under new loops.
static void replace(BlockLayout *l, RlxTirExpr *const *back) {
  RlxScheduleCall *c = l->c;
  RlxPrimFunc *f = c->f;
  int n = l->block->block->iter_count;
  RlxTirSubst *put = rlx_arena_array(f->arena, RlxTirSubst, n + 1);
  for (int i = 0; i < n; i++) put[i] = (RlxTirSubst){l->block->block->iters[i].var, back[i]};
  RlxTirStmt *bare = rlx_tir_copy_block(f, l->block);
  bare->block->iter_count = 0; // so that their values go in below
  RlxTirStmt *out = rlx_schedule_subst(c, bare, put, n);
  RlxTirRewriter w = {.f = f, .data = c, .expr = simplify_index, .moved = rlx_schedule_note_moved};
  out = rlx_tir_copy_block(f, rlx_tir_rewrite(&w, out));
  out->block->iters = l->iters;
  out->block->iter_count = l->count;
  rlx_schedule_moved(c, l->block, out);
  for (int d = l->count - 1; d >= 0; d--)
    out = rlx_tir_for(f, l->iters[d].binding->var, l->iters[d].extent, RLX_FOR_SERIAL, out);
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  for (int i = 0; i < l->info->loop_count; i++)
    rlx_schedule_moved(c, a->loops[l->info->loops[i]].stmt, NULL);
  rlx_schedule_put(c, l->top, out);
}

bool rlx_primitive_transform_block_layout(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  BlockLayout l = {.c = c, .map = rlx_schedule_text(c, 1)};
  if (!rlx_schedule_block(c, 0, &place)) return false;
  if (!place.stmt) return refuse(&l, "the root block is not written");
  l.block = place.stmt;
  l.info = rlx_schedule_block_info(c, place.stmt);
  const RlxTirBlock *b = l.block->block;
  int n = b->iter_count, count = 0;
  if (!check_loops(&l) || !check_order(&l)) return false;
  RlxTirExpr **vars = rlx_arena_array(c->f->arena, RlxTirExpr *, n + 1);
  RlxTirExpr **dims = rlx_arena_array(c->f->arena, RlxTirExpr *, n + 1);
  for (int i = 0; i < n; i++) {
    vars[i] = rlx_tir_var_expr(c->f, b->iters[i].var);
    dims[i] = b->iters[i].extent;
    if (b->iters[i].min && (b->iters[i].min->kind != RLX_TIR_INT || b->iters[i].min->integer))
      return refuse(&l, "the domain of a variable does not start at 0");
  }
  l.made = rlx_schedule_map_indices(c, l.map, vars, n, &l.count);
  if (!l.made)
    return refuse(&l, c->map_problem ? c->map_problem
                                     : "the map does not take as many variables as it has");
  if (!rlx_schedule_map_is_onto(c, l.map, dims, n, &l.shape, &count)) return refuse(&l, not_onto);
  if (!make_iters(&l)) return false;
  RlxTirExpr **values = rlx_arena_array(c->f->arena, RlxTirExpr *, l.count + 1);
  RlxTirExpr **back = rlx_arena_array(c->f->arena, RlxTirExpr *, n + 1);
  for (int d = 0; d < l.count; d++) values[d] = rlx_tir_var_expr(c->f, l.iters[d].var);
  if (!rlx_schedule_map_inverse(c, l.map, dims, n, values, back)) return refuse(&l, not_onto);
  replace(&l, back);
  return true;
}
