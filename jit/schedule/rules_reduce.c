/// Reductions: `C[s] = op(C[s], term(s, r))` over spatial loops s and reduction loops r. The
/// accumulators live in registers:
///
/// - rows: the terms are contiguous in a reduction loop, which is split into lanes; the lanes are
///   combined at the end;
/// - columns: the terms are contiguous in a spatial loop, whose lanes are separate sums;
/// - streamed: as columns, for a matrix too large for the caches: it is read row by row, several
///   rows at once, and the sums of one part of the columns are in memory that stays in the first
///   cache;
/// - scalar: neither; one accumulator, the initial value outside of the reduction.
///
/// Additions run in another order than in the script; reductions allow that (spec 3, numerics).
#include "jit/schedule/rules.h"

#include <string.h>

enum { ROW_VECTORS = 4, COLUMN_VECTORS = 4 };
enum { STREAM_ROWS = 8, STREAM_COLUMNS = 2048, STREAM_LEAST = 256, STREAM_BYTES = 256 * 1024 };

typedef struct Reduction {
  Rules *r;
  const Nest *nest;
  RlxDType t; // of the accumulator
  int lanes;  // of one vector of t
} Reduction;

typedef struct Steps {
  int unit, other; // loads that move by one; by something else, or unknown
} Steps;

static void count_steps(const RlxTirExpr *e, const RlxTirVar *var, Steps *steps) {
  if (e->kind == RLX_TIR_LOAD) {
    int64_t step;
    bool known = rules_address_step(e, var, &step);
    if (known && step == 1)
      steps->unit++;
    else if (!known || step != 0)
      steps->other++;
  }
  for (int i = 0; i < e->arg_count; i++) count_steps(e->args[i], var, steps);
}

/// Whether vectors over `var` read contiguous memory; the extent is at least one vector as far as
/// is known.
static bool is_vector_loop(const Reduction *x, const NestLoop *loop) {
  Steps steps = {0, 0};
  count_steps(x->nest->term, loop->var, &steps);
  bool is_short = loop->extent->kind == RLX_TIR_INT && loop->extent->integer < x->lanes;
  return steps.other == 0 && steps.unit > 0 && !is_short;
}

static bool stored_contiguously(const Reduction *x, const NestLoop *loop) {
  RlxTirExpr place = {
      .kind = RLX_TIR_LOAD, .arg_count = (uint16_t)x->nest->buffer->ndim, .args = x->nest->indices};
  place.buffer = x->nest->buffer;
  int64_t step;
  return rules_address_step(&place, loop->var, &step) && step == 1;
}

// ---- pieces

static RlxTirExpr *term_at(const Reduction *x, const RlxTirVar *var, RlxTirExpr *value) {
  Binding b = {var, value};
  RlxTirExpr *term = var ? rules_subst(x->r, x->nest->term, &b, 1) : x->nest->term;
  return rlx_tir_cast(x->r->f, x->t, term);
}

/// C[s] = op(start, total), with the spatial variable `var` at `value`.
static RlxTirStmt *store_result(const Reduction *x, const RlxTirVar *var, RlxTirExpr *value,
                                RlxTirExpr *total) {
  const Nest *n = x->nest;
  Binding b = {var, value};
  RlxTirExpr **indices = rlx_arena_array(x->r->f->arena, RlxTirExpr *, n->buffer->ndim + 1);
  for (int d = 0; d < n->buffer->ndim; d++)
    indices[d] = var ? rules_subst(x->r, n->indices[d], &b, 1) : n->indices[d];
  RlxTirExpr *start = n->init ? (var ? rules_subst(x->r, n->init, &b, 1) : n->init)
                              : rlx_tir_load(x->r->f, n->buffer, indices);
  start = rlx_tir_cast(x->r->f, x->t, start);
  bool is_zero = (start->kind == RLX_TIR_FLOAT && start->number == 0) ||
                 (start->kind == RLX_TIR_INT && start->integer == 0);
  if (!is_zero || n->op != RLX_TIR_ADD) total = c_op(x->r, n->op, start, total);
  return rlx_tir_store(x->r->f, n->buffer, indices, rlx_tir_cast(x->r->f, n->buffer->dtype, total));
}

static RlxTirStmt *around(const Reduction *x, bool reduce, const RlxTirVar *except,
                          RlxTirStmt *body) {
  const Nest *n = x->nest;
  int outermost = 0;
  while (outermost < n->count &&
         (n->loops[outermost].is_reduce != reduce || n->loops[outermost].var == except))
    outermost++;
  for (int i = n->count - 1; i >= 0; i--) {
    const NestLoop *loop = &n->loops[i];
    if (loop->is_reduce != reduce || loop->var == except) continue;
    RlxTirForKind kind = i == outermost && !reduce && rules_is_one_to_one(n)
                             ? rules_outer_kind(x->r, n)
                             : RLX_FOR_SERIAL;
    body = c_for_kind(x->r, loop->var, loop->extent, kind, body);
  }
  return body;
}

/// acc[base + lane] = make(lane) for one vector of `lanes` lanes.
typedef RlxTirExpr *LaneValue(const Reduction *x, RlxTirExpr *lane, const void *data);

static RlxTirStmt *vector_store(const Reduction *x, RlxTirBuffer *acc, int base, int lanes,
                                LaneValue *make, const void *data) {
  RlxTirVar *lane = c_var(x->r, "lane");
  RlxTirExpr *at = c_add(x->r, c_use(x->r, lane), c_int(x->r, base));
  RlxTirStmt *store = c_store(x->r, acc, at, make(x, c_use(x->r, lane), data));
  return c_for_kind(x->r, lane, c_int(x->r, lanes), RLX_FOR_VECTORIZED, store);
}

static RlxTirExpr *neutral_value(const Reduction *x, RlxTirExpr *lane, const void *data) {
  (void)lane;
  (void)data;
  return rules_neutral(x->r, x->nest->op, x->t);
}

typedef struct Step {
  RlxTirBuffer *acc;
  int base;             // in acc
  const RlxTirVar *var; // the loop that is in lanes
  RlxTirExpr *at;       // its value in lane 0
} Step;

static RlxTirExpr *step_value(const Reduction *x, RlxTirExpr *lane, const void *data) {
  const Step *s = data;
  RlxTirExpr *old = c_load(x->r, s->acc, c_add(x->r, lane, c_int(x->r, s->base)));
  return c_op(x->r, x->nest->op, old, term_at(x, s->var, c_add(x->r, s->at, lane)));
}

/// `vectors` vectors of accumulators take the terms from var = at on.
static RlxTirStmt *step(const Reduction *x, RlxTirBuffer *acc, int vectors, const RlxTirVar *var,
                        RlxTirExpr *at) {
  RlxTirStmt *all[8];
  for (int u = 0; u < vectors; u++) {
    Step s = {acc, u * x->lanes, var, c_add(x->r, at, c_int(x->r, (int64_t)u * x->lanes))};
    all[u] = vector_store(x, acc, s.base, x->lanes, step_value, &s);
  }
  return rlx_tir_seq(x->r->f, all, vectors);
}

static RlxTirStmt *clear(const Reduction *x, RlxTirBuffer *acc, int vectors) {
  RlxTirStmt *all[8];
  for (int u = 0; u < vectors; u++)
    all[u] = vector_store(x, acc, u * x->lanes, x->lanes, neutral_value, NULL);
  return rlx_tir_seq(x->r->f, all, vectors);
}

typedef struct Fold {
  RlxTirBuffer *acc;
  int from;
} Fold;

static RlxTirExpr *fold_value(const Reduction *x, RlxTirExpr *lane, const void *data) {
  const Fold *fold = data;
  return c_op(x->r, x->nest->op, c_load(x->r, fold->acc, lane),
              c_load(x->r, fold->acc, c_add(x->r, lane, c_int(x->r, fold->from))));
}

/// All lanes of all vectors into acc[0].
static RlxTirStmt *fold_lanes(const Reduction *x, RlxTirBuffer *acc, int vectors) {
  RlxTirStmt *out = NULL;
  for (int width = vectors * x->lanes / 2; width >= 1; width /= 2) {
    Fold fold = {acc, width};
    RlxTirStmt *s;
    if (width == 1) {
      s = c_store(x->r, acc, c_int(x->r, 0), fold_value(x, c_int(x->r, 0), &fold));
    } else {
      int lanes = width < x->lanes ? width : x->lanes;
      s = NULL;
      for (int base = 0; base < width; base += lanes) {
        RlxTirVar *lane = c_var(x->r, "lane");
        RlxTirExpr *at = c_add(x->r, c_use(x->r, lane), c_int(x->r, base));
        RlxTirStmt *store = c_store(x->r, acc, at, fold_value(x, at, &fold));
        s = c_seq2(x->r, s, c_for_kind(x->r, lane, c_int(x->r, lanes), RLX_FOR_VECTORIZED, store));
      }
    }
    out = c_seq2(x->r, out, s);
  }
  return out;
}

static RlxTirStmt *scalar_step(const Reduction *x, RlxTirBuffer *acc, const RlxTirVar *var,
                               RlxTirExpr *value) {
  RlxTirExpr *zero = c_int(x->r, 0);
  return c_store(x->r, acc, zero,
                 c_op(x->r, x->nest->op, c_load(x->r, acc, zero), term_at(x, var, value)));
}

// ---- the three forms

static RlxTirStmt *reduce_scalar(const Reduction *x) {
  Rules *r = x->r;
  RlxTirBuffer *acc = c_buffer(r, "acc", x->t, c_int(r, 1));
  RlxTirExpr *zero = c_int(r, 0);
  RlxTirStmt *parts[3] = {c_store(r, acc, zero, rules_neutral(r, x->nest->op, x->t)),
                          around(x, true, NULL, scalar_step(x, acc, NULL, NULL)),
                          store_result(x, NULL, NULL, c_load(r, acc, zero))};
  return around(x, false, NULL, rlx_tir_alloc(r->f, acc, rlx_tir_seq(r->f, parts, 3)));
}

/// A row of accumulators in memory and the spatial loop innermost: for terms that are strided or
/// guarded along it, as in pooling, LLVM vectorises that loop itself.
static RlxTirStmt *reduce_swapped(const Reduction *x, const NestLoop *loop) {
  Rules *r = x->r;
  RlxTirBuffer *acc = c_buffer(r, "acc", x->t, c_length(r, loop->extent));
  RlxTirVar *i = c_var(r, "i"), *j = c_var(r, "j"), *k = c_var(r, "k");
  RlxTirExpr *at = c_use(r, j);
  RlxTirStmt *clear_all =
      c_for(r, i, loop->extent, c_store(r, acc, c_use(r, i), rules_neutral(r, x->nest->op, x->t)));
  RlxTirStmt *add =
      c_store(r, acc, at, c_op(r, x->nest->op, c_load(r, acc, at), term_at(x, loop->var, at)));
  RlxTirStmt *write = c_for(r, k, loop->extent,
                            store_result(x, loop->var, c_use(r, k), c_load(r, acc, c_use(r, k))));
  RlxTirStmt *parts[3] = {clear_all, around(x, true, NULL, c_for(r, j, loop->extent, add)), write};
  return around(x, false, loop->var, rlx_tir_alloc(r->f, acc, rlx_tir_seq(r->f, parts, 3)));
}

static RlxTirStmt *reduce_rows(const Reduction *x, const NestLoop *loop) {
  Rules *r = x->r;
  bool is_const = loop->extent->kind == RLX_TIR_INT;
  int vectors = ROW_VECTORS;
  while (is_const && vectors > 1 && loop->extent->integer < 2 * vectors * x->lanes) vectors /= 2;
  int64_t block = (int64_t)vectors * x->lanes;
  RlxTirExpr *n = c_length(r, loop->extent), *zero = c_int(r, 0);
  RlxTirBuffer *acc = c_buffer(r, "acc", x->t, c_int(r, block)),
               *rest = c_buffer(r, "rest", x->t, c_int(r, 1));
  RlxTirVar *i = c_var(r, "i"), *j = c_var(r, "j"), *k = c_var(r, "k");
  RlxTirExpr *whole = c_op(r, RLX_TIR_FLOORDIV, n, c_int(r, block)),
             *done = c_mul(r, whole, c_int(r, block));
  RlxTirStmt *steps =
      c_for(r, i, whole, step(x, acc, vectors, loop->var, c_mul(r, c_use(r, i), c_int(r, block))));
  RlxTirExpr *more =
      vectors > 1 ? c_op(r, RLX_TIR_FLOORDIV, c_sub(r, n, done), c_int(r, x->lanes)) : zero;
  if (!(more->kind == RLX_TIR_INT && more->integer == 0))
    steps = c_seq2(r, steps,
                   c_for(r, j, more,
                         step(x, acc, 1, loop->var,
                              c_add(r, done, c_mul(r, c_use(r, j), c_int(r, x->lanes))))));
  RlxTirExpr *done2 = c_add(r, done, c_mul(r, more, c_int(r, x->lanes))),
             *left = c_sub(r, n, done2);
  bool has_rest = !(left->kind == RLX_TIR_INT && left->integer == 0);
  if (has_rest)
    steps = c_seq2(
        r, steps, c_for(r, k, left, scalar_step(x, rest, loop->var, c_add(r, done2, c_use(r, k)))));
  RlxTirStmt *out = clear(x, acc, vectors);
  if (has_rest) out = c_seq2(r, out, c_store(r, rest, zero, rules_neutral(r, x->nest->op, x->t)));
  out = c_seq2(r, out, around(x, true, loop->var, steps));
  out = c_seq2(r, out, fold_lanes(x, acc, vectors));
  RlxTirExpr *total = c_load(r, acc, zero);
  if (has_rest) total = c_op(r, x->nest->op, total, c_load(r, rest, zero));
  out = c_seq2(r, out, store_result(x, NULL, NULL, total));
  out = rlx_tir_alloc(r->f, acc, has_rest ? rlx_tir_alloc(r->f, rest, out) : out);
  return around(x, false, NULL, out);
}

/// One group of `vectors` vectors of the spatial loop, from `at` on.
static RlxTirStmt *column_group(const Reduction *x, const NestLoop *loop, int vectors,
                                RlxTirExpr *at) {
  Rules *r = x->r;
  RlxTirBuffer *acc = c_buffer(r, "acc", x->t, c_int(r, (int64_t)vectors * x->lanes));
  RlxTirStmt *out = c_seq2(r, clear(x, acc, vectors),
                           around(x, true, NULL, step(x, acc, vectors, loop->var, at)));
  for (int u = 0; u < vectors; u++) {
    RlxTirVar *lane = c_var(r, "lane");
    RlxTirExpr *in_acc = c_add(r, c_use(r, lane), c_int(r, (int64_t)u * x->lanes));
    RlxTirStmt *store = store_result(x, loop->var, c_add(r, at, in_acc), c_load(r, acc, in_acc));
    out = c_seq2(r, out, c_for_kind(r, lane, c_int(r, x->lanes), RLX_FOR_VECTORIZED, store));
  }
  return rlx_tir_alloc(r->f, acc, out);
}

static RlxTirStmt *reduce_columns(const Reduction *x, const NestLoop *loop) {
  Rules *r = x->r;
  bool is_const = loop->extent->kind == RLX_TIR_INT;
  int vectors = COLUMN_VECTORS;
  while (is_const && vectors > 1 && loop->extent->integer < vectors * x->lanes) vectors /= 2;
  int64_t block = (int64_t)vectors * x->lanes;
  RlxTirExpr *n = c_length(r, loop->extent), *zero = c_int(r, 0);
  RlxTirVar *i = c_var(r, "i"), *j = c_var(r, "j"), *k = c_var(r, "k"), *at = c_var(r, "at");
  RlxTirExpr *whole = c_op(r, RLX_TIR_FLOORDIV, n, c_int(r, block)),
             *done = c_mul(r, whole, c_int(r, block));
  RlxTirStmt *out =
      c_for(r, i, whole, column_group(x, loop, vectors, c_mul(r, c_use(r, i), c_int(r, block))));
  RlxTirExpr *more =
      vectors > 1 ? c_op(r, RLX_TIR_FLOORDIV, c_sub(r, n, done), c_int(r, x->lanes)) : zero;
  if (!(more->kind == RLX_TIR_INT && more->integer == 0))
    out = c_seq2(
        r, out,
        c_for(r, j, more,
              column_group(x, loop, 1, c_add(r, done, c_mul(r, c_use(r, j), c_int(r, x->lanes))))));
  RlxTirExpr *done2 = c_add(r, done, c_mul(r, more, c_int(r, x->lanes))),
             *left = c_sub(r, n, done2);
  if (!(left->kind == RLX_TIR_INT && left->integer == 0)) {
    RlxTirBuffer *acc = c_buffer(r, "acc", x->t, c_int(r, 1));
    RlxTirStmt *parts[3] = {c_store(r, acc, zero, rules_neutral(r, x->nest->op, x->t)),
                            around(x, true, NULL, scalar_step(x, acc, loop->var, c_use(r, at))),
                            store_result(x, loop->var, c_use(r, at), c_load(r, acc, zero))};
    RlxTirStmt *one = rlx_tir_alloc(r->f, acc, rlx_tir_seq(r->f, parts, 3));
    out = c_seq2(r, out, c_for(r, k, left, c_let(r, at, c_add(r, done2, c_use(r, k)), one)));
  }
  return around(x, false, loop->var, out);
}

typedef struct Rows {
  RlxTirBuffer *acc;
  RlxTirExpr *at;                  // place in acc of lane 0
  const RlxTirVar *row, *column;   // the loops
  RlxTirExpr *first_row, *column0; // their values for the first row, and in lane 0
  int count;
} Rows;

static RlxTirExpr *rows_value(const Reduction *x, RlxTirExpr *lane, const void *data) {
  const Rows *s = data;
  Rules *r = x->r;
  RlxTirExpr *sum = c_load(r, s->acc, c_add(r, s->at, lane));
  for (int u = 0; u < s->count; u++) {
    Binding both[2] = {{s->row, c_add(r, s->first_row, c_int(r, u))},
                       {s->column, c_add(r, s->column0, lane)}};
    RlxTirExpr *term = rlx_tir_cast(r->f, x->t, rules_subst(r, x->nest->term, both, 2));
    sum = c_op(r, x->nest->op, sum, term);
  }
  return sum;
}

/// acc[0, width) takes the terms of `count` rows, for the columns from `start` on.
static RlxTirStmt *stream_rows(const Reduction *x, RlxTirBuffer *acc, int64_t width,
                               const NestLoop *row, const NestLoop *column, RlxTirExpr *first_row,
                               RlxTirExpr *start, int count) {
  Rules *r = x->r;
  RlxTirVar *j = c_var(r, "j"), *lane = c_var(r, "lane");
  RlxTirExpr *at = c_mul(r, c_use(r, j), c_int(r, x->lanes));
  Rows s = {acc, at, row->var, column->var, first_row, c_add(r, start, at), count};
  RlxTirStmt *store =
      c_store(r, acc, c_add(r, at, c_use(r, lane)), rows_value(x, c_use(r, lane), &s));
  return c_for(r, j, c_int(r, width / x->lanes),
               c_for_kind(r, lane, c_int(r, x->lanes), RLX_FOR_VECTORIZED, store));
}

/// The columns that are summed at a time: a divisor of `columns`; 0: none fits.
static int64_t stream_width(const Reduction *x, int64_t columns) {
  for (int64_t width = STREAM_COLUMNS; width >= STREAM_LEAST; width -= x->lanes)
    if (columns % width == 0) return width;
  return columns % x->lanes == 0 && columns >= STREAM_LEAST && columns <= 4 * STREAM_COLUMNS
             ? columns
             : 0;
}

static RlxTirStmt *reduce_streamed(const Reduction *x, const NestLoop *column) {
  Rules *r = x->r;
  const NestLoop *row = NULL;
  for (int i = 0; i < x->nest->count; i++) {
    const NestLoop *loop = &x->nest->loops[i];
    if (loop->is_reduce && row) return NULL;
    if (loop->is_reduce) row = loop;
  }
  if (!row || row->extent->kind != RLX_TIR_INT || column->extent->kind != RLX_TIR_INT) return NULL;
  int64_t rows = row->extent->integer, columns = column->extent->integer;
  int64_t width = stream_width(x, columns), rest = rows % STREAM_ROWS;
  if (!width || rows < 2 * STREAM_ROWS || rows * columns < STREAM_BYTES / ((x->t.bits + 7) / 8))
    return NULL;
  RlxTirBuffer *acc = c_buffer(r, "acc", x->t, c_int(r, width));
  RlxTirVar *block = c_var(r, "block"), *i = c_var(r, "i"), *j = c_var(r, "j"), *k = c_var(r, "k");
  RlxTirExpr *start = c_mul(r, c_use(r, block), c_int(r, width));
  RlxTirExpr *first_row = c_mul(r, c_use(r, k), c_int(r, STREAM_ROWS));
  RlxTirStmt *out = c_for(r, i, c_int(r, width),
                          c_store(r, acc, c_use(r, i), rules_neutral(r, x->nest->op, x->t)));
  out = c_seq2(r, out,
               c_for(r, k, c_int(r, rows / STREAM_ROWS),
                     stream_rows(x, acc, width, row, column, first_row, start, STREAM_ROWS)));
  if (rest)
    out = c_seq2(r, out,
                 stream_rows(x, acc, width, row, column, c_int(r, rows - rest), start, (int)rest));
  out = c_seq2(r, out,
               c_for(r, j, c_int(r, width),
                     store_result(x, column->var, c_add(r, start, c_use(r, j)),
                                  c_load(r, acc, c_use(r, j)))));
  RlxTirForKind kind = rules_is_one_to_one(x->nest) ? rules_outer_kind(r, x->nest) : RLX_FOR_SERIAL;
  out = c_for_kind(r, block, c_int(r, columns / width), kind, rlx_tir_alloc(r->f, acc, out));
  // Threads share the columns, not what is around them.
  for (int n = x->nest->count - 1; n >= 0; n--) {
    const NestLoop *loop = &x->nest->loops[n];
    if (!loop->is_reduce && loop->var != column->var) out = c_for(r, loop->var, loop->extent, out);
  }
  return out;
}

RlxTirStmt *rule_reduction(Rules *r, const Nest *nest) {
  RlxDType t = rules_accumulator(nest->buffer->dtype);
  bool reduces = false;
  for (int i = 0; i < nest->count; i++) reduces = reduces || nest->loops[i].is_reduce;
  if (!reduces || t.lanes != 1 || rlx_dtype_is_bool(t) || !rules_neutral(r, nest->op, t))
    return NULL;
  Reduction x = {r, nest, t, r->target.vector_bytes / ((t.bits + 7) / 8)};
  const NestLoop *row = NULL, *column = NULL, *swapped = NULL;
  for (int i = 0; i < nest->count; i++) {
    const NestLoop *loop = &nest->loops[i];
    bool is_handy = loop->extent->kind == RLX_TIR_INT && loop->extent->integer >= 8 &&
                    loop->extent->integer <= 1024;
    if (!loop->is_reduce && is_handy && stored_contiguously(&x, loop)) swapped = loop;
    if (!is_vector_loop(&x, loop)) continue;
    if (loop->is_reduce)
      row = loop;
    else if (stored_contiguously(&x, loop))
      column = loop;
  }
  bool short_row = row && row->extent->kind == RLX_TIR_INT && row->extent->integer < 2 * x.lanes;
  if (row && !(short_row && column)) return reduce_rows(&x, row);
  RlxTirStmt *streamed = column ? reduce_streamed(&x, column) : NULL;
  if (streamed) return streamed;
  if (column) return reduce_columns(&x, column);
  if (swapped) return reduce_swapped(&x, swapped);
  return reduce_scalar(&x);
}
