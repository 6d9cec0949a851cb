/// sort, argsort, topk, median by counting: an element's rank is the number of elements that come
/// before it. Stable; costs the square of the row's length, in loops that vectorise and need no
/// scratch but the ranks.
#include <stdio.h>
#include <string.h>

#include "analyzer/ops/op_ids.h"
#include "jit/legalize/compute.h"

typedef struct Ranking {
  const RlxOperand *x;
  int axis;
  bool descending;
} Ranking;

static RlxE element(RlxCompute *c, const Ranking *k, RlxE *s, RlxE place) {
  RlxE at[RLX_MAX_NDIM];
  memcpy(at, s, sizeof(RlxE) * (size_t)k->x->ndim);
  at[k->axis] = place;
  return rlx_at(c, k->x, at);
}

/// 1 when the element at r[0] comes before the one at s.
static RlxE before(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Ranking *k = data;
  RlxE mine = element(c, k, s, s[k->axis]), other = element(c, k, s, r[0]);
  RlxE ahead = rlx_op(c, k->descending ? RLX_TIR_GT : RLX_TIR_LT, other, mine);
  RlxE tie = rlx_and(c, rlx_eq(c, other, mine), rlx_lt(c, r[0], s[k->axis]));
  return rlx_as(c, RLX_INT64, rlx_op(c, RLX_TIR_OR, ahead, tie));
}

static RlxOperand ranks_of(RlxCompute *c, Ranking *k) {
  RlxOperand ranks = rlx_temporary(c, RLX_INT64, k->x->shape, k->x->ndim);
  rlx_reduce(c, &ranks, &k->x->shape[k->axis], 1, RLX_TIR_ADD, rlx_i(c, 0), before, k);
  return ranks;
}

/// for each place with a rank below `limit` (NULL: all): writes values and/or indices at the rank.
static void place_by_rank(RlxCompute *c, const Ranking *k, const RlxOperand *ranks, RlxE limit,
                          const RlxOperand *values, const RlxOperand *indices) {
  RlxE vars[RLX_MAX_NDIM], to[RLX_MAX_NDIM];
  char name[16];
  for (int i = 0; i < k->x->ndim; i++)
    snprintf(name, sizeof name, "j%d", i), vars[i] = rlx_loop_var(c, name);
  memcpy(to, vars, sizeof to);
  RlxE rank = rlx_at(c, ranks, vars);
  to[k->axis] = rank;
  RlxTirStmt *writes[2];
  int n = 0;
  if (values) writes[n++] = rlx_put(c, values, to, rlx_at(c, k->x, vars));
  if (indices) writes[n++] = rlx_put(c, indices, to, rlx_as(c, indices->dtype, vars[k->axis]));
  RlxTirStmt *body = rlx_tir_seq(c->f, writes, n);
  if (limit) body = rlx_when(c, rlx_lt(c, rank, limit), body);
  rlx_emit(c, rlx_loops(c, vars, k->x->shape, k->x->ndim, body));
}

static RlxE flat_element(RlxCompute *c, RlxE *index, void *data) {
  const RlxOperand *x = data;
  RlxE at[RLX_MAX_NDIM], rest = index[0];
  for (int i = x->ndim; i-- > 0;) {
    at[i] = i ? rlx_fmod(c, rest, x->shape[i]) : rest;
    if (i) rest = rlx_fdiv(c, rest, x->shape[i]);
  }
  return rlx_at(c, x, at);
}

/// The lower median of the row, with its place when there is a second result.
static bool median(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0);
  int64_t axes[RLX_MAX_NDIM];
  int n = rlx_ints_of(c, "axis", axes, RLX_MAX_NDIM);
  RlxOperand flat;
  Ranking k = {x, 0, false};
  if (n < 0) { // over everything
    RlxE size = rlx_product(c, x->shape, x->ndim);
    flat = rlx_temporary(c, x->dtype, &size, 1);
    RlxOperand whole = *x;
    rlx_compute(c, &flat, flat_element, &whole);
    k.x = &flat;
  } else if (n == 1) {
    k.axis = rlx_axis(axes[0], x->ndim);
  } else {
    return rlx_refuse(c, "R.median over several axes has no kernel");
  }
  RlxOperand ranks = ranks_of(c, &k);
  RlxE middle = rlx_fdiv(c, rlx_sub(c, k.x->shape[k.axis], rlx_i(c, 1)), rlx_i(c, 2)),
       vars[RLX_MAX_NDIM], to[RLX_MAX_NDIM];
  char name[16];
  int m = 0;
  bool keeps = rlx_bool_of(c, "keepdims", false);
  for (int i = 0; i < k.x->ndim; i++) {
    snprintf(name, sizeof name, "j%d", i);
    vars[i] = rlx_loop_var(c, name);
    if (i != k.axis)
      to[m++] = vars[i];
    else if (keeps)
      to[m++] = rlx_i(c, 0);
  }
  for (; m < c->outputs[0].ndim; m++) to[m] = rlx_i(c, 0);
  RlxTirStmt *writes[2];
  int count = 0;
  writes[count++] = rlx_put(c, &c->outputs[0], to, rlx_at(c, k.x, vars));
  if (c->output_count > 1)
    writes[count++] = rlx_put(c, &c->outputs[1], to, rlx_as(c, c->outputs[1].dtype, vars[k.axis]));
  rlx_emit(c, rlx_loops(c, vars, k.x->shape, k.x->ndim,
                        rlx_when(c, rlx_eq(c, rlx_at(c, &ranks, vars), middle),
                                 rlx_tir_seq(c->f, writes, count))));
  return true;
}

bool rlx_legalize_sort(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0);
  if (!x) return false;
  RlxOpId op = c->call->row->id;
  if (op == RLX_OPID_median) return median(c);
  Ranking k = {x, rlx_axis(rlx_int_of(c, "axis", -1), x->ndim),
               op == RLX_OPID_topk ? rlx_bool_of(c, "largest", true)
                                   : rlx_bool_of(c, "descending", false)};
  RlxOperand ranks = ranks_of(c, &k);
  const RlxOperand *values = &c->outputs[0], *indices = NULL;
  RlxE limit = NULL;
  if (op == RLX_OPID_argsort) {
    indices = values;
    values = NULL;
  } else if (op == RLX_OPID_topk) {
    const char *kind = rlx_str_of(c, "ret_type", "both");
    limit = c->outputs[0].shape[k.axis];
    if (!strcmp(kind, "both") && c->output_count == 2) {
      indices = &c->outputs[1];
    } else if (!strcmp(kind, "indices")) {
      indices = values;
      values = NULL;
    }
  }
  place_by_rank(c, &k, &ranks, limit, values, indices);
  return true;
}
