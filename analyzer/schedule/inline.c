/// compute_inline, reverse_compute_inline: a block becomes part of its readers, or of the block that
/// it reads from.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/compute_inline.cc. Differs where TVM trusts what is
/// not proved: other readers of the buffer, a producer that writes elements which the consumer would
/// map elsewhere, a predicate of the producer that would be lost (docs/differences.md).
#include "analyzer/schedule/domain.h"

typedef struct Inline {
  RlxScheduleCall *c;
  const RlxTirStmt *block; ///< that goes away
  const RlxTirBlockInfo *info;
  const RlxTirBlockInfo *scope;
  RlxTirBuffer *buffer;    ///< that goes away
  const RlxTirStmt *store; ///< the body of `block`
  // compute_inline: the value over `keys`, one for each dimension.
  RlxTirVar **keys;
  RlxTirExpr *value;
  // reverse_compute_inline
  const RlxTirStmt *producer, *producer_store;
  bool has_others;       ///< others read the buffer, too: it stays, and the producer writes both
  RlxTirSubst *put;      ///< variables of the consumer, in terms of the producer's
  RlxTirExpr *condition; ///< of the consumer's store beside the producer's; NULL: none
} Inline;

static bool refuse(Inline *n, const char *why) {
  return rlx_schedule_refuse(n->c, RLX_DIAG_ID(SCHEDULE_INLINE), n->block, "ss",
                             rlx_schedule_block_name(n->c, n->block), why);
}

// ---- what both ask

static bool start(RlxScheduleCall *c, Inline *n) {
  RlxSchedulePlace place;
  n->c = c;
  if (!rlx_schedule_block(c, 0, &place)) return false;
  n->block = place.stmt;
  if (place.is_root || !place.stmt) return refuse(n, "the root block has no readers");
  n->info = rlx_schedule_block_info(c, n->block);
  n->scope = &rlx_schedule_analysis(c)->blocks[n->info->scope];
  if (n->block->init) return refuse(n, "it has an init, so its value takes more than one step");
  if (!n->scope->stage_pipeline.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_INLINE), n->block,
                                       &n->scope->stage_pipeline);
  if (!n->info->complete.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_INLINE), n->block,
                                       &n->info->complete);
  n->store = n->block->count == 1 ? n->block->body[0] : NULL;
  if (!n->store || n->store->kind != RLX_TIR_STORE)
    return refuse(n, "its body is not one store, `B[f(i, j)] = g(i, j)`");
  if (n->scope->child_count < 2) return refuse(n, "it is the only block of its scope");
  return rlx_schedule_check_bare(c, RLX_DIAG_ID(SCHEDULE_INLINE), n->block, n->info);
}

/// A loop between the block and its scope that the store mentions: its value is not told by the
/// block's variables then.
static bool check_closed(Inline *n) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(n->c);
  for (int i = 0; i < n->info->loop_count; i++)
    if (rlx_tir_mentions(n->store, a->loops[n->info->loops[i]].stmt->var))
      return refuse(n, "its body uses a loop variable that no block variable is bound to");
  return true;
}

static bool writes_buffer(const RlxTirBlock *b, const RlxTirBuffer *buffer) {
  for (int i = 0; i < b->write_count; i++)
    if (b->writes[i].buffer == buffer) return true;
  return false;
}

/// Everything but the block itself; regions that mention the buffer are deduced anew.
static RlxTirStmt *after_stmt(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  Inline *n = w->data;
  (void)old;
  if (s->kind != RLX_TIR_BLOCK || !rlx_schedule_mentions_buffer(s->block, n->buffer)) return s;
  if (n->has_others && !writes_buffer(s->block, n->buffer)) return s; // a reader, as it was
  return rlx_schedule_forget_regions(n->c, s);
}

static void moved(RlxTirRewriter *w, const RlxTirStmt *old, RlxTirStmt *now) {
  rlx_schedule_moved(((Inline *)w->data)->c, old, now);
}

static void finish(Inline *n, RlxTirRewriter *w) {
  RlxScheduleCall *c = n->c;
  rlx_schedule_put(c, n->block, NULL);
  rlx_schedule_moved(c, n->block, NULL);
  c->f->body = rlx_tir_rewrite(w, c->f->body);
  if (!n->has_others) rlx_schedule_change_alloc(c, n->scope->stmt, n->buffer, NULL);
  rlx_primfunc_complete_after(c->s->store, c->f, rlx_schedule_analysis(c));
}

/// Where a loop of the producer has no iteration, a reader finds what nobody wrote, and would compute a
/// value there, or not run at all.
static bool check_idle(Inline *n, const RlxTirBlockInfo *producer, const RlxTirBlockInfo *reader) {
  const RlxTirStmt *loop = rlx_schedule_idle_loop(n->c, producer, reader);
  if (!loop) return true;
  const char *witness, *words = rlx_schedule_idle_words(n->c, loop, &witness);
  refuse(n, rlx_arena_printf(n->c->s->arena, "%s, and block \"%s\" runs there without \"%s\"",
                             words, rlx_schedule_block_name(n->c, reader->stmt),
                             rlx_schedule_block_name(n->c, producer->stmt)));
  rlx_schedule_witness(n->c, witness);
  rlx_schedule_also(n->c, loop, "the loop");
  return false;
}

/// A condition around one of two blocks and not the other: the first would run, or be taken for run, where it
/// does not.
static bool check_condition(Inline *n, const RlxTirBlockInfo *block, const RlxTirBlockInfo *other) {
  const RlxTirStmt *condition = rlx_schedule_condition(n->c, block->stmt, NULL);
  if (!condition || rlx_schedule_stands_in(condition, other->stmt)) return true;
  refuse(n, rlx_arena_printf(n->c->s->arena,
                             "block \"%s\" stands under a condition, and \"%s\" does not",
                             rlx_schedule_block_name(n->c, block->stmt),
                             rlx_schedule_block_name(n->c, other->stmt)));
  rlx_schedule_also(n->c, condition, "the condition");
  return false;
}

/// An index may be computed in more bits than its type has: a value that leaves its type is another one there.
static bool check_index(Inline *n, const RlxTirExpr *value, const RlxTirStmt *readers) {
  if (!rlx_dtype_is_int(value->dtype) || !rlx_tir_may_wrap(value, RLX_TIR_FOR_VALUE)) return true;
  return !rlx_schedule_is_index_of(readers, n->buffer) ||
         refuse(n, "its value may leave its type, and an index is computed of it");
}

// ---- compute_inline

static bool is_constant(RlxStore *store, const RlxTirExpr *e, int64_t wanted) {
  const RlxPrim *p = e ? rlx_tir_integer(store, e) : NULL;
  int64_t k = 0;
  return p && rlx_prim_is_const(rlx_prim_simplify(store, p), &k) && k == wanted;
}

/// The store's indices are the block's variables, one for one.
static bool keys_are_iters(Inline *n) {
  RlxStore *store = n->c->s->store;
  const RlxTirBlock *b = n->block->block;
  if (b->iter_count != n->buffer->ndim) return false;
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirExpr *index = n->store->indices[i];
    bool is_unit = is_constant(store, index, 0) && is_constant(store, b->iters[i].extent, 1) &&
                   (!b->iters[i].min || is_constant(store, b->iters[i].min, 0));
    if (!is_unit && !(index->kind == RLX_TIR_VAR && index->var == b->iters[i].var)) return false;
    n->keys[i] = b->iters[i].var;
  }
  n->value = n->store->value;
  return true;
}

/// The value over variables that stand for the indices: the store's indices, solved for the block's
/// variables.
static bool invert_store(Inline *n) {
  RlxScheduleCall *c = n->c;
  RlxStore *store = c->s->store;
  const RlxTirBlock *b = n->block->block;
  int ndim = n->buffer->ndim;
  const RlxPrim **indices = rlx_arena_array(c->s->arena, const RlxPrim *, ndim + 1);
  const RlxPrim **values = rlx_arena_array(c->s->arena, const RlxPrim *, ndim + 1);
  const RlxPrim **inverse = rlx_arena_array(c->s->arena, const RlxPrim *, b->iter_count + 1);
  RlxScheduleVars vars = {.c = c};
  for (int d = 0; d < ndim; d++) {
    indices[d] = rlx_tir_integer(store, n->store->indices[d]);
    if (!indices[d]) return false;
    n->keys[d] = rlx_tir_var(c->f, rlx_intern_text(rlx_store_names(store), "ph"),
                             n->store->indices[d]->dtype);
    values[d] = rlx_prim_var(store, rlx_tir_symbol(store, n->keys[d]));
    rlx_schedule_vars_add(&vars, n->keys[d]);
    rlx_schedule_vars_of(&vars, n->store->indices[d]);
  }
  const RlxLoopRange *ranges = rlx_schedule_domain_ranges(c, b);
  RlxIterQuery query = {.indices = indices,
                        .index_count = ndim,
                        .loops = ranges,
                        .loop_count = b->iter_count,
                        .level = RLX_ITER_BIJECTIVE,
                        .keeps_unit_loops = true};
  RlxIterMap map = {0};
  if (ranges) map = rlx_iter_map_detect(store, c->s->arena, &query);
  bool ok = map.sums && rlx_iter_map_inverse(store, c->s->arena, &map, ndim, values, ranges,
                                             b->iter_count, inverse);
  RlxTirSubst *put = rlx_arena_array(c->s->arena, RlxTirSubst, b->iter_count + 1);
  int count = 0;
  for (int i = 0; ok && i < b->iter_count; i++) {
    if (is_constant(store, b->iters[i].extent, 1)) inverse[i] = ranges[i].min;
    RlxTirExpr *value = inverse[i] ? rlx_schedule_expr(&vars, inverse[i]) : NULL;
    if (value)
      put[count++] = (RlxTirSubst){b->iters[i].var, value};
    else
      ok = !rlx_schedule_uses(n->store->value, b->iters[i].var);
  }
  rlx_schedule_vars_free(&vars);
  if (ok) n->value = rlx_tir_subst(c->f, n->store->value, put, count);
  return ok;
}

static RlxTirExpr *put_value(RlxTirRewriter *w, RlxTirExpr *e) {
  Inline *n = w->data;
  if (e->kind != RLX_TIR_LOAD || e->buffer != n->buffer) return e;
  for (int d = 0; d < n->buffer->ndim; d++) n->put[d] = (RlxTirSubst){n->keys[d], e->args[d]};
  return rlx_tir_subst(w->f, n->value, n->put, n->buffer->ndim);
}

/// Does a block under the loop write what the block reads?
static bool makes_input(const Inline *n, const RlxTirAnalysis *a, const RlxTirLoopInfo *loop) {
  for (int b = 0; b < loop->block_count; b++) {
    const RlxTirBlockInfo *other = &a->blocks[loop->blocks[b]];
    for (int r = 0; other != n->info && r < n->info->reads.count; r++)
      if (rlx_tir_box_of(&other->writes, n->info->reads.at[r].buffer)) return true;
  }
  return false;
}

/// A reader outside of a loop in which the block's inputs are made computes of what the last iteration left: the
/// iterations are to be independent.
static bool check_left_loops(Inline *n, const RlxTirBlockInfo *reader) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(n->c);
  for (int i = 0; i < n->info->loop_count; i++) {
    const RlxTirLoopInfo *left = &a->loops[n->info->loops[i]];
    if (rlx_tir_is_under(reader, left->index) || !makes_input(n, a, left)) continue;
    RlxTirVerdict v = rlx_tir_race_free(a, rlx_schedule_accesses(n->c), left->index);
    if (v.is) continue;
    return rlx_schedule_refuse_verdict(n->c, RLX_DIAG_ID(SCHEDULE_INLINE), n->block, &v);
  }
  return true;
}

/// What the readers take has been computed wherever they run.
static bool check_readers(Inline *n) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(n->c);
  for (int i = 0; i < n->scope->child_count; i++) {
    const RlxTirBlockInfo *reader = &a->blocks[n->scope->children[i]];
    if (reader == n->info || !rlx_tir_box_of(&reader->reads, n->buffer)) continue;
    if (!check_condition(n, n->info, reader) || !check_idle(n, n->info, reader) ||
        !check_left_loops(n, reader))
      return false;
  }
  return true;
}

bool rlx_primitive_compute_inline(RlxScheduleCall *c) {
  Inline n = {0};
  if (!start(c, &n)) return false;
  if (n.block->block->write_count != 1) return refuse(&n, "it does not write exactly one buffer");
  n.buffer = n.block->block->writes[0].buffer;
  if (n.info->output_block.is)
    return refuse(&n, "it writes a buffer that lives on outside of its scope");
  n.keys = rlx_arena_array(c->s->arena, RlxTirVar *, n.buffer->ndim + 1);
  n.put = rlx_arena_array(c->s->arena, RlxTirSubst, n.buffer->ndim + 1);
  if (!keys_are_iters(&n) && !invert_store(&n))
    return refuse(&n, "the indices of its store are no one-to-one affine map of its variables");
  if (!check_closed(&n) || !check_readers(&n) || !check_index(&n, n.store->value, c->f->body))
    return false;
  if (rlx_schedule_is_opaque(c->f->body, n.buffer))
    return refuse(&n, "its buffer is used by its pointer, or looked into by another buffer");
  RlxTirRewriter w = {.f = c->f, .data = &n, .expr = put_value, .stmt = after_stmt, .moved = moved};
  finish(&n, &w);
  return true;
}

// ---- reverse_compute_inline

/// The only buffer among the block's reads that blocks of its scope write.
static bool find_buffer(Inline *n) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(n->c);
  for (int r = 0; r < n->info->reads.count; r++) {
    RlxTirBuffer *buffer = n->info->reads.at[r].buffer;
    bool is_written = false;
    for (int k = 0; k < n->scope->child_count; k++) {
      const RlxTirBlockInfo *other = &a->blocks[n->scope->children[k]];
      is_written |= rlx_tir_box_of(&other->writes, buffer) != NULL;
    }
    if (!is_written || buffer == n->buffer) continue;
    if (n->buffer) return refuse(n, "it reads more than one buffer that is made in its scope");
    n->buffer = buffer;
  }
  return n->buffer || refuse(n, "it reads no buffer that is made in its scope");
}

/// The one block, the innermost, that writes the buffer.
static const RlxTirBlockInfo *find_producer(Inline *n) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(n->c);
  const RlxTirBlockInfo *found = NULL;
  for (int b = 1; b < a->block_count; b++) {
    const RlxTirBlockInfo *other = &a->blocks[b];
    if (other == n->info || !rlx_tir_is_within(a, b, n->scope->index) || other->child_count)
      continue;
    n->has_others |= rlx_tir_box_of(&other->reads, n->buffer) != NULL;
    if (!rlx_tir_box_of(&other->writes, n->buffer)) continue;
    if (found || !other->complete.is) {
      refuse(n, "what it reads is not made by one complete block of its scope");
      rlx_schedule_also(n->c, other->stmt, "this writer");
      return NULL;
    }
    found = other;
  }
  if (!found) refuse(n, "what it reads is not made by one complete block of its scope");
  if (found && rlx_tir_allocates(n->scope, n->buffer)) return found;
  if (found) refuse(n, "what it reads lives on outside of its scope");
  return NULL;
}

typedef struct Loads {
  const RlxTirBuffer *buffer;
  const RlxTirExpr *first;
  bool differ;
} Loads;

static bool note_load(const RlxTirExpr *e, void *data) {
  Loads *l = data;
  if (e->kind != RLX_TIR_LOAD || e->buffer != l->buffer) return true;
  for (int d = 0; l->first && d < l->buffer->ndim; d++)
    l->differ |= !rlx_tir_expr_equal(l->first->args[d], e->args[d]);
  if (!l->first) l->first = e;
  return true;
}

/// The conjuncts that keep the consumer's variables in their domains, in terms of the producer's
/// loops (of its variables where both are written), where that is not proved; also the facts of all of them.
static bool in_domain(Inline *n, const RlxPrim *const *values, const RlxFacts **facts,
                      RlxTirExpr **predicate) {
  RlxScheduleCall *c = n->c;
  RlxStore *store = c->s->store;
  const RlxTirBlock *b = n->block->block, *p = n->producer->block;
  const RlxLoopRange *ranges = rlx_schedule_domain_ranges(c, b);
  const RlxFacts *known = *facts;
  RlxTirExpr *out = NULL;
  RlxTirSubst *bind = rlx_arena_array(c->s->arena, RlxTirSubst, p->iter_count + 1);
  for (int i = 0; i < p->iter_count; i++)
    bind[i] = (RlxTirSubst){p->iters[i].var, p->iters[i].binding};
  RlxScheduleVars vars = {.c = c};
  for (int d = 0; d < n->buffer->ndim; d++)
    rlx_schedule_vars_of(&vars, n->producer_store->indices[d]);
  for (int i = 0; i < b->iter_count; i++) {
    rlx_schedule_vars_of(&vars, b->iters[i].extent);
    const RlxPrim *end = rlx_prim_add(store, ranges[i].min, ranges[i].extent);
    const RlxPrim *both[2] = {rlx_prim_binary(store, RLX_PRIM_LE, ranges[i].min, values[i]),
                              rlx_prim_binary(store, RLX_PRIM_LT, values[i], end)};
    for (int k = 0; k < 2; k++) {
      if (rlx_prove(store, known, both[k]) == RLX_YES) continue;
      RlxFacts *fact = rlx_arena_one(c->s->arena, RlxFacts);
      *fact = (RlxFacts){*facts, both[k], NULL};
      *facts = fact;
      RlxTirExpr *value = rlx_schedule_expr(&vars, values[i]),
                 *bound = rlx_schedule_expr(&vars, k ? end : ranges[i].min);
      if (!value || !bound) {
        rlx_schedule_vars_free(&vars);
        return refuse(n, "a domain is no integer expression");
      }
      int bound_count = n->has_others ? 0 : p->iter_count;
      value = rlx_schedule_simplify(c, rlx_tir_subst(c->f, value, bind, bound_count));
      RlxTirExpr *e = k ? rlx_tir_binary(c->f, RLX_TIR_LT, value, bound)
                        : rlx_tir_binary(c->f, RLX_TIR_LE, bound, value);
      out = rlx_tir_and(c->f, out, e);
    }
  }
  rlx_schedule_vars_free(&vars);
  *predicate = out;
  return true;
}

/// What is read lies in the buffer, so that the producer has made it (region cover): no instance is
/// lost.
static bool is_made(Inline *n, const RlxPrim *const *indices) {
  RlxStore *store = n->c->s->store;
  const RlxFacts *own = rlx_schedule_domain_facts(n->c, NULL, n->block->block);
  for (int d = 0; d < n->buffer->ndim; d++) {
    const RlxPrim *size = rlx_tir_integer(store, n->buffer->shape[d]);
    const RlxPrim *zero = rlx_prim_int_typed(store, 0, indices[d]->dtype);
    if (!size || rlx_prove_less_equal(store, own, zero, indices[d]) != RLX_YES ||
        rlx_prove_less(store, own, indices[d], size) != RLX_YES)
      return refuse(n, "some of its instances may read outside of what the producer writes");
  }
  return true;
}

/// Where the producer runs, it will write all that the consumer's domain does: what lives on outside of the
/// scope, and none of its instances writes now, would change.
static bool check_all_run(Inline *n) {
  RlxScheduleCall *c = n->c;
  if (rlx_tir_allocates(n->scope, n->store->buffer)) return true;
  RlxBindingVerdict covers = rlx_tir_binding_covers(rlx_schedule_analysis(c), n->info);
  if (covers.proof == RLX_YES) return true;
  refuse(n, rlx_arena_printf(c->s->arena, "not all of its domain is shown to run now: %s",
                             covers.witness ? covers.witness : covers.reason));
  rlx_schedule_witness(c, covers.witness);
  return false;
}

/// The loads are one to one onto a box that holds all that the producer writes: then each element is
/// read by exactly the instance that the inverse gives.
static bool is_box(Inline *n, RlxIterQuery query, const RlxPrim *const *values,
                   const RlxFacts *facts) {
  RlxStore *store = n->c->s->store;
  query.level = RLX_ITER_BIJECTIVE;
  RlxIterMap map = rlx_iter_map_detect(store, n->c->s->arena, &query);
  if (!map.sums || map.is_padded) return false;
  for (int d = 0; d < query.index_count; d++) {
    const RlxIterSum *sum = &map.sums[d];
    const RlxPrim *end = rlx_prim_addi(store, sum->base, 1);
    for (int k = 0; k < sum->split_count; k++) {
      const RlxPrim *last = rlx_prim_addi(store, sum->splits[k].extent, -1);
      end = rlx_prim_add(store, end, rlx_prim_mul(store, last, sum->splits[k].scale));
    }
    if (rlx_prove_less_equal(store, facts, sum->base, values[d]) != RLX_YES ||
        rlx_prove_less(store, facts, values[d], end) != RLX_YES)
      return false;
  }
  return true;
}

/// Writes down, in `n->put`, what stands for each variable of the consumer, from the inverse of its indices; false: not all are told.
static bool put_inverse(Inline *n, const RlxPrim **inverse, const RlxLoopRange *ranges) {
  RlxScheduleCall *c = n->c;
  const RlxTirBlock *b = n->block->block;
  RlxScheduleVars vars = {.c = c};
  for (int d = 0; d < n->buffer->ndim; d++)
    rlx_schedule_vars_of(&vars, n->producer_store->indices[d]);
  n->put = rlx_arena_array(c->s->arena, RlxTirSubst, b->iter_count + 1);
  bool ok = true;
  for (int i = 0; i < b->iter_count && ok; i++) {
    if (!inverse[i] && is_constant(c->s->store, b->iters[i].extent, 1)) inverse[i] = ranges[i].min;
    RlxTirExpr *value = inverse[i] ? rlx_schedule_expr(&vars, inverse[i]) : NULL;
    ok = value != NULL;
    if (ok) n->put[i] = (RlxTirSubst){b->iters[i].var, value};
  }
  rlx_schedule_vars_free(&vars);
  return ok;
}

/// Solves the consumer's loads for its variables, at the indices that the producer stores to.
/// `*out_predicate`: what the producer's instances have to fulfil from now on; NULL: nothing more.
static bool solve(Inline *n, RlxTirExpr **out_predicate) {
  RlxScheduleCall *c = n->c;
  RlxStore *store = c->s->store;
  RlxArena *arena = c->s->arena;
  const RlxTirBlock *b = n->block->block;
  int ndim = n->buffer->ndim, count = b->iter_count;
  Loads loads = {n->buffer, NULL, false};
  rlx_tir_visit(n->store, NULL, note_load, &loads);
  if (!loads.first || loads.differ)
    return refuse(n, "it does not read the buffer at the same indices everywhere");
  const RlxPrim **indices = rlx_arena_array(arena, const RlxPrim *, ndim + 1);
  const RlxPrim **values = rlx_arena_array(arena, const RlxPrim *, ndim + 1);
  const RlxPrim **inverse = rlx_arena_array(arena, const RlxPrim *, count + 1);
  const RlxLoopRange *ranges = rlx_schedule_domain_ranges(c, b);
  for (int d = 0; d < ndim; d++) {
    indices[d] = rlx_tir_integer(store, loads.first->args[d]);
    values[d] = rlx_tir_integer(store, n->producer_store->indices[d]);
    if (!indices[d] || !values[d]) return refuse(n, "an index is no integer expression");
  }
  RlxIterQuery query = {.indices = indices,
                        .index_count = ndim,
                        .loops = ranges,
                        .loop_count = count,
                        .level = RLX_ITER_NO_CHECK,
                        .keeps_unit_loops = true};
  RlxIterMap map = {0};
  if (ranges) map = rlx_iter_map_detect(store, arena, &query);
  if (!map.sums || !rlx_iter_map_inverse(store, arena, &map, ndim, values, ranges, count, inverse))
    return refuse(n, "the indices of its load are no affine map of its variables");
  if (!put_inverse(n, inverse, ranges))
    return refuse(n, "the indices of its load do not tell all of its variables");
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxFacts *facts = NULL;
  for (int i = rlx_schedule_block_info(c, n->producer)->index; i != n->scope->index;
       i = a->blocks[i].scope)
    facts = rlx_schedule_domain_facts(c, facts, a->blocks[i].block);
  if (!is_made(n, indices)) return false;
  if (is_box(n, query, values, facts)) return true;
  if (!in_domain(n, inverse, &facts, out_predicate)) return false;
  // Each instance of the consumer is found again from what it reads …
  const RlxFacts *own = rlx_schedule_domain_facts(c, NULL, b);
  const RlxPrim **found = rlx_arena_array(arena, const RlxPrim *, count + 1);
  rlx_iter_map_inverse(store, arena, &map, ndim, indices, ranges, count, found);
  for (int i = 0; i < count; i++)
    if (found[i] &&
        rlx_prove_equal(store, own, found[i], rlx_prim_var(store, ranges[i].var)) != RLX_YES)
      return refuse(n, "two of its instances may read one element");
  // … and what the producer writes there is the element that this instance reads.
  const RlxSymVar **own_vars = rlx_arena_array(arena, const RlxSymVar *, count + 1);
  for (int i = 0; i < count; i++) own_vars[i] = ranges[i].var;
  RlxSubst back = {own_vars, inverse, count, false};
  for (int d = 0; d < ndim; d++)
    if (rlx_prove_equal(store, facts, rlx_prim_subst(store, indices[d], &back, NULL), values[d]) !=
        RLX_YES)
      return refuse(n, "the producer writes elements that it would take for others");
  return true;
}

static RlxTirExpr *put_producer(RlxTirRewriter *w, RlxTirExpr *e) {
  Inline *n = w->data;
  if (e->kind == RLX_TIR_LOAD && e->buffer == n->buffer) return n->producer_store->value;
  for (int i = 0; e->kind == RLX_TIR_VAR && i < n->block->block->iter_count; i++)
    if (n->put[i].var == e->var) return n->put[i].value;
  return e;
}

static RlxTirStmt *put_store(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  Inline *n = w->data;
  if (old != n->producer_store) return after_stmt(w, s, old);
  RlxTirRewriter inner = {.f = w->f, .data = n, .expr = put_producer};
  RlxTirStmt *store = rlx_tir_rewrite(&inner, n->store);
  if (!n->has_others) return store;
  RlxTirStmt *both[2] = {s, n->condition ? rlx_tir_if(w->f, n->condition, store, NULL) : store};
  return rlx_tir_seq(w->f, both, 2);
}

/// The instances of the producer that have one of the consumer to stand for.
static void put_predicate(Inline *n, RlxTirExpr *predicate) {
  if (n->has_others) n->condition = predicate;
  if (n->has_others || !predicate) return;
  RlxPrimFunc *f = n->c->f;
  RlxTirStmt *now = rlx_tir_copy_block(f, n->producer);
  RlxTirExpr *was = n->producer->block->predicate;
  bool is_same = rlx_tir_expr_equal(was, predicate);
  now->block->predicate = is_same ? was : rlx_tir_and(f, was, predicate);
  rlx_schedule_replace(n->c, n->producer, now);
  n->producer = now;
}

bool rlx_primitive_reverse_compute_inline(RlxScheduleCall *c) {
  Inline n = {0};
  RlxTirExpr *predicate = NULL;
  if (!start(c, &n) || !find_buffer(&n)) return false;
  const RlxTirBlockInfo *producer = find_producer(&n);
  if (!producer) return false;
  if (n.block->block->predicate) return refuse(&n, "it has a predicate");
  if (!rlx_schedule_check_bare(c, RLX_DIAG_ID(SCHEDULE_INLINE), n.block, producer)) return false;
  n.producer = producer->stmt;
  const RlxTirStmt *body = n.producer->body[0];
  if (n.producer->init || body->kind != RLX_TIR_STORE || body->buffer != n.buffer)
    return refuse(&n, "the body of the block that it reads from is not one store");
  n.producer_store = body;
  if (!check_closed(&n) || !check_condition(&n, producer, n.info) ||
      !check_condition(&n, n.info, producer) || !check_idle(&n, producer, n.info) ||
      !check_all_run(&n) || !solve(&n, &predicate) ||
      !check_index(&n, n.producer_store->value, n.block))
    return false;
  if (rlx_schedule_is_opaque(c->f->body, n.buffer))
    return refuse(&n, "its buffer is used by its pointer, or looked into by another buffer");
  put_predicate(&n, predicate);
  RlxTirRewriter w = {.f = c->f, .data = &n, .stmt = put_store, .moved = moved};
  finish(&n, &w);
  return true;
}
