/// Rules of operators that pick elements out of a tensor, or put them into one.
#include "analyzer/ops/ops.h"

#define RLX_FAMILY "analyzer/ops/index.def"
#include "analyzer/ops/rules.h"

/// The tensor that argument `i` is, an R.Prim or a written integer counting as a scalar; NULL after
/// a report.
static const RlxSInfo *index_operand(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  if (!sinfo || sinfo->kind != RLX_SINFO_PRIM) return rlx_arg_tensor(d, call, i);
  return rlx_out_tensor(d, rlx_dims_new(d, 0), 0, sinfo->dtype, NULL);
}

/// StructInfo of `R.take(x, indices, axis=None, mode="fast")`.
///
/// indices  integer tensor of any rank, or an integer, which counts as rank 0.
/// axis     None needs a vector: an unknown rank is refused, too.
/// out.shape = x.shape[:axis] + indices.shape + x.shape[axis+1:]; with an unknown shape the rank is
/// kept. Reports ARGUMENT_KIND, DTYPE_CLASS, RANK, AXIS_RANGE.
/// Source: TVM v0.25 InferStructInfoTake, src/relax/op/tensor/index.cc.
const RlxSInfo *rlx_deduce_take(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0), *indices = index_operand(d, call, 1);
  if (!x || !indices) return rlx_out_unknown(d);
  rlx_need_int(d, call, 1, indices);
  int axis = 0;
  if (!rlx_arg_given(call, 2) && !rlx_need_ndim(d, call, 0, x, 1, true))
    return rlx_out(d, x, NULL, -1);
  if (x->ndim < 0 || indices->ndim < 0) return rlx_out(d, x, NULL, -1);
  RlxAttrState state = rlx_attr_axis(d, call, 2, x->ndim, &axis);
  int ndim = x->ndim + indices->ndim - 1;
  if (!x->dims || !indices->dims || state == RLX_ATTR_BAD || state == RLX_ATTR_UNKNOWN)
    return rlx_out(d, x, NULL, ndim);
  const RlxPrim **dims = rlx_dims_new(d, ndim);
  int at = 0;
  for (int i = 0; i < x->ndim; i++) {
    if (i != axis) {
      dims[at++] = x->dims[i];
      continue;
    }
    for (int k = 0; k < indices->ndim; k++) dims[at++] = indices->dims[k];
  }
  return rlx_out(d, x, dims, ndim);
}

// ---- slices

/// A list of symbolic integers that an argument gives.
typedef struct PrimList {
  const RlxPrim **at; ///< an element is NULL when its value is not known
  int count;
  bool is_known; ///< false: not even the count is
  bool is_given;
} PrimList;

/// One element of a list of int64 integers; false (not reported) when it can't be one. `*out` NULL:
/// value not known.
static bool read_prim(RlxDeduce *d, const RlxValue *v, const RlxPrim **out) {
  *out = NULL;
  if (v->kind == RLX_VALUE_UNKNOWN) return true;
  if (v->kind == RLX_VALUE_BOOL) return *out = rlx_dim(d, v->boolean), true;
  if (v->kind == RLX_VALUE_INT) return *out = rlx_dim(d, v->integer), true;
  if (v->kind == RLX_VALUE_PRIM) *out = v->prim;
  if (v->kind == RLX_VALUE_EXPR && v->expr && v->expr->sinfo) {
    const RlxSInfo *sinfo = v->expr->sinfo;
    if (sinfo->kind == RLX_SINFO_OBJECT) return true;
    if (sinfo->kind != RLX_SINFO_PRIM || !rlx_dtype_equal(sinfo->dtype, RLX_INT64)) return false;
    *out = v->expr->kind == RLX_EXPR_PRIM ? v->expr->prim : sinfo->value;
    return true;
  }
  return *out && rlx_dtype_equal((*out)->dtype, RLX_INT64);
}

/// Reads argument `i` as a list of int64 integers; false after ARGUMENT_KIND.
static bool read_prims(RlxDeduce *d, const RlxCall *call, int i, PrimList *out) {
  *out = (PrimList){.is_given = rlx_arg_given(call, i)};
  if (!out->is_given) return true;
  const RlxValue *v = &call->args[i];
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  bool good = true;
  if (v->kind == RLX_VALUE_LIST) {
    out->count = (int)v->count;
    out->at = rlx_dims_new(d, out->count);
    for (int k = 0; k < out->count; k++) good &= read_prim(d, &v->items[k], &out->at[k]);
    out->is_known = true;
  } else if (sinfo && sinfo->kind == RLX_SINFO_TUPLE) {
    out->count = sinfo->count;
    out->at = rlx_dims_new(d, out->count);
    for (int k = 0; k < out->count; k++) {
      const RlxSInfo *field = sinfo->fields[k];
      good &= field->kind == RLX_SINFO_OBJECT ||
              (field->kind == RLX_SINFO_PRIM && rlx_dtype_equal(field->dtype, RLX_INT64));
      out->at[k] = field->kind == RLX_SINFO_PRIM ? field->value : NULL;
    }
    out->is_known = true;
  } else {
    good = v->kind == RLX_VALUE_UNKNOWN || (sinfo && sinfo->kind == RLX_SINFO_OBJECT);
  }
  if (!good) rlx_fail_kind(d, call, i, "a tuple of int64 integers");
  return good;
}

static bool all_known(const PrimList *list) {
  for (int k = 0; k < list->count; k++) {
    if (!list->at[k]) return false;
  }
  return list->is_known;
}

static const RlxPrim *ceil_div(RlxDeduce *d, const RlxPrim *a, const RlxPrim *b) {
  const RlxPrim *up = rlx_prim_addi(d->store, rlx_prim_add(d->store, a, b), -1);
  return rlx_prim_floordiv(d->store, up, b);
}

static const RlxPrim *when(RlxDeduce *d, const RlxPrim *a, const RlxPrim *yes,
                           const RlxPrim *no) { // a < 0 ? yes : no
  int64_t k;
  if (rlx_prim_is_const(a, &k)) return k < 0 ? yes : no;
  return rlx_prim_select(d->store, rlx_prim_binary(d->store, RLX_PRIM_LT, a, rlx_dim(d, 0)), yes,
                         no);
}

/// An index brought into the range of an axis as Python does it.
/// Source: TVM CanonicalizeIndex, include/tvm/topi/detail.
static const RlxPrim *canonical_index(RlxDeduce *d, const RlxPrim *index, const RlxPrim *extent,
                                      const RlxPrim *stride) {
  int64_t k;
  const RlxPrim *low = when(d, stride, rlx_dim(d, -1), rlx_dim(d, 0));
  const RlxPrim *high = when(d, stride, rlx_prim_addi(d->store, extent, -1), extent);
  if (!rlx_prim_is_const(index, &k) || k < 0)
    index = when(d, index, rlx_prim_add(d->store, index, extent), index);
  return rlx_prim_binary(d->store, RLX_PRIM_MIN,
                         rlx_prim_binary(d->store, RLX_PRIM_MAX, index, low), high);
}

/// A length that may come out negative, as Python counts: 0 then. One that is never positive, and
/// negative for some values of its symbols, stays as TVM has it: it tells the mistake.
static const RlxPrim *at_least_zero(RlxDeduce *d, const RlxPrim *length) {
  const RlxPrim *zero = rlx_dim(d, 0);
  if (rlx_prove_less_equal(d->store, d->facts, zero, length) == RLX_YES) return length;
  if (rlx_prove_less_equal(d->store, d->facts, length, zero) == RLX_YES)
    return length->kind == RLX_PRIM_INT ? zero : length;
  return rlx_simplify(d, rlx_prim_binary(d->store, RLX_PRIM_MAX, length, zero));
}

/// Length of begin:end:stride along an axis.
/// Source: TVM topi::GetLength, include/tvm/topi/transform.h. Differs: what starts behind its end
/// is empty; TVM's length is negative then, and it refuses to run it.
static const RlxPrim *slice_length(RlxDeduce *d, const RlxPrim *begin, const RlxPrim *end,
                                   const RlxPrim *stride, const RlxPrim *extent, bool inbound) {
  int64_t constant;
  if (inbound) {
    const RlxPrim *whole = rlx_simplify(d, ceil_div(d, rlx_prim_sub(d->store, end, begin), stride));
    return rlx_prim_is_const(whole, &constant) && constant < 0 ? rlx_dim(d, 0) : whole;
  }
  begin = canonical_index(d, begin, extent, stride);
  end = canonical_index(d, end, extent, stride);
  const RlxPrim *minus = rlx_prim_muli(d->store, stride, -1);
  const RlxPrim *length = when(d, stride, ceil_div(d, rlx_prim_sub(d->store, begin, end), minus),
                               ceil_div(d, rlx_prim_sub(d->store, end, begin), stride));
  return at_least_zero(d, rlx_simplify(d, length));
}

/// Normalised distinct axes out of a list of constants; false (reported) when they are not.
static bool slice_axes(RlxDeduce *d, const RlxCall *call, const PrimList *list, int ndim,
                       int *out) {
  for (int k = 0; k < list->count; k++) {
    int64_t axis;
    if (!rlx_prim_is_const(list->at[k], &axis)) return false;
    if (axis < -ndim || axis >= ndim) {
      rlx_fail_axis(d, call, 1, axis, ndim, -ndim);
      return false;
    }
    out[k] = (int)(axis < 0 ? axis + ndim : axis);
    for (int j = 0; j < k; j++) {
      if (out[j] != out[k]) continue;
      rlx_fail(d, call, 1, RLX_DIAG_ID(AXIS_REPEATED), "is", out[k], "axes");
      return false;
    }
  }
  return true;
}

/// StructInfo of `R.strided_slice(x, axes, begin, end, strides=None, assume_inbound=False)`.
///
/// axes, begin, end, strides  tuples of int64 integers of one length, written or values; what is
///                            not known gives an unknown shape of x's rank.
/// Reports ARGUMENT_KIND, LIST_LENGTH, AXIS_RANGE, AXIS_REPEATED, VALUE_RANGE (stride 0).
/// Source: TVM v0.25 InferStructInfoStridedSlice, src/relax/op/tensor/index.cc.
const RlxSInfo *rlx_deduce_strided_slice(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  PrimList list[4];
  bool good = true;
  for (int k = 0; k < 4; k++) good = read_prims(d, call, k + 1, &list[k]) && good;
  bool inbound = rlx_attr_bool_or(d, call, 5, false);
  for (int k = 1; k < 4 && !d->failed; k++)
    if (call->args[k].kind == RLX_VALUE_NONE) rlx_fail_kind(d, call, k, "a list of integers");
  if (!x) return rlx_out_unknown(d);
  if (!good) return rlx_out(d, x, NULL, x->ndim);
  for (int k = 1; k < 4; k++) {
    if (!list[k].is_given || !list[k].is_known || !list[0].is_known ||
        list[k].count == list[0].count)
      continue;
    rlx_fail(d, call, k + 1, RLX_DIAG_ID(LIST_LENGTH), "sis", rlx_param_name(call, k + 1),
             list[k].count, rlx_arena_printf(d->scratch, "%d, as `axes`", list[0].count));
    return rlx_out(d, x, NULL, x->ndim);
  }
  for (int k = 0; k < 4; k++) {
    if ((k < 3 || list[k].is_given) && !all_known(&list[k])) return rlx_out(d, x, NULL, x->ndim);
  }
  RlxDims from = rlx_rule_dims(d, x);
  if (!from) return list[0].count == 0 ? x : rlx_out(d, x, NULL, x->ndim);
  int *axes = rlx_arena_array(d->scratch, int, list[0].count + 1);
  if (!slice_axes(d, call, &list[0], x->ndim, axes)) return rlx_out(d, x, NULL, x->ndim);
  const RlxPrim **dims = rlx_dims_new(d, x->ndim);
  for (int i = 0; i < x->ndim; i++) dims[i] = from[i];
  for (int k = 0; k < list[0].count; k++) {
    const RlxPrim *stride = list[3].is_given ? list[3].at[k] : rlx_dim(d, 1);
    if (rlx_dim_is(stride, 0)) {
      rlx_fail(d, call, 4, RLX_DIAG_ID(VALUE_RANGE), "sss", "strides", "0", "another number");
      return rlx_out(d, x, NULL, x->ndim);
    }
    dims[axes[k]] = slice_length(d, list[1].at[k], list[2].at[k], stride, dims[axes[k]], inbound);
  }
  return rlx_out(d, x, dims, x->ndim);
}

/// StructInfo of `R.dynamic_strided_slice(x, begin, end, strides)`: x's rank, an unknown shape.
///
/// begin, end, strides  vectors of dtype int64 whose constant length is x's rank; not looked at
/// when that is not known. Reports ARGUMENT_KIND, RANK, SHAPE_NEEDED, DIM_MISMATCH, DTYPE_CLASS.
/// Source: TVM v0.25 InferStructInfoDynStridedSlice, src/relax/op/tensor/index.cc.
const RlxSInfo *rlx_deduce_dynamic_strided_slice(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_out_unknown(d);
  if (x->ndim < 0) return rlx_out(d, x, NULL, -1);
  for (int i = 1; i < 4; i++) {
    const RlxSInfo *v = rlx_arg_tensor(d, call, i);
    if (!v || !rlx_need_ndim(d, call, i, v, 1, true)) continue;
    int64_t length;
    if (!v->dims || !rlx_prim_is_const(v->dims[0], &length)) {
      rlx_fail(d, call, i, RLX_DIAG_ID(SHAPE_NEEDED), "ss", rlx_param_name(call, i),
               rlx_text_sinfo(d, v));
    } else if (length != x->ndim) {
      rlx_fail_dim(d, call, i, 0, v->dims[0], rlx_dim(d, x->ndim));
    } else if (rlx_dtype_known(v->dtype) && !rlx_dtype_equal(v->dtype, RLX_INT64)) {
      rlx_fail(d, call, i, RLX_DIAG_ID(DTYPE_CLASS), "sss", rlx_param_name(call, i),
               rlx_text_dtype(d, v->dtype), "int64");
    }
  }
  return rlx_out(d, x, NULL, x->ndim);
}

// ---- gather

/// StructInfo of `R.gather_elements(data, indices, axis=0)`: the indices' shape, data's dtype and
/// device.
///
/// indices  of a signed integer dtype.
/// Reports ARGUMENT_KIND, DTYPE_CLASS, AXIS_RANGE, RANK_MISMATCH.
/// Source: TVM v0.25 InferStructInfoGatherElements, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_gather_elements(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *data = rlx_arg_tensor(d, call, 0), *indices = rlx_arg_tensor(d, call, 1);
  if (!data || !indices) return rlx_out_unknown(d);
  if (rlx_dtype_known(indices->dtype) && indices->dtype.code != RLX_DTYPE_INT)
    rlx_fail(d, call, 1, RLX_DIAG_ID(DTYPE_CLASS), "sss", rlx_param_name(call, 1),
             rlx_text_dtype(d, indices->dtype), "a signed integer dtype");
  int axis;
  if (data->ndim < 0 || indices->ndim < 0) return rlx_out(d, data, NULL, -1);
  if (rlx_attr_axis(d, call, 2, data->ndim, &axis) == RLX_ATTR_BAD)
    return rlx_out_like(d, indices, data->dtype, data->vdevice);
  rlx_need_same_ndim(d, call, 1, indices, 0, data);
  return rlx_out_like(d, indices, data->dtype, data->vdevice);
}

/// StructInfo of `R.gather_nd(data, indices, batch_dims=0)`.
///
/// indices  int64; the constant length l of its last axis says how many axes of data a position
/// covers. out.shape = indices.shape[:-1] + data.shape[batch_dims + l:]. Reports ARGUMENT_KIND,
/// DTYPE_CLASS, VALUE_RANGE.
/// Source: TVM v0.25 InferStructInfoGatherND, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_gather_nd(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *data = rlx_arg_tensor(d, call, 0), *indices = rlx_arg_tensor(d, call, 1);
  if (!data || !indices) return rlx_out_unknown(d);
  int64_t batch = rlx_attr_int_or(d, call, 2, 0), length;
  if (rlx_dtype_known(indices->dtype) && !rlx_dtype_equal(indices->dtype, RLX_INT64)) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(DTYPE_CLASS), "sss", "indices",
             rlx_text_dtype(d, indices->dtype), "int64");
  }
  int64_t most = data->ndim < 0 || indices->ndim < 0 ? INT32_MAX
                 : data->ndim < indices->ndim - 1    ? data->ndim
                                                     : indices->ndim - 1;
  if (batch < 0 || batch > most) {
    rlx_fail(d, call, 2, RLX_DIAG_ID(VALUE_RANGE), "sds", "batch_dims", batch,
             most == INT32_MAX ? "at least 0" : rlx_arena_printf(d->scratch, "0 to %d", (int)most));
    return rlx_out(d, data, NULL, -1);
  }
  if (data->ndim < 0 || indices->ndim < 1) return rlx_out(d, data, NULL, -1);
  if (!indices->dims || !rlx_prim_is_const(indices->dims[indices->ndim - 1], &length))
    return rlx_out(d, data, NULL, -1);
  // Of an unknown shape TVM compares nothing, and stops at a rank below that which says "unknown".
  int64_t rank = indices->ndim - 1 + data->ndim - (batch + length);
  if (data->dims ? length > data->ndim - batch || length < 0 : rank < -1 || length < 0) {
    rlx_fail_dim(d, call, 1, indices->ndim - 1, indices->dims[indices->ndim - 1],
                 rlx_dim(d, data->ndim - batch));
    return rlx_out(d, data, NULL, -1);
  }
  int ndim = (int)rank;
  if (!data->dims) return rlx_out(d, data, NULL, ndim);
  const RlxPrim **dims = rlx_dims_new(d, ndim);
  int at = 0;
  for (int i = 0; i < indices->ndim - 1; i++) dims[at++] = indices->dims[i];
  for (int i = (int)(batch + length); i < data->ndim; i++) dims[at++] = data->dims[i];
  return rlx_out(d, data, dims, ndim);
}

/// Broadcast of the shapes of index tensors; `*known` false when they are not all known, or can't
/// be decided.
static RlxDims broadcast_indices(RlxDeduce *d, const RlxCall *call, const RlxSInfo *const *x,
                                 int count, int *ndim, bool *known) {
  RlxDims all = rlx_dims_new(d, 0);
  *ndim = 0;
  *known = true;
  for (int i = 0; i < count; i++) *known &= x[i]->dims != NULL;
  for (int i = 0; *known && i < count; i++) {
    RlxDims next;
    *known =
        rlx_broadcast_dims(d, call, all, *ndim, x[i]->dims, x[i]->ndim, &next) == RLX_BROADCAST_OK;
    all = next;
    if (x[i]->ndim > *ndim) *ndim = x[i]->ndim;
  }
  return *known ? all : NULL;
}

/// StructInfo of `R.index_tensor(data, indices)`: the broadcast of the indices' shapes, then data's
/// remaining axes.
///
/// indices  non-empty tuple of tensors of signed integer dtype, at most as many as data has axes.
/// Reports ARGUMENT_KIND, TUPLE_EMPTY, DTYPE_CLASS, LIST_LENGTH, SHAPE_BROADCAST.
/// Source: TVM v0.25 InferStructInfoIndexTensor, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_index_tensor(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *data = rlx_arg_tensor(d, call, 0);
  const RlxSInfo *const *x;
  int count, ndim;
  bool known;
  if (!rlx_arg_tensors(d, call, 1, &x, &count) || count < 0 || !data) return rlx_out_unknown(d);
  if (count == 0) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(TUPLE_EMPTY), "s", "indices");
    return rlx_out(d, data, NULL, -1);
  }
  for (int i = 0; i < count; i++) {
    if (!rlx_dtype_known(x[i]->dtype) || x[i]->dtype.code == RLX_DTYPE_INT) continue;
    rlx_fail(d, call, 1, RLX_DIAG_ID(DTYPE_CLASS), "sss",
             rlx_arena_printf(d->scratch, "indices[%d]", i), rlx_text_dtype(d, x[i]->dtype),
             "a signed integer dtype");
    break;
  }
  if (data->ndim >= 0 && count > data->ndim) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(LIST_LENGTH), "sis", "indices", count,
             rlx_arena_printf(d->scratch, "at most %d, the rank of `data`", data->ndim));
    return rlx_out(d, data, NULL, -1);
  }
  RlxDims front = broadcast_indices(d, call, x, count, &ndim, &known);
  if (!known || data->ndim < 0) return rlx_out(d, data, NULL, -1);
  int rest = data->ndim - count;
  if (!data->dims) return rlx_out(d, data, NULL, ndim + rest);
  const RlxPrim **dims = rlx_dims_new(d, ndim + rest);
  for (int i = 0; i < ndim; i++) dims[i] = front[i];
  for (int i = 0; i < rest; i++) dims[ndim + i] = data->dims[count + i];
  return rlx_out(d, data, dims, ndim + rest);
}

// ---- scatter

/// Index tensors of `R.index_put`: a tuple of tensors, or one tensor. False after a report, or when
/// not known.
static bool put_indices(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *const **out,
                        int *count) {
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  if (sinfo && sinfo->kind == RLX_SINFO_TENSOR) {
    *out = rlx_arena_copy(d->scratch, &sinfo, 1, sizeof(const RlxSInfo *));
    *count = 1;
    return true;
  }
  return rlx_arg_tensors(d, call, i, out, count) && *count >= 0;
}

/// StructInfo of `R.index_put(data, indices, values, accumulate=False)`: data's.
///
/// indices  one integer tensor of rank 1 or more for each axis of data.
/// Reports ARGUMENT_KIND, RANK, DTYPE_CLASS, LIST_LENGTH, DTYPE_MISMATCH.
/// Source: TVM v0.25 InferStructInfoIndexPut, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_index_put(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *data = rlx_arg_tensor(d, call, 0), *values = rlx_arg_tensor(d, call, 2);
  const RlxSInfo *const *x;
  int count;
  bool known = put_indices(d, call, 1, &x, &count);
  if (!data) return rlx_out_unknown(d);
  if (!known || !values || data->ndim < 0) return rlx_out(d, data, data->dims, data->ndim);
  for (int i = 0; i < count && !d->failed; i++) {
    const char *name = rlx_arena_printf(d->scratch, "indices[%d]", i);
    if (x[i]->ndim == 0) {
      rlx_fail(d, call, 1, RLX_DIAG_ID(RANK), "sss", name, "rank 0", "rank 1 or more");
    } else if (rlx_dtype_known(x[i]->dtype) && !rlx_dtype_is_int(x[i]->dtype)) {
      rlx_fail(d, call, 1, RLX_DIAG_ID(DTYPE_CLASS), "sss", name, rlx_text_dtype(d, x[i]->dtype),
               "an integer dtype");
    }
  }
  if (count != data->ndim) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(LIST_LENGTH), "sis", "indices", count,
             rlx_arena_printf(d->scratch, "%d, the rank of `data`", data->ndim));
  }
  rlx_need_same_dtype(d, call, 2, data->dtype, values->dtype);
  return rlx_out(d, data, data->dims, data->ndim);
}

/// StructInfo of `R.scatter_elements(data, indices, updates, axis=0, reduction="update")`: data's.
///
/// indices, updates  of data's rank, not provably of different shapes; data and updates have one
///                   dtype. Nothing is checked when data's rank is not known.
/// Reports ARGUMENT_KIND, AXIS_RANGE, RANK_MISMATCH, DTYPE_MISMATCH, DTYPE_CLASS, DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoScatterElements, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_scatter_elements(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *data = rlx_arg_tensor(d, call, 0), *indices = rlx_arg_tensor(d, call, 1),
                 *updates = rlx_arg_tensor(d, call, 2);
  if (!data || !indices || !updates)
    return data ? rlx_out(d, data, data->dims, data->ndim) : rlx_out_unknown(d);
  if (data->ndim < 0) return rlx_out(d, data, NULL, -1);
  if (indices->ndim >= 0 && updates->ndim >= 0 &&
      rlx_need_same_ndim(d, call, 1, indices, 0, data)) {
    rlx_need_same_ndim(d, call, 2, updates, 1, indices);
  }
  rlx_need_same_dtype(d, call, 2, data->dtype, updates->dtype);
  rlx_need_int(d, call, 1, indices);
  for (int i = 0; !d->failed && indices->dims && updates->dims && i < indices->ndim; i++) {
    if (rlx_rule_unequal(d, indices->dims[i], updates->dims[i]))
      rlx_fail_dim(d, call, 2, i, updates->dims[i], indices->dims[i]);
  }
  return rlx_out(d, data, data->dims, data->ndim);
}

/// Reports what is wrong with the shape of updates in a scatter_nd whose shapes are all known.
static void check_scatter_nd(RlxDeduce *d, const RlxCall *call, const RlxSInfo *data,
                             const RlxSInfo *indices, const RlxSInfo *updates) {
  int64_t length;
  int last = indices->ndim - 1;
  if (last < 0) {
    rlx_fail_rank(d, call, 1, indices, "rank 1 or more");
    return;
  }
  if (!rlx_prim_is_const(indices->dims[last], &length)) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(SHAPE_NEEDED), "ss", "indices", rlx_text_sinfo(d, indices));
    return;
  }
  if (length > data->ndim || length < 0) {
    rlx_fail_dim(d, call, 1, last, indices->dims[last], rlx_dim(d, data->ndim));
    return;
  }
  int ndim = last + data->ndim - (int)length;
  if (!rlx_need_ndim(d, call, 2, updates, ndim, true)) return;
  for (int i = 0; i < ndim; i++) {
    const RlxPrim *expected = i < last ? indices->dims[i] : data->dims[i - last + (int)length];
    if (rlx_rule_equal(d, expected, updates->dims[i])) continue;
    rlx_fail_dim(d, call, 2, i, updates->dims[i], expected);
    return;
  }
}

/// StructInfo of `R.scatter_nd(data, indices, updates, reduction="update")`: data's.
///
/// data, updates  of one known dtype. With all shapes known, updates.shape is provably
/// indices.shape[:-1] + data.shape[k:]. Reports ARGUMENT_KIND, DTYPE_CLASS, DTYPE_MISMATCH,
/// SHAPE_NEEDED, RANK, DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoScatterND, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_scatter_nd(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *data = rlx_arg_tensor(d, call, 0), *indices = rlx_arg_tensor(d, call, 1),
                 *updates = rlx_arg_tensor(d, call, 2);
  if (!data || !indices || !updates)
    return data ? rlx_out(d, data, data->dims, data->ndim) : rlx_out_unknown(d);
  if (!rlx_dtype_known(data->dtype) || !rlx_dtype_known(updates->dtype)) {
    int i = rlx_dtype_known(data->dtype) ? 2 : 0;
    rlx_fail(d, call, i, RLX_DIAG_ID(DTYPE_CLASS), "sss", rlx_param_name(call, i), "unknown",
             "a known dtype");
  } else {
    rlx_need_same_dtype(d, call, 2, data->dtype, updates->dtype);
  }
  rlx_need_int(d, call, 1, indices);
  if (!d->failed && data->dims && indices->dims && updates->dims)
    check_scatter_nd(d, call, data, indices, updates);
  return rlx_out(d, data, data->dims, data->ndim);
}

/// An integer written in the call; NULL (reported) when it is none.
static const RlxPrim *bound(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxPrim *p = rlx_arg_written_prim(d, call, i);
  if (!p || rlx_dtype_is_int(p->dtype)) return p;
  rlx_fail_kind(d, call, i, "an integer");
  return NULL;
}

/// StructInfo of `R.slice_scatter(input_tensor, src, start, end, step, axis=0)`: the operand's.
///
/// src  of the operand's rank and dtype; dimensions besides axis, and the slice's length along it,
/// must not provably differ. Reports ARGUMENT_KIND, AXIS_RANGE, RANK_MISMATCH, DTYPE_MISMATCH,
/// VALUE_RANGE, DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoSliceScatter, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_slice_scatter(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0), *src = rlx_arg_tensor(d, call, 1);
  if (!x || !src) return x ? x : rlx_out_unknown(d);
  if (x->ndim < 0) return rlx_out(d, x, NULL, -1);
  int axis;
  RlxAttrState state = rlx_attr_axis(d, call, 5, x->ndim, &axis);
  rlx_need_same_ndim(d, call, 1, src, 0, x);
  rlx_need_same_dtype(d, call, 1, x->dtype, src->dtype);
  const RlxPrim *start = bound(d, call, 2), *end = bound(d, call, 3), *step = bound(d, call, 4);
  if (!start || !end || !step || d->failed || state != RLX_ATTR_OK) return x;
  if (rlx_prove_less(d->store, d->facts, step, rlx_dim(d, 1)) == RLX_YES) {
    rlx_fail(d, call, 4, RLX_DIAG_ID(VALUE_RANGE), "sss", "step", rlx_text_prim(d, step),
             "at least 1");
    return x;
  }
  if (rlx_prove_less(d->store, d->facts, end, start) == RLX_YES) {
    rlx_fail(d, call, 3, RLX_DIAG_ID(VALUE_RANGE), "sss", "end", rlx_text_prim(d, end),
             rlx_arena_printf(d->scratch, "at least the start, %s", rlx_text_prim(d, start)));
    return x;
  }
  if (!x->dims || !src->dims) return x;
  const RlxPrim *length = ceil_div(d, rlx_prim_sub(d->store, end, start), step);
  for (int i = 0; i < x->ndim; i++) {
    const RlxPrim *expected = i == axis ? length : x->dims[i];
    if (!rlx_rule_unequal(d, src->dims[i], expected)) continue;
    rlx_fail_dim(d, call, 1, i, src->dims[i], rlx_simplify(d, expected));
    break;
  }
  return x;
}

/// A number written as R.prim_value(…); a bare Python number is refused, since its dtype is the
/// result's.
static const RlxPrim *one_hot_value(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxValue *v = &call->args[i];
  bool is_number =
      v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT || v->kind == RLX_VALUE_BOOL;
  if ((is_number || v->kind == RLX_VALUE_PRIM) && !call->is_027) {
    rlx_fail_kind(d, call, i, "R.prim_value(…)");
    return NULL;
  }
  if (v->kind == RLX_VALUE_FLOAT) return rlx_prim_float(d->store, v->number, RLX_FLOAT64);
  if (v->kind == RLX_VALUE_BOOL) return rlx_prim_int_typed(d->store, v->boolean, RLX_BOOL);
  return rlx_arg_written_prim(d, call, i);
}

/// StructInfo of `R.one_hot(indices, on_value, off_value, depth, axis=-1)`.
///
/// on_value, off_value  written numbers of one dtype, which is the result's.
/// axis                 place of the new axis; negative ones count from the end of the result.
/// Reports ARGUMENT_KIND, DTYPE_CLASS, DTYPE_MISMATCH, VALUE_RANGE, AXIS_RANGE.
/// Source: TVM v0.25 InferStructInfoOneHot, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_one_hot(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  const RlxPrim *on = one_hot_value(d, call, 1), *off = one_hot_value(d, call, 2);
  RlxDType dtype = on ? on->dtype : rlx_dtype_unknown();
  if (on && off) rlx_need_same_dtype(d, call, 2, on->dtype, off->dtype);
  int64_t depth;
  RlxAttrState state = rlx_attr_int(d, call, 3, &depth);
  if (state == RLX_ATTR_OK && depth <= 0)
    rlx_fail(d, call, 3, RLX_DIAG_ID(VALUE_RANGE), "sds", "depth", depth, "at least 1");
  if (!x) return rlx_out_tensor(d, NULL, -1, dtype, NULL);
  rlx_need_int(d, call, 0, x);
  if (!x->dims) return rlx_out_as(d, x, NULL, x->ndim < 0 ? -1 : x->ndim + 1, dtype);
  int axis;
  if (rlx_attr_axis(d, call, 4, x->ndim + 1, &axis) != RLX_ATTR_OK || state != RLX_ATTR_OK)
    return rlx_out_as(d, x, NULL, x->ndim + 1, dtype);
  const RlxPrim **dims = rlx_dims_new(d, x->ndim + 1);
  for (int i = 0, from = 0; i <= x->ndim; i++)
    dims[i] = i == axis ? rlx_dim(d, depth) : x->dims[from++];
  return rlx_out_as(d, x, dims, x->ndim + 1, dtype);
}
