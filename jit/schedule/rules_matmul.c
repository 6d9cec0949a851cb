/// Contractions: `C[b, m, n] += left(b, m, k) * right(b, k, n)` with any number of loops in each of
/// the groups b, m, n, k: matmul in all its transposed forms, dense layers, convolutions.
///
/// The tiling is Goto's: a panel of `right` and a block of `left` are packed (evaluated into
/// contiguous scratch memory, so any expression will do: casts, padding guards, gathers), and a
/// micro-kernel keeps an MR x NR tile of C in registers. Edges are padded with zeros in the packed
/// copies and cut off when the tile is written.
#include "jit/schedule/rules.h"

#include <string.h>

enum { BLOCK_K = 512, BLOCK_N = 2048, BLOCK_M = 192 };

typedef struct Group {
  int count;
  const NestLoop *loops[NEST_MAX_LOOPS];
  RlxTirExpr *extent; // product, int64
} Group;

typedef struct Contraction {
  Rules *r;
  const Nest *nest;
  Group b, m, n, k;
  RlxTirExpr *left, *right;
  RlxDType t;        // accumulator
  int lanes, mr, nr; // of a vector; of the register tile
  int64_t block_m, block_n, block_k;
  RlxTirBuffer *packed_left, *packed_right;
} Contraction;

static void group_add(Group *g, const NestLoop *loop) { g->loops[g->count++] = loop; }

static void close_group(Rules *r, Group *g) {
  g->extent = c_int(r, 1);
  for (int i = 0; i < g->count; i++)
    g->extent = c_mul(r, g->extent, c_length(r, g->loops[i]->extent));
}

static bool const_extent(const Group *g, int64_t *out) {
  *out = 0;
  if (g->extent->kind != RLX_TIR_INT) return false;
  *out = g->extent->integer;
  return true;
}

/// Bindings of a group's variables from its flat index.
static int bind_group(Rules *r, const Group *g, RlxTirExpr *flat, Binding *out) {
  RlxTirExpr *inner = c_int(r, 1);
  for (int i = g->count - 1; i >= 0; i--) {
    RlxTirExpr *value = inner->kind == RLX_TIR_INT && inner->integer == 1
                            ? flat
                            : c_op(r, RLX_TIR_FLOORDIV, flat, inner);
    RlxTirExpr *extent = c_length(r, g->loops[i]->extent);
    if (i > 0) value = c_op(r, RLX_TIR_FLOORMOD, value, extent);
    out[i] = (Binding){g->loops[i]->var, value};
    inner = c_mul(r, inner, extent);
  }
  return g->count;
}

// ---- recognition

static bool mentions_group(const RlxTirExpr *e, const Group *g) {
  for (int i = 0; i < g->count; i++)
    if (rules_mentions(e, g->loops[i]->var)) return true;
  return false;
}

static RlxTirExpr *strip_casts(RlxTirExpr *e) {
  while (e->kind == RLX_TIR_CAST) e = e->args[0];
  return e;
}

static bool has_load(const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_LOAD) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (has_load(e->args[i])) return true;
  return false;
}

/// Whether the place in C moves by one with `var`, the last dimension being where it does.
static bool is_contiguous_in_c(const Nest *nest, const RlxTirVar *var) {
  int last = nest->buffer->ndim - 1;
  int64_t step;
  for (int d = 0; d < last; d++)
    if (rules_mentions(nest->indices[d], var)) return false;
  return last >= 0 && rules_step(nest->indices[last], var, &step) && step == 1;
}

/// Loops that may join the contiguous one in the n group: dimension d of C is the bare variable
/// over its whole extent, and so are all behind it.
static bool is_whole_dim(const Nest *nest, int d, const NestLoop *loop) {
  const RlxTirExpr *index = nest->indices[d];
  return index->kind == RLX_TIR_VAR && index->var == loop->var &&
         rules_equal(nest->buffer->shape[d], loop->extent);
}

static bool classify(Contraction *c) {
  const Nest *nest = c->nest;
  const NestLoop *contiguous = NULL;
  Group only_left = {0}, only_right = {0};
  for (int i = 0; i < nest->count; i++) {
    const NestLoop *loop = &nest->loops[i];
    bool in_left = rules_mentions(c->left, loop->var),
         in_right = rules_mentions(c->right, loop->var);
    if (loop->is_reduce)
      group_add(&c->k, loop);
    else if (in_left && in_right)
      group_add(&c->b, loop);
    else if (in_left)
      group_add(&only_left, loop);
    else if (in_right)
      group_add(&only_right, loop);
    else
      return false;
    if (!loop->is_reduce && is_contiguous_in_c(nest, loop->var)) contiguous = loop;
  }
  if (!c->k.count || !only_left.count || !only_right.count || !contiguous) return false;
  for (int i = 0; i < only_left.count; i++)
    if (only_left.loops[i] == contiguous) { // the contiguous side is n
      Group swap = only_left;
      only_left = only_right;
      only_right = swap;
      RlxTirExpr *e = c->left;
      c->left = c->right;
      c->right = e;
      break;
    }
  // n: the contiguous loop and whole dimensions before it; other loops of that side are batch.
  int d = nest->buffer->ndim - 1;
  bool found = false;
  const NestLoop *chain[NEST_MAX_LOOPS];
  int chained = 0;
  chain[chained++] = contiguous;
  bool whole = is_whole_dim(nest, d, contiguous);
  for (d--; whole && d >= 0; d--) {
    const NestLoop *match = NULL;
    for (int i = 0; i < only_right.count; i++)
      if (is_whole_dim(nest, d, only_right.loops[i])) match = only_right.loops[i];
    if (!match) break;
    chain[chained++] = match;
  }
  while (chained > 0) group_add(&c->n, chain[--chained]); // outermost first
  for (int i = 0; i < only_right.count; i++) {
    bool in_n = false;
    for (int j = 0; j < c->n.count; j++) in_n = in_n || c->n.loops[j] == only_right.loops[i];
    if (only_right.loops[i] == contiguous) found = true;
    if (!in_n) group_add(&c->b, only_right.loops[i]);
  }
  c->m = only_left;
  return found;
}

// ---- sizes

/// Rows of the register tile: few wasted at the edge when the number of rows is known.
static int choose_rows(const Contraction *c, int most) {
  int64_t m = 0;
  int best = most;
  if (!const_extent(&c->m, &m)) return most;
  int64_t least = INT64_MAX;
  for (int rows = most; rows >= most / 2 && rows >= 1; rows--) {
    int64_t padded = (m + rows - 1) / rows * rows;
    if (padded < least) least = padded, best = rows;
  }
  return best;
}

static void choose_sizes(Contraction *c) {
  c->lanes = c->r->target.vector_bytes / ((c->t.bits + 7) / 8);
  bool many = c->r->target.vector_registers >= 32;
  c->nr = 2 * c->lanes;
  int64_t columns;
  if (const_extent(&c->n, &columns)) { // one vector wide where two would waste much at the edge
    int64_t wide = (columns + c->nr - 1) / c->nr * c->nr,
            narrow = (columns + c->lanes - 1) / c->lanes * c->lanes;
    if (narrow * 23 / 20 < wide) c->nr = c->lanes;
  }
  c->mr = choose_rows(c, many ? 12 : 6);
  int64_t k, n, m;
  c->block_k = BLOCK_K;
  c->block_n = (BLOCK_N + c->nr - 1) / c->nr * c->nr;
  c->block_m = BLOCK_M / c->mr * c->mr;
  if (const_extent(&c->k, &k) && k < c->block_k * 3 / 2) c->block_k = k;
  if (const_extent(&c->n, &n) && n < c->block_n) c->block_n = (n + c->nr - 1) / c->nr * c->nr;
  int threads = c->r->target.threads;
  if (threads > 1) { // some blocks of rows for each
    int64_t share = const_extent(&c->m, &m) ? m / (2 * threads) : c->block_m / 2;
    share = (share + c->mr - 1) / c->mr * c->mr;
    if (share < c->block_m) c->block_m = share < c->mr ? c->mr : share;
  } else if (const_extent(&c->m, &m) && m < c->block_m * 3 / 2)
    c->block_m = (m + c->mr - 1) / c->mr * c->mr;
}

/// Whether tiling pays: enough rows, columns and depth. Unknown extents count as large here.
static bool is_worth_tiling(const Contraction *c) {
  int64_t m, n, k;
  if (const_extent(&c->n, &n) && n < c->lanes / 2) return false;
  if (const_extent(&c->k, &k) && k < 4) return false;
  return !(const_extent(&c->m, &m) && m < 4);
}

// ---- packing

static RlxTirExpr *operand(Contraction *c, RlxTirExpr *e, const Group *g, RlxTirExpr *flat,
                           RlxTirExpr *k_flat) {
  Binding bindings[2 * NEST_MAX_LOOPS];
  int count = bind_group(c->r, g, flat, bindings);
  count += bind_group(c->r, &c->k, k_flat, bindings + count);
  return rlx_tir_cast(c->r->f, c->t, rules_subst(c->r, e, bindings, count));
}

/// Where a strip of an operand goes, and what of the operand it is.
typedef struct Strip {
  RlxTirBuffer *to;
  RlxTirExpr *e;
  const Group *g; // the rows of left, or the columns of right
  int width;
  RlxTirExpr *start; // the first of them; those past the end repeat the last one, and their results
                     // are dropped
  RlxTirExpr *k0, *depth;
  RlxTirExpr *slot; // in `to`
} Strip;

static RlxTirExpr *strip_place(Contraction *c, const Strip *s, RlxTirVar *k, RlxTirVar *x) {
  Rules *r = c->r;
  return c_add(r, s->slot, c_add(r, c_mul(r, c_use(r, k), c_int(r, s->width)), c_use(r, x)));
}

static RlxTirExpr *clamped(Contraction *c, const Strip *s, RlxTirExpr *flat) {
  return c_min(c->r, flat, c_sub(c->r, s->g->extent, c_int(c->r, 1)));
}

static bool is_linear_in(const RlxTirExpr *load, const Group *g) {
  int64_t step;
  for (int i = 0; i < g->count; i++)
    for (int d = 0; d < load->buffer->ndim; d++)
      if (!rules_step(load->args[d], g->loops[i]->var, &step)) return false;
  return true;
}

/// The offset of `load` in elements for these values of the variables; those of `zero` are 0.
static RlxTirExpr *offset_of(Contraction *c, const RlxTirExpr *load, Binding *bindings, int count,
                             const Group *zero) {
  Rules *r = c->r;
  for (int i = 0; i < zero->count; i++)
    bindings[count++] = (Binding){zero->loops[i]->var, c_int(r, 0)};
  RlxTirExpr *offset = c_int(r, 0), *stride = c_int(r, 1);
  for (int d = load->buffer->ndim - 1; d >= 0; d--) {
    offset = c_add(r, offset,
                   c_mul(r, c_wide(r, rules_subst(r, load->args[d], bindings, count)), stride));
    stride = c_mul(r, stride, c_wide(r, load->buffer->shape[d]));
  }
  return offset;
}

/// For operands with several loops in a group: the address is the sum of a part of x, kept in a
/// table, and a part of k.
static RlxTirStmt *pack_by_table(Contraction *c, const Strip *s, RlxTirExpr *load) {
  Rules *r = c->r;
  RlxTirVar *k = c_var(r, "k"), *x = c_var(r, "x"), *x2 = c_var(r, "x"), *move = c_var(r, "move");
  Binding bindings[3 * NEST_MAX_LOOPS];
  int count = bind_group(r, s->g, clamped(c, s, c_add(r, s->start, c_use(r, x))), bindings);
  RlxTirExpr *of_x = offset_of(c, load, bindings, count, &c->k);
  count = bind_group(r, &c->k, c_add(r, s->k0, c_use(r, k)), bindings);
  RlxTirExpr *of_k = offset_of(c, load, bindings, count, s->g);
  count = 0;
  for (int i = 0; i < s->g->count; i++)
    bindings[count++] = (Binding){s->g->loops[i]->var, c_int(r, 0)};
  of_k = c_sub(r, of_k, offset_of(c, load, bindings, count, &c->k));
  RlxTirBuffer *table = c_buffer(r, "offsets", RLX_INT64, c_int(r, s->width));
  RlxTirExpr *size = c_int(r, 1);
  for (int d = 0; d < load->buffer->ndim; d++)
    size = c_mul(r, size, c_wide(r, load->buffer->shape[d]));
  RlxTirBuffer *flat = rlx_tir_buffer(r->f, load->buffer->name, load->buffer->dtype, &size, 1);
  flat->view_of = load->buffer;
  RlxTirExpr *value = rlx_tir_cast(
      r->f, c->t, c_load(r, flat, c_add(r, c_load(r, table, c_use(r, x2)), c_use(r, move))));
  RlxTirStmt *lanes =
      c_for(r, x2, c_int(r, s->width), c_store(r, s->to, strip_place(c, s, k, x2), value));
  RlxTirStmt *out = c_seq2(r, c_for(r, x, c_int(r, s->width), c_store(r, table, c_use(r, x), of_x)),
                           c_for(r, k, s->depth, c_let(r, move, of_k, lanes)));
  return rlx_tir_alloc(r->f, flat, rlx_tir_alloc(r->f, table, out));
}

static RlxTirStmt *pack_strip(Contraction *c, const Strip *s) {
  Rules *r = c->r;
  RlxTirExpr *load = strip_casts(s->e);
  bool is_load = load->kind == RLX_TIR_LOAD && !load->buffer->strides && !load->buffer->view_of &&
                 !load->is_checked;
  if (is_load && s->g->count > 1 && is_linear_in(load, s->g) && is_linear_in(load, &c->k))
    return pack_by_table(c, s, load);
  RlxTirVar *k = c_var(r, "k"), *x = c_var(r, "x"), *k2 = c_var(r, "k"), *x2 = c_var(r, "x");
  RlxTirExpr *value =
      operand(c, s->e, s->g, c_add(r, s->start, c_use(r, x)), c_add(r, s->k0, c_use(r, k)));
  RlxTirStmt *store = c_store(r, s->to, strip_place(c, s, k, x), value);
  // Innermost is what is contiguous in the operand.
  int64_t step, extent;
  bool k_inner =
      is_load && rules_address_step(load, c->k.loops[c->k.count - 1]->var, &step) && step == 1;
  RlxTirForKind kind = s->g->count == 1 ? RLX_FOR_VECTORIZED : RLX_FOR_SERIAL;
  RlxTirStmt *full = k_inner
                         ? c_for(r, x, c_int(r, s->width), c_for(r, k, s->depth, store))
                         : c_for(r, k, s->depth, c_for_kind(r, x, c_int(r, s->width), kind, store));
  if (const_extent(s->g, &extent) && extent % s->width == 0) return full;
  RlxTirExpr *last = operand(c, s->e, s->g, clamped(c, s, c_add(r, s->start, c_use(r, x2))),
                             c_add(r, s->k0, c_use(r, k2)));
  RlxTirStmt *part =
      c_for(r, x2, c_int(r, s->width),
            c_for(r, k2, s->depth, c_store(r, s->to, strip_place(c, s, k2, x2), last)));
  return rlx_tir_if(r->f, c_op(r, RLX_TIR_LE, c_add(r, s->start, c_int(r, s->width)), s->g->extent),
                    full, part);
}

// ---- the micro-kernel

typedef struct Tile {
  RlxTirExpr *row, *column;           // of C, its first
  RlxTirExpr *left_slot, *right_slot; // in the packed copies
  RlxTirExpr *depth;
  RlxTirExpr *is_first; // of the blocks of k
} Tile;

typedef RlxTirExpr *TileValue(Contraction *c, const Tile *tile, RlxTirBuffer *acc, int row,
                              RlxTirExpr *column, const void *data);

/// The statement for one vector of the tile; `at` is its place in a buffer of the tile's shape.
typedef RlxTirStmt *TileStore(Contraction *c, const Tile *tile, RlxTirBuffer *acc, int row,
                              RlxTirExpr *column, RlxTirExpr *at, const void *data);

/// What `store` makes of each vector of the tile, one after another.
static RlxTirStmt *each_vector(Contraction *c, const Tile *tile, RlxTirBuffer *acc,
                               TileStore *store, const void *data) {
  Rules *r = c->r;
  RlxTirStmt *all[64];
  int count = 0;
  for (int i = 0; i < c->mr; i++)
    for (int v = 0; v < c->nr / c->lanes; v++) {
      RlxTirVar *lane = c_var(r, "lane");
      RlxTirExpr *column = c_add(r, c_use(r, lane), c_int(r, (int64_t)v * c->lanes));
      RlxTirExpr *at =
          c_add(r, c_use(r, lane), c_int(r, (int64_t)i * c->nr + (int64_t)v * c->lanes));
      RlxTirStmt *body = store(c, tile, acc, i, column, at, data);
      all[count++] = c_for_kind(r, lane, c_int(r, c->lanes), RLX_FOR_VECTORIZED, body);
    }
  return rlx_tir_seq(r->f, all, count);
}

typedef struct TileTarget {
  RlxTirBuffer *to;
  TileValue *make;
  const void *data;
} TileTarget;

static RlxTirStmt *store_made(Contraction *c, const Tile *tile, RlxTirBuffer *acc, int row,
                              RlxTirExpr *column, RlxTirExpr *at, const void *data) {
  const TileTarget *t = data;
  return c_store(c->r, t->to, at, t->make(c, tile, acc, row, column, t->data));
}

/// to[row, column…] = make(…) for the whole tile, as vectors.
static RlxTirStmt *for_tile(Contraction *c, const Tile *tile, RlxTirBuffer *acc, RlxTirBuffer *to,
                            TileValue *make, const void *data) {
  TileTarget target = {to, make, data};
  return each_vector(c, tile, acc, store_made, &target);
}

static RlxTirExpr *tile_zero(Contraction *c, const Tile *tile, RlxTirBuffer *acc, int row,
                             RlxTirExpr *column, const void *data) {
  (void)tile, (void)acc, (void)row, (void)column, (void)data;
  return c_zero(c->r, c->t);
}

static RlxTirExpr *tile_acc(Contraction *c, const Tile *tile, RlxTirBuffer *acc, int row,
                            RlxTirExpr *column, const void *data) {
  (void)tile, (void)data;
  return c_load(c->r, acc, c_add(c->r, column, c_int(c->r, (int64_t)row * c->nr)));
}

static RlxTirExpr *tile_step(Contraction *c, const Tile *tile, RlxTirBuffer *acc, int row,
                             RlxTirExpr *column, const void *data) {
  Rules *r = c->r;
  RlxTirVar *const *k = data;
  RlxTirExpr *a = c_load(
      r, c->packed_left,
      c_add(r, c_add(r, tile->left_slot, c_mul(r, c_use(r, *k), c_int(r, c->mr))), c_int(r, row)));
  RlxTirExpr *b =
      c_load(r, c->packed_right,
             c_add(r, c_add(r, tile->right_slot, c_mul(r, c_use(r, *k), c_int(r, c->nr))), column));
  return c_add(r, tile_acc(c, tile, acc, row, column, NULL), c_mul(r, a, b));
}

/// C[row + i, column + j] = start + total, where start is the initial value in the first block of
/// k.
static RlxTirStmt *store_c(Contraction *c, RlxTirExpr *row, RlxTirExpr *column, RlxTirExpr *total,
                           RlxTirExpr *is_first) {
  Rules *r = c->r;
  const Nest *nest = c->nest;
  int ndim = nest->buffer->ndim;
  Binding bindings[2 * NEST_MAX_LOOPS];
  int count = bind_group(r, &c->m, row, bindings);
  RlxTirBuffer *target = nest->buffer;
  RlxTirExpr **indices = rlx_arena_array(r->f->arena, RlxTirExpr *, ndim + 1);
  int kept = ndim;
  if (c->n.count > 1) { // the n dimensions as one
    kept = ndim - c->n.count;
    RlxTirExpr **shape = rlx_arena_array(r->f->arena, RlxTirExpr *, ndim + 1);
    for (int d = 0; d < kept; d++) shape[d] = nest->buffer->shape[d];
    shape[kept] = c->n.extent;
    target = rlx_tir_buffer(r->f, nest->buffer->name, nest->buffer->dtype, shape, kept + 1);
    target->view_of = nest->buffer;
    indices[kept] = column;
  } else {
    bindings[count++] = (Binding){c->n.loops[0]->var, column};
  }
  for (int d = 0; d < kept; d++) indices[d] = rules_subst(r, nest->indices[d], bindings, count);
  RlxTirExpr *start = rlx_tir_load(r->f, target, indices);
  if (nest->init) {
    Binding all[2 * NEST_MAX_LOOPS];
    int all_count = bind_group(r, &c->m, row, all);
    all_count += bind_group(r, &c->n, column, all + all_count);
    start = rlx_tir_select(r->f, is_first, rules_subst(r, nest->init, all, all_count), start);
  }
  start = rlx_tir_cast(r->f, c->t, start);
  bool is_zero = (start->kind == RLX_TIR_FLOAT && start->number == 0) ||
                 (start->kind == RLX_TIR_INT && start->integer == 0);
  RlxTirExpr *value = is_zero ? total : c_add(r, start, total);
  RlxTirStmt *store =
      rlx_tir_store(r->f, target, indices, rlx_tir_cast(r->f, nest->buffer->dtype, value));
  return target == nest->buffer ? store : rlx_tir_alloc(r->f, target, store);
}

static RlxTirStmt *store_result(Contraction *c, const Tile *tile, RlxTirBuffer *acc, int row,
                                RlxTirExpr *column, RlxTirExpr *at, const void *data) {
  (void)at, (void)data;
  Rules *r = c->r;
  RlxTirExpr *total = tile_acc(c, tile, acc, row, column, NULL);
  return store_c(c, c_add(r, tile->row, c_int(r, row)), c_add(r, tile->column, column), total,
                 tile->is_first);
}

static RlxTirStmt *write_part(Contraction *c, const Tile *tile, RlxTirBuffer *edge) {
  Rules *r = c->r;
  RlxTirVar *i = c_var(r, "i"), *j = c_var(r, "j");
  RlxTirExpr *rows = c_min(r, c_int(r, c->mr), c_sub(r, c->m.extent, tile->row));
  RlxTirExpr *columns = c_min(r, c_int(r, c->nr), c_sub(r, c->n.extent, tile->column));
  RlxTirExpr *total =
      c_load(r, edge, c_add(r, c_mul(r, c_use(r, i), c_int(r, c->nr)), c_use(r, j)));
  RlxTirStmt *store = store_c(c, c_add(r, tile->row, c_use(r, i)),
                              c_add(r, tile->column, c_use(r, j)), total, tile->is_first);
  return c_for(r, i, rows, c_for(r, j, columns, store));
}

static bool divides(const Group *g, int64_t size) {
  int64_t extent;
  return const_extent(g, &extent) && extent % size == 0;
}

static RlxTirStmt *write_tile(Contraction *c, const Tile *tile, RlxTirBuffer *acc) {
  Rules *r = c->r;
  RlxTirStmt *full = each_vector(c, tile, acc, store_result, NULL);
  if (divides(&c->m, c->mr) && divides(&c->n, c->nr)) return full;
  RlxTirBuffer *edge = c_buffer(r, "edge", c->t, c_int(r, (int64_t)c->mr * c->nr));
  RlxTirStmt *part =
      c_seq2(r, for_tile(c, tile, acc, edge, tile_acc, NULL), write_part(c, tile, edge));
  RlxTirExpr *fits =
      c_op(r, RLX_TIR_AND, c_op(r, RLX_TIR_LE, c_add(r, tile->row, c_int(r, c->mr)), c->m.extent),
           c_op(r, RLX_TIR_LE, c_add(r, tile->column, c_int(r, c->nr)), c->n.extent));
  return rlx_tir_if(r->f, fits, full, rlx_tir_alloc(r->f, edge, part));
}

static RlxTirStmt *micro_kernel(Contraction *c, const Tile *tile) {
  Rules *r = c->r;
  RlxTirBuffer *acc = c_buffer(r, "acc", c->t, c_int(r, (int64_t)c->mr * c->nr));
  RlxTirVar *k = c_var(r, "k");
  RlxTirStmt *out = for_tile(c, tile, acc, acc, tile_zero, NULL);
  out = c_seq2(r, out, c_for(r, k, tile->depth, for_tile(c, tile, acc, acc, tile_step, &k)));
  return rlx_tir_alloc(r->f, acc, c_seq2(r, out, write_tile(c, tile, acc)));
}

// ---- the loops around

static RlxTirStmt *row_block(Contraction *c, RlxTirVar *io, RlxTirExpr *column0,
                             RlxTirExpr *columns, RlxTirExpr *k0, RlxTirExpr *depth,
                             RlxTirExpr *is_first) {
  Rules *r = c->r;
  RlxTirVar *ip = c_var(r, "ip"), *ir = c_var(r, "ir"), *jr = c_var(r, "jr");
  RlxTirExpr *row0 = c_mul(r, c_use(r, io), c_int(r, c->block_m));
  RlxTirExpr *rows = c_min(r, c_int(r, c->block_m), c_sub(r, c->m.extent, row0));
  RlxTirExpr *strips = c_ceildiv(r, rows, c->mr);
  RlxTirExpr *strip_size = c_int(r, c->mr * c->block_k);
  Strip strip = {c->packed_left,
                 c->left,
                 &c->m,
                 c->mr,
                 c_add(r, row0, c_mul(r, c_use(r, ip), c_int(r, c->mr))),
                 k0,
                 depth,
                 c_mul(r, c_use(r, ip), strip_size)};
  RlxTirStmt *pack = c_for(r, ip, strips, pack_strip(c, &strip));
  Tile tile = {.row = c_add(r, row0, c_mul(r, c_use(r, ir), c_int(r, c->mr))),
               .column = c_add(r, column0, c_mul(r, c_use(r, jr), c_int(r, c->nr))),
               .left_slot = c_mul(r, c_use(r, ir), strip_size),
               .right_slot = c_mul(r, c_use(r, jr), c_int(r, c->nr * c->block_k)),
               .depth = depth,
               .is_first = is_first};
  RlxTirStmt *tiles =
      c_for(r, jr, c_ceildiv(r, columns, c->nr), c_for(r, ir, strips, micro_kernel(c, &tile)));
  return rlx_tir_alloc(r->f, c->packed_left, c_seq2(r, pack, tiles));
}

static RlxTirStmt *tiled(Contraction *c) {
  Rules *r = c->r;
  RlxTirVar *jo = c_var(r, "jo"), *ko = c_var(r, "ko"), *io = c_var(r, "io"), *jp = c_var(r, "jp");
  c->packed_left = c_buffer(r, "left", c->t, c_int(r, c->block_m * c->block_k));
  c->packed_right = c_buffer(r, "right", c->t, c_int(r, c->block_n * c->block_k));
  RlxTirExpr *column0 = c_mul(r, c_use(r, jo), c_int(r, c->block_n));
  RlxTirExpr *columns = c_min(r, c_int(r, c->block_n), c_sub(r, c->n.extent, column0));
  RlxTirExpr *k0 = c_mul(r, c_use(r, ko), c_int(r, c->block_k));
  RlxTirExpr *depth = c_min(r, c_int(r, c->block_k), c_sub(r, c->k.extent, k0));
  RlxTirExpr *is_first = c_op(r, RLX_TIR_EQ, c_use(r, ko), c_int(r, 0));
  int64_t k;
  if (const_extent(&c->k, &k) && k <= c->block_k) {
    depth = c_int(r, k);
    k0 = c_int(r, 0);
    is_first = rlx_tir_int(r->f, 1, RLX_BOOL);
  }
  Strip strip = {c->packed_right,
                 c->right,
                 &c->n,
                 c->nr,
                 c_add(r, column0, c_mul(r, c_use(r, jp), c_int(r, c->nr))),
                 k0,
                 depth,
                 c_mul(r, c_use(r, jp), c_int(r, c->nr * c->block_k))};
  RlxTirStmt *pack = c_for(r, jp, c_ceildiv(r, columns, c->nr), pack_strip(c, &strip));
  RlxTirForKind kind = r->target.threads > 1 ? RLX_FOR_PARALLEL : RLX_FOR_SERIAL;
  RlxTirStmt *rows = c_for_kind(r, io, c_ceildiv(r, c->m.extent, c->block_m), kind,
                                row_block(c, io, column0, columns, k0, depth, is_first));
  // At least one round, so that a depth of 0 still stores the initial value.
  RlxTirExpr *rounds = c_op(r, RLX_TIR_MAX, c_ceildiv(r, c->k.extent, c->block_k), c_int(r, 1));
  RlxTirStmt *out = c_for(r, ko, rounds, c_seq2(r, pack, rows));
  out = c_for(r, jo, c_ceildiv(r, c->n.extent, c->block_n), out);
  out = rlx_tir_alloc(r->f, c->packed_right, out);
  for (int i = c->b.count - 1; i >= 0; i--)
    out = c_for(r, c->b.loops[i]->var, c->b.loops[i]->extent, out);
  return out;
}

RlxTirStmt *rule_contraction(Rules *r, const Nest *nest) {
  if (nest->op != RLX_TIR_ADD || nest->buffer->ndim == 0) return NULL;
  RlxTirExpr *product = strip_casts(nest->term);
  RlxDType t = rules_accumulator(nest->buffer->dtype);
  bool widens =
      product->kind == RLX_TIR_MUL && rlx_dtype_is_float(t) && rlx_dtype_is_float(product->dtype);
  if (product->kind != RLX_TIR_MUL ||
      !(widens || rlx_dtype_equal(product->dtype, nest->buffer->dtype)))
    return NULL;
  if (t.lanes != 1 || rlx_dtype_is_bool(t) || !has_load(product->args[0]) ||
      !has_load(product->args[1]))
    return NULL;
  Contraction c = {
      .r = r, .nest = nest, .left = product->args[0], .right = product->args[1], .t = t};
  if (!classify(&c)) return NULL;
  if (mentions_group(c.left, &c.n) || mentions_group(c.right, &c.m)) return NULL;
  close_group(r, &c.b);
  close_group(r, &c.m);
  close_group(r, &c.n);
  close_group(r, &c.k);
  choose_sizes(&c);
  if (!is_worth_tiling(&c)) return NULL;
  RlxTirStmt *out = tiled(&c);
  int64_t m;
  if (const_extent(&c.m, &m)) return out;
  // Few rows: nothing is reused, so packing does not pay.
  RlxTirStmt *thin = rule_reduction(r, nest);
  return thin ? rlx_tir_if(r->f, c_op(r, RLX_TIR_LT, c.m.extent, c_int(r, 4)), thin, out) : out;
}
