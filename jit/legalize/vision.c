/// Pooling of regions of interest.
#include <string.h>

#include "jit/legalize/compute.h"

typedef struct Roi {
  const RlxOperand *x, *rois, *raw;
  int64_t pooled[2], samples;
  double scale;
  bool is_aligned, is_max, is_last; ///< is_last: channels are (NHWC)
  RlxDType t;
} Roi;

static RlxE roi_number(RlxCompute *c, const Roi *z, RlxE roi, int column) {
  RlxE at[2] = {roi, rlx_i(c, column)};
  return rlx_as(c, z->t, rlx_at(c, z->rois, at));
}

static int spatial_axis(const Roi *z, int i) { return z->is_last ? 1 + i : 2 + i; }

/// Start and size of the region along spatial axis `i` (0: height), in elements of the data.
static void region(RlxCompute *c, const Roi *z, RlxE roi, int i, RlxE *start, RlxE *size) {
  RlxE scale = rlx_num(c, z->scale, z->t);
  *start = rlx_mul(c, roi_number(c, z, roi, 2 - i), scale);
  RlxE end = rlx_mul(c, roi_number(c, z, roi, 4 - i), scale);
  *size = rlx_sub(c, end, *start);
  if (!z->is_aligned) *size = rlx_op(c, RLX_TIR_MAX, *size, rlx_num(c, 1, z->t));
}

/// Number of samples of a cell along an axis: the ratio, or as many as the cell has elements.
static RlxE samples_of(RlxCompute *c, const Roi *z, RlxE cell) {
  if (z->samples > 0) return rlx_num(c, (double)z->samples, z->t);
  return rlx_op(c, RLX_TIR_MAX, rlx_call1(c, "ceil", cell), rlx_num(c, 0, z->t));
}

/// The sample that turn `r` of the loop looks at. A loop over as many samples as a region asks for
/// has no bound; those inside of the data are at most two for each element, one of those before
/// them and behind them stands for the others, which are 0 alike.
static RlxE sample_of(RlxCompute *c, const Roi *z, RlxE r, RlxE start, RlxE step) {
  RlxE turn = rlx_as(c, z->t, r);
  if (z->samples > 0) return turn;
  RlxE ahead = rlx_op(c, RLX_TIR_DIV, rlx_sub(c, rlx_num(c, -1, z->t), start), step);
  RlxE first = rlx_call1(c, "floor", rlx_sub(c, ahead, rlx_num(c, 1.5, z->t)));
  return rlx_add(c, turn, rlx_op(c, RLX_TIR_MAX, first, rlx_num(c, 0, z->t)));
}

static RlxE align_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Roi *z = data;
  RlxE low[2], high[2], fraction[2], inside = NULL, asked = NULL, all = NULL,
                                     zero = rlx_num(c, 0, z->t);
  for (int i = 0; i < 2; i++) {
    RlxE start, size, extent = z->x->shape[spatial_axis(z, i)];
    region(c, z, s[0], i, &start, &size);
    RlxE cell = rlx_op(c, RLX_TIR_DIV, size, rlx_num(c, (double)z->pooled[i], z->t)),
         o = rlx_as(c, z->t, s[spatial_axis(z, i)]);
    RlxE count = samples_of(c, z, cell), step = rlx_op(c, RLX_TIR_DIV, cell, count);
    RlxE from = rlx_add(c, start, rlx_mul(c, o, cell)), sample = sample_of(c, z, r[i], from, step);
    RlxE place = rlx_add(c, from, rlx_mul(c, rlx_add(c, sample, rlx_num(c, 0.5, z->t)), step));
    RlxE there = rlx_lt(c, sample, count);
    asked = asked ? rlx_and(c, asked, there) : there;
    all = all ? rlx_mul(c, all, count) : count;
    RlxE ok = rlx_and(c, rlx_ge(c, place, rlx_num(c, -1, z->t)),
                      rlx_op(c, RLX_TIR_LE, place, rlx_as(c, z->t, extent)));
    inside = inside ? rlx_and(c, inside, ok) : ok;
    RlxE last = rlx_sub(c, extent, rlx_i(c, 1));
    place = rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, place, zero), rlx_as(c, z->t, last));
    RlxE floor = rlx_call1(c, "floor", place);
    low[i] = rlx_op(c, RLX_TIR_MIN,
                    rlx_op(c, RLX_TIR_MAX, rlx_as(c, RLX_INT64, floor), rlx_i(c, 0)), last);
    high[i] = rlx_op(c, RLX_TIR_MIN, rlx_add(c, low[i], rlx_i(c, 1)), last);
    fraction[i] = rlx_sub(c, place, floor);
  }
  RlxE at[4], sum = NULL, one = rlx_num(c, 1, z->t),
              batch = rlx_as(c, RLX_INT64, roi_number(c, z, s[0], 0));
  at[0] = batch;
  at[z->is_last ? 3 : 1] = s[z->is_last ? 3 : 1];
  for (int k = 0; k < 4; k++) {
    at[spatial_axis(z, 0)] = k & 2 ? high[0] : low[0];
    at[spatial_axis(z, 1)] = k & 1 ? high[1] : low[1];
    RlxE weight = rlx_mul(c, k & 2 ? fraction[0] : rlx_sub(c, one, fraction[0]),
                          k & 1 ? fraction[1] : rlx_sub(c, one, fraction[1]));
    RlxE e = rlx_mul(c, weight, rlx_as(c, z->t, rlx_at(c, z->x, at)));
    sum = sum ? rlx_add(c, sum, e) : e;
  }
  if (!z->is_max) sum = rlx_op(c, RLX_TIR_DIV, sum, all);
  RlxE value = rlx_pick(c, inside, sum, zero);
  if (z->samples > 0) return value;
  return rlx_pick(c, asked, value, z->is_max ? rlx_lowest(c, z->t) : zero);
}

/// Halves go up, as in TVM's kernel: not to the even number.
static RlxE rounded(RlxCompute *c, RlxE e) {
  return rlx_call1(c, "floor", rlx_add(c, e, rlx_num(c, 0.5, e->dtype)));
}

/// First place of cell `o` along axis `i`, and behind its last, inside the data.
static void cell_range(RlxCompute *c, const Roi *z, RlxE roi, int i, RlxE o, RlxE *from, RlxE *to) {
  RlxE scale = rlx_num(c, z->scale, z->t), extent = z->x->shape[2 + i], zero = rlx_i(c, 0);
  RlxE start = rlx_as(c, RLX_INT64, rounded(c, rlx_mul(c, roi_number(c, z, roi, 2 - i), scale)));
  RlxE end = rlx_as(c, RLX_INT64, rounded(c, rlx_mul(c, roi_number(c, z, roi, 4 - i), scale)));
  RlxE size = rlx_op(c, RLX_TIR_MAX, rlx_add(c, rlx_sub(c, end, start), rlx_i(c, 1)), rlx_i(c, 1));
  RlxE cell = rlx_op(c, RLX_TIR_DIV, rlx_as(c, z->t, size), rlx_num(c, (double)z->pooled[i], z->t)),
       place = rlx_as(c, z->t, o);
  RlxE first = rlx_as(c, RLX_INT64, rlx_call1(c, "floor", rlx_mul(c, place, cell)));
  RlxE behind = rlx_as(
      c, RLX_INT64, rlx_call1(c, "ceil", rlx_mul(c, rlx_add(c, place, rlx_num(c, 1, z->t)), cell)));
  *from = rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, rlx_add(c, first, start), zero), extent);
  *to = rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, rlx_add(c, behind, start), zero), extent);
}

static RlxE pool_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Roi *z = data;
  RlxE inside = NULL, batch = rlx_as(c, RLX_INT64, roi_number(c, z, s[0], 0));
  for (int i = 0; i < 2; i++) {
    RlxE from, to;
    cell_range(c, z, s[0], i, s[2 + i], &from, &to);
    RlxE ok = rlx_and(c, rlx_ge(c, r[i], from), rlx_lt(c, r[i], to));
    inside = inside ? rlx_and(c, inside, ok) : ok;
  }
  RlxE at[4] = {batch, s[1], r[0], r[1]};
  return rlx_pick(c, inside, rlx_as(c, z->t, rlx_at(c, z->x, at)), rlx_lowest(c, z->t));
}

/// An empty cell is 0.
static RlxE pooled_value(RlxCompute *c, RlxE *s, void *data) {
  const Roi *z = data;
  RlxE empty = NULL;
  for (int i = 0; i < 2; i++) {
    RlxE from, to;
    cell_range(c, z, s[0], i, s[2 + i], &from, &to);
    RlxE none = rlx_ge(c, from, to);
    empty = empty ? rlx_op(c, RLX_TIR_OR, empty, none) : none;
  }
  return rlx_pick(c, empty, rlx_num(c, 0, z->t), rlx_at(c, z->raw, s));
}

bool rlx_legalize_roi(RlxCompute *c) {
  Roi z = {.x = rlx_operand(c, 0),
           .rois = rlx_operand(c, 1),
           .scale = rlx_float_of(c, "spatial_scale", 1)};
  if (!z.x || !z.rois) return false;
  const RlxOperand *out = &c->outputs[0];
  z.t = rlx_wide(z.x->dtype);
  int n = rlx_ints_of(c, "pooled_size", z.pooled, 2);
  if (n < 1 || z.x->ndim != 4 || !rlx_dtype_is_float(z.t))
    return rlx_refuse(c, "R.%s: the operands have no kernel", c->call->row->script);
  if (n == 1) z.pooled[1] = z.pooled[0];
  z.is_last = !strcmp(rlx_str_of(c, "layout", "NCHW"), "NHWC");
  if (c->call->row->id == RLX_OP_ID(vision_roi_pool)) {
    RlxOperand raw = rlx_temporary(c, z.t, out->shape, out->ndim);
    z.raw = &raw;
    rlx_reduce(c, &raw, &z.x->shape[2], 2, RLX_TIR_MAX, rlx_lowest(c, z.t), pool_term, &z);
    rlx_compute(c, out, pooled_value, &z);
    return true;
  }
  z.samples = rlx_int_of(c, "sample_ratio", -1);
  z.is_aligned = rlx_bool_of(c, "aligned", false);
  z.is_max = !strcmp(rlx_str_of(c, "mode", "avg"), "max");
  if (!rlx_dtype_equal(z.t, out->dtype)) z.t = out->dtype;
  RlxE extents[2];
  for (int i = 0; i < 2; i++)
    extents[i] =
        z.samples > 0
            ? rlx_i(c, z.samples)
            : rlx_add(c, rlx_mul(c, z.x->shape[spatial_axis(&z, i)], rlx_i(c, 2)), rlx_i(c, 8));
  rlx_reduce(c, out, extents, 2, z.is_max ? RLX_TIR_MAX : RLX_TIR_ADD,
             z.is_max ? rlx_lowest(c, z.t) : rlx_num(c, 0, z.t), align_term, &z);
  return true;
}
