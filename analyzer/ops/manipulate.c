/// Rules of operators that change a tensor's shape and keep its elements.
#include "analyzer/ops/dist.h"

#define RLX_FAMILY "analyzer/ops/manipulate.def"
#include "analyzer/ops/rules.h"
#include "analyzer/symbolic/int_math.h"

/// The Shape argument `i`, read without reports, for checks beside rlx_out_of_shape (which
/// reports).
static bool shape_dims(const RlxCall *call, int i, RlxDeduce *d, RlxDims *dims, int *ndim) {
  *dims = NULL;
  *ndim = -1;
  return rlx_arg_given(call, i) && rlx_arg_shape(d, call, i, dims, ndim);
}

/// Reports BROADCAST_TARGET when `from` provably does not broadcast to `to`. False after a report.
static bool check_target(RlxDeduce *d, const RlxCall *call, int i, RlxDims from, int from_ndim,
                         RlxDims to, int to_ndim) {
  bool good = from_ndim <= to_ndim;
  for (int back = 1; good && back <= from_ndim; back++) {
    const RlxPrim *p = from[from_ndim - back];
    good = rlx_dim_is(p, 1) || !rlx_rule_unequal(d, p, to[to_ndim - back]);
  }
  if (!good)
    rlx_fail(d, call, i, RLX_DIAG_ID(BROADCAST_TARGET), "ss", rlx_text_dims(d, from, from_ndim),
             rlx_text_dims(d, to, to_ndim));
  return good;
}

/// Reports BROADCAST_TARGET unless every dimension of `target`, aligned at the last axis, is 1 or
/// provably data's; axes of the target beyond data's are not looked at.
/// Source: TVM v0.25 CheckCollapseShape, src/relax/op/tensor/manipulate.cc.
static void check_collapse(RlxDeduce *d, const RlxCall *call, RlxDims data, int data_ndim,
                           RlxDims target, int target_ndim) {
  for (int back = 1; back <= data_ndim && back <= target_ndim; back++) {
    const RlxPrim *p = target[target_ndim - back];
    if (rlx_dim_is(p, 1) || rlx_rule_equal(d, p, data[data_ndim - back])) continue;
    rlx_fail(d, call, 1, RLX_DIAG_ID(BROADCAST_TARGET), "ss", rlx_text_dims(d, target, target_ndim),
             rlx_text_dims(d, data, data_ndim));
    return;
  }
}

/// StructInfo of `R.broadcast_to(x, shape)`: the target shape, x's dtype and device.
///
/// shape  shape; a variable of Shape kind stays the result's shape. Only provable contradictions
/// are refused. Reports ARGUMENT_KIND, RANK, BROADCAST_TARGET.
/// Source: TVM v0.25 InferStructInfoBroadcastTo, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_broadcast_to(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  RlxDims to;
  int ndim;
  if (!shape_dims(call, 1, d, &to, &ndim) || !x) return rlx_out_unknown(d);
  RlxDims from = rlx_rule_dims(d, x);
  if (x->ndim >= 0 && ndim >= 0 && ndim < x->ndim) {
    rlx_fail_rank(d, call, 0, x,
                  rlx_arena_printf(d->scratch, "at most the target's rank %d", ndim));
  } else if (from && to) {
    check_target(d, call, 0, from, x->ndim, to, ndim);
  }
  return rlx_out_of_shape(d, call, 1, x->dtype, x->vdevice);
}

/// StructInfo of `R.collapse_sum_like(data, collapse_target)`: the target's shape and device,
/// data's dtype.
///
/// Reports ARGUMENT_KIND, BROADCAST_TARGET.
/// Source: TVM v0.25 InferStructInfoCollapseSumLike, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_collapse_sum_like(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *data = rlx_arg_tensor(d, call, 0), *target = rlx_arg_tensor(d, call, 1);
  if (!data || !target) return rlx_out_unknown(d);
  RlxDims from = rlx_rule_dims(d, target), to = rlx_rule_dims(d, data);
  if (from && to) check_collapse(d, call, to, data->ndim, from, target->ndim);
  return rlx_out_like(d, target, data->dtype, target->vdevice);
}

/// StructInfo of `R.collapse_sum_to(data, shape)`: the shape, data's dtype and device.
///
/// Reports ARGUMENT_KIND, BROADCAST_TARGET.
/// Source: TVM v0.25 InferStructInfoCollapseSumTo, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_collapse_sum_to(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *data = rlx_arg_tensor(d, call, 0);
  RlxDims from;
  int ndim;
  if (!shape_dims(call, 1, d, &from, &ndim) || !data) return rlx_out_unknown(d);
  RlxDims to = rlx_rule_dims(d, data);
  if (from && to) check_collapse(d, call, to, data->ndim, from, ndim);
  return rlx_out_of_shape(d, call, 1, data->dtype, data->vdevice);
}

/// StructInfo of `R.expand_dims(x, axis)`.
///
/// axis  one or several distinct places in the result, whose rank is ndim + count; empty: x as it
/// is. Reports ARGUMENT_KIND, AXIS_RANGE, AXIS_REPEATED.
/// Source: TVM v0.25 InferStructInfoExpandDims, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_expand_dims(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  const int64_t *given;
  int count;
  RlxAttrState state = rlx_attr_ints(d, call, 1, &given, &count);
  if (!x) return rlx_out_unknown(d);
  if (state == RLX_ATTR_OK && count == 0) return x;
  if (state != RLX_ATTR_OK || x->ndim < 0) return rlx_out(d, x, NULL, -1);
  const int *axes;
  int ndim = x->ndim + count;
  if (rlx_attr_axes(d, call, 1, ndim, &axes, &count) != RLX_ATTR_OK || !x->dims)
    return rlx_out(d, x, NULL, ndim);
  const RlxPrim **dims = rlx_dims_new(d, ndim);
  for (int k = 0; k < count; k++) dims[axes[k]] = rlx_dim(d, 1);
  for (int i = 0, from = 0; i < ndim; i++) {
    if (!dims[i]) dims[i] = x->dims[from++];
  }
  return rlx_out(d, x, dims, ndim);
}

/// StructInfo of `R.flatten(x)`: one dimension, the product of x's; a scalar gives (1,), a vector
/// is kept as it is.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoFlatten, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_flatten(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_out_tensor(d, NULL, 1, rlx_dtype_unknown(), NULL);
  if (x->ndim == 1) return x;
  if (x->ndim != 0 && !x->dims) return rlx_out(d, x, NULL, 1);
  const RlxPrim *length = x->ndim == 0 ? rlx_dim(d, 1) : rlx_rule_product(d, x->dims, x->ndim);
  return rlx_out(d, x, &length, 1);
}

/// Bounds of an index expression when variable k of `vars` runs over [0, dims[k]).
typedef struct Box {
  RlxDeduce *d;
  const RlxValue *vars; ///< LIST of PRIM
  RlxDims dims;
} Box;

/// Smallest (`upper` false) or largest value of `p` in the box; NULL when it is not known. Depth is
/// bounded by the expression's.
static const RlxPrim *bound(const Box *box, const RlxPrim *p, bool upper) {
  RlxStore *store = box->d->store;
  int64_t c;
  switch ((int)p->kind) { // of few kinds something is known
  case RLX_PRIM_INT: return p;
  case RLX_PRIM_VAR:
    for (uint32_t i = 0; i < box->vars->count; i++) {
      if (box->vars->items[i].prim == p)
        return upper ? rlx_prim_addi(store, box->dims[i], -1) : rlx_dim(box->d, 0);
    }
    return NULL;
  case RLX_PRIM_ADD:
  case RLX_PRIM_SUB: {
    const RlxPrim *a = bound(box, p->args[0], upper),
                  *b = bound(box, p->args[1], upper == (p->kind == RLX_PRIM_ADD));
    return a && b ? rlx_prim_binary(store, (RlxPrimKind)p->kind, a, b) : NULL;
  }
  case RLX_PRIM_MUL: {
    bool first = rlx_prim_is_const(p->args[0], &c);
    if (!first && !rlx_prim_is_const(p->args[1], &c)) return NULL;
    const RlxPrim *a = bound(box, p->args[first ? 1 : 0], upper == (c >= 0));
    return a ? rlx_prim_muli(store, a, c) : NULL;
  }
  case RLX_PRIM_FLOORDIV:
  case RLX_PRIM_TRUNCDIV: {
    const RlxPrim *a =
        rlx_prim_is_const(p->args[1], &c) && c > 0 ? bound(box, p->args[0], upper) : NULL;
    return a ? rlx_prim_floordiv(store, a, p->args[1]) : NULL;
  }
  case RLX_PRIM_FLOORMOD:
  case RLX_PRIM_TRUNCMOD: {
    if (!rlx_prim_is_const(p->args[1], &c) || c <= 0) return NULL;
    return rlx_dim(box->d,
                   upper ? c - 1 : 0); // also of a shorter axis: a map that pads (i % 16 of 14)
  }
  default: return NULL;
  }
}

/// What every term of an index is a multiple of, so that indices come in steps of it; 0: it is 0.
static int64_t step_of(const RlxPrim *p) {
  int64_t c;
  if (rlx_prim_is_const(p, &c)) return llabs(c);
  if (p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB)
    return rlx_int_gcd(step_of(p->args[0]), step_of(p->args[1]));
  if (p->kind != RLX_PRIM_MUL) return 1;
  if (rlx_prim_is_const(p->args[1], &c)) return llabs(c);
  return rlx_prim_is_const(p->args[0], &c) ? llabs(c) : 1;
}

static bool is_arithmetic(const RlxPrim *p) {
  return p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB || p->kind == RLX_PRIM_MUL ||
         p->kind == RLX_PRIM_FLOORDIV || p->kind == RLX_PRIM_TRUNCDIV ||
         p->kind == RLX_PRIM_FLOORMOD || p->kind == RLX_PRIM_TRUNCMOD;
}

/// Whether an index of the map stands in a sum, product or quotient.
static bool has_index(const Box *box, const RlxPrim *p) {
  for (uint32_t i = 0; i < box->vars->count; i++)
    if (box->vars->items[i].prim == p) return true;
  return is_arithmetic(p) && (has_index(box, p->args[0]) || has_index(box, p->args[1]));
}

/// Whether TVM finds no range for an index, and stops: it multiplies indices with each other, or divides by one.
static bool is_boundless(const Box *box, const RlxPrim *p) {
  if (!is_arithmetic(p)) return false;
  const bool is_sum = p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB;
  const bool is_by_index = !is_sum && has_index(box, p->args[1]);
  if (is_by_index && (p->kind != RLX_PRIM_MUL || has_index(box, p->args[0]))) return true;
  return is_boundless(box, p->args[0]) || is_boundless(box, p->args[1]);
}

/// The length of the axis that a map's index `p` runs over, from 0 on and in steps; NULL when it is
/// not known. Reports VALUE_RANGE when it begins elsewhere.
static const RlxPrim *mapped_length(const Box *box, const RlxCall *call, const RlxPrim *p) {
  RlxDeduce *d = box->d;
  if (is_boundless(box, p)) {
    rlx_fail_kind(d, call, 1, "a lambda whose indices are multiplied and divided by numbers alone");
    return NULL;
  }
  const RlxPrim **ones = rlx_dims_new(d, (int)box->vars->count);
  for (uint32_t i = 0; i < box->vars->count; i++) ones[i] = rlx_dim(d, 1);
  // As in TVM it counts where the map takes the first element: i -> 5 - i is refused, too.
  const RlxPrim *first = bound(&(Box){d, box->vars, ones}, p, false), *last = bound(box, p, true);
  if (first && rlx_rule_unequal(d, first, rlx_dim(d, 0))) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(VALUE_RANGE), "sss", "index_map",
             rlx_arena_printf(d->scratch, "a map to indices from %s on",
                              rlx_text_prim(d, rlx_simplify(d, first))),
             "one to indices from 0 on");
    return NULL;
  }
  int64_t step = step_of(p);
  return last ? rlx_simplify(d, rlx_prim_addi(d->store, last, step ? step : 1)) : NULL;
}

/// Reports DTYPE_MISMATCH when a padding value written with its dtype has another one than x.
static void check_pad_value(RlxDeduce *d, const RlxCall *call, const RlxSInfo *x) {
  const RlxValue *pad = &call->args[2];
  RlxDType t = rlx_dtype_unknown();
  if (pad->kind == RLX_VALUE_UNKNOWN) return;
  if (pad->kind == RLX_VALUE_STR || pad->kind == RLX_VALUE_LIST || pad->kind == RLX_VALUE_DICT) {
    rlx_fail_kind(d, call, 2, "a number");
    return;
  }
  bool is_int = pad->kind == RLX_VALUE_INT || pad->kind == RLX_VALUE_BOOL;
  if (is_int && !rlx_dtype_is_bool(x->dtype) && rlx_dtype_known(x->dtype)) return;
  if (pad->kind == RLX_VALUE_FLOAT && rlx_dtype_is_float(x->dtype)) return;
  if (is_int || pad->kind == RLX_VALUE_FLOAT)
    t = is_int ? RLX_INT64 : RLX_FLOAT32;
  else if (pad->kind == RLX_VALUE_EXPR || pad->kind == RLX_VALUE_PRIM) {
    const RlxPrim *p = rlx_arg_prim(d, call, 2);
    if (!p || rlx_dtype_equal(p->dtype, x->dtype)) return;
    t = p->dtype;
  }
  if (rlx_dtype_known(t))
    rlx_fail(d, call, 2, RLX_DIAG_ID(DTYPE_MISMATCH), "ss", rlx_text_dtype(d, x->dtype),
             rlx_text_dtype(d, t));
}

/// StructInfo of `R.layout_transform(x, index_map, pad_value=None, …)`: for each index that the map
/// gives, its largest value over x's shape plus one.
///
/// index_map  a LIST of the map's parameters and of what it gives for them (a lambda, read by the
///            driver); x's rank is the number of its parameters.
/// Reports ARGUMENT_KIND, DTYPE_MISMATCH, RANK, VALUE_RANGE.
/// Source: TVM v0.25 InferStructInfoLayoutTransform, src/relax/op/tensor/manipulate.cc;
/// layout_transform, python/tvm/relax/op/manipulate.py, which reads the operand's StructInfo;
/// IndexMapNode::MapRanges.
const RlxSInfo *rlx_deduce_layout_transform(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  const RlxValue *map = &call->args[1];
  if (!x) return rlx_out_unknown(d);
  if (call->args[0].kind == RLX_VALUE_EXPR && call->args[0].expr->kind == RLX_EXPR_CALL)
    rlx_fail_kind(d, call, 0, "a variable (TVM asks it for its dtype)");
  if (rlx_arg_given(call, 2)) check_pad_value(d, call, x);
  if (rlx_need_list(d, call, 3))
    rlx_need_list(d, call, 4); // axis_separators, input_axis_separators
  bool is_map = map->kind == RLX_VALUE_LIST && map->count == 2 &&
                map->items[0].kind == RLX_VALUE_LIST && map->items[1].kind == RLX_VALUE_LIST;
  if (!is_map) {
    if (map->kind != RLX_VALUE_UNKNOWN)
      rlx_fail_kind(d, call, 1, "a lambda from indices to indices");
    return rlx_out(d, x, NULL, -1);
  }
  const RlxValue *vars = &map->items[0], *results = &map->items[1];
  int ndim = (int)results->count;
  if (x->ndim >= 0 && x->ndim != (int)vars->count) {
    rlx_fail_rank(
        d, call, 0, x,
        rlx_arena_printf(d->scratch, "rank %d, one for each index of the map", (int)vars->count));
    return rlx_out(d, x, NULL, ndim);
  }
  for (int i = 0; i < ndim; i++) {
    const RlxValue *v = &results->items[i];
    bool is_index = v->kind == RLX_VALUE_PRIM && !rlx_dtype_is_float(v->prim->dtype);
    if (is_index || v->kind == RLX_VALUE_UNKNOWN || v->kind == RLX_VALUE_UINT64 ||
        v->kind == RLX_VALUE_OTHER)
      continue;
    rlx_fail_kind(d, call, 1, "a lambda that gives expressions of its indices");
    return rlx_out(d, x, NULL, ndim);
  }
  Box box = {d, vars, rlx_rule_dims(d, x)};
  if (!box.dims) return rlx_out(d, x, NULL, ndim);
  const RlxPrim **dims = rlx_dims_new(d, ndim);
  for (int i = 0; i < ndim; i++) {
    const RlxValue *v = &results->items[i];
    const RlxPrim *p = v->kind == RLX_VALUE_PRIM ? v->prim : NULL;
    dims[i] = p ? mapped_length(&box, call, p) : NULL;
    if (!dims[i]) return rlx_out(d, x, NULL, ndim);
  }
  return rlx_out(d, x, dims, ndim);
}

typedef struct Permutation {
  const int *axes; ///< NULL: reversed
  int ndim;
} Permutation;

/// Where an axis is after a permutation. For distributed tensors.
static int permuted_axis(int arg, int axis, const void *data) {
  const Permutation *p = data;
  (void)arg;
  for (int i = 0; i < p->ndim; i++) {
    if ((p->axes ? p->axes[i] : p->ndim - 1 - i) == axis) return i;
  }
  return -1;
}

/// StructInfo of `R.permute_dims(x, axes=None)`.
///
/// x     tensor; its shape may be unknown, without axes its rank, too.
/// axes  permutation of 0..ndim-1, negatives count from the back; absent: reversed order.
/// Keeps dtype and device; out.shape[i] = x.shape[axes[i]]. Unknown shape stays unknown. The
/// identity keeps x's StructInfo, also a shape variable. Reports ARGUMENT_KIND, RANK_UNKNOWN (and
/// goes on with the number of axes), AXES_COUNT, AXIS_RANGE, AXIS_REPEATED.
/// Source: TVM v0.25 InferStructInfoPermuteDims, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_permute_dims(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_out_unknown(d);
  const int64_t *given;
  const int *axes = NULL;
  int count;
  RlxAttrState state = rlx_attr_ints(d, call, 1, &given, &count);
  if (state == RLX_ATTR_OK && !rlx_need_list(d, call, 1)) return rlx_out(d, x, NULL, x->ndim);
  if (state == RLX_ATTR_OK && x->ndim < 0) {
    rlx_fail(d, call, 0, RLX_DIAG_ID(RANK_UNKNOWN), "s", "`x`");
    return rlx_out(d, x, NULL, count);
  }
  if (state == RLX_ATTR_OK && count != x->ndim) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(AXES_COUNT), "ii", count, x->ndim);
    return rlx_out(d, x, NULL, x->ndim);
  }
  if (state == RLX_ATTR_OK) state = rlx_attr_axes(d, call, 1, x->ndim, &axes, &count);
  if (x->ndim < 0 || state == RLX_ATTR_BAD || state == RLX_ATTR_UNKNOWN)
    return rlx_out(d, x, NULL, x->ndim);
  bool identity = true;
  const RlxPrim **dims = rlx_dims_new(d, x->ndim);
  for (int i = 0; i < x->ndim; i++) {
    int from = axes ? axes[i] : x->ndim - 1 - i;
    identity &= from == i;
    if (x->dims) dims[i] = x->dims[from];
  }
  const Permutation permutation = {axes, x->ndim};
  const RlxSInfo *out = identity ? x : rlx_out(d, x, x->dims ? dims : NULL, x->ndim);
  return rlx_out_dist(d, call, out, 1, permuted_axis, &permutation);
}

/// The new shape of a reshape whose written dimensions contain -1 or 0; NULL (reported) when it
/// can't be worked out.
/// Source: TVM v0.25 ConvertNewShapeToExpr, src/relax/op/tensor/manipulate.cc.
static RlxDims infer_shape(RlxDeduce *d, const RlxCall *call, const RlxSInfo *x, RlxDims given,
                           int ndim) {
  int hole = -1;
  bool needs_old = false;
  for (int i = 0; i < ndim; i++) {
    int64_t k;
    if (!rlx_prim_is_const(given[i], &k) || k > 0) continue;
    const char *wrong = k < -1                 ? "a dimension is negative"
                        : k == -1 && hole >= 0 ? "more than one dimension is -1"
                                               : NULL;
    if (wrong) {
      rlx_fail(d, call, 1, RLX_DIAG_ID(SHAPE_INFER), "s", wrong);
      return NULL;
    }
    if (k == -1) hole = i;
    needs_old = true;
  }
  if (!needs_old) return given;
  RlxDims old = rlx_rule_dims(d, x);
  if (!old) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(SHAPE_INFER), "s",
             rlx_arena_printf(d->scratch, "the shape of %s is not known", rlx_text_sinfo(d, x)));
    return NULL;
  }
  const RlxPrim **dims = rlx_dims_new(d, ndim);
  const RlxPrim *rest = rlx_dim(d, 1);
  for (int i = 0; i < ndim; i++) {
    dims[i] = given[i];
    if (rlx_dim_is(given[i], 0)) {
      if (i >= x->ndim) {
        rlx_fail(d, call, 1, RLX_DIAG_ID(SHAPE_INFER), "s",
                 rlx_arena_printf(d->scratch, "dimension %d is 0, but the tensor has rank %d", i,
                                  x->ndim));
        return NULL;
      }
      dims[i] = old[i];
    }
    int64_t k;
    if (!rlx_prim_is_const(dims[i], &k) || k > 0) rest = rlx_prim_mul(d->store, rest, dims[i]);
  }
  if (hole >= 0)
    dims[hole] =
        rlx_simplify(d, rlx_prim_floordiv(d->store, rlx_rule_product(d, old, x->ndim), rest));
  return dims;
}

/// Whether a quotient of `a` and `b`, which are at least 1 by `facts`, certainly leaves a remainder:
/// b * k < a < b * (k + 1) for some small k.
static bool leaves_remainder(RlxDeduce *d, const RlxFacts *facts, const RlxPrim *a,
                             const RlxPrim *b) {
  enum { MOST = 8 };
  const RlxPrim *most = rlx_prim_mul(d->store, b, rlx_dim(d, MOST));
  if (rlx_prove_less(d->store, facts, a, most) != RLX_YES) return false; // then for no k
  for (int k = 0; k < MOST; k++) {
    const RlxPrim *low = rlx_prim_mul(d->store, b, rlx_dim(d, k)),
                  *high = rlx_prim_mul(d->store, b, rlx_dim(d, k + 1));
    if (rlx_prove_less(d->store, facts, a, high) != RLX_YES) continue;
    return rlx_prove_less(d->store, facts, low, a) == RLX_YES;
  }
  return false;
}

/// Whether `before` and `after` are equal for no tensor that has elements: for none whose dimensions
/// are all at least 1. A dimension that is written as -1 is a quotient, which may be 0 for all of them.
static bool is_equal_when_empty(RlxDeduce *d, const RlxPrim *before, const RlxPrim *after,
                                RlxDims old, int old_ndim, RlxDims dims, int ndim) {
  const RlxFacts *facts = d->facts;
  const RlxPrim *quotient = NULL;
  if (rlx_prove_equal(d->store, d->facts, before, after) != RLX_UNKNOWN) return false;
  for (int i = 0; i < old_ndim + ndim; i++) {
    const RlxPrim *dim = i < old_ndim ? old[i] : dims[i - old_ndim];
    int64_t k;
    if (rlx_prim_is_const(dim, &k)) continue;
    if (i >= old_ndim && dim->kind == RLX_PRIM_FLOORDIV) {
      quotient = dim;
      continue;
    }
    RlxFacts *fact = rlx_arena_one(d->scratch, RlxFacts);
    *fact = (RlxFacts){facts, rlx_prim_binary(d->store, RLX_PRIM_LE, rlx_dim(d, 1), dim), NULL};
    facts = fact;
  }
  if (rlx_prove_equal(d->store, facts, before, after) == RLX_NO) return true;
  return quotient && rlx_prove_equal(d->store, NULL, quotient->args[0], before) == RLX_YES &&
         leaves_remainder(d, facts, quotient->args[0], quotient->args[1]);
}

/// Notes for the first of `dims` that can be chosen so that their product is `size` what it would
/// have to be: of the new shape as it is written, or of x.
static void wish_size(RlxDeduce *d, const RlxCall *call, RlxDiag *diag, RlxDims dims, int ndim,
                      const RlxPrim *size, bool is_new) {
  for (int k = 0; k < ndim; k++) {
    const RlxPrim *rest = rlx_dim(d, 1);
    for (int i = 0; i < ndim; i++)
      if (i != k) rest = rlx_prim_binary(d->store, RLX_PRIM_MUL, rest, dims[i]);
    rest = rlx_simplify(d, rest);
    if (rlx_dim_is(rest, 0)) continue;
    const RlxPrim *value =
        rlx_simplify(d, rlx_prim_binary(d->store, RLX_PRIM_FLOORDIV, rlx_simplify(d, size), rest));
    if (rlx_dim_is(value, 0) ||
        !rlx_rule_equal(d, rlx_prim_binary(d->store, RLX_PRIM_MUL, value, rest), size))
      continue;
    if (is_new)
      rlx_diag_wish(d->sink, diag, (RlxWish){NULL, k, value});
    else
      rlx_wish_dim(d, call, diag, dims, k, value, false);
    return;
  }
}

/// StructInfo of `R.reshape(x, shape)`.
///
/// shape  written dimensions, where one -1 is what is left and 0 copies, or a value of Shape kind:
///        its known values are used, otherwise the variable is the result's shape.
/// Reports ARGUMENT_KIND, SHAPE_INFER, SIZE_MISMATCH (provable only), SIZE_EMPTY.
/// Source: TVM v0.25 InferStructInfoReshape, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_reshape(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  RlxDims dims;
  int ndim;
  if (!shape_dims(call, 1, d, &dims, &ndim) || !x) return rlx_out_unknown(d);
  const RlxValue *v = &call->args[1];
  bool is_written =
      v->kind == RLX_VALUE_LIST || (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_SHAPE);
  if (!dims)
    return is_written ? rlx_out(d, x, NULL, ndim)
                      : rlx_out_of_shape(d, call, 1, x->dtype, x->vdevice);
  if (is_written) dims = infer_shape(d, call, x, dims, ndim);
  if (!dims) return rlx_out(d, x, NULL, ndim);
  RlxDims old = rlx_rule_dims(d, x);
  if (old) {
    const RlxPrim *before = rlx_rule_product(d, old, x->ndim),
                  *after = rlx_rule_product(d, dims, ndim);
    if (rlx_rule_unequal(d, before, after)) {
      RlxDiag *diag = rlx_fail(
          d, call, 1, RLX_DIAG_ID(SIZE_MISMATCH), "sss", rlx_text_prim(d, rlx_simplify(d, before)),
          rlx_text_dims(d, dims, ndim), rlx_text_prim(d, rlx_simplify(d, after)));
      if (is_written) wish_size(d, call, diag, dims, ndim, before, true);
      wish_size(d, call, diag, old, x->ndim, after, false);
    } else if (is_equal_when_empty(d, before, after, old, x->ndim, dims, ndim)) {
      const char *args[] = {rlx_text_prim(d, rlx_simplify(d, before)), rlx_text_dims(d, dims, ndim),
                            rlx_text_prim(d, rlx_simplify(d, after))};
      rlx_report(d->sink, RLX_DIAG_ID(SIZE_EMPTY), rlx_arg_span(call, 1), args, 3);
    }
  }
  return rlx_out_dist(d, call, rlx_out(d, x, dims, ndim), 1, rlx_axis_none,
                      NULL); // TVM keeps some shardings; R is always possible
}

/// Without axes: drops the dimensions that are 1; a symbolic one leaves the rank unknown.
static const RlxSInfo *squeeze_ones(RlxDeduce *d, const RlxSInfo *x, RlxDims shape) {
  if (!shape) return rlx_out(d, x, NULL, -1);
  const RlxPrim **dims = rlx_dims_new(d, x->ndim);
  int count = 0;
  for (int i = 0; i < x->ndim; i++) {
    int64_t k;
    if (!rlx_prim_is_const(shape[i], &k)) return rlx_out(d, x, NULL, -1);
    if (k != 1) dims[count++] = shape[i];
  }
  if (x->shape_var) return count == x->ndim ? x : rlx_out(d, x, NULL, -1);
  return rlx_out(d, x, dims, count);
}

/// StructInfo of `R.squeeze(x, axis=None)`.
///
/// axis  distinct axes. Those of constant length other than 1 stay, symbolic ones are taken to
/// be 1. Empty: x as it is. Without axis every 1 is dropped, and a symbolic dimension leaves the
/// rank unknown. Reports ARGUMENT_KIND, AXIS_RANGE, AXIS_REPEATED.
/// Source: TVM v0.25 InferStructInfoSqueeze, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_squeeze(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_out_unknown(d);
  const int *axes;
  int axis_count;
  RlxAttrState state = rlx_attr_axes(d, call, 1, x->ndim, &axes, &axis_count);
  if (state == RLX_ATTR_OK && axis_count == 0) return x;
  if (x->ndim < 0 || state == RLX_ATTR_BAD || state == RLX_ATTR_UNKNOWN)
    return rlx_out(d, x, NULL, -1);
  RlxDims shape = rlx_rule_dims(d, x);
  if (state == RLX_ATTR_ABSENT) return squeeze_ones(d, x, shape);
  if (!shape) return rlx_out(d, x, NULL, x->ndim - axis_count);
  const RlxPrim **dims = rlx_dims_new(d, x->ndim);
  int count = 0;
  for (int i = 0; i < x->ndim; i++) {
    bool drop = false;
    int64_t k;
    for (int j = 0; j < axis_count; j++)
      drop |= axes[j] == i && (!rlx_prim_is_const(shape[i], &k) || k == 1);
    if (!drop) dims[count++] = shape[i];
  }
  if (x->shape_var) return count == x->ndim ? x : rlx_out(d, x, NULL, count);
  return rlx_out(d, x, dims, count);
}

/// StructInfo of `R.repeat(data, repeats, axis=None)`.
///
/// Without axis: one dimension, the product of all times repeats; with one: that dimension times
/// repeats. Reports ARGUMENT_KIND, AXIS_RANGE.
/// Source: TVM v0.25 InferStructInfoRepeat, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_repeat(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  int64_t repeats;
  int axis;
  RlxAttrState times = rlx_attr_int(d, call, 1, &repeats);
  if (!x) return rlx_out_unknown(d);
  RlxAttrState state = rlx_attr_axis(d, call, 2, x->ndim, &axis);
  if (state == RLX_ATTR_UNKNOWN) return rlx_out(d, x, NULL, -1);
  bool flat = state == RLX_ATTR_ABSENT;
  if (!x->dims || times != RLX_ATTR_OK || state == RLX_ATTR_BAD) {
    return !flat && times == RLX_ATTR_OK && repeats == 1 ? x
                                                         : rlx_out(d, x, NULL, flat ? 1 : x->ndim);
  }
  if (flat) {
    const RlxPrim *length =
        rlx_simplify(d, rlx_prim_muli(d->store, rlx_rule_product(d, x->dims, x->ndim), repeats));
    return rlx_out(d, x, &length, 1);
  }
  const RlxPrim **dims = rlx_dims_new(d, x->ndim);
  for (int i = 0; i < x->ndim; i++)
    dims[i] =
        i == axis ? rlx_simplify(d, rlx_prim_muli(d->store, x->dims[i], repeats)) : x->dims[i];
  return rlx_out(d, x, dims, x->ndim);
}

/// StructInfo of `R.tile(data, repeats)`: shapes and repeats aligned at the last axis and
/// multiplied.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoTile, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_tile(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  const int64_t *repeats;
  int count;
  RlxAttrState state = rlx_attr_ints(d, call, 1, &repeats, &count);
  if (!x) return rlx_out_unknown(d);
  if (state != RLX_ATTR_OK || x->ndim < 0) return rlx_out(d, x, NULL, -1);
  int ndim = count > x->ndim ? count : x->ndim;
  if (!x->dims) {
    bool same = count <= x->ndim;
    for (int k = 0; k < count; k++) same &= repeats[k] == 1;
    return same ? x : rlx_out(d, x, NULL, ndim);
  }
  const RlxPrim **dims = rlx_dims_new(d, ndim);
  for (int i = 0; i < ndim; i++) {
    int r = i - (ndim - count), k = i - (ndim - x->ndim);
    dims[i] = k < 0   ? rlx_dim(d, repeats[r])
              : r < 0 ? x->dims[k]
                      : rlx_simplify(d, rlx_prim_muli(d->store, x->dims[k], repeats[r]));
  }
  return rlx_out(d, x, dims, ndim);
}

/// StructInfo of `R.reverse_sequence(data, seq_lengths, seq_axis=1, batch_axis=0)`: data's.
///
/// seq_lengths  int32 or int64 of rank 1, as long as data's axis batch_axis.
/// Reports ARGUMENT_KIND, RANK, DTYPE_CLASS, AXIS_RANGE, DIM_MISMATCH.
/// Source: TVM v0.27 InferTypeReverseSequence, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_reverse_sequence(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0), *lengths = rlx_arg_tensor(d, call, 1);
  if (!x) return rlx_out_unknown(d);
  if (!lengths || !rlx_need_ndim(d, call, 1, lengths, 1, true)) return x;
  if (rlx_dtype_known(lengths->dtype) && !rlx_dtype_equal(lengths->dtype, RLX_INT64) &&
      !rlx_dtype_equal(lengths->dtype, RLX_INT32)) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(DTYPE_CLASS), "sss", "seq_lengths",
             rlx_text_dtype(d, lengths->dtype), "int32 or int64");
    return x;
  }
  int along, batch;
  if (rlx_attr_axis(d, call, 2, x->ndim, &along) == RLX_ATTR_BAD) return x;
  if (rlx_attr_axis(d, call, 3, x->ndim, &batch) != RLX_ATTR_OK || x->ndim < 0) return x;
  RlxDims own = rlx_rule_dims(d, lengths), dims = rlx_rule_dims(d, x);
  if (own && dims && rlx_rule_unequal(d, own[0], dims[batch]))
    rlx_fail_dim(d, call, 1, 0, own[0], dims[batch]);
  return x;
}

/// StructInfo of `R.flip(data, axis)`: data's.
///
/// Reports ARGUMENT_KIND, AXIS_RANGE.
/// Source: TVM v0.25 InferStructInfoFlip, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_flip(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_out_unknown(d);
  int axis;
  (void)rlx_attr_axis(d, call, 1, x->ndim, &axis);
  return x;
}
