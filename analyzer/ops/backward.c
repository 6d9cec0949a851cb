/// Inverse rules: what the result of an operator, and its other operands, require of an operand.
/// Always true: what a rule requires holds whenever the operator succeeds and gives such a result;
/// what it only suggests is `may`.
#include "analyzer/ops/backward.h"

#define RLX_BACKWARD(rule, inverse)                                                                \
  const RlxSInfo *rlx_deduce_##rule(RlxDeduce *d, const RlxCall *call);
#include "analyzer/ops/backward.def"
#undef RLX_BACKWARD

RlxNeed rlx_need_nothing(void) {
  RlxNeed need = {.ndim = -1, .dtype = rlx_dtype_unknown()};
  return need;
}

static const RlxExpr *operand(const RlxCall *call, int i) {
  const RlxValue *v = &call->args[i];
  return (v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE) && !v->is_default ? v->expr
                                                                                      : NULL;
}

static bool all_known(const RlxNeed *need) {
  for (int i = 0; i < need->ndim; i++)
    if (!need->dims[i]) return false;
  return need->ndim >= 0;
}

/// A shape to suggest: what is known, else what was suggested; false: none.
static bool shape_of(const RlxNeed *need, const RlxPrim *const **dims, int *ndim) {
  *dims = all_known(need) ? need->dims : need->may;
  *ndim = all_known(need) ? need->ndim : need->may_ndim;
  return all_known(need) || need->has_may;
}

// ---- one operand

/// The operand is as the result.
static void rlx_backward_same(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = operand(call, 0);
  if (x) v->require(v, x, &v->result);
}

static void rlx_backward_same_shape(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = operand(call, 0);
  RlxNeed need = v->result;
  need.dtype = rlx_dtype_unknown();
  if (x) v->require(v, x, &need);
}

static void rlx_backward_same_dtype(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = operand(call, 0);
  RlxNeed need = rlx_need_nothing();
  need.dtype = v->result.dtype;
  if (x) v->require(v, x, &need);
}

/// x.shape[axes[i]] = out.shape[i].
static void rlx_backward_permute_dims(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = operand(call, 0);
  if (!x) return;
  RlxNeed need = rlx_need_nothing(), known = v->known(v, x);
  const int64_t *axes = NULL;
  int count = 0;
  RlxAttrState state = rlx_attr_ints(&v->d, call, 1, &axes, &count);
  need.dtype = v->result.dtype;
  need.ndim = v->result.ndim >= 0 ? v->result.ndim : state == RLX_ATTR_OK ? count : known.ndim;
  bool bad = need.ndim > RLX_NEED_DIMS || (state == RLX_ATTR_OK && count != need.ndim) ||
             state == RLX_ATTR_BAD || state == RLX_ATTR_UNKNOWN;
  if (bad) return;
  need.has_may = v->result.has_may && v->result.may_ndim == need.ndim;
  need.may_ndim = need.ndim;
  for (int i = 0; i < need.ndim; i++) {
    int64_t at = state == RLX_ATTR_OK ? axes[i] : need.ndim - 1 - i;
    if (at < 0) at += need.ndim;
    if (at < 0 || at >= need.ndim) return;
    if (v->result.ndim >= 0) need.dims[at] = v->result.dims[i];
    if (need.has_may) need.may[at] = v->result.may[i];
  }
  v->require(v, x, &need);
}

/// The result without the axes that were inserted.
static void rlx_backward_expand_dims(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = operand(call, 0);
  const int64_t *axes;
  int count, ndim = v->result.ndim, next = 0;
  if (!x || rlx_attr_ints(&v->d, call, 1, &axes, &count) != RLX_ATTR_OK) return;
  RlxNeed need = rlx_need_nothing();
  need.dtype = v->result.dtype;
  if (ndim >= count && ndim <= RLX_NEED_DIMS) {
    bool inserted[RLX_NEED_DIMS] = {false};
    for (int i = 0; i < count; i++) {
      int64_t at = axes[i] < 0 ? axes[i] + ndim : axes[i];
      if (at < 0 || at >= ndim || inserted[at]) return;
      inserted[at] = true;
    }
    need.ndim = ndim - count;
    for (int i = 0; i < ndim; i++)
      if (!inserted[i]) need.dims[next++] = v->result.dims[i];
  }
  v->require(v, x, &need);
}

/// Rank and dtype; with `keepdims` the axes that are not reduced, too.
static void rlx_backward_reduce(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = operand(call, 0);
  const int64_t *axes = NULL;
  int count = 0, ndim = v->result.ndim, next = 0;
  bool keep = false;
  if (!x) return;
  RlxNeed need = rlx_need_nothing();
  need.dtype = v->result.dtype;
  RlxAttrState state = rlx_attr_ints(&v->d, call, 1, &axes, &count);
  if (rlx_attr_bool(&v->d, call, 2, &keep) == RLX_ATTR_UNKNOWN) state = RLX_ATTR_UNKNOWN;
  if (ndim >= 0 && state == RLX_ATTR_OK) need.ndim = keep ? ndim : ndim + count;
  if (ndim >= 0 && state == RLX_ATTR_ABSENT && keep) need.ndim = ndim;
  if (need.ndim > RLX_NEED_DIMS) need.ndim = -1;
  bool reduced[RLX_NEED_DIMS] = {false};
  for (int i = 0; i < count && need.ndim >= 0; i++) {
    int64_t at = axes[i] < 0 ? axes[i] + need.ndim : axes[i];
    if (at < 0 || at >= need.ndim || reduced[at]) return;
    reduced[at] = true;
  }
  for (int i = 0; i < need.ndim && state == RLX_ATTR_OK; i++) {
    if (!reduced[i]) need.dims[i] = v->result.dims[keep ? i : next];
    next += !reduced[i];
  }
  v->require(v, x, &need);
}

// ---- several operands

/// One operand of a broadcast. Where the other has no axis, or 1, the result's dimension is this
/// operand's; a larger rank of the result is this operand's. Else a dimension is the result's or 1:
/// the result's is suggested.
static void broadcast_operand(RlxInverse *v, const RlxExpr *x, const RlxNeed *a, const RlxNeed *b,
                              bool dtypes) {
  const RlxNeed *r = &v->result;
  RlxNeed need = rlx_need_nothing();
  if (dtypes) need.dtype = rlx_dtype_known(r->dtype) ? r->dtype : b->dtype;
  if (a->ndim < 0 && b->ndim >= 0 && r->ndim > b->ndim) need.ndim = r->ndim;
  int ndim = a->ndim >= 0 ? a->ndim : need.ndim;
  for (int back = 1; ndim >= 0 && b->ndim >= 0 && r->ndim >= ndim && back <= ndim; back++) {
    const RlxPrim *other = back <= b->ndim ? b->dims[b->ndim - back] : NULL;
    if (back > b->ndim || (other && rlx_dim_is(other, 1)))
      need.dims[ndim - back] = r->dims[r->ndim - back];
  }
  need.ndim = ndim;
  const RlxPrim *const *dims;
  int may = 0;
  if (shape_of(r, &dims, &may) || shape_of(b, &dims, &may)) {
    need.has_may = ndim <= may;
    need.may_ndim = ndim >= 0 ? ndim : may;
    for (int i = 0; need.has_may && i < need.may_ndim; i++)
      need.may[i] = dims[may - need.may_ndim + i];
  }
  v->require(v, x, &need);
}

static void rlx_backward_broadcast(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x[2] = {operand(call, 0), operand(call, 1)};
  if (!x[0] || !x[1] || x[0]->sinfo->kind != RLX_SINFO_TENSOR ||
      x[1]->sinfo->kind != RLX_SINFO_TENSOR)
    return;
  RlxNeed known[2] = {v->known(v, x[0]), v->known(v, x[1])};
  bool dtypes = call->row->deduce == rlx_deduce_binary_arith;
  for (int i = 0; i < 2; i++) broadcast_operand(v, x[i], &known[i], &known[1 - i], dtypes);
}

/// The contracted dimensions are equal; of two matrices the result gives the others.
static void rlx_backward_matmul(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x[2] = {operand(call, 0), operand(call, 1)};
  if (!x[0] || !x[1]) return;
  RlxNeed known[2] = {v->known(v, x[0]), v->known(v, x[1])};
  RlxDType out;
  bool dtypes = rlx_attr_dtype(&v->d, call, 2, &out) == RLX_ATTR_ABSENT;
  for (int i = 0; i < 2; i++) {
    RlxNeed need = rlx_need_nothing();
    const RlxNeed *a = &known[i], *b = &known[1 - i];
    if (dtypes) need.dtype = rlx_dtype_known(v->result.dtype) ? v->result.dtype : b->dtype;
    need.ndim = a->ndim;
    int n = a->ndim, own = n < 1 ? -1 : i == 0 || n == 1 ? n - 1 : n - 2; // its contracted axis
    int other = b->ndim < 1              ? -1
                : i == 1 || b->ndim == 1 ? b->ndim - 1
                                         : b->ndim - 2; // the other's
    if (own >= 0 && other >= 0) need.dims[own] = b->dims[other];
    bool matrices = n == 2 && b->ndim == 2 && v->result.ndim == 2;
    if (matrices) need.dims[i] = v->result.dims[i];
    v->require(v, x[i], &need);
  }
}

/// The operands of a tuple literal.
static int tuple_operands(const RlxCall *call, const RlxExpr **out, int capacity) {
  const RlxExpr *x = operand(call, 0);
  if (!x || x->kind != RLX_EXPR_TUPLE || x->field_count > (uint32_t)capacity) return 0;
  for (uint32_t i = 0; i < x->field_count; i++) out[i] = x->fields[i];
  return (int)x->field_count;
}

enum { TENSORS_MAX = 16 };

/// All but the joined axis are the same for all operands and the result; the joined ones add up.
static void rlx_backward_concat(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x[TENSORS_MAX];
  RlxNeed known[TENSORS_MAX], all = v->result;
  int count = tuple_operands(call, x, TENSORS_MAX);
  int64_t axis = 0;
  if (!count || rlx_attr_int(&v->d, call, 1, &axis) != RLX_ATTR_OK) return;
  for (int i = 0; i < count; i++) {
    known[i] = v->known(v, x[i]);
    if (all.ndim < 0) all.ndim = known[i].ndim;
    if (!rlx_dtype_known(all.dtype)) all.dtype = known[i].dtype;
  }
  if (all.ndim >= 0 && axis < 0) axis += all.ndim;
  if (all.ndim >= 0 && (axis < 0 || axis >= all.ndim)) return;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < all.ndim && known[i].ndim == all.ndim; k++)
      if (k != axis && !all.dims[k]) all.dims[k] = known[i].dims[k];
  const RlxPrim *joined = all.ndim >= 0 && v->result.ndim == all.ndim ? v->result.dims[axis] : NULL;
  for (int i = 0; i < count; i++) {
    RlxNeed need = all;
    need.has_may = false;
    if (all.ndim >= 0) need.dims[axis] = joined;
    for (int k = 0; k < count && all.ndim >= 0 && need.dims[axis]; k++) {
      if (k == i) continue;
      const RlxPrim *part = known[k].ndim == all.ndim ? known[k].dims[axis] : NULL;
      need.dims[axis] =
          part ? rlx_simplify(&v->d, rlx_prim_sub(v->d.store, need.dims[axis], part)) : NULL;
    }
    v->require(v, x[i], &need);
  }
}

/// Each operand is the result without the new axis, and all are alike.
static void rlx_backward_stack(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x[TENSORS_MAX];
  int count = tuple_operands(call, x, TENSORS_MAX), ndim = v->result.ndim, next = 0;
  int64_t axis = 0;
  if (!count || rlx_attr_int(&v->d, call, 1, &axis) != RLX_ATTR_OK) return;
  RlxNeed need = rlx_need_nothing();
  need.dtype = v->result.dtype;
  if (ndim > 0 && axis < 0) axis += ndim;
  if (ndim > 0 && axis >= 0 && axis < ndim) {
    need.ndim = ndim - 1;
    for (int i = 0; i < ndim; i++)
      if (i != axis) need.dims[next++] = v->result.dims[i];
  }
  for (int i = 0; i < count; i++) {
    RlxNeed one = v->known(v, x[i]);
    if (need.ndim < 0) need.ndim = one.ndim;
    if (!rlx_dtype_known(need.dtype)) need.dtype = one.dtype;
    for (int k = 0; k < need.ndim && one.ndim == need.ndim; k++)
      if (!need.dims[k]) need.dims[k] = one.dims[k];
  }
  for (int i = 0; i < count; i++) v->require(v, x[i], &need);
}

// ---- the table

RlxBackwardFn *rlx_backward_rule(const RlxOpRow *row) {
  static const struct {
    RlxDeduceFn deduce;
    RlxBackwardFn *inverse;
  } rules[] = {
#define RLX_BACKWARD(rule, inverse) {rlx_deduce_##rule, rlx_backward_##inverse},
#include "analyzer/ops/backward.def"
#undef RLX_BACKWARD
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].deduce == row->deduce) return rules[i].inverse;
  return NULL;
}
