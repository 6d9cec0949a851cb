/// decompose_reduction: the init of a reduction as a block of its own, before the loops that reduce.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/reduction.cc (DecomposeReduction).
#include "analyzer/schedule/domain.h"

#include <stdio.h>

typedef struct Use {
  const RlxTirVar *var;
  bool found;
} Use;

static bool is_var(const RlxTirExpr *e, void *data) {
  Use *u = data;
  u->found |= e->kind == RLX_TIR_VAR && e->var == u->var;
  return !u->found;
}

static bool uses(const RlxTirExpr *e, const RlxTirVar *var) {
  Use u = {var, false};
  rlx_tir_visit_expr(e, is_var, &u);
  return u.found;
}

typedef struct Decompose {
  RlxScheduleCall *c;
  const RlxTirStmt *block, *loop;
  const RlxTirBlockInfo *info;
  RlxTirSubst *vars; ///< data-parallel block variables of the block to those of the init's
  int var_count;
  bool is_mixed; ///< a condition is about loops that reduce and others, and does not come apart
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
  if (!rlx_schedule_check_bare(c, RLX_DIAG_ID(SCHEDULE_LOOP), d->loop, d->info)) return -1;
  for (int i = at; i < d->info->loop_count; i++) {
    const RlxTirStmt *loop = a->loops[d->info->loops[i]].stmt;
    bool is_bound = loop->extent->kind == RLX_TIR_INT && loop->extent->integer == 1;
    for (int v = 0; v < d->info->iter_count; v++)
      is_bound |= uses(d->info->iters[v].iter->binding, loop->var);
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
      if (!uses(iter->binding, above->var)) continue;
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

/// A condition `e < n` (or <=) with the discarded loops at their first iteration: the init runs where
/// one of them would. NULL: what is left is not told so; `d->is_mixed` is set then.
static RlxTirExpr *at_first(Decompose *d, RlxTirExpr *e, const RlxTirStmt *const *discarded,
                            int count) {
  RlxScheduleCall *c = d->c;
  RlxStore *store = c->s->store;
  RlxTirSubst *put = rlx_arena_array(c->s->arena, RlxTirSubst, count + 1);
  const RlxFacts *facts = NULL;
  d->is_mixed = true;
  if (e->kind != RLX_TIR_LT && e->kind != RLX_TIR_LE) return NULL;
  for (int i = 0; i < count; i++) {
    const RlxTirLoopInfo *l = rlx_schedule_loop_info(c, discarded[i]);
    if (uses(e->args[1], discarded[i]->var) || !l->min || !l->extent) return NULL;
    facts = rlx_schedule_range_facts(c, l->symbol, l->min, l->extent, facts);
    put[i] = (RlxTirSubst){discarded[i]->var, discarded[i]->min
                                                  ? discarded[i]->min
                                                  : rlx_tir_int(c->f, 0, discarded[i]->var->dtype)};
  }
  RlxTirExpr *first = rlx_tir_subst(c->f, e->args[0], put, count);
  const RlxPrim *low = rlx_tir_integer(store, first), *any = rlx_tir_integer(store, e->args[0]);
  if (!low || !any || rlx_prove_less_equal(store, facts, low, any) != RLX_YES) return NULL;
  d->is_mixed = false;
  return rlx_tir_binary(c->f, (RlxTirExprKind)e->kind, rlx_schedule_simplify(c, first), e->args[1]);
}

/// The conjuncts of `predicate` without the discarded loops: those that are about these alone are left
/// out.
static RlxTirExpr *keep_conjuncts(Decompose *d, RlxTirExpr *predicate,
                                  const RlxTirStmt *const *discarded, int count) {
  RlxPrimFunc *f = d->c->f;
  if (!predicate) return NULL;
  if (predicate->kind == RLX_TIR_AND) {
    RlxTirExpr *x = keep_conjuncts(d, predicate->args[0], discarded, count),
               *y = keep_conjuncts(d, predicate->args[1], discarded, count);
    return x && y ? rlx_tir_binary(f, RLX_TIR_AND, x, y) : x ? x : y;
  }
  const RlxTirAnalysis *a = rlx_schedule_analysis(d->c);
  bool is_about = false, is_kept = false;
  for (int l = 0; l < d->info->loop_count; l++) {
    const RlxTirStmt *loop = a->loops[d->info->loops[l]].stmt;
    if (!uses(predicate, loop->var)) continue;
    bool is_discarded = false;
    for (int i = 0; i < count; i++) is_discarded |= discarded[i] == loop;
    *(is_discarded ? &is_about : &is_kept) = true;
  }
  if (!is_about) return predicate;
  return is_kept ? at_first(d, predicate, discarded, count) : NULL;
}

static RlxName suffixed(RlxScheduleCall *c, RlxName name, const char *suffix) {
  char text[600];
  snprintf(text, sizeof text, "%s%s", rlx_store_text(c->s->store, name), suffix);
  return rlx_intern_text(rlx_store_names(c->s->store), text);
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
  out->block->reads = NULL;
  out->block->read_count = 0;
  out->block->write_count = b->write_count;
  out->block->writes = rlx_arena_array(f->arena, RlxTirRegion, b->write_count);
  for (int i = 0; i < b->write_count; i++) {
    RlxTirRegion r = b->writes[i];
    r.begin = rlx_arena_array(f->arena, RlxTirExpr *, r.buffer->ndim);
    r.extent = rlx_arena_array(f->arena, RlxTirExpr *, r.buffer->ndim);
    for (int k = 0; k < r.buffer->ndim; k++) {
      r.begin[k] = rlx_tir_subst(f, b->writes[i].begin[k], d->vars, d->var_count);
      r.extent[k] = rlx_tir_subst(f, b->writes[i].extent[k], d->vars, d->var_count);
    }
    out->block->writes[i] = r;
  }
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
      is_used |= uses(init->block->iters[v].binding, loop->var);
    if (is_used)
      chosen[chosen_count++] = loop;
    else
      discarded[discarded_count++] = loop;
  }
  init->block->predicate =
      keep_conjuncts(d, d->block->block->predicate, discarded, discarded_count);
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
  if (from < 0) return false;
  RlxTirStmt *init = wrap_init(&d, make_init(&d), from);
  if (d.is_mixed)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_NOT_REDUCTION), d.block, "ss",
                               rlx_schedule_block_name(c, d.block),
                               "its predicate is about loops that reduce and others at once, so "
                               "that where the init runs is not told");
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
