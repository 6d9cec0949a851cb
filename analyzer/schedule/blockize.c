/// blockize: the loops from one down, with the one block below, become the body of a new block.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/blockize_tensorize.cc (Blockize) and the division
/// of a binding into outer and inner loops, src/arith/iter_affine_map.cc (SubspaceDivide). Refused
/// beyond TVM: a division that does not give the binding back, an init or predicate that would be
/// cut off from the loops that it uses.
#include "analyzer/schedule/blockize_impl.h"

#include <stdio.h>

bool rlx_blockize_refuse(RlxBlockize *b, const char *why) {
  const char *name = b->loop->kind == RLX_TIR_FOR ? rlx_schedule_loop_name(b->c, b->loop)
                                                  : rlx_schedule_block_name(b->c, b->loop);
  rlx_schedule_refuse(b->c, RLX_DIAG_ID(SCHEDULE_BLOCKIZE), b->loop, "ss", name, why);
  if (b->block && b->block != b->loop) rlx_schedule_also(b->c, b->block, "the block");
  return false;
}

const RlxTirStmt *rlx_blockize_loop(const RlxBlockize *b, int i) {
  return rlx_schedule_analysis(b->c)->loops[b->info->loops[i]].stmt;
}

// ---- outer and inner part of a binding

static bool is_inner_var(const RlxBlockize *b, const RlxSymVar *symbol, bool *is_loop) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(b->c);
  for (int i = 0; i < b->info->loop_count; i++)
    if (a->loops[b->info->loops[i]].symbol == symbol) {
      *is_loop = true;
      return i >= b->first_inner;
    }
  *is_loop = false;
  return false;
}

/// 1: only loops inside are mentioned; 0: only those outside; 2: both; -1: none.
static int side_of(const RlxBlockize *b, const RlxPrim *p) {
  const RlxSymVar *vars[64];
  int count = 0, side = -1;
  rlx_prim_vars(p, vars, &count, 64);
  for (int i = 0; i < count; i++) {
    bool is_loop = false;
    int here = is_inner_var(b, vars[i], &is_loop);
    if (!is_loop) continue;
    if (side >= 0 && side != here) return 2;
    side = here;
  }
  return count >= 64 ? 2 : side;
}

static const RlxPrim *number(const RlxBlockize *b, int64_t value, RlxDType dtype) {
  return rlx_prim_int_typed(b->store, value, dtype);
}

static bool is_number(const RlxPrim *p, int64_t value) {
  int64_t v;
  return rlx_prim_is_const(p, &v) && v == value;
}

static const RlxPrim *split_prim(const RlxBlockize *b, const RlxIterSplit *split,
                                 const RlxPrim *scale, RlxDType dtype) {
  RlxIterSplit one = *split;
  one.scale = scale;
  RlxIterSum sum = {&one, 1, number(b, 0, dtype)};
  return rlx_iter_sum_prim(b->store, &sum);
}

static bool is_whole_sum(const RlxIterSum *sum) {
  const RlxIterSplit *only = sum->splits;
  return sum->split_count == 1 && !only->source->leaf && is_number(only->lower_factor, 1) &&
         is_number(only->scale, 1) && only->extent == only->source->extent;
}

/// A sum of which only the first `extent` values count, because a predicate ends it or because its terms
/// overlap (`i + j`), has its loops on one side. False: it has not.
static bool bound_division(const RlxBlockize *b, const RlxPrim *extent, RlxDivision *d) {
  const RlxPrim *whole = rlx_prim_mul(b->store, d->outer_extent, d->inner_extent);
  if (rlx_prove_equal(b->store, NULL, whole, extent) == RLX_YES) return true;
  d->is_bounded = true;
  if (is_number(d->outer_extent, 1))
    d->inner_extent = extent;
  else if (is_number(d->inner_extent, 1))
    d->outer_extent = extent;
  else
    return false;
  return true;
}

/// Splits of the outer loops, then those of the inner ones: divided. False: they are mixed.
static bool divide_sum(const RlxBlockize *b, const RlxIterSum *sum, RlxDType dtype,
                       RlxDivision *out) {
  const RlxPrim *zero = number(b, 0, dtype), *one = number(b, 1, dtype);
  *out = (RlxDivision){zero, one, zero, one, sum->base, false};
  bool was_outer = false, has_unit_scale = !sum->split_count;
  if (is_whole_sum(sum)) { // one split that is all of another sum
    const RlxIterMark *source = sum->splits[0].source;
    if (!divide_sum(b, &source->sum, dtype, out) || !bound_division(b, source->extent, out))
      return false;
    out->base = rlx_prim_add(b->store, out->base, sum->base);
    return true;
  }
  const RlxPrim **terms = rlx_arena_array(b->arena, const RlxPrim *, sum->split_count + 1);
  bool *is_outer = rlx_arena_array(b->arena, bool, sum->split_count + 1);
  for (int k = sum->split_count - 1; k >= 0; k--) {
    const RlxIterSplit *split = &sum->splits[k];
    has_unit_scale |= is_number(split->scale, 1);
    int side = side_of(b, split_prim(b, split, one, dtype));
    if (side == 2 || (side == 1 && was_outer)) return false;
    was_outer |= is_outer[k] = side == 0;
    const RlxPrim **extent = side == 0 ? &out->outer_extent : &out->inner_extent;
    terms[k] = split_prim(b, split, *extent, dtype);
    *extent = rlx_prim_simplify(b->store, rlx_prim_mul(b->store, *extent, split->extent));
  }
  for (int k = 0; k < sum->split_count; k++) {
    const RlxPrim **into = is_outer[k] ? &out->outer : &out->inner;
    *into = is_number(*into, 0) ? terms[k] : rlx_prim_add(b->store, *into, terms[k]);
  }
  return has_unit_scale;
}

static const RlxPrim *binding_of(const RlxBlockize *b, int i) { return b->info->iters[i].binding; }

/// Through the map of loops.
static bool divide_by_map(RlxBlockize *b) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(b->c);
  int n = b->info->iter_count, loops = b->info->loop_count;
  const RlxPrim **indices = rlx_arena_array(b->arena, const RlxPrim *, n + 1);
  RlxLoopRange *ranges = rlx_arena_array(b->arena, RlxLoopRange, loops + 1);
  for (int i = 0; i < n; i++)
    if (!(indices[i] = binding_of(b, i))) return false;
  for (int i = 0; i < loops; i++) {
    const RlxTirLoopInfo *l = &a->loops[b->info->loops[i]];
    if (!l->min || !l->extent) return false;
    ranges[i] = (RlxLoopRange){l->symbol, l->min, l->extent};
  }
  RlxIterQuery query = {.indices = indices,
                        .index_count = n,
                        .loops = ranges,
                        .loop_count = loops,
                        .predicate = b->info->predicate,
                        .level = RLX_ITER_SURJECTIVE,
                        .keeps_unit_loops = b->preserves_units};
  RlxIterMap map = rlx_iter_map_detect(b->store, b->arena, &query);
  if (!map.sums) return false;
  for (int i = 0; i < n; i++) {
    RlxDType dtype = b->info->iters[i].iter->var->dtype;
    if (!divide_sum(b, &map.sums[i], dtype, &b->parts[i])) return false;
  }
  return true;
}

/// Bindings that mention loops of one side only stay whole.
static bool divide_trivially(RlxBlockize *b) {
  if (b->block->block->predicate) return false;
  for (int i = 0; i < b->info->iter_count; i++) {
    const RlxTirIterInfo *iter = &b->info->iters[i];
    RlxDType dtype = iter->iter->var->dtype;
    const RlxPrim *zero = number(b, 0, dtype), *one = number(b, 1, dtype);
    if (!iter->binding || !iter->extent) return false;
    int side = side_of(b, iter->binding);
    b->parts[i] = (RlxDivision){zero, one, zero, one, zero, false};
    if (side == 2) return false;
    if (side == 0) b->parts[i].outer = iter->binding, b->parts[i].outer_extent = iter->extent;
    if (side == 1) b->parts[i].inner = iter->binding, b->parts[i].inner_extent = iter->extent;
  }
  return true;
}

/// Nothing but the block stands under its loops.
static bool is_alone(const RlxBlockize *b) {
  const RlxTirStmt *s = b->info->loop_count ? rlx_blockize_loop(b, 0) : b->block;
  while (s->kind == RLX_TIR_FOR) s = s->body[0];
  return s == b->block;
}

/// Do the loops of `d`, up to its extent, run the same instances as before, in other iterations? That is the
/// rule by which the map of loops counts overlapping terms, and the same values where the block is complete
/// and nobody else sees which iteration an instance runs in.
static bool runs_the_same(const RlxBlockize *b, const RlxDivision *d) {
  return d->is_bounded && b->info->complete.is && !b->block->block->predicate && is_alone(b);
}

/// Does the division give the bindings back, in domains that start at 0?
static bool check_parts(RlxBlockize *b) {
  for (int i = 0; i < b->info->iter_count; i++) {
    const RlxDivision *d = &b->parts[i];
    if (!b->info->iters[i].min || !is_number(b->info->iters[i].min, 0))
      return rlx_blockize_refuse(b, "the domain of a block variable does not start at 0");
    bool has_inner = !is_number(d->inner_extent, 1);
    const RlxPrim *base = rlx_prim_mul(b->store, d->outer, d->inner_extent);
    const RlxPrim *whole = has_inner ? rlx_prim_add(b->store, base, d->inner) : base;
    const RlxPrim *was = binding_of(b, i);
    if (!has_inner && !b->preserves_units && is_number(d->outer_extent, 1))
      whole = number(b, 0, whole->dtype);
    if (!is_number(d->base, 0)) whole = rlx_prim_add(b->store, whole, d->base);
    const RlxFacts *facts = NULL;
    for (int l = 0; l < b->info->loop_count; l++) {
      const RlxTirLoopInfo *loop = &rlx_schedule_analysis(b->c)->loops[b->info->loops[l]];
      facts = rlx_schedule_range_facts(b->c, loop->symbol, loop->min, loop->extent, facts);
    }
    if (rlx_prove_equal(b->store, facts, whole, was) != RLX_YES && !runs_the_same(b, d))
      return rlx_blockize_refuse(
          b, "a binding of the block below does not divide into an outer and an inner part");
  }
  return true;
}

/// Which side each part of the predicate belongs to; false: it is about loops of both.
static bool divide_predicate(RlxBlockize *b, RlxTirExpr *e) {
  if (!e) return true;
  if (e->kind == RLX_TIR_AND)
    return divide_predicate(b, e->args[0]) && divide_predicate(b, e->args[1]);
  bool uses_inner = false, uses_outer = false;
  for (int i = 0; i < b->info->loop_count; i++)
    if (rlx_schedule_uses(e, rlx_blockize_loop(b, i)->var))
      *(i >= b->first_inner ? &uses_inner : &uses_outer) = true;
  if (uses_inner && uses_outer) return false;
  RlxTirExpr **into = uses_inner ? &b->inner_predicate : &b->outer_predicate;
  *into = rlx_tir_and(b->c->f, *into, e);
  return true;
}

bool rlx_blockize_divide(RlxBlockize *b) {
  b->parts = rlx_arena_array(b->arena, RlxDivision, b->info->iter_count + 1);
  if (!divide_predicate(b, b->block->block->predicate) ||
      (!divide_by_map(b) && !divide_trivially(b)))
    return rlx_blockize_refuse(
        b, "the bindings of the block below do not divide into outer and inner loops");
  return check_parts(b);
}

// ---- variables of both blocks

static RlxTirExpr *extent_expr(RlxBlockize *b, const RlxPrim *extent, RlxDType dtype) {
  int64_t n;
  return rlx_schedule_expr(&b->vars, rlx_prim_is_const(extent, &n) ? number(b, n, dtype) : extent);
}

/// The predicate that a bounded division needs where the block has none; false: it cannot be written.
static bool add_bound(RlxBlockize *b, const RlxDivision *d) {
  if (!d->is_bounded || b->block->block->predicate) return true;
  bool is_inner = is_number(d->outer_extent, 1);
  const RlxPrim *part = is_inner ? d->inner : d->outer;
  RlxTirExpr *value = rlx_schedule_expr(&b->vars, part),
             *end = extent_expr(b, is_inner ? d->inner_extent : d->outer_extent, part->dtype);
  if (!value || !end) return rlx_blockize_refuse(b, "a bound has no spelling in TensorIR");
  RlxTirExpr **into = is_inner ? &b->inner_predicate : &b->outer_predicate;
  *into = rlx_tir_and(b->c->f, *into, rlx_tir_binary(b->c->f, RLX_TIR_LT, value, end));
  return true;
}

static RlxTirVar *variable(RlxBlockize *b, const RlxTirVar *like, const char *suffix) {
  char name[600];
  snprintf(name, sizeof name, "%s%s", rlx_store_text(b->store, like->name), suffix);
  RlxTirVar *v =
      rlx_tir_var(b->c->f, rlx_intern_text(rlx_store_names(b->store), name), like->dtype);
  rlx_schedule_vars_add(&b->vars, v);
  return v;
}

static bool make_variable(RlxBlockize *b, const RlxTirIterVar *like, const char *suffix,
                          const RlxPrim *extent, const RlxPrim *value, RlxTirIterVar *out) {
  *out = (RlxTirIterVar){.var = variable(b, like->var, suffix), .type = like->type};
  out->extent = extent_expr(b, extent, like->var->dtype);
  if (out->extent) rlx_tir_note_domain(out->var, NULL, out->extent);
  out->binding = rlx_schedule_expr(&b->vars, value);
  return (out->extent && out->binding) ||
         rlx_blockize_refuse(b, "a bound has no spelling in TensorIR");
}

bool rlx_blockize_variables(RlxBlockize *b) {
  RlxPrimFunc *f = b->c->f;
  int n = b->info->iter_count;
  b->outer = rlx_arena_array(f->arena, RlxTirIterVar, n + 1);
  b->inner = rlx_arena_array(f->arena, RlxTirIterVar, n + 1);
  b->put = rlx_arena_array(f->arena, RlxTirSubst, n + 1);
  for (int i = 0; i < n; i++) {
    const RlxTirIterVar *was = &b->block->block->iters[i];
    const RlxDivision *d = &b->parts[i];
    if (!add_bound(b, d)) return false;
    if (!make_variable(b, was, "_o", d->outer_extent, d->outer, &b->outer[i])) return false;
    RlxTirExpr *value = rlx_tir_var_expr(f, b->outer[i].var);
    if (!is_number(d->inner_extent, 1)) {
      RlxTirIterVar *inner = &b->inner[b->inner_count++];
      if (!make_variable(b, was, "_i", d->inner_extent, d->inner, inner)) return false;
      RlxTirExpr *low = rlx_tir_var_expr(f, inner->var);
      RlxTirExpr *high = rlx_tir_binary(f, RLX_TIR_MUL, value, inner->extent);
      value = is_number(d->outer_extent, 1) ? low : rlx_tir_binary(f, RLX_TIR_ADD, high, low);
    } else if (is_number(d->outer_extent, 1) && !b->preserves_units) {
      value = rlx_tir_int(f, 0, was->var->dtype);
    }
    int64_t constant;
    RlxTirExpr *base = rlx_prim_is_const(d->base, &constant)
                           ? rlx_tir_int(f, constant, was->var->dtype)
                           : rlx_schedule_expr(&b->vars, d->base);
    if (!base) return rlx_blockize_refuse(b, "a bound has no spelling in TensorIR");
    if (!is_number(d->base, 0)) value = rlx_tir_binary(f, RLX_TIR_ADD, value, base);
    b->put[i] = (RlxTirSubst){was->var, value};
  }
  return true;
}

// ---- the two blocks

static bool mentions_new(const RlxBlockize *b, const RlxTirExpr *e) {
  for (int i = 0; i < b->info->iter_count; i++)
    if (rlx_schedule_uses(e, b->outer[i].var)) return true;
  for (int i = 0; i < b->inner_count; i++)
    if (rlx_schedule_uses(e, b->inner[i].var)) return true;
  return false;
}

static bool is_kind(const RlxTirExpr *e, RlxTirExprKind kind) { return e->kind == kind; }

static RlxTirExpr *put_expr(RlxTirRewriter *w, RlxTirExpr *e) {
  RlxBlockize *b = w->data;
  if (e->kind == RLX_TIR_VAR)
    for (int i = 0; i < b->info->iter_count; i++)
      if (b->put[i].var == e->var) return b->put[i].value;
  // A sum of products stays as it is; what is taken apart or multiplied out becomes simpler.
  bool is_sum = e->kind == RLX_TIR_MUL &&
                (is_kind(e->args[0], RLX_TIR_ADD) || is_kind(e->args[1], RLX_TIR_ADD));
  bool is_part = e->kind == RLX_TIR_FLOORDIV || e->kind == RLX_TIR_FLOORMOD;
  return (is_sum || is_part) && rlx_dtype_is_int(e->dtype) && mentions_new(b, e)
             ? rlx_schedule_simplify(b->c, e)
             : e;
}

static void note_moved(RlxTirRewriter *w, const RlxTirStmt *old, RlxTirStmt *now) {
  RlxBlockize *b = w->data;
  if (old != b->block) rlx_schedule_moved(b->c, old, now); // that one becomes the inner block
}

RlxTirStmt *rlx_blockize_put(RlxBlockize *b, const RlxTirStmt *s) {
  RlxTirRewriter w = {.f = b->c->f, .data = b, .expr = put_expr, .moved = note_moved};
  return s ? rlx_tir_rewrite(&w, s) : NULL;
}

static RlxTirRegion *put_regions(RlxBlockize *b, const RlxTirRegion *regions, int count) {
  RlxPrimFunc *f = b->c->f;
  RlxTirRewriter w = {.f = f, .data = b, .expr = put_expr};
  RlxTirRegion *out = rlx_arena_array(f->arena, RlxTirRegion, count + 1);
  for (int i = 0; i < count; i++) {
    int n = regions[i].buffer->ndim;
    out[i] = regions[i];
    out[i].begin = rlx_arena_array(f->arena, RlxTirExpr *, n + 1);
    out[i].extent = rlx_arena_array(f->arena, RlxTirExpr *, n + 1);
    for (int d = 0; d < n; d++) {
      out[i].begin[d] = rlx_tir_rewrite_expr(&w, regions[i].begin[d]);
      out[i].extent[d] = rlx_tir_rewrite_expr(&w, regions[i].extent[d]);
    }
  }
  return out;
}

static bool uses_inner_loop(const RlxBlockize *b, const RlxTirExpr *e) {
  for (int i = b->first_inner; i < b->info->loop_count; i++)
    if (rlx_schedule_uses(e, rlx_blockize_loop(b, i)->var)) return true;
  return false;
}

/// The hull of what the regions cover while the inner variables run, and the loops that a block without
/// variables uses as they are.
static RlxTirRegion *relax(RlxBlockize *b, const RlxTirRegion *regions, int count) {
  RlxPrimFunc *f = b->c->f;
  RlxTirRegion *out = rlx_arena_array(f->arena, RlxTirRegion, count + 1);
  RlxTirDomain domain = {0};
  for (int i = 0; i < b->inner_count; i++) {
    const RlxTirIterVar *v = &b->inner[i];
    rlx_tir_domain_add(b->store, &domain, rlx_tir_symbol(b->store, v->var),
                       number(b, 0, v->var->dtype), rlx_tir_integer(b->store, v->extent));
  }
  for (int i = b->first_inner; i < b->info->loop_count; i++) {
    const RlxTirLoopInfo *l = &rlx_schedule_analysis(b->c)->loops[b->info->loops[i]];
    if (l->min && l->extent) rlx_tir_domain_add(b->store, &domain, l->symbol, l->min, l->extent);
  }
  for (int i = 0; i < count; i++) {
    RlxTirBuffer *buffer = regions[i].buffer;
    out[i] = regions[i];
    out[i].begin = rlx_arena_array(f->arena, RlxTirExpr *, buffer->ndim + 1);
    out[i].extent = rlx_arena_array(f->arena, RlxTirExpr *, buffer->ndim + 1);
    for (int d = 0; d < buffer->ndim; d++) {
      const RlxPrim *begin = rlx_tir_integer(b->store, regions[i].begin[d]),
                    *extent = rlx_tir_integer(b->store, regions[i].extent[d]);
      RlxTirInterval reach = {NULL, NULL};
      if (begin && extent) {
        const RlxPrim *last = rlx_prim_addi(b->store, rlx_prim_add(b->store, begin, extent), -1);
        reach.min = rlx_tir_interval(b->store, &domain, begin).min;
        reach.max = rlx_tir_interval(b->store, &domain, rlx_prim_simplify(b->store, last)).max;
      }
      RlxTirExpr *low = NULL, *size = NULL;
      if (reach.min && reach.max) {
        const RlxPrim *span =
            rlx_prim_addi(b->store, rlx_prim_sub(b->store, reach.max, reach.min), 1);
        low = rlx_schedule_expr(&b->vars, rlx_prim_simplify(b->store, reach.min));
        size = rlx_schedule_expr(&b->vars, rlx_prim_simplify(b->store, span));
      }
      if (low && size && (uses_inner_loop(b, low) || uses_inner_loop(b, size))) low = NULL;
      out[i].begin[d] = low && size ? low : rlx_tir_int(f, 0, buffer->shape[d]->dtype);
      out[i].extent[d] = low && size ? size : buffer->shape[d];
    }
  }
  rlx_tir_domain_free(&domain);
  return out;
}

RlxTirRegion *rlx_blockize_regions(RlxBlockize *b, const RlxTirRegion *regions, int count) {
  return relax(b, put_regions(b, regions, count), count);
}

RlxTirStmt *rlx_blockize_inner(RlxBlockize *b, bool reads_back) {
  RlxPrimFunc *f = b->c->f;
  const RlxTirBlock *was = b->block->block;
  RlxTirStmt *out = rlx_tir_copy_block(f, rlx_blockize_put(b, b->block)); // its views, too
  out->init = NULL;
  out->block->iters = b->inner;
  out->block->iter_count = b->inner_count;
  out->block->predicate = b->inner_predicate;
  out->block->writes = put_regions(b, was->writes, was->write_count);
  RlxTirRegion *reads = put_regions(b, was->reads, was->read_count);
  out->block->reads = reads;
  if (!reads_back) return out;
  int count = was->write_count + was->read_count;
  out->block->reads = rlx_arena_array(f->arena, RlxTirRegion, count + 1);
  for (int i = 0; i < was->write_count; i++) out->block->reads[i] = out->block->writes[i];
  for (int i = 0; i < was->read_count; i++) out->block->reads[was->write_count + i] = reads[i];
  out->block->read_count = count;
  return out;
}

/// The init over the data-parallel inner variables that it uses, which get names of their own in `iters`; a
/// variable that reduces is at its minimum where an init runs.
static RlxTirStmt *init_block(RlxBlockize *b, const RlxTirStmt *inner) {
  RlxPrimFunc *f = b->c->f;
  RlxTirStmt *init = rlx_blockize_put(b, b->block->init);
  RlxTirIterVar *iters = rlx_arena_array(f->arena, RlxTirIterVar, b->inner_count + 1);
  RlxTirSubst *put = rlx_arena_array(b->arena, RlxTirSubst, b->inner_count + 1);
  int count = 0;
  for (int i = 0; i < b->inner_count; i++) {
    RlxTirVar *was = b->inner[i].var;
    put[i] = (RlxTirSubst){was, rlx_tir_int(f, 0, was->dtype)};
    if (b->inner[i].type == RLX_ITER_REDUCE || !rlx_tir_mentions(init, was)) continue;
    iters[count] = b->inner[i];
    iters[count].var = variable(b, was, "_init");
    put[i].value = rlx_tir_var_expr(f, iters[count++].var);
  }
  char name[600];
  snprintf(name, sizeof name, "%s_init", rlx_store_text(b->store, b->block->block->name));
  RlxName init_name = rlx_intern_text(rlx_store_names(b->store), name);
  RlxTirStmt *out = rlx_tir_block(f, init_name, NULL, 0, NULL, init);
  out->block->reads = rlx_arena_array(f->arena, RlxTirRegion, 1);
  out->block->read_count = 0;
  out->block->writes = inner->block->writes;
  out->block->write_count = inner->block->write_count;
  out = rlx_tir_copy_block(f, rlx_tir_subst_stmt(f, out, put, b->inner_count, NULL, NULL));
  out->block->iters = iters;
  out->block->iter_count = count;
  return out;
}

/// The init as a block of its own under copies of the inner loops that it needs; NULL: refused.
static RlxTirStmt *outer_init(RlxBlockize *b, const RlxTirStmt *inner) {
  RlxPrimFunc *f = b->c->f;
  int loops = b->info->loop_count, used_count = 0;
  for (int i = 0; i < b->inner_count; i++)
    if (b->inner[i].type > RLX_ITER_REDUCE) {
      rlx_blockize_refuse(b, "a variable of the block is neither data-parallel nor reduces");
      return NULL;
    }
  const char *late = rlx_schedule_init_starts_late(b->c, b->info);
  if (!late && b->block->block->match_count) late = "its init may look into a buffer by a view";
  if (late) {
    rlx_blockize_refuse(b, late);
    return NULL;
  }
  RlxTirStmt *block = init_block(b, inner), *out = block;
  const RlxTirStmt **used = rlx_arena_array(b->arena, const RlxTirStmt *, loops + 1);
  const RlxTirStmt **others = rlx_arena_array(b->arena, const RlxTirStmt *, loops + 1);
  RlxScheduleInit where = {.c = b->c,
                           .info = b->info,
                           .discarded = others,
                           .iters = b->inner,
                           .iter_count = b->inner_count};
  for (int i = loops - 1; i >= b->first_inner; i--) {
    const RlxTirStmt *loop = rlx_blockize_loop(b, i);
    bool is_used = false;
    for (int k = 0; k < block->block->iter_count; k++)
      is_used |= rlx_schedule_uses(block->block->iters[k].binding, loop->var);
    if (is_used)
      used[used_count++] = loop;
    else
      others[where.discarded_count++] = loop;
  }
  block->block->predicate = rlx_schedule_init_predicate(&where, b->inner_predicate);
  if (where.is_lost) {
    rlx_blockize_refuse(b, "the predicate of the block reaches further than its init");
    return NULL;
  }
  RlxTirSubst *put = rlx_arena_array(b->arena, RlxTirSubst, loops + 1);
  for (int i = 0; i < used_count; i++) {
    RlxTirStmt *copy = rlx_tir_copy(f, used[i]);
    copy->var = rlx_tir_var(f, used[i]->var->name, used[i]->var->dtype);
    copy->body[0] = out;
    put[i] = (RlxTirSubst){used[i]->var, rlx_tir_var_expr(f, copy->var)};
    out = copy;
  }
  return rlx_tir_subst_stmt(f, out, put, used_count, NULL, NULL);
}

static RlxTirStmt *build(RlxBlockize *b) {
  RlxPrimFunc *f = b->c->f;
  bool reduces = false;
  for (int i = 0; i < b->info->iter_count; i++)
    reduces |= b->block->init && b->outer[i].type == RLX_ITER_REDUCE;
  RlxTirStmt *inner = rlx_blockize_inner(b, reduces), *init = NULL, *body = inner;
  if (b->block->init &&
      (!rlx_schedule_check_calls_in(b->c, b->block, b->block) || !(init = outer_init(b, inner))))
    return NULL;
  rlx_schedule_moved(b->c, b->block, inner);
  for (int i = b->info->loop_count - 1; i >= b->first_inner; i--) {
    RlxTirStmt *loop = rlx_tir_copy(f, rlx_blockize_loop(b, i));
    loop->body[0] = body;
    rlx_schedule_moved(b->c, rlx_blockize_loop(b, i), loop);
    body = loop;
  }
  char name[600];
  snprintf(name, sizeof name, "%s_o", rlx_store_text(b->store, b->block->block->name));
  RlxName outer_name = rlx_intern_text(rlx_store_names(b->store), name);
  RlxTirStmt *out = rlx_tir_block(f, outer_name, b->outer, b->info->iter_count, init, body);
  const RlxTirBlock *was = b->block->block;
  out->block->predicate = b->outer_predicate;
  out->block->reads = rlx_blockize_regions(b, was->reads, was->read_count);
  out->block->read_count = was->read_count;
  out->block->writes = rlx_blockize_regions(b, was->writes, was->write_count);
  out->block->write_count = was->write_count;
  return out;
}

/// The one block below the loop.
static bool find_block(RlxBlockize *b) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(b->c);
  const RlxTirLoopInfo *loop = rlx_schedule_loop_info(b->c, b->loop);
  const RlxTirStmt *at = b->loop;
  while (at->kind == RLX_TIR_FOR) at = at->body[0];
  if (loop->block_count != 1 || at->kind != RLX_TIR_BLOCK)
    return rlx_blockize_refuse(b, "not one block alone stands below it");
  b->block = at;
  b->info = &a->blocks[loop->blocks[0]];
  while (rlx_blockize_loop(b, b->first_inner) != b->loop) b->first_inner++;
  if (at->block->read_count < 0 || at->block->write_count < 0)
    return rlx_blockize_refuse(b, "what the block reads and writes is not known");
  return true;
}

static RlxTirStmt *blockize(RlxBlockize *b) {
  if (!find_block(b) || !rlx_blockize_divide(b)) return NULL;
  rlx_schedule_vars_all(&b->vars);
  return rlx_blockize_variables(b) ? build(b) : NULL;
}

RlxTirStmt *rlx_schedule_blockize(RlxScheduleCall *c, const RlxTirStmt *loop,
                                  bool preserve_unit_iters) {
  RlxBlockize b = {.c = c,
                   .store = c->s->store,
                   .arena = rlx_arena_new(),
                   .loop = loop,
                   .preserves_units = preserve_unit_iters,
                   .vars = {.c = c}};
  RlxTirStmt *out = blockize(&b);
  rlx_schedule_vars_free(&b.vars);
  rlx_arena_free(b.arena);
  if (out) rlx_schedule_put(c, loop, out);
  return out;
}
