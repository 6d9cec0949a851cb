/// fuse_reduction_epilogue, merge_reduction: what stands before or after a reduction becomes part of it.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/compute_inline.cc (FuseReductionEpilogue). TVM
/// repeats an epilogue that is no sum, such as a clipping, at each step of the reduction, which gives
/// other values: refused here (docs/differences.md). merge_reduction is the inverse of
/// decompose_reduction, which the design document describes.
#include "analyzer/schedule/domain.h"

typedef struct Fuse {
  RlxScheduleCall *c;
  RlxStore *store;
  const RlxTirBlockInfo *red, *other, *scope; ///< the reduction; its epilogue, or the init
  const RlxTirStmt *update, *start, *tail; ///< stores: of the body, of T.init, of the other block
  RlxTirSubst *put;  ///< variables of the other block by those of the reduction
  RlxTirExpr *value; ///< of the tail, over the reduction's variables
  bool
      is_told; ///< the predicate of the init says that the reduction has an instance, and nothing else
} Fuse;

static bool refuse(Fuse *f, const char *why) {
  const RlxTirStmt *about = f->red ? f->red->stmt : NULL;
  rlx_schedule_refuse(f->c, RLX_DIAG_ID(SCHEDULE_EPILOGUE), about, "ss",
                      rlx_schedule_block_name(f->c, about), why);
  if (f->other) rlx_schedule_also(f->c, f->other->stmt, "the other block");
  return false;
}

// ---- arguments

static bool read_block(Fuse *f, int i, const RlxTirBlockInfo **out) {
  RlxSchedulePlace place;
  if (!rlx_schedule_block(f->c, i, &place)) return false;
  if (place.is_root || !place.stmt) return refuse(f, "the root block is no part of a reduction");
  *out = rlx_schedule_block_info(f->c, place.stmt);
  return true;
}

static bool read_blocks(Fuse *f, int red, int other) {
  if (!read_block(f, red, &f->red) || !read_block(f, other, &f->other)) return false;
  if (f->red->scope != f->other->scope || f->red == f->other)
    return refuse(f, "the two blocks do not stand in one scope");
  f->scope = &rlx_schedule_analysis(f->c)->blocks[f->red->scope];
  if (!f->scope->stage_pipeline.is)
    return rlx_schedule_refuse_verdict(f->c, RLX_DIAG_ID(SCHEDULE_EPILOGUE), f->red->stmt,
                                       &f->scope->stage_pipeline);
  f->update = rlx_schedule_only_store(f->red->stmt);
  f->tail = rlx_schedule_only_store(f->other->stmt);
  if (!f->update || !f->tail) return refuse(f, "the bodies are not one store each");
  RlxDiagId id = RLX_DIAG_ID(SCHEDULE_EPILOGUE);
  const RlxTirStmt *about = f->red->stmt;
  return rlx_schedule_check_bare(f->c, id, about, f->red) &&
         rlx_schedule_check_bare(f->c, id, about, f->other) &&
         rlx_schedule_check_condition(f->c, id, about, f->red->stmt, NULL) &&
         rlx_schedule_check_condition(f->c, id, about, f->other->stmt, NULL);
}

/// The variable of `b` that an index is, -1: it is something else.
static int variable_of(const RlxTirBlock *b, const RlxTirExpr *e) {
  for (int i = 0; e->kind == RLX_TIR_VAR && i < b->iter_count; i++)
    if (b->iters[i].var == e->var) return i;
  return -1;
}

static bool is_same(Fuse *f, const RlxTirExpr *a, const RlxTirExpr *b) {
  const RlxPrim *x = a ? rlx_tir_integer(f->store, a) : NULL;
  const RlxPrim *y = b ? rlx_tir_integer(f->store, b) : NULL;
  if (!a && !b) return true;
  if (!a || !b) return (a ? a : b)->kind == RLX_TIR_INT && (a ? a : b)->integer == 0;
  return x && y && rlx_prove_equal(f->store, NULL, x, y) == RLX_YES;
}

/// Element `theirs` of the other block is element `ours` of the reduction: each variable of the other
/// one is a data-parallel one of ours, over the same domain.
static bool pair_variables(Fuse *f, RlxTirExpr *const *ours, RlxTirExpr *const *theirs, int ndim) {
  const RlxTirBlock *x = f->red->block, *y = f->other->block;
  f->put = rlx_arena_array(f->c->f->arena, RlxTirSubst, y->iter_count + 1);
  int found = 0;
  for (int d = 0; d < ndim; d++) {
    int i = variable_of(x, ours[d]), k = variable_of(y, theirs[d]);
    if (i < 0 && k < 0 && rlx_tir_expr_equal(ours[d], theirs[d]) && ours[d]->kind == RLX_TIR_INT)
      continue;
    if (i < 0 || k < 0 || x->iters[i].type != RLX_ITER_DATA_PAR ||
        y->iters[k].type != RLX_ITER_DATA_PAR)
      return refuse(f, "the buffer between both is not indexed by data-parallel variables alone");
    for (int n = 0; n < found; n++)
      if (f->put[n].var == y->iters[k].var || f->put[n].value->var == x->iters[i].var)
        return refuse(f, "a variable indexes the buffer between both twice");
    if (!is_same(f, x->iters[i].extent, y->iters[k].extent) ||
        !is_same(f, x->iters[i].min, y->iters[k].min))
      return refuse(f, "variables of the two blocks have different domains");
    f->put[found++] = (RlxTirSubst){y->iters[k].var, rlx_tir_var_expr(f->c->f, x->iters[i].var)};
  }
  for (int k = 0; k < y->iter_count; k++) {
    bool is_put = false;
    for (int n = 0; n < found; n++) is_put |= f->put[n].var == y->iters[k].var;
    if (is_put) continue;
    if (y->iters[k].extent->kind != RLX_TIR_INT || y->iters[k].extent->integer != 1)
      return refuse(f, "a variable of the other block does not index the buffer between both");
    f->put[found++] = (RlxTirSubst){
        y->iters[k].var,
        y->iters[k].min ? y->iters[k].min : rlx_tir_int(f->c->f, 0, y->iters[k].var->dtype)};
  }
  int parallel = 0;
  for (int i = 0; i < x->iter_count; i++)
    parallel += x->iters[i].type == RLX_ITER_DATA_PAR &&
                (x->iters[i].extent->kind != RLX_TIR_INT || x->iters[i].extent->integer != 1);
  int used = 0;
  for (int n = 0; n < found; n++)
    used += f->put[n].value->kind == RLX_TIR_VAR &&
            !is_same(f, rlx_tir_int(f->c->f, 1, RLX_INT32),
                     x->iters[variable_of(x, f->put[n].value)].extent);
  if (used != parallel)
    return refuse(f, "a variable of the reduction does not index the buffer between both");
  return true;
}

/// Where a loop that reduces has no iteration, the init that becomes part of the reduction does not run, or the
/// epilogue: refused, unless it did not run there before.
static bool check_empty(Fuse *f) {
  RlxScheduleCall *c = f->c;
  const RlxTirStmt *loop = f->is_told ? NULL : rlx_schedule_empty_loop(c, f->red);
  if (!loop) return true;
  const char *witness, *words = rlx_schedule_idle_words(c, loop, &witness);
  refuse(f,
         rlx_arena_printf(c->s->arena,
                          "%s: the other block runs there, and would not as a part of it", words));
  rlx_schedule_witness(c, witness);
  rlx_schedule_also(c, loop, "the loop");
  return false;
}

// ---- fuse_reduction_epilogue

static int count_loads(const RlxTirExpr *e, const RlxTirBuffer *buffer, const RlxTirExpr **out) {
  int n = 0;
  if (e->kind == RLX_TIR_LOAD && e->buffer == buffer) {
    *out = e;
    n = 1;
  }
  for (int i = 0; i < e->arg_count; i++) n += count_loads(e->args[i], buffer, out);
  return n;
}

/// `e` is the load of the reduction's result plus what does not depend on it.
static bool is_sum_of(const RlxTirExpr *e, const RlxTirExpr *load) {
  const RlxTirExpr *ignored;
  if (e == load) return true;
  if (e->kind == RLX_TIR_SUB)
    return is_sum_of(e->args[0], load) && !count_loads(e->args[1], load->buffer, &ignored);
  if (e->kind != RLX_TIR_ADD) return false;
  for (int k = 0; k < 2; k++)
    if (is_sum_of(e->args[k], load) && !count_loads(e->args[1 - k], load->buffer, &ignored))
      return true;
  return false;
}

/// Nobody but the two blocks sees the reduction's buffer, or the epilogue's before it.
static bool check_others(Fuse *f) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(f->c);
  if (!rlx_tir_allocates(f->scope, f->update->buffer))
    return refuse(f, "the buffer between both lives on outside of their scope");
  for (int i = 0; i < f->scope->child_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[f->scope->children[i]];
    if (b->has_opaque) return refuse(f, "a block of the scope uses buffers by their pointers");
    bool sees = rlx_tir_box_of(&b->reads, f->update->buffer) ||
                rlx_tir_box_of(&b->writes, f->update->buffer);
    bool writes = rlx_tir_box_of(&b->writes, f->tail->buffer);
    bool reads = rlx_tir_box_of(&b->reads, f->tail->buffer);
    if (b != f->red && b != f->other && sees)
      return refuse(f, "another block uses the buffer between both");
    if (b != f->other && (writes || (reads && b->index < f->other->index)))
      return refuse(f, "another block uses what the epilogue writes before it is done");
    for (int k = 0; b != f->other && b != f->red && k < f->other->reads.count; k++) {
      const RlxTirBuffer *addend = f->other->reads.at[k].buffer;
      if (!rlx_tir_box_of(&b->writes, addend)) continue;
      if (b->index > f->red->index || rlx_tir_common_loop(a, b->index, f->red->index) >= 0)
        return refuse(f, "what the epilogue adds is written too late");
    }
  }
  return true;
}

static RlxTirExpr *without_zero(RlxPrimFunc *f, RlxTirExpr *e) {
  if (e->kind != RLX_TIR_ADD) return e;
  for (int k = 0; k < 2; k++) {
    const RlxTirExpr *x = e->args[k];
    if ((x->kind == RLX_TIR_FLOAT && x->number == 0) || (x->kind == RLX_TIR_INT && !x->integer))
      return e->args[1 - k];
  }
  (void)f;
  return e;
}

typedef struct Put { ///< loads of a buffer become one value
  const RlxTirBuffer *buffer;
  RlxTirExpr *value;
} Put;

static RlxTirExpr *put_value(RlxTirRewriter *w, RlxTirExpr *e) {
  const Put *p = w->data;
  if (e->kind == RLX_TIR_LOAD && e->buffer == p->buffer) return p->value;
  return without_zero(w->f, e);
}

static RlxTirStmt *store_like(RlxPrimFunc *f, const RlxTirStmt *at, RlxTirExpr **indices,
                              RlxTirExpr *value) {
  RlxTirStmt *out = rlx_tir_copy(f, at);
  out->indices = indices;
  out->value = value;
  return out;
}

static void fuse(Fuse *f) {
  RlxScheduleCall *c = f->c;
  RlxPrimFunc *p = c->f;
  int n = f->other->block->iter_count, ndim = f->tail->buffer->ndim;
  RlxTirExpr **indices = rlx_arena_array(p->arena, RlxTirExpr *, ndim + 1);
  for (int d = 0; d < ndim; d++) indices[d] = rlx_tir_subst(p, f->tail->indices[d], f->put, n);
  Put first = {f->update->buffer, f->start->value};
  RlxTirRewriter w = {.f = p, .data = &first, .expr = put_value};
  RlxTirExpr *start = rlx_tir_rewrite_expr(&w, rlx_tir_subst(p, f->tail->value, f->put, n));
  Put later = {f->update->buffer, rlx_tir_load(p, f->tail->buffer, indices)};
  w.data = &later;
  RlxTirStmt *out = rlx_schedule_forget_regions(c, f->red->stmt);
  out->init = store_like(p, f->tail, indices, start);
  out->body[0] = store_like(p, f->tail, indices, rlx_tir_rewrite_expr(&w, f->update->value));
  rlx_schedule_put(c, f->red->stmt, out);
  rlx_schedule_replace(c, f->other->stmt, NULL);
  rlx_primfunc_complete(f->store, p);
}

bool rlx_primitive_fuse_reduction_epilogue(RlxScheduleCall *c) {
  Fuse f = {.c = c, .store = c->s->store};
  if (!read_blocks(&f, 0, 1)) return false;
  f.start =
      f.red->stmt->init && f.red->stmt->init->kind == RLX_TIR_STORE ? f.red->stmt->init : NULL;
  if (!f.red->reduction.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_NOT_REDUCTION), f.red->stmt,
                                       &f.red->reduction);
  if (!f.other->complete.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_EPILOGUE), f.other->stmt,
                                       &f.other->complete);
  const RlxTirExpr *load = NULL, *carried = NULL;
  if (!f.start || f.red->index > f.other->index || f.red->block->predicate ||
      f.other->block->predicate)
    return refuse(&f, "the epilogue does not follow the reduction, or one of them has a predicate");
  if (count_loads(f.tail->value, f.update->buffer, &load) != 1)
    return refuse(&f, "the epilogue does not take the reduction's result at one place");
  if (!is_sum_of(f.tail->value, load))
    return refuse(&f, "the epilogue does more than to add: repeated at each step of the reduction, "
                      "it gives other values");
  bool is_sum = f.update->value->kind == RLX_TIR_ADD &&
                count_loads(f.update->value, f.update->buffer, &carried) == 1 &&
                (f.update->value->args[0] == carried || f.update->value->args[1] == carried);
  if (!is_sum || !rlx_dtype_equal(f.tail->buffer->dtype, f.update->buffer->dtype))
    return refuse(&f, "the reduction is no sum, or the epilogue changes the dtype");
  if (!pair_variables(&f, f.update->indices, load->args, f.update->buffer->ndim) ||
      !check_others(&f))
    return false;
  if (rlx_tir_binding(rlx_schedule_analysis(c), f.other).proof != RLX_YES)
    return refuse(&f, "not all instances of the epilogue run once");
  const char *late = rlx_schedule_init_starts_late(c, f.red);
  if (late) return refuse(&f, late);
  if (!check_empty(&f)) return false;
  fuse(&f);
  return true;
}

// ---- merge_reduction

/// Both write the same elements in each iteration of the loops that they have in common.
static bool check_regions(Fuse *f) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(f->c);
  int common = rlx_tir_common_loop(a, f->red->index, f->other->index);
  RlxTirBox boxes[2];
  RlxTirBlock without = *f->other->block; // what the predicate says is asked elsewhere
  RlxTirBlockInfo init = *f->other;
  without.predicate = NULL;
  if (f->is_told) init.block = &without, init.predicate = NULL;
  const RlxTirBlockInfo *blocks[2] = {f->red, &init};
  for (int k = 0; k < 2; k++) {
    const RlxTirBox *own = rlx_tir_box_of(&blocks[k]->writes, f->update->buffer);
    if (!own) return refuse(f, "the init does not write what the reduction writes");
    RlxTirBox over = rlx_tir_box_unbind(a, blocks[k], own);
    boxes[k] = rlx_tir_box_relax(a, blocks[k], &over, common);
    if (!boxes[k].is_exact) return refuse(f, "what one of them writes is not known exactly");
  }
  for (int d = 0; d < f->update->buffer->ndim; d++)
    for (int k = 0; k < 2; k++) {
      const RlxPrim *x = k ? boxes[0].extent[d] : boxes[0].begin[d];
      const RlxPrim *y = k ? boxes[1].extent[d] : boxes[1].begin[d];
      if (!x || !y || rlx_prove_equal(f->store, NULL, x, y) != RLX_YES)
        return refuse(f, "the init writes other elements than the reduction");
    }
  for (int l = 0; common >= 0 && l < f->red->loop_count; l++) { // those in common do not reduce
    const RlxTirLoopInfo *loop = &a->loops[f->red->loops[l]];
    for (int i = 0; i < f->red->iter_count; i++)
      if (f->red->iters[i].iter->type == RLX_ITER_REDUCE &&
          rlx_schedule_uses(f->red->iters[i].iter->binding, loop->stmt->var))
        return refuse(f, "a loop around both reduces: the init would run less often");
    if (f->red->loops[l] == common) break;
  }
  return true;
}

static bool check_between(Fuse *f) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(f->c);
  for (int i = 0; i < f->scope->child_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[f->scope->children[i]];
    if (b == f->red || b == f->other) continue;
    if (b->has_opaque) return refuse(f, "a block of the scope uses buffers by their pointers");
    if (rlx_tir_box_of(&b->writes, f->update->buffer) ||
        (b->index < f->red->index && rlx_tir_box_of(&b->reads, f->update->buffer)))
      return refuse(f, "another block uses the buffer before the reduction is done");
  }
  return true;
}

/// What decompose_reduction says of an init whose reduction may have no instance.
static bool is_told_by_predicate(Fuse *f) {
  const RlxTirExpr *predicate = f->other->block->predicate;
  RlxTirExpr *runs = rlx_schedule_reduction_runs(f->c, f->red);
  return predicate && runs && rlx_tir_expr_equal(predicate, runs);
}

static bool loads_something(const RlxTirExpr *e, void *data) {
  *(bool *)data |= e->kind == RLX_TIR_LOAD || e->kind == RLX_TIR_CALL;
  return true;
}

bool rlx_primitive_merge_reduction(RlxScheduleCall *c) {
  Fuse f = {.c = c, .store = c->s->store};
  if (!read_blocks(&f, 1, 0)) return false;
  bool loads = false;
  rlx_tir_visit_expr(f.tail->value, loads_something, &loads);
  if (loads || f.other->stmt->init || f.red->stmt->init || f.other->index > f.red->index)
    return refuse(&f, "the first block is no init that stands before it");
  if (f.tail->buffer != f.update->buffer)
    return refuse(&f, "the init does not write what the reduction writes");
  if (!f.red->incremental.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_EPILOGUE), f.red->stmt,
                                       &f.red->incremental);
  for (int i = 0; i < f.red->iter_count; i++) {
    int64_t first = 0;
    if (f.red->iters[i].iter->type > RLX_ITER_REDUCE)
      return refuse(&f, "a variable of it is neither data-parallel nor reduces");
    if (!f.red->iters[i].min || (f.red->iters[i].iter->type == RLX_ITER_REDUCE &&
                                 !rlx_prim_is_const(f.red->iters[i].min, &first)))
      return refuse(&f, "the domain of a reduce variable does not start at a number");
  }
  f.is_told = is_told_by_predicate(&f);
  if (!pair_variables(&f, f.update->indices, f.tail->indices, f.update->buffer->ndim) ||
      !check_regions(&f) || !check_between(&f) || !check_empty(&f))
    return false;
  if (rlx_tir_binding(rlx_schedule_analysis(c), f.red).proof != RLX_YES)
    return refuse(&f, "not all instances of the reduction run once");
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirStmt **loops =
      rlx_arena_array(c->s->arena, const RlxTirStmt *, f.red->loop_count + 1);
  for (int l = 0; l < f.red->loop_count; l++) loops[l] = a->loops[f.red->loops[l]].stmt;
  RlxTirBlockInfo with_init = *f.red;
  with_init.has_init = true;
  const char *late = rlx_schedule_init_too_late(c, &with_init, loops, f.red->loop_count, NULL);
  if (!late) late = rlx_schedule_init_starts_late(c, &with_init);
  if (late) return refuse(&f, late);
  RlxPrimFunc *p = c->f;
  RlxTirExpr *value = rlx_tir_subst(p, f.tail->value, f.put, f.other->block->iter_count);
  RlxTirStmt *out = rlx_schedule_forget_regions(c, f.red->stmt);
  out->init = store_like(p, f.tail, f.update->indices, value);
  rlx_schedule_put(c, f.red->stmt, out);
  rlx_schedule_replace(c, f.other->stmt, NULL);
  rlx_primfunc_complete(f.store, p);
  rlx_schedule_give(c, rlx_schedule_now(c, f.red->stmt));
  return true;
}
