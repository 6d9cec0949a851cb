/// cache_read, cache_write, cache_inplace: what a block reads or writes goes through a buffer of its own,
/// filled or emptied by a copy.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/cache_read_write.cc. Differs where the copy back
/// would carry elements that nobody wrote, or a read would come before the copy
/// (docs/differences.md).
#include "analyzer/schedule/domain.h"
#include "analyzer/tir/loops.h"

#include <stdio.h>

typedef struct Cache {
  RlxScheduleCall *c;
  bool is_read;
  const RlxTirBlockInfo *block, *scope, *writer; ///< writer: NULL for what the scope does not write
  RlxTirBuffer *buffer, *cache;
  const char *storage;
  bool *is_consumer; ///< by block index; NULL: all are
  RlxScheduleSpot spot;
  const RlxTirBox *declared;     ///< what is cached, over the block's variables
  const RlxTirBlockInfo *source; ///< whose writes are copied; NULL: what is read is
  RlxTirExpr **begin, **extent;
  bool is_exact;   ///< every element of the region is written
  bool is_wider;   ///< a whole dimension is copied where less is stated
  bool is_full;    ///< the cache has the shape of the buffer
  bool takes_bare; ///< statements that stand in no block use the cache, too
  bool fetches;    ///< the cache is filled before, so that it has what the block leaves as it was
  RlxTirExpr
      *runs; ///< the condition for the copy back to have something to copy; NULL: it always has
} Cache;

static bool refuse(Cache *k, const char *why) {
  const RlxTirStmt *about = k->block ? k->block->stmt : NULL;
  return rlx_schedule_refuse(k->c, RLX_DIAG_ID(SCHEDULE_CACHE), about, "ss",
                             rlx_schedule_block_name(k->c, about), why);
}

// ---- arguments

/// Does the block read what is in the buffer where the copy stands? It reads the copy then.
static bool may_take(const Cache *k, const RlxTirBlockInfo *b) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(k->c);
  if (!rlx_tir_box_of(&b->reads, k->buffer)) return false;
  if (k->is_read) return !rlx_tir_box_of(&b->writes, k->buffer);
  RlxTirDependencyWalk walk = rlx_tir_dependencies(k->block->index);
  for (RlxTirDependency d; rlx_tir_next_dependency(a, &walk, &d);)
    if (d.src == k->block->index && d.dst == b->index && d.kind == RLX_DEPENDENCY_RAW) return true;
  return false;
}

static bool read_consumers(Cache *k, int arg) {
  RlxScheduleCall *c = k->c;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxScheduleValue *list = &c->args[arg];
  if (list->kind != RLX_SCHEDULE_LIST || !list->count) return true;
  k->is_consumer = rlx_arena_array(c->s->arena, bool, a->block_count);
  for (uint32_t i = 0; i < list->count; i++) {
    RlxSchedulePlace place;
    if (!rlx_schedule_item_any(c, &list->items[i], &place)) return false;
    const RlxTirBlockInfo *b = rlx_schedule_block_info(c, place.stmt);
    if (!b) return refuse(k, "a consumer is no block");
    k->is_consumer[b->index] = true;
    for (int n = 0; n < b->child_count; n++) k->is_consumer[b->children[n]] = true;
  }
  bool has_any = false;
  for (int b = a->block_count - 1; b >= 0; b--) { // with the blocks around, up to the scope
    k->is_consumer[b] = k->is_consumer[b] && may_take(k, &a->blocks[b]);
    int around = a->blocks[b].scope;
    if (k->is_consumer[b] && around > k->scope->index) k->is_consumer[around] = true;
    has_any |= k->is_consumer[b];
  }
  return has_any || refuse(k, "none of `consumer_blocks` reads the buffer there");
}

static bool read_arguments(RlxScheduleCall *c, Cache *k, bool is_read) {
  RlxSchedulePlace place;
  *k = (Cache){.c = c, .is_read = is_read, .storage = rlx_schedule_text(c, 2)};
  if (!rlx_schedule_block(c, 0, &place)) return false;
  if (place.is_root || !place.stmt) return refuse(k, "it is the root block");
  k->block = rlx_schedule_block_info(c, place.stmt);
  k->scope = &rlx_schedule_analysis(c)->blocks[k->block->scope];
  return rlx_schedule_check_scope_name(c, k->storage) &&
         rlx_schedule_buffer(c, 1, place.stmt, !is_read, &k->buffer, NULL) && read_consumers(k, 3);
}

// ---- where the copy stands, and what it copies

/// Beside blocks that depend on what `block` writes, as TVM picks them; false: refused.
static bool find_spot(Cache *k, const RlxTirBlockInfo *block) {
  RlxScheduleCall *c = k->c;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirStmt **related = rlx_arena_array(c->s->arena, const RlxTirStmt *, a->block_count);
  int count = 0;
  bool is_by_consumer = k->is_read && k->is_consumer;
  for (int b = 0; is_by_consumer && b < a->block_count; b++)
    if (k->is_consumer[b] && a->blocks[b].scope == k->scope->index)
      related[count++] = a->blocks[b].stmt;
  RlxTirDependencyWalk walk = rlx_tir_dependencies(block->index);
  for (RlxTirDependency next, *d = &next;
       !is_by_consumer && count < a->block_count && rlx_tir_next_dependency(a, &walk, d);) {
    if (d->src != block->index || d->kind != RLX_DEPENDENCY_RAW) continue;
    if (k->is_consumer && k->is_consumer[d->dst]) continue;
    related[count++] = a->blocks[d->dst].stmt;
  }
  k->spot = rlx_schedule_spot_between(c, k->scope, block->stmt, related, count);
  return k->spot.position >= 0 ||
         refuse(k, "the copy would stand inside of a condition, a let or the like");
}

typedef struct Nested {
  Cache *k;
  const RlxPrim *condition; ///< of all blocks so far; NULL: none was found
  bool is_open;             ///< one of them has no condition, or one that is no integer expression
} Nested;

typedef struct Inner {
  const RlxTirExpr *condition;
  bool is_used; ///< a loop that it mentions stands in the block
} Inner;

static bool note_inner(const RlxTirStmt *s, void *data) {
  Inner *n = data;
  n->is_used |= s->kind == RLX_TIR_FOR && rlx_schedule_uses(n->condition, s->var);
  return !n->is_used;
}

static bool collect_condition(const RlxTirStmt *s, void *data) {
  Nested *n = data;
  RlxStore *store = n->k->c->s->store;
  if (s->kind != RLX_TIR_BLOCK || s == n->k->block->stmt) return true;
  const RlxTirRegion *regions = n->k->is_read ? s->block->reads : s->block->writes;
  int count = n->k->is_read ? s->block->read_count : s->block->write_count;
  bool touches = false;
  for (int i = 0; i < count; i++) touches |= regions[i].buffer == n->k->buffer;
  if (!touches) return true;
  Inner inner = {.condition = s->block->predicate};
  if (!n->k->is_read) rlx_tir_visit(n->k->block->stmt, note_inner, NULL, &inner);
  n->is_open |= inner.is_used; // what it leaves alone is not told by the loops around
  const RlxPrim *p = s->block->predicate ? rlx_tir_number(store, s->block->predicate) : NULL;
  if (!p)
    n->is_open = true;
  else
    n->condition = n->condition ? rlx_prim_binary(store, RLX_PRIM_OR, n->condition, p) : p;
  return true;
}

/// The condition under which blocks inside of `block` touch the buffer, over the loops around
/// `block`; NULL: there is none.
static const RlxPrim *nested_condition(Cache *k) {
  RlxStore *store = k->c->s->store;
  const RlxTirBlockInfo *b = k->block;
  Nested n = {.k = k};
  rlx_tir_visit(b->stmt, collect_condition, NULL, &n);
  if (n.is_open || !n.condition) return NULL;
  RlxArena *arena = k->c->s->arena;
  const RlxSymVar **vars = rlx_arena_array(arena, const RlxSymVar *, b->iter_count + 1);
  const RlxPrim **values = rlx_arena_array(arena, const RlxPrim *, b->iter_count + 1);
  int count = 0;
  for (int i = 0; i < b->iter_count; i++) {
    if (!b->iters[i].binding) continue;
    vars[count] = b->iters[i].symbol;
    values[count++] = b->iters[i].binding;
  }
  RlxSubst subst = {vars, values, count, false};
  return rlx_prim_subst(store, n.condition, &subst, NULL);
}

/// A constant as an index of dimension `d` would be: as wide as those of the region that the block
/// states.
static RlxTirExpr *as_index(Cache *k, const RlxTirBlockInfo *block, int d, RlxTirExpr *e) {
  RlxDType dtype = k->buffer->shape[d]->dtype;
  const RlxTirBlock *b = block ? block->block : NULL;
  for (int w = 0; w < 2 && b; w++)
    for (int i = 0; i < (w ? b->write_count : b->read_count); i++) {
      const RlxTirRegion *r = w ? &b->writes[i] : &b->reads[i];
      if (r->buffer == k->buffer) dtype = r->begin[d]->dtype;
    }
  return e && e->kind == RLX_TIR_INT ? rlx_tir_int(k->c->f, e->integer, dtype) : e;
}

/// Does dimension `d` begin and end at loops of the scope? Those around the scope are not seen by the copy.
static bool is_inside_scope(const Cache *k, int d) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(k->c);
  for (int l = 0; l < a->loop_count; l++) {
    const RlxTirVar *var = a->loops[l].stmt->var;
    if (a->loops[l].scope == k->scope->index || !k->begin[d] || !k->extent[d]) continue;
    if (rlx_schedule_uses(k->begin[d], var) || rlx_schedule_uses(k->extent[d], var)) return false;
  }
  return true;
}

/// Is dimension `d` shown to lie in the buffer, whatever the loops and variables around are?
static bool stays_inside(const Cache *k, int d) {
  RlxStore *store = k->c->s->store;
  const RlxTirAnalysis *a = rlx_schedule_analysis(k->c);
  const RlxFacts *facts = NULL;
  for (int l = 0; l < a->loop_count; l++)
    if (a->loops[l].min && a->loops[l].extent &&
        rlx_schedule_uses(k->begin[d], a->loops[l].stmt->var))
      facts = rlx_schedule_range_facts(k->c, a->loops[l].symbol, a->loops[l].min,
                                       a->loops[l].extent, facts);
  for (const RlxTirBlockInfo *b = k->scope; b->stmt && b->index; b = &a->blocks[b->scope])
    facts = rlx_schedule_domain_facts(k->c, facts, b->block);
  const RlxPrim *begin = rlx_tir_integer(store, k->begin[d]),
                *extent = rlx_tir_integer(store, k->extent[d]),
                *size = rlx_tir_integer(store, k->buffer->shape[d]);
  if (!begin || !extent || !size) return false;
  const RlxPrim *end = rlx_prim_add(store, begin, extent);
  return rlx_prove_less_equal(store, facts, rlx_prim_int_typed(store, 0, begin->dtype), begin) ==
             RLX_YES &&
         rlx_prove_less_equal(store, facts, end, size) == RLX_YES;
}

static bool note_condition(const RlxTirStmt *s, void *data) {
  bool *has_condition = data;
  *has_condition |= s->kind == RLX_TIR_IF || (s->kind == RLX_TIR_BLOCK && s->block->predicate);
  return !*has_condition;
}

/// Does a condition stop the block, or what stands in it, at places where the copy goes on?
static bool has_condition(const RlxTirBlockInfo *block) {
  bool found = false;
  rlx_tir_visit(block->stmt, note_condition, NULL, &found);
  return found;
}

/// The copy goes where its block writes, or is shown to lie in the buffer.
static bool is_safe(const Cache *k, int d) {
  return (k->source && !has_condition(k->source)) || stays_inside(k, d);
}

/// What is stated may reach beyond the buffer, where a condition keeps the block from doing so: cut off
/// where all is numbers. False: the whole dimension is meant.
static bool clip(Cache *k, int d) {
  const RlxTirExpr *size = k->buffer->shape[d], *begin = k->begin[d], *extent = k->extent[d];
  if (size->kind != RLX_TIR_INT || extent->kind != RLX_TIR_INT) return is_safe(k, d);
  if (begin->kind != RLX_TIR_INT) return extent->integer <= size->integer && is_safe(k, d);
  int64_t from = begin->integer < 0 ? 0 : begin->integer, end = begin->integer + extent->integer;
  if (end > size->integer) end = size->integer;
  if (end <= from) return false;
  k->begin[d] = rlx_tir_int(k->c->f, from, begin->dtype);
  k->extent[d] = rlx_tir_int(k->c->f, end - from, extent->dtype);
  return true;
}

/// Takes `box`, that `block` states, for the region; where it is not known, the whole dimension.
static void set_region(Cache *k, const RlxTirBlockInfo *block, const RlxTirBox *box) {
  RlxScheduleCall *c = k->c;
  RlxScheduleVars vars = {.c = c};
  rlx_schedule_vars_all(&vars);
  k->is_exact = box && box->is_exact;
  k->begin = rlx_arena_array(c->f->arena, RlxTirExpr *, k->buffer->ndim + 1);
  k->extent = rlx_arena_array(c->f->arena, RlxTirExpr *, k->buffer->ndim + 1);
  for (int d = 0; d < k->buffer->ndim; d++) {
    RlxTirExpr *size = k->buffer->shape[d];
    k->begin[d] = box ? as_index(k, block, d, rlx_schedule_expr(&vars, box->begin[d])) : NULL;
    k->extent[d] = box ? as_index(k, block, d, rlx_schedule_expr(&vars, box->extent[d])) : NULL;
    if (k->begin[d] && k->extent[d] && is_inside_scope(k, d) && clip(k, d)) continue;
    k->is_wider = true;
    k->is_exact &= is_inside_scope(k, d) && k->source && !has_condition(k->source);
    k->begin[d] = rlx_tir_int(c->f, 0, size->dtype);
    k->extent[d] = size;
  }
  rlx_schedule_vars_free(&vars);
}

/// The loop that the copy stands in, -1: none.
static int loop_of_spot(const Cache *k) {
  const RlxTirStmt *at = k->spot.at;
  return at && at->kind == RLX_TIR_FOR ? rlx_tir_loop_info(rlx_schedule_analysis(k->c), at)->index
                                       : -1;
}

/// Does the block write all that is copied back behind it?
static bool writes_all(const Cache *k) {
  RlxTirBox box = {.buffer = k->buffer, .is_exact = k->is_exact};
  box.begin = rlx_arena_array(k->c->s->arena, const RlxPrim *, k->buffer->ndim + 1);
  box.extent = rlx_arena_array(k->c->s->arena, const RlxPrim *, k->buffer->ndim + 1);
  for (int d = 0; d < k->buffer->ndim; d++) {
    box.begin[d] = rlx_tir_integer(k->c->s->store, k->begin[d]);
    box.extent[d] = rlx_tir_integer(k->c->s->store, k->extent[d]);
  }
  return rlx_tir_writes_all(rlx_schedule_analysis(k->c), rlx_schedule_accesses(k->c), k->block,
                            &box, loop_of_spot(k));
}

/// Does the block, as far as it reads the buffer, read within what it states to write?
static bool reads_what_it_writes(const Cache *k) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(k->c);
  const RlxTirBlockInfo *b = k->block;
  bool is_at_loops = b->block->predicate && rlx_schedule_loads(b->block->predicate, k->buffer);
  for (int i = 0; i < b->iter_count; i++)
    is_at_loops |= rlx_schedule_loads(b->block->iters[i].binding, k->buffer);
  if (is_at_loops) return false; // a block's regions do not tell of these
  const RlxTirBox *writes = rlx_tir_box_of(&b->writes, k->buffer);
  const RlxTirBoxes *all[] = {&b->reads, &b->deduced_reads, &b->deduced_writes};
  for (int i = 0; i < 3; i++) {
    const RlxTirBox *box = rlx_tir_box_of(all[i], k->buffer);
    if (box && rlx_tir_box_covers(a, b, writes, box) != RLX_YES) return false;
  }
  return true;
}

/// May a copy right before the block carry what the block leaves as it was, or adds to? Blocks around say
/// that they do not read it, and iterations that run at once would copy back over each other.
static bool may_fetch(const Cache *k) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(k->c);
  if (k->scope->index != 0 || k->is_consumer || !reads_what_it_writes(k)) return false;
  for (int l = loop_of_spot(k); l >= 0; l = a->loops[l].parent) {
    uint8_t kind = a->loops[l].stmt->for_kind;
    if (kind != RLX_FOR_SERIAL && kind != RLX_FOR_UNROLLED) return false;
  }
  return true;
}

/// The region that `block` touches while the loops below the spot run.
static void relax(Cache *k, const RlxTirBlockInfo *block, const RlxTirBoxes *boxes,
                  const RlxPrim *condition) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(k->c);
  RlxTirBlockInfo info = *block;
  if (condition)
    info.predicate = info.predicate
                         ? rlx_prim_binary(a->store, RLX_PRIM_AND, info.predicate, condition)
                         : condition;
  RlxTirBox over_loops = rlx_tir_box_unbind(a, &info, rlx_tir_box_of(boxes, k->buffer));
  RlxTirBox box = rlx_tir_box_relax(a, &info, &over_loops, loop_of_spot(k));
  set_region(k, block, &box);
}

// ---- the copy

static RlxTirExpr **offset(RlxScheduleSwap *w, RlxTirExpr **at) {
  const Cache *k = w->data;
  RlxTirExpr **out = rlx_arena_array(w->c->f->arena, RlxTirExpr *, k->buffer->ndim + 1);
  for (int d = 0; d < k->buffer->ndim; d++) {
    bool is_zero = k->begin[d]->kind == RLX_TIR_INT && k->begin[d]->integer == 0;
    out[d] =
        is_zero
            ? at[d]
            : rlx_schedule_simplify(w->c, rlx_tir_binary(w->c->f, RLX_TIR_SUB, at[d], k->begin[d]));
  }
  return out;
}

static RlxName numbered(RlxScheduleCall *c, const char *base, int i) {
  char name[32];
  snprintf(name, sizeof name, "%s%d", base, i);
  return rlx_intern_text(rlx_store_names(c->s->store), name);
}

static void make_cache(Cache *k) {
  RlxScheduleCall *c = k->c;
  const char *name = rlx_arena_printf(c->s->arena, "%s_%s",
                                      rlx_store_text(c->s->store, k->buffer->name), k->storage);
  RlxInterner *names = rlx_store_names(c->s->store);
  k->cache = rlx_schedule_buffer_like(c, k->buffer, rlx_intern_text(names, name),
                                      k->is_full ? k->buffer->shape : k->extent, k->buffer->ndim,
                                      rlx_intern_text(names, k->storage));
}

static RlxTirStmt *make_copy(Cache *k, RlxTirStmt **out_block) {
  RlxScheduleCall *c = k->c;
  RlxPrimFunc *f = c->f;
  int ndim = k->buffer->ndim;
  RlxScheduleStage s = {.name = k->cache->name, .iter_count = ndim, .loop_count = ndim};
  s.iters = rlx_arena_array(f->arena, RlxTirIterVar, ndim + 1);
  s.loops = rlx_arena_array(f->arena, RlxTirVar *, ndim + 1);
  s.extents = k->extent;
  RlxTirExpr **own = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  RlxTirExpr **other = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  for (int d = 0; d < ndim; d++) {
    RlxDType dtype = k->extent[d]->dtype;
    s.loops[d] = rlx_tir_var(f, numbered(c, "ax", d), dtype);
    RlxTirVar *v = rlx_tir_var(f, numbered(c, "v", d), dtype);
    RlxTirExpr *at = rlx_tir_var_expr(f, s.loops[d]), *value = rlx_tir_var_expr(f, v);
    RlxTirExpr *begin = rlx_tir_cast(f, dtype, k->begin[d]);
    own[d] = value;
    other[d] = k->is_full ? value : rlx_tir_binary(f, RLX_TIR_ADD, begin, value);
    s.iters[d] =
        (RlxTirIterVar){.var = v,
                        .extent = k->is_full ? k->buffer->shape[d] : k->extent[d],
                        .binding = k->is_full ? rlx_tir_binary(f, RLX_TIR_ADD, begin, at) : at,
                        .type = RLX_ITER_DATA_PAR};
  }
  s.from = k->is_read ? k->buffer : k->cache;
  s.to = k->is_read ? k->cache : k->buffer;
  s.from_indices = k->is_read ? other : own;
  s.to_indices = k->is_read ? own : other;
  s.predicate = k->runs;
  return rlx_schedule_stage(c, &s, out_block);
}

typedef struct Blocks {
  Cache *k;
  RlxScheduleSwap *swap;
} Blocks;

static bool has_consumer(const RlxTirAnalysis *a, const Cache *k, const RlxTirBlockInfo *b) {
  if (k->is_consumer[b->index]) return true;
  for (int i = 0; i < b->child_count; i++)
    if (has_consumer(a, k, &a->blocks[b->children[i]])) return true;
  return false;
}

/// Children of the scope: those that use the cache from now on are swapped, the others kept. An init
/// runs before the copy is made.
static bool enter_block(RlxTirRewriter *r, const RlxTirStmt *s, RlxTirStmt **out) {
  Blocks *blocks = r->data;
  Cache *k = blocks->k;
  if (s->kind != RLX_TIR_BLOCK || s == k->scope->stmt) return false;
  const RlxTirAnalysis *a = rlx_schedule_analysis(k->c);
  const RlxTirBlockInfo *b = rlx_tir_block_info(a, s);
  bool takes = true;
  if (b->is_in_init && !k->block->is_in_init)
    takes = false;
  else if (k->is_read)
    takes = !rlx_tir_box_of(&b->writes, k->buffer) && (!k->is_consumer || has_consumer(a, k, b));
  else
    takes = b == k->block || (k->is_consumer && k->is_consumer[b->index]);
  *out = takes ? rlx_schedule_swap(blocks->swap, s) : a->blocks[b->index].stmt;
  return true;
}

static void note_moved(RlxTirRewriter *r, const RlxTirStmt *old, RlxTirStmt *now) {
  rlx_schedule_moved(((Blocks *)r->data)->k->c, old, now);
}

static bool keep_block(RlxTirRewriter *r, const RlxTirStmt *s, RlxTirStmt **out) {
  (void)r;
  *out = (RlxTirStmt *)(uintptr_t)s;
  return s->kind == RLX_TIR_BLOCK;
}

/// The cache for the buffer in the statements of the scope that stand in no block.
static void swap_bare(Cache *k, RlxScheduleSwap swap) {
  RlxScheduleCall *c = k->c;
  const RlxTirStmt *scope = rlx_schedule_now(c, k->scope->stmt);
  swap.enter = keep_block;
  RlxTirStmt *body = rlx_schedule_swap(&swap, scope ? scope->body[0] : c->f->body);
  if (!scope) {
    c->f->body = body;
    return;
  }
  RlxTirStmt *out = rlx_tir_copy(c->f, scope);
  out->body[0] = body;
  rlx_schedule_replace(c, scope, out);
}

/// Where the copy stands that fills the cache: before the statement around the block, beside the copy back.
static int position_of_fetch(const Cache *k) {
  const RlxTirStmt *at = k->spot.at, *body = at ? at->body[0] : k->c->f->body;
  for (int i = 0; body->kind == RLX_TIR_SEQ && i < (int)body->count; i++)
    if (rlx_schedule_stands_in(body->body[i], k->block->stmt)) return i;
  return 0;
}

/// Puts the copy that fills the cache before the block; the place of the copy back moves on.
static void insert_fetch(Cache *k, int position) {
  RlxScheduleCall *c = k->c;
  RlxTirStmt *block = NULL;
  k->is_read = true;
  RlxTirStmt *copy = make_copy(k, &block);
  k->is_read = false;
  const char *name =
      rlx_arena_printf(c->s->arena, "%s_in", rlx_store_text(c->s->store, k->cache->name));
  block->block->name = rlx_intern_text(rlx_store_names(c->s->store), name);
  const RlxTirStmt *at = k->spot.at;
  rlx_schedule_insert(c, (RlxScheduleSpot){at, position}, copy);
  k->spot.at = rlx_schedule_now(c, at);
  k->spot.position++;
}

static bool finish(Cache *k) {
  RlxScheduleCall *c = k->c;
  const RlxTirStmt *scope = k->scope->stmt, *at = k->spot.at;
  RlxTirStmt *block = NULL;
  int fetch = k->fetches ? position_of_fetch(k) : 0;
  k->is_full = at && at->kind == RLX_TIR_FOR;
  make_cache(k);
  RlxScheduleSwap swap = {.c = c,
                          .from = k->buffer,
                          .to = k->cache,
                          .indices = k->is_full ? NULL : offset,
                          .keeps_writes = k->is_read,
                          .data = k};
  Blocks blocks = {k, &swap};
  RlxTirRewriter r = {.f = c->f, .data = &blocks, .enter = enter_block, .moved = note_moved};
  RlxTirStmt *copy = make_copy(k, &block);
  if (scope)
    rlx_schedule_put(c, scope, rlx_tir_rewrite(&r, scope));
  else
    c->f->body = rlx_tir_rewrite(&r, c->f->body);
  if (k->takes_bare) swap_bare(k, swap);
  k->spot.at = rlx_schedule_now(c, at);
  if (k->fetches) insert_fetch(k, fetch);
  rlx_schedule_insert(c, k->spot, copy);
  rlx_schedule_change_alloc(c, scope, NULL, k->cache);
  rlx_schedule_give(c, block);
  return true;
}

/// Is there a loop around both blocks that runs more than once?
static bool share_loop(const RlxTirAnalysis *a, int block, int other) {
  for (int l = rlx_tir_common_loop(a, block, other); l >= 0; l = a->loops[l].parent) {
    int64_t extent;
    if (!a->loops[l].extent || !rlx_prim_is_const(a->loops[l].extent, &extent) || extent != 1)
      return true;
  }
  return false;
}

// ---- statements that stand in no block

static bool refuse_bare(Cache *k, const RlxTirStmt *bare, const char *why) {
  refuse(k, why);
  rlx_schedule_also(k->c, bare, "this statement");
  return false;
}

/// Is all of the buffer copied, at the end of what the scope does to it before?
static bool takes_over_all(const Cache *k) {
  RlxScheduleCall *c = k->c;
  const RlxTirStmt *scope = k->scope->stmt, *body = scope ? scope->body[0] : c->f->body;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  if (k->spot.at != scope) return false;
  for (int d = 0; d < k->buffer->ndim; d++)
    if (k->begin[d]->kind != RLX_TIR_INT || k->begin[d]->integer ||
        !rlx_tir_expr_equal(k->extent[d], k->buffer->shape[d]))
      return false;
  for (int i = k->spot.position; body->kind == RLX_TIR_SEQ && i < (int)body->count; i++)
    if (rlx_schedule_bare_use_in(body->body[i], k->buffer, false)) return false;
  for (int i = 0; i < k->scope->child_count; i++) { // who reads the buffer comes after the copy
    const RlxTirBlockInfo *b = &a->blocks[k->scope->children[i]];
    if (b != k->block && rlx_tir_box_of(&b->reads, k->buffer) &&
        (b->index < k->block->index || share_loop(a, b->index, k->block->index)))
      return false;
  }
  return true;
}

// ---- the primitives

/// A pointer into the buffer means its layout, which the cache has only when its shape is the same.
static bool check_pointers(Cache *k) {
  const RlxTirStmt *all = k->scope->stmt ? k->scope->stmt : k->c->f->body;
  if (rlx_schedule_is_aliased(k->scope->stmt ? all->body[0] : all, k->buffer))
    return refuse(k, "the memory of its buffer is used under another name, too");
  if (!rlx_schedule_is_opaque(all, k->buffer)) return true;
  for (int d = 0; d < k->buffer->ndim; d++)
    if (!rlx_tir_expr_equal(k->extent[d], k->buffer->shape[d]) && k->spot.at == k->scope->stmt)
      return refuse(k, "its buffer is used by its pointer, and only a part of it is cached");
  return true;
}

/// Do the readers that take from the cache all read an element before the writer writes it?
static bool is_before_writer(const Cache *k) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(k->c);
  bool has_any = false;
  for (int i = 0; i < k->scope->child_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[k->scope->children[i]];
    bool takes = k->is_consumer ? k->is_consumer[b->index]
                                : rlx_tir_box_of(&b->reads, k->buffer) &&
                                      !rlx_tir_box_of(&b->writes, k->buffer);
    if (!takes) continue;
    has_any = true;
    if (b->index >= k->writer->index) return false;
    for (int l = rlx_tir_common_loop(a, b->index, k->writer->index); l >= 0; l = a->loops[l].parent)
      if (!rlx_tir_race_free(a, rlx_schedule_accesses(k->c), l).is) return false;
  }
  return has_any;
}

/// Does nobody else of the scope read from the cache?
static bool is_only_reader(const Cache *k) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(k->c);
  for (int i = 0; i < k->scope->child_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[k->scope->children[i]];
    if (b != k->block && rlx_tir_box_of(&b->reads, k->buffer) &&
        (!k->is_consumer || k->is_consumer[b->index]))
      return false;
  }
  return true;
}

/// A block that reads the buffer in a loop with the block that writes it, while the copy back comes
/// behind that loop: a later iteration would miss what an earlier one wrote. NULL: there is none.
static const RlxTirBlockInfo *find_starved(const Cache *k) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(k->c);
  for (int i = 0; i < k->scope->child_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[k->scope->children[i]];
    if (b == k->block || !rlx_tir_box_of(&b->reads, k->buffer) ||
        (k->is_consumer && k->is_consumer[b->index]))
      continue;
    int spot = loop_of_spot(k), common = rlx_tir_common_loop(a, b->index, k->block->index);
    for (int l = common; l >= 0; l = a->loops[l].parent) {
      int around = spot;
      while (around >= 0 && around != l) around = a->loops[around].parent;
      if (around >= 0) break; // each of its iterations copies back
      if (!rlx_tir_race_free(a, rlx_schedule_accesses(k->c), l).is) return b;
    }
  }
  return NULL;
}

bool rlx_primitive_cache_read(RlxScheduleCall *c) {
  Cache k;
  if (!read_arguments(c, &k, true) || !rlx_schedule_check_cover(c, k.scope, k.buffer) ||
      !rlx_schedule_only_writer(c, k.scope, k.buffer, &k.writer))
    return false;
  const RlxTirStmt *bare = rlx_schedule_bare_use(c, k.scope, k.buffer, true);
  if (bare) return refuse_bare(&k, bare, "a statement that stands in no block writes the buffer");
  if (k.writer && !is_before_writer(&k)) {
    const RlxTirAnalysis *a = rlx_schedule_analysis(c);
    RlxTirDependencyWalk walk = rlx_tir_dependencies(k.writer->index);
    for (RlxTirDependency d; rlx_tir_next_dependency(a, &walk, &d);)
      if (d.kind == RLX_DEPENDENCY_WAR && d.buffer == k.buffer &&
          (!k.is_consumer || k.is_consumer[d.src]) && d.scope == k.scope->index)
        return refuse(&k, "a block reads the buffer before it is written");
    if (!find_spot(&k, k.writer)) return false;
    k.source = k.writer;
    relax(&k, k.writer, &k.writer->writes, NULL);
  } else {
    k.spot = (RlxScheduleSpot){k.scope->stmt, 0};
    const RlxPrim *condition = is_only_reader(&k) ? nested_condition(&k) : NULL;
    if (condition)
      relax(&k, k.block, &k.block->reads, condition);
    else
      set_region(&k, k.scope, k.scope->stmt ? rlx_tir_box_of(&k.scope->reads, k.buffer) : NULL);
  }
  // The blocks around state what they read: it would be less than what is copied.
  if (k.is_wider && k.scope->stmt && !rlx_tir_allocates(k.scope, k.buffer))
    return refuse(&k, "what is read is not shown to stay inside of the buffer");
  return check_pointers(&k) && finish(&k);
}

bool rlx_primitive_cache_write(RlxScheduleCall *c) {
  Cache k;
  if (!read_arguments(c, &k, false) || !rlx_schedule_only_writer(c, k.scope, k.buffer, &k.writer))
    return false;
  if (!find_spot(&k, k.block)) return false;
  k.source = k.block;
  const RlxPrim *condition = nested_condition(&k);
  relax(&k, k.block, &k.block->writes, condition);
  if (k.scope->stmt && k.scope->stmt->init && rlx_schedule_touches(k.scope->stmt->init, k.buffer))
    return refuse(&k,
                  "the init of the block around writes the buffer, and would not write the copy");
  const RlxTirStmt *bare = rlx_schedule_bare_use(c, k.scope, k.buffer, false);
  bool is_own =
      rlx_tir_allocates(k.scope, k.buffer); // else a statement may read what was there before
  if (bare && !(is_own && takes_over_all(&k)))
    return refuse_bare(&k, bare, "a statement that stands in no block uses the buffer");
  k.takes_bare = bare != NULL;
  const RlxTirBlockInfo *starved = find_starved(&k);
  if (starved) {
    refuse(&k, "another block may read in a later iteration what it wrote, and the copy back comes "
               "behind the loop");
    rlx_schedule_also(c, starved->stmt, "the other block");
    return false;
  }
  const char *old = is_own ? NULL : rlx_schedule_keeps_old(c, k.block, k.buffer, condition);
  const RlxScheduleCopyBack back = {k.block, k.buffer, loop_of_spot(&k), k.extent, k.buffer->ndim};
  if (!old && !is_own && (!writes_all(&k) || !rlx_schedule_writes_where(c, &back, &k.runs)))
    old = "the copy back would also write elements that it does not write";
  k.fetches = old != NULL;
  if (old && !may_fetch(&k)) return refuse(&k, old);
  return check_pointers(&k) && finish(&k);
}

// ---- in place

/// The region that covers both what the block reads of the buffer and what it writes: what is copied
/// back has been copied before.
static const RlxTirBox *box_in_place(Cache *k) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(k->c);
  const RlxTirBox *reads = rlx_tir_box_of(&k->block->reads, k->buffer),
                  *writes = rlx_tir_box_of(&k->block->writes, k->buffer);
  if (!reads || !writes) return NULL;
  if (rlx_tir_box_covers(a, k->block, reads, writes) == RLX_YES) return reads;
  return rlx_tir_box_covers(a, k->block, writes, reads) == RLX_YES ? writes : NULL;
}

bool rlx_primitive_cache_inplace(RlxScheduleCall *c) {
  Cache k;
  if (!read_arguments(c, &k, true) || !rlx_schedule_check_cover(c, k.scope, k.buffer)) return false;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirBox *both = box_in_place(&k);
  if (!both) return refuse(&k, "it does not read and write one region of the buffer");
  for (int l = 0; l < k.block->loop_count; l++) {
    uint8_t kind = a->loops[k.block->loops[l]].stmt->for_kind;
    if (kind != RLX_FOR_SERIAL && kind != RLX_FOR_UNROLLED)
      return refuse(&k, "a loop around it does not run one iteration after another");
  }
  enum { DEEP = 512 };
  const RlxTirStmt *path[DEEP];
  int n = rlx_schedule_path(c, k.block->stmt, path, DEEP), at = (n < DEEP ? n : DEEP) - 2;
  while (at >= 0 && path[at]->kind == RLX_TIR_SEQ) at--;
  if (at >= 0 && path[at]->kind != RLX_TIR_FOR && path[at]->kind != RLX_TIR_BLOCK)
    return refuse(&k, "it stands under a condition");
  k.spot.at = at >= 0 ? path[at] : NULL; // the statement right around it
  RlxTirBox own = *both;
  const RlxTirBoxes boxes = {.at = &own, .count = 1};
  relax(&k, k.block, &boxes, NULL);
  if (!check_pointers(&k)) return false;
  const RlxTirStmt *scope = k.scope->stmt;
  RlxTirStmt *blocks[2] = {NULL, NULL}, *all[3];
  k.is_full = k.spot.at && k.spot.at->kind == RLX_TIR_FOR;
  make_cache(&k);
  RlxScheduleSwap swap = {
      .c = c, .from = k.buffer, .to = k.cache, .indices = k.is_full ? NULL : offset, .data = &k};
  all[0] = make_copy(&k, &blocks[0]);
  all[1] = rlx_schedule_swap(&swap, k.block->stmt);
  k.is_read = false;
  all[2] = make_copy(&k, &blocks[1]);
  rlx_schedule_put(c, k.block->stmt, rlx_tir_seq(c->f, all, 3));
  rlx_schedule_change_alloc(c, scope, NULL, k.cache);
  const RlxTirStmt *given[2] = {blocks[0], blocks[1]};
  rlx_schedule_give_list(c, given, 2);
  return true;
}
