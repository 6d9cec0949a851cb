/// decompose_reduction: the init of a reduction as a block of its own, before the loops that reduce.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/reduction.cc (DecomposeReduction).
#include "analyzer/schedule/domain.h"

#include <stdio.h>

typedef struct Decompose {
  RlxScheduleCall *c;
  const RlxTirStmt *block, *loop;
  const RlxTirBlockInfo *info;
  RlxTirSubst *vars; ///< data-parallel block variables of the block to those of the init's
  int var_count;
  bool is_lost; ///< where the init runs is not told without the loops that reduce
} Decompose;

/// Where the loop stands among those around the block; -1: refused.
static int check(Decompose *d) {
  RlxScheduleCall *c = d->c;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  int at = -1;
  for (int i = 0; i < d->info->loop_count; i++)
    if (a->loops[d->info->loops[i]].stmt == d->loop) at = i;
  if (at < 0) {
    rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), d->loop, "ss",
                        rlx_schedule_loop_name(c, d->loop), "the block is not directly below it");
    rlx_schedule_also(c, d->block, "the block");
    return -1;
  }
  if (!d->info->reduction.is) {
    rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_NOT_REDUCTION), d->block,
                                &d->info->reduction);
    return -1;
  }
  const char *late = rlx_schedule_init_starts_late(c, d->info);
  if (late) {
    rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_NOT_REDUCTION), d->block, "ss",
                        rlx_schedule_block_name(c, d->block), late);
    return -1;
  }
  if (!rlx_schedule_check_bare(c, RLX_DIAG_ID(SCHEDULE_LOOP), d->loop, d->info) ||
      !rlx_schedule_check_condition(c, RLX_DIAG_ID(SCHEDULE_LOOP), d->loop, d->block,
                                    a->loops[d->info->loops[at]].stmt))
    return -1;
  for (int i = at; i < d->info->loop_count; i++) {
    const RlxTirStmt *loop = a->loops[d->info->loops[i]].stmt;
    bool is_bound = loop->extent->kind == RLX_TIR_INT && loop->extent->integer == 1;
    for (int v = 0; v < d->info->iter_count; v++)
      is_bound |= rlx_schedule_uses(d->info->iters[v].iter->binding, loop->var);
    if (is_bound) continue;
    rlx_schedule_refuse(
        c, RLX_DIAG_ID(SCHEDULE_LOOP), d->loop, "ss", rlx_schedule_loop_name(c, d->loop),
        rlx_arena_printf(c->s->arena,
                         "loop `%s` repeats the whole reduction, and the init would "
                         "run once for all of it",
                         rlx_schedule_loop_name(c, loop)));
    rlx_schedule_also(c, loop, "this one");
    return -1;
  }
  for (int v = 0; v < d->info->iter_count; v++) {
    const RlxTirIterVar *iter = d->info->iters[v].iter;
    for (int i = 0; i < at && iter->type == RLX_ITER_REDUCE; i++) {
      const RlxTirStmt *above = a->loops[d->info->loops[i]].stmt;
      if (!rlx_schedule_uses(iter->binding, above->var)) continue;
      const char *why =
          rlx_arena_printf(c->s->arena, "loop `%s` above it reduces, too: the init would run again",
                           rlx_schedule_loop_name(c, above));
      rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), d->loop, "ss",
                          rlx_schedule_loop_name(c, d->loop), why);
      rlx_schedule_also(c, above, "this one");
      return -1;
    }
  }
  return at;
}

/// Blocks beside it under the loop, which the init passes: none writes what the init reads or writes, or
/// finds it done too early.
static bool check_others(Decompose *d) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(d->c);
  const RlxTirLoopInfo *loop = rlx_schedule_loop_info(d->c, d->loop);
  for (int i = 0; i < loop->block_count; i++) {
    const RlxTirBlockInfo *other = &a->blocks[loop->blocks[i]];
    bool meets = false, is_late = other->index > d->info->index && other->region_cover.is;
    for (int w = 0; w < other->writes.count; w++)
      meets |= rlx_schedule_touches(d->block->init, other->writes.at[w].buffer);
    for (int w = 0; w < d->info->writes.count && !is_late; w++)
      meets |= rlx_tir_box_of(&other->reads, d->info->writes.at[w].buffer) != NULL;
    if (!meets || other == d->info) continue;
    rlx_schedule_refuse(d->c, RLX_DIAG_ID(SCHEDULE_LOOP), d->loop, "ss",
                        rlx_schedule_loop_name(d->c, d->loop),
                        "before it the init would run at another time than a block under it that "
                        "uses the same memory");
    rlx_schedule_also(d->c, other->stmt, "this block");
    return false;
  }
  return true;
}

static RlxName suffixed(RlxScheduleCall *c, RlxName name, const char *suffix) {
  char text[600];
  snprintf(text, sizeof text, "%s%s", rlx_store_text(c->s->store, name), suffix);
  return rlx_intern_text(rlx_store_names(c->s->store), text);
}

/// A region over the init's variables; dimensions that other variables tell are whole.
static RlxTirRegion own_region(Decompose *d, const RlxTirRegion *region) {
  RlxPrimFunc *f = d->c->f;
  const RlxTirBlock *b = d->block->block;
  RlxTirRegion r = *region;
  r.begin = rlx_arena_array(f->arena, RlxTirExpr *, r.buffer->ndim);
  r.extent = rlx_arena_array(f->arena, RlxTirExpr *, r.buffer->ndim);
  for (int k = 0; k < r.buffer->ndim; k++) {
    bool is_whole = false;
    for (int i = 0; i < b->iter_count; i++)
      is_whole |= b->iters[i].type != RLX_ITER_DATA_PAR &&
                  (rlx_schedule_uses(region->begin[k], b->iters[i].var) ||
                   rlx_schedule_uses(region->extent[k], b->iters[i].var));
    RlxTirExpr *size = r.buffer->shape[k];
    r.begin[k] = is_whole ? rlx_tir_int(f, 0, size->dtype)
                          : rlx_tir_subst(f, region->begin[k], d->vars, d->var_count);
    r.extent[k] = is_whole ? size : rlx_tir_subst(f, region->extent[k], d->vars, d->var_count);
  }
  return r;
}

/// The init as a block over copies of the data-parallel variables.
static RlxTirStmt *make_init(Decompose *d) {
  RlxPrimFunc *f = d->c->f;
  const RlxTirBlock *b = d->block->block;
  RlxTirIterVar *iters = rlx_arena_array(f->arena, RlxTirIterVar, b->iter_count);
  d->vars = rlx_arena_array(f->arena, RlxTirSubst, b->iter_count);
  for (int i = 0; i < b->iter_count; i++) {
    if (b->iters[i].type != RLX_ITER_DATA_PAR) continue;
    RlxTirIterVar v = b->iters[i];
    v.var = rlx_tir_var(f, v.var->name, v.var->dtype);
    d->vars[d->var_count] = (RlxTirSubst){b->iters[i].var, rlx_tir_var_expr(f, v.var)};
    iters[d->var_count++] = v;
  }
  RlxTirStmt *body = rlx_tir_subst_stmt(f, d->block->init, d->vars, d->var_count, NULL, NULL);
  RlxTirStmt *out =
      rlx_tir_block(f, suffixed(d->c, b->name, "_init"), iters, d->var_count, NULL, body);
  out->block->annotations = b->annotations;
  out->block->annotation_count = b->annotation_count;
  out->block->reads = rlx_arena_array(f->arena, RlxTirRegion, b->read_count);
  out->block->read_count = 0;
  for (int i = 0; i < b->read_count; i++)
    if (rlx_schedule_loads_in(d->block->init, b->reads[i].buffer))
      out->block->reads[out->block->read_count++] = own_region(d, &b->reads[i]);
  out->block->write_count = b->write_count;
  out->block->writes = rlx_arena_array(f->arena, RlxTirRegion, b->write_count);
  for (int i = 0; i < b->write_count; i++) out->block->writes[i] = own_region(d, &b->writes[i]);
  return out;
}

/// Loops of its own around the init, one for each from the target down that it is bound to.
static RlxTirStmt *wrap_init(Decompose *d, RlxTirStmt *init, int from) {
  RlxScheduleCall *c = d->c;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  int count = d->info->loop_count;
  const RlxTirStmt **discarded = rlx_arena_array(c->s->arena, const RlxTirStmt *, count);
  const RlxTirStmt **chosen = rlx_arena_array(c->s->arena, const RlxTirStmt *, count);
  RlxTirSubst *put = rlx_arena_array(c->s->arena, RlxTirSubst, count);
  int discarded_count = 0, chosen_count = 0;
  for (int i = count - 1; i >= from; i--) {
    const RlxTirStmt *loop = a->loops[d->info->loops[i]].stmt;
    bool is_used = false;
    for (int v = 0; v < init->block->iter_count; v++)
      is_used |= rlx_schedule_uses(init->block->iters[v].binding, loop->var);
    if (is_used)
      chosen[chosen_count++] = loop;
    else
      discarded[discarded_count++] = loop;
  }
  RlxScheduleInit where = {.c = c,
                           .info = d->info,
                           .discarded = discarded,
                           .discarded_count = discarded_count,
                           .iters = d->block->block->iters,
                           .iter_count = d->block->block->iter_count};
  init->block->predicate = rlx_schedule_init_predicate(&where, d->block->block->predicate);
  d->is_lost = where.is_lost;
  RlxTirStmt *body = init;
  for (int i = 0; i < chosen_count; i++) {
    RlxTirVar *var =
        rlx_tir_var(c->f, suffixed(c, chosen[i]->var->name, "_init"), chosen[i]->var->dtype);
    put[i] = (RlxTirSubst){chosen[i]->var, rlx_tir_var_expr(c->f, var)};
    RlxTirStmt *loop = rlx_tir_copy(c->f, chosen[i]);
    loop->var = var;
    loop->body[0] = body;
    body = loop;
  }
  return rlx_tir_subst_stmt(c->f, body, put, chosen_count, NULL, NULL);
}

/// The block without its init: it reads what it writes.
static RlxTirStmt *make_update(Decompose *d) {
  RlxPrimFunc *f = d->c->f;
  const RlxTirBlock *b = d->block->block;
  RlxTirStmt *out = rlx_tir_copy_block(f, d->block);
  out->init = NULL;
  out->block->name = suffixed(d->c, b->name, "_update");
  RlxTirRegion *reads = rlx_arena_array(f->arena, RlxTirRegion, b->read_count + b->write_count);
  int count = 0;
  for (int w = 0; w < b->write_count; w++) {
    bool is_read = false;
    for (int r = 0; r < b->read_count; r++) is_read |= b->reads[r].buffer == b->writes[w].buffer;
    if (!is_read) reads[count++] = b->writes[w];
  }
  for (int r = 0; r < b->read_count; r++) reads[count++] = b->reads[r];
  out->block->reads = reads;
  out->block->read_count = count;
  return out;
}

static const RlxTirStmt *innermost_block(const RlxTirStmt *s) {
  while (s->kind == RLX_TIR_FOR) s = s->body[0];
  return s;
}

bool rlx_primitive_decompose_reduction(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  Decompose d = {.c = c};
  if (!rlx_schedule_block(c, 0, &place) || !rlx_schedule_loop(c, 1, &d.loop)) return false;
  if (place.is_root)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_NOT_REDUCTION), place.stmt, "ss", "root",
                               "the root block reduces nothing");
  d.block = place.stmt;
  d.info = rlx_schedule_block_info(c, d.block);
  int from = check(&d);
  if (from < 0 || !check_others(&d)) return false;
  RlxTirStmt *init = wrap_init(&d, make_init(&d), from);
  if (d.is_lost)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_NOT_REDUCTION), d.block, "ss",
                               rlx_schedule_block_name(c, d.block),
                               "where its init runs is not told without the loops that reduce");
  const RlxTirStmt *loop = d.loop;
  rlx_schedule_replace(c, d.block, make_update(&d));
  for (uint32_t i = 0; i < c->moves.count; i++) // the loop was copied with its block
    if (c->moves.at[i].old == loop) loop = c->moves.at[i].now;
  RlxTirStmt *inner = rlx_tir_copy(c->f, loop);
  RlxTirStmt *both[2] = {init, inner};
  rlx_schedule_moved(c, loop, inner);
  rlx_schedule_put(c, loop, rlx_tir_seq(c->f, both, 2));
  rlx_schedule_give(c, innermost_block(init));
  return true;
}
