/// Races under a loop, exactly, and S4's rule for parallel loops.
///
/// Two accesses conflict when two iterations touch one element and one of them writes. A pair is
/// asked as one system: the loops outside are shared, those from the asked one on exist twice.
#include "analyzer/tir/loops.h"

#include "analyzer/tir/blocks_impl.h"
#include "analyzer/tir/effects.h"
#include "analyzer/tir/facts.h"
#include "analyzer/tir/iter_map.h"
#include "analyzer/tir/loops_impl.h"
#include "analyzer/tir/rewrite.h"
#include "analyzer/words/script_effects.h"

enum { PAIRS_MAX = 300, OPEN_MAX = 8 }; // of one loop; how many may stay open

/// Of iterations of one loop, or of a chain of loops that stand directly in each other.
typedef struct Race {
  const RlxTirAnalysis *a;
  const RlxTirAccesses *accesses;
  const RlxTirStmt *loop; // the outermost
  int depth;              // it is the access' loops[depth]
  int length;             // of the chain
  const int *order;       // places in the chain, as they stand afterwards; NULL: any order, at once
  bool is_at_once;        // no store excuses another, though both are of one value
  bool has_own;           // what an iteration has for itself alone is in memory of its own
  const RlxTirBuffer *only; // NULL: all buffers
  RlxTirVerdict verdict;
} Race;

/// The position of the loop around the access; -1: it is not below.
static int depth_of(const RlxTirAccess *x, const RlxTirStmt *loop) {
  for (int i = 0; i < x->loop_count; i++)
    if (x->loops[i].stmt == loop) return i;
  return -1;
}

static bool is_private(const Race *r, const RlxTirAccess *x) {
  return x->alloc_depth >= r->depth + r->length;
}

static bool below(const Race *r, const RlxTirAccess *x) { return depth_of(x, r->loop) >= 0; }

/// Does an instance of the block always store the same values, whichever iteration runs it? It is
/// complete, its body sees loops only through its variables, and it reads nothing that an iteration
/// has for itself.
static bool is_pure(const Race *r, int block) {
  const RlxTirBlockInfo *b = &r->a->blocks[block];
  if (!b->stmt || !b->complete.is || b->has_opaque) return false;
  for (int i = 0; i < b->loop_count; i++)
    for (uint32_t k = 0; k < b->stmt->count; k++)
      if (rlx_tir_mentions(b->stmt->body[k], r->a->loops[b->loops[i]].stmt->var)) return false;
  for (int i = 0; i < r->accesses->count; i++) {
    const RlxTirAccess *x = &r->accesses->at[i];
    if (x->block == block && !x->is_write && is_private(r, x)) return false;
  }
  return true;
}

/// Instances of both differ in a block variable: NULL when that cannot be said.
static const RlxPrim *other_instance(RlxTirJoint *j, const RlxTirCopy *x, const RlxTirCopy *y) {
  RlxStore *store = j->a->store;
  const RlxPrim *differ = NULL;
  if (x->access->instance_count != y->access->instance_count) return NULL;
  for (int i = 0; i < x->access->instance_count; i++) {
    const RlxPrim *p = rlx_tir_copy_prim(j, x, x->access->instance[i]);
    const RlxPrim *q = rlx_tir_copy_prim(j, y, y->access->instance[i]);
    if (!p || !q) return NULL;
    const RlxPrim *here = rlx_prim_binary(store, RLX_PRIM_NE, p, q);
    differ = differ ? rlx_prim_binary(store, RLX_PRIM_OR, differ, here) : here;
  }
  return differ ? differ : rlx_prim_int_typed(store, 0, rlx_dtype(RLX_DTYPE_BOOL, 8));
}

static void tell(Race *r, const RlxTirJoint *j, const RlxTirCopy *x, const RlxTirCopy *y,
                 const RlxSetPoint *point) {
  RlxBuf out = {0};
  rlx_tir_put_parameters(&out, j, point);
  rlx_tir_put_element(&out, j, x, point);
  rlx_buf_puts(&out, " is written at ");
  rlx_tir_put_place(&out, j, x, point, false);
  rlx_buf_puts(&out, y->access->is_write ? " and again at " : " and read at ");
  bool same_loops = x->access->loop_count == y->access->loop_count &&
                    rlx_tir_common_loops(x->access, y->access) == x->access->loop_count;
  rlx_tir_put_place(&out, j, y, point, same_loops);
  r->verdict = rlx_tir_verdict(false, false, 1, y->access->block,
                               rlx_arena_strdup(r->a->arena, rlx_buf_text(&out)));
  r->verdict.witness = r->verdict.reason;
  r->verdict.span = y->access->span;
  rlx_buf_free(&out);
}

static const RlxPrim *compare(const Race *r, RlxPrimKind kind, const RlxSymVar *x,
                              const RlxSymVar *y) {
  RlxStore *store = r->a->store;
  return rlx_prim_binary(store, kind, rlx_prim_var(store, x), rlx_prim_var(store, y));
}

/// `x` runs in an earlier iteration of the chain than `y`, its loops in `order` (NULL: as they stand).
static const RlxPrim *is_earlier(const Race *r, const RlxTirCopy *x, const RlxTirCopy *y,
                                 const int *order) {
  RlxStore *store = r->a->store;
  const RlxPrim *out = NULL;
  for (int i = r->length - 1; i >= 0; i--) {
    int at = r->depth + (order ? order[i] : i);
    const RlxPrim *less = compare(r, RLX_PRIM_LT, x->vars[at], y->vars[at]),
                  *equal = compare(r, RLX_PRIM_EQ, x->vars[at], y->vars[at]);
    if (out)
      less = rlx_prim_binary(store, RLX_PRIM_OR, less,
                             rlx_prim_binary(store, RLX_PRIM_AND, equal, out));
    out = less;
  }
  return out;
}

static bool runs_at_once(const RlxTirStmt *loop) {
  return loop->for_kind != RLX_FOR_SERIAL && loop->for_kind != RLX_FOR_UNROLLED;
}

/// The iterations run at once when the chain stands in its new order: they differ in a loop whose
/// iterations do, and in none outside of that.
static const RlxPrim *run_at_once(const Race *r, const RlxTirCopy *x, const RlxTirCopy *y) {
  RlxStore *store = r->a->store;
  const RlxPrim *out = NULL, *same = NULL;
  for (int i = 0; i < r->length; i++) {
    int at = r->depth + r->order[i];
    const RlxPrim *differ = compare(r, RLX_PRIM_NE, x->vars[at], y->vars[at]),
                  *equal = compare(r, RLX_PRIM_EQ, x->vars[at], y->vars[at]);
    if (runs_at_once(x->access->loops[at].stmt)) {
      if (same) differ = rlx_prim_binary(store, RLX_PRIM_AND, same, differ);
      out = out ? rlx_prim_binary(store, RLX_PRIM_OR, out, differ) : differ;
    }
    same = same ? rlx_prim_binary(store, RLX_PRIM_AND, same, equal) : equal;
  }
  return out;
}

/// The iterations of `x` and `y` may run the other way round afterwards.
static const RlxPrim *may_change_places(const Race *r, const RlxTirCopy *x, const RlxTirCopy *y) {
  RlxStore *store = r->a->store;
  bool is_one = x->access == y->access;
  if (!r->order)
    return compare(r, is_one ? RLX_PRIM_LT : RLX_PRIM_NE, x->vars[r->depth], y->vars[r->depth]);
  const RlxPrim *out = rlx_prim_binary(store, RLX_PRIM_AND, is_earlier(r, x, y, NULL),
                                       is_earlier(r, y, x, r->order)),
                *at_once = run_at_once(r, x, y);
  if (!is_one)
    out = rlx_prim_binary(store, RLX_PRIM_OR, out,
                          rlx_prim_binary(store, RLX_PRIM_AND, is_earlier(r, y, x, NULL),
                                          is_earlier(r, x, y, r->order)));
  return at_once ? rlx_prim_binary(store, RLX_PRIM_OR, out, at_once) : out;
}

/// The writes of pure block `block` that give `y` its element earlier in its own iteration.
static int own_writes(const Race *r, int block, const RlxTirCopy *y, RlxTirJoint *joints,
                      RlxSystem *systems, int capacity) {
  int count = 0;
  for (int i = 0; i < r->accesses->count && count < capacity; i++) {
    const RlxTirAccess *w = &r->accesses->at[i];
    if (!w->is_write || w->block != block || w->buffer != y->access->buffer || !w->is_exact ||
        !below(r, w))
      continue;
    RlxTirJoint *j = &joints[count];
    *j = (RlxTirJoint){.a = r->a, .is_exact = true};
    RlxTirCopy own = rlx_tir_joint_add(j, w, r->depth, r->depth, 10 + count);
    for (int k = r->depth; k < r->depth + r->length; k++)
      rlx_tir_joint_require(j, compare(r, RLX_PRIM_EQ, own.vars[k], y->vars[k]));
    rlx_tir_joint_same_element(j, &own, y);
    rlx_tir_joint_before(j, &own, y, r->depth);
    if (rlx_tir_joint_system(j, &systems[count]) && j->is_exact) count++;
  }
  return count;
}

enum { OWN_MAX = 4 };

/// Asks one pair; false when the answer is known to be a race, or the question cannot be decided.
static bool pair_is_free(Race *r, const RlxTirAccess *x, const RlxTirAccess *y) {
  RlxStore *store = r->a->store;
  RlxTirJoint j = {.a = r->a, .is_exact = true};
  RlxTirCopy first = rlx_tir_joint_add(&j, x, 0, r->depth, 0);
  RlxTirCopy second = rlx_tir_joint_add(&j, y, r->depth, r->depth, 1);
  rlx_tir_joint_require(&j, may_change_places(r, &first, &second));
  rlx_tir_joint_same_element(&j, &first, &second);
  RlxSetPoint point;
  RlxTirJoint *others = NULL;
  RlxSystem systems[OWN_MAX];
  int other_count = 0;
  bool may_repeat = !r->is_at_once && is_pure(r, x->block);
  if (may_repeat && y->is_write && y->block == x->block) {
    const RlxPrim *differ = other_instance(&j, &first, &second);
    may_repeat = differ != NULL;
    if (differ) rlx_tir_joint_require(&j, differ);
  } else if (may_repeat && !y->is_write && y->block != x->block) {
    others = rlx_arena_array(r->a->arena, RlxTirJoint, OWN_MAX);
    other_count = own_writes(r, x->block, &second, others, systems, OWN_MAX);
  }
  RlxSystem system;
  RlxProof found = RLX_UNKNOWN;
  if (rlx_tir_joint_system(&j, &system))
    found = rlx_sets_find_without(store, &system, systems, other_count, &point);
  if (found == RLX_NO) return true;
  if (found == RLX_YES && j.is_exact) {
    tell(r, &j, &first, &second, &point);
    return false;
  }
  const char *why =
      rlx_tir_overlaps(r->a, x->buffer) ? ": its strides are not shown to keep elements apart" : "";
  r->verdict = rlx_tir_verdict(false, true, 0, y->block,
                               rlx_arena_printf(r->a->arena,
                                                "whether iterations meet in %s is not decided%s",
                                                rlx_store_text(store, x->buffer->name), why));
  r->verdict.span = y->span;
  return false;
}

static bool same_list(const RlxPrim *const *a, const RlxPrim *const *b, int count) {
  for (int i = 0; i < count; i++)
    if (a[i] != b[i]) return false;
  return true;
}

/// An earlier access is the same to every question about pairs.
static bool is_repeated(const RlxTirAccesses *all, int at) {
  const RlxTirAccess *x = &all->at[at];
  for (int i = 0; i < at; i++) {
    const RlxTirAccess *y = &all->at[i];
    if (y->buffer == x->buffer && y->is_write == x->is_write && y->block == x->block &&
        y->is_opaque == x->is_opaque && y->loop_count == x->loop_count &&
        y->condition_count == x->condition_count && rlx_tir_common_loops(x, y) == x->loop_count &&
        same_list(x->index, y->index, x->buffer->ndim) &&
        same_list(x->conditions, y->conditions, x->condition_count))
      return true;
  }
  return false;
}

/// Block `b` stands directly under the chain, and its instances may run in any order, by what its body
/// was found to do with its variables; what a reduction gives in another order, its own questions ask.
static bool is_free_block(const Race *r, const RlxTirBlockInfo *b) {
  const RlxTirLoopInfo *loop = rlx_tir_loop_info(r->a, r->loop);
  if (!b->stmt || !loop || b->scope != loop->scope || b->has_opaque) return false;
  if (!b->complete.is && !b->reducer && !b->has_init) return false;
  for (int i = 0; i < b->writes.count; i++)
    if (rlx_tir_overlaps(r->a, b->writes.at[i].buffer)) return false;
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterInfo *v = &b->iters[i];
    int64_t extent;
    if (v->extent && rlx_prim_is_const(v->extent, &extent) && extent <= 1)
      continue; // no two values
    if (!v->is_inferred ||
        (v->inferred != RLX_ITER_DATA_PAR && (v->inferred != RLX_ITER_REDUCE || b->complete.is)))
      return false;
  }
  return true;
}

/// Nothing is to be asked of the two: a new order of the chain is no matter to them.
static bool is_settled(const Race *r, const RlxTirAccess *x, const RlxTirAccess *y) {
  if (!r->order || x->block != y->block || x->is_opaque || y->is_opaque) return false;
  const RlxTirBlockInfo *b = &r->a->blocks[x->block];
  bool is_update = (b->reducer || b->has_init) && (x->is_in_init || y->is_in_init ||
                                                   same_list(x->index, y->index, x->buffer->ndim));
  return is_update || is_free_block(r, b);
}

/// S4's rule, where sets of integers do not decide: the block's region cover holds, and a block before it writes the
/// buffer in the same iteration of the chain. Together such blocks write, without gaps, all that it says it reads.
/// `writer`: the one block that may write the buffer, or -1.
static bool is_covered_by_rule(const Race *r, const RlxTirAccess *x, int writer) {
  const RlxTirBlockInfo *b = &r->a->blocks[x->block];
  const RlxTirLoopInfo *loop = rlx_tir_loop_info(r->a, r->loop);
  if (!b->stmt || !loop || b->scope != loop->scope || b->has_opaque || !b->region_cover.is)
    return false;
  const RlxTirBox *said = rlx_tir_box_of(&b->reads, x->buffer),
                  *read = rlx_tir_box_of(&b->deduced_reads, x->buffer);
  if (!said || !read || rlx_tir_box_covers(r->a, b, said, read) != RLX_YES) return false;
  bool is_written = false;
  for (int i = 0; i < r->accesses->count; i++) {
    const RlxTirAccess *w = &r->accesses->at[i];
    if (!w->is_write || w->buffer != x->buffer) continue;
    if (writer >= 0 && w->block != writer) return false;
    is_written |= w->block < x->block && !w->is_in_init &&
                  r->a->blocks[w->block].scope == b->scope &&
                  rlx_tir_common_loops(w, x) >= r->depth + r->length;
  }
  return is_written;
}

/// Does each iteration of the chain write what it reads of the buffer, which nobody else sees? What
/// another iteration leaves there is then no matter.
static bool is_scratch(const Race *r, const RlxTirBuffer *buffer) {
  for (int i = 0; i < r->accesses->count; i++) {
    const RlxTirAccess *x = &r->accesses->at[i];
    if (x->buffer != buffer) continue;
    if (!x->is_allocated || x->is_opaque || !below(r, x)) return false;
    bool is_covered = x->is_write;
    for (int b = 0; b < r->a->block_count && !is_covered; b++) {
      const char *witness;
      is_covered =
          rlx_tir_box_of(&r->a->blocks[b].writes, buffer) &&
          rlx_tir_find_uncovered(r->a, r->accesses, x, b, r->depth + r->length, &witness) == RLX_NO;
    }
    if (!is_covered && !is_covered_by_rule(r, x, -1)) return false;
  }
  return true;
}

static RlxTirVerdict binds_data_par(const RlxTirAnalysis *a, const RlxTirLoopInfo *l, int block);

/// S4's rule, where sets of integers do not decide: the instances of a free block never meet in an element. Those of a
/// pure one may run more than once; those of a reduction run once, and all updates of an element in one iteration. So
/// what somebody reads in the iteration that has written it, no other iteration changes.
static bool is_settled_by_rule(const Race *r, const RlxTirAccess *x, const RlxTirAccess *y) {
  if (r->order || x->is_opaque || y->is_opaque || !is_free_block(r, &r->a->blocks[x->block]))
    return false;
  const char *witness;
  if ((r->is_at_once || !is_pure(r, x->block)) &&
      !(binds_data_par(r->a, rlx_tir_loop_info(r->a, r->loop), x->block).is &&
        rlx_tir_validatable(r->a, x->block).is))
    return false;
  return x->block == y->block ||
         (!y->is_write && (rlx_tir_find_uncovered(r->a, r->accesses, y, x->block,
                                                  r->depth + r->length, &witness) == RLX_NO ||
                           is_covered_by_rule(r, y, x->block)));
}

/// Do the same iterations of the chain run at once in its new order as before: none, or any two?
static bool keeps_concurrent(const Race *r, const RlxTirAccess *x) {
  int count = 0;
  for (int i = 0; i < r->length; i++) count += runs_at_once(x->loops[r->depth + i].stmt);
  return count == 0 || count == r->length;
}

typedef struct FindView {
  const RlxTirBuffer *of;
  bool is_found;
} FindView;

static bool find_view(const RlxTirStmt *s, void *data) {
  FindView *v = data;
  if (s->kind == RLX_TIR_ALLOC) v->is_found |= s->buffer->view_of == v->of;
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->match_count; i++)
    v->is_found |= s->block->matches[i]->view_of == v->of;
  return !v->is_found;
}

/// May each thread have memory of its own for the buffer? A view may be made outside of the loop.
static bool may_be_own(const Race *r, const RlxTirBuffer *buffer) {
  FindView v = {.of = buffer};
  rlx_tir_visit(r->a->f->body, find_view, NULL, &v);
  return !v.is_found && is_scratch(r, buffer);
}

/// What one iteration leaves in the buffer is no matter to another: they come one after the other, or each has it in
/// memory of its own.
static bool is_of_iteration(const Race *r, const RlxTirAccess *x) {
  if (r->order) return keeps_concurrent(r, x) && is_scratch(r, x->buffer);
  return r->has_own && may_be_own(r, x->buffer);
}

/// Do both accesses have the same indices, of which the loops from the asked one on make one to one what they mention,
/// each loop of the chain among them? A number in other terms (`i * m + j` with `j` in `m`), which sets of integers
/// do not decide.
static bool is_one_to_one(const Race *r, const RlxTirAccess *x, const RlxTirAccess *y) {
  RlxLoopRange loops[RLX_TIR_AROUND_MAX];
  int count = 0, ndim = x->buffer->ndim;
  if (!ndim || x->is_opaque || y->is_opaque || !same_list(x->index, y->index, ndim)) return false;
  if (rlx_tir_common_loops(x, y) < r->depth + r->length) return false;
  for (int i = r->depth; i < x->loop_count; i++) {
    const RlxLoopRange *l = &x->loops[i].range;
    bool is_mentioned = false;
    for (int d = 0; d < ndim; d++)
      is_mentioned |= x->index[d] && rlx_prim_mentions(x->index[d], l->var);
    if (is_mentioned && l->min && l->extent)
      loops[count++] = *l;
    else if (is_mentioned || i < r->depth + r->length)
      return false;
  }
  for (int d = 0; d < ndim; d++)
    if (!x->index[d]) return false;
  RlxArena *arena = rlx_arena_new();
  RlxIterQuery query = {.indices = x->index,
                        .index_count = ndim,
                        .loops = loops,
                        .loop_count = count,
                        .level = RLX_ITER_BIJECTIVE};
  bool is = count && rlx_iter_map_detect(r->a->store, arena, &query).sums;
  rlx_arena_free(arena);
  return is;
}

/// What an access stands for: itself or, of one through a pointer, what its block states of it.
static const RlxTirAccess *stands_for(const RlxTirAccess *x, int *count) {
  *count = x->is_opaque ? x->stated_count : 1;
  return x->is_opaque ? x->stated : x;
}

/// What a device's instruction does through a pointer, its block says: regions that may be larger, and variables whose
/// instances may change places. There is nothing else to tell it from, and nothing to refute it with.
static bool is_contract(const Race *r, const RlxTirAccess *x, const RlxTirAccess *y) {
  const RlxTirAccess *both[] = {x, y};
  for (int i = 0; i < 2; i++) {
    const RlxTirExpr *e = both[i]->store->kind == RLX_TIR_EVALUATE ? both[i]->store->value : NULL;
    if (both[i]->is_opaque &&
        (!e || e->kind != RLX_TIR_CALL ||
         rlx_script_effect(rlx_store_text(r->a->store, e->name)) != RLX_EFFECT_MEMORY))
      return false;
  }
  const RlxTirBlockInfo *b = &r->a->blocks[x->block];
  for (int i = 0; i < b->iter_count; i++)
    if (b->iters[i].iter->type != RLX_ITER_DATA_PAR && b->iters[i].iter->type != RLX_ITER_REDUCE)
      return false;
  return x->block == y->block && b->iter_count;
}

/// The same for a pair of which one access goes through a pointer.
static bool stated_pair_is_free(Race *r, const RlxTirAccess *x, const RlxTirAccess *y) {
  int x_count, y_count;
  const RlxTirAccess *xs = stands_for(x, &x_count), *ys = stands_for(y, &y_count);
  for (int i = 0; i < x_count; i++)
    for (int k = 0; k < y_count; k++) {
      bool is_turned = !xs[i].is_write;
      if (is_turned && !ys[k].is_write) continue;
      if (!pair_is_free(r, is_turned ? &ys[k] : &xs[i], is_turned ? &xs[i] : &ys[k]))
        return r->verdict.is_unknown && is_contract(r, x, y);
    }
  if (x_count && y_count) return true;
  const char *name = rlx_store_text(r->a->store, x->buffer->name);
  r->verdict = rlx_tir_verdict(false, true, 0, -1,
                               rlx_arena_printf(r->a->arena,
                                                "what is done through a pointer to %s is not "
                                                "stated by T.reads and T.writes of its block",
                                                name));
  r->verdict.span = y->span;
  return false;
}

static bool ask_pairs(Race *r) {
  int pairs = 0, open = 0;
  const RlxTirAccesses *all = r->accesses;
  RlxTirVerdict undecided = {0};
  for (int i = 0; i < all->count; i++) {
    const RlxTirAccess *x = &all->at[i];
    if (r->only && x->buffer != r->only) continue;
    if (!x->is_write || !below(r, x) || is_private(r, x) || is_repeated(all, i)) continue;
    for (int k = 0; k < all->count; k++) {
      const RlxTirAccess *y = &all->at[k];
      if (y->buffer != x->buffer || !below(r, y) || (y->is_write && k < i) || is_repeated(all, k) ||
          is_settled(r, x, y))
        continue;
      if (++pairs > PAIRS_MAX) {
        r->verdict = rlx_tir_verdict(false, true, 0, -1, "there are too many accesses");
        r->verdict.span = y->span;
        return false;
      }
      bool is_stated = x->is_opaque || y->is_opaque;
      if (is_stated ? stated_pair_is_free(r, x, y) : pair_is_free(r, x, y)) continue;
      if (is_of_iteration(r, x)) continue;
      if (r->verdict.is_unknown && (is_one_to_one(r, x, y) || is_settled_by_rule(r, x, y)))
        continue;
      if (!r->verdict.is_unknown || ++open > OPEN_MAX) return false;
      if (!undecided.reason) undecided = r->verdict;
    }
  }
  if (undecided.reason) r->verdict = undecided;
  return !undecided.reason;
}

/// Finds where in the accesses' loops the chain begins; false: nothing below it accesses memory.
static bool find_depth(Race *r) {
  r->depth = -1;
  for (int i = 0; i < r->accesses->count && r->depth < 0; i++)
    r->depth = depth_of(&r->accesses->at[i], r->loop);
  return r->depth >= 0;
}

/// Answers for all accesses below the loop.
static RlxTirVerdict ask_accesses(Race *r) {
  if (!find_depth(r)) return rlx_tir_verdict(true, false, 0, -1, "nothing below accesses memory");
  if (r->accesses->is_cut)
    return rlx_tir_verdict(false, true, 0, -1, "not all of the function is understood");
  if (!ask_pairs(r)) return r->verdict;
  return rlx_tir_verdict(true, false, 0, -1, "no iteration needs or overwrites values of another");
}

/// The same, and for the calls: those leave open what accesses alone allow, but excuse no race.
static RlxTirVerdict ask(Race *r) {
  const RlxTirVerdict v = ask_accesses(r);
  RlxTirOutside call;
  if (!v.is || !rlx_tir_find_outside(r->a->store, r->loop, &call)) return v;
  return rlx_tir_verdict(false, true, 0, -1,
                         rlx_arena_printf(r->a->arena,
                                          "\"%s\" is called, and the order of calls may count",
                                          call.name));
}

static RlxTirVerdict ask_loop(const RlxTirAnalysis *a, const RlxTirAccesses *accesses, int loop,
                              bool is_at_once, bool has_own) {
  const RlxTirLoopInfo *info = &a->loops[loop];
  Race r = {.a = a,
            .accesses = accesses,
            .loop = info->stmt,
            .length = 1,
            .is_at_once = is_at_once,
            .has_own = has_own};
  int64_t extent;
  if (info->extent && rlx_prim_is_const(info->extent, &extent) && extent <= 1)
    return rlx_tir_verdict(true, false, 0, -1, "it has one iteration");
  return ask(&r);
}

RlxTirVerdict rlx_tir_race_free(const RlxTirAnalysis *a, const RlxTirAccesses *accesses, int loop) {
  return ask_loop(a, accesses, loop, false, false);
}

RlxTirVerdict rlx_tir_parallel_free(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                    int loop) {
  return ask_loop(a, accesses, loop, false, true);
}

RlxTirVerdict rlx_tir_thread_free(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                  int loop) {
  return ask_loop(a, accesses, loop, true, true);
}

bool rlx_tir_needs_own(const RlxTirAnalysis *a, const RlxTirAccesses *accesses, int loop,
                       const RlxTirBuffer *buffer) {
  Race r = {.a = a,
            .accesses = accesses,
            .loop = a->loops[loop].stmt,
            .length = 1,
            .is_at_once = true,
            .only = buffer};
  return !accesses->is_cut && find_depth(&r) && may_be_own(&r, buffer) && !ask_pairs(&r);
}

bool rlx_tir_is_free_below(const RlxTirAnalysis *a, int loop) {
  const RlxTirLoopInfo *info = &a->loops[loop];
  Race r = {.a = a, .loop = info->stmt};
  return info->block_count == 1 && is_free_block(&r, &a->blocks[info->blocks[0]]);
}

RlxTirVerdict rlx_tir_reorderable(const RlxTirAnalysis *a, const RlxTirAccesses *accesses, int loop,
                                  const int *order, int length) {
  Race r = {
      .a = a, .accesses = accesses, .loop = a->loops[loop].stmt, .length = length, .order = order};
  return ask(&r);
}

// ---- the rule

static bool binds_loop(const RlxTirIterInfo *v, const RlxSymVar *loop) {
  const RlxSymVar *vars[16];
  int count = 0;
  if (!v->binding) return false;
  rlx_prim_vars(v->binding, vars, &count, 16);
  for (int i = 0; i < count; i++)
    if (vars[i] == loop) return true;
  return false;
}

static const char *text(const RlxTirAnalysis *a, RlxName name) {
  return rlx_store_text(a->store, name);
}

/// Condition 2 of the rule, for one block.
static RlxTirVerdict binds_data_par(const RlxTirAnalysis *a, const RlxTirLoopInfo *l, int block) {
  const RlxTirBlockInfo *b = &a->blocks[block];
  bool is_bound = false;
  for (int i = 0; i < b->iter_count; i++) {
    if (!binds_loop(&b->iters[i], l->symbol)) continue;
    is_bound = true;
    if (b->iters[i].iter->type == RLX_ITER_DATA_PAR) continue;
    RlxTirVerdict v =
        rlx_tir_fails(a, 2, "it binds %s of block \"%s\", which is %s, not data_par",
                      text(a, b->iters[i].iter->var->name), rlx_tir_block_name(a, block),
                      rlx_tir_iter_type_name((RlxTirIterType)b->iters[i].iter->type));
    v.other = block;
    return v;
  }
  if (is_bound) return rlx_tir_holds();
  RlxTirVerdict v =
      rlx_tir_fails(a, 2, "it binds no variable of block \"%s\"", rlx_tir_block_name(a, block));
  v.other = block;
  return v;
}

RlxTirVerdict rlx_tir_parallel_rule(const RlxTirAnalysis *a, int loop) {
  const RlxTirLoopInfo *l = &a->loops[loop];
  if (!l->block_count) return rlx_tir_verdict(false, true, 0, -1, "there is no block below");
  for (int i = 0; i < l->block_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[l->blocks[i]];
    if (b->complete.is || b->reduction.is) continue;
    RlxTirVerdict v =
        rlx_tir_fails(a, 1, "block \"%s\" is neither complete (%s) nor a reduction (%s)",
                      rlx_tir_block_name(a, b->index), b->complete.reason, b->reduction.reason);
    v.other = b->index;
    return v;
  }
  for (int i = 0; i < l->block_count; i++) {
    RlxTirVerdict v = binds_data_par(a, l, l->blocks[i]);
    if (!v.is) return v;
  }
  for (int i = 0; i < l->block_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[l->blocks[i]];
    RlxTirVerdict v = b->complete.is ? rlx_tir_holds() : rlx_tir_validatable(a, b->index);
    if (v.is) continue;
    v.violates = 3;
    v.other = b->index;
    return v;
  }
  return rlx_tir_verdict(true, false, 0, -1, "it binds only data-parallel block variables");
}

RlxTirVerdict rlx_tir_parallelizable(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                     int loop) {
  RlxTirVerdict exact = rlx_tir_parallel_free(a, accesses, loop);
  if (!exact.is_unknown) return exact;
  RlxTirVerdict rule = rlx_tir_parallel_rule(a, loop);
  if (rule.is) return rule;
  rule.is_unknown = true;
  if (rule.violates == 0) return exact;
  return rule;
}

// ---- bindings

RlxTirVerdict rlx_tir_validatable(const RlxTirAnalysis *a, int block) {
  RlxBindingVerdict found = rlx_tir_binding(a, &a->blocks[block]);
  const char *reason = found.witness ? found.witness : found.reason;
  RlxTirVerdict v = rlx_tir_verdict(found.proof == RLX_YES, found.proof == RLX_UNKNOWN,
                                    found.proof == RLX_NO, -1, reason);
  v.witness = found.proof == RLX_NO ? found.witness : NULL;
  return v;
}
