/// read_at, write_at: what the blocks under one loop read or write of a buffer goes through a buffer of
/// the same shape in another storage scope; one block copies it, before the first reader or after the
/// last writer of each iteration.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/read_write_at.cc. Differs: refused where the copy
/// would take or give elements that nobody wrote, or that lie outside of the buffer, and where
/// iterations that run at once would share it (docs/differences.md).
#include "analyzer/schedule/domain.h"
#include "analyzer/tir/loops.h"
#include "analyzer/tir/sets.h"

#include <stdio.h>

typedef struct At {
  RlxScheduleCall *c;
  const RlxTirAnalysis *a;
  bool is_read;
  const RlxTirStmt *block; ///< whose buffer it is
  const RlxTirLoopInfo *loop;
  const RlxTirBlockInfo *scope;
  RlxTirBuffer *from, *to; ///< the buffer, and the one in its place
  RlxTirBox box;           ///< what is copied, over the loops from `loop` up
  int box_count;           ///< blocks it comes from
  const RlxTirBlockInfo *last;
  bool reads, writes, is_outside; ///< of the statement that is looked at
  bool is_conditional;            ///< it has more in it than loops and blocks
  RlxTirExpr **begin, **extent;
  RlxTirExpr
      *runs; ///< the condition for the copy back to have something to copy; NULL: it always has
} At;

static bool refuse(At *x, const char *why) {
  return rlx_schedule_refuse(x->c, RLX_DIAG_ID(SCHEDULE_CACHE), x->block, "ss",
                             rlx_schedule_block_name(x->c, x->block), why);
}

// ---- what the blocks under the loop touch

static void add_region(At *x, const RlxTirBlockInfo *b, const RlxTirBox *box) {
  RlxStore *store = x->a->store;
  RlxTirBox own = *box;
  own.buffer = x->to; // its storage scope tells which threads share it
  RlxTirBox unbound = rlx_tir_box_unbind(x->a, b, &own);
  RlxTirBox reach = rlx_tir_box_relax(x->a, b, &unbound, x->loop->index);
  x->last = b;
  if (!x->box_count++) {
    x->box = reach;
    return;
  }
  x->box.is_exact = false;
  for (int d = 0; d < x->to->ndim; d++) {
    const RlxPrim *end = rlx_prim_add(store, x->box.begin[d], x->box.extent[d]),
                  *other = rlx_prim_add(store, reach.begin[d], reach.extent[d]);
    const RlxPrim *low = rlx_prim_binary(store, RLX_PRIM_MIN, x->box.begin[d], reach.begin[d]);
    end = rlx_prim_binary(store, RLX_PRIM_MAX, end, other);
    x->box.begin[d] = rlx_prim_simplify(store, low);
    x->box.extent[d] = rlx_prim_simplify(store, rlx_prim_sub(store, end, low));
  }
}

static bool look_at_expr(const RlxTirExpr *e, void *data) {
  At *x = data;
  x->is_outside |= e->kind == RLX_TIR_LOAD && e->buffer == x->from;
  return true;
}

static bool look_at(const RlxTirStmt *s, void *data) {
  At *x = data;
  x->is_outside |= s->kind == RLX_TIR_STORE && s->buffer == x->from;
  x->is_conditional |= s->kind != RLX_TIR_BLOCK && s->kind != RLX_TIR_FOR && s->kind != RLX_TIR_SEQ;
  if (s->kind != RLX_TIR_BLOCK) return true;
  for (int i = 0; i < s->block->iter_count; i++)
    rlx_tir_visit_expr(s->block->iters[i].binding, look_at_expr, x);
  if (s->block->predicate) rlx_tir_visit_expr(s->block->predicate, look_at_expr, x);
  const RlxTirBlockInfo *b = rlx_tir_block_info(x->a, s);
  const RlxTirBox *reads = rlx_tir_box_of(&b->reads, x->from),
                  *writes = rlx_tir_box_of(&b->writes, x->from);
  x->reads |= reads != NULL;
  x->writes |= writes != NULL;
  if (x->is_read ? reads != NULL : writes != NULL) add_region(x, b, x->is_read ? reads : writes);
  return false;
}

/// The statements in the loop's body.
static RlxTirStmt *const *statements(const At *x, int *count) {
  const RlxTirStmt *loop = x->loop->stmt;
  bool is_sequence = loop->body[0]->kind == RLX_TIR_SEQ;
  *count = is_sequence ? (int)loop->body[0]->count : 1;
  return is_sequence ? loop->body[0]->body : loop->body;
}

/// Where the copy stands among the statements of the loop; -1: refused.
static int find_position(At *x) {
  int count, first_read = -1, last_read = -1, last_write = -1, readers = 0;
  bool is_conditional = false;
  RlxTirStmt *const *all = statements(x, &count);
  for (int i = 0; i < count; i++) {
    x->reads = x->writes = x->is_conditional = false;
    rlx_tir_visit(all[i], look_at, look_at_expr, x);
    if (x->reads) last_read = i;
    if (x->reads && first_read < 0) first_read = i;
    if (x->writes) last_write = i;
    readers += x->reads;
    is_conditional |= x->writes && x->is_conditional;
  }
  const char *why = NULL;
  if (x->is_outside || rlx_schedule_is_opaque(x->loop->stmt, x->from) ||
      rlx_schedule_is_aliased(x->loop->stmt, x->from))
    why = "under the loop the buffer is used other than by loads and stores of blocks";
  else if (x->is_read && first_read < 0)
    why = "no block under the loop reads the buffer";
  else if (!x->is_read && last_write < 0)
    why = "no block under the loop writes the buffer";
  else if (x->is_read && last_write >= first_read)
    why = "a block under the loop writes the buffer after it is read";
  else if (!x->is_read && last_read > last_write)
    why = "a block under the loop reads the buffer after it is written";
  else if (!x->is_read && readers > (last_read == last_write))
    why = "another block under the loop reads the buffer";
  else if (!x->is_read && is_conditional)
    why = "it is written under a condition";
  if (!why) return x->is_read ? first_read : last_write + 1;
  refuse(x, why);
  return -1;
}

// ---- does the copy keep the values?

static bool is_written_in_scope(const At *x) {
  for (int i = 0; i < x->scope->child_count; i++)
    if (rlx_tir_box_of(&x->a->blocks[x->scope->children[i]].writes, x->from)) return true;
  return false;
}

/// A loop from `loop` up whose iterations run at once would let them share the copy.
static bool check_loops(At *x) {
  bool is_written = is_written_in_scope(x);
  for (int l = x->loop->index; l >= 0; l = x->a->loops[l].parent) {
    uint8_t kind = x->a->loops[l].stmt->for_kind;
    bool is_serial = kind == RLX_FOR_SERIAL || kind == RLX_FOR_UNROLLED;
    bool is_fine = is_serial || (kind == RLX_FOR_THREAD_BINDING && !(x->is_read && is_written)) ||
                   (kind == RLX_FOR_PARALLEL && !x->is_read);
    if (!is_fine)
      return refuse(x, "iterations of a loop around it run at once, and would share the copy");
  }
  return true;
}

static bool stays_inside(const At *x) {
  RlxStore *store = x->a->store;
  const RlxFacts *facts = NULL;
  for (int l = x->loop->index; l >= 0; l = x->a->loops[l].parent) {
    const RlxTirLoopInfo *loop = &x->a->loops[l];
    if (loop->min && loop->extent)
      facts = rlx_schedule_range_facts(x->c, loop->symbol, loop->min, loop->extent, facts);
  }
  if (x->scope->stmt) facts = rlx_schedule_domain_facts(x->c, facts, x->scope->block);
  for (int d = 0; d < x->to->ndim; d++) {
    const RlxPrim *begin = x->box.begin[d], *size = rlx_tir_integer(store, x->to->shape[d]);
    if (!size) return false;
    const RlxPrim *end = rlx_prim_add(store, begin, x->box.extent[d]);
    if (rlx_prove_less_equal(store, facts, rlx_prim_int_typed(store, 0, begin->dtype), begin) !=
            RLX_YES ||
        rlx_prove_less_equal(store, facts, end, size) != RLX_YES)
      return false;
  }
  return true;
}

/// Does the copy of dimension `d` begin before the buffer, or end behind it? As a condition.
static const RlxPrim *leaves(const At *x, int d) {
  RlxStore *store = x->a->store;
  const RlxPrim *begin = x->box.begin[d], *size = rlx_tir_integer(store, x->to->shape[d]);
  if (!size) return NULL;
  const RlxPrim *end = rlx_prim_add(store, begin, x->box.extent[d]),
                *before = rlx_prim_binary(store, RLX_PRIM_LT, begin,
                                          rlx_prim_int_typed(store, 0, begin->dtype));
  return rlx_prim_binary(store, RLX_PRIM_OR, before,
                         rlx_prim_binary(store, RLX_PRIM_LT, size, end));
}

static bool note_branch(const RlxTirStmt *s, void *data) {
  bool *found = data;
  *found |= s->kind == RLX_TIR_IF || s->kind == RLX_TIR_WHILE;
  return !*found;
}

static bool value_at(const RlxSymVar *var, int64_t *out, void *point) {
  return rlx_set_point_value(point, var, out);
}

/// "where (i, j) = (2, 1) the copy reaches index 11 in dimension 1 of A, whose extent is 10", in the
/// schedule's arena.
static const char *describe_outside(const At *x, int d, const RlxLoopRange *ranges,
                                    RlxSetPoint *point) {
  RlxStore *store = x->a->store;
  int64_t begin = 0, extent = 0, size = 0;
  RlxBuf names = {0}, values = {0};
  for (int i = 0; i < point->count; i++) {
    int64_t value = 0;
    rlx_set_point_value(point, ranges[i].var, &value);
    rlx_buf_printf(&names, "%s%s", i ? ", " : "", rlx_store_text(store, ranges[i].var->name));
    rlx_buf_printf(&values, "%s%lld", i ? ", " : "", (long long)value);
  }
  const char *out = NULL, *open = point->count > 1 ? "(" : "", *close = point->count > 1 ? ")" : "";
  if (rlx_prim_eval(x->box.begin[d], value_at, point, &begin) &&
      rlx_prim_eval(x->box.extent[d], value_at, point, &extent) &&
      rlx_prim_eval(rlx_tir_integer(store, x->to->shape[d]), value_at, point, &size))
    out = rlx_arena_printf(x->c->s->arena,
                           "where %s%s%s = %s%s%s the copy reaches index %lld in dimension %d of "
                           "%s, whose extent is %lld",
                           open, rlx_buf_text(&names), close, open, rlx_buf_text(&values), close,
                           (long long)(begin < 0 ? begin : begin + extent - 1), d + 1,
                           rlx_store_text(store, x->from->name), (long long)size);
  rlx_buf_free(&names);
  rlx_buf_free(&values);
  return out;
}

/// The first iteration of the loops in which the copy leaves the buffer, in words; NULL: none is
/// known. Only where the loops alone say what is copied, and all their iterations run.
static const char *first_outside(const At *x) {
  enum { LOOPS_MAX = 16 };
  RlxLoopRange ranges[LOOPS_MAX];
  int count = 0;
  bool may_not_run = x->scope->stmt != NULL;
  for (int l = x->loop->index; l >= 0; l = x->a->loops[l].parent) {
    const RlxTirLoopInfo *loop = &x->a->loops[l];
    if (count == LOOPS_MAX || !loop->min || !loop->extent) return NULL;
    ranges[count++] = (RlxLoopRange){loop->symbol, loop->min, loop->extent};
  }
  if (!may_not_run) rlx_tir_visit(x->c->f->body, note_branch, NULL, &may_not_run);
  if (may_not_run) return NULL;
  // The outermost first: the smallest point is the first in time.
  for (int i = 0; i < count / 2; i++) {
    RlxLoopRange range = ranges[i];
    ranges[i] = ranges[count - 1 - i];
    ranges[count - 1 - i] = range;
  }
  for (int d = 0; d < x->to->ndim; d++) {
    const RlxPrim *condition = leaves(x, d);
    RlxSystem system = {
        .ranges = ranges, .range_count = count, .conditions = &condition, .condition_count = 1};
    RlxSetPoint at;
    if (!condition || rlx_sets_find(x->a->store, &system, &at) != RLX_YES || at.count != count)
      continue;
    return describe_outside(x, d, ranges, &at);
  }
  return NULL;
}

static bool refuse_outside(At *x, const char *otherwise) {
  const char *witness = first_outside(x);
  refuse(x, witness ? witness : otherwise);
  rlx_schedule_witness(x->c, witness);
  return false;
}

/// Does the predicate of the writer tell iterations of the loops from `loop` up in which it does nothing?
static bool has_idle_iterations(const At *x) {
  for (int l = x->loop->index; l >= 0; l = x->a->loops[l].parent)
    if (rlx_schedule_uses(x->last->block->predicate, x->a->loops[l].stmt->var)) return true;
  return false;
}

static bool writes_all(const At *x) {
  RlxTirBox box = x->box;
  box.buffer = x->from; // of which `last` is a writer
  return rlx_tir_writes_all(x->a, rlx_schedule_accesses(x->c), x->last, &box, x->loop->index);
}

static bool check_values(At *x) {
  const RlxTirStmt *scope = x->scope->stmt;
  const RlxTirBlockInfo *writer = NULL;
  if (!check_loops(x)) return false;
  if (x->is_read)
    return stays_inside(x) ||
           refuse_outside(x, "the copy is not shown to stay inside of the buffer");
  if (!rlx_schedule_only_writer(x->c, x->scope, x->from, &writer)) return false;
  if (scope && scope->init && rlx_schedule_touches(scope->init, x->from))
    return refuse(x,
                  "the init of the block around writes the buffer, and would not write the copy");
  static const char *const too_much =
      "the copy back would also write elements that it does not write";
  if (!stays_inside(x)) return refuse_outside(x, too_much);
  const char *old = rlx_schedule_keeps_old(x->c, x->last, x->from, false);
  if (old) return refuse(x, old);
  x->box.is_exact &= x->box_count == 1 && !has_idle_iterations(x);
  return writes_all(x) || refuse(x, too_much);
}

// ---- the copy

typedef struct Vars {
  At *x;
  const RlxTirVar **loops;
  int count;
} Vars;

/// The loops that the region mentions, in the order in which it does.
static bool collect_loop(const RlxTirExpr *e, void *data) {
  Vars *v = data;
  if (e->kind != RLX_TIR_VAR) return true;
  for (int i = 0; i < v->count; i++)
    if (v->loops[i] == e->var) return true;
  for (int l = v->x->loop->index; l >= 0; l = v->x->a->loops[l].parent)
    if (v->x->a->loops[l].stmt->var == e->var) v->loops[v->count++] = e->var;
  return true;
}

static bool spell_region(At *x) {
  RlxPrimFunc *f = x->c->f;
  RlxScheduleVars vars = {.c = x->c};
  int ndim = x->to->ndim;
  bool ok = true;
  const RlxTirBlock *b = x->last->block;
  const RlxTirRegion *stated = x->is_read ? b->reads : b->writes;
  while (stated->buffer != x->from) stated++; // its indices are as wide as those of the copy
  rlx_schedule_vars_all(&vars);
  x->begin = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  x->extent = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  for (int d = 0; d < ndim && ok; d++) {
    x->begin[d] = rlx_schedule_expr(&vars, x->box.begin[d]);
    x->extent[d] = rlx_schedule_expr(&vars, x->box.extent[d]);
    ok = x->begin[d] && x->extent[d];
    RlxDType dtype = stated->begin[d]->dtype;
    for (int i = 0; ok && i < 2; i++) {
      RlxTirExpr **e = i ? &x->extent[d] : &x->begin[d];
      if ((*e)->kind == RLX_TIR_INT) *e = rlx_tir_int(f, (*e)->integer, dtype);
    }
  }
  rlx_schedule_vars_free(&vars);
  return ok || refuse(x, "a bound has no spelling in TensorIR");
}

static RlxName numbered(const At *x, const char *base, int i) {
  char name[32];
  snprintf(name, sizeof name, "%s%d", base, i);
  return rlx_intern_text(rlx_store_names(x->a->store), name);
}

static RlxTirStmt *make_copy(At *x) {
  RlxPrimFunc *f = x->c->f;
  int ndim = x->to->ndim;
  Vars v = {.x = x, .loops = rlx_arena_array(f->arena, const RlxTirVar *, x->loop->depth + 2)};
  for (int d = 0; d < ndim; d++) {
    rlx_tir_visit_expr(x->begin[d], collect_loop, &v);
    rlx_tir_visit_expr(x->extent[d], collect_loop, &v);
  }
  RlxTirIterVar *iters = rlx_arena_array(f->arena, RlxTirIterVar, v.count + 1);
  RlxTirSubst *put = rlx_arena_array(f->arena, RlxTirSubst, v.count + 1);
  for (int i = 0; i < v.count; i++) {
    const RlxTirStmt *loop = NULL;
    for (int l = x->loop->index; l >= 0; l = x->a->loops[l].parent)
      if (x->a->loops[l].stmt->var == v.loops[i]) loop = x->a->loops[l].stmt;
    RlxTirVar *var = rlx_tir_var(f, numbered(x, "v", i), loop->var->dtype);
    iters[i] = (RlxTirIterVar){.var = var,
                               .min = loop->min,
                               .extent = loop->extent,
                               .binding = rlx_tir_var_expr(f, loop->var),
                               .type = RLX_ITER_DATA_PAR};
    put[i] = (RlxTirSubst){loop->var, rlx_tir_var_expr(f, var)};
  }
  RlxTirVar **axes = rlx_arena_array(f->arena, RlxTirVar *, ndim + 1);
  RlxTirExpr **at = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  for (int d = 0; d < ndim; d++) {
    x->begin[d] = rlx_tir_subst(f, x->begin[d], put, v.count);
    x->extent[d] = rlx_tir_subst(f, x->extent[d], put, v.count);
    axes[d] = rlx_tir_var(f, numbered(x, "ax", d), x->begin[d]->dtype);
    RlxTirExpr *axis = rlx_tir_var_expr(f, axes[d]);
    bool is_zero = x->begin[d]->kind == RLX_TIR_INT && x->begin[d]->integer == 0;
    at[d] = is_zero ? axis : rlx_tir_binary(f, RLX_TIR_ADD, x->begin[d], axis);
  }
  RlxTirBuffer *source = x->is_read ? x->from : x->to, *target = x->is_read ? x->to : x->from;
  RlxTirStmt *body = rlx_tir_store(f, target, at, rlx_tir_load(f, source, at));
  for (int d = ndim - 1; d >= 0; d--)
    body = rlx_tir_for(f, axes[d], x->extent[d], RLX_FOR_SERIAL, body);
  RlxTirStmt *out = rlx_tir_block(f, x->to->name, iters, v.count, NULL, body);
  RlxTirBlock *b = out->block;
  b->reads = rlx_arena_one(f->arena, RlxTirRegion);
  b->writes = rlx_arena_one(f->arena, RlxTirRegion);
  b->reads[0] = (RlxTirRegion){.buffer = source, .begin = x->begin, .extent = x->extent};
  b->writes[0] = (RlxTirRegion){.buffer = target, .begin = x->begin, .extent = x->extent};
  b->read_count = b->write_count = 1;
  b->annotations = rlx_arena_one(f->arena, RlxTirAnnotation);
  b->annotations[0] = (RlxTirAnnotation){
      .key = rlx_intern_text(rlx_store_names(x->a->store), "auto_copy"), .words = "True"};
  b->annotation_count = 1;
  b->predicate = x->runs;
  return out;
}

/// The loop with the copy at `position`; the statements from there on (or up to there) use it.
static void finish(At *x, int position) {
  RlxScheduleCall *c = x->c;
  const RlxTirStmt *scope = x->scope->stmt;
  RlxTirStmt *copy = make_copy(x);
  int count, n = 0;
  RlxTirStmt *const *was = statements(x, &count);
  RlxTirStmt **all = rlx_arena_array(c->f->arena, RlxTirStmt *, count + 1);
  RlxScheduleSwap swap = {.c = c, .from = x->from, .to = x->to, .data = x};
  for (int i = 0; i <= count; i++) {
    if (i == position) all[n++] = copy;
    if (i == count) break;
    bool is_swapped = x->is_read ? i >= position : i < position;
    all[n++] = is_swapped ? rlx_schedule_swap(&swap, was[i]) : was[i];
  }
  RlxTirStmt *loop = rlx_tir_copy(c->f, x->loop->stmt);
  loop->body[0] = rlx_tir_seq(c->f, all, n);
  rlx_schedule_replace(c, x->loop->stmt, loop);
  rlx_schedule_change_alloc(c, scope, NULL, x->to);
  rlx_schedule_give(c, copy);
}

static bool run(RlxScheduleCall *c, bool is_read) {
  RlxSchedulePlace place;
  const RlxTirStmt *loop = NULL;
  const char *storage = rlx_schedule_text(c, 3);
  At x = {.c = c, .is_read = is_read};
  if (!rlx_schedule_loop(c, 0, &loop) || !rlx_schedule_block(c, 1, &place)) return false;
  x.block = place.stmt;
  if (!place.stmt) return refuse(&x, "it is the root block");
  if (!rlx_schedule_check_scope_name(c, storage) ||
      !rlx_schedule_buffer(c, 2, place.stmt, !is_read, &x.from, NULL))
    return false;
  x.a = rlx_schedule_analysis(c);
  x.loop = rlx_schedule_loop_info(c, loop);
  x.scope = &x.a->blocks[x.loop->scope];
  if (!x.scope->stage_pipeline.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_CACHE), x.block,
                                       &x.scope->stage_pipeline);
  RlxInterner *names = rlx_store_names(x.a->store);
  const char *name =
      rlx_arena_printf(c->s->arena, "%s_%s", rlx_store_text(x.a->store, x.from->name), storage);
  x.to = rlx_schedule_buffer_like(c, x.from, rlx_intern_text(names, name), x.from->shape,
                                  x.from->ndim, rlx_intern_text(names, storage));
  int position = find_position(&x);
  if (position < 0 || !check_values(&x) || !spell_region(&x)) return false;
  const RlxScheduleCopyBack back = {x.last, x.from, x.loop->index, x.extent, x.from->ndim};
  if (!is_read && !rlx_schedule_writes_where(c, &back, &x.runs))
    return refuse(&x, "whether it runs at all is not told where the copy back stands");
  finish(&x, position);
  return true;
}

bool rlx_primitive_read_at(RlxScheduleCall *c) { return run(c, true); }
bool rlx_primitive_write_at(RlxScheduleCall *c) { return run(c, false); }
