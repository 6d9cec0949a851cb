/// The design document's checks before blocks move: the one-way dataflow check of a loop tree, and
/// both sets of checks of compute_at and reverse_compute_at. Nothing is changed here.
#include "analyzer/tir/blocks_impl.h"
#include "analyzer/tir/loops_impl.h"
#include "analyzer/tir/rewrite.h"

enum { MOVES_MAX = 400 };

/// What `consumer` reads of `producer`'s output is written before, under their common loop (or
/// under the first `depth` loops, when not negative).
static RlxTirVerdict covers(const RlxTirAnalysis *a, const RlxTirAccesses *accesses, int producer,
                            int consumer, int violates) {
  int scope = a->blocks[producer].scope;
  RlxTirVerdict undecided = rlx_tir_holds();
  for (int i = 0; i < accesses->count; i++) {
    const RlxTirAccess *y = &accesses->at[i];
    if (y->is_write || rlx_tir_child_of(a, y, scope) != consumer) continue;
    int depth = -1;
    for (int k = 0; k < accesses->count && depth < 0; k++) {
      const RlxTirAccess *w = &accesses->at[k];
      if (w->is_write && w->buffer == y->buffer && rlx_tir_child_of(a, w, scope) == producer)
        depth = rlx_tir_common_loops(w, y);
    }
    if (depth < 0) continue;
    const char *witness = NULL;
    RlxProof found = rlx_tir_find_uncovered(a, accesses, y, producer, depth, &witness);
    RlxTirVerdict v = {.violates = (uint8_t)violates, .other = consumer, .span = y->span};
    if (found == RLX_YES) {
      v.reason = v.witness = witness;
      return v;
    }
    if (found == RLX_NO) continue;
    v.is_unknown = true;
    v.reason = rlx_arena_printf(a->arena,
                                "whether block \"%s\" writes all that block \"%s\" reads of %s is "
                                "not decided",
                                rlx_tir_block_name(a, producer), rlx_tir_block_name(a, consumer),
                                rlx_store_text(a->store, y->buffer->name));
    undecided = v;
  }
  return undecided;
}

// ---- the one-way dataflow check

static bool reads_buffer(const RlxTirAnalysis *a, const RlxTirAccesses *accesses, int scope,
                         int block, bool writes, const RlxTirBuffer *buffer) {
  for (int i = 0; i < accesses->count; i++) {
    const RlxTirAccess *x = &accesses->at[i];
    if (x->buffer == buffer && (x->is_opaque || x->is_write == writes) &&
        rlx_tir_child_of(a, x, scope) == block)
      return true;
  }
  return false;
}

/// Condition 2 for a pair: `early` reads what `late` writes.
static const RlxTirBuffer *written_later(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                         int early, int late) {
  int scope = a->blocks[early].scope;
  for (int i = 0; i < accesses->count; i++) {
    const RlxTirAccess *x = &accesses->at[i];
    if (x->is_write && rlx_tir_child_of(a, x, scope) == late &&
        reads_buffer(a, accesses, scope, early, false, x->buffer))
      return x->buffer;
  }
  return NULL;
}

static RlxTirVerdict stray(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                           const RlxTirLoopInfo *l) {
  for (int i = 0; i < accesses->count; i++) {
    const RlxTirAccess *x = &accesses->at[i];
    bool is_below = false;
    for (int k = 0; k < x->loop_count; k++) is_below = is_below || x->loops[k].stmt == l->stmt;
    if (!is_below || rlx_tir_child_of(a, x, l->scope) >= 0) continue;
    RlxTirVerdict v = rlx_tir_fails(a, 1, "a statement below it is in no block");
    v.span = x->span;
    return v;
  }
  return rlx_tir_holds();
}

RlxTirVerdict rlx_tir_decomposable(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                   int loop) {
  const RlxTirLoopInfo *l = &a->loops[loop];
  if (!l->block_count) return rlx_tir_verdict(false, true, 0, -1, "there is no block below");
  if (accesses->is_cut)
    return rlx_tir_verdict(false, true, 0, -1, "not all of the function is understood");
  for (int i = 0; i < l->block_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[l->blocks[i]];
    if (b->complete.is) continue;
    RlxTirVerdict v = rlx_tir_fails(a, 1, "block \"%s\" is not complete: %s",
                                    rlx_tir_block_name(a, b->index), b->complete.reason);
    v.other = b->index;
    return v;
  }
  RlxTirVerdict undecided = stray(a, accesses, l);
  if (!undecided.is) return undecided;
  for (int i = 0; i < l->block_count; i++)
    for (int k = i + 1; k < l->block_count; k++) {
      const RlxTirBuffer *b = written_later(a, accesses, l->blocks[i], l->blocks[k]);
      if (!b) continue;
      RlxTirVerdict v =
          rlx_tir_fails(a, 2, "block \"%s\" reads %s, which block \"%s\" writes later",
                        rlx_tir_block_name(a, l->blocks[i]), rlx_store_text(a->store, b->name),
                        rlx_tir_block_name(a, l->blocks[k]));
      v.other = l->blocks[k];
      return v;
    }
  for (int i = 0; i < l->block_count; i++)
    for (int k = 0; k < i; k++) {
      RlxTirVerdict v = covers(a, accesses, l->blocks[k], l->blocks[i], 3);
      if (!v.is && !v.is_unknown) return v;
      if (!v.is) undecided = v;
    }
  if (undecided.is) undecided.reason = "its blocks are complete and read what was written before";
  return undecided;
}

// ---- compute_at

typedef struct Move {
  const RlxTirAnalysis *a;
  const RlxTirAccesses *accesses;
  int block, loop;
  bool is_reverse;
} Move;

static const char *name(const Move *m, int block) { return rlx_tir_block_name(m->a, block); }

static bool is_under(const RlxTirAnalysis *a, int block, int loop) {
  return rlx_tir_is_under(&a->blocks[block], loop);
}

/// The innermost loop around both the block and the target loop, or -1: all happens within one
/// iteration of it.
static int common_with_loop(const RlxTirAnalysis *a, int block, int loop) {
  for (int l = a->loops[loop].parent; l >= 0; l = a->loops[l].parent)
    if (is_under(a, block, l)) return l;
  return -1;
}

/// The loop directly below `around` (-1: the scope) that the block is in; -1: none, -2: the block
/// is not below `around`.
static int tree_of(const RlxTirAnalysis *a, int block, int around) {
  const RlxTirBlockInfo *b = &a->blocks[block];
  if (around < 0) return b->loop_count ? b->loops[0] : -1;
  for (int i = 0; i < b->loop_count; i++)
    if (b->loops[i] == around) return i + 1 < b->loop_count ? b->loops[i + 1] : -1;
  return -2;
}

/// The block at the other end of dependency `d`, when it is one of `block`; else -1.
static int other_end(const RlxTirDependency *d, int block) {
  return d->src == block ? d->dst : d->dst == block ? d->src : -1;
}

static RlxTirVerdict about(RlxTirVerdict v, int other) {
  v.other = other;
  return v;
}

static RlxTirVerdict complete_or_reduction(const Move *m, int block) {
  const RlxTirBlockInfo *b = &m->a->blocks[block];
  if (b->complete.is || b->reduction.is) return rlx_tir_holds();
  return about(rlx_tir_fails(m->a, 1, "block \"%s\" is neither complete (%s) nor a reduction (%s)",
                             name(m, block), b->complete.reason, b->reduction.reason),
               block);
}

/// What the moving block takes of a reduction is whole at the end of an iteration of the target loop: the loops that
/// reduce are inside of it, or go on with other elements.
static RlxTirVerdict ends_inside(const Move *m, int block) {
  const RlxTirAnalysis *a = m->a;
  const RlxTirBlockInfo *b = &a->blocks[block];
  for (int l = m->loop; l >= 0; l = a->loops[l].parent)
    for (int i = 0; i < b->iter_count; i++) {
      const RlxSymVar *vars[16];
      int count = 0;
      if (b->iters[i].iter->type == RLX_ITER_DATA_PAR || !b->iters[i].binding) continue;
      rlx_prim_vars(b->iters[i].binding, vars, &count, 16);
      for (int k = 0; k < count; k++)
        if (vars[k] == a->loops[l].symbol) {
          RlxTirVerdict v = rlx_tir_ends_in_iteration(a, m->accesses, block, m->block, l);
          if (v.is) continue;
          RlxTirVerdict out =
              rlx_tir_fails(a, 1, "loop %s belongs to the reduction of block \"%s\"%s%s",
                            rlx_tir_loop_title(a, &a->loops[l]), name(m, block),
                            v.witness ? ": " : "", v.witness ? v.witness : "");
          out.witness = v.witness;
          return about(out, block);
        }
    }
  return rlx_tir_holds();
}

/// Do both write the same elements in one iteration of the target loop?
static bool write_the_same(const Move *m, int first, int second, const RlxTirBuffer *buffer) {
  RlxTirBox boxes[2];
  for (int k = 0; k < 2; k++) {
    const RlxTirBlockInfo *b = &m->a->blocks[k ? second : first];
    RlxTirBox over = rlx_tir_box_unbind(m->a, b, rlx_tir_box_of(&b->writes, buffer));
    boxes[k] = rlx_tir_box_relax(m->a, b, &over, m->loop);
    if (!boxes[k].is_exact) return false;
  }
  for (int d = 0; d < buffer->ndim; d++)
    if (!boxes[0].begin[d] || !boxes[1].begin[d] || !boxes[0].extent[d] || !boxes[1].extent[d] ||
        rlx_prove_equal(m->a->store, NULL, boxes[0].begin[d], boxes[1].begin[d]) != RLX_YES ||
        rlx_prove_equal(m->a->store, NULL, boxes[0].extent[d], boxes[1].extent[d]) != RLX_YES)
      return false;
  return true;
}

/// Is the block one half of a reduction that was taken apart: an init, then the updates of the same
/// elements, both in one iteration of the target loop, and nobody else who writes there?
static bool is_half_of_reduction(const Move *m, int block) {
  const RlxTirAnalysis *a = m->a;
  const RlxTirBlockInfo *b = &a->blocks[block], *scope = &a->blocks[b->scope];
  if (b->writes.count != 1) return false;
  const RlxTirBuffer *buffer = b->writes.at[0].buffer;
  int writers[2], count = 0;
  for (int i = 0; i < scope->child_count; i++) {
    if (!rlx_tir_box_of(&a->blocks[scope->children[i]].writes, buffer)) continue;
    if (count == 2) return false;
    writers[count++] = scope->children[i];
  }
  if (count != 2 || !is_under(a, writers[0], m->loop) || !is_under(a, writers[1], m->loop))
    return false;
  const RlxTirBlockInfo *update = &a->blocks[writers[1]];
  if (writers[0] > writers[1] || !rlx_tir_locally_complete(a, writers[0]).is || update->has_init ||
      !update->incremental.is || !update->affine_binding.is ||
      !rlx_tir_outputs_without_reduce(a, update).is)
    return false;
  for (int i = 0; i < update->iter_count; i++)
    if (update->iters[i].iter->type > RLX_ITER_REDUCE) return false;
  return write_the_same(m, writers[0], writers[1], buffer);
}

static RlxTirVerdict condition_kinds(const Move *m) {
  RlxTirVerdict v = complete_or_reduction(m, m->block);
  RlxTirDependencyWalk walk = rlx_tir_dependencies(m->block);
  for (RlxTirDependency next, *d = &next; v.is && rlx_tir_next_dependency(m->a, &walk, d);) {
    if (d->kind != RLX_DEPENDENCY_RAW) continue;
    if (m->is_reverse && d->dst == m->block) {
      v = complete_or_reduction(m, d->src);
      if (!v.is && is_half_of_reduction(m, d->src)) v = rlx_tir_holds();
      if (v.is) v = ends_inside(m, d->src);
    } else if (d->src == m->block) {
      v = covers(m->a, m->accesses, d->src, d->dst, 1);
      if (v.is_unknown && m->a->blocks[d->dst].region_cover.is) v = rlx_tir_holds();
    }
  }
  return v;
}

/// Do the loops around the block and `other`, from below `around` on, carry nothing from one iteration to another? Then
/// both might stand in loops of their own.
static RlxTirVerdict comes_apart(const Move *m, int other, int around) {
  const RlxTirBlockInfo *b = &m->a->blocks[m->block];
  RlxTirVerdict v = rlx_tir_holds();
  int first = 0;
  while (around >= 0 && first < b->loop_count && b->loops[first] != around) first++;
  for (int i = around < 0 ? 0 : first + 1; i < b->loop_count && v.is; i++)
    if (is_under(m->a, other, b->loops[i])) v = rlx_tir_race_free(m->a, m->accesses, b->loops[i]);
  return v;
}

/// `may_part`: blocks that would stand in loops of their own with the same result are in no tree.
static RlxTirVerdict condition_trees(const Move *m, bool may_part) {
  int around = common_with_loop(m->a, m->block, m->loop);
  int tree = tree_of(m->a, m->block, around);
  RlxTirDependencyWalk walk = rlx_tir_dependencies(m->block);
  for (RlxTirDependency d; tree >= 0 && rlx_tir_next_dependency(m->a, &walk, &d);) {
    int other = other_end(&d, m->block);
    if (other < 0 || tree_of(m->a, other, around) != tree) continue;
    RlxTirVerdict v = {0};
    if (may_part) v = comes_apart(m, other, around);
    if (v.is) continue;
    RlxTirVerdict out = rlx_tir_fails(
        m->a, 2, "block \"%s\" is in the loop tree of block \"%s\"%s%s", name(m, other),
        name(m, m->block), v.witness ? ": " : "", v.witness ? v.witness : "");
    out.witness = v.witness;
    return about(out, other);
  }
  return rlx_tir_holds();
}

static RlxTirVerdict condition_decomposable(const Move *m) {
  int tree = tree_of(m->a, m->block, -1);
  if (tree < 0) return rlx_tir_holds();
  RlxTirVerdict v = rlx_tir_decomposable(m->a, m->accesses, tree);
  if (v.is) return v;
  RlxTirVerdict out = rlx_tir_fails(m->a, 2, "its loop tree is not decomposable: %s", v.reason);
  out.is_unknown = v.is_unknown;
  out.witness = v.witness;
  return about(out, v.other);
}

/// A reader of the block that moves to its producers: it still comes later.
static RlxTirVerdict reader_stays_later(const Move *m, int reader, int last_producer) {
  if (is_under(m->a, reader, m->loop)) {
    if (last_producer < 0) return rlx_tir_holds(); // the whole block runs before it, every time
    return about(rlx_tir_fails(m->a, 3,
                               "block \"%s\" reads its output under the loop, beside what "
                               "it reads",
                               name(m, reader)),
                 reader);
  }
  const RlxTirLoopInfo *target = &m->a->loops[m->loop];
  if (!target->block_count) // statements that stand in no block
    return about(rlx_tir_fails(m->a, 3,
                               "no block stands under the loop to tell whether block \"%s\" "
                               "reads its output later",
                               name(m, reader)),
                 reader);
  if (reader > target->blocks[0]) return rlx_tir_holds();
  RlxTirVerdict v = rlx_tir_takes_nothing(m->a, m->accesses, m->block, reader, target->stmt);
  if (v.is) return v;
  RlxTirVerdict out =
      rlx_tir_fails(m->a, 3, "block \"%s\" reads its output before the loop%s%s", name(m, reader),
                    v.witness ? ": " : "", v.witness ? v.witness : "");
  out.witness = v.witness;
  return about(out, reader);
}

static RlxTirVerdict condition_under(const Move *m) {
  int last_producer = -1;
  RlxTirDependencyWalk walk = rlx_tir_dependencies(m->block);
  for (RlxTirDependency next, *d = &next; rlx_tir_next_dependency(m->a, &walk, d);) {
    int wanted = m->is_reverse ? d->dst : d->src, other = m->is_reverse ? d->src : d->dst;
    if (d->kind != RLX_DEPENDENCY_RAW || wanted != m->block) continue;
    if (other > last_producer) last_producer = other;
    if (!is_under(m->a, other, m->loop))
      return about(rlx_tir_fails(m->a, 3, "block \"%s\", which %s, is not under the loop",
                                 name(m, other),
                                 m->is_reverse ? "writes what it reads" : "reads its output"),
                   other);
  }
  walk = rlx_tir_dependencies(m->block);
  for (RlxTirDependency next, *d = &next;
       m->is_reverse && rlx_tir_next_dependency(m->a, &walk, d);) {
    if (d->kind != RLX_DEPENDENCY_RAW || d->src != m->block) continue;
    RlxTirVerdict v = reader_stays_later(m, d->dst, last_producer);
    if (!v.is) return v;
  }
  return rlx_tir_holds();
}

static const RlxPrim *any_differs(RlxStore *store, const RlxPrim *so_far, const RlxPrim *p,
                                  const RlxPrim *q) {
  const RlxPrim *here = rlx_prim_binary(store, RLX_PRIM_NE, p, q);
  return so_far ? rlx_prim_binary(store, RLX_PRIM_OR, so_far, here) : here;
}

static int position_of(const RlxTirAccess *x, const RlxTirStmt *loop) {
  for (int i = 0; i < x->loop_count; i++)
    if (x->loops[i].stmt == loop) return i;
  return -1;
}

typedef struct Mentions {
  const RlxTirStmt *store;
  bool is_found;
} Mentions;

static bool is_no_view(const RlxTirExpr *e, void *data) {
  Mentions *m = data;
  m->is_found |= e->kind == RLX_TIR_LOAD && e->buffer->view_of;
  return !m->is_found;
}

static bool is_not_mentioned(const RlxTirStmt *s, void *data) {
  Mentions *m = data;
  bool binds = s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_LET_STMT || s->kind == RLX_TIR_ATTR;
  m->is_found |= binds && s->var && rlx_tir_mentions(m->store, s->var);
  return !m->is_found;
}

/// Do `x` and `y` read one element whenever their instance is the same? So it is when the indices are the same, and made of
/// nothing but the variables of blocks (and parameters), by which arithmetic ever: `v // 16`, `v % 16`.
static bool reads_one_element(const Move *m, const RlxTirAccess *x, const RlxTirAccess *y) {
  if (x->buffer != y->buffer || x->is_opaque || y->is_opaque ||
      x->instance_count != y->instance_count)
    return false;
  for (int d = 0; d < x->buffer->ndim; d++)
    if (!x->index[d] || x->index[d] != y->index[d]) return false;
  Mentions in_x = {.store = x->store}, in_y = {.store = y->store};
  rlx_tir_visit(m->a->f->body, is_not_mentioned, NULL, &in_x);
  rlx_tir_visit(m->a->f->body, is_not_mentioned, NULL, &in_y);
  rlx_tir_visit(x->store, NULL, is_no_view, &in_x);
  rlx_tir_visit(y->store, NULL, is_no_view, &in_y);
  return !in_x.is_found && !in_y.is_found;
}

/// Reads `x` and `y` of one instance of the moving block take different elements, which `v` and `w`
/// write in different iterations of the loop.
static RlxTirVerdict two_iterations(const Move *m, const RlxTirAccess *x, const RlxTirAccess *y,
                                    const RlxTirAccess *v, const RlxTirAccess *w) {
  RlxStore *store = m->a->store;
  int root = m->loop;
  while (m->a->loops[root].parent >= 0) root = m->a->loops[root].parent;
  int base = position_of(v, m->a->loops[root].stmt), at = position_of(v, m->a->loops[m->loop].stmt);
  if (base < 0 || at < 0 || position_of(w, m->a->loops[m->loop].stmt) != at) return rlx_tir_holds();
  RlxTirJoint j = {.a = m->a, .is_exact = true};
  RlxTirCopy first = rlx_tir_joint_add(&j, x, 0, base, 0);
  RlxTirCopy second = rlx_tir_joint_add(&j, y, base, base, 1);
  RlxTirCopy from = rlx_tir_joint_add(&j, v, base, base, 2);
  RlxTirCopy other = rlx_tir_joint_add(&j, w, base, base, 3);
  rlx_tir_joint_same_element(&j, &from, &first);
  rlx_tir_joint_same_element(&j, &other, &second);
  for (int i = 0; i < x->instance_count && i < y->instance_count; i++) {
    const RlxPrim *p = rlx_tir_copy_prim(&j, &first, x->instance[i]);
    const RlxPrim *q = rlx_tir_copy_prim(&j, &second, y->instance[i]);
    rlx_tir_joint_require(&j, p && q ? rlx_prim_binary(store, RLX_PRIM_EQ, p, q) : NULL);
  }
  const RlxPrim *apart = NULL, *elements = NULL;
  for (int i = base; i <= at; i++)
    apart = any_differs(store, apart, rlx_prim_var(store, from.vars[i]),
                        rlx_prim_var(store, other.vars[i]));
  rlx_tir_joint_require(&j, apart);
  for (int d = 0; x->buffer == y->buffer && d < x->buffer->ndim; d++) {
    const RlxPrim *p = rlx_tir_copy_prim(&j, &first, x->index[d]);
    const RlxPrim *q = rlx_tir_copy_prim(&j, &second, y->index[d]);
    if (p && q) elements = any_differs(store, elements, p, q);
    if (!p || !q) j.is_exact = false;
  }
  if (x->buffer == y->buffer) rlx_tir_joint_require(&j, elements);
  RlxSystem system;
  RlxSetPoint point;
  RlxProof found = RLX_UNKNOWN;
  if (rlx_tir_joint_system(&j, &system)) found = rlx_sets_find(store, &system, &point);
  if (found == RLX_NO || (found == RLX_UNKNOWN && reads_one_element(m, x, y)))
    return rlx_tir_holds();
  RlxTirVerdict out = {.violates = 4, .other = m->block, .span = y->span};
  if (found != RLX_YES || !j.is_exact) {
    out.is_unknown = true;
    out.reason = "whether one iteration writes all that an instance reads is not decided";
    return out;
  }
  RlxBuf buf = {0};
  rlx_tir_put_parameters(&buf, &j, &point);
  rlx_buf_printf(&buf, "an instance of block \"%s\" reads ", name(m, m->block));
  rlx_tir_put_element(&buf, &j, &first, &point);
  rlx_buf_puts(&buf, " and ");
  rlx_tir_put_element(&buf, &j, &second, &point);
  rlx_buf_puts(&buf, ", written at ");
  rlx_tir_put_place(&buf, &j, &from, &point, false);
  rlx_buf_puts(&buf, " and ");
  rlx_tir_put_place(&buf, &j, &other, &point, v == w);
  out.reason = out.witness = rlx_arena_strdup(m->a->arena, rlx_buf_text(&buf));
  rlx_buf_free(&buf);
  return out;
}

static RlxTirVerdict from_one_iteration(const Move *m, const RlxTirAccess *x,
                                        const RlxTirAccess *y) {
  const RlxTirStmt *loop = m->a->loops[m->loop].stmt;
  for (int i = 0; i < m->accesses->count; i++)
    for (int k = 0; k < m->accesses->count; k++) {
      const RlxTirAccess *v = &m->accesses->at[i], *w = &m->accesses->at[k];
      if (!v->is_write || !w->is_write || v->buffer != x->buffer || w->buffer != y->buffer ||
          position_of(v, loop) < 0 || position_of(w, loop) < 0)
        continue;
      RlxTirVerdict out = two_iterations(m, x, y, v, w);
      if (!out.is) return out;
    }
  return rlx_tir_holds();
}

/// Reads of one instance of the block that come from two iterations of the loop.
static RlxTirVerdict condition_one_iteration(const Move *m) {
  const RlxTirAnalysis *a = m->a;
  int scope = a->blocks[m->block].scope;
  RlxTirDependencyWalk walk = rlx_tir_dependencies(m->block);
  for (RlxTirDependency next, *d = &next; rlx_tir_next_dependency(a, &walk, d);) {
    if (d->kind != RLX_DEPENDENCY_RAW || d->dst != m->block) continue;
    RlxTirVerdict v = covers(a, m->accesses, d->src, d->dst, 4);
    if (!v.is && !(v.is_unknown && a->blocks[d->dst].region_cover.is)) return v;
  }
  for (int r = 0; r < m->accesses->count; r++)
    for (int s = r; s < m->accesses->count; s++) {
      const RlxTirAccess *x = &m->accesses->at[r], *y = &m->accesses->at[s];
      if (x->is_write || y->is_write || rlx_tir_child_of(a, x, scope) != m->block ||
          rlx_tir_child_of(a, y, scope) != m->block)
        continue;
      RlxTirVerdict v = from_one_iteration(m, x, y);
      if (!v.is) return v;
    }
  return rlx_tir_holds();
}

static RlxTirVerdict condition_output(const Move *m) {
  if (m->is_reverse) return condition_one_iteration(m);
  if (!m->a->blocks[m->block].output_block.is) return rlx_tir_holds();
  return rlx_tir_fails(m->a, 4, "it is an output block of its scope");
}

static RlxTirVerdict condition_overwritten(const Move *m) {
  RlxTirDependencyWalk walk = rlx_tir_dependencies(m->block);
  for (RlxTirDependency next, *d = &next; rlx_tir_next_dependency(m->a, &walk, d);) {
    int other = other_end(d, m->block);
    if (d->kind != RLX_DEPENDENCY_WAR || other < 0) continue;
    return about(rlx_tir_fails(m->a, 5, "block \"%s\" writes %s after block \"%s\" has read it",
                               name(m, d->dst), rlx_store_text(m->a->store, d->buffer->name),
                               name(m, d->src)),
                 other);
  }
  return rlx_tir_holds();
}

/// The first of the conditions that does not hold.
static RlxTirVerdict check_all(const Move *m, RlxTirVerdict (*const *conditions)(const Move *),
                               int count) {
  RlxTirVerdict v = rlx_tir_holds();
  for (int i = 0; i < count && v.is; i++) v = conditions[i](m);
  return v;
}

/// Both sets of conditions, which differ in the second one. Where that holds in neither, loops that carry nothing make it hold
/// in the first.
static void check_sets(const Move *m, RlxTirVerdict *first, RlxTirVerdict *second) {
  static RlxTirVerdict (*const rest[])(const Move *) = {condition_under, condition_output,
                                                        condition_overwritten};
  *first = *second = condition_kinds(m);
  if (!first->is) return;
  *first = condition_trees(m, false);
  *second = condition_decomposable(m);
  if (!first->is && !second->is) *first = condition_trees(m, true);
  if (!first->is && !second->is) return;
  RlxTirVerdict v = check_all(m, rest, sizeof rest / sizeof *rest);
  if (first->is) *first = v;
  if (second->is) *second = v;
}

static RlxTirMoveVerdict check_move(const Move *m) {
  RlxTirMoveVerdict v;
  const RlxTirBlockInfo *b = &m->a->blocks[m->block];
  if (b->scope < 0 || m->a->loops[m->loop].scope != b->scope || is_under(m->a, m->block, m->loop)) {
    const char *why = b->scope < 0                        ? "the root does not move"
                      : is_under(m->a, m->block, m->loop) ? "it is under the loop already"
                                                          : "the loop is in another scope";
    v.verdict = rlx_tir_fails(m->a, 3, "%s", why);
    v.first = v.second = v.verdict;
    return v;
  }
  check_sets(m, &v.first, &v.second);
  v.verdict = v.second.is ? v.second : v.first;
  return v;
}

RlxTirMoveVerdict rlx_tir_can_compute_at(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                         int block, int loop) {
  Move m = {a, accesses, block, loop, false};
  return check_move(&m);
}

RlxTirMoveVerdict rlx_tir_can_reverse_compute_at(const RlxTirAnalysis *a,
                                                 const RlxTirAccesses *accesses, int block,
                                                 int loop) {
  Move m = {a, accesses, block, loop, true};
  return check_move(&m);
}

static void add_moves(RlxTirMoves *out, const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                      int block, int to, bool is_reverse) {
  const RlxTirBlockInfo *b = &a->blocks[to];
  for (int i = 0; i < b->loop_count && out->count < MOVES_MAX; i++) {
    bool is_known = is_under(a, block, b->loops[i]);
    for (int k = 0; k < out->count && !is_known; k++) {
      const RlxTirMove *m = &out->at[k];
      is_known = m->block == block && m->loop == b->loops[i] && m->is_reverse == is_reverse;
    }
    if (is_known) continue;
    Move m = {a, accesses, block, b->loops[i], is_reverse};
    out->at[out->count++] = (RlxTirMove){block, b->loops[i], is_reverse, check_move(&m)};
  }
}

RlxTirMoves rlx_tir_moves(const RlxTirAnalysis *a, const RlxTirAccesses *accesses) {
  RlxTirMoves out = {rlx_arena_array(a->arena, RlxTirMove, MOVES_MAX), 0};
  RlxTirDependencyWalk walk = rlx_tir_dependencies(-1);
  for (RlxTirDependency next, *d = &next;
       out.count < MOVES_MAX && rlx_tir_next_dependency(a, &walk, d);) {
    if (d->kind != RLX_DEPENDENCY_RAW) continue;
    add_moves(&out, a, accesses, d->src, d->dst, false);
    add_moves(&out, a, accesses, d->dst, d->src, true);
  }
  return out;
}
