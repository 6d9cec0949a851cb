/// Solving for the instances that a moved block has to run: what one instance accesses is held
/// against what is needed in one iteration of the target loop.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/compute_at.cc (CalculateBlockVarDomain): through
/// the inverse of the map from block variables to elements where that is affine and one to one, else
/// dimension by dimension.
#include "analyzer/schedule/domain.h"

#include <string.h>

typedef struct Solve {
  RlxScheduleCall *c;
  RlxStore *store;
  RlxArena *arena;
  const RlxScheduleNeed *need;
  RlxScheduleDomain *out;
  bool is_loose;
  const char *why;
} Solve;

enum { SIMPLE_DEPTH = 40 };

/// Divisions and extremes that the ranges of variables decide, done.
static const RlxPrim *decide(RlxStore *store, const RlxFacts *facts, const RlxPrim *p, int depth) {
  if (p->arg_count != 2 || depth > SIMPLE_DEPTH) return p;
  const RlxPrim *a = decide(store, facts, p->args[0], depth + 1),
                *b = decide(store, facts, p->args[1], depth + 1);
  RlxPrimKind kind = (RlxPrimKind)p->kind;
  if (kind == RLX_PRIM_FLOORDIV || kind == RLX_PRIM_FLOORMOD) {
    const RlxPrim *zero = rlx_prim_int_typed(store, 0, a->dtype);
    if (rlx_prove_less_equal(store, facts, zero, a) == RLX_YES &&
        rlx_prove_less(store, facts, a, b) == RLX_YES)
      return kind == RLX_PRIM_FLOORDIV ? zero : a;
  } else if (kind == RLX_PRIM_MIN || kind == RLX_PRIM_MAX) {
    if (rlx_prove_less_equal(store, facts, a, b) == RLX_YES) return kind == RLX_PRIM_MIN ? a : b;
    if (rlx_prove_less_equal(store, facts, b, a) == RLX_YES) return kind == RLX_PRIM_MIN ? b : a;
  }
  return a == p->args[0] && b == p->args[1] ? p : rlx_prim_binary(store, kind, a, b);
}

static bool has_choice(const RlxPrim *p, int depth) {
  if (p->kind == RLX_PRIM_FLOORDIV || p->kind == RLX_PRIM_FLOORMOD || p->kind == RLX_PRIM_MIN ||
      p->kind == RLX_PRIM_MAX)
    return true;
  for (int i = 0; i < p->arg_count && depth < SIMPLE_DEPTH; i++)
    if (has_choice(p->args[i], depth + 1)) return true;
  return false;
}

const RlxPrim *rlx_schedule_simplify_under(RlxStore *store, const RlxFacts *facts,
                                           const RlxPrim *p) {
  p = rlx_prim_simplify(store, p);
  if (!has_choice(p, 0)) return p;
  return rlx_prim_simplify(store, decide(store, facts, p, 0));
}

/// Loops around that run once are their start.
static const RlxPrim *without_units(const Solve *s, const RlxPrim *p) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(s->c);
  for (int l = s->need->loop->index; l >= 0; l = a->loops[l].parent) {
    const RlxTirLoopInfo *loop = &a->loops[l];
    int64_t count;
    if (!loop->min || !loop->extent || !rlx_prim_is_const(loop->extent, &count) || count != 1)
      continue;
    RlxSubst at = {&loop->symbol, &loop->min, 1, false};
    p = rlx_prim_subst(s->store, p, &at, NULL);
  }
  return p;
}

static const RlxPrim *simple(const Solve *s, const RlxPrim *p) {
  return p ? rlx_schedule_simplify_under(s->store, s->need->facts, p) : NULL;
}

static bool at_most(const Solve *s, const RlxPrim *a, const RlxPrim *b) {
  return rlx_prove_less_equal(s->store, s->need->facts, a, b) == RLX_YES;
}

static bool is_equal(const Solve *s, const RlxPrim *a, const RlxPrim *b) {
  return a == b || (a && b && rlx_prove_equal(s->store, s->need->facts, a, b) == RLX_YES);
}

static const RlxPrim *zero_like(const Solve *s, const RlxPrim *p) {
  return rlx_prim_int_typed(s->store, 0, p->dtype);
}

const RlxFacts *rlx_schedule_range_facts(RlxScheduleCall *c, const RlxSymVar *var,
                                         const RlxPrim *min, const RlxPrim *extent,
                                         const RlxFacts *next) {
  if (!min || !extent) return next;
  RlxStore *store = c->s->store;
  RlxFacts *facts = rlx_arena_array(c->s->arena, RlxFacts, 2);
  const RlxPrim *v = rlx_prim_var(store, var);
  facts[0] = (RlxFacts){next, rlx_prim_binary(store, RLX_PRIM_LE, min, v), NULL};
  facts[1] = (RlxFacts){
      &facts[0], rlx_prim_binary(store, RLX_PRIM_LT, v, rlx_prim_add(store, min, extent)), NULL};
  return &facts[1];
}

// ---- what is needed

/// Threads that share memory of the buffer's scope run at once, wherever their loop stands.
static bool is_shared_by(const Solve *s, const RlxTirBuffer *buffer, const RlxTirLoopInfo *loop) {
  if (s->need->is_reverse || loop->stmt->for_kind != RLX_FOR_THREAD_BINDING || !loop->stmt->name)
    return false;
  const char *thread = rlx_store_text(s->store, loop->stmt->name);
  const char *scope = buffer->scope ? rlx_store_text(s->store, buffer->scope) : "global";
  bool is_block = strncmp(thread, "blockIdx", 8) == 0;
  if (strncmp(scope, "shared", 6) == 0) return !is_block;
  return strncmp(scope, "warp", 4) == 0 && strcmp(thread, "threadIdx.x") == 0;
}

/// What the loops of `block` and its predicate say; NULL: it has none that is understood.
static const RlxFacts *predicate_facts(const Solve *s, const RlxTirBlockInfo *block) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(s->c);
  if (!block->predicate) return NULL;
  const RlxFacts *facts = NULL;
  const RlxPrim *predicate = block->predicate;
  for (int i = 0; i < block->loop_count; i++) {
    const RlxTirLoopInfo *loop = &a->loops[block->loops[i]];
    int64_t count;
    facts = rlx_schedule_range_facts(s->c, loop->symbol, loop->min, loop->extent, facts);
    if (!loop->min || !loop->extent || !rlx_prim_is_const(loop->extent, &count) || count != 1)
      continue;
    RlxSubst at = {&loop->symbol, &loop->min, 1, false};
    predicate = rlx_prim_subst(s->store, predicate, &at, NULL);
  }
  RlxFacts *all = rlx_arena_array(s->c->s->arena, RlxFacts, 1);
  *all = (RlxFacts){facts, rlx_prim_simplify(s->store, predicate), NULL};
  return all;
}

/// How many iterations of the loop, from its start, `facts` leave.
static const RlxPrim *extent_under(const Solve *s, const RlxTirLoopInfo *loop,
                                   const RlxFacts *facts) {
  int64_t first, extent, min, max;
  if (!facts || !loop->min || !loop->extent || !rlx_prim_is_const(loop->min, &first) ||
      !rlx_prim_is_const(loop->extent, &extent))
    return loop->extent;
  rlx_prim_bounds(s->store, facts, rlx_prim_var(s->store, loop->symbol), &min, &max);
  return max >= first && max - first < extent - 1
             ? rlx_prim_int_typed(s->store, max - first + 1, loop->extent->dtype)
             : loop->extent;
}

/// The loops of `block` inside of the target, and the threads that share `buffer`, outermost first.
static void relaxed_loops(const Solve *s, const RlxTirBlockInfo *block, const RlxTirBuffer *buffer,
                          RlxTirDomain *domain) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(s->c);
  const RlxFacts *facts = predicate_facts(s, block);
  bool is_inside = false;
  for (int i = 0; i < block->loop_count; i++) {
    const RlxTirLoopInfo *loop = &a->loops[block->loops[i]];
    if (is_inside || is_shared_by(s, buffer, loop))
      rlx_tir_domain_add(s->store, domain, loop->symbol, loop->min, extent_under(s, loop, facts));
    is_inside |= loop == s->need->loop;
  }
}

/// What the others access of `buffer` while one iteration of the target runs; false: nothing.
static bool required(const Solve *s, const RlxTirBuffer *buffer, RlxTirInterval *out) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(s->c);
  bool found = false;
  for (int o = 0; o < s->need->other_count; o++) {
    const RlxTirBlockInfo *other = &a->blocks[s->need->others[o]];
    const RlxTirBoxes *boxes = s->need->is_reverse ? &other->writes : &other->reads;
    for (int b = 0; b < boxes->count; b++) {
      if (boxes->at[b].buffer != buffer) continue;
      RlxTirBox box = rlx_tir_box_unbind(a, other, &boxes->at[b]);
      RlxTirDomain domain = {0};
      relaxed_loops(s, other, buffer, &domain);
      for (int d = 0; d < buffer->ndim; d++) {
        RlxTirInterval here = {NULL, NULL};
        if (box.begin[d] && box.extent[d]) {
          const RlxPrim *end = rlx_prim_add(s->store, box.begin[d], box.extent[d]);
          const RlxPrim *last = simple(s, rlx_prim_addi(s->store, end, -1));
          here.min = rlx_tir_interval(s->store, &domain, box.begin[d]).min;
          here.max = rlx_tir_interval(s->store, &domain, last).max;
          if (here.min) here.min = simple(s, without_units(s, here.min));
          if (here.max) here.max = simple(s, without_units(s, here.max));
        }
        out[d] = found ? rlx_tir_interval_hull(s->store, out[d], here) : here;
      }
      rlx_tir_domain_free(&domain);
      found = true;
    }
  }
  return found;
}

/// What one instance of the block accesses of `buffer`, over its variables.
static void provided(const Solve *s, const RlxTirBoxes *boxes, const RlxTirBuffer *buffer,
                     RlxTirInterval *out) {
  bool found = false;
  for (int b = 0; b < boxes->count; b++) {
    const RlxTirBox *box = &boxes->at[b];
    if (box->buffer != buffer) continue;
    for (int d = 0; d < buffer->ndim; d++) {
      RlxTirInterval here = {box->begin[d], NULL};
      if (box->begin[d] && box->extent[d])
        here.max =
            rlx_prim_addi(s->store, rlx_prim_add(s->store, box->begin[d], box->extent[d]), -1);
      here.min = simple(s, here.min);
      here.max = simple(s, here.max);
      out[d] = found ? rlx_tir_interval_hull(s->store, out[d], here) : here;
    }
    found = true;
  }
}

// ---- one block variable

static int iter_of(const Solve *s, const RlxSymVar *symbol) {
  for (int i = 0; i < s->need->block->iter_count; i++)
    if (s->need->block->iters[i].symbol == symbol) return i;
  return -1;
}

static bool is_other(const RlxSymVar *symbol, void *data) { return iter_of(data, symbol) < 0; }

static bool uses_iter(const Solve *s, const RlxPrim *p) {
  return !rlx_prim_all_vars(p, is_other, (void *)(uintptr_t)s);
}

/// The end that lies further out; NULL: open.
static const RlxPrim *pick(const Solve *s, const RlxPrim *a, const RlxPrim *b, bool wants_larger) {
  if (!a || !b) return NULL;
  if (at_most(s, a, b)) return wants_larger ? b : a;
  if (at_most(s, b, a)) return wants_larger ? a : b;
  return simple(s, rlx_prim_binary(s->store, wants_larger ? RLX_PRIM_MAX : RLX_PRIM_MIN, a, b));
}

static RlxTirInterval hull(const Solve *s, RlxTirInterval a, RlxTirInterval b) {
  return (RlxTirInterval){pick(s, a.min, b.min, false), pick(s, a.max, b.max, true)};
}

static void widen(const Solve *s, int iter, RlxTirInterval dom, RlxTirInterval bound) {
  RlxScheduleDomain *d = &s->out[iter];
  d->dom = d->has_dom ? hull(s, d->dom, dom) : dom;
  d->bound = d->has_bound ? hull(s, d->bound, bound) : bound;
  d->has_dom = d->has_bound = true;
}

/// [a, b] where `p` divided by `by` lies in it.
static RlxTirInterval times(const Solve *s, RlxTirInterval i, const RlxPrim *by) {
  RlxTirInterval out = {NULL, NULL};
  if (i.min) out.min = simple(s, rlx_prim_mul(s->store, i.min, by));
  if (i.max) {
    const RlxPrim *reach = rlx_prim_add(s->store, rlx_prim_mul(s->store, i.max, by), by);
    out.max = simple(s, rlx_prim_addi(s->store, reach, -1));
  }
  return out;
}

static RlxTirInterval divided(const Solve *s, RlxTirInterval i, const RlxPrim *by) {
  RlxTirInterval out = {NULL, NULL};
  if (i.min) out.min = simple(s, rlx_prim_floordiv(s->store, i.min, by));
  if (i.max) out.max = simple(s, rlx_prim_floordiv(s->store, i.max, by));
  return out;
}

static bool is_positive(const Solve *s, const RlxPrim *p) {
  return at_most(s, rlx_prim_int_typed(s->store, 1, p->dtype), p);
}

/// The variable of `at` (a point, or the start of what a variable strides over) such that `at` lies
/// in `need`; `limit`: what `at` is at most.
static bool solve(Solve *s, const RlxPrim *at, bool is_point, RlxTirInterval need,
                  RlxTirInterval limit) {
  for (int depth = 0; depth < 16; depth++) {
    if (at->kind == RLX_PRIM_MUL) {
      int v = at->args[0]->kind == RLX_PRIM_VAR ? 0 : 1;
      const RlxPrim *by = at->args[1 - v];
      int iter = at->args[v]->kind == RLX_PRIM_VAR ? iter_of(s, at->args[v]->var) : -1;
      if (iter < 0 || uses_iter(s, by) || !is_positive(s, by)) return false;
      widen(s, iter, divided(s, need, by), divided(s, limit, by));
      return true;
    }
    if (!is_point) return false;
    if (at->kind == RLX_PRIM_VAR) {
      int iter = iter_of(s, at->var);
      if (iter < 0) return false;
      widen(s, iter, need, limit);
      return true;
    }
    if (at->kind != RLX_PRIM_FLOORDIV && at->kind != RLX_PRIM_FLOORMOD) return false;
    const RlxPrim *by = at->args[1];
    if (uses_iter(s, by) || !is_positive(s, by)) return false;
    bool is_rest = at->kind == RLX_PRIM_FLOORMOD;
    at = at->args[0];
    if (is_rest && at->kind == RLX_PRIM_VAR) return iter_of(s, at->var) >= 0; // says nothing of it
    if (is_rest && !(need.min && at_most(s, zero_like(s, need.min), need.min))) return false;
    need = is_rest ? (RlxTirInterval){need.min, NULL} : times(s, need, by);
    limit = is_rest ? (RlxTirInterval){limit.min, NULL} : times(s, limit, by);
  }
  return false;
}

/// Dimension by dimension.
static bool by_dimension(Solve *s, const RlxTirBuffer *buffer, const RlxTirInterval *gives,
                         const RlxTirInterval *needs) {
  for (int d = 0; d < buffer->ndim; d++) {
    const RlxTirInterval *p = &gives[d], *r = &needs[d];
    bool is_point = is_equal(s, p->min, p->max);
    if (p->min && p->max && !uses_iter(s, p->min) && !uses_iter(s, p->max)) {
      if (is_equal(s, p->min, r->min) && is_equal(s, p->max, r->max)) continue;
    } else if (p->min) {
      const RlxPrim *size = rlx_tir_integer(s->store, buffer->shape[d]);
      const RlxPrim *zero = zero_like(s, p->min);
      RlxTirInterval limit = {zero, size ? simple(s, rlx_prim_addi(s->store, size, -1)) : NULL};
      if (solve(s, p->min, is_point, *r, limit)) continue;
    }
    s->why = rlx_arena_printf(s->c->s->arena,
                              "what an instance accesses of dimension %d of %s does not tell which "
                              "instances are needed",
                              d, rlx_store_text(s->store, buffer->name));
    return false;
  }
  return true;
}

// ---- through the inverse of an affine map

enum { MARKS_MAX = 32 };

typedef struct Inverse {
  const RlxIterMark *marks[MARKS_MAX];
  const RlxPrim *values[MARKS_MAX];
  bool done[MARKS_MAX];
  int count;
} Inverse;

static bool add_value(const Solve *s, Inverse *v, const RlxIterMark *mark, const RlxPrim *value) {
  for (int i = 0; i < v->count; i++) {
    if (v->marks[i] != mark) continue;
    v->values[i] = simple(s, rlx_prim_add(s->store, v->values[i], value));
    return !v->done[i];
  }
  if (v->count == MARKS_MAX) return false;
  v->marks[v->count] = mark;
  v->values[v->count++] = value;
  return true;
}

/// Hands the value of a sum down to what its splits are of.
static bool hand_down(const Solve *s, Inverse *v, const RlxIterSum *sum, const RlxPrim *value) {
  const RlxPrim *input = simple(s, rlx_prim_sub(s->store, value, sum->base));
  for (int k = sum->split_count - 1; k >= 0; k--) {
    const RlxIterSplit *split = &sum->splits[k];
    const RlxPrim *part = input;
    int64_t scale;
    if (sum->split_count == 1) {
      if (!rlx_prim_is_const(split->scale, &scale) || (scale != 1 && scale != -1)) return false;
      if (scale < 0) part = rlx_prim_sub(s->store, zero_like(s, input), input);
    } else {
      part = rlx_prim_floordiv(s->store, input, split->scale);
      if (k) part = rlx_prim_floormod(s->store, part, split->extent);
    }
    part = simple(s, rlx_prim_mul(s->store, part, split->lower_factor));
    if (!add_value(s, v, split->source, part)) return false;
  }
  return true;
}

/// The block variables at a point of the buffer.
static bool invert(const Solve *s, const RlxIterMap *map, const RlxPrim *const *point, int ndim,
                   Inverse *v) {
  *v = (Inverse){.count = 0};
  for (int d = 0; d < ndim; d++)
    if (!hand_down(s, v, &map->sums[d], point[d])) return false;
  for (int i = 0; i < v->count; i++) {
    v->done[i] = true;
    if (!v->marks[i]->leaf && !hand_down(s, v, &v->marks[i]->sum, v->values[i])) return false;
  }
  return true;
}

static bool ends_of(const Solve *s, const RlxIterMap *map, const RlxTirInterval *box, int ndim,
                    Inverse *low, Inverse *high) {
  const RlxPrim **min = rlx_arena_array(s->arena, const RlxPrim *, ndim),
                **max = rlx_arena_array(s->arena, const RlxPrim *, ndim);
  for (int d = 0; d < ndim; d++) {
    min[d] = box[d].min;
    max[d] = box[d].max;
    if (!min[d] || !max[d]) return false;
  }
  return invert(s, map, min, ndim, low) && invert(s, map, max, ndim, high);
}

static RlxTirInterval between(const Solve *s, const RlxPrim *a, const RlxPrim *b) {
  return (RlxTirInterval){pick(s, a, b, false), pick(s, a, b, true)};
}

static bool is_sum_split_up(const RlxIterSum *sum) {
  if (sum->split_count != 1) return sum->split_count > 1;
  const RlxIterMark *of = sum->splits[0].source;
  return !of->leaf && is_sum_split_up(&of->sum);
}

static bool is_split_up(const RlxIterMap *map, int ndim) {
  for (int d = 0; d < ndim; d++)
    if (is_sum_split_up(&map->sums[d])) return true;
  return false;
}

/// False, with nothing changed: it is no affine one-to-one map.
static bool by_inverse(Solve *s, const RlxTirBuffer *buffer, const RlxTirInterval *gives,
                       const RlxTirInterval *needs) {
  const RlxTirBlockInfo *block = s->need->block;
  int n = buffer->ndim, count = block->iter_count;
  const RlxPrim **indices = rlx_arena_array(s->arena, const RlxPrim *, n);
  RlxLoopRange *ranges = rlx_arena_array(s->arena, RlxLoopRange, count);
  RlxTirInterval *shape = rlx_arena_array(s->arena, RlxTirInterval, n);
  for (int d = 0; d < n; d++) {
    const RlxPrim *size = rlx_tir_integer(s->store, buffer->shape[d]);
    if (!gives[d].min || !is_equal(s, gives[d].min, gives[d].max) || !size) return false;
    indices[d] = gives[d].min;
    shape[d] = (RlxTirInterval){zero_like(s, size), simple(s, rlx_prim_addi(s->store, size, -1))};
  }
  for (int i = 0; i < count; i++) {
    const RlxTirIterInfo *v = &block->iters[i];
    if (!v->min || !v->extent) return false;
    ranges[i] = (RlxLoopRange){v->symbol, v->min, v->extent};
  }
  RlxIterQuery query = {.indices = indices,
                        .index_count = n,
                        .loops = ranges,
                        .loop_count = count,
                        .level = RLX_ITER_BIJECTIVE,
                        .keeps_unit_loops = true};
  RlxIterMap map = rlx_iter_map_detect(s->store, s->arena, &query);
  Inverse low, high, first, last;
  if (!map.sums || !ends_of(s, &map, needs, n, &low, &high) ||
      !ends_of(s, &map, shape, n, &first, &last))
    return false;
  for (int i = 0; i < low.count; i++)
    if (low.marks[i]->leaf &&
        (low.marks[i]->leaf->kind != RLX_PRIM_VAR || iter_of(s, low.marks[i]->leaf->var) < 0))
      return false;
  for (int i = 0; i < low.count; i++) {
    if (!low.marks[i]->leaf) continue;
    widen(s, iter_of(s, low.marks[i]->leaf->var), between(s, low.values[i], high.values[i]),
          between(s, first.values[i], last.values[i]));
  }
  s->is_loose |= is_split_up(&map, n);
  return true;
}

// ---- all of it

static RlxTirInterval cut(const Solve *s, RlxTirInterval a, RlxTirInterval b) {
  RlxTirInterval out;
  out.min = a.min && b.min ? pick(s, a.min, b.min, true) : a.min ? a.min : b.min;
  out.max = a.max && b.max ? pick(s, a.max, b.max, false) : a.max ? a.max : b.max;
  return out;
}

static bool is_constant(const RlxPrim *p) {
  int64_t value;
  return p && rlx_prim_is_const(p, &value);
}

/// Puts domain and bound of a variable together (BlockVarDomainInfo::Simplify).
static void finish(const Solve *s, const RlxTirIterInfo *iter, RlxScheduleDomain *d) {
  const RlxPrim *last =
      rlx_prim_addi(s->store, rlx_prim_add(s->store, iter->min, iter->extent), -1);
  RlxTirInterval own = {simple(s, iter->min), simple(s, last)};
  RlxTirInterval bound = d->has_bound ? cut(s, d->bound, own) : own;
  d->has_bound = false;
  if (!d->has_dom) {
    d->dom = bound;
    d->has_dom = true;
    return;
  }
  RlxTirInterval both = cut(s, d->dom, bound);
  if (is_equal(s, d->dom.min, both.min) && is_equal(s, d->dom.max, both.max)) return;
  if (is_equal(s, bound.min, both.min) && is_equal(s, bound.max, both.max)) {
    d->dom = bound;
  } else if (is_constant(both.min) && is_constant(both.max)) {
    d->dom = both;
  } else {
    d->bound = bound;
    d->has_bound = true;
  }
}

static bool take_buffer(Solve *s, const RlxTirBoxes *boxes, const RlxTirBuffer *buffer) {
  RlxTirInterval *gives = rlx_arena_array(s->arena, RlxTirInterval, buffer->ndim);
  RlxTirInterval *needs = rlx_arena_array(s->arena, RlxTirInterval, buffer->ndim);
  if (!required(s, buffer, needs)) return true;
  provided(s, boxes, buffer, gives);
  return by_inverse(s, buffer, gives, needs) || by_dimension(s, buffer, gives, needs);
}

bool rlx_schedule_domains(RlxScheduleCall *c, const RlxScheduleNeed *need, RlxScheduleDomain *out,
                          bool *is_loose, const char **why) {
  Solve s = {.c = c, .store = c->s->store, .arena = rlx_arena_new(), .need = need, .out = out};
  const RlxTirBlockInfo *block = need->block;
  const RlxTirBoxes *boxes = need->is_reverse ? &block->reads : &block->writes;
  bool ok = true;
  for (int i = 0; i < block->iter_count && ok; i++) {
    out[i] = (RlxScheduleDomain){.has_dom = false};
    ok = block->iters[i].min && block->iters[i].extent;
    if (!ok) s.why = "the domain of a block variable is no integer expression";
  }
  for (int b = 0; b < boxes->count && ok; b++) {
    bool is_seen = false;
    for (int k = 0; k < b; k++) is_seen |= boxes->at[k].buffer == boxes->at[b].buffer;
    if (!is_seen) ok = take_buffer(&s, boxes, boxes->at[b].buffer);
  }
  for (int i = 0; i < block->iter_count && ok; i++) finish(&s, &block->iters[i], &out[i]);
  rlx_arena_free(s.arena);
  *is_loose = s.is_loose;
  *why = s.why;
  return ok;
}
