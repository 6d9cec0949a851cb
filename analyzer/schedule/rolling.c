/// rolling_buffer: a buffer of which neighbouring tiles share a part keeps only what the next tile
/// needs, used in a circle, and what the tile before has computed is not computed again.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/rolling_buffer.cc. TVM does not ask whether what is
/// kept is what a reader takes; here the accesses are followed one by one, and the step is refused
/// where that would take too long.
#include "analyzer/schedule/schedule_impl.h"

#include <string.h>

#include "base/hash.h"

enum { ACCESSES_MAX = 4000000, ELEMENTS_MAX = 16000000 };

typedef struct Rolling {
  RlxScheduleCall *c;
  RlxStore *store;
  RlxArena *arena;
  const RlxTirBlockInfo *block, *scope;
  RlxTirBuffer *buffer, *now;
  int loop;                ///< innermost one around the block and all readers
  int axis;                ///< of the buffer, in a circle
  RlxTirExpr *size;        ///< of the circle
  const RlxTirStmt **vars; ///< by dimension: the loop over whose iterations it overlaps, or NULL
  int64_t *overlaps;
  const RlxTirStmt *tiles; ///< the outermost of `vars`
  RlxTirExpr *predicate;   ///< of the block from now on
} Rolling;

static bool refuse(Rolling *r, const char *why) {
  const RlxTirStmt *about = r->block ? r->block->stmt : NULL;
  return rlx_schedule_refuse(r->c, RLX_DIAG_ID(SCHEDULE_CACHE), about, "ss",
                             rlx_schedule_block_name(r->c, about), why);
}

// ---- which dimension

static bool check_dependencies(Rolling *r) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(r->c);
  if (r->block->output_block.is) return refuse(r, "it is an output block of its scope");
  bool has_reader = false;
  RlxTirDependencyWalk walk = rlx_tir_dependencies(r->block->index);
  RlxTirDependency d;
  while (rlx_tir_next_dependency(a, &walk, &d)) {
    if (d.kind != RLX_DEPENDENCY_RAW)
      return refuse(r, "another block of the scope writes or overwrites what it uses");
    if (d.src != r->block->index) continue;
    int common = rlx_tir_common_loop(a, d.src, d.dst);
    if (common < 0) return refuse(r, "it has no loop in common with a reader");
    if (!has_reader || a->loops[common].depth < a->loops[r->loop].depth) r->loop = common;
    has_reader = true;
  }
  if (!has_reader) return refuse(r, "nobody in the scope reads what it writes");
  for (int l = 0; l < r->block->loop_count; l++) {
    uint8_t kind = a->loops[r->block->loops[l]].stmt->for_kind;
    if (kind != RLX_FOR_SERIAL && kind != RLX_FOR_UNROLLED)
      return refuse(r, "a loop around it does not run one iteration after another");
  }
  return true;
}

static const RlxTirStmt *loop_of(Rolling *r, const RlxTirExpr *e) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(r->c);
  for (int l = 0; e->kind == RLX_TIR_VAR && l < r->block->loop_count; l++)
    if (a->loops[r->block->loops[l]].stmt->var == e->var) return a->loops[r->block->loops[l]].stmt;
  return NULL;
}

/// `i`, `i * 4` or `i * 4 // 2`: the loop, and how far apart neighbouring iterations begin. A number:
/// none. False: something else.
static bool read_begin(Rolling *r, const RlxTirExpr *e, const RlxTirStmt **loop, int64_t *stride) {
  int64_t by = 1;
  *loop = NULL;
  if (e->kind == RLX_TIR_INT) return true;
  if (e->kind == RLX_TIR_FLOORDIV && e->args[1]->kind == RLX_TIR_INT && e->args[1]->integer > 0) {
    by = e->args[1]->integer;
    e = e->args[0];
    if (e->kind != RLX_TIR_MUL) return false;
  }
  *stride = 1;
  if (e->kind == RLX_TIR_MUL && e->args[1]->kind == RLX_TIR_INT) {
    *stride = e->args[1]->integer;
    e = e->args[0];
  }
  *stride = (*stride + by - 1) / by;
  *loop = loop_of(r, e);
  return *loop != NULL;
}

static bool find_axis(Rolling *r) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(r->c);
  const RlxTirBox *own = rlx_tir_box_of(&r->block->writes, r->buffer);
  RlxTirBlockInfo whole = *r->block; // a condition cuts the last tile, not the circle
  whole.predicate = NULL;
  RlxTirBox over = rlx_tir_box_unbind(a, &whole, own);
  RlxTirBox box = rlx_tir_box_relax(a, &whole, &over, r->loop);
  RlxScheduleVars known = {.c = r->c};
  rlx_schedule_vars_all(&known);
  int ndim = r->buffer->ndim;
  RlxTirExpr **extents = rlx_arena_array(r->arena, RlxTirExpr *, ndim + 1);
  r->vars = rlx_arena_array(r->arena, const RlxTirStmt *, ndim + 1);
  r->overlaps = rlx_arena_array(r->arena, int64_t, ndim + 1);
  bool ok = true;
  for (int d = 0; ok && d < ndim; d++) {
    RlxTirExpr *begin = rlx_schedule_expr(&known, box.begin[d]);
    extents[d] = rlx_schedule_expr(&known, box.extent[d]);
    int64_t stride = 0;
    ok = begin && extents[d] && read_begin(r, begin, &r->vars[d], &stride);
    if (!ok || !r->vars[d]) continue;
    ok = extents[d]->kind == RLX_TIR_INT;
    r->overlaps[d] = ok ? extents[d]->integer - stride : 0;
    if (r->overlaps[d] <= 0) r->vars[d] = NULL;
  }
  rlx_schedule_vars_free(&known);
  r->axis = -1;
  for (int l = 0; ok && r->axis < 0 && l < r->block->loop_count; l++)
    for (int d = ndim - 1; d >= 0; d--)
      if (r->vars[d] == a->loops[r->block->loops[l]].stmt) r->axis = d;
  if (r->axis < 0)
    return refuse(r, "no dimension of what it writes begins at `loop * stride` and is longer than "
                     "the stride, so that neighbouring tiles share a part");
  r->size = rlx_tir_int(r->c->f, extents[r->axis]->integer, r->buffer->shape[r->axis]->dtype);
  for (int l = 0; !r->tiles && l < r->block->loop_count; l++)
    for (int d = 0; d < ndim; d++)
      if (r->vars[d] == a->loops[r->block->loops[l]].stmt) r->tiles = r->vars[d];
  return true;
}

// ---- is an element the same value in each tile?

static bool uses_tile(const Rolling *r, const RlxTirExpr *e) {
  for (int d = 0; d < r->buffer->ndim; d++)
    if (r->vars[d] && rlx_schedule_uses(e, r->vars[d]->var)) return true;
  return false;
}

/// A variable in the body of a block that a loop around gives, which none of its own variables tells.
static bool mentions_loop(const Rolling *r, const RlxTirBlockInfo *b) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(r->c);
  for (int l = 0; l < b->loop_count; l++) {
    const RlxTirVar *var = a->loops[b->loops[l]].stmt->var;
    if (rlx_tir_mentions(b->stmt->body[0], var) ||
        (b->stmt->init && rlx_tir_mentions(b->stmt->init, var)))
      return true;
  }
  return false;
}

/// Does a sum go on from tile to tile?
static bool reduces_over_tiles(const Rolling *r, const RlxTirBlockInfo *b) {
  for (int i = 0; i < b->iter_count; i++)
    if (b->block->iters[i].type == RLX_ITER_REDUCE && uses_tile(r, b->block->iters[i].binding))
      return true;
  return false;
}

/// Is `var` one of the indices, so that an element tells its value?
static bool is_index(const RlxTirStmt *store, const RlxTirVar *var) {
  for (int d = 0; d < store->buffer->ndim; d++)
    if (store->indices[d]->kind == RLX_TIR_VAR && store->indices[d]->var == var) return true;
  return false;
}

/// Does block `b`, which stands under the tiles' loop, store the same value in an element each time, as far as
/// its own variables go?
static bool is_one_value(const Rolling *r, const RlxTirBlockInfo *b) {
  const RlxTirStmt *store = rlx_schedule_only_store(b->stmt);
  if (!store || b->has_opaque || (!b->complete.is && !b->reduction.is)) return false;
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterVar *v = &b->block->iters[i];
    if (v->type == RLX_ITER_DATA_PAR && !is_index(store, v->var) && uses_tile(r, v->binding))
      return false;
  }
  return !mentions_loop(r, b) && !reduces_over_tiles(r, b);
}

static bool is_under_tiles(const Rolling *r, const RlxTirBlockInfo *b) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(r->c);
  for (int l = 0; l < b->loop_count; l++)
    if (a->loops[b->loops[l]].stmt == r->tiles) return true;
  return false;
}

static bool stays_over_tiles(const Rolling *r, const RlxTirBlockInfo *reader, int depth);

/// Are the elements of a buffer the same in each tile that reads them? Nobody writes it while the tiles run, or one block that gives each
/// element one value.
static bool buffer_stays(const Rolling *r, const RlxTirBuffer *buffer, int depth) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(r->c);
  if (buffer->is_rolled) return true;
  if (rlx_schedule_bare_use_in(r->tiles, buffer, true)) return false;
  if (rlx_schedule_is_opaque(r->tiles, buffer) || rlx_schedule_is_aliased(r->tiles, buffer))
    return false;
  for (int i = 0; i < r->scope->child_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[r->scope->children[i]];
    if (!rlx_tir_box_of(&b->writes, buffer)) continue;
    if (!is_under_tiles(r, b)) continue;
    if (!rlx_tir_allocates(r->scope, buffer) ||
        rlx_schedule_bare_use(r->c, r->scope, buffer, true) || !is_one_value(r, b) ||
        !stays_over_tiles(r, b, depth - 1))
      return false;
  }
  return true;
}

/// Of all that `reader` reads, but for its own update. `depth`: writers that are still looked at.
static bool stays_over_tiles(const Rolling *r, const RlxTirBlockInfo *reader, int depth) {
  const RlxTirBoxes *reads[] = {&reader->reads, &reader->deduced_reads};
  if (reader->has_opaque) return false;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < reads[k]->count; i++) {
      const RlxTirBuffer *buffer = reads[k]->at[i].buffer;
      if (rlx_tir_box_of(&reader->writes, buffer)) continue;
      if (depth == 0 || !buffer_stays(r, buffer, depth)) return false;
    }
  return true;
}

static bool check_values(Rolling *r) {
  enum { DEPTH_MAX = 16 };
  if (reduces_over_tiles(r, r->block)) return refuse(r, "its sum goes on from tile to tile");
  if (mentions_loop(r, r->block))
    return refuse(r,
                  "its body uses a loop around it, so that a tile may compute another value for an "
                  "element that the tile before has computed");
  return stays_over_tiles(r, r->block, DEPTH_MAX) ||
         refuse(r, "what it reads is not shown to stay the same from tile to tile");
}

/// What the tile before has computed is left out.
static bool make_predicate(Rolling *r) {
  RlxPrimFunc *f = r->c->f;
  const RlxTirBlock *b = r->block->block;
  r->predicate = b->predicate;
  for (int d = 0; d < r->buffer->ndim; d++) {
    if (!r->vars[d]) continue;
    if (d >= b->iter_count || b->iters[d].type == RLX_ITER_REDUCE)
      return refuse(r, "its variables are not the dimensions of its buffer, in their order");
    RlxTirExpr *var = rlx_tir_var_expr(f, r->vars[d]->var);
    RlxDType dtype = r->vars[d]->var->dtype;
    RlxTirSubst zero = {r->vars[d]->var, rlx_tir_int(f, 0, dtype)};
    RlxTirExpr *rest = rlx_tir_subst(f, b->iters[d].binding, &zero, 1);
    const RlxPrim *p = rlx_tir_integer(r->store, rest);
    RlxScheduleVars known = {.c = r->c};
    rlx_schedule_vars_of(&known, rest);
    RlxTirExpr *simple = p ? rlx_schedule_expr(&known, rlx_prim_simplify(r->store, p)) : NULL;
    rlx_schedule_vars_free(&known);
    if (simple) rest = simple;
    RlxTirExpr *first = rlx_tir_binary(f, RLX_TIR_LT, var, rlx_tir_int(f, 1, dtype));
    RlxTirExpr *is_new =
        rlx_tir_binary(f, RLX_TIR_LE, rlx_tir_int(f, r->overlaps[d], rest->dtype), rest);
    RlxTirExpr *either = rlx_tir_binary(f, RLX_TIR_OR, first, is_new);
    r->predicate = rlx_tir_and(f, r->predicate, either);
  }
  return true;
}

// ---- following the accesses

typedef struct Follow {
  const Rolling *r;
  int64_t *values;     ///< by variable id
  bool *is_known;      ///< the same: it has a value
  int64_t *held;       ///< by element of the circle: which element of the buffer it holds, -1: none
  uint64_t *held_from; ///< the same: the instance of the block that stored it, as a hash
  uint64_t instance;   ///< the one that runs, its variables that reduce left aside
  bool is_left_out;    ///< the one that runs is what the step leaves out
  int64_t shape[16];
  int64_t left; ///< accesses that may still be looked at
  bool failed;  ///< something was not understood
  bool is_wrong;
} Follow;

static int64_t give_up(Follow *w) {
  w->failed = true;
  return 0;
}

static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t value_of(Follow *w, const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_INT) return e->integer;
  if (e->kind == RLX_TIR_VAR) return w->is_known[e->var->id] ? w->values[e->var->id] : give_up(w);
  if (e->kind == RLX_TIR_CAST) return value_of(w, e->args[0]);
  if (e->kind == RLX_TIR_NOT) return !value_of(w, e->args[0]);
  if (e->kind == RLX_TIR_SELECT || e->kind == RLX_TIR_IF_THEN_ELSE)
    return value_of(w, e->args[value_of(w, e->args[0]) ? 1 : 2]);
  if (e->arg_count != 2 || e->kind == RLX_TIR_CALL || e->kind == RLX_TIR_LOAD) return give_up(w);
  int64_t a = value_of(w, e->args[0]), b = value_of(w, e->args[1]);
  switch (e->kind) {
  case RLX_TIR_ADD: return a + b;
  case RLX_TIR_SUB: return a - b;
  case RLX_TIR_MUL: return a * b;
  case RLX_TIR_FLOORDIV: return b > 0 ? floor_div(a, b) : give_up(w);
  case RLX_TIR_FLOORMOD: return b > 0 ? a - b * floor_div(a, b) : give_up(w);
  case RLX_TIR_MIN: return a < b ? a : b;
  case RLX_TIR_MAX: return a > b ? a : b;
  case RLX_TIR_EQ: return a == b;
  case RLX_TIR_NE: return a != b;
  case RLX_TIR_LT: return a < b;
  case RLX_TIR_LE: return a <= b;
  case RLX_TIR_GT: return a > b;
  case RLX_TIR_GE: return a >= b;
  case RLX_TIR_AND: return a && b;
  case RLX_TIR_OR: return a || b;
  default: return give_up(w);
  }
}

static void follow_access(Follow *w, RlxTirExpr *const *indices, bool is_store) {
  const Rolling *r = w->r;
  int64_t at = 0, slot = 0;
  if (--w->left < 0) {
    give_up(w);
    return;
  }
  for (int d = 0; d < r->buffer->ndim; d++) {
    int64_t i = value_of(w, indices[d]), size = d == r->axis ? r->size->integer : w->shape[d];
    if (i < 0 || i >= w->shape[d]) w->is_wrong = true;
    at = at * w->shape[d] + i;
    slot = slot * size + i % size;
  }
  if (w->failed || w->is_wrong) return;
  if (w->is_left_out) { // an element that is there is what would be stored now
    if (is_store) w->is_wrong = w->held[slot] == at && w->held_from[slot] != w->instance;
  } else if (is_store) {
    w->held[slot] = at;
    w->held_from[slot] = w->instance;
  } else {
    w->is_wrong = w->held[slot] != at;
  }
}

static void follow_expr(Follow *w, const RlxTirExpr *e) {
  if (w->failed || w->is_wrong) return;
  if (e->kind == RLX_TIR_IF_THEN_ELSE) { // one side only is looked at
    follow_expr(w, e->args[0]);
    int64_t side = value_of(w, e->args[0]) ? 1 : 2;
    if (!w->failed) follow_expr(w, e->args[side]);
    return;
  }
  if (e->kind == RLX_TIR_ADDRESS_OF && e->args[0]->buffer == w->r->buffer) give_up(w);
  for (int i = 0; i < e->arg_count; i++) follow_expr(w, e->args[i]);
  if (e->kind == RLX_TIR_LOAD && e->buffer == w->r->buffer) follow_access(w, e->args, false);
}

static void follow(Follow *w, const RlxTirStmt *s);

static void set_value(Follow *w, const RlxTirVar *var, int64_t value) {
  w->values[var->id] = value;
  w->is_known[var->id] = true;
}

static void follow_block(Follow *w, const RlxTirStmt *s) {
  const RlxTirBlock *b = s->block;
  if (b->predicate && !value_of(w, b->predicate)) return;
  bool is_first = true, is_rolled = s == w->r->block->stmt;
  uint64_t instance = 0;
  for (int i = 0; i < b->iter_count; i++) {
    int64_t v = value_of(w, b->iters[i].binding);
    set_value(w, b->iters[i].var, v);
    if (b->iters[i].type == RLX_ITER_REDUCE)
      is_first &= v == (b->iters[i].min ? value_of(w, b->iters[i].min) : 0);
    else
      instance = rlx_hash_mix(instance, (uint64_t)v);
  }
  if (is_rolled) {
    w->instance = instance;
    w->is_left_out = !value_of(w, w->r->predicate);
  }
  if (s->init && is_first) follow(w, s->init);
  follow(w, s->body[0]);
  if (is_rolled) w->is_left_out = false;
}

static void follow(Follow *w, const RlxTirStmt *s) {
  if (w->failed || w->is_wrong) return;
  switch (s->kind) {
  case RLX_TIR_SEQ:
    for (uint32_t i = 0; i < s->count; i++) follow(w, s->body[i]);
    break;
  case RLX_TIR_FOR: {
    int64_t from = s->min ? value_of(w, s->min) : 0, count = value_of(w, s->extent);
    for (int64_t i = 0; i < count && !w->failed && !w->is_wrong; i++) {
      if (--w->left < 0) give_up(w);
      set_value(w, s->var, from + i);
      follow(w, s->body[0]);
    }
    break;
  }
  case RLX_TIR_IF: {
    int64_t side = value_of(w, s->cond) ? 0 : 1;
    if (!w->failed && side < s->count) follow(w, s->body[side]);
    break;
  }
  case RLX_TIR_BLOCK: follow_block(w, s); break;
  case RLX_TIR_STORE:
    follow_expr(w, s->value);
    if (s->buffer == w->r->buffer) follow_access(w, s->indices, true);
    break;
  case RLX_TIR_EVALUATE: follow_expr(w, s->value); break;
  case RLX_TIR_NOP: break;
  default: give_up(w);
  }
}

/// Does every reader find the element that it asks for?
static bool check_accesses(Rolling *r) {
  const RlxTirStmt *scope = r->scope->stmt;
  Follow w = {.r = r, .left = ACCESSES_MAX};
  int64_t total = 1;
  if (r->buffer->ndim > 16) return refuse(r, "its buffer has too many dimensions");
  if (scope && scope->block->iter_count)
    return refuse(r, "its scope has variables: its accesses cannot be followed");
  for (int d = 0; d < r->buffer->ndim; d++) {
    const RlxTirExpr *size = r->buffer->shape[d];
    w.shape[d] = size->kind == RLX_TIR_INT ? size->integer : 0;
    int64_t kept = d == r->axis ? r->size->integer : w.shape[d];
    if (w.shape[d] <= 0 || kept <= 0 || total > ELEMENTS_MAX / kept)
      return refuse(
          r, "its buffer is too large, or of no known size, for its accesses to be followed");
    total *= kept;
  }
  w.values = rlx_arena_array(r->arena, int64_t, r->c->f->var_count + 1);
  w.is_known = rlx_arena_array(r->arena, bool, r->c->f->var_count + 1);
  w.held = rlx_arena_array(r->arena, int64_t, (size_t)total);
  w.held_from = rlx_arena_array(r->arena, uint64_t, (size_t)total);
  memset(w.held, 0xff, (size_t)total * sizeof *w.held);
  follow(&w, scope ? scope->body[0] : r->c->f->body);
  if (w.failed) return refuse(r, "its accesses cannot be followed one by one: not decided");
  return !w.is_wrong || refuse(r, "a reader would find another element in the place of its own");
}

// ---- carrying it out

static RlxTirExpr **in_circle(RlxScheduleSwap *swap, RlxTirExpr **at) {
  const Rolling *r = swap->data;
  RlxPrimFunc *f = swap->c->f;
  RlxTirExpr **out = rlx_arena_array(f->arena, RlxTirExpr *, r->buffer->ndim + 1);
  for (int d = 0; d < r->buffer->ndim; d++)
    out[d] = d == r->axis ? rlx_tir_binary(f, RLX_TIR_FLOORMOD, at[d],
                                           rlx_tir_int(f, r->size->integer, at[d]->dtype))
                          : at[d];
  return out;
}

/// A variable along the circle depends on the iterations before: it is opaque to what follows. TVM
/// says so of all blocks of the scope.
static RlxTirStmt *make_opaque(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  Rolling *r = w->data;
  if (s->kind != RLX_TIR_BLOCK || old == r->scope->stmt) return s;
  bool is_block = old == r->block->stmt;
  RlxTirStmt *out = rlx_tir_copy_block(w->f, s);
  RlxTirBlock *b = out->block;
  b->iters = rlx_arena_array(w->f->arena, RlxTirIterVar, b->iter_count + 1);
  for (int i = 0; i < b->iter_count; i++) {
    b->iters[i] = s->block->iters[i];
    if (i == r->axis) b->iters[i].type = RLX_ITER_OPAQUE;
  }
  if (is_block) b->predicate = r->predicate;
  rlx_schedule_moved(r->c, s, out);
  return out;
}

/// A region of more than one element comes apart in a circle: it is deduced anew.
static RlxTirStmt *forget_wide(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  Rolling *r = w->data;
  (void)old;
  if (s->kind != RLX_TIR_BLOCK) return s;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < (side ? s->block->write_count : s->block->read_count); i++) {
      const RlxTirRegion *at = side ? &s->block->writes[i] : &s->block->reads[i];
      if (at->buffer != r->buffer) continue;
      const RlxTirExpr *extent = at->extent[r->axis];
      if (extent->kind != RLX_TIR_INT || extent->integer != 1)
        return rlx_schedule_forget_regions(r->c, s);
    }
  return s;
}

static RlxTirBuffer *swap_alloc(RlxTirRewriter *w, RlxTirBuffer *b) {
  const Rolling *r = w->data;
  return b == r->buffer ? r->now : b;
}

static void note_moved(RlxTirRewriter *w, const RlxTirStmt *old, RlxTirStmt *now) {
  rlx_schedule_moved(((Rolling *)w->data)->c, old, now);
}

static void roll(Rolling *r) {
  RlxScheduleCall *c = r->c;
  RlxPrimFunc *f = c->f;
  RlxTirExpr **shape = rlx_arena_array(f->arena, RlxTirExpr *, r->buffer->ndim + 1);
  for (int d = 0; d < r->buffer->ndim; d++) shape[d] = d == r->axis ? r->size : r->buffer->shape[d];
  r->now = rlx_schedule_buffer_like(c, r->buffer, r->buffer->name, shape, r->buffer->ndim, 0);
  r->now->is_rolled = true;
  RlxTirRewriter w = {.f = f, .data = r, .stmt = make_opaque, .moved = note_moved};
  RlxTirStmt *body = rlx_tir_rewrite(&w, f->body);
  RlxTirRewriter wide = {.f = f, .data = r, .stmt = forget_wide, .moved = note_moved};
  body = rlx_tir_rewrite(&wide, body);
  RlxScheduleSwap swap = {.c = c, .from = r->buffer, .to = r->now, .indices = in_circle, .data = r};
  body = rlx_schedule_swap(&swap, body);
  RlxTirRewriter allocs = {.f = f, .data = r, .buffer = swap_alloc, .moved = note_moved};
  f->body = rlx_tir_rewrite(&allocs, body);
  RlxTirBuffer **roots = rlx_arena_array(f->arena, RlxTirBuffer *, f->root_alloc_count + 1);
  for (int i = 0; i < f->root_alloc_count; i++)
    roots[i] = f->root_allocs[i] == r->buffer ? r->now : f->root_allocs[i];
  f->root_allocs = roots;
  rlx_primfunc_complete(r->store, f);
}

static bool run(Rolling *r) {
  if (!rlx_tir_allocates(r->scope, r->buffer))
    return refuse(r, "its buffer lives on outside of its scope");
  if (rlx_schedule_is_opaque(r->scope->stmt ? r->scope->stmt : r->c->f->body, r->buffer))
    return refuse(r, "its buffer is used by its pointer, or looked into by another buffer");
  const RlxTirStmt *bare = rlx_schedule_bare_use(r->c, r->scope, r->buffer, false);
  if (bare) {
    refuse(r, "a statement that stands in no block uses its buffer");
    rlx_schedule_also(r->c, bare, "this statement");
    return false;
  }
  if (!check_dependencies(r) || !find_axis(r) || !check_values(r) || !make_predicate(r) ||
      !check_accesses(r))
    return false;
  roll(r);
  return true;
}

bool rlx_primitive_rolling_buffer(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  Rolling r = {.c = c, .store = c->s->store};
  if (!rlx_schedule_block(c, 0, &place)) return false;
  if (place.is_root || !place.stmt) return refuse(&r, "it is the root block");
  r.block = rlx_schedule_block_info(c, place.stmt);
  r.scope = &rlx_schedule_analysis(c)->blocks[r.block->scope];
  if (!rlx_schedule_buffer(c, 1, place.stmt, true, &r.buffer, NULL)) return false;
  r.arena = rlx_arena_new();
  bool ok = run(&r);
  rlx_arena_free(r.arena);
  return ok;
}
