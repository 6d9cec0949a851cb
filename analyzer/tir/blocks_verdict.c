/// Dependencies between the blocks of one scope, and the verdicts that follow from them.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"
#include "base/map.h"
#include <stdlib.h>

// ------------------------------------------------------------------ dependencies

typedef Vec(RlxTirDependency) Dependencies;

static bool touches(const RlxTirBoxes *boxes, const RlxTirBuffer *buffer) {
  for (int i = 0; i < boxes->count; i++)
    if (boxes->at[i].buffer == buffer) return true;
  return false;
}

/// One dependency of each kind at most, with the first buffer that makes it.
static void depend(Dependencies *out, int scope, int src, int dst, RlxTirDependencyKind kind,
                   const RlxTirBoxes *from, const RlxTirBoxes *to) {
  for (int i = 0; i < to->count; i++) {
    if (!touches(from, to->at[i].buffer)) continue;
    RlxTirDependency d = {scope, src, dst, (uint8_t)kind, to->at[i].buffer};
    rlx_vec_push(out, d);
    return;
  }
}

/// Which blocks of a scope touch a buffer, in their order.
typedef Vec(int) Ints;
typedef struct Users {
  Ints blocks;
} Users;

typedef struct ScopeUsers {
  const RlxTirAnalysis *a;
  RlxMap index; ///< buffer to its place in `users` + 1
  Vec(Users) users;
} ScopeUsers;

static Ints *users_of(ScopeUsers *s, const RlxTirBuffer *buffer) {
  uint64_t at = (uint64_t)(uintptr_t)buffer, place = 0;
  if (!rlx_map_get(&s->index, at, &place)) {
    rlx_vec_push(&s->users, (Users){0});
    place = s->users.count;
    rlx_map_put(&s->index, at, place);
  }
  return &s->users.at[place - 1].blocks;
}

static int by_number(const void *x, const void *y) {
  int a = *(const int *)x, b = *(const int *)y;
  return a < b ? -1 : a > b;
}

/// Blocks before `block` that touch a buffer that it touches, each once, in order.
static void find_partners(ScopeUsers *s, const RlxTirBlockInfo *block, Ints *out) {
  rlx_vec_clear(out);
  for (int side = 0; side < 2; side++) {
    const RlxTirBoxes *boxes = side ? &block->writes : &block->reads;
    for (int i = 0; i < boxes->count; i++) {
      const Ints *users = users_of(s, boxes->at[i].buffer);
      for (uint32_t k = 0; k < users->count; k++) {
        int user = users->at[k]; // only reading together is no dependency
        if (side || touches(&s->a->blocks[user].writes, boxes->at[i].buffer))
          rlx_vec_push(out, user);
      }
    }
  }
  if (out->count) qsort(out->at, out->count, sizeof *out->at, by_number);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->count; i++)
    if (!i || out->at[i] != out->at[i - 1]) out->at[kept++] = out->at[i];
  out->count = kept;
}

static void add_users(ScopeUsers *s, const RlxTirBlockInfo *block) {
  for (int side = 0; side < 2; side++) {
    const RlxTirBoxes *boxes = side ? &block->writes : &block->reads;
    for (int i = 0; i < boxes->count; i++) {
      Ints *users = users_of(s, boxes->at[i].buffer);
      if (!users->count || rlx_vec_last(users) != block->index) rlx_vec_push(users, block->index);
    }
  }
}

static void scope_dependencies(const RlxTirAnalysis *a, int scope, Dependencies *all) {
  ScopeUsers s = {.a = a};
  Ints partners = {0};
  const RlxTirBlockInfo *root = &a->blocks[scope];
  for (int i = 0; i < root->child_count; i++) {
    int to = root->children[i];
    const RlxTirBlockInfo *y = &a->blocks[to];
    find_partners(&s, y, &partners);
    for (uint32_t k = 0; k < partners.count; k++) {
      int from = partners.at[k];
      const RlxTirBlockInfo *x = &a->blocks[from];
      depend(all, scope, from, to, RLX_DEPENDENCY_RAW, &x->writes, &y->reads);
      depend(all, scope, from, to, RLX_DEPENDENCY_WAW, &x->writes, &y->writes);
      depend(all, scope, from, to, RLX_DEPENDENCY_WAR, &x->reads, &y->writes);
    }
    add_users(&s, y);
  }
  for (uint32_t i = 0; i < s.users.count; i++) rlx_vec_free(&s.users.at[i].blocks);
  rlx_vec_free(&s.users);
  rlx_map_free(&s.index);
  rlx_vec_free(&partners);
}

void rlx_tir_collect_dependencies(RlxTirAnalysis *a) {
  Dependencies all = {0};
  for (int s = 0; s < a->block_count; s++)
    if (a->blocks[s].child_count > 1) scope_dependencies(a, s, &all);
  a->dependency_count = (int)all.count;
  a->dependencies = rlx_arena_copy(a->arena, all.at, all.count, sizeof *all.at);
  rlx_vec_free(&all);
}

// ------------------------------------------------------------------ verdicts

static const char *buffer_name(const RlxTirAnalysis *a, const RlxTirBuffer *buffer) {
  return rlx_store_text(a->store, buffer->name);
}

/// `partner`: a block of the scope that writes a buffer that it writes, or -1.
static RlxTirVerdict dominant(const RlxTirAnalysis *a, const RlxTirBlockInfo *block, int partner) {
  if (partner < 0) return rlx_tir_holds();
  const RlxTirBuffer *buffer = NULL;
  for (int w = 0; w < block->writes.count && !buffer; w++)
    if (touches(&a->blocks[partner].writes, block->writes.at[w].buffer))
      buffer = block->writes.at[w].buffer;
  RlxTirVerdict v = rlx_tir_fails(a, 1, "block \"%s\" writes %s too",
                                  rlx_tir_block_name(a, partner), buffer_name(a, buffer));
  v.other = partner;
  return v;
}

static RlxTirVerdict output_block(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  const RlxTirBlockInfo *scope = &a->blocks[block->scope];
  for (int w = 0; w < block->writes.count; w++) {
    bool is_local = false;
    for (int i = 0; i < scope->alloc_count; i++)
      is_local = is_local || scope->allocs[i] == block->writes.at[w].buffer;
    if (!is_local) return rlx_tir_holds();
  }
  return rlx_tir_fails(a, 1, "all that it writes is allocated in its scope");
}

/// TVM's flag: the loops map onto the block variables affinely. Loops without variables repeat one
/// instance, and ranges that depend on other loops are no map over a box.
static RlxTirVerdict affine_binding(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  if (block->loop_count && !block->iter_count)
    return rlx_tir_fails(a, 1, "loop %s binds no block variable",
                         rlx_store_text(a->store, a->loops[block->loops[0]].stmt->var->name));
  for (int i = 0; i < block->loop_count; i++) {
    const RlxTirStmt *loop = a->loops[block->loops[i]].stmt;
    for (int k = 0; k < i; k++) {
      const RlxTirVar *outer = a->loops[block->loops[k]].stmt->var;
      if (!rlx_tir_uses(loop->extent, outer) && !rlx_tir_uses(loop->min, outer)) continue;
      return rlx_tir_fails(a, 1, "the range of loop %s depends on %s",
                           rlx_store_text(a->store, loop->var->name),
                           rlx_store_text(a->store, outer->name));
    }
  }
  return rlx_tir_affine_binding(a, block);
}

static RlxTirVerdict trivial_binding(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  if (block->loop_count != block->iter_count)
    return rlx_tir_fails(a, 1, "%d loops for %d block variables", block->loop_count,
                         block->iter_count);
  for (int i = 0; i < block->iter_count; i++) {
    const RlxTirExpr *binding = block->iters[i].iter->binding;
    const RlxTirVar *loop = a->loops[block->loops[i]].stmt->var;
    if (binding && binding->kind == RLX_TIR_VAR && binding->var == loop) continue;
    return rlx_tir_fails(a, 2, "block variable %s is not loop %s",
                         rlx_store_text(a->store, block->iters[i].iter->var->name),
                         rlx_store_text(a->store, loop->name));
  }
  return rlx_tir_holds();
}

static RlxTirVerdict because(RlxTirVerdict v, int violates) {
  v.violates = (uint8_t)violates;
  return v;
}

static RlxTirVerdict is_another_type(const RlxTirAnalysis *a, int condition,
                                     const RlxTirIterVar *iter, const char *wanted) {
  return rlx_tir_fails(a, condition, "block variable %s is %s, %s",
                       rlx_store_text(a->store, iter->var->name),
                       rlx_tir_iter_type_name((RlxTirIterType)iter->type), wanted);
}

static RlxTirVerdict complete(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                              RlxTirVerdict dominant) {
  for (int i = 0; i < block->iter_count; i++)
    if (block->iters[i].iter->type != RLX_ITER_DATA_PAR)
      return is_another_type(a, 1, block->iters[i].iter, "not data_par");
  if (!dominant.is) return because(dominant, 2);
  for (int i = 0; i < block->reads.count; i++)
    if (touches(&block->writes, block->reads.at[i].buffer))
      return rlx_tir_fails(a, 3, "it reads %s, which it writes",
                           buffer_name(a, block->reads.at[i].buffer));
  return rlx_tir_holds();
}

static RlxTirVerdict reduction(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                               RlxTirVerdict dominant) {
  if (!block->has_init) return rlx_tir_fails(a, 1, "it has no T.init");
  if (!block->affine_binding.is) return because(block->affine_binding, 2);
  for (int i = 0; i < block->iter_count; i++) {
    const RlxTirIterVar *iter = block->iters[i].iter;
    if (iter->type != RLX_ITER_DATA_PAR && iter->type != RLX_ITER_REDUCE)
      return is_another_type(a, 3, iter, "neither data_par nor reduce");
  }
  if (!dominant.is) return because(dominant, 4);
  return rlx_tir_outputs_without_reduce(a, block);
}

RlxTirVerdict rlx_tir_locally_complete(const RlxTirAnalysis *a, int block) {
  return complete(a, &a->blocks[block], rlx_tir_holds());
}

RlxTirVerdict rlx_tir_locally_reduction(const RlxTirAnalysis *a, int block) {
  return reduction(a, &a->blocks[block], rlx_tir_holds());
}

// ------------------------------------------------------------------ region cover

typedef Vec(RlxTirBox) Boxes;

static bool is_same(const RlxTirAnalysis *a, const RlxPrim *x, const RlxPrim *y) {
  return x == y || rlx_prove_equal(a->store, NULL, x, y) == RLX_YES;
}

/// Grows `into` by `box` when both together are a box again: equal but in one dimension, where they
/// meet.
static bool merge(const RlxTirAnalysis *a, RlxTirBox *into, const RlxTirBox *box) {
  RlxStore *store = a->store;
  int other = -1;
  for (int d = 0; d < into->buffer->ndim; d++) {
    if (is_same(a, into->begin[d], box->begin[d]) && is_same(a, into->extent[d], box->extent[d]))
      continue;
    if (other >= 0) return false;
    other = d;
  }
  if (other < 0) return true;
  const RlxPrim *end = rlx_prim_add(store, into->begin[other], into->extent[other]),
                *box_end = rlx_prim_add(store, box->begin[other], box->extent[other]);
  bool follows =
      rlx_prove_less_equal(store, NULL, into->begin[other], box->begin[other]) == RLX_YES &&
      rlx_prove_less_equal(store, NULL, box->begin[other], end) == RLX_YES &&
      rlx_prove_less_equal(store, NULL, end, box_end) == RLX_YES;
  if (!follows) return false;
  const RlxPrim **extent = rlx_arena_array(a->arena, const RlxPrim *, into->buffer->ndim);
  for (int d = 0; d < into->buffer->ndim; d++) extent[d] = into->extent[d];
  extent[other] = rlx_prim_simplify(store, rlx_prim_sub(store, box_end, into->begin[other]));
  into->extent = extent;
  return true;
}

static bool is_whole_known(const RlxTirBox *box) {
  for (int d = 0; d < box->buffer->ndim; d++)
    if (!box->begin[d] || !box->extent[d]) return false;
  return box->is_exact;
}

/// What the producers of `dst` whose common loop with it is `lca` write of `buffer` meanwhile.
static void produced(const RlxTirAnalysis *a, const RlxTirBlockInfo *dst, int lca,
                     const RlxTirBuffer *buffer, const RlxTirDependency *deps, int count,
                     Boxes *out) {
  for (int i = 0; i < count; i++) {
    if (deps[i].kind != RLX_DEPENDENCY_RAW) continue;
    if (rlx_tir_common_loop(a, deps[i].src, dst->index) != lca) continue;
    const RlxTirBlockInfo *src = &a->blocks[deps[i].src];
    for (int w = 0; w < src->writes.count; w++) {
      if (src->writes.at[w].buffer != buffer) continue;
      RlxTirBox unbound = rlx_tir_box_unbind(a, src, &src->writes.at[w]);
      RlxTirBox box = rlx_tir_box_relax(a, src, &unbound, lca);
      bool merged = out->count && is_whole_known(&box) && is_whole_known(&rlx_vec_last(out)) &&
                    merge(a, &rlx_vec_last(out), &box);
      if (!merged) rlx_vec_push(out, box);
    }
  }
}

static RlxTirVerdict uncovered(const RlxTirAnalysis *a, int lca, const RlxTirBox *read,
                               const Boxes *boxes, int src) {
  RlxBuf text = {0};
  const char *writer = rlx_tir_block_name(a, src);
  if (lca < 0)
    rlx_buf_puts(&text, "it reads ");
  else
    rlx_buf_printf(&text, "in one iteration of %s it reads ",
                   rlx_store_text(a->store, a->loops[lca].stmt->var->name));
  rlx_tir_box_print(a, read, &text);
  if (boxes->count && boxes->at[0].is_exact) {
    rlx_buf_printf(&text, ", of which \"%s\" writes ", writer);
    rlx_tir_box_print(a, &boxes->at[0], &text);
  } else {
    rlx_buf_printf(&text, ", and it is not proved that \"%s\" writes all of it", writer);
  }
  RlxTirVerdict v = rlx_tir_fails(a, 1, "%s", rlx_buf_text(&text));
  v.other = src;
  v.span = read->span;
  rlx_buf_free(&text);
  return v;
}

static RlxTirVerdict cover_of_read(const RlxTirAnalysis *a, const RlxTirBlockInfo *dst, int lca,
                                   const RlxTirBox *unbound, const RlxTirDependency *deps,
                                   int count) {
  Boxes boxes = {0};
  produced(a, dst, lca, unbound->buffer, deps, count, &boxes);
  RlxTirVerdict v = rlx_tir_holds();
  if (boxes.count) {
    RlxTirBox read = rlx_tir_box_relax(a, dst, unbound, lca);
    bool is_covered = false;
    for (uint32_t i = 0; i < boxes.count && !is_covered; i++)
      is_covered =
          boxes.at[i].is_exact && rlx_tir_box_covers(a, dst, &boxes.at[i], &read) == RLX_YES;
    int src = -1;
    for (int i = 0; i < count && src < 0; i++)
      if (deps[i].kind == RLX_DEPENDENCY_RAW && deps[i].buffer == unbound->buffer)
        src = deps[i].src;
    if (!is_covered) v = uncovered(a, lca, &read, &boxes, src < 0 ? deps[0].src : src);
  }
  rlx_vec_free(&boxes);
  return v;
}

/// Below the common loop with its producers, do they write all that `dst` reads of them? `deps` are
/// those that end at it.
static RlxTirVerdict region_cover(const RlxTirAnalysis *a, const RlxTirBlockInfo *dst,
                                  const RlxTirDependency *deps, int count) {
  for (int i = 0; i < count; i++) {
    if (deps[i].kind != RLX_DEPENDENCY_RAW) continue;
    int lca = rlx_tir_common_loop(a, deps[i].src, dst->index);
    bool is_done = false; // each common loop once
    for (int k = 0; k < i && !is_done; k++)
      is_done = deps[k].kind == RLX_DEPENDENCY_RAW &&
                rlx_tir_common_loop(a, deps[k].src, dst->index) == lca;
    for (int r = 0; r < dst->reads.count && !is_done; r++) {
      RlxTirBox unbound = rlx_tir_box_unbind(a, dst, &dst->reads.at[r]);
      RlxTirVerdict v = cover_of_read(a, dst, lca, &unbound, deps, count);
      if (!v.is) return v;
    }
  }
  return rlx_tir_holds();
}

/// S4 and TVM: producers and consumers of one scope are a pipeline of stages.
static RlxTirVerdict stage_pipeline(const RlxTirAnalysis *a, const RlxTirBlockInfo *scope,
                                    const RlxTirDependency *deps, int count) {
  for (int i = 0; i < count; i++) {
    const RlxTirDependency *d = &deps[i];
    if (d->kind == RLX_DEPENDENCY_RAW || d->kind == RLX_DEPENDENCY_WAW) continue;
    RlxTirVerdict v = rlx_tir_fails(a, 1, "block \"%s\" writes %s, which \"%s\" read before",
                                    rlx_tir_block_name(a, d->dst), buffer_name(a, d->buffer),
                                    rlx_tir_block_name(a, d->src));
    v.other = d->dst;
    return v;
  }
  for (int i = 0; i < scope->child_count; i++) {
    const RlxTirBlockInfo *child = &a->blocks[scope->children[i]];
    if (child->region_cover.is) continue;
    RlxTirVerdict v = rlx_tir_fails(a, 2, "block \"%s\": %s", rlx_tir_block_name(a, child->index),
                                    child->region_cover.reason);
    v.other = child->index;
    return v;
  }
  return rlx_tir_holds();
}

// ------------------------------------------------------------------ all of them

/// For each block the first other one of its scope that writes what it writes, or -1.
static int *find_rivals(const RlxTirAnalysis *a) {
  int *rivals = rlx_arena_array(a->arena, int, a->block_count);
  for (int i = 0; i < a->block_count; i++) rivals[i] = -1;
  for (int i = 0; i < a->dependency_count; i++) {
    const RlxTirDependency *d = &a->dependencies[i];
    if (d->kind != RLX_DEPENDENCY_WAW) continue;
    if (rivals[d->src] < 0 || d->dst < rivals[d->src]) rivals[d->src] = d->dst;
    if (rivals[d->dst] < 0 || d->src < rivals[d->dst]) rivals[d->dst] = d->src;
  }
  return rivals;
}

static void judge_scope(RlxTirAnalysis *a, RlxTirBlockInfo *scope, const int *rivals, int *at) {
  int begin = *at;
  for (int i = 0; i < scope->child_count; i++) {
    RlxTirBlockInfo *block = &a->blocks[scope->children[i]];
    int first = *at;
    while (*at < a->dependency_count && a->dependencies[*at].dst == block->index) (*at)++;
    block->dominant = dominant(a, block, rivals[block->index]);
    block->output_block = output_block(a, block);
    block->complete = complete(a, block, block->dominant);
    block->reduction = reduction(a, block, block->dominant);
    block->region_cover = region_cover(a, block, a->dependencies + first, *at - first);
  }
  scope->stage_pipeline = stage_pipeline(a, scope, a->dependencies + begin, *at - begin);
}

void rlx_tir_judge(RlxTirAnalysis *a) {
  RlxTirVerdict none = rlx_tir_fails(a, 0, "it belongs to no scope");
  none.is_unknown = true;
  for (int b = 0; b < a->block_count; b++) {
    RlxTirBlockInfo *block = &a->blocks[b];
    block->dominant = block->output_block = block->complete = block->reduction = none;
    block->affine_binding = affine_binding(a, block);
    block->trivial_binding = trivial_binding(a, block);
    block->region_cover = rlx_tir_holds();
    rlx_tir_judge_reducer(a, block);
  }
  const int *rivals = find_rivals(a);
  int at = 0; // dependencies are sorted by scope, then dst
  for (int b = 0; b < a->block_count; b++) judge_scope(a, &a->blocks[b], rivals, &at);
}
