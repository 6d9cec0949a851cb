/// Bounds and initialisation of single accesses. Most are settled by intervals of constants; sets
/// of integers decide the others.
#include "analyzer/tir/memory.h"

#include "analyzer/symbolic/poly.h"
#include "analyzer/tir/blocks_impl.h"
#include "analyzer/tir/loops_impl.h"

enum { WRITES_MAX = 24, FACTS_MAX = 24, CORNER_LOOPS_MAX = 12 };

// ---- intervals

static bool loop_range(const RlxPrim *atom, RlxRange *out, void *data) {
  const RlxTirAccess *x = data;
  for (int i = 0; atom->kind == RLX_PRIM_VAR && i < x->loop_count; i++) {
    const RlxLoopRange *r = &x->loops[i].range;
    int64_t min, extent;
    if (r->var != atom->var) continue;
    if (!r->min || !r->extent || !rlx_prim_is_const(r->min, &min) ||
        !rlx_prim_is_const(r->extent, &extent) || extent < 1 || extent > INT32_MAX ||
        min > INT32_MAX || min < INT32_MIN)
      return false;
    *out = (RlxRange){min, min + extent - 1};
    return true;
  }
  return false;
}

static bool inside_by_interval(const RlxTirAnalysis *a, const RlxTirAccess *x, int d,
                               const RlxPrim *size) {
  int64_t count;
  RlxTirAccess copy = *x;
  const RlxPrim *index = x->index[d];
  if (rlx_prim_is_const(size, &count)) {
    RlxRangeEnv env = {loop_range, &copy};
    RlxRange r = rlx_prim_range(a->store, rlx_prim_simplify(a->store, index), &env);
    return r.min >= 0 && r.max < count;
  }
  for (int i = 0; i < x->loop_count; i++) { // a loop over the whole dimension
    const RlxLoopRange *r = &x->loops[i].range;
    int64_t min;
    if (rlx_prim_as_var(index) == r->var && r->var && r->extent == size && r->min &&
        rlx_prim_is_const(r->min, &min) && min == 0)
      return true;
  }
  return false;
}

/// The same by the prover, from the ranges of the loops and the conditions around.
static bool inside_by_proof(const RlxTirAnalysis *a, const RlxTirAccess *x, int d,
                            const RlxPrim *size) {
  RlxStore *store = a->store;
  RlxFacts facts[FACTS_MAX];
  int count = 0;
  for (int i = 0; i < x->loop_count && count + 2 <= FACTS_MAX; i++) {
    const RlxLoopRange *r = &x->loops[i].range;
    const RlxPrim *var = rlx_prim_var(store, r->var);
    if (!r->min || !r->extent) continue;
    const RlxPrim *end = rlx_prim_add(store, r->min, r->extent);
    facts[count++].condition = rlx_prim_binary(store, RLX_PRIM_LE, r->min, var);
    facts[count++].condition = rlx_prim_binary(store, RLX_PRIM_LT, var, end);
  }
  for (int i = 0; i < x->condition_count && count < FACTS_MAX; i++)
    facts[count++].condition = x->conditions[i];
  for (int i = 0; i < count; i++) {
    facts[i].next = i + 1 < count ? &facts[i + 1] : NULL;
    facts[i].origin = NULL;
  }
  const RlxFacts *known = count ? facts : NULL;
  return rlx_prove_less(store, known, x->index[d], size) == RLX_YES &&
         rlx_prove_less_equal(store, known, rlx_prim_int(store, 0), x->index[d]) == RLX_YES;
}

// ---- bounds

/// The index uses a variable that is neither a loop nor in the size: it may be anything.
static bool is_free(const RlxTirAccess *x, int d, const RlxPrim *size) {
  const RlxSymVar *vars[16], *sizes[16];
  int count = 0, size_count = 0;
  rlx_prim_vars(x->index[d], vars, &count, 16);
  rlx_prim_vars(size, sizes, &size_count, 16);
  for (int i = 0; i < count; i++) {
    bool is_known = false;
    for (int k = 0; k < x->loop_count && !is_known; k++)
      is_known = x->loops[k].range.var == vars[i];
    for (int k = 0; k < size_count && !is_known; k++) is_known = sizes[k] == vars[i];
    if (!is_known) return true;
  }
  return false;
}

static const RlxPrim *outside(RlxTirJoint *j, const RlxTirCopy *c, int d, const RlxPrim *size) {
  RlxStore *store = j->a->store;
  const RlxPrim *index = rlx_tir_copy_prim(j, c, c->access->index[d]);
  const RlxPrim *low = rlx_prim_binary(store, RLX_PRIM_LT, index, rlx_prim_int(store, 0));
  return rlx_prim_binary(store, RLX_PRIM_OR, low, rlx_prim_binary(store, RLX_PRIM_LE, size, index));
}

static void put_shape(RlxBuf *out, const RlxTirAnalysis *a, const RlxTirBuffer *b) {
  rlx_buf_putc(out, '(');
  for (int d = 0; d < b->ndim; d++) {
    int64_t size;
    if (d) rlx_buf_puts(out, ", ");
    const RlxPrim *length = rlx_tir_integer(a->store, b->shape[d]);
    if (length && rlx_prim_is_const(length, &size)) // whatever its type
      rlx_buf_printf(out, "%lld", (long long)size);
    else
      rlx_tir_expr_print(a->store, b->shape[d], out);
  }
  rlx_buf_puts(out, b->ndim == 1 ? ",)" : ")");
}

/// Does the access leave dimension `d` for all parameters under which it runs?
static bool leaves_always(const RlxTirAnalysis *a, const RlxTirAccess *x, int d,
                          const RlxPrim *size) {
  RlxTirJoint runs = {.a = a, .is_exact = true}, leaves = runs;
  rlx_tir_joint_add(&runs, x, 0, 0, 0);
  RlxTirCopy again = rlx_tir_joint_add(&leaves, x, 0, 0, 1);
  rlx_tir_joint_require(&leaves, outside(&leaves, &again, d, size));
  RlxSystem system, other;
  RlxSetPoint point;
  return rlx_tir_joint_system(&runs, &system) && rlx_tir_joint_system(&leaves, &other) &&
         rlx_sets_find_without(a->store, &system, &other, 1, &point) == RLX_NO;
}

static RlxTirVerdict dimension_in_bounds(const RlxTirAnalysis *a, const RlxTirAccess *x, int d) {
  const RlxPrim *size = rlx_tir_integer(a->store, x->buffer->shape[d]);
  RlxTirVerdict v = {.other = -1, .violates = (uint8_t)(d + 1), .span = x->span};
  if (!size || !x->index[d]) {
    v.is_unknown = true;
    v.reason = rlx_arena_printf(a->arena, "index %d of %s is no integer expression", d + 1,
                                rlx_store_text(a->store, x->buffer->name));
    return v;
  }
  if (inside_by_interval(a, x, d, size) || inside_by_proof(a, x, d, size)) return rlx_tir_holds();
  RlxTirJoint j = {.a = a, .is_exact = true};
  RlxTirCopy c = rlx_tir_joint_add(&j, x, 0, 0, 0);
  rlx_tir_joint_require(&j, outside(&j, &c, d, size));
  RlxSystem system;
  RlxSetPoint point;
  bool is_asked = rlx_tir_joint_system(&j, &system) && !is_free(x, d, size);
  RlxProof found = !is_asked ? RLX_UNKNOWN : rlx_sets_find(a->store, &system, &point);
  if (found == RLX_NO) return rlx_tir_holds();
  if (found == RLX_UNKNOWN || !x->is_exact) {
    v.is_unknown = true;
    v.reason = rlx_arena_printf(a->arena, "whether index %d of %s is in bounds is not decided",
                                d + 1, rlx_store_text(a->store, x->buffer->name));
    return v;
  }
  v.is_unknown = point.count > j.range_count && !leaves_always(a, x, d, size);
  RlxBuf out = {0};
  rlx_tir_put_parameters(&out, &j, &point);
  rlx_tir_put_element(&out, &j, &c, &point);
  rlx_buf_printf(&out, " is %s", x->is_write ? "written" : "read");
  if (x->loop_count) rlx_buf_puts(&out, " at ");
  if (x->loop_count) rlx_tir_put_place(&out, &j, &c, &point, false);
  rlx_buf_puts(&out, ", outside of its shape ");
  put_shape(&out, a, x->buffer);
  v.reason = rlx_arena_strdup(a->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return v;
}

RlxTirVerdict rlx_tir_in_bounds(const RlxTirAnalysis *a, const RlxTirAccess *access) {
  RlxTirVerdict undecided = rlx_tir_holds();
  for (int d = 0; d < access->buffer->ndim && !access->is_opaque; d++) {
    RlxTirVerdict v = dimension_in_bounds(a, access, d);
    if (!v.is && !v.is_unknown) return v;
    if (!v.is && undecided.is) undecided = v;
  }
  return undecided;
}

// ---- initialisation

/// Iterations of the loop run at once, or in an order that others see: what comes before is not
/// told by the text.
static bool is_concurrent_loop(const RlxTirPlaceLoop *loop) {
  return loop->stmt->for_kind != RLX_FOR_SERIAL && loop->stmt->for_kind != RLX_FOR_UNROLLED;
}

static bool is_concurrent(const RlxTirAccess *x, int from) {
  for (int i = from; i < x->loop_count; i++)
    if (is_concurrent_loop(&x->loops[i])) return true;
  return false;
}

/// The write fills its whole buffer, in loops of its own, before the read.
static bool fills_before(const RlxTirAnalysis *a, const RlxTirAccess *w, const RlxTirAccess *y) {
  if (w->order > y->order || w->condition_count || rlx_tir_common_loops(w, y) > y->alloc_depth)
    return false;
  for (int d = 0; d < w->buffer->ndim; d++) {
    const RlxSymVar *var = rlx_prim_as_var(w->index[d]);
    const RlxPrim *size = rlx_tir_integer(a->store, w->buffer->shape[d]);
    bool is_whole = false;
    for (int k = 0; k < d; k++)
      if (w->index[k] == w->index[d]) return false;
    for (int i = y->alloc_depth; i < w->loop_count && var && !is_whole; i++) {
      const RlxLoopRange *r = &w->loops[i].range;
      int64_t min;
      is_whole = r->var == var && r->extent && r->min && rlx_prim_is_const(r->min, &min) &&
                 min == 0 && size && rlx_prove_equal(a->store, NULL, r->extent, size) == RLX_YES;
    }
    if (!is_whole) return false;
  }
  for (int i = y->alloc_depth; i < w->loop_count; i++) { // the other loops run at all
    int64_t extent;
    bool is_index = false;
    for (int d = 0; d < w->buffer->ndim; d++)
      is_index = is_index || rlx_prim_as_var(w->index[d]) == w->loops[i].range.var;
    if (!is_index && !(rlx_prim_is_const(w->loops[i].range.extent, &extent) && extent > 0))
      return false;
  }
  return true;
}

/// The write stands before the read in the same loops and takes the same element.
static bool just_written(const RlxTirAccess *w, const RlxTirAccess *y) {
  if (w->order > y->order || rlx_tir_common_loops(w, y) != w->loop_count || w->condition_count)
    return false;
  for (int d = 0; d < w->buffer->ndim; d++)
    if (w->index[d] != y->index[d]) return false;
  return true;
}

static bool is_among(const RlxPrim *p, const RlxPrim *const *list, int count) {
  for (int i = 0; i < count; i++)
    if (list[i] == p) return true;
  return false;
}

/// Some loop of `loops`, a bit each, occurs in `p`.
static bool uses_loops(const RlxTirAccess *x, uint64_t loops, const RlxPrim *p) {
  const RlxSymVar *vars[16];
  int count = 0;
  if (!p) return true;
  rlx_prim_vars(p, vars, &count, 16);
  if (count == 16) return true;
  for (int v = 0; v < count; v++)
    for (int i = 0; i < x->loop_count; i++)
      if (loops >> i & 1 && x->loops[i].range.var == vars[v]) return true;
  return false;
}

/// The loops of the write that occur in conditions that the read does not have, a bit each: those
/// that say that a reduction begins. 0: none; there are too many.
static uint64_t loops_of_beginning(const RlxTirAccess *w, const RlxTirAccess *y) {
  uint64_t loops = 0;
  for (int i = 0; i < w->loop_count && w->loop_count < 64; i++)
    for (int c = 0; c < w->condition_count; c++)
      if (!is_among(w->conditions[c], y->conditions, y->condition_count) &&
          uses_loops(w, UINT64_C(1) << i, w->conditions[c]))
        loops |= UINT64_C(1) << i;
  return loops;
}

/// The condition holds where `loops` are at their first iteration.
static bool holds_at_first(const RlxTirAnalysis *a, const RlxTirAccess *w, uint64_t loops,
                           const RlxPrim *condition) {
  const RlxSymVar *vars[RLX_TIR_AROUND_MAX];
  const RlxPrim *values[RLX_TIR_AROUND_MAX];
  RlxSubst subst = {vars, values, 0, false};
  int64_t holds;
  for (int i = 0; i < w->loop_count; i++)
    if (loops >> i & 1) {
      vars[subst.count] = w->loops[i].range.var;
      values[subst.count++] = w->loops[i].range.min;
    }
  const RlxPrim *p = rlx_prim_subst(a->store, condition, &subst, NULL);
  return rlx_prim_is_const(rlx_prim_simplify(a->store, p), &holds) && holds;
}

/// The write stands before the read in the same loops, takes the same element, and runs in the
/// first iteration of the loops that its further conditions are about, which the element and all
/// else do not depend on: the init of a reduction.
static bool written_at_beginning(const RlxTirAnalysis *a, const RlxTirAccess *w,
                                 const RlxTirAccess *y) {
  if (w->order > y->order || rlx_tir_common_loops(w, y) != w->loop_count) return false;
  uint64_t loops = loops_of_beginning(w, y);
  for (int d = 0; d < w->buffer->ndim; d++)
    if (w->index[d] != y->index[d] || uses_loops(w, loops, w->index[d])) return false;
  for (int i = 0; i < w->loop_count; i++) {
    const RlxLoopRange *r = &w->loops[i].range;
    if (loops >> i & 1 && is_concurrent_loop(&w->loops[i])) return false;
    if (!r->min || !r->extent || uses_loops(w, loops, r->min) || uses_loops(w, loops, r->extent))
      return false;
  }
  for (int c = 0; c < w->condition_count; c++) {
    bool is_shared = is_among(w->conditions[c], y->conditions, y->condition_count);
    if (is_shared ? uses_loops(w, loops, w->conditions[c])
                  : !holds_at_first(a, w, loops, w->conditions[c]))
      return false;
  }
  return true;
}

/// One write settles the question without sets.
static bool is_written_plainly(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                               const RlxTirAccess *y) {
  for (int i = 0; i < accesses->count; i++) {
    const RlxTirAccess *w = &accesses->at[i];
    if (w->is_write && !w->is_opaque && w->is_exact && w->buffer == y->buffer &&
        (just_written(w, y) || fills_before(a, w, y) || written_at_beginning(a, w, y)))
      return true;
  }
  return false;
}

// ---- single instances

static bool value_at(const RlxSymVar *var, int64_t *out, void *data) {
  return rlx_set_point_value(data, var, out);
}

/// The instance of `x` with the loops of `last` (a bit each, outermost lowest) at their last value,
/// the others at their first. False: there is none, or its values are not known.
static bool corner(const RlxTirAccess *x, uint64_t last, RlxSetPoint *out) {
  int64_t min, extent, holds;
  out->count = 0;
  for (int i = 0; i < x->loop_count; i++) {
    const RlxLoopRange *r = &x->loops[i].range;
    if (!r->min || !r->extent || !r->var || i >= RLX_SET_DIMS_MAX ||
        !rlx_prim_eval(r->min, value_at, out, &min) ||
        !rlx_prim_eval(r->extent, value_at, out, &extent) || extent < 1)
      return false;
    out->vars[i] = r->var;
    out->values[i] = last >> i & 1 ? min + extent - 1 : min;
    out->count = i + 1;
  }
  for (int i = 0; i < x->condition_count; i++)
    if (!rlx_prim_eval(x->conditions[i], value_at, out, &holds) || !holds) return false;
  return true;
}

/// Can the write of `system` have filled the element that the read takes at `point`? With the read
/// held fixed most such questions are settled by arithmetic, and the others are small.
static RlxProof may_have_written(const RlxTirAnalysis *a, const RlxSystem *system,
                                 const RlxSetPoint *point) {
  const RlxPrim *values[RLX_SET_DIMS_MAX], *conditions[2 * RLX_JOINT_MAX];
  RlxLoopRange ranges[RLX_JOINT_MAX];
  for (int i = 0; i < point->count; i++)
    values[i] = rlx_prim_int_typed(a->store, point->values[i], point->vars[i]->dtype);
  const RlxSubst subst = {(const RlxSymVar *const *)point->vars, values, point->count, false};
  RlxSystem fixed = {ranges, system->range_count, conditions, 0, system->work};
  for (int i = 0; i < system->range_count; i++) {
    const RlxLoopRange *r = &system->ranges[i];
    ranges[i] = *r;
    if (r->min) ranges[i].min = rlx_prim_subst(a->store, r->min, &subst, NULL);
    if (r->extent) ranges[i].extent = rlx_prim_subst(a->store, r->extent, &subst, NULL);
  }
  for (int i = 0; i < system->condition_count; i++) {
    const RlxPrim *p = rlx_prim_subst(a->store, system->conditions[i], &subst, NULL);
    int64_t holds;
    p = rlx_prim_simplify(a->store, p);
    if (!rlx_prim_is_const(p, &holds))
      conditions[fixed.condition_count++] = p;
    else if (!holds)
      return RLX_NO;
  }
  RlxSetPoint found;
  return rlx_sets_find(a->store, &fixed, &found);
}

/// Was the element that the read takes at `point` surely not written before?
static bool is_unwritten_at(const RlxTirAnalysis *a, const RlxTirReadWrites *w,
                            const RlxSetPoint *point) {
  for (int i = 0; i < w->count; i++)
    if (may_have_written(a, &w->systems[i], point) != RLX_NO) return false;
  return true;
}

/// Is an instance of the read, in a corner of its loops, run before anything wrote what it takes?
/// Corners: all loops at their first value; one at its last; from one on at their last.
static bool is_corner_unwritten(const RlxTirAnalysis *a, const RlxTirReadWrites *w,
                                const RlxTirAccess *read, RlxSetPoint *out) {
  int n = read->loop_count;
  if (!read->is_exact || n > CORNER_LOOPS_MAX) return false;
  if (corner(read, 0, out) && is_unwritten_at(a, w, out)) return true;
  for (int i = n - 1; i >= 0; i--) {
    uint64_t one = UINT64_C(1) << i, inner = (UINT64_C(1) << n) - one;
    if (corner(read, one, out) && is_unwritten_at(a, w, out)) return true;
    if (inner != one && corner(read, inner, out) && is_unwritten_at(a, w, out)) return true;
  }
  return false;
}

// ---- what the regions of blocks prove

/// What the script declares of the buffer, if anything, is what the body does.
static bool is_told_truly(const RlxTirBoxes *told, const RlxTirBoxes *deduced,
                          const RlxTirBuffer *buffer) {
  const RlxTirBox *x = rlx_tir_box_of(told, buffer), *y = rlx_tir_box_of(deduced, buffer);
  if (!x || !y) return false;
  for (int d = 0; d < buffer->ndim; d++)
    if (x->begin[d] != y->begin[d] || x->extent[d] != y->extent[d]) return false;
  return true;
}

static bool is_in_threads(const RlxTirAccess *x) {
  for (int i = 0; i < x->loop_count; i++)
    if (x->loops[i].stmt->for_kind == RLX_FOR_THREAD_BINDING) return true;
  return false;
}

/// A block around the read is covered by blocks that write the buffer before it in the same scope.
/// Regions that the script declares count where they say what is deduced.
static bool is_covered_by_regions(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                  const RlxTirAccess *y) {
  for (int b = y->block; b >= 0 && a->blocks[b].scope >= 0; b = a->blocks[b].scope) {
    const RlxTirBlockInfo *block = &a->blocks[b];
    bool is_produced = false;
    if (!block->region_cover.is || !is_told_truly(&block->reads, &block->deduced_reads, y->buffer))
      continue;
    for (int i = 0; i < accesses->count; i++) {
      const RlxTirAccess *w = &accesses->at[i];
      if (!w->is_write || w->buffer != y->buffer || w->order > y->order) continue;
      int child = rlx_tir_child_of(a, w, block->scope);
      if (child == b || child < 0) continue;
      const RlxTirBlockInfo *writer = &a->blocks[child];
      if (is_in_threads(w) || !is_told_truly(&writer->writes, &writer->deduced_writes, y->buffer))
        return false;
      is_produced = true;
    }
    if (is_produced) return true;
  }
  return false;
}

RlxTirVerdict rlx_tir_reads_written(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                    const RlxTirAccess *read) {
  RlxTirVerdict v = {.other = -1, .violates = 1, .span = read->span, .is_unknown = true};
  const RlxTirBuffer *b = read->buffer;
  if (read->is_write || read->is_opaque || !read->is_allocated ||
      is_written_plainly(a, accesses, read) || is_covered_by_regions(a, accesses, read))
    return rlx_tir_holds();
  v.reason = rlx_arena_printf(a->arena, "whether what is read of %s was written is not decided",
                              rlx_store_text(a->store, b->name));
  int depth = read->alloc_depth;
  RlxTirReadWrites writes;
  rlx_tir_read_writes_begin(&writes, a, read, WRITES_MAX);
  writes.is_whole = !accesses->is_cut && !is_concurrent(read, depth);
  for (int i = 0; i < accesses->count; i++) {
    const RlxTirAccess *w = &accesses->at[i];
    if (!w->is_write || w->buffer != b) continue;
    if (!w->is_exact || is_concurrent(w, depth))
      writes.is_whole = false;
    else
      rlx_tir_read_writes_add(&writes, w, depth);
  }
  RlxTirJoint *j = writes.read;
  RlxSystem system;
  RlxSetPoint point;
  if (!rlx_tir_joint_system(j, &system) || !writes.is_whole) return v;
  RlxProof found =
      is_corner_unwritten(a, &writes, read, &point)
          ? RLX_YES
          : rlx_sets_find_without(a->store, &system, writes.systems, writes.count, &point);
  if (found == RLX_NO) return rlx_tir_holds();
  if (found != RLX_YES || !read->is_exact || point.count > j->range_count) return v;
  RlxBuf out = {0};
  rlx_tir_put_element(&out, j, &writes.copy, &point);
  rlx_buf_puts(&out, " is read");
  if (read->loop_count) rlx_buf_puts(&out, " at ");
  if (read->loop_count) rlx_tir_put_place(&out, j, &writes.copy, &point, false);
  rlx_buf_puts(&out, ", and nothing has written it before");
  v.is_unknown = false;
  v.reason = rlx_arena_strdup(a->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return v;
}
