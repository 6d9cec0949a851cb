/// Rules of operators that join tensors, or take one apart.
#include <string.h>

#include "analyzer/ops/ops.h"

#define RLX_FAMILY "analyzer/ops/combine.def"
#include "analyzer/ops/rules.h"

/// dtype of tensors that must agree: unknown when one is; reports DTYPE_MISMATCH once.
static RlxDType common_dtype(RlxDeduce *d, const RlxCall *call, const RlxSInfo *const *x,
                             int count) {
  RlxDType dtype = rlx_dtype_unknown();
  bool unknown = false;
  for (int i = 0; i < count; i++) {
    if (!rlx_dtype_known(x[i]->dtype)) {
      unknown = true;
    } else if (!rlx_dtype_known(dtype)) {
      dtype = x[i]->dtype;
    } else if (!rlx_need_same_dtype(d, call, 0, dtype, x[i]->dtype)) {
      return rlx_dtype_unknown();
    }
  }
  return unknown ? rlx_dtype_unknown() : dtype;
}

/// What comparing the shapes of several tensors said.
typedef struct Compared {
  int ndim;     ///< of all of them; given
  bool decided; ///< every pair is provably equal
  int first;    ///< the index of a known shape; -1: there is none
} Compared;

/// Compares every known shape with the first, but for dimension `skip` (-1: none). False after
/// DIM_MISMATCH.
static bool compare_dims(RlxDeduce *d, const RlxCall *call, const RlxSInfo *const *x, int count,
                         int skip, Compared *out) {
  const int ndim = out->ndim;
  *out = (Compared){ndim, true, -1};
  RlxDims base = NULL;
  for (int i = 0; i < count; i++) {
    RlxDims dims = rlx_rule_dims(d, x[i]);
    if (!dims) continue;
    if (out->first < 0) {
      out->first = i;
      base = dims;
    }
    for (int k = 0; k < ndim; k++) {
      if (k == skip || rlx_rule_equal(d, dims[k], base[k])) continue;
      if (rlx_rule_unequal(d, dims[k], base[k])) {
        const char *name = rlx_arena_printf(d->scratch, "%s[%d]", rlx_param_name(call, 0), i);
        RlxDiag *diag = rlx_fail(d, call, 0, RLX_DIAG_ID(DIM_MISMATCH), "siss", name, k,
                                 rlx_text_prim(d, dims[k]), rlx_text_prim(d, base[k]));
        rlx_wish_dim(d, call, diag, dims, k, base[k], true);
        rlx_wish_dim(d, call, diag, base, k, dims[k], false);
        return false;
      }
      out->decided = false;
    }
  }
  return true;
}

/// Rank that all tensors share, starting from `ndim` (-1: not known yet); -2 after RANK_MISMATCH.
static int common_ndim(RlxDeduce *d, const RlxCall *call, const RlxSInfo *const *x, int count,
                       int ndim) {
  for (int i = 0; i < count; i++) {
    if (x[i]->ndim < 0) continue;
    if (ndim >= 0 && x[i]->ndim != ndim) {
      const char *name = rlx_arena_printf(d->scratch, "%s[%d]", rlx_param_name(call, 0), i);
      rlx_fail(d, call, 0, RLX_DIAG_ID(RANK_MISMATCH), "sisi", name, x[i]->ndim,
               rlx_param_name(call, 0), ndim);
      return -2;
    }
    ndim = x[i]->ndim;
  }
  return ndim;
}

/// Reads the tuple of argument 0; false when it is not one, not known, or empty (reported).
static bool read_tensors(RlxDeduce *d, const RlxCall *call, const RlxSInfo *const **x, int *count) {
  if (!rlx_arg_tensors(d, call, 0, x, count) || *count < 0) return false;
  if (*count == 0) rlx_fail(d, call, 0, RLX_DIAG_ID(TUPLE_EMPTY), "s", rlx_param_name(call, 0));
  return *count > 0;
}

/// StructInfo of `R.concat(tensors, axis=0)`.
///
/// axis  None joins vectors. One tensor alone is the result as it is.
/// dtypes and ranks agree; dimensions other than axis must not provably differ, and if all are
/// provably equal the shape is known: the lengths along axis are added. Devices that differ are
/// dropped. Reports ARGUMENT_KIND, TUPLE_EMPTY, DTYPE_MISMATCH, RANK_MISMATCH, AXIS_RANGE,
/// DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoConcat, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_concat(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *const *x;
  int count, axis;
  if (!read_tensors(d, call, &x, &count)) return rlx_out_unknown(d);
  RlxDType dtype = common_dtype(d, call, x, count);
  const RlxVDevice *vdevice = rlx_common_vdevice(x, count);
  int ndim = common_ndim(d, call, x, count, rlx_arg_given(call, 1) ? -1 : 1);
  if (ndim < 0)
    return count == 1 && !d->failed ? x[0] : rlx_out_tensor(d, NULL, -1, dtype, vdevice);
  RlxAttrState state = rlx_attr_axis(d, call, 1, ndim, &axis);
  if (state == RLX_ATTR_BAD || state == RLX_ATTR_UNKNOWN)
    return rlx_out_tensor(d, NULL, ndim, dtype, vdevice);
  if (count == 1) return x[0];
  Compared compared = {.ndim = ndim};
  const bool decided = compare_dims(d, call, x, count, axis, &compared) && compared.decided;
  const RlxPrim *sum = rlx_dim(d, 0);
  bool same = true;
  for (int i = 0; i < count; i++) {
    if (!x[i]->dims) return rlx_out_tensor(d, NULL, ndim, dtype, vdevice);
    sum = rlx_prim_add(d->store, sum, x[i]->dims[axis]);
    same &= x[i]->dims[axis] == x[0]->dims[axis];
  }
  if (!decided) return rlx_out_tensor(d, NULL, ndim, dtype, vdevice);
  const RlxPrim **dims = rlx_dims_new(d, ndim);
  for (int k = 0; k < ndim; k++) dims[k] = x[0]->dims[k];
  dims[axis] = same ? rlx_prim_muli(d->store, x[0]->dims[axis], count) : sum;
  return rlx_out_tensor(d, dims, ndim, dtype, vdevice);
}

/// StructInfo of `R.stack(tensors, axis=0)`: the tensors' shape with a new axis of length count.
///
/// The first tensor's rank has to be known, as in TVM; the others' need not.
/// Reports ARGUMENT_KIND, TUPLE_EMPTY, DTYPE_MISMATCH, RANK_UNKNOWN, RANK_MISMATCH, AXIS_RANGE,
/// DIM_MISMATCH.
/// Source: TVM v0.25 InferStructInfoStack, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_stack(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *const *x;
  int count, axis;
  if (!read_tensors(d, call, &x, &count)) return rlx_out_unknown(d);
  RlxDType dtype = common_dtype(d, call, x, count);
  const RlxVDevice *vdevice = rlx_common_vdevice(x, count);
  int ndim = common_ndim(d, call, x, count, -1);
  if (count && x[0]->ndim < 0 && !d->failed)
    rlx_fail(d, call, 0, RLX_DIAG_ID(RANK_UNKNOWN), "s", "the first tensor");
  if (ndim < 0) return rlx_out_tensor(d, NULL, -1, dtype, vdevice);
  RlxAttrState state = rlx_attr_axis(d, call, 1, ndim + 1, &axis);
  if (state == RLX_ATTR_BAD || state == RLX_ATTR_UNKNOWN)
    return rlx_out_tensor(d, NULL, ndim + 1, dtype, vdevice);
  Compared compared = {.ndim = ndim};
  bool decided = compare_dims(d, call, x, count, -1, &compared) && compared.decided;
  for (int i = 0; count > 1 && i < count; i++) decided &= x[i]->dims != NULL;
  if (!decided || compared.first < 0) return rlx_out_tensor(d, NULL, ndim + 1, dtype, vdevice);
  RlxDims from = rlx_rule_dims(d, x[compared.first]);
  const RlxPrim **dims = rlx_dims_new(d, ndim + 1);
  for (int k = 0, at = 0; k <= ndim; k++) dims[k] = k == axis ? rlx_dim(d, count) : from[at++];
  return rlx_out_tensor(d, dims, ndim + 1, dtype, vdevice);
}

/// x with dimension `axis` replaced.
static const RlxSInfo *with_dim(RlxDeduce *d, const RlxSInfo *x, int axis, const RlxPrim *dim) {
  const RlxPrim **dims = rlx_dims_new(d, x->ndim);
  for (int i = 0; i < x->ndim; i++) dims[i] = i == axis ? dim : x->dims[i];
  return rlx_out(d, x, dims, x->ndim);
}

/// A cut at a constant, clamped into [0, length].
static const RlxPrim *clamp(RlxDeduce *d, const RlxPrim *at, const RlxPrim *length) {
  return rlx_prim_binary(d->store, RLX_PRIM_MIN,
                         rlx_prim_binary(d->store, RLX_PRIM_MAX, at, rlx_dim(d, 0)), length);
}

enum { MAX_PARTS = 100000 }; ///< more parts than any program has: a bound for hostile input

/// Parts of x cut at `cuts`.
static const RlxSInfo *split_at(RlxDeduce *d, const RlxSInfo *x, int axis, const int64_t *cuts,
                                int count) {
  const RlxSInfo **parts = rlx_arena_array(d->scratch, const RlxSInfo *, count + 1);
  for (int i = 0; i <= count; i++) {
    if (!x->dims) {
      parts[i] = rlx_out(d, x, NULL, x->ndim);
      continue;
    }
    const RlxPrim *length = x->dims[axis];
    const RlxPrim *left = clamp(d, i ? rlx_dim(d, cuts[i - 1]) : rlx_dim(d, 0), length);
    const RlxPrim *right = clamp(d, i < count ? rlx_dim(d, cuts[i]) : length, length);
    const RlxPrim *part =
        rlx_prim_binary(d->store, RLX_PRIM_MAX, rlx_prim_sub(d->store, right, left), rlx_dim(d, 0));
    parts[i] = with_dim(d, x, axis, rlx_simplify(d, part));
  }
  return rlx_out_tuple(d, parts, count + 1);
}

/// x in `count` parts, all but the last of length ceil(dim / count).
static const RlxSInfo *split_into(RlxDeduce *d, const RlxSInfo *x, int axis, int count) {
  const RlxSInfo **parts = rlx_arena_array(d->scratch, const RlxSInfo *, count);
  const RlxSInfo *part = rlx_out(d, x, NULL, x->ndim), *last = part;
  if (x->dims) {
    const RlxPrim *length = x->dims[axis], *n = rlx_dim(d, count);
    const RlxPrim *each =
        rlx_simplify(d, rlx_prim_floordiv(d->store, rlx_prim_addi(d->store, length, count - 1), n));
    part = with_dim(d, x, axis, each);
    last = with_dim(
        d, x, axis,
        rlx_simplify(d, rlx_prim_sub(d->store, length, rlx_prim_muli(d->store, each, count - 1))));
  }
  for (int i = 0; i < count; i++) parts[i] = i == count - 1 ? last : part;
  return rlx_out_tuple(d, parts, count);
}

/// StructInfo of `R.split(x, indices_or_sections, axis=0)`.
///
/// indices_or_sections  int > 0: that many parts (1: x itself, no tuple); list: cuts, clamped into
/// the axis (empty: x itself). Reports ARGUMENT_KIND, VALUE_RANGE, AXIS_RANGE.
/// Source: TVM v0.25 InferStructInfoSplit, src/relax/op/tensor/manipulate.cc.
const RlxSInfo *rlx_deduce_split(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  const int64_t *cuts;
  int count, axis;
  RlxAttrState state = rlx_attr_ints(d, call, 1, &cuts, &count);
  if (!x || state == RLX_ATTR_UNKNOWN || state == RLX_ATTR_BAD) return rlx_sinfo_object(d->store);
  if (state == RLX_ATTR_ABSENT) {
    rlx_fail_kind(d, call, 1, "an int or a list of ints");
    return rlx_sinfo_object(d->store);
  }
  bool is_list = call->args[1].kind == RLX_VALUE_LIST;
  if (!is_list && (cuts[0] <= 0 || cuts[0] > MAX_PARTS)) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(VALUE_RANGE), "sds", rlx_param_name(call, 1), cuts[0],
             "a positive number of parts");
    return rlx_sinfo_object(d->store);
  }
  RlxAttrState at = rlx_attr_axis(d, call, 2, x->ndim, &axis);
  if (at != RLX_ATTR_OK) x = rlx_out(d, x, NULL, x->ndim);
  if (is_list) return count == 0 ? x : split_at(d, x, axis, cuts, count);
  return cuts[0] == 1 ? x : split_into(d, x, axis, (int)cuts[0]);
}

/// StructInfo of `R.meshgrid(tensors, indexing="ij")`: a tuple of as many tensors, all of shape
/// (len1, …, lenn).
///
/// tensors  vectors; an unknown rank is refused. With `indexing="xy"` the first two lengths are
/// swapped.
/// Reports ARGUMENT_KIND, TUPLE_EMPTY, RANK, DTYPE_MISMATCH.
/// Source: TVM v0.25 InferStructInfoMeshgrid, src/relax/op/tensor/manipulate.cc. Differs: TVM does
/// not look at `indexing` there, but what it computes has the first two axes swapped.
const RlxSInfo *rlx_deduce_meshgrid(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *const *x;
  int count;
  if (!read_tensors(d, call, &x, &count)) return rlx_sinfo_object(d->store);
  const RlxPrim **dims = rlx_dims_new(d, count);
  bool known = true;
  RlxDType dtype = rlx_dtype_unknown();
  for (int i = 0; i < count; i++) {
    if (x[i]->ndim != 1) {
      rlx_fail_rank(d, call, 0, x[i], "vectors of rank 1");
      known = false;
      break;
    }
    if (!rlx_dtype_known(dtype)) dtype = x[i]->dtype;
    if (!rlx_need_same_dtype(d, call, 0, dtype, x[i]->dtype)) known = false;
    // TVM skips the shape of a tensor of unknown dtype, so that no shape is known then.
    known = known && x[i]->dims && rlx_dtype_known(x[i]->dtype);
    if (known) dims[i] = x[i]->dims[0];
  }
  const char *indexing;
  if (known && count > 1 && rlx_attr_str(d, call, 1, &indexing) == RLX_ATTR_OK &&
      !strcmp(indexing, "xy")) {
    const RlxPrim *rows = dims[1];
    dims[1] = dims[0];
    dims[0] = rows;
  }
  const RlxSInfo *grid =
      rlx_out_tensor(d, known ? dims : NULL, count, dtype, rlx_common_vdevice(x, count));
  const RlxSInfo **fields = rlx_arena_array(d->scratch, const RlxSInfo *, count);
  for (int i = 0; i < count; i++) fields[i] = grid;
  return rlx_out_tuple(d, fields, count);
}
